//! `x.flags`: how an array's elements lie, and whether they may be written.

use crate::array::PyArray;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;

/// What ``x.flags`` gives: NumPy's flags, as attributes or by key. ``writeable`` can be set.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> x = cl.ones((2, 3)).T
/// >>> x.flags.f_contiguous, x.flags["C_CONTIGUOUS"], x.flags.owndata
/// (True, False, False)
/// >>> x.flags.writeable = False
/// >>> x.flags["W"]
/// False
#[pyclass(frozen, name = "ArrayFlags", module = "colocate")]
pub struct ArrayFlags {
    array: Py<PyArray>,
}

impl ArrayFlags {
    /// Those of an array.
    pub fn of(array: &Bound<'_, PyArray>) -> ArrayFlags {
        let array = array.clone().unbind();
        ArrayFlags { array }
    }
}

#[pymethods]
impl ArrayFlags {
    /// Whether the elements lie in row-major order without gaps.
    #[getter]
    fn c_contiguous(&self) -> bool {
        self.array.get().inner.layout().is_c_contiguous()
    }

    /// Same as :attr:`c_contiguous`.
    #[getter]
    fn contiguous(&self) -> bool {
        self.c_contiguous()
    }

    /// Whether the elements lie in column-major order without gaps.
    #[getter]
    fn f_contiguous(&self) -> bool {
        self.array.get().inner.layout().is_f_contiguous()
    }

    /// Same as :attr:`f_contiguous`.
    #[getter]
    fn fortran(&self) -> bool {
        self.f_contiguous()
    }

    /// Whether the memory was allocated for this array, which is then no view.
    #[getter]
    fn owndata(&self) -> bool {
        self.array.get().owns_memory()
    }

    /// Whether the elements may be written to.
    #[getter]
    fn get_writeable(&self) -> bool {
        self.array.get().inner.is_writable()
    }

    #[setter]
    fn set_writeable(&self, writable: bool) -> PyResult<()> {
        self.array.get().set_writable(writable)
    }

    /// Same as :attr:`writeable`.
    #[getter]
    fn get_writable(&self) -> bool {
        self.get_writeable()
    }

    #[setter]
    fn set_writable(&self, writable: bool) -> PyResult<()> {
        self.set_writeable(writable)
    }

    /// Whether the elements' addresses suit their dtype.
    #[getter]
    fn aligned(&self) -> bool {
        let array = &self.array.get().inner;
        (array.pointer() as usize).is_multiple_of(array.dtype().alignment())
    }

    /// Always false: no array is written back to another one.
    #[getter]
    fn writebackifcopy(&self) -> bool {
        false
    }

    /// Column-major and not row-major.
    #[getter]
    fn fnc(&self) -> bool {
        self.f_contiguous() && !self.c_contiguous()
    }

    /// Column-major or row-major.
    #[getter]
    fn forc(&self) -> bool {
        self.f_contiguous() || self.c_contiguous()
    }

    /// Aligned and writable.
    #[getter]
    fn behaved(&self) -> bool {
        self.aligned() && self.get_writeable()
    }

    /// Row-major, aligned and writable.
    #[getter]
    fn carray(&self) -> bool {
        self.behaved() && self.c_contiguous()
    }

    /// Column-major and not row-major, aligned and writable.
    #[getter]
    fn farray(&self) -> bool {
        self.behaved() && self.fnc()
    }

    /// All flags as the bits of a number, which are NumPy's.
    #[getter]
    fn num(&self) -> u32 {
        let bits = [
            (self.c_contiguous(), 0x1),
            (self.f_contiguous(), 0x2),
            (self.owndata(), 0x4),
            (self.aligned(), 0x100),
            (self.get_writeable(), 0x400),
        ];
        bits.iter()
            .filter(|(set, _)| *set)
            .map(|(_, bit)| bit)
            .sum()
    }

    fn __getitem__(&self, key: &str) -> PyResult<bool> {
        match key.to_ascii_lowercase().as_str() {
            "c_contiguous" | "contiguous" | "c" => Ok(self.c_contiguous()),
            "f_contiguous" | "fortran" | "f" => Ok(self.f_contiguous()),
            "owndata" | "o" => Ok(self.owndata()),
            "writable" | "writeable" | "w" => Ok(self.get_writeable()),
            "aligned" | "a" => Ok(self.aligned()),
            "writebackifcopy" | "x" => Ok(false),
            "fnc" => Ok(self.fnc()),
            "forc" => Ok(self.forc()),
            "behaved" | "b" => Ok(self.behaved()),
            "carray" | "ca" => Ok(self.carray()),
            "farray" | "fa" => Ok(self.farray()),
            _ => Err(PyKeyError::new_err(key.to_owned())),
        }
    }

    fn __setitem__(&self, key: &str, value: bool) -> PyResult<()> {
        match key.to_ascii_lowercase().as_str() {
            "writable" | "writeable" | "w" => self.set_writeable(value),
            "aligned" | "a" if value == self.aligned() => Ok(()),
            "writebackifcopy" | "x" if !value => Ok(()),
            "aligned" | "a" | "writebackifcopy" | "x" => Err(PyValueError::new_err(format!(
                "{key} cannot be set to {value}"
            ))),
            _ => Err(PyKeyError::new_err(key.to_owned())),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<ArrayFlags>()
            .is_ok_and(|other| self.num() == other.get().num())
    }

    fn __repr__(&self) -> String {
        let all = [
            ("C_CONTIGUOUS", self.c_contiguous()),
            ("F_CONTIGUOUS", self.f_contiguous()),
            ("OWNDATA", self.owndata()),
            ("WRITEABLE", self.get_writeable()),
            ("ALIGNED", self.aligned()),
            ("WRITEBACKIFCOPY", false),
        ];
        let shown = |truth: bool| if truth { "True" } else { "False" };
        all.map(|(name, truth)| format!("  {name} : {}\n", shown(truth)))
            .concat()
    }
}
