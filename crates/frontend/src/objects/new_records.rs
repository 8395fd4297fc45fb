//! Arrays of records that a function makes: an array for each field.

use crate::Captured;
use crate::calls::Arguments;
use crate::objects::records::{RECORD_DTYPE, carrier, records};
use crate::translate::Translator;
use crate::value::Value;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `numpy.empty`, `zeros`, `ones` and `full` of records, and their likes. Nothing if it is something else.
    pub fn new_records(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let (kind, is_like) = match name.strip_suffix("_like") {
            Some(kind) => (kind, true),
            None => (name, false),
        };
        let first = if is_like { "prototype" } else { "shape" };
        let names: &[&str] = match kind {
            "empty" | "zeros" | "ones" if is_like => &["prototype", "dtype"],
            "empty" | "zeros" | "ones" => &["shape", "dtype"],
            "full" if is_like => &["prototype", "fill_value", "dtype"],
            "full" => &["shape", "fill_value", "dtype"],
            _ => return None,
        };
        let mut given = Arguments {
            positional: arguments.positional.clone(),
            keywords: arguments.keywords.clone(),
        };
        for (keyword, ..) in &mut given.keywords {
            if keyword == "a" && first == "prototype" {
                *keyword = first.to_string();
            }
        }
        let placed = given.by_position(names);
        if !placed.keywords.is_empty() {
            return None;
        }
        let mut values = placed.positional.into_iter();
        let (of, place) = values.next()?;
        let fill = (kind == "full").then(|| values.next());
        let fill = match fill {
            Some(given) => Some(given?.0),
            None => None,
        };
        let prototype = records(&of).map(|(class, _)| class.clone());
        let (dtype, class_of_prototype) = match values.next() {
            Some((dtype, _)) if !matches!(dtype, Value::None) => {
                (self.record_dtype(&dtype).unwrap_or(dtype), None)
            }
            _ if is_like && prototype.is_some() => (self.dtype_of_records(&of), prototype),
            _ => return None,
        };
        if !matches!(&dtype, Value::Module { name, .. } if name == RECORD_DTYPE) {
            return None;
        }
        let shape = match (is_like, carrier(&of)) {
            (false, _) => of,
            (true, Some(view)) => {
                let view = Value::View(view.clone());
                self.array_attribute(&view, "shape", place)
            }
            (true, None) if matches!(of, Value::View(_) | Value::Lazy(_)) => {
                self.array_attribute(&of, "shape", place)
            }
            _ => return None,
        };
        let function = match kind {
            "full" => "empty",
            kind => kind,
        };
        let function = self.attribute_of(&dtype, function, range, range);
        let given = Arguments {
            positional: vec![(shape, place)],
            keywords: Vec::new(),
        };
        let mut made = self.call_value(&function, &given, range, range, None);
        if let (Value::Named(class, _), Some(class_of_prototype)) = (&mut made, class_of_prototype)
        {
            *class = class_of_prototype;
        }
        if let Some(fill) = fill {
            self.store_field(&made, &fill, range);
        }
        Some(made)
    }

    /// The dtype of records, as functions take it that make others.
    pub fn dtype_of_records(&mut self, value: &Value) -> Value {
        let Some((class, _)) = records(value) else {
            return Value::Poison;
        };
        match self.env.of_records(class.handle, "dtype") {
            Some(dtype) => self.captured_value(&dtype),
            None => Value::Poison,
        }
    }

    /// The dtype of records whose fields are written down, `[("x", "f8")]` or `"f8,i4"`; nothing if a value is
    /// something else.
    pub fn record_dtype(&mut self, fields: &Value) -> Option<Value> {
        let fields = match fields {
            Value::Str(text) if text.contains(',') => vec![Captured::Str(text.clone())],
            Value::Tuple(fields) => {
                let is_field = |field: &Value| matches!(field, Value::Tuple(parts) if matches!(parts.first(), Some(Value::Str(_))));
                if fields.is_empty() || !fields.iter().all(is_field) {
                    return None;
                }
                let fields = fields.iter().map(|field| self.part_of_dtype(field));
                fields.collect::<Option<_>>()?
            }
            _ => return None,
        };
        let dtype = self.env.record_dtype(&fields)?;
        Some(self.captured_value(&dtype))
    }

    /// A part of a dtype that is written down, as `numpy.dtype` takes it.
    fn part_of_dtype(&self, part: &Value) -> Option<Captured> {
        match part {
            Value::Str(text) => Some(Captured::Str(text.clone())),
            Value::Tuple(items) => {
                let items = items.iter().map(|item| self.part_of_dtype(item));
                Some(Captured::Tuple(items.collect::<Option<_>>()?))
            }
            Value::Scalar(scalar) => Some(Captured::Int(scalar.as_int()?)),
            other => Some(Captured::Dtype(self.as_dtype_value(other)?)),
        }
    }
}
