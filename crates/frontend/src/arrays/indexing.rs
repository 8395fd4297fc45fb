//! Parts of arrays: `a[index]` in every form.

use crate::arrays::fusion::MOST_STEPS;
use crate::arrays::lazy::{Element, is_array, rank_of};
use crate::calls::Arguments;
use crate::codes;
use crate::host::failures::{Part, Raised};
use crate::objects::python_objects::Object;
use crate::objects::ranges_and_texts::raised;
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::types;
use crate::value::{Axis, Know, Scalar, Value, View};
use colocate_ir::{ArrayRef, BinaryOp, CompareOp, DType, Kind, ReductionOperator};
use ruff_python_ast::{Expr, ExprSubscript};
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
    /// The items of an index expression of an array of so many axes, and where they stand.
    pub fn index_items(&mut self, slice: &Expr, rank: usize) -> (Vec<Value>, Vec<TextRange>) {
        let index = self.expr(slice);
        if let Value::Object(object) = &index
            && let ObjectType::Sequence(_) = *object.kind
        {
            let items = self.positions_in(&object.clone(), rank, slice.range());
            return (items, vec![slice.range(); rank]);
        }
        // A list names positions, even where it is written elsewhere.
        let index = match &index {
            Value::Named(class, _) if class.is_list() => {
                let array = crate::objects::optional_values::unlisted(&index);
                self.as_array(&array, None, slice.range())
            }
            Value::Held(_) => self.list_as_array(&index, slice.range()),
            Value::Range(parts) => self.range_as_array(parts, slice.range()).unwrap_or(index),
            other => crate::objects::optional_values::unlisted(other),
        };
        let (items, ranges) = self.split_index(index, slice);
        let items = items.into_iter().zip(&ranges).map(|(item, place)| {
            match item {
                // A list among the indices names positions.
                Value::Tuple(_) => self.as_array(&item, None, *place),
                Value::Range(ref parts) => self.range_as_array(parts, *place).unwrap_or(item),
                Value::List(_) => self.settled_index(&item),
                Value::Held(_) => self.list_as_array(&item, *place),
                Value::View(view) if view.rank() == 0 => self.load(&view).into(),
                Value::Optional(..) => self.plain(&item, *place).into_owned(),
                Value::Object(ref object) if self.level() == 0 => {
                    match self.object_as_list(object, *place) {
                        Some(list) => self.settled_index(&list),
                        None => item,
                    }
                }
                other => other,
            }
        });
        (items.collect(), ranges.clone())
    }

    /// The items of a tuple that names one position of each axis; how long it is is known only now.
    fn positions_in(&mut self, tuple: &Object, rank: usize, range: TextRange) -> Vec<Value> {
        let Some(length) = self.object_length(tuple, range) else {
            return vec![Value::Poison];
        };
        let (given, wanted) = (self.ir(&length), self.b.int64(rank as i64));
        let more = Raised {
            class: "IndexError",
            parts: vec![
                Part::Text(format!(
                    "too many indices for array: array is {rank}-dimensional, but "
                )),
                Part::Number(length),
                Part::Text(" were indexed".into()),
            ],
        };
        let too_many = self.b.compare(CompareOp::Greater, given, wanted);
        self.raise_if(too_many, &more, range);
        let text = format!(
            "a tuple whose length is known only when the function runs is an index of all {rank} axes; \
             for fewer, write its items down: `a[t[0], t[1]]`"
        );
        let too_few = self.b.compare(CompareOp::Less, given, wanted);
        self.raise_if(too_few, &raised("TypeError", &text), range);
        (0..rank)
            .map(|position| {
                let at = Value::Scalar(Scalar::const_int(position as i128));
                self.object_item(tuple, &at, range)
            })
            .collect()
    }

    /// Arguments of `numpy.add.at`: lists name positions, and tuples one array of them for each axis.
    pub fn with_position_arrays(&mut self, arguments: &Arguments) -> Arguments {
        let mut positional = arguments.positional.clone();
        if let Some((index, place)) = positional.get_mut(1) {
            let place = *place;
            *index = match &*index {
                Value::Tuple(items) => {
                    let items = items.iter().map(|item| self.positions(item, place));
                    Value::Tuple(items.collect())
                }
                other => self.positions(other, place),
            };
        }
        Arguments {
            positional,
            keywords: arguments.keywords.clone(),
        }
    }

    /// A list as the array of its items; all else as it is.
    fn positions(&mut self, value: &Value, range: TextRange) -> Value {
        match value {
            Value::Named(class, _) if class.is_list() => {
                let items = crate::objects::optional_values::unlisted(value);
                self.as_array(&items, None, range)
            }
            Value::List(_) | Value::Held(_) => self.list_as_array(value, range),
            other => other.clone(),
        }
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
        let rank = rank_of(value).unwrap_or(0);
        let (items, ranges) = self.index_items(&e.slice, rank);
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
            // All of an array without axes is one again.
            Value::View(view) if view.axes.is_empty() && matches!(items, [Value::Ellipsis]) => {
                value.clone()
            }
            Value::View(view) => match self.index_with(view, items, ranges, range) {
                // With an ellipsis it is an array even without axes.
                Some(part)
                    if part.rank() == 0
                        && self.level() == 0
                        && items.contains(&Value::Ellipsis) =>
                {
                    self.without_axes(&part)
                }
                Some(view) => self.element_or_view(view),
                None => Value::Poison,
            },
            Value::Lazy(lazy) => {
                // A part of an array shares its memory, which must be there to be shared.
                let element = items.len() == lazy.rank()
                    && items.iter().all(|item| matches!(item, Value::Scalar(_)));
                let costly = lazy.heavy || lazy.is_longer_than(MOST_STEPS);
                if (costly || !element) && self.level() == 0 {
                    let stored = self.stored(value);
                    return self.array_item(&stored, items, ranges, range);
                }
                let item = self.lazy_item(value, items, ranges, range);
                if let (Value::Lazy(part), Some(region)) = (&item, &mut self.region) {
                    region.shared.extend([lazy.id, part.id]);
                }
                item
            }
            _ => Value::Poison,
        }
    }

    /// Indexing with arrays.
    fn advanced_item(&mut self, value: &Value, items: &[Value], range: TextRange) -> Value {
        if let [index] = items
            && rank_of(index) == Some(1)
            && let Some(dtype) = Self::dtype_of(index).filter(|dtype| types::is_integer(*dtype))
            && let Some(rank) = rank_of(value)
        {
            if self.level() > 0 {
                return self.gathered(value, index, rank, range);
            }
            // In a loop there are many, and likely short: a call of the library takes longer than they do.
            // An index that is wrong is so here, not where the elements are wanted.
            if !self.frame().loops.is_empty()
                && self.program().options.unified
                && dtype != DType::UInt64
            {
                let value = self.stored(value);
                let index = self.stored(index);
                self.check_positions(&index, &value, range);
                let gathered = self.gathered(&value, &index, rank, range);
                return self.stored(&gathered);
            }
        }
        let index = match items {
            [one] => one.clone(),
            several => Value::Tuple(several.to_vec()),
        };
        let arguments = [(value.clone(), range), (index, range)];
        self.library("method.__getitem__", &arguments, &[], &[], range)
    }

    /// Raises if positions are beyond the first axis of an array: a region of array expressions cannot.
    fn check_positions(&mut self, positions: &Value, array: &Value, range: TextRange) {
        let extent = self.shape_of(array)[0];
        let least = self.bound_of(positions, ReductionOperator::Minimum, range);
        let largest = self.bound_of(positions, ReductionOperator::Maximum, range);
        let (Some(least), Some(largest)) = (least, largest) else {
            return;
        };
        let zero = Scalar::const_int(0);
        let first = self.index_op(BinaryOp::Subtract, &zero, &extent);
        let wide = |t: &mut Self, number: &Scalar| t.cast(number, DType::Int64, true);
        if least.dtype.kind() != Kind::UInt {
            let least = wide(self, &least);
            let below = self.compare_scalars(CompareOp::Less, &least, &first);
            self.raise_position(&below, least, extent, range);
        }
        // Of none, the largest is the least that there is, which need not be below.
        let count = self.shape_of(positions)[0];
        let some = self.compare_scalars(CompareOp::Greater, &count, &zero);
        let largest = wide(self, &largest);
        let above = self.compare_scalars(CompareOp::GreaterEqual, &largest, &extent);
        let (above, some) = (self.ir(&above), self.ir(&some));
        let wrong = self.b.binary(BinaryOp::BitAnd, above, some);
        let wrong = Scalar::new(DType::Bool, true, wrong);
        self.raise_position(&wrong, largest, extent, range);
    }

    fn raise_position(&mut self, wrong: &Scalar, at: Scalar, extent: Scalar, range: TextRange) {
        let parts = vec![
            Part::Text("index ".into()),
            Part::Number(at),
            Part::Text(" is out of bounds for axis 0 with size ".into()),
            Part::Number(extent),
        ];
        let class = "IndexError";
        let wrong = self.ir(wrong);
        self.raise_if(wrong, &Raised { class, parts }, range);
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
            let at = match level {
                // They were looked at before.
                0 => Scalar {
                    know: Know::NonNegative,
                    ..t.wrapped_index(&at, &extent)
                },
                _ => t.checked_index(&at, &extent, 0, range),
            };
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
                    let Some((start, step, length)) =
                        self.slice_of_elements(&shape[axis], parts, *place)
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

    /// Start, step and length of a slice of an axis; the start is at most the extent.
    pub fn slice_of(
        &mut self,
        extent: &Scalar,
        parts: &[Option<Scalar>; 3],
        range: TextRange,
    ) -> Option<(Scalar, Scalar, Scalar)> {
        let (start, step, length) = self.slice_of_elements(extent, parts, range)?;
        let start = match start.as_int() {
            Some(1..) => self.index_op(BinaryOp::Minimum, &start, extent),
            _ => start,
        };
        Some((start, step, length))
    }

    /// Start, step and length of a slice of an axis. What has no elements may begin beyond the end.
    fn slice_of_elements(
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
}
