//! Methods that try until a number is accepted.
//!
//! Each try takes its bits from the counter word for tries, so that an item's number depends on its own
//! position alone. An item may draw several numbers; each then has a [`Draw`] of its own, which sets
//! the upper bits of that word.

use super::philox::Stream;
use super::unit::{normals, open_unit};
use crate::formula::Term;
use colocate_ir::DType;

/// After so many tries the last one is taken, which happens only if a parameter is NaN.
const MOST_TRIES: u64 = 4096;

/// One of several numbers that an item draws.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    stream: Stream<'a>,
    number: u64,
}

impl<'a> Draw<'a> {
    /// The numbered draw of an item whose stream this is; numbers are below 128.
    pub fn new(stream: Stream<'a>, number: u64) -> Draw<'a> {
        assert!(number < 128, "draws are numbered by seven bits");
        Draw { stream, number }
    }

    /// The try that everything begins with.
    fn start(&self) -> Term<'a> {
        self.stream.first() + (self.number << 25)
    }

    /// Two uniform numbers between 0 and 1 that no try uses.
    pub fn aside(&self) -> [Term<'a>; 2] {
        let attempt = self.start() + (1u64 << 24);
        self.stream.doubles(attempt).map(open_unit)
    }

    /// Tries until the method accepts. It is given the number of the try and says whether the value is
    /// accepted.
    pub fn until(&self, method: impl FnOnce(Term<'a>) -> (Term<'a>, Term<'a>)) -> Term<'a> {
        let start = self.start();
        let formula = start.formula();
        let result = formula.var("result", formula.double(0.0));
        let pending = formula.var("pending", formula.truth(true));
        let attempt = formula.var("attempt", start);
        formula.repeat(
            || pending.get(),
            || {
                let now = attempt.get();
                let (accepted, value) = method(now);
                result.set(value);
                pending.set(!(accepted | (now - start).ge(MOST_TRIES)));
                attempt.set(now + 1u64);
            },
        );
        result.get()
    }

    /// Two uniform numbers between 0 and 1 for a try.
    pub fn uniforms(&self, attempt: Term<'a>) -> [Term<'a>; 2] {
        self.stream.doubles(attempt).map(open_unit)
    }

    /// A normal number and a uniform one for a try.
    pub fn normal_and_uniform(&self, attempt: Term<'a>) -> (Term<'a>, Term<'a>) {
        let [a, b, turn, unit] = self.stream.words(attempt);
        let radius = (a & 0xffff_ffffu64) | (b << 32i64);
        let [normal, _] = normals(radius, turn << 32i64);
        let unit = (unit & 0xffff_ffffu64).to(DType::Int64).double();
        (normal, unit.fma(2f64.powi(-32), 2f64.powi(-33)))
    }

    /// The uint64s of a try.
    pub fn bits(&self, attempt: Term<'a>) -> [Term<'a>; 2] {
        self.stream.doubles(attempt)
    }

    /// The first try, for methods that need no more.
    pub fn once(&self) -> Term<'a> {
        self.start()
    }
}
