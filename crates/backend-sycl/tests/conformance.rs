//! The SYCL backend keeps the contract, on the real runtime where one is installed.

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

struct Installed(PathBuf);

impl Surroundings for Installed {
    fn locate_library(&self) -> Result<PathBuf, String> {
        Ok(self.0.clone())
    }

    fn with_cached_queue(&self, _selector: &str, _share: &mut dyn FnMut(*mut std::ffi::c_void)) {}
}

fn backend() -> Result<SyclBackend, String> {
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

colocate_hal::conformance_suite!(backend);

#[test]
fn a_library_that_is_not_there_is_an_error_with_its_path() {
    let backend = SyclBackend::new(Installed("/nowhere/libDPCTLSyclInterface.so".into()));
    let error = backend.root_devices().unwrap_err().to_string();
    assert!(error.contains("/nowhere"), "{error}");
}

#[test]
fn a_failed_split_says_what_was_tried() {
    let Ok(backend) = backend() else {
        return eprintln!("skipped: no SYCL device");
    };
    for device in backend.root_devices().unwrap() {
        let partition = colocate_hal::Partition::ByAffinity(colocate_hal::AffinityDomain::L4Cache);
        let error = device.create_sub_devices(&partition).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("create sub-devices") && text.contains("L4_cache"),
            "{text}"
        );
        eprintln!("{text}");
    }
}

#[test]
fn a_failed_call_carries_what_the_runtime_reported() {
    let Ok(backend) = backend() else {
        return eprintln!("skipped: no SYCL device");
    };
    for device in backend.root_devices().unwrap() {
        if device.backend_name() != "opencl" {
            continue;
        }
        let context = device.default_context().unwrap();
        let queue = context.create_queue(&device, Default::default()).unwrap();
        let kind = colocate_hal::UsmKind::Shared;
        let memory = context.alloc(&device, kind, 256).unwrap();
        // SAFETY: inside the allocation; that the two sides overlap is what OpenCL must refuse.
        let failed = unsafe { queue.copy(memory.as_ptr(), memory.as_ptr().add(8), 64, &[]) };
        let text = failed.unwrap_err().to_string();
        for part in [
            "copy memory",
            "DPCTLQueue_Memcpy",
            "opencl backend failed with error",
        ] {
            assert!(text.contains(part), "{text}");
        }
        // SAFETY: allocated above, and no work uses it.
        unsafe { context.free(memory, kind, 256) };
    }
}
