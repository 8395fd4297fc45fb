//! Functions that remember what they gave: `functools.cache` and `lru_cache`.
//!
//! Without that, some that call themselves would take forever. One inside another function looks into a dictionary,
//! which is made where the function is defined. Others are called by way of Python, which remembers.

use crate::host::generator_statements::names_read;
use crate::objects::syntax_building::{call_with, load, store};
use ruff_python_ast::name::Name;
use ruff_python_ast::visitor::transformer::{Transformer, walk_stmt};
use ruff_python_ast::{
    CmpOp, Expr, ExprAttribute, ExprCompare, ExprContext, ExprSubscript, ExprTuple, Identifier,
    Stmt, StmtAssign, StmtFunctionDef, StmtIf, StmtReturn,
};
use ruff_text_size::{Ranged, TextRange};

/// Whether a decorator makes a function remember what it gave.
pub(crate) fn remembers(decorator: &Expr) -> bool {
    let named = match decorator {
        Expr::Call(call) => &*call.func,
        other => other,
    };
    let name = match named {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return false,
    };
    matches!(name, "cache" | "lru_cache")
}

/// Whether a function remembers what it gave.
pub(crate) fn is_remembered(def: &StmtFunctionDef) -> bool {
    let mut decorators = def.decorator_list.iter();
    decorators.any(|decorator| remembers(&decorator.expression))
}

/// A function that looks into a dictionary first, and the dictionary's name; nothing if nobody sees whether it is
/// called again, or its arguments have no names.
pub(crate) fn with_dictionary(def: &StmtFunctionDef) -> Option<(String, StmtFunctionDef)> {
    let parameters = &def.parameters;
    let starred = parameters.vararg.is_some() || parameters.kwarg.is_some();
    let is_seen = || {
        names_read(&def.body).contains(def.name.as_str())
            || crate::objects::changing_statements::may_have_effects(&def.body)
    };
    if !is_remembered(def) || starred || !is_seen() {
        return None;
    }
    let range = def.name.range();
    let dictionary = format!("_given_by_{}", def.name);
    let key = format!("_key_of_{}", def.name);
    let names: Vec<Expr> = parameters
        .iter_non_variadic_params()
        .map(|parameter| load(parameter.name().as_str(), range))
        .collect();
    if names.is_empty() {
        return None;
    }
    let tuple = Expr::Tuple(ExprTuple {
        node_index: Default::default(),
        range,
        elts: names,
        ctx: ExprContext::Load,
        parenthesized: true,
    });
    // The function may assign to its parameters.
    let keep = Stmt::Assign(StmtAssign {
        node_index: Default::default(),
        range,
        targets: vec![store(&key, range)],
        value: Box::new(tuple),
    });
    let known = Expr::Compare(ExprCompare {
        node_index: Default::default(),
        range,
        left: Box::new(load(&key, range)),
        ops: Box::new([CmpOp::In]),
        comparators: Box::new([load(&dictionary, range)]),
    });
    let given = Expr::Subscript(ExprSubscript {
        node_index: Default::default(),
        range,
        value: Box::new(load(&dictionary, range)),
        slice: Box::new(load(&key, range)),
        ctx: ExprContext::Load,
    });
    let look = Stmt::If(StmtIf {
        node_index: Default::default(),
        range,
        test: Box::new(known),
        body: vec![Stmt::Return(StmtReturn {
            node_index: Default::default(),
            range,
            value: Some(Box::new(given)),
        })]
        .into(),
        elif_else_clauses: Vec::new(),
    });
    let mut changed = def.clone();
    let keeping = Keeping {
        dictionary: &dictionary,
        key: &key,
    };
    for statement in &mut changed.body {
        keeping.visit_stmt(statement);
    }
    changed.body.splice(0..0, [keep, look]);
    Some((dictionary, changed))
}

/// Puts what a function returns into the dictionary.
struct Keeping<'a> {
    dictionary: &'a str,
    key: &'a str,
}

impl Transformer for Keeping<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Return(s) => {
                let Some(value) = s.value.take() else {
                    return;
                };
                s.value = Some(Box::new(self.kept(*value)));
            }
            other => walk_stmt(self, other),
        }
    }
}

impl Keeping<'_> {
    fn kept(&self, value: Expr) -> Expr {
        let range: TextRange = value.range();
        let method = Expr::Attribute(ExprAttribute {
            node_index: Default::default(),
            range,
            value: Box::new(load(self.dictionary, range)),
            attr: Identifier {
                id: Name::new("setdefault"),
                range,
                node_index: Default::default(),
            },
            ctx: ExprContext::Load,
        });
        call_with(method, vec![load(self.key, range), value], range)
    }
}
