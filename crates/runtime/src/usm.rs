//! Allocations: who owns them and what still uses them.

use crate::queue::Dependencies;
use crate::{Context, Device, Error, Queue, Result};
use colocate_hal::{EventRef, EventStatus, UsmKind, fork};
use colocate_trace::{self as trace, Category};
use smallvec::SmallVec;
use std::any::Any;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// How an operation uses an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Access {
    Read,
    Write,
}

/// An allocation and how it is used.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Use<'a> {
    pub usm: &'a Usm,
    pub access: Access,
}

/// Unified shared memory.
pub struct Usm {
    pointer: NonNull<u8>,
    bytes: usize,
    kind: UsmKind,
    device: Device,
    context: Context,
    owner: Owner,
    /// False while `pending` is empty, so that the common case takes no lock.
    busy: AtomicBool,
    pending: Mutex<Pending>,
    /// True once somebody outside colocate may use the memory.
    shared: AtomicBool,
    /// The queues they submit to.
    outsiders: Mutex<SmallVec<[Queue; 1]>>,
}

enum Owner {
    /// Ours, from the context's pool.
    Pool,
    /// Somebody else's, kept alive by this (R7.3).
    Foreign(Box<dyn Any + Send + Sync>),
}

/// Owners whose memory is used by work that was not over when the last array let go of it. A drop
/// must not wait: it may hold a lock (Python's) that the work needs to get done.
static ORPHANS: Mutex<Vec<(Pending, Box<dyn Any + Send + Sync>)>> = Mutex::new(Vec::new());
/// How many there are, so that the common case takes no lock.
static ORPHAN_COUNT: AtomicUsize = AtomicUsize::new(0);

/// Lets go of orphans whose work is over.
fn release_orphans() {
    if ORPHAN_COUNT.load(Ordering::Acquire) == 0 {
        return;
    }
    let over: Vec<_> = {
        let _critical = fork::critical();
        let mut orphans = ORPHANS.lock().expect("no holder panics");
        let over = orphans
            .extract_if(.., |(pending, _)| pending.is_over())
            .collect();
        ORPHAN_COUNT.store(orphans.len(), Ordering::Release);
        over
    };
    // Outside the lock: an owner may call anything when it goes.
    drop(over);
}

/// Unfinished work on an allocation.
#[derive(Default)]
pub(crate) struct Pending {
    writes: SmallVec<[EventRef; 1]>,
    reads: SmallVec<[EventRef; 2]>,
}

impl Pending {
    fn events(&self) -> impl Iterator<Item = &EventRef> {
        self.writes.iter().chain(&self.reads)
    }

    fn forget_finished(&mut self) {
        self.writes.retain(|event| !is_over(event));
        self.reads.retain(|event| !is_over(event));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.reads.is_empty()
    }

    pub(crate) fn is_over(&self) -> bool {
        self.events().all(is_over)
    }

    /// Whether all of it is work of one in-order queue, behind which new work of that queue may
    /// use the memory at once.
    pub(crate) fn is_only_on(&self, queue: &Queue) -> bool {
        queue.properties().in_order
            && self
                .events()
                .all(|event| event.queue_identity() == queue.identity())
    }

    /// Waits for all of it. How it went is for those to ask who submitted it.
    pub(crate) fn wait(&self) {
        self.events().for_each(|event| drop(event.wait()));
    }
}

/// Finished, well or badly; or lost with the parent process.
fn is_over(event: &EventRef) -> bool {
    !matches!(
        event.status(),
        Ok(EventStatus::Submitted | EventStatus::Running)
    )
}

// SAFETY: the pointer is only ever handed to queues, which order what happens to the memory.
unsafe impl Send for Usm {}
// SAFETY: as above.
unsafe impl Sync for Usm {}

impl Usm {
    /// Memory for `bytes` bytes (none is fine) on a queue's device and in its context.
    pub fn allocate(queue: &Queue, kind: UsmKind, bytes: usize) -> Result<Arc<Usm>> {
        release_orphans();
        let span = trace::span(Category::Allocation, kind.name());
        let (pointer, pending, kept) = queue.context().0.pool.take(queue, kind, bytes)?;
        if span.is_recorded() {
            let whose = if kept { "kept memory" } else { "new memory" };
            let span = span.bytes(bytes as u64).on(|| queue.lane());
            drop(span.why(|| whose.into()));
        }
        let mut usm = Self::new(pointer, bytes, kind, queue, Owner::Pool);
        usm.busy = AtomicBool::new(!pending.is_empty());
        usm.pending = Mutex::new(pending);
        Ok(Arc::new(usm))
    }

    /// Somebody else's memory, described by them and checked against the context.
    ///
    /// # Safety
    /// The memory is valid for `bytes` bytes while `keep_alive` lives.
    pub unsafe fn adopt(
        queue: &Queue,
        pointer: NonNull<u8>,
        bytes: usize,
        keep_alive: Box<dyn Any + Send + Sync>,
    ) -> Result<Arc<Usm>> {
        let context = queue.context();
        let kind = context
            .pointer_kind(pointer.as_ptr())
            .ok_or_else(|| Error::NotUsm {
                address: pointer.as_ptr() as usize,
                context: context.label(),
            })?;
        let usm = Self::new(pointer, bytes, kind, queue, Owner::Foreign(keep_alive));
        usm.open_to_outsiders(queue);
        Ok(Arc::new(usm))
    }

    /// Plain host memory on a device that can use it, treated as memory of kind `host`.
    ///
    /// # Safety
    /// As for [`Usm::adopt`].
    pub unsafe fn adopt_host(
        queue: &Queue,
        pointer: NonNull<u8>,
        bytes: usize,
        keep_alive: Box<dyn Any + Send + Sync>,
    ) -> Result<Arc<Usm>> {
        if !queue.context().device_can_access_host() {
            return Err(Error::Mismatch(format!(
                "{} cannot use plain host memory in place",
                queue.device().label()
            )));
        }
        Ok(Arc::new(Self::new(
            pointer,
            bytes,
            UsmKind::Host,
            queue,
            Owner::Foreign(keep_alive),
        )))
    }

    fn new(pointer: NonNull<u8>, bytes: usize, kind: UsmKind, queue: &Queue, owner: Owner) -> Usm {
        Usm {
            pointer,
            bytes,
            kind,
            device: queue.device().clone(),
            context: queue.context().clone(),
            owner,
            busy: AtomicBool::new(false),
            pending: Mutex::new(Pending::default()),
            shared: AtomicBool::new(false),
            outsiders: Mutex::new(SmallVec::new()),
        }
    }

    /// Where it starts.
    pub fn pointer(&self) -> *mut u8 {
        self.pointer.as_ptr()
    }

    /// How long it is.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Its kind.
    pub fn kind(&self) -> UsmKind {
        self.kind
    }

    /// The device it was allocated for.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The context it belongs to.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// Whether it was allocated by somebody else, who keeps it until we let go of it.
    pub fn is_foreign(&self) -> bool {
        matches!(self.owner, Owner::Foreign(_))
    }

    /// Whether the host may dereference it.
    pub fn host_can_access(&self) -> bool {
        // Adopted host memory is the host's own, whatever the context says of its kinds.
        self.kind == UsmKind::Host || self.context.host_can_access(self.kind)
    }

    /// From now on somebody else may submit work on this memory to `queue`: ours is ordered
    /// after theirs and before what they submit later.
    pub fn open_to_outsiders(&self, queue: &Queue) {
        if queue.0.hal.is_shareable() {
            let _critical = fork::critical();
            let mut outsiders = self.outsiders.lock().expect("no holder panics");
            if !outsiders.contains(queue) {
                outsiders.push(queue.clone());
            }
            self.shared.store(true, Ordering::Release);
        }
    }

    /// The queues that others may have work on this memory on.
    fn outsiders(&self) -> SmallVec<[Queue; 1]> {
        if !self.shared.load(Ordering::Acquire) {
            return SmallVec::new();
        }
        let _critical = fork::critical();
        self.outsiders.lock().expect("no holder panics").clone()
    }

    /// Hands the memory to somebody who will submit work on it to `queue`: what is pending comes
    /// first there.
    pub fn publish(&self, queue: &Queue) -> Result<()> {
        if !queue.0.hal.is_shareable() {
            return self.wait_for(Access::Write);
        }
        self.open_to_outsiders(queue);
        let mut pending = Dependencies::new();
        self.collect_pending(Access::Write, None, &mut pending);
        if !pending.is_empty() {
            queue.0.hal.barrier(&pending)?;
        }
        Ok(())
    }

    /// True if no work is known to use the memory, ours or anybody's.
    pub fn is_idle(&self) -> bool {
        !self.busy.load(Ordering::Acquire) && !self.shared.load(Ordering::Acquire)
    }

    /// Waits until the host may use the memory for `access`.
    pub fn wait_for(&self, access: Access) -> Result<()> {
        let mut events = Dependencies::new();
        self.collect_pending(access, None, &mut events);
        let _span = (!events.is_empty()).then(|| trace::span(Category::Wait, "memory"));
        for event in &events {
            event.wait()?;
        }
        for queue in self.outsiders() {
            queue.wait()?;
        }
        self.settle();
        Ok(())
    }

    /// Lets go of the events of finished work. To release an event while a later command runs
    /// makes the OpenCL driver slower by a microsecond or two, so that is done early.
    pub(crate) fn settle(&self) {
        if !self.busy.load(Ordering::Acquire) {
            return;
        }
        let _critical = fork::critical();
        let mut pending = self.pending.lock().expect("no holder panics");
        pending.forget_finished();
        self.busy
            .store(pending.events().next().is_some(), Ordering::Release);
    }

    /// Adds what an operation on `queue` must wait for.
    pub(crate) fn collect_dependencies(
        &self,
        access: Access,
        queue: &Queue,
        deps: &mut Dependencies,
    ) -> Result<()> {
        for theirs in self.outsiders() {
            deps.push(theirs.0.hal.barrier(&[])?);
        }
        self.collect_pending(access, Some(queue), deps);
        Ok(())
    }

    /// Adds the unfinished work that `access` must wait for, except what `queue` orders anyway.
    fn collect_pending(&self, access: Access, queue: Option<&Queue>, events: &mut Dependencies) {
        if !self.busy.load(Ordering::Acquire) {
            return;
        }
        let _critical = fork::critical();
        let mut pending = self.pending.lock().expect("no holder panics");
        // Events are best let go of here, before the next command is submitted: see `settle`.
        pending.writes.retain(|event| !event.is_known_complete());
        pending.reads.retain(|event| !event.is_known_complete());
        let reads: &[EventRef] = if access == Access::Write {
            &pending.reads
        } else {
            &[]
        };
        let ordered_anyway = |event: &EventRef| {
            queue.is_some_and(|queue| {
                queue.properties().in_order && event.queue_identity() == queue.identity()
            })
        };
        let unfinished = pending.writes.iter().chain(reads);
        events.extend(
            unfinished
                .filter(|event| !ordered_anyway(event) && !is_over(event))
                .cloned(),
        );
    }

    /// Notes that `event` on `queue` uses the memory.
    pub(crate) fn note(&self, access: Access, queue: &Queue, event: &EventRef) -> Result<()> {
        for theirs in self.outsiders() {
            theirs.0.hal.barrier(std::slice::from_ref(event))?;
        }
        if event.is_known_complete() {
            return Ok(());
        }
        let _critical = fork::critical();
        let mut pending = self.pending.lock().expect("no holder panics");
        // Behind an event of an in-order queue stand all earlier ones of that queue. Others stay
        // until they are over: another thread may have noted them after we looked.
        let in_order = queue.properties().in_order;
        let stands_behind = |other: &EventRef| {
            is_over(other) || in_order && other.queue_identity() == event.queue_identity()
        };
        pending.reads.retain(|other| !stands_behind(other));
        if access == Access::Write {
            pending.writes.retain(|other| !stands_behind(other));
            pending.writes.push(event.clone());
        } else {
            pending.reads.push(event.clone());
        }
        self.busy.store(true, Ordering::Release);
        Ok(())
    }
}

impl Drop for Usm {
    fn drop(&mut self) {
        let mut pending = std::mem::take(self.pending.get_mut().unwrap_or_else(|e| e.into_inner()));
        for theirs in self.outsiders() {
            // What they have submitted may still run, though they have let the memory go. If
            // their queue cannot be asked any more, it has nothing running.
            pending.writes.extend(theirs.0.hal.barrier(&[]));
        }
        match std::mem::replace(&mut self.owner, Owner::Pool) {
            Owner::Pool => {
                if trace::enabled() {
                    let given_back = trace::instant(Category::Free, self.kind.name());
                    drop(given_back.bytes(self.bytes as u64).on(|| trace::Lane {
                        device: self.device.label().into(),
                        queue: "".into(),
                    }));
                }
                let pool = &self.context.0.pool;
                pool.put(&self.device, self.kind, self.pointer, self.bytes, pending);
            }
            // The owner must not get its memory back while work of ours uses it.
            Owner::Foreign(owner) if !pending.is_over() => {
                let _critical = fork::critical();
                let mut orphans = ORPHANS.lock().expect("no holder panics");
                orphans.push((pending, owner));
                ORPHAN_COUNT.store(orphans.len(), Ordering::Release);
            }
            Owner::Foreign(owner) => drop(owner),
        }
        release_orphans();
    }
}

impl std::fmt::Debug for Usm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Usm({} bytes of {} memory on {})",
            self.bytes,
            self.kind.name(),
            self.device.label()
        )
    }
}
