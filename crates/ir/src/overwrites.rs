//! Which arrays a kernel overwrites whatever they held, so that they need not be copied in.
//!
//! What is found here is sure: each item stores, on every path, to the element that its place in
//! the index space names. Kernels that do it in other ways are not recognised, which costs a copy.

use crate::access::param_accesses;
use crate::{ArrayRef, IndexFunction, Kernel, Op, Part, StatementKind, ValueId, VariableId, walk};
use smallvec::SmallVec;
use std::collections::HashMap;

/// For each axis of an array, the axis of the index space that runs over it; `None` if the kernel
/// may leave elements as they are, or look at them.
pub type Overwrites = Option<SmallVec<[u8; 3]>>;

/// What a kernel overwrites, for each of its parameters.
pub fn overwrites(kernel: &Kernel) -> Vec<Overwrites> {
    let accesses = param_accesses(kernel);
    let mut found: Vec<Overwrites> = vec![None; kernel.params.len()];
    let mut sets: HashMap<VariableId, usize> = HashMap::new();
    walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Set { variable, .. } | StatementKind::For { variable, .. } => {
            *sets.entry(*variable).or_default() += 1;
        }
        _ => {}
    });
    // Values and variables that are the item's place on an axis.
    let mut places: HashMap<ValueId, u8> = HashMap::new();
    let mut variables: HashMap<VariableId, u8> = HashMap::new();
    for statement in &kernel.body {
        match &statement.kind {
            StatementKind::Let { value, op } => {
                let axis = match op {
                    Op::Index(IndexFunction::GlobalId, axis) => Some(*axis),
                    Op::Get(variable) => variables.get(variable).copied(),
                    _ => None,
                };
                if let Some(axis) = axis {
                    places.insert(*value, axis);
                }
            }
            StatementKind::Set { variable, value } => {
                if let Some(axis) = places.get(value)
                    && sets.get(variable) == Some(&1)
                {
                    variables.insert(*variable, *axis);
                }
            }
            StatementKind::Store { place, .. } => {
                let ArrayRef::Param(param) = place.array else {
                    continue;
                };
                let axes: Option<SmallVec<[u8; 3]>> = place
                    .indices
                    .iter()
                    .map(|index| places.get(index).copied())
                    .collect();
                let Some(axes) = axes else { continue };
                let distinct = (1..axes.len()).all(|n| !axes[..n].contains(&axes[n]));
                if distinct && place.part == Part::Whole && !accesses[param.index()].reads {
                    found[param.index()] = Some(axes);
                }
            }
            other => {
                if may_end(other) {
                    break;
                }
            }
        }
    }
    found
}

/// Whether an item may be finished inside a statement.
fn may_end(kind: &StatementKind) -> bool {
    let mut ends = matches!(kind, StatementKind::Return);
    for block in kind.blocks() {
        walk(block, &mut |statement| {
            ends |= matches!(statement.kind, StatementKind::Return);
        });
    }
    ends
}
