//! What Python and NumPy check of numbers that change their type: integers that do not fit, floats that are none.
//!
//! What is known while compiling is checked everywhere. The rest is checked in host code only: turns of parallel
//! loops would pay for it with their vectors.

use crate::host::failures::{Part, Raised};
use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::types::{self, is_integer};
use crate::value::{Constant, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, Literal, UnaryOp};
use ruff_text_size::TextRange;

/// The least and the greatest number of an integer dtype.
fn bounds(dtype: DType) -> (i128, i128) {
    let bits = 8 * dtype.itemsize() as u32;
    match dtype.kind() {
        Kind::Int => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        _ => (0, (1i128 << bits) - 1),
    }
}

fn out_of_bounds(scalar: &Scalar, dtype: DType) -> Raised {
    let class = "OverflowError";
    if scalar
        .as_int()
        .is_some_and(|value| !types::fits(value, DType::Int64))
    {
        return raised(class, "Python int too large to convert to C long");
    }
    let parts = vec![
        Part::Text("Python integer ".into()),
        Part::Number(*scalar),
        Part::Text(format!(" out of bounds for {dtype}")),
    ];
    Raised { class, parts }
}

/// The first power of two that no int64 holds.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

impl Translator<'_> {
    /// Whether a check can raise here.
    fn can_raise(&self) -> bool {
        let region = self.region.as_ref();
        self.is_program() && region.is_none_or(|region| region.failure.is_some())
    }

    /// Whether this is host code, whose checks cost little.
    fn is_host_code(&self) -> bool {
        self.is_program() && self.level() == 0
    }

    /// Has the program raise what NumPy raises for an integer of Python's that does not fit a dtype. False if it is
    /// known that it does not, and nothing can be raised: then it is a mistake.
    pub fn check_fits(&mut self, scalar: &Scalar, dtype: DType, range: TextRange) -> bool {
        if !scalar.weak || !is_integer(scalar.dtype) || !is_integer(dtype) {
            return true;
        }
        if let Some(value) = scalar.as_int() {
            if types::fits(value, dtype) {
                return true;
            }
            if self.can_raise() {
                let always = self.b.literal(Literal::Bool(true));
                self.raise_if(always, &out_of_bounds(scalar, dtype), range);
                return true;
            }
            return false;
        }
        if !self.is_host_code() {
            return true;
        }
        let ((low, high), (least, greatest)) = (bounds(dtype), bounds(scalar.dtype));
        let mut bad = None;
        if low > least && !scalar.is_non_negative() {
            let limit = Scalar::const_int(low);
            let below = self.compare_scalars(CompareOp::Less, scalar, &limit);
            bad = Some(self.ir(&below));
        }
        if high < greatest {
            let limit = Scalar::const_int(high);
            let above = self.compare_scalars(CompareOp::Greater, scalar, &limit);
            let above = self.ir(&above);
            bad = Some(match bad {
                Some(below) => self.b.binary(BinaryOp::BitOr, below, above),
                None => above,
            });
        }
        if let Some(bad) = bad {
            self.raise_if(bad, &out_of_bounds(scalar, dtype), range);
        }
        true
    }

    /// A value that goes into an array or meets one: an integer of Python's is looked at once, and is one of the
    /// array's dtype from then on.
    pub fn fitted(&mut self, value: &Value, dtype: DType, range: TextRange) -> Value {
        match value {
            Value::Scalar(scalar)
                if self.is_program()
                    && scalar.weak
                    && is_integer(scalar.dtype)
                    && is_integer(dtype)
                    && self.check_fits(scalar, dtype, range) =>
            {
                self.cast(scalar, dtype, false).into()
            }
            other => other.clone(),
        }
    }

    /// Raises what `numpy.clip` raises for a bound that no number of the dtype keeps: a lower one that is too large,
    /// or an upper one that is too small. Bounds that are too far away are none.
    pub fn check_clip(&mut self, x: &Value, bounds_given: [&Value; 2], range: TextRange) {
        let Some(dtype) = Self::dtype_of(x).filter(|dtype| is_integer(*dtype)) else {
            return;
        };
        let (least, greatest) = bounds(dtype);
        let limits = [(CompareOp::Greater, greatest), (CompareOp::Less, least)];
        for (bound, (op, limit)) in bounds_given.into_iter().zip(limits) {
            let bound = match bound {
                Value::Scalar(bound) if bound.weak && is_integer(bound.dtype) => bound,
                _ => continue,
            };
            let outside = self.compare_scalars(op, bound, &Scalar::const_int(limit));
            let wanted = match outside.as_constant() {
                Some(Constant::Bool(is)) => is && self.can_raise(),
                _ => self.is_host_code(),
            };
            if wanted {
                let outside = self.ir(&outside);
                self.raise_if(outside, &out_of_bounds(bound, dtype), range);
            }
        }
    }

    /// Two operands of a function that computes with the dtype of both: an integer of Python's beside an array of
    /// integers must fit it.
    pub fn fitted_pair(&mut self, a: &Value, b: &Value, range: TextRange) -> [Value; 2] {
        let dtype =
            |value: &Value| crate::arrays::lazy::is_array(value).then(|| Self::dtype_of(value));
        match (dtype(a).flatten(), dtype(b).flatten()) {
            (Some(dtype), None) => [a.clone(), self.fitted(b, dtype, range)],
            (None, Some(dtype)) => [self.fitted(a, dtype, range), b.clone()],
            _ => [a.clone(), b.clone()],
        }
    }

    /// Raises what Python raises if a float that becomes an integer is infinite or NaN, and where it is so large that
    /// only Python's own integers would hold it.
    pub fn check_whole(&mut self, scalar: &Scalar, range: TextRange) {
        let known = match scalar.as_constant() {
            Some(Constant::Float(value)) => Some(value.abs() < TWO_TO_63),
            Some(_) => Some(true),
            None => None,
        };
        let wanted = match known {
            Some(fits) => !fits && self.can_raise(),
            None => self.is_host_code(),
        };
        if !wanted || scalar.dtype.kind() != Kind::Float {
            return;
        }
        if self.is_trying() {
            // Not where only one way leads.
            self.flush();
        }
        let ir = self.ir(scalar);
        let wide = self.cast(scalar, DType::Float64, false);
        let limits = [
            (CompareOp::GreaterEqual, -TWO_TO_63),
            (CompareOp::Less, TWO_TO_63),
        ];
        let [low, high] = limits.map(|(op, limit)| {
            let limit = Scalar::constant(DType::Float64, false, Constant::Float(limit));
            let inside = self.compare_scalars(op, &wide, &limit);
            self.ir(&inside)
        });
        let fits = self.b.binary(BinaryOp::BitAnd, low, high);
        let bad = self.b.unary(UnaryOp::Not, fits);
        self.b.begin_if(bad);
        let nan = self.b.unary(UnaryOp::IsNan, ir);
        let text = "cannot convert float NaN to integer";
        self.raise_if(nan, &raised("ValueError", text), range);
        let finite = self.b.unary(UnaryOp::IsFinite, ir);
        let text =
            "this integer has more than 64 bits, which integers of jit functions do not have";
        self.raise_if(finite, &raised("OverflowError", text), range);
        let text = "cannot convert float infinity to integer";
        self.raise(&raised("OverflowError", text), range);
        self.b.end();
    }

    /// Raises what NumPy raises if a float that is stored into an array of integers does not fit them. The unsigned
    /// ones take any float of NumPy's own.
    pub fn check_stored(&mut self, scalar: &Scalar, dtype: DType, range: TextRange) {
        let checked = scalar.dtype.kind() == Kind::Float
            && is_integer(dtype)
            && (scalar.weak || dtype.kind() == Kind::Int);
        if !checked {
            return;
        }
        // The numbers between these two, both excluded, become integers that fit. Where the dtype is so wide that
        // there is no float just below the least one, that one itself is the first that fits.
        let (least, greatest) = bounds(dtype);
        let (above, below) = ((least - 1) as f64, (greatest + 1) as f64);
        let has_before = above as i128 == least - 1;
        match scalar.as_constant() {
            Some(Constant::Float(value)) => {
                let low = if has_before {
                    value > above
                } else {
                    value >= above
                };
                if low && value < below || !self.can_raise() {
                    return;
                }
            }
            Some(_) => return,
            None if !self.is_host_code() => return,
            None => {}
        }
        if self.is_trying() {
            // Not where only one way leads.
            self.flush();
        }
        let wide = self.cast(scalar, DType::Float64, false);
        let is_low = if has_before {
            CompareOp::Greater
        } else {
            CompareOp::GreaterEqual
        };
        let [above, below] = [above, below]
            .map(|limit| Scalar::constant(DType::Float64, false, Constant::Float(limit)));
        let low = self.compare_scalars(is_low, &wide, &above);
        let high = self.compare_scalars(CompareOp::Less, &wide, &below);
        let (low, high) = (self.ir(&low), self.ir(&high));
        let fits = self.b.binary(BinaryOp::BitAnd, low, high);
        let bad = self.b.unary(UnaryOp::Not, fits);
        self.b.begin_if(bad);
        self.check_whole(scalar, range);
        let class = "OverflowError";
        let number = self.cast(&wide, DType::Int64, true);
        let parts = vec![
            Part::Text("Python integer ".into()),
            Part::Number(number),
            Part::Text(format!(" out of bounds for {dtype}")),
        ];
        self.raise(&Raised { class, parts }, range);
        self.b.end();
    }

    /// A number that is stored into several elements of an array: it is looked at once, and is one of the array's
    /// dtype from then on.
    pub fn stored_number(&mut self, value: &Value, dtype: DType, range: TextRange) -> Value {
        match value {
            Value::Scalar(scalar) if self.is_program() && is_integer(dtype) => {
                self.check_stored(scalar, dtype, range);
                self.fitted(value, dtype, range)
            }
            other => other.clone(),
        }
    }

    /// Raises what Python raises if its integers are shifted by a negative number.
    pub fn check_shift(&mut self, count: &Scalar, range: TextRange) {
        let known = count.as_constant().is_some();
        if count.is_non_negative() || !known && !self.is_host_code() {
            return;
        }
        let negative = self.compare_scalars(CompareOp::Less, count, &Scalar::const_int(0));
        let negative = self.ir(&negative);
        self.raise_if(
            negative,
            &raised("ValueError", "negative shift count"),
            range,
        );
    }
}
