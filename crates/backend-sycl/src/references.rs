//! References to OpenCL's objects that nobody would give back.
//!
//! The C interface builds a program through OpenCL and hands it to SYCL, which takes references of its own; those of
//! the interface, one of each function that sees the program, are never given back (seen in dpctl 0.22). So a driver
//! would keep the code of every kernel for ever: 3 MB each with Intel's for the CPU.
//!
//! Nothing is given back but what was counted: right after a kernel is built nobody else has it, so the numbers of
//! references are known. Where they are others, or a library has another form, all stays as it is.

use crate::api::{Api, Ref};
use libloading::os::unix::{Library, RTLD_NOW};
use std::ffi::c_void;
use std::sync::OnceLock;

/// What OpenCL calls its questions.
const KERNEL_REFERENCES: u32 = 0x1192;
const KERNEL_PROGRAM: u32 = 0x1194;
const PROGRAM_REFERENCES: u32 = 0x1160;

/// SYCL's, the interface's, and the one with which we were told the handle.
const OF_KERNEL: u32 = 3;
/// SYCL's, and one of each of the two functions of the interface that saw the program.
const OF_PROGRAM: u32 = 3;

type Question = unsafe extern "C" fn(Ref, u32, usize, *mut c_void, *mut usize) -> i32;
type Release = unsafe extern "C" fn(Ref) -> i32;

struct OpenCl {
    ask_kernel: Question,
    ask_program: Question,
    release_kernel: Release,
    release_program: Release,
    _library: Library,
}

impl OpenCl {
    /// The library that the process has loaded, if it has.
    fn loaded() -> Option<&'static OpenCl> {
        static LOADED: OnceLock<Option<OpenCl>> = OnceLock::new();
        LOADED.get_or_init(OpenCl::look_up).as_ref()
    }

    fn look_up() -> Option<OpenCl> {
        // SAFETY: it is loaded already, or this fails; the types are those of OpenCL's header.
        unsafe {
            let library =
                Library::open(Some("libOpenCL.so.1"), RTLD_NOW | libc::RTLD_NOLOAD).ok()?;
            Some(OpenCl {
                ask_kernel: *library.get(b"clGetKernelInfo").ok()?,
                ask_program: *library.get(b"clGetProgramInfo").ok()?,
                release_kernel: *library.get(b"clReleaseKernel").ok()?,
                release_program: *library.get(b"clReleaseProgram").ok()?,
                _library: library,
            })
        }
    }
}

/// # Safety
/// The object is alive and of the question's type, and the answer has the type `T`.
unsafe fn answer<T: Default>(question: Question, object: Ref, what: u32) -> Option<T> {
    let mut value = T::default();
    let place = std::ptr::from_mut(&mut value).cast();
    // SAFETY: there is room for the answer.
    let code = unsafe { question(object, what, size_of::<T>(), place, std::ptr::null_mut()) };
    (code == 0).then_some(value)
}

/// Gives back what the interface has taken while a kernel was built.
///
/// # Safety
/// The kernel is one of SYCL's on OpenCL, alive, built just now with one call each of the functions that make the
/// bundle and take the kernel out; nobody else has seen it or its program.
pub unsafe fn give_back(api: &Api, kernel: Ref) {
    let (Some(native_kernel), Some(opencl)) = (api.native_kernel, OpenCl::loaded()) else {
        return;
    };
    // SAFETY: the kernel is alive; each answer has the type that OpenCL says. What is released was counted.
    unsafe {
        let native = native_kernel(kernel);
        if native.is_null() {
            return;
        }
        let references: Option<u32> = answer(opencl.ask_kernel, native, KERNEL_REFERENCES);
        let program: Option<usize> = answer(opencl.ask_kernel, native, KERNEL_PROGRAM);
        let program = program.map(|address| address as Ref);
        let of_program: Option<u32> =
            program.and_then(|program| answer(opencl.ask_program, program, PROGRAM_REFERENCES));
        if let (Some(OF_KERNEL), Some(OF_PROGRAM), Some(program)) =
            (references, of_program, program)
        {
            (opencl.release_kernel)(native);
            for _ in 1..OF_PROGRAM {
                (opencl.release_program)(program);
            }
        }
        // With which we were told the handle.
        (opencl.release_kernel)(native);
    }
}
