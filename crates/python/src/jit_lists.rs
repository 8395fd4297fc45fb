//! Lists of lists and of tuples of numbers as arguments of jit functions.

use crate::captured_values::numpy_scalar;
use colocate_dtype::DType;
use colocate_frontend::ir::interpret::Scalar;
use colocate_frontend::program::ListItem;
use colocate_jit::{Value, words_of_bytes};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyList, PyTuple};

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
    let mut lists = Vec::new();
    let Some((found, value)) = whole(list.as_any(), &mut lists)? else {
        return Ok(None);
    };
    Ok(match found {
        // As an array it is one of floats, which lists that are kept one by one know of themselves.
        Found::List(inner) if inner.is_nothing() && lists.len() <= MOST_EMPTY => None,
        Found::List(inner) => Some(Taken {
            item: inner.item(),
            value,
            lists,
        }),
        _ => None,
    })
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
    lists: &mut Vec<Bound<'py, PyList>>,
) -> PyResult<Option<(Found, Value)>> {
    if let Ok(list) = object.cast_exact::<PyList>() {
        // The same list twice would become two.
        if lists.iter().any(|known| known.is(list)) {
            return Ok(None);
        }
        lists.push(list.clone());
        let (mut found, mut values) = (Found::Nothing, Vec::with_capacity(list.len()));
        for item in list.iter() {
            let Some((one, value)) = whole(&item, lists)? else {
                return Ok(None);
            };
            let Some(joined) = found.join(&one) else {
                return Ok(None);
            };
            found = joined;
            values.push(value);
        }
        return Ok(Some((Found::List(Box::new(found)), Value::List(values))));
    }
    if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        let (mut found, mut values) = (Vec::new(), Vec::new());
        for item in tuple.iter() {
            let Some((one, value)) = whole(&item, lists)? else {
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
