//! Conversions between dtypes.

use super::Emitter;
use crate::llvm::{IntPredicate, RealPredicate, Value};
use colocate_ir::{DType, Kind};

impl Emitter<'_> {
    pub(super) fn convert(&self, a: Value, from: DType, to: DType, lanes: u32) -> Value {
        if from == to {
            return a;
        }
        let m = &self.m;
        let kind = m.vector(self.scalar_type(to), lanes);
        let source = m.type_of(a);
        match (from.kind(), to.kind()) {
            (Kind::Float, Kind::Bool) => m.fcmp(RealPredicate::LLVMRealUNE, a, m.null(source)),
            (_, Kind::Bool) => m.icmp(IntPredicate::LLVMIntNE, a, m.null(source)),
            (Kind::Float, Kind::Float) => self.float_to_float(a, from, to, lanes),
            (Kind::Float, integer) => {
                let (a, source) = if from == DType::Float16 {
                    let wide = m.vector(m.float(), lanes);
                    (m.fp_ext(a, wide), wide)
                } else {
                    (a, source)
                };
                let name = match integer {
                    Kind::Int => "llvm.fptosi.sat",
                    _ => "llvm.fptoui.sat",
                };
                m.intrinsic(name, &[kind, source], &[a])
            }
            (integer, Kind::Float) => {
                let signed = integer == Kind::Int;
                let single = |to| {
                    if signed {
                        m.si_to_fp(a, to)
                    } else {
                        m.ui_to_fp(a, to)
                    }
                };
                if to == DType::Float16 {
                    // Every integer that float16 can tell from its neighbours is exact in float64.
                    let wide = single(m.vector(m.double(), lanes));
                    return self.float_to_float(wide, DType::Float64, to, lanes);
                }
                single(kind)
            }
            (integer, _) => {
                let (narrow, wide) = (from.itemsize(), to.itemsize());
                if integer == Kind::Bool {
                    m.zext(a, kind)
                } else if wide < narrow {
                    m.trunc(a, kind)
                } else if wide == narrow {
                    a
                } else if integer == Kind::Int {
                    m.sext(a, kind)
                } else {
                    m.zext(a, kind)
                }
            }
        }
    }

    fn float_to_float(&self, a: Value, from: DType, to: DType, lanes: u32) -> Value {
        let m = &self.m;
        let kind = m.vector(self.scalar_type(to), lanes);
        let single = m.vector(m.float(), lanes);
        match (from, to) {
            (DType::Float16, DType::Float64) => {
                let wide = m.fp_ext(a, single);
                m.fp_ext(wide, kind)
            }
            (DType::Float64, DType::Float16) => {
                // By way of float32, but rounded once: what float32 cannot hold is left in its last
                // bit as a mark, so that the second rounding decides as if it had seen it all.
                let bits = m.vector(m.int(64), lanes);
                let constant = |value| m.splat(m.const_int(m.int(64), value), lanes);
                let lost = constant((1 << 29) - 1);
                let kept = constant(!((1u64 << 29) - 1));
                let a = m.bitcast(a, bits);
                let inexact = m.icmp(IntPredicate::LLVMIntNE, m.and(a, lost), m.null(bits));
                let mark = m.shl(m.zext(inexact, bits), constant(29));
                let marked = m.or(m.and(a, kept), mark);
                let double = m.vector(m.double(), lanes);
                let narrow = m.fp_trunc(m.bitcast(marked, double), single);
                m.fp_trunc(narrow, kind)
            }
            _ if to.itemsize() > from.itemsize() => m.fp_ext(a, kind),
            _ => m.fp_trunc(a, kind),
        }
    }
}
