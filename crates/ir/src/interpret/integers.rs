//! Operations on integers. Operands are within their dtype; results are cut to it by the caller.

use crate::BinaryOp;

/// The result before it is cut to the dtype, of `width` bits.
pub fn binary(op: BinaryOp, a: i128, b: i128, width: u32) -> i128 {
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        // Of two 64-bit numbers the lower half is right even if the upper half is lost.
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::FloorDivide => floor_divide(a, b),
        BinaryOp::Modulo => modulo(a, b),
        BinaryOp::Power => power(a, b),
        BinaryOp::Quotient => a.checked_div(b).unwrap_or(0),
        BinaryOp::Remainder => a.checked_rem(b).unwrap_or(0),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::ShiftLeft if (0..i128::from(width)).contains(&b) => a << b,
        BinaryOp::ShiftLeft => 0,
        BinaryOp::ShiftRight if (0..i128::from(width)).contains(&b) => a >> b,
        BinaryOp::ShiftRight => -i128::from(a < 0),
        BinaryOp::Minimum => a.min(b),
        BinaryOp::Maximum => a.max(b),
        BinaryOp::Divide => unreachable!("integers have no division with fractions"),
    }
}

fn floor_divide(a: i128, b: i128) -> i128 {
    if b == 0 {
        return 0;
    }
    a / b - i128::from(a % b != 0 && (a < 0) != (b < 0))
}

fn modulo(a: i128, b: i128) -> i128 {
    if b == 0 {
        return 0;
    }
    let rest = a % b;
    if rest != 0 && (rest < 0) != (b < 0) {
        rest + b
    } else {
        rest
    }
}

fn power(base: i128, exponent: i128) -> i128 {
    if exponent < 0 {
        return match base {
            1 => 1,
            -1 if exponent % 2 == 0 => 1,
            -1 => -1,
            _ => 0,
        };
    }
    let (mut result, mut square, mut rest) = (1i128, base, exponent);
    while rest > 0 {
        if rest % 2 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        rest /= 2;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int8(op: BinaryOp, a: i8, b: i8) -> i8 {
        binary(op, a.into(), b.into(), 8) as i8
    }

    #[test]
    fn division_rounds_down_and_the_modulus_has_the_divisors_sign() {
        let expected = [
            (7, 2, 3, 1),
            (-7, 2, -4, 1),
            (7, -2, -4, -1),
            (-7, -2, 3, -1),
        ];
        for (a, b, quotient, rest) in expected {
            assert_eq!(int8(BinaryOp::FloorDivide, a, b), quotient);
            assert_eq!(int8(BinaryOp::Modulo, a, b), rest);
        }
        assert_eq!(int8(BinaryOp::Quotient, -7, 2), -3);
        assert_eq!(int8(BinaryOp::Remainder, -7, 2), -1);
    }

    #[test]
    fn dividing_by_zero_gives_zero() {
        for op in [
            BinaryOp::FloorDivide,
            BinaryOp::Modulo,
            BinaryOp::Quotient,
            BinaryOp::Remainder,
        ] {
            assert_eq!(int8(op, 5, 0), 0);
        }
    }

    #[test]
    fn the_smallest_number_divided_by_minus_one_is_itself() {
        for op in [BinaryOp::FloorDivide, BinaryOp::Quotient] {
            assert_eq!(int8(op, -128, -1), -128);
        }
        for op in [BinaryOp::Modulo, BinaryOp::Remainder] {
            assert_eq!(int8(op, -128, -1), 0);
        }
    }

    #[test]
    fn a_shift_out_of_range_is_a_shift_by_the_width() {
        for amount in [8, 100, -1, -128] {
            assert_eq!(int8(BinaryOp::ShiftLeft, -3, amount), 0);
            assert_eq!(int8(BinaryOp::ShiftRight, -3, amount), -1);
            assert_eq!(int8(BinaryOp::ShiftRight, 3, amount), 0);
        }
        assert_eq!(int8(BinaryOp::ShiftLeft, 3, 7), -128);
        assert_eq!(int8(BinaryOp::ShiftRight, -128, 7), -1);
    }

    #[test]
    fn powers_wrap_and_negative_exponents_give_zero_mostly() {
        assert_eq!(int8(BinaryOp::Power, 3, 5), 243u8 as i8);
        assert_eq!(int8(BinaryOp::Power, 0, 0), 1);
        assert_eq!(int8(BinaryOp::Power, 2, -1), 0);
        assert_eq!(int8(BinaryOp::Power, 0, -1), 0);
        assert_eq!(int8(BinaryOp::Power, 1, -5), 1);
        assert_eq!(int8(BinaryOp::Power, -1, -5), -1);
        assert_eq!(int8(BinaryOp::Power, -1, -4), 1);
        // The order of the odd numbers modulo 2**64 divides 2**64, so this is the inverse of 3.
        let inverse = binary(BinaryOp::Power, 3, u64::MAX.into(), 64) as u64;
        assert_eq!(inverse.wrapping_mul(3), 1);
    }
}
