//! Functions that call themselves and remember what they gave: `functools.cache` and `lru_cache`.
//!
//! Without their memory they may take for ever. It is a dictionary that each call from outside makes and the calls
//! inside share; the function is rewritten to look there first, and to put there what it returns.

use crate::host::nested_functions::Closure;
use crate::objects::syntax_building::{load, store};
use crate::parse::Parsed;
use crate::program::ObjectType;
use crate::syntax;
use crate::translate::Translator;
use ruff_python_ast::{
    CmpOp, Expr, ExprCompare, ExprContext, ExprSubscript, ExprTuple, Stmt, StmtAssign,
    StmtFunctionDef, StmtIf, StmtReturn, Suite,
};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// The dictionary, a variable of the functions around.
const MEMORY: &str = "__given_before";

/// The arguments as its key.
const KEY: &str = "__arguments_given";

/// What is returned.
const RESULT: &str = "__given_now";

/// Rewrites a function and those inside it, as far as they remember what they gave.
pub(crate) fn replace_memoised(def: &mut StmtFunctionDef) {
    replace_inside(&mut def.body);
    let remembers = def.decorator_list.iter().any(|one| {
        let named = match &one.expression {
            Expr::Call(call) => &*call.func,
            other => other,
        };
        match named {
            Expr::Name(name) => matches!(name.id.as_str(), "cache" | "lru_cache"),
            Expr::Attribute(of) => matches!(of.attr.as_str(), "cache" | "lru_cache"),
            _ => false,
        }
    });
    let parameters = &def.parameters;
    let open = parameters.vararg.is_some() || parameters.kwarg.is_some();
    let calls_itself = crate::host::generators::names_read(&def.body).contains(def.name.as_str());
    if !remembers || open || !calls_itself || parameters.is_empty() {
        return;
    }
    let range = def.name.range();
    let names = parameters.iter_non_variadic_params();
    let mut names: Vec<Expr> = names.map(|one| load(one.name().as_str(), range)).collect();
    let key = match names.len() {
        1 => names.remove(0),
        _ => Expr::Tuple(ExprTuple {
            node_index: Default::default(),
            range,
            elts: names,
            ctx: ExprContext::Load,
            parenthesized: true,
        }),
    };
    let known = Expr::Compare(ExprCompare {
        node_index: Default::default(),
        range,
        left: Box::new(load(KEY, range)),
        ops: Box::new([CmpOp::In]),
        comparators: Box::new([load(MEMORY, range)]),
    });
    let look = Stmt::If(StmtIf {
        node_index: Default::default(),
        range,
        test: Box::new(known),
        body: std::iter::once(returned(remembered(ExprContext::Load, range), range)).collect(),
        elif_else_clauses: Vec::new(),
    });
    let mut body = std::mem::take(&mut def.body);
    remember_returns(&mut body);
    def.body.push(assigned(store(KEY, range), key, range));
    def.body.push(look);
    def.body.extend(body);
}

fn replace_inside(body: &mut Suite) {
    for statement in body {
        match statement {
            Stmt::FunctionDef(inner) => replace_memoised(inner),
            other => syntax::each_body(other, &mut replace_inside),
        }
    }
}

/// Puts what statements return into the dictionary first.
fn remember_returns(body: &mut Suite) {
    let statements = std::mem::take(body);
    for mut statement in statements {
        match &mut statement {
            Stmt::FunctionDef(_) => body.push(statement),
            Stmt::Return(StmtReturn {
                value: Some(value),
                range,
                ..
            }) => {
                let range = *range;
                body.push(assigned(store(RESULT, range), (**value).clone(), range));
                let place = remembered(ExprContext::Store, range);
                body.push(assigned(place, load(RESULT, range), range));
                body.push(returned(load(RESULT, range), range));
            }
            other => {
                syntax::each_body(other, &mut remember_returns);
                body.push(statement);
            }
        }
    }
}

fn remembered(ctx: ExprContext, range: TextRange) -> Expr {
    Expr::Subscript(ExprSubscript {
        node_index: Default::default(),
        range,
        value: Box::new(load(MEMORY, range)),
        slice: Box::new(load(KEY, range)),
        ctx,
    })
}

fn assigned(target: Expr, value: Expr, range: TextRange) -> Stmt {
    Stmt::Assign(StmtAssign {
        node_index: Default::default(),
        range,
        targets: vec![target],
        value: Box::new(value),
    })
}

fn returned(value: Expr, range: TextRange) -> Stmt {
    Stmt::Return(StmtReturn {
        node_index: Default::default(),
        range,
        value: Some(Box::new(value)),
    })
}

/// Whether a function was rewritten so.
fn remembers(parsed: &Parsed) -> bool {
    matches!(parsed.def.body.first(), Some(Stmt::Assign(first))
        if matches!(&first.targets[..], [Expr::Name(name)] if name.id == KEY))
}

impl Translator<'_> {
    /// What a function is called with, if it remembers what it gave: a dictionary of this call's own.
    pub fn with_memory(
        &mut self,
        parsed: &Parsed,
        function: crate::FunctionId,
        closure: Option<&Rc<Closure>>,
        range: TextRange,
    ) -> Option<Rc<Closure>> {
        if !remembers(parsed) {
            return None;
        }
        let kind = ObjectType::Dict(Box::new(ObjectType::Unknown), Box::new(ObjectType::Unknown));
        let memory = self.container("builtins.dict", &[], kind, range);
        let kept = vec![(MEMORY.to_string(), memory)];
        Some(Rc::new(Closure::around(function, kept, closure.cloned())))
    }

    /// What a function that is running was called with, if it remembers what it gave: calls of itself go on with that.
    pub fn memory_of_running(&self, position: usize) -> Option<Rc<Closure>> {
        let frame = &self.frames[position];
        let (parsed, _) = self.parsed.get(&frame.function)?;
        remembers(parsed).then(|| frame.closure.clone()).flatten()
    }
}
