//! `colocate.DPArray`, seen from Rust: which memory such an array lies in (R8.1).
//!
//! The class is written in Python (`colocate/_dparray.py`). An array that owns its elements has as its
//! `base` one of our arrays, of `shared` memory; views of it lead there through their own bases.

use crate::array::PyArray;
use crate::dtype::dtype_from_numpy;
use colocate_array::Array;
use colocate_dtype::Layout;
use colocate_runtime::Queue;
use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyMemoryView, PyType};

static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Whether a NumPy array is a `DPArray`. Quick.
pub fn is_dparray(array: &Bound<'_, PyUntypedArray>) -> bool {
    let py = array.py();
    let class = array.get_type_ptr();
    match CLASS.get(py) {
        Some(known) => {
            let known = known.bind(py).as_type_ptr();
            // SAFETY: two live classes.
            class == known || unsafe { ffi::PyType_IsSubtype(class, known) } != 0
        }
        None => false,
    }
}

/// The array of ours that is an array's base, directly or in a memory view.
fn owner_of_buffer(base: Bound<'_, PyAny>) -> Option<Bound<'_, PyArray>> {
    match base.cast_into::<PyArray>() {
        Ok(array) => Some(array),
        Err(other) => {
            let view = other.into_inner().cast_into::<PyMemoryView>().ok()?;
            view.getattr("obj").ok()?.cast_into().ok()
        }
    }
}

/// The array of ours that a NumPy array views through any number of views.
fn owner<'py>(array: &Bound<'py, PyUntypedArray>) -> Option<Bound<'py, PyArray>> {
    let py = array.py();
    let mut current = array.clone();
    loop {
        // SAFETY: a live NumPy array has this field; it is NULL or an object that it keeps alive.
        let base = unsafe {
            let base = (*current.as_array_ptr()).fields.base;
            Bound::from_borrowed_ptr_or_opt(py, base)
        }?;
        match base.cast_into::<PyUntypedArray>() {
            Ok(next) => current = next,
            Err(other) => return owner_of_buffer(other.into_inner()),
        }
    }
}

/// What a `DPArray` views, as one of our arrays over the same memory. `None` if it is no such
/// array, if it came to lie in other memory, or if it has a dtype or strides that ours do not have.
pub fn array_of(array: &Bound<'_, PyUntypedArray>) -> Option<Array> {
    if !is_dparray(array) {
        return None;
    }
    let owner = owner(array)?;
    let owner = &*owner.get().inner;
    let dtype = dtype_from_numpy(&array.dtype())?;
    let item = dtype.itemsize() as isize;
    let in_elements = |bytes: isize| (bytes % item == 0).then_some(bytes / item);
    // SAFETY: a live NumPy array has these fields.
    let (pointer, flags) = unsafe {
        let fields = &(*array.as_array_ptr()).fields;
        (fields.data as isize, fields.flags)
    };
    let offset = in_elements(pointer.checked_sub(owner.usm().pointer() as isize)?)?;
    let strides: Vec<isize> = array
        .strides()
        .iter()
        .map(|&bytes| in_elements(bytes))
        .collect::<Option<_>>()?;
    let layout = Layout::strided(array.shape(), &strides, offset, dtype.itemsize()).ok()?;
    let writable = flags & NPY_ARRAY_WRITEABLE != 0;
    Array::over(owner.usm().clone(), layout, dtype, owner.queue(), writable).ok()
}

/// The same on a queue, if that reaches the memory.
pub fn array_on(array: &Bound<'_, PyUntypedArray>, queue: &Queue) -> Option<Array> {
    array_of(array)?.on_queue(queue)
}

/// One of our arrays, of memory that the host reaches, as a `DPArray`.
pub fn wrap<'py>(py: Python<'py>, array: Array) -> PyResult<Bound<'py, PyAny>> {
    static WRAP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    WRAP.import(py, "colocate._dparray", "from_usm")?
        .call1((PyArray::from(array),))
}

/// Tells which class it is.
#[pyfunction]
fn _use_dparray_class(py: Python<'_>, class: Py<PyType>) {
    let _ = CLASS.set(py, class);
}

/// The memory of a ``DPArray`` as an array, or ``None`` if it lies elsewhere.
#[pyfunction]
fn _array_of_dparray(array: &Bound<'_, PyUntypedArray>) -> Option<PyArray> {
    array_of(array).map(PyArray::from)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_use_dparray_class, module)?)?;
    module.add_function(wrap_pyfunction!(_array_of_dparray, module)?)
}
