//! Whether a function still does what its source text says: asked of `_code_constants.py`.

use pyo3::prelude::*;

/// What is known of the constants of a function.
pub enum Constants {
    /// The text says what the code does, as far as one can tell.
    AsWritten,
    /// The text with the constants that the code has.
    Replaced(String),
    /// A constant, as it is in the code and in the text, that cannot be put into the text.
    Other(String, String),
}

/// Compares the constants of a code object with those in a function's text.
pub fn constants(code: &Bound<'_, PyAny>, text: &str) -> PyResult<Constants> {
    let module = code.py().import("colocate._code_constants")?;
    let found = module.call_method1("as_run", (code, text))?;
    if found.is_none() {
        return Ok(Constants::AsWritten);
    }
    if let Ok(text) = found.extract::<String>() {
        return Ok(Constants::Replaced(text));
    }
    let (in_code, in_text) = found.extract()?;
    Ok(Constants::Other(in_code, in_text))
}
