//! Random operations and their operands.

use super::generate::Generator;
use crate::{
    BinaryOp, CompareOp, DType, IndexFunction, Kind, Literal, MathFunction, Op, Part, UnaryOp,
    ValueId, VariableId,
};

/// Functions whose results leave no room.
const EXACT: [MathFunction; 9] = [
    MathFunction::Sqrt,
    MathFunction::Floor,
    MathFunction::Ceil,
    MathFunction::Truncate,
    MathFunction::RoundEven,
    MathFunction::CopySign,
    MathFunction::Fma,
    MathFunction::Fmod,
    MathFunction::NextAfter,
];

impl Generator {
    pub(super) fn modulo(&mut self, value: ValueId, by: i64) -> ValueId {
        let by = self.b.int64(by);
        self.reduce_index(value, by)
    }

    /// The value modulo something positive.
    pub(super) fn reduce_index(&mut self, value: ValueId, extent: ValueId) -> ValueId {
        if !self.config.core {
            return self.b.binary(BinaryOp::Modulo, value, extent);
        }
        let rest = self.b.binary(BinaryOp::Remainder, value, extent);
        let zero = self.b.int64(0);
        let negative = self.b.compare(CompareOp::Less, rest, zero);
        let above = self.b.binary(BinaryOp::Add, rest, extent);
        self.b.select(negative, above, rest)
    }

    /// A visible value, mostly a late one.
    pub(super) fn recent(&mut self) -> ValueId {
        let count = self.visible.len();
        let back = self.random.below(count).min(self.random.below(count));
        self.visible[count - 1 - back]
    }

    pub(super) fn literal(&mut self, dtype: DType) -> ValueId {
        let literal = self.random.scalar(dtype).to_literal();
        self.b.literal(literal)
    }

    /// A value of a dtype, from here or there.
    pub(super) fn operand(&mut self, dtype: DType) -> ValueId {
        for _ in 0..4 {
            let value = self.recent();
            if self.b.dtype(value) == dtype {
                return value;
            }
        }
        match self.random.below(4) {
            0 => self.literal(dtype),
            1 if dtype == DType::Bool => self.comparison(),
            2 => {
                let variables = &self.b.kernel().variables;
                let fitting: Vec<VariableId> = self
                    .variables
                    .iter()
                    .copied()
                    .filter(|variable| variables[variable.index()].dtype == dtype)
                    .collect();
                if fitting.is_empty() {
                    return self.literal(dtype);
                }
                let variable = self.random.pick(&fitting);
                self.b.get(variable)
            }
            _ => {
                let value = self.recent();
                self.b.convert(value, dtype)
            }
        }
    }

    /// A dtype of values that the test accepts and that may be calculated with.
    fn dtype_for(&mut self, accepts: impl Fn(DType) -> bool) -> Option<DType> {
        let calculable = |dtype: DType| !self.config.core || dtype != DType::Float16;
        let fitting: Vec<DType> = self
            .dtypes
            .iter()
            .copied()
            .filter(|&dtype| calculable(dtype) && accepts(dtype))
            .collect();
        (!fitting.is_empty()).then(|| self.random.pick(&fitting))
    }

    fn comparison(&mut self) -> ValueId {
        let op = self.random.pick(CompareOp::ALL);
        let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        let dtype = self
            .dtype_for(|dtype| equality || dtype.kind() != Kind::Complex)
            .expect("all but complex numbers are ordered");
        let (a, b) = (self.recent_as(dtype), self.recent_as(dtype));
        self.b.compare(op, a, b)
    }

    /// A recent value as another dtype. Unlike `operand` it makes no comparison.
    fn recent_as(&mut self, dtype: DType) -> ValueId {
        if self.random.once_in(4) {
            return self.literal(dtype);
        }
        let value = self.recent();
        self.b.convert(value, dtype)
    }

    pub(super) fn operation(&mut self) -> ValueId {
        match self.random.below(17) {
            0 => {
                let dtype = self.random.pick(&self.dtypes);
                self.literal(dtype)
            }
            1 if !self.scalars.is_empty() => {
                let param = self.random.pick(&self.scalars);
                let dtype = self.b.kernel().params[param.index()].kind.dtype();
                let complex = dtype.kind() == Kind::Complex;
                let part = if complex && (self.config.core || self.random.once_in(3)) {
                    self.random.pick(&[Part::Real, Part::Imaginary])
                } else {
                    Part::Whole
                };
                self.b.op(Op::Param(param, part))
            }
            2 => self.index(),
            3 => {
                let variable = self.random.pick(&self.variables);
                self.b.get(variable)
            }
            4 | 5 => self.unary(),
            6..=9 => self.binary(),
            10 => self.comparison(),
            11 => {
                let condition = self.operand(DType::Bool);
                let dtype = self.random.pick(&self.dtypes);
                let (a, b) = (self.operand(dtype), self.operand(dtype));
                self.b.select(condition, a, b)
            }
            12 => {
                let value = self.recent();
                let dtype = self.random.pick(&self.dtypes);
                self.b.convert(value, dtype)
            }
            13 if self.config.allow_complex && !self.config.core => {
                let dtype = self.random.pick(&[DType::Float32, DType::Float64]);
                let (re, im) = (self.operand(dtype), self.operand(dtype));
                self.b.op(Op::Complex(re, im))
            }
            14 => self.bitcast(),
            _ => self.math(),
        }
    }

    /// A value's bits as another dtype.
    fn bitcast(&mut self) -> ValueId {
        let from = self
            .dtype_for(|dtype| matches!(dtype.kind(), Kind::Int | Kind::UInt | Kind::Float))
            .expect("there are always floats");
        let fitting: Vec<DType> = self
            .dtypes
            .iter()
            .copied()
            .filter(|to| {
                to.itemsize() == from.itemsize()
                    && matches!(to.kind(), Kind::Int | Kind::UInt | Kind::Float)
            })
            .collect();
        let to = self.random.pick(&fitting);
        let mut value = self.operand(from);
        if from.kind() == Kind::Float {
            value = self.without_nan(value);
        }
        self.b.bitcast(value, to)
    }

    fn index(&mut self) -> ValueId {
        let axis = self.random.below(self.b.kernel().rank.into()) as u8;
        if self.random.once_in(4) {
            let array = self.random.pick(&self.inputs);
            let rank = array.rank(self.b.kernel()).expect("the array exists");
            if rank > 0 {
                let axis = self.random.below(rank.into()) as u8;
                return self.b.extent(array, axis);
            }
        }
        let global = [IndexFunction::GlobalId, IndexFunction::GlobalSize];
        let functions = if self.config.nd_range {
            IndexFunction::ALL
        } else {
            &global
        };
        let function = self.random.pick(functions);
        self.b.index(function, axis)
    }

    fn unary(&mut self) -> ValueId {
        let op = self.random.pick(UnaryOp::ALL);
        let exact = self.config.exact;
        let accepts = |dtype: DType| {
            // The magnitude of a complex number is a function like others.
            let inexact = op == UnaryOp::Abs && dtype.kind() == Kind::Complex;
            op.result(dtype).is_some() && !(exact && inexact)
        };
        let Some(dtype) = self.dtype_for(accepts) else {
            return self.comparison();
        };
        let mut operand = self.operand(dtype);
        if op == UnaryOp::SignBit {
            operand = self.without_nan(operand);
        }
        self.b.unary(op, operand)
    }

    /// The bits of a NaN are not specified, so nothing may look at them.
    fn without_nan(&mut self, value: ValueId) -> ValueId {
        let one = Literal::small(self.b.dtype(value), 1);
        let one = self.b.literal(one);
        let nan = self.b.unary(UnaryOp::IsNan, value);
        self.b.select(nan, one, value)
    }

    fn binary(&mut self) -> ValueId {
        let op = self.random.pick(BinaryOp::ALL);
        let core = self.config.core;
        let exact = self.config.exact;
        let accepts = |dtype: DType| {
            let not_core = matches!(
                op,
                BinaryOp::FloorDivide | BinaryOp::Modulo | BinaryOp::Power
            );
            let inexact =
                op == BinaryOp::Power && matches!(dtype.kind(), Kind::Float | Kind::Complex);
            op.takes(dtype) && !(core && not_core) && !(exact && inexact)
        };
        let Some(dtype) = self.dtype_for(accepts) else {
            return self.comparison();
        };
        let (a, b) = (self.operand(dtype), self.operand(dtype));
        let result = self.b.binary(op, a, b);
        let chooses = matches!(op, BinaryOp::Minimum | BinaryOp::Maximum);
        if chooses && dtype.kind() == Kind::Float {
            // Which zero of two comes out is not specified; adding 0.0 makes it the positive one.
            let zero = self.b.literal(Literal::zero(dtype));
            return self.b.binary(BinaryOp::Add, result, zero);
        }
        result
    }

    fn math(&mut self) -> ValueId {
        let function = if self.config.exact {
            self.random.pick(&EXACT)
        } else {
            self.random.pick(MathFunction::ALL)
        };
        let dtype = self
            .dtype_for(|dtype| dtype.kind() == Kind::Float)
            .expect("there are always floats");
        let mut operands: Vec<ValueId> =
            (0..function.arity()).map(|_| self.operand(dtype)).collect();
        if function == MathFunction::CopySign {
            operands[1] = self.without_nan(operands[1]);
        }
        self.b.math(function, &operands)
    }
}
