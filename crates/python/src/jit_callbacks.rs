//! What Python does for a jit function that runs: library functions, printing, exceptions.

use crate::errors::{Class, OrRaise, error, is_error};
use crate::jit_arguments::Given;
use crate::jit_found_dtypes::{Found, name_while_running, other_kind};
use crate::jit_held::Held;
use crate::jit_library;
use crate::jit_object_calls::check_nan_in_copy;
use crate::jit_objects;
use crate::jit_random::Generators;
use crate::jit_specialisation::Specialisation;
use crate::jit_values::{Maker, Memory, outcome};
use colocate_diag::Site;
use colocate_frontend::Captured;
use colocate_frontend::arrays::global_arrays::GLOBAL_ARRAY;
use colocate_frontend::host::called_functions::RECURSION;
use colocate_frontend::host::generators::HAND_OVER;
use colocate_frontend::host::library_calls::gives_read_only;
use colocate_frontend::host::outside_functions::OUTSIDE_FUNCTION;
use colocate_frontend::objects::python_objects::{
    IS_CAUGHT, MAKE_EXCEPTION, MARK_OBJECTS, NEXT, OBJECT_ARGUMENT, SWEEP_OBJECTS,
};
use colocate_frontend::program::{Call, Drawn, Exception, Generator, Operand, Outcome};
use colocate_jit::{self as jit, BitGenerator, Callbacks, Value};
use pyo3::exceptions::{PyRecursionError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple};
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A call of a jit function, as far as Python is concerned.
pub struct PythonCalls<'a, 'py> {
    pub specialisation: &'a Specialisation,
    pub given: &'a Given<'py>,
    /// Whether host code reaches all memory of the call.
    pub unified: bool,
    /// Whether what is returned is in host memory.
    pub host_results: bool,
    /// Whether nothing is printed.
    pub quiet: bool,
    /// The library call that our arrays were refused by and that is done again in host memory.
    pub retried: Option<usize>,
    /// Where random numbers come from.
    pub generators: Generators,
    /// The objects that the function holds.
    pub held: &'a Held,
    /// A library function that gave other numbers than it was compiled for; nothing where that is no matter.
    pub found: Option<&'a RefCell<Option<Found>>>,
    /// How many calls were done that Python's signals were not looked at for.
    pub done_alone: u32,
}

// SAFETY: the objects are touched only with Python's lock held, inside `Python::attach`.
unsafe impl Send for PythonCalls<'_, '_> {}

/// An exception on its way through the executor.
pub fn raised(failure: PyErr) -> jit::Error {
    jit::Error::Raised(Box::new(failure))
}

impl PythonCalls<'_, '_> {
    fn call(&self, number: usize) -> &Call {
        &self.specialisation.executable.program().calls[number]
    }

    /// Runs work with Python's lock.
    fn with_python<T>(
        &self,
        work: impl for<'py> FnOnce(&Maker<'_, 'py>) -> PyResult<T>,
    ) -> jit::Result<T> {
        Python::attach(|py| {
            // SAFETY: the same objects, for as long as the lock is held.
            let given: &Given<'_> = unsafe { std::mem::transmute(self.given) };
            let maker = Maker {
                py,
                objects: &given.objects,
                given: None,
                classes: &self.specialisation.classes,
                shared: false,
                held: self.held,
                made: Default::default(),
            };
            work(&maker)
        })
        .map_err(raised)
    }

    /// Gives the caller's lists what the program did to them, before it raises.
    fn update_lists(&self, lists: Vec<Value>) -> jit::Result<()> {
        let updates = &self.specialisation.executable.program().updates;
        self.with_python(|maker| {
            // SAFETY: as above.
            let given: &Given<'_> = unsafe { std::mem::transmute(self.given) };
            let ending = Maker {
                given: Some(given),
                made: Default::default(),
                ..*maker
            };
            ending.update_lists(updates, lists)
        })
    }

    /// Warns that a library function was done on the host, by way of copies.
    fn tell_of_host(&self, call: usize) -> jit::Result<()> {
        let Call::Library { function, .. } = self.call(call) else {
            return Ok(());
        };
        let message = format!(
            "{function} has no version for this device that takes these arguments: the arrays were \
             copied, and NumPy's ran on the host"
        );
        Python::attach(|py| -> PyResult<()> {
            let category = py
                .import("colocate._errors")?
                .getattr("PerformanceWarning")?;
            py.import("warnings")?
                .call_method1("warn", (message, category, 2))?;
            Ok(())
        })
        .map_err(raised)
    }

    fn library_result(
        &self,
        maker: &Maker<'_, '_>,
        number: usize,
        arguments: Vec<Value>,
        keywords: Vec<Value>,
    ) -> PyResult<Value> {
        let Call::Library {
            function,
            arguments: operands,
            keywords: names,
            result,
            ..
        } = self.call(number)
        else {
            return Err(error(Class::InternalError, "the call is no library call"));
        };
        let py = maker.py;
        let given = maker.objects(arguments)?;
        let named = PyDict::new(py);
        for ((name, _), value) in names.iter().zip(keywords) {
            named.set_item(name, maker.object(value)?)?;
        }
        let numbered = |prefix: &str| {
            let number = function.strip_prefix(prefix);
            number.and_then(|number| number.parse::<usize>().ok())
        };
        let host = &self.specialisation.executable.program().host;
        if let ([first, ..], [operand, ..]) = (&given[..], &operands[..])
            && !matches!(operand, Operand::Object)
        {
            check_nan_in_copy(function, first)?;
        }
        if function == SWEEP_OBJECTS {
            let numbers: Vec<u64> = given
                .iter()
                .map(|one| one.extract::<u64>())
                .collect::<PyResult<_>>()?;
            if let [mark, wanted @ ..] = &numbers[..] {
                self.held.sweep(*mark, wanted);
            }
            return Ok(Value::Constant(Captured::None));
        }
        let found = if function == MARK_OBJECTS {
            self.held.mark().into_pyobject(py)?.into_any()
        } else if let Some(number) = numbered(GLOBAL_ARRAY) {
            self.specialisation.classes[number].bind(py).clone()
        } else if let Some(leaf) = numbered(OBJECT_ARGUMENT) {
            maker.objects[leaf].clone()
        } else if let (NEXT, [iterator], Outcome::Tuple(parts)) =
            (&function[..], &given[..], result)
            && let [_, item] = &parts[..]
        {
            let next = iterator.call_method0("__next__");
            let memory = if self.unified {
                Memory::Shared
            } else {
                Memory::Apart
            };
            return jit_objects::turn(next, item, |found, expected| {
                outcome(found, expected, host, memory, self.held)
            });
        } else if let (IS_CAUGHT, [exception, numbers @ ..]) = (&function[..], &given[..]) {
            let classes = jit_objects::classes(numbers, &self.specialisation.classes)?;
            PyBool::new(py, exception.is_instance(&classes)?)
                .to_owned()
                .into_any()
        } else if let (MAKE_EXCEPTION, [class, arguments @ ..]) = (&function[..], &given[..]) {
            let classes = std::slice::from_ref(class);
            let class = jit_objects::classes(classes, &self.specialisation.classes)?.get_item(0)?;
            class.call1(PyTuple::new(py, arguments)?)?
        } else if let Some(callee) = function.strip_prefix(RECURSION) {
            let known = &self.specialisation.callees[number];
            let callee = known.get_or_try_init(py, || self.recursive(py, callee))?;
            let arguments = PyTuple::new(py, given)?;
            call_deeper(py, || callee.bind(py).call(arguments, Some(&named)))?
        } else if jit_library::is_plain(function) {
            let known = &self.specialisation.callees[number];
            let callee = known.get_or_try_init(py, || {
                jit_library::resolve(py, function, None).map(Bound::unbind)
            })?;
            let arguments = PyTuple::new(py, given)?;
            match named.is_empty() {
                true => callee.bind(py).call1(arguments)?,
                false => callee.bind(py).call(arguments, Some(&named))?,
            }
        } else {
            jit_library::call(py, function, given, &named)?
        };
        let writeable = match named.get_item("writeable")? {
            Some(asked) => asked.is_truthy()?,
            None => false,
        };
        // An array outside is the caller's memory, not a part of what else was made.
        let memory = match () {
            _ if !self.unified && !function.starts_with(GLOBAL_ARRAY) => Memory::Apart,
            _ if gives_read_only(function) && !writeable => Memory::ReadOnly,
            _ => Memory::Shared,
        };
        let other = match function.starts_with("numpy.") {
            true => other_kind(&found, result, host),
            false => None,
        };
        if let (Some(note), Some(is_complex)) = (self.found, other) {
            let name = name_while_running(function, operands, host);
            let both = |one: &Found| one.function == name && one.both;
            if !self.specialisation.found_dtypes.iter().any(both) {
                *note.borrow_mut() = Some(Found {
                    function: name,
                    is_complex,
                    both: false,
                });
            }
        }
        if other == Some(true) {
            // Were it another exception, the program might take it for one of its own.
            return Err(error(
                Class::CompileError,
                format!(
                    "{function} gives complex numbers, which it gives for some values only, and this program was \
                     compiled for real ones; convert its argument first: a.astype(complex)"
                ),
            ));
        }
        if self.found.is_some_and(|note| note.borrow().is_some()) {
            return Err(PyRuntimeError::new_err("it is begun again"));
        }
        outcome(&found, result, host, memory, self.held)
    }
}

impl PythonCalls<'_, '_> {
    /// A function that calls itself, by its number, how it is compiled, and which arguments it takes as objects.
    fn recursive(&self, py: Python<'_>, callee: &str) -> PyResult<Py<PyAny>> {
        let wrong = || {
            error(
                Class::InternalError,
                "a function that calls itself has no number",
            )
        };
        let (numbers, handed_on) = callee.rsplit_once('.').ok_or_else(wrong)?;
        let parts: Option<Vec<u64>> = numbers.split('.').map(|part| part.parse().ok()).collect();
        let parts = parts.ok_or_else(wrong)?;
        let &[number, how, objects] = &parts[..] else {
            return Err(wrong());
        };
        let function = self.specialisation.classes.get(number as usize);
        let function = function.ok_or_else(wrong)?;
        let helpers = py.import("colocate._jit_objects")?;
        let made = helpers.call_method1("recursive", (function, how, objects, handed_on))?;
        Ok(made.unbind())
    }

    /// `list(d)` of a dictionary that needs no Python, as an array.
    fn listed_numbers(&self, call: usize, arguments: &[Value]) -> Option<jit::HostArray> {
        let Call::Library {
            function,
            result: Outcome::Local(local),
            ..
        } = self.call(call)
        else {
            return None;
        };
        match arguments {
            [Value::Object(handle)] if function == "builtins.list" => {
                let host = &self.specialisation.executable.program().host;
                self.held.numbers(*handle, host.locals[local.index()].dtype)
            }
            _ => None,
        }
    }

    /// Whether a call runs what is the user's own, which is not done again in host memory.
    fn is_users_own(&self, call: usize) -> bool {
        matches!(self.call(call), Call::Library { function, .. }
            if function.starts_with(RECURSION) || function == HAND_OVER)
    }
}

/// Calls a function that calls itself; Python's limit on that is this one's, too.
fn call_deeper<'py>(
    py: Python<'py>,
    work: impl FnOnce() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    thread_local! {
        static DEPTH: Cell<usize> = const { Cell::new(0) };
    }
    let depth = DEPTH.get();
    let limit: usize = py
        .import("sys")?
        .call_method0("getrecursionlimit")?
        .extract()?;
    if depth >= limit {
        return Err(PyRecursionError::new_err(
            "maximum recursion depth exceeded",
        ));
    }
    DEPTH.set(depth + 1);
    let outcome = stacker::maybe_grow(ROOM_FOR_A_CALL, 16 * ROOM_FOR_A_CALL, work);
    DEPTH.set(depth);
    outcome
}

/// Bytes of the stack that a call and what it calls may take.
const ROOM_FOR_A_CALL: usize = 1 << 20;

impl Callbacks for PythonCalls<'_, '_> {
    fn bit_generator(&mut self) -> jit::Result<BitGenerator> {
        self.generators.bit_generator()
    }

    fn draw(&mut self, from: Generator, what: Drawn, word: u64) -> jit::Result<u64> {
        self.generators.draw(from, what, word)
    }

    fn fill_random(
        &mut self,
        memory: &mut [MaybeUninit<f64>],
        low: f64,
        span: f64,
    ) -> jit::Result<()> {
        self.generators.fill(memory, low, span)
    }

    fn look_up(&mut self) -> jit::Result<()> {
        // Ctrl-C, and whatever else Python does about signals, which may draw random numbers.
        self.generators.give_back();
        Python::attach(|py| py.check_signals()).map_err(raised)
    }

    fn keep_argument(&mut self, leaf: usize) -> Arc<dyn Any + Send + Sync> {
        Python::attach(|_| Arc::new(self.given.objects[leaf].clone().unbind()) as Arc<_>)
    }

    fn is_on_host(&self, call: usize, elements: usize) -> bool {
        let Call::Library {
            function,
            arguments,
            ..
        } = self.call(call)
        else {
            return true;
        };
        if function == HAND_OVER {
            return self.host_results;
        }
        jit_library::is_random(function)
            // NumPy's generators exchange rows of what they do not know, which are views here.
            || function == "method.shuffle"
            || function.starts_with(OUTSIDE_FUNCTION)
            || jit_library::reads_all_items(function)
            || jit_library::chooses_dtype(function)
            || (self.unified && function.starts_with(jit_library::ATTRIBUTE))
            || (self.unified && elements <= jit_library::FEW_ELEMENTS)
            || (elements == 0 && !has_array(arguments))
            || self.specialisation.only_on_host[call].load(Ordering::Relaxed)
    }

    fn object_call(
        &mut self,
        call: usize,
        words: &[u64],
        results: &mut [u64],
    ) -> Option<jit::Result<()>> {
        self.planned(call, words, results)
    }

    fn library(
        &mut self,
        call: usize,
        arguments: Vec<Value>,
        keywords: Vec<Value>,
    ) -> jit::Result<Value> {
        if let Some(numbers) = self.listed_numbers(call, &arguments) {
            return Ok(Value::Host(numbers));
        }
        self.generators.give_back();
        let on_queue = arguments.iter().chain(&keywords).any(is_on_queue);
        let outcome =
            self.with_python(|maker| self.library_result(maker, call, arguments, keywords));
        match outcome {
            Err(jit::Error::Raised(failure)) if on_queue && !self.is_users_own(call) => {
                let missing = match failure.downcast_ref::<PyErr>() {
                    Some(failure) => Python::attach(|py| jit_library::is_missing(py, failure)),
                    None => false,
                };
                if missing {
                    self.retried = Some(call);
                    return Err(jit::Error::NotOnQueue);
                }
                Err(jit::Error::Raised(failure))
            }
            Ok(value) => {
                if self.retried.take() == Some(call) && !self.unified {
                    self.tell_of_host(call)?;
                }
                if !on_queue && !self.unified && !self.is_users_own(call) {
                    // Next time it is not tried elsewhere first.
                    self.specialisation.only_on_host[call].store(true, Ordering::Relaxed);
                }
                Ok(value)
            }
            other => other,
        }
    }

    fn caught(&mut self, failure: jit::Error) -> jit::Result<u64> {
        if let jit::Error::Internal(_) | jit::Error::NotOnQueue = failure {
            return Err(failure);
        }
        let exception = Err::<(), _>(failure).or_raise();
        Python::attach(|py| {
            let Err(exception) = exception else {
                return Ok(self.held.keep(py.None().bind(py)));
            };
            // That something cannot be compiled is no matter of the program's.
            if is_error(py, &exception, Class::CompileError) {
                return Err(raised(exception));
            }
            let exception = exception.into_value(py).into_any();
            Ok(self.held.keep(exception.bind(py)))
        })
    }

    fn print(&mut self, call: usize, parts: Vec<Value>) -> jit::Result<()> {
        self.generators.give_back();
        let Call::Print { separator, end, .. } = self.call(call) else {
            return Err(jit::Error::Internal("the call prints nothing".into()));
        };
        if self.quiet {
            return Ok(());
        }
        self.with_python(|maker| {
            let py = maker.py;
            let options = PyDict::new(py);
            options.set_item("sep", separator)?;
            options.set_item("end", end)?;
            let parts = PyTuple::new(py, maker.objects(parts)?)?;
            let print = py.import("builtins")?.getattr("print")?;
            print.call(parts, Some(&options))?;
            Ok(())
        })
    }

    fn raise(&mut self, call: usize, arguments: Vec<Value>, lists: Vec<Value>) -> jit::Error {
        self.generators.give_back();
        if !lists.is_empty()
            && let Err(failure) = self.update_lists(lists)
        {
            return failure;
        }
        let Call::Raise {
            class,
            joined,
            site,
            ..
        } = self.call(call)
        else {
            return jit::Error::Internal("the call raises nothing".into());
        };
        let made = self.with_python(|maker| {
            let py = maker.py;
            let class = match class {
                Exception::Own => {
                    let exception = maker.objects(arguments)?.pop();
                    let exception = exception.unwrap_or_else(|| py.None().into_bound(py));
                    return Ok(PyErr::from_value(exception));
                }
                Exception::Builtin(name) => py.import("builtins")?.getattr(name.as_str())?,
                Exception::Handle(number) => self.specialisation.classes[*number as usize]
                    .bind(py)
                    .clone(),
            };
            let mut arguments = maker.objects(arguments)?;
            if *joined {
                let mut text = String::new();
                for one in &arguments {
                    text.push_str(&one.str()?.to_string());
                }
                arguments = vec![PyString::new(py, &text).into_any()];
            }
            let exception = class.call1(PyTuple::new(py, arguments)?)?;
            self.with_traceback(exception, *site)
        });
        match made {
            Ok(failure) => raised(failure),
            Err(failure) => failure,
        }
    }
}

impl PythonCalls<'_, '_> {
    /// Gives an exception a traceback that ends at the line that raised it.
    fn with_traceback(&self, exception: Bound<'_, PyAny>, site: Site) -> PyResult<PyErr> {
        let py = exception.py();
        let program = self.specialisation.executable.program();
        let Some(file) = program.files.get(site.file as usize) else {
            return Ok(PyErr::from_value(exception));
        };
        let line = file.line(site.span);
        let module = py.import("colocate._jit_traceback")?;
        let name = &self.specialisation.name;
        let raised = module.call_method1("raised", (exception, &file.name, line, name))?;
        Ok(PyErr::from_value(raised))
    }
}

/// Whether an array is among the operands.
fn has_array(operands: &[Operand]) -> bool {
    operands.iter().any(|operand| match operand {
        Operand::Local(_) => true,
        Operand::Held(item) => item.arrays() > 0,
        Operand::Tuple(items) | Operand::List(items) => has_array(items),
        _ => false,
    })
}

fn is_on_queue(value: &Value) -> bool {
    match value {
        Value::Array(_) => true,
        Value::Tuple(items) | Value::List(items) => items.iter().any(is_on_queue),
        _ => false,
    }
}
