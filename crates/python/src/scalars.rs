//! Scalars among the operands of array functions (R3.4).
//!
//! Python's scalars are weak, as in NumPy 2: they take the dtype of the arrays they meet as far as
//! their kind allows. NumPy's scalars have a dtype of their own.

use crate::dtype::dtype_from_numpy;
use colocate_dtype::{DType, Kind};
use colocate_ir::Literal;
use numpy::PyArrayDescr;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyType};

/// A scalar, as it was given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// Python's `True` or `False`.
    Bool(bool),
    /// A Python integer that fits in 64 bits.
    Int(i128),
    /// A Python integer that fits in no dtype of integers, as a float.
    Huge(f64),
    /// A Python float.
    Float(f64),
    /// A Python complex number.
    Complex(f64, f64),
    /// A NumPy scalar, with its dtype.
    Typed(Literal),
}

/// The scalar that an object is; `None` if it is none.
pub fn scalar_from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    // The exact types first: NumPy's float64 is a subclass of Python's float.
    if object.is_exact_instance_of::<PyFloat>() {
        return Ok(Some(Scalar::Float(object.extract()?)));
    }
    if object.is_exact_instance_of::<PyInt>() {
        return integer(object).map(Some);
    }
    if object.is_exact_instance_of::<PyBool>() {
        return Ok(Some(Scalar::Bool(object.is_truthy()?)));
    }
    if object.is_exact_instance_of::<PyComplex>() {
        return complex(object).map(|(re, im)| Some(Scalar::Complex(re, im)));
    }
    let py = object.py();
    static GENERIC: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let generic = GENERIC.import(py, "numpy", "generic")?;
    if object.is_instance(generic)? {
        return numpy_scalar(object);
    }
    if object.is_instance_of::<PyInt>() {
        return integer(object).map(Some);
    }
    if object.is_instance_of::<PyFloat>() {
        return Ok(Some(Scalar::Float(object.extract()?)));
    }
    if object.is_instance_of::<PyComplex>() {
        return complex(object).map(|(re, im)| Some(Scalar::Complex(re, im)));
    }
    Ok(None)
}

fn integer(object: &Bound<'_, PyAny>) -> PyResult<Scalar> {
    if let Ok(small) = object.extract::<i64>() {
        return Ok(Scalar::Int(small.into()));
    }
    Ok(match object.extract::<u64>() {
        Ok(large) => Scalar::Int(large.into()),
        Err(_) => Scalar::Huge(object.extract()?),
    })
}

fn complex(object: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
    let part = |name: &str| object.getattr(name)?.extract::<f64>();
    Ok((part("real")?, part("imag")?))
}

fn numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    let descr = object.getattr("dtype")?;
    let Some(dtype) = dtype_from_numpy(descr.cast::<PyArrayDescr>()?) else {
        return Ok(None);
    };
    Ok(Some(Scalar::Typed(match dtype.kind() {
        Kind::Bool => Literal::Bool(object.is_truthy()?),
        Kind::Int => Literal::Int(dtype, object.extract::<i64>()?.into()),
        Kind::UInt => Literal::Int(dtype, object.extract::<u64>()?.into()),
        Kind::Float => Literal::Float(dtype, object.extract()?),
        Kind::Complex => {
            let (re, im) = complex(object)?;
            Literal::Complex(dtype, re, im)
        }
    })))
}

impl Scalar {
    /// The dtype it takes beside arrays of a dtype.
    pub fn dtype_beside(self, dtype: DType) -> DType {
        let is_exact = matches!(dtype.kind(), Kind::Bool | Kind::Int | Kind::UInt);
        match self {
            Scalar::Typed(value) => value.dtype(),
            Scalar::Bool(_) => dtype,
            Scalar::Int(_) | Scalar::Huge(_) if dtype == DType::Bool => DType::Int64,
            Scalar::Int(_) | Scalar::Huge(_) => dtype,
            Scalar::Float(_) if is_exact => DType::Float64,
            Scalar::Float(_) => dtype,
            Scalar::Complex(..) if dtype.kind() == Kind::Complex => dtype,
            Scalar::Complex(..) if is_exact || dtype == DType::Float64 => DType::Complex128,
            Scalar::Complex(..) => DType::Complex64,
        }
    }

    /// The dtype it has alone.
    pub fn own_dtype(self) -> DType {
        match self {
            Scalar::Typed(value) => value.dtype(),
            Scalar::Bool(_) => DType::Bool,
            Scalar::Int(_) | Scalar::Huge(_) => DType::Int64,
            Scalar::Float(_) => DType::Float64,
            Scalar::Complex(..) => DType::Complex128,
        }
    }

    /// As a value of a dtype that it can take; an integer that does not fit raises.
    pub fn literal(self, dtype: DType) -> PyResult<Literal> {
        let (re, im) = match self {
            Scalar::Typed(value) if value.dtype() == dtype => return Ok(value),
            Scalar::Typed(Literal::Bool(truth)) | Scalar::Bool(truth) => {
                return Ok(Literal::small(dtype, truth.into()));
            }
            Scalar::Typed(Literal::Int(_, number)) | Scalar::Int(number) => match dtype.kind() {
                Kind::Int | Kind::UInt => {
                    let value = Literal::Int(dtype, number);
                    if !value.is_valid() {
                        return Err(PyOverflowError::new_err(format!(
                            "Python integer {number} is out of bounds for {dtype}"
                        )));
                    }
                    return Ok(value);
                }
                Kind::Bool => return Ok(Literal::Bool(number != 0)),
                Kind::Float | Kind::Complex => (number as f64, 0.0),
            },
            Scalar::Huge(_) if matches!(dtype.kind(), Kind::Int | Kind::UInt) => {
                return Err(PyOverflowError::new_err(format!(
                    "Python integer of more than 64 bits is out of bounds for {dtype}"
                )));
            }
            Scalar::Typed(Literal::Float(_, number))
            | Scalar::Float(number)
            | Scalar::Huge(number) => (number, 0.0),
            Scalar::Typed(Literal::Complex(_, re, im)) | Scalar::Complex(re, im) => (re, im),
        };
        Ok(match dtype.kind() {
            Kind::Bool => Literal::Bool(re != 0.0 || im != 0.0),
            // As conversion of elements does: towards zero, and no further than the dtype goes.
            Kind::Int | Kind::UInt => {
                let whole = re as i128;
                let fits = Literal::Int(dtype, whole);
                if fits.is_valid() {
                    fits
                } else {
                    Literal::zero(dtype)
                }
            }
            Kind::Float => Literal::Float(dtype, re),
            Kind::Complex => Literal::Complex(dtype, re, im),
        })
    }
}
