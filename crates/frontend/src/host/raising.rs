//! `raise` and `assert` in jit functions.

use crate::calls::Arguments;
use crate::codes;
use crate::host::failures::Failing;
use crate::objects::syntax_building::{call_with, load};
use crate::program::{Call, Exception, Operand};
use crate::translate::Translator;
use crate::value::Value;
use colocate_ir::{Literal, StatementKind, UnaryOp};
use ruff_python_ast::{Expr, ExprUnaryOp, Stmt, StmtAssert, StmtIf, StmtRaise};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// `raise Class(arguments)`.
    pub fn raise_statement(&mut self, s: &StmtRaise) {
        let range = s.range();
        let Some(exception) = &s.exc else {
            if self.level() == 0 && self.raise_handled() {
                self.frame().live = false;
                return;
            }
            let diagnostic = self
                .wrong(
                    codes::RAISE,
                    "there is no exception to raise again",
                    range,
                    "",
                )
                .help("name the exception: `raise ValueError(\"...\")`");
            self.report(diagnostic);
            self.frame().live = false;
            return;
        };
        let (class, given): (&Expr, Vec<(Value, TextRange)>) = match &**exception {
            Expr::Call(call) if call.arguments.keywords.is_empty() => {
                let given = call.arguments.args.iter();
                let given = given.map(|one| (self.expr(one), one.range()));
                (&call.func, given.collect())
            }
            other => (other, Vec::new()),
        };
        let class = match self.expr(class) {
            Value::Exception { handle, name } => match handle {
                Some(handle) => Exception::Handle(handle),
                None => Exception::Builtin(name),
            },
            Value::Poison => {
                self.frame().live = false;
                return;
            }
            callee if exception.is_call_expr() => {
                let arguments = Arguments {
                    positional: given,
                    keywords: Vec::new(),
                };
                let made = self.call_value(&callee, &arguments, range, class.range(), None);
                self.raise_made(&made, exception);
                return;
            }
            // The one that the handler was entered with.
            Value::Named(class, items)
                if class.handle == crate::host::trying::EXCEPTION_CLASS
                    && self.raise_named(exception, &items, range) =>
            {
                self.frame().live = false;
                return;
            }
            other => {
                self.raise_made(&other, exception);
                return;
            }
        };
        self.raise_always(class, &given, range);
    }

    /// Raises an exception that was caught: the one that the handler was entered with, or that of a handler further out.
    fn raise_named(&mut self, exception: &Expr, parts: &[Value], range: TextRange) -> bool {
        let innermost = self.handling.last().and_then(|one| one.name.as_deref());
        if matches!(exception, Expr::Name(name) if Some(name.id.as_str()) == innermost) {
            return self.raise_handled();
        }
        let Some(Value::Object(object)) = parts.get(1) else {
            return false;
        };
        let (handle, site) = (self.ir(&object.handle), self.site(range));
        self.flush();
        self.raise_object(handle, site);
        true
    }

    /// Raises an exception that is an object.
    fn raise_made(&mut self, made: &Value, exception: &Expr) {
        match made {
            Value::Object(object) if *object.kind == crate::program::ObjectType::Exception => {
                let (handle, site) = (self.ir(&object.handle), self.site(exception.range()));
                self.flush();
                self.apart_if_inlined(|t| t.raise_object(handle, site));
            }
            Value::Poison => {}
            other => {
                let what = other.describe();
                let label = format!("this is {what}");
                let text = format!("{what} cannot be raised");
                let diagnostic = self
                    .wrong(codes::RAISE, text, exception.range(), label)
                    .help("raise an exception class with constant arguments");
                self.report(diagnostic);
            }
        }
        self.frame().live = false;
    }

    /// Raises, and ends this way through the function. In a function that is translated in place of
    /// a call, what follows the call is still to be translated: it is kept apart by a branch.
    fn raise_always(&mut self, class: Exception, given: &[(Value, TextRange)], range: TextRange) {
        self.apart_if_inlined(|t| t.raise_with(class, given, range));
        self.frame().live = false;
    }

    fn apart_if_inlined(&mut self, raise: impl FnOnce(&mut Self)) {
        let is_inlined = self.frames.len() > 1;
        if is_inlined {
            let always = self.b.literal(Literal::Bool(true));
            self.b.begin_if(always);
        }
        raise(self);
        if is_inlined {
            self.b.end();
        }
    }

    fn raise_with(&mut self, class: Exception, given: &[(Value, TextRange)], range: TextRange) {
        let site = self.site(range);
        let mut words = Vec::new();
        let mut arguments = Vec::new();
        for (value, place) in given {
            match self.operand_of(value, &mut words, *place) {
                Some(operand) => arguments.push(operand),
                None => return,
            }
        }
        if self.level() > 0 {
            // What an item computed stays with it.
            for argument in &mut arguments {
                if !matches!(argument, Operand::Constant(_)) {
                    self.hinder("it raises an exception with a value of the turn");
                    return;
                }
            }
            self.fail_with(Failing::Statement {
                class,
                arguments,
                site,
            });
            return;
        }
        if self.is_trying() {
            let values = given.iter().map(|(value, _)| value.clone()).collect();
            self.raise_caught(class, values, false, site);
            return;
        }
        let call = Call::Raise {
            class,
            arguments,
            lists: self.lists_at_raise(&mut words),
            joined: false,
            site,
        };
        self.call(call, &words, Vec::new());
        self.b.push(StatementKind::Return);
    }

    /// Raises again what was raised at a place.
    pub fn raise_values(
        &mut self,
        class: Exception,
        arguments: Vec<Value>,
        joined: bool,
        site: colocate_diag::Site,
    ) {
        if self.is_trying() {
            self.raise_caught(class, arguments, joined, site);
            return;
        }
        let mut words = Vec::new();
        let operands: Vec<Operand> = arguments
            .iter()
            .filter_map(|value| self.operand_of(value, &mut words, TextRange::default()))
            .collect();
        let call = Call::Raise {
            class,
            arguments: operands,
            lists: self.lists_at_raise(&mut words),
            joined,
            site,
        };
        self.call(call, &words, Vec::new());
        self.b.push(StatementKind::Return);
    }

    /// `assert test, message`.
    pub fn assert_statement(&mut self, s: &StmtAssert) {
        if let Some(message) = s.msg.as_deref().filter(|one| !one.is_literal_expr()) {
            self.assert_with(s, message);
            return;
        }
        let test = self.condition(&s.test);
        let Some(truth) = self.truth(&test, s.test.range()) else {
            return;
        };
        let message: Vec<(Value, TextRange)> = s
            .msg
            .iter()
            .map(|message| (self.expr(message), message.range()))
            .collect();
        let class = Exception::Builtin("AssertionError".into());
        if let Some(known) = truth.as_int() {
            if known == 0 {
                self.raise_always(class, &message, s.range());
            }
            return;
        }
        let ir = self.ir(&truth);
        let fails = self.b.unary(UnaryOp::Not, ir);
        self.b.begin_if(fails);
        self.raise_with(class, &message, s.range());
        self.b.end();
    }

    /// `assert` whose message is computed, which is done only where it fails.
    fn assert_with(&mut self, s: &StmtAssert, message: &Expr) {
        let range = s.range();
        let class = load("AssertionError", range);
        let raise = Stmt::Raise(StmtRaise {
            node_index: Default::default(),
            range,
            exc: Some(Box::new(call_with(class, vec![message.clone()], range))),
            cause: None,
        });
        let fails = Expr::UnaryOp(ExprUnaryOp {
            node_index: Default::default(),
            range: s.test.range(),
            op: ruff_python_ast::UnaryOp::Not,
            operand: s.test.clone(),
        });
        self.statement(&Stmt::If(StmtIf {
            node_index: Default::default(),
            range,
            test: Box::new(fails),
            body: std::iter::once(raise).collect(),
            elif_else_clauses: Vec::new(),
        }));
    }
}
