//! Python's module `re`: what its functions, patterns and matches give.
//!
//! Each use is a call into Python. No example says what it gives, since it depends on the texts whether there is a match; but
//! there are rules, for which it must be known how many groups a pattern has. The kinds of patterns and matches say it.

use crate::Captured;
use crate::calls::Arguments;
use crate::objects::foreign_objects::is_foreign;
use crate::objects::python_objects::{INT, Object, helper};
use crate::program::{LibraryType, ObjectType};
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use ruff_text_size::TextRange;

/// Before the number of groups, or `?`.
const PATTERN: &str = "re.Pattern ";
const MATCH: &str = "re.Match ";

/// The attributes of matches that every one has.
const OF_ALL_MATCHES: [&str; 4] = ["string", "re", "pos", "endpos"];

impl Translator<'_> {
    /// A function of the module; nothing if there is no rule for it.
    pub fn expression_function(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let given = &arguments.positional;
        let is_text = |value: &Value| match value {
            Value::Str(_) => true,
            Value::Object(object) => {
                *object.kind == ObjectType::Text || groups_of(object, PATTERN).is_some()
            }
            _ => false,
        };
        // What is no text is of bytes.
        let texts = given
            .iter()
            .filter(|(value, _)| !matches!(value, Value::Scalar(_)));
        if !texts.clone().all(|(value, _)| is_text(value)) {
            return None;
        }
        let groups = match &given.first()?.0 {
            Value::Object(object) => groups_of(object, PATTERN).flatten(),
            pattern => self.groups_in(pattern),
        };
        let result = match name {
            "compile" => pattern_of(groups),
            "escape" => ObjectType::Text,
            _ => result_of(name, groups)?,
        };
        let function = format!("re.{name}");
        let named = &arguments.keywords;
        Some(self.python_call(&function, given, named, Some(result), range))
    }

    /// How many groups a pattern that is known has.
    fn groups_in(&mut self, pattern: &Value) -> Option<usize> {
        let Value::Str(text) = pattern else {
            return None;
        };
        let given = [LibraryType::Constant(Captured::Str(text.clone()))];
        match self.env.library(&helper("groups_of"), &given, &[]) {
            Ok(LibraryType::Tuple(groups)) => Some(groups.len()),
            // What is wrong with it is said when the program runs.
            _ => None,
        }
    }

    /// A method of a pattern or a match; nothing if it is something else.
    pub fn expression_method(
        &mut self,
        object: &Object,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let on = Value::Object(object.clone());
        let function = format!("method.{name}");
        let given = Self::with_object(&on, arguments, range);
        let result = match groups_of(object, PATTERN) {
            Some(groups) => {
                let text = |(value, _): &(Value, TextRange)| !is_foreign(value);
                let result = result_of(name, groups);
                match result.filter(|_| arguments.positional.iter().all(text)) {
                    Some(result) => result,
                    None => return Some(self.no_method(&on, name, range)),
                }
            }
            None => {
                let groups = groups_of(object, MATCH)?;
                let plain = arguments.keywords.is_empty();
                match (name, &arguments.positional[..]) {
                    ("group", []) | ("expand", [_]) => ObjectType::Text,
                    ("group" | "__getitem__", [one]) => {
                        return Some(self.group_of_match(&on, one, range));
                    }
                    ("group", several) => {
                        let items = several
                            .iter()
                            .map(|one| self.group_of_match(&on, one, range));
                        return Some(Value::Tuple(items.collect()));
                    }
                    ("groups", []) if plain && groups.is_some() => {
                        let all = 1..=groups.unwrap_or(0) as i128;
                        let items = all.map(|at| {
                            let at = Scalar::const_int(at).into();
                            self.group_of_match(&on, &(at, range), range)
                        });
                        return Some(Value::Tuple(items.collect()));
                    }
                    ("start" | "end", [] | [_]) => INT,
                    ("span", [] | [_]) => ObjectType::Tuple(vec![INT, INT]),
                    _ => return Some(self.no_method(&on, name, range)),
                }
            }
        };
        Some(self.python_call(&function, &given, &arguments.keywords, Some(result), range))
    }

    /// A group of a match: a text, or None.
    fn group_of_match(
        &mut self,
        on: &Value,
        which: &(Value, TextRange),
        range: TextRange,
    ) -> Value {
        let whole = matches!(&which.0, Value::Scalar(number) if number.as_int() == Some(0));
        let result = match whole {
            true => ObjectType::Text,
            false => ObjectType::Optional(Box::new(ObjectType::Text)),
        };
        let given = [(on.clone(), range), which.clone()];
        self.python_call("method.group", &given, &[], Some(result), range)
    }

    fn no_method(&mut self, on: &Value, name: &str, range: TextRange) -> Value {
        self.no_attribute(on, name, &[], range)
    }
}

/// How many groups a pattern or a match has, as far as that is known; nothing if it is something else.
fn groups_of(object: &Object, kind: &str) -> Option<Option<usize>> {
    match &*object.kind {
        ObjectType::Foreign(own) => Some(own.strip_prefix(kind)?.parse().ok()),
        _ => None,
    }
}

/// Whether an attribute of an object is there whatever was matched.
pub(crate) fn may_be_read(object: &Object, name: &str) -> bool {
    groups_of(object, MATCH).is_none() || OF_ALL_MATCHES.contains(&name)
}

fn of_groups(kind: &str, groups: Option<usize>) -> ObjectType {
    let groups = groups.map_or("?".into(), |groups| groups.to_string());
    ObjectType::Foreign(format!("{kind}{groups}"))
}

fn pattern_of(groups: Option<usize>) -> ObjectType {
    of_groups(PATTERN, groups)
}

/// What a function of the module, or a method of a pattern, gives; nothing if there is no rule for it.
fn result_of(name: &str, groups: Option<usize>) -> Option<ObjectType> {
    use ObjectType::{Iterator, List, Optional, Text, Tuple};
    let found = of_groups(MATCH, groups);
    Some(match (name, groups) {
        ("match" | "search" | "fullmatch", _) => Optional(Box::new(found)),
        ("finditer", _) => Iterator(Box::new(found)),
        ("sub", _) => Text,
        ("subn", _) => Tuple(vec![Text, INT]),
        ("findall", Some(0 | 1)) => List(Box::new(Text)),
        ("findall", Some(several)) => List(Box::new(Tuple(vec![Text; several]))),
        // A group that is not in the match would be None among the texts.
        ("split", Some(0)) => List(Box::new(Text)),
        _ => return None,
    })
}
