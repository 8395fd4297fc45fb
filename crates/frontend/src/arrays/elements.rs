//! Iterators over all elements of arrays: `flat`, `ndindex`, `ndenumerate` and `nditer`; flags; and the
//! real and imaginary parts of arrays as targets of assignments.

use crate::arrays::lazy::{is_array, rank_of};
use crate::calls::Arguments;
use crate::codes;
use crate::translate::Translator;
use crate::value::{Elements, Know, Scalar, Value, View};
use colocate_ir::{BinaryOp, Kind, UnaryOp};
use ruff_python_ast::{Expr, ExprAttribute, ExprSubscript};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// `array.flat`.
    pub fn flat(&mut self, value: &Value, range: TextRange) -> Value {
        if let Value::View(view) = value
            && !(view.packed && view.is_whole())
        {
            // In another order than in memory: every element is looked for.
            let shape = self.shape_of(value);
            return Value::Elements(Box::new(Elements {
                of: Some(view.clone()),
                shape,
                positions: false,
            }));
        }
        let minus = Value::Scalar(Scalar::const_int(-1));
        self.reshaped(value, &[minus], range)
            .unwrap_or(Value::Poison)
    }

    /// `numpy.ndindex`, `numpy.ndenumerate` and `numpy.nditer`; nothing for other functions.
    pub fn iterator(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let writes = |(_, value, _): &(String, Value, TextRange)| names_writing(value);
        if name == "nditer" && !self.program().options.unified {
            let writing = arguments.keywords.iter().find(|one| writes(one));
            if let Some((_, _, place)) = writing {
                let place = *place;
                let diagnostic = self
                    .wrong(
                        codes::VALUE,
                        "what is written by way of numpy.nditer would be lost on this device",
                        place,
                        "the host has a copy of the array",
                    )
                    .help("write to the array itself: `for i in np.ndindex(a.shape): a[i] = ...`");
                return Some(self.report(diagnostic));
            }
        }
        if !arguments.keywords.is_empty() {
            return match name {
                "nditer" => self.iterator_with_positions(arguments, range),
                _ => None,
            };
        }
        match name {
            "ndindex" => {
                let given: Vec<Value> = arguments
                    .positional
                    .iter()
                    .map(|(value, _)| value.clone())
                    .collect();
                let extents = match &given[..] {
                    [Value::Tuple(items)] => items.clone(),
                    _ => given,
                };
                let shape = self.shape_argument(&Value::Tuple(extents), range)?;
                Some(Value::Elements(Box::new(Elements {
                    of: None,
                    shape,
                    positions: true,
                })))
            }
            "ndenumerate" => {
                let [(value, _)] = &arguments.positional[..] else {
                    return None;
                };
                self.elements(value, true)
            }
            "nditer" => match &arguments.positional[..] {
                [(Value::Tuple(items), _)] => {
                    let mut all = Vec::new();
                    for item in items {
                        all.push(self.packed_elements(item, range)?);
                    }
                    let shapes: Vec<_> = items.iter().map(|item| self.shape_of(item)).collect();
                    let alike = shapes.windows(2).all(|pair| {
                        pair[0].len() == pair[1].len()
                            && pair[0].iter().zip(&pair[1]).all(|(a, b)| self.same(a, b))
                    });
                    alike.then_some(Value::Zip(all))
                }
                [(value, _)] => self.packed_elements(value, range),
                _ => None,
            },
            _ => None,
        }
    }

    /// `numpy.nditer(array, flags=["multi_index"])`: an object of a class that is written in the language of jit
    /// functions; nothing for other flags.
    fn iterator_with_positions(
        &mut self,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let [(array, place)] = &arguments.positional[..] else {
            return None;
        };
        let knows = |(name, value, _): &(String, Value, TextRange)| match name.as_str() {
            "flags" => is_texts(value, &["multi_index"]),
            "op_flags" => is_texts(value, &["readonly", "readwrite", "writeonly"]),
            _ => false,
        };
        let flags = arguments.keywords.iter().any(|(name, ..)| name == "flags");
        if !flags || !arguments.keywords.iter().all(knows) || !is_array(array) {
            return None;
        }
        let given = Arguments {
            positional: vec![(self.all_stored(array.clone()), *place)],
            keywords: Vec::new(),
        };
        self.call_written("colocate._element_iterators", "MultiIndex", &given, range)
    }

    fn elements(&mut self, value: &Value, positions: bool) -> Option<Value> {
        if !is_array(value) {
            return None;
        }
        let stored = self.all_stored(value.clone());
        let Value::View(view) = &stored else {
            return None;
        };
        let shape = self.shape_of(&stored);
        Some(Value::Elements(Box::new(Elements {
            of: Some(view.clone()),
            shape,
            positions,
        })))
    }

    /// The elements in the order in which they lie in memory.
    fn packed_elements(&mut self, value: &Value, range: TextRange) -> Option<Value> {
        if !is_array(value) {
            return None;
        }
        let stored = self.all_stored(value.clone());
        match &stored {
            Value::View(view) if view.packed && view.is_whole() => self.elements(&stored, false),
            Value::View(_) => {
                let keywords = [("order".to_string(), Value::Str("K".into()), range)];
                let arguments = [(stored.clone(), range)];
                Some(self.library("numpy.ravel", &arguments, &keywords, &[], range))
            }
            _ => None,
        }
    }

    /// The indices of an element, from its number.
    fn unravelled(&mut self, shape: &[Scalar], number: &Scalar) -> Vec<Scalar> {
        let mut rest = *number;
        let mut indices = Vec::new();
        for (axis, extent) in shape.iter().enumerate().rev() {
            if axis == 0 {
                indices.push(rest);
                break;
            }
            let index = self.index_op(BinaryOp::Remainder, &rest, extent);
            indices.push(known(index));
            rest = known(self.index_op(BinaryOp::FloorDivide, &rest, extent));
        }
        indices.reverse();
        indices
    }

    /// What an iterator gives in its turn of a number.
    pub fn element_at(&mut self, elements: &Elements, number: &Scalar) -> Value {
        let indices = self.unravelled(&elements.shape, number);
        let element = elements.of.as_ref().map(|view| {
            let place = self.at(view, &indices);
            Value::Scalar(self.load(&place))
        });
        let positions = Value::Tuple(indices.iter().copied().map(Value::Scalar).collect());
        match (element, elements.positions) {
            (Some(element), true) => Value::Tuple(vec![positions, element]),
            (Some(element), false) => element,
            (None, _) => positions,
        }
    }

    /// The place of an element of `flat` that an index names.
    fn flat_place(&mut self, value: &Value, index: &Value, range: TextRange) -> Option<View> {
        let Value::Elements(elements) = value else {
            return None;
        };
        let (elements, Some(view)) = (elements.clone(), elements.of.clone()) else {
            return None;
        };
        if elements.positions || !matches!(index, Value::Scalar(_)) {
            let what = index.describe();
            let diagnostic = self.wrong(
                codes::RANK,
                format!("the elements of this array cannot be indexed with {what}"),
                range,
                format!("this is {what}"),
            );
            self.report(diagnostic);
            return None;
        }
        let count = self.length_of(value, range)?;
        let index = self.integer(index, range, "an index")?;
        let number = self.checked_index(&index, &count, 0, range);
        let indices = self.unravelled(&elements.shape, &number);
        Some(self.at(&view, &indices))
    }

    /// `array.flat[index]`.
    pub fn elements_item(&mut self, value: &Value, index: &Value, range: TextRange) -> Value {
        match self.flat_place(value, index, range) {
            Some(place) => self.load(&place).into(),
            None => Value::Poison,
        }
    }

    /// `array.flat[index] = value`.
    pub fn elements_assign(
        &mut self,
        base: &Value,
        index: &Value,
        value: &Value,
        range: TextRange,
    ) {
        if let Some(place) = self.flat_place(base, index, range)
            && self.check_writable(&place, range)
        {
            self.assign_into(&place, value, range);
        }
    }

    /// `array.flat[first:last]` where the elements do not lie side by side.
    pub fn elements_slice(&mut self, elements: &Elements, e: &ExprSubscript) -> Value {
        match self.flat_copy(elements, e.value.range()) {
            Some(copy) => self.array_subscript(&copy, e),
            None => Value::Poison,
        }
    }

    /// Changes a part of `array.flat` where the elements do not lie side by side: that of a copy, which is put back.
    pub fn change_elements(
        &mut self,
        elements: &Elements,
        e: &ExprSubscript,
        change: impl FnOnce(&mut Self, &Value),
    ) {
        let range = e.value.range();
        let Some(view) = elements.of.clone() else {
            return;
        };
        if !self.check_writable(&view, range) {
            return;
        }
        let Some(copy) = self.flat_copy(elements, range) else {
            return;
        };
        change(self, &copy);
        let shape: Vec<_> = elements.shape.iter().copied().map(Value::Scalar).collect();
        if let Some(whole) = self.reshaped(&copy, &shape, range) {
            self.assign_into(&view, &whole, range);
        }
    }

    /// The elements of `flat` as an array of their own.
    fn flat_copy(&mut self, elements: &Elements, range: TextRange) -> Option<Value> {
        let view = Value::View(elements.of.clone()?);
        let copy = self.flattened(&view, &Value::Str("C".into()), range);
        let copy = self.stored(&copy);
        self.flush();
        (!copy.is_poison()).then_some(copy)
    }

    /// Whether a part of something is a slice of `flat`, in code of the host.
    pub fn is_flat_slice(&self, base: &Value, e: &ExprSubscript) -> bool {
        matches!(base, Value::Elements(elements) if !elements.positions && elements.of.is_some())
            && matches!(&*e.slice, Expr::Slice(_))
            && self.level() == 0
    }

    /// One of an array's flags, by its attribute's name or the name in brackets.
    pub fn array_flag(&mut self, array: &Value, name: &str, range: TextRange) -> Value {
        let attribute = match name {
            "C_CONTIGUOUS" | "C" | "CONTIGUOUS" | "contiguous" => "c_contiguous",
            "F_CONTIGUOUS" | "F" | "FORTRAN" => "f_contiguous",
            "ALIGNED" | "A" => "aligned",
            "WRITEABLE" | "W" => "writeable",
            "OWNDATA" | "O" => "owndata",
            other => other,
        };
        if attribute == "owndata" {
            let text = "whether an array owns its memory is not known in jit functions";
            let diagnostic = self
                .wrong(codes::ATTRIBUTE, text, range, "")
                .help("ask before the function is called");
            return self.report(diagnostic);
        }
        let arguments = [(array.clone(), range)];
        let function = format!("attribute.flags.{attribute}");
        self.library(&function, &arguments, &[], &[], range)
    }

    /// `array.real = value`, and the same of `imag` and `flat`; false if it is something else.
    pub fn assign_attribute(&mut self, e: &ExprAttribute, value: &Value, range: TextRange) -> bool {
        let name = e.attr.as_str();
        if !self.is_program() || !matches!(name, "flat" | "real" | "imag") {
            return false;
        }
        let base = self.expr(&e.value);
        if name == "flat" && !is_array(&base) {
            return base.is_poison();
        }
        let Some(view) = self.written(&base, e.range()) else {
            return base.is_poison();
        };
        match name {
            "flat" => self.assign_flat(&view, value, range),
            _ => self.assign_part(&view, name, value, range),
        }
        true
    }

    /// `array.flat = value`: its elements one after the other, again and again if they are too few.
    fn assign_flat(&mut self, target: &View, value: &Value, range: TextRange) {
        let value = match self.items_as_array(value, range) {
            Value::Range(parts) => self.range_as_array(&parts, range).unwrap_or(Value::Poison),
            Value::Tuple(items) => self.as_array(&Value::Tuple(items), None, range),
            other => other,
        };
        let value = match is_array(&value) {
            true => {
                let stored = self.all_stored(value);
                let shape = self.shape_of(&Value::View(target.clone()));
                let shape = Value::Tuple(shape.into_iter().map(Value::Scalar).collect());
                self.library(
                    "numpy.resize",
                    &[(stored, range), (shape, range)],
                    &[],
                    &[],
                    range,
                )
            }
            false => value,
        };
        if !value.is_poison() {
            self.assign_into(target, &value, range);
        }
    }

    /// `array.real[index] = value`; false if it is something else.
    pub fn assign_part_item(
        &mut self,
        part: &ExprAttribute,
        e: &ExprSubscript,
        value: &Value,
        range: TextRange,
    ) -> bool {
        let name = part.attr.as_str();
        if !matches!(name, "real" | "imag") {
            return false;
        }
        let base = self.expr(&part.value);
        if !is_array(&base) {
            return false;
        }
        let (items, ranges) = self.index_items(&e.slice, rank_of(&base).unwrap_or(0));
        if Self::is_advanced(&items) {
            return false;
        }
        let Some(view) = self.written(&base, part.range()) else {
            return true;
        };
        if let Some(target) = self.index_with(&view, &items, &ranges, e.range()) {
            self.assign_part(&target, name, value, range);
        }
        true
    }

    /// An array that is about to be written, in memory.
    fn written(&mut self, base: &Value, range: TextRange) -> Option<View> {
        rank_of(base)?;
        let stored = self.all_stored(base.clone());
        if matches!(base, Value::Lazy(_)) {
            self.flush();
        }
        match stored {
            Value::View(view) if self.check_writable(&view, range) => Some(view),
            _ => None,
        }
    }

    /// Gives every element of a part of an array another real or imaginary part.
    fn assign_part(&mut self, target: &View, name: &str, value: &Value, range: TextRange) {
        let value = &self.items_as_array(value, range);
        if target.dtype.kind() != Kind::Complex {
            if name == "real" {
                self.assign_into(target, value, range);
                return;
            }
            let raised = crate::host::failures::Raised {
                class: "TypeError",
                parts: vec![crate::host::failures::Part::Text(
                    "array does not have imaginary part to set".into(),
                )],
            };
            let yes = self.b.literal(colocate_ir::Literal::Bool(true));
            self.raise_if(yes, &raised, range);
            return;
        }
        let dtype = target.dtype;
        let real = crate::types::real_of(dtype);
        let is_real = name == "real";
        let value = match value {
            Value::Tuple(_) => self.as_array(value, Some(real), range),
            other => other.clone(),
        };
        let is_operand = is_array(&value) || matches!(value, Value::Scalar(_));
        if target.rank() == 0 && is_array(&value) || !is_operand {
            self.not_a_number(&value, range);
            return;
        }
        let operands = [Value::View(target.clone()), value];
        let new = self.elementwise(&operands, range, move |t, x| {
            let part = t.element(&x[1], real, range)?;
            let old = t.ir(&x[0]);
            let kept = if is_real {
                UnaryOp::Imaginary
            } else {
                UnaryOp::Real
            };
            let kept = t.b.unary(kept, old);
            let (re, im) = if is_real { (part, kept) } else { (kept, part) };
            let ir = t.b.op(colocate_ir::Op::Complex(re, im));
            Some(Scalar::new(dtype, false, ir))
        });
        if !new.is_poison() {
            self.assign_into(target, &new, range);
        }
    }
}

/// A position.
fn known(index: Scalar) -> Scalar {
    match index.as_constant() {
        Some(_) => index,
        None => Scalar {
            know: Know::NonNegative,
            ..index
        },
    }
}

/// Whether a value is one of these texts, or several of them.
fn is_texts(value: &Value, known: &[&str]) -> bool {
    match value {
        Value::Str(text) => known.contains(&text.as_str()),
        Value::Tuple(items) => items.iter().all(|item| is_texts(item, known)),
        Value::Named(class, items) if class.is_list() => {
            items.iter().all(|item| is_texts(item, known))
        }
        _ => false,
    }
}

/// Whether flags of `numpy.nditer` say that an array is written to.
fn names_writing(flags: &Value) -> bool {
    match flags {
        Value::Str(flag) => matches!(flag.as_str(), "readwrite" | "writeonly"),
        Value::Tuple(items) => items.iter().any(names_writing),
        _ => false,
    }
}
