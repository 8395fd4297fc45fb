//! How a kernel with barriers is cut, and what must be kept from piece to piece. Knows the IR only.
//!
//! The body is cut into *pieces* without barriers. A statement with a barrier inside, or one with
//! which the whole group leaves a loop or the kernel, is the group's: it is executed once for all
//! items, and its blocks are cut in turn.

use crate::lanes::reads_before_writes;
use colocate_ir::uniformity::Uniformity;
use colocate_ir::{
    Kernel, Op, Statement, StatementKind, StorageClass, StorageId, ValueId, VariableId, walk,
};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Where something is kept between pieces.
#[derive(Clone, Copy)]
pub(super) enum Keep {
    /// In a stack slot: it is the same for the whole group.
    Group,
    /// At this many bytes for each item before it in the working memory.
    Item(usize),
}

/// How a kernel is cut.
pub(super) struct GroupPlan {
    /// Statements that are executed once for the group.
    pub group_level: HashSet<*const Statement>,
    pub values: BTreeMap<ValueId, Keep>,
    pub variables: BTreeMap<VariableId, Keep>,
    pub storage: BTreeMap<StorageId, usize>,
    /// Where each item keeps whether it has returned, if a return is inside a piece.
    pub returned: Option<usize>,
    /// Where each item keeps whether it has left the current turn of a loop of the group's.
    pub skips: HashMap<*const Statement, usize>,
    /// What values are made by, for those that are cheaper made again than kept.
    pub definitions: HashMap<ValueId, Op>,
    pub bytes_per_item: usize,
    /// Values of outside that a piece uses, by its first statement.
    pub imports: HashMap<*const Statement, Vec<ValueId>>,
    /// Variables that a piece touches, and whether it changes them.
    pub touched: HashMap<*const Statement, Vec<(VariableId, bool)>>,
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
                storage: BTreeMap::new(),
                returned: None,
                skips: HashMap::new(),
                definitions,
                bytes_per_item: 0,
                imports: HashMap::new(),
                touched: HashMap::new(),
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
