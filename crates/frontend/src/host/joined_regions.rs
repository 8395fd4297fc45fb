//! Two regions over the same items as one.

use crate::arrays::regions::usual_kernel;
use crate::host::array_roots::ArrayRoots;
use crate::program::{Region, RegionParameter};
use colocate_ir::access::param_accesses;
use colocate_ir::{
    ArrayRef, Block, Kernel, KernelKind, Op, ParamId, Part, Place, Reduction, Statement,
    StatementKind, ValueId, VariableId, walk,
};
use std::collections::HashMap;

/// Beyond this many parameters a region stays as it is.
const MOST_PARAMETERS: usize = 24;

/// Both regions as one, each item doing first what it does in `a`; `None` if that cannot be.
pub(crate) fn joined(a: &Region, b: &Region, roots: &ArrayRoots) -> Option<Region> {
    let fits = a.kernel.rank == b.kernel.rank
        && a.lanes == b.lanes
        && a.kernel.fast_math == b.kernel.fast_math
        && a.parameters.len() + b.parameters.len() <= MOST_PARAMETERS
        && is_plain(&a.kernel)
        && is_plain(&b.kernel);
    if !fits || !may_take_turns(a, b, roots) {
        return None;
    }
    let mut kernel = a.kernel.clone();
    let mut parameters = a.parameters.clone();
    let mut params = Vec::new();
    for (param, parameter) in b.kernel.params.iter().zip(&b.parameters) {
        let number = match parameter {
            RegionParameter::Array { local, aligned, .. } => {
                let number = position(&parameters, *local)
                    .filter(|number| kernel.params[*number].kind == param.kind);
                if let Some(number) = number
                    && let RegionParameter::Array { aligned: both, .. } = &mut parameters[number]
                {
                    *both &= aligned;
                }
                number
            }
            _ => None,
        };
        params.push(ParamId(number.unwrap_or(kernel.params.len()) as u32));
        if number.is_none() {
            kernel.params.push(param.clone());
            parameters.push(parameter.clone());
        }
    }
    let mut reductions = kernel.reductions().to_vec();
    let (values, variables) = (kernel.values.len() as u32, kernel.variables.len() as u32);
    let mut renaming = Renaming {
        params,
        values,
        variables,
        stored: stored_by_all(a, b),
        known: HashMap::new(),
    };
    reductions.extend(b.kernel.reductions().iter().map(|one| Reduction {
        operator: one.operator,
        variable: renaming.variable(one.variable),
        target: renaming.params[one.target.index()],
    }));
    kernel.values.extend(&b.kernel.values);
    kernel.variables.extend(b.kernel.variables.iter().cloned());
    let more = renaming.block(&b.kernel.body);
    kernel.body.extend(more);
    kernel.kind = KernelKind::Region { reductions };
    let accesses = param_accesses(&kernel);
    for (parameter, access) in parameters.iter_mut().zip(accesses) {
        if let RegionParameter::Array { reads, writes, .. } = parameter {
            (*reads, *writes) = (access.reads, access.writes);
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
        rare: false,
    })
}

fn position(parameters: &[RegionParameter], local: colocate_ir::LocalId) -> Option<usize> {
    parameters.iter().position(
        |one| matches!(one, RegionParameter::Array { local: other, .. } if *other == local),
    )
}

/// Whether every item of a kernel does all of it, by itself.
fn is_plain(kernel: &Kernel) -> bool {
    let mut plain = kernel.storage.is_empty();
    walk(&kernel.body, &mut |inside| {
        plain &= !matches!(
            inside.kind,
            StatementKind::Return | StatementKind::Atomic { .. }
        );
    });
    plain
}

fn has_loops(kernel: &Kernel) -> bool {
    let mut found = false;
    walk(&kernel.body, &mut |inside| {
        found |= matches!(
            inside.kind,
            StatementKind::For { .. } | StatementKind::While { .. }
        );
    });
    found
}

/// Whether each item of `b` may come right after that of `a`, not after all of them, and whether that saves
/// anything.
fn may_take_turns(a: &Region, b: &Region, roots: &ArrayRoots) -> bool {
    let writing = |region: &Region| region.parameters.iter().any(RegionParameter::writes);
    if !writing(a) && !writing(b) {
        return true;
    }
    // Loops of the program mean their memory as it is, expressions what was there before. Regions with loops
    // inside go through their arrays in ways of their own.
    let alike = a.is_loop == b.is_loop && !a.is_nest && !b.is_nest;
    let simple = [a, b]
        .iter()
        .all(|region| region.failure().is_none() && !has_loops(&region.kernel));
    if !alike || !simple {
        return false;
    }
    let mut shared = false;
    for (one, x) in a.parameters.iter().zip(&a.kernel.params) {
        for (other, y) in b.parameters.iter().zip(&b.kernel.params) {
            let (
                RegionParameter::Array {
                    local: first,
                    writes,
                    aligned,
                    ..
                },
                RegionParameter::Array {
                    local: second,
                    writes: also,
                    aligned: both,
                    ..
                },
            ) = (one, other)
            else {
                continue;
            };
            let same = first == second;
            shared |= same;
            let own = same && *aligned && *both && x.kind == y.kind;
            if (*writes || *also) && !own && roots.may_share(*first, *second) {
                return false;
            }
        }
    }
    shared
}

/// What every item of `a` leaves in its own elements of arrays that `b` only reads: by the parameters of `b`.
fn stored_by_all(a: &Region, b: &Region) -> HashMap<ParamId, ValueId> {
    let mut stored = HashMap::new();
    let mut hidden = Vec::new();
    for statement in &a.kernel.body {
        if let StatementKind::Store { place, value } = &statement.kind
            && let ArrayRef::Param(param) = place.array
        {
            match place.part {
                Part::Whole => drop(stored.insert(param, *value)),
                _ => hidden.push(param),
            }
        }
        for block in statement.kind.blocks() {
            walk(block, &mut |inside| {
                if let StatementKind::Store { place, .. } = &inside.kind
                    && let ArrayRef::Param(param) = place.array
                {
                    hidden.push(param);
                }
            });
        }
    }
    let mut found = HashMap::new();
    for (number, parameter) in b.parameters.iter().enumerate() {
        if let RegionParameter::Array {
            local,
            writes: false,
            aligned: true,
            ..
        } = parameter
            && let Some(first) = position(&a.parameters, *local)
            && let first = ParamId(first as u32)
            && let Some(value) = stored.get(&first)
            && !hidden.contains(&first)
        {
            found.insert(ParamId(number as u32), *value);
        }
    }
    found
}

/// New numbers for what the second region has.
struct Renaming {
    params: Vec<ParamId>,
    values: u32,
    variables: u32,
    /// What is in the item's own elements of the second one's parameters.
    stored: HashMap<ParamId, ValueId>,
    /// Values of the second one that the first one has.
    known: HashMap<ValueId, ValueId>,
}

impl Renaming {
    fn value(&self, value: ValueId) -> ValueId {
        let known = self.known.get(&value).copied();
        known.unwrap_or(ValueId(value.0 + self.values))
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

    fn block(&mut self, block: &Block) -> Block {
        let statements = block.iter().filter_map(|statement| {
            if let StatementKind::Load { value, place } = &statement.kind
                && place.part == Part::Whole
                && let ArrayRef::Param(param) = place.array
                && let Some(known) = self.stored.get(&param)
            {
                self.known.insert(*value, *known);
                return None;
            }
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
                StatementKind::Store { place, value } => StatementKind::Store {
                    place: Place {
                        array: self.array(place.array),
                        ..place.clone()
                    },
                    value: *value,
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
            Some(Statement {
                kind,
                site: statement.site,
            })
        });
        statements.collect()
    }
}
