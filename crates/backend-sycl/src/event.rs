//! A SYCL event.

use crate::handle::Owned;
use crate::queue::SyclQueue;
use crate::report;
use colocate_hal::{Error, Event, EventRef, EventStatus, Profile, Queue, Result};
use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An event; keeps its queue alive, so that the queue's identity stays its own.
pub struct SyclEvent {
    pub handle: Owned,
    queue: Arc<SyclQueue>,
    /// Set once the runtime has said so; asking it again costs 0.1 µs each time.
    complete: AtomicBool,
}

impl SyclEvent {
    pub fn new(handle: Owned, queue: Arc<SyclQueue>) -> SyclEvent {
        SyclEvent {
            handle,
            queue,
            complete: AtomicBool::new(false),
        }
    }
}

/// The SYCL event behind a handle, if it is one.
pub fn as_sycl(event: &EventRef) -> Option<&SyclEvent> {
    event.as_any().downcast_ref()
}

impl Event for SyclEvent {
    fn wait(&self) -> Result<()> {
        let name = self.queue.device_name();
        self.handle.check_process("wait for an event", name)?;
        // SAFETY: the event is alive.
        unsafe { (self.handle.api.event_wait)(self.handle.raw()) };
        self.complete.store(true, Ordering::Release);
        self.queue.let_go(self);
        report::check_async(name)
    }

    fn status(&self) -> Result<EventStatus> {
        if self.is_known_complete() {
            return Ok(EventStatus::Complete);
        }
        self.handle
            .check_process("ask for an event's status", self.queue.device_name())?;
        // SAFETY: the event is alive.
        Ok(
            match unsafe { (self.handle.api.event_status)(self.handle.raw()) } {
                3 => {
                    self.complete.store(true, Ordering::Release);
                    EventStatus::Complete
                }
                2 => EventStatus::Running,
                _ => EventStatus::Submitted,
            },
        )
    }

    fn is_known_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    fn profile(&self) -> Result<Profile> {
        if !self.queue.properties().enable_profiling {
            return Err(Error::invalid(
                "read an event's times",
                self.queue.device_name(),
                "its queue was not made with enable_profiling=True",
            ));
        }
        self.wait()?;
        let (api, raw) = (&self.handle.api, self.handle.raw());
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
