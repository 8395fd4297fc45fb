//! Whether indices are inside an axis, as far as the host can tell.

use crate::selection::Indices;
use crate::{Array, Result};
use colocate_dtype::index::IndexError;
use colocate_dtype::{DType, Kind};

/// So few indices on a device that is the host are looked through at once.
pub(crate) const FEW: usize = 4096;

/// An element of an array of integers, so many elements from the first.
///
/// # Safety
/// It is an element of the array, and the host may read it.
pub(crate) unsafe fn integer_at(array: &Array, step: isize) -> i128 {
    let (dtype, first) = (array.dtype(), array.pointer());
    macro_rules! read {
        ($type:ty) => {
            // SAFETY: the caller's word; the element may lie unaligned.
            i128::from(unsafe { first.cast::<$type>().offset(step).read_unaligned() })
        };
    }
    match dtype {
        DType::Int8 => read!(i8),
        DType::Int16 => read!(i16),
        DType::Int32 => read!(i32),
        DType::UInt8 => read!(u8),
        DType::UInt16 => read!(u16),
        DType::UInt32 => read!(u32),
        DType::UInt64 => read!(u64),
        _ => read!(i64),
    }
}

/// The elements of an array of integers, on the host.
pub(crate) fn integers(array: &Array) -> Result<Vec<i128>> {
    let item = array.dtype().itemsize();
    let mut bytes = vec![0u8; array.nbytes()];
    // SAFETY: the vector has room for all elements.
    unsafe { array.read_into(bytes.as_mut_ptr()) }?;
    let signed = array.dtype().kind() == Kind::Int;
    let number = |part: &[u8]| {
        let mut wide = [0u8; 8];
        wide[..item].copy_from_slice(part);
        let unused = 64 - 8 * item as u32;
        let bits = u64::from_le_bytes(wide);
        if signed {
            i128::from((bits << unused) as i64 >> unused)
        } else {
            i128::from(bits)
        }
    };
    Ok(bytes.chunks_exact(item).map(number).collect())
}

/// The first index that is out of bounds.
pub(crate) fn first_outside(
    indices: &Array,
    axis: usize,
    extent: usize,
) -> Result<Option<IndexError>> {
    let extent_wide = extent as i128;
    let outside = |index: &i128| *index < -extent_wide || *index >= extent_wide;
    let found = integers(indices)?.into_iter().find(outside);
    Ok(found.map(|index| IndexError::OutOfBounds {
        index: index as isize,
        axis,
        extent,
    }))
}

/// Whether indices can be trusted; an error if one of them is found to be outside.
pub(crate) fn trusted(indices: &Indices, axis: usize, extent: usize) -> Result<bool> {
    let array = &indices.array;
    if array.size() == 0 {
        return Ok(true);
    }
    if let Some((least, greatest)) = indices.range {
        let extent = extent as i64;
        if least >= -extent && greatest < extent {
            return Ok(true);
        }
    } else if extent > 0 && (array.size() > FEW || !array.queue().runs_host_tasks()) {
        return Ok(false);
    }
    match first_outside(array, axis, extent)? {
        Some(failure) => Err(failure.into()),
        None => Ok(true),
    }
}
