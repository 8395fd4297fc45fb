//! Indexing: elements, sub-views and items of tuples.

use crate::codes;
use crate::objects::records::records;
use crate::objects::tables::is_table;
use crate::translate::Translator;
use crate::value::{Axis, Know, Scalar, Value, View};
use colocate_ir::{BinaryOp, CompareOp, ValueId};
use ruff_python_ast::{Expr, ExprSlice, ExprSubscript};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// `value[...]`, read.
    pub fn subscript(&mut self, value: &Value, e: &ExprSubscript) -> Value {
        if crate::objects::class_protocols::may_have_methods(value)
            && self.method_function(value, "__getitem__").is_some()
        {
            let index = self.expr(&e.slice);
            let found = self.method_of(value, "__getitem__", &[&index], e.range());
            return found.unwrap_or(Value::Poison);
        }
        if let Value::Named(class, items) = value
            && class.is_list()
            && self.is_program()
        {
            let (class, items) = (class.clone(), items.clone());
            let index = self.expr(&e.slice);
            return self.listed_item(&class, &items, &index, e.slice.range());
        }
        if is_table(value) {
            let name = self.expr(&e.slice);
            return self.table_item(value, &name, e.range());
        }
        let value = &*self.plain(value, e.value.range());
        if records(value).is_some() {
            return self.records_subscript(value, e);
        }
        if self.is_program() && matches!(value, Value::View(_) | Value::Lazy(_)) {
            let part = self.array_subscript(value, e);
            // Parts of `flat` are copies.
            let is_flat = matches!(&*e.value, Expr::Attribute(of) if of.attr.as_str() == "flat");
            return match part {
                Value::View(_) if is_flat && self.level() == 0 => {
                    let given = [(part, e.range())];
                    self.library("numpy.copy", &given, &[], &[], e.range())
                }
                other => other,
            };
        }
        match value {
            Value::Poison => {
                self.expr(&e.slice);
                Value::Poison
            }
            Value::View(view) => match self.index_view(view, e) {
                Some(view) => self.element_or_view(view),
                None => Value::Poison,
            },
            Value::List(list) => {
                let list = *list;
                let index = self.expr(&e.slice);
                self.list_item(&list, &index, e.slice.range())
            }
            Value::Held(held) => {
                let held = held.clone();
                let index = self.expr(&e.slice);
                self.held_item(&held, &index, e.slice.range())
            }
            Value::Module { .. } if self.is_program() => {
                let name = self.expr(&e.slice);
                match name {
                    Value::Str(name) => self.attribute_of(value, &name, e.range(), e.slice.range()),
                    _ => self.unusable(value, e.value.range()),
                }
            }
            Value::Object(object) => {
                let object = object.clone();
                let index = self.expr(&e.slice);
                self.object_item(&object, &index, e.slice.range())
            }
            Value::Tuple(items) => {
                let index = self.expr(&e.slice);
                self.tuple_item(items, &index, e.slice.range())
            }
            Value::Range(_) | Value::Str(_) if self.is_program() => {
                let index = self.expr(&e.slice);
                self.item_of(value, &index, e.slice.range())
            }
            Value::Builtin(name) if self.is_program() && is_index_object(name) => {
                let name = name.clone();
                let index = self.grid_index(&e.slice);
                if index.is_poison() || name == "numpy.s_" {
                    return index;
                }
                let arguments = [(index, e.slice.range())];
                let function = format!("{name}.__getitem__");
                self.library(&function, &arguments, &[], &[], e.range())
            }
            Value::ArrayMethod(array, method) if method == "flags" => {
                let array = (**array).clone();
                match self.expr(&e.slice) {
                    Value::Str(name) => self.array_flag(&array, &name, e.range()),
                    _ => Value::Poison,
                }
            }
            Value::Elements(elements) if self.is_flat_slice(value, e) => {
                self.elements_slice(&elements.clone(), e)
            }
            Value::Elements(_) => {
                let index = self.expr(&e.slice);
                self.elements_item(value, &index, e.slice.range())
            }
            // Numba's type of an array, by which its containers say what they will hold.
            Value::Dtype(_) if self.is_program() && is_axes(&e.slice) => {
                Value::Unsupported("a type of arrays".into())
            }
            Value::Unsupported(_) => self.unusable(value, e.value.range()),
            other => {
                let what = other.describe();
                let diagnostic = self
                    .wrong(
                        codes::RANK,
                        format!("{what} cannot be indexed"),
                        e.value.range(),
                        format!("this is {what}"),
                    )
                    .help(match other {
                        Value::Scalar(_) => "it is a number already: leave the index out",
                        _ => "only arrays and tuples have items",
                    });
                self.report(diagnostic)
            }
        }
    }

    /// A view, or its element if it has no axes left.
    pub fn element_or_view(&mut self, view: View) -> Value {
        if view.rank() == 0 {
            self.load(&view).into()
        } else {
            Value::View(view)
        }
    }

    /// An item of a tuple, or some of them.
    pub fn tuple_item(&mut self, items: &[Value], index: &Value, range: TextRange) -> Value {
        self.item_of_known(items, "tuple", index, range)
    }

    /// An item of a tuple, or of something else whose items are known.
    pub fn item_of_known(
        &mut self,
        items: &[Value],
        what: &str,
        index: &Value,
        range: TextRange,
    ) -> Value {
        let length = items.len() as i128;
        match index {
            Value::Poison => Value::Poison,
            Value::Slice(parts) => {
                let part = |position: usize| match &parts[position] {
                    Some(scalar) => scalar.as_int().map(Some),
                    None => Some(None),
                };
                let (Some(start), Some(stop), Some(step)) = (part(0), part(1), part(2)) else {
                    let whole = Value::Tuple(items.to_vec());
                    return match self.sequence(&whole, range) {
                        Some(Value::Object(object)) => self.object_item(&object, index, range),
                        _ => self.tuple_index_wrong("the bounds of a slice of a tuple", range),
                    };
                };
                let step = step.unwrap_or(1);
                if step == 0 {
                    return self.tuple_index_wrong("the step of a slice", range);
                }
                let (low, high) = if step > 0 {
                    (0, length)
                } else {
                    (-1, length - 1)
                };
                let clamp = |bound: Option<i128>, default: i128| match bound {
                    Some(bound) if bound < 0 => (bound.saturating_add(length)).clamp(low, high),
                    Some(bound) => bound.clamp(low, high),
                    None => default,
                };
                let ends = if step > 0 { (low, high) } else { (high, low) };
                let (mut at, stop) = (clamp(start, ends.0), clamp(stop, ends.1));
                let mut taken = Vec::new();
                while if step > 0 { at < stop } else { at > stop } {
                    taken.extend(items.get(at as usize).cloned());
                    at = at.saturating_add(step);
                }
                Value::Tuple(taken)
            }
            Value::Scalar(scalar) if crate::types::is_integer(scalar.dtype) => {
                let Some(position) = scalar.as_int() else {
                    return self.pick(items, scalar, range);
                };
                let counted = if position < 0 {
                    position + length
                } else {
                    position
                };
                match usize::try_from(counted).ok().and_then(|p| items.get(p)) {
                    Some(item) => item.clone(),
                    // What follows is translated as if there were an item, and never reached.
                    None if self.is_program() => {
                        let text = format!("{what} index out of range");
                        self.always_raise("IndexError", &text, range);
                        let other = || Scalar::const_int(0).into();
                        items.first().cloned().unwrap_or_else(other)
                    }
                    None => {
                        let (items, help) = match length {
                            0 => ("items", "it is empty".to_string()),
                            1 => ("item", "its only item is 0".to_string()),
                            _ => ("items", format!("its items are 0 to {}", length - 1)),
                        };
                        let diagnostic = self
                            .wrong(
                                codes::TUPLE_INDEX,
                                format!("a tuple of {length} {items} has no item {position}"),
                                range,
                                "out of range",
                            )
                            .help(help);
                        self.report(diagnostic)
                    }
                }
            }
            other => {
                self.integer(other, range, "an index");
                Value::Poison
            }
        }
    }

    fn tuple_index_wrong(&mut self, what: &str, range: TextRange) -> Value {
        let diagnostic = self
            .wrong(
                codes::TUPLE_INDEX,
                format!("{what} must be constant"),
                range,
                "this is known only when the kernel runs",
            )
            .help("write a number, or use an array instead of a tuple");
        self.report(diagnostic)
    }

    /// An item chosen while the kernel runs, if all items are numbers. It has a type that holds all
    /// of them.
    /// One of several values of one kind.
    fn pick_any(&mut self, items: &[Value], index: &Scalar, range: TextRange) -> Value {
        let Some(index) = self.integer(&Value::Scalar(*index), range, "an index") else {
            return Value::Poison;
        };
        let length = Scalar::const_int(items.len() as i128);
        let at = self.wrapped_index(&index, &length);
        let (low, high) = (
            self.as_dtype(&at, colocate_ir::DType::UInt64),
            self.as_dtype(&length, colocate_ir::DType::UInt64),
        );
        let outside = self.b.compare(CompareOp::GreaterEqual, low, high);
        let raised = crate::host::failures::Raised {
            class: "IndexError",
            parts: vec![crate::host::failures::Part::Text(
                "tuple index out of range".into(),
            )],
        };
        self.raise_if(outside, &raised, range);
        let items: Vec<Value> = items
            .iter()
            .map(|item| self.all_stored(item.clone()))
            .collect();
        self.with_choice(&items, &at, range, &mut |_, item| item.clone())
    }

    fn pick(&mut self, items: &[Value], index: &Scalar, range: TextRange) -> Value {
        let scalars: Option<Vec<Scalar>> = items
            .iter()
            .map(|item| match item {
                Value::Scalar(scalar) => Some(*scalar),
                _ => None,
            })
            .collect();
        let Some(scalars) = scalars.filter(|scalars| !scalars.is_empty() && scalars.len() <= 32)
        else {
            if let Some(item) = self.picked_object(items, index, range) {
                return item;
            }
            if self.is_program() && self.level() == 0 && (1..=32).contains(&items.len()) {
                return self.pick_any(items, index, range);
            }
            return self.tuple_index_wrong("the index of a tuple of arrays or tuples", range);
        };
        let Some(index) = self.integer(&Value::Scalar(*index), range, "an index") else {
            return Value::Poison;
        };
        let length = Scalar::const_int(scalars.len() as i128);
        let index = self.wrapped_index(&index, &length);
        let at = self.ir(&index);
        if self.is_program() {
            let extent = self.ir(&length);
            let (low, high) = (
                self.b.convert(at, colocate_ir::DType::UInt64),
                self.b.convert(extent, colocate_ir::DType::UInt64),
            );
            let outside = self.b.compare(CompareOp::GreaterEqual, low, high);
            let raised = crate::host::failures::Raised {
                class: "IndexError",
                parts: vec![crate::host::failures::Part::Text(
                    "list index out of range".into(),
                )],
            };
            self.raise_if(outside, &raised, range);
        }
        let mut joined = scalars[0];
        for scalar in &scalars[1..] {
            let (dtype, weak) = crate::types::join(&joined, scalar);
            // A constant counts as one only while all of them are the same.
            let know = joined.know.join(scalar.know);
            joined = Scalar {
                dtype,
                weak,
                know,
                ir: None,
            };
        }
        let mut chosen = self.as_dtype(&scalars[0], joined.dtype);
        for (position, scalar) in scalars.iter().enumerate().skip(1) {
            let here = self.b.int64(position as i64);
            let this = self.b.compare(CompareOp::Equal, at, here);
            let item = self.as_dtype(scalar, joined.dtype);
            chosen = self.b.select(this, item, chosen);
        }
        let mut result = Scalar::new(joined.dtype, joined.weak, chosen);
        if scalars.iter().all(Scalar::is_non_negative) {
            result.know = Know::NonNegative;
        }
        result.into()
    }

    /// A slice expression.
    pub fn slice(&mut self, e: &ExprSlice) -> Value {
        let mut parts = [None, None, None];
        for (part, expr) in parts.iter_mut().zip([&e.lower, &e.upper, &e.step]) {
            let Some(expr) = expr else {
                continue;
            };
            match self.expr(expr) {
                Value::None => {}
                value => match self.integer(&value, expr.range(), "a bound of a slice") {
                    Some(scalar) => *part = Some(scalar),
                    None => return Value::Poison,
                },
            }
        }
        Value::Slice(Box::new(parts))
    }

    /// The index of `numpy.mgrid` and the like, whose slices hold any numbers.
    fn grid_index(&mut self, slice: &Expr) -> Value {
        match slice {
            Expr::Tuple(tuple) => {
                let items: Vec<Value> = tuple.elts.iter().map(|one| self.grid_index(one)).collect();
                if items.iter().any(Value::is_poison) {
                    return Value::Poison;
                }
                Value::Tuple(items)
            }
            Expr::Slice(e) => {
                let mut parts = [None, None, None];
                for (part, expr) in parts.iter_mut().zip([&e.lower, &e.upper, &e.step]) {
                    let Some(expr) = expr else {
                        continue;
                    };
                    match self.expr(expr) {
                        Value::None => {}
                        value => match self.scalar(&value, expr.range()) {
                            Some(scalar) => *part = Some(scalar),
                            None => return Value::Poison,
                        },
                    }
                }
                Value::Slice(Box::new(parts))
            }
            other => self.expr(other),
        }
    }

    /// The part of a view that an index expression names.
    pub fn index_view(&mut self, view: &View, e: &ExprSubscript) -> Option<View> {
        let index = self.expr(&e.slice);
        let (items, ranges): (Vec<Value>, Vec<TextRange>) = match (index, &*e.slice) {
            (Value::Tuple(items), Expr::Tuple(tuple)) if tuple.elts.len() == items.len() => {
                (items, tuple.elts.iter().map(Ranged::range).collect())
            }
            (Value::Tuple(items), slice) => {
                let ranges = vec![slice.range(); items.len()];
                (items, ranges)
            }
            (other, slice) => (vec![other], vec![slice.range()]),
        };
        self.index_with(view, &items, &ranges, e.range())
    }

    /// The part of a view that index values name.
    pub fn index_with(
        &mut self,
        view: &View,
        items: &[Value],
        ranges: &[TextRange],
        range: TextRange,
    ) -> Option<View> {
        if items.iter().any(Value::is_poison) {
            return None;
        }
        let ellipses = items
            .iter()
            .filter(|item| matches!(item, Value::Ellipsis))
            .count();
        let nones = items.iter().position(|item| matches!(item, Value::None));
        let added = items
            .iter()
            .filter(|item| matches!(item, Value::None))
            .count();
        let given = items.len() - ellipses - added;
        if let Some(position) = nones.filter(|_| !self.is_program()) {
            let diagnostic = self
                .wrong(
                    codes::RANK,
                    "new axes are not supported in kernels",
                    ranges[position],
                    "this adds an axis",
                )
                .help("reshape the array before the launch");
            self.report(diagnostic);
            return None;
        }
        if ellipses > 1 || given > view.rank() {
            let diagnostic = self
                .wrong(
                    codes::RANK,
                    if ellipses > 1 {
                        "an index can hold only one `...`".to_string()
                    } else {
                        format!("too many indices: {given} for {}", view.describe())
                    },
                    range,
                    format!("this array has {} {}", view.rank(), axes(view.rank())),
                )
                .help(if ellipses > 1 {
                    "write `:` for a single axis".to_string()
                } else {
                    format!(
                        "give at most {} {}",
                        view.rank(),
                        if view.rank() == 1 { "index" } else { "indices" }
                    )
                });
            self.report(diagnostic);
            return None;
        }
        let mut result = view.clone();
        let mut free = Vec::new();
        let mut axis = 0;
        for (item, range) in items.iter().zip(ranges) {
            match item {
                Value::Ellipsis => {
                    let skipped = view.rank() - given;
                    free.extend(&view.free[axis..axis + skipped]);
                    axis += skipped;
                }
                Value::None => {
                    result.axes.push(Axis::New);
                    free.push(result.axes.len() - 1);
                }
                Value::Slice(parts) => {
                    let base = view.free[axis];
                    result.axes[base] = self.slice_axis(view, base, parts, *range)?;
                    free.push(base);
                    axis += 1;
                }
                item => {
                    let base = view.free[axis];
                    let index = self.integer(item, *range, "an index")?;
                    let index = if self.is_program() {
                        let length = self.length(view, base);
                        self.checked_index(&index, &length, axis, *range)
                    } else if index.is_non_negative() {
                        index
                    } else {
                        let length = self.length(view, base);
                        self.wrapped_index(&index, &length)
                    };
                    if matches!(view.axes[base], Axis::New) {
                        axis += 1;
                        continue;
                    }
                    result.axes[base] = Axis::Fixed(self.position(view, base, &index));
                    axis += 1;
                }
            }
        }
        free.extend(&view.free[axis..]);
        result.free = free;
        result.packed &= result.is_turned();
        Some(result)
    }

    /// An index counted from the beginning: Python counts negative ones from the end.
    pub fn wrapped_index(&mut self, index: &Scalar, length: &Scalar) -> Scalar {
        match index.as_int() {
            Some(value) if value < 0 => self.index_op(BinaryOp::Add, length, index),
            _ if index.is_non_negative() => *index,
            _ => {
                let at = self.ir(index);
                let zero = self.b.int64(0);
                let negative = self.b.compare(CompareOp::Less, at, zero);
                let length = self.ir(length);
                let wrapped = self.b.binary(BinaryOp::Add, at, length);
                // In range it is not negative; out of range it is the author's responsibility.
                Scalar::int(self.b.select(negative, wrapped, at), Know::Any)
            }
        }
    }

    /// The position in the base array of an index into a view.
    pub fn position(&mut self, view: &View, base: usize, index: &Scalar) -> Scalar {
        match &view.axes[base] {
            Axis::Sliced { start, step, .. } => {
                let (start, step) = (*start, *step);
                let offset = self.index_op(BinaryOp::Multiply, index, &step);
                self.index_op(BinaryOp::Add, &start, &offset)
            }
            _ => *index,
        }
    }

    /// A slice of an axis of an array. Where it begins is told of slices that have elements: the others may begin
    /// beyond the end.
    pub fn slice_axis(
        &mut self,
        view: &View,
        base: usize,
        [start, stop, step]: &[Option<Scalar>; 3],
        range: TextRange,
    ) -> Option<Axis> {
        let step = match step {
            None => 1,
            Some(step) if self.is_program() && step.as_int().is_none_or(|step| step == 0) => {
                return self.slice_by_step(view, base, [start, stop], step, range);
            }
            Some(step) => match step.as_int() {
                Some(step) if step != 0 && step.unsigned_abs() < 1 << 62 => step,
                _ => {
                    let diagnostic = self
                        .wrong(
                            codes::CONSTANT_NEEDED,
                            "the step of a slice must be a constant other than 0",
                            range,
                            "",
                        )
                        .help("write a number, or use a variable from outside the kernel: it is a constant in it");
                    self.report(diagnostic);
                    return None;
                }
            },
        };
        if start.is_none() && stop.is_none() && step == 1 {
            return Some(view.axes[base].clone());
        }
        let length = self.length(view, base);
        let one = Scalar::const_int(1);
        let (low, high) = if step > 0 {
            (Scalar::const_int(0), length)
        } else {
            (
                Scalar::const_int(-1),
                self.index_op(BinaryOp::Subtract, &length, &one),
            )
        };
        let (first, last) = if step > 0 { (low, high) } else { (high, low) };
        let begin = match start {
            // Constants make the loads of neighbours in regions simple: what has several slices of one array has
            // one address, and parts that are read twice are loaded once.
            Some(start) if step > 0 && start.as_int().is_some_and(is_small_start) => *start,
            Some(start) => self.clamp_bound(start, &length, &low, &high),
            None => first,
        };
        let end = match stop {
            Some(stop) => self.clamp_bound(stop, &length, &low, &high),
            None => last,
        };
        let distance = if step > 0 {
            self.index_op(BinaryOp::Subtract, &end, &begin)
        } else {
            self.index_op(BinaryOp::Subtract, &begin, &end)
        };
        let size = step.unsigned_abs() as i128;
        let rounded = self.index_op(BinaryOp::Add, &distance, &Scalar::const_int(size - 1));
        let count = self.index_op(BinaryOp::FloorDivide, &rounded, &Scalar::const_int(size));
        let mut count = self.index_op(BinaryOp::Maximum, &count, &Scalar::const_int(0));
        if count.as_constant().is_none() {
            count.know = Know::NonNegative;
        }
        let step = Scalar::const_int(step);
        let (start, step) = self.in_base(&view.axes[base], begin, step);
        Some(Axis::Sliced {
            start,
            step,
            length: count,
        })
    }

    /// Start and step of a slice of an axis, counted in the array that the axis is of.
    fn in_base(&mut self, axis: &Axis, begin: Scalar, step: Scalar) -> (Scalar, Scalar) {
        let Axis::Sliced {
            start: outer,
            step: stride,
            ..
        } = axis
        else {
            return (begin, step);
        };
        let offset = self.index_op(BinaryOp::Multiply, &begin, stride);
        (
            self.index_op(BinaryOp::Add, outer, &offset),
            self.index_op(BinaryOp::Multiply, stride, &step),
        )
    }

    /// A slice whose step is known when the program runs.
    fn slice_by_step(
        &mut self,
        view: &View,
        base: usize,
        [start, stop]: [&Option<Scalar>; 2],
        step: &Scalar,
        range: TextRange,
    ) -> Option<Axis> {
        let extent = self.length(view, base);
        let length = self.ir(&extent);
        let (zero, one) = (self.b.int64(0), self.b.int64(1));
        let step = self.as_dtype(step, colocate_ir::DType::Int64);
        let none = self.b.compare(CompareOp::Equal, step, zero);
        let raised = crate::host::failures::Raised {
            class: "ValueError",
            parts: vec![crate::host::failures::Part::Text(
                "slice step cannot be zero".into(),
            )],
        };
        self.raise_if(none, &raised, range);
        let up = self.b.compare(CompareOp::Greater, step, zero);
        let minus = self.b.int64(-1);
        let last = self.b.binary(BinaryOp::Subtract, length, one);
        let low = self.b.select(up, zero, minus);
        let high = self.b.select(up, length, last);
        let bound = |t: &mut Self, bound: &Option<Scalar>, otherwise: ValueId| match bound {
            Some(bound) => {
                let wrapped = t.wrapped_index(bound, &extent);
                let at = t.as_dtype(&wrapped, colocate_ir::DType::Int64);
                let at = t.b.binary(BinaryOp::Maximum, at, low);
                t.b.binary(BinaryOp::Minimum, at, high)
            }
            None => otherwise,
        };
        let first = self.b.select(up, low, high);
        let beyond = self.b.select(up, high, low);
        let begin = bound(self, start, first);
        let end = bound(self, stop, beyond);
        let forth = self.b.binary(BinaryOp::Subtract, end, begin);
        let back = self.b.binary(BinaryOp::Subtract, begin, end);
        let distance = self.b.select(up, forth, back);
        let turned = self.b.binary(BinaryOp::Subtract, zero, step);
        let size = self.b.select(up, step, turned);
        let rounded = self.b.binary(BinaryOp::Add, distance, size);
        let rounded = self.b.binary(BinaryOp::Subtract, rounded, one);
        let count = self.b.binary(BinaryOp::FloorDivide, rounded, size);
        let count = self.b.binary(BinaryOp::Maximum, count, zero);
        let begin = Scalar::int(begin, Know::Any);
        let step = Scalar::int(step, Know::Any);
        let (start, step) = self.in_base(&view.axes[base], begin, step);
        Some(Axis::Sliced {
            start,
            step,
            length: Scalar::int(count, Know::NonNegative),
        })
    }

    /// A bound of a slice as Python's `slice.indices` gives it.
    fn clamp_bound(
        &mut self,
        bound: &Scalar,
        length: &Scalar,
        low: &Scalar,
        high: &Scalar,
    ) -> Scalar {
        let bound = self.wrapped_index(bound, length);
        let bound = if bound.is_non_negative() && low.as_int() <= Some(0) {
            bound
        } else {
            self.index_op(BinaryOp::Maximum, &bound, low)
        };
        let mut clamped = self.index_op(BinaryOp::Minimum, &bound, high);
        if low.as_int() == Some(0) && clamped.as_constant().is_none() {
            clamped.know = Know::NonNegative;
        }
        clamped
    }
}

/// Whether nothing overflows if a slice that begins there is longer than its array.
fn is_small_start(start: i128) -> bool {
    (0..1 << 31).contains(&start)
}

/// Whether an index says how many axes there are, and nothing else: `[:, ::1]`.
fn is_axes(index: &Expr) -> bool {
    match index {
        Expr::Slice(axis) => axis.lower.is_none() && axis.upper.is_none(),
        Expr::Tuple(axes) => axes
            .elts
            .iter()
            .all(|axis| axis.is_slice_expr() && is_axes(axis)),
        _ => false,
    }
}

/// Whether it is one of NumPy's objects that are indexed to make arrays.
fn is_index_object(name: &str) -> bool {
    matches!(
        name,
        "numpy.mgrid" | "numpy.ogrid" | "numpy.r_" | "numpy.c_" | "numpy.s_" | "numpy.index_exp"
    )
}

fn axes(rank: usize) -> &'static str {
    if rank == 1 { "axis" } else { "axes" }
}
