//! Dictionaries whose values are of several types, as settings and results are: what is known of them is the type
//! of each value by its name.

use crate::calls::Arguments;
use crate::codes;
use crate::objects::python_objects::{INT, Object, helper};
use crate::program::ObjectType;
use crate::syntax;
use crate::translate::Translator;
use crate::value::Value;
use ruff_python_ast::{DictItem, Expr, StmtAssign, StmtFor};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// `d["name"]`.
    pub fn named_value(&mut self, object: &Object, index: &Value, range: TextRange) -> Value {
        let Value::Str(name) = index else {
            return match self.of_one_type(object, range) {
                Some(object) => self.object_item(&object, index, range),
                None => Value::Poison,
            };
        };
        // What is not there raises.
        let kind = value_named(object, name).unwrap_or(INT);
        let given = [
            (Value::Object(object.clone()), range),
            (index.clone(), range),
        ];
        self.python_call("operator.getitem", &given, &[], Some(kind), range)
    }

    /// A method of such a dictionary.
    pub fn named_values_method(
        &mut self,
        object: &Object,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let on = Value::Object(object.clone());
        let function = format!("method.{name}");
        let given = Self::with_object(&on, arguments, range);
        let positional: Vec<&Value> = arguments.positional.iter().map(|(one, _)| one).collect();
        let result = match (name, &positional[..]) {
            ("get", [Value::Str(field), default]) | ("pop", [Value::Str(field), default]) => {
                let default = self.object_type_of(default);
                match (value_named(object, field), default) {
                    (Some(kind), Some(default)) => kind.join(&default),
                    (None, default) => default,
                    _ => None,
                }
            }
            ("get", [Value::Str(field)]) => match value_named(object, field) {
                Some(known @ ObjectType::Optional(_)) => Some(known),
                Some(kind) => Some(ObjectType::Optional(Box::new(kind))),
                None => Some(ObjectType::None),
            },
            ("pop", [Value::Str(field)]) => Some(value_named(object, field).unwrap_or(INT)),
            ("clear", []) => Some(ObjectType::None),
            ("keys", []) => {
                let names = ObjectType::List(Box::new(ObjectType::Text));
                return self.python_call(&helper("keys"), &given, &[], Some(names), range);
            }
            ("copy", []) => return self.copy_of_named_values(object, range),
            ("update", [Value::Object(more)]) => {
                let more = self.with_known_names(more);
                if !self.admit_kind(object, &more, range) {
                    return Value::Poison;
                }
                Some(ObjectType::None)
            }
            ("items" | "values", []) if object.kind.as_dict().is_none() => {
                return self.all_named_values(object, name == "items", range);
            }
            _ => None,
        };
        if result.is_some() {
            return self.python_call(&function, &given, &[], result, range);
        }
        match self.of_one_type(object, range) {
            Some(object) => self.object_method(&Value::Object(object), name, arguments, range),
            None => Value::Poison,
        }
    }

    /// `dict(d)`, `d.copy()`.
    pub fn copy_of_named_values(&mut self, object: &Object, range: TextRange) -> Value {
        let given = [(Value::Object(object.clone()), range)];
        self.container("builtins.dict", &given, (*object.kind).clone(), range)
    }

    /// All names and their values. It raises where the names are others when the program runs. Nothing if the names
    /// are not known.
    pub fn named_values(
        &mut self,
        object: &Object,
        range: TextRange,
    ) -> Option<(Vec<String>, Vec<Value>)> {
        let ObjectType::Fields(fields) = self.with_known_names(object) else {
            return None;
        };
        let (names, kinds): (Vec<String>, Vec<ObjectType>) = fields.into_iter().unzip();
        let mut given = vec![(Value::Object(object.clone()), range)];
        given.extend(names.iter().map(|name| (Value::Str(name.clone()), range)));
        let whole = Some(ObjectType::Tuple(kinds));
        match self.python_call(&helper("values_named"), &given, &[], whole, range) {
            Value::Tuple(values) => Some((names, values)),
            _ => None,
        }
    }

    /// All values, or all names with their values, as a tuple: loops over it are written out.
    fn all_named_values(&mut self, object: &Object, with_names: bool, range: TextRange) -> Value {
        let Some((names, values)) = self.named_values(object, range) else {
            return Value::Poison;
        };
        if !with_names {
            return Value::Tuple(values);
        }
        let pairs = names.into_iter().zip(values);
        Value::Tuple(
            pairs
                .map(|(name, value)| Value::Tuple(vec![Value::Str(name), value]))
                .collect(),
        )
    }

    /// Reports a loop over the values of such a dictionary that changes it: they are taken out before its first turn.
    pub fn is_changed_while_gone_over(&mut self, s: &StmtFor) -> bool {
        let changed = |name: &str| crate::objects::changing_statements::changes_list(&s.body, name);
        self.is_changed_later(&s.iter, changed, "while it is gone over")
    }

    /// Reports a name for the values of such a dictionary that is changed afterwards: they are taken out at once.
    pub fn is_changed_after(&mut self, s: &StmtAssign) -> bool {
        let function = self.frame().function;
        let Some(parsed) = self.parsed.get(&function).map(|(parsed, _)| parsed.clone()) else {
            return false;
        };
        let changed = |name: &str| {
            let mut later = parsed.def.body.iter().filter(|one| one.end() > s.end());
            later.any(|one| {
                crate::objects::changing_statements::changes_list(std::slice::from_ref(one), name)
            })
        };
        self.is_changed_later(&s.value, changed, "after its values were taken out")
    }

    fn is_changed_later(
        &mut self,
        taken: &Expr,
        changed: impl Fn(&str) -> bool,
        when: &str,
    ) -> bool {
        let Expr::Call(call) = taken else {
            return false;
        };
        let Expr::Attribute(method) = &*call.func else {
            return false;
        };
        let Expr::Name(name) = &*method.value else {
            return false;
        };
        if !matches!(method.attr.as_str(), "items" | "values") || !changed(name.id.as_str()) {
            return false;
        }
        let known = self.scope().get(name.id.as_str()).cloned();
        let several = known.is_some_and(|known| match &known.value {
            Value::Object(object) => object.kind.as_dict().is_none(),
            _ => false,
        });
        if several {
            let text = format!("a dictionary whose values are of several types is changed {when}");
            let diagnostic = self
                .wrong(codes::CONTAINER, text, taken.range(), "")
                .help("go over its names, written down: `for name in (\"a\", \"b\")`");
            self.report(diagnostic);
        }
        several
    }

    /// `{**a, "name": b, **c}`.
    pub fn joined_dicts(&mut self, items: &[DictItem], range: TextRange) -> Value {
        let mut parts: Vec<(Value, TextRange)> = Vec::new();
        let mut whole =
            ObjectType::Dict(Box::new(ObjectType::Unknown), Box::new(ObjectType::Unknown));
        let mut rest = items;
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|item| item.key.is_some()).count();
            let (value, place) = match count {
                0 => (self.expr(&first.value), first.value.range()),
                _ => {
                    let place = TextRange::new(first.start(), rest[count - 1].end());
                    (self.dict_display(&rest[..count], place), place)
                }
            };
            let value = self.dictionary_of_table(value, place);
            rest = &rest[count.max(1)..];
            let changes = rest.iter().any(|item| {
                syntax::has_call(&item.value) || item.key.as_ref().is_some_and(syntax::has_call)
            });
            let value = match &value {
                // What comes after it may change it.
                Value::Object(part) if count == 0 && changes => {
                    self.copy_of_named_values(part, place)
                }
                _ => value,
            };
            let Value::Object(part) = &value else {
                return match value {
                    Value::Poison => value,
                    other => self.no_mapping(&other, place),
                };
            };
            let kind = match &*part.kind {
                ObjectType::Dict(..) | ObjectType::Fields(_) => self.with_known_names(part),
                _ => return self.no_mapping(&value, place),
            };
            // Names that are written down replace what had them before.
            let replaced = match (&whole, &kind) {
                (ObjectType::Fields(old), ObjectType::Fields(new)) if count > 0 => {
                    let is_new = |name: &String| new.iter().any(|(one, _)| one == name);
                    let kept = old.iter().filter(|(name, _)| !is_new(name)).cloned();
                    ObjectType::Fields(kept.collect())
                }
                _ => whole.clone(),
            };
            whole = match replaced.join(&kind) {
                Some(joined) => joined,
                None => {
                    let diagnostic = self.wrong(
                        codes::CONTAINER,
                        format!("a {whole} and a {kind} cannot be joined"),
                        place,
                        format!("this is a {kind}"),
                    );
                    return self.report(diagnostic);
                }
            };
            parts.push((value, place));
        }
        self.container(&helper("dicts_joined"), &parts, whole, range)
    }

    /// What a dictionary is, with the names that are known of it even if its values are of one type.
    pub fn with_known_names(&self, object: &Object) -> ObjectType {
        match &object.origins[..] {
            [origin] if origin.path.is_empty() => match self.found_out(origin.place) {
                Some(known @ ObjectType::Fields(_)) => known,
                _ => (*object.kind).clone(),
            },
            _ => (*object.kind).clone(),
        }
    }

    /// Two dictionaries, with the names that are known of them where they are of different types: one name may hold
    /// a number, and another an array that only one of the dictionaries has.
    pub fn by_known_names(&self, a: &Object, b: &Object) -> (Object, Object) {
        let named = |object: &Object| Object {
            kind: std::rc::Rc::new(self.with_known_names(object)),
            ..object.clone()
        };
        let is_named = |object: &Object| matches!(*object.kind, ObjectType::Fields(_));
        if a.kind == b.kind {
            return (a.clone(), b.clone());
        }
        match (named(a), named(b)) {
            (x, y) if is_named(&x) && is_named(&y) => (x, y),
            _ => (a.clone(), b.clone()),
        }
    }

    fn no_mapping(&mut self, value: &Value, range: TextRange) -> Value {
        let what = value.describe();
        let diagnostic = self.wrong(
            codes::STAR,
            format!("{what} cannot be put into a dictionary by `**`"),
            range,
            format!("this is {what}"),
        );
        self.report(diagnostic)
    }

    /// A dictionary as one whose values are of one type; reports if they are not.
    pub fn of_one_type(&mut self, object: &Object, range: TextRange) -> Option<Object> {
        if let Some(object) = object.as_dict() {
            return Some(object);
        }
        let diagnostic = self
            .wrong(
                codes::CONTAINER,
                "the values of this dictionary are of several types",
                range,
                format!("this is a {}", object.kind),
            )
            .help("take them out by their names, written down: `d[\"name\"]`");
        self.report(diagnostic);
        None
    }
}

/// The keys of a display if all are written down as texts.
pub(crate) fn written_names(items: &[DictItem]) -> Option<Vec<String>> {
    let name = |item: &DictItem| match &item.key {
        Some(Expr::StringLiteral(key)) => Some(key.value.to_str().to_string()),
        _ => None,
    };
    let names: Option<Vec<String>> = items.iter().map(name).collect();
    names.filter(|names| !names.is_empty())
}

/// What the value of a name is.
fn value_named(object: &Object, name: &str) -> Option<ObjectType> {
    let ObjectType::Fields(fields) = &*object.kind else {
        return None;
    };
    let field = fields.iter().find(|(field, _)| field == name);
    field.map(|(_, kind)| kind.clone())
}
