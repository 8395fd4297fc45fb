//! When objects are let go of: at the end of each turn of a loop, those that the next one does not need.

use crate::objects::python_objects::{MARK_OBJECTS, SWEEP_OBJECTS};
use crate::program::{Call, Operand, Outcome};
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::{CallResult, DType, VariableId};

impl Translator<'_> {
    /// Before a loop whose turns make objects.
    pub fn mark_objects(&mut self, start: u32) -> Option<VariableId> {
        let at = (self.frame().file as u32, start);
        if self.level() > 0 || !self.object_loops.contains(&at) {
            return None;
        }
        let name = self.temporary();
        let variable = self.variable(&name, 0, DType::Int64);
        let call = Call::Library {
            function: MARK_OBJECTS.into(),
            arguments: Vec::new(),
            keywords: Vec::new(),
            result: Outcome::Scalar(DType::Int64),
            changes: Vec::new(),
        };
        self.call(call, &[], vec![CallResult::Variable(variable)]);
        Some(variable)
    }

    /// At the end of a turn: what no name holds is let go. The names are as the next turn finds them.
    pub fn sweep_objects(&mut self, mark: VariableId, head: &crate::scope::Scope) {
        let mut handles = Vec::new();
        for at in self.function_base..self.frames.len() {
            let inner = self.frames.split_off(at + 1);
            let mut all = self.scope().clone();
            if inner.is_empty() {
                all.extend(head.clone());
            }
            let names: Vec<(String, Value)> = all
                .into_iter()
                .filter(|(_, binding)| has_object(&binding.value))
                .map(|(name, binding)| (name, binding.value))
                .collect();
            for (name, value) in names {
                let value = self.recall(&name, &value);
                handles_in(&value, &mut handles);
            }
            self.frames.extend(inner);
        }
        let number = Operand::Scalar {
            dtype: DType::Int64,
            weak: true,
        };
        let mut words = vec![self.b.get(mark)];
        for handle in &handles {
            words.push(self.as_dtype(handle, DType::Int64));
        }
        let call = Call::Library {
            function: SWEEP_OBJECTS.into(),
            arguments: vec![number; words.len()],
            keywords: Vec::new(),
            result: Outcome::None,
            changes: Vec::new(),
        };
        self.call(call, &words, Vec::new());
    }

    /// Notes that the turns of a loop make objects, so that it is to have a mark.
    pub fn note_object_loop(&mut self, start: u32) {
        let at = (self.frame().file as u32, start);
        if self.level() == 0 && self.object_loops.insert(at) {
            self.again = true;
        }
    }
}

fn handles_in(value: &Value, found: &mut Vec<Scalar>) {
    match value {
        Value::Object(object) => found.push(object.handle),
        Value::Tuple(items)
        | Value::Zip(items)
        | Value::Named(_, items)
        | Value::Generator(_, items) => items.iter().for_each(|item| handles_in(item, found)),
        Value::Optional(inner, _)
        | Value::Enumerate(inner, _)
        | Value::ArrayMethod(inner, _)
        | Value::Method(inner, _) => handles_in(inner, found),
        _ => {}
    }
}

fn has_object(value: &Value) -> bool {
    let mut found = Vec::new();
    handles_in(value, &mut found);
    !found.is_empty()
}
