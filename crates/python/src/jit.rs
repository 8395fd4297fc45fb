//! `colocate.jit`: the objects that it makes, and their calls (R5.*).

mod methods;

use crate::array::PyArray;
use crate::errors::{Class, Unlocked, error};
use crate::jit_arguments::{Given, HandedOn, Taken, small_integer};
use crate::jit_binding::{self, Objects};
use crate::jit_callbacks::PythonCalls;
use crate::jit_explain::Explained;
use crate::jit_found_dtypes::{Found, FoundDtypes, MOST_REPEATS};
use crate::jit_held::Held;
use crate::jit_placement::{Place, place_of};
use crate::jit_shared_lists::is_given_twice;
use crate::jit_specialisation::{
    FOUND_DTYPES, NUMBERS_AS_THEY_ARE, Specialisation, Specialisations, specialise,
};
use crate::jit_values::Maker;
use crate::kernel::parameters_of;
use crate::kernel_arguments::Parameter;
use crate::kernel_source::NoSource;
use crate::kernel_specialisation::lock;
use crate::queue::queue_from_object;
use colocate_frontend::FunctionSource;
use colocate_jit::{Call, Report, Value};
use colocate_runtime::Queue;
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PySet, PyString, PyTuple};
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// A Python function whose data-parallel parts run wherever the data or the context says.
///
/// Made by the decorator :func:`jit`. It is compiled for the types of the arguments it is called with,
/// once for each combination and kind of device. ``py_func`` is the Python function.
///
/// Examples
/// --------
/// >>> import colocate as cl, numpy as np
/// >>> @cl.jit
/// ... def axpy(a, x, y):
/// ...     return a * x + y
/// >>> axpy(2.0, np.arange(3.0), np.ones(3))
/// array([1., 3., 5.])
/// >>> x = cl.asarray([1.0, 2.0], device="native:cpu")
/// >>> axpy(2.0, x, x).tolist()
/// [3.0, 6.0]
#[pyclass(frozen, name = "JitFunction", module = "colocate", weakref, dict)]
pub struct PyJitFunction {
    pub function: Py<PyAny>,
    pub name: String,
    pub parameters: Vec<Parameter>,
    /// The function's `__defaults__`, from which they are.
    defaults: Py<PyAny>,
    /// The starred parameters that follow.
    pub stars: jit_binding::Stars,
    /// Whether it yields.
    pub yields: bool,
    pub source: Result<Arc<FunctionSource>, NoSource>,
    pub fast_math: bool,
    pub parallel: Option<bool>,
    pub boundscheck: Option<bool>,
    pub python_errors: bool,
    pub specialisations: Mutex<Specialisations>,
    /// What becomes of its bools.
    truths: AtomicU8,
    /// The arguments whose strings and tuples are objects, as bits.
    as_objects: AtomicU64,
    /// Arguments whose types the caller knows: who calls it is the function itself.
    handed_on: OnceLock<Vec<HandedOn>>,
    /// Whether it can only be compiled if its strings are constants.
    knows_texts: AtomicBool,
    /// Whether empty lists and dictionaries are compiled for as such, not as ones of integers.
    empty_as_written: AtomicBool,
    /// Whether it is compiled for which extents of its arrays are 1.
    knows_ones: AtomicBool,
    /// Whether it matters which function an argument is of several that do the same.
    exact_functions: AtomicBool,
    /// Whether it asks for attributes that take long to take.
    all_attributes: AtomicBool,
    /// Whether it can only be compiled for each of the objects in a list.
    objects_one_by_one: AtomicBool,
    /// Whether it can only be compiled if nothing is known of the items of lists of several kinds.
    lists_of_anything: AtomicBool,
    /// What becomes of ints among floats in containers.
    mixed_numbers: AtomicU8,
    /// What library functions were found to give, and the number of what was found last.
    pub found_dtypes: FoundDtypes,
    last_found: AtomicUsize,
}

/// A call that is ready to run.
struct Prepared<'py> {
    given: Given<'py>,
    place: Place,
    specialisation: Arc<Specialisation>,
    held: Held,
    /// The number of what library functions are assumed to give.
    assumed: usize,
}

/// Strings of more characters are data.
const LONGEST_NAME: usize = 32;
/// Whether a string has halves of characters in it, which no other text has: it is data.
fn is_broken(text: &Bound<'_, PyString>) -> bool {
    text.to_str().is_err()
}

/// A function with so many specialisations is not compiled for further strings.
const MANY_SPECIALISATIONS: usize = 16;

/// What crosses into the part that runs without Python's lock.
struct Crossing<T>(T);

/// Bools are numbers, unless the function can only be compiled if they are constants.
const AS_THEY_COME: u8 = 0;
/// It is compiled for each value of its bools.
const KNOWN: u8 = 1;
/// Bools are numbers, whatever it is that cannot be compiled.
const ONLY_AS_THEY_COME: u8 = 2;
/// It is compiled for each value of its bools and its small integers, such as one that says how many axes an array has.
const NUMBERS_KNOWN: u8 = 3;

/// What is said of a float where there must be an integer.
const NO_INTEGER: &str = "must be an integer, not float";

/// Ints among floats in containers are read as floats, unless one is an index.
const AS_FLOATS: u8 = 0;
/// Only Python knows which of them are ints.
const AS_THEY_ARE: u8 = 1;
/// They are read as floats even where one is an index: the function cannot be compiled otherwise.
const ONLY_AS_FLOATS: u8 = 2;

// SAFETY: what is inside is used by one thread at a time, and Python objects in it only with the lock.
unsafe impl<T> Send for Crossing<T> {}

impl<T> Crossing<T> {
    fn open(self) -> T {
        self.0
    }
}

/// Whether something is so of an argument, as `_instances.py` says.
fn asks_of_objects(py: Python<'_>, question: &str, objects: &Objects<'_>) -> PyResult<bool> {
    let ask = py.import("colocate._instances")?.getattr(question)?;
    for object in objects {
        if ask.call1((object,))?.extract()? {
            return Ok(true);
        }
    }
    Ok(false)
}

impl PyJitFunction {
    /// Makes a call ready to run. Where it may find out that a float is the index of something that Python holds, ints that
    /// are beside floats are not read as floats.
    fn prepare<'py>(
        &self,
        py: Python<'py>,
        objects: &Objects<'py>,
        device: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Prepared<'py>> {
        let first = self.prepare_somehow(py, objects, device)?;
        let by_float = first.specialisation.executable.program().indexes_by_float;
        if !by_float || self.mixed_numbers.load(Ordering::Relaxed) != AS_FLOATS {
            return Ok(first);
        }
        self.mixed_numbers.store(AS_THEY_ARE, Ordering::Relaxed);
        let other = self.prepare_somehow(py, objects, device);
        if self.mixed_numbers.load(Ordering::Relaxed) == AS_THEY_ARE && other.is_ok() {
            return other;
        }
        self.mixed_numbers.store(ONLY_AS_FLOATS, Ordering::Relaxed);
        Ok(first)
    }

    /// Makes a call ready to run, with its arguments taken in one of the ways in which it can be compiled.
    fn prepare_somehow<'py>(
        &self,
        py: Python<'py>,
        objects: &Objects<'py>,
        device: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Prepared<'py>> {
        let device = device.map(queue_from_object).transpose()?;
        let truths = self.truths.load(Ordering::Relaxed);
        let texts = self.texts_as_objects(objects);
        let as_written = self.empty_as_written.load(Ordering::Relaxed);
        let taken = Taken {
            knows_truths: matches!(truths, KNOWN | NUMBERS_KNOWN),
            knows_numbers: truths == NUMBERS_KNOWN,
            as_objects: texts,
            empty_as_written: as_written,
            knows_ones: false,
            exact_functions: false,
            lists_as_objects: false,
            all_attributes: false,
            objects_one_by_one: false,
            lists_of_anything: self.lists_of_anything.load(Ordering::Relaxed),
            numbers_as_they_are: self.mixed_numbers.load(Ordering::Relaxed) == AS_THEY_ARE,
        };
        let mut first = self.prepare_with(py, objects, device.clone(), taken);
        if texts != 0 && first.is_err() {
            let known = Taken {
                as_objects: 0,
                ..taken
            };
            let second = self.prepare_with(py, objects, device.clone(), known);
            if second.is_ok() {
                self.knows_texts.store(true, Ordering::Relaxed);
                first = second;
            }
        }
        let Err(mut failure) = first else {
            return first;
        };
        let compile_error = py.import("colocate._errors")?.getattr("CompileError")?;
        if !failure.is_instance(py, &compile_error) {
            return Err(failure);
        }
        // Nothing tells what an empty list or dictionary would hold, and what is done with its items may not fit integers.
        if asks_of_objects(py, "holds_empty", objects)? {
            let other = Taken {
                empty_as_written: !as_written,
                ..taken
            };
            let other = self.prepare_with(py, objects, device.clone(), other);
            if other.is_ok() {
                self.empty_as_written.store(!as_written, Ordering::Relaxed);
                return other;
            }
        }
        let leaves_out = asks_of_objects(py, "leaves_out", objects)?;
        if leaves_out && !self.all_attributes.load(Ordering::Relaxed) {
            let all = Taken {
                all_attributes: true,
                ..taken
            };
            match self.prepare_with(py, objects, device.clone(), all) {
                Ok(other) => {
                    self.all_attributes.store(true, Ordering::Relaxed);
                    return Ok(other);
                }
                // It says more than the one that knew less.
                Err(other) => failure = other,
            }
        }
        let as_they_are = taken.numbers_as_they_are;
        let is_float = || failure.value(py).to_string().contains(NO_INTEGER);
        if as_they_are || is_float() {
            let other = Taken {
                all_attributes: leaves_out,
                numbers_as_they_are: !as_they_are,
                ..taken
            };
            let other = self.prepare_with(py, objects, device.clone(), other);
            match other {
                Ok(other) => {
                    self.all_attributes.fetch_or(leaves_out, Ordering::Relaxed);
                    let now = if as_they_are { AS_FLOATS } else { AS_THEY_ARE };
                    self.mixed_numbers.store(now, Ordering::Relaxed);
                    return Ok(other);
                }
                // What is said of floats names types that the program knows.
                Err(other) if as_they_are => failure = other,
                Err(_) => {}
            }
        }
        if asks_of_objects(py, "holds_objects", objects)? {
            let known = Taken {
                all_attributes: leaves_out,
                objects_one_by_one: true,
                ..taken
            };
            let other = self.prepare_with(py, objects, device.clone(), known);
            if other.is_ok() {
                self.all_attributes.fetch_or(leaves_out, Ordering::Relaxed);
                self.objects_one_by_one.store(true, Ordering::Relaxed);
                return other;
            }
        }
        if asks_of_objects(py, "holds_several_kinds", objects)? && !taken.lists_of_anything {
            let known = Taken {
                lists_of_anything: true,
                ..taken
            };
            let other = self.prepare_with(py, objects, device.clone(), known);
            if other.is_ok() {
                self.lists_of_anything.store(true, Ordering::Relaxed);
                return other;
            }
        }
        if !matches!(truths, AS_THEY_COME | KNOWN) {
            return Err(failure);
        }
        // Flags often decide what a function gives, or whether a variable is there at all; small integers how many
        // axes an array has, or which item of a tuple is meant.
        let has = |wanted: &dyn Fn(&Bound<'py, PyAny>) -> bool| {
            objects.iter().any(|object| match object.cast::<PyTuple>() {
                Ok(items) => items.iter().any(|item| wanted(&item)),
                Err(_) => wanted(object),
            })
        };
        let is_flag = |object: &Bound<'py, PyAny>| object.is_instance_of::<PyBool>();
        let said = failure.value(py).to_string();
        let of_axes = said.contains("an extent must be an integer")
            || said.contains("how many values or axes it gives")
            || said.contains("this is either");
        let has_small = has(&|object| small_integer(object).is_some());
        let tries = [
            (KNOWN, truths == AS_THEY_COME && has(&is_flag)),
            (NUMBERS_KNOWN, of_axes && has_small),
        ];
        for (truths, is_worth_it) in tries {
            if !is_worth_it {
                continue;
            }
            let known = Taken {
                knows_truths: true,
                knows_numbers: truths == NUMBERS_KNOWN,
                ..taken
            };
            let other = self.prepare_with(py, objects, device.clone(), known);
            if other.is_ok() {
                self.truths.store(truths, Ordering::Relaxed);
                return other;
            }
        }
        Err(failure)
    }

    /// The strings among the arguments that are data and no names, as bits: long ones, and all of a function that was
    /// compiled for many already.
    fn texts_as_objects(&self, objects: &Objects<'_>) -> u64 {
        let texts = objects.iter().take(64).enumerate();
        let mut texts = texts
            .filter_map(|(position, object)| {
                let text = object.cast_exact::<PyString>().ok()?;
                Some((position, text))
            })
            .peekable();
        if texts.peek().is_none() || self.knows_texts.load(Ordering::Relaxed) {
            return 0;
        }
        let many = lock(&self.specialisations).all.len() >= MANY_SPECIALISATIONS;
        texts
            .filter(|(_, text)| many || text.len().unwrap_or(0) > LONGEST_NAME || is_broken(text))
            .fold(0, |bits, (position, _)| bits | 1 << position)
    }

    /// Prepares a call with arguments that are taken so. If how many axes an array has without those of length 1 depends
    /// on the arguments, their extents of 1 are known, too.
    fn prepare_with<'py>(
        &self,
        py: Python<'py>,
        objects: &Objects<'py>,
        device: Option<Queue>,
        taken: Taken,
    ) -> PyResult<Prepared<'py>> {
        let known = Taken {
            knows_ones: self.knows_ones.load(Ordering::Relaxed),
            exact_functions: self.exact_functions.load(Ordering::Relaxed),
            ..taken
        };
        let first = self.prepare_as(py, objects, device.clone(), known)?;
        let by_itself = self.truths.load(Ordering::Relaxed) != ONLY_AS_THEY_COME;
        let ones = first.specialisation.executable.program().wants_ones && by_itself;
        let exact = first.specialisation.names_functions && !first.given.constants.is_empty();
        if (known.knows_ones || !ones) && (known.exact_functions || !exact) {
            return Ok(first);
        }
        self.knows_ones.fetch_or(ones, Ordering::Relaxed);
        self.exact_functions.fetch_or(exact, Ordering::Relaxed);
        let known = Taken {
            knows_ones: known.knows_ones || ones,
            exact_functions: known.exact_functions || exact,
            ..taken
        };
        self.prepare_as(py, objects, device, known)
    }

    fn prepare_as<'py>(
        &self,
        py: Python<'py>,
        objects: &Objects<'py>,
        device: Option<Queue>,
        taken: Taken,
    ) -> PyResult<Prepared<'py>> {
        let taken = Taken {
            as_objects: self.as_objects.load(Ordering::Relaxed) | taken.as_objects,
            all_attributes: self.all_attributes.load(Ordering::Relaxed) || taken.all_attributes,
            objects_one_by_one: self.objects_one_by_one.load(Ordering::Relaxed)
                || taken.objects_one_by_one,
            ..taken
        };
        let handed_on = self.handed_on.get().map_or(&[][..], Vec::as_slice);
        let mut given = Given::new(objects, &self.parameters, taken, handed_on)?;
        let place = place_of(py, self, &mut given, device)?;
        let assumed = self.last_found.load(Ordering::Relaxed);
        given.key[0] = place.facts.encode() | (assumed as u32) << FOUND_DTYPES;
        if taken.numbers_as_they_are {
            given.key[0] |= NUMBERS_AS_THEY_ARE;
        }
        let specialisation = specialise(py, self, &given, &place.facts)?;
        Ok(Prepared {
            given,
            place,
            specialisation,
            held: Held::default(),
            assumed,
        })
    }

    /// With the lists among the arguments used where they are, which takes longer.
    fn with_lists_of_python<'py>(
        &self,
        py: Python<'py>,
        objects: &Objects<'py>,
    ) -> PyResult<Prepared<'py>> {
        let taken = Taken {
            knows_truths: matches!(self.truths.load(Ordering::Relaxed), KNOWN | NUMBERS_KNOWN),
            knows_numbers: self.truths.load(Ordering::Relaxed) == NUMBERS_KNOWN,
            as_objects: self.texts_as_objects(objects),
            empty_as_written: false,
            knows_ones: false,
            exact_functions: false,
            lists_as_objects: true,
            all_attributes: false,
            objects_one_by_one: false,
            lists_of_anything: self.lists_of_anything.load(Ordering::Relaxed),
            numbers_as_they_are: self.mixed_numbers.load(Ordering::Relaxed) == AS_THEY_ARE,
        };
        let prepared = self.prepare_with(py, objects, None, taken);
        if let Ok(prepared) = prepared
            && !is_given_twice(py, &prepared.specialisation, &prepared.given)?
        {
            return Ok(prepared);
        }
        let text = "a list that the function changes is given to it twice; give it a copy";
        Err(error(Class::CompileError, text))
    }

    fn bind<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Objects<'py>> {
        let py = args.py();
        let given = args.len() + kwargs.map_or(0, |named| named.len());
        let changed = match given < self.parameters.len() {
            true => self.parameters_if_changed(py)?,
            // Nobody asks for defaults.
            false => None,
        };
        let parameters = changed.as_deref().unwrap_or(&self.parameters);
        let bound = jit_binding::bind(&self.name, parameters, self.stars, args, kwargs);
        bound.or_else(|_| {
            // Python names the functions around it, too.
            let name: String = self.function.bind(py).getattr("__qualname__")?.extract()?;
            jit_binding::bind(&name, parameters, self.stars, args, kwargs)
        })
    }

    /// The parameters, if the function has been given other defaults since it was compiled.
    fn parameters_if_changed(&self, py: Python<'_>) -> PyResult<Option<Vec<Parameter>>> {
        let function = self.function.bind(py);
        let defaults = function.getattr(pyo3::intern!(py, "__defaults__"))?;
        let mut same = defaults.is(&self.defaults);
        if same && self.parameters.last().is_some_and(|last| last.keyword_only) {
            let by_name = function.getattr(pyo3::intern!(py, "__kwdefaults__"))?;
            let by_name = by_name.cast::<PyDict>().ok();
            for parameter in self.parameters.iter().filter(|one| one.keyword_only) {
                let now = match by_name {
                    Some(all) => all.get_item(&parameter.name)?,
                    None => None,
                };
                same &= match (&now, &parameter.default) {
                    (Some(now), Some(known)) => now.is(known),
                    (None, None) => true,
                    _ => false,
                };
            }
        }
        match same {
            true => Ok(None),
            false => parameters_of(function).map(Some),
        }
    }

    /// Runs it, perhaps without printing, and says what happened if that is wanted.
    fn run<'py>(
        &self,
        py: Python<'py>,
        prepared: &Prepared<'py>,
        report: Option<&mut Report>,
        found: Option<&RefCell<Option<Found>>>,
    ) -> PyResult<Value> {
        let (given, place) = (&prepared.given, &prepared.place);
        let specialisation = &*prepared.specialisation;
        let call = Call {
            queue: &place.queue,
            unified: place.unified,
            host_queue: place.host_queue.as_ref(),
            kind: place.kind,
            host_results: place.host_results,
            arguments: &given.arguments,
            scalars: &given.scalars,
        };
        let calls = PythonCalls {
            specialisation,
            given,
            unified: place.unified,
            host_results: place.host_results,
            quiet: report.is_some(),
            retried: None,
            generators: Default::default(),
            held: &prepared.held,
            found,
            done_alone: 0,
        };
        let crossing = Crossing((call, calls, report));
        let outcome = py.unlocked(move || {
            let (call, mut calls, report) = crossing.open();
            let value = specialisation.executable.run(&call, &mut calls, report);
            value.map(Crossing)
        });
        Ok(outcome?.open())
    }

    /// Does to the lists among its arguments what it did to them, and makes what it returns.
    fn value_of<'py>(
        &self,
        py: Python<'py>,
        prepared: &Prepared<'py>,
        mut value: Value,
    ) -> PyResult<Bound<'py, PyAny>> {
        let updates = &prepared.specialisation.executable.program().updates;
        let mut updated = Vec::new();
        if !updates.is_empty()
            && let Value::Tuple(mut parts) = value
        {
            updated = parts.split_off(1);
            value = parts.swap_remove(0);
        }
        let maker = Maker {
            py,
            objects: &prepared.given.objects,
            given: Some(&prepared.given),
            classes: &prepared.specialisation.classes,
            shared: prepared.place.shared,
            held: &prepared.held,
            made: Default::default(),
        };
        // In the order in which the values were made.
        let made = maker.object(value);
        maker.update_lists(updates, updated)?;
        made
    }

    /// Runs it. Where a library function gives real numbers in place of complex ones, or the other way round, and
    /// nobody has seen anything of it yet, it is compiled for that and begun again.
    fn run_until_found<'py>(
        &self,
        py: Python<'py>,
        objects: &Objects<'py>,
        prepared: &mut Prepared<'py>,
    ) -> PyResult<Value> {
        let before = prepared.assumed;
        let mut known: Vec<String> = Vec::new();
        for _ in 0..MOST_REPEATS {
            let program = prepared.specialisation.executable.program();
            if !program.is_repeatable {
                break;
            }
            let note = RefCell::new(None);
            let outcome = self.run(py, prepared, None, Some(&note));
            let Some(mut found) = note.into_inner() else {
                return outcome;
            };
            prepared.held = Held::default();
            if known.contains(&found.function) {
                found.is_complex = true;
                found.both = true;
            }
            known.push(found.function.clone());
            let both = found.both;
            let Some(number) = self.found_dtypes.with(prepared.assumed, found) else {
                break;
            };
            self.last_found.store(number, Ordering::Relaxed);
            match self.prepare(py, objects, None) {
                Ok(other) => *prepared = other,
                Err(_) => {
                    // The program cannot do with such numbers.
                    self.last_found.store(before, Ordering::Relaxed);
                    break;
                }
            }
            if both {
                // The next call may find one kind alone.
                self.last_found.store(before, Ordering::Relaxed);
            }
        }
        self.run(py, prepared, None, None)
    }

    /// Runs it on copies of its arrays, and says what happened.
    fn explained<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Explained> {
        let own = PyDict::new(py);
        let mut device = None;
        for (name, value) in kwargs.into_iter().flatten() {
            match name.extract::<String>()?.as_str() {
                "device" => device = Some(value).filter(|value| !value.is_none()),
                _ => own.set_item(name, value)?,
            }
        }
        let objects: Objects<'py> = self
            .bind(args, Some(&own))?
            .iter()
            .map(copied)
            .collect::<PyResult<_>>()?;
        let prepared = self.prepare(py, &objects, device.as_ref())?;
        let mut report = Report::default();
        let outcome = self.run(py, &prepared, Some(&mut report), None);
        Ok(Explained {
            function: self.name.clone(),
            parameters: self.parameters.iter().map(|one| one.name.clone()).collect(),
            specialisation: prepared.specialisation,
            device: prepared.place.queue.device().label(),
            report,
            raised: outcome.err().map(|failure| failure.to_string()),
        })
    }

    /// The program for arguments; without any, the one that was used last.
    fn specialisation<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: &Bound<'py, PyDict>,
        device: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Arc<Specialisation>> {
        if args.is_empty() && kwargs.is_empty() && !self.parameters.is_empty() {
            return lock(&self.specialisations).last.clone().ok_or_else(|| {
                error(
                    Class::InvalidArgumentError,
                    format!(
                        "{0} was not compiled yet; call it first, or give arguments: {0}.inspect(a, b, ...)",
                        self.name
                    ),
                )
            });
        }
        let objects = self.bind(args, Some(kwargs))?;
        Ok(self.prepare(py, &objects, device)?.specialisation)
    }
}

/// A copy of an argument, so that trying a function changes nothing.
fn copied<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if object.is_instance_of::<PyUntypedArray>() {
        let options = PyDict::new(object.py());
        options.set_item("order", "K")?;
        return object.call_method("copy", (), Some(&options));
    }
    if object.is_instance_of::<PyArray>() {
        return object.call_method0("copy");
    }
    if let Ok(items) = object.cast::<PyTuple>() {
        let items: Vec<_> = items
            .iter()
            .map(|item| copied(&item))
            .collect::<PyResult<_>>()?;
        let made = PyTuple::new(object.py(), items)?;
        return match object.hasattr("_fields")? {
            true => object.get_type().call1(made),
            false => Ok(made.into_any()),
        };
    }
    if let Ok(items) = object.cast::<PyList>() {
        let items: Vec<_> = items
            .iter()
            .map(|item| copied(&item))
            .collect::<PyResult<_>>()?;
        return Ok(PyList::new(object.py(), items)?.into_any());
    }
    if object.is_instance_of::<PySet>() || object.is_instance_of::<PyDict>() {
        return object.call_method0("copy");
    }
    Ok(object.clone())
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyJitFunction>()
}
