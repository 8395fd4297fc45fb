//! NVRTC, found and loaded at run time.

use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

type Program = *mut c_void;

/// NVRTC's library.
pub struct Nvrtc {
    library: Library,
}

impl Nvrtc {
    /// Loads what pip's `nvidia-cuda-nvrtc` puts into the environment that `COLOCATE_TEST_PREFIX` names;
    /// a reason if there is none.
    pub fn load() -> Result<Nvrtc, String> {
        let prefix = std::env::var_os("COLOCATE_TEST_PREFIX")
            .ok_or("COLOCATE_TEST_PREFIX does not name a Python environment")?;
        let path = find(Path::new(&prefix))
            .ok_or_else(|| format!("nvidia-cuda-nvrtc is not installed in {prefix:?}"))?;
        // SAFETY: NVRTC's initialisers have no precondition.
        let library = unsafe { Library::new(&path) }.map_err(|error| error.to_string())?;
        Ok(Nvrtc { library })
    }

    /// The CUBIN of a text, or the compiler's log.
    pub fn compile(&self, text: &str, options: &[String]) -> Result<Vec<u8>, String> {
        let text = CString::new(text).expect("a text without NUL");
        let options: Vec<CString> = options
            .iter()
            .map(|o| CString::new(o.as_str()).expect("an option without NUL"))
            .collect();
        let options: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let mut program: Program = ptr::null_mut();
        // SAFETY: these are the functions' types in nvrtc.h. All pointers live through the calls;
        // buffers have the sizes that NVRTC asks for; the program is destroyed once, at the end.
        unsafe {
            let create: libloading::Symbol<
                unsafe extern "C" fn(
                    *mut Program,
                    *const c_char,
                    *const c_char,
                    c_int,
                    *const *const c_char,
                    *const *const c_char,
                ) -> c_int,
            > = self
                .library
                .get(b"nvrtcCreateProgram\0")
                .expect("a symbol of NVRTC");
            let compile: libloading::Symbol<
                unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int,
            > = self
                .library
                .get(b"nvrtcCompileProgram\0")
                .expect("a symbol of NVRTC");
            let destroy: libloading::Symbol<unsafe extern "C" fn(*mut Program) -> c_int> = self
                .library
                .get(b"nvrtcDestroyProgram\0")
                .expect("a symbol of NVRTC");
            let name = c"kernel.cu";
            let created = create(
                &mut program,
                text.as_ptr(),
                name.as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            );
            assert_eq!(created, 0, "a program is created");
            let compiled = compile(program, options.len() as c_int, options.as_ptr());
            let log = self.bytes(
                program,
                b"nvrtcGetProgramLogSize\0",
                b"nvrtcGetProgramLog\0",
            );
            let result = match compiled {
                0 => Ok(self.bytes(program, b"nvrtcGetCUBINSize\0", b"nvrtcGetCUBIN\0")),
                _ => Err(String::from_utf8_lossy(&log).into_owned()),
            };
            destroy(&mut program);
            result
        }
    }

    /// What a pair of functions, one for the size and one for the content, gives.
    fn bytes(&self, program: Program, size: &[u8], content: &[u8]) -> Vec<u8> {
        // SAFETY: as in `compile`; the buffer has the size just asked for.
        unsafe {
            let size: libloading::Symbol<unsafe extern "C" fn(Program, *mut usize) -> c_int> =
                self.library.get(size).expect("a symbol of NVRTC");
            let content: libloading::Symbol<unsafe extern "C" fn(Program, *mut u8) -> c_int> =
                self.library.get(content).expect("a symbol of NVRTC");
            let mut length = 0;
            assert_eq!(size(program, &mut length), 0, "NVRTC gives a size");
            let mut bytes = vec![0; length];
            assert_eq!(
                content(program, bytes.as_mut_ptr()),
                0,
                "NVRTC gives the content"
            );
            bytes
        }
    }
}

fn find(prefix: &Path) -> Option<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let read = std::fs::read_dir(folder).into_iter().flatten();
        let mut paths: Vec<PathBuf> = read.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        paths
    };
    let named = |path: &Path, start: &str| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(start))
    };
    let pythons = entries(&prefix.join("lib"));
    let pythons = pythons.iter().filter(|path| named(path, "python3"));
    pythons
        .flat_map(|python| entries(&python.join("site-packages/nvidia")))
        .flat_map(|package| entries(&package.join("lib")))
        .find(|path| named(path, "libnvrtc.so"))
}
