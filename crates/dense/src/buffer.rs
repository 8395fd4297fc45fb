//! Memory for intermediate matrices. To have none left is an error here and not the process's end.

use crate::{Failure, Matrix, Result};
use faer::dyn_stack::{MemBuffer, StackReq};
use faer::{MatMut, MatRef};
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::ptr::NonNull;

const ALIGNMENT: usize = 128;

/// A column-major matrix of our own.
pub(crate) struct Buffer<T> {
    memory: NonNull<u8>,
    layout: Layout,
    rows: usize,
    columns: usize,
    stride: usize,
    elements: std::marker::PhantomData<T>,
}

// SAFETY: it owns its memory.
unsafe impl<T: Send> Send for Buffer<T> {}
// SAFETY: shared access only reads.
unsafe impl<T: Sync> Sync for Buffer<T> {}

impl<T: Copy> Buffer<T> {
    /// All bytes zero, which is a zero of every element type here.
    pub fn zeros(rows: usize, columns: usize) -> Result<Buffer<T>> {
        Self::allocate(rows, columns, true)
    }

    fn allocate(rows: usize, columns: usize, zeroed: bool) -> Result<Buffer<T>> {
        let stride = padded(rows, size_of::<T>());
        let bytes = stride
            .checked_mul(columns)
            .and_then(|elements| elements.checked_mul(size_of::<T>()))
            .ok_or(Failure::OutOfMemory)?
            .max(1);
        let layout = Layout::from_size_align(bytes, ALIGNMENT).map_err(|_| Failure::OutOfMemory)?;
        let make = if zeroed { alloc_zeroed } else { alloc };
        // SAFETY: the size is not zero.
        let memory = NonNull::new(unsafe { make(layout) }).ok_or(Failure::OutOfMemory)?;
        Ok(Buffer {
            memory,
            layout,
            rows,
            columns,
            stride,
            elements: std::marker::PhantomData,
        })
    }

    /// A copy.
    ///
    /// # Safety
    /// The elements are valid for reads.
    pub unsafe fn copy_of(from: Matrix<T>) -> Result<Buffer<T>> {
        let buffer = Self::allocate(from.rows, from.columns, false)?;
        // SAFETY: the caller's word; the buffer is ours and new, and every element is set.
        unsafe { buffer.matrix().assign(from, |element| element) };
        Ok(buffer)
    }

    /// As a matrix, for those who vouch for what they do with it.
    pub fn matrix(&self) -> Matrix<T> {
        Matrix {
            pointer: self.memory.as_ptr().cast(),
            rows: self.rows,
            columns: self.columns,
            row_stride: 1,
            column_stride: self.stride as isize,
        }
    }

    pub fn view(&self) -> MatRef<'_, T> {
        // SAFETY: our own elements, borrowed.
        unsafe { self.matrix().view() }
    }

    pub fn view_mut(&mut self) -> MatMut<'_, T> {
        // SAFETY: our own elements, borrowed mutably.
        unsafe { self.matrix().view_mut() }
    }

    /// Writes the elements to another matrix of the same extents.
    ///
    /// # Safety
    /// Its elements are valid for writes.
    pub unsafe fn write_to(&self, to: Matrix<T>) {
        // SAFETY: the caller's word; our memory is nobody else's.
        unsafe { to.assign(self.matrix(), |element| element) };
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.memory.as_ptr(), self.layout) };
    }
}

/// The distance of two columns: aligned, and no multiple of a page, since then the elements of
/// a row would compete for the same few lines of the cache.
fn padded(rows: usize, item: usize) -> usize {
    let line = 64 / item;
    let stride = rows.next_multiple_of(line);
    if rows > line && (stride * item).is_multiple_of(1024) {
        stride + line
    } else {
        stride
    }
}

/// Working memory for faer.
pub(crate) fn stack(needed: StackReq) -> Result<MemBuffer> {
    MemBuffer::try_new(needed).map_err(|_| Failure::OutOfMemory)
}
