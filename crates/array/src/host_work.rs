//! Algorithms of the host's own as work of a queue.

use crate::{Array, Result};
use colocate_runtime::hal::{HostTask, fork};
use colocate_runtime::{Access, Queue, Use};
use rayon::ThreadPool;
use std::sync::Arc;

/// The threads that host work on this thread may use, if they are more than one.
pub(crate) fn threads() -> Option<Arc<ThreadPool>> {
    fork::watch();
    let _critical = fork::critical();
    colocate_host_threads::pool(fork::generation())
}

/// Submits host code that uses the memory of these arrays and nothing else of the queue's. It is
/// given threads unless it is said to be small. Only for queues that run host tasks. Recordings call
/// it `name`.
///
/// # Safety
/// The code stays inside these arrays, and does with each what is said of it.
pub(crate) unsafe fn submit(
    name: &str,
    queue: &Queue,
    arrays: &[(&Array, Access)],
    small: bool,
    work: impl Fn(Option<&ThreadPool>) + Send + Sync + 'static,
) -> Result<()> {
    let uses: smallvec::SmallVec<[Use<'_>; 4]> = arrays
        .iter()
        .map(|&(array, access)| Use {
            usm: array.usm(),
            access,
        })
        .collect();
    let task = HostTask {
        parts: 1,
        small,
        run: Box::new(move |_| match small {
            true => work(None),
            false => work(threads().as_deref()),
        }),
    };
    // SAFETY: the caller's word.
    unsafe { queue.host_task(name, &uses, task) }?;
    Ok(())
}
