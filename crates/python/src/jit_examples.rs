//! The examples that library functions of jit programs are tried with, while a program is compiled.

use crate::dtype::dtype_to_numpy;
use crate::jit_objects;
use crate::jit_values::captured;
use colocate_dtype::{DType, Kind};
use colocate_frontend::Captured;
use colocate_frontend::program::LibraryType;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyEllipsis, PyFloat, PyList, PySlice, PyTuple};

/// How sample values are chosen.
#[derive(Clone)]
pub struct Sample {
    /// Of every axis.
    pub extent: usize,
    /// Of the axes of arrays that have as many as this.
    shape: Vec<usize>,
    numbers: Numbers,
}

impl Sample {
    fn new(extent: usize, numbers: Numbers) -> Sample {
        Sample {
            extent,
            shape: Vec::new(),
            numbers,
        }
    }
}

/// The numbers among the arguments of an example, in order.
#[derive(Clone, Copy)]
enum Numbers {
    /// 1, 2, 3 and so on, or from another one on.
    From(i64),
    /// All the same.
    All(i64),
    /// By turns.
    Turns(i64, i64),
}

impl Numbers {
    fn at(self, position: i64) -> i64 {
        match self {
            Numbers::From(first) => first + position,
            Numbers::All(number) => number,
            Numbers::Turns(first, _) if position % 2 == 0 => first,
            Numbers::Turns(_, second) => second,
        }
    }
}

/// Tried in this order: functions differ in what sizes and numbers they take. What they agree on counts.
const SAMPLES: [(usize, Numbers); 11] = [
    (3, Numbers::From(1)),
    (3, Numbers::All(0)),
    (4, Numbers::From(2)),
    (2, Numbers::From(1)),
    (1, Numbers::All(0)),
    (3, Numbers::Turns(1, 0)),
    (3, Numbers::Turns(0, 1)),
    (3, Numbers::From(0)),
    (3, Numbers::All(1)),
    (5, Numbers::Turns(1, 3)),
    (6, Numbers::All(2)),
];

/// The largest sample of an axis.
const LARGEST: i128 = 64;
/// The most elements of a sample that is tried only where no other fits.
const MOST_ELEMENTS: i128 = 1 << 16;

/// The samples for arguments: constants among them may want arrays of certain sizes.
pub fn samples(arguments: &[LibraryType], keywords: &[(String, LibraryType)]) -> Vec<Sample> {
    let mut samples: Vec<Sample> = SAMPLES
        .iter()
        .map(|&(extent, numbers)| Sample::new(extent, numbers))
        .collect();
    for constant in constants(arguments, keywords) {
        for extent in [
            constant,
            constant.saturating_add(1),
            constant.saturating_mul(2),
        ] {
            let known = samples.iter().any(|one| one.extent as i128 == extent);
            if !known && (1..=LARGEST).contains(&extent) {
                samples.push(Sample::new(extent as usize, Numbers::From(1)));
            }
        }
    }
    samples
}

/// The samples that are tried if no other fits: what is written down may say more than that an axis has a few elements.
pub fn last_samples(arguments: &[LibraryType], keywords: &[(String, LibraryType)]) -> Vec<Sample> {
    let all = || arguments.iter().chain(keywords.iter().map(|(_, one)| one));
    let axes = all().map(most_axes).max().unwrap_or(0);
    let fits = |extent: i128| {
        extent
            .checked_pow(axes)
            .is_some_and(|all| all <= MOST_ELEMENTS)
    };
    // Bytes that are to be taken for numbers come in eights.
    let mut extents = vec![8, 16];
    for constant in constants(arguments, keywords) {
        extents.extend([constant.saturating_add(1), constant.saturating_mul(2)]);
    }
    let mut samples: Vec<Sample> = extents
        .into_iter()
        .filter(|extent| *extent > 0 && fits(*extent))
        .map(|extent| Sample::new(extent as usize, Numbers::From(1)))
        .collect();
    samples.push(Sample::new(3, Numbers::From(100)));
    let mut shapes = Vec::new();
    all().for_each(|argument| written_shapes(argument, &mut shapes));
    for shape in shapes {
        samples.push(Sample {
            extent: shape.last().copied().unwrap_or(3),
            shape,
            numbers: Numbers::From(1),
        });
    }
    samples
}

/// How many axes an array among the arguments has.
fn most_axes(argument: &LibraryType) -> u32 {
    match argument {
        LibraryType::Array { rank, .. } => u32::from(*rank),
        LibraryType::Tuple(items) | LibraryType::Named(_, items) | LibraryType::List(items) => {
            items.iter().map(most_axes).max().unwrap_or(0)
        }
        _ => 0,
    }
}

/// The shape of the array that NumPy makes of what is written down; nothing if parts of it are arrays.
fn written_shape(argument: &LibraryType) -> Option<Vec<usize>> {
    let items = match argument {
        LibraryType::Tuple(items) | LibraryType::List(items) => items,
        LibraryType::Array { .. } => return None,
        _ => return Some(Vec::new()),
    };
    let mut shapes = items.iter().map(written_shape);
    let first = shapes.next().unwrap_or_else(|| Some(Vec::new()))?;
    let alike = shapes.all(|other| other.as_ref() == Some(&first));
    alike.then(|| std::iter::once(items.len()).chain(first).collect())
}

/// The shapes of all that is written down.
fn written_shapes(argument: &LibraryType, found: &mut Vec<Vec<usize>>) {
    match (written_shape(argument), argument) {
        (Some(shape), _) => found.push(shape),
        (None, LibraryType::Tuple(items) | LibraryType::List(items)) => {
            items.iter().for_each(|item| written_shapes(item, found));
        }
        _ => {}
    }
}

fn constants(arguments: &[LibraryType], keywords: &[(String, LibraryType)]) -> Vec<i128> {
    let mut found = Vec::new();
    let all = arguments.iter().chain(keywords.iter().map(|(_, one)| one));
    all.for_each(|argument| numbers_of(argument, &mut found));
    found
}

fn numbers_of(argument: &LibraryType, found: &mut Vec<i128>) {
    match argument {
        LibraryType::Constant(Captured::Int(value)) => found.push(value.saturating_abs()),
        LibraryType::Tuple(items)
        | LibraryType::Named(_, items)
        | LibraryType::List(items)
        | LibraryType::Slice(items) => {
            items.iter().for_each(|item| numbers_of(item, found));
        }
        _ => {}
    }
}

/// A value of a type.
pub fn example<'py>(
    py: Python<'py>,
    kind: &LibraryType,
    sample: &Sample,
    number: &mut i64,
) -> PyResult<Bound<'py, PyAny>> {
    let mut items = |kinds: &[LibraryType]| -> PyResult<Vec<Bound<'py, PyAny>>> {
        kinds
            .iter()
            .map(|kind| example(py, kind, sample, number))
            .collect()
    };
    Ok(match kind {
        LibraryType::Array { dtype, rank } => example_array(py, *dtype, *rank, sample)?,
        LibraryType::Scalar { dtype, weak } => {
            let value = sample.numbers.at(*number);
            *number += 1;
            example_number(py, *dtype, *weak, value)?
        }
        LibraryType::Constant(constant) => captured(py, constant)?,
        LibraryType::Tuple(kinds) | LibraryType::Named(_, kinds) => {
            PyTuple::new(py, items(kinds)?)?.into_any()
        }
        LibraryType::List(kinds) => PyList::new(py, items(kinds)?)?.into_any(),
        LibraryType::Slice(kinds) => {
            let parts = PyTuple::new(py, items(kinds)?)?;
            py.get_type::<PySlice>().call1(parts)?
        }
        LibraryType::Ellipsis => PyEllipsis::get(py).to_owned().into_any(),
        LibraryType::None => py.None().into_bound(py),
        LibraryType::Object(kind) => {
            let first = sample.numbers.at(*number);
            *number += 1;
            jit_objects::example(py, kind, sample.extent, first)?
        }
    })
}

pub fn example_number(
    py: Python<'_>,
    dtype: DType,
    weak: bool,
    value: i64,
) -> PyResult<Bound<'_, PyAny>> {
    let number: Bound<'_, PyAny> = match dtype.kind() {
        Kind::Bool => PyBool::new(py, value != 0).to_owned().into_any(),
        Kind::Int | Kind::UInt => value.into_pyobject(py)?.into_any(),
        Kind::Float => PyFloat::new(py, value as f64).into_any(),
        Kind::Complex => PyComplex::from_doubles(py, value as f64, 0.0).into_any(),
    };
    match weak {
        true => Ok(number),
        false => dtype_to_numpy(py, dtype)?.getattr("type")?.call1((number,)),
    }
}

/// Vectors count up; matrices have a strong diagonal, so that they can be solved and decomposed.
fn example_array<'py>(
    py: Python<'py>,
    dtype: DType,
    rank: u8,
    sample: &Sample,
) -> PyResult<Bound<'py, PyAny>> {
    let numpy = py.import("numpy")?;
    let descr = dtype_to_numpy(py, dtype)?;
    let fractions = matches!(dtype.kind(), Kind::Float | Kind::Complex);
    let shape = match sample.shape.len() == usize::from(rank) {
        true => sample.shape.clone(),
        false => vec![sample.extent; usize::from(rank)],
    };
    let made = match shape[..] {
        [] => numpy.call_method1("ones", (PyTuple::empty(py),))?,
        [extent] => {
            let counted = numpy.call_method1("arange", (extent,))?;
            match fractions {
                true => counted.mul(0.25)?.add(1.0)?,
                false => counted,
            }
        }
        [.., rows, columns] => {
            let matrix = numpy.call_method1("eye", (rows, columns))?.mul(2)?;
            let matrix = match fractions {
                true => matrix.add(0.1)?,
                false => matrix,
            };
            let shape = PyTuple::new(py, &shape)?;
            let spread = numpy.call_method1("broadcast_to", (matrix, shape))?;
            spread.call_method0("copy")?
        }
    };
    made.call_method1("astype", (descr,))
}
