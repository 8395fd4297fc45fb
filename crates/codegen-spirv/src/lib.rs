//! Core kernels to SPIR-V modules for OpenCL environments.
//!
//! The kernel becomes one entry point with a parameter for every slot of the argument block: an
//! address is a pointer to bytes in global memory, everything else a 64-bit word. Axis `a` of an
//! index space of rank `r` is component `r - 1 - a` of OpenCL's index functions, whose first
//! component is the fastest.
//!
//! The entry point of a region takes three more words: the extents of the space, 1 beyond its
//! rank. Items beyond them do nothing, so a region can be launched over more items than it has:
//! a driver that must divide a prime number of items into groups makes very small groups.
//!
//! * `requirements`: what a kernel needs of its device, and whether it is core.
//! * `module_writer`: types, constants, instructions and blocks, in SPIR-V's own terms.
//! * `entry_point`: the function, its parameters, variables and storage.
//! * `control_flow`: statements.
//! * `left_behind`: what variables hold after loops.
//! * `recurrences`: values that go from one variable to another in a loop.
//! * `places`: elements of arrays.
//! * `operations`, `conversions`, `half_floats`: pure operations.
//! * `atomic_updates`: atomics.
//! * `region_reductions`: the reductions of regions.
//! * `disassembly`: modules as text.
//!
//! What always holds: a module made from a verified core kernel is valid. float16 values are
//! kept as their 16 bits and converted by integer operations, so no device is too small for
//! them; bools are bytes in memory and truth values elsewhere. This crate knows nothing of
//! runtimes and loads nothing.

mod atomic_updates;
mod control_flow;
mod conversions;
mod disassembly;
mod entry_point;
mod half_floats;
mod left_behind;
mod module_writer;
mod operations;
mod places;
mod recurrences;
mod region_reductions;
mod requirements;

pub use disassembly::disassemble;

use colocate_ir::Kernel;
use thiserror::Error;

/// What the device that the module is for can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Whether it computes with 64-bit floats.
    pub float64: bool,
    /// Whether it has atomic operations on 64 bits.
    pub int64_atomics: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            float64: true,
            int64_atomics: true,
        }
    }
}

/// A SPIR-V module with one entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The binary module.
    pub words: Vec<u32>,
    /// The name of the entry point.
    pub entry: String,
}

/// Why there is no module for a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unsupported {
    /// The device cannot compute with 64-bit floats.
    #[error("the kernel uses float64, which the device does not have")]
    Float64,
    /// The device has no atomic operations on 64 bits.
    #[error("the kernel changes 64-bit numbers atomically, which the device cannot do")]
    Int64Atomics,
    /// The kernel is for the processor that launches it.
    #[error("it is the host part of a program, which runs on no device")]
    HostKernel,
    /// The kernel is not core.
    #[error("the kernel is not core: it has {0}")]
    NotCore(String),
}

/// Generates a module from a verified core kernel.
pub fn generate(kernel: &Kernel, options: &Options) -> Result<Module, Unsupported> {
    requirements::check(kernel, options)?;
    Ok(entry_point::write(kernel))
}
