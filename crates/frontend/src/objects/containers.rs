//! Sets, dictionaries and lists of objects: where they are made.

use crate::calls::Arguments;
use crate::codes;
use crate::host::nested_functions::Closure;
use crate::objects::items::Item;
use crate::objects::named_values::written_names;
use crate::objects::python_objects::{INT, helper};
use crate::objects::tables::{is_function, table};
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::Value;
use colocate_ir::DType;
use ruff_python_ast::{
    Comprehension, DictItem, Expr, ExprContext, ExprSubscript, Stmt, StmtAssign,
};
use ruff_text_size::{Ranged, TextRange};

use crate::objects::syntax_building::load;

/// Classes that make containers of nothing.
const MADE_WITHOUT_ITEMS: [&str; 7] = [
    "Counter",
    "OrderedDict",
    "defaultdict",
    "deque",
    "dict",
    "list",
    "set",
];

/// Whether Python takes an expression for a constant.
fn is_constant(item: &Expr) -> bool {
    match item {
        Expr::NumberLiteral(_)
        | Expr::StringLiteral(_)
        | Expr::BooleanLiteral(_)
        | Expr::NoneLiteral(_)
        | Expr::EllipsisLiteral(_) => true,
        Expr::UnaryOp(e) => is_constant(&e.operand),
        Expr::BinOp(e) => is_constant(&e.left) && is_constant(&e.right),
        Expr::Tuple(e) => e.elts.iter().all(is_constant),
        _ => false,
    }
}

impl Translator<'_> {
    /// What a loop goes over: a set that is written there is never anything else.
    pub fn gone_over(&mut self, iterable: &Expr) -> Value {
        match iterable {
            Expr::Set(set) if self.is_program() => {
                let before = self.b.site;
                self.b.site = self.site(set.range());
                let how = match set.elts.iter().all(is_constant) {
                    true => "set_gone_over",
                    false => "set_of",
                };
                let made = self.set_of_items(&set.elts, how, set.range());
                self.b.site = before;
                made
            }
            other => self.expr(other),
        }
    }

    /// `{a, b}`. Python makes several constants a set of their own first, which others of that length are not laid
    /// out like: the order of the items shows it.
    pub fn set_display(&mut self, items: &[Expr], range: TextRange) -> Value {
        let how = match items.len() > 2 && items.iter().all(is_constant) {
            true => "set_written",
            false => "set_of",
        };
        self.set_of_items(items, how, range)
    }

    fn set_of_items(&mut self, items: &[Expr], how: &str, range: TextRange) -> Value {
        if items.iter().any(|item| matches!(item, Expr::Starred(_))) {
            let list = self.list_display(items, range);
            let arguments = Arguments {
                positional: vec![(list, range)],
                keywords: Vec::new(),
            };
            let made = self.container_function("set", &arguments, range);
            return made.unwrap_or(Value::Poison);
        }
        let mut given = Vec::new();
        let mut kind = ObjectType::Unknown;
        for item in items {
            let value = self.expr(item);
            if !self.join_item(&mut kind, &value, item.range()) {
                return Value::Poison;
            }
            given.push((value, item.range()));
        }
        let whole = ObjectType::Set(Box::new(kind));
        self.container(&helper(how), &given, whole, range)
    }

    /// `{a: b}`.
    pub fn dict_display(&mut self, items: &[DictItem], range: TextRange) -> Value {
        let mut given = Vec::new();
        let (mut keys, mut values) = (ObjectType::Unknown, ObjectType::Unknown);
        if let Some(names) = written_names(items) {
            let values = items.iter().map(|item| &item.value);
            let items: Vec<_> = names.into_iter().zip(values).collect();
            return self.dict_of_names(&items, range);
        }
        if items.iter().any(|item| item.key.is_none()) {
            return self.joined_dicts(items, range);
        }
        for item in items {
            let Some(key) = &item.key else {
                return Value::Poison;
            };
            let (key_value, value) = (self.expr(key), self.stored_item(&item.value));
            if !self.join_item(&mut keys, &key_value, key.range())
                || !self.join_item(&mut values, &value, item.value.range())
            {
                return Value::Poison;
            }
            given.push((key_value, key.range()));
            given.push((value, item.value.range()));
        }
        let whole = ObjectType::Dict(Box::new(keys), Box::new(values));
        self.container(&helper("dict_of"), &given, whole, range)
    }

    /// `{"name": a, "other": b}` and `dict(name=a, other=b)`, whose values may be of several types.
    pub fn dict_of_names(&mut self, items: &[(String, &Expr)], range: TextRange) -> Value {
        let mut given = Vec::new();
        let mut fields: Vec<(String, ObjectType)> = Vec::new();
        for (name, value) in items {
            let place = value.range();
            let value = self.stored_item(value);
            if given.is_empty() && is_function(&value) {
                return self.table_display(items, value);
            }
            let Some(kind) = self.put_kind(&value, place) else {
                return Value::Poison;
            };
            given.push((Value::Str(name.clone()), place));
            given.push((value, place));
            match fields.iter_mut().find(|(field, _)| field == name) {
                Some(field) => field.1 = kind,
                None => fields.push((name.clone(), kind)),
            }
        }
        let whole = ObjectType::Fields(fields);
        self.container(&helper("dict_of"), &given, whole, range)
    }

    /// `{"name": function, "other": function}`, whose first function is known.
    fn table_display(&mut self, items: &[(String, &Expr)], first: Value) -> Value {
        let mut fields = Vec::new();
        let mut first = Some(first);
        for (name, value) in items {
            let place = value.range();
            let value = first.take().unwrap_or_else(|| self.expr(value));
            if !is_function(&value) {
                self.put_kind(&fields.pop().map_or(value, |(_, one)| one), place);
                return Value::Poison;
            }
            fields.push((name.clone(), value));
        }
        table(fields)
    }

    /// A list that is an object, to be put into a container.
    fn list_object(&mut self, items: &[Expr], range: TextRange) -> Value {
        let mut given = Vec::new();
        let mut kind = ObjectType::Unknown;
        for item in items {
            let value = self.stored_item(item);
            if !self.join_item(&mut kind, &value, item.range()) {
                return Value::Poison;
            }
            given.push((value, item.range()));
        }
        let whole = ObjectType::List(Box::new(kind));
        self.container(&helper("list_of"), &given, whole, range)
    }

    /// What is put into a container: lists that are written down there are objects.
    pub fn stored_item(&mut self, value: &Expr) -> Value {
        match value {
            Expr::List(list) => self.list_object(&list.elts, value.range()),
            // A list in a tuple is held by the container as well.
            Expr::Tuple(tuple) if !tuple.elts.iter().any(Expr::is_starred_expr) => {
                let mut items: Vec<Value> = Vec::new();
                for item in &tuple.elts {
                    let kept = self.keep_values(items.iter(), item);
                    let value = self.stored_item(item);
                    self.take_back(kept, items.iter_mut());
                    items.push(value);
                }
                match items.iter().any(Value::is_poison) {
                    true => Value::Poison,
                    false => Value::Tuple(items),
                }
            }
            other => self.expr(other),
        }
    }

    fn join_item(&mut self, kind: &mut ObjectType, value: &Value, range: TextRange) -> bool {
        let Some(found) = self.put_kind(value, range) else {
            return false;
        };
        match kind.join(&found) {
            Some(joined) => {
                *kind = joined;
                true
            }
            None => {
                let diagnostic = self
                    .wrong(
                        codes::CONTAINER,
                        "the items of a container must be of one type in jit functions",
                        range,
                        format!("this is {found}, others are {kind}"),
                    )
                    .help("use a tuple, or several containers");
                self.report(diagnostic);
                false
            }
        }
    }

    /// `{item for target in iterable}`, `{key: value for ...}`.
    pub fn container_comprehension(
        &mut self,
        key: Option<&Expr>,
        item: &Expr,
        generators: &[Comprehension],
        range: TextRange,
    ) -> Value {
        let made = match key {
            Some(_) => self.dict_display(&[], range),
            None => self.set_display(&[], range),
        };
        if !matches!(made, Value::Object(_)) {
            return made;
        }
        self.collected_in(made, generators, range, |name| match key {
            None => crate::objects::comprehensions::method_statement(name, "add", item, range),
            Some(key) => Stmt::Assign(StmtAssign {
                node_index: Default::default(),
                range,
                targets: vec![Expr::Subscript(ExprSubscript {
                    node_index: Default::default(),
                    range,
                    value: Box::new(load(name, range)),
                    slice: Box::new(key.clone()),
                    ctx: ExprContext::Store,
                })],
                value: Box::new(item.clone()),
            }),
        })
    }

    /// `set(...)`, `frozenset(...)`, `dict(...)`; nothing if it is none of them.
    pub fn container_function(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let given = &arguments.positional[..];
        match (name, given) {
            ("set", []) => Some(self.set_display(&[], range)),
            ("frozenset", []) => {
                let kind = ObjectType::FrozenSet(Box::new(ObjectType::Unknown));
                Some(self.container("builtins.frozenset", &[], kind, range))
            }
            ("dict", []) => {
                let mut flat = Vec::new();
                let mut fields = Vec::new();
                for (keyword, value, place) in &arguments.keywords {
                    let Some(kind) = self.put_kind(value, *place) else {
                        return Some(Value::Poison);
                    };
                    fields.push((keyword.clone(), kind));
                    flat.push((Value::Str(keyword.clone()), *place));
                    flat.push((value.clone(), *place));
                }
                let kind = match fields.is_empty() {
                    true => ObjectType::of_fields(fields),
                    false => ObjectType::Fields(fields),
                };
                Some(self.container(&helper("dict_of"), &flat, kind, range))
            }
            ("set" | "frozenset", [(items, place)]) => {
                let kind = match self.items_type_of(items) {
                    Some(kind) => kind,
                    None => return self.set_by_loop(name, items, range),
                };
                let kind = Box::new(kind);
                let kind = match name {
                    "set" => ObjectType::Set(kind),
                    _ => ObjectType::FrozenSet(kind),
                };
                let items = self.all_stored(items.clone());
                let function = format!("builtins.{name}");
                Some(self.container(&function, &[(items, *place)], kind, range))
            }
            ("deque", _) => self.deque(arguments, range),
            ("OrderedDict", []) if arguments.keywords.is_empty() => {
                let unknown = || Box::new(ObjectType::Unknown);
                let kind = ObjectType::Dict(unknown(), unknown());
                Some(self.container("collections.OrderedDict", &[], kind, range))
            }
            ("OrderedDict", [(items, place)]) if arguments.keywords.is_empty() => {
                // Of names that are known, too, it is one of values of one type: it has an order that changes.
                let dict = match items {
                    Value::Object(_) => items.clone(),
                    _ => self.container_function("dict", arguments, range)?,
                };
                let kind = match &dict {
                    Value::Object(object) => match &*object.as_dict()?.kind {
                        kind @ ObjectType::Dict(..) => kind.clone(),
                        _ => match object.item()? {
                            ObjectType::Tuple(pair) if pair.len() == 2 => ObjectType::Dict(
                                Box::new(pair[0].clone()),
                                Box::new(pair[1].clone()),
                            ),
                            _ => return None,
                        },
                    },
                    _ => return Some(dict),
                };
                Some(self.container("collections.OrderedDict", &[(dict, *place)], kind, range))
            }
            ("Counter", []) if arguments.keywords.is_empty() => {
                let kind = ObjectType::Dict(Box::new(ObjectType::Unknown), Box::new(INT));
                Some(self.container("collections.Counter", &[], kind, range))
            }
            ("Counter", [(items, place)]) if arguments.keywords.is_empty() => {
                let items = self.all_stored(items.clone());
                let kind = ObjectType::Dict(Box::new(self.items_type_of(&items)?), Box::new(INT));
                Some(self.container("collections.Counter", &[(items, *place)], kind, range))
            }
            ("defaultdict", [(Value::Builtin(factory), place)])
                if arguments.keywords.is_empty() =>
            {
                let weak = |dtype| ObjectType::Scalar { dtype, weak: true };
                let unknown = || Box::new(ObjectType::Unknown);
                let factory = factory.strip_prefix("builtins.")?;
                let value = match factory {
                    "int" => INT,
                    "float" => weak(DType::Float64),
                    "bool" => weak(DType::Bool),
                    "complex" => weak(DType::Complex128),
                    "str" => ObjectType::Text,
                    "list" => ObjectType::List(unknown()),
                    "set" => ObjectType::Set(unknown()),
                    "dict" => ObjectType::Dict(unknown(), unknown()),
                    _ => return None,
                };
                let kind = ObjectType::Dict(unknown(), Box::new(value));
                let given = [(Value::Str(factory.into()), *place)];
                Some(self.container(&helper("defaultdict_of"), &given, kind, range))
            }
            ("defaultdict", [(Value::Closure(factory), place)])
                if arguments.keywords.is_empty() && self.gives_new_container(factory) =>
            {
                let factory = Value::Closure(factory.clone());
                let value = self.call_value(&factory, &Arguments::default(), *place, range, None);
                let kind = self.put_kind(&value, *place)?;
                let kind = ObjectType::Dict(Box::new(ObjectType::Unknown), Box::new(kind));
                let given = [(value, *place)];
                Some(self.container(&helper("defaultdict_copying"), &given, kind, range))
            }
            ("defaultdict", [(factory @ Value::Closure(_), place)])
                if arguments.keywords.is_empty() =>
            {
                let value = self.call_value(factory, &Arguments::default(), *place, range, None);
                let constant = match &value {
                    Value::Scalar(scalar) => scalar.as_constant().is_some(),
                    other => matches!(other, Value::Str(_)),
                };
                if !constant {
                    return None;
                }
                let kind = self.put_kind(&value, *place)?;
                let kind = ObjectType::Dict(Box::new(ObjectType::Unknown), Box::new(kind));
                let given = [(value, *place)];
                Some(self.container(&helper("defaultdict_giving"), &given, kind, range))
            }
            ("dict", [(items, place)]) if arguments.keywords.is_empty() => {
                let kind = match items {
                    Value::Object(object) if matches!(*object.kind, ObjectType::Dict(..)) => {
                        (*object.kind).clone()
                    }
                    Value::Object(object) if matches!(*object.kind, ObjectType::Fields(_)) => {
                        return Some(self.copy_of_named_values(object, range));
                    }
                    other => match self.items_type_of(other) {
                        Some(ObjectType::Tuple(pair)) if pair.len() == 2 => {
                            ObjectType::Dict(Box::new(pair[0].clone()), Box::new(pair[1].clone()))
                        }
                        Some(ObjectType::Sequence(item)) => ObjectType::Dict(item.clone(), item),
                        Some(_) => return None,
                        None => return self.dict_by_loop(items, range),
                    },
                };
                Some(self.container("builtins.dict", &[(items.clone(), *place)], kind, range))
            }
            _ => None,
        }
    }

    /// Whether a function always gives a new container with the same items: those of Python's own that it writes down.
    fn gives_new_container(&mut self, closure: &Closure) -> bool {
        let Some((parsed, _)) = self.parse(closure.function) else {
            return false;
        };
        match &parsed.def.body[..] {
            [Stmt::Return(s)] if parsed.def.parameters.is_empty() => s
                .value
                .as_deref()
                .is_some_and(|value| self.makes_same_container(value)),
            _ => false,
        }
    }

    fn makes_same_container(&mut self, made: &Expr) -> bool {
        let mut is_same = |item: &Expr| is_constant(item) || self.makes_same_container(item);
        match made {
            Expr::List(e) => e.elts.iter().all(is_same),
            Expr::Set(e) => e.elts.iter().all(is_constant),
            Expr::Dict(e) => e
                .items
                .iter()
                .all(|item| item.key.as_ref().is_some_and(is_constant) && is_same(&item.value)),
            Expr::Call(call) => {
                let is_class = self.builtin_named(&call.func).is_some_and(|name| {
                    let name = name.strip_prefix("builtins.").unwrap_or_default();
                    MADE_WITHOUT_ITEMS.contains(&name)
                });
                let is_factory = |item: &Expr| match item {
                    Expr::Lambda(e) => e.parameters.is_none() && self.makes_same_container(&e.body),
                    Expr::Name(_) => self.builtin_named(item).is_some(),
                    _ => false,
                };
                is_class
                    && call.arguments.keywords.is_empty()
                    && call.arguments.args.iter().all(is_factory)
            }
            _ => false,
        }
    }

    /// `deque(items, maxlen)`, of which either may be left out.
    fn deque(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let arguments = arguments.by_position(&["iterable", "maxlen"]);
        let (mut given, mut named) = (arguments.positional, arguments.keywords);
        if let ([], [(keyword, most, place)]) = (&given[..], &named[..])
            && keyword == "maxlen"
        {
            given = vec![(Value::Tuple(Vec::new()), range), (most.clone(), *place)];
            named.clear();
        }
        if !named.is_empty() || given.len() > 2 {
            return None;
        }
        let item = match given.first_mut() {
            Some((items, _)) => {
                *items = self.all_stored(items.clone());
                match self.items_type_of(items) {
                    Some(item) => item,
                    // The deque holds the same lists.
                    None if self.make_python_list(items) => return Some(Value::Poison),
                    None => return None,
                }
            }
            None => ObjectType::Unknown,
        };
        let kind = ObjectType::List(Box::new(item));
        Some(self.container("collections.deque", &given, kind, range))
    }

    /// `dict.fromkeys(keys, value)`.
    pub fn dict_from_keys(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let (keys, value) = match &arguments.positional[..] {
            [(keys, _)] => (keys, Value::None),
            [(keys, _), (value, _)] => (keys, value.clone()),
            _ => return None,
        };
        let keys = self.all_stored(keys.clone());
        let key = self.items_type_of(&keys)?;
        let kind = ObjectType::Dict(Box::new(key), Box::new(self.put_kind(&value, range)?));
        let given = [(keys, range), (value, range)];
        Some(self.container(&helper("dict_from_keys"), &given, kind, range))
    }

    /// `tuple(...)` of items whose number is known only when the program runs.
    pub fn sequence(&mut self, items: &Value, range: TextRange) -> Option<Value> {
        if !self.is_program() {
            return None;
        }
        if self.level() > 0 {
            return Some(self.hinder("it makes a tuple whose length is known only when it runs"));
        }
        let unknown = match items {
            Value::Poison => true,
            Value::List(list) => self.is_unknown(list.key),
            Value::Held(held) => self.is_unknown(held.key),
            Value::Object(object) => match *object.kind {
                ObjectType::Sequence(_) => return Some(items.clone()),
                _ => self.is_unknown_item(object),
            },
            _ => false,
        };
        if unknown {
            return Some(Value::Poison);
        }
        if let Value::Held(held) = items
            && matches!(held.item, Item::List(_))
        {
            // The tuple holds the same lists.
            return self.make_python_list(items).then_some(Value::Poison);
        }
        let items = self.all_stored(items.clone());
        let Some(kind) = self.items_type_of(&items) else {
            // A list of what Python does not hold, such as objects that are known by their attributes, stays as it is.
            if let Value::Held(_) = items {
                return None;
            }
            let list = self.as_list(&items, range);
            return match list {
                Value::List(_) | Value::Held(_) | Value::Object(_) => self.sequence(&list, range),
                _ => None,
            };
        };
        if kind.has_array() && !self.program().options.unified {
            return None;
        }
        let kind = ObjectType::Sequence(Box::new(kind));
        Some(self.container("builtins.tuple", &[(items, range)], kind, range))
    }

    /// A set of what is no object and no array: a zip, an enumeration.
    fn set_by_loop(&mut self, name: &str, items: &Value, range: TextRange) -> Option<Value> {
        if name != "set" {
            return None;
        }
        let (held, item) = (self.hold(items.clone(), range), self.temporary());
        let target = crate::objects::syntax_building::target(std::slice::from_ref(&item), range);
        let generators = [crate::objects::syntax_building::generator(
            target,
            &held,
            Vec::new(),
            range,
        )];
        let made = self.container_comprehension(None, &load(&item, range), &generators, range);
        self.release(&[held]);
        Some(made)
    }

    fn dict_by_loop(&mut self, items: &Value, range: TextRange) -> Option<Value> {
        let (held, pair) = (
            self.hold(items.clone(), range),
            [self.temporary(), self.temporary()],
        );
        let target = crate::objects::syntax_building::target(&pair, range);
        let generators = [crate::objects::syntax_building::generator(
            target,
            &held,
            Vec::new(),
            range,
        )];
        let (key, value) = (load(&pair[0], range), load(&pair[1], range));
        let made = self.container_comprehension(Some(&key), &value, &generators, range);
        self.release(&[held]);
        Some(made)
    }
}
