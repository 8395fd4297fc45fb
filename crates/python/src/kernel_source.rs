//! The source text of a Python function.
//!
//! Lines come from `linecache`, which also knows the cells of notebooks and doctests, or from who executed the
//! text. Where the function ends is found here, by indentation. Where nobody has the text any more it is
//! written anew from the code, if that can be done.

use crate::code_constants::{Constants, constants};
use colocate_frontend::{Diagnostic, FunctionSource, SourceFile, Span, codes};
use pyo3::prelude::*;
use std::sync::Arc;

/// Why a function cannot be compiled before it is even looked at.
pub struct NoSource {
    pub diagnostic: Diagnostic,
    pub files: Vec<SourceFile>,
}

/// A function's text with its decorators.
pub fn source_of(function: &Bound<'_, PyAny>) -> PyResult<Result<Arc<FunctionSource>, NoSource>> {
    let py = function.py();
    let name: String = function.getattr("__name__")?.extract()?;
    let code = function.getattr("__code__")?;
    let class = class_around(&code)?;
    let file: String = code.getattr("co_filename")?.extract()?;
    let first_line: usize = code.getattr("co_firstlineno")?.extract()?;
    let globals = function.getattr("__globals__")?;
    let mut lines: Vec<String> = py
        .import("linecache")?
        .call_method1("getlines", (&file, globals))?
        .extract()?;
    if lines.is_empty() {
        lines = py
            .import("colocate._executed_text")?
            .call_method1("lines_of", (&code,))?
            .extract()?;
    }
    let text = lines
        .get(first_line.saturating_sub(1)..)
        .map(block)
        .unwrap_or_default();
    if text.is_empty()
        && name != "<lambda>"
        && let Some(file) = text_by_code(function)?
    {
        return Ok(Ok(Arc::new(FunctionSource { file, name, class })));
    }
    if text.is_empty() {
        let diagnostic = Diagnostic::new(
            codes::NO_SOURCE,
            format!("the source of `{name}` is not available: {file} has no text to read"),
        )
        .help(
            "kernels are compiled from their source text: define them in a file or a notebook cell",
        );
        return Ok(Err(NoSource {
            diagnostic,
            files: Vec::new(),
        }));
    }
    let mut file = SourceFile {
        name: file,
        text,
        first_line,
    };
    if name == "<lambda>" {
        let start = file.text.find("lambda").unwrap_or(0) as u32;
        let end = file.text.trim_end().len() as u32;
        let diagnostic = Diagnostic::new(codes::LAMBDA, "a lambda cannot be compiled")
            .at(0, Span::new(start, end), "this is a lambda")
            .help("write the function with def");
        return Ok(Err(NoSource {
            diagnostic,
            files: vec![file],
        }));
    }
    match constants(&code, &file.text)? {
        Constants::AsWritten => {}
        Constants::Replaced(text) => file.text = text,
        Constants::Other(in_code, in_text) => {
            let start = file.text.find(&name).unwrap_or(0) as u32;
            let span = Span::new(start, start + name.len() as u32);
            let diagnostic = Diagnostic::new(
                codes::NO_SOURCE,
                format!("the code of `{name}` is not what its source says"),
            )
            .at(
                0,
                span,
                format!("a constant is {in_code} in its code, and {in_text} in the text"),
            )
            .help("load the file again if it was edited, and pass what changes as an argument");
            return Ok(Err(NoSource {
                diagnostic,
                files: vec![file],
            }));
        }
    }
    Ok(Ok(Arc::new(FunctionSource { file, name, class })))
}

/// The same, and the text of a lambda too, in brackets of its own.
pub fn source_with_lambdas(
    function: &Bound<'_, PyAny>,
) -> PyResult<Result<Arc<FunctionSource>, NoSource>> {
    let found = source_of(function)?;
    let name: String = function.getattr("__name__")?.extract()?;
    if found.is_ok() || name != "<lambda>" {
        return Ok(found);
    }
    let class = class_around(&function.getattr("__code__")?)?;
    let text = match lambda_text(function)? {
        Some(file) => Some(file),
        None => text_by_code(function)?.map(|file| SourceFile {
            text: format!("({})\n", file.text),
            ..file
        }),
    };
    match text {
        Some(file) => Ok(Ok(Arc::new(FunctionSource { file, name, class }))),
        None => Ok(found),
    }
}

/// The innermost class in whose text a function stands.
fn class_around(code: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let name: String = code.getattr("co_qualname")?.extract()?;
    let mut around = name.rsplit('.').skip(1);
    while let Some(part) = around.next() {
        if part != "<locals>" {
            return Ok(Some(part.to_string()));
        }
        // The function that defines this one.
        around.next();
    }
    Ok(None)
}

/// The text of a function of which only the code is left.
fn text_by_code(function: &Bound<'_, PyAny>) -> PyResult<Option<SourceFile>> {
    let module = function.py().import("colocate._code_text")?;
    let text: Option<String> = module.call_method1("text_of", (function,))?.extract()?;
    let code = function.getattr("__code__")?;
    let name: String = code.getattr("co_filename")?.extract()?;
    Ok(text.map(|text| SourceFile {
        name,
        text,
        first_line: 1,
    }))
}

/// The text of a lambda, found by where its code says that its body begins.
fn lambda_text(function: &Bound<'_, PyAny>) -> PyResult<Option<SourceFile>> {
    let py = function.py();
    let code = function.getattr("__code__")?;
    let Some(positions) = code.getattr_opt("co_positions")? else {
        return Ok(None);
    };
    type Place = (Option<usize>, Option<usize>, Option<usize>, Option<usize>);
    let mut body: Option<(usize, usize)> = None;
    for place in positions.call0()?.try_iter()? {
        let (line, _, column, end) = place?.extract::<Place>()?;
        // What begins a function has no width.
        if let (Some(line), Some(column), Some(end)) = (line, column, end)
            && end > 0
        {
            let at = (line, column);
            body = Some(body.map_or(at, |known| known.min(at)));
        }
    }
    let Some((line, column)) = body else {
        return Ok(None);
    };
    let name: String = code.getattr("co_filename")?.extract()?;
    let first: usize = code.getattr("co_firstlineno")?.extract()?;
    let globals = function.getattr("__globals__")?;
    let lines: Vec<String> = py
        .import("linecache")?
        .call_method1("getlines", (&name, globals))?
        .extract()?;
    let Some(lines) = lines.get(first.saturating_sub(1)..) else {
        return Ok(None);
    };
    let before: usize = lines
        .iter()
        .take(line.saturating_sub(first))
        .map(String::len)
        .sum();
    let text = lines.concat();
    let Some(start) = text
        .get(..before + column)
        .and_then(|before| before.rfind("lambda"))
    else {
        return Ok(None);
    };
    let first_line = first + text[..start].matches('\n').count();
    let margin = start - text[..start].rfind('\n').map_or(0, |end| end + 1);
    let padding = " ".repeat(margin.saturating_sub(1));
    let inner = &text[start..start + end_of_lambda(&text[start..])];
    Ok(Some(SourceFile {
        name,
        text: format!("{padding}({inner})\n"),
        first_line,
    }))
}

/// Where the text of a lambda ends that begins it.
fn end_of_lambda(text: &str) -> usize {
    let mut depth = 0usize;
    let mut in_body = false;
    let mut position = 0;
    while position < text.len() {
        let rest = &text[position..];
        let quote = ["\"\"\"", "'''", "\"", "'"]
            .into_iter()
            .find(|quote| rest.starts_with(quote));
        if let Some(quote) = quote {
            position += quote.len();
            position += end_of_string(&text[position..], quote).0;
            continue;
        }
        let Some(character) = rest.chars().next() else {
            break;
        };
        match character {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return position,
            ')' | ']' | '}' => depth -= 1,
            ':' if depth == 0 => in_body = true,
            ',' | ';' if depth == 0 && in_body => return position,
            '#' if depth == 0 => return position,
            '\n' if depth == 0 && in_body => {
                let so_far = text[..position].trim_end();
                if !so_far.ends_with(':') && !so_far.ends_with('\\') {
                    return position;
                }
            }
            _ => {}
        }
        position += character.len_utf8();
    }
    text.len()
}

/// Where a scan of source text stands.
#[derive(Default)]
struct Scan {
    brackets: usize,
    /// The quote of a string that goes on in the next line.
    string: Option<&'static str>,
    /// A backslash joins the next line to this one.
    joined: bool,
}

impl Scan {
    fn in_statement(&self) -> bool {
        self.brackets > 0 || self.string.is_some() || self.joined
    }

    fn line(&mut self, line: &str) {
        let mut rest = line;
        self.joined = false;
        while !rest.is_empty() {
            if let Some(quote) = self.string {
                let end = end_of_string(rest, quote);
                rest = &rest[end.0..];
                if end.1 {
                    self.string = None;
                } else if quote.len() == 1 {
                    // A short string goes on only behind a backslash.
                    if !line.trim_end_matches(['\r', '\n']).ends_with('\\') {
                        self.string = None;
                    }
                    return;
                }
                continue;
            }
            let begun = ["\"\"\"", "'''", "\"", "'"]
                .into_iter()
                .find(|quote| rest.starts_with(quote));
            if let Some(quote) = begun {
                self.string = Some(quote);
                rest = &rest[quote.len()..];
                continue;
            }
            let mut characters = rest.chars();
            match characters.next() {
                Some('#') => return,
                Some('(' | '[' | '{') => self.brackets += 1,
                Some(')' | ']' | '}') => self.brackets = self.brackets.saturating_sub(1),
                Some('\\') if characters.as_str().trim().is_empty() => self.joined = true,
                _ => {}
            }
            rest = characters.as_str();
        }
    }
}

/// Where a string ends in a text that begins inside it, and whether it does.
fn end_of_string(text: &str, quote: &str) -> (usize, bool) {
    let mut position = 0;
    while position < text.len() {
        let rest = &text[position..];
        if rest.starts_with(quote) {
            return (position + quote.len(), true);
        }
        let mut characters = rest.chars();
        if characters.next() == Some('\\') {
            characters.next();
        }
        position = text.len() - characters.as_str().len();
    }
    (text.len(), false)
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The lines of a definition that begins on the first one.
fn block(lines: &[String]) -> String {
    let Some(first) = lines.first() else {
        return String::new();
    };
    let margin = indentation(first);
    let mut scan = Scan::default();
    let mut text = String::new();
    // What may still belong to the block: blank lines and comments.
    let mut undecided = String::new();
    let mut in_body = false;
    for line in lines {
        let content = line.trim();
        if !scan.in_statement() {
            let skipped = content.is_empty() || content.starts_with('#');
            if skipped {
                undecided.push_str(line);
                continue;
            }
            if in_body && indentation(line) <= margin {
                break;
            }
            if !content.starts_with('@') {
                in_body = true;
            }
        }
        text.push_str(&undecided);
        undecided.clear();
        text.push_str(line);
        scan.line(line);
    }
    text
}
