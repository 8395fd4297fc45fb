//! Replaces reads of a variable that is written once by the value written, where every read comes
//! after the write.
//!
//! The front end keeps every name of a program in a variable. Most are assigned once; as plain
//! values they need no registers of their own on any target, and a code generator sees what an
//! index is made of.

use crate::rewrite::{Rebuild, Step};
use colocate_ir::{Block, Kernel, Op, StatementKind, ValueId, VariableId, walk};

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
    let count = kernel.variables.len();
    let (mut writes, mut reads) = (vec![0usize; count], vec![0usize; count]);
    walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Set { variable, .. } => writes[variable.index()] += 1,
        // A loop writes its variable at every turn.
        StatementKind::For { variable, .. } => writes[variable.index()] += 2,
        StatementKind::Let {
            op: Op::Get(variable),
            ..
        } => reads[variable.index()] += 1,
        _ => {}
    });
    for reduction in kernel.reductions() {
        writes[reduction.variable.index()] += 2;
    }
    let mut forwarded = vec![None; count];
    visit(&kernel.body, &mut |block| {
        for (position, statement) in block.iter().enumerate() {
            let StatementKind::Set { variable, value } = statement.kind else {
                continue;
            };
            let index = variable.index();
            if writes[index] == 1 && reads_in(&block[position + 1..], variable) == reads[index] {
                forwarded[index] = Some(value);
            }
        }
    });
    forwarded
}

fn visit<'a>(block: &'a Block, action: &mut impl FnMut(&'a Block)) {
    action(block);
    for statement in block {
        for inner in statement.kind.blocks() {
            visit(inner, action);
        }
    }
}

fn reads_in(statements: &[colocate_ir::Statement], variable: VariableId) -> usize {
    let mut reads = 0;
    let mut count = |statement: &colocate_ir::Statement| {
        if let StatementKind::Let {
            op: Op::Get(read), ..
        } = &statement.kind
        {
            reads += usize::from(*read == variable);
        }
    };
    for statement in statements {
        count(statement);
        for block in statement.kind.blocks() {
            walk(block, &mut count);
        }
    }
    reads
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{
        BinaryOp, CompareOp, DType, IndexFunction, KernelBuilder, KernelKind, verify,
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
}
