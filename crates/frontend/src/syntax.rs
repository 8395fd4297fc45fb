//! Questions about the syntax tree that need no types.

use ruff_python_ast::visitor::{Visitor, walk_except_handler, walk_expr, walk_stmt};
use ruff_python_ast::{Alias, ExceptHandler, Expr, ExprContext, Stmt, Suite};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;

/// The names that statements assign to or delete, not counting functions inside.
pub(crate) fn assigned(body: &[Stmt]) -> HashSet<String> {
    names_of(body, Kept::Assigned)
}

/// The same, and the functions that they define.
pub(crate) fn defined(body: &[Stmt]) -> HashSet<String> {
    names_of(body, Kept::Defined)
}

/// The names that statements delete, not counting functions inside; handlers do so with the names of what they catch.
pub(crate) fn deleted(body: &[Stmt]) -> HashSet<String> {
    names_of(body, Kept::Deleted)
}

fn names_of(body: &[Stmt], kept: Kept) -> HashSet<String> {
    let mut names = Names {
        kept,
        found: HashSet::new(),
    };
    body.iter()
        .for_each(|statement| names.visit_stmt(statement));
    names.found
}

/// All names that a statement gives a meaning, not counting what is inside functions.
pub(crate) fn bound(statement: &Stmt) -> HashSet<String> {
    let mut names = assigned(std::slice::from_ref(statement));
    let imported = |aliases: &[Alias]| -> Vec<String> {
        let shown = |alias: &Alias| match &alias.asname {
            Some(name) => name.to_string(),
            // `import a.b` binds `a`.
            None => alias.name.split('.').next().unwrap_or("").to_string(),
        };
        aliases.iter().map(shown).collect()
    };
    match statement {
        Stmt::FunctionDef(s) => names.extend([s.name.to_string()]),
        Stmt::ClassDef(s) => names.extend([s.name.to_string()]),
        Stmt::Import(s) => names.extend(imported(&s.names)),
        Stmt::ImportFrom(s) => names.extend(imported(&s.names)),
        Stmt::Global(s) => names.extend(s.names.iter().map(ToString::to_string)),
        Stmt::Nonlocal(s) => names.extend(s.names.iter().map(ToString::to_string)),
        _ => {}
    }
    names
}

/// The names that an expression assigns to.
pub(crate) fn assigned_by(expr: &Expr) -> HashSet<String> {
    let mut names = Names {
        kept: Kept::Assigned,
        found: HashSet::new(),
    };
    names.visit_expr(expr);
    names.found
}

/// Whether an expression calls something.
pub(crate) fn has_call(expr: &Expr) -> bool {
    let mut calls = Calls(false);
    calls.visit_expr(expr);
    calls.0
}

struct Calls(bool);

impl<'a> Visitor<'a> for Calls {
    fn visit_expr(&mut self, expr: &'a Expr) {
        self.0 |= matches!(expr, Expr::Call(_));
        if !self.0 {
            stacker::maybe_grow(128 << 10, 1 << 20, || walk_expr(self, expr));
        }
    }
}

/// Which names are looked for.
#[derive(Clone, Copy, PartialEq)]
enum Kept {
    Assigned,
    Defined,
    Deleted,
}

struct Names {
    kept: Kept,
    found: HashSet<String>,
}

impl<'a> Visitor<'a> for Names {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(s) if self.kept == Kept::Defined => {
                self.found.insert(s.name.to_string());
            }
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            _ => stacker::maybe_grow(128 << 10, 1 << 20, || walk_stmt(self, statement)),
        }
    }

    fn visit_except_handler(&mut self, handler: &'a ExceptHandler) {
        let ExceptHandler::ExceptHandler(inner) = handler;
        // At its end.
        if let (Some(name), Kept::Deleted) = (&inner.name, self.kept) {
            self.found.insert(name.to_string());
        }
        walk_except_handler(self, handler);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && match name.ctx {
                ExprContext::Store => self.kept != Kept::Deleted,
                ExprContext::Del => true,
                _ => false,
            }
        {
            self.found.insert(name.id.to_string());
        }
        if self.kept != Kept::Deleted {
            self.found.extend(reshaped_name(expr).map(str::to_string));
        }
        stacker::maybe_grow(128 << 10, 1 << 20, || walk_expr(self, expr));
    }
}

/// The name that stands for another array after an assignment to this: `name.shape`.
pub(crate) fn reshaped_name(target: &Expr) -> Option<&str> {
    match target {
        Expr::Attribute(e) if e.ctx == ExprContext::Store && e.attr.as_str() == "shape" => {
            match &*e.value {
                Expr::Name(name) => Some(name.id.as_str()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Gives each list of statements that a statement holds to a function; a function inside is one, too.
pub(crate) fn each_body(statement: &mut Stmt, visit: &mut dyn FnMut(&mut Suite)) {
    match statement {
        Stmt::FunctionDef(s) => visit(&mut s.body),
        Stmt::If(s) => {
            visit(&mut s.body);
            for clause in &mut s.elif_else_clauses {
                visit(&mut clause.body);
            }
        }
        Stmt::For(s) => {
            visit(&mut s.body);
            visit(&mut s.orelse);
        }
        Stmt::While(s) => {
            visit(&mut s.body);
            visit(&mut s.orelse);
        }
        Stmt::With(s) => visit(&mut s.body),
        Stmt::Try(s) => {
            visit(&mut s.body);
            visit(&mut s.orelse);
            visit(&mut s.finalbody);
            for handler in &mut s.handlers {
                let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                visit(&mut handler.body);
            }
        }
        Stmt::Match(s) => {
            for case in &mut s.cases {
                visit(&mut case.body);
            }
        }
        _ => {}
    }
}

/// Whether a statement holds a `return`.
pub(crate) fn returns(statement: &Stmt) -> bool {
    any(
        statement,
        &mut |statement| matches!(statement, Stmt::Return(_)),
        true,
    )
}

/// Whether a `return` gives the value of a name, alone or in a tuple that is written there.
pub(crate) fn returns_name(body: &[Stmt], name: &str) -> bool {
    let mut returned = Returned { name, found: false };
    body.iter()
        .for_each(|statement| returned.visit_stmt(statement));
    returned.found
}

struct Returned<'n> {
    name: &'n str,
    found: bool,
}

impl<'a> Visitor<'a> for Returned<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let is = |expr: &Expr| matches!(expr, Expr::Name(name) if name.id == self.name);
        match statement {
            Stmt::Return(s) => {
                self.found |= match s.value.as_deref() {
                    Some(Expr::Tuple(tuple)) => tuple.elts.iter().any(is),
                    Some(value) => is(value),
                    None => false,
                }
            }
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            other => walk_stmt(self, other),
        }
    }
}

/// Whether a body holds a `break` or `continue` of the loop it is the body of.
pub(crate) fn leaves_loop(body: &[Stmt]) -> bool {
    let mut leaves = |statement: &Stmt| matches!(statement, Stmt::Break(_) | Stmt::Continue(_));
    body.iter()
        .any(|statement| any(statement, &mut leaves, false))
}

fn any(statement: &Stmt, found: &mut dyn FnMut(&Stmt) -> bool, loops: bool) -> bool {
    if found(statement) {
        return true;
    }
    let mut within = |body: &[Stmt]| body.iter().any(|inner| any(inner, found, loops));
    match statement {
        Stmt::If(s) => {
            within(&s.body)
                || s.elif_else_clauses
                    .iter()
                    .any(|clause| within(&clause.body))
        }
        Stmt::For(s) => loops && within(&s.body) || within(&s.orelse),
        Stmt::While(s) => loops && within(&s.body) || within(&s.orelse),
        Stmt::With(s) => within(&s.body),
        Stmt::Try(s) => {
            within(&s.body)
                || within(&s.orelse)
                || within(&s.finalbody)
                || s.handlers.iter().any(|handler| {
                    let ruff_python_ast::ExceptHandler::ExceptHandler(handler) = handler;
                    within(&handler.body)
                })
        }
        _ => false,
    }
}

/// Whether every way through these statements ends at a `return`.
pub(crate) fn always_returns(body: &[Stmt]) -> bool {
    always_ends(body, &|last| matches!(last, Stmt::Return(_)))
}

/// Whether every way through these statements ends at a `return` or a `raise`, and none leaves a loop around them.
pub(crate) fn always_leaves(body: &[Stmt]) -> bool {
    always_ends(body, &|last| {
        matches!(last, Stmt::Return(_) | Stmt::Raise(_))
    }) && !leaves_loop(body)
}

fn always_ends(body: &[Stmt], at: &dyn Fn(&Stmt) -> bool) -> bool {
    match body.last() {
        Some(Stmt::If(s)) => {
            always_ends(&s.body, at)
                && s.elif_else_clauses
                    .iter()
                    .all(|clause| always_ends(&clause.body, at))
                && s.elif_else_clauses
                    .last()
                    .is_some_and(|clause| clause.test.is_none())
        }
        Some(last) => at(last),
        None => false,
    }
}

/// Whether an expression is cheap and cannot do harm when it is evaluated though it is not needed:
/// a few names, numbers and operators.
pub(crate) fn is_simple(expr: &Expr) -> bool {
    fn spend(expr: &Expr, left: &mut usize) -> bool {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        match expr {
            Expr::Name(_) | Expr::NumberLiteral(_) | Expr::BooleanLiteral(_) => true,
            Expr::Attribute(e) => spend(&e.value, left),
            Expr::UnaryOp(e) => spend(&e.operand, left),
            Expr::BinOp(e) => spend(&e.left, left) && spend(&e.right, left),
            Expr::BoolOp(e) => e.values.iter().all(|value| spend(value, left)),
            Expr::Compare(e) => {
                spend(&e.left, left) && e.comparators.iter().all(|other| spend(other, left))
            }
            _ => false,
        }
    }
    spend(expr, &mut 16)
}

/// Names that a function gives a value exactly once, outside of loops; parameters that it never
/// assigns to are among them.
pub(crate) fn assigned_once(def: &ruff_python_ast::StmtFunctionDef) -> HashSet<String> {
    let mut counts: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for parameter in def.parameters.iter_non_variadic_params() {
        *counts.entry(parameter.name().to_string()).or_default() += 1;
    }
    for statement in &def.body {
        // Whatever stands in a compound statement may happen often or never.
        let weight = match statement {
            Stmt::Assign(_) | Stmt::AnnAssign(_) => 1,
            _ => 2,
        };
        // So may what stands inside an expression.
        let inside = match statement {
            Stmt::Assign(s) => assigned_by(&s.value),
            Stmt::AnnAssign(s) => s.value.as_deref().map(assigned_by).unwrap_or_default(),
            _ => HashSet::new(),
        };
        for name in bound(statement) {
            let weight = weight + usize::from(inside.contains(&name));
            // A list that changes may be another one each time (`objects::written_lists`).
            let changes = gives_list(statement)
                && crate::objects::changing_statements::changes_list(&def.body, name.as_str());
            *counts.entry(name).or_default() += weight + usize::from(changes);
        }
    }
    let mut changed = changed_inside(&def.body);
    changed.extend(deleted(&def.body));
    let once = counts.into_iter().filter(|(_, count)| *count == 1);
    once.map(|(name, _)| name)
        .filter(|name| !changed.contains(name))
        .collect()
}

/// Whether an assignment clearly is of a new list.
pub(crate) fn gives_list(statement: &Stmt) -> bool {
    fn is_list(value: &Expr) -> bool {
        match value {
            Expr::List(_) | Expr::ListComp(_) => true,
            Expr::BinOp(e) => is_list(&e.left) || is_list(&e.right),
            Expr::Call(e) => matches!(&*e.func, Expr::Name(name) if name.id == "list"),
            _ => false,
        }
    }
    matches!(statement, Stmt::Assign(s) if is_list(&s.value))
}

/// How often something that can be gone over once, and is given a name by an assignment, may be read under it.
pub(crate) fn reads<'n>(body: &[Stmt], name: &'n str, assigned: TextRange) -> Reads<'n> {
    let mut reads = Reads {
        name,
        assigned,
        count: 0,
        assignments: 0,
        by_next: false,
    };
    body.iter().for_each(|one| reads.visit_stmt(one));
    reads
}

pub(crate) struct Reads<'n> {
    name: &'n str,
    assigned: TextRange,
    pub count: usize,
    /// To the same name, of which each may be for one read.
    pub assignments: usize,
    /// Whether it is asked for its next item.
    pub by_next: bool,
}

impl<'a> Visitor<'a> for Reads<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let before = self.count;
        let again = match statement {
            Stmt::For(s) => {
                // What it goes over is read once.
                let mut own = Reads { count: 0, ..*self };
                own.visit_expr(&s.iter);
                (!s.range().contains_range(self.assigned)).then_some(own.count)
            }
            Stmt::While(s) => (!s.range().contains_range(self.assigned)).then_some(0),
            _ => None,
        };
        stacker::maybe_grow(128 << 10, 1 << 20, || walk_stmt(self, statement));
        if let Some(own) = again {
            self.count += self.count - before - own;
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && name.id == self.name
        {
            self.count += usize::from(name.ctx == ExprContext::Load);
            self.assignments += usize::from(name.ctx == ExprContext::Store);
        }
        self.by_next |= is_next_of(expr, self.name);
        stacker::maybe_grow(128 << 10, 1 << 20, || walk_expr(self, expr));
    }
}

/// Whether an expression is `next(name)`.
pub(crate) fn is_next_of(expr: &Expr, name: &str) -> bool {
    let is = |expr: &Expr, wanted: &str| matches!(expr, Expr::Name(one) if one.id == wanted);
    match expr {
        Expr::Call(e) => {
            let first = e.arguments.args.first();
            is(&e.func, "next") && first.is_some_and(|first| is(first, name))
        }
        _ => false,
    }
}

/// The names that a function declares to be those of a function around it.
pub(crate) fn nonlocals(body: &[Stmt]) -> HashSet<String> {
    let mut names = HashSet::new();
    for statement in body {
        if let Stmt::Nonlocal(s) = statement {
            names.extend(s.names.iter().map(ToString::to_string));
        }
    }
    names
}

/// The names that functions inside a function declare to be those of a function around them.
pub(crate) fn changed_inside(body: &[Stmt]) -> HashSet<String> {
    let mut changed = InnerNonlocals(HashSet::new());
    body.iter().for_each(|one| changed.visit_stmt(one));
    changed.0
}

/// Names that functions inside may change.
struct InnerNonlocals(HashSet<String>);

impl<'a> Visitor<'a> for InnerNonlocals {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::Nonlocal(s) = statement {
            self.0.extend(s.names.iter().map(ToString::to_string));
        }
        stacker::maybe_grow(128 << 10, 1 << 20, || walk_stmt(self, statement));
    }
}
