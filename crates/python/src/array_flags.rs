//! `x.flags`: how an array's elements lie, and whether they may be written.

use colocate_array::Array;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

/// What ``x.flags`` gives. Keys may be written in capitals, as NumPy's are.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> flags = cl.ones((2, 3)).T.flags
/// >>> flags.f_contiguous, flags["C_CONTIGUOUS"], flags.writeable
/// (True, False, True)
#[pyclass(frozen, name = "ArrayFlags", module = "colocate")]
pub struct ArrayFlags {
    c_contiguous: bool,
    f_contiguous: bool,
    writable: bool,
    aligned: bool,
}

impl ArrayFlags {
    /// Those of an array.
    pub fn of(array: &Array) -> ArrayFlags {
        let address = array.pointer() as usize;
        ArrayFlags {
            c_contiguous: array.layout().is_c_contiguous(),
            f_contiguous: array.layout().is_f_contiguous(),
            writable: array.is_writable(),
            aligned: address.is_multiple_of(array.dtype().alignment()),
        }
    }
}

#[pymethods]
impl ArrayFlags {
    /// Whether the elements lie in row-major order without gaps.
    #[getter]
    fn c_contiguous(&self) -> bool {
        self.c_contiguous
    }

    /// Whether the elements lie in column-major order without gaps.
    #[getter]
    fn f_contiguous(&self) -> bool {
        self.f_contiguous
    }

    /// Whether the elements may be written to.
    #[getter]
    fn writable(&self) -> bool {
        self.writable
    }

    /// NumPy's spelling of :attr:`writable`.
    #[getter]
    fn writeable(&self) -> bool {
        self.writable
    }

    /// Whether the elements' addresses suit their dtype.
    #[getter]
    fn aligned(&self) -> bool {
        self.aligned
    }

    fn __getitem__(&self, key: &str) -> PyResult<bool> {
        match key.to_ascii_lowercase().as_str() {
            "c_contiguous" | "c" => Ok(self.c_contiguous),
            "f_contiguous" | "f" => Ok(self.f_contiguous),
            "writable" | "writeable" | "w" => Ok(self.writable),
            "aligned" | "a" => Ok(self.aligned),
            _ => Err(PyKeyError::new_err(key.to_owned())),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<ArrayFlags>().is_ok_and(|other| {
            let other = other.get();
            self.c_contiguous == other.c_contiguous
                && self.f_contiguous == other.f_contiguous
                && self.writable == other.writable
                && self.aligned == other.aligned
        })
    }

    fn __repr__(&self) -> String {
        let shown = |truth: bool| if truth { "True" } else { "False" };
        format!(
            "ArrayFlags(c_contiguous={}, f_contiguous={}, writable={}, aligned={})",
            shown(self.c_contiguous),
            shown(self.f_contiguous),
            shown(self.writable),
            shown(self.aligned),
        )
    }
}
