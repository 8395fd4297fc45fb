//! Host kernels: one item, calls into the runtime, and arrays that calls give.
//!
//! The words that describe an array live in stack slots whose address goes nowhere, so LLVM makes
//! registers of them and knows that no store and no call changes them. What a call passes and gets
//! goes through two other slots, one for all words of all calls, whose addresses the runtime knows.

use super::{Argument, Emitter};
use crate::llvm::{IntPredicate, Value};
use colocate_ir::{
    Block, CallResult, DType, ECHO_CALLEE, Kind, Layout, LocalId, StatementKind, ValueId,
    VariableId, walk,
};

/// An extent is less than this: no memory has more bytes.
const LARGEST_EXTENT: u64 = 1 << 60;

/// Where the words that describe an array live.
pub(super) struct LocalSlots {
    pointer: Value,
    extents: Vec<Value>,
    /// Empty for contiguous arrays.
    strides: Vec<Value>,
}

/// What calls are made with.
pub(super) struct CallSlots {
    /// The address of the callback, as a word.
    pub callback: Value,
    /// Its context, as a word.
    pub context: Value,
    /// Below this the stack must not grow, where functions may call themselves.
    pub stack_limit: Value,
    /// The words of any call.
    words: Value,
    /// The words that any call gives back.
    results: Value,
}

impl Emitter<'_> {
    /// Emits the entry point of a host kernel; the bytes of working memory it needs.
    pub(super) fn host_entry(&mut self, function: Value) -> usize {
        let arguments = self.m.parameter(function, 0);
        let scratch = self.m.parameter(function, 2);
        self.unpack_arguments(arguments);
        let scratch_bytes = self.place_storage(scratch);
        self.make_locals();
        let word = |index: usize| match &self.arguments[index] {
            Argument::Words(words) => words[0],
            _ => unreachable!("verified: the parameter is a scalar"),
        };
        let (callback, context) = (word(0), word(1));
        let stack_limit = self.stack_limit();
        self.host_body(callback, context, stack_limit);
        self.m.return_void();
        scratch_bytes
    }

    /// Emits the statements; the builder is where they end.
    pub(super) fn host_body(&mut self, callback: Value, context: Value, stack_limit: Value) {
        self.make_call_slots(callback, context, stack_limit);
        self.make_variables();
        self.begin_item();
        self.item_end = self.m.block();
        self.block(&self.kernel.body);
        self.m.branch(self.item_end);
        self.m.go_to(self.item_end);
    }

    /// Arrays have no elements until a call gives them some.
    pub(super) fn make_locals(&mut self) {
        for local in &self.kernel.locals {
            let slot = |kind| {
                let slot = self.m.stack_slot(kind, 8);
                self.m.store(self.m.null(kind), slot, 8);
                slot
            };
            let words = |count: u8| (0..count).map(|_| slot(self.m.int(64))).collect();
            let slots = LocalSlots {
                pointer: slot(self.m.pointer()),
                extents: words(local.rank),
                strides: words(match local.layout {
                    Layout::Contiguous => 0,
                    Layout::Strided => local.rank,
                }),
            };
            self.locals.push(slots);
        }
    }

    fn make_call_slots(&mut self, callback: Value, context: Value, stack_limit: Value) {
        let (mut words, mut results) = (0, 0);
        walk(&self.kernel.body, &mut |statement| {
            if let StatementKind::Call {
                callee,
                arguments,
                results: set,
            } = &statement.kind
                && *callee != ECHO_CALLEE
            {
                words = words.max(arguments.len());
                let given = set.iter().map(|result| match result {
                    CallResult::Variable(_) => 1,
                    CallResult::Local(local) => self.kernel.locals[local.index()].words(),
                });
                results = results.max(given.sum());
            }
        });
        let slot = |count: usize| match count {
            // Not null: the callback may make an empty slice of it.
            0 => self.m.int_to_pointer(self.m.i64(8)),
            _ => {
                let kind = self.m.array(self.m.int(64), count as u64);
                self.m.stack_slot(kind, 8)
            }
        };
        self.calls = Some(CallSlots {
            callback,
            context,
            stack_limit,
            words: slot(words),
            results: slot(results),
        });
    }

    pub(super) fn call(&mut self, callee: u32, arguments: &[ValueId], results: &[CallResult]) {
        if callee == ECHO_CALLEE {
            return self.echo(arguments, results);
        }
        for (index, &argument) in arguments.iter().enumerate() {
            let value = self.scalar(argument);
            let value = self.scalar_to_word(value, self.kernel.dtype(argument));
            let slot = self.word_at(self.call_slots().words, index);
            self.m.store(value, slot, 8);
        }
        let status = self.call_back(callee);
        self.leave_if_failed(status);
        let mut next = 0;
        for &result in results {
            match result {
                CallResult::Variable(variable) => {
                    self.take_variable(variable, next);
                    next += 1;
                }
                CallResult::Local(local) => {
                    self.take_local(local, next);
                    next += self.kernel.locals[local.index()].words();
                }
            }
        }
    }

    /// Sets variables and arrays to words.
    fn echo(&mut self, arguments: &[ValueId], results: &[CallResult]) {
        let mut words = Vec::new();
        for &argument in arguments {
            let value = self.scalar(argument);
            words.push(self.scalar_to_word(value, self.kernel.dtype(argument)));
        }
        let mut rest = &words[..];
        for &result in results {
            match result {
                CallResult::Variable(variable) => {
                    let dtype = self.kernel.variables[variable.index()].dtype;
                    let new = self.word_to_scalar(rest[0], dtype);
                    self.store_variable(variable, new);
                    rest = &rest[1..];
                }
                CallResult::Local(local) => {
                    let declared = &self.kernel.locals[local.index()];
                    let (own, after) = rest.split_at(declared.words());
                    let mut own = own.to_vec();
                    own[0] = self.m.int_to_pointer(own[0]);
                    self.set_local(local, &own);
                    rest = after;
                }
            }
        }
    }

    /// Makes a call whose words are in place; its status.
    pub(super) fn call_back(&mut self, callee: u32) -> Value {
        let (slots, m) = (self.call_slots(), &self.m);
        let [callback, context] = [slots.callback, slots.context].map(|w| m.int_to_pointer(w));
        let passed = [context, m.i64(callee.into()), slots.words, slots.results];
        m.call_pointer(callback, m.int(64), &passed)
    }

    /// Ends the function if a call wants so.
    pub(super) fn leave_if_failed(&mut self, status: Value) {
        let bool = self.m.int(1);
        let failed = self.m.icmp(IntPredicate::LLVMIntNE, status, self.m.i64(0));
        let never = self.m.const_int(bool, 0);
        let failed = self.m.intrinsic("llvm.expect", &[bool], &[failed, never]);
        let (leaving, after) = (self.m.block(), self.m.block());
        self.m.branch_if(failed, leaving, after);
        self.m.go_to(leaving);
        self.leave(status);
        self.m.go_to(after);
    }

    pub(super) fn call_slots(&self) -> &CallSlots {
        self.calls.as_ref().expect("host kernels have them")
    }

    fn word_at(&self, words: Value, index: usize) -> Value {
        let index = self.m.i64(index as i64);
        self.m.offset_inside(self.m.int(64), words, index)
    }

    /// Sets a variable to what a call gave.
    fn take_variable(&mut self, variable: VariableId, position: usize) {
        let dtype = self.kernel.variables[variable.index()].dtype;
        let place = self.word_at(self.call_slots().results, position);
        let word = self.m.load(self.m.int(64), place, 8);
        let new = self.word_to_scalar(word, dtype);
        self.store_variable(variable, new);
    }

    /// Sets what describes an array to what a call gave.
    fn take_local(&mut self, local: LocalId, position: usize) {
        let results = self.call_slots().results;
        let slots = &self.locals[local.index()];
        let (rank, m) = (slots.extents.len(), &self.m);
        let place = self.word_at(results, position);
        m.store(m.load(m.pointer(), place, 8), slots.pointer, 8);
        for (axis, &slot) in slots.extents.iter().enumerate() {
            let place = self.word_at(results, position + 1 + axis);
            let extent = m.load(m.int(64), place, 8);
            m.set_range(extent, 0, LARGEST_EXTENT);
            m.store(extent, slot, 8);
        }
        for (axis, &slot) in slots.strides.iter().enumerate() {
            let place = self.word_at(results, position + 1 + rank + axis);
            m.store(m.load(m.int(64), place, 8), slot, 8);
        }
    }

    /// Sets what describes an array: its address, its extents and, if they are kept, its strides.
    pub(super) fn set_local(&self, local: LocalId, words: &[Value]) {
        let slots = &self.locals[local.index()];
        let places = [slots.pointer]
            .into_iter()
            .chain(slots.extents.iter().copied())
            .chain(slots.strides.iter().copied());
        for (place, &word) in places.zip(words) {
            self.m.store(word, place, 8);
        }
    }

    /// What describes an array as a strided one.
    pub(super) fn local_words(&self, local: LocalId) -> Vec<Value> {
        let declared = &self.kernel.locals[local.index()];
        let (slots, m) = (&self.locals[local.index()], &self.m);
        let word = m.int(64);
        let mut words = vec![m.load(m.pointer(), slots.pointer, 8)];
        let extents: Vec<Value> = slots.extents.iter().map(|&e| m.load(word, e, 8)).collect();
        words.extend(&extents);
        match declared.layout {
            Layout::Strided => words.extend(slots.strides.iter().map(|&s| m.load(word, s, 8))),
            Layout::Contiguous => {
                let mut strides = Vec::new();
                let mut stride = m.i64(declared.dtype.itemsize() as i64);
                for &extent in extents.iter().rev() {
                    strides.push(stride);
                    stride = m.mul_nsw(stride, extent);
                }
                words.extend(strides.into_iter().rev());
            }
        }
        words
    }

    pub(super) fn local_extent(&self, local: LocalId, axis: u8) -> Value {
        let slot = self.locals[local.index()].extents[usize::from(axis)];
        self.m.load(self.m.int(64), slot, 8)
    }

    /// Where an element of an array is, and how it is aligned.
    pub(super) fn local_element(&mut self, local: LocalId, indices: &[ValueId]) -> (Value, u32) {
        let declared = &self.kernel.locals[local.index()];
        let indices: Vec<Value> = indices.iter().map(|&index| self.scalar(index)).collect();
        let (slots, m) = (&self.locals[local.index()], &self.m);
        let word = m.int(64);
        let base = m.load(m.pointer(), slots.pointer, 8);
        let itemsize = declared.dtype.itemsize();
        match declared.layout {
            Layout::Contiguous => {
                let mut linear = m.i64(0);
                for (axis, &index) in indices.iter().enumerate() {
                    if axis == 0 {
                        linear = index;
                        continue;
                    }
                    let extent = m.load(word, slots.extents[axis], 8);
                    linear = m.add_nsw(m.mul_nsw(linear, extent), index);
                }
                let element = m.array(m.int(8), itemsize as u64);
                let parts = if declared.dtype.kind() == Kind::Complex {
                    2
                } else {
                    1
                };
                let alignment = itemsize / parts;
                (m.offset_inside(element, base, linear), alignment as u32)
            }
            Layout::Strided => {
                let mut pointer = base;
                for (&index, &stride) in indices.iter().zip(&slots.strides) {
                    let stride = m.load(word, stride, 8);
                    pointer = m.offset_inside(m.int(8), pointer, m.mul_nsw(index, stride));
                }
                (pointer, 1)
            }
        }
    }

    /// A scalar as calls take it.
    fn scalar_to_word(&self, value: Value, dtype: DType) -> Value {
        let (m, word) = (&self.m, self.m.int(64));
        match dtype.kind() {
            Kind::Bool | Kind::UInt => m.zext(value, word),
            Kind::Int => m.sext(value, word),
            Kind::Float => {
                let bits = m.bitcast(value, m.int(8 * dtype.itemsize() as u32));
                m.zext(bits, word)
            }
            Kind::Complex => unreachable!("verified: an argument is not complex"),
        }
    }

    /// A loop over `range(start, stop, 1)`, or with -1: in the form that LLVM's own loop passes
    /// know best. The counter does not wrap, since it does not go beyond `stop`.
    pub(super) fn count_by_one(
        &mut self,
        variable: VariableId,
        [start, stop]: [Value; 2],
        step: i64,
        body: &Block,
    ) {
        let word = self.m.int(64);
        let counter = self.m.stack_slot(word, 8);
        self.m.store(start, counter, 8);
        let (head, turn) = (self.m.block(), self.m.block());
        let (next, exit) = (self.m.block(), self.m.block());
        self.m.branch(head);
        self.m.go_to(head);
        let current = self.m.load(word, counter, 8);
        let predicate = match step > 0 {
            true => IntPredicate::LLVMIntSLT,
            false => IntPredicate::LLVMIntSGT,
        };
        let more = self.m.icmp(predicate, current, stop);
        self.m.branch_if(more, turn, exit);
        self.m.go_to(turn);
        self.store_variable(variable, current);
        self.turn(None, next, exit, body);
        self.m.branch(next);
        self.m.go_to(next);
        let current = self.m.load(word, counter, 8);
        let following = self.m.add_nsw(current, self.m.i64(step));
        self.m.store(following, counter, 8);
        // A loop over arrays is vectorised, or waits for memory or for its own results; what is left
        // of it, unrolled, would only take long to compile.
        match touches_arrays(body) {
            true => self.m.branch_back(head),
            false => self.m.branch(head),
        }
        self.m.go_to(exit);
    }
}

fn touches_arrays(body: &Block) -> bool {
    let mut found = false;
    walk(body, &mut |statement| {
        found |= matches!(
            statement.kind,
            StatementKind::Load { .. } | StatementKind::Store { .. }
        );
    });
    found
}
