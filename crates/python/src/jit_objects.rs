//! Python objects that jit functions hold while they run: strings, sets, dictionaries, iterators.
//!
//! What such an object holds is known by looking at it; the program expects no more than that, and
//! whatever it takes out of one is checked.

use crate::captured_values::{class, numpy_scalar};
use crate::dtype::{dtype_from_numpy, dtype_to_numpy};
use crate::errors::{Class, error};
use colocate_dtype::DType;
use colocate_frontend::Captured;
use colocate_frontend::program::{ObjectType, Outcome};
use colocate_jit::Value;
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyStopIteration, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyComplex, PyDict, PyFloat, PyFrozenSet, PyInt, PyIterator, PyList, PySet, PyString,
    PyTuple, PyType,
};

/// So many items are a long container.
const LONG: usize = 256;

/// How many items of an iterator are looked at.
const LOOKED_AT: usize = 8;

/// Whether an object is NumPy's generator of random numbers.
/// A generator of random numbers; nothing if it is none.
fn generator_type(object: &Bound<'_, PyAny>) -> PyResult<Option<ObjectType>> {
    // By name: importing NumPy's module takes milliseconds.
    let class = object.get_type();
    let (name, module) = (class.name()?, class.module()?);
    Ok(match (name.to_cow()?.as_ref(), module.to_cow()?.as_ref()) {
        ("Generator", "numpy.random._generator") => Some(ObjectType::Generator),
        ("RandomState", "numpy.random.mtrand") => Some(ObjectType::RandomState),
        _ => None,
    })
}

/// What a set, a frozen set or a dictionary holds, or that it is a generator of random numbers; `None` if it
/// is nothing of that kind.
pub fn container_type(object: &Bound<'_, PyAny>) -> PyResult<Option<ObjectType>> {
    if let Some(generator) = generator_type(object)? {
        return Ok(Some(generator));
    }
    let is_container = object.is_exact_instance_of::<PySet>()
        || object.is_exact_instance_of::<PyFrozenSet>()
        || is_deque(object)?
        || as_dict(object)?.is_some();
    if !is_container {
        return Ok(None);
    }
    let kind = object_type(object)?;
    kind.map(Some).ok_or_else(|| {
        let name = object.get_type().name();
        let name = name.map_or_else(|_| "container".into(), |name| name.to_string());
        error(
            Class::CompileError,
            format!(
                "a jit function takes a {name} of items of one type: numbers, strings, tuples of them, and as values of \
                 a dict also lists and sets whose items are of one type"
            ),
        )
    })
}

/// What an object is whose content only Python knows, such as bytes; `None` if it is none that is known here.
pub fn foreign_type(object: &Bound<'_, PyAny>) -> PyResult<Option<ObjectType>> {
    let module = object.py().import("colocate._foreign_objects")?;
    let kind: Option<String> = module.call_method1("kind", (object,))?.extract()?;
    Ok(kind.map(ObjectType::Foreign))
}

/// A dictionary, or one of those of the module `collections` that a program can make.
fn as_dict<'a, 'py>(object: &'a Bound<'py, PyAny>) -> PyResult<Option<&'a Bound<'py, PyDict>>> {
    if let Ok(dict) = object.cast_exact::<PyDict>() {
        return Ok(Some(dict));
    }
    let Ok(dict) = object.cast::<PyDict>() else {
        return Ok(None);
    };
    let module = object
        .py()
        .import(pyo3::intern!(object.py(), "collections"))?;
    for name in ["Counter", "defaultdict"] {
        if object.get_type().is(&module.getattr(name)?) {
            return Ok(Some(dict));
        }
    }
    Ok(None)
}

/// Whether an object is a deque, which has all that lists have, and more.
pub fn is_deque(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let class = object.get_type();
    Ok(class.is(class!(object.py(), "collections", "deque")))
}

/// What an object is; `None` if jit functions have no such objects, or its items differ.
pub fn object_type(object: &Bound<'_, PyAny>) -> PyResult<Option<ObjectType>> {
    let weak = |dtype| Ok(Some(ObjectType::Scalar { dtype, weak: true }));
    if object.is_none() {
        return Ok(Some(ObjectType::None));
    }
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        let rank = array.ndim() as u8;
        return match dtype_from_numpy(&array.dtype()) {
            Some(dtype) => Ok(Some(ObjectType::Array { dtype, rank })),
            None => foreign_type(object),
        };
    }
    if let Some(literal) = numpy_scalar(object)? {
        let dtype = literal.dtype();
        return Ok(Some(ObjectType::Scalar { dtype, weak: false }));
    }
    if object.is_instance_of::<PyBool>() {
        return weak(DType::Bool);
    }
    if object.is_exact_instance_of::<PyInt>() {
        return match object.extract::<i64>() {
            Ok(_) => weak(DType::Int64),
            Err(_) => Ok(None),
        };
    }
    if object.is_exact_instance_of::<PyFloat>() {
        return weak(DType::Float64);
    }
    if object.is_exact_instance_of::<PyComplex>() {
        return weak(DType::Complex128);
    }
    if object.is_exact_instance_of::<PyString>() {
        return Ok(Some(ObjectType::Text));
    }
    if object.is_exact_instance_of::<PyTuple>() {
        let items: Option<Vec<ObjectType>> = object
            .try_iter()?
            .map(|item| object_type(&item?))
            .collect::<PyResult<_>>()?;
        return Ok(items.map(ObjectType::Tuple));
    }
    let is_list = object.is_exact_instance_of::<PyList>() || is_deque(object)?;
    let wrap: fn(Box<ObjectType>) -> ObjectType = if is_list {
        ObjectType::List
    } else if object.is_exact_instance_of::<PySet>() {
        ObjectType::Set
    } else if object.is_exact_instance_of::<PyFrozenSet>() {
        ObjectType::FrozenSet
    } else if let Some(dict) = as_dict(object)? {
        if let Some(fields) = fields_of(dict)? {
            return Ok(Some(fields));
        }
        let keys = match member_type(dict)? {
            Some(kind) => Some(kind),
            None => items_type(dict.keys().try_iter()?, usize::MAX)?,
        };
        let values = items_type(dict.values().try_iter()?, usize::MAX)?;
        let both = keys.zip(values);
        return Ok(both.map(|(key, value)| ObjectType::Dict(Box::new(key), Box::new(value))));
    } else if object.is_instance_of::<pyo3::exceptions::PyBaseException>() {
        return Ok(Some(ObjectType::Exception));
    } else if let Some(generator) = generator_type(object)? {
        return Ok(Some(generator));
    } else if object.hasattr("__next__")? {
        let kind = items_type(object.try_iter()?, LOOKED_AT)?;
        return Ok(kind.map(|kind| ObjectType::Iterator(Box::new(kind))));
    } else {
        return foreign_type(object);
    };
    let kind = items_type(object.try_iter()?, usize::MAX)?;
    Ok(kind.map(|kind| wrap(Box::new(kind))))
}

/// What a container is that holds ints among floats, and of whose numbers only Python is to know which they are; `None`
/// if it is none such.
pub fn with_numbers_as_they_are(object: &Bound<'_, PyAny>) -> PyResult<Option<ObjectType>> {
    let module = object.py().import("colocate._instances")?;
    let is_one: bool = module
        .call_method1("holds_ints_among_floats", (object,))?
        .extract()?;
    Ok(match is_one {
        true => object_type(object)?.map(ObjectType::with_numbers_as_they_are),
        false => None,
    })
}

/// What a string or a tuple of any length is; `None` if it is neither.
pub fn text_or_sequence(object: &Bound<'_, PyAny>) -> PyResult<Option<ObjectType>> {
    let is_either =
        object.is_exact_instance_of::<PyString>() || object.is_exact_instance_of::<PyTuple>();
    if is_either {
        return Ok(object_type(object)?.and_then(|kind| kind.as_sequence()));
    }
    let texts = ObjectType::List(Box::new(ObjectType::Text));
    Ok(match object.cast_exact::<PyList>() {
        // Only lists of strings are taken so.
        Ok(list) if list.is_empty() => Some(texts),
        Ok(list) => object_type(list.as_any())?.filter(|kind| *kind == texts),
        Err(_) => None,
    })
}

/// Whether a container is so long that taking it apart would take longer than what one call does with it.
pub fn is_long_container(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(list) = object.cast_exact::<PyList>() {
        let inside = match list.iter().next() {
            Some(first) if first.is_exact_instance_of::<PyList>() => first.len()?,
            _ => 1,
        };
        return Ok(list.len() * inside.max(1) >= LONG);
    }
    let is_other =
        object.is_exact_instance_of::<PyDict>() || object.is_exact_instance_of::<PySet>();
    Ok(is_other && object.len()? >= LONG)
}

/// What a dictionary of a few strings is whose values are of several types.
fn fields_of(dict: &Bound<'_, PyDict>) -> PyResult<Option<ObjectType>> {
    if dict.is_empty() || dict.len() > MOST_FIELDS {
        return Ok(None);
    }
    let mut fields = Vec::new();
    for (key, value) in dict {
        let Ok(name) = key.cast_exact::<PyString>() else {
            return Ok(None);
        };
        match object_type(&value)? {
            Some(kind) => fields.push((name.to_string(), kind)),
            None => return Ok(None),
        }
    }
    Ok(Some(ObjectType::of_fields(fields)).filter(|kind| matches!(kind, ObjectType::Fields(_))))
}

/// Dictionaries of more strings than this hold values of one type.
const MOST_FIELDS: usize = 64;

/// What the keys of a dictionary are that are members of one enumeration: integers, if those are.
fn member_type(dict: &Bound<'_, PyDict>) -> PyResult<Option<ObjectType>> {
    let py = dict.py();
    let Some(first) = dict.keys().iter().next() else {
        return Ok(None);
    };
    if !first.is_instance(class!(py, "enum", "Enum"))? {
        return Ok(None);
    }
    let class = first.get_type();
    if dict.keys().iter().any(|key| !key.get_type().is(&class)) {
        return Ok(None);
    }
    if first.is_instance_of::<PyInt>() {
        return Ok(Some(ObjectType::Scalar {
            dtype: DType::Int64,
            weak: true,
        }));
    }
    let module = py.import("colocate._foreign_objects")?;
    let kind = module.call_method1("kind_of_members", (class,))?;
    Ok(Some(ObjectType::Foreign(kind.extract()?)))
}

/// What all items are.
fn items_type(items: Bound<'_, PyIterator>, most: usize) -> PyResult<Option<ObjectType>> {
    let mut found = ObjectType::Unknown;
    for item in items.take(most) {
        let Some(kind) = object_type(&item?)? else {
            return Ok(None);
        };
        match found.join(&kind) {
            Some(joined) => found = joined,
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}

/// An object of a type, to try functions with; so many items, numbers from `first` on.
pub fn example<'py>(
    py: Python<'py>,
    kind: &ObjectType,
    count: usize,
    first: i64,
) -> PyResult<Bound<'py, PyAny>> {
    let several = |kind: &ObjectType| -> PyResult<Vec<Bound<'py, PyAny>>> {
        (0..count as i64)
            .map(|position| example(py, kind, count, first + position))
            .collect()
    };
    Ok(match kind {
        ObjectType::Unknown => first.into_pyobject(py)?.into_any(),
        ObjectType::Scalar { dtype, weak } => {
            crate::jit_examples::example_number(py, *dtype, *weak, first)?
        }
        // Some functions want digits.
        ObjectType::Text if first % 2 == 0 => {
            PyString::new(py, &"7".repeat(first.clamp(1, 5) as usize)).into_any()
        }
        ObjectType::Text => {
            let letters = "abcdefgh".repeat(2);
            let at = first.clamp(0, 7) as usize;
            PyString::new(py, &letters[at..at + 3]).into_any()
        }
        ObjectType::None => py.None().into_bound(py),
        ObjectType::Optional(inner) => example(py, inner, count, first)?,
        ObjectType::Tuple(kinds) | ObjectType::Named(_, kinds) => {
            let items: PyResult<Vec<_>> = kinds
                .iter()
                .map(|kind| example(py, kind, count, first))
                .collect();
            PyTuple::new(py, items?)?.into_any()
        }
        ObjectType::Array { dtype, rank } => {
            let shape = PyTuple::new(py, vec![count; usize::from(*rank)])?;
            let descr = dtype_to_numpy(py, *dtype)?;
            py.import("numpy")?.call_method1("ones", (shape, descr))?
        }
        ObjectType::List(item) => PyList::new(py, several(item)?)?.into_any(),
        ObjectType::Sequence(item) => PyTuple::new(py, several(item)?)?.into_any(),
        ObjectType::Set(item) => PySet::new(py, several(item)?)?.into_any(),
        ObjectType::FrozenSet(item) => PyFrozenSet::new(py, several(item)?)?.into_any(),
        ObjectType::Dict(key, value) => {
            let made = PyDict::new(py);
            for (key, value) in several(key)?.into_iter().zip(several(value)?) {
                made.set_item(key, value)?;
            }
            made.into_any()
        }
        ObjectType::Fields(fields) => {
            let made = PyDict::new(py);
            for (name, kind) in fields {
                made.set_item(name, example(py, kind, count, first)?)?;
            }
            made.into_any()
        }
        ObjectType::Iterator(item) => PyList::new(py, several(item)?)?.try_iter()?.into_any(),
        ObjectType::Instance(_) => py.None().into_bound(py),
        ObjectType::Foreign(kind) => py
            .import("colocate._foreign_objects")?
            .call_method1("example", (kind, count, first))?,
        ObjectType::Exception => py.import("builtins")?.getattr("Exception")?.call1(("a",))?,
        ObjectType::Generator => {
            let random = py.import("numpy.random")?;
            random.call_method1("default_rng", (first.unsigned_abs(),))?
        }
        ObjectType::RandomState => {
            let random = py.import("numpy.random")?;
            random.call_method1("RandomState", (first.unsigned_abs(),))?
        }
    })
}

/// One turn of a loop over an iterator: whether there is an item, and the item.
pub fn turn(
    next: PyResult<Bound<'_, PyAny>>,
    expected: &Outcome,
    convert: impl Fn(&Bound<'_, PyAny>, &Outcome) -> PyResult<Value>,
) -> PyResult<Value> {
    let truth = |there: bool| Value::Scalar {
        dtype: DType::Bool,
        weak: true,
        words: [there.into(), 0],
    };
    match next {
        Ok(item) => Ok(Value::Tuple(vec![truth(true), convert(&item, expected)?])),
        Err(failure) => Python::attach(|py| match failure.is_instance_of::<PyStopIteration>(py) {
            true => Ok(Value::Tuple(vec![truth(false), nothing(expected)])),
            false => Err(failure),
        }),
    }
}

/// What stands where there is no item: nobody looks at it.
fn nothing(expected: &Outcome) -> Value {
    match expected {
        Outcome::None | Outcome::Local(_) => Value::Constant(Captured::None),
        Outcome::Scalar(dtype) => Value::Scalar {
            dtype: *dtype,
            weak: true,
            words: [0, 0],
        },
        Outcome::Object => Value::Object(0),
        Outcome::Held(_) => Value::List(Vec::new()),
        Outcome::Tuple(items) => Value::Tuple(items.iter().map(nothing).collect()),
    }
}

/// The classes that a handler names: builtins by their names, others by their numbers.
pub fn classes<'py>(
    named: &[Bound<'py, PyAny>],
    numbered: &[Py<PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    let Some(first) = named.first() else {
        return Err(PyTypeError::new_err("a handler without classes"));
    };
    let py = first.py();
    let builtins = py.import("builtins")?;
    let found: PyResult<Vec<_>> = named
        .iter()
        .map(|one| match one.extract::<usize>() {
            Ok(number) => Ok(numbered[number].bind(py).clone()),
            Err(_) => builtins.getattr(one.cast::<PyString>()?),
        })
        .collect();
    Ok(PyTuple::new(py, found?)?.into_any())
}
