//! Inverse circular and hyperbolic functions of complex numbers.
//!
//! Arc sine and arc cosine by the method of Hull, Fairgrieve and Tang: with the distances `r` and `s`
//! of `z` from -1 and 1, both parts are functions of `a = (r + s) / 2`, of which `a - |x|` and `a - 1`
//! are computed without subtraction. Where squares leave the range of float64, limits take their
//! place. Which side of a branch cut a number is on is told by the signs of its zeros.

use super::shorthand::{Parts, Shorthand};
use colocate_ir::{KernelBuilder, MathFunction, ValueId};
use std::f64::consts::{FRAC_PI_2, LN_2};

/// Above this a square may overflow, and 1 is nothing beside a number.
const HUGE: f64 = 1.6e153;
/// Below this a square may underflow.
const TINY: f64 = 1e-150;

/// What arc sine and arc cosine have in common, for the magnitudes of the parts.
struct Hull {
    /// `sqrt(a² - x²)`: with `x`, the legs of the triangle whose angles the real parts are.
    leg: ValueId,
    /// The other leg.
    x: ValueId,
    /// The magnitude of the imaginary part.
    im: ValueId,
}

fn hull(b: &mut KernelBuilder, z: Parts) -> Hull {
    let Parts { re: x, im: y } = z.map(|part| b.abs(part));
    let one = b.number(x, 1.0);
    let (right, left) = (b.add(x, one), b.sub(x, one));
    let (r, s) = (b.hypot(right, y), b.hypot(left, y));
    let sum = b.add(r, s);
    let a = b.scale(sum, 0.5);
    let outside = b.gt(x, one);
    let yy = b.mul(y, y);
    let gap = b.abs(left);
    // r + (x + 1) and s + |x - 1|
    let (r_sum, s_sum) = (b.add(r, right), b.add(s, gap));
    let by_r = b.div(yy, r_sum);
    let by_s = b.div(yy, s_sum);
    // y² / s_sum is s - |x - 1|; at x = 1, y = 0 it is zero.
    let zero = b.number(x, 0.0);
    let nothing = b.eq(s_sum, zero);
    let by_s = b.select(nothing, zero, by_s);

    // sqrt((a + x)(a - x)), with 2(a - x) = y² / r_sum + s_sum, or beyond 1 from
    // 2(a - x) = y² (1 / r_sum + 1 / s_sum) without the square.
    let a_plus_x = b.add(a, x);
    let doubled = b.add(by_r, s_sum);
    let within = b.mul(a_plus_x, doubled);
    let (ratio_r, ratio_s) = (b.div(a_plus_x, r_sum), b.div(a_plus_x, s_sum));
    let beyond = b.add(ratio_r, ratio_s);
    let square = b.select(outside, beyond, within);
    let square = b.scale(square, 0.5);
    let root = b.apply(MathFunction::Sqrt, square);
    let scaled = b.mul(y, root);
    let leg = b.select(outside, scaled, root);

    // a - 1, from s - (1 - x) or from s + (x - 1).
    let s_part = b.select(outside, s_sum, by_s);
    let doubled = b.add(by_r, s_part);
    let a_minus_one = b.scale(doubled, 0.5);
    let a_plus_one = b.add(a, one);
    let square = b.mul(a_minus_one, a_plus_one);
    let root = b.apply(MathFunction::Sqrt, square);
    let argument = b.add(a_minus_one, root);
    let im = b.apply(MathFunction::Log1p, argument);

    let (leg, im) = near_the_axis(b, (x, y), (leg, im));
    far_away(b, (x, y), leg, im)
}

/// Very close to the real axis y² is lost, but the first order in y is enough.
fn near_the_axis(
    b: &mut KernelBuilder,
    (x, y): (ValueId, ValueId),
    (leg, im): (ValueId, ValueId),
) -> (ValueId, ValueId) {
    let (one, tiny) = (b.number(x, 1.0), b.number(x, TINY));
    let small = b.lt(y, tiny);
    let (right, left) = (b.add(x, one), b.sub(x, one));
    let gap = b.abs(left);
    let product = b.mul(right, gap);
    let root = b.apply(MathFunction::Sqrt, product);
    let slope = b.div(y, root);
    let at_one = b.eq(x, one);
    let inside = b.lt(x, one);
    let root_y = b.apply(MathFunction::Sqrt, y);
    // Inside: leg = sqrt(1 - x²), im = y / leg. Outside: leg = x y / sqrt(x² - 1), im = acosh x.
    // At 1 both are sqrt(y).
    let steep = b.mul(slope, x);
    let near_leg = b.select(inside, root, steep);
    let near_leg = b.select(at_one, root_y, near_leg);
    let beyond = b.add(left, root);
    let beyond = b.apply(MathFunction::Log1p, beyond);
    let near_im = b.select(inside, slope, beyond);
    let near_im = b.select(at_one, root_y, near_im);
    (b.select(small, near_leg, leg), b.select(small, near_im, im))
}

/// Far from zero the parts are the angle of `z` and `log 2|z|`.
fn far_away(b: &mut KernelBuilder, (x, y): (ValueId, ValueId), leg: ValueId, im: ValueId) -> Hull {
    let limit = b.number(x, HUGE);
    let (x_huge, y_huge) = (b.gt(x, limit), b.gt(y, limit));
    let huge = b.or(x_huge, y_huge);
    let (x_scaled, y_scaled) = (b.scale(x, 0.125), b.scale(y, 0.125));
    let modulus = b.hypot(x_scaled, y_scaled);
    let log = b.apply(MathFunction::Log, modulus);
    let correction = b.number(x, 4.0 * LN_2);
    let far_im = b.add(log, correction);
    Hull {
        leg: b.select(huge, y, leg),
        x,
        im: b.select(huge, far_im, im),
    }
}

/// The arc sine.
pub(super) fn asin(b: &mut KernelBuilder, z: Parts) -> Parts {
    let hull = hull(b, z);
    let re = b.atan2(hull.x, hull.leg);
    let zero = b.number(re, 0.0);
    let on_axis = b.eq(z.re, zero);
    let re = b.select(on_axis, zero, re);
    Parts {
        re: b.copysign(re, z.re),
        im: b.copysign(hull.im, z.im),
    }
}

/// The arc cosine.
pub(super) fn acos(b: &mut KernelBuilder, z: Parts) -> Parts {
    let hull = hull(b, z);
    let re = b.atan2(hull.leg, z.re);
    let (zero, quarter) = (b.number(re, 0.0), b.number(re, FRAC_PI_2));
    let on_axis = b.eq(z.re, zero);
    let im = b.copysign(hull.im, z.im);
    Parts {
        re: b.select(on_axis, quarter, re),
        im: b.neg(im),
    }
}

/// The inverse hyperbolic cosine: the arc cosine turned so that its real part is not negative.
pub(super) fn acosh(b: &mut KernelBuilder, z: Parts) -> Parts {
    let angle = acos(b, z);
    Parts {
        re: b.abs(angle.im),
        im: b.copysign(angle.re, z.im),
    }
}

/// The inverse hyperbolic tangent: `log1p(4x / |1 - z|²) / 4` and half of the angle of
/// `(1 - x²) - y² + 2iy`.
pub(super) fn atanh(b: &mut KernelBuilder, z: Parts) -> Parts {
    let Parts { re: x, im: y } = z.map(|part| b.abs(part));
    let (zero, one) = (b.number(x, 0.0), b.number(x, 1.0));
    let (right, left) = (b.add(one, x), b.sub(one, x));
    let distance = b.hypot(left, y);
    // Divided twice, since the square of the distance may leave the range.
    let ratio = b.div(x, distance);
    let ratio = b.div(ratio, distance);
    let ratio = b.scale(ratio, 4.0);
    let log = b.apply(MathFunction::Log1p, ratio);
    let re = b.scale(log, 0.25);
    // Above and below 1 itself it is log(2/y) / 2.
    let close = b.number(x, 1e-10);
    let (at_one, close) = (b.eq(x, one), b.lt(y, close));
    let at_pole = b.and(at_one, close);
    let log = b.apply(MathFunction::Log, y);
    let two = b.number(x, LN_2);
    let pole = b.sub(two, log);
    let pole = b.scale(pole, 0.5);
    let re = b.select(at_pole, pole, re);

    let (product, yy) = (b.mul(left, right), b.mul(y, y));
    let across = b.sub(product, yy);
    let across = b.scale(across, 0.5);
    let angle = b.atan2(y, across);
    let im = b.scale(angle, 0.5);

    // At an infinity, whatever the other part is, what remains is an angle.
    let infinite = z.map(|part| b.is_inf(part));
    let any = b.or(infinite.re, infinite.im);
    let on_axis = b.eq(x, zero);
    let vanishes = b.or(any, on_axis);
    let quarter = b.number(x, FRAC_PI_2);
    let y_nan = b.is_nan(y);
    let far_angle = b.select(y_nan, y, quarter);
    let re = b.select(vanishes, zero, re);
    let im = b.select(any, far_angle, im);
    Parts {
        re: b.copysign(re, z.re),
        im: b.copysign(im, z.im),
    }
}
