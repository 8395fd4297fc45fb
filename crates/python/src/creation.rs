//! `empty`, `zeros`, `ones`, `full`.

use crate::array::PyArray;
use crate::conversion::{allocated, usm_kind};
use crate::current::target_queue;
use crate::dtype::{dtype_from_numpy, dtype_from_object, dtype_to_numpy, unknown};
use crate::errors::{Class, error};
use colocate_array::Array;
use colocate_dtype::{DType, Dims};
use colocate_runtime::{Queue, UsmKind};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyTuple};

/// Extents from an integer or a sequence of them.
pub fn shape_from_object(object: &Bound<'_, PyAny>) -> PyResult<Dims> {
    let extent = |item: &Bound<'_, PyAny>| -> PyResult<usize> {
        item.extract::<usize>().map_err(|_| {
            error(
                Class::InvalidArgumentError,
                format!("{item} cannot be an extent of a shape: extents are integers from 0 on that fit in 64 bits"),
            )
        })
    };
    if object.is_instance_of::<PyInt>() {
        return Ok(smallvec::smallvec![extent(object)?]);
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return tuple.iter_borrowed().map(|item| extent(&item)).collect();
    }
    if let Ok(items) = object.try_iter() {
        return items.map(|item| extent(&item?)).collect();
    }
    Ok(smallvec::smallvec![extent(object)?])
}

/// Where and of what kind a new array is.
struct Target {
    dtype: DType,
    kind: UsmKind,
    queue: Queue,
}

impl Target {
    fn new(
        py: Python<'_>,
        dtype: Option<&Bound<'_, PyAny>>,
        device: Option<&Bound<'_, PyAny>>,
        queue: Option<&Bound<'_, PyAny>>,
        usm_type: Option<&str>,
    ) -> PyResult<Target> {
        Ok(Target {
            dtype: match dtype.filter(|dtype| !dtype.is_none()) {
                Some(dtype) => dtype_from_object(dtype)?,
                None => DType::Float64,
            },
            kind: usm_kind(usm_type)?.unwrap_or(UsmKind::Device),
            queue: target_queue(py, device, queue)?,
        })
    }

    fn filled(
        &self,
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<PyArray> {
        let shape = shape_from_object(shape)?;
        let numpy = py.import(pyo3::intern!(py, "numpy"))?;
        let element = numpy.call_method1("asarray", (value, dtype_to_numpy(py, self.dtype)?))?;
        let bytes = element.call_method0("tobytes")?;
        let bytes = bytes.cast::<PyBytes>()?.as_bytes();
        if element.cast::<PyUntypedArray>()?.ndim() != 0 {
            return Err(error(
                Class::InvalidArgumentError,
                "fill_value must be a scalar",
            ));
        }
        let array = allocated(py, &self.queue, || {
            Array::full(&shape, self.dtype, self.kind, &self.queue, bytes)
        })?;
        Ok(array.into())
    }
}

/// A new array whose elements are whatever was in its memory.
///
/// Parameters
/// ----------
/// shape : int or sequence of int
/// dtype : optional
///     Default: ``float64``.
/// device, queue : optional
///     Where to: a selector string, a :class:`Device` or a :class:`Queue`; default: the current
///     queue.
/// usm_type : {"device", "shared", "host"}
///     Default: ``"device"`` (R2.2).
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.empty((2, 3), dtype="complex64", usm_type="host").nbytes
/// 48
#[pyfunction]
#[pyo3(signature = (shape, dtype = None, *, device = None, queue = None, usm_type = None))]
fn empty(
    shape: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let py = shape.py();
    let target = Target::new(py, dtype, device, queue, usm_type)?;
    let shape = shape_from_object(shape)?;
    let array = allocated(py, &target.queue, || {
        Array::empty(&shape, target.dtype, target.kind, &target.queue)
    })?;
    Ok(array.into())
}

/// A new array of zeros; the arguments are those of :func:`empty`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.zeros(3))
/// array([0., 0., 0.])
#[pyfunction]
#[pyo3(signature = (shape, dtype = None, *, device = None, queue = None, usm_type = None))]
fn zeros(
    shape: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let py = shape.py();
    let target = Target::new(py, dtype, device, queue, usm_type)?;
    let shape = shape_from_object(shape)?;
    let element = [0u8; 16];
    let element = &element[..target.dtype.itemsize()];
    let array = allocated(py, &target.queue, || {
        Array::full(&shape, target.dtype, target.kind, &target.queue, element)
    })?;
    Ok(array.into())
}

/// A new array of ones; the arguments are those of :func:`empty`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.ones(3, dtype=bool))
/// array([ True,  True,  True])
#[pyfunction]
#[pyo3(signature = (shape, dtype = None, *, device = None, queue = None, usm_type = None))]
fn ones(
    shape: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let py = shape.py();
    let target = Target::new(py, dtype, device, queue, usm_type)?;
    target.filled(py, shape, 1u8.into_pyobject(py)?.as_any())
}

/// A new array whose elements all are ``fill_value``; its dtype is that of the value unless given.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.full((2, 2), 7))
/// array([[7, 7],
///        [7, 7]])
#[pyfunction]
#[pyo3(signature = (shape, fill_value, dtype = None, *, device = None, queue = None, usm_type = None))]
fn full(
    shape: &Bound<'_, PyAny>,
    fill_value: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let py = shape.py();
    let value = match fill_value.cast::<PyArray>() {
        Ok(array) => array.call_method0("item")?,
        Err(_) => fill_value.clone(),
    };
    let mut target = Target::new(py, dtype, device, queue, usm_type)?;
    if dtype.is_none_or(|dtype| dtype.is_none()) {
        let element = py.import("numpy")?.call_method1("asarray", (&value,))?;
        let descr = element.cast::<PyUntypedArray>()?.dtype();
        target.dtype =
            dtype_from_numpy(&descr).ok_or_else(|| unknown(&format!("{descr} (of fill_value)")))?;
    }
    target.filled(py, shape, &value)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(empty, module)?)?;
    module.add_function(wrap_pyfunction!(zeros, module)?)?;
    module.add_function(wrap_pyfunction!(ones, module)?)?;
    module.add_function(wrap_pyfunction!(full, module)?)
}
