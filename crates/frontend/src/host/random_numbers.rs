//! Functions that draw random numbers: those of `numpy.random`, and of Python's module `random`.
//!
//! In the host part the numbers are those that the functions themselves would give. In a parallel loop each turn
//! has a stream of its own (`random_streams.rs`). What neither has is a call of the library.

use crate::calls::Arguments;
use crate::host::failures::{Part, Raised};
use crate::program::{Call, Drawn, Generator};
use crate::translate::Translator;
use crate::types::{self, is_integer};
use crate::value::{Constant, Scalar, Value};
use colocate_ir::{ArrayRef, BinaryOp, CallResult, CompareOp, DType, Kind, Literal, ValueId};
use ruff_text_size::TextRange;

/// The functions of Python's module that jit functions call.
const OF_PYTHON: &[&str] = &[
    "betavariate",
    "expovariate",
    "gammavariate",
    "gauss",
    "getrandbits",
    "lognormvariate",
    "normalvariate",
    "paretovariate",
    "randint",
    "random",
    "randrange",
    "seed",
    "triangular",
    "uniform",
    "vonmisesvariate",
    "weibullvariate",
];

/// What a call asks for, apart from how many.
enum Asked {
    /// From one number to another.
    Uniform(Scalar, Scalar),
    /// Mean and standard deviation.
    Normal(Scalar, Scalar),
    /// The mean.
    Exponential(Scalar),
    /// From one integer to below another, and what is raised if there is none; nothing if Python's own function says it.
    Below(Scalar, Scalar, Option<&'static str>),
    /// So many bits.
    Bits(Scalar),
}

impl Translator<'_> {
    /// A function of `numpy.random`; nothing if it is a call of the library.
    pub fn numpy_random(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let names: &[&str] = match name {
            "random"
            | "random_sample"
            | "ranf"
            | "sample"
            | "standard_normal"
            | "standard_exponential" => &["size"],
            "uniform" => &["low", "high", "size"],
            "normal" => &["loc", "scale", "size"],
            "exponential" => &["scale", "size"],
            "randint" => &["low", "high", "size", "dtype"],
            "rand" | "randn" => &[],
            _ => return None,
        };
        let many = matches!(name, "rand" | "randn");
        let (given, size) = if many {
            if !arguments.keywords.is_empty() {
                return None;
            }
            let extents = arguments.positional.iter().map(|(value, _)| value.clone());
            let extents: Vec<Value> = extents.collect();
            let size = (!extents.is_empty()).then_some(Value::Tuple(extents));
            (Vec::new(), size)
        } else {
            let given = by_name(arguments, names)?;
            let place = names.iter().position(|name| *name == "size")?;
            let size = given[place].clone();
            (given, size)
        };
        let (zero, one) = (Scalar::const_float(0.0), Scalar::const_float(1.0));
        let asked = match name {
            "random" | "random_sample" | "ranf" | "sample" | "rand" => Asked::Uniform(zero, one),
            "uniform" => Asked::Uniform(real(&given[0], zero)?, real(&given[1], one)?),
            "standard_normal" | "randn" => Asked::Normal(zero, one),
            "normal" => Asked::Normal(real(&given[0], zero)?, real(&given[1], one)?),
            "standard_exponential" => Asked::Exponential(one),
            "exponential" => Asked::Exponential(real(&given[0], one)?),
            _ => {
                let plain = match &given[3] {
                    None => true,
                    Some(Value::Builtin(name)) => name == "builtins.int",
                    Some(_) => false,
                };
                let low = whole(given[0].as_ref()?)?;
                match &given[1] {
                    _ if !plain => return None,
                    None => Asked::Below(Scalar::const_int(0), low, Some("high <= 0")),
                    Some(high) => Asked::Below(low, whole(high)?, Some("low >= high")),
                }
            }
        };
        match size {
            None => self.drawn(Generator::NumPy, &asked, range),
            Some(size) => self.filled(&size, &asked, range),
        }
    }

    /// A list that NumPy's generators shuffle: by a function of ours, which draws what they draw.
    pub fn shuffled_list(
        &mut self,
        how: &str,
        given: &[(Value, TextRange)],
        range: TextRange,
    ) -> Option<Value> {
        let arguments = Arguments {
            positional: given.to_vec(),
            keywords: Vec::new(),
        };
        self.call_written("colocate._random_functions", how, &arguments, range)
    }

    /// A function of Python's module `random`.
    pub fn python_random(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if !OF_PYTHON.contains(&name) {
            return None;
        }
        // On the host normal numbers and the like have no version but Python's.
        let host = matches!(
            name,
            "random" | "uniform" | "randint" | "randrange" | "getrandbits"
        );
        if (self.level() > 0 || host)
            && let Some(asked) = self.asked_of_python(name, arguments, range)
            && self.empty_by_python(name, arguments, &asked, range)
            && let Some(drawn) = self.drawn(Generator::Python, &asked, range)
        {
            return Some(drawn);
        }
        Some(self.called_of_python(name, arguments, range))
    }

    fn called_of_python(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Value {
        let full = format!("random.{name}");
        let (given, named) = (&arguments.positional, &arguments.keywords);
        self.library(&full, given, named, &[], range)
    }

    /// Has Python's own function say that there is no number in a range, where that is so; false if it always is.
    fn empty_by_python(
        &mut self,
        name: &str,
        arguments: &Arguments,
        asked: &Asked,
        range: TextRange,
    ) -> bool {
        let Asked::Below(low, high, None) = asked else {
            return true;
        };
        if let Some((low, high)) = low.as_int().zip(high.as_int()) {
            return low < high;
        }
        let (low, high) = (
            self.as_dtype(low, DType::Int64),
            self.as_dtype(high, DType::Int64),
        );
        // What comes after the last number may have wrapped.
        let empty = match name {
            "randint" => {
                let one = self.b.int64(1);
                let last = self.b.binary(BinaryOp::Subtract, high, one);
                self.b.compare(CompareOp::Greater, low, last)
            }
            _ => self.b.compare(CompareOp::GreaterEqual, low, high),
        };
        if self.is_trying() {
            self.flush();
        }
        self.b.begin_if(empty);
        self.called_of_python(name, arguments, range);
        self.b.end();
        true
    }

    fn asked_of_python(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Asked> {
        let names: &[&str] = match name {
            "random" => &[],
            "uniform" | "randint" => &["a", "b"],
            "gauss" | "normalvariate" => &["mu", "sigma"],
            "expovariate" => &["lambd"],
            "randrange" => &["start", "stop"],
            "getrandbits" if self.level() == 0 => &["k"],
            _ => return None,
        };
        let given = by_name(arguments, names)?;
        // In turns nothing of Python's can be called.
        let empty = (self.level() > 0).then_some(EMPTY);
        let (zero, one) = (Scalar::const_float(0.0), Scalar::const_float(1.0));
        Some(match name {
            "random" => Asked::Uniform(zero, one),
            "uniform" => Asked::Uniform(
                real(&Some(given[0].clone()?), zero)?,
                real(&Some(given[1].clone()?), one)?,
            ),
            "gauss" | "normalvariate" => {
                Asked::Normal(real(&given[0], zero)?, real(&given[1], one)?)
            }
            "expovariate" => {
                let rate = real(&given[0], one)?;
                Asked::Exponential(match constant_of(&rate) {
                    Some(1.0) => rate,
                    _ => self.mean_of_rate(&rate, range),
                })
            }
            "getrandbits" => Asked::Bits(whole(given[0].as_ref()?)?),
            "randint" => {
                let (first, last) = (whole(given[0].as_ref()?)?, whole(given[1].as_ref()?)?);
                // One more than the largest int64 is none.
                if last.as_int() == Some(i128::from(i64::MAX)) {
                    return None;
                }
                let end = self.index_op(BinaryOp::Add, &last, &Scalar::const_int(1));
                Asked::Below(first, end, empty)
            }
            _ => {
                let first = whole(given[0].as_ref()?)?;
                match &given[1] {
                    None => Asked::Below(Scalar::const_int(0), first, empty),
                    Some(stop) => Asked::Below(first, whole(stop)?, empty),
                }
            }
        })
    }

    /// One over a number, which raises if that is zero.
    fn mean_of_rate(&mut self, rate: &Scalar, range: TextRange) -> Scalar {
        let rate = self.as_dtype(rate, DType::Float64);
        let zero = self.double(0.0);
        let bad = self.b.compare(CompareOp::Equal, rate, zero);
        self.check(bad, "ZeroDivisionError", "float division by zero", range);
        let one = self.double(1.0);
        let mean = self.b.binary(BinaryOp::Divide, one, rate);
        Scalar::new(DType::Float64, true, mean)
    }

    /// One number.
    fn drawn(&mut self, from: Generator, asked: &Asked, range: TextRange) -> Option<Value> {
        if self.level() > 0 && !self.has_streams() {
            return None;
        }
        Some(match asked {
            Asked::Uniform(low, high) => {
                let span = self.span(low, high, from == Generator::NumPy, range);
                let unit = self.draw(from, Drawn::Unit, None);
                let ir = match span {
                    Some((low, span)) => {
                        let scaled = self.b.binary(BinaryOp::Multiply, span, unit);
                        self.b.binary(BinaryOp::Add, low, scaled)
                    }
                    None => unit,
                };
                Scalar::new(DType::Float64, true, ir).into()
            }
            Asked::Normal(loc, scale) => {
                if from == Generator::NumPy {
                    self.check_scale(scale, range);
                }
                let standard = self.draw(from, Drawn::Normal, None);
                let ir = match is_constant(loc, 0.0) && is_constant(scale, 1.0) {
                    true => standard,
                    false => {
                        let scale = self.as_dtype(scale, DType::Float64);
                        let loc = self.as_dtype(loc, DType::Float64);
                        let scaled = self.b.binary(BinaryOp::Multiply, scale, standard);
                        self.b.binary(BinaryOp::Add, loc, scaled)
                    }
                };
                Scalar::new(DType::Float64, true, ir).into()
            }
            Asked::Exponential(scale) => {
                if from == Generator::NumPy {
                    self.check_scale(scale, range);
                }
                let standard = self.draw(from, Drawn::Exponential, None);
                let scale = self.as_dtype(scale, DType::Float64);
                let ir = self.b.binary(BinaryOp::Multiply, scale, standard);
                Scalar::new(DType::Float64, true, ir).into()
            }
            Asked::Below(low, high, message) => {
                let ir = self.whole_number(from, (low, high), *message, range);
                Scalar::new(DType::Int64, true, ir).into()
            }
            Asked::Bits(count) => {
                let count = self.as_dtype(count, DType::Int64);
                let ir = self.draw(from, Drawn::SomeBits, Some(count));
                Scalar::new(DType::Int64, true, ir).into()
            }
        })
    }

    /// An integer from one to below another.
    fn whole_number(
        &mut self,
        from: Generator,
        (low, high): (&Scalar, &Scalar),
        message: Option<&str>,
        range: TextRange,
    ) -> ValueId {
        let known = low.as_int().zip(high.as_int());
        let (first, end) = (
            self.as_dtype(low, DType::Int64),
            self.as_dtype(high, DType::Int64),
        );
        if let Some(message) = message
            && known.is_none_or(|(low, high)| low >= high)
        {
            let bad = self.b.compare(CompareOp::GreaterEqual, first, end);
            self.check(bad, "ValueError", message, range);
        }
        // The distance may be too large for an int64.
        let (first, end) = (
            self.b.convert(first, DType::UInt64),
            self.b.convert(end, DType::UInt64),
        );
        let one = self.b.literal(Literal::Int(DType::UInt64, 1));
        let distance = self.b.binary(BinaryOp::Subtract, end, first);
        let largest = self.b.binary(BinaryOp::Subtract, distance, one);
        let drawn = self.draw(from, Drawn::UpTo, Some(largest));
        let number = self.b.binary(BinaryOp::Add, first, drawn);
        self.b.convert(number, DType::Int64)
    }

    /// A random number, from the stream of the turn or from the generator itself; the word that it may depend on.
    fn draw(&mut self, from: Generator, what: Drawn, word: Option<ValueId>) -> ValueId {
        if self.level() > 0 {
            return self.draw_in_turn(from, what, word);
        }
        let dtype = match what {
            Drawn::UpTo | Drawn::Bits => DType::UInt64,
            Drawn::SomeBits => DType::Int64,
            _ => DType::Float64,
        };
        let result = self.b.variable("drawn", dtype);
        let words: Vec<ValueId> = word.into_iter().collect();
        self.call(
            Call::Draw { from, what },
            &words,
            vec![CallResult::Variable(result)],
        );
        self.b.get(result)
    }

    /// Where a range begins and how long it is; nothing if it is from 0 to 1.
    fn span(
        &mut self,
        low: &Scalar,
        high: &Scalar,
        checked: bool,
        range: TextRange,
    ) -> Option<(ValueId, ValueId)> {
        if is_constant(low, 0.0) && is_constant(high, 1.0) {
            return None;
        }
        let finite = match (constant_of(low), constant_of(high)) {
            (Some(low), Some(high)) => (high - low).is_finite(),
            _ => false,
        };
        let low = self.as_dtype(low, DType::Float64);
        let high = self.as_dtype(high, DType::Float64);
        let span = self.b.binary(BinaryOp::Subtract, high, low);
        if checked && self.level() == 0 && !finite {
            let most = self.double(f64::MAX);
            let size = self.b.unary(colocate_ir::UnaryOp::Abs, span);
            let fine = self.b.compare(CompareOp::LessEqual, size, most);
            let bad = self.b.unary(colocate_ir::UnaryOp::Not, fine);
            let message = "Range exceeds valid bounds";
            self.check(bad, "OverflowError", message, range);
        }
        Some((low, span))
    }

    fn check_scale(&mut self, scale: &Scalar, range: TextRange) {
        if constant_of(scale).is_some_and(|scale| scale >= 0.0) {
            return;
        }
        let scale = self.as_dtype(scale, DType::Float64);
        let zero = self.double(0.0);
        let bad = self.b.compare(CompareOp::Less, scale, zero);
        self.check(bad, "ValueError", "scale < 0", range);
    }

    fn check(&mut self, bad: ValueId, class: &'static str, message: &str, range: TextRange) {
        let raised = Raised {
            class,
            parts: vec![Part::Text(message.into())],
        };
        self.raise_if(bad, &raised, range);
    }

    fn double(&mut self, value: f64) -> ValueId {
        self.b.literal(Literal::Float(DType::Float64, value))
    }

    /// A new array of numbers from one to another.
    fn filled(&mut self, size: &Value, asked: &Asked, range: TextRange) -> Option<Value> {
        let Asked::Uniform(low, high) = asked else {
            return None;
        };
        let whole_numbers = match size {
            Value::Tuple(items) => {
                !items.is_empty() && items.iter().all(|one| whole(one).is_some())
            }
            other => whole(other).is_some(),
        };
        if self.level() > 0 || self.function_base > 0 || self.is_trying() || !whole_numbers {
            return None;
        }
        let shape = self.shape_argument(size, range)?;
        let words = match self.span(low, high, true, range) {
            Some((low, span)) => [low, span],
            None => [self.double(0.0), self.double(1.0)],
        };
        let view = self.allocate(DType::Float64, &shape, false, "random");
        let ArrayRef::Local(local) = view.base else {
            return None;
        };
        self.call(Call::FillRandom { local }, &words, Vec::new());
        Some(Value::View(view))
    }
}

/// What Python says of a range without numbers.
const EMPTY: &str = "empty range for randrange()";

/// Arguments by the parameters' names; nothing if there are others. `None` counts as not given.
fn by_name(arguments: &Arguments, names: &[&str]) -> Option<Vec<Option<Value>>> {
    if arguments.positional.len() > names.len() {
        return None;
    }
    let mut found: Vec<Option<Value>> = vec![None; names.len()];
    for (place, (value, _)) in found.iter_mut().zip(&arguments.positional) {
        *place = Some(value.clone());
    }
    for (keyword, value, _) in &arguments.keywords {
        let place = names.iter().position(|name| name == keyword)?;
        if found[place].is_some() {
            return None;
        }
        found[place] = Some(value.clone());
    }
    for one in &mut found {
        if matches!(one, Some(Value::None)) {
            *one = None;
        }
    }
    Some(found)
}

/// A real number; the default if it is not given.
fn real(value: &Option<Value>, default: Scalar) -> Option<Scalar> {
    match value {
        None => Some(default),
        Some(Value::Scalar(scalar)) if scalar.dtype.kind() != Kind::Complex => Some(*scalar),
        Some(_) => None,
    }
}

/// An integer that an int64 holds.
fn whole(value: &Value) -> Option<Scalar> {
    let Value::Scalar(scalar) = value else {
        return None;
    };
    let fits = match scalar.as_int() {
        Some(constant) => types::fits(constant, DType::Int64),
        None => scalar.dtype != DType::UInt64,
    };
    (is_integer(scalar.dtype) && fits).then_some(*scalar)
}

/// The number, if it is known.
fn constant_of(scalar: &Scalar) -> Option<f64> {
    match types::cast(scalar.as_constant()?, DType::Float64) {
        Constant::Float(value) => Some(value),
        _ => None,
    }
}

/// Whether a number is known to be this one.
fn is_constant(scalar: &Scalar, value: f64) -> bool {
    constant_of(scalar) == Some(value)
}
