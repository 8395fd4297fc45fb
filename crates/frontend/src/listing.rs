//! The typed listing: the source with what was inferred.

use crate::translate::Translator;
use crate::value::Value;
use colocate_diag::{Site, SourceFile};
use ruff_text_size::TextRange;
use std::collections::BTreeMap;

/// An inferred type.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    site: Site,
    text: String,
}

impl Translator<'_> {
    /// Says in the listing what something at a place is.
    pub fn remark(&mut self, range: TextRange, name: &str, value: &Value) {
        if value.is_poison() {
            return;
        }
        let site = self.site(range);
        let text = format!("{name}: {}", value.describe());
        self.remarks.push(Remark { site, text });
    }

    /// Says in the listing what an expression is.
    pub fn remark_expression(&mut self, range: TextRange, value: &Value) {
        if !matches!(value, Value::Scalar(_) | Value::View(_)) {
            return;
        }
        let site = self.site(range);
        let source = self.files[site.file as usize].slice(site.span);
        if source.contains('\n') || source.len() > 60 {
            return;
        }
        let text = format!("{source}: {}", value.describe());
        self.remarks.push(Remark { site, text });
    }
}

/// Every function's source, with what was inferred in comments at the end of the lines.
pub(crate) fn write(files: &[SourceFile], remarks: &[Remark]) -> String {
    let mut text = String::new();
    for (number, file) in files.iter().enumerate() {
        let mut lines: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        for remark in remarks
            .iter()
            .filter(|remark| remark.site.file as usize == number)
        {
            let line = lines.entry(file.line(remark.site.span)).or_default();
            if !line.contains(&remark.text.as_str()) {
                line.push(&remark.text);
            }
        }
        if number > 0 {
            text.push('\n');
        }
        text.push_str(&format!("# {}:{}\n", file.name, file.first_line));
        let width = file
            .text
            .lines()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or(0)
            .min(60);
        for (offset, line) in file.text.lines().enumerate() {
            match lines.get(&(file.first_line + offset)) {
                Some(found) => {
                    let padded = format!("{line:<width$}  # {}\n", found.join("; "));
                    text.push_str(&padded);
                }
                None => {
                    text.push_str(line.trim_end());
                    text.push('\n');
                }
            }
        }
    }
    text
}
