//! Functions of NumPy's that look one number up in arrays: they are written in the language of jit functions, since
//! a call of NumPy's own takes longer than the work, and cannot be part of a region.

use crate::arrays::lazy::rank_of;
use crate::calls::Arguments;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::{DType, Kind};
use ruff_text_size::TextRange;

const MODULE: &str = "colocate._numpy_functions";

impl Translator<'_> {
    /// `searchsorted` and `interp` of a number; nothing for other functions, and for other arguments.
    pub fn of_one_number(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let mut given = arguments.positional.clone();
        let side = match (name, &arguments.keywords[..]) {
            ("searchsorted", [(keyword, side, _)]) if keyword == "side" => Some(side.clone()),
            ("searchsorted", []) if given.len() == 3 => given.pop().map(|(side, _)| side),
            (_, []) => None,
            _ => return None,
        };
        // Numbers that no one integer type holds are floats to NumPy.
        let has = |wanted: &dyn Fn(DType) -> bool| {
            let mut all = given.iter();
            all.any(|(value, _)| Translator::dtype_of(value).is_some_and(wanted))
        };
        if has(&|one| one == DType::UInt64) && has(&|one| one.kind() == Kind::Int) {
            return None;
        }
        let written = match (name, &given[..], side) {
            ("searchsorted", [(a, _), (number, _)], side) if is_row(a) && is_real(number) => {
                match side {
                    None => "place_left",
                    Some(Value::Str(side)) if side == "left" => "place_left",
                    Some(Value::Str(side)) if side == "right" => "place_right",
                    Some(_) => return None,
                }
            }
            ("interp", [(number, _), (places, _), (values, _)], None)
                if is_real(number) && is_row(places) && is_row(values) =>
            {
                "interpolated"
            }
            _ => return None,
        };
        for (value, _) in &mut given {
            *value = match &*value {
                // NumPy makes an array of it, which is no Python number.
                Value::Scalar(scalar) => Value::Scalar(Scalar {
                    weak: false,
                    ..*scalar
                }),
                other => self.all_stored(other.clone()),
            };
        }
        let placed = Arguments {
            positional: given,
            keywords: Vec::new(),
        };
        self.call_written(MODULE, written, &placed, range)
    }
}

fn is_row(value: &Value) -> bool {
    let is_real = |kind| kind != Kind::Complex;
    rank_of(value) == Some(1)
        && Translator::dtype_of(value).is_some_and(|dtype| is_real(dtype.kind()))
}

fn is_real(value: &Value) -> bool {
    matches!(value, Value::Scalar(scalar) if scalar.dtype.kind() != Kind::Complex)
}
