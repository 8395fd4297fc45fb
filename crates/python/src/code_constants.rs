//! Whether a function still does what its source text says.
//!
//! Functions are compiled from their text, but Python runs their code object. The two part where a
//! file was edited after it was loaded, and where somebody replaced constants of the code.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// A constant that is one thing in a function's code and another in its text, as Python writes both.
pub struct Changed {
    pub in_code: String,
    pub in_text: String,
}

/// The first constant in which code and text differ, where they differ in constants only. Code that
/// was made otherwise, as by tools that rewrite assertions, is not looked at.
pub fn changed_constant(code: &Bound<'_, PyAny>, text: &str) -> PyResult<Option<Changed>> {
    let Some(written) = compiled(code, text)? else {
        return Ok(None);
    };
    for same in ["co_code", "co_names", "co_varnames", "co_freevars"] {
        if !code.getattr(same)?.eq(written.getattr(same)?)? {
            return Ok(None);
        }
    }
    let constants = |code: &Bound<'_, PyAny>| -> PyResult<Vec<Py<PyAny>>> {
        let all = code.getattr("co_consts")?;
        let all = all.cast::<PyTuple>()?;
        Ok(all.iter().map(Bound::unbind).collect())
    };
    let (in_code, in_text) = (constants(code)?, constants(&written)?);
    if in_code.len() != in_text.len() {
        return Ok(None);
    }
    let py = code.py();
    for (run, read) in in_code.iter().zip(&in_text) {
        let (run, read) = (run.bind(py), read.bind(py));
        // Functions inside have line numbers of their own.
        if is_code(run)? || is_code(read)? {
            continue;
        }
        let (in_code, in_text) = (run.repr()?.to_string(), read.repr()?.to_string());
        if !run.get_type().is(read.get_type()) || in_code != in_text {
            return Ok(Some(Changed { in_code, in_text }));
        }
    }
    Ok(None)
}

/// The code object that Python makes of a function's text; nothing if it makes none.
fn compiled<'py>(code: &Bound<'py, PyAny>, text: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = code.py();
    let indented = text.starts_with([' ', '\t']);
    let text = match indented {
        true => format!("if 1:\n{text}"),
        false => text.to_string(),
    };
    let options = PyDict::new(py);
    options.set_item("dont_inherit", true)?;
    let builtins = py.import("builtins")?;
    // What Python warns of was told when the file was loaded.
    let warnings = py.import("warnings")?;
    let quiet = warnings.call_method0("catch_warnings")?;
    quiet.call_method0("__enter__")?;
    warnings.call_method1("simplefilter", ("ignore",))?;
    let name = code.getattr("co_filename")?;
    let made = builtins.call_method("compile", (text, name, "exec"), Some(&options));
    let nothing = py.None();
    quiet.call_method1("__exit__", (&nothing, &nothing, &nothing))?;
    let Ok(module) = made else {
        return Ok(None);
    };
    let wanted = code.getattr("co_name")?;
    for constant in module.getattr("co_consts")?.try_iter()? {
        let constant = constant?;
        if is_code(&constant)? && constant.getattr("co_name")?.eq(&wanted)? {
            return Ok(Some(constant));
        }
    }
    Ok(None)
}

fn is_code(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    object.hasattr("co_code")
}
