//! Names in the generated text.
//!
//! A user's name is followed by what the thing is and its position (`alpha_p2`, `acc_x0`, `tile_s1`),
//! as in the IR's text. So no two clash, and none is a word of the language, a builtin, or one of the
//! names that the generator itself uses, which have no such ending.

use colocate_ir::{ArrayRef, Kernel, ParamId, StorageId, ValueId, VariableId};

/// The letters that C++ takes, of a name that may have any.
fn plain(name: &str) -> String {
    let mut plain: String = name
        .chars()
        .take(40)
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if plain.starts_with(|c: char| c.is_ascii_digit()) || plain.is_empty() {
        plain.insert(0, '_');
    }
    plain
}

/// The entry point.
pub(crate) fn entry(kernel: &Kernel) -> String {
    format!("{}_kernel", plain(&kernel.name))
}

/// A scalar parameter once decoded, or an array parameter as a typed pointer.
pub(crate) fn param(kernel: &Kernel, id: ParamId) -> String {
    format!("{}_p{}", plain(&kernel.params[id.index()].name), id.0)
}

/// The slot with an array's address.
pub(crate) fn address(kernel: &Kernel, id: ParamId) -> String {
    format!("{}_address", param(kernel, id))
}

/// The slot with an array's extent.
pub(crate) fn extent(kernel: &Kernel, id: ParamId, axis: usize) -> String {
    format!("{}_extent{axis}", param(kernel, id))
}

/// The slot with an array's stride in bytes.
pub(crate) fn stride(kernel: &Kernel, id: ParamId, axis: usize) -> String {
    format!("{}_stride{axis}", param(kernel, id))
}

/// A slot with bytes of a scalar.
pub(crate) fn word(kernel: &Kernel, id: ParamId, position: usize) -> String {
    match kernel.params[id.index()].kind.slots() {
        1 => format!("{}_word", param(kernel, id)),
        _ => format!("{}_word{position}", param(kernel, id)),
    }
}

/// A variable.
pub(crate) fn variable(kernel: &Kernel, id: VariableId) -> String {
    format!("{}_x{}", plain(&kernel.variables[id.index()].name), id.0)
}

/// An array of constant shape.
pub(crate) fn storage(kernel: &Kernel, id: StorageId) -> String {
    format!("{}_s{}", plain(&kernel.storage[id.index()].name), id.0)
}

/// A typed pointer to an array's first cell.
pub(crate) fn array(kernel: &Kernel, array: ArrayRef) -> String {
    match array {
        ArrayRef::Param(id) => param(kernel, id),
        ArrayRef::Storage(id) => storage(kernel, id),
        ArrayRef::Local(_) => unreachable!("only host kernels have arrays from calls"),
    }
}

/// A value that has a name at all.
pub(crate) fn value(id: ValueId) -> String {
    format!("v{}", id.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{DType, KernelBuilder, KernelKind, ParamKind};

    #[test]
    fn letters_that_the_language_lacks_become_underscores() {
        let mut builder = KernelBuilder::new("double", 1, KernelKind::NdRange);
        builder.param("größe", ParamKind::Scalar(DType::Int32));
        builder.param("0", ParamKind::Scalar(DType::Int32));
        builder.param("", ParamKind::Scalar(DType::Int32));
        let kernel = builder.finish();
        assert_eq!(entry(&kernel), "double_kernel");
        assert_eq!(param(&kernel, ParamId(0)), "gr__e_p0");
        assert_eq!(param(&kernel, ParamId(1)), "_0_p1");
        assert_eq!(param(&kernel, ParamId(2)), "__p2");
    }
}
