//! `colocate.kernel`, `colocate.device_func` and the objects that they make (R4.5).

use crate::config;
use crate::current::{current_queue, device_from_object};
use crate::errors::{Class, Unlocked, error};
use crate::event::PyEvent;
use crate::kernel_arguments::{self, Block, Key, Parameter};
use crate::kernel_launch;
use crate::kernel_range::geometry_from_object;
use crate::kernel_source::{NoSource, source_of};
use crate::kernel_specialisation::{Specialisation, Specialisations, launch_key, lock, specialise};
use colocate_array::launch::target_of;
use colocate_compile as compile;
use colocate_frontend::FunctionSource;
use colocate_runtime::Geometry;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{PyClass, PyTraverseError, PyVisit};
use std::sync::{Arc, Mutex};

/// A Python function that runs on devices, once for every item of an index space.
///
/// Made by the decorator :func:`kernel`. It is compiled for the types of the arguments it is
/// launched with, once for each combination and kind of device.
///
/// A launch gives the index space in brackets: ``f[n]`` or ``f[n, m]`` (one to three extents),
/// ``f[(n, m), (16, 16)]`` with a local size, :class:`Range` or :class:`NdRange`. A local size is
/// always a tuple of its own, because Python does not tell ``f[n, m]`` from ``f[(n, m)]``; in one
/// dimension write ``f[n, (64,)]`` or ``f[NdRange(n, 64)]``. Without brackets the shape of the first
/// array is the global size.
///
/// Launched on arrays it runs on their queue, and gives an :class:`Event` without waiting. On NumPy
/// arrays it must be launched inside a :func:`device_context`; then it runs in them where the device
/// reaches host memory, and otherwise on copies, of which the written ones are copied back
/// before the launch returns. Arrays that the kernel overwrites only in part are copied in,
/// too. ``depends=[event, ...]`` orders a launch after others.
///
/// Examples
/// --------
/// >>> import colocate as cl, numpy as np
/// >>> @cl.kernel
/// ... def add(a, b, c):
/// ...     i = cl.get_global_id(0)
/// ...     c[i] = a[i] + b[i]
/// >>> x = cl.asarray(np.arange(4.0), device="native:cpu")
/// >>> y = cl.empty(4, device="native:cpu")
/// >>> add[4](x, x, y).wait()
/// >>> cl.asnumpy(y)
/// array([0., 2., 4., 6.])
/// >>> a, b = np.ones(3), np.zeros(3)
/// >>> with cl.device_context("native:cpu"):
/// ...     event = add(a, a, b)
/// >>> b
/// array([2., 2., 2.])
#[pyclass(frozen, name = "Kernel", module = "colocate", weakref, dict)]
pub struct PyKernel {
    pub function: Py<PyAny>,
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub source: Result<Arc<FunctionSource>, NoSource>,
    pub fast_math: bool,
    pub specialisations: Mutex<Specialisations>,
}

/// A kernel with an index space; call it with the arguments to launch it.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> @cl.kernel
/// ... def fill(a, value):
/// ...     a[cl.get_global_id(0)] = value
/// >>> x = cl.zeros(8, device="native:cpu")
/// >>> four = fill[4]
/// >>> four(x, 1.5).wait()
/// >>> float(x[3]), float(x[4])
/// (1.5, 0.0)
#[pyclass(frozen, name = "KernelLauncher", module = "colocate")]
pub struct PyKernelLauncher {
    kernel: Py<PyKernel>,
    space: Geometry,
}

/// A Python function that kernels call. Called outside of kernels it is the Python function itself.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> @cl.device_func
/// ... def square(x):
/// ...     return x * x
/// >>> @cl.kernel
/// ... def squares(a):
/// ...     i = cl.get_global_id(0)
/// ...     a[i] = square(i)
/// >>> x = cl.zeros(4, dtype="int64", device="native:cpu")
/// >>> squares(x).wait()
/// >>> x.tolist(), square(5)
/// ([0, 1, 4, 9], 25)
#[pyclass(frozen, name = "DeviceFunction", module = "colocate", weakref, dict)]
pub struct PyDeviceFunction {
    pub function: Py<PyAny>,
}

fn check_function(object: &Bound<'_, PyAny>, what: &str) -> PyResult<()> {
    let py = object.py();
    let class = py.import("types")?.getattr("FunctionType")?;
    if object.is_instance(&class)? {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!(
        "{what} takes a Python function, not {}",
        object.repr()?
    )))
}

/// The parameters of a kernel, which takes no starred ones, and leaves the launch its own.
fn kernel_parameters_of(function: &Bound<'_, PyAny>) -> PyResult<Vec<Parameter>> {
    const VARIADIC: u32 = 0x04 | 0x08;
    let flags: u32 = function
        .getattr("__code__")?
        .getattr("co_flags")?
        .extract()?;
    if flags & VARIADIC != 0 {
        let name = function.getattr("__name__")?;
        return Err(PyTypeError::new_err(format!(
            "the kernel {name} has a starred parameter; a kernel names all that it takes"
        )));
    }
    let parameters = parameters_of(function)?;
    if parameters.iter().any(|one| one.name == "depends") {
        return Err(error(
            Class::InvalidArgumentError,
            "a kernel's parameter cannot be called 'depends': that is the launch's own",
        ));
    }
    Ok(parameters)
}

/// The parameters of a function but starred ones, from its code object.
pub fn parameters_of(function: &Bound<'_, PyAny>) -> PyResult<Vec<Parameter>> {
    let code = function.getattr("__code__")?;
    let count = |what: &str| -> PyResult<usize> { code.getattr(what)?.extract() };
    let positional = count("co_argcount")?;
    let positional_only = count("co_posonlyargcount")?;
    let all = positional + count("co_kwonlyargcount")?;
    let names: Vec<String> = code.getattr("co_varnames")?.extract()?;
    let defaults = function.getattr("__defaults__")?;
    let defaults: Vec<Py<PyAny>> = if defaults.is_none() {
        Vec::new()
    } else {
        defaults.extract()?
    };
    let by_name = function.getattr("__kwdefaults__")?;
    let mut parameters = Vec::new();
    for (position, name) in names.into_iter().take(all).enumerate() {
        let keyword_only = position >= positional;
        let py = function.py();
        let default = if keyword_only {
            match by_name.cast::<PyDict>() {
                Ok(by_name) => by_name.get_item(&name)?.map(Bound::unbind),
                Err(_) => None,
            }
        } else {
            (position + defaults.len())
                .checked_sub(positional)
                .map(|from_end| defaults[from_end].clone_ref(py))
        };
        parameters.push(Parameter {
            name,
            default,
            positional_only: position < positional_only,
            keyword_only,
        });
    }
    Ok(parameters)
}

/// Gives an object the name, documentation and so on of the function that it stands for.
fn wrapped<'py, T: PyClass>(
    object: Bound<'py, T>,
    function: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let functools = function.py().import("functools")?;
    functools.call_method1("update_wrapper", (object, function))
}

/// A decorator that keeps its options until it gets its function.
fn with_options<'py>(
    py: Python<'py>,
    name: &str,
    options: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let decorator = py.import("colocate._native")?.getattr(name)?;
    let partial = py.import("functools")?.getattr("partial")?;
    partial.call((decorator,), Some(options))
}

/// Makes a Python function a :class:`Kernel`, which runs on devices.
///
/// Parameters
/// ----------
/// function : a Python function
///     Its parameters are arrays, numbers, ``None`` and tuples of them; it returns nothing.
/// fastmath : bool
///     Let the compiler re-associate and contract floating-point operations, and lose the sign of
///     a zero.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> @cl.kernel(fastmath=True)
/// ... def scale(a, factor):
/// ...     i = cl.get_global_id(0)
/// ...     a[i] = a[i] * factor
/// >>> x = cl.ones(3, device="native:cpu")
/// >>> scale(x, 2.5).wait()
/// >>> x.tolist()
/// [2.5, 2.5, 2.5]
#[pyfunction]
#[pyo3(signature = (function = None, /, *, fastmath = false))]
fn kernel<'py>(
    py: Python<'py>,
    function: Option<Bound<'py, PyAny>>,
    fastmath: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(function) = function else {
        let options = PyDict::new(py);
        options.set_item("fastmath", fastmath)?;
        return with_options(py, "kernel", &options);
    };
    check_function(&function, "kernel")?;
    let made = PyKernel {
        name: function.getattr("__name__")?.extract()?,
        parameters: kernel_parameters_of(&function)?,
        source: source_of(&function)?,
        fast_math: fastmath,
        specialisations: Mutex::default(),
        function: function.clone().unbind(),
    };
    wrapped(Bound::new(py, made)?, &function)
}

/// Makes a Python function one that kernels call, a :class:`DeviceFunction`.
///
/// Kernels may also call plain Python functions whose source is there; the decorator says that a
/// function is meant for it.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> @cl.device_func
/// ... def twice(x):
/// ...     return 2 * x
/// >>> twice(4)
/// 8
#[pyfunction]
#[pyo3(signature = (function = None, /))]
fn device_func<'py>(
    py: Python<'py>,
    function: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let Some(function) = function else {
        return with_options(py, "device_func", &PyDict::new(py));
    };
    check_function(&function, "device_func")?;
    let made = PyDeviceFunction {
        function: function.clone().unbind(),
    };
    wrapped(Bound::new(py, made)?, &function)
}

impl PyKernel {
    fn specialisation(
        &self,
        py: Python<'_>,
        space: Option<Geometry>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Arc<Specialisation>> {
        if args.is_empty() && kwargs.is_none_or(|kwargs| kwargs.is_empty()) {
            return lock(&self.specialisations).last.clone().ok_or_else(|| {
                error(
                    Class::InvalidArgumentError,
                    format!(
                        "{0} was not compiled yet; launch it first, or give arguments: \
                         {0}.inspect(a, b, ...)",
                        self.name
                    ),
                )
            });
        }
        let objects = kernel_arguments::bind(&self.name, &self.parameters, args, kwargs)?;
        let leaves = kernel_arguments::leaves(&objects, &self.parameters)?;
        let space = match space {
            Some(space) => space,
            None => kernel_launch::space_of(self, &leaves)?,
        };
        let mut key = Key::new();
        key.push(launch_key(
            space.rank,
            space.local.is_some(),
            config::debug(),
        ));
        kernel_arguments::encode(&leaves, &mut key, &mut Block::new());
        specialise(py, self, key)
    }

    fn stage_text(
        &self,
        py: Python<'_>,
        specialisation: &Specialisation,
        device: Option<&Bound<'_, PyAny>>,
        stage: &str,
    ) -> PyResult<String> {
        if stage == "hir" {
            return Ok(specialisation.compiled.listing.clone());
        }
        let any_spirv = compile::Target::SpirV {
            float64: true,
            int64_atomics: true,
        };
        let target = match (device, stage) {
            (Some(device), _) => target_of(&device_from_object(device)?),
            (None, "llvm" | "asm") => compile::Target::Host,
            (None, "spirv") => any_spirv,
            (None, "cuda") => compile::Target::Cuda {
                arch: "sm_80".into(),
            },
            (None, _) => target_of(current_queue(py)?.device()),
        };
        // Generated CUDA C is the same for every device, whether there is one or not.
        let target = match stage {
            "cuda" => compile::Target::Cuda {
                arch: "sm_80".into(),
            },
            _ => target,
        };
        let kernel = &specialisation.compiled.kernel;
        let options = specialisation.options();
        py.unlocked(|| compile::stage_text(kernel, &target, &options, stage))
    }

    fn inspected(
        &self,
        py: Python<'_>,
        space: Option<Geometry>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let own = PyDict::new(py);
        let (mut device, mut stage) = (None, "ir".to_owned());
        for (name, value) in kwargs.into_iter().flatten() {
            let taken: String = name.extract()?;
            match taken.as_str() {
                "device" => device = Some(value).filter(|value| !value.is_none()),
                "stage" => stage = value.extract()?,
                _ => own.set_item(name, value)?,
            }
        }
        const STAGES: [&str; 7] = ["hir", "ir", "core", "llvm", "asm", "spirv", "cuda"];
        if !STAGES.contains(&stage.as_str()) {
            return Err(error(
                Class::InvalidArgumentError,
                format!("stage={stage:?}: there are {}", STAGES.join(", ")),
            ));
        }
        let specialisation = self.specialisation(py, space, args, Some(&own))?;
        self.stage_text(py, &specialisation, device.as_ref(), &stage)
    }
}

#[pymethods]
impl PyKernel {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyEvent> {
        kernel_launch::launch(py, self, None, args, kwargs)
    }

    fn __getitem__(
        slf: &Bound<'_, Self>,
        launch_size: &Bound<'_, PyAny>,
    ) -> PyResult<PyKernelLauncher> {
        Ok(PyKernelLauncher {
            space: geometry_from_object(launch_size)?,
            kernel: slf.clone().unbind(),
        })
    }

    /// The kernel as the compiler sees it, as text.
    ///
    /// With arguments, for their types, over the first array's shape (``f[n].inspect(...)`` for
    /// another index space); without, for those that it was last launched with. ``stage`` is
    ///
    /// * ``"hir"``: the source with the types that were inferred,
    /// * ``"ir"``: the kernel IR, ``"core"``: the same as code generators take it,
    /// * ``"llvm"``, ``"asm"``: for native devices,
    /// * ``"spirv"``: for SYCL devices, ``"cuda"``: CUDA C.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> @cl.kernel
    /// ... def double(a):
    /// ...     i = cl.get_global_id(0)
    /// ...     a[i] = 2 * a[i]
    /// >>> x = cl.ones(4, dtype="float32", device="native:cpu")
    /// >>> "float32" in double.inspect(x, stage="hir")
    /// True
    #[pyo3(signature = (*args, **kwargs), text_signature = "($self, *args, device=None, stage='ir', **kwargs)")]
    fn inspect(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        self.inspected(py, None, args, kwargs)
    }

    fn __repr__(&self) -> String {
        let names: Vec<_> = self
            .parameters
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        format!("<colocate.Kernel {}({})>", self.name, names.join(", "))
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let html = slf.py().import("colocate._html")?;
        html.call_method1("kernel", (slf,))?.extract()
    }

    /// The argument types it was compiled for, as text.
    #[getter]
    fn signatures(&self) -> Vec<String> {
        let known = lock(&self.specialisations);
        let mut shown: Vec<String> = known
            .all
            .values()
            .map(|one| {
                let params = one.compiled.kernel.params.iter().map(|param| {
                    let dtype = param.kind.dtype();
                    match param.kind {
                        colocate_frontend::ir::ParamKind::Array { rank, .. } => {
                            format!("{}: {dtype}[{rank}d]", param.name)
                        }
                        _ => format!("{}: {dtype}", param.name),
                    }
                });
                params.collect::<Vec<_>>().join(", ")
            })
            .collect();
        shown.sort();
        shown.dedup();
        shown
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)?;
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
                }
            }
        }
        Ok(())
    }
}

#[pymethods]
impl PyKernelLauncher {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<PyEvent> {
        kernel_launch::launch(py, self.kernel.get(), Some(self.space), args, kwargs)
    }

    /// :meth:`Kernel.inspect` for this index space.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> @cl.kernel
    /// ... def count(a):
    /// ...     cl.atomic.add(a, 0, 1)
    /// >>> x = cl.zeros(1, dtype="int32", device="native:cpu")
    /// >>> "atomic" in count[100].inspect(x, stage="ir")
    /// True
    #[pyo3(signature = (*args, **kwargs), text_signature = "($self, *args, device=None, stage='ir', **kwargs)")]
    fn inspect(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        self.kernel
            .get()
            .inspected(py, Some(self.space), args, kwargs)
    }

    /// The kernel.
    #[getter]
    fn kernel(&self, py: Python<'_>) -> Py<PyKernel> {
        self.kernel.clone_ref(py)
    }

    /// The extents of the index space.
    #[getter]
    fn global_size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.space.global[..self.space.rank])
    }

    /// The extents of a group, or ``None``.
    #[getter]
    fn local_size<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let local = self.space.local.as_ref();
        local
            .map(|local| PyTuple::new(py, &local[..self.space.rank]))
            .transpose()
    }

    fn __repr__(&self) -> String {
        let shown = |extents: &[usize; 3]| {
            let words: Vec<_> = extents[..self.space.rank]
                .iter()
                .map(usize::to_string)
                .collect();
            words.join(", ")
        };
        let global = shown(&self.space.global);
        let name = &self.kernel.get().name;
        match &self.space.local {
            None => format!("<colocate.KernelLauncher {name}[{global}]>"),
            Some(local) => format!(
                "<colocate.KernelLauncher {name}[({global}), ({})]>",
                shown(local)
            ),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.kernel)
    }
}

#[pymethods]
impl PyDeviceFunction {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.function.bind(py).call(args, kwargs)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = self.function.bind(py).getattr("__name__")?;
        Ok(format!("<colocate.DeviceFunction {name}>"))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.function)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyKernel>()?;
    module.add_class::<PyKernelLauncher>()?;
    module.add_class::<PyDeviceFunction>()?;
    // When the first object with a `__dict__` is made, pyo3 asks for Python's version, and lets go of the lock between
    // its allocation and its contents: a collection of garbage in another thread met an object without contents, and
    // crashed. Here nobody else has a class of ours yet.
    let first = PyDeviceFunction {
        function: module.py().None(),
    };
    drop(Bound::new(module.py(), first)?);
    module.add_class::<crate::kernel_range::PyRange>()?;
    module.add_class::<crate::kernel_range::PyNdRange>()?;
    module.add_function(wrap_pyfunction!(kernel, module)?)?;
    module.add_function(wrap_pyfunction!(device_func, module)?)
}
