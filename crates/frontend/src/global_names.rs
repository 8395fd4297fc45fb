//! Global variables that a function assigns to (`global`): attributes of the module that they belong to.
//!
//! The tree is changed before anybody looks at it, so that such a variable is none of the function's own. What this cannot
//! do, because the name also means something else inside, is left as it is, and refused later.

use crate::objects::syntax_building::load;
use crate::syntax;
use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::visitor::transformer::{Transformer, walk_expr, walk_stmt};
use ruff_python_ast::visitor::{walk_expr as look_at_expr, walk_stmt as look_at_stmt};
use ruff_python_ast::{Expr, ExprAttribute, Identifier, Stmt, StmtFunctionDef};
use std::collections::HashSet;

/// The name of the module that a function belongs to.
pub(crate) const OWN_MODULE: &str = "<module>";

/// Makes the global variables that a function assigns to, and functions inside it, attributes of its module.
pub(crate) fn write_out_global_names(def: &mut StmtFunctionDef) {
    InnerFunctions.visit_body(&mut def.body);
    let mut declared = Declared(HashSet::new());
    declared.visit_body(&def.body);
    if declared.0.is_empty() {
        return;
    }
    let assigned = syntax::assigned(&def.body);
    let deleted = syntax::deleted(&def.body);
    let mut names = declared.0;
    names.retain(|name| assigned.contains(name) && !deleted.contains(name));
    let mut others = OtherMeanings(HashSet::new());
    others.visit_body(&def.body);
    names.retain(|name| !others.0.contains(name));
    if !names.is_empty() {
        // Expressions may be nested deeply.
        stacker::maybe_grow(1 << 20, 16 << 20, || {
            Globals(names).visit_body(&mut def.body)
        });
    }
}

/// Does the same in the functions inside a function.
struct InnerFunctions;

impl Transformer for InnerFunctions {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::FunctionDef(inner) => write_out_global_names(inner),
            Stmt::ClassDef(_) => {}
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&self, _: &mut Expr) {}
}

/// The names in `global` statements of a function, not of those inside it.
struct Declared(HashSet<String>);

impl<'a> Visitor<'a> for Declared {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Global(s) => self.0.extend(s.names.iter().map(ToString::to_string)),
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            other => look_at_stmt(self, other),
        }
    }

    fn visit_expr(&mut self, _: &'a Expr) {}
}

/// Names that functions inside, comprehensions and the like give a meaning of their own.
struct OtherMeanings(HashSet<String>);

impl OtherMeanings {
    fn targets(&mut self, expr: &Expr) {
        match expr {
            Expr::Name(name) => {
                self.0.insert(name.id.to_string());
            }
            Expr::Tuple(e) => e.elts.iter().for_each(|one| self.targets(one)),
            Expr::List(e) => e.elts.iter().for_each(|one| self.targets(one)),
            Expr::Starred(e) => self.targets(&e.value),
            _ => {}
        }
    }
}

impl<'a> Visitor<'a> for OtherMeanings {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(s) => {
                self.0.extend(syntax::assigned(&s.body));
                self.0
                    .extend(s.parameters.iter().map(|one| one.name().to_string()));
                self.0.insert(s.name.to_string());
            }
            Stmt::ClassDef(s) => {
                self.0.insert(s.name.to_string());
            }
            Stmt::Import(_) | Stmt::ImportFrom(_) => self.0.extend(syntax::bound(statement)),
            Stmt::Try(s) => {
                for handler in &s.handlers {
                    let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                    self.0.extend(handler.name.iter().map(ToString::to_string));
                }
            }
            _ => {}
        }
        look_at_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Named(e) => self.targets(&e.target),
            Expr::Lambda(e) => {
                let own = e.parameters.iter().flat_map(|all| all.iter());
                self.0.extend(own.map(|one| one.name().to_string()));
            }
            Expr::ListComp(e) => e
                .generators
                .iter()
                .for_each(|one| self.targets(&one.target)),
            Expr::SetComp(e) => e
                .generators
                .iter()
                .for_each(|one| self.targets(&one.target)),
            Expr::DictComp(e) => e
                .generators
                .iter()
                .for_each(|one| self.targets(&one.target)),
            Expr::Generator(e) => e
                .generators
                .iter()
                .for_each(|one| self.targets(&one.target)),
            _ => {}
        }
        stacker::maybe_grow(128 << 10, 1 << 20, || look_at_expr(self, expr));
    }
}

/// Writes names as attributes of the module.
struct Globals(HashSet<String>);

impl Transformer for Globals {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            // A class has names of its own.
            Stmt::ClassDef(_) => {}
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Name(name) if self.0.contains(name.id.as_str()) => {
                *expr = Expr::Attribute(ExprAttribute {
                    node_index: Default::default(),
                    range: name.range,
                    value: Box::new(load(OWN_MODULE, name.range)),
                    attr: Identifier::new(name.id.as_str(), name.range),
                    ctx: name.ctx,
                });
            }
            other => walk_expr(self, other),
        }
    }
}
