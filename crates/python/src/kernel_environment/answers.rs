//! What the front end asks of the live program: each question is handed on to who looks it up, and a failure is kept for
//! when the front end has ended.

use super::*;
use crate::captured_values::class;
use crate::jit_found_dtypes::{name_while_compiling, with_kind};
use crate::jit_library;
use crate::watched_names::{Holder, Watch};
use colocate_frontend::objects::records::RECORD_DTYPE;
use colocate_frontend::program::{Exception, LibraryType, ObjectType};
use colocate_frontend::{Captured, Environment, FunctionId, FunctionSource, Named, Usage};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule, PyString, PyType};
use std::sync::Arc;

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
