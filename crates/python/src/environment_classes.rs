//! What classes and what is made of them are to a program: named tuples, records, objects with attributes, exceptions.
//!
//! A class that a program names is known to it by a number.

use crate::captured_values::{class, unsupported};
use crate::jit_examples::{example, samples};
use crate::jit_objects::object_type;
use crate::kernel_environment::PythonEnvironment;
use crate::watched_names::Holder;
use colocate_frontend::Captured;
use colocate_frontend::program::{Exception, LibraryType, ObjectType};
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

/// Methods that classes of named tuples do not change: what sorts, looks up and goes over tuples does not ask them.
const OF_TUPLES: [&str; 13] = [
    "__bool__",
    "__contains__",
    "__eq__",
    "__ge__",
    "__getattr__",
    "__getitem__",
    "__gt__",
    "__hash__",
    "__iter__",
    "__le__",
    "__len__",
    "__lt__",
    "__ne__",
];

impl<'py> PythonEnvironment<'py> {
    /// A class of named tuples, or one of them.
    pub(crate) fn named_tuple(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<Captured>> {
        if let Ok(items) = object.cast::<PyTuple>() {
            let class = object.get_type();
            let class = match self.named_class(&class)? {
                Some(class @ Captured::NamedTuple { .. }) => class,
                other => return Ok(other),
            };
            let items = items.iter().map(|item| self.capture(&item));
            let items = items.collect::<PyResult<_>>()?;
            return Ok(Some(Captured::NamedItems(Box::new(class), items)));
        }
        match object.cast::<PyType>() {
            Ok(class) => self.named_class(class),
            Err(_) => match self.record_type(object)? {
                Some(records) => Ok(Some(records)),
                None => self.instance_type(object),
            },
        }
    }

    /// A field of records whose dtype jit functions do not have.
    pub(crate) fn unknown_field(&self, object: &Bound<'py, PyAny>) -> PyResult<Option<Captured>> {
        if !object.is_instance(class!(self.py, "colocate._records", "UnknownField"))? {
            return Ok(None);
        }
        let dtype = object.getattr("dtype")?;
        Ok(Some(unsupported(&format!("a field of the dtype {dtype}"))))
    }

    /// An array of records, or one of them: a named tuple of its fields.
    pub(crate) fn outside_records(
        &mut self,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Captured>> {
        let is_array = object.is_instance_of::<PyUntypedArray>();
        if !is_array && !object.is_instance(class!(self.py, "numpy", "void"))?
            || object.getattr("dtype")?.getattr("names")?.is_none()
        {
            return Ok(None);
        }
        if let Some((_, known)) = self.records.iter().find(|(one, _)| one.is(object)) {
            return Ok(Some(known.clone()));
        }
        let module = self.py.import("colocate._records")?;
        let apart = module.call_method1("taken_apart", (object,))?;
        let (class, fields): (Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>) = apart.extract()?;
        let Some(class) = self.record_type(&class)? else {
            return Ok(None);
        };
        let fields = fields.iter().map(|field| self.capture(field));
        let fields = fields.collect::<PyResult<_>>()?;
        let records = Captured::NamedItems(Box::new(class), fields);
        self.records.push((object.clone(), records.clone()));
        Ok(Some(records))
    }

    /// An object of a class of the program's own, whose attributes can be asked for.
    pub(crate) fn is_plain(&self, object: &Bound<'py, PyAny>) -> PyResult<bool> {
        let module = self.py.import("colocate._instances")?;
        module.call_method1("is_plain", (object,))?.extract()
    }

    /// Such an object that belongs to no library, and is no member of an enumeration.
    pub(crate) fn is_own_object(&self, object: &Bound<'py, PyAny>) -> PyResult<bool> {
        let module = self.py.import("colocate._instances")?;
        module.call_method1("is_own_object", (object,))?.extract()
    }

    /// The attributes that objects of a class have.
    fn instance_type(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<Captured>> {
        if !object.is_instance(class!(self.py, "colocate._instances", "Instances"))? {
            return Ok(None);
        }
        Ok(Some(Captured::NamedTuple {
            handle: self.class_number(object),
            name: object.getattr("of")?.getattr("__name__")?.extract()?,
            fields: object.getattr("names")?.extract()?,
            own_axes: None,
            is_instance: true,
        }))
    }

    pub(crate) fn unknown_attribute(
        &self,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Captured>> {
        if !object.is_instance(class!(self.py, "colocate._instances", "UnknownAttribute"))? {
            return Ok(None);
        }
        let of = object.getattr("of")?.getattr("__qualname__")?;
        Ok(Some(unsupported(&format!(
            "an attribute of the class {of}"
        ))))
    }

    /// A type of records.
    fn record_type(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<Captured>> {
        if !object.is_instance(class!(self.py, "colocate._records", "Records"))? {
            return Ok(None);
        }
        Ok(Some(Captured::NamedTuple {
            handle: self.class_number(object),
            name: "record".into(),
            fields: object.getattr("names")?.extract()?,
            own_axes: Some(object.getattr("own_axes")?.extract()?),
            is_instance: false,
        }))
    }

    /// A result whose class is one of those that the program names.
    pub(crate) fn with_class(&mut self, result: LibraryType) -> PyResult<LibraryType> {
        let LibraryType::Named(class, items) = result else {
            return Ok(result);
        };
        let Captured::NamedTuple { name, .. } = &*class else {
            return Ok(LibraryType::Tuple(items));
        };
        let path = name.rsplit_once('.');
        let found = path.map(|(module, name)| self.py.import(module)?.getattr(name));
        let class = match found.transpose()? {
            Some(class) => self.named_class(class.cast::<PyType>()?)?,
            None => None,
        };
        Ok(match class {
            Some(class) => LibraryType::Named(Box::new(class), items),
            None => LibraryType::Tuple(items),
        })
    }

    fn named_class(&mut self, class: &Bound<'py, PyType>) -> PyResult<Option<Captured>> {
        if !class.is_subclass_of::<PyTuple>()? {
            return Ok(None);
        }
        let Some(fields) = class.getattr_opt("_fields")? else {
            return Ok(None);
        };
        let Ok(fields) = fields.extract::<Vec<String>>() else {
            return Ok(None);
        };
        for name in OF_TUPLES {
            let (own, of_tuples) = (
                class.getattr_opt(name)?,
                self.py.get_type::<PyTuple>().getattr_opt(name)?,
            );
            let is_own = match (&own, &of_tuples) {
                (Some(own), Some(of_tuples)) => !own.is(of_tuples),
                (own, of_tuples) => own.is_some() != of_tuples.is_some(),
            };
            if is_own {
                let text = format!("a class of named tuples with a method `{name}` of its own");
                return Ok(Some(unsupported(&text)));
            }
        }
        Ok(Some(Captured::NamedTuple {
            handle: self.class_number(class.as_any()),
            name: class.name()?.to_string(),
            fields,
            own_axes: None,
            is_instance: false,
        }))
    }

    /// The number of a class that the program names.
    pub(crate) fn class_number(&mut self, class: &Bound<'py, PyAny>) -> u32 {
        let known = self.classes.iter().position(|one| one.is(class));
        let number = known.unwrap_or_else(|| {
            self.classes.push(class.clone().unbind());
            self.classes.len() - 1
        });
        number as u32
    }

    /// A class of exceptions.
    pub(crate) fn exception(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<Captured>> {
        let Ok(class) = object.cast::<PyType>() else {
            return Ok(None);
        };
        if !self.has_library || !class.is_subclass_of::<pyo3::exceptions::PyBaseException>()? {
            return Ok(None);
        }
        let name = class.name()?.to_string();
        let builtins = self.py.import("builtins")?;
        if builtins
            .getattr_opt(name.as_str())?
            .is_some_and(|found| found.is(object))
        {
            return Ok(Some(Captured::Exception { handle: None, name }));
        }
        let handle = Some(self.class_number(object));
        Ok(Some(Captured::Exception { handle, name }))
    }

    /// Whether a class of exceptions has an `__init__` or `__new__` that the program wrote.
    pub(crate) fn is_made_by_class(&self, class: u32) -> PyResult<bool> {
        let Some(of) = self.classes.get(class as usize) else {
            return Ok(false);
        };
        let module = self.py.import("colocate._own_exceptions")?;
        module.call_method1("is_made_by_class", (of,))?.extract()
    }

    /// What an attribute of an exception is that a class made of values of these types.
    pub(crate) fn attribute_by_example(
        &self,
        class: &Exception,
        arguments: &[LibraryType],
        name: &str,
    ) -> PyResult<Option<ObjectType>> {
        let of = match class {
            Exception::Builtin(name) => Some(self.py.import("builtins")?.getattr(name)?),
            Exception::Handle(number) => {
                let known = self.classes.get(*number as usize);
                known.map(|known| known.bind(self.py).clone())
            }
            Exception::Own => None,
        };
        let Some(of) = of else {
            return Ok(None);
        };
        let Some(sample) = samples(arguments, &[]).into_iter().next() else {
            return Ok(None);
        };
        let mut number = 0;
        let given = arguments
            .iter()
            .map(|kind| example(self.py, kind, &sample, &mut number));
        let given = PyTuple::new(self.py, given.collect::<PyResult<Vec<_>>>()?)?;
        let module = self.py.import("colocate._own_exceptions")?;
        let found = module.call_method1("attribute_by_example", (of, given, name))?;
        match found.cast::<PyTuple>() {
            Ok(found) => object_type(&found.get_item(0)?),
            Err(_) => Ok(None),
        }
    }

    /// The function that a method with a special name is, of the class of an object from outside.
    pub(crate) fn method_of_object(
        &mut self,
        namespace: u32,
        name: &str,
    ) -> PyResult<Option<Captured>> {
        let Some((object, _)) = self.modules.get(namespace as usize) else {
            return Ok(None);
        };
        // Other names may mean something in the object itself.
        if !name.starts_with("__") {
            return Ok(None);
        }
        let object = object.clone();
        if object.is_instance_of::<PyType>() || !self.is_own_object(&object)? {
            return Ok(None);
        }
        let of = object.get_type().into_any();
        let Some(found) = of.getattr_opt(name)? else {
            return Ok(None);
        };
        if !found.is_instance(class!(self.py, "types", "FunctionType"))? {
            return Ok(None);
        }
        self.find(Holder::Object(of.unbind()), name, true)
    }
}
