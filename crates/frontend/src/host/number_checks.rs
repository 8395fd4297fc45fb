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

    /// Raises what Python raises if a float that becomes an integer is infinite or NaN.
    pub fn check_finite(&mut self, scalar: &Scalar, range: TextRange) {
        let known = match scalar.as_constant() {
            Some(Constant::Float(value)) => Some(value.is_finite()),
            Some(_) => Some(true),
            None => None,
        };
        let wanted = match known {
            Some(finite) => !finite && self.can_raise(),
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
        let finite = self.b.unary(UnaryOp::IsFinite, ir);
        let bad = self.b.unary(UnaryOp::Not, finite);
        self.b.begin_if(bad);
        let nan = self.b.unary(UnaryOp::IsNan, ir);
        let text = "cannot convert float NaN to integer";
        self.raise_if(nan, &raised("ValueError", text), range);
        let text = "cannot convert float infinity to integer";
        self.raise(&raised("OverflowError", text), range);
        self.b.end();
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
