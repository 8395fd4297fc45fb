//! List comprehensions: loops that append.

use crate::translate::Translator;
use crate::value::Value;
use ruff_python_ast::name::Name;
use ruff_python_ast::{
    Comprehension, Expr, ExprAttribute, ExprCall, ExprContext, ExprName, Identifier, Stmt,
    StmtExpr, StmtFor, StmtIf,
};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `[element for target in iterable if condition]`.
    pub fn comprehension(
        &mut self,
        element: &Expr,
        generators: &[Comprehension],
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder("it makes a list");
        }
        let Some(made) = self.begun_list(range) else {
            return Value::Poison;
        };
        self.collected_in(made, generators, range, |name| {
            method_statement(name, "append", element, range)
        })
    }

    /// Runs the loops of a comprehension whose items a statement puts into what was made.
    pub fn collected_in(
        &mut self,
        made: Value,
        generators: &[Comprehension],
        range: TextRange,
        put: impl Fn(&str) -> Stmt,
    ) -> Value {
        let name = self.temporary();
        let site = self.site(range);
        self.bind(&name, made, site);
        // What it binds is its own.
        let mut own = std::collections::HashSet::new();
        for generator in generators {
            own.extend(crate::syntax::assigned_by(&generator.target));
        }
        let hidden: Vec<_> = own
            .iter()
            .filter_map(|name| self.scope().get(name).map(|b| (name.clone(), b.clone())))
            .collect();
        let added: Vec<String> = own
            .iter()
            .filter(|name| !self.frame().locals.contains(*name))
            .cloned()
            .collect();
        self.frame().locals.extend(added.iter().cloned());
        let mut body = put(&name);
        for generator in generators.iter().rev() {
            for condition in generator.ifs.iter().rev() {
                body = Stmt::If(StmtIf {
                    node_index: Default::default(),
                    range,
                    test: Box::new(condition.clone()),
                    body: std::iter::once(body).collect(),
                    elif_else_clauses: Vec::new(),
                });
            }
            body = Stmt::For(StmtFor {
                node_index: Default::default(),
                range,
                is_async: generator.is_async,
                target: Box::new(generator.target.clone()),
                iter: Box::new(generator.iter.clone()),
                body: std::iter::once(body).collect(),
                orelse: Default::default(),
            });
        }
        if let Stmt::For(s) = &body {
            self.for_loop(s);
        }
        for name in &own {
            self.scope().shift_remove(name);
        }
        for (name, binding) in hidden {
            self.scope().insert(name, binding);
        }
        for name in &added {
            self.frame().locals.remove(name);
        }
        let made = self.expr(&crate::objects::syntax_building::load(&name, range));
        self.scope().shift_remove(&name);
        self.finished_list(made)
    }
}

/// `name.method(element)`.
pub(crate) fn method_statement(name: &str, method: &str, element: &Expr, range: TextRange) -> Stmt {
    let list = Expr::Name(ExprName {
        node_index: Default::default(),
        range,
        id: Name::new(name),
        ctx: ExprContext::Load,
    });
    let called = Expr::Attribute(ExprAttribute {
        node_index: Default::default(),
        range,
        value: Box::new(list),
        attr: Identifier::new(method, range),
        ctx: ExprContext::Load,
    });
    let call = Expr::Call(ExprCall {
        node_index: Default::default(),
        range_start: range.start(),
        func: Box::new(called),
        arguments: ruff_python_ast::Arguments {
            range,
            node_index: Default::default(),
            args: Box::new([element.clone()]),
            keywords: Default::default(),
        },
    });
    Stmt::Expr(StmtExpr {
        node_index: Default::default(),
        range,
        value: Box::new(call),
    })
}
