//! Lists of numbers, and lists of lists and of tuples of numbers, as arguments of jit functions.
//!
//! Most lists hold what their first item is, so that is tried first: then one pass over the items gives their memory.

use crate::captured_values::numpy_scalar;
use colocate_dtype::DType;
use colocate_frontend::ir::interpret::Scalar;
use colocate_frontend::program::ListItem;
use colocate_jit::{Value, scalar_bytes, words_of_bytes};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyList, PyTuple};
use std::collections::HashSet;

/// Up to so many lists without numbers are kept one by one.
const MOST_EMPTY: usize = 64;

/// A list, taken apart.
pub struct Taken<'py> {
    pub item: ListItem,
    pub value: Value,
    /// The lists in it, each before those inside it.
    pub lists: Vec<Bound<'py, PyList>>,
}

/// What the items of a list are; nothing is known of an empty one.
#[derive(Clone, PartialEq)]
enum Found {
    Nothing,
    Number(DType, bool),
    Tuple(Vec<Found>),
    List(Box<Found>),
}

impl Found {
    fn join(&self, other: &Found) -> Option<Found> {
        Some(match (self, other) {
            (Found::Nothing, found) | (found, Found::Nothing) => found.clone(),
            (Found::Number(..), Found::Number(..)) if self == other => self.clone(),
            (Found::Tuple(a), Found::Tuple(b)) if a.len() == b.len() => {
                let pairs = a.iter().zip(b);
                Found::Tuple(pairs.map(|(a, b)| a.join(b)).collect::<Option<_>>()?)
            }
            (Found::List(a), Found::List(b)) => Found::List(Box::new(a.join(b)?)),
            _ => return None,
        })
    }

    /// Whether there are lists only, and nothing in them.
    fn is_nothing(&self) -> bool {
        match self {
            Found::Nothing => true,
            Found::List(inner) => inner.is_nothing(),
            Found::Number(..) | Found::Tuple(_) => false,
        }
    }

    fn item(&self) -> ListItem {
        match self {
            Found::Nothing => ListItem::Scalar {
                dtype: DType::Int64,
                weak: true,
            },
            Found::Number(dtype, weak) => ListItem::Scalar {
                dtype: *dtype,
                weak: *weak,
            },
            Found::Tuple(items) => ListItem::Tuple(items.iter().map(Found::item).collect()),
            Found::List(inner) => ListItem::List(Box::new(inner.item())),
        }
    }
}

/// Takes a list apart whose items are lists or tuples, all of one type; nothing if it is another.
pub fn taken_apart<'py>(list: &Bound<'py, PyList>) -> PyResult<Option<Taken<'py>>> {
    let mut seen = Seen::default();
    let Some((found, value)) = whole(list.as_any(), &mut seen)? else {
        return Ok(None);
    };
    Ok(match found {
        // As an array it is one of floats, which lists that are kept one by one know of themselves.
        Found::List(inner) if inner.is_nothing() && seen.lists.len() <= MOST_EMPTY => None,
        Found::List(inner) => Some(Taken {
            item: inner.item(),
            value,
            lists: seen.lists,
        }),
        _ => None,
    })
}

/// The lists that were met, each of which may be there once: the same list twice would become two.
#[derive(Default)]
struct Seen<'py> {
    lists: Vec<Bound<'py, PyList>>,
    addresses: HashSet<usize>,
}

/// The items of a list as they lie in an array, if all are floats, or all are ints that int64 holds.
pub fn plain_numbers(list: &Bound<'_, PyList>) -> Option<(DType, Vec<u8>)> {
    let first = list.get_item(0).ok()?;
    if first.is_exact_instance_of::<PyFloat>() {
        // SAFETY: an exact float has a value.
        let value = |item| unsafe { Some(ffi::PyFloat_AsDouble(item).to_le_bytes()) };
        let bytes = plain_items(list, first.get_type_ptr(), value)?;
        return Some((DType::Float64, bytes));
    }
    if !first.is_exact_instance_of::<PyInt>() {
        return None;
    }
    let value = |item| {
        let mut beyond = 0;
        // SAFETY: an exact int, which fails in no other way.
        let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(item, &mut beyond) };
        (beyond == 0).then_some(value.to_le_bytes())
    };
    let bytes = plain_items(list, first.get_type_ptr(), value)?;
    Some((DType::Int64, bytes))
}

/// The values of a list's items, one after the other, if all are of a class and have one.
fn plain_items(
    list: &Bound<'_, PyList>,
    class: *mut ffi::PyTypeObject,
    value: impl Fn(*mut ffi::PyObject) -> Option<[u8; 8]>,
) -> Option<Vec<u8>> {
    let mut bytes = vec![0; 8 * list.len()];
    for (at, place) in bytes.chunks_exact_mut(8).enumerate() {
        // SAFETY: a live list, which keeps the item: nothing here runs other code. The position is checked, and what is
        // not there any more is null.
        unsafe {
            let item = ffi::PyList_GetItem(list.as_ptr(), at as ffi::Py_ssize_t);
            if item.is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            if ffi::Py_TYPE(item) != class {
                return None;
            }
            place.copy_from_slice(&value(item)?);
        }
    }
    Some(bytes)
}

/// The words of a float or an int; of another type than is expected there is none.
fn plain_word(object: &Bound<'_, PyAny>, dtype: DType) -> Option<u64> {
    match dtype {
        DType::Float64 => Some(object.cast_exact::<PyFloat>().ok()?.value().to_bits()),
        _ => {
            let number: i64 = object.cast_exact::<PyInt>().ok()?.extract().ok()?;
            Some(number as u64)
        }
    }
}

/// The items of a list that are tuples of the same floats and ints.
fn plain_rows(list: &Bound<'_, PyList>) -> Option<(Vec<DType>, Vec<u64>)> {
    let first = list.get_item(0).ok()?.cast_into_exact::<PyTuple>().ok()?;
    let dtypes = first.iter().map(|item| {
        let float = item.is_exact_instance_of::<PyFloat>();
        let int = item.is_exact_instance_of::<PyInt>();
        float
            .then_some(DType::Float64)
            .or(int.then_some(DType::Int64))
    });
    let dtypes: Vec<DType> = dtypes.collect::<Option<_>>()?;
    if dtypes.is_empty() {
        return None;
    }
    let mut words = Vec::with_capacity(dtypes.len() * list.len());
    for row in list.iter() {
        let row = row.cast_exact::<PyTuple>().ok()?;
        if row.len() != dtypes.len() {
            return None;
        }
        for (item, dtype) in row.iter().zip(&dtypes) {
            words.push(plain_word(&item, *dtype)?);
        }
    }
    Some((dtypes, words))
}

fn number(object: &Bound<'_, PyAny>) -> PyResult<Option<(DType, bool, [u64; 2])>> {
    if object.is_exact_instance_of::<PyFloat>() {
        let value: f64 = object.extract()?;
        return Ok(Some((DType::Float64, true, [value.to_bits(), 0])));
    }
    if object.is_exact_instance_of::<PyBool>() {
        return Ok(Some((DType::Bool, true, [object.is_truthy()?.into(), 0])));
    }
    if object.is_exact_instance_of::<PyInt>() {
        let value: Option<i64> = object.extract().ok();
        return Ok(value.map(|value| (DType::Int64, true, [value as u64, 0])));
    }
    if object.is_exact_instance_of::<PyComplex>() {
        let part = |name| object.getattr(name)?.extract::<f64>();
        let words = [part("real")?.to_bits(), part("imag")?.to_bits()];
        return Ok(Some((DType::Complex128, true, words)));
    }
    Ok(numpy_scalar(object)?.map(|literal| {
        let bytes = Scalar::from_literal(literal).to_bytes();
        let dtype = literal.dtype();
        (dtype, false, words_of_bytes(dtype, &bytes))
    }))
}

fn whole<'py>(
    object: &Bound<'py, PyAny>,
    seen: &mut Seen<'py>,
) -> PyResult<Option<(Found, Value)>> {
    if let Ok(list) = object.cast_exact::<PyList>() {
        if !seen.addresses.insert(list.as_ptr() as usize) {
            return Ok(None);
        }
        seen.lists.push(list.clone());
        if let Some((dtype, bytes)) = plain_numbers(list) {
            let found = Found::List(Box::new(Found::Number(dtype, true)));
            let weak = true;
            return Ok(Some((found, Value::Numbers { dtype, weak, bytes })));
        }
        if let Some((dtypes, words)) = plain_rows(list) {
            let items = dtypes.iter().map(|&dtype| Found::Number(dtype, true));
            let found = Found::List(Box::new(Found::Tuple(items.collect())));
            return Ok(Some((found, Value::Rows { dtypes, words })));
        }
        let (mut found, mut values) = (Found::Nothing, Vec::with_capacity(list.len()));
        for item in list.iter() {
            let Some((one, value)) = whole(&item, seen)? else {
                return Ok(None);
            };
            if found != one {
                let Some(joined) = found.join(&one) else {
                    return Ok(None);
                };
                found = joined;
            }
            values.push(value);
        }
        let value = match found {
            Found::Number(dtype, weak) => {
                let mut bytes = Vec::with_capacity(values.len() * dtype.itemsize());
                for value in &values {
                    if let Value::Scalar { words, .. } = value {
                        let own = scalar_bytes(dtype, *words);
                        bytes.extend_from_slice(&own[..dtype.itemsize()]);
                    }
                }
                Value::Numbers { dtype, weak, bytes }
            }
            _ => Value::List(values),
        };
        return Ok(Some((Found::List(Box::new(found)), value)));
    }
    if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        let (mut found, mut values) = (Vec::new(), Vec::new());
        for item in tuple.iter() {
            let Some((one, value)) = whole(&item, seen)? else {
                return Ok(None);
            };
            found.push(one);
            values.push(value);
        }
        let empty = found.is_empty();
        return Ok((!empty).then_some((Found::Tuple(found), Value::Tuple(values))));
    }
    let Some((dtype, weak, words)) = number(object)? else {
        return Ok(None);
    };
    let value = Value::Scalar { dtype, weak, words };
    Ok(Some((Found::Number(dtype, weak), value)))
}
