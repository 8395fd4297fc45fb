//! The handlers of `try`: which one takes an exception, and what it sees of it.

use crate::codes;
use crate::host::trying::{Caught, DONE, EXCEPTION_CLASS, Handling, OBJECT, Trying, class_operand};
use crate::objects::python_objects::{IS_CAUGHT, MAKE_EXCEPTION, Object, Origin, joined_origins};
use crate::program::{Exception, ObjectType};
use crate::translate::Translator;
use crate::value::{Know, NamedTuple, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Literal, ValueId, VariableId};
use ruff_python_ast::{ExceptHandler, ExceptHandlerExceptHandler, Expr, StmtTry};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

impl Translator<'_> {
    pub fn try_except(&mut self, s: &StmtTry) {
        let handlers: Vec<_> = s
            .handlers
            .iter()
            .map(|ExceptHandler::ExceptHandler(handler)| handler)
            .collect();
        let fresh = self.unread_after_raising(s);
        let Some(trying) = self.tried(&s.body, None, fresh, s.range()) else {
            return;
        };
        let code = trying.code;
        let mut taken: Vec<Vec<i64>> = vec![Vec::new(); handlers.len()];
        let mut left = Vec::new();
        let classes: Vec<Option<Vec<Value>>> = handlers
            .iter()
            .map(|handler| handler.type_.as_deref().map(|class| self.classes(class)))
            .collect();
        for (number, caught) in (1..).zip(&trying.raises) {
            let place = classes.iter().position(|classes| match classes {
                None => true,
                Some(classes) => {
                    let mut classes = classes.iter();
                    classes.any(|class| self.is_caught(class, &caught.class))
                }
            });
            match place {
                Some(place) => taken[place].push(number),
                None => left.push(number),
            }
        }
        if trying.objects {
            self.choose_handler(&trying, &classes, s.range());
            for (number, numbers) in taken.iter_mut().enumerate() {
                numbers.push(OBJECT + 1 + number as i64);
            }
        }
        let mut goes_on = trying.completes && s.orelse.is_empty();
        for (handler, numbers) in handlers.iter().zip(&taken) {
            if numbers.is_empty() {
                continue;
            }
            let condition = self.is_one_of(code, numbers);
            let before = self.scope().clone();
            self.b.begin_if(condition);
            self.handler(handler, &trying, numbers);
            let then = self.leave_branch();
            goes_on |= then.is_some();
            self.b.end();
            self.frame().live = true;
            self.merge(condition, then, Some(before));
        }
        if !s.orelse.is_empty() {
            let condition = self.is_one_of(code, &[DONE]);
            let before = self.scope().clone();
            self.b.begin_if(condition);
            self.block(&s.orelse);
            let then = self.leave_branch();
            goes_on |= then.is_some() && trying.completes;
            self.b.end();
            self.frame().live = true;
            self.merge(condition, then, Some(before));
        }
        self.raise_again(&trying, &left, trying.objects.then_some(OBJECT));
        self.leave_as_the_body(&trying, s.range());
        self.frame().live &= goes_on;
    }

    /// Finds the handler of an exception that is an object.
    fn choose_handler(
        &mut self,
        trying: &Trying,
        classes: &[Option<Vec<Value>>],
        range: TextRange,
    ) {
        self.flush();
        let condition = self.is_one_of(trying.code, &[OBJECT]);
        self.b.begin_if(condition);
        for (number, classes) in classes.iter().enumerate() {
            let taken = OBJECT + 1 + number as i64;
            let caught = match classes {
                None => None,
                Some(classes) => {
                    let mut given = vec![(
                        exception_object(self.b.get(trying.exception), Rc::new([])),
                        range,
                    )];
                    given.extend(classes.iter().filter_map(|class| {
                        let Value::Exception { handle, name } = class else {
                            return None;
                        };
                        Some((class_operand(*handle, name), range))
                    }));
                    let bools = crate::objects::python_objects::BOOL;
                    match self.certain_call(IS_CAUGHT, &given, bools, range) {
                        Value::Scalar(caught) => Some(self.ir(&caught)),
                        _ => continue,
                    }
                }
            };
            let open = self.is_one_of(trying.code, &[OBJECT]);
            let both = match caught {
                Some(caught) => self.b.binary(BinaryOp::BitAnd, open, caught),
                None => open,
            };
            self.b.begin_if(both);
            let which = self.b.int64(taken);
            self.b.set(trying.code, which);
            self.b.end();
        }
        self.b.end();
    }

    fn handler(&mut self, handler: &ExceptHandlerExceptHandler, trying: &Trying, numbers: &[i64]) {
        let candidates: Vec<(i64, Option<Caught>)> = numbers
            .iter()
            .map(|&number| {
                let caught = (number < OBJECT).then(|| trying.raises[number as usize - 1].clone());
                (number, caught)
            })
            .collect();
        if let Some(name) = &handler.name {
            let site = self.site(name.range());
            let value = self.exception_value(trying, &candidates, name.range());
            self.bind(name.as_str(), value, site);
        }
        let frame = self.frame().id;
        self.handling.push(Handling {
            candidates,
            code: trying.code,
            exception: trying.exception,
            frame,
            name: handler.name.as_ref().map(|name| name.to_string()),
            or_none: false,
        });
        self.block(&handler.body);
        self.handling.pop();
        if let Some(name) = &handler.name {
            // Python forgets it, too.
            self.scope().shift_remove(name.as_str());
            self.mark(name.as_str(), false);
        }
    }

    /// `raise` without anything, in a handler or a `finally`; false if there is none around.
    pub fn raise_handled(&mut self) -> bool {
        self.raise_handled_by(self.handling.len())
    }

    /// The same of the innermost of so many handlers.
    fn raise_handled_by(&mut self, count: usize) -> bool {
        let Some(handling) = self.handling[..count].last() else {
            return false;
        };
        let (frame, code, exception) = (handling.frame, handling.code, handling.exception);
        let or_none = handling.or_none;
        let candidates = handling.candidates.clone();
        let Some(position) = self.frames.iter().position(|one| one.id == frame) else {
            return false;
        };
        self.flush();
        for (number, caught) in &candidates {
            let condition = self.is_one_of(code, &[*number]);
            self.b.begin_if(condition);
            match caught {
                Some(caught) => {
                    let inner = self.frames.split_off(position + 1);
                    let arguments = self.recall(&caught.name, &caught.arguments);
                    self.frames.extend(inner);
                    let Value::Tuple(arguments) = arguments else {
                        continue;
                    };
                    let class = caught.class.clone();
                    self.raise_values(class, arguments, caught.joined, caught.site);
                }
                None => {
                    let handle = self.b.get(exception);
                    let site = self.b.site;
                    self.raise_object(handle, site);
                }
            }
            self.b.end();
        }
        if or_none && !self.raise_handled_by(count - 1) {
            let text = "No active exception to reraise";
            self.always_raise("RuntimeError", text, TextRange::default());
        }
        true
    }

    pub fn is_one_of(&mut self, code: VariableId, numbers: &[i64]) -> ValueId {
        let which = self.b.get(code);
        let mut any: Option<ValueId> = None;
        for number in numbers {
            let here = self.b.int64(*number);
            let this = self.b.compare(CompareOp::Equal, which, here);
            any = Some(match any {
                Some(any) => self.b.binary(BinaryOp::BitOr, any, this),
                None => this,
            });
        }
        any.unwrap_or_else(|| self.b.literal(Literal::Bool(false)))
    }

    /// What `except ... as name` gives: something with `args` if it is known which one it is, else an
    /// object.
    fn exception_value(
        &mut self,
        trying: &Trying,
        candidates: &[(i64, Option<Caught>)],
        range: TextRange,
    ) -> Value {
        if let [(_, Some(caught))] = candidates {
            let arguments = self.recall(&caught.name, &caught.arguments);
            let arguments = match (caught.joined, arguments) {
                (true, Value::Tuple(parts)) => Value::Tuple(vec![self.message(&parts, range)]),
                (_, arguments) => arguments,
            };
            let arguments = match arguments {
                // Errors of the system keep a number and a text, and put others elsewhere.
                Value::Tuple(items) if items.len() > 2 && is_system_error(&caught.class) => {
                    Value::Tuple(items[..2].to_vec())
                }
                other => other,
            };
            let object = self.made_exception(caught, range);
            let fields = match caught.class {
                Exception::Handle(class) if self.env.exception_is_made_by_class(class) => vec![],
                _ => vec!["args".into()],
            };
            let class = NamedTuple {
                handle: EXCEPTION_CLASS,
                name: "caught exception".into(),
                fields,
                list: None,
                own_axes: None,
                is_instance: false,
            };
            return Value::Named(Rc::new(class), vec![arguments, object]);
        }
        let handle = self.b.variable("exception", DType::Int64);
        let mut origins: Option<Rc<[Origin]>> = None;
        for (number, caught) in candidates {
            let condition = self.is_one_of(trying.code, &[*number]);
            self.b.begin_if(condition);
            let made = match caught {
                None => {
                    origins = Some(Rc::new([]));
                    Some(self.b.get(trying.exception))
                }
                Some(caught) => match self.made_exception(caught, range) {
                    Value::Object(object) => {
                        origins = Some(match origins {
                            Some(others) => joined_origins(&others, &object.origins),
                            None => object.origins,
                        });
                        Some(self.ir(&object.handle))
                    }
                    _ => None,
                },
            };
            if let Some(made) = made {
                self.b.set(handle, made);
            }
            self.b.end();
        }
        exception_object(self.b.get(handle), origins.unwrap_or_else(|| Rc::new([])))
    }

    fn made_exception(&mut self, caught: &Caught, range: TextRange) -> Value {
        let arguments = match self.recall(&caught.name, &caught.arguments) {
            Value::Tuple(items) => items,
            _ => Vec::new(),
        };
        let arguments = match caught.joined {
            true => vec![self.message(&arguments, range)],
            false => arguments,
        };
        let class = match &caught.class {
            Exception::Builtin(name) => class_operand(None, name),
            Exception::Handle(handle) => class_operand(Some(*handle), ""),
            Exception::Own => return Value::Poison,
        };
        self.exception_made(class, arguments, range)
    }

    /// `Class(arguments)` as an object.
    pub fn exception_made(
        &mut self,
        class: Value,
        arguments: Vec<Value>,
        range: TextRange,
    ) -> Value {
        let mut given = vec![(class, range)];
        given.extend(arguments.into_iter().map(|one| (one, range)));
        let made = self.certain_call(MAKE_EXCEPTION, &given, ObjectType::Exception, range);
        self.remember_exception(made, &given[0].0, &given[1..])
    }

    /// A call that does not fail, so that nothing needs to be caught.
    fn certain_call(
        &mut self,
        function: &str,
        given: &[(Value, TextRange)],
        result: ObjectType,
        range: TextRange,
    ) -> Value {
        let before = std::mem::replace(&mut self.certain, true);
        let made = self.python_call(function, given, &[], Some(result), range);
        self.certain = before;
        made
    }

    /// The message of a check, from its parts.
    fn message(&mut self, parts: &[Value], range: TextRange) -> Value {
        if let [Value::Str(text)] = parts {
            return Value::Str(text.clone());
        }
        let template = "{}".repeat(parts.len());
        let mut given = vec![(Value::Str(template), range)];
        given.extend(parts.iter().map(|part| (part.clone(), range)));
        self.certain_call("method.format", &given, ObjectType::Text, range)
    }

    /// Whether a handler of a class takes an exception of another.
    fn is_caught(&mut self, handler: &Value, raised: &Exception) -> bool {
        let Value::Exception { handle, name } = handler else {
            return false;
        };
        let wanted = match handle {
            Some(handle) => Exception::Handle(*handle),
            None => Exception::Builtin(name.clone()),
        };
        if *raised == wanted {
            return true;
        }
        if let Some(derives) = self.env.derives(raised, &wanted) {
            return derives;
        }
        let Exception::Builtin(raised) = raised else {
            return false;
        };
        let mut class = Some(raised.as_str());
        while let Some(one) = class {
            if one == name {
                return true;
            }
            class = parent(one);
        }
        false
    }

    /// `isinstance` of an exception that was caught; nothing if the value is none. Which one it was is known
    /// when the program runs.
    pub fn is_instance_of_exceptions(
        &mut self,
        caught: &Value,
        classes: &[Value],
        range: TextRange,
    ) -> Option<Value> {
        let object = match caught {
            Value::Named(class, items) if class.handle == EXCEPTION_CLASS => items.get(1)?,
            Value::Object(object) if *object.kind == ObjectType::Exception => caught,
            _ => return None,
        };
        let mut given = vec![(object.clone(), range)];
        given.extend(classes.iter().filter_map(|class| match class {
            Value::Exception { handle, name } => Some((class_operand(*handle, name), range)),
            _ => None,
        }));
        let bools = crate::objects::python_objects::BOOL;
        Some(self.certain_call(IS_CAUGHT, &given, bools, range))
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

fn exception_object(handle: ValueId, origins: Rc<[Origin]>) -> Value {
    Value::Object(Object {
        kind: Rc::new(ObjectType::Exception),
        handle: Scalar::int(handle, Know::NonNegative),
        origins,
    })
}

fn is_system_error(class: &Exception) -> bool {
    match class {
        Exception::Builtin(name) => {
            matches!(name.as_str(), "OSError" | "IOError" | "EnvironmentError")
                || parent(name) == Some("OSError")
        }
        _ => false,
    }
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
