//! Pure operations, and the dtype each has.

use crate::{ArrayRef, DType, Kernel, Kind, Literal, ParamId, ParamKind, ValueId, VariableId};
use smallvec::SmallVec;

/// An operation without side effects.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// A constant.
    Literal(Literal),
    /// A scalar parameter, or half of a complex one.
    Param(ParamId, Part),
    /// How many elements an array has along an axis: int64.
    Extent(ArrayRef, u8),
    /// What a variable holds now.
    Get(VariableId),
    /// Where the item is in the index space: int64.
    Index(IndexFunction, u8),
    /// Of one operand.
    Unary(UnaryOp, ValueId),
    /// Of two operands of one dtype.
    Binary(BinaryOp, ValueId, ValueId),
    /// A truth value from two operands of one dtype.
    Compare(CompareOp, ValueId, ValueId),
    /// The second if the first (a bool) is true, else the third.
    Select(ValueId, ValueId, ValueId),
    /// The operand as another dtype.
    Convert(ValueId, DType),
    /// The operand's bits as another dtype. Both are integers or floats of the same size.
    Bitcast(ValueId, DType),
    /// A function of floats; operands and result have one dtype.
    Math(MathFunction, SmallVec<[ValueId; 2]>),
    /// A complex number of two floats.
    Complex(ValueId, ValueId),
}

/// All of a number, or half of a complex one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)]
pub enum Part {
    #[default]
    Whole,
    Real,
    Imaginary,
}

impl Part {
    /// The dtype of this part of a number; `None` if it has no such part.
    pub fn of(self, dtype: DType) -> Option<DType> {
        match (self, dtype) {
            (Part::Whole, _) => Some(dtype),
            (_, DType::Complex64) => Some(DType::Float32),
            (_, DType::Complex128) => Some(DType::Float64),
            _ => None,
        }
    }
}

/// Names for all variants, in the IR's text and in messages.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum $name { $($(#[$vdoc])* $variant),* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The name in the IR's text.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }
    };
}
pub(crate) use names;

names! {
    /// What an item can ask about the index space.
    IndexFunction {
        /// Its position in the whole space.
        GlobalId = "global_id",
        /// The extent of the whole space.
        GlobalSize = "global_size",
        /// Its position in its group.
        LocalId = "local_id",
        /// The extent of a group.
        LocalSize = "local_size",
        /// The position of its group.
        GroupId = "group_id",
        /// How many groups there are.
        NumGroups = "num_groups",
    }
}

names! {
    /// Operations of one operand.
    UnaryOp {
        /// `-x`; not for bool.
        Negate = "neg",
        /// Of a bool.
        Not = "not",
        /// `~x` of an integer.
        BitNot = "bit_not",
        /// The magnitude. Of a complex number it is a float, of the smallest integer itself.
        Abs = "abs",
        /// Whether a float is NaN.
        IsNan = "is_nan",
        /// Whether a float is an infinity.
        IsInf = "is_inf",
        /// Whether a float is neither.
        IsFinite = "is_finite",
        /// Whether a float has its sign bit set, as -0.0 has.
        SignBit = "sign_bit",
        /// The real part of a complex number.
        Real = "real",
        /// The imaginary part of a complex number.
        Imaginary = "imag",
    }
}

names! {
    /// Operations of two operands of one dtype, which the result has too.
    BinaryOp {
        /// Integers, floats, complex.
        Add = "add",
        /// Integers, floats, complex.
        Subtract = "sub",
        /// Integers, floats, complex.
        Multiply = "mul",
        /// Floats, complex.
        Divide = "div",
        /// Integers and floats, rounding down.
        FloorDivide = "floor_div",
        /// Integers and floats, with the divisor's sign.
        Modulo = "mod",
        /// Integers, floats, complex.
        Power = "pow",
        /// Integers, rounding to zero.
        Quotient = "quotient",
        /// What [`BinaryOp::Quotient`] leaves.
        Remainder = "remainder",
        /// Integers, bools.
        BitAnd = "and",
        /// Integers, bools.
        BitOr = "or",
        /// Integers, bools.
        BitXor = "xor",
        /// Integers.
        ShiftLeft = "shl",
        /// Integers; keeps the sign of signed ones.
        ShiftRight = "shr",
        /// Integers, floats.
        Minimum = "min",
        /// Integers, floats.
        Maximum = "max",
    }
}

names! {
    /// Comparisons. Complex numbers know only the first two.
    CompareOp {
        /// `==`
        Equal = "eq",
        /// `!=`
        NotEqual = "ne",
        /// `<`
        Less = "lt",
        /// `<=`
        LessEqual = "le",
        /// `>`
        Greater = "gt",
        /// `>=`
        GreaterEqual = "ge",
    }
}

names! {
    /// How values of many items become one.
    ReductionOperator {
        /// Sum; of bools, whether any is true.
        Add = "add",
        /// Product; of bools, whether all are true.
        Multiply = "mul",
        /// The smallest; NaN if any is.
        Minimum = "min",
        /// The largest; NaN if any is.
        Maximum = "max",
        /// Integers, bools.
        BitAnd = "and",
        /// Integers, bools.
        BitOr = "or",
        /// Integers, bools.
        BitXor = "xor",
    }
}

impl ReductionOperator {
    /// The value that changes nothing.
    pub fn identity(self, dtype: DType) -> Literal {
        let bits = 8 * dtype.itemsize() as u32;
        let (lowest, highest) = match dtype.kind() {
            Kind::Bool => (Literal::Bool(false), Literal::Bool(true)),
            Kind::Int => (
                Literal::Int(dtype, -(1i128 << (bits - 1))),
                Literal::Int(dtype, (1i128 << (bits - 1)) - 1),
            ),
            Kind::UInt => (
                Literal::Int(dtype, 0),
                Literal::Int(dtype, (1i128 << bits) - 1),
            ),
            Kind::Float | Kind::Complex => (
                Literal::Float(dtype, f64::NEG_INFINITY),
                Literal::Float(dtype, f64::INFINITY),
            ),
        };
        match self {
            ReductionOperator::Add | ReductionOperator::BitOr | ReductionOperator::BitXor => {
                Literal::zero(dtype)
            }
            ReductionOperator::Multiply => Literal::small(dtype, 1),
            ReductionOperator::Minimum => highest,
            ReductionOperator::Maximum => lowest,
            ReductionOperator::BitAnd if dtype.kind() == Kind::Int => Literal::Int(dtype, -1),
            ReductionOperator::BitAnd => highest,
        }
    }

    /// The operation that combines two values of this dtype.
    pub fn operation(self, dtype: DType) -> BinaryOp {
        let truth = dtype.kind() == Kind::Bool;
        match self {
            ReductionOperator::Add | ReductionOperator::Maximum if truth => BinaryOp::BitOr,
            ReductionOperator::Multiply | ReductionOperator::Minimum if truth => BinaryOp::BitAnd,
            ReductionOperator::Add => BinaryOp::Add,
            ReductionOperator::Multiply => BinaryOp::Multiply,
            ReductionOperator::Minimum => BinaryOp::Minimum,
            ReductionOperator::Maximum => BinaryOp::Maximum,
            ReductionOperator::BitAnd => BinaryOp::BitAnd,
            ReductionOperator::BitOr => BinaryOp::BitOr,
            ReductionOperator::BitXor => BinaryOp::BitXor,
        }
    }

    /// Whether it combines values of this dtype.
    pub fn takes(self, dtype: DType) -> bool {
        use ReductionOperator::{BitAnd, BitOr, BitXor};
        match dtype.kind() {
            Kind::Bool | Kind::Int | Kind::UInt => true,
            Kind::Float => !matches!(self, BitAnd | BitOr | BitXor),
            Kind::Complex => false,
        }
    }
}

names! {
    /// Functions of floats, as the C library and the math module of Python know them.
    #[allow(missing_docs)]
    MathFunction {
        Sqrt = "sqrt",
        /// `1 / sqrt(x)`, up to a few units in the last place.
        ReciprocalSqrt = "rsqrt",
        Cbrt = "cbrt", Exp = "exp", Exp2 = "exp2", Expm1 = "expm1",
        Log = "log", Log2 = "log2", Log10 = "log10", Log1p = "log1p",
        Sin = "sin", Cos = "cos", Tan = "tan", Asin = "asin", Acos = "acos", Atan = "atan",
        Sinh = "sinh", Cosh = "cosh", Tanh = "tanh", Asinh = "asinh", Acosh = "acosh", Atanh = "atanh",
        Erf = "erf", Erfc = "erfc", Gamma = "gamma", LogGamma = "lgamma",
        Floor = "floor", Ceil = "ceil", Truncate = "trunc",
        /// To the nearest integer, halves to even.
        RoundEven = "rint",
        Power = "pow", Atan2 = "atan2", Hypot = "hypot", CopySign = "copysign",
        /// With the sign of the first operand, as C's `fmod`.
        Fmod = "fmod",
        NextAfter = "nextafter",
        /// `a * b + c`, rounded once.
        Fma = "fma",
    }
}

impl MathFunction {
    /// How many operands it takes.
    pub const fn arity(self) -> usize {
        match self {
            MathFunction::Power
            | MathFunction::Atan2
            | MathFunction::Hypot
            | MathFunction::CopySign
            | MathFunction::Fmod
            | MathFunction::NextAfter => 2,
            MathFunction::Fma => 3,
            _ => 1,
        }
    }
}

impl Op {
    /// The operands, in order.
    pub fn operands(&self) -> SmallVec<[ValueId; 3]> {
        match self {
            Op::Literal(_) | Op::Param(..) | Op::Extent(..) | Op::Get(_) | Op::Index(..) => {
                SmallVec::new()
            }
            Op::Unary(_, a) | Op::Convert(a, _) | Op::Bitcast(a, _) => SmallVec::from_slice(&[*a]),
            Op::Binary(_, a, b) | Op::Compare(_, a, b) | Op::Complex(a, b) => {
                SmallVec::from_slice(&[*a, *b])
            }
            Op::Select(c, a, b) => SmallVec::from_slice(&[*c, *a, *b]),
            Op::Math(_, operands) => SmallVec::from_slice(operands),
        }
    }

    /// Puts other values in the place of its operands.
    pub fn replace_operands(&mut self, other: &mut dyn FnMut(ValueId) -> ValueId) {
        match self {
            Op::Literal(_) | Op::Param(..) | Op::Extent(..) | Op::Get(_) | Op::Index(..) => {}
            Op::Unary(_, a) | Op::Convert(a, _) | Op::Bitcast(a, _) => *a = other(*a),
            Op::Binary(_, a, b) | Op::Compare(_, a, b) | Op::Complex(a, b) => {
                *a = other(*a);
                *b = other(*b);
            }
            Op::Select(c, a, b) => {
                for operand in [c, a, b] {
                    *operand = other(*operand);
                }
            }
            Op::Math(_, operands) => {
                for operand in operands {
                    *operand = other(*operand);
                }
            }
        }
    }

    /// The dtype of its result in a kernel, or what is wrong with it. Operands must exist.
    pub fn dtype(&self, kernel: &Kernel) -> Result<DType, String> {
        let dtype = |value: &ValueId| kernel.dtype(*value);
        let same = |a: &ValueId, b: &ValueId| {
            let (a, b) = (dtype(a), dtype(b));
            if a == b {
                Ok(a)
            } else {
                Err(format!("its operands are {a} and {b}"))
            }
        };
        match self {
            Op::Literal(literal) if literal.is_valid() => Ok(literal.dtype()),
            Op::Literal(literal) => Err(format!("{literal:?} does not fit its dtype")),
            Op::Param(param, part) => match kernel.params.get(param.index()).map(|p| p.kind) {
                Some(ParamKind::Scalar(dtype)) => part
                    .of(dtype)
                    .ok_or_else(|| format!("{dtype} has no parts")),
                Some(ParamKind::Array { .. }) => Err(format!("{param:?} is an array")),
                None => Err(format!("there is no parameter {param:?}")),
            },
            Op::Extent(array, axis) => match array.rank(kernel) {
                Some(rank) if *axis < rank => Ok(DType::Int64),
                Some(rank) => Err(format!("axis {axis} of an array of rank {rank}")),
                None => Err(format!("{array:?} is no array")),
            },
            Op::Get(variable) => kernel
                .variables
                .get(variable.index())
                .map(|variable| variable.dtype)
                .ok_or_else(|| format!("there is no variable {variable:?}")),
            Op::Index(function, axis) => {
                let global = [IndexFunction::GlobalId, IndexFunction::GlobalSize];
                if *axis >= kernel.rank {
                    return Err(format!(
                        "axis {axis} of an index space of rank {}",
                        kernel.rank
                    ));
                }
                if kernel.is_host() {
                    return Err(format!("a host kernel has no {}", function.name()));
                }
                if !kernel.is_nd_range() && !global.contains(function) {
                    return Err(format!("a region has no {}", function.name()));
                }
                Ok(DType::Int64)
            }
            Op::Unary(op, a) => op
                .result(dtype(a))
                .ok_or_else(|| format!("{} of {}", op.name(), dtype(a))),
            Op::Binary(op, a, b) => {
                let dtype = same(a, b)?;
                let taken = op.takes(dtype);
                taken
                    .then_some(dtype)
                    .ok_or_else(|| format!("{} of {dtype}", op.name()))
            }
            Op::Compare(op, a, b) => {
                let dtype = same(a, b)?;
                let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
                if dtype.kind() == Kind::Complex && !equality {
                    return Err(format!("{} of {dtype}", op.name()));
                }
                Ok(DType::Bool)
            }
            Op::Select(c, a, b) if dtype(c) == DType::Bool => same(a, b),
            Op::Select(c, _, _) => Err(format!("its condition is {}", dtype(c))),
            Op::Convert(_, to) => Ok(*to),
            Op::Bitcast(a, to) => {
                let from = dtype(a);
                let has_bits =
                    |dtype: DType| matches!(dtype.kind(), Kind::Int | Kind::UInt | Kind::Float);
                if !has_bits(from) || !has_bits(*to) || from.itemsize() != to.itemsize() {
                    return Err(format!("the bits of {from} as {to}"));
                }
                Ok(*to)
            }
            Op::Math(function, operands) => {
                if operands.len() != function.arity() {
                    return Err(format!(
                        "{} takes {} operands",
                        function.name(),
                        function.arity()
                    ));
                }
                for operand in operands {
                    same(&operands[0], operand)?;
                }
                match dtype(&operands[0]) {
                    float if float.kind() == Kind::Float => Ok(float),
                    other => Err(format!("{} of {other}", function.name())),
                }
            }
            Op::Complex(re, im) => match same(re, im)? {
                DType::Float32 => Ok(DType::Complex64),
                DType::Float64 => Ok(DType::Complex128),
                other => Err(format!("a complex number of two {other}")),
            },
        }
    }
}

impl UnaryOp {
    /// The dtype it gives for an operand of this one; `None` if it does not take it.
    pub fn result(self, dtype: DType) -> Option<DType> {
        let taken = match self {
            UnaryOp::Negate => dtype.kind() != Kind::Bool,
            UnaryOp::Not => dtype.kind() == Kind::Bool,
            UnaryOp::BitNot => matches!(dtype.kind(), Kind::Int | Kind::UInt),
            UnaryOp::Abs => dtype.kind() != Kind::Bool,
            UnaryOp::IsNan | UnaryOp::IsInf | UnaryOp::IsFinite | UnaryOp::SignBit => {
                dtype.kind() == Kind::Float
            }
            UnaryOp::Real | UnaryOp::Imaginary => dtype.kind() == Kind::Complex,
        };
        let result = match self {
            UnaryOp::IsNan | UnaryOp::IsInf | UnaryOp::IsFinite | UnaryOp::SignBit => DType::Bool,
            UnaryOp::Real | UnaryOp::Imaginary => Part::Real.of(dtype)?,
            UnaryOp::Abs => Part::Real.of(dtype).unwrap_or(dtype),
            UnaryOp::Negate | UnaryOp::Not | UnaryOp::BitNot => dtype,
        };
        taken.then_some(result)
    }
}

impl BinaryOp {
    /// Whether it takes operands of this dtype.
    pub fn takes(self, dtype: DType) -> bool {
        let kind = dtype.kind();
        match self {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Power => {
                kind != Kind::Bool
            }
            BinaryOp::Divide => matches!(kind, Kind::Float | Kind::Complex),
            BinaryOp::FloorDivide | BinaryOp::Modulo | BinaryOp::Minimum | BinaryOp::Maximum => {
                matches!(kind, Kind::Int | Kind::UInt | Kind::Float)
            }
            BinaryOp::Quotient
            | BinaryOp::Remainder
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight => matches!(kind, Kind::Int | Kind::UInt),
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                matches!(kind, Kind::Int | Kind::UInt | Kind::Bool)
            }
        }
    }
}
