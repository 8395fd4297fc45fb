//! Events.

use crate::Result;
use colocate_hal::{self as hal, EventStatus, Profile};

/// A submission's fate; a cheap handle.
#[derive(Clone, Debug)]
pub struct Event(pub(crate) hal::EventRef);

impl Event {
    /// Waits; an error if the work failed.
    pub fn wait(&self) -> Result<()> {
        Ok(self.0.wait()?)
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
