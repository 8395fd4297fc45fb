//! Device functions that change memory in one step, and those that combine a block's values.
//!
//! What the hardware has no instruction for is a loop around `atomicCAS`. Elements of 8 and 16 bits
//! are changed through the 32-bit word that contains them.

use crate::REGION_BLOCK;
use crate::arithmetic::binary;
use crate::prelude::{Function, Prelude, name};
use crate::types;
use colocate_dtype::{DType, Kind};
use colocate_ir::{AtomicOp, BinaryOp};

/// The operation by which an atomic changes its element.
fn operation(op: AtomicOp) -> Option<BinaryOp> {
    match op {
        AtomicOp::Add => Some(BinaryOp::Add),
        AtomicOp::Subtract => Some(BinaryOp::Subtract),
        AtomicOp::Minimum => Some(BinaryOp::Minimum),
        AtomicOp::Maximum => Some(BinaryOp::Maximum),
        AtomicOp::BitAnd => Some(BinaryOp::BitAnd),
        AtomicOp::BitOr => Some(BinaryOp::BitOr),
        AtomicOp::BitXor => Some(BinaryOp::BitXor),
        AtomicOp::Exchange | AtomicOp::CompareExchange => None,
    }
}

/// The instruction for an operation, with the type it works on.
fn instruction(op: AtomicOp, dtype: DType) -> Option<(&'static str, &'static str)> {
    let float = dtype.kind() == Kind::Float;
    let bits = types::bits(dtype);
    Some(match op {
        AtomicOp::Add | AtomicOp::Subtract if float => ("atomicAdd", types::value(dtype)),
        AtomicOp::Add | AtomicOp::Subtract => ("atomicAdd", bits),
        AtomicOp::Minimum | AtomicOp::Maximum if float => return None,
        AtomicOp::Minimum => ("atomicMin", types::value(dtype)),
        AtomicOp::Maximum => ("atomicMax", types::value(dtype)),
        AtomicOp::BitAnd => ("atomicAnd", bits),
        AtomicOp::BitOr => ("atomicOr", bits),
        AtomicOp::BitXor => ("atomicXor", bits),
        AtomicOp::Exchange => ("atomicExch", bits),
        AtomicOp::CompareExchange => ("atomicCAS", bits),
    })
}

fn signature(function: Function, result: &str, ty: &str) -> String {
    let expected = match function {
        Function::Atomic(AtomicOp::CompareExchange, _)
        | Function::Alone(AtomicOp::CompareExchange, _) => format!("{ty} expected, "),
        _ => String::new(),
    };
    let name = name(function);
    format!("__device__ inline {result} {name}({ty}* address, {expected}{ty} operand)\n")
}

/// Returns what the element held before.
pub(crate) fn define_atomic(prelude: &mut Prelude, op: AtomicOp, dtype: DType) -> String {
    let ty = types::value(dtype);
    let head = signature(Function::Atomic(op, dtype), ty, ty);
    let Some((instruction, on)) = instruction(op, dtype) else {
        let op = operation(op).expect("exchanges are instructions");
        return head + &change_word(prelude, op, dtype, "return old;");
    };
    let cast = |text: &str| match on {
        _ if on == ty => text.to_string(),
        _ => types::to_bits(dtype, text),
    };
    let address = match on {
        _ if on == ty => "address".to_string(),
        _ => format!("({on}*)address"),
    };
    let operands = match op {
        AtomicOp::Subtract if on == ty => "-operand".into(),
        AtomicOp::Subtract => format!("0 - {}", cast("operand")),
        AtomicOp::CompareExchange => format!("{}, {}", cast("expected"), cast("operand")),
        _ => cast("operand"),
    };
    let call = format!("{instruction}({address}, {operands})");
    let result = match on {
        _ if on == ty => call,
        _ => types::from_bits(dtype, &call),
    };
    format!("{head}{{\n    return {result};\n}}\n")
}

/// Threads' own memory takes no atomic instruction, and needs none.
pub(crate) fn define_alone(prelude: &mut Prelude, op: AtomicOp, dtype: DType) -> String {
    let ty = types::value(dtype);
    let head = signature(Function::Alone(op, dtype), ty, ty);
    let change = match (op, operation(op)) {
        (_, Some(op)) => {
            let next = binary(prelude, op, dtype, "old", "operand").text;
            format!("*address = {next};")
        }
        (AtomicOp::CompareExchange, None) => {
            let (old, expected) = (
                types::to_bits(dtype, "old"),
                types::to_bits(dtype, "expected"),
            );
            format!("if ({old} == {expected}) {{\n        *address = operand;\n    }}")
        }
        (_, None) => "*address = operand;".into(),
    };
    format!("{head}{{\n    const {ty} old = *address;\n    {change}\n    return old;\n}}\n")
}

/// Adds a block's part of a reduction to what the target holds.
pub(crate) fn define_fold(prelude: &mut Prelude, op: BinaryOp, dtype: DType) -> String {
    let head = signature(Function::Fold(op, dtype), "void", types::value(dtype));
    let atomic = AtomicOp::ALL.iter().copied().find(|atomic| {
        operation(*atomic) == Some(op) && atomic.takes(dtype) && dtype.kind() != Kind::Bool
    });
    if let Some(atomic) = atomic {
        let call = prelude.name(Function::Atomic(atomic, dtype));
        return format!("{head}{{\n    {call}(address, operand);\n}}\n");
    }
    if dtype.itemsize() >= 4 {
        return head + &change_word(prelude, op, dtype, "return;");
    }
    head + &change_part_of_word(prelude, op, dtype)
}

/// A loop until nobody came in between.
fn change_word(prelude: &mut Prelude, op: BinaryOp, dtype: DType, done: &str) -> String {
    let (ty, bits) = (types::value(dtype), types::bits(dtype));
    let next = binary(prelude, op, dtype, "old", "operand").text;
    let (old, next) = (
        types::from_bits(dtype, "seen"),
        types::to_bits(dtype, &next),
    );
    format!(
        "{{
    {bits}* const word = ({bits}*)address;
    {bits} seen = *word;
    while (true) {{
        const {ty} old = {old};
        const {bits} before = atomicCAS(word, seen, {next});
        if (before == seen) {{
            {done}
        }}
        seen = before;
    }}
}}
"
    )
}

/// The same for an element that shares its word with others.
fn change_part_of_word(prelude: &mut Prelude, op: BinaryOp, dtype: DType) -> String {
    let ty = types::value(dtype);
    let mask = if dtype.itemsize() == 1 {
        "0xffu"
    } else {
        "0xffffu"
    };
    let next = binary(prelude, op, dtype, "old", "operand").text;
    let old = types::from_bits(dtype, "seen >> shift");
    let bits = types::to_bits(dtype, "next");
    format!(
        "{{
    const u32 shift = 8 * ((u64)address & 3);
    u32* const word = (u32*)((u64)address & ~3ull);
    u32 seen = *word;
    while (true) {{
        const {ty} old = {old};
        const {ty} next = {next};
        const u32 wanted = (seen & ~({mask} << shift)) | ((u32){bits} << shift);
        const u32 before = atomicCAS(word, seen, wanted);
        if (before == seen) {{
            return;
        }}
        seen = before;
    }}
}}
"
    )
}

/// A tree over the threads of a block; the result is whole in the first one.
pub(crate) fn define_combine(prelude: &mut Prelude, op: BinaryOp, dtype: DType) -> String {
    let (ty, name) = (types::value(dtype), name(Function::Combine(op, dtype)));
    let next = binary(prelude, op, dtype, "parts[mine]", "parts[mine + half]").text;
    format!(
        "__device__ inline {ty} {name}({ty} value)
{{
    __shared__ {ty} parts[{REGION_BLOCK}];
    const u32 mine = threadIdx.x;
    parts[mine] = value;
    __syncthreads();
    for (u32 count = blockDim.x; count > 1;) {{
        const u32 half = (count + 1) / 2;
        if (mine < count / 2) {{
            parts[mine] = {next};
        }}
        __syncthreads();
        count = half;
    }}
    const {ty} result = parts[0];
    __syncthreads();
    return result;
}}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_an_instruction_uses_it() {
        let text = define_atomic(&mut Prelude::default(), AtomicOp::Subtract, DType::Int64);
        assert!(
            text.contains("(i64)(atomicAdd((u64*)address, 0 - (u64)operand))"),
            "{text}"
        );
    }

    #[test]
    fn the_smallest_float_is_found_by_a_loop() {
        let text = define_atomic(&mut Prelude::default(), AtomicOp::Minimum, DType::Float64);
        assert!(text.contains("atomicCAS(word, seen, "), "{text}");
        assert!(text.contains("cl::min(old, operand)"), "{text}");
    }

    #[test]
    fn a_byte_is_changed_through_its_word() {
        let text = define_fold(&mut Prelude::default(), BinaryOp::Multiply, DType::UInt8);
        assert!(text.contains("(u32*)((u64)address & ~3ull)"), "{text}");
    }
}
