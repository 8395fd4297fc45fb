//! Kernels that work on rows: multinomial counts, the normalisation of Dirichlet numbers, linear
//! combinations of normal numbers, and choices with probabilities.
//!
//! Sums are made one summand after another, so that they are the same on every device.

use super::discrete::binomial;
use super::philox::Stream;
use super::rejection::Draw;
use super::unit::unit;
use crate::elementary::exp;
use crate::formula::Formula;
use colocate_ir::{DType, Kernel};

/// `out[row, :]` (int64) counts how `n[row]` trials fall on the categories whose probabilities are
/// `p[row, :]` or, if `shared`, `p[0, :]`. Parameters: out, p, n, and those of the stream; the
/// index space is the rows. Category `j` of a row has position `row * categories + j`.
pub fn multinomial(shared: bool) -> Kernel {
    let formula = Formula::region("multinomial", 1);
    {
        let out = formula.array("out", DType::Int64, 2);
        let p = formula.array("p", DType::Float64, 2);
        let n = formula.array("n", DType::Int64, 1);
        let categories = formula.scalar("categories", DType::Int64);
        let stream = Stream::parameters(&formula);
        let row = formula.item(0);
        let row_of_p = if shared {
            formula.int(DType::Int64, 0)
        } else {
            row
        };
        let left = formula.var("left", formula.load(n, &[row]).double());
        let rest = formula.var("rest", formula.double(1.0));
        let last = categories - 1i64;
        formula.count("category", last, |category| {
            let share = formula.load(p, &[row_of_p, category]);
            let odds = (share / rest.get()).min(1.0);
            // NaN if nothing is left.
            let odds = odds.ge(0.0).choose(odds, 0.0);
            let stream = stream.at(row * categories + category);
            let count = binomial(Draw::new(stream, 0), left.get(), odds);
            formula.store(out, &[row, category], count.to(DType::Int64));
            left.set(left.get() - count);
            rest.set(rest.get() - share);
        });
        formula.store(out, &[row, last], left.get().to(DType::Int64));
    }
    formula.finish()
}

/// Turns rows of logarithms into numbers in proportion to what they are logarithms of, that sum to 1.
/// Parameters: the rows (float64), and how long they are; the index space is the rows.
pub fn normalise_logarithms() -> Kernel {
    let formula = Formula::region("normalise_logarithms", 1);
    {
        let rows = formula.array("rows", DType::Float64, 2);
        let length = formula.scalar("length", DType::Int64);
        let row = formula.item(0);
        let most = formula.var("most", formula.double(f64::NEG_INFINITY));
        formula.count("i", length, |i| {
            most.set(most.get().max(formula.load(rows, &[row, i])));
        });
        let sum = formula.var("sum", formula.double(0.0));
        formula.count("i", length, |i| {
            let value = exp(formula.load(rows, &[row, i]) - most.get());
            formula.store(rows, &[row, i], value);
            sum.set(sum.get() + value);
        });
        formula.count("i", length, |i| {
            let value = formula.load(rows, &[row, i]);
            formula.store(rows, &[row, i], value / sum.get());
        });
    }
    formula.finish()
}

/// `out[i, j] = mean[j] + Σ z[i, k] factor[k, j]`, all float64. Parameters: out, z, factor, mean, and how many
/// `k` there are; the index space is that of `out`.
pub fn combine_rows() -> Kernel {
    let formula = Formula::region("combine_rows", 2);
    {
        let out = formula.array("out", DType::Float64, 2);
        let z = formula.array("z", DType::Float64, 2);
        let factor = formula.array("factor", DType::Float64, 2);
        let mean = formula.array("mean", DType::Float64, 1);
        let inner = formula.scalar("inner", DType::Int64);
        let (i, j) = (formula.item(0), formula.item(1));
        let sum = formula.var("sum", formula.load(mean, &[j]));
        formula.count("k", inner, |k| {
            let (x, y) = (formula.load(z, &[i, k]), formula.load(factor, &[k, j]));
            sum.set(x.fma(y, sum.get()));
        });
        formula.store(out, &[i, j], sum.get());
    }
    formula.finish()
}

/// `out[i]` (int64) is the first category whose cumulative probability, in `cumulative` (float64,
/// rising to 1), is above a uniform number. Parameters: out, cumulative, how many categories there
/// are, how often to halve to find one, and those of the stream.
pub fn choose_category() -> Kernel {
    let formula = Formula::region("choose_category", 1);
    {
        let out = formula.array("out", DType::Int64, 1);
        let cumulative = formula.array("cumulative", DType::Float64, 1);
        let categories = formula.scalar("categories", DType::Int64);
        let halvings = formula.scalar("halvings", DType::Int64);
        let stream = Stream::parameters(&formula);
        let item = formula.item(0);
        let stream = stream.at(item);
        let [bits, _] = stream.doubles(stream.first());
        let u = unit(bits);
        let low = formula.var("low", formula.int(DType::Int64, 0));
        let high = formula.var("high", categories - 1i64);
        formula.count("halving", halvings, |_| {
            let (from, to) = (low.get(), high.get());
            let middle = (from + to) >> 1i64;
            let above = formula.load(cumulative, &[middle]).gt(u);
            high.set(above.choose(middle, to));
            low.set(above.choose(from, (middle + 1i64).min(to)));
        });
        formula.store(out, &[item], low.get());
    }
    formula.finish()
}
