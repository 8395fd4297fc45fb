//! The SYCL backend keeps the contract, on the real runtime where one is installed.

mod installed;

use colocate_backend_sycl::SyclBackend;
use colocate_hal::Backend;
use installed::{Installed, backend};

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
