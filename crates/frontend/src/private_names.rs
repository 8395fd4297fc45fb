//! Private names, `__x` in a class, which Python knows by another name.
//!
//! Inside the text of a class `Vector` the name `__x` is `_Vector__x`, whatever it names: an attribute, a variable, a
//! parameter. So they are here, from the syntax tree on. Only the names of arguments in calls stay as they are written.

use ruff_python_ast::name::Name;
use ruff_python_ast::visitor::transformer::{
    Transformer, walk_alias, walk_expr, walk_parameter, walk_stmt,
};
use ruff_python_ast::{Alias, Expr, Identifier, Parameter, Stmt, StmtFunctionDef};

struct Class(String);

/// Gives private names in a function of a class the names that Python gives them.
pub(crate) fn write_out_private_names(def: &mut StmtFunctionDef, class: &str) {
    let class = Class(class.trim_start_matches('_').to_string());
    if class.0.is_empty() {
        return;
    }
    class.visit_parameters(&mut def.parameters);
    class.visit_body(&mut def.body);
}

impl Class {
    fn written_out(&self, name: &str) -> Option<Name> {
        let private = name.starts_with("__") && !name.ends_with("__") && !name.contains('.');
        private.then(|| Name::new(format!("_{}{name}", self.0)))
    }

    fn write_out(&self, name: &mut Identifier) {
        if let Some(whole) = self.written_out(&name.id) {
            name.id = whole;
        }
    }
}

impl Transformer for Class {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::FunctionDef(s) => self.write_out(&mut s.name),
            Stmt::Global(s) => s.names.iter_mut().for_each(|name| self.write_out(name)),
            Stmt::Nonlocal(s) => s.names.iter_mut().for_each(|name| self.write_out(name)),
            // The names in it are those of that class.
            Stmt::ClassDef(_) => return,
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Attribute(e) => self.write_out(&mut e.attr),
            Expr::Name(e) => {
                if let Some(whole) = self.written_out(&e.id) {
                    e.id = whole;
                }
            }
            _ => {}
        }
        walk_expr(self, expr);
    }

    fn visit_parameter(&self, parameter: &mut Parameter) {
        self.write_out(&mut parameter.name);
        walk_parameter(self, parameter);
    }

    fn visit_alias(&self, alias: &mut Alias) {
        if let Some(name) = &mut alias.asname {
            self.write_out(name);
        }
        walk_alias(self, alias);
    }
}
