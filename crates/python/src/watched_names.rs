//! What a compiled function captured, looked at again before each call.

use crate::captured_values::{class, is_value, value_of};
use crate::expected_kinds::Expected;
use crate::jit_arguments::{host_array, layout_of};
use colocate_frontend::Captured;
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple, PyType};
use pyo3::{PyTraverseError, PyVisit};

/// Where a name was looked up.
pub enum Holder {
    /// The globals of a function, or what a module holds.
    Dict(Py<PyDict>),
    /// A variable of an enclosing function.
    Cell(Py<PyAny>),
    /// An object's attribute.
    Object(Py<PyAny>),
    /// Of which type an object's attribute is, whatever its value.
    TypeOf(Py<PyAny>),
    /// Whether an object's attribute is of the kind that a program was compiled for.
    KindOf(Py<PyAny>, Expected),
    /// How many items a dictionary has, whatever the name.
    Length(Py<PyDict>),
    /// What a list holds, as a tuple, whatever the name.
    Items(Py<PyList>),
}

/// A look-up that was made, and what it gave.
pub struct Watch {
    pub holder: Holder,
    pub name: Py<PyString>,
    /// `None` if there was nothing of that name.
    pub found: Option<Py<PyAny>>,
    pub meaning: Option<Captured>,
}

impl Watch {
    /// Whether the name still means the same. An equal number counts as the same.
    pub fn holds(&self, py: Python<'_>) -> PyResult<bool> {
        let now = match &self.holder {
            Holder::Dict(dict) => {
                // SAFETY: both objects are alive, and the result is borrowed from the dictionary,
                // which nobody changes before it is compared.
                let found = unsafe {
                    pyo3::ffi::PyDict_GetItemWithError(dict.as_ptr(), self.name.as_ptr())
                };
                if found.is_null()
                    && let Some(failure) = PyErr::take(py)
                {
                    return Err(failure);
                }
                let known = self.found.as_ref().map_or(std::ptr::null_mut(), Py::as_ptr);
                if found == known {
                    return Ok(self.lies_as_before(py));
                }
                look(py, &self.holder, &self.name)?
            }
            Holder::Items(list) => return Ok(self.has_items(list.bind(py))),
            holder => look(py, holder, &self.name)?,
        };
        match (&self.found, now) {
            (None, None) => Ok(true),
            (Some(known), Some(now)) if known.is(&now) => Ok(self.lies_as_before(py)),
            // A method is made anew whenever it is asked for.
            (Some(known), Some(now)) if is_method(&now)? && is_method(known.bind(py))? => {
                now.eq(known.bind(py))
            }
            (Some(_), Some(now)) => {
                let Some(meaning) = self.meaning.as_ref().filter(|one| is_value(one)) else {
                    return Ok(false);
                };
                Ok(value_of(&now)?.is_some_and(|now| is_same(&now, meaning)))
            }
            _ => Ok(false),
        }
    }

    /// Whether a list holds the same objects as when its items were looked up.
    fn has_items(&self, list: &Bound<'_, PyList>) -> bool {
        let known = self.found.as_ref().map(|found| found.bind(list.py()));
        let Some(Ok(known)) = known.map(|known| known.cast::<PyTuple>()) else {
            return false;
        };
        let mut pairs = known.iter().zip(list.iter());
        known.len() == list.len() && pairs.all(|(known, now)| known.is(&now))
    }

    /// Whether an array is as the program was compiled for it: it is written in place.
    fn lies_as_before(&self, py: Python<'_>) -> bool {
        let (
            Some(Captured::GlobalArray {
                dtype,
                rank,
                layout,
                writable,
                ..
            }),
            Some(found),
        ) = (&self.meaning, &self.found)
        else {
            return true;
        };
        let Ok(array) = found.bind(py).cast::<PyUntypedArray>() else {
            return false;
        };
        host_array(0, array).is_some_and(|host| {
            host.dtype == *dtype
                && host.shape.len() == usize::from(*rank)
                && host.writable == *writable
                && layout_of(&host, array) == *layout
        })
    }

    /// For Python's garbage collector.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.holder {
            Holder::Dict(dict) | Holder::Length(dict) => visit.call(dict)?,
            Holder::Cell(object) | Holder::Object(object) | Holder::TypeOf(object) => {
                visit.call(object)?;
            }
            Holder::KindOf(object, expected) => {
                visit.call(object)?;
                expected.traverse(visit)?;
            }
            Holder::Items(list) => visit.call(list)?,
        }
        visit.call(&self.found)
    }
}

impl Holder {
    pub fn is(&self, other: &Holder) -> bool {
        match (self, other) {
            (Holder::Dict(a), Holder::Dict(b)) | (Holder::Length(a), Holder::Length(b)) => a.is(b),
            (Holder::Cell(a), Holder::Cell(b))
            | (Holder::Object(a), Holder::Object(b))
            | (Holder::TypeOf(a), Holder::TypeOf(b))
            | (Holder::KindOf(a, _), Holder::KindOf(b, _)) => a.is(b),
            (Holder::Items(a), Holder::Items(b)) => a.is(b),
            _ => false,
        }
    }
}

fn is_method(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.is_instance(class!(object.py(), "types", "MethodType"))
}

/// What a look-up gives now.
pub(crate) fn look<'py>(
    py: Python<'py>,
    holder: &Holder,
    name: &Py<PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match holder {
        Holder::Dict(dict) => dict.bind(py).get_item(name.bind(py)),
        // An empty cell has no contents.
        Holder::Cell(cell) => Ok(cell
            .bind(py)
            .getattr(pyo3::intern!(py, "cell_contents"))
            .ok()),
        Holder::Object(object) => object.bind(py).getattr_opt(name.bind(py)),
        Holder::TypeOf(object) => {
            let found = object.bind(py).getattr_opt(name.bind(py))?;
            Ok(found.map(|found| found.get_type().into_any()))
        }
        Holder::KindOf(object, expected) => {
            let found = object.bind(py).getattr_opt(name.bind(py))?;
            let fits = found.map(|found| expected.fits(&found)).transpose()?;
            Ok(fits.map(|fits| PyBool::new(py, fits).to_owned().into_any()))
        }
        Holder::Length(dict) => {
            let length = dict.bind(py).len().into_pyobject(py)?;
            Ok(Some(length.into_any()))
        }
        Holder::Items(list) => Ok(Some(list.bind(py).to_tuple().into_any())),
    }
}

/// Whether two values are the same, by all their bits: a negative zero is another number.
fn is_same(a: &Captured, b: &Captured) -> bool {
    let same = |a: &f64, b: &f64| a.to_bits() == b.to_bits();
    match (a, b) {
        (Captured::Float(a), Captured::Float(b)) => same(a, b),
        (Captured::Complex(a, x), Captured::Complex(b, y)) => same(a, b) && same(x, y),
        (Captured::Tuple(a), Captured::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
        }
        (a, b) => a == b,
    }
}
