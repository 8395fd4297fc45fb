//! Removes what computes nothing: `Let`s whose value nobody uses, and `Set`s of variables that
//! nobody reads.
//!
//! Loads stay, dead or not, and so does control flow; what they hold of dead statements goes.

use crate::rewrite::{Rebuild, Step};
use colocate_ir::{Kernel, Op, StatementKind, ValueId, VariableId, walk};

/// Runs the pass.
pub fn run(kernel: Kernel) -> Kernel {
    let live = Live::of(&kernel);
    Rebuild::new(&kernel).run(&kernel.body, |_, statement| {
        let dead = match statement {
            StatementKind::Let { value, .. } => !live.values[value.index()],
            StatementKind::Set { variable, .. } => !live.variables[variable.index()],
            _ => false,
        };
        if dead { Step::Replaced } else { Step::Copy }
    })
}

/// What has an influence on an effect.
struct Live {
    values: Vec<bool>,
    variables: Vec<bool>,
}

impl Live {
    fn of(kernel: &Kernel) -> Live {
        let mut operations: Vec<Option<&Op>> = vec![None; kernel.values.len()];
        let mut writes: Vec<Vec<ValueId>> = vec![Vec::new(); kernel.variables.len()];
        let mut pending: Vec<ValueId> = Vec::new();
        walk(&kernel.body, &mut |statement| match &statement.kind {
            StatementKind::Let { value, op } => operations[value.index()] = Some(op),
            StatementKind::Set { variable, value } => writes[variable.index()].push(*value),
            effect => pending.extend(effect.uses()),
        });
        let mut live = Live {
            values: vec![false; kernel.values.len()],
            variables: vec![false; kernel.variables.len()],
        };
        for reduction in kernel.reductions() {
            live.read(reduction.variable, &writes, &mut pending);
        }
        for &result in kernel.results() {
            live.read(result, &writes, &mut pending);
        }
        while let Some(value) = pending.pop() {
            if std::mem::replace(&mut live.values[value.index()], true) {
                continue;
            }
            let Some(op) = operations[value.index()] else {
                continue;
            };
            pending.extend(op.operands());
            if let Op::Get(variable) = op {
                live.read(*variable, &writes, &mut pending);
            }
        }
        live
    }

    /// Notes that a variable is read: what is written to it is used.
    fn read(&mut self, variable: VariableId, writes: &[Vec<ValueId>], pending: &mut Vec<ValueId>) {
        if !std::mem::replace(&mut self.variables[variable.index()], true) {
            pending.extend(&writes[variable.index()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{
        ArrayRef, DType, HostFunctionId, IndexFunction, KernelBuilder, KernelKind, Layout,
        ParamKind, Place, Reduction, ReductionOperator, UnaryOp, verify,
    };

    fn array(rank: u8) -> ParamKind {
        ParamKind::Array {
            dtype: DType::Int64,
            rank,
            layout: Layout::Contiguous,
        }
    }

    fn region() -> KernelKind {
        KernelKind::Region { reductions: vec![] }
    }

    fn statements(kernel: &Kernel) -> usize {
        let mut count = 0;
        walk(&kernel.body, &mut |_| count += 1);
        count
    }

    #[test]
    fn a_chain_of_unused_values_is_removed_at_once() {
        let mut b = KernelBuilder::new("k", 1, region());
        let out = b.param("out", array(1));
        let i = b.index(IndexFunction::GlobalId, 0);
        let a = b.unary(UnaryOp::Negate, i);
        let dead = b.unary(UnaryOp::Abs, a);
        b.unary(UnaryOp::Negate, dead);
        b.store(Place::new(ArrayRef::Param(out), [i]), a);
        let kernel = run(b.finish());
        assert_eq!(verify(&kernel), []);
        assert_eq!(statements(&kernel), 3);
    }

    #[test]
    fn a_variable_that_only_feeds_itself_is_not_written() {
        let mut b = KernelBuilder::new("k", 1, region());
        let count = b.variable("count", DType::Int64);
        let turn = b.variable("turn", DType::Int64);
        let (zero, ten, one) = (b.int64(0), b.int64(10), b.int64(1));
        b.begin_for(turn, zero, ten, one);
        let before = b.get(count);
        let after = b.unary(UnaryOp::Negate, before);
        b.set(count, after);
        b.end();
        let now = b.get(count);
        b.set(count, now);
        let kernel = run(b.finish());
        assert_eq!(verify(&kernel), []);
        // The three bounds and the loop.
        assert_eq!(statements(&kernel), 4);
    }

    #[test]
    fn what_reaches_a_store_through_a_variable_stays() {
        let mut b = KernelBuilder::new("k", 1, region());
        let out = b.param("out", array(1));
        let x = b.variable("x", DType::Int64);
        let i = b.index(IndexFunction::GlobalId, 0);
        let a = b.unary(UnaryOp::Negate, i);
        b.set(x, a);
        let got = b.get(x);
        b.store(Place::new(ArrayRef::Param(out), [i]), got);
        let before = b.finish();
        assert_eq!(run(before.clone()), before);
    }

    #[test]
    fn the_variable_of_a_reduction_is_read_in_the_end() {
        let mut b = KernelBuilder::new("k", 1, region());
        let target = b.param("sum", array(0));
        let sum = b.variable("sum", DType::Int64);
        b.kernel_mut().kind = KernelKind::Region {
            reductions: vec![Reduction {
                operator: ReductionOperator::Add,
                variable: sum,
                target,
            }],
        };
        let i = b.index(IndexFunction::GlobalId, 0);
        b.set(sum, i);
        let before = b.finish();
        assert_eq!(run(before.clone()), before);
    }

    #[test]
    fn loads_stay() {
        let mut b = KernelBuilder::new("k", 1, region());
        let a = b.param("a", array(1));
        let i = b.index(IndexFunction::GlobalId, 0);
        b.load(Place::new(ArrayRef::Param(a), [i]));
        let before = b.finish();
        assert_eq!(run(before.clone()), before);
    }

    #[test]
    fn calls_stay_with_what_they_are_given_and_results_with_what_they_hold() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Host);
        let [x, y, out] = ["x", "y", "out"].map(|name| b.variable(name, DType::Int64));
        let n = b.int64(5);
        b.set(x, n);
        let passed = b.get(x);
        b.call(0, &[passed], vec![]);
        let other = b.unary(UnaryOp::Negate, n);
        b.call_function(HostFunctionId(0), &[other], &[y]);
        b.set(out, n);
        b.kernel_mut().kind = KernelKind::Function { results: vec![out] };
        let before = b.finish();
        assert_eq!(run(before.clone()), before);
    }
}
