//! Functions that give another view of an array: shape, order of axes, broadcasting.
//!
//! Nothing here computes. `reshape` and `ravel` copy where no strides describe the result; all else
//! shares the memory of its argument.

use crate::arguments::{
    array_argument, axes_argument, axis_argument, lenient_axes_argument, shape_argument,
};
use crate::array::PyArray;
use crate::conversion;
use crate::errors::{Class, OrRaise, error};
use colocate_array::Array;
use colocate_dtype::{Dims, Layout, LayoutError, broadcast_shapes as meet};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use smallvec::SmallVec;

type Axes = SmallVec<[usize; 4]>;

/// The order in which `reshape` and `ravel` walk over elements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The last axis changes fastest.
    C,
    /// The first axis changes fastest.
    F,
}

/// Reads `order=`; "A" depends on how the array lies in memory.
pub fn order_argument(function: &str, order: Option<&str>, array: &Array) -> PyResult<Order> {
    let layout = array.layout();
    let order = order.unwrap_or("C");
    match order {
        "C" | "c" => Ok(Order::C),
        "F" | "f" => Ok(Order::F),
        "A" | "a" => Ok(if layout.is_f_contiguous() && !layout.is_c_contiguous() {
            Order::F
        } else {
            Order::C
        }),
        _ => Err(error(
            Class::InvalidArgumentError,
            format!("{function}: order={order:?}: write \"C\" or \"F\""),
        )),
    }
}

/// All elements along one axis without gaps, in an order; "K" is the order in which they lie in memory. A view
/// where they lie so already, unless a copy is asked for.
pub fn flattened(
    py: Python<'_>,
    function: &str,
    array: &Array,
    order: Option<&str>,
    copy: bool,
) -> PyResult<Array> {
    let size = [array.size()];
    let (turned, order) = match order {
        Some("K" | "k") => match array.layout().order_of_result() {
            Some(axes) => (array.permuted(&axes), Order::C),
            None => (array.clone(), Order::C),
        },
        _ => (array.clone(), order_argument(function, order, array)?),
    };
    let flat = reshaped(py, &turned, &size, order, copy.then_some(true))?;
    match flat.layout().is_c_contiguous() {
        true => Ok(flat),
        false => conversion::copied(py, &flat, flat.queue(), flat.kind()),
    }
}

/// A new shape for so many elements; one extent may be -1, which is then what is left.
pub fn reshape_argument(shape: &Bound<'_, PyAny>, size: usize) -> PyResult<Dims> {
    let number = |item: &Bound<'_, PyAny>| -> PyResult<isize> {
        item.extract::<isize>().map_err(|_| {
            let message = format!("reshape: {item} cannot be an extent of a shape");
            match item.is_instance_of::<PyInt>() {
                true => error(Class::InvalidArgumentError, message),
                false => error(Class::DTypeError, message),
            }
        })
    };
    let extents: SmallVec<[isize; 4]> = if shape.is_instance_of::<PyInt>() {
        smallvec::smallvec![number(shape)?]
    } else if let Ok(tuple) = shape.cast::<PyTuple>() {
        tuple
            .iter_borrowed()
            .map(|item| number(&item))
            .collect::<PyResult<_>>()?
    } else if let Ok(items) = shape.try_iter() {
        items.map(|item| number(&item?)).collect::<PyResult<_>>()?
    } else {
        smallvec::smallvec![number(shape)?]
    };
    let refuse = |why: String| Err(error(Class::InvalidArgumentError, why));
    let unknown = extents.iter().filter(|&&extent| extent == -1).count();
    if unknown > 1 {
        return refuse("reshape: only one extent can be -1".into());
    }
    if let Some(extent) = extents.iter().find(|&&extent| extent < -1) {
        return refuse(format!("reshape: {extent} cannot be an extent of a shape"));
    }
    let known = extents
        .iter()
        .filter(|&&extent| extent != -1)
        .try_fold(1usize, |product, &extent| {
            product.checked_mul(extent as usize)
        });
    let impossible = || {
        refuse(format!(
            "cannot reshape an array of size {size} into shape {extents:?}"
        ))
    };
    let Some(known) = known else {
        return impossible();
    };
    let rest = if unknown == 0 {
        if known != size {
            return impossible();
        }
        0
    } else if known == 0 || !size.is_multiple_of(known) {
        return impossible();
    } else {
        size / known
    };
    let fill = |&extent: &isize| {
        if extent == -1 { rest } else { extent as usize }
    };
    Ok(extents.iter().map(fill).collect())
}

/// The elements with another shape: a view, or by `copy` always or never a copy.
pub fn reshaped(
    py: Python<'_>,
    array: &Array,
    shape: &[usize],
    order: Order,
    copy: Option<bool>,
) -> PyResult<Array> {
    if order == Order::F {
        let backwards: Dims = shape.iter().rev().copied().collect();
        let turned = reshaped(py, &array.transposed(), &backwards, Order::C, copy)?;
        return Ok(turned.transposed());
    }
    if copy != Some(true)
        && let Some(view) = array.reshaped_view(shape)
    {
        return Ok(view);
    }
    if copy == Some(false) {
        return Err(error(
            Class::InvalidArgumentError,
            "reshape: copy=False, but no strides describe the new shape over the same memory",
        ));
    }
    let packed = conversion::copied(py, array, array.queue(), array.kind())?;
    packed.reshaped(shape).or_raise()
}

/// A permutation of all axes.
pub fn permutation_argument(
    function: &str,
    axes: Option<&Bound<'_, PyAny>>,
    ndim: usize,
) -> PyResult<Axes> {
    let Some(axes) = axes.filter(|axes| !axes.is_none()) else {
        return Ok((0..ndim).rev().collect());
    };
    let found = axes_argument(function, Some(axes), ndim)?;
    if found.len() != ndim {
        return Err(error(
            Class::InvalidArgumentError,
            format!(
                "{function}: {} axes are named, but the array has {ndim}",
                found.len()
            ),
        ));
    }
    Ok(found)
}

/// Without axes of extent 1: those named, or all.
pub fn squeezed(array: &Array, axis: Option<&Bound<'_, PyAny>>) -> PyResult<Array> {
    let shape = array.shape();
    let axes: Axes = match axis.filter(|axis| !axis.is_none()) {
        None => (0..shape.len()).filter(|&axis| shape[axis] == 1).collect(),
        Some(axis) => lenient_axes_argument("squeeze", Some(axis), shape.len())?,
    };
    if let Some(&wide) = axes.iter().find(|&&axis| shape[axis] != 1) {
        return Err(error(
            Class::InvalidArgumentError,
            format!(
                "squeeze: axis {wide} has extent {}, and only axes of extent 1 can be dropped",
                shape[wide]
            ),
        ));
    }
    Ok(array.squeezed(&axes))
}

/// Two axes exchanged.
pub fn swapped(
    array: &Array,
    axis1: &Bound<'_, PyAny>,
    axis2: &Bound<'_, PyAny>,
) -> PyResult<Array> {
    let ndim = array.layout().ndim();
    let axis1 = axis_argument("swapaxes", axis1, ndim)?;
    let axis2 = axis_argument("swapaxes", axis2, ndim)?;
    let mut axes: Axes = (0..ndim).collect();
    axes.swap(axis1, axis2);
    Ok(array.permuted(&axes))
}

/// The last two axes exchanged.
pub fn matrix_transposed(function: &str, array: &Array) -> PyResult<Array> {
    let ndim = array.layout().ndim();
    if ndim < 2 {
        return Err(error(
            Class::InvalidArgumentError,
            format!("{function}: the array has {ndim} dimensions, and a matrix has at least 2"),
        ));
    }
    let mut axes: Axes = (0..ndim).collect();
    axes.swap(ndim - 2, ndim - 1);
    Ok(array.permuted(&axes))
}

/// A diagonal of the matrices in two axes; read-only, as in NumPy.
pub fn diagonal_view(
    array: &Array,
    offset: isize,
    axis1: Option<&Bound<'_, PyAny>>,
    axis2: Option<&Bound<'_, PyAny>>,
) -> PyResult<Array> {
    let ndim = array.layout().ndim();
    let refuse = |why: &str| Err(error(Class::InvalidArgumentError, why));
    if ndim < 2 {
        return refuse("diagonal: an array of at least 2 dimensions has one");
    }
    let named = |axis: Option<&Bound<'_, PyAny>>, default: usize| match axis {
        Some(axis) => axis_argument("diagonal", axis, ndim),
        None => Ok(default),
    };
    let (axis1, axis2) = (named(axis1, 0)?, named(axis2, 1)?);
    if axis1 == axis2 {
        return refuse("diagonal: axis1 and axis2 must be different");
    }
    Ok(array.diagonal(offset, axis1, axis2).read_only())
}

/// The shape that several have in common.
pub fn common_shape<'a>(
    shapes: impl IntoIterator<Item = &'a [usize]>,
) -> Result<Dims, LayoutError> {
    let mut shapes = shapes.into_iter();
    shapes.try_fold(Dims::new(), |all, shape| meet(&all, shape))
}

/// The elements of an array, in order, with another shape.
///
/// A view where strides describe it, else a copy.
///
/// Parameters
/// ----------
/// a : array
/// shape : int or sequence of int
///     One extent may be -1: what is left for it.
/// order : {"C", "F", "A"}
///     Which axis changes fastest, in ``a`` as in the result: the last or the first. "A" takes "F"
///     for an array that is Fortran-contiguous in memory.
/// copy : bool, optional
///     ``True`` always copies, ``False`` raises ``ValueError`` where a copy is needed.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.asarray([1, 2, 3, 4, 5, 6])
/// >>> cl.reshape(x, (2, -1)).tolist()
/// [[1, 2, 3], [4, 5, 6]]
/// >>> cl.reshape(x, (2, 3), order="F").tolist()
/// [[1, 3, 5], [2, 4, 6]]
#[pyfunction]
#[pyo3(signature = (a, shape, order = "C", *, copy = None))]
fn reshape(
    a: &Bound<'_, PyAny>,
    shape: &Bound<'_, PyAny>,
    order: Option<&str>,
    copy: Option<bool>,
) -> PyResult<PyArray> {
    let x = array_argument("reshape", "a", a)?;
    let array = &*x.get().inner;
    let order = order_argument("reshape", order, array)?;
    let shape = reshape_argument(shape, array.size())?;
    Ok(PyArray::view_or_copy(
        x,
        reshaped(x.py(), array, &shape, order, copy)?,
    ))
}

/// The axes in another order, as a view.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.permute_dims(cl.ones((2, 3, 4)), (2, 0, 1)).shape
/// (4, 2, 3)
#[pyfunction]
#[pyo3(signature = (a, axes = None))]
fn permute_dims(a: &Bound<'_, PyAny>, axes: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
    let x = array_argument("permute_dims", "a", a)?;
    let array = &*x.get().inner;
    let axes = permutation_argument("permute_dims", axes, array.layout().ndim())?;
    Ok(PyArray::view_or_copy(x, array.permuted(&axes)))
}

/// The axes in another order, as a view; reversed, if none is given.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.transpose(cl.ones((2, 3, 4))).shape
/// (4, 3, 2)
#[pyfunction]
#[pyo3(signature = (a, axes = None))]
fn transpose(a: &Bound<'_, PyAny>, axes: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
    let x = array_argument("transpose", "a", a)?;
    let array = &*x.get().inner;
    let axes = permutation_argument("transpose", axes, array.layout().ndim())?;
    Ok(PyArray::view_or_copy(x, array.permuted(&axes)))
}

/// The last two axes exchanged, as a view.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.matrix_transpose(cl.ones((2, 3, 4))).shape
/// (2, 4, 3)
#[pyfunction]
#[pyo3(signature = (x, /))]
fn matrix_transpose(x: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let x = array_argument("matrix_transpose", "x", x)?;
    let view = matrix_transposed("matrix_transpose", &x.get().inner)?;
    Ok(PyArray::view_or_copy(x, view))
}

/// New axes of extent 1 at these positions of the result, as a view.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.expand_dims(cl.ones((2, 3)), axis=-1).shape
/// (2, 3, 1)
/// >>> cl.expand_dims(cl.ones(2), axis=(0, 2)).shape
/// (1, 2, 1)
#[pyfunction]
#[pyo3(signature = (a, axis = None))]
fn expand_dims(a: &Bound<'_, PyAny>, axis: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
    let x = array_argument("expand_dims", "a", a)?;
    let mut view = x.get().inner.clone();
    let mut axes: Axes = match axis.filter(|axis| !axis.is_none()) {
        None => smallvec::smallvec![0],
        Some(axis) => {
            // Positions are counted in the result, which has the new axes, too.
            let count = if axis.is_instance_of::<PyInt>() {
                1
            } else {
                axis.len().unwrap_or(1)
            };
            axes_argument("expand_dims", Some(axis), view.layout().ndim() + count)?
        }
    };
    axes.sort_unstable();
    for axis in axes {
        view = view.expanded(axis).or_raise()?;
    }
    Ok(PyArray::view_or_copy(x, view))
}

/// Without axes of extent 1: those named, or all of them. A view.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.squeeze(cl.ones((1, 3, 1)), axis=0).shape
/// (3, 1)
#[pyfunction]
#[pyo3(signature = (a, axis = None))]
fn squeeze(a: &Bound<'_, PyAny>, axis: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
    let x = array_argument("squeeze", "a", a)?;
    Ok(PyArray::view_or_copy(x, squeezed(&x.get().inner, axis)?))
}

/// The order of elements reversed along some axes, or all. A view.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.flip(cl.asarray([[1, 2], [3, 4]]), axis=1).tolist()
/// [[2, 1], [4, 3]]
#[pyfunction]
#[pyo3(signature = (m, axis = None))]
fn flip(m: &Bound<'_, PyAny>, axis: Option<&Bound<'_, PyAny>>) -> PyResult<PyArray> {
    let x = array_argument("flip", "m", m)?;
    let array = &*x.get().inner;
    let axes = axes_argument("flip", axis, array.layout().ndim())?;
    Ok(PyArray::view_or_copy(x, array.flipped(&axes)))
}

/// Axes moved to other positions; the rest keep their order. A view.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.moveaxis(cl.ones((2, 3, 4)), 0, -1).shape
/// (3, 4, 2)
#[pyfunction]
#[pyo3(signature = (a, source, destination))]
fn moveaxis(
    a: &Bound<'_, PyAny>,
    source: &Bound<'_, PyAny>,
    destination: &Bound<'_, PyAny>,
) -> PyResult<PyArray> {
    let x = array_argument("moveaxis", "a", a)?;
    let array = &*x.get().inner;
    let ndim = array.layout().ndim();
    for axes in [source, destination] {
        if axes.is_none() {
            // Elsewhere that means all axes.
            axis_argument("moveaxis", axes, ndim)?;
        }
    }
    let source = axes_argument("moveaxis", Some(source), ndim)?;
    let destination = axes_argument("moveaxis", Some(destination), ndim)?;
    if source.len() != destination.len() {
        return Err(error(
            Class::InvalidArgumentError,
            format!(
                "moveaxis: {} axes are to go to {} positions",
                source.len(),
                destination.len()
            ),
        ));
    }
    let mut rest = (0..ndim).filter(|axis| !source.contains(axis));
    let axes: Axes = (0..ndim)
        .map(
            |position| match destination.iter().position(|&to| to == position) {
                Some(which) => source[which],
                None => rest.next().expect("as many axes as positions are left"),
            },
        )
        .collect();
    Ok(PyArray::view_or_copy(x, array.permuted(&axes)))
}

/// Two axes exchanged, as a view.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.swapaxes(cl.ones((2, 3, 4)), 0, 2).shape
/// (4, 3, 2)
#[pyfunction]
#[pyo3(signature = (a, axis1, axis2))]
fn swapaxes(
    a: &Bound<'_, PyAny>,
    axis1: &Bound<'_, PyAny>,
    axis2: &Bound<'_, PyAny>,
) -> PyResult<PyArray> {
    let x = array_argument("swapaxes", "a", a)?;
    Ok(PyArray::view_or_copy(
        x,
        swapped(&x.get().inner, axis1, axis2)?,
    ))
}

/// An array repeated to a larger shape without a copy, by the rules of broadcasting; read-only.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.broadcast_to(cl.asarray([1, 2]), (3, 2)).tolist()
/// [[1, 2], [1, 2], [1, 2]]
#[pyfunction]
#[pyo3(signature = (array, shape, subok = false))]
fn broadcast_to(
    array: &Bound<'_, PyAny>,
    shape: &Bound<'_, PyAny>,
    subok: bool,
) -> PyResult<PyArray> {
    // There are no subclasses that views could be of; NumPy's callers name it all the same.
    let _ = subok;
    let x = array_argument("broadcast_to", "array", array)?;
    let array = &*x.get().inner;
    let shape = shape_argument(shape)?;
    Layout::contiguous(&shape, array.dtype().itemsize()).or_raise()?;
    Ok(PyArray::view_or_copy(
        x,
        array.broadcast_to(&shape).or_raise()?,
    ))
}

/// Arrays repeated to the shape they have in common, without copies; read-only.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x, y = cl.broadcast_arrays(cl.ones((3, 1)), cl.ones(2))
/// >>> x.shape, y.shape
/// ((3, 2), (3, 2))
#[pyfunction]
#[pyo3(signature = (*args, subok = false))]
fn broadcast_arrays<'py>(args: &Bound<'py, PyTuple>, subok: bool) -> PyResult<Bound<'py, PyTuple>> {
    // There are no subclasses that views could be of; NumPy's callers name it all the same.
    let _ = subok;
    let py = args.py();
    let arrays: Vec<Bound<'py, PyAny>> = args.iter().collect();
    let arrays = arrays
        .iter()
        .enumerate()
        .map(|(position, object)| {
            array_argument("broadcast_arrays", &format!("arrays[{position}]"), object)
        })
        .collect::<PyResult<Vec<_>>>()?;
    let names: Vec<String> = (0..arrays.len()).map(|n| format!("arrays[{n}]")).collect();
    let placed: Vec<(&str, &Array)> = names
        .iter()
        .zip(&arrays)
        .map(|(name, array)| (name.as_str(), &*array.get().inner))
        .collect();
    crate::arguments::common_queue("broadcast_arrays", &placed)?;
    let shape = common_shape(placed.iter().map(|(_, array)| array.shape())).or_raise()?;
    let views = arrays
        .iter()
        .map(|x| {
            let array = &*x.get().inner;
            if array.shape() == shape.as_slice() {
                return Ok((*x).clone());
            }
            Bound::new(
                py,
                PyArray::view_or_copy(x, array.broadcast_to(&shape).or_raise()?),
            )
        })
        .collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(py, views)
}

/// The shape that shapes have in common by the rules of broadcasting.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.broadcast_shapes((3, 1), 2, (1, 1, 2))
/// (1, 3, 2)
#[pyfunction]
#[pyo3(signature = (*shapes))]
fn broadcast_shapes<'py>(shapes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyTuple>> {
    let given = shapes
        .iter()
        .map(|shape| shape_argument(&shape))
        .collect::<PyResult<Vec<Dims>>>()?;
    let shape = common_shape(given.iter().map(|shape| shape.as_slice())).or_raise()?;
    PyTuple::new(shapes.py(), shape)
}

/// All elements along one axis: a view where strides describe it, else a copy.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.ravel(cl.asarray([[1, 2], [3, 4]]), order="F").tolist()
/// [1, 3, 2, 4]
#[pyfunction]
#[pyo3(signature = (a, order = "C"))]
fn ravel(a: &Bound<'_, PyAny>, order: Option<&str>) -> PyResult<PyArray> {
    let x = array_argument("ravel", "a", a)?;
    let flat = flattened(x.py(), "ravel", &x.get().inner, order, false)?;
    Ok(PyArray::view_or_copy(x, flat))
}

/// The elements whose index along ``axis2`` is ``offset`` more than along ``axis1``.
///
/// The two axes are dropped, and the diagonal runs along a new last one. A read-only view.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.diagonal(cl.asarray([[1, 2], [3, 4]])).tolist()
/// [1, 4]
#[pyfunction]
#[pyo3(signature = (a, offset = 0, axis1 = None, axis2 = None))]
fn diagonal(
    a: &Bound<'_, PyAny>,
    offset: isize,
    axis1: Option<&Bound<'_, PyAny>>,
    axis2: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyArray> {
    let x = array_argument("diagonal", "a", a)?;
    let view = diagonal_view(&x.get().inner, offset, axis1, axis2)?;
    Ok(PyArray::view_or_copy(x, view))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(reshape, module)?)?;
    module.add_function(wrap_pyfunction!(permute_dims, module)?)?;
    module.add_function(wrap_pyfunction!(transpose, module)?)?;
    module.add_function(wrap_pyfunction!(matrix_transpose, module)?)?;
    module.add_function(wrap_pyfunction!(expand_dims, module)?)?;
    module.add_function(wrap_pyfunction!(squeeze, module)?)?;
    module.add_function(wrap_pyfunction!(flip, module)?)?;
    module.add_function(wrap_pyfunction!(moveaxis, module)?)?;
    module.add_function(wrap_pyfunction!(swapaxes, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast_to, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast_shapes, module)?)?;
    module.add_function(wrap_pyfunction!(ravel, module)?)?;
    module.add_function(wrap_pyfunction!(diagonal, module)?)
}
