//! Statements and control flow: branches where all lanes agree, masks where they part.

use super::{ALIGNMENT, Emitter, LoopFrame, Mask};
use crate::lanes::{Shape, holds_return, leaves};
use crate::llvm::{BasicBlock, IntPredicate, Value};
use colocate_ir::{Block, Statement, StatementKind, ValueId, VariableId};

/// A block with up to this many plain statements runs with its lanes switched off rather than
/// being jumped over when none is on.
const CHEAP: usize = 12;

impl Emitter<'_> {
    pub(super) fn mask_value(&mut self) -> Value {
        match self.mask {
            Mask::Full => self.m.all_ones(self.mask_type()),
            Mask::Slot => self.m.load(self.mask_type(), self.mask_slot, ALIGNMENT),
        }
    }

    fn set_mask(&mut self, mask: Value) {
        self.m.store(mask, self.mask_slot, ALIGNMENT);
        self.mask = Mask::Slot;
    }

    /// Switches all lanes off that are on now; for the end of a block.
    fn clear_mask(&mut self) {
        self.set_mask(self.m.null(self.mask_type()));
    }

    fn any(&self, mask: Value) -> Value {
        let bits = self.m.int(self.width);
        let packed = self.m.bitcast(mask, bits);
        self.m
            .icmp(IntPredicate::LLVMIntNE, packed, self.m.null(bits))
    }

    pub(super) fn get_variable(&mut self, variable: VariableId) -> Value {
        let lanes = self.lanes_of(self.lanes.variable(variable));
        let dtype = self.kernel.variables[variable.index()].dtype;
        let alignment = dtype.itemsize() as u32;
        let slot = self.variable_slot(variable);
        if self.is_kept_once(variable) {
            let stored = self.m.load(self.memory_type(dtype), slot, alignment);
            let one = self.read_bools(stored, dtype, 1);
            return self.m.splat(one, lanes);
        }
        let kind = self.m.vector(self.memory_type(dtype), lanes);
        let stored = self.m.load(kind, slot, alignment);
        self.read_bools(stored, dtype, lanes)
    }

    pub(super) fn set_variable(&mut self, variable: VariableId, value: ValueId) {
        let new = match self.lanes.variable(variable) {
            Shape::Varying => self.vector(value),
            Shape::Uniform | Shape::Linear(_) => self.scalar(value),
        };
        self.store_variable(variable, new);
    }

    /// Writes a variable in the lanes that are on.
    pub(super) fn store_variable(&mut self, variable: VariableId, new: Value) {
        let shape = self.lanes.variable(variable);
        let dtype = self.kernel.variables[variable.index()].dtype;
        let lanes = self.lanes_of(shape);
        let alignment = dtype.itemsize() as u32;
        let mut new = new;
        if shape == Shape::Varying && self.mask == Mask::Slot {
            let old = self.get_variable(variable);
            let mask = self.mask_value();
            new = self.m.select(mask, new, old);
        }
        let slot = self.variable_slot(variable);
        let stored = self.write_bools(new, dtype, lanes);
        self.m.store(stored, slot, alignment);
    }

    pub(super) fn block(&mut self, block: &[Statement]) {
        for (position, statement) in block.iter().enumerate() {
            self.statement(statement);
            let rest = &block[position + 1..];
            if !rest.is_empty() && self.may_switch_off(statement) {
                // What follows may read where no lane would: it runs only if one is on.
                self.if_any_on(|emitter| emitter.block(rest));
                return;
            }
        }
    }

    /// Whether lanes that were on before a statement may be off after it.
    fn may_switch_off(&self, statement: &Statement) -> bool {
        if self.width == 1 || self.mask == Mask::Full {
            return false;
        }
        match &statement.kind {
            StatementKind::If {
                then, otherwise, ..
            } => leaves(then) || leaves(otherwise),
            StatementKind::For { .. } | StatementKind::While { .. } => {
                self.lanes.is_divergent(statement) && holds_return(statement)
            }
            _ => false,
        }
    }

    fn if_any_on(&mut self, work: impl FnOnce(&mut Self)) {
        let mask = self.mask_value();
        let (on, end) = (self.m.block(), self.m.block());
        self.m.branch_if(self.any(mask), on, end);
        self.m.go_to(on);
        work(self);
        self.m.branch(end);
        self.m.go_to(end);
    }

    /// Ends a block with a jump; what is emitted after it is never reached.
    fn jump(&mut self, to: BasicBlock) {
        self.m.branch(to);
        self.m.go_to(self.m.block());
    }

    pub(super) fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let { value, op } => self.operation(*value, op),
            StatementKind::Set { variable, value } => self.set_variable(*variable, *value),
            StatementKind::Load { value, place } => self.load(*value, place),
            StatementKind::Store { place, value } => self.store(place, *value),
            StatementKind::Atomic {
                value,
                op,
                place,
                operand,
                expected,
            } => self.atomic(*value, *op, place, *operand, *expected),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                if self.lanes.value(*condition) == Shape::Uniform {
                    self.uniform_if(*condition, then, otherwise);
                } else {
                    self.divergent_if(*condition, then, otherwise);
                }
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let range = [*start, *stop, *step];
                if let (Some(stride), true) = (self.lanes.counter(statement), self.width > 1) {
                    self.counted_for(statement, *variable, range, stride, body);
                } else if self.lanes.is_divergent(statement) {
                    self.divergent_for(statement, *variable, range, body);
                } else {
                    self.uniform_for(*variable, range, body);
                }
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                if self.lanes.is_divergent(statement) {
                    self.divergent_while(statement, before, *condition, body);
                } else {
                    self.uniform_while(before, *condition, body);
                }
            }
            StatementKind::Break => {
                let frame = self.loops.last().expect("verified: inside a loop");
                if frame.divergent {
                    self.clear_mask();
                } else {
                    self.jump(frame.exit);
                }
            }
            StatementKind::Continue if self.loops.is_empty() => {
                if self.note_skip() && self.width > 1 {
                    self.clear_mask();
                } else {
                    self.jump(self.item_end);
                }
            }
            StatementKind::Continue => {
                let frame = self.loops.last().expect("verified: inside a loop");
                match frame.continued {
                    Some(slot) => {
                        let on = self.mask_value();
                        let before = self.m.load(self.mask_type(), slot, ALIGNMENT);
                        self.m.store(self.m.or(before, on), slot, ALIGNMENT);
                        self.clear_mask();
                    }
                    None => self.jump(frame.next),
                }
            }
            StatementKind::Return => {
                self.note_return();
                if self.lanes.is_divergent(statement) {
                    let on = self.mask_value();
                    let before = self.m.load(self.mask_type(), self.returned_slot, ALIGNMENT);
                    self.m
                        .store(self.m.or(before, on), self.returned_slot, ALIGNMENT);
                    self.clear_mask();
                } else {
                    self.jump(self.item_end);
                }
            }
            StatementKind::Barrier { .. } => unreachable!("pieces between barriers hold none"),
            StatementKind::GroupReduce { .. } => unreachable!("core has no group reductions"),
            StatementKind::Call {
                callee,
                arguments,
                results,
            } => self.call(*callee, arguments, results),
            StatementKind::CallFunction {
                function,
                arguments,
                arrays,
                results,
            } => self.call_function(*function, arguments, arrays, results),
        }
    }

    fn uniform_if(&mut self, condition: ValueId, then: &Block, otherwise: &Block) {
        let condition = self.scalar(condition);
        let (a, b, end) = (self.m.block(), self.m.block(), self.m.block());
        let before = self.mask;
        self.m.branch_if(condition, a, b);
        let mut after = Vec::new();
        for (entry, block) in [(a, then), (b, otherwise)] {
            self.m.go_to(entry);
            self.mask = before;
            self.block(block);
            after.push(self.mask);
            if self.mask == Mask::Full && self.width > 1 {
                // The other side may leave with a mask: both must say which lanes are on.
                let all = self.m.all_ones(self.mask_type());
                self.m.store(all, self.mask_slot, ALIGNMENT);
            }
            self.m.branch(end);
        }
        self.m.go_to(end);
        self.mask = if after.contains(&Mask::Slot) {
            Mask::Slot
        } else {
            before
        };
    }

    fn divergent_if(&mut self, condition: ValueId, then: &Block, otherwise: &Block) {
        let before = self.mask;
        let old = self.mask_value();
        let condition = self.vector(condition);
        let (on, off) = match before {
            Mask::Full => (condition, self.m.not(condition)),
            Mask::Slot => (
                self.m.and(old, condition),
                self.m.and(old, self.m.not(condition)),
            ),
        };
        let mut ends = Vec::new();
        for (mask, block) in [(on, then), (off, otherwise)] {
            self.set_mask(mask);
            if block.is_empty() {
                ends.push(mask);
                continue;
            }
            if is_cheap(block, self) {
                self.block(block);
            } else {
                self.if_any_on(|emitter| emitter.block(block));
            }
            ends.push(self.mask_value());
        }
        if leaves(then) || leaves(otherwise) {
            let both = self.m.or(ends[0], ends[1]);
            self.set_mask(both);
        } else {
            self.restore(before, old);
        }
    }

    fn restore(&mut self, mask: Mask, value: Value) {
        if mask == Mask::Slot {
            self.set_mask(value);
        }
        self.mask = mask;
    }

    fn uniform_while(&mut self, before: &Block, condition: ValueId, body: &Block) {
        let (head, turn, exit) = (self.m.block(), self.m.block(), self.m.block());
        self.m.branch(head);
        self.m.go_to(head);
        self.block(before);
        let condition = self.scalar(condition);
        self.m.branch_if(condition, turn, exit);
        self.m.go_to(turn);
        self.turn(None, head, exit, body);
        self.m.branch(head);
        self.m.go_to(exit);
    }

    /// The statements of one turn of a loop.
    pub(super) fn turn(
        &mut self,
        continued: Option<Value>,
        next: BasicBlock,
        exit: BasicBlock,
        body: &Block,
    ) {
        self.loops.push(LoopFrame {
            divergent: continued.is_some(),
            continued,
            next,
            exit,
        });
        self.block(body);
        self.loops.pop();
    }

    /// How many turns `range(start, stop, step)` has.
    fn turns(&self, [start, stop, step]: [Value; 3], literal: Option<i64>) -> Value {
        let m = &self.m;
        let (zero, one) = (m.i64(0), m.i64(1));
        // The distances are counted without sign: they may be larger than any int64.
        let count = |go: IntPredicate, distance: Value, step: Value| {
            let some = m.icmp(go, start, stop);
            let turns = m.add(m.udiv(m.sub(distance, one), step), one);
            m.select(some, turns, zero)
        };
        let up = |step| count(IntPredicate::LLVMIntSLT, m.sub(stop, start), step);
        let down = |step| count(IntPredicate::LLVMIntSGT, m.sub(start, stop), step);
        match literal {
            Some(0) => zero,
            Some(step) if step > 0 => up(m.i64(step)),
            Some(step) => down(m.i64(step.wrapping_neg())),
            None => {
                let positive = m.icmp(IntPredicate::LLVMIntSGT, step, zero);
                let negative = m.icmp(IntPredicate::LLVMIntSLT, step, zero);
                let forward = up(m.select(positive, step, one));
                let backward = down(m.select(negative, m.neg(step), one));
                m.select(positive, forward, m.select(negative, backward, zero))
            }
        }
    }

    /// A loop over `range(start, stop, step)` that all lanes, or all items of a group, take together.
    /// `turn` gets the number of the turn, and the blocks at which the next turn begins and the
    /// loop ends.
    pub(super) fn count_together(
        &mut self,
        range: [Value; 3],
        literal: Option<i64>,
        turn: impl FnOnce(&mut Self, Value, BasicBlock, BasicBlock),
    ) {
        let [start, _, step] = range;
        let turns = self.turns(range, literal);
        let word = self.m.int(64);
        let counter = self.m.stack_slot(word, ALIGNMENT);
        self.m.store(self.m.i64(0), counter, ALIGNMENT);
        let (head, body) = (self.m.block(), self.m.block());
        let (next, exit) = (self.m.block(), self.m.block());
        self.m.branch(head);
        self.m.go_to(head);
        let number = self.m.load(word, counter, ALIGNMENT);
        let more = self.m.icmp(IntPredicate::LLVMIntULT, number, turns);
        self.m.branch_if(more, body, exit);
        self.m.go_to(body);
        let current = self.m.add(start, self.m.mul(number, step));
        turn(self, current, next, exit);
        self.m.branch(next);
        self.m.go_to(next);
        let number = self.m.load(word, counter, ALIGNMENT);
        let following = self.m.add(number, self.m.i64(1));
        self.m.store(following, counter, ALIGNMENT);
        self.m.branch(head);
        self.m.go_to(exit);
    }

    fn uniform_for(&mut self, variable: VariableId, range: [ValueId; 3], body: &Block) {
        let literal = self.lanes.literal(range[2]);
        let range = range.map(|value| self.scalar(value));
        if let (true, Some(step @ (1 | -1))) = (self.kernel.is_host(), literal) {
            return self.count_by_one(variable, [range[0], range[1]], step, body);
        }
        self.count_together(range, literal, |emitter, current, next, exit| {
            let current = match emitter.lanes.variable(variable) {
                Shape::Varying => emitter.m.splat(current, emitter.width),
                Shape::Uniform | Shape::Linear(_) => current,
            };
            emitter.store_variable(variable, current);
            emitter.turn(None, next, exit, body);
        });
    }

    /// Emits a loop that lanes leave one by one. `head` switches off those that are done before a
    /// turn; `advance` runs after each.
    fn divergent_loop(
        &mut self,
        statement: &Statement,
        head: impl FnOnce(&mut Self),
        enter: impl FnOnce(&mut Self),
        advance: impl FnOnce(&mut Self),
        body: &Block,
    ) {
        let before = self.mask;
        let entered = self.mask_value();
        self.set_mask(entered);
        let continued = self.m.stack_slot(self.mask_type(), ALIGNMENT);
        let none = self.m.null(self.mask_type());
        self.m.store(none, continued, ALIGNMENT);
        let (top, turn, exit) = (self.m.block(), self.m.block(), self.m.block());
        self.m.branch(top);
        self.m.go_to(top);
        head(self);
        let on = self.mask_value();
        self.m.branch_if(self.any(on), turn, exit);
        self.m.go_to(turn);
        enter(self);
        self.turn(Some(continued), top, exit, body);
        let on = self.mask_value();
        let back = self.m.load(self.mask_type(), continued, ALIGNMENT);
        self.set_mask(self.m.or(on, back));
        self.m.store(none, continued, ALIGNMENT);
        advance(self);
        self.m.branch(top);
        self.m.go_to(exit);
        if holds_return(statement) {
            let returned = self.m.load(self.mask_type(), self.returned_slot, ALIGNMENT);
            self.set_mask(self.m.and(entered, self.m.not(returned)));
        } else {
            self.restore(before, entered);
        }
    }

    fn divergent_while(
        &mut self,
        statement: &Statement,
        before: &Block,
        condition: ValueId,
        body: &Block,
    ) {
        self.divergent_loop(
            statement,
            |emitter| {
                emitter.block(before);
                let on = emitter.mask_value();
                let condition = emitter.vector(condition);
                emitter.set_mask(emitter.m.and(on, condition));
            },
            |_| {},
            |_| {},
            body,
        );
    }

    /// A loop whose counter differs by `stride` from lane to lane and ends for all at the same number: while all
    /// lanes are in it, none is switched off.
    fn counted_for(
        &mut self,
        statement: &Statement,
        variable: VariableId,
        range: [ValueId; 3],
        stride: i64,
        body: &Block,
    ) {
        let literal = self.lanes.literal(range[2]);
        let [start, stop, step] = range.map(|value| self.scalar(value));
        let word = self.m.int(64);
        let counter = self.m.stack_slot(word, ALIGNMENT);
        self.m.store(start, counter, ALIGNMENT);
        // Additions that would wrap stop at the largest number, which is beyond no end.
        let plus = |emitter: &Self, a: Value, b: Value| {
            let kind = emitter.m.type_of(a);
            emitter.m.intrinsic("llvm.sadd.sat", &[kind], &[a, b])
        };
        let advance = |emitter: &Self| {
            let current = emitter.m.load(word, counter, ALIGNMENT);
            emitter
                .m
                .store(plus(emitter, current, step), counter, ALIGNMENT);
        };
        let span = stride.wrapping_mul(i64::from(self.width) - 1);
        if self.mask == Mask::Full {
            let values = self.values.clone();
            let (head, turn) = (self.m.block(), self.m.block());
            let (next, exit) = (self.m.block(), self.m.block());
            self.m.branch(head);
            self.m.go_to(head);
            let current = self.m.load(word, counter, ALIGNMENT);
            let last = plus(self, current, self.m.i64(span));
            let all = self.is_before([last, current], stop, step, literal);
            self.m.branch_if(all, turn, exit);
            self.m.go_to(turn);
            self.store_variable(variable, current);
            self.turn(None, next, exit, body);
            self.m.branch(next);
            self.m.go_to(next);
            advance(self);
            self.m.branch(head);
            self.m.go_to(exit);
            self.values = values;
        }
        let (ends, steps) = (
            self.m.splat(stop, self.width),
            self.m.splat(step, self.width),
        );
        self.divergent_loop(
            statement,
            |emitter| {
                let current = emitter.m.load(word, counter, ALIGNMENT);
                let first = emitter.m.splat(current, emitter.width);
                let lanes = plus(emitter, first, emitter.lane_numbers(word, stride));
                let more = emitter.is_before([lanes; 2], ends, steps, literal);
                let on = emitter.mask_value();
                emitter.set_mask(emitter.m.and(on, more));
            },
            |emitter| {
                let current = emitter.m.load(word, counter, ALIGNMENT);
                emitter.store_variable(variable, current);
            },
            |emitter| advance(emitter),
            body,
        );
    }

    /// Whether a loop that is at the first number while it counts up, or at the second while it counts down, has
    /// not come to its end.
    fn is_before(
        &self,
        [up, down]: [Value; 2],
        stop: Value,
        step: Value,
        literal: Option<i64>,
    ) -> Value {
        let m = &self.m;
        let up = m.icmp(IntPredicate::LLVMIntSLT, up, stop);
        let down = m.icmp(IntPredicate::LLVMIntSGT, down, stop);
        match literal {
            Some(step) if step > 0 => up,
            Some(step) if step < 0 => down,
            Some(_) => m.null(m.type_of(up)),
            None => {
                let none = m.null(m.type_of(step));
                let positive = m.icmp(IntPredicate::LLVMIntSGT, step, none);
                let negative = m.icmp(IntPredicate::LLVMIntSLT, step, none);
                m.or(m.and(positive, up), m.and(negative, down))
            }
        }
    }

    fn divergent_for(
        &mut self,
        statement: &Statement,
        variable: VariableId,
        range: [ValueId; 3],
        body: &Block,
    ) {
        // Counting up lane by lane takes no division. An addition that would wrap stops at the
        // largest number, which is beyond no end: the loop is over then.
        let literal = self.lanes.literal(range[2]);
        let [start, stop, step] = range.map(|value| self.vector(value));
        let kind = self.m.type_of(start);
        let counter = self.m.stack_slot(kind, ALIGNMENT);
        self.m.store(start, counter, ALIGNMENT);
        self.divergent_loop(
            statement,
            |emitter| {
                let current = emitter.m.load(kind, counter, ALIGNMENT);
                let more = emitter.is_before([current; 2], stop, step, literal);
                let on = emitter.mask_value();
                emitter.set_mask(emitter.m.and(on, more));
            },
            |emitter| {
                let current = emitter.m.load(kind, counter, ALIGNMENT);
                emitter.store_variable(variable, current);
            },
            |emitter| {
                let current = emitter.m.load(kind, counter, ALIGNMENT);
                let next = emitter
                    .m
                    .intrinsic("llvm.sadd.sat", &[kind], &[current, step]);
                emitter.m.store(next, counter, ALIGNMENT);
            },
            body,
        );
    }
}

/// Whether a block may run with all lanes off, and costs so little that it is not worth a jump.
fn is_cheap(block: &Block, emitter: &Emitter<'_>) -> bool {
    block.len() <= CHEAP
        && block.iter().all(|statement| match &statement.kind {
            StatementKind::Let { op, .. } => !matches!(op, colocate_ir::Op::Math(..)),
            StatementKind::Set { .. }
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return => true,
            StatementKind::Load { value, .. } => {
                emitter.lanes.value(*value) == Shape::Varying && block.len() <= CHEAP / 2
            }
            _ => false,
        })
}
