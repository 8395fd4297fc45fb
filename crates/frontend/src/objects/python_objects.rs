//! Python objects that a program holds while it runs: strings, sets, dictionaries, iterators.
//!
//! To the host part such an object is a handle, a number. Whatever is done with it is a call into
//! Python; what that gives is known by rules for containers, else found out by example. What a container
//! holds is found out by translating: if an item does not fit what was assumed, the function is
//! translated again.

use crate::calls::Arguments;
use crate::codes;
use crate::objects::items::{Item, ListKey};
use crate::program::{Call, LibraryType, NamedClass, ObjectType, Outcome};
use crate::translate::Translator;
use crate::value::{Scalar, Value, View};
use colocate_ir::{ArrayRef, CallResult, DType, Kind, Layout, UnaryOp};
use ruff_text_size::TextRange;
use std::rc::Rc;

/// Before the number of the leaf: what fetches an object among the arguments.
pub const OBJECT_ARGUMENT: &str = "argument.";

/// Takes the next item of an iterator: whether there is one, and the item.
pub const NEXT: &str = "next of iterator";

/// Whether an exception is of one of the classes that follow: names of builtins, or numbers.
pub const IS_CAUGHT: &str = "is caught";

/// Makes an exception of a class, which comes first: the name of a builtin, or a number.
pub const MAKE_EXCEPTION: &str = "make exception";

/// Gives a number that says which objects were there already.
pub const MARK_OBJECTS: &str = "mark objects";

/// Lets go the objects that were made since such a number, except for those whose handles follow.
pub const SWEEP_OBJECTS: &str = "sweep objects";

/// The module of what the operators do not do.
const HELPERS: &str = "colocate._jit_objects";

/// A Python object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object {
    pub kind: Rc<ObjectType>,
    pub handle: Scalar,
    /// Where it may have been made, which what it holds is remembered by.
    pub origins: Rc<[Origin]>,
}

/// Where an object was made: a place, or inside of what was made there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Origin {
    pub place: ListKey,
    /// From the outermost container to the object.
    pub path: Vec<Step>,
}

/// A part of a container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Step {
    Item,
    Value,
}

/// An object may be one of so many.
const MOST_ORIGINS: usize = 8;

impl Origin {
    /// What is put into the object, as seen from the place.
    fn seen_from_place(&self, put: &ObjectType) -> ObjectType {
        let mut kind = put.clone();
        for step in self.path.iter().rev() {
            kind = match step {
                Step::Item => ObjectType::List(Box::new(kind)),
                Step::Value => ObjectType::Dict(Box::new(ObjectType::Unknown), Box::new(kind)),
            };
        }
        kind
    }
}

impl Object {
    /// The same object, of a kind that covers both.
    pub fn join(&self, other: &Object) -> Option<Object> {
        Some(Object {
            kind: Rc::new(self.kind.join(&other.kind)?),
            handle: Scalar {
                know: crate::value::Know::Any,
                ir: None,
                ..self.handle
            },
            origins: joined_origins(&self.origins, &other.origins),
        })
    }

    /// A part of it, which came out of it.
    pub fn part(&self, value: Value, step: Step) -> Value {
        let Value::Object(object) = value else {
            return value;
        };
        let origins = self.origins.iter().map(|origin| {
            let mut path = origin.path.clone();
            path.push(step);
            Origin {
                place: origin.place,
                path,
            }
        });
        Value::Object(Object {
            origins: origins.collect(),
            ..object
        })
    }

    /// What going over it gives.
    pub fn item(&self) -> Option<ObjectType> {
        match &*self.kind {
            ObjectType::List(item)
            | ObjectType::Set(item)
            | ObjectType::FrozenSet(item)
            | ObjectType::Sequence(item)
            | ObjectType::Iterator(item)
            | ObjectType::Dict(item, _) => Some(known(item)),
            ObjectType::Text | ObjectType::Fields(_) => Some(ObjectType::Text),
            _ => None,
        }
    }

    /// What the values of a dictionary are.
    pub fn value(&self) -> Option<ObjectType> {
        match &*self.kind {
            ObjectType::Dict(_, value) => Some((**value).clone()),
            _ => None,
        }
    }

    /// The same object as a dictionary whose values are of one type, if it is one of several.
    pub fn as_dict(&self) -> Option<Object> {
        Some(Object {
            kind: Rc::new(self.kind.as_dict()?),
            ..self.clone()
        })
    }
}

/// What tells lists over what Python gave from others that are made at the same place.
const FROM_PYTHON: u32 = 1 << 20;

pub(crate) const INT: ObjectType = ObjectType::Scalar {
    dtype: DType::Int64,
    weak: true,
};

pub(crate) const FLOAT: ObjectType = ObjectType::Scalar {
    dtype: DType::Float64,
    weak: true,
};

pub(crate) const BOOL: ObjectType = ObjectType::Scalar {
    dtype: DType::Bool,
    weak: true,
};

/// What a value is as an object; `None` if it cannot be one.
pub(crate) fn kind_of(value: &Value) -> Option<ObjectType> {
    Some(match value {
        Value::Scalar(scalar) => ObjectType::Scalar {
            dtype: scalar.dtype,
            weak: scalar.weak,
        },
        Value::Str(_) => ObjectType::Text,
        Value::None => ObjectType::None,
        Value::Object(object) => (*object.kind).clone(),
        Value::Optional(inner, _) => ObjectType::Optional(Box::new(kind_of(inner)?)),
        Value::Tuple(items) => {
            let items = items.iter().map(kind_of);
            ObjectType::Tuple(items.collect::<Option<_>>()?)
        }
        Value::Named(class, items) if class.is_plain() => {
            let items = items.iter().map(kind_of);
            let items = items.collect::<Option<_>>()?;
            let class = NamedClass {
                handle: class.handle,
                name: class.name.clone(),
                fields: class.fields.clone(),
            };
            ObjectType::Named(Box::new(class), items)
        }
        Value::Named(class, _) if class.is_instance => ObjectType::Instance(Box::new(NamedClass {
            handle: class.handle,
            name: class.name.clone(),
            fields: Vec::new(),
        })),
        Value::View(view) => ObjectType::Array {
            dtype: view.dtype,
            rank: view.rank() as u8,
        },
        Value::Lazy(lazy) => ObjectType::Array {
            dtype: lazy.dtype,
            rank: lazy.rank() as u8,
        },
        _ => return None,
    })
}

/// Nobody writes containers that are nested more deeply.
const DEEPEST: usize = 10;

impl Translator<'_> {
    /// What a value is as an object; `None` if it cannot be one.
    pub fn object_type_of(&mut self, value: &Value) -> Option<ObjectType> {
        if let Value::Module { handle, .. } = value {
            return match self.env.kind_of_member(*handle) {
                Some(kind) => Some(ObjectType::Foreign(kind)),
                None => self.type_of_outside(*handle),
            };
        }
        let mut kind = match value {
            Value::Choice(options, _) => {
                let mut all = ObjectType::Unknown;
                for option in options.clone().iter() {
                    all = all.join(&self.object_type_of(option)?)?;
                }
                all
            }
            other => kind_of(other)?,
        };
        self.name_by_class(&mut kind, false);
        Some(kind)
    }

    /// What an object from outside is, beside those of its class that the program makes; nothing if it makes none as
    /// objects of Python's.
    fn type_of_outside(&mut self, namespace: u32) -> Option<ObjectType> {
        if !self.objects_in_python {
            return None;
        }
        let class = self.env.class_of_object(namespace)?;
        let Value::Module { handle, name } = self.captured_value(&class) else {
            return None;
        };
        self.share_outside(namespace);
        Some(ObjectType::Instance(Box::new(NamedClass {
            handle: self.env.number(crate::Named::Namespace(handle))?,
            name: name.rsplit('.').next().unwrap_or(&name).to_string(),
            fields: Vec::new(),
        })))
    }

    /// Objects of one class are of one type, whatever attributes they have; what the program made is known by its own,
    /// unless `made` says that it is like any other.
    pub fn name_by_class(&mut self, kind: &mut ObjectType, made: bool) {
        match kind {
            ObjectType::Instance(class)
                if made || !self.made_classes.contains_key(&class.handle) =>
            {
                class.handle = self.env.class_itself(class.handle);
            }
            ObjectType::Optional(inner) | ObjectType::List(inner) | ObjectType::Sequence(inner) => {
                self.name_by_class(inner, made);
            }
            ObjectType::Tuple(items) | ObjectType::Named(_, items) => {
                items
                    .iter_mut()
                    .for_each(|item| self.name_by_class(item, made));
            }
            _ => {}
        }
    }

    /// What going over a value gives; `None` if that is not known.
    pub fn items_type_of(&mut self, value: &Value) -> Option<ObjectType> {
        match value {
            Value::Object(object) => self.item_kind(object),
            Value::List(list) if self.is_unknown(list.key) => Some(ObjectType::Unknown),
            Value::List(list) => Some(ObjectType::Scalar {
                dtype: list.dtype,
                weak: list.weak,
            }),
            Value::Held(held) => held.item.for_python(),
            Value::Range(_) => Some(INT),
            Value::Str(_) => Some(ObjectType::Text),
            Value::Tuple(items) | Value::Named(_, items) => {
                let mut found = ObjectType::Unknown;
                for item in items {
                    let kind = self.object_type_of(item)?;
                    found = found.join(&kind)?;
                }
                Some(found)
            }
            Value::View(view) if view.rank() == 1 => Some(ObjectType::Scalar {
                dtype: view.dtype,
                weak: false,
            }),
            Value::Lazy(lazy) if lazy.rank() == 1 => Some(ObjectType::Scalar {
                dtype: lazy.dtype,
                weak: false,
            }),
            Value::View(view) if view.rank() > 1 => Some(ObjectType::Array {
                dtype: view.dtype,
                rank: view.rank() as u8 - 1,
            }),
            _ => None,
        }
    }

    /// An object among the arguments.
    pub fn object_argument_at(&mut self, leaf: usize, kind: &ObjectType) -> Value {
        let place = self.list_key_at(self.b.site);
        let function = format!("{OBJECT_ARGUMENT}{leaf}");
        let kind = self.remembered(place, kind.clone());
        let made = self.call_for(
            &function,
            &[],
            &[],
            &LibraryType::Object(kind),
            TextRange::default(),
        );
        made_at(made, place)
    }

    /// Whether two arguments are the same object.
    pub fn same_argument(&mut self, a: usize, b: usize, range: TextRange) -> Value {
        let whole = LibraryType::Object(ObjectType::Unknown);
        let given: Vec<(Value, TextRange)> = [a, b]
            .into_iter()
            .map(|leaf| {
                let function = format!("{OBJECT_ARGUMENT}{leaf}");
                (self.call_for(&function, &[], &[], &whole, range), range)
            })
            .collect();
        self.python_call("operator.is_", &given, &[], Some(BOOL), range)
    }

    /// An object outside the function.
    pub fn outside_object(&mut self, number: u32, kind: &ObjectType) -> Value {
        if !self.is_program() {
            return Value::Unsupported("a container".into());
        }
        if self.level() > 0 {
            return self.hinder("it uses an object of Python's");
        }
        let function = format!("{}{number}", crate::arrays::global_arrays::GLOBAL_ARRAY);
        let whole = LibraryType::Object(kind.clone());
        self.call_for(&function, &[], &[], &whole, TextRange::default())
    }

    /// A container outside the function that the function puts items into; what it holds is found out as of one that is
    /// made at a place.
    pub fn lasting_object(&mut self, number: u32, kind: ObjectType, range: TextRange) -> Value {
        // It is one object, whoever calls the function.
        let place = ListKey::of_all_calls(self.site(range));
        let kind = self.remembered(place, kind).settled();
        let object = self.outside_object(number, &kind);
        made_at(object, place)
    }

    /// A container outside the program: if it is empty, what the program puts into it tells what it holds.
    pub fn outside_container(&mut self, number: u32, kind: &ObjectType) -> Value {
        let place = ListKey::of_outside(number);
        let kind = self.remembered(place, kind.clone()).settled();
        let object = self.outside_object(number, &kind);
        made_at(object, place)
    }

    /// A function, a member of an enumeration, or the limits of a dtype, as an object.
    pub fn named_object(&mut self, value: &Value, range: TextRange) -> Option<Object> {
        if self.level() > 0 {
            return None;
        }
        if let Value::Choice(options, which) = value {
            let (options, which) = (options.clone(), *which);
            let found = self.with_choice(&options, &which, range, &mut |t, option| match t
                .named_object(option, range)
            {
                Some(object) => Value::Object(object),
                None => Value::Poison,
            });
            return match found {
                Value::Object(object) => Some(object),
                _ => None,
            };
        }
        if let Value::Closure(closure) = value {
            return self.function_as_object(&closure.clone(), range);
        }
        if let Some((function, given)) = built_in(value) {
            let whole = LibraryType::Object(ObjectType::Unknown);
            return match self.call_for(&function, &[(given, range)], &[], &whole, range) {
                Value::Object(object) => Some(object),
                _ => None,
            };
        }
        let number = match value {
            Value::Module { handle, .. } => self.env.number(crate::Named::Namespace(*handle))?,
            Value::Function(function) => self.env.number(crate::Named::Function(*function))?,
            _ => return None,
        };
        match self.outside_object(number, &ObjectType::Unknown) {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Whether nothing is known yet of what is read from a container: then the function is translated again,
    /// and what is made of it says nothing until then.
    pub fn is_unknown_inside(&mut self, object: &Object) -> bool {
        let inside = match &*object.kind {
            ObjectType::List(item)
            | ObjectType::Set(item)
            | ObjectType::FrozenSet(item)
            | ObjectType::Sequence(item)
            | ObjectType::Iterator(item)
            | ObjectType::Dict(_, item) => item,
            _ => return false,
        };
        let unknown = inside.is_open() && !self.settling;
        self.read_unknown |= unknown;
        unknown
    }

    /// The same of what going over a container gives.
    pub fn is_unknown_item(&mut self, object: &Object) -> bool {
        match &*object.kind {
            ObjectType::Dict(key, _) => {
                let unknown = **key == ObjectType::Unknown && !self.settling;
                self.read_unknown |= unknown;
                unknown
            }
            _ => self.is_unknown_inside(object),
        }
    }

    /// What was found out about the container made at a place.
    pub fn found_out(&self, place: ListKey) -> Option<ObjectType> {
        self.object_types.get(&place).cloned()
    }

    /// What holds what one container and another do.
    fn joined_kind(&self, a: &ObjectType, b: &ObjectType) -> Option<ObjectType> {
        let program = self.program.as_ref();
        let joined = a.join(b)?;
        Some(
            match program.is_some_and(|state| state.options.numbers_as_they_are) {
                true => joined.keeping_ints(a, b),
                false => joined,
            },
        )
    }

    /// What a container made at a place holds, as far as that is known.
    pub fn remembered(&mut self, place: ListKey, kind: ObjectType) -> ObjectType {
        match self.object_types.get(&place) {
            Some(before) => self
                .joined_kind(before, &kind)
                .or_else(|| kind.fitted(before))
                .or_else(|| before.join_loosely(&kind))
                .unwrap_or(kind),
            None => kind,
        }
    }

    /// A new container.
    pub fn container(
        &mut self,
        function: &str,
        arguments: &[(Value, TextRange)],
        kind: ObjectType,
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder("it makes a container");
        }
        let place = self.list_key(range);
        let kind = self.remembered(place, kind);
        if let ObjectType::Fields(_) = kind {
            // Names are kept in mind where the values are of one type still.
            self.object_types.insert(place, kind.clone());
        }
        let kind = kind.settled();
        let made = self.call_for(function, arguments, &[], &LibraryType::Object(kind), range);
        made_at(made, place)
    }

    /// Takes containers that would hold items of several types for ones that hold anything, which only Python knows; false
    /// if there are none. What is refused otherwise can be done then, if more slowly.
    pub fn widen_containers(&mut self) -> bool {
        let mut wider = false;
        for (place, kind) in std::mem::take(&mut self.wider_containers) {
            let known = self.object_types.get(&place);
            let all = match known {
                Some(known) => known.join(&kind).or_else(|| known.join_loosely(&kind)),
                None => Some(kind),
            };
            if all.is_some() && all.as_ref() != known {
                self.object_types.extend(all.map(|all| (place, all)));
                wider = true;
            }
        }
        for key in std::mem::take(&mut self.wider_lists) {
            wider |= self.python_lists.insert(key);
        }
        wider
    }

    /// Notes what is put into a container; false if that cannot be.
    pub fn admit_kind(&mut self, object: &Object, put: &ObjectType, range: TextRange) -> bool {
        if let (ObjectType::Fields(_), [origin]) = (put, &object.origins[..])
            && origin.path.is_empty()
            && let Some(known @ ObjectType::Fields(_)) = self.object_types.get(&origin.place)
            && let Some(all) = known.join(put)
        {
            // More is known of it than what it is taken for: the names in a dictionary.
            if all.clone().settled() != *object.kind && !self.again {
                self.object_types.insert(origin.place, all);
                self.again = true;
            }
            return true;
        }
        let joined = self.joined_kind(&object.kind, put);
        match joined {
            Some(joined) if joined == *object.kind => true,
            // What was learned before may say otherwise next time what this is.
            _ if self.again => true,
            Some(joined) if !object.origins.is_empty() => {
                for origin in object.origins.iter() {
                    let all = origin.seen_from_place(&joined);
                    let all = self.remembered(origin.place, all);
                    let all = all.nested_at_most(DEEPEST);
                    self.object_types.insert(origin.place, all);
                }
                self.again = true;
                true
            }
            _ => {
                if let Some(loose) = object.kind.join_loosely(put) {
                    for origin in object.origins.iter() {
                        let all = origin.seen_from_place(&loose);
                        self.wider_containers.push((origin.place, all));
                    }
                }
                let diagnostic = self
                    .wrong(
                        codes::CONTAINER,
                        format!("a {} cannot become a {put}", object.kind),
                        range,
                        format!("this is put into a {}", object.kind),
                    )
                    .help("put items of one type into a container");
                self.report(diagnostic);
                false
            }
        }
    }

    /// The kind of something that is put into a container.
    pub fn put_kind(&mut self, value: &Value, range: TextRange) -> Option<ObjectType> {
        if self.make_python_lists(value) {
            return None;
        }
        self.give_away(value);
        self.share_attributes(value);
        let found = self.object_type_of(value);
        let unified = self
            .program
            .as_ref()
            .is_some_and(|state| state.options.unified);
        if !unified && found.as_ref().is_some_and(ObjectType::has_array) {
            let diagnostic = self
                .wrong(
                    codes::CONTAINER,
                    "an array cannot be put into a container where its memory is on a device",
                    range,
                    "this would be a copy",
                )
                .help("keep the arrays in variables, or in a tuple");
            self.report(diagnostic);
            return None;
        }
        if found.is_none() && !value.has_poison() {
            let what = value.describe();
            let mut diagnostic = self.wrong(
                codes::CONTAINER,
                format!("{what} cannot be put into a container in jit functions"),
                range,
                format!("this is {what}"),
            );
            if matches!(value, Value::List(_)) {
                diagnostic = diagnostic
                    .help("write the list down where it is put into the container, and take it from there");
            }
            self.report(diagnostic);
        }
        found
    }

    /// Whether an object is true.
    pub fn object_truth(&mut self, object: &Object, range: TextRange) -> Option<Scalar> {
        let given = [(Value::Object(object.clone()), range)];
        match self.python_call("operator.truth", &given, &[], Some(BOOL), range) {
            Value::Scalar(truth) => Some(truth),
            _ => None,
        }
    }

    /// How many items an object has.
    pub fn object_length(&mut self, object: &Object, range: TextRange) -> Option<Scalar> {
        let given = [(Value::Object(object.clone()), range)];
        match self.python_call("builtins.len", &given, &[], Some(INT), range) {
            Value::Scalar(length) => Some(Scalar {
                know: crate::value::Know::NonNegative,
                ..length
            }),
            _ => None,
        }
    }

    /// What goes over the items of a value.
    pub fn object_iterator(&mut self, value: &Value, range: TextRange) -> Option<Object> {
        let item = self.items_type_of(value)?;
        let kind = ObjectType::Iterator(Box::new(item));
        let given = [(value.clone(), range)];
        match self.python_call("builtins.iter", &given, &[], Some(kind), range) {
            Value::Object(iterator) => Some(Object {
                // What is put into an item is put into an item of the container.
                origins: match value {
                    Value::Object(container) => container.origins.clone(),
                    _ => iterator.origins,
                },
                ..iterator
            }),
            _ => None,
        }
    }

    /// The next item of an iterator: whether there is one, and the item, to be looked at only then.
    pub fn next_item(&mut self, iterator: &Object, range: TextRange) -> Option<(Scalar, Value)> {
        let item = iterator.item()?;
        let plain = match &item {
            ObjectType::Optional(_) => LibraryType::Object(item.clone()),
            kind if kind.has_array() => LibraryType::Object(item.clone()),
            kind => library_type(kind),
        };
        let both = LibraryType::Tuple(vec![
            LibraryType::Scalar {
                dtype: DType::Bool,
                weak: true,
            },
            plain,
        ]);
        let given = [(Value::Object(iterator.clone()), range)];
        let found = self.call_for(NEXT, &given, &[], &both, range);
        match found {
            Value::Tuple(mut parts) if parts.len() == 2 => {
                let value = parts.pop()?;
                match parts.pop()? {
                    Value::Scalar(there) => Some((there, iterator.part(value, Step::Item))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// An item that came as an object because it may be None or is an array.
    pub fn opened_item(&mut self, value: Value, item: &ObjectType, range: TextRange) -> Value {
        if !matches!(item, ObjectType::Optional(_)) && !item.has_array() {
            return self.with_parts_that_may_be_none(value, range);
        }
        let given = [(value, range)];
        self.python_call(&helper("same"), &given, &[], Some(item.clone()), range)
    }

    /// `next(iterator)`, `next(iterator, default)`.
    pub fn next_function(
        &mut self,
        iterator: &Object,
        default: Option<&Value>,
        range: TextRange,
    ) -> Option<Value> {
        let item = iterator.item()?;
        let (there, value) = self.next_item(iterator, range)?;
        let Some(default) = default else {
            let there = self.ir(&there);
            let over = self.b.unary(UnaryOp::Not, there);
            let raised = crate::host::failures::Raised {
                class: "StopIteration",
                parts: Vec::new(),
            };
            self.raise_if(over, &raised, range);
            return Some(self.opened_item(value, &item, range));
        };
        let default = default.clone();
        Some(self.either(
            &there,
            range,
            |t| t.opened_item(value, &item, range),
            |_| default,
        ))
    }

    /// An object's items as one of our lists, if they are numbers.
    pub fn object_as_list(&mut self, object: &Object, range: TextRange) -> Option<Value> {
        let Some(ObjectType::Scalar { dtype, weak }) = self.item_kind(object) else {
            return None;
        };
        let value = Value::Object(object.clone());
        self.list_salt += FROM_PYTHON;
        let key = self.list_key_at(self.b.site);
        self.list_salt -= FROM_PYTHON;
        if self.is_python_list(key) {
            let kind = ObjectType::List(Box::new(ObjectType::Scalar { dtype, weak }));
            return Some(self.container("builtins.list", &[(value, range)], kind, range));
        }
        let local = self.b.local("list", dtype, 1, Layout::Contiguous);
        let mut words = Vec::new();
        let operand = self.operand_of(&value, &mut words, range)?;
        let call = Call::Library {
            function: "builtins.list".into(),
            arguments: vec![operand],
            keywords: Vec::new(),
            result: Outcome::Local(local),
            changes: Vec::new(),
        };
        self.guarded_call(call, &words, vec![CallResult::Local(local)]);
        let view = View::whole(ArrayRef::Local(local), dtype, 1, true);
        Some(self.list_from_python(view, weak))
    }

    /// One of our lists over what Python gave. Others may be made at the same place of the program.
    pub fn list_from_python(&mut self, view: View, weak: bool) -> Value {
        self.list_salt += FROM_PYTHON;
        // What was guessed before is known now.
        let key = self.list_key_at(self.b.site);
        let guess = Item::Scalar(DType::Int64, true);
        if self.known_item(key) == guess && (view.dtype, weak) != (DType::Int64, true) {
            self.list_types.insert(key, Item::Scalar(view.dtype, weak));
        }
        let list = self.list_argument(view, weak);
        self.list_salt -= FROM_PYTHON;
        list
    }

    /// `array.tolist()`.
    pub fn array_as_list(&mut self, array: &Value, range: TextRange) -> Value {
        let array = self.all_stored(array.clone());
        let Value::View(view) = &array else {
            return Value::Poison;
        };
        let dtype = match view.dtype.kind() {
            Kind::Bool => DType::Bool,
            Kind::Int | Kind::UInt => DType::Int64,
            Kind::Float => DType::Float64,
            Kind::Complex => DType::Complex128,
        };
        let mut kind = ObjectType::Scalar { dtype, weak: true };
        for _ in 0..view.rank() {
            kind = ObjectType::List(Box::new(kind));
        }
        let one_axis = view.rank() == 1;
        let given = [(array.clone(), range)];
        let made = self.python_call("method.tolist", &given, &[], Some(kind), range);
        match &made {
            Value::Object(object) if one_axis => {
                self.object_as_list(&object.clone(), range).unwrap_or(made)
            }
            _ => made,
        }
    }

    /// A constant string as an object.
    pub fn text_object(&mut self, text: &str) -> Value {
        let range = TextRange::default();
        let given = [(Value::Str(text.to_string()), range)];
        let whole = LibraryType::Object(ObjectType::Text);
        self.call_for(&helper("same"), &given, &[], &whole, range)
    }

    /// Arguments with an object before them.
    pub fn with_object(
        on: &Value,
        arguments: &Arguments,
        range: TextRange,
    ) -> Vec<(Value, TextRange)> {
        std::iter::once((on.clone(), range))
            .chain(arguments.positional.iter().cloned())
            .collect()
    }
}

pub(crate) fn joined_origins(a: &Rc<[Origin]>, b: &Rc<[Origin]>) -> Rc<[Origin]> {
    if a == b {
        return a.clone();
    }
    let mut all = a.to_vec();
    for origin in b.iter() {
        if !all.contains(origin) {
            all.push(origin.clone());
        }
    }
    // Of something that was made nowhere in the program nothing is remembered.
    if a.is_empty() || b.is_empty() || all.len() > MOST_ORIGINS {
        return Rc::new([]);
    }
    all.into()
}

/// What is read out of something that nobody put anything into counts as an integer.
fn known(kind: &ObjectType) -> ObjectType {
    match kind {
        ObjectType::Unknown => INT,
        other => other.clone(),
    }
}

/// The name of a function among the helpers.
pub(crate) fn helper(name: &str) -> String {
    format!("{HELPERS}.{name}")
}

/// A value with the place where it was made.
pub(crate) fn made_at(value: Value, place: ListKey) -> Value {
    match value {
        Value::Object(object) => {
            let origin = Origin {
                place,
                path: Vec::new(),
            };
            Value::Object(Object {
                origins: Rc::new([origin]),
                ..object
            })
        }
        Value::Optional(inner, present) => {
            Value::Optional(Box::new(made_at(*inner, place)), present)
        }
        other => other,
    }
}

/// What a call gives for an object of a kind.
pub(crate) fn library_type(kind: &ObjectType) -> LibraryType {
    match kind {
        ObjectType::Unknown => library_type(&INT),
        ObjectType::Scalar { dtype, weak } => LibraryType::Scalar {
            dtype: *dtype,
            weak: *weak,
        },
        ObjectType::None => LibraryType::None,
        ObjectType::Tuple(items) => LibraryType::Tuple(items.iter().map(library_type).collect()),
        ObjectType::Named(class, items) => {
            let class = crate::Captured::NamedTuple {
                handle: class.handle,
                name: class.name.clone(),
                fields: class.fields.clone(),
                own_axes: None,
                is_instance: false,
            };
            LibraryType::Named(Box::new(class), items.iter().map(library_type).collect())
        }
        ObjectType::Array { dtype, rank } => LibraryType::Array {
            dtype: *dtype,
            rank: *rank,
        },
        other => LibraryType::Object(other.clone()),
    }
}

/// The function that gives an object of Python's or NumPy's own, and what it is given.
fn built_in(value: &Value) -> Option<(String, Value)> {
    match value {
        Value::Builtin(name) => Some((helper("found"), Value::Str(name.clone()))),
        Value::Limits(dtype) => {
            let integers = crate::types::is_integer(*dtype);
            let name = if integers { "iinfo" } else { "finfo" };
            Some((format!("numpy.{name}"), Value::Dtype(*dtype)))
        }
        _ => None,
    }
}
