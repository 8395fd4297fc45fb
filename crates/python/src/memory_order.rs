//! `order=`: which axes of an array lie how in memory.
//!
//! An array in another order than row-major is a view, its axes permuted, of a row-major one.

use crate::conversion::{moved, upload};
use crate::errors::{Class, error};
use colocate_array::Array;
use colocate_dtype::{DType, Dims, Layout};
use colocate_runtime::{Queue, UsmKind};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

type Axes = SmallVec<[usize; 4]>;

/// Axes from the one that varies slowest in memory to the one that varies fastest; `None` if that is their own
/// order, as it is in row-major arrays.
pub type AxisOrder = Option<Axes>;

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
        if self.is_c_contiguous {
            return None;
        }
        if self.is_f_contiguous {
            return reversed(self.strides.len());
        }
        let mut axes: Axes = (0..self.strides.len()).collect();
        axes.sort_by_key(|&axis| std::cmp::Reverse(self.strides[axis].unsigned_abs()));
        (!axes.is_sorted()).then_some(axes)
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

fn inverse(order: &[usize]) -> Axes {
    let mut positions: Axes = smallvec::smallvec![0; order.len()];
    for (position, &axis) in order.iter().enumerate() {
        positions[axis] = position;
    }
    positions
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
    Ok(make(&laid)?.permuted(&inverse(order)))
}

/// What is asked of an array or of host data that becomes one.
pub struct Target<'a> {
    pub queue: &'a Queue,
    pub kind: Option<UsmKind>,
    pub dtype: Option<DType>,
    pub copy: Option<bool>,
    pub order: Option<&'a str>,
}

impl Target<'_> {
    /// An array as it is asked for, in place where that can be (R2.4).
    pub fn moved(&self, py: Python<'_>, source: &Array) -> PyResult<Array> {
        let (queue, kind, dtype) = (self.queue, self.kind, self.dtype);
        let Some(order) = self.order else {
            return moved(py, source, queue, kind, dtype, self.copy);
        };
        let layout = source.layout();
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
            Some(axes) => result.permuted(&inverse(axes)),
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
        let axes = match self.order {
            None => None,
            Some(order) => {
                let source = Source {
                    is_c_contiguous: data.is_c_contiguous(),
                    is_f_contiguous: data.is_fortran_contiguous(),
                    strides: data.strides(),
                };
                read("asarray", order, data.ndim(), Some(&source))?
            }
        };
        let Some(axes) = axes else {
            return upload(py, data, dtype, self.queue, kind);
        };
        let turned = data.call_method1("transpose", (PyTuple::new(py, &axes)?,))?;
        let made = upload(py, turned.cast()?, dtype, self.queue, kind)?;
        Ok(made.permuted(&inverse(&axes)))
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
