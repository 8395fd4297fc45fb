//! Sharing out the lines of an array, and moving them between the array and the cache.
//!
//! Lines along the last axis lie in memory as they are needed. Others are taken several at a
//! time, because neighbours share the cache lines that the memory comes in.

use crate::Extents;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Arrays with fewer elements are not worth a second thread.
const SMALL: usize = 1 << 14;
/// Lines that are taken from an array at a time.
pub(crate) const ABREAST: usize = 16;
/// Elements of a part of the work, at least.
const PART: usize = 1 << 12;

/// A pointer that several threads may use, each its own part.
pub(crate) struct Shared<T>(pub(crate) *mut T);

// SAFETY: whoever uses the pointer sees to it that parts are apart.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<T> {}

impl<T> Shared<T> {
    /// The pointer; as a method, so that closures capture the whole.
    pub(crate) fn get(self) -> *mut T {
        self.0
    }
}

/// Calls `run` for all numbers below `count`, on all threads of the pool if the work is on so many
/// elements that it pays. Each thread has a state of its own.
pub(crate) fn share_out<S>(
    pool: Option<&ThreadPool>,
    elements: usize,
    count: usize,
    state: impl Fn() -> S + Sync,
    run: impl Fn(&mut S, usize) + Sync,
) {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut state = state();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            run(&mut state, number);
        }
    };
    match pool {
        Some(pool) if count > 1 && elements >= SMALL => pool.in_place_scope(|scope| {
            for _ in 0..pool.current_num_threads().min(count) {
                scope.spawn(|_| work());
            }
        }),
        _ => work(),
    }
}

/// A group of neighbouring lines of an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Index before the axis.
    pub(crate) outer: usize,
    /// Index after the axis of the first line.
    pub(crate) inner: usize,
    /// How many lines.
    pub(crate) count: usize,
}

/// Calls `run` for groups that together are all lines of an array.
pub(crate) fn for_groups<S>(
    pool: Option<&ThreadPool>,
    extents: Extents,
    state: impl Fn() -> S + Sync,
    run: impl Fn(&mut S, Group) + Sync,
) {
    let Extents {
        outer,
        length,
        inner,
    } = extents;
    let across = inner.div_ceil(ABREAST);
    let groups = outer * across;
    let batch = (PART / (length * inner.min(ABREAST)).max(1)).max(1);
    let elements = outer * length * inner;
    share_out(
        pool,
        elements,
        groups.div_ceil(batch),
        state,
        |state, part| {
            for group in part * batch..groups.min((part + 1) * batch) {
                let first = group % across * ABREAST;
                let group = Group {
                    outer: group / across,
                    inner: first,
                    count: ABREAST.min(inner - first),
                };
                run(state, group);
            }
        },
    );
}

/// How far apart lines of a length are put that are taken from an array: not by a power of two,
/// or all of them would compete for the same few places of the cache.
pub(crate) fn pitch<T>(length: usize) -> usize {
    length + 64 / size_of::<T>()
}

/// Copies lines of an array, each [`pitch`] after the one before. `length` is the extent of the
/// array's axis.
///
/// # Safety
/// The lines are the array's, and nobody writes to them; `to` has room for them.
pub(crate) unsafe fn gather<T: Copy>(
    from: *const T,
    (length, inner): (usize, usize),
    group: Group,
    to: &mut [T],
) {
    let pitch = pitch::<T>(length);
    assert!(to.len() >= pitch * group.count);
    let first = group.outer * length * inner + group.inner;
    for step in 0..length {
        for line in 0..group.count {
            // SAFETY: the caller's word, and checked above.
            unsafe {
                *to.get_unchecked_mut(line * pitch + step) =
                    from.add(first + step * inner + line).read();
            }
        }
    }
}

/// Copies lines that lie [`pitch`] apart to an array, converted.
///
/// # Safety
/// The lines are the array's, and nobody else uses them.
pub(crate) unsafe fn scatter<T: Copy>(
    from: &[T],
    to: *mut T,
    (length, inner): (usize, usize),
    group: Group,
    convert: impl Fn(T) -> T,
) {
    let pitch = pitch::<T>(length);
    assert!(from.len() >= pitch * group.count);
    let first = group.outer * length * inner + group.inner;
    for step in 0..length {
        for line in 0..group.count {
            // SAFETY: the caller's word, and checked above.
            unsafe {
                let one = *from.get_unchecked(line * pitch + step);
                to.add(first + step * inner + line).write(convert(one));
            }
        }
    }
}
