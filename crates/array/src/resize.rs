//! The elements of an array in memory of another size, as NumPy's `ndarray.resize` has them.

use crate::{Array, Result};
use colocate_dtype::Layout;

/// The first elements in memory with another shape, and zeros where there are more than before. The array
/// lies in row-major or column-major order without gaps from the beginning of its memory. Unless others use that
/// memory, it is used again if it is large enough.
pub fn resized(array: &Array, shape: &[usize], is_shared: bool) -> Result<Array> {
    let item = array.dtype().itemsize();
    let is_column_major = array.layout().is_f_contiguous() && !array.layout().is_c_contiguous();
    let order = is_column_major.then(|| (0..shape.len()).rev().collect());
    let layout = Layout::in_order(shape, &order, item)?;
    let (old, new) = (array.nbytes(), layout.size() * item);
    let (queue, usm) = (array.queue(), array.usm());
    let usm = if !is_shared && new <= usm.bytes() {
        usm.clone()
    } else {
        // A program that grows an array step by step gets new memory a few times only.
        let roomy = (old / item).saturating_add(old / item / 2);
        let count = layout.size().max(if old == 0 { 0 } else { roomy });
        let made = Array::empty(&[count], array.dtype(), array.kind(), queue)?;
        if old > 0 {
            queue.copy(made.usm(), 0, usm, 0, old.min(new))?;
        }
        made.usm().clone()
    };
    if new > old {
        queue.fill(&usm, old, &[0], new - old)?;
    }
    Array::over(usm, layout, array.dtype(), queue, array.is_writable())
}
