//! Settings of the process.

use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

static STRICT_HOST_ACCESS: AtomicBool = AtomicBool::new(false);
static WARN_ON_MIXED_USM: AtomicBool = AtomicBool::new(false);
static DEBUG: AtomicBool = AtomicBool::new(false);

/// Whether device memory of native devices is refused to the host, too (R2.3).
pub fn strict_host_access() -> bool {
    STRICT_HOST_ACCESS.load(Ordering::Relaxed)
}

/// Whether mixing USM types warns (R3.2).
pub fn warn_on_mixed_usm() -> bool {
    WARN_ON_MIXED_USM.load(Ordering::Relaxed)
}

/// Whether kernels check their accesses (R4.7).
pub fn debug() -> bool {
    DEBUG.load(Ordering::Relaxed)
}

/// Takes over what the environment asks for.
pub fn read_environment() {
    let debug =
        std::env::var("COLOCATE_DEBUG").is_ok_and(|value| !matches!(value.as_str(), "" | "0"));
    DEBUG.store(debug, Ordering::Relaxed);
}

/// Settings of the process, as attributes of ``colocate.config``.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.config.strict_host_access
/// False
#[pyclass(frozen, module = "colocate")]
pub struct Config;

#[pymethods]
impl Config {
    /// Refuse the host ``device`` memory of native devices, as on a GPU, to try a program's
    /// portability (R2.3).
    #[getter]
    fn get_strict_host_access(&self) -> bool {
        strict_host_access()
    }

    #[setter]
    fn set_strict_host_access(&self, value: bool) {
        STRICT_HOST_ACCESS.store(value, Ordering::Relaxed);
    }

    /// Emit a ``PerformanceWarning`` where arrays of different USM types meet (R3.2).
    #[getter]
    fn get_warn_on_mixed_usm(&self) -> bool {
        warn_on_mixed_usm()
    }

    #[setter]
    fn set_warn_on_mixed_usm(&self, value: bool) {
        WARN_ON_MIXED_USM.store(value, Ordering::Relaxed);
    }

    /// Let kernels check every access to an array, at the cost of speed: a launch waits for the
    /// kernel's end, and raises :class:`KernelBoundsError` with the line, the array, the index and
    /// the shape (R4.7). ``COLOCATE_DEBUG=1`` turns it on from the beginning.
    #[getter]
    fn get_debug(&self) -> bool {
        debug()
    }

    #[setter]
    fn set_debug(&self, value: bool) {
        DEBUG.store(value, Ordering::Relaxed);
    }

    fn __repr__(&self) -> String {
        let python = |value: bool| if value { "True" } else { "False" };
        format!(
            "colocate.config(debug={}, strict_host_access={}, warn_on_mixed_usm={})",
            python(debug()),
            python(strict_host_access()),
            python(warn_on_mixed_usm())
        )
    }
}
