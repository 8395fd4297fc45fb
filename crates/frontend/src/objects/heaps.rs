//! Heaps of objects: Python's functions of `heapq` do in one call what their text in the language of jit functions does
//! in many.

use crate::FunctionId;
use crate::calls::Arguments;
use crate::objects::object_operations::filled;
use crate::objects::python_objects::{Object, Step};
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::Value;
use ruff_text_size::TextRange;

/// Where the functions of `heapq` are written for lists of ours.
const WRITTEN: &str = "colocate._list_functions";

impl Translator<'_> {
    /// A function of `heapq` whose list is one of Python's; nothing for others.
    pub fn heap_of_objects(
        &mut self,
        function: FunctionId,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let [(Value::Object(heap), _), put @ ..] = &arguments.positional[..] else {
            return None;
        };
        let ObjectType::List(item) = &*heap.kind else {
            return None;
        };
        let name = self.env.function(function).name.clone();
        let (takes, gives) = match (name.as_str(), put) {
            ("heapify", []) => (None, false),
            ("heappop", []) => (None, true),
            ("heappush", [(put, _)]) => (Some(put), false),
            ("heappushpop" | "heapreplace", [(put, _)]) => (Some(put), true),
            _ => return None,
        };
        let is_own = self.level() > 0 || !arguments.keywords.is_empty();
        if is_own || !self.is_written_in(WRITTEN, &name, function) {
            return None;
        }
        if let Some(put) = takes
            && !self.is_put(heap, put, range)
        {
            return Some(Value::Poison);
        }
        if gives && self.is_unknown_inside(heap) {
            return Some(Value::Poison);
        }
        let result = match gives {
            true => filled(item),
            false => ObjectType::None,
        };
        let function = format!("heapq.{name}");
        let found = self.python_call(&function, &arguments.positional, &[], Some(result), range);
        Some(match gives {
            true => heap.part(found, Step::Item),
            false => found,
        })
    }

    /// Notes what is put into a list; false if that is not known yet or cannot be.
    fn is_put(&mut self, list: &Object, put: &Value, range: TextRange) -> bool {
        if put.is_poison() {
            return false;
        }
        match self.put_kind(put, range) {
            Some(kind) => self.admit_kind(list, &ObjectType::List(Box::new(kind)), range),
            None => false,
        }
    }
}
