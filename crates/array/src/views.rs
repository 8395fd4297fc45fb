//! Views: arrays over the same memory with another layout or another reading of its bytes.
//!
//! Axes are counted from the front and exist: whoever calls has made them so. Nothing here waits,
//! launches or allocates, except [`Array::reshaped`] and [`Array::packed`] where no view does.

use crate::{Array, Result};
use colocate_dtype::{DType, Layout, LayoutError};

impl Array {
    /// The axes in another order; `axes` names each once.
    pub fn permuted(&self, axes: &[usize]) -> Array {
        self.with_layout(self.layout().permuted(axes))
    }

    /// The same elements in row-major order with other extents, if that is a view.
    pub fn reshaped_view(&self, shape: &[usize]) -> Option<Array> {
        Some(self.with_layout(self.layout().reshaped(shape)?))
    }

    /// The same elements in row-major order with other extents: a view if there is one, else of a
    /// contiguous copy. Fails if the sizes differ.
    pub fn reshaped(&self, shape: &[usize]) -> Result<Array> {
        if let Some(view) = self.reshaped_view(shape) {
            return Ok(view);
        }
        let wanted = Layout::contiguous(shape, self.dtype().itemsize())?;
        if wanted.size() != self.size() {
            return Err(LayoutError::Reshape {
                size: self.size(),
                shape: shape.to_vec(),
            }
            .into());
        }
        let packed = self.copy_to(self.queue(), self.kind())?;
        Ok(packed.with_layout(wanted))
    }

    /// The array itself if it lies in row-major order without gaps, else such a copy of it.
    pub fn packed(&self) -> Result<Array> {
        if self.layout().is_c_contiguous() {
            return Ok(self.clone());
        }
        self.copy_to(self.queue(), self.kind())
    }

    /// The order along some axes reversed.
    pub fn flipped(&self, axes: &[usize]) -> Array {
        self.with_layout(self.layout().flipped(axes))
    }

    /// An axis of extent 1 more, at position `axis` of the result.
    pub fn expanded(&self, axis: usize) -> Result<Array> {
        Ok(self.with_layout(self.layout().expanded(axis)?))
    }

    /// Without some axes, each of extent 1.
    pub fn squeezed(&self, axes: &[usize]) -> Array {
        self.with_layout(self.layout().squeezed(axes))
    }

    /// The elements whose index along `axis2` is `offset` more than along `axis1`, along a new
    /// last axis.
    pub fn diagonal(&self, offset: isize, axis1: usize, axis2: usize) -> Array {
        self.with_layout(self.layout().diagonal(offset, axis1, axis2))
    }

    /// Every window of `length` neighbours along `axis`, which runs along a new last axis. Windows
    /// share elements, so the view is read-only.
    pub fn windows(&self, axis: usize, length: usize) -> Result<Array> {
        let view = self.with_layout(self.layout().windows(axis, length)?);
        Ok(view.read_only())
    }

    /// The real parts of a complex array; an array of another type is its own.
    pub fn real_part(&self) -> Array {
        match part_of(self.dtype()) {
            Some(real) => self.recast(self.layout().halved(false), real),
            None => self.clone(),
        }
    }

    /// The imaginary parts of a complex array; `None` for another type, which has none in memory.
    pub fn imaginary_part(&self) -> Option<Array> {
        let real = part_of(self.dtype())?;
        Some(self.recast(self.layout().halved(true), real))
    }

    /// The same bytes read as another type; `None` if they do not divide into its elements.
    pub fn viewed_as(&self, dtype: DType) -> Option<Array> {
        let layout = self
            .layout()
            .recast(self.dtype().itemsize(), dtype.itemsize())?;
        Some(self.recast(layout, dtype))
    }
}

/// The type of a complex number's parts.
fn part_of(dtype: DType) -> Option<DType> {
    match dtype {
        DType::Complex64 => Some(DType::Float32),
        DType::Complex128 => Some(DType::Float64),
        _ => None,
    }
}
