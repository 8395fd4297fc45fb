//! SYCL devices through the real SYCL runtime.
//!
//! The runtime is C++; `libDPCTLSyclInterface.so` of the `dpctl` package wraps it in C, and this
//! crate loads that library when the first SYCL device is asked for. dpctl itself, the Python
//! package, is not imported.
//!
//! * `api`: the functions of that library, as declared in its headers.
//! * `report`: what the runtime said when a call failed.
//! * `references`: what the library takes of OpenCL and does not give back.
//! * `platform`, `device`, `context`, `kernel`, `queue`, `event`: the `hal` traits, as in every backend.
//!
//! What always holds: a handle is owned by exactly one [`handle::Owned`], and none is touched in
//! a forked child, where the driver's threads are gone.

mod api;
mod context;
mod device;
mod event;
mod handle;
mod kernel;
mod platform;
mod queue;
mod references;
mod report;

pub use platform::{Surroundings, SyclBackend};
