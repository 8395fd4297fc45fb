//! What dtypes are called in the generated text. The typedefs stand in [`HEADER`].

use colocate_dtype::DType;

/// What every text begins with.
pub(crate) const HEADER: &str = "\
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
struct f16 { u16 bits; };
";

/// The type of a value.
pub(crate) fn value(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::Int8 => "i8",
        DType::Int16 => "i16",
        DType::Int32 => "i32",
        DType::Int64 => "i64",
        DType::UInt8 => "u8",
        DType::UInt16 => "u16",
        DType::UInt32 => "u32",
        DType::UInt64 => "u64",
        DType::Float16 => "f16",
        DType::Float32 => "f32",
        DType::Float64 => "f64",
        DType::Complex64 | DType::Complex128 => {
            unreachable!("core kernels have no complex values")
        }
    }
}

/// The type of what arrays consist of: a complex element is two cells, a bool is a byte.
pub(crate) fn cell(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "u8",
        DType::Complex64 => "f32",
        DType::Complex128 => "f64",
        other => value(other),
    }
}

/// How many cells an element has.
pub(crate) fn cells(dtype: DType) -> usize {
    match dtype {
        DType::Complex64 | DType::Complex128 => 2,
        _ => 1,
    }
}

/// The unsigned type in which arithmetic of an integer dtype wraps. Narrow ones are computed in 32
/// bits: C++ would otherwise promote them to a signed type, which must not overflow.
pub(crate) fn wrapping(dtype: DType) -> &'static str {
    if dtype.itemsize() == 8 { "u64" } else { "u32" }
}

/// The unsigned type with the bits of a dtype.
pub(crate) fn bits(dtype: DType) -> &'static str {
    match dtype.itemsize() {
        1 => "u8",
        2 => "u16",
        4 => "u32",
        _ => "u64",
    }
}

/// A text as the operand of a cast.
fn operand(text: &str) -> String {
    if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        text.into()
    } else {
        format!("({text})")
    }
}

/// The bits of a value as an unsigned integer of its width.
pub(crate) fn to_bits(dtype: DType, text: &str) -> String {
    match dtype {
        DType::Float16 => format!("{text}.bits"),
        DType::Float32 => format!("__float_as_uint({text})"),
        DType::Float64 => format!("(u64)__double_as_longlong({text})"),
        other => format!("({}){}", bits(other), operand(text)),
    }
}

/// The value whose bits are the low ones of a wider or equally wide unsigned integer.
pub(crate) fn from_bits(dtype: DType, text: &str) -> String {
    let text = operand(text);
    match dtype {
        DType::Bool => format!("(u8){text} != 0"),
        DType::Float16 => format!("f16{{(u16){text}}}"),
        DType::Float32 => format!("__uint_as_float((u32){text})"),
        DType::Float64 => format!("__longlong_as_double((i64){text})"),
        other => format!("({}){text}", value(other)),
    }
}
