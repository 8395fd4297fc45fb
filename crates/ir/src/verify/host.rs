//! What only host kernels and their functions have: calls, local arrays, functions.

use super::{Verifier, is_complex};
use crate::{
    CallResult, DType, HOST_PARAMS, HostFunctionId, KernelKind, Layout, LocalId, ParamKind,
    ValueId, VariableId,
};

/// As many axes as NumPy's arrays have at most.
const MAX_RANK: u8 = 64;

impl Verifier<'_> {
    /// What only host kernels have, and what they cannot have.
    pub(super) fn host_declarations(&mut self) {
        let kernel = self.kernel;
        if !kernel.is_host() {
            if let Some(local) = kernel.locals.first() {
                let (kind, name) = (self.kind(), &local.name);
                self.report(format!("{kind} has no arrays from calls such as {name:?}"));
            }
            if !kernel.functions.is_empty() {
                self.report(format!("{} has no functions", self.kind()));
            }
            return;
        }
        if kernel.rank != 1 || kernel.group.is_some() {
            self.report("a host kernel is one item: its rank is 1, and it is in no group");
        }
        let words = kernel.params.iter().take(HOST_PARAMS).map(|p| p.kind);
        if !words.eq([ParamKind::Scalar(DType::UInt64); HOST_PARAMS]) {
            self.report("the first parameters of a host kernel are a callback and its context");
        }
        for local in &kernel.locals {
            if local.rank > MAX_RANK {
                let (name, rank) = (&local.name, local.rank);
                self.report(format!("the array {name:?} has rank {rank}"));
            }
        }
        if let KernelKind::Function { results } = &kernel.kind {
            self.function_declarations(results);
        }
    }

    fn function_declarations(&mut self, results: &[VariableId]) {
        let kernel = self.kernel;
        for local in &kernel.locals {
            if local.layout != Layout::Strided {
                let name = &local.name;
                self.report(format!("the array {name:?} of a function is not strided"));
            }
        }
        if let Some(storage) = kernel.storage.first() {
            let name = &storage.name;
            self.report(format!("a function has no storage such as {name:?}"));
        }
        for param in &kernel.params {
            let real = matches!(param.kind, ParamKind::Scalar(dtype) if !is_complex(dtype));
            if !real {
                let name = &param.name;
                self.report(format!("the parameter {name:?} is no real scalar"));
            }
        }
        for &result in results {
            if let Some(dtype) = self.variable(result)
                && is_complex(dtype)
            {
                self.report(format!("the result {result:?} is {dtype}"));
            }
        }
    }

    pub(super) fn call_function(
        &mut self,
        function: HostFunctionId,
        arguments: &[ValueId],
        arrays: &[LocalId],
        results: &[VariableId],
    ) {
        let functions = self.functions;
        let Some(called) = functions.get(function.index()) else {
            return self.report(format!("there is no function {function:?}"));
        };
        let params = called.params.get(HOST_PARAMS..).unwrap_or(&[]);
        if arguments.len() != params.len() {
            let (count, wanted) = (arguments.len(), params.len());
            self.report(format!("{count} arguments for {wanted} parameters"));
        }
        for (&argument, param) in arguments.iter().zip(params) {
            self.used_as(argument, param.kind.dtype(), "the argument");
        }
        if arrays.len() != called.locals.len() {
            let (count, wanted) = (arrays.len(), called.locals.len());
            self.report(format!(
                "{count} arrays for {wanted} arrays of the function"
            ));
        }
        for (&array, declared) in arrays.iter().zip(&called.locals) {
            let Some(given) = self.kernel.locals.get(array.index()) else {
                self.report(format!("there is no array {array:?}"));
                continue;
            };
            if (given.dtype, given.rank) != (declared.dtype, declared.rank) {
                let name = &declared.name;
                self.report(format!("{array:?} is no array such as {name:?}"));
            }
        }
        let given = called.results();
        if results.len() != given.len() {
            let (count, there) = (results.len(), given.len());
            self.report(format!("{count} variables for {there} results"));
        }
        for (&variable, result) in results.iter().zip(given) {
            let declared = called.variables.get(result.index()).map(|v| v.dtype);
            if let (Some(dtype), Some(declared)) = (self.variable(variable), declared)
                && dtype != declared
            {
                self.report(format!("{variable:?} is {dtype}, the result is {declared}"));
            }
        }
    }

    /// A call whose results are its arguments.
    pub(super) fn echo(&mut self, arguments: &[ValueId], results: &[CallResult]) {
        let locals = &self.kernel.locals;
        let wanted = results.iter().map(|result| match result {
            CallResult::Variable(_) => 1,
            CallResult::Local(local) => locals.get(local.index()).map_or(0, |local| local.words()),
        });
        let (wanted, given) = (wanted.sum::<usize>(), arguments.len());
        if wanted != given {
            self.report(format!("{given} words are given back as {wanted}"));
        }
    }

    pub(super) fn call(&mut self, arguments: &[ValueId], results: &[CallResult]) {
        if !self.kernel.is_host() {
            self.report(format!("{} calls nothing", self.kind()));
        }
        for &argument in arguments {
            if let Some(dtype) = self.used(argument)
                && is_complex(dtype)
            {
                self.report(format!("the argument {argument:?} is {dtype}"));
            }
        }
        for &result in results {
            match result {
                CallResult::Variable(variable) => {
                    if let Some(dtype) = self.variable(variable)
                        && is_complex(dtype)
                    {
                        self.report(format!("the result {variable:?} is {dtype}"));
                    }
                }
                CallResult::Local(local) => {
                    if local.index() >= self.kernel.locals.len() {
                        self.report(format!("there is no array {local:?}"));
                    }
                }
            }
        }
    }
}
