//! Compute follows data, as one function (R3.1, R3.3).

use crate::{Queue, UsmKind};
use std::fmt;

/// An array argument, as far as placement is concerned.
#[derive(Clone, Debug)]
pub struct Placed {
    /// What the message calls it: a parameter's or variable's name.
    pub name: String,
    /// Where it lives.
    pub queue: Queue,
    /// Its memory; `None` if the argument is a queue itself.
    pub usm_kind: Option<UsmKind>,
}

/// The queue all arguments agree on: the first one's, if the others' are equivalent to it.
/// `None` without arguments.
pub fn execution_queue<'a>(
    queues: impl IntoIterator<Item = &'a Queue>,
) -> Result<Option<&'a Queue>, Disagreement> {
    let mut queues = queues.into_iter();
    let Some(first) = queues.next() else {
        return Ok(None);
    };
    if queues.all(|queue| queue.equivalent(first)) {
        Ok(Some(first))
    } else {
        Err(Disagreement)
    }
}

/// The arguments' queues are not equivalent; [`PlacementError`] says it in full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Disagreement;

/// The USM type of a result: `device` before `shared` before `host` (R3.3). `None` without inputs.
pub fn coerced_usm_kind(kinds: impl IntoIterator<Item = UsmKind>) -> Option<UsmKind> {
    kinds.into_iter().min()
}

/// R3.1's refusal: every argument with its place, and the line that would fix it.
#[derive(Clone, Debug)]
pub struct PlacementError {
    /// The function that was called.
    pub function: String,
    /// Its array arguments, in order; at least two, of which two disagree.
    pub arguments: Vec<Placed>,
}

impl PartialEq for PlacementError {
    fn eq(&self, other: &PlacementError) -> bool {
        self.to_string() == other.to_string()
    }
}

impl std::error::Error for PlacementError {}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = &self.arguments[0];
        writeln!(
            f,
            "{}: the arrays live on queues that are not equivalent, so where to compute is ambiguous:",
            self.function
        )?;
        let width = self
            .arguments
            .iter()
            .map(|one| one.name.len())
            .max()
            .unwrap_or(0);
        for one in &self.arguments {
            let memory = match one.usm_kind {
                Some(kind) => format!("{:6} memory on ", kind.name()),
                None => String::new(),
            };
            let (device, queue) = (one.queue.device().label(), one.queue.label());
            writeln!(f, "  {:width$}  {memory}{device}, {queue}", one.name)?;
        }
        writeln!(f, "Nothing was computed. Bring them to one queue first:")?;
        let target = match first.usm_kind {
            Some(_) => format!("{}.queue", first.name),
            None => first.name.clone(),
        };
        for one in &self.arguments {
            if one.usm_kind.is_some() && !one.queue.equivalent(&first.queue) {
                writeln!(f, "  {0} = colocate.asarray({0}, queue={target})", one.name)?;
            }
        }
        write!(f, "(rule R3.1)")
    }
}
