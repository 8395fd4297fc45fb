//! Containers that a function which calls itself hands on as they are: to each call of it they are what they are to
//! its caller. Long ones are not taken apart again in each call, and nobody looks at what they hold, since the caller
//! knows.

use crate::objects::object_type_words::encode;
use crate::objects::python_objects::INT;
use crate::program::ObjectType;
use crate::value::Value;
use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, StmtFunctionDef};
use std::collections::HashSet;

/// Which arguments a function hands on as they are, and what they are, as a part of the name that it is called by: the
/// position of each, and the numbers of its type.
pub(crate) fn handed_on(def: &StmtFunctionDef, values: &[Value]) -> String {
    let names: Vec<&str> = def
        .parameters
        .iter_non_variadic_params()
        .map(|parameter| parameter.name().as_str())
        .collect();
    let mut calls = Calls {
        function: def.name.as_str(),
        names: &names,
        found: HashSet::new(),
    };
    def.body
        .iter()
        .for_each(|statement| calls.visit_stmt(statement));
    let mut parts = Vec::new();
    for (position, value) in values.iter().take(names.len()).enumerate() {
        if let Value::Object(object) = value
            && calls.found.contains(&position)
            && let Some(kind) = if_long(&object.kind)
        {
            let mut words = Vec::new();
            encode(&kind, &mut words);
            let words: Vec<String> = words.iter().map(u32::to_string).collect();
            parts.push(format!("{position}:{}", words.join("-")));
        }
    }
    parts.join(";")
}

/// What [`handed_on`] wrote: positions, and the numbers of types.
pub fn read(text: &str) -> Option<Vec<(usize, Vec<u32>)>> {
    let parts = text.split(';').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (position, words) = part.split_once(':')?;
            let words = words.split('-').map(|word| word.parse().ok());
            Some((position.parse().ok()?, words.collect::<Option<_>>()?))
        })
        .collect()
}

/// What a container is, if it has items; nothing if that is not known.
fn if_long(kind: &ObjectType) -> Option<ObjectType> {
    let kind = match kind {
        // A list of integers among the arguments, which might be empty, and then one of anything.
        ObjectType::List(item) if **item == ObjectType::Unknown => ObjectType::List(Box::new(INT)),
        ObjectType::List(_) | ObjectType::Set(_) | ObjectType::Dict(..) => kind.clone(),
        _ => return None,
    };
    is_settled(&kind).then_some(kind)
}

/// Whether a type is known to the end, and made of nothing that only a program has.
fn is_settled(kind: &ObjectType) -> bool {
    match kind {
        ObjectType::Scalar { .. } | ObjectType::Text => true,
        ObjectType::List(item) | ObjectType::Set(item) | ObjectType::Sequence(item) => {
            is_settled(item)
        }
        ObjectType::Tuple(items) => items.iter().all(is_settled),
        ObjectType::Dict(key, value) => is_settled(key) && is_settled(value),
        _ => false,
    }
}

/// Calls of a function by its name that are given one of its parameters for the same one.
struct Calls<'a> {
    function: &'a str,
    names: &'a [&'a str],
    found: HashSet<usize>,
}

impl<'a> Visitor<'a> for Calls<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        let is = |e: &Expr, name: &str| matches!(e, Expr::Name(own) if own.id.as_str() == name);
        if let Expr::Call(call) = expr
            && is(&call.func, self.function)
        {
            for (position, (name, given)) in self.names.iter().zip(&call.arguments.args).enumerate()
            {
                if is(given, name) {
                    self.found.insert(position);
                }
            }
            for keyword in &call.arguments.keywords {
                let position = self.names.iter().position(|name| {
                    keyword
                        .arg
                        .as_ref()
                        .is_some_and(|arg| arg.as_str() == *name)
                        && is(&keyword.value, name)
                });
                self.found.extend(position);
            }
        }
        walk_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::object_type_words::decode;
    use colocate_ir::DType;

    #[test]
    fn what_is_written_is_read() {
        let number = ObjectType::Scalar {
            dtype: DType::Float64,
            weak: true,
        };
        let lists = ObjectType::List(Box::new(ObjectType::List(Box::new(number.clone()))));
        let dict = ObjectType::Dict(Box::new(ObjectType::Text), Box::new(lists));
        let mut words = Vec::new();
        encode(&dict, &mut words);
        let text: Vec<String> = words.iter().map(u32::to_string).collect();
        let read = read(&format!("3:{}", text.join("-"))).unwrap();
        assert_eq!(read[0].0, 3);
        assert_eq!(decode(&mut read[0].1.iter()), dict);
        assert_eq!(super::read(""), Some(Vec::new()));
        assert!(is_settled(&dict) && !is_settled(&ObjectType::Unknown));
    }
}
