//! Sorting and searching; `python/colocate/_sorting.py` is their face.

use crate::arguments::{array_argument, axis_argument, common_queue, result_kind};
use crate::array::PyArray;
use crate::conversion;
use colocate_array::{elementwise, sort};
use colocate_dtype::promote_types;
use pyo3::prelude::*;

/// The elements in order along an axis, or the indices that put them in order. With places only the
/// elements there are sure to be where they belong.
#[pyfunction]
#[pyo3(signature = (function, x, /, axis, descending, indices, places = None))]
fn _sort(
    py: Python<'_>,
    function: &str,
    x: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
    descending: bool,
    indices: bool,
    places: Option<Vec<usize>>,
) -> PyResult<PyArray> {
    let x = array_argument(function, "x", x)?.get();
    let axis = axis_argument(function, axis, x.inner.shape().len())?;
    let request = sort::Request {
        descending,
        places: places.as_deref(),
    };
    let kind = x.inner.kind();
    let sorted = conversion::without_gil(py, &[&*x.inner], || match indices {
        false => sort::sort(&x.inner, axis, request, kind),
        true => sort::argsort(&x.inner, axis, request, kind),
    })?;
    Ok(x.derive(py, sorted))
}

/// Where elements would have to be inserted into a sorted array of one axis, which may be read through
/// indices (int64, as long) that sort it.
#[pyfunction]
#[pyo3(signature = (x1, x2, /, right, sorter = None))]
fn _search_sorted(
    py: Python<'_>,
    x1: &Bound<'_, PyAny>,
    x2: &Bound<'_, PyAny>,
    right: bool,
    sorter: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyArray> {
    let function = "searchsorted";
    let first = array_argument(function, "x1", x1)?.get();
    let (x1, x2) = (
        &*first.inner,
        &*array_argument(function, "x2", x2)?.get().inner,
    );
    let sorter = match sorter {
        None => None,
        Some(sorter) => Some(&*array_argument(function, "sorter", sorter)?.get().inner),
    };
    let mut named = vec![("x1", x1), ("x2", x2)];
    named.extend(sorter.map(|sorter| ("sorter", sorter)));
    common_queue(function, &named)?;
    let kind = result_kind(named.iter().map(|&(_, array)| array));
    let dtype = promote_types(x1.dtype(), x2.dtype());
    let arrays: Vec<_> = named.iter().map(|&(_, array)| array).collect();
    let found = conversion::without_gil(py, &arrays, || {
        let as_common = |array: &colocate_array::Array| match array.dtype() == dtype {
            true => Ok(array.clone()),
            false => elementwise::converted(array, dtype, kind),
        };
        let (sorted, wanted) = (as_common(x1)?, as_common(x2)?);
        sort::search_sorted(&sorted, &wanted, right, sorter, kind)
    })?;
    Ok(first.derive(py, found))
}

/// Adds them to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_sort, module)?)?;
    module.add_function(wrap_pyfunction!(_search_sorted, module)?)
}
