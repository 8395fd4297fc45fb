//! Order of work on a native device.

use crate::context::NativeContext;
use crate::device::NativeDevice;
use crate::event::{self, NativeEvent, as_native};
use crate::kernel::{self, as_native_kernel};
use crate::next_identity;
use crate::streaming::copier_for;
use colocate_hal::{
    ContextRef, Device, DeviceRef, Error, Event, EventRef, Geometry, HostTask, KernelRef, Queue,
    QueueProperties, Result, fork, timing,
};
use std::any::Any;
use std::sync::{Arc, Mutex};

/// Copies and fills up to this size run on the caller: a hand-off would cost as much.
const INLINE_BYTES: usize = 256 << 10;
/// The size of a part of a larger one.
const PART_BYTES: usize = 1 << 20;

/// How many submissions may be pending in the process.
const BACKLOG: usize = 256;

/// A queue.
pub struct NativeQueue {
    identity: u64,
    device: Arc<NativeDevice>,
    context: Arc<NativeContext>,
    properties: QueueProperties,
    pending: Mutex<Pending>,
    /// What inline work returns: nothing of it is left to wait for.
    done: Arc<NativeEvent>,
}

#[derive(Default)]
struct Pending {
    /// What the next submission waits for: the last one on an in-order queue, the last barrier
    /// on an out-of-order one.
    gate: Option<Arc<NativeEvent>>,
    /// Unfinished work of an out-of-order queue.
    loose: Vec<Arc<NativeEvent>>,
}

impl Pending {
    fn forget_finished(&mut self) {
        // What stayed unfinished in a parent process never ends here: it must not block.
        let over = |event: &Arc<NativeEvent>| event.is_complete() || event.is_lost();
        if self.gate.as_ref().is_some_and(over) {
            self.gate = None;
        }
        if !self.loose.is_empty() {
            self.loose.retain(|event| !over(event));
        }
    }
}

impl NativeQueue {
    pub fn new(
        device: Arc<NativeDevice>,
        context: Arc<NativeContext>,
        properties: QueueProperties,
    ) -> NativeQueue {
        let identity = next_identity();
        NativeQueue {
            identity,
            done: NativeEvent::completed(identity, device.pool().clone()),
            device,
            context,
            properties,
            pending: Mutex::new(Pending::default()),
        }
    }

    /// True if work may run right now on this thread without overtaking anything.
    fn may_run_inline(&self, deps: &[EventRef]) -> bool {
        if !self.device.pool().caller_helps() {
            return false;
        }
        let finished =
            |dep: &EventRef| as_native(dep).is_some_and(|e| e.is_complete() && e.wait().is_ok());
        if !deps.iter().all(finished) {
            return false;
        }
        let _critical = fork::critical();
        let mut pending = self.pending.lock().expect("no holder panics");
        pending.forget_finished();
        pending.gate.is_none()
    }

    /// Whether events of the queue carry times.
    fn keeps_times(&self) -> bool {
        self.properties.enable_profiling || timing::wanted()
    }

    fn run_inline(&self, work: impl FnOnce()) -> EventRef {
        if self.keeps_times() {
            NativeEvent::timed_inline(self.identity, self.device.pool().clone(), work)
        } else {
            work();
            self.done.clone()
        }
    }

    fn submit(&self, task: Option<HostTask>, deps: &[EventRef]) -> Result<EventRef> {
        // Another backend's event cannot call us when it ends, so its end is awaited here.
        for dep in deps.iter().filter(|dep| as_native(dep).is_none()) {
            dep.wait()?;
        }
        for dep in deps.iter().filter_map(as_native) {
            if dep.is_lost() {
                dep.wait()?;
            }
        }
        if event::outstanding() >= BACKLOG {
            // A program that submits faster than the cores can work is held up here, rather than
            // let fill the memory with work to do.
            self.wait_for_gate()?;
        }
        fork::admit();
        let barrier = task.is_none();
        let event = NativeEvent::submitted(
            self.identity,
            self.device.pool().clone(),
            task,
            self.keeps_times(),
        );
        {
            let _critical = fork::critical();
            let mut pending = self.pending.lock().expect("no holder panics");
            pending.forget_finished();
            for dep in deps.iter().filter_map(as_native) {
                event.block_on(dep, true);
            }
            if let Some(gate) = &pending.gate {
                event.block_on(gate, false);
            }
            if self.properties.in_order {
                pending.gate = Some(event.clone());
            } else if barrier {
                for before in std::mem::take(&mut pending.loose) {
                    event.block_on(&before, false);
                }
                pending.gate = Some(event.clone());
            } else {
                pending.loose.push(event.clone());
            }
        }
        event.clone().release();
        Ok(event)
    }

    /// Waits for what the next submission would have to wait for.
    fn wait_for_gate(&self) -> Result<()> {
        let gate = {
            let _critical = fork::critical();
            let mut pending = self.pending.lock().expect("no holder panics");
            pending.forget_finished();
            pending
                .gate
                .clone()
                .or_else(|| pending.loose.first().cloned())
        };
        // How it went is for those to ask who submitted it.
        gate.map_or(Ok(()), |event| event.wait().or(Ok(())))
    }

    /// Runs `work(first_byte, bytes)` over a range in parts.
    fn split(bytes: usize, work: impl Fn(usize, usize) + Send + Sync + 'static) -> HostTask {
        HostTask {
            parts: bytes.div_ceil(PART_BYTES),
            small: false,
            run: Box::new(move |part| {
                let first = part * PART_BYTES;
                work(first, PART_BYTES.min(bytes - first));
            }),
        }
    }
}

/// A pointer that a task may take to another thread; `hal`'s rule 1 makes it so.
#[derive(Clone, Copy)]
struct Address(usize);

impl Address {
    fn at(self, byte: usize) -> *mut u8 {
        (self.0 + byte) as *mut u8
    }
}

/// # Safety
/// `destination` is valid for `bytes` bytes and aligned to the pattern's length.
unsafe fn fill_bytes(destination: *mut u8, pattern: u128, width: usize, bytes: usize) {
    /// # Safety
    /// As for `fill_bytes`.
    unsafe fn spread<T: Copy>(destination: *mut u8, value: T, bytes: usize) {
        // SAFETY: the caller gives valid, aligned memory; nothing is read before it is written,
        // and every bit pattern of T is valid (all are unsigned integers).
        unsafe { std::slice::from_raw_parts_mut(destination.cast::<T>(), bytes / size_of::<T>()) }
            .fill(value);
    }
    // SAFETY: passed on from the caller.
    unsafe {
        match width {
            1 => spread(destination, pattern as u8, bytes),
            2 => spread(destination, pattern as u16, bytes),
            4 => spread(destination, pattern as u32, bytes),
            8 => spread(destination, pattern as u64, bytes),
            16 => spread(destination, pattern, bytes),
            _ => unreachable!("hal allows patterns of 1, 2, 4, 8 and 16 bytes"),
        }
    }
}

impl Queue for NativeQueue {
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
        if bytes <= INLINE_BYTES && self.may_run_inline(deps) {
            // SAFETY: rules 1 and 3 of hal.
            return Ok(
                self.run_inline(|| unsafe { source.copy_to_nonoverlapping(destination, bytes) })
            );
        }
        let (to, from) = (Address(destination as usize), Address(source as usize));
        let copy = copier_for(bytes);
        // SAFETY: rules 1 and 3 of hal; the parts do not overlap.
        let task = Self::split(bytes, move |first, bytes| unsafe {
            copy(to.at(first), from.at(first), bytes);
        });
        self.submit(Some(task).filter(|task| task.parts > 0), deps)
    }

    unsafe fn fill(
        &self,
        destination: *mut u8,
        pattern: &[u8],
        count: usize,
        deps: &[EventRef],
    ) -> Result<EventRef> {
        let width = pattern.len();
        let mut value = [0u8; 16];
        value[..width].copy_from_slice(pattern);
        let value = u128::from_le_bytes(value);
        let bytes = width * count;
        if bytes <= INLINE_BYTES && self.may_run_inline(deps) {
            // SAFETY: rule 1 of hal.
            return Ok(self.run_inline(|| unsafe { fill_bytes(destination, value, width, bytes) }));
        }
        let to = Address(destination as usize);
        // SAFETY: rule 1 of hal; parts begin at multiples of every pattern's length.
        let task = Self::split(bytes, move |first, bytes| unsafe {
            fill_bytes(to.at(first), value, width, bytes);
        });
        self.submit(Some(task).filter(|task| task.parts > 0), deps)
    }

    fn barrier(&self, deps: &[EventRef]) -> Result<EventRef> {
        if deps.is_empty() && self.is_idle() {
            return Ok(self.run_inline(|| ()));
        }
        self.submit(None, deps)
    }

    unsafe fn launch(
        &self,
        kernel: &KernelRef,
        arguments: &[u64],
        geometry: &Geometry,
        deps: &[EventRef],
    ) -> Result<EventRef> {
        let device = &self.device.info().name;
        let Some(native) = as_native_kernel(kernel) else {
            let operation = format!("run the kernel {}", kernel.name());
            let why = "it was loaded by another backend";
            return Err(Error::invalid(&operation, device, why));
        };
        let plan = native.plan(arguments, geometry, device, self.device.threads())?;
        if plan.is_small() && self.may_run_inline(deps) {
            let mut outcome = Ok(());
            let event = self.run_inline(|| {
                if !plan.is_empty() {
                    // SAFETY: passed on from the caller; the plan is for these arguments.
                    outcome = unsafe { native.run_whole(arguments, &plan) };
                }
            });
            return outcome.map(|()| event);
        }
        if plan.is_empty() {
            return self.submit(None, deps);
        }
        // SAFETY: passed on from the caller; the plan is for these arguments.
        let task = unsafe { kernel::task(kernel, arguments, plan) };
        self.submit(Some(task), deps)
    }

    unsafe fn run_at_once(
        &self,
        kernel: &KernelRef,
        arguments: &[u64],
        items: usize,
    ) -> Result<bool> {
        let quick =
            as_native_kernel(kernel).filter(|native| native.is_quick(arguments.len(), items));
        let Some(native) = quick else {
            return Ok(false);
        };
        if self.keeps_times() || !self.may_run_inline(&[]) {
            return Ok(false);
        }
        // SAFETY: passed on from the caller; it is quick.
        unsafe { native.run_quick(arguments, items) };
        Ok(true)
    }

    fn is_idle(&self) -> bool {
        let _critical = fork::critical();
        let mut pending = self.pending.lock().expect("no holder panics");
        pending.forget_finished();
        pending.gate.is_none() && pending.loose.is_empty()
    }

    fn runs_host_tasks(&self) -> bool {
        true
    }

    unsafe fn host_task(&self, task: HostTask, deps: &[EventRef]) -> Result<EventRef> {
        if task.small && self.may_run_inline(deps) {
            return Ok(self.run_inline(|| (0..task.parts).for_each(|part| (task.run)(part))));
        }
        self.submit(Some(task).filter(|task| task.parts > 0), deps)
    }

    fn wait(&self) -> Result<()> {
        self.barrier(&[])?.wait()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for NativeQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NativeQueue({} on {:?})", self.identity, self.device)
    }
}
