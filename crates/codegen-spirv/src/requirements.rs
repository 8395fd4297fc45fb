//! What a kernel needs of its device, and whether it is core.

use crate::{Options, Unsupported};
use colocate_ir::{BinaryOp, DType, Kernel, Kind, Op, StatementKind, walk};

/// Fails if the kernel is not core, or needs what the device does not have.
pub fn check(kernel: &Kernel, options: &Options) -> Result<(), Unsupported> {
    if kernel.is_host() {
        return Err(Unsupported::HostKernel);
    }
    let not_core = |what: String| Err(Unsupported::NotCore(what));
    let scalars = kernel.variables.iter().map(|variable| variable.dtype);
    for dtype in kernel.values.iter().copied().chain(scalars) {
        if dtype.kind() == Kind::Complex {
            return not_core(format!("a value of dtype {dtype}"));
        }
        if dtype == DType::Float64 && !options.float64 {
            return Err(Unsupported::Float64);
        }
    }
    let stored = kernel.storage.iter().map(|storage| storage.dtype);
    if !options.float64
        && stored
            .into_iter()
            .any(|dtype| matches!(dtype, DType::Float64 | DType::Complex128))
    {
        return Err(Unsupported::Float64);
    }
    let mut found = Ok(());
    walk(&kernel.body, &mut |statement| {
        if found.is_ok() {
            found = check_statement(kernel, options, &statement.kind);
        }
    });
    found?;
    for reduction in kernel.reductions() {
        let dtype = kernel.variables[reduction.variable.index()].dtype;
        if dtype.itemsize() == 8 && !options.int64_atomics {
            return Err(Unsupported::Int64Atomics);
        }
    }
    Ok(())
}

fn check_statement(
    kernel: &Kernel,
    options: &Options,
    kind: &StatementKind,
) -> Result<(), Unsupported> {
    let not_core = |what: String| Err(Unsupported::NotCore(what));
    match kind {
        StatementKind::Let { op, .. } => {
            if let Op::Binary(binary, ..) = op
                && matches!(
                    binary,
                    BinaryOp::FloorDivide | BinaryOp::Modulo | BinaryOp::Power
                )
            {
                return not_core(format!("the operation {}", binary.name()));
            }
            let computes = matches!(
                op,
                Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..)
            );
            let mut operands = op.operands().into_iter();
            if computes && operands.any(|operand| kernel.dtype(operand) == DType::Float16) {
                return not_core("arithmetic of float16".into());
            }
            Ok(())
        }
        StatementKind::GroupReduce { .. } => not_core("a group reduction".into()),
        StatementKind::Atomic { operand, .. } => {
            if kernel.dtype(*operand).itemsize() == 8 && !options.int64_atomics {
                return Err(Unsupported::Int64Atomics);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
