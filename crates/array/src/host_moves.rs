//! Elements moved to or from places that are known, on a device that is the host.
//!
//! This serves what kernels do not: small moves, for which looking up a kernel would take longer, and
//! assignments such that of several values for one element the last one stays. For that, work is
//! divided by where values go, not by where they come from: no two parts write the same element, and
//! each part goes through the values in order.

use crate::selection::Selection;
use crate::{Array, Result};
use colocate_runtime::hal::HostTask;
use colocate_runtime::{Access, Use};
use smallvec::SmallVec;

/// Moves of fewer bytes are done by the caller.
pub const SMALL: usize = 128 << 10;

/// So many places are looked through at a time.
const CHUNK: usize = 512;

/// Which way elements are moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the places.
    Out,
    /// To the places.
    In,
}

/// How far the elements that index arrays reach lie from the first of the view, in elements; in
/// row-major order of the index arrays' shape.
pub enum Places {
    /// An int64 array without gaps.
    Array(Array),
    /// The same on the host.
    Host(Vec<i64>),
    /// One int64 index array without gaps whose elements are known to be inside: they are counted
    /// from the end of the extent if negative, and a stride apart.
    Indices(Array),
}

/// How far the places of some axes lie from the first, in row-major order, in elements.
pub fn distances(shape: &[usize], strides: &[isize]) -> Vec<isize> {
    let mut all = vec![0];
    for (&extent, &stride) in shape.iter().zip(strides) {
        all = all
            .iter()
            .flat_map(|&base| (0..extent as isize).map(move |i| base + i * stride))
            .collect();
    }
    all
}

/// What all parts need to know. Addresses are numbers so that threads may share them.
struct Work {
    data: usize,
    values: usize,
    direction: Direction,
    places: usize,
    /// What is added to a negative place, and the distance of places that are neighbours.
    extent: isize,
    stride: isize,
    /// Number of indices.
    count: usize,
    /// Elements on axes before and after the index arrays'.
    outer: Vec<isize>,
    inner: Vec<isize>,
    inner_is_run: bool,
    /// One value goes to all places.
    uniform: bool,
}

/// Which of the work is a part's.
struct Share {
    outer: std::ops::Range<usize>,
    places: std::ops::Range<isize>,
}

impl Work {
    /// # Safety
    /// The addresses are those of live memory of the shapes that the counts say, `T` has the size of
    /// an element, and nobody else uses the share's elements.
    unsafe fn run<T: Copy>(&self, share: &Share) {
        // Which of the next places are the share's is found first: whether one is cannot be foreseen,
        // and a loop without such branches is several times as quick.
        let mut mine = [0u16; CHUNK];
        for outer in share.outer.clone() {
            for first in (0..self.count).step_by(CHUNK) {
                let count = CHUNK.min(self.count - first);
                // SAFETY: as many places as the count says, by the caller's word.
                let places = unsafe {
                    std::slice::from_raw_parts((self.places as *const i64).add(first), count)
                };
                let mut found = 0;
                for (number, &place) in places.iter().enumerate() {
                    mine[found] = number as u16;
                    found += usize::from(share.places.contains(&self.distance(place)));
                }
                for &number in &mine[..found] {
                    let number = usize::from(number);
                    // SAFETY: the caller's word.
                    unsafe { self.step::<T>(outer, first + number, self.distance(places[number])) };
                }
            }
        }
    }

    fn distance(&self, place: i64) -> isize {
        let place = place as isize;
        (place + if place < 0 { self.extent } else { 0 }) * self.stride
    }

    /// Moves what belongs to one index.
    ///
    /// # Safety
    /// As for [`Work::run`].
    unsafe fn step<T: Copy>(&self, outer: usize, number: usize, place: isize) {
        let (data, values) = (self.data as *mut T, self.values as *mut T);
        let ordered = |place: *mut T, value: *mut T| match self.direction {
            Direction::Out => (place, value),
            Direction::In => (value, place),
        };
        let run = self.inner.len();
        // SAFETY: the caller's word.
        unsafe {
            let place = data.offset(self.outer[outer] + place);
            if self.uniform {
                let value = values.read_unaligned();
                for &distance in &self.inner {
                    place.offset(distance).write_unaligned(value);
                }
                return;
            }
            let value = values.add((outer * self.count + number) * run);
            if run == 1 {
                let (from, to) = ordered(place, value);
                to.write_unaligned(from.read_unaligned());
            } else if self.inner_is_run {
                let (from, to) = ordered(place, value);
                let bytes = run * size_of::<T>();
                std::ptr::copy_nonoverlapping(from.cast::<u8>(), to.cast::<u8>(), bytes);
            } else {
                for (step, &distance) in self.inner.iter().enumerate() {
                    let (from, to) = ordered(place.offset(distance), value.add(step));
                    to.write_unaligned(from.read_unaligned());
                }
            }
        }
    }
}

/// Moves elements between places of the view and `values`, an array of the selection's shape that has
/// no gaps, or one value that is repeated.
pub fn submit(
    selection: &Selection,
    places: Places,
    values: &Array,
    direction: Direction,
) -> Result<()> {
    let uniform = values.layout().strides().iter().all(|&stride| stride == 0);
    debug_assert!(values.layout().is_c_contiguous() || uniform && direction == Direction::In);
    let uniform = uniform && direction == Direction::In;
    let view = &selection.view;
    let (shape, strides) = (selection.shape(), selection.view_strides());
    let (before, after) = (
        selection.before,
        selection.before + selection.index_shape.len(),
    );
    let outer = distances(&shape[..before], &strides[..before]);
    let inner = distances(&shape[after..], &strides[after..]);
    let inner_is_run = inner
        .iter()
        .enumerate()
        .all(|(step, &distance)| distance == step as isize);
    let (mut low, mut high) = (0, 1);
    for along in &selection.along {
        let (extent, stride) = selection.reach(along);
        let reach = (extent as isize - 1) * stride;
        low += reach.min(0);
        high += reach.max(0);
    }
    let small = values.nbytes() <= SMALL;
    let threads = match small {
        true => 1,
        false => view.queue().device().info().max_compute_units.max(1) as usize,
    };
    let rows = outer.len();
    let by_rows = rows >= 2 * threads;
    let parts = threads.min(if by_rows { rows } else { (high - low) as usize });
    let item = view.dtype().itemsize();
    let (address, count) = match &places {
        Places::Array(array) | Places::Indices(array) => (array.pointer() as usize, array.size()),
        Places::Host(list) => (list.as_ptr() as usize, list.len()),
    };
    let (extent, stride) = match &places {
        Places::Indices(_) => selection.reach(&selection.along[0]),
        _ => (0, 1),
    };
    let work = Work {
        data: view.pointer() as usize,
        values: values.pointer() as usize,
        direction,
        places: address,
        extent: extent as isize,
        stride,
        count,
        outer,
        inner,
        inner_is_run,
        uniform,
    };
    let share = move |part: usize| {
        if by_rows {
            return Share {
                outer: part * rows / parts..(part + 1) * rows / parts,
                places: low..high,
            };
        }
        let at = |part: usize| {
            low + ((high - low) as usize as u128 * part as u128 / parts as u128) as isize
        };
        Share {
            outer: 0..rows,
            places: at(part)..at(part + 1),
        }
    };
    let (written, read) = match direction {
        Direction::Out => (values, view),
        Direction::In => (view, values),
    };
    let kept = match &places {
        Places::Array(array) | Places::Indices(array) => Some(array.clone()),
        Places::Host(_) => None,
    };
    let mut uses: SmallVec<[Use<'_>; 3]> = SmallVec::new();
    uses.push(Use {
        usm: written.usm(),
        access: Access::Write,
    });
    uses.push(Use {
        usm: read.usm(),
        access: Access::Read,
    });
    uses.extend(kept.as_ref().map(|array| Use {
        usm: array.usm(),
        access: Access::Read,
    }));
    let task = HostTask {
        parts,
        small,
        run: Box::new(move |part| {
            // A list of places lives as long as the task.
            let _places = &places;
            let share = share(part);
            // SAFETY: the arrays lie inside the allocations named in `uses`, places inside the view,
            // and shares are disjoint.
            unsafe {
                match item {
                    1 => work.run::<u8>(&share),
                    2 => work.run::<u16>(&share),
                    4 => work.run::<u32>(&share),
                    8 => work.run::<u64>(&share),
                    _ => work.run::<u128>(&share),
                }
            }
        }),
    };
    // SAFETY: the task touches only these.
    unsafe { view.queue().host_task("indexing", &uses, task) }?;
    Ok(())
}
