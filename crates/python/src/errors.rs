//! The one mapping from Rust errors to Python exceptions.
//!
//! The classes are defined in `colocate/_errors.py`, each inheriting from `colocate.Error` and
//! from the builtin that fits.

use colocate_array as array;
use colocate_array::linalg::Failure;
use colocate_compile as compile;
use colocate_jit as jit;
use colocate_runtime as runtime;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyModule;
use runtime::hal;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Names of the classes of `colocate._errors`.
#[derive(Clone, Copy)]
#[allow(clippy::enum_variant_names)] // They are Python's names.
pub enum Class {
    ArrayIndexError,
    AxisError,
    BackendError,
    CompileError,
    DeviceNotFoundError,
    DTypeError,
    ExecutionPlacementError,
    HostAccessError,
    HostDataError,
    InternalError,
    InvalidArgumentError,
    LinAlgError,
    OutOfMemoryError,
    ParallelConflictError,
    ReadOnlyError,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Class::ArrayIndexError => "ArrayIndexError",
            Class::AxisError => "AxisError",
            Class::BackendError => "BackendError",
            Class::CompileError => "CompileError",
            Class::DeviceNotFoundError => "DeviceNotFoundError",
            Class::DTypeError => "DTypeError",
            Class::ExecutionPlacementError => "ExecutionPlacementError",
            Class::HostAccessError => "HostAccessError",
            Class::HostDataError => "HostDataError",
            Class::InternalError => "InternalError",
            Class::InvalidArgumentError => "InvalidArgumentError",
            Class::LinAlgError => "LinAlgError",
            Class::OutOfMemoryError => "OutOfMemoryError",
            Class::ParallelConflictError => "ParallelConflictError",
            Class::ReadOnlyError => "ReadOnlyError",
        }
    }
}

/// An exception of one of our classes.
pub fn error(class: Class, message: impl Into<String>) -> PyErr {
    let message = message.into();
    Python::attach(|py| {
        let made = class_object(py, class).and_then(|class| class.call1((message,)));
        made.map_or_else(|failure| failure, PyErr::from_value)
    })
}

/// Whether an exception is of one of our classes.
pub fn is_error(py: Python<'_>, failure: &PyErr, class: Class) -> bool {
    class_object(py, class).is_ok_and(|class| failure.is_instance(py, &class))
}

fn class_object(py: Python<'_>, class: Class) -> PyResult<Bound<'_, PyAny>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || {
        Ok::<_, PyErr>(py.import("colocate._errors")?.unbind())
    })?;
    module.bind(py).getattr(class.name())
}

fn from_hal(failure: &hal::Error) -> PyErr {
    let class = match failure {
        hal::Error::OutOfMemory { .. } => Class::OutOfMemoryError,
        hal::Error::Invalid { .. } | hal::Error::Unsupported { .. } => Class::InvalidArgumentError,
        hal::Error::Call { .. }
        | hal::Error::Load { .. }
        | hal::Error::Work { .. }
        | hal::Error::Forked { .. } => Class::BackendError,
    };
    error(class, failure.to_string())
}

fn from_runtime(failure: &runtime::Error) -> PyErr {
    let class = match failure {
        runtime::Error::Backend(inner) => return from_hal(inner),
        runtime::Error::DeviceNotFound { .. } | runtime::Error::BadSelector { .. } => {
            Class::DeviceNotFoundError
        }
        runtime::Error::NotInContext { .. }
        | runtime::Error::Launch { .. }
        | runtime::Error::Mismatch(_)
        | runtime::Error::NotUsm { .. } => Class::InvalidArgumentError,
    };
    error(class, failure.to_string())
}

fn from_array(failure: &array::Error) -> PyErr {
    match failure {
        array::Error::Runtime(inner) => from_runtime(inner),
        array::Error::Compile(inner) => from_compile(inner),
        array::Error::Index(_) => error(Class::ArrayIndexError, failure.to_string()),
        array::Error::Linalg(Failure::OutOfMemory) => {
            error(Class::OutOfMemoryError, failure.to_string())
        }
        array::Error::Linalg(_) => error(Class::LinAlgError, failure.to_string()),
        array::Error::MatrixShapes { .. } => {
            error(Class::InvalidArgumentError, failure.to_string())
        }
        array::Error::ReadOnly => error(Class::ReadOnlyError, failure.to_string()),
        array::Error::DType { .. } => error(Class::DTypeError, failure.to_string()),
        array::Error::Layout(_)
        | array::Error::OutsideMemory { .. }
        | array::Error::NotAccessible { .. } => {
            error(Class::InvalidArgumentError, failure.to_string())
        }
    }
}

fn from_compile(failure: &compile::Error) -> PyErr {
    let class = match failure {
        compile::Error::Unsupported { .. } => Class::CompileError,
        compile::Error::NoStage { .. } => Class::InvalidArgumentError,
        compile::Error::InvalidKernel { .. } => Class::InternalError,
        compile::Error::Llvm { .. } => Class::BackendError,
    };
    error(class, failure.to_string())
}

fn from_jit(failure: jit::Error) -> PyErr {
    let value_error = |failure: &jit::Error| PyValueError::new_err(failure.to_string());
    match failure {
        jit::Error::Array(inner) => from_array(&inner),
        jit::Error::Compile(inner) => from_compile(&inner),
        jit::Error::Recursion => pyo3::exceptions::PyRecursionError::new_err(failure.to_string()),
        // Plain builtins, as NumPy raises.
        jit::Error::NegativeExtent
        | jit::Error::Reshape { .. }
        | jit::Error::TooLarge
        | jit::Error::Misaligned { .. } => value_error(&failure),
        jit::Error::Raised(exception) => match exception.downcast::<PyErr>() {
            Ok(exception) => *exception,
            Err(_) => error(Class::InternalError, "an exception of another kind"),
        },
        jit::Error::NotOnQueue | jit::Error::Internal(_) => error(
            Class::InternalError,
            format!("this is a bug in colocate, please report it: {failure}"),
        ),
    }
}

/// Turns a Rust result into a Python one.
pub trait OrRaise<T> {
    /// The value, or the exception that fits.
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, array::Error> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|failure| from_array(&failure))
    }
}

impl<T> OrRaise<T> for Result<T, runtime::Error> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|failure| from_runtime(&failure))
    }
}

impl<T> OrRaise<T> for Result<T, jit::Error> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(from_jit)
    }
}

impl<T> OrRaise<T> for Result<T, compile::Error> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|failure| from_compile(&failure))
    }
}

impl<T> OrRaise<T> for Result<T, colocate_dtype::LayoutError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|failure| error(Class::InvalidArgumentError, failure.to_string()))
    }
}

/// Runs Rust code for Python: errors become exceptions, and so does a panic, which is a bug of
/// ours but must not end the process.
pub fn guarded<T, E>(work: impl FnOnce() -> Result<T, E>) -> PyResult<T>
where
    Result<T, E>: OrRaise<T>,
{
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.or_raise(),
        Err(panic) => {
            let why = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or("a panic without a message");
            Err(error(
                Class::InternalError,
                format!("this is a bug in colocate, please report it: {why}"),
            ))
        }
    }
}

/// What may take long, without the GIL.
pub trait Unlocked {
    /// Lets the GIL go, runs `work` as [`guarded`] does, and takes the GIL again.
    fn unlocked<T, E>(self, work: impl FnOnce() -> Result<T, E> + Send) -> PyResult<T>
    where
        T: Send,
        E: Send,
        Result<T, E>: OrRaise<T>;
}

impl Unlocked for Python<'_> {
    fn unlocked<T, E>(self, work: impl FnOnce() -> Result<T, E> + Send) -> PyResult<T>
    where
        T: Send,
        E: Send,
        Result<T, E>: OrRaise<T>,
    {
        crate::profile::detached(self, || guarded(work))
    }
}
