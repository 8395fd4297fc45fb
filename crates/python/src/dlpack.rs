//! DLPack 1, both ways (R7.2).
//!
//! An exported tensor owns its array, not a Python object: its deleter runs on any thread, at
//! any time, without the interpreter.

use crate::array_interface::Described;
use crate::conversion::{is_host_visible, refusal};
use crate::current::{self, registry};
use crate::dtype::unknown;
use crate::errors::{Class, OrRaise, Unlocked, error};
use crate::queue::{PyQueue, foreign_queue, take_capsule};
use colocate_array::Array;
use colocate_dtype::{DType, Kind};
use colocate_runtime::{Access, Queue, Usm, UsmKind};
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

const CPU: i32 = 1;
/// For native devices that pretend to be discrete: nobody else may touch their memory.
const EXTENSION: i32 = 12;
const ONE_API: i32 = 14;

const READ_ONLY: u64 = 1;
const IS_COPIED: u64 = 2;

#[repr(C)]
#[derive(Clone, Copy)]
struct DlTensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

#[repr(C)]
struct Managed {
    tensor: DlTensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

#[repr(C)]
struct ManagedVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: DlTensor,
}

const PLAIN: &CStr = c"dltensor";
const PLAIN_USED: &CStr = c"used_dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const VERSIONED_USED: &CStr = c"used_dltensor_versioned";

/// What an exported tensor owns.
struct Exported {
    shape: Vec<i64>,
    strides: Vec<i64>,
    _array: Array,
}

fn type_code(dtype: DType) -> u8 {
    match dtype.kind() {
        Kind::Int => 0,
        Kind::UInt => 1,
        Kind::Float => 2,
        Kind::Complex => 5,
        Kind::Bool => 6,
    }
}

fn dtype_of(tensor: &DlTensor) -> Option<DType> {
    let found = DType::ALL.into_iter().find(|dtype| {
        type_code(*dtype) == tensor.code && dtype.itemsize() * 8 == tensor.bits as usize
    });
    found.filter(|_| tensor.lanes == 1)
}

/// DLPack's device type and number for an array.
pub fn device_of(py: Python<'_>, array: &Array) -> PyResult<(i32, i32)> {
    let queue = array.queue();
    let mut device = queue.device();
    while let Some(parent) = device.parent() {
        device = parent;
    }
    if device.family() == "native" {
        if array.usm().host_can_access() {
            return Ok((CPU, 0));
        }
        return Ok((EXTENSION, device.relative_id().unwrap_or(0) as i32));
    }
    let devices = py.unlocked(|| registry().devices())?;
    let position = devices
        .iter()
        .filter(|other| other.family() == "sycl")
        .position(|other| other == device);
    match position {
        Some(position) => Ok((ONE_API, position as i32)),
        None => Err(PyBufferError::new_err(
            "DLPack has no number for a device that belongs to another package",
        )),
    }
}

/// A capsule of the array.
pub fn export<'py>(
    py: Python<'py>,
    array: &Array,
    stream: Option<&Bound<'py, PyAny>>,
    max_version: Option<(u32, u32)>,
    dl_device: Option<(Bound<'py, PyAny>, i32)>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let own = device_of(py, array)?;
    let named = dl_device.is_some();
    let wanted = match dl_device {
        Some((kind, number)) => (device_code(&kind)?, number),
        None => own,
    };
    let stream = stream.filter(|stream| !stream.is_none());
    let mut array = array.clone();
    let mut flags = 0;
    if wanted.0 == CPU {
        if stream.is_some() {
            return Err(PyBufferError::new_err(
                "the CPU has no streams: stream must be None",
            ));
        }
        let visible = is_host_visible(&array);
        // Who names the CPU asks for a copy where there is no other way: that is not in silence.
        if copy == Some(true) || (named && !visible && copy.is_none()) {
            let queue = copy_queue(py)?;
            array = py.unlocked(|| array.copy_to(&queue, UsmKind::Host))?;
            flags |= IS_COPIED;
        } else if !visible {
            return Err(refusal(&array));
        }
        py.unlocked(|| array.usm().wait_for(Access::Write))?;
    } else if wanted == own {
        if copy == Some(true) {
            let queue = array.queue().clone();
            array = py.unlocked(|| array.copy_to(&queue, array.kind()))?;
            flags |= IS_COPIED;
        }
        let consumer = stream.map(|stream| consumer_queue(stream)).transpose()?;
        py.unlocked(|| -> colocate_runtime::Result<()> {
            match consumer {
                Some(queue) => array.usm().publish(&queue),
                // Those who do not say where they will use it mostly do so on the device's default queue.
                None => {
                    array.usm().publish(array.queue())?;
                    array
                        .usm()
                        .publish(&array.queue().device().default_queue()?)
                }
            }
        })?;
    } else {
        return Err(PyBufferError::new_err(format!(
            "an array on DLPack device {own:?} cannot be exported to {wanted:?}; move it with x.to_device first"
        )));
    }
    if !array.is_writable() {
        flags |= READ_ONLY;
    }
    let versioned = max_version.is_some_and(|(major, _)| major >= 1);
    if flags & READ_ONLY != 0 && !versioned {
        return Err(PyBufferError::new_err(
            "a read-only array needs a consumer that asks for DLPack 1 (max_version)",
        ));
    }
    make_capsule(py, array, wanted, flags, versioned)
}

/// The code of a device type, from a number or an enumeration's member.
fn device_code(kind: &Bound<'_, PyAny>) -> PyResult<i32> {
    kind.extract::<i32>()
        .or_else(|_| kind.getattr("value")?.extract())
}

/// The consumer's queue, given as `stream`: its work must come after what is pending.
fn consumer_queue(stream: &Bound<'_, PyAny>) -> PyResult<Queue> {
    if let Ok(queue) = stream.cast::<PyQueue>() {
        return Ok(queue.get().inner.clone());
    }
    foreign_queue(stream)?.ok_or_else(|| {
        error(
            Class::InvalidArgumentError,
            "stream must be None or the SYCL queue on which the consumer will use the array",
        )
    })
}

/// A native queue, for a copy that the host reads.
fn copy_queue(py: Python<'_>) -> PyResult<Queue> {
    let device = current::select(py, "native:cpu:0")?;
    py.unlocked(|| device.default_queue())
}

fn make_capsule<'py>(
    py: Python<'py>,
    array: Array,
    device: (i32, i32),
    flags: u64,
    versioned: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = array.dtype();
    let mut owner = Box::new(Exported {
        shape: array.shape().iter().map(|&n| n as i64).collect(),
        strides: array.layout().strides().iter().map(|&n| n as i64).collect(),
        _array: array.clone(),
    });
    let tensor = DlTensor {
        data: array.pointer().cast(),
        device_type: device.0,
        device_id: device.1,
        ndim: array.layout().ndim() as i32,
        code: type_code(dtype),
        bits: (dtype.itemsize() * 8) as u8,
        lanes: 1,
        shape: owner.shape.as_mut_ptr(),
        strides: owner.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let context = Box::into_raw(owner).cast();
    let (raw, name, destructor): (*mut c_void, _, ffi::PyCapsule_Destructor) = if versioned {
        let managed = ManagedVersioned {
            major: 1,
            minor: 1,
            context,
            deleter: Some(delete_versioned),
            flags,
            tensor,
        };
        (
            Box::into_raw(Box::new(managed)).cast(),
            VERSIONED,
            drop_versioned,
        )
    } else {
        let managed = Managed {
            tensor,
            context,
            deleter: Some(delete_plain),
        };
        (Box::into_raw(Box::new(managed)).cast(), PLAIN, drop_plain)
    };
    // SAFETY: the capsule owns `raw` until a consumer renames it; the destructor minds the name.
    unsafe {
        Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(raw, name.as_ptr(), Some(destructor)))
    }
}

unsafe extern "C" fn delete_plain(managed: *mut Managed) {
    // SAFETY: made by `make_capsule`, and a consumer calls this once.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.context.cast::<Exported>()));
    }
}

unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: as for `delete_plain`.
    unsafe {
        let managed = Box::from_raw(managed);
        drop(Box::from_raw(managed.context.cast::<Exported>()));
    }
}

unsafe extern "C" fn drop_plain(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this with our capsule; a consumed one has another name.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, PLAIN.as_ptr()) != 0 {
            delete_plain(ffi::PyCapsule_GetPointer(capsule, PLAIN.as_ptr()).cast());
        }
    }
}

unsafe extern "C" fn drop_versioned(capsule: *mut ffi::PyObject) {
    // SAFETY: as for `drop_plain`.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) != 0 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

/// An imported tensor; tells its producer when it is no longer used.
enum Imported {
    Plain(NonNull<Managed>),
    Versioned(NonNull<ManagedVersioned>),
}

// SAFETY: DLPack allows the deleter to be called from any thread.
unsafe impl Send for Imported {}
// SAFETY: nothing is done with a shared reference but reading the tensor's plain data.
unsafe impl Sync for Imported {}

impl Drop for Imported {
    fn drop(&mut self) {
        // SAFETY: we own the tensor, and call its deleter once, if it has one.
        unsafe {
            match self {
                Imported::Plain(managed) => {
                    if let Some(delete) = managed.as_ref().deleter {
                        delete(managed.as_ptr());
                    }
                }
                Imported::Versioned(managed) => {
                    if let Some(delete) = managed.as_ref().deleter {
                        delete(managed.as_ptr());
                    }
                }
            }
        }
    }
}

impl Imported {
    /// Takes over what a capsule owns.
    fn take(capsule: &Bound<'_, PyAny>) -> PyResult<Imported> {
        let is_named = |name: &CStr| {
            // SAFETY: a check that takes any object.
            unsafe { ffi::PyCapsule_IsValid(capsule.as_ptr(), name.as_ptr()) != 0 }
        };
        let pointer = |name, used| -> PyResult<NonNull<c_void>> {
            Ok(NonNull::new(take_capsule(capsule, name, used)?)
                .expect("a capsule's pointer is never null"))
        };
        if is_named(VERSIONED) {
            let managed = Imported::Versioned(pointer(VERSIONED, VERSIONED_USED)?.cast());
            let Imported::Versioned(inner) = &managed else {
                unreachable!("made so")
            };
            // SAFETY: the version comes first in every version of the structure.
            let major = unsafe { inner.as_ref().major };
            if major != 1 {
                return Err(PyBufferError::new_err(format!(
                    "DLPack version {major} is not known; 1 is"
                )));
            }
            return Ok(managed);
        }
        if is_named(PLAIN) {
            return Ok(Imported::Plain(pointer(PLAIN, PLAIN_USED)?.cast()));
        }
        let used = is_named(PLAIN_USED) || is_named(VERSIONED_USED);
        Err(error(
            Class::InvalidArgumentError,
            if used {
                "the DLPack capsule has been consumed already"
            } else {
                "__dlpack__ gave no DLPack capsule"
            },
        ))
    }

    fn tensor(&self) -> DlTensor {
        // SAFETY: the producer's structure, alive while we own it.
        unsafe {
            match self {
                Imported::Plain(managed) => managed.as_ref().tensor,
                Imported::Versioned(managed) => managed.as_ref().tensor,
            }
        }
    }

    fn flags(&self) -> u64 {
        match self {
            Imported::Plain(_) => 0,
            // SAFETY: as above.
            Imported::Versioned(managed) => unsafe { managed.as_ref().flags },
        }
    }
}

/// A queue as SYCL packages know it.
fn dpctl_queue<'py>(py: Python<'py>, queue: &Queue) -> PyResult<Bound<'py, PyAny>> {
    let own = Bound::new(py, PyQueue::from(queue.clone()))?;
    py.import("colocate._sycl")?
        .call_method1("dpctl_view", (&own, &own, "queue"))
}

/// Calls the producer; older ones do not know the newer arguments.
fn ask<'py>(
    object: &Bound<'py, PyAny>,
    place: &Place,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let options = PyDict::new(py);
    if let Place::Sycl(queue) = place {
        // The producer orders its pending work before ours on this queue.
        options.set_item("stream", dpctl_queue(py, queue)?)?;
    }
    options.set_item("max_version", (1, 1))?;
    options.set_item("copy", copy)?;
    match object.call_method("__dlpack__", (), Some(&options)) {
        Err(failure) if failure.is_instance_of::<pyo3::exceptions::PyTypeError>(py) => {
            object.call_method0("__dlpack__")
        }
        result => result,
    }
}

/// Where a producer's array is.
pub enum Place {
    /// In host memory.
    Host,
    /// On a SYCL device, whose default queue this is.
    Sycl(Queue),
}

/// Asks a producer where its array is.
pub fn place_of(object: &Bound<'_, PyAny>) -> PyResult<Place> {
    let py = object.py();
    let (kind, number) = object
        .call_method0("__dlpack_device__")?
        .extract::<(Bound<'_, PyAny>, i32)>()?;
    match device_code(&kind)? {
        CPU => Ok(Place::Host),
        ONE_API => {
            let devices = py.unlocked(|| registry().devices())?;
            let device = devices
                .into_iter()
                .filter(|device| device.family() == "sycl")
                .nth(number as usize);
            let Some(device) = device else {
                return Err(error(
                    Class::DeviceNotFoundError,
                    format!(
                        "the DLPack tensor is on SYCL device {number}, which is not to be found \
                         here; `colocate doctor` may tell why"
                    ),
                ));
            };
            Ok(Place::Sycl(py.unlocked(|| device.default_queue())?))
        }
        kind => Err(PyBufferError::new_err(format!(
            "the tensor is on DLPack device type {kind}, which colocate cannot read; copy it to \
             the CPU first"
        ))),
    }
}

/// An array over what a producer offers. Host memory is used in place by `host_queue`, which
/// must be able to.
pub fn import(
    object: &Bound<'_, PyAny>,
    place: &Place,
    host_queue: &Queue,
    copy: Option<bool>,
) -> PyResult<Array> {
    let py = object.py();
    let (kind, queue) = match place {
        Place::Host => (CPU, host_queue),
        Place::Sycl(queue) => (ONE_API, queue),
    };
    let owner = Imported::take(&ask(object, place, copy)?)?;
    let (tensor, flags) = (owner.tensor(), owner.flags());
    if tensor.device_type != kind {
        return Err(PyBufferError::new_err(
            "the tensor is not on the device that __dlpack_device__ named",
        ));
    }
    let Some(dtype) = dtype_of(&tensor) else {
        return Err(unknown(&format!(
            "DLPack type code {} of {} bits and {} lanes",
            tensor.code, tensor.bits, tensor.lanes
        )));
    };
    let ndim = usize::try_from(tensor.ndim).unwrap_or(usize::MAX);
    if ndim > colocate_dtype::Layout::MAX_NDIM || (ndim > 0 && tensor.shape.is_null()) {
        return Err(PyBufferError::new_err(
            "the tensor's number of dimensions makes no sense",
        ));
    }
    // SAFETY: the producer's arrays have `ndim` entries, and were checked not to be null.
    let (shape, strides) = unsafe {
        let list = |pointer: *mut i64| -> Vec<i64> {
            if pointer.is_null() || ndim == 0 {
                Vec::new()
            } else {
                std::slice::from_raw_parts(pointer, ndim).to_vec()
            }
        };
        (
            list(tensor.shape),
            (!tensor.strides.is_null()).then(|| list(tensor.strides)),
        )
    };
    let shape: Result<Vec<usize>, _> = shape.into_iter().map(usize::try_from).collect();
    let Ok(shape) = shape else {
        return Err(PyBufferError::new_err("the tensor has a negative extent"));
    };
    let strides: Option<Vec<isize>> =
        strides.map(|list| list.into_iter().map(|n| n as isize).collect());
    let writable = flags & READ_ONLY == 0;
    let described = Described {
        address: (tensor.data as usize).wrapping_add(tensor.byte_offset as usize),
        shape: &shape,
        strides: strides.as_deref(),
        offset: 0,
        dtype,
    };
    if kind == ONE_API {
        // SAFETY: the producer keeps the memory until we tell it otherwise.
        return unsafe { described.adopt(queue, Box::new(owner), writable, &py) };
    }
    let (layout, lowest, bytes) = described.resolve()?;
    if bytes == 0 {
        return Array::empty(&shape, dtype, UsmKind::Host, queue).or_raise();
    }
    let pointer = NonNull::new(lowest as *mut u8).expect("checked by resolve");
    // SAFETY: as above.
    let usm = unsafe { Usm::adopt_host(queue, pointer, bytes, Box::new(owner)) }.or_raise()?;
    Array::over(usm, layout, dtype, queue, writable).or_raise()
}
