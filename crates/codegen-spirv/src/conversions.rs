//! Conversions between dtypes.

use crate::entry_point::{Generator, bits, value_type};
use crate::module_writer::Type;
use colocate_ir::{DType, Kind, Literal};
use rspirv::spirv::{Op, Word};

impl Generator<'_> {
    /// A value as another dtype.
    pub fn convert(&mut self, from: DType, to: DType, a: Word) -> Word {
        let ty = value_type(to);
        match (from.kind(), to.kind()) {
            _ if from == to => a,
            (Kind::Bool, _) => {
                let one = self.literal(Literal::small(to, 1));
                let zero = self.literal(Literal::zero(to));
                self.out.op(Op::Select, ty, &[a, one, zero])
            }
            (Kind::Float, Kind::Bool) if from == DType::Float16 => {
                let size = self.out.int(16, 0x7fff);
                let size = self.out.op(Op::BitwiseAnd, Type::Int(16), &[a, size]);
                self.convert(DType::UInt16, DType::Bool, size)
            }
            (Kind::Float, Kind::Bool) => {
                let zero = self.out.float(bits(from), 0.0);
                self.out.op(Op::FUnordNotEqual, ty, &[a, zero])
            }
            (_, Kind::Bool) => {
                let zero = self.out.int(bits(from), 0);
                self.out.op(Op::INotEqual, ty, &[a, zero])
            }
            (Kind::Float, _) if from == DType::Float16 => {
                let wide = self.half_to_single(a);
                self.convert(DType::Float32, to, wide)
            }
            (Kind::Float, Kind::Float) if to == DType::Float16 => self.float_to_half(from, a),
            (Kind::Float, Kind::Float) => self.out.op(Op::FConvert, ty, &[a]),
            (Kind::Float, _) => self.float_to_int(from, to, a),
            (_, Kind::Float) if to == DType::Float16 => {
                // An integer that float32 must round is too large for float16 anyway.
                let wide = self.convert(from, DType::Float32, a);
                self.float_to_half(DType::Float32, wide)
            }
            (Kind::Int, Kind::Float) => self.out.op(Op::ConvertSToF, ty, &[a]),
            (_, Kind::Float) => self.out.op(Op::ConvertUToF, ty, &[a]),
            _ if bits(from) == bits(to) => a,
            (Kind::Int, _) => self.out.op(Op::SConvert, ty, &[a]),
            _ => self.out.op(Op::UConvert, ty, &[a]),
        }
    }

    /// Converts only what fits, and chooses the result for the rest: what an instruction gives for
    /// NaN and for numbers that do not fit differs between devices.
    fn float_to_int(&mut self, from: DType, to: DType, a: Word) -> Word {
        let wide = bits(to).max(32);
        let number = Type::Int(wide);
        let end = self.out.float(bits(from), 2f64.powi(wide as i32 - 1));
        let lowest = self.out.int(wide, 1 << (wide - 1));
        if to.kind() == Kind::Int || bits(to) < 32 {
            let whole = self.float_to_signed(from, wide, a);
            return match bits(to) < wide {
                true => self.out.op(Op::UConvert, value_type(to), &[whole]),
                false => whole,
            };
        }
        let truth = Type::Bool;
        let large = self.out.op(Op::FOrdGreaterThanEqual, truth, &[a, end]);
        let less = self.out.op(Op::FSub, value_type(from), &[a, end]);
        let part = self.out.op(Op::Select, value_type(from), &[large, less, a]);
        let whole = self.float_to_signed(from, wide, part);
        let nothing = self.out.int(wide, 0);
        let rest = self.out.op(Op::Select, number, &[large, lowest, nothing]);
        self.out.op(Op::BitwiseXor, number, &[whole, rest])
    }

    /// The lowest number of all counts as one that does not fit: that is what those become.
    fn float_to_signed(&mut self, from: DType, width: u32, a: Word) -> Word {
        let (float, number) = (value_type(from), Type::Int(width));
        let edge = 2f64.powi(width as i32 - 1);
        let (begin, end) = (
            self.out.float(bits(from), -edge),
            self.out.float(bits(from), edge),
        );
        let zero = self.out.float(bits(from), 0.0);
        let lowest = self.out.int(width, 1 << (width - 1));
        let above = self.out.op(Op::FOrdGreaterThan, Type::Bool, &[a, begin]);
        let below = self.out.op(Op::FOrdLessThan, Type::Bool, &[a, end]);
        let fits = self.out.op(Op::LogicalAnd, Type::Bool, &[above, below]);
        let fitting = self.out.op(Op::Select, float, &[fits, a, zero]);
        let whole = self.out.op(Op::ConvertFToS, number, &[fitting]);
        self.out.op(Op::Select, number, &[fits, whole, lowest])
    }
}
