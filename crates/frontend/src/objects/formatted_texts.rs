//! Formatted strings: one call of `format` with a template.

use crate::objects::classes::class_text;
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use ruff_python_ast::{
    ExprFString, FStringPart, InterpolatedStringElement, InterpolatedStringFormatSpec,
};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// `f"..."`.
    pub fn formatted_string(&mut self, e: &ExprFString) -> Value {
        let mut template = String::new();
        let mut given: Vec<(Value, TextRange)> = Vec::new();
        for part in e.value.iter() {
            match part {
                FStringPart::Literal(text) => template.push_str(&escaped(text.as_str())),
                FStringPart::FString(text) => {
                    for element in text.elements.iter() {
                        self.format_part(element, &mut template, &mut given);
                    }
                }
            }
        }
        if given.iter().any(|(value, _)| value.is_poison()) {
            return Value::Poison;
        }
        if given.is_empty() {
            return Value::Str(template.replace("{{", "{").replace("}}", "}"));
        }
        let range = e.range();
        let mut all = vec![(Value::Str(template), range)];
        all.extend(given);
        let result = Some(ObjectType::Text);
        self.python_call("method.format", &all, &[], result, range)
    }

    fn format_part(
        &mut self,
        element: &InterpolatedStringElement,
        template: &mut String,
        given: &mut Vec<(Value, TextRange)>,
    ) {
        match element {
            InterpolatedStringElement::Literal(text) => template.push_str(&escaped(&text.value)),
            InterpolatedStringElement::Interpolation(part) => {
                if let Some(debug) = &part.debug_text {
                    template.push_str(&escaped(debug.as_str()));
                }
                let value = self.expr(&part.expression);
                let value = class_text(&value).unwrap_or(value);
                let value = match part.format_spec.as_deref().is_some_and(is_of_floats) {
                    true => without_mark(value),
                    false => value,
                };
                // The numbers of what is inside the format come after.
                let number = given.len();
                given.push((value, part.expression.range()));
                template.push('{');
                template.push_str(&number.to_string());
                match part.conversion.to_char() {
                    Some(conversion) => {
                        template.push('!');
                        template.push(conversion);
                    }
                    // What is shown with its own text is shown as `repr` does.
                    None if part.debug_text.is_some() && part.format_spec.is_none() => {
                        template.push_str("!r");
                    }
                    None => {}
                }
                if let Some(format) = &part.format_spec {
                    template.push(':');
                    for inner in format.elements.iter() {
                        self.format_part(inner, template, given);
                    }
                }
                template.push('}');
            }
        }
    }
}

/// Whether a format shows ints as it shows floats.
fn is_of_floats(format: &InterpolatedStringFormatSpec) -> bool {
    match format.elements.last() {
        Some(InterpolatedStringElement::Literal(text)) => {
            text.value.ends_with(['e', 'E', 'f', 'F', 'g', 'G', '%'])
        }
        _ => false,
    }
}

/// A number as the float that it is computed with.
fn without_mark(value: Value) -> Value {
    match value {
        Value::Scalar(scalar) if matches!(scalar.know, Know::Either { .. }) => Scalar {
            know: Know::Any,
            ..scalar
        }
        .into(),
        other => other,
    }
}

fn escaped(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}
