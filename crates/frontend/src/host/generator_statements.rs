//! Questions about the statements of generators that need no types, and what is changed in them before they are
//! translated in the frame of a loop.

use crate::objects::syntax_building::store;
use crate::syntax;
use ruff_python_ast::name::Name;
use ruff_python_ast::visitor::transformer::{
    Transformer, walk_except_handler, walk_expr as change_expr,
};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{ExceptHandler, Expr, Stmt, StmtAssign, StmtFunctionDef, Suite};
use ruff_text_size::Ranged;
use std::collections::HashSet;

/// Whether a function yields.
pub(crate) fn yields(def: &StmtFunctionDef) -> bool {
    yields_in(&def.body)
}

pub(crate) fn yields_in(body: &[Stmt]) -> bool {
    struct Finder(bool);
    impl<'a> Visitor<'a> for Finder {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if !matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                walk_stmt(self, statement);
            }
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Yield(_) | Expr::YieldFrom(_) => self.0 = true,
                Expr::Lambda(_) => {}
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut finder = Finder(false);
    body.iter()
        .for_each(|statement| finder.visit_stmt(statement));
    finder.0
}

/// Names as they are called in the frame of a loop.
pub(crate) struct Renamer {
    pub names: HashSet<String>,
    pub prefix: String,
}

impl Renamer {
    pub fn renamed(&self, name: &str) -> Name {
        Name::new(format!("{}{name}", self.prefix))
    }
}

impl Transformer for Renamer {
    fn visit_except_handler(&self, handler: &mut ExceptHandler) {
        let ExceptHandler::ExceptHandler(one) = handler;
        if let Some(name) = &mut one.name
            && self.names.contains(name.as_str())
        {
            name.id = self.renamed(name.as_str());
        }
        walk_except_handler(self, handler);
    }

    fn visit_expr(&self, expr: &mut Expr) {
        if let Expr::Name(name) = expr
            && self.names.contains(name.id.as_str())
        {
            name.id = self.renamed(name.id.as_str());
        }
        change_expr(self, expr);
    }
}

/// Whether a body has functions and the like, whose names are not expressions, or a `try` that is more than the loop
/// over the generator can stand in: an exception of the loop's body is none of the generator's, unless it is the body
/// of a `with`.
pub(crate) fn has_other_statements(body: &[Stmt], as_context: bool) -> bool {
    struct Finder {
        as_context: bool,
        found: bool,
    }
    impl<'a> Visitor<'a> for Finder {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::FunctionDef(_)
                | Stmt::ClassDef(_)
                | Stmt::Import(_)
                | Stmt::ImportFrom(_)
                | Stmt::Global(_)
                | Stmt::Nonlocal(_)
                | Stmt::Match(_) => self.found = true,
                Stmt::Try(_) if !self.as_context && has_yield(statement) => self.found = true,
                Stmt::Try(s) if !s.finalbody.is_empty() && syntax::returns(statement) => {
                    self.found = true;
                }
                _ => walk_stmt(self, statement),
            }
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Lambda(_) => self.found = true,
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut finder = Finder {
        as_context,
        found: false,
    };
    body.iter().for_each(|one| finder.visit_stmt(one));
    finder.found
}

/// The names that handlers give exceptions.
pub(crate) fn names_of_handlers(body: &[Stmt]) -> HashSet<String> {
    struct Handlers(HashSet<String>);
    impl<'a> Visitor<'a> for Handlers {
        fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
            let ExceptHandler::ExceptHandler(one) = handler;
            self.0.extend(one.name.iter().map(ToString::to_string));
            ruff_python_ast::visitor::walk_except_handler(self, handler);
        }
    }
    let mut handlers = Handlers(HashSet::new());
    body.iter().for_each(|one| handlers.visit_stmt(one));
    handlers.0
}

/// Whether a statement yields.
fn has_yield(statement: &Stmt) -> bool {
    yields_in(std::slice::from_ref(statement))
}

/// Whether a statement may end by an exception, as far as its text tells.
pub(crate) fn raises_or_tries(statement: &Stmt) -> bool {
    struct Finder(bool);
    impl<'a> Visitor<'a> for Finder {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            self.0 |= matches!(
                statement,
                Stmt::Raise(_) | Stmt::Assert(_) | Stmt::Try(_) | Stmt::With(_)
            );
            walk_stmt(self, statement);
        }
    }
    let mut finder = Finder(false);
    finder.visit_stmt(statement);
    finder.0
}

/// Gives what a generator returns a name.
pub(crate) fn keep_result(body: &mut Suite, name: &str) {
    for mut statement in std::mem::take(body) {
        syntax::each_body(&mut statement, &mut |inner| keep_result(inner, name));
        if let Stmt::Return(s) = &mut statement
            && let Some(value) = s.value.take()
        {
            let range = value.range();
            body.push(Stmt::Assign(StmtAssign {
                node_index: Default::default(),
                range,
                targets: vec![store(name, range)],
                value,
            }));
        }
        body.push(statement);
    }
}

/// The names that statements read.
pub(crate) fn names_read(body: &[Stmt]) -> HashSet<String> {
    struct Reads(HashSet<String>);
    impl<'a> Visitor<'a> for Reads {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Name(name) = expr {
                self.0.insert(name.id.to_string());
            }
            walk_expr(self, expr);
        }
    }
    let mut reads = Reads(HashSet::new());
    body.iter().for_each(|one| reads.visit_stmt(one));
    reads.0
}
