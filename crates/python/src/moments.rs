//! Means and variances.
//!
//! A variance takes two walks over the data: one for the mean, one for the squared distances from
//! it. Where all elements count, the kernels divide by their number at the end; where not, numbers of
//! elements are counted and divided by.

use crate::arguments::{Truth, axes_argument};
use crate::dtype::dtype_from_object;
use crate::errors::{Class, error};
use crate::reductions::{Given, Operands, combine, wide};
use colocate_array::elementwise::Operand;
use colocate_array::reduce::{self, Call};
use colocate_array::{Array, Result};
use colocate_dtype::{DType, Kind};
use colocate_ir::Literal;
use colocate_kernels::elementwise::Operation;
use colocate_kernels::reduce::{Finish, Fold, Present, Quantity, Reducer};
use pyo3::prelude::*;

/// What means of elements of a dtype are in, if nobody says.
fn mean_dtype(dtype: DType) -> DType {
    match dtype.kind() {
        Kind::Float | Kind::Complex => dtype,
        _ => DType::Float64,
    }
}

/// The dtype of a part.
fn real(dtype: DType) -> DType {
    match dtype {
        DType::Complex64 => DType::Float32,
        DType::Complex128 => DType::Float64,
        other => other,
    }
}

fn wanted(function: &str, dtype: Option<&Bound<'_, PyAny>>, given: DType) -> PyResult<DType> {
    let Some(dtype) = dtype.filter(|dtype| !dtype.is_none()) else {
        return Ok(mean_dtype(given));
    };
    let dtype = dtype_from_object(dtype)?;
    if !matches!(dtype.kind(), Kind::Float | Kind::Complex) {
        let message = format!("{function}: dtype={dtype}: what is divided needs a float dtype");
        return Err(error(Class::DTypeError, message));
    }
    Ok(dtype)
}

/// Which elements count, and how results are divided by their number.
struct Moment<'a> {
    given: &'a Operands<'a>,
    present: Present,
    /// What is computed with.
    computes: DType,
}

impl Moment<'_> {
    fn all_count(&self) -> bool {
        !self.present.skip_nan && !self.present.masked
    }

    fn reducer(
        &self,
        quantity: Quantity,
        computes: DType,
        finish: Finish,
        result: DType,
    ) -> Reducer {
        Reducer {
            fold: Fold::Sum,
            quantity,
            present: self.present,
            input: self.given.dtype(),
            computes,
            finish,
            result,
        }
    }

    /// How many elements there are to each result, less a correction.
    fn counts(&self, keepdims: bool, result: DType, correction: f64) -> Result<Array> {
        let computes = wide(result);
        let one = self.reducer(Quantity::One, DType::Int64, Finish::Plain, computes);
        let call = self.given.call(one);
        let counts = reduce::reduce(&Call { keepdims, ..call })?;
        if correction == 0.0 {
            return Ok(counts);
        }
        let correction = Operand::Scalar(Literal::Float(computes, correction));
        let left = combine(
            Operation::Subtract,
            &[Operand::Array(&counts), correction],
            &counts,
        )?;
        let zero = Operand::Scalar(Literal::Float(computes, 0.0));
        combine(Operation::Maximum, &[Operand::Array(&left), zero], &left)
    }

    fn mean(&self, keepdims: bool, result: DType) -> Result<Array> {
        let call = Call {
            keepdims,
            divisor: self.given.count() as f64,
            ..self
                .given
                .call(self.reducer(Quantity::Value, self.computes, Finish::Divide, result))
        };
        if self.all_count() {
            return reduce::reduce(&call);
        }
        let plain = Reducer {
            finish: Finish::Plain,
            result: self.computes,
            ..call.reducer
        };
        let sum = reduce::reduce(&Call {
            reducer: plain,
            ..call
        })?;
        let counts = self.counts(keepdims, real(self.computes), 0.0)?;
        divided(&sum, &counts, result, false)
    }

    /// A mean in whole numbers: they are summed as such, and what is divided loses its fraction.
    fn whole_mean(&self, keepdims: bool, result: DType) -> Result<Array> {
        let plain = self.reducer(Quantity::Value, result, Finish::Plain, result);
        let sum = reduce::reduce(&Call {
            keepdims,
            ..self.given.call(plain)
        })?;
        let sum = colocate_array::elementwise::converted(&sum, DType::Float64, sum.kind())?;
        let counts = self.counts(keepdims, DType::Float64, 0.0)?;
        divided(&sum, &counts, result, false)
    }

    fn variance(&self, correction: f64, root: bool, result: DType) -> Result<Array> {
        let mean = self.mean(true, self.computes)?;
        let finish = if root {
            Finish::DivideAndRoot
        } else {
            Finish::Divide
        };
        let quantity = Quantity::SquaredDeviation(self.computes);
        let parts = real(self.computes);
        let call = Call {
            mean: Some(&mean),
            divisor: (self.given.count() as f64 - correction).max(0.0),
            ..self
                .given
                .call(self.reducer(quantity, parts, finish, result))
        };
        if self.all_count() {
            return reduce::reduce(&call);
        }
        let plain = Reducer {
            finish: Finish::Plain,
            result: parts,
            ..call.reducer
        };
        let sum = reduce::reduce(&Call {
            reducer: plain,
            ..call
        })?;
        let counts = self.counts(self.given.keepdims, parts, correction)?;
        divided(&sum, &counts, result, root)
    }
}

fn divided(sum: &Array, counts: &Array, result: DType, root: bool) -> Result<Array> {
    let counts = colocate_array::elementwise::converted(counts, sum.dtype(), sum.kind())?;
    let mut value = combine(
        Operation::Divide,
        &[Operand::Array(sum), Operand::Array(&counts)],
        sum,
    )?;
    if root {
        value = combine(Operation::Sqrt, &[Operand::Array(&value)], sum)?;
    }
    match value.dtype() == result {
        true => Ok(value),
        false => colocate_array::elementwise::converted(&value, result, value.kind()),
    }
}

/// Means and variances have no mercy on those who name an axis of a number, except where they look for NaN.
fn refuse_axis_of_number(
    given: &Given<'_, '_>,
    axis: Option<&Bound<'_, PyAny>>,
    skip_nan: bool,
) -> PyResult<()> {
    let operands = &given.operands;
    if operands.x.shape().is_empty() && !operands.present(skip_nan).skip_nan {
        axes_argument(given.function, axis, 0)?;
    }
    Ok(())
}

fn mean_of<'py>(
    py: Python<'py>,
    given: &Given<'_, 'py>,
    dtype: Option<&Bound<'py, PyAny>>,
    skip_nan: bool,
) -> PyResult<Py<PyAny>> {
    let own = given.operands.dtype();
    let present = given.operands.present(skip_nan);
    let result = match dtype.filter(|dtype| !dtype.is_none()) {
        None => mean_dtype(own),
        // What is not a number has no place among whole ones.
        Some(_) if present.skip_nan => wanted(given.function, dtype, own)?,
        Some(dtype) => dtype_from_object(dtype)?,
    };
    let computes = wide(result);
    given.finish(py, result, |operands| {
        let moment = Moment {
            given: operands,
            present,
            computes,
        };
        match result.kind() {
            Kind::Float | Kind::Complex => moment.mean(operands.keepdims, result),
            _ => moment.whole_mean(operands.keepdims, result),
        }
    })
}

fn variance_of<'py>(
    py: Python<'py>,
    given: &Given<'_, 'py>,
    dtype: Option<&Bound<'py, PyAny>>,
    corrections: [Option<f64>; 2],
    root: bool,
    skip_nan: bool,
) -> PyResult<Py<PyAny>> {
    let correction = match corrections {
        [Some(_), Some(_)] => {
            let message = format!("{}: ddof and correction are the same thing", given.function);
            return Err(error(Class::InvalidArgumentError, message));
        }
        [ddof, correction] => ddof.or(correction).unwrap_or(0.0),
    };
    let complete = wanted(given.function, dtype, given.operands.dtype())?;
    let present = given.operands.present(skip_nan);
    let computes = wide(complete);
    let result = real(complete);
    given.finish(py, result, |operands| {
        let moment = Moment {
            given: operands,
            present,
            computes,
        };
        moment.variance(correction, root, result)
    })
}

type Argument<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

macro_rules! means {
    ($($(#[$doc:meta])* $rust:ident($python:literal, $skip_nan:literal);)*) => {$(
        $(#[$doc])*
        #[pyfunction(name = $python)]
        #[pyo3(
            signature = (a, axis=None, dtype=None, out=None, keepdims=Truth(false), *, r#where=None),
            text_signature = "(a, axis=None, dtype=None, out=None, keepdims=False, *, where=None)"
        )]
        fn $rust<'py>(
            py: Python<'py>,
            a: &Bound<'py, PyAny>,
            axis: Argument<'_, 'py>,
            dtype: Argument<'_, 'py>,
            out: Argument<'_, 'py>,
            keepdims: Truth,
            r#where: Argument<'_, 'py>,
        ) -> PyResult<Py<PyAny>> {
            let given = Given::read($python, a, axis, keepdims.0, out, r#where)?;
            refuse_axis_of_number(&given, axis, $skip_nan)?;
            mean_of(py, &given, dtype, $skip_nan)
        }
    )*};
}

macro_rules! variances {
    ($($(#[$doc:meta])* $rust:ident($python:literal, $root:literal, $skip_nan:literal);)*) => {$(
        $(#[$doc])*
        #[pyfunction(name = $python)]
        #[pyo3(signature = (
            a, axis=None, dtype=None, out=None, ddof=None, keepdims=Truth(false), *, r#where=None, correction=None
        ))]
        #[allow(clippy::too_many_arguments)]
        fn $rust<'py>(
            py: Python<'py>,
            a: &Bound<'py, PyAny>,
            axis: Argument<'_, 'py>,
            dtype: Argument<'_, 'py>,
            out: Argument<'_, 'py>,
            ddof: Option<f64>,
            keepdims: Truth,
            r#where: Argument<'_, 'py>,
            correction: Option<f64>,
        ) -> PyResult<Py<PyAny>> {
            let given = Given::read($python, a, axis, keepdims.0, out, r#where)?;
            refuse_axis_of_number(&given, axis, $skip_nan)?;
            variance_of(py, &given, dtype, [ddof, correction], $root, $skip_nan)
        }
    )*};
}

means! {
    /// The mean of the elements along axes.
    ///
    /// Integers have means in float64; float16 is averaged in float32.
    ///
    /// Parameters
    /// ----------
    /// a : Array
    /// axis : int or tuple of int, optional
    ///     Along which axes; all by default.
    /// dtype : dtype, optional
    ///     What to compute in, and the dtype of the result.
    /// out : Array, optional
    ///     Where the result goes.
    /// keepdims : bool
    ///     Whether reduced axes stay, with length 1.
    /// where : Array of bool, optional
    ///     Which elements count.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.mean(cl.asarray([[1.0, 2.0], [3.0, 6.0]]), axis=1).tolist()
    /// [1.5, 4.5]
    mean("mean", false);
    /// The mean of the elements that are not NaN; parameters as for :func:`mean`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> float(cl.nanmean(cl.asarray([1.0, float("nan"), 2.0])))
    /// 1.5
    nanmean("nanmean", true);
}

variances! {
    /// The variance of the elements along axes: the mean of the squared distances from the mean.
    ///
    /// Parameters
    /// ----------
    /// a : Array
    /// axis : int or tuple of int, optional
    ///     Along which axes; all by default.
    /// dtype : dtype, optional
    ///     What to compute in.
    /// out : Array, optional
    ///     Where the result goes.
    /// ddof, correction : float
    ///     What is taken from the number of elements before it divides; two names of one thing.
    /// keepdims : bool
    ///     Whether reduced axes stay, with length 1.
    /// where : Array of bool, optional
    ///     Which elements count.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.asarray([1.0, 2.0, 3.0])
    /// >>> float(cl.var(x, correction=1))
    /// 1.0
    var("var", false, false);
    /// The standard deviation of the elements along axes: the root of :func:`var`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> float(cl.std(cl.asarray([1.0, 3.0])))
    /// 1.0
    std_("std", true, false);
    /// The variance of the elements that are not NaN; parameters as for :func:`var`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> float(cl.nanvar(cl.asarray([1.0, float("nan"), 3.0])))
    /// 1.0
    nanvar("nanvar", false, true);
    /// The standard deviation of the elements that are not NaN; parameters as for :func:`var`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> float(cl.nanstd(cl.asarray([1.0, float("nan"), 5.0])))
    /// 2.0
    nanstd("nanstd", true, true);
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mean, module)?)?;
    module.add_function(wrap_pyfunction!(nanmean, module)?)?;
    module.add_function(wrap_pyfunction!(var, module)?)?;
    module.add_function(wrap_pyfunction!(std_, module)?)?;
    module.add_function(wrap_pyfunction!(nanvar, module)?)?;
    module.add_function(wrap_pyfunction!(nanstd, module)?)
}
