//! What only host kernels have: calls, the arrays that calls give, and functions.

use super::machine::{Machine, Result};
use super::scalar::Scalar;
use super::{Argument, ArrayView, InterpretError, Memory, misplaced};
use crate::{
    CallResult, ECHO_CALLEE, HOST_PARAMS, HostFunctionId, Kernel, LocalId, RECURSION_CALLEE,
    ValueId, VariableId,
};
use std::borrow::Cow;

/// What a host kernel calls: gets the callee, the words and the memory, and gives the words of the
/// results, or the status that ends the kernel. The address of an array is its offset in the
/// memory, which may grow.
pub type Callback<'a> =
    &'a mut dyn FnMut(u32, &[u64], &mut Memory) -> std::result::Result<Vec<u64>, u64>;

/// How many calls of functions there is room for within one another.
const DEEPEST: usize = 100;

/// The state of a host kernel that others do not have.
pub struct Host<'a> {
    callback: Callback<'a>,
    functions: &'a [Kernel],
    /// What each local array is, if a call has said so.
    locals: Vec<Option<ArrayView>>,
    /// What the call that ended the kernel gave.
    ended: Option<u64>,
    /// How many functions are being executed.
    depth: usize,
}

impl<'a> Host<'a> {
    pub fn new(kernel: &'a Kernel, callback: Callback<'a>) -> Host<'a> {
        Host {
            callback,
            functions: &kernel.functions,
            locals: vec![None; kernel.locals.len()],
            ended: None,
            depth: 0,
        }
    }

    pub fn view(&self, local: LocalId) -> Option<&ArrayView> {
        self.locals[local.index()].as_ref()
    }
}

impl<'a> Machine<'a> {
    /// Executes a host kernel; its status.
    pub fn run_host(mut self, host: Host<'a>) -> Result<u64> {
        self.host = Some(host);
        self.one_item()?;
        Ok(self.host().ended.unwrap_or(0))
    }

    fn host(&mut self) -> &mut Host<'a> {
        self.host.as_mut().expect("a host kernel is executed")
    }

    /// Calls the runtime; whether the kernel goes on.
    pub(super) fn call(
        &mut self,
        callee: u32,
        arguments: &[ValueId],
        results: &[CallResult],
    ) -> Result<bool> {
        let words: Vec<u64> = arguments
            .iter()
            .map(|&argument| word(self.value(argument, 0)))
            .collect();
        let host = self.host.as_mut().expect("a host kernel is executed");
        let words = match callee {
            ECHO_CALLEE => words,
            _ => match (host.callback)(callee, &words, self.memory) {
                Ok(words) => words,
                Err(status) => {
                    host.ended = Some(status);
                    return Ok(false);
                }
            },
        };
        let wrong = |why| InterpretError::CallResult { callee, why };
        let mut words = words.into_iter();
        for &result in results {
            match result {
                CallResult::Variable(variable) => {
                    let word = words.next().ok_or(wrong("there are too few words"))?;
                    let dtype = self.kernel.variables[variable.index()].dtype;
                    let new = Scalar::from_bytes(dtype, &word.to_le_bytes());
                    self.set(variable, 0, new);
                }
                CallResult::Local(local) => {
                    let declared = &self.kernel.locals[local.index()];
                    let given: Vec<u64> = words.by_ref().take(declared.words()).collect();
                    if given.len() < declared.words() {
                        return Err(wrong("there are too few words"));
                    }
                    let rank = usize::from(declared.rank);
                    let signed = |words: &[u64]| words.iter().map(|&word| word as i64).collect();
                    let view = ArrayView {
                        offset: given[0] as usize,
                        shape: signed(&given[1..=rank]),
                        strides: signed(&given[1 + rank..]),
                    };
                    let (dtype, layout) = (declared.dtype, declared.layout);
                    if let Some(why) = misplaced(&view, dtype, layout, self.memory) {
                        return Err(wrong(why));
                    }
                    self.host().locals[local.index()] = Some(view);
                }
            }
        }
        match words.next() {
            None => Ok(true),
            Some(_) => Err(wrong("there are too many words")),
        }
    }

    /// Calls a function; whether the kernel goes on.
    pub(super) fn call_function(
        &mut self,
        function: HostFunctionId,
        arguments: &[ValueId],
        arrays: &[LocalId],
        results: &[VariableId],
    ) -> Result<bool> {
        if self.host().depth == DEEPEST {
            self.call(RECURSION_CALLEE, &[], &[])?;
            self.host().ended.get_or_insert(1);
            return Ok(false);
        }
        let passed = arguments
            .iter()
            .map(|&argument| Argument::Scalar(self.value(argument, 0)));
        let passed = self.arguments[..HOST_PARAMS].iter().cloned().chain(passed);
        let passed: Vec<Argument> = passed.collect();

        let views = arrays.iter().map(|&array| self.host().view(array).cloned());
        let views = views.collect();
        let locals = std::mem::replace(&mut self.host().locals, views);
        let called = &self.host().functions[function.index()];
        let caller = std::mem::replace(&mut self.kernel, called);
        let own = std::mem::replace(&mut self.arguments, Cow::Owned(passed));
        let values = std::mem::take(&mut self.values);
        let variables = std::mem::take(&mut self.variables);
        let storage = std::mem::take(&mut self.storage);
        self.host().depth += 1;
        self.one_item()?;
        self.host().depth -= 1;
        self.host().locals = locals;
        let given: Vec<Scalar> = called.results().iter().map(|&id| self.get(id, 0)).collect();
        self.kernel = caller;
        self.arguments = own;
        self.values = values;
        self.variables = variables;
        self.storage = storage;

        for (&variable, scalar) in results.iter().zip(given) {
            self.set(variable, 0, scalar);
        }
        Ok(self.host().ended.is_none())
    }
}

/// A scalar as calls take it.
fn word(scalar: Scalar) -> u64 {
    if let Scalar::Int(_, value) = scalar {
        return value as u64;
    }
    let mut bytes = [0; 8];
    let own = scalar.to_bytes();
    bytes[..own.len()].copy_from_slice(&own);
    u64::from_le_bytes(bytes)
}
