//! Matrices of a batch, one after the other.

use crate::Array;
use colocate_dense::Matrix;
use colocate_dtype::{Dims, Strides};

/// Where the matrices of a batch lie.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Address of the first element of the first matrix.
    pub address: usize,
    /// The batch's own extents.
    pub extents: Dims,
    /// In elements.
    pub strides: Strides,
    /// Rows and columns.
    pub matrix: (usize, usize),
    /// Their strides.
    pub matrix_strides: (isize, isize),
}

impl Batch {
    /// The matrices of an array with at least two axes.
    pub fn of(array: &Array) -> Batch {
        let rank = array.shape().len();
        let (shape, strides) = (array.shape(), array.layout().strides());
        Batch {
            address: array.pointer() as usize,
            extents: Dims::from_slice(&shape[..rank - 2]),
            strides: Strides::from_slice(&strides[..rank - 2]),
            matrix: (shape[rank - 2], shape[rank - 1]),
            matrix_strides: (strides[rank - 2], strides[rank - 1]),
        }
    }

    /// The rows of an array with at least one axis, each as a matrix of one column.
    pub fn of_columns(array: &Array) -> Batch {
        let rank = array.shape().len();
        let (shape, strides) = (array.shape(), array.layout().strides());
        Batch {
            address: array.pointer() as usize,
            extents: Dims::from_slice(&shape[..rank - 1]),
            strides: Strides::from_slice(&strides[..rank - 1]),
            matrix: (shape[rank - 1], 1),
            matrix_strides: (strides[rank - 1], 1),
        }
    }

    /// Row-major matrices in host memory.
    pub fn packed(address: usize, extents: &[usize], rows: usize, columns: usize) -> Batch {
        let mut strides: Strides = smallvec::smallvec![0; extents.len()];
        let mut step = (rows * columns) as isize;
        for (stride, &extent) in strides.iter_mut().zip(extents).rev() {
            *stride = step;
            step *= extent as isize;
        }
        Batch {
            address,
            extents: Dims::from_slice(extents),
            strides,
            matrix: (rows, columns),
            matrix_strides: (columns as isize, 1),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.extents.iter().product()
    }

    /// One of them, counted in row-major order.
    pub fn get<T: Copy>(&self, number: usize) -> Matrix<T> {
        let mut offset = 0;
        let mut rest = number;
        for (&extent, &stride) in self.extents.iter().zip(&self.strides).rev() {
            offset += (rest % extent) as isize * stride;
            rest /= extent;
        }
        Matrix {
            pointer: (self.address as *mut T).wrapping_offset(offset),
            rows: self.matrix.0,
            columns: self.matrix.1,
            row_stride: self.matrix_strides.0,
            column_stride: self.matrix_strides.1,
        }
    }
}
