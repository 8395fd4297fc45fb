//! Streams of random bits for `colocate.random`, which has the names and checks the parameters.

use crate::arguments::{array_argument, common_queue, result_kind};
use crate::array::PyArray;
use crate::conversion::{allocated, without_gil};
use crate::creation::shape_from_object;
use crate::current::target_queue;
use crate::dtype::dtype_from_object;
use crate::errors::{Class, error};
use crate::queue::PyQueue;
use colocate_array::Array;
use colocate_array::random::{self, Parameter, Start, Stream};
use colocate_dtype::{DType, Kind};
use colocate_ir::Literal;
use colocate_kernels::random::Distribution;
use colocate_runtime::{Queue, UsmKind};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::{Mutex, MutexGuard};

/// A stream of random bits: a key of two 32-bit words, and the next of 2^96 positions.
#[pyclass(frozen, name = "_RandomStream", module = "colocate._native")]
pub struct PyRandomStream {
    stream: Mutex<Stream>,
}

impl PyRandomStream {
    fn stream(&self) -> MutexGuard<'_, Stream> {
        // Nobody panics while holding it; and if, a stream is a stream at any position.
        self.stream.lock().unwrap_or_else(|held| held.into_inner())
    }

    /// Takes positions for a draw. The lock is not held during it, since it may let go of Python's.
    fn take(&self, positions: u64) -> Start {
        self.stream().take(positions)
    }
}

fn scalar(object: &Bound<'_, PyAny>, dtype: DType) -> PyResult<Literal> {
    if dtype.kind() == Kind::Float {
        let number = object.extract::<f64>()?;
        let number = if dtype == DType::Float32 {
            f64::from(number as f32)
        } else {
            number
        };
        return Ok(Literal::Float(dtype, number));
    }
    Ok(Literal::Int(dtype, object.extract::<u64>()?.into()))
}

#[pymethods]
impl PyRandomStream {
    #[new]
    fn new(key: [u32; 2], position: u128) -> PyRandomStream {
        PyRandomStream {
            stream: Mutex::new(Stream::new(key, position)),
        }
    }

    #[getter]
    fn key(&self) -> [u32; 2] {
        self.stream().key()
    }

    #[getter]
    fn position(&self) -> u128 {
        self.stream().position()
    }

    fn set(&self, key: [u32; 2], position: u128) {
        *self.stream() = Stream::new(key, position);
    }

    fn advance(&self, positions: u128) {
        self.stream().advance(positions);
    }

    /// Draws from a distribution; parameters are scalars or arrays. Into `out`, or into a new array of a
    /// shape and dtype on a queue.
    #[pyo3(signature = (function, distribution, parameters, shape, dtype, queue, out = None))]
    #[allow(clippy::too_many_arguments)] // One call from Python a draw: a structure would cost another.
    fn fill<'py>(
        &self,
        py: Python<'py>,
        function: &str,
        distribution: &str,
        parameters: &Bound<'py, PyTuple>,
        shape: &Bound<'py, PyAny>,
        dtype: &Bound<'py, PyAny>,
        queue: &Bound<'py, PyQueue>,
        out: Option<&Bound<'py, PyArray>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let distribution = Distribution::from_name(distribution).ok_or_else(|| {
            error(
                Class::InternalError,
                format!("there is no distribution {distribution}"),
            )
        })?;
        let dtype = dtype_from_object(dtype)?;
        if !distribution.makes(dtype) {
            return Err(error(
                Class::DTypeError,
                format!("{function}: dtype {dtype} is not supported"),
            ));
        }
        let wanted = distribution.parameter_dtype(dtype);
        let arrays: Vec<Option<Bound<'py, PyArray>>> = parameters
            .iter()
            .map(|object| object.cast_into::<PyArray>().ok())
            .collect();
        let names = distribution.parameters();
        let mut placed: Vec<(&str, &Array)> = Vec::new();
        for (name, array) in names.iter().zip(&arrays) {
            placed.extend(array.as_ref().map(|array| (*name, &*array.get().inner)));
        }
        let kind = match placed.is_empty() {
            true => UsmKind::Device,
            false => result_kind(placed.iter().map(|(_, array)| *array)),
        };
        let own = &queue.get().inner;
        let first = arrays.iter().flatten().next();
        placed.extend(out.map(|out| ("out", &*out.get().inner)));
        common_queue(function, &placed)?;
        if let Some((name, array)) = placed.first()
            && !own.equivalent(array.queue())
        {
            return Err(elsewhere(function, own, name, array));
        }
        let result = match out {
            Some(out) if out.get().inner.dtype() == dtype => out.clone(),
            Some(out) => {
                let found = out.get().inner.dtype();
                return Err(error(
                    Class::DTypeError,
                    format!("{function}: out has dtype {found}, not {dtype}"),
                ));
            }
            None => {
                let shape = shape_from_object(shape)?;
                let inner = allocated(py, own, || Array::empty(&shape, dtype, kind, own))?;
                let made = match first {
                    Some(first) => first.get().derive(py, inner),
                    None => inner.into(),
                };
                Bound::new(py, made)?
            }
        };
        let mut given = Vec::new();
        for (object, array) in parameters.iter().zip(&arrays) {
            given.push(match array {
                Some(array) => Parameter::Array(&array.get().inner),
                None => Parameter::Scalar(scalar(&object, wanted)?),
            });
        }
        let target = &*result.get().inner;
        let mut all: Vec<&Array> = placed.iter().map(|(_, array)| *array).collect();
        all.push(target);
        let start = self.take(random::positions(distribution, dtype, target.size()));
        without_gil(py, &all, || {
            random::fill(start, distribution, &given, target)
        })?;
        Ok(result.into_any())
    }

    /// How trials fall on categories; see `colocate_array::random::multinomial`.
    fn multinomial(
        &self,
        py: Python<'_>,
        n: &Bound<'_, PyAny>,
        p: &Bound<'_, PyAny>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let [n, p, out] = [("n", n), ("pvals", p), ("out", out)]
            .map(|(name, object)| array_argument("multinomial", name, object));
        let (n, p, out) = (&n?.get().inner, &p?.get().inner, &out?.get().inner);
        common_queue("multinomial", &[("n", n), ("pvals", p), ("out", out)])?;
        let fits = n.dtype() == DType::Int64
            && p.dtype() == DType::Float64
            && out.dtype() == DType::Int64
            && [n, p, out].iter().all(|a| a.layout().is_c_contiguous())
            && n.shape().len() == 1
            && p.shape().len() == 2
            && out.shape().len() == 2
            && n.shape()[0] == out.shape()[0]
            && p.shape()[1] == out.shape()[1]
            && (p.shape()[0] == 1 || p.shape()[0] == out.shape()[0]);
        if !fits {
            return Err(misfit("multinomial"));
        }
        let start = self.take(out.size() as u64);
        without_gil(py, &[n, p, out], || random::multinomial(start, n, p, out))
    }

    /// Categories by their cumulative probabilities, which rise to 1.
    fn choose_categories(
        &self,
        py: Python<'_>,
        cumulative: &Bound<'_, PyArray>,
        shape: &Bound<'_, PyAny>,
    ) -> PyResult<PyArray> {
        let array = &*cumulative.get().inner;
        let fits = array.dtype() == DType::Float64
            && array.shape().len() == 1
            && array.size() > 0
            && array.layout().is_c_contiguous();
        if !fits {
            return Err(misfit("choice"));
        }
        let shape = shape_from_object(shape)?;
        let start = self.take(shape.iter().product::<usize>() as u64);
        let out = without_gil(py, &[array], || {
            random::choose_categories(start, array, &shape, UsmKind::Device)
        })?;
        Ok(cumulative.get().derive(py, out))
    }

    /// Distinct numbers below a bound.
    fn distinct(
        &self,
        py: Python<'_>,
        bound: u64,
        count: usize,
        queue: &Bound<'_, PyQueue>,
    ) -> PyResult<PyArray> {
        let queue = &queue.get().inner;
        let start = self.take(1 << random::half_bits(bound));
        let array = allocated(py, queue, || {
            random::distinct(start, bound, count, UsmKind::Device, queue)
        })?;
        Ok(array.into())
    }
}

/// R3.1's refusal of an array on another queue than the generator's.
fn elsewhere(function: &str, own: &Queue, name: &str, array: &Array) -> PyErr {
    error(
        Class::ExecutionPlacementError,
        format!(
            "{function}: the generator draws on a queue of {}, and argument '{name}' lives on a queue of {} \
             that is not equivalent to it; bring it over first: {name} = {name}.to_device(rng.device) \
             (rule R3.1)",
            own.device().label(),
            array.queue().device().label(),
        ),
    )
}

fn misfit(function: &str) -> PyErr {
    error(
        Class::InternalError,
        format!("{function}: the arrays do not fit one another"),
    )
}

/// `mean + z @ factor`, summed in order.
#[pyfunction]
fn _combine_rows(
    py: Python<'_>,
    z: &Bound<'_, PyArray>,
    factor: &Bound<'_, PyArray>,
    mean: &Bound<'_, PyArray>,
) -> PyResult<PyArray> {
    let [rows, factor, mean] = [z, factor, mean].map(|array| &*array.get().inner);
    let all = [rows, factor, mean];
    common_queue(
        "multivariate_normal",
        &[("z", rows), ("cov", factor), ("mean", mean)],
    )?;
    let fits = all
        .iter()
        .all(|array| array.dtype() == DType::Float64 && array.layout().is_c_contiguous())
        && rows.shape().len() == 2
        && factor.shape().len() == 2
        && rows.shape()[1] == factor.shape()[0]
        && mean.shape() == &factor.shape()[1..];
    if !fits {
        return Err(misfit("multivariate_normal"));
    }
    let out = without_gil(py, &all, || random::combine_rows(rows, factor, mean))?;
    Ok(z.get().derive(py, out))
}

/// The queue that `device=` and `queue=` name, else the current one.
#[pyfunction]
#[pyo3(signature = (device = None, queue = None))]
fn _target_queue(
    py: Python<'_>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyQueue> {
    let inner = target_queue(py, device, queue)?;
    Ok(inner.into())
}

/// Makes rows of logarithms, in place, into numbers in proportion that sum to 1.
#[pyfunction]
fn _normalise_logarithms(py: Python<'_>, rows: &Bound<'_, PyArray>) -> PyResult<()> {
    let rows = &*rows.get().inner;
    let fits = rows.dtype() == DType::Float64
        && rows.shape().len() == 2
        && rows.layout().is_c_contiguous();
    if !fits {
        return Err(misfit("dirichlet"));
    }
    without_gil(py, &[rows], || random::normalise_logarithms(rows))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyRandomStream>()?;
    module.add_function(wrap_pyfunction!(_combine_rows, module)?)?;
    module.add_function(wrap_pyfunction!(_target_queue, module)?)?;
    module.add_function(wrap_pyfunction!(_normalise_logarithms, module)?)
}
