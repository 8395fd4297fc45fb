//! Compute follows data, for other packages and for our own functions (R3.*).

use crate::array::PyArray;
use crate::array_interface;
use crate::config;
use crate::conversion::usm_kind;
use crate::errors::{Class, error};
use crate::queue::{PyQueue, queue_from_object};
use colocate_array::Array;
use colocate_runtime::placement::{Placed, PlacementError, coerced_usm_kind, execution_queue};
use colocate_runtime::{Queue, UsmKind};
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyInt, PyString, PyTuple};

/// R3.1's error, given what was called and with which arrays.
pub fn disagreement<'a>(
    function: &str,
    arrays: impl IntoIterator<Item = (&'a str, &'a Array)>,
) -> PyErr {
    let arguments = arrays
        .into_iter()
        .map(|(name, array)| Placed {
            name: name.to_owned(),
            queue: array.queue().clone(),
            usm_kind: Some(array.kind()),
        })
        .collect();
    let failure = PlacementError {
        function: function.to_owned(),
        arguments,
    };
    error(Class::ExecutionPlacementError, failure.to_string())
}

/// An argument of a function, as far as its place is concerned.
enum Argument {
    Array(Queue, Option<UsmKind>),
    /// A Python scalar: has no place and follows the arrays (R3.4).
    Scalar,
    /// NumPy arrays and the like: not mixed with arrays (R3.5).
    HostData,
}

pub fn is_scalar(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.is_instance_of::<PyFloat>()
        || object.is_instance_of::<PyInt>()
        || object.is_instance_of::<PyComplex>()
        || object.is_none()
        || object.is_instance(&object.py().import("numpy")?.getattr("generic")?)?)
}

fn classify(object: &Bound<'_, PyAny>) -> PyResult<Argument> {
    if let Ok(array) = object.cast::<PyArray>() {
        let array = &*array.get().inner;
        return Ok(Argument::Array(array.queue().clone(), Some(array.kind())));
    }
    if object.is_instance_of::<PyQueue>() {
        return Ok(Argument::Array(queue_from_object(object)?, None));
    }
    if object.is_instance_of::<PyUntypedArray>() {
        return Ok(Argument::HostData);
    }
    if is_scalar(object)? {
        return Ok(Argument::Scalar);
    }
    Ok(match array_interface::import(object)? {
        Some(array) => Argument::Array(array.queue().clone(), Some(array.kind())),
        None => Argument::HostData,
    })
}

fn host_data(arguments: &Bound<'_, PyTuple>, position: usize) -> PyErr {
    let name = &names_of(arguments)[position];
    let kind = arguments
        .get_item(position)
        .and_then(|object| object.get_type().fully_qualified_name())
        .map_or_else(|_| "host data".into(), |name| name.to_string());
    error(
        Class::HostDataError,
        format!(
            "argument {} ({name}) is a {kind}, which lives on no queue, and host data is not mixed \
             with device arrays (rule R3.5); bring it over first: \
             {name} = colocate.asarray({name}, queue=...)",
            position + 1
        ),
    )
}

/// What the caller calls these objects, for messages; only asked for when there is one to write.
fn names_of(arguments: &Bound<'_, PyTuple>) -> Vec<String> {
    let guessed = arguments
        .py()
        .import("colocate._argument_names")
        .and_then(|module| module.call_method1("guess", (arguments,)))
        .and_then(|names| names.extract::<Vec<String>>());
    guessed.unwrap_or_else(|_| (1..=arguments.len()).map(|n| format!("x{n}")).collect())
}

/// Says that USM types are mixed, if that is wanted (R3.2).
pub fn warn_about_mixture(py: Python<'_>, kinds: &[UsmKind]) -> PyResult<()> {
    let mixed = kinds.iter().any(|kind| *kind != kinds[0]);
    if mixed && config::warn_on_mixed_usm() {
        let category = py
            .import("colocate._errors")?
            .getattr("PerformanceWarning")?;
        let mut words: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
        words.dedup();
        let message = format!(
            "arrays of USM types {} meet in one function",
            words.join(", ")
        );
        py.import("warnings")?
            .call_method1("warn", (message, category, 2))?;
    }
    Ok(())
}

/// The queue on which a function of these arrays runs (R3.1). Queues may stand among the arrays.
///
/// That is the queue of the first array, if those of all others are equivalent. Scalars have no
/// place. Raises :class:`ExecutionPlacementError` if the arrays disagree or if there is none, and
/// ``TypeError`` for host data such as NumPy arrays (R3.5).
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x, y = cl.ones(3, device="native:cpu"), cl.ones(3, device="native:cpu")
/// >>> cl.get_execution_queue(x, 2.5, y) == x.queue
/// True
#[pyfunction]
#[pyo3(signature = (*arrays))]
fn get_execution_queue(arrays: &Bound<'_, PyTuple>) -> PyResult<PyQueue> {
    let mut placed: Vec<(usize, Queue, Option<UsmKind>)> = Vec::new();
    let mut host = None;
    for (position, object) in arrays.iter().enumerate() {
        match classify(&object)? {
            Argument::Array(queue, kind) => placed.push((position, queue, kind)),
            Argument::Scalar => {}
            Argument::HostData => host = host.or(Some(position)),
        }
    }
    if let Some(position) = host.filter(|_| !placed.is_empty()) {
        return Err(host_data(arrays, position));
    }
    match execution_queue(placed.iter().map(|(_, queue, _)| queue)) {
        Ok(Some(queue)) => {
            let kinds: Vec<UsmKind> = placed.iter().filter_map(|(_, _, kind)| *kind).collect();
            if !kinds.is_empty() {
                warn_about_mixture(arrays.py(), &kinds)?;
            }
            Ok(queue.clone().into())
        }
        Ok(None) => Err(error(
            Class::ExecutionPlacementError,
            "the queue cannot be determined: no argument is a device array, and host data lives on none; \
             bring it to a device with colocate.asarray(x, device=...) (rule R3.6)",
        )),
        Err(_) => {
            let names = names_of(arrays);
            let arguments = placed
                .into_iter()
                .map(|(position, queue, kind)| Placed {
                    name: names[position].clone(),
                    queue,
                    usm_kind: kind,
                })
                .collect();
            let failure = PlacementError {
                function: "get_execution_queue".into(),
                arguments,
            };
            Err(error(Class::ExecutionPlacementError, failure.to_string()))
        }
    }
}

/// The USM type of a function's result (R3.3): ``"device"`` if any input is, else ``"shared"`` if
/// any is, else ``"host"``. Takes arrays or names of USM types.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.get_coerced_usm_type("shared", cl.ones(2, usm_type="host"))
/// 'shared'
#[pyfunction]
#[pyo3(signature = (*arrays))]
fn get_coerced_usm_type(arrays: &Bound<'_, PyTuple>) -> PyResult<&'static str> {
    let mut kinds = Vec::new();
    for (position, object) in arrays.iter().enumerate() {
        if let Ok(name) = object.cast::<PyString>() {
            kinds.extend(usm_kind(Some(&name.to_cow()?))?);
            continue;
        }
        match classify(&object)? {
            Argument::Array(_, kind) => kinds.extend(kind),
            Argument::Scalar => {}
            Argument::HostData => return Err(host_data(arrays, position)),
        }
    }
    match coerced_usm_kind(kinds) {
        Some(kind) => Ok(kind.name()),
        None => Err(error(
            Class::InvalidArgumentError,
            "no argument has a USM type: give arrays, or \"device\", \"shared\" or \"host\"",
        )),
    }
}

/// Whether all queues are equivalent: same context, device and properties (R1.4).
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.queues_equivalent(cl.Queue("native:cpu"), cl.Queue("native:cpu"))
/// True
#[pyfunction]
#[pyo3(signature = (*queues))]
fn queues_equivalent(queues: &Bound<'_, PyTuple>) -> PyResult<bool> {
    let queues: Vec<Queue> = queues
        .iter()
        .map(|queue| queue_from_object(&queue))
        .collect::<PyResult<_>>()?;
    Ok(execution_queue(&queues).is_ok())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(get_execution_queue, module)?)?;
    module.add_function(wrap_pyfunction!(get_coerced_usm_type, module)?)?;
    module.add_function(wrap_pyfunction!(queues_equivalent, module)?)
}
