//! `__sycl_usm_array_interface__`, both ways (R7.1).

use crate::context::PyContext;
use crate::current::{registry, select};
use crate::dtype::unknown;
use crate::errors::{Class, OrRaise, Unlocked, error};
use crate::queue::{PyQueue, foreign_queue};
use colocate_array::Array;
use colocate_dtype::{DType, Layout};
use colocate_runtime::{Queue, Usm};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString, PyTuple};
use std::ptr::NonNull;

/// The dictionary that describes an array to other packages.
pub fn export<'py>(py: Python<'py>, array: &Array) -> PyResult<Bound<'py, PyDict>> {
    // Whoever reads this may submit work on the memory to the array's queue.
    py.unlocked(|| array.usm().publish(array.queue()))?;
    let layout = array.layout();
    let interface = PyDict::new(py);
    interface.set_item(
        "data",
        (array.usm().pointer() as usize, !array.is_writable()),
    )?;
    interface.set_item("shape", PyTuple::new(py, layout.shape())?)?;
    let strides = (!layout.is_c_contiguous())
        .then(|| PyTuple::new(py, layout.strides()))
        .transpose()?;
    interface.set_item("strides", strides)?;
    interface.set_item("offset", layout.offset())?;
    interface.set_item("typestr", array.dtype().typestr())?;
    interface.set_item("version", 1)?;
    interface.set_item(
        "syclobj",
        Bound::new(py, PyQueue::from(array.queue().clone()))?,
    )?;
    Ok(interface)
}

fn refuse<T>(why: impl std::fmt::Display) -> PyResult<T> {
    Err(error(
        Class::InvalidArgumentError,
        format!("__sycl_usm_array_interface__: {why}"),
    ))
}

/// The array that an object describes; `None` if it describes none.
pub fn import(object: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    let py = object.py();
    let Ok(interface) = object.getattr("__sycl_usm_array_interface__") else {
        return Ok(None);
    };
    let Ok(interface) = interface.cast::<PyDict>() else {
        return refuse("it is no dictionary");
    };
    let entry = |name: &str| -> PyResult<Bound<'_, PyAny>> {
        match interface.get_item(name)? {
            Some(value) => Ok(value),
            None => refuse(format!("it has no entry {name:?}")),
        }
    };
    if !entry("version")?.eq(1)? {
        return refuse(format!("version {} is not known; 1 is", entry("version")?));
    }
    let Ok((address, read_only)) = entry("data")?.extract::<(usize, bool)>() else {
        return refuse("\"data\" must be a pair of an address and a flag");
    };
    let Ok(shape) = entry("shape")?.extract::<Vec<usize>>() else {
        return refuse(format!(
            "\"shape\" must hold sizes, not {}",
            entry("shape")?
        ));
    };
    let typestr = entry("typestr")?;
    let Ok(text) = typestr.extract::<String>() else {
        return refuse("\"typestr\" must be a string");
    };
    let Some(dtype) = DType::from_typestr(&text) else {
        return Err(unknown(&text));
    };
    let offset = match interface.get_item("offset")? {
        Some(value) if !value.is_none() => match value.extract::<isize>() {
            Ok(offset) => offset,
            Err(_) => return refuse("\"offset\" must be a number of elements"),
        },
        _ => 0,
    };
    let strides = match interface.get_item("strides")? {
        Some(value) if !value.is_none() => match value.extract::<Vec<isize>>() {
            Ok(strides) => Some(strides),
            Err(_) => return refuse("\"strides\" must hold numbers of elements"),
        },
        _ => None,
    };
    let queue = queue_of_syclobj(&entry("syclobj")?)?;
    let memory = Described {
        address,
        shape: &shape,
        strides: strides.as_deref(),
        offset,
        dtype,
    };
    // SAFETY: the protocol says that the memory is valid while the object that offers it lives,
    // and `adopt` checks that it is the queue's context's.
    unsafe { memory.adopt(&queue, Box::new(object.clone().unbind()), !read_only, &py) }.map(Some)
}

/// Somebody's description of an array.
pub struct Described<'a> {
    pub address: usize,
    pub shape: &'a [usize],
    /// In elements; row-major if not given.
    pub strides: Option<&'a [isize]>,
    /// Of the first element from the address, in elements.
    pub offset: isize,
    pub dtype: DType,
}

impl Described<'_> {
    /// The layout and the bytes it spans from the lowest one on: `(layout, lowest address, bytes)`.
    /// The layout is relative to the lowest address, so every offset in it is positive.
    pub fn resolve(&self) -> PyResult<(Layout, usize, usize)> {
        let item = self.dtype.itemsize();
        let contiguous = Layout::contiguous(self.shape, item).or_raise()?;
        let strides = self.strides.unwrap_or(contiguous.strides());
        let layout = Layout::strided(self.shape, strides, self.offset, item).or_raise()?;
        let (low, high) = layout.span();
        let lowest = self.address.wrapping_add_signed(low * item as isize);
        let relative = Layout::strided(self.shape, strides, self.offset - low, item).or_raise()?;
        let bytes = (high - low) as usize * item;
        if bytes > 0 && self.address == 0 {
            return refuse("the address is null");
        }
        if bytes > 0 && (lowest.checked_add(bytes).is_none() || !lowest.is_multiple_of(item)) {
            return refuse(format!(
                "the elements from address {lowest:#x} on are misplaced"
            ));
        }
        Ok((relative, lowest, bytes))
    }

    /// An array over memory of the queue's context.
    ///
    /// # Safety
    /// The memory is valid while `keep_alive` lives.
    pub unsafe fn adopt(
        &self,
        queue: &Queue,
        keep_alive: Box<dyn std::any::Any + Send + Sync>,
        writable: bool,
        py: &Python<'_>,
    ) -> PyResult<Array> {
        let (layout, lowest, bytes) = self.resolve()?;
        if bytes == 0 {
            // Nothing to share: an empty array has no memory of its own.
            return Array::empty(
                self.shape,
                self.dtype,
                colocate_runtime::UsmKind::Device,
                queue,
            )
            .or_raise();
        }
        let usm = py.unlocked(|| {
            let pointer = NonNull::new(lowest as *mut u8).expect("checked by resolve");
            // A description that lies about its strides ends outside the allocation.
            let last = queue
                .context()
                .pointer_kind((lowest + bytes - 1) as *const u8);
            // SAFETY: passed on from the caller.
            let usm = unsafe { Usm::adopt(queue, pointer, bytes, keep_alive) }?;
            Ok::<_, colocate_runtime::Error>((last, usm))
        });
        let (last, usm) = usm?;
        if last != Some(usm.kind()) {
            return refuse(format!(
                "the last element lies outside the allocation at {lowest:#x}"
            ));
        }
        Array::over(usm, layout, self.dtype, queue, writable).or_raise()
    }
}

/// The queue that `syclobj` names, in each of the forms R7.1 lists.
fn queue_of_syclobj(object: &Bound<'_, PyAny>) -> PyResult<Queue> {
    let py = object.py();
    let default_queue = |selector: String| -> PyResult<Queue> {
        let device = select(py, &selector)?;
        py.unlocked(|| device.default_queue())
    };
    if let Ok(queue) = object.cast::<PyQueue>() {
        return Ok(queue.get().inner.clone());
    }
    if let Ok(context) = object.cast::<PyContext>() {
        let context = &context.get().inner;
        let Some(device) = context.devices().into_iter().next() else {
            return refuse("the context in \"syclobj\" has no device");
        };
        if py.unlocked(|| device.default_context())? == *context {
            return py.unlocked(|| device.default_queue());
        }
        return py.unlocked(|| context.create_queue(&device, Default::default()));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return default_queue(text.to_string());
    }
    if object.is_instance_of::<PyInt>() && !object.is_instance_of::<PyBool>() {
        let Ok(index) = object.extract::<usize>() else {
            return refuse(format!("\"syclobj\" {object} is no relative id"));
        };
        let device = py.unlocked(|| registry().relative(index))?;
        return py.unlocked(|| device.default_queue());
    }
    if let Some(queue) = foreign_queue(object)? {
        return Ok(queue);
    }
    if let Ok(triple) = object.extract::<Vec<Bound<'_, PyAny>>>()
        && let [backend, device_type, index] = &triple[..]
        && let Ok(index) = index.extract::<usize>()
    {
        let backend = enum_name(
            backend,
            &[
                (1 << 16, "sycl_cuda"),
                (1 << 17, "level_zero"),
                (1 << 18, "opencl"),
                (1 << 19, "sycl_hip"),
            ],
        )?;
        let device_type = enum_name(
            device_type,
            &[(1 << 0, "accelerator"), (1 << 2, "cpu"), (1 << 4, "gpu")],
        )?;
        return default_queue(format!("{backend}:{device_type}:{index}"));
    }
    refuse(format!(
        "\"syclobj\" is {}; it must be a SYCL queue or context, a capsule of one, a selector \
         string, a triple [backend, device_type, relative_id] or a relative id",
        object.repr()?
    ))
}

/// A word from a string, an enumeration's member, or the code of dpctl's C interface.
fn enum_name(object: &Bound<'_, PyAny>, codes: &[(usize, &str)]) -> PyResult<String> {
    if let Ok(text) = object.extract::<String>() {
        return Ok(text);
    }
    if let Ok(code) = object.extract::<usize>()
        && let Some((_, name)) = codes.iter().find(|(known, _)| *known == code)
    {
        return Ok((*name).to_owned());
    }
    if let Ok(name) = object
        .getattr("name")
        .and_then(|name| name.extract::<String>())
    {
        return Ok(name);
    }
    refuse(format!("{object} in the triple \"syclobj\" is not known"))
}
