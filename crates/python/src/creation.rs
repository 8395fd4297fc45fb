//! `empty`, `zeros`, `ones`, `full`, and the same like another array.

use crate::arguments::array_argument;
use crate::array::PyArray;
use crate::conversion::{self, allocated, queue_on, usm_kind};
use crate::current::{requested_queue, target_queue};
use crate::dtype::{dtype_from_numpy, dtype_from_object, dtype_to_numpy, unknown};
use crate::errors::{Class, error};
use crate::memory_order::{axis_order, in_order};
use colocate_array::Array;
use colocate_array::creation::Destination;
use colocate_dtype::{AxisOrder, DType, Dims, Kind};
use colocate_runtime::{Queue, UsmKind};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyTuple};

/// One extent of a shape.
pub fn extent_from_object(item: &Bound<'_, PyAny>) -> PyResult<usize> {
    item.extract::<usize>().map_err(|_| {
        let is_integer = item.hasattr("__index__").unwrap_or(false);
        let class = match is_integer {
            true => Class::InvalidArgumentError,
            false => Class::DTypeError,
        };
        let message = format!(
            "{item} cannot be an extent of a shape: extents are integers from 0 on that fit in 64 bits"
        );
        error(class, message)
    })
}

/// Extents from an integer or a sequence of them.
pub fn shape_from_object(object: &Bound<'_, PyAny>) -> PyResult<Dims> {
    let extent = extent_from_object;
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

/// The keywords that say where a new array goes.
#[derive(Clone, Copy)]
pub struct Place<'a, 'py> {
    pub device: Option<&'a Bound<'py, PyAny>>,
    pub queue: Option<&'a Bound<'py, PyAny>>,
    pub usm_type: Option<&'a str>,
}

impl Place<'_, '_> {
    /// Where an array goes that is made of nothing but numbers.
    pub fn destination(&self, py: Python<'_>, dtype: DType) -> PyResult<Destination> {
        Ok(Destination {
            dtype,
            kind: usm_kind(self.usm_type)?.unwrap_or(UsmKind::Device),
            queue: target_queue(py, self.device, self.queue)?,
        })
    }

    /// Where an array goes that is made from another one: to the same place, unless named.
    pub fn beside(&self, array: &Array, dtype: DType) -> PyResult<Destination> {
        Ok(Destination {
            dtype,
            kind: usm_kind(self.usm_type)?.unwrap_or(array.kind()),
            queue: self.queue_beside(array)?,
        })
    }

    fn queue_beside(&self, array: &Array) -> PyResult<Queue> {
        let device = self.device.filter(|device| !device.is_none());
        let queue = self.queue.filter(|queue| !queue.is_none());
        match (device, queue) {
            (Some(device), None) => queue_on(array, device),
            (device, queue) => {
                Ok(requested_queue(device, queue)?.unwrap_or_else(|| array.queue().clone()))
            }
        }
    }
}

fn dtype_argument(dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Option<DType>> {
    let given = dtype.filter(|dtype| !dtype.is_none());
    given.map(dtype_from_object).transpose()
}

/// The dtype given, or a default.
pub fn dtype_or(dtype: Option<&Bound<'_, PyAny>>, default: DType) -> PyResult<DType> {
    Ok(dtype_argument(dtype)?.unwrap_or(default))
}

/// The bytes of a one.
fn one(dtype: DType) -> ([u8; 16], usize) {
    let mut bytes = [0; 16];
    match dtype {
        DType::Float16 => bytes[..2].copy_from_slice(&0x3c00_u16.to_ne_bytes()),
        DType::Float32 | DType::Complex64 => bytes[..4].copy_from_slice(&1f32.to_ne_bytes()),
        DType::Float64 | DType::Complex128 => bytes[..8].copy_from_slice(&1f64.to_ne_bytes()),
        _ => {
            debug_assert!(matches!(dtype.kind(), Kind::Bool | Kind::Int | Kind::UInt));
            let size = dtype.itemsize();
            let whole = 1u64.to_le_bytes();
            bytes[..size].copy_from_slice(&whole[..size]);
            if cfg!(target_endian = "big") {
                bytes[..size].reverse();
            }
        }
    }
    (bytes, dtype.itemsize())
}

fn uninitialised(py: Python<'_>, shape: &[usize], to: &Destination) -> PyResult<Array> {
    allocated(py, &to.queue, || to.empty(shape))
}

fn repeated(py: Python<'_>, shape: &[usize], to: &Destination, element: &[u8]) -> PyResult<Array> {
    allocated(py, &to.queue, || {
        Array::full(shape, to.dtype, to.kind, &to.queue, element)
    })
}

fn zeroed(py: Python<'_>, shape: &[usize], to: &Destination) -> PyResult<Array> {
    repeated(py, shape, to, &[0u8; 16][..to.dtype.itemsize()])
}

fn of_ones(py: Python<'_>, shape: &[usize], to: &Destination) -> PyResult<Array> {
    let (bytes, size) = one(to.dtype);
    repeated(py, shape, to, &bytes[..size])
}

/// Every element the value, which is a scalar or is broadcast.
fn filled(
    shape: &[usize],
    order: &AxisOrder,
    to: &Destination,
    value: &Bound<'_, PyAny>,
) -> PyResult<Array> {
    let py = value.py();
    if value.is_instance_of::<PyArray>() {
        let array = in_order(shape, order, |shape| uninitialised(py, shape, to))?;
        conversion::assign(py, &array, value)?;
        return Ok(array);
    }
    let numpy = py.import(pyo3::intern!(py, "numpy"))?;
    let element = numpy.call_method1("asarray", (value, dtype_to_numpy(py, to.dtype)?))?;
    if element.cast::<PyUntypedArray>()?.ndim() != 0 {
        let array = in_order(shape, order, |shape| uninitialised(py, shape, to))?;
        let spread = numpy.call_method1("broadcast_to", (element, PyTuple::new(py, shape)?))?;
        conversion::fill_from_host(py, &array, spread.cast()?)?;
        return Ok(array);
    }
    let bytes = element.call_method0("tobytes")?;
    let bytes = bytes.cast::<PyBytes>()?.as_bytes();
    in_order(shape, order, |shape| repeated(py, shape, to, bytes))
}

/// The dtype that a value has by itself.
fn dtype_of_value(value: &Bound<'_, PyAny>) -> PyResult<DType> {
    if let Ok(array) = value.cast::<PyArray>() {
        return Ok(array.get().inner.dtype());
    }
    let element = value
        .py()
        .import("numpy")?
        .call_method1("asarray", (value,))?;
    let descr = element.cast::<PyUntypedArray>()?.dtype();
    dtype_from_numpy(&descr).ok_or_else(|| unknown(&format!("{descr} (of fill_value)")))
}

/// A new array whose elements are whatever was in its memory.
///
/// Parameters
/// ----------
/// shape : int or sequence of int
/// dtype : optional
///     Default: ``float64``.
/// order : {"C", "F", "A", "K"}
///     ``"F"`` for an array whose first axis varies fastest in memory.
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
/// >>> cl.empty((2, 3), order="F").strides
/// (8, 16)
#[pyfunction]
#[pyo3(signature = (shape, dtype = None, order = "C", *, device = None, queue = None, usm_type = None))]
fn empty(
    shape: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    order: Option<&str>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let to = place.destination(shape.py(), dtype_or(dtype, DType::Float64)?)?;
    let (py, shape) = (shape.py(), shape_from_object(shape)?);
    let order = axis_order("empty", order, &shape, None)?;
    Ok(in_order(&shape, &order, |shape| uninitialised(py, shape, &to))?.into())
}

/// A new array of zeros; the arguments are those of :func:`empty`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.zeros(3))
/// array([0., 0., 0.])
#[pyfunction]
#[pyo3(signature = (shape, dtype = None, order = "C", *, device = None, queue = None, usm_type = None))]
fn zeros(
    shape: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    order: Option<&str>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let to = place.destination(shape.py(), dtype_or(dtype, DType::Float64)?)?;
    let (py, shape) = (shape.py(), shape_from_object(shape)?);
    let order = axis_order("zeros", order, &shape, None)?;
    Ok(in_order(&shape, &order, |shape| zeroed(py, shape, &to))?.into())
}

/// A new array of ones; the arguments are those of :func:`empty`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.ones(3, dtype=bool))
/// array([ True,  True,  True])
#[pyfunction]
#[pyo3(signature = (shape, dtype = None, order = "C", *, device = None, queue = None, usm_type = None))]
fn ones(
    shape: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    order: Option<&str>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let to = place.destination(shape.py(), dtype_or(dtype, DType::Float64)?)?;
    let (py, shape) = (shape.py(), shape_from_object(shape)?);
    let order = axis_order("ones", order, &shape, None)?;
    Ok(in_order(&shape, &order, |shape| of_ones(py, shape, &to))?.into())
}

/// A new array whose elements all are ``fill_value``; its dtype is that of the value unless given.
///
/// An array as the value is broadcast, and the result is where that array is unless a place is
/// named. The other arguments are those of :func:`empty`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.full((2, 2), 7))
/// array([[7, 7],
///        [7, 7]])
#[pyfunction]
#[pyo3(signature = (shape, fill_value, dtype = None, order = "C", *, device = None, queue = None, usm_type = None))]
#[allow(clippy::too_many_arguments)]
fn full(
    shape: &Bound<'_, PyAny>,
    fill_value: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    order: Option<&str>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let py = shape.py();
    let dtype = match dtype_argument(dtype)? {
        Some(dtype) => dtype,
        None => dtype_of_value(fill_value)?,
    };
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let shape = shape_from_object(shape)?;
    let order = axis_order("full", order, &shape, None)?;
    let Ok(source) = fill_value.cast::<PyArray>() else {
        let to = place.destination(py, dtype)?;
        return Ok(filled(&shape, &order, &to, fill_value)?.into());
    };
    let source = source.get();
    let to = place.beside(&source.inner, dtype)?;
    let value = conversion::moved(py, &source.inner, &to.queue, None, None, None)?;
    let value = Bound::new(py, PyArray::from(value))?;
    Ok(source.derive(py, filled(&shape, &order, &to, value.as_any())?))
}

/// What a new array is to be that is like another one.
struct Alike<'a> {
    like: &'a PyArray,
    to: Destination,
    shape: Dims,
    order: AxisOrder,
}

/// The keywords that say what is not as it is in the other array.
struct Unlike<'a, 'py> {
    dtype: Option<&'a Bound<'py, PyAny>>,
    order: Option<&'a str>,
    shape: Option<&'a Bound<'py, PyAny>>,
    place: Place<'a, 'py>,
}

impl<'py> Unlike<'_, 'py> {
    fn read<'b>(
        &self,
        function: &str,
        (name, like): (&str, &'b Bound<'py, PyAny>),
    ) -> PyResult<Alike<'b>> {
        let like = array_argument(function, name, like)?.get();
        let array = &like.inner;
        let to = self
            .place
            .beside(array, dtype_or(self.dtype, array.dtype())?)?;
        let shape = match self.shape.filter(|shape| !shape.is_none()) {
            Some(shape) => shape_from_object(shape)?,
            None => array.shape().iter().copied().collect(),
        };
        let order = axis_order(function, self.order, &shape, Some(array))?;
        Ok(Alike {
            like,
            to,
            shape,
            order,
        })
    }
}

impl Alike<'_> {
    fn made(
        &self,
        py: Python<'_>,
        make: impl FnOnce(Python<'_>, &[usize], &Destination) -> PyResult<Array>,
    ) -> PyResult<PyArray> {
        let array = in_order(&self.shape, &self.order, |shape| make(py, shape, &self.to))?;
        Ok(self.like.derive(py, array))
    }
}

/// A new array like another: of its shape and dtype, and in its place, unless given.
///
/// The elements are whatever was in its memory.
///
/// Parameters
/// ----------
/// prototype : array
/// dtype, shape : optional
///     Default: those of ``prototype``.
/// order : {"K", "A", "C", "F"}
///     ``"A"`` and ``"K"`` for the order of ``prototype``.
/// subok
///     For NumPy's sake.
/// device, queue, usm_type : optional
///     Default: where ``prototype`` is.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.ones((2, 3), usm_type="shared")
/// >>> y = cl.empty_like(x, dtype="int8")
/// >>> y.shape, y.dtype, y.usm_type, y.queue == x.queue
/// ((2, 3), dtype('int8'), 'shared', True)
#[pyfunction]
#[pyo3(signature = (prototype, dtype = None, order = "K", subok = true, shape = None, *, device = None, queue = None, usm_type = None))]
#[allow(clippy::too_many_arguments)]
fn empty_like<'py>(
    prototype: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&str>,
    subok: bool,
    shape: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    // There are no subclasses that it could be of; NumPy's callers name it all the same.
    let _ = subok;
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let unlike = Unlike {
        dtype,
        order,
        shape,
        place,
    };
    unlike
        .read("empty_like", ("prototype", prototype))?
        .made(prototype.py(), uninitialised)
}

/// Zeros like another array; the arguments are those of :func:`empty_like`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.zeros_like(cl.ones(3)))
/// array([0., 0., 0.])
#[pyfunction]
#[pyo3(signature = (a, dtype = None, order = "K", subok = true, shape = None, *, device = None, queue = None, usm_type = None))]
#[allow(clippy::too_many_arguments)]
fn zeros_like<'py>(
    a: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&str>,
    subok: bool,
    shape: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    // There are no subclasses that it could be of; NumPy's callers name it all the same.
    let _ = subok;
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let unlike = Unlike {
        dtype,
        order,
        shape,
        place,
    };
    unlike.read("zeros_like", ("a", a))?.made(a.py(), zeroed)
}

/// Ones like another array; the arguments are those of :func:`empty_like`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.ones_like(cl.zeros(3, dtype="int64")))
/// array([1, 1, 1])
#[pyfunction]
#[pyo3(signature = (a, dtype = None, order = "K", subok = true, shape = None, *, device = None, queue = None, usm_type = None))]
#[allow(clippy::too_many_arguments)]
fn ones_like<'py>(
    a: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&str>,
    subok: bool,
    shape: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    // There are no subclasses that it could be of; NumPy's callers name it all the same.
    let _ = subok;
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let unlike = Unlike {
        dtype,
        order,
        shape,
        place,
    };
    unlike.read("ones_like", ("a", a))?.made(a.py(), of_ones)
}

/// An array like another whose elements all are ``fill_value``; the other arguments are those of
/// :func:`empty_like`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.full_like(cl.zeros(3), 2.5))
/// array([2.5, 2.5, 2.5])
#[pyfunction]
#[pyo3(signature = (a, fill_value, dtype = None, order = "K", subok = true, shape = None, *, device = None, queue = None, usm_type = None))]
#[allow(clippy::too_many_arguments)]
fn full_like<'py>(
    a: &Bound<'py, PyAny>,
    fill_value: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&str>,
    subok: bool,
    shape: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    // There are no subclasses that it could be of; NumPy's callers name it all the same.
    let _ = subok;
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let unlike = Unlike {
        dtype,
        order,
        shape,
        place,
    };
    let alike = unlike.read("full_like", ("a", a))?;
    let made = filled(&alike.shape, &alike.order, &alike.to, fill_value)?;
    Ok(alike.like.derive(a.py(), made))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(empty, module)?)?;
    module.add_function(wrap_pyfunction!(zeros, module)?)?;
    module.add_function(wrap_pyfunction!(ones, module)?)?;
    module.add_function(wrap_pyfunction!(full, module)?)?;
    module.add_function(wrap_pyfunction!(empty_like, module)?)?;
    module.add_function(wrap_pyfunction!(zeros_like, module)?)?;
    module.add_function(wrap_pyfunction!(ones_like, module)?)?;
    module.add_function(wrap_pyfunction!(full_like, module)?)
}
