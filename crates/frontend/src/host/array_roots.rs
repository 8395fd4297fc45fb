//! Which arrays of a host part may share memory, as far as its calls tell.

use crate::program::{Call, Operand, Program};
use colocate_ir::{CallResult, LocalId, StatementKind, walk};
use std::collections::{HashMap, HashSet};

/// Where the memory of a local may come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Root {
    /// The function makes it, for this local.
    Made(LocalId),
    /// It is among the arguments, of which two may share memory.
    Argument,
    /// Anywhere.
    Any,
}

/// The roots of all locals.
pub(crate) struct ArrayRoots {
    of: HashMap<LocalId, HashSet<Root>>,
}

impl ArrayRoots {
    pub fn of(program: &Program) -> ArrayRoots {
        let mut roots = ArrayRoots { of: HashMap::new() };
        let mut shown: Vec<(LocalId, LocalId)> = Vec::new();
        let functions = program.host.functions.iter();
        for kernel in functions.chain([&program.host]) {
            walk(&kernel.body, &mut |statement| {
                let StatementKind::Call {
                    callee, results, ..
                } = &statement.kind
                else {
                    return;
                };
                let call = program.calls.get(*callee as usize);
                for result in results {
                    let CallResult::Local(local) = result else {
                        continue;
                    };
                    let root = match call {
                        Some(Call::Allocate { .. } | Call::Grow { .. } | Call::Room { .. }) => {
                            Root::Made(*local)
                        }
                        Some(Call::Argument { .. }) => Root::Argument,
                        Some(Call::View { from, .. } | Call::Reshape { from, .. }) => {
                            shown.push((*local, *from));
                            continue;
                        }
                        Some(Call::ToHost { .. }) => continue,
                        // What NumPy gives is new, or a part of what it is given.
                        Some(Call::Library {
                            function,
                            arguments,
                            keywords,
                            ..
                        }) if function.starts_with("numpy.") => {
                            let named = keywords.iter().map(|(_, operand)| operand);
                            let mut given = Vec::new();
                            let known = arguments
                                .iter()
                                .chain(named)
                                .all(|operand| arrays_in(operand, &mut given));
                            shown.extend(given.into_iter().map(|from| (*local, from)));
                            match known {
                                true => Root::Made(*local),
                                false => Root::Any,
                            }
                        }
                        _ => Root::Any,
                    };
                    roots.of.entry(*local).or_default().insert(root);
                }
            });
        }
        // A local may show another one that is met only later: in a loop.
        loop {
            let mut grown = false;
            for (local, from) in &shown {
                let more = roots.of.get(from).cloned().unwrap_or_default();
                let own = roots.of.entry(*local).or_default();
                let before = own.len();
                own.extend(more);
                grown |= own.len() > before;
            }
            if !grown {
                return roots;
            }
        }
    }

    /// Whether the function makes all arrays that a local may be.
    pub fn is_made(&self, local: LocalId) -> bool {
        let made = |root: &Root| matches!(root, Root::Made(_));
        self.of
            .get(&local)
            .is_some_and(|roots| !roots.is_empty() && roots.iter().all(made))
    }

    /// Whether two locals may have elements in common.
    pub fn may_share(&self, a: LocalId, b: LocalId) -> bool {
        let (Some(x), Some(y)) = (self.of.get(&a), self.of.get(&b)) else {
            return true;
        };
        a == b || x.contains(&Root::Any) || y.contains(&Root::Any) || !x.is_disjoint(y)
    }
}

/// Finds the arrays in an operand; false if there may be others.
fn arrays_in(operand: &Operand, found: &mut Vec<LocalId>) -> bool {
    match operand {
        Operand::Local(local) | Operand::Items { local, .. } => found.push(*local),
        Operand::Tuple(items)
        | Operand::List(items)
        | Operand::Named(_, items)
        | Operand::Slice(items) => return items.iter().all(|item| arrays_in(item, found)),
        Operand::Held(_) | Operand::Object | Operand::ListArgument(_) => return false,
        Operand::Scalar { .. } | Operand::Constant(_) | Operand::Ellipsis => {}
    }
    true
}
