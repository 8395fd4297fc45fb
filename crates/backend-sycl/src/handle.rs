//! Ownership of the runtime's objects.

use crate::api::{Api, Ref};
use colocate_hal::{Error, Result, SharedHandle, fork};
use std::ptr::NonNull;

/// One C++ object, deleted when dropped, unless the process was forked since.
pub struct Owned {
    pub api: &'static Api,
    raw: NonNull<std::ffi::c_void>,
    delete: unsafe extern "C" fn(Ref),
    generation: u64,
}

// SAFETY: SYCL objects are reference-counted handles that the standard allows to be used from
// several threads at once.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Owned {
    /// Takes ownership; `None` for a null pointer, which is how the interface says "failed".
    pub fn take(api: &'static Api, raw: Ref, delete: unsafe extern "C" fn(Ref)) -> Option<Owned> {
        Some(Owned {
            api,
            raw: NonNull::new(raw)?,
            delete,
            generation: fork::generation(),
        })
    }

    /// The handle, for a call into the library.
    pub fn raw(&self) -> Ref {
        self.raw.as_ptr()
    }

    /// A second handle of the same object, made by `copy`, for another package to keep.
    pub fn share(&self, copy: unsafe extern "C" fn(Ref) -> Ref) -> Option<SharedHandle> {
        if !self.is_usable() {
            return None;
        }
        // SAFETY: the handle is alive and `copy` is its type's.
        let raw = NonNull::new(unsafe { copy(self.raw()) })?;
        Some(SharedHandle {
            raw,
            delete: self.delete,
        })
    }

    /// An error in a child of the process the handle was made in (R1.8).
    pub fn check_process(&self, operation: &str, device: &str) -> Result<()> {
        if self.generation == fork::generation() {
            return Ok(());
        }
        Err(Error::Forked {
            operation: operation.into(),
            device: device.into(),
        })
    }

    /// Whether the handle may still be used.
    pub fn is_usable(&self) -> bool {
        self.generation == fork::generation()
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if self.is_usable() {
            // SAFETY: we own the object and `delete` is its type's.
            unsafe { (self.delete)(self.raw()) }
        }
    }
}
