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
use colocate_dtype::DType;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};

/// The arguments of `x.reshape(2, 3)` and `x.reshape((2, 3))` alike.
pub fn one_or_all<'py>(arguments: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
    if arguments.len() == 1 {
        let only = arguments.get_item(0)?;
        if !only.is_instance_of::<PyInt>() {
            return Ok(only);
        }
    }
    Ok(arguments.clone().into_any())
}

/// The same bytes as elements of another dtype.
pub fn viewed_as(array: &Array, dtype: DType) -> PyResult<Array> {
    array.viewed_as(dtype).ok_or_else(|| {
        error(
            Class::InvalidArgumentError,
            format!(
                "view: elements of dtype {} and shape {:?} do not divide into elements of dtype {dtype} \
                 in place; the last axis must be contiguous, and its bytes and where it begins \
                 a multiple of the new size",
                array.dtype(),
                array.shape()
            ),
        )
    })
}

#[pymethods]
impl PyArray {
    /// The last two axes exchanged, as a view.
    #[getter]
    #[pyo3(name = "mT")]
    fn matrix_transpose(slf: &Bound<'_, Self>) -> PyResult<PyArray> {
        Ok(PyArray::view_or_copy(
            slf,
            matrix_transposed("x.mT", &slf.get().inner)?,
        ))
    }

    /// The real parts, as a view; the array itself if it is not complex.
    #[getter]
    fn get_real(slf: &Bound<'_, Self>) -> PyArray {
        PyArray::view_or_copy(slf, slf.get().inner.real_part())
    }

    #[setter]
    fn set_real(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        conversion::assign(slf.py(), &slf.get().inner.real_part(), value)
    }

    /// The imaginary parts, as a view; read-only zeros if the array is not complex.
    #[getter]
    fn get_imag(slf: &Bound<'_, Self>) -> PyResult<PyArray> {
        let array = &*slf.get().inner;
        if let Some(part) = array.imaginary_part() {
            return Ok(PyArray::view_or_copy(slf, part));
        }
        let (dtype, queue) = (array.dtype(), array.queue());
        let zero = [0u8; 16];
        let zeros = conversion::allocated(slf.py(), queue, || {
            let element = &zero[..dtype.itemsize()];
            Array::full(array.shape(), dtype, array.kind(), queue, element)
        })?;
        Ok(PyArray::view_or_copy(slf, zeros.read_only()))
    }

    #[setter]
    fn set_imag(slf: &Bound<'_, Self>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match slf.get().inner.imaginary_part() {
            Some(part) => conversion::assign(slf.py(), &part, value),
            None => Err(error(
                Class::DTypeError,
                format!(
                    "an array of dtype {} has no imaginary part to set",
                    slf.get().inner.dtype()
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
        slf: &Bound<'_, Self>,
        shape: &Bound<'_, PyTuple>,
        order: Option<&str>,
        copy: Option<bool>,
    ) -> PyResult<PyArray> {
        let py = shape.py();
        let order = order_argument("reshape", order, &slf.get().inner)?;
        let shape = reshape_argument(&one_or_all(shape)?, slf.get().inner.size())?;
        Ok(PyArray::view_or_copy(
            slf,
            reshaped(py, &slf.get().inner, &shape, order, copy)?,
        ))
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
    fn transpose(slf: &Bound<'_, Self>, axes: &Bound<'_, PyTuple>) -> PyResult<PyArray> {
        let ndim = slf.get().inner.layout().ndim();
        let axes = if axes.is_empty() {
            permutation_argument("transpose", None, ndim)?
        } else {
            permutation_argument("transpose", Some(&one_or_all(axes)?), ndim)?
        };
        Ok(PyArray::view_or_copy(slf, slf.get().inner.permuted(&axes)))
    }

    /// Without axes of extent 1: :func:`colocate.squeeze` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.zeros((1, 3)).squeeze().shape
    /// (3,)
    #[pyo3(signature = (axis = None))]
    fn squeeze(slf: &Bound<'_, Self>, axis: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
        Ok(PyArray::view_or_copy(
            slf,
            squeezed(&slf.get().inner, axis)?,
        ))
    }

    /// Two axes exchanged: :func:`colocate.swapaxes` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.zeros((2, 3)).swapaxes(0, 1).shape
    /// (3, 2)
    #[pyo3(signature = (axis1, axis2))]
    fn swapaxes(
        slf: &Bound<'_, Self>,
        axis1: &Bound<'_, PyAny>,
        axis2: &Bound<'_, PyAny>,
    ) -> PyResult<PyArray> {
        Ok(PyArray::view_or_copy(
            slf,
            swapped(&slf.get().inner, axis1, axis2)?,
        ))
    }

    /// All elements along one axis: :func:`colocate.ravel` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.zeros((2, 3)).ravel().shape
    /// (6,)
    #[pyo3(signature = (order = "C"))]
    fn ravel(slf: &Bound<'_, Self>, order: Option<&str>) -> PyResult<PyArray> {
        let flat = flattened(slf.py(), "ravel", &slf.get().inner, order, false)?;
        Ok(PyArray::view_or_copy(slf, flat))
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
    fn flatten(slf: &Bound<'_, Self>, order: Option<&str>) -> PyResult<PyArray> {
        let flat = flattened(slf.py(), "flatten", &slf.get().inner, order, true)?;
        Ok(PyArray::view_or_copy(slf, flat))
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
        slf: &Bound<'_, Self>,
        offset: isize,
        axis1: Option<&Bound<'_, PyAny>>,
        axis2: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyArray> {
        Ok(PyArray::view_or_copy(
            slf,
            diagonal_view(&slf.get().inner, offset, axis1, axis2)?,
        ))
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
    fn view(slf: &Bound<'_, Self>, dtype: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
        let Some(dtype) = dtype.filter(|dtype| !dtype.is_none()) else {
            return Ok(PyArray::view_or_copy(slf, slf.get().inner.clone()));
        };
        let view = viewed_as(&slf.get().inner, dtype_from_object(dtype)?)?;
        Ok(PyArray::view_or_copy(slf, view))
    }
}
