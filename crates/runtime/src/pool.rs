//! Freed memory, kept for the next allocation.
//!
//! Asking the system for memory costs a system call and then a page fault for every page
//! touched; a freed block costs a list operation. Sizes are rounded up to four classes for each
//! power of two, so a block is at most a quarter too large. A block that unfinished work still
//! uses is set aside until the work is over, but the in-order queue that the work is on may have
//! it at once: what it does next comes after.

use crate::context::ContextInner;
use crate::usm::Pending;
use crate::{Device, Queue, Result};
use colocate_hal::{self as hal, ALIGNMENT, UsmKind, fork};
use std::ptr::NonNull;
use std::sync::{Mutex, Weak};

/// What a pool, or all of them, hold.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Stats {
    /// Bytes in use.
    pub in_use: u64,
    /// The most that ever were, of each device and kind, added up.
    pub peak: u64,
    /// Freed bytes kept for reuse.
    pub cached: u64,
    /// Allocations served.
    pub allocations: u64,
    /// How many of them from kept memory.
    pub reused: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.in_use += other.in_use;
        self.peak += other.peak;
        self.cached += other.cached;
        self.allocations += other.allocations;
        self.reused += other.reused;
    }
}

/// The kept memory of one context.
pub(crate) struct Pool {
    hal: hal::ContextRef,
    shelves: Mutex<Vec<Shelf>>,
}

/// The kept memory of one device and kind.
struct Shelf {
    /// The device's identity; the device itself owns its default context, and so this pool.
    device: u64,
    kind: UsmKind,
    /// Blocks by size class.
    free: Vec<Vec<NonNull<u8>>>,
    /// Blocks whose work is not over.
    waiting: Vec<(usize, NonNull<u8>, Pending)>,
    /// Bytes to keep at most.
    limit: u64,
    stats: Stats,
}

// SAFETY: the pointers are owned blocks that nobody else refers to.
unsafe impl Send for Shelf {}

/// The size class of a request: the class number and the bytes of its blocks.
fn size_class(bytes: usize) -> (usize, usize) {
    let units = bytes.max(1).div_ceil(ALIGNMENT);
    if units <= 4 {
        return (units - 1, units * ALIGNMENT);
    }
    // Four steps between powers of two: keep the top three bits, rounding up.
    let shift = units.ilog2() - 2;
    let steps = units.div_ceil(1 << shift);
    (shift as usize * 4 + steps - 1, (steps << shift) * ALIGNMENT)
}

impl Pool {
    pub(crate) fn new(hal: hal::ContextRef) -> Pool {
        Pool {
            hal,
            shelves: Mutex::new(Vec::new()),
        }
    }

    /// A block for `bytes` bytes, the work on it that comes before the queue's next, and whether the
    /// block was kept here.
    pub(crate) fn take(
        &self,
        queue: &Queue,
        kind: UsmKind,
        bytes: usize,
    ) -> Result<(NonNull<u8>, Pending, bool)> {
        let (class, rounded) = size_class(bytes);
        let device = queue.device();
        let kept = self.on_shelf(device, kind, |shelf| shelf.take(queue, class, rounded));
        if let Some((block, pending)) = kept {
            return Ok((block, pending, true));
        }
        if self.on_shelf(device, kind, |shelf| shelf.stats.cached > shelf.limit) {
            // A program that frees faster than its work gets done is held up here, rather than
            // let grow until there is no memory.
            self.release(true);
        }
        let block = match self.hal.alloc(&device.0.hal, kind, rounded) {
            Err(hal::Error::OutOfMemory { .. }) => {
                // What is kept may be what is missing, and it may be another device's, or kept
                // only until work on it is over.
                for context in contexts() {
                    context.pool.release(true);
                }
                self.hal.alloc(&device.0.hal, kind, rounded)?
            }
            result => result?,
        };
        self.on_shelf(device, kind, |shelf| shelf.count(rounded));
        Ok((block, Pending::default(), false))
    }

    /// Takes a block back.
    pub(crate) fn put(
        &self,
        device: &Device,
        kind: UsmKind,
        block: NonNull<u8>,
        bytes: usize,
        pending: Pending,
    ) {
        let (class, rounded) = size_class(bytes);
        let surplus = self.on_shelf(device, kind, |shelf| {
            shelf.put(class, rounded, block, pending)
        });
        if surplus {
            // SAFETY: the block came from this context with this size; its work is over.
            unsafe { self.hal.free(block, kind, rounded) }
        }
    }

    fn on_shelf<T>(&self, device: &Device, kind: UsmKind, act: impl FnOnce(&mut Shelf) -> T) -> T {
        let _critical = fork::critical();
        let mut shelves = self.shelves.lock().expect("no holder panics");
        let found = shelves
            .iter()
            .position(|shelf| shelf.kind == kind && shelf.device == device.identity());
        let index = found.unwrap_or_else(|| {
            shelves.push(Shelf::new(device, kind));
            shelves.len() - 1
        });
        act(&mut shelves[index])
    }

    /// Gives kept blocks back to the system, with `all` after waiting for those whose work is not
    /// over; how many bytes that were.
    fn release(&self, all: bool) -> u64 {
        if all {
            self.wait_for_work();
        }
        let mut blocks = Vec::new();
        {
            let _critical = fork::critical();
            for shelf in self.shelves.lock().expect("no holder panics").iter_mut() {
                shelf.collect_finished();
                for (class, list) in shelf.free.iter_mut().enumerate() {
                    let bytes = class_bytes(class);
                    blocks.extend(list.drain(..).map(|block| (block, shelf.kind, bytes)));
                }
                shelf.stats.cached = shelf
                    .waiting
                    .iter()
                    .map(|(class, ..)| class_bytes(*class) as u64)
                    .sum();
            }
        }
        let bytes = blocks.iter().map(|(_, _, bytes)| *bytes as u64).sum();
        for (block, kind, bytes) in blocks {
            // SAFETY: a free block of this context, of its class's size.
            unsafe { self.hal.free(block, kind, bytes) }
        }
        bytes
    }

    fn wait_for_work(&self) {
        let waiting: Vec<_> = {
            let _critical = fork::critical();
            let mut shelves = self.shelves.lock().expect("no holder panics");
            shelves
                .iter_mut()
                .map(|shelf| std::mem::take(&mut shelf.waiting))
                .collect()
        };
        for (_, _, pending) in waiting.iter().flatten() {
            pending.wait();
        }
        let _critical = fork::critical();
        let mut shelves = self.shelves.lock().expect("no holder panics");
        // Shelves are only ever added, at the end.
        for (shelf, blocks) in shelves.iter_mut().zip(waiting) {
            for (class, block, _) in blocks {
                shelf.keep(class, block);
            }
        }
    }

    fn stats(&self, device: Option<&Device>) -> Stats {
        let _critical = fork::critical();
        let shelves = self.shelves.lock().expect("no holder panics");
        let mut all = Stats::default();
        for shelf in shelves
            .iter()
            .filter(|shelf| device.is_none_or(|d| d.identity() == shelf.device))
        {
            all += shelf.stats;
        }
        all
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.release(true);
    }
}

/// The bytes of a class's blocks: the inverse of [`size_class`].
fn class_bytes(class: usize) -> usize {
    if class < 4 {
        return (class + 1) * ALIGNMENT;
    }
    // A class above 3 has 5 to 8 steps; `steps - 1` is 4 to 7, so its shift can be read back.
    let shift = (class - 4) / 4;
    let steps = class - shift * 4 + 1;
    (steps << shift) * ALIGNMENT
}

impl Shelf {
    fn new(device: &Device, kind: UsmKind) -> Shelf {
        Shelf {
            device: device.identity(),
            kind,
            free: Vec::new(),
            waiting: Vec::new(),
            limit: device.info().global_mem_size / 4,
            stats: Stats::default(),
        }
    }

    fn take(
        &mut self,
        queue: &Queue,
        class: usize,
        bytes: usize,
    ) -> Option<(NonNull<u8>, Pending)> {
        let found = self.take_free(class).or_else(|| {
            let behind = self
                .waiting
                .iter()
                .rposition(|(other, _, pending)| *other == class && pending.is_only_on(queue));
            if let Some(index) = behind {
                let (_, block, pending) = self.waiting.swap_remove(index);
                return Some((block, pending));
            }
            self.collect_finished();
            self.take_free(class)
        })?;
        self.stats.cached -= bytes as u64;
        self.stats.reused += 1;
        self.count(bytes);
        Some(found)
    }

    fn take_free(&mut self, class: usize) -> Option<(NonNull<u8>, Pending)> {
        let block = self.free.get_mut(class)?.pop()?;
        Some((block, Pending::default()))
    }

    fn count(&mut self, bytes: usize) {
        self.stats.allocations += 1;
        self.stats.in_use += bytes as u64;
        self.stats.peak = self.stats.peak.max(self.stats.in_use);
    }

    /// True if the block is more than we want to keep, and can be given back. One whose work is
    /// not over must stay, whatever the limit.
    fn put(&mut self, class: usize, bytes: usize, block: NonNull<u8>, pending: Pending) -> bool {
        self.stats.in_use -= bytes as u64;
        let over = pending.is_over();
        if over && self.stats.cached + bytes as u64 > self.limit {
            return true;
        }
        self.stats.cached += bytes as u64;
        if over {
            self.keep(class, block);
        } else {
            self.waiting.push((class, block, pending));
        }
        false
    }

    fn keep(&mut self, class: usize, block: NonNull<u8>) {
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Vec::new);
        }
        self.free[class].push(block);
    }

    fn collect_finished(&mut self) {
        for (class, block, pending) in std::mem::take(&mut self.waiting) {
            if pending.is_over() {
                self.keep(class, block);
            } else {
                self.waiting.push((class, block, pending));
            }
        }
    }
}

static CONTEXTS: Mutex<Vec<Weak<ContextInner>>> = Mutex::new(Vec::new());

pub(crate) fn remember(context: &std::sync::Arc<ContextInner>) {
    let _critical = fork::critical();
    let mut contexts = CONTEXTS.lock().expect("no holder panics");
    contexts.retain(|context| context.strong_count() > 0);
    contexts.push(std::sync::Arc::downgrade(context));
}

fn contexts() -> Vec<std::sync::Arc<ContextInner>> {
    let _critical = fork::critical();
    let contexts = CONTEXTS.lock().expect("no holder panics");
    contexts.iter().filter_map(Weak::upgrade).collect()
}

/// Gives all kept memory of the process back to the system; how many bytes that were.
pub fn release_all() -> u64 {
    contexts()
        .iter()
        .map(|context| context.pool.release(false))
        .sum()
}

/// What the process holds, on one device or on all.
pub fn stats(device: Option<&Device>) -> Stats {
    let mut all = Stats::default();
    for context in contexts() {
        all += context.pool.stats(device);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_class_fits_its_request_and_wastes_a_quarter_at_most(bytes in 1usize..1 << 40) {
            let (class, rounded) = size_class(bytes);
            prop_assert!(rounded >= bytes);
            prop_assert!(rounded - bytes < ALIGNMENT.max(bytes / 4 + ALIGNMENT));
            prop_assert_eq!(class_bytes(class), rounded);
        }

        #[test]
        fn classes_grow_with_sizes(a in 1usize..1 << 40, b in 1usize..1 << 40) {
            let (small, large) = (a.min(b), a.max(b));
            prop_assert!(size_class(small).0 <= size_class(large).0);
        }
    }
}
