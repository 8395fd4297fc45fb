//! The array that a local stands for: a layout in a block.

use crate::block::Block;
use crate::words::Cursor;
use colocate_array::Array;
use colocate_dtype::{DType, Dims, Layout, Strides};
use colocate_frontend::program::ViewAxis;
use colocate_runtime::{Queue, Usm};
use std::rc::Rc;
use std::sync::Arc;

/// Where the elements of an array lie on one side of its block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Of the first element, in bytes from the block's first.
    pub offset: isize,
    /// In bytes.
    pub strides: Strides,
}

impl Clone for Place {
    /// Item by item, as they would be cloned else, it takes several times as long.
    fn clone(&self) -> Place {
        Place {
            offset: self.offset,
            strides: Strides::from_slice(&self.strides),
        }
    }
}

impl Clone for Slot {
    fn clone(&self) -> Slot {
        Slot {
            block: self.block.clone(),
            dtype: self.dtype,
            shape: Dims::from_slice(&self.shape),
            host: self.host.clone(),
            device: self.device.clone(),
            leaf: self.leaf,
            writable: self.writable,
        }
    }
}

/// An array.
#[derive(Debug)]
pub(crate) struct Slot {
    pub block: Rc<Block>,
    pub dtype: DType,
    pub shape: Dims,
    /// In host memory.
    pub host: Place,
    /// In device memory, where that is another.
    pub device: Option<Place>,
    /// The argument that it is, as a whole.
    pub leaf: Option<usize>,
    pub writable: bool,
}

/// Strides of row-major or column-major elements without gaps.
pub(crate) fn packed_strides(shape: &[usize], itemsize: usize, fortran: bool) -> Strides {
    let mut strides = Strides::from_elem(0, shape.len());
    let mut step = itemsize as isize;
    let mut set = |axis: usize| {
        strides[axis] = step;
        step *= shape[axis].max(1) as isize;
    };
    if fortran {
        (0..shape.len()).for_each(&mut set);
    } else {
        (0..shape.len()).rev().for_each(&mut set);
    }
    strides
}

/// Whether the elements lie in row-major order without gaps.
pub(crate) fn is_packed(shape: &[usize], strides: &[isize], itemsize: usize) -> bool {
    if shape.contains(&0) {
        return true;
    }
    let mut step = itemsize as isize;
    for (&extent, &stride) in shape.iter().zip(strides).rev() {
        if extent != 1 {
            if stride != step {
                return false;
            }
            step *= extent as isize;
        }
    }
    true
}

/// The first byte of the elements relative to the first element, and one past the last.
pub(crate) fn span(shape: &[usize], strides: &[isize], itemsize: usize) -> (isize, isize) {
    if shape.contains(&0) {
        return (0, 0);
    }
    let (mut low, mut high) = (0, 0);
    for (&extent, &stride) in shape.iter().zip(strides) {
        let reach = (extent as isize - 1) * stride;
        low += reach.min(0);
        high += reach.max(0);
    }
    (low, high + itemsize as isize)
}

impl Place {
    /// The same elements with other extents, in row-major order, if they lie so.
    fn reshaped(&self, shape: &[usize], to: &[usize], itemsize: usize) -> Option<Place> {
        let item = itemsize as isize;
        let elements: Option<Strides> = self
            .strides
            .iter()
            .map(|&stride| (stride % item == 0).then_some(stride / item))
            .collect();
        let layout = Layout::strided(shape, &elements?, 0, itemsize).ok()?;
        let view = layout.reshaped(to)?;
        Some(Place {
            offset: self.offset + view.offset() * item,
            strides: view.strides().iter().map(|&stride| stride * item).collect(),
        })
    }
}

/// What a view keeps of an axis.
#[derive(Clone, Copy)]
enum Kept {
    Nothing,
    Axis(usize, isize),
}

impl Slot {
    /// All of a block.
    pub(crate) fn whole(block: Rc<Block>, leaf: Option<usize>, writable: bool) -> Slot {
        let device = (!block.is_same()).then(|| Place {
            offset: 0,
            strides: block.device_strides(),
        });
        Slot {
            dtype: block.dtype,
            shape: block.shape.clone(),
            host: Place {
                offset: 0,
                strides: block.host_strides().clone(),
            },
            device,
            block,
            leaf,
            writable,
        }
    }

    /// Where it lies on the device.
    pub(crate) fn device_place(&self) -> &Place {
        self.device.as_ref().unwrap_or(&self.host)
    }

    /// Its first element in host memory; null if there is none.
    pub(crate) fn host_pointer(&self) -> *mut u8 {
        let base = self.block.host_pointer();
        if base.is_null() {
            return base;
        }
        base.wrapping_offset(self.host.offset)
    }

    /// How many elements it has.
    pub(crate) fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// Tells the host part where it is.
    pub(crate) fn write_words(&self, results: &mut [u64]) {
        let rank = self.shape.len();
        results[0] = self.host_pointer() as u64;
        for (axis, (&extent, &stride)) in self.shape.iter().zip(&self.host.strides).enumerate() {
            results[1 + axis] = extent as u64;
            results[1 + rank + axis] = stride as u64;
        }
    }

    /// A view by what the words say of each axis.
    pub(crate) fn view(&self, axes: &[ViewAxis], free: &[usize], words: &mut Cursor<'_>) -> Slot {
        let mut shape = Dims::new();
        let mut steps: smallvec::SmallVec<[Kept; 6]> = smallvec::SmallVec::new();
        let mut host = self.host.offset;
        let mut device = self.device.as_ref().map(|place| place.offset);
        for (axis, kind) in axes.iter().enumerate() {
            match kind {
                ViewAxis::Fixed => {
                    let position = words.number() as isize;
                    host += position * self.host.strides[axis];
                    if let (Some(offset), Some(place)) = (&mut device, &self.device) {
                        *offset += position * place.strides[axis];
                    }
                    steps.push(Kept::Nothing);
                }
                ViewAxis::Whole => steps.push(Kept::Axis(self.shape[axis], 1)),
                ViewAxis::Sliced => {
                    let start = words.number() as isize;
                    let step = words.number() as isize;
                    let length = words.number().max(0) as usize;
                    if length > 0 {
                        host += start * self.host.strides[axis];
                        if let (Some(offset), Some(place)) = (&mut device, &self.device) {
                            *offset += start * place.strides[axis];
                        }
                    }
                    steps.push(Kept::Axis(length, step));
                }
                ViewAxis::New => steps.push(Kept::Axis(1, 0)),
            }
        }
        let strides = |place: &Place| -> Strides {
            free.iter()
                .map(|&axis| match (steps[axis], place.strides.get(axis)) {
                    (Kept::Axis(_, step), Some(stride)) => stride * step,
                    _ => 0,
                })
                .collect()
        };
        for &axis in free {
            shape.push(match steps[axis] {
                Kept::Axis(extent, _) => extent,
                Kept::Nothing => 1,
            });
        }
        Slot {
            block: self.block.clone(),
            dtype: self.dtype,
            host: Place {
                offset: host,
                strides: strides(&self.host),
            },
            device: self.device.as_ref().map(|place| Place {
                offset: device.expect("there is a device side"),
                strides: strides(place),
            }),
            shape,
            leaf: None,
            writable: self.writable,
        }
    }

    /// The same elements with other extents, if that is a view on both sides.
    pub(crate) fn reshaped(&self, shape: &Dims) -> Option<Slot> {
        let item = self.dtype.itemsize();
        let host = self.host.reshaped(&self.shape, shape, item)?;
        let device = match &self.device {
            Some(place) => Some(place.reshaped(&self.shape, shape, item)?),
            None => None,
        };
        Some(Slot {
            block: self.block.clone(),
            dtype: self.dtype,
            shape: shape.clone(),
            host,
            device,
            leaf: None,
            writable: self.writable,
        })
    }

    /// Whether its elements on the device, where it is, are at places that are no multiples of their size.
    pub(crate) fn is_between_elements(&self) -> bool {
        let item = self.dtype.itemsize() as isize;
        let place = self.device_place();
        let first = self.block.device_pointer() as isize + place.offset;
        first % item != 0 || place.strides.iter().any(|stride| stride % item != 0)
    }

    /// As an array of the library over memory that it lies in; `None` if its elements are not where
    /// such an array's can be.
    pub(crate) fn array_over(
        &self,
        usm: &Arc<Usm>,
        first: *mut u8,
        queue: &Queue,
    ) -> Option<Array> {
        let item = self.dtype.itemsize() as isize;
        let offset = first as isize - usm.pointer() as isize;
        let place = self.device_place();
        if self.size() == 0 {
            let layout = Layout::contiguous(&self.shape, item as usize).ok()?;
            return Array::over(usm.clone(), layout, self.dtype, queue, self.writable).ok();
        }
        if offset % item != 0 || !(usm.pointer() as usize).is_multiple_of(self.dtype.alignment()) {
            return None;
        }
        let strides: Option<Strides> = place
            .strides
            .iter()
            .map(|&stride| (stride % item == 0).then_some(stride / item))
            .collect();
        let layout = Layout::strided(&self.shape, &strides?, offset / item, item as usize).ok()?;
        Array::over(usm.clone(), layout, self.dtype, queue, self.writable).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_strides_are_recognised() {
        for shape in [&[][..], &[3], &[2, 3], &[2, 1, 4], &[2, 0, 4]] {
            let strides = packed_strides(shape, 8, false);
            assert!(is_packed(shape, &strides, 8), "{shape:?}");
        }
        let columns = packed_strides(&[2, 3], 8, true);
        assert_eq!(columns[..], [8, 16]);
        assert!(!is_packed(&[2, 3], &columns, 8));
    }

    #[test]
    fn a_span_reaches_from_the_lowest_to_the_highest_byte() {
        assert_eq!(span(&[3], &[8], 8), (0, 24));
        assert_eq!(span(&[3], &[-8], 8), (-16, 8));
        assert_eq!(span(&[3, 0], &[8, 8], 8), (0, 0));
    }
}
