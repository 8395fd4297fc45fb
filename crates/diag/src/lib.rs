//! Places in source text, and diagnostics as data.
//!
//! A [`Diagnostic`] says what is wrong with a user's program: a stable code, a message, places in
//! the source with what is to be said there, and what to write instead. It is data; [`render`]
//! turns it into text. Nothing here knows Python, the IR or a device.

mod render;
mod source;

pub use render::{Style, render};
pub use source::{Site, SourceFile, Span};

/// A mistake in a user's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable, such as `CL0102`; the page of the catalogue has the same name.
    pub code: &'static str,
    /// One line: what is wrong.
    pub message: String,
    /// Where, and what is to be said there. The first is the place of the mistake.
    pub labels: Vec<Label>,
    /// What else helps to understand it.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Option<String>,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The file it is in: an index into the files given to [`render`].
    pub file: usize,
    /// Where.
    pub span: Span,
    /// What is to be said there; may be empty.
    pub text: String,
}

impl Diagnostic {
    /// A diagnostic without a place yet.
    pub fn new(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// Adds a place.
    pub fn at(mut self, file: usize, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label {
            file,
            span,
            text: text.into(),
        });
        self
    }

    /// Adds a note.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Says what to write instead.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }
}
