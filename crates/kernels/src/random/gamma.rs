//! Gamma and what is made of it.
//!
//! Marsaglia and Tsang, "A simple method for generating gamma variables" (2000): a normal number is
//! transformed and accepted in more than 95 of 100 cases. Shapes below 1 go through shape + 1.

use super::philox::Stream;
use super::rejection::Draw;
use super::unit::normals;
use crate::elementary::{exp, log, log_normal, power};
use crate::formula::Term;

/// A number and its boost: gamma of a shape of at least 1, the uniform number that a smaller shape takes, and
/// whether it does.
struct Boosted<'a> {
    gamma: Term<'a>,
    uniform: Term<'a>,
    boosted: Term<'a>,
}

fn boosted<'a>(draw: Draw<'a>, shape: Term<'a>) -> Boosted<'a> {
    let boosted = shape.lt(1.0);
    let a = boosted.choose(shape + 1.0, shape);
    let d = a - 1.0 / 3.0;
    let c = d.formula().double(1.0 / 3.0) / d.sqrt();
    let gamma = draw.until(|attempt| {
        let (x, u) = draw.normal_and_uniform(attempt);
        let root = c.fma(x, 1.0);
        let v = root * root * root;
        let positive = root.gt(0.0);
        let log_v = log_normal(positive.choose(v, 1.0));
        let bound = (x * x).fma(0.5, d * (log_v - v + 1.0));
        (positive & log_normal(u).lt(bound), d * v)
    });
    let [uniform, _] = draw.aside();
    Boosted {
        gamma,
        uniform,
        boosted,
    }
}

/// Gamma with scale 1.
pub fn standard_gamma<'a>(draw: Draw<'a>, shape: Term<'a>) -> Term<'a> {
    let formula = shape.formula();
    let parts = boosted(draw, shape);
    let result = formula.var("gamma", parts.gamma);
    formula.when(parts.boosted, || {
        let exponent = formula.double(1.0) / shape;
        result.set(parts.gamma * power(parts.uniform, exponent));
    });
    result.get()
}

/// The logarithm of a gamma number, which does not underflow however small the shape.
pub fn log_standard_gamma<'a>(draw: Draw<'a>, shape: Term<'a>) -> Term<'a> {
    let parts = boosted(draw, shape);
    let log_gamma = log(parts.gamma);
    parts
        .boosted
        .choose(log_gamma + log_normal(parts.uniform) / shape, log_gamma)
}

/// Chi-square.
pub fn chi_square<'a>(draw: Draw<'a>, degrees: Term<'a>) -> Term<'a> {
    standard_gamma(draw, degrees * 0.5) * 2.0
}

/// Beta, from the ratio of two gamma numbers.
pub fn beta<'a>(stream: Stream<'a>, a: Term<'a>, b: Term<'a>) -> Term<'a> {
    let first = log_standard_gamma(Draw::new(stream, 0), a);
    let second = log_standard_gamma(Draw::new(stream, 1), b);
    let ratio = exp(second - first);
    a.formula().double(1.0) / (ratio + 1.0)
}

/// The F distribution.
pub fn f<'a>(stream: Stream<'a>, numerator: Term<'a>, denominator: Term<'a>) -> Term<'a> {
    let above = chi_square(Draw::new(stream, 0), numerator) * denominator;
    let below = chi_square(Draw::new(stream, 1), denominator) * numerator;
    above / below
}

/// Student's t.
pub fn student_t<'a>(stream: Stream<'a>, degrees: Term<'a>) -> Term<'a> {
    let gamma = standard_gamma(Draw::new(stream, 0), degrees * 0.5);
    let draw = Draw::new(stream, 1);
    let [radius, turn] = draw.bits(draw.once());
    let [normal, _] = normals(radius, turn);
    normal * (degrees * 0.5 / gamma).sqrt()
}

/// Noncentral chi-square: a Poisson mixture of central ones.
pub fn noncentral_chi_square<'a>(
    stream: Stream<'a>,
    degrees: Term<'a>,
    noncentrality: Term<'a>,
) -> Term<'a> {
    let poisson = super::discrete::poisson(Draw::new(stream, 0), noncentrality * 0.5);
    chi_square(Draw::new(stream, 1), degrees + poisson * 2.0)
}
