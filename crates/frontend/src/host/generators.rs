//! Loops over generators: the body of the loop takes the place of `yield`.
//!
//! The statements of the generator are translated in the frame of the loop, under names of their own, in
//! a loop of one turn. `break` in the body of the loop, and `return` in the generator, leave all loops of
//! the generator one by one, with a test after each.

use crate::FunctionId;
use crate::calls::Arguments;
use crate::codes;
use crate::host::generator_statements::{
    Renamer, has_other_statements, keep_result, names_of_handlers, names_read, raises_or_tries,
};
use crate::host::liveness::Liveness;
use crate::host::nested_functions::Closure;
use crate::objects::optional_values::split;
use crate::objects::syntax_building::{load, store};
use crate::parse::Parsed;
use crate::program::ObjectType;
use crate::syntax;
use crate::translate::Translator;
use crate::value::Value;
use colocate_ir::{DType, Literal, StatementKind, VariableId};
use ruff_python_ast::visitor::transformer::Transformer;
use ruff_python_ast::{Expr, ExprYield, Stmt, StmtExpr, StmtFor};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// What a jit function calls that yields to its caller.
pub const HAND_OVER: &str = "colocate._jit_generators.hand_over";

/// A call of a function that yields.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    pub function: FunctionId,
    pub closure: Option<Rc<Closure>>,
}

impl PartialEq for Generator {
    fn eq(&self, other: &Generator) -> bool {
        self.function == other.function && self.closure == other.closure
    }
}

/// A loop over a generator whose statements are being translated.
pub(crate) struct Generating {
    /// The generator's own.
    function: FunctionId,
    /// The frame of the loop.
    frame: u32,
    /// How many loops there are in the frame around the statements, the loop of one turn among them.
    loops: usize,
    /// Whether the generator is left.
    left: VariableId,
    /// Whether there is anything that leaves it.
    leaves: bool,
    target: Expr,
    body: Rc<[Stmt]>,
    range: TextRange,
    /// What the loop's own statements are translated with.
    around: Context,
}

/// What statements are translated with, besides the variables.
pub(crate) struct Context {
    function: FunctionId,
    file: usize,
    shift: u32,
    closure: Option<Rc<Closure>>,
    liveness: Option<Rc<Liveness>>,
}

/// How a generator is gone over.
#[derive(Clone, Copy)]
pub(crate) enum Over<'n> {
    /// By a loop.
    Loop,
    /// By a loop, and what it returns is wanted under a name.
    Result(&'n str),
    /// It is the function of a context, whose `with` stands where it yields.
    Context,
}

impl Translator<'_> {
    /// What a call of a function that yields gives.
    pub fn generator(
        &mut self,
        function: FunctionId,
        closure: Option<&Rc<Closure>>,
        parsed: &Parsed,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder("it goes over a generator");
        }
        let Some(values) = self.bind_arguments(parsed, arguments, range) else {
            return Value::Poison;
        };
        let mut given = Vec::new();
        let declared = parsed.def.parameters.iter_non_variadic_params();
        for (parameter, value) in declared.zip(values) {
            let value = match (value, parameter.default()) {
                (Some(value), _) => value,
                (None, Some(default)) => self.expr(default),
                (None, None) => Value::Poison,
            };
            given.push(self.all_stored(value));
        }
        if parsed.def.parameters.vararg.is_some() || parsed.def.parameters.kwarg.is_some() {
            return self.no_generator("a generator with starred parameters", range);
        }
        let generator = Generator {
            function,
            closure: closure.cloned(),
        };
        Value::Generator(Rc::new(generator), given)
    }

    /// Whether a generator clearly goes on for ever.
    pub fn is_endless(&mut self, generator: &Generator) -> bool {
        let Some((parsed, _)) = self.parse(generator.function) else {
            return false;
        };
        let body = &parsed.def.body;
        let forever = |statement: &Stmt| match statement {
            Stmt::While(s) => {
                let always = match &*s.test {
                    Expr::BooleanLiteral(e) => e.value,
                    Expr::NumberLiteral(_) => true,
                    _ => false,
                };
                always && !syntax::leaves_loop(&s.body)
            }
            _ => false,
        };
        body.iter().any(forever)
            && !body.iter().any(syntax::returns)
            && !body.iter().any(raises_or_tries)
    }

    fn no_generator(&mut self, what: &str, range: TextRange) -> Value {
        let diagnostic = self
            .wrong(
                codes::GENERATOR,
                format!("{what} cannot be gone over in a jit function"),
                range,
                "",
            )
            .help("write the loop where it is needed, or make a list");
        self.report(diagnostic)
    }

    pub fn no_list_without_end(&mut self, range: TextRange) -> Value {
        let diagnostic = self
            .wrong(
                codes::GENERATOR,
                "a generator without an end cannot be made a list",
                range,
                "its items are computed at once here",
            )
            .help("go over it with `for` and leave the loop, or by `zip` of it and one thing that has a length");
        self.report(diagnostic)
    }

    /// `for target in generator`.
    pub fn loop_over_generator(
        &mut self,
        s: &StmtFor,
        generator: &Generator,
        given: &[Value],
        over: Over<'_>,
    ) {
        let range = s.iter.range();
        let Some((parsed, file)) = self.parse(generator.function) else {
            return;
        };
        let def = &parsed.def;
        let parameters: Vec<String> = def
            .parameters
            .iter_non_variadic_params()
            .map(|one| one.name().to_string())
            .collect();
        let mut names = syntax::assigned(&def.body);
        names.extend(names_of_handlers(&def.body));
        names.extend(parameters.iter().cloned());
        // What it means by other names must not be something else here.
        let free: Vec<String> = names_read(&def.body)
            .into_iter()
            .filter(|name| !names.contains(name))
            .collect();
        let frame = self.frame().id;
        let own = generator
            .closure
            .as_ref()
            .is_some_and(|closure| closure.frame == frame);
        let hidden = |t: &mut Self, name: &String| {
            t.frame().locals.contains(name) || t.scope().contains_key(name)
        };
        let clash = !own && free.iter().any(|name| hidden(self, name));
        let busy = self
            .generating
            .iter()
            .any(|one| [one.function, one.around.function].contains(&generator.function));
        let others = has_other_statements(&def.body, matches!(over, Over::Context));
        if clash || busy || !s.orelse.is_empty() || others {
            self.no_generator("this generator", range);
            self.assign(&s.target, Value::Poison, range);
            return;
        }
        let renamer = Renamer {
            names: names.clone(),
            prefix: format!("%g{} ", self.fresh()),
        };
        let mut renamed = def.clone();
        for statement in &mut renamed.body {
            renamer.visit_stmt(statement);
        }
        let site = self.site(range);
        if let Over::Result(name) = over {
            keep_result(&mut renamed.body, name);
            if !syntax::always_returns(&def.body) {
                self.bind(name, Value::None, site);
            }
        }
        for (parameter, value) in parameters.iter().zip(given) {
            let name = renamer.renamed(parameter);
            self.bind(&name, value.clone(), site);
        }
        let mut assigned = syntax::assigned(&renamed.body);
        let locals = self.frame().locals.clone();
        self.frame().locals.extend(assigned.iter().cloned());
        assigned.extend(syntax::assigned(&s.body));
        assigned.extend(syntax::assigned_by(&s.target));
        // The statements have a number of their own: what is known of the function goes by names.
        let surroundings = self
            .nested
            .get(&generator.function)
            .copied()
            .unwrap_or(generator.function);
        let function = self.nested_number();
        self.nested.insert(function, surroundings);
        let shift = parsed.shift;
        let body: Vec<Stmt> = renamed.body.to_vec();
        let parsed = Parsed {
            def: renamed,
            shift,
        };
        self.parsed.insert(function, (Rc::new(parsed), file));
        let name = self.temporary();
        let left = self.variable(&name, 0, DType::Bool);
        let no = self.b.literal(Literal::Bool(false));
        self.b.set(left, no);
        let inside = Context {
            function,
            file,
            shift,
            closure: generator.closure.clone(),
            liveness: None,
        };
        let mut around = self.exchange(inside);
        let liveness = around.liveness.take();
        let loops = self.frame().loops.len() + 1;
        self.generating.push(Generating {
            function: generator.function,
            frame,
            loops,
            left,
            leaves: false,
            target: (*s.target).clone(),
            body: s.body.to_vec().into(),
            range,
            around,
        });
        self.generator_body(&body, &assigned, s.range());
        if let Some(done) = self.generating.pop() {
            self.exchange(Context {
                liveness,
                ..done.around
            });
        }
        self.frame().locals = locals;
        let own: Vec<String> = self
            .scope()
            .keys()
            .filter(|name| name.starts_with(&renamer.prefix))
            .cloned()
            .collect();
        for name in own {
            self.scope().shift_remove(&name);
        }
    }

    fn exchange(&mut self, context: Context) -> Context {
        let frame = self.frame();
        Context {
            function: std::mem::replace(&mut frame.function, context.function),
            file: std::mem::replace(&mut frame.file, context.file),
            shift: std::mem::replace(&mut frame.shift, context.shift),
            closure: std::mem::replace(&mut frame.closure, context.closure),
            liveness: std::mem::replace(&mut frame.liveness, context.liveness),
        }
    }

    /// Whether the statements of a generator are being translated in this frame.
    fn is_generating(&mut self) -> bool {
        let frame = self.frame().id;
        self.generating.last().is_some_and(|one| one.frame == frame)
    }

    /// `yield value`; nothing if there is no loop to go to.
    pub fn yield_value(&mut self, e: &ExprYield) -> Option<Value> {
        let is_generating = self.is_generating();
        if !is_generating && self.frames.len() > 1 {
            return None;
        }
        let value = match &e.value {
            Some(value) => self.expr(value),
            None => Value::None,
        };
        let value = self.all_stored(value);
        if !is_generating {
            self.hand_over(value, e.range());
            return Some(Value::None);
        }
        let mut here = self.generating.pop()?;
        let inside = self.exchange(here.around);
        let (target, body, range, left) = (
            here.target.clone(),
            here.body.clone(),
            here.range,
            here.left,
        );
        here.leaves |= syntax::leaves_loop(&body) || body.iter().any(syntax::returns);
        self.yielded_turn(&target, &value, &body, left, range);
        here.around = self.exchange(inside);
        // What leaves a loop over the generator that this one is gone over by leaves this one, too.
        let frame = here.frame;
        let mut others = self.generating.iter();
        here.leaves |= others.any(|one| one.frame == frame && one.leaves);
        self.generating.push(here);
        self.pass_on_leaving();
        Some(Value::None)
    }

    /// Gives the caller of the jit function itself an item; the function goes on when the next one is wanted.
    fn hand_over(&mut self, value: Value, range: TextRange) {
        if let Some((present, there, absent)) = split(&value) {
            self.either(
                &present,
                range,
                |t| {
                    t.hand_over(there, range);
                    Value::None
                },
                |t| {
                    t.hand_over(absent, range);
                    Value::None
                },
            );
            return;
        }
        if !self.program().options.unified {
            let diagnostic = self
                .wrong(
                    codes::GENERATOR,
                    "a function that yields runs where the host reaches the memory of the device",
                    range,
                    "its caller would not see what it changes",
                )
                .help("store the values in an array");
            self.report(diagnostic);
            return;
        }
        // The caller sees lists as they are, and may change them.
        let mut lists: Vec<Value> = self
            .program()
            .lists
            .iter()
            .map(|(_, one)| one.clone())
            .collect();
        each_part(&value, &mut |part| lists.push(part.clone()));
        let turned = lists
            .iter()
            .filter(|list| self.make_python_list(list))
            .count();
        if turned > 0 {
            return;
        }
        // It sees what was done so far, too.
        self.flush();
        let given = [(value, range)];
        self.python_call(HAND_OVER, &given, &[], Some(ObjectType::None), range);
    }

    /// `yield from values`.
    pub fn yield_all(&mut self, values: &Expr, is_wanted: bool) -> Option<Value> {
        if !self.is_generating() && self.frames.len() > 1 {
            return None;
        }
        let range = values.range();
        let name = self.temporary();
        self.frame().locals.insert(name.clone());
        let item = load(&name, range);
        let body = Stmt::Expr(StmtExpr {
            node_index: Default::default(),
            range,
            value: Box::new(Expr::Yield(ExprYield {
                node_index: Default::default(),
                range,
                value: Some(Box::new(item)),
            })),
        });
        let whole = StmtFor {
            node_index: Default::default(),
            range,
            is_async: false,
            target: Box::new(store(&name, range)),
            iter: Box::new(values.clone()),
            body: std::iter::once(body).collect(),
            orelse: Default::default(),
        };
        if !is_wanted {
            self.for_loop(&whole);
            return Some(Value::None);
        }
        // What it gives is what the generator returns.
        let value = self.expr(values);
        let Value::Generator(generator, given) = value else {
            let held = self.hold(value, range);
            let over = StmtFor {
                iter: Box::new(load(&held, range)),
                ..whole
            };
            self.for_loop(&over);
            return Some(Value::None);
        };
        let result = self.temporary();
        self.frame().locals.insert(result.clone());
        self.loop_over_generator(&whole, &generator, &given, Over::Result(&result));
        let given = self.expr(&load(&result, range));
        self.scope().shift_remove(&result);
        Some(given)
    }

    /// `return` of a generator; false if it is of something else.
    pub fn return_from_generator(&mut self) -> bool {
        if !self.is_generating() {
            return false;
        }
        let Some(left) = self.generating.last_mut().map(|one| {
            one.leaves = true;
            one.left
        }) else {
            return false;
        };
        let yes = self.b.literal(Literal::Bool(true));
        self.b.set(left, yes);
        self.note_break();
        self.loop_edge();
        self.b.push(StatementKind::Break);
        self.frame().live = false;
        true
    }

    /// After a loop of a generator, or after a turn of the loop over it: goes on leaving.
    pub fn pass_on_leaving(&mut self) {
        if !self.is_generating() || !self.live() {
            return;
        }
        let loops = self.frame().loops.len();
        let Some(left) = self
            .generating
            .last()
            .filter(|one| one.leaves && loops >= one.loops)
            .map(|one| one.left)
        else {
            return;
        };
        self.flush();
        let over = self.b.get(left);
        let before = self.scope().clone();
        self.b.begin_if(over);
        self.note_break();
        self.loop_edge();
        self.b.push(StatementKind::Break);
        self.b.end();
        *self.scope() = before;
    }
}

fn each_part(value: &Value, visit: &mut dyn FnMut(&Value)) {
    visit(value);
    if let Value::Tuple(items) = value {
        items.iter().for_each(|item| each_part(item, visit));
    }
}
