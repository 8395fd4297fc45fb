//! Checks kernels against the specification in the crate's documentation.
//!
//! A kernel in which [`verify`] finds nothing makes neither the interpreter nor a pass panic, one in
//! which [`verify_core`] finds nothing no code generator. Both look at any kernel whatever its
//! mistakes, and report all of them that do not follow from others.

mod host;

use crate::uniformity::{DivergentBarrier, divergent_barriers};
use crate::{
    AtomicOp, BinaryOp, Block, DType, ECHO_CALLEE, Kernel, KernelKind, Kind, Op, ParamKind, Place,
    Site, Statement, StatementKind, StorageClass, ValueId, VariableId, walk,
};
use std::fmt;

/// A mistake in a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The place of the user's program that the statement comes from; the default one for what
    /// concerns the whole kernel.
    pub site: Site,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Site { file, span } = self.site;
        write!(
            f,
            "{} (file {file}, {}..{})",
            self.message, span.start, span.end
        )
    }
}

/// Everything in a kernel that the specification does not allow.
pub fn verify(kernel: &Kernel) -> Vec<Violation> {
    let mut violations = violations_of(kernel, &kernel.functions);
    if matches!(kernel.kind, KernelKind::Function { .. }) {
        violations.push(whole("a function is part of a host kernel"));
    }
    for function in &kernel.functions {
        violations.extend(violations_of(function, &kernel.functions));
        if !matches!(function.kind, KernelKind::Function { .. }) {
            let name = &function.name;
            violations.push(whole(format!("{name:?} is not of the kind of functions")));
        }
        if function.fast_math != kernel.fast_math {
            violations.push(whole("a function computes as fast as its kernel"));
        }
        if !function.functions.is_empty() {
            violations.push(whole("a function has no functions of its own"));
        }
    }
    // The analysis relies on everything else.
    if violations.is_empty() {
        violations.extend(divergent_barriers(kernel).into_iter().map(divergence));
    }
    violations
}

/// Everything in a kernel that code generators do not take: what [`verify`] finds, and what the
/// specification keeps out of core.
pub fn verify_core(kernel: &Kernel) -> Vec<Violation> {
    let mut violations = verify(kernel);
    if violations.is_empty() {
        for kernel in std::iter::once(kernel).chain(&kernel.functions) {
            report_outside_core(kernel, &mut violations);
        }
    }
    violations
}

/// What a kernel's own declarations and statements violate; `functions` are what it may call.
fn violations_of(kernel: &Kernel, functions: &[Kernel]) -> Vec<Violation> {
    let mut verifier = Verifier::new(kernel, functions);
    verifier.declarations();
    verifier.block(&kernel.body, Surroundings::default());
    verifier.violations
}

/// A violation that concerns the whole kernel.
fn whole(message: impl Into<String>) -> Violation {
    Violation {
        site: Site::default(),
        message: message.into(),
    }
}

fn report_outside_core(kernel: &Kernel, violations: &mut Vec<Violation>) {
    for variable in &kernel.variables {
        if variable.dtype.kind() == Kind::Complex {
            let message = format!("the variable {:?} is complex", variable.name);
            violations.push(whole(message));
        }
    }
    walk(&kernel.body, &mut |statement| {
        if let Some(message) = outside_core(kernel, &statement.kind) {
            violations.push(Violation {
                site: statement.site,
                message,
            });
        }
    });
}

fn is_complex(dtype: DType) -> bool {
    dtype.kind() == Kind::Complex
}

fn divergence(found: DivergentBarrier) -> Violation {
    let DivergentBarrier {
        barrier,
        control,
        exit,
    } = found;
    let bytes = |site: Site| format!("{}..{}", site.span.start, site.span.end);
    let way = match exit {
        None => String::new(),
        Some(exit) => format!(", through the exit at {}", bytes(exit)),
    };
    let message = format!(
        "not all items of a group reach this barrier: they part at {}{way}",
        bytes(control)
    );
    Violation {
        site: barrier,
        message,
    }
}

/// What keeps a statement of a valid kernel out of core.
fn outside_core(kernel: &Kernel, kind: &StatementKind) -> Option<String> {
    if let Some(value) = kind.defines() {
        let dtype = kernel.dtype(value);
        if dtype.kind() == Kind::Complex {
            return Some(format!("{value:?} is {dtype}"));
        }
    }
    match kind {
        StatementKind::GroupReduce { .. } => Some("a group reduction".into()),
        StatementKind::Let { value, op } => {
            if let Op::Binary(
                op @ (BinaryOp::FloorDivide | BinaryOp::Modulo | BinaryOp::Power),
                ..,
            ) = op
            {
                return Some(format!("the operation {}", op.name()));
            }
            let calculates = matches!(
                op,
                Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..)
            );
            let half = |value: &ValueId| kernel.dtype(*value) == DType::Float16;
            let touches_half = half(value) || op.operands().iter().any(half);
            (calculates && touches_half).then(|| format!("{value:?} is calculated with float16"))
        }
        _ => None,
    }
}

/// What a block is inside of.
#[derive(Clone, Copy, Default)]
struct Surroundings {
    /// `Break` and `Continue` have a loop to act on.
    in_loop: bool,
    /// `Return` is not allowed.
    in_before: bool,
}

struct Verifier<'a> {
    kernel: &'a Kernel,
    functions: &'a [Kernel],
    /// For each value, whether a statement so far defines it.
    defined: Vec<bool>,
    /// For each value, whether the statement to come can use it.
    visible: Vec<bool>,
    site: Site,
    violations: Vec<Violation>,
}

impl<'a> Verifier<'a> {
    fn new(kernel: &'a Kernel, functions: &'a [Kernel]) -> Verifier<'a> {
        Verifier {
            kernel,
            functions,
            defined: vec![false; kernel.values.len()],
            visible: vec![false; kernel.values.len()],
            site: Site::default(),
            violations: Vec::new(),
        }
    }

    fn report(&mut self, message: impl Into<String>) {
        self.violations.push(Violation {
            site: self.site,
            message: message.into(),
        });
    }

    fn declarations(&mut self) {
        let kernel = self.kernel;
        let mut letters = kernel.name.chars();
        let head = |c: char| c.is_ascii_alphabetic() || c == '_';
        let tail = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !(letters.next().is_some_and(head) && letters.all(tail)) {
            self.report(format!("{:?} is no identifier", kernel.name));
        }
        if !(1..=3).contains(&kernel.rank) {
            self.report(format!("the index space has rank {}", kernel.rank));
        }
        self.host_declarations();
        for storage in &kernel.storage {
            let name = &storage.name;
            let bytes = storage
                .shape
                .iter()
                .try_fold(storage.dtype.itemsize() as i64, |size, &extent| {
                    size.checked_mul(i64::from(extent))
                });
            match bytes {
                Some(0) => self.report(format!("the storage {name:?} has an extent of 0")),
                Some(_) => {}
                None => self.report(format!("the storage {name:?} is too large")),
            }
            if storage.class == StorageClass::Local && !kernel.is_nd_range() {
                let kind = self.kind();
                self.report(format!("{kind} has no local storage such as {name:?}"));
            }
        }
        if let KernelKind::Region { reductions } = &kernel.kind {
            for (i, reduction) in reductions.iter().enumerate() {
                let earlier = &reductions[..i];
                if earlier.iter().any(|r| r.variable == reduction.variable) {
                    self.report(format!("two reductions of {:?}", reduction.variable));
                }
                if earlier.iter().any(|r| r.target == reduction.target) {
                    self.report(format!("two reductions into {:?}", reduction.target));
                }
                let Some(variable) = kernel.variables.get(reduction.variable.index()) else {
                    self.report(format!("there is no variable {:?}", reduction.variable));
                    continue;
                };
                let (dtype, operator) = (variable.dtype, reduction.operator);
                if !operator.takes(dtype) {
                    self.report(format!("a reduction {} of {dtype}", operator.name()));
                }
                match kernel.params.get(reduction.target.index()).map(|p| p.kind) {
                    Some(ParamKind::Array {
                        dtype: to, rank: 0, ..
                    }) if to == dtype => {}
                    _ => self.report(format!(
                        "the target {:?} of a reduction is no {dtype} array of rank 0",
                        reduction.target
                    )),
                }
            }
        }
    }

    fn kind(&self) -> &'static str {
        match self.kernel.kind {
            KernelKind::Region { .. } => "a region",
            KernelKind::NdRange => "an nd-range kernel",
            KernelKind::Host => "a host kernel",
            KernelKind::Function { .. } => "a function",
        }
    }

    /// Checks a block, after which its values are not visible any more.
    fn block(&mut self, block: &'a Block, surroundings: Surroundings) {
        self.statements(block, surroundings);
        self.hide(block);
    }

    fn hide(&mut self, block: &Block) {
        for value in block.iter().filter_map(|s| s.kind.defines()) {
            if let Some(visible) = self.visible.get_mut(value.index()) {
                *visible = false;
            }
        }
    }

    fn statements(&mut self, block: &'a Block, surroundings: Surroundings) {
        for (i, statement) in block.iter().enumerate() {
            self.site = statement.site;
            let exits = matches!(
                statement.kind,
                StatementKind::Break | StatementKind::Continue | StatementKind::Return
            );
            self.statement(statement, surroundings);
            if exits && i + 1 < block.len() {
                self.site = block[i + 1].site;
                self.report("this is never reached");
            }
        }
    }

    /// The dtype of a value that is used; `None`, and a report, if it cannot be.
    fn used(&mut self, value: ValueId) -> Option<DType> {
        match self.visible.get(value.index()) {
            Some(true) => Some(self.kernel.dtype(value)),
            Some(false) => {
                self.report(format!("{value:?} is not visible here"));
                None
            }
            None => {
                self.report(format!("there is no value {value:?}"));
                None
            }
        }
    }

    /// Checks a value that is used, and that it has the dtype wanted there.
    fn used_as(&mut self, value: ValueId, wanted: DType, what: &str) {
        if let Some(dtype) = self.used(value)
            && dtype != wanted
        {
            self.report(format!("{what} {value:?} is {dtype}, not {wanted}"));
        }
    }

    /// Notes a definition, by something of a dtype that is given if it is known.
    fn define(&mut self, value: ValueId, dtype: Option<DType>) {
        let Some(defined) = self.defined.get_mut(value.index()) else {
            return self.report(format!("there is no value {value:?}"));
        };
        self.visible[value.index()] = true;
        if std::mem::replace(defined, true) {
            self.report(format!("{value:?} is defined twice"));
        }
        let declared = self.kernel.dtype(value);
        if let Some(dtype) = dtype
            && dtype != declared
        {
            self.report(format!("{value:?} is {declared}, but defined as {dtype}"));
        }
    }

    fn variable(&mut self, variable: VariableId) -> Option<DType> {
        let found = self.kernel.variables.get(variable.index());
        if found.is_none() {
            self.report(format!("there is no variable {variable:?}"));
        }
        found.map(|variable| variable.dtype)
    }

    /// The dtype of a place, if there is such a place.
    fn place(&mut self, place: &Place) -> Option<DType> {
        for &index in &place.indices {
            self.used_as(index, DType::Int64, "the index");
        }
        let Some(rank) = place.array.rank(self.kernel) else {
            self.report(format!("there is no array {:?}", place.array));
            return None;
        };
        if place.indices.len() != usize::from(rank) {
            let count = place.indices.len();
            self.report(format!("{count} indices for an array of rank {rank}"));
        }
        let dtype = place.dtype(self.kernel);
        if dtype.is_none() {
            self.report(format!("{:?} has no parts", place.array));
        }
        dtype
    }

    fn statement(&mut self, statement: &'a Statement, surroundings: Surroundings) {
        match &statement.kind {
            StatementKind::Let { value, op } => {
                let operands = op.operands();
                let known = operands
                    .iter()
                    .filter(|operand| self.used(**operand).is_some())
                    .count();
                let dtype = (known == operands.len()).then(|| op.dtype(self.kernel));
                if let Some(Err(why)) = &dtype {
                    self.report(format!("{op:?} is not valid: {why}"));
                }
                self.define(*value, dtype.and_then(Result::ok));
            }
            StatementKind::Set { variable, value } => match self.variable(*variable) {
                Some(dtype) => self.used_as(*value, dtype, "the new value"),
                None => _ = self.used(*value),
            },
            StatementKind::Load { value, place } => {
                let dtype = self.place(place);
                self.define(*value, dtype);
            }
            StatementKind::Store { place, value } => match self.place(place) {
                Some(dtype) => self.used_as(*value, dtype, "the stored value"),
                None => _ = self.used(*value),
            },
            StatementKind::Atomic {
                value,
                op,
                place,
                operand,
                expected,
            } => {
                let dtype = self.place(place);
                if let Some(dtype) = dtype {
                    if !op.takes(dtype) {
                        self.report(format!("an atomic {} of {dtype}", op.name()));
                    }
                    self.used_as(*operand, dtype, "the operand");
                    if let Some(expected) = expected {
                        self.used_as(*expected, dtype, "the expected value");
                    }
                }
                if expected.is_some() != (*op == AtomicOp::CompareExchange) {
                    self.report("a compare-exchange, and nothing else, expects a value");
                }
                self.define(*value, dtype);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.used_as(*condition, DType::Bool, "the condition");
                self.block(then, surroundings);
                self.block(otherwise, surroundings);
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                for bound in [start, stop, step] {
                    self.used_as(*bound, DType::Int64, "the bound");
                }
                if let Some(dtype) = self.variable(*variable)
                    && dtype != DType::Int64
                {
                    self.report(format!("the counter {variable:?} is {dtype}"));
                }
                let inside = Surroundings {
                    in_loop: true,
                    ..surroundings
                };
                self.block(body, inside);
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                let inside = Surroundings {
                    in_loop: false,
                    in_before: true,
                };
                self.statements(before, inside);
                self.site = statement.site;
                self.used_as(*condition, DType::Bool, "the condition");
                let inside = Surroundings {
                    in_loop: true,
                    ..surroundings
                };
                self.block(body, inside);
                self.hide(before);
            }
            StatementKind::Break | StatementKind::Continue if !surroundings.in_loop => {
                self.report("there is no loop to leave or to go on with");
            }
            StatementKind::Return if surroundings.in_before => {
                self.report("a condition does not return");
            }
            StatementKind::Break | StatementKind::Continue | StatementKind::Return => {}
            StatementKind::Barrier { .. } => {
                if !self.kernel.is_nd_range() {
                    self.report(format!("{} has no barriers", self.kind()));
                }
            }
            StatementKind::GroupReduce {
                value,
                operator,
                operand,
            } => {
                if !self.kernel.is_nd_range() {
                    self.report(format!("{} has no group reductions", self.kind()));
                }
                let dtype = self.used(*operand);
                if let Some(dtype) = dtype
                    && !operator.takes(dtype)
                {
                    self.report(format!("a group reduction {} of {dtype}", operator.name()));
                }
                self.define(*value, dtype);
            }
            StatementKind::Call {
                callee,
                arguments,
                results,
            } => {
                self.call(arguments, results);
                if *callee == ECHO_CALLEE {
                    self.echo(arguments, results);
                }
            }
            StatementKind::CallFunction {
                function,
                arguments,
                arrays,
                results,
            } => self.call_function(*function, arguments, arrays, results),
        }
    }
}

#[cfg(test)]
mod host_tests;
#[cfg(test)]
mod tests;
