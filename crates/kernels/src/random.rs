//! Random numbers.
//!
//! Everything is made of [`philox`] and of operations that every device rounds correctly, so that a stream
//! gives the same bits on every device, however the work is shared out. There are two kinds of kernel:
//!
//! - *Blocks*, for what needs a fixed number of bits: an item turns the 128 bits of one position into two
//!   or four elements. [`BLOCK`] neighbouring items write neighbouring elements, first all their first
//!   ones, then all their second ones.
//! - *Single* elements, for methods that try until they succeed: element `i` has position `i`.

mod continuous;
mod discrete;
pub mod draws;
mod gamma;
mod integers;
pub mod permutation;
mod philox;
mod rejection;
pub mod rows;
mod unit;

use crate::formula::{Formula, Term};
use colocate_ir::{DType, Kernel};
use philox::Stream;
use rejection::Draw;

/// Items that write side by side.
pub const BLOCK: usize = 128;

macro_rules! distributions {
    ($($(#[$doc:meta])* $name:ident = $text:literal ($($parameter:ident),*),)*) => {
        /// A distribution; the parameters are those of NumPy's generator unless said otherwise.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Distribution { $($(#[$doc])* $name),* }

        impl Distribution {
            /// All of them.
            pub const ALL: &'static [Distribution] = &[$(Distribution::$name),*];

            /// Its name.
            pub const fn name(self) -> &'static str {
                match self { $(Distribution::$name => $text),* }
            }

            /// The names of its parameters.
            pub const fn parameters(self) -> &'static [&'static str] {
                match self { $(Distribution::$name => &[$(stringify!($parameter)),*]),* }
            }
        }
    };
}

distributions! {
    /// uint32 or uint64 numbers of nothing but random bits.
    Bits = "bits" (),
    /// From `low` to below `high`.
    Uniform = "uniform" (low, high),
    #[allow(missing_docs)]
    Normal = "normal" (loc, scale),
    #[allow(missing_docs)]
    Exponential = "exponential" (scale),
    #[allow(missing_docs)]
    Laplace = "laplace" (loc, scale),
    #[allow(missing_docs)]
    Logistic = "logistic" (loc, scale),
    #[allow(missing_docs)]
    Gumbel = "gumbel" (loc, scale),
    #[allow(missing_docs)]
    Cauchy = "standard_cauchy" (),
    #[allow(missing_docs)]
    Rayleigh = "rayleigh" (scale),
    #[allow(missing_docs)]
    Weibull = "weibull" (a),
    #[allow(missing_docs)]
    Pareto = "pareto" (a),
    #[allow(missing_docs)]
    Power = "power" (a),
    #[allow(missing_docs)]
    Triangular = "triangular" (left, mode, right),
    #[allow(missing_docs)]
    LogNormal = "lognormal" (mean, sigma),
    #[allow(missing_docs)]
    Geometric = "geometric" (p),
    /// Below a range of at most 2^32, counted from `low`; the threshold is 2^32 modulo the range.
    IntegersBelowSingle = "integers_below_single" (low, range, threshold),
    /// Below a range, counted from `low`; 0 stands for 2^64, and the threshold is that modulo the range.
    IntegersBelowDouble = "integers_below_double" (low, range, threshold),
    /// From `first` to `last`, both included.
    IntegersBetween = "integers_between" (first, last),
    #[allow(missing_docs)]
    Gamma = "gamma" (shape, scale),
    /// The logarithm of a gamma number with scale 1.
    LogGamma = "log_gamma" (shape),
    #[allow(missing_docs)]
    Beta = "beta" (a, b),
    #[allow(missing_docs)]
    ChiSquare = "chisquare" (df),
    #[allow(missing_docs)]
    NoncentralChiSquare = "noncentral_chisquare" (df, nonc),
    #[allow(missing_docs)]
    F = "f" (dfnum, dfden),
    #[allow(missing_docs)]
    StudentT = "standard_t" (df),
    #[allow(missing_docs)]
    Wald = "wald" (mean, scale),
    #[allow(missing_docs)]
    VonMises = "vonmises" (mu, kappa),
    #[allow(missing_docs)]
    Poisson = "poisson" (lam),
    #[allow(missing_docs)]
    Binomial = "binomial" (n, p),
    #[allow(missing_docs)]
    NegativeBinomial = "negative_binomial" (n, p),
    #[allow(missing_docs)]
    Zipf = "zipf" (a),
    #[allow(missing_docs)]
    LogSeries = "logseries" (p),
    #[allow(missing_docs)]
    Hypergeometric = "hypergeometric" (ngood, nbad, nsample),
}

impl Distribution {
    /// The distribution of a name.
    pub fn from_name(name: &str) -> Option<Distribution> {
        let mut all = Distribution::ALL.iter().copied();
        all.find(|distribution| distribution.name() == name)
    }

    /// Whether it makes elements of this dtype.
    pub fn makes(self, dtype: DType) -> bool {
        use Distribution::*;
        match self {
            Bits => matches!(dtype, DType::UInt32 | DType::UInt64),
            Uniform | Normal | Exponential | Gamma => {
                matches!(dtype, DType::Float32 | DType::Float64)
            }
            IntegersBelowSingle | IntegersBelowDouble | IntegersBetween => matches!(
                dtype.kind(),
                colocate_ir::Kind::Bool | colocate_ir::Kind::Int | colocate_ir::Kind::UInt
            ),
            Geometric | Poisson | Binomial | NegativeBinomial | Zipf | LogSeries
            | Hypergeometric => dtype == DType::Int64,
            _ => dtype == DType::Float64,
        }
    }

    /// The dtype of its parameters when it makes elements of a dtype.
    pub fn parameter_dtype(self, dtype: DType) -> DType {
        use Distribution::*;
        match self {
            IntegersBelowSingle | IntegersBelowDouble | IntegersBetween => DType::UInt64,
            Uniform | Normal | Exponential => dtype,
            _ => DType::Float64,
        }
    }

    /// How many elements one position makes; `None` if each element has a position, and tries, of its own.
    pub fn per_position(self, dtype: DType) -> Option<usize> {
        use Distribution::*;
        match self {
            Bits | Uniform | Normal | Exponential => Some(16 / dtype.itemsize()),
            IntegersBelowSingle => Some(4),
            IntegersBelowDouble | Laplace | Logistic | Gumbel | Cauchy | Rayleigh | Weibull
            | Pareto | Power | Triangular | LogNormal | Geometric => Some(2),
            _ => None,
        }
    }
}

/// A kernel that fills a contiguous array. Its parameters are the array, those of
/// [`Stream::parameters`], for blocks the number of elements (an int64), and those of the distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fill {
    /// What the elements are drawn from.
    pub distribution: Distribution,
    /// Of the elements.
    pub dtype: DType,
    /// Which parameters are arrays as long as the result: bit `n` stands for parameter `n`.
    pub arrays: u32,
}

/// A parameter of a distribution.
#[derive(Clone, Copy, Debug)]
enum Parameter<'a> {
    Scalar(Term<'a>),
    Array(colocate_ir::ParamId),
}

impl Fill {
    /// What tells this kernel from others.
    pub fn words(&self) -> [u32; 3] {
        [self.distribution as u32, self.dtype as u32, self.arrays]
    }

    /// The kernel.
    pub fn build(&self) -> Kernel {
        let per_position = self.distribution.per_position(self.dtype);
        let rank = if per_position.is_some() { 2 } else { 1 };
        let formula = Formula::region(self.distribution.name(), rank);
        match per_position {
            Some(count) => self.blocks(&formula, count),
            None => self.singles(&formula),
        }
        formula.finish()
    }

    fn parameters<'a>(&self, formula: &'a Formula) -> Vec<Parameter<'a>> {
        let dtype = self.distribution.parameter_dtype(self.dtype);
        let names = self.distribution.parameters().iter().enumerate();
        names
            .map(|(number, name)| match self.arrays >> number & 1 {
                0 => Parameter::Scalar(formula.scalar(name, dtype)),
                _ => Parameter::Array(formula.array(name, dtype, 1)),
            })
            .collect()
    }

    /// The index space: blocks, and the items of one.
    fn blocks(&self, formula: &Formula, count: usize) {
        let out = formula.array("out", self.dtype, 1);
        let stream = Stream::parameters(formula);
        let size = formula.scalar("size", DType::Int64);
        let parameters = self.parameters(formula);
        let (block, item) = (formula.item(0), formula.item(1));
        let stream = stream.at(block * BLOCK as i64 + item);
        let standards = self.standards(stream, &parameters);
        assert_eq!(standards.len(), count, "as many as promised");
        let begin = block * (count * BLOCK) as i64;
        // All items of a block do the same, so this is a branch and not a mask.
        let whole = (begin + (count * BLOCK) as i64).le(size);
        let each = |masked: bool| {
            for (number, &standard) in standards.iter().enumerate() {
                let index = begin + item + (number * BLOCK) as i64;
                let store = || {
                    let values: Vec<Term<'_>> = parameters
                        .iter()
                        .map(|parameter| match *parameter {
                            Parameter::Scalar(value) => value,
                            Parameter::Array(array) => formula.load(array, &[index]),
                        })
                        .collect();
                    let value = self.finished(standard, &values);
                    formula.store(out, &[index], value.to(self.dtype));
                };
                if masked {
                    formula.when(index.lt(size), store);
                } else {
                    store();
                }
            }
        };
        formula.either(whole, || each(false), || each(true));
    }

    /// Numbers that do not depend on parameters, or only on those that are never arrays.
    fn standards<'a>(&self, stream: Stream<'a>, parameters: &[Parameter<'a>]) -> Vec<Term<'a>> {
        use Distribution::*;
        let scalar = |number: usize| match parameters[number] {
            Parameter::Scalar(value) => value,
            Parameter::Array(_) => panic!("ranges of blocks are the same for all elements"),
        };
        let bits = || match self.dtype.itemsize() {
            4 => stream.singles(stream.first()).to_vec(),
            _ => stream.doubles(stream.first()).to_vec(),
        };
        let mapped = |make: fn(Term<'a>) -> Term<'a>| bits().into_iter().map(make).collect();
        match self.distribution {
            Bits => bits(),
            Uniform => mapped(unit::unit),
            Normal | LogNormal => bits()
                .chunks(2)
                .flat_map(|pair| unit::normals(pair[0], pair[1]))
                .collect(),
            Exponential | Gumbel | Rayleigh | Weibull | Pareto | Geometric => {
                mapped(unit::exponential)
            }
            Power | Triangular => mapped(unit::open_unit),
            Laplace => mapped(unit::laplace),
            Logistic => mapped(continuous::logistic),
            Cauchy => mapped(unit::cauchy),
            IntegersBelowSingle => integers::below_single(stream, scalar(1), scalar(2)).to_vec(),
            IntegersBelowDouble => integers::below_double(stream, scalar(1), scalar(2)).to_vec(),
            other => panic!("{} is not made in blocks", other.name()),
        }
    }

    /// The element that a standard number becomes.
    fn finished<'a>(&self, x: Term<'a>, p: &[Term<'a>]) -> Term<'a> {
        use Distribution::*;
        match self.distribution {
            Bits | Cauchy => x,
            Uniform => p[0] + (p[1] - p[0]) * x,
            Normal | Laplace | Logistic => p[0] + p[1] * x,
            Gumbel => p[0] + p[1] * continuous::gumbel(x),
            Exponential => p[0] * x,
            Rayleigh => p[0] * (x * 2.0).sqrt(),
            Weibull => continuous::weibull(x, p[0]),
            Pareto => continuous::pareto(x, p[0]),
            Power => continuous::power_function(x, p[0]),
            Triangular => continuous::triangular(x, p[0], p[1], p[2]),
            LogNormal => continuous::log_normally(x, p[0], p[1]),
            Geometric => discrete::geometric(x, p[0]),
            IntegersBelowSingle | IntegersBelowDouble => self.wrapped(p[0] + x),
            other => panic!("{} is not made in blocks", other.name()),
        }
    }

    /// The low bits of a uint64 as an integer of the result's dtype.
    fn wrapped<'a>(&self, value: Term<'a>) -> Term<'a> {
        value.to(self.dtype)
    }

    fn singles(&self, formula: &Formula) {
        use Distribution::*;
        let out = formula.array("out", self.dtype, 1);
        let stream = Stream::parameters(formula);
        let parameters = self.parameters(formula);
        let item = formula.item(0);
        let stream = stream.at(item);
        let p: Vec<Term<'_>> = parameters
            .iter()
            .map(|parameter| match *parameter {
                Parameter::Scalar(value) => value,
                Parameter::Array(array) => formula.load(array, &[item]),
            })
            .collect();
        let draw = Draw::new(stream, 0);
        let value = match self.distribution {
            IntegersBetween => self.wrapped(integers::between(stream, p[0], p[1])),
            Gamma => gamma::standard_gamma(draw, p[0]) * p[1],
            LogGamma => gamma::log_standard_gamma(draw, p[0]),
            Beta => gamma::beta(stream, p[0], p[1]),
            ChiSquare => gamma::chi_square(draw, p[0]),
            NoncentralChiSquare => gamma::noncentral_chi_square(stream, p[0], p[1]),
            F => gamma::f(stream, p[0], p[1]),
            StudentT => gamma::student_t(stream, p[0]),
            Wald => continuous::wald(stream, p[0], p[1]),
            VonMises => continuous::von_mises(stream, p[0], p[1]),
            Poisson => discrete::poisson(draw, p[0]),
            Binomial => discrete::binomial(draw, p[0], p[1]),
            NegativeBinomial => discrete::negative_binomial(stream, p[0], p[1]),
            Zipf => discrete::zipf(draw, p[0]),
            LogSeries => discrete::log_series(draw, p[0]),
            Hypergeometric => discrete::hypergeometric(stream, p[0], p[1], p[2]),
            other => panic!("{} is made in blocks", other.name()),
        };
        formula.store(out, &[item], value.to(self.dtype));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::verify;

    #[test]
    fn every_kernel_is_valid() {
        let mut kernels = vec![
            rows::multinomial(true),
            rows::multinomial(false),
            rows::normalise_logarithms(),
            rows::combine_rows(),
            rows::choose_category(),
            permutation::distinct(),
        ];
        for &distribution in Distribution::ALL {
            for dtype in DType::ALL {
                if !distribution.makes(dtype) {
                    continue;
                }
                let range = distribution.name().starts_with("integers_below");
                let most = if range {
                    0
                } else {
                    distribution.parameters().len()
                };
                for arrays in 0..1 << most {
                    kernels.push(
                        Fill {
                            distribution,
                            dtype,
                            arrays,
                        }
                        .build(),
                    );
                }
            }
        }
        for kernel in kernels {
            let violations = verify(&kernel);
            assert!(violations.is_empty(), "{}: {violations:?}", kernel.name);
        }
    }

    #[test]
    fn distributions_are_found_by_their_names() {
        for &distribution in Distribution::ALL {
            assert_eq!(
                Distribution::from_name(distribution.name()),
                Some(distribution)
            );
        }
        assert_eq!(Distribution::from_name("Normal"), None);
    }
}
