//! A SYCL context and its memory.

use crate::device::SyclDevice;
use crate::handle::Owned;
use crate::kernel::SyclKernel;
use crate::platform::take_devices;
use crate::queue::SyclQueue;
use crate::{api, report};
use colocate_hal::{
    ALIGNMENT, Aspect, Context, DeviceRef, Error, KernelImage, KernelRef, QueueProperties,
    QueueRef, Result, SharedHandle, UsmKind, fork,
};
use std::any::Any;
use std::collections::HashMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// From here on the system is asked for huge pages.
const HUGE: usize = 4 << 20;

/// A context.
pub struct SyclContext {
    pub handle: Owned,
    identity: u64,
    devices: OnceLock<Vec<DeviceRef>>,
    /// The interface allocates by queue; one for each device, for nothing else.
    allocation_queues: Mutex<HashMap<u64, Arc<Owned>>>,
    /// Queues that nobody uses any more, by device and flags. The driver may hang when a queue is
    /// deleted while other threads use theirs, and loses memory each time; so they are used again.
    idle_queues: Mutex<HashMap<(u64, i32), Vec<Owned>>>,
    held: AtomicU64,
    this: Weak<SyclContext>,
}

impl SyclContext {
    pub fn adopt(handle: Owned) -> Arc<SyclContext> {
        // SAFETY: the handle is alive.
        let identity = unsafe { (handle.api.context_hash)(handle.raw()) } as u64;
        Arc::new_cyclic(|this| SyclContext {
            handle,
            identity,
            devices: OnceLock::new(),
            allocation_queues: Mutex::new(HashMap::new()),
            idle_queues: Mutex::new(HashMap::new()),
            held: AtomicU64::new(0),
            this: this.clone(),
        })
    }

    fn name(&self) -> String {
        let devices = self.devices();
        devices
            .first()
            .map_or_else(|| "SYCL".into(), |device| device.info().name.clone())
    }

    /// A raw queue of this context that nobody uses.
    pub fn open_queue(&self, device: &DeviceRef, properties: i32) -> Result<Owned> {
        const OPERATION: &str = "create a queue";
        let name = &device.info().name;
        self.handle.check_process(OPERATION, name)?;
        {
            let _critical = fork::critical();
            let mut idle = self.idle_queues.lock().expect("no holder panics");
            let kept = idle.get_mut(&(device.identity(), properties));
            if let Some(queue) = kept.and_then(Vec::pop) {
                return Ok(queue);
            }
        }
        let Some(sycl) = device.as_any().downcast_ref::<SyclDevice>() else {
            return Err(Error::invalid(
                OPERATION,
                name,
                "the context belongs to SYCL devices",
            ));
        };
        let api = &self.handle.api;
        let raw = report::checked(OPERATION, name, "DPCTLQueue_Create", || {
            // SAFETY: context and device are alive.
            unsafe {
                (api.queue_create)(
                    self.handle.raw(),
                    sycl.handle.raw(),
                    Some(report::on_async_error),
                    properties,
                )
            }
        })?;
        Ok(Owned::take(api, raw, api.queue_delete).expect("checked is not null"))
    }

    /// Keeps a queue for the next who wants one like it.
    pub fn keep_queue(&self, device: &DeviceRef, properties: i32, queue: Owned) {
        if queue.is_usable() {
            let _critical = fork::critical();
            let mut idle = self.idle_queues.lock().expect("no holder panics");
            let like_it = idle.entry((device.identity(), properties)).or_default();
            like_it.push(queue);
        }
    }

    fn allocation_queue(&self, device: &DeviceRef) -> Result<Arc<Owned>> {
        let _critical = fork::critical();
        let mut queues = self.allocation_queues.lock().expect("no holder panics");
        if let Some(queue) = queues.get(&device.identity()) {
            return Ok(queue.clone());
        }
        let queue = Arc::new(self.open_queue(device, 0)?);
        queues.insert(device.identity(), queue.clone());
        Ok(queue)
    }
}

/// Asks the system for huge pages in new memory of this processor's, as a wish.
fn ask_for_huge_pages(memory: NonNull<u8>, bytes: usize) {
    const PAGE: usize = 4 << 10;
    let start = memory.addr().get().next_multiple_of(PAGE);
    let end = (memory.addr().get() + bytes) & !(PAGE - 1);
    // SAFETY: whole pages inside an allocation; the advice changes no contents.
    unsafe {
        libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE);
    }
}

impl Context for SyclContext {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn devices(&self) -> Vec<DeviceRef> {
        let read = || {
            // SAFETY: the context is alive.
            let vector = unsafe { (self.handle.api.context_get_devices)(self.handle.raw()) };
            take_devices(self.handle.api, vector)
                .into_iter()
                .map(|handle| SyclDevice::found(handle) as DeviceRef)
                .collect()
        };
        self.devices.get_or_init(read).clone()
    }

    fn alloc(&self, device: &DeviceRef, kind: UsmKind, bytes: usize) -> Result<NonNull<u8>> {
        let info = device.info();
        self.handle.check_process("allocate memory", &info.name)?;
        let out_of_memory = || Error::OutOfMemory {
            requested: bytes,
            kind: kind.name(),
            device: info.name.clone(),
            available: info.max_mem_alloc_size.min(
                info.global_mem_size
                    .saturating_sub(self.held.load(Ordering::Relaxed)),
            ),
            total: info.global_mem_size,
            held: self.held.load(Ordering::Relaxed),
        };
        // Some drivers overcommit and kill the process later; their own limit is a promise.
        if bytes as u64 > info.max_mem_alloc_size
            || self.held.load(Ordering::Relaxed) + bytes as u64 > info.global_mem_size
        {
            return Err(out_of_memory());
        }
        let queue = self.allocation_queue(device)?;
        let api = &self.handle.api;
        let allocate = match kind {
            UsmKind::Device => api.usm_alloc_device,
            UsmKind::Shared => api.usm_alloc_shared,
            UsmKind::Host => api.usm_alloc_host,
        };
        // SAFETY: the queue is alive.
        let pointer = unsafe { allocate(ALIGNMENT, bytes, queue.raw()) };
        let pointer: NonNull<u8> = NonNull::new(pointer.cast()).ok_or_else(out_of_memory)?;
        if bytes >= HUGE && info.is_host() {
            ask_for_huge_pages(pointer, bytes);
        }
        self.held.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(pointer)
    }

    unsafe fn free(&self, pointer: NonNull<u8>, _kind: UsmKind, bytes: usize) {
        self.held.fetch_sub(bytes as u64, Ordering::Relaxed);
        if self.handle.is_usable() {
            // SAFETY: rule 2 of hal.
            unsafe { (self.handle.api.usm_free)(pointer.as_ptr().cast(), self.handle.raw()) }
        }
    }

    fn create_queue(&self, device: &DeviceRef, properties: QueueProperties) -> Result<QueueRef> {
        let mut flags = 0;
        if properties.in_order {
            flags |= api::IN_ORDER;
        }
        if properties.enable_profiling {
            flags |= api::ENABLE_PROFILING;
        }
        let handle = self.open_queue(device, flags)?;
        let context = self.this.upgrade().expect("a context in use is alive");
        Ok(SyclQueue::created(
            handle,
            context,
            device.clone(),
            properties,
            flags,
        ))
    }

    unsafe fn load_kernel(&self, device: &DeviceRef, image: &KernelImage) -> Result<KernelRef> {
        // SAFETY: as for this function.
        let kernel = unsafe { SyclKernel::load(&self.handle, device, image) };
        Ok(Arc::new(kernel?))
    }

    fn pointer_kind(&self, pointer: *const u8) -> Option<UsmKind> {
        if !self.handle.is_usable() {
            return None;
        }
        // SAFETY: the runtime looks the address up without reading from it.
        let code = unsafe {
            (self.handle.api.usm_pointer_type)(pointer.cast_mut().cast(), self.handle.raw())
        };
        match code {
            1 => Some(UsmKind::Device),
            2 => Some(UsmKind::Shared),
            3 => Some(UsmKind::Host),
            _ => None,
        }
    }

    fn host_can_access(&self, kind: UsmKind) -> bool {
        kind != UsmKind::Device
    }

    fn device_can_access_host(&self) -> bool {
        let devices = self.devices();
        devices
            .iter()
            .all(|device| device.info().has(Aspect::UsmSystemAllocations))
    }

    fn share_handle(&self) -> Option<SharedHandle> {
        self.handle.share(self.handle.api.context_copy)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for SyclContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SyclContext({})", self.name())
    }
}
