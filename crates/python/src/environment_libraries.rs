//! Which function of a library an object of the live program is, and what stands for it.
//!
//! Functions of Python's and NumPy's own are known by the name under which users know them. Others have a version in
//! the language of jit functions, or something else of ours that means the same; that is compiled in their place.

use crate::captured_values::class;
use crate::kernel_environment::PythonEnvironment;
use crate::watched_names::Holder;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};

/// The modules whose functions are called, and not compiled.
pub(crate) const LIBRARIES: [&str; 24] = [
    "builtins",
    "math",
    "cmath",
    "numpy",
    "_operator",
    "_functools",
    "itertools",
    "time",
    "array",
    "struct",
    "_struct",
    "datetime",
    "fractions",
    "decimal",
    "statistics",
    "zlib",
    "binascii",
    "base64",
    "hashlib",
    "re",
    "logging",
    "gc",
    "posixpath",
    "genericpath",
];

impl<'py> PythonEnvironment<'py> {
    /// What stands for an object of Numba's (R5.8): a function of the program's, one of ours, a dtype.
    pub(crate) fn numba_meaning(
        &self,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let is_numbas = |named: &Bound<'py, PyAny>| -> PyResult<bool> {
            let module = named.getattr_opt(pyo3::intern!(self.py, "__module__"))?;
            Ok(module.is_some_and(|module| is_from(&module, "numba")))
        };
        let names_itself = object.is_instance_of::<PyType>()
            || object.is_instance(class!(self.py, "types", "FunctionType"))?;
        if !(is_numbas(object.get_type().as_any())? || names_itself && is_numbas(object)?) {
            return Ok(None);
        }
        static MEANING: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let meaning = MEANING
            .import(self.py, "colocate._numba_programs", "meaning")?
            .call1((object,))?;
        Ok(Some(meaning).filter(|meaning| !meaning.is_none()))
    }

    /// The name of one of NumPy's objects that are indexed to make arrays.
    pub(crate) fn index_object(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<String>> {
        if !self.has_library {
            return Ok(None);
        }
        let numpy = self.py.import("numpy")?;
        for name in ["mgrid", "ogrid", "r_", "c_", "s_", "index_exp"] {
            if numpy.getattr(name)?.is(object) {
                return Ok(Some(format!("numpy.{name}")));
            }
        }
        Ok(None)
    }

    /// Whether it is what `contextlib.contextmanager` makes of a function.
    pub(crate) fn is_context_function(&self, object: &Bound<'py, PyAny>) -> PyResult<bool> {
        if !object.is_instance(class!(self.py, "types", "FunctionType"))? {
            return Ok(false);
        }
        let name = pyo3::intern!(self.py, "contextlib");
        let modules = self.py.import("sys")?.getattr("modules")?;
        let globals = object.getattr(pyo3::intern!(self.py, "__globals__"))?;
        Ok(object.hasattr(pyo3::intern!(self.py, "__wrapped__"))?
            && modules.contains(name)?
            && globals.is(&modules.get_item(name)?.getattr("__dict__")?))
    }

    /// What stands for a function that `functools.singledispatch` made.
    pub(crate) fn dispatched(
        &mut self,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !object.is_instance(class!(self.py, "types", "FunctionType"))?
            || !object.hasattr(pyo3::intern!(self.py, "registry"))?
        {
            return Ok(None);
        }
        let module = self.py.import("colocate._dispatched_functions")?;
        let found = module.call_method1("dispatched", (object,))?;
        let Ok((written, registry)) = found.extract::<(Bound<'py, PyAny>, Bound<'py, PyDict>)>()
        else {
            return Ok(None);
        };
        // Classes may be added.
        self.find(Holder::Length(registry.unbind()), "", true)?;
        Ok(Some(written))
    }

    /// Functions of the standard library that have a version in the language of jit functions.
    pub(crate) fn written_here(
        &self,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !object.is_callable() {
            return Ok(None);
        }
        let Some(name) = object.getattr_opt(pyo3::intern!(self.py, "__name__"))? else {
            return Ok(None);
        };
        let module = match self.is_of_random(object)? {
            true => "random".to_string(),
            false => {
                let module = object.getattr_opt(pyo3::intern!(self.py, "__module__"))?;
                match module.and_then(|module| module.extract::<String>().ok()) {
                    Some(module) => module,
                    None => return Ok(None),
                }
            }
        };
        let here = match module.trim_start_matches('_') {
            "heapq" | "bisect" => "colocate._list_functions",
            "random" => "colocate._random_functions",
            "operator" | "functools" => "colocate._operator_functions",
            "itertools" => "colocate._iterator_functions",
            "copy" => "colocate._copy_functions",
            "dataclasses" => "colocate._dataclass_functions",
            "numpy" => "colocate._numpy_functions",
            _ => return Ok(None),
        };
        let name = name.cast::<PyString>()?;
        let found = self.py.import(here)?.getattr_opt(name)?;
        // What a module of ours imports is none of its functions.
        match found {
            Some(found)
                if found
                    .getattr_opt("__module__")?
                    .is_some_and(|of| of.eq(here).unwrap_or(false)) =>
            {
                Ok(Some(found))
            }
            _ => Ok(None),
        }
    }

    /// What stands for a class of the module `queue`.
    pub(crate) fn queue_class(
        &self,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Ok(class) = object.cast::<PyType>() else {
            return Ok(None);
        };
        if !self.has_library || class.module()?.to_cow()? != "queue" {
            return Ok(None);
        }
        let ours = self.py.import("colocate._queue_classes")?;
        ours.getattr_opt(class.name()?)
    }

    /// Whether it is a function of the module `random`: a method of an object that belongs to it.
    fn is_of_random(&self, object: &Bound<'py, PyAny>) -> PyResult<bool> {
        let Some(owner) = object.getattr_opt(pyo3::intern!(self.py, "__self__"))? else {
            return Ok(false);
        };
        let is_random = owner.is_instance(class!(self.py, "random", "Random"))?;
        Ok(is_random && owner.is(&self.py.import("random")?.getattr("_inst")?))
    }

    /// The qualified name of a function of Python's or NumPy's own.
    pub(crate) fn library_function(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<String>> {
        let Some(name) = object.getattr_opt("__name__")? else {
            return Ok(None);
        };
        if object.is_instance(class!(self.py, "numpy", "ufunc"))? {
            let numpys = self
                .py
                .import("numpy")?
                .getattr_opt(name.cast::<PyString>()?)?;
            if numpys.is_some_and(|numpys| numpys.is(object)) {
                return Ok(Some(format!("numpy.{name}")));
            }
            if !self.has_library {
                return Ok(None);
            }
            let module = self.py.import("colocate._outside_functions")?;
            return module.call_method1("name_of", (object,))?.extract();
        }
        // It bears the name of the function that it calls.
        if object.is_instance(class!(self.py, "numpy", "vectorize"))? {
            return Ok(None);
        }
        if self.is_of_random(object)? {
            return Ok(Some(format!("random.{name}")));
        }
        let Some(module) = object.getattr_opt("__module__")? else {
            return Ok(None);
        };
        for library in LIBRARIES {
            if is_from(&module, library) && object.is_callable() {
                let module = module.to_string();
                if library == "numpy" {
                    return Ok(Some(self.public_name(
                        object,
                        &name.to_string(),
                        &module,
                    )?));
                }
                let module = module.trim_start_matches('_');
                return Ok(Some(format!("{module}.{name}")));
            }
        }
        Ok(None)
    }

    /// The name under which NumPy's users know a function: where it is defined says little.
    fn public_name(
        &self,
        object: &Bound<'py, PyAny>,
        name: &str,
        module: &str,
    ) -> PyResult<String> {
        const PLACES: &[&str] = &[
            "numpy",
            "numpy.linalg",
            "numpy.fft",
            "numpy.random",
            "numpy.polynomial.polynomial",
            "numpy.polynomial.polyutils",
            "numpy.lib.stride_tricks",
        ];
        for place in PLACES {
            let found = self.py.import(*place)?.getattr_opt(name)?;
            if found.is_some_and(|found| found.is(object)) {
                return Ok(format!("{place}.{name}"));
            }
        }
        let found = self
            .py
            .import(module)
            .and_then(|module| module.getattr(name));
        match found {
            Ok(found) if found.is(object) => Ok(format!("{module}.{name}")),
            _ => Ok(format!("numpy.{name}")),
        }
    }
}

pub(crate) fn is_from(module: &Bound<'_, PyAny>, library: &str) -> bool {
    module
        .extract::<String>()
        .is_ok_and(|name| name == library || name.starts_with(&format!("{library}.")))
}
