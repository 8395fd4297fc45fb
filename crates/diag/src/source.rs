//! Source text and places in it.

/// A range of bytes in a [`SourceFile`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A place of its own.
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// A piece of source: the text of one function, and where it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceFile {
    /// The file's name as users know it.
    pub name: String,
    /// The text that spans point into.
    pub text: String,
    /// The line of the file that the text begins on, from 1.
    pub first_line: usize,
}

impl SourceFile {
    /// The file's line that a span begins on, from 1.
    pub fn line(&self, span: Span) -> usize {
        let end = (span.start as usize).min(self.text.len());
        self.first_line
            + self.text.as_bytes()[..end]
                .iter()
                .filter(|&&b| b == b'\n')
                .count()
    }

    /// The text of a span; empty if it lies outside.
    pub fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }
}

/// A span in one of several files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Site {
    /// Which file: an index into a list that goes with whatever holds the site.
    pub file: u32,
    /// Where in it.
    pub span: Span,
}
