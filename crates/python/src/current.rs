//! The registry of the process, and who chooses the queue (R6.1, R6.2).

use crate::device::PyDevice;
use crate::errors::{Class, Unlocked, error};
use crate::queue::{PyQueue, queue_from_object};
use crate::sycl_surroundings::PythonEnvironment;
use colocate_backend_native::NativeBackend;
use colocate_backend_sycl::SyclBackend;
use colocate_runtime::{Device, Queue, Registry};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, RwLock};

/// The backends of the process. Nothing is loaded by this.
pub fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| {
        Registry::new(vec![
            Arc::new(NativeBackend::from_env()),
            Arc::new(SyclBackend::new(PythonEnvironment)),
        ])
    })
}

/// What a device context says to jit functions that are marked as serial (R5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnSerial {
    /// They are refused.
    Error,
    /// The mark is not heeded.
    Offload,
    /// They run on the host, as one thread.
    Host,
    /// They run on the device, as one item.
    SingleTask,
}

impl OnSerial {
    const NAMES: [(&'static str, OnSerial); 4] = [
        ("error", OnSerial::Error),
        ("offload", OnSerial::Offload),
        ("host", OnSerial::Host),
        ("single_task", OnSerial::SingleTask),
    ];
}

/// What a device context says: the value of the context variable of `colocate/_scope.py`.
#[pyclass(frozen, name = "_DeviceScope", module = "colocate._native")]
pub struct DeviceScope {
    pub queue: Queue,
    pub on_serial: OnSerial,
    /// Whether a region may stay on the host where that is quicker (R5.11).
    pub cost_model: bool,
}

#[pymethods]
impl DeviceScope {
    #[new]
    fn new(place: &Bound<'_, PyAny>, on_serial: &str, cost_model: bool) -> PyResult<DeviceScope> {
        let Some((_, on_serial)) = OnSerial::NAMES
            .into_iter()
            .find(|(name, _)| *name == on_serial)
        else {
            let names = OnSerial::NAMES.map(|(name, _)| format!("{name:?}"));
            return Err(error(
                Class::InvalidArgumentError,
                format!("on_serial={on_serial:?}: there are {}", names.join(", ")),
            ));
        };
        Ok(DeviceScope {
            queue: queue_from_object(place)?,
            on_serial,
            cost_model,
        })
    }

    #[getter]
    fn queue(&self) -> PyQueue {
        self.queue.clone().into()
    }
}

/// The context variable of `colocate/_scope.py`, whose value is the innermost [`DeviceScope`].
static SCOPE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
/// False until the first device context of the process; until then the variable need not be asked.
static SCOPE_IN_USE: AtomicBool = AtomicBool::new(false);
/// What `set_global_queue` sets.
static GLOBAL: RwLock<Option<Queue>> = RwLock::new(None);
/// The default device's queue, once somebody asked for it.
static DEFAULT: OnceLock<Queue> = OnceLock::new();

/// The innermost device context.
pub fn device_scope(py: Python<'_>) -> PyResult<Option<Bound<'_, DeviceScope>>> {
    if !SCOPE_IN_USE.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let Some(variable) = SCOPE.get(py) else {
        return Ok(None);
    };
    let value = variable.bind(py).call_method0(pyo3::intern!(py, "get"))?;
    if value.is_none() {
        return Ok(None);
    }
    Ok(Some(value.cast_into()?))
}

/// The innermost device context's queue.
pub fn scoped_queue(py: Python<'_>) -> PyResult<Option<Queue>> {
    Ok(device_scope(py)?.map(|scope| scope.get().queue.clone()))
}

/// The queue for new data when nobody names one.
pub fn current_queue(py: Python<'_>) -> PyResult<Queue> {
    if let Some(queue) = scoped_queue(py)? {
        return Ok(queue);
    }
    let global = GLOBAL.read().unwrap_or_else(|e| e.into_inner()).clone();
    if let Some(queue) = global {
        return Ok(queue);
    }
    if let Some(queue) = DEFAULT.get() {
        return Ok(queue.clone());
    }
    let queue = py.unlocked(|| {
        registry()
            .default_device()
            .and_then(|device| device.default_queue())
    })?;
    Ok(DEFAULT.get_or_init(|| queue).clone())
}

/// A device from whatever may name one.
pub fn device_from_object(object: &Bound<'_, PyAny>) -> PyResult<Device> {
    if let Ok(device) = object.cast::<PyDevice>() {
        return Ok(device.get().inner.clone());
    }
    if let Ok(text) = object.extract::<std::borrow::Cow<'_, str>>() {
        return select(object.py(), &text);
    }
    Ok(queue_from_object(object)?.device().clone())
}

/// The device a selector names.
pub fn select(py: Python<'_>, text: &str) -> PyResult<Device> {
    py.unlocked(|| registry().select(text))
}

/// The queue that `device=` and `queue=` name together; `None` if neither is given.
pub fn requested_queue(
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Queue>> {
    let given =
        |argument: Option<&Bound<'_, PyAny>>| argument.is_some_and(|object| !object.is_none());
    match (given(device), given(queue)) {
        (false, false) => Ok(None),
        (true, false) => Ok(Some(queue_from_object(device.expect("given"))?)),
        (false, true) => Ok(Some(queue_from_object(queue.expect("given"))?)),
        (true, true) => {
            let queue = queue_from_object(queue.expect("given"))?;
            let device = device_from_object(device.expect("given"))?;
            if *queue.device() != device {
                return Err(error(
                    Class::InvalidArgumentError,
                    format!(
                        "device={} and queue= of {} disagree; give one of them",
                        device.label(),
                        queue.device().label()
                    ),
                ));
            }
            Ok(Some(queue))
        }
    }
}

/// The queue for new data: as named, else the current one.
pub fn target_queue(
    py: Python<'_>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
) -> PyResult<Queue> {
    match requested_queue(device, queue)? {
        Some(queue) => Ok(queue),
        None => current_queue(py),
    }
}

/// All devices of the machine that colocate can use.
///
/// Looking for them loads the SYCL runtime if it is installed.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.devices()[0].selector
/// 'native:cpu:0'
#[pyfunction]
fn devices(py: Python<'_>) -> PyResult<Vec<PyDevice>> {
    let devices = py.unlocked(|| registry().devices())?;
    Ok(devices.into_iter().map(PyDevice::from).collect())
}

/// The queue that new arrays go to when none is named (R6.1): the innermost
/// :func:`device_context`'s, else the one of :func:`set_global_queue`, else the default device's.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> with cl.device_context("native:cpu") as q:
/// ...     cl.get_current_queue() == q
/// True
#[pyfunction]
fn get_current_queue(py: Python<'_>) -> PyResult<PyQueue> {
    Ok(current_queue(py)?.into())
}

/// Whether the caller is inside a :func:`device_context`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.is_in_device_context()
/// False
#[pyfunction]
fn is_in_device_context(py: Python<'_>) -> PyResult<bool> {
    Ok(scoped_queue(py)?.is_some())
}

/// Makes a queue the current one wherever no :func:`device_context` is in force (R6.1).
///
/// This is the only process-wide setting; :func:`reset_global_queue` undoes it. Takes a selector
/// string, a device or a queue, and returns the queue.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> q = cl.set_global_queue("native:cpu")
/// >>> cl.get_current_queue() == q
/// True
/// >>> cl.reset_global_queue()
#[pyfunction]
fn set_global_queue(queue: &Bound<'_, PyAny>) -> PyResult<PyQueue> {
    let queue = queue_from_object(queue)?;
    *GLOBAL.write().unwrap_or_else(|e| e.into_inner()) = Some(queue.clone());
    Ok(queue.into())
}

/// Undoes :func:`set_global_queue`.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.reset_global_queue()
#[pyfunction]
fn reset_global_queue() {
    *GLOBAL.write().unwrap_or_else(|e| e.into_inner()) = None;
}

/// The queue that a selector, device or queue names; a device's is its default one.
#[pyfunction]
fn _as_queue(place: &Bound<'_, PyAny>) -> PyResult<PyQueue> {
    Ok(queue_from_object(place)?.into())
}

/// Fails as a bug would, for the test of what happens then.
#[pyfunction]
fn _fail_internally(py: Python<'_>) -> PyResult<()> {
    py.unlocked(|| -> Result<(), colocate_runtime::Error> { panic!("an invariant does not hold") })
}

/// Waits for all work, so that no driver is left with any when the process ends.
#[pyfunction]
fn _finish(py: Python<'_>) {
    crate::profile::detached(py, || registry().finish());
}

/// Tells the module which context variable holds the innermost device context.
#[pyfunction]
fn _use_scope_variable(py: Python<'_>, variable: Py<PyAny>) {
    let _ = SCOPE.set(py, variable);
    SCOPE_IN_USE.store(true, Ordering::Relaxed);
}

/// Each backend: its name, and its devices or why there are none.
#[pyfunction]
fn _backend_states(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let states = crate::profile::detached(py, || registry().states());
    let list = PyList::empty(py);
    for state in states {
        let entry = PyDict::new(py);
        entry.set_item("backend", state.name)?;
        match state.devices {
            Ok(devices) => {
                let devices: Vec<PyDevice> = devices.into_iter().map(PyDevice::from).collect();
                entry.set_item("devices", devices)?;
                entry.set_item("error", py.None())?;
            }
            Err(failure) => {
                entry.set_item("devices", PyList::empty(py))?;
                entry.set_item("error", failure.to_string())?;
            }
        }
        list.append(entry)?;
    }
    Ok(list)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<DeviceScope>()?;
    module.add_function(wrap_pyfunction!(devices, module)?)?;
    module.add_function(wrap_pyfunction!(get_current_queue, module)?)?;
    module.add_function(wrap_pyfunction!(is_in_device_context, module)?)?;
    module.add_function(wrap_pyfunction!(set_global_queue, module)?)?;
    module.add_function(wrap_pyfunction!(reset_global_queue, module)?)?;
    module.add_function(wrap_pyfunction!(_use_scope_variable, module)?)?;
    module.add_function(wrap_pyfunction!(_as_queue, module)?)?;
    module.add_function(wrap_pyfunction!(_finish, module)?)?;
    module.add_function(wrap_pyfunction!(_fail_internally, module)?)?;
    let finish = module.getattr("_finish")?;
    module
        .py()
        .import("atexit")?
        .call_method1("register", (finish,))?;
    module.add_function(wrap_pyfunction!(_backend_states, module)?)
}
