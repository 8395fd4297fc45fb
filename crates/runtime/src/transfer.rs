//! Moving and setting bytes, and counting what crosses between host and device.

use crate::{Access, Error, Event, Queue, Result, Use, Usm};
use colocate_trace::Category;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes moved since the process started.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct TransferCounts {
    pub host_to_device: u64,
    pub device_to_host: u64,
    pub device_to_device: u64,
}

static HOST_TO_DEVICE: AtomicU64 = AtomicU64::new(0);
static DEVICE_TO_HOST: AtomicU64 = AtomicU64::new(0);
static DEVICE_TO_DEVICE: AtomicU64 = AtomicU64::new(0);

/// What has moved so far.
pub fn transfer_counts() -> TransferCounts {
    TransferCounts {
        host_to_device: HOST_TO_DEVICE.load(Ordering::Relaxed),
        device_to_host: DEVICE_TO_HOST.load(Ordering::Relaxed),
        device_to_device: DEVICE_TO_DEVICE.load(Ordering::Relaxed),
    }
}

fn check(usm: &Usm, first: usize, bytes: usize) -> Result<()> {
    match first.checked_add(bytes) {
        Some(end) if end <= usm.bytes() => Ok(()),
        _ => Err(Error::Mismatch(format!(
            "{bytes} bytes from byte {first} on do not lie in an allocation of {} bytes",
            usm.bytes()
        ))),
    }
}

fn read(usm: &Usm) -> Use<'_> {
    Use {
        usm,
        access: Access::Read,
    }
}

fn write(usm: &Usm) -> Use<'_> {
    Use {
        usm,
        access: Access::Write,
    }
}

impl Queue {
    /// Copies host bytes to an allocation and waits, so that the host may go on with its own.
    pub fn copy_from_host(&self, to: &Usm, first: usize, bytes: &[u8]) -> Result<()> {
        check(to, first, bytes.len())?;
        let event = self.copying("host to device", bytes.len(), || {
            // SAFETY: checked to lie inside; the borrow lasts until the wait below has ended.
            self.submit(&[write(to)], &[], |deps| unsafe {
                self.0
                    .hal
                    .copy(to.pointer().add(first), bytes.as_ptr(), bytes.len(), deps)
            })
        })?;
        event.wait()?;
        to.settle();
        HOST_TO_DEVICE.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Copies an allocation's bytes to the host and waits.
    ///
    /// # Safety
    /// `to` is valid for writes of `bytes` bytes.
    pub unsafe fn copy_to_host(
        &self,
        to: *mut u8,
        from: &Usm,
        first: usize,
        bytes: usize,
    ) -> Result<()> {
        check(from, first, bytes)?;
        let event = self.copying("device to host", bytes, || {
            // SAFETY: checked to lie inside; the caller vouches for `to`.
            self.submit(&[read(from)], &[], |deps| unsafe {
                self.0.hal.copy(to, from.pointer().add(first), bytes, deps)
            })
        })?;
        event.wait()?;
        from.settle();
        DEVICE_TO_HOST.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Copies between two allocations that this queue can access and that do not overlap there.
    pub fn copy(
        &self,
        to: &Usm,
        to_first: usize,
        from: &Usm,
        from_first: usize,
        bytes: usize,
    ) -> Result<Event> {
        check(to, to_first, bytes)?;
        check(from, from_first, bytes)?;
        if to.context() != self.context() || from.context() != self.context() {
            return Err(Error::Mismatch(
                "a queue copies only within its own context".into(),
            ));
        }
        let event = self.copying("device to device", bytes, || {
            // SAFETY: both were checked to lie inside their allocations, which stay until the event
            // has completed because their pending work is noted.
            self.submit(&[write(to), read(from)], &[], |deps| unsafe {
                self.0.hal.copy(
                    to.pointer().add(to_first),
                    from.pointer().add(from_first),
                    bytes,
                    deps,
                )
            })
        })?;
        DEVICE_TO_DEVICE.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(event)
    }

    /// Repeats a pattern of 1, 2, 4, 8 or 16 bytes, from a multiple of its length on.
    pub fn fill(&self, to: &Usm, first: usize, pattern: &[u8], count: usize) -> Result<Event> {
        check(to, first, pattern.len().saturating_mul(count))?;
        if !matches!(pattern.len(), 1 | 2 | 4 | 8 | 16)
            || !(to.pointer() as usize + first).is_multiple_of(pattern.len())
        {
            return Err(Error::Mismatch(format!(
                "a pattern of {} bytes cannot be filled in from byte {first} on",
                pattern.len()
            )));
        }
        let bytes = (pattern.len() * count) as u64;
        self.reported(Category::Fill, "fill", (count as u64, bytes), || {
            // SAFETY: checked just above.
            self.submit(&[write(to)], &[], |deps| unsafe {
                self.0
                    .hal
                    .fill(to.pointer().add(first), pattern, count, deps)
            })
        })
    }

    fn copying(
        &self,
        direction: &str,
        bytes: usize,
        submit: impl FnOnce() -> Result<Event>,
    ) -> Result<Event> {
        self.reported(Category::Copy, direction, (0, bytes as u64), submit)
    }
}
