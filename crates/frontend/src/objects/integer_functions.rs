//! Functions of integers, Python's own and those of its `math` module, that only jit functions have.

use crate::calls::Arguments;
use crate::objects::python_objects::INT;
use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Literal, MathFunction, UnaryOp, ValueId};
use ruff_python_ast::{Expr, Operator};
use ruff_text_size::{Ranged, TextRange};

/// The largest whose factorial fits 64 bits.
const MOST_FACTORIAL: i64 = 20;
/// The largest whose factorial fits a float.
const MOST_FLOAT_FACTORIAL: i64 = 170;
/// Factorials are computed with so small a factor, which keeps what comes before them from becoming infinite.
const DOWN: f64 = 1.0 / (1u128 << 100) as f64;
/// Splits a float into halves with few digits.
const SPLITTER: f64 = 134_217_729.0;

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

    /// Notes the calls in an expression that is divided, or multiplied with a float: what they give becomes a float, so it
    /// need not fit an integer.
    pub fn expect_floats_of(&mut self, expr: &Expr) {
        match expr {
            Expr::Call(call) if self.is_program() => {
                let site = self.site(call.range());
                if !self.float_calls.contains(&site) {
                    self.float_calls.push(site);
                }
            }
            Expr::UnaryOp(e) => self.expect_floats_of(&e.operand),
            Expr::BinOp(e) if e.op == Operator::Mult => {
                self.expect_floats_of(&e.left);
                self.expect_floats_of(&e.right);
            }
            _ => {}
        }
    }

    /// The product of the numbers up to one as a float, correct to the last digit but one: what it is off by is kept in
    /// a second float.
    fn factorial_as_float(&mut self, n: &Scalar, range: TextRange) -> Value {
        let most = Scalar::const_int(i128::from(MOST_FLOAT_FACTORIAL));
        let wide = self.compare_scalars(CompareOp::Greater, n, &most);
        let wide = self.ir(&wide);
        let text = "int too large to convert to float";
        self.raise_if(wide, &raised("OverflowError", text), range);
        let name = self.temporary();
        let product = self.variable(&name, 0, DType::Float64);
        let rest = self.variable(&name, 1, DType::Float64);
        let counter = self.variable(&name, 2, DType::Int64);
        let float = |t: &mut Self, value: f64| t.b.literal(Literal::Float(DType::Float64, value));
        let (one, first, nothing) = (self.b.int64(1), float(self, DOWN), float(self, 0.0));
        self.b.set(product, first);
        self.b.set(rest, nothing);
        let last = self.ir(n);
        let stop = self.b.binary(BinaryOp::Add, last, one);
        self.b.begin_for(counter, one, stop, one);
        let (high, low) = (self.b.get(product), self.b.get(rest));
        let factor = self.b.get(counter);
        let factor = self.b.convert(factor, DType::Float64);
        // A factor has few digits: its products with the two halves of a float are exact.
        let splitter = float(self, SPLITTER);
        let large = self.b.binary(BinaryOp::Multiply, high, splitter);
        let over = self.b.binary(BinaryOp::Subtract, large, high);
        let upper = self.b.binary(BinaryOp::Subtract, large, over);
        let lower = self.b.binary(BinaryOp::Subtract, high, upper);
        let rounded = self.b.binary(BinaryOp::Multiply, high, factor);
        let upper = self.b.binary(BinaryOp::Multiply, upper, factor);
        let lower = self.b.binary(BinaryOp::Multiply, lower, factor);
        let off = self.b.binary(BinaryOp::Subtract, upper, rounded);
        let off = self.b.binary(BinaryOp::Add, off, lower);
        let low = self.b.binary(BinaryOp::Multiply, low, factor);
        let low = self.b.binary(BinaryOp::Add, low, off);
        self.b.set(product, rounded);
        self.b.set(rest, low);
        self.b.end();
        let (high, low) = (self.b.get(product), self.b.get(rest));
        let both = self.b.binary(BinaryOp::Add, high, low);
        let up = float(self, 1.0 / DOWN);
        let whole = self.b.binary(BinaryOp::Multiply, both, up);
        Scalar::new(DType::Float64, true, whole).into()
    }

    fn factorial(&mut self, n: &Scalar, range: TextRange) -> Value {
        self.refuse_negative(n, "factorial() not defined for negative values", range);
        let small = n.as_int().is_some_and(|n| n <= i128::from(MOST_FACTORIAL));
        let site = self.site(range);
        if !small && self.float_calls.contains(&site) {
            return self.factorial_as_float(n, range);
        }
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

    /// `x.is_integer()` of a float.
    pub fn is_whole_number(&mut self, x: &Scalar) -> Value {
        let x = self.ir(x);
        let finite = self.b.unary(UnaryOp::IsFinite, x);
        let whole = self.b.math(MathFunction::Floor, &[x]);
        let same = self.b.compare(CompareOp::Equal, whole, x);
        let both = self.b.binary(BinaryOp::BitAnd, finite, same);
        Scalar::new(DType::Bool, true, both).into()
    }

    /// `pow(base, exponent, modulus)` of integers.
    pub fn power_modulo(
        &mut self,
        base: &Value,
        exponent: &Value,
        modulus: &Value,
        range: TextRange,
    ) -> Value {
        let (Some(base), Some(exponent), Some(modulus)) = (
            self.integer(base, range, "the base"),
            self.integer(exponent, range, "the exponent"),
            self.integer(modulus, range, "the modulus"),
        ) else {
            return Value::Poison;
        };
        let zero = self.compare_scalars(CompareOp::Equal, &modulus, &Scalar::const_int(0));
        if zero.as_int() != Some(0) {
            let zero = self.ir(&zero);
            let text = "pow() 3rd argument cannot be 0";
            self.raise_if(zero, &raised("ValueError", text), range);
        }
        let negative = self.compare_scalars(CompareOp::Less, &exponent, &Scalar::const_int(0));
        let size = self.absolute(&modulus);
        // Products of two remainders must fit 64 bits.
        let most = Scalar::const_int(3_037_000_499);
        let wide = self.compare_scalars(CompareOp::Greater, &size, &most);
        if self.level() > 0 {
            let text = "a negative exponent with a modulus is not supported in parallel loops";
            let negative = self.ir(&negative);
            self.raise_if(negative, &raised("ValueError", text), range);
            let text = "the modulus is too large for a parallel loop: products of two remainders have 64 bits";
            let wide = self.ir(&wide);
            self.raise_if(wide, &raised("OverflowError", text), range);
            return self.power_of_remainder(&base, &exponent, &modulus);
        }
        let unusual = match (negative.as_int(), wide.as_int()) {
            (Some(0), Some(0)) => Scalar::const_bool(false),
            _ => {
                let (negative, wide) = (self.ir(&negative), self.ir(&wide));
                let either = self.b.binary(BinaryOp::BitOr, negative, wide);
                Scalar::new(DType::Bool, true, either)
            }
        };
        let given = [base, exponent, modulus].map(|one| (Value::Scalar(one), range));
        self.either(
            &unusual,
            range,
            |t| t.python_call("builtins.pow", &given, &[], Some(INT), range),
            |t| t.power_of_remainder(&base, &exponent, &modulus),
        )
    }

    fn power_of_remainder(&mut self, base: &Scalar, exponent: &Scalar, modulus: &Scalar) -> Value {
        let name = self.temporary();
        let variables: Vec<_> = (0..3)
            .map(|position| self.variable(&name, position, DType::Int64))
            .collect();
        let modulo = self.ir(modulus);
        let one = self.b.int64(1);
        let start = self.b.binary(BinaryOp::Modulo, one, modulo);
        self.b.set(variables[0], start);
        let start = self.ir(base);
        let start = self.b.binary(BinaryOp::Modulo, start, modulo);
        self.b.set(variables[1], start);
        let start = self.ir(exponent);
        self.b.set(variables[2], start);
        self.b.begin_while();
        let (left, zero) = (self.b.get(variables[2]), self.b.int64(0));
        let going = self.b.compare(CompareOp::Greater, left, zero);
        self.b.begin_while_body(going);
        let left = self.b.get(variables[2]);
        let one = self.b.int64(1);
        let bit = self.b.binary(BinaryOp::BitAnd, left, one);
        let odd = self.b.compare(CompareOp::Equal, bit, one);
        let (result, factor) = (self.b.get(variables[0]), self.b.get(variables[1]));
        let product = self.b.binary(BinaryOp::Multiply, result, factor);
        let product = self.b.binary(BinaryOp::Modulo, product, modulo);
        let next = self.b.select(odd, product, result);
        self.b.set(variables[0], next);
        let square = self.b.binary(BinaryOp::Multiply, factor, factor);
        let square = self.b.binary(BinaryOp::Modulo, square, modulo);
        self.b.set(variables[1], square);
        let half = self.b.binary(BinaryOp::ShiftRight, left, one);
        self.b.set(variables[2], half);
        self.b.end();
        Scalar::int(self.b.get(variables[0]), Know::Any).into()
    }
}
