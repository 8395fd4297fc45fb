//! Runs host kernels as machine code, and beside it in the interpreter.

#![allow(dead_code)]

use colocate_codegen_llvm::{LoadedCode, Object, Options, compile, load};
use colocate_ir::interpret::{self, Argument, Memory, Scalar};
use colocate_ir::{
    CallResult, DType, Kernel, KernelBuilder, KernelKind, ParamKind, RECURSION_CALLEE,
    StatementKind, verify_core, walk,
};
use colocate_passes::to_core;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a host kernel calls, as the interpreter has it.
pub type Callback<'a> = &'a mut dyn FnMut(u32, &[u64], &mut Memory) -> Result<Vec<u64>, u64>;

/// A host kernel's builder with the two parameters that all have.
pub fn host(name: &str) -> KernelBuilder {
    let mut b = KernelBuilder::new(name, 1, KernelKind::Host);
    for name in ["callback", "context"] {
        b.param(name, ParamKind::Scalar(DType::UInt64));
    }
    b
}

/// Machine code of a host kernel.
pub struct Compiled {
    pub core: Kernel,
    pub object: Object,
    code: LoadedCode,
}

impl Compiled {
    pub fn new(kernel: &Kernel) -> Compiled {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let core = to_core(kernel.clone());
        assert_eq!(verify_core(&core), []);
        let entry = format!("entry_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let object = compile(&core, &entry, &Options::default()).expect("it compiles");
        let code = load(&object.bytes, &entry).expect("it links");
        Compiled { core, object, code }
    }

    /// Runs it; the status of the call that ended it. Addresses in the callback's results are
    /// offsets in the memory, which must not move.
    pub fn run(&self, memory: &mut Memory, scalars: &[u64], callback: Callback<'_>) -> u64 {
        let mut context = Context {
            kernel: &self.core,
            callees: callees(&self.core),
            memory,
            callback,
            status: 0,
        };
        let mut block = vec![bridge as *const () as u64, (&raw mut context) as u64];
        block.extend(scalars);
        let part = [0i64; 12];
        let mut scratch = vec![0u8; self.object.scratch_bytes + 64];
        let aligned = scratch.as_ptr().align_offset(64);
        // SAFETY: the entry point has this type, the block is the kernel's, and the working
        // memory is as large as it must be.
        unsafe {
            let entry: unsafe extern "C" fn(*const u64, *const i64, *mut u8) =
                std::mem::transmute(self.code.address);
            entry(
                block.as_ptr(),
                part.as_ptr(),
                scratch[aligned..].as_mut_ptr(),
            );
        }
        context.status
    }
}

/// What each callee is given, and what it gives back.
type Callees = HashMap<u32, (usize, Vec<CallResult>)>;

fn callees(kernel: &Kernel) -> Callees {
    let mut found = Callees::from([(RECURSION_CALLEE, (0, Vec::new()))]);
    for kernel in std::iter::once(kernel).chain(&kernel.functions) {
        walk(&kernel.body, &mut |statement| {
            if let StatementKind::Call {
                callee,
                arguments,
                results,
            } = &statement.kind
            {
                found.insert(*callee, (arguments.len(), results.clone()));
            }
        });
    }
    found
}

struct Context<'a> {
    kernel: &'a Kernel,
    callees: Callees,
    memory: &'a mut Memory,
    callback: Callback<'a>,
    status: u64,
}

/// From the kernel's call to the callback.
unsafe extern "C" fn bridge(
    context: *mut c_void,
    callee: u64,
    words: *const u64,
    results: *mut u64,
) -> u64 {
    // SAFETY: the context that `run` passed, which nobody else uses meanwhile.
    let context = unsafe { &mut *context.cast::<Context<'_>>() };
    let callee = callee as u32;
    let (count, wanted) = &context.callees[&callee];
    // SAFETY: as many words as the call has arguments.
    let words = unsafe { std::slice::from_raw_parts(words, *count) };
    let before = context.memory.bytes.as_ptr();
    let given = match (context.callback)(callee, words, context.memory) {
        Ok(given) => given,
        Err(status) => {
            context.status = status;
            return status;
        }
    };
    assert_eq!(before, context.memory.bytes.as_ptr(), "memory stays");
    let mut given = given.into_iter();
    let mut position = 0;
    for result in wanted {
        let count = match result {
            CallResult::Variable(_) => 1,
            CallResult::Local(local) => context.kernel.locals[local.index()].words(),
        };
        for index in 0..count {
            let mut word = given.next().expect("enough words");
            if index == 0 && matches!(result, CallResult::Local(_)) {
                word += before as u64;
            }
            // SAFETY: there is a place for every word that the call's results take.
            unsafe { results.add(position).write(word) };
            position += 1;
        }
    }
    0
}

/// A call as it was made.
pub type Logged = (u32, Vec<u64>);

/// Runs a kernel both ways with the same callback and compares the calls made, the status and the
/// memory; gives them.
pub fn both(
    kernel: &Kernel,
    bytes: usize,
    scalars: &[(DType, u64)],
    callback: impl Fn(u32, &[u64], &mut Memory) -> Result<Vec<u64>, u64>,
) -> (Vec<Logged>, u64, Memory) {
    let words: Vec<u64> = scalars.iter().map(|(_, word)| *word).collect();
    let mut memory = Memory {
        bytes: vec![0; bytes],
    };
    let mut found = Vec::new();
    let status = Compiled::new(kernel).run(&mut memory, &words, &mut |callee, words, memory| {
        found.push((callee, words.to_vec()));
        callback(callee, words, memory)
    });

    let mut arguments = vec![Argument::Scalar(Scalar::wrapped(DType::UInt64, 0)); 2];
    arguments.extend(
        scalars
            .iter()
            .map(|(dtype, word)| Argument::Scalar(Scalar::from_bytes(*dtype, &word.to_le_bytes()))),
    );
    let mut expected_memory = Memory {
        bytes: vec![0; bytes],
    };
    let mut expected = Vec::new();
    let expected_status = interpret::run_host(
        kernel,
        &mut expected_memory,
        &arguments,
        &mut |callee, words, memory| {
            expected.push((callee, words.to_vec()));
            callback(callee, words, memory)
        },
        interpret::Options::default(),
    )
    .expect("it runs");
    assert_eq!(found, expected);
    assert_eq!(status, expected_status);
    assert_eq!(memory, expected_memory);
    (found, status, memory)
}
