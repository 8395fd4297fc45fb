//! The arguments of a launch: bound to parameters, told apart, and written into the argument block.
//!
//! The second launch with arguments of the same types goes through here without allocating: what
//! an argument's type is becomes a number of a short [`Key`].

use crate::array::PyArray;
use crate::array_interface;
use crate::captured_values::numpy_scalar;
use crate::dtype::dtype_from_numpy;
use crate::errors::{Class, error};
use colocate_array::Array;
use colocate_dtype::DType;
use colocate_frontend::ArgumentType;
use colocate_frontend::ir::interpret::Scalar;
use colocate_frontend::ir::{Layout, Literal};
use numpy::npyffi::flags::{NPY_ARRAY_ALIGNED, NPY_ARRAY_WRITEABLE};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyTuple};
use smallvec::SmallVec;

/// The types of all arguments, one number or more for each; [`types_of`] reads it again.
pub type Key = SmallVec<[u32; 16]>;
/// The argument block.
pub type Block = SmallVec<[u64; 32]>;
/// Argument objects, one for each parameter.
pub type Objects<'py> = SmallVec<[Bound<'py, PyAny>; 8]>;

/// A parameter of a kernel.
pub struct Parameter {
    pub name: String,
    pub default: Option<Py<PyAny>>,
    pub positional_only: bool,
    pub keyword_only: bool,
}

/// A part of an argument: tuples are taken apart.
pub struct Leaf<'a, 'py> {
    /// The parameter that it belongs to.
    pub position: usize,
    /// Which item of a tuple it is, as `[1]` or `[0][2]`; empty if it is the argument itself.
    pub item: String,
    pub value: LeafValue<'a, 'py>,
}

impl Leaf<'_, '_> {
    /// What the user would write for it.
    pub fn name(&self, parameters: &[Parameter]) -> String {
        format!("{}{}", parameters[self.position].name, self.item)
    }
}

/// What a leaf is.
pub enum LeafValue<'a, 'py> {
    /// One of our arrays.
    Array(&'a Array),
    /// Another package's array, which became ours.
    Imported(Box<Array>),
    /// A NumPy array.
    Host(Box<HostArray<'py>>),
    Scalar {
        dtype: DType,
        weak: bool,
        words: [u64; 2],
    },
    None,
    /// Its items follow.
    Tuple(usize),
}

/// A NumPy array, as the kernel is to see it.
pub struct HostArray<'py> {
    pub object: Bound<'py, PyUntypedArray>,
    pub dtype: DType,
    pub writable: bool,
    pub layout: Layout,
    pub pointer: *mut u8,
    pub shape: SmallVec<[usize; 4]>,
    /// In bytes.
    pub strides: SmallVec<[isize; 4]>,
}

/// The leaves of all arguments.
pub type Leaves<'a, 'py> = SmallVec<[Leaf<'a, 'py>; 8]>;

impl Leaf<'_, '_> {
    /// The device array, if it is one.
    pub fn array(&self) -> Option<&Array> {
        match &self.value {
            LeafValue::Array(array) => Some(array),
            LeafValue::Imported(array) => Some(array),
            _ => None,
        }
    }

    /// Whether the kernel has a parameter for it.
    pub fn is_param(&self) -> bool {
        !matches!(self.value, LeafValue::None | LeafValue::Tuple(_))
    }
}

fn plural(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// The arguments in the order of the parameters.
pub fn bind<'py>(
    kernel: &str,
    parameters: &[Parameter],
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Objects<'py>> {
    if kwargs.is_none_or(|kwargs| kwargs.is_empty())
        && args.len() == parameters.len()
        && parameters.last().is_none_or(|last| !last.keyword_only)
    {
        return Ok(args.iter().collect());
    }
    let py = args.py();
    let takes = parameters.iter().filter(|one| !one.keyword_only).count();
    if args.len() > takes {
        return Err(PyTypeError::new_err(format!(
            "the kernel {kernel} takes {}, but {} were given",
            plural(takes, "positional argument"),
            args.len()
        )));
    }
    let mut left = kwargs.map_or(0, |kwargs| kwargs.len());
    let mut bound = Objects::new();
    let mut missing = Vec::new();
    for (position, parameter) in parameters.iter().enumerate() {
        let named = match kwargs {
            Some(kwargs) if !parameter.positional_only => kwargs.get_item(&parameter.name)?,
            _ => None,
        };
        left -= usize::from(named.is_some());
        let positional = (position < args.len() && !parameter.keyword_only)
            .then(|| args.get_item(position))
            .transpose()?;
        if positional.is_some() && named.is_some() {
            return Err(PyTypeError::new_err(format!(
                "the kernel {kernel} got two values for the argument '{}'",
                parameter.name
            )));
        }
        let default = || {
            parameter
                .default
                .as_ref()
                .map(|object| object.bind(py).clone())
        };
        match positional.or(named).or_else(default) {
            Some(object) => bound.push(object),
            None => missing.push(format!("'{}'", parameter.name)),
        }
    }
    if left > 0 {
        let kwargs = kwargs.expect("some are left");
        for name in kwargs.keys() {
            let name: String = name.extract()?;
            let known = |one: &Parameter| one.name == name && !one.positional_only;
            if !parameters.iter().any(known) {
                let names: Vec<_> = parameters.iter().map(|one| one.name.as_str()).collect();
                return Err(PyTypeError::new_err(format!(
                    "the kernel {kernel} has no parameter '{name}' that can be named; it has {}",
                    names.join(", ")
                )));
            }
        }
    }
    if !missing.is_empty() {
        return Err(PyTypeError::new_err(format!(
            "the kernel {kernel} misses {}: {}",
            plural(missing.len(), "argument"),
            missing.join(", ")
        )));
    }
    Ok(bound)
}

/// Tells what the arguments are.
pub fn leaves<'a, 'py>(
    objects: &'a Objects<'py>,
    parameters: &[Parameter],
) -> PyResult<Leaves<'a, 'py>> {
    let mut leaves = Leaves::new();
    for (position, object) in objects.iter().enumerate() {
        // The two that matter for speed.
        if let Ok(array) = object.cast::<PyArray>() {
            leaves.push(Leaf {
                position,
                item: String::new(),
                value: LeafValue::Array(&array.get().inner),
            });
        } else if object.is_exact_instance_of::<PyFloat>() {
            let value: f64 = object.extract()?;
            leaves.push(Leaf {
                position,
                item: String::new(),
                value: weak(DType::Float64, [value.to_bits(), 0]),
            });
        } else {
            let name = &parameters[position].name;
            push_leaf(&mut leaves, position, name, String::new(), object)?;
        }
    }
    Ok(leaves)
}

fn weak<'a, 'py>(dtype: DType, words: [u64; 2]) -> LeafValue<'a, 'py> {
    LeafValue::Scalar {
        dtype,
        weak: true,
        words,
    }
}

fn push_leaf<'py>(
    leaves: &mut Leaves<'_, 'py>,
    position: usize,
    name: &str,
    item: String,
    object: &Bound<'py, PyAny>,
) -> PyResult<()> {
    if let Ok(items) = object.cast::<PyTuple>() {
        let value = LeafValue::Tuple(items.len());
        let inner = |number: usize| format!("{item}[{number}]");
        let items = items.iter().enumerate();
        let items: Vec<_> = items
            .map(|(number, object)| (inner(number), object))
            .collect();
        leaves.push(Leaf {
            position,
            item,
            value,
        });
        for (item, object) in items {
            push_leaf(leaves, position, name, item, &object)?;
        }
        return Ok(());
    }
    let value = match item.is_empty() {
        true => leaf_value(name, object)?,
        false => leaf_value(&format!("{name}{item}"), object)?,
    };
    leaves.push(Leaf {
        position,
        item,
        value,
    });
    Ok(())
}

fn leaf_value<'a, 'py>(name: &str, object: &Bound<'py, PyAny>) -> PyResult<LeafValue<'a, 'py>> {
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(LeafValue::Host(Box::new(host_array(name, array)?)));
    }
    // NumPy's float64 is a Python float, too, but keeps its dtype.
    if let Some(literal) = numpy_scalar(object)? {
        return Ok(LeafValue::Scalar {
            dtype: literal.dtype(),
            weak: false,
            words: words_of(literal),
        });
    }
    if object.is_instance_of::<PyBool>() {
        return Ok(weak(DType::Bool, [object.is_truthy()?.into(), 0]));
    }
    if object.is_instance_of::<PyInt>() {
        let value: i64 = object.extract().map_err(|_| {
            PyOverflowError::new_err(format!(
                "argument '{name}': {object} does not fit into int64; pass a numpy.uint64 or a float"
            ))
        })?;
        return Ok(weak(DType::Int64, [value as u64, 0]));
    }
    if object.is_instance_of::<PyFloat>() {
        let value: f64 = object.extract()?;
        return Ok(weak(DType::Float64, [value.to_bits(), 0]));
    }
    if object.is_instance_of::<PyComplex>() {
        let part = |name| object.getattr(name)?.extract::<f64>();
        let words = [part("real")?.to_bits(), part("imag")?.to_bits()];
        return Ok(weak(DType::Complex128, words));
    }
    if object.is_none() {
        return Ok(LeafValue::None);
    }
    if let Ok(array) = object.cast::<PyArray>() {
        return Ok(LeafValue::Imported(Box::new(array.get().inner.clone())));
    }
    if let Some(array) = array_interface::import(object)? {
        return Ok(LeafValue::Imported(Box::new(array)));
    }
    Err(PyTypeError::new_err(format!(
        "argument '{name}' is a {}: a kernel takes arrays, numbers, None and tuples of them",
        object.get_type().fully_qualified_name()?
    )))
}

/// A constant as it lies in the argument block.
fn words_of(literal: Literal) -> [u64; 2] {
    let bytes = Scalar::from_literal(literal).to_bytes();
    let mut words = [0u64; 2];
    for (position, byte) in bytes.iter().enumerate().take(16) {
        words[position / 8] |= u64::from(*byte) << (8 * (position % 8));
    }
    words
}

fn host_array<'py>(name: &str, array: &Bound<'py, PyUntypedArray>) -> PyResult<HostArray<'py>> {
    let descr = array.dtype();
    let Some(dtype) = dtype_from_numpy(&descr) else {
        return Err(error(
            Class::DTypeError,
            format!(
                "argument '{name}' has the dtype {descr}, which no kernel takes; there are {}",
                DType::ALL.map(DType::name).join(", ")
            ),
        ));
    };
    // SAFETY: a live NumPy array has these fields.
    let (pointer, flags) = unsafe {
        let fields = &(*array.as_array_ptr()).fields;
        (fields.data.cast::<u8>(), fields.flags)
    };
    let aligned = flags & NPY_ARRAY_ALIGNED != 0 && is_aligned(pointer, dtype);
    let layout = if array.is_c_contiguous() && aligned {
        Layout::Contiguous
    } else {
        Layout::Strided
    };
    Ok(HostArray {
        object: array.clone(),
        dtype,
        writable: flags & NPY_ARRAY_WRITEABLE != 0,
        layout,
        pointer,
        shape: SmallVec::from_slice(array.shape()),
        strides: SmallVec::from_slice(array.strides()),
    })
}

fn is_aligned(pointer: *mut u8, dtype: DType) -> bool {
    (pointer as usize).is_multiple_of(dtype.itemsize())
}

const SCALAR: u32 = 1 << 28;
const ARRAY: u32 = 2 << 28;
const TUPLE: u32 = 3 << 28;
const NONE: u32 = 4 << 28;

fn array_key(dtype: DType, rank: usize, layout: Layout, writable: bool) -> u32 {
    let strided = u32::from(layout == Layout::Strided);
    ARRAY | (rank as u32) << 16 | (dtype as u32) << 8 | strided << 1 | u32::from(writable)
}

/// Writes the types and the values of the leaves.
pub fn encode(leaves: &Leaves<'_, '_>, key: &mut Key, block: &mut Block) {
    for leaf in leaves {
        match &leaf.value {
            LeafValue::Array(array) => encode_array(array, key, block),
            LeafValue::Imported(array) => encode_array(array, key, block),
            LeafValue::Host(array) => {
                key.push(array_key(
                    array.dtype,
                    array.shape.len(),
                    array.layout,
                    array.writable,
                ));
                block.push(array.pointer as u64);
                block.extend(array.shape.iter().map(|&extent| extent as u64));
                if array.layout == Layout::Strided {
                    block.extend(array.strides.iter().map(|&stride| stride as u64));
                }
            }
            LeafValue::Scalar { dtype, weak, words } => {
                key.push(SCALAR | (*dtype as u32) << 8 | u32::from(*weak));
                block.push(words[0]);
                if *dtype == DType::Complex128 {
                    block.push(words[1]);
                }
            }
            LeafValue::None => key.push(NONE),
            LeafValue::Tuple(length) => key.push(TUPLE | *length as u32),
        }
    }
}

fn encode_array(array: &Array, key: &mut Key, block: &mut Block) {
    let (layout, pointer, dtype) = (array.layout(), array.pointer(), array.dtype());
    let kind = if layout.is_c_contiguous() && is_aligned(pointer, dtype) {
        Layout::Contiguous
    } else {
        Layout::Strided
    };
    key.push(array_key(dtype, layout.ndim(), kind, array.is_writable()));
    block.push(pointer as u64);
    block.extend(layout.shape().iter().map(|&extent| extent as u64));
    if kind == Layout::Strided {
        let item = dtype.itemsize() as isize;
        block.extend(
            layout
                .strides()
                .iter()
                .map(|&stride| (stride * item) as u64),
        );
    }
}

/// The types that a key stands for.
pub fn types_of(key: &[u32]) -> Vec<ArgumentType> {
    let mut rest = key.iter();
    let mut types = Vec::new();
    while let Some(one) = next_type(&mut rest) {
        types.push(one);
    }
    types
}

fn next_type(rest: &mut std::slice::Iter<'_, u32>) -> Option<ArgumentType> {
    let code = *rest.next()?;
    let dtype = || DType::ALL[(code >> 8 & 0xff) as usize];
    Some(match code & 0xf000_0000 {
        SCALAR => ArgumentType::Scalar {
            dtype: dtype(),
            weak: code & 1 != 0,
        },
        ARRAY => ArgumentType::Array {
            dtype: dtype(),
            rank: (code >> 16) as u8,
            layout: if code & 2 != 0 {
                Layout::Strided
            } else {
                Layout::Contiguous
            },
            fortran: false,
            writable: code & 1 != 0,
        },
        TUPLE => {
            let length = code & 0x0fff_ffff;
            ArgumentType::Tuple((0..length).filter_map(|_| next_type(rest)).collect())
        }
        _ => ArgumentType::None,
    })
}
