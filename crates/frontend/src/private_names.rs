//! Attributes whose names begin with two underscores: in the methods of a class they have its name before them.

use ruff_python_ast::name::Name;
use ruff_python_ast::visitor::transformer::{Transformer, walk_expr};
use ruff_python_ast::{Expr, StmtFunctionDef};

/// Gives private attributes the names that Python knows them by in a function of a class.
pub(crate) fn spell_out(def: &mut StmtFunctionDef, class: &str) {
    let class = class.trim_start_matches('_');
    if class.is_empty() {
        return;
    }
    let spelling = Spelling { class };
    for statement in &mut def.body {
        spelling.visit_stmt(statement);
    }
}

struct Spelling<'c> {
    class: &'c str,
}

impl Transformer for Spelling<'_> {
    fn visit_expr(&self, expr: &mut Expr) {
        if let Expr::Attribute(e) = expr
            && e.attr.starts_with("__")
            && !e.attr.ends_with("__")
        {
            e.attr.id = Name::new(format!("_{}{}", self.class, e.attr.as_str()));
        }
        walk_expr(self, expr);
    }
}
