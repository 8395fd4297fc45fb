//! Python objects as constants of kernels and jit functions.

use crate::dtype::{dtype_from_numpy, dtype_from_object};
use colocate_frontend::Captured;
use colocate_frontend::ir::Literal;
use colocate_frontend::ir::interpret::Scalar;
use numpy::PyArrayDescr;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyTuple, PyType};

/// A class of Python's or NumPy's, looked up once.
macro_rules! class {
    ($py:expr, $module:literal, $name:literal) => {{
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        CLASS.import($py, $module, $name)?
    }};
}
pub(crate) use class;

/// Whether it is compared by value rather than by which object it is.
pub(crate) fn is_value(captured: &Captured) -> bool {
    match captured {
        Captured::None
        | Captured::Bool(_)
        | Captured::Int(_)
        | Captured::Float(_)
        | Captured::Complex(..)
        | Captured::NumpyScalar(_)
        | Captured::Str(_)
        | Captured::Dtype(_) => true,
        Captured::Tuple(items) => items.iter().all(is_value),
        _ => false,
    }
}

/// A NumPy scalar as a constant.
pub fn numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Literal>> {
    let py = object.py();
    if !object.is_instance(class!(py, "numpy", "generic"))? {
        return Ok(None);
    }
    let descr = object.getattr(pyo3::intern!(py, "dtype"))?;
    let Some(dtype) = dtype_from_numpy(descr.cast::<PyArrayDescr>()?) else {
        return Ok(None);
    };
    let bytes: Vec<u8> = object.call_method0("tobytes")?.extract()?;
    Ok(Some(Scalar::from_bytes(dtype, &bytes).to_literal()))
}

/// Numbers, strings, dtypes and tuples of them: what is compared by value.
pub fn value_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Captured>> {
    let py = object.py();
    if object.is_none() {
        return Ok(Some(Captured::None));
    }
    if let Some(literal) = numpy_scalar(object)? {
        return Ok(Some(Captured::NumpyScalar(literal)));
    }
    if object.is_instance_of::<PyBool>() {
        return Ok(Some(Captured::Bool(object.is_truthy()?)));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Some(match int_of(object) {
            Some(value) => Captured::Int(value),
            None => unsupported("an int of more than 127 bits"),
        }));
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(Some(Captured::Float(object.extract()?)));
    }
    if object.is_instance_of::<PyComplex>() {
        let part = |name| object.getattr(name)?.extract::<f64>();
        return Ok(Some(Captured::Complex(part("real")?, part("imag")?)));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Some(Captured::Str(text.to_string())));
    }
    let is_dtype = object.is_instance_of::<PyArrayDescr>()
        || object
            .cast::<PyType>()
            .is_ok_and(|class| is_numpy_scalar_type(py, class));
    if is_dtype {
        return Ok(Some(match dtype_from_object(object) {
            Ok(dtype) => Captured::Dtype(dtype),
            Err(_) => unsupported(&format!("the dtype {object}")),
        }));
    }
    // Named tuples have names besides, also those in another tuple, such as the defaults of a function.
    if let Ok(items) = object.cast_exact::<PyTuple>() {
        let items: Option<Vec<_>> = items
            .iter()
            .map(|item| value_of(&item))
            .collect::<PyResult<_>>()?;
        return Ok(items.map(Captured::Tuple));
    }
    Ok(None)
}

fn is_numpy_scalar_type(py: Python<'_>, class: &Bound<'_, PyType>) -> bool {
    let check = || -> PyResult<bool> { class.is_subclass(class!(py, "numpy", "generic")) };
    check().unwrap_or(false)
}

/// A Python int of up to 127 bits.
fn int_of(object: &Bound<'_, PyAny>) -> Option<i128> {
    if let Ok(small) = object.extract::<i64>() {
        return Some(small.into());
    }
    object
        .call_method0("__int__")
        .ok()?
        .str()
        .ok()?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

pub(crate) fn unsupported(description: &str) -> Captured {
    Captured::Unsupported {
        description: description.to_owned(),
    }
}

/// A type's name with the article that it takes.
pub(crate) fn with_article(object: &Bound<'_, PyAny>) -> String {
    let class = object.get_type();
    let name = class
        .fully_qualified_name()
        .map_or_else(|_| "object".into(), |name| name.to_string());
    let name = name.strip_prefix("builtins.").unwrap_or(&name);
    let article = if name.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {name}")
}
