//! Atomic statements, lane by lane.

use super::memory::Element;
use super::{ALIGNMENT, Emitter, Held, Mask};
use crate::llvm::{AtomicBinOp, IntPredicate, Value};
use colocate_ir::{ArrayRef, AtomicOp, BinaryOp, DType, Kind, Place, ReductionOperator, ValueId};

impl Emitter<'_> {
    pub(super) fn atomic(
        &mut self,
        value: ValueId,
        op: AtomicOp,
        place: &Place,
        operand: ValueId,
        expected: Option<ValueId>,
    ) {
        let element = self.element(place);
        self.atomics_are_shared = !matches!(place.array, ArrayRef::Storage(_));
        if self.width == 1 {
            let operand = self.scalar(operand);
            let expected = expected.map(|expected| self.scalar(expected));
            let pointer = self.lane_pointer(element.address, 0);
            let before = self.atomic_step(op, element.dtype, pointer, operand, expected);
            self.define(value, before);
            return;
        }
        let operand = self.vector(operand);
        let expected = expected.map(|expected| self.vector(expected));
        let result = self
            .m
            .stack_slot(self.vector_type(element.dtype), ALIGNMENT);
        self.m.store(
            self.m.null(self.vector_type(element.dtype)),
            result,
            ALIGNMENT,
        );
        let mask = (self.mask == Mask::Slot).then(|| self.mask_value());
        for lane in 0..self.width {
            self.atomic_lane(op, &element, operand, expected, mask, result, lane);
        }
        let before = self
            .m
            .load(self.vector_type(element.dtype), result, ALIGNMENT);
        self.values[value.index()] = Some(Held::Varying(before));
        self.define(value, before);
    }

    #[allow(clippy::too_many_arguments)] // One lane's share of all that the statement has.
    fn atomic_lane(
        &mut self,
        op: AtomicOp,
        element: &Element,
        operand: Value,
        expected: Option<Value>,
        mask: Option<Value>,
        result: Value,
        lane: u32,
    ) {
        let index = self.m.i32(lane as i32);
        let after = mask.map(|mask| {
            let (on, after) = (self.m.block(), self.m.block());
            self.m
                .branch_if(self.m.extract_element(mask, index), on, after);
            self.m.go_to(on);
            after
        });
        let operand = self.m.extract_element(operand, index);
        let expected = expected.map(|expected| self.m.extract_element(expected, index));
        let pointer = self.lane_pointer(element.address, lane);
        let before = self.atomic_step(op, element.dtype, pointer, operand, expected);
        let kind = self.scalar_type(element.dtype);
        let slot = self.m.offset(kind, result, self.m.i64(lane.into()));
        self.m.store(before, slot, element.dtype.itemsize() as u32);
        if let Some(after) = after {
            self.m.branch(after);
            self.m.go_to(after);
        }
    }

    fn atomic_step(
        &mut self,
        op: AtomicOp,
        dtype: DType,
        pointer: Value,
        operand: Value,
        expected: Option<Value>,
    ) -> Value {
        use AtomicBinOp as A;
        if !self.atomics_are_shared {
            return self.plain_step(op, dtype, pointer, operand, expected);
        }
        let float = dtype.kind() == Kind::Float;
        let signed = dtype.kind() == Kind::Int;
        let step = match op {
            AtomicOp::CompareExchange => {
                let expected = expected.expect("verified: a compare-exchange expects something");
                let bits = self.m.int(8 * dtype.itemsize() as u32);
                let expected = self.m.bitcast(expected, bits);
                let new = self.m.bitcast(operand, bits);
                let before = self.m.compare_exchange(pointer, expected, new);
                return self.m.bitcast(before, self.scalar_type(dtype));
            }
            AtomicOp::Add if float => A::LLVMAtomicRMWBinOpFAdd,
            AtomicOp::Subtract if float => A::LLVMAtomicRMWBinOpFSub,
            AtomicOp::Minimum if float => A::LLVMAtomicRMWBinOpFMin,
            AtomicOp::Maximum if float => A::LLVMAtomicRMWBinOpFMax,
            AtomicOp::Add => A::LLVMAtomicRMWBinOpAdd,
            AtomicOp::Subtract => A::LLVMAtomicRMWBinOpSub,
            AtomicOp::Minimum if signed => A::LLVMAtomicRMWBinOpMin,
            AtomicOp::Minimum => A::LLVMAtomicRMWBinOpUMin,
            AtomicOp::Maximum if signed => A::LLVMAtomicRMWBinOpMax,
            AtomicOp::Maximum => A::LLVMAtomicRMWBinOpUMax,
            AtomicOp::BitAnd => A::LLVMAtomicRMWBinOpAnd,
            AtomicOp::BitOr => A::LLVMAtomicRMWBinOpOr,
            AtomicOp::BitXor => A::LLVMAtomicRMWBinOpXor,
            AtomicOp::Exchange => A::LLVMAtomicRMWBinOpXchg,
        };
        self.m.atomic_rmw(step, pointer, operand)
    }

    /// An atomic statement on local or private memory: a group runs on one thread, so that nobody
    /// can come in between, and the processor need not lock anything.
    fn plain_step(
        &mut self,
        op: AtomicOp,
        dtype: DType,
        pointer: Value,
        operand: Value,
        expected: Option<Value>,
    ) -> Value {
        let kind = self.scalar_type(dtype);
        let alignment = dtype.itemsize() as u32;
        let before = self.m.load(kind, pointer, alignment);
        let binary = match op {
            AtomicOp::Add => BinaryOp::Add,
            AtomicOp::Subtract => BinaryOp::Subtract,
            AtomicOp::Minimum => BinaryOp::Minimum,
            AtomicOp::Maximum => BinaryOp::Maximum,
            AtomicOp::BitAnd => BinaryOp::BitAnd,
            AtomicOp::BitOr => BinaryOp::BitOr,
            AtomicOp::BitXor => BinaryOp::BitXor,
            AtomicOp::Exchange => {
                self.m.store(operand, pointer, alignment);
                return before;
            }
            AtomicOp::CompareExchange => {
                let expected = expected.expect("verified: a compare-exchange expects something");
                let bits = self.m.int(8 * dtype.itemsize() as u32);
                let (a, b) = (self.m.bitcast(before, bits), self.m.bitcast(expected, bits));
                let same = self.m.icmp(IntPredicate::LLVMIntEQ, a, b);
                let after = self.m.select(same, operand, before);
                self.m.store(after, pointer, alignment);
                return before;
            }
        };
        let after = self.binary(binary, dtype, before, operand, None, 1);
        self.m.store(after, pointer, alignment);
        before
    }

    /// Combines a scalar into an element that other threads combine into at the same time.
    pub(super) fn combine_into(
        &mut self,
        operator: ReductionOperator,
        dtype: DType,
        pointer: Value,
        contribution: Value,
    ) {
        let bits = self.m.int(8 * dtype.itemsize() as u32);
        let lanes = 1;
        let old = self.m.stack_slot(bits, ALIGNMENT);
        let (again, end) = (self.m.block(), self.m.block());
        let first = self.m.load(bits, pointer, dtype.itemsize() as u32);
        self.m.store(first, old, ALIGNMENT);
        self.m.branch(again);
        self.m.go_to(again);
        let before = self.m.load(bits, old, ALIGNMENT);
        let current = match dtype.kind() {
            Kind::Bool => self.read_bools(before, dtype, lanes),
            Kind::Float => self.m.bitcast(before, self.scalar_type(dtype)),
            _ => before,
        };
        let combined = self.combine(operator, dtype, current, contribution, lanes);
        let new = match dtype.kind() {
            Kind::Bool => self.write_bools(combined, dtype, lanes),
            Kind::Float => self.m.bitcast(combined, bits),
            _ => combined,
        };
        let seen = self.m.compare_exchange(pointer, before, new);
        self.m.store(seen, old, ALIGNMENT);
        let done = self.m.icmp(IntPredicate::LLVMIntEQ, seen, before);
        self.m.branch_if(done, end, again);
        self.m.go_to(end);
    }

    /// Two contributions as one. float16 is combined in float32, as its arithmetic is everywhere.
    pub(super) fn combine(
        &mut self,
        operator: ReductionOperator,
        dtype: DType,
        a: Value,
        b: Value,
        lanes: u32,
    ) -> Value {
        let op = operator.operation(dtype);
        if dtype == DType::Float16 {
            let wide = DType::Float32;
            let a = self.convert(a, dtype, wide, lanes);
            let b = self.convert(b, dtype, wide, lanes);
            let combined = self.binary(op, wide, a, b, None, lanes);
            return self.convert(combined, wide, dtype, lanes);
        }
        self.binary(op, dtype, a, b, None, lanes)
    }
}
