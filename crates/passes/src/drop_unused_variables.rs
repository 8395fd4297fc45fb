//! Drops variables that no statement names, so that a kernel asks for no more than it uses: a
//! forgotten float64 would keep it off devices that have none.

use colocate_ir::{Block, Kernel, KernelKind, Op, StatementKind, VariableId, walk};

/// Runs the pass.
pub fn run(mut kernel: Kernel) -> Kernel {
    let mut used = vec![false; kernel.variables.len()];
    walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Set { variable, .. }
        | StatementKind::For { variable, .. }
        | StatementKind::Let {
            op: Op::Get(variable),
            ..
        } => used[variable.index()] = true,
        _ => {}
    });
    for reduction in kernel.reductions() {
        used[reduction.variable.index()] = true;
    }
    let mut numbers = Vec::new();
    let mut next = 0;
    for &keep in &used {
        numbers.push(VariableId(next));
        next += u32::from(keep);
    }
    let mut keep = used.iter();
    kernel
        .variables
        .retain(|_| *keep.next().expect("one for each variable"));
    renumber(&mut kernel.body, &numbers);
    if let KernelKind::Region { reductions } = &mut kernel.kind {
        for reduction in reductions {
            reduction.variable = numbers[reduction.variable.index()];
        }
    }
    kernel
}

fn renumber(block: &mut Block, numbers: &[VariableId]) {
    for statement in block {
        match &mut statement.kind {
            StatementKind::Set { variable, .. }
            | StatementKind::Let {
                op: Op::Get(variable),
                ..
            } => *variable = numbers[variable.index()],
            StatementKind::For { variable, body, .. } => {
                *variable = numbers[variable.index()];
                renumber(body, numbers);
            }
            StatementKind::If {
                then, otherwise, ..
            } => {
                renumber(then, numbers);
                renumber(otherwise, numbers);
            }
            StatementKind::While { before, body, .. } => {
                renumber(before, numbers);
                renumber(body, numbers);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{DType, KernelBuilder, verify};

    #[test]
    fn only_variables_that_are_named_stay() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] });
        b.variable("unused", DType::Float64);
        let used = b.variable("used", DType::Int64);
        b.variable("unused, too", DType::Float64);
        let one = b.int64(1);
        b.set(used, one);
        b.get(used);
        let kernel = run(b.finish());
        assert_eq!(verify(&kernel), []);
        let names: Vec<&str> = kernel.variables.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["used"]);
    }
}
