//! The safe object model over the backends.
//!
//! Everything a user can do wrong is checked here, once, for every backend:
//!
//! * [`Registry`]: the backends, their root devices, and how objects that other packages hand us
//!   become ours.
//! * [`selector`]: `"opencl:gpu:1"` and its kind (R1.5).
//! * [`Device`], [`Context`], [`Queue`], [`Event`]: cheap handles, compared by identity.
//! * [`Usm`]: an allocation with its lifetime and the work that still uses it.
//! * [`LoadedKernel`]: a kernel on a device; [`Queue::launch`] runs it.
//! * [`pool`]: freed memory kept for the next allocation.
//! * [`placement`]: *compute follows data*, as one function (R3.*).
//!
//! What always holds: memory is not reused while work that was submitted through this crate uses
//! it; an operation is ordered after whatever wrote its inputs and whatever uses its outputs,
//! across queues; nothing here knows Python or a vendor.

mod context;
mod device;
mod error;
mod event;
mod kernel;
pub mod placement;
pub mod pool;
mod queue;
mod registry;
pub mod selector;
mod transfer;
mod usm;

pub use colocate_hal as hal;
pub use colocate_hal::{
    AffinityDomain, Aspect, DeviceInfo, DeviceType, EventStatus, Geometry, InfoEntry, KernelImage,
    Partition, Profile, QueueProperties, UsmKind,
};
pub use colocate_trace as trace;
pub use context::Context;
pub use device::Device;
pub use error::{Error, Result};
pub use event::Event;
pub use kernel::{LoadedKernel, Needs, geometry};
pub use queue::Queue;
pub use registry::{BackendState, Registry};
pub use transfer::{TransferCounts, transfer_counts};
pub use usm::{Access, Use, Usm};
