//! Of which kind a variable outside has to be when a program begins that was compiled for it.

use crate::captured_values::class;
use crate::jit_arguments::host_array;
use colocate_ir::DType;
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PySet, PyString, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit};

/// So many items of a list are looked at.
const MOST_LOOKED_AT: usize = 64;

/// What is looked at of such a variable; what else it holds is looked at when it is read.
pub enum Expected {
    /// Whatever is there.
    Anything,
    None,
    Optional(Box<Expected>),
    Text,
    /// A number of Python's: of an integer's type, or of one that becomes a float.
    Integer,
    Real,
    List(Box<Expected>),
    Set,
    Dict,
    Tuple(Vec<Expected>),
    Array(DType, u8),
    /// An object of this class, of no derived one.
    Instance(Py<PyAny>),
}

impl Expected {
    /// Whether an object is of the kind.
    pub fn fits(&self, found: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(match self {
            Expected::Anything => true,
            Expected::None => found.is_none(),
            Expected::Optional(inner) => found.is_none() || inner.fits(found)?,
            Expected::Text => found.is_instance_of::<PyString>(),
            Expected::Integer => found.is_exact_instance_of::<PyInt>(),
            Expected::Real => {
                found.is_instance_of::<PyFloat>() || found.is_exact_instance_of::<PyInt>()
            }
            Expected::List(item) => match found.cast::<PyList>() {
                Ok(list) => {
                    for found in list.iter().take(MOST_LOOKED_AT) {
                        if !item.fits(&found)? {
                            return Ok(false);
                        }
                    }
                    true
                }
                Err(_) => found.is_instance(class!(found.py(), "collections", "deque"))?,
            },
            Expected::Set => found.is_instance_of::<PySet>(),
            Expected::Dict => found.is_instance_of::<PyDict>(),
            Expected::Tuple(items) => match found.cast::<PyTuple>() {
                Ok(tuple) if tuple.len() == items.len() => {
                    for (item, found) in items.iter().zip(tuple.iter()) {
                        if !item.fits(&found)? {
                            return Ok(false);
                        }
                    }
                    true
                }
                _ => false,
            },
            Expected::Array(dtype, rank) => match found.cast::<PyUntypedArray>() {
                Ok(array) => host_array(0, array).is_some_and(|host| {
                    host.dtype == *dtype && host.shape.len() == usize::from(*rank)
                }),
                // Arrays on devices are looked at when they are read.
                Err(_) => found.hasattr("__sycl_usm_array_interface__")?,
            },
            Expected::Instance(class) => {
                let class = class.bind(found.py());
                let of = found.get_type().into_any();
                of.is(class) || class.getattr_opt("of")?.is_some_and(|class| of.is(&class))
            }
        })
    }

    /// For Python's garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match self {
            Expected::Instance(class) => visit.call(class),
            Expected::Optional(inner) | Expected::List(inner) => inner.traverse(visit),
            Expected::Tuple(items) => items.iter().try_for_each(|item| item.traverse(visit)),
            _ => Ok(()),
        }
    }
}
