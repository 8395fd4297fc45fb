//! Statements.
//!
//! A block of the IR leaves the module's block open, unless control never gets to its end.

use crate::entry_point::{Generator, Loop, holds_barrier};
use crate::module_writer::Type;
use crate::recurrences::holds_continue;
use colocate_ir::{Block, StatementKind, ValueId, VariableId};
use rspirv::spirv::{LoopControl, MemorySemantics, Op, Scope, Word};

impl Generator<'_> {
    /// Writes statements, up to one that control does not get past.
    pub fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(&statement.kind);
            if !self.out.is_open() {
                return;
            }
        }
    }

    fn value(&self, value: ValueId) -> Word {
        self.values[value.index()]
    }

    fn statement(&mut self, kind: &StatementKind) {
        self.note_copy(kind);
        match kind {
            StatementKind::Let { value, op } => {
                self.values[value.index()] = self.operation(op);
            }
            StatementKind::Set { variable, value } => {
                let variable = variable.index();
                let next = self.next_value(*value);
                self.set_variable(variable, next);
            }
            StatementKind::Load { value, place } => {
                let from = self.locate(place);
                self.values[value.index()] = self.read(from);
            }
            StatementKind::Store { place, value } => {
                let to = self.locate(place);
                let next = match self.is_private(place.array) {
                    true => self.next_element(*value),
                    false => self.value(*value),
                };
                self.write(to, next);
            }
            StatementKind::Atomic {
                value,
                op,
                place,
                operand,
                expected,
            } => {
                let at = self.locate(place);
                let operand = self.value(*operand);
                let expected = expected.map(|expected| self.value(expected));
                self.values[value.index()] = self.atomic(*op, at, operand, expected);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => self.branch(*condition, then, otherwise),
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => self.count(*variable, [*start, *stop, *step], body),
            StatementKind::While {
                before,
                condition,
                body,
            } => self.repeat(before, *condition, body),
            StatementKind::Break => {
                let around = self.loops.last().expect("a verified break is in a loop");
                self.out.branch(around.after);
            }
            StatementKind::Continue => {
                let around = self.loops.last().expect("a verified continue is in a loop");
                self.out.branch(around.next);
            }
            StatementKind::Return => self.out.branch(self.exit),
            StatementKind::Barrier { global } => self.barrier(*global),
            StatementKind::GroupReduce { .. } => unreachable!("core has no group reductions"),
            StatementKind::Call { .. } | StatementKind::CallFunction { .. } => {
                unreachable!("host kernels are refused")
            }
        }
    }

    fn branch(&mut self, condition: ValueId, then: &Block, otherwise: &Block) {
        let (yes, no, after) = (self.out.label(), self.out.label(), self.out.label());
        let condition = self.value(condition);
        self.out.selection_merge(after);
        let no_target = if otherwise.is_empty() { after } else { no };
        self.out.branch_if(condition, yes, no_target);
        let mut goes_on = otherwise.is_empty();
        self.count_branches(1);
        for (label, block) in [(yes, then), (no, otherwise)] {
            if label == no && otherwise.is_empty() {
                continue;
            }
            self.out.begin(label);
            self.block(block);
            if self.out.is_open() {
                goes_on = true;
                self.out.branch(after);
            }
        }
        self.count_branches(-1);
        self.out.begin(after);
        if !goes_on {
            self.out.unreachable();
        }
    }

    fn count_branches(&mut self, more: i32) {
        if let Some(around) = self.loops.last_mut() {
            around.branches += more;
        }
    }

    /// Opens a loop: the block that this leaves open is where each turn begins.
    ///
    /// Intel's compiler for CPUs loses values when it unrolls a loop that has a barrier in a branch,
    /// from OpenCL C just as from here; so loops with barriers are not to be unrolled.
    fn begin_loop(&mut self, body: &Block) -> (Word, Loop) {
        let (head, first) = (self.out.label(), self.out.label());
        let around = Loop {
            after: self.out.label(),
            next: self.out.label(),
            branches: holds_continue(body).into(),
        };
        self.out.branch(head);
        self.out.begin(head);
        let control = match holds_barrier(body) {
            true => LoopControl::DONT_UNROLL,
            false => LoopControl::NONE,
        };
        self.out.loop_merge(around.after, around.next, control);
        self.out.branch(first);
        self.out.begin(first);
        self.loops.push(around);
        (head, around)
    }

    fn repeat(&mut self, before: &Block, condition: ValueId, body: &Block) {
        let left = self.remember(body);
        let (head, around) = self.begin_loop(body);
        self.block(before);
        let turn = self.out.label();
        self.out
            .branch_if(self.value(condition), turn, around.after);
        self.out.begin(turn);
        self.block(body);
        if self.out.is_open() {
            self.out.branch(around.next);
        }
        self.out.begin(around.next);
        self.out.branch(head);
        self.loops.pop();
        self.out.begin(around.after);
        self.leave_behind(left);
    }

    /// The turns are numbered from 0; the number of turns fits 64 bits without a sign, where the
    /// numbers counted might leave those with one.
    fn count(&mut self, variable: VariableId, [start, stop, step]: [ValueId; 3], body: &Block) {
        let word = Type::Int(64);
        let (start, step) = (self.value(start), self.value(step));
        let turns = self.turns(start, self.value(stop), step);
        let (zero, one) = (self.out.int(64, 0), self.out.int(64, 1));
        let counter = self.out.local(word, "turn");
        self.out.store(counter, zero, 8);
        let left = self.remember(body);

        let (head, around) = self.begin_loop(body);
        let turn = self.out.load(word, counter, 8);
        let more = self.out.op(Op::ULessThan, Type::Bool, &[turn, turns]);
        let first = self.out.label();
        self.out.branch_if(more, first, around.after);
        self.out.begin(first);
        let way = self.out.op(Op::IMul, word, &[turn, step]);
        let number = self.out.op(Op::IAdd, word, &[start, way]);
        self.set_variable(variable.index(), number);
        self.block(body);
        if self.out.is_open() {
            self.out.branch(around.next);
        }
        self.out.begin(around.next);
        let following = self.out.op(Op::IAdd, word, &[turn, one]);
        self.out.store(counter, following, 8);
        self.out.branch(head);
        self.loops.pop();
        self.out.begin(around.after);
        self.leave_behind(left);
    }

    /// How many numbers Python's `range` gives, 0 for a step of 0.
    fn turns(&mut self, start: Word, stop: Word, step: Word) -> Word {
        let (word, truth) = (Type::Int(64), Type::Bool);
        let (zero, one) = (self.out.int(64, 0), self.out.int(64, 1));
        let up = self.out.op(Op::SGreaterThan, truth, &[step, zero]);
        let is_zero = self.out.op(Op::IEqual, truth, &[step, zero]);
        let low = self.out.op(Op::Select, word, &[up, start, stop]);
        let high = self.out.op(Op::Select, word, &[up, stop, start]);
        let away = self.out.op(Op::SNegate, word, &[step]);
        let stride = self.out.op(Op::Select, word, &[up, step, away]);
        let stride = self.out.op(Op::Select, word, &[is_zero, one, stride]);
        let distance = self.out.op(Op::ISub, word, &[high, low]);
        let last = self.out.op(Op::ISub, word, &[distance, one]);
        let last = self.out.op(Op::UDiv, word, &[last, stride]);
        let turns = self.out.op(Op::IAdd, word, &[last, one]);
        let none = self.out.op(Op::SGreaterThanEqual, truth, &[low, high]);
        let none = self.out.op(Op::LogicalOr, truth, &[none, is_zero]);
        self.out.op(Op::Select, word, &[none, zero, turns])
    }

    fn barrier(&mut self, global: bool) {
        let mut semantics =
            MemorySemantics::SEQUENTIALLY_CONSISTENT | MemorySemantics::WORKGROUP_MEMORY;
        if global {
            semantics |= MemorySemantics::CROSS_WORKGROUP_MEMORY;
        }
        let scope = self.out.scope(Scope::Workgroup);
        let semantics = self.out.int(32, semantics.bits().into());
        self.out
            .effect(Op::ControlBarrier, &[scope, scope, semantics]);
    }
}
