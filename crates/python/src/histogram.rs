//! The primitives of histograms: bins of elements, and counts of bins.

use crate::arguments::{array_argument, common_queue, result_kind};
use crate::array::PyArray;
use crate::conversion::{copied, moved, without_gil};
use colocate_array::Array;
use colocate_array::histogram;
use colocate_dtype::DType;
use pyo3::prelude::*;

/// The elements as a contiguous array of a dtype.
fn packed(py: Python<'_>, array: &Array, dtype: DType) -> PyResult<Array> {
    let array = moved(py, array, array.queue(), None, Some(dtype), None)?;
    if array.layout().is_c_contiguous() {
        return Ok(array);
    }
    copied(py, &array, array.queue(), array.kind())
}

/// The bin of each element of a real array among bins of equal width, flattened; -1 for none.
#[pyfunction]
fn _equal_bins(x: &Bound<'_, PyAny>, edges: &Bound<'_, PyAny>, width: f64) -> PyResult<PyArray> {
    let py = x.py();
    let x = array_argument("histogram", "a", x)?.get();
    let edges = array_argument("histogram", "bins", edges)?.get();
    common_queue("histogram", &[("a", &*x.inner), ("bins", &edges.inner)])?;
    let elements = packed(py, &x.inner, x.inner.dtype())?;
    let edges = packed(py, &edges.inner, DType::Float64)?;
    let bins = without_gil(py, &[&elements, &edges], || {
        histogram::equal_bins(&elements, &edges, width)
    })?;
    Ok(x.derive(py, bins))
}

/// How often each of `bins` bins is named by an integer array, or the sum of the weights.
#[pyfunction]
#[pyo3(signature = (named, bins, weights = None))]
fn _count(
    named: &Bound<'_, PyAny>,
    bins: usize,
    weights: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyArray> {
    let py = named.py();
    let named = array_argument("bincount", "x", named)?.get();
    let mut all = vec![("x", &*named.inner)];
    let weights = match weights.filter(|weights| !weights.is_none()) {
        Some(weights) => Some(&*array_argument("bincount", "weights", weights)?.get().inner),
        None => None,
    };
    all.extend(weights.map(|weights| ("weights", weights)));
    common_queue("bincount", &all)?;
    let kind = result_kind(all.iter().map(|(_, array)| *array));
    let elements = packed(py, &named.inner, DType::Int64)?;
    let weights = weights
        .map(|weights| packed(py, weights, DType::Float64))
        .transpose()?;
    let arrays: Vec<&Array> = std::iter::once(&elements).chain(&weights).collect();
    let counts = without_gil(py, &arrays, || {
        histogram::count(&elements, weights.as_ref(), bins, kind)
    })?;
    Ok(named.derive(py, counts))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_equal_bins, module)?)?;
    module.add_function(wrap_pyfunction!(_count, module)?)
}
