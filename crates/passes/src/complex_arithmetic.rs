//! Arithmetic of complex numbers as operations on pairs of floats.
//!
//! Responsible for NumPy's formulas, operation by operation, so that results have NumPy's bits
//! wherever no function of the C library is involved, infinities and zeros included. It knows
//! floats only: where pairs come from is the business of [`crate::expand_complex`].

use crate::emit::Emit;
use colocate_ir::{BinaryOp, DType, KernelBuilder, MathFunction, UnaryOp, ValueId};

/// A complex number: its real and its imaginary part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub re: ValueId,
    pub im: ValueId,
}

impl Pair {
    /// A constant.
    pub fn literal(to: &mut KernelBuilder, float: DType, re: f64, im: f64) -> Pair {
        Pair {
            re: to.float(float, re),
            im: to.float(float, im),
        }
    }

    /// Does the same to both parts.
    pub fn map(self, mut each: impl FnMut(ValueId) -> ValueId) -> Pair {
        Pair {
            re: each(self.re),
            im: each(self.im),
        }
    }

    /// Does the same to both parts of two.
    pub fn zip(self, other: Pair, mut each: impl FnMut(ValueId, ValueId) -> ValueId) -> Pair {
        Pair {
            re: each(self.re, other.re),
            im: each(self.im, other.im),
        }
    }
}

/// A choice.
pub(crate) fn select(to: &mut KernelBuilder, condition: ValueId, a: Pair, b: Pair) -> Pair {
    a.zip(b, |a, b| to.select(condition, a, b))
}

/// Whether both parts are zero.
pub(crate) fn is_zero(to: &mut KernelBuilder, a: Pair) -> ValueId {
    let zero = to.small(to.dtype(a.re), 0);
    let (re, im) = (to.eq(a.re, zero), to.eq(a.im, zero));
    to.and(re, im)
}

/// The product, by the textbook.
pub(crate) fn multiply(to: &mut KernelBuilder, a: Pair, b: Pair) -> Pair {
    let (rr, ii) = (to.mul(a.re, b.re), to.mul(a.im, b.im));
    let (ri, ir) = (to.mul(a.re, b.im), to.mul(a.im, b.re));
    Pair {
        re: to.sub(rr, ii),
        im: to.add(ri, ir),
    }
}

/// The quotient, by Smith's algorithm: the smaller part of the divisor is scaled by the larger,
/// so that no square overflows.
pub(crate) fn divide(to: &mut KernelBuilder, a: Pair, b: Pair) -> Pair {
    let float = to.dtype(a.re);
    let one = to.small(float, 1);
    let (abs_re, abs_im) = (to.abs(b.re), to.abs(b.im));
    // False if either is NaN, which decides where the NaN goes.
    let real_leads = to.ge(abs_re, abs_im);
    let large = to.select(real_leads, b.re, b.im);
    let small = to.select(real_leads, b.im, b.re);
    let ratio = to.div(small, large);
    let scaled = to.mul(small, ratio);
    let sum = to.add(large, scaled);
    let scale = to.div(one, sum);

    let first = to.select(real_leads, a.re, a.im);
    let second = to.select(real_leads, a.im, a.re);
    let part = to.mul(second, ratio);
    let re = to.add(first, part);
    // The two differences are not one and its negation: both are +0.0 for equal operands.
    let part = to.mul(first, ratio);
    let (forth, back) = (to.sub(second, part), to.sub(part, second));
    let im = to.select(real_leads, forth, back);
    let quotient = Pair { re, im }.map(|part| to.mul(part, scale));

    let by_zero = is_zero(to, b);
    let undefined = a.map(|part| to.div(part, abs_re));
    select(to, by_zero, undefined, quotient)
}

/// A power whose exponent is a whole number known now, of magnitude below 100.
pub(crate) fn power_by_constant(to: &mut KernelBuilder, a: Pair, exponent: i32) -> Pair {
    let float = to.dtype(a.re);
    let one = Pair::literal(to, float, 1.0, 0.0);
    if exponent == 0 {
        return one;
    }
    // NumPy multiplies by one first, except for these exponents; with infinities that shows.
    let mut product = (!(1..=3).contains(&exponent)).then_some(one);
    let mut square = a;
    let mut left = exponent.unsigned_abs();
    loop {
        if left & 1 == 1 {
            product = Some(match product {
                Some(product) => multiply(to, product, square),
                None => square,
            });
        }
        left >>= 1;
        if left == 0 {
            break;
        }
        square = multiply(to, square, square);
    }
    let product = product.expect("an exponent other than 0 has a bit");
    let zero_base = is_zero(to, a);
    if exponent > 0 {
        let zero = Pair::literal(to, float, 0.0, 0.0);
        return select(to, zero_base, zero, product);
    }
    let inverse = divide(to, one, product);
    let undefined = Pair::literal(to, float, f64::NAN, f64::NAN);
    select(to, zero_base, undefined, inverse)
}

/// A power, as NumPy's `npy_cpow`: whole exponents of magnitude below 100 by multiplication,
/// others as `exp(b log a)`.
pub(crate) fn power(to: &mut KernelBuilder, a: Pair, b: Pair) -> Pair {
    let float = to.dtype(a.re);
    let (re, im) = (
        to.variable("power_real", float),
        to.variable("power_imag", float),
    );
    let set = |to: &mut KernelBuilder, result: Pair| {
        to.set(re, result.re);
        to.set(im, result.im);
    };
    let zero = to.small(float, 0);
    let one = Pair::literal(to, float, 1.0, 0.0);
    set(to, one);

    let zero_exponent = is_zero(to, b);
    let other_exponent = to.unary(UnaryOp::Not, zero_exponent);
    to.begin_if(other_exponent);
    let zero_base = is_zero(to, a);
    to.begin_if(zero_base);
    let nan = to.float(float, f64::NAN);
    let positive = to.gt(b.re, zero);
    let of_zero = to.select(positive, zero, nan);
    set(
        to,
        Pair {
            re: of_zero,
            im: of_zero,
        },
    );
    to.begin_else();
    let whole = to.convert(b.re, DType::Int64);
    let by_multiplication = is_small_whole(to, b, whole);
    to.begin_if(by_multiplication);
    let result = power_by_squaring(to, a, whole);
    set(to, result);
    to.begin_else();
    let result = power_by_logarithm(to, a, b);
    set(to, result);
    to.end();
    to.end();
    to.end();
    Pair {
        re: to.get(re),
        im: to.get(im),
    }
}

/// Whether `b` is a whole number of magnitude below 100; `whole` is its real part, cut.
fn is_small_whole(to: &mut KernelBuilder, b: Pair, whole: ValueId) -> ValueId {
    let float = to.dtype(b.re);
    let zero = to.small(float, 0);
    let limit = to.small(float, 100);
    let real = to.eq(b.im, zero);
    let magnitude = to.abs(b.re);
    let small = to.lt(magnitude, limit);
    let back = to.convert(whole, float);
    let exact = to.eq(back, b.re);
    let both = to.and(real, small);
    to.and(both, exact)
}

/// `a ** exponent` for a whole exponent other than zero; what [`power_by_constant`] does, at
/// run time.
fn power_by_squaring(to: &mut KernelBuilder, a: Pair, exponent: ValueId) -> Pair {
    let float = to.dtype(a.re);
    let int = DType::Int64;
    let left = to.variable("exponent", int);
    let started = to.variable("started", DType::Bool);
    let [product_re, product_im, square_re, square_im] =
        ["product_real", "product_imag", "square_real", "square_imag"]
            .map(|name| to.variable(name, float));
    let unit = Pair::literal(to, float, 1.0, 0.0);
    let (zero, one, three) = (to.small(int, 0), to.small(int, 1), to.small(int, 3));
    let magnitude = to.abs(exponent);
    let (positive, short) = (to.ge(exponent, one), to.ge(three, exponent));
    let plain = to.and(positive, short);
    let begin = to.unary(UnaryOp::Not, plain);
    to.set(left, magnitude);
    to.set(started, begin);
    to.set(product_re, unit.re);
    to.set(product_im, unit.im);
    to.set(square_re, a.re);
    to.set(square_im, a.im);

    to.begin_while();
    let now = to.get(left);
    let more = to.ne(now, zero);
    to.begin_while_body(more);
    let product = Pair {
        re: to.get(product_re),
        im: to.get(product_im),
    };
    let square = Pair {
        re: to.get(square_re),
        im: to.get(square_im),
    };
    let has_begun = to.get(started);
    let bit = to.and(now, one);
    let odd = to.ne(bit, zero);
    let multiplied = multiply(to, product, square);
    let taken = select(to, has_begun, multiplied, square);
    let next = select(to, odd, taken, product);
    to.set(product_re, next.re);
    to.set(product_im, next.im);
    let begun = to.or(has_begun, odd);
    to.set(started, begun);
    let squared = multiply(to, square, square);
    to.set(square_re, squared.re);
    to.set(square_im, squared.im);
    let half = to.binary(BinaryOp::ShiftRight, now, one);
    to.set(left, half);
    to.end();

    let product = Pair {
        re: to.get(product_re),
        im: to.get(product_im),
    };
    let inverse = divide(to, unit, product);
    let negative = to.lt(exponent, zero);
    select(to, negative, inverse, product)
}

/// `exp(b log a)`
fn power_by_logarithm(to: &mut KernelBuilder, a: Pair, b: Pair) -> Pair {
    let float = to.dtype(a.re);
    let zero = to.small(float, 0);
    let log = Pair {
        re: log_of_modulus(to, a),
        im: to.math(MathFunction::Atan2, &[a.im, a.re]),
    };
    let power = multiply(to, log, b);
    let size = to.math(MathFunction::Exp, &[power.re]);
    let cos = to.math(MathFunction::Cos, &[power.im]);
    let sin = to.math(MathFunction::Sin, &[power.im]);
    let (re, im) = (to.mul(size, cos), to.mul(size, sin));
    // Without this a real power that overflows would get NaN as imaginary part.
    let real = to.eq(power.im, zero);
    Pair {
        re,
        im: to.select(real, power.im, im),
    }
}

/// `log |a|`, where `|a|` may be larger than the largest float, or so small that it has few digits.
fn log_of_modulus(to: &mut KernelBuilder, a: Pair) -> ValueId {
    let float = to.dtype(a.re);
    let (highest, lowest) = match float {
        DType::Float32 => (f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE)),
        _ => (f64::MAX, f64::MIN_POSITIVE),
    };
    // Powers of two, so that scaling loses nothing.
    const DOWN: f64 = 0.25;
    const UP: f64 = (1u64 << 53) as f64;
    let mut constant = |number: f64| to.float(float, number);
    let [highest, lowest] = [highest * DOWN, lowest].map(&mut constant);
    let [down, up, one, zero] = [DOWN, UP, 1.0, 0.0].map(&mut constant);
    let [less, more] = [-DOWN.ln(), -UP.ln()].map(&mut constant);
    let (re, im) = (to.abs(a.re), to.abs(a.im));
    let larger = to.binary(BinaryOp::Maximum, re, im);
    let (huge, tiny) = (to.gt(larger, highest), to.lt(larger, lowest));
    let scale = to.select(tiny, up, one);
    let scale = to.select(huge, down, scale);
    let correction = to.select(tiny, more, zero);
    let correction = to.select(huge, less, correction);
    let scaled = a.map(|part| to.mul(part, scale));
    let modulus = to.math(MathFunction::Hypot, &[scaled.re, scaled.im]);
    let log = to.math(MathFunction::Log, &[modulus]);
    to.add(log, correction)
}
