//! Threads for algorithms on host memory (sorting, transforms, linear algebra).
//!
//! Whoever runs such an algorithm asks for the [`pool`] that fits the thread it is on, and works
//! inside of `pool.install(..)`; without a pool it works alone. What always holds: the pool's
//! threads run on the cores that the asking thread may run on, so that work of a sub-device stays
//! on its cores; and a pool is never used in a process other than the one that started it.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::{Arc, Mutex, PoisonError};

struct Started {
    generation: u64,
    cores: Cores,
    pool: Option<Arc<ThreadPool>>,
}

static STARTED: Mutex<Vec<Started>> = Mutex::new(Vec::new());

/// The pool for work on the calling thread: one thread for each core that it may run on. `None`
/// if that is a single core, or if the system starts no more threads.
///
/// `generation` counts the forks before this process (`fork::generation` of the crate `hal`): a
/// child has none of its parent's threads, so it gets a pool of its own. Callers hold the guard
/// that keeps `fork` waiting (`fork::critical`) during this call, and do not keep the pool for
/// longer than one piece of work.
pub fn pool(generation: u64) -> Option<Arc<ThreadPool>> {
    let cores = Cores::of_this_thread();
    let mut started = STARTED.lock().unwrap_or_else(PoisonError::into_inner);
    if started.iter().any(|one| one.generation != generation) {
        // Their threads are not in this process: they cannot be told to end.
        std::mem::forget(std::mem::take(&mut *started));
    }
    if let Some(one) = started.iter().find(|one| one.cores == cores) {
        return one.pool.clone();
    }
    let pool = match cores.count() {
        0 | 1 => None,
        // New threads may run where the thread that starts them may.
        count => ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|index| format!("colocate-host-{index}"))
            .build()
            .ok()
            .map(Arc::new),
    };
    started.push(Started {
        generation,
        cores,
        pool: pool.clone(),
    });
    pool
}

/// A set of cores.
#[derive(PartialEq)]
struct Cores(Vec<u8>);

#[cfg(target_os = "linux")]
impl Cores {
    fn of_this_thread() -> Cores {
        // A machine may have more cores than one `cpu_set_t` has bits for.
        let mut sets = 1;
        loop {
            let bytes = sets * size_of::<libc::cpu_set_t>();
            let mut mask = vec![0_u8; bytes];
            // SAFETY: the mask has that many bytes, and any alignment will do for the system.
            let result = unsafe { libc::sched_getaffinity(0, bytes, mask.as_mut_ptr().cast()) };
            if result == 0 {
                return Cores(mask);
            }
            if sets == 64 {
                return Cores(Vec::new());
            }
            sets *= 2;
        }
    }

    fn count(&self) -> usize {
        self.0.iter().map(|byte| byte.count_ones() as usize).sum()
    }
}

#[cfg(not(target_os = "linux"))]
impl Cores {
    fn of_this_thread() -> Cores {
        Cores(Vec::new())
    }

    fn count(&self) -> usize {
        std::thread::available_parallelism().map_or(1, usize::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Generations are the process's own, so tests that play with them take turns.
    static TURN: Mutex<()> = Mutex::new(());

    #[test]
    fn the_same_thread_gets_the_same_pool_until_a_fork() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, second) = (pool(0), pool(0));
        let other = pool(1);
        match (first, second, other) {
            (Some(first), Some(second), Some(other)) => {
                assert!(Arc::ptr_eq(&first, &second));
                assert!(!Arc::ptr_eq(&first, &other));
                assert_eq!(first.install(|| 1 + 1), 2);
                assert_eq!(other.current_num_threads(), Cores::of_this_thread().count());
            }
            alone => assert!(matches!(alone, (None, None, None))),
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_that_is_bound_to_one_core_works_alone() {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        std::thread::spawn(|| {
            // SAFETY: plain data, of which the calls read and write what they are given.
            unsafe {
                let mut all: libc::cpu_set_t = std::mem::zeroed();
                libc::sched_getaffinity(0, size_of_val(&all), &raw mut all);
                let core = (0..libc::CPU_SETSIZE as usize)
                    .find(|&core| libc::CPU_ISSET(core, &all))
                    .expect("the thread runs on some core");
                let mut one: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(core, &mut one);
                assert_eq!(
                    libc::sched_setaffinity(0, size_of_val(&one), &raw const one),
                    0
                );
            }
            assert!(pool(2).is_none());
        })
        .join()
        .expect("the thread ends well");
    }
}
