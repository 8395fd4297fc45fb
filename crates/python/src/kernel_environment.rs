//! The world around a kernel: what the names that it uses mean in the live program.
//!
//! Implements the front end's [`Environment`] on closures, globals and modules, and remembers every
//! look-up as a [`Watch`], so that a later launch can tell whether the kernel is still what the
//! program says. Attributes of `colocate`, `numpy`, `math` and `builtins` are not watched: nobody
//! changes those.

use crate::array::PyArray;
use crate::captured_values::{class, unsupported, value_of, with_article};
use crate::environment_libraries::{LIBRARIES, is_from};
use crate::jit_found_dtypes::{Found, name_while_compiling, with_kind};
use crate::jit_library;
use crate::kernel::{PyDeviceFunction, PyKernel};
use crate::kernel_source::{source_of, source_with_lambdas};
use crate::watched_names::{Holder, Watch, look};
use colocate_frontend::objects::records::RECORD_DTYPE;
use colocate_frontend::objects::with_statements::CONTEXT_FUNCTION;
use colocate_frontend::program::{Exception, LibraryType, ObjectType};
use colocate_frontend::{
    Captured, Environment, FunctionId, FunctionSource, LIST_CLASS, Named, OBJECT_OF, Usage, codes,
};
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

impl Environment for PythonEnvironment<'_> {
    fn object(&mut self, number: u64) -> Option<Captured> {
        let known = |object: &&Py<PyAny>| object.as_ptr() as u64 == number;
        let object = self.objects.iter().find(known)?.bind(self.py).clone();
        let captured = self.capture(&object).map(Some);
        self.remember_failure(captured)
    }

    fn function(&self, id: FunctionId) -> Arc<FunctionSource> {
        self.functions[id.0 as usize].source.clone()
    }

    fn name(&mut self, function: FunctionId, name: &str) -> Option<Captured> {
        let found = self.find_name(function, name);
        self.remember_failure(found)
    }

    fn default_value(&mut self, function: FunctionId, parameter: &str) -> Option<Captured> {
        let found = self.find_default(function, parameter);
        self.remember_failure(found)
    }

    fn attribute(&mut self, module: u32, name: &str) -> Option<Captured> {
        let found = self.find_attribute(module, name);
        self.remember_failure(found)
    }

    fn members(&mut self, namespace: u32) -> Option<Vec<Captured>> {
        let object = self.modules.get(namespace as usize)?.0.clone();
        let mut find = || -> PyResult<Option<Vec<Captured>>> {
            if !object.is_instance(class!(self.py, "enum", "EnumMeta"))? {
                return Ok(None);
            }
            let members = object.try_iter()?.map(|member| self.capture(&member?));
            members.collect::<PyResult<_>>().map(Some)
        };
        let found = find();
        self.remember_failure(found)
    }

    fn stencil(
        &mut self,
        around: FunctionId,
        name: &str,
        place: (usize, usize),
        options: &[(String, Captured)],
    ) -> Result<Captured, String> {
        let outer = self.functions[around.0 as usize].object.clone();
        let make = || -> PyResult<Bound<'_, PyAny>> {
            let given = PyDict::new(self.py);
            for (name, value) in options {
                given.set_item(name, crate::jit_values::captured(self.py, value)?)?;
            }
            let module = self.py.import("colocate._stencil")?;
            module.call_method1("stencil_inside", (outer, name, place.0, place.1, given))
        };
        let made = make().and_then(|made| self.capture(&made));
        made.map_err(|failure| failure.value(self.py).to_string())
    }

    fn property(&mut self, namespace: u32, name: &str) -> Option<Captured> {
        if !self.has_library {
            return None;
        }
        let (object, _) = self.modules.get(namespace as usize)?.clone();
        let mut find = || -> PyResult<Option<Captured>> {
            let functions = self.py.import("colocate._bound_functions")?;
            let getter = functions.call_method1("getter_of", (&object, name))?;
            if getter.is_none() {
                return Ok(None);
            }
            let class = object.get_type().into_any().unbind();
            self.find(Holder::Object(class), name, true)?;
            self.function_id(&getter).map(Some)
        };
        let found = find();
        self.remember_failure(found)
    }

    fn kind_of_member(&mut self, namespace: u32) -> Option<String> {
        let (object, _) = self.modules.get(namespace as usize)?;
        let kind = || -> PyResult<Option<String>> {
            if !object.is_instance(class!(self.py, "enum", "Enum"))? {
                return Ok(None);
            }
            let objects = self.py.import("colocate._foreign_objects")?;
            let kind = objects.call_method1("kind_of_members", (object.get_type(),))?;
            Ok(Some(kind.extract()?))
        };
        kind().ok().flatten()
    }

    fn own_module(&mut self, function: FunctionId) -> Option<Captured> {
        let globals = self.functions.get(function.0 as usize)?.globals.clone();
        let name: String = globals.get_item("__name__").ok()??.extract().ok()?;
        let all = self.py.import("sys").ok()?.getattr("modules").ok()?;
        let module = all.get_item(&name).ok()?.cast_into::<PyModule>().ok()?;
        let is_own = module.dict().is(&globals);
        is_own.then(|| self.module(module.as_any(), name))
    }

    fn assigned_attribute(
        &mut self,
        namespace: u32,
        name: &str,
    ) -> Option<(u32, Option<Captured>)> {
        let found = self.assign_attribute(namespace, name);
        self.remember_failure(found)
    }

    fn expect_outside(&mut self, namespace: u32, name: &str, kind: &ObjectType) {
        let watched = self.watch_kind(namespace, name, kind);
        self.remember_failure(watched.map(Some));
    }

    fn attributes_outside(&mut self, namespace: u32) -> Vec<(String, String, ObjectType)> {
        let found = self.kinds_of_attributes(namespace);
        self.remember_failure(found.map(Some)).unwrap_or_default()
    }

    fn number(&mut self, what: Named) -> Option<u32> {
        let object = match what {
            // What makes records of a dtype stands for it.
            Named::Namespace(handle) => match self.modules.get(handle as usize)? {
                (records, name) if name == RECORD_DTYPE => records.getattr("dtype").ok()?,
                (object, _) => object.clone(),
            },
            Named::Function(id) => {
                self.names_functions = true;
                self.functions.get(id.0 as usize)?.known_as.clone()
            }
        };
        Some(self.class_number(&object))
    }

    fn can_be_assigned(&mut self, class: u32, name: &str) -> bool {
        let Some(class) = self.classes.get(class as usize) else {
            return false;
        };
        let ask = || -> PyResult<bool> {
            let module = self.py.import("colocate._instances")?;
            module
                .call_method1("can_be_assigned", (class, name))?
                .extract()
        };
        ask().unwrap_or(false)
    }

    fn class_attribute(&mut self, class: u32, name: &str) -> Option<(Usage, Captured)> {
        let is_made = self.made_classes.contains(&class);
        let class = self.classes.get(class as usize)?.bind(self.py).clone();
        let find = || -> PyResult<Option<(Usage, Captured)>> {
            // The class itself may change between calls; what describes objects among the arguments does not.
            let itself = match is_made {
                true => class.getattr("of")?,
                false => class.clone(),
            };
            if itself.is_instance_of::<PyType>() {
                let own = match name {
                    "<initialiser>" => "__init__",
                    name => name.rsplit('>').next().unwrap_or(name),
                };
                self.find(Holder::Object(itself.unbind()), own, true)?;
            }
            let module = self.py.import("colocate._instances")?;
            let found = module.call_method1("class_attribute", (class, name))?;
            if found.is_none() {
                return Ok(None);
            }
            let (usage, object): (String, Bound<'_, PyAny>) = found.extract()?;
            let usage = match usage.as_str() {
                "property" => Usage::Property,
                "method" => Usage::Method,
                _ => Usage::Value,
            };
            Ok(Some((usage, self.capture(&object)?)))
        };
        let found = find();
        self.remember_failure(found)
    }

    fn object_method(&mut self, namespace: u32, name: &str) -> Option<Captured> {
        let found = self.method_of_object(namespace, name);
        self.remember_failure(found)
    }

    fn class_of_object(&mut self, namespace: u32) -> Option<Captured> {
        let object = self.modules.get(namespace as usize)?.0.clone();
        let class = match self.is_own_object(&object) {
            Ok(true) => self.capture(&object.get_type()).map(Some),
            Ok(false) => Ok(None),
            Err(failure) => Err(failure),
        };
        self.remember_failure(class)
    }

    fn is_object_of(&mut self, object: u32, class: u32) -> Option<bool> {
        let object = self.modules.get(object as usize)?.0.clone();
        let class = self.modules.get(class as usize)?.0.clone();
        if !self.is_own_object(&object).ok()? || !class.is_instance_of::<PyType>() {
            return None;
        }
        object.is_instance(&class).ok()
    }

    fn why_not_made(&mut self, namespace: u32) -> Option<String> {
        let of = &self.modules.get(namespace as usize)?.0;
        let module = self.py.import("colocate._instances").ok()?;
        let why = module.call_method1("why_not_made", (of,)).ok()?;
        why.extract().ok()
    }

    fn exception_is_made_by_class(&mut self, class: u32) -> bool {
        let asked = self.is_made_by_class(class).map(Some);
        self.remember_failure(asked).unwrap_or(false)
    }

    fn exception_attribute(
        &mut self,
        class: &Exception,
        arguments: &[LibraryType],
        name: &str,
    ) -> Option<ObjectType> {
        let found = self.attribute_by_example(class, arguments, name);
        self.remember_failure(found)
    }

    fn class_itself(&mut self, class: u32) -> u32 {
        let of = || -> PyResult<Option<Bound<'_, PyAny>>> {
            let Some(known) = self.classes.get(class as usize) else {
                return Ok(None);
            };
            let known = known.bind(self.py);
            let describes =
                known.is_instance(class!(self.py, "colocate._instances", "Instances"))?;
            describes.then(|| known.getattr("of")).transpose()
        };
        match of() {
            Ok(Some(of)) => self.class_number(&of),
            _ => class,
        }
    }

    fn are_objects_of(&mut self, class: u32, namespace: u32) -> Option<bool> {
        let wanted = self.modules.get(namespace as usize)?.0.clone();
        let wanted = wanted.cast_into::<PyType>().ok()?;
        let class = self.classes.get(class as usize)?.bind(self.py).clone();
        let own = class.getattr_opt("of").ok()?.unwrap_or(class);
        own.cast_into::<PyType>().ok()?.is_subclass(&wanted).ok()
    }

    fn is_subclass(&mut self, class: &str, namespace: u32) -> Option<bool> {
        let wanted = self.modules.get(namespace as usize)?.0.clone();
        let wanted = wanted.cast_into::<PyType>().ok()?;
        let (module, name) = match class.strip_prefix("numpy.") {
            Some("bool") => ("numpy", "bool_"),
            Some(name) => ("numpy", name),
            None if class == "NoneType" => ("types", class),
            None => ("builtins", class),
        };
        let class = self.py.import(module).ok()?.getattr(name).ok()?;
        class.cast_into::<PyType>().ok()?.is_subclass(&wanted).ok()
    }

    fn made_class(&mut self, namespace: u32, attributes: &[String]) -> Option<u32> {
        let class = self.modules.get(namespace as usize)?.0.clone();
        let module = self.py.import("colocate._instances").ok()?;
        let described = module.call_method1("made_class", (class, attributes.to_vec()));
        let described = self.remember_failure(described.map(Some))?;
        if described.is_none() {
            return None;
        }
        let number = self.class_number(&described);
        self.made_classes.push(number);
        Some(number)
    }

    fn base_method(&mut self, class: u32, function: FunctionId, name: &str) -> Option<Captured> {
        let class = self.classes.get(class as usize)?.bind(self.py).clone();
        let function = self.functions.get(function.0 as usize)?.object.clone();
        let module = self.py.import("colocate._instances").ok()?;
        let found = module.call_method1("base_method", (class, function, name));
        let found = self.remember_failure(found.map(Some))?;
        if found.is_none() {
            return None;
        }
        let captured = found.extract().and_then(|(base, method)| {
            let base: Bound<'_, PyAny> = base;
            let method: Bound<'_, PyAny> = method;
            self.watches.push(Watch {
                name: PyString::intern(self.py, name).unbind(),
                found: Some(base.getattr(name)?.unbind()),
                holder: Holder::Object(base.unbind()),
                meaning: None,
            });
            self.capture(&method).map(Some)
        });
        self.remember_failure(captured)
    }

    fn derives(&mut self, class: &Exception, from: &Exception) -> Option<bool> {
        let found = |one: &Exception| {
            let class = match one {
                Exception::Builtin(name) => self.py.import("builtins").ok()?.getattr(name).ok()?,
                Exception::Handle(number) => {
                    self.classes.get(*number as usize)?.bind(self.py).clone()
                }
                Exception::Own => return None,
            };
            class.cast_into::<PyType>().ok()
        };
        found(class)?.is_subclass(found(from)?.as_any()).ok()
    }

    fn parameters(&mut self, function: &str) -> Vec<String> {
        let names = || -> PyResult<Vec<String>> {
            let helpers = self.py.import("colocate._numpy_parameters")?;
            helpers.call_method1("positions", (function,))?.extract()
        };
        names().unwrap_or_default()
    }

    fn import(&mut self, module: &str) -> Option<Captured> {
        // Importing may run code: only what is there already, or what knows how to be compiled.
        let library = module.split('.').next().unwrap_or("");
        let plain = ["numpy", "math", "cmath", "colocate", "operator", "random"].contains(&library);
        let modules = self.py.import("sys").and_then(|sys| sys.getattr("modules"));
        let found = match modules.and_then(|modules| modules.get_item(module)) {
            Ok(found) => found,
            Err(_) if plain => self.py.import(module).ok()?.into_any(),
            Err(_) => return None,
        };
        let captured = self.capture(&found).map(Some);
        self.remember_failure(captured)
    }

    fn record_dtype(&mut self, fields: &[Captured]) -> Option<Captured> {
        let captured = || -> PyResult<Option<Captured>> {
            let fields: PyResult<Vec<_>> = fields
                .iter()
                .map(|field| crate::jit_values::captured(self.py, field))
                .collect();
            // A text has all of them in it.
            let fields = match fields?.as_slice() {
                [text] if text.is_instance_of::<PyString>() => text.clone(),
                fields => pyo3::types::PyList::new(self.py, fields)?.into_any(),
            };
            // What is no dtype is refused where it is used.
            let dtype = self.py.import("numpy")?.call_method1("dtype", (fields,));
            dtype.ok().map(|dtype| self.capture(&dtype)).transpose()
        }();
        self.remember_failure(captured)
    }

    fn function_attribute(&mut self, function: FunctionId, name: &str) -> Option<Captured> {
        // Inner functions are not of the program's around.
        let object = self.functions.get(function.0 as usize)?.object.clone();
        let mut find = || -> PyResult<Option<Captured>> {
            let own = object.getattr(pyo3::intern!(self.py, "__dict__"))?;
            let own = own.cast_into::<PyDict>()?;
            match own.contains(name)? {
                true => self.find(Holder::Dict(own.unbind()), name, true),
                false => Ok(None),
            }
        };
        let found = find();
        self.remember_failure(found)
    }

    fn of_records(&mut self, class: u32, name: &str) -> Option<Captured> {
        let class = self.classes.get(class as usize)?.bind(self.py).clone();
        let mut find = || -> PyResult<Option<Captured>> {
            match class.getattr_opt(name)? {
                Some(found) => Ok(Some(self.capture(&found)?)),
                None => Ok(None),
            }
        };
        let found = find();
        self.remember_failure(found)
    }

    fn library(
        &mut self,
        function: &str,
        arguments: &[LibraryType],
        keywords: &[(String, LibraryType)],
    ) -> Result<LibraryType, String> {
        if !self.has_library {
            return Err("there is no array library in kernels".into());
        }
        let mut found = jit_library::probe(self.py, function, arguments, keywords)?;
        if !self.found_dtypes.is_empty() {
            let name = name_while_compiling(function, arguments);
            if let Some(one) = self.found_dtypes.iter().find(|one| one.function == name) {
                found = with_kind(found, one.is_complex);
            }
        }
        self.with_class(found)
            .map_err(|failure| failure.to_string())
    }

    fn near_names(&self, module_name: &str) -> Vec<String> {
        let names = |object: &Bound<'_, PyAny>| -> PyResult<Vec<String>> {
            let names = object.dir()?.into_iter();
            Ok(names.filter_map(|name| name.extract().ok()).collect())
        };
        let mut found = Vec::new();
        if module_name.is_empty() {
            for function in &self.functions {
                let keys = function.globals.keys().into_iter();
                found.extend(keys.filter_map(|name| name.extract::<String>().ok()));
                found.extend(function.closure.iter().map(|(name, _)| name.clone()));
            }
            if let Ok(builtins) = self.py.import("builtins") {
                let functions = names(builtins.as_any()).unwrap_or_default().into_iter();
                found.extend(functions.filter(|name| name.starts_with(char::is_lowercase)));
            }
        } else if let Some((module, _)) = self.modules.iter().find(|(_, name)| name == module_name)
        {
            found.extend(names(module).unwrap_or_default());
        }
        found.retain(|name| !name.starts_with('_'));
        found
    }
}
