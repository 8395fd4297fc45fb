//! What a reduction computes, apart from where its elements lie.

use colocate_ir::{
    BinaryOp, CompareOp, DType, KernelBuilder, Kind, Literal, MathFunction, Op, ReductionOperator,
    UnaryOp, ValueId,
};
use smallvec::{SmallVec, smallvec};

/// The parts of a state: one number, or two for searches.
pub type State = SmallVec<[ValueId; 2]>;

/// How states become one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fold {
    /// `+`
    Sum,
    /// `*`
    Product,
    /// The smallest; NaN if there is one.
    Minimum,
    /// The largest; NaN if there is one.
    Maximum,
    /// Where the first smallest is, or the first NaN.
    ArgMinimum,
    /// Where the first largest is, or the first NaN.
    ArgMaximum,
}

/// What of an element counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantity {
    /// The element.
    Value,
    /// 1 if it is not zero.
    Nonzero,
    /// 1.
    One,
    /// The square of its distance from a mean of this dtype, which there is for each result.
    SquaredDeviation(DType),
}

/// Which elements count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Present {
    /// Only those that are not NaN.
    pub skip_nan: bool,
    /// Only those where a mask is true.
    pub masked: bool,
}

/// What becomes of the last state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Finish {
    /// It is the result.
    Plain,
    /// It is divided by a number that the kernel is given.
    Divide,
    /// So is the root of that.
    DivideAndRoot,
}

/// A reduction of elements of one dtype.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reducer {
    /// How they become one.
    pub fold: Fold,
    /// What of them.
    pub quantity: Quantity,
    /// Which.
    pub present: Present,
    /// Of the elements.
    pub input: DType,
    /// In what the fold computes; for searches the elements' own.
    pub computes: DType,
    /// What becomes of the last state; not for searches.
    pub finish: Finish,
    /// Of the result.
    pub result: DType,
}

impl Reducer {
    /// Of the number that the last state is divided by; `None` if it is not.
    pub fn divisor(&self) -> Option<DType> {
        match (self.finish, self.computes) {
            (Finish::Plain, _) => None,
            (_, DType::Complex64) => Some(DType::Float32),
            (_, DType::Complex128) => Some(DType::Float64),
            (_, real) => Some(real),
        }
    }

    /// What tells it from others.
    pub fn words(&self) -> [u32; 3] {
        let quantity = match self.quantity {
            Quantity::Value => 0,
            Quantity::Nonzero => 1,
            Quantity::One => 2,
            Quantity::SquaredDeviation(mean) => 3 + mean as u32,
        };
        let flags = u32::from(self.present.skip_nan) | u32::from(self.present.masked) << 1;
        [
            self.fold as u32 | flags << 8 | quantity << 16,
            self.input as u32 | (self.computes as u32) << 8,
            self.result as u32 | (self.finish as u32) << 8,
        ]
    }

    /// Whether the state has a position beside the value.
    pub fn is_search(&self) -> bool {
        matches!(self.fold, Fold::ArgMinimum | Fold::ArgMaximum)
    }

    /// The parts of a state as they are kept in memory.
    pub fn state_dtypes(&self) -> SmallVec<[DType; 2]> {
        match self.is_search() {
            true => smallvec![self.computes, DType::Int64],
            false => smallvec![self.computes],
        }
    }

    /// A dtype that is quicker to compute with, as long as no more than this many elements are
    /// combined: counts and sums of small integers.
    pub fn narrow(&self, elements: usize) -> DType {
        let wide = self.computes;
        let integer = matches!(wide.kind(), Kind::Int | Kind::UInt);
        if self.fold != Fold::Sum || !integer || wide.itemsize() < 4 {
            return wide;
        }
        let largest: usize = match (self.quantity, self.input) {
            (Quantity::Nonzero | Quantity::One, _) | (_, DType::Bool) => 1,
            (Quantity::Value, DType::Int8 | DType::UInt8) => 1 << 8,
            (Quantity::Value, DType::Int16 | DType::UInt16) => 1 << 16,
            _ => return wide,
        };
        match wide.kind() {
            _ if largest * elements > i32::MAX as usize || wide.itemsize() == 4 => wide,
            Kind::UInt => DType::UInt32,
            _ => DType::Int32,
        }
    }

    /// The largest number of bytes that lanes of its kernels hold of a value.
    pub fn widest(&self) -> usize {
        let mean = match self.quantity {
            Quantity::SquaredDeviation(mean) => mean.itemsize(),
            _ => 1,
        };
        let state = self
            .state_dtypes()
            .iter()
            .map(|dtype| dtype.itemsize())
            .max();
        let sizes = [self.input.itemsize(), mean, state.unwrap_or(1)];
        sizes.into_iter().max().unwrap_or(1)
    }

    /// What changes nothing: the state of no elements. `computes` may be a narrower dtype.
    pub fn initial(&self, b: &mut KernelBuilder, computes: DType) -> ValueId {
        b.literal(self.identity(computes))
    }

    fn identity(&self, dtype: DType) -> Literal {
        let operator = match self.fold {
            Fold::Sum => ReductionOperator::Add,
            Fold::Product => ReductionOperator::Multiply,
            Fold::Minimum | Fold::ArgMinimum => ReductionOperator::Minimum,
            Fold::Maximum | Fold::ArgMaximum => ReductionOperator::Maximum,
        };
        let ordered = !matches!(self.fold, Fold::Sum | Fold::Product);
        // Where NaN does not count, it stands for "nothing yet".
        let nothing = ordered && self.present.skip_nan;
        match dtype.kind() {
            Kind::Float if nothing => Literal::Float(dtype, f64::NAN),
            Kind::Complex if nothing => Literal::Complex(dtype, f64::NAN, f64::NAN),
            Kind::Complex if ordered => match operator.identity(DType::Float64) {
                Literal::Float(_, worst) => Literal::Complex(dtype, worst, worst),
                other => other,
            },
            _ => operator.identity(dtype),
        }
    }

    /// What an element is to the fold, and whether it counts; `None` if all do.
    pub fn lift(
        &self,
        b: &mut KernelBuilder,
        element: ValueId,
        mean: Option<ValueId>,
        computes: DType,
    ) -> (ValueId, Option<ValueId>) {
        let ordered = !matches!(self.fold, Fold::Sum | Fold::Product);
        // Minima and maxima leave out NaN in their own way.
        let counts = (self.present.skip_nan && !ordered)
            .then(|| is_nan(b, element))
            .flatten()
            .map(|nan| b.unary(UnaryOp::Not, nan));
        let value = match self.quantity {
            Quantity::Value => b.convert(element, computes),
            Quantity::Nonzero => {
                let truth = b.convert(element, DType::Bool);
                b.convert(truth, computes)
            }
            Quantity::One => b.literal(Literal::small(computes, 1)),
            Quantity::SquaredDeviation(dtype) => {
                let mean = mean.expect("a deviation is from a mean");
                let element = b.convert(element, dtype);
                let distance = b.binary(BinaryOp::Subtract, element, mean);
                let square = match dtype.kind() {
                    Kind::Complex => {
                        let (re, im) = parts(b, distance);
                        let re = b.binary(BinaryOp::Multiply, re, re);
                        let im = b.binary(BinaryOp::Multiply, im, im);
                        b.binary(BinaryOp::Add, re, im)
                    }
                    _ => b.binary(BinaryOp::Multiply, distance, distance),
                };
                b.convert(square, computes)
            }
        };
        (value, counts)
    }

    /// Combines values of the fold; not for searches.
    pub fn combine(&self, b: &mut KernelBuilder, first: ValueId, second: ValueId) -> ValueId {
        let dtype = b.dtype(first);
        let operator = match self.fold {
            Fold::Sum => ReductionOperator::Add,
            Fold::Product => ReductionOperator::Multiply,
            Fold::Minimum | Fold::ArgMinimum => ReductionOperator::Minimum,
            Fold::Maximum | Fold::ArgMaximum => ReductionOperator::Maximum,
        };
        let ordered = !matches!(self.fold, Fold::Sum | Fold::Product);
        let floating = matches!(dtype.kind(), Kind::Float | Kind::Complex);
        if ordered && (dtype.kind() == Kind::Complex || floating && self.present.skip_nan) {
            let better = self.is_better(b, second, first);
            return b.select(better, second, first);
        }
        b.binary(operator.operation(dtype), first, second)
    }

    /// Whether a later value takes the place of an earlier one.
    fn is_better(&self, b: &mut KernelBuilder, new: ValueId, old: ValueId) -> ValueId {
        let smallest = matches!(self.fold, Fold::Minimum | Fold::ArgMinimum);
        let dtype = b.dtype(new);
        let op = if smallest {
            CompareOp::Less
        } else {
            CompareOp::Greater
        };
        match dtype.kind() {
            Kind::Bool => {
                let (winner, loser) = if smallest { (old, new) } else { (new, old) };
                let loses = b.unary(UnaryOp::Not, loser);
                b.binary(BinaryOp::BitAnd, winner, loses)
            }
            Kind::Int | Kind::UInt => b.compare(op, new, old),
            Kind::Float if self.present.skip_nan => {
                // NaN is beaten by anything, and beats nothing but NaN, which is no difference.
                let beyond = b.compare(op, new, old);
                let nothing = b.compare(CompareOp::NotEqual, old, old);
                let something = b.compare(CompareOp::Equal, new, new);
                let first = b.binary(BinaryOp::BitAnd, nothing, something);
                b.binary(BinaryOp::BitOr, beyond, first)
            }
            Kind::Float => {
                // Not "not beyond": true for a NaN. The first NaN stays.
                let opposite = if smallest {
                    CompareOp::GreaterEqual
                } else {
                    CompareOp::LessEqual
                };
                let behind = b.compare(opposite, new, old);
                let beyond = b.unary(UnaryOp::Not, behind);
                let open = b.compare(CompareOp::Equal, old, old);
                b.binary(BinaryOp::BitAnd, beyond, open)
            }
            Kind::Complex => {
                let ((re, im), (old_re, old_im)) = (parts(b, new), parts(b, old));
                let first = b.compare(op, re, old_re);
                let tie = b.compare(CompareOp::Equal, re, old_re);
                let second = b.compare(op, im, old_im);
                let second = b.binary(BinaryOp::BitAnd, tie, second);
                let beyond = b.binary(BinaryOp::BitOr, first, second);
                let (nan, old_nan) = (nan_of(b, new), nan_of(b, old));
                let (real, old_real) = (b.unary(UnaryOp::Not, nan), b.unary(UnaryOp::Not, old_nan));
                let (winner, other) = match self.present.skip_nan {
                    true => (old_nan, real),
                    false => (nan, old_real),
                };
                let by_nan = b.binary(BinaryOp::BitAnd, winner, other);
                // Parts that are numbers do not decide if others are not.
                let beyond = b.binary(BinaryOp::BitAnd, beyond, real);
                let beyond = b.binary(BinaryOp::BitAnd, beyond, old_real);
                b.binary(BinaryOp::BitOr, beyond, by_nan)
            }
        }
    }

    /// The state after one more element, which comes after those in it.
    pub fn update(
        &self,
        b: &mut KernelBuilder,
        state: &[ValueId],
        value: ValueId,
        position: ValueId,
        counts: Option<ValueId>,
    ) -> State {
        if !self.is_search() {
            let mut next = self.combine(b, state[0], value);
            if let Some(counts) = counts {
                next = b.select(counts, next, state[0]);
            }
            return smallvec![next];
        }
        let mut better = self.is_better(b, value, state[0]);
        if let Some(counts) = counts {
            better = b.binary(BinaryOp::BitAnd, better, counts);
        }
        smallvec![
            b.select(better, value, state[0]),
            b.select(better, position, state[1]),
        ]
    }

    /// One state of two, whose elements may lie anywhere.
    pub fn merge(&self, b: &mut KernelBuilder, one: &[ValueId], other: &[ValueId]) -> State {
        if !self.is_search() {
            return smallvec![self.combine(b, one[0], other[0])];
        }
        let better = self.is_better(b, other[0], one[0]);
        let worse = self.is_better(b, one[0], other[0]);
        let earlier = b.compare(CompareOp::Less, other[1], one[1]);
        let tie = b.unary(UnaryOp::Not, worse);
        let by_position = b.binary(BinaryOp::BitAnd, tie, earlier);
        let takes = b.binary(BinaryOp::BitOr, better, by_position);
        smallvec![
            b.select(takes, other[0], one[0]),
            b.select(takes, other[1], one[1]),
        ]
    }

    /// The result of a state. A search that was to leave out NaN and found nothing else gives -1.
    pub fn finish(
        &self,
        b: &mut KernelBuilder,
        state: &[ValueId],
        divisor: Option<ValueId>,
    ) -> ValueId {
        if !self.is_search() {
            let mut value = state[0];
            if let Some(divisor) = divisor {
                value = divided(b, value, divisor);
            }
            if self.finish == Finish::DivideAndRoot {
                value = b.math(MathFunction::Sqrt, &[value]);
            }
            return b.convert(value, self.result);
        }
        let mut position = state[1];
        if self.present.skip_nan
            && let Some(nan) = is_nan(b, state[0])
        {
            let none = b.int64(-1);
            position = b.select(nan, none, position);
        }
        b.convert(position, self.result)
    }
}

fn divided(b: &mut KernelBuilder, value: ValueId, divisor: ValueId) -> ValueId {
    if b.dtype(value).kind() != Kind::Complex {
        return b.binary(BinaryOp::Divide, value, divisor);
    }
    let (re, im) = parts(b, value);
    let re = b.binary(BinaryOp::Divide, re, divisor);
    let im = b.binary(BinaryOp::Divide, im, divisor);
    b.op(Op::Complex(re, im))
}

fn parts(b: &mut KernelBuilder, value: ValueId) -> (ValueId, ValueId) {
    (
        b.unary(UnaryOp::Real, value),
        b.unary(UnaryOp::Imaginary, value),
    )
}

/// Whether a value is NaN; `None` if its dtype has none.
fn is_nan(b: &mut KernelBuilder, value: ValueId) -> Option<ValueId> {
    let dtype = b.dtype(value);
    matches!(dtype.kind(), Kind::Float | Kind::Complex).then(|| nan_of(b, value))
}

fn nan_of(b: &mut KernelBuilder, value: ValueId) -> ValueId {
    // Complex numbers with a NaN in either part are not equal to themselves.
    b.compare(CompareOp::NotEqual, value, value)
}
