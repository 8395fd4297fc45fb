//! Which SYCL devices there are.

use crate::api::{ALL_DEVICES, Api, Ref};
use crate::context::SyclContext;
use crate::device::SyclDevice;
use crate::handle::Owned;
use crate::queue::SyclQueue;
use colocate_hal::{Backend, ContextRef, DeviceRef, Error, QueueRef, Result, fork};
use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::OnceLock;

/// What the backend must ask of its surroundings, which know where things are installed.
pub trait Surroundings: Send + Sync {
    /// The path of `libDPCTLSyclInterface.so`, or why there is none. Called when the library is
    /// needed; has until then to prepare the process's environment for the driver's discovery.
    fn locate_library(&self) -> std::result::Result<PathBuf, String>;

    /// Calls `share` with the handle of dpctl's cached queue for a device, if dpctl can be asked.
    fn with_cached_queue(&self, selector: &str, share: &mut dyn FnMut(*mut c_void));
}

/// The SYCL backend. Loads nothing until it is asked for a device.
pub struct SyclBackend {
    surroundings: Box<dyn Surroundings>,
    /// Never unloaded: objects of the library may outlive everything of ours.
    api: OnceLock<Result<&'static Api>>,
}

impl SyclBackend {
    /// A backend that has loaded nothing yet.
    pub fn new(surroundings: impl Surroundings + 'static) -> SyclBackend {
        fork::watch();
        SyclBackend {
            surroundings: Box::new(surroundings),
            api: OnceLock::new(),
        }
    }

    fn api(&self) -> Result<&'static Api> {
        if self.api.get().is_none() {
            // The surroundings may need a lock of their own (Python's), so ours is not held here.
            let located = self.surroundings.locate_library();
            self.api.get_or_init(|| {
                let path = located.map_err(|why| Error::Load {
                    backend: "sycl",
                    why,
                })?;
                Ok(Box::leak(Box::new(Api::load(&path)?)))
            });
        }
        let loaded = self.api.get().expect("set above");
        loaded.clone()
    }
}

/// The devices in a vector of the interface, which is consumed.
pub fn take_devices(api: &'static Api, vector: Ref) -> Vec<Owned> {
    let Some(vector) = Owned::take(api, vector, api.device_vector_delete) else {
        return Vec::new();
    };
    // SAFETY: the vector is alive, indices are below its size, and each element is a new handle.
    unsafe {
        let size = (api.device_vector_size)(vector.raw());
        (0..size)
            .filter_map(|index| {
                let device = (api.device_vector_get_at)(vector.raw(), index);
                Owned::take(api, device, api.device_delete)
            })
            .collect()
    }
}

impl Backend for SyclBackend {
    fn name(&self) -> &'static str {
        "sycl"
    }

    fn root_devices(&self) -> Result<Vec<DeviceRef>> {
        let api = self.api()?;
        // SAFETY: a query without arguments other than the constant of the header.
        let vector = unsafe { (api.device_manager_get_devices)(ALL_DEVICES) };
        Ok(take_devices(api, vector)
            .into_iter()
            .map(|handle| SyclDevice::found(handle) as DeviceRef)
            .collect())
    }

    fn finish(&self) {
        SyclQueue::wait_for_all();
    }

    fn shared_default_queue(&self, selector: &str) -> Result<Option<QueueRef>> {
        // dpctl calls these by the name of the SYCL backend alone.
        let selector = selector.strip_prefix("sycl_").unwrap_or(selector);
        let mut shared = None;
        self.surroundings.with_cached_queue(selector, &mut |raw| {
            // SAFETY: the surroundings give a live handle.
            shared = Some(unsafe { self.adopt_queue(raw, true) });
        });
        shared.transpose()
    }

    unsafe fn adopt_queue(&self, raw: *mut c_void, keep_in_order: bool) -> Result<QueueRef> {
        let api = self.api()?;
        // SAFETY: the caller gives a live handle, or null, which is not copied.
        let copy = |raw| unsafe { (api.queue_copy)(raw) };
        let copied = if raw.is_null() { raw } else { copy(raw) };
        let handle = Owned::take(api, copied, api.queue_delete)
            .ok_or_else(|| Error::invalid("share a queue", "SYCL", "the handle is null or dead"))?;
        Ok(SyclQueue::adopt(handle, keep_in_order)?)
    }

    unsafe fn adopt_context(&self, raw: *mut c_void) -> Result<ContextRef> {
        let api = self.api()?;
        // SAFETY: the caller gives a live handle, or null, which is not copied.
        let copy = |raw| unsafe { (api.context_copy)(raw) };
        let copied = if raw.is_null() { raw } else { copy(raw) };
        let handle = Owned::take(api, copied, api.context_delete).ok_or_else(|| {
            Error::invalid("share a context", "SYCL", "the handle is null or dead")
        })?;
        Ok(SyclContext::adopt(handle))
    }
}

impl std::fmt::Debug for SyclBackend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SyclBackend")
    }
}
