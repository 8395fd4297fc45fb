//! Object files into this process: one linker for the process, and code that is freed when nobody
//! uses it any more.

use crate::symbols;
use crate::target::Target;
use crate::{Error, Result};
use llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use llvm_sys::orc2::lljit::*;
use llvm_sys::orc2::*;
use std::ffi::{CStr, CString};
use std::sync::{Mutex, MutexGuard, OnceLock};

/// The process's linker.
struct Linker {
    jit: LLVMOrcLLJITRef,
}

// SAFETY: LLJIT may be used from any thread; the mutex keeps it to one at a time.
unsafe impl Send for Linker {}

/// Code in memory; freed with the last handle of it.
#[derive(Debug)]
pub struct LoadedCode {
    tracker: usize,
    /// Where the entry point is.
    pub address: usize,
}

/// Turns LLVM's error into ours.
///
/// # Safety
/// `error` is an error of LLVM's that nobody else has consumed, or null.
unsafe fn checked(error: LLVMErrorRef, doing: &'static str) -> Result<()> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: passed on from the caller; reading the message consumes the error.
    unsafe {
        let text = LLVMGetErrorMessage(error);
        let message = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(text);
        Err(Error::Llvm { doing, message })
    }
}

fn linker() -> Result<MutexGuard<'static, Linker>> {
    static LINKER: OnceLock<std::result::Result<Mutex<Linker>, String>> = OnceLock::new();
    let made = LINKER.get_or_init(|| Linker::new().map(Mutex::new).map_err(|e| e.to_string()));
    match made {
        Ok(linker) => Ok(linker.lock().unwrap_or_else(|poison| poison.into_inner())),
        Err(message) => Err(Error::Llvm {
            doing: "start the linker",
            message: message.clone(),
        }),
    }
}

impl Linker {
    fn new() -> Result<Linker> {
        Target::host();
        let mut jit: LLVMOrcLLJITRef = std::ptr::null_mut();
        // SAFETY: a place for the result; a null builder means the defaults. The symbols' names
        // are handed over, and what generates the rest belongs to the library afterwards.
        unsafe {
            let doing = "start the linker";
            checked(LLVMOrcCreateLLJIT(&mut jit, std::ptr::null_mut()), doing)?;
            let library = LLVMOrcLLJITGetMainJITDylib(jit);
            let mut pairs: Vec<LLVMOrcCSymbolMapPair> = symbols::all()
                .map(|(name, address)| {
                    let name = CString::new(name).expect("symbols have no NUL");
                    LLVMOrcCSymbolMapPair {
                        Name: LLVMOrcLLJITMangleAndIntern(jit, name.as_ptr()),
                        Sym: llvm_sys::orc2::LLVMJITEvaluatedSymbol {
                            Address: address as u64,
                            Flags: LLVMJITSymbolFlags {
                                GenericFlags: 1, // exported
                                TargetFlags: 0,
                            },
                        },
                    }
                })
                .collect();
            let unit = LLVMOrcAbsoluteSymbols(pairs.as_mut_ptr(), pairs.len());
            checked(LLVMOrcJITDylibDefine(library, unit), doing)?;
            let mut generator: LLVMOrcDefinitionGeneratorRef = std::ptr::null_mut();
            checked(
                LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                    &mut generator,
                    LLVMOrcLLJITGetGlobalPrefix(jit),
                    None,
                    std::ptr::null_mut(),
                ),
                doing,
            )?;
            LLVMOrcJITDylibAddGenerator(library, generator);
        }
        Ok(Linker { jit })
    }
}

/// Links an object file and finds its entry point. While the result lives, no other object with
/// the same entry point may be loaded.
pub fn load(object: &[u8], entry: &str) -> Result<LoadedCode> {
    let linker = linker()?;
    let entry = CString::new(entry).expect("entry points have no NUL");
    // SAFETY: the buffer is a copy that the linker takes over; the tracker is released by
    // `LoadedCode` or, on failure, here.
    unsafe {
        let library = LLVMOrcLLJITGetMainJITDylib(linker.jit);
        let tracker = LLVMOrcJITDylibCreateResourceTracker(library);
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
            object.as_ptr().cast(),
            object.len(),
            entry.as_ptr(),
        );
        let code = LoadedCode {
            tracker: tracker as usize,
            address: 0,
        };
        let added = LLVMOrcLLJITAddObjectFileWithRT(linker.jit, tracker, buffer);
        let mut address = 0;
        let found = checked(added, "add machine code").and_then(|()| {
            let looked_up = LLVMOrcLLJITLookup(linker.jit, &mut address, entry.as_ptr());
            checked(looked_up, "link machine code")
        });
        drop(linker); // before `code` is dropped, which takes it again
        found?;
        Ok(LoadedCode {
            address: address as usize,
            tracker: std::mem::ManuallyDrop::new(code).tracker,
        })
    }
}

impl Drop for LoadedCode {
    fn drop(&mut self) {
        let tracker = self.tracker as LLVMOrcResourceTrackerRef;
        let Ok(_linker) = linker() else { return };
        // SAFETY: the tracker is ours, and nobody runs the code any more: whoever does holds this.
        unsafe {
            let removed = checked(LLVMOrcResourceTrackerRemove(tracker), "free machine code");
            LLVMOrcReleaseResourceTracker(tracker);
            // Code that cannot be freed stays: there is nothing to be done about it here.
            drop(removed);
        }
    }
}
