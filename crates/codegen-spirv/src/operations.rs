//! Pure operations, except conversions.

use crate::entry_point::{Generator, bits, value_type};
use crate::module_writer::Type;
use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kind, MathFunction, Op as Operation,
    ParamId, Part, UnaryOp,
};
use rspirv::spirv::{BuiltIn, CLOp, Op, Word};

impl Generator<'_> {
    /// The value of an operation.
    pub fn operation(&mut self, operation: &Operation) -> Word {
        let operands: Vec<Word> = operation
            .operands()
            .iter()
            .map(|operand| self.values[operand.index()])
            .collect();
        match operation {
            Operation::Literal(literal) => self.literal(*literal),
            Operation::Param(param, part) => self.scalar(*param, *part),
            Operation::Extent(array, axis) => self.extent(*array, (*axis).into()),
            Operation::Get(variable) => self.get_variable(variable.index()),
            Operation::Index(function, axis) => self.index(*function, *axis),
            Operation::Unary(op, a) => self.unary(*op, self.kernel.dtype(*a), operands[0]),
            Operation::Binary(op, a, _) => {
                self.binary(*op, self.kernel.dtype(*a), operands[0], operands[1])
            }
            Operation::Compare(op, a, _) => {
                self.compare(*op, self.kernel.dtype(*a), operands[0], operands[1])
            }
            Operation::Select(_, a, _) => {
                let ty = value_type(self.kernel.dtype(*a));
                self.out.op(Op::Select, ty, &operands)
            }
            Operation::Convert(a, to) => self.convert(self.kernel.dtype(*a), *to, operands[0]),
            Operation::Bitcast(a, to) => {
                let (from, to) = (value_type(self.kernel.dtype(*a)), value_type(*to));
                if from == to {
                    operands[0]
                } else {
                    self.out.op(Op::Bitcast, to, &[operands[0]])
                }
            }
            Operation::Math(function, of) => {
                let ty = value_type(self.kernel.dtype(of[0]));
                self.out.open_cl(math(*function), ty, &operands)
            }
            Operation::Complex(..) => unreachable!("core has no complex values"),
        }
    }

    /// A scalar argument: the low bytes of its slot.
    fn scalar(&mut self, param: ParamId, part: Part) -> Word {
        let slot = self.kernel.slot(param);
        let whole = self.kernel.params[param.index()].kind.dtype();
        let dtype = part.of(whole).expect("a verified part exists");
        let mut word = self.slots[slot];
        if part == Part::Imaginary {
            if whole == DType::Complex128 {
                word = self.slots[slot + 1];
            } else {
                let half = self.out.int(64, 32);
                let shift = Op::ShiftRightLogical;
                word = self.out.op(shift, Type::Int(64), &[word, half]);
            }
        }
        let width = bits(dtype);
        if width < 64 {
            word = self.out.op(Op::UConvert, Type::Int(width), &[word]);
        }
        match value_type(dtype) {
            Type::Bool => self.decode(dtype, word),
            float @ Type::Float(_) => self.out.op(Op::Bitcast, float, &[word]),
            _ => word,
        }
    }

    fn extent(&mut self, array: ArrayRef, axis: usize) -> Word {
        match array {
            ArrayRef::Param(param) => self.slots[self.kernel.slot(param) + 1 + axis],
            ArrayRef::Storage(storage) => {
                let extent = self.kernel.storage[storage.index()].shape[axis];
                self.out.int(64, extent.into())
            }
            ArrayRef::Local(_) => unreachable!("host kernels are refused"),
        }
    }

    /// Where the item is.
    pub fn index(&mut self, function: IndexFunction, axis: u8) -> Word {
        if function == IndexFunction::GlobalSize
            && let Some(&extent) = self.space.get(usize::from(axis))
        {
            return extent;
        }
        let which = match function {
            IndexFunction::GlobalId => BuiltIn::GlobalInvocationId,
            IndexFunction::GlobalSize => BuiltIn::GlobalSize,
            IndexFunction::LocalId => BuiltIn::LocalInvocationId,
            IndexFunction::LocalSize => BuiltIn::WorkgroupSize,
            IndexFunction::GroupId => BuiltIn::WorkgroupId,
            IndexFunction::NumGroups => BuiltIn::NumWorkgroups,
        };
        let component = self.kernel.rank - 1 - axis;
        self.out.built_in(which, component.into())
    }

    fn unary(&mut self, op: UnaryOp, dtype: DType, a: Word) -> Word {
        let ty = value_type(dtype);
        let float = dtype.kind() == Kind::Float;
        match op {
            UnaryOp::Negate if float => self.negate(dtype, a),
            UnaryOp::Negate => self.out.op(Op::SNegate, ty, &[a]),
            UnaryOp::Not => self.out.op(Op::LogicalNot, ty, &[a]),
            UnaryOp::BitNot => self.out.op(Op::Not, ty, &[a]),
            UnaryOp::Abs if float => self.out.open_cl(CLOp::fabs, ty, &[a]),
            UnaryOp::Abs if dtype.kind() == Kind::UInt => a,
            UnaryOp::Abs => {
                let zero = self.out.int(bits(dtype), 0);
                let negative = self.out.op(Op::SLessThan, Type::Bool, &[a, zero]);
                let opposite = self.out.op(Op::SNegate, ty, &[a]);
                self.out.op(Op::Select, ty, &[negative, opposite, a])
            }
            UnaryOp::IsNan => self.is_nan(a),
            UnaryOp::IsInf | UnaryOp::IsFinite => {
                let infinity = self.out.float(bits(dtype), f64::INFINITY);
                let size = self.out.open_cl(CLOp::fabs, ty, &[a]);
                let compare = match op {
                    UnaryOp::IsInf => Op::FOrdEqual,
                    _ => Op::FOrdLessThan,
                };
                self.out.op(compare, Type::Bool, &[size, infinity])
            }
            UnaryOp::SignBit => {
                let word = Type::Int(bits(dtype));
                let pattern = self.out.op(Op::Bitcast, word, &[a]);
                let zero = self.out.int(bits(dtype), 0);
                self.out.op(Op::SLessThan, Type::Bool, &[pattern, zero])
            }
            UnaryOp::Real | UnaryOp::Imaginary => unreachable!("core has no complex values"),
        }
    }

    /// The opposite of a float.
    ///
    /// Intel's compiler for CPUs computes values that are used on both sides of a barrier twice
    /// rather than keep them, and then takes a negation's operand from another item, or crashes. It
    /// makes negations of all that it sees to be one, but not of this.
    fn negate(&mut self, dtype: DType, a: Word) -> Word {
        let ty = value_type(dtype);
        if !self.has_barriers {
            return self.out.op(Op::FNegate, ty, &[a]);
        }
        let minus_one = self.out.float(bits(dtype), -1.0);
        let minus_zero = self.out.float(bits(dtype), -0.0);
        self.out.open_cl(CLOp::fma, ty, &[a, minus_one, minus_zero])
    }

    /// The operand that this operation is the negation of.
    fn negated(&mut self, op: BinaryOp, dtype: DType, a: Word, b: Word) -> Option<Word> {
        let minus_one = self.out.float(bits(dtype), -1.0);
        let minus_zero = self.out.float(bits(dtype), -0.0);
        match op {
            BinaryOp::Multiply | BinaryOp::Divide if b == minus_one => Some(a),
            BinaryOp::Multiply if a == minus_one => Some(b),
            BinaryOp::Subtract if a == minus_zero => Some(b),
            _ => None,
        }
    }

    /// Whether a float is NaN.
    pub fn is_nan(&mut self, a: Word) -> Word {
        self.out.op(Op::FUnordNotEqual, Type::Bool, &[a, a])
    }

    /// A binary operation of two values of one dtype.
    pub fn binary(&mut self, op: BinaryOp, dtype: DType, a: Word, b: Word) -> Word {
        let ty = value_type(dtype);
        let kind = dtype.kind();
        if self.has_barriers
            && let Type::Float(_) = ty
            && let Some(negated) = self.negated(op, dtype, a, b)
        {
            return self.negate(dtype, negated);
        }
        let pick = |float: Op, int: Op| if kind == Kind::Float { float } else { int };
        let logical = |truth: Op, int: Op| if kind == Kind::Bool { truth } else { int };
        let simple = match op {
            BinaryOp::Add => pick(Op::FAdd, Op::IAdd),
            BinaryOp::Subtract => pick(Op::FSub, Op::ISub),
            BinaryOp::Multiply => pick(Op::FMul, Op::IMul),
            BinaryOp::Divide => Op::FDiv,
            BinaryOp::BitAnd => logical(Op::LogicalAnd, Op::BitwiseAnd),
            BinaryOp::BitOr => logical(Op::LogicalOr, Op::BitwiseOr),
            BinaryOp::BitXor => logical(Op::LogicalNotEqual, Op::BitwiseXor),
            BinaryOp::Quotient | BinaryOp::Remainder => return self.divide(op, dtype, a, b),
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => return self.shift(op, dtype, a, b),
            BinaryOp::Minimum | BinaryOp::Maximum => return self.extreme(op, dtype, a, b),
            BinaryOp::FloorDivide | BinaryOp::Modulo | BinaryOp::Power => {
                unreachable!("core has no {}", op.name())
            }
        };
        self.out.op(simple, ty, &[a, b])
    }

    /// Divides by 1 where the divisor must not be used: that gives the remainder 0 that is wanted
    /// in both cases, and the quotient for `MIN / -1`.
    fn divide(&mut self, op: BinaryOp, dtype: DType, a: Word, b: Word) -> Word {
        let (ty, width) = (value_type(dtype), bits(dtype));
        let signed = dtype.kind() == Kind::Int;
        let (zero, one) = (self.out.int(width, 0), self.out.int(width, 1));
        let by_zero = self.out.op(Op::IEqual, Type::Bool, &[b, zero]);
        let mut avoid = by_zero;
        if signed {
            let lowest = self.out.int(width, 1 << (width - 1));
            let minus_one = self.out.int(width, u64::MAX);
            let lowest = self.out.op(Op::IEqual, Type::Bool, &[a, lowest]);
            let opposite = self.out.op(Op::IEqual, Type::Bool, &[b, minus_one]);
            let overflow = self.out.op(Op::LogicalAnd, Type::Bool, &[lowest, opposite]);
            avoid = self.out.op(Op::LogicalOr, Type::Bool, &[avoid, overflow]);
        }
        let divisor = self.out.op(Op::Select, ty, &[avoid, one, b]);
        match (op, signed) {
            (BinaryOp::Remainder, true) => self.out.op(Op::SRem, ty, &[a, divisor]),
            (BinaryOp::Remainder, false) => self.out.op(Op::UMod, ty, &[a, divisor]),
            (_, signed) => {
                let op = if signed { Op::SDiv } else { Op::UDiv };
                let quotient = self.out.op(op, ty, &[a, divisor]);
                self.out.op(Op::Select, ty, &[by_zero, zero, quotient])
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, dtype: DType, a: Word, b: Word) -> Word {
        let (ty, width) = (value_type(dtype), bits(dtype));
        let limit = self.out.int(width, width.into());
        let zero = self.out.int(width, 0);
        // A negative distance is a large one without its sign.
        let beyond = self.out.op(Op::UGreaterThanEqual, Type::Bool, &[b, limit]);
        if op == BinaryOp::ShiftRight && dtype.kind() == Kind::Int {
            let most = self.out.int(width, (width - 1).into());
            let distance = self.out.op(Op::Select, ty, &[beyond, most, b]);
            return self.out.op(Op::ShiftRightArithmetic, ty, &[a, distance]);
        }
        let distance = self.out.op(Op::Select, ty, &[beyond, zero, b]);
        let shift = match op {
            BinaryOp::ShiftLeft => Op::ShiftLeftLogical,
            _ => Op::ShiftRightLogical,
        };
        let shifted = self.out.op(shift, ty, &[a, distance]);
        self.out.op(Op::Select, ty, &[beyond, zero, shifted])
    }

    /// The smaller or the larger. Of floats, the first if it is NaN; if only the second is, no
    /// comparison holds, and that one is taken.
    fn extreme(&mut self, op: BinaryOp, dtype: DType, a: Word, b: Word) -> Word {
        let order = match op {
            BinaryOp::Minimum => CompareOp::Less,
            _ => CompareOp::Greater,
        };
        let mut first = self.compare(order, dtype, a, b);
        if dtype.kind() == Kind::Float {
            let nan = self.is_nan(a);
            first = self.out.op(Op::LogicalOr, Type::Bool, &[first, nan]);
        }
        self.out.op(Op::Select, value_type(dtype), &[first, a, b])
    }

    /// A comparison of two values of one dtype.
    pub fn compare(&mut self, op: CompareOp, dtype: DType, a: Word, b: Word) -> Word {
        let truth = Type::Bool;
        let instruction = match (dtype.kind(), op) {
            (Kind::Bool, _) => return self.compare_truths(op, a, b),
            (Kind::Float, CompareOp::Equal) => Op::FOrdEqual,
            (Kind::Float, CompareOp::NotEqual) => Op::FUnordNotEqual,
            (Kind::Float, CompareOp::Less) => Op::FOrdLessThan,
            (Kind::Float, CompareOp::LessEqual) => Op::FOrdLessThanEqual,
            (Kind::Float, CompareOp::Greater) => Op::FOrdGreaterThan,
            (Kind::Float, CompareOp::GreaterEqual) => Op::FOrdGreaterThanEqual,
            (_, CompareOp::Equal) => Op::IEqual,
            (_, CompareOp::NotEqual) => Op::INotEqual,
            (Kind::Int, CompareOp::Less) => Op::SLessThan,
            (Kind::Int, CompareOp::LessEqual) => Op::SLessThanEqual,
            (Kind::Int, CompareOp::Greater) => Op::SGreaterThan,
            (Kind::Int, CompareOp::GreaterEqual) => Op::SGreaterThanEqual,
            (_, CompareOp::Less) => Op::ULessThan,
            (_, CompareOp::LessEqual) => Op::ULessThanEqual,
            (_, CompareOp::Greater) => Op::UGreaterThan,
            (_, CompareOp::GreaterEqual) => Op::UGreaterThanEqual,
        };
        self.out.op(instruction, truth, &[a, b])
    }

    fn compare_truths(&mut self, op: CompareOp, a: Word, b: Word) -> Word {
        let truth = Type::Bool;
        match op {
            CompareOp::Equal => self.out.op(Op::LogicalEqual, truth, &[a, b]),
            CompareOp::NotEqual => self.out.op(Op::LogicalNotEqual, truth, &[a, b]),
            CompareOp::Greater => self.compare_truths(CompareOp::Less, b, a),
            CompareOp::GreaterEqual => self.compare_truths(CompareOp::LessEqual, b, a),
            CompareOp::Less | CompareOp::LessEqual => {
                let join = match op {
                    CompareOp::Less => Op::LogicalAnd,
                    _ => Op::LogicalOr,
                };
                let not_a = self.out.op(Op::LogicalNot, truth, &[a]);
                self.out.op(join, truth, &[not_a, b])
            }
        }
    }
}

fn math(function: MathFunction) -> CLOp {
    match function {
        MathFunction::Sqrt => CLOp::sqrt,
        MathFunction::ReciprocalSqrt => CLOp::rsqrt,
        MathFunction::Cbrt => CLOp::cbrt,
        MathFunction::Exp => CLOp::exp,
        MathFunction::Exp2 => CLOp::exp2,
        MathFunction::Expm1 => CLOp::expm1,
        MathFunction::Log => CLOp::log,
        MathFunction::Log2 => CLOp::log2,
        MathFunction::Log10 => CLOp::log10,
        MathFunction::Log1p => CLOp::log1p,
        MathFunction::Sin => CLOp::sin,
        MathFunction::Cos => CLOp::cos,
        MathFunction::Tan => CLOp::tan,
        MathFunction::Asin => CLOp::asin,
        MathFunction::Acos => CLOp::acos,
        MathFunction::Atan => CLOp::atan,
        MathFunction::Sinh => CLOp::sinh,
        MathFunction::Cosh => CLOp::cosh,
        MathFunction::Tanh => CLOp::tanh,
        MathFunction::Asinh => CLOp::asinh,
        MathFunction::Acosh => CLOp::acosh,
        MathFunction::Atanh => CLOp::atanh,
        MathFunction::Erf => CLOp::erf,
        MathFunction::Erfc => CLOp::erfc,
        MathFunction::Gamma => CLOp::tgamma,
        MathFunction::LogGamma => CLOp::lgamma,
        MathFunction::Floor => CLOp::floor,
        MathFunction::Ceil => CLOp::ceil,
        MathFunction::Truncate => CLOp::trunc,
        MathFunction::RoundEven => CLOp::rint,
        MathFunction::Power => CLOp::pow,
        MathFunction::Atan2 => CLOp::atan2,
        MathFunction::Hypot => CLOp::hypot,
        MathFunction::CopySign => CLOp::copysign,
        MathFunction::Fmod => CLOp::fmod,
        MathFunction::NextAfter => CLOp::nextafter,
        MathFunction::Fma => CLOp::fma,
    }
}
