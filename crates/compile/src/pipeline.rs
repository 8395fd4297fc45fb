//! One kernel through the passes and a code generator.

use crate::artifact::{Artifact, Code};
use crate::{Checks, Error, Options, Target};
use colocate_codegen_llvm as llvm;
use colocate_codegen_spirv as spirv;
use colocate_ir::{Kernel, StatementKind, StorageClass, Violation, verify, verify_core, walk};
use colocate_passes::{expand_group_reduce, insert_bounds_checks, to_core};
use colocate_trace::{self as trace, Category};

/// A kernel as the user's code has it, with checks if wanted.
pub struct Prepared {
    /// Valid, not core.
    pub kernel: Kernel,
    /// What was put in.
    pub checks: Option<Checks>,
}

/// Puts checks into a kernel if they are wanted.
pub fn prepare(kernel: &Kernel, options: &Options) -> Prepared {
    if !options.debug {
        return Prepared {
            kernel: kernel.clone(),
            checks: None,
        };
    }
    let checked = insert_bounds_checks::run(kernel.clone());
    Prepared {
        kernel: checked.kernel,
        checks: Some(Checks {
            checks: checked.checks,
            slots: checked.slots,
        }),
    }
}

/// An error if the kernel is not valid.
pub fn check(kernel: &Kernel) -> Result<(), Error> {
    refuse_if_any(kernel, verify(kernel))
}

/// An error if the kernel is for another target whatever it does.
pub fn check_target(kernel: &Kernel, target: &Target) -> Result<(), Error> {
    if kernel.is_host() && *target != Target::Host {
        let why = "it is the host part of a program, which runs on no device";
        return Err(unsupported(kernel, target, why.into()));
    }
    Ok(())
}

/// The kernel as code generators take it.
pub fn lower(kernel: Kernel) -> Result<Kernel, Error> {
    let core = to_core(kernel);
    if cfg!(debug_assertions) {
        refuse_if_any(&core, verify_core(&core))?;
    }
    Ok(core)
}

fn refuse_if_any(kernel: &Kernel, violations: Vec<Violation>) -> Result<(), Error> {
    if violations.is_empty() {
        return Ok(());
    }
    Err(Error::InvalidKernel {
        kernel: kernel.name.clone(),
        violations: violations.iter().map(ToString::to_string).collect(),
    })
}

/// The most items of a group that the passes allow the kernel.
pub fn largest_group(kernel: &Kernel) -> Option<usize> {
    let mut reduces = false;
    walk(&kernel.body, &mut |statement| {
        reduces |= matches!(statement.kind, StatementKind::GroupReduce { .. });
    });
    reduces.then_some(expand_group_reduce::LARGEST_GROUP as usize)
}

/// A stage of a kernel's compilation, for recordings: from now until it is dropped.
pub fn stage(kernel: &str, stage: &str) -> trace::Span {
    trace::span(Category::Compile, kernel).why(|| stage.into())
}

/// Compiles a prepared kernel. `entry` is what its entry point is called where that is ours
/// to choose.
pub fn compile(
    kernel: Kernel,
    target: &Target,
    options: &Options,
    entry: &str,
) -> Result<Artifact, Error> {
    check_target(&kernel, target)?;
    let span = stage(&kernel.name, "IR passes");
    let core = lower(kernel)?;
    drop(span);
    let local = core.storage.iter();
    let local_bytes = local
        .filter(|storage| storage.class == StorageClass::Local)
        .map(|storage| storage.size() * storage.dtype.itemsize())
        .sum();
    let (entry, code) = match target {
        Target::Host => {
            let _span = stage(&core.name, "LLVM");
            let object = llvm::compile(&core, entry, &host_options(options))
                .map_err(|source| llvm_error(&core, source))?;
            let code = Code::Host {
                scratch_bytes: object.scratch_bytes,
                scratch_bytes_per_item: object.scratch_bytes_per_item,
                lanes: object.lanes,
                item_cost: object.item_cost,
                object: object.bytes,
            };
            (object.entry, code)
        }
        Target::SpirV { .. } => {
            let _span = stage(&core.name, "SPIR-V");
            let module = spirv_module(&core, target)?;
            (module.entry, Code::SpirV(module.words))
        }
        Target::Cuda { .. } => {
            let why = "CUDA binaries need NVRTC, which is not part of this build";
            return Err(unsupported(&core, target, why.into()));
        }
    };
    Ok(Artifact {
        entry,
        local_bytes,
        code,
    })
}

/// The module of a core kernel.
pub fn spirv_module(core: &Kernel, target: &Target) -> Result<spirv::Module, Error> {
    let options = match *target {
        Target::SpirV {
            float64,
            int64_atomics,
        } => spirv::Options {
            float64,
            int64_atomics,
        },
        _ => spirv::Options::default(),
    };
    spirv::generate(core, &options).map_err(|why| unsupported(core, target, why.to_string()))
}

/// What the host's code generator is told.
pub fn host_options(options: &Options) -> llvm::Options {
    llvm::Options {
        lanes: options.lanes,
    }
}

/// With the kernel's name.
pub fn llvm_error(kernel: &Kernel, source: llvm::Error) -> Error {
    Error::Llvm {
        kernel: kernel.name.clone(),
        source,
    }
}

fn unsupported(kernel: &Kernel, target: &Target, why: String) -> Error {
    Error::Unsupported {
        kernel: kernel.name.clone(),
        target: target.name(),
        why,
    }
}
