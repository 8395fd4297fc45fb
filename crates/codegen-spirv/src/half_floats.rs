//! float16 from and to other floats, on its bits.
//!
//! Devices need not know 16-bit floats, so these use integers and the other float alone.

use crate::entry_point::{Generator, bits, value_type};
use crate::module_writer::Type;
use colocate_ir::DType;
use rspirv::spirv::{CLOp, Op, Word};

/// What float16 has.
const FRACTION: u32 = 10;
const BIAS: u64 = 15;
const INFINITY: u64 = 0x7c00;
const NAN: u64 = 0x7e00;
const SIGN: u64 = 0x8000;

impl Generator<'_> {
    /// float16 to float32, which holds every one of them.
    pub fn half_to_single(&mut self, half: Word) -> Word {
        let (word, float, truth) = (Type::Int(32), Type::Float(32), Type::Bool);
        let widen = 23 - FRACTION;
        let pattern = self.out.op(Op::UConvert, word, &[half]);
        let mask = self.out.int(32, SIGN - 1);
        let size = self.out.op(Op::BitwiseAnd, word, &[pattern, mask]);
        let sign = self.out.op(Op::BitwiseXor, word, &[pattern, size]);
        let sixteen = self.out.int(32, 16);
        let sign = self.out.op(Op::ShiftLeftLogical, word, &[sign, sixteen]);

        let distance = self.out.int(32, widen.into());
        let wide = self.out.op(Op::ShiftLeftLogical, word, &[size, distance]);
        let rebias = self.out.int(32, (127 - BIAS) << 23);
        let normal = self.out.op(Op::IAdd, word, &[wide, rebias]);
        // Twice that takes the largest exponent to the largest.
        let rebias = self.out.int(32, (2 * (127 - BIAS)) << 23);
        let special = self.out.op(Op::IAdd, word, &[wide, rebias]);
        // Below the normal numbers the bits count multiples of the smallest.
        let count = self.out.op(Op::ConvertUToF, float, &[size]);
        let smallest = self.out.float(32, 2f64.powi(-24));
        let tiny = self.out.op(Op::FMul, float, &[count, smallest]);
        let tiny = self.out.op(Op::Bitcast, word, &[tiny]);

        let first_normal = self.out.int(32, 1 << FRACTION);
        let is_tiny = self.out.op(Op::ULessThan, truth, &[size, first_normal]);
        let infinity = self.out.int(32, INFINITY);
        let is_special = self.out.op(Op::UGreaterThanEqual, truth, &[size, infinity]);
        let result = self.out.op(Op::Select, word, &[is_tiny, tiny, normal]);
        let result = self
            .out
            .op(Op::Select, word, &[is_special, special, result]);
        let result = self.out.op(Op::BitwiseOr, word, &[result, sign]);
        self.out.op(Op::Bitcast, float, &[result])
    }

    /// float32 or float64 to float16, rounded once, to nearest, halves to even.
    pub fn float_to_half(&mut self, from: DType, a: Word) -> Word {
        let width = bits(from);
        let (word, float, truth) = (Type::Int(width), value_type(from), Type::Bool);
        let (fraction, bias) = if width == 32 { (23, 127) } else { (52, 1023) };
        let drop = fraction - FRACTION;
        let pattern = self.out.op(Op::Bitcast, word, &[a]);
        let mask = self.out.int(width, (1 << (width - 1)) - 1);
        let size = self.out.op(Op::BitwiseAnd, word, &[pattern, mask]);
        let sign = self.out.op(Op::BitwiseXor, word, &[pattern, size]);
        let distance = self.out.int(width, (width - 16).into());
        let sign = self.out.op(Op::ShiftRightLogical, word, &[sign, distance]);

        // Rounding up may carry into the exponent, which is right, up to infinity.
        let distance = self.out.int(width, drop.into());
        let one = self.out.int(width, 1);
        let rebias = self.out.int(width, (bias - BIAS) << fraction);
        let normal = self.out.op(Op::ISub, word, &[size, rebias]);
        let odd = self
            .out
            .op(Op::ShiftRightLogical, word, &[normal, distance]);
        let odd = self.out.op(Op::BitwiseAnd, word, &[odd, one]);
        let almost_half = self.out.int(width, (1 << (drop - 1)) - 1);
        let normal = self.out.op(Op::IAdd, word, &[normal, almost_half]);
        let normal = self.out.op(Op::IAdd, word, &[normal, odd]);
        let normal = self
            .out
            .op(Op::ShiftRightLogical, word, &[normal, distance]);

        // A number whose last bit counts 2^-24 makes the addition round to multiples of that.
        let large = 2f64.powi(fraction as i32 - 24);
        let magic = self.out.float(width, large);
        let magic_bits = self.out.op(Op::Bitcast, word, &[magic]);
        let positive = self.out.open_cl(CLOp::fabs, float, &[a]);
        let tiny = self.out.op(Op::FAdd, float, &[positive, magic]);
        let tiny = self.out.op(Op::Bitcast, word, &[tiny]);
        let tiny = self.out.op(Op::ISub, word, &[tiny, magic_bits]);

        let first_normal = self.out.int(width, (bias - BIAS + 1) << fraction);
        let is_tiny = self.out.op(Op::ULessThan, truth, &[size, first_normal]);
        let end = self.out.int(width, pattern_of(width, 65520.0));
        let is_large = self.out.op(Op::UGreaterThanEqual, truth, &[size, end]);
        let infinite = self.out.int(width, pattern_of(width, f64::INFINITY));
        let is_nan = self.out.op(Op::UGreaterThan, truth, &[size, infinite]);
        let (infinity, nan) = (self.out.int(width, INFINITY), self.out.int(width, NAN));
        let result = self.out.op(Op::Select, word, &[is_tiny, tiny, normal]);
        let result = self.out.op(Op::Select, word, &[is_large, infinity, result]);
        let result = self.out.op(Op::Select, word, &[is_nan, nan, result]);
        let result = self.out.op(Op::BitwiseOr, word, &[result, sign]);
        self.out.op(Op::UConvert, Type::Int(16), &[result])
    }
}

/// The bits of the float16 nearest to a number, halves to even: what [`Generator::float_to_half`]
/// computes on the device.
pub fn nearest_half(value: f64) -> u16 {
    let pattern = value.to_bits();
    let size = pattern & (u64::MAX >> 1);
    let sign = (pattern >> 48) & SIGN;
    let rounded = if value.is_nan() {
        NAN
    } else if size >= pattern_of(64, 65520.0) {
        INFINITY
    } else if size < pattern_of(64, 2f64.powi(-14)) {
        let magic = 2f64.powi(52 - 24);
        (value.abs() + magic).to_bits() - magic.to_bits()
    } else {
        let normal = size - ((1023 - BIAS) << 52);
        let odd = (normal >> (52 - FRACTION)) & 1;
        (normal + (1 << (51 - FRACTION)) - 1 + odd) >> (52 - FRACTION)
    };
    (sign | rounded) as u16
}

fn pattern_of(width: u32, value: f64) -> u64 {
    match width {
        32 => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::nearest_half;

    #[test]
    fn a_number_between_two_halves_goes_to_the_nearer_and_a_middle_to_the_even_one() {
        let one = 0x3c00;
        let (middle, next) = (1.0 + 2f64.powi(-11), 1.0 + 2f64.powi(-10));
        assert_eq!(nearest_half(1.0), one);
        assert_eq!(nearest_half(middle), one);
        assert_eq!(nearest_half(middle.next_up()), one + 1);
        assert_eq!(nearest_half(next + 2f64.powi(-11)), one + 2);
        assert_eq!(nearest_half(-next), 0x8000 | (one + 1));
    }

    #[test]
    fn the_ends_of_the_range_are_kept() {
        assert_eq!(nearest_half(2f64.powi(-24)), 1);
        assert_eq!(nearest_half(2f64.powi(-25)), 0);
        assert_eq!(nearest_half(2f64.powi(-25).next_up()), 1);
        assert_eq!(nearest_half(2f64.powi(-14).next_down()), 0x400);
        assert_eq!(nearest_half(65520f64.next_down()), 0x7bff);
        assert_eq!(nearest_half(65520.0), 0x7c00);
        assert_eq!(nearest_half(-0.0), 0x8000);
        assert_eq!(nearest_half(f64::NAN) & 0x7fff, 0x7e00);
    }
}
