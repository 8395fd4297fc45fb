//! The arguments of a jit call, bound to the parameters as Python binds them, with Python's words where they do not
//! fit.

use crate::kernel_arguments::Parameter;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::SmallVec;

/// Argument objects, one for each parameter.
pub type Objects<'py> = SmallVec<[Bound<'py, PyAny>; 8]>;

fn plural(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// What Python says of arguments that are not there: those by name only come after the others.
fn missing_text(function: &str, missing: &[&Parameter]) -> String {
    let by_name = missing.iter().all(|one| one.keyword_only);
    let names: Vec<String> = missing
        .iter()
        .filter(|one| one.keyword_only == by_name)
        .map(|one| format!("'{}'", one.name))
        .collect();
    let what = match by_name {
        true => "required keyword-only argument",
        false => "required positional argument",
    };
    let list = match &names[..] {
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
        [] => String::new(),
    };
    format!("{function}() missing {}: {list}", plural(names.len(), what))
}

/// Which parameters a function has that take any number of arguments.
#[derive(Clone, Copy)]
pub struct Stars {
    pub one: bool,
    /// One for keywords.
    pub two: bool,
}

/// The arguments in the order of the parameters; those of a starred one come last, as a tuple, and keywords without a
/// parameter as a named tuple.
pub fn bind<'py>(
    function: &str,
    parameters: &[Parameter],
    stars: Stars,
    args: &Bound<'py, PyTuple>,
    kwargs: Option<&Bound<'py, PyDict>>,
) -> PyResult<Objects<'py>> {
    let no_keywords = kwargs.is_none_or(|kwargs| kwargs.is_empty());
    if no_keywords
        && !stars.one
        && !stars.two
        && args.len() == parameters.len()
        && parameters.last().is_none_or(|last| !last.keyword_only)
    {
        return Ok(args.iter().collect());
    }
    let py = args.py();
    let takes = parameters.iter().filter(|one| !one.keyword_only).count();
    if args.len() > takes && !stars.one {
        return Err(PyTypeError::new_err(format!(
            "{function}() takes {} but {} {} given",
            plural(takes, "positional argument"),
            args.len(),
            if args.len() == 1 { "was" } else { "were" },
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
                "{function}() got multiple values for argument '{}'",
                parameter.name
            )));
        }
        let default = || parameter.default.as_ref().map(|one| one.bind(py).clone());
        match positional.or(named).or_else(default) {
            Some(object) => bound.push(object),
            None => missing.push(parameter),
        }
    }
    let others = PyDict::new(py);
    if left > 0 {
        for (name, value) in kwargs.expect("some are left").iter() {
            let text: String = name.extract()?;
            let known = |one: &Parameter| one.name == text && !one.positional_only;
            if parameters.iter().any(known) {
                continue;
            }
            if stars.two {
                others.set_item(name, value)?;
            } else {
                return Err(PyTypeError::new_err(format!(
                    "{function}() got an unexpected keyword argument '{text}'"
                )));
            }
        }
    }
    if !missing.is_empty() {
        return Err(PyTypeError::new_err(missing_text(function, &missing)));
    }
    if stars.one {
        let rest = args.get_slice(takes.min(args.len()), args.len());
        bound.push(rest.into_any());
    }
    if stars.two {
        let made = py.import("colocate._jit_objects")?;
        bound.push(made.call_method1("keywords", (others,))?);
    }
    Ok(bound)
}
