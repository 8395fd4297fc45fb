//! Which of its arguments a function of NumPy writes to.
//!
//! What a call changes has to be told: it is computed before, what reads it, too, and a device that does not reach the
//! host's memory gets it back.

use crate::calls::Arguments;
use crate::translate::Translator;
use crate::value::Value;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// What a function, or a method under its name, writes to; the arguments with the places of results stored, because
    /// they are found among them again.
    pub fn written_by(&mut self, name: &str, arguments: &Arguments) -> (Arguments, Vec<Value>) {
        let mut arguments = Arguments {
            positional: arguments.positional.clone(),
            keywords: arguments.keywords.clone(),
        };
        let first = Self::results_from(name).unwrap_or(usize::MAX);
        // What stands after them, such as a mode or a flag, is no array.
        let places = arguments.positional.iter_mut().skip(first);
        let places = places.map(|(value, _)| value);
        let named = arguments.keywords.iter_mut();
        let named = named.filter(|(keyword, ..)| keyword == "out");
        let mut changes = Vec::new();
        for value in places.chain(named.map(|(_, value, _)| value)) {
            *value = self.all_stored(value.clone());
            match value {
                Value::Tuple(items) => changes.extend(items.iter().cloned()),
                one => changes.push(one.clone()),
            }
        }
        changes.retain(|value| matches!(value, Value::View(_)));
        let swaps = name == "byteswap" && arguments.positional.len() + arguments.keywords.len() > 1;
        let overwrites = |(keyword, ..): &(String, Value, TextRange)| keyword == "overwrite_input";
        let overwrites = arguments.keywords.iter().any(overwrites);
        if (swaps || overwrites || changes_its_first(name))
            && let Some((value, _)) = arguments.positional.first()
        {
            changes.push(value.clone());
        }
        (arguments, changes)
    }

    /// The position of the first argument that takes results.
    fn results_from(name: &str) -> Option<usize> {
        place_of_results(name).or_else(|| Self::arity(name))
    }
}

/// Whether a function changes its first argument.
fn changes_its_first(name: &str) -> bool {
    if let Some(method) = name.strip_prefix("ndarray.") {
        return changes_its_first(method)
            || matches!(
                method,
                "byteswap" | "fill" | "partition" | "resize" | "sort"
            );
    }
    // `a.__iadd__(b)` and its like.
    let operator = name
        .strip_prefix("__i")
        .and_then(|of| of.strip_suffix("__"));
    let changes = |of: &str| !matches!(of, "nt" | "ndex" | "ter" | "nvert");
    operator.is_some_and(changes)
        || matches!(
            name,
            "copyto"
                | "put"
                | "place"
                | "putmask"
                | "fill_diagonal"
                | "put_along_axis"
                | "random.shuffle"
                | "__setitem__"
        )
        || name.ends_with(".at")
}

/// Where `out` stands among the arguments of a method of a generator of random numbers, the generator before them.
pub(crate) fn place_of_drawn(method: &str) -> usize {
    match method {
        "method.random" | "method.standard_normal" => 3,
        "method.standard_exponential" | "method.standard_gamma" => 4,
        _ => usize::MAX,
    }
}

/// Where `out` stands among the arguments by position. A method has the array before its own.
fn place_of_results(name: &str) -> Option<usize> {
    if let Some((_, method)) = name.rsplit_once('.') {
        return match method {
            "reduce" | "accumulate" => Some(3),
            "reduceat" => Some(4),
            _ => None,
        };
    }
    Some(match name {
        "bitwise_count" | "fix" | "frexp" | "isnat" | "isneginf" | "isposinf" | "modf"
        | "spacing" => 1,
        "all" | "amax" | "amin" | "any" | "argmax" | "argmin" | "around" | "choose" | "concat"
        | "concatenate" | "divmod" | "dot" | "lcm" | "ldexp" | "logaddexp" | "logaddexp2"
        | "matmul" | "matvec" | "max" | "median" | "min" | "nanargmax" | "nanargmin" | "nanmax"
        | "nanmedian" | "nanmin" | "outer" | "ptp" | "round" | "stack" | "vecdot" | "vecmat" => 2,
        "clip" | "compress" | "cumprod" | "cumsum" | "mean" | "nancumprod" | "nancumsum"
        | "nanmean" | "nanpercentile" | "nanprod" | "nanquantile" | "nanstd" | "nansum"
        | "nanvar" | "percentile" | "prod" | "quantile" | "std" | "sum" | "take" | "var" => 3,
        "trace" => 5,
        _ => return None,
    })
}
