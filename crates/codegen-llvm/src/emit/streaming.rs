//! Stores that pass the caches by.
//!
//! An ordinary store first reads the line that it writes to. For arrays that no cache will keep that is traffic for
//! nothing: adding two arrays of 80 MB into a third takes 4.8 ms without it and 6.3 ms with it, on two
//! cores. Only the launch tells how large the arrays are, so the code asks: once for each array, and for each
//! store whether its address is a multiple of its size, which such stores need.

use super::Emitter;
use crate::llvm::{IntPredicate, Value};
use colocate_ir::{ArrayRef, Kernel, ParamId, StatementKind, walk};

/// So many bytes are not kept by caches.
const LARGE: i64 = 32 << 20;
/// Processors combine such stores to lines for a few places at a time.
const MOST_ARRAYS: usize = 4;

/// For each parameter: whether all that is done with it is to store each element once, as far as can be told, in a
/// kernel that does little else.
fn only_stored(kernel: &Kernel) -> Vec<bool> {
    let mut stores = vec![0; kernel.params.len()];
    let mut fine = vec![true; kernel.params.len()];
    let mut has_loops = false;
    for reduction in kernel.reductions() {
        fine[reduction.target.index()] = false;
    }
    walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Store { place, .. } => {
            if let ArrayRef::Param(param) = place.array {
                stores[param.index()] += 1;
            }
        }
        StatementKind::Load { place, .. } | StatementKind::Atomic { place, .. } => {
            if let ArrayRef::Param(param) = place.array {
                fine[param.index()] = false;
            }
        }
        StatementKind::For { .. } | StatementKind::While { .. } => has_loops = true,
        _ => {}
    });
    let both = stores.iter().zip(fine);
    both.map(|(stores, fine)| *stores == 1 && fine && !has_loops)
        .collect()
}

impl Emitter<'_> {
    /// Finds out which arrays the items of a space of these extents fill with more than caches keep.
    pub(super) fn find_large_arrays(&mut self, global: [Value; 3]) {
        let arrays = only_stored(self.kernel);
        let count = arrays.iter().filter(|one| **one).count();
        let is_x86 = self.target.triple.starts_with("x86_64");
        self.large_arrays = vec![None; arrays.len()];
        if self.width == 1 || !is_x86 || count > MOST_ARRAYS {
            return;
        }
        for (index, _) in arrays.iter().enumerate().filter(|(_, only)| **only) {
            let dtype = ArrayRef::Param(ParamId(index as u32)).dtype(self.kernel);
            let Some(dtype) = dtype else { continue };
            let mut bytes = self.m.i64(dtype.itemsize() as i64);
            for extent in global {
                bytes = self.m.mul(bytes, extent);
            }
            let large = self.m.i64(LARGE);
            let is_large = self.m.icmp(IntPredicate::LLVMIntSGE, bytes, large);
            self.large_arrays[index] = Some(is_large);
        }
    }

    /// Whether to store a vector past the caches, if that can be.
    pub(super) fn passes_caches(
        &self,
        param: Option<ParamId>,
        pointer: Value,
        bytes: u32,
    ) -> Option<(Value, u32)> {
        let large = self.large_arrays.get(param?.index()).copied()??;
        if bytes < 16 {
            return None;
        }
        let alignment = bytes.min(64);
        let address = self.m.pointer_to_int(pointer, self.m.int(64));
        let beyond = self.m.and(address, self.m.i64(i64::from(alignment) - 1));
        let aligned = self.m.icmp(IntPredicate::LLVMIntEQ, beyond, self.m.i64(0));
        Some((self.m.and(large, aligned), alignment))
    }

    /// Such stores are not ordered with the one that says that all is done.
    pub(super) fn finish_large_arrays(&self) {
        if self.large_arrays.iter().any(Option::is_some) {
            self.m.intrinsic("llvm.x86.sse.sfence", &[], &[]);
        }
    }
}
