//! Variables that inner functions change (`nonlocal`) where such a function calls itself, or outlives the call of the
//! function around it: they are held in a list of one item, which all of them have.
//!
//! Elsewhere inner functions are written into the one around them, and change its variables themselves. The tree is
//! changed before anybody looks at it; what this cannot do is left as it is, and refused later.

use crate::objects::syntax_building::{load, named};
use crate::syntax;
use ruff_python_ast::visitor::transformer::{Transformer, walk_expr, walk_stmt};
use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{
    Expr, ExprContext, ExprList, ExprNumberLiteral, ExprSubscript, Int, Number, Stmt, StmtAssign,
    StmtFunctionDef, StmtPass,
};
use ruff_text_size::{Ranged, TextRange};
use std::cell::Cell;
use std::collections::HashSet;

/// Before the name of such a variable, in the name of its list.
pub(crate) const HELD: &str = "__held_";

/// Puts such variables of a function, and of those inside it, into lists.
pub(crate) fn hold_shared_variables(def: &mut StmtFunctionDef) {
    for inner in inner_functions(&mut def.body) {
        hold_shared_variables(inner);
    }
    let mut changed: Vec<(String, String)> = Vec::new();
    for inner in inner_functions(&mut def.body) {
        let names = syntax::nonlocals(&inner.body).into_iter();
        changed.extend(names.map(|name| (name, inner.name.to_string())));
    }
    if changed.is_empty() {
        return;
    }
    changed.sort();
    // Expressions may be nested deeply.
    stacker::maybe_grow(1 << 20, 16 << 20, || {
        let lasting = lasting_functions(&def.body);
        changed.retain(|(_, inner)| lasting.contains(inner));
        changed.dedup_by(|a, b| a.0 == b.0);
        for (name, _) in &changed {
            hold(def, name);
        }
    });
}

/// The functions that are defined in a body itself.
fn inner_functions(body: &mut [Stmt]) -> Vec<&mut StmtFunctionDef> {
    let found = body.iter_mut().filter_map(|statement| match statement {
        Stmt::FunctionDef(inner) => Some(inner),
        _ => None,
    });
    found.collect()
}

/// The names of inner functions that are used by one of them, or for something else than a call.
fn lasting_functions(body: &[Stmt]) -> HashSet<String> {
    let mut uses = Uses {
        depth: 0,
        lasting: HashSet::new(),
    };
    body.iter().for_each(|statement| uses.visit_stmt(statement));
    uses.lasting
}

struct Uses {
    /// How many functions around are inner ones.
    depth: usize,
    lasting: HashSet<String>,
}

impl<'a> Visitor<'a> for Uses {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let inside = usize::from(matches!(statement, Stmt::FunctionDef(_)));
        self.depth += inside;
        visitor::walk_stmt(self, statement);
        self.depth -= inside;
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(name) => {
                self.lasting.insert(name.id.to_string());
            }
            Expr::Call(call) if self.depth == 0 && matches!(&*call.func, Expr::Name(_)) => {
                visitor::walk_arguments(self, &call.arguments);
            }
            other => visitor::walk_expr(self, other),
        }
    }
}

fn hold(def: &mut StmtFunctionDef, name: &str) {
    let parameter = def.parameters.iter().find(|one| one.name() == name);
    let held = Held {
        name,
        list: format!("{HELD}{name}"),
        impossible: Cell::new(false),
    };
    let binds = |statement: &Stmt| {
        matches!(statement, Stmt::Assign(s)
            if matches!(&s.targets[..], [Expr::Name(target)] if target.id == name))
    };
    let mut body = def.body.clone();
    if let Some(parameter) = parameter {
        // It is bound before anything else.
        let range = parameter.name().range;
        let bound = StmtAssign {
            node_index: Default::default(),
            range,
            targets: vec![named(name, ExprContext::Store, range)],
            value: Box::new(load(name, range)),
        };
        body.insert(0, Stmt::Assign(bound));
    }
    let Some(first) = body.iter().position(binds) else {
        return;
    };
    let before = body[..first].iter();
    if before
        .into_iter()
        .any(|statement| mentions(statement, name))
    {
        return;
    }
    if let Stmt::Assign(s) = &mut body[first] {
        if parameter.is_none() && mentions_in(&s.value, name) {
            return;
        }
        begin(s, &held.list);
    }
    for (at, statement) in body.iter_mut().enumerate() {
        if at != first {
            held.visit_stmt(statement);
        }
    }
    if !held.impossible.get() {
        def.body = body;
    }
}

/// `name = value` becomes `list = [value]`.
fn begin(s: &mut StmtAssign, list: &str) {
    let range = s.targets[0].range();
    s.targets = vec![named(list, ExprContext::Store, range)];
    let value = (*s.value).clone();
    *s.value = Expr::List(ExprList {
        node_index: Default::default(),
        range: value.range(),
        elts: vec![value],
        ctx: ExprContext::Load,
    });
}

fn mentions(statement: &Stmt, name: &str) -> bool {
    let mut names = Names(name, false);
    names.visit_stmt(statement);
    names.1
}

fn mentions_in(expr: &Expr, name: &str) -> bool {
    let mut names = Names(name, false);
    names.visit_expr(expr);
    names.1
}

struct Names<'n>(&'n str, bool);

impl<'a> Visitor<'a> for Names<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::Nonlocal(s) = statement {
            self.1 |= s.names.iter().any(|one| one.as_str() == self.0);
        }
        visitor::walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        self.1 |= matches!(expr, Expr::Name(name) if name.id == self.0);
        visitor::walk_expr(self, expr);
    }
}

/// Writes the item of the list wherever the name stands.
struct Held<'n> {
    name: &'n str,
    list: String,
    /// Whether the name stands where only a name can.
    impossible: Cell<bool>,
}

impl Held<'_> {
    fn item(&self, ctx: ExprContext, range: TextRange) -> Expr {
        Expr::Subscript(ExprSubscript {
            node_index: Default::default(),
            range,
            value: Box::new(load(&self.list, range)),
            slice: Box::new(Expr::NumberLiteral(ExprNumberLiteral {
                node_index: Default::default(),
                range,
                value: Number::Int(Int::ZERO),
            })),
            ctx,
        })
    }
}

impl Transformer for Held<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::FunctionDef(inner) => {
                let has = |one: &str| one == self.name;
                let nonlocal = syntax::nonlocals(&inner.body).contains(self.name);
                let own = inner.parameters.iter().any(|one| has(one.name()))
                    || !nonlocal && syntax::assigned(&inner.body).contains(self.name);
                if own || has(&inner.name) {
                    self.impossible.set(true);
                    return;
                }
                walk_stmt(self, statement);
            }
            Stmt::Nonlocal(s) => {
                s.names.retain(|one| one.as_str() != self.name);
                if s.names.is_empty() {
                    *statement = Stmt::Pass(StmtPass {
                        node_index: Default::default(),
                        range: s.range,
                    });
                }
            }
            Stmt::ClassDef(_) | Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Match(_) => {
                self.impossible.set(true);
            }
            Stmt::Try(s) => {
                let named = |one: &ruff_python_ast::ExceptHandler| match one {
                    ruff_python_ast::ExceptHandler::ExceptHandler(one) => one
                        .name
                        .as_ref()
                        .is_some_and(|one| one.as_str() == self.name),
                };
                self.impossible
                    .set(self.impossible.get() || s.handlers.iter().any(named));
                walk_stmt(self, statement);
            }
            Stmt::For(s) if mentions_in(&s.target, self.name) => self.impossible.set(true),
            Stmt::Delete(s) if s.targets.iter().any(|one| mentions_in(one, self.name)) => {
                self.impossible.set(true);
            }
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Name(name) if name.id == self.name => {
                *expr = self.item(name.ctx, name.range);
            }
            Expr::Named(e) if mentions_in(&e.target, self.name) => self.impossible.set(true),
            Expr::Lambda(e)
                if e.parameters
                    .iter()
                    .any(|all| all.iter().any(|one| one.name() == self.name)) =>
            {
                self.impossible.set(true);
            }
            other => walk_expr(self, other),
        }
    }

    fn visit_comprehension(&self, comprehension: &mut ruff_python_ast::Comprehension) {
        if mentions_in(&comprehension.target, self.name) {
            self.impossible.set(true);
            return;
        }
        ruff_python_ast::visitor::transformer::walk_comprehension(self, comprehension);
    }
}
