//! Work-groups of kernels with barriers.
//!
//! The body is cut into *pieces* without barriers. Each piece becomes a loop over the group's items;
//! a statement with a barrier inside (or one that jumps out of such a loop) is executed once for
//! the whole group, its blocks being cut in turn. A [`GroupPlan`] says what must be kept from
//! piece to piece: in a stack slot if it is the same for the whole group, else in working memory,
//! item by item.

use super::{ALIGNMENT, Emitter, Held, Mask};
use crate::lanes::{Shape, reads_before_writes};
use crate::llvm::{BasicBlock, IntPredicate, Value};
use colocate_ir::uniformity::Uniformity;
use colocate_ir::{
    Kernel, Op, Statement, StatementKind, StorageClass, StorageId, ValueId, VariableId, walk,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Where something is kept between pieces.
#[derive(Clone, Copy)]
enum Keep {
    /// In a stack slot: it is the same for the whole group. `None` until it is made.
    Group,
    /// At this many bytes for each item before it in the working memory.
    Item(usize),
}

/// How a kernel is cut.
pub(super) struct GroupPlan {
    /// Statements that are executed once for the group.
    group_level: HashSet<*const Statement>,
    values: BTreeMap<ValueId, Keep>,
    variables: BTreeMap<VariableId, Keep>,
    storage: HashMap<StorageId, usize>,
    /// Where each item keeps whether it has returned, if a return is inside a piece.
    returned: Option<usize>,
    /// Where each item keeps whether it has left the current turn of a loop of the group's.
    skips: HashMap<*const Statement, usize>,
    /// What values are made by, for those that are cheaper made again than kept.
    definitions: HashMap<ValueId, Op>,
    pub bytes_per_item: usize,
    /// Stack slots of what is the same for the group.
    group_values: HashMap<ValueId, Value>,
    group_variables: BTreeMap<VariableId, Value>,
    /// Values of outside that a piece uses, by its first statement.
    imports: HashMap<*const Statement, Vec<ValueId>>,
    /// Variables that a piece touches, and whether it changes them.
    touched: HashMap<*const Statement, Vec<(VariableId, bool)>>,
    loops: Vec<GroupLoop>,
    pub group_end: Option<BasicBlock>,
    /// The working memory's part for items, and how many items it is for.
    pub item_memory: Option<(Value, Value)>,
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

/// Whether a value is cheaper made again than kept.
fn is_remade(op: &Op) -> bool {
    matches!(
        op,
        Op::Literal(_) | Op::Param(..) | Op::Extent(..) | Op::Index(..)
    )
}

fn holds(statement: &Statement, what: fn(&StatementKind) -> bool) -> bool {
    let mut found = what(&statement.kind);
    for block in statement.kind.blocks() {
        walk(block, &mut |inner| found |= what(&inner.kind));
    }
    found
}

/// Finds what is executed once for the group, and the pieces between.
struct Cutter<'k> {
    uniformity: Uniformity,
    plan: GroupPlan,
    pieces: Vec<&'k [Statement]>,
    /// Used by control flow of the group.
    group_uses: BTreeSet<ValueId>,
    group_variables: BTreeSet<VariableId>,
}

impl<'k> Cutter<'k> {
    fn is_group_level(&self, statement: &Statement, in_loop: bool) -> bool {
        let barrier = |kind: &StatementKind| matches!(kind, StatementKind::Barrier { .. });
        let returns = |kind: &StatementKind| matches!(kind, StatementKind::Return);
        match &statement.kind {
            StatementKind::Barrier { .. } | StatementKind::Return => true,
            StatementKind::Break | StatementKind::Continue => in_loop,
            StatementKind::If { .. } | StatementKind::For { .. } | StatementKind::While { .. } => {
                holds(statement, barrier)
                    || in_loop && jumps_out(statement) && self.is_uniform(statement)
                    // A return of the whole group: no later condition of the group's is computed.
                    || holds(statement, returns) && self.is_uniform_throughout(statement)
            }
            _ => false,
        }
    }

    fn is_uniform(&self, statement: &Statement) -> bool {
        let uses = statement.kind.uses();
        uses.iter().all(|&value| self.uniformity.value(value))
    }

    /// Whether all items agree on all control flow in a statement. An `if` may hold others on which
    /// they do not: those are in pieces. In a loop they might leave it one by one.
    fn is_uniform_throughout(&self, statement: &Statement) -> bool {
        if matches!(statement.kind, StatementKind::If { .. }) {
            return self.is_uniform(statement);
        }
        let mut uniform = self.is_uniform(statement);
        for block in statement.kind.blocks() {
            walk(block, &mut |inner| {
                if !inner.kind.blocks().is_empty() {
                    uniform &= self.is_uniform(inner);
                }
            });
        }
        uniform
    }

    fn block(&mut self, block: &'k [Statement], around: Option<&'k Statement>) {
        let in_loop = around.is_some();
        let mut first = 0;
        for (position, statement) in block.iter().enumerate() {
            if !self.is_group_level(statement, in_loop) {
                continue;
            }
            self.piece(&block[first..position], around);
            first = position + 1;
            self.plan.group_level.insert(statement);
            match &statement.kind {
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.group_uses.insert(*condition);
                    self.block(then, around);
                    self.block(otherwise, around);
                }
                StatementKind::For {
                    variable,
                    start,
                    stop,
                    step,
                    body,
                } => {
                    self.group_uses.extend([*start, *stop, *step]);
                    self.group_variables.insert(*variable);
                    self.block(body, Some(statement));
                }
                StatementKind::While {
                    before,
                    condition,
                    body,
                } => {
                    self.group_uses.insert(*condition);
                    self.block(before, Some(statement));
                    self.block(body, Some(statement));
                }
                _ => {}
            }
        }
        self.piece(&block[first..], around);
    }

    fn piece(&mut self, statements: &'k [Statement], around: Option<&'k Statement>) {
        if statements.is_empty() {
            return;
        }
        self.pieces.push(statements);
        // Items that go on to the next turn on their own leave out the rest of this one.
        if let Some(around) = around
            && statements.iter().any(jumps_out)
        {
            let key = std::ptr::from_ref(around);
            if !self.plan.skips.contains_key(&key) {
                let offset = self.plan.reserve(1);
                self.plan.skips.insert(key, offset);
            }
        }
    }
}

/// Whether a statement holds a break or continue of a loop around it.
fn jumps_out(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break | StatementKind::Continue => true,
        StatementKind::If {
            then, otherwise, ..
        } => then.iter().chain(otherwise).any(jumps_out),
        _ => false,
    }
}

impl GroupPlan {
    /// Cuts a kernel; `None` if it has no barrier.
    pub fn new(kernel: &Kernel) -> Option<GroupPlan> {
        let mut barrier = false;
        let mut definitions = HashMap::new();
        walk(&kernel.body, &mut |statement| {
            barrier |= matches!(statement.kind, StatementKind::Barrier { .. });
            if let StatementKind::Let { value, op } = &statement.kind {
                definitions.insert(*value, op.clone());
            }
        });
        if !barrier {
            return None;
        }
        let mut cutter = Cutter {
            uniformity: Uniformity::of_group(kernel),
            plan: GroupPlan {
                group_level: HashSet::new(),
                values: BTreeMap::new(),
                variables: BTreeMap::new(),
                storage: HashMap::new(),
                returned: None,
                skips: HashMap::new(),
                definitions,
                bytes_per_item: 0,
                group_values: HashMap::new(),
                group_variables: BTreeMap::new(),
                imports: HashMap::new(),
                touched: HashMap::new(),
                loops: Vec::new(),
                group_end: None,
                item_memory: None,
            },
            pieces: Vec::new(),
            group_uses: BTreeSet::new(),
            group_variables: BTreeSet::new(),
        };
        cutter.block(&kernel.body, None);
        cutter.finish(kernel)
    }

    fn reserve(&mut self, bytes: usize) -> usize {
        let offset = self.bytes_per_item;
        self.bytes_per_item += bytes.next_multiple_of(8);
        offset
    }
}

impl Cutter<'_> {
    fn finish(mut self, kernel: &Kernel) -> Option<GroupPlan> {
        // In order: the same kernel gives the same code every time.
        let mut kept_values: BTreeSet<ValueId> = self.group_uses.clone();
        let mut kept_variables: BTreeSet<VariableId> = self.group_variables.clone();
        let mut seen_variables: HashMap<VariableId, usize> = HashMap::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            let mut defined = HashSet::new();
            let mut imports = Vec::new();
            let mut touched: HashMap<VariableId, bool> = HashMap::new();
            for statement in *piece {
                let mut visit = |inner: &Statement| {
                    for used in inner.kind.uses() {
                        if !defined.contains(&used) && !imports.contains(&used) {
                            imports.push(used);
                        }
                    }
                    defined.extend(inner.kind.defines());
                    match &inner.kind {
                        StatementKind::Let {
                            op: Op::Get(variable),
                            ..
                        } => {
                            touched.entry(*variable).or_insert(false);
                        }
                        StatementKind::Set { variable, .. }
                        | StatementKind::For { variable, .. } => {
                            touched.insert(*variable, true);
                        }
                        StatementKind::Return if self.plan.returned.is_none() => {
                            self.plan.returned = Some(usize::MAX);
                        }
                        _ => {}
                    }
                };
                visit_in_order(statement, &mut visit);
            }
            kept_variables.extend(reads_before_writes(piece));
            for &variable in touched.keys() {
                let first = *seen_variables.entry(variable).or_insert(number);
                if first != number {
                    kept_variables.insert(variable);
                }
            }
            let mut touched: Vec<_> = touched.into_iter().collect();
            touched.sort_unstable();
            let key = std::ptr::from_ref(&piece[0]);
            self.plan.touched.insert(key, touched);
            kept_values.extend(imports.iter().copied());
            self.plan
                .imports
                .insert(std::ptr::from_ref(&piece[0]), imports);
        }
        for value in kept_values {
            let remade = self.plan.definitions.get(&value).is_some_and(is_remade);
            let keep = if self.group_uses.contains(&value) || self.uniformity.value(value) {
                Keep::Group
            } else if remade {
                continue;
            } else {
                Keep::Item(self.plan.reserve(kernel.dtype(value).itemsize()))
            };
            self.plan.values.insert(value, keep);
        }
        let mut changed: HashSet<VariableId> = HashSet::new();
        for piece in &self.pieces {
            for statement in *piece {
                visit_in_order(statement, &mut |inner| match &inner.kind {
                    StatementKind::Set { variable, .. } | StatementKind::For { variable, .. } => {
                        changed.insert(*variable);
                    }
                    _ => {}
                });
            }
        }
        for variable in kept_variables {
            // Even if all items agree on it: each must change its own, or they would do so twice.
            let keep = if changed.contains(&variable) {
                let dtype = kernel.variables[variable.index()].dtype;
                Keep::Item(self.plan.reserve(dtype.itemsize()))
            } else {
                Keep::Group
            };
            self.plan.variables.insert(variable, keep);
        }
        for (index, storage) in kernel.storage.iter().enumerate() {
            if storage.class == StorageClass::Private {
                let offset = self.plan.reserve(storage.size() * storage.dtype.itemsize());
                self.plan.storage.insert(StorageId(index as u32), offset);
            }
        }
        if self.plan.returned.is_some() {
            self.plan.returned = Some(self.plan.reserve(1));
        }
        Some(self.plan)
    }
}

/// Visits a statement and those inside it in the order of execution: a loop's condition is
/// used after what computes it.
fn visit_in_order<'a>(statement: &'a Statement, visit: &mut impl FnMut(&'a Statement)) {
    if let StatementKind::While { before, body, .. } = &statement.kind {
        before.iter().for_each(|inner| visit_in_order(inner, visit));
        visit(statement);
        body.iter().for_each(|inner| visit_in_order(inner, visit));
        return;
    }
    visit(statement);
    for block in statement.kind.blocks() {
        block.iter().for_each(|inner| visit_in_order(inner, visit));
    }
}

impl Emitter<'_> {
    /// Makes the stack slots of what is the same for the group.
    pub(super) fn prepare_groups(&mut self) {
        let Some(mut plan) = self.plan.take() else {
            return;
        };
        for (&value, keep) in &plan.values {
            if matches!(keep, Keep::Group) {
                let kind = self.memory_type(self.kernel.dtype(value));
                plan.group_values
                    .insert(value, self.m.stack_slot(kind, ALIGNMENT));
            }
        }
        for (&variable, keep) in &plan.variables {
            if matches!(keep, Keep::Group) {
                let kind = self.memory_type(self.kernel.variables[variable.index()].dtype);
                plan.group_variables
                    .insert(variable, self.m.stack_slot(kind, ALIGNMENT));
            }
        }
        self.plan = Some(plan);
    }

    /// The beginning of a group: variables are zero, and nobody has returned.
    pub(super) fn begin_group(&mut self) {
        let Some(plan) = self.plan.take() else { return };
        for (variable, slot) in &plan.group_variables {
            let kind = self.memory_type(self.kernel.variables[variable.index()].dtype);
            self.m.store(self.m.null(kind), *slot, ALIGNMENT);
        }
        if plan.bytes_per_item > 0 {
            let (memory, items) = plan.item_memory.expect("made with the function");
            let bytes = self.m.mul(items, self.m.i64(plan.bytes_per_item as i64));
            let zero = self.m.null(self.m.int(8));
            let volatile = self.m.null(self.m.int(1));
            let overloads = [self.m.pointer(), self.m.int(64)];
            self.m
                .intrinsic("llvm.memset", &overloads, &[memory, zero, bytes, volatile]);
        }
        self.plan = Some(plan);
    }

    fn item_slot(&self, offset: usize, size: usize) -> Value {
        let plan = self
            .plan
            .as_ref()
            .expect("only cut kernels have item slots");
        let (memory, items) = plan.item_memory.expect("made with the function");
        let position = self.position.as_ref().expect("an item has a position");
        let region = self.m.mul(items, self.m.i64(offset as i64));
        let own = self.m.mul(position.slot, self.m.i64(size as i64));
        self.m
            .offset(self.m.int(8), memory, self.m.add(region, own))
    }

    /// Where a variable lives. What is kept item by item is in a stack slot during a piece.
    pub(super) fn variable_slot(&self, variable: VariableId) -> Value {
        let once = self
            .plan
            .as_ref()
            .and_then(|plan| plan.group_variables.get(&variable));
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
        let plan = self.plan.as_ref();
        plan.is_some_and(|plan| plan.group_variables.contains_key(&variable))
    }

    /// Keeps a value for other pieces, if any uses it.
    pub(super) fn remember(&mut self, value: ValueId, held: Held) {
        let Some(keep) = self.plan.as_ref().and_then(|plan| plan.values.get(&value)) else {
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
                let plan = self.plan.as_ref().expect("looked up in it");
                self.m.store(stored, plan.group_values[&value], alignment);
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
        let plan = self
            .plan
            .as_ref()
            .expect("verified: values are defined before they are used");
        let dtype = self.kernel.dtype(value);
        let shape = self.lanes.value(value);
        let alignment = dtype.itemsize() as u32;
        let (loaded, lanes) = match plan.values.get(&value).copied() {
            Some(Keep::Group) => {
                let slot = plan.group_values[&value];
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
                let op = plan.definitions[&value].clone();
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
        if let Some(offset) = self.plan.as_ref().and_then(|plan| plan.returned) {
            self.set_flag(offset);
        }
    }

    /// Notes that the lanes that are on have left the current turn of the group's loop; whether
    /// others may go on.
    pub(super) fn note_skip(&mut self) -> bool {
        let plan = self
            .plan
            .as_ref()
            .expect("only cut kernels have loops of the group's");
        let around = *plan.loops.last().expect("verified: inside a loop");
        let offset = plan.skips[&around.statement];
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
            let plan = self.plan.as_ref().expect("the kernel is cut");
            if !plan.group_level.contains(&std::ptr::from_ref(statement)) {
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
        let plan = self.plan.as_ref().expect("the kernel is cut");
        let imports = plan.imports[&std::ptr::from_ref(first)].clone();
        let skips = plan
            .loops
            .iter()
            .filter_map(|around| plan.skips.get(&around.statement));
        let flags: Vec<usize> = plan.returned.iter().chain(skips).copied().collect();
        let mut touched = Vec::new();
        for &(variable, changed) in &plan.touched[&std::ptr::from_ref(first)] {
            if let Some(Keep::Item(offset)) = plan.variables.get(&variable) {
                touched.push((variable, *offset, changed));
            }
        }
        let private: Vec<(StorageId, usize)> = plan
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
        let plan = self.plan.as_ref().expect("the kernel is cut");
        let slot = plan.group_values[&value];
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
                let [start, stop, step] = [start, stop, step].map(|value| self.group_value(*value));
                let turns = self.turns(start, stop, step, literal);
                let counter = self.m.stack_slot(self.m.int(64), ALIGNMENT);
                self.m.store(self.m.i64(0), counter, ALIGNMENT);
                let (head, turn) = (self.m.block(), self.m.block());
                let (next, exit) = (self.m.block(), self.m.block());
                self.m.branch(head);
                self.m.go_to(head);
                let number = self.m.load(self.m.int(64), counter, ALIGNMENT);
                let more = self.m.icmp(IntPredicate::LLVMIntULT, number, turns);
                self.m.branch_if(more, turn, exit);
                self.m.go_to(turn);
                let current = self.m.add(start, self.m.mul(number, step));
                self.set_for_group(*variable, current);
                self.group_turn(statement, next, exit, body);
                self.m.branch(next);
                self.m.go_to(next);
                let number = self.m.load(self.m.int(64), counter, ALIGNMENT);
                let following = self.m.add(number, self.m.i64(1));
                self.m.store(following, counter, ALIGNMENT);
                self.m.branch(head);
                self.m.go_to(exit);
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                let (head, turn, exit) = (self.m.block(), self.m.block(), self.m.block());
                self.m.branch(head);
                self.m.go_to(head);
                self.group_block(before);
                let condition = self.group_value(*condition);
                self.m.branch_if(condition, turn, exit);
                self.m.go_to(turn);
                self.group_turn(statement, head, exit, body);
                self.m.branch(head);
                self.m.go_to(exit);
            }
            StatementKind::Break | StatementKind::Continue => {
                let plan = self.plan.as_ref().expect("the kernel is cut");
                let around = *plan.loops.last().expect("verified: inside a loop");
                let leaves = matches!(statement.kind, StatementKind::Break);
                self.m
                    .branch(if leaves { around.exit } else { around.next });
                self.m.go_to(self.m.block());
            }
            StatementKind::Return => {
                let plan = self.plan.as_ref().expect("the kernel is cut");
                self.m.branch(plan.group_end.expect("made with the group"));
                self.m.go_to(self.m.block());
            }
            _ => unreachable!("only control flow and barriers are the group's"),
        }
    }

    /// Sets a loop's variable for all items.
    fn set_for_group(&mut self, variable: VariableId, current: Value) {
        let plan = self.plan.as_ref().expect("the kernel is cut");
        let offset = match plan.variables[&variable] {
            Keep::Group => {
                let slot = plan.group_variables[&variable];
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
        let plan = self.plan.as_mut().expect("the kernel is cut");
        plan.loops.push(GroupLoop {
            statement,
            next,
            exit,
            divergent,
        });
        self.group_block(body);
        let plan = self.plan.as_mut().expect("the kernel is cut");
        plan.loops.pop();
    }

    /// At the beginning of a turn all items take part again.
    fn clear_skips(&mut self, statement: &Statement) {
        let plan = self.plan.as_ref().expect("the kernel is cut");
        let Some(&offset) = plan.skips.get(&std::ptr::from_ref(statement)) else {
            return;
        };
        let (memory, items) = plan.item_memory.expect("made with the function");
        let m = &self.m;
        let first = m.offset(m.int(8), memory, m.mul(items, m.i64(offset as i64)));
        let (zero, volatile) = (m.null(m.int(8)), m.null(m.int(1)));
        let overloads = [m.pointer(), m.int(64)];
        m.intrinsic("llvm.memset", &overloads, &[first, zero, items, volatile]);
    }
}
