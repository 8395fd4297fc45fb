//! Functions of integers in Python's `math` module that only jit functions have.

use crate::calls::Arguments;
use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, MathFunction, ValueId};
use ruff_text_size::TextRange;

/// The largest whose factorial fits 64 bits.
const MOST_FACTORIAL: i64 = 20;

impl Translator<'_> {
    /// A call; nothing if there is no such function here.
    pub fn integer_function(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let count = match name {
            "factorial" | "isqrt" | "frexp" => 1,
            "comb" | "lcm" => 2,
            _ => return None,
        };
        let full = format!("math.{name}");
        let Some(given) = self.exactly(&full, arguments, count..=count, range) else {
            return Some(Value::Poison);
        };
        let given = given.to_vec();
        if name == "frexp" {
            return Some(self.mantissa_and_exponent(&given[0].0, range));
        }
        let mut x = Vec::new();
        for (value, place) in &given {
            match self.integer(value, *place, &format!("an argument of {name}")) {
                Some(scalar) => x.push(scalar),
                None => return Some(Value::Poison),
            }
        }
        Some(match name {
            "factorial" => self.factorial(&x[0], range),
            "isqrt" => self.integer_root(&x[0], range),
            "comb" => self.combinations(&x[0], &x[1], range),
            _ => {
                let divisor = self.gcd(&x, range);
                let Value::Scalar(divisor) = divisor else {
                    return Some(Value::Poison);
                };
                let one = Scalar::const_int(1);
                let divisor = self.index_op(BinaryOp::Maximum, &divisor, &one);
                let a = self.absolute(&x[0]);
                let b = self.absolute(&x[1]);
                let part = self.index_op(BinaryOp::FloorDivide, &a, &divisor);
                self.index_op(BinaryOp::Multiply, &part, &b).into()
            }
        })
    }

    fn mantissa_and_exponent(&mut self, x: &Value, range: TextRange) -> Value {
        let Some(x) = self.scalar(x, range) else {
            return Value::Poison;
        };
        let x = self.cast(&x, DType::Float64, false);
        let given = [(Value::Scalar(x), range)];
        match self.library("numpy.frexp", &given, &[], &[], range) {
            Value::Tuple(parts) => match &parts[..] {
                [Value::Scalar(mantissa), Value::Scalar(exponent)] => {
                    let mantissa = self.cast(mantissa, DType::Float64, true);
                    let exponent = self.cast(exponent, DType::Int64, true);
                    Value::Tuple(vec![mantissa.into(), exponent.into()])
                }
                _ => Value::Poison,
            },
            other => other,
        }
    }

    fn refuse_negative(&mut self, x: &Scalar, text: &str, range: TextRange) {
        let negative = self.compare_scalars(CompareOp::Less, x, &Scalar::const_int(0));
        if negative.as_int() != Some(0) {
            let negative = self.ir(&negative);
            self.raise_if(negative, &raised("ValueError", text), range);
        }
    }

    fn factorial(&mut self, n: &Scalar, range: TextRange) -> Value {
        self.refuse_negative(n, "factorial() not defined for negative values", range);
        let most = Scalar::const_int(i128::from(MOST_FACTORIAL));
        let wide = self.compare_scalars(CompareOp::Greater, n, &most);
        let wide = self.ir(&wide);
        let text = "the factorial does not fit an integer of 64 bits";
        self.raise_if(wide, &raised("OverflowError", text), range);
        let name = self.temporary();
        let (product, counter) = (
            self.variable(&name, 0, DType::Int64),
            self.variable(&name, 1, DType::Int64),
        );
        let one = self.b.int64(1);
        self.b.set(product, one);
        let last = self.ir(n);
        let stop = self.b.binary(BinaryOp::Add, last, one);
        self.b.begin_for(counter, one, stop, one);
        let (so_far, factor) = (self.b.get(product), self.b.get(counter));
        let next = self.b.binary(BinaryOp::Multiply, so_far, factor);
        self.b.set(product, next);
        self.b.end();
        Scalar::int(self.b.get(product), Know::NonNegative).into()
    }

    fn integer_root(&mut self, n: &Scalar, range: TextRange) -> Value {
        self.refuse_negative(n, "isqrt() argument must be nonnegative", range);
        let whole = self.ir(n);
        let float = self.b.convert(whole, DType::Float64);
        let root = self.b.math(MathFunction::Sqrt, &[float]);
        let root = self.b.convert(root, DType::Int64);
        // A float has fewer digits than an integer: the root may be one too large or too small. The
        // largest root of all is that of the largest integer.
        let most = self.b.int64(3_037_000_499);
        let root = self.b.binary(BinaryOp::Minimum, root, most);
        let one = self.b.int64(1);
        let square = |t: &mut Self, x: ValueId| t.b.binary(BinaryOp::Multiply, x, x);
        let own = square(self, root);
        let large = self.b.compare(CompareOp::Greater, own, whole);
        let less = self.b.binary(BinaryOp::Subtract, root, one);
        let root = self.b.select(large, less, root);
        let more = self.b.binary(BinaryOp::Add, root, one);
        let more = self.b.binary(BinaryOp::Minimum, more, most);
        let next = square(self, more);
        let small = self.b.compare(CompareOp::LessEqual, next, whole);
        Scalar::int(self.b.select(small, more, root), Know::NonNegative).into()
    }

    fn combinations(&mut self, n: &Scalar, k: &Scalar, range: TextRange) -> Value {
        self.refuse_negative(n, "n must be a non-negative integer", range);
        self.refuse_negative(k, "k must be a non-negative integer", range);
        let name = self.temporary();
        let (product, counter) = (
            self.variable(&name, 0, DType::Int64),
            self.variable(&name, 1, DType::Int64),
        );
        let (all, taken) = (self.ir(n), self.ir(k));
        let (zero, one) = (self.b.int64(0), self.b.int64(1));
        let few = self.b.compare(CompareOp::Greater, taken, all);
        let start = self.b.select(few, zero, one);
        self.b.set(product, start);
        self.b.begin_for(counter, zero, taken, one);
        // After each turn it is a number of combinations, and so whole.
        let (so_far, at) = (self.b.get(product), self.b.get(counter));
        let factor = self.b.binary(BinaryOp::Subtract, all, at);
        let size = self.b.convert(so_far, DType::Float64);
        let scale = self.b.convert(factor, DType::Float64);
        let size = self.b.binary(BinaryOp::Multiply, size, scale);
        let most = self
            .b
            .literal(colocate_ir::Literal::Float(DType::Float64, 9.2e18));
        let wide = self.b.compare(CompareOp::Greater, size, most);
        let text = "the number of combinations does not fit an integer of 64 bits";
        self.raise_if(wide, &raised("OverflowError", text), range);
        let next = self.b.binary(BinaryOp::Multiply, so_far, factor);
        let below = self.b.binary(BinaryOp::Add, at, one);
        let next = self.b.binary(BinaryOp::FloorDivide, next, below);
        self.b.set(product, next);
        self.b.end();
        Scalar::int(self.b.get(product), Know::NonNegative).into()
    }
}
