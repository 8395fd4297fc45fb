//! `colocate.Context`.

use crate::current::device_from_object;
use crate::device::{PyDevice, behind, hash_of};
use crate::errors::Unlocked;
use crate::queue::give_capsule;
use colocate_runtime::{Context, Device};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

/// A set of devices that share allocations.
///
/// ``Context(device)`` is the device's default context; ``Context([part, part, ...])`` spans
/// sub-devices of one root device, so that one part may compute on another's memory (R1.6).
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cpu = cl.Device("native:cpu")
/// >>> cl.Context(cpu) == cpu.default_context
/// True
#[pyclass(frozen, name = "Context", module = "colocate")]
pub struct PyContext {
    pub inner: Context,
}

impl From<Context> for PyContext {
    fn from(inner: Context) -> PyContext {
        PyContext { inner }
    }
}

#[pymethods]
impl PyContext {
    #[new]
    fn new(py: Python<'_>, devices: &Bound<'_, PyAny>) -> PyResult<PyContext> {
        let is_list = devices.is_instance_of::<PyList>() || devices.is_instance_of::<PyTuple>();
        if !is_list {
            let device = device_from_object(devices)?;
            return Ok(py.unlocked(|| device.default_context())?.into());
        }
        let devices: Vec<Device> = devices
            .try_iter()?
            .map(|device| device_from_object(&device?))
            .collect::<PyResult<_>>()?;
        Ok(py.unlocked(|| Device::context_over(&devices))?.into())
    }

    /// Its devices.
    #[getter]
    fn devices(&self) -> Vec<PyDevice> {
        self.inner
            .devices()
            .into_iter()
            .map(PyDevice::from)
            .collect()
    }

    /// How many devices it has.
    #[getter]
    fn device_count(&self) -> usize {
        self.inner.devices().len()
    }

    /// A ``SyclContextRef`` capsule, by which dpctl and others take the context over.
    fn _get_capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        give_capsule(py, self.inner.share_handle(), c"SyclContextRef", "context")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        behind::<PyContext>(other).is_some_and(|other| other.get().inner == self.inner)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.inner.identity())
    }

    fn __repr__(&self) -> String {
        format!("<colocate.Context over {}>", self.inner.label())
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let html = slf.py().import("colocate._html")?;
        html.call_method1("context", (slf,))?.extract()
    }
}
