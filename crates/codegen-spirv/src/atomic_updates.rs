//! Atomics.
//!
//! Integers of 32 and 64 bits have instructions of their own. Everything else is changed by
//! comparing and exchanging the word it lies in until no other item came in between.

use crate::entry_point::{Generator, bits, memory_type, value_type};
use crate::module_writer::Type;
use crate::places::Location;
use colocate_ir::{AtomicOp, BinaryOp, DType, Kind};
use rspirv::spirv::{Capability, LoopControl, Op, Scope, StorageClass as Memory, Word};

impl Generator<'_> {
    /// Changes a number atomically; what it was before.
    pub fn atomic(
        &mut self,
        op: AtomicOp,
        at: Location,
        operand: Word,
        expected: Option<Word>,
    ) -> Word {
        if at.memory == Memory::Function {
            return self.update_private(op, at, operand, expected);
        }
        if let Some(instruction) = instruction(op, at.dtype) {
            return self.update_integer(instruction, at, operand);
        }
        match op {
            AtomicOp::Exchange | AtomicOp::CompareExchange => {
                let ty = Type::Int(bits(at.dtype));
                let pointer = self.word_pointer(at);
                let operand = self.bits_of(at.dtype, operand);
                let [scope, relaxed] = self.scope_and_order(at.memory, bits(at.dtype));
                let before = match expected {
                    None => {
                        let operands = [pointer, scope, relaxed, operand];
                        self.out.op(Op::AtomicExchange, ty, &operands)
                    }
                    Some(expected) => {
                        let expected = self.bits_of(at.dtype, expected);
                        let operands = [pointer, scope, relaxed, relaxed, operand, expected];
                        self.out.op(Op::AtomicCompareExchange, ty, &operands)
                    }
                };
                self.value_of(at.dtype, before)
            }
            _ => self.update(at, binary(op), operand),
        }
    }

    /// Nobody else can reach an item's own storage.
    fn update_private(
        &mut self,
        op: AtomicOp,
        at: Location,
        operand: Word,
        expected: Option<Word>,
    ) -> Word {
        let before = self.read(at);
        let after = match (op, expected) {
            (_, Some(expected)) => {
                let held = self.bits_of(at.dtype, before);
                let expected = self.bits_of(at.dtype, expected);
                let same = self.out.op(Op::IEqual, Type::Bool, &[held, expected]);
                let ty = value_type(at.dtype);
                self.out.op(Op::Select, ty, &[same, operand, before])
            }
            (AtomicOp::Exchange, None) => operand,
            (_, None) => self.binary(binary(op), at.dtype, before, operand),
        };
        self.write(at, after);
        before
    }

    /// Changes an integer of 32 or 64 bits by an instruction.
    pub fn update_integer(&mut self, instruction: Op, at: Location, operand: Word) -> Word {
        let [scope, relaxed] = self.scope_and_order(at.memory, bits(at.dtype));
        let operands = [at.pointer, scope, relaxed, operand];
        self.out.op(instruction, memory_type(at.dtype), &operands)
    }

    /// Combines a number of any dtype with an operand.
    pub fn update(&mut self, at: Location, op: BinaryOp, operand: Word) -> Word {
        match bits(at.dtype) {
            32 | 64 => {
                let pointer = self.word_pointer(at);
                let width = bits(at.dtype);
                self.compare_and_exchange(pointer, at.memory, width, |this, word| {
                    let before = this.value_of(at.dtype, word);
                    let after = this.combine(op, at.dtype, before, operand);
                    (before, this.bits_of(at.dtype, after))
                })
            }
            _ => self.update_within_word(at, op, operand),
        }
    }

    /// As [`Self::update`], for a number narrower than the words that can be exchanged.
    fn update_within_word(&mut self, at: Location, op: BinaryOp, operand: Word) -> Word {
        let (word, long) = (Type::Int(32), Type::Int(64));
        let width = bits(at.dtype);
        let address = self.out.op(Op::ConvertPtrToU, long, &[at.pointer]);
        let three = self.out.int(64, 3);
        let within = self.out.op(Op::BitwiseAnd, long, &[address, three]);
        let start = self.out.op(Op::ISub, long, &[address, within]);
        let pointer = self.out.pointer(at.memory, word);
        let pointer = self.out.op_typed(Op::ConvertUToPtr, pointer, &[start]);
        let within = self.out.op(Op::UConvert, word, &[within]);
        let three = self.out.int(32, 3);
        let shift = self.out.op(Op::ShiftLeftLogical, word, &[within, three]);
        let mask = self.out.int(32, (1 << width) - 1);
        let mask = self.out.op(Op::ShiftLeftLogical, word, &[mask, shift]);
        let others = self.out.op(Op::Not, word, &[mask]);
        self.compare_and_exchange(pointer, at.memory, 32, |this, held| {
            let narrow = Type::Int(width);
            let before = this.out.op(Op::ShiftRightLogical, word, &[held, shift]);
            let before = this.out.op(Op::UConvert, narrow, &[before]);
            let before = this.decode(at.dtype, before);
            let after = this.combine(op, at.dtype, before, operand);
            let after = this.encode(at.dtype, after);
            let after = this.out.op(Op::UConvert, word, &[after]);
            let after = this.out.op(Op::ShiftLeftLogical, word, &[after, shift]);
            let kept = this.out.op(Op::BitwiseAnd, word, &[held, others]);
            (before, this.out.op(Op::BitwiseOr, word, &[kept, after]))
        })
    }

    /// Replaces a word by what `change` makes of it, which must not open blocks; gives the
    /// first of the pair that `change` gave when it succeeded.
    fn compare_and_exchange(
        &mut self,
        pointer: Word,
        memory: Memory,
        width: u32,
        change: impl FnOnce(&mut Self, Word) -> (Word, Word),
    ) -> Word {
        let ty = Type::Int(width);
        let [scope, relaxed] = self.scope_and_order(memory, width);
        let first = self.out.op(Op::AtomicLoad, ty, &[pointer, scope, relaxed]);
        let (before_loop, turn, after_loop) =
            (self.out.current_block(), self.out.label(), self.out.label());
        let (held, seen) = (self.out.label(), self.out.label());
        self.out.branch(turn);
        self.out.begin(turn);
        self.out
            .phi(ty, held, &[(first, before_loop), (seen, turn)]);
        let (before, changed) = change(self, held);
        let operands = [pointer, scope, relaxed, relaxed, changed, held];
        self.out
            .op_as(seen, Op::AtomicCompareExchange, ty, &operands);
        let same = self.out.op(Op::IEqual, Type::Bool, &[seen, held]);
        self.out.loop_merge(after_loop, turn, LoopControl::NONE);
        self.out.branch_if(same, after_loop, turn);
        self.out.begin(after_loop);
        before
    }

    /// The operation on two values; float16 is combined as float32.
    fn combine(&mut self, op: BinaryOp, dtype: DType, a: Word, b: Word) -> Word {
        if dtype != DType::Float16 {
            return self.binary(op, dtype, a, b);
        }
        let (a, b) = (self.half_to_single(a), self.half_to_single(b));
        let result = self.binary(op, DType::Float32, a, b);
        self.float_to_half(DType::Float32, result)
    }

    fn word_pointer(&mut self, at: Location) -> Word {
        if at.dtype.kind() != Kind::Float {
            return at.pointer;
        }
        let ty = self.out.pointer(at.memory, Type::Int(bits(at.dtype)));
        self.out.op_typed(Op::Bitcast, ty, &[at.pointer])
    }

    fn bits_of(&mut self, dtype: DType, value: Word) -> Word {
        match value_type(dtype) {
            Type::Float(width) => self.out.op(Op::Bitcast, Type::Int(width), &[value]),
            _ => value,
        }
    }

    fn value_of(&mut self, dtype: DType, pattern: Word) -> Word {
        match value_type(dtype) {
            float @ Type::Float(_) => self.out.op(Op::Bitcast, float, &[pattern]),
            _ => pattern,
        }
    }

    /// Only the element itself is ordered: the IR promises no more.
    fn scope_and_order(&mut self, memory: Memory, width: u32) -> [Word; 2] {
        if width == 64 {
            self.out.need(Capability::Int64Atomics);
        }
        let scope = match memory {
            Memory::Workgroup => Scope::Workgroup,
            _ => Scope::Device,
        };
        [self.out.scope(scope), self.out.int(32, 0)]
    }
}

/// The instruction that does it to integers of 32 and 64 bits.
pub fn instruction(op: AtomicOp, dtype: DType) -> Option<Op> {
    let signed = match dtype {
        DType::Int32 | DType::Int64 => true,
        DType::UInt32 | DType::UInt64 => false,
        _ => return None,
    };
    match op {
        AtomicOp::Add => Some(Op::AtomicIAdd),
        AtomicOp::Subtract => Some(Op::AtomicISub),
        AtomicOp::Minimum if signed => Some(Op::AtomicSMin),
        AtomicOp::Minimum => Some(Op::AtomicUMin),
        AtomicOp::Maximum if signed => Some(Op::AtomicSMax),
        AtomicOp::Maximum => Some(Op::AtomicUMax),
        AtomicOp::BitAnd => Some(Op::AtomicAnd),
        AtomicOp::BitOr => Some(Op::AtomicOr),
        AtomicOp::BitXor => Some(Op::AtomicXor),
        AtomicOp::Exchange | AtomicOp::CompareExchange => None,
    }
}

/// The operation that an atomic one makes atomic.
fn binary(op: AtomicOp) -> BinaryOp {
    match op {
        AtomicOp::Add => BinaryOp::Add,
        AtomicOp::Subtract => BinaryOp::Subtract,
        AtomicOp::Minimum => BinaryOp::Minimum,
        AtomicOp::Maximum => BinaryOp::Maximum,
        AtomicOp::BitAnd => BinaryOp::BitAnd,
        AtomicOp::BitOr => BinaryOp::BitOr,
        AtomicOp::BitXor => BinaryOp::BitXor,
        AtomicOp::Exchange | AtomicOp::CompareExchange => {
            unreachable!("{} combines nothing", op.name())
        }
    }
}
