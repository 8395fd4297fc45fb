//! Diagnostics as text, with the source underlined.

use crate::{Diagnostic, SourceFile};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// How to render.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Text only.
    Plain,
    /// With the colours of a terminal.
    Coloured,
}

/// All of them, one after the other.
pub fn render(diagnostics: &[Diagnostic], files: &[SourceFile], style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    let rendered = diagnostics
        .iter()
        .map(|diagnostic| render_one(diagnostic, files, &renderer));
    rendered.collect::<Vec<_>>().join("\n\n")
}

fn render_one(diagnostic: &Diagnostic, files: &[SourceFile], renderer: &Renderer) -> String {
    let mut group = Group::with_title(
        Level::ERROR
            .primary_title(diagnostic.message.as_str())
            .id(diagnostic.code),
    );
    // One snippet a file, in the order in which the files come up.
    let mut order: Vec<usize> = Vec::new();
    for label in &diagnostic.labels {
        if !order.contains(&label.file) && label.file < files.len() {
            order.push(label.file);
        }
    }
    for file in order {
        let source = &files[file];
        let mut snippet = Snippet::source(source.text.as_str())
            .path(source.name.as_str())
            .line_start(source.first_line);
        for (position, label) in diagnostic.labels.iter().enumerate() {
            if label.file != file {
                continue;
            }
            let kind = if position == 0 {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let length = source.text.len();
            let start = (label.span.start as usize).min(length);
            let end = (label.span.end as usize).clamp(start, length);
            let mut annotation = kind.span(start..end);
            if !label.text.is_empty() {
                annotation = annotation.label(label.text.as_str());
            }
            snippet = snippet.annotation(annotation);
        }
        group = group.element(snippet);
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group]).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    #[test]
    fn a_diagnostic_shows_the_users_own_line_and_underlines_the_expression() {
        let file = SourceFile {
            name: "prog.py".into(),
            text: "def f(a):\n    a[0] = 'x'\n".into(),
            first_line: 7,
        };
        let diagnostic = Diagnostic::new("CL0001", "strings cannot be used in a kernel")
            .at(0, Span::new(21, 24), "this is a string")
            .help("store a number");
        let text = render(&[diagnostic], &[file], Style::Plain);
        assert!(
            text.contains("error[CL0001]: strings cannot be used in a kernel"),
            "{text}"
        );
        assert!(text.contains("prog.py:8:12"), "{text}");
        assert!(text.contains("8 |     a[0] = 'x'"), "{text}");
        assert!(text.contains("^^^ this is a string"), "{text}");
        assert!(text.contains("help: store a number"), "{text}");
    }

    #[test]
    fn a_span_outside_the_text_does_not_panic() {
        let file = SourceFile {
            name: "p".into(),
            text: "é".into(),
            first_line: 1,
        };
        let diagnostic = Diagnostic::new("CL0001", "m").at(0, Span::new(90, 99), "");
        assert!(render(&[diagnostic], &[file], Style::Coloured).contains("CL0001"));
    }
}
