//! Functions that go over generators, or take functions: they are generators themselves, written in Python
//! (`colocate/_iterator_functions.py`).

use crate::calls::Arguments;
use crate::objects::python_objects::kind_of;
use crate::objects::tables::is_function;
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::Value;
use crate::{Captured, FunctionId};
use ruff_text_size::TextRange;

/// Where they are written.
pub(crate) const MODULE: &str = "colocate._iterator_functions";

impl Translator<'_> {
    /// Whether a function of `itertools` is to give its items one by one: it goes over a generator, or takes a
    /// function.
    pub fn goes_by_itself(&self, name: &str, arguments: &Arguments) -> bool {
        let given = || arguments.positional.iter().map(|(value, _)| value);
        let named = || arguments.keywords.iter().map(|(_, value, _)| value);
        match name {
            "islice" => given().any(|value| matches!(value, Value::Generator(..))),
            "accumulate" | "groupby" => {
                given().chain(named()).any(is_function) || given().any(is_generator)
            }
            _ => false,
        }
    }

    /// `enumerate`, `zip`, `map`, `filter` and functions of `itertools` that are generators here; nothing for
    /// other functions, and for other arguments.
    pub fn over_generator(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let mut given = arguments.positional.clone();
        let mut keywords = arguments.keywords.clone();
        if let ("accumulate" | "groupby", [_], [function]) = (name, &given[..], &keywords[..])
            && matches!(function.0.as_str(), "func" | "key")
        {
            given.push((function.1.clone(), function.2));
            keywords.clear();
        }
        // It may be written that nothing is expected of the lengths.
        let loose = |(name, value, _): &(String, Value, TextRange)| {
            let is_false = matches!(value, Value::Scalar(strict) if strict.as_int() == Some(0));
            name == "strict" && is_false
        };
        if name == "zip" {
            keywords.retain(|one| !loose(one));
        }
        let written = match (name, &given[..]) {
            ("enumerate", [_] | [_, _]) => "enumerated",
            ("map", [_, _]) => "mapped",
            ("filter", [_, _]) => "filtered",
            ("zip", [(a, _), (b, _)]) if is_generator(b) && has_items(a) => "zipped_after",
            ("zip", [(a, _), (b, _)]) if is_generator(a) && has_items(b) => "zipped_before",
            ("accumulate", [_, (function, _)]) if is_function(function) => "accumulated",
            ("groupby", [_, (function, _)]) if is_function(function) => "grouped",
            ("accumulate", [(over, _)]) if is_generator(over) && keywords.is_empty() => "summed",
            // Nobody else goes over it.
            ("next", [(Value::Generator(..), _)]) => "first",
            ("next", [(Value::Generator(..), _), _]) => "first_or",
            ("islice", [_, _]) => "sliced",
            ("islice", [_, _, (stop, _)] | [_, _, (stop, _), _])
                if !matches!(stop, Value::None) =>
            {
                "sliced_from"
            }
            ("zip", [(a, _), (b, _), (c, _)])
                if is_generator(a) && has_items(b) && has_items(c) =>
            {
                "zipped_first_of_three"
            }
            ("zip", [(a, _), (b, _), (c, _)])
                if has_items(a) && is_generator(b) && has_items(c) =>
            {
                "zipped_second_of_three"
            }
            ("zip", [(a, _), (b, _), (c, _)])
                if has_items(a) && has_items(b) && is_generator(c) =>
            {
                "zipped_third_of_three"
            }
            _ => return None,
        };
        let placed = Arguments {
            positional: given,
            keywords,
        };
        self.call_written(MODULE, written, &placed, range)
    }

    /// Calls a function that is written in the language of jit functions; nothing if it is not there.
    pub fn call_written(
        &mut self,
        module: &str,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let function = self.written_in(module, name)?;
        Some(self.call_value(&function, arguments, range, range, None))
    }

    /// Whether a function is one that is written in the language of jit functions.
    pub fn is_written_in(&mut self, module: &str, name: &str, function: FunctionId) -> bool {
        self.written_in(module, name) == Some(Value::Function(function))
    }

    fn written_in(&mut self, module: &str, name: &str) -> Option<Value> {
        let Some(Captured::Module { handle, .. }) = self.env.import(module) else {
            return None;
        };
        let function = self.env.attribute(handle, name)?;
        Some(self.captured_value(&function))
    }
}

/// Whether a value gives its items one by one.
pub(crate) fn is_generator(value: &Value) -> bool {
    match value {
        Value::Generator(..) => true,
        Value::Object(object) => matches!(*object.kind, ObjectType::Iterator(_)),
        _ => false,
    }
}

/// Whether a value has a length, and items of one type by their positions.
fn has_items(value: &Value) -> bool {
    match value {
        Value::Range(_) | Value::List(_) | Value::Held(_) | Value::View(_) | Value::Lazy(_) => true,
        Value::Str(_) => true,
        Value::Tuple(items) => are_alike(items),
        Value::Named(class, items) if class.is_list() || class.is_plain() => are_alike(items),
        Value::Object(object) => matches!(
            *object.kind,
            ObjectType::Text | ObjectType::List(_) | ObjectType::Sequence(_)
        ),
        _ => false,
    }
}

fn are_alike(items: &[Value]) -> bool {
    let kinds: Option<Vec<ObjectType>> = items.iter().map(kind_of).collect();
    kinds.is_some_and(|kinds| kinds.windows(2).all(|pair| pair[0] == pair[1]))
}
