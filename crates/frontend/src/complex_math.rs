//! Functions of complex numbers, in terms of functions of their parts.
//!
//! The formulas are the usual ones, written so that they lose no digits for ordinary values, and do not overflow
//! on the way to a result that does not; infinities are not treated specially.

use crate::translate::Translator;
use crate::value::Scalar;
use colocate_ir::{BinaryOp, CompareOp, DType, Literal, MathFunction, Op, UnaryOp, ValueId};

/// Above a number `x` is, `exp(x)` is computed in two factors: `exp` of that number, and of the rest.
fn shift(dtype: DType) -> (f64, f64) {
    match dtype {
        DType::Float32 => (88.0, 1.651_636_254_994_001_9e38),
        _ => (709.0, 8.218_407_461_554_972e307),
    }
}

impl Translator<'_> {
    /// A function of a complex number; nothing if it is not known for complex numbers.
    pub fn complex_function(&mut self, function: MathFunction, x: &Scalar) -> Option<Scalar> {
        let ir = self.ir(x);
        let re = self.b.unary(UnaryOp::Real, ir);
        let im = self.b.unary(UnaryOp::Imaginary, ir);
        let (re, im) = match function {
            MathFunction::Exp => {
                let (size, rest) = self.exp_in_two(re);
                let (sin, cos) = self.pair(MathFunction::Sin, MathFunction::Cos, im);
                // The large factor first: a product with the other may be so small that it loses digits.
                let [cos, sin] = [cos, sin].map(|part| self.times(part, rest));
                let turned = self.times(size, sin);
                // On the real axis the result stays there, even if it is infinite.
                let zero = self.b.literal(Literal::zero(self.b.dtype(im)));
                let real = self.b.compare(CompareOp::Equal, im, zero);
                (self.times(size, cos), self.b.select(real, im, turned))
            }
            MathFunction::Log => self.complex_log(re, im),
            MathFunction::Log2 | MathFunction::Log10 => {
                let base: f64 = if function == MathFunction::Log2 {
                    2.0
                } else {
                    10.0
                };
                let (re, im) = self.complex_log(re, im);
                (
                    self.scaled(re, 1.0 / base.ln()),
                    self.scaled(im, 1.0 / base.ln()),
                )
            }
            MathFunction::Sqrt => self.complex_sqrt(re, im),
            MathFunction::Sin => {
                let (sin, cos, sinh, cosh) = self.circular_and_hyperbolic(re, im);
                (self.times(sin, cosh), self.times(cos, sinh))
            }
            MathFunction::Cos => {
                let (sin, cos, sinh, cosh) = self.circular_and_hyperbolic(re, im);
                let down = self.times(sin, sinh);
                (self.times(cos, cosh), self.b.unary(UnaryOp::Negate, down))
            }
            MathFunction::Sinh => {
                let (sin, cos, sinh, cosh) = self.circular_and_hyperbolic(im, re);
                (self.times(sinh, cos), self.times(cosh, sin))
            }
            MathFunction::Cosh => {
                let (sin, cos, sinh, cosh) = self.circular_and_hyperbolic(im, re);
                (self.times(cosh, cos), self.times(sinh, sin))
            }
            MathFunction::Tanh => self.complex_tanh(re, im),
            MathFunction::Tan => {
                // tan(z) = -i tanh(iz)
                let turned = self.b.unary(UnaryOp::Negate, im);
                let (a, b) = self.complex_tanh(turned, re);
                (b, self.b.unary(UnaryOp::Negate, a))
            }
            _ => return None,
        };
        Some(Scalar::new(x.dtype, x.weak, self.b.op(Op::Complex(re, im))))
    }

    fn times(&mut self, a: ValueId, b: ValueId) -> ValueId {
        self.b.binary(BinaryOp::Multiply, a, b)
    }

    fn pair(&mut self, f: MathFunction, g: MathFunction, x: ValueId) -> (ValueId, ValueId) {
        (self.b.math(f, &[x]), self.b.math(g, &[x]))
    }

    /// Two factors of `exp(x)`, neither of which overflows where a product of both with a small number does not.
    fn exp_in_two(&mut self, x: ValueId) -> (ValueId, ValueId) {
        let dtype = self.b.dtype(x);
        let (limit, power) = shift(dtype);
        let limit = self.b.literal(Literal::Float(dtype, limit));
        let large = self.b.compare(CompareOp::Greater, x, limit);
        let lowered = self.b.binary(BinaryOp::Subtract, x, limit);
        let exponent = self.b.select(large, lowered, x);
        let size = self.b.math(MathFunction::Exp, &[exponent]);
        let one = self.b.literal(Literal::small(dtype, 1));
        let power = self.b.literal(Literal::Float(dtype, power));
        (size, self.b.select(large, power, one))
    }

    /// Sine and cosine of one number, hyperbolic sine and cosine of another. Where the latter would overflow, the
    /// former have a factor of theirs.
    fn circular_and_hyperbolic(
        &mut self,
        angle: ValueId,
        x: ValueId,
    ) -> (ValueId, ValueId, ValueId, ValueId) {
        let dtype = self.b.dtype(x);
        let (limit, power) = shift(dtype);
        let limit = self.b.literal(Literal::Float(dtype, limit));
        let size = self.b.unary(UnaryOp::Abs, x);
        let large = self.b.compare(CompareOp::Greater, size, limit);
        let lowered = self.b.binary(BinaryOp::Subtract, size, limit);
        let zero = self.b.literal(Literal::zero(dtype));
        // Not a large negative number elsewhere, for which vector functions go element by element.
        let lowered = self.b.select(large, lowered, zero);
        let rest = self.b.math(MathFunction::Exp, &[lowered]);
        let signed = self.b.math(MathFunction::CopySign, &[rest, x]);
        let (sinh, cosh) = self.pair(MathFunction::Sinh, MathFunction::Cosh, x);
        let sinh = self.b.select(large, signed, sinh);
        let cosh = self.b.select(large, rest, cosh);
        let one = self.b.literal(Literal::small(dtype, 1));
        let half = self.b.literal(Literal::Float(dtype, 0.5 * power));
        let factor = self.b.select(large, half, one);
        let (sin, cos) = self.pair(MathFunction::Sin, MathFunction::Cos, angle);
        (self.times(sin, factor), self.times(cos, factor), sinh, cosh)
    }

    fn complex_log(&mut self, re: ValueId, im: ValueId) -> (ValueId, ValueId) {
        let size = self.b.math(MathFunction::Hypot, &[re, im]);
        (
            self.b.math(MathFunction::Log, &[size]),
            self.b.math(MathFunction::Atan2, &[im, re]),
        )
    }

    /// The root with a positive real part. The part that would lose digits by subtraction is
    /// computed from the other one.
    fn complex_sqrt(&mut self, re: ValueId, im: ValueId) -> (ValueId, ValueId) {
        let dtype = self.b.dtype(re);
        let zero = self.b.literal(Literal::zero(dtype));
        let size = self.b.math(MathFunction::Hypot, &[re, im]);
        let magnitude = self.b.unary(UnaryOp::Abs, re);
        let sum = self.b.binary(BinaryOp::Add, size, magnitude);
        let half = self.scaled(sum, 0.5);
        let large = self.b.math(MathFunction::Sqrt, &[half]);
        let double = self.scaled(large, 2.0);
        let size_im = self.b.unary(UnaryOp::Abs, im);
        let small = self.b.binary(BinaryOp::Divide, size_im, double);
        let nothing = self.b.compare(CompareOp::Equal, large, zero);
        let small = self.b.select(nothing, zero, small);
        let right = self.b.unary(UnaryOp::SignBit, re);
        let root_re = self.b.select(right, small, large);
        let root_im = self.b.select(right, large, small);
        (root_re, self.b.math(MathFunction::CopySign, &[root_im, im]))
    }

    /// `(sinh 2x + i sin 2y) / (cosh 2x + cos 2y)`, in a form that does not overflow.
    fn complex_tanh(&mut self, x: ValueId, y: ValueId) -> (ValueId, ValueId) {
        let dtype = self.b.dtype(x);
        let one = self.b.literal(Literal::small(dtype, 1));
        // With t = tan y, s = sinh x, b = 1 + t², r = cosh x:
        // ( b r s + i t ) / ( 1 + b s² ), as C libraries have it.
        let t = self.b.math(MathFunction::Tan, &[y]);
        let tt = self.times(t, t);
        let b = self.b.binary(BinaryOp::Add, one, tt);
        let (s, r) = self.pair(MathFunction::Sinh, MathFunction::Cosh, x);
        let ss = self.times(s, s);
        let bss = self.times(b, ss);
        let below = self.b.binary(BinaryOp::Add, one, bss);
        let br = self.times(b, r);
        let above = self.times(br, s);
        let re = self.b.binary(BinaryOp::Divide, above, below);
        let im = self.b.binary(BinaryOp::Divide, t, below);
        // Far from zero the quotient overflows, and the result is plus or minus one.
        let size = self.b.unary(UnaryOp::Abs, x);
        let limit = if dtype == DType::Float32 { 11.0 } else { 22.0 };
        let limit = self.b.literal(Literal::Float(dtype, limit));
        let far = self.b.compare(CompareOp::Greater, size, limit);
        let unit = self.b.math(MathFunction::CopySign, &[one, x]);
        let decay = self.scaled(size, -2.0);
        let decay = self.b.math(MathFunction::Exp, &[decay]);
        let (sin, cos) = self.pair(MathFunction::Sin, MathFunction::Cos, y);
        let turn = self.times(sin, cos);
        let turn = self.scaled(turn, 4.0);
        let far_im = self.times(turn, decay);
        (self.b.select(far, unit, re), self.b.select(far, far_im, im))
    }
}
