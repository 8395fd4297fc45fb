//! `try` in jit functions.
//!
//! The body becomes a loop of one turn, which a raised exception leaves; a variable says which one it
//! was. Every exception has its place in the program, so which handler takes it is known while
//! compiling. What library functions raise, and what is raised inside a loop or in a function that calls
//! itself, cannot be caught: that is reported.

use crate::codes;
use crate::program::Exception;
use crate::translate::Translator;
use crate::value::{NamedTuple, Value};
use colocate_diag::Site;
use colocate_ir::{BinaryOp, CompareOp, DType, StatementKind, ValueId, VariableId};
use ruff_python_ast::{ExceptHandler, Expr, Stmt, StmtTry};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// A `try` whose body is being translated.
pub(crate) struct Trying {
    /// The frame it stands in.
    frame: u32,
    /// How many loops there are around the body, its own among them.
    loops: usize,
    /// Which exception it was: -1 for none yet, 0 if the body came to its end.
    code: VariableId,
    raises: Vec<Caught>,
}

/// An exception that a body may raise.
struct Caught {
    class: Exception,
    /// Its arguments, in the variables of the name.
    arguments: Value,
    name: String,
    site: Site,
}

impl Translator<'_> {
    /// Whether exceptions raised here are caught by this function.
    pub fn is_trying(&self) -> bool {
        !self.tries.is_empty() && self.level() == 0
    }

    /// Raises inside the body of a `try`; false if there is none around.
    pub fn raise_caught(&mut self, class: Exception, arguments: Vec<Value>, site: Site) -> bool {
        if !self.is_trying() {
            return false;
        }
        let (frame, loops, code, number) = {
            let trying = self.tries.last().expect("there is one");
            let number = trying.raises.len() as i64 + 1;
            (trying.frame, trying.loops, trying.code, number)
        };
        let Some(position) = self.frames.iter().position(|one| one.id == frame) else {
            return false;
        };
        let straight = position >= self.function_base
            && self.frames[position].loops.len() == loops
            && self.frames[position + 1..]
                .iter()
                .all(|frame| frame.loops.is_empty());
        if !straight {
            let diagnostic = crate::Diagnostic::new(
                codes::TRY,
                "an exception raised inside a loop cannot be caught outside of it in a jit function",
            )
            .at(site.file as usize, site.span, "this may raise")
            .help("put the try into the loop, or test the condition with if");
            self.report(diagnostic);
            return true;
        }
        let arguments = arguments
            .into_iter()
            .map(|one| self.all_stored(one))
            .collect();
        let inner = self.frames.split_off(position + 1);
        let name = self.temporary();
        let arguments = self.keep(&name, Value::Tuple(arguments));
        let which = self.b.int64(number);
        self.b.set(code, which);
        self.loop_edge();
        self.frames.extend(inner);
        self.b.push(StatementKind::Break);
        if let Some(trying) = self.tries.last_mut() {
            trying.raises.push(Caught {
                class,
                arguments,
                name,
                site,
            });
        }
        true
    }

    /// At the beginning of an attempt at a body.
    pub fn begin_trying(&mut self) {
        let loops = self.frame().loops.len();
        if let Some(trying) = self.tries.last_mut() {
            trying.raises.clear();
            trying.loops = loops;
        }
    }

    /// At the end of a body.
    pub fn body_is_done(&mut self) {
        if let Some(code) = self.tries.last().map(|trying| trying.code) {
            let none = self.b.int64(0);
            self.b.set(code, none);
        }
    }

    pub fn try_statement(&mut self, s: &StmtTry) {
        if self.level() > 0 {
            self.hinder("it catches exceptions");
            self.frame().live = false;
            return;
        }
        let range = TextRange::at(s.range().start(), ruff_text_size::TextSize::new(3));
        let handlers: Vec<_> = s
            .handlers
            .iter()
            .map(|ExceptHandler::ExceptHandler(handler)| handler)
            .collect();
        let leaves = |body: &[Stmt]| body.iter().any(crate::syntax::returns);
        let all = [&s.body[..], &s.orelse[..]];
        let mut bodies = all.to_vec();
        bodies.extend(handlers.iter().map(|handler| &handler.body[..]));
        let refused = if crate::syntax::leaves_loop(&s.body) {
            Some("`break` and `continue` cannot leave the body of a `try` in kernels")
        } else if s.is_star {
            Some("`except*` is not supported in kernels")
        } else if !s.finalbody.is_empty()
            && (!handlers.is_empty() || bodies.iter().any(|body| leaves(body)))
        {
            Some("`finally` is supported in kernels only without `except` and `return`")
        } else {
            None
        };
        if let Some(message) = refused {
            let diagnostic = self
                .wrong(codes::TRY, message, range, "")
                .help("test the condition with if");
            self.report(diagnostic);
            let site = self.site(range);
            for name in crate::syntax::bound(&Stmt::Try(s.clone())) {
                self.bind(&name, Value::Poison, site);
            }
            return;
        }
        self.flush();
        let name = self.temporary();
        let code = self.variable(&name, 0, DType::Int64);
        let open = self.b.int64(-1);
        self.b.set(code, open);
        let frame = self.frame().id;
        self.tries.push(Trying {
            frame,
            loops: 0,
            code,
            raises: Vec::new(),
        });
        self.try_body(&s.body, s.range());
        let Some(trying) = self.tries.pop() else {
            return;
        };
        let mut taken: Vec<Vec<usize>> = vec![Vec::new(); handlers.len()];
        let mut left = Vec::new();
        let classes: Vec<Option<Vec<Value>>> = handlers
            .iter()
            .map(|handler| handler.type_.as_deref().map(|class| self.classes(class)))
            .collect();
        for (number, caught) in trying.raises.iter().enumerate() {
            let place = classes.iter().position(|classes| match classes {
                None => true,
                Some(classes) => classes.iter().any(|class| catches(class, &caught.class)),
            });
            match place {
                Some(place) => taken[place].push(number),
                None => left.push(number),
            }
        }
        for (handler, numbers) in handlers.iter().zip(&taken) {
            if numbers.is_empty() {
                continue;
            }
            let condition = self.is_one_of(code, numbers);
            let before = self.scope().clone();
            self.b.begin_if(condition);
            if let Some(name) = &handler.name {
                let site = self.site(name.range());
                let value = self.exception_value(&trying.raises, numbers);
                self.bind(name.as_str(), value, site);
            }
            self.block(&handler.body);
            let then = self.leave_branch();
            self.b.end();
            self.frame().live = true;
            self.merge(condition, then, Some(before));
        }
        if !s.orelse.is_empty() {
            let which = self.b.get(code);
            let none = self.b.int64(0);
            let condition = self.b.compare(CompareOp::Equal, which, none);
            let before = self.scope().clone();
            self.b.begin_if(condition);
            self.block(&s.orelse);
            let then = self.leave_branch();
            self.b.end();
            self.frame().live = true;
            self.merge(condition, then, Some(before));
        }
        self.block(&s.finalbody);
        for number in left {
            if !self.live() {
                return;
            }
            self.flush();
            let condition = self.is_one_of(code, &[number]);
            self.b.begin_if(condition);
            let caught = &trying.raises[number];
            let arguments = match self.recall(&caught.name, &caught.arguments) {
                Value::Tuple(items) => items,
                _ => Vec::new(),
            };
            self.raise_values(caught.class.clone(), arguments, caught.site);
            self.b.end();
        }
    }

    fn is_one_of(&mut self, code: VariableId, numbers: &[usize]) -> ValueId {
        let which = self.b.get(code);
        let mut any: Option<ValueId> = None;
        for number in numbers {
            let here = self.b.int64(*number as i64 + 1);
            let this = self.b.compare(CompareOp::Equal, which, here);
            any = Some(match any {
                Some(any) => self.b.binary(BinaryOp::BitOr, any, this),
                None => this,
            });
        }
        any.unwrap_or_else(|| self.b.literal(colocate_ir::Literal::Bool(false)))
    }

    /// What `except ... as name` gives: something with `args`.
    fn exception_value(&mut self, raises: &[Caught], numbers: &[usize]) -> Value {
        let [number] = numbers else {
            return Value::Unsupported("one of several exceptions".into());
        };
        let caught = &raises[*number];
        let mut arguments = self.recall(&caught.name, &caught.arguments);
        if let (Value::Tuple(items), Exception::Builtin(class)) = (&mut arguments, &caught.class)
            && is_os_error(class)
            && (3..=5).contains(&items.len())
        {
            // What follows the number and the message are names of files.
            items.truncate(2);
        }
        let class = NamedTuple {
            handle: crate::host::part::LIST_CLASS - 1,
            name: "caught exception".into(),
            fields: vec!["args".into()],
            list: None,
        };
        Value::Named(Rc::new(class), vec![arguments])
    }

    /// The classes that a handler names.
    fn classes(&mut self, class: &Expr) -> Vec<Value> {
        let value = self.expr(class);
        let classes = match value {
            Value::Tuple(items) => items,
            one => vec![one],
        };
        for one in &classes {
            if !matches!(one, Value::Exception { .. } | Value::Poison) {
                let what = one.describe();
                let diagnostic = self.wrong(
                    codes::TRY,
                    format!("{what} is no class of exceptions"),
                    class.range(),
                    format!("this is {what}"),
                );
                self.report(diagnostic);
            }
        }
        classes
    }
}

/// Whether a handler of a class takes an exception of another.
fn catches(handler: &Value, raised: &Exception) -> bool {
    let Value::Exception { handle, name } = handler else {
        return false;
    };
    match (handle, raised) {
        (Some(handle), Exception::Handle(raised)) => handle == raised,
        (Some(_), Exception::Builtin(_)) => false,
        // A class of the program's own is at least an exception.
        (None, Exception::Handle(_)) => matches!(name.as_str(), "Exception" | "BaseException"),
        (None, Exception::Builtin(raised)) => {
            let mut class = Some(raised.as_str());
            while let Some(one) = class {
                if one == name {
                    return true;
                }
                class = parent(one);
            }
            false
        }
    }
}

/// Whether a builtin exception is an error of the system.
fn is_os_error(class: &str) -> bool {
    matches!(class, "OSError" | "IOError" | "EnvironmentError") || parent(class) == Some("OSError")
}

/// The class that a builtin exception is derived from.
fn parent(class: &str) -> Option<&'static str> {
    Some(match class {
        "BaseException" => return None,
        "Exception" | "KeyboardInterrupt" | "SystemExit" | "GeneratorExit" => "BaseException",
        "ZeroDivisionError" | "OverflowError" | "FloatingPointError" => "ArithmeticError",
        "IndexError" | "KeyError" => "LookupError",
        "UnicodeError" => "ValueError",
        "NotImplementedError" | "RecursionError" => "RuntimeError",
        "UnboundLocalError" => "NameError",
        "ModuleNotFoundError" => "ImportError",
        "IndentationError" => "SyntaxError",
        "TabError" => "IndentationError",
        "FileNotFoundError" | "FileExistsError" | "PermissionError" | "TimeoutError"
        | "ConnectionError" | "BlockingIOError" | "ChildProcessError" | "InterruptedError"
        | "IsADirectoryError" | "NotADirectoryError" | "ProcessLookupError" => "OSError",
        "UserWarning"
        | "DeprecationWarning"
        | "SyntaxWarning"
        | "RuntimeWarning"
        | "FutureWarning"
        | "PendingDeprecationWarning"
        | "ImportWarning"
        | "UnicodeWarning"
        | "BytesWarning"
        | "ResourceWarning" => "Warning",
        _ => "Exception",
    })
}

/// The message of a check, as the argument of the exception.
pub(crate) fn message_of(parts: &[crate::host::failures::Part]) -> Vec<Value> {
    let mut text = String::new();
    for part in parts {
        match part {
            crate::host::failures::Part::Text(one) => text.push_str(one),
            _ => text.push_str("..."),
        }
    }
    vec![Value::Str(text)]
}
