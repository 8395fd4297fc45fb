//! Queues.

use crate::usm::Use;
use crate::{Context, Device, Event, Result, Usm};
use colocate_hal::{self as hal, EventRef, HostTask, QueueProperties, UsmKind};
use colocate_trace::{self as trace, Category};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// Where work goes; a cheap handle.
#[derive(Clone)]
pub struct Queue(pub(crate) Arc<QueueInner>);

pub(crate) struct QueueInner {
    pub(crate) hal: hal::QueueRef,
    device: Device,
    context: Context,
    properties: QueueProperties,
    /// How recordings call it, once one has asked.
    lane: OnceLock<trace::Lane>,
}

/// The events an operation waits for.
pub(crate) type Dependencies = SmallVec<[EventRef; 4]>;

impl Queue {
    pub(crate) fn wrap(hal: hal::QueueRef, device: Device, context: Context) -> Queue {
        Queue(Arc::new(QueueInner {
            properties: hal.properties(),
            hal,
            device,
            context,
            lane: OnceLock::new(),
        }))
    }

    /// Where it runs.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// Whose memory it sees.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// What it promises.
    pub fn properties(&self) -> QueueProperties {
        self.0.properties
    }

    /// Same context, device and properties (R1.4).
    pub fn equivalent(&self, other: &Queue) -> bool {
        self == other
            || (self.context() == other.context()
                && self.device() == other.device()
                && self.properties() == other.properties())
    }

    /// Whether work on this queue may use an allocation in place (R2.4).
    pub fn can_access(&self, usm: &Usm) -> bool {
        self.context() == usm.context()
            && (self.device() == usm.device() || usm.kind() != UsmKind::Device)
    }

    /// For messages: device, then what tells this queue from others on it.
    pub fn label(&self) -> String {
        let properties = self.properties();
        let mut words = vec![if properties.in_order {
            "in order"
        } else {
            "out of order"
        }];
        if properties.enable_profiling {
            words.push("profiling");
        }
        if self.device().known_default_queue().as_ref() == Some(self) {
            words.push("default");
        }
        let number = self.identity() & !(1 << 63);
        format!("queue #{number} ({})", words.join(", "))
    }

    /// How recordings call it.
    pub fn lane(&self) -> trace::Lane {
        let make = || trace::Lane {
            device: self.device().label().into(),
            queue: self.label().into(),
        };
        self.0.lane.get_or_init(make).clone()
    }

    /// Waits for all its work.
    pub fn wait(&self) -> Result<()> {
        let _span = trace::span(Category::Wait, "queue").on(|| self.lane());
        Ok(self.0.hal.wait()?)
    }

    /// An event after everything before, before everything after.
    pub fn barrier(&self, after: &[Event]) -> Result<Event> {
        let deps: Dependencies = after.iter().map(|event| event.0.clone()).collect();
        Ok(Event(self.0.hal.barrier(&deps)?))
    }

    /// Submits work that uses allocations: collects what it must wait for, lets `call` submit it,
    /// and notes the event where later work will look for it.
    pub(crate) fn submit(
        &self,
        uses: &[Use<'_>],
        after: &[Event],
        call: impl FnOnce(&[EventRef]) -> hal::Result<EventRef>,
    ) -> Result<Event> {
        let mut deps: Dependencies = after.iter().map(|event| event.0.clone()).collect();
        for one in uses {
            one.usm.collect_dependencies(one.access, self, &mut deps)?;
        }
        let event = call(&deps)?;
        for one in uses {
            if let Err(failure) = one.usm.note(one.access, self, &event) {
                // Nobody would know of the work, so it must not outlive this call.
                event.wait()?;
                return Err(failure);
            }
        }
        Ok(Event(event))
    }

    /// Submits, and reports what was submitted to the recordings that run, if any.
    pub(crate) fn reported(
        &self,
        category: Category,
        name: &str,
        items_and_bytes: (u64, u64),
        submit: impl FnOnce() -> Result<Event>,
    ) -> Result<Event> {
        if !trace::enabled() {
            return submit();
        }
        let before = trace::now();
        let event = submit()?;
        let clock = match self.device().0.hal.keeps_host_time() {
            true => trace::Clock::Host,
            false => trace::Clock::Device(self.device().identity()),
        };
        let submitted = event.0.clone();
        let times = move || {
            let times = submitted.profile().ok()?;
            Some(trace::Times {
                clock,
                submit: times.submit,
                start: times.start,
                end: times.end,
            })
        };
        let lane = self.lane();
        trace::work(
            category,
            name,
            lane,
            before,
            items_and_bytes,
            Box::new(times),
        );
        Ok(event)
    }

    /// Runs host code as work of the queue; only where the device is the host. Recordings call it
    /// `name`.
    ///
    /// # Safety
    /// The task touches no memory but that of `uses`, in the ways named there, and host memory
    /// that stays valid until the event completes.
    pub unsafe fn host_task(&self, name: &str, uses: &[Use<'_>], task: HostTask) -> Result<Event> {
        self.reported(Category::HostTask, name, (0, 0), || {
            // SAFETY: `uses` keeps the memory until the event completes; the rest is the caller's
            // word.
            self.submit(uses, &[], |deps| unsafe {
                self.0.hal.host_task(task, deps)
            })
        })
    }

    /// See [`hal::Queue::is_idle`].
    pub fn is_idle(&self) -> bool {
        self.0.hal.is_idle()
    }

    /// See [`hal::Queue::copies_across_devices`].
    pub fn copies_across_devices(&self) -> bool {
        self.0.hal.copies_across_devices()
    }

    /// Whether [`Queue::host_task`] works here.
    pub fn runs_host_tasks(&self) -> bool {
        self.0.hal.runs_host_tasks()
    }

    /// A new handle of the backend's library, for another package.
    pub fn share_handle(&self) -> Option<hal::SharedHandle> {
        self.0.hal.share_handle()
    }

    /// See [`Device::identity`].
    pub fn identity(&self) -> u64 {
        self.0.hal.identity()
    }
}

impl PartialEq for Queue {
    fn eq(&self, other: &Queue) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.device().family() == other.device().family()
                && self.identity() == other.identity())
    }
}

impl Eq for Queue {}

impl Hash for Queue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.device().family().hash(state);
        self.identity().hash(state);
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Queue({}, {})", self.device().label(), self.label())
    }
}
