//! Assignment to arrays and their parts.

use crate::arrays::lazy::{is_array, rank_of};
use crate::codes;
use crate::host::failures::{Part, Raised};
use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::value::{Axis, Scalar, Value, View};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, StatementKind, ValueId};
use ruff_python_ast::{ExprSubscript, Operator, StmtAugAssign};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// `base[...] = value`.
    pub fn array_assign(
        &mut self,
        base: &Value,
        e: &ExprSubscript,
        value: &Value,
        range: TextRange,
    ) {
        let (items, ranges) = self.index_items(&e.slice, rank_of(base).unwrap_or(0));
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
        let has_ellipsis = items.iter().any(|item| matches!(item, Value::Ellipsis));
        if has_ellipsis && target.rank() == 0 && is_array(value) {
            // That is a part of the array, though without axes, and no element.
            if let Some(value) = self.fitting(&target, value, range) {
                self.assign_into(&target, &value, range);
            }
            return;
        }
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

    /// To be called before an array changes: array expressions that are not computed yet, and that somebody may
    /// still read, mean its elements as they are now.
    pub fn before_store(&mut self) {
        match self.level() {
            0 => self.flush(),
            _ => self.note_pending_expressions(),
        }
    }

    /// Stores a value into a part of an array.
    pub fn assign_into(&mut self, target: &View, value: &Value, range: TextRange) {
        let value = &self.without_imaginary_part(target, value, range);
        if target.rank() == 0 {
            self.check_element(target.dtype, value, range);
            let scalar = match value {
                value if is_array(value) => {
                    let source = self.source(value);
                    let zeros = vec![Scalar::const_int(0); rank_of(value).unwrap_or(0)];
                    source.and_then(|source| self.pull(&source, &zeros))
                }
                Value::Tuple(_) if target.dtype != DType::Bool => return,
                other => {
                    let scalar = self.scalar(other, range);
                    if let Some(scalar) = &scalar {
                        self.check_stored(scalar, target.dtype, range);
                    }
                    scalar
                }
            };
            let Some(scalar) = scalar else {
                return;
            };
            self.before_store();
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
            self.before_store();
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
            let value = self.stored_number(&value, target.dtype, range);
            self.before_store();
            self.store_region(target, &value, range);
        }
    }

    /// Raises if several items are put into one element, be they one only. An element that is a truth value takes what
    /// an array of one item is.
    fn check_element(&mut self, dtype: DType, value: &Value, range: TextRange) {
        let is_complex = dtype.kind() == Kind::Complex;
        let text = match value {
            Value::Tuple(_) if is_complex => "must be real number, not tuple",
            value if is_array(value) && is_complex => {
                "only 0-dimensional arrays can be converted to Python scalars"
            }
            _ => "setting an array element with a sequence.",
        };
        let class = if is_complex {
            "TypeError"
        } else {
            "ValueError"
        };
        match value {
            Value::Tuple(_) if dtype != DType::Bool => self.always_raise(class, text, range),
            value if rank_of(value).is_none_or(|rank| rank == 0) => {}
            value if dtype == DType::Bool => {
                let mut size = Scalar::const_int(1);
                for extent in self.shape_of(value) {
                    size = self.index_op(BinaryOp::Multiply, &size, &extent);
                }
                let one = Scalar::const_int(1);
                let several = self.compare_scalars(CompareOp::NotEqual, &size, &one);
                let several = self.ir(&several);
                self.raise_if(several, &raised(class, text), range);
            }
            _ => self.always_raise(class, text, range),
        }
    }

    /// A complex array that is put into a real one loses its imaginary part; NumPy warns of it.
    fn without_imaginary_part(&mut self, target: &View, value: &Value, range: TextRange) -> Value {
        let is_complex = |dtype: DType| dtype.kind() == Kind::Complex;
        let loses = !is_complex(target.dtype)
            && target.dtype != DType::Bool
            && is_array(value)
            && Self::dtype_of(value).is_some_and(is_complex);
        if !loses || self.level() > 0 {
            return value.clone();
        }
        let warning = crate::objects::python_objects::helper("complex_warning");
        self.library(&warning, &[], &[], &[], range);
        let real = self.array_attribute(value, "real", range);
        match &real {
            Value::Lazy(_) => self.stored(&real),
            _ => real,
        }
    }

    /// A store of one element by the program; in a parallel loop it is looked at later.
    pub fn store_element(&mut self, place: colocate_ir::Place, value: ValueId) {
        self.b.push(StatementKind::Store { place, value });
    }

    /// A copy of an array in new memory, whose axes lie in the same order.
    pub fn fresh_copy(&mut self, value: &Value, range: TextRange) -> Value {
        self.copy_in(value, &Value::Str("K".into()), range)
    }

    /// A copy whose axes lie in the order that is asked for.
    pub fn copy_in(&mut self, value: &Value, order: &Value, range: TextRange) -> Value {
        let rank = rank_of(value).unwrap_or(0);
        let Some(order) = self.order_asked(order, value, rank) else {
            return self.no_order(order, "\"C\", \"F\", \"A\" or \"K\"", range);
        };
        let dtype = Self::dtype_of(value).unwrap_or(DType::Float64);
        let copy = self.elementwise(std::slice::from_ref(value), range, move |t, x| {
            Some(t.cast(&x[0], dtype, false))
        });
        let copy = Self::with_order(copy, order);
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
        let reads = match value {
            Value::View(view) => vec![(view.clone(), true)],
            Value::Lazy(lazy) => lazy.reads(),
            _ => Vec::new(),
        };
        let heavy = matches!(value, Value::Lazy(lazy) if lazy.heavy);
        // Of what came to memory after the value was made it is not known which elements the value reads.
        reads.iter().any(|(read, early)| {
            read.base == target.base && (heavy || !early || !self.same_part(read, target))
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
    pub fn advanced_assign(
        &mut self,
        view: &View,
        items: &[Value],
        value: &Value,
        range: TextRange,
    ) {
        let whole = Value::View(view.clone());
        if let [mask] = items
            && Self::dtype_of(mask) == Some(DType::Bool)
            && rank_of(mask) == Some(view.rank())
            && matches!(value, Value::Scalar(_))
        {
            self.check_mask(mask, &whole, range);
            // Every element keeps its value or gets the new one.
            let dtype = view.dtype;
            // A number of NumPy's own is converted by the mask's elements, and not looked at.
            let value = match value {
                Value::Scalar(scalar) if scalar.weak => self.stored_number(value, dtype, range),
                other => other.clone(),
            };
            let operands = [mask.clone(), value, whole.clone()];
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

    /// A mask must have the array's extents: it is not broadcast.
    fn check_mask(&mut self, mask: &Value, array: &Value, range: TextRange) {
        let (extents, own) = (self.shape_of(array), self.shape_of(mask));
        for (axis, (extent, own)) in extents.iter().zip(&own).enumerate() {
            if self.same(extent, own) {
                continue;
            }
            let differs = self.compare_scalars(CompareOp::NotEqual, extent, own);
            let differs = self.ir(&differs);
            let text = format!(
                "boolean index did not match indexed array along axis {axis}; size of axis is "
            );
            let parts = vec![
                Part::Text(text),
                Part::Number(*extent),
                Part::Text(" but size of corresponding boolean axis is ".into()),
                Part::Number(*own),
            ];
            let class = "IndexError";
            self.raise_if(differs, &Raised { class, parts }, range);
        }
    }

    /// `base[...] op= value`.
    pub fn array_augmented(&mut self, base: &Value, e: &ExprSubscript, s: &StmtAugAssign) {
        let (items, ranges) = self.index_items(&e.slice, rank_of(base).unwrap_or(0));
        let value = self.expr(&s.value);
        let value = self.items_as_array(&value, s.value.range());
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
        if rank_of(&result).is_some_and(|rank| rank > 0) {
            self.assign_into(&target, &result, s.range());
            return;
        }
        if let Some(scalar) = self.scalar(&result, s.range()) {
            if !self.keeps_kind(&scalar, target.dtype, s.range()) {
                return;
            }
            self.check_stored(&scalar, target.dtype, s.range());
            self.before_store();
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
        if Self::dtype_of(&result).is_none() {
            return;
        }
        if op == Operator::MatMult && !self.is_product_in_place(view, value, &result, range) {
            return;
        }
        if target.rank() == 0 && rank_of(&result).is_some_and(|rank| rank > 0) {
            let diagnostic = self.wrong(
                codes::SHAPE,
                "an array without axes does not hold the result",
                range,
                format!("the result is {}", result.describe()),
            );
            self.report(diagnostic);
            return;
        }
        if self.fits_back(&result, target.dtype, range) {
            self.assign_into(target, &result, range);
        }
    }

    /// Whether a matrix product can be put into its first operand, as far as the ranks tell; it is not broadcast.
    fn is_product_in_place(
        &mut self,
        view: &Value,
        value: &Value,
        result: &Value,
        range: TextRange,
    ) -> bool {
        let class = "ValueError";
        if rank_of(value).is_none_or(|rank| rank < 2) || rank_of(view) == Some(0) {
            let text = "inplace matrix multiplication requires the first operand to have at least one and the \
                        second at least two dimensions.";
            self.always_raise(class, text, range);
            return false;
        }
        if rank_of(result) != rank_of(view) {
            let text =
                "output parameter for reduction operation matmul does not have enough dimensions";
            self.always_raise(class, text, range);
            return false;
        }
        let (target, shape) = (self.shape_of(view), self.shape_of(result));
        for (a, b) in target.iter().zip(&shape) {
            if !self.same(a, b) {
                let differ = self.compare_scalars(CompareOp::NotEqual, a, b);
                let differ = self.ir(&differ);
                let text =
                    "matmul: the result does not have the shape of the array that it is put into";
                self.raise_if(differ, &raised(class, text), range);
            }
        }
        true
    }

    /// Reports a result that NumPy does not put into an array of a dtype.
    pub fn fits_back(&mut self, result: &Value, target: DType, range: TextRange) -> bool {
        let Some(dtype) = Self::dtype_of(result).filter(|dtype| dtype.rung() > target.rung())
        else {
            return true;
        };
        let diagnostic = self
            .wrong(
                codes::OPERATOR,
                format!("an array of {dtype} cannot be put back into one of {target}"),
                range,
                format!("the result is {}", result.describe()),
            )
            .help("assign the result to a new variable, or convert it with astype");
        self.report(diagnostic);
        false
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
        let shared = self.region.as_ref().map(|region| &region.shared);
        if shared.is_some_and(|shared| shared.contains(&lazy.id)) {
            self.hinder("it changes a part of an array that it has made");
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
        if found.rung() > dtype.rung() || !stays || lazy.part_of.is_some() {
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
                if replaced(&mut binding.value, current, &result) {
                    binding.site = site;
                }
            }
        }
    }
}

/// Puts a value in the place of another, also inside tuples; whether it was there.
fn replaced(value: &mut Value, from: &Value, to: &Value) -> bool {
    if value == from {
        *value = to.clone();
        return true;
    }
    match value {
        Value::Tuple(items) | Value::Named(_, items) => {
            let found = items
                .iter_mut()
                .filter_map(|item| replaced(item, from, to).then_some(()));
            found.count() > 0
        }
        _ => false,
    }
}
