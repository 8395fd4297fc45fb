//! What the items of lists are, and how that is found out.
//!
//! A list is known by the place of the program that makes it. What is put into it is remembered under
//! that place; if it turns out to be more than was assumed, the function is translated again. The same
//! goes for how a list is kept: as a tuple while nobody changes it, as an array with a length of its own
//! while it holds numbers and nothing else refers to it, by Python if it holds objects (`python_lists`),
//! and else by the runtime.

use crate::codes;
use crate::objects::python_lists::is_of_python;
use crate::program::{ListItem, ObjectType};
use crate::translate::Translator;
use crate::types::{self, type_name};
use crate::value::{Know, NamedTuple, Scalar, Value};
use colocate_diag::Site;
use colocate_ir::{DType, Kind};
use ruff_text_size::TextRange;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The place of the program that makes a list or another container, and the way from its items to those of a list
/// inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ListKey {
    file: u32,
    start: u32,
    end: u32,
    /// Tells calls of the function that makes it apart.
    calls: u32,
    /// Steps of eight bits each, the first in the lowest: 1 goes into a list, 2 and more to an item of
    /// a tuple.
    path: u64,
}

const INTO_LIST: u8 = 1;
const FIRST_OF_TUPLE: u8 = 2;

impl ListKey {
    /// A place that makes one thing for all calls of its function.
    pub fn of_all_calls(site: Site) -> ListKey {
        ListKey {
            file: site.file,
            start: site.span.start,
            end: site.span.end,
            calls: 0,
            path: 0,
        }
    }

    /// What stands for the containers that an attribute of a class's objects holds.
    pub fn of_attribute(class: &str, name: &str) -> ListKey {
        let number = |text: &str| {
            text.bytes().fold(0x811c_9dc5, |number: u32, byte| {
                (number ^ u32::from(byte)).wrapping_mul(0x0100_0193)
            })
        };
        ListKey {
            file: u32::MAX,
            start: number(class),
            end: number(name),
            calls: 0,
            path: 0,
        }
    }

    /// What stands for a container outside the program, which is one object, whoever names it.
    pub fn of_outside(number: u32) -> ListKey {
        ListKey {
            file: u32::MAX - 1,
            start: number,
            end: 0,
            calls: 0,
            path: 0,
        }
    }

    /// What stands for an exception that the program makes.
    pub fn of_exception(number: u32) -> ListKey {
        ListKey {
            file: u32::MAX - 2,
            start: number,
            end: number,
            calls: 0,
            path: 0,
        }
    }

    /// The list itself.
    pub fn root(self) -> ListKey {
        ListKey { path: 0, ..self }
    }

    fn steps(self) -> impl Iterator<Item = u8> {
        self.path
            .to_le_bytes()
            .into_iter()
            .take_while(|step| *step != 0)
    }

    fn step(self, step: u8) -> ListKey {
        let count = self.steps().count() as u32;
        let path = match count {
            0..=7 => self.path | u64::from(step) << (8 * count),
            _ => self.path,
        };
        ListKey { path, ..self }
    }

    /// The list that an item of this one is.
    pub fn inner(self) -> ListKey {
        self.step(INTO_LIST)
    }

    /// An item of the tuple that an item of this one is.
    pub fn part(self, position: usize) -> ListKey {
        self.step(FIRST_OF_TUPLE.saturating_add(position.min(250) as u8))
    }
}

/// What the items of a list are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// Nothing was put into it.
    Open,
    Scalar(DType, bool),
    Array {
        dtype: DType,
        rank: usize,
        writable: bool,
    },
    Tuple(Vec<Item>),
    Named(Rc<NamedTuple>, Vec<Item>),
    List(Box<Item>),
    /// `None`, as far as is known.
    None,
    /// Something without arrays, or None.
    Optional(Box<Item>),
}

impl Item {
    /// What holds one or the other.
    pub fn join(&self, other: &Item) -> Option<Item> {
        Some(match (self, other) {
            (Item::Open, item) | (item, Item::Open) => item.clone(),
            (Item::Scalar(dtype, weak), Item::Scalar(second, second_weak)) => {
                let (dtype, weak) = joined((*dtype, *weak), (*second, *second_weak));
                Item::Scalar(dtype, weak)
            }
            (
                Item::Array {
                    dtype,
                    rank,
                    writable,
                },
                Item::Array {
                    dtype: second,
                    rank: axes,
                    writable: also,
                },
            ) if dtype == second && rank == axes => Item::Array {
                dtype: *dtype,
                rank: *rank,
                writable: *writable && *also,
            },
            (Item::Tuple(a), Item::Tuple(b)) if a.len() == b.len() => Item::Tuple(join_all(a, b)?),
            (Item::Named(class, a), Item::Named(other, b))
                if class == other && !class.is_list()
                    || class.is_list() && other.is_list() && a.len() == b.len() =>
            {
                // Lists that are written down in several places are those of none.
                let class = match class == other {
                    true => class.clone(),
                    false => crate::host::part::list_class(None),
                };
                Item::Named(class, join_all(a, b)?)
            }
            (Item::List(a), Item::List(b)) => Item::List(Box::new(a.join(b)?)),
            (Item::None, Item::None) => Item::None,
            (Item::Optional(a), Item::Optional(b)) => Item::Optional(Box::new(a.join(b)?)),
            (Item::Optional(a), Item::None) | (Item::None, Item::Optional(a)) => {
                Item::Optional(a.clone())
            }
            (Item::Optional(a), b) | (b, Item::Optional(a)) => Item::Optional(Box::new(a.join(b)?)),
            (Item::None, item) | (item, Item::None) if !item.has_arrays() => {
                Item::Optional(Box::new(item.clone()))
            }
            _ => return None,
        })
    }

    /// Whether it is nested more deeply than so many levels.
    pub fn is_deeper_than(&self, levels: usize) -> bool {
        let inside = |item: &Item| levels == 0 || item.is_deeper_than(levels - 1);
        match self {
            Item::Tuple(items) | Item::Named(_, items) => items.iter().any(inside),
            Item::List(inner) | Item::Optional(inner) => inside(inner),
            Item::Open | Item::Scalar(..) | Item::Array { .. } | Item::None => false,
        }
    }

    fn has_arrays(&self) -> bool {
        match self {
            Item::Array { .. } => true,
            Item::Tuple(items) | Item::Named(_, items) => items.iter().any(Item::has_arrays),
            Item::Optional(inner) => inner.has_arrays(),
            Item::Open | Item::Scalar(..) | Item::List(_) | Item::None => false,
        }
    }

    /// The part of it that a way leads to.
    fn at(&mut self, steps: &mut dyn Iterator<Item = u8>) -> Option<&mut Item> {
        let Some(step) = steps.next() else {
            return Some(self);
        };
        match self {
            Item::List(inner) if step == INTO_LIST => inner.at(steps),
            Item::Tuple(items) | Item::Named(_, items) => items
                .get_mut(usize::from(step.checked_sub(FIRST_OF_TUPLE)?))?
                .at(steps),
            _ => None,
        }
    }

    /// Whether the items are numbers, or there are none.
    pub fn is_number(&self) -> bool {
        matches!(self, Item::Open | Item::Scalar(..))
    }

    /// The dtype of numbers, and whether they are Python's.
    pub fn number(&self) -> (DType, bool) {
        match self {
            Item::Scalar(dtype, weak) => (*dtype, *weak),
            _ => (DType::Int64, true),
        }
    }

    /// As the runtime knows it.
    pub fn for_runtime(&self) -> ListItem {
        let all = |items: &[Item]| items.iter().map(Item::for_runtime).collect();
        match self {
            Item::Open | Item::Scalar(..) => {
                let (dtype, weak) = self.number();
                ListItem::Scalar { dtype, weak }
            }
            Item::Array { dtype, rank, .. } => ListItem::Array {
                dtype: *dtype,
                rank: *rank as u8,
            },
            Item::Tuple(items) => ListItem::Tuple(all(items)),
            Item::Named(class, items) => ListItem::Named(class.handle, all(items)),
            Item::List(inner) => ListItem::List(Box::new(inner.for_runtime())),
            Item::None => ListItem::Optional(Box::new(ListItem::Scalar {
                dtype: DType::Bool,
                weak: true,
            })),
            Item::Optional(inner) => ListItem::Optional(Box::new(inner.for_runtime())),
        }
    }

    /// As an item of a list of Python's; `None` if it cannot be one.
    pub fn for_python(&self) -> Option<ObjectType> {
        Some(match self {
            Item::Open => ObjectType::Unknown,
            Item::Scalar(dtype, weak) => ObjectType::Scalar {
                dtype: *dtype,
                weak: *weak,
            },
            Item::Array { dtype, rank, .. } => ObjectType::Array {
                dtype: *dtype,
                rank: *rank as u8,
            },
            Item::Tuple(items) => {
                let items = items.iter().map(Item::for_python);
                ObjectType::Tuple(items.collect::<Option<_>>()?)
            }
            Item::Named(..) => return None,
            Item::List(inner) => ObjectType::List(Box::new(inner.for_python()?)),
            Item::None => ObjectType::None,
            Item::Optional(inner) => ObjectType::Optional(Box::new(inner.for_python()?)),
        })
    }

    /// Of a list among the arguments.
    pub fn of_argument(item: &ListItem) -> Item {
        match item {
            ListItem::Scalar { dtype, weak } => Item::Scalar(*dtype, *weak),
            ListItem::Array { dtype, rank } => Item::Array {
                dtype: *dtype,
                rank: usize::from(*rank),
                writable: true,
            },
            ListItem::Tuple(items) | ListItem::Named(_, items) => {
                Item::Tuple(items.iter().map(Item::of_argument).collect())
            }
            ListItem::List(inner) => Item::List(Box::new(Item::of_argument(inner))),
            ListItem::Optional(inner) => Item::Optional(Box::new(Item::of_argument(inner))),
        }
    }

    /// Whether its parts have an order, and can be compared.
    pub fn is_ordered(&self) -> bool {
        match self {
            Item::Open | Item::Scalar(..) => true,
            Item::Array { .. } | Item::None | Item::Optional(_) => false,
            // Objects have the order that their class says.
            Item::Named(class, _) if class.is_instance => false,
            Item::Tuple(items) | Item::Named(_, items) => items.iter().all(Item::is_ordered),
            Item::List(inner) => inner.is_ordered(),
        }
    }

    pub fn describe(&self) -> String {
        match self {
            Item::Open => "nothing".into(),
            Item::Scalar(dtype, weak) => type_name(*dtype, *weak).to_string(),
            Item::Array { dtype, rank, .. } => format!("{rank}-d arrays of {dtype}"),
            Item::Tuple(items) => {
                let items: Vec<_> = items.iter().map(Item::describe).collect();
                format!("tuples ({})", items.join(", "))
            }
            Item::Named(class, items) if class.is_list() => {
                let items: Vec<_> = items.iter().map(Item::describe).collect();
                format!("lists [{}]", items.join(", "))
            }
            Item::Named(class, _) => format!("{} tuples", class.name),
            Item::List(inner) => format!("lists of {}", inner.describe()),
            Item::None => "None".into(),
            Item::Optional(inner) => format!("{} or None", inner.describe()),
        }
    }
}

fn join_all(a: &[Item], b: &[Item]) -> Option<Vec<Item>> {
    a.iter().zip(b).map(|(a, b)| a.join(b)).collect()
}

/// The type of numbers of which some are the one, some the other.
fn joined((dtype, weak): (DType, bool), (second, second_weak): (DType, bool)) -> (DType, bool) {
    let open = |dtype, weak| Scalar {
        dtype,
        weak,
        know: Know::Any,
        ir: None,
    };
    if dtype.kind() == Kind::Bool && second.kind() == Kind::Bool {
        return (DType::Bool, weak && second_weak);
    }
    types::join(&open(dtype, weak), &open(second, second_weak))
}

/// What is kept of the types that one translation found for the next one. If items were read of which nothing was known,
/// in this translation or in one before, and they are none of the integers that they were taken for, what they went
/// into is found anew: a guess must not widen it.
pub(crate) fn kept_types(
    mut types: HashMap<ListKey, Item>,
    read_open: &mut HashSet<ListKey>,
    ever_open: &mut HashSet<ListKey>,
) -> HashMap<ListKey, Item> {
    let guessed = |key: &ListKey| {
        let item = types.get(key);
        item.is_some_and(|item| !matches!(item, Item::Open | Item::Scalar(DType::Int64, true)))
    };
    if read_open.iter().any(guessed) {
        ever_open.extend(read_open.drain());
        types.retain(|key, _| ever_open.contains(key));
    }
    types
}

impl Translator<'_> {
    /// What a list is known by that is made at a place.
    pub fn list_key(&mut self, range: TextRange) -> ListKey {
        let site = self.site(range);
        self.list_key_at(site)
    }

    pub fn list_key_at(&self, site: Site) -> ListKey {
        let mut calls: u32 = 0x811c_9dc5 ^ self.list_salt;
        // A function of the host part makes the same for all of its calls.
        let inside = self.frames.iter().skip(self.function_base + 1);
        for called in inside.filter_map(|frame| frame.called_at) {
            for part in [called.file, called.span.start] {
                calls = (calls ^ part).wrapping_mul(0x0100_0193);
            }
        }
        ListKey {
            calls,
            ..ListKey::of_all_calls(site)
        }
    }

    /// What a list is known to hold.
    pub fn known_item(&self, key: ListKey) -> Item {
        let mut whole = self
            .list_types
            .get(&key.root())
            .cloned()
            .unwrap_or(Item::Open);
        whole
            .at(&mut key.steps())
            .map_or(Item::Open, |item| item.clone())
    }

    /// Whether nothing is known yet of an item that is read: then the function is translated again, and what
    /// is made of the item says nothing until then.
    pub fn is_unknown(&mut self, key: ListKey) -> bool {
        // What was put into it since is seen by the next translation only.
        let unknown = !self.settling && self.open_lists.contains(&key.root());
        self.read_unknown |= unknown;
        unknown
    }

    /// Notes that an item is read, and what it is was only guessed.
    pub fn note_read(&mut self, key: ListKey) {
        if self.known_item(key) == Item::Open {
            self.read_open.insert(key.root());
        }
    }

    /// Notes a number that becomes a new item.
    pub fn note_added(&mut self, key: ListKey, number: &Scalar) {
        let kind = match (number.dtype.kind(), number.know) {
            // An int on some ways, and of another type on others.
            (kind, Know::Either { .. }) => 2 | if kind == Kind::Float { 4 } else { 1 },
            (Kind::Bool, _) => 1,
            (Kind::Int | Kind::UInt, _) => 2,
            (Kind::Float, _) => 4,
            (Kind::Complex, _) => 8,
        };
        *self.added_kinds.entry(key).or_default() |= kind;
    }

    /// Notes that the caller sees a list.
    pub fn note_leaving(&mut self, value: &Value) {
        let key = match value {
            Value::List(list) => list.key,
            Value::Held(held) => held.key,
            _ => return,
        };
        self.leaving_lists.push(key);
    }

    /// Lists that the caller sees and that hold numbers of several kinds are Python's own: ours would make
    /// them one.
    pub fn turn_mixed_lists(&mut self) {
        for key in std::mem::take(&mut self.leaving_lists) {
            let mixed = self
                .added_kinds
                .iter()
                .any(|(other, kinds)| other.root() == key.root() && kinds.count_ones() > 1);
            if mixed && self.python_lists.insert(key.root()) {
                self.again = true;
            }
        }
    }

    /// Notes what is put into a list; false if that is more than is assumed, so that the function is
    /// translated again, or wrong.
    pub fn admit_item(
        &mut self,
        key: ListKey,
        assumed: &Item,
        item: &Item,
        range: TextRange,
    ) -> bool {
        let known = self.known_item(key);
        let Some(together) = known.join(item) else {
            self.report_mixed(&known, item, range);
            // Python's own lists hold anything.
            let is_plain = |item: &Item| item.for_python().is_some_and(|kind| !kind.has_array());
            if is_plain(&known) && is_plain(item) {
                self.wider_lists.push(key.root());
            }
            return false;
        };
        let Some(together) = together.join(assumed) else {
            self.report_mixed(assumed, item, range);
            return false;
        };
        if self.again && together != *assumed {
            // What was learned before may say otherwise next time what this is.
            return false;
        }
        self.set_item(key, together.clone());
        if together == *assumed {
            return true;
        }
        self.again = true;
        false
    }

    fn set_item(&mut self, key: ListKey, item: Item) {
        let whole = self.list_types.entry(key.root()).or_insert(Item::Open);
        if let Some(place) = whole.at(&mut key.steps()) {
            *place = item;
        }
    }

    fn report_mixed(&mut self, known: &Item, item: &Item, range: TextRange) {
        // Types that are not settled yet say nothing.
        if self.again {
            return;
        }
        let diagnostic = self
            .wrong(
                codes::CONTAINER,
                "the items of a list must be of one type in jit functions",
                range,
                format!(
                    "the list holds {}, and now {}",
                    known.describe(),
                    item.describe()
                ),
            )
            .help("use two lists, or a tuple");
        self.report(diagnostic);
    }

    /// The list made at a place is kept by the runtime from now on.
    pub fn hold_list(&mut self, key: ListKey) {
        if self.held_lists.insert(key.root()) {
            self.again = true;
        }
    }

    /// The list written down at a place is one that changes from now on; false if it is none of the
    /// program's.
    pub fn change_list(&mut self, key: Option<ListKey>) -> bool {
        let Some(key) = key else {
            return false;
        };
        if self.changing_lists.insert(key.root()) {
            self.again = true;
        }
        true
    }

    /// What a value is as an item. A list that is written down or kept in an array of its own is kept by
    /// the runtime from the next translation on.
    pub fn item_type(&mut self, value: &Value, range: TextRange) -> Option<Item> {
        Some(match value {
            Value::Poison => return None,
            Value::Scalar(scalar) => Item::Scalar(scalar.dtype, scalar.weak),
            Value::View(view) => Item::Array {
                dtype: view.dtype,
                rank: view.rank(),
                writable: view.writable,
            },
            Value::Lazy(lazy) => Item::Array {
                dtype: lazy.dtype,
                rank: lazy.rank(),
                writable: true,
            },
            Value::Held(held) => Item::List(Box::new(held.item.clone())),
            Value::None => Item::None,
            Value::Optional(inner, _) => {
                let inner = self.item_type(inner, range)?;
                match inner.join(&Item::None) {
                    Some(item) => item,
                    None => return self.no_item(value, range),
                }
            }
            Value::List(list) => {
                self.hold_list(list.key);
                Item::List(Box::new(self.known_item(list.key)))
            }
            Value::Named(class, items) if class.is_list() => {
                let items: Option<Vec<Item>> = items
                    .iter()
                    .map(|item| self.item_type(item, range))
                    .collect();
                let items = items?;
                let together = items
                    .iter()
                    .try_fold(Item::Open, |inner, item| inner.join(item));
                let Some(inner) = together else {
                    // Its items are of several types, so its length is known wherever it is read.
                    return Some(Item::Named(class.clone(), items));
                };
                if !self.change_list(class.list) {
                    return self.no_item(value, range);
                }
                if let Some(key) = class.list {
                    self.hold_list(key);
                }
                Item::List(Box::new(inner))
            }
            // An object that refers to one that was not taken apart.
            Value::Named(class, items)
                if class.is_instance
                    && items.iter().any(refers_to_others)
                    && self.share_arguments() =>
            {
                return None;
            }
            Value::Named(class, items) if !items.is_empty() => {
                let items: Option<_> = items
                    .iter()
                    .map(|item| self.item_type(item, range))
                    .collect();
                Item::Named(class.clone(), items?)
            }
            Value::Tuple(items) if !items.is_empty() => {
                let items: Option<_> = items
                    .iter()
                    .map(|item| self.item_type(item, range))
                    .collect();
                Item::Tuple(items?)
            }
            other => return self.no_item(other, range),
        })
    }

    fn no_item(&mut self, value: &Value, range: TextRange) -> Option<Item> {
        let what = value.describe();
        let diagnostic = self
            .wrong(
                codes::CONTAINER,
                format!("a list that changes cannot hold {what} in jit functions"),
                range,
                format!("this is {what}"),
            )
            .help("such lists hold numbers, arrays, tuples and lists");
        self.report(diagnostic);
        None
    }

    /// Makes lists that stand for one another, because it depends on the path which of them it is, fit:
    /// they are kept by the runtime, and hold the same.
    pub fn unify_lists(&mut self, a: &Value, b: &Value) {
        if !self.is_program() || self.level() > 0 || a == b {
            return;
        }
        if self.turns_like_other(a, b) {
            return;
        }
        match (a, b) {
            (Value::Optional(a, _), Value::Optional(b, _)) => self.unify_lists(a, b),
            (Value::None, Value::List(list)) | (Value::List(list), Value::None) => {
                self.hold_list(list.key);
            }
            (Value::Optional(a, _), b) => self.unify_lists(a, b),
            (a, Value::Optional(b, _)) => self.unify_lists(a, b),
            (Value::Tuple(a), Value::Tuple(b)) => {
                for (a, b) in a.iter().zip(b) {
                    self.unify_lists(a, b);
                }
            }
            (Value::Named(class, x), Value::Named(other, y)) => {
                let lists = class.is_list() && other.is_list();
                if !lists || (x.len() == y.len() && alike(a, b)) {
                    for (a, b) in x.iter().zip(y) {
                        self.unify_lists(a, b);
                    }
                    return;
                }
                self.unify_two(a, b);
            }
            (
                Value::List(_) | Value::Held(_) | Value::Named(..),
                Value::List(_) | Value::Held(_) | Value::Named(..),
            ) => self.unify_two(a, b),
            _ => {}
        }
    }

    fn unify_two(&mut self, a: &Value, b: &Value) {
        let range = TextRange::default();
        if is_of_python(a) || is_of_python(b) {
            self.make_python_list(a);
            self.make_python_list(b);
            return;
        }
        let (Some(x), Some(y)) = (self.list_part(a), self.list_part(b)) else {
            return;
        };
        let Some(together) = x.1.join(&y.1) else {
            return;
        };
        for (key, item) in [x, y] {
            self.hold_list(key);
            if item != together {
                self.admit_item(key, &item, &together, range);
            }
        }
    }

    /// Lists that are made in each turn of a loop, and go by several names at its end, may be those of
    /// different turns: the runtime holds them. Locals from this number on are the loop's own.
    pub fn hold_aliases(&mut self, scope: &crate::scope::Scope, first: usize) {
        if !self.is_program() || self.level() > 0 {
            return;
        }
        let mut seen = std::collections::HashSet::new();
        let mut twice = Vec::new();
        let mut note = |value: &Value| {
            if let Value::List(list) = value
                && list.local.index() >= first
                && !seen.insert(list.local)
            {
                twice.push(list.key);
            }
        };
        for binding in scope.values() {
            each_list(&binding.value, &mut note);
        }
        for key in twice {
            self.hold_list(key);
        }
    }

    /// The place and the items of a list, if it is one that can be kept by the runtime.
    fn list_part(&mut self, value: &Value) -> Option<(ListKey, Item)> {
        match value {
            Value::Held(held) => Some((held.key, held.item.clone())),
            Value::List(list) => Some((list.key, self.known_item(list.key))),
            Value::Named(class, items) if class.is_list() => {
                let key = class.list?;
                let mut inner = Item::Open;
                for item in items {
                    let before = self.diagnostics.len();
                    let item = self.item_type(item, TextRange::default());
                    self.forget_diagnostics(before);
                    inner = inner.join(&item?)?;
                }
                self.change_list(Some(key));
                Some((key, inner))
            }
            _ => None,
        }
    }
}

/// Whether two lists that are written down can be joined item by item.
fn alike(a: &Value, b: &Value) -> bool {
    let site = Site::default();
    !matches!(
        crate::joins::join(a, site, b, site, true),
        Value::Conflict(_)
    )
}

/// Visits the values that a value consists of.
fn each_list(value: &Value, visit: &mut dyn FnMut(&Value)) {
    match value {
        Value::Tuple(items) | Value::Named(_, items) => {
            items.iter().for_each(|item| each_list(item, visit));
        }
        other => visit(other),
    }
}

/// Whether an attribute is, or has, objects whose number or classes are known only when the program runs.
fn refers_to_others(attribute: &Value) -> bool {
    match attribute {
        Value::Unsupported(_) => true,
        Value::Tuple(items) => {
            let is_object =
                |item: &Value| matches!(item, Value::Named(class, _) if class.is_instance);
            items.is_empty() || items.iter().any(is_object)
        }
        _ => false,
    }
}
