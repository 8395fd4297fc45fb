//! Correlation of vectors.

use crate::launch::{Arguments, KernelKey, launch};
use crate::{Array, Result};
use colocate_kernels::correlate as kernel;
use colocate_runtime::{Access, UsmKind};

/// Sums of products of `v` with what lies under it in `a`, where it lies inside completely. Both
/// are contiguous vectors of one dtype of numbers on one queue, and `v` is not the longer one and
/// not empty.
pub fn correlate(a: &Array, v: &Array, kind: UsmKind) -> Result<Array> {
    let length = a.size() - v.size() + 1;
    let out = Array::empty(&[length], a.dtype(), kind, a.queue())?;
    let key = KernelKey::new("correlate", &[a.dtype() as u32]);
    let mut arguments = Arguments::new();
    arguments.contiguous(a, Access::Read, &[a.size()]);
    arguments.contiguous(v, Access::Read, &[v.size()]);
    arguments.contiguous(&out, Access::Write, &[length]);
    // SAFETY: the parameters of the kernel, and an item for each element of the result.
    unsafe {
        let build = || kernel::correlate(a.dtype());
        launch(a.queue(), &key, build, &arguments, &[length], None)?;
    }
    drop(arguments);
    Ok(out)
}
