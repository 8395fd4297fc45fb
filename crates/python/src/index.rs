//! What stands between the brackets of `x[...]`.
//!
//! Integers, slices, `...` and `None` make views. With index arrays or masks among them the elements
//! are gathered, or assigned to. Index arrays may be NumPy's and lists, too (R3.5).

use crate::arguments::{common_queue, no_array, result_kind};
use crate::array::PyArray;
use crate::config;
use crate::conversion::{self, to_numpy, without_gil};
use crate::errors::{Class, error};
use crate::placement;
use crate::scalars::{Scalar, scalar_from_object};
use colocate_array::elementwise::{self, Call, Operand};
use colocate_array::selection::{Indices, Selection, Selector};
use colocate_array::{Array, Mode, compaction};
use colocate_dtype::index::Item;
use colocate_dtype::{DType, Kind};
use colocate_ir::interpret;
use colocate_kernels::elementwise::Signature;
use colocate_runtime::UsmKind;
use numpy::{PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyEllipsis, PyInt, PySlice, PyString, PyTuple, PyType};
use smallvec::SmallVec;

/// The items of a basic index.
pub type Items = SmallVec<[Item; 4]>;

/// An index, read.
pub enum Index {
    /// A view.
    Basic(Items),
    /// With index arrays or masks.
    Advanced(Vec<Selector>),
}

/// Reads an index of an array.
pub fn read(array: &Array, index: &Bound<'_, PyAny>) -> PyResult<Index> {
    let Ok(tuple) = index.cast::<PyTuple>() else {
        return Ok(match basic_item(index)? {
            Some(item) => Index::Basic(smallvec::smallvec![item]),
            None => Index::Advanced(vec![selector(array, index)?]),
        });
    };
    let mut items = Items::new();
    for object in tuple.iter_borrowed() {
        match basic_item(&object)? {
            Some(item) => items.push(item),
            None => return advanced(array, tuple),
        }
    }
    Ok(Index::Basic(items))
}

/// The item of an index that is an integer or a slice; `None` for all others.
pub fn single(index: &Bound<'_, PyAny>) -> PyResult<Option<Item>> {
    let plain = index.is_exact_instance_of::<PyInt>() || index.is_exact_instance_of::<PySlice>();
    if plain { basic_item(index) } else { Ok(None) }
}

/// The items of an index that makes a view, and nothing else.
pub fn basic_items(index: &Bound<'_, PyTuple>) -> PyResult<Items> {
    let read = |object: Bound<'_, PyAny>| match basic_item(&object)? {
        Some(item) => Ok(item),
        None if object.hasattr("__index__")? => at(&object),
        None => Err(no_index(&object.repr()?.to_string())),
    };
    index.iter().map(read).collect()
}

fn advanced(array: &Array, tuple: &Bound<'_, PyTuple>) -> PyResult<Index> {
    let read = |object: Bound<'_, PyAny>| match basic_item(&object)? {
        Some(item) => Ok(Selector::Item(item)),
        None => selector(array, &object),
    };
    let selectors: Vec<Selector> = tuple.iter().map(read).collect::<PyResult<_>>()?;
    // What looked like an array may have been an integer after all.
    let basic: Option<Items> = selectors
        .iter()
        .map(|selector| match selector {
            Selector::Item(item) => Some(*item),
            _ => None,
        })
        .collect();
    Ok(basic.map_or(Index::Advanced(selectors), Index::Basic))
}

/// An item that makes a view; `None` for what may be an index array.
fn basic_item(item: &Bound<'_, PyAny>) -> PyResult<Option<Item>> {
    if item.is_exact_instance_of::<PyInt>() {
        return at(item).map(Some);
    }
    if let Ok(slice) = item.cast::<PySlice>() {
        if let Some(item) = unpacked(slice) {
            return Ok(Some(item));
        }
        let end = |name: &str| -> PyResult<Option<isize>> {
            let value = slice.getattr(name)?;
            if value.is_none() {
                Ok(None)
            } else {
                clamped(&value).map(Some)
            }
        };
        return Ok(Some(Item::Slice {
            start: end("start")?,
            stop: end("stop")?,
            step: end("step")?.unwrap_or(1),
        }));
    }
    if item.is_none() {
        return Ok(Some(Item::NewAxis));
    }
    if item.is_instance_of::<PyEllipsis>() {
        return Ok(Some(Item::Ellipsis));
    }
    Ok(None)
}

/// A slice as Python reads it, with ends that fit; `None` where it would raise.
fn unpacked(slice: &Bound<'_, PySlice>) -> Option<Item> {
    let (mut start, mut stop, mut step) = (0, 0, 0);
    // SAFETY: a slice, and places for three integers.
    let failed =
        unsafe { ffi::PySlice_Unpack(slice.as_ptr(), &mut start, &mut stop, &mut step) } < 0;
    if failed {
        // Ours says which index it was.
        drop(PyErr::take(slice.py()));
        return None;
    }
    Some(Item::Slice {
        start: Some(start),
        stop: Some(stop),
        step,
    })
}

/// An integer index; one that does not even fit in 64 bits is out of bounds of anything.
fn at(item: &Bound<'_, PyAny>) -> PyResult<Item> {
    if let Ok(index) = item.extract::<isize>() {
        return Ok(Item::At(index));
    }
    let integer = item.call_method0("__index__")?;
    match integer.extract::<isize>() {
        Ok(index) => Ok(Item::At(index)),
        Err(_) => Err(error(
            Class::ArrayIndexError,
            format!("index {integer} is out of bounds"),
        )),
    }
}

/// The integer, or the nearest that fits: for a slice's ends that is what Python does, and as an
/// index it is out of bounds either way.
fn clamped(value: &Bound<'_, PyAny>) -> PyResult<isize> {
    if let Ok(index) = value.extract::<isize>() {
        return Ok(index);
    }
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

/// Whether an object is of NumPy's bool type.
fn is_numpy_bool(item: &Bound<'_, PyAny>) -> PyResult<bool> {
    static BOOL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    item.is_instance(BOOL.import(item.py(), "numpy", "bool")?)
}

/// What is no basic item: a truth value, an index array, a mask, or an integer in disguise.
fn selector(array: &Array, item: &Bound<'_, PyAny>) -> PyResult<Selector> {
    if let Ok(own) = item.cast::<PyArray>() {
        let index = &*own.get().inner;
        common_queue("x[index]", &[("x", array), ("index", index)])?;
        return match (index.dtype().kind(), index.layout().ndim()) {
            (Kind::Bool, 0) => Ok(Selector::Truth(item.is_truthy()?)),
            (Kind::Bool, _) => Ok(Selector::Mask(index.clone())),
            (Kind::Int | Kind::UInt, 0) => at(item).map(Selector::Item),
            (Kind::Int | Kind::UInt, _) => Ok(Selector::Indices(Indices {
                array: index.clone(),
                range: None,
            })),
            _ => Err(no_index(&format!("an array of dtype {}", index.dtype()))),
        };
    }
    if item.is_instance_of::<PyBool>() || is_numpy_bool(item)? {
        return Ok(Selector::Truth(item.is_truthy()?));
    }
    if item.is_instance_of::<PyString>() {
        return Err(no_index(&item.repr()?.to_string()));
    }
    if !item.is_instance_of::<PyUntypedArray>()
        && item.hasattr("__index__")?
        && let Ok(item) = at(item)
    {
        return Ok(Selector::Item(item));
    }
    if !item.is_instance_of::<PyUntypedArray>() && item.len().is_err() {
        return Err(no_index(&item.repr()?.to_string()));
    }
    match host_indices(array, item)? {
        HostIndices::Mask(mask) if mask.layout().ndim() > 0 => Ok(Selector::Mask(mask)),
        HostIndices::Mask(_) => Ok(Selector::Truth(item.is_truthy()?)),
        HostIndices::Indices(indices) if indices.array.layout().ndim() > 0 => {
            Ok(Selector::Indices(indices))
        }
        HostIndices::Indices(_) => at(item).map(Selector::Item),
    }
}

fn no_index(what: &str) -> PyErr {
    error(
        Class::ArrayIndexError,
        format!(
            "{what} cannot be an index: integers, slices, '...', None, and arrays of integers or bools can"
        ),
    )
}

enum HostIndices {
    Mask(Array),
    Indices(Indices),
}

/// Indices in host memory, brought to an array's queue.
fn host_indices(array: &Array, item: &Bound<'_, PyAny>) -> PyResult<HostIndices> {
    let py = item.py();
    let (data, dtype) = to_numpy(item, None).map_err(|_| {
        let what = item
            .repr()
            .map_or_else(|_| "this".into(), |text| text.to_string());
        no_index(&what)
    })?;
    let (queue, kind) = (array.queue(), array.kind());
    let is_list = !item.is_instance_of::<PyUntypedArray>();
    if dtype == DType::Bool {
        let mask = conversion::upload(py, &data, dtype, queue, kind)?;
        return Ok(HostIndices::Mask(mask));
    }
    let is_integer = matches!(dtype.kind(), Kind::Int | Kind::UInt);
    let is_empty_list = is_list && data.is_empty();
    if !is_integer && !is_empty_list {
        return Err(no_index(&format!("an array of dtype {dtype}")));
    }
    let (data, _) = to_numpy(data.as_any(), Some(DType::Int64))?;
    let range = range_of(&data)?;
    let array = conversion::upload(py, &data, DType::Int64, queue, kind)?;
    Ok(HostIndices::Indices(Indices { array, range }))
}

/// The least and the greatest of int64 elements.
fn range_of(data: &Bound<'_, PyUntypedArray>) -> PyResult<Option<(i64, i64)>> {
    let data = data.cast::<numpy::PyArrayDyn<i64>>()?.try_readonly();
    let Ok(data) = data else { return Ok(None) };
    let view = data.as_array();
    let mut numbers = view.iter().copied();
    let Some(first) = numbers.next() else {
        return Ok(None);
    };
    Ok(Some(
        numbers.fold((first, first), |(least, greatest), number| {
            (least.min(number), greatest.max(number))
        }),
    ))
}

/// What brackets refuse with an ``IndexError`` functions refuse as something that they cannot convert.
fn refused_by_function(object: &Bound<'_, PyAny>, why: PyErr) -> PyErr {
    let py = object.py();
    match why.is_instance_of::<PyIndexError>(py) {
        true => error(Class::DTypeError, why.value(py).to_string()),
        false => why,
    }
}

/// Index arrays for a function: ours on an equivalent queue, or host data of integers; bools are 0 and 1.
pub fn indices_argument(
    function: &str,
    (array_name, array): (&str, &Array),
    (name, object): (&str, &Bound<'_, PyAny>),
) -> PyResult<Indices> {
    let (index, range) = match object.cast::<PyArray>() {
        Ok(own) => (own.get().inner.clone(), None),
        Err(_) => {
            match host_indices(array, object).map_err(|why| refused_by_function(object, why))? {
                HostIndices::Indices(indices) => (indices.array, indices.range),
                HostIndices::Mask(mask) => (mask, Some((0, 1))),
            }
        }
    };
    common_queue(function, &[(array_name, array), (name, &index)])?;
    let index = match index.dtype().kind() {
        Kind::Int | Kind::UInt => index,
        Kind::Bool => without_gil(object.py(), &[&index], || {
            elementwise::converted(&index, DType::Int64, index.kind())
        })?,
        _ => {
            return Err(error(
                Class::DTypeError,
                format!("{function}: indices are integers, not {}", index.dtype()),
            ));
        }
    };
    Ok(Indices {
        array: index,
        range,
    })
}

/// The same for a function that takes indices as brackets do: of integers only.
pub fn integers_argument(
    function: &str,
    (array_name, array): (&str, &Array),
    (name, object): (&str, &Bound<'_, PyAny>),
) -> PyResult<Array> {
    let no_integers = |dtype: DType| {
        error(
            Class::ArrayIndexError,
            format!("{function}: indices are integers, not {dtype}"),
        )
    };
    if let Ok(own) = object.cast::<PyArray>() {
        let index = &*own.get().inner;
        common_queue(function, &[(array_name, array), (name, index)])?;
        if !matches!(index.dtype().kind(), Kind::Int | Kind::UInt) {
            return Err(no_integers(index.dtype()));
        }
        return Ok(index.clone());
    }
    match host_indices(array, object)? {
        HostIndices::Indices(indices) => Ok(indices.array),
        HostIndices::Mask(_) => Err(no_integers(DType::Bool)),
    }
}

/// The arrays that an index holds.
fn arrays_of(selectors: &[Selector]) -> impl Iterator<Item = &Array> {
    selectors.iter().filter_map(|selector| match selector {
        Selector::Mask(mask) => Some(mask),
        Selector::Indices(indices) => Some(&indices.array),
        _ => None,
    })
}

/// Says that USM types are mixed, if that is wanted (R3.2).
fn warn(py: Python<'_>, arrays: &[&Array]) -> PyResult<()> {
    if !config::warn_on_mixed_usm() {
        return Ok(());
    }
    let kinds: SmallVec<[UsmKind; 4]> = arrays.iter().map(|array| array.kind()).collect();
    placement::warn_about_mixture(py, &kinds)
}

/// A mask that stands alone, or with nothing after it that says more.
fn sole_mask<'a>(array: &Array, selectors: &'a [Selector]) -> Option<&'a Array> {
    let [Selector::Mask(mask), rest @ ..] = selectors else {
        return None;
    };
    let says_nothing = |selector: &Selector| matches!(selector, Selector::Item(Item::Ellipsis));
    let rank = mask.layout().ndim();
    let fits = rank <= array.layout().ndim() && mask.shape() == &array.shape()[..rank];
    (fits && rest.len() < 2 && rest.iter().all(says_nothing)).then_some(mask)
}

/// The elements that an index with arrays or masks selects.
pub fn gather(py: Python<'_>, array: &Array, selectors: &[Selector]) -> PyResult<Array> {
    let arrays: SmallVec<[&Array; 4]> =
        std::iter::once(array).chain(arrays_of(selectors)).collect();
    warn(py, &arrays)?;
    let kind = result_kind(arrays.iter().copied());
    let sole = sole_mask(array, selectors);
    without_gil(py, &arrays, || match sole {
        Some(mask) => compaction::select(array, mask, kind),
        None => Selection::new(array, selectors)?.gather(Mode::Raise, kind),
    })
}

/// What is assigned, as an array on the target's queue.
pub fn value_argument(py: Python<'_>, target: &Array, value: &Bound<'_, PyAny>) -> PyResult<Array> {
    let (dtype, queue) = (target.dtype(), target.queue());
    // NumPy refuses to drop an imaginary part, and knows of floats that are no integers; it may say so itself.
    if let Some(scalar) = scalar_from_object(value)?
        && (dtype.kind() == Kind::Complex || scalar.own_dtype().kind() != Kind::Complex)
        && !(matches!(dtype.kind(), Kind::Int | Kind::UInt) && matches!(scalar, Scalar::Float(_)))
    {
        let element = interpret::Scalar::from_literal(scalar.literal(dtype)?).to_bytes();
        return conversion::allocated(py, queue, || {
            Array::full(&[], dtype, UsmKind::Device, queue, &element)
        });
    }
    conversion::assigned_value(py, target, value)
}

/// The same for an argument of a function, which a refusal names.
pub fn values_argument(
    function: &str,
    target: &Array,
    (name, values): (&str, &Bound<'_, PyAny>),
) -> PyResult<Array> {
    if let Ok(host) = values.cast::<PyUntypedArray>()
        && host.ndim() > 0
    {
        return Err(no_array(function, name, values));
    }
    value_argument(values.py(), target, values)
}

/// Assigns to the elements that an index with arrays or masks selects.
pub fn scatter(
    py: Python<'_>,
    array: &Array,
    selectors: &[Selector],
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    if !array.is_writable() {
        return Err(error(Class::ReadOnlyError, "the array is read-only"));
    }
    let values = value_argument(py, array, value)?;
    let arrays: SmallVec<[&Array; 4]> = [array, &values]
        .into_iter()
        .chain(arrays_of(selectors))
        .collect();
    if value.is_instance_of::<PyArray>() {
        warn(py, &arrays)?;
    }
    let sole = sole_mask(array, selectors).filter(|_| values.layout().ndim() == 0);
    without_gil(py, &arrays, || match sole {
        Some(mask) => assign_where(array, mask, &values),
        None => Selection::new(array, selectors)?.scatter(&values, Mode::Raise),
    })
}

/// Assigns where a mask over the first axes is true.
pub fn assign_where(array: &Array, mask: &Array, values: &Array) -> colocate_array::Result<()> {
    let mut mask = mask.clone();
    while mask.layout().ndim() < array.layout().ndim() {
        mask = mask.expanded(mask.layout().ndim())?;
    }
    let signature = Signature {
        operands: smallvec::smallvec![values.dtype()],
        result: array.dtype(),
    };
    let call = Call {
        operation: None,
        signature: &signature,
        operands: &[Operand::Array(values)],
        mask: Some(&mask),
    };
    call.run_into(array)
}
