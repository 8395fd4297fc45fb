//! `match` as what it says in terms of `if`: patterns of constants, sequences, names and alternatives.

use crate::objects::syntax_building::{call_with, load, store};
use crate::syntax;
use ruff_python_ast::{
    BoolOp, CmpOp, ElifElseClause, Expr, ExprAttribute, ExprBoolOp, ExprBooleanLiteral,
    ExprCompare, ExprContext, ExprNamed, ExprNoneLiteral, ExprNumberLiteral, ExprSubscript,
    ExprTuple, Int, Number, Pattern, Singleton, Stmt, StmtAssign, StmtFunctionDef, StmtIf,
    StmtMatch, Suite,
};
use ruff_text_size::{Ranged, TextRange};
use std::cell::Cell;

/// Replaces the `match` statements of a function, as far as their patterns can be said otherwise.
pub(crate) fn replace_matches(def: &mut StmtFunctionDef) {
    let replacer = Replacer {
        number: Cell::new(0),
    };
    replacer.body(&mut def.body);
}

struct Replacer {
    number: Cell<usize>,
}

impl Replacer {
    fn body(&self, body: &mut Suite) {
        let statements = std::mem::take(body);
        for mut statement in statements {
            syntax::each_body(&mut statement, &mut |inner| self.body(inner));
            match &statement {
                Stmt::Match(s) => match self.chosen(s) {
                    Some(replacement) => body.extend(replacement),
                    None => body.push(statement),
                },
                _ => body.push(statement),
            }
        }
    }

    /// The subject under a name of its own, and an `if` over the cases.
    fn chosen(&self, s: &StmtMatch) -> Option<[Stmt; 2]> {
        let number = self.number.get();
        self.number.set(number + 1);
        let name = format!("%match{number}");
        let range = s.subject.range();
        let mut clauses: Vec<(Option<Expr>, Suite, TextRange)> = Vec::new();
        for case in &s.cases {
            let mut tests = Vec::new();
            let mut names = Vec::new();
            test(&case.pattern, &load(&name, range), &mut tests, &mut names)?;
            let mut body: Suite = Suite::new();
            match &case.guard {
                // The guard may read the names.
                Some(guard) => {
                    tests.extend(names.iter().map(|(name, value)| named(name, value)));
                    tests.push((**guard).clone());
                }
                None => body.extend(names.iter().map(|(name, value)| assignment(name, value))),
            }
            body.extend(case.body.iter().cloned());
            let condition = all(tests, case.pattern.range());
            clauses.push((condition, body, case.range()));
        }
        let mut clauses = clauses.into_iter();
        let (first, body, range) = clauses.next()?;
        let rest = clauses
            .map(|(test, body, range)| ElifElseClause {
                range,
                node_index: Default::default(),
                test: Some(test.unwrap_or_else(|| truth(range))),
                body,
            })
            .collect();
        let whole = Stmt::If(StmtIf {
            node_index: Default::default(),
            range: TextRange::new(range.start(), s.range().end()),
            test: Box::new(first.unwrap_or_else(|| truth(range))),
            body,
            elif_else_clauses: rest,
        });
        let subject = Stmt::Assign(StmtAssign {
            node_index: Default::default(),
            range: s.subject.range(),
            targets: vec![store(&name, s.subject.range())],
            value: s.subject.clone(),
        });
        Some([subject, whole])
    }
}

/// Whether a name is one of Python's classes that match as a whole.
fn is_builtin_class(class: &Expr) -> bool {
    const WHOLE: &[&str] = &[
        "bool",
        "dict",
        "float",
        "frozenset",
        "int",
        "list",
        "set",
        "str",
        "tuple",
    ];
    matches!(class, Expr::Name(name) if WHOLE.contains(&name.id.as_str()))
}

/// What must hold for a pattern, and the names that it gives; nothing if it cannot be said.
fn test(
    pattern: &Pattern,
    subject: &Expr,
    tests: &mut Vec<Expr>,
    names: &mut Vec<(String, Expr)>,
) -> Option<()> {
    let range = pattern.range();
    match pattern {
        Pattern::MatchValue(p) => tests.push(compare(subject, CmpOp::Eq, &p.value, range)),
        Pattern::MatchSingleton(p) => {
            let value = match p.value {
                Singleton::None => Expr::NoneLiteral(ExprNoneLiteral {
                    node_index: Default::default(),
                    range,
                }),
                Singleton::True => boolean(true, range),
                Singleton::False => boolean(false, range),
            };
            tests.push(compare(subject, CmpOp::Is, &value, range));
        }
        Pattern::MatchSequence(p) => {
            if p.patterns
                .iter()
                .any(|one| matches!(one, Pattern::MatchStar(_)))
            {
                return None;
            }
            let length = call_with(load("len", range), vec![subject.clone()], range);
            let count = number(p.patterns.len(), range);
            tests.push(compare(&length, CmpOp::Eq, &count, range));
            for (position, part) in p.patterns.iter().enumerate() {
                let item = item(subject, position, part.range());
                test(part, &item, tests, names)?;
            }
        }
        Pattern::MatchAs(p) => {
            if let Some(inner) = &p.pattern {
                test(inner, subject, tests, names)?;
            }
            if let Some(name) = &p.name {
                names.push((name.to_string(), subject.clone()));
            }
        }
        Pattern::MatchClass(p) => {
            let given = vec![subject.clone(), (*p.cls).clone()];
            tests.push(call_with(load("isinstance", range), given, range));
            match &p.arguments.patterns[..] {
                [] => {}
                // These match as a whole; which attributes others mean is known to their classes.
                [whole] if is_builtin_class(&p.cls) => test(whole, subject, tests, names)?,
                _ => return None,
            }
            for keyword in &p.arguments.keywords {
                let attribute = Expr::Attribute(ExprAttribute {
                    node_index: Default::default(),
                    range: keyword.range,
                    value: Box::new(subject.clone()),
                    attr: keyword.attr.clone(),
                    ctx: ExprContext::Load,
                });
                test(&keyword.pattern, &attribute, tests, names)?;
            }
        }
        Pattern::MatchOr(p) => {
            let mut alternatives = Vec::new();
            for one in &p.patterns {
                let (mut parts, mut own) = (Vec::new(), Vec::new());
                test(one, subject, &mut parts, &mut own)?;
                if !own.is_empty() {
                    return None;
                }
                alternatives.push(all(parts, one.range()).unwrap_or_else(|| truth(range)));
            }
            tests.push(Expr::BoolOp(ExprBoolOp {
                node_index: Default::default(),
                range,
                op: BoolOp::Or,
                values: alternatives,
            }));
        }
        _ => return None,
    }
    Some(())
}

fn all(mut tests: Vec<Expr>, range: TextRange) -> Option<Expr> {
    match tests.len() {
        0 | 1 => tests.pop(),
        _ => Some(Expr::BoolOp(ExprBoolOp {
            node_index: Default::default(),
            range,
            op: BoolOp::And,
            values: tests,
        })),
    }
}

fn truth(range: TextRange) -> Expr {
    boolean(true, range)
}

fn boolean(value: bool, range: TextRange) -> Expr {
    Expr::BooleanLiteral(ExprBooleanLiteral {
        node_index: Default::default(),
        range,
        value,
    })
}

fn number(value: usize, range: TextRange) -> Expr {
    Expr::NumberLiteral(ExprNumberLiteral {
        node_index: Default::default(),
        range,
        value: Number::Int(Int::from(value as u64)),
    })
}

fn compare(a: &Expr, op: CmpOp, b: &Expr, range: TextRange) -> Expr {
    Expr::Compare(ExprCompare {
        node_index: Default::default(),
        range,
        left: Box::new(a.clone()),
        ops: Box::new([op]),
        comparators: Box::new([b.clone()]),
    })
}

fn item(subject: &Expr, position: usize, range: TextRange) -> Expr {
    Expr::Subscript(ExprSubscript {
        node_index: Default::default(),
        range,
        value: Box::new(subject.clone()),
        slice: Box::new(number(position, range)),
        ctx: ExprContext::Load,
    })
}

fn assignment(name: &str, value: &Expr) -> Stmt {
    Stmt::Assign(StmtAssign {
        node_index: Default::default(),
        range: value.range(),
        targets: vec![store(name, value.range())],
        value: Box::new(value.clone()),
    })
}

/// Gives a name a value, and is true.
fn named(name: &str, value: &Expr) -> Expr {
    let range = value.range();
    let given = Expr::Named(ExprNamed {
        node_index: Default::default(),
        range,
        target: Box::new(store(name, range)),
        value: Box::new(value.clone()),
    });
    let both = Expr::Tuple(ExprTuple {
        node_index: Default::default(),
        range,
        elts: vec![given, truth(range)],
        ctx: ExprContext::Load,
        parenthesized: true,
    });
    item(&both, 1, range)
}
