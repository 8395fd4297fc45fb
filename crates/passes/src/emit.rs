//! Short names for what expansions are made of.
//!
//! Responsible for nothing but brevity: each function adds one operation to a builder.

use colocate_ir::{BinaryOp, CompareOp, DType, KernelBuilder, Literal, UnaryOp, ValueId};

/// Operations by short names.
pub(crate) trait Emit {
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
    /// `a ^ b`
    fn xor(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().binary(BinaryOp::BitXor, a, b)
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
    /// `a > b`
    fn gt(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().compare(CompareOp::Greater, a, b)
    }
    /// `a >= b`
    fn ge(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.builder().compare(CompareOp::GreaterEqual, a, b)
    }
    /// A small number of any dtype.
    fn small(&mut self, dtype: DType, number: i8) -> ValueId {
        self.builder().literal(Literal::small(dtype, number))
    }
    /// A float.
    fn float(&mut self, dtype: DType, number: f64) -> ValueId {
        self.builder().literal(Literal::Float(dtype, number))
    }
}

impl Emit for KernelBuilder {
    fn builder(&mut self) -> &mut KernelBuilder {
        self
    }
}
