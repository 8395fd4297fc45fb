//! The contract between the runtime and a backend.
//!
//! A backend gives [`Device`]s; a device gives [`Context`]s; a context gives memory and
//! [`Queue`]s; a queue takes work and gives [`Event`]s. All traits are object-safe: the
//! runtime above never knows which backend it talks to, and no backend knows the runtime.
//!
//! # The unsafe rules
//! This layer checks nothing it is not asked to check; the runtime above does. Whoever calls
//! an `unsafe` method guarantees:
//! 1. every pointer is valid for the bytes named until the returned event has completed;
//! 2. memory passed to [`Context::free`] came from [`Context::alloc`] of the same context with
//!    the same size and kind, and no unfinished work uses it;
//! 3. the source and destination of a copy do not overlap.
//!
//! # Ordering
//! On an in-order queue each submission starts after the one before it. On any queue a
//! submission starts after all events in `deps` have completed; a dependency from another
//! backend is allowed. An event that failed fails what depends on it.
//!
//! # fork
//! [`fork`] says how backends live through it (rule R1.8).

#[cfg(feature = "conformance")]
pub mod conformance;
mod error;
pub mod fork;
mod info;
mod kernel;
pub mod timing;

pub use error::{Error, Result};
pub use info::{Aspect, DeviceInfo, InfoEntry};
pub use kernel::{
    Geometry, HostCode, HostEntry, HostPart, Kernel, KernelCode, KernelImage, KernelRef, SlotKind,
};

use std::any::Any;
use std::fmt::Debug;
use std::ptr::NonNull;
use std::sync::Arc;

/// Every allocation starts at a multiple of this, on every backend.
pub const ALIGNMENT: usize = 64;

/// The three kinds of unified shared memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum UsmKind {
    /// On the device; the host may not be able to address it.
    Device,
    /// Migrates between host and device.
    Shared,
    /// On the host; the device reads it in place.
    Host,
}

impl UsmKind {
    /// All of them.
    pub const ALL: [UsmKind; 3] = [UsmKind::Device, UsmKind::Shared, UsmKind::Host];

    /// The lower-case name used everywhere a user sees it.
    pub const fn name(self) -> &'static str {
        match self {
            UsmKind::Device => "device",
            UsmKind::Shared => "shared",
            UsmKind::Host => "host",
        }
    }
}

/// What a device is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum DeviceType {
    Cpu,
    Gpu,
    Accelerator,
}

impl DeviceType {
    /// The lower-case name of selectors.
    pub const fn name(self) -> &'static str {
        match self {
            DeviceType::Cpu => "cpu",
            DeviceType::Gpu => "gpu",
            DeviceType::Accelerator => "accelerator",
        }
    }
}

/// What part of the machine's memory hierarchy to split along.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum AffinityDomain {
    Numa,
    L4Cache,
    L3Cache,
    L2Cache,
    L1Cache,
    NextPartitionable,
}

impl AffinityDomain {
    /// All of them.
    pub const ALL: [AffinityDomain; 6] = [
        AffinityDomain::Numa,
        AffinityDomain::L4Cache,
        AffinityDomain::L3Cache,
        AffinityDomain::L2Cache,
        AffinityDomain::L1Cache,
        AffinityDomain::NextPartitionable,
    ];

    /// The name users write (R1.6).
    pub const fn name(self) -> &'static str {
        match self {
            AffinityDomain::Numa => "numa",
            AffinityDomain::L4Cache => "L4_cache",
            AffinityDomain::L3Cache => "L3_cache",
            AffinityDomain::L2Cache => "L2_cache",
            AffinityDomain::L1Cache => "L1_cache",
            AffinityDomain::NextPartitionable => "next_partitionable",
        }
    }
}

/// How to split a device (R1.6).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Partition {
    /// As many sub-devices of this many compute units as fit.
    Equally(usize),
    /// One sub-device for each count.
    ByCounts(Vec<usize>),
    /// One sub-device for each part of the memory hierarchy.
    ByAffinity(AffinityDomain),
}

impl Partition {
    /// Whether a device of `units` compute units can be split so, as far as counting goes; the
    /// sizes of the parts, or why not. Affinity is for the device to know.
    pub fn counts(&self, units: usize) -> std::result::Result<Vec<usize>, String> {
        match self {
            Partition::Equally(count) if *count == 0 || *count > units => Err(format!(
                "{count} compute units were asked for in each, and there are {units}"
            )),
            Partition::Equally(count) => Ok(vec![*count; units / count]),
            Partition::ByCounts(counts) => {
                let sum = counts.iter().try_fold(0usize, |sum, &n| sum.checked_add(n));
                if counts.is_empty() || counts.contains(&0) || sum.is_none_or(|sum| sum > units) {
                    return Err(format!(
                        "the counts {counts:?} must be positive and add up to at most {units}, \
                         the number of compute units"
                    ));
                }
                Ok(counts.clone())
            }
            Partition::ByAffinity(_) => Ok(Vec::new()),
        }
    }
}

/// What a queue promises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct QueueProperties {
    /// Submissions run one after the other.
    pub in_order: bool,
    /// Events carry times.
    pub enable_profiling: bool,
}

impl Default for QueueProperties {
    fn default() -> Self {
        QueueProperties {
            in_order: true,
            enable_profiling: false,
        }
    }
}

/// Where an event stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum EventStatus {
    Submitted,
    Running,
    Complete,
}

impl EventStatus {
    /// The lower-case name.
    pub const fn name(self) -> &'static str {
        match self {
            EventStatus::Submitted => "submitted",
            EventStatus::Running => "running",
            EventStatus::Complete => "complete",
        }
    }
}

/// When a submission was made, started and ended, in nanoseconds of one clock per device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Profile {
    pub submit: u64,
    pub start: u64,
    pub end: u64,
}

/// A handle of a backend's library that whoever holds it must delete.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct SharedHandle {
    pub raw: NonNull<std::ffi::c_void>,
    pub delete: unsafe extern "C" fn(*mut std::ffi::c_void),
}

/// Shared handles: objects live as long as anybody uses them.
pub type DeviceRef = Arc<dyn Device>;
/// See [`DeviceRef`].
pub type ContextRef = Arc<dyn Context>;
/// See [`DeviceRef`].
pub type QueueRef = Arc<dyn Queue>;
/// See [`DeviceRef`].
pub type EventRef = Arc<dyn Event>;

/// A family of devices reached through one library.
pub trait Backend: Send + Sync + Debug {
    /// `native`, `sycl`, `cuda`.
    fn name(&self) -> &'static str;

    /// The root devices, found anew at every call; the runtime calls once.
    fn root_devices(&self) -> Result<Vec<DeviceRef>>;

    /// Waits for everything submitted to the backend; called once, before the process ends, for
    /// libraries that must not be left with unfinished work.
    fn finish(&self) {}

    /// The queue that other users of the backend's library take for the default of a root device,
    /// if there is such a convention. `selector` is the device's name in selectors.
    fn shared_default_queue(&self, _selector: &str) -> Result<Option<QueueRef>> {
        Ok(None)
    }

    /// Shares a queue of the backend's own library. With `keep_in_order` our submissions to it
    /// keep their order even if the library's queue would not.
    ///
    /// # Safety
    /// `raw` is a live queue handle of that library. It is borrowed: the result has its own.
    unsafe fn adopt_queue(
        &self,
        _raw: *mut std::ffi::c_void,
        _keep_in_order: bool,
    ) -> Result<QueueRef> {
        Err(Error::unsupported("adopt a foreign queue", self.name()))
    }

    /// Shares a context of the backend's own library.
    ///
    /// # Safety
    /// As for [`Backend::adopt_queue`].
    unsafe fn adopt_context(&self, _raw: *mut std::ffi::c_void) -> Result<ContextRef> {
        Err(Error::unsupported("adopt a foreign context", self.name()))
    }
}

/// Something that runs kernels.
pub trait Device: Send + Sync + Debug {
    /// Equal for two handles of the same device, different for different ones.
    fn identity(&self) -> u64;
    /// What selectors call its backend: `native`, `opencl`, `level_zero`, `cuda`.
    fn backend_name(&self) -> &'static str;
    /// What it is.
    fn device_type(&self) -> DeviceType;
    /// Whether its events' times are those of [`timing::now`].
    fn keeps_host_time(&self) -> bool {
        false
    }
    /// The facts about it.
    fn info(&self) -> &DeviceInfo;
    /// Splits it.
    fn create_sub_devices(&self, partition: &Partition) -> Result<Vec<DeviceRef>>;
    /// The context that everybody in the process shares for this device.
    fn default_context(&self) -> Result<ContextRef>;
    /// A new context over several devices of one root device.
    fn create_context(&self, devices: &[DeviceRef]) -> Result<ContextRef>;
    /// For the backend's own downcasts.
    fn as_any(&self) -> &dyn Any;
}

/// A set of devices that share allocations.
pub trait Context: Send + Sync + Debug {
    /// See [`Device::identity`].
    fn identity(&self) -> u64;
    /// Its members.
    fn devices(&self) -> Vec<DeviceRef>;
    /// Memory of at least `bytes` bytes (more than zero), aligned to [`ALIGNMENT`], contents undefined.
    fn alloc(&self, device: &DeviceRef, kind: UsmKind, bytes: usize) -> Result<NonNull<u8>>;
    /// Gives memory back.
    ///
    /// # Safety
    /// Rule 2 of the crate.
    unsafe fn free(&self, pointer: NonNull<u8>, kind: UsmKind, bytes: usize);
    /// A new queue.
    fn create_queue(&self, device: &DeviceRef, properties: QueueProperties) -> Result<QueueRef>;
    /// Makes code ready to run on a device of this context.
    ///
    /// # Safety
    /// The code is valid, and does what its image says.
    unsafe fn load_kernel(&self, device: &DeviceRef, _image: &KernelImage) -> Result<KernelRef> {
        Err(Error::unsupported("load a kernel", &device.info().name))
    }
    /// Which kind of this context's memory a pointer points to; `None` if to none.
    fn pointer_kind(&self, pointer: *const u8) -> Option<UsmKind>;
    /// Whether the host may dereference memory of this kind.
    fn host_can_access(&self, kind: UsmKind) -> bool;
    /// Whether kernels may dereference plain host memory.
    fn device_can_access_host(&self) -> bool;
    /// A new handle of the library's own, for other packages.
    fn share_handle(&self) -> Option<SharedHandle> {
        None
    }
    /// For the backend's own downcasts.
    fn as_any(&self) -> &dyn Any;
}

/// Work for [`Queue::host_task`]: `run(i)` is called once for every `i` below `parts`, from any
/// thread of the device, in any order, possibly at the same time.
pub struct HostTask {
    /// How many independent parts there are.
    pub parts: usize,
    /// True if the whole is too small to be worth handing to another thread.
    pub small: bool,
    /// One part.
    pub run: Box<dyn Fn(usize) + Send + Sync>,
}

/// Takes work. Identities of queues are unique in the process, across backends.
pub trait Queue: Send + Sync + Debug {
    /// See [`Device::identity`].
    fn identity(&self) -> u64;
    /// Where it runs.
    fn device(&self) -> DeviceRef;
    /// Whose memory it sees.
    fn context(&self) -> ContextRef;
    /// What it promises.
    fn properties(&self) -> QueueProperties;

    /// Copies bytes; either side may be plain host memory.
    ///
    /// # Safety
    /// Rules 1 and 3 of the crate.
    unsafe fn copy(
        &self,
        destination: *mut u8,
        source: *const u8,
        bytes: usize,
        deps: &[EventRef],
    ) -> Result<EventRef>;

    /// Repeats `pattern` (1, 2, 4, 8 or 16 bytes) `count` times from `destination` on, which is
    /// aligned to the pattern's length.
    ///
    /// # Safety
    /// Rule 1 of the crate.
    unsafe fn fill(
        &self,
        destination: *mut u8,
        pattern: &[u8],
        count: usize,
        deps: &[EventRef],
    ) -> Result<EventRef>;

    /// An event that completes after everything submitted before and after `deps`; everything
    /// submitted later starts after it, on out-of-order queues too.
    fn barrier(&self, deps: &[EventRef]) -> Result<EventRef>;

    /// Runs a kernel of this queue's context over an index space, which may be empty.
    /// `arguments` is the argument block, copied before the call returns.
    ///
    /// # Safety
    /// Rule 1 of the crate, for every pointer in the block; the block has the slots of the
    /// kernel's image; group extents divide those of the space and are within the device's limits.
    unsafe fn launch(
        &self,
        kernel: &KernelRef,
        _arguments: &[u64],
        _geometry: &Geometry,
        _deps: &[EventRef],
    ) -> Result<EventRef> {
        let doing = format!("run the kernel {}", kernel.name());
        Err(Error::unsupported(&doing, &self.device().info().name))
    }

    /// Runs a kernel without groups over one axis on this thread, if that takes less time than handing it over,
    /// nothing that must come before it is unfinished, and nobody wants its times. Whether it did; then it is over.
    ///
    /// # Safety
    /// As for [`Queue::launch`].
    unsafe fn run_at_once(
        &self,
        _kernel: &KernelRef,
        _arguments: &[u64],
        _items: usize,
    ) -> Result<bool> {
        Ok(false)
    }

    /// Whether [`Queue::host_task`] works here.
    fn runs_host_tasks(&self) -> bool {
        false
    }

    /// Runs host code as work of the queue. Only devices that are the host can.
    ///
    /// # Safety
    /// Rule 1 of the crate, for every pointer the task captures.
    unsafe fn host_task(&self, _task: HostTask, _deps: &[EventRef]) -> Result<EventRef> {
        Err(Error::unsupported(
            "run a host task",
            &self.device().info().name,
        ))
    }

    /// True if nothing is known to be pending, so that a submission need not wait. May be false
    /// without need.
    fn is_idle(&self) -> bool {
        false
    }

    /// Whether [`Queue::copy`] may copy between memory of different devices of its context. If
    /// not, the copy must go through plain host memory.
    fn copies_across_devices(&self) -> bool {
        true
    }

    /// Waits for everything submitted.
    fn wait(&self) -> Result<()>;

    /// See [`Context::share_handle`].
    fn share_handle(&self) -> Option<SharedHandle> {
        None
    }
    /// Whether other packages can get at this queue and submit work to it.
    fn is_shareable(&self) -> bool {
        false
    }
    /// For the backend's own downcasts.
    fn as_any(&self) -> &dyn Any;
}

/// A submission's fate.
pub trait Event: Send + Sync + Debug {
    /// Waits; an error if the submission failed.
    fn wait(&self) -> Result<()>;
    /// Where it stands.
    fn status(&self) -> Result<EventStatus>;
    /// True if it is known to be complete without asking the library, which may cost as much as
    /// a small copy. Never a guess; false where it takes asking.
    fn is_known_complete(&self) -> bool;
    /// Its times; an error unless the queue was made with profiling, or keeps times because they
    /// were [`timing::wanted`] when this was submitted. Waits for the end.
    fn profile(&self) -> Result<Profile>;
    /// The queue it was submitted to, by identity; 0 for an event of no queue.
    fn queue_identity(&self) -> u64;
    /// For the backend's own downcasts.
    fn as_any(&self) -> &dyn Any;
}
