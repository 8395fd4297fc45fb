//! Continuous distributions by inversion, and two by rejection.

use super::philox::Stream;
use super::rejection::Draw;
use super::unit::{normals, open_unit};
use crate::elementary::{acos, exp, expm1, log, log_normal, log1p, power, sine_and_cosine_of_turn};
use crate::formula::Term;
use std::f64::consts::PI;

/// The logistic distribution of uniform bits.
pub fn logistic(bits: Term<'_>) -> Term<'_> {
    let u = open_unit(bits);
    log_normal(u) - log1p(-u)
}

/// Gumbel, of an exponential number.
pub fn gumbel(exponential: Term<'_>) -> Term<'_> {
    -log(exponential)
}

/// Weibull, of an exponential number.
pub fn weibull<'a>(exponential: Term<'a>, shape: Term<'a>) -> Term<'a> {
    let inverse = shape.formula().double(1.0) / shape;
    // A shape of 0 stands for the limit, as in NumPy.
    shape.eq(0.0).choose(shape, power(exponential, inverse))
}

/// Pareto of the second kind, which begins at 0, of an exponential number.
pub fn pareto<'a>(exponential: Term<'a>, shape: Term<'a>) -> Term<'a> {
    expm1(exponential / shape)
}

/// The power function distribution, of a number between 0 and 1.
pub fn power_function<'a>(uniform: Term<'a>, exponent: Term<'a>) -> Term<'a> {
    power(uniform, uniform.formula().double(1.0) / exponent)
}

/// Triangular, of a number between 0 and 1.
pub fn triangular<'a>(u: Term<'a>, left: Term<'a>, mode: Term<'a>, right: Term<'a>) -> Term<'a> {
    let base = right - left;
    let left_part = mode - left;
    let share = left_part / base;
    let rising = left + (u * (left_part * base)).sqrt();
    let falling = right - ((-u + 1.0) * (base * (right - mode))).sqrt();
    u.le(share).choose(rising, falling)
}

/// Log-normal, of a normal number.
pub fn log_normally<'a>(normal: Term<'a>, mean: Term<'a>, sigma: Term<'a>) -> Term<'a> {
    exp(mean + sigma * normal)
}

/// Wald, or inverse Gaussian; Michael, Schucany and Haas (1976).
pub fn wald<'a>(stream: Stream<'a>, mean: Term<'a>, scale: Term<'a>) -> Term<'a> {
    let draw = Draw::new(stream, 0);
    let [radius, turn] = draw.bits(draw.once());
    let [normal, _] = normals(radius, turn);
    let [u, _] = draw.aside();
    let t = mean * normal * normal / (scale * 2.0);
    // The smaller root, written without a difference.
    let lower = mean / (t + 1.0 + (t * (t + 2.0)).sqrt());
    (u * (mean + lower))
        .le(mean)
        .choose(lower, mean * (mean / lower))
}

/// Von Mises, by the method of Best and Fisher (1979), from -π to π.
pub fn von_mises<'a>(stream: Stream<'a>, mu: Term<'a>, kappa: Term<'a>) -> Term<'a> {
    let formula = mu.formula();
    let draw = Draw::new(stream, 0);
    let [flat, side] = draw.aside();
    let result = formula.var("angle", (flat - 0.5) * (2.0 * PI));
    let wide = kappa.lt(1e-8);
    let narrow = kappa.gt(1e6);
    formula.when(narrow, || {
        let extra = Draw::new(stream, 1);
        let [radius, turn] = extra.bits(extra.once());
        let [normal, _] = normals(radius, turn);
        result.set(normal / kappa.sqrt());
    });
    formula.when(!(wide | narrow), || {
        let r = (kappa * kappa * 4.0 + 1.0).sqrt() + 1.0;
        let rho = (r - (r * 2.0).sqrt()) / (kappa * 2.0);
        let exact = (rho * rho + 1.0) / (rho * 2.0);
        let inverse = formula.double(1.0) / kappa;
        let s = kappa.lt(1e-5).choose(inverse + kappa, exact);
        let cosine = draw.until(|attempt| {
            let [turn, v] = draw.bits(attempt);
            let (_, z) = sine_and_cosine_of_turn(turn);
            let v = open_unit(v);
            let w = (s * z + 1.0) / (s + z);
            let y = kappa * (s - w);
            let quick = (y * (-y + 2.0)).ge(v);
            let slow = (log(y / v) + 1.0).ge(y);
            (quick | slow, w)
        });
        let angle = acos(cosine.max(-1.0).min(1.0));
        result.set(side.lt(0.5).choose(-angle, angle));
    });
    let sum = result.get() + mu;
    let turns = (sum / (2.0 * PI)).round();
    sum - turns * (2.0 * PI)
}
