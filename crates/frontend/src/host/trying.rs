//! `try` in jit functions.
//!
//! The body becomes a loop of one turn, which a raised exception leaves; a variable says which one it
//! was. An exception that the program itself raises has its place there, so which handler takes it is
//! known while compiling. What a call into Python raises is an object, whose class is asked for when the
//! program runs. Loops between the place and the `try` are left one by one, with a test after each.
//! `finally` is a `try` around the rest of its statement that catches everything and raises it again.

use crate::codes;
use crate::host::failures::Part;
use crate::program::{Call, Exception};
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_diag::Site;
use colocate_ir::{
    BinaryOp, CallResult, CompareOp, DType, Literal, StatementKind, UnaryOp, ValueId, VariableId,
};
use ruff_python_ast::{ExceptHandler, Stmt, StmtTry};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;
use std::rc::Rc;

/// A `try` whose body is being translated.
pub(crate) struct Trying {
    /// The frame it stands in.
    frame: u32,
    /// How many loops there are around the body in its frame, its own among them.
    loops: usize,
    /// How many loops of the host part were open when its own was opened, that one among them.
    open: usize,
    /// Which exception it was: one of the numbers below, or 1 and more for `raises`.
    pub code: VariableId,
    /// The handle of an exception that is an object.
    pub exception: VariableId,
    pub raises: Vec<Caught>,
    /// Whether an exception may be an object.
    pub objects: bool,
    /// Whether `break`, `continue` leave the body.
    breaks: bool,
    continues: bool,
    /// Whether its end may be reached.
    pub completes: bool,
    /// What is done on every way out.
    last: Option<Rc<[Stmt]>>,
    /// Names that nobody looks at after the body has raised.
    fresh: HashSet<String>,
}

/// The body is not done yet.
const OPEN: i64 = -1;

/// It came to its end.
pub(crate) const DONE: i64 = 0;

const BREAKS: i64 = -2;

const CONTINUES: i64 = -3;

/// An object was raised; with 1 and the number of a handler added, that handler takes it.
pub(crate) const OBJECT: i64 = 1 << 40;

/// The number of what stands for the class of an exception whose arguments are known: a named tuple of
/// them and the object itself.
pub(crate) const EXCEPTION_CLASS: u32 = crate::host::part::LIST_CLASS - 1;

/// An exception that a body may raise.
#[derive(Clone)]
pub(crate) struct Caught {
    pub class: Exception,
    /// Its arguments, in the variables of the name.
    pub arguments: Value,
    /// Whether they are parts of one message.
    pub joined: bool,
    pub name: String,
    pub site: Site,
}

/// A handler that is being translated.
pub(crate) struct Handling {
    /// What it may have been entered with: values of the variable.
    pub candidates: Vec<(i64, Option<Caught>)>,
    pub code: VariableId,
    pub exception: VariableId,
    pub frame: u32,
    /// What it calls the exception.
    pub name: Option<String>,
    /// Whether there may be none of them: a `finally` is also come to without.
    pub or_none: bool,
}

impl Translator<'_> {
    /// Whether exceptions raised here are caught by this function.
    pub fn is_trying(&self) -> bool {
        !self.tries.is_empty() && self.level() == 0
    }

    /// How many exceptions the bodies around may raise so far.
    pub fn raises_so_far(&self) -> Vec<usize> {
        self.tries
            .iter()
            .map(|trying| trying.raises.len())
            .collect()
    }

    pub fn forget_raises(&mut self, before: &[usize]) {
        for (trying, count) in self.tries.iter_mut().zip(before) {
            trying.raises.truncate(*count);
        }
    }

    /// Whether the `try` around can be reached from here; reports if not.
    fn can_leave(&mut self, site: Site) -> bool {
        let Some(trying) = self.tries.last() else {
            return false;
        };
        let position = self.frames.iter().position(|one| one.id == trying.frame);
        let reached = position.is_some_and(|position| {
            let own = self.frames[position].loops.len() - trying.loops;
            let inner = self.frames[position + 1..].iter();
            let loops = own + inner.map(|frame| frame.loops.len()).sum::<usize>();
            position >= self.function_base && self.b.open_loops() == trying.open + loops
        });
        if !reached {
            let diagnostic = crate::Diagnostic::new(
                codes::TRY,
                "an exception raised here cannot be caught outside in a jit function",
            )
            .at(site.file as usize, site.span, "this may raise")
            .help("test the condition with if");
            self.report(diagnostic);
        }
        reached
    }

    /// Leaves the innermost loop because of an exception, or the body of the `try` itself. What the names
    /// hold is as it was for what follows.
    fn leave_by_exception(&mut self) {
        let Some(frame) = self.tries.last().map(|trying| trying.frame) else {
            return;
        };
        let Some(first) = self.frames.iter().position(|one| one.id == frame) else {
            return;
        };
        let at = (first..self.frames.len())
            .rev()
            .find(|&at| !self.frames[at].loops.is_empty())
            .unwrap_or(first);
        let inner = self.frames.split_off(at + 1);
        let before = self.scope().clone();
        self.edge_of_exception();
        if let Some(flag) = self.frame().loops.last_mut().and_then(|one| {
            one.raised = true;
            one.left_early
        }) {
            let yes = self.b.literal(Literal::Bool(true));
            self.b.set(flag, yes);
        }
        *self.scope() = before;
        self.frames.extend(inner);
        self.b.push(StatementKind::Break);
    }

    /// After a loop that an exception may have left: leaves the next one, too.
    pub fn pass_on_exception(&mut self) {
        let Some(code) = self.tries.last().map(|trying| trying.code) else {
            return;
        };
        self.flush();
        let which = self.b.get(code);
        let none = self.b.int64(DONE);
        let raised = self.b.compare(CompareOp::Greater, which, none);
        self.b.begin_if(raised);
        self.leave_by_exception();
        self.b.end();
    }

    /// Raises inside the body of a `try`; false if there is none around.
    pub fn raise_caught(
        &mut self,
        class: Exception,
        arguments: Vec<Value>,
        joined: bool,
        site: Site,
    ) -> bool {
        if !self.is_trying() {
            return false;
        }
        if !self.can_leave(site) {
            return true;
        }
        let (frame, code, number) = {
            let trying = self.tries.last().expect("there is one");
            let number = trying.raises.len() as i64 + 1;
            (trying.frame, trying.code, number)
        };
        let Some(position) = self.frames.iter().position(|one| one.id == frame) else {
            return false;
        };
        let arguments = arguments
            .into_iter()
            .map(|one| self.all_stored(one))
            .collect();
        let inner = self.frames.split_off(position + 1);
        let name = self.temporary();
        let arguments = self.keep(&name, Value::Tuple(arguments));
        self.frames.extend(inner);
        let which = self.b.int64(number);
        self.b.set(code, which);
        self.leave_by_exception();
        if let Some(trying) = self.tries.last_mut() {
            trying.raises.push(Caught {
                class,
                arguments,
                joined,
                name,
                site,
            });
        }
        true
    }

    /// Raises an exception that is an object.
    pub fn raise_object(&mut self, handle: ValueId, site: Site) {
        if !self.is_trying() {
            let mut words = vec![handle];
            let call = Call::Raise {
                class: Exception::Own,
                arguments: vec![crate::program::Operand::Object],
                lists: self.lists_at_raise(&mut words),
                joined: false,
                site,
            };
            self.call(call, &words, Vec::new());
            self.b.push(StatementKind::Return);
            return;
        }
        if !self.can_leave(site) {
            return;
        }
        let Some((code, exception)) = self.tries.last_mut().map(|trying| {
            trying.objects = true;
            (trying.code, trying.exception)
        }) else {
            return;
        };
        let which = self.b.int64(OBJECT);
        self.b.set(code, which);
        self.b.set(exception, handle);
        self.leave_by_exception();
    }

    /// A call of a library function, whose failure a `try` around it catches, or that leaves the caller's lists as they
    /// are by then.
    pub fn guarded_call(&mut self, call: Call, words: &[ValueId], results: Vec<CallResult>) {
        let is_seen = self.is_trying() || self.gives_lists_back();
        if !is_seen || self.certain {
            self.call(call, words, results);
            return;
        }
        let status = self.b.variable("status", DType::Int64);
        let mut all = vec![CallResult::Variable(status)];
        all.extend(results);
        let number = self.program().calls.len();
        self.program().guarded.push(number);
        self.call(call, words, all);
        let failed = self.b.get(status);
        let none = self.b.int64(0);
        let raised = self.b.compare(CompareOp::NotEqual, failed, none);
        self.b.begin_if(raised);
        let one = self.b.int64(1);
        let handle = self.b.binary(BinaryOp::Subtract, failed, one);
        let site = self.b.site;
        self.raise_object(handle, site);
        self.b.end();
    }

    /// Names that the body of the innermost `try` may give another type: who comes after it sees them only if it came to
    /// its end.
    pub fn only_seen_when_done(&self) -> HashSet<String> {
        self.tries
            .last()
            .map(|trying| trying.fresh.clone())
            .unwrap_or_default()
    }

    /// The same, before the body is translated: no handler comes to its end, or reads what the body assigns to.
    pub fn unread_after_raising(&mut self, s: &StmtTry) -> HashSet<String> {
        let frame = self.frame().id;
        // Handlers of this function further out may read everything.
        let inside = self.tries.iter().any(|trying| trying.frame == frame);
        let leaves =
            crate::syntax::leaves_loop(&s.body) || s.body.iter().any(crate::syntax::returns);
        if inside || leaves {
            return HashSet::new();
        }
        let mut names = crate::syntax::assigned(&s.body);
        names.retain(|name| self.scope().contains_key(name));
        for ExceptHandler::ExceptHandler(handler) in &s.handlers {
            if !crate::syntax::always_leaves(&handler.body) {
                return HashSet::new();
            }
            let read = crate::host::generator_statements::names_read(&handler.body);
            names.retain(|name| !read.contains(name));
        }
        names
    }

    /// At the beginning of an attempt at a body.
    pub fn begin_trying(&mut self) {
        let (loops, open) = (self.frame().loops.len(), self.b.open_loops());
        if let Some(trying) = self.tries.last_mut() {
            trying.raises.clear();
            trying.completes = false;
            trying.loops = loops;
            trying.open = open;
        }
    }

    /// At the end of a body.
    pub fn body_is_done(&mut self) {
        if let Some(code) = self.tries.last_mut().map(|trying| {
            trying.completes = true;
            trying.code
        }) {
            let none = self.b.int64(DONE);
            self.b.set(code, none);
        }
    }

    /// `break` or `continue` out of the body of a `try`.
    pub fn leave_try(&mut self, breaks: bool) {
        let Some(trying) = self.tries.last_mut() else {
            return;
        };
        let (flag, number) = match breaks {
            true => (&mut trying.breaks, BREAKS),
            false => (&mut trying.continues, CONTINUES),
        };
        *flag = true;
        let code = trying.code;
        let which = self.b.int64(number);
        self.b.set(code, which);
        self.loop_edge();
        self.b.push(StatementKind::Break);
        self.frame().live = false;
    }

    /// What the `finally` parts around do before the function returns; false if they leave it.
    pub fn before_return(&mut self) -> bool {
        let frame = self.frame().id;
        for at in (0..self.tries.len()).rev() {
            if self.tries[at].frame != frame {
                break;
            }
            let Some(last) = self.tries[at].last.clone() else {
                continue;
            };
            // What it raises is the matter of those further out.
            let inner = self.tries.split_off(at);
            self.block(&last);
            self.tries.extend(inner);
            if !self.live() {
                return false;
            }
        }
        true
    }

    /// Whether a `finally` is to be done before a `return` here.
    pub fn has_last_words(&mut self) -> bool {
        let frame = self.frame().id;
        self.tries
            .iter()
            .any(|trying| trying.frame == frame && trying.last.is_some())
    }

    pub fn try_statement(&mut self, s: &StmtTry) {
        if self.level() > 0 {
            self.hinder("it catches exceptions");
            self.frame().live = false;
            return;
        }
        if s.is_star {
            let range = TextRange::at(s.range().start(), ruff_text_size::TextSize::new(3));
            let diagnostic = self
                .wrong(
                    codes::TRY,
                    "`except*` is not supported in kernels",
                    range,
                    "",
                )
                .help("write except");
            self.report(diagnostic);
            let site = self.site(range);
            for name in crate::syntax::bound(&Stmt::Try(s.clone())) {
                self.bind(&name, Value::Poison, site);
            }
            return;
        }
        if s.finalbody.is_empty() {
            self.try_except(s);
            return;
        }
        let inner: Vec<Stmt> = match s.handlers.is_empty() && s.orelse.is_empty() {
            true => s.body.to_vec(),
            false => vec![Stmt::Try(StmtTry {
                finalbody: Default::default(),
                ..s.clone()
            })],
        };
        self.try_finally(s, &inner);
    }

    /// The body of a `try`, and what may have left it.
    pub fn tried(
        &mut self,
        body: &[Stmt],
        last: Option<Rc<[Stmt]>>,
        fresh: HashSet<String>,
        range: TextRange,
    ) -> Option<Trying> {
        self.flush();
        let name = self.temporary();
        let code = self.variable(&name, 0, DType::Int64);
        let open = self.b.int64(OPEN);
        self.b.set(code, open);
        let exception = self.variable(&name, 1, DType::Int64);
        let frame = self.frame().id;
        self.tries.push(Trying {
            frame,
            loops: 0,
            open: 0,
            code,
            exception,
            raises: Vec::new(),
            objects: false,
            breaks: false,
            continues: false,
            completes: false,
            last,
            fresh,
        });
        self.try_body(body, range);
        self.tries.pop()
    }

    fn try_finally(&mut self, s: &StmtTry, body: &[Stmt]) {
        let last: Rc<[Stmt]> = s.finalbody.to_vec().into();
        let Some(trying) = self.tried(body, Some(last), HashSet::new(), s.range()) else {
            return;
        };
        // A function that is inlined and has returned has done it already.
        let returns = self.frame().returns.as_ref().map(|returns| returns.done);
        let returned = returns.filter(|_| body.iter().any(crate::syntax::returns));
        let mut candidates: Vec<_> = (1..)
            .zip(&trying.raises)
            .map(|(number, caught)| (number, Some(caught.clone())))
            .collect();
        candidates.extend(trying.objects.then_some((OBJECT, None)));
        let frame = self.frame().id;
        self.handling.push(Handling {
            candidates,
            code: trying.code,
            exception: trying.exception,
            frame,
            name: None,
            or_none: true,
        });
        match returned {
            Some(done) => {
                let done = self.b.get(done);
                let going = self.b.unary(UnaryOp::Not, done);
                let before = self.scope().clone();
                self.b.begin_if(going);
                self.block(&s.finalbody);
                let then = self.leave_branch();
                self.b.end();
                self.frame().live = true;
                self.merge(going, then, Some(before));
            }
            None => self.block(&s.finalbody),
        }
        self.handling.pop();
        let all: Vec<i64> = (1..=trying.raises.len() as i64).collect();
        self.raise_again(&trying, &all, trying.objects.then_some(OBJECT));
        self.leave_as_the_body(&trying, s.range());
        self.frame().live &= trying.completes;
    }

    /// Raises what nobody took.
    pub fn raise_again(&mut self, trying: &Trying, numbers: &[i64], object: Option<i64>) {
        for number in numbers {
            if !self.live() {
                return;
            }
            self.flush();
            let condition = self.is_one_of(trying.code, &[*number]);
            self.b.begin_if(condition);
            let caught = trying.raises[*number as usize - 1].clone();
            self.raise_one(&caught);
            self.b.end();
        }
        if let Some(number) = object
            && self.live()
        {
            self.flush();
            let condition = self.is_one_of(trying.code, &[number]);
            self.b.begin_if(condition);
            let handle = self.b.get(trying.exception);
            let site = self.b.site;
            self.raise_object(handle, site);
            self.b.end();
        }
    }

    fn raise_one(&mut self, caught: &Caught) {
        let arguments = match self.recall(&caught.name, &caught.arguments) {
            Value::Tuple(items) => items,
            _ => Vec::new(),
        };
        self.raise_values(caught.class.clone(), arguments, caught.joined, caught.site);
    }

    /// `break` and `continue` that left the body leave the loop around it now.
    pub fn leave_as_the_body(&mut self, trying: &Trying, range: TextRange) {
        for (wanted, number, breaks) in [
            (trying.breaks, BREAKS, true),
            (trying.continues, CONTINUES, false),
        ] {
            if !wanted || !self.live() {
                continue;
            }
            self.flush();
            let condition = self.is_one_of(trying.code, &[number]);
            let before = self.scope().clone();
            self.b.begin_if(condition);
            self.leave_loop(range, breaks);
            self.b.end();
            self.frame().live = true;
            *self.scope() = before;
        }
    }
}

/// A class of exceptions as an operand: the name of a builtin, or a number.
pub(crate) fn class_operand(handle: Option<u32>, name: &str) -> Value {
    match handle {
        Some(handle) => Scalar::const_int(i128::from(handle)).into(),
        None => Value::Str(name.to_string()),
    }
}

/// The message of a check, as parts of the argument of the exception.
pub(crate) fn message_of(parts: &[Part]) -> Vec<Value> {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => Value::Str(text.clone()),
            Part::Number(scalar) => (*scalar).into(),
            Part::Shape(extents) => {
                Value::Tuple(extents.iter().copied().map(Value::Scalar).collect())
            }
        })
        .collect()
}
