//! Kernels written as formulas.
//!
//! A [`Formula`] wraps a [`KernelBuilder`]; a [`Term`] is one of its values, with the operators of Rust.
//! Each operator adds one operation of the IR and nothing else, so what is written is what is
//! computed, rounding by rounding. Numbers beside terms become constants of the term's dtype.

use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Kind,
    Layout, Literal, MathFunction, ParamId, ParamKind, Place, UnaryOp, ValueId, VariableId,
};
use std::cell::RefCell;
use std::ops;

/// A kernel in the making.
#[derive(Debug)]
pub struct Formula {
    builder: RefCell<KernelBuilder>,
}

/// A value of a formula.
#[derive(Clone, Copy, Debug)]
pub struct Term<'a> {
    formula: &'a Formula,
    value: ValueId,
}

/// A variable of a formula.
#[derive(Clone, Copy, Debug)]
pub struct Var<'a> {
    formula: &'a Formula,
    variable: VariableId,
}

impl Formula {
    /// A parallel region without statements.
    pub fn region(name: &str, rank: u8) -> Formula {
        let kind = KernelKind::Region { reductions: vec![] };
        Formula {
            builder: RefCell::new(KernelBuilder::new(name, rank, kind)),
        }
    }

    /// Goes on with a kernel that somebody else has begun.
    pub fn over(builder: KernelBuilder) -> Formula {
        Formula {
            builder: RefCell::new(builder),
        }
    }

    /// The kernel, to be gone on with.
    pub fn into_builder(self) -> KernelBuilder {
        self.builder.into_inner()
    }

    /// The kernel.
    pub fn finish(self) -> Kernel {
        self.builder.into_inner().finish()
    }

    /// A value that the kernel has.
    pub fn value(&self, value: ValueId) -> Term<'_> {
        self.term(value)
    }

    fn term(&self, value: ValueId) -> Term<'_> {
        Term {
            formula: self,
            value,
        }
    }

    /// A scalar parameter.
    pub fn scalar(&self, name: &str, dtype: DType) -> Term<'_> {
        let mut builder = self.builder.borrow_mut();
        let param = builder.param(name, ParamKind::Scalar(dtype));
        let value = builder.scalar(param);
        drop(builder);
        self.term(value)
    }

    /// A contiguous array parameter.
    pub fn array(&self, name: &str, dtype: DType, rank: u8) -> ParamId {
        let layout = Layout::Contiguous;
        let kind = ParamKind::Array {
            dtype,
            rank,
            layout,
        };
        self.builder.borrow_mut().param(name, kind)
    }

    /// Where the item is along an axis of the index space: int64.
    pub fn item(&self, axis: u8) -> Term<'_> {
        let index = self
            .builder
            .borrow_mut()
            .index(IndexFunction::GlobalId, axis);
        self.term(index)
    }

    /// An element.
    pub fn load(&self, array: ParamId, indices: &[Term<'_>]) -> Term<'_> {
        let place = Place::new(ArrayRef::Param(array), indices.iter().map(|i| i.value));
        let value = self.builder.borrow_mut().load(place);
        self.term(value)
    }

    /// Writes an element.
    pub fn store(&self, array: ParamId, indices: &[Term<'_>], value: Term<'_>) {
        let place = Place::new(ArrayRef::Param(array), indices.iter().map(|i| i.value));
        self.builder.borrow_mut().store(place, value.value);
    }

    /// A constant.
    pub fn literal(&self, literal: Literal) -> Term<'_> {
        let value = self.builder.borrow_mut().literal(literal);
        self.term(value)
    }

    /// An integer constant.
    pub fn int(&self, dtype: DType, number: i128) -> Term<'_> {
        self.literal(Literal::Int(dtype, number))
    }

    /// A float constant.
    pub fn float(&self, dtype: DType, number: f64) -> Term<'_> {
        self.literal(Literal::Float(dtype, number))
    }

    /// A float64 constant.
    pub fn double(&self, number: f64) -> Term<'_> {
        self.float(DType::Float64, number)
    }

    /// A truth value.
    pub fn truth(&self, truth: bool) -> Term<'_> {
        self.literal(Literal::Bool(truth))
    }

    /// A variable that holds a value.
    pub fn var<'a>(&'a self, name: &str, value: Term<'a>) -> Var<'a> {
        let dtype = value.dtype();
        let variable = self.builder.borrow_mut().variable(name, dtype);
        let var = Var {
            formula: self,
            variable,
        };
        var.set(value);
        var
    }

    /// Does something where a condition holds.
    pub fn when(&self, condition: Term<'_>, then: impl FnOnce()) {
        self.builder.borrow_mut().begin_if(condition.value);
        then();
        self.builder.borrow_mut().end();
    }

    /// Does one thing where a condition holds and another where it does not.
    pub fn either(&self, condition: Term<'_>, then: impl FnOnce(), otherwise: impl FnOnce()) {
        self.builder.borrow_mut().begin_if(condition.value);
        then();
        self.builder.borrow_mut().begin_else();
        otherwise();
        self.builder.borrow_mut().end();
    }

    /// Repeats something as long as a condition holds.
    pub fn repeat<'a>(&'a self, condition: impl FnOnce() -> Term<'a>, body: impl FnOnce()) {
        self.builder.borrow_mut().begin_while();
        let condition = condition();
        self.builder.borrow_mut().begin_while_body(condition.value);
        body();
        self.builder.borrow_mut().end();
    }

    /// Counts from 0 to below an int64.
    pub fn count<'a>(&'a self, name: &str, stop: Term<'a>, body: impl FnOnce(Term<'a>)) {
        let counter = {
            let mut builder = self.builder.borrow_mut();
            let counter = builder.variable(name, DType::Int64);
            let (start, step) = (builder.int64(0), builder.int64(1));
            builder.begin_for(counter, start, stop.value, step);
            let now = builder.get(counter);
            self.term(now)
        };
        body(counter);
        self.builder.borrow_mut().end();
    }
}

impl<'a> Var<'a> {
    /// What it holds.
    pub fn get(self) -> Term<'a> {
        let value = self.formula.builder.borrow_mut().get(self.variable);
        self.formula.term(value)
    }

    /// Gives it a value.
    pub fn set(self, value: Term<'_>) {
        self.formula
            .builder
            .borrow_mut()
            .set(self.variable, value.value);
    }
}

/// What can stand beside a term: another, or a number.
pub trait Operand<'a> {
    /// As a term like another.
    fn like(self, other: Term<'a>) -> Term<'a>;
}

impl<'a> Operand<'a> for Term<'a> {
    fn like(self, _: Term<'a>) -> Term<'a> {
        self
    }
}

impl<'a> Operand<'a> for f64 {
    fn like(self, other: Term<'a>) -> Term<'a> {
        other.formula.float(other.dtype(), self)
    }
}

impl<'a> Operand<'a> for i64 {
    fn like(self, other: Term<'a>) -> Term<'a> {
        other.formula.int(other.dtype(), self.into())
    }
}

impl<'a> Operand<'a> for u64 {
    fn like(self, other: Term<'a>) -> Term<'a> {
        other.formula.int(other.dtype(), self.into())
    }
}

impl<'a> Term<'a> {
    /// The formula it belongs to.
    pub fn formula(self) -> &'a Formula {
        self.formula
    }

    /// The value in the kernel.
    pub fn value(self) -> ValueId {
        self.value
    }

    /// Its dtype.
    pub fn dtype(self) -> DType {
        self.formula.builder.borrow().dtype(self.value)
    }

    fn unary(self, op: UnaryOp) -> Term<'a> {
        let value = self.formula.builder.borrow_mut().unary(op, self.value);
        self.formula.term(value)
    }

    fn binary(self, op: BinaryOp, other: impl Operand<'a>) -> Term<'a> {
        let other = other.like(self);
        let mut builder = self.formula.builder.borrow_mut();
        let value = builder.binary(op, self.value, other.value);
        drop(builder);
        self.formula.term(value)
    }

    fn compare(self, op: CompareOp, other: impl Operand<'a>) -> Term<'a> {
        let other = other.like(self);
        let mut builder = self.formula.builder.borrow_mut();
        let value = builder.compare(op, self.value, other.value);
        drop(builder);
        self.formula.term(value)
    }

    fn math(self, function: MathFunction, others: &[Term<'a>]) -> Term<'a> {
        let mut operands = vec![self.value];
        operands.extend(others.iter().map(|other| other.value));
        let value = self.formula.builder.borrow_mut().math(function, &operands);
        self.formula.term(value)
    }

    /// Converted.
    pub fn to(self, dtype: DType) -> Term<'a> {
        let value = self.formula.builder.borrow_mut().convert(self.value, dtype);
        self.formula.term(value)
    }

    /// As float64.
    pub fn double(self) -> Term<'a> {
        self.to(DType::Float64)
    }

    /// Its bits as another dtype.
    pub fn bits(self, dtype: DType) -> Term<'a> {
        let value = self.formula.builder.borrow_mut().bitcast(self.value, dtype);
        self.formula.term(value)
    }

    /// `self == other`
    pub fn eq(self, other: impl Operand<'a>) -> Term<'a> {
        self.compare(CompareOp::Equal, other)
    }

    /// `self != other`
    pub fn ne(self, other: impl Operand<'a>) -> Term<'a> {
        self.compare(CompareOp::NotEqual, other)
    }

    /// `self < other`
    pub fn lt(self, other: impl Operand<'a>) -> Term<'a> {
        self.compare(CompareOp::Less, other)
    }

    /// `self <= other`
    pub fn le(self, other: impl Operand<'a>) -> Term<'a> {
        self.compare(CompareOp::LessEqual, other)
    }

    /// `self > other`
    pub fn gt(self, other: impl Operand<'a>) -> Term<'a> {
        self.compare(CompareOp::Greater, other)
    }

    /// `self >= other`
    pub fn ge(self, other: impl Operand<'a>) -> Term<'a> {
        self.compare(CompareOp::GreaterEqual, other)
    }

    /// One of two terms, by this condition.
    pub fn choose(self, yes: Term<'a>, no: impl Operand<'a>) -> Term<'a> {
        let no = no.like(yes);
        let mut builder = self.formula.builder.borrow_mut();
        let value = builder.select(self.value, yes.value, no.value);
        drop(builder);
        self.formula.term(value)
    }

    /// The smaller.
    pub fn min(self, other: impl Operand<'a>) -> Term<'a> {
        self.binary(BinaryOp::Minimum, other)
    }

    /// The larger.
    pub fn max(self, other: impl Operand<'a>) -> Term<'a> {
        self.binary(BinaryOp::Maximum, other)
    }

    /// The magnitude.
    pub fn abs(self) -> Term<'a> {
        self.unary(UnaryOp::Abs)
    }

    /// The square root, which every device rounds correctly.
    pub fn sqrt(self) -> Term<'a> {
        self.math(MathFunction::Sqrt, &[])
    }

    /// The largest whole number that is not above.
    pub fn floor(self) -> Term<'a> {
        self.math(MathFunction::Floor, &[])
    }

    /// The nearest whole number.
    pub fn round(self) -> Term<'a> {
        self.math(MathFunction::RoundEven, &[])
    }

    /// `self * factor + summand`, rounded once.
    pub fn fma(self, factor: impl Operand<'a>, summand: impl Operand<'a>) -> Term<'a> {
        let (factor, summand) = (factor.like(self), summand.like(self));
        self.math(MathFunction::Fma, &[factor, summand])
    }

    /// The remainder of an integer division that rounds to zero.
    pub fn remainder(self, divisor: impl Operand<'a>) -> Term<'a> {
        self.binary(BinaryOp::Remainder, divisor)
    }

    /// A polynomial in this term, the constant coefficient first.
    pub fn polynomial(self, coefficients: &[f64]) -> Term<'a> {
        let (&last, rest) = coefficients.split_last().expect("there is a coefficient");
        let last = last.like(self);
        rest.iter().rev().fold(last, |sum, &coefficient| {
            sum.fma(self, coefficient.like(self))
        })
    }
}

macro_rules! operators {
    ($($trait:ident, $method:ident, $op:ident;)*) => {$(
        impl<'a, T: Operand<'a>> ops::$trait<T> for Term<'a> {
            type Output = Term<'a>;
            fn $method(self, other: T) -> Term<'a> {
                self.binary(BinaryOp::$op, other)
            }
        }
    )*};
}

operators! {
    Add, add, Add;
    Sub, sub, Subtract;
    Mul, mul, Multiply;
    BitAnd, bitand, BitAnd;
    BitOr, bitor, BitOr;
    BitXor, bitxor, BitXor;
    Shl, shl, ShiftLeft;
    Shr, shr, ShiftRight;
}

impl<'a, T: Operand<'a>> ops::Div<T> for Term<'a> {
    type Output = Term<'a>;
    /// Of integers, rounded to zero.
    fn div(self, other: T) -> Term<'a> {
        match self.dtype().kind() {
            Kind::Float => self.binary(BinaryOp::Divide, other),
            _ => self.binary(BinaryOp::Quotient, other),
        }
    }
}

impl<'a> ops::Neg for Term<'a> {
    type Output = Term<'a>;
    fn neg(self) -> Term<'a> {
        self.unary(UnaryOp::Negate)
    }
}

impl<'a> ops::Not for Term<'a> {
    type Output = Term<'a>;
    fn not(self) -> Term<'a> {
        match self.dtype() {
            DType::Bool => self.unary(UnaryOp::Not),
            _ => self.unary(UnaryOp::BitNot),
        }
    }
}
