//! Whether the turns of a loop get in one another's way.

use crate::translate::Translator;
use crate::value::{Value, View};
use colocate_ir::{ArrayRef, AtomicOp, BinaryOp, Op, ParamId, StatementKind, ValueId};
use ruff_python_ast::Operator;
use std::collections::{HashMap, HashSet};

/// Which elements of an axis a turn reaches, so that two turns never reach the same.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Own {
    /// The counter plus this.
    Shifted(i128),
    /// A counter times a number, plus something below it: the counter, and the number.
    Block(ValueId, ValueId),
}

/// An access to an array: how it is updated if in one step, and the indices.
type Reached = (Option<AtomicOp>, Vec<ValueId>);

impl Translator<'_> {
    /// How an index tells turns apart that differ in a counter, if it does.
    fn own(&self, index: ValueId, counter: ValueId) -> Option<Own> {
        let (base, offset) = self.linear(index);
        let base = base?;
        if base == counter || self.same_value(base, counter, 8) {
            return Some(Own::Shifted(offset));
        }
        let Some(Op::Binary(BinaryOp::Add, a, b)) = self.b.definition(base) else {
            return None;
        };
        if offset != 0 {
            return None;
        }
        [(*a, *b), (*b, *a)].into_iter().find_map(|(scaled, rest)| {
            self.block_of(counter, scaled, rest).or_else(|| {
                let mut others = self.region_counters().into_iter();
                others
                    .find(|other| *other != counter && self.same_value(rest, counter, 8))
                    .and_then(|other| self.block_of(other, scaled, rest))
            })
        })
    }

    fn region_counters(&self) -> Vec<ValueId> {
        let region = self.region.as_ref();
        let counters = region.map(|region| region.counters.iter().map(|one| one.value));
        counters.into_iter().flatten().collect()
    }

    /// `counter * size + rest` with `0 <= rest < size`.
    fn block_of(&self, counter: ValueId, scaled: ValueId, rest: ValueId) -> Option<Own> {
        let scaled = crate::arrays::lazy::resolved(&self.b, &self.constant_variables, scaled);
        let Some(Op::Binary(BinaryOp::Multiply, a, b)) = self.b.definition(scaled) else {
            return None;
        };
        let size = if self.same_value(*a, counter, 8) {
            *b
        } else if self.same_value(*b, counter, 8) {
            *a
        } else {
            return None;
        };
        let rest = crate::arrays::lazy::resolved(&self.b, &self.constant_variables, rest);
        let (start, stop) = self.counter_bounds(rest)?;
        let from_zero = start
            .ir
            .is_some_and(|start| self.linear(start) == (None, 0));
        let below = stop.ir.is_some_and(|stop| self.same_value(stop, size, 16));
        (from_zero && below).then_some(Own::Block(counter, size))
    }

    /// Why turns would get in one another's way, if they would.
    pub fn race(&self) -> Option<String> {
        let kernel = self.b.kernel();
        // Of each array that is written: for every access, what it is and its indices.
        let mut written: HashSet<ParamId> = HashSet::new();
        let mut accesses: HashMap<ParamId, Vec<Reached>> = HashMap::new();
        self.b.walk(&mut |statement| {
            let (place, atomic, writes) = match &statement.kind {
                StatementKind::Load { place, .. } => (place, None, false),
                StatementKind::Store { place, .. } => (place, None, true),
                StatementKind::Atomic { place, op, .. } => (place, Some(*op), true),
                _ => return,
            };
            let ArrayRef::Param(param) = place.array else {
                return;
            };
            if writes {
                written.insert(param);
            }
            accesses
                .entry(param)
                .or_default()
                .push((atomic, place.indices.to_vec()));
        });
        let counters = self.region_counters();
        let mut params: Vec<ParamId> = written.into_iter().collect();
        params.sort();
        for param in params {
            let pending = self.region.as_ref().map(|region| &region.pending);
            if pending.is_some_and(|pending| pending.contains(&ArrayRef::Param(param))) {
                let name = &kernel.params[param.index()].name;
                return Some(format!(
                    "`{name}` changes before an array expression that reads it is used"
                ));
            }
            let all = &accesses[&param];
            let first = all[0].0;
            if first.is_some() && all.iter().all(|(atomic, _)| *atomic == first) {
                continue;
            }
            let rank = all[0].1.len();
            let tells_apart = |axis: usize, counter: ValueId| {
                let Some(own) = self.own(all[0].1[axis], counter) else {
                    return false;
                };
                all.iter().all(|(_, indices)| {
                    self.own(indices[axis], counter)
                        .is_some_and(|other| match (own, other) {
                            (Own::Block(i, a), Own::Block(j, b)) => {
                                i == j && self.same_value(a, b, 16)
                            }
                            (a, b) => a == b,
                        })
                })
            };
            let apart = counters
                .iter()
                .all(|counter| (0..rank).any(|axis| tells_apart(axis, *counter)));
            if !apart {
                let name = &kernel.params[param.index()].name;
                return Some(format!(
                    "it is not certain that different turns use different elements of `{name}`"
                ));
            }
        }
        None
    }

    /// `target op= value` of one element in a parallel loop, where other turns may do the same to the
    /// same element; false if it can be done plainly.
    pub fn atomic_update(
        &mut self,
        target: &View,
        op: Operator,
        value: &Value,
        range: ruff_text_size::TextRange,
    ) -> bool {
        let in_loop = self.region.as_ref().is_some_and(|region| region.is_loop);
        if !in_loop || !matches!(target.base, ArrayRef::Param(_)) {
            return false;
        }
        let place = self.element_place(target);
        let counters = self.region_counters();
        let is_own = |counter: &ValueId| {
            let mut indices = place.indices.iter();
            indices.any(|index| self.own(*index, *counter).is_some())
        };
        if counters.iter().all(is_own) {
            return false;
        }
        if counters.len() > 1 {
            // Turns of the inner loop add up the same element one after the other, if it is a loop.
            self.hinder("turns of its inner loop change the same elements");
            return true;
        }
        let atomic = match op {
            Operator::Add => AtomicOp::Add,
            Operator::Sub => AtomicOp::Subtract,
            Operator::BitAnd => AtomicOp::BitAnd,
            Operator::BitOr => AtomicOp::BitOr,
            Operator::BitXor => AtomicOp::BitXor,
            _ => return false,
        };
        if !atomic.takes(target.dtype) {
            return false;
        }
        let Some(scalar) = self.scalar(value, range) else {
            return true;
        };
        if scalar.dtype.rung() > target.dtype.rung() {
            return false;
        }
        if let Some(ir) = self.element(&scalar, target.dtype, range) {
            self.b.atomic(atomic, place, ir, None);
        }
        true
    }
}
