//! What memory the process holds, and what has moved.

use crate::current::device_from_object;
use colocate_runtime::{pool, transfer_counts};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Memory that colocate holds, in bytes, on one device or on all, and what has been copied.
///
/// Keys: ``in_use``, ``peak``, ``cached`` (freed and kept for reuse), ``allocations``, ``reused``
/// (allocations served from kept memory); and for the whole process ``host_to_device``,
/// ``device_to_host``, ``device_to_device`` (bytes copied so far).
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> before = cl.memory_stats()["in_use"]
/// >>> x = cl.empty(1000, dtype="float64")
/// >>> cl.memory_stats()["in_use"] - before >= 8000
/// True
#[pyfunction]
#[pyo3(signature = (device = None))]
fn memory_stats<'py>(
    py: Python<'py>,
    device: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let device = device
        .filter(|device| !device.is_none())
        .map(device_from_object)
        .transpose()?;
    let stats = pool::stats(device.as_ref());
    let moved = transfer_counts();
    let report = PyDict::new(py);
    for (key, value) in [
        ("in_use", stats.in_use),
        ("peak", stats.peak),
        ("cached", stats.cached),
        ("allocations", stats.allocations),
        ("reused", stats.reused),
        ("host_to_device", moved.host_to_device),
        ("device_to_host", moved.device_to_host),
        ("device_to_device", moved.device_to_device),
    ] {
        report.set_item(key, value)?;
    }
    Ok(report)
}

/// Gives memory that is kept for reuse back to the system, and says how many bytes that were.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> freed = cl.empty_cache()
/// >>> cl.memory_stats()["cached"]
/// 0
#[pyfunction]
fn empty_cache(py: Python<'_>) -> u64 {
    crate::profile::detached(py, pool::release_all)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(memory_stats, module)?)?;
    module.add_function(wrap_pyfunction!(empty_cache, module)?)
}
