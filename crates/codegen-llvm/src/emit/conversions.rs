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
            (Kind::Float, _) => {
                let (a, from) = if from == DType::Float16 {
                    (m.fp_ext(a, m.vector(m.float(), lanes)), DType::Float32)
                } else {
                    (a, from)
                };
                self.float_to_integer(a, from, to, lanes)
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

    /// Only what fits is converted, since the instruction gives anything for the rest.
    fn float_to_integer(&self, a: Value, from: DType, to: DType, lanes: u32) -> Value {
        let m = &self.m;
        let bits = 8 * to.itemsize() as u32;
        let wide = bits.max(32);
        let number = m.int(wide);
        let kind = m.vector(number, lanes);
        let source = m.type_of(a);
        let float = |value| m.splat(m.const_float(self.scalar_type(from), value), lanes);
        let lowest = m.splat(m.const_int(number, 1 << (wide - 1)), lanes);
        let end = float(2f64.powi(wide as i32 - 1));
        let signed = |a| {
            // The lowest number of all counts as one that does not fit: that is what those become.
            let size = m.intrinsic("llvm.fabs", &[source], &[a]);
            let fits = m.fcmp(RealPredicate::LLVMRealOLT, size, end);
            m.select(fits, m.fp_to_si(a, kind), lowest)
        };
        if to.kind() == Kind::Int || bits < 32 {
            let whole = signed(a);
            return match bits < wide {
                true => m.trunc(whole, m.vector(m.int(bits), lanes)),
                false => whole,
            };
        }
        let large = m.fcmp(RealPredicate::LLVMRealOGE, a, end);
        let less = m.fsub(a, end);
        let whole = signed(m.select(large, less, a));
        m.xor(whole, m.select(large, lowest, m.null(kind)))
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
