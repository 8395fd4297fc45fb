//! Norms and vector products as programs use them of points and directions: they are written in the language of jit
//! functions, since a call of NumPy's takes longer than the work, and cannot be part of a region.

use crate::arrays::lazy::{is_array, rank_of};
use crate::calls::Arguments;
use crate::translate::Translator;
use crate::value::Value;
use colocate_ir::{DType, Kind};
use ruff_text_size::TextRange;

const MODULE: &str = "colocate._numpy_functions";

impl Translator<'_> {
    /// `linalg.norm(x)`, and `cross(a, b)` of rows; nothing for other functions, and for other arguments.
    pub fn of_short_vectors(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if !arguments.keywords.is_empty() {
            return None;
        }
        let given: Vec<&Value> = arguments
            .positional
            .iter()
            .map(|(value, _)| value)
            .collect();
        let written = match (name, &given[..]) {
            ("linalg.norm", [x]) => match kind_of_row(x)? {
                Kind::Complex => "euclidean_norm_of_complex",
                Kind::Float => "euclidean_norm",
                _ => return None,
            },
            ("cross", [a, b]) if rank_of(a) == Some(1) && rank_of(b) == Some(1) => {
                kind_of_row(a)?;
                kind_of_row(b)?;
                "cross_product"
            }
            _ => return None,
        };
        let mut placed = Arguments {
            positional: arguments.positional.clone(),
            keywords: Vec::new(),
        };
        if written != "euclidean_norm" {
            for (value, _) in &mut placed.positional {
                *value = self.all_stored(value.clone());
            }
        }
        self.call_written(MODULE, written, &placed, range)
    }
}

/// What kind of numbers an array of such has whose products are of the same dtype, and are exact to it.
fn kind_of_row(value: &Value) -> Option<Kind> {
    let dtype = Translator::dtype_of(value).filter(|_| is_array(value))?;
    let exact = dtype.kind() != Kind::Bool && dtype != DType::Float16;
    (exact && rank_of(value) > Some(0)).then(|| dtype.kind())
}
