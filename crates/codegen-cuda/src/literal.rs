//! Constants as C++ text, exact to the last bit and of exactly the type of their dtype.

use crate::types;
use colocate_dtype::DType;
use colocate_ir::Literal;

/// An expression that needs no parentheses.
pub(crate) fn text(literal: Literal) -> String {
    match literal {
        Literal::Bool(value) => value.to_string(),
        Literal::Int(dtype, value) => integer(dtype, value),
        Literal::Float(DType::Float16, value) => {
            format!("f16{{0x{:04x}}}", half::f16::from_f64(value).to_bits())
        }
        Literal::Float(DType::Float32, value) => float32(value as f32),
        Literal::Float(_, value) => float64(value),
        Literal::Complex(..) => unreachable!("core kernels have no complex values"),
    }
}

fn integer(dtype: DType, value: i128) -> String {
    let name = types::value(dtype);
    match dtype {
        // The digits of the smallest number alone do not fit its type.
        DType::Int64 if value == i128::from(i64::MIN) => "(-9223372036854775807ll - 1)".into(),
        DType::Int32 if value == i128::from(i32::MIN) => "(-2147483647 - 1)".into(),
        DType::Int64 if value < 0 => format!("({value}ll)"),
        DType::Int32 if value < 0 => format!("({value})"),
        DType::Int64 => format!("{value}ll"),
        DType::Int32 => value.to_string(),
        DType::UInt64 => format!("{value}ull"),
        DType::UInt32 => format!("{value}u"),
        _ => format!("{name}({value})"),
    }
}

fn float32(value: f32) -> String {
    if !value.is_finite() {
        return format!("__uint_as_float(0x{:08x}u)", value.to_bits());
    }
    match decimal(f64::from(value)) {
        Some(digits) => signed(value.is_sign_negative(), format!("{digits}f")),
        None => {
            let digits = hexadecimal(f64::from(value.abs()));
            let text = format!("{digits}f /* {:?} */", value.abs());
            signed(value.is_sign_negative(), text)
        }
    }
}

fn float64(value: f64) -> String {
    if !value.is_finite() {
        return format!("__longlong_as_double(0x{:016x}ll)", value.to_bits());
    }
    match decimal(value) {
        Some(digits) => signed(value.is_sign_negative(), digits),
        None => {
            let text = format!("{} /* {:?} */", hexadecimal(value.abs()), value.abs());
            signed(value.is_sign_negative(), text)
        }
    }
}

fn signed(negative: bool, text: String) -> String {
    if negative { format!("(-{text})") } else { text }
}

/// The digits of the magnitude, if few decimal ones are all there are.
fn decimal(value: f64) -> Option<String> {
    let magnitude = value.abs();
    let scaled = magnitude * 64.0;
    let short = scaled == scaled.trunc() && magnitude < 1e6;
    short.then(|| format!("{magnitude:?}"))
}

/// Of a number that is not negative.
fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    match exponent {
        0 => format!("0x0{point}{digits}p-1022"),
        _ => format!("0x1{point}{digits}p{}", exponent - 1023),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(dtype: DType, value: f64) -> String {
        text(Literal::Float(dtype, value))
    }

    #[test]
    fn short_numbers_are_written_in_decimal_digits() {
        assert_eq!(float(DType::Float64, 0.5), "0.5");
        assert_eq!(float(DType::Float32, -3.25), "(-3.25f)");
        assert_eq!(float(DType::Float64, -0.0), "(-0.0)");
        assert_eq!(text(Literal::int64(7)), "7ll");
    }

    #[test]
    fn other_floats_are_written_in_hexadecimal_digits() {
        assert_eq!(float(DType::Float64, 0.1), "0x1.999999999999ap-4 /* 0.1 */");
        assert_eq!(float(DType::Float32, 0.1), "0x1.99999ap-4f /* 0.1 */");
        assert_eq!(
            float(DType::Float64, f64::from_bits(1)),
            "0x0.0000000000001p-1022 /* 5e-324 */"
        );
        assert_eq!(
            float(DType::Float64, f64::MAX).split(' ').next(),
            Some("0x1.fffffffffffffp1023")
        );
    }

    #[test]
    fn what_has_no_digits_is_written_as_bits() {
        assert_eq!(
            float(DType::Float64, f64::INFINITY),
            "__longlong_as_double(0x7ff0000000000000ll)"
        );
        assert_eq!(
            float(DType::Float32, f64::NEG_INFINITY),
            "__uint_as_float(0xff800000u)"
        );
        assert_eq!(float(DType::Float16, 1.0), "f16{0x3c00}");
    }

    #[test]
    fn the_smallest_integers_overflow_no_literal() {
        assert_eq!(
            text(Literal::int64(i64::MIN)),
            "(-9223372036854775807ll - 1)"
        );
        assert_eq!(text(Literal::Int(DType::Int8, -128)), "i8(-128)");
        assert_eq!(
            text(Literal::Int(DType::UInt64, u64::MAX.into())),
            "18446744073709551615ull"
        );
    }
}
