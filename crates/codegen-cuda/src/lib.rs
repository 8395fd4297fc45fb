//! IR to CUDA C++ text, for NVRTC.
//!
//! [`generate`] turns a *core* kernel (see the documentation of `colocate-ir`) into one
//! self-contained source file: it includes nothing, and brings the few device functions it needs
//! along in `namespace cl`. A verified core kernel never makes it panic, except a host kernel, which
//! is for no device. It knows neither the CUDA
//! driver nor NVRTC; [`compile_options`] says how the text must be compiled to mean what the
//! IR means.
//!
//! # How a kernel is launched
//! The entry point [`Source::entry`] takes the argument block, slot by slot, and then the global
//! size: three words `global_0`, `global_1`, `global_2`, which are 1 beyond the rank. All parameters
//! have eight bytes. Addresses are pointers; anything else is a word whose low bytes hold the value (a
//! complex64 has its real part in the low half).
//!
//! Axis `a` of an index space of rank `r` is component `r - 1 - a` of CUDA's `x, y, z`, so that the
//! last axis, the fastest, is `x`. Components beyond the rank are 1.
//!
//! - **Regions** are launched on a one-dimensional grid of any size from 1 up, with blocks of
//!   `(n, 1, 1)` threads, `1 <= n <= `[`REGION_BLOCK`]; that number itself is the best choice.
//!   Threads stride over the linearised index space, so the grid need not cover it. Take just enough
//!   blocks to fill the device (eight for each multiprocessor): a thread finds its place once
//!   and then moves on by addition, which pays only over many items. What the grid has too many
//!   does nothing.
//! - **Nd-range kernels** are launched with `blockDim` = the local size and `gridDim` = the number of
//!   groups, exactly. CUDA allows 65535 groups along `y` and `z`.
//!
//! No dynamic shared memory is used; local storage is static, of which CUDA allows 48 KiB.
//!
//! # Where the device differs from the interpreter
//! - Functions of floats are CUDA's own, whose last bits differ from other libraries'.
//! - An atomic addition to a float32 in global memory flushes subnormal numbers to zero, as the
//!   device's instruction does.
//! - An atomic statement or a reduction traps if the element is not aligned to its size, which only
//!   strided arrays can bring about.

mod arithmetic;
mod atomics;
mod entry;
mod expression;
mod literal;
mod names;
mod prelude;
mod statements;
mod types;

use colocate_ir::Kernel;

/// How many threads a block of a region has at most.
pub const REGION_BLOCK: u32 = 256;

/// A kernel as CUDA C++.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The whole text.
    pub text: String,
    /// The name of the `__global__` function, which is not mangled.
    pub entry: String,
}

/// The CUDA C++ of a core kernel that is no host kernel.
pub fn generate(kernel: &Kernel) -> Source {
    let entry = names::entry(kernel);
    let text = entry::write(kernel, &entry);
    Source { text, entry }
}

/// The options that NVRTC must be given with the kernel's text, for an architecture such as `sm_90`.
pub fn compile_options(kernel: &Kernel, arch: &str) -> Vec<String> {
    vec![
        format!("--gpu-architecture={arch}"),
        "--std=c++17".into(),
        // NVRTC contracts by default.
        format!("--fmad={}", kernel.fast_math),
        "--ftz=false".into(),
        "--prec-div=true".into(),
        "--prec-sqrt=true".into(),
    ]
}
