//! Reductions: arguments from Python objects, the dtypes of NumPy 2 and the Array API, the call.

use crate::arguments::{
    Truth, array_argument, axis_argument, common_queue, is_axis_of_number, lenient_axes_argument,
    mask_argument, result_kind,
};
use crate::array::PyArray;
use crate::conversion::without_gil;
use crate::dtype::dtype_from_object;
use crate::elementwise::check_folded;
use crate::errors::{Class, error};
use crate::scalars::{Scalar, scalar_from_object};
use colocate_array::elementwise::{self, Operand, convert_into};
use colocate_array::reduce::{self, Call};
use colocate_array::{Array, Result};
use colocate_dtype::{DType, Dims, Kind, promote_types};
use colocate_ir::Literal;
use colocate_kernels::elementwise::{Operation, Signature};
use colocate_kernels::reduce::{Finish, Fold, Present, Quantity, Reducer};
use colocate_runtime::UsmKind;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use smallvec::{SmallVec, smallvec};

pub type Axes = SmallVec<[usize; 4]>;

/// The arguments that all reductions have.
pub struct Given<'a, 'py> {
    pub function: &'static str,
    x: &'a Bound<'py, PyArray>,
    out: Option<&'a Bound<'py, PyArray>>,
    /// All that the computation needs to know; no Python object.
    pub operands: Operands<'a>,
}

/// What is reduced, and over what.
pub struct Operands<'a> {
    pub x: &'a Array,
    pub axes: Axes,
    pub keepdims: bool,
    /// Bools of the shape of `x`.
    mask: Option<Array>,
}

impl<'a, 'py> Given<'a, 'py> {
    /// Reads the arguments, and refuses what cannot be: R3.1, R3.5, axes that are not there.
    pub fn read(
        function: &'static str,
        x: &'a Bound<'py, PyAny>,
        axis: Option<&Bound<'py, PyAny>>,
        keepdims: bool,
        out: Option<&'a Bound<'py, PyAny>>,
        mask: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Given<'a, 'py>> {
        let x = array_argument(function, "a", x)?;
        let inner = &*x.get().inner;
        let out = out
            .filter(|out| !out.is_none())
            .map(|out| array_argument(function, "out", out))
            .transpose()?;
        let mask = match mask {
            Some(mask) => mask_argument(function, mask, Some(x))?,
            None => None,
        };
        let mut arrays: SmallVec<[(&str, &Array); 3]> = smallvec![("a", inner)];
        arrays.extend(mask.as_ref().map(|mask| ("where", &*mask.get().inner)));
        arrays.extend(out.map(|out| ("out", &*out.get().inner)));
        if arrays.len() > 1 {
            common_queue(function, &arrays)?;
        }
        let axes = lenient_axes_argument(function, axis, inner.shape().len())?;
        let mask = mask
            .as_ref()
            .map(|mask| spread(function, &mask.get().inner, inner.shape()));
        Ok(Given {
            function,
            x,
            out,
            operands: Operands {
                x: inner,
                axes,
                keepdims,
                mask: mask.transpose()?,
            },
        })
    }

    /// Runs what makes the result of this dtype, and gives it to Python: as a new array, or in `out`.
    pub fn finish(
        &self,
        py: Python<'py>,
        dtype: DType,
        work: impl FnOnce(&Operands<'_>) -> Result<Array> + Send,
    ) -> PyResult<Py<PyAny>> {
        let operands = &self.operands;
        let Some(out) = self.out else {
            let result = without_gil(py, &[operands.x], || work(operands))?;
            let made = self.x.get().derive(py, result);
            return Ok(Bound::new(py, made)?.into_any().unbind());
        };
        let target = &*out.get().inner;
        let shape = operands.result_shape();
        if target.shape() != &shape[..] {
            let message = format!(
                "{}: out has the shape {:?}, the result {:?}",
                self.function,
                target.shape(),
                &shape[..]
            );
            return Err(error(Class::InvalidArgumentError, message));
        }
        check_folded(self.function, dtype, target.dtype())?;
        without_gil(py, &[operands.x, target], || {
            convert_into(target, &work(operands)?)
        })?;
        Ok(out.clone().into_any().unbind())
    }
}

fn spread(function: &str, mask: &Array, shape: &[usize]) -> PyResult<Array> {
    if mask.dtype() != DType::Bool {
        let message = format!(
            "{function}: where is an array of {}, not of bool",
            mask.dtype()
        );
        return Err(error(Class::DTypeError, message));
    }
    let spread = mask.broadcast_to(shape);
    spread.map_err(|why| {
        error(
            Class::InvalidArgumentError,
            format!("{function}: where: {why}"),
        )
    })
}

impl Operands<'_> {
    pub fn dtype(&self) -> DType {
        self.x.dtype()
    }

    /// How many elements become one.
    pub fn count(&self) -> usize {
        self.axes.iter().map(|&axis| self.x.shape()[axis]).product()
    }

    fn kind(&self) -> UsmKind {
        result_kind([self.x].into_iter().chain(&self.mask))
    }

    /// Which elements count.
    pub fn present(&self, skip_nan: bool) -> Present {
        let may_be_nan = matches!(self.dtype().kind(), Kind::Float | Kind::Complex);
        Present {
            skip_nan: skip_nan && may_be_nan,
            masked: self.mask.is_some(),
        }
    }

    /// The call of the library for a reducer.
    pub fn call(&self, reducer: Reducer) -> Call<'_> {
        Call {
            x: self.x,
            axes: &self.axes,
            keepdims: self.keepdims,
            reducer,
            mask: self.mask.as_ref().filter(|_| reducer.present.masked),
            mean: None,
            divisor: 1.0,
            kind: self.kind(),
        }
    }

    fn result_shape(&self) -> Dims {
        let mut shape = Dims::new();
        for (axis, &extent) in self.x.shape().iter().enumerate() {
            match (self.axes.contains(&axis), self.keepdims) {
                (false, _) => shape.push(extent),
                (true, true) => shape.push(1),
                (true, false) => {}
            }
        }
        shape
    }
}

/// Does an elementwise operation whose operands have all the same dtype.
pub fn combine(operation: Operation, operands: &[Operand<'_>], like: &Array) -> Result<Array> {
    let dtype = operands[0].dtype();
    let signature = Signature {
        operands: operands.iter().map(|_| dtype).collect(),
        result: dtype,
    };
    let call = elementwise::Call {
        operation: Some(operation),
        signature: &signature,
        operands,
        mask: None,
    };
    call.run(like.queue(), like.kind())
}

/// What sums and products of elements of a dtype are in, if nobody says.
pub fn sum_dtype(dtype: DType) -> DType {
    match dtype.kind() {
        Kind::Bool | Kind::Int => DType::Int64,
        Kind::UInt => DType::UInt64,
        Kind::Float | Kind::Complex => dtype,
    }
}

/// The same where the result goes into an array, which may have room for more.
pub fn sum_dtype_into(dtype: DType, out: Option<&Bound<'_, PyArray>>) -> DType {
    let plain = sum_dtype(dtype);
    match out.map(|out| out.get().inner.dtype()) {
        Some(out) if promote_types(plain, out) == out => out,
        // Floats count further than integers, if not as exactly.
        Some(out)
            if matches!(plain.kind(), Kind::Int | Kind::UInt)
                && matches!(out.kind(), Kind::Float | Kind::Complex) =>
        {
            out
        }
        _ => plain,
    }
}

/// What is computed with for results of a dtype.
pub fn wide(dtype: DType) -> DType {
    if dtype == DType::Float16 {
        DType::Float32
    } else {
        dtype
    }
}

fn wanted_dtype(dtype: Option<&Bound<'_, PyAny>>) -> PyResult<Option<DType>> {
    let given = dtype.filter(|dtype| !dtype.is_none());
    given.map(dtype_from_object).transpose()
}

/// `sum`, `prod`, `max` and `min`, and those that leave out NaN.
fn fold<'py>(
    py: Python<'py>,
    given: &Given<'_, 'py>,
    fold: Fold,
    dtype: Option<&Bound<'py, PyAny>>,
    initial: Option<&Bound<'py, PyAny>>,
    skip_nan: bool,
) -> PyResult<Py<PyAny>> {
    let function = given.function;
    let ordered = matches!(fold, Fold::Minimum | Fold::Maximum);
    let result = match wanted_dtype(dtype)? {
        Some(dtype) => dtype,
        None if ordered => given.operands.dtype(),
        None => sum_dtype_into(given.operands.dtype(), given.out),
    };
    let initial = initial.filter(|initial| !initial.is_none());
    if ordered && initial.is_none() {
        if given.operands.count() == 0 {
            let message = format!(
                "{function}: there is no element along the axes, and so none that is the {}; give initial=",
                if fold == Fold::Minimum {
                    "smallest"
                } else {
                    "largest"
                }
            );
            return Err(error(Class::InvalidArgumentError, message));
        }
        if given.operands.mask.is_some() {
            let message = format!("{function}: where= may leave no element; give initial=");
            return Err(error(Class::InvalidArgumentError, message));
        }
    }
    let reducer = Reducer {
        fold,
        quantity: Quantity::Value,
        present: given.operands.present(skip_nan),
        input: given.operands.dtype(),
        computes: wide(result),
        finish: Finish::Plain,
        result,
    };
    let first = match initial {
        None => None,
        Some(object) => match scalar_from_object(object)? {
            Some(scalar)
                if scalar.own_dtype().kind() == Kind::Complex && result.kind() != Kind::Complex =>
            {
                let message = format!("{function}: initial is complex, and the result is {result}");
                return Err(error(Class::DTypeError, message));
            }
            Some(scalar) => Some(initial_literal(function, scalar, result)?),
            None => {
                let message = format!("{function}: initial must be a number");
                return Err(error(Class::DTypeError, message));
            }
        },
    };
    given.finish(py, result, |operands| {
        let reduced = reduce::reduce(&operands.call(reducer))?;
        let Some(first) = first else {
            return Ok(reduced);
        };
        let truth = result.kind() == Kind::Bool;
        let operation = match fold {
            Fold::Sum | Fold::Maximum if truth => Operation::LogicalOr,
            Fold::Product | Fold::Minimum if truth => Operation::LogicalAnd,
            Fold::Sum => Operation::Add,
            Fold::Product => Operation::Multiply,
            Fold::Minimum | Fold::ArgMinimum if skip_nan => Operation::Fmin,
            Fold::Maximum | Fold::ArgMaximum if skip_nan => Operation::Fmax,
            Fold::Minimum | Fold::ArgMinimum => Operation::Minimum,
            Fold::Maximum | Fold::ArgMaximum => Operation::Maximum,
        };
        combine(
            operation,
            &[Operand::Array(&reduced), Operand::Scalar(first)],
            &reduced,
        )
    })
}

/// What a reduction begins with, as an element of its result. A float that integers do not hold would become any of
/// them.
fn initial_literal(function: &str, scalar: Scalar, result: DType) -> PyResult<Literal> {
    if let Scalar::Float(number) | Scalar::Typed(Literal::Float(_, number)) = scalar
        && matches!(result.kind(), Kind::Int | Kind::UInt)
    {
        let message = || format!("{function}: initial={number} is no element of {result}");
        if number.is_nan() {
            return Err(error(Class::InvalidArgumentError, message()));
        }
        if !Literal::Int(result, number as i128).is_valid() {
            return Err(PyOverflowError::new_err(message()));
        }
    }
    scalar.literal(result)
}

/// `any`, `all` and `count_nonzero`.
fn truth<'py>(py: Python<'py>, given: &Given<'_, 'py>, fold: Fold) -> PyResult<Py<PyAny>> {
    let dtype = if fold == Fold::Sum {
        DType::Int64
    } else {
        DType::Bool
    };
    let reducer = Reducer {
        fold,
        quantity: Quantity::Nonzero,
        present: given.operands.present(false),
        input: given.operands.dtype(),
        computes: dtype,
        finish: Finish::Plain,
        result: dtype,
    };
    given.finish(py, dtype, |operands| {
        reduce::reduce(&operands.call(reducer))
    })
}

/// `argmax` and `argmin`.
fn search<'py>(
    py: Python<'py>,
    given: &Given<'_, 'py>,
    fold: Fold,
    skip_nan: bool,
) -> PyResult<Py<PyAny>> {
    if given.operands.count() == 0 {
        let message = format!(
            "{}: there is no element along the axis to be found",
            given.function
        );
        return Err(error(Class::InvalidArgumentError, message));
    }
    let reducer = Reducer {
        fold,
        quantity: Quantity::Value,
        present: given.operands.present(skip_nan),
        input: given.operands.dtype(),
        computes: wide(given.operands.dtype()),
        finish: Finish::Plain,
        result: DType::Int64,
    };
    given.finish(py, DType::Int64, |operands| {
        reduce::reduce(&operands.call(reducer))
    })
}

/// One axis, or all.
fn one_axis<'a, 'py>(
    function: &'static str,
    x: &'a Bound<'py, PyAny>,
    axis: Option<&Bound<'py, PyAny>>,
    keepdims: bool,
    out: Option<&'a Bound<'py, PyAny>>,
) -> PyResult<Given<'a, 'py>> {
    let mut given = Given::read(function, x, None, keepdims, out, None)?;
    if let Some(axis) = axis.filter(|axis| !axis.is_none()) {
        let ndim = given.operands.x.shape().len();
        if !is_axis_of_number(axis, ndim)? {
            given.operands.axes = smallvec![axis_argument(function, axis, ndim)?];
        }
    }
    Ok(given)
}

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

macro_rules! folds {
    ($($(#[$doc:meta])* $rust:ident($python:literal, $fold:ident, $skip_nan:literal);)*) => {$(
        $(#[$doc])*
        #[pyfunction(name = $python)]
        #[pyo3(
            signature = (a, axis=None, dtype=None, out=None, keepdims=Truth(false), initial=None, r#where=None),
            text_signature = "(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=None)"
        )]
        #[allow(clippy::too_many_arguments)]
        fn $rust<'py>(
            py: Python<'py>,
            a: &Bound<'py, PyAny>,
            axis: Argument<'_, 'py>,
            dtype: Argument<'_, 'py>,
            out: Argument<'_, 'py>,
            keepdims: Truth,
            initial: Argument<'_, 'py>,
            r#where: Argument<'_, 'py>,
        ) -> PyResult<Py<PyAny>> {
            let given = Given::read($python, a, axis, keepdims.0, out, r#where)?;
            fold(py, &given, Fold::$fold, dtype, initial, $skip_nan)
        }
    )*};
}

macro_rules! extremes {
    ($($(#[$doc:meta])* $rust:ident($python:literal, $fold:ident, $skip_nan:literal);)*) => {$(
        $(#[$doc])*
        #[pyfunction(name = $python)]
        #[pyo3(
            signature = (a, axis=None, out=None, keepdims=Truth(false), initial=None, r#where=None),
            text_signature = "(a, axis=None, out=None, keepdims=False, initial=None, where=None)"
        )]
        fn $rust<'py>(
            py: Python<'py>,
            a: &Bound<'py, PyAny>,
            axis: Argument<'_, 'py>,
            out: Argument<'_, 'py>,
            keepdims: Truth,
            initial: Argument<'_, 'py>,
            r#where: Argument<'_, 'py>,
        ) -> PyResult<Py<PyAny>> {
            let given = Given::read($python, a, axis, keepdims.0, out, r#where)?;
            fold(py, &given, Fold::$fold, None, initial, $skip_nan)
        }
    )*};
}

macro_rules! truths {
    ($($(#[$doc:meta])* $rust:ident($python:literal, $fold:ident);)*) => {$(
        $(#[$doc])*
        #[pyfunction(name = $python)]
        #[pyo3(
            signature = (a, axis=None, out=None, keepdims=Truth(false), *, r#where=None),
            text_signature = "(a, axis=None, out=None, keepdims=False, *, where=None)"
        )]
        fn $rust<'py>(
            py: Python<'py>,
            a: &Bound<'py, PyAny>,
            axis: Argument<'_, 'py>,
            out: Argument<'_, 'py>,
            keepdims: Truth,
            r#where: Argument<'_, 'py>,
        ) -> PyResult<Py<PyAny>> {
            let given = Given::read($python, a, axis, keepdims.0, out, r#where)?;
            truth(py, &given, Fold::$fold)
        }
    )*};
}

macro_rules! searches {
    ($($(#[$doc:meta])* $rust:ident($python:literal, $fold:ident, $skip_nan:literal);)*) => {$(
        $(#[$doc])*
        #[pyfunction(name = $python)]
        #[pyo3(
            signature = (a, axis=None, out=None, *, keepdims=Truth(false)),
            text_signature = "(a, axis=None, out=None, *, keepdims=False)"
        )]
        fn $rust<'py>(
            py: Python<'py>,
            a: &Bound<'py, PyAny>,
            axis: Argument<'_, 'py>,
            out: Argument<'_, 'py>,
            keepdims: Truth,
        ) -> PyResult<Py<PyAny>> {
            // Those that are not for users have a bar before the name of the function that is.
            let function = $python.trim_start_matches('_');
            let given = one_axis(function, a, axis, keepdims.0, out)?;
            search(py, &given, Fold::$fold, $skip_nan)
        }
    )*};
}

folds! {
    /// The sum of the elements along axes.
    ///
    /// Integers are summed as 64-bit integers, which wrap; float16 as float32. Sums of floats are
    /// blocked: the error grows with the logarithm of the number of elements, and the same array on the
    /// same device gives the same bits every time.
    ///
    /// Parameters
    /// ----------
    /// a : Array
    /// axis : int or tuple of int, optional
    ///     Along which axes; all by default.
    /// dtype : dtype, optional
    ///     What to sum in, and the dtype of the result.
    /// out : Array, optional
    ///     Where the result goes.
    /// keepdims : bool
    ///     Whether reduced axes stay, with length 1.
    /// initial : number, optional
    ///     Added to each sum.
    /// where : Array of bool, optional
    ///     Which elements count.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.asarray([[1, 2], [3, 4]])
    /// >>> int(cl.sum(x)), cl.sum(x, axis=0).tolist()
    /// (10, [4, 6])
    sum("sum", Sum, false);
    /// The product of the elements along axes; parameters as for :func:`sum`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.prod(cl.asarray([[1, 2], [3, 4]]), axis=1).tolist()
    /// [2, 12]
    prod("prod", Product, false);
    /// The sum of the elements that are not NaN; parameters as for :func:`sum`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> float(cl.nansum(cl.asarray([1.0, float("nan"), 2.0])))
    /// 3.0
    nansum("nansum", Sum, true);
    /// The product of the elements that are not NaN; parameters as for :func:`sum`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> float(cl.nanprod(cl.asarray([3.0, float("nan"), 2.0])))
    /// 6.0
    nanprod("nanprod", Product, true);
}

extremes! {
    /// The largest element along axes; NaN if there is one.
    ///
    /// Without elements there is no largest: then ``initial`` must be given. It is also what ``where``
    /// needs. Complex numbers are ordered by their real parts, then by their imaginary parts.
    ///
    /// Parameters
    /// ----------
    /// a : Array
    /// axis : int or tuple of int, optional
    ///     Along which axes; all by default.
    /// out : Array, optional
    ///     Where the result goes.
    /// keepdims : bool
    ///     Whether reduced axes stay, with length 1.
    /// initial : number, optional
    ///     The result is at least this.
    /// where : Array of bool, optional
    ///     Which elements count.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.max(cl.asarray([[1, 5], [3, 4]]), axis=1).tolist()
    /// [5, 4]
    max("max", Maximum, false);
    /// The smallest element along axes; NaN if there is one. Parameters as for :func:`max`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.min(cl.asarray([[1, 5], [3, 4]]), axis=1).tolist()
    /// [1, 3]
    min("min", Minimum, false);
    /// The largest element that is not NaN; NaN only if all are. Parameters as for :func:`max`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> float(cl.nanmax(cl.asarray([1.0, float("nan"), 2.0])))
    /// 2.0
    nanmax("nanmax", Maximum, true);
    /// The smallest element that is not NaN; NaN only if all are. Parameters as for :func:`max`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> float(cl.nanmin(cl.asarray([1.0, float("nan"), 2.0])))
    /// 1.0
    nanmin("nanmin", Minimum, true);
}

truths! {
    /// Whether any element along axes is true, that is not zero; NaN is true.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.any(cl.asarray([[0, 1], [0, 0]]), axis=1).tolist()
    /// [True, False]
    any("any", Maximum);
    /// Whether all elements along axes are true, that is not zero; NaN is true.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.all(cl.asarray([[2, 1], [0, 1]]), axis=1).tolist()
    /// [True, False]
    all("all", Minimum);
}

searches! {
    /// Where the first largest element is along an axis, or in the flattened array; the first NaN, if
    /// there is one.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.asarray([[1, 5], [7, 4]])
    /// >>> int(cl.argmax(x)), cl.argmax(x, axis=1).tolist()
    /// (2, [1, 0])
    argmax("argmax", ArgMaximum, false);
    /// Where the first smallest element is along an axis, or in the flattened array; the first NaN, if
    /// there is one.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.asarray([[1, 5], [7, 4]])
    /// >>> int(cl.argmin(x)), cl.argmin(x, axis=1).tolist()
    /// (0, [0, 1])
    argmin("argmin", ArgMinimum, false);
    /// As `nanargmax`, with -1 where all elements are NaN.
    _nanargmax("_nanargmax", ArgMaximum, true);
    /// As `nanargmin`, with -1 where all elements are NaN.
    _nanargmin("_nanargmin", ArgMinimum, true);
}

/// How many elements along axes are not zero.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.count_nonzero(cl.asarray([[0, 1], [2, 3]]), axis=0).tolist()
/// [1, 2]
#[pyfunction]
#[pyo3(
    signature = (a, axis=None, *, keepdims=Truth(false)),
    text_signature = "(a, axis=None, *, keepdims=False)"
)]
fn count_nonzero<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    axis: Argument<'_, 'py>,
    keepdims: Truth,
) -> PyResult<Py<PyAny>> {
    let given = Given::read("count_nonzero", a, axis, keepdims.0, None, None)?;
    truth(py, &given, Fold::Sum)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sum, module)?)?;
    module.add_function(wrap_pyfunction!(prod, module)?)?;
    module.add_function(wrap_pyfunction!(nansum, module)?)?;
    module.add_function(wrap_pyfunction!(nanprod, module)?)?;
    module.add_function(wrap_pyfunction!(max, module)?)?;
    module.add_function(wrap_pyfunction!(min, module)?)?;
    module.add_function(wrap_pyfunction!(nanmax, module)?)?;
    module.add_function(wrap_pyfunction!(nanmin, module)?)?;
    module.add_function(wrap_pyfunction!(any, module)?)?;
    module.add_function(wrap_pyfunction!(all, module)?)?;
    module.add_function(wrap_pyfunction!(argmax, module)?)?;
    module.add_function(wrap_pyfunction!(argmin, module)?)?;
    module.add_function(wrap_pyfunction!(_nanargmax, module)?)?;
    module.add_function(wrap_pyfunction!(_nanargmin, module)?)?;
    module.add_function(wrap_pyfunction!(count_nonzero, module)?)
}
