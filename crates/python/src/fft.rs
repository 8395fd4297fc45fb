//! Fourier transforms along one axis; `python/colocate/fft.py` is their face.

use crate::arguments::array_argument;
use crate::array::PyArray;
use crate::conversion;
use crate::errors::{Class, error};
use colocate_array::fft::{self, Request};
use colocate_fft::Direction;
use pyo3::prelude::*;

/// Transforms an array along an axis that it has. `kind` is `"forward"`, `"inverse"`, `"real_forward"` or
/// `"real_inverse"`; the length is that of the axis before a forward or after an inverse transform.
#[pyfunction]
#[pyo3(signature = (function, x, /, kind, axis, length, factor))]
fn _fft(
    py: Python<'_>,
    function: &str,
    x: &Bound<'_, PyAny>,
    kind: &str,
    axis: usize,
    length: usize,
    factor: f64,
) -> PyResult<PyArray> {
    let x = array_argument(function, "x", x)?.get();
    if axis >= x.inner.shape().len() || length == 0 {
        return Err(error(
            Class::InvalidArgumentError,
            format!("{function}: axis {axis} with {length} elements cannot be transformed"),
        ));
    }
    let request = Request {
        axis,
        length,
        factor,
        kind: x.inner.kind(),
    };
    let result = conversion::without_gil(py, &[&*x.inner], || match kind {
        "forward" => fft::transform(&*x.inner, Direction::Forward, request),
        "inverse" => fft::transform(&*x.inner, Direction::Inverse, request),
        "real_forward" => fft::real_to_complex(&*x.inner, request),
        _ => fft::complex_to_real(&*x.inner, request),
    })?;
    Ok(x.derive(py, result))
}

/// Adds it to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_fft, module)?)
}
