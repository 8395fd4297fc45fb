//! What of a live program may be replaced while it runs, other than what a name means: the parts of objects that stand
//! for functions, and the variables of modules that a jit function assigns to.

use crate::captured_values::class;
use crate::environment_libraries::LIBRARIES;
use crate::kernel_environment::PythonEnvironment;
use crate::watched_names::{Holder, Watch, look};
use colocate_frontend::Captured;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyType};

impl<'py> PythonEnvironment<'py> {
    /// Remembers which object an attribute is; what it holds is looked at elsewhere.
    pub(crate) fn watch(&mut self, object: &Bound<'py, PyAny>, name: &str) -> PyResult<()> {
        let holder = Holder::Object(object.clone().unbind());
        let text = PyString::intern(self.py, name).unbind();
        let mut known = self.watches.iter();
        if known.any(|watch| watch.name.is(&text) && watch.holder.is(&holder)) {
            return Ok(());
        }
        let found = look(self.py, &holder, &text)?.map(Bound::unbind);
        self.watches.push(Watch {
            holder,
            name: text,
            found,
            meaning: None,
        });
        Ok(())
    }

    /// Remembers what a partial or an object of `numpy.vectorize` is made of, which can be replaced in it.
    pub(crate) fn watch_parts(&mut self, object: &Bound<'py, PyAny>) -> PyResult<()> {
        if object.is_instance(class!(self.py, "numpy", "vectorize"))? {
            for name in ["pyfunc", "otypes", "cache", "excluded", "signature"] {
                self.watch(object, name)?;
            }
        }
        if object.is_instance(class!(self.py, "functools", "partial"))? {
            for name in ["func", "args", "keywords"] {
                self.watch(object, name)?;
            }
            let keywords = object.getattr("keywords")?.cast_into::<PyDict>()?;
            self.find(Holder::Length(keywords.clone().unbind()), "", true)?;
            for name in keywords.keys() {
                let holder = Holder::Dict(keywords.clone().unbind());
                self.find(holder, &name.extract::<String>()?, true)?;
            }
        }
        Ok(())
    }

    /// Remembers what the names of a stencil's kernel mean, which its text has copies of.
    pub(crate) fn watch_stencil(&mut self, stencil: &Bound<'py, PyAny>) -> PyResult<()> {
        type Cells<'py> = Vec<(String, Bound<'py, PyAny>)>;
        let places = stencil.call_method0("_names_now")?;
        let (globals, names, cells): (Bound<'py, PyDict>, Vec<String>, Cells<'py>) =
            places.extract()?;
        for name in names {
            self.find(Holder::Dict(globals.clone().unbind()), &name, true)?;
        }
        for (name, cell) in cells {
            self.find(Holder::Cell(cell.unbind()), &name, true)?;
        }
        Ok(())
    }

    /// See [`Environment::assigned_attribute`].
    pub(crate) fn assign_attribute(
        &mut self,
        namespace: u32,
        name: &str,
    ) -> PyResult<Option<(u32, Option<Captured>)>> {
        let Some((object, path)) = self.modules.get(namespace as usize).cloned() else {
            return Ok(None);
        };
        let holders = match object.cast::<PyModule>() {
            Ok(module) if !LIBRARIES.contains(&path.split('.').next().unwrap_or("")) => vec![
                Holder::Dict(module.dict().unbind()),
                Holder::Object(object.clone().unbind()),
            ],
            Err(_) if object.get_type().is(self.py.get_type::<PyType>()) => {
                vec![Holder::Object(object.clone().unbind())]
            }
            Err(_) => {
                let functions = self.py.import("colocate._bound_functions")?;
                let asked = functions.call_method1("is_of_the_programs_own", (&object,))?;
                let instances = self.py.import("colocate._instances")?;
                let given = (object.get_type(), name);
                let plain = instances.call_method1("can_be_assigned", given)?;
                if !asked.is_truthy()? || !plain.is_truthy()? {
                    return Ok(None);
                }
                vec![Holder::Object(object.clone().unbind())]
            }
            _ => return Ok(None),
        };
        let meaning = match object.getattr_opt(name)? {
            Some(found) => Some(self.capture(&found)?),
            None => None,
        };
        for holder in holders {
            let is_this = |watch: &Watch| -> PyResult<bool> {
                Ok(watch.holder.is(&holder) && watch.name.to_str(self.py)? == name)
            };
            let mut kept = Vec::new();
            for watch in std::mem::take(&mut self.watches) {
                if !is_this(&watch)? {
                    kept.push(watch);
                }
            }
            self.watches = kept;
            self.unwatched.push((holder, name.to_string()));
        }
        let is_number = matches!(
            meaning,
            Some(
                Captured::Bool(_)
                    | Captured::Int(_)
                    | Captured::Float(_)
                    | Captured::Complex(..)
                    | Captured::NumpyScalar(_)
                    | Captured::Str(_)
            )
        );
        if is_number {
            // The function is compiled for what it holds when it begins.
            self.find(Holder::TypeOf(object.clone().unbind()), name, true)?;
        }
        Ok(Some((self.class_number(&object), meaning)))
    }
}
