//! What can be assigned to an array object, and what it is a view of: `x.shape = …`, `x.dtype = …`,
//! `x.setflags(…)`, `x.resize(…)`, `x.base`.
//!
//! Elements stay where they are; the object gets another handle (`current_handle.rs`). Only `resize` may take
//! other memory, and does so only if nobody else uses the memory that there is.

use crate::array::PyArray;
use crate::array_flags::ArrayFlags;
use crate::conversion;
use crate::creation::shape_from_object;
use crate::dtype::{dtype_from_object, dtype_to_numpy};
use crate::errors::{Class, Unlocked, error};
use crate::view_methods::{one_or_all, viewed_as};
use crate::views::reshape_argument;
use colocate_array::{Array, resize};
use colocate_runtime::Access;
use numpy::PyArrayDescr;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

impl PyArray {
    /// Whether the memory was allocated for this array.
    pub fn owns_memory(&self) -> bool {
        self.base.is_none() && !self.inner.usm().is_foreign()
    }

    /// Lets the elements be written to from now on, or not.
    pub fn set_writable(&self, writable: bool) -> PyResult<()> {
        let array: &Array = &self.inner;
        if writable && !array.is_writable() {
            let repeats = |(&extent, &stride): (&usize, &isize)| extent > 1 && stride == 0;
            let layout = array.layout();
            let is_repeated = layout.shape().iter().zip(layout.strides()).any(repeats);
            let was_writable = self.inner.first().is_writable();
            let base = self.base.as_ref();
            let base_is_writable = base.is_some_and(|base| base.get().inner.is_writable());
            if is_repeated || !(was_writable && base.is_none() || base_is_writable) {
                return Err(error(
                    Class::InvalidArgumentError,
                    "this array cannot be made writable: its memory is read-only, or several of its elements \
                     are one in memory; write to a copy",
                ));
            }
        }
        self.inner.replace(array.clone().with_writable(writable));
        Ok(())
    }
}

#[pymethods]
impl PyArray {
    /// The extents of the axes. They may be set where that needs no copy, as in NumPy.
    #[getter]
    fn get_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.inner.shape())
    }

    #[setter]
    fn set_shape(&self, shape: &Bound<'_, PyAny>) -> PyResult<()> {
        let array: &Array = &self.inner;
        let shape = reshape_argument(shape, array.size())?;
        match array.reshaped_view(&shape) {
            Some(view) => {
                self.inner.replace(view);
                Ok(())
            }
            None => Err(PyAttributeError::new_err(format!(
                "the elements of an array of shape {:?} with these strides cannot have the shape {shape:?} in place; \
                 x.reshape({shape:?}) makes a copy",
                array.shape()
            ))),
        }
    }

    /// The element type, a ``numpy.dtype``. Setting it has the same bytes read as another dtype.
    #[getter]
    fn get_dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDescr>> {
        dtype_to_numpy(py, self.inner.dtype())
    }

    #[setter]
    fn set_dtype(&self, dtype: &Bound<'_, PyAny>) -> PyResult<()> {
        let dtype = dtype_from_object(dtype)?;
        self.inner.replace(viewed_as(&self.inner, dtype)?);
        Ok(())
    }

    /// How the elements lie in memory, and whether they may be written to; by key or as attributes.
    #[getter]
    fn flags(slf: &Bound<'_, Self>) -> ArrayFlags {
        ArrayFlags::of(slf)
    }

    /// The array whose memory this one is a view of; ``None`` if the memory is its own.
    #[getter]
    fn base(&self, py: Python<'_>) -> Option<Py<PyArray>> {
        self.base.as_ref().map(|base| base.clone_ref(py))
    }

    /// Sets flags; only ``write`` has a meaning here. As in NumPy, a view can be made writable if its base is.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.zeros(3)
    /// >>> x.setflags(write=False)
    /// >>> x.flags.writeable
    /// False
    #[pyo3(signature = (write = None, align = None, uic = None))]
    fn setflags(
        &self,
        write: Option<bool>,
        align: Option<bool>,
        uic: Option<bool>,
    ) -> PyResult<()> {
        let refuse = |why: &str| Err(error(Class::InvalidArgumentError, why));
        if align == Some(true) {
            let address = self.inner.pointer() as usize;
            if !address.is_multiple_of(self.inner.dtype().alignment()) {
                return refuse("setflags: the addresses of the elements do not suit their dtype");
            }
        }
        if uic == Some(true) {
            return refuse("setflags: no array is written back to another one");
        }
        match write {
            Some(write) => self.set_writable(write),
            None => Ok(()),
        }
    }

    /// Another shape of any size, in place: the elements stay in their order in memory, and new ones are zero.
    ///
    /// Parameters
    /// ----------
    /// new_shape : int, tuple of int, or several int
    /// refcheck : bool
    ///     Whether other arrays or buffers that use the same memory are a ``ValueError``. With ``False`` they keep
    ///     the old memory.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.asarray([1, 2, 3])
    /// >>> x.resize(2, 2)
    /// >>> x.tolist()
    /// [[1, 2], [3, 0]]
    #[pyo3(signature = (*new_shape, refcheck = true))]
    fn resize(
        slf: &Bound<'_, Self>,
        new_shape: &Bound<'_, PyTuple>,
        refcheck: bool,
    ) -> PyResult<()> {
        let (py, this) = (slf.py(), slf.get());
        if new_shape.is_empty() || new_shape.len() == 1 && new_shape.get_item(0)?.is_none() {
            return Ok(());
        }
        let shape = shape_from_object(&one_or_all(new_shape)?)?;
        let array: &Array = &this.inner;
        let refuse = |why: &str| Err(error(Class::InvalidArgumentError, why));
        if array.shape() == &shape[..] {
            return Ok(());
        }
        if !this.owns_memory() {
            return refuse("resize: the array is a view of memory that is not its own");
        }
        let layout = array.layout();
        if !(layout.is_c_contiguous() || layout.is_f_contiguous()) {
            return refuse("resize: the elements do not lie in memory without gaps");
        }
        let usm = array.usm();
        // Work that is not over may keep the memory, too.
        py.unlocked(|| usm.wait_for(Access::Write))?;
        let is_used = Arc::strong_count(usm) > this.inner.handles_of_memory();
        if is_used && refcheck {
            return refuse(
                "resize: other arrays or buffers use the same memory; refcheck=False leaves it to them",
            );
        }
        let resized = conversion::allocated(py, array.queue(), || {
            resize::resized(array, &shape, is_used)
        })?;
        this.inner.replace(resized);
        Ok(())
    }
}
