//! Loops over generators: the body of the loop takes the place of `yield`.
//!
//! The statements of the generator are translated in the frame of the loop, under names of their own, in
//! a loop of one turn. `break` in the body of the loop, and `return` in the generator, leave all loops of
//! the generator one by one, with a test after each.

use crate::FunctionId;
use crate::calls::Arguments;
use crate::codes;
use crate::host::liveness::Liveness;
use crate::host::nested_functions::Closure;
use crate::objects::optional_values::split;
use crate::parse::Parsed;
use crate::program::ObjectType;
use crate::syntax;
use crate::translate::Translator;
use crate::value::Value;
use colocate_ir::{DType, Literal, StatementKind, VariableId};
use ruff_python_ast::name::Name;
use ruff_python_ast::visitor::transformer::{Transformer, walk_expr as change_expr};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprYield, Stmt, StmtExpr, StmtFor, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;
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

/// Whether a function yields.
pub(crate) fn yields(def: &StmtFunctionDef) -> bool {
    struct Finder(bool);
    impl<'a> Visitor<'a> for Finder {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if !matches!(statement, Stmt::FunctionDef(_) | Stmt::ClassDef(_)) {
                walk_stmt(self, statement);
            }
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Yield(_) | Expr::YieldFrom(_) => self.0 = true,
                Expr::Lambda(_) => {}
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut finder = Finder(false);
    def.body
        .iter()
        .for_each(|statement| finder.visit_stmt(statement));
    finder.0
}

/// Names as they are called in the frame of a loop.
pub(crate) struct Renamer {
    pub names: HashSet<String>,
    pub prefix: String,
}

impl Renamer {
    fn renamed(&self, name: &str) -> Name {
        Name::new(format!("{}{name}", self.prefix))
    }
}

impl Transformer for Renamer {
    fn visit_expr(&self, expr: &mut Expr) {
        if let Expr::Name(name) = expr
            && self.names.contains(name.id.as_str())
        {
            name.id = self.renamed(name.id.as_str());
        }
        change_expr(self, expr);
    }
}

/// Whether a body has functions, handlers with names and the like, whose names are not expressions.
fn has_other_names(body: &[Stmt]) -> bool {
    struct Finder(bool);
    impl<'a> Visitor<'a> for Finder {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::FunctionDef(_)
                | Stmt::ClassDef(_)
                | Stmt::Import(_)
                | Stmt::ImportFrom(_)
                | Stmt::Global(_)
                | Stmt::Nonlocal(_)
                | Stmt::Try(_)
                | Stmt::Match(_) => self.0 = true,
                _ => walk_stmt(self, statement),
            }
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            match expr {
                Expr::Lambda(_) => self.0 = true,
                _ => walk_expr(self, expr),
            }
        }
    }
    let mut finder = Finder(false);
    body.iter().for_each(|one| finder.visit_stmt(one));
    finder.0
}

/// Whether a statement is a `while True` that nothing leaves.
fn is_endless_loop(statement: &Stmt) -> bool {
    let Stmt::While(s) = statement else {
        return false;
    };
    struct Ways(bool);
    impl<'a> Visitor<'a> for Ways {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::Break(_) | Stmt::Return(_) | Stmt::Raise(_) | Stmt::Assert(_) => {
                    self.0 = true;
                }
                Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
                _ => walk_stmt(self, statement),
            }
        }
    }
    let mut ways = Ways(false);
    s.body.iter().for_each(|one| ways.visit_stmt(one));
    let always = match &*s.test {
        Expr::BooleanLiteral(e) => e.value,
        Expr::NumberLiteral(e) => matches!(
            &e.value,
            ruff_python_ast::Number::Int(number) if number.as_u64() == Some(1)
        ),
        _ => false,
    };
    always && !ways.0
}

/// The names that statements read.
pub(crate) fn names_read(body: &[Stmt]) -> HashSet<String> {
    struct Reads(HashSet<String>);
    impl<'a> Visitor<'a> for Reads {
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Name(name) = expr {
                self.0.insert(name.id.to_string());
            }
            walk_expr(self, expr);
        }
    }
    let mut reads = Reads(HashSet::new());
    body.iter().for_each(|one| reads.visit_stmt(one));
    reads.0
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

    /// Whether a generator gives items for ever.
    pub fn gives_items_for_ever(&mut self, generator: &Generator) -> bool {
        self.parse(generator.function)
            .is_some_and(|(parsed, _)| parsed.def.body.iter().any(is_endless_loop))
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
    pub fn loop_over_generator(&mut self, s: &StmtFor, generator: &Generator, given: &[Value]) {
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
        if clash || busy || !s.orelse.is_empty() || has_other_names(&def.body) {
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
    pub fn yield_all(&mut self, values: &Expr) -> Option<Value> {
        if !self.is_generating() && self.frames.len() > 1 {
            return None;
        }
        let range = values.range();
        let name = self.temporary();
        self.frame().locals.insert(name.clone());
        let item = crate::objects::syntax_building::load(&name, range);
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
            target: Box::new(crate::objects::syntax_building::store(&name, range)),
            iter: Box::new(values.clone()),
            body: std::iter::once(body).collect(),
            orelse: Default::default(),
        };
        self.for_loop(&whole);
        Some(Value::None)
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
