//! `colocate.Device`.

use crate::context::PyContext;
use crate::current::{self, registry};
use crate::errors::{Class, Unlocked, error};
use crate::queue::PyQueue;
use colocate_array::costs;
use colocate_hal::{for_each_aspect, for_each_device_info};
use colocate_runtime::{AffinityDomain, Aspect, Device, DeviceInfo, Partition};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyList, PyString, PyTuple};

/// Something that runs kernels: a CPU, a GPU, or a part of one.
///
/// Made from a selector string ``backend:type:index``, each part optional, alternatives after
/// commas; :func:`devices` lists all root devices. Devices compare equal when they are the same,
/// can be dictionary keys, and pickle by their selector.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> d = cl.Device("native:cpu:0")
/// >>> d.backend, d.device_type, d.max_compute_units > 0
/// ('native', 'cpu', True)
/// >>> d == cl.Device("NATIVE:cpu")
/// True
#[pyclass(frozen, name = "Device", module = "colocate")]
pub struct PyDevice {
    pub inner: Device,
}

impl From<Device> for PyDevice {
    fn from(inner: Device) -> PyDevice {
        PyDevice { inner }
    }
}

/// Our object, or the one that dpctl's view of it stands for (`colocate/_sycl.py`).
pub fn behind<'py, T: pyo3::PyTypeInfo>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, T>> {
    if let Ok(own) = object.cast::<T>() {
        return Some(own.clone());
    }
    object.getattr("_colocate").ok()?.cast_into::<T>().ok()
}

/// What Python hashes an object by: for SYCL's, the number dpctl hashes it by, so that our objects
/// and dpctl's views of them are the same key.
pub fn hash_of(identity: u64) -> u64 {
    identity & !(1 << 63)
}

fn partition_from_object(object: &Bound<'_, PyAny>) -> PyResult<Partition> {
    let domains = || AffinityDomain::ALL.map(AffinityDomain::name).join(", ");
    let refuse = |why: String| Err(error(Class::InvalidArgumentError, why));
    if let Ok(name) = object.cast::<PyString>() {
        let name = name.to_cow()?;
        let found = AffinityDomain::ALL
            .into_iter()
            .find(|domain| domain.name().eq_ignore_ascii_case(&name));
        return match found {
            Some(domain) => Ok(Partition::ByAffinity(domain)),
            None => refuse(format!("partition={name:?}: write one of {}", domains())),
        };
    }
    if let Ok(count) = object.extract::<usize>() {
        return Ok(Partition::Equally(count));
    }
    if let Ok(counts) = object.extract::<Vec<usize>>() {
        return Ok(Partition::ByCounts(counts));
    }
    refuse(format!(
        "partition={}: write a number of compute units, a list of numbers, or one of {}",
        object.repr()?,
        domains()
    ))
}

fn partition_to_object<'py>(py: Python<'py>, partition: &Partition) -> PyResult<Bound<'py, PyAny>> {
    Ok(match partition {
        Partition::Equally(count) => count.into_pyobject(py)?.into_any(),
        Partition::ByCounts(counts) => counts.into_pyobject(py)?.into_any(),
        Partition::ByAffinity(domain) => domain.name().into_pyobject(py)?.into_any(),
    })
}

#[pymethods]
impl PyDevice {
    #[new]
    #[pyo3(signature = (selector = None))]
    fn new(py: Python<'_>, selector: Option<&Bound<'_, PyAny>>) -> PyResult<PyDevice> {
        let device = match selector {
            Some(object) if !object.is_none() => current::device_from_object(object)?,
            _ => py.unlocked(|| registry().default_device())?,
        };
        Ok(device.into())
    }

    /// The backend it is reached through: ``"native"``, ``"opencl"``, ``"level_zero"``, ``"cuda"``.
    #[getter]
    fn backend(&self) -> &'static str {
        self.inner.backend()
    }

    /// ``"cpu"``, ``"gpu"`` or ``"accelerator"``.
    #[getter]
    fn device_type(&self) -> &'static str {
        self.inner.device_type().name()
    }

    /// The selector that gives this device in any process; ``None`` for a sub-device.
    #[getter]
    fn selector(&self) -> Option<String> {
        self.inner.selector()
    }

    /// Alias of :attr:`selector`, for packages that know dpctl.
    #[getter]
    fn filter_string(&self) -> Option<String> {
        self.inner.selector()
    }

    /// Its number among the root devices of its backend and type; ``None`` for a sub-device.
    #[getter]
    fn relative_id(&self) -> Option<usize> {
        self.inner.relative_id()
    }

    /// The device this is a part of, or ``None``.
    #[getter]
    fn parent_device(&self) -> Option<PyDevice> {
        self.inner.parent().cloned().map(PyDevice::from)
    }

    /// The names of everything it can do.
    #[getter]
    fn aspects<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        PyFrozenSet::new(
            py,
            self.inner.info().aspects.iter().map(|aspect| aspect.name()),
        )
    }

    /// The context that everybody in the process shares for this device (R1.2).
    #[getter]
    fn default_context(&self, py: Python<'_>) -> PyResult<PyContext> {
        Ok(py.unlocked(|| self.inner.default_context())?.into())
    }

    /// The queue that work for this device goes to by default; always the same one (R1.3).
    #[getter]
    fn default_queue(&self, py: Python<'_>) -> PyResult<PyQueue> {
        Ok(py.unlocked(|| self.inner.default_queue())?.into())
    }

    /// Splits the device (R1.6).
    ///
    /// Parameters
    /// ----------
    /// partition : int, list of int or str
    ///     Compute units in each part; or one count a part; or what to split along: ``"numa"``,
    ///     ``"L4_cache"``, ``"L3_cache"``, ``"L2_cache"``, ``"L1_cache"``,
    ///     ``"next_partitionable"``.
    ///
    /// Returns
    /// -------
    /// list of Device
    ///     On native devices, real subsets of the cores: work runs on no others.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> parts = cl.Device("native:cpu").create_sub_devices(partition=1)
    /// >>> [part.max_compute_units for part in parts][:1]
    /// [1]
    fn create_sub_devices(
        &self,
        py: Python<'_>,
        partition: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<PyDevice>> {
        let partition = partition_from_object(partition)?;
        let parts = py.unlocked(|| self.inner.create_sub_devices(&partition))?;
        Ok(parts.into_iter().map(PyDevice::from).collect())
    }

    /// All facts about the device, as a dictionary.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.Device("native:cpu").info()["max_work_item_dims"]
    /// 3
    fn info<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(slf.py());
        for entry in DeviceInfo::TABLE {
            facts.set_item(entry.name, slf.getattr(entry.name)?)?;
        }
        Ok(facts)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        behind::<PyDevice>(other).is_some_and(|other| other.get().inner == self.inner)
    }

    /// What it costs to use the device, measured when first asked for and then remembered.
    ///
    /// Keys: ``launch`` (seconds to run a kernel of one item and wait for it), ``to_device_latency``
    /// and ``to_host_latency`` (seconds to copy a few bytes), ``to_device_rate`` and ``to_host_rate``
    /// (bytes a second), ``stream_rate`` (bytes that kernels read and write a second),
    /// ``operation_rate`` (float32 operations of kernels a second).
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> costs = cl.Device("native:cpu").costs()
    /// >>> costs["launch"] < 0.1
    /// True
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let queue = py.unlocked(|| self.inner.default_queue())?;
        let costs = py.unlocked(|| costs::of(&queue))?;
        let report = PyDict::new(py);
        for (key, value) in [
            ("launch", costs.launch_ns * 1e-9),
            ("to_device_latency", costs.to_device.latency_ns * 1e-9),
            ("to_device_rate", costs.to_device.bytes_per_second),
            ("to_host_latency", costs.to_host.latency_ns * 1e-9),
            ("to_host_rate", costs.to_host.bytes_per_second),
            ("stream_rate", costs.stream_bytes_per_second),
            ("operation_rate", costs.operations_per_second),
        ] {
            report.set_item(key, value)?;
        }
        Ok(report)
    }

    fn __hash__(&self) -> u64 {
        hash_of(self.inner.identity())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let module = py.import("colocate._native")?;
        if let Some(selector) = self.inner.selector() {
            return Ok((module.getattr("Device")?, (selector,).into_pyobject(py)?));
        }
        let Some((parent, partition, index)) = self.inner.part_of() else {
            return Err(error(
                Class::InvalidArgumentError,
                "this device belongs to another package's object and has no selector, so it cannot be pickled",
            ));
        };
        let parent = Bound::new(py, PyDevice::from(parent.clone()))?;
        let arguments = (parent, partition_to_object(py, partition)?, index).into_pyobject(py)?;
        Ok((module.getattr("_sub_device")?, arguments))
    }

    fn __str__(&self) -> String {
        self.inner.label()
    }

    fn __repr__(&self) -> String {
        format!(
            "<colocate.Device {} ({})>",
            self.inner.label(),
            self.inner.info().name
        )
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let html = slf.py().import("colocate._html")?;
        html.call_method1("device", (slf,))?.extract()
    }
}

macro_rules! info_properties {
    ($($name:ident: $type:ty, $doc:literal;)*) => {
        #[pymethods]
        impl PyDevice {
            $(
                #[doc = $doc]
                #[getter]
                fn $name(&self) -> $type {
                    self.inner.info().$name.clone()
                }
            )*
        }
    };
}
for_each_device_info!(info_properties);

macro_rules! aspect_properties {
    ($($name:ident: $variant:ident, $property:ident, $doc:literal;)*) => {
        #[pymethods]
        impl PyDevice {
            $(
                #[doc = $doc]
                #[getter]
                fn $property(&self) -> bool {
                    self.inner.has(Aspect::$variant)
                }
            )*

            /// Whether the device has an aspect, given by SYCL's name.
            ///
            /// Examples
            /// --------
            /// >>> import colocate as cl
            /// >>> cl.Device("native:cpu").has_aspect("fp64")
            /// True
            fn has_aspect(&self, name: &str) -> PyResult<bool> {
                match name {
                    $(stringify!($name) => Ok(self.inner.has(Aspect::$variant)),)*
                    _ => Err(error(
                        Class::InvalidArgumentError,
                        format!("no aspect is called {name:?}; there are: {}", [$(stringify!($name)),*].join(", ")),
                    )),
                }
            }
        }
    };
}
for_each_aspect!(aspect_properties);

/// Makes a sub-device again, for pickle.
#[pyfunction]
fn _sub_device(
    py: Python<'_>,
    parent: &Bound<'_, PyDevice>,
    partition: &Bound<'_, PyAny>,
    index: usize,
) -> PyResult<PyDevice> {
    let parts = parent.get().create_sub_devices(py, partition)?;
    parts.into_iter().nth(index).ok_or_else(|| {
        error(
            Class::DeviceNotFoundError,
            format!(
                "this machine's {} has no part {index} of that kind",
                parent.get().inner.label()
            ),
        )
    })
}

/// The table behind the device's properties: (name, type, documentation) of facts, then aspects.
#[pyfunction]
fn _device_tables(py: Python<'_>) -> PyResult<(Bound<'_, PyList>, Bound<'_, PyList>)> {
    let python_type = |kind: &str| match kind.replace(' ', "").as_str() {
        "String" => "str",
        "bool" => "bool",
        "Vec<u64>" => "list of int",
        _ => "int",
    };
    let list = |table: &[colocate_runtime::InfoEntry]| {
        let rows = table
            .iter()
            .map(|entry| (entry.name, python_type(entry.kind), entry.documentation));
        PyList::new(py, rows)
    };
    Ok((list(DeviceInfo::TABLE)?, list(Aspect::TABLE)?))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_sub_device, module)?)?;
    module.add_function(wrap_pyfunction!(_device_tables, module)?)
}
