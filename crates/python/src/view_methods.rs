//! The views of `colocate.Array` as methods and attributes: `x.reshape`, `x.mT`, `x.real`, …

use crate::array::PyArray;
use crate::conversion;
use crate::dtype::dtype_from_object;
use crate::errors::{Class, error};
use crate::views::{
    diagonal_view, flattened, matrix_transposed, order_argument, permutation_argument,
    reshape_argument, reshaped, squeezed, swapped,
};
use colocate_array::Array;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};

/// The arguments of `x.reshape(2, 3)` and `x.reshape((2, 3))` alike.
fn one_or_all<'py>(arguments: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    if arguments.len() == 1 {
        let only = arguments.get_item(0)?;
        if !only.is_instance_of::<PyInt>() {
            return Ok(only);
        }
    }
    Ok(arguments.clone().into_any())
}

#[pymethods]
impl PyArray {
    /// The last two axes exchanged, as a view.
    #[getter]
    #[pyo3(name = "mT")]
    fn matrix_transpose(&self, py: Python<'_>) -> PyResult<PyArray> {
        Ok(self.derive(py, matrix_transposed("x.mT", &self.inner)?))
    }

    /// The real parts, as a view; the array itself if it is not complex.
    #[getter]
    fn get_real(&self, py: Python<'_>) -> PyArray {
        self.derive(py, self.inner.real_part())
    }

    #[setter]
    fn set_real(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        conversion::assign(py, &self.inner.real_part(), value)
    }

    /// The imaginary parts, as a view; read-only zeros if the array is not complex.
    #[getter]
    fn get_imag(&self, py: Python<'_>) -> PyResult<PyArray> {
        let array = &self.inner;
        if let Some(part) = array.imaginary_part() {
            return Ok(self.derive(py, part));
        }
        let (dtype, queue) = (array.dtype(), array.queue());
        let zero = [0u8; 16];
        let zeros = conversion::allocated(py, queue, || {
            let element = &zero[..dtype.itemsize()];
            Array::full(array.shape(), dtype, array.kind(), queue, element)
        })?;
        Ok(self.derive(py, zeros.read_only()))
    }

    #[setter]
    fn set_imag(&self, py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match self.inner.imaginary_part() {
            Some(part) => conversion::assign(py, &part, value),
            None => Err(error(
                Class::DTypeError,
                format!(
                    "an array of dtype {} has no imaginary part to set",
                    self.inner.dtype()
                ),
            )),
        }
    }

    /// The elements with another shape: :func:`colocate.reshape` as a method. The extents may be
    /// given one by one.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.zeros(6).reshape(2, -1).shape
    /// (2, 3)
    #[pyo3(signature = (*shape, order = "C", copy = None))]
    fn reshape(
        &self,
        shape: &Bound<'_, PyTuple>,
        order: Option<&str>,
        copy: Option<bool>,
    ) -> PyResult<PyArray> {
        let py = shape.py();
        let order = order_argument("reshape", order, &self.inner)?;
        let shape = reshape_argument(&one_or_all(shape)?, self.inner.size())?;
        Ok(self.derive(py, reshaped(py, &self.inner, &shape, order, copy)?))
    }

    /// The axes in another order, or reversed: :func:`colocate.transpose` as a method. The axes may
    /// be given one by one.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.zeros((2, 3, 4)).transpose(1, 0, 2).shape
    /// (3, 2, 4)
    #[pyo3(signature = (*axes))]
    fn transpose(&self, py: Python<'_>, axes: &Bound<'_, PyTuple>) -> PyResult<PyArray> {
        let ndim = self.inner.layout().ndim();
        let axes = if axes.is_empty() {
            permutation_argument("transpose", None, ndim)?
        } else {
            permutation_argument("transpose", Some(&one_or_all(axes)?), ndim)?
        };
        Ok(self.derive(py, self.inner.permuted(&axes)))
    }

    /// Without axes of extent 1: :func:`colocate.squeeze` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.zeros((1, 3)).squeeze().shape
    /// (3,)
    #[pyo3(signature = (axis = None))]
    fn squeeze(&self, py: Python<'_>, axis: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
        Ok(self.derive(py, squeezed(&self.inner, axis)?))
    }

    /// Two axes exchanged: :func:`colocate.swapaxes` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.zeros((2, 3)).swapaxes(0, 1).shape
    /// (3, 2)
    #[pyo3(signature = (axis1, axis2))]
    fn swapaxes(&self, axis1: &Bound<'_, PyAny>, axis2: &Bound<'_, PyAny>) -> PyResult<PyArray> {
        Ok(self.derive(axis1.py(), swapped(&self.inner, axis1, axis2)?))
    }

    /// All elements along one axis: :func:`colocate.ravel` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.zeros((2, 3)).ravel().shape
    /// (6,)
    #[pyo3(signature = (order = "C"))]
    fn ravel(&self, py: Python<'_>, order: Option<&str>) -> PyResult<PyArray> {
        let flat = flattened(py, "ravel", &self.inner, order, None)?;
        Ok(self.derive(py, flat))
    }

    /// All elements along one axis, always a copy.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.zeros((2, 3))
    /// >>> x.flatten()[0] = 1
    /// >>> float(x[0, 0])
    /// 0.0
    #[pyo3(signature = (order = "C"))]
    fn flatten(&self, py: Python<'_>, order: Option<&str>) -> PyResult<PyArray> {
        let flat = flattened(py, "flatten", &self.inner, order, Some(true))?;
        Ok(self.derive(py, flat))
    }

    /// A diagonal as a read-only view: :func:`colocate.diagonal` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.asarray([[1, 2], [3, 4]]).diagonal(1).tolist()
    /// [2]
    #[pyo3(signature = (offset = 0, axis1 = None, axis2 = None))]
    fn diagonal(
        &self,
        py: Python<'_>,
        offset: isize,
        axis1: Option<&Bound<'_, PyAny>>,
        axis2: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyArray> {
        Ok(self.derive(py, diagonal_view(&self.inner, offset, axis1, axis2)?))
    }

    /// The same bytes read as another dtype; without one, a view of the same.
    ///
    /// If the dtypes differ in size, the last axis must be contiguous; its extent changes.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.ones(2, dtype="float32").view("int32").tolist()
    /// [1065353216, 1065353216]
    /// >>> cl.ones(2, dtype="complex64").view("float32").tolist()
    /// [1.0, 0.0, 1.0, 0.0]
    #[pyo3(signature = (dtype = None))]
    fn view(&self, py: Python<'_>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
        let Some(dtype) = dtype.filter(|dtype| !dtype.is_none()) else {
            return Ok(self.derive(py, self.inner.clone()));
        };
        let dtype = dtype_from_object(dtype)?;
        match self.inner.viewed_as(dtype) {
            Some(view) => Ok(self.derive(py, view)),
            None => Err(error(
                Class::InvalidArgumentError,
                format!(
                    "view: elements of dtype {} and shape {:?} do not divide into elements of dtype {dtype} \
                     in place; the last axis must be contiguous, and its bytes and where it begins \
                     a multiple of the new size",
                    self.inner.dtype(),
                    self.inner.shape()
                ),
            )),
        }
    }
}
