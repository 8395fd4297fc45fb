//! The keywords of elementwise functions: `out=`, `where=`, `dtype=`, `casting=`, `order=`.

use crate::arguments::{array_argument, mask_argument};
use crate::array::PyArray;
use crate::dtype::dtype_from_object;
use crate::errors::{Class, error};
use colocate_array::Array;
use colocate_dtype::{AxisOrder, DType, promote_types};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// NumPy's orders of new arrays but "K".
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ResultOrder {
    RowMajor,
    ColumnMajor,
    /// Column-major if all operands are.
    Any,
}

impl ResultOrder {
    pub fn from_object(function: &str, name: &Bound<'_, PyAny>) -> PyResult<Option<ResultOrder>> {
        if name.is_none() {
            return Ok(None);
        }
        match name.extract::<String>()?.as_str() {
            "K" | "k" => Ok(None),
            "C" | "c" => Ok(Some(ResultOrder::RowMajor)),
            "F" | "f" => Ok(Some(ResultOrder::ColumnMajor)),
            "A" | "a" => Ok(Some(ResultOrder::Any)),
            other => Err(error(
                Class::InvalidArgumentError,
                format!("{function}: order={other:?} is none of \"K\", \"A\", \"C\" and \"F\""),
            )),
        }
    }

    pub fn axes(self, arrays: &[&Array], ndim: usize) -> AxisOrder {
        let is_column_major = match self {
            ResultOrder::RowMajor => false,
            ResultOrder::ColumnMajor => true,
            ResultOrder::Any => arrays
                .iter()
                .all(|array| array.layout().is_f_contiguous() && !array.layout().is_c_contiguous()),
        };
        (is_column_major && ndim > 1).then(|| (0..ndim).rev().collect())
    }
}

/// Which conversions of operands and results are allowed, as in NumPy.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Casting {
    /// None.
    No,
    /// To what holds all values.
    Safe,
    /// Also to what is narrower, of the same kind.
    #[default]
    SameKind,
    /// All.
    Unsafe,
}

impl Casting {
    pub fn from_object(function: &str, name: &Bound<'_, PyAny>) -> PyResult<Casting> {
        let name: String = name.extract()?;
        match name.as_str() {
            "no" | "equiv" => Ok(Casting::No),
            "safe" => Ok(Casting::Safe),
            "same_kind" => Ok(Casting::SameKind),
            "unsafe" => Ok(Casting::Unsafe),
            _ => Err(error(
                Class::InvalidArgumentError,
                format!(
                    "{function}: casting={name:?}: write \"no\", \"equiv\", \"safe\", \"same_kind\" or \"unsafe\""
                ),
            )),
        }
    }

    pub fn allows(self, from: DType, to: DType) -> bool {
        match self {
            Casting::No => from == to,
            Casting::Safe => promote_types(from, to) == to,
            Casting::SameKind => from.rung() <= to.rung(),
            Casting::Unsafe => true,
        }
    }

    pub fn check(self, function: &str, from: DType, to: DType) -> PyResult<()> {
        match self.allows(from, to) {
            true => Ok(()),
            false => Err(error(
                Class::DTypeError,
                format!(
                    "{function}: elements of type {from} cannot be stored in an array of type {to}"
                ),
            )),
        }
    }
}

/// The keywords of a call, as they were given.
#[derive(Default)]
pub struct Asked<'py> {
    pub out: Option<Bound<'py, PyAny>>,
    pub mask: Option<Bound<'py, PyAny>>,
    pub dtype: Option<Bound<'py, PyAny>>,
    pub casting: Casting,
    pub order: Option<ResultOrder>,
}

pub type Checked<'py> = (
    Option<Bound<'py, PyArray>>,
    Option<Bound<'py, PyArray>>,
    Option<DType>,
);

impl<'py> Asked<'py> {
    pub fn take(&mut self, function: &str, key: &str, value: Bound<'py, PyAny>) -> PyResult<()> {
        match key {
            "out" => self.out = Some(value),
            "where" => self.mask = Some(value),
            "dtype" => self.dtype = Some(value),
            "order" => self.order = ResultOrder::from_object(function, &value)?,
            // There are no subclasses that a result could be of.
            "subok" => {}
            "casting" => self.casting = Casting::from_object(function, &value)?,
            "signature" | "sig" if value.is_none() => {}
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "{function} takes no keyword {key:?}"
                )));
            }
        }
        Ok(())
    }

    /// Its `where` may be a truth if there is an array to put a mask beside.
    pub fn checked(
        self,
        function: &str,
        beside: Option<&Bound<'py, PyArray>>,
    ) -> PyResult<Checked<'py>> {
        let out = match self.out.filter(|out| !out.is_none()) {
            None => None,
            Some(out) => {
                let only = match out.cast::<PyTuple>() {
                    Ok(tuple) if tuple.len() == 1 => tuple.get_item(0)?,
                    _ => out,
                };
                match only.is_none() {
                    true => None,
                    false => Some(array_argument(function, "out", &only)?.clone()),
                }
            }
        };
        let mask = match self.mask {
            Some(mask) => mask_argument(function, &mask, beside)?,
            None => None,
        };
        if let Some(mask) = &mask
            && mask.get().inner.dtype() != DType::Bool
        {
            return Err(error(
                Class::DTypeError,
                format!("{function}: where= takes a bool array"),
            ));
        }
        let dtype = self.dtype.filter(|dtype| !dtype.is_none());
        let dtype = dtype.map(|dtype| dtype_from_object(&dtype)).transpose()?;
        Ok((out, mask, dtype))
    }
}
