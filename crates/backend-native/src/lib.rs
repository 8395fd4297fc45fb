//! The CPU as a device: always there, nothing to install.
//!
//! * `platform`: the root devices, as the environment variables ask (R1.7).
//! * `topology`: cores, caches and NUMA nodes, read from the kernel.
//! * `pool`: a device's threads. Work that is small runs on the caller; the rest is handed over
//!   in parts, and whoever waits for it lends a hand.
//! * `device`, `context`, `queue`, `event`, `memory`, `kernel`: the `hal` traits, as in every backend.
//!
//! What always holds: a sub-device's work runs only on its own cores, so it never runs on the
//! caller; memory of every kind is plain memory, whatever `COLOCATE_NATIVE_DISCRETE` makes the
//! context say of it.

mod context;
mod device;
mod event;
mod kernel;
mod memory;
mod platform;
mod pool;
mod queue;
mod shares;
mod streaming;
mod topology;

pub use platform::{NativeBackend, NativeConfig};

use std::sync::atomic::{AtomicU64, Ordering};

/// A number no other object of the process has; 0 is nobody's.
fn next_identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
