//! The array.

use crate::{Error, Result};
use colocate_dtype::index::{self, Item};
use colocate_dtype::{AxisOrder, DType, Layout};
use colocate_runtime::{Queue, Usm, UsmKind};
use std::sync::Arc;

/// An n-dimensional array; a cheap handle to shared memory.
#[derive(Clone, Debug)]
pub struct Array {
    usm: Arc<Usm>,
    layout: Layout,
    dtype: DType,
    queue: Queue,
    writable: bool,
}

impl Array {
    /// Uninitialised elements.
    pub fn empty(shape: &[usize], dtype: DType, kind: UsmKind, queue: &Queue) -> Result<Array> {
        let layout = Layout::contiguous(shape, dtype.itemsize())?;
        let bytes = layout.size() * dtype.itemsize();
        Ok(Array {
            usm: Usm::allocate(queue, kind, bytes)?,
            layout,
            dtype,
            queue: queue.clone(),
            writable: true,
        })
    }

    /// Uninitialised elements in the shape and order of an array without gaps.
    pub fn empty_like(like: &Array, dtype: DType, kind: UsmKind, queue: &Queue) -> Result<Array> {
        if dtype.itemsize() > like.dtype.itemsize() {
            // Larger elements may be too large: that is for the other constructor to say.
            return Array::empty(like.shape(), dtype, kind, queue);
        }
        let bytes = like.layout.size() * dtype.itemsize();
        Ok(Array {
            usm: Usm::allocate(queue, kind, bytes)?,
            layout: like.layout.from_zero(),
            dtype,
            queue: queue.clone(),
            writable: true,
        })
    }

    /// Uninitialised elements whose axes lie in the given order.
    pub fn empty_in_order(
        shape: &[usize],
        order: &AxisOrder,
        dtype: DType,
        kind: UsmKind,
        queue: &Queue,
    ) -> Result<Array> {
        let mut array = Array::empty(shape, dtype, kind, queue)?;
        if order.is_some() {
            array.layout = Layout::in_order(shape, order, dtype.itemsize())?;
        }
        Ok(array)
    }

    /// Every element the same, given by its bytes.
    pub fn full(
        shape: &[usize],
        dtype: DType,
        kind: UsmKind,
        queue: &Queue,
        element: &[u8],
    ) -> Result<Array> {
        let array = Self::empty(shape, dtype, kind, queue)?;
        queue.fill(&array.usm, 0, element, array.size())?;
        Ok(array)
    }

    /// A layout over memory that somebody describes to us; refused if it leaves the memory.
    pub fn over(
        usm: Arc<Usm>,
        layout: Layout,
        dtype: DType,
        queue: &Queue,
        writable: bool,
    ) -> Result<Array> {
        let (low, high) = layout.span();
        let item = dtype.itemsize() as isize;
        if layout.size() > 0 && (low < 0 || high * item > usm.bytes() as isize) {
            return Err(Error::OutsideMemory {
                low: low * item,
                high: high * item,
                bytes: usm.bytes(),
            });
        }
        if !queue.can_access(&usm) {
            return Err(Error::NotAccessible {
                queue: queue.device().label(),
                memory: usm.device().label(),
            });
        }
        Ok(Array {
            usm,
            layout,
            dtype,
            queue: queue.clone(),
            writable,
        })
    }

    /// The memory.
    pub fn usm(&self) -> &Arc<Usm> {
        &self.usm
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The extents.
    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// Number of elements.
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// Where it lives.
    pub fn queue(&self) -> &Queue {
        &self.queue
    }

    /// The kind of its memory.
    pub fn kind(&self) -> UsmKind {
        self.usm.kind()
    }

    /// Whether it may be written to.
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// Bytes of its elements.
    pub fn nbytes(&self) -> usize {
        self.size() * self.dtype.itemsize()
    }

    /// Address of the first element.
    pub fn pointer(&self) -> *mut u8 {
        let bytes = self.layout.offset() * self.dtype.itemsize() as isize;
        // An empty array may have nothing to point at.
        self.usm.pointer().wrapping_offset(bytes)
    }

    /// The first byte of its elements in the allocation and the bytes they span.
    pub fn span_bytes(&self) -> (usize, usize) {
        let (low, high) = self.layout.span();
        let item = self.dtype.itemsize();
        (low as usize * item, (high - low) as usize * item)
    }

    /// Another layout over the same memory, which a view of this crate has made.
    pub(crate) fn with_layout(&self, layout: Layout) -> Array {
        // Not by way of a clone, which would copy the layout for nothing.
        Array {
            usm: self.usm.clone(),
            layout,
            dtype: self.dtype,
            queue: self.queue.clone(),
            writable: self.writable,
        }
    }

    /// The same memory as elements of another type.
    pub(crate) fn recast(&self, layout: Layout, dtype: DType) -> Array {
        Array {
            layout,
            dtype,
            ..self.clone()
        }
    }

    /// The same view, not to be written through.
    pub fn read_only(self) -> Array {
        self.with_writable(false)
    }

    /// The same view, to be written through or not.
    pub fn with_writable(mut self, writable: bool) -> Array {
        self.writable = writable;
        self
    }

    /// A view by basic indexing.
    pub fn index(&self, items: &[Item]) -> Result<Array> {
        Ok(self.with_layout(index::apply(&self.layout, items)?))
    }

    /// Axes reversed.
    pub fn transposed(&self) -> Array {
        self.with_layout(self.layout.transposed())
    }

    /// Repeated to a larger shape without a copy; read-only, since elements share memory.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Array> {
        let mut view = self.with_layout(self.layout.broadcast_to(shape)?);
        view.writable = false;
        Ok(view)
    }

    /// The same array on another queue that can access its memory (R2.4).
    pub fn on_queue(&self, queue: &Queue) -> Option<Array> {
        queue.can_access(&self.usm).then(|| Array {
            queue: queue.clone(),
            ..self.clone()
        })
    }

    /// Whether the elements of two arrays may share bytes.
    pub fn may_overlap(&self, other: &Array) -> bool {
        let range = |array: &Array| {
            let (first, bytes) = array.span_bytes();
            let start = array.usm.pointer() as usize + first;
            start..start + bytes
        };
        let (a, b) = (range(self), range(other));
        a.start < b.end && b.start < a.end
    }
}
