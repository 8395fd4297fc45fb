//! Logarithm, exponential and other functions made of operations that every device rounds correctly.
//!
//! The mathematics libraries of devices differ in the last digits. What is made here of `+ - * /`, `sqrt`
//! and `fma` gives the same bits everywhere, at a cost like theirs. Coefficients were fitted by Chebyshev
//! interpolation with 50 digits. Unless said otherwise the error is at most 1.5 units in the last place.

use crate::formula::Term;
use colocate_ir::DType;
use std::f64::consts::{FRAC_PI_2, LOG2_E, PI};

/// The upper 32 bits of ln 2: products with whole numbers below 2^21 are exact.
const LN2_HIGH: f64 = 0.6931471803691238;
/// What they leave.
const LN2_LOW: f64 = 1.9082149292705877e-10;
/// The upper 15 bits of ln 2.
const LN2_HIGH_SINGLE: f64 = 0.693145751953125;
/// What they leave.
const LN2_LOW_SINGLE: f64 = 1.428606765330187e-06;

/// `(2 atanh(s) - 2s) / s³` in `s²`, where `|s| < 0.172`.
const LOG: [f64; 7] = [
    0.666666666666667,
    0.39999999999899444,
    0.2857142862600327,
    0.22222211130259878,
    0.18182889455674947,
    0.15331710618210773,
    0.14616585424888623,
];

/// The same for float32.
const LOG_SINGLE: [f64; 3] = [0.6666668653488159, 0.3998877704143524, 0.2958005368709564];

/// `(exp(r) - 1 - r) / r²`, where `|r| < 0.347`.
const EXP: [f64; 11] = [
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.008333333333326112,
    0.001388888888888373,
    0.0001984126987490126,
    2.4801587325605324e-05,
    2.7557255297969643e-06,
    2.755727357010214e-07,
    2.5105259538448494e-08,
    2.0914717341716378e-09,
];

/// `sin(πt/2) / t` in `t²`, where `|t| <= 1/2`.
const SIN: [f64; 8] = [
    FRAC_PI_2,
    -0.6459640975062463,
    0.07969262624616692,
    -0.004681754135314827,
    0.0001604411847266723,
    -3.598842717144858e-06,
    5.691927850489633e-08,
    -6.627624938992472e-10,
];

/// `cos(πt/2)` in `t²`, where `|t| <= 1/2`.
const COS: [f64; 8] = [
    1.0,
    -1.2337005501361697,
    0.2536695079010467,
    -0.02086348076331121,
    0.0009192602741831558,
    -2.520203677046026e-05,
    4.710609726757823e-07,
    -6.321256869628588e-09,
];

/// The sine for float32.
const SIN_SINGLE: [f64; 4] = [
    1.5707963705062866,
    -0.6459634900093079,
    0.07968021929264069,
    -0.004602149128913879,
];

/// The cosine for float32.
const COS_SINGLE: [f64; 5] = [
    1.0,
    -1.2337005138397217,
    0.25366920232772827,
    -0.02086007036268711,
    0.0009036280680447817,
];

/// `(asin(x) - x) / x³` in `x²`, where `|x| <= 1/2`.
const ASIN: [f64; 14] = [
    0.16666666666666666,
    0.07500000000000118,
    0.044642857142551895,
    0.03038194447553234,
    0.02237215744350722,
    0.017352816540325496,
    0.01396378001220357,
    0.011566459612121669,
    0.009621842970100282,
    0.009319560794767446,
    0.0030448799094556773,
    0.019554513336123378,
    -0.01924167174674304,
    0.02961201126495512,
];

/// The terms of Stirling's series in `1 / x²`: `B(2k) / (2k (2k - 1))`.
const STIRLING: [f64; 8] = [
    1.0 / 12.0,
    -1.0 / 360.0,
    1.0 / 1260.0,
    -1.0 / 1680.0,
    1.0 / 1188.0,
    -691.0 / 360360.0,
    1.0 / 156.0,
    -3617.0 / 122400.0,
];

/// [`factorial_rest`] of the numbers below 8.
const SMALL_FACTORIAL_RESTS: [f64; 8] = [
    0.0,
    1.0,
    1.3068528194400546,
    1.4959226032237258,
    1.6328763858683832,
    1.7403021806115442,
    1.828694396641771,
    1.9037903176782212,
];

/// `ln(2π) / 2`
const HALF_LN_TWO_PI: f64 = 0.9189385332046728;

/// The binary exponent of a positive normal float, as a float, and what it leaves, from √½ to √2.
fn split(x: Term<'_>) -> (Term<'_>, Term<'_>) {
    let dtype = x.dtype();
    let (word, mantissa, root): (_, i64, _) = if dtype == DType::Float32 {
        (DType::Int32, 23, i64::from(0.5f32.sqrt().to_bits()))
    } else {
        (DType::Int64, 52, 0.5f64.sqrt().to_bits() as i64)
    };
    let bits = x.bits(word);
    let exponent = (bits - root) >> mantissa;
    let rest = (bits - (exponent << mantissa)).bits(dtype);
    (exponent.to(dtype), rest)
}

/// The same of any positive float64.
fn split_any(x: Term<'_>) -> (Term<'_>, Term<'_>) {
    let tiny = x.lt(f64::MIN_POSITIVE);
    let (exponent, rest) = split(tiny.choose(x * 2f64.powi(54), x));
    (tiny.choose(exponent - 54.0, exponent), rest)
}

/// The natural logarithm of a positive, finite, normal float32 or float64.
pub fn log_normal(x: Term<'_>) -> Term<'_> {
    let (exponent, rest) = split(x);
    log_of_parts(exponent, rest - 1.0)
}

/// `exponent * ln 2 + ln(1 + f)`
fn log_of_parts<'a>(exponent: Term<'a>, f: Term<'a>) -> Term<'a> {
    let single = f.dtype() == DType::Float32;
    let (coefficients, high, low): (&[f64], _, _) = if single {
        (&LOG_SINGLE, LN2_HIGH_SINGLE, LN2_LOW_SINGLE)
    } else {
        (&LOG, LN2_HIGH, LN2_LOW)
    };
    // With s = f / (2 + f), ln(1 + f) is 2s + s³P(s²), and 2s is f - sf: f is exact.
    let s = f / (f + 2.0);
    let z = s * s;
    let tail = z * z.polynomial(coefficients);
    // f - s(f - tail): what is subtracted is small beside f, so that its error is.
    let correction = s * (f - tail);
    let small = exponent.fma(low, -correction);
    exponent.fma(high, f + small)
}

/// The natural logarithm of a float64: of zero -∞, of what is negative NaN.
pub fn log(x: Term<'_>) -> Term<'_> {
    let (exponent, rest) = split_any(x);
    let finite = log_of_parts(exponent, rest - 1.0);
    let result = x.lt(f64::INFINITY).choose(finite, x);
    let result = x.gt(0.0).choose(result, f64::NEG_INFINITY);
    x.ge(0.0).choose(result, f64::NAN)
}

/// `ln(1 + x)` of a float64.
pub fn log1p(x: Term<'_>) -> Term<'_> {
    let sum = x + 1.0;
    // What rounding took from the sum, relative to it.
    let lost = (x - (sum - 1.0)) / sum;
    let regular = log(sum) + sum.gt(0.0).choose(lost, 0.0);
    x.lt(f64::INFINITY).choose(regular, x)
}

/// `2^k` times a float64, for whole `k` from -2100 to 2100, in two steps that do not overflow early.
fn scale_by_power_of_two<'a>(x: Term<'a>, k: Term<'a>) -> Term<'a> {
    let k = k.to(DType::Int64);
    let half = k >> 1i64;
    let power = |exponent: Term<'a>| ((exponent + 1023i64) << 52i64).bits(DType::Float64);
    x * power(half) * power(k - half)
}

/// Whole `k` and small `r` with `x = k ln 2 + r`.
fn reduce(x: Term<'_>) -> (Term<'_>, Term<'_>) {
    let k = (x * LOG2_E).round();
    let r = (-k).fma(LN2_LOW, (-k).fma(LN2_HIGH, x));
    (k, r)
}

/// The exponential of a float64.
pub fn exp(x: Term<'_>) -> Term<'_> {
    exp_of_sum(x, x.formula().double(0.0))
}

/// `exp(x + small)`, the summand being small beside 1.
fn exp_of_sum<'a>(x: Term<'a>, small: Term<'a>) -> Term<'a> {
    // Beyond these the result is 0 or infinite anyway.
    let inside = x.max(-760.0).min(720.0);
    let (k, r) = reduce(inside);
    let r = r + small;
    let p = r.polynomial(&EXP);
    let result = (r * r).fma(p, r) + 1.0;
    scale_by_power_of_two(result, k)
}

/// `exp(x) - 1` of a float64.
pub fn expm1(x: Term<'_>) -> Term<'_> {
    let inside = x.max(-60.0).min(720.0);
    let (k, r) = reduce(inside);
    let p = r.polynomial(&EXP);
    let small = (r * r).fma(p, r);
    // Near the largest float 2^k alone would be infinite, and 1 is nothing beside it.
    let huge = scale_by_power_of_two(small + 1.0, k);
    let power = scale_by_power_of_two(x.formula().double(1.0), k.min(1000.0));
    let result = k.gt(60.0).choose(huge, power.fma(small, power - 1.0));
    // Keeps the sign of zero, and what is too small to be more than itself.
    x.eq(0.0).choose(x, result)
}

/// `x` to the power of `y`, float64 numbers, `x` not negative; the error is some units in the last place
/// where the result is near the ends of the range.
pub fn power<'a>(x: Term<'a>, y: Term<'a>) -> Term<'a> {
    let (exponent, rest) = split_any(x);
    let f = rest - 1.0;
    // The logarithm as the sum of two floats: 2s is the first, and its error is made up for.
    let d = f + 2.0;
    let d_lost = f - (d - 2.0);
    let s = f / d;
    let s_lost = ((-s).fma(d, f) - s * d_lost) / d;
    let z = s * s;
    let tail = s * (z * z.polynomial(&LOG));
    let first = exponent * LN2_HIGH;
    let double = s * 2.0;
    let high = first + double;
    // In order of size: the larger summand is the one with an exponent, if it has one.
    let lost = exponent
        .eq(0.0)
        .choose((double - high) + first, (first - high) + double);
    let low = lost + (exponent.fma(LN2_LOW, s_lost * 2.0) + tail);
    let sum = high + low;
    let low = (high - sum) + low;
    let product = y * sum;
    // Far outside the range the difference would be NaN, and changes nothing.
    let product_lost = y.fma(sum, -product) + y * low;
    let product_lost = product.abs().lt(1e4).choose(product_lost, 0.0);
    let result = exp_of_sum(product, product_lost);
    let result = x.lt(f64::INFINITY).choose(result, x);
    let result = x.gt(0.0).choose(result, 0.0);
    y.eq(0.0).choose(x.formula().double(1.0), result)
}

/// Sine and cosine of a whole turn times an unsigned 32 or 64-bit number over 2^32 or 2^64, as float32 or
/// float64.
pub fn sine_and_cosine_of_turn(turn: Term<'_>) -> (Term<'_>, Term<'_>) {
    let (dtype, bits, mantissa, one): (_, i64, i64, i64) = match turn.dtype() {
        DType::UInt32 => (DType::Float32, 32, 23, 0x3f80_0000),
        _ => (DType::Float64, 64, 52, 0x3ff0 << 48),
    };
    let (sin, cos): (&[f64], &[f64]) = match dtype {
        DType::Float32 => (&SIN_SINGLE, &COS_SINGLE),
        _ => (&SIN, &COS),
    };
    // The two upper bits say which quarter. The others, as a mantissa, are a float from 1 to 2: less
    // 1.5, they are where in the quarter, from its middle, with half a step so that none is special.
    let quarter = turn >> (bits - 2);
    let step = 2f64.powi(-(mantissa as i32) - 1);
    let mantissa_bits = (turn << 2i64) >> (bits - mantissa);
    let t = (mantissa_bits | one).bits(dtype) - 1.5 + step;
    let z = t * t;
    let (s, c) = (t * z.polynomial(sin), z.polynomial(cos));
    // Quarter 0 lies about angle 0, the others a quarter of a turn on each.
    let swapped = (quarter & 1i64).ne(0i64);
    let (x, y) = (swapped.choose(s, c), swapped.choose(c, s));
    let half = quarter >> 1i64;
    (with_sign(y, half), with_sign(x, half ^ quarter))
}

/// Changes the sign of a float if an unsigned integer of its size is odd.
pub fn with_sign<'a>(value: Term<'a>, odd: Term<'a>) -> Term<'a> {
    let top = 8 * value.dtype().itemsize() as i64 - 1;
    (value.bits(odd.dtype()) ^ (odd << top)).bits(value.dtype())
}

/// The arc cosine of a float64 from -1 to 1.
pub fn acos(x: Term<'_>) -> Term<'_> {
    let size = x.abs();
    let inner = size.le(0.5);
    let z = inner.choose(x * x, (-size).fma(0.5, 0.5));
    let s = inner.choose(x, z.sqrt());
    let asin = (s * z).fma(z.polynomial(&ASIN), s);
    let double = asin * 2.0;
    let outer = x.lt(0.0).choose(-double + PI, double);
    inner.choose(-asin + FRAC_PI_2, outer)
}

/// The correction of Stirling's formula, `ln Γ(x) - (x - ½) ln x + x - ln(2π) / 2`, for `x >= 8`.
fn stirling_correction(x: Term<'_>) -> Term<'_> {
    let inverse = x.formula().double(1.0) / x;
    inverse * (inverse * inverse).polynomial(&STIRLING)
}

/// `ln k! - k ln k + k` of a whole number: what the main part of Stirling's formula leaves.
///
/// Probabilities of whole numbers are products of factorials and powers, whose logarithms are large and
/// nearly cancel. Of this rest and of [`deviance`] they are sums of moderate numbers (Loader, "Fast and
/// accurate computation of binomial probabilities", 2000).
pub fn factorial_rest(k: Term<'_>) -> Term<'_> {
    let large = k.max(8.0);
    let rest = log_normal(large) * 0.5 + HALF_LN_TWO_PI + stirling_correction(large);
    SMALL_FACTORIAL_RESTS
        .iter()
        .enumerate()
        .fold(rest, |rest, (number, &value)| {
            k.eq(number as f64).choose(k.formula().double(value), rest)
        })
}

/// `x ln(x / mean) - (x - mean)`: how far a whole number is from a mean.
pub fn deviance<'a>(x: Term<'a>, mean: Term<'a>) -> Term<'a> {
    let difference = x - mean;
    let far = x * log1p(difference / mean) - difference;
    x.gt(0.0).choose(far, mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formula;
    use colocate_ir::interpret::{self, Argument, ArrayView, Memory};

    /// A function of each pair of numbers, computed by the interpreter.
    fn apply(
        xs: &[f64],
        ys: &[f64],
        function: impl for<'a> Fn(Term<'a>, Term<'a>) -> Term<'a>,
    ) -> Vec<f64> {
        let formula = Formula::region("apply", 1);
        {
            let arrays = ["x", "y", "out"].map(|name| formula.array(name, DType::Float64, 1));
            let i = formula.item(0);
            let (x, y) = (formula.load(arrays[0], &[i]), formula.load(arrays[1], &[i]));
            formula.store(arrays[2], &[i], function(x, y));
        }
        let count = xs.len();
        let zeros = vec![0.0; count];
        let all = xs.iter().chain(ys).chain(&zeros);
        let mut memory = Memory {
            bytes: all.flat_map(|x| x.to_le_bytes()).collect(),
        };
        let arguments = [0, 1, 2].map(|number| {
            let shape = [count as i64];
            Argument::Array(ArrayView::contiguous(
                DType::Float64,
                number * count * 8,
                &shape,
            ))
        });
        interpret::run(
            &formula.finish(),
            &mut memory,
            &arguments,
            [count, 1, 1],
            None,
        )
        .unwrap();
        let results = memory.bytes[2 * count * 8..].chunks_exact(8);
        results
            .map(|bytes| f64::from_le_bytes(bytes.try_into().expect("eight bytes")))
            .collect()
    }

    /// Units in the last place between two numbers.
    fn units(found: f64, wanted: f64) -> f64 {
        if found == wanted || found.is_nan() && wanted.is_nan() {
            return 0.0;
        }
        let unit = (wanted.abs().next_up() - wanted.abs()).max(f64::from_bits(1));
        (found - wanted).abs() / unit
    }

    #[track_caller]
    fn check(
        xs: &[f64],
        bound: f64,
        wanted: impl Fn(f64) -> f64,
        function: impl for<'a> Fn(Term<'a>) -> Term<'a>,
    ) {
        let found = apply(xs, xs, |x, _| function(x));
        for (&x, found) in xs.iter().zip(found) {
            let wanted = wanted(x);
            assert!(
                units(found, wanted) <= bound,
                "of {x:e}: {found:e} is not {wanted:e}"
            );
        }
    }

    /// Numbers of every size between two.
    fn between(low: f64, high: f64, count: u32) -> Vec<f64> {
        let ratio = high.ln() - low.ln();
        (0..=count)
            .map(|i| (low.ln() + ratio * f64::from(i) / f64::from(count)).exp())
            .collect()
    }

    fn both_signs(numbers: Vec<f64>) -> Vec<f64> {
        numbers.iter().flat_map(|&x| [x, -x]).collect()
    }

    #[test]
    fn logarithms() {
        let mut xs = between(5e-324, 1e308, 5000);
        xs.extend(between(0.5, 2.0, 5000));
        xs.extend([0.0, 1.0, f64::INFINITY, f64::NAN, -1.0]);
        check(&xs, 1.5, f64::ln, log);
        check(&between(1e-300, 1e300, 5000), 1.5, f64::ln, log_normal);
        let mut xs = both_signs(between(1e-300, 0.99, 5000));
        xs.extend(between(1e-3, 1e300, 5000));
        xs.extend([0.0, -1.0]);
        check(&xs, 2.0, f64::ln_1p, log1p);
    }

    #[test]
    fn exponentials() {
        let mut xs = both_signs(between(1e-20, 744.0, 10000));
        xs.extend([0.0, 1e9, -1e9, f64::INFINITY, f64::NEG_INFINITY]);
        check(&xs, 1.5, f64::exp, exp);
        check(&xs, 2.0, f64::exp_m1, expm1);
    }

    #[test]
    fn powers() {
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        for x in between(1e-17, 40.0, 100) {
            for y in both_signs(between(1e-3, 20.0, 50)) {
                if (y * x.ln()).abs() < 30.0 {
                    xs.push(x);
                    ys.push(y);
                }
            }
        }
        for (x, y) in [(0.0, 2.0), (0.5, 1e300), (0.5, f64::INFINITY), (3.0, 0.0)] {
            xs.push(x);
            ys.push(y);
        }
        let found = apply(&xs, &ys, power);
        for ((&x, &y), found) in xs.iter().zip(&ys).zip(found) {
            let wanted = x.powf(y);
            assert!(
                units(found, wanted) <= 2.0,
                "{x:e}^{y:e}: {found:e} is not {wanted:e}"
            );
        }
    }

    #[test]
    fn sines_and_cosines_of_turns() {
        let turns: Vec<f64> = (0..4096).map(f64::from).collect();
        let parts = |cosine: bool| {
            apply(&turns, &turns, move |x, _| {
                // Spread over the whole turn.
                let turn = x.to(DType::UInt64) * 0x0010_0100_3333_7777u64;
                let (s, c) = sine_and_cosine_of_turn(turn);
                if cosine { c } else { s }
            })
        };
        for ((&turn, s), c) in turns.iter().zip(parts(false)).zip(parts(true)) {
            let turn = (turn as u64).wrapping_mul(0x0010_0100_3333_7777);
            // In the nearest quarter turn, where the angle is small and so is its error.
            let quarter = turn >> 62;
            let rest = (turn << 2) as f64 / 2f64.powi(64) - 0.5;
            let (sin, cos) = (rest * FRAC_PI_2).sin_cos();
            let (cos, sin) = match quarter {
                0 => (cos, sin),
                1 => (-sin, cos),
                2 => (-cos, -sin),
                _ => (sin, -cos),
            };
            assert!((s - sin).abs() < 5e-16, "{turn:x}: {s} is not {sin}");
            assert!((c - cos).abs() < 5e-16, "{turn:x}: {c} is not {cos}");
        }
    }

    #[test]
    fn arc_cosines() {
        let mut xs = both_signs(between(1e-10, 1.0, 4000));
        xs.extend([0.0, 1.0, -1.0]);
        xs.iter_mut().for_each(|x| *x = x.clamp(-1.0, 1.0));
        check(&xs, 2.0, f64::acos, acos);
    }

    #[test]
    fn rests_of_factorials() {
        let ks: Vec<f64> = (0..100).map(f64::from).collect();
        let found = apply(&ks, &ks, |x, _| factorial_rest(x));
        let mut log_factorial = 0.0;
        for (&k, found) in ks.iter().zip(found) {
            if k > 0.0 {
                log_factorial += k.ln();
            }
            let wanted = log_factorial - k * k.max(1.0).ln() + k;
            assert!(
                (found - wanted).abs() < 1e-12,
                "{k}: {found} is not {wanted}"
            );
        }
    }
}
