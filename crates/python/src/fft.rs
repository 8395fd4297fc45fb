//! Fourier transforms along one axis; `python/colocate/fft.py` is their face.

use crate::arguments::array_argument;
use crate::array::PyArray;
use crate::conversion;
use crate::errors::{Class, error};
use colocate_array::fft::{self, Request};
use colocate_dtype::inverse_order;
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
    // The result lies in memory as `x` does.
    let order = x.inner.layout().order_of_copy();
    let turned = match &order {
        Some(order) => x.inner.permuted(order),
        None => x.inner.clone(),
    };
    let back = order.map(|order| inverse_order(&order));
    let request = Request {
        axis: back.as_ref().map_or(axis, |back| back[axis]),
        length,
        factor,
        kind: x.inner.kind(),
    };
    let result = conversion::without_gil(py, &[&turned], || match kind {
        "forward" => fft::transform(&turned, Direction::Forward, request),
        "inverse" => fft::transform(&turned, Direction::Inverse, request),
        "real_forward" => fft::real_to_complex(&turned, request),
        _ => fft::complex_to_real(&turned, request),
    })?;
    let result = match &back {
        Some(back) => result.permuted(back),
        None => result,
    };
    Ok(x.derive(py, result))
}

/// Adds it to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_fft, module)?)
}
