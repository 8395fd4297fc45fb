//! The operators of arrays: `x + y`, `x += y`, `x < y` (R3.*).

use crate::arguments::no_array;
use crate::array::PyArray;
use crate::elementwise::{Options, compute};
use crate::scalars::scalar_from_object;
use colocate_kernels::elementwise::Operation;
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyBool, PyList, PyString, PyTuple};

/// Whether an object can be an operand; what cannot may know itself what to do.
fn is_operand(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    // NumPy's arrays are no operands, but it is here that this must be said (R3.5).
    Ok(object.is_instance_of::<PyArray>()
        || object.is_instance_of::<PyUntypedArray>()
        || scalar_from_object(object)?.is_some())
}

fn binary(
    operation: Operation,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<Py<PyAny>> {
    let py = left.py();
    let arrays = left.is_instance_of::<PyArray>() && right.is_instance_of::<PyArray>();
    if arrays {
        return compute(py, operation, &[left, right], &Options::default());
    }
    if !is_operand(left)? || !is_operand(right)? {
        return Ok(py.NotImplemented());
    }
    compute(py, operation, &[left, right], &Options::default())
}

fn in_place(
    operation: Operation,
    target: &Bound<'_, PyArray>,
    other: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let options = Options {
        out: Some(target),
        ..Options::default()
    };
    compute(target.py(), operation, &[target.as_any(), other], &options)?;
    Ok(())
}

fn unary(operation: Operation, operand: &Bound<'_, PyArray>) -> PyResult<Py<PyAny>> {
    compute(
        operand.py(),
        operation,
        &[operand.as_any()],
        &Options::default(),
    )
}

/// `x op y`, `y op x` and `x op= y` for one operation.
macro_rules! operators {
    ($class:ident: $($operation:ident: $plain:ident $reflected:ident $in_place:ident;)*) => {
        #[pymethods]
        impl $class {
            $(
                fn $plain(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    binary(Operation::$operation, slf.as_any(), other)
                }

                fn $reflected(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
                    binary(Operation::$operation, other, slf.as_any())
                }

                fn $in_place(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
                    in_place(Operation::$operation, slf, other)
                }
            )*
        }
    };
}

operators! {
    PyArray:
    Add: __add__ __radd__ __iadd__;
    Subtract: __sub__ __rsub__ __isub__;
    Multiply: __mul__ __rmul__ __imul__;
    Divide: __truediv__ __rtruediv__ __itruediv__;
    FloorDivide: __floordiv__ __rfloordiv__ __ifloordiv__;
    Remainder: __mod__ __rmod__ __imod__;
    BitwiseAnd: __and__ __rand__ __iand__;
    BitwiseOr: __or__ __ror__ __ior__;
    BitwiseXor: __xor__ __rxor__ __ixor__;
    BitwiseLeftShift: __lshift__ __rlshift__ __ilshift__;
    BitwiseRightShift: __rshift__ __rrshift__ __irshift__;
}

#[pymethods]
impl PyArray {
    fn __pow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        modulus: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        match modulus.is_none() {
            true => binary(Operation::Pow, slf.as_any(), other),
            false => Ok(slf.py().NotImplemented()),
        }
    }

    fn __rpow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        _modulus: &Bound<'_, PyAny>,
    ) -> PyResult<Py<PyAny>> {
        binary(Operation::Pow, other, slf.as_any())
    }

    fn __ipow__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        _modulus: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        in_place(Operation::Pow, slf, other)
    }

    fn __divmod__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
    ) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        Ok((
            binary(Operation::FloorDivide, slf.as_any(), other)?,
            binary(Operation::Remainder, slf.as_any(), other)?,
        ))
    }

    fn __rdivmod__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
    ) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        Ok((
            binary(Operation::FloorDivide, other, slf.as_any())?,
            binary(Operation::Remainder, other, slf.as_any())?,
        ))
    }

    fn __neg__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        unary(Operation::Negative, slf)
    }

    fn __pos__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        unary(Operation::Positive, slf)
    }

    fn __abs__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        unary(Operation::Abs, slf)
    }

    fn __invert__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        unary(Operation::BitwiseInvert, slf)
    }

    fn __richcmp__(
        slf: &Bound<'_, Self>,
        other: &Bound<'_, PyAny>,
        operation: CompareOp,
    ) -> PyResult<Py<PyAny>> {
        let operation = match operation {
            CompareOp::Lt => Operation::Less,
            CompareOp::Le => Operation::LessEqual,
            CompareOp::Eq => Operation::Equal,
            CompareOp::Ne => Operation::NotEqual,
            CompareOp::Gt => Operation::Greater,
            CompareOp::Ge => Operation::GreaterEqual,
        };
        // Python would take it for something else, and give one False for all elements.
        if other.is_instance_of::<PyList>() || other.is_instance_of::<PyTuple>() {
            return Err(no_array(operation.name(), "x2", other));
        }
        // Nothing and strings equal no element.
        if other.is_none() || other.is_instance_of::<PyString>() {
            let (fold, truth) = match operation {
                Operation::Equal => (Operation::LogicalAnd, false),
                Operation::NotEqual => (Operation::LogicalOr, true),
                _ => return binary(operation, slf.as_any(), other),
            };
            return binary(fold, slf.as_any(), PyBool::new(slf.py(), truth).as_any());
        }
        binary(operation, slf.as_any(), other)
    }
}
