//! The processor of this machine, as LLVM knows it.

use llvm_sys::core::LLVMDisposeMessage;
use llvm_sys::target_machine::*;
use std::ffi::{CStr, CString, c_char};
use std::sync::OnceLock;

/// What code is made for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// LLVM's name of the processor.
    pub cpu: String,
    /// LLVM's list of its features.
    pub features: String,
    /// What machine and system.
    pub triple: String,
    /// How many bytes its vector registers have, as far as it is good to use them.
    pub vector_bytes: u32,
}

/// Takes over a string that LLVM made.
///
/// # Safety
/// `text` is a message of LLVM's that nobody else disposes of.
unsafe fn taken(text: *mut c_char) -> String {
    // SAFETY: passed on from the caller.
    unsafe {
        let result = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        result
    }
}

/// The rest of a vectorised loop is vectorised too, by fewer lanes. Of its own accord LLVM does this from
/// 16 lanes on; but inner loops of a few turns, such as those over the axes of a space, are all
/// rest: pairwise distances in 8 dimensions take half the time. An option that LLVM does not know
/// ends the process: this stays a constant.
const EPILOGUES: &CStr = c"-epilogue-vectorization-minimum-VF=4";

/// A loop that adds up floats is vectorised though the additions must stay in order: what is added
/// may be worth it (the exponentials of a softmax).
const ORDERED_SUMS: &CStr = c"-force-ordered-reductions=true";

impl Target {
    /// This machine's.
    pub fn host() -> &'static Target {
        static HOST: OnceLock<Target> = OnceLock::new();
        HOST.get_or_init(|| {
            initialise();
            // SAFETY: LLVM gives messages that are ours to dispose of.
            let (cpu, features, triple) = unsafe {
                (
                    taken(LLVMGetHostCPUName()),
                    taken(LLVMGetHostCPUFeatures()),
                    taken(LLVMGetDefaultTargetTriple()),
                )
            };
            // float16 is only converted, never computed with, and LLVM 19 miscompiles vectors of it
            // for processors that could (a comparison came out with its lanes exchanged).
            let features = features.replace("+avx512fp16", "-avx512fp16");
            let has = |name: &str| features.split(',').any(|feature| feature == name);
            let vector_bytes = if has("+avx512f") && has("+avx512vl") && has("+avx512dq") {
                64
            } else if has("+avx2") {
                32
            } else {
                16
            };
            Target {
                cpu,
                features,
                triple,
                vector_bytes,
            }
        })
    }

    /// A processor of the kind x86-64-v3, whatever this machine is: for tests and for readers.
    pub fn x86_64_v3() -> Target {
        Target {
            cpu: "x86-64-v3".into(),
            features: String::new(),
            triple: "x86_64-unknown-linux-gnu".into(),
            vector_bytes: 32,
        }
    }
}

/// Makes the host's target known to LLVM, once.
fn initialise() {
    use llvm_sys::target::*;
    // SAFETY: no preconditions; `Target::host` calls it once.
    unsafe {
        let options = [EPILOGUES, ORDERED_SUMS].map(CStr::as_ptr);
        let arguments = [c"colocate".as_ptr(), options[0], options[1]];
        let count = arguments.len() as i32;
        llvm_sys::support::LLVMParseCommandLineOptions(count, arguments.as_ptr(), std::ptr::null());
        #[cfg(target_arch = "x86_64")]
        {
            LLVMInitializeX86TargetInfo();
            LLVMInitializeX86Target();
            LLVMInitializeX86TargetMC();
            LLVMInitializeX86AsmPrinter();
        }
        #[cfg(target_arch = "aarch64")]
        {
            LLVMInitializeAArch64TargetInfo();
            LLVMInitializeAArch64Target();
            LLVMInitializeAArch64TargetMC();
            LLVMInitializeAArch64AsmPrinter();
        }
    }
}

/// LLVM's code generator for a target. Each thread makes its own.
pub struct Machine {
    raw: LLVMTargetMachineRef,
}

impl Machine {
    /// A new one; `None` if LLVM does not know the target.
    pub fn new(target: &Target) -> Option<Machine> {
        Target::host(); // LLVM must know its targets before a machine is made.
        let triple = CString::new(target.triple.as_str()).ok()?;
        let cpu = CString::new(target.cpu.as_str()).ok()?;
        let features = CString::new(target.features.as_str()).ok()?;
        let mut found: LLVMTargetRef = std::ptr::null_mut();
        let mut message: *mut c_char = std::ptr::null_mut();
        // SAFETY: C strings that outlive the calls, and places for the results.
        unsafe {
            if LLVMGetTargetFromTriple(triple.as_ptr(), &mut found, &mut message) != 0 {
                LLVMDisposeMessage(message);
                return None;
            }
            let raw = LLVMCreateTargetMachine(
                found,
                triple.as_ptr(),
                cpu.as_ptr(),
                features.as_ptr(),
                LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
                LLVMRelocMode::LLVMRelocPIC,
                LLVMCodeModel::LLVMCodeModelJITDefault,
            );
            (!raw.is_null()).then_some(Machine { raw })
        }
    }

    /// The handle, for whoever runs passes or emits code.
    pub fn raw(&self) -> LLVMTargetMachineRef {
        self.raw
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: made in `new`, used by nobody else.
        unsafe { LLVMDisposeTargetMachine(self.raw) };
    }
}
