//! Work-groups of kernels with barriers: each piece of the plan becomes a loop over the group's
//! items, and what is the group's is executed once for all of them.

use super::group_plan::{GroupPlan, Keep};
use super::{ALIGNMENT, Emitter, Held, Mask};
use crate::lanes::Shape;
use crate::llvm::{BasicBlock, IntPredicate, Value};
use colocate_ir::{Kernel, Statement, StatementKind, StorageId, ValueId, VariableId};
use std::collections::{BTreeMap, HashMap};

/// A plan being carried out.
pub(super) struct Groups {
    pub plan: GroupPlan,
    /// Stack slots of what is the same for the group.
    values: HashMap<ValueId, Value>,
    variables: BTreeMap<VariableId, Value>,
    loops: Vec<GroupLoop>,
    pub group_end: Option<BasicBlock>,
    /// The working memory's part for items, and how many items it is for.
    pub item_memory: Option<(Value, Value)>,
}

impl Groups {
    /// `None` if the kernel has no barrier.
    pub fn new(kernel: &Kernel) -> Option<Groups> {
        Some(Groups {
            plan: GroupPlan::new(kernel)?,
            values: HashMap::new(),
            variables: BTreeMap::new(),
            loops: Vec::new(),
            group_end: None,
            item_memory: None,
        })
    }
}

/// A loop of the group's around the statement being emitted.
#[derive(Clone, Copy)]
struct GroupLoop {
    statement: *const Statement,
    next: BasicBlock,
    exit: BasicBlock,
    /// Whether lanes part in it.
    divergent: bool,
}

impl Emitter<'_> {
    /// Makes the stack slots of what is the same for the group.
    pub(super) fn prepare_groups(&mut self) {
        let Some(mut groups) = self.groups.take() else {
            return;
        };
        for (&value, keep) in &groups.plan.values {
            if matches!(keep, Keep::Group) {
                let kind = self.memory_type(self.kernel.dtype(value));
                groups
                    .values
                    .insert(value, self.m.stack_slot(kind, ALIGNMENT));
            }
        }
        for (&variable, keep) in &groups.plan.variables {
            if matches!(keep, Keep::Group) {
                let kind = self.memory_type(self.kernel.variables[variable.index()].dtype);
                groups
                    .variables
                    .insert(variable, self.m.stack_slot(kind, ALIGNMENT));
            }
        }
        self.groups = Some(groups);
    }

    /// The beginning of a group: variables are zero, and nobody has returned.
    pub(super) fn begin_group(&mut self) {
        let Some(groups) = self.groups.take() else {
            return;
        };
        for (variable, slot) in &groups.variables {
            let kind = self.memory_type(self.kernel.variables[variable.index()].dtype);
            self.m.store(self.m.null(kind), *slot, ALIGNMENT);
        }
        if groups.plan.bytes_per_item > 0 {
            let (memory, items) = groups.item_memory.expect("made with the function");
            let bytes = self
                .m
                .mul(items, self.m.i64(groups.plan.bytes_per_item as i64));
            let zero = self.m.null(self.m.int(8));
            let volatile = self.m.null(self.m.int(1));
            let overloads = [self.m.pointer(), self.m.int(64)];
            self.m
                .intrinsic("llvm.memset", &overloads, &[memory, zero, bytes, volatile]);
        }
        self.groups = Some(groups);
    }

    fn item_slot(&self, offset: usize, size: usize) -> Value {
        let groups = self
            .groups
            .as_ref()
            .expect("only cut kernels have item slots");
        let (memory, items) = groups.item_memory.expect("made with the function");
        let position = self.position.as_ref().expect("an item has a position");
        let region = self.m.mul(items, self.m.i64(offset as i64));
        let own = self.m.mul(position.slot, self.m.i64(size as i64));
        self.m
            .offset(self.m.int(8), memory, self.m.add(region, own))
    }

    /// Where a variable lives. What is kept item by item is in a stack slot during a piece.
    pub(super) fn variable_slot(&self, variable: VariableId) -> Value {
        let once = self
            .groups
            .as_ref()
            .and_then(|groups| groups.variables.get(&variable));
        once.copied().unwrap_or(self.variables[variable.index()])
    }

    /// Copies a variable between its stack slot and where the item keeps it. In a piece it lives on
    /// the stack, where it becomes a register: the item's memory may alias whatever is stored.
    fn copy_kept(&mut self, variable: VariableId, offset: usize, to_item: bool) {
        let dtype = self.kernel.variables[variable.index()].dtype;
        let lanes = self.lanes_of(self.lanes.variable(variable));
        let kind = self.m.vector(self.memory_type(dtype), lanes);
        let (stack, item) = (
            self.variables[variable.index()],
            self.item_slot(offset, dtype.itemsize()),
        );
        let alignment = dtype.itemsize() as u32;
        if to_item {
            let value = self.m.load(kind, stack, ALIGNMENT);
            self.m.store(value, item, alignment);
        } else {
            let value = self.m.load(kind, item, alignment);
            self.m.store(value, stack, ALIGNMENT);
        }
    }

    /// Keeps what a piece has changed.
    pub(super) fn end_item_of_piece(&mut self) {
        for (variable, offset) in self.changed_in_piece.clone() {
            self.copy_kept(variable, offset, true);
        }
    }

    /// Whether a variable is kept once for the whole group, whatever its lanes would do.
    pub(super) fn is_kept_once(&self, variable: VariableId) -> bool {
        let groups = self.groups.as_ref();
        groups.is_some_and(|groups| groups.variables.contains_key(&variable))
    }

    /// Keeps a value for other pieces, if any uses it.
    pub(super) fn remember(&mut self, value: ValueId, held: Held) {
        let Some(keep) = self
            .groups
            .as_ref()
            .and_then(|groups| groups.plan.values.get(&value))
        else {
            return;
        };
        let dtype = self.kernel.dtype(value);
        let alignment = dtype.itemsize() as u32;
        let (vector, lanes) = match held {
            Held::Uniform(scalar) | Held::Linear(scalar, _) => (scalar, 1),
            Held::Varying(vector) => (vector, self.width),
        };
        match *keep {
            Keep::Group => {
                let first = match lanes {
                    1 => vector,
                    _ => self.m.extract_element(vector, self.m.i32(0)),
                };
                let stored = self.write_bools(first, dtype, 1);
                let groups = self.groups.as_ref().expect("looked up in it");
                self.m.store(stored, groups.values[&value], alignment);
            }
            Keep::Item(offset) => {
                let slot = self.item_slot(offset, dtype.itemsize());
                let stored = self.write_bools(vector, dtype, lanes);
                self.m.store(stored, slot, alignment);
            }
        }
    }

    /// Brings a value of another piece here.
    pub(super) fn recall(&mut self, value: ValueId) -> Held {
        let groups = self
            .groups
            .as_ref()
            .expect("verified: values are defined before they are used");
        let dtype = self.kernel.dtype(value);
        let shape = self.lanes.value(value);
        let alignment = dtype.itemsize() as u32;
        let (loaded, lanes) = match groups.plan.values.get(&value).copied() {
            Some(Keep::Group) => {
                let slot = groups.values[&value];
                let one = self.m.load(self.memory_type(dtype), slot, alignment);
                let one = self.read_bools(one, dtype, 1);
                let held = match shape {
                    Shape::Varying => Held::Varying(self.m.splat(one, self.width)),
                    _ => Held::Uniform(one),
                };
                self.values[value.index()] = Some(held);
                return held;
            }
            Some(Keep::Item(offset)) => {
                let lanes = self.lanes_of(shape);
                let slot = self.item_slot(offset, dtype.itemsize());
                let kind = self.m.vector(self.memory_type(dtype), lanes);
                (self.m.load(kind, slot, alignment), lanes)
            }
            None => {
                let op = groups.plan.definitions[&value].clone();
                self.operation(value, &op);
                return self.values[value.index()].expect("just defined");
            }
        };
        let loaded = self.read_bools(loaded, dtype, lanes);
        let held = match shape {
            Shape::Uniform => Held::Uniform(loaded),
            Shape::Linear(stride) => Held::Linear(loaded, stride),
            Shape::Varying => Held::Varying(loaded),
        };
        self.values[value.index()] = Some(held);
        held
    }

    /// Notes that the lanes that are on have returned, for the pieces to come.
    pub(super) fn note_return(&mut self) {
        if let Some(offset) = self.groups.as_ref().and_then(|groups| groups.plan.returned) {
            self.set_flag(offset);
        }
    }

    /// Notes that the lanes that are on have left the current turn of the group's loop; whether
    /// others may go on.
    pub(super) fn note_skip(&mut self) -> bool {
        let groups = self
            .groups
            .as_ref()
            .expect("only cut kernels have loops of the group's");
        let around = *groups.loops.last().expect("verified: inside a loop");
        let offset = groups.plan.skips[&around.statement];
        self.set_flag(offset);
        around.divergent
    }

    /// Sets an item's flag in the lanes that are on.
    fn set_flag(&mut self, offset: usize) {
        let slot = self.item_slot(offset, 1);
        let bytes = self.m.vector(self.m.int(8), self.width);
        let on = self.mask_value();
        let before = self.m.load(bytes, slot, 1);
        let after = self.m.or(before, self.m.zext(on, bytes));
        self.m.store(after, slot, 1);
    }

    /// Emits a block of the group's.
    pub(super) fn group_block(&mut self, block: &[Statement]) {
        let mut first = 0;
        for (position, statement) in block.iter().enumerate() {
            let groups = self.groups.as_ref().expect("the kernel is cut");
            if !groups
                .plan
                .group_level
                .contains(&std::ptr::from_ref(statement))
            {
                continue;
            }
            self.piece(&block[first..position]);
            first = position + 1;
            self.group_statement(statement);
        }
        self.piece(&block[first..]);
    }

    fn piece(&mut self, statements: &[Statement]) {
        let Some(first) = statements.first() else {
            return;
        };
        let groups = self.groups.as_ref().expect("the kernel is cut");
        let imports = groups.plan.imports[&std::ptr::from_ref(first)].clone();
        let skips = groups
            .loops
            .iter()
            .filter_map(|around| groups.plan.skips.get(&around.statement));
        let flags: Vec<usize> = groups.plan.returned.iter().chain(skips).copied().collect();
        let mut touched = Vec::new();
        for &(variable, changed) in &groups.plan.touched[&std::ptr::from_ref(first)] {
            if let Some(Keep::Item(offset)) = groups.plan.variables.get(&variable) {
                touched.push((variable, *offset, changed));
            }
        }
        let private: Vec<(StorageId, usize)> = groups
            .plan
            .storage
            .iter()
            .map(|(&id, &offset)| (id, offset))
            .collect();
        let changed = touched.iter().filter(|(_, _, changed)| *changed);
        self.changed_in_piece = changed
            .map(|&(variable, offset, _)| (variable, offset))
            .collect();
        self.for_items(&mut |emitter| {
            emitter.values.fill(None);
            for &(variable, offset, _) in &touched {
                emitter.copy_kept(variable, offset, false);
            }
            for &(id, offset) in &private {
                let storage = &emitter.kernel.storage[id.index()];
                let bytes = storage.size() * storage.dtype.itemsize();
                emitter.storage[id.index()] = emitter.item_slot(offset, bytes);
            }
            for &offset in &flags {
                emitter.leave_out_flagged(offset);
            }
            for &value in &imports {
                emitter.held(value);
            }
            emitter.block(statements);
        });
        self.changed_in_piece.clear();
        self.values.fill(None);
    }

    /// Leaves out the items that have a flag set.
    fn leave_out_flagged(&mut self, offset: usize) {
        let slot = self.item_slot(offset, 1);
        let bytes = self.m.vector(self.m.int(8), self.width);
        let flags = self.m.load(bytes, slot, 1);
        let here = self
            .m
            .icmp(IntPredicate::LLVMIntEQ, flags, self.m.null(bytes));
        let go_on = self.m.block();
        if self.width == 1 {
            self.m.branch_if(here, go_on, self.item_end);
        } else {
            let before = self.mask_value();
            let on = self.m.and(before, here);
            self.m.store(on, self.mask_slot, ALIGNMENT);
            self.mask = Mask::Slot;
            let packed = self.m.bitcast(on, self.m.int(self.width));
            let none = self.m.null(self.m.int(self.width));
            let any = self.m.icmp(IntPredicate::LLVMIntNE, packed, none);
            self.m.branch_if(any, go_on, self.item_end);
        }
        self.m.go_to(go_on);
    }

    fn group_value(&mut self, value: ValueId) -> Value {
        let groups = self.groups.as_ref().expect("the kernel is cut");
        let slot = groups.values[&value];
        let dtype = self.kernel.dtype(value);
        let stored = self
            .m
            .load(self.memory_type(dtype), slot, dtype.itemsize() as u32);
        self.read_bools(stored, dtype, 1)
    }

    fn group_statement(&mut self, statement: &Statement) {
        match &statement.kind {
            // All items of the pieces before have run: there is nothing to wait for.
            StatementKind::Barrier { .. } => {}
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.group_value(*condition);
                let (a, b, end) = (self.m.block(), self.m.block(), self.m.block());
                self.m.branch_if(condition, a, b);
                for (entry, block) in [(a, then), (b, otherwise)] {
                    self.m.go_to(entry);
                    self.group_block(block);
                    self.m.branch(end);
                }
                self.m.go_to(end);
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let literal = self.lanes.literal(*step);
                let range = [start, stop, step].map(|value| self.group_value(*value));
                self.count_together(range, literal, |emitter, current, next, exit| {
                    emitter.set_for_group(*variable, current);
                    emitter.group_turn(statement, next, exit, body);
                });
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                let (head, turn, exit) = (self.m.block(), self.m.block(), self.m.block());
                self.m.branch(head);
                self.m.go_to(head);
                // If all items have returned, nobody computes the condition: then it is false.
                let groups = self.groups.as_ref().expect("the kernel is cut");
                let slot = groups.values[condition];
                self.m.store(self.m.null(self.m.int(8)), slot, 1);
                self.group_block(before);
                let condition = self.group_value(*condition);
                self.m.branch_if(condition, turn, exit);
                self.m.go_to(turn);
                self.group_turn(statement, head, exit, body);
                self.m.branch(head);
                self.m.go_to(exit);
            }
            StatementKind::Break | StatementKind::Continue => {
                let groups = self.groups.as_ref().expect("the kernel is cut");
                let around = *groups.loops.last().expect("verified: inside a loop");
                let leaves = matches!(statement.kind, StatementKind::Break);
                self.m
                    .branch(if leaves { around.exit } else { around.next });
                self.m.go_to(self.m.block());
            }
            StatementKind::Return => {
                let groups = self.groups.as_ref().expect("the kernel is cut");
                self.m
                    .branch(groups.group_end.expect("made with the group"));
                self.m.go_to(self.m.block());
            }
            _ => unreachable!("only control flow and barriers are the group's"),
        }
    }

    /// Sets a loop's variable for all items.
    fn set_for_group(&mut self, variable: VariableId, current: Value) {
        let groups = self.groups.as_ref().expect("the kernel is cut");
        let offset = match groups.plan.variables[&variable] {
            Keep::Group => {
                let slot = groups.variables[&variable];
                self.m.store(current, slot, ALIGNMENT);
                return;
            }
            Keep::Item(offset) => offset,
        };
        self.for_items(&mut |emitter| {
            let current = match emitter.lanes.variable(variable) {
                Shape::Varying => emitter.m.splat(current, emitter.width),
                Shape::Uniform | Shape::Linear(_) => current,
            };
            let slot = emitter.item_slot(offset, 8);
            emitter.m.store(current, slot, 8);
        });
    }

    fn group_turn(
        &mut self,
        statement: &Statement,
        next: BasicBlock,
        exit: BasicBlock,
        body: &[Statement],
    ) {
        self.clear_skips(statement);
        let divergent = self.lanes.is_divergent(statement);
        let groups = self.groups.as_mut().expect("the kernel is cut");
        groups.loops.push(GroupLoop {
            statement,
            next,
            exit,
            divergent,
        });
        self.group_block(body);
        let groups = self.groups.as_mut().expect("the kernel is cut");
        groups.loops.pop();
    }

    /// At the beginning of a turn all items take part again.
    fn clear_skips(&mut self, statement: &Statement) {
        let groups = self.groups.as_ref().expect("the kernel is cut");
        let Some(&offset) = groups.plan.skips.get(&std::ptr::from_ref(statement)) else {
            return;
        };
        let (memory, items) = groups.item_memory.expect("made with the function");
        let m = &self.m;
        let first = m.offset(m.int(8), memory, m.mul(items, m.i64(offset as i64)));
        let (zero, volatile) = (m.null(m.int(8)), m.null(m.int(1)));
        let overloads = [m.pointer(), m.int(64)];
        m.intrinsic("llvm.memset", &overloads, &[first, zero, items, volatile]);
    }
}
