//! Whole numbers from a range, each with exactly the same probability.
//!
//! Lemire, "Fast random integer generation in an interval" (2019): the upper half of bits times range;
//! what falls into the part of the lower half that makes some results more frequent is drawn again.

use super::philox::Stream;
use crate::formula::Term;
use colocate_ir::DType;

/// The upper and lower 64 bits of a product.
fn wide_product<'a>(a: Term<'a>, b: Term<'a>) -> (Term<'a>, Term<'a>) {
    let low = |x: Term<'a>| x & 0xffff_ffffu64;
    let high = |x: Term<'a>| x >> 32i64;
    let cross = high(a) * low(b) + high(low(a) * low(b));
    let other = low(a) * high(b) + low(cross);
    (high(a) * high(b) + high(cross) + high(other), a * b)
}

/// Draws until no value is rejected. `draw` makes values and rejections of a try's number.
fn redrawn<'a, const N: usize>(
    stream: Stream<'a>,
    draw: impl Fn(Term<'a>) -> [(Term<'a>, Term<'a>); N],
) -> [Term<'a>; N] {
    let first = stream.first();
    let formula = first.formula();
    let cells = draw(first).map(|(value, rejected)| {
        (
            formula.var("value", value),
            formula.var("rejected", rejected),
        )
    });
    let attempt = formula.var("attempt", first + 1u64);
    let any = || {
        let flags = cells.map(|(_, rejected)| rejected.get());
        flags.into_iter().reduce(|a, b| a | b).expect("some cells")
    };
    formula.repeat(any, || {
        let now = attempt.get();
        for ((value, rejected), (new, again)) in cells.into_iter().zip(draw(now)) {
            let was = rejected.get();
            value.set(was.choose(new, value.get()));
            rejected.set(was & again);
        }
        attempt.set(now + 1u64);
    });
    cells.map(|(value, _)| value.get())
}

/// Four numbers below a range of at most 2^32, as uint64; `threshold` is 2^32 modulo the range.
pub fn below_single<'a>(stream: Stream<'a>, range: Term<'a>, threshold: Term<'a>) -> [Term<'a>; 4] {
    redrawn(stream, |attempt| {
        stream.words(attempt).map(|word| {
            let product = (word & 0xffff_ffffu64) * range;
            (product >> 32i64, (product & 0xffff_ffffu64).lt(threshold))
        })
    })
}

/// Two numbers below a range, as uint64, a range of 0 standing for 2^64; `threshold` is 2^64 modulo the range.
pub fn below_double<'a>(stream: Stream<'a>, range: Term<'a>, threshold: Term<'a>) -> [Term<'a>; 2] {
    redrawn(stream, |attempt| {
        stream.doubles(attempt).map(|bits| {
            let (high, low) = wide_product(bits, range);
            let all = range.eq(0u64);
            (all.choose(bits, high), !all & low.lt(threshold))
        })
    })
}

/// A number below a range, of 64 random bits, as uint64. Some numbers are more probable than others, by at
/// most a part of range / 2^64.
pub fn scaled<'a>(bits: Term<'a>, range: Term<'a>) -> Term<'a> {
    wide_product(bits, range).0
}

/// One number from `first` to `last`, both included, as wrapping uint64.
pub fn between<'a>(stream: Stream<'a>, first: Term<'a>, last: Term<'a>) -> Term<'a> {
    let range = last - first + 1u64;
    let zero = first.formula().int(DType::UInt64, 0);
    let threshold = (zero - range).remainder(range);
    let [value, _] = below_double(stream, range, threshold);
    first + value
}
