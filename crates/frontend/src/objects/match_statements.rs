//! `match` as what it says in terms of `if`: patterns of constants, sequences, names and alternatives.

use crate::objects::syntax_building::{call_with, load, store};
use crate::syntax;
use ruff_python_ast::{
    BoolOp, CmpOp, ElifElseClause, Expr, ExprAttribute, ExprBoolOp, ExprBooleanLiteral,
    ExprCompare, ExprContext, ExprNamed, ExprNoneLiteral, ExprNumberLiteral, ExprSlice,
    ExprSubscript, ExprTuple, ExprUnaryOp, Identifier, Int, Number, Pattern, Singleton, Stmt,
    StmtAssign, StmtFunctionDef, StmtIf, StmtMatch, Suite, UnaryOp,
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

/// Before the position of an attribute that `__match_args__` of its class names.
pub(crate) const BY_POSITION: &str = "__match_args__.";

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
            tests.push(is_sequence(subject, range));
            let is_star = |one: &Pattern| matches!(one, Pattern::MatchStar(_));
            let star = p.patterns.iter().position(is_star);
            let length = call_with(load("len", range), vec![subject.clone()], range);
            let (op, least) = match star {
                Some(_) => (CmpOp::GtE, p.patterns.len() - 1),
                None => (CmpOp::Eq, p.patterns.len()),
            };
            tests.push(compare(&length, op, &number(least, range), range));
            for (position, part) in p.patterns.iter().enumerate() {
                let from_end = p.patterns.len() - position;
                let own = match (star, part) {
                    (Some(_), Pattern::MatchStar(rest)) => {
                        let items = between(subject, position, from_end - 1, part.range());
                        names.extend(
                            rest.name
                                .iter()
                                .map(|name| (name.to_string(), items.clone())),
                        );
                        continue;
                    }
                    (Some(star), _) if position > star => {
                        at(subject, negative(from_end, part.range()), part.range())
                    }
                    _ => item(subject, position, part.range()),
                };
                test(part, &own, tests, names)?;
            }
        }
        Pattern::MatchMapping(p) if p.rest.is_none() => {
            let given = vec![subject.clone(), load("dict", range)];
            tests.push(call_with(load("isinstance", range), given, range));
            for (key, part) in p.keys.iter().zip(&p.patterns) {
                tests.push(compare(key, CmpOp::In, subject, range));
                test(part, &at(subject, key.clone(), part.range()), tests, names)?;
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
                several => {
                    for (position, part) in several.iter().enumerate() {
                        let name = format!("{BY_POSITION}{position}");
                        let own = attribute(subject, Identifier::new(name, range), part.range());
                        test(part, &own, tests, names)?;
                    }
                }
            }
            for keyword in &p.arguments.keywords {
                let own = attribute(subject, keyword.attr.clone(), keyword.range);
                test(&keyword.pattern, &own, tests, names)?;
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

/// Lists and the like match patterns of sequences, arrays and texts do not.
fn is_sequence(subject: &Expr, range: TextRange) -> Expr {
    let classes = Expr::Tuple(ExprTuple {
        node_index: Default::default(),
        range,
        elts: ["tuple", "list", "range"]
            .map(|one| load(one, range))
            .to_vec(),
        ctx: ExprContext::Load,
        parenthesized: true,
    });
    call_with(
        load("isinstance", range),
        vec![subject.clone(), classes],
        range,
    )
}

fn attribute(subject: &Expr, name: Identifier, range: TextRange) -> Expr {
    Expr::Attribute(ExprAttribute {
        node_index: Default::default(),
        range,
        value: Box::new(subject.clone()),
        attr: name,
        ctx: ExprContext::Load,
    })
}

fn at(subject: &Expr, index: Expr, range: TextRange) -> Expr {
    Expr::Subscript(ExprSubscript {
        node_index: Default::default(),
        range,
        value: Box::new(subject.clone()),
        slice: Box::new(index),
        ctx: ExprContext::Load,
    })
}

fn negative(value: usize, range: TextRange) -> Expr {
    Expr::UnaryOp(ExprUnaryOp {
        node_index: Default::default(),
        range,
        op: UnaryOp::USub,
        operand: Box::new(number(value, range)),
    })
}

/// The items that a star takes, as a list.
fn between(subject: &Expr, first: usize, after: usize, range: TextRange) -> Expr {
    let slice = Expr::Slice(ExprSlice {
        node_index: Default::default(),
        range,
        lower: Some(Box::new(number(first, range))),
        upper: (after > 0).then(|| Box::new(negative(after, range))),
        step: None,
    });
    call_with(load("list", range), vec![at(subject, slice, range)], range)
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
