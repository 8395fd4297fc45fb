//! A SYCL event.

use crate::handle::Owned;
use crate::queue::SyclQueue;
use crate::report;
use colocate_hal::{Error, Event, EventRef, EventStatus, Profile, Queue, Result};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An event; keeps its queue alive, so that the queue's identity stays its own.
pub struct SyclEvent {
    pub submission: Arc<Submission>,
    queue: Arc<SyclQueue>,
    /// Whether the runtime keeps its times.
    timed: bool,
}

/// The runtime's event. Apart from [`SyclEvent`], so that a queue can remember its last one
/// without keeping itself alive by it.
pub struct Submission {
    pub handle: Owned,
    /// Set once the runtime has said so; asking it again costs 0.1 µs each time.
    complete: AtomicBool,
}

impl Submission {
    pub fn new(handle: Owned) -> Submission {
        Submission {
            handle,
            complete: AtomicBool::new(false),
        }
    }

    fn is_known_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    /// Waits. The process must be the one it was made in.
    ///
    /// Intel's CPU driver can deadlock with several threads in its waits, out-of-order queues
    /// being the worst. So one thread at a time waits there, which makes it run the work itself,
    /// and the others look now and then.
    pub fn wait(&self) {
        static IN_DRIVER: AtomicBool = AtomicBool::new(false);
        let mut looks = 0u32;
        while !self.is_known_complete() {
            let free = IN_DRIVER.compare_exchange(false, true, Ordering::AcqRel, Ordering::Relaxed);
            if free.is_ok() {
                // SAFETY: the event is alive.
                unsafe { (self.handle.api.event_wait)(self.handle.raw()) };
                IN_DRIVER.store(false, Ordering::Release);
                self.complete.store(true, Ordering::Release);
            } else if self.status() != EventStatus::Complete {
                looks += 1;
                match looks {
                    0..50 => std::hint::spin_loop(),
                    50..100 => std::thread::yield_now(),
                    _ => std::thread::sleep(Duration::from_micros(100)),
                }
            }
        }
    }

    /// Asks the runtime, unless the answer is known. The process must be the one it was made in.
    pub fn status(&self) -> EventStatus {
        if self.is_known_complete() {
            return EventStatus::Complete;
        }
        // SAFETY: the event is alive.
        match unsafe { (self.handle.api.event_status)(self.handle.raw()) } {
            3 => {
                self.complete.store(true, Ordering::Release);
                EventStatus::Complete
            }
            2 => EventStatus::Running,
            _ => EventStatus::Submitted,
        }
    }
}

impl SyclEvent {
    pub fn new(submission: Arc<Submission>, queue: Arc<SyclQueue>, timed: bool) -> SyclEvent {
        SyclEvent {
            submission,
            queue,
            timed,
        }
    }

    fn check_process(&self, operation: &str) -> Result<()> {
        let handle = &self.submission.handle;
        handle.check_process(operation, self.queue.device_name())
    }
}

/// The end of something that the host did at once.
pub struct DoneByHost {
    queue: Arc<SyclQueue>,
}

impl DoneByHost {
    pub fn new(queue: Arc<SyclQueue>) -> DoneByHost {
        DoneByHost { queue }
    }
}

impl Event for DoneByHost {
    fn wait(&self) -> Result<()> {
        report::check_async(self.queue.device_name())
    }

    fn status(&self) -> Result<EventStatus> {
        Ok(EventStatus::Complete)
    }

    fn is_known_complete(&self) -> bool {
        true
    }

    fn profile(&self) -> Result<Profile> {
        Err(no_times(&self.queue))
    }

    fn queue_identity(&self) -> u64 {
        self.queue.identity()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for DoneByHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "DoneByHost for {:?}", self.queue)
    }
}

fn no_times(queue: &SyclQueue) -> Error {
    Error::invalid(
        "read an event's times",
        queue.device_name(),
        "its queue was not made with enable_profiling=True",
    )
}

/// The SYCL event behind a handle, if it is one.
pub fn as_sycl(event: &EventRef) -> Option<&SyclEvent> {
    event.as_any().downcast_ref()
}

impl Event for SyclEvent {
    fn wait(&self) -> Result<()> {
        self.check_process("wait for an event")?;
        self.submission.wait();
        report::check_async(self.queue.device_name())
    }

    fn status(&self) -> Result<EventStatus> {
        if !self.is_known_complete() {
            self.check_process("ask for an event's status")?;
        }
        Ok(self.submission.status())
    }

    fn is_known_complete(&self) -> bool {
        self.submission.is_known_complete()
    }

    fn profile(&self) -> Result<Profile> {
        if !self.timed {
            return Err(no_times(&self.queue));
        }
        self.wait()?;
        let handle = &self.submission.handle;
        let (api, raw) = (&handle.api, handle.raw());
        // SAFETY: the event is alive and its queue keeps times.
        unsafe {
            Ok(Profile {
                submit: (api.event_time_submit)(raw),
                start: (api.event_time_start)(raw),
                end: (api.event_time_end)(raw),
            })
        }
    }

    fn queue_identity(&self) -> u64 {
        self.queue.identity()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for SyclEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SyclEvent on {:?}", self.queue)
    }
}
