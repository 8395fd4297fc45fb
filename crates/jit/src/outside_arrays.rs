//! Arrays outside the function, where the device does not reach host memory.
//!
//! They are fetched before the host part runs, because they may overlap arguments and each other: what
//! overlaps shares a block. At the end they are brought back like arguments. Their leaves have
//! numbers beyond those of the arguments. Elsewhere an array outside is its memory, and needs nothing.

use crate::Result;
use crate::calls::State;
use crate::slot::Slot;
use crate::value::{HostArray, Value};
use colocate_frontend::arrays::global_arrays::GLOBAL_ARRAY;
use colocate_frontend::host::called_functions::RECURSION;
use colocate_frontend::program::{Call, Outcome};

/// An array outside the function.
pub(crate) struct Outside {
    /// The number of the call that fetches it.
    call: usize,
    pub array: HostArray,
}

impl State<'_> {
    /// Fetches them all.
    pub(crate) fn fetch_outside(&mut self) -> Result<()> {
        let calls = &self.executable.program().calls;
        for (number, call) in calls.iter().enumerate() {
            if let Call::Library {
                function,
                result: Outcome::Local(_),
                ..
            } = call
                && function.starts_with(GLOBAL_ARRAY)
                && let Value::Host(array) =
                    self.callbacks.library(number, Vec::new(), Vec::new())?
            {
                self.outside.push(Outside {
                    call: number,
                    array,
                });
            }
        }
        Ok(())
    }

    /// Whether a leaf stands for an array outside.
    pub(crate) fn is_outside(&self, leaf: usize) -> bool {
        leaf >= self.call.arguments.len()
    }

    /// What a call fetches, if it is an array outside.
    pub(crate) fn outside_slot(&self, call: usize) -> Option<Slot> {
        let position = self.outside.iter().position(|one| one.call == call)?;
        let leaf = self.call.arguments.len() + position;
        let found = self.shared.iter().find(|(one, _)| *one == leaf);
        found.map(|(_, slot)| slot.clone())
    }

    /// A function that is called by way of Python finds them in host memory, and may change them there.
    pub(crate) fn lend_outside(&mut self, call: usize) -> Result<()> {
        let function = match &self.executable.program().calls[call] {
            Call::Library { function, .. } => function,
            _ => return Ok(()),
        };
        if self.outside.is_empty() || !function.starts_with(RECURSION) {
            return Ok(());
        }
        for (leaf, slot) in &self.shared {
            if self.is_outside(*leaf) {
                slot.block.to_host()?;
                slot.block.changed_on_host();
            }
        }
        Ok(())
    }
}
