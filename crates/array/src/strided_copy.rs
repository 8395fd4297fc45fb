//! Copying elements from one layout to another, on the host.

use smallvec::SmallVec;

/// One axis of a copy: extent and the byte distance between neighbours on both sides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axis {
    pub extent: usize,
    pub to: isize,
    pub from: isize,
}

/// A copy brought to its simplest form: no axis of extent one, the destination's largest stride
/// outermost, neighbouring axes that are one run on both sides merged. Two layouts that differ
/// only in how they are written down give the same plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub axes: SmallVec<[Axis; 4]>,
    pub itemsize: usize,
}

impl Plan {
    /// A plan for two layouts of one shape, strides in elements.
    pub fn new(shape: &[usize], to: &[isize], from: &[isize], itemsize: usize) -> Plan {
        let bytes = itemsize as isize;
        let steps = to.iter().zip(from);
        let steps = steps.map(|(&to, &from)| (to * bytes, from * bytes));
        Plan::in_bytes(shape, steps, itemsize)
    }

    /// A plan for two layouts of one shape; the strides of both sides come in bytes.
    fn in_bytes(
        shape: &[usize],
        steps: impl Iterator<Item = (isize, isize)>,
        itemsize: usize,
    ) -> Plan {
        let mut axes: SmallVec<[Axis; 4]> = shape
            .iter()
            .zip(steps)
            .filter(|(extent, _)| **extent != 1)
            .map(|(&extent, (to, from))| Axis { extent, to, from })
            .collect();
        axes.sort_by_key(|axis| {
            std::cmp::Reverse((axis.to.unsigned_abs(), axis.from.unsigned_abs()))
        });
        let mut merged: SmallVec<[Axis; 4]> = SmallVec::new();
        for axis in axes {
            match merged.last_mut() {
                Some(outer)
                    if outer.to == axis.to * axis.extent as isize
                        && outer.from == axis.from * axis.extent as isize =>
                {
                    *outer = Axis {
                        extent: outer.extent * axis.extent,
                        ..axis
                    };
                }
                _ => merged.push(axis),
            }
        }
        Plan {
            axes: merged,
            itemsize,
        }
    }

    /// How many elements.
    pub fn size(&self) -> usize {
        self.axes.iter().map(|axis| axis.extent).product()
    }

    /// How many bytes, if both sides are one run.
    pub fn single_run(&self) -> Option<usize> {
        let item = self.itemsize as isize;
        match *self.axes {
            [] => Some(self.itemsize),
            [axis] if axis.to == item && axis.from == item => Some(axis.extent * self.itemsize),
            _ => None,
        }
    }

    /// Copies indices `first..last` of the outermost axis.
    ///
    /// # Safety
    /// Both pointers are valid for the plan's elements, and the two sides do not overlap.
    pub unsafe fn run(&self, to: *mut u8, from: *const u8, first: usize, last: usize) {
        match self.axes.split_first() {
            // SAFETY: a single element, valid by the caller's word.
            None => unsafe { from.copy_to_nonoverlapping(to, self.itemsize) },
            Some((outer, inner)) => {
                let outer = Axis {
                    extent: last - first,
                    ..*outer
                };
                // SAFETY: the sub-range lies inside the plan.
                unsafe {
                    walk(
                        to.offset(outer.to * first as isize),
                        from.offset(outer.from * first as isize),
                        outer,
                        inner,
                        self.itemsize,
                    );
                }
            }
        }
    }
}

/// Copies elements in host memory from one layout to another of the same shape; strides are in bytes,
/// and need not be multiples of the element's size.
///
/// # Safety
/// Both pointers are valid for all elements, and the two sides do not overlap.
pub unsafe fn copy_elements(
    shape: &[usize],
    itemsize: usize,
    (to, to_strides): (*mut u8, &[isize]),
    (from, from_strides): (*const u8, &[isize]),
) {
    if shape.contains(&0) {
        return;
    }
    let steps = to_strides.iter().copied().zip(from_strides.iter().copied());
    let plan = Plan::in_bytes(shape, steps, itemsize);
    let rows = plan.axes.first().map_or(1, |axis| axis.extent);
    // SAFETY: the caller's word.
    unsafe { plan.run(to, from, 0, rows) };
}

/// # Safety
/// As for [`Plan::run`].
unsafe fn walk(to: *mut u8, from: *const u8, outer: Axis, inner: &[Axis], itemsize: usize) {
    match inner.split_first() {
        Some((next, rest)) => {
            for i in 0..outer.extent as isize {
                // SAFETY: an index below the extent.
                unsafe {
                    walk(
                        to.offset(outer.to * i),
                        from.offset(outer.from * i),
                        *next,
                        rest,
                        itemsize,
                    )
                };
            }
        }
        // SAFETY: the innermost axis of the caller's elements.
        None => unsafe {
            match itemsize {
                1 => line::<u8>(to, from, outer),
                2 => line::<[u8; 2]>(to, from, outer),
                4 => line::<[u8; 4]>(to, from, outer),
                8 => line::<[u8; 8]>(to, from, outer),
                _ => line::<[u8; 16]>(to, from, outer),
            }
        },
    }
}

/// # Safety
/// As for [`Plan::run`]; `T` has the itemsize. Its alignment is one, so any address will do.
unsafe fn line<T: Copy>(to: *mut u8, from: *const u8, axis: Axis) {
    let item = size_of::<T>() as isize;
    // SAFETY: the caller's word.
    unsafe {
        if axis.to == item && axis.from == item {
            from.copy_to_nonoverlapping(to, axis.extent * size_of::<T>());
        } else {
            for i in 0..axis.extent as isize {
                let value = from.offset(axis.from * i).cast::<T>().read();
                to.offset(axis.to * i).cast::<T>().write(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_dtype::Layout;
    use colocate_dtype::index::{Item, apply};
    use proptest::prelude::*;

    fn plan(to: &Layout, from: &Layout) -> Plan {
        Plan::new(to.shape(), to.strides(), from.strides(), 4)
    }

    #[test]
    fn contiguous_layouts_are_one_run_whatever_their_rank() {
        let layout = Layout::contiguous(&[3, 1, 4, 5], 4).unwrap();
        assert_eq!(plan(&layout, &layout).single_run(), Some(240));
        let transposed = layout.transposed();
        assert_eq!(plan(&transposed, &transposed).single_run(), Some(240));
        let scalar = Layout::contiguous(&[], 4).unwrap();
        assert_eq!(plan(&scalar, &scalar).single_run(), Some(4));
    }

    fn positions(layout: &Layout) -> Vec<isize> {
        let mut all = vec![layout.offset()];
        for (&extent, &stride) in layout.shape().iter().zip(layout.strides()) {
            all = all
                .iter()
                .flat_map(|&base| (0..extent).map(move |i| base + i as isize * stride))
                .collect();
        }
        all
    }

    proptest! {
        /// Any view of one array to any equally shaped view of another, in two pieces.
        #[test]
        fn every_element_arrives_where_it_belongs(
            shape in proptest::collection::vec(1usize..5, 1..4),
            steps in proptest::collection::vec((prop_oneof![Just(-2isize), Just(-1), Just(1), Just(2)], prop_oneof![Just(-2isize), Just(-1), Just(1), Just(2)]), 3),
            flip in any::<bool>(),
        ) {
            let roomy: Vec<usize> = shape.iter().map(|extent| extent * 2).collect();
            let base = Layout::contiguous(&roomy, 4).unwrap();
            let view = |side: fn(&(isize, isize)) -> isize| {
                let items: Vec<_> = shape.iter().zip(&steps).map(|(&extent, step)| {
                    let step = side(step);
                    let start = if step > 0 { 0 } else { extent as isize * 2 - 1 };
                    let stop = start + step * extent as isize;
                    Item::Slice { start: Some(start), stop: (stop >= 0).then_some(stop), step }
                }).collect();
                apply(&base, &items).unwrap()
            };
            let (to, from) = (view(|s| s.0), view(|s| s.1));
            let (to, from) = if flip { (to.transposed(), from.transposed()) } else { (to, from) };
            prop_assert_eq!(to.shape(), from.shape());
            let source: Vec<u32> = (0..base.size() as u32).collect();
            let mut got = vec![u32::MAX; base.size()];
            let plan = plan(&to, &from);
            let rows = plan.axes.first().map_or(1, |axis| axis.extent);
            // SAFETY: both views lie inside their vectors, which are different ones.
            unsafe {
                let start = got.as_mut_ptr().offset(to.offset()).cast();
                let origin = source.as_ptr().offset(from.offset()).cast();
                plan.run(start, origin, 0, rows / 2);
                plan.run(start, origin, rows / 2, rows);
            }
            let mut wanted = vec![u32::MAX; base.size()];
            for (t, f) in positions(&to).into_iter().zip(positions(&from)) {
                wanted[t as usize] = source[f as usize];
            }
            prop_assert_eq!(got, wanted);
        }
    }
}
