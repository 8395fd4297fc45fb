//! Index spaces: `Range`, `NdRange`, and what stands in the brackets of a launch (R4.5).

use crate::errors::{Class, error};
use colocate_runtime::{Geometry, geometry};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};
use smallvec::SmallVec;

type Extents = SmallVec<[usize; 3]>;

/// The index space of a launch: one to three extents.
///
/// ``kernel[Range(n, m)]`` is ``kernel[n, m]``.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.Range(4, 3).global_size
/// (4, 3)
#[pyclass(frozen, eq, hash, name = "Range", module = "colocate")]
#[derive(PartialEq, Eq, Hash)]
pub struct PyRange {
    global: Extents,
}

/// The index space of a launch over groups: the global size and the local size that divides it.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> space = cl.NdRange((64, 32), (16, 8))
/// >>> space.global_size, space.local_size
/// ((64, 32), (16, 8))
#[pyclass(frozen, eq, hash, name = "NdRange", module = "colocate")]
#[derive(PartialEq, Eq, Hash)]
pub struct PyNdRange {
    global: Extents,
    local: Extents,
}

fn tuple<'py>(py: Python<'py>, extents: &[usize]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, extents)
}

fn shown(extents: &[usize]) -> String {
    match extents {
        [one] => one.to_string(),
        several => format!("{several:?}").replace('[', "(").replace(']', ")"),
    }
}

#[pymethods]
impl PyRange {
    #[new]
    #[pyo3(signature = (*extents))]
    fn new(extents: &Bound<'_, PyTuple>) -> PyResult<PyRange> {
        let global = if extents.len() == 1 {
            extents_of(&extents.get_item(0)?, "global size")?
        } else {
            extents_of(extents.as_any(), "global size")?
        };
        Ok(PyRange { global })
    }

    /// The extents in items.
    #[getter]
    fn global_size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, &self.global)
    }

    fn __repr__(&self) -> String {
        let shown: Vec<_> = self.global.iter().map(usize::to_string).collect();
        format!("colocate.Range({})", shown.join(", "))
    }
}

#[pymethods]
impl PyNdRange {
    #[new]
    fn new(global_size: &Bound<'_, PyAny>, local_size: &Bound<'_, PyAny>) -> PyResult<PyNdRange> {
        let global = extents_of(global_size, "global size")?;
        let local = extents_of(local_size, "local size")?;
        if global.len() != local.len() {
            return Err(other_number_of_axes(&global, &local));
        }
        Ok(PyNdRange { global, local })
    }

    /// The extents of the whole space in items.
    #[getter]
    fn global_size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, &self.global)
    }

    /// The extents of a group in items.
    #[getter]
    fn local_size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        tuple(py, &self.local)
    }

    fn __repr__(&self) -> String {
        format!(
            "colocate.NdRange({}, {})",
            shown(&self.global),
            shown(&self.local)
        )
    }
}

fn other_number_of_axes(global: &[usize], local: &[usize]) -> PyErr {
    error(
        Class::InvalidArgumentError,
        format!(
            "the global size {} has {} axes and the local size {} has {}; both need the same number",
            shown(global),
            global.len(),
            shown(local),
            local.len()
        ),
    )
}

/// One extent.
fn extent_of(object: &Bound<'_, PyAny>, what: &str) -> PyResult<usize> {
    let py = object.py();
    // SAFETY: takes any object, and gives a new reference or sets an exception.
    let index: PyResult<Bound<'_, PyAny>> =
        unsafe { Bound::from_owned_ptr_or_err(py, pyo3::ffi::PyNumber_Index(object.as_ptr())) };
    let Ok(index) = index else {
        return Err(PyTypeError::new_err(format!(
            "the {what} of a launch is an int or a tuple of one to three, a colocate.Range or a \
             colocate.NdRange, not {}",
            object.repr()?
        )));
    };
    match index.extract::<i64>() {
        Ok(extent) if extent >= 0 => Ok(extent as usize),
        _ => Err(error(
            Class::InvalidArgumentError,
            format!("the {what} {index} of a launch is out of range: an extent is 0 to 2**63 - 1"),
        )),
    }
}

fn extents_of(object: &Bound<'_, PyAny>, what: &str) -> PyResult<Extents> {
    if let Ok(range) = object.cast::<PyRange>() {
        return Ok(range.get().global.clone());
    }
    let Ok(items) = object.cast::<PyTuple>() else {
        return Ok(SmallVec::from_slice(&[extent_of(object, what)?]));
    };
    if items.is_empty() || items.len() > 3 {
        return Err(error(
            Class::InvalidArgumentError,
            format!(
                "the {what} of a launch has one to three axes, not {}",
                items.len()
            ),
        ));
    }
    items.iter().map(|item| extent_of(&item, what)).collect()
}

/// What stands in the brackets of a launch. Two numbers are a space of two axes, since Python
/// does not tell `f[n, m]` from `f[(n, m)]`; a local size is a tuple of its own.
pub fn geometry_from_object(object: &Bound<'_, PyAny>) -> PyResult<Geometry> {
    if object.is_exact_instance_of::<PyInt>() {
        let extent = extent_of(object, "global size")?;
        return Ok(geometry(&[extent], None).expect("one axis"));
    }
    if let Ok(space) = object.cast::<PyNdRange>() {
        let space = space.get();
        return made(&space.global, Some(&space.local));
    }
    if let Ok(items) = object.cast::<PyTuple>()
        && items.len() == 2
    {
        let (first, second) = (items.get_item(0)?, items.get_item(1)?);
        let is_size = |item: &Bound<'_, PyAny>| {
            item.is_instance_of::<PyTuple>() || item.is_instance_of::<PyRange>()
        };
        if second.is_none() {
            return made(&extents_of(&first, "global size")?, None);
        }
        if is_size(&first) || is_size(&second) {
            let global = extents_of(&first, "global size")?;
            let local = extents_of(&second, "local size")?;
            return made(&global, Some(&local));
        }
    }
    made(&extents_of(object, "global size")?, None)
}

fn made(global: &[usize], local: Option<&[usize]>) -> PyResult<Geometry> {
    geometry(global, local).ok_or_else(|| other_number_of_axes(global, local.unwrap_or_default()))
}
