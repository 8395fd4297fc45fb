//! Source text to syntax tree. The only place that calls the parser.
//!
//! The text may be indented, as that of a nested function is; places in the tree are then shifted
//! against the text, by [`Parsed::shift`].

use crate::{Diagnostic, Failure, FunctionSource, Parameter, SourceFile, Span, codes};
use ruff_python_ast::token::TokenKind;
use ruff_python_ast::{Stmt, StmtFunctionDef};
use ruff_python_parser::{Mode, lexer};
use ruff_text_size::{Ranged, TextRange};

/// The line that an indented text is put under.
const WRAPPER: &str = "if True:\n";

/// More than people write, and little enough for a tree that can be walked and dropped.
const MOST_TOKENS_IN_A_LINE: usize = 4000;
const MOST_NESTING: usize = 90;

/// A function's syntax tree.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub def: StmtFunctionDef,
    /// What is to be taken off a place in the tree to get the place in the text.
    pub shift: u32,
}

/// The place in the text of a place in the tree.
pub(crate) fn span(range: TextRange, shift: u32) -> Span {
    let start = u32::from(range.start()).saturating_sub(shift);
    let end = u32::from(range.end()).saturating_sub(shift);
    Span::new(start, end)
}

/// Parses the text of a function; the file is what diagnostics point into.
pub(crate) fn parse(source: &FunctionSource, file: usize) -> Result<Parsed, Diagnostic> {
    let text = &source.file.text;
    let indented = text
        .lines()
        .find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .is_some_and(|line| line.starts_with([' ', '\t']));
    let (whole, shift) = if indented {
        (format!("{WRAPPER}{text}"), WRAPPER.len() as u32)
    } else {
        (text.clone(), 0)
    };
    if whole.len() > 4 << 20 {
        return Err(Diagnostic::new(
            codes::TOO_DEEP,
            "the source is too long for a kernel",
        ));
    }
    check_nesting(&whole, shift, file)?;
    let module = ruff_python_parser::parse_module(&whole).map_err(|error| {
        let place = span(error.location, shift);
        Diagnostic::new(
            codes::SYNTAX,
            format!("this is not valid Python: {}", error.error),
        )
        .at(file, place, "")
        .help("the file may have changed since it was loaded: correct it, and start the program again")
    })?;
    let mut body = module.into_syntax().body;
    if indented && let Some(Stmt::If(wrapper)) = body.first_mut() {
        body = std::mem::take(&mut wrapper.body);
    }
    let mut found = None;
    for statement in body {
        if let Stmt::Expr(alone) = &statement
            && let ruff_python_ast::Expr::Lambda(lambda) = &*alone.value
            && source.name == "<lambda>"
        {
            found = Some(crate::host::nested_functions::definition(lambda));
            break;
        }
        if let Stmt::FunctionDef(def) = statement {
            let wanted = def.name.as_str() == source.name;
            if wanted || found.is_none() {
                found = Some(def);
            }
            if wanted {
                break;
            }
        }
    }
    let Some(def) = found else {
        let lambda = text.contains("lambda");
        let (code, message) = if lambda {
            (codes::LAMBDA, "a lambda cannot be compiled")
        } else {
            (codes::NO_SOURCE, "the source of the function was not found")
        };
        return Err(Diagnostic::new(code, message)
            .at(
                file,
                Span::new(0, text.trim_end().len() as u32),
                "no def is here",
            )
            .help("write the function with def, in a file"));
    };
    let mut def = def;
    if let Some(class) = &source.class {
        crate::private_names::write_out_private_names(&mut def, class);
    }
    crate::shared_variables::hold_shared_variables(&mut def);
    Ok(Parsed { def, shift })
}

/// Refuses text whose tree would be too deep to walk.
fn check_nesting(text: &str, shift: u32, file: usize) -> Result<(), Diagnostic> {
    let mut lexer = lexer::lex(text, Mode::Module);
    let (mut brackets, mut indents, mut tokens) = (0usize, 0usize, 0usize);
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return Ok(()),
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => brackets += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                brackets = brackets.saturating_sub(1);
            }
            TokenKind::Indent => indents += 1,
            TokenKind::Dedent => indents = indents.saturating_sub(1),
            TokenKind::Newline => tokens = 0,
            _ => tokens += 1,
        }
        if brackets > MOST_NESTING || indents > MOST_NESTING || tokens > MOST_TOKENS_IN_A_LINE {
            return Err(
                Diagnostic::new(codes::TOO_DEEP, "the program is nested too deeply")
                    .at(file, first_line(text, shift), "this function")
                    .help("give parts of it a name, or move them into a device function"),
            );
        }
    }
}

/// The first line of the user's text; the lexer does not say where it is.
fn first_line(text: &str, shift: u32) -> Span {
    let user = text.get(shift as usize..).unwrap_or(text);
    Span::new(0, user.lines().next().map_or(0, str::len) as u32)
}

/// The parameters of a function.
pub(crate) fn parameters(source: &FunctionSource) -> Result<Vec<Parameter>, Failure> {
    let failure = |diagnostic: Diagnostic| Failure {
        diagnostics: vec![diagnostic],
        files: vec![source.file.clone()],
    };
    let parsed = parse(source, 0).map_err(failure)?;
    check_parameters(&parsed, 0, false).map_err(failure)?;
    let declared = &parsed.def.parameters;
    let (first, last) = (declared.posonlyargs.len(), declared.args.len());
    let all = declared
        .posonlyargs
        .iter()
        .chain(&declared.args)
        .chain(&declared.kwonlyargs);
    Ok(all
        .enumerate()
        .map(|(position, parameter)| Parameter {
            name: parameter.name().to_string(),
            positional_only: position < first,
            keyword_only: position >= first + last,
            default: parameter.default().map(|default| {
                slice(&source.file, span(default.range(), parsed.shift)).to_string()
            }),
        })
        .collect())
}

fn slice(file: &SourceFile, span: Span) -> &str {
    file.slice(span)
}

/// Refuses `*args` and `**kwargs` in kernels, and functions that are no plain functions.
pub(crate) fn check_parameters(
    parsed: &Parsed,
    file: usize,
    program: bool,
) -> Result<(), Diagnostic> {
    let def = &parsed.def;
    if def.is_async {
        return Err(
            Diagnostic::new(codes::ASYNC, "an async function cannot be a kernel")
                .at(file, span(def.name.range(), parsed.shift), "this is async")
                .help("write def without async"),
        );
    }
    let declared = &def.parameters;
    let star = declared.vararg.as_ref().or(declared.kwarg.as_ref());
    if let Some(star) = star.filter(|_| !program) {
        return Err(Diagnostic::new(
            codes::PARAMETERS,
            "a function with a variable number of parameters cannot be compiled",
        )
        .at(
            file,
            span(star.range(), parsed.shift),
            "this takes any number of arguments",
        )
        .help("name every parameter; several values of one kind can be a tuple"));
    }
    Ok(())
}
