//! What Python's `math` functions and powers of its floats raise: a result that is no number or infinite, of arguments
//! that are not.
//!
//! It is looked for in host code only, where it costs a comparison of the result; in turns of parallel loops, and with
//! `fastmath`, it would keep loops from becoming vectors, and the result stays NaN or infinite.

use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::value::Scalar;
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, Literal, UnaryOp, ValueId};
use ruff_text_size::TextRange;

/// What a function says of an infinite result.
#[derive(Clone, Copy, PartialEq)]
enum Infinite {
    /// That there is no such result.
    Domain,
    /// That the result is too large.
    Range,
    /// The former if the first argument is zero or, of the gamma functions, a negative integer, else the latter.
    Pole,
}

fn of_infinite(name: &str) -> Option<Infinite> {
    Some(match name {
        "acos" | "acosh" | "asin" | "atanh" | "cos" | "fmod" | "log" | "log10" | "log1p"
        | "log2" | "sin" | "sqrt" | "tan" => Infinite::Domain,
        "cosh" | "exp" | "exp2" | "expm1" | "hypot" | "ldexp" | "sinh" => Infinite::Range,
        "gamma" | "lgamma" | "pow" => Infinite::Pole,
        _ => return None,
    })
}

impl Translator<'_> {
    fn checks_math(&self) -> bool {
        let options = self.program.as_ref().map(|state| &state.options);
        let wanted = options.is_some_and(|options| options.python_errors && !options.fast_math);
        wanted && self.level() == 0
    }

    /// After a function of floats.
    pub fn check_math(&mut self, name: &str, x: &[ValueId], result: ValueId, range: TextRange) {
        let Some(infinite) = of_infinite(name).filter(|_| self.checks_math()) else {
            return;
        };
        self.begin_unless_finite(result);
        let no_number = self.no_number_of_numbers(result, x);
        let domain = raised("ValueError", "math domain error");
        self.raise_if(no_number, &domain, range);
        let grown = self.infinite_of_finite(result, x);
        self.b.begin_if(grown);
        if infinite == Infinite::Pole {
            let at_pole = match name {
                "pow" => self.is_zero(x[0]),
                _ => {
                    let whole = self.b.math(colocate_ir::MathFunction::Floor, &x[..1]);
                    let zero = self.b.literal(Literal::Float(DType::Float64, 0.0));
                    let whole = self.b.compare(CompareOp::Equal, whole, x[0]);
                    let below = self.b.compare(CompareOp::LessEqual, x[0], zero);
                    self.b.binary(BinaryOp::BitAnd, whole, below)
                }
            };
            self.raise_if(at_pole, &domain, range);
        }
        let raised = match infinite {
            Infinite::Domain => domain,
            _ => raised("OverflowError", "math range error"),
        };
        self.raise(&raised, range);
        self.b.end();
        self.b.end();
    }

    /// After a power of Python's floats. Small powers that are written down are products, and not looked at.
    pub fn check_power(&mut self, a: &Scalar, b: &Scalar, result: &Scalar, range: TextRange) {
        let small = b.as_int().is_some_and(|power| (0..=8).contains(&power));
        if small || result.dtype.kind() != Kind::Float || !result.weak || !self.checks_math() {
            return;
        }
        if result.as_constant().is_some() {
            return;
        }
        let x = [a, b].map(|one| self.as_dtype(one, result.dtype));
        let result = self.ir(result);
        self.begin_unless_finite(result);
        let no_number = self.no_number_of_numbers(result, &x);
        let text = "a negative number to a fractional power is complex in Python, \
                    but a float in jit functions: make the base complex";
        self.raise_if(no_number, &raised("ValueError", text), range);
        let grown = self.infinite_of_finite(result, &x);
        self.b.begin_if(grown);
        let zero = self.is_zero(x[0]);
        let text = "0.0 cannot be raised to a negative power";
        self.raise_if(zero, &raised("ZeroDivisionError", text), range);
        let text = "(34, 'Numerical result out of range')";
        self.raise(&raised("OverflowError", text), range);
        self.b.end();
        self.b.end();
    }

    fn begin_unless_finite(&mut self, result: ValueId) {
        if self.is_trying() {
            // Not where only one way leads.
            self.flush();
        }
        let finite = self.b.unary(UnaryOp::IsFinite, result);
        let other = self.b.unary(UnaryOp::Not, finite);
        self.b.begin_if(other);
    }

    fn no_number_of_numbers(&mut self, result: ValueId, x: &[ValueId]) -> ValueId {
        let mut found = self.b.unary(UnaryOp::IsNan, result);
        for one in x {
            let nan = self.b.unary(UnaryOp::IsNan, *one);
            let number = self.b.unary(UnaryOp::Not, nan);
            found = self.b.binary(BinaryOp::BitAnd, found, number);
        }
        found
    }

    fn infinite_of_finite(&mut self, result: ValueId, x: &[ValueId]) -> ValueId {
        let mut found = self.b.unary(UnaryOp::IsInf, result);
        for one in x {
            let finite = self.b.unary(UnaryOp::IsFinite, *one);
            found = self.b.binary(BinaryOp::BitAnd, found, finite);
        }
        found
    }

    fn is_zero(&mut self, x: ValueId) -> ValueId {
        let zero = self.b.literal(Literal::zero(self.b.dtype(x)));
        self.b.compare(CompareOp::Equal, x, zero)
    }
}
