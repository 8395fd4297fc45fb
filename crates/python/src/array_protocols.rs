//! How the host reads arrays: the buffer protocol, `numpy.asarray`, `float(x)` (R2.3).

use crate::array::PyArray;
use crate::array_interface;
use crate::conversion::{host_copy, is_host_visible, refusal};
use crate::dlpack;
use crate::errors::{OrRaise, Unlocked};
use colocate_runtime::{Access, Usm};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::c_int;
use std::sync::Arc;

/// What a buffer's consumer may look at for as long as it holds the buffer.
struct BufferFacts {
    shape: Vec<ffi::Py_ssize_t>,
    strides: Vec<ffi::Py_ssize_t>,
    /// The memory, which the array that was asked may have exchanged for other memory meanwhile.
    _memory: Arc<Usm>,
}

#[pymethods]
impl PyArray {
    /// Fills a buffer with a view of the elements, after waiting for work on them.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        if view.is_null() {
            return Err(PyBufferError::new_err("no buffer to fill"));
        }
        let array = &*slf.get().inner;
        let refuse = |why: &str| Err(PyBufferError::new_err(why.to_owned()));
        if !is_host_visible(array) {
            return Err(refusal(array));
        }
        if flags & ffi::PyBUF_WRITABLE != 0 && !array.is_writable() {
            return refuse("the array is read-only");
        }
        let (layout, item) = (array.layout(), array.dtype().itemsize());
        let wants = |bits: c_int| flags & bits == bits;
        if wants(ffi::PyBUF_C_CONTIGUOUS) && !layout.is_c_contiguous() {
            return refuse("the array is not C-contiguous");
        }
        if wants(ffi::PyBUF_F_CONTIGUOUS) && !layout.is_f_contiguous() {
            return refuse("the array is not Fortran-contiguous");
        }
        if !wants(ffi::PyBUF_STRIDES) && !layout.is_c_contiguous() {
            return refuse("the array is not contiguous, and the consumer takes no strides");
        }
        slf.py().unlocked(|| array.usm().wait_for(Access::Write))?;

        let mut facts = Box::new(BufferFacts {
            shape: array
                .shape()
                .iter()
                .map(|&n| n as ffi::Py_ssize_t)
                .collect(),
            strides: layout
                .strides()
                .iter()
                .map(|&n| n * item as isize)
                .collect(),
            _memory: array.usm().clone(),
        });
        // SAFETY: the consumer gave a buffer to fill. Pointers into `facts` stay valid until
        // `__releasebuffer__` drops it, and so does the memory.
        unsafe {
            (*view).buf = array.pointer().cast();
            (*view).len = array.nbytes() as ffi::Py_ssize_t;
            (*view).readonly = c_int::from(!array.is_writable());
            (*view).itemsize = item as ffi::Py_ssize_t;
            (*view).format = if wants(ffi::PyBUF_FORMAT) {
                array.dtype().buffer_format().as_ptr().cast_mut()
            } else {
                std::ptr::null_mut()
            };
            (*view).ndim = layout.ndim() as c_int;
            (*view).shape = if wants(ffi::PyBUF_ND) {
                facts.shape.as_mut_ptr()
            } else {
                std::ptr::null_mut()
            };
            (*view).strides = if wants(ffi::PyBUF_STRIDES) {
                facts.strides.as_mut_ptr()
            } else {
                std::ptr::null_mut()
            };
            (*view).suboffsets = std::ptr::null_mut();
            (*view).internal = Box::into_raw(facts).cast();
            (*view).obj = slf.into_any().into_ptr();
        }
        Ok(())
    }

    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: `internal` is the box that `__getbuffer__` put there.
        unsafe { drop(Box::from_raw((*view).internal.cast::<BufferFacts>())) }
    }

    /// ``numpy.asarray(x)``: a view where the host can reach the memory, else a ``TypeError``.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let array = &*slf.get().inner;
        if !is_host_visible(array) {
            return Err(refusal(array));
        }
        let numpy = py.import("numpy")?;
        let view = numpy.call_method1(
            "asarray",
            (py.get_type::<pyo3::types::PyMemoryView>().call1((slf,))?,),
        )?;
        let options = PyDict::new(py);
        options.set_item("copy", copy)?;
        if let Some(dtype) = dtype {
            options.set_item("dtype", dtype)?;
        }
        numpy.call_method("array", (view,), Some(&options))
    }

    /// NumPy's ufuncs on our arrays are ours (R3.5).
    #[pyo3(signature = (*args, **kwargs))]
    fn __array_ufunc__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        numpy_protocol(slf, "array_ufunc", args, kwargs)
    }

    /// NumPy's functions on our arrays are ours (R3.5).
    #[pyo3(signature = (*args))]
    fn __array_function__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        numpy_protocol(slf, "array_function", args, None)
    }

    /// How SYCL packages share memory (R7.1). Strides and offset are in elements.
    #[getter]
    fn __sycl_usm_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        array_interface::export(py, &self.inner)
    }

    /// A DLPack capsule of the array (R7.2).
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl, numpy as np
    /// >>> np.from_dlpack(cl.ones(3, device="native:cpu"))
    /// array([1., 1., 1.])
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(Bound<'py, PyAny>, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        dlpack::export(py, &self.inner, stream, max_version, dl_device, copy)
    }

    /// DLPack's device type and number.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.ones(3, device="native:cpu").__dlpack_device__()
    /// (1, 0)
    fn __dlpack_device__(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        dlpack::device_of(py, &self.inner)
    }

    /// The only element as a Python scalar; with an index, that element.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.full((1, 1), 7).item()
    /// 7
    #[pyo3(signature = (*index))]
    fn item<'py>(
        &self,
        py: Python<'py>,
        index: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let element = if index.is_empty() {
            self.inner.clone()
        } else {
            self.inner
                .index(&crate::index::basic_items(index)?)
                .or_raise()?
        };
        if element.size() != 1 {
            return Err(PyValueError::new_err(format!(
                "only an array of one element is a scalar, and this one has shape {:?}",
                element.shape()
            )));
        }
        host_copy(py, &element)?.call_method0("item")
    }

    /// The elements as nested lists of Python scalars; copies them to the host.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.ones((2, 2), dtype="int8").tolist()
    /// [[1, 1], [1, 1]]
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        host_copy(py, &self.inner)?.call_method0("tolist")
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        if self.inner.size() != 1 {
            return Err(PyValueError::new_err(format!(
                "an array of {} elements is neither true nor false: write x.any() or x.all()",
                self.inner.size()
            )));
        }
        host_copy(py, &self.inner)?
            .call_method0("item")?
            .is_truthy()
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.converted(py, "__int__", "int")
    }

    fn __float__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.converted(py, "__float__", "float")
    }

    fn __complex__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<pyo3::types::PyComplex>()
            .call1((self.scalar(py)?,))
    }

    fn __index__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        use colocate_dtype::Kind;
        if self.inner.layout().ndim() != 0
            || !matches!(self.inner.dtype().kind(), Kind::Int | Kind::UInt)
        {
            return Err(PyTypeError::new_err(
                "only a 0-d integer array can be an index",
            ));
        }
        self.scalar(py)
    }
}

/// Leaves to `colocate._numpy_protocol` what NumPy asks for.
fn numpy_protocol<'py>(
    array: &Bound<'py, PyArray>,
    function: &str,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let mut all = vec![array.clone().into_any()];
    all.extend(args.iter());
    py.import("colocate._numpy_protocol")?
        .getattr(function)?
        .call(PyTuple::new(py, all)?, kwargs)
}

impl PyArray {
    fn scalar<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.inner.layout().ndim() != 0 {
            return Err(PyTypeError::new_err(format!(
                "only a 0-d array converts to a Python scalar, and this one has shape {:?}; write x.item() for one element",
                self.inner.shape()
            )));
        }
        host_copy(py, &self.inner)?.call_method0("item")
    }

    fn converted<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let scalar = self.scalar(py)?;
        if scalar.hasattr(method)? {
            return scalar.call_method0(method);
        }
        Err(self.no_such_scalar(name))
    }

    fn no_such_scalar(&self, name: &str) -> PyErr {
        PyTypeError::new_err(format!(
            "cannot convert an element of type {} to {name}",
            self.inner.dtype()
        ))
    }
}
