//! Arrays of records, and records: named tuples of their fields, which are parts of one memory.
//!
//! A record has fields without axes, so that they can be assigned to; they are loaded when they are read. Fields of
//! texts and dates are objects of Python's (`text_fields.rs`).

use crate::Captured;
use crate::codes;
use crate::objects::text_fields::{is_texts, part_of_texts};
use crate::translate::Translator;
use crate::value::{Axis, NamedTuple, Scalar, Value, View};
use ruff_python_ast::{ExprAttribute, ExprSubscript, StmtAugAssign};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// The name under which the environment knows the dtypes of records; functions that make arrays of them are what
/// it holds.
pub const RECORD_DTYPE: &str = "dtype of records";

/// The class and the fields of records, if a value is of them.
pub(crate) fn records(value: &Value) -> Option<(&Rc<NamedTuple>, &[Value])> {
    match value {
        Value::Named(class, fields) if class.own_axes.is_some() => Some((class, fields)),
        _ => None,
    }
}

/// How many axes an array of records has.
pub(crate) fn rank(value: &Value) -> Option<usize> {
    let (class, fields) = records(value)?;
    let own = class.own_axes.as_deref()?;
    fields.iter().zip(own).find_map(|(field, own)| match field {
        Value::View(view) => Some(view.rank() - own),
        nested => Some(rank(nested)? - own),
    })
}

/// A field whose axes are those of the array of records.
pub(crate) fn carrier(value: &Value) -> Option<&View> {
    let (class, fields) = records(value)?;
    let own = class.own_axes.as_deref()?;
    fields.iter().zip(own).find_map(|(field, own)| match field {
        Value::View(view) if *own == 0 => Some(view),
        Value::Named(..) if *own == 0 => carrier(field),
        _ => None,
    })
}

impl Translator<'_> {
    /// A field as it is read.
    fn read_field(&mut self, field: &Value, range: TextRange) -> Value {
        match (field, part_of_texts(field)) {
            (Value::View(view), _) => self.element_or_view(view.clone()),
            (_, Some((texts, position))) => self.object_item(&texts, &position, range),
            (other, None) => other.clone(),
        }
    }

    fn field_named(&mut self, value: &Value, name: &str, range: TextRange) -> Option<Value> {
        let (class, fields) = records(value)?;
        let position = class.fields.iter().position(|field| field == name);
        let position = position.or_else(|| {
            let title = self
                .env
                .of_records(class.handle, &format!("title {name}"))?;
            let Captured::Str(name) = title else {
                return None;
            };
            class.fields.iter().position(|field| *field == name)
        });
        if let Some(field) = position.and_then(|position| fields.get(position)) {
            return Some(field.clone());
        }
        let names = class.fields.join(", ");
        let diagnostic = self
            .wrong(
                codes::ATTRIBUTE,
                format!("there is no field `{name}`"),
                range,
                "",
            )
            .help(format!("the fields are {names}"));
        self.report(diagnostic);
        None
    }

    /// `records.name`, read.
    pub fn records_attribute(&mut self, value: &Value, name: &str, range: TextRange) -> Value {
        let Some((class, _)) = records(value) else {
            return Value::Poison;
        };
        let is_field = class.fields.iter().any(|field| field == name);
        match name {
            "shape" | "size" | "ndim" if !is_field => match carrier(value).cloned() {
                Some(view) => self.array_attribute(&Value::View(view), name, range),
                None => Value::Poison,
            },
            "copy" if !is_field => Value::ArrayMethod(Box::new(value.clone()), name.to_string()),
            "dtype" if !is_field => self.dtype_of_records(value),
            _ => match self.field_named(value, name, range) {
                Some(field) => self.read_field(&field, range),
                None => Value::Poison,
            },
        }
    }

    /// A copy of records.
    pub fn copied_records(&mut self, value: &Value, range: TextRange) -> Value {
        let Some((class, fields)) = records(value) else {
            return Value::Poison;
        };
        let (class, fields) = (class.clone(), fields.to_vec());
        let copied = fields.iter().map(|field| match field {
            Value::View(_) => {
                let given = [(field.clone(), range)];
                self.library("numpy.copy", &given, &[], &[], range)
            }
            Value::Object(texts) => self.copied_texts(texts, &Value::Tuple(Vec::new()), range),
            nested @ Value::Named(..) => match part_of_texts(nested) {
                Some((texts, position)) => {
                    let copy = self.copied_texts(&texts, &position, range);
                    self.part_of_copy(&class, copy)
                }
                None => self.copied_records(nested, range),
            },
            other => other.clone(),
        });
        let copied = copied.collect();
        Value::Named(class, copied)
    }

    /// `records[...]`, read.
    pub fn records_subscript(&mut self, value: &Value, e: &ExprSubscript) -> Value {
        let (items, ranges) = self.index_items(&e.slice, rank(value).unwrap_or(0));
        let found = self.records_item(value, &items, &ranges, e.range());
        self.read_field(&found, e.range())
    }

    /// The part of records that index values name: a field if it is a name, else records.
    fn records_item(
        &mut self,
        value: &Value,
        items: &[Value],
        ranges: &[TextRange],
        range: TextRange,
    ) -> Value {
        if items.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        if let [Value::Str(name)] = items {
            return self
                .field_named(value, name, range)
                .unwrap_or(Value::Poison);
        }
        let Some((class, fields)) = records(value) else {
            return Value::Poison;
        };
        if rank(value) == Some(0)
            && let [index @ Value::Scalar(_)] = items
        {
            return self.tuple_item(fields, index, range);
        }
        let parts_of_fields = class.own_axes.iter().flatten().any(|own| *own > 0)
            && items.iter().any(|item| matches!(item, Value::Ellipsis));
        if parts_of_fields {
            let text = "`...` cannot stand in the index of records whose fields have axes";
            let diagnostic = self.wrong(codes::RANK, text, range, "");
            return self.report(diagnostic);
        }
        let (class, fields) = (class.clone(), fields.to_vec());
        let mut found = Vec::new();
        for field in &fields {
            found.push(match field {
                Value::View(view) if !Self::is_advanced(items) => {
                    match self.index_with(view, items, ranges, range) {
                        Some(view) => Value::View(view),
                        None => return Value::Poison,
                    }
                }
                Value::View(_) => self.array_item(field, items, ranges, range),
                Value::Named(..) if part_of_texts(field).is_none() => {
                    self.records_item(field, items, ranges, range)
                }
                other => self.item_of_texts(&class, other, items, range),
            });
        }
        Value::Named(class, found)
    }

    /// An item of an array of records that is looped over; the index is in range.
    pub fn record_at(&mut self, value: &Value, index: &Scalar) -> Value {
        let Some((class, fields)) = records(value) else {
            return Value::Poison;
        };
        let (class, fields) = (class.clone(), fields.to_vec());
        let found = fields.iter().map(|field| match field {
            Value::View(view) if view.rank() > 0 => {
                let mut item = view.clone();
                let axis = item.free.remove(0);
                item.axes[axis] = Axis::Fixed(self.position(view, axis, index));
                Value::View(item)
            }
            nested @ Value::Named(..) if part_of_texts(nested).is_none() => {
                self.record_at(nested, index)
            }
            other => {
                let index = [Value::Scalar(*index)];
                self.item_of_texts(&class, other, &index, TextRange::default())
            }
        });
        let found = found.collect();
        Value::Named(class, found)
    }

    /// How many records there are in an array of them.
    pub fn records_length(&mut self, value: &Value) -> Option<Scalar> {
        let view = carrier(value).filter(|view| view.rank() > 0)?.clone();
        Some(self.length(&view, view.free[0]))
    }

    /// The values of one record, as a tuple.
    pub fn record_values(&mut self, value: &Value) -> Option<Value> {
        let (_, fields) = records(value).filter(|_| rank(value) == Some(0))?;
        let fields = fields.to_vec();
        let place = TextRange::default();
        let values = fields.iter().map(|field| self.read_field(field, place));
        Some(Value::Tuple(values.collect()))
    }

    /// `records[...] = value`.
    pub fn records_assign(
        &mut self,
        base: &Value,
        e: &ExprSubscript,
        value: &Value,
        range: TextRange,
    ) {
        let (items, ranges) = self.index_items(&e.slice, rank(base).unwrap_or(0));
        if Self::is_advanced(&items) {
            // What the index says must not change with the first field.
            let items: Vec<Value> = items
                .into_iter()
                .map(|item| self.all_stored(item))
                .collect();
            self.flush();
            self.scatter(base, &items, value, range);
            return;
        }
        let target = self.records_item(base, &items, &ranges, e.range());
        self.store_field(&target, value, range);
    }

    /// `records[...] = value` by index arrays or masks, field by field.
    fn scatter(&mut self, target: &Value, items: &[Value], value: &Value, range: TextRange) {
        if target.has_poison() || value.has_poison() {
            return;
        }
        if let Value::View(view) = target {
            if self.check_writable(view, range) {
                let value = self.items_as_array(value, range);
                self.advanced_assign(view, items, &value, range);
            }
            return;
        }
        if let Value::Object(texts) = target {
            let index = Value::Tuple(items.to_vec());
            self.object_assign(texts, &index, value, range);
            return;
        }
        let Some((fields, values)) = self.paired(target, value, range) else {
            return;
        };
        for (field, value) in fields.iter().zip(&values) {
            self.scatter(field, items, value, range);
        }
    }

    /// The field that `records.name` is, as a target, or a mistake; nothing if it is something else.
    fn target_field(&mut self, e: &ExprAttribute) -> Option<Value> {
        if !self.is_program() {
            return None;
        }
        let checkpoint = self.checkpoint();
        let base = self.expr(&e.value);
        if records(&base).is_none() {
            self.rewind(&checkpoint);
            return None;
        }
        let field = self.field_named(&base, e.attr.as_str(), e.attr.range());
        Some(field.unwrap_or(Value::Poison))
    }

    /// `records.name = value`; false if it is something else.
    pub fn assign_field(&mut self, e: &ExprAttribute, value: &Value, range: TextRange) -> bool {
        let field = self.target_field(e);
        if let Some(field) = &field {
            self.store_field(field, value, range);
        }
        field.is_some()
    }

    /// `records.name op= value`; false if it is something else.
    pub fn augmented_field(&mut self, e: &ExprAttribute, s: &StmtAugAssign) -> bool {
        let field = self.target_field(e);
        if let Some(field) = &field {
            self.augment(field, s);
        }
        field.is_some()
    }

    /// `records[...] op= value`.
    pub fn records_augmented(&mut self, base: &Value, e: &ExprSubscript, s: &StmtAugAssign) {
        let (items, ranges) = self.index_items(&e.slice, rank(base).unwrap_or(0));
        let target = self.records_item(base, &items, &ranges, e.range());
        self.augment(&target, s);
    }

    fn augment(&mut self, target: &Value, s: &StmtAugAssign) {
        let value = self.expr(&s.value);
        let value = self.items_as_array(&value, s.value.range());
        match target {
            Value::View(view) if view.rank() > 0 => {
                self.array_update(target, s.op, &value, s.range());
            }
            Value::View(view) => {
                let current = self.load(view).into();
                let result = self.binary(s.op, &current, &value, s.range());
                if self.fits_back(&result, view.dtype, s.range()) {
                    self.store_field(target, &result, s.range());
                }
            }
            other => {
                let current = self.read_field(other, s.range());
                let result = self.binary(s.op, &current, &value, s.range());
                if is_texts(other) {
                    self.store_field(target, &result, s.range());
                }
            }
        }
    }

    /// Stores a value into a field, or into records.
    pub fn store_field(&mut self, target: &Value, value: &Value, range: TextRange) {
        if target.has_poison() || value.has_poison() {
            return;
        }
        if let Value::View(view) = target {
            if self.check_writable(view, range) {
                let value = self.items_as_array(value, range);
                self.assign_into(view, &value, range);
            }
            return;
        }
        if let Value::Object(texts) = target {
            self.object_assign(texts, &Value::Ellipsis, value, range);
            return;
        }
        if let Some((texts, position)) = part_of_texts(target) {
            self.object_assign(&texts, &position, value, range);
            return;
        }
        let Some((fields, values)) = self.paired(target, value, range) else {
            return;
        };
        for (field, value) in fields.iter().zip(&values) {
            self.store_field(field, value, range);
        }
    }

    /// The fields of records, and what is put into each.
    fn paired(
        &mut self,
        target: &Value,
        value: &Value,
        range: TextRange,
    ) -> Option<(Vec<Value>, Vec<Value>)> {
        let Some((_, fields)) = records(target) else {
            self.unusable(target, range);
            return None;
        };
        let fields = fields.to_vec();
        // All of a record is read before any of it changes.
        let single = self.record_values(value);
        let value = single.as_ref().unwrap_or(value);
        let values: Vec<Value> = match (value, records(value)) {
            (Value::Tuple(items), _) if items.len() == fields.len() => items.clone(),
            (_, Some((_, items))) if items.len() == fields.len() => items.to_vec(),
            (Value::Scalar(_), _) => vec![value.clone(); fields.len()],
            (other, _) => {
                let what = other.describe();
                let diagnostic = self.wrong(
                    codes::VALUE,
                    format!(
                        "{what} cannot be put into a record of {} fields",
                        fields.len()
                    ),
                    range,
                    format!("this is {what}"),
                );
                self.report(diagnostic);
                return None;
            }
        };
        Some((fields, values))
    }
}
