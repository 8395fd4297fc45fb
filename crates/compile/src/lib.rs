//! From a kernel and a target to an image, with caches in memory and on disk.
//!
//! [`program`] is the one way: it verifies the kernel, puts bounds checks into it if wanted, makes
//! it core, and has the target's code generator write it. What was compiled before is
//! found again, in this process by [`Compiler`], in a later one by [`DiskCache`].
//!
//! * `pipeline`: one kernel through passes and code generator.
//! * `artifact`: what comes out, and its form in a file.
//! * `host_code`: machine code linked into this process.
//! * `key`: what compiled code depends on.
//! * `compiler`, `disk_cache`: the two caches.
//! * `stages`: every stage as text, for readers.
//!
//! What always holds: code is compiled for the architecture of a device, never for a queue or a
//! context; two threads that ask for the same code at once have it compiled once; what a cache
//! directory holds, however damaged, changes no result. This crate knows no runtime and no Python.

mod artifact;
mod compiler;
mod disk_cache;
mod host_code;
mod key;
mod pipeline;
mod stages;

pub use compiler::{Compiler, Stats};
pub use disk_cache::DiskCache;
pub use stages::STAGES;

use colocate_hal::KernelImage;
use colocate_ir::Kernel;
use colocate_ir::access::Access;
use colocate_passes::insert_bounds_checks::Check;
use std::sync::{Arc, OnceLock};

/// What code is compiled for: the architecture of a device.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The processor of this machine.
    Host,
    /// An OpenCL or Level Zero device.
    SpirV {
        /// Whether it computes with 64-bit floats.
        float64: bool,
        /// Whether it has atomic operations on 64 bits.
        int64_atomics: bool,
    },
    /// An NVIDIA device.
    Cuda {
        /// Its architecture, such as `sm_90`.
        arch: String,
    },
}

/// How to compile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Check every access to an array.
    pub debug: bool,
    /// How many items to run at a time on the host, a power of two; `None` leaves it to the code
    /// generator. Other targets have no use for it.
    pub lanes: Option<u32>,
}

/// A compiled kernel.
#[derive(Clone, Debug)]
pub struct Program {
    /// For the backend to load.
    pub image: KernelImage,
    /// What the kernel does with each of the parameters that it was given with. The report of the
    /// checks is none of them.
    pub accesses: Vec<Access>,
    /// The checks of a kernel compiled for debugging.
    pub checks: Option<Checks>,
    /// The most items that a group may have, where the kernel itself sets a limit.
    pub largest_group: Option<usize>,
    /// Bytes of local memory for each group.
    pub local_bytes: usize,
    /// Whether the code was found on disk.
    pub from_disk: bool,
}

/// What a kernel that was compiled for debugging checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Checks {
    /// By number; `colocate_passes::insert_bounds_checks::explain` takes them.
    pub checks: Vec<Check>,
    /// How many elements the report has: a contiguous int64 array of rank 1, zeroed before a
    /// launch, passed after the last argument.
    pub slots: usize,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Whoever made the kernel made a mistake; so did a pass, if it is said to be core.
    #[error("the kernel {kernel} is not valid: {}", violations.join("; "))]
    InvalidKernel {
        /// Its name.
        kernel: String,
        /// What the verifier found.
        violations: Vec<String>,
    },
    /// The target cannot do what the kernel asks for.
    #[error("the kernel {kernel} cannot be compiled for {target}: {why}")]
    Unsupported {
        /// Its name.
        kernel: String,
        /// In words.
        target: &'static str,
        /// What is missing.
        why: String,
    },
    /// Code for the target does not go through this stage.
    #[error("there is no stage {stage:?} for {target}; there are {there}")]
    NoStage {
        /// The one asked for.
        stage: String,
        /// In words.
        target: &'static str,
        /// Those there are.
        there: String,
    },
    /// The code generator of the host failed.
    #[error("the kernel {kernel} cannot be compiled for this processor: {source}")]
    Llvm {
        /// Its name.
        kernel: String,
        /// What LLVM says.
        source: colocate_codegen_llvm::Error,
    },
}

impl Target {
    /// In words.
    pub const fn name(&self) -> &'static str {
        match self {
            Target::Host => "the host",
            Target::SpirV { .. } => "a SPIR-V device",
            Target::Cuda { .. } => "a CUDA device",
        }
    }
}

/// The compiler that everybody in the process shares. Its disk cache is what the environment asks
/// for when it is first used.
pub fn shared_compiler() -> &'static Compiler {
    static COMPILER: OnceLock<Compiler> = OnceLock::new();
    COMPILER.get_or_init(|| Compiler::new(DiskCache::from_environment()))
}

/// The program of a kernel for a target, compiled or found.
pub fn program(kernel: &Kernel, target: &Target, options: &Options) -> Result<Arc<Program>, Error> {
    shared_compiler().program(kernel, target, options)
}

/// How often [`program`] compiled and how often it found.
pub fn cache_stats() -> Stats {
    shared_compiler().stats()
}

/// One stage of the compilation as text: `ir`, `core`, and those of the target ([`STAGES`]).
pub fn stage_text(
    kernel: &Kernel,
    target: &Target,
    options: &Options,
    stage: &str,
) -> Result<String, Error> {
    stages::text(kernel, target, options, stage)
}
