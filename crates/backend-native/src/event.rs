//! A submission: its work, its state and who waits for it.

use crate::pool::Pool;
use crate::shares::Shares;
use colocate_hal::timing::now;
use colocate_hal::{Error, Event, EventRef, EventStatus, HostTask, Profile, Result, fork};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

const SUBMITTED: u32 = 0;
const RUNNING: u32 = 1;
const COMPLETE: u32 = 2;

/// Both the event a user waits for and the job the pool runs: one allocation for both.
pub struct NativeEvent {
    state: AtomicU32,
    /// The process it was submitted in; see `hal::fork`.
    generation: u64,
    queue: u64,
    pool: Arc<Pool>,
    /// `None` for a barrier.
    task: Option<HostTask>,
    shares: Shares,
    finished: AtomicUsize,
    /// Unfinished dependencies, plus one while it is being submitted.
    blockers: AtomicUsize,
    waiters: Mutex<Vec<Waiter>>,
    failure: OnceLock<Error>,
    times: Option<Times>,
}

struct Waiter {
    event: Arc<NativeEvent>,
    /// Named in `deps`, so that our failure is also its own; mere queue order does not pass it on.
    inherits_failure: bool,
}

#[derive(Default)]
struct Times {
    submit: u64,
    start: AtomicU64,
    end: AtomicU64,
}

/// Events that have been submitted and not completed, in the whole process: what a fork waits for.
static OUTSTANDING: AtomicUsize = AtomicUsize::new(0);

/// How much is pending in the process.
pub fn outstanding() -> usize {
    OUTSTANDING.load(Ordering::Relaxed)
}

/// Returns when nothing is pending on any native queue.
pub fn drain_all() {
    while OUTSTANDING.load(Ordering::Acquire) != 0 {
        std::thread::sleep(std::time::Duration::from_micros(50));
    }
}

impl NativeEvent {
    /// An event with nothing left to do.
    pub fn completed(queue: u64, pool: Arc<Pool>) -> Arc<NativeEvent> {
        let mut event = Self::unsubmitted(queue, pool, None, false);
        event.state = AtomicU32::new(COMPLETE);
        Arc::new(event)
    }

    /// Runs `work` now, on this thread, and gives its completed, timed event.
    pub fn timed_inline(queue: u64, pool: Arc<Pool>, work: impl FnOnce()) -> Arc<NativeEvent> {
        let start = now();
        work();
        let mut event = Self::unsubmitted(queue, pool, None, false);
        event.state = AtomicU32::new(COMPLETE);
        event.times = Some(Times {
            submit: start,
            start: AtomicU64::new(start),
            end: AtomicU64::new(now()),
        });
        Arc::new(event)
    }

    /// An event that waits for [`NativeEvent::release`].
    pub fn submitted(
        queue: u64,
        pool: Arc<Pool>,
        task: Option<HostTask>,
        profile: bool,
    ) -> Arc<NativeEvent> {
        OUTSTANDING.fetch_add(1, Ordering::AcqRel);
        Arc::new(Self::unsubmitted(queue, pool, task, profile))
    }

    fn unsubmitted(
        queue: u64,
        pool: Arc<Pool>,
        task: Option<HostTask>,
        profile: bool,
    ) -> NativeEvent {
        let parts = task.as_ref().map_or(0, |task| task.parts);
        NativeEvent {
            state: AtomicU32::new(SUBMITTED),
            generation: fork::generation(),
            queue,
            shares: Shares::of(parts, pool.threads()),
            pool,
            task,
            finished: AtomicUsize::new(0),
            blockers: AtomicUsize::new(1),
            waiters: Mutex::new(Vec::new()),
            failure: OnceLock::new(),
            times: profile.then(|| Times {
                submit: now(),
                ..Times::default()
            }),
        }
    }

    /// True once the work is done or has failed.
    pub fn is_complete(&self) -> bool {
        self.state.load(Ordering::Acquire) == COMPLETE
    }

    /// True for an unfinished event whose threads stayed behind in the parent process.
    pub fn is_lost(&self) -> bool {
        self.generation != fork::generation() && !self.is_complete()
    }

    /// Makes `self` wait for `before`.
    pub fn block_on(self: &Arc<Self>, before: &NativeEvent, inherits_failure: bool) {
        let mut waiters = before.waiters.lock().expect("no holder panics");
        if !before.is_complete() {
            self.blockers.fetch_add(1, Ordering::AcqRel);
            waiters.push(Waiter {
                event: self.clone(),
                inherits_failure,
            });
        } else if inherits_failure && let Some(failure) = before.failure.get() {
            let _ = self.failure.set(failure.clone());
        }
    }

    /// Ends submission: from here on the event runs as soon as nothing blocks it.
    pub fn release(self: Arc<Self>) {
        Self::unblock_all(vec![self]);
    }

    fn unblock_all(mut events: Vec<Arc<NativeEvent>>) {
        while let Some(event) = events.pop() {
            if event.blockers.fetch_sub(1, Ordering::AcqRel) != 1 {
                continue;
            }
            if event.task.is_none() || event.failure.get().is_some() {
                event.mark_started();
                events.extend(event.complete());
            } else {
                event.pool.clone().push(event);
            }
        }
    }

    /// True while there are parts that nobody has taken.
    pub fn has_free_parts(&self) -> bool {
        self.shares.are_left()
    }

    /// How many parts the work has.
    pub fn parts(&self) -> usize {
        self.task.as_ref().map_or(0, |task| task.parts)
    }

    /// Takes and runs parts until none is left.
    pub fn run_parts(&self) {
        let Some(task) = &self.task else { return };
        while let Some(part) = self.shares.take() {
            self.mark_started();
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| (task.run)(part))) {
                let why = panic
                    .downcast_ref::<String>()
                    .map(String::as_str)
                    .or_else(|| panic.downcast_ref::<&str>().copied())
                    .unwrap_or("a panic without a message");
                let _ = self.failure.set(Error::Work {
                    device: self.pool.device_name().to_owned(),
                    why: why.to_owned(),
                });
            }
            if self.finished.fetch_add(1, Ordering::AcqRel) + 1 == task.parts {
                Self::unblock_all(self.complete());
            }
        }
    }

    fn mark_started(&self) {
        let first = self
            .state
            .compare_exchange(SUBMITTED, RUNNING, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok();
        if first && let Some(times) = &self.times {
            times.start.store(now(), Ordering::Relaxed);
        }
    }

    /// Marks the end and gives the events that waited for it.
    fn complete(&self) -> Vec<Arc<NativeEvent>> {
        if let Some(times) = &self.times {
            times.end.store(now(), Ordering::Relaxed);
        }
        let waiters = {
            let _critical = fork::critical();
            self.state.store(COMPLETE, Ordering::Release);
            std::mem::take(&mut *self.waiters.lock().expect("no holder panics"))
        };
        OUTSTANDING.fetch_sub(1, Ordering::AcqRel);
        atomic_wait::wake_all(&self.state);
        let failure = self.failure.get();
        waiters
            .into_iter()
            .map(|waiter| {
                if waiter.inherits_failure
                    && let Some(failure) = failure
                {
                    let _ = waiter.event.failure.set(failure.clone());
                }
                waiter.event
            })
            .collect()
    }

    fn lost_error(&self) -> Error {
        Error::Work {
            device: self.pool.device_name().to_owned(),
            why: "it was submitted by the parent process and did not end before the fork".into(),
        }
    }
}

/// The native event behind a handle, if it is one.
pub fn as_native(event: &EventRef) -> Option<&NativeEvent> {
    event.as_any().downcast_ref()
}

impl Event for NativeEvent {
    fn wait(&self) -> Result<()> {
        if !self.is_complete() {
            if self.is_lost() {
                return Err(self.lost_error());
            }
            self.pool.help_until(self);
            loop {
                let state = self.state.load(Ordering::Acquire);
                if state == COMPLETE {
                    break;
                }
                atomic_wait::wait(&self.state, state);
            }
        }
        self.failure
            .get()
            .map_or(Ok(()), |failure| Err(failure.clone()))
    }

    fn status(&self) -> Result<EventStatus> {
        if self.is_lost() {
            return Err(self.lost_error());
        }
        Ok(match self.state.load(Ordering::Acquire) {
            SUBMITTED => EventStatus::Submitted,
            RUNNING => EventStatus::Running,
            _ => EventStatus::Complete,
        })
    }

    fn is_known_complete(&self) -> bool {
        self.is_complete()
    }

    fn profile(&self) -> Result<Profile> {
        let Some(times) = &self.times else {
            return Err(Error::invalid(
                "read an event's times",
                self.pool.device_name(),
                "its queue was not made with enable_profiling=True",
            ));
        };
        self.wait()?;
        Ok(Profile {
            submit: times.submit,
            start: times.start.load(Ordering::Relaxed),
            end: times.end.load(Ordering::Relaxed),
        })
    }

    fn queue_identity(&self) -> u64 {
        self.queue
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for NativeEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NativeEvent({:?})", self.status())
    }
}
