//! `order=`: which axes of an array lie how in memory.
//!
//! An array in another order than row-major is a view, its axes permuted, of a row-major one.

use crate::conversion::{moved, upload};
use crate::errors::{Class, error};
use colocate_array::Array;
use colocate_dtype::{AxisOrder, DType, Dims, Layout, inverse_order, order_of_copy};
use colocate_runtime::{Queue, UsmKind};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// How something that is copied lies in memory.
struct Source<'a> {
    is_c_contiguous: bool,
    is_f_contiguous: bool,
    strides: &'a [isize],
}

impl<'a> Source<'a> {
    fn of(layout: &'a Layout) -> Source<'a> {
        Source {
            is_c_contiguous: layout.is_c_contiguous(),
            is_f_contiguous: layout.is_f_contiguous(),
            strides: layout.strides(),
        }
    }

    fn kept(&self) -> AxisOrder {
        order_of_copy(self.strides, self.is_c_contiguous, self.is_f_contiguous)
    }
}

fn reversed(ndim: usize) -> AxisOrder {
    (ndim > 1).then(|| (0..ndim).rev().collect())
}

/// Whether an order is wanted whatever there is.
fn is_certain(order: &str) -> bool {
    matches!(order, "C" | "c" | "F" | "f")
}

/// "A" and "K" ask for the order that the source has.
fn read(
    function: &str,
    order: &str,
    ndim: usize,
    source: Option<&Source<'_>>,
) -> PyResult<AxisOrder> {
    let source = source.filter(|source| source.strides.len() == ndim);
    match (order, source) {
        ("C" | "c", _) | ("A" | "a" | "K" | "k", None) => Ok(None),
        ("F" | "f", _) => Ok(reversed(ndim)),
        ("K" | "k", Some(source)) => Ok(source.kept()),
        ("A" | "a", Some(source)) if source.is_f_contiguous && !source.is_c_contiguous => {
            Ok(reversed(ndim))
        }
        ("A" | "a", Some(_)) => Ok(None),
        _ => Err(error(
            Class::InvalidArgumentError,
            format!("{function}: order={order:?} is none of \"K\", \"A\", \"C\" and \"F\""),
        )),
    }
}

/// Reads `order=` of a function that makes an array of a shape, perhaps like another one.
pub fn axis_order(
    function: &str,
    order: Option<&str>,
    shape: &[usize],
    like: Option<&Array>,
) -> PyResult<AxisOrder> {
    let Some(order) = order else { return Ok(None) };
    let source = like.map(|like| Source::of(like.layout()));
    read(function, order, shape.len(), source.as_ref())
}

/// An array of a shape with its axes in an order; `make` makes a row-major one.
pub fn in_order(
    shape: &[usize],
    order: &AxisOrder,
    make: impl FnOnce(&[usize]) -> PyResult<Array>,
) -> PyResult<Array> {
    let Some(order) = order else {
        return make(shape);
    };
    let laid: Dims = order.iter().map(|&axis| shape[axis]).collect();
    Ok(make(&laid)?.permuted(&inverse_order(order)))
}

/// What is asked of an array or of host data that becomes one.
pub struct Target<'a> {
    pub queue: &'a Queue,
    pub kind: Option<UsmKind>,
    pub dtype: Option<DType>,
    pub copy: Option<bool>,
    /// "K" unless given.
    pub order: Option<&'a str>,
}

impl Target<'_> {
    /// An array as it is asked for, in place where that can be (R2.4).
    pub fn moved(&self, py: Python<'_>, source: &Array) -> PyResult<Array> {
        let (queue, kind, dtype) = (self.queue, self.kind, self.dtype);
        let layout = source.layout();
        let order = self.order.unwrap_or("K");
        if layout.is_c_contiguous() && !matches!(order, "F" | "f") {
            read("asarray", order, 0, None)?;
            return moved(py, source, queue, kind, dtype, self.copy);
        }
        let axes = read("asarray", order, layout.ndim(), Some(&Source::of(layout)))?;
        let turned = match &axes {
            Some(axes) => source.permuted(axes),
            None => source.clone(),
        };
        let lies_otherwise = is_certain(order) && !turned.layout().is_c_contiguous();
        let copy = match (lies_otherwise, self.copy) {
            (true, Some(false)) => {
                return Err(error(
                    Class::InvalidArgumentError,
                    format!("copy=False, but the elements do not lie in the order {order:?}"),
                ));
            }
            (true, _) => Some(true),
            (false, copy) => copy,
        };
        let result = moved(py, &turned, queue, kind, dtype, copy)?;
        Ok(match &axes {
            Some(axes) => result.permuted(&inverse_order(axes)),
            None => result,
        })
    }

    /// Host data of this dtype, copied.
    pub fn uploaded(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyUntypedArray>,
        dtype: DType,
    ) -> PyResult<Array> {
        let kind = self.kind.unwrap_or(UsmKind::Device);
        let source = Source {
            is_c_contiguous: data.is_c_contiguous(),
            is_f_contiguous: data.is_fortran_contiguous(),
            strides: data.strides(),
        };
        let order = self.order.unwrap_or("K");
        let axes = read("asarray", order, data.ndim(), Some(&source))?;
        let Some(axes) = axes else {
            return upload(py, data, dtype, self.queue, kind);
        };
        let turned = data.call_method1("transpose", (PyTuple::new(py, &axes)?,))?;
        let made = upload(py, turned.cast()?, dtype, self.queue, kind)?;
        Ok(made.permuted(&inverse_order(&axes)))
    }
}

/// A copy in the same place.
pub fn copied_in_order(py: Python<'_>, array: &Array, order: Option<&str>) -> PyResult<Array> {
    let target = Target {
        queue: array.queue(),
        kind: None,
        dtype: None,
        copy: Some(true),
        order,
    };
    target.moved(py, array)
}
