//! Joining arrays along an axis, and correlation of vectors: what the functions of the package that
//! have more options are made of.

use crate::arguments::{array_argument, axis_argument, common_queue, no_array, result_kind};
use crate::array::PyArray;
use crate::conversion::{allocated, copied, moved, without_gil};
use crate::errors::{Class, OrRaise, error};
use colocate_array::{Array, correlate, elementwise};
use colocate_dtype::index::Item;
use colocate_dtype::{AxisOrder, DType, Dims, Layout, order_of_joined, promote_all, promote_types};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use smallvec::SmallVec;

/// The arrays of a list or tuple, or the rows of one array.
fn arrays_of<'py>(
    function: &str,
    object: &Bound<'py, PyAny>,
) -> PyResult<SmallVec<[Bound<'py, PyArray>; 4]>> {
    let known = object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>();
    if !known && !object.is_instance_of::<PyArray>() {
        return Err(no_array(function, "arrays", object));
    }
    let mut found = SmallVec::new();
    for (position, item) in object.try_iter()?.enumerate() {
        let item = item?;
        match item.cast_into::<PyArray>() {
            Ok(array) => found.push(array),
            Err(other) => {
                let name = format!("arrays[{position}]");
                return Err(no_array(function, &name, &other.into_inner()));
            }
        }
    }
    if found.is_empty() {
        return Err(error(
            Class::InvalidArgumentError,
            format!("{function}: there must be at least one array"),
        ));
    }
    Ok(found)
}

fn disagreement(function: &str, except: &str, arrays: &[&Array]) -> PyErr {
    let shapes: Vec<String> = arrays
        .iter()
        .map(|array| match array.shape() {
            [extent] => format!("({extent},)"),
            shape => format!("{shape:?}").replace('[', "(").replace(']', ")"),
        })
        .collect();
    error(
        Class::InvalidArgumentError,
        format!(
            "{function}: {except}shapes must be the same: {}",
            shapes.join(", ")
        ),
    )
}

/// The shape of arrays joined along an axis, which is a new one for `stack`.
fn joined_shape(function: &str, arrays: &[&Array], axis: usize, new_axis: bool) -> PyResult<Dims> {
    let first = arrays[0].shape();
    let mut shape: Dims = first.iter().copied().collect();
    if new_axis {
        if arrays.iter().any(|array| array.shape() != first) {
            return Err(disagreement(function, "", arrays));
        }
        shape.insert(axis, arrays.len());
        return Ok(shape);
    }
    let fits = |array: &&Array| {
        let other = array.shape();
        other.len() == first.len()
            && other[..axis] == first[..axis]
            && other[axis + 1..] == first[axis + 1..]
    };
    if !arrays.iter().all(fits) {
        let except = format!("except along axis {axis}, ");
        return Err(disagreement(function, &except, arrays));
    }
    shape[axis] = arrays.iter().map(|array| array.shape()[axis]).sum();
    Ok(shape)
}

/// How the joined array lies in memory: as the arrays do.
fn order_of(arrays: &[&Array], axis: usize, new_axis: bool) -> PyResult<AxisOrder> {
    if arrays.iter().all(|array| array.layout().is_c_contiguous()) {
        return Ok(None);
    }
    let layouts = arrays.iter().map(|array| match new_axis {
        true => array.layout().expanded(axis),
        false => Ok(array.layout().clone()),
    });
    let layouts = layouts
        .collect::<Result<Vec<Layout>, _>>()
        .map_err(colocate_array::Error::from)
        .or_raise()?;
    Ok(order_of_joined(&layouts.iter().collect::<Vec<_>>()))
}

/// Joins arrays along an axis they have, or along a new one; dtypes are promoted.
#[pyfunction]
fn _joined(
    py: Python<'_>,
    function: &str,
    arrays: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
    new_axis: bool,
) -> PyResult<PyArray> {
    let objects = arrays_of(function, arrays)?;
    let arrays: SmallVec<[&Array; 4]> = objects.iter().map(|object| &*object.get().inner).collect();
    let names: Vec<String> = (0..arrays.len())
        .map(|position| format!("arrays[{position}]"))
        .collect();
    let placed: Vec<(&str, &Array)> = names
        .iter()
        .map(String::as_str)
        .zip(arrays.iter().copied())
        .collect();
    common_queue(function, &placed)?;
    let first = arrays[0];
    let ndim = first.shape().len() + usize::from(new_axis);
    if ndim == 0 {
        return Err(error(
            Class::InvalidArgumentError,
            "concat: 0-d arrays have no axis to join along; stack joins along a new one",
        ));
    }
    let axis = axis_argument(function, axis, ndim)?;
    let shape = joined_shape(function, &arrays, axis, new_axis)?;
    let dtype = promote_all(arrays.iter().map(|array| array.dtype())).expect("at least one array");
    let kind = result_kind(arrays.iter().copied());
    let queue = first.queue();
    let order = order_of(&arrays, axis, new_axis)?;
    let result = allocated(py, queue, || {
        Array::empty_in_order(&shape, &order, dtype, kind, queue)
    })?;
    let mut items: SmallVec<[Item; 4]> = SmallVec::from_elem(
        Item::Slice {
            start: None,
            stop: None,
            step: 1,
        },
        axis + 1,
    );
    let mut start = 0isize;
    for array in &arrays {
        if array.size() == 0 {
            continue;
        }
        if new_axis {
            items[axis] = Item::At(start);
            start += 1;
        } else {
            let stop = start + array.shape()[axis] as isize;
            items[axis] = Item::Slice {
                start: Some(start),
                stop: Some(stop),
                step: 1,
            };
            start = stop;
        }
        let part = result.index(&items).or_raise()?;
        without_gil(py, &[&part, array], || {
            if array.dtype() == dtype {
                part.assign(array)
            } else {
                elementwise::convert_into(&part, array)
            }
        })?;
    }
    Ok(objects[0].get().derive(py, result))
}

fn packed(py: Python<'_>, array: &Array, dtype: DType) -> PyResult<Array> {
    let array = moved(py, array, array.queue(), None, Some(dtype), None)?;
    if array.layout().is_c_contiguous() {
        return Ok(array);
    }
    copied(py, &array, array.queue(), array.kind())
}

/// Sums of products of `v` with what lies under it in `a`; vectors of one dtype of numbers.
#[pyfunction]
fn _correlated(a: &Bound<'_, PyAny>, v: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let py = a.py();
    let long = array_argument("correlate", "a", a)?.get();
    let short = &*array_argument("correlate", "v", v)?.get().inner;
    common_queue("correlate", &[("a", &*long.inner), ("v", short)])?;
    let dtype = promote_types(long.inner.dtype(), short.dtype());
    let vectors = long.inner.shape().len() == 1 && short.shape().len() == 1;
    if dtype == DType::Bool || !vectors || short.size() == 0 || short.size() > long.inner.size() {
        return Err(error(
            Class::InvalidArgumentError,
            "correlate: takes vectors of numbers, the second not longer than the first",
        ));
    }
    let kind = result_kind([&*long.inner, short]);
    let (x, y) = (packed(py, &long.inner, dtype)?, packed(py, short, dtype)?);
    let result = without_gil(py, &[&x, &y], || correlate::correlate(&x, &y, kind))?;
    Ok(long.derive(py, result))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_joined, module)?)?;
    module.add_function(wrap_pyfunction!(_correlated, module)?)
}
