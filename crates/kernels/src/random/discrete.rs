//! Distributions of whole numbers. All results are float64; the caller converts them.
//!
//! Small means go by inversion, which takes one uniform number and a sum; large ones by Hörmann's
//! transformed rejection ("The transformed rejection method for generating Poisson random variables",
//! 1993, and "The generation of binomial random variates", 1993).

use super::philox::Stream;
use super::rejection::Draw;
use crate::elementary::{deviance, exp, expm1, factorial_rest, log, log_normal, log1p, power};
use crate::formula::Term;

/// Below this mean, inversion.
const SMALL_MEAN: f64 = 10.0;

/// Searches the number whose cumulative probability is above a uniform number. `ratio` is how much more
/// probable `k` is than `k - 1`.
fn search<'a>(
    uniform: Term<'a>,
    first: Term<'a>,
    most: Term<'a>,
    ratio: impl FnOnce(Term<'a>) -> Term<'a>,
) -> Term<'a> {
    let formula = uniform.formula();
    let k = formula.var("k", formula.double(0.0));
    let probability = formula.var("probability", first);
    let rest = formula.var("rest", uniform - first);
    formula.repeat(
        || rest.get().gt(0.0) & k.get().lt(most),
        || {
            let next = k.get() + 1.0;
            let here = probability.get() * ratio(next);
            k.set(next);
            probability.set(here);
            rest.set(rest.get() - here);
        },
    );
    k.get()
}

/// Poisson.
pub fn poisson<'a>(draw: Draw<'a>, mean: Term<'a>) -> Term<'a> {
    let formula = mean.formula();
    let result = formula.var("poisson", formula.double(0.0));
    formula.either(
        mean.lt(SMALL_MEAN),
        || {
            let [u, _] = draw.aside();
            let first = exp(-mean);
            // Beyond this many, probabilities are below what a uniform number can tell.
            let most = formula.double(200.0);
            result.set(search(u, first, most, |k| mean / k));
        },
        || result.set(large_poisson(draw, mean)),
    );
    result.get()
}

fn large_poisson<'a>(draw: Draw<'a>, mean: Term<'a>) -> Term<'a> {
    let b = mean.sqrt() * 2.53 + 0.931;
    let a = b * 0.02483 - 0.059;
    let log_inverse_alpha = log(mean.formula().double(1.1328) / (b - 3.4) + 1.1239);
    let v_r = -(mean.formula().double(3.6224) / (b - 2.0)) + 0.9277;
    draw.until(|attempt| {
        let [u, v] = draw.uniforms(attempt);
        let u = u - 0.5;
        let us = -u.abs() + 0.5;
        let k = ((a * 2.0 / us + b) * u + mean + 0.43).floor();
        let quick = us.ge(0.07) & v.le(v_r);
        let hopeless = k.lt(0.0) | (us.lt(0.013) & v.gt(us));
        let left = log_normal(v) + log_inverse_alpha - log(a / (us * us) + b);
        let k = k.max(0.0);
        let right = -deviance(k, mean) - factorial_rest(k);
        (quick | (!hopeless & left.le(right)), k)
    })
}

/// Binomial; `n` is a whole number.
pub fn binomial<'a>(draw: Draw<'a>, n: Term<'a>, p: Term<'a>) -> Term<'a> {
    let formula = n.formula();
    let flipped = p.gt(0.5);
    let q = -p + 1.0;
    let (p, q) = (flipped.choose(q, p), flipped.choose(p, q));
    let result = formula.var("binomial", formula.double(0.0));
    formula.either(
        (n * p).lt(SMALL_MEAN),
        || {
            let [u, _] = draw.aside();
            let first = exp(n * log1p(-p));
            let odds = p / q;
            result.set(search(u, first, n, |k| (n - k + 1.0) / k * odds));
        },
        || result.set(large_binomial(draw, n, p, q)),
    );
    let count = result.get();
    flipped.choose(n - count, count)
}

/// For `p` up to one half.
fn large_binomial<'a>(draw: Draw<'a>, n: Term<'a>, p: Term<'a>, q: Term<'a>) -> Term<'a> {
    let double = |number| n.formula().double(number);
    let spread = (n * p * q).sqrt();
    let b = spread * 2.53 + 1.15;
    let a = b * 0.0248 + p * 0.01 - 0.0873;
    let c = n * p + 0.5;
    let v_r = -(double(4.2) / b) + 0.92;
    let alpha = (double(5.1) / b + 2.83) * spread;
    let m = ((n + 1.0) * p).floor();
    let mass = |k: Term<'a>| {
        let failures = n - k;
        -deviance(k, n * p)
            - deviance(failures, n * q)
            - factorial_rest(k)
            - factorial_rest(failures)
    };
    let at_mode = mass(m);
    draw.until(|attempt| {
        let [u, v] = draw.uniforms(attempt);
        let u = u - 0.5;
        let us = -u.abs() + 0.5;
        let k = ((a * 2.0 / us + b) * u + c).floor();
        let inside = k.ge(0.0) & k.le(n);
        let quick = us.ge(0.07) & v.le(v_r);
        let k_inside = k.max(0.0).min(n);
        let left = log(v * alpha / (a / (us * us) + b));
        let right = mass(k_inside) - at_mode;
        (inside & (quick | left.le(right)), k_inside)
    })
}

/// The number of trials up to the first success, of an exponential number.
pub fn geometric<'a>(exponential: Term<'a>, p: Term<'a>) -> Term<'a> {
    let trials = exponential / -log1p(-p);
    trials.floor() + 1.0
}

/// Failures before the `n`-th success: Poisson with a gamma mean.
pub fn negative_binomial<'a>(stream: Stream<'a>, n: Term<'a>, p: Term<'a>) -> Term<'a> {
    let gamma = super::gamma::standard_gamma(Draw::new(stream, 0), n);
    let mean = gamma * ((-p + 1.0) / p);
    poisson(Draw::new(stream, 1), mean)
}

/// Zipf, with `a` above 1: the rejection method of Devroye, "Non-uniform random variate generation" (1986),
/// chapter 10.
pub fn zipf<'a>(draw: Draw<'a>, a: Term<'a>) -> Term<'a> {
    let less = a - 1.0;
    let b = power(a.formula().double(2.0), less);
    let exponent = a.formula().double(-1.0) / less;
    draw.until(|attempt| {
        let [u, v] = draw.uniforms(attempt);
        let x = power(u, exponent).floor();
        let inside = x.lt(9.2e18);
        let t = power(a.formula().double(1.0) / x + 1.0, less);
        let fits = (v * x * (t - 1.0) / (b - 1.0)).le(t / b);
        (inside & fits, x)
    })
}

/// The logarithmic series distribution; Kemp, "Efficient generation of logarithmically distributed
/// pseudo-random variables" (1981).
pub fn log_series<'a>(draw: Draw<'a>, p: Term<'a>) -> Term<'a> {
    let [u, v] = draw.uniforms(draw.once());
    let q = -expm1(log1p(-p) * u);
    let one = p.formula().double(1.0);
    let far = (log_normal(v) / log(q)).floor() + 1.0;
    let near = v.lt(q).choose(one * 2.0, one);
    let result = v.le(q * q).choose(far, near);
    v.ge(p).choose(one, result.max(1.0))
}

/// Good ones among `sample` drawn without putting back from `good` and `bad`; all whole numbers.
pub fn hypergeometric<'a>(
    stream: Stream<'a>,
    good: Term<'a>,
    bad: Term<'a>,
    sample: Term<'a>,
) -> Term<'a> {
    let formula = good.formula();
    let draw = Draw::new(stream, 0);
    let population = good + bad;
    // By symmetry: as few drawn, and as few good ones, as possible.
    let m = sample.min(population - sample);
    let (few, many) = (good.min(bad), good.max(bad));
    let result = formula.var("hypergeometric", formula.double(0.0));
    // The probability of none; where it is large enough to begin a sum with, that is done.
    let none = exp(log_mass(formula.double(0.0), few, many, m)
        + (factorial_rest(few) + factorial_rest(many) - factorial_rest(population))
        + (factorial_rest(m) + factorial_rest(population - m)));
    let summable = (m * few).lt(population * SMALL_MEAN) & none.gt(1e-12);
    formula.either(
        summable,
        || {
            let [u, _] = draw.aside();
            let most = m.min(few);
            result.set(search(u, none, most, |k| {
                ((few - k + 1.0) / k) * ((m - k + 1.0) / (many - m + k))
            }));
        },
        || result.set(large_hypergeometric(draw, [few, many, m])),
    );
    // Back through the symmetries.
    let z = result.get();
    let z = good.gt(bad).choose(m - z, z);
    m.lt(sample).choose(good - z, z)
}

/// The logarithm of the probability of `k` good ones, but for a constant.
fn log_mass<'a>(k: Term<'a>, few: Term<'a>, many: Term<'a>, m: Term<'a>) -> Term<'a> {
    let p = m / (few + many);
    let q = -p + 1.0;
    let cells = [
        (k, few * p),
        (few - k, few * q),
        (m - k, many * p),
        (many - m + k, many * q),
    ];
    let zero = k.formula().double(0.0);
    cells.into_iter().fold(zero, |sum, (count, mean)| {
        sum - deviance(count, mean) - factorial_rest(count)
    })
}

/// By Stadlober's ratio of uniforms ("The ratio of uniforms approach for generating discrete random
/// variates", 1990).
fn large_hypergeometric<'a>(draw: Draw<'a>, [few, many, m]: [Term<'a>; 3]) -> Term<'a> {
    // 2 sqrt(2/e) and 3 - 2 sqrt(3/e)
    let (first, second) = (1.7155277699214135, 0.8989161620588988);
    let population = few + many;
    let share = few / population;
    let centre = m * share + 0.5;
    let variance = (population - m) / (population - 1.0) * m * share * (-share + 1.0);
    let deviation = (variance + 0.5).sqrt();
    let width = deviation * first + second;
    let mode = ((m + 1.0) * ((few + 1.0) / (population + 2.0))).floor();
    let mass = |k: Term<'a>| log_mass(k, few, many, m);
    let at_mode = mass(mode);
    let end = (m.min(few) + 1.0).min((deviation * 16.0 + centre).floor());
    let begin = (m - many).max(0.0);
    draw.until(|attempt| {
        let [x, y] = draw.uniforms(attempt);
        let w = (y - 0.5) * width / x + centre;
        let inside = w.ge(begin) & w.lt(end);
        let z = inside.choose(w.floor(), mode);
        let t = mass(z) - at_mode;
        (inside & (log_normal(x) * 2.0).le(t), z)
    })
}
