//! Statements.

use crate::codes;
use crate::objects::made_instances::is_instance;
use crate::syntax;
use crate::translate::Translator;
use crate::value::Value;
use colocate_ir::{StatementKind, UnaryOp};
use ruff_python_ast::{ElifElseClause, Expr, Stmt, StmtIf, StmtWith};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// Statements in order, as far as they can be reached.
    pub fn block(&mut self, body: &[Stmt]) {
        for (position, statement) in body.iter().enumerate() {
            if !self.live() {
                return;
            }
            let rest = &body[position + 1..];
            let may_return = self.frame().returns.is_some() && syntax::returns(statement);
            if may_return
                && !rest.is_empty()
                && let Stmt::If(s) = statement
            {
                let clauses = &s.elif_else_clauses;
                self.begin_statement(s.range());
                self.deeper(s.range(), (), |t| t.choose(&s.test, &s.body, clauses, rest));
                self.end_statement();
                return;
            }
            self.statement(statement);
            if may_return && self.live() {
                self.skip_if_returned(rest);
                return;
            }
        }
    }

    /// The rest of an inlined function after a statement that may have returned.
    fn skip_if_returned(&mut self, rest: &[Stmt]) {
        let Some(done) = self.frame().returns.as_ref().map(|returns| returns.done) else {
            return;
        };
        self.flush();
        let returned = self.b.get(done);
        if !self.frame().loops.is_empty() {
            self.b.begin_if(returned);
            self.b.push(StatementKind::Break);
            self.b.end();
            self.block(rest);
            return;
        }
        if rest.is_empty() {
            return;
        }
        let going = self.b.unary(UnaryOp::Not, returned);
        self.b.begin_if(going);
        self.block(rest);
        self.b.end();
    }

    pub fn statement(&mut self, statement: &Stmt) {
        let range = statement.range();
        self.b.site = self.site(range);
        self.begin_statement(range);
        self.deeper(range, (), |t| t.statement_inner(statement));
        self.end_statement();
    }

    /// Whether the function assigns to one of these names.
    fn assigns_any(&mut self, names: &[ruff_python_ast::Identifier]) -> bool {
        let locals = &self.frame().locals;
        names.iter().any(|name| locals.contains(name.as_str()))
    }

    fn begin_statement(&mut self, range: TextRange) {
        let start = u32::from(range.start());
        let frame = self.frame();
        frame.statement = start;
        frame.statement_done = false;
        frame.open.push(start);
    }

    fn end_statement(&mut self) {
        let frame = self.frame();
        if let Some(start) = frame.open.pop() {
            frame.statement = start;
            frame.statement_done = true;
        }
    }

    fn statement_inner(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Expr(s) => {
                // A docstring, or another constant left alone.
                if matches!(*s.value, Expr::StringLiteral(_) | Expr::EllipsisLiteral(_)) {
                    return;
                }
                if let Expr::YieldFrom(e) = &*s.value
                    && self.is_program()
                    && self.yield_all(&e.value, false).is_some()
                {
                    return;
                }
                self.expr(&s.value);
            }
            Stmt::Assign(s) => self.assign_statement(s),
            Stmt::AugAssign(s) => self.augmented(s),
            Stmt::AnnAssign(s) => {
                if let Some(value) = &s.value {
                    let result = self.expr(value);
                    self.assign(&s.target, result, value.range());
                }
            }
            Stmt::If(s) => self.if_statement(s),
            Stmt::While(s) => self.conditional_loop(s),
            Stmt::For(s) => self.for_loop(s),
            Stmt::Break(s) => self.leave_loop(s.range(), true),
            Stmt::Continue(s) => self.leave_loop(s.range(), false),
            Stmt::Return(s) => self.return_statement(s),
            Stmt::FunctionDef(s) if self.is_program() && !s.is_async => self.nested_function(s),
            Stmt::Import(s) if self.is_program() => self.import_statement(s),
            Stmt::ImportFrom(s) if self.is_program() => self.import_from(s),
            Stmt::Raise(s) if self.is_program() => self.raise_statement(s),
            Stmt::Assert(s) if self.is_program() => self.assert_statement(s),
            Stmt::Delete(s) if self.is_program() && self.delete_items(&s.targets) => {}
            Stmt::Delete(s)
                if self.is_program()
                    && s.targets
                        .iter()
                        .all(|one| matches!(one, Expr::Name(_) | Expr::Subscript(_))) =>
            {
                for target in &s.targets {
                    if let Expr::Name(name) = target {
                        let known = self.scope().get(name.id.as_str());
                        if known.is_none_or(|binding| binding.unsure) {
                            // It says that there is nothing.
                            self.expr(target);
                        }
                        self.scope().shift_remove(name.id.as_str());
                        self.mark(name.id.as_str(), false);
                    } else {
                        self.delete_item(target);
                    }
                }
            }
            // Reading what is outside needs no word; changing it would be lost.
            Stmt::Global(s) if self.is_program() && !self.assigns_any(&s.names) => {}
            Stmt::Nonlocal(s) if self.is_program() => self.nonlocal_statement(s),
            Stmt::Try(s) if self.is_program() => self.try_statement(s),
            Stmt::With(s) if self.changes_nothing(s) => self.block(&s.body),
            Stmt::With(s) if self.is_program() && !s.is_async => self.with_statement(s),
            Stmt::Pass(_) => {}
            other => self.unsupported_statement(other),
        }
    }

    /// Whether what a `with` enters is of no account here: `numpy.errstate` that asks for no exceptions, Numba's
    /// blocks of plain Python.
    fn changes_nothing(&mut self, s: &StmtWith) -> bool {
        let quiet = |keyword: &ruff_python_ast::Keyword| {
            let Expr::StringLiteral(text) = &keyword.value else {
                return false;
            };
            keyword.arg.is_some() && matches!(text.value.to_str(), "ignore" | "warn")
        };
        !s.is_async
            && s.items.iter().all(|item| {
                let (function, arguments) = match &item.context_expr {
                    Expr::Call(call) => (&*call.func, Some(&call.arguments)),
                    other => (other, None),
                };
                let entered = self.builtin_named(function);
                item.optional_vars.is_none()
                    && match (entered.as_deref(), arguments) {
                        (Some("numpy.errstate"), Some(given)) => {
                            given.args.is_empty() && given.keywords.iter().all(quiet)
                        }
                        (Some("colocate.plain_block"), _) => true,
                        _ => false,
                    }
            })
    }

    /// The name of the function that an expression means, if it is one that the compiler knows.
    pub fn builtin_named(&mut self, function: &Expr) -> Option<String> {
        if !matches!(function, Expr::Attribute(_) | Expr::Name(_)) {
            return None;
        }
        // It is only asked for: what looking for it does is done when it is called.
        let checkpoint = self.checkpoint();
        let function = self.expr(function);
        self.rewind(&checkpoint);
        match function {
            Value::Builtin(name) => Some(name),
            _ => None,
        }
    }

    /// `del object[index]`; false if it is something else.
    fn delete_items(&mut self, targets: &[Expr]) -> bool {
        let [Expr::Subscript(e)] = targets else {
            return false;
        };
        let on = self.expr(&e.value);
        if is_instance(&on) && self.method_function(&on, "__delitem__").is_some() {
            let index = self.expr(&e.slice);
            self.method_of(&on, "__delitem__", &[&index], e.range());
            return true;
        }
        let Value::Object(object) = on else {
            return false;
        };
        let index = self.expr(&e.slice);
        self.object_delete(&object, &index, e.range());
        true
    }

    fn if_statement(&mut self, s: &StmtIf) {
        self.choose(&s.test, &s.body, &s.elif_else_clauses, &[]);
    }

    /// An `if` with its remaining clauses and the statements after it. They are given only where
    /// one of the branches may return from an inlined function.
    fn choose(&mut self, test: &Expr, body: &[Stmt], clauses: &[ElifElseClause], rest: &[Stmt]) {
        self.b.site = self.site(test.range());
        let value = self.condition(test);
        let Some(condition) = self.truth(&value, test.range()) else {
            // Both branches are looked at, for their mistakes.
            let before = self.scope().clone();
            self.block(body);
            let then = self.leave_branch();
            *self.scope() = before;
            self.frame().live = true;
            self.clauses(clauses);
            let otherwise = self.leave_branch();
            let condition = self.b.literal(colocate_ir::Literal::Bool(true));
            self.merge(condition, then, otherwise);
            self.block(rest);
            return;
        };
        if let Some(taken) = condition.as_int() {
            if taken != 0 {
                self.block(body);
            } else {
                self.clauses(clauses);
            }
            if self.live() && !rest.is_empty() {
                self.after_choice(rest, true);
            }
            return;
        }
        self.flush();
        let condition = self.ir(&condition);
        let then_returns = syntax::always_returns(body);
        let before = self.scope().clone();
        self.b.begin_if(condition);
        self.block(body);
        let then = self.leave_branch();
        self.b.begin_else();
        *self.scope() = before;
        self.frame().live = true;
        self.clauses(clauses);
        let continued = then_returns && then.is_none();
        if continued && self.live() && !rest.is_empty() {
            let unsure = clauses.iter().any(|c| c.body.iter().any(syntax::returns));
            self.after_choice(rest, unsure);
        }
        let otherwise = self.leave_branch();
        self.b.end();
        self.merge(condition, then, otherwise);
        if !continued && self.live() && !rest.is_empty() {
            self.after_choice(rest, true);
        }
    }

    fn after_choice(&mut self, rest: &[Stmt], may_have_returned: bool) {
        if may_have_returned {
            self.skip_if_returned(rest);
        } else {
            self.block(rest);
        }
    }

    fn clauses(&mut self, clauses: &[ElifElseClause]) {
        let Some((first, others)) = clauses.split_first() else {
            return;
        };
        match &first.test {
            Some(test) => {
                self.deeper(first.range(), (), |t| {
                    t.choose(test, &first.body, others, &[])
                });
            }
            None => self.block(&first.body),
        }
    }

    /// The scope at the end of a branch, if its end is reached.
    pub fn leave_branch(&mut self) -> Option<crate::scope::Scope> {
        let live = self.live();
        if live {
            self.flush();
            self.detach();
        }
        live.then(|| std::mem::take(self.scope()))
    }

    fn unsupported_statement(&mut self, statement: &Stmt) {
        let (code, message, help): (_, &str, &str) = match statement {
            Stmt::FunctionDef(s) if s.is_async => (
                codes::ASYNC,
                "async functions cannot be defined in a kernel",
                ASYNC_HELP,
            ),
            Stmt::FunctionDef(_) => (
                codes::NESTED_FUNCTION,
                "functions cannot be defined in a kernel",
                "define it outside with @colocate.device_func and call it here",
            ),
            Stmt::ClassDef(_) => (
                codes::CLASS,
                "classes cannot be defined in a kernel",
                "use numbers, tuples and arrays",
            ),
            Stmt::Delete(_) => (
                codes::DELETE,
                "`del` is not supported in kernels",
                "leave it out: variables end with the item",
            ),
            Stmt::With(s) if s.is_async => (
                codes::ASYNC,
                "`async with` is not supported in kernels",
                ASYNC_HELP,
            ),
            Stmt::With(_) => (
                codes::WITH,
                "`with` is not supported in kernels",
                "enter the context around the launch of the kernel",
            ),
            Stmt::Match(_) => (
                codes::MATCH,
                "`match` is not supported in kernels",
                "write if, elif and else",
            ),
            Stmt::Raise(_) => (
                codes::RAISE,
                "exceptions cannot be raised in a kernel",
                "write a mark into an array, and check it after the launch",
            ),
            Stmt::Assert(_) => (
                codes::STATEMENT,
                "`assert` is not supported in kernels",
                "check before the launch, or write a mark into an array and check it after",
            ),
            Stmt::Try(_) => (
                codes::TRY,
                "`try` is not supported in kernels",
                "test the condition with if: nothing in a kernel raises an exception",
            ),
            Stmt::Import(_) | Stmt::ImportFrom(_) => (
                codes::IMPORT,
                "modules cannot be imported in a kernel",
                "import it at the top of the file",
            ),
            Stmt::Global(_) => (
                codes::GLOBAL,
                "`global` is not supported in kernels",
                OUTER_HELP,
            ),
            Stmt::Nonlocal(_) => (
                codes::GLOBAL,
                "`nonlocal` is not supported in kernels",
                OUTER_HELP,
            ),
            _ => (
                codes::STATEMENT,
                "this statement is not supported in kernels",
                "use assignments, if, for, while and calls",
            ),
        };
        let help = match help {
            OUTER_HELP if self.is_program() => {
                "return the value, or pass an array and write into it"
            }
            help => help,
        };
        let range = first_line(statement);
        let diagnostic = self.wrong(code, message, range, "").help(help);
        self.report(diagnostic);
        // What it would have bound is unknown, but known to be reported.
        let site = self.site(range);
        for name in syntax::bound(statement) {
            self.bind(&name, Value::Poison, site);
        }
    }
}

pub(crate) const ASYNC_HELP: &str = "write it without async and await";

const OUTER_HELP: &str =
    "pass an array and write the result into it, for example with colocate.atomic.add";

/// The part of a compound statement before its body, so that not all of it is underlined.
pub(crate) fn first_line(statement: &Stmt) -> TextRange {
    let range = statement.range();
    let body = match statement {
        Stmt::FunctionDef(s) => return s.name.range(),
        Stmt::ClassDef(s) => return s.name.range(),
        Stmt::With(s) => s.items.last().map(Ranged::end),
        Stmt::Match(s) => Some(s.subject.end()),
        Stmt::Try(_) => Some(range.start() + ruff_text_size::TextSize::new(3)),
        _ => None,
    };
    body.map_or(range, |end| TextRange::new(range.start(), end))
}
