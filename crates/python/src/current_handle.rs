//! The handle of memory that a Python array has at the moment.
//!
//! NumPy's programs assign to `x.shape`, to `x.dtype` and to `x.flags.writeable`, and call `x.resize`, so what a
//! Python array is may change while other threads, or calls further out on this one, still look at what it was.
//! Handles that were replaced are therefore kept until the array goes: a reference stays valid whatever is
//! assigned meanwhile, and reading costs one load and a branch.

use colocate_array::Array;
use std::ops::Deref;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A handle that can be replaced; looks like the [`Array`] it has now.
pub struct CurrentHandle {
    first: Array,
    /// One of `others`, or null for `first`.
    current: AtomicPtr<Other>,
    /// The head of a list of all other handles that there were.
    others: AtomicPtr<Other>,
}

struct Other {
    array: Array,
    next: *mut Other,
}

/// How many of the latest handles are looked at for one that can be used again.
const RECENT: usize = 8;

/// Whether two handles say the same of the same memory.
fn are_same(a: &Array, b: &Array) -> bool {
    Arc::ptr_eq(a.usm(), b.usm())
        && a.layout() == b.layout()
        && a.dtype() == b.dtype()
        && a.is_writable() == b.is_writable()
}

impl CurrentHandle {
    /// The handle that the array was made with.
    pub fn first(&self) -> &Array {
        &self.first
    }

    fn others(&self) -> impl Iterator<Item = &Other> {
        let mut next = self.others.load(Ordering::Acquire);
        std::iter::from_fn(move || {
            // SAFETY: what is in the list was a box, does not change, and lives as long as `self`.
            let other = unsafe { next.as_ref() }?;
            next = other.next;
            Some(other)
        })
    }

    /// How many of the handles, the current one and older ones, share the memory of the current one.
    pub fn handles_of_memory(&self) -> usize {
        let usm = self.usm();
        let all = std::iter::once(&self.first).chain(self.others().map(|other| &other.array));
        all.filter(|array| Arc::ptr_eq(array.usm(), usm)).count()
    }

    /// Another handle from now on. One that was there before is used again, so that a flag that is set and
    /// cleared all the time costs no memory.
    pub fn replace(&self, array: Array) {
        if are_same(&self.first, &array) {
            self.current.store(ptr::null_mut(), Ordering::Release);
            return;
        }
        let mut recent = self.others().take(RECENT);
        if let Some(known) = recent.find(|other| are_same(&other.array, &array)) {
            self.current
                .store(ptr::from_ref(known).cast_mut(), Ordering::Release);
            return;
        }
        let other = Box::into_raw(Box::new(Other {
            array,
            next: self.others.load(Ordering::Acquire),
        }));
        // SAFETY: nobody else knows of it until the exchange succeeds.
        let next = unsafe { &mut (*other).next };
        while let Err(changed) =
            self.others
                .compare_exchange(*next, other, Ordering::AcqRel, Ordering::Acquire)
        {
            *next = changed;
        }
        self.current.store(other, Ordering::Release);
    }

    /// What it has now, if it is to be nobody's handle any more.
    pub fn into_inner(self) -> Array {
        self.deref().clone()
    }
}

impl Deref for CurrentHandle {
    type Target = Array;

    #[inline]
    fn deref(&self) -> &Array {
        // SAFETY: null, or in the list, whose members live as long as `self`.
        match unsafe { self.current.load(Ordering::Acquire).as_ref() } {
            None => &self.first,
            Some(other) => &other.array,
        }
    }
}

impl From<Array> for CurrentHandle {
    fn from(first: Array) -> CurrentHandle {
        CurrentHandle {
            first,
            current: AtomicPtr::new(ptr::null_mut()),
            others: AtomicPtr::new(ptr::null_mut()),
        }
    }
}

impl Drop for CurrentHandle {
    fn drop(&mut self) {
        let mut next = *self.others.get_mut();
        while !next.is_null() {
            // SAFETY: made by `Box::into_raw`, in the list once, and nobody refers to it any more.
            next = unsafe { Box::from_raw(next) }.next;
        }
    }
}
