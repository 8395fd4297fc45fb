//! Arrays that are made: `zeros`, `full`, `arange`, `eye`, `array` and what is like them.

use crate::arrays::lazy::{Element, is_array, rank_of};
use crate::arrays::memory_order::c_order;
use crate::calls::Arguments;
use crate::codes;
use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::types;
use crate::value::{Constant, Scalar, Value, View};
use colocate_ir::{ArrayRef, BinaryOp, CompareOp, DType, Kind, StorageClass, ValueId};
use ruff_text_size::TextRange;
use std::rc::Rc;

/// Whether `numpy.array` and `asarray` copy an array that is what is asked for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Copies {
    Always,
    IfNeeded,
    Never,
}

const CANNOT_AVOID_COPY: &str = "Unable to avoid copy while creating an array as requested.";

/// Private arrays in regions have at most this many elements.
const MOST_PRIVATE: i128 = 4096;

impl Translator<'_> {
    /// `numpy.fromfunction`: the function is given the positions along every axis as arrays.
    pub fn array_of_function(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let [(function, place), (shape, _)] = &arguments.positional[..] else {
            return None;
        };
        let is_function = matches!(
            function,
            Value::Function(_) | Value::Closure(_) | Value::Builtin(_)
        );
        let shape = match self.plain(shape, range).into_owned() {
            Value::Tuple(items) => items,
            other => vec![other],
        };
        let dtype = match &arguments.keywords[..] {
            [] => Value::Dtype(DType::Float64),
            [(name, dtype, _)] if name == "dtype" => dtype.clone(),
            _ => return None,
        };
        if !is_function {
            return None;
        }
        let axes = shape.len();
        let dtype = [("dtype".to_string(), dtype, range)];
        let positions = [(Value::Tuple(shape), range)];
        let positions = self.library("numpy.indices", &positions, &dtype, &[], range);
        if positions.is_poison() {
            return Some(positions);
        }
        let positional = (0..axes).map(|axis| {
            let axis = Value::Scalar(Scalar::const_int(axis as i128));
            (self.array_item(&positions, &[axis], &[range], range), range)
        });
        let given = Arguments {
            positional: positional.collect(),
            keywords: Vec::new(),
        };
        Some(self.call_value(function, &given, range, *place, None))
    }

    /// A shape argument.
    pub fn shape_argument(&mut self, value: &Value, range: TextRange) -> Option<Vec<Scalar>> {
        match value {
            Value::Tuple(items) => {
                let mut shape = Vec::new();
                for item in items {
                    shape.push(self.extent_argument(item, range)?);
                }
                Some(shape)
            }
            Value::Scalar(_) => Some(vec![self.extent_argument(value, range)?]),
            _ => None,
        }
    }

    /// An extent, known not to be negative after the allocation has checked it.
    fn extent_argument(&mut self, value: &Value, range: TextRange) -> Option<Scalar> {
        let extent = self.integer(value, range, "an extent")?;
        if self.is_trying() && !extent.is_non_negative() {
            // What the runtime refuses ends the call: a handler would not see it.
            let negative = self.compare_scalars(CompareOp::Less, &extent, &Scalar::const_int(0));
            let negative = self.ir(&negative);
            let refused = raised("ValueError", "negative dimensions are not allowed");
            self.raise_if(negative, &refused, range);
        }
        Some(match extent.as_int() {
            Some(_) => extent,
            None => Scalar {
                know: crate::value::Know::NonNegative,
                ..extent
            },
        })
    }

    /// Functions that make arrays.
    pub fn creation(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let (names, like): (&[&str], bool) = match name {
            "zeros" | "ones" | "empty" => (&["shape", "dtype"], false),
            "full" => (&["shape", "fill_value", "dtype"], false),
            "zeros_like" | "ones_like" | "empty_like" => (&["a", "dtype"], true),
            "full_like" => (&["a", "fill_value", "dtype"], true),
            "arange" => return self.arange(arguments, range),
            "eye" | "identity" => return self.eye(name, arguments, range),
            "array" | "asarray" | "asanyarray" => {
                return self.array_from(name, arguments, range);
            }
            _ => return None,
        };
        let by_name = |wanted: &str| {
            let position = names.iter().position(|name| *name == wanted);
            position
                .and_then(|position| arguments.positional.get(position))
                .map(|(value, _)| value.clone())
                .or_else(|| {
                    let mut found = arguments.keywords.iter();
                    found
                        .find(|(keyword, ..)| keyword == wanted)
                        .map(|(_, value, _)| value.clone())
                })
        };
        let known = arguments
            .keywords
            .iter()
            .all(|(keyword, ..)| names.contains(&keyword.as_str()) || keyword == "order");
        if !known || arguments.positional.len() > names.len() {
            return None;
        }
        let first = by_name(names[0])?;
        let shape = if like {
            if !is_array(&first) {
                return None;
            }
            self.shape_of(&first)
        } else {
            self.shape_argument(&first, range)?
        };
        if shape.is_empty() {
            return None;
        }
        let fill = by_name("fill_value");
        let dtype = match by_name("dtype") {
            Some(Value::None) | None => match (&fill, like) {
                (_, true) => Self::dtype_of(&first)?,
                (Some(value), false) => Self::dtype_of(value)?,
                (None, false) => DType::Float64,
            },
            Some(value) => self.as_dtype_value(&value)?,
        };
        if fill.as_ref().is_some_and(is_array) {
            return None;
        }
        let value = match name {
            "zeros" | "zeros_like" => Some(Scalar::const_int(0)),
            "ones" | "ones_like" => Some(Scalar::const_int(1)),
            "full" | "full_like" => match fill? {
                Value::Scalar(scalar) => Some(scalar),
                _ => return None,
            },
            _ => None,
        };
        if self.level() > 0 {
            return Some(self.private_array(dtype, &shape, value, range));
        }
        // Arrays that are made to be written to get their memory at once.
        let zeros = matches!(name, "zeros" | "zeros_like");
        let (asked, named) = (by_name("order"), |name: &str| Value::Str(name.into()));
        let order = match (asked, like) {
            (Some(order), true) => self.order_asked(&order, &first, shape.len())?,
            (None, true) => self.order_asked(&named("K"), &first, shape.len())?,
            (Some(order @ Value::Str(_)), false) => {
                self.order_asked(&order, &Value::None, shape.len())?
            }
            (Some(_), false) => return None,
            (None, false) => c_order(shape.len()),
        };
        let view = self.allocate_in(dtype, &shape, &order, zeros, "array");
        if let Some(value) = value.filter(|_| !zeros) {
            let value = self.fitted(&value.into(), dtype, range);
            self.store_region(&view, &value, range)?;
        }
        Some(Value::View(view))
    }

    /// A small array of an item's own.
    fn private_array(
        &mut self,
        dtype: DType,
        shape: &[Scalar],
        value: Option<Scalar>,
        range: TextRange,
    ) -> Value {
        let extents: Option<Vec<i128>> = shape.iter().map(Scalar::as_int).collect();
        let Some(extents) = extents else {
            return self.hinder("it makes an array of a size that is known only when it runs");
        };
        let size: i128 = extents.iter().product();
        if !(1..=MOST_PRIVATE).contains(&size) {
            return self.hinder("it makes an array that is too large for an item");
        }
        let extents: Vec<u32> = extents.iter().map(|extent| *extent as u32).collect();
        let storage = self
            .b
            .storage("private", dtype, &extents, StorageClass::Private);
        let view = View::whole(ArrayRef::Storage(storage), dtype, extents.len(), true);
        if let Some(value) = value {
            let value = self.fitted(&value.into(), dtype, range);
            self.store_region(&view, &value, range);
        }
        Value::View(view)
    }

    /// The numbers of a range.
    pub fn range_as_array(&mut self, parts: &[Scalar; 3], range: TextRange) -> Option<Value> {
        let positional = parts.iter().map(|part| (Value::Scalar(*part), range));
        let arguments = Arguments {
            positional: positional.collect(),
            keywords: Vec::new(),
        };
        self.arange(&arguments, range)
    }

    /// `numpy.arange`, pulled element by element.
    pub fn arange(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let mut dtype = None;
        let mut numbers = Vec::new();
        for (value, _) in &arguments.positional {
            match value {
                Value::Scalar(scalar) if scalar.dtype.kind() != Kind::Complex => {
                    numbers.push(*scalar);
                }
                Value::Dtype(found) if numbers.len() == 3 => dtype = Some(*found),
                _ => return None,
            }
        }
        for (keyword, value, _) in &arguments.keywords {
            match keyword.as_str() {
                "dtype" if matches!(value, Value::None) => {}
                "dtype" => dtype = Some(self.as_dtype_value(value)?),
                _ => return None,
            }
        }
        let zero = Scalar::const_int(0);
        let one = Scalar::const_int(1);
        let (start, stop, step) = match numbers[..] {
            [stop] => (zero, stop, one),
            [start, stop] => (start, stop, one),
            [start, stop, step] => (start, stop, step),
            _ => return None,
        };
        let whole = [start, stop, step]
            .iter()
            .all(|number| types::is_integer(number.dtype));
        let natural = if whole {
            let (a, _) = types::promote(&start, &stop);
            let b = Scalar::constant(a, start.weak && stop.weak, Constant::Int(0));
            // NumPy counts in int64 unless unsigned numbers need more.
            match types::promote(&b, &step).0 {
                DType::UInt64 => DType::UInt64,
                _ => DType::Int64,
            }
        } else {
            return self.float_arange(start, stop, step, dtype, range);
        };
        let dtype = dtype.unwrap_or(natural);
        // As many as Python's range has.
        let parts = [start, stop, step].map(|number| self.cast(&number, DType::Int64, true));
        let (near, far) = (parts[0], parts[1]);
        let distance = self.index_op(BinaryOp::Subtract, &far, &near);
        let count = match parts[2].as_int() {
            Some(0) => {
                self.always_raise("ZeroDivisionError", "division by zero", range);
                zero
            }
            Some(step) => {
                let distance = if step > 0 {
                    distance
                } else {
                    self.index_op(BinaryOp::Subtract, &near, &far)
                };
                let size = step.abs();
                let rounded = self.index_op(BinaryOp::Add, &distance, &Scalar::const_int(size - 1));
                self.index_op(BinaryOp::FloorDivide, &rounded, &Scalar::const_int(size))
            }
            None => {
                self.raise_if_zero(&parts[2], "division by zero", range);
                let negated = self.index_op(BinaryOp::Subtract, &zero, &distance);
                let down = self.index_op(BinaryOp::FloorDivide, &negated, &parts[2]);
                self.index_op(BinaryOp::Subtract, &zero, &down)
            }
        };
        let mut count = self.index_op(BinaryOp::Maximum, &count, &zero);
        if count.as_constant().is_none() {
            count.know = crate::value::Know::NonNegative;
        }
        let level = self.level();
        let (start, step) = (parts[0], parts[2]);
        let element: Element = Rc::new(move |t, indices| {
            let (start, step) = (t.brought(&start, level), t.brought(&step, level));
            let offset = t.index_op(BinaryOp::Multiply, &indices[0], &step);
            let value = t.index_op(BinaryOp::Add, &start, &offset);
            Some(t.cast(&value, dtype, false))
        });
        Some(self.lazy(dtype, vec![count], false, &[], range, element))
    }

    fn float_arange(
        &mut self,
        start: Scalar,
        stop: Scalar,
        step: Scalar,
        dtype: Option<DType>,
        range: TextRange,
    ) -> Option<Value> {
        let dtype = dtype.unwrap_or(DType::Float64);
        if dtype.kind() != Kind::Float {
            return None;
        }
        let given = [start, stop, step];
        let known = given.map(|number| match number.as_constant() {
            Some(Constant::Float(value)) => value,
            Some(Constant::Int(value)) => value as f64,
            _ => f64::NAN,
        });
        let is_checked = !known.iter().all(|number| number.is_finite()) || known[2] == 0.0;
        if is_checked && given.iter().all(|number| number.weak) {
            self.raise_if_zero(&step, "float division by zero", range);
        }
        let parts = given.map(|number| self.as_dtype(&number, DType::Float64));
        let span = self.b.binary(BinaryOp::Subtract, parts[1], parts[0]);
        let turns = self.b.binary(BinaryOp::Divide, span, parts[2]);
        let turns = self.b.math(colocate_ir::MathFunction::Ceil, &[turns]);
        if is_checked {
            self.check_turns(turns, range);
        }
        let zero = self
            .b
            .literal(colocate_ir::Literal::Float(DType::Float64, 0.0));
        let turns = self.b.binary(BinaryOp::Maximum, turns, zero);
        // More than there is memory for, however many that are.
        let most = self
            .b
            .literal(colocate_ir::Literal::Float(DType::Float64, 2f64.powi(62)));
        let turns = self.b.binary(BinaryOp::Minimum, turns, most);
        let count = self.b.convert(turns, DType::Int64);
        let count = Scalar::int(count, crate::value::Know::NonNegative);
        let level = self.level();
        // NumPy's step is the difference of the first two elements.
        let second = self.b.binary(BinaryOp::Add, parts[0], parts[2]);
        let delta = self.b.binary(BinaryOp::Subtract, second, parts[0]);
        let (start, delta) = (
            Scalar::new(DType::Float64, false, parts[0]),
            Scalar::new(DType::Float64, false, delta),
        );
        let element: Element = Rc::new(move |t, indices| {
            let (start, delta) = (t.brought(&start, level), t.brought(&delta, level));
            let (start, delta) = (t.ir(&start), t.ir(&delta));
            let at = t.as_dtype(&indices[0], DType::Float64);
            let offset = t.b.binary(BinaryOp::Multiply, at, delta);
            let value = t.b.binary(BinaryOp::Add, start, offset);
            let value = Scalar::new(DType::Float64, false, value);
            Some(t.cast(&value, dtype, false))
        });
        Some(self.lazy(dtype, vec![count], false, &[], range, element))
    }

    /// Whether there is a number of elements, and a number that an array can have.
    fn check_turns(&mut self, turns: ValueId, range: TextRange) {
        let none = self.b.compare(CompareOp::NotEqual, turns, turns);
        self.raise_if(
            none,
            &raised("ValueError", "arange: cannot compute length"),
            range,
        );
        let most = self
            .b
            .literal(colocate_ir::Literal::Float(DType::Float64, 2f64.powi(63)));
        let beyond = self.b.compare(CompareOp::GreaterEqual, turns, most);
        self.raise_if(
            beyond,
            &raised("ValueError", "Maximum allowed size exceeded"),
            range,
        );
    }

    fn eye(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let mut dtype = DType::Float64;
        for (keyword, value, _) in &arguments.keywords {
            match keyword.as_str() {
                "dtype" => dtype = self.as_dtype_value(value)?,
                _ => return None,
            }
        }
        let most = if name == "eye" { 2 } else { 1 };
        if arguments.positional.is_empty() || arguments.positional.len() > most {
            return None;
        }
        let mut shape = Vec::new();
        for (position, (value, place)) in arguments.positional.iter().enumerate() {
            if matches!(value, Value::None) && position > 0 {
                continue;
            }
            shape.push(self.extent_argument(value, *place)?);
        }
        if shape.len() == 1 {
            shape.push(shape[0]);
        }
        let element: Element = Rc::new(move |t, indices| {
            let (i, j) = (t.ir(&indices[0]), t.ir(&indices[1]));
            let same = t.b.compare(CompareOp::Equal, i, j);
            let same = Scalar::new(DType::Bool, false, same);
            Some(t.cast(&same, dtype, false))
        });
        Some(self.lazy(dtype, shape, false, &[], range, element))
    }

    fn array_from(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let mut dtype = None;
        let mut order = Value::Str("K".into());
        let mut copies = match name {
            "array" => Copies::Always,
            _ => Copies::IfNeeded,
        };
        for (keyword, value, place) in &arguments.keywords {
            match keyword.as_str() {
                "dtype" if matches!(value, Value::None) => {}
                "dtype" => dtype = Some(self.as_dtype_value(value)?),
                "copy" => match self.copies(value, *place) {
                    Some(found) => copies = found,
                    None => return Some(Value::Poison),
                },
                "order" => order = value.clone(),
                "ndmin" if matches!(value, Value::Scalar(least) if least.as_int().is_none()) => {
                    return self.with_any_axes(name, arguments, range);
                }
                _ => return None,
            }
        }
        let value = match &arguments.positional[..] {
            [(value, _)] => value.clone(),
            [(value, _), (given, _)] => {
                dtype = Some(self.as_dtype_value(given)?);
                value.clone()
            }
            _ => return None,
        };
        if is_array(&value) {
            let own = Self::dtype_of(&value)?;
            let is_kept = matches!(&order, Value::Str(name) if matches!(name.as_str(), "K" | "A"));
            if copies != Copies::Always && !is_kept {
                return None;
            }
            if copies != Copies::Always && dtype.is_none_or(|dtype| dtype == own) {
                return Some(value);
            }
            if copies == Copies::Never {
                self.always_raise("ValueError", CANNOT_AVOID_COPY, range);
            }
            let dtype = dtype.unwrap_or(own);
            let order = self.order_asked(&order, &value, rank_of(&value)?)?;
            let copy = self.converted(&value, dtype, range);
            let copy = Self::with_order(copy, order);
            return Some(if self.level() > 0 {
                copy
            } else {
                self.stored(&copy)
            });
        }
        if arguments
            .keywords
            .iter()
            .any(|(keyword, ..)| keyword == "order")
        {
            return None;
        }
        if copies == Copies::Never && matches!(value, Value::Tuple(_)) {
            self.always_raise("ValueError", CANNOT_AVOID_COPY, range);
        }
        match &value {
            Value::Tuple(_) => Some(self.as_array(&value, dtype, range)),
            Value::Range(parts) => {
                let counted = self.range_as_array(parts, range)?;
                Some(match dtype {
                    Some(dtype) => self.converted(&counted, dtype, range),
                    None => counted,
                })
            }
            _ => None,
        }
    }

    /// What the argument `copy` says; nothing if it is not known while compiling, which is reported.
    pub fn copies(&mut self, copy: &Value, range: TextRange) -> Option<Copies> {
        match copy {
            Value::None => Some(Copies::IfNeeded),
            Value::Scalar(copy) if copy.as_int().is_some() => {
                let always = copy.as_int() != Some(0);
                Some(if always {
                    Copies::Always
                } else {
                    Copies::Never
                })
            }
            Value::Poison => None,
            other => {
                let text = "whether an array is copied must be known while compiling";
                let label = format!("this is {}", other.describe());
                let diagnostic = self.wrong(codes::ARGUMENTS, text, range, label);
                self.report(diagnostic);
                None
            }
        }
    }

    /// `numpy.array(x, ndmin=n)` where `n` is known only when it runs: the array has the axes that it has anyway.
    fn with_any_axes(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let (least, others): (Vec<_>, Vec<_>) = arguments
            .keywords
            .iter()
            .cloned()
            .partition(|(keyword, ..)| keyword == "ndmin");
        let without = Arguments {
            positional: arguments.positional.clone(),
            keywords: others,
        };
        let made = self.creation(name, &without, range);
        let rank = made.as_ref().and_then(rank_of);
        let [(_, Value::Scalar(least), place)] = &least[..] else {
            return None;
        };
        let Some(rank) = rank else {
            let text = "how many axes the array has must be known while compiling";
            let label = format!("this is {}", least.describe());
            let diagnostic = self.wrong(codes::ARGUMENTS, text, *place, label);
            return Some(self.report(diagnostic));
        };
        let own = Scalar::const_int(rank as i128);
        let more = self.compare_scalars(CompareOp::Greater, least, &own);
        let more = self.ir(&more);
        let text = "`ndmin` is larger than the number of axes: write it down as a number";
        self.raise_if(more, &raised("TypeError", text), *place);
        made
    }

    /// Nested tuples with the lists in them as arrays.
    fn without_lists(&mut self, value: &Value, range: TextRange) -> Value {
        match value {
            Value::Tuple(items) => {
                let items = items.iter().map(|item| self.without_lists(item, range));
                Value::Tuple(items.collect())
            }
            Value::List(_) | Value::Held(_) => self.list_as_array(value, range),
            other => other.clone(),
        }
    }

    /// Rows of which some are arrays, as where some are lists and others were written down: all are.
    fn with_rows_alike(&mut self, value: &Value, range: TextRange) -> Value {
        match value {
            Value::Tuple(rows)
                if rows.iter().any(is_array)
                    && rows.iter().any(|row| matches!(row, Value::Tuple(_))) =>
            {
                let rows = rows.iter().map(|row| match row {
                    Value::Tuple(_) => self.as_array(row, None, range),
                    other => other.clone(),
                });
                Value::Tuple(rows.collect())
            }
            other => other.clone(),
        }
    }

    /// An array of what nested tuples hold.
    pub fn as_array(&mut self, value: &Value, dtype: Option<DType>, range: TextRange) -> Value {
        let value = &self.without_lists(value, range);
        let value = &self.with_rows_alike(value, range);
        let mut shape = Vec::new();
        let mut leaves = Vec::new();
        if !flatten(value, 0, &mut shape, &mut leaves) {
            let diagnostic = self
                .wrong(
                    codes::SHAPE,
                    "the rows of an array must have the same length",
                    range,
                    "",
                )
                .help("fill up the shorter rows, or make an array of each row");
            return self.report(diagnostic);
        }
        let arrays = leaves.iter().any(is_array);
        if arrays {
            let arguments = [(value.clone(), range)];
            let keywords: Vec<_> = dtype
                .map(|dtype| ("dtype".to_string(), Value::Dtype(dtype), range))
                .into_iter()
                .collect();
            return self.library("numpy.array", &arguments, &keywords, &[], range);
        }
        let mut joined: Option<Scalar> = None;
        let mut scalars = Vec::new();
        for leaf in &leaves {
            let Some(scalar) = self.scalar(leaf, range) else {
                return Value::Poison;
            };
            joined = Some(match joined {
                None => scalar,
                Some(known) => {
                    let (dtype, weak) = types::promote(&known, &scalar);
                    Scalar {
                        dtype,
                        weak,
                        know: crate::value::Know::Any,
                        ir: None,
                    }
                }
            });
            scalars.push(scalar);
        }
        let dtype = dtype.unwrap_or(joined.map_or(DType::Float64, |scalar| scalar.dtype));
        let extents: Vec<Scalar> = shape
            .iter()
            .map(|extent| Scalar::const_int(*extent as i128))
            .collect();
        let made = if self.level() > 0 {
            self.private_array(dtype, &extents, None, range)
        } else {
            Value::View(self.allocate(dtype, &extents, false, "array"))
        };
        let Value::View(view) = &made else {
            return made;
        };
        for (number, scalar) in scalars.iter().enumerate() {
            let mut indices = Vec::new();
            let mut rest = number;
            for extent in shape.iter().rev() {
                indices.push(Scalar::const_int((rest % extent) as i128));
                rest /= extent;
            }
            indices.reverse();
            self.check_stored(scalar, dtype, range);
            let Some(ir) = self.element(scalar, dtype, range) else {
                return Value::Poison;
            };
            let place = self.at(view, &indices);
            let place = self.element_place(&place);
            self.b.store(place, ir);
        }
        made
    }
}

/// The shape and the leaves of nested tuples; false if they are not regular.
fn flatten(value: &Value, depth: usize, shape: &mut Vec<usize>, leaves: &mut Vec<Value>) -> bool {
    match value {
        Value::Tuple(items) => {
            if shape.len() == depth {
                if !leaves.is_empty() {
                    return false;
                }
                shape.push(items.len());
            } else if shape[depth] != items.len() {
                return false;
            }
            items
                .iter()
                .all(|item| flatten(item, depth + 1, shape, leaves))
        }
        leaf => {
            if shape.len() != depth {
                return false;
            }
            leaves.push(leaf.clone());
            true
        }
    }
}
