//! Linear algebra on arrays: products, solutions, decompositions, all in batches.
//!
//! The last two axes of an array are a matrix, those before it a batch. Arguments have the dtypes
//! that the functions ask for; whoever calls has promoted them.
//!
//! On devices that run host tasks everything is computed in place by `colocate-dense`. On others
//! products are kernels; decompositions bring their matrices to the host and the results back.

mod batch;
mod decompositions;
mod matmul;

pub use colocate_dense::{Failure, Triangle};
pub use decompositions::{
    cholesky, determinant, eigen_general, eigen_hermitian, inverse, qr, sign_and_logarithm, solve,
    svd,
};
pub use matmul::matmul;

use crate::{Array, Result};
use colocate_runtime::Access;

/// The array itself, or an aligned copy: host code needs elements where their type may lie.
fn aligned(array: &Array) -> Result<Array> {
    if (array.pointer() as usize).is_multiple_of(array.dtype().alignment()) {
        return Ok(array.clone());
    }
    array.copy_to(array.queue(), array.kind())
}

fn uses<'a>(
    read: &'a [Array],
    written: &'a [Array],
) -> smallvec::SmallVec<[colocate_runtime::Use<'a>; 6]> {
    let with = |access| {
        move |array: &'a Array| colocate_runtime::Use {
            usm: array.usm(),
            access,
        }
    };
    let read = read.iter().map(with(Access::Read));
    read.chain(written.iter().map(with(Access::Write)))
        .collect()
}
