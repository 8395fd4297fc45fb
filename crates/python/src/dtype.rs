//! Between NumPy's dtypes and ours.

use crate::errors::{Class, error};
use colocate_dtype::DType;
use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString, PyType};

/// For each of our dtypes, NumPy's dtype object and scalar type: both are unique objects of the
/// process, so that the common spellings are recognised by address.
struct Known {
    descr: Py<PyArrayDescr>,
    scalar: Py<PyAny>,
}

fn known(py: Python<'_>) -> PyResult<&'static Vec<Known>> {
    static KNOWN: PyOnceLock<Vec<Known>> = PyOnceLock::new();
    KNOWN.get_or_try_init(py, || {
        DType::ALL
            .into_iter()
            .map(|dtype| {
                let descr = PyArrayDescr::new(py, dtype.name())?;
                Ok(Known {
                    scalar: descr.getattr("type")?.unbind(),
                    descr: descr.unbind(),
                })
            })
            .collect()
    })
}

/// NumPy's dtype object for one of ours.
pub fn dtype_to_numpy(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyArrayDescr>> {
    Ok(known(py)?[dtype as usize].descr.bind(py).clone())
}

/// Whether an object is a number of NumPy's scalar type for a dtype.
pub fn is_scalar_of(object: &Bound<'_, PyAny>, dtype: DType) -> PyResult<bool> {
    let scalar = &known(object.py())?[dtype as usize].scalar;
    Ok(object.get_type().is(scalar.bind(object.py())))
}

/// Our dtype for a NumPy one, if we have it.
pub fn dtype_from_numpy(descr: &Bound<'_, PyArrayDescr>) -> Option<DType> {
    let py = descr.py();
    if let Ok(known) = known(py)
        && let Some(found) = known.iter().position(|one| one.descr.is(descr))
    {
        return Some(DType::ALL[found]);
    }
    // Another object for the same type: "long long" beside "long", say.
    if !matches!(descr.byteorder(), b'=' | b'|' | b'<') || cfg!(target_endian = "big") {
        return None;
    }
    let text = format!("{}{}", descr.kind() as char, descr.itemsize());
    DType::from_typestr(&text)
}

/// A dtype from whatever may name one: a NumPy dtype or scalar type, a string, a Python type.
pub fn dtype_from_object(object: &Bound<'_, PyAny>) -> PyResult<DType> {
    let py = object.py();
    let known = known(py)?;
    if let Some(found) = known
        .iter()
        .position(|one| one.descr.is(object) || one.scalar.is(object))
    {
        return Ok(DType::ALL[found]);
    }
    if let Ok(text) = object.cast::<PyString>()
        && let Some(dtype) = DType::from_name(&text.to_cow()?)
    {
        return Ok(dtype);
    }
    if object.is_instance_of::<PyType>() {
        let python = [
            (py.get_type::<PyBool>(), DType::Bool),
            (py.get_type::<PyInt>(), DType::Int64),
            (py.get_type::<PyFloat>(), DType::Float64),
            (py.get_type::<PyComplex>(), DType::Complex128),
        ];
        if let Some((_, dtype)) = python.iter().find(|(kind, _)| kind.is(object)) {
            return Ok(*dtype);
        }
    }
    let descr = PyArrayDescr::new(py, object)
        .map_err(|failure| unknown(&format!("{object}: {}", failure.value(py))))?;
    dtype_from_numpy(&descr).ok_or_else(|| unknown(&descr.to_string()))
}

/// The complaint about a dtype that we have not.
pub fn unknown(shown: &str) -> PyErr {
    error(
        Class::DTypeError,
        format!(
            "{shown} is no dtype of colocate arrays; there are {}",
            DType::ALL.map(DType::name).join(", ")
        ),
    )
}
