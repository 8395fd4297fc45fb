//! IR to machine code of the host, through LLVM. The only crate that links LLVM.
//!
//! A core kernel becomes one function that runs a box of its index space
//! ([`colocate-hal`'s `HostEntry`]): a loop nest over the box whose innermost loop goes along
//! the last axis, several items at a time, one in each lane of vector registers. What all lanes
//! share stays scalar ([`lanes`]); where lanes part, some are switched off by masks, in the way of SPMD
//! compilers. The last items of a row run in one more step with the lanes beyond switched off, so
//! that every item goes through the same instructions.
//!
//! Work-groups run on one thread. A kernel with barriers is cut at them: each piece becomes a loop over
//! the group's items, and what an item must remember from piece to piece lives in working memory.
//! Control flow around barriers is the same for the whole group, and is executed once for it.
//!
//! LLVM's state is global in places, and hostile input ends the process. Nothing a user writes
//! reaches it but through verified IR: names are made here, pipelines are constants.

mod emit;
mod lanes;
mod llvm;
mod load;
mod optimise;
pub mod symbols;
mod target;

pub use load::{LoadedCode, load};
pub use optimise::PIPELINE;
pub use target::Target;

use colocate_ir::Kernel;

/// What can go wrong: LLVM itself, or a machine it does not know.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error("LLVM has no code generator for {triple}")]
    NoTarget { triple: String },
    #[error("LLVM could not {doing}: {message}")]
    Llvm {
        doing: &'static str,
        message: String,
    },
}

/// See [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

/// How to compile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// How many items to run at a time, a power of two; `None` leaves it to what the kernel does.
    pub lanes: Option<u32>,
}

/// An object file, and what is to be known to run it.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The file.
    pub bytes: Vec<u8>,
    /// The symbol of the entry point.
    pub entry: String,
    /// Bytes of working memory that a call needs in any case.
    pub scratch_bytes: usize,
    /// Bytes of working memory for each item of a group, rows rounded up to `lanes`.
    pub scratch_bytes_per_item: usize,
    /// How many items run at a time.
    pub lanes: usize,
    /// About how many nanoseconds an item takes.
    pub item_cost: f32,
}

/// The version of LLVM that is linked: major, minor, patch.
pub fn version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: places for the three results.
    unsafe { llvm_sys::core::LLVMGetVersion(&mut major, &mut minor, &mut patch) };
    (major, minor, patch)
}

/// Compiles a core kernel (one that passes `verify_core`) for this machine, to an object file whose
/// entry point is called `entry`.
pub fn compile(kernel: &Kernel, entry: &str, options: &Options) -> Result<Object> {
    let target = Target::host();
    let emitted = emit::emit(kernel, entry, options, target);
    if cfg!(debug_assertions) {
        optimise::check(&emitted.module)?;
    }
    optimise::optimise(&emitted.module, target)?;
    Ok(Object {
        bytes: optimise::object(&emitted.module, target)?,
        entry: entry.into(),
        scratch_bytes: emitted.scratch_bytes,
        scratch_bytes_per_item: emitted.scratch_bytes_per_item,
        lanes: emitted.lanes as usize,
        item_cost: emitted.item_cost,
    })
}

/// The optimised module for a target as LLVM's text, for readers.
pub fn llvm_text(kernel: &Kernel, options: &Options, target: &Target) -> Result<String> {
    let emitted = emit::emit(kernel, &kernel.name, options, target);
    optimise::optimise(&emitted.module, target)?;
    Ok(emitted.module.text())
}

/// The machine code for a target as assembler text, for readers.
pub fn assembly(kernel: &Kernel, options: &Options, target: &Target) -> Result<String> {
    let emitted = emit::emit(kernel, &kernel.name, options, target);
    optimise::optimise(&emitted.module, target)?;
    optimise::assembly(&emitted.module, target)
}
