//! What loops leave behind: variables that hold afterwards what the last turn set them to.
//!
//! They are kept beside the variable, each as a value of its item ([`crate::recurrences`]): after
//! `for k in range(a, b, 2 * s): last = k` Intel's compiler for CPUs takes the number after the last turn for what
//! `last` holds. The turns themselves read the variable, whose values are the same for all items where they seem to be.

use crate::entry_point::Generator;
use colocate_ir::{Block, Kernel, Op as Operation, StatementKind, VariableId, walk};
use rspirv::spirv::Word;
use std::collections::{BTreeSet, HashMap};

type Variables = BTreeSet<VariableId>;

/// By the address of a loop's body, the variables it leaves behind.
#[derive(Default)]
pub struct LeftBehind(HashMap<*const Block, Variables>);

/// Where control goes from inside a block, as what is read from there on before it is set.
struct Ways<'a> {
    after_loop: &'a Variables,
    next_turn: &'a Variables,
    end: &'a Variables,
}

impl LeftBehind {
    pub fn of(kernel: &Kernel) -> LeftBehind {
        let mut found = LeftBehind::default();
        let reductions = kernel.reductions().iter();
        let end = reductions.map(|reduction| reduction.variable).collect();
        let ways = Ways {
            after_loop: &end,
            next_turn: &end,
            end: &end,
        };
        found.live_before(&kernel.body, end.clone(), &ways);
        found
    }

    fn by(&self, body: &Block) -> impl Iterator<Item = VariableId> {
        self.0
            .get(&std::ptr::from_ref(body))
            .into_iter()
            .flatten()
            .copied()
    }

    /// The variables that are read from the beginning of a block on before they are set, given
    /// those that are so from its end on.
    fn live_before(&mut self, block: &Block, mut live: Variables, ways: &Ways) -> Variables {
        for statement in block.iter().rev() {
            match &statement.kind {
                StatementKind::Let {
                    op: Operation::Get(variable),
                    ..
                } => {
                    live.insert(*variable);
                }
                StatementKind::Set { variable, .. } => {
                    live.remove(variable);
                }
                StatementKind::If {
                    then, otherwise, ..
                } => {
                    let other = self.live_before(otherwise, live.clone(), ways);
                    live = self.live_before(then, live, ways);
                    live.extend(other);
                }
                StatementKind::For { variable, body, .. } => {
                    let after = live;
                    live = self.live_around(&after, ways, |found, ways| {
                        let mut turn = found.live_before(body, ways.next_turn.clone(), ways);
                        turn.remove(variable);
                        turn
                    });
                    self.note(Variables::from([*variable]), body, &after);
                }
                StatementKind::While { before, body, .. } => {
                    let after = live;
                    live = self.live_around(&after, ways, |found, ways| {
                        let mut turn = found.live_before(body, ways.next_turn.clone(), ways);
                        turn.extend(ways.after_loop);
                        found.live_before(before, turn, ways)
                    });
                    self.note(set_in(before), body, &after);
                }
                StatementKind::Break => live = ways.after_loop.clone(),
                StatementKind::Continue => live = ways.next_turn.clone(),
                StatementKind::Return => live = ways.end.clone(),
                _ => {}
            }
        }
        live
    }

    /// What is read from a loop's beginning on, given what is after it and how a turn changes that.
    fn live_around(
        &mut self,
        after: &Variables,
        ways: &Ways,
        turn: impl Fn(&mut LeftBehind, &Ways) -> Variables,
    ) -> Variables {
        let mut head = after.clone();
        loop {
            let inside = Ways {
                after_loop: after,
                next_turn: &head,
                end: ways.end,
            };
            let mut next = turn(self, &inside);
            next.extend(after);
            if next == head {
                return head;
            }
            head = next;
        }
    }

    fn note(&mut self, mut left: Variables, body: &Block, after: &Variables) {
        left.extend(set_in(body));
        left.retain(|one| after.contains(one));
        self.0.entry(body).or_default().extend(left);
    }
}

fn set_in(block: &Block) -> Variables {
    let mut set = Variables::new();
    walk(block, &mut |inner| set.extend(inner.kind.sets()));
    set
}

/// A variable that a loop leaves behind, while the loop is written.
pub struct Remembered {
    variable: usize,
    /// Where it is kept until the loop ends.
    kept: Word,
}

impl Generator<'_> {
    /// Before a loop: from here on, what is set of what it leaves behind is remembered. How many variables there are.
    pub fn remember(&mut self, body: &Block) -> usize {
        let left: Vec<_> = self.left_behind.by(body).map(VariableId::index).collect();
        let count = left.len();
        let remembered: Vec<_> = left
            .into_iter()
            .map(|variable| {
                let kept = self.declare_variable(variable);
                let value = self.get_variable(variable);
                self.store_variable(variable, kept, value);
                Remembered { variable, kept }
            })
            .collect();
        self.remembered.extend(remembered);
        count
    }

    /// After a variable was set: remembers it for the innermost loop that leaves it behind.
    pub fn remember_value(&mut self, variable: usize, value: Word) {
        let mut inside_out = self.remembered.iter().rev();
        let Some(one) = inside_out.find(|one| one.variable == variable) else {
            return;
        };
        let kept = one.kept;
        let dtype = self.kernel.variables[variable].dtype;
        let value = self.of_its_item(dtype, value);
        self.store_variable(variable, kept, value);
    }

    /// After a loop: sets what it leaves behind.
    pub fn leave_behind(&mut self, count: usize) {
        let around = self.remembered.len() - count;
        for Remembered { variable, kept } in self.remembered.split_off(around) {
            let value = self.load_variable(variable, kept);
            self.set_variable(variable, value);
        }
    }
}
