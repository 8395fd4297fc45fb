//! Devices that share allocations.

use crate::device::NativeDevice;
use crate::kernel::NativeKernel;
use crate::queue::NativeQueue;
use crate::{memory, next_identity};
use colocate_hal::{
    Context, DeviceRef, Error, KernelImage, KernelRef, QueueProperties, QueueRef, Result, UsmKind,
    fork,
};
use std::any::Any;
use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::{Arc, Mutex};

/// A set of native devices. Knows its allocations by address, so that a foreign description of
/// memory can be checked.
pub struct NativeContext {
    identity: u64,
    members: Members,
    discrete: bool,
    allocations: Mutex<BTreeMap<usize, (usize, UsmKind)>>,
    this: std::sync::Weak<NativeContext>,
}

enum Members {
    /// A default context: the device owns it, so it must not own the device.
    Default(std::sync::Weak<NativeDevice>),
    Several(Vec<DeviceRef>),
}

impl NativeContext {
    pub fn default_of(device: &Arc<NativeDevice>) -> Arc<NativeContext> {
        Self::new(
            Members::Default(Arc::downgrade(device)),
            device.is_discrete(),
        )
    }

    pub fn spanning(devices: &[DeviceRef], discrete: bool) -> Arc<NativeContext> {
        Self::new(Members::Several(devices.to_vec()), discrete)
    }

    fn new(members: Members, discrete: bool) -> Arc<NativeContext> {
        Arc::new_cyclic(|this| NativeContext {
            identity: next_identity(),
            members,
            discrete,
            allocations: Mutex::new(BTreeMap::new()),
            this: this.clone(),
        })
    }
}

impl Context for NativeContext {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn devices(&self) -> Vec<DeviceRef> {
        match &self.members {
            Members::Default(device) => device
                .upgrade()
                .map(|d| d as DeviceRef)
                .into_iter()
                .collect(),
            Members::Several(devices) => devices.clone(),
        }
    }

    fn alloc(&self, device: &DeviceRef, kind: UsmKind, bytes: usize) -> Result<NonNull<u8>> {
        let pointer = memory::allocate(bytes, kind, &device.info().name)?;
        let _critical = fork::critical();
        self.allocations
            .lock()
            .expect("no holder panics")
            .insert(pointer.as_ptr() as usize, (bytes, kind));
        Ok(pointer)
    }

    unsafe fn free(&self, pointer: NonNull<u8>, _kind: UsmKind, bytes: usize) {
        {
            let _critical = fork::critical();
            self.allocations
                .lock()
                .expect("no holder panics")
                .remove(&(pointer.as_ptr() as usize));
        }
        // SAFETY: the caller keeps rule 2 of hal.
        unsafe { memory::release(pointer, bytes) }
    }

    fn create_queue(&self, device: &DeviceRef, properties: QueueProperties) -> Result<QueueRef> {
        let context = self.this.upgrade().expect("a context in use is alive");
        let Some(native) = device.as_any().downcast_ref::<NativeDevice>() else {
            return Err(Error::invalid(
                "create a queue",
                &device.info().name,
                "the context belongs to native devices",
            ));
        };
        Ok(Arc::new(NativeQueue::new(
            native.handle(),
            context,
            properties,
        )))
    }

    unsafe fn load_kernel(&self, device: &DeviceRef, image: &KernelImage) -> Result<KernelRef> {
        Ok(Arc::new(NativeKernel::load(image, &device.info().name)?))
    }

    fn pointer_kind(&self, pointer: *const u8) -> Option<UsmKind> {
        let _critical = fork::critical();
        let allocations = self.allocations.lock().expect("no holder panics");
        let (start, (bytes, kind)) = allocations.range(..=pointer as usize).next_back()?;
        ((pointer as usize) < start + bytes).then_some(*kind)
    }

    fn host_can_access(&self, kind: UsmKind) -> bool {
        !self.discrete || kind != UsmKind::Device
    }

    fn device_can_access_host(&self) -> bool {
        !self.discrete
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for NativeContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NativeContext({})", self.identity)
    }
}
