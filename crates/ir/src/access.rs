//! Which parameters a kernel reads and which it writes, as far as its text tells: a statement that
//! is never reached counts as one that is.

use crate::{ArrayRef, Kernel, Op, ParamId, StatementKind, walk};

/// What a kernel does with a parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Access {
    /// It looks at its elements, or at its value.
    pub reads: bool,
    /// It changes its elements.
    pub writes: bool,
}

/// What a kernel does with each of its parameters. Asking for an array's extent is no access.
pub fn param_accesses(kernel: &Kernel) -> Vec<Access> {
    let mut accesses = vec![Access::default(); kernel.params.len()];
    let mut note = |param: ParamId, reads: bool, writes: bool| {
        let access = &mut accesses[param.index()];
        access.reads |= reads;
        access.writes |= writes;
    };
    for reduction in kernel.reductions() {
        note(reduction.target, true, true);
    }
    walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Let {
            op: Op::Param(param, _),
            ..
        } => note(*param, true, false),
        StatementKind::Load { place, .. } => {
            if let ArrayRef::Param(param) = place.array {
                note(param, true, false);
            }
        }
        StatementKind::Store { place, .. } => {
            if let ArrayRef::Param(param) = place.array {
                note(param, false, true);
            }
        }
        StatementKind::Atomic { place, .. } => {
            if let ArrayRef::Param(param) = place.array {
                note(param, true, true);
            }
        }
        _ => {}
    });
    accesses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        AtomicOp, DType, KernelBuilder, KernelKind, Layout, ParamKind, Place, Reduction,
        ReductionOperator,
    };

    fn array(rank: u8) -> ParamKind {
        ParamKind::Array {
            dtype: DType::Int64,
            rank,
            layout: Layout::Contiguous,
        }
    }

    #[test]
    fn loads_read_stores_write_atomics_and_reductions_do_both() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::NdRange);
        let read = b.param("read", array(1));
        let written = b.param("written", array(1));
        let counted = b.param("counted", array(1));
        let asked = b.param("asked", array(1));
        let sum = b.param("sum", array(0));
        let n = b.param("n", ParamKind::Scalar(DType::Int64));
        let x = b.variable("x", DType::Int64);
        b.kernel_mut().kind = KernelKind::Region {
            reductions: vec![Reduction {
                operator: ReductionOperator::Add,
                variable: x,
                target: sum,
            }],
        };
        let i = b.scalar(n);
        let condition = b.compare(crate::CompareOp::Less, i, i);
        b.begin_if(condition);
        let value = b.load(Place::new(ArrayRef::Param(read), [i]));
        b.store(Place::new(ArrayRef::Param(written), [i]), value);
        b.atomic(
            AtomicOp::Add,
            Place::new(ArrayRef::Param(counted), [i]),
            value,
            None,
        );
        b.end();
        b.extent(ArrayRef::Param(asked), 0);
        let found: Vec<(bool, bool)> = param_accesses(&b.finish())
            .into_iter()
            .map(|access| (access.reads, access.writes))
            .collect();
        assert_eq!(
            found,
            [
                (true, false),
                (false, true),
                (true, true),
                (false, false),
                (true, true),
                (true, false)
            ]
        );
    }
}
