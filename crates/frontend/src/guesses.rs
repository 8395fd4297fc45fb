//! Variables that are None before a loop, and something else after its first turn: `previous = None`, then
//! `f(previous)` unless it is the first turn.
//!
//! In the first attempt at such a loop they count as None, which its body may not bear. Then what they become is
//! looked for, as if nothing were known of them; the next attempt takes them for that, or None.

use crate::scope::Scope;
use crate::translate::Translator;
use crate::value::Value;
use std::collections::HashSet;

/// How far this has come in a loop.
pub(crate) struct Guess {
    /// How many mistakes there were before the loop.
    diagnostics: usize,
    stage: Stage,
}

enum Stage {
    /// The variables are None.
    Before,
    /// Nothing is known of these.
    During(Vec<String>),
    After,
}

impl Guess {
    pub fn new(diagnostics: usize) -> Guess {
        Guess {
            diagnostics,
            stage: Stage::Before,
        }
    }
}

impl Translator<'_> {
    /// Whether only types are wanted, of which some are not known yet: what a function that calls itself gives, or what
    /// variables become in a loop.
    pub fn is_guessing(&self) -> bool {
        self.guessing || self.guessed_loops > 0
    }

    /// After an attempt at a loop: whether there is to be another one, with what `head` assumes then. `next` is what
    /// the turns give.
    pub fn guesses(
        &mut self,
        guess: &mut Guess,
        head: &mut Scope,
        next: &Scope,
        assigned: &HashSet<String>,
    ) -> bool {
        let stage = std::mem::replace(&mut guess.stage, Stage::After);
        match stage {
            Stage::Before => {
                let mistaken = self.diagnostics.len() > guess.diagnostics;
                if !mistaken || self.level() > 0 || !self.is_program() {
                    guess.stage = Stage::Before;
                    return false;
                }
                let mut names = Vec::new();
                for (name, binding) in head.iter_mut() {
                    if assigned.contains(name) && matches!(binding.value, Value::None) {
                        binding.value = Value::Poison;
                        names.push(name.clone());
                    }
                }
                if names.is_empty() {
                    return false;
                }
                self.guessed_loops += 1;
                guess.stage = Stage::During(names);
                true
            }
            Stage::During(names) => {
                self.guessed_loops -= 1;
                for name in names {
                    let Some(binding) = head.get_mut(&name) else {
                        continue;
                    };
                    binding.value = match next.get(&name).map(|found| &found.value) {
                        Some(found @ Value::Optional(..)) => found.clone(),
                        _ => Value::None,
                    };
                }
                true
            }
            Stage::After => false,
        }
    }
}
