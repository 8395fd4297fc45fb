//! Which names may still be read: a backward walk over a function's statements.
//!
//! Arrays that are not computed yet are computed at the end of a block only if somebody may want
//! them, and what a loop does not carry from turn to turn needs no place to be carried in.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprContext, Stmt};
use ruff_text_size::Ranged;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Names.
pub(crate) type Names = Rc<HashSet<String>>;

/// What is live around each statement of a function, by where the statement begins.
#[derive(Debug, Default)]
pub(crate) struct Liveness {
    before: HashMap<u32, Names>,
    after: HashMap<u32, Names>,
    /// At the beginning of each turn of a loop.
    head: HashMap<u32, Names>,
    /// Names that may be read before the function gives them a value.
    entry: Names,
    /// Names that functions inside this one read: live everywhere.
    captured: HashSet<String>,
}

/// Where `break` and `continue` go.
#[derive(Clone)]
struct Around {
    after: Names,
    head: Names,
}

impl Liveness {
    /// Of a function's body.
    pub fn of(body: &[Stmt]) -> Liveness {
        let mut liveness = Liveness::default();
        let mut inner = InnerReads {
            names: &mut liveness.captured,
            inside: 0,
        };
        for statement in body {
            inner.visit_stmt(statement);
        }
        let end = Rc::new(HashSet::new());
        liveness.entry = liveness.block(body, &end, None);
        liveness
    }

    /// Whether functions that were made inside this one, or that it was given, may read a name.
    fn is_captured(&self, name: &str) -> bool {
        self.captured.contains(name) || name.contains(crate::host::nested_functions::MOVED)
    }

    /// Whether a name may be read before the function gives it a value.
    pub fn at_entry(&self, name: &str) -> bool {
        self.is_captured(name) || self.entry.contains(name)
    }

    /// Whether a name may be read at or after the beginning of a statement.
    pub fn before(&self, statement: u32, name: &str) -> bool {
        self.is_captured(name)
            || self
                .before
                .get(&statement)
                .is_none_or(|names| names.contains(name))
    }

    /// Whether a name may be read after a statement.
    pub fn after(&self, statement: u32, name: &str) -> bool {
        self.is_captured(name)
            || self
                .after
                .get(&statement)
                .is_none_or(|names| names.contains(name))
    }

    /// Whether a turn of a loop, or what follows the loop, may read what a name held at the
    /// beginning of the turn.
    pub fn at_head(&self, loop_statement: u32, name: &str) -> bool {
        self.is_captured(name)
            || self
                .head
                .get(&loop_statement)
                .is_none_or(|names| names.contains(name))
    }

    fn block(&mut self, body: &[Stmt], after: &Names, around: Option<&Around>) -> Names {
        let mut live = after.clone();
        for statement in body.iter().rev() {
            live = self.statement(statement, &live, around);
        }
        live
    }

    fn statement(&mut self, statement: &Stmt, after: &Names, around: Option<&Around>) -> Names {
        let start = u32::from(statement.range().start());
        let before = self.live_before(statement, start, after, around);
        self.after.insert(start, after.clone());
        self.before.insert(start, before.clone());
        before
    }

    fn live_before(
        &mut self,
        statement: &Stmt,
        start: u32,
        after: &Names,
        around: Option<&Around>,
    ) -> Names {
        match statement {
            Stmt::Return(s) => {
                let mut live = HashSet::new();
                if let Some(value) = &s.value {
                    reads(value, &mut live);
                }
                Rc::new(live)
            }
            Stmt::Raise(_) => {
                let mut live = HashSet::new();
                statement_reads(statement, &mut live);
                Rc::new(live)
            }
            Stmt::Break(_) => around.map_or_else(|| after.clone(), |a| a.after.clone()),
            Stmt::Continue(_) => around.map_or_else(|| after.clone(), |a| a.head.clone()),
            Stmt::If(s) => {
                let mut live = HashSet::new();
                reads(&s.test, &mut live);
                live.extend(self.block(&s.body, after, around).iter().cloned());
                let mut has_else = false;
                for clause in &s.elif_else_clauses {
                    match &clause.test {
                        Some(test) => reads(test, &mut live),
                        None => has_else = true,
                    }
                    live.extend(self.block(&clause.body, after, around).iter().cloned());
                }
                if !has_else {
                    live.extend(after.iter().cloned());
                }
                Rc::new(live)
            }
            Stmt::While(s) => {
                let mut first = HashSet::new();
                reads(&s.test, &mut first);
                let ending = self.block(&s.orelse, after, around);
                first.extend(ending.iter().cloned());
                self.turns(&s.body, start, first, after, &HashSet::new())
            }
            Stmt::For(s) => {
                let ending = self.block(&s.orelse, after, around);
                let targets = crate::syntax::assigned_by(&s.target);
                let first = ending.iter().cloned().collect();
                let head = self.turns(&s.body, start, first, after, &targets);
                let mut live: HashSet<String> = (*head).clone();
                reads(&s.iter, &mut live);
                // Targets such as a[i] are read, too.
                reads(&s.target, &mut live);
                Rc::new(live)
            }
            Stmt::Assign(s) => {
                let mut live: HashSet<String> = (**after).clone();
                for target in &s.targets {
                    remove_names(target, &mut live);
                }
                for target in &s.targets {
                    reads(target, &mut live);
                }
                reads(&s.value, &mut live);
                Rc::new(live)
            }
            Stmt::AnnAssign(s) => {
                let mut live: HashSet<String> = (**after).clone();
                if let Some(value) = &s.value {
                    remove_names(&s.target, &mut live);
                    reads(value, &mut live);
                }
                reads(&s.target, &mut live);
                Rc::new(live)
            }
            Stmt::AugAssign(s) => {
                let mut live: HashSet<String> = (**after).clone();
                all_names(&s.target, &mut live);
                reads(&s.value, &mut live);
                Rc::new(live)
            }
            other => {
                let mut live: HashSet<String> = (**after).clone();
                statement_reads(other, &mut live);
                Rc::new(live)
            }
        }
    }

    /// What is live at the head of a loop: what its end or its next turn reads.
    fn turns(
        &mut self,
        body: &[Stmt],
        start: u32,
        first: HashSet<String>,
        after: &Names,
        targets: &HashSet<String>,
    ) -> Names {
        let mut head = Rc::new(first);
        loop {
            let around = Around {
                after: after.clone(),
                head: head.clone(),
            };
            let turn = self.block(body, &head, Some(&around));
            let mut next: HashSet<String> = (*head).clone();
            next.extend(turn.iter().filter(|name| !targets.contains(*name)).cloned());
            if next.len() == head.len() {
                break;
            }
            head = Rc::new(next);
        }
        self.head.insert(start, head.clone());
        head
    }
}

/// Names that an expression reads.
pub(crate) fn reads(expr: &Expr, names: &mut HashSet<String>) {
    Reads {
        names,
        stores_too: false,
    }
    .visit_expr(expr);
}

fn all_names(expr: &Expr, names: &mut HashSet<String>) {
    Reads {
        names,
        stores_too: true,
    }
    .visit_expr(expr);
}

/// Names that a statement reads anywhere in it.
pub(crate) fn statement_reads(statement: &Stmt, names: &mut HashSet<String>) {
    Reads {
        names,
        stores_too: false,
    }
    .visit_stmt(statement);
}

fn remove_names(target: &Expr, live: &mut HashSet<String>) {
    match target {
        Expr::Name(name) => {
            live.remove(name.id.as_str());
        }
        Expr::Tuple(e) => e.elts.iter().for_each(|item| remove_names(item, live)),
        Expr::List(e) => e.elts.iter().for_each(|item| remove_names(item, live)),
        Expr::Starred(e) => remove_names(&e.value, live),
        _ => {}
    }
}

struct Reads<'n> {
    names: &'n mut HashSet<String>,
    stores_too: bool,
}

impl<'a> Visitor<'a> for Reads<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && (self.stores_too || name.ctx == ExprContext::Load)
        {
            self.names.insert(name.id.to_string());
        }
        walk_expr(self, expr);
    }
}

/// Names read in functions, lambdas and comprehensions inside a function.
struct InnerReads<'n> {
    names: &'n mut HashSet<String>,
    inside: usize,
}

impl<'a> Visitor<'a> for InnerReads<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let inner = matches!(statement, Stmt::FunctionDef(_));
        self.inside += usize::from(inner);
        walk_stmt(self, statement);
        self.inside -= usize::from(inner);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        let inner = matches!(expr, Expr::Lambda(_));
        self.inside += usize::from(inner);
        if self.inside > 0
            && let Expr::Name(name) = expr
        {
            self.names.insert(name.id.to_string());
        }
        walk_expr(self, expr);
        self.inside -= usize::from(inner);
    }
}
