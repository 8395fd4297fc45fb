//! Elementwise functions: operands from Python objects, their dtypes, the call.

use crate::arguments::no_array;
use crate::array::PyArray;
use crate::config;
use crate::conversion::without_gil;
use crate::dtype::dtype_from_object;
use crate::errors::{Class, error};
use crate::placement;
use crate::scalars::{Scalar, scalar_from_object};
use crate::ufunc_keywords::{Asked, Casting, ResultOrder};
use colocate_array::Array;
use colocate_array::elementwise::{Call, Operand};
use colocate_dtype::{DType, Kind, promote_all};
use colocate_ir::Literal;
use colocate_kernels::elementwise::{Operation, Signature};
use colocate_runtime::UsmKind;
use colocate_runtime::placement::{coerced_usm_kind, execution_queue};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;

/// An operand, as it was given.
enum Given<'a, 'py> {
    Array(&'a Bound<'py, PyArray>),
    Scalar(Scalar),
}

type Arrays<'a> = SmallVec<[&'a Array; 4]>;

/// What a call is asked for, beside its operands.
#[derive(Default)]
pub struct Options<'a, 'py> {
    /// Where the result goes.
    pub out: Option<&'a Bound<'py, PyArray>>,
    /// Which elements are computed.
    pub mask: Option<&'a Bound<'py, PyArray>>,
    /// What is computed with.
    pub dtype: Option<DType>,
    /// Which conversions are allowed.
    pub casting: Casting,
    /// How the result lies in memory, if not as the operands do.
    pub order: Option<ResultOrder>,
}

/// Does an operation; what Python sees is the result or `out`.
pub fn compute<'py>(
    py: Python<'py>,
    operation: Operation,
    objects: &[&Bound<'py, PyAny>],
    options: &Options<'_, 'py>,
) -> PyResult<Py<PyAny>> {
    let name = operation.name();
    let mut given: SmallVec<[Given<'_, 'py>; 3]> = SmallVec::new();
    for (number, object) in objects.iter().enumerate() {
        given.push(match object.cast::<PyArray>() {
            Ok(array) => Given::Array(array),
            Err(_) => match scalar_from_object(object)? {
                Some(scalar) => Given::Scalar(scalar),
                None => return Err(no_array(name, parameters(operation)[number], object)),
            },
        });
    }
    let mut arrays: Arrays<'_> = SmallVec::new();
    for one in &given {
        if let Given::Array(array) = one {
            arrays.push(&*array.get().inner);
        }
    }
    let Some(&first) = arrays.first() else {
        return Err(no_arrays(name, objects.len()));
    };
    let operands = arrays.len();
    arrays.extend(options.mask.map(|mask| &*mask.get().inner));
    arrays.extend(options.out.map(|out| &*out.get().inner));
    check_queues(operation, &given, options, &arrays)?;
    if config::warn_on_mixed_usm() {
        let kinds: SmallVec<[UsmKind; 4]> = arrays.iter().map(|array| array.kind()).collect();
        placement::warn_about_mixture(py, &kinds)?;
    }
    if given.iter().any(is_huge) && compares(operation) {
        bring_huge_into_reach(&mut given, &arrays[..operands]);
    }
    let signature = signature_of(operation, &given, options)?;
    let mut values: SmallVec<[Operand<'_>; 3]> = SmallVec::new();
    for (one, &dtype) in given.iter().zip(&signature.operands) {
        values.push(match one {
            Given::Array(array) => Operand::Array(&array.get().inner),
            Given::Scalar(scalar) => Operand::Scalar(scalar.literal(dtype)?),
        });
    }
    if operation == Operation::Pow {
        refuse_negative_exponent(py, &signature, &given, &values)?;
    }
    let call = Call {
        operation: Some(operation),
        signature: &signature,
        operands: &values,
        mask: options.mask.map(|mask| &*mask.get().inner),
    };
    if let Some(out) = options.out {
        let target = &*out.get().inner;
        options
            .casting
            .check(name, signature.result, target.dtype())?;
        without_gil(py, &arrays, || call.run_into(target))?;
        return Ok(out.clone().into_any().unbind());
    }
    let kinds = arrays[..operands].iter().map(|array| array.kind());
    let kind = coerced_usm_kind(kinds).unwrap_or(UsmKind::Device);
    let order = options.order;
    let result = without_gil(py, &arrays, || match order {
        None => call.run(first.queue(), kind),
        Some(order) => {
            let shape = call.shape()?;
            let axes = order.axes(&arrays[..operands], shape.len());
            let result =
                Array::empty_in_order(&shape, &axes, signature.result, kind, first.queue())?;
            call.run_into(&result)?;
            Ok(result)
        }
    })?;
    let maker = given.iter().find_map(|one| match one {
        Given::Array(array) => Some(array.get()),
        Given::Scalar(_) => None,
    });
    let made = maker.expect("there is an array").derive(py, result);
    Ok(Bound::new(py, made)?.into_any().unbind())
}

/// What the standard calls the operands.
fn parameters(operation: Operation) -> &'static [&'static str] {
    match (operation, operation.arity()) {
        (Operation::Where, _) => &["condition", "x1", "x2"],
        (Operation::Clip, _) => &["x", "min", "max"],
        (_, 1) => &["x"],
        _ => &["x1", "x2"],
    }
}

/// What NumPy calls the operand of those that are functions and no ufuncs with it, and so take it by name, too.
fn operand_name(operation: Operation) -> Option<&'static str> {
    match operation {
        Operation::Real | Operation::Imag => Some("val"),
        Operation::Sinc | Operation::IsNegInf | Operation::IsPosInf => Some("x"),
        _ => None,
    }
}

fn no_arrays(name: &str, count: usize) -> PyErr {
    error(
        Class::ExecutionPlacementError,
        format!(
            "{name}: the queue cannot be determined, since {} no array; bring the data to a device \
             first with colocate.asarray(x, device=...) (rule R3.6)",
            if count == 1 {
                "the argument is"
            } else {
                "no argument is an array, and a scalar is"
            }
        ),
    )
}

fn check_queues(
    operation: Operation,
    given: &[Given<'_, '_>],
    options: &Options<'_, '_>,
    arrays: &[&Array],
) -> PyResult<()> {
    if execution_queue(arrays.iter().map(|array| array.queue())).is_ok() {
        return Ok(());
    }
    let operands = given
        .iter()
        .enumerate()
        .filter_map(|(number, one)| match one {
            Given::Array(array) => Some((parameters(operation)[number], &*array.get().inner)),
            Given::Scalar(_) => None,
        });
    let mask = options.mask.map(|mask| ("where", &*mask.get().inner));
    let out = options.out.map(|out| ("out", &*out.get().inner));
    Err(placement::disagreement(
        operation.name(),
        operands.chain(mask).chain(out),
    ))
}

/// The dtypes that an operation computes with: arrays and NumPy's scalars decide, Python's follow.
fn signature_of(
    operation: Operation,
    given: &[Given<'_, '_>],
    options: &Options<'_, '_>,
) -> PyResult<Signature> {
    let strong = given
        .iter()
        .enumerate()
        .filter_map(|(number, one)| match one {
            // A condition says nothing about what is chosen.
            _ if operation == Operation::Where && number == 0 => None,
            _ if operation == Operation::Ldexp && number == 1 => None,
            Given::Array(array) => Some(array.get().inner.dtype()),
            Given::Scalar(Scalar::Typed(value)) => Some(value.dtype()),
            Given::Scalar(_) => None,
        });
    let base = promote_all(strong);
    let mut dtypes: SmallVec<[DType; 3]> = SmallVec::new();
    for (number, one) in given.iter().enumerate() {
        let dtype = match one {
            Given::Array(array) => array.get().inner.dtype(),
            Given::Scalar(scalar) => match base {
                // The exponent is an integer whatever the number is.
                Some(_) if operation == Operation::Ldexp && number == 1 => scalar.own_dtype(),
                Some(base) => beside(operation, *scalar, base),
                None => scalar.own_dtype(),
            },
        };
        dtypes.push(dtype);
    }
    if let Some(wanted) = options.dtype {
        return signature_giving(operation, wanted, options.casting, given, &dtypes);
    }
    let Some(signature) = operation.signature(&dtypes) else {
        let message = format!(
            "{} is not defined for {}",
            operation.name(),
            listed(&dtypes)
        );
        return Err(error(Class::DTypeError, message));
    };
    if options.casting == Casting::No && !asks_for_truth(operation) {
        check_operands(operation.name(), given, &signature)?;
    }
    Ok(signature)
}

/// Fails if an array would be converted before it is computed with, where no conversion is allowed.
fn check_operands(name: &str, given: &[Given<'_, '_>], signature: &Signature) -> PyResult<()> {
    for (one, &to) in given.iter().zip(&signature.operands) {
        if let Given::Array(array) = one
            && array.get().inner.dtype() != to
        {
            let from = array.get().inner.dtype();
            let message = format!(
                "{name}: it computes with {to}, to which {from} is not converted under casting=\"no\""
            );
            return Err(error(Class::DTypeError, message));
        }
    }
    Ok(())
}

/// The dtypes for a result of the dtype that was asked for; operands may not lose their kind.
fn signature_giving(
    operation: Operation,
    wanted: DType,
    casting: Casting,
    given: &[Given<'_, '_>],
    dtypes: &[DType],
) -> PyResult<Signature> {
    let name = operation.name();
    let Some(signature) = operation.signature_giving(wanted, dtypes) else {
        let message = format!("{name} of {} never gives {wanted}", listed(dtypes));
        return Err(error(Class::DTypeError, message));
    };
    let is_truth = asks_for_truth(operation);
    for (one, &to) in given.iter().zip(&signature.operands) {
        let from = match one {
            Given::Array(array) => array.get().inner.dtype(),
            Given::Scalar(Scalar::Typed(value)) => value.dtype(),
            // Whether the number itself fits is seen when it is converted.
            Given::Scalar(Scalar::Int(_) | Scalar::Huge(_)) => DType::UInt8,
            Given::Scalar(weak) => weak.own_dtype(),
        };
        // Everything has a truth value, which is what conditions and the logical functions ask for.
        if !(casting.allows(from, to) || is_truth && to == DType::Bool) {
            let message = format!(
                "{name}: with dtype={wanted} it computes with {to}, to which {from} is not converted; \
                 write x.astype({:?}) if that is meant",
                to.name()
            );
            return Err(error(Class::DTypeError, message));
        }
    }
    Ok(signature)
}

/// Whether operands count as true or false.
fn asks_for_truth(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Where
            | Operation::LogicalAnd
            | Operation::LogicalOr
            | Operation::LogicalXor
            | Operation::LogicalNot
    )
}

fn listed(dtypes: &[DType]) -> String {
    let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
    names.join(" and ")
}

fn is_huge(one: &Given<'_, '_>) -> bool {
    matches!(one, Given::Scalar(Scalar::Huge(_)))
}

/// Integers that no dtype holds are beyond all elements of integer arrays, as infinities are. The nearest float
/// might be that of an element, too.
fn bring_huge_into_reach(given: &mut [Given<'_, '_>], arrays: &[&Array]) {
    let exact =
        |array: &&Array| matches!(array.dtype().kind(), Kind::Bool | Kind::Int | Kind::UInt);
    if !arrays.iter().all(exact) {
        return;
    }
    for one in given {
        if let Given::Scalar(Scalar::Huge(number)) = one {
            *one = Given::Scalar(Scalar::Float(f64::INFINITY.copysign(*number)));
        }
    }
}

fn compares(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Equal
            | Operation::NotEqual
            | Operation::Less
            | Operation::LessEqual
            | Operation::Greater
            | Operation::GreaterEqual
    )
}

/// A weak scalar's dtype. Comparisons take integers that do not fit, as NumPy's do.
fn beside(operation: Operation, scalar: Scalar, base: DType) -> DType {
    let dtype = scalar.dtype_beside(base);
    match scalar {
        Scalar::Int(number)
            if compares(operation) && matches!(dtype.kind(), Kind::Int | Kind::UInt) =>
        {
            let candidates = [dtype, DType::Int64, DType::UInt64];
            let mut fits = candidates
                .into_iter()
                .filter(|&dtype| Literal::Int(dtype, number).is_valid());
            fits.next().unwrap_or(DType::Float64)
        }
        _ => dtype,
    }
}

/// Integers to negative powers are no integers; elements are waited for to see that there are none.
fn refuse_negative_exponent(
    py: Python<'_>,
    signature: &Signature,
    given: &[Given<'_, '_>],
    values: &[Operand<'_>],
) -> PyResult<()> {
    let empty = matches!(&given[0], Given::Array(base) if base.get().inner.size() == 0);
    if !matches!(signature.result.kind(), Kind::Int | Kind::UInt) || empty {
        return Ok(());
    }
    let is_negative = match (&given[1], &values[1]) {
        (_, Operand::Scalar(Literal::Int(_, exponent))) => *exponent < 0,
        (Given::Array(exponents), _) => {
            let array = &*exponents.get().inner;
            array.dtype().kind() == Kind::Int && array.size() > 0 && {
                let least = py.import("colocate")?.call_method1("min", (exponents,))?;
                least.lt(0)?
            }
        }
        _ => false,
    };
    if is_negative {
        return Err(error(
            Class::InvalidArgumentError,
            "integers to negative integer powers are not allowed; convert one of them to a float",
        ));
    }
    Ok(())
}

/// Fails if what is folded into one dtype may not be stored in an array of another: only imaginary parts are not
/// lost in silence.
pub fn check_folded(name: &str, from: DType, to: DType) -> PyResult<()> {
    match from.kind() == Kind::Complex && to.kind() != Kind::Complex {
        true => Casting::SameKind.check(name, from, to),
        false => Ok(()),
    }
}

/// Fails if not all values of one dtype have their place in another ("safe" in NumPy).
pub fn check_safe(name: &str, from: DType, to: DType) -> PyResult<()> {
    Casting::Safe.check(name, from, to)
}

/// Fails if a result of one dtype may not be stored in an array of another ("same kind" in NumPy).
pub fn check_cast(name: &str, from: DType, to: DType) -> PyResult<()> {
    Casting::SameKind.check(name, from, to)
}

/// An elementwise function, with the calling convention of NumPy's ufuncs.
///
/// ``f(x, /, out=None, *, where=True, dtype=None)``: ``out`` takes the result, ``where`` is a bool
/// array that says which elements are computed, ``dtype`` is what is computed with.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.asarray([1.0, 4.0])
/// >>> cl.sqrt(x).tolist(), cl.sqrt.nin
/// ([1.0, 2.0], 1)
#[pyclass(frozen, name = "ufunc", module = "colocate")]
pub struct Ufunc {
    operation: Operation,
    doc: String,
}

#[pymethods]
impl Ufunc {
    #[new]
    #[pyo3(signature = (name, doc, /))]
    fn new(name: &str, doc: String) -> PyResult<Ufunc> {
        let mut all = Operation::ALL.iter().copied();
        match all.find(|operation| operation.name() == name) {
            Some(operation) => Ok(Ufunc { operation, doc }),
            None => Err(error(
                Class::InvalidArgumentError,
                format!("there is no elementwise function {name:?}"),
            )),
        }
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Py<PyAny>> {
        let arity = self.operation.arity();
        let name = self.operation.name();
        let mut objects: SmallVec<[Bound<'py, PyAny>; 4]> = args.iter().collect();
        let named = operand_name(self.operation).filter(|_| objects.is_empty());
        if let (Some(named), Some(kwargs)) = (named, kwargs) {
            objects.extend(kwargs.get_item(named)?);
        }
        if objects.len() != arity && (objects.len() != arity + 1) {
            return Err(PyTypeError::new_err(format!(
                "{name} takes {arity} operands, and {} were given",
                objects.len()
            )));
        }
        let (operands, out) = objects.split_at(arity);
        let operands: SmallVec<[&Bound<'py, PyAny>; 3]> = operands.iter().collect();
        let mut options = Asked {
            out: out.first().cloned(),
            ..Asked::default()
        };
        for (key, value) in kwargs.into_iter().flatten() {
            let key = key.cast::<PyString>()?.to_cow()?;
            if named != Some(&*key) {
                options.take(name, &key, value)?;
            }
        }
        let (casting, order) = (options.casting, options.order);
        let mut arrays = operands.iter().map(|operand| operand.cast::<PyArray>());
        let options = options.checked(name, arrays.find_map(Result::ok))?;
        let options = Options {
            out: options.0.as_ref(),
            mask: options.1.as_ref(),
            dtype: options.2,
            casting,
            order,
        };
        compute(py, self.operation, &operands, &options)
    }

    /// The function's name.
    #[getter]
    fn __name__(&self) -> &'static str {
        self.operation.name()
    }

    #[getter]
    fn __qualname__(&self) -> &'static str {
        self.operation.name()
    }

    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("colocate._elementwise")?
            .call_method1("_signature", (parameters(self.operation).to_vec(),))
    }

    #[getter]
    fn __doc__(&self) -> &str {
        &self.doc
    }

    /// How many operands it takes.
    #[getter]
    fn nin(&self) -> usize {
        self.operation.arity()
    }

    /// How many results it gives.
    #[getter]
    fn nout(&self) -> usize {
        1
    }

    /// How many arguments it has.
    #[getter]
    fn nargs(&self) -> usize {
        self.operation.arity() + 1
    }

    /// The dtype that the result has for operands of these dtypes; ``TypeError`` if there is none.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.add.result_dtype("int8", "uint8")
    /// dtype('int16')
    #[pyo3(signature = (*dtypes))]
    fn result_dtype<'py>(&self, dtypes: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let given = dtypes.iter().map(|dtype| dtype_from_object(&dtype));
        let given = given.collect::<PyResult<SmallVec<[DType; 3]>>>()?;
        let found = (given.len() == self.operation.arity())
            .then(|| self.operation.signature(&given))
            .flatten();
        let Some(signature) = found else {
            return Err(error(
                Class::DTypeError,
                format!("{} is not defined for {dtypes}", self.operation.name()),
            ));
        };
        Ok(crate::dtype::dtype_to_numpy(dtypes.py(), signature.result)?.into_any())
    }

    /// ``reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial, where)``: the elements
    /// along an axis become one.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.add.reduce(cl.asarray([[1, 2], [3, 4]])).tolist()
    /// [4, 6]
    #[pyo3(signature = (*args, **kwargs))]
    fn reduce<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        method(slf, "reduce", args, kwargs)
    }

    /// ``accumulate(array, axis=0, dtype=None, out=None)``: each element with all before it.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.maximum.accumulate(cl.asarray([1, 3, 2])).tolist()
    /// [1, 3, 3]
    #[pyo3(signature = (*args, **kwargs))]
    fn accumulate<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        method(slf, "accumulate", args, kwargs)
    }

    /// ``reduceat(array, indices, axis=0, dtype=None, out=None)``: parts of an axis become one each.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.add.reduceat(cl.asarray([1, 2, 3, 4]), [0, 2]).tolist()
    /// [3, 7]
    #[pyo3(signature = (*args, **kwargs))]
    fn reduceat<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        method(slf, "reduceat", args, kwargs)
    }

    /// ``outer(a, b)``: of each element of one with each of the other.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.subtract.outer(cl.asarray([10, 20]), cl.asarray([1, 2])).tolist()
    /// [[9, 8], [19, 18]]
    #[pyo3(signature = (*args, **kwargs))]
    fn outer<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        method(slf, "outer", args, kwargs)
    }

    /// ``at(a, indices, b=None)``: in place, once for each time an index is named.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.asarray([1, 2, 3])
    /// >>> cl.add.at(x, [0, 0, 2], 10)
    /// >>> x.tolist()
    /// [21, 2, 13]
    #[pyo3(signature = (*args, **kwargs))]
    fn at<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        method(slf, "at", args, kwargs)
    }

    fn __reduce__(&self) -> &'static str {
        self.operation.name()
    }

    fn __repr__(&self) -> String {
        format!("<colocate.ufunc {}>", self.operation.name())
    }
}

/// A method of NumPy's ufuncs, which `_ufunc_methods` makes of the function itself.
fn method<'py>(
    ufunc: &Bound<'py, Ufunc>,
    name: &str,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let methods = ufunc.py().import("colocate._ufunc_methods")?;
    methods.call_method1("called", (name, ufunc, args, kwargs))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Ufunc>()
}
