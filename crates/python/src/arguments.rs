//! Arguments of array functions: which are arrays, where they live, which axes are meant.
//!
//! All refusals of rules R3.1, R3.5 and R3.6 for array functions are made here.

use crate::array::PyArray;
use crate::creation::shape_from_object;
use crate::errors::{Class, OrRaise, error};
use crate::placement;
use crate::scalars::{Scalar, scalar_from_object};
use colocate_array::Array;
use colocate_dtype::{DType, Dims};
use colocate_ir::Literal;
use colocate_runtime::placement::{coerced_usm_kind, execution_queue};
use colocate_runtime::{Queue, UsmKind};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList, PyString, PyTuple};
use smallvec::SmallVec;

/// The array behind an argument that must be one (R3.5, R3.6).
pub fn array_argument<'a, 'py>(
    function: &str,
    name: &str,
    object: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, PyArray>> {
    match object.cast::<PyArray>() {
        Ok(array) => Ok(array),
        Err(_) => Err(no_array(function, name, object)),
    }
}

/// The mask behind `where=`; `None` if everything is meant. A truth has no place (R3.4) and stands for all elements.
pub fn mask_argument<'py>(
    function: &str,
    mask: &Bound<'py, PyAny>,
    beside: Option<&Bound<'py, PyArray>>,
) -> PyResult<Option<Bound<'py, PyArray>>> {
    if mask.is_none() || mask.is(&*PyBool::new(mask.py(), true)) {
        return Ok(None);
    }
    let (Some(array), Some(Scalar::Bool(truth) | Scalar::Typed(Literal::Bool(truth)))) =
        (beside, scalar_from_object(mask)?)
    else {
        return Ok(Some(array_argument(function, "where", mask)?.clone()));
    };
    if truth {
        return Ok(None);
    }
    let array = &*array.get().inner;
    let none = Array::full(&[], DType::Bool, array.kind(), array.queue(), &[0]).or_raise()?;
    Bound::new(mask.py(), PyArray::from(none)).map(Some)
}

/// What is said of an argument that should be an array and is not.
pub fn no_array(function: &str, name: &str, object: &Bound<'_, PyAny>) -> PyErr {
    let kind = object
        .get_type()
        .fully_qualified_name()
        .map_or_else(|_| "host data".into(), |name| name.to_string());
    error(
        Class::HostDataError,
        format!(
            "{function}: argument '{name}' is a {kind}, which lives on no queue, and host data is not \
             mixed with device arrays or sent anywhere in silence (rules R3.5 and R3.6); bring it over \
             first: {name} = colocate.asarray({name}, device=...)"
        ),
    )
}

/// The queue that arrays agree on (R3.1); `None` without arrays.
pub fn common_queue(function: &str, arrays: &[(&str, &Array)]) -> PyResult<Option<Queue>> {
    match execution_queue(arrays.iter().map(|(_, array)| array.queue())) {
        Ok(queue) => Ok(queue.cloned()),
        Err(_) => Err(placement::disagreement(function, arrays.iter().copied())),
    }
}

/// The USM type of what is made of these arrays (R3.3), of which there is at least one.
pub fn result_kind<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> UsmKind {
    coerced_usm_kind(arrays.into_iter().map(Array::kind)).unwrap_or(UsmKind::Device)
}

/// One axis, counted from the end if negative.
pub fn axis_argument(function: &str, axis: &Bound<'_, PyAny>, ndim: usize) -> PyResult<usize> {
    let out_of_bounds = || {
        error(
            Class::AxisError,
            format!("{function}: axis {axis} is out of bounds for an array of {ndim} dimensions"),
        )
    };
    if axis.is_instance_of::<PyString>() || axis.is_none() {
        return Err(error(
            Class::DTypeError,
            format!("{function}: {} is no axis", axis.repr()?),
        ));
    }
    let index = axis.call_method0("__index__").map_err(|_| {
        let kind = axis.get_type().to_string();
        error(
            Class::DTypeError,
            format!("{function}: an axis is an integer, not {kind}"),
        )
    })?;
    let index = index.extract::<isize>().map_err(|_| out_of_bounds())?;
    let counted = if index < 0 {
        index.checked_add(ndim as isize)
    } else {
        Some(index)
    };
    counted
        .filter(|&axis| axis >= 0 && axis < ndim as isize)
        .map(|axis| axis as usize)
        .ok_or_else(out_of_bounds)
}

/// Whether what is named is the first axis of a number, which has none: some functions of NumPy's let it pass.
pub fn is_axis_of_number(axis: &Bound<'_, PyAny>, ndim: usize) -> PyResult<bool> {
    Ok(ndim == 0 && (axis.eq(0)? || axis.eq(-1)?))
}

/// The axes of what lets the first one of a number be named.
pub fn lenient_axes_argument(
    function: &str,
    axes: Option<&Bound<'_, PyAny>>,
    ndim: usize,
) -> PyResult<SmallVec<[usize; 4]>> {
    match axes {
        Some(axis) if is_axis_of_number(axis, ndim)? => Ok(SmallVec::new()),
        axes => axes_argument(function, axes, ndim),
    }
}

/// Several axes: an integer, a sequence of them without repetition, or `None` for all.
pub fn axes_argument(
    function: &str,
    axes: Option<&Bound<'_, PyAny>>,
    ndim: usize,
) -> PyResult<SmallVec<[usize; 4]>> {
    let Some(axes) = axes.filter(|axes| !axes.is_none()) else {
        return Ok((0..ndim).collect());
    };
    if axes.is_instance_of::<PyInt>() {
        return Ok(smallvec::smallvec![axis_argument(function, axes, ndim)?]);
    }
    let list = axes.cast::<PyTuple>().is_ok() || axes.cast::<PyList>().is_ok();
    if !list {
        return Ok(smallvec::smallvec![axis_argument(function, axes, ndim)?]);
    }
    let mut found: SmallVec<[usize; 4]> = SmallVec::new();
    for axis in axes.try_iter()? {
        let axis = axis_argument(function, &axis?, ndim)?;
        if found.contains(&axis) {
            return Err(error(
                Class::InvalidArgumentError,
                format!("{function}: axis {axis} is named twice"),
            ));
        }
        found.push(axis);
    }
    Ok(found)
}

/// What counts as true or false, as NumPy takes it: not only Python's bools.
pub struct Truth(pub bool);

impl<'a, 'py> FromPyObject<'a, 'py> for Truth {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Truth> {
        object.is_truthy().map(Truth)
    }
}

/// A shape: an integer or a sequence of them.
pub fn shape_argument(shape: &Bound<'_, PyAny>) -> PyResult<Dims> {
    shape_from_object(shape)
}

/// For functions that are composed in Python: refuses what rules R3.1, R3.5 and R3.6 refuse, before
/// anything is computed. Arguments may be arrays, lists or tuples of them, scalars and `None`.
#[pyfunction]
#[pyo3(signature = (function, /, **arguments))]
fn _check_placement(function: &str, arguments: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
    let mut arrays: Vec<(String, Bound<'_, PyArray>)> = Vec::new();
    let mut host: Option<(String, Bound<'_, PyAny>)> = None;
    for (name, value) in arguments.into_iter().flatten() {
        collect(&name.extract::<String>()?, value, &mut arrays, &mut host)?;
    }
    if let Some((name, object)) = host {
        return Err(no_array(function, &name, &object));
    }
    let placed: Vec<(&str, &Array)> = arrays
        .iter()
        .map(|(name, array)| (name.as_str(), &*array.get().inner))
        .collect();
    common_queue(function, &placed)?;
    if let Some((_, first)) = arrays.first() {
        let kinds: Vec<UsmKind> = placed.iter().map(|(_, array)| array.kind()).collect();
        placement::warn_about_mixture(first.py(), &kinds)?;
    }
    Ok(())
}

fn collect<'py>(
    name: &str,
    value: Bound<'py, PyAny>,
    arrays: &mut Vec<(String, Bound<'py, PyArray>)>,
    host: &mut Option<(String, Bound<'py, PyAny>)>,
) -> PyResult<()> {
    if let Ok(array) = value.cast::<PyArray>() {
        arrays.push((name.to_owned(), array.clone()));
        return Ok(());
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        for (position, item) in value.try_iter()?.enumerate() {
            collect(&format!("{name}[{position}]"), item?, arrays, host)?;
        }
        return Ok(());
    }
    if !placement::is_scalar(&value)? && host.is_none() {
        *host = Some((name.to_owned(), value));
    }
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_check_placement, module)?)
}
