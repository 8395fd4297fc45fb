//! Constants.

use crate::{DType, Kind};

/// A constant with its dtype.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// True or false.
    Bool(bool),
    /// An integer that its dtype can hold.
    Int(DType, i128),
    /// A float, rounded to its dtype where it is used.
    Float(DType, f64),
    /// Real and imaginary part.
    Complex(DType, f64, f64),
}

impl Literal {
    /// Its dtype.
    pub const fn dtype(self) -> DType {
        match self {
            Literal::Bool(_) => DType::Bool,
            Literal::Int(dtype, _) | Literal::Float(dtype, _) | Literal::Complex(dtype, _, _) => {
                dtype
            }
        }
    }

    /// Zero, or false.
    pub const fn zero(dtype: DType) -> Literal {
        Literal::small(dtype, 0)
    }

    /// A small number; for bool, whether it is not zero.
    pub const fn small(dtype: DType, value: i8) -> Literal {
        match dtype.kind() {
            Kind::Bool => Literal::Bool(value != 0),
            Kind::Int | Kind::UInt => Literal::Int(dtype, value as i128),
            Kind::Float => Literal::Float(dtype, value as f64),
            Kind::Complex => Literal::Complex(dtype, value as f64, 0.0),
        }
    }

    /// An int64.
    pub const fn int64(value: i64) -> Literal {
        Literal::Int(DType::Int64, value as i128)
    }

    /// Whether the dtype is of the literal's family and can hold it.
    pub fn is_valid(self) -> bool {
        match self {
            Literal::Bool(_) => true,
            Literal::Int(dtype, value) => {
                let bits = 8 * dtype.itemsize() as u32;
                match dtype.kind() {
                    Kind::Int => {
                        let half = 1i128 << (bits - 1);
                        (-half..half).contains(&value)
                    }
                    Kind::UInt => (0..1i128 << bits).contains(&value),
                    _ => false,
                }
            }
            Literal::Float(dtype, _) => dtype.kind() == Kind::Float,
            Literal::Complex(dtype, _, _) => dtype.kind() == Kind::Complex,
        }
    }
}
