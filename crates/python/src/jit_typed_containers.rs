//! Numba's typed lists and dictionaries among the arguments of a jit function.
//!
//! The function is given a list or a dictionary of Python's instead of each. When it ends, what was done to that is
//! done to the typed one (`python/colocate/_typed_containers.py`), and where it returns that, it returns the typed one.

use pyo3::prelude::*;

/// Those of one call.
#[derive(Default)]
pub struct TypedContainers<'py>(Vec<TypedContainer<'py>>);

struct TypedContainer<'py> {
    container: Bound<'py, PyAny>,
    /// The list or dictionary of Python's that stands for it.
    plain: Bound<'py, PyAny>,
    /// The object that gives back what was done to it, and to those inside it; these have none.
    lent: Option<Bound<'py, PyAny>>,
}

impl<'py> TypedContainers<'py> {
    /// What stands for a typed container; nothing if an object is none.
    pub fn stand_in(&mut self, object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if let Some(known) = self.0.iter().find(|one| one.container.is(object)) {
            return Ok(Some(known.plain.clone()));
        }
        let module = object.py().import("colocate._typed_containers")?;
        let lent = module.call_method1("lent", (object,))?;
        if lent.is_none() {
            return Ok(None);
        }
        let inside: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)> =
            lent.call_method0("pairs_inside")?.extract()?;
        let inside = inside.into_iter().map(|(container, plain)| TypedContainer {
            container,
            plain,
            lent: None,
        });
        self.0.extend(inside);
        let plain = lent.getattr("plain")?;
        self.0.push(TypedContainer {
            container: object.clone(),
            plain: plain.clone(),
            lent: Some(lent),
        });
        Ok(Some(plain))
    }

    /// The typed container that an object stands for, or that object.
    pub fn original(&self, object: Bound<'py, PyAny>) -> Bound<'py, PyAny> {
        let known = self.0.iter().find(|one| one.plain.is(&object));
        known.map_or(object, |one| one.container.clone())
    }

    /// Does to typed containers what was done to those that stand for them.
    pub fn give_back(&self) -> PyResult<()> {
        for lent in self.0.iter().filter_map(|one| one.lent.as_ref()) {
            lent.call_method0("give_back")?;
        }
        Ok(())
    }
}
