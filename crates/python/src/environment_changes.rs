//! What of a live program may be replaced while it runs, other than what a name means: the parts of objects that stand
//! for functions, and the variables of modules that a jit function assigns to.

use crate::captured_values::class;
use crate::environment_libraries::LIBRARIES;
use crate::expected_kinds::Expected;
use crate::jit_objects::object_type;
use crate::kernel_environment::PythonEnvironment;
use crate::watched_names::{Holder, Watch, look};
use colocate_frontend::Captured;
use colocate_frontend::program::{NamedClass, ObjectType};
use colocate_ir::DType;
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

    /// Remembers of what kind the program expects an attribute to be that it assigns to, when it begins.
    pub(crate) fn watch_kind(
        &mut self,
        namespace: u32,
        name: &str,
        kind: &ObjectType,
    ) -> PyResult<()> {
        let Some((object, _)) = self.modules.get(namespace as usize) else {
            return Ok(());
        };
        let text = PyString::intern(self.py, name).unbind();
        let holder = Holder::KindOf(object.clone().unbind(), self.expected(kind));
        // What was said last counts.
        self.watches
            .retain(|watch| !(watch.name.is(&text) && watch.holder.is(&holder)));
        let found = look(self.py, &holder, &text)?.map(Bound::unbind);
        self.watches.push(Watch {
            holder,
            name: text,
            found,
            meaning: None,
        });
        Ok(())
    }

    /// See [`Environment::attributes_outside`].
    pub(crate) fn kinds_of_attributes(
        &mut self,
        namespace: u32,
    ) -> PyResult<Vec<(String, String, ObjectType)>> {
        let Some((object, _)) = self.modules.get(namespace as usize) else {
            return Ok(Vec::new());
        };
        let instances = self.py.import("colocate._instances")?;
        let found = instances.call_method1("attributes_outside", (object,))?;
        let found: Vec<(String, String, Bound<'_, PyAny>)> = found.extract()?;
        let mut kinds = Vec::new();
        for (class, name, value) in found {
            let kind = match self.is_own_object(&value)? {
                true => {
                    let of = value.get_type();
                    Some(ObjectType::Instance(Box::new(NamedClass {
                        name: of.name()?.extract()?,
                        handle: self.class_number(of.as_any()),
                        fields: Vec::new(),
                    })))
                }
                false => object_type(&value)?,
            };
            if let Some(kind) = kind.filter(|kind| !matches!(kind, ObjectType::Foreign(_))) {
                kinds.push((class, name, kind));
            }
        }
        Ok(kinds)
    }

    fn expected(&self, kind: &ObjectType) -> Expected {
        let all = |kinds: &[ObjectType]| kinds.iter().map(|kind| self.expected(kind)).collect();
        match kind {
            ObjectType::None => Expected::None,
            ObjectType::Optional(inner) => Expected::Optional(Box::new(self.expected(inner))),
            ObjectType::Text => Expected::Text,
            ObjectType::Scalar { dtype, weak: true } => match dtype {
                DType::Int64 => Expected::Integer,
                DType::Float64 => Expected::Real,
                _ => Expected::Anything,
            },
            ObjectType::List(item) => Expected::List(Box::new(self.expected(item))),
            ObjectType::Set(_) => Expected::Set,
            ObjectType::Dict(..) => Expected::Dict,
            ObjectType::Tuple(items) | ObjectType::Named(_, items) => Expected::Tuple(all(items)),
            ObjectType::Array { dtype, rank } => Expected::Array(*dtype, *rank),
            ObjectType::Instance(class) => match self.classes.get(class.handle as usize) {
                Some(class) => Expected::Instance(class.clone_ref(self.py)),
                None => Expected::Anything,
            },
            _ => Expected::Anything,
        }
    }
}
