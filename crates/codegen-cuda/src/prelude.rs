//! The device functions that a text brings along, in `namespace cl`.
//!
//! Whoever calls one gets its name from [`Prelude::name`], which notes it down together with those
//! it calls itself, so that the text holds what it needs and no more. Functions of several dtypes
//! are overloads: arguments must have exactly the type that the dtype has in the text.

use crate::{arithmetic, atomics};
use colocate_dtype::DType;
use colocate_ir::{AtomicOp, BinaryOp, UnaryOp};

/// A device function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
    /// An operation of one operand that C++ has no safe operator for.
    Unary(UnaryOp, DType),
    /// An operation of two operands that C++ has no safe operator for.
    Binary(BinaryOp, DType),
    /// From a float to an integer.
    ToInteger(DType, DType),
    /// From float16 to float32.
    HalfToFloat,
    /// From float32 or float64 to float16.
    ToHalf(DType),
    /// How often a counting loop turns.
    RangeLength,
    /// The counter at a turn.
    RangeItem,
    /// Not a function but a type: where an item is in a region of rank 2 or 3.
    Position(u8),
    /// A cell at any address.
    Load,
    /// To a cell at any address.
    Store,
    /// An atomic change of a cell in global or local memory.
    Atomic(AtomicOp, DType),
    /// The same of a cell that no other thread sees.
    Alone(AtomicOp, DType),
    /// An atomic change by an operation, of any dtype.
    Fold(BinaryOp, DType),
    /// Combines the values of all threads of a region's block.
    Combine(BinaryOp, DType),
}

/// The functions that a text needs.
#[derive(Debug, Default)]
pub(crate) struct Prelude {
    /// In the order of their definition, with their texts.
    functions: Vec<(Function, String)>,
}

impl Prelude {
    /// The name to call a function by.
    pub(crate) fn name(&mut self, function: Function) -> String {
        if !self.functions.iter().any(|(known, _)| *known == function) {
            // What it calls itself is defined before it.
            let text = self.define(function);
            self.functions.push((function, text));
        }
        format!("cl::{}", name(function))
    }

    fn define(&mut self, function: Function) -> String {
        match function {
            Function::Unary(op, dtype) => arithmetic::define_unary(op, dtype),
            Function::Binary(op, dtype) => arithmetic::define_binary(op, dtype),
            Function::ToInteger(from, to) => arithmetic::define_to_integer(from, to),
            Function::HalfToFloat => HALF_TO_FLOAT.into(),
            Function::ToHalf(DType::Float64) => DOUBLE_TO_HALF.into(),
            Function::ToHalf(_) => FLOAT_TO_HALF.into(),
            Function::RangeLength => RANGE_LENGTH.into(),
            Function::RangeItem => RANGE_ITEM.into(),
            Function::Position(2) => POSITION_2.into(),
            Function::Position(_) => POSITION_3.into(),
            Function::Load => LOAD.into(),
            Function::Store => STORE.into(),
            Function::Atomic(op, dtype) => atomics::define_atomic(self, op, dtype),
            Function::Alone(op, dtype) => atomics::define_alone(self, op, dtype),
            Function::Fold(op, dtype) => atomics::define_fold(self, op, dtype),
            Function::Combine(op, dtype) => atomics::define_combine(self, op, dtype),
        }
    }

    /// Everything that was asked for.
    pub(crate) fn text(&self) -> String {
        if self.functions.is_empty() {
            return String::new();
        }
        let texts: Vec<&str> = self
            .functions
            .iter()
            .map(|(_, text)| text.as_str())
            .collect();
        format!("\nnamespace cl {{\n\n{}\n}}\n", texts.join("\n"))
    }
}

/// The name without the namespace.
pub(crate) fn name(function: Function) -> String {
    match function {
        Function::Unary(op, _) => op.name().into(),
        Function::Binary(op, _) => op.name().into(),
        Function::ToInteger(_, to) => format!("to_{}", crate::types::value(to)),
        Function::HalfToFloat => "to_f32".into(),
        Function::ToHalf(_) => "to_f16".into(),
        Function::RangeLength => "range_length".into(),
        Function::RangeItem => "range_item".into(),
        Function::Position(_) => "position".into(),
        Function::Load => "load".into(),
        Function::Store => "store".into(),
        Function::Atomic(op, _) => format!("atomic_{}", op.name()),
        Function::Alone(op, _) => format!("alone_{}", op.name()),
        Function::Fold(op, _) => format!("fold_{}", op.name()),
        Function::Combine(op, _) => format!("combine_{}", op.name()),
    }
}

const HALF_TO_FLOAT: &str = r#"__device__ inline f32 to_f32(f16 a)
{
    f32 result;
    asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(a.bits));
    return result;
}
"#;

const FLOAT_TO_HALF: &str = r#"__device__ inline f16 to_f16(f32 a)
{
    f16 result;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(result.bits) : "f"(a));
    return result;
}
"#;

const DOUBLE_TO_HALF: &str = r#"__device__ inline f16 to_f16(f64 a)
{
    f16 result;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(result.bits) : "d"(a));
    return result;
}
"#;

const RANGE_LENGTH: &str = "\
// How many numbers there are from start in steps of step, without stop.
__device__ inline u64 range_length(i64 start, i64 stop, i64 step)
{
    if (step > 0 && start < stop) {
        return ((u64)stop - (u64)start - 1) / (u64)step + 1;
    }
    if (step < 0 && start > stop) {
        return ((u64)start - (u64)stop - 1) / (0 - (u64)step) + 1;
    }
    return 0;
}
";

const RANGE_ITEM: &str = "\
__device__ inline i64 range_item(i64 start, i64 step, u64 turn)
{
    return (i64)((u64)start + (u64)step * turn);
}
";

const POSITION_2: &str = "\
// Where an item is, moved on by addition, because division is slow.
struct position {
    i64 axis_0, axis_1;

    __device__ position(i64 item, i64 extent_1)
        : axis_0(item / extent_1), axis_1(item % extent_1) {}

    __device__ void move(const position& step, i64 extent_1)
    {
        axis_0 += step.axis_0;
        axis_1 += step.axis_1;
        if (axis_1 >= extent_1) {
            axis_1 -= extent_1;
            ++axis_0;
        }
    }
};
";

const POSITION_3: &str = "\
// Where an item is, moved on by addition, because division is slow.
struct position {
    i64 axis_0, axis_1, axis_2;

    __device__ position(i64 item, i64 extent_1, i64 extent_2)
        : axis_0(item / extent_2 / extent_1), axis_1(item / extent_2 % extent_1),
          axis_2(item % extent_2) {}

    __device__ void move(const position& step, i64 extent_1, i64 extent_2)
    {
        axis_0 += step.axis_0;
        axis_1 += step.axis_1;
        axis_2 += step.axis_2;
        if (axis_2 >= extent_2) {
            axis_2 -= extent_2;
            ++axis_1;
        }
        if (axis_1 >= extent_1) {
            axis_1 -= extent_1;
            ++axis_0;
        }
    }
};
";

const LOAD: &str = "\
// Strided arrays may have their elements at any address.
template <typename T>
__device__ inline T load(const char* address)
{
    if (((u64)address & (sizeof(T) - 1)) == 0) {
        return *(const T*)address;
    }
    T value;
    for (u32 i = 0; i < sizeof(T); ++i) {
        ((char*)&value)[i] = address[i];
    }
    return value;
}
";

const STORE: &str = "\
// Strided arrays may have their elements at any address.
template <typename T>
__device__ inline void store(char* address, T value)
{
    if (((u64)address & (sizeof(T) - 1)) == 0) {
        *(T*)address = value;
        return;
    }
    for (u32 i = 0; i < sizeof(T); ++i) {
        address[i] = ((const char*)&value)[i];
    }
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_defined_once_and_after_what_it_calls() {
        let mut prelude = Prelude::default();
        let atomic = Function::Atomic(AtomicOp::Minimum, DType::Float32);
        assert_eq!(prelude.name(atomic), "cl::atomic_min");
        assert_eq!(prelude.name(atomic), "cl::atomic_min");
        let text = prelude.text();
        assert_eq!(text.matches("f32 atomic_min(").count(), 1);
        let callee = text.find("f32 min(").expect("min is there");
        assert!(callee < text.find("f32 atomic_min(").expect("and its caller"));
    }

    #[test]
    fn nothing_asked_for_gives_no_text() {
        assert_eq!(Prelude::default().text(), "");
    }
}
