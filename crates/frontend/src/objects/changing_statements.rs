//! What statements may do to lists, sets and dictionaries, as far as their text tells.

use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprContext, Stmt, StmtFor};

/// Methods that change a list.
const CHANGING: &[&str] = &[
    "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort",
];

/// Methods that change a set or a dictionary and no list.
const CHANGING_KEYS: &[&str] = &[
    "add",
    "appendleft",
    "difference_update",
    "discard",
    "intersection_update",
    "popitem",
    "popleft",
    "setdefault",
    "symmetric_difference_update",
    "update",
];

/// Whether statements may change a list, as far as their text tells.
pub(crate) fn may_change_lists(body: &[Stmt]) -> bool {
    struct Changes(bool);
    impl<'a> Visitor<'a> for Changes {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            self.0 |= match statement {
                Stmt::Delete(_) => true,
                Stmt::AugAssign(s) => matches!(*s.target, Expr::Name(_)) && makes_items(&s.value),
                _ => false,
            };
            walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Attribute(e) => self.0 |= CHANGING.contains(&e.attr.as_str()),
                Expr::Subscript(e) if e.ctx == ExprContext::Store => {
                    self.0 |= matches!(*e.slice, Expr::Slice(_));
                }
                Expr::Call(e) => self.0 |= may_change_what_it_reaches(&e.func),
                // The loop over a generator stands where it yields.
                Expr::Yield(_) | Expr::YieldFrom(_) => self.0 = true,
                _ => {}
            }
            walk_expr(self, expr);
        }
    }
    let mut found = Changes(false);
    body.iter()
        .for_each(|statement| found.visit_stmt(statement));
    found.0
}

/// Whether a function or method of the program may be called, which may change lists that it is given, or that an object
/// has.
fn may_change_what_it_reaches(callee: &Expr) -> bool {
    match callee {
        Expr::Name(name) => !HARMLESS.contains(&name.id.as_str()),
        Expr::Attribute(method) => {
            let of_module =
                matches!(&*method.value, Expr::Name(name) if MODULES.contains(&name.id.as_str()));
            !of_module && !HARMLESS_METHODS.contains(&method.attr.as_str())
        }
        _ => true,
    }
}

/// What modules are called whose functions change no list's length.
const MODULES: &[&str] = &["cmath", "math", "np", "numpy", "random"];

/// Methods of lists, dictionaries, texts and arrays that change nothing. That a class of the program has one of these
/// names which changes a list is not expected.
const HARMLESS_METHODS: &[&str] = &[
    "astype",
    "copy",
    "count",
    "endswith",
    "format",
    "get",
    "index",
    "items",
    "join",
    "keys",
    "lower",
    "max",
    "mean",
    "min",
    "replace",
    "reshape",
    "split",
    "startswith",
    "strip",
    "sum",
    "upper",
    "values",
];

/// Builtin functions that change nothing.
pub(crate) const HARMLESS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool",
    "complex",
    "divmod",
    "enumerate",
    "float",
    "int",
    "isinstance",
    "len",
    "list",
    "max",
    "min",
    "pow",
    "prange",
    "print",
    "range",
    "reversed",
    "round",
    "sorted",
    "sum",
    "tuple",
    "zip",
];

/// Whether an expression may be a list, which is added to another in place.
fn makes_items(expr: &Expr) -> bool {
    !matches!(
        expr,
        Expr::NumberLiteral(_) | Expr::Compare(_) | Expr::UnaryOp(_)
    )
}

/// Whether a method changes a list.
pub(crate) fn changes(method: &str) -> bool {
    CHANGING.contains(&method)
}

/// Whether a function changes what a name holds, as a list.
pub(crate) fn changes_list(body: &[Stmt], name: &str) -> bool {
    struct Changes<'n>(&'n str, bool);
    impl<'a> Visitor<'a> for Changes<'_> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            let named = |expr: &Expr| matches!(expr, Expr::Name(n) if n.id == self.0);
            match statement {
                Stmt::AugAssign(s) if named(&s.target) => self.1 = true,
                _ => {}
            }
            walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            let named = |expr: &Expr| matches!(expr, Expr::Name(n) if n.id == self.0);
            match expr {
                Expr::Attribute(e) if named(&e.value) => {
                    self.1 |= CHANGING.contains(&e.attr.as_str());
                }
                Expr::Subscript(e) if named(&e.value) && e.ctx != ExprContext::Load => {
                    self.1 = true;
                }
                _ => {}
            }
            walk_expr(self, expr);
        }
    }
    let mut found = Changes(name, false);
    body.iter()
        .for_each(|statement| found.visit_stmt(statement));
    found.1
}

/// Whether statements may change a list, a set or a dictionary.
pub(crate) fn may_change_containers(body: &[Stmt]) -> bool {
    struct Changes(bool);
    impl<'a> Visitor<'a> for Changes {
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.0 |= match expr {
                Expr::Attribute(e) => CHANGING_KEYS.contains(&e.attr.as_str()),
                Expr::Subscript(e) => e.ctx != ExprContext::Load,
                _ => false,
            };
            walk_expr(self, expr);
        }
    }
    let mut found = Changes(may_change_lists(body));
    body.iter()
        .for_each(|statement| found.visit_stmt(statement));
    found.0
}

/// Whether a loop over a dictionary looks up other keys of it than its own, which a dictionary with defaults then has.
pub(crate) fn looks_up_others(s: &StmtFor) -> bool {
    struct LooksUp<'n> {
        dictionary: String,
        own: Option<&'n str>,
        found: bool,
    }
    impl<'a> Visitor<'a> for LooksUp<'_> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Subscript(e) = expr
                && path(&e.value).as_deref() == Some(&self.dictionary)
            {
                let own = self.own;
                self.found |= !matches!(&*e.slice, Expr::Name(key) if Some(key.id.as_str()) == own);
            }
            walk_expr(self, expr);
        }
    }
    /// Names with points between them.
    fn path(expr: &Expr) -> Option<String> {
        match expr {
            Expr::Name(name) => Some(name.id.to_string()),
            Expr::Attribute(e) => Some(format!("{}.{}", path(&e.value)?, e.attr)),
            _ => None,
        }
    }
    let gone_over = match &*s.iter {
        Expr::Call(call) => match &*call.func {
            Expr::Attribute(method) => &*method.value,
            other => other,
        },
        other => other,
    };
    let Some(dictionary) = path(gone_over) else {
        return false;
    };
    let key = match &*s.target {
        Expr::Tuple(items) => items.elts.first(),
        other => Some(other),
    };
    let own = match key {
        Some(Expr::Name(key)) => Some(key.id.as_str()),
        _ => None,
    };
    let mut found = LooksUp {
        dictionary,
        own,
        found: false,
    };
    s.body
        .iter()
        .for_each(|statement| found.visit_stmt(statement));
    found.found
}

/// Whether statements may do something that is seen beside what they give: what they print, and what they change that
/// is not their own.
pub(crate) fn may_have_effects(body: &[Stmt]) -> bool {
    struct Effects(bool);
    impl<'a> Visitor<'a> for Effects {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            self.0 |= match statement {
                Stmt::Nonlocal(_) | Stmt::Global(_) => true,
                Stmt::Expr(e) => matches!(*e.value, Expr::Call(_)),
                _ => false,
            };
            walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Call(e) = expr {
                self.0 |= may_change_what_it_reaches(&e.func);
            }
            walk_expr(self, expr);
        }
    }
    let mut found = Effects(may_change_containers(body));
    body.iter()
        .for_each(|statement| found.visit_stmt(statement));
    found.0
}

/// Whether a function may change the container that a name holds, or keeps it, as far as its text tells; `if_given`
/// also where it gives it to another function, which may.
pub(crate) fn keeps_or_changes(body: &[Stmt], name: &str, if_given: bool) -> bool {
    struct Gives<'n> {
        name: &'n str,
        if_given: bool,
        found: bool,
    }
    impl Gives<'_> {
        fn is_named(&self, expr: &Expr) -> bool {
            matches!(expr, Expr::Name(n) if n.id == self.name)
        }
    }
    impl<'a> Visitor<'a> for Gives<'_> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            let kept = match statement {
                Stmt::Return(s) => s.value.as_deref(),
                Stmt::Assign(s) => Some(&*s.value),
                _ => None,
            };
            self.found |= kept.is_some_and(|value| self.is_named(value));
            walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            self.found |= match expr {
                Expr::Attribute(e) => {
                    self.is_named(&e.value) && CHANGING_KEYS.contains(&e.attr.as_str())
                }
                Expr::Yield(e) => e.value.as_deref().is_some_and(|value| self.is_named(value)),
                Expr::Call(e) if self.if_given => {
                    let may = match &*e.func {
                        Expr::Name(function) => !HARMLESS.contains(&function.id.as_str()),
                        Expr::Attribute(method) => method.attr.as_str() == "append",
                        _ => false,
                    };
                    let named = e.arguments.keywords.iter().map(|keyword| &keyword.value);
                    let mut given = e.arguments.args.iter().chain(named);
                    may && given.any(|one| self.is_named(one))
                }
                _ => false,
            };
            walk_expr(self, expr);
        }
    }
    let mut found = Gives {
        name,
        if_given,
        found: false,
    };
    body.iter()
        .for_each(|statement| found.visit_stmt(statement));
    found.found || changes_list(body, name)
}
