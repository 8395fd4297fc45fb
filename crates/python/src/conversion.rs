//! `asarray`, `asnumpy`, `from_dlpack`, and moving arrays (R2.*).

use crate::array::PyArray;
use crate::array_interface;
use crate::config;
use crate::current;
use crate::device::PyDevice;
use crate::dlpack;
use crate::dparray;
use crate::dtype::{dtype_from_numpy, dtype_from_object, dtype_to_numpy, unknown};
use crate::errors::{Class, OrRaise, Unlocked, error, guarded};
use crate::memory_order::Target;
use crate::queue::{PyQueue, queue_from_object};
use colocate_array::{Array, elementwise};
use colocate_dtype::DType;
use colocate_dtype::index::Item;
use colocate_runtime::{Queue, UsmKind, trace};
use numpy::{PyArrayDescr, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyList, PyTuple};

/// Copies of at most this many bytes are quicker than letting the GIL go.
const QUICK: usize = 64 << 10;

/// Runs work on arrays: with the GIL if it is short and need not wait for anything, else without.
/// To wait with the GIL held could be for ever: what is waited for may need it, as host tasks of
/// dpctl do.
pub fn without_gil<T: Send, E: Send>(
    py: Python<'_>,
    arrays: &[&Array],
    work: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<T>
where
    Result<T, E>: OrRaise<T>,
{
    let quick = |array: &&Array| {
        array.nbytes() <= QUICK && array.usm().is_idle() && array.queue().is_idle()
    };
    if arrays.iter().all(quick) {
        guarded(work)
    } else {
        py.unlocked(work)
    }
}

/// Makes an array; `make` allocates on `queue`, and may wait for memory there.
pub fn allocated(
    py: Python<'_>,
    queue: &Queue,
    make: impl FnOnce() -> colocate_array::Result<Array> + Send,
) -> PyResult<Array> {
    // Work of native queues never needs the GIL.
    if queue.runs_host_tasks() {
        guarded(make)
    } else {
        py.unlocked(make)
    }
}

/// The USM type a user named.
pub fn usm_kind(name: Option<&str>) -> PyResult<Option<UsmKind>> {
    let Some(name) = name else { return Ok(None) };
    match UsmKind::ALL.into_iter().find(|kind| kind.name() == name) {
        Some(kind) => Ok(Some(kind)),
        None => Err(error(
            Class::InvalidArgumentError,
            format!("usm_type={name:?}: write \"device\", \"shared\" or \"host\""),
        )),
    }
}

/// Whether the host may read the array in place (R2.3).
pub fn is_host_visible(array: &Array) -> bool {
    let strict = config::strict_host_access() && array.kind() == UsmKind::Device;
    array.usm().host_can_access() && !strict
}

/// R2.3's refusal.
pub fn refusal(array: &Array) -> PyErr {
    error(
        Class::HostAccessError,
        format!(
            "the host cannot read 'device' memory of {} in place, and it is never copied in silence; \
             copy it with colocate.asnumpy(x), or allocate it with usm_type=\"shared\" (rule R2.3)",
            array.queue().device().label()
        ),
    )
}

/// A function of NumPy, looked up once: `numpy!(py, asarray)`.
macro_rules! numpy {
    ($py:expr, $name:ident) => {{
        static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        FUNCTION.import($py, "numpy", stringify!($name))?
    }};
}

fn data_pointer(array: &Bound<'_, PyUntypedArray>) -> *mut u8 {
    // SAFETY: a live NumPy array has its data pointer there.
    unsafe { (*array.as_array_ptr()).fields.data.cast() }
}

/// A NumPy array with a copy of the elements.
pub fn host_copy<'py>(py: Python<'py>, array: &Array) -> PyResult<Bound<'py, PyAny>> {
    let _why = trace::because(|| "the host wants the elements".into());
    let shape = PyTuple::new(py, array.shape())?;
    let copy = numpy!(py, empty).call1((shape, dtype_to_numpy(py, array.dtype())?))?;
    let address = data_pointer(copy.cast::<PyUntypedArray>()?) as usize;
    // SAFETY: a fresh C-contiguous array of the same shape and dtype.
    without_gil(py, &[array], || unsafe {
        array.read_into(address as *mut u8)
    })?;
    Ok(copy)
}

/// A device array from host data, in a NumPy array of a dtype we have.
pub fn upload(
    py: Python<'_>,
    data: &Bound<'_, PyUntypedArray>,
    dtype: DType,
    queue: &Queue,
    kind: UsmKind,
) -> PyResult<Array> {
    let _why = trace::because(|| "host data becomes an array".into());
    let shape = data.shape();
    let array = allocated(py, queue, || Array::empty(shape, dtype, kind, queue))?;
    fill_from_host(py, &array, data)?;
    Ok(array)
}

/// Sets the elements from a NumPy array of the same shape and dtype.
pub fn fill_from_host(
    py: Python<'_>,
    array: &Array,
    data: &Bound<'_, PyUntypedArray>,
) -> PyResult<()> {
    let packed = if data.is_c_contiguous() {
        data.clone()
    } else {
        let packed = numpy!(py, ascontiguousarray).call1((data,))?;
        packed.cast_into::<PyUntypedArray>()?
    };
    let packed = &packed;
    // SAFETY: contiguous, so as many bytes as elements say; `packed` lives through the copy.
    let bytes =
        unsafe { std::slice::from_raw_parts(non_null(data_pointer(packed)), array.nbytes()) };
    without_gil(py, &[array], || array.write_from(bytes))
}

/// A slice of no bytes may come from anywhere but null.
fn non_null(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        std::ptr::NonNull::dangling().as_ptr()
    } else {
        pointer
    }
}

/// The elements converted to another dtype, where they are, and then on a queue.
pub fn converted(
    py: Python<'_>,
    array: &Array,
    dtype: DType,
    queue: &Queue,
    kind: UsmKind,
) -> PyResult<Array> {
    if let Some(view) = array.on_queue(queue) {
        return without_gil(py, &[array], || elementwise::converted(&view, dtype, kind));
    }
    let near = without_gil(py, &[array], || {
        elementwise::converted(array, dtype, UsmKind::Device)
    })?;
    copied(py, &near, queue, kind)
}

/// The queue for `to_device` and `asarray(device=)`: a device the array lives on already means
/// the array's own queue.
pub fn queue_on(array: &Array, device: &Bound<'_, PyAny>) -> PyResult<Queue> {
    if !device.is_instance_of::<PyQueue>() {
        let is_here = |device: &colocate_runtime::Device| device == array.queue().device();
        if let Ok(device) = device.cast::<PyDevice>() {
            if is_here(&device.get().inner) {
                return Ok(array.queue().clone());
            }
        } else if let Ok(text) = device.extract::<String>()
            && is_here(&current::select(device.py(), &text)?)
        {
            return Ok(array.queue().clone());
        }
    }
    queue_from_object(device)
}

/// An array on another queue, of a USM type and dtype, in place where that can be (R2.4).
pub fn moved(
    py: Python<'_>,
    array: &Array,
    queue: &Queue,
    kind: Option<UsmKind>,
    dtype: Option<DType>,
    copy: Option<bool>,
) -> PyResult<Array> {
    let kind = kind.unwrap_or(array.kind());
    let same_dtype = dtype.is_none_or(|dtype| dtype == array.dtype());
    if copy != Some(true)
        && same_dtype
        && kind == array.kind()
        && let Some(view) = array.on_queue(queue)
    {
        return Ok(view);
    }
    if copy == Some(false) {
        let why = if !same_dtype {
            "the dtype must be converted".to_owned()
        } else if kind != array.kind() {
            format!(
                "memory of type {:?} cannot become {:?}",
                array.kind().name(),
                kind.name()
            )
        } else {
            format!(
                "the queue of {} cannot use memory of {} in place",
                queue.device().label(),
                array.queue().device().label()
            )
        };
        return Err(error(
            Class::InvalidArgumentError,
            format!("copy=False, but {why}"),
        ));
    }
    if let Some(dtype) = dtype.filter(|_| !same_dtype) {
        return converted(py, array, dtype, queue, kind);
    }
    copied(py, array, queue, kind)
}

/// A contiguous copy on a queue.
pub fn copied(py: Python<'_>, array: &Array, queue: &Queue, kind: UsmKind) -> PyResult<Array> {
    if queue.is_idle() {
        without_gil(py, &[array], || array.copy_to(queue, kind))
    } else {
        py.unlocked(|| array.copy_to(queue, kind))
    }
}

/// True if an array of ours hides in nested lists.
fn holds_array(object: &Bound<'_, PyAny>) -> bool {
    let hides = |item: Bound<'_, PyAny>| item.is_instance_of::<PyArray>() || holds_array(&item);
    if let Ok(list) = object.cast::<PyList>() {
        return list.iter().any(hides);
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return tuple.iter().any(hides);
    }
    false
}

/// Host data of any form as a NumPy array of a dtype we have.
pub fn to_numpy<'py>(
    object: &Bound<'py, PyAny>,
    dtype: Option<DType>,
) -> PyResult<(Bound<'py, PyUntypedArray>, DType)> {
    let py = object.py();
    if holds_array(object) {
        return Err(error(
            Class::HostDataError,
            "a list that holds colocate arrays cannot be converted: that would read them on the host; \
             write colocate.asnumpy(x) for each, or assign each to a part of a new array",
        ));
    }
    if let Ok(array) = object.cast::<PyUntypedArray>()
        && let Some(found) = dtype_from_numpy(&array.dtype())
        && dtype.is_none_or(|dtype| dtype == found)
    {
        return Ok((array.clone(), found));
    }
    let wanted = dtype.map(|dtype| dtype_to_numpy(py, dtype)).transpose()?;
    let array = numpy!(py, asarray).call1((object, wanted))?;
    let array = array.cast_into::<PyUntypedArray>()?;
    let descr: Bound<'py, PyArrayDescr> = array.dtype();
    let Some(found) = dtype_from_numpy(&descr) else {
        return Err(unknown(&format!("{descr} (of the data given)")));
    };
    Ok((array, found))
}

fn given<'a, 'py>(argument: Option<&'a Bound<'py, PyAny>>) -> Option<&'a Bound<'py, PyAny>> {
    argument.filter(|object| !object.is_none())
}

/// An array that lives on a device: ours, or one that another package shares; `None` for host data.
fn device_array(object: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    let py = object.py();
    if let Ok(array) = object.cast::<PyArray>() {
        return Ok(Some(array.get().inner.clone()));
    }
    if object.is_instance_of::<PyUntypedArray>() {
        return Ok(None);
    }
    if let Some(array) = array_interface::import(object)? {
        return Ok(Some(array));
    }
    if object.hasattr(pyo3::intern!(py, "__dlpack_device__"))?
        && let place @ dlpack::Place::Sycl(queue) = &dlpack::place_of(object)?
    {
        return dlpack::import(object, place, queue, None).map(Some);
    }
    Ok(None)
}

/// What `asarray` and `array` do, for the functions and the method.
#[allow(clippy::too_many_arguments)]
pub fn asarray(
    py: Python<'_>,
    object: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
    copy: Option<bool>,
    order: Option<&str>,
) -> PyResult<PyArray> {
    let requested_dtype = dtype;
    let dtype = given(dtype).map(dtype_from_object).transpose()?;
    let kind = usm_kind(usm_type)?;
    // A DPArray is host data that lies in USM already.
    let source = match device_array(object)? {
        None => object.cast().ok().and_then(dparray::array_of),
        found => found,
    };
    if let Some(source) = source {
        let target = match (given(device), given(queue)) {
            (Some(device), None) => queue_on(&source, device)?,
            (device, queue) => {
                current::requested_queue(device, queue)?.unwrap_or_else(|| source.queue().clone())
            }
        };
        let target = Target {
            queue: &target,
            kind,
            dtype,
            copy,
            order,
        };
        return Ok(target.moved(py, &source)?.into());
    }
    if copy == Some(false) {
        return Err(error(
            Class::InvalidArgumentError,
            "copy=False, but host data must be copied to become USM; colocate.from_dlpack(x) shares it \
             with a device that can use host memory",
        ));
    }
    if holds_array(object) {
        let stacked = py
            .import("colocate._creation")?
            .call_method1("stacked", (object,))?;
        // What was stacked is a copy already.
        let order = order.filter(|order| !matches!(*order, "K" | "k" | "A" | "a"));
        let dtype = requested_dtype;
        return asarray(py, &stacked, dtype, device, queue, usm_type, None, order);
    }
    let target = Target {
        queue: &current::target_queue(py, device, queue)?,
        kind,
        dtype,
        copy,
        order,
    };
    let (data, dtype) = to_numpy(object, dtype)?;
    Ok(target.uploaded(py, &data, dtype)?.into())
}

/// Whether host data lies in memory of its own, as a NumPy array's does; scalars do not count.
fn is_array_like(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(ndim) = value.getattr("ndim") {
        return Ok(ndim.extract::<usize>().is_ok_and(|ndim| ndim > 0));
    }
    // SAFETY: a check that takes any object.
    let is_buffer = unsafe { pyo3::ffi::PyObject_CheckBuffer(value.as_ptr()) } != 0;
    Ok(is_buffer || value.hasattr("__dlpack__")?)
}

/// R3.5's refusal of an assignment.
fn refuse_host_array(value: &Bound<'_, PyAny>) -> PyResult<()> {
    if !is_array_like(value)? {
        return Ok(());
    }
    Err(error(
        Class::HostDataError,
        format!(
            "x[...] = y: y is a {}, and host data is not mixed with device arrays (rule R3.5); \
             write x[...] = colocate.asarray(y, queue=x.queue)",
            value.get_type().fully_qualified_name()?
        ),
    ))
}

/// What is assigned to elements of `target`, as an array on an equivalent queue; lists have no
/// place of their own and follow the target.
pub fn assigned_value(py: Python<'_>, target: &Array, value: &Bound<'_, PyAny>) -> PyResult<Array> {
    if let Some(array) = device_array(value)? {
        if !array.queue().equivalent(target.queue()) {
            return Err(crate::placement::disagreement(
                "x[...] = y",
                [("x", target), ("y", &array)],
            ));
        }
        return Ok(array);
    }
    refuse_host_array(value)?;
    let (data, dtype) = to_numpy(value, Some(target.dtype()))?;
    upload(py, &data, dtype, target.queue(), UsmKind::Device)
}

/// Sets the elements of `target` to those of an array on an equivalent queue.
fn assign_array(py: Python<'_>, target: &Array, array: &Array) -> PyResult<()> {
    let spare = array.shape().len().saturating_sub(target.shape().len());
    if spare > 0 && array.shape()[..spare].iter().all(|extent| *extent == 1) {
        // Axes that the target has not got are of no account if nothing is repeated along them.
        let fewer = array.index(&vec![Item::At(0); spare]).or_raise()?;
        return assign_array(py, target, &fewer);
    }
    if !array.queue().equivalent(target.queue()) {
        return Err(crate::placement::disagreement(
            "x[...] = y",
            [("x", target), ("y", array)],
        ));
    }
    if array.dtype() != target.dtype() {
        return without_gil(py, &[target, array], || {
            elementwise::convert_into(target, array)
        });
    }
    without_gil(py, &[target, array], || target.assign(array))
}

/// Sets the elements of `target` to `value`, broadcast; the value is an array or host data.
pub fn assign(py: Python<'_>, target: &Array, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if !target.is_writable() {
        return Err(error(Class::ReadOnlyError, "the array is read-only"));
    }
    if let Ok(array) = value.cast::<PyArray>() {
        return assign_array(py, target, &array.get().inner);
    }
    if let Some(array) = device_array(value)? {
        return assign_array(py, target, &array);
    }
    refuse_host_array(value)?;
    // Scalars and lists have no place of their own and follow the array (R3.4).
    let (data, _) = to_numpy(value, Some(target.dtype()))?;
    if data.ndim() == 0 && target.layout().is_c_contiguous() && target.size() > 0 {
        // SAFETY: a 0-d array has one element of the target's dtype.
        let element =
            unsafe { std::slice::from_raw_parts(data_pointer(&data), target.dtype().itemsize()) };
        let (first, _) = target.span_bytes();
        let queue = target.queue();
        return without_gil(py, &[target], || {
            let filled = queue.fill(target.usm(), first, element, target.size());
            filled.map(drop)
        });
    }
    let shape = PyTuple::new(py, target.shape())?;
    let spread = numpy!(py, broadcast_to).call1((data, shape))?;
    fill_from_host(py, target, spread.cast()?)
}

/// An array with the data of `a`, on a queue.
///
/// Parameters
/// ----------
/// a : array, NumPy array, scalar, nested list, or what offers its memory by DLPack, the buffer
///     protocol or ``__sycl_usm_array_interface__``
/// dtype : optional
///     NumPy dtype, its name, or a Python type.
/// order : {"K", "A", "C", "F"}, optional
///     ``"C"`` and ``"F"`` for elements whose last or first axis varies fastest in memory; ``"A"`` and ``"K"`` for
///     copies in the order there is.
/// device, queue : optional
///     Where to: a selector string, a :class:`Device` or a :class:`Queue`. An array stays where
///     it is if neither is given; other data goes to the current queue.
/// usm_type : {"device", "shared", "host"}, optional
///     Default: that of ``a``, or ``"device"`` for host data.
/// copy : bool, optional
///     ``None`` copies only if it must; ``False`` raises if it must; ``True`` always copies (R2.4).
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.asarray([[1, 2], [3, 4]], dtype="float32", device="native:cpu")
/// >>> y = cl.asarray(x)
/// >>> y[0, 0] = 10
/// >>> float(x[0, 0])
/// 10.0
#[pyfunction]
#[pyo3(name = "asarray", signature = (a, dtype = None, order = None, *, device = None, queue = None, usm_type = None, copy = None))]
fn py_asarray(
    a: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    order: Option<&str>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
    copy: Option<bool>,
) -> PyResult<PyArray> {
    asarray(a.py(), a, dtype, device, queue, usm_type, copy, order)
}

/// :func:`asarray` that copies unless told otherwise.
///
/// Parameters
/// ----------
/// object, dtype, copy, device, queue, usm_type
///     As for :func:`asarray`.
/// order : {"K", "A", "C", "F"}, optional
///     ``"F"`` for an array whose first axis varies fastest in memory, ``"K"`` and ``"A"`` for the order there is.
/// subok
///     For NumPy's sake.
/// ndmin : int
///     How many axes there are at least; more are put in front.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> cl.array([1, 2], ndmin=2).shape
/// (1, 2)
#[pyfunction]
#[pyo3(signature = (object, dtype = None, *, copy = true, order = "K", subok = false, ndmin = 0, device = None, queue = None, usm_type = None))]
#[allow(clippy::too_many_arguments)]
fn array(
    object: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    copy: Option<bool>,
    order: Option<&str>,
    subok: bool,
    ndmin: usize,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    usm_type: Option<&str>,
) -> PyResult<PyArray> {
    // There are no subclasses that it could be of; NumPy's callers name it all the same.
    let _ = subok;
    let order = order.or(Some("K"));
    let made = asarray(
        object.py(),
        object,
        dtype,
        device,
        queue,
        usm_type,
        copy,
        order,
    )?;
    let mut array = made.inner.into_inner();
    while array.layout().ndim() < ndmin {
        array = array.expanded(0).or_raise()?;
    }
    Ok(array.into())
}

/// The elements as a NumPy array: a view where the host can reach the memory, else a copy.
///
/// ``copy=True`` always copies, with all cores of the device, and ``copy=False`` never: then memory that the host
/// cannot reach is a ``HostAccessError``.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.ones(3, dtype="int32")
/// >>> cl.asnumpy(x)
/// array([1, 1, 1], dtype=int32)
/// >>> mine = cl.asnumpy(x, copy=True)
/// >>> mine[:] = 5
/// >>> int(x[0])
/// 1
#[pyfunction]
#[pyo3(signature = (x, /, *, copy = None))]
fn asnumpy<'py>(x: &Bound<'py, PyAny>, copy: Option<bool>) -> PyResult<Bound<'py, PyAny>> {
    let py = x.py();
    let imported;
    let (object, array) = match x.cast::<PyArray>() {
        Ok(array) => (x, array.get().inner.clone()),
        Err(_) => match array_interface::import(x)? {
            Some(array) => {
                imported = Bound::new(py, PyArray::from(array.clone()))?.into_any();
                (&imported, array)
            }
            None => {
                let keywords = [("copy", copy)].into_py_dict(py)?;
                return numpy!(py, asarray).call((x,), Some(&keywords));
            }
        },
    };
    match (is_host_visible(&array), copy) {
        (true, Some(true)) => {
            let copied = copied(py, &array, array.queue(), array.kind())?;
            numpy!(py, asarray).call1((PyArray::from(copied),))
        }
        (true, _) => numpy!(py, asarray).call1((object,)),
        (false, Some(false)) => Err(refusal(&array)),
        (false, _) => host_copy(py, &array),
    }
}

/// An array over the memory of another library's array, by DLPack.
///
/// Without ``device`` the array stays where it is; its cost does not depend on its size. Host
/// memory becomes an array of the native device, which uses it in place.
///
/// Examples
/// --------
/// >>> import colocate as cl, numpy as np
/// >>> a = np.zeros(3)
/// >>> x = cl.from_dlpack(a)
/// >>> a[1] = 5
/// >>> cl.asnumpy(x)
/// array([0., 5., 0.])
#[pyfunction]
#[pyo3(signature = (x, /, *, device = None, queue = None, copy = None))]
fn from_dlpack(
    x: &Bound<'_, PyAny>,
    device: Option<&Bound<'_, PyAny>>,
    queue: Option<&Bound<'_, PyAny>>,
    copy: Option<bool>,
) -> PyResult<PyArray> {
    let py = x.py();
    let target = current::requested_queue(device, queue)?;
    if let Ok(array) = x.cast::<PyArray>() {
        let array = &*array.get().inner;
        let target = target.unwrap_or_else(|| array.queue().clone());
        return Ok(moved(py, array, &target, None, None, copy)?.into());
    }
    if !x.hasattr("__dlpack__")? || !x.hasattr("__dlpack_device__")? {
        return Err(PyTypeError::new_err(format!(
            "{} offers no DLPack: it has no __dlpack__ and __dlpack_device__; colocate.asarray(x) takes more kinds of data",
            x.get_type().name()?
        )));
    }
    let place = dlpack::place_of(x)?;
    let target = match (target, &place) {
        (Some(target), _) => target,
        (None, dlpack::Place::Sycl(queue)) => queue.clone(),
        (None, dlpack::Place::Host) => host_queue(py)?,
    };
    if matches!(place, dlpack::Place::Host) && !uses_host_memory(&target) {
        if copy == Some(false) {
            return Err(error(
                Class::InvalidArgumentError,
                format!(
                    "copy=False, but {} cannot use host memory in place",
                    target.device().label()
                ),
            ));
        }
        let (data, dtype) = to_numpy(&numpy!(py, from_dlpack).call1((x,))?, None)?;
        return Ok(upload(py, &data, dtype, &target, UsmKind::Device)?.into());
    }
    // A copy that is wanted is made here: older producers do not know how.
    let array = dlpack::import(x, &place, &target, copy.filter(|copy| !copy))?;
    Ok(moved(py, &array, &target, None, None, copy)?.into())
}

/// Whether host memory becomes an array of this queue in place. SYCL devices may be able to
/// compute on it, but it is no USM, and other SYCL packages refuse it.
fn uses_host_memory(queue: &Queue) -> bool {
    queue.runs_host_tasks() && queue.context().device_can_access_host()
}

/// Where host memory goes that nobody sends elsewhere: the current queue if that can use it in
/// place, else the native device, if that can; a copy on the current queue otherwise.
fn host_queue(py: Python<'_>) -> PyResult<Queue> {
    let current = current::current_queue(py)?;
    if uses_host_memory(&current) {
        return Ok(current);
    }
    let native = current::select(py, "native:cpu:0")?;
    let native = py.unlocked(|| native.default_queue())?;
    Ok(if uses_host_memory(&native) {
        native
    } else {
        current
    })
}

/// Makes an array again, for pickle.
#[pyfunction]
fn _array_from_pickle(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    device: &Bound<'_, PyAny>,
    usm_type: &str,
) -> PyResult<PyArray> {
    asarray(
        py,
        data,
        None,
        Some(device),
        None,
        Some(usm_type),
        None,
        None,
    )
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(py_asarray, module)?)?;
    module.add_function(wrap_pyfunction!(array, module)?)?;
    module.add_function(wrap_pyfunction!(asnumpy, module)?)?;
    module.add_function(wrap_pyfunction!(from_dlpack, module)?)?;
    module.add_function(wrap_pyfunction!(_array_from_pickle, module)?)
}
