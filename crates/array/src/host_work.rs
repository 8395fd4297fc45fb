//! Algorithms of the host's own as work of a queue.

use crate::{Array, Result};
use colocate_runtime::hal::{HostTask, fork};
use colocate_runtime::trace::{self, Category};
use colocate_runtime::{Access, Queue, Use};
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::sync::Arc;

/// The threads that host work on this thread may use, if they are more than one.
pub(crate) fn threads() -> Option<Arc<ThreadPool>> {
    fork::watch();
    let _critical = fork::critical();
    colocate_host_threads::pool(fork::generation())
}

/// Whether a queue's device is all of this processor, also under another name, as Intel's OpenCL has it: the host's
/// own algorithms then run where the data is.
pub(crate) fn is_this_processor(queue: &Queue) -> bool {
    let device = queue.device();
    device.info().is_host() && device.parent().is_none()
}

/// Does a task of the host's: as work of a queue that takes such, else here and now.
///
/// # Safety
/// As for [`Queue::host_task`]; the host reaches the memory of `uses`.
pub(crate) unsafe fn run(
    name: &str,
    queue: &Queue,
    uses: &[Use<'_>],
    task: HostTask,
) -> Result<()> {
    if queue.runs_host_tasks() {
        // SAFETY: the caller's word.
        unsafe { queue.host_task(name, uses, task) }?;
        return Ok(());
    }
    for one in uses {
        one.usm.wait_for(one.access)?;
    }
    let _span = trace::span(Category::HostTask, name);
    let run = &task.run;
    match threads().filter(|_| !task.small && task.parts > 1) {
        Some(pool) => pool.install(|| (0..task.parts).into_par_iter().for_each(run)),
        None => (0..task.parts).for_each(run),
    }
    Ok(())
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
