//! From a module to machine code: LLVM's own passes, then its code generator.

use crate::llvm::Module;
use crate::target::{Machine, Target};
use crate::{Error, Result};
use llvm_sys::core::{
    LLVMDisposeMemoryBuffer, LLVMDisposeMessage, LLVMGetBufferSize, LLVMGetBufferStart,
    LLVMSetTarget,
};
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::target::LLVMSetModuleDataLayout;
use llvm_sys::target_machine::{
    LLVMCodeGenFileType, LLVMCreateTargetDataLayout, LLVMTargetMachineEmitToMemoryBuffer,
};
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};
use std::ffi::{CStr, CString, c_char};

/// LLVM's own choice of passes; then our own vector functions that loops have come to call are put in line. A
/// pipeline that LLVM cannot read ends the process: this stays a constant.
pub const PIPELINE: &str = "default<O2>,always-inline,function(early-cse)";

thread_local! {
    static MACHINE: std::cell::OnceCell<Option<Machine>> = const { std::cell::OnceCell::new() };
}

/// Runs `work` with a code generator for the target: this thread's own, if it is the host.
fn with_machine<T>(target: &Target, work: impl FnOnce(&Machine) -> Result<T>) -> Result<T> {
    let missing = || Error::NoTarget {
        triple: target.triple.clone(),
    };
    if target != Target::host() {
        return work(&Machine::new(target).ok_or_else(missing)?);
    }
    MACHINE.with(|cell| {
        let machine = cell.get_or_init(|| Machine::new(target));
        work(machine.as_ref().ok_or_else(missing)?)
    })
}

/// Makes a module valid for the target and runs the passes over it.
pub fn optimise(module: &Module, target: &Target) -> Result<()> {
    with_machine(target, |machine| {
        let triple = CString::new(target.triple.as_str()).expect("no NUL in a triple");
        let pipeline = CString::new(PIPELINE).expect("no NUL in a constant");
        // SAFETY: all handles are alive, and the layout and options are disposed of here.
        unsafe {
            LLVMSetTarget(module.raw(), triple.as_ptr());
            let layout = LLVMCreateTargetDataLayout(machine.raw());
            LLVMSetModuleDataLayout(module.raw(), layout);
            llvm_sys::target::LLVMDisposeTargetData(layout);
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(module.raw(), pipeline.as_ptr(), machine.raw(), options);
            LLVMDisposePassBuilderOptions(options);
            if !error.is_null() {
                let text = LLVMGetErrorMessage(error);
                let message = CStr::from_ptr(text).to_string_lossy().into_owned();
                LLVMDisposeErrorMessage(text);
                return Err(Error::Llvm {
                    doing: "optimise the kernel",
                    message,
                });
            }
        }
        Ok(())
    })
}

/// What is wrong with a module, by LLVM's own check. Nothing, unless the emitter has a mistake.
pub fn check(module: &Module) -> Result<()> {
    use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
    let mut text: *mut c_char = std::ptr::null_mut();
    // SAFETY: a live module, and a place for the message, which is disposed of.
    unsafe {
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        let broken = LLVMVerifyModule(module.raw(), action, &mut text) != 0;
        let message = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        if broken {
            let doing = "check the kernel";
            return Err(Error::Llvm { doing, message });
        }
    }
    Ok(())
}

/// The bytes of an object file.
pub fn object(module: &Module, target: &Target) -> Result<Vec<u8>> {
    emit(module, target, LLVMCodeGenFileType::LLVMObjectFile)
}

/// Assembler text.
pub fn assembly(module: &Module, target: &Target) -> Result<String> {
    let bytes = emit(module, target, LLVMCodeGenFileType::LLVMAssemblyFile)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn emit(module: &Module, target: &Target, kind: LLVMCodeGenFileType) -> Result<Vec<u8>> {
    with_machine(target, |machine| {
        let mut message: *mut c_char = std::ptr::null_mut();
        let mut buffer = std::ptr::null_mut();
        // SAFETY: live handles, places for the results, and both results are disposed of.
        unsafe {
            let failed = LLVMTargetMachineEmitToMemoryBuffer(
                machine.raw(),
                module.raw(),
                kind,
                &mut message,
                &mut buffer,
            ) != 0;
            if failed {
                let text = CStr::from_ptr(message).to_string_lossy().into_owned();
                LLVMDisposeMessage(message);
                return Err(Error::Llvm {
                    doing: "emit machine code",
                    message: text,
                });
            }
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            Ok(bytes)
        }
    })
}
