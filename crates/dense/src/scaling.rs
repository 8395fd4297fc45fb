//! Keeping iterations away from overflow and underflow.

use crate::buffer::Buffer;
use crate::{Element, Failure, Result};

/// Scales a matrix by a power of two if its elements are so large or so small that products of
/// two of them leave the type's range. Gives the factor that undoes it. Elements that are not
/// finite are an error.
pub(crate) fn bring_into_range<T: Element>(matrix: &mut Buffer<T>) -> Result<f64> {
    let whole = matrix.matrix();
    let mut largest = 0.0f64;
    let mut bad = false;
    for column in 0..whole.columns {
        for row in 0..whole.rows {
            // SAFETY: an element of our own buffer.
            let magnitude = unsafe { *whole.at(row, column) }.magnitude();
            largest = largest.max(magnitude);
            bad |= !magnitude.is_finite();
        }
    }
    if bad {
        return Err(Failure::NoConvergence);
    }
    let exponent = if size_of::<T::Float>() == 4 { 40 } else { 400 };
    let bound = 2f64.powi(exponent);
    if largest == 0.0 || (1.0 / bound..=bound).contains(&largest) {
        return Ok(1.0);
    }
    let power = largest.log2().floor().clamp(-1000.0, 1000.0) as i32;
    let factor = 2f64.powi(-power);
    for column in 0..whole.columns {
        for row in 0..whole.rows {
            let element = whole.at(row, column);
            // SAFETY: an element of our own buffer, which is borrowed mutably.
            unsafe { element.write((*element).scaled(factor)) };
        }
    }
    Ok(2f64.powi(power))
}
