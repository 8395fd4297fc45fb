//! Replaces reads of a variable that is written once by the value written, where every read comes
//! after the write.
//!
//! The front end keeps every name of a program in a variable. Most are assigned once; as plain
//! values they need no registers of their own on any target, and a code generator sees what an
//! index is made of.

use crate::rewrite::{Rebuild, Step};
use colocate_ir::{Block, Kernel, Op, StatementKind, ValueId, VariableId};

/// Runs the pass.
pub fn run(kernel: Kernel) -> Kernel {
    let forwarded = forwarded(&kernel);
    Rebuild::new(&kernel).run(&kernel.body, |rebuild, statement| match statement {
        StatementKind::Set { variable, .. } if forwarded[variable.index()].is_some() => {
            Step::Replaced
        }
        StatementKind::Let {
            value,
            op: Op::Get(variable),
        } => match forwarded[variable.index()] {
            Some(written) => {
                let written = rebuild.value(written);
                rebuild.define(*value, written);
                Step::Replaced
            }
            None => Step::Copy,
        },
        _ => Step::Copy,
    })
}

/// For each variable the one value that all its reads give, if there is one.
fn forwarded(kernel: &Kernel) -> Vec<Option<ValueId>> {
    let mut uses = vec![Uses::default(); kernel.variables.len()];
    scan(&kernel.body, &mut 0, &mut uses);
    for reduction in kernel.reductions() {
        uses[reduction.variable.index()].writes += 2;
    }
    for result in kernel.results() {
        uses[result.index()].writes += 2;
    }
    uses.iter().map(Uses::forwarded).collect()
}

/// What is done with a variable. Statements are numbered in the order of the text.
#[derive(Clone, Default)]
struct Uses {
    writes: usize,
    /// The first and the last statement that reads it.
    reads: Option<(usize, usize)>,
    /// The last assignment: the statement, what is written, and the first statement after the
    /// assignment's block.
    set: Option<(usize, ValueId, usize)>,
}

impl Uses {
    fn forwarded(&self) -> Option<ValueId> {
        let (at, value, end) = self.set?;
        let follow = self
            .reads
            .is_none_or(|(first, last)| at < first && last < end);
        (self.writes == 1 && follow).then_some(value)
    }
}

/// Goes through the statements of a block, of which the first has the number `next`.
fn scan(block: &Block, next: &mut usize, uses: &mut [Uses]) {
    let mut assigned: Vec<VariableId> = Vec::new();
    for statement in block {
        let at = *next;
        *next += 1;
        match &statement.kind {
            StatementKind::Set { variable, value } => {
                let uses = &mut uses[variable.index()];
                uses.writes += 1;
                uses.set = Some((at, *value, at));
                assigned.push(*variable);
            }
            StatementKind::Let {
                op: Op::Get(variable),
                ..
            } => {
                let reads = &mut uses[variable.index()].reads;
                *reads = Some((reads.map_or(at, |(first, _)| first), at));
            }
            // A loop writes its variable at every turn, and what a call writes is no value.
            other => {
                for variable in other.sets() {
                    uses[variable.index()].writes += 2;
                }
            }
        }
        for inner in statement.kind.blocks() {
            scan(inner, next, uses);
        }
    }
    for variable in assigned {
        if let Some((_, _, end)) = &mut uses[variable.index()].set {
            *end = *next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{
        BinaryOp, CallResult, CompareOp, DType, HOST_PARAMS, HostFunctionId, IndexFunction,
        KernelBuilder, KernelKind, ParamKind, verify, walk,
    };

    fn region() -> KernelBuilder {
        KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] })
    }

    fn gets(kernel: &Kernel) -> usize {
        let mut gets = 0;
        walk(&kernel.body, &mut |statement| {
            let get = matches!(&statement.kind, StatementKind::Let { op: Op::Get(_), .. });
            gets += usize::from(get);
        });
        gets
    }

    #[test]
    fn a_name_that_is_assigned_once_becomes_its_value() {
        let mut b = region();
        let x = b.variable("x", DType::Int64);
        let i = b.index(IndexFunction::GlobalId, 0);
        b.set(x, i);
        let zero = b.int64(0);
        let positive = b.compare(CompareOp::Greater, i, zero);
        b.begin_if(positive);
        let inside = b.get(x);
        b.binary(BinaryOp::Add, inside, zero);
        b.end();
        let kernel = run(b.finish());
        assert_eq!(verify(&kernel), []);
        assert_eq!(gets(&kernel), 0);
    }

    #[test]
    fn a_read_that_may_come_before_the_write_stays() {
        let mut b = region();
        let (x, turn) = (b.variable("x", DType::Int64), b.variable("k", DType::Int64));
        let (zero, one, ten) = (b.int64(0), b.int64(1), b.int64(10));
        b.begin_for(turn, zero, ten, one);
        b.get(x);
        b.set(x, one);
        b.get(x);
        b.end();
        let kernel = b.finish();
        assert_eq!(run(kernel.clone()), kernel);
    }

    #[test]
    fn a_name_that_is_assigned_twice_stays() {
        let mut b = region();
        let x = b.variable("x", DType::Int64);
        let (zero, one) = (b.int64(0), b.int64(1));
        b.set(x, zero);
        b.set(x, one);
        b.get(x);
        let kernel = b.finish();
        assert_eq!(run(kernel.clone()), kernel);
    }

    #[test]
    fn what_a_block_assigns_is_not_forwarded_beyond_it() {
        let mut b = region();
        let x = b.variable("x", DType::Int64);
        let one = b.int64(1);
        let truth = b.compare(CompareOp::Equal, one, one);
        b.begin_if(truth);
        b.set(x, one);
        b.get(x);
        b.end();
        b.get(x);
        let kernel = b.finish();
        assert_eq!(run(kernel.clone()), kernel);
    }

    #[test]
    fn what_calls_assign_and_functions_give_stays() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Host);
        for _ in 0..HOST_PARAMS {
            b.param("word", ParamKind::Scalar(DType::UInt64));
        }
        let [x, y, out] = ["x", "y", "out"].map(|name| b.variable(name, DType::Int64));
        let one = b.int64(1);
        for variable in [x, y, out] {
            b.set(variable, one);
        }
        b.call(0, &[one], vec![CallResult::Variable(x)]);
        b.call_function(HostFunctionId(0), &[one], &[y]);
        let sum = [x, y].map(|variable| b.get(variable));
        let sum = b.binary(BinaryOp::Add, sum[0], sum[1]);
        b.set(out, sum);
        b.kernel_mut().kind = KernelKind::Function { results: vec![out] };
        let kernel = b.finish();
        assert_eq!(run(kernel.clone()), kernel);
    }
}
