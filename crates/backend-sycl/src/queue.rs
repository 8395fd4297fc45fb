//! A SYCL queue.

use crate::api::{self, Ref};
use crate::context::SyclContext;
use crate::device::SyclDevice;
use crate::event::{DoneByHost, Submission, SyclEvent, as_sycl};
use crate::handle::Owned;
use crate::kernel::as_sycl_kernel;
use crate::report;
use colocate_hal::{
    ContextRef, DeviceRef, Error, EventRef, EventStatus, Geometry, KernelRef, Queue,
    QueueProperties, Result, SharedHandle, fork, timing,
};
use std::any::Any;
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// Copies up to this size that need not wait for anything are waited for: the driver then runs
/// them on the calling thread, in half the time that handing them to another takes.
const SMALL: usize = 4 << 10;

/// Every queue, so that none is left with work when the process ends: the driver crashes.
static LIVE: Mutex<Vec<Weak<SyclQueue>>> = Mutex::new(Vec::new());

/// After this many submissions the one as many before them is waited for, so that a program that
/// submits faster than the device can work does not fill the memory with work to do.
const BACKLOG: usize = 128;

/// What the twin of a queue is made with.
const TIMED: i32 = api::IN_ORDER | api::ENABLE_PROFILING;

/// A queue.
///
/// dpctl's default queue of a device, which we share so that arrays mix with dpnp's, is
/// out-of-order; such a queue is *chained*: each of our submissions depends on the one before,
/// so that it keeps the order R1.3 promises, whatever others submit in between.
///
/// While times are wanted (`hal::timing`), work goes to a *twin* that keeps them: another queue of
/// the library on the same device, in order. A submission to the one depends on the last one to the
/// other, so the order stays. Barriers always go to the queue itself, which others may know.
pub struct SyclQueue {
    handle: ManuallyDrop<Owned>,
    /// The flags it was made with, if we made it: then its handle is used again.
    made_with: Option<i32>,
    identity: u64,
    device: DeviceRef,
    facts: OnceLock<DeviceFacts>,
    context: Arc<SyclContext>,
    properties: QueueProperties,
    /// Whether `last` orders our submissions, because the library's queue does not.
    chained: bool,
    submitted: Mutex<Submitted>,
    /// `None` inside if there can be none.
    twin: OnceLock<Option<Owned>>,
    /// Whether others may know it.
    shared: AtomicBool,
    this: Weak<SyclQueue>,
}

/// What was submitted.
#[derive(Default)]
struct Submitted {
    /// Our last submission, unless it is known to be over, and whether it went to the twin.
    last: Option<(Arc<Submission>, bool)>,
    /// How many there were, and the last one that was a multiple of [`BACKLOG`].
    count: usize,
    checkpoint: Option<Arc<Submission>>,
}

/// What each submission needs to know of the device; all there is to know takes long to find out.
struct DeviceFacts {
    name: String,
    /// See `DeviceInfo::is_host`.
    is_host: bool,
}

/// What is submitted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Nothing; it only orders other work.
    Barrier,
    /// So little that it is waited for, if nothing comes before it.
    Small,
    Large,
}

impl SyclQueue {
    pub fn created(
        handle: Owned,
        context: Arc<SyclContext>,
        device: DeviceRef,
        properties: QueueProperties,
        flags: i32,
    ) -> Arc<SyclQueue> {
        Self::new(handle, context, device, properties, false, Some(flags))
    }

    /// Wraps somebody else's queue.
    pub fn adopt(handle: Owned, keep_in_order: bool) -> Result<Arc<SyclQueue>> {
        let api = handle.api;
        let broken = || Error::invalid("adopt a queue", "SYCL", "it has no context or no device");
        // SAFETY: the handle is alive; context and device come back as new handles.
        let (context, device, properties) = unsafe {
            let raw = handle.raw();
            let context = Owned::take(api, (api.queue_get_context)(raw), api.context_delete);
            let device = Owned::take(api, (api.queue_get_device)(raw), api.device_delete);
            let properties = QueueProperties {
                in_order: (api.queue_is_in_order)(raw),
                enable_profiling: (api.queue_has_profiling)(raw),
            };
            (
                context.ok_or_else(broken)?,
                device.ok_or_else(broken)?,
                properties,
            )
        };
        let chained = keep_in_order && !properties.in_order;
        Ok(Self::new(
            handle,
            SyclContext::adopt(context),
            SyclDevice::found(device),
            QueueProperties {
                in_order: properties.in_order || chained,
                ..properties
            },
            chained,
            None,
        ))
    }

    fn new(
        handle: Owned,
        context: Arc<SyclContext>,
        device: DeviceRef,
        properties: QueueProperties,
        chained: bool,
        made_with: Option<i32>,
    ) -> Arc<SyclQueue> {
        // The runtime numbers its queues from one on, as the native backend does: the top bit
        // keeps an event of the one from passing for an event of the other.
        // SAFETY: the handle is alive.
        let identity = unsafe { (handle.api.queue_hash)(handle.raw()) } as u64 | 1 << 63;
        let queue = Arc::new_cyclic(|this| SyclQueue {
            handle: ManuallyDrop::new(handle),
            made_with,
            identity,
            facts: OnceLock::new(),
            device,
            context,
            properties,
            chained,
            submitted: Mutex::default(),
            twin: OnceLock::new(),
            shared: AtomicBool::new(made_with.is_none()),
            this: this.clone(),
        });
        let _critical = fork::critical();
        let mut live = LIVE.lock().expect("no holder panics");
        live.retain(|other| other.strong_count() > 0);
        live.push(Arc::downgrade(&queue));
        queue
    }

    /// Waits for all queues there are.
    pub fn wait_for_all() {
        let live: Vec<_> = {
            let _critical = fork::critical();
            let live = LIVE.lock().expect("no holder panics");
            live.iter().filter_map(Weak::upgrade).collect()
        };
        for queue in live {
            // An error has nobody to go to: the process is ending.
            let _ = queue.wait();
        }
    }

    pub fn device_name(&self) -> &str {
        &self.facts().name
    }

    fn facts(&self) -> &DeviceFacts {
        self.facts.get_or_init(|| {
            let info = self.device.info();
            DeviceFacts {
                name: info.name.clone(),
                is_host: info.is_host(),
            }
        })
    }

    /// The queue that keeps times in place of this one, if times are wanted and its order can be
    /// kept: that of an out-of-order queue is known to nobody.
    fn twin(&self) -> Option<&Owned> {
        if !timing::wanted() || self.properties.enable_profiling {
            return None;
        }
        let open = || {
            let ordered = self.chained || self.made_with.is_some() && self.properties.in_order;
            ordered.then(|| self.context.open_queue(&self.device, TIMED).ok())?
        };
        self.twin.get_or_init(open).as_ref()
    }

    /// Submits what `call` submits, given the queue and the raw events to depend on.
    fn submit(
        &self,
        operation: &str,
        name: &'static str,
        work: Work,
        deps: &[EventRef],
        call: impl Fn(&Owned, &[Ref]) -> Ref,
    ) -> Result<EventRef> {
        self.handle.check_process(operation, self.device_name())?;
        // Mostly there is none, and then nothing is allocated.
        let mut raw = Vec::new();
        for dep in deps {
            match as_sycl(dep) {
                Some(event) => raw.push(event.submission.handle.raw()),
                // Another backend's event means nothing to SYCL, so its end is awaited here.
                None => dep.wait()?,
            }
        }
        let twin = self.twin().filter(|_| work != Work::Barrier);
        let queue = twin.unwrap_or(&self.handle);
        let (event, now, checkpoint) = {
            let _critical = fork::critical();
            let mut submitted = self.submitted.lock().expect("no holder panics");
            // Released later, it would be released while the next command runs, and the driver's lock would make
            // both wait.
            drop(submitted.last.take_if(is_over));
            let before = submitted.last.as_ref();
            let idle = raw.is_empty() && before.is_none();
            if let Some((before, on_twin)) = before
                && (*on_twin != twin.is_some() || self.chained && twin.is_none())
            {
                raw.push(before.handle.raw());
            }
            let call = || call(queue, &raw);
            let event = report::checked(operation, self.device_name(), name, call)?;
            let event = Owned::take(self.handle.api, event, self.handle.api.event_delete);
            let event = Submission::new(event.expect("checked is not null"));
            let at_once = work == Work::Small;
            let now = at_once && idle && (self.chained || self.made_with.is_some());
            if now {
                // At once, before another thread of the driver has taken it: then this one runs it.
                event.wait();
            }
            let event = Arc::new(event);
            submitted.last = (!now).then(|| (event.clone(), twin.is_some()));
            submitted.count += 1;
            let checkpoint = match submitted.count.is_multiple_of(BACKLOG) {
                true => submitted.checkpoint.replace(event.clone()),
                false => None,
            };
            (event, now, checkpoint)
        };
        let timed = twin.is_some() || self.properties.enable_profiling;
        let queue = self.this.upgrade().expect("a queue in use is alive");
        let event = Arc::new(SyclEvent::new(event, queue, timed));
        if now {
            report::check_async(self.device_name())?;
        }
        if let Some(before) = checkpoint {
            before.wait();
        }
        Ok(event)
    }

    /// Whether nothing that was submitted here is left to be done, and nobody can tell whether a submission went
    /// through the library: its queue keeps no order itself or is known to nobody, and no times are wanted.
    fn is_idle(&self) -> bool {
        let unseen = self.chained || self.properties.in_order && self.is_private();
        if !unseen || self.properties.enable_profiling || timing::wanted() {
            return false;
        }
        let _critical = fork::critical();
        let mut submitted = self.submitted.lock().expect("no holder panics");
        drop(submitted.last.take_if(is_over));
        submitted.last.is_none()
    }

    /// Whether all that is submitted to it is submitted here.
    fn is_private(&self) -> bool {
        !self.shared.load(Ordering::Acquire)
    }

    /// The event of what was done before this is called.
    fn done_by_host(&self) -> EventRef {
        let queue = self.this.upgrade().expect("a queue in use is alive");
        Arc::new(DoneByHost::new(queue))
    }

    /// For calls that take no dependencies themselves: a barrier holds the queue back. False if
    /// it could not be submitted.
    ///
    /// # Safety
    /// `deps` are live event handles.
    unsafe fn hold_for(&self, queue: &Owned, deps: &[Ref]) -> bool {
        if deps.is_empty() {
            return true;
        }
        let api = &self.handle.api;
        // SAFETY: queue and events are alive; the returned event is not needed.
        let barrier = unsafe { (api.queue_barrier_for)(queue.raw(), deps.as_ptr(), deps.len()) };
        Owned::take(api, barrier, api.event_delete).is_some()
    }
}

fn is_over((event, _): &mut (Arc<Submission>, bool)) -> bool {
    event.status() == EventStatus::Complete
}

impl Queue for SyclQueue {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn device(&self) -> DeviceRef {
        self.device.clone()
    }

    fn context(&self) -> ContextRef {
        self.context.clone()
    }

    fn properties(&self) -> QueueProperties {
        self.properties
    }

    unsafe fn copy(
        &self,
        destination: *mut u8,
        source: *const u8,
        bytes: usize,
        deps: &[EventRef],
    ) -> Result<EventRef> {
        if bytes == 0 {
            return self.barrier(deps);
        }
        let work = match bytes <= SMALL {
            true => Work::Small,
            false => Work::Large,
        };
        // The library takes twenty times as long as the copy itself. Sides that overlap are for it to refuse.
        let apart = destination.addr().abs_diff(source.addr()) >= bytes;
        let quick = apart && work == Work::Small && self.facts().is_host;
        if quick && deps.is_empty() && self.is_idle() {
            self.handle
                .check_process("copy memory", self.device_name())?;
            // SAFETY: rules 1 and 3 of hal; the processor that would copy is this one.
            unsafe { std::ptr::copy_nonoverlapping(source, destination, bytes) };
            return Ok(self.done_by_host());
        }
        // SAFETY: rules 1 and 3 of hal; the queue and the dependencies are alive.
        self.submit(
            "copy memory",
            "DPCTLQueue_Memcpy",
            work,
            deps,
            |queue, raw| unsafe {
                let (api, queue) = (&self.handle.api, queue.raw());
                let (to, from) = (destination.cast(), source.cast());
                // The form with dependencies costs a microsecond more, even with none.
                if raw.is_empty() {
                    (api.queue_memcpy)(queue, to, from, bytes)
                } else {
                    (api.queue_memcpy_after)(queue, to, from, bytes, raw.as_ptr(), raw.len())
                }
            },
        )
    }

    unsafe fn fill(
        &self,
        destination: *mut u8,
        pattern: &[u8],
        count: usize,
        deps: &[EventRef],
    ) -> Result<EventRef> {
        if count == 0 {
            return self.barrier(deps);
        }
        let api = &self.handle.api;
        let mut value = [0u8; 16];
        value[..pattern.len()].copy_from_slice(pattern);
        let value = u128::from_le_bytes(value);
        let width = pattern.len();
        // SAFETY: rule 1 of hal; the queue and the dependencies are alive.
        self.submit(
            "fill memory",
            "DPCTLQueue_Fill",
            Work::Large,
            deps,
            |queue, raw| unsafe {
                if !self.hold_for(queue, raw) {
                    return std::ptr::null_mut();
                }
                let queue = queue.raw();
                let destination = destination.cast();
                match width {
                    1 => (api.queue_fill8)(queue, destination, value as u8, count),
                    2 => (api.queue_fill16)(queue, destination, value as u16, count),
                    4 => (api.queue_fill32)(queue, destination, value as u32, count),
                    8 => (api.queue_fill64)(queue, destination, value as u64, count),
                    16 => {
                        let mut halves = [value as u64, (value >> 64) as u64];
                        (api.queue_fill128)(queue, destination, halves.as_mut_ptr(), count)
                    }
                    _ => unreachable!("hal allows patterns of 1, 2, 4, 8 and 16 bytes"),
                }
            },
        )
    }

    fn barrier(&self, deps: &[EventRef]) -> Result<EventRef> {
        if deps.is_empty() && self.is_private() && self.is_idle() {
            let device = self.device_name();
            self.handle.check_process("submit a barrier", device)?;
            return Ok(self.done_by_host());
        }
        // SAFETY: the queue and the dependencies are alive.
        self.submit(
            "submit a barrier",
            "DPCTLQueue_SubmitBarrier",
            Work::Barrier,
            deps,
            |queue, raw| unsafe {
                if !self.hold_for(queue, raw) {
                    return std::ptr::null_mut();
                }
                (self.handle.api.queue_barrier)(queue.raw())
            },
        )
    }

    unsafe fn launch(
        &self,
        kernel: &KernelRef,
        arguments: &[u64],
        geometry: &Geometry,
        deps: &[EventRef],
    ) -> Result<EventRef> {
        let operation = format!("run the kernel {}", kernel.name());
        let Some(kernel) = as_sycl_kernel(kernel) else {
            let why = "it was not loaded by a SYCL context";
            return Err(Error::invalid(&operation, self.device_name(), why));
        };
        kernel.check_arguments(arguments, &operation, self.device_name())?;
        if geometry.items() == 0 {
            return self.barrier(deps);
        }
        let call = match geometry.local {
            Some(_) => "DPCTLQueue_SubmitNDRange",
            None => "DPCTLQueue_SubmitRange",
        };
        // SAFETY: rule 1 of hal; the queue and the dependencies are alive.
        self.submit(&operation, call, Work::Large, deps, |queue, raw| unsafe {
            kernel.submit(queue, arguments, geometry, raw)
        })
    }

    fn wait(&self) -> Result<()> {
        self.handle
            .check_process("wait for a queue", self.device_name())?;
        // The thread that waits for work helps with it, the one that waits for a barrier does not: with a barrier a copy
        // of 64 MiB on two cores took half as long again.
        let last = {
            let _critical = fork::critical();
            let submitted = self.submitted.lock().expect("no holder panics");
            submitted.last.as_ref().map(|(last, _)| last.clone())
        };
        if let Some(last) = last {
            last.wait();
        }
        // Not by the runtime's own wait for a queue: it crashes when several threads wait for one
        // that is out of order.
        self.barrier(&[])?.wait()
    }

    // The OpenCL adapter copies between devices of a context through memory of its own, which it
    // frees in a callback that waits for the thread it runs on: on a sub-device of one thread,
    // for ever.
    fn copies_across_devices(&self) -> bool {
        false
    }

    fn share_handle(&self) -> Option<SharedHandle> {
        self.shared.store(true, Ordering::Release);
        self.handle.share(self.handle.api.queue_copy)
    }

    fn is_shareable(&self) -> bool {
        true
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Drop for SyclQueue {
    fn drop(&mut self) {
        if let Some(twin) = self.twin.take().flatten() {
            self.context.keep_queue(&self.device, TIMED, twin);
        }
        // SAFETY: the only place where it is taken, and nothing uses it after.
        let handle = unsafe { ManuallyDrop::take(&mut self.handle) };
        match self.made_with {
            Some(flags) if self.is_private() => {
                self.context.keep_queue(&self.device, flags, handle);
            }
            _ => drop(handle),
        }
    }
}

impl std::fmt::Debug for SyclQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "SyclQueue({:x} on {})",
            self.identity,
            self.device_name()
        )
    }
}
