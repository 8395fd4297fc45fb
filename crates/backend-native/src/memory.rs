//! Plain memory, and how much of it there is.
//!
//! Linux promises more memory than it has and kills the process that takes it at its word. So
//! a large request is first held against what is available (the machine's or the container's),
//! and against what we have already handed out, touched or not.

use colocate_hal::{ALIGNMENT, Error, Result, UsmKind};
use std::alloc::{Layout, alloc, dealloc};
use std::fs;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// From here on requests are checked and mapped rather than taken from the heap.
const LARGE: usize = 1 << 20;
/// Below this a look at the system's numbers would cost more than it saves.
const CHECKED: usize = 32 << 20;
/// From here on the kernel is asked for huge pages: a hundredth of the page faults.
const HUGE: usize = 4 << 20;

static HELD: AtomicU64 = AtomicU64::new(0);

/// Bytes in all and bytes to be had, for this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostMemory {
    pub total: u64,
    pub available: u64,
}

impl HostMemory {
    /// The smaller of the machine's and the container's.
    pub fn now() -> HostMemory {
        let machine = fs::read_to_string("/proc/meminfo")
            .ok()
            .and_then(|text| parse_meminfo(&text));
        let mut memory = machine.unwrap_or(HostMemory {
            total: u64::MAX,
            available: u64::MAX,
        });
        for (limit, usage) in [
            ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
            (
                "/sys/fs/cgroup/memory/memory.limit_in_bytes",
                "/sys/fs/cgroup/memory/memory.usage_in_bytes",
            ),
        ] {
            let number = |path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
            if let (Some(limit), Some(usage)) = (number(limit), number(usage)) {
                memory.total = memory.total.min(limit);
                memory.available = memory.available.min(limit.saturating_sub(usage));
            }
        }
        memory
    }
}

fn parse_meminfo(text: &str) -> Option<HostMemory> {
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        let kib: u64 = line
            .trim_start_matches(':')
            .split_whitespace()
            .next()?
            .parse()
            .ok()?;
        Some(kib * 1024)
    };
    Some(HostMemory {
        total: field("MemTotal")?,
        available: field("MemAvailable")?,
    })
}

/// Whether there is memory for so many requests of a size, as far as the system's numbers tell.
pub fn is_there(bytes: usize, times: usize) -> bool {
    if bytes < CHECKED {
        return true;
    }
    let bytes = (bytes as u64).saturating_mul(times as u64);
    let memory = HostMemory::now();
    let held = HELD.load(Ordering::Relaxed);
    bytes <= memory.available && held.saturating_add(bytes) <= memory.total
}

/// The error that says why there is no memory of a size.
pub fn none_left(bytes: usize, kind: UsmKind, device: &str) -> Error {
    let memory = HostMemory::now();
    let held = HELD.load(Ordering::Relaxed);
    Error::OutOfMemory {
        requested: bytes,
        kind: kind.name(),
        device: device.to_owned(),
        // What we hold untouched is promised, though the system still counts it as available.
        available: memory.available.min(memory.total.saturating_sub(held)),
        total: memory.total,
        held,
    }
}

/// Memory for `bytes` bytes, or the numbers that say why not.
pub fn allocate(bytes: usize, kind: UsmKind, device: &str) -> Result<NonNull<u8>> {
    let refuse = || none_left(bytes, kind, device);
    if !is_there(bytes, 1) {
        return Err(refuse());
    }
    let pointer = if bytes >= LARGE {
        map(bytes)
    } else {
        NonNull::new(take(bytes))
    };
    let pointer = pointer.ok_or_else(refuse)?;
    HELD.fetch_add(bytes as u64, Ordering::Relaxed);
    Ok(pointer)
}

/// Gives back what [`allocate`] gave.
///
/// # Safety
/// Same size as at the allocation, and nobody uses the memory any more.
pub unsafe fn release(pointer: NonNull<u8>, bytes: usize) {
    HELD.fetch_sub(bytes as u64, Ordering::Relaxed);
    if bytes >= LARGE {
        let (first, size) = pages(pointer.as_ptr() as usize, bytes);
        // SAFETY: mapped by `map` for this size, says the caller; these are all its pages.
        unsafe { libc::munmap(first as *mut libc::c_void, size) };
    } else {
        // SAFETY: taken by `take` with this layout, says the caller.
        unsafe { dealloc(pointer.as_ptr(), heap_layout(bytes)) };
    }
}

fn heap_layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, ALIGNMENT).expect("small sizes are valid")
}

fn take(bytes: usize) -> *mut u8 {
    // SAFETY: the contract of `hal` says that sizes are not zero.
    unsafe { alloc(heap_layout(bytes)) }
}

/// The size of a page; larger ones are multiples of it.
const PAGE: usize = 4096;
/// How many different places in a page mappings begin at, and by how much they differ.
const PLACES: usize = 16;
const STEP: usize = PAGE + 4 * ALIGNMENT;

/// The pages that hold `bytes` bytes from an address on: where they begin, and their size.
fn pages(address: usize, bytes: usize) -> (usize, usize) {
    let first = address & !(PAGE - 1);
    let end = (address + bytes).next_multiple_of(PAGE);
    (first, end - first)
}

/// Maps memory that does not begin at the beginning of a page. Elements of several arrays with the
/// same index would otherwise all compete for the same lines of the cache: adding two arrays of
/// 40 MB into a third took a third longer.
fn map(bytes: usize) -> Option<NonNull<u8>> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let place = COUNT.fetch_add(1, Ordering::Relaxed) as usize % PLACES;
    let whole = bytes.checked_add(PLACES * STEP)?.next_multiple_of(PAGE);
    // SAFETY: a fresh anonymous mapping touches nobody's memory, and only pages of it that are not
    // handed out are given back; the advice is only a hint.
    unsafe {
        let mapped = libc::mmap(
            std::ptr::null_mut(),
            whole,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        if mapped == libc::MAP_FAILED {
            return None;
        }
        let base = mapped as usize;
        let address = base + place * STEP;
        let (first, size) = pages(address, bytes);
        if first > base {
            libc::munmap(mapped, first - base);
        }
        if base + whole > first + size {
            let after = (first + size) as *mut libc::c_void;
            libc::munmap(after, base + whole - first - size);
        }
        if bytes >= HUGE {
            libc::madvise(first as *mut libc::c_void, size, libc::MADV_HUGEPAGE);
        }
        NonNull::new(address as *mut u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_memory() {
        let memory = HostMemory::now();
        assert!(memory.total > 0 && memory.available <= memory.total);
    }

    #[test]
    fn meminfo_is_read_in_kibibytes() {
        let text = "MemTotal:       1024 kB\nMemFree:  1 kB\nMemAvailable:    512 kB\n";
        assert_eq!(
            parse_meminfo(text),
            Some(HostMemory {
                total: 1 << 20,
                available: 1 << 19
            })
        );
    }

    #[test]
    fn large_memory_is_aligned_usable_to_the_end_and_begins_at_different_places() {
        let mut places = std::collections::HashSet::new();
        for round in 0..40 {
            let bytes = LARGE + 4095 * round;
            let pointer = allocate(bytes, UsmKind::Device, "cpu").unwrap();
            assert_eq!(pointer.as_ptr() as usize % ALIGNMENT, 0);
            places.insert(pointer.as_ptr() as usize % PAGE);
            // SAFETY: the memory is ours and has this size.
            unsafe {
                pointer.as_ptr().write_bytes(1, bytes);
                assert_eq!(pointer.as_ptr().add(bytes - 1).read(), 1);
                release(pointer, bytes);
            }
        }
        assert_eq!(places.len(), PLACES);
    }

    #[test]
    fn a_request_beyond_the_machine_gives_the_numbers() {
        let error = allocate(1 << 45, UsmKind::Device, "cpu").unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { requested, .. } if requested == 1 << 45));
    }
}
