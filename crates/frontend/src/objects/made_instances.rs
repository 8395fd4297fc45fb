//! Objects of classes of the program's own that the program makes.
//!
//! While nobody assigns to attributes of a class's objects after `__init__`, such an object is its attributes, like a
//! named tuple. Otherwise it is known by a number, and its attributes are variables of the function that made it, which
//! its callers take over (`host/nested_functions`): so all names of an object see what is assigned.

use crate::Usage;
use crate::calls::Arguments;
use crate::codes;
use crate::host::nested_functions::MOVED;
use crate::objects::python_objects::helper;
use crate::scope::Binding;
use crate::translate::Translator;
use crate::value::{NamedTuple, Value};
use ruff_python_ast::{Expr, ExprAttribute, ExprCall, StmtAugAssign};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// How many objects of one class may be inside one another as their attributes.
const MOST_NESTED: usize = 3;

/// An object that is known by a number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Made {
    /// What the environment is asked about its class with.
    pub class: u32,
    /// Its class as a namespace.
    namespace: u32,
    pub name: String,
    number: u32,
}

impl Made {
    /// What the program calls its class by.
    pub fn class_itself(&self) -> Value {
        Value::Module {
            handle: self.namespace,
            name: self.name.clone(),
        }
    }

    fn variable(&self, attribute: &str) -> String {
        format!("{attribute}{MOVED}{}", self.number)
    }

    /// What is known of an attribute from its beginning, for all objects of the class.
    fn place(&self, attribute: &str) -> ((u32, u32), String) {
        ((u32::MAX, self.namespace), attribute.to_string())
    }
}

/// Methods by which a class says what a copy of one of its objects is.
const ASKED_FOR_COPIES: [&str; 8] = [
    "__copy__",
    "__deepcopy__",
    "__getnewargs__",
    "__getnewargs_ex__",
    "__getstate__",
    "__reduce__",
    "__reduce_ex__",
    "__setstate__",
];

impl Translator<'_> {
    /// `Class(...)`; nothing if the namespace is no class whose objects can be made.
    pub fn instantiate(
        &mut self,
        namespace: u32,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if !self.is_program() || self.objects_in_python {
            return None;
        }
        let class = self.env.made_class(namespace, &[])?;
        self.made_variables = true;
        if self.level() > 0 {
            return Some(self.hinder("it makes an object"));
        }
        let made = Rc::new(Made {
            class,
            namespace,
            name: name.to_string(),
            number: self.fresh(),
        });
        let this = Value::Instance(made.clone());
        match self.env.class_attribute(class, "__init__") {
            Some((Usage::Method, init)) => {
                let init = self.captured_value(&init);
                if !matches!(init, Value::Function(_)) {
                    return None;
                }
                let mut given = arguments.positional.clone();
                given.insert(0, (this.clone(), range));
                let given = Arguments {
                    positional: given,
                    keywords: arguments.keywords.clone(),
                };
                let result = self.call_value(&init, &given, range, range, None);
                if result.is_poison() {
                    return Some(result);
                }
            }
            _ if arguments.positional.is_empty() && arguments.keywords.is_empty() => {}
            _ if arguments.positional.is_empty()
                && self
                    .env
                    .class_attribute(class, "<takes attributes>")
                    .is_some() =>
            {
                for (name, value, place) in &arguments.keywords {
                    self.set_attribute(&made, name, value.clone(), *place);
                }
            }
            _ => return None,
        }
        if self.changing_classes.contains(&namespace) {
            return Some(this);
        }
        let value = self.as_attributes(&made)?;
        self.frame().scope.retain(|name, _| !made.has(name));
        Some(value)
    }

    /// An object as its attributes.
    pub fn as_attributes(&mut self, made: &Made) -> Option<Value> {
        let suffix = made.variable("");
        let mut fields: Vec<String> = Vec::new();
        for frame in &self.frames {
            let own = frame
                .scope
                .keys()
                .filter_map(|name| name.strip_suffix(&suffix));
            fields.extend(own.map(str::to_string));
        }
        let handle = self.env.made_class(made.namespace, &fields)?;
        let items = fields.iter().map(|field| self.made_attribute(made, field));
        let items = items.collect::<Option<Vec<_>>>()?;
        if items
            .iter()
            .any(|item| self.nesting(item, made) > MOST_NESTED)
        {
            // Nodes of a tree, in which there is no end of such objects.
            self.wants_objects_in_python = true;
        }
        self.made_classes.insert(handle, made.namespace);
        let class = NamedTuple {
            handle,
            name: made.name.clone(),
            fields,
            list: None,
            own_axes: None,
            is_instance: true,
        };
        Some(Value::Named(Rc::new(class), items))
    }

    /// How many objects of a class are inside one another.
    fn nesting(&self, value: &Value, made: &Made) -> usize {
        match value {
            Value::Optional(inner, _) => self.nesting(inner, made),
            Value::Named(class, items) => {
                let inside = items.iter().map(|item| self.nesting(item, made)).max();
                let own = self.made_classes.get(&class.handle) == Some(&made.namespace);
                usize::from(own) + inside.unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// What `copy.copy` and `copy.deepcopy` give for an object: another one of the same class with the same attributes.
    pub fn copied_object(&mut self, how: &str, arguments: &Arguments, range: TextRange) -> Value {
        let [(value, _)] = &arguments.positional[..] else {
            return Value::Poison;
        };
        if value.is_poison() {
            return Value::Poison;
        }
        let copy = match how {
            "copied_object" => self.copied_instance(value, false, range),
            "deepcopied_object" => self.copied_instance(value, true, range),
            _ => None,
        };
        if let Some(copy) = copy {
            return copy;
        }
        let what = value.describe();
        let text = format!("{what} cannot be copied here");
        let diagnostic = self
            .wrong(codes::FUNCTION, text, range, "")
            .help("make a new one, and give it what the other one has");
        self.report(diagnostic)
    }

    /// A copy of an object that the program has made; nothing if it is another, or holds what would have to be copied.
    fn copied_instance(&mut self, value: &Value, deep: bool, range: TextRange) -> Option<Value> {
        match value {
            Value::Instance(made) => {
                let Some(Value::Named(class, items)) = self.as_attributes(made) else {
                    return None;
                };
                let is_immutable = |item: &Value| match item {
                    Value::Scalar(_) | Value::Str(_) | Value::None | Value::Function(_) => true,
                    _ => !deep,
                };
                if !items.iter().all(is_immutable) || self.says_how_to_copy(class.handle) {
                    return None;
                }
                let copy = Rc::new(Made {
                    number: self.fresh(),
                    ..(**made).clone()
                });
                for (name, item) in class.fields.iter().zip(items) {
                    self.set_attribute(&copy, name, item, range);
                }
                Some(Value::Instance(copy))
            }
            Value::Named(class, items)
                if class.is_instance && class.fields.is_empty() && items.len() == 1 =>
            {
                self.copied_by_python(value, deep, range)
            }
            Value::Object(_) => self.copied_by_python(value, deep, range),
            // Two objects are told apart by their numbers.
            Value::Named(class, _) => {
                let namespace = *self.made_classes.get(&class.handle)?;
                self.changing_classes.insert(namespace);
                self.again = true;
                Some(Value::Poison)
            }
            _ => None,
        }
    }

    /// Whether a class has a method that the functions of `copy` ask.
    fn says_how_to_copy(&mut self, class: u32) -> bool {
        ASKED_FOR_COPIES
            .iter()
            .any(|name| self.env.class_attribute(class, name).is_some())
    }

    /// A copy of an object of Python's own.
    fn copied_by_python(&mut self, value: &Value, deep: bool, range: TextRange) -> Option<Value> {
        let function = match deep {
            true => "deepcopied",
            false => "copied",
        };
        let kind = self.object_type_of(value)?;
        let given = [(value.clone(), range)];
        Some(self.python_call(&helper(function), &given, &[], Some(kind), range))
    }

    /// A value with all objects in it as their attributes, for who only looks at it.
    pub fn with_attributes(&mut self, value: Value) -> Value {
        match value {
            Value::Instance(made) => match self.as_attributes(&made) {
                Some(value) => self.with_attributes(value),
                None => Value::Instance(made),
            },
            Value::Tuple(items) => {
                let items = items.into_iter().map(|item| self.with_attributes(item));
                Value::Tuple(items.collect())
            }
            Value::Named(class, items) => {
                let items = items.into_iter().map(|item| self.with_attributes(item));
                Value::Named(class, items.collect())
            }
            other => other,
        }
    }

    /// Whether a value is an object that the program makes, and nothing but its attributes.
    pub fn is_its_attributes(&self, value: &Value) -> bool {
        match value {
            Value::Named(class, items) => {
                items.len() == class.fields.len() && self.made_classes.contains_key(&class.handle)
            }
            _ => false,
        }
    }

    /// An attribute of an object that is known by a number; nothing if it has no value.
    pub fn made_attribute(&mut self, made: &Made, name: &str) -> Option<Value> {
        let (position, variable) = self.variable_of_gone(made.number, name)?;
        if self.level() > 0 {
            return Some(self.hinder("it uses an object whose attributes change"));
        }
        if position < self.function_base {
            return Some(Value::Unsupported(
                "an object of the function around one that calls itself".into(),
            ));
        }
        let binding = self.frames[position].scope.get(&variable).cloned()?;
        if binding.unsure {
            return None;
        }
        let inner = self.frames.split_off(position + 1);
        let value = self.recall(&variable, &binding.value);
        self.frames.extend(inner);
        Some(value)
    }

    /// `object.name = value`; false if it is no such object.
    pub fn assign_made(&mut self, e: &ExprAttribute, value: &Value, range: TextRange) -> bool {
        if !self.is_program() || !is_path(&e.value) {
            return false;
        }
        let before = self.diagnostics.len();
        let base = self.expr(&e.value);
        if self.diagnostics.len() > before {
            return base.is_poison();
        }
        let name = e.attr.as_str();
        let object = match &base {
            Value::Optional(inner, _) => inner,
            other => other,
        };
        match object {
            Value::Instance(made) => {
                let made = made.clone();
                // Objects that are frozen get their attributes once.
                let first = self.variable_of_gone(made.number, name).is_none();
                let frozen = !first && self.is_special(made.class, "__setattr__");
                if frozen || self.is_special(made.class, name) || self.level() > 0 {
                    return false;
                }
                self.set_attribute(&made, name, value.clone(), range);
                true
            }
            Value::Named(class, _) => match self.made_classes.get(&class.handle) {
                Some(namespace) => {
                    self.changing_classes.insert(*namespace);
                    self.again = true;
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    /// Whether a class says itself what assigning to a name does.
    fn is_special(&mut self, class: u32, name: &str) -> bool {
        let found = self.env.class_attribute(class, name);
        match found {
            Some((Usage::Property, _)) => true,
            Some(_) => name == "__setattr__",
            None => false,
        }
    }

    fn set_attribute(&mut self, made: &Made, name: &str, value: Value, range: TextRange) {
        if value.is_poison() {
            return;
        }
        let site = self.site(range);
        let value = self.all_stored(value);
        let variable = made.variable(name);
        let owner = match self.variable_of_gone(made.number, name) {
            Some((owner, _)) => owner,
            None => self.frames.len() - 1,
        };
        if owner < self.function_base {
            let text = "an object outside a function that calls itself cannot be changed there";
            let diagnostic = self.wrong(codes::RECURSION, text, range, "");
            self.report(diagnostic);
            return;
        }
        let inside = self.is_inside(owner);
        let before = self.frames[owner].scope.get(&variable).cloned();
        let inner = self.frames.split_off(owner + 1);
        self.bind(&variable, value, site);
        if let Some(wide) = self.widened.get(&made.place(name)).cloned()
            && let Some(narrow) = self.scope().get(&variable).cloned()
        {
            let wide = self.join_bindings(&narrow, &Binding::new(wide, site));
            self.convert_binding(&variable, &narrow.value, &wide.value);
            self.scope().insert(variable.clone(), wide);
        }
        if let Some(binding) = self.scope().get_mut(&variable) {
            crate::host::nested_functions::forget(&mut binding.value);
        }
        let now = self.scope().get(&variable).cloned();
        let fits = match (&before, &now) {
            (Some(before), Some(now)) if inside => {
                self.fit_outer(&variable, before, now, made.place(name))
            }
            _ => true,
        };
        self.frames.extend(inner);
        if !fits {
            let text = format!("the type of the attribute `{name}` would depend on the path taken");
            let diagnostic = self
                .wrong(
                    codes::CONFLICT,
                    text,
                    range,
                    "it becomes something else here",
                )
                .help("give it a value of this type in `__init__`");
            self.report(diagnostic);
        }
    }

    /// `object.name op= value`; false if it is no such object.
    pub fn augmented_made(&mut self, e: &ExprAttribute, s: &StmtAugAssign) -> bool {
        if !self.is_program() || !is_path(&e.value) {
            return false;
        }
        let before = self.diagnostics.len();
        let base = self.expr(&e.value);
        if self.diagnostics.len() > before {
            return base.is_poison();
        }
        let known = match &base {
            Value::Instance(_) => true,
            Value::Named(class, _) => self.made_classes.contains_key(&class.handle),
            _ => false,
        };
        if !known {
            return false;
        }
        let current = self.attribute_of(&base, e.attr.as_str(), e.range(), e.range());
        let value = self.expr(&s.value);
        if self.updated_in_place(&current, s.op, &value, s.range()) {
            return true;
        }
        if let Value::View(view) = &current
            && view.rank() > 0
        {
            let value = self.items_as_array(&value, s.value.range());
            self.array_update(&current, s.op, &value, s.range());
            return true;
        }
        let result = match is_instance(&current) {
            true => self.updated_instance(&current, s.op, &value, s.range()),
            false => self.binary(s.op, &current, &value, s.range()),
        };
        if !result.is_poison() {
            self.assign(&s.target, result, s.range());
        }
        true
    }

    /// `super().method(...)`; nothing if it is another call.
    pub fn call_of_base(&mut self, e: &ExprCall) -> Option<Value> {
        let Expr::Attribute(method) = &*e.func else {
            return None;
        };
        let Expr::Call(of) = &*method.value else {
            return None;
        };
        if !matches!(&*of.func, Expr::Name(name) if name.id == "super") {
            return None;
        }
        let function = self.frame().function;
        let (parsed, _) = self.parsed.get(&function)?;
        let first = parsed.def.parameters.iter_non_variadic_params().next()?;
        let first = first.name().to_string();
        if !of.arguments.is_empty() {
            // `super(Class, self)` with what the brackets would be without.
            let class = self.env.function(function).class.clone()?;
            let named = |at: usize, name: &str| matches!(of.arguments.args.get(at), Some(Expr::Name(one)) if one.id == name);
            let as_without = of.arguments.len() == 2 && named(0, &class) && named(1, &first);
            if !as_without || self.scope().contains_key(&class) {
                return None;
            }
        }
        let binding = self.scope().get(&first).cloned()?;
        let this = self.recall(&first, &binding.value);
        let class = match &this {
            Value::Instance(made) => made.class,
            Value::Named(class, _) if class.is_instance => class.handle,
            _ => return None,
        };
        let name = method.attr.as_str();
        let range = e.range();
        let Some(found) = self.env.base_method(class, function, name) else {
            // `object` has an `__init__` that does nothing.
            return (name == "__init__" && e.arguments.is_empty()).then_some(Value::None);
        };
        let found = self.captured_value(&found);
        let arguments = self.arguments(&found, e);
        let Some(mut arguments) = arguments else {
            return Some(Value::Poison);
        };
        arguments.positional.insert(0, (this, range));
        Some(self.call_value(&found, &arguments, range, range, None))
    }
}

impl Translator<'_> {
    /// An object that the program has made is put into one of Python's. If a variable may still be read that holds it,
    /// too, it has to be one of Python's itself: there would be two else.
    pub fn give_away(&mut self, value: &Value) {
        if self.objects_in_python || !self.is_made(value) {
            return;
        }
        for frame in &self.frames {
            let at = frame.open.last().copied().unwrap_or(0);
            let read_later = |name: &str| {
                let known = frame.liveness.as_ref();
                known.is_none_or(|liveness| liveness.after(at, name))
            };
            let mut held = frame.scope.iter();
            if held.any(|(name, one)| self.is_made(&one.value) && read_later(name)) {
                self.wants_objects_in_python = true;
                return;
            }
        }
    }

    /// Whether a value is, or holds, an object that is variables of the program.
    pub fn is_made(&self, value: &Value) -> bool {
        match value {
            Value::Instance(_) => true,
            Value::Optional(inner, _) => self.is_made(inner),
            Value::Tuple(items) => items.iter().any(|item| self.is_made(item)),
            Value::Named(class, items) => {
                self.made_classes.contains_key(&class.handle) && items.len() == class.fields.len()
                    || items.iter().any(|item| self.is_made(item))
            }
            _ => false,
        }
    }
}

impl Made {
    fn has(&self, variable: &str) -> bool {
        variable.ends_with(&self.variable(""))
    }
}

/// Whether a value is an object of a class of the program's own.
pub(crate) fn is_instance(value: &Value) -> bool {
    match value {
        Value::Instance(_) => true,
        Value::Named(class, _) => class.is_instance,
        _ => false,
    }
}

/// Whether looking at an expression twice does nothing.
pub(crate) fn is_path(e: &Expr) -> bool {
    match e {
        Expr::Name(_) => true,
        Expr::Attribute(e) => is_path(&e.value),
        Expr::Subscript(e) => is_path(&e.value) && (is_path(&e.slice) || e.slice.is_literal_expr()),
        _ => false,
    }
}
