//! Every stage of a compilation as text, for readers.

use crate::pipeline::{self, host_options, llvm_error, spirv_module};
use crate::{Error, Options, Target};
use colocate_codegen_llvm as llvm;
use colocate_ir::Kernel;

/// The stages that all targets have.
const SHARED: [&str; 2] = ["ir", "core"];

/// All stages that some target has.
pub const STAGES: [&str; 6] = ["ir", "core", "llvm", "asm", "spirv", "cuda"];

fn own(target: &Target) -> &'static [&'static str] {
    match target {
        Target::Host => &["llvm", "asm"],
        Target::SpirV { .. } => &["spirv"],
        Target::Cuda { .. } => &["cuda"],
    }
}

/// One stage of a kernel's way to a target.
pub fn text(
    kernel: &Kernel,
    target: &Target,
    options: &Options,
    stage: &str,
) -> Result<String, Error> {
    let all = || SHARED.iter().chain(own(target)).copied();
    if !all().any(|there| there == stage) {
        return Err(Error::NoStage {
            stage: stage.into(),
            target: target.name(),
            there: all().collect::<Vec<_>>().join(", "),
        });
    }
    pipeline::check(kernel)?;
    if stage == "ir" {
        return Ok(kernel.to_string());
    }
    pipeline::check_target(kernel, target)?;
    let core = pipeline::lower(pipeline::prepare(kernel, options).kernel)?;
    let options = host_options(options);
    let failed = |source| llvm_error(&core, source);
    match stage {
        "core" => Ok(core.to_string()),
        "llvm" => llvm::llvm_text(&core, &options, llvm::Target::host()).map_err(failed),
        "asm" => llvm::assembly(&core, &options, llvm::Target::host()).map_err(failed),
        "spirv" => {
            let module = spirv_module(&core, target)?;
            let text = colocate_codegen_spirv::disassemble(&module.words);
            Ok(text.expect("what was generated is a module"))
        }
        "cuda" => Ok(colocate_codegen_cuda::generate(&core).text),
        _ => unreachable!("{stage} is a stage of the target"),
    }
}
