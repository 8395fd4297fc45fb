//! `colocate.Queue`, and queues of other packages.

use crate::context::PyContext;
use crate::current::{self, device_from_object, registry};
use crate::device::{PyDevice, behind, hash_of};
use crate::errors::{Class, Unlocked, error, guarded};
use crate::event::PyEvent;
use colocate_runtime::hal::SharedHandle;
use colocate_runtime::{Event, Queue, QueueProperties};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};
use std::ffi::{CStr, c_void};

/// Where work goes: a context, a device and properties.
///
/// ``Queue("gpu")``, ``Queue(device)`` and ``Queue(context, device)`` make a new queue;
/// ``device.default_queue`` is the one everybody shares. Two queues are *equivalent* when context,
/// device and properties are the same, and arrays on equivalent queues may be mixed (R1.4).
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> q1, q2 = cl.Queue("native:cpu"), cl.Queue("native:cpu")
/// >>> q1 == q2, q1.equivalent(q2)
/// (False, True)
/// >>> q1.backend, q1.device.device_type, q1.in_order
/// ('native', 'cpu', True)
#[pyclass(frozen, name = "Queue", module = "colocate")]
pub struct PyQueue {
    pub inner: Queue,
}

impl From<Queue> for PyQueue {
    fn from(inner: Queue) -> PyQueue {
        PyQueue { inner }
    }
}

/// A queue from whatever may name one: ours, a device's default, a selector's, another package's.
pub fn queue_from_object(object: &Bound<'_, PyAny>) -> PyResult<Queue> {
    let py = object.py();
    if let Ok(queue) = object.cast::<PyQueue>() {
        return Ok(queue.get().inner.clone());
    }
    if let Ok(device) = object.cast::<PyDevice>() {
        let device = device.get().inner.clone();
        return py.unlocked(|| device.default_queue());
    }
    if let Ok(text) = object.cast::<PyString>() {
        let device = current::select(py, &text.to_cow()?)?;
        return py.unlocked(|| device.default_queue());
    }
    if let Some(queue) = foreign_queue(object)? {
        return Ok(queue);
    }
    // Array API device objects of dpnp carry their queue. So do arrays, but an array where a
    // queue is wanted is two arguments swapped.
    let is_array = object.hasattr("__sycl_usm_array_interface__")?;
    if !is_array && let Ok(queue) = object.getattr("sycl_queue") {
        return queue_from_object(&queue);
    }
    Err(error(
        Class::InvalidArgumentError,
        format!(
            "{} names no device or queue; write a selector such as \"cpu\", a Device, or a Queue",
            object.repr()?
        ),
    ))
}

/// A queue from a SYCL queue or context of another package, or a capsule of one; `None` if the
/// object is neither.
pub fn foreign_queue(object: &Bound<'_, PyAny>) -> PyResult<Option<Queue>> {
    let py = object.py();
    let capsule = if object.is_instance_of::<PyCapsule>() {
        object.clone()
    } else if let Ok(method) = object.getattr("_get_capsule") {
        method.call0()?
    } else {
        return Ok(None);
    };
    // SAFETY: the name of a capsule is a string that lives as long as the capsule, or null.
    let name = unsafe {
        let name = pyo3::ffi::PyCapsule_GetName(capsule.as_ptr());
        PyErr::take(py);
        (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
    };
    match name.as_deref() {
        Some("SyclQueueRef") => {
            let raw = take_capsule(&capsule, c"SyclQueueRef", c"used_SyclQueueRef")? as usize;
            // SAFETY: the capsule's contract: it holds a live queue.
            py.unlocked(|| unsafe { registry().adopt_sycl_queue(raw as *mut c_void) })
                .map(Some)
        }
        Some("SyclContextRef") => {
            let raw = take_capsule(&capsule, c"SyclContextRef", c"used_SyclContextRef")? as usize;
            // SAFETY: as above, for a context.
            py.unlocked(|| unsafe { registry().adopt_sycl_context(raw as *mut c_void) })
                .map(Some)
        }
        name => {
            let shown = name.unwrap_or("no name");
            let why = if shown.starts_with("used_") {
                "it has been consumed already"
            } else {
                "write \"SyclQueueRef\" or \"SyclContextRef\""
            };
            Err(error(
                Class::InvalidArgumentError,
                format!("a capsule named {shown:?} holds no SYCL queue or context: {why}"),
            ))
        }
    }
}

/// The handle in a capsule, which is renamed so that it is used once. The capsule keeps owning
/// it, as dpctl's do, so the handle lives as long as the capsule.
pub fn take_capsule(
    capsule: &Bound<'_, PyAny>,
    name: &'static CStr,
    used: &'static CStr,
) -> PyResult<*mut c_void> {
    // SAFETY: the calls check that the object is a capsule of that name, and `used` is static.
    unsafe {
        let raw = pyo3::ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr());
        if raw.is_null() {
            return Err(PyErr::fetch(capsule.py()));
        }
        if pyo3::ffi::PyCapsule_SetName(capsule.as_ptr(), used.as_ptr()) != 0 {
            return Err(PyErr::fetch(capsule.py()));
        }
        Ok(raw)
    }
}

/// Deletes the handle, taken or not: who takes it makes a copy. The function that does it is kept
/// in the capsule's context.
unsafe extern "C" fn delete_handle(capsule: *mut pyo3::ffi::PyObject) {
    // SAFETY: called by Python, once, with a capsule made by `give_capsule` and its own name,
    // whatever that is by now.
    unsafe {
        let name = pyo3::ffi::PyCapsule_GetName(capsule);
        let raw = pyo3::ffi::PyCapsule_GetPointer(capsule, name);
        let delete = pyo3::ffi::PyCapsule_GetContext(capsule);
        if !raw.is_null() && !delete.is_null() {
            let delete: unsafe extern "C" fn(*mut c_void) = std::mem::transmute(delete);
            delete(raw);
        }
    }
}

/// A capsule that owns a handle.
pub fn give_capsule<'py>(
    py: Python<'py>,
    handle: Option<SharedHandle>,
    name: &'static CStr,
    what: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(handle) = handle else {
        return Err(error(
            Class::InvalidArgumentError,
            format!("this {what} is none of SYCL's, so SYCL packages cannot use it"),
        ));
    };
    // SAFETY: the capsule gets a live handle, a static name, and the function that deletes it.
    unsafe {
        let raw = pyo3::ffi::PyCapsule_New(handle.raw.as_ptr(), name.as_ptr(), Some(delete_handle));
        let capsule = Bound::from_owned_ptr_or_err(py, raw)?;
        pyo3::ffi::PyCapsule_SetContext(capsule.as_ptr(), handle.delete as *mut c_void);
        Ok(capsule)
    }
}

#[pymethods]
impl PyQueue {
    #[new]
    #[pyo3(signature = (place = None, device = None, *, in_order = true, enable_profiling = false))]
    fn new(
        py: Python<'_>,
        place: Option<&Bound<'_, PyAny>>,
        device: Option<&Bound<'_, PyAny>>,
        in_order: bool,
        enable_profiling: bool,
    ) -> PyResult<PyQueue> {
        let properties = QueueProperties {
            in_order,
            enable_profiling,
        };
        let place = place.filter(|object| !object.is_none());
        let (context, device) = match (place, device.filter(|object| !object.is_none())) {
            (Some(context), Some(device)) => {
                let Ok(context) = context.cast::<PyContext>() else {
                    return Err(error(
                        Class::InvalidArgumentError,
                        "Queue(context, device) takes a Context first; Queue(device) takes one argument",
                    ));
                };
                (context.get().inner.clone(), device_from_object(device)?)
            }
            (Some(place), None) => {
                if place.is_instance_of::<PyContext>() {
                    return Err(error(
                        Class::InvalidArgumentError,
                        "Queue(context) needs a device of the context: write Queue(context, device)",
                    ));
                }
                // Another package's queue is wrapped, not made again.
                if !place.is_instance_of::<PyQueue>()
                    && let Some(queue) = foreign_queue(place)?
                {
                    return Ok(queue.into());
                }
                let device = device_from_object(place)?;
                (py.unlocked(|| device.default_context())?, device)
            }
            (None, device) => {
                let device = match device {
                    Some(device) => device_from_object(device)?,
                    None => py.unlocked(|| registry().default_device())?,
                };
                (py.unlocked(|| device.default_context())?, device)
            }
        };
        Ok(py
            .unlocked(|| context.create_queue(&device, properties))?
            .into())
    }

    /// Where it runs.
    #[getter]
    fn device(&self) -> PyDevice {
        self.inner.device().clone().into()
    }

    /// Whose memory it sees.
    #[getter]
    fn context(&self) -> PyContext {
        self.inner.context().clone().into()
    }

    /// The name of the device's backend.
    #[getter]
    fn backend(&self) -> &'static str {
        self.inner.device().backend()
    }

    /// Whether work runs in the order it is submitted in.
    #[getter]
    fn in_order(&self) -> bool {
        self.inner.properties().in_order
    }

    /// Whether its events carry times.
    #[getter]
    fn enable_profiling(&self) -> bool {
        self.inner.properties().enable_profiling
    }

    /// Same context, device and properties (R1.4).
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.Queue("native:cpu").equivalent(cl.Queue("native:cpu", in_order=False))
    /// False
    fn equivalent(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.inner.equivalent(&queue_from_object(other)?))
    }

    /// Waits for all work submitted to the queue.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.Queue("native:cpu").wait()
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        py.unlocked(|| self.inner.wait())
    }

    /// Submits an empty piece of work that comes after everything submitted before, and after
    /// the events of ``depends``; everything submitted later comes after it.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> q = cl.Queue("native:cpu")
    /// >>> q.submit_barrier(depends=[q.submit_barrier()]).wait()
    #[pyo3(signature = (depends = None))]
    fn submit_barrier(
        &self,
        py: Python<'_>,
        depends: Option<Vec<PyRef<'_, PyEvent>>>,
    ) -> PyResult<PyEvent> {
        let depends: Vec<Event> = depends
            .unwrap_or_default()
            .iter()
            .map(|event| event.inner.clone())
            .collect();
        // Without dependencies nothing can block, and letting the GIL go costs more than the call.
        let event = if depends.is_empty() {
            guarded(|| self.inner.barrier(&[]))
        } else {
            py.unlocked(|| self.inner.barrier(&depends))
        };
        Ok(event?.into())
    }

    /// A ``SyclQueueRef`` capsule, by which dpctl and others take the queue over.
    fn _get_capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        give_capsule(py, self.inner.share_handle(), c"SyclQueueRef", "queue")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        behind::<PyQueue>(other).is_some_and(|other| other.get().inner == self.inner)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.inner.identity())
    }

    fn __repr__(&self) -> String {
        format!(
            "<colocate.Queue on {}: {}>",
            self.inner.device().label(),
            self.inner.label()
        )
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let html = slf.py().import("colocate._html")?;
        html.call_method1("queue", (slf,))?.extract()
    }
}
