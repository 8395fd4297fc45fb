//! `colocate.Event`.

use crate::errors::{OrRaise, Unlocked, guarded};
use colocate_runtime::Event;
use pyo3::prelude::*;

/// The fate of work that was submitted.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> event = cl.Queue("native:cpu", enable_profiling=True).submit_barrier()
/// >>> event.wait()
/// >>> event.status
/// 'complete'
/// >>> event.profiling_start <= event.profiling_end
/// True
#[pyclass(frozen, freelist = 32, name = "Event", module = "colocate")]
pub struct PyEvent {
    pub inner: Event,
}

impl From<Event> for PyEvent {
    fn from(inner: Event) -> PyEvent {
        PyEvent { inner }
    }
}

#[pymethods]
impl PyEvent {
    /// Waits until the work is done; raises if it failed.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.Queue("native:cpu").submit_barrier().wait()
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        // Asking costs less than letting the GIL go for nothing.
        match self.inner.is_over() {
            true => guarded(|| self.inner.wait()),
            false => py.unlocked(|| self.inner.wait()),
        }
    }

    /// ``"submitted"``, ``"running"`` or ``"complete"``.
    #[getter]
    fn status(&self) -> PyResult<&'static str> {
        Ok(self.inner.status().or_raise()?.name())
    }

    /// When it was submitted, in nanoseconds of the device's clock. The queue must have been made
    /// with ``enable_profiling=True``.
    #[getter]
    fn profiling_submit(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(py.unlocked(|| self.inner.profile())?.submit)
    }

    /// When it started.
    #[getter]
    fn profiling_start(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(py.unlocked(|| self.inner.profile())?.start)
    }

    /// When it ended; waits for that.
    #[getter]
    fn profiling_end(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(py.unlocked(|| self.inner.profile())?.end)
    }

    fn __repr__(&self) -> String {
        match self.inner.status() {
            Ok(status) => format!("<colocate.Event {}>", status.name()),
            Err(failure) => format!("<colocate.Event lost: {failure}>"),
        }
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let html = slf.py().import("colocate._html")?;
        html.call_method1("event", (slf,))?.extract()
    }
}
