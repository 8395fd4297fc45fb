//! Functions inside functions, lambdas, and imports inside functions.

use crate::calls::Arguments;
use crate::host::remembered_results::{remembers, with_dictionary};
use crate::parse::Parsed;
use crate::scope::{Binding, same_types};
use crate::translate::Translator;
use crate::unset_variables::HAS;
use crate::value::Value;
use crate::{Captured, FunctionId, codes};
use colocate_diag::Site;
use ruff_python_ast::{
    Expr, ExprDict, ExprLambda, Identifier, Stmt, StmtFunctionDef, StmtImport, StmtImportFrom,
    StmtReturn,
};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// A function that was defined inside another.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub function: FunctionId,
    /// The frame it was defined in.
    pub frame: u32,
    /// What the variables of that frame held then, for when the frame is gone.
    pub kept: Kept,
    /// What the function around that one was defined with.
    pub outer: Option<Rc<Closure>>,
}

/// Variables and what they hold.
pub(crate) type Kept = Vec<(String, Value)>;

impl Closure {
    /// One that was given to a function on its own, with what it reads.
    pub fn given(function: FunctionId, kept: Kept) -> Closure {
        Closure {
            function,
            frame: GIVEN,
            kept,
            outer: None,
        }
    }

    /// The same function where the one around it may have been left in either of two ways. Arrays and the like must
    /// be the same on both; of numbers it is known when the program runs which they are.
    pub fn joined(&self, other: &Closure) -> Closure {
        let kept = other.kept.iter().map(|(name, value)| {
            let Some((_, known)) = self.kept.iter().find(|(one, _)| one == name) else {
                return (name.clone(), value.clone());
            };
            let (known_leaves, mut value) = (known.leaves(), value.clone());
            let is_one = same_types(known, &value)
                && known_leaves
                    .iter()
                    .zip(value.leaves())
                    .all(|(a, b)| a.weak == b.weak);
            let mut leaves = known_leaves.iter();
            value.for_each_leaf(&mut |leaf| {
                leaf.know = leaves
                    .next()
                    .map_or(leaf.know, |known| known.know.join(leaf.know));
                leaf.ir = None;
            });
            if !is_one {
                let what = "a variable that depends on how the function around was left";
                value = Value::Unsupported(what.into());
            }
            (name.clone(), value)
        });
        Closure {
            kept: kept.collect(),
            ..other.clone()
        }
    }
}

impl PartialEq for Closure {
    fn eq(&self, other: &Closure) -> bool {
        self.function == other.function && self.frame == other.frame
    }
}

/// Between the name of a variable and the number of the frame that it was one of.
pub(crate) const MOVED: &str = " of frame ";

/// The frame of functions that were given to a function on its own.
pub(crate) const GIVEN: u32 = u32::MAX;

/// Numbers of functions inside functions begin here; the environment's own are below.
const FIRST_NESTED: u32 = 1 << 30;

/// Whether a decorator is one of those that compile a function or remember what it gave: what it gives is the same.
fn says_how_to_compile(decorator: &Expr) -> bool {
    if remembers(decorator) {
        return true;
    }
    let named = match decorator {
        Expr::Call(call) => &*call.func,
        other => other,
    };
    let name = match named {
        Expr::Name(name) => name.id.as_str(),
        Expr::Attribute(attribute) => attribute.attr.as_str(),
        _ => return false,
    };
    matches!(name, "jit" | "njit" | "wraps")
}

impl Translator<'_> {
    /// The function whose globals and closure names are looked up in.
    pub fn surroundings(&mut self) -> FunctionId {
        let function = self.frame().function;
        self.nested.get(&function).copied().unwrap_or(function)
    }

    /// A number for a function inside a function.
    pub fn nested_number(&mut self) -> FunctionId {
        FunctionId(FIRST_NESTED + self.nested.len() as u32)
    }

    /// `def` inside a function.
    pub fn nested_function(&mut self, s: &StmtFunctionDef) {
        let remembered = match self.is_program() {
            true => with_dictionary(s),
            false => None,
        };
        let def = match remembered {
            Some((name, def)) => {
                let dictionary = self.expr(&Expr::Dict(ExprDict {
                    node_index: Default::default(),
                    range: s.name.range(),
                    items: Vec::new(),
                }));
                let site = self.site(s.name.range());
                self.bind(&name, dictionary, site);
                def
            }
            None => s.clone(),
        };
        let mut function = self.closure_of(def);
        for decorator in s.decorator_list.iter().rev() {
            if says_how_to_compile(&decorator.expression) {
                continue;
            }
            let range = decorator.range();
            if let Some(stencil) = self.decorated_stencil(&function, &decorator.expression) {
                function = stencil;
                continue;
            }
            let given = Arguments {
                positional: vec![(function, range)],
                keywords: Vec::new(),
            };
            let callee = self.expr(&decorator.expression);
            function = self.call_value(&callee, &given, range, range, None);
        }
        let site = self.site(s.name.range());
        self.bind(s.name.as_str(), function, site);
    }

    /// `lambda`.
    pub fn lambda(&mut self, e: &ExprLambda) -> Value {
        let def = definition(e);
        self.closure_of(def)
    }

    fn closure_of(&mut self, def: StmtFunctionDef) -> Value {
        self.keep_defaults(&def);
        let at = (self.frame().file, u32::from(def.range.start()));
        // The same text is the same function, however often it is gone through.
        let known = self.nested.keys().copied().find(|id| {
            self.parsed
                .get(id)
                .is_some_and(|(parsed, file)| (*file, u32::from(parsed.def.range.start())) == at)
        });
        let function = match known {
            Some(function) => function,
            None => {
                let function = self.nested_number();
                let surroundings = self.surroundings();
                let (file, shift) = (self.frame().file, self.frame().shift);
                self.nested.insert(function, surroundings);
                let parsed = Rc::new(Parsed { def, shift });
                self.parsed.insert(function, (parsed, file));
                function
            }
        };
        let kept = self.variables_now();
        let frame = self.frame().id;
        let outer = self.frame().closure.clone();
        Value::Closure(Rc::new(Closure {
            function,
            frame,
            kept,
            outer,
        }))
    }

    /// Computes the defaults of parameters, where the function is defined, and keeps them under names of their own.
    fn keep_defaults(&mut self, def: &StmtFunctionDef) {
        for parameter in def.parameters.iter_non_variadic_params() {
            let Some(default) = parameter.default().filter(|one| !is_literal(one)) else {
                continue;
            };
            let value = self.expr(default);
            let value = self.all_stored(value);
            let site = self.site(default.range());
            self.bind(&default_name(default), value, site);
        }
    }

    /// The default of a parameter of the function whose frame this is.
    pub fn default_of(&mut self, parameter: &str, default: &Expr) -> Value {
        if is_literal(default) {
            let function = self.frame().function;
            let given = match self.frame().closure.is_some() {
                true => None,
                // Somebody may have put another in its place.
                false => self.env.default_value(function, parameter),
            };
            return match given {
                Some(captured) if !default.is_bytes_literal_expr() => {
                    self.captured_value(&captured)
                }
                _ => self.expr(default),
            };
        }
        if let Some(value) = self.outer_variable(&default_name(default)) {
            return value;
        }
        // What Python has made of it, since the names in it may mean something else now.
        let new = is_written_down(default);
        let frame = self.frame();
        let (function, inside) = (frame.function, frame.closure.is_some());
        if inside {
            return self.expr(default);
        }
        match self.env.default_value(function, parameter) {
            // A new container each time, unless it is one that does not change.
            Some(captured) if new && !matches!(captured, Captured::Tuple(_)) => self.expr(default),
            Some(captured) => self.captured_value(&captured),
            // The names in it are the function's own surroundings.
            None => self.expr(default),
        }
    }

    /// A variable of the functions around a nested one.
    pub fn outer_variable(&mut self, name: &str) -> Option<Value> {
        let mut closure = self.frame().closure.clone();
        while let Some(around) = closure {
            let position = self
                .frames
                .iter()
                .position(|frame| frame.id == around.frame);
            if let Some(position) = position {
                if let Some(binding) = self.frames[position].scope.get(name).cloned() {
                    let leaves = binding.value.leaves();
                    let mut arrays = 0;
                    crate::scope::each_view(&mut binding.value.clone(), &mut |_| arrays += 1);
                    let varies = leaves.iter().any(|leaf| leaf.as_constant().is_none());
                    let lazy = matches!(binding.value, Value::List(_) | Value::Lazy(_));
                    if position < self.function_base && (varies || arrays > 0 || lazy) {
                        return Some(Value::Unsupported(
                            "a variable of the function around one that calls itself".into(),
                        ));
                    }
                    // Its IR variables are those of its own frame.
                    let inner = self.frames.split_off(position + 1);
                    let value = self.recall(name, &binding.value);
                    self.frames.extend(inner);
                    return Some(value);
                }
            } else if let Some((position, moved)) = self.variable_of_gone(around.frame, name) {
                if self.level() > 0 {
                    return Some(self.hinder("it uses a variable of a function that has ended"));
                }
                if position < self.function_base {
                    return Some(Value::Unsupported(
                        "a variable of the function around one that calls itself".into(),
                    ));
                }
                let binding = self.frames[position].scope.get(&moved).cloned()?;
                let inner = self.frames.split_off(position + 1);
                let value = self.recall(&moved, &binding.value);
                self.frames.extend(inner);
                return Some(value);
            } else if let Some((_, value)) = around.kept.iter().find(|(kept, _)| kept == name) {
                return Some(match value {
                    // What it reads is kept by the function that was given.
                    Value::Closure(inner) if inner.frame == GIVEN => {
                        Value::Closure(Rc::new(Closure {
                            outer: Some(around.clone()),
                            ..(**inner).clone()
                        }))
                    }
                    other => other.clone(),
                });
            }
            closure = around.outer.clone();
        }
        None
    }

    /// The frame of the function around whose variable a name is, and what it is called there.
    pub fn owner_of(&mut self, name: &str) -> Option<(usize, String)> {
        let mut closure = self.frame().closure.clone();
        while let Some(around) = closure {
            let position = self
                .frames
                .iter()
                .position(|frame| frame.id == around.frame);
            // Its parameters have their values, and may be assigned to nowhere in it.
            let is_own = |frame: &crate::translate::Frame| {
                frame.locals.contains(name) || frame.scope.contains_key(name)
            };
            if let Some(position) = position
                && is_own(&self.frames[position])
                && !self.frames[position].nonlocals.contains(name)
            {
                return Some((position, name.to_string()));
            }
            if position.is_none()
                && let Some(moved) = self.variable_of_gone(around.frame, name)
            {
                return Some(moved);
            }
            closure = around.outer.clone();
        }
        None
    }

    /// `nonlocal a, b`: nothing that is known of the variables now holds wherever they are read.
    pub fn nonlocal_statement(&mut self, s: &ruff_python_ast::StmtNonlocal) {
        let base = self.function_base;
        for name in &s.names {
            let owner = self.owner_of(name.as_str());
            match owner {
                Some((owner, own)) if owner >= base && self.level() == 0 => {
                    if let Some(binding) = self.frames[owner].scope.get_mut(&own) {
                        forget(&mut binding.value);
                    }
                }
                _ if self.level() > 0 => {
                    self.hinder("it changes a variable of the function around");
                }
                _ => {
                    let diagnostic = self
                        .wrong(
                            codes::GLOBAL,
                            format!("the variable `{name}` outside cannot be changed from here"),
                            name.range(),
                            "the function that it belongs to is not running here",
                        )
                        .help("return the new value");
                    self.report(diagnostic);
                }
            }
        }
    }

    /// Gives a variable of a function around a value.
    pub fn bind_outer(&mut self, name: &str, value: Value, site: Site) {
        if self.level() > 0 {
            self.hinder("it changes a variable of the function around");
            return;
        }
        let Some((owner, own)) = self.owner_of(name) else {
            return;
        };
        let value = self.all_stored(value);
        let inside = self.is_inside(owner);
        let before = self.frames[owner].scope.get(&own).cloned();
        let place = self.place_of_function();
        let inner = self.frames.split_off(owner + 1);
        self.bind(&own, value, site);
        if let Some(binding) = self.scope().get_mut(&own) {
            forget(&mut binding.value);
        }
        let now = self.scope().get(&own).cloned();
        let fits = match (&before, &now) {
            (Some(before), Some(now)) if inside => {
                self.fit_outer(&own, before, now, (place, name.to_string()))
            }
            (None, _) => !inside,
            _ => true,
        };
        self.frames.extend(inner);
        if !fits {
            let diagnostic = crate::Diagnostic::new(
                codes::CONFLICT,
                format!("the type of `{name}`, a variable of the function around, would depend on the path taken"),
            )
            .at(site.file as usize, site.span, "it becomes something else here")
            .help("give it a value of this type before the function is called");
            self.report(diagnostic);
        }
    }

    /// Whether functions called from a frame are in something that may happen often or never.
    pub fn is_inside(&self, owner: usize) -> bool {
        let mut inner = self.frames[owner + 1..].iter();
        inner.any(|frame| frame.open.len() > 1 || !frame.loops.is_empty())
    }

    /// Makes a variable what it was before, of which its new value may be another: its type does not depend on the
    /// path taken. If that is not possible it is what both are from its beginning, in the next translation.
    pub fn fit_outer(
        &mut self,
        name: &str,
        before: &Binding,
        now: &Binding,
        place: ((u32, u32), String),
    ) -> bool {
        if crate::scope::same_types(&before.value, &now.value) {
            return true;
        }
        let mut both = self.join_bindings(before, now);
        forget(&mut both.value);
        let fits = crate::scope::same_types(&before.value, &both.value);
        if fits {
            self.convert_binding(name, &now.value, &both.value);
            self.scope().insert(name.to_string(), both);
            return true;
        }
        // Whoever is translated again finds it as it was.
        self.scope().insert(name.to_string(), before.clone());
        if !is_number(&both.value) {
            return false;
        }
        self.widened.insert(place, both.value);
        self.again = true;
        true
    }

    /// Where the function whose frame this is was written.
    fn place_of_function(&mut self) -> (u32, u32) {
        let (file, function) = (self.frame().file, self.frame().function);
        let start = self.parsed.get(&function).map(|(one, _)| one.def.start());
        (file as u32, start.unwrap_or_default().into())
    }

    /// What a variable is from its beginning, because functions inside its own make it that; nothing if it is what it
    /// is given.
    pub fn widened_type(&mut self, name: &str) -> Option<Value> {
        if self.widened.is_empty() {
            return None;
        }
        let (file, function) = (self.frame().file, self.frame().function);
        let around = self.parsed.get(&function)?.0.def.range();
        let mut all = self.widened.iter();
        let found = all.find(|(((of, start), known), _)| {
            *of as usize == file && known == name && around.contains((*start).into())
        });
        found.map(|(_, value)| value.clone())
    }

    /// The variables of the function that ends here that functions inside it change: those may outlive it.
    pub fn leaving_variables(&mut self, parsed: &Parsed) -> Vec<(String, Value, Site)> {
        let changed = crate::syntax::changed_inside(&parsed.def.body);
        let id = self.frame().id;
        let mut leaving = Vec::new();
        let bindings: Vec<_> = self.scope().clone().into_iter().collect();
        for (name, binding) in bindings {
            // What has a value only sometimes is not there for others.
            if binding.unsure {
                continue;
            }
            let moved = match name.split_once(MOVED) {
                Some(_) => name.clone(),
                None if changed.contains(&name) => format!("{name}{MOVED}{id}"),
                None => continue,
            };
            let value = self.recall(&name, &binding.value);
            leaving.push((moved, self.all_stored(value), binding.site));
        }
        leaving
    }

    /// What the function gives that ends here: functions of its own see its variables wherever they were defined in it.
    pub fn with_last_variables(&mut self, value: Value) -> Value {
        self.each_own_closure(value, &mut |t, closure| {
            let kept = closure.kept.iter();
            let kept = kept.map(|(name, value)| (name.clone(), t.recall(name, value)));
            kept.collect()
        })
    }

    /// What the variables of this frame hold, for the functions that are defined in it.
    pub fn variables_now(&mut self) -> Kept {
        let names: Vec<(String, Binding)> = self
            .scope()
            .iter()
            .filter(|(name, _)| !name.starts_with('%'))
            .map(|(name, binding)| (name.clone(), binding.clone()))
            .collect();
        let mut kept = Vec::new();
        for (name, binding) in &names {
            if matches!(binding.value, Value::Conflict(_) | Value::Poison) {
                continue;
            }
            kept.push((name.clone(), self.recall(name, &binding.value)));
            if let Some(has) = self.has_value(name, binding) {
                kept.push((format!("{HAS}{name}"), has.into()));
            }
        }
        kept
    }

    /// A value in which the functions of this frame keep something else.
    pub fn each_own_closure(
        &mut self,
        value: Value,
        keep: &mut dyn FnMut(&mut Self, &Closure) -> Kept,
    ) -> Value {
        match value {
            Value::Closure(closure) if closure.frame == self.frame().id => {
                let kept = keep(self, &closure);
                Value::Closure(Rc::new(Closure {
                    kept,
                    ..(*closure).clone()
                }))
            }
            Value::Tuple(items) => {
                let items = items.into_iter();
                Value::Tuple(
                    items
                        .map(|item| self.each_own_closure(item, keep))
                        .collect(),
                )
            }
            Value::Choice(options, which) => {
                let options = options.iter().cloned();
                let options = options.map(|option| self.each_own_closure(option, keep));
                Value::Choice(options.collect(), which)
            }
            other => other,
        }
    }

    /// Makes them variables of the function that called it.
    pub fn take_variables(&mut self, leaving: Vec<(String, Value, Site)>) {
        for (name, value, site) in leaving {
            self.bind(&name, value, site);
            if let Some(binding) = self.scope().get_mut(&name) {
                forget(&mut binding.value);
            }
        }
    }

    /// Where a variable of a function that has ended is now.
    pub fn variable_of_gone(&self, frame: u32, name: &str) -> Option<(usize, String)> {
        let moved = format!("{name}{MOVED}{frame}");
        let position = self
            .frames
            .iter()
            .rposition(|frame| frame.scope.contains_key(&moved))?;
        Some((position, moved))
    }

    /// Whether a nested function means a variable of the function around it by a name that it also
    /// assigns to.
    pub fn is_outer_name(&mut self, name: &str) -> bool {
        let function = self.frame().function;
        let Some((parsed, _)) = self.parsed.get(&function).cloned() else {
            return false;
        };
        parsed.def.body.iter().any(|statement| match statement {
            Stmt::Nonlocal(s) => s.names.iter().any(|one| one.as_str() == name),
            _ => false,
        })
    }

    /// `import a.b as c`.
    pub fn import_statement(&mut self, s: &StmtImport) {
        for alias in &s.names {
            let full = alias.name.as_str();
            let (path, name) = match &alias.asname {
                Some(name) => (full, name.as_str()),
                None => {
                    let first = full.split('.').next().unwrap_or(full);
                    (first, first)
                }
            };
            self.bind_import(path, None, name, alias.range());
        }
    }

    /// `from a import b as c`.
    pub fn import_from(&mut self, s: &StmtImportFrom) {
        let module = s.module.as_ref().map_or("", |module| module.as_str());
        for alias in &s.names {
            let name = alias.asname.as_ref().unwrap_or(&alias.name);
            self.bind_import(
                module,
                Some(alias.name.as_str()),
                name.as_str(),
                alias.range(),
            );
        }
    }

    fn bind_import(&mut self, module: &str, item: Option<&str>, name: &str, range: TextRange) {
        let site = self.site(range);
        let found = self
            .env
            .import(module)
            .and_then(|found| match (item, found) {
                (None, found) => Some(found),
                (Some(item), Captured::Module { handle, .. }) => self.env.attribute(handle, item),
                _ => None,
            });
        let value = match found {
            Some(captured) => self.captured_value(&captured),
            None => {
                let diagnostic = self
                    .wrong(
                        codes::IMPORT,
                        format!("`{module}` cannot be imported in a jit function"),
                        range,
                        "",
                    )
                    .help("import it at the top of the file");
                self.report(diagnostic)
            }
        };
        self.bind(name, value, site);
    }
}

/// A lambda as the function that returns its body.
pub(crate) fn definition(e: &ExprLambda) -> StmtFunctionDef {
    let range = e.range();
    let body = Stmt::Return(StmtReturn {
        node_index: Default::default(),
        range: e.body.range(),
        value: Some(e.body.clone()),
    });
    StmtFunctionDef {
        node_index: Default::default(),
        range,
        is_async: false,
        decorator_list: Default::default(),
        name: Identifier::new("<lambda>", range),
        type_params: None,
        parameters: e.parameters.clone().unwrap_or_default(),
        returns: None,
        body: std::iter::once(body).collect(),
    }
}

/// Nothing is known of a value but its type.
/// Whether a value is a number, or a number or None.
fn is_number(value: &Value) -> bool {
    match value {
        Value::Scalar(_) => true,
        Value::Optional(inner, _) => is_number(inner),
        _ => false,
    }
}

pub(crate) fn forget(value: &mut Value) {
    value.for_each_leaf(&mut |leaf| {
        leaf.know = crate::value::Know::Any;
        leaf.ir = None;
    });
}

/// Whether an expression is the same wherever it stands.
pub(crate) fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::UnaryOp(e) => is_literal(&e.operand),
        other => other.is_literal_expr(),
    }
}

/// Whether it is a container of literals.
fn is_written_down(expr: &Expr) -> bool {
    let mut items: Box<dyn Iterator<Item = &Expr>> = match expr {
        Expr::List(e) => Box::new(e.elts.iter()),
        Expr::Set(e) => Box::new(e.elts.iter()),
        Expr::Tuple(e) => Box::new(e.elts.iter()),
        Expr::Dict(e) => Box::new(
            e.items
                .iter()
                .flat_map(|item| item.key.iter().chain([&item.value])),
        ),
        _ => return false,
    };
    items.all(|item| is_literal(item) || is_written_down(item))
}

fn default_name(default: &Expr) -> String {
    format!("%default{}", u32::from(default.range().start()))
}
