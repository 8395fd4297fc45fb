//! `setattr(object, "name", value)` as a statement: the same as an assignment, and written so before anybody looks at the
//! tree. Names that are not written down are left as they are, and refused later.

use crate::objects::syntax_building::attribute;
use crate::syntax;
use crate::translate::Translator;
use crate::{Captured, FunctionId};
use ruff_python_ast::visitor::transformer::{Transformer, walk_stmt};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, ExprContext, Stmt, StmtAssign, StmtFunctionDef};
use ruff_text_size::Ranged;

struct Calls;

impl Translator<'_> {
    /// Writes assignments for calls of `setattr` with names that are written down, if it is Python's own.
    pub fn write_out_set_attributes(&mut self, function: FunctionId, def: &mut StmtFunctionDef) {
        let mut uses = Uses(false);
        def.body.iter().for_each(|one| uses.visit_stmt(one));
        if !uses.0 || syntax::defined(&def.body).contains(SETATTR) {
            return;
        }
        let meaning = self.env.name(function, SETATTR);
        if matches!(&meaning, Some(Captured::Builtin(name)) if name == "builtins.setattr") {
            stacker::maybe_grow(1 << 20, 16 << 20, || Calls.visit_body(&mut def.body));
        }
    }
}

const SETATTR: &str = "setattr";

/// Whether the name is used.
struct Uses(bool);

impl<'a> Visitor<'a> for Uses {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0 |= matches!(expr, Expr::Name(name) if name.id == SETATTR);
        stacker::maybe_grow(128 << 10, 1 << 20, || visitor::walk_expr(self, expr));
    }
}

impl Transformer for Calls {
    fn visit_stmt(&self, statement: &mut Stmt) {
        if let Some(assignment) = assignment(statement) {
            *statement = assignment;
            return;
        }
        walk_stmt(self, statement);
    }
}

fn assignment(statement: &Stmt) -> Option<Stmt> {
    let Stmt::Expr(alone) = statement else {
        return None;
    };
    let Expr::Call(call) = &*alone.value else {
        return None;
    };
    let is_named = matches!(&*call.func, Expr::Name(name) if name.id == SETATTR);
    let [object, Expr::StringLiteral(name), value] = &*call.arguments.args else {
        return None;
    };
    let name = name.value.to_str();
    let is_name = name.chars().enumerate().all(|(at, letter)| {
        letter == '_' || letter.is_alphabetic() || at > 0 && letter.is_alphanumeric()
    });
    if !is_named
        || !call.arguments.keywords.is_empty()
        || object.is_starred_expr()
        || value.is_starred_expr()
        || name.is_empty()
        || !is_name
    {
        return None;
    }
    let mut target = attribute(object.clone(), name, call.range());
    if let Expr::Attribute(target) = &mut target {
        target.ctx = ExprContext::Store;
    }
    Some(Stmt::Assign(StmtAssign {
        node_index: Default::default(),
        range: alone.range,
        targets: vec![target],
        value: Box::new(value.clone()),
    }))
}
