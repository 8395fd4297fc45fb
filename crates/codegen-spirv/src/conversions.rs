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
        let (ty, width, truth) = (value_type(to), bits(to), Type::Bool);
        let signed = to.kind() == Kind::Int;
        let (lowest, highest, end) = if signed {
            let end = 2f64.powi(width as i32 - 1);
            (1 << (width - 1), (1u64 << (width - 1)) - 1, end)
        } else {
            (0, u64::MAX, 2f64.powi(width as i32))
        };
        let begin = self.out.float(bits(from), if signed { -end } else { 0.0 });
        let end = self.out.float(bits(from), end);
        let zero = self.out.float(bits(from), 0.0);
        let (lowest, highest) = (self.out.int(width, lowest), self.out.int(width, highest));

        let below = self.out.op(Op::FOrdLessThan, truth, &[a, begin]);
        let above = self.out.op(Op::FOrdGreaterThanEqual, truth, &[a, end]);
        let outside = self.out.op(Op::FUnordLessThan, truth, &[a, begin]);
        let outside = self.out.op(Op::LogicalOr, truth, &[outside, above]);
        let fitting = value_type(from);
        let fitting = self.out.op(Op::Select, fitting, &[outside, zero, a]);
        let convert = if signed {
            Op::ConvertFToS
        } else {
            Op::ConvertFToU
        };
        let number = self.out.op(convert, ty, &[fitting]);
        let number = self.out.op(Op::Select, ty, &[above, highest, number]);
        self.out.op(Op::Select, ty, &[below, lowest, number])
    }
}
