//! Jit functions for certain argument types and a kind of device: compiled once, kept.

use crate::errors::{Class, Unlocked, error};
use crate::jit::PyJitFunction;
use crate::jit_arguments::Given;
use crate::jit_found_dtypes::Found;
use crate::jit_keys::{self, Key, types_of};
use crate::jit_object_calls::{Plan, Types};
use crate::kernel_environment::PythonEnvironment;
use crate::kernel_specialisation::{compile_error, lock};
use crate::watched_names::Watch;
use colocate_array::launch::target_of;
use colocate_compile as compile;
use colocate_frontend::program::{Program, ProgramOptions};
use colocate_frontend::{ArgumentType, FunctionId, compile_program};
use colocate_jit::Executable;
use colocate_runtime::Queue;
use colocate_runtime::trace::{self, Category};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A jit function for arguments of certain types.
pub struct Specialisation {
    pub key: Key,
    /// The function's name.
    pub name: String,
    pub types: Vec<ArgumentType>,
    pub executable: Executable,
    pub facts: Facts,
    /// While all of them hold, the program means the same.
    pub watches: Vec<Watch>,
    /// Arguments that are part of the program: the key has their addresses.
    pub constants: Vec<Py<PyAny>>,
    /// Whether functions among the arguments leave the program.
    pub names_functions: bool,
    /// Classes of exceptions and named tuples, by number.
    pub classes: Vec<Py<PyAny>>,
    /// Library calls that do not work on the queue's arrays, as was seen.
    pub only_on_host: Vec<AtomicBool>,
    /// The functions of library calls, once they were looked up.
    pub callees: Vec<PyOnceLock<Py<PyAny>>>,
    /// What the calls do that are about objects alone.
    pub plans: Vec<Option<Plan>>,
    /// Library functions whose numbers are other ones than in their examples.
    pub found_dtypes: Vec<Found>,
}

/// All specialisations of a function.
#[derive(Default)]
pub struct Specialisations {
    /// The one that was used last is tried first.
    pub last: Option<Arc<Specialisation>>,
    pub all: HashMap<Key, Arc<Specialisation>>,
}

/// A function that was compiled for so many forgets them, and begins anew.
const MOST_SPECIALISATIONS: usize = 512;

/// In the first number of a key, where the number of what library functions were found to give begins.
pub const FOUND_DTYPES: u32 = 16;

/// The bit there which says that ints among floats in containers stay ints.
pub const NUMBERS_AS_THEY_ARE: u32 = 1 << 7;

/// What a program depends on beside the types of the arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Facts {
    pub target: compile::Target,
    pub unified: bool,
    pub parallel: bool,
    pub check_bounds: bool,
}

impl Facts {
    /// For a call on a queue.
    pub fn new(queue: &Queue, unified: bool, parallel: bool, boundscheck: Option<bool>) -> Facts {
        Facts {
            target: target_of(queue.device()),
            unified,
            parallel,
            check_bounds: boundscheck.unwrap_or(true),
        }
    }

    /// As the first number of a key. Devices of a kind differ in what they can do only.
    pub fn encode(&self) -> u32 {
        let target = match &self.target {
            compile::Target::Host => 0,
            compile::Target::SpirV {
                float64,
                int64_atomics,
            } => 4 | u32::from(*float64) | u32::from(*int64_atomics) << 1,
            compile::Target::Cuda { .. } => 8,
        };
        target
            | u32::from(self.unified) << 4
            | u32::from(self.parallel) << 5
            | u32::from(self.check_bounds) << 6
    }
}

/// The program for arguments of these types; compiled if it was not, or if what it refers to has
/// changed since.
pub fn specialise(
    py: Python<'_>,
    function: &PyJitFunction,
    given: &Given<'_>,
    facts: &Facts,
) -> PyResult<Arc<Specialisation>> {
    let key = &given.key;
    let found = {
        let known = lock(&function.specialisations);
        match &known.last {
            Some(last) if last.key == *key => Some(last.clone()),
            _ => known.all.get(key).cloned(),
        }
    };
    if let Some(found) = found {
        let mut holds = true;
        for watch in &found.watches {
            holds &= watch.holds(py)?;
        }
        if holds {
            let mut known = lock(&function.specialisations);
            let is_last = known
                .last
                .as_ref()
                .is_some_and(|last| Arc::ptr_eq(last, &found));
            let before = (!is_last).then(|| known.last.replace(found.clone()));
            drop(known);
            drop(before);
            return Ok(found);
        }
    }
    let made = Arc::new(build(py, function, given, facts)?);
    let mut known = lock(&function.specialisations);
    // A program that makes other constants all the time would never stop growing.
    let many = known.all.len() >= MOST_SPECIALISATIONS;
    let before = (
        many.then(|| std::mem::take(&mut known.all)),
        known.last.replace(made.clone()),
        known.all.insert(made.key.clone(), made.clone()),
    );
    drop(known);
    // Outside the lock: what it watched may run code when it goes.
    drop(before);
    Ok(made)
}

fn build(
    py: Python<'_>,
    function: &PyJitFunction,
    given: &Given<'_>,
    facts: &Facts,
) -> PyResult<Specialisation> {
    let types = types_of(&given.key[1..]);
    let options = ProgramOptions {
        fast_math: function.fast_math,
        parallel: facts.parallel,
        unified: facts.unified,
        check_bounds: facts.check_bounds,
        python_errors: function.python_errors,
        numbers_as_they_are: given.key[0] & NUMBERS_AS_THEY_ARE != 0,
    };
    let assumed = usize::try_from(given.key[0] >> FOUND_DTYPES).unwrap_or(0);
    let found_dtypes = function.found_dtypes.assumed(assumed);
    let (program, world) = translate(py, function, &types, &options, &found_dtypes)?;
    let calls = program.calls.len();
    let compiling = compile::Options::default();
    let target = &facts.target;
    let executable = py.unlocked(|| Executable::new(program, target, &compiling))?;
    let plans = executable.program().calls.iter();
    let mut item_types = Types::default();
    let plans = plans.map(|call| Plan::of(py, call, &mut item_types));
    Ok(Specialisation {
        plans: plans.collect::<PyResult<_>>()?,
        key: given.key.clone(),
        constants: world.objects,
        names_functions: world.names_functions,
        found_dtypes,
        name: function.name.clone(),
        types,
        executable,
        facts: facts.clone(),
        watches: world.watches,
        classes: world.classes,
        only_on_host: (0..calls).map(|_| AtomicBool::new(false)).collect(),
        callees: (0..calls).map(|_| PyOnceLock::new()).collect(),
    })
}

fn translate<'py>(
    py: Python<'py>,
    function: &PyJitFunction,
    types: &[ArgumentType],
    options: &ProgramOptions,
    found_dtypes: &[Found],
) -> PyResult<(Program, PythonEnvironment<'py>)> {
    let source = match &function.source {
        Ok(source) => source.clone(),
        Err(missing) => {
            let diagnostics = std::slice::from_ref(&missing.diagnostic);
            return Err(compile_error(py, diagnostics, &missing.files));
        }
    };
    let _span = trace::span(Category::Compile, &function.name).why(|| "front end".into());
    let mut world = PythonEnvironment::new(function.function.bind(py), source)?;
    world.has_library = true;
    world.numbers_as_they_are = options.numbers_as_they_are;
    world.found_dtypes = found_dtypes.to_vec();
    let mut addresses = Vec::new();
    jit_keys::addresses(types, &mut addresses);
    for address in addresses {
        // SAFETY: the key was made of arguments of the call that is being prepared, which holds them.
        let object = unsafe { Bound::from_borrowed_ptr(py, address as *mut pyo3::ffi::PyObject) };
        world.objects.push(object.unbind());
    }
    let translated = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        compile_program(FunctionId(0), types, options, &mut world)
    }));
    if let Some(failure) = world.failure.take() {
        return Err(failure);
    }
    match translated {
        Ok(Ok(program)) => Ok((program, world)),
        Ok(Err(failure)) => Err(compile_error(py, &failure.diagnostics, &failure.files)),
        Err(_) => Err(error(
            Class::InternalError,
            format!(
                "the function {} cannot be translated; this is a bug in colocate, please report it",
                function.name
            ),
        )),
    }
}
