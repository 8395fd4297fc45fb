//! Views that may have an element in several places: windows, and whatever strides describe.
//!
//! Where an element may be in several places the view is read-only: what is written to one place would change
//! others.

use crate::arguments::{array_argument, axis_argument, shape_argument};
use crate::array::PyArray;
use crate::errors::{Class, OrRaise, error};
use colocate_array::Array;
use colocate_dtype::Layout;
use pyo3::prelude::*;
use pyo3::types::PyInt;
use smallvec::SmallVec;

type Axes = SmallVec<[usize; 4]>;

/// All windows of a shape over an array, as a read-only view.
///
/// The axes of the windows come last; ``axis`` says which axes of ``x`` they slide along.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.sliding_window_view(cl.asarray([1, 2, 3, 4]), 3).tolist()
/// [[1, 2, 3], [2, 3, 4]]
#[pyfunction]
#[pyo3(signature = (x, /, window_shape, axis = None))]
fn sliding_window_view(
    x: &Bound<'_, PyAny>,
    window_shape: &Bound<'_, PyAny>,
    axis: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyArray> {
    let x = array_argument("sliding_window_view", "x", x)?;
    let mut view = x.get().inner.clone();
    let ndim = view.layout().ndim();
    let lengths = shape_argument(window_shape)?;
    let refuse = |why: String| {
        Err(error(
            Class::InvalidArgumentError,
            format!("sliding_window_view: {why}"),
        ))
    };
    let axes: Axes = match axis.filter(|axis| !axis.is_none()) {
        None => (0..ndim).collect(),
        // An axis may be named twice here: windows of windows.
        Some(axis) if !axis.is_instance_of::<PyInt>() && axis.len().is_ok() => axis
            .try_iter()?
            .map(|axis| axis_argument("sliding_window_view", &axis?, ndim))
            .collect::<PyResult<_>>()?,
        Some(axis) => smallvec::smallvec![axis_argument("sliding_window_view", axis, ndim)?],
    };
    if axes.len() != lengths.len() {
        return refuse(format!(
            "a window of {} dimensions cannot slide along {} axes",
            lengths.len(),
            axes.len()
        ));
    }
    for (&axis, &length) in axes.iter().zip(&lengths) {
        if length > view.shape()[axis] {
            return refuse(format!(
                "a window of length {length} does not fit axis {axis}, which has {} elements",
                view.shape()[axis]
            ));
        }
        view = view.windows(axis, length).or_raise()?;
    }
    Ok(PyArray::view_or_copy(x, view.read_only()))
}

/// Whether no two elements of a layout share memory. There are layouts without such elements for which this
/// cannot tell.
fn has_own_elements(shape: &[usize], strides: &[isize]) -> bool {
    let mut steps: SmallVec<[(usize, usize); 4]> = shape
        .iter()
        .zip(strides)
        .filter(|&(&extent, _)| extent > 1)
        .map(|(&extent, stride)| (stride.unsigned_abs(), extent))
        .collect();
    steps.sort_unstable();
    let mut reach = 0usize;
    shape.contains(&0)
        || steps.iter().all(|&(stride, extent)| {
            let beyond = stride > reach;
            reach = reach.saturating_add(stride.saturating_mul(extent - 1));
            beyond
        })
}

/// A view of the memory of an array from its first element on, with any shape and strides in bytes.
#[pyfunction]
fn _as_strided(
    x: &Bound<'_, PyAny>,
    shape: &Bound<'_, PyAny>,
    strides: Vec<isize>,
    writeable: bool,
) -> PyResult<PyArray> {
    let x = array_argument("as_strided", "x", x)?;
    let array = &*x.get().inner;
    let itemsize = array.dtype().itemsize();
    if let Some(stride) = strides
        .iter()
        .find(|&&stride| stride % itemsize as isize != 0)
    {
        return Err(error(
            Class::InvalidArgumentError,
            format!(
                "as_strided: a stride of {stride} bytes leads to no whole element of {itemsize} bytes"
            ),
        ));
    }
    let strides: SmallVec<[isize; 4]> = strides
        .iter()
        .map(|stride| stride / itemsize as isize)
        .collect();
    let shape = shape_argument(shape)?;
    let writable = writeable && array.is_writable() && has_own_elements(&shape, &strides);
    let layout = Layout::strided(&shape, &strides, array.layout().offset(), itemsize).or_raise()?;
    let (usm, queue) = (array.usm().clone(), array.queue());
    let view = Array::over(usm, layout, array.dtype(), queue, writable).or_raise()?;
    Ok(PyArray::view_or_copy(x, view))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sliding_window_view, module)?)?;
    module.add_function(wrap_pyfunction!(_as_strided, module)?)
}
