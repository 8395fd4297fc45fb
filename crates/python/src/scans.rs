//! Scans: sums and products of all elements up to each.

use crate::arguments::{array_argument, axis_argument, common_queue, is_axis_of_number};
use crate::array::PyArray;
use crate::conversion::without_gil;
use crate::dtype::dtype_from_object;
use crate::elementwise::check_folded;
use crate::errors::{Class, error};
use crate::reductions::{sum_dtype_into, wide};
use colocate_array::elementwise::{self, Operand, convert_into};
use colocate_array::{Array, Result, scan};
use colocate_dtype::{DType, Dims, Kind, Layout};
use colocate_ir::Literal;
use colocate_kernels::elementwise::Signature;
use colocate_kernels::reduce::{Finish, Fold, Present, Quantity, Reducer};
use pyo3::prelude::*;

struct Scan {
    fold: Fold,
    skip_nan: bool,
    result: DType,
    include_initial: bool,
}

impl Scan {
    fn run(&self, x: &Array, axis: usize) -> Result<Array> {
        let mut shape = Dims::from_slice(x.shape());
        shape[axis] += usize::from(self.include_initial);
        let order = x.layout().order_of_result();
        let result = Array::empty_in_order(&shape, &order, self.result, x.kind(), x.queue())?;
        let target = match self.include_initial {
            false => result.clone(),
            true => {
                let start = part(&result, axis, 0, 1)?;
                let nothing = i8::from(self.fold == Fold::Product);
                let nothing = Operand::Scalar(Literal::small(self.result, nothing));
                let signature = Signature {
                    operands: [self.result].into_iter().collect(),
                    result: self.result,
                };
                let call = elementwise::Call {
                    operation: None,
                    signature: &signature,
                    operands: &[nothing],
                    mask: None,
                };
                call.run_into(&start)?;
                part(&result, axis, 1, x.shape()[axis])?
            }
        };
        let may_be_nan = matches!(x.dtype().kind(), Kind::Float | Kind::Complex);
        let reducer = Reducer {
            fold: self.fold,
            quantity: Quantity::Value,
            present: Present {
                skip_nan: self.skip_nan && may_be_nan,
                masked: false,
            },
            input: x.dtype(),
            computes: wide(self.result),
            finish: Finish::Plain,
            result: self.result,
        };
        scan::scan_into(x, axis, reducer, false, &target)?;
        Ok(result)
    }
}

/// A piece of an array along an axis.
fn part(array: &Array, axis: usize, first: usize, count: usize) -> Result<Array> {
    let layout = array.layout();
    let mut shape = Dims::from_slice(layout.shape());
    shape[axis] = count;
    let offset = layout.offset() + first as isize * layout.strides()[axis];
    let itemsize = array.dtype().itemsize();
    let layout = Layout::strided(&shape, layout.strides(), offset, itemsize)?;
    Array::over(
        array.usm().clone(),
        layout,
        array.dtype(),
        array.queue(),
        true,
    )
}

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

struct Arguments<'a, 'py> {
    function: &'static str,
    /// What the array is called.
    name: &'static str,
    x: &'a Bound<'py, PyAny>,
    axis: Argument<'a, 'py>,
    dtype: Argument<'a, 'py>,
    out: Argument<'a, 'py>,
    /// Whether an array of several axes is flattened if no axis is named.
    flattens: bool,
}

fn compute<'py>(
    py: Python<'py>,
    arguments: &Arguments<'_, 'py>,
    fold: Fold,
    include_initial: bool,
    skip_nan: bool,
) -> PyResult<Py<PyAny>> {
    let function = arguments.function;
    let maker: &Bound<'py, PyArray> = array_argument(function, arguments.name, arguments.x)?;
    let x = &*maker.get().inner;
    let out = arguments.out.filter(|out| !out.is_none());
    let out = out
        .map(|out| array_argument(function, "out", out))
        .transpose()?;
    if let Some(out) = out {
        common_queue(function, &[(arguments.name, x), ("out", &*out.get().inner)])?;
    }
    let ndim = x.shape().len();
    let axis = match arguments.axis.filter(|axis| !axis.is_none()) {
        Some(axis) if is_axis_of_number(axis, ndim)? => None,
        Some(axis) => Some(axis_argument(function, axis, ndim)?),
        None if ndim == 1 => Some(0),
        None if arguments.flattens || ndim == 0 => None,
        None => {
            let message = format!("{function}: an array of {ndim} dimensions needs axis=");
            return Err(error(Class::InvalidArgumentError, message));
        }
    };
    let wanted = arguments.dtype.filter(|dtype| !dtype.is_none());
    let result = match wanted.map(dtype_from_object).transpose()? {
        Some(dtype) => dtype,
        None => sum_dtype_into(x.dtype(), out),
    };
    let scan = Scan {
        fold,
        skip_nan,
        result,
        include_initial,
    };
    let work = || match axis {
        Some(axis) => scan.run(x, axis),
        None => scan.run(&x.reshaped(&[x.size()])?, 0),
    };
    let Some(out) = out else {
        let made = without_gil(py, &[x], work)?;
        return Ok(Bound::new(py, maker.get().derive(py, made))?
            .into_any()
            .unbind());
    };
    let target = &*out.get().inner;
    let mut shape = match axis {
        Some(_) => Dims::from_slice(x.shape()),
        None => Dims::from_slice(&[x.size()]),
    };
    shape[axis.unwrap_or(0)] += usize::from(include_initial);
    if target.shape() != &shape[..] {
        let message = format!(
            "{function}: out has the shape {:?}, the result {:?}",
            target.shape(),
            &shape[..]
        );
        return Err(error(Class::InvalidArgumentError, message));
    }
    check_folded(function, result, target.dtype())?;
    without_gil(py, &[x, target], || convert_into(target, &work()?))?;
    Ok(out.clone().into_any().unbind())
}

macro_rules! cumulative {
    ($($(#[$doc:meta])* $rust:ident($python:literal, $fold:ident);)*) => {$(
        $(#[$doc])*
        #[pyfunction(name = $python)]
        #[pyo3(signature = (x, /, *, axis=None, dtype=None, out=None, include_initial=false))]
        fn $rust<'py>(
            py: Python<'py>,
            x: &Bound<'py, PyAny>,
            axis: Argument<'_, 'py>,
            dtype: Argument<'_, 'py>,
            out: Argument<'_, 'py>,
            include_initial: bool,
        ) -> PyResult<Py<PyAny>> {
            let arguments = Arguments { function: $python, name: "x", x, axis, dtype, out, flattens: false };
            compute(py, &arguments, Fold::$fold, include_initial, false)
        }
    )*};
}

macro_rules! flattening {
    ($($(#[$doc:meta])* $rust:ident($python:literal, $fold:ident, $skip_nan:literal);)*) => {$(
        $(#[$doc])*
        #[pyfunction(name = $python)]
        #[pyo3(signature = (a, axis=None, dtype=None, out=None))]
        fn $rust<'py>(
            py: Python<'py>,
            a: &Bound<'py, PyAny>,
            axis: Argument<'_, 'py>,
            dtype: Argument<'_, 'py>,
            out: Argument<'_, 'py>,
        ) -> PyResult<Py<PyAny>> {
            let arguments = Arguments { function: $python, name: "a", x: a, axis, dtype, out, flattens: true };
            compute(py, &arguments, Fold::$fold, false, $skip_nan)
        }
    )*};
}

cumulative! {
    /// Sums of all elements up to each along an axis.
    ///
    /// Parameters
    /// ----------
    /// x : Array
    /// axis : int, optional
    ///     May be left out if there is one axis only.
    /// dtype : dtype, optional
    ///     What to sum in, and the dtype of the result; by default as for :func:`sum`.
    /// out : Array, optional
    ///     Where the result goes.
    /// include_initial : bool
    ///     Whether the result begins with 0, and so is longer by one.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.cumulative_sum(cl.asarray([1, 2, 3]), include_initial=True).tolist()
    /// [0, 1, 3, 6]
    cumulative_sum("cumulative_sum", Sum);
    /// Products of all elements up to each along an axis; parameters as for :func:`cumulative_sum`,
    /// but the result may begin with 1.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.cumulative_prod(cl.asarray([1, 2, 3])).tolist()
    /// [1, 2, 6]
    cumulative_prod("cumulative_prod", Product);
}

flattening! {
    /// Sums of all elements up to each along an axis, or of the flattened array.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.cumsum(cl.asarray([[1, 2], [3, 4]])).tolist()
    /// [1, 3, 6, 10]
    cumsum("cumsum", Sum, false);
    /// Products of all elements up to each along an axis, or of the flattened array.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.cumprod(cl.asarray([[1, 2], [3, 4]]), axis=0).tolist()
    /// [[1, 2], [3, 8]]
    cumprod("cumprod", Product, false);
    /// As :func:`cumsum`, with NaN counted as 0.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.nancumsum(cl.asarray([1.0, float("nan"), 2.0])).tolist()
    /// [1.0, 1.0, 3.0]
    nancumsum("nancumsum", Sum, true);
    /// As :func:`cumprod`, with NaN counted as 1.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.nancumprod(cl.asarray([3.0, float("nan"), 2.0])).tolist()
    /// [3.0, 3.0, 6.0]
    nancumprod("nancumprod", Product, true);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cumulative_sum, module)?)?;
    module.add_function(wrap_pyfunction!(cumulative_prod, module)?)?;
    module.add_function(wrap_pyfunction!(cumsum, module)?)?;
    module.add_function(wrap_pyfunction!(cumprod, module)?)?;
    module.add_function(wrap_pyfunction!(nancumsum, module)?)?;
    module.add_function(wrap_pyfunction!(nancumprod, module)?)
}
