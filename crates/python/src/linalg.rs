//! Linear algebra: arguments from Python objects, dtypes, shapes; `@`.
//!
//! What is composed of these functions is in `colocate/linalg`.

use crate::arguments::{array_argument, common_queue, result_kind};
use crate::array::PyArray;
use crate::conversion::without_gil;
use crate::dtype::dtype_from_object;
use crate::elementwise::check_cast;
use crate::errors::{Class, OrRaise, Unlocked, error, guarded};
use colocate_array::elementwise::{convert_into, converted};
use colocate_array::linalg::{self, Triangle};
use colocate_array::{Array, Result};
use colocate_dtype::{DType, Kind, promote_types};
use colocate_runtime::{Aspect, UsmKind};
use numpy::PyUntypedArray;
use pyo3::prelude::*;

/// Decompositions of matrices with at most this many elements are quicker than letting the GIL go.
const QUICK: usize = 16 * 16;

/// The array itself, or its elements converted.
fn of_dtype(array: &Array, dtype: DType) -> Result<Array> {
    if array.dtype() == dtype {
        return Ok(array.clone());
    }
    converted(array, dtype, array.kind())
}

///
/// The matrix product, also written ``x1 @ x2``.
///
/// The last two axes are matrices and the others are broadcast. An array with one axis is a row
/// vector on the left and a column vector on the right, and the result lacks that axis. Products of
/// half floats are summed as float32, those of integers wrap, those of bools are disjunctions of
/// conjunctions.
///
/// Parameters
/// ----------
/// x1, x2 : arrays with at least one axis
/// out : array, optional
///     Takes the result.
/// axes : list of tuples of int, optional
///     Which axes are the matrices of ``x1``, of ``x2`` and of the result; default: the last two.
/// dtype : optional
///     What is computed with.
///
/// Examples
/// --------
/// >>> import colocate as cl
/// >>> a = cl.asarray([[1.0, 2.0], [3.0, 4.0]])
/// >>> cl.matmul(a, cl.asarray([1.0, 1.0])).tolist()
/// [3.0, 7.0]
#[pyfunction]
#[pyo3(signature = (x1, x2, /, out=None, *, axes=None, dtype=None), text_signature = "(x1, x2, /, out=None, *, axes=None, dtype=None)")]
fn matmul(
    py: Python<'_>,
    x1: &Bound<'_, PyAny>,
    x2: &Bound<'_, PyAny>,
    out: Option<&Bound<'_, PyAny>>,
    axes: Option<&Bound<'_, PyAny>>,
    dtype: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    if let Some(axes) = axes.filter(|axes| !axes.is_none()) {
        let products = py.import("colocate._products")?;
        let product = products.call_method1("matmul_along", (x1, x2, out, axes, dtype))?;
        return Ok(product.unbind());
    }
    let left = array_argument("matmul", "x1", x1)?;
    let right = array_argument("matmul", "x2", x2)?;
    let out = out
        .filter(|out| !out.is_none())
        .map(|out| array_argument("matmul", "out", out))
        .transpose()?;
    let dtype = dtype
        .filter(|dtype| !dtype.is_none())
        .map(dtype_from_object)
        .transpose()?;
    multiply(py, left, right, out, dtype)
}

fn multiply(
    py: Python<'_>,
    x1: &Bound<'_, PyArray>,
    x2: &Bound<'_, PyArray>,
    out: Option<&Bound<'_, PyArray>>,
    dtype: Option<DType>,
) -> PyResult<Py<PyAny>> {
    let (left, right) = (&*x1.get().inner, &*x2.get().inner);
    let named = [("x1", left), ("x2", right)];
    match out {
        None => common_queue("matmul", &named)?,
        Some(out) => common_queue("matmul", &[named[0], named[1], ("out", &*out.get().inner)])?,
    };
    for (name, array) in named {
        if array.shape().is_empty() {
            let message = format!("matmul: {name} has no axis, and a matrix product needs one");
            return Err(error(Class::InvalidArgumentError, message));
        }
    }
    let common = promote_types(left.dtype(), right.dtype());
    let dtype = dtype.unwrap_or(common);
    check_cast("matmul", common, dtype)?;
    let kind = result_kind([left, right]);
    let work = || {
        let (left, right) = (of_dtype(left, dtype)?, of_dtype(right, dtype)?);
        linalg::matmul(&left, &right, kind)
    };
    let Some(out) = out else {
        let result = without_gil(py, &[left, right], work)?;
        let made = x1.get().derive(py, result);
        return Ok(Bound::new(py, made)?.into_any().unbind());
    };
    let target = &*out.get().inner;
    check_cast("matmul", dtype, target.dtype())?;
    let result = without_gil(py, &[left, right], work)?;
    if result.shape() != target.shape() {
        let message = format!(
            "matmul: out has the shape {:?}, the result {:?}",
            target.shape(),
            result.shape()
        );
        return Err(error(Class::InvalidArgumentError, message));
    }
    without_gil(py, &[target, &result], || convert_into(target, &result))?;
    Ok(out.clone().into_any().unbind())
}

fn operator(
    py: Python<'_>,
    left: &Bound<'_, PyAny>,
    right: &Bound<'_, PyAny>,
) -> PyResult<Py<PyAny>> {
    if let (Ok(left), Ok(right)) = (left.cast::<PyArray>(), right.cast::<PyArray>()) {
        return multiply(py, left, right, None, None);
    }
    for (name, side) in [("x1", left), ("x2", right)] {
        if side.is_instance_of::<PyUntypedArray>() {
            // Not mixed (R3.5), and it is here that this must be said.
            array_argument("matmul", name, side)?;
        }
    }
    Ok(py.NotImplemented())
}

#[pymethods]
impl PyArray {
    fn __matmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        operator(slf.py(), slf.as_any(), other)
    }

    fn __rmatmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        operator(slf.py(), other, slf.as_any())
    }

    fn __imatmul__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<()> {
        let right = array_argument("matmul", "x2", other)?;
        multiply(slf.py(), slf, right, Some(slf), None)?;
        Ok(())
    }
}

/// A matrix argument, or a batch of them, converted to a dtype that can be decomposed.
struct Matrices<'a, 'py> {
    maker: &'a Bound<'py, PyArray>,
    array: Array,
    kind: UsmKind,
}

impl<'a, 'py> Matrices<'a, 'py> {
    fn read(function: &str, x: &'a Bound<'py, PyAny>) -> PyResult<Matrices<'a, 'py>> {
        let maker = array_argument(function, "x", x)?;
        let array = &*maker.get().inner;
        let dtype = computed_dtype(function, array, array.dtype())?;
        two_axes(function, "x", array)?;
        Ok(Matrices {
            maker,
            array: of_dtype(array, dtype).or_raise()?,
            kind: array.kind(),
        })
    }

    fn read_square(function: &str, x: &'a Bound<'py, PyAny>) -> PyResult<Matrices<'a, 'py>> {
        let maker = array_argument(function, "x", x)?;
        square(function, "x", &maker.get().inner)?;
        Matrices::read(function, x)
    }

    fn run<T: Send>(&self, work: impl FnOnce(&Array, UsmKind) -> Result<T> + Send) -> PyResult<T> {
        let (array, kind) = (&self.array, self.kind);
        let quick = array.size() <= QUICK && array.usm().is_idle() && array.queue().is_idle();
        if quick && array.queue().runs_host_tasks() {
            guarded(|| work(array, kind))
        } else {
            self.maker.py().unlocked(|| work(array, kind))
        }
    }

    fn derive(&self, result: Array) -> PyArray {
        self.maker.get().derive(self.maker.py(), result)
    }
}

/// What is computed with: integers become floats, and half floats are not enough.
fn computed_dtype(function: &str, array: &Array, dtype: DType) -> PyResult<DType> {
    match dtype.kind() {
        _ if dtype == DType::Float16 => Err(error(
            Class::DTypeError,
            format!("{function}: matrices of float16 are not decomposed; convert them to float32"),
        )),
        Kind::Float | Kind::Complex => Ok(dtype),
        _ if array.queue().device().has(Aspect::Fp64) => Ok(DType::Float64),
        _ => Ok(DType::Float32),
    }
}

fn linalg_error(message: String) -> PyErr {
    error(Class::LinAlgError, message)
}

fn two_axes(function: &str, name: &str, array: &Array) -> PyResult<()> {
    if array.shape().len() >= 2 {
        return Ok(());
    }
    Err(linalg_error(format!(
        "{function}: {name} has {} axes, and a matrix has two",
        array.shape().len()
    )))
}

fn square(function: &str, name: &str, array: &Array) -> PyResult<()> {
    two_axes(function, name, array)?;
    let shape = array.shape();
    if shape[shape.len() - 1] == shape[shape.len() - 2] {
        return Ok(());
    }
    Err(linalg_error(format!(
        "{function}: {name} has matrices of {} rows and {} columns, which are not square",
        shape[shape.len() - 2],
        shape[shape.len() - 1]
    )))
}

/// The solution of `x1 @ x = x2`; `x2` has matrices.
#[pyfunction]
fn _solve(x1: &Bound<'_, PyAny>, x2: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    const NAME: &str = "linalg.solve";
    let left = array_argument(NAME, "x1", x1)?;
    let right = array_argument(NAME, "x2", x2)?;
    let (a, b) = (&*left.get().inner, &*right.get().inner);
    common_queue(NAME, &[("x1", a), ("x2", b)])?;
    square(NAME, "x1", a)?;
    two_axes(NAME, "x2", b)?;
    if a.shape()[a.shape().len() - 1] != b.shape()[b.shape().len() - 2] {
        let message = format!(
            "{NAME}: matrices of shapes {:?} and {:?} do not fit: x2 must have as many rows as x1",
            a.shape(),
            b.shape()
        );
        return Err(error(Class::InvalidArgumentError, message));
    }
    // As in NumPy, integers are computed with as float64 whatever they meet.
    let own = |array: &Array| match array.dtype().kind() {
        Kind::Float | Kind::Complex => Ok(array.dtype()),
        _ => computed_dtype(NAME, array, array.dtype()),
    };
    let dtype = computed_dtype(NAME, a, promote_types(own(a)?, own(b)?))?;
    let kind = result_kind([a, b]);
    let right = of_dtype(b, dtype).or_raise()?;
    let matrices = Matrices {
        maker: left,
        array: of_dtype(a, dtype).or_raise()?,
        kind,
    };
    let result = matrices.run(|a, kind| linalg::solve(a, &right, kind))?;
    Ok(matrices.derive(result))
}

#[pyfunction]
fn _inv(x: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let matrices = Matrices::read_square("linalg.inv", x)?;
    Ok(matrices.derive(matrices.run(linalg::inverse)?))
}

#[pyfunction]
fn _cholesky(x: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let matrices = Matrices::read_square("linalg.cholesky", x)?;
    Ok(matrices.derive(matrices.run(linalg::cholesky)?))
}

#[pyfunction]
fn _det(x: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let matrices = Matrices::read_square("linalg.det", x)?;
    Ok(matrices.derive(matrices.run(linalg::determinant)?))
}

#[pyfunction]
fn _slogdet(x: &Bound<'_, PyAny>) -> PyResult<(PyArray, PyArray)> {
    let matrices = Matrices::read_square("linalg.slogdet", x)?;
    let (sign, logarithm) = matrices.run(linalg::sign_and_logarithm)?;
    Ok((matrices.derive(sign), matrices.derive(logarithm)))
}

#[pyfunction]
fn _qr(x: &Bound<'_, PyAny>, complete: bool, with_q: bool) -> PyResult<(Option<PyArray>, PyArray)> {
    let matrices = Matrices::read("linalg.qr", x)?;
    let (q, r) = matrices.run(|a, kind| linalg::qr(a, complete, with_q, kind))?;
    Ok((q.map(|q| matrices.derive(q)), matrices.derive(r)))
}

#[pyfunction]
fn _svd(x: &Bound<'_, PyAny>, full_matrices: bool) -> PyResult<(PyArray, PyArray, PyArray)> {
    let matrices = Matrices::read("linalg.svd", x)?;
    let (s, vectors) = matrices.run(|a, kind| linalg::svd(a, Some(full_matrices), kind))?;
    let (u, vh) = vectors.expect("they were asked for");
    Ok((matrices.derive(u), matrices.derive(s), matrices.derive(vh)))
}

#[pyfunction]
fn _svdvals(x: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let matrices = Matrices::read("linalg.svdvals", x)?;
    let (s, _) = matrices.run(|a, kind| linalg::svd(a, None, kind))?;
    Ok(matrices.derive(s))
}

fn triangle(upper: bool) -> Triangle {
    if upper {
        Triangle::Upper
    } else {
        Triangle::Lower
    }
}

#[pyfunction]
fn _eigh(x: &Bound<'_, PyAny>, upper: bool) -> PyResult<(PyArray, PyArray)> {
    let matrices = Matrices::read_square("linalg.eigh", x)?;
    let found = matrices.run(|a, kind| linalg::eigen_hermitian(a, triangle(upper), true, kind))?;
    Ok(pair(&matrices, found))
}

#[pyfunction]
fn _eigvalsh(x: &Bound<'_, PyAny>, upper: bool) -> PyResult<PyArray> {
    let matrices = Matrices::read_square("linalg.eigvalsh", x)?;
    let (values, _) =
        matrices.run(|a, kind| linalg::eigen_hermitian(a, triangle(upper), false, kind))?;
    Ok(matrices.derive(values))
}

#[pyfunction]
fn _eig(x: &Bound<'_, PyAny>) -> PyResult<(PyArray, PyArray)> {
    let matrices = Matrices::read_square("linalg.eig", x)?;
    let found = matrices.run(|a, kind| linalg::eigen_general(a, true, kind))?;
    Ok(pair(&matrices, found))
}

#[pyfunction]
fn _eigvals(x: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let matrices = Matrices::read_square("linalg.eigvals", x)?;
    let (values, _) = matrices.run(|a, kind| linalg::eigen_general(a, false, kind))?;
    Ok(matrices.derive(values))
}

fn pair(matrices: &Matrices<'_, '_>, found: (Array, Option<Array>)) -> (PyArray, PyArray) {
    let vectors = found.1.expect("they were asked for");
    (matrices.derive(found.0), matrices.derive(vectors))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(matmul, module)?)?;
    module.add_function(wrap_pyfunction!(_solve, module)?)?;
    module.add_function(wrap_pyfunction!(_inv, module)?)?;
    module.add_function(wrap_pyfunction!(_cholesky, module)?)?;
    module.add_function(wrap_pyfunction!(_det, module)?)?;
    module.add_function(wrap_pyfunction!(_slogdet, module)?)?;
    module.add_function(wrap_pyfunction!(_qr, module)?)?;
    module.add_function(wrap_pyfunction!(_svd, module)?)?;
    module.add_function(wrap_pyfunction!(_svdvals, module)?)?;
    module.add_function(wrap_pyfunction!(_eigh, module)?)?;
    module.add_function(wrap_pyfunction!(_eigvalsh, module)?)?;
    module.add_function(wrap_pyfunction!(_eig, module)?)?;
    module.add_function(wrap_pyfunction!(_eigvals, module)?)
}
