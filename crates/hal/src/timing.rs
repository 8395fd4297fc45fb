//! The host's clock, and whether anybody wants to know when work runs.
//!
//! Queues made with `enable_profiling` time their events in any case. While [`wanted`], the others
//! do so too, as far as they can: [`crate::Event::profile`] then works for what is submitted.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

static WANTED: AtomicBool = AtomicBool::new(false);

/// Nanoseconds since the first call in this process. Never goes back.
pub fn now() -> u64 {
    static ZERO: OnceLock<Instant> = OnceLock::new();
    ZERO.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// Whether events should be timed, whatever their queue was made with.
#[inline]
pub fn wanted() -> bool {
    WANTED.load(Ordering::Relaxed)
}

/// Sets what [`wanted`] says.
pub fn want(wanted: bool) {
    WANTED.store(wanted, Ordering::Relaxed);
}
