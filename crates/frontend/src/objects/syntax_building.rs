//! Syntax that was not written by the user: calls and comprehensions that stand for builtin functions.

use ruff_python_ast::name::Name;
use ruff_python_ast::{
    Comprehension, Expr, ExprAttribute, ExprCall, ExprContext, ExprName, ExprTuple, Identifier,
};
use ruff_text_size::TextRange;

pub(crate) fn named(name: &str, ctx: ExprContext, range: TextRange) -> Expr {
    Expr::Name(ExprName {
        node_index: Default::default(),
        range,
        id: Name::new(name),
        ctx,
    })
}

pub(crate) fn load(name: &str, range: TextRange) -> Expr {
    named(name, ExprContext::Load, range)
}

pub(crate) fn store(name: &str, range: TextRange) -> Expr {
    named(name, ExprContext::Store, range)
}

/// `of.name`.
pub(crate) fn attribute(of: Expr, name: &str, range: TextRange) -> Expr {
    Expr::Attribute(ExprAttribute {
        node_index: Default::default(),
        range,
        value: Box::new(of),
        attr: Identifier::new(name, range),
        ctx: ExprContext::Load,
    })
}

pub(crate) fn target(names: &[String], range: TextRange) -> Expr {
    match names {
        [one] => store(one, range),
        several => Expr::Tuple(ExprTuple {
            node_index: Default::default(),
            range,
            elts: several.iter().map(|name| store(name, range)).collect(),
            ctx: ExprContext::Store,
            parenthesized: true,
        }),
    }
}

pub(crate) fn call(function: &str, arguments: &[String], range: TextRange) -> Expr {
    let arguments = arguments.iter().map(|name| load(name, range)).collect();
    call_with(load(function, range), arguments, range)
}

pub(crate) fn call_with(function: Expr, arguments: Vec<Expr>, range: TextRange) -> Expr {
    Expr::Call(ExprCall {
        node_index: Default::default(),
        range_start: range.start(),
        func: Box::new(function),
        arguments: ruff_python_ast::Arguments {
            range,
            node_index: Default::default(),
            args: arguments.into_boxed_slice(),
            keywords: Default::default(),
        },
    })
}

pub(crate) fn generator(
    target: Expr,
    source: &str,
    ifs: Vec<Expr>,
    range: TextRange,
) -> Comprehension {
    Comprehension {
        range,
        node_index: Default::default(),
        target,
        iter: load(source, range),
        ifs,
        is_async: false,
    }
}
