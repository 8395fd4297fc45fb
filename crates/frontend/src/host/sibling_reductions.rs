//! Reductions over one index space that need nothing of one another are one region: their arrays are
//! gone through once.
//!
//! A launch that only reduces changes no array. So it may be put off until the next one of its kind,
//! past whatever changes no array either, and what uses its result is put off with it.

use crate::arrays::regions::usual_kernel;
use crate::program::{Call, Program, Region, RegionParameter};
use colocate_ir::access::param_accesses;
use colocate_ir::{
    ArrayRef, Block, Kernel, KernelKind, Op, ParamId, Place, Reduction, Statement, StatementKind,
    ValueId, VariableId, walk,
};
use std::collections::{HashMap, HashSet};

/// Beyond this many parameters a region stays as it is.
const MOST_PARAMETERS: usize = 24;

/// Merges what can be merged.
pub(crate) fn merge(program: &mut Program) {
    let mut definitions = HashMap::new();
    walk(&program.host.body, &mut |statement| {
        if let StatementKind::Let { value, op } = &statement.kind {
            definitions.insert(*value, op.clone());
        }
    });
    let mut body = std::mem::take(&mut program.host.body);
    let mut merging = Merging {
        program,
        definitions,
        merged: false,
    };
    merging.block(&mut body);
    let merged = merging.merged;
    program.host.body = body;
    if merged {
        drop_unused_regions(program);
    }
}

struct Merging<'p> {
    program: &'p mut Program,
    definitions: HashMap<ValueId, Op>,
    merged: bool,
}

/// What is put off until after the second launch.
#[derive(Default)]
struct Later {
    values: HashSet<ValueId>,
    variables: HashSet<VariableId>,
    positions: Vec<usize>,
}

impl Later {
    fn holds(&self, statement: &StatementKind) -> bool {
        let value = |value: &ValueId| self.values.contains(value);
        let variable = match statement {
            StatementKind::Let {
                op: Op::Get(variable),
                ..
            } => self.variables.contains(variable),
            _ => false,
        };
        variable || statement.uses().iter().any(value)
    }
}

impl Merging<'_> {
    fn block(&mut self, block: &mut Block) {
        for statement in block.iter_mut() {
            for inside in statement.kind.blocks_mut() {
                self.block(inside);
            }
        }
        let mut position = 0;
        while position < block.len() {
            if !self.merge_from(block, position) {
                position += 1;
            }
        }
    }

    /// Merges the launch at a position with the next one of its kind, if it is one and there is one.
    fn merge_from(&mut self, block: &mut Block, first: usize) -> bool {
        let Some(region) = self.reducing(&block[first]) else {
            return false;
        };
        let mut later = Later::default();
        later.variables.extend(block[first].kind.sets());
        for second in first + 1..block.len() {
            let statement = &block[second];
            if let Some(other) = self.reducing(statement)
                && !later.holds(&statement.kind)
                && self.over_the_same(&block[first], &block[second], region)
            {
                return self.join(block, [first, second], [region, other], &later);
            }
            if !self.passes(statement, &mut later, second) {
                return false;
            }
        }
        false
    }

    /// The region of a launch that does nothing but reduce.
    fn reducing(&self, statement: &Statement) -> Option<usize> {
        let StatementKind::Call { callee, .. } = &statement.kind else {
            return None;
        };
        let Call::Launch { region } = self.program.calls[*callee as usize] else {
            return None;
        };
        if self.program.guarded.contains(&(*callee as usize)) {
            return None;
        }
        let kernel = &self.program.regions[region].kernel;
        let mut plain = kernel.storage.is_empty() && !kernel.reductions().is_empty();
        walk(&kernel.body, &mut |inside| {
            plain &= !matches!(
                inside.kind,
                StatementKind::Return | StatementKind::Store { .. } | StatementKind::Atomic { .. }
            );
        });
        plain.then_some(region)
    }

    fn over_the_same(&self, a: &Statement, b: &Statement, region: usize) -> bool {
        let rank = usize::from(self.program.regions[region].kernel.rank);
        let (StatementKind::Call { arguments: a, .. }, StatementKind::Call { arguments: b, .. }) =
            (&a.kind, &b.kind)
        else {
            return false;
        };
        a.len() >= rank
            && b.len() >= rank
            && a[..rank]
                .iter()
                .zip(&b[..rank])
                .all(|(a, b)| self.same(*a, *b, 12))
    }

    /// Whether two values are the same number. Between the two launches no array becomes another.
    fn same(&self, a: ValueId, b: ValueId, fuel: usize) -> bool {
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
            (Op::Extent(x, i), Op::Extent(y, j)) => x == y && i == j,
            _ => {
                let (first, second) = (x.operands(), y.operands());
                let mut pairs = first.iter().zip(&second);
                !first.is_empty()
                    && first.len() == second.len()
                    && with_operands(x, &second) == *y
                    && pairs.all(|(a, b)| self.same(*a, *b, fuel - 1))
            }
        }
    }

    /// Whether a launch that only reduces may be put off past a statement, which is put off, too, if it needs
    /// the result.
    fn passes(&self, statement: &Statement, later: &mut Later, position: usize) -> bool {
        let kind = &statement.kind;
        match kind {
            StatementKind::Let { value, .. } => {
                if later.holds(kind) {
                    later.values.insert(*value);
                    later.positions.push(position);
                }
                true
            }
            StatementKind::Set { variable, .. } => {
                if later.holds(kind) {
                    later.variables.insert(*variable);
                    later.positions.push(position);
                    return true;
                }
                !later.variables.contains(variable)
            }
            // An exception that comes first: nobody misses the result then.
            StatementKind::If {
                then, otherwise, ..
            } => {
                let mut fine = !later.holds(kind);
                for block in [then, otherwise] {
                    walk(block, &mut |inside| {
                        let raises = match &inside.kind {
                            StatementKind::Let { .. } | StatementKind::Return => true,
                            StatementKind::Call { callee, .. } => {
                                matches!(self.program.calls[*callee as usize], Call::Raise { .. })
                            }
                            _ => false,
                        };
                        fine &= raises && !later.holds(&inside.kind);
                    });
                }
                fine
            }
            StatementKind::Call { callee, .. } => {
                let releases = matches!(self.program.calls[*callee as usize], Call::Release { .. });
                if releases {
                    later.positions.push(position);
                }
                // Another one, over something else.
                releases || (self.reducing(statement).is_some() && !later.holds(kind))
            }
            _ => false,
        }
    }

    fn join(
        &mut self,
        block: &mut Block,
        [first, second]: [usize; 2],
        [a, b]: [usize; 2],
        later: &Later,
    ) -> bool {
        let regions = &self.program.regions;
        let rank = usize::from(regions[a].kernel.rank);
        let Some(region) = joined(&regions[a], &regions[b]) else {
            return false;
        };
        let (
            StatementKind::Call {
                callee: dead,
                arguments: before,
                results: early,
            },
            StatementKind::Call {
                callee,
                arguments,
                results,
            },
        ) = (&block[first].kind, &block[second].kind)
        else {
            return false;
        };
        let mut words = before.clone();
        words.extend(&arguments[rank..]);
        let all = early.iter().chain(results).copied().collect();
        let number = self.program.regions.len();
        for call in [*dead, *callee] {
            self.program.calls[call as usize] = Call::Launch { region: number };
        }
        let launch = Statement {
            kind: StatementKind::Call {
                callee: *callee,
                arguments: words,
                results: all,
            },
            site: block[second].site,
        };
        self.program.regions.push(region);
        let mut made = Vec::with_capacity(block.len());
        let mut after = Vec::new();
        for (position, statement) in std::mem::take(block).into_iter().enumerate() {
            match position {
                _ if position == first => {}
                _ if position == second => {
                    made.push(launch.clone());
                    made.append(&mut after);
                }
                _ if later.positions.contains(&position) => after.push(statement),
                _ => made.push(statement),
            }
        }
        *block = made;
        self.merged = true;
        true
    }
}

/// The operation with other operands.
fn with_operands(op: &Op, operands: &[ValueId]) -> Op {
    let mut kind = StatementKind::Let {
        value: ValueId(0),
        op: op.clone(),
    };
    let mut next = operands.iter();
    kind.replace_uses(&mut |value| next.next().copied().unwrap_or(value));
    match kind {
        StatementKind::Let { op, .. } => op,
        _ => op.clone(),
    }
}

/// Both regions as one; `None` if that cannot be.
fn joined(a: &Region, b: &Region) -> Option<Region> {
    let fits = a.kernel.rank == b.kernel.rank
        && a.lanes == b.lanes
        && a.kernel.fast_math == b.kernel.fast_math
        && a.parameters.len() + b.parameters.len() <= MOST_PARAMETERS;
    if !fits {
        return None;
    }
    let mut kernel = a.kernel.clone();
    let mut parameters = a.parameters.clone();
    let mut params = Vec::new();
    for (param, parameter) in b.kernel.params.iter().zip(&b.parameters) {
        let known = match parameter {
            RegionParameter::Array { local, .. } => parameters.iter().position(
                |one| matches!(one, RegionParameter::Array { local: other, .. } if other == local),
            ),
            _ => None,
        };
        let number = known.filter(|number| kernel.params[*number].kind == param.kind);
        params.push(ParamId(number.unwrap_or(kernel.params.len()) as u32));
        if number.is_none() {
            kernel.params.push(param.clone());
            parameters.push(parameter.clone());
        }
    }
    let mut reductions = kernel.reductions().to_vec();
    let (values, variables) = (kernel.values.len() as u32, kernel.variables.len() as u32);
    let renaming = Renaming {
        params,
        values,
        variables,
    };
    reductions.extend(b.kernel.reductions().iter().map(|one| Reduction {
        operator: one.operator,
        variable: renaming.variable(one.variable),
        target: renaming.params[one.target.index()],
    }));
    kernel.values.extend(&b.kernel.values);
    kernel.variables.extend(b.kernel.variables.iter().cloned());
    kernel.body.extend(renaming.block(&b.kernel.body));
    kernel.kind = KernelKind::Region { reductions };
    let accesses = param_accesses(&kernel);
    for (parameter, access) in parameters.iter_mut().zip(accesses) {
        if let RegionParameter::Array {
            reads,
            writes,
            aligned,
            ..
        } = parameter
        {
            (*reads, *writes, *aligned) = (access.reads, access.writes, false);
        }
    }
    let what = match a.what == b.what {
        true => a.what.clone(),
        false => format!("{}, {}", a.what, b.what),
    };
    let mut sites = b.sites.clone();
    sites.extend(a.sites.iter().filter(|site| !b.sites.contains(site)));
    Some(Region {
        usual: usual_kernel(&kernel, false),
        kernel,
        parameters,
        sites,
        what,
        lanes: a.lanes,
        is_loop: a.is_loop || b.is_loop,
        is_nest: a.is_nest || b.is_nest,
    })
}

/// New numbers for what the second region has.
struct Renaming {
    params: Vec<ParamId>,
    values: u32,
    variables: u32,
}

impl Renaming {
    fn value(&self, value: ValueId) -> ValueId {
        ValueId(value.0 + self.values)
    }

    fn variable(&self, variable: VariableId) -> VariableId {
        VariableId(variable.0 + self.variables)
    }

    fn array(&self, array: ArrayRef) -> ArrayRef {
        match array {
            ArrayRef::Param(param) => ArrayRef::Param(self.params[param.index()]),
            other => other,
        }
    }

    fn op(&self, op: &Op) -> Op {
        match op {
            Op::Param(param, part) => Op::Param(self.params[param.index()], *part),
            Op::Extent(array, axis) => Op::Extent(self.array(*array), *axis),
            Op::Get(variable) => Op::Get(self.variable(*variable)),
            other => other.clone(),
        }
    }

    fn block(&self, block: &Block) -> Block {
        let statements = block.iter().map(|statement| {
            let mut kind = match &statement.kind {
                StatementKind::Let { value, op } => StatementKind::Let {
                    value: self.value(*value),
                    op: self.op(op),
                },
                StatementKind::Set { variable, value } => StatementKind::Set {
                    variable: self.variable(*variable),
                    value: *value,
                },
                StatementKind::Load { value, place } => StatementKind::Load {
                    value: self.value(*value),
                    place: Place {
                        array: self.array(place.array),
                        ..place.clone()
                    },
                },
                other => {
                    let inside = other.with_blocks(&mut |block| Some(self.block(block)));
                    inside.unwrap_or_else(|| other.clone())
                }
            };
            if let StatementKind::For { variable, .. } = &mut kind {
                *variable = self.variable(*variable);
            }
            kind.replace_uses(&mut |value| self.value(value));
            Statement {
                kind,
                site: statement.site,
            }
        });
        statements.collect()
    }
}

/// Drops the regions that nobody launches any more.
fn drop_unused_regions(program: &mut Program) {
    let mut used = HashSet::new();
    let mut note = |kernel: &Kernel| {
        walk(&kernel.body, &mut |statement| {
            if let StatementKind::Call { callee, .. } = &statement.kind
                && let Call::Launch { region } = program.calls[*callee as usize]
            {
                used.insert(region);
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
