//! Functions of Numba's that are called inside a device context (R5.8).
//!
//! While a device context is entered anywhere in the process, Numba's class of compiled functions
//! has a `__call__` of ours. A caller whose own context variable names no device goes on
//! to Numba at once. When the last context is left the attribute goes away, and with it the last
//! trace: calls are Numba's own again, to the instruction.
//!
//! What Numba's objects mean to us is decided in `colocate/_numba_programs.py`; here is only
//! what has to be quick. All state is changed with Python's lock held, and without a call that lets
//! it go.

use crate::current::device_scope;
use crate::errors::{Class, error};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The attribute of a function of Numba's that holds the Python function and ours, or `None` if it
/// stays Numba's. The Python function tells whose it is: `functools.wraps` copies attributes.
const OURS: &str = "_colocate_function";

/// Since Python 3.13 the interpreter caches nothing any more of a class that was changed a
/// thousand times. So there, a program that enters contexts over and over keeps the attribute after
/// so many times; it is idle then.
const MOST_INSTALLATIONS: u32 = 200;

/// How many device contexts are entered.
static ENTERED: AtomicUsize = AtomicUsize::new(0);
/// What calls a function of Numba's in its own way.
static ORIGINAL: OnceLock<ffi::ternaryfunc> = OnceLock::new();
static HOOK: Mutex<Hook> = Mutex::new(Hook {
    class: None,
    descriptor: None,
    installed: false,
    installations: 0,
});

struct Hook {
    /// Numba's class of functions for the host.
    class: Option<Py<PyType>>,
    /// Our `__call__`.
    descriptor: Option<Py<PyAny>>,
    installed: bool,
    installations: u32,
}

/// Our `__call__`.
///
/// # Safety
/// Called by Python, with its lock held, a function of Numba's and the arguments.
unsafe extern "C" fn call(
    dispatcher: *mut ffi::PyObject,
    args: *mut ffi::PyObject,
    kwargs: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    if ENTERED.load(Ordering::Relaxed) != 0 {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            Python::attach(|py| {
                // SAFETY: Python keeps the three alive during the call; keywords may be NULL.
                let called = unsafe {
                    let dispatcher = Bound::from_borrowed_ptr(py, dispatcher);
                    let args = Bound::from_borrowed_ptr(py, args);
                    let kwargs = Bound::from_borrowed_ptr_or_opt(py, kwargs);
                    intercept(&dispatcher, &args, kwargs.as_ref())
                };
                match called {
                    Ok(Some(result)) => Some(result.into_ptr()),
                    Ok(None) => None,
                    Err(failure) => {
                        failure.restore(py);
                        Some(null_mut())
                    }
                }
            })
        }));
        match outcome {
            Ok(None) => {}
            Ok(Some(result)) => return result,
            Err(_) => {
                let failure = error(
                    Class::InternalError,
                    "a call of a function of Numba's failed in colocate; this is a bug, please report it",
                );
                Python::attach(|py| failure.restore(py));
                return null_mut();
            }
        }
    }
    match ORIGINAL.get() {
        // SAFETY: this is what Python itself would call with the same arguments.
        Some(original) => unsafe { original(dispatcher, args, kwargs) },
        None => null_mut(),
    }
}

/// What was found before for a function of Numba's.
fn known<'py>(
    dispatcher: &Bound<'py, PyAny>,
    function: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let found = dispatcher.getattr_opt(pyo3::intern!(dispatcher.py(), OURS))?;
    let Some(found) = found.and_then(|found| found.cast_into::<PyTuple>().ok()) else {
        return Ok(None);
    };
    match found.get_item(0)?.is(function) {
        true => Ok(Some(found.get_item(1)?)),
        false => Ok(None),
    }
}

/// The result of a call, if the caller is in a device context and the function is one for us.
fn intercept<'py>(
    dispatcher: &Bound<'py, PyAny>,
    args: &Bound<'py, PyAny>,
    kwargs: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = dispatcher.py();
    if device_scope(py)?.is_none() {
        return Ok(None);
    }
    // Numba itself overwrites `py_func` with that of a wrapped function; this one is right.
    let function = dispatcher.getattr(pyo3::intern!(py, "__wrapped__"))?;
    let ours = match known(dispatcher, &function)? {
        Some(ours) => ours,
        None => {
            static FUNCTION_OF: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
            let function_of = FUNCTION_OF.import(py, "colocate._numba_programs", "function_of")?;
            let ours = function_of.call1((dispatcher,))?;
            dispatcher.setattr(pyo3::intern!(py, OURS), (function, &ours))?;
            ours
        }
    };
    if ours.is_none() {
        return Ok(None);
    }
    let kwargs = kwargs.map(|kwargs| kwargs.cast::<PyDict>()).transpose()?;
    ours.call(args.cast::<PyTuple>()?, kwargs).map(Some)
}

/// A method descriptor for the class, which Python calls without making a bound method first.
fn descriptor<'py>(class: &Bound<'py, PyType>) -> PyResult<Bound<'py, PyAny>> {
    struct Definition(std::cell::UnsafeCell<ffi::PyMethodDef>);
    // SAFETY: Python only reads it.
    unsafe impl Sync for Definition {}
    static DEFINITION: Definition = Definition(std::cell::UnsafeCell::new(ffi::PyMethodDef {
        ml_name: c"__call__".as_ptr(),
        ml_meth: ffi::PyMethodDefPointer {
            PyCFunctionWithKeywords: call,
        },
        ml_flags: ffi::METH_VARARGS | ffi::METH_KEYWORDS as c_int,
        ml_doc: c"Calls the function: by colocate inside a device context, else by Numba.".as_ptr(),
    }));
    // SAFETY: a live class, and a definition that lives for ever.
    unsafe {
        Bound::from_owned_ptr_or_err(
            class.py(),
            ffi::PyDescr_NewMethod(class.as_type_ptr(), DEFINITION.0.get()),
        )
    }
}

/// Numba's class of functions for the host, once Numba is imported.
fn dispatcher_class(py: Python<'_>) -> PyResult<Option<Bound<'_, PyType>>> {
    static MODULES: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let modules = MODULES.import(py, "sys", "modules")?;
    let Ok(modules) = modules.cast::<PyDict>() else {
        return Ok(None);
    };
    let registry = modules.get_item(pyo3::intern!(py, "numba.core.registry"))?;
    let Some(registry) = registry.filter(|module| !module.is_none()) else {
        return Ok(None);
    };
    // While the module is being imported it may not have the class yet.
    match registry.getattr_opt(pyo3::intern!(py, "CPUDispatcher"))? {
        Some(class) => Ok(Some(class.cast_into::<PyType>()?)),
        None => Ok(None),
    }
}

impl Hook {
    /// Gives Numba's class our `__call__`; false if Numba is not imported.
    fn install(&mut self, py: Python<'_>) -> PyResult<bool> {
        if self.installed {
            return Ok(true);
        }
        if self.class.is_none() {
            let Some(class) = dispatcher_class(py)? else {
                return Ok(false);
            };
            // SAFETY: a live class; the slot is a function of this type, or NULL.
            let original = unsafe {
                let slot = ffi::PyType_GetSlot(class.as_type_ptr(), ffi::Py_tp_call);
                std::mem::transmute::<*mut std::ffi::c_void, Option<ffi::ternaryfunc>>(slot)
            };
            let Some(original) = original else {
                return Err(PyTypeError::new_err(
                    "functions of this version of Numba cannot be called",
                ));
            };
            ORIGINAL.get_or_init(|| original);
            self.descriptor = Some(descriptor(&class)?.unbind());
            self.class = Some(class.unbind());
        }
        if let (Some(class), Some(descriptor)) = (&self.class, &self.descriptor) {
            class
                .bind(py)
                .setattr(pyo3::intern!(py, "__call__"), descriptor)?;
            self.installed = true;
            self.installations += 1;
        }
        Ok(true)
    }

    fn remove(&mut self, py: Python<'_>) -> PyResult<()> {
        let may_remove = self.installations < MOST_INSTALLATIONS || py.version_info() < (3, 13);
        if self.installed
            && may_remove
            && let Some(class) = &self.class
        {
            class.bind(py).delattr(pyo3::intern!(py, "__call__"))?;
            self.installed = false;
        }
        Ok(())
    }
}

fn hook() -> std::sync::MutexGuard<'static, Hook> {
    HOOK.lock().unwrap_or_else(|poison| poison.into_inner())
}

/// Counts a device context that is entered. False if Numba is not imported, so that its import must
/// be watched for.
#[pyfunction]
fn _enter_numba_scope(py: Python<'_>) -> PyResult<bool> {
    ENTERED.fetch_add(1, Ordering::Relaxed);
    hook().install(py)
}

/// Counts a device context that is left. True if it was the last.
#[pyfunction]
fn _leave_numba_scope(py: Python<'_>) -> PyResult<bool> {
    if ENTERED.fetch_sub(1, Ordering::Relaxed) > 1 {
        return Ok(false);
    }
    hook().remove(py)?;
    Ok(true)
}

/// Tells that Numba is imported now.
#[pyfunction]
fn _numba_is_imported(py: Python<'_>) -> PyResult<()> {
    if ENTERED.load(Ordering::Relaxed) != 0 {
        hook().install(py)?;
    }
    Ok(())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_enter_numba_scope, module)?)?;
    module.add_function(wrap_pyfunction!(_leave_numba_scope, module)?)?;
    module.add_function(wrap_pyfunction!(_numba_is_imported, module)?)
}
