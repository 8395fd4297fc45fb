//! The world around a kernel: what the names that it uses mean in the live program.
//!
//! Implements the front end's [`colocate_frontend::Environment`] on closures, globals and modules, and remembers every
//! look-up as a [`Watch`], so that a later launch can tell whether the kernel is still what the
//! program says. Attributes of `colocate`, `numpy`, `math` and `builtins` are not watched: nobody
//! changes those.

mod answers;

use crate::array::PyArray;
use crate::captured_values::{class, unsupported, value_of, with_article};
use crate::environment_libraries::{LIBRARIES, is_from};
use crate::jit_found_dtypes::Found;
use crate::kernel::{PyDeviceFunction, PyKernel};
use crate::kernel_source::{source_of, source_with_lambdas};
use crate::watched_names::{Holder, Watch, look};
use colocate_frontend::objects::records::RECORD_DTYPE;
use colocate_frontend::objects::with_statements::CONTEXT_FUNCTION;
use colocate_frontend::{Captured, FunctionId, FunctionSource, LIST_CLASS, OBJECT_OF, codes};
use numpy::{PyArrayDescr, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyDict, PyEllipsis, PyFrozenSet, PyInt, PyList, PyModule, PyRange, PySet, PySlice, PyString,
    PyTuple, PyType,
};
use std::sync::Arc;

/// A function of the program.
#[derive(Clone)]
struct Function<'py> {
    object: Bound<'py, PyAny>,
    /// What the program has of it: a compiled function is not the one in it.
    known_as: Bound<'py, PyAny>,
    globals: Bound<'py, PyDict>,
    /// Its free variables and their cells.
    closure: Vec<(String, Bound<'py, PyAny>)>,
    source: Arc<FunctionSource>,
}

/// The program around one kernel.
pub struct PythonEnvironment<'py> {
    pub(crate) py: Python<'py>,
    functions: Vec<Function<'py>>,
    pub(crate) modules: Vec<(Bound<'py, PyAny>, String)>,
    /// Classes that a program names by number: of exceptions, for one.
    pub classes: Vec<Py<PyAny>>,
    /// Those of them that describe objects which the function makes.
    made_classes: Vec<u32>,
    /// Records from outside, taken apart once: their fields are then the same arrays each time.
    pub(crate) records: Vec<(Bound<'py, PyAny>, Captured)>,
    /// Whether there are library functions: for jit functions, not for kernels.
    pub has_library: bool,
    /// Whether an int among floats in a container stays one, as only Python knows then what a number of it is.
    pub numbers_as_they_are: bool,
    /// Arguments that are known while compiling, by their addresses.
    pub objects: Vec<Py<PyAny>>,
    pub watches: Vec<Watch>,
    /// Library functions that give other numbers than their examples.
    pub found_dtypes: Vec<Found>,
    /// What the program itself assigns to is read where it is.
    pub(crate) unwatched: Vec<(Holder, String)>,
    /// Whether a function leaves the program: then it matters which of several that do the same it is.
    pub names_functions: bool,
    /// The first exception that a look-up raised.
    pub failure: Option<PyErr>,
}

impl<'py> PythonEnvironment<'py> {
    /// A world with one function in it, the first.
    pub fn new(
        entry: &Bound<'py, PyAny>,
        source: Arc<FunctionSource>,
    ) -> PyResult<PythonEnvironment<'py>> {
        let mut world = PythonEnvironment {
            py: entry.py(),
            functions: Vec::new(),
            modules: Vec::new(),
            classes: Vec::new(),
            made_classes: Vec::new(),
            records: Vec::new(),
            has_library: false,
            numbers_as_they_are: false,
            objects: Vec::new(),
            watches: Vec::new(),
            found_dtypes: Vec::new(),
            unwatched: Vec::new(),
            names_functions: false,
            failure: None,
        };
        world.add(entry, source)?;
        Ok(world)
    }

    fn add(&mut self, object: &Bound<'py, PyAny>, source: Arc<FunctionSource>) -> PyResult<u32> {
        let names: Vec<String> = object
            .getattr("__code__")?
            .getattr("co_freevars")?
            .extract()?;
        let cells = object.getattr("__closure__")?;
        let mut closure = Vec::new();
        if !cells.is_none() {
            for (name, cell) in names.into_iter().zip(cells.try_iter()?) {
                closure.push((name, cell?));
            }
        }
        self.functions.push(Function {
            object: object.clone(),
            known_as: object.clone(),
            globals: object.getattr("__globals__")?.cast_into()?,
            closure,
            source,
        });
        Ok(self.functions.len() as u32 - 1)
    }

    fn function_id(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Captured> {
        let mut known = self.functions.iter();
        if let Some(known) = known.position(|one| one.known_as.is(object)) {
            return Ok(Captured::Function(FunctionId(known as u32)));
        }
        let source = match self.has_library {
            true => source_with_lambdas(object)?,
            false => source_of(object)?,
        };
        match source {
            Ok(source) => {
                // Whoever loads a module again may give its functions new code.
                if self.has_library && !is_own(object)? {
                    self.watch(object, "__code__")?;
                }
                Ok(Captured::Function(FunctionId(self.add(object, source)?)))
            }
            Err(missing) => Ok(unsupported(if missing.diagnostic.code == codes::LAMBDA {
                "a lambda"
            } else {
                "a function without source text"
            })),
        }
    }

    /// A function that the program has as another object, from which it was taken. The function that is compiled is
    /// itself whichever way it is named, so that it calls itself.
    fn known_as(&mut self, captured: Captured, object: &Bound<'py, PyAny>) -> Captured {
        let Captured::Function(FunctionId(number @ 1..)) = captured else {
            return captured;
        };
        let mut known = self.functions.iter();
        let number = match known.position(|one| one.known_as.is(object)) {
            Some(known) => known,
            None => {
                let mut function = self.functions[number as usize].clone();
                function.known_as = object.clone();
                self.functions.push(function);
                self.functions.len() - 1
            }
        };
        Captured::Function(FunctionId(number as u32))
    }

    fn module(&mut self, object: &Bound<'py, PyAny>, name: String) -> Captured {
        let known = self.modules.iter().position(|(one, _)| one.is(object));
        let handle = known.unwrap_or_else(|| {
            self.modules.push((object.clone(), name.clone()));
            self.modules.len() - 1
        });
        Captured::Module {
            handle: handle as u32,
            name,
        }
    }

    /// What an object is to a kernel.
    pub(crate) fn capture(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Captured> {
        let py = self.py;
        if let Ok(module) = object.cast::<PyModule>() {
            let name = module.name()?.to_string();
            return Ok(self.module(object, name));
        }
        if self.has_library
            && let Some(named) = self.named_tuple(object)?
        {
            return Ok(named);
        }
        if self.has_library
            && !object.is_instance_of::<PyInt>()
            && object.is_instance(class!(py, "enum", "Enum"))?
        {
            // Its attributes can be asked for, and it is compared by which one it is.
            let name = object.str()?.to_string();
            return Ok(self.module(object, name));
        }
        if self.has_library
            && object.is_instance_of::<PyArrayDescr>()
            && !object.getattr("names")?.is_none()
        {
            // Its attributes are the functions that make such arrays.
            let module = py.import("colocate._records")?;
            let records = module.call_method1("records_of", (object,))?;
            return Ok(self.module(&records, RECORD_DTYPE.into()));
        }
        for name in ["datetime64", "timedelta64"] {
            if self.has_library && object.is(&py.import("numpy")?.getattr(name)?) {
                return Ok(Captured::Builtin(format!("numpy.{name}")));
            }
        }
        if let Some(value) = value_of(object)? {
            return Ok(value);
        }
        if let Ok(items) = object.cast::<PyTuple>() {
            let items = items.iter().map(|item| self.capture(&item));
            return Ok(Captured::Tuple(items.collect::<PyResult<_>>()?));
        }
        if let Some(other) = self.numba_meaning(object)? {
            let captured = self.capture(&other)?;
            return Ok(self.known_as(captured, object));
        }
        if self.has_library && self.is_context_function(object)? {
            return Ok(self.module(object, CONTEXT_FUNCTION.into()));
        }
        if self.has_library
            && let Some(written) = self.dispatched(object)?
        {
            return self.function_id(&written);
        }
        if self.has_library
            && let Some(written) = self.written_here(object)?
        {
            return self.function_id(&written);
        }
        if self.has_library
            && (object.is_instance(class!(py, "types", "MethodType"))?
                || object.is_instance(class!(py, "functools", "partial"))?
                || object.is_instance(class!(py, "numpy", "vectorize"))?)
        {
            self.watch_parts(object)?;
            let module = py.import("colocate._bound_functions")?;
            let function = module.call_method1("plain_function", (object,))?;
            if !function.is_none() {
                return self.function_id(&function);
            }
        }
        if object.is_instance(class!(py, "types", "FunctionType"))? {
            if let Some(name) = object.getattr_opt("__kernel_name__")? {
                return Ok(Captured::Builtin(name.extract()?));
            }
            if self.has_library {
                let outside = self.py.import("colocate._outside_functions")?;
                if outside.call_method1("is_outside", (object,))?.is_truthy()? {
                    let name = outside.call_method1("name_of", (object,))?;
                    return Ok(Captured::Builtin(name.extract()?));
                }
            }
            let module = object.getattr_opt("__module__")?;
            let is_librarys = module.is_some_and(|module| {
                let mut all = LIBRARIES.iter();
                all.any(|library| is_from(&module, library))
            });
            if !is_librarys {
                return self.function_id(object);
            }
        }
        if let Ok(kernel) = object.cast::<PyKernel>() {
            return Ok(Captured::Kernel(kernel.get().name.clone()));
        }
        if let Ok(function) = object.cast::<PyDeviceFunction>() {
            let function = function.get().function.bind(py).clone();
            return self.function_id(&function);
        }
        if self.has_library
            && let Some(records) = self.outside_records(object)?
        {
            return Ok(records);
        }
        if self.has_library
            && let Ok(array) = object.cast::<PyUntypedArray>()
            && !crate::jit_arguments::has_own_rules(array)?
            && let Some(host) = crate::jit_arguments::host_array(0, array)
        {
            return Ok(Captured::GlobalArray {
                number: self.class_number(object),
                dtype: host.dtype,
                rank: host.shape.len() as u8,
                layout: crate::jit_arguments::layout_of(&host, array),
                writable: host.writable,
            });
        }
        let container = object.is_exact_instance_of::<PyList>()
            || object.is_exact_instance_of::<PyDict>()
            || object.is_exact_instance_of::<PySet>()
            || object.is_exact_instance_of::<PyFrozenSet>()
            || crate::jit_objects::is_deque(object)?;
        if self.has_library
            && container
            && let Some(table) = self.function_table(object)?
        {
            return Ok(table);
        }
        if self.has_library
            && let Some(list) = self.function_list(object)?
        {
            return Ok(list);
        }
        if self.numbers_as_they_are
            && container
            && let Some(kind) = crate::jit_objects::with_numbers_as_they_are(object)?
        {
            let number = self.class_number(object);
            return Ok(Captured::Held { number, kind });
        }
        if self.has_library
            && container
            && let Some(kind) = crate::jit_objects::object_type(object)?
        {
            let number = self.class_number(object);
            return Ok(Captured::Held { number, kind });
        }
        if self.has_library && object.is_instance_of::<PyEllipsis>() {
            return Ok(Captured::Ellipsis);
        }
        if self.has_library && object.is_instance_of::<PyRange>() {
            let part = |name: &str| object.getattr(name)?.extract::<i64>();
            if let (Ok(start), Ok(stop), Ok(step)) = (part("start"), part("stop"), part("step")) {
                return Ok(Captured::Range([start, stop, step]));
            }
        }
        if self.has_library && object.is_instance_of::<PySlice>() {
            let parts: PyResult<Vec<_>> = ["start", "stop", "step"]
                .iter()
                .map(|part| value_of(&object.getattr(*part)?))
                .collect();
            let parts: Option<Vec<_>> = parts?.into_iter().collect();
            let whole = |one: &Captured| matches!(one, Captured::None | Captured::Int(_));
            if let Some(parts) = parts.filter(|parts| parts.iter().all(whole)) {
                return Ok(Captured::Slice(parts));
            }
        }
        if let Some(name) = self.index_object(object)? {
            return Ok(Captured::Builtin(name));
        }
        if self.has_library
            && let Some(kind) = crate::jit_objects::foreign_type(object)?
        {
            let number = self.class_number(object);
            return Ok(Captured::Held { number, kind });
        }
        if object.is_instance_of::<PyArray>() || object.is_instance_of::<PyUntypedArray>() {
            return Ok(Captured::Array {
                type_name: object.get_type().fully_qualified_name()?.to_string(),
            });
        }
        if let Some(exception) = self.exception(object)? {
            return Ok(exception);
        }
        if let Some(field) = self.unknown_field(object)? {
            return Ok(field);
        }
        if let Some(name) = self.library_function(object)? {
            return Ok(Captured::Builtin(name));
        }
        for name in ["deque", "defaultdict", "Counter", "OrderedDict"] {
            if self.has_library && object.is(&py.import("collections")?.getattr(name)?) {
                return Ok(Captured::Builtin(format!("builtins.{name}")));
            }
        }
        if let Some(class) = self.queue_class(object)? {
            return self.capture(&class);
        }
        // Of `functools.cache`.
        if self.has_library
            && object.is_instance(class!(py, "functools", "_lru_cache_wrapper"))?
            && let Some(inner) = object.getattr_opt(pyo3::intern!(py, "__wrapped__"))?
        {
            let inner = match inner.cast::<crate::jit::PyJitFunction>() {
                Ok(compiled) => compiled.get().function.bind(py).clone(),
                Err(_) => inner,
            };
            if inner.is_instance(class!(py, "types", "FunctionType"))? {
                return self.function_id(&inner);
            }
        }
        if self.has_library && object.get_type().hasattr(pyo3::intern!(py, "_names_now"))? {
            self.watch_stencil(object)?;
        }
        // A function with signatures converts its arguments before it calls the user's own. Its class
        // is asked, since `functools.wraps` copies whatever objects have.
        let has_text = object
            .get_type()
            .hasattr(pyo3::intern!(py, "_colocate_text"))?;
        let text = object.getattr_opt(if has_text {
            pyo3::intern!(py, "_colocate_text")
        } else {
            pyo3::intern!(py, "py_func")
        })?;
        if let Some(inner) = text
            && inner.is_instance(class!(py, "types", "FunctionType"))?
        {
            let captured = self.function_id(&inner)?;
            return Ok(self.known_as(captured, object));
        }
        if let Some(unknown) = self.unknown_attribute(object)? {
            return Ok(unknown);
        }
        if object.is_instance_of::<PyType>()
            || object.is_instance(class!(py, "types", "SimpleNamespace"))?
            || self.has_library && self.is_plain(object)?
        {
            let name = match object.getattr_opt("__qualname__")? {
                Some(name) => name.to_string(),
                None if self.is_own_object(object)? => {
                    format!("{OBJECT_OF}{}", object.get_type().name()?)
                }
                None => object.get_type().name()?.to_string(),
            };
            return Ok(self.module(object, name));
        }
        Ok(unsupported(&with_article(object)))
    }

    /// A dictionary of functions, classes, members of enumerations or named tuples under names.
    fn function_table(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<Captured>> {
        let Ok(table) = object.cast::<PyDict>() else {
            return Ok(None);
        };
        let mut fields = Vec::new();
        for (key, value) in table.iter() {
            let Ok(name) = key.extract::<String>() else {
                return Ok(None);
            };
            let is_tuple =
                value.is_instance_of::<PyTuple>() && !value.is_exact_instance_of::<PyTuple>();
            if !value.is_callable() && !is_tuple && !self.is_own_object(&value)? {
                return Ok(None);
            }
            match self.capture(&value)? {
                known @ (Captured::Function(_)
                | Captured::Builtin(_)
                | Captured::NamedItems(..)
                | Captured::NamedTuple { .. }
                | Captured::Exception { .. }
                | Captured::Module { .. }) => fields.push((name, known)),
                _ => return Ok(None),
            }
        }
        // Somebody may put others there, and more of them.
        if !fields.is_empty() {
            self.find(Holder::Length(table.clone().unbind()), "", true)?;
        }
        for (name, _) in &fields {
            self.find(Holder::Dict(table.clone().unbind()), name, true)?;
        }
        Ok((!fields.is_empty()).then_some(Captured::Functions(fields)))
    }

    /// A list of functions, or of tuples and lists with functions in them, such as a name and a function, or a few
    /// objects: a list that does not change.
    fn function_list(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<Captured>> {
        let Ok(list) = object.cast_exact::<PyList>() else {
            return Ok(None);
        };
        if !list.iter().any(|item| has_functions(&item)) && !self.is_of_objects(list)? {
            return Ok(None);
        }
        // Somebody may put others there.
        let items = self.find(Holder::Items(list.clone().unbind()), "", true)?;
        let Some(Captured::Tuple(items)) = items else {
            return Ok(None);
        };
        let class = Captured::NamedTuple {
            handle: LIST_CLASS,
            name: "list".into(),
            fields: Vec::new(),
            own_axes: None,
            is_instance: false,
        };
        let whole = items.iter().all(|item| !is_unsupported(item));
        Ok(whole.then(|| Captured::NamedItems(Box::new(class), items)))
    }

    /// Whether a list holds objects of classes of the program's own, each of which is known while compiling.
    fn is_of_objects(&self, list: &Bound<'py, PyList>) -> PyResult<bool> {
        if list.is_empty() || list.len() > MOST_OBJECTS {
            return Ok(false);
        }
        for item in list.iter() {
            if !self.is_own_object(&item)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Looks something up, and remembers it if `watched`.
    pub(crate) fn find(
        &mut self,
        holder: Holder,
        name: &str,
        watched: bool,
    ) -> PyResult<Option<Captured>> {
        let text = PyString::intern(self.py, name).unbind();
        let found = look(self.py, &holder, &text)?;
        let meaning = match &found {
            Some(object) => Some(self.capture(object)?),
            None => None,
        };
        // The front end asks again in every turn of its own.
        let is_known = self
            .watches
            .iter()
            .any(|watch| watch.name.is(&text) && watch.holder.is(&holder));
        let is_assigned = |(one, of): &(Holder, String)| of == name && one.is(&holder);
        if watched && !is_known && !self.unwatched.iter().any(is_assigned) {
            self.watches.push(Watch {
                holder,
                name: text,
                found: found.map(Bound::unbind),
                meaning: meaning.clone(),
            });
        }
        Ok(meaning)
    }

    fn find_name(&mut self, function: FunctionId, name: &str) -> PyResult<Option<Captured>> {
        let entry = &self.functions[function.0 as usize];
        if let Some((_, cell)) = entry.closure.iter().find(|(free, _)| free == name) {
            let holder = Holder::Cell(cell.clone().unbind());
            return self.find(holder, name, true);
        }
        let globals = Holder::Dict(entry.globals.clone().unbind());
        if let Some(found) = self.find(globals, name, true)? {
            return Ok(Some(found));
        }
        let builtins = self.py.import("builtins")?.into_any();
        self.find(Holder::Object(builtins.unbind()), name, false)
    }

    fn find_default(
        &mut self,
        function: FunctionId,
        parameter: &str,
    ) -> PyResult<Option<Captured>> {
        // Inner functions are not of the program's around.
        let Some(object) = self.functions.get(function.0 as usize) else {
            return Ok(None);
        };
        let object = object.object.clone();
        let code = object.getattr("__code__")?;
        let count: usize = code.getattr("co_argcount")?.extract()?;
        let names: Vec<String> = code.getattr("co_varnames")?.extract()?;
        let holder = || Holder::Object(object.clone().unbind());
        let Some(position) = names[..count].iter().position(|name| name == parameter) else {
            self.watch(&object, "__kwdefaults__")?;
            let by_name = object.getattr("__kwdefaults__")?;
            return match by_name.cast::<PyDict>() {
                Ok(all) => self.find(Holder::Dict(all.clone().unbind()), parameter, true),
                Err(_) => Ok(None),
            };
        };
        let Some(Captured::Tuple(defaults)) = self.find(holder(), "__defaults__", true)? else {
            return Ok(None);
        };
        let at = (position + defaults.len()).checked_sub(count);
        Ok(at.and_then(|at| defaults.into_iter().nth(at)))
    }

    fn find_attribute(&mut self, module: u32, name: &str) -> PyResult<Option<Captured>> {
        let (object, path) = self.modules[module as usize].clone();
        let library = path.split('.').next().unwrap_or("").to_owned();
        let known = matches!(
            library.as_str(),
            "colocate" | "numpy" | "math" | "cmath" | "builtins"
        );
        let holder = match object.cast::<PyModule>() {
            // A module may make its attributes when asked, so it is asked first.
            Ok(module) if object.hasattr(name)? && module.dict().contains(name)? => {
                Holder::Dict(module.dict().unbind())
            }
            _ => Holder::Object(object.unbind()),
        };
        let found = self.find(holder, name, !known)?;
        // A library's function is known by the name it has there: `numpy.abs` calls itself
        // `absolute`.
        Ok(match found {
            Some(Captured::Builtin(_)) if matches!(library.as_str(), "numpy" | "math") => {
                Some(Captured::Builtin(format!("{path}.{name}")))
            }
            other => other,
        })
    }

    pub(crate) fn remember_failure<T>(&mut self, result: PyResult<Option<T>>) -> Option<T> {
        match result {
            Ok(found) => found,
            Err(failure) => {
                self.failure.get_or_insert(failure);
                None
            }
        }
    }
}

/// A list outside of the function holds at most this many objects; the program is written out for each.
const MOST_OBJECTS: usize = 64;

/// Whether a function is one of this package, which nobody changes.
fn is_own(function: &Bound<'_, PyAny>) -> PyResult<bool> {
    let module = function.getattr_opt(pyo3::intern!(function.py(), "__module__"))?;
    Ok(module.is_some_and(|module| is_from(&module, "colocate")))
}

/// Whether something is called, or a tuple or a list in which something is.
fn has_functions(object: &Bound<'_, PyAny>) -> bool {
    if let Ok(items) = object.cast_exact::<PyTuple>() {
        return items.iter().any(|item| has_functions(&item));
    }
    match object.cast_exact::<PyList>() {
        Ok(items) => items.iter().any(|item| has_functions(&item)),
        Err(_) => object.is_callable(),
    }
}

/// Whether something, or an item of it, has no meaning in jit functions.
fn is_unsupported(captured: &Captured) -> bool {
    match captured {
        Captured::Unsupported { .. } | Captured::Array { .. } => true,
        Captured::Tuple(items) | Captured::NamedItems(_, items) => items.iter().any(is_unsupported),
        _ => false,
    }
}
