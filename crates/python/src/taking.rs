//! Functions of elements by their indices: `take`, `put` and their kin.

use crate::arguments::{array_argument, axis_argument, is_axis_of_number, result_kind};
use crate::array::PyArray;
use crate::conversion::{self, without_gil};
use crate::errors::{Class, OrRaise, error};
use crate::index::{indices_argument, integers_argument, value_argument, values_argument};
use colocate_array::along_axis::AlongAxis;
use colocate_array::selection::{Indices, Selection, Selector};
use colocate_array::{Array, Mode};
use colocate_dtype::{DType, index::Item};
use colocate_ir::AtomicOp;
use colocate_runtime::{Queue, UsmKind};
use pyo3::prelude::*;

fn mode_argument(function: &str, mode: &str) -> PyResult<Mode> {
    match mode {
        "raise" => Ok(Mode::Raise),
        "wrap" => Ok(Mode::Wrap),
        "clip" => Ok(Mode::Clip),
        _ => Err(error(
            Class::InvalidArgumentError,
            format!("{function}: mode={mode:?}: write \"raise\", \"wrap\" or \"clip\""),
        )),
    }
}

fn given<'a, 'py>(argument: Option<&'a Bound<'py, PyAny>>) -> Option<&'a Bound<'py, PyAny>> {
    argument.filter(|object| !object.is_none())
}

/// All elements along one axis; a copy where no view does.
pub fn flat(py: Python<'_>, array: &Array) -> PyResult<Array> {
    without_gil(py, &[array], || array.reshaped(&[array.size()]))
}

/// `0, 1, …` modulo `length`, so many of them.
fn cycle(py: Python<'_>, count: usize, length: usize, queue: &Queue) -> PyResult<Indices> {
    let numbers: Vec<u8> = (0..count)
        .flat_map(|number| ((number % length) as i64).to_ne_bytes())
        .collect();
    let array = conversion::allocated(py, queue, || {
        Array::empty(&[count], DType::Int64, UsmKind::Device, queue)
    })?;
    without_gil(py, &[&array], || array.write_from(&numbers))?;
    Ok(Indices {
        array,
        range: Some((0, length as i64 - 1)),
    })
}

/// The values as so many along one axis, again from the first if there are fewer.
pub fn repeated(py: Python<'_>, function: &str, values: &Array, count: usize) -> PyResult<Array> {
    let values = flat(py, values)?;
    let length = values.size();
    if length == count {
        return Ok(values);
    }
    if length == 1 {
        return values.broadcast_to(&[count]).or_raise();
    }
    if length == 0 {
        return Err(error(
            Class::InvalidArgumentError,
            format!("{function}: there are places to assign to, but no values"),
        ));
    }
    if length > count {
        let first = Item::Slice {
            start: None,
            stop: Some(count as isize),
            step: 1,
        };
        return values.index(&[first]).or_raise();
    }
    let indices = cycle(py, count, length, values.queue())?;
    let kind = values.kind();
    without_gil(py, &[&values], || {
        Selection::along_axis(&values, 0, indices).gather(Mode::Raise, kind)
    })
}

/// Elements along an axis, by their indices.
///
/// Parameters
/// ----------
/// a : array
/// indices : array of integers
///     May be a NumPy array or a list, too. Negative ones count from the end.
/// axis : int, optional
///     Without it, elements are taken from ``a`` as if it had one axis.
/// mode : {"raise", "wrap", "clip"}
///     What becomes of an index out of bounds: ``IndexError``, the index modulo the extent, or the
///     nearest that there is.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.asarray([[1, 2, 3], [4, 5, 6]])
/// >>> cl.take(x, cl.asarray([2, 0]), axis=1).tolist()
/// [[3, 1], [6, 4]]
#[pyfunction]
#[pyo3(signature = (a, indices, axis = None, *, mode = "raise"))]
fn take(
    a: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    axis: Option<&Bound<'_, PyAny>>,
    mode: &str,
) -> PyResult<PyArray> {
    let x = array_argument("take", "a", a)?;
    Ok(x.get()
        .derive(x.py(), taken(&x.get().inner, indices, axis, mode)?))
}

/// An array and one of its axes; without one named, all elements along one axis.
pub fn one_axis_or_flat(
    py: Python<'_>,
    function: &str,
    array: &Array,
    axis: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Array, usize)> {
    let ndim = array.layout().ndim();
    match given(axis) {
        Some(axis) if !is_axis_of_number(axis, ndim)? => {
            Ok((array.clone(), axis_argument(function, axis, ndim)?))
        }
        _ => Ok((flat(py, array)?, 0)),
    }
}

fn taken(
    array: &Array,
    indices: &Bound<'_, PyAny>,
    axis: Option<&Bound<'_, PyAny>>,
    mode: &str,
) -> PyResult<Array> {
    let py = indices.py();
    let mode = mode_argument("take", mode)?;
    let indices = indices_argument("take", ("a", array), ("indices", indices))?;
    let (array, axis) = one_axis_or_flat(py, "take", array, axis)?;
    let kind = result_kind([&array, &indices.array]);
    let own = indices.array.clone();
    without_gil(py, &[&array, &own], || {
        Selection::along_axis(&array, axis, indices).gather(mode, kind)
    })
}

/// Elements along an axis, by indices for each place of the other axes.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.asarray([[3, 1, 2], [6, 5, 4]])
/// >>> order = cl.asarray([[1, 2, 0], [2, 1, 0]])
/// >>> cl.take_along_axis(x, order, axis=1).tolist()
/// [[1, 2, 3], [4, 5, 6]]
#[pyfunction]
#[pyo3(signature = (arr, indices, axis = -1))]
fn take_along_axis(
    arr: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    axis: Option<isize>,
) -> PyResult<PyArray> {
    let py = arr.py();
    let x = array_argument("take_along_axis", "arr", arr)?;
    let array = &*x.get().inner;
    let indices = integers_argument("take_along_axis", ("arr", array), ("indices", indices))?;
    let (array, axis) = along("take_along_axis", py, array, &indices, axis)?;
    let kind = result_kind([&array, &indices]);
    let taken = without_gil(py, &[&array, &indices], || {
        let along = AlongAxis {
            data: &array,
            indices: &indices,
            axis,
        };
        along.gather(kind)
    })?;
    Ok(x.get().derive(py, taken))
}

/// The array and the axis that `take_along_axis` and `put_along_axis` work on.
fn along(
    function: &str,
    py: Python<'_>,
    array: &Array,
    indices: &Array,
    axis: Option<isize>,
) -> PyResult<(Array, usize)> {
    let (array, axis) = match axis {
        Some(axis) => {
            let axis = axis.into_pyobject(py)?;
            let axis = axis_argument(function, axis.as_any(), array.layout().ndim())?;
            (array.clone(), axis)
        }
        None => (flat(py, array)?, 0),
    };
    if indices.layout().ndim() != array.layout().ndim() {
        return Err(error(
            Class::InvalidArgumentError,
            format!(
                "{function}: the indices have {} dimensions and the array {}, and must have as many",
                indices.layout().ndim(),
                array.layout().ndim()
            ),
        ));
    }
    Ok((array, axis))
}

/// Assigns to elements along an axis, by indices for each place of the other axes.
///
/// Where an index is given several times, any of its values may stay.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.zeros((2, 3), dtype="int64")
/// >>> cl.put_along_axis(x, cl.asarray([[1], [2]]), 9, axis=1)
/// >>> x.tolist()
/// [[0, 9, 0], [0, 0, 9]]
#[pyfunction]
#[pyo3(signature = (arr, indices, values, axis))]
fn put_along_axis(
    arr: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    axis: Option<isize>,
) -> PyResult<()> {
    let py = arr.py();
    let x = array_argument("put_along_axis", "arr", arr)?;
    let array = &*x.get().inner;
    let indices = integers_argument("put_along_axis", ("arr", array), ("indices", indices))?;
    let values = values_argument("put_along_axis", array, ("values", values))?;
    changed_flat(py, array, axis.is_none(), |array| {
        let (array, axis) = along("put_along_axis", py, array, &indices, axis)?;
        without_gil(py, &[&array, &indices, &values], || {
            let along = AlongAxis {
                data: &array,
                indices: &indices,
                axis,
            };
            along.scatter(&values)
        })
    })
}

/// Lets `change` work on an array, as if it had one axis if `is_flat`, and brings the change back if
/// there is no such view.
pub fn changed_flat(
    py: Python<'_>,
    array: &Array,
    is_flat: bool,
    change: impl FnOnce(&Array) -> PyResult<()>,
) -> PyResult<()> {
    if !array.is_writable() {
        return Err(error(Class::ReadOnlyError, "the array is read-only"));
    }
    if !is_flat {
        return change(array);
    }
    if let Some(view) = array.reshaped_view(&[array.size()]) {
        return change(&view);
    }
    let aside = flat(py, array)?;
    change(&aside)?;
    let back = aside.reshaped(array.shape()).or_raise()?;
    without_gil(py, &[array, &back], || array.assign(&back))
}

/// Assigns to elements of an array as if it had one axis.
///
/// Values are used again from the first if there are fewer than indices.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.zeros((2, 3), dtype="int64")
/// >>> cl.put(x, [0, 4], [7, 8])
/// >>> x.tolist()
/// [[7, 0, 0], [0, 8, 0]]
#[pyfunction]
#[pyo3(signature = (a, ind, v, mode = "raise"))]
fn put(
    a: &Bound<'_, PyAny>,
    ind: &Bound<'_, PyAny>,
    v: &Bound<'_, PyAny>,
    mode: &str,
) -> PyResult<()> {
    let py = a.py();
    let x = array_argument("put", "a", a)?;
    let array = &*x.get().inner;
    if !array.is_writable() {
        return Err(error(Class::ReadOnlyError, "the array is read-only"));
    }
    let mode = mode_argument("put", mode)?;
    let mut indices = indices_argument("put", ("a", array), ("ind", ind))?;
    let values = values_argument("put", array, ("v", v))?;
    indices.array = flat(py, &indices.array)?;
    let count = indices.array.size();
    if count == 0 || (values.size() == 0) {
        return Ok(());
    }
    let values = repeated(py, "put", &values, count)?;
    changed_flat(py, array, true, |flat| {
        let own = indices.array.clone();
        without_gil(py, &[flat, &own, &values], || {
            Selection::along_axis(flat, 0, indices).scatter(&values, mode)
        })
    })
}

/// Combines elements of an array with values by an operation: ``"add"``, ``"subtract"``,
/// ``"minimum"``, ``"maximum"``, ``"bitwise_and"``, ``"bitwise_or"`` or ``"bitwise_xor"``. Indices that are
/// given several times count each time. `indices` is what may stand between brackets.
#[pyfunction]
fn scatter_at(
    operation: &str,
    x: &Bound<'_, PyAny>,
    indices: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let py = x.py();
    let x = array_argument("scatter_at", "x", x)?;
    let array = &*x.get().inner;
    let op = match operation {
        "add" => AtomicOp::Add,
        "subtract" => AtomicOp::Subtract,
        "minimum" => AtomicOp::Minimum,
        "maximum" => AtomicOp::Maximum,
        "bitwise_and" => AtomicOp::BitAnd,
        "bitwise_or" => AtomicOp::BitOr,
        "bitwise_xor" => AtomicOp::BitXor,
        _ => {
            return Err(error(
                Class::InvalidArgumentError,
                format!("scatter_at: {operation:?} is no operation that it knows"),
            ));
        }
    };
    let values = value_argument(py, array, values)?;
    let selectors = match crate::index::read(array, indices)? {
        crate::index::Index::Basic(items) => items.into_iter().map(Selector::Item).collect(),
        crate::index::Index::Advanced(selectors) => selectors,
    };
    without_gil(py, &[array, &values], || {
        Selection::new(array, &selectors)?.update(op, &values)
    })
}

#[pymethods]
impl PyArray {
    /// Elements by their indices: :func:`colocate.take` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.asarray([10, 20, 30]).take([2, 0]).tolist()
    /// [30, 10]
    #[pyo3(signature = (indices, axis = None, *, mode = "raise"))]
    fn take(
        &self,
        indices: &Bound<'_, PyAny>,
        axis: Option<&Bound<'_, PyAny>>,
        mode: &str,
    ) -> PyResult<PyArray> {
        Ok(self.derive(indices.py(), taken(&self.inner, indices, axis, mode)?))
    }

    /// Assigns to elements as if there was one axis: :func:`colocate.put` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.zeros(3, dtype="int64")
    /// >>> x.put([1], 5)
    /// >>> x.tolist()
    /// [0, 5, 0]
    #[pyo3(signature = (indices, values, mode = "raise"))]
    fn put(
        slf: &Bound<'_, Self>,
        indices: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        mode: &str,
    ) -> PyResult<()> {
        put(slf.as_any(), indices, values, mode)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(take, module)?)?;
    module.add_function(wrap_pyfunction!(take_along_axis, module)?)?;
    module.add_function(wrap_pyfunction!(put_along_axis, module)?)?;
    module.add_function(wrap_pyfunction!(put, module)?)?;
    module.add_function(wrap_pyfunction!(scatter_at, module)?)
}
