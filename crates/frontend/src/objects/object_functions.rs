//! Builtin functions of Python objects that a program holds.

use crate::calls::Arguments;
use crate::objects::classes::class_text;
use crate::objects::foreign_objects::is_foreign;
use crate::objects::list_methods::comparison;
use crate::objects::python_objects::{BOOL, INT, Object, helper};
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::DType;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `sorted`, `min` and `max` of objects by keys, and `sort` of a list of them; this program computes the keys, and Python puts
    /// them in order.
    pub fn by_keys(
        &mut self,
        name: &str,
        object: &Object,
        item: ObjectType,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let keyword = |wanted: &str| {
            let mut all = arguments.keywords.iter();
            all.find(|(name, ..)| name == wanted)
                .map(|(_, value, _)| value.clone())
        };
        let listed = ObjectType::List(Box::new(item.clone()));
        let given = [(Value::Object(object.clone()), range)];
        let items = self.python_call(&helper("listed"), &given, &[], Some(listed.clone()), range);
        let descending = match name {
            "sorted" | "sort" => keyword("reverse").unwrap_or(Scalar::const_bool(false).into()),
            _ => Scalar::const_bool(name == "max").into(),
        };
        if let Some(compare) = keyword("key").as_ref().and_then(comparison) {
            let truth = self.truth(&descending, range)?;
            let positions = self.compared_order(compare, &items, &truth, range)?;
            let (function, result) = match name {
                "sorted" => ("placed", listed),
                "sort" => ("place", ObjectType::None),
                _ => ("placed_first", item),
            };
            let given = [items, Value::List(positions)].map(|value| (value, range));
            return Some(self.python_call(&helper(function), &given, &[], Some(result), range));
        }
        let keys = match keyword("key") {
            Some(Value::None) | None => items.clone(),
            Some(function) => self.keys_of(&function, &items, range),
        };
        if keys.is_poison() {
            return Some(Value::Poison);
        }
        let (function, result) = match name {
            "sorted" => ("sorted_by", listed),
            "sort" => ("sort_by", ObjectType::None),
            _ => ("first_by", item),
        };
        let given = [items, keys, descending].map(|value| (value, range));
        Some(self.python_call(&helper(function), &given, &[], Some(result), range))
    }
    /// A builtin that is given an object, or makes one; nothing if it is none of those here.
    pub fn object_function(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if let Some(made) = self.container_function(name, arguments, range) {
            return Some(made);
        }
        let placed;
        let arguments = match name {
            "str" => {
                placed = arguments.by_position(&["object", "encoding", "errors"]);
                &placed
            }
            _ => arguments,
        };
        let given = &arguments.positional[..];
        let function = format!("builtins.{name}");
        let keywords = &arguments.keywords;
        match (name, given) {
            ("str" | "repr", [(class, _)]) if class_text(class).is_some() => {
                return class_text(class);
            }
            ("iter", [(value @ Value::Object(object), _)])
                if matches!(*object.kind, ObjectType::Iterator(_)) =>
            {
                return Some(value.clone());
            }
            ("iter", [(value, _)]) => {
                let value = self.all_stored(value.clone());
                return self.object_iterator(&value, range).map(Value::Object);
            }
            ("next", [(Value::Object(iterator), _)]) => {
                return self.next_function(iterator, None, range);
            }
            ("next", [(Value::Object(iterator), _), (default, _)]) => {
                return self.next_function(iterator, Some(default), range);
            }
            ("enumerate" | "zip", all) if all.iter().any(|(value, _)| is_iterator(value)) => {
                return self.iterator_over(name, arguments, range);
            }
            ("str" | "repr" | "format" | "ascii" | "hex" | "bin" | "oct", [_, ..]) => {
                let constant = matches!(given, [(Value::Str(_), _)]);
                let number = matches!(given, [(Value::Scalar(x), _)] if x.as_constant().is_some());
                let result = (!constant && !number).then_some(ObjectType::Text);
                return Some(self.python_call(&function, given, keywords, result, range));
            }
            ("complex", [(Value::Str(_), _)]) => {
                let complex = ObjectType::Scalar {
                    dtype: DType::Complex128,
                    weak: true,
                };
                return Some(self.python_call(&function, given, keywords, Some(complex), range));
            }
            ("hash" | "id", [_]) => {
                return Some(self.python_call(&function, given, keywords, Some(INT), range));
            }
            ("bytes" | "bytearray" | "memoryview", _) => {
                let given: Vec<_> = given
                    .iter()
                    .map(|(value, place)| (self.all_stored(value.clone()), *place))
                    .collect();
                return Some(self.python_call(&function, &given, keywords, None, range));
            }
            // Nobody knows more of it than that it is no other.
            ("object", []) if keywords.is_empty() => {
                let result = Some(ObjectType::Foreign("object".into()));
                return Some(self.python_call(&function, &[], &[], result, range));
            }
            (name, _) if name.starts_with("bytes.") || name.starts_with("int.from") => {
                return Some(self.python_call(&function, given, keywords, None, range));
            }
            ("abs" | "round" | "min" | "max" | "divmod" | "pow", all)
                if all.iter().any(|(value, _)| is_foreign(value))
                    && (all.len() > 1 || matches!(name, "abs" | "round")) =>
            {
                return Some(self.python_call(&function, given, keywords, None, range));
            }
            ("chr", [(Value::Scalar(x), _)]) if x.as_int().is_none() => {
                let result = Some(ObjectType::Text);
                return Some(self.python_call(&function, given, keywords, result, range));
            }
            _ => {}
        }
        let [(Value::Object(object), _), rest @ ..] = given else {
            return None;
        };
        let object = object.clone();
        let float = ObjectType::Scalar {
            dtype: DType::Float64,
            weak: true,
        };
        let result = match name {
            "len" => return self.object_length(&object, range).map(Value::Scalar),
            "bool" => return self.object_truth(&object, range).map(Value::Scalar),
            "int" | "ord" => INT,
            "float" => float,
            "callable" => BOOL,
            "enumerate" | "zip" | "map" | "filter" | "isinstance" | "type" | "print" => {
                return None;
            }
            _ => return self.items_function(name, &object, rest.len(), arguments, range),
        };
        Some(self.python_call(&function, given, keywords, Some(result), range))
    }

    /// `enumerate` and `zip` of what gives its items only once.
    fn iterator_over(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let given: Vec<_> = arguments
            .positional
            .iter()
            .map(|(value, place)| (self.all_stored(value.clone()), *place))
            .collect();
        let items = match (name, &given[..]) {
            ("enumerate", [(over, _), ..]) => vec![INT, self.items_type_of(over)?],
            ("zip", all) => {
                let items = all.iter().map(|(over, _)| self.items_type_of(over));
                items.collect::<Option<_>>()?
            }
            _ => return None,
        };
        let kind = ObjectType::Iterator(Box::new(ObjectType::Tuple(items)));
        let function = format!("builtins.{name}");
        Some(self.python_call(&function, &given, &arguments.keywords, Some(kind), range))
    }

    /// A function of all items: numbers become one of our lists first.
    fn items_function(
        &mut self,
        name: &str,
        object: &Object,
        others: usize,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if self.is_unknown_item(object) {
            return Some(Value::Poison);
        }
        if name == "tuple" {
            return self.sequence(&Value::Object(object.clone()), range);
        }
        let item = self.item_kind(object)?;
        if matches!(item, ObjectType::Scalar { .. }) && others == 0 {
            let items = self.object_as_list(object, range)?;
            if name == "list" {
                return Some(items);
            }
            if let Value::Object(items) = &items {
                return self.python_items_function(name, items, item, arguments, range);
            }
            let mut again = Arguments {
                positional: arguments.positional.clone(),
                keywords: arguments.keywords.clone(),
            };
            again.positional[0].0 = items;
            return Some(self.call_builtin(&format!("builtins.{name}"), &again, range));
        }
        match others {
            0 => self.python_items_function(name, object, item, arguments, range),
            _ => None,
        }
    }

    /// The same by Python.
    fn python_items_function(
        &mut self,
        name: &str,
        object: &Object,
        item: ObjectType,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let keyed = arguments.keywords.iter().any(|(name, ..)| name == "key");
        if keyed && matches!(name, "sorted" | "min" | "max") {
            return self.by_keys(name, object, item, arguments, range);
        }
        if keyed {
            return None;
        }
        let result = match (name, &item) {
            ("list" | "sorted", _) => ObjectType::List(Box::new(item)),
            ("min" | "max", _) => item,
            ("sum", ObjectType::Scalar { weak: true, dtype }) => match dtype {
                DType::Bool => INT,
                _ => item,
            },
            ("reversed", _) => ObjectType::Iterator(Box::new(item)),
            ("any" | "all", _) => BOOL,
            _ => return None,
        };
        let function = format!("builtins.{name}");
        let mut given = arguments.positional.clone();
        given[0].0 = Value::Object(object.clone());
        Some(self.python_call(&function, &given, &arguments.keywords, Some(result), range))
    }
}

fn is_iterator(value: &Value) -> bool {
    matches!(value, Value::Object(object) if matches!(*object.kind, ObjectType::Iterator(_)))
}
