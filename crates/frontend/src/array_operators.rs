//! Operators, indexing and assignment of arrays in jit functions.

use crate::codes;
use crate::host_part::{Part, Raised};
use crate::lazy::{Element, is_array, rank_of};
use crate::translate::Translator;
use crate::types;
use crate::value::{Axis, Know, Scalar, Value, View};
use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, Kind, Op, StatementKind, ValueId, VariableId,
};
use ruff_python_ast::{CmpOp, Expr, ExprSubscript, Operator, Stmt, StmtAugAssign};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// An index into one axis of a lazy array.
#[derive(Clone, Debug)]
enum Picked {
    /// At one position.
    At(Scalar),
    /// Elements `start + i * step`.
    Slice(Scalar, Scalar),
}

impl Translator<'_> {
    /// `a op b` if one of them is an array.
    pub fn array_binary(
        &mut self,
        op: Operator,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        if !is_array(a) && !is_array(b) {
            return None;
        }
        // A tuple or a list beside an array is one, too.
        if let (Value::Tuple(_) | Value::List(_), array) | (array, Value::Tuple(_) | Value::List(_)) =
            (a, b)
            && is_array(array)
        {
            let both = [a, b].map(|one| match one {
                Value::Tuple(_) => self.as_array(one, None, range),
                other => self.settled_list(other),
            });
            return self.array_binary(op, &both[0], &both[1], range);
        }
        let operand =
            |value: &Value| is_array(value) || matches!(value, Value::Scalar(_) | Value::View(_));
        if !operand(a) || !operand(b) {
            return Some(self.no_operator(op.as_str(), &[a, b], range));
        }
        if op == Operator::MatMult {
            return Some(self.matmul(a, b, range));
        }
        let operands = [a.clone(), b.clone()];
        Some(self.elementwise(&operands, range, move |t, x| {
            t.array_arithmetic(op, &x[0], &x[1], range)
        }))
    }

    /// `a op b` of elements: integers of arrays have powers that scalars of Python have not.
    fn array_arithmetic(
        &mut self,
        op: Operator,
        a: &Scalar,
        b: &Scalar,
        range: TextRange,
    ) -> Option<Scalar> {
        match self.arithmetic(op, a, b, range) {
            Value::Scalar(result) => Some(result),
            _ => None,
        }
    }

    /// `a op b` of a comparison, if one of them is an array.
    pub fn array_compare(&mut self, op: CmpOp, a: &Value, b: &Value, range: TextRange) -> Value {
        let operand =
            |value: &Value| is_array(value) || matches!(value, Value::Scalar(_) | Value::View(_));
        if matches!(op, CmpOp::Is | CmpOp::IsNot) {
            return Scalar::const_bool(op == CmpOp::IsNot).into();
        }
        if !operand(a) || !operand(b) || matches!(op, CmpOp::In | CmpOp::NotIn) {
            return self.no_operator(op.as_str(), &[a, b], range);
        }
        let operands = [a.clone(), b.clone()];
        self.elementwise(&operands, range, move |t, x| {
            match t.compare(op, &Value::Scalar(x[0]), &Value::Scalar(x[1]), range) {
                Value::Scalar(result) => Some(result),
                _ => None,
            }
        })
    }

    /// `a in b` of an array: whether any element is the same.
    pub fn array_membership(
        &mut self,
        wanted: bool,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Value {
        let same = self.array_compare(CmpOp::Eq, b, a, range);
        let arguments = crate::calls::Arguments {
            positional: vec![(same, range)],
            keywords: Vec::new(),
        };
        let found = self.numpy_call("any", &arguments, range);
        let Some(Value::Scalar(found)) = found else {
            return Value::Poison;
        };
        let found = Scalar {
            weak: true,
            ..found
        };
        if wanted {
            return found.into();
        }
        let ir = self.ir(&found);
        let not = self.b.unary(colocate_ir::UnaryOp::Not, ir);
        Scalar::new(DType::Bool, true, not).into()
    }

    /// The product of matrices and vectors.
    pub fn matmul(&mut self, a: &Value, b: &Value, range: TextRange) -> Value {
        if self.level() > 0 && rank_of(a) == Some(1) && rank_of(b) == Some(1) {
            let product = self.array_binary(Operator::Mult, a, b, range);
            return match product {
                Some(product) => self.total(&product, range),
                None => Value::Poison,
            };
        }
        let arguments = [(a.clone(), range), (b.clone(), range)];
        self.library("numpy.matmul", &arguments, &[], &[], range)
    }

    /// The sum of all elements, of a dtype that NumPy would take.
    pub fn total(&mut self, value: &Value, range: TextRange) -> Value {
        let Some(dtype) = Self::dtype_of(value) else {
            return Value::Poison;
        };
        let result = sum_dtype(dtype);
        // Many narrow numbers are summed in wide ones, and rounded once.
        let wide = match dtype {
            DType::Float16 | DType::Float32 => DType::Float64,
            DType::Complex64 => DType::Complex128,
            _ => result,
        };
        let zero = types::cast(crate::value::Constant::Int(0), wide);
        let start = Scalar::constant(wide, false, zero);
        let add = colocate_ir::ReductionOperator::Add;
        let total = self.reduce_all(value, add, wide, start, "sum", range);
        total.map_or(Value::Poison, |total| {
            self.cast(&total, result, false).into()
        })
    }

    /// The items of an index expression, and where they stand.
    pub fn index_items(&mut self, slice: &Expr) -> (Vec<Value>, Vec<TextRange>) {
        let index = self.expr(slice);
        let (items, ranges) = self.split_index(index, slice);
        let items = items.into_iter().zip(&ranges).map(|(item, place)| {
            match item {
                // A list among the indices names positions.
                Value::Tuple(_) => self.as_array(&item, None, *place),
                Value::List(_) => self.settled_list(&item),
                Value::View(view) if view.rank() == 0 => self.load(&view).into(),
                other => other,
            }
        });
        (items.collect(), ranges.clone())
    }

    fn split_index(&mut self, index: Value, slice: &Expr) -> (Vec<Value>, Vec<TextRange>) {
        match (index, slice) {
            (index @ Value::Tuple(_), Expr::List(_)) => (vec![index], vec![slice.range()]),
            (Value::Tuple(items), Expr::Tuple(tuple)) if tuple.elts.len() == items.len() => {
                (items, tuple.elts.iter().map(Ranged::range).collect())
            }
            (Value::Tuple(items), slice) => {
                let ranges = vec![slice.range(); items.len()];
                (items, ranges)
            }
            (other, slice) => (vec![other], vec![slice.range()]),
        }
    }

    /// Whether an index needs more than views: it holds arrays, or a truth value.
    pub fn is_advanced(items: &[Value]) -> bool {
        items.iter().any(|item| match item {
            Value::Scalar(scalar) => scalar.dtype == DType::Bool,
            other => is_array(other),
        })
    }

    /// `value[...]` of an array, read.
    pub fn array_subscript(&mut self, value: &Value, e: &ExprSubscript) -> Value {
        let (items, ranges) = self.index_items(&e.slice);
        self.array_item(value, &items, &ranges, e.range())
    }

    /// The part of an array that index values name.
    pub fn array_item(
        &mut self,
        value: &Value,
        items: &[Value],
        ranges: &[TextRange],
        range: TextRange,
    ) -> Value {
        if items.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        if Self::is_advanced(items) {
            return self.advanced_item(value, items, range);
        }
        match value {
            Value::View(view) => match self.index_with(view, items, ranges, range) {
                Some(view) => self.element_or_view(view),
                None => Value::Poison,
            },
            Value::Lazy(lazy) => {
                // A part of an array shares its memory, which must be there to be shared.
                let element = items.len() == lazy.rank()
                    && items.iter().all(|item| matches!(item, Value::Scalar(_)));
                if (lazy.heavy || !element) && self.level() == 0 {
                    let stored = self.stored(value);
                    return self.array_item(&stored, items, ranges, range);
                }
                self.lazy_item(value, items, ranges, range)
            }
            _ => Value::Poison,
        }
    }

    /// Indexing with arrays.
    fn advanced_item(&mut self, value: &Value, items: &[Value], range: TextRange) -> Value {
        if let [index] = items
            && rank_of(index) == Some(1)
            && Self::dtype_of(index).is_some_and(types::is_integer)
            && self.level() > 0
            && let Some(rank) = rank_of(value)
        {
            return self.gathered(value, index, rank, range);
        }
        let index = match items {
            [one] => one.clone(),
            several => Value::Tuple(several.to_vec()),
        };
        let arguments = [(value.clone(), range), (index, range)];
        self.library("method.__getitem__", &arguments, &[], &[], range)
    }

    /// Rows of an array that an integer array names, pulled one by one.
    fn gathered(&mut self, value: &Value, index: &Value, rank: usize, range: TextRange) -> Value {
        let (Some(source), Some(which)) = (self.source(value), self.source(index)) else {
            return Value::Poison;
        };
        let own = self.shape_of(value);
        let mut shape = self.shape_of(index);
        shape.extend(&own[1..]);
        let extent = own[0];
        let level = self.level();
        let dtype = Self::dtype_of(value).unwrap_or(DType::Float64);
        let element: Element = Rc::new(move |t, indices| {
            let at = t.pull(&which, &indices[..1])?;
            let at = t.integer(&Value::Scalar(at), range, "an index")?;
            let extent = t.brought(&extent, level);
            let at = t.checked_index(&at, &extent, 0, range);
            let mut own = vec![at];
            own.extend(&indices[1..rank]);
            t.pull(&source, &own)
        });
        self.lazy(dtype, shape, false, &[value, index], range, element)
    }

    /// Basic indexing of an array that is not computed.
    fn lazy_item(
        &mut self,
        value: &Value,
        items: &[Value],
        ranges: &[TextRange],
        range: TextRange,
    ) -> Value {
        let shape = self.shape_of(value);
        // A view with the array's shape lends its rules for indices.
        let count = |wanted: fn(&Value) -> bool| items.iter().filter(|item| wanted(item)).count();
        let ellipses = count(|item| matches!(item, Value::Ellipsis));
        let added = count(|item| matches!(item, Value::None));
        let given = items.len() - ellipses - added;
        if ellipses > 1 || given > shape.len() {
            let diagnostic = self.wrong(
                codes::RANK,
                format!("too many indices: {given} for {}", value.describe()),
                range,
                format!("this array has {} axes", shape.len()),
            );
            return self.report(diagnostic);
        }
        let mut picked = Vec::new();
        let mut result = Vec::new();
        // For each axis of the result the axis of the array it goes along, if any.
        let mut along: Vec<Option<usize>> = Vec::new();
        let mut axis = 0;
        let all = |result: &mut Vec<Scalar>, along: &mut Vec<Option<usize>>, axis: usize| {
            result.push(shape[axis]);
            along.push(Some(axis));
            Picked::Slice(Scalar::const_int(0), Scalar::const_int(1))
        };
        for (item, place) in items.iter().zip(ranges) {
            match item {
                Value::Ellipsis => {
                    for _ in 0..shape.len() - given {
                        picked.push(all(&mut result, &mut along, axis));
                        axis += 1;
                    }
                }
                Value::None => {
                    result.push(Scalar::const_int(1));
                    along.push(None);
                }
                Value::Slice(parts) => {
                    let Some((start, step, length)) = self.slice_of(&shape[axis], parts, *place)
                    else {
                        return Value::Poison;
                    };
                    picked.push(Picked::Slice(start, step));
                    result.push(length);
                    along.push(Some(axis));
                    axis += 1;
                }
                item => {
                    let Some(index) = self.integer(item, *place, "an index") else {
                        return Value::Poison;
                    };
                    let index = self.checked_index(&index, &shape[axis], axis, *place);
                    picked.push(Picked::At(index));
                    axis += 1;
                }
            }
        }
        while axis < shape.len() {
            picked.push(all(&mut result, &mut along, axis));
            axis += 1;
        }
        let Some(source) = self.source(value) else {
            return Value::Poison;
        };
        let dtype = Self::dtype_of(value).unwrap_or(DType::Float64);
        let level = self.level();
        let rank = shape.len();
        let element: Element = Rc::new(move |t, indices| {
            let mut own = vec![Scalar::const_int(0); rank];
            for (axis, one) in picked.iter().enumerate() {
                if let Picked::At(index) = one {
                    own[axis] = t.brought(index, level);
                }
            }
            for (index, axis) in indices.iter().zip(&along) {
                let Some(axis) = axis else {
                    continue;
                };
                if let Picked::Slice(start, step) = &picked[*axis] {
                    let (start, step) = (t.brought(start, level), t.brought(step, level));
                    let offset = t.index_op(BinaryOp::Multiply, index, &step);
                    own[*axis] = t.index_op(BinaryOp::Add, &start, &offset);
                }
            }
            t.pull(&source, &own)
        });
        if result.is_empty() {
            return element(self, &[]).map_or(Value::Poison, Value::Scalar);
        }
        self.lazy(dtype, result, false, &[value], range, element)
    }

    /// Start, step and length of a slice of an axis.
    pub fn slice_of(
        &mut self,
        extent: &Scalar,
        parts: &[Option<Scalar>; 3],
        range: TextRange,
    ) -> Option<(Scalar, Scalar, Scalar)> {
        // The rules are those of views; the base does not matter.
        let view = View {
            axes: vec![Axis::Sliced {
                start: Scalar::const_int(0),
                step: Scalar::const_int(1),
                length: *extent,
            }],
            ..View::whole(
                ArrayRef::Local(crate::value::ANY_PHI),
                DType::Int64,
                1,
                false,
            )
        };
        match self.slice_axis(&view, 0, parts, range)? {
            Axis::Sliced {
                start,
                step,
                length,
            } => Some((start, step, length)),
            _ => Some((Scalar::const_int(0), Scalar::const_int(1), *extent)),
        }
    }

    /// An index counted from the beginning; one that is out of range raises IndexError.
    pub fn checked_index(
        &mut self,
        index: &Scalar,
        length: &Scalar,
        axis: usize,
        range: TextRange,
    ) -> Scalar {
        if self.is_proven(index, length) {
            return *index;
        }
        let wrapped = self.wrapped_index(index, length);
        let checks = self
            .program
            .as_ref()
            .is_some_and(|state| state.options.check_bounds);
        if !checks {
            return Scalar {
                know: if wrapped.as_constant().is_some() {
                    wrapped.know
                } else {
                    Know::NonNegative
                },
                ..wrapped
            };
        }
        if let (Some(at), Some(length)) = (wrapped.as_int(), length.as_int())
            && at >= 0
            && at < length
        {
            return wrapped;
        }
        let (at, extent) = (self.ir(&wrapped), self.ir(length));
        // One comparison of unsigned numbers sees both ends.
        let (low, high) = (
            self.b.convert(at, DType::UInt64),
            self.b.convert(extent, DType::UInt64),
        );
        let outside = self.b.compare(CompareOp::GreaterEqual, low, high);
        let raised = Raised {
            class: "IndexError",
            parts: vec![
                Part::Text("index ".into()),
                Part::Number(*index),
                Part::Text(format!(" is out of bounds for axis {axis} with size ")),
                Part::Number(*length),
            ],
        };
        self.raise_if(outside, &raised, range);
        match wrapped.as_constant() {
            Some(_) => wrapped,
            None => Scalar {
                know: Know::NonNegative,
                ..wrapped
            },
        }
    }

    /// Notes what a loop's counter can be, unless the body gives it another value.
    pub fn note_counter(
        &mut self,
        counter: VariableId,
        name: &str,
        [start, stop, step]: [ValueId; 3],
        body: &[Stmt],
    ) {
        let one = self.b.definition(step) == Some(&Op::Literal(colocate_ir::Literal::int64(1)));
        if self.is_program() && one && !crate::syntax::assigned(body).contains(name) {
            let bound = |ir| Scalar::int(ir, Know::Any);
            self.counters.insert(counter, (bound(start), bound(stop)));
        } else {
            self.counters.remove(&counter);
        }
    }

    /// A value as another one plus a constant.
    pub fn linear(&self, value: ValueId) -> (Option<ValueId>, i128) {
        let value = crate::lazy::resolved(&self.b, &self.constant_variables, value);
        let literal = |value: ValueId| {
            let value = crate::lazy::resolved(&self.b, &self.constant_variables, value);
            match self.b.definition(value) {
                Some(Op::Literal(colocate_ir::Literal::Int(_, number))) => Some(*number),
                _ => None,
            }
        };
        if let Some(number) = literal(value) {
            return (None, number);
        }
        match self.b.definition(value) {
            Some(Op::Binary(BinaryOp::Add, a, b)) => {
                if let Some(number) = literal(*b) {
                    let (base, offset) = self.linear(*a);
                    return (base, offset + number);
                }
                if let Some(number) = literal(*a) {
                    let (base, offset) = self.linear(*b);
                    return (base, offset + number);
                }
                (Some(value), 0)
            }
            Some(Op::Binary(BinaryOp::Subtract, a, b)) => match literal(*b) {
                Some(number) => {
                    let (base, offset) = self.linear(*a);
                    (base, offset - number)
                }
                None => (Some(value), 0),
            },
            _ => (Some(value), 0),
        }
    }

    /// First number and one beyond the last of a loop's counter.
    pub fn counter_bounds(&self, value: ValueId) -> Option<(Scalar, Scalar)> {
        if let Some(region) = &self.region
            && region.counter == Some(value)
        {
            return region.counter_bounds;
        }
        match self.b.definition(value) {
            Some(Op::Get(variable)) => self.counters.get(variable).copied(),
            _ => None,
        }
    }

    /// Whether an index is certainly inside an axis, counted from the beginning.
    fn is_proven(&self, index: &Scalar, length: &Scalar) -> bool {
        let Some(at) = index.ir else {
            return false;
        };
        let (Some(base), offset) = self.linear(at) else {
            return false;
        };
        let Some((start, stop)) = self.counter_bounds(base) else {
            return false;
        };
        let (Some(first), Some(last)) = (
            start.ir.map(|value| self.linear(value)),
            stop.ir.map(|value| self.linear(value)),
        ) else {
            return false;
        };
        let from_zero = match first {
            (None, number) => number + offset >= 0,
            (Some(value), number) => match self.counter_bounds(value) {
                // An inner loop that begins where the outer one is.
                Some((outer, _)) => outer
                    .ir
                    .map(|outer| self.linear(outer))
                    .is_some_and(|outer| outer.0.is_none() && outer.1 + number + offset >= 0),
                None => false,
            },
        };
        if !from_zero {
            return false;
        }
        self.is_below(last, offset, length, 3)
    }

    /// Whether `last + offset`, not counting the last one, stays below a length.
    fn is_below(
        &self,
        last: (Option<ValueId>, i128),
        offset: i128,
        length: &Scalar,
        fuel: usize,
    ) -> bool {
        let whole = match (length.as_int(), length.ir) {
            (Some(number), _) => (None, number),
            (None, Some(value)) => self.linear(value),
            (None, None) => return false,
        };
        let same = match (last.0, whole.0) {
            (None, None) => true,
            (Some(a), Some(b)) => self.same_value(a, b, 16),
            _ => false,
        };
        if same {
            return last.1 - 1 + offset < whole.1;
        }
        // The end may be another loop's counter.
        if let Some(value) = last.0
            && fuel > 0
            && let Some((_, stop)) = self.counter_bounds(value)
            && let Some(stop) = stop.ir
        {
            let (base, number) = self.linear(stop);
            return self.is_below((base, number - 1 + last.1), offset, length, fuel - 1);
        }
        false
    }

    /// `base[...] = value`.
    pub fn array_assign(
        &mut self,
        base: &Value,
        e: &ExprSubscript,
        value: &Value,
        range: TextRange,
    ) {
        let (items, ranges) = self.index_items(&e.slice);
        if base.is_poison() || value.is_poison() || items.iter().any(Value::is_poison) {
            return;
        }
        let Some(view) = self.assignable(base, e) else {
            return;
        };
        if Self::is_advanced(&items) {
            self.advanced_assign(&view, &items, value, range);
            return;
        }
        let Some(target) = self.index_with(&view, &items, &ranges, e.range()) else {
            return;
        };
        self.assign_into(&target, value, range);
    }

    /// The array in memory whose items are assigned to.
    fn assignable(&mut self, base: &Value, e: &ExprSubscript) -> Option<View> {
        if self.refuses_writes(base, e.value.range()) {
            return None;
        }
        let stored = match base {
            Value::Lazy(_) => {
                let stored = self.stored(base);
                self.flush();
                stored
            }
            other => other.clone(),
        };
        match &stored {
            Value::View(view) => self
                .check_writable(view, e.value.range())
                .then(|| view.clone()),
            Value::Poison => None,
            _ => self.writable_view(&stored, e),
        }
    }

    /// Stores a value into a part of an array.
    pub fn assign_into(&mut self, target: &View, value: &Value, range: TextRange) {
        if target.rank() == 0 {
            let scalar = match value {
                value if is_array(value) => {
                    // An array of one element is put there, as NumPy does.
                    let source = self.source(value);
                    let zeros = vec![Scalar::const_int(0); rank_of(value).unwrap_or(0)];
                    source.and_then(|source| self.pull(&source, &zeros))
                }
                other => self.scalar(other, range),
            };
            let Some(scalar) = scalar else {
                return;
            };
            if self.level() == 0 {
                self.flush();
            }
            if let Some(ir) = self.element(&scalar, target.dtype, range) {
                let place = self.element_place(target);
                self.store_element(place, ir);
            }
            return;
        }
        let value = match value {
            Value::Tuple(_) => self.as_array(value, Some(target.dtype), range),
            other => other.clone(),
        };
        let operand = is_array(&value) || matches!(value, Value::Scalar(_) | Value::View(_));
        if !operand {
            self.not_a_number(&value, range);
            return;
        }
        if is_array(&value) {
            let Some(value_here) = self.fitting(target, &value, range) else {
                return;
            };
            let overlapping = self.overlaps(target, &value_here);
            if self.level() == 0 {
                self.flush();
            }
            let value_here = if overlapping {
                if self.level() > 0 {
                    self.hinder("it copies an array onto a part of itself");
                    return;
                }
                self.fresh_copy(&value_here, range)
            } else {
                value_here
            };
            self.store_region(target, &value_here, range);
        } else {
            if self.level() == 0 {
                self.flush();
            }
            self.store_region(target, &value, range);
        }
    }

    /// A store of one element by the program; in a parallel loop it is looked at later.
    pub fn store_element(&mut self, place: colocate_ir::Place, value: ValueId) {
        self.b.push(StatementKind::Store { place, value });
    }

    /// A copy of an array in new memory.
    pub fn fresh_copy(&mut self, value: &Value, range: TextRange) -> Value {
        let dtype = Self::dtype_of(value).unwrap_or(DType::Float64);
        let copy = self.elementwise(std::slice::from_ref(value), range, move |t, x| {
            Some(t.cast(&x[0], dtype, false))
        });
        if self.level() > 0 {
            return copy;
        }
        self.stored(&copy)
    }

    /// A value that can be stored in a part of an array: leading axes of one element are dropped, and
    /// the shapes are checked.
    fn fitting(&mut self, target: &View, value: &Value, range: TextRange) -> Option<Value> {
        let wanted = self.shape_of(&Value::View(target.clone()));
        let given = self.shape_of(value);
        let mut value = value.clone();
        if given.len() > wanted.len() {
            let extra = given.len() - wanted.len();
            let mut long: Option<ValueId> = None;
            for extent in &given[..extra] {
                if extent.as_int() == Some(1) {
                    continue;
                }
                let (extent, one) = (self.ir(extent), self.b.int64(1));
                let more = self.b.compare(CompareOp::NotEqual, extent, one);
                long = Some(match long {
                    Some(long) => self.b.binary(BinaryOp::BitOr, long, more),
                    None => more,
                });
            }
            if let Some(long) = long {
                let raised = Raised {
                    class: "ValueError",
                    parts: vec![
                        Part::Text("could not broadcast input array from shape ".into()),
                        Part::Shape(given.clone()),
                        Part::Text(" into shape ".into()),
                        Part::Shape(wanted.clone()),
                    ],
                };
                self.raise_if(long, &raised, range);
            }
            let zeros: Vec<Value> = (0..extra).map(|_| Scalar::const_int(0).into()).collect();
            let ranges = vec![range; extra];
            value = self.array_item(&value, &zeros, &ranges, range);
        }
        let given = self.shape_of(&value);
        let first = wanted.len() - given.len();
        let mut wrong: Option<ValueId> = None;
        for (extent, whole) in given.iter().zip(&wanted[first..]) {
            if extent.as_int() == Some(1) || self.same(extent, whole) {
                continue;
            }
            let (a, b, one) = (self.ir(extent), self.ir(whole), self.b.int64(1));
            let differ = self.b.compare(CompareOp::NotEqual, a, b);
            let long = self.b.compare(CompareOp::NotEqual, a, one);
            let bad = self.b.binary(BinaryOp::BitAnd, differ, long);
            wrong = Some(match wrong {
                Some(wrong) => self.b.binary(BinaryOp::BitOr, wrong, bad),
                None => bad,
            });
        }
        if let Some(wrong) = wrong {
            let raised = Raised {
                class: "ValueError",
                parts: vec![
                    Part::Text("could not broadcast input array from shape ".into()),
                    Part::Shape(given),
                    Part::Text(" into shape ".into()),
                    Part::Shape(wanted),
                ],
            };
            self.raise_if(wrong, &raised, range);
        }
        Some(value)
    }

    /// Whether storing into a part of an array could change what the value still reads.
    fn overlaps(&mut self, target: &View, value: &Value) -> bool {
        let mut reads = Vec::new();
        match value {
            Value::View(view) => reads.push(view.clone()),
            Value::Lazy(lazy) => {
                let stored = lazy.stored.borrow().clone();
                match stored {
                    Some(view) => reads.push(view),
                    None => reads.extend(lazy.reads.iter().cloned()),
                }
            }
            _ => {}
        }
        let heavy = matches!(value, Value::Lazy(lazy) if lazy.heavy);
        reads.iter().any(|read| {
            if read.base != target.base {
                return false;
            }
            heavy || !self.same_part(read, target)
        })
    }

    /// Whether two views are certainly the same part of an array, axis by axis.
    fn same_part(&mut self, a: &View, b: &View) -> bool {
        if a.base != b.base || a.free != b.free || a.axes.len() != b.axes.len() {
            return false;
        }
        let pairs: Vec<_> = a.axes.iter().cloned().zip(b.axes.iter().cloned()).collect();
        pairs.iter().all(|pair| match pair {
            (Axis::Whole, Axis::Whole) | (Axis::New, Axis::New) => true,
            (Axis::Fixed(x), Axis::Fixed(y)) => self.same(x, y),
            (
                Axis::Sliced {
                    start: a,
                    step: b,
                    length: c,
                },
                Axis::Sliced {
                    start: x,
                    step: y,
                    length: z,
                },
            ) => self.same(a, x) && self.same(b, y) && self.same(c, z),
            _ => false,
        })
    }

    /// Assignment by index arrays or masks.
    fn advanced_assign(&mut self, view: &View, items: &[Value], value: &Value, range: TextRange) {
        let whole = Value::View(view.clone());
        if let [mask] = items
            && Self::dtype_of(mask) == Some(DType::Bool)
            && rank_of(mask) == Some(view.rank())
            && matches!(value, Value::Scalar(_))
        {
            // Every element keeps its value or gets the new one.
            let dtype = view.dtype;
            let operands = [mask.clone(), value.clone(), whole.clone()];
            let chosen = self.elementwise(&operands, range, move |t, x| {
                let new = t.element(&x[1], dtype, range)?;
                let condition = t.ir(&x[0]);
                let old = t.as_dtype(&x[2], dtype);
                Some(Scalar::new(dtype, false, t.b.select(condition, new, old)))
            });
            if !chosen.is_poison() {
                self.assign_into(view, &chosen, range);
            }
            return;
        }
        if self.level() > 0 {
            self.hinder("it assigns with an index array");
            return;
        }
        let index = match items {
            [one] => one.clone(),
            several => Value::Tuple(several.to_vec()),
        };
        let value = match value {
            Value::Lazy(_) => self.stored(value),
            Value::Tuple(_) => self.as_array(value, Some(view.dtype), range),
            other => other.clone(),
        };
        let arguments = [(whole.clone(), range), (index, range), (value, range)];
        self.library("method.__setitem__", &arguments, &[], &[whole], range);
    }

    /// `base[...] op= value`.
    pub fn array_augmented(&mut self, base: &Value, e: &ExprSubscript, s: &StmtAugAssign) {
        let (items, ranges) = self.index_items(&e.slice);
        let value = self.expr(&s.value);
        if base.is_poison() || value.is_poison() || items.iter().any(Value::is_poison) {
            return;
        }
        let Some(view) = self.assignable(base, e) else {
            return;
        };
        if Self::is_advanced(&items) {
            let whole = Value::View(view.clone());
            let current = self.array_item(&whole, &items, &ranges, e.range());
            let result = self.binary(s.op, &current, &value, s.range());
            self.advanced_assign(&view, &items, &result, s.range());
            return;
        }
        let Some(target) = self.index_with(&view, &items, &ranges, e.range()) else {
            return;
        };
        if target.rank() > 0 {
            self.array_update(&Value::View(target), s.op, &value, s.range());
            return;
        }
        if self.atomic_update(&target, s.op, &value, s.range()) {
            return;
        }
        let current = self.load(&target).into();
        let result = self.binary(s.op, &current, &value, s.range());
        if let Some(scalar) = self.scalar(&result, s.range()) {
            if !self.keeps_kind(&scalar, target.dtype, s.range()) {
                return;
            }
            if self.level() == 0 {
                self.flush();
            }
            if let Some(ir) = self.element(&scalar, target.dtype, s.range()) {
                let place = self.element_place(&target);
                self.store_element(place, ir);
            }
        }
    }

    fn keeps_kind(&mut self, scalar: &Scalar, dtype: DType, range: TextRange) -> bool {
        let complex = scalar.dtype.kind() == Kind::Complex && dtype.kind() != Kind::Complex;
        if complex {
            let diagnostic = self.wrong(
                codes::OPERATOR,
                format!(
                    "{} cannot be put into an array of {dtype}",
                    scalar.describe()
                ),
                range,
                "",
            );
            self.report(diagnostic);
        }
        !complex
    }

    /// `view op= value` of an array in memory, in place.
    pub fn array_update(&mut self, view: &Value, op: Operator, value: &Value, range: TextRange) {
        let Value::View(target) = view else {
            return;
        };
        if value.is_poison() || !self.check_writable(target, range) {
            return;
        }
        let result = self.binary(op, view, value, range);
        let Some(dtype) = Self::dtype_of(&result) else {
            return;
        };
        if rung(dtype) > rung(target.dtype) {
            let diagnostic = self
                .wrong(
                    codes::OPERATOR,
                    format!(
                        "an array of {dtype} cannot be put back into one of {}",
                        target.dtype
                    ),
                    range,
                    format!("the result is {}", result.describe()),
                )
                .help("assign the result to a new variable, or convert it with astype");
            self.report(diagnostic);
            return;
        }
        self.assign_into(target, &result, range);
    }

    /// `name op= value` of an array that is not computed: everybody who has it sees the new one.
    pub fn lazy_augmented(
        &mut self,
        current: &Value,
        op: Operator,
        value: &Value,
        range: TextRange,
    ) {
        let (Value::Lazy(lazy), Some(dtype)) = (current, Self::dtype_of(current)) else {
            return;
        };
        if self.refuses_writes(current, range) {
            return;
        }
        let result = self.binary(op, current, value, range);
        let Some(found) = Self::dtype_of(&result) else {
            return;
        };
        let stays = rank_of(&result) == Some(lazy.rank()) && {
            let (a, b) = (self.shape_of(&result), lazy.shape.clone());
            a.iter().zip(&b).all(|(a, b)| self.same(a, b))
        };
        if rung(found) > rung(dtype) || !stays || lazy.part_of.is_some() {
            // The rules of arrays in memory say what is wrong, or check when it runs.
            let stored = self.stored(current);
            self.flush();
            self.array_update(&stored, op, value, range);
            return;
        }
        let result = if found == dtype {
            result
        } else {
            self.converted(&result, dtype, range)
        };
        let site = self.site(range);
        for frame in &mut self.frames {
            for binding in frame.scope.values_mut() {
                if binding.value == *current {
                    binding.value = result.clone();
                    binding.site = site;
                }
            }
        }
    }

    /// A value with all its arrays in memory.
    pub fn all_stored(&mut self, value: Value) -> Value {
        if !self.is_program() {
            return value;
        }
        match value {
            Value::Lazy(_) if self.level() > 0 => value,
            Value::Lazy(_) => self.stored(&value),
            Value::Tuple(items) => Value::Tuple(
                items
                    .into_iter()
                    .map(|item| self.all_stored(item))
                    .collect(),
            ),
            Value::Zip(items) => Value::Zip(
                items
                    .into_iter()
                    .map(|item| self.all_stored(item))
                    .collect(),
            ),
            Value::Named(class, items) => {
                let items = items.into_iter().map(|item| self.all_stored(item));
                Value::Named(class, items.collect())
            }
            Value::Enumerate(inner, start) => {
                Value::Enumerate(Box::new(self.all_stored(*inner)), start)
            }
            other => other,
        }
    }
}

/// The dtype that NumPy sums in.
pub(crate) fn sum_dtype(dtype: DType) -> DType {
    match dtype.kind() {
        Kind::Bool | Kind::Int => DType::Int64,
        Kind::UInt => DType::UInt64,
        _ => dtype,
    }
}

/// In place, NumPy goes to a kind as high as the result's or higher.
pub(crate) fn rung(dtype: DType) -> u8 {
    match dtype.kind() {
        Kind::Bool => 0,
        Kind::UInt => 1,
        Kind::Int => 2,
        Kind::Float => 3,
        Kind::Complex => 4,
    }
}
