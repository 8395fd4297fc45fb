//! `colocate.Array`: attributes, views and moves.

use crate::context::PyContext;
use crate::conversion;
use crate::current;
use crate::current_handle::CurrentHandle;
use crate::device::PyDevice;
use crate::errors::{Class, OrRaise, Unlocked, error};
use crate::index::{self, Index};
use crate::memory_order;
use crate::queue::{PyQueue, queue_from_object};
use colocate_array::Array;
use colocate_runtime::Access;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PyList, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use std::sync::Arc;

/// An n-dimensional array that carries the queue it lives on.
///
/// Made by :func:`asarray`, :func:`empty`, :func:`zeros`, :func:`ones`, :func:`full` and
/// :func:`from_dlpack`. Functions of several arrays run on the queue the arrays share.
///
/// Examples
/// --------
/// >>> import colocate as cl, numpy as np
/// >>> x = cl.asarray(np.arange(6).reshape(2, 3), device="native:cpu", usm_type="shared")
/// >>> x.shape, x.dtype, x.usm_type, x.device.backend
/// ((2, 3), dtype('int64'), 'shared', 'native')
/// >>> cl.asnumpy(x[:, ::-1])
/// array([[2, 1, 0],
///        [5, 4, 3]])
#[pyclass(frozen, name = "Array", module = "colocate", weakref, subclass)]
pub struct PyArray {
    pub inner: CurrentHandle,
    /// The array whose memory this one is a view of; `None` if the memory is its own.
    pub base: Option<Py<PyArray>>,
    /// The namespace of `offload_to` that made it; `None` for the plain one (R6.4).
    pub namespace: Option<Py<PyAny>>,
}

impl From<Array> for PyArray {
    fn from(inner: Array) -> PyArray {
        PyArray {
            inner: inner.into(),
            base: None,
            namespace: None,
        }
    }
}

impl PyArray {
    /// An array computed from this one, of the same namespace.
    pub fn derive(&self, py: Python<'_>, inner: Array) -> PyArray {
        PyArray {
            inner: inner.into(),
            base: None,
            namespace: self
                .namespace
                .as_ref()
                .map(|namespace| namespace.clone_ref(py)),
        }
    }

    /// What a function made of an array: of the same namespace, and with it as its base if it is a view.
    pub fn view_or_copy(of: &Bound<'_, PyArray>, inner: Array) -> PyArray {
        let (py, this) = (of.py(), of.get());
        let mut made = this.derive(py, inner);
        if Arc::ptr_eq(made.inner.usm(), this.inner.usm()) {
            // As in NumPy, the one that the memory belongs to.
            let owner = this.base.as_ref().map(|base| base.clone_ref(py));
            made.base = Some(owner.unwrap_or_else(|| of.clone().unbind()));
        }
        made
    }

    fn for_sycl_packages<'py>(
        &self,
        own: Bound<'py, PyAny>,
        what: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.inner.queue().device().family() == "sycl" {
            let py = own.py();
            let queue = Bound::new(py, self.queue())?;
            return py
                .import("colocate._sycl")?
                .call_method1("dpctl_view", (own, queue, what));
        }
        Ok(own)
    }
}

#[pymethods]
impl PyArray {
    /// Bytes between neighbours along each axis, as in NumPy.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let item = self.inner.dtype().itemsize() as isize;
        PyTuple::new(
            py,
            self.inner
                .layout()
                .strides()
                .iter()
                .map(|stride| stride * item),
        )
    }

    /// Number of axes.
    #[getter]
    fn ndim(&self) -> usize {
        self.inner.layout().ndim()
    }

    /// Number of elements.
    #[getter]
    fn size(&self) -> usize {
        self.inner.size()
    }

    /// Bytes of an element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.inner.dtype().itemsize()
    }

    /// Bytes of all elements.
    #[getter]
    fn nbytes(&self) -> usize {
        self.inner.nbytes()
    }

    /// The axes reversed, as a view.
    #[getter]
    #[pyo3(name = "T")]
    fn transposed(slf: &Bound<'_, Self>) -> PyArray {
        PyArray::view_or_copy(slf, slf.get().inner.transposed())
    }

    /// The queue it lives on.
    #[getter]
    fn queue(&self) -> PyQueue {
        self.inner.queue().clone().into()
    }

    /// The device it lives on.
    #[getter]
    fn device(&self) -> PyDevice {
        self.inner.queue().device().clone().into()
    }

    /// The context its memory belongs to.
    #[getter]
    fn context(&self) -> PyContext {
        self.inner.queue().context().clone().into()
    }

    /// Same as :attr:`queue`, for packages that look for this name. On a SYCL device it is an
    /// object of dpctl's class, too, since those packages accept no other.
    #[getter]
    fn sycl_queue<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.for_sycl_packages(Bound::new(py, self.queue())?.into_any(), "queue")
    }

    /// Same as :attr:`device`, for packages that look for this name. On a SYCL device it is an
    /// object of dpctl's class, too, since those packages accept no other.
    #[getter]
    fn sycl_device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.for_sycl_packages(Bound::new(py, self.device())?.into_any(), "device")
    }

    /// Same as :attr:`context`, for packages that look for this name. On a SYCL device it is an
    /// object of dpctl's class, too, since those packages accept no other.
    #[getter]
    fn sycl_context<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.for_sycl_packages(Bound::new(py, self.context())?.into_any(), "context")
    }

    /// ``"device"``, ``"shared"`` or ``"host"``.
    #[getter]
    fn usm_type(&self) -> &'static str {
        self.inner.kind().name()
    }

    fn __len__(&self) -> PyResult<usize> {
        self.inner
            .shape()
            .first()
            .copied()
            .ok_or_else(|| PyTypeError::new_err("len() of a 0-d array"))
    }

    fn __getitem__(slf: &Bound<'_, Self>, index: &Bound<'_, PyAny>) -> PyResult<PyArray> {
        let array: &Array = &slf.get().inner;
        let selected = match index::single(index)? {
            Some(item) => array.index(&[item]).or_raise()?,
            None => match index::read(array, index)? {
                Index::Basic(items) => array.index(&items).or_raise()?,
                Index::Advanced(selectors) => index::gather(slf.py(), array, &selectors)?,
            },
        };
        Ok(PyArray::view_or_copy(slf, selected))
    }

    fn __setitem__(
        &self,
        py: Python<'_>,
        index: &Bound<'_, PyAny>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        if index.is_instance_of::<PyEllipsis>() {
            return conversion::assign(py, &self.inner, value);
        }
        match index::read(&self.inner, index)? {
            Index::Basic(items) => {
                let target = self.inner.index(&items).or_raise()?;
                conversion::assign(py, &target, value)
            }
            Index::Advanced(selectors) => index::scatter(py, &self.inner, &selectors, value),
        }
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let length = slf
            .get()
            .__len__()
            .map_err(|_| PyTypeError::new_err("iteration over a 0-d array"))?;
        let rows = (0..length)
            .map(|row| Self::__getitem__(slf, row.into_pyobject(slf.py())?.as_any()))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(slf.py(), rows)?.try_iter()?.into_any())
    }

    /// A copy on another queue; always copies (R2.5). Without an argument, on the current queue.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> q = cl.Queue("native:cpu")
    /// >>> x = cl.ones(3, device="native:cpu")
    /// >>> x.copy_to(q).queue == q
    /// True
    #[pyo3(signature = (queue = None, *, usm_type = None))]
    fn copy_to(
        &self,
        py: Python<'_>,
        queue: Option<&Bound<'_, PyAny>>,
        usm_type: Option<&str>,
    ) -> PyResult<PyArray> {
        let queue = current::target_queue(py, None, queue)?;
        let kind = conversion::usm_kind(usm_type)?.unwrap_or(self.inner.kind());
        let copy = py.unlocked(|| self.inner.copy_to(&queue, kind))?;
        Ok(self.derive(py, copy))
    }

    /// The same data for another queue; copies only if that queue cannot use it in place (R2.5).
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.ones(3, device="native:cpu")
    /// >>> y = x.make_available(cl.Queue("native:cpu"))
    /// >>> y[0] = 5
    /// >>> float(x[0])
    /// 5.0
    fn make_available(slf: &Bound<'_, Self>, queue: &Bound<'_, PyAny>) -> PyResult<PyArray> {
        let queue = queue_from_object(queue)?;
        let moved = conversion::moved(slf.py(), &slf.get().inner, &queue, None, None, None)?;
        Ok(PyArray::view_or_copy(slf, moved))
    }

    /// ``asarray(x, queue=other.queue)``.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x, y = cl.ones(3), cl.zeros(2, queue=cl.Queue("native:cpu"))
    /// >>> x.collocate(y).queue == y.queue
    /// True
    fn collocate(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<PyArray> {
        let queue = match other
            .getattr("queue")
            .or_else(|_| other.getattr("sycl_queue"))
        {
            Ok(queue) => queue,
            Err(_) => {
                return Err(error(
                    Class::InvalidArgumentError,
                    format!(
                        "collocate takes an array, not {}; make_available takes a queue",
                        other.repr()?
                    ),
                ));
            }
        };
        Self::make_available(slf, &queue)
    }

    /// The array on a device, as in the Array API standard: itself if it is there already.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.ones(3)
    /// >>> x.to_device("native:cpu").device.selector
    /// 'native:cpu:0'
    #[pyo3(signature = (device, /, *, stream = None))]
    fn to_device(
        slf: &Bound<'_, Self>,
        device: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        if stream.is_some_and(|stream| !stream.is_none()) {
            return Err(error(
                Class::InvalidArgumentError,
                "stream= is not used: the copy is ordered by the arrays' queues",
            ));
        }
        let (py, this) = (slf.py(), slf.get());
        let queue = conversion::queue_on(&this.inner, device)?;
        if queue == *this.inner.queue() {
            return Ok(slf.clone().into_any().unbind());
        }
        let moved = conversion::moved(py, &this.inner, &queue, None, None, None)?;
        Ok(Bound::new(py, PyArray::view_or_copy(slf, moved))?
            .into_any()
            .unbind())
    }

    /// :func:`colocate.asarray` as a method.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.ones(3, dtype="int32").asarray(dtype="float32").dtype
    /// dtype('float32')
    #[pyo3(signature = (queue = None, usm_type = None, *, device = None, dtype = None, copy = None, order = None))]
    fn asarray(
        slf: &Bound<'_, Self>,
        queue: Option<&Bound<'_, PyAny>>,
        usm_type: Option<&str>,
        device: Option<&Bound<'_, PyAny>>,
        dtype: Option<&Bound<'_, PyAny>>,
        copy: Option<bool>,
        order: Option<&str>,
    ) -> PyResult<PyArray> {
        let made = conversion::asarray(
            slf.py(),
            slf.as_any(),
            dtype,
            device,
            queue,
            usm_type,
            copy,
            order,
        )?;
        Ok(PyArray::view_or_copy(slf, made.inner.into_inner()))
    }

    /// Alias of :meth:`asarray`.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.ones(3).as_array(usm_type="host").usm_type
    /// 'host'
    #[pyo3(signature = (queue = None, usm_type = None, *, device = None, dtype = None, copy = None, order = None))]
    fn as_array(
        slf: &Bound<'_, Self>,
        queue: Option<&Bound<'_, PyAny>>,
        usm_type: Option<&str>,
        device: Option<&Bound<'_, PyAny>>,
        dtype: Option<&Bound<'_, PyAny>>,
        copy: Option<bool>,
        order: Option<&str>,
    ) -> PyResult<PyArray> {
        Self::asarray(slf, queue, usm_type, device, dtype, copy, order)
    }

    /// A copy on the same queue, without gaps.
    ///
    /// Parameters
    /// ----------
    /// order : {"C", "F", "A", "K"}
    ///     ``"F"`` for an array whose first axis varies fastest in memory, ``"A"`` and ``"K"`` for the order there is.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> x = cl.zeros(3)
    /// >>> y = x.copy()
    /// >>> y[0] = 1
    /// >>> float(x[0])
    /// 0.0
    #[pyo3(signature = (order = "C"))]
    fn copy(&self, py: Python<'_>, order: Option<&str>) -> PyResult<PyArray> {
        let copy = memory_order::copied_in_order(py, &self.inner, order)?;
        Ok(self.derive(py, copy))
    }

    /// Waits until work submitted on the array's memory is done.
    ///
    /// Functions wait by themselves where they must; this is for timing, and for host views that
    /// were taken before the work was submitted.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.zeros(1_000_000).wait()
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        let usm = self.inner.usm();
        if usm.is_idle() {
            return Ok(());
        }
        py.unlocked(|| usm.wait_for(Access::Write))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<PyArray> {
        self.copy(py, None)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<PyArray> {
        self.copy(py, None)
    }

    /// The namespace of functions for this array: ``colocate``, or what ``offload_to`` gave.
    ///
    /// Examples
    /// --------
    /// >>> import colocate as cl
    /// >>> cl.ones(3).__array_namespace__() is cl
    /// True
    #[pyo3(signature = (*, api_version = None))]
    fn __array_namespace__(
        &self,
        py: Python<'_>,
        api_version: Option<&str>,
    ) -> PyResult<Py<PyAny>> {
        if api_version.is_some_and(|version| {
            !["2021.12", "2022.12", "2023.12", "2024.12", "2025.12"].contains(&version)
        }) {
            return Err(PyValueError::new_err(format!(
                "api_version={:?}: the Array API standard has no such version that colocate knows",
                api_version.unwrap_or_default()
            )));
        }
        self.__array_module__(py)
    }

    /// Same as :meth:`__array_namespace__`, as an attribute.
    #[getter]
    fn __array_module__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match &self.namespace {
            Some(namespace) => Ok(namespace.clone_ref(py)),
            None => Ok(py.import("colocate")?.into_any().unbind()),
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Some(namespace) = &self.namespace {
            visit.call(namespace)?;
        }
        if let Some(base) = &self.base {
            visit.call(base)?;
        }
        Ok(())
    }

    /// The same array as a result of another namespace.
    fn _in_namespace(&self, py: Python<'_>, namespace: Py<PyAny>) -> PyArray {
        PyArray {
            inner: self.inner.clone().into(),
            base: self.base.as_ref().map(|base| base.clone_ref(py)),
            namespace: Some(namespace),
        }
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let array = &*slf.get().inner;
        let rebuild = py
            .import("colocate._native")?
            .getattr("_array_from_pickle")?;
        let device = Bound::new(py, PyDevice::from(array.queue().device().clone()))?;
        let elements = conversion::host_copy(py, array)?;
        Ok((
            rebuild,
            (elements, device, array.kind().name()).into_pyobject(py)?,
        ))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let text = slf.py().import("colocate._text")?;
        text.call_method1("array", (slf,))?.extract()
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<String> {
        let html = slf.py().import("colocate._html")?;
        html.call_method1("array", (slf,))?.extract()
    }
}
