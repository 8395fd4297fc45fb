//! Functions of complex numbers, in terms of functions of their parts.
//!
//! Values at zeros, infinities and NaN are those of C's Annex G. Between them the formulas are chosen
//! so that neither part loses digits: no difference of nearly equal numbers is taken where it can be
//! written otherwise, and nothing overflows on the way to a result that does not.

use super::complex_inverse;
use super::shorthand::{Parts, Shorthand};
use colocate_ir::{BinaryOp, CompareOp, DType, KernelBuilder, MathFunction, ValueId};
use std::f64::consts::{LN_2, LN_10, PI};

/// A function of one complex number.
pub(super) fn function(b: &mut KernelBuilder, function: MathFunction, x: ValueId) -> ValueId {
    if function == MathFunction::RoundEven {
        let parts = b.parts(x).map(|part| b.apply(function, part));
        return b.complex(parts);
    }
    in_double(b, x, |b, z| match function {
        MathFunction::Exp => exp(b, z),
        MathFunction::Exp2 => exp2(b, z),
        MathFunction::Expm1 => expm1(b, z),
        MathFunction::Log => log(b, z),
        MathFunction::Log2 => log(b, z).map(|part| b.scale(part, 1.0 / LN_2)),
        MathFunction::Log10 => log(b, z).map(|part| b.scale(part, 1.0 / LN_10)),
        MathFunction::Log1p => log1p(b, z),
        MathFunction::Sqrt => sqrt(b, z),
        MathFunction::Sinh => sinh(b, z),
        MathFunction::Cosh => cosh(b, z),
        MathFunction::Tanh => tanh(b, z),
        // sin z = -i sinh iz, and likewise for others. Since they are odd and symmetric about the
        // real axis, exchanging the parts before and after comes to the same.
        MathFunction::Sin => sinh(b, z.swapped()).swapped(),
        MathFunction::Tan => tanh(b, z.swapped()).swapped(),
        MathFunction::Cos => {
            let re = b.neg(z.im);
            cosh(b, Parts { re, im: z.re })
        }
        MathFunction::Asin => complex_inverse::asin(b, z),
        MathFunction::Asinh => complex_inverse::asin(b, z.swapped()).swapped(),
        MathFunction::Acos => complex_inverse::acos(b, z),
        MathFunction::Acosh => complex_inverse::acosh(b, z),
        MathFunction::Atanh => complex_inverse::atanh(b, z),
        MathFunction::Atan => complex_inverse::atanh(b, z.swapped()).swapped(),
        other => panic!("{} of a complex number", other.name()),
    })
}

/// Computes with float64 parts and rounds to the dtype of `x`.
fn in_double(
    b: &mut KernelBuilder,
    x: ValueId,
    compute: impl FnOnce(&mut KernelBuilder, Parts) -> Parts,
) -> ValueId {
    let dtype = b.dtype(x);
    let wide = b.convert(x, DType::Complex128);
    let z = b.parts(wide);
    let result = compute(b, z);
    let result = b.complex(result);
    b.convert(result, dtype)
}

/// A power, with the formulas of the IR's own but for complex64 in double precision.
pub(super) fn power(b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
    let dtype = b.dtype(x);
    let [x, y] = [x, y].map(|value| b.convert(value, DType::Complex128));
    let result = b.binary(BinaryOp::Power, x, y);
    b.convert(result, dtype)
}

/// By real parts, then by imaginary parts. NaN makes it false.
pub(super) fn compare(b: &mut KernelBuilder, op: CompareOp, x: Parts, y: Parts) -> ValueId {
    let strict = match op {
        CompareOp::Less | CompareOp::LessEqual => CompareOp::Less,
        _ => CompareOp::Greater,
    };
    let beyond = b.compare(strict, x.re, y.re);
    let equal = b.eq(x.re, y.re);
    let tie = b.compare(op, x.im, y.im);
    let tie = b.and(equal, tie);
    let (x_nan, y_nan) = (b.is_nan(x.im), b.is_nan(y.im));
    let nan = b.or(x_nan, y_nan);
    let known = b.not(nan);
    let beyond = b.and(beyond, known);
    b.or(beyond, tie)
}

fn is_nan(b: &mut KernelBuilder, z: Parts) -> ValueId {
    let nan = z.map(|part| b.is_nan(part));
    b.or(nan.re, nan.im)
}

/// The one that compares so with the other. If either is NaN: it, or with `skips_nan` the other.
pub(super) fn better(
    b: &mut KernelBuilder,
    op: CompareOp,
    x: ValueId,
    y: ValueId,
    skips_nan: bool,
) -> ValueId {
    let (p, q) = (b.parts(x), b.parts(y));
    let first = compare(b, op, p, q);
    let nan = is_nan(b, if skips_nan { q } else { p });
    let first = b.or(first, nan);
    b.select(first, x, y)
}

/// `x / |x|`
pub(super) fn sign(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let z = b.parts(x);
    let size = b.hypot(z.re, z.im);
    let (zero, one) = (b.number(size, 0.0), b.number(size, 1.0));
    let at_zero = b.eq(size, zero);
    let divisor = b.select(at_zero, one, size);
    let unit = z.map(|part| {
        let ratio = b.div(part, divisor);
        b.select(at_zero, zero, ratio)
    });
    // Along an axis an infinity has a direction.
    let infinite = z.map(|part| b.is_inf(part));
    let far = z.map(|part| b.copysign(one, part));
    let along = Parts {
        re: b.select(infinite.re, far.re, zero),
        im: b.select(infinite.im, far.im, zero),
    };
    let nan = b.number(size, f64::NAN);
    let both = b.and(infinite.re, infinite.im);
    let along = along.map(|part| b.select(both, nan, part));
    let special = b.or(infinite.re, infinite.im);
    let result = b.select_parts(special, along, unit);
    b.complex(result)
}

/// `1 / x`, by Smith's formula.
pub(super) fn reciprocal(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let z = b.parts(x);
    let size = z.map(|part| b.abs(part));
    let real_leads = b.le(size.im, size.re);
    let large = b.select(real_leads, z.re, z.im);
    let small = b.select(real_leads, z.im, z.re);
    let ratio = b.div(small, large);
    let part = b.mul(small, ratio);
    let divisor = b.add(large, part);
    let one = b.number(ratio, 1.0);
    let (first, second) = (b.div(one, divisor), b.div(ratio, divisor));
    let re = b.select(real_leads, first, second);
    let im = b.select(real_leads, second, first);
    let im = b.neg(im);
    b.complex(Parts { re, im })
}

/// `sin(πx) / πx`, and 1 at zero.
pub(super) fn sinc(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let dtype = b.dtype(x);
    let x = b.convert(x, DType::Complex128);
    let pi = b.number(x, PI);
    let angle = b.mul(x, pi);
    let sine = function(b, MathFunction::Sin, angle);
    let ratio = b.div(sine, angle);
    let (zero, one) = (b.number(x, 0.0), b.number(x, 1.0));
    let at_zero = b.eq(x, zero);
    let result = b.select(at_zero, one, ratio);
    b.convert(result, dtype)
}

/// Above this, `exp` is computed in two factors: `exp(x - SHIFT)` and `exp(SHIFT)`.
const SHIFT: f64 = 709.0;
/// `exp(SHIFT)`
const EXP_SHIFT: f64 = 8.218407461554972e307;

/// `exp(x) c` and `exp(x) s`, where the exponential alone may overflow.
fn exp_times(b: &mut KernelBuilder, x: ValueId, cos: ValueId, sin: ValueId) -> Parts {
    let limit = b.number(x, SHIFT);
    let large = b.gt(x, limit);
    let lowered = b.sub(x, limit);
    let exponent = b.select(large, lowered, x);
    let size = b.apply(MathFunction::Exp, exponent);
    let (one, rest) = (b.number(x, 1.0), b.number(x, EXP_SHIFT));
    let rest = b.select(large, rest, one);
    let turn = Parts { re: cos, im: sin };
    // The large factor first: a product with the other may be so small that it loses digits.
    turn.map(|part| {
        let product = b.mul(part, rest);
        b.mul(product, size)
    })
}

fn cos_sin(b: &mut KernelBuilder, x: ValueId) -> (ValueId, ValueId) {
    (b.apply(MathFunction::Cos, x), b.apply(MathFunction::Sin, x))
}

/// What is common to `exp` and its like where the angle is infinite or NaN: then at -∞ the result is
/// `limit`, and at +∞ it is infinite without a known direction. At a zero angle it stays real.
fn settle(b: &mut KernelBuilder, z: Parts, result: Parts, limit: f64) -> Parts {
    let zero = b.number(z.re, 0.0);
    let real = b.eq(z.im, zero);
    let im = b.select(real, z.im, result.im);
    let finite = b.is_finite(z.im);
    let lost = b.not(finite);
    let (top, bottom) = (
        b.number(z.re, f64::INFINITY),
        b.number(z.re, f64::NEG_INFINITY),
    );
    let (at_top, at_bottom) = (b.eq(z.re, top), b.eq(z.re, bottom));
    let (at_top, at_bottom) = (b.and(lost, at_top), b.and(lost, at_bottom));
    let limit = b.number(z.re, limit);
    let re = b.select(at_bottom, limit, result.re);
    let signed_zero = b.copysign(zero, z.im);
    Parts {
        re: b.select(at_top, top, re),
        im: b.select(at_bottom, signed_zero, im),
    }
}

fn exp(b: &mut KernelBuilder, z: Parts) -> Parts {
    let (cos, sin) = cos_sin(b, z.im);
    let result = exp_times(b, z.re, cos, sin);
    settle(b, z, result, 0.0)
}

fn exp2(b: &mut KernelBuilder, z: Parts) -> Parts {
    let scaled = z.map(|part| b.scale(part, LN_2));
    let turned = exp(b, scaled);
    // A real exponent goes without the rounding of the product.
    let zero = b.number(z.re, 0.0);
    let real = b.eq(z.im, zero);
    let power = b.apply(MathFunction::Exp2, z.re);
    Parts {
        re: b.select(real, power, turned.re),
        im: turned.im,
    }
}

/// With `cos y - 1 = -2 sin²(y/2)`, so that small numbers keep their digits.
fn expm1(b: &mut KernelBuilder, z: Parts) -> Parts {
    let (cos, sin) = cos_sin(b, z.im);
    let full = exp_times(b, z.re, cos, sin);
    let less = b.apply(MathFunction::Expm1, z.re);
    let half = b.scale(z.im, 0.5);
    let half = b.apply(MathFunction::Sin, half);
    let down = b.mul(half, half);
    let down = b.scale(down, 2.0);
    let near = b.mul(less, cos);
    let near = b.sub(near, down);
    // The standard has no negative zero here.
    let zero = b.number(near, 0.0);
    let is_zero = b.eq(near, zero);
    let near = b.select(is_zero, zero, near);
    // Where the exponential is large, one is less than its last digit.
    let limit = b.number(z.re, 40.0);
    let large = b.gt(z.re, limit);
    let result = Parts {
        re: b.select(large, full.re, near),
        im: full.im,
    };
    settle(b, z, result, -1.0)
}

/// `log |z|`, accurate also where `|z|` is near 1 and where its square leaves the range of floats.
fn log_of_modulus(b: &mut KernelBuilder, z: Parts) -> ValueId {
    let size = z.map(|part| b.abs(part));
    let (large, small) = (b.max(size.re, size.im), b.min(size.re, size.im));

    // Powers of two, which change no digit, bring very large and very small numbers back.
    let (huge, tiny) = (
        b.number(large, 2f64.powi(1020)),
        b.number(large, 2f64.powi(-960)),
    );
    let (is_huge, is_tiny) = (b.gt(large, huge), b.lt(large, tiny));
    let mut choose = |at_huge: f64, at_tiny: f64, between: f64| {
        let [at_huge, at_tiny, between] = [at_huge, at_tiny, between].map(|n| b.number(large, n));
        let rest = b.select(is_tiny, at_tiny, between);
        b.select(is_huge, at_huge, rest)
    };
    let scale = choose(2f64.powi(-4), 2f64.powi(128), 1.0);
    let correction = choose(4.0 * LN_2, -128.0 * LN_2, 0.0);
    // Not of the larger and the smaller: those are NaN if a part is, even beside an infinity.
    let scaled = size.map(|part| b.mul(part, scale));
    let modulus = b.hypot(scaled.re, scaled.im);
    let far = b.apply(MathFunction::Log, modulus);
    let far = b.add(far, correction);

    // Near 1, log1p of |z|² - 1.
    let square = square_minus_one(b, large, small);
    let near = b.apply(MathFunction::Log1p, square);
    let near = b.scale(near, 0.5);
    let (low, high) = (b.number(large, 0.5), b.number(large, 2.0));
    let (above, below) = (b.gt(modulus, low), b.lt(large, high));
    let is_near = b.and(above, below);
    b.select(is_near, near, far)
}

/// The product as a rounded number and what rounding took.
fn exact_square(b: &mut KernelBuilder, x: ValueId) -> (ValueId, ValueId) {
    let product = b.mul(x, x);
    let negated = b.neg(product);
    (product, b.math(MathFunction::Fma, &[x, x, negated]))
}

/// The sum as a rounded number and what rounding took.
fn exact_sum(b: &mut KernelBuilder, x: ValueId, y: ValueId) -> (ValueId, ValueId) {
    let sum = b.add(x, y);
    let y_part = b.sub(sum, x);
    let x_part = b.sub(sum, y_part);
    let (x_lost, y_lost) = (b.sub(x, x_part), b.sub(y, y_part));
    (sum, b.add(x_lost, y_lost))
}

/// `x² + y² - 1`, in which everything may cancel.
fn square_minus_one(b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
    let minus_one = b.number(x, -1.0);
    let (xx, xx_lost) = exact_square(b, x);
    let (yy, yy_lost) = exact_square(b, y);
    let (sum, lost) = exact_sum(b, xx, minus_one);
    let (sum, more_lost) = exact_sum(b, sum, yy);
    let lost = b.add(lost, more_lost);
    let products_lost = b.add(xx_lost, yy_lost);
    let lost = b.add(lost, products_lost);
    b.add(sum, lost)
}

fn log(b: &mut KernelBuilder, z: Parts) -> Parts {
    Parts {
        re: log_of_modulus(b, z),
        im: b.atan2(z.im, z.re),
    }
}

/// Near zero `log |1 + z|` is half of `log1p(2x + x² + y²)`, a sum in which much may cancel.
fn log1p(b: &mut KernelBuilder, z: Parts) -> Parts {
    let one = b.number(z.re, 1.0);
    let shifted = Parts {
        re: b.add(z.re, one),
        im: z.im,
    };
    let far = log_of_modulus(b, shifted);

    let twice = b.scale(z.re, 2.0);
    let (xx, xx_lost) = exact_square(b, z.re);
    let (yy, yy_lost) = exact_square(b, z.im);
    let (sum, lost) = exact_sum(b, twice, yy);
    let (sum, more_lost) = exact_sum(b, sum, xx);
    let lost = b.add(lost, more_lost);
    let products_lost = b.add(xx_lost, yy_lost);
    let lost = b.add(lost, products_lost);
    let square = b.add(sum, lost);
    let near = b.apply(MathFunction::Log1p, square);
    let near = b.scale(near, 0.5);

    let size = z.map(|part| b.abs(part));
    // To the left of this, and beyond, 1 + x is exact or not near a cancellation.
    let (left, limit) = (b.number(z.re, -0.5), b.number(z.re, 1.0));
    let inside = [b.gt(z.re, left), b.lt(size.re, limit), b.lt(size.im, limit)];
    let inside = inside.into_iter().reduce(|x, y| b.and(x, y));
    let inside = inside.expect("there are three conditions");
    Parts {
        re: b.select(inside, near, far),
        im: b.atan2(shifted.im, shifted.re),
    }
}

/// The root with a real part that is not negative. The part that would lose digits by subtraction is
/// computed from the other one.
fn sqrt(b: &mut KernelBuilder, z: Parts) -> Parts {
    let size = z.map(|part| b.abs(part));
    let large = b.max(size.re, size.im);
    let (huge, tiny) = (
        b.number(large, 2f64.powi(1020)),
        b.number(large, 2f64.powi(-960)),
    );
    let (is_huge, is_tiny) = (b.gt(large, huge), b.lt(large, tiny));
    let mut choose = |at_huge: f64, at_tiny: f64| {
        let [at_huge, at_tiny, between] = [at_huge, at_tiny, 1.0].map(|n| b.number(large, n));
        let rest = b.select(is_tiny, at_tiny, between);
        b.select(is_huge, at_huge, rest)
    };
    let scale = choose(2f64.powi(-4), 2f64.powi(120));
    let unscale = choose(4.0, 2f64.powi(-60));
    let (x, y) = (b.mul(size.re, scale), b.mul(size.im, scale));

    let modulus = b.hypot(x, y);
    let sum = b.add(modulus, x);
    let half = b.scale(sum, 0.5);
    let long = b.apply(MathFunction::Sqrt, half);
    let double = b.scale(long, 2.0);
    let short = b.div(y, double);
    let zero = b.number(x, 0.0);
    let nothing = b.eq(long, zero);
    let short = b.select(nothing, zero, short);
    let (long, short) = (b.mul(long, unscale), b.mul(short, unscale));

    let left = b.unary(colocate_ir::UnaryOp::SignBit, z.re);
    let infinite = z.map(|part| b.is_inf(part));
    let infinity = b.number(x, f64::INFINITY);
    let y_nan = b.is_nan(z.im);
    // At an infinite real part the quotient is NaN.
    let limit = b.select(y_nan, z.im, zero);
    let short = b.select(infinite.re, limit, short);
    let long = b.select(infinite.re, infinity, long);
    let re = b.select(left, short, long);
    let im = b.select(left, long, short);
    let im = b.copysign(im, z.im);
    // An infinite imaginary part decides, even beside NaN.
    Parts {
        re: b.select(infinite.im, infinity, re),
        im: b.select(infinite.im, z.im, im),
    }
}

/// Hyperbolic cosine and sine of a real number, halved and without the factor `exp(SHIFT)` where they
/// would overflow; and what they lack.
fn cosh_sinh(b: &mut KernelBuilder, x: ValueId) -> (ValueId, ValueId, ValueId) {
    let size = b.abs(x);
    let limit = b.number(x, SHIFT);
    let large = b.gt(size, limit);
    // Not a large negative number elsewhere, for which vector functions go element by element.
    let (lowered, zero) = (b.sub(size, limit), b.number(x, 0.0));
    let lowered = b.select(large, lowered, zero);
    let power = b.apply(MathFunction::Exp, lowered);
    let signed = b.copysign(power, x);
    let (cosh, sinh) = (
        b.apply(MathFunction::Cosh, x),
        b.apply(MathFunction::Sinh, x),
    );
    let (one, rest) = (b.number(x, 1.0), b.number(x, 0.5 * EXP_SHIFT));
    (
        b.select(large, power, cosh),
        b.select(large, signed, sinh),
        b.select(large, rest, one),
    )
}

fn sinh(b: &mut KernelBuilder, z: Parts) -> Parts {
    let (cos, sin) = cos_sin(b, z.im);
    let (cosh, sinh, rest) = cosh_sinh(b, z.re);
    let (cos, sin) = (b.mul(cos, rest), b.mul(sin, rest));
    let (re, im) = (b.mul(sinh, cos), b.mul(cosh, sin));
    let zero = b.number(re, 0.0);
    let real = b.eq(z.im, zero);
    // Without an angle, an infinite or zero real part is all that is known.
    let finite = b.is_finite(z.im);
    let lost = b.not(finite);
    let (x_infinite, x_zero) = (b.is_inf(z.re), b.eq(z.re, zero));
    let (at_infinity, at_zero) = (b.and(lost, x_infinite), b.and(lost, x_zero));
    let infinity = b.number(re, f64::INFINITY);
    let re = b.select(at_infinity, infinity, re);
    Parts {
        re: b.select(at_zero, z.re, re),
        im: b.select(real, z.im, im),
    }
}

fn cosh(b: &mut KernelBuilder, z: Parts) -> Parts {
    let (cos, sin) = cos_sin(b, z.im);
    let (cosh, sinh, rest) = cosh_sinh(b, z.re);
    let (cos, sin) = (b.mul(cos, rest), b.mul(sin, rest));
    let (re, im) = (b.mul(cosh, cos), b.mul(sinh, sin));
    let (zero, one) = (b.number(re, 0.0), b.number(re, 1.0));
    let (x_zero, y_zero) = (b.eq(z.re, zero), b.eq(z.im, zero));
    let on_axis = b.or(x_zero, y_zero);
    let (x_sign, y_sign) = (b.copysign(zero, z.re), b.copysign(one, z.im));
    let x_nan = b.is_nan(z.re);
    let x_sign = b.select(x_nan, zero, x_sign);
    let signed_zero = b.mul(x_sign, y_sign);
    let finite = b.is_finite(z.im);
    let lost = b.not(finite);
    let signed_zero = b.select(lost, zero, signed_zero);
    let infinite = b.is_inf(z.re);
    let known = b.and(lost, infinite);
    let infinity = b.number(re, f64::INFINITY);
    Parts {
        re: b.select(known, infinity, re),
        im: b.select(on_axis, signed_zero, im),
    }
}

/// `(sinh x cosh x + i sin y cos y) / (sinh² x + cos² y)`: a sum of squares loses no digits.
fn tanh(b: &mut KernelBuilder, z: Parts) -> Parts {
    let (cos, sin) = cos_sin(b, z.im);
    // Beyond this the real part is one, and the imaginary part 4 sin y cos y exp(-2|x|).
    let size = b.abs(z.re);
    let limit = b.number(size, 22.0);
    let far = b.gt(size, limit);
    let zero = b.number(size, 0.0);
    let x = b.select(far, zero, z.re);
    let (cosh, sinh) = (
        b.apply(MathFunction::Cosh, x),
        b.apply(MathFunction::Sinh, x),
    );
    let (ss, cc) = (b.mul(sinh, sinh), b.mul(cos, cos));
    let below = b.add(ss, cc);
    let (re, turn) = (b.mul(sinh, cosh), b.mul(sin, cos));
    let (re, im) = (b.div(re, below), b.div(turn, below));
    let decay = b.scale(size, -2.0);
    let decay = b.apply(MathFunction::Exp, decay);
    let decay = b.scale(decay, 4.0);
    let far_im = b.mul(turn, decay);
    let one = b.number(size, 1.0);
    let unit = b.copysign(one, z.re);
    let re = b.select(far, unit, re);
    let im = b.select(far, far_im, im);

    let real = b.eq(z.im, zero);
    let im = b.select(real, z.im, im);
    // At an infinity the result is ±1, whatever the angle; without an angle, its real part is zero
    // at zero.
    let finite = b.is_finite(z.im);
    let lost = b.not(finite);
    let (infinite, x_zero) = (b.is_inf(z.re), b.eq(z.re, zero));
    let at_zero = b.and(lost, x_zero);
    let signed_zero = b.copysign(zero, z.im);
    let nan = b.number(size, f64::NAN);
    let unknown = b.or(infinite, x_zero);
    let known = b.not(unknown);
    let undefined = b.and(lost, known);
    let re = b.select(undefined, nan, re);
    Parts {
        re: b.select(at_zero, z.re, re),
        im: b.select(infinite, signed_zero, im),
    }
}
