//! A device's threads.
//!
//! Jobs wait in one line; every idle worker joins the job at its head and takes parts of it
//! until none is left, so a job needs no plan for how many threads there are. A sleeping worker
//! waits on a counter (`epoch`) with the kernel's futex; a worker that has just run out of work
//! looks at the counter for a moment before it sleeps, which makes the hand-off between
//! back-to-back jobs a matter of a cache line rather than a system call.
//!
//! A root device has one worker less than cores, because whoever waits for an event helps. A
//! sub-device has a worker pinned to each of its cores and nobody helps: its work runs only there.

use crate::event::NativeEvent;
use crate::shares;
use crate::topology::CoreSet;
use colocate_hal::fork;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// How often an idle worker looks before it sleeps: some tens of microseconds.
const SPINS: usize = 2_000;

/// The threads of one device, started when the first job comes.
pub struct Pool {
    device_name: String,
    cores: CoreSet,
    /// Root devices let the caller run small work and help with large.
    caller_helps: bool,
    workers: Mutex<Option<Arc<Workers>>>,
}

/// The threads of one process; a forked child starts its own.
struct Workers {
    generation: u64,
    line: Mutex<VecDeque<Arc<NativeEvent>>>,
    epoch: AtomicU32,
    asleep: AtomicUsize,
    closing: AtomicBool,
    /// How many threads the system let us start.
    count: AtomicUsize,
}

impl Pool {
    pub fn new(device_name: String, cores: CoreSet, caller_helps: bool) -> Pool {
        Pool {
            device_name,
            cores,
            caller_helps,
            workers: Mutex::new(None),
        }
    }

    pub fn device_name(&self) -> &str {
        &self.device_name
    }

    /// How many threads take part.
    pub fn threads(&self) -> usize {
        self.cores.len()
    }

    /// Whether work may run on the thread that asks for it.
    pub fn caller_helps(&self) -> bool {
        self.caller_helps
    }

    /// Puts a job into line.
    pub fn push(&self, job: Arc<NativeEvent>) {
        let alone = job.parts() == 1;
        let workers = self.workers();
        if workers.count.load(Ordering::Relaxed) == 0 {
            // The system gave us no thread (a limit on processes, say): better here than never.
            return job.run_parts();
        }
        {
            let _critical = fork::critical();
            workers
                .line
                .lock()
                .expect("no holder panics")
                .push_back(job);
        }
        // Both sides use sequential consistency: either the worker sees the new epoch before it
        // sleeps, or we see that it is asleep.
        workers.epoch.fetch_add(1, Ordering::SeqCst);
        if workers.asleep.load(Ordering::SeqCst) > 0 {
            if alone {
                atomic_wait::wake_one(&workers.epoch);
            } else {
                atomic_wait::wake_all(&workers.epoch);
            }
        }
    }

    /// Lends the calling thread until `event` is complete or nothing is left to take.
    pub fn help_until(&self, event: &NativeEvent) {
        if !self.caller_helps {
            return;
        }
        let workers = self.workers();
        while !event.is_complete() {
            if event.has_free_parts() && workers.is_in_line(event) {
                event.run_parts();
            } else if let Some(job) = workers.head() {
                job.run_parts();
            } else {
                break;
            }
        }
        for _ in 0..SPINS {
            if event.is_complete() {
                return;
            }
            std::hint::spin_loop();
        }
    }

    fn workers(&self) -> Arc<Workers> {
        let _critical = fork::critical();
        let mut slot = self.workers.lock().expect("no holder panics");
        let generation = fork::generation();
        match &*slot {
            Some(workers) if workers.generation == generation => workers.clone(),
            _ => {
                let workers = self.start(generation);
                *slot = Some(workers.clone());
                workers
            }
        }
    }

    fn start(&self, generation: u64) -> Arc<Workers> {
        let workers = Arc::new(Workers {
            generation,
            line: Mutex::new(VecDeque::new()),
            epoch: AtomicU32::new(0),
            asleep: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            count: AtomicUsize::new(0),
        });
        let pins: Vec<CoreSet> = if self.caller_helps {
            vec![self.cores.clone(); (self.cores.len() - 1).max(1)]
        } else {
            self.cores
                .iter()
                .map(|&core| CoreSet::from([core]))
                .collect()
        };
        for (number, cores) in pins.into_iter().enumerate() {
            let theirs = workers.clone();
            let started = std::thread::Builder::new()
                .name(format!("colocate-{number}"))
                .spawn(move || {
                    bind_to(&cores);
                    // The first share is the caller's, where it helps.
                    shares::begin_with(number + 1);
                    theirs.work();
                });
            if started.is_ok() {
                workers.count.fetch_add(1, Ordering::Relaxed);
            }
        }
        workers
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        if let Ok(slot) = self.workers.get_mut()
            && let Some(workers) = slot.take()
            && workers.generation == fork::generation()
        {
            workers.closing.store(true, Ordering::SeqCst);
            workers.epoch.fetch_add(1, Ordering::SeqCst);
            atomic_wait::wake_all(&workers.epoch);
        }
    }
}

impl Workers {
    fn work(&self) {
        loop {
            let seen = self.epoch.load(Ordering::SeqCst);
            if let Some(job) = self.head() {
                job.run_parts();
                continue;
            }
            if self.closing.load(Ordering::SeqCst) {
                return;
            }
            if !self.spin_for_change(seen) {
                self.asleep.fetch_add(1, Ordering::SeqCst);
                atomic_wait::wait(&self.epoch, seen);
                self.asleep.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }

    fn spin_for_change(&self, seen: u32) -> bool {
        (0..SPINS).any(|_| {
            std::hint::spin_loop();
            self.epoch.load(Ordering::Relaxed) != seen
        })
    }

    /// The first job with a part to take; those without are done with the line.
    fn head(&self) -> Option<Arc<NativeEvent>> {
        let _critical = fork::critical();
        let mut line = self.line.lock().expect("no holder panics");
        while let Some(job) = line.front() {
            if job.has_free_parts() {
                return Some(job.clone());
            }
            line.pop_front();
        }
        None
    }

    /// Whether a job's turn may come: one that still waits for others is in nobody's line.
    fn is_in_line(&self, event: &NativeEvent) -> bool {
        let _critical = fork::critical();
        let line = self.line.lock().expect("no holder panics");
        line.iter().any(|job| std::ptr::eq(&**job, event))
    }
}

fn bind_to(cores: &CoreSet) {
    // SAFETY: the set is plain data; indices are checked against its capacity; a refusal by the
    // kernel leaves the thread where it was, which is only slower.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for &core in cores
            .iter()
            .filter(|&&core| core < libc::CPU_SETSIZE as usize)
        {
            libc::CPU_SET(core, &mut set);
        }
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set);
    }
}
