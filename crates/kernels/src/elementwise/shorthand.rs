//! Short names for what operations are made of.
//!
//! Responsible for nothing but brevity: each function adds one operation, or a few, to a builder.

use colocate_ir::{
    BinaryOp, CompareOp, DType, KernelBuilder, Kind, Literal, MathFunction, Op, UnaryOp, ValueId,
};

/// Operations by short names.
pub(super) trait Shorthand {
    /// Where operations go.
    fn builder(&mut self) -> &mut KernelBuilder;

    /// `a + b`
    fn add(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().binary(BinaryOp::Add, a, b)
    }
    /// `a - b`
    fn sub(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().binary(BinaryOp::Subtract, a, b)
    }
    /// `a * b`
    fn mul(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().binary(BinaryOp::Multiply, a, b)
    }
    /// `a / b` of floats
    fn div(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().binary(BinaryOp::Divide, a, b)
    }
    /// `a & b`
    fn and(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().binary(BinaryOp::BitAnd, a, b)
    }
    /// `a | b`
    fn or(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().binary(BinaryOp::BitOr, a, b)
    }
    /// Not `a`, a bool.
    fn not(&mut self, a: ValueId) -> ValueId {
        self.builder().unary(UnaryOp::Not, a)
    }
    /// The larger.
    fn max(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().binary(BinaryOp::Maximum, a, b)
    }
    /// The smaller.
    fn min(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().binary(BinaryOp::Minimum, a, b)
    }
    /// `-a`
    fn neg(&mut self, a: ValueId) -> ValueId {
        self.builder().unary(UnaryOp::Negate, a)
    }
    /// `|a|`
    fn abs(&mut self, a: ValueId) -> ValueId {
        self.builder().unary(UnaryOp::Abs, a)
    }
    /// `a == b`
    fn eq(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().compare(CompareOp::Equal, a, b)
    }
    /// `a != b`
    fn ne(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().compare(CompareOp::NotEqual, a, b)
    }
    /// `a < b`
    fn lt(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().compare(CompareOp::Less, a, b)
    }
    /// `a <= b`
    fn le(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().compare(CompareOp::LessEqual, a, b)
    }
    /// `a > b`
    fn gt(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().compare(CompareOp::Greater, a, b)
    }
    /// Whether a float is NaN.
    fn is_nan(&mut self, a: ValueId) -> ValueId {
        self.builder().unary(UnaryOp::IsNan, a)
    }
    /// Whether a float is infinite.
    fn is_inf(&mut self, a: ValueId) -> ValueId {
        self.builder().unary(UnaryOp::IsInf, a)
    }
    /// Whether a float is finite.
    fn is_finite(&mut self, a: ValueId) -> ValueId {
        self.builder().unary(UnaryOp::IsFinite, a)
    }
    /// A function of one float.
    fn apply(&mut self, function: MathFunction, a: ValueId) -> ValueId {
        self.builder().math(function, &[a])
    }
    /// The magnitude of `a` with the sign of `b`.
    fn copysign(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().math(MathFunction::CopySign, &[a, b])
    }
    /// `sqrt(a² + b²)`
    fn hypot(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().math(MathFunction::Hypot, &[a, b])
    }
    /// The angle of the point `(x, y)`.
    fn atan2(&mut self, y: ValueId, x: ValueId) -> ValueId {
        self.builder().math(MathFunction::Atan2, &[y, x])
    }
    /// A number of the dtype of another value.
    fn number(&mut self, like: ValueId, number: f64) -> ValueId {
        let builder = self.builder();
        let dtype = builder.dtype(like);
        let literal = match dtype.kind() {
            Kind::Bool => Literal::Bool(number != 0.0),
            Kind::Int | Kind::UInt => Literal::Int(dtype, number as i128),
            Kind::Float => Literal::Float(dtype, number),
            Kind::Complex => Literal::Complex(dtype, number, 0.0),
        };
        builder.literal(literal)
    }
    /// A truth value.
    fn truth(&mut self, value: bool) -> ValueId {
        self.builder().literal(Literal::Bool(value))
    }
    /// `a` times a constant.
    fn scale(&mut self, a: ValueId, factor: f64) -> ValueId {
        let factor = self.number(a, factor);
        self.mul(a, factor)
    }
    /// Real and imaginary part.
    fn parts(&mut self, a: ValueId) -> Parts {
        let builder = self.builder();
        Parts {
            re: builder.unary(UnaryOp::Real, a),
            im: builder.unary(UnaryOp::Imaginary, a),
        }
    }
    /// A complex number.
    fn complex(&mut self, parts: Parts) -> ValueId {
        self.builder().op(Op::Complex(parts.re, parts.im))
    }
    /// One of two complex numbers.
    fn select_parts(&mut self, condition: ValueId, a: Parts, b: Parts) -> Parts {
        let builder = self.builder();
        Parts {
            re: builder.select(condition, a.re, b.re),
            im: builder.select(condition, a.im, b.im),
        }
    }
}

impl Shorthand for KernelBuilder {
    fn builder(&mut self) -> &mut KernelBuilder {
        self
    }
}

/// A complex number as two floats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// The real part.
    pub re: ValueId,
    /// The imaginary part.
    pub im: ValueId,
}

impl Parts {
    /// The imaginary part first.
    pub fn swapped(self) -> Parts {
        Parts {
            re: self.im,
            im: self.re,
        }
    }

    /// The same function of both.
    pub fn map(self, mut each: impl FnMut(ValueId) -> ValueId) -> Parts {
        Parts {
            re: each(self.re),
            im: each(self.im),
        }
    }
}

/// The largest finite number of a float dtype.
pub(super) fn largest(dtype: DType) -> f64 {
    match dtype {
        DType::Float16 => 65504.0,
        DType::Float32 => f32::MAX.into(),
        _ => f64::MAX,
    }
}
