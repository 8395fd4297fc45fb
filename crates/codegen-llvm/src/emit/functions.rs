//! The functions of host kernels.
//!
//! Each is a function that only the module knows, so LLVM may inline it. It takes the callback,
//! its context and the limit of the stack before its own parameters, the words that describe its
//! arrays after them, and gives a status before its own results. A function that may come to call itself looks at the stack pointer first.

use super::entry::describe_target;
use super::{Argument, Emitter, scalar_type};
use crate::llvm::{IntPredicate, InternalFunction, Module, Type, Value};
use crate::target::Target;
use colocate_ir::{
    HOST_PARAMS, HostFunctionId, Kernel, KernelKind, LocalId, RECURSION_CALLEE, StatementKind,
    ValueId, VariableId, walk,
};
use std::rc::Rc;

/// How much of the stack functions that call themselves may use: threads have 2 MiB or more, most of
/// them 8.
const STACK_BYTES: i64 = 1 << 20;

/// How many parameters come before a function's own: the callback, its context, the limit.
const HIDDEN: usize = HOST_PARAMS + 1;

/// The status of a recursion that is too deep, if the callback has none.
const TOO_DEEP: i64 = 1;

/// A function of a host kernel.
#[derive(Clone, Copy)]
pub(super) struct Function {
    function: InternalFunction,
    /// Whether it may come to call itself.
    recursive: bool,
}

/// Emits all functions of a host kernel.
pub(super) fn emit_functions(
    mut module: Module,
    kernel: &Kernel,
    target: &Target,
) -> (Module, Rc<[Function]>) {
    let functions: Rc<[Function]> = (0..kernel.functions.len())
        .map(|index| Function {
            function: declare(&module, &kernel.functions[index], target),
            recursive: is_recursive(kernel, index),
        })
        .collect();
    for (called, &function) in kernel.functions.iter().zip(functions.iter()) {
        module.begin_body(function.function.function);
        let mut emitter = Emitter::new(module, called, functions.clone(), target, 1);
        emitter.function_body(function);
        module = emitter.m;
    }
    (module, functions)
}

fn declare(module: &Module, kernel: &Kernel, target: &Target) -> InternalFunction {
    let mut parameters = vec![module.int(64), module.int(64), module.pointer()];
    let own = kernel.params.iter().skip(HOST_PARAMS);
    parameters.extend(own.map(|param| scalar_type(module, param.kind.dtype())));
    for local in &kernel.locals {
        parameters.push(module.pointer());
        parameters.extend((1..local.words()).map(|_| module.int(64)));
    }
    let function = module.declare_internal(&parameters, result_type(module, kernel));
    describe_target(module, function.function, target);
    function
}

/// What a function returns: a status and its results.
fn result_type(module: &Module, kernel: &Kernel) -> Type {
    let mut fields = vec![module.int(64)];
    let results = kernel.results().iter();
    fields.extend(results.map(|id| scalar_type(module, kernel.variables[id.index()].dtype)));
    module.record(&fields)
}

/// Whether a function may come to call itself.
fn is_recursive(kernel: &Kernel, index: usize) -> bool {
    let mut seen = vec![false; kernel.functions.len()];
    let mut pending = vec![index];
    while let Some(next) = pending.pop() {
        let mut again = false;
        walk(&kernel.functions[next].body, &mut |statement| {
            if let StatementKind::CallFunction { function, .. } = statement.kind {
                again |= function.index() == index;
                if !std::mem::replace(&mut seen[function.index()], true) {
                    pending.push(function.index());
                }
            }
        });
        if again {
            return true;
        }
    }
    false
}

impl Emitter<'_> {
    fn function_body(&mut self, function: Function) {
        let InternalFunction { function: this, .. } = function.function;
        let [callback, context, limit] = [0, 1, 2].map(|index| self.m.parameter(this, index));
        for (index, _) in self.kernel.params.iter().enumerate() {
            let argument = match index.checked_sub(HOST_PARAMS) {
                Some(own) => Argument::Scalar(self.m.parameter(this, (HIDDEN + own) as u32)),
                None => Argument::Words(vec![self.m.parameter(this, index as u32)]),
            };
            self.arguments.push(argument);
        }
        self.make_locals();
        let mut next = (HIDDEN + self.kernel.params.len() - HOST_PARAMS) as u32;
        for (index, local) in self.kernel.locals.iter().enumerate() {
            let words = next..next + local.words() as u32;
            next = words.end;
            let words: Vec<Value> = words.map(|at| self.m.parameter(this, at)).collect();
            self.set_local(LocalId(index as u32), &words);
        }
        self.host_body(callback, context, limit);
        let mut record = self.m.null(function.function.result);
        for (index, &result) in self.kernel.results().iter().enumerate() {
            let value = self.get_variable(result);
            record = self.m.set_field(record, index as u32 + 1, value);
        }
        self.m.return_value(record);
    }

    /// Ends a host kernel or a function of one for a status that is not 0.
    pub(super) fn leave(&mut self, status: Value) {
        if !matches!(self.kernel.kind, KernelKind::Function { .. }) {
            return self.m.branch(self.item_end);
        }
        let kind = result_type(&self.m, self.kernel);
        let record = self.m.set_field(self.m.null(kind), 0, status);
        self.m.return_value(record);
    }

    /// How far the stack may grow from here on.
    pub(super) fn stack_limit(&mut self) -> Value {
        let pointer = self.m.pointer();
        if !self.functions.iter().any(|function| function.recursive) {
            return self.m.null(pointer);
        }
        let here = self.m.intrinsic("llvm.stacksave", &[pointer], &[]);
        self.m.offset(self.m.int(8), here, self.m.i64(-STACK_BYTES))
    }

    pub(super) fn call_function(
        &mut self,
        function: HostFunctionId,
        arguments: &[ValueId],
        arrays: &[LocalId],
        results: &[VariableId],
    ) {
        let called = self.functions[function.index()];
        if called.recursive {
            self.leave_if_too_deep();
        }
        let slots = self.call_slots();
        let mut passed = vec![slots.callback, slots.context, slots.stack_limit];
        for &argument in arguments {
            passed.push(self.scalar(argument));
        }
        for &array in arrays {
            passed.extend(self.local_words(array));
        }
        let record = self.m.call_internal(called.function, &passed);
        let status = self.m.field(record, 0);
        self.leave_if_failed(status);
        for (index, &variable) in results.iter().enumerate() {
            let value = self.m.field(record, index as u32 + 1);
            self.store_variable(variable, value);
        }
    }

    fn leave_if_too_deep(&mut self) {
        let (pointer, bool) = (self.m.pointer(), self.m.int(1));
        let limit = self.call_slots().stack_limit;
        let here = self.m.intrinsic("llvm.stacksave", &[pointer], &[]);
        let deep = self.m.icmp(IntPredicate::LLVMIntULT, here, limit);
        let never = self.m.const_int(bool, 0);
        let deep = self.m.intrinsic("llvm.expect", &[bool], &[deep, never]);
        let (leaving, after) = (self.m.block(), self.m.block());
        self.m.branch_if(deep, leaving, after);
        self.m.go_to(leaving);
        let status = self.call_back(RECURSION_CALLEE);
        let none = self.m.icmp(IntPredicate::LLVMIntEQ, status, self.m.i64(0));
        let status = self.m.select(none, self.m.i64(TOO_DEEP), status);
        self.leave(status);
        self.m.go_to(after);
    }
}
