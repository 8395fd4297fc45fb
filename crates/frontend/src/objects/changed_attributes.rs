//! Attributes of objects that a function assigns to, and objects that it makes.
//!
//! Such an attribute is read and written where it is, in the Python object, by a call into Python: so whoever else has
//! the object sees it, by whatever name. What it holds is found out by translating, as of containers. An object is
//! then known by its handle, too, which follows its attributes; attributes that nobody assigns to are read once,
//! before the function begins.

use crate::calls::Arguments;
use crate::codes;
use crate::objects::items::ListKey;
use crate::objects::made_instances::is_instance;
use crate::objects::python_objects::{Object, Origin, helper, joined_origins, made_at};
use crate::program::{LibraryType, NamedClass, ObjectType};
use crate::scope::same_types;
use crate::translate::Translator;
use crate::value::{Know, NamedTuple, Scalar, Value};
use crate::{Named, Usage};
use ruff_python_ast::{Expr, ExprAttribute};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashMap;
use std::rc::Rc;

/// What attributes hold that are assigned to, by the name of the class and theirs.
pub(crate) type ChangedAttributes = HashMap<(String, String), ObjectType>;

/// Stands among them for the wish to have objects as wholes.
const WHOLES: &str = "";

/// Stands among them where attributes of arguments are read where they are: the objects that they refer to may be others
/// than those that were looked at.
const SHARED: &str = "<shared>";

/// Before the name of a class among them, for attributes that hold values of several types.
const SEVERAL: &str = "<several>";

/// Before the name of a class among them, for attributes that some objects hold something under that was not looked at.
const UNSEEN: &str = "<unseen>";

/// Before the name of a class among them, for attributes that are an empty list at first, and something else later.
const EMPTY_FIRST: &str = "<empty first>";

/// Before a name that is asked of the classes that a class inherits from.
const INHERITED: &str = "<inherited>";

/// What an object is made with, asked of its class.
const INITIALISER: &str = "<initialiser>";

/// An object that is known by its handle.
pub(crate) fn instance(class: &NamedClass, handle: Value) -> Value {
    let class = NamedTuple {
        handle: class.handle,
        name: class.name.clone(),
        fields: Vec::new(),
        list: None,
        own_axes: None,
        is_instance: true,
    };
    Value::Named(Rc::new(class), vec![handle])
}

/// What Python calls the types that something of a kind may have, between bars; nothing if they are looked at anyway.
pub(crate) fn type_names(kind: &ObjectType) -> Option<String> {
    Some(match kind {
        ObjectType::None => "|NoneType|".into(),
        ObjectType::Optional(inner) => format!("{}NoneType|", type_names(inner)?),
        ObjectType::Instance(class) => format!("|{}|", class.name),
        ObjectType::Text => "|str|".into(),
        ObjectType::List(_) => "|list|".into(),
        ObjectType::Set(_) => "|set|".into(),
        ObjectType::Dict(..) => "|dict|".into(),
        _ => return None,
    })
}

/// Whether something was not looked at, or is a list with such an item.
fn lies_too_deep(value: &Value) -> bool {
    match value {
        Value::Unsupported(_) => true,
        Value::Named(class, items) if class.is_list() => items.iter().any(lies_too_deep),
        _ => false,
    }
}

/// The names of the types of what a list holds, which may be None itself, behind a stroke; nothing for other kinds.
fn item_type_names(kind: &ObjectType) -> Option<String> {
    match kind {
        ObjectType::Optional(inner) => item_type_names(inner),
        ObjectType::List(item) => Some(format!("/{}", type_names(item)?)),
        _ => None,
    }
}

/// Whether an object of another class than is known is found when an attribute is read.
pub(crate) fn is_looked_at_when_read(kind: &ObjectType) -> bool {
    match kind {
        ObjectType::None | ObjectType::Instance(_) => true,
        ObjectType::Optional(inner) | ObjectType::List(inner) => is_looked_at_when_read(inner),
        _ => false,
    }
}

/// What an attribute holds that is an empty list at first, `self.c = []`, and something else later. Whoever reads it
/// while it is the list is told so.
fn instead_of_empty(a: &ObjectType, b: &ObjectType) -> Option<ObjectType> {
    let is_empty =
        |kind: &ObjectType| matches!(kind, ObjectType::List(item) if **item == ObjectType::Unknown);
    match (is_empty(a), is_empty(b)) {
        (true, false) => Some(b.clone()),
        (false, true) => Some(a.clone()),
        _ => None,
    }
}

fn or_none(object: Value) -> Value {
    let present = Scalar {
        know: Know::Any,
        ..Scalar::const_bool(true)
    };
    Value::Optional(Box::new(object), present)
}

/// An object, or what may be one or None, with the places where it was made.
fn with_origins(value: Value, origins: &Rc<[Origin]>) -> Value {
    match value {
        Value::Object(object) => Value::Object(Object {
            origins: origins.clone(),
            ..object
        }),
        Value::Optional(inner, present) => {
            Value::Optional(Box::new(with_origins(*inner, origins)), present)
        }
        other => other,
    }
}

/// An object, which may be one or None, and its attributes.
fn instance_in(value: &Value) -> Option<(&Rc<NamedTuple>, &[Value])> {
    match value {
        Value::Named(class, items) if class.is_instance => Some((class, items)),
        Value::Optional(inner, _) => instance_in(inner),
        _ => None,
    }
}

impl Translator<'_> {
    /// The object itself, behind the attributes of an argument; nothing if nobody needs it.
    pub fn whole_instance(&mut self, leaf: usize) -> Option<Value> {
        if self.changed_attributes.is_empty() {
            return None;
        }
        let function = format!("{}{leaf}", crate::objects::python_objects::OBJECT_ARGUMENT);
        let whole = LibraryType::Object(ObjectType::Unknown);
        Some(self.call_for(&function, &[], &[], &whole, TextRange::default()))
    }

    /// The handle of an object. If there is none, the function is translated again.
    pub fn handle_of_instance(&mut self, value: &Value) -> Option<Value> {
        let Value::Named(class, items) = value else {
            return None;
        };
        let found = items.get(class.fields.len()).cloned();
        if found.is_none() {
            self.want_wholes();
        }
        found
    }

    fn want_wholes(&mut self) {
        let key = (WHOLES.to_string(), WHOLES.to_string());
        let before = self.changed_attributes.insert(key, ObjectType::None);
        self.again |= before.is_none();
    }

    /// `object.name` of an attribute that is assigned to somewhere; nothing if it is another.
    pub fn changed_attribute(
        &mut self,
        value: &Value,
        name: &str,
        range: TextRange,
    ) -> Option<Value> {
        let Value::Named(class, _) = value else {
            return None;
        };
        if !class.is_instance {
            return None;
        }
        let key = (class.name.clone(), name.to_string());
        let kind = self.changed_attributes.get(&key).cloned()?;
        if self.level() > 0 {
            return Some(self.hinder("it reads an attribute that the function assigns to"));
        }
        let marked = |before: &str| {
            let key = (format!("{before}{}", class.name), name.to_string());
            self.changed_attributes.contains_key(&key)
        };
        if marked(SEVERAL) || marked(UNSEEN) && !is_looked_at_when_read(&kind) {
            let text = format!("the attribute `{name}` holds values of several types");
            let label = format!(
                "of some {} it is {kind}, of others something else",
                class.name
            );
            let diagnostic = self.wrong(codes::ATTRIBUTE, text, range, label);
            return Some(self.report(diagnostic));
        }
        let (marked_empty, marked_unseen) = (marked(EMPTY_FIRST), marked(UNSEEN));
        let shared = (WHOLES.to_string(), SHARED.to_string());
        let is_shared = self.changed_attributes.contains_key(&shared);
        let kind = match (kind, self.refers_to(&class.name)) {
            // Objects that lie deeper may refer to another one by it.
            (ObjectType::None, Some(next)) if is_shared => ObjectType::Optional(Box::new(next)),
            (kind, _) => kind,
        };
        // What is put into a container that the object had before is learned for the attribute.
        let place = ListKey::of_attribute(&key.0, &key.1);
        let kind = self.remembered(place, kind);
        let handle = self.handle_of_instance(value)?;
        let mut given = vec![(handle, range), (Value::Str(name.into()), range)];
        let types = match &kind {
            kind if is_shared && marked_unseen => {
                let items = item_type_names(kind).unwrap_or_default();
                type_names(kind).map(|own| own + &items)
            }
            kind if is_shared => type_names(kind),
            ObjectType::Array { .. } if marked_empty => Some("|ndarray|".into()),
            kind if marked_empty => type_names(kind),
            _ => None,
        };
        let function = match types {
            Some(types) => {
                given.push((Value::Str(types), range));
                helper("attribute_of_type")
            }
            None => "builtins.getattr".into(),
        };
        let read = self.python_call(&function, &given, &[], Some(kind), range);
        let origins = self.attribute_origins.get(&key).cloned();
        Some(match origins {
            Some(origins) => with_origins(read, &origins),
            None => made_at(read, place),
        })
    }

    /// What objects of a class refer to that refer to others of it.
    fn refers_to(&self, class: &str) -> Option<ObjectType> {
        let mut own = self.changed_attributes.iter();
        own.find_map(|((of, _), kind)| match kind {
            ObjectType::Optional(next) if of == class => match &**next {
                ObjectType::Instance(next) if next.name == class => {
                    Some(ObjectType::Instance(next.clone()))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// A value as it is put into an object of Python's, and what that is; nothing if it cannot be.
    pub fn put_into_object(
        &mut self,
        value: &Value,
        range: TextRange,
    ) -> Option<(Value, ObjectType)> {
        let value = self.all_stored(value.clone());
        let value = match &value {
            Value::Optional(..) => value,
            other => self.python_operand(other, range),
        };
        let mut kind = self.put_kind(&value, range)?;
        self.name_by_class(&mut kind, true);
        Some((value, kind))
    }

    /// `object.name = value`; false if it is something else.
    pub fn assign_to_instance(
        &mut self,
        e: &ExprAttribute,
        value: &Value,
        range: TextRange,
    ) -> bool {
        if !self.is_program() {
            return false;
        }
        let object = self.expr(&e.value);
        let object = match &object {
            Value::Optional(inner, _) if is_instance(inner) => {
                self.plain(&object, e.range()).into_owned()
            }
            _ => object,
        };
        let Value::Named(class, items) = &object else {
            return false;
        };
        if !class.is_instance {
            return false;
        }
        if value.is_poison() {
            return true;
        }
        if self.level() > 0 {
            self.hinder("it assigns to an attribute");
            return true;
        }
        let name = e.attr.as_str();
        if !self.env.can_be_assigned(class.handle, name) {
            let text = format!("what an assignment to `{name}` does is said by the class");
            let diagnostic = self.wrong(codes::ATTRIBUTE_TARGET, text, e.range(), "");
            self.report(diagnostic);
            return true;
        }
        let Some((value, kind)) = self.put_into_object(value, range) else {
            return true;
        };
        let own = class.fields.iter().position(|field| field == name);
        let own = match own.and_then(|position| items.get(position)) {
            Some(item) => match self.kind_of_attribute(item) {
                Some(mut own) => {
                    self.name_by_class(&mut own, true);
                    own
                }
                None if self.again => return true,
                None => {
                    let text = format!("`{name}` holds {}, and is assigned to", item.describe());
                    let diagnostic = self.wrong(codes::ATTRIBUTE_TARGET, text, e.range(), "");
                    self.report(diagnostic);
                    return true;
                }
            },
            None => ObjectType::Unknown,
        };
        let key = (class.name.clone(), name.to_string());
        let known = self.changed_attributes.get(&key).cloned();
        let before = known.clone().unwrap_or(ObjectType::Unknown);
        let before = before.join(&own).unwrap_or(before);
        let joined = match before.join(&kind) {
            None => {
                let other = instead_of_empty(&before, &kind);
                if other.is_some() {
                    let first = format!("{EMPTY_FIRST}{}", class.name);
                    self.learn_attributes(HashMap::from([(
                        (first, name.to_string()),
                        ObjectType::None,
                    )]));
                }
                other
            }
            joined => joined,
        };
        let loose = || (!before.has_array() && !kind.has_array()).then(ObjectType::anything);
        self.wants_loosely |= joined.is_none();
        let loosely = self.loosely;
        let Some(joined) = joined.or_else(|| loose().filter(|_| loosely)) else {
            let text = format!("the attribute `{name}` would hold a {before} and a {kind}");
            let diagnostic = self.wrong(codes::ATTRIBUTE_TARGET, text, e.range(), "");
            self.report(diagnostic);
            return true;
        };
        if let Value::Object(object) = &value {
            // What is put into it later is learned where it was made.
            let origins = match self.attribute_origins.get(&key) {
                Some(before) => joined_origins(before, &object.origins),
                None => object.origins.clone(),
            };
            self.attribute_origins.insert(key.clone(), origins);
        }
        if known.as_ref() != Some(&joined) {
            self.changed_attributes.insert(key, joined);
            self.again = true;
        }
        match self.handle_of_instance(&object) {
            Some(handle) => self.set_python_attribute(&handle, name, &value, range),
            // It is translated again with handles.
            None if self.again => {}
            None => {
                let text = format!("`{name}` cannot be assigned to: the object is its attributes");
                let diagnostic = self.wrong(codes::ATTRIBUTE_TARGET, text, e.range(), "");
                self.report(diagnostic);
            }
        }
        true
    }

    pub fn set_python_attribute(
        &mut self,
        handle: &Value,
        name: &str,
        value: &Value,
        range: TextRange,
    ) {
        if let Value::Optional(inner, present) = value {
            self.flush();
            let present = self.ir(present);
            self.b.begin_if(present);
            self.set_python_attribute(handle, name, inner, range);
            self.b.begin_else();
            self.set_python_attribute(handle, name, &Value::None, range);
            self.b.end();
            return;
        }
        let given = [
            (handle.clone(), range),
            (Value::Str(name.into()), range),
            (value.clone(), range),
        ];
        let nothing = Some(ObjectType::None);
        self.python_call("builtins.setattr", &given, &[], nothing, range);
    }

    /// An argument that is known by its class alone from there on, as one that is put into a container: its attributes,
    /// and those of the objects that it refers to, are read where they are, as if they were assigned to.
    pub fn share_attributes(&mut self, value: &Value) {
        self.share_own_attributes(value);
        self.share_like_attributes();
    }

    /// The same of arguments that are, or hold, objects of classes of which this is known already.
    pub fn share_like_attributes(&mut self) {
        let values = std::mem::take(&mut self.given_values);
        for value in &values {
            if self.holds_shared_objects(value) {
                self.share_own_attributes(value);
            }
        }
        self.given_values = values;
    }

    fn holds_shared_objects(&self, value: &Value) -> bool {
        let is_shared = |class: &NamedTuple| {
            class.is_instance
                && self
                    .changed_attributes
                    .keys()
                    .any(|(of, _)| *of == class.name)
        };
        match value {
            Value::Optional(inner, _) => self.holds_shared_objects(inner),
            Value::Tuple(items) => items.iter().any(|item| self.holds_shared_objects(item)),
            Value::Named(class, items) => {
                is_shared(class) || items.iter().any(|item| self.holds_shared_objects(item))
            }
            _ => false,
        }
    }

    /// Objects that one from outside leads to may hold something else when the program runs: who reads them looks.
    pub fn share_outside(&mut self, namespace: u32) {
        let shared = (WHOLES.to_string(), SHARED.to_string());
        if self.changed_attributes.contains_key(&shared) {
            return;
        }
        self.learn_attributes(HashMap::from([(shared, ObjectType::None)]));
        for (class, name, kind) in self.env.attributes_outside(namespace) {
            self.learn_attributes(HashMap::from([((class, name), kind)]));
        }
    }

    fn share_own_attributes(&mut self, value: &Value) {
        if let Value::Named(class, items) = value
            && class.is_list()
        {
            return items
                .iter()
                .for_each(|item| self.share_own_attributes(item));
        }
        let Some((class, items)) = instance_in(value) else {
            return;
        };
        if class.fields.is_empty() {
            return;
        }
        self.want_wholes();
        self.learn_attributes(HashMap::from([(
            (WHOLES.to_string(), SHARED.to_string()),
            ObjectType::None,
        )]));
        for (name, item) in class.fields.iter().zip(items) {
            self.share_own_attributes(item);
            let key = (class.name.clone(), name.clone());
            let kind = match self.unseen_instance(item) {
                Some(unseen) => Some(unseen),
                None => self.kind_of_attribute(item),
            };
            let Some(kind) = kind else {
                // What is known of other objects is not so of this one. The next translation may know more.
                let before = match lies_too_deep(item) {
                    true => UNSEEN,
                    false => SEVERAL,
                };
                if !self.again {
                    let several = (format!("{before}{}", class.name), name.clone());
                    self.learn_attributes(HashMap::from([(several, ObjectType::None)]));
                }
                continue;
            };
            let kind = match kind {
                // A chain of such objects ends somewhere.
                ObjectType::Instance(next) if next.name == class.name => {
                    ObjectType::Optional(Box::new(ObjectType::Instance(next)))
                }
                kind => kind,
            };
            self.learn_attributes(HashMap::from([(key, kind)]));
        }
    }

    /// An attribute that was not taken apart because it is an object that comes before, as objects have that know one
    /// another: one of its class, or None, which is looked at when it is read.
    fn unseen_instance(&mut self, attribute: &Value) -> Option<ObjectType> {
        fn find(value: &Value, name: &str) -> Option<NamedTuple> {
            if let Some((class, _)) = instance_in(value)
                && class.name == name
            {
                return Some((**class).clone());
            }
            match value {
                Value::Optional(inner, _) => find(inner, name),
                Value::Tuple(items) | Value::Named(_, items) => {
                    items.iter().find_map(|item| find(item, name))
                }
                _ => None,
            }
        }
        let Value::Unsupported(text) = attribute else {
            return None;
        };
        let name = text.strip_prefix("an attribute of the class ")?;
        let bindings = self.frames[0].scope.values();
        let mut known = bindings
            .map(|binding| &binding.value)
            .chain(&self.given_values);
        let class = known.find_map(|value| find(value, name))?;
        let known = self.known_by_class(&class);
        Some(ObjectType::Optional(Box::new(known)))
    }

    /// The same of all arguments, one of which refers to an object that lies too deep to be taken apart. Whether the
    /// function is translated again, with what that tells.
    pub fn share_arguments(&mut self) -> bool {
        let bindings = self.frames[0].scope.values();
        let values: Vec<Value> = bindings.map(|binding| binding.value.clone()).collect();
        for value in &values {
            self.share_own_attributes(value);
        }
        self.again
    }

    /// What an argument is whose attributes are read where they are from now on; nothing if it is no object, or has no
    /// handle yet.
    pub fn shared_instance(&mut self, value: &Value) -> Option<ObjectType> {
        let (class, items) = instance_in(value)?;
        if !matches!(items.get(class.fields.len()), Some(Value::Object(_))) {
            self.want_wholes();
            return None;
        }
        self.share_attributes(value);
        Some(self.known_by_class(class))
    }

    fn known_by_class(&mut self, class: &NamedTuple) -> ObjectType {
        ObjectType::Instance(Box::new(NamedClass {
            handle: self.env.class_itself(class.handle),
            name: class.name.clone(),
            fields: Vec::new(),
        }))
    }

    /// What is one of two objects of a class that were taken apart into other attributes: known by its handle. Nothing
    /// if they are no such objects.
    pub fn joined_instances(&mut self, a: &Value, b: &Value) -> Option<Value> {
        let ((class, x), (other, y)) = (instance_in(a)?, instance_in(b)?);
        let alike =
            |class: &Rc<NamedTuple>, items: &[Value]| Value::Named(class.clone(), items.to_vec());
        if class.name != other.name || same_types(&alike(class, x), &alike(other, y)) {
            return None;
        }
        let (first, second) = (self.known_by_handle(a), self.known_by_handle(b));
        let (Some((first, x)), Some((_, y))) = (first, second) else {
            return self.again.then(|| a.clone());
        };
        let object = instance(&first, Value::Object(x.join(&y)?));
        let is_optional = |value: &Value| matches!(value, Value::Optional(..));
        Some(match is_optional(a) || is_optional(b) {
            true => or_none(object),
            false => object,
        })
    }

    /// What is an object or None, where its attributes cannot be taken along.
    pub fn joined_with_none(&mut self, a: &Value, b: &Value) -> Option<Value> {
        let object = match (a, b) {
            (Value::None, object) | (object, Value::None) => object,
            _ => return None,
        };
        let Some((class, handle)) = self.known_by_handle(object) else {
            return self.again.then(|| object.clone());
        };
        let handle = Value::Object(handle.join(&handle)?);
        Some(or_none(instance(&class, handle)))
    }

    /// The class and the handle of an object whose attributes are read where they are from now on; nothing if it has no
    /// handle, which the next translation may give it.
    fn known_by_handle(&mut self, value: &Value) -> Option<(NamedClass, Object)> {
        let (class, items) = instance_in(value)?;
        let Some(Value::Object(handle)) = items.get(class.fields.len()) else {
            self.want_wholes();
            return None;
        };
        self.share_attributes(value);
        self.share_arguments();
        let class = NamedClass {
            handle: self.env.class_itself(class.handle),
            name: class.name.clone(),
            fields: Vec::new(),
        };
        Some((class, handle.clone()))
    }

    /// An object that a function which calls itself is given; nothing if it is none. Its attributes are read where they
    /// are.
    pub fn given_instance(&mut self, value: &Value) -> Option<ObjectType> {
        let (class, _) = match value {
            Value::Named(..) => self.known_by_handle(value)?,
            _ => return None,
        };
        Some(ObjectType::Instance(Box::new(class)))
    }

    /// Takes over what another translation found out about attributes.
    pub fn learn_attributes(&mut self, found: ChangedAttributes) {
        for (key, mut kind) in found {
            self.name_by_class(&mut kind, true);
            let known = self.changed_attributes.get(&key);
            let joined = known.map_or(Some(kind.clone()), |known| known.join(&kind));
            let (key, kind) = match joined {
                Some(joined) => (key, joined),
                None => ((format!("{SEVERAL}{}", key.0), key.1), ObjectType::None),
            };
            if self.changed_attributes.get(&key) != Some(&kind) {
                self.changed_attributes.insert(key, kind);
                self.again = true;
            }
        }
    }

    fn kind_of_attribute(&mut self, item: &Value) -> Option<ObjectType> {
        match item {
            Value::List(list) if self.holds_nothing(list) => {
                Some(ObjectType::List(Box::new(ObjectType::Unknown)))
            }
            Value::List(_) | Value::Held(_) => {
                let item = self.items_type_of(item)?;
                Some(ObjectType::List(Box::new(item)))
            }
            Value::Named(class, items) if class.is_list() => {
                let mut all = ObjectType::Unknown;
                for item in items {
                    let mut kind = self.kind_of_attribute(item)?;
                    self.name_by_class(&mut kind, true);
                    all = all.join(&kind)?;
                }
                Some(ObjectType::List(Box::new(all)))
            }
            // As many as an object happens to refer to.
            Value::Tuple(items) if items.iter().all(|item| instance_in(item).is_some()) => {
                let mut all = ObjectType::Unknown;
                for item in items {
                    let mut kind = self.kind_of_attribute(item)?;
                    self.name_by_class(&mut kind, true);
                    all = all.join(&kind)?;
                }
                Some(ObjectType::Sequence(Box::new(all)))
            }
            Value::Named(class, items) if class.is_instance && !class.fields.is_empty() => {
                if items.get(class.fields.len()).is_none() {
                    self.want_wholes();
                    return None;
                }
                Some(self.known_by_class(class))
            }
            other => self.object_type_of(other),
        }
    }

    /// An object of a class of the program's own; nothing if the class makes its objects in another way.
    pub fn made_instance(
        &mut self,
        class: &Value,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let Value::Module { handle, name } = class else {
            return None;
        };
        let number = self.env.number(Named::Namespace(*handle))?;
        let (Usage::Method, begin) = self.env.class_attribute(number, INITIALISER)? else {
            return None;
        };
        if self.level() > 0 {
            return Some(self.hinder("it makes an object"));
        }
        let begin = self.captured_value(&begin);
        let known = self.named_object(class, range)?;
        let given = [(Value::Object(known), range)];
        let whole = LibraryType::Object(ObjectType::Unknown);
        let made = self.call_for(&helper("new_object"), &given, &[], &whole, range);
        let class = NamedClass {
            handle: number,
            name: name.rsplit('.').next().unwrap_or(name).to_string(),
            fields: Vec::new(),
        };
        let site = self.site(range);
        let held = self.temporary();
        // Under a name, so that it is kept while loops of the function that begins it let go of others.
        self.bind(&held, instance(&class, made), site);
        let binding = self.scope().get(&held).cloned()?;
        let object = self.recall(&held, &binding.value);
        let mut positional = vec![(object, range)];
        positional.extend(arguments.positional.iter().cloned());
        let given = Arguments {
            positional,
            keywords: arguments.keywords.clone(),
        };
        let result = self.call_value(&begin, &given, range, range, None);
        let binding = self.scope().shift_remove(&held)?;
        if result.is_poison() {
            return Some(Value::Poison);
        }
        Some(self.recall(&held, &binding.value))
    }

    /// `super().name`: the function of the class before, for the same object; nothing if it is something else.
    pub fn inherited(&mut self, e: &ExprAttribute) -> Option<Value> {
        let Expr::Call(call) = &*e.value else {
            return None;
        };
        let is_super = self.is_program()
            && call.arguments.is_empty()
            && matches!(&*call.func, Expr::Name(name) if name.id == "super");
        if !is_super {
            return None;
        }
        let function = self.frame().function;
        let parsed = self
            .parsed
            .get(&function)
            .map(|(parsed, _)| parsed.clone())?;
        let first = parsed.def.parameters.iter_non_variadic_params().next()?;
        let own = first.name().to_string();
        let binding = self.scope().get(&own).cloned()?;
        let object = self.recall(&own, &binding.value);
        let class = self.env.name(function, "__class__")?;
        let Value::Module { handle, .. } = self.captured_value(&class) else {
            return None;
        };
        let number = self.env.number(Named::Namespace(handle))?;
        let asked = format!("{INHERITED}{}", e.attr);
        let (Usage::Method, _) = self.env.class_attribute(number, &asked)? else {
            return None;
        };
        Some(Value::ArrayMethod(
            Box::new(object),
            format!("{INHERITED}{number}.{}", e.attr),
        ))
    }

    /// The function that such a method is.
    pub fn inherited_function(&mut self, name: &str) -> Option<Value> {
        let (number, name) = name.strip_prefix(INHERITED)?.split_once('.')?;
        let asked = format!("{INHERITED}{name}");
        let (_, found) = self.env.class_attribute(number.parse().ok()?, &asked)?;
        Some(self.captured_value(&found))
    }
}
