//! Pure operations.

use super::{ALIGNMENT, Argument, Emitter, Held};
use crate::lanes::Shape;
use crate::llvm::{IntPredicate, RealPredicate, Type, Value};
use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kind, Literal, Op, ParamId, Part, UnaryOp,
    ValueId,
};

impl Emitter<'_> {
    pub(super) fn operation(&mut self, value: ValueId, op: &Op) {
        let shape = self.lanes.value(value);
        let lanes = self.lanes_of(shape);
        let dtype = self.kernel.dtype(value);
        let result = match op {
            Op::Literal(literal) => self.literal(*literal),
            Op::Param(param, part) => self.scalar_argument(*param, *part),
            Op::Extent(array, axis) => self.extent(*array, *axis),
            Op::Get(variable) => self.get_variable(*variable),
            Op::Index(function, axis) => self.index_function(*function, *axis),
            Op::Unary(op, a) => {
                let from = self.kernel.dtype(*a);
                let a = self.operand(*a, shape);
                self.unary(*op, from, a, lanes)
            }
            Op::Binary(BinaryOp::Multiply, a, b) if matches!(shape, Shape::Linear(_)) => {
                let (a, b) = (self.scalar(*a), self.scalar(*b));
                self.m.mul(a, b)
            }
            Op::Binary(op, a, b) => {
                let literal = self.lanes.literal(*b);
                let (a, b) = (self.operand(*a, shape), self.operand(*b, shape));
                self.binary(*op, dtype, a, b, literal, lanes)
            }
            Op::Compare(op, a, b) => {
                let kind = self.kernel.dtype(*a);
                let (a, b) = (self.operand(*a, shape), self.operand(*b, shape));
                self.compare(*op, kind, a, b)
            }
            Op::Select(condition, around, index)
                if shape == Shape::Uniform
                    && let Some(extent) = self.lanes.checked(value) =>
            {
                self.checked_index(*condition, *around, *index, extent)
            }
            Op::Select(condition, a, b) => {
                let condition = match self.held(*condition) {
                    Held::Uniform(scalar) => scalar,
                    _ => self.vector(*condition),
                };
                let (a, b) = (self.operand(*a, shape), self.operand(*b, shape));
                self.m.select(condition, a, b)
            }
            Op::Convert(a, to) => {
                let from = self.kernel.dtype(*a);
                let a = self.operand(*a, shape);
                self.convert(a, from, *to, lanes)
            }
            Op::Bitcast(a, to) => {
                let a = self.operand(*a, shape);
                let kind = self.m.vector(self.scalar_type(*to), lanes);
                self.m.bitcast(a, kind)
            }
            Op::Math(function, operands) => {
                let operands: Vec<Value> = operands
                    .iter()
                    .map(|&operand| self.operand(operand, shape))
                    .collect();
                self.mathematics(*function, dtype, &operands, lanes)
            }
            Op::Complex(..) => unreachable!("core has no complex values"),
        };
        self.define(value, result);
    }

    /// An index that is counted from the end if it is negative, and is checked afterwards: most are inside as they are.
    /// Where that is asked first, the passes find that the check is over then. A histogram by a plain loop takes three
    /// quarters of the time.
    fn checked_index(
        &mut self,
        negative: ValueId,
        around: ValueId,
        index: ValueId,
        extent: ValueId,
    ) -> Value {
        let kind = self.scalar_type(DType::Int64);
        let (index, extent) = (self.scalar(index), self.scalar(extent));
        let slot = self.m.stack_slot(kind, ALIGNMENT);
        self.m.store(index, slot, ALIGNMENT);
        let (outside, end) = (self.m.block(), self.m.block());
        let inside = self.m.icmp(IntPredicate::LLVMIntULT, index, extent);
        self.m.branch_mostly(inside, end, outside);
        self.m.go_to(outside);
        let (negative, around) = (self.scalar(negative), self.scalar(around));
        let chosen = self.m.select(negative, around, index);
        self.m.store(chosen, slot, ALIGNMENT);
        self.m.branch(end);
        self.m.go_to(end);
        self.m.load(kind, slot, ALIGNMENT)
    }

    /// An operand in the form that a result of this shape is computed from.
    fn operand(&mut self, value: ValueId, shape: Shape) -> Value {
        match shape {
            Shape::Varying => self.vector(value),
            Shape::Uniform | Shape::Linear(_) => self.scalar(value),
        }
    }

    pub(super) fn literal(&self, literal: Literal) -> Value {
        let kind = self.scalar_type(literal.dtype());
        match literal {
            Literal::Bool(value) => self.m.const_int(kind, value.into()),
            Literal::Int(_, value) => self.m.const_int(kind, value as u64),
            Literal::Float(DType::Float32, value) if value.is_nan() => {
                self.float_bits(32, kind, u64::from((value as f32).to_bits()))
            }
            Literal::Float(DType::Float64, value) => self.float_bits(64, kind, value.to_bits()),
            Literal::Float(_, value) => self.m.const_float(kind, value),
            Literal::Complex(..) => unreachable!("core has no complex values"),
        }
    }

    fn float_bits(&self, bits: u32, kind: Type, value: u64) -> Value {
        let integer = self.m.const_int(self.m.int(bits), value);
        self.m.bitcast(integer, kind)
    }

    /// A scalar argument from the low bytes of its slots.
    fn scalar_argument(&mut self, param: ParamId, part: Part) -> Value {
        let dtype = self.kernel.params[param.index()].kind.dtype();
        let words = match &self.arguments[param.index()] {
            Argument::Words(words) => words,
            Argument::Scalar(scalar) => return *scalar,
            Argument::Array(_) => unreachable!("verified: the parameter is a scalar"),
        };
        let (word, dtype) = match (dtype, part) {
            (DType::Complex128, Part::Imaginary) => (words[1], DType::Float64),
            (DType::Complex128, _) => (words[0], DType::Float64),
            (DType::Complex64, Part::Imaginary) => {
                (self.m.lshr(words[0], self.m.i64(32)), DType::Float32)
            }
            (DType::Complex64, _) => (words[0], DType::Float32),
            (dtype, _) => (words[0], dtype),
        };
        self.word_to_scalar(word, dtype)
    }

    pub(super) fn word_to_scalar(&self, word: Value, dtype: DType) -> Value {
        let kind = self.scalar_type(dtype);
        let bits = 8 * dtype.itemsize() as u32;
        let narrow = |bits| match bits {
            64 => word,
            bits => self.m.trunc(word, self.m.int(bits)),
        };
        match dtype.kind() {
            Kind::Bool => {
                let byte = narrow(8);
                self.m
                    .icmp(IntPredicate::LLVMIntNE, byte, self.m.null(self.m.int(8)))
            }
            Kind::Float => self.m.bitcast(narrow(bits), kind),
            _ => narrow(bits),
        }
    }

    fn extent(&mut self, array: ArrayRef, axis: u8) -> Value {
        match array {
            ArrayRef::Param(param) => match &self.arguments[param.index()] {
                Argument::Array(array) => array.extents[axis as usize],
                _ => unreachable!("verified: the parameter is an array"),
            },
            ArrayRef::Storage(id) => {
                let extent = self.kernel.storage[id.index()].shape[axis as usize];
                self.m.i64(extent.into())
            }
            ArrayRef::Local(local) => self.local_extent(local, axis),
        }
    }

    fn index_function(&mut self, function: IndexFunction, axis: u8) -> Value {
        let position = self.position.as_ref().expect("an item has a position");
        let values = match function {
            IndexFunction::GlobalId => &position.global_id,
            IndexFunction::GlobalSize => &position.global_size,
            IndexFunction::LocalId => &position.local_id,
            IndexFunction::LocalSize => &position.local_size,
            IndexFunction::GroupId => &position.group_id,
            IndexFunction::NumGroups => &position.num_groups,
        };
        values[axis as usize]
    }

    fn unary(&mut self, op: UnaryOp, dtype: DType, a: Value, lanes: u32) -> Value {
        let kind = self.m.type_of(a);
        let float = dtype.kind() == Kind::Float;
        match op {
            UnaryOp::Negate if float => self.m.fneg(a),
            UnaryOp::Negate => self.m.neg(a),
            UnaryOp::Not | UnaryOp::BitNot => self.m.not(a),
            UnaryOp::Abs if float => self.m.intrinsic("llvm.fabs", &[kind], &[a]),
            UnaryOp::Abs if dtype.kind() == Kind::UInt => a,
            UnaryOp::Abs => {
                let defined = self.m.const_int(self.m.int(1), 0);
                self.m.intrinsic("llvm.abs", &[kind], &[a, defined])
            }
            UnaryOp::IsNan => self.m.fcmp(RealPredicate::LLVMRealUNO, a, a),
            UnaryOp::IsInf | UnaryOp::IsFinite => {
                let magnitude = self.m.intrinsic("llvm.fabs", &[kind], &[a]);
                let infinity = self.m.const_float(self.scalar_type(dtype), f64::INFINITY);
                let infinity = self.m.splat(infinity, lanes);
                let predicate = match op {
                    UnaryOp::IsInf => RealPredicate::LLVMRealOEQ,
                    _ => RealPredicate::LLVMRealOLT,
                };
                self.m.fcmp(predicate, magnitude, infinity)
            }
            UnaryOp::SignBit => {
                let bits = self.m.int(8 * dtype.itemsize() as u32);
                let integer = self.m.vector(bits, lanes);
                let a = self.m.bitcast(a, integer);
                self.m
                    .icmp(IntPredicate::LLVMIntSLT, a, self.m.null(integer))
            }
            UnaryOp::Real | UnaryOp::Imaginary => unreachable!("core has no complex values"),
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        dtype: DType,
        a: Value,
        b: Value,
        literal: Option<i64>,
        lanes: u32,
    ) -> Value {
        let float = dtype.kind() == Kind::Float;
        let signed = dtype.kind() == Kind::Int;
        let kind = self.m.type_of(a);
        let m = &self.m;
        match op {
            BinaryOp::Add if float => m.fadd(a, b),
            BinaryOp::Subtract if float => m.fsub(a, b),
            BinaryOp::Multiply if float => m.fmul(a, b),
            BinaryOp::Divide => m.fdiv(a, b),
            BinaryOp::Add => m.add(a, b),
            BinaryOp::Subtract => m.sub(a, b),
            BinaryOp::Multiply => m.mul(a, b),
            BinaryOp::BitAnd => m.and(a, b),
            BinaryOp::BitOr => m.or(a, b),
            BinaryOp::BitXor => m.xor(a, b),
            BinaryOp::Quotient | BinaryOp::Remainder => {
                self.integer_division(op, dtype, a, b, literal, lanes)
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let bits = 8 * dtype.itemsize() as u64;
                let scalar = self.scalar_type(dtype);
                let width = m.splat(m.const_int(scalar, bits), lanes);
                let within = m.icmp(IntPredicate::LLVMIntULT, b, width);
                let amount = m.select(within, b, m.null(kind));
                let (shifted, beyond) = match op {
                    BinaryOp::ShiftLeft => (m.shl(a, amount), m.null(kind)),
                    _ if signed => {
                        let last = m.splat(m.const_int(scalar, bits - 1), lanes);
                        (m.ashr(a, amount), m.ashr(a, last))
                    }
                    _ => (m.lshr(a, amount), m.null(kind)),
                };
                m.select(within, shifted, beyond)
            }
            BinaryOp::Minimum | BinaryOp::Maximum if float => {
                // As NumPy's and the interpreter's: the first operand if it is less or NaN.
                let predicate = match op {
                    BinaryOp::Minimum => RealPredicate::LLVMRealOLT,
                    _ => RealPredicate::LLVMRealOGT,
                };
                let first = m.fcmp(predicate, a, b);
                let nan = m.fcmp(RealPredicate::LLVMRealUNO, a, a);
                m.select(m.or(first, nan), a, b)
            }
            BinaryOp::Minimum | BinaryOp::Maximum => {
                let name = match (op, signed) {
                    (BinaryOp::Minimum, true) => "llvm.smin",
                    (BinaryOp::Minimum, false) => "llvm.umin",
                    (_, true) => "llvm.smax",
                    (_, false) => "llvm.umax",
                };
                m.intrinsic(name, &[kind], &[a, b])
            }
            BinaryOp::FloorDivide | BinaryOp::Modulo | BinaryOp::Power => {
                unreachable!("core has no {}", op.name())
            }
        }
    }

    /// The processor traps where the IR has results, so such divisors are replaced by 1.
    fn integer_division(
        &self,
        op: BinaryOp,
        dtype: DType,
        a: Value,
        b: Value,
        literal: Option<i64>,
        lanes: u32,
    ) -> Value {
        let m = &self.m;
        let signed = dtype.kind() == Kind::Int;
        let kind = m.type_of(a);
        let scalar = self.scalar_type(dtype);
        let quotient = op == BinaryOp::Quotient;
        let divide = |a, b| match (quotient, signed) {
            (true, true) => m.sdiv(a, b),
            (true, false) => m.udiv(a, b),
            (false, true) => m.srem(a, b),
            (false, false) => m.urem(a, b),
        };
        if literal.is_some_and(|divisor| divisor != 0 && divisor != -1) {
            return divide(a, b);
        }
        let zero = m.icmp(IntPredicate::LLVMIntEQ, b, m.null(kind));
        let mut replaced = zero;
        if signed {
            let bits = 8 * dtype.itemsize() as u32;
            let lowest = m.splat(m.const_int(scalar, 1u64 << (bits - 1)), lanes);
            let is_lowest = m.icmp(IntPredicate::LLVMIntEQ, a, lowest);
            let minus_one = m.icmp(IntPredicate::LLVMIntEQ, b, m.all_ones(kind));
            replaced = m.or(replaced, m.and(is_lowest, minus_one));
        }
        let one = m.splat(m.const_int(scalar, 1), lanes);
        let result = divide(a, m.select(replaced, one, b));
        m.select(zero, m.null(kind), result)
    }

    pub(super) fn compare(&self, op: CompareOp, dtype: DType, a: Value, b: Value) -> Value {
        use IntPredicate as I;
        use RealPredicate as R;
        if dtype.kind() == Kind::Float {
            let predicate = match op {
                CompareOp::Equal => R::LLVMRealOEQ,
                CompareOp::NotEqual => R::LLVMRealUNE,
                CompareOp::Less => R::LLVMRealOLT,
                CompareOp::LessEqual => R::LLVMRealOLE,
                CompareOp::Greater => R::LLVMRealOGT,
                CompareOp::GreaterEqual => R::LLVMRealOGE,
            };
            return self.m.fcmp(predicate, a, b);
        }
        let signed = dtype.kind() == Kind::Int;
        let predicate = match (op, signed) {
            (CompareOp::Equal, _) => I::LLVMIntEQ,
            (CompareOp::NotEqual, _) => I::LLVMIntNE,
            (CompareOp::Less, true) => I::LLVMIntSLT,
            (CompareOp::Less, false) => I::LLVMIntULT,
            (CompareOp::LessEqual, true) => I::LLVMIntSLE,
            (CompareOp::LessEqual, false) => I::LLVMIntULE,
            (CompareOp::Greater, true) => I::LLVMIntSGT,
            (CompareOp::Greater, false) => I::LLVMIntUGT,
            (CompareOp::GreaterEqual, true) => I::LLVMIntSGE,
            (CompareOp::GreaterEqual, false) => I::LLVMIntUGE,
        };
        self.m.icmp(predicate, a, b)
    }
}
