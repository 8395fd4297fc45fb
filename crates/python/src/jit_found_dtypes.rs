//! Library functions whose dtype depends on the values: complex eigenvalues, or real ones.
//!
//! A program is compiled for what examples give. Where a function gives real numbers in place of complex ones when it
//! runs, or complex ones in place of real ones, it is compiled for what was found and begun again, if nobody has seen
//! anything of it yet. The numbers of a function that gives both in one call are complex.

use crate::array::PyArray;
use crate::dtype::dtype_from_numpy;
use colocate_dtype::{DType, Kind};
use colocate_frontend::ir::Kernel;
use colocate_frontend::program::{LibraryType, Operand, Outcome};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyFloat, PyList, PyTuple};
use std::sync::Mutex;

/// So often a call is begun again.
pub const MOST_REPEATS: usize = 6;

/// More than so many ways to compile a function for it are not tried.
const MOST_KNOWN: usize = 32;

/// What a library function gives for arrays of certain dtypes.
#[derive(Clone, PartialEq)]
pub struct Found {
    /// The function, and the dtypes of its arrays.
    pub function: String,
    pub is_complex: bool,
    /// Whether it gives both: then real numbers become complex ones.
    pub both: bool,
}

/// What a function was compiled for so far, by number.
#[derive(Default)]
pub struct FoundDtypes(Mutex<Vec<Vec<Found>>>);

impl FoundDtypes {
    /// What is assumed under a number.
    pub fn assumed(&self, number: usize) -> Vec<Found> {
        let known = self.0.lock().unwrap_or_else(|poison| poison.into_inner());
        match number {
            0 => Vec::new(),
            _ => known.get(number - 1).cloned().unwrap_or_default(),
        }
    }

    /// The number of what is assumed after more was found; nothing if there are too many.
    pub fn with(&self, number: usize, found: Found) -> Option<usize> {
        let mut all = self.assumed(number);
        match all.iter_mut().find(|one| one.function == found.function) {
            Some(known) => *known = found,
            None => all.push(found),
        }
        let mut known = self.0.lock().unwrap_or_else(|poison| poison.into_inner());
        if let Some(at) = known.iter().position(|one| *one == all) {
            return Some(at + 1);
        }
        if known.len() >= MOST_KNOWN {
            return None;
        }
        known.push(all);
        Some(known.len())
    }
}

/// What a function is known by while a program is compiled.
pub fn name_while_compiling(function: &str, arguments: &[LibraryType]) -> String {
    fn all(arguments: &[LibraryType], name: &mut String) {
        for argument in arguments {
            match argument {
                LibraryType::Array { dtype, .. } => name.push_str(&format!(" {dtype}")),
                LibraryType::Tuple(items) | LibraryType::List(items) => all(items, name),
                _ => {}
            }
        }
    }
    let mut name = function.to_owned();
    all(arguments, &mut name);
    name
}

/// The same while it runs.
pub fn name_while_running(function: &str, arguments: &[Operand], host: &Kernel) -> String {
    fn all(arguments: &[Operand], host: &Kernel, name: &mut String) {
        for argument in arguments {
            match argument {
                Operand::Local(local) | Operand::Items { local, .. } => {
                    name.push_str(&format!(" {}", host.locals[local.index()].dtype));
                }
                Operand::Tuple(items) | Operand::List(items) => all(items, host, name),
                _ => {}
            }
        }
    }
    let mut name = function.to_owned();
    all(arguments, host, &mut name);
    name
}

/// What a function gives if its inexact numbers are complex, or real.
pub fn with_kind(result: LibraryType, is_complex: bool) -> LibraryType {
    let other = |dtype: DType| match (dtype, is_complex) {
        (DType::Float32, true) => DType::Complex64,
        (DType::Float64, true) => DType::Complex128,
        (DType::Complex64, false) => DType::Float32,
        (DType::Complex128, false) => DType::Float64,
        (dtype, _) => dtype,
    };
    let all = |items: Vec<LibraryType>| {
        let items = items.into_iter();
        items.map(|item| with_kind(item, is_complex)).collect()
    };
    match result {
        LibraryType::Array { dtype, rank } => LibraryType::Array {
            dtype: other(dtype),
            rank,
        },
        LibraryType::Scalar { dtype, weak } => LibraryType::Scalar {
            dtype: other(dtype),
            weak,
        },
        LibraryType::Tuple(items) => LibraryType::Tuple(all(items)),
        LibraryType::Named(class, items) => LibraryType::Named(class, all(items)),
        other => other,
    }
}

/// Whether what a function gave is complex where real numbers are expected, or real where complex ones are; nothing if
/// it is as expected.
pub fn other_kind(object: &Bound<'_, PyAny>, expected: &Outcome, host: &Kernel) -> Option<bool> {
    let differs = |found: Kind, expected: Kind| match (found, expected) {
        (Kind::Complex, Kind::Float) => Some(true),
        (Kind::Float, Kind::Complex) => Some(false),
        _ => None,
    };
    match expected {
        Outcome::Local(local) => {
            let expected = host.locals[local.index()].dtype.kind();
            let found = match object.cast::<PyUntypedArray>() {
                Ok(array) => dtype_from_numpy(&array.dtype())?,
                Err(_) => object.cast::<PyArray>().ok()?.get().inner.dtype(),
            };
            differs(found.kind(), expected)
        }
        Outcome::Scalar(dtype) if object.is_instance_of::<PyComplex>() => {
            differs(Kind::Complex, dtype.kind())
        }
        Outcome::Scalar(dtype) if object.is_instance_of::<PyFloat>() => {
            differs(Kind::Float, dtype.kind())
        }
        Outcome::Tuple(expected) => {
            let is_several =
                object.is_instance_of::<PyTuple>() || object.is_instance_of::<PyList>();
            let items = is_several.then(|| object.try_iter().ok()).flatten()?;
            items
                .zip(expected)
                .find_map(|(item, expected)| other_kind(&item.ok()?, expected, host))
        }
        _ => None,
    }
}
