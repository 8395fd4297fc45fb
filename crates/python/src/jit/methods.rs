//! What Python sees of a jit function: its calls, explanations and texts.

use super::*;
use crate::errors::{Class, Unlocked, error};
use crate::jit_binding;
use crate::jit_explain;
use crate::jit_found_dtypes::FoundDtypes;
use crate::jit_keys::shown;
use crate::jit_shared_lists::is_given_twice;
use crate::kernel::parameters_of;
use crate::kernel_source::source_with_lambdas;
use crate::kernel_specialisation::lock;
use colocate_compile as compile;
use colocate_frontend::host::handed_on;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock};

#[pymethods]
impl PyJitFunction {
    #[new]
    #[pyo3(signature = (function, *, fastmath = false, parallel = None, boundscheck = None, error_model = "python"))]
    fn new(
        function: &Bound<'_, PyAny>,
        fastmath: bool,
        parallel: Option<bool>,
        boundscheck: Option<bool>,
        error_model: &str,
    ) -> PyResult<PyJitFunction> {
        const STARRED: u32 = 0x04;
        const DOUBLE_STARRED: u32 = 0x08;
        const YIELDS: u32 = 0x20;
        let name: String = function.getattr("__name__")?.extract()?;
        let flags: u32 = function
            .getattr("__code__")?
            .getattr("co_flags")?
            .extract()?;
        Ok(PyJitFunction {
            parameters: parameters_of(function)?,
            defaults: function.getattr("__defaults__")?.unbind(),
            stars: jit_binding::Stars {
                one: flags & STARRED != 0,
                two: flags & DOUBLE_STARRED != 0,
            },
            yields: flags & YIELDS != 0,
            source: source_with_lambdas(function)?,
            function: function.clone().unbind(),
            fast_math: fastmath,
            parallel,
            boundscheck,
            python_errors: error_model == "python",
            specialisations: Mutex::default(),
            truths: AS_THEY_COME.into(),
            as_objects: 0.into(),
            handed_on: OnceLock::new(),
            knows_texts: false.into(),
            empty_as_written: false.into(),
            knows_ones: false.into(),
            exact_functions: false.into(),
            all_attributes: false.into(),
            objects_one_by_one: false.into(),
            lists_of_anything: false.into(),
            mixed_numbers: AS_FLOATS.into(),
            found_dtypes: FoundDtypes::default(),
            last_found: 0.into(),
            name,
        })
    }

    /// Never takes bools for constants, nor the strings and tuples among the arguments that these bits name; long
    /// containers that the function hands on as they are have the types that are written here.
    fn _take_as_they_come(&self, objects: u64, handed_on: &str) {
        self.truths.store(ONLY_AS_THEY_COME, Ordering::Relaxed);
        self.as_objects.store(objects, Ordering::Relaxed);
        let _ = self
            .handed_on
            .set(handed_on::read(handed_on).unwrap_or_default());
    }

    #[pyo3(signature = (function, **_options))]
    fn __init__(
        slf: &Bound<'_, Self>,
        function: &Bound<'_, PyAny>,
        _options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let functools = slf.py().import("functools")?;
        functools.call_method1("update_wrapper", (slf, function))?;
        Ok(())
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let own = slf.get();
        if !own.yields {
            return own.run_to_end(py, args, kwargs);
        }
        // What is wrong with it is said now, not when the first item is wanted.
        let objects = own.bind(args, kwargs)?;
        own.prepare(py, &objects, None)?;
        let partial = py.import("functools")?.getattr("partial")?;
        let mut given = vec![slf.getattr("_run_to_end")?];
        given.extend(args.iter());
        let run = partial.call(PyTuple::new(py, given)?, kwargs)?;
        let module = py.import("colocate._jit_generators")?;
        module.call_method1("JitGenerator", (&own.name, run))
    }

    #[pyo3(name = "_run_to_end", signature = (*args, **kwargs))]
    fn run_to_end<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let objects = self.bind(args, kwargs)?;
        let mut prepared = self.prepare(py, &objects, None)?;
        let value = match is_given_twice(py, &prepared.specialisation, &prepared.given)? {
            true => {
                prepared = self.with_lists_of_python(py, &objects)?;
                self.run(py, &prepared, None, None)
            }
            false => self.run_until_found(py, &objects, &mut prepared),
        };
        let made = value.and_then(|value| self.value_of(py, &prepared, value));
        prepared.given.typed.give_back()?;
        made
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match instance.filter(|instance| !instance.is_none()) {
            Some(instance) => {
                let types = slf.py().import("types")?;
                types.getattr("MethodType")?.call1((slf, instance))
            }
            None => Ok(slf.clone().into_any()),
        }
    }

    /// The defaults of the parameters, those of the Python function.
    #[getter(__defaults__)]
    fn defaults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.function.bind(py).getattr("__defaults__")
    }

    #[setter(__defaults__)]
    fn set_defaults(&self, py: Python<'_>, defaults: &Bound<'_, PyAny>) -> PyResult<()> {
        self.function.bind(py).setattr("__defaults__", defaults)
    }

    /// Those of the parameters that are given by name only.
    #[getter(__kwdefaults__)]
    fn keyword_defaults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.function.bind(py).getattr("__kwdefaults__")
    }

    #[setter(__kwdefaults__)]
    fn set_keyword_defaults(&self, py: Python<'_>, defaults: &Bound<'_, PyAny>) -> PyResult<()> {
        self.function.bind(py).setattr("__kwdefaults__", defaults)
    }

    /// The Python function.
    #[getter]
    fn py_func(&self, py: Python<'_>) -> Py<PyAny> {
        self.function.clone_ref(py)
    }

    /// What the function consists of, where it runs, and what moves, as text.
    ///
    /// Runs the function once, on copies of the arrays, and prints nothing meanwhile. ``device`` stands for a
    /// device context.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl, numpy as np
    /// >>> @cl.jit
    /// ... def double(x):
    /// ...     return 2 * x
    /// >>> "1 region" in double.explain(np.ones(5))
    /// True
    #[pyo3(signature = (*args, **kwargs), text_signature = "($self, *args, device=None, **kwargs)")]
    fn explain(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        Ok(jit_explain::text(&self.explained(py, args, kwargs)?))
    }

    /// What :meth:`explain` tells, as a dictionary.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl, numpy as np
    /// >>> @cl.jit
    /// ... def double(x):
    /// ...     return 2 * x
    /// >>> double.explain_dict(np.ones(5))["bytes_to_device"]
    /// 0
    #[pyo3(signature = (*args, **kwargs), text_signature = "($self, *args, device=None, **kwargs)")]
    fn explain_dict<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        jit_explain::dict(py, &self.explained(py, args, kwargs)?)
    }

    /// The function as the compiler sees it, as text.
    ///
    /// With arguments, for their types; without, for those that it was last called with. ``stage`` is
    ///
    /// * ``"hir"``: the source with the types that were inferred,
    /// * ``"host ir"``: the IR of the host part, ``"region ir"``: that of the regions,
    /// * ``"llvm"``: the code of the host part, and of the regions for native devices.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl, numpy as np
    /// >>> @cl.jit
    /// ... def double(x):
    /// ...     return 2 * x
    /// >>> "float32" in double.inspect(np.ones(5, "float32"), stage="hir")
    /// True
    #[pyo3(signature = (*args, **kwargs), text_signature = "($self, *args, device=None, stage='hir', **kwargs)")]
    fn inspect<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<String> {
        let own = PyDict::new(py);
        let (mut device, mut stage) = (None, "hir".to_owned());
        for (name, value) in kwargs.into_iter().flatten() {
            match name.extract::<String>()?.as_str() {
                "device" => device = Some(value).filter(|value| !value.is_none()),
                "stage" => stage = value.extract()?,
                _ => own.set_item(name, value)?,
            }
        }
        let specialisation = self.specialisation(py, args, &own, device.as_ref())?;
        let program = specialisation.executable.program();
        let (host, regions) = (&program.host, &program.regions);
        let llvm = |kernel, lanes| {
            let options = compile::Options {
                lanes,
                ..compile::Options::default()
            };
            py.unlocked(|| compile::stage_text(kernel, &compile::Target::Host, &options, "llvm"))
        };
        let join = |texts: Vec<String>| texts.join("\n\n");
        Ok(match stage.as_str() {
            "hir" => program.listing.clone(),
            "host ir" => host.to_string(),
            "region ir" => join(
                regions
                    .iter()
                    .map(|one| one.usual_kernel().to_string())
                    .collect(),
            ),
            "llvm" => {
                let mut texts = vec![llvm(host, None)?];
                for region in regions {
                    texts.push(llvm(region.usual_kernel(), region.lanes)?);
                }
                join(texts)
            }
            _ => {
                return Err(error(
                    Class::InvalidArgumentError,
                    format!("stage={stage:?}: there are hir, host ir, region ir, llvm"),
                ));
            }
        })
    }

    /// The argument types it was compiled for, as text.
    #[getter]
    fn signatures(&self) -> Vec<String> {
        let known = lock(&self.specialisations);
        let mut all: Vec<String> = known
            .all
            .values()
            .map(|one| {
                let types: Vec<_> = one.types.iter().map(shown).collect();
                types.join(", ")
            })
            .collect();
        all.sort();
        all.dedup();
        all
    }

    fn __repr__(&self) -> String {
        let names: Vec<_> = self
            .parameters
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        format!("<colocate.JitFunction {}({})>", self.name, names.join(", "))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<String> {
        // Like a function, it is found by its name.
        self.function.bind(py).getattr("__qualname__")?.extract()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
        visit.call(&self.defaults)?;
        for parameter in &self.parameters {
            visit.call(&parameter.default)?;
        }
        if let Ok(known) = self.specialisations.try_lock() {
            for specialisation in known.all.values() {
                // One that somebody else holds, too, is not ours alone to count.
                if Arc::strong_count(specialisation) <= 2 {
                    for watch in &specialisation.watches {
                        watch.traverse(&visit)?;
                    }
                    for object in specialisation
                        .classes
                        .iter()
                        .chain(&specialisation.constants)
                    {
                        visit.call(object)?;
                    }
                }
            }
        }
        Ok(())
    }
}
