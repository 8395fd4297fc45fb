//! Variables that have no value on the way that was taken: reading one raises.
//!
//! Where a name may be read without a value, a variable of the IR says whether it has one. It begins with each call of
//! the function, and goes along where functions that call themselves, or outlive the one around them, are given the
//! name.

use crate::host::failures::{Part, Raised};
use crate::scope::Binding;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::{DType, Literal, UnaryOp, ValueId, VariableId};
use ruff_text_size::TextRange;

/// Whose variable a name is that has no value on some ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Owner {
    /// The function's own.
    Own,
    /// One of the functions around it.
    Around,
}

/// Before the name of a variable, under which is kept whether it has a value.
pub(crate) const HAS: &str = "%has ";

impl Translator<'_> {
    /// Notes that a name has a value from here on.
    pub fn mark_set(&mut self, name: &str) {
        self.mark(name, true);
    }

    /// Notes whether a name has a value from here on.
    pub fn mark(&mut self, name: &str, has: bool) {
        if self.tells_unset(name) {
            let flag = self.set_flag(name);
            let has = self.b.literal(Literal::Bool(has));
            self.b.set(flag, has);
        }
    }

    /// At the beginning of a function that is called, maybe again and again: its variables have no values.
    pub fn begin_unset(&mut self) {
        if self.frames.len() == 1 || !self.is_program() || self.level() > 0 {
            return;
        }
        let frame = self.frame();
        let Some(liveness) = frame.liveness.clone() else {
            return;
        };
        let may_be_unset = |name: &&String| {
            let read = liveness.at_entry(name) && !frame.once.contains(*name);
            read || frame.deleted.contains(*name)
        };
        let mut names: Vec<String> = frame.locals.iter().filter(may_be_unset).cloned().collect();
        names.sort();
        for name in names {
            let own = (name.clone(), Owner::Own);
            self.frame().may_be_unset.extend([own]);
            self.mark(&name, false);
        }
    }

    /// Whether reading a name that has no value is to be told when the program runs. The variables of the jit function
    /// itself begin with nothing.
    fn tells_unset(&mut self, name: &str) -> bool {
        self.is_program()
            && self.level() == 0
            && match self.frames.len() {
                1 => !name.starts_with('%') && !self.frame().once.contains(name),
                _ => self.frame().may_be_unset.contains_key(name),
            }
    }

    /// The variable that says whether a name has a value.
    fn set_flag(&mut self, name: &str) -> VariableId {
        self.variable(&format!("{HAS}{name}"), 0, DType::Bool)
    }

    /// Whether a name of this function has a value, if there are ways to here on which it has none.
    pub fn has_value(&mut self, name: &str, binding: &Binding) -> Option<Scalar> {
        let unsure = binding.unsure || self.frame().deleted.contains(name);
        if !unsure || !self.tells_unset(name) {
            return None;
        }
        let flag = self.set_flag(name);
        Some(Scalar::new(DType::Bool, true, self.b.get(flag)))
    }

    /// Raises if a name has no value on the way that was taken.
    pub fn check_set(&mut self, name: &str, range: TextRange) {
        if !self.tells_unset(name) {
            return;
        }
        let flag = self.set_flag(name);
        let has = self.b.get(flag);
        let owner = self.frame().may_be_unset.get(name).copied();
        self.raise_without_value(name, has, owner.unwrap_or(Owner::Own), range);
    }

    /// The same of a variable of the functions around.
    pub fn check_outer_set(&mut self, name: &str, range: TextRange) {
        if let Some(has) = self.outer_has_value(name) {
            let has = self.ir(&has);
            self.raise_without_value(name, has, Owner::Around, range);
        }
    }

    fn raise_without_value(&mut self, name: &str, has: ValueId, owner: Owner, range: TextRange) {
        let lacks = self.b.unary(UnaryOp::Not, has);
        let (class, text) = match owner {
            Owner::Own => (
                "UnboundLocalError",
                format!(
                    "cannot access local variable '{name}' where it is not associated with a value"
                ),
            ),
            Owner::Around => (
                "NameError",
                format!(
                    "cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
                ),
            ),
        };
        let parts = vec![Part::Text(text)];
        let raised = Raised { class, parts };
        self.raise_if(lacks, &raised, range);
    }

    /// Whether a variable of the functions around has a value, if there are ways to here on which it has none.
    pub fn outer_has_value(&mut self, name: &str) -> Option<Scalar> {
        let mut closure = self.frame().closure.clone();
        while let Some(around) = closure {
            let position = self
                .frames
                .iter()
                .position(|frame| frame.id == around.frame);
            if let Some(position) = position {
                if let Some(binding) = self.frames[position].scope.get(name).cloned() {
                    if position < self.function_base {
                        return None;
                    }
                    // Its IR variables are those of its own frame.
                    let inner = self.frames.split_off(position + 1);
                    let has = self.has_value(name, &binding);
                    self.frames.extend(inner);
                    return has;
                }
            } else if self.variable_of_gone(around.frame, name).is_some() {
                return None;
            } else if around.kept.iter().any(|(kept, _)| kept == name) {
                let flag = format!("{HAS}{name}");
                return around.kept.iter().find_map(|(kept, value)| match value {
                    Value::Scalar(has) if *kept == flag => Some(*has),
                    _ => None,
                });
            }
            closure = around.outer.clone();
        }
        None
    }
}
