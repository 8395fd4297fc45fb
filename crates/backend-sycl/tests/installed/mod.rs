//! The SYCL runtime installed for tests, if there is one.

use colocate_backend_sycl::{Surroundings, SyclBackend};
use colocate_hal::Backend;
use std::path::PathBuf;

/// The environment to look in: `COLOCATE_TEST_PREFIX`, else the project's own `.venv`.
fn prefix() -> PathBuf {
    std::env::var_os("COLOCATE_TEST_PREFIX").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.venv"),
        PathBuf::from,
    )
}

fn library() -> Result<PathBuf, String> {
    let pattern = prefix().join("lib");
    let found = std::fs::read_dir(&pattern)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| {
            entry
                .path()
                .join("site-packages/dpctl/libDPCTLSyclInterface.so")
        })
        .find(|path| path.exists());
    found.ok_or_else(|| format!("no dpctl below {}", pattern.display()))
}

/// Surroundings in which the library is at this path.
pub struct Installed(pub PathBuf);

impl Surroundings for Installed {
    fn locate_library(&self) -> Result<PathBuf, String> {
        Ok(self.0.clone())
    }

    fn with_cached_queue(&self, _selector: &str, _share: &mut dyn FnMut(*mut std::ffi::c_void)) {}
}

/// The backend, or why there is none.
pub fn backend() -> Result<SyclBackend, String> {
    let library = library()?;
    let driver = prefix().join("lib/libintelocl.so");
    // SAFETY: set before the runtime starts; nextest gives each test a process of its own, and
    // under `cargo test` every test sets the same value.
    unsafe { std::env::set_var("OCL_ICD_FILENAMES", driver) };
    let backend = SyclBackend::new(Installed(library));
    match backend.root_devices() {
        Ok(devices) if devices.is_empty() => Err("the SYCL runtime found no device".into()),
        Ok(_) => Ok(backend),
        Err(error) => Err(error.to_string()),
    }
}
