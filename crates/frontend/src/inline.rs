//! Calls of functions of the program: their bodies are translated in place.
//!
//! The IR has no calls. A `return` puts its value into variables; what follows in the function is
//! then skipped: by putting it into the other branch of an `if` where that is possible, else by
//! testing a variable that says whether the function has returned.

use crate::calls::Arguments;
use crate::host::nested_functions::{Closure, GIVEN};
use crate::joins::join;
use crate::objects::changing_statements::keeps_or_changes;
use crate::parse::Parsed;
use crate::scope::{Binding, same_types};
use crate::syntax;
use crate::translate::{Translator, maybe};
use crate::value::Value;
use crate::{FunctionId, codes};
use colocate_diag::Site;
use colocate_ir::{DType, Literal, StatementKind, UnaryOp, VariableId};
use ruff_python_ast::{ElifElseClause, Expr, ExprIf, Stmt, StmtIf, StmtReturn};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// How a function being inlined returns.
pub(crate) struct Returns {
    /// Whether it has returned, in the IR.
    pub done: VariableId,
    /// What its `return`s give; fixed by an earlier attempt or by the first `return`.
    result: Option<Binding>,
    retry: bool,
    /// Whether it returned something that is not known yet.
    unknown: bool,
}

impl Returns {
    pub fn new(done: VariableId, result: Option<Binding>) -> Returns {
        Returns {
            done,
            result,
            retry: false,
            unknown: false,
        }
    }

    pub fn result(&self) -> Option<&Binding> {
        self.result.as_ref()
    }

    pub fn must_retry(&self) -> bool {
        self.retry
    }

    /// Whether it returned something that is not known yet.
    pub fn is_unknown(&self) -> bool {
        self.unknown
    }
}

/// The name under which results are kept.
pub(crate) const RESULT: &str = "%result";

/// So many functions of one text may call one another.
const MOST_ALIKE: usize = 4;

/// More calls inside calls than this are not meant.
const MOST_FRAMES: usize = 64;

/// So many calls are still looked at for other mistakes after the first one.
const MOST_CALLS_AFTER_MISTAKE: usize = 500;

impl Translator<'_> {
    pub fn return_statement(&mut self, s: &StmtReturn) {
        if self.return_from_generator() {
            return;
        }
        if let Some(Expr::If(choice)) = s.value.as_deref()
            && self.frame().returns.is_none()
            && self.is_program()
            && self.level() == 0
        {
            self.return_either(s, choice);
            return;
        }
        let value = match s.value.as_deref() {
            Some(written) => {
                let value = self.expr(written);
                match self.frame().returns.is_none() && self.is_program() && self.level() == 0 {
                    true => self.iterators_for_caller(written, value),
                    false => value,
                }
            }
            None => Value::None,
        };
        if value.is_poison() && !self.live() {
            // It always raises.
            return;
        }
        let value = if self.is_program() && self.level() == 0 && self.has_last_words() {
            let held = self.hold(value, s.range());
            if !self.before_return() {
                return;
            }
            match self.scope().get(&held).cloned() {
                Some(binding) => self.recall(&held, &binding.value),
                None => Value::Poison,
            }
        } else {
            value
        };
        if self.frame().returns.is_none() && self.is_program() {
            self.remark(s.range(), "return", &value);
            self.return_from_program(value, s.range());
            return;
        }
        if self.frame().returns.is_some() {
            let site = self.site(s.range());
            if !matches!(value, Value::None) {
                self.remark(s.range(), "return", &value);
            }
            self.return_value(value, site);
            return;
        }
        if !matches!(value, Value::None | Value::Poison) {
            let what = value.describe();
            let diagnostic = self
                .wrong(
                    codes::KERNEL_RETURNS,
                    "a kernel cannot return a value",
                    s.range(),
                    format!("this returns {what}"),
                )
                .help("store it in an array: `out[i] = ...`");
            self.report(diagnostic);
        }
        self.b.push(StatementKind::Return);
        self.frame().live = false;
    }

    /// `return a if test else b` of the program: each way returns what it gives, of whatever types they are.
    fn return_either(&mut self, s: &StmtReturn, choice: &ExprIf) {
        let give = |value: &Expr| {
            let returned = Stmt::Return(StmtReturn {
                value: Some(Box::new(value.clone())),
                ..s.clone()
            });
            std::iter::once(returned).collect()
        };
        let otherwise = ElifElseClause {
            node_index: Default::default(),
            range: s.range(),
            test: None,
            body: give(&choice.orelse),
        };
        self.statement(&Stmt::If(StmtIf {
            node_index: Default::default(),
            range: s.range(),
            test: choice.test.clone(),
            body: give(&choice.body),
            elif_else_clauses: vec![otherwise],
        }));
    }

    pub fn return_value(&mut self, value: Value, site: Site) {
        let value = if self.frame().open.len() > 1 {
            // Other ways through the function may return something else.
            self.all_stored(value)
        } else {
            value
        };
        if value.has_poison() && (self.function_base > 0 || self.guessing) {
            // What it gives is not known yet: the other ways through it tell.
            if let Some(returns) = &mut self.frame().returns {
                returns.unknown = true;
            }
            self.mark_returned();
            return;
        }
        let value = self.each_own_closure(value, &mut |t, _| t.variables_now());
        let kept = self.keep(RESULT, value);
        let mut returns = self
            .frame()
            .returns
            .take()
            .expect("the function is inlined");
        let found = Binding::new(kept.clone(), site);
        match &returns.result {
            None => returns.result = Some(found),
            Some(known) => {
                self.unify_lists(&known.value, &kept);
                let mut value = join(&known.value, known.site, &kept, site, self.is_program());
                value = self.loosened(value, &known.value, &kept);
                value = self.return_marked(known, &kept, value, RESULT);
                if self.guessing && matches!(value, Value::Conflict(_)) {
                    // What rests on what is not known yet may be anything.
                    value = known.value.clone();
                } else if same_types(&known.value, &value) {
                    self.convert_binding(RESULT, &kept, &value);
                } else {
                    returns.retry = true;
                }
                let site = known.site;
                returns.result = Some(Binding::new(value, site));
            }
        }
        self.frame().returns = Some(returns);
        self.mark_returned();
    }

    /// What a function gives whose end is reached, unless it has returned on the way.
    pub fn return_at_end(&mut self, body: &[Stmt], site: Site) {
        let done = self.frame().returns.as_ref().map(|returns| returns.done);
        match done {
            Some(done) if body.iter().any(syntax::returns) => {
                self.flush();
                let returned = self.b.get(done);
                let going = self.b.unary(UnaryOp::Not, returned);
                self.b.begin_if(going);
                self.return_value(Value::None, site);
                self.b.end();
            }
            _ => self.return_value(Value::None, site),
        }
    }

    /// Notes that the function has returned.
    fn mark_returned(&mut self) {
        let done = self.frame().returns.as_ref().map(|returns| returns.done);
        if let Some(done) = done {
            let yes = self.b.literal(Literal::Bool(true));
            self.b.set(done, yes);
        }
        let frame = self.frame();
        frame.live = false;
        if !frame.loops.is_empty() {
            self.leave_all_loops();
            self.b.push(StatementKind::Break);
        }
    }

    /// Translates a call of a function of the program.
    pub fn inline(
        &mut self,
        function: FunctionId,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        self.inline_with(function, None, arguments, range)
    }

    /// The same of a function that was defined inside another.
    pub fn inline_closure(
        &mut self,
        closure: &Rc<Closure>,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        self.inline_with(closure.function, Some(closure), arguments, range)
    }

    /// The frame of a function that calls itself. What was made by two calls of the function around it, such as a
    /// function that calls another of its kind, are two functions of one text.
    fn running(&self, function: FunctionId, closure: Option<&Rc<Closure>>) -> Option<usize> {
        let base = self.function_base;
        let mut same = (base..self.frames.len())
            .filter(|position| self.frames[*position].function == function)
            .peekable();
        let first = *same.peek()?;
        let of_frame = |closure: Option<&Rc<Closure>>| closure.map(|one| one.frame);
        let others = match closure {
            Some(own) if own.frame != GIVEN => same.clone().all(|position| {
                of_frame(self.frames[position].closure.as_ref()) != Some(own.frame)
            }),
            _ => false,
        };
        // Who makes a new function for each step calls itself all the same.
        (!others || same.count() >= MOST_ALIKE).then_some(first)
    }

    fn inline_with(
        &mut self,
        function: FunctionId,
        closure: Option<&Rc<Closure>>,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        if !self.diagnostics.is_empty() {
            // It is refused anyway: what is behind many calls is not worth waiting for.
            self.calls_after_mistake += 1;
            if self.calls_after_mistake > MOST_CALLS_AFTER_MISTAKE {
                return Value::Poison;
            }
        }
        let cycle = self.running(function, closure);
        if cycle.is_some() && self.is_program() {
            return self.recursive_call(function, closure, arguments, range);
        }
        if let Some(first) = cycle {
            let mut names: Vec<_> = self.frames[first..]
                .iter()
                .map(|f| format!("`{}`", f.name))
                .collect();
            names.push(names[0].clone());
            let diagnostic = self
                .wrong(
                    codes::RECURSION,
                    "functions in kernels cannot call themselves",
                    range,
                    format!("{} is still running here", names[0]),
                )
                .note(format!("the calls go {}", names.join(" → ")))
                .help("write it as a loop");
            return self.report(diagnostic);
        }
        if self.frames.len() >= MOST_FRAMES {
            let diagnostic = self.wrong(codes::TOO_DEEP, "too many calls inside calls", range, "");
            return self.report(diagnostic);
        }
        let known = self.diagnostics.len();
        let Some((parsed, file)) = self.parse(function) else {
            let site = self.site(range);
            if let Some(last) = self.diagnostics[known..].last_mut() {
                *last = last
                    .clone()
                    .at(site.file as usize, site.span, "called here");
            }
            return Value::Poison;
        };
        if self.is_program() && crate::host::generator_statements::yields(&parsed.def) {
            return self.generator(function, closure, &parsed, arguments, range);
        }
        let Some(mut values) = self.bind_arguments(&parsed, arguments, range) else {
            return Value::Poison;
        };
        let called_at = self.site(range);
        let checkpoint = self.checkpoint();
        let mut assumed: Option<Binding> = None;
        // Functions inside it are known by the frame that they were defined in.
        let mut id: Option<u32> = None;
        for attempt in 0..8 {
            let site = self.b.site;
            let name = self.temporary();
            let done = self.variable(&name, 0, DType::Bool);
            let no = self.b.literal(Literal::Bool(false));
            self.b.set(done, no);
            let returns = Returns::new(done, assumed.take());
            self.enter(function, &parsed, file, Some(returns), Some(called_at));
            self.frame().closure = closure.cloned();
            let first = *id.get_or_insert(self.frame().id);
            self.frame().id = first;
            let declared = parsed.def.parameters.iter_non_variadic_params();
            let declared_count = parsed.def.parameters.iter_non_variadic_params().count();
            for (parameter, value) in declared.zip(&mut values) {
                let site = self.site(parameter.name().range);
                let value = match value {
                    Some(value) => value.clone(),
                    None => match parameter.default() {
                        Some(default) => {
                            let name = parameter.name().as_str();
                            match self.changing_default(function, &parsed, name, default) {
                                Some(held) => held,
                                None => self.default_of(name, default),
                            }
                        }
                        None => Value::Poison,
                    },
                };
                self.remark(parameter.name().range, parameter.name().as_str(), &value);
                self.bind(parameter.name().as_str(), value, site);
            }
            if let Some(star) = &parsed.def.parameters.vararg {
                let rest = values.get(declared_count).cloned().flatten();
                let site = self.site(star.name.range);
                let rest = rest.unwrap_or(Value::Tuple(Vec::new()));
                self.bind(star.name.as_str(), rest, site);
            }
            if let (Some(double), Some(Some(named))) = (&parsed.def.parameters.kwarg, values.last())
            {
                let (site, named) = (self.site(double.name.range), named.clone());
                self.bind(double.name.as_str(), named, site);
            }
            self.block(&parsed.def.body);
            if self.live() {
                let site = self.site(parsed.def.name.range());
                self.return_at_end(&parsed.def.body, site);
            }
            let returns = self
                .frame()
                .returns
                .take()
                .expect("the function is inlined");
            // A function without a `return` ends with None, unless it always raises: then nobody sees a value.
            let raises = returns.result.is_none() && !returns.unknown;
            let (value, again) = match returns.result {
                Some(binding) if returns.retry && attempt < 7 => (Value::Poison, Some(binding)),
                Some(binding) => {
                    let value = self.result(&binding.value, range);
                    (self.with_last_variables(value), None)
                }
                None => (Value::Poison, None),
            };
            let leaving = match again.is_none() && self.is_program() && self.level() == 0 {
                true => self.leaving_variables(&parsed),
                false => Vec::new(),
            };
            self.frames.pop();
            self.take_variables(leaving);
            self.b.site = site;
            if raises {
                self.frame().live = false;
            }
            let Some(binding) = again else {
                return value;
            };
            self.rewind(&checkpoint);
            let value = maybe(&binding.value);
            assumed = Some(Binding { value, ..binding });
        }
        Value::Poison
    }

    /// The list, set or dictionary that is a parameter's default and that the function changes: one object for all
    /// calls. Nothing for other defaults.
    fn changing_default(
        &mut self,
        function: FunctionId,
        parsed: &Parsed,
        name: &str,
        default: &Expr,
    ) -> Option<Value> {
        if !self.is_program()
            || !makes_container(default)
            || !keeps_or_changes(&parsed.def.body, name, is_empty(default))
        {
            return None;
        }
        let held = self.env.default_value(function, name)?;
        if let crate::Captured::Held { number, kind } = held {
            return Some(self.lasting_object(number, kind, default.range()));
        }
        let text = format!("the default of `{name}` changes from call to call");
        let diagnostic = self
            .wrong(codes::PARAMETERS, text, default.range(), "")
            .help("write None, and make a new one where it is None");
        Some(self.report(diagnostic))
    }

    /// What a call gives; reports values that do not go together.
    pub fn result(&mut self, value: &Value, range: TextRange) -> Value {
        if let Value::Conflict(conflict) = value {
            let (file, span) = {
                let site = self.frame().called_at.unwrap_or_default();
                (site.file as usize, site.span)
            };
            let (first, second) = (&conflict.first, &conflict.second);
            let name = self.frame().name.clone();
            let diagnostic = crate::Diagnostic::new(
                codes::CONFLICT,
                format!("`{name}` returns values of incompatible types"),
            )
            .at(file, span, "called here")
            .at(
                first.1.file as usize,
                first.1.span,
                format!("returns {} here", first.0),
            )
            .at(
                second.1.file as usize,
                second.1.span,
                format!("and {} here", second.0),
            )
            .help("return the same kind of value on every path");
            let _ = range;
            let called_at = self.frame().called_at.take();
            let poison = self.report(diagnostic);
            self.frame().called_at = called_at;
            return poison;
        }
        self.recall(RESULT, value)
    }
}

/// Whether a default is clearly a container without items: it is there to be filled.
fn is_empty(default: &Expr) -> bool {
    match default {
        Expr::List(e) => e.elts.is_empty(),
        Expr::Dict(e) => e.items.is_empty(),
        Expr::Call(e) => e.arguments.is_empty(),
        _ => false,
    }
}

/// Whether a default is clearly a new container.
fn makes_container(default: &Expr) -> bool {
    match default {
        Expr::List(_) | Expr::Dict(_) | Expr::Set(_) => true,
        Expr::ListComp(_) | Expr::DictComp(_) | Expr::SetComp(_) => true,
        Expr::Call(e) => {
            const MAKERS: &[&str] = &["Counter", "defaultdict", "deque", "dict", "list", "set"];
            matches!(&*e.func, Expr::Name(name) if MAKERS.contains(&name.id.as_str()))
        }
        _ => false,
    }
}
