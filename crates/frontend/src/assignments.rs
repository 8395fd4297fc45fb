//! Assignments.

use crate::codes;
use crate::translate::Translator;
use crate::value::Value;
use ruff_python_ast::{Expr, StmtAssign, StmtAugAssign};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    pub fn assign_statement(&mut self, s: &StmtAssign) {
        let value = match (&*s.value, s.targets.as_slice()) {
            // An array declared here is called as the program calls it.
            (Expr::Call(call), [Expr::Name(name)]) => self.named_call(call, Some(name.id.as_str())),
            (value, _) => self.expr(value),
        };
        for target in &s.targets {
            self.assign(target, value.clone(), s.value.range());
        }
    }

    /// Gives a target a value; the range is where the value stands.
    pub fn assign(&mut self, target: &Expr, value: Value, range: TextRange) {
        match target {
            Expr::Name(name) => {
                let site = self.site(target.range());
                let value = match value {
                    Value::Slice(_) | Value::Ellipsis => {
                        let what = value.describe();
                        let diagnostic = self.wrong(
                            codes::VALUE,
                            format!("{what} cannot be kept in a variable"),
                            range,
                            "",
                        );
                        self.report(diagnostic)
                    }
                    value => value,
                };
                self.remark(target.range(), name.id.as_str(), &value);
                self.bind(name.id.as_str(), value, site);
            }
            Expr::Tuple(e) => self.unpack(&e.elts, value, target.range(), range),
            Expr::List(e) => self.unpack(&e.elts, value, target.range(), range),
            Expr::Subscript(e) => {
                let base = self.expr(&e.value);
                if let Some(view) = self.writable_view(&base, e) {
                    self.store_value(&view, &value, target.range(), range);
                } else {
                    self.expr(&e.slice);
                }
            }
            Expr::Attribute(e) => {
                let diagnostic = self
                    .wrong(
                        codes::ATTRIBUTE_TARGET,
                        format!(
                            "the attribute `{}` cannot be assigned to in a kernel",
                            e.attr
                        ),
                        target.range(),
                        "",
                    )
                    .help("assign to an element, `a[i] = ...`, or to a variable");
                self.report(diagnostic);
            }
            Expr::Starred(e) if value.is_poison() => self.assign(&e.value, value, range),
            Expr::Starred(_) => {
                let diagnostic = self
                    .wrong(
                        codes::STAR,
                        "starred targets are not supported in kernels",
                        range,
                        "",
                    )
                    .help("name every item, or take slices of the tuple");
                self.report(diagnostic);
            }
            _ => {
                let diagnostic = self.wrong(
                    codes::STATEMENT,
                    "this cannot be assigned to",
                    target.range(),
                    "",
                );
                self.report(diagnostic);
            }
        }
    }

    fn unpack(&mut self, targets: &[Expr], value: Value, place: TextRange, range: TextRange) {
        let starred = targets
            .iter()
            .any(|target| matches!(target, Expr::Starred(_)));
        match value {
            Value::Tuple(items) if items.len() == targets.len() && !starred => {
                for (target, item) in targets.iter().zip(items) {
                    self.assign(target, item, range);
                }
                return;
            }
            Value::Poison => {}
            _ if starred => {
                let diagnostic = self
                    .wrong(
                        codes::STAR,
                        "starred targets are not supported in kernels",
                        place,
                        "",
                    )
                    .help("name every item, or take slices of the tuple");
                self.report(diagnostic);
            }
            other => {
                let what = other.describe();
                let help = match &other {
                    Value::Tuple(items) => {
                        format!("write {} targets, one for every item", items.len())
                    }
                    Value::View(_) => "take its elements one by one: `a[0], a[1]`".into(),
                    _ => "only tuples can be unpacked".into(),
                };
                let diagnostic = self
                    .wrong(
                        codes::UNPACK,
                        format!("{what} cannot be unpacked into {} targets", targets.len()),
                        range,
                        format!("this is {what}"),
                    )
                    .help(help);
                self.report(diagnostic);
            }
        }
        for target in targets {
            self.assign(target, Value::Poison, range);
        }
    }

    pub fn augmented(&mut self, s: &StmtAugAssign) {
        match &*s.target {
            Expr::Name(name) => {
                let current = self.name(name);
                if let Value::View(view) = &current
                    && view.rank() > 0
                {
                    let view = view.clone();
                    let value = self.expr(&s.value);
                    if self.check_writable(&view, s.target.range()) {
                        self.update_view(&view, s.op, &value, s.range(), s.value.range());
                    }
                    return;
                }
                let value = self.expr(&s.value);
                let result = self.binary(s.op, &current, &value, s.range());
                self.assign(&s.target, result, s.range());
            }
            Expr::Subscript(e) => {
                let base = self.expr(&e.value);
                let Some(view) = self.writable_view(&base, e) else {
                    self.expr(&e.slice);
                    self.expr(&s.value);
                    return;
                };
                if view.rank() > 0 {
                    let value = self.expr(&s.value);
                    self.update_view(&view, s.op, &value, s.range(), s.value.range());
                    return;
                }
                let current = self.load(&view).into();
                let value = self.expr(&s.value);
                let result = self.binary(s.op, &current, &value, s.range());
                self.store_value(&view, &result, s.target.range(), s.range());
            }
            other => self.assign(other, Value::Poison, s.range()),
        }
    }
}
