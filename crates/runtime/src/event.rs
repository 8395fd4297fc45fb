//! Events.

use crate::Result;
use colocate_hal::{self as hal, EventStatus, Profile};
use colocate_trace::{self as trace, Category};

/// A submission's fate; a cheap handle.
#[derive(Clone, Debug)]
pub struct Event(pub(crate) hal::EventRef);

impl Event {
    /// Waits; an error if the work failed.
    pub fn wait(&self) -> Result<()> {
        let over = !trace::enabled() || self.0.is_known_complete();
        let _span = (!over).then(|| trace::span(Category::Wait, "event"));
        Ok(self.0.wait()?)
    }

    /// Whether waiting for it takes no time.
    pub fn is_over(&self) -> bool {
        matches!(self.status(), Ok(EventStatus::Complete))
    }

    /// Where it stands.
    pub fn status(&self) -> Result<EventStatus> {
        Ok(self.0.status()?)
    }

    /// Its times, if its queue keeps them.
    pub fn profile(&self) -> Result<Profile> {
        Ok(self.0.profile()?)
    }
}
