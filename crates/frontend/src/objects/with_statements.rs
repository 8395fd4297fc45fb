//! `with` in jit functions: what it says in terms of `try`.
//!
//! `contextlib.suppress` is an `except` that does nothing. An object's `__exit__` is called by `finally`, and by a
//! handler where it looks at the exception. A function of `contextlib.contextmanager` is a generator that the body of
//! the `with` stands in, at its `yield`: so it sees the body's exceptions.

use crate::Captured;
use crate::calls::Arguments;
use crate::codes;
use crate::host::generators::{Generator, Over};
use crate::objects::made_instances::is_instance;
use crate::objects::syntax_building::{call_with, load, store};
use crate::statements::first_line;
use crate::syntax;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{
    ExceptHandler, ExceptHandlerExceptHandler, Expr, ExprAttribute, ExprBooleanLiteral, ExprCall,
    ExprContext, ExprNoneLiteral, ExprTuple, ExprUnaryOp, Identifier, Stmt, StmtAssign, StmtExpr,
    StmtFor, StmtFunctionDef, StmtIf, StmtPass, StmtRaise, StmtReturn, StmtTry, StmtWith, Suite,
    UnaryOp,
};
use ruff_text_size::{Ranged, TextRange};

/// What the environment calls a function of `contextlib.contextmanager`; the generator is its `__wrapped__`.
pub const CONTEXT_FUNCTION: &str = "context manager function";

/// Stands for what such a function gives.
const CONTEXT: &str = "context of a generator";

impl Translator<'_> {
    /// What a function of `contextlib.contextmanager` gives; nothing if it is something else.
    pub fn context_of_generator(
        &mut self,
        callee: &Value,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let Value::Module { handle, name } = callee else {
            return None;
        };
        if name != CONTEXT_FUNCTION {
            return None;
        }
        let function = self.env.attribute(*handle, "__wrapped__")?;
        let function = self.captured_value(&function);
        let made = self.call_value(&function, arguments, range, range, None);
        Some(match made {
            Value::Generator(..) => Value::ArrayMethod(Box::new(made), CONTEXT.into()),
            other => other,
        })
    }

    pub fn with_statement(&mut self, s: &StmtWith) {
        if self.level() > 0 {
            self.hinder("it enters a context");
            self.frame().live = false;
            return;
        }
        let [item] = &s.items[..] else {
            let Some((first, rest)) = s.items.split_first() else {
                return;
            };
            let inner = Stmt::With(StmtWith {
                items: rest.to_vec(),
                ..s.clone()
            });
            let outer = Stmt::With(StmtWith {
                items: vec![first.clone()],
                body: std::iter::once(inner).collect(),
                ..s.clone()
            });
            self.statement(&outer);
            return;
        };
        let target = item.optional_vars.as_deref();
        let range = item.context_expr.range();
        if let Expr::Call(call) = &item.context_expr {
            let callee = self.callee_of(&call.func);
            match self.known_context(&callee) {
                Some("suppress") if self.suppressed(call, s, target) => return,
                Some("nullcontext") if self.entered_nothing(call, s, target) => return,
                Some(_) => {
                    self.unsupported_with(s, "its arguments are not written down here");
                    return;
                }
                // Files, locks and the like.
                None if !is_of_the_program(&callee) => {
                    self.unsupported_with(s, "");
                    return;
                }
                None => {}
            }
        }
        match self.expr(&item.context_expr) {
            Value::Poison => {
                for name in syntax::assigned(std::slice::from_ref(&Stmt::With(s.clone()))) {
                    let site = self.site(range);
                    self.bind(&name, Value::Poison, site);
                }
            }
            Value::ArrayMethod(on, of) if of == CONTEXT => {
                if let Value::Generator(generator, given) = &*on {
                    self.inside_generator(s, generator, given, target);
                }
            }
            value if is_instance(&value) => self.inside_object(s, value, target),
            other => {
                let text = format!("this is {}", other.describe());
                self.unsupported_with(s, &text);
            }
        }
    }

    fn unsupported_with(&mut self, s: &StmtWith, label: &str) {
        let range = first_line(&Stmt::With(s.clone()));
        let message = match label {
            "" => "`with` is not supported in kernels",
            _ => "`with` of this is not supported in kernels",
        };
        let diagnostic = self
            .wrong(codes::WITH, message, range, label)
            .help("enter the context around the call");
        self.report(diagnostic);
        let site = self.site(range);
        for name in syntax::bound(&Stmt::With(s.clone())) {
            self.bind(&name, Value::Poison, site);
        }
    }

    /// What is called, as far as that is a name; it says itself later what is wrong with it.
    fn callee_of(&mut self, function: &Expr) -> Value {
        if !matches!(function, Expr::Name(_) | Expr::Attribute(_)) {
            return Value::None;
        }
        let before = self.diagnostics.len();
        let function = self.expr(function);
        self.forget_diagnostics(before);
        function
    }

    /// Which class of the module `contextlib` it is, of those that are known here.
    fn known_context(&mut self, function: &Value) -> Option<&'static str> {
        let Value::Module { handle: given, .. } = function else {
            return None;
        };
        let Some(Captured::Module { handle, .. }) = self.env.import("contextlib") else {
            return None;
        };
        ["suppress", "nullcontext"].into_iter().find(|name| {
            let found = self.env.attribute(handle, name);
            matches!(found, Some(Captured::Module { handle, .. }) if handle == *given)
        })
    }

    /// `with suppress(...)`; false if its arguments are not written down.
    fn suppressed(&mut self, call: &ExprCall, s: &StmtWith, target: Option<&Expr>) -> bool {
        let classes = &call.arguments.args;
        let starred = classes.iter().any(|one| matches!(one, Expr::Starred(_)));
        if starred || !call.arguments.keywords.is_empty() {
            return false;
        }
        let range = call.range();
        if let Some(target) = target {
            self.assign(target, Value::None, range);
        }
        if classes.is_empty() {
            self.block(&s.body);
            return true;
        }
        let classes = Expr::Tuple(ExprTuple {
            node_index: Default::default(),
            range,
            elts: classes.to_vec(),
            ctx: ExprContext::Load,
            parenthesized: true,
        });
        let pass = Stmt::Pass(StmtPass {
            node_index: Default::default(),
            range,
        });
        let handler = handler(Some(classes), None, std::iter::once(pass).collect(), range);
        let whole = tried(s.body.clone(), vec![handler], Suite::new(), s.range());
        self.statement(&whole);
        true
    }

    /// `with nullcontext(value) as name`; false if its argument is not written down.
    fn entered_nothing(&mut self, call: &ExprCall, s: &StmtWith, target: Option<&Expr>) -> bool {
        let arguments = &call.arguments;
        let value = match (&arguments.args[..], &arguments.keywords[..]) {
            ([], []) => Value::None,
            ([Expr::Starred(_)], _) => return false,
            ([one], []) => self.expr(one),
            ([], [one]) if one.arg.as_deref() == Some("enter_result") => self.expr(&one.value),
            _ => return false,
        };
        if let Some(target) = target {
            self.assign(target, value, call.range());
        }
        self.block(&s.body);
        true
    }

    fn inside_generator(
        &mut self,
        s: &StmtWith,
        generator: &Generator,
        given: &[Value],
        target: Option<&Expr>,
    ) {
        let Some((parsed, _)) = self.parse(generator.function) else {
            return;
        };
        if !yields_once(&parsed.def) {
            self.unsupported_with(
                s,
                "its function does not yield in one place, outside of loops",
            );
            return;
        }
        let range = s.items[0].context_expr.range();
        let mut body = s.body.clone();
        // A value that is returned at the end is returned after the function of the context has ended.
        let result = match body.last() {
            Some(Stmt::Return(last)) => {
                let name = self.temporary();
                self.frame().locals.insert(name.clone());
                let value = last.value.as_deref().cloned();
                let at = last.range();
                let value = value.unwrap_or_else(|| none(at));
                body.pop();
                body.push(assignment(&name, value, at));
                Some((name, at))
            }
            _ => None,
        };
        if body.iter().any(syntax::returns) || syntax::leaves_loop(&body) {
            self.unsupported_with(s, "`return`, `break` or `continue` leave it");
            return;
        }
        let unused = self.temporary();
        self.frame().locals.insert(unused.clone());
        let whole = StmtFor {
            node_index: Default::default(),
            range: s.range(),
            is_async: false,
            target: Box::new(target.cloned().unwrap_or_else(|| store(&unused, range))),
            iter: Box::new(load(&unused, range)),
            body,
            orelse: Default::default(),
        };
        self.loop_over_generator(&whole, generator, given, Over::Context);
        self.scope().shift_remove(&unused);
        if let Some((name, at)) = result
            && self.live()
        {
            let returned = Stmt::Return(StmtReturn {
                node_index: Default::default(),
                range: at,
                value: Some(Box::new(load(&name, at))),
            });
            self.statement(&returned);
            self.scope().shift_remove(&name);
        }
    }

    /// `with` of an object whose class has `__enter__` and `__exit__`.
    fn inside_object(&mut self, s: &StmtWith, object: Value, target: Option<&Expr>) {
        let range = s.items[0].context_expr.range();
        let exit = match self.method_function(&object, "__exit__") {
            Some(Value::Function(function)) => self.parse(function),
            _ => None,
        };
        let Some((exit, _)) = exit else {
            self.unsupported_with(s, "its class has no `__exit__` that is written in Python");
            return;
        };
        let held = self.hold(object.clone(), range);
        self.frame().locals.insert(held.clone());
        let Some(entered) = self.method_of(&object, "__enter__", &[], range) else {
            self.unsupported_with(s, "its class has no `__enter__` that is written in Python");
            return;
        };
        let mut body = s.body.clone();
        let mut names = vec![held.clone()];
        if let Some(target) = target {
            let name = self.hold(entered, range);
            self.frame().locals.insert(name.clone());
            let bound = StmtAssign {
                node_index: Default::default(),
                range,
                targets: vec![target.clone()],
                value: Box::new(load(&name, range)),
            };
            body.insert(0, Stmt::Assign(bound));
            names.push(name);
        }
        let nothing = || vec![none(range), none(range), none(range)];
        if is_about_nothing(&exit.def) {
            let last = alone(exit_call(&held, nothing(), range));
            let whole = tried(body, Vec::new(), std::iter::once(last).collect(), s.range());
            self.statement(&whole);
            self.release(&names);
            return;
        }
        let (fine, caught) = (self.temporary(), self.temporary());
        for name in [&fine, &caught] {
            self.frame().locals.insert(name.clone());
        }
        let site = self.site(range);
        self.bind(&fine, Scalar::const_bool(true).into(), site);
        let class = call_with(load("type", range), vec![load(&caught, range)], range);
        let said = exit_call(&held, vec![class, load(&caught, range), none(range)], range);
        let again = Stmt::Raise(StmtRaise {
            node_index: Default::default(),
            range,
            exc: None,
            cause: None,
        });
        let unless = Expr::UnaryOp(ExprUnaryOp {
            node_index: Default::default(),
            range,
            op: UnaryOp::Not,
            operand: Box::new(said),
        });
        let handled = [
            assignment(&fine, truth(false, range), range),
            when(unless, again, range),
        ];
        let every = load("BaseException", range);
        let handler = handler(
            Some(every),
            Some(&caught),
            handled.into_iter().collect(),
            range,
        );
        let last = alone(exit_call(&held, nothing(), range));
        let last = when(load(&fine, range), last, range);
        let whole = tried(
            body,
            vec![handler],
            std::iter::once(last).collect(),
            s.range(),
        );
        self.statement(&whole);
        names.push(fine);
        self.release(&names);
    }
}

/// Whether what is called may be the program's own.
fn is_of_the_program(callee: &Value) -> bool {
    !matches!(
        callee,
        Value::Builtin(_) | Value::Unsupported(_) | Value::Poison
    )
}

/// Whether a generator yields in one place, which is no loop's.
fn yields_once(def: &StmtFunctionDef) -> bool {
    struct Places {
        loops: usize,
        places: usize,
        fine: bool,
    }
    impl<'a> Visitor<'a> for Places {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            let again = matches!(statement, Stmt::For(_) | Stmt::While(_));
            self.loops += usize::from(again);
            if !matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                walk_stmt(self, statement);
            }
            self.loops -= usize::from(again);
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Yield(_) => {
                    self.places += 1;
                    self.fine &= self.loops == 0;
                }
                Expr::YieldFrom(_) => self.fine = false,
                _ => {}
            }
            walk_expr(self, expr);
        }
    }
    let mut places = Places {
        loops: 0,
        places: 0,
        fine: true,
    };
    def.body.iter().for_each(|one| places.visit_stmt(one));
    places.fine && places.places == 1
}

/// Whether an `__exit__` asks nothing of the exception, and lets it go on.
fn is_about_nothing(exit: &StmtFunctionDef) -> bool {
    let names = exit.parameters.iter().skip(1);
    let names: Vec<&str> = names.map(|one| one.name().as_str()).collect();
    let read = crate::host::generator_statements::names_read(&exit.body);
    let asks = names.iter().any(|name| read.contains(*name));
    let mut body = exit.body.clone();
    !asks && !gives_something(&mut body)
}

fn gives_something(body: &mut Suite) -> bool {
    body.iter_mut().any(|statement| {
        let own = match statement {
            Stmt::Return(s) => match s.value.as_deref() {
                None | Some(Expr::NoneLiteral(_)) => false,
                Some(Expr::BooleanLiteral(e)) => e.value,
                Some(_) => true,
            },
            _ => false,
        };
        let mut inside = false;
        if !matches!(statement, Stmt::FunctionDef(_)) {
            syntax::each_body(statement, &mut |inner| inside |= gives_something(inner));
        }
        own || inside
    })
}

fn none(range: TextRange) -> Expr {
    Expr::NoneLiteral(ExprNoneLiteral {
        node_index: Default::default(),
        range,
    })
}

fn truth(value: bool, range: TextRange) -> Expr {
    Expr::BooleanLiteral(ExprBooleanLiteral {
        node_index: Default::default(),
        range,
        value,
    })
}

fn assignment(name: &str, value: Expr, range: TextRange) -> Stmt {
    Stmt::Assign(StmtAssign {
        node_index: Default::default(),
        range,
        targets: vec![store(name, range)],
        value: Box::new(value),
    })
}

fn alone(value: Expr) -> Stmt {
    Stmt::Expr(StmtExpr {
        node_index: Default::default(),
        range: value.range(),
        value: Box::new(value),
    })
}

fn when(test: Expr, then: Stmt, range: TextRange) -> Stmt {
    Stmt::If(StmtIf {
        node_index: Default::default(),
        range,
        test: Box::new(test),
        body: std::iter::once(then).collect(),
        elif_else_clauses: Vec::new(),
    })
}

fn exit_call(held: &str, given: Vec<Expr>, range: TextRange) -> Expr {
    let method = Expr::Attribute(ExprAttribute {
        node_index: Default::default(),
        range,
        value: Box::new(load(held, range)),
        attr: Identifier::new("__exit__", range),
        ctx: ExprContext::Load,
    });
    call_with(method, given, range)
}

fn handler(
    classes: Option<Expr>,
    name: Option<&str>,
    body: Suite,
    range: TextRange,
) -> ExceptHandler {
    ExceptHandler::ExceptHandler(ExceptHandlerExceptHandler {
        node_index: Default::default(),
        range,
        type_: classes.map(Box::new),
        name: name.map(|name| Identifier::new(name, range)),
        body,
    })
}

fn tried(body: Suite, handlers: Vec<ExceptHandler>, last: Suite, range: TextRange) -> Stmt {
    Stmt::Try(StmtTry {
        node_index: Default::default(),
        range,
        body,
        handlers,
        orelse: Default::default(),
        finalbody: last,
        is_star: false,
    })
}
