//! Where decompositions run.

use faer::Par;
use rayon::ThreadPool;

/// Runs work on the threads of a pool, or on the caller without one.
pub(crate) fn on_threads<R: Send>(
    pool: Option<&ThreadPool>,
    work: impl FnOnce(Par) -> R + Send,
) -> R {
    match pool {
        Some(pool) if pool.current_num_threads() > 1 => pool.install(|| work(Par::rayon(0))),
        _ => work(Par::Seq),
    }
}
