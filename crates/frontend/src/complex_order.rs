//! The order of complex numbers as NumPy has it: by the real parts, and where these are equal by the imaginary ones.

use crate::translate::Translator;
use crate::types::promote;
use crate::value::{Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, UnaryOp, ValueId};
use ruff_python_ast::CmpOp;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `a op b` as NumPy's functions compare: complex numbers have an order, but those with a NaN have none.
    pub fn compare_elements(
        &mut self,
        op: CmpOp,
        a: &Scalar,
        b: &Scalar,
        range: TextRange,
    ) -> Value {
        let order = match op {
            CmpOp::Lt => CompareOp::Less,
            CmpOp::LtE => CompareOp::LessEqual,
            CmpOp::Gt => CompareOp::Greater,
            CmpOp::GtE => CompareOp::GreaterEqual,
            _ => return self.compare(op, &(*a).into(), &(*b).into(), range),
        };
        match promote(a, b).0.kind() {
            Kind::Complex if self.is_program() => self.complex_order(order, a, b, true).into(),
            _ => self.compare(op, &(*a).into(), &(*b).into(), range),
        }
    }

    /// One of `<`, `<=`, `>` and `>=` of complex numbers. NumPy's functions look for NaN among the imaginary parts
    /// even if the real parts differ; operators of its numbers do not.
    pub fn complex_order(
        &mut self,
        op: CompareOp,
        a: &Scalar,
        b: &Scalar,
        without_nan: bool,
    ) -> Scalar {
        let dtype = promote(a, b).0;
        let (a, b) = (self.as_dtype(a, dtype), self.as_dtype(b, dtype));
        let ir = self.comes_first(op, a, b, without_nan);
        Scalar::new(DType::Bool, false, ir)
    }

    fn comes_first(&mut self, op: CompareOp, a: ValueId, b: ValueId, without_nan: bool) -> ValueId {
        let strict = match op {
            CompareOp::Less | CompareOp::LessEqual => CompareOp::Less,
            _ => CompareOp::Greater,
        };
        let ((a_re, a_im), (b_re, b_im)) = (self.parts(a), self.parts(b));
        let mut decided = self.b.compare(strict, a_re, b_re);
        if without_nan {
            for imaginary in [a_im, b_im] {
                let nan = self.b.unary(UnaryOp::IsNan, imaginary);
                let number = self.b.unary(UnaryOp::Not, nan);
                decided = self.b.binary(BinaryOp::BitAnd, decided, number);
            }
        }
        let equal = self.b.compare(CompareOp::Equal, a_re, b_re);
        let rest = self.b.compare(op, a_im, b_im);
        let rest = self.b.binary(BinaryOp::BitAnd, equal, rest);
        self.b.binary(BinaryOp::BitOr, decided, rest)
    }

    /// `maximum`, `minimum`, `fmax` and `fmin` of complex numbers.
    pub fn complex_extreme(&mut self, name: &str, a: &Scalar, b: &Scalar, dtype: DType) -> Scalar {
        let op = match name {
            "maximum" | "fmax" => CompareOp::GreaterEqual,
            _ => CompareOp::LessEqual,
        };
        let (a, b) = (self.as_dtype(a, dtype), self.as_dtype(b, dtype));
        let first = self.comes_first(op, a, b, true);
        // A NaN is given back by the first two, and passed over by the others.
        let looked_at = match name {
            "maximum" | "minimum" => a,
            _ => b,
        };
        let (re, im) = self.parts(looked_at);
        let (re, im) = (
            self.b.unary(UnaryOp::IsNan, re),
            self.b.unary(UnaryOp::IsNan, im),
        );
        let nan = self.b.binary(BinaryOp::BitOr, re, im);
        let first = self.b.binary(BinaryOp::BitOr, first, nan);
        Scalar::new(dtype, false, self.b.select(first, a, b))
    }

    fn parts(&mut self, z: ValueId) -> (ValueId, ValueId) {
        (
            self.b.unary(UnaryOp::Real, z),
            self.b.unary(UnaryOp::Imaginary, z),
        )
    }
}
