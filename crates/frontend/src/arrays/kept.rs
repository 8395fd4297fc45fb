//! Values that are to be what they were when Python would have computed them.
//!
//! An array expression is computed late. Whatever the program does meanwhile to the arrays that it reads
//! must not be seen by it. Names are looked after when memory changes; here are the values in between: the
//! operands and arguments before one that calls something, and the right sides of assignments to several
//! targets.

use crate::arrays::fusion::{lazies, settle};
use crate::syntax;
use crate::translate::{Checkpoint, Translator};
use crate::value::Value;
use ruff_python_ast::Expr;
use ruff_text_size::Ranged;

/// The values that are kept while another expression is translated.
#[derive(Default)]
pub(crate) struct Kept {
    /// Positions of values, and the names that stand for them.
    names: Vec<(usize, String)>,
    /// In a region, where that expression begins.
    since: Option<Checkpoint>,
}

fn is_late(value: &Value) -> bool {
    let mut found = Vec::new();
    lazies(value, &mut found);
    found.iter().any(|lazy| lazy.stored.borrow().is_none())
}

impl Translator<'_> {
    /// Before an expression that may change what values read.
    pub fn keep_values<'v>(
        &mut self,
        values: impl Iterator<Item = &'v Value>,
        next: &Expr,
    ) -> Kept {
        let mut kept = Kept::default();
        if !self.is_program() || !syntax::has_call(next) {
            return kept;
        }
        for (position, value) in values.enumerate() {
            if !is_late(value) {
                continue;
            }
            if self.level() > 0 {
                kept.since = Some(self.checkpoint());
                return kept;
            }
            let name = self.temporary();
            let site = self.site(next.range());
            self.bind(&name, value.clone(), site);
            kept.names.push((position, name));
        }
        kept
    }

    /// After it: the values as they were.
    pub fn take_back<'v>(&mut self, kept: Kept, values: impl Iterator<Item = &'v mut Value>) {
        if kept.since.is_some_and(|since| self.writes_since(&since)) {
            self.hinder("a part of an expression changes what another part reads");
        }
        let mut names = kept.names.into_iter().peekable();
        for (position, value) in values.enumerate() {
            let Some((_, name)) = names.next_if(|(at, _)| *at == position) else {
                continue;
            };
            if let Some(binding) = self.scope().get(&name).cloned() {
                *value = self.recall(&name, &binding.value);
            }
            self.scope().shift_remove(&name);
        }
    }

    /// Before a value is given to several targets: writing to one of them must not change what the others
    /// are given.
    pub fn settle_for(&mut self, targets: &[Expr], value: &mut Value) {
        let several = targets.len() > 1
            || targets
                .iter()
                .any(|target| matches!(target, Expr::Tuple(_) | Expr::List(_)));
        if !several || !is_late(value) || !targets.iter().any(writes_memory) {
            return;
        }
        if self.level() > 0 {
            self.hinder("it assigns array expressions to several targets at once");
        } else {
            self.compute_all(value);
            settle(value);
        }
    }
}

/// Whether assigning to a target changes an array.
fn writes_memory(target: &Expr) -> bool {
    match target {
        Expr::Name(_) => false,
        Expr::Tuple(e) => e.elts.iter().any(writes_memory),
        Expr::List(e) => e.elts.iter().any(writes_memory),
        _ => true,
    }
}
