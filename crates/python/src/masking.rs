//! Functions of what is true or not zero: `nonzero`, `compress`, `place` and their kin.

use crate::arguments::{array_argument, common_queue, result_kind};
use crate::array::PyArray;
use crate::conversion::{self, without_gil};
use crate::elementwise::check_safe;
use crate::errors::{Class, OrRaise, error};
use crate::index::{assign_where, values_argument};
use crate::taking::{changed_flat, flat, one_axis_or_flat, repeated};
use colocate_array::elementwise::{Call, Operand};
use colocate_array::selection::{Indices, Selection, Selector};
use colocate_array::{Array, Mode, compaction};
use colocate_dtype::{DType, index::Item};
use colocate_ir::Literal;
use colocate_kernels::elementwise::{Operation, Signature};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Where the elements are not zero, as a bool array.
fn truth(py: Python<'_>, array: &Array) -> PyResult<Array> {
    if array.dtype() == DType::Bool {
        return Ok(array.clone());
    }
    let dtype = array.dtype();
    let signature = Signature {
        operands: smallvec::smallvec![dtype, dtype],
        result: DType::Bool,
    };
    let operands = [Operand::Array(array), Operand::Scalar(Literal::zero(dtype))];
    let call = Call {
        operation: Some(Operation::NotEqual),
        signature: &signature,
        operands: &operands,
        mask: None,
    };
    without_gil(py, &[array], || call.run(array.queue(), array.kind()))
}

/// The indices of elements that are not zero: one array for each axis, in row-major order.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> rows, columns = cl.nonzero(cl.asarray([[0, 5], [6, 0]]))
/// >>> rows.tolist(), columns.tolist()
/// ([0, 1], [1, 0])
#[pyfunction]
#[pyo3(signature = (a))]
fn nonzero<'py>(a: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    let py = a.py();
    let x = array_argument("nonzero", "a", a)?;
    let found = nonzero_of(py, &x.get().inner)?;
    let found = found
        .into_iter()
        .map(|one| Bound::new(py, x.get().derive(py, one)))
        .collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, found)
}

fn nonzero_of(py: Python<'_>, array: &Array) -> PyResult<Vec<Array>> {
    if array.layout().ndim() == 0 {
        return Err(error(
            Class::InvalidArgumentError,
            "nonzero: a 0-d array has no axis to give indices along; reshape it to (1,) first",
        ));
    }
    let mask = truth(py, array)?;
    without_gil(py, &[&mask], || compaction::nonzero(&mask))
}

/// The indices of elements that are not zero, as if the array had one axis.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.flatnonzero(cl.asarray([[0, 5], [6, 0]])).tolist()
/// [1, 2]
#[pyfunction]
#[pyo3(signature = (a))]
fn flatnonzero(a: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let py = a.py();
    let x = array_argument("flatnonzero", "a", a)?;
    let found = nonzero_of(py, &flat(py, &x.get().inner)?)?.swap_remove(0);
    Ok(x.get().derive(py, found))
}

/// The indices of elements that are not zero, a row for each.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.argwhere(cl.asarray([[0, 5], [6, 0]])).tolist()
/// [[0, 1], [1, 0]]
#[pyfunction]
#[pyo3(signature = (a))]
fn argwhere(a: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let py = a.py();
    let x = array_argument("argwhere", "a", a)?;
    let array = &*x.get().inner;
    let rank = array.layout().ndim();
    let found = if rank == 0 {
        nonzero_of(py, &array.expanded(0).or_raise()?)?
    } else {
        nonzero_of(py, array)?
    };
    let (queue, kind) = (array.queue(), array.kind());
    let count = found[0].size();
    let rows = conversion::allocated(py, queue, || {
        Array::empty(&[count, rank], DType::Int64, kind, queue)
    })?;
    let all = Item::Slice {
        start: None,
        stop: None,
        step: 1,
    };
    for (axis, indices) in found.iter().enumerate().take(rank) {
        let column = rows.index(&[all, Item::At(axis as isize)]).or_raise()?;
        without_gil(py, &[&column, indices], || column.assign(indices))?;
    }
    Ok(x.get().derive(py, rows))
}

/// A condition as a bool array: ours, or host data, which then goes to the queue of `array`.
fn condition_argument(
    function: &str,
    (array_name, array): (&str, &Array),
    (name, condition): (&str, &Bound<'_, PyAny>),
) -> PyResult<Array> {
    let py = condition.py();
    if let Ok(own) = condition.cast::<PyArray>() {
        let own = &*own.get().inner;
        common_queue(function, &[(name, own), (array_name, array)])?;
        return truth(py, own);
    }
    let (data, dtype) = conversion::to_numpy(condition, Some(DType::Bool))?;
    conversion::upload(py, &data, dtype, array.queue(), array.kind())
}

/// The parts of an array along an axis where a condition is true.
///
/// The condition may be a NumPy array or a list, too, and shorter than the axis.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.compress([False, True], cl.asarray([[1, 2], [3, 4]]), axis=0).tolist()
/// [[3, 4]]
#[pyfunction]
#[pyo3(signature = (condition, a, axis = None))]
fn compress(
    condition: &Bound<'_, PyAny>,
    a: &Bound<'_, PyAny>,
    axis: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyArray> {
    let py = a.py();
    let x = array_argument("compress", "a", a)?;
    let array = &*x.get().inner;
    let condition = condition_argument("compress", ("a", array), ("condition", condition))?;
    if condition.layout().ndim() != 1 {
        return Err(error(
            Class::InvalidArgumentError,
            "compress: the condition must have 1 dimension",
        ));
    }
    let (array, axis) = one_axis_or_flat(py, "compress", array, axis)?;
    let kind = result_kind([&array, &condition]);
    let selected = without_gil(py, &[&array, &condition], || {
        let found = compaction::nonzero(&condition)?.swap_remove(0);
        let fits = condition.size() <= array.shape()[axis];
        let indices = Indices {
            array: found,
            range: fits.then_some((0, condition.size() as i64 - 1)),
        };
        Selection::along_axis(&array, axis, indices).gather(Mode::Raise, kind)
    })?;
    Ok(x.get().derive(py, beside_first(selected, &condition)))
}

/// The elements of an array where a condition is true, both as if they had one axis.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.asarray([[1, 2], [3, 4]])
/// >>> cl.extract(cl.asarray([[True, False], [False, True]]), x).tolist()
/// [1, 4]
#[pyfunction]
#[pyo3(signature = (condition, arr))]
fn extract(condition: &Bound<'_, PyAny>, arr: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let py = arr.py();
    let x = array_argument("extract", "arr", arr)?;
    let array = &*x.get().inner;
    let condition = flat(
        py,
        &condition_argument("extract", ("arr", array), ("condition", condition))?,
    )?;
    let array = flat(py, array)?;
    let kind = result_kind([&array, &condition]);
    let selected = without_gil(py, &[&array, &condition], || {
        if condition.size() == array.size() {
            return compaction::select(&array, &condition, kind);
        }
        let found = compaction::nonzero(&condition)?.swap_remove(0);
        let indices = Indices {
            array: found,
            range: None,
        };
        Selection::along_axis(&array, 0, indices).gather(Mode::Raise, kind)
    })?;
    Ok(x.get().derive(py, beside_first(selected, &condition)))
}

/// A result on the queue of the first argument, which is equivalent to its own (R3.1).
fn beside_first(result: Array, first: &Array) -> Array {
    result.on_queue(first.queue()).unwrap_or(result)
}

/// A mask for all elements of an array.
fn whole_mask(
    function: &str,
    (name, array): (&str, &Array),
    mask: &Bound<'_, PyAny>,
) -> PyResult<Array> {
    let py = mask.py();
    let mask = condition_argument(function, (name, array), ("mask", mask))?;
    if mask.size() != array.size() {
        return Err(error(
            Class::InvalidArgumentError,
            format!(
                "{function}: the mask has {} elements and the array {}, and must have as many",
                mask.size(),
                array.size()
            ),
        ));
    }
    without_gil(py, &[&mask], || mask.reshaped(array.shape()))
}

/// The values for elements where a mask is true; arrays must be of a dtype that fits into that of the array.
fn fitting_values(
    function: &str,
    array: &Array,
    (name, values): (&str, &Bound<'_, PyAny>),
) -> PyResult<Array> {
    if let Ok(own) = values.cast::<PyArray>() {
        check_safe(function, own.get().inner.dtype(), array.dtype())?;
    }
    values_argument(function, array, (name, values))
}

/// Sets the elements where a mask is true to the values one after another, again from the first if
/// there are too few.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.asarray([1, 2, 3, 4])
/// >>> cl.place(x, x > 1, [7, 8])
/// >>> x.tolist()
/// [1, 7, 8, 7]
#[pyfunction]
#[pyo3(signature = (arr, mask, vals))]
fn place(arr: &Bound<'_, PyAny>, mask: &Bound<'_, PyAny>, vals: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = arr.py();
    let x = array_argument("place", "arr", arr)?;
    let array = &*x.get().inner;
    let mask = whole_mask("place", ("arr", array), mask)?;
    let values = fitting_values("place", array, ("vals", vals))?;
    changed_flat(py, array, array.layout().ndim() == 0, |array| {
        let mask = mask.reshaped(array.shape()).or_raise()?;
        let selection = without_gil(py, &[array, &mask], || {
            Selection::new(array, &[Selector::Mask(mask.clone())])
        })?;
        let count = selection.index_shape.iter().product();
        if count == 0 {
            return Ok(());
        }
        let values = repeated(py, "place", &values, count)?;
        without_gil(py, &[array, &values], || {
            selection.scatter(&values, Mode::Raise)
        })
    })
}

/// Sets the elements where a mask is true to the values at the same places.
///
/// If there are fewer values than elements, they are repeated.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.asarray([1, 2, 3, 4])
/// >>> cl.putmask(x, x > 2, x * 10)
/// >>> x.tolist()
/// [1, 2, 30, 40]
#[pyfunction]
#[pyo3(signature = (a, mask, values))]
fn putmask(
    a: &Bound<'_, PyAny>,
    mask: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let py = a.py();
    let x = array_argument("putmask", "a", a)?;
    let array = &*x.get().inner;
    if !array.is_writable() {
        return Err(error(Class::ReadOnlyError, "the array is read-only"));
    }
    let mask = whole_mask("putmask", ("a", array), mask)?;
    let values = fitting_values("putmask", array, ("values", values))?;
    if array.size() == 0 || values.size() == 0 {
        return Ok(());
    }
    let values = repeated(py, "putmask", &values, array.size())?;
    let values = without_gil(py, &[&values], || values.reshaped(array.shape()))?;
    without_gil(py, &[array, &mask, &values], || {
        assign_where(array, &mask, &values)
    })
}

#[pymethods]
impl PyArray {
    /// The indices of elements that are not zero: :func:`colocate.nonzero` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.asarray([0, 4, 0, 5]).nonzero()[0].tolist()
    /// [1, 3]
    fn nonzero<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        nonzero(slf.as_any())
    }

    /// The parts along an axis where a condition is true: :func:`colocate.compress` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.asarray([1, 2, 3]).compress([True, False, True]).tolist()
    /// [1, 3]
    #[pyo3(signature = (condition, axis = None))]
    fn compress(
        slf: &Bound<'_, Self>,
        condition: &Bound<'_, PyAny>,
        axis: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyArray> {
        compress(condition, slf.as_any(), axis)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(nonzero, module)?)?;
    module.add_function(wrap_pyfunction!(flatnonzero, module)?)?;
    module.add_function(wrap_pyfunction!(argwhere, module)?)?;
    module.add_function(wrap_pyfunction!(compress, module)?)?;
    module.add_function(wrap_pyfunction!(extract, module)?)?;
    module.add_function(wrap_pyfunction!(place, module)?)?;
    module.add_function(wrap_pyfunction!(putmask, module)?)
}
