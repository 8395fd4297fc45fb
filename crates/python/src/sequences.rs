//! `arange`, `linspace`, `eye`, `identity`, `tri`: elements that follow from their position.

use crate::array::PyArray;
use crate::conversion::allocated;
use crate::creation::{Place, dtype_or, extent_from_object};
use crate::dtype::dtype_from_numpy;
use crate::errors::{Class, error};
use crate::memory_order::axis_order;
use colocate_array::Array;
use colocate_array::creation::{self, Destination, LinearSpace};
use colocate_dtype::{DType, Kind, promote_types};
use colocate_ir::{CompareOp, Literal};
use colocate_kernels::fill::sequence_dtype;
use numpy::PyArrayDescr;
use pyo3::exceptions::{PyOverflowError, PyZeroDivisionError};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyInt, PyTuple};

/// A number as it was given.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

impl Number {
    /// From a Python or NumPy scalar or a 0-d array; `None` for anything else.
    fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Number>> {
        let py = object.py();
        if object.is_instance_of::<PyInt>() {
            return Ok(Some(match object.extract::<i128>() {
                Ok(integer) => Number::Int(integer),
                Err(_) => Number::Float(object.extract::<f64>()?),
            }));
        }
        if object.is_instance_of::<PyFloat>() {
            return Ok(Some(Number::Float(object.extract::<f64>()?)));
        }
        if let Ok(number) = object.cast::<PyComplex>() {
            use pyo3::types::PyComplexMethods;
            return Ok(Some(Number::Complex(number.real(), number.imag())));
        }
        let scalar = object
            .getattr(pyo3::intern!(py, "ndim"))
            .is_ok_and(|ndim| ndim.eq(0).unwrap_or(false));
        if scalar {
            let item = object.call_method0(pyo3::intern!(py, "item"))?;
            return Number::from_object(&item);
        }
        if let Ok(integer) = object.call_method0(pyo3::intern!(py, "__index__")) {
            return Number::from_object(&integer);
        }
        if object.hasattr(pyo3::intern!(py, "__float__"))? && !object.hasattr("shape")? {
            return Ok(Some(Number::Float(object.extract::<f64>()?)));
        }
        Ok(None)
    }

    fn float(self) -> f64 {
        match self {
            Number::Int(integer) => integer as f64,
            Number::Float(float) | Number::Complex(float, _) => float,
        }
    }

    fn pair(self) -> (f64, f64) {
        match self {
            Number::Complex(re, im) => (re, im),
            real => (real.float(), 0.0),
        }
    }

    fn add(self, other: Number) -> Number {
        match (self, other) {
            (Number::Int(a), Number::Int(b)) => Number::Int(a.saturating_add(b)),
            _ => Number::Float(self.float() + other.float()),
        }
    }

    /// As an element of an integer or float dtype.
    fn literal(self, dtype: DType) -> PyResult<Literal> {
        if dtype.kind() == Kind::Float {
            return Ok(Literal::Float(dtype, self.float()));
        }
        let whole = match self {
            Number::Int(integer) => Some(integer),
            _ => Some(self.float().trunc())
                .filter(|float| float.abs() < 2f64.powi(100))
                .map(|float| float as i128),
        };
        let literal = whole.map(|integer| Literal::Int(dtype, integer));
        literal.filter(|literal| literal.is_valid()).ok_or_else(|| {
            PyOverflowError::new_err(format!(
                "arange: {} is out of bounds for {dtype}",
                match self {
                    Number::Int(integer) => integer.to_string(),
                    other => other.float().to_string(),
                }
            ))
        })
    }
}

/// How many numbers there are from `start` to below `stop`.
fn length(start: Number, stop: Number, step: Number) -> PyResult<usize> {
    let too_many = || {
        error(
            Class::InvalidArgumentError,
            "arange: so many numbers fit in no array",
        )
    };
    if step.float() == 0.0 {
        return Err(PyZeroDivisionError::new_err("arange: the step is zero"));
    }
    if let (Number::Int(start), Number::Int(stop), Number::Int(step)) = (start, stop, step) {
        let distance = stop.saturating_sub(start);
        if distance == 0 || (distance > 0) != (step > 0) {
            return Ok(0);
        }
        let whole = distance / step + i128::from(distance % step != 0);
        return isize::try_from(whole)
            .map(|length| length as usize)
            .map_err(|_| too_many());
    }
    let distance = stop.float() - start.float();
    let count = distance / step.float();
    if count.is_nan() {
        return Err(error(
            Class::InvalidArgumentError,
            "arange: the length cannot be computed of numbers that are NaN or infinite",
        ));
    }
    if count == 0.0 && distance != 0.0 {
        // Less than one step, but not nothing.
        return Ok(usize::from(count.is_sign_positive()));
    }
    if count >= isize::MAX as f64 {
        return Err(too_many());
    }
    Ok(count.ceil().max(0.0) as usize)
}

/// Where the array goes: a 0-d array among the numbers decides if nobody names a place.
fn destination<'a, 'py>(
    py: Python<'py>,
    numbers: &[Option<&'a Bound<'py, PyAny>>],
    dtype: DType,
    place: Place<'_, 'py>,
) -> PyResult<(Destination, Option<&'a PyArray>)> {
    let array = numbers.iter().flatten();
    match array
        .filter_map(|object| object.cast::<PyArray>().ok())
        .next()
    {
        Some(array) => {
            let array = array.get();
            Ok((place.beside(&array.inner, dtype)?, Some(array)))
        }
        None => Ok((place.destination(py, dtype)?, None)),
    }
}

/// A result, in the namespace of the array it follows.
fn result(py: Python<'_>, follows: Option<&PyArray>, array: Array) -> PyArray {
    match follows {
        Some(follows) => follows.derive(py, array),
        None => array.into(),
    }
}

fn no_number(function: &str, name: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let kind = object.get_type();
    error(
        Class::DTypeError,
        format!("{function}: {name} is a number or a 0-d array, not a {kind}"),
    )
}

/// Numbers from ``start`` to below ``stop``, ``step`` apart.
///
/// Parameters
/// ----------
/// start, stop, step : number or 0-d array
///     With one number, that is the stop, and the start is 0.
/// dtype : optional
///     Default: ``int64`` if all numbers are integers, else ``float64``.
/// device, queue, usm_type : optional
///     As for :func:`empty`; a 0-d array among the numbers decides if none is given.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.arange(4))
/// array([0, 1, 2, 3])
/// >>> cl.asnumpy(cl.arange(1, 2, 0.25))
/// array([1.  , 1.25, 1.5 , 1.75])
#[pyfunction]
#[pyo3(signature = (start = None, stop = None, step = None, dtype = None, *, device = None, queue = None, usm_type = None))]
#[allow(clippy::too_many_arguments)]
fn arange<'py>(
    py: Python<'py>,
    start: Option<&Bound<'py, PyAny>>,
    stop: Option<&Bound<'py, PyAny>>,
    step: Option<&Bound<'py, PyAny>>,
    dtype: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let start = start.filter(|start| !start.is_none());
    let number = |name: &str, object: &Bound<'py, PyAny>| {
        Number::from_object(object)?.ok_or_else(|| no_number("arange", name, object))
    };
    let given = |object: Option<&Bound<'py, PyAny>>| object.is_some_and(|object| !object.is_none());
    let (first, end) = match stop.filter(|stop| !stop.is_none()) {
        Some(stop) => match start {
            Some(start) => (number("start", start)?, number("stop", stop)?),
            None => (Number::Int(0), number("stop", stop)?),
        },
        None => match start {
            Some(stop) => (Number::Int(0), number("stop", stop)?),
            None => {
                return Err(error(Class::DTypeError, "arange: there must be a stop"));
            }
        },
    };
    let distance = match step.filter(|step| !step.is_none()) {
        Some(step) => number("step", step)?,
        None => Number::Int(1),
    };
    let numbers = [first, end, distance];
    let fits = |number: &Number| matches!(number, Number::Int(i) if i64::try_from(*i).is_ok());
    let complex = |number: &Number| matches!(number, Number::Complex(..));
    let inferred = if numbers.iter().any(complex) {
        DType::Complex128
    } else if numbers.iter().all(fits) {
        DType::Int64
    } else {
        DType::Float64
    };
    let dtype = dtype_or(dtype, inferred)?;
    let (to, follows) = destination(py, &[start, stop, step], dtype, place)?;
    if matches!(dtype.kind(), Kind::Bool | Kind::Complex) || numbers.iter().any(complex) {
        // Rare and, of bools, never longer than two: NumPy's rules, then a copy.
        let arguments = if given(stop) {
            vec![first, end, distance]
        } else {
            vec![Number::Int(0), end, distance]
        };
        let objects = arguments.into_iter().map(|number| match number {
            Number::Int(integer) => Ok(integer.into_pyobject(py)?.into_any()),
            Number::Float(float) => Ok(float.into_pyobject(py)?.into_any()),
            Number::Complex(re, im) => Ok(PyComplex::from_doubles(py, re, im).into_any()),
        });
        let objects = objects.collect::<PyResult<Vec<_>>>()?;
        let keywords = pyo3::types::PyDict::new(py);
        keywords.set_item("dtype", crate::dtype::dtype_to_numpy(py, dtype)?)?;
        let numpy = py.import("numpy")?.getattr("arange")?;
        let data = numpy.call(PyTuple::new(py, objects)?, Some(&keywords))?;
        let length = data.len()?;
        let array = allocated(py, &to.queue, || to.empty(&[length]))?;
        crate::conversion::fill_from_host(py, &array, data.cast()?)?;
        return Ok(result(py, follows, array));
    }
    let length = length(first, end, distance)?;
    let computed = sequence_dtype(dtype);
    let zero = Literal::zero(computed);
    let numbers = match length {
        0 => [zero; 3],
        1 => [first.literal(computed)?, zero, zero],
        _ => {
            let start = first.literal(computed)?;
            let second = first.add(distance).literal(computed)?;
            [start, second, difference(second, start)]
        }
    };
    let array = allocated(py, &to.queue, || creation::sequence(&to, length, numbers))?;
    Ok(result(py, follows, array))
}

/// The step between two elements, in their own arithmetic.
fn difference(second: Literal, first: Literal) -> Literal {
    match (second, first) {
        (Literal::Int(dtype, second), Literal::Int(_, first)) => {
            let bits = 8 * dtype.itemsize() as u32;
            let wrapped = (second - first) & ((1i128 << bits) - 1);
            let negative = dtype.kind() == Kind::Int && wrapped >> (bits - 1) != 0;
            Literal::Int(
                dtype,
                if negative {
                    wrapped - (1i128 << bits)
                } else {
                    wrapped
                },
            )
        }
        (Literal::Float(DType::Float32, second), Literal::Float(_, first)) => {
            Literal::Float(DType::Float32, f64::from(second as f32 - first as f32))
        }
        (Literal::Float(dtype, second), Literal::Float(_, first)) => {
            Literal::Float(dtype, second - first)
        }
        _ => unreachable!("sequences are of integers and floats"),
    }
}

/// The dtype that a number has if it is none of Python's.
fn own_dtype(number: &Bound<'_, PyAny>) -> PyResult<Option<DType>> {
    if let Ok(array) = number.cast::<PyArray>() {
        return Ok(Some(array.get().inner.dtype()));
    }
    match number.getattr_opt(pyo3::intern!(number.py(), "dtype"))? {
        Some(descr) => Ok(descr.cast::<PyArrayDescr>().ok().and_then(dtype_from_numpy)),
        None => Ok(None),
    }
}

/// The dtype of numbers between two ends: Python's numbers do not make it wider.
fn spaced_dtype(
    start: &Bound<'_, PyAny>,
    stop: &Bound<'_, PyAny>,
    complex: bool,
) -> PyResult<DType> {
    let own = match (own_dtype(start)?, own_dtype(stop)?) {
        (Some(start), Some(stop)) => Some(promote_types(start, stop)),
        (start, stop) => start.or(stop),
    };
    let parts = own.filter(|own| matches!(own.kind(), Kind::Float | Kind::Complex));
    Ok(match (parts.unwrap_or(DType::Float64), complex) {
        (DType::Float64, true) => DType::Complex128,
        (DType::Float16 | DType::Float32, true) => DType::Complex64,
        (parts, _) => parts,
    })
}

/// Evenly spaced numbers between two ends.
///
/// Parameters
/// ----------
/// start, stop : number or array
///     Arrays are broadcast, and the numbers between them lie along ``axis``.
/// num : int
///     How many.
/// endpoint : bool
///     Whether ``stop`` is the last of them.
/// retstep : bool
///     Whether the distance is returned, too.
/// dtype : optional
///     Default: ``float64``, or ``complex128`` if an end is complex; the dtype of ends that have one of floats.
///     Integers are rounded down.
/// axis : int
///     Where the new axis goes if an end is an array.
/// device, queue, usm_type : optional
///     As for :func:`empty`; an array among the ends decides if none is given.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.linspace(0, 1, 5))
/// array([0.  , 0.25, 0.5 , 0.75, 1.  ])
/// >>> x, step = cl.linspace(0, 1, 4, endpoint=False, retstep=True)
/// >>> step
/// 0.25
#[pyfunction]
#[pyo3(signature = (start, stop, num = None, endpoint = true, retstep = false, dtype = None, axis = 0, *, device = None, queue = None, usm_type = None))]
#[allow(clippy::too_many_arguments)]
fn linspace<'py>(
    start: &Bound<'py, PyAny>,
    stop: &Bound<'py, PyAny>,
    num: Option<&Bound<'py, PyAny>>,
    endpoint: bool,
    retstep: bool,
    dtype: Option<&Bound<'py, PyAny>>,
    axis: isize,
    device: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<Py<PyAny>> {
    let py = start.py();
    let count = match num {
        Some(num) => num.call_method0("__index__")?.extract::<isize>()?,
        None => 50,
    };
    let Ok(count) = usize::try_from(count) else {
        return Err(error(
            Class::InvalidArgumentError,
            format!("linspace: num={count} must not be negative"),
        ));
    };
    let (Some(first), Some(end)) = (Number::from_object(start)?, Number::from_object(stop)?) else {
        let between = py.import("colocate._ranges")?.getattr("between_arrays")?;
        let keywords = pyo3::types::PyDict::new(py);
        keywords.set_item("device", device)?;
        keywords.set_item("queue", queue)?;
        keywords.set_item("usm_type", usm_type)?;
        let arguments = (start, stop, count, endpoint, retstep, dtype, axis);
        return Ok(between.call(arguments, Some(&keywords))?.unbind());
    };
    let complex = [first, end]
        .iter()
        .any(|number| matches!(number, Number::Complex(..)));
    let dtype = dtype_or(dtype, spaced_dtype(start, stop, complex)?)?;
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let (to, follows) = destination(py, &[Some(start), Some(stop)], dtype, place)?;
    let divisions = if endpoint {
        count.saturating_sub(1)
    } else {
        count
    };
    let (low, high) = (first.pair(), end.pair());
    let delta = (high.0 - low.0, high.1 - low.1);
    let parts = divisions as f64;
    let mut step = (delta.0 / parts, delta.1 / parts);
    let mut space = LinearSpace {
        start: low,
        step,
        stop: (endpoint && count > 1).then_some((high, count.saturating_sub(1))),
        divisor: None,
        complex,
    };
    if divisions == 0 {
        step = (f64::NAN, 0.0);
        space.step = delta;
    } else if step == (0.0, 0.0) {
        space.step = delta;
        space.divisor = Some(parts);
    }
    let array = allocated(py, &to.queue, || creation::linear_space(&to, count, &space))?;
    let array = Bound::new(py, result(py, follows, array))?.into_any();
    if !retstep {
        return Ok(array.unbind());
    }
    let step = if complex && divisions > 0 {
        PyComplex::from_doubles(py, step.0, step.1).into_any()
    } else {
        PyFloat::new(py, step.0).into_any()
    };
    Ok((array, step).into_pyobject(py)?.into_any().unbind())
}

#[allow(clippy::too_many_arguments)]
fn banded(
    py: Python<'_>,
    rows: usize,
    columns: Option<usize>,
    offset: i64,
    compare: CompareOp,
    dtype: Option<&Bound<'_, PyAny>>,
    place: Place<'_, '_>,
) -> PyResult<PyArray> {
    let to = place.destination(py, dtype_or(dtype, DType::Float64)?)?;
    let columns = columns.unwrap_or(rows);
    let array = allocated(py, &to.queue, || {
        creation::band(&to, rows, columns, compare, offset)
    })?;
    Ok(array.into())
}

/// Rows and columns; as many of these as of those unless given.
fn matrix_extents(
    rows: &Bound<'_, PyAny>,
    columns: Option<&Bound<'_, PyAny>>,
) -> PyResult<(usize, usize)> {
    let columns = columns.filter(|columns| !columns.is_none());
    Ok((
        extent_from_object(rows)?,
        extent_from_object(columns.unwrap_or(rows))?,
    ))
}

/// The number of a diagonal; one beyond all integers is beyond all matrices, too.
fn diagonal_number(k: &Bound<'_, PyAny>) -> PyResult<i64> {
    let k = k.call_method0(pyo3::intern!(k.py(), "__index__"))?;
    match k.extract::<i64>() {
        Ok(k) => Ok(k),
        Err(_) if k.lt(0)? => Ok(i64::MIN),
        Err(_) => Ok(i64::MAX),
    }
}

/// A matrix with ones on a diagonal and zeros elsewhere.
///
/// Parameters
/// ----------
/// N, M : int
///     Rows and columns; ``M`` is ``N`` unless given.
/// k : int
///     Which diagonal: 0 the main one, positive ones above it.
/// dtype, order, device, queue, usm_type : optional
///     As for :func:`empty`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.eye(2, 3, k=1))
/// array([[0., 1., 0.],
///        [0., 0., 1.]])
#[pyfunction]
#[pyo3(signature = (N, M = None, k = None, dtype = None, order = "C", *, device = None, queue = None, usm_type = None))]
#[allow(non_snake_case, clippy::too_many_arguments)]
fn eye<'py>(
    py: Python<'py>,
    N: &Bound<'py, PyAny>,
    M: Option<&Bound<'py, PyAny>>,
    k: Option<&Bound<'py, PyAny>>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&str>,
    device: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let k = k.map_or(Ok(0), diagonal_number)?;
    let (rows, columns) = matrix_extents(N, M)?;
    let equal = CompareOp::Equal;
    if axis_order("eye", order, &[rows, columns], None)?.is_none() {
        return banded(py, rows, Some(columns), k, equal, dtype, place);
    }
    let turned = banded(
        py,
        columns,
        Some(rows),
        k.saturating_neg(),
        equal,
        dtype,
        place,
    )?;
    Ok(turned.inner.transposed().into())
}

/// The identity matrix of ``n`` rows; the other arguments are those of :func:`empty`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.identity(2, dtype="int8"))
/// array([[1, 0],
///        [0, 1]], dtype=int8)
#[pyfunction]
#[pyo3(signature = (n, dtype = None, *, device = None, queue = None, usm_type = None))]
fn identity<'py>(
    py: Python<'py>,
    n: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let rows = extent_from_object(n)?;
    banded(py, rows, None, 0, CompareOp::Equal, dtype, place)
}

/// A matrix with ones on and below a diagonal and zeros above it.
///
/// Parameters
/// ----------
/// N, M : int
///     Rows and columns; as many columns as rows unless given.
/// k : int
///     Which diagonal: 0 the main one, positive ones above it.
/// dtype, device, queue, usm_type : optional
///     As for :func:`empty`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.asnumpy(cl.tri(2, 3, 1, dtype="int64"))
/// array([[1, 1, 0],
///        [1, 1, 1]])
#[pyfunction]
#[pyo3(signature = (N, M = None, k = None, dtype = None, *, device = None, queue = None, usm_type = None))]
#[allow(non_snake_case, clippy::too_many_arguments)]
fn tri<'py>(
    py: Python<'py>,
    N: &Bound<'py, PyAny>,
    M: Option<&Bound<'py, PyAny>>,
    k: Option<&Bound<'py, PyAny>>,
    dtype: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    queue: Option<&Bound<'py, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    let place = Place {
        device,
        queue,
        usm_type,
    };
    let k = k.map_or(Ok(0), diagonal_number)?;
    let (rows, columns) = matrix_extents(N, M)?;
    let below = CompareOp::LessEqual;
    banded(py, rows, Some(columns), k, below, dtype, place)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(arange, module)?)?;
    module.add_function(wrap_pyfunction!(linspace, module)?)?;
    module.add_function(wrap_pyfunction!(eye, module)?)?;
    module.add_function(wrap_pyfunction!(identity, module)?)?;
    module.add_function(wrap_pyfunction!(tri, module)?)
}
