//! What stands between the brackets of `x[...]`.

use crate::errors::{Class, error};
use colocate_dtype::index::Item;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PySlice, PyTuple};
use smallvec::SmallVec;

/// The items of a basic index.
pub type Items = SmallVec<[Item; 4]>;

/// Reads an index; only basic ones so far.
pub fn items_from_object(index: &Bound<'_, PyAny>) -> PyResult<Items> {
    if let Ok(tuple) = index.cast::<PyTuple>() {
        return tuple.iter().map(|item| item_from_object(&item)).collect();
    }
    Ok(smallvec::smallvec![item_from_object(index)?])
}

fn item_from_object(item: &Bound<'_, PyAny>) -> PyResult<Item> {
    if item.is_none() {
        return Ok(Item::NewAxis);
    }
    if item.is_instance_of::<PyEllipsis>() {
        return Ok(Item::Ellipsis);
    }
    if let Ok(slice) = item.cast::<PySlice>() {
        let end = |name: &str| -> PyResult<Option<isize>> {
            let value = slice.getattr(name)?;
            if value.is_none() {
                Ok(None)
            } else {
                clamped(&value).map(Some)
            }
        };
        return Ok(Item::Slice {
            start: end("start")?,
            stop: end("stop")?,
            step: end("step")?.unwrap_or(1),
        });
    }
    // True is an integer to Python and a mask to NumPy: neither reading is safe.
    if !item.is_instance_of::<PyBool>() && item.hasattr("__index__")? && !item.hasattr("shape")? {
        return at(item);
    }
    if !item.is_instance_of::<PyBool>() && is_integer_scalar(item)? {
        return at(item);
    }
    Err(error(
        Class::ArrayIndexError,
        format!(
            "{} cannot be an index: integers, slices, '...' and None can",
            item.repr()?
        ),
    ))
}

/// An integer index; one that does not even fit in 64 bits is out of bounds of anything.
fn at(item: &Bound<'_, PyAny>) -> PyResult<Item> {
    let integer = item.call_method0("__index__")?;
    match integer.extract::<isize>() {
        Ok(index) => Ok(Item::At(index)),
        Err(_) => Err(error(
            Class::ArrayIndexError,
            format!("index {integer} is out of bounds"),
        )),
    }
}

/// A 0-d array of integers counts as one.
fn is_integer_scalar(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Ok(ndim) = item.getattr("ndim") else {
        return Ok(false);
    };
    Ok(ndim.extract::<usize>().is_ok_and(|ndim| ndim == 0)
        && item.call_method0("__index__").is_ok())
}

/// The integer, or the nearest that fits: for a slice's ends that is what Python does, and as an
/// index it is out of bounds either way.
fn clamped(value: &Bound<'_, PyAny>) -> PyResult<isize> {
    let integer = value.call_method0("__index__").map_err(|_| {
        error(
            Class::ArrayIndexError,
            format!("{value} is no integer: slices and indices must be"),
        )
    })?;
    match integer.extract::<isize>() {
        Ok(index) => Ok(index),
        Err(_) => Ok(if integer.lt(0)? {
            isize::MIN / 2
        } else {
            isize::MAX / 2
        }),
    }
}
