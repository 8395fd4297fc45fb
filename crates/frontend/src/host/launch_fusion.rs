//! Launches over one index space become one, so that their arrays are gone through once.
//!
//! A launch is put off until the next one that it fits, past whatever neither changes what it reads nor
//! looks at what it writes; what uses its results is put off with it. Where it is known only when the
//! program runs that two launches fit, because extents must be equal, both ways are there.

use crate::host::array_roots::ArrayRoots;
use crate::host::joined_regions::joined;
use crate::program::{Call, Program, RegionParameter};
use colocate_ir::{
    BinaryOp, Block, CallResult, CompareOp, DType, Kernel, LocalId, Op, Site, Statement,
    StatementKind, ValueId, VariableId, walk,
};
use std::collections::{HashMap, HashSet};

/// How deep the reasons are followed why two numbers are the same.
const FUEL: usize = 12;

/// Fuses what can be fused.
pub(crate) fn fuse(program: &mut Program) {
    let mut definitions = HashMap::new();
    walk(&program.host.body, &mut |statement| {
        if let StatementKind::Let { value, op } = &statement.kind {
            definitions.insert(*value, op.clone());
        }
    });
    let mut body = std::mem::take(&mut program.host.body);
    program.host.body = body.clone();
    let roots = ArrayRoots::of(program);
    let mut fusion = Fusion {
        program,
        definitions,
        roots,
        fused: false,
    };
    fusion.block(&mut body);
    let fused = fusion.fused;
    program.host.body = body;
    if fused {
        drop_unused_regions(program);
    }
}

struct Fusion<'p> {
    program: &'p mut Program,
    definitions: HashMap<ValueId, Op>,
    roots: ArrayRoots,
    fused: bool,
}

/// A launch, or one of several ways to do the same, of which the first is taken if a condition holds.
#[derive(Clone)]
struct Unit {
    statement: Statement,
    condition: Option<ValueId>,
    launch: Statement,
    region: usize,
    otherwise: Block,
}

impl Unit {
    /// What is done if the condition does not hold.
    fn slow(&self) -> Block {
        match self.condition {
            Some(_) => self.otherwise.clone(),
            None => vec![self.launch.clone()],
        }
    }

    fn words(&self) -> &[ValueId] {
        match &self.launch.kind {
            StatementKind::Call { arguments, .. } => arguments,
            _ => &[],
        }
    }

    fn results(&self) -> &[CallResult] {
        match &self.launch.kind {
            StatementKind::Call { results, .. } => results,
            _ => &[],
        }
    }
}

/// What launches do with an array.
struct Touch {
    local: LocalId,
    writes: bool,
}

/// What is met between two launches.
#[derive(Default)]
struct Between {
    /// What is put off until after the second one.
    values: HashSet<ValueId>,
    variables: HashSet<VariableId>,
    positions: Vec<usize>,
    /// Where an exception may be raised.
    raising: Vec<usize>,
    /// Locals that became other arrays.
    rebound: HashSet<LocalId>,
}

impl Between {
    /// Whether a statement, or one inside it, needs something that is put off.
    fn holds(&self, statement: &Statement) -> bool {
        let mut held = false;
        visit(statement, &mut |one| {
            held |= match &one.kind {
                StatementKind::Let {
                    op: Op::Get(variable),
                    ..
                } => self.variables.contains(variable),
                kind => kind.uses().iter().any(|value| self.values.contains(value)),
            };
        });
        held
    }
}

impl Fusion<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block.iter_mut() {
            for inside in statement.kind.blocks_mut() {
                self.block(inside);
            }
        }
        self.hoist_numbers(block);
        let mut position = 0;
        while position < block.len() {
            if !self.fuse_from(block, position) {
                position += 1;
            }
        }
    }

    /// Brings the numbers that alternatives of launches need before the condition.
    fn hoist_numbers(&self, block: &mut Block) {
        let mut made = Vec::with_capacity(block.len());
        for mut statement in std::mem::take(block) {
            if matches!(statement.kind, StatementKind::If { .. }) && self.only_launches(&statement)
            {
                take_numbers(&mut statement, &mut made);
            }
            made.push(statement);
        }
        *block = made;
    }

    /// Whether a statement is launches, conditions on them, and numbers for them.
    fn only_launches(&self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Let { op, .. } => !matches!(
                op,
                Op::Get(_) | Op::Binary(BinaryOp::Quotient | BinaryOp::Remainder, ..)
            ),
            StatementKind::Call { .. } => self.launched(statement).is_some(),
            StatementKind::If {
                then, otherwise, ..
            } => then
                .iter()
                .chain(otherwise)
                .all(|one| self.only_launches(one)),
            _ => false,
        }
    }

    /// The region of a launch.
    fn launched(&self, statement: &Statement) -> Option<usize> {
        let StatementKind::Call { callee, .. } = &statement.kind else {
            return None;
        };
        let callee = *callee as usize;
        match self.program.calls.get(callee) {
            Some(Call::Launch { region }) if !self.program.guarded.contains(&callee) => {
                Some(*region)
            }
            _ => None,
        }
    }

    fn unit(&self, statement: &Statement) -> Option<Unit> {
        let (condition, launch, otherwise) = match &statement.kind {
            StatementKind::If {
                condition,
                then,
                otherwise,
            } if !otherwise.is_empty() && self.only_launches(statement) => match &then[..] {
                [launch] => (Some(*condition), launch, otherwise.clone()),
                _ => return None,
            },
            _ => (None, statement, Block::new()),
        };
        Some(Unit {
            statement: statement.clone(),
            condition,
            launch: launch.clone(),
            region: self.launched(launch)?,
            otherwise,
        })
    }

    /// Fuses the launch at a position with the next one that it fits, if it is one and there is one.
    fn fuse_from(&mut self, block: &mut Block, first: usize) -> bool {
        let Some(unit) = self.unit(&block[first]) else {
            return false;
        };
        let touched = self.touched(&unit.statement);
        let mut between = Between::default();
        visit(&unit.statement, &mut |one| {
            between.variables.extend(one.kind.sets());
        });
        for second in first + 1..block.len() {
            if let Some(other) = self.unit(&block[second])
                && !between.holds(&block[second])
                && let Some(equal) = self.over_the_same(&unit, &other, &between)
                && self.join(block, [first, second], [&unit, &other], &equal, &between)
            {
                return true;
            }
            if !self.passes(&block[second], &touched, &mut between, second) {
                return false;
            }
        }
        false
    }

    /// The arrays that the launches in a statement touch.
    fn touched(&self, statement: &Statement) -> Vec<Touch> {
        let mut found = Vec::new();
        visit(statement, &mut |one| {
            let Some(region) = self.launched(one) else {
                return;
            };
            for parameter in &self.program.regions[region].parameters {
                if let RegionParameter::Array { local, writes, .. } = parameter {
                    found.push(Touch {
                        local: *local,
                        writes: *writes,
                    });
                }
            }
        });
        found
    }

    /// Whether two launches are over the same extents: which pairs must be equal for that, beyond what is
    /// known.
    fn over_the_same(
        &self,
        a: &Unit,
        b: &Unit,
        between: &Between,
    ) -> Option<Vec<(ValueId, ValueId)>> {
        let [first, second] = [a, b].map(|unit| &self.program.regions[unit.region]);
        let rank = usize::from(first.kernel.rank);
        if rank != usize::from(second.kernel.rank) {
            return None;
        }
        let mut pairs = Vec::new();
        for (x, y) in a.words()[..rank].iter().zip(&b.words()[..rank]) {
            if self.same(*x, *y, between, FUEL) {
                continue;
            }
            let literal = |value| matches!(self.definitions.get(value), Some(Op::Literal(_)));
            if literal(x) && literal(y) {
                return None;
            }
            pairs.push((*x, *y));
        }
        // Extents that are not known to be equal most likely are if each item of both has its own element of an
        // array.
        let aligned = |parameter: &RegionParameter| match parameter {
            RegionParameter::Array {
                local,
                aligned: true,
                ..
            } => Some(*local),
            _ => None,
        };
        let own: Vec<LocalId> = first.parameters.iter().filter_map(aligned).collect();
        let mut others = second.parameters.iter().filter_map(aligned);
        (pairs.is_empty() || others.any(|local| own.contains(&local))).then_some(pairs)
    }

    /// Whether two values are the same number.
    fn same(&self, a: ValueId, b: ValueId, between: &Between, fuel: usize) -> bool {
        if a == b {
            return true;
        }
        let (Some(x), Some(y)) = (self.definitions.get(&a), self.definitions.get(&b)) else {
            return false;
        };
        if fuel == 0 {
            return false;
        }
        match (x, y) {
            (Op::Get(_), _) | (_, Op::Get(_)) => false,
            (Op::Literal(x), Op::Literal(y)) => x == y,
            (Op::Extent(x, i), Op::Extent(y, j)) => {
                let rebound = match x {
                    colocate_ir::ArrayRef::Local(local) => between.rebound.contains(local),
                    _ => false,
                };
                x == y && i == j && !rebound
            }
            _ => {
                let (first, second) = (x.operands(), y.operands());
                let mut pairs = first.iter().zip(&second);
                !first.is_empty()
                    && first.len() == second.len()
                    && with_operands(x, &second) == *y
                    && pairs.all(|(a, b)| self.same(*a, *b, between, fuel - 1))
            }
        }
    }

    /// Whether a launch may be put off past a statement, which is put off, too, if it needs the results.
    fn passes(
        &self,
        statement: &Statement,
        touched: &[Touch],
        between: &mut Between,
        position: usize,
    ) -> bool {
        let held = between.holds(statement);
        match &statement.kind {
            StatementKind::Let { value, .. } => {
                if held {
                    between.values.insert(*value);
                    between.positions.push(position);
                }
                true
            }
            StatementKind::Set { variable, .. } => {
                if held {
                    between.variables.insert(*variable);
                    between.positions.push(position);
                    return true;
                }
                !between.variables.contains(variable)
            }
            StatementKind::If { .. } if held => false,
            StatementKind::If {
                then, otherwise, ..
            } => {
                if self.only_launches(statement) {
                    return self.keeps_apart(statement, touched);
                }
                let mut fine = true;
                for block in [then, otherwise] {
                    let mut raises = false;
                    walk(block, &mut |inside| {
                        fine &= match &inside.kind {
                            StatementKind::Let { .. } | StatementKind::Return => true,
                            StatementKind::Call { callee, .. } => {
                                raises = true;
                                let call = self.program.calls.get(*callee as usize);
                                matches!(call, Some(Call::Raise { .. }))
                            }
                            _ => false,
                        };
                    });
                    fine &= !raises || leaves(block);
                }
                between.raising.push(position);
                fine
            }
            StatementKind::Call {
                callee, results, ..
            } => match self.program.calls.get(*callee as usize) {
                Some(Call::Release { .. }) => {
                    between.positions.push(position);
                    true
                }
                Some(Call::Launch { .. }) => {
                    !held
                        && self.launched(statement).is_some()
                        && self.keeps_apart(statement, touched)
                }
                // Memory may be short, and the program's own arrays are seen then.
                Some(Call::Allocate { .. })
                    if touched
                        .iter()
                        .any(|touch| touch.writes && !self.roots.is_made(touch.local)) =>
                {
                    false
                }
                Some(Call::Allocate { .. } | Call::View { .. }) if !held => {
                    results.iter().all(|result| match result {
                        CallResult::Local(local) => {
                            between.rebound.insert(*local);
                            touched.iter().all(|touch| touch.local != *local)
                        }
                        CallResult::Variable(_) => true,
                    })
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether launches neither change what others touch nor touch what those change.
    fn keeps_apart(&self, statement: &Statement, touched: &[Touch]) -> bool {
        let others = self.touched(statement);
        touched.iter().all(|a| {
            others
                .iter()
                .all(|b| !(a.writes || b.writes) || !self.roots.may_share(a.local, b.local))
        })
    }

    fn join(
        &mut self,
        block: &mut Block,
        [first, second]: [usize; 2],
        [a, b]: [&Unit; 2],
        equal: &[(ValueId, ValueId)],
        between: &Between,
    ) -> bool {
        let regions = &self.program.regions;
        let (one, other) = (&regions[a.region], &regions[b.region]);
        let rank = usize::from(one.kernel.rank);
        let Some(region) = joined(one, other, &self.roots) else {
            return false;
        };
        let writes = self.touched(&a.statement).iter().any(|touch| touch.writes);
        let site = b.launch.site;
        let mut arguments = a.words().to_vec();
        arguments.extend(&b.words()[rank..]);
        let mut results = a.results().to_vec();
        results.extend(b.results());
        let callee = self.program.calls.len() as u32;
        self.program.calls.push(Call::Launch {
            region: self.program.regions.len(),
        });
        self.program.regions.push(region);
        let launch = Statement {
            kind: StatementKind::Call {
                callee,
                arguments,
                results,
            },
            site,
        };
        let one_condition = match (a.condition, b.condition) {
            (Some(x), Some(y)) => self.same(x, y, between, FUEL),
            _ => true,
        };
        let mut conditions: Vec<ValueId> = a.condition.into_iter().collect();
        conditions.extend(
            b.condition
                .filter(|_| a.condition.is_none() || !one_condition),
        );
        let mut fused = Block::new();
        for (x, y) in equal {
            let op = Op::Compare(CompareOp::Equal, *x, *y);
            conditions.push(self.number(op, site, &mut fused));
        }
        let all = conditions.into_iter().reduce(|all, condition| {
            let op = Op::Binary(BinaryOp::BitAnd, all, condition);
            self.number(op, site, &mut fused)
        });
        match all {
            None => fused.push(launch),
            Some(condition) => {
                for unit in [a, b] {
                    self.program.regions[unit.region].rare = true;
                }
                let otherwise = match one_condition && equal.is_empty() {
                    true => [a.slow(), b.slow()].concat(),
                    false => vec![a.statement.clone(), b.statement.clone()],
                };
                fused.push(Statement {
                    kind: StatementKind::If {
                        condition,
                        then: vec![launch],
                        otherwise,
                    },
                    site,
                });
            }
        }
        let seen_early = writes && !between.raising.is_empty();
        if seen_early {
            self.program.regions[a.region].rare = true;
        }
        let mut made = Vec::with_capacity(block.len());
        let mut after = Vec::new();
        for (position, mut statement) in std::mem::take(block).into_iter().enumerate() {
            match position {
                _ if position == first => {}
                _ if position == second => {
                    made.append(&mut fused);
                    made.append(&mut after);
                }
                _ if between.positions.contains(&position) => after.push(statement),
                _ => {
                    // Whoever catches the exception sees what was written before it.
                    if seen_early && between.raising.contains(&position) {
                        for raising in statement.kind.blocks_mut() {
                            if leaves(raising) {
                                raising.insert(0, a.statement.clone());
                            }
                        }
                    }
                    made.push(statement);
                }
            }
        }
        *block = made;
        self.fused = true;
        true
    }

    /// A new bool of the host part.
    fn number(&mut self, op: Op, site: Site, block: &mut Block) -> ValueId {
        let values = &mut self.program.host.values;
        let value = ValueId(values.len() as u32);
        values.push(DType::Bool);
        self.definitions.insert(value, op.clone());
        block.push(Statement {
            kind: StatementKind::Let { value, op },
            site,
        });
        value
    }
}

/// Whether the host part ends with a block.
fn leaves(block: &Block) -> bool {
    block
        .last()
        .is_some_and(|last| matches!(last.kind, StatementKind::Return))
}

/// Visits a statement and those inside it.
fn visit<'a>(statement: &'a Statement, see: &mut impl FnMut(&'a Statement)) {
    see(statement);
    for block in statement.kind.blocks() {
        walk(block, see);
    }
}

/// Takes the numbers out of the branches of a statement.
fn take_numbers(statement: &mut Statement, numbers: &mut Block) {
    for block in statement.kind.blocks_mut() {
        let mut rest = Block::new();
        for mut one in std::mem::take(block) {
            if matches!(one.kind, StatementKind::Let { .. }) {
                numbers.push(one);
            } else {
                take_numbers(&mut one, numbers);
                rest.push(one);
            }
        }
        *block = rest;
    }
}

/// The operation with other operands.
fn with_operands(op: &Op, operands: &[ValueId]) -> Op {
    let mut op = op.clone();
    let mut next = operands.iter();
    op.replace_operands(&mut |value| next.next().copied().unwrap_or(value));
    op
}

/// Drops the regions that nobody launches any more.
fn drop_unused_regions(program: &mut Program) {
    let mut used = HashSet::new();
    let mut note = |kernel: &Kernel| {
        walk(&kernel.body, &mut |statement| {
            if let StatementKind::Call { callee, .. } = &statement.kind
                && let Some(Call::Launch { region }) = program.calls.get(*callee as usize)
            {
                used.insert(*region);
            }
        });
    };
    note(&program.host);
    program.host.functions.iter().for_each(&mut note);
    let mut numbers = Vec::new();
    let mut kept = Vec::new();
    for (number, region) in std::mem::take(&mut program.regions).into_iter().enumerate() {
        numbers.push(kept.len());
        if used.contains(&number) {
            kept.push(region);
        }
    }
    program.regions = kept;
    let last = program.regions.len().saturating_sub(1);
    for call in &mut program.calls {
        if let Call::Launch { region } = call {
            // Calls that nobody makes may name any.
            *region = numbers[*region].min(last);
        }
    }
}
