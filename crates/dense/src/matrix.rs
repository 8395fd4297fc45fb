//! Matrices in memory that belongs to somebody else.

use faer::{MatMut, MatRef};

/// A matrix; strides are counted in elements and may be negative or zero.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<T> {
    /// The first element.
    pub pointer: *mut T,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// From one row to the next.
    pub row_stride: isize,
    /// From one column to the next.
    pub column_stride: isize,
}

// SAFETY: plain data; whoever dereferences the pointer vouches for the memory.
unsafe impl<T: Send> Send for Matrix<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Matrix<T> {}

impl<T: Copy> Matrix<T> {
    /// Row-major without gaps.
    pub fn row_major(pointer: *mut T, rows: usize, columns: usize) -> Matrix<T> {
        Matrix {
            pointer,
            rows,
            columns,
            row_stride: columns as isize,
            column_stride: 1,
        }
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Matrix<T> {
        Matrix {
            pointer: self.pointer,
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }

    /// Some neighbouring rows and columns.
    pub fn part(self, rows: std::ops::Range<usize>, columns: std::ops::Range<usize>) -> Matrix<T> {
        debug_assert!(rows.end <= self.rows && columns.end <= self.columns);
        Matrix {
            pointer: self.at(rows.start, columns.start),
            rows: rows.len(),
            columns: columns.len(),
            ..self
        }
    }

    /// Where an element lies.
    #[inline(always)]
    pub fn at(self, row: usize, column: usize) -> *mut T {
        let offset = row as isize * self.row_stride + column as isize * self.column_stride;
        self.pointer.wrapping_offset(offset)
    }

    /// # Safety
    /// The elements are valid for reads, and nobody writes to them, while the view lives.
    pub(crate) unsafe fn view<'a>(self) -> MatRef<'a, T> {
        let (rs, cs) = (self.row_stride, self.column_stride);
        // SAFETY: the caller's word.
        unsafe { MatRef::from_raw_parts(self.pointer, self.rows, self.columns, rs, cs) }
    }

    /// # Safety
    /// The elements are distinct, valid for writes, and nobody else uses them, while the view
    /// lives.
    pub(crate) unsafe fn view_mut<'a>(self) -> MatMut<'a, T> {
        let (rs, cs) = (self.row_stride, self.column_stride);
        // SAFETY: the caller's word.
        unsafe { MatMut::from_raw_parts_mut(self.pointer, self.rows, self.columns, rs, cs) }
    }

    /// Sets every element.
    ///
    /// # Safety
    /// The elements are valid for writes.
    pub(crate) unsafe fn fill(self, value: T) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                // SAFETY: an element; the caller's word.
                unsafe { self.at(row, column).write(value) };
            }
        }
    }

    /// Copies the elements of another matrix of the same extents, each through `map`. Goes by
    /// small squares, so that neither side is walked across its rows for long.
    ///
    /// # Safety
    /// Ours are valid for writes, theirs for reads, and the two do not overlap.
    pub(crate) unsafe fn assign<S: Copy>(self, from: Matrix<S>, map: impl Fn(S) -> T) {
        const SIDE: usize = 16;
        debug_assert!((self.rows, self.columns) == (from.rows, from.columns));
        if self.column_stride.unsigned_abs() > self.row_stride.unsigned_abs() && self.rows > 1 {
            // SAFETY: passed on.
            return unsafe { self.transposed().assign(from.transposed(), map) };
        }
        let same_direction = from.column_stride.unsigned_abs() <= from.row_stride.unsigned_abs();
        let (height, width) = match same_direction {
            true => (1, self.columns.max(1)),
            false => (SIDE, SIDE),
        };
        for top in (0..self.rows).step_by(height) {
            let bottom = (top + height).min(self.rows);
            for left in (0..self.columns).step_by(width) {
                let right = (left + width).min(self.columns);
                for row in top..bottom {
                    for column in left..right {
                        // SAFETY: elements of both; the caller's word.
                        unsafe { self.at(row, column).write(map(*from.at(row, column))) };
                    }
                }
            }
        }
    }
}
