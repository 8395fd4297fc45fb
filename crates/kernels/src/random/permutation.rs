//! Distinct numbers below a bound, without a list of all.
//!
//! A Feistel network of Philox rounds is a bijection of the numbers below a power of four; whoever lands
//! above the bound is sent through again until it is below. So item `i` knows the `i`-th element of a
//! random permutation without knowing the others.

use super::philox::Stream;
use crate::formula::Formula;
use colocate_ir::{DType, Kernel};

/// Rounds of the network.
const ROUNDS: u64 = 8;

/// `out[i]` (int64) is the `i`-th element of a permutation of the numbers below `bound`, which is below
/// `4^half_bits`. Parameters: out, those of the stream, bound and half_bits (uint64).
pub fn distinct() -> Kernel {
    let formula = Formula::region("distinct", 1);
    {
        let out = formula.array("out", DType::Int64, 1);
        let stream = Stream::parameters(&formula);
        let bound = formula.scalar("bound", DType::UInt64);
        let half_bits = formula.scalar("half_bits", DType::UInt64);
        let one = formula.int(DType::UInt64, 1);
        let mask = (one << half_bits) - 1u64;
        let item = formula.item(0);
        let number = formula.var("number", item.to(DType::UInt64));
        let outside = formula.var("outside", formula.truth(true));
        formula.repeat(
            || outside.get(),
            || {
                let now = number.get();
                let (mut left, mut right) = (now >> half_bits, now & mask);
                for round in 0..ROUNDS {
                    // The half is the position: all items share the network.
                    let [noise, ..] = stream
                        .at(right)
                        .words(formula.int(DType::UInt64, round.into()));
                    (left, right) = (right, (left ^ noise) & mask);
                }
                let next = (left << half_bits) | right;
                number.set(next);
                outside.set(next.ge(bound));
            },
        );
        formula.store(out, &[item], number.get().to(DType::Int64));
    }
    formula.finish()
}
