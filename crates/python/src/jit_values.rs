//! Values of a running jit function as Python objects, and back.

use crate::array::PyArray;
use crate::dparray;
use crate::dtype::{dtype_from_numpy, dtype_to_numpy, is_scalar_of};
use crate::errors::{Class, error};
use crate::jit_arguments::Given;
use crate::jit_held::Held;
use crate::jit_lists::plain_numbers;
use colocate_dtype::{DType, Dims, Kind, Strides};
use colocate_frontend::Captured;
use colocate_frontend::ir::interpret::Scalar;
use colocate_frontend::ir::{Kernel, Literal};
use colocate_frontend::program::{ListItem, Outcome, Update};
use colocate_jit::{HostArray, Keep, Value, scalar_bytes, word_of_bytes, words_of_bytes};
use numpy::npyffi::flags::{NPY_ARRAY_ALIGNED, NPY_ARRAY_WRITEABLE};
use numpy::npyffi::{NpyTypes, get_type_object, npy_intp};
use numpy::{PY_ARRAY_API, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{
    PyBool, PyBytes, PyCapsule, PyComplex, PyEllipsis, PyFloat, PyInt, PyList, PySlice, PyString,
    PyTuple,
};
use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The number of a leaf, and the lists in it, each before those inside it.
pub type ListsOfLeaf<'py> = (usize, Vec<Bound<'py, PyList>>);

/// What values are made with.
pub struct Maker<'a, 'py> {
    pub py: Python<'py>,
    /// The objects of the leaves.
    pub objects: &'a [Bound<'py, PyAny>],
    /// The arguments of the call that ends: the lists in lists among them are to become what the program made of them.
    pub given: Option<&'a Given<'py>>,
    /// Classes of named tuples, by number.
    pub classes: &'a [Py<PyAny>],
    /// Whether arrays are to be `DPArray`s.
    pub shared: bool,
    /// The objects that the function holds.
    pub held: &'a Held,
    /// The lists that were made, by their numbers.
    pub made: RefCell<HashMap<u64, Bound<'py, PyAny>>>,
}

/// What keeps an array's memory, as a Python object.
struct Owner(#[allow(dead_code)] Arc<dyn Any + Send + Sync>);

impl<'py> Maker<'_, 'py> {
    /// A value as Python has it.
    pub fn object(&self, value: Value) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        Ok(match value {
            Value::Argument(leaf) => self.as_given(self.objects[leaf].clone()),
            Value::Array(array) if self.shared => dparray::wrap(py, array)?,
            Value::Array(array) => Bound::new(py, PyArray::from(array))?.into_any(),
            Value::Host(array) => self.host_array(&array)?,
            Value::Scalar { dtype, weak, words } => number(py, dtype, weak, words)?,
            Value::Constant(constant) => captured(py, &constant)?,
            Value::Tuple(items) => PyTuple::new(py, self.objects(items)?)?.into_any(),
            Value::List(items) => PyList::new(py, self.objects(items)?)?.into_any(),
            Value::Numbers { dtype, weak, bytes } => numbers(py, dtype, weak, &bytes)?.into_any(),
            Value::Rows { dtypes, words } => {
                let rows = words.chunks_exact(dtypes.len().max(1)).map(|row| {
                    let parts = row.iter().zip(&dtypes);
                    let parts = parts.map(|(&word, &dtype)| number(py, dtype, true, [word, 0]));
                    PyTuple::new(py, parts.collect::<PyResult<Vec<_>>>()?)
                });
                PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)?.into_any()
            }
            Value::Known { leaf, list, items } => {
                let mut lists = self.given.iter().flat_map(|given| &given.lists);
                let known = lists.find(|(one, _)| *one == leaf);
                let known = match known {
                    Some((_, lists)) => lists.get(list).cloned(),
                    None if self.given.is_some() && list == 0 => {
                        self.objects[leaf].clone().cast_into().ok()
                    }
                    None => None,
                };
                let items = items.map(|items| self.object(*items)).transpose()?;
                match (known, items) {
                    (Some(known), None) => self.as_given(known.into_any()),
                    (Some(known), Some(items)) => {
                        known.set_slice(0, known.len(), &items)?;
                        self.as_given(known.into_any())
                    }
                    (None, Some(items)) => items,
                    (None, None) => {
                        return Err(error(
                            Class::InternalError,
                            "a list among the arguments is not there",
                        ));
                    }
                }
            }
            Value::Shared { number, items } => match items {
                Some(items) => {
                    let list = self.object(*items)?;
                    self.made.borrow_mut().insert(number, list.clone());
                    list
                }
                None => {
                    let made = self.made.borrow().get(&number).cloned();
                    made.ok_or_else(|| error(Class::InternalError, "a list that was not made"))?
                }
            },
            Value::Named(class, items) => {
                if let Some(whole) = self.whole_records(&items) {
                    return Ok(whole);
                }
                let items = PyTuple::new(py, self.objects(items)?)?;
                self.classes[class as usize].bind(py).call1(items)?
            }
            Value::Slice(parts) => {
                let parts = PyTuple::new(py, self.objects(parts)?)?;
                py.get_type::<PySlice>().call1(parts)?
            }
            Value::Ellipsis => PyEllipsis::get(py).to_owned().into_any(),
            Value::Object(handle) => self.as_given(self.held.get(py, handle)?),
        })
    }

    /// Gives the lists among the arguments what the function did to them.
    pub fn update_lists(&self, updates: &[Update], lists: Vec<Value>) -> PyResult<()> {
        for (update, items) in updates.iter().zip(lists) {
            if !update.changed {
                continue;
            }
            let list = &self.objects[update.leaf];
            let items = self.object(items)?;
            if !items.is(self.as_given(list.clone())) {
                list.cast::<PyList>()?.set_slice(0, list.len()?, &items)?;
            }
        }
        Ok(())
    }

    /// The records among the arguments that fields are all fields of.
    fn whole_records(&self, fields: &[Value]) -> Option<Bound<'py, PyAny>> {
        let records = &self.given?.records;
        let mut leaves = Vec::new();
        let all_given = !records.is_empty() && self.argument_leaves(fields, &mut leaves);
        let is_whole = |range: &Range<usize>| range.clone().eq(leaves.iter().copied());
        let found = records
            .iter()
            .find(|(range, _)| all_given && is_whole(range));
        found.map(|(_, object)| object.clone())
    }

    /// The leaves of the arguments that values are, in their order; false if one is something else.
    fn argument_leaves(&self, values: &[Value], found: &mut Vec<usize>) -> bool {
        values.iter().all(|value| match value {
            Value::Argument(leaf) => {
                found.push(*leaf);
                true
            }
            Value::Object(handle) => {
                let object = self.held.get(self.py, *handle);
                let is_it = |one: &Bound<'py, PyAny>| object.as_ref().is_ok_and(|it| it.is(one));
                let leaf = self.objects.iter().position(is_it);
                found.extend(leaf);
                leaf.is_some()
            }
            Value::Named(_, items) | Value::Tuple(items) => self.argument_leaves(items, found),
            _ => false,
        })
    }

    /// An object as the caller knows it.
    fn as_given(&self, object: Bound<'py, PyAny>) -> Bound<'py, PyAny> {
        match self.given {
            Some(given) => given.typed.original(object),
            None => object,
        }
    }

    /// Values as Python has them.
    pub fn objects(&self, values: Vec<Value>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        values.into_iter().map(|one| self.object(one)).collect()
    }

    /// A NumPy array over host memory.
    fn host_array(&self, array: &HostArray) -> PyResult<Bound<'py, PyAny>> {
        let py = self.py;
        let base = match &array.keep {
            Keep::Argument(leaf) => self.objects[*leaf].clone(),
            Keep::Owner(owner) => match owner.downcast_ref::<Py<PyAny>>() {
                Some(object) => object.bind(py).clone(),
                None => {
                    let owner = Owner(owner.clone());
                    PyCapsule::new_with_value(py, owner, c"colocate.memory")?.into_any()
                }
            },
        };
        view(py, array, base)
    }
}

/// A NumPy array over memory that `base` keeps.
fn view<'py>(
    py: Python<'py>,
    array: &HostArray,
    base: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let descr = dtype_to_numpy(py, array.dtype)?;
    let mut dims: Vec<npy_intp> = array.shape.iter().map(|&n| n as npy_intp).collect();
    let mut strides: Vec<npy_intp> = array.strides.iter().map(|&n| n as npy_intp).collect();
    let mut flags = NPY_ARRAY_ALIGNED;
    if array.writable {
        flags |= NPY_ARRAY_WRITEABLE;
    }
    // SAFETY: NumPy is there; the description is that of live memory, which the base keeps. The
    // new array takes over the references to the descriptor and to the base.
    unsafe {
        let class = get_type_object(py, NpyTypes::PyArray_Type);
        let made = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            class,
            descr.into_dtype_ptr(),
            dims.len() as i32,
            dims.as_mut_ptr(),
            strides.as_mut_ptr(),
            array.pointer.cast(),
            flags,
            std::ptr::null_mut(),
        );
        let made = Bound::from_owned_ptr_or_err(py, made)?;
        if PY_ARRAY_API.PyArray_SetBaseObject(py, made.as_ptr().cast(), base.into_ptr()) < 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(made)
    }
}

/// A number: a Python one if it is weak, else one of NumPy's.
pub fn number<'py>(
    py: Python<'py>,
    dtype: DType,
    weak: bool,
    words: [u64; 2],
) -> PyResult<Bound<'py, PyAny>> {
    if weak {
        return Ok(match dtype {
            DType::Bool => PyBool::new(py, words[0] != 0).to_owned().into_any(),
            DType::Float64 => PyFloat::new(py, f64::from_bits(words[0])).into_any(),
            DType::UInt64 => words[0].into_pyobject(py)?.into_any(),
            DType::Complex64 | DType::Complex128 => {
                let [re, im] = words.map(f64::from_bits);
                PyComplex::from_doubles(py, re, im).into_any()
            }
            DType::Float32 | DType::Float16 => {
                return number(py, dtype, false, words)?.call_method0("item");
            }
            _ => (words[0] as i64).into_pyobject(py)?.into_any(),
        });
    }
    let mut bytes = scalar_bytes(dtype, words);
    let descr = dtype_to_numpy(py, dtype)?;
    // SAFETY: NumPy is there, and reads as many bytes as the dtype has.
    unsafe {
        let made = PY_ARRAY_API.PyArray_Scalar(
            py,
            bytes.as_mut_ptr().cast(),
            descr.as_dtype_ptr(),
            std::ptr::null_mut(),
        );
        Bound::from_owned_ptr_or_err(py, made)
    }
}

/// A list of numbers that lie side by side in memory.
fn numbers<'py>(
    py: Python<'py>,
    dtype: DType,
    weak: bool,
    bytes: &[u8],
) -> PyResult<Bound<'py, PyList>> {
    let items = bytes.chunks_exact(dtype.itemsize());
    if (dtype, weak) == (DType::Float64, true) {
        return PyList::new(
            py,
            items.map(|one| f64::from_bits(word_of_bytes(dtype, one))),
        );
    }
    if (dtype, weak) == (DType::Int64, true) {
        return PyList::new(py, items.map(|one| word_of_bytes(dtype, one) as i64));
    }
    let items = items.map(|one| number(py, dtype, weak, words_of_bytes(dtype, one)));
    PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)
}

/// A constant of the program.
pub fn captured<'py>(py: Python<'py>, constant: &Captured) -> PyResult<Bound<'py, PyAny>> {
    Ok(match constant {
        Captured::None => py.None().into_bound(py),
        Captured::Bool(value) => PyBool::new(py, *value).to_owned().into_any(),
        Captured::Int(value) => match i64::try_from(*value) {
            Ok(value) => value.into_pyobject(py)?.into_any(),
            Err(_) => py.get_type::<PyInt>().call1((value.to_string(),))?,
        },
        Captured::Float(value) => PyFloat::new(py, *value).into_any(),
        Captured::Complex(re, im) => PyComplex::from_doubles(py, *re, *im).into_any(),
        Captured::NumpyScalar(literal) => scalar_of_literal(py, *literal)?,
        Captured::Str(text) => PyString::new(py, text).into_any(),
        Captured::Dtype(dtype) => dtype_to_numpy(py, *dtype)?.into_any(),
        Captured::Builtin(name) => crate::jit_library::resolve(py, name, None)?,
        Captured::Tuple(items) => {
            let items: PyResult<Vec<_>> = items.iter().map(|item| captured(py, item)).collect();
            PyTuple::new(py, items?)?.into_any()
        }
        other => {
            return Err(PyTypeError::new_err(format!(
                "{other:?} cannot leave a jit function"
            )));
        }
    })
}

fn scalar_of_literal(py: Python<'_>, literal: Literal) -> PyResult<Bound<'_, PyAny>> {
    let dtype = literal.dtype();
    let bytes = Scalar::from_literal(literal).to_bytes();
    number(py, dtype, false, words_of_bytes(dtype, &bytes))
}

/// A function of NumPy, looked up once.
macro_rules! numpy {
    ($py:expr, $name:literal) => {{
        static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        FUNCTION.import($py, "numpy", $name)?
    }};
}

/// Whose memory the arrays are that a library function gave.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// Their own, or that of what it was given.
    Shared,
    /// Views are copied: the host has but a copy of what it was given.
    Apart,
    /// That of what it was given, and the program is known not to write to them.
    ReadOnly,
}

/// What a library function gave, in the form that the program expects.
pub fn outcome(
    object: &Bound<'_, PyAny>,
    expected: &Outcome,
    host: &Kernel,
    memory: Memory,
    held: &Held,
) -> PyResult<Value> {
    match expected {
        Outcome::Object => Ok(Value::Object(held.keep(object))),
        Outcome::None => Ok(Value::Constant(Captured::None)),
        Outcome::Held(item) => held_outcome(object, item, memory),
        Outcome::Tuple(expected) => {
            let items: Vec<Bound<'_, PyAny>> = object.try_iter()?.collect::<PyResult<_>>()?;
            if items.len() != expected.len() {
                return Err(wrong_count(items.len(), expected.len()));
            }
            let pairs = items.iter().zip(expected);
            let values = pairs.map(|(item, one)| outcome(item, one, host, memory, held));
            Ok(Value::Tuple(values.collect::<PyResult<_>>()?))
        }
        Outcome::Scalar(dtype) => {
            let words = scalar_words(object, *dtype)?;
            Ok(Value::Scalar {
                dtype: *dtype,
                weak: false,
                words,
            })
        }
        Outcome::Local(local) => {
            let wanted = host.locals[local.index()].dtype;
            let rank = usize::from(host.locals[local.index()].rank);
            array_outcome(object, wanted, rank, memory)
        }
    }
}

/// A function gave another number of values than the program was compiled for.
pub fn wrong_count(given: usize, expected: usize) -> PyErr {
    error(
        Class::InvalidArgumentError,
        format!("a library function gives {given} values where this program expects {expected}"),
    )
}

/// A list that a library function gave.
fn held_outcome(object: &Bound<'_, PyAny>, item: &ListItem, memory: Memory) -> PyResult<Value> {
    if let ListItem::Scalar { dtype, weak: true } = item
        && let Ok(list) = object.cast_exact::<PyList>()
        && let Some((found, bytes)) = plain_numbers(list)
        && found == *dtype
    {
        let (dtype, weak) = (*dtype, true);
        return Ok(Value::Numbers { dtype, weak, bytes });
    }
    let items = object
        .try_iter()?
        .map(|one| item_outcome(&one?, item, memory));
    Ok(Value::List(items.collect::<PyResult<_>>()?))
}

fn item_outcome(object: &Bound<'_, PyAny>, item: &ListItem, memory: Memory) -> PyResult<Value> {
    match item {
        ListItem::Scalar { dtype, weak } => Ok(Value::Scalar {
            dtype: *dtype,
            weak: *weak,
            words: scalar_words(object, *dtype)?,
        }),
        ListItem::Array { dtype, rank } => {
            array_outcome(object, *dtype, usize::from(*rank), memory)
        }
        ListItem::List(inner) => held_outcome(object, inner, memory),
        ListItem::Optional(inner) => match object.is_none() {
            true => Ok(Value::Constant(Captured::None)),
            false => item_outcome(object, inner, memory),
        },
        ListItem::Tuple(items) | ListItem::Named(_, items) => {
            let objects: Vec<Bound<'_, PyAny>> = object.try_iter()?.collect::<PyResult<_>>()?;
            let pairs = objects.iter().zip(items);
            let values = pairs.map(|(object, item)| item_outcome(object, item, memory));
            Ok(Value::Tuple(values.collect::<PyResult<_>>()?))
        }
    }
}

/// An array that a library function gave.
fn array_outcome(
    object: &Bound<'_, PyAny>,
    wanted: DType,
    rank: usize,
    memory: Memory,
) -> PyResult<Value> {
    let py = object.py();
    let check = |dtype: DType, axes: usize| match narrows(dtype, wanted) {
        true => Err(PyValueError::new_err(format!(
            "a library function gives numbers of {dtype} where this program expects {wanted}; convert its argument first"
        ))),
        false if axes != rank => Err(error(
            Class::InvalidArgumentError,
            format!(
                "a library function gives an array of {axes} axes where this program expects {rank}"
            ),
        )),
        false => Ok(()),
    };
    if let Ok(array) = object.cast::<PyArray>() {
        let array = &*array.get().inner;
        check(array.dtype(), array.shape().len())?;
        return Ok(Value::Array(array.clone()));
    }
    if let Ok(array) = object.cast::<PyUntypedArray>()
        && let Some(dtype) = dtype_from_numpy(&array.dtype())
    {
        check(dtype, array.ndim())?;
    }
    let descr = dtype_to_numpy(py, wanted)?;
    let mut array = object.clone();
    let fits = object
        .cast::<PyUntypedArray>()
        .is_ok_and(|array| dtype_from_numpy(&array.dtype()) == Some(wanted));
    if !fits {
        let mut given = object.clone();
        if object.cast::<PyUntypedArray>().is_err() {
            // Of a list it is seen only now which numbers it holds.
            given = numpy!(py, "asarray").call1((object,))?;
            if let Ok(array) = given.cast::<PyUntypedArray>()
                && let Some(dtype) = dtype_from_numpy(&array.dtype())
                && !array.is_empty()
            {
                check(dtype, array.ndim())?;
            }
        }
        array = numpy!(py, "asarray").call1((given, &descr))?;
    } else if memory == Memory::Apart && !object.getattr("base")?.is_none() {
        array = numpy!(py, "array").call1((object,))?;
    }
    let mut array = array.cast_into::<PyUntypedArray>()?;
    // Memory of bytes and the like must not change, and what the program does to the array is not known here. Views
    // that repeat elements stay: they would become large.
    // SAFETY: a live NumPy array has these fields.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    let is_open = flags & NPY_ARRAY_WRITEABLE == 0 && memory != Memory::ReadOnly;
    if is_open && array.is_c_contiguous() {
        array = array.call_method0("copy")?.cast_into()?;
    }
    // SAFETY: a live NumPy array has these fields.
    let (pointer, flags) = unsafe {
        let fields = &(*array.as_array_ptr()).fields;
        (fields.data.cast::<u8>(), fields.flags)
    };
    let object: Py<PyAny> = array.clone().into_any().unbind();
    Ok(Value::Host(HostArray {
        dtype: wanted,
        pointer,
        shape: Dims::from_slice(array.shape()),
        strides: Strides::from_slice(array.strides()),
        writable: flags & NPY_ARRAY_WRITEABLE != 0,
        keep: Keep::Owner(Arc::new(object)),
    }))
}

/// Whether numbers of a dtype may lose their kind in another one: complex ones in real ones, fractions in
/// integers.
fn narrows(from: DType, to: DType) -> bool {
    let rung = |dtype: DType| match dtype.kind() {
        Kind::Bool => 0,
        Kind::Int | Kind::UInt => 1,
        Kind::Float => 2,
        Kind::Complex => 3,
    };
    rung(from) > rung(to)
}

/// A number as the host part takes it.
pub fn scalar_words(object: &Bound<'_, PyAny>, dtype: DType) -> PyResult<[u64; 2]> {
    let py = object.py();
    if dtype == DType::Float64
        && let Ok(value) = object.cast::<PyFloat>()
    {
        return Ok([value.value().to_bits(), 0]);
    }
    if dtype == DType::Bool
        && let Ok(value) = object.cast::<PyBool>()
    {
        return Ok([value.is_true().into(), 0]);
    }
    if dtype == DType::Int64 && object.is_exact_instance_of::<PyInt>() {
        let value: i64 = object.extract()?;
        return Ok([value as u64, 0]);
    }
    if is_scalar_of(object, dtype)? {
        let mut bytes = [0; 16];
        // SAFETY: NumPy is there, and writes as many bytes as the dtype has.
        unsafe {
            PY_ARRAY_API.PyArray_ScalarAsCtype(py, object.as_ptr(), bytes.as_mut_ptr().cast());
        }
        return Ok(words_of_bytes(dtype, &bytes));
    }
    let integer = matches!(dtype.kind(), Kind::Bool | Kind::Int | Kind::UInt);
    let loses = object.is_none()
        || object.is_instance_of::<PyString>()
        || integer && object.is_instance_of::<PyFloat>()
        || dtype.kind() != Kind::Complex && object.is_instance_of::<PyComplex>();
    if loses {
        return Err(PyTypeError::new_err(format!(
            "a {} is found where this program expects a number of {dtype}",
            object.get_type().name()?
        )));
    }
    let object = match object.cast::<PyArray>() {
        Ok(array) => array.call_method0("item")?,
        Err(_) => object.clone(),
    };
    let descr = dtype_to_numpy(py, dtype)?;
    let array = numpy!(py, "asarray").call1((object,))?;
    let array = array.call_method1("astype", (descr,))?;
    let bytes = array.call_method0("tobytes")?.cast_into::<PyBytes>()?;
    let bytes = bytes.as_bytes();
    if bytes.len() != dtype.itemsize() {
        return Err(PyTypeError::new_err(
            "a library function gives an array where a number was expected",
        ));
    }
    Ok(words_of_bytes(dtype, bytes))
}
