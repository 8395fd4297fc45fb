//! Drops variables that no statement names, so that a kernel asks for no more than it uses: a
//! forgotten float64 would keep it off devices that have none.

use colocate_ir::{Block, CallResult, Kernel, KernelKind, Op, StatementKind, VariableId, walk};

/// Runs the pass.
pub fn run(mut kernel: Kernel) -> Kernel {
    let mut used = vec![false; kernel.variables.len()];
    walk(&kernel.body, &mut |statement| {
        if let StatementKind::Let {
            op: Op::Get(variable),
            ..
        } = &statement.kind
        {
            used[variable.index()] = true;
        }
        for variable in statement.kind.sets() {
            used[variable.index()] = true;
        }
    });
    for reduction in kernel.reductions() {
        used[reduction.variable.index()] = true;
    }
    for result in kernel.results() {
        used[result.index()] = true;
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
    match &mut kernel.kind {
        KernelKind::Region { reductions } => {
            for reduction in reductions {
                reduction.variable = numbers[reduction.variable.index()];
            }
        }
        KernelKind::Function { results } => {
            for result in results {
                *result = numbers[result.index()];
            }
        }
        KernelKind::NdRange | KernelKind::Host => {}
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
            StatementKind::Call { results, .. } => {
                for result in results {
                    if let CallResult::Variable(variable) = result {
                        *variable = numbers[variable.index()];
                    }
                }
            }
            StatementKind::CallFunction { results, .. } => {
                for variable in results {
                    *variable = numbers[variable.index()];
                }
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
    use colocate_ir::{DType, HOST_PARAMS, HostFunctionId, KernelBuilder, ParamKind, verify};

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

    #[test]
    fn what_calls_set_and_functions_give_is_named() {
        let mut f = host();
        f.variable("unused", DType::Float64);
        let out = f.variable("out", DType::Int64);
        f.kernel_mut().kind = KernelKind::Function { results: vec![out] };
        let f = run(f.finish());
        assert_eq!(f.results(), [VariableId(0)]);

        let mut b = host();
        b.variable("unused", DType::Float64);
        let called = b.variable("called", DType::Int64);
        b.variable("unused, too", DType::Float64);
        let given = b.variable("given", DType::Int64);
        b.call(0, &[], vec![CallResult::Variable(called)]);
        b.call_function(HostFunctionId(0), &[], &[given]);
        b.kernel_mut().functions.push(f);
        let kernel = run(b.finish());
        assert_eq!(verify(&kernel), []);
        let names: Vec<&str> = kernel.variables.iter().map(|v| v.name.as_str()).collect();
        assert_eq!(names, ["called", "given"]);
    }

    fn host() -> KernelBuilder {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Host);
        for _ in 0..HOST_PARAMS {
            b.param("word", ParamKind::Scalar(DType::UInt64));
        }
        b
    }
}
