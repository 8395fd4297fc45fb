//! Functions of vectors that are computed in line, by code of our own.

use super::exponential::exponential;
use super::logarithm::logarithm;
use crate::llvm::Module;
use crate::target::Target;
use colocate_ir::{DType, MathFunction};

/// How many lanes a vector of the target's registers has.
pub fn register_lanes(target: &Target, dtype: DType) -> u32 {
    target.vector_bytes / dtype.itemsize() as u32
}

/// The name of a function for vectors of so many lanes, which is in the module then; `None` if the target is
/// better off with the C library.
pub fn own_function(
    module: &Module,
    target: &Target,
    function: MathFunction,
    dtype: DType,
    lanes: u32,
) -> Option<String> {
    // Without fused multiplications, which come with registers of this size, errors are larger.
    if target.vector_bytes < 32 || lanes > register_lanes(target, dtype) {
        return None;
    }
    let (body, text): (fn(&Module, &Target, DType, u32, _) -> _, _) = match function {
        MathFunction::Exp => (exponential, "exp"),
        MathFunction::Log => (logarithm, "log"),
        _ => return None,
    };
    let (letter, scalar) = match dtype {
        DType::Float64 => ("d", module.double()),
        DType::Float32 => ("f", module.float()),
        _ => return None,
    };
    let name = format!("colocate_{text}_{letter}{lanes}");
    let kind = module.vector(scalar, lanes);
    module.define_pure(&name, kind, target, |module, x| {
        body(module, target, dtype, lanes, x)
    });
    Some(name)
}
