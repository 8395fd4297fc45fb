//! Methods of lists.

use crate::calls::Arguments;
use crate::host::failures::{Part, Raised};
use crate::objects::held_lists::Held;
use crate::objects::items::Item;
use crate::objects::lists::List;
use crate::objects::python_objects::helper;
use crate::program::ListCall;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType};
use ruff_text_size::{TextRange, TextSize};

const METHODS: &[&str] = &[
    "append", "clear", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse",
    "sort",
];

/// What stands for the key that a function of two is made.
const COMPARISON: &str = "cmp_to_key";

/// The function of two that a key was made of; nothing for other keys.
pub(crate) fn comparison(key: &Value) -> Option<&Value> {
    match key {
        Value::ArrayMethod(function, name) if name == COMPARISON => Some(function),
        _ => None,
    }
}

fn value_error(text: &str) -> Raised {
    Raised {
        class: "ValueError",
        parts: vec![Part::Text(text.into())],
    }
}

impl Translator<'_> {
    /// A method of a list.
    pub fn list_method(
        &mut self,
        list: &Value,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses a list");
        }
        if let Value::Object(_) = list {
            return self.object_method(list, name, arguments, range);
        }
        if crate::objects::changing_statements::changes(name) {
            self.flush_list_readers();
            self.note_change(list);
        }
        let given: Vec<Value> = arguments
            .positional
            .iter()
            .map(|(value, _)| value.clone())
            .collect();
        if given.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        match (name, &given[..]) {
            ("append", [value]) => {
                let value = self.all_stored(value.clone());
                self.append_to(list, &value, range);
                Value::None
            }
            ("extend", [value]) => {
                let value = self.all_stored(value.clone());
                self.extend_with(list, &value, range);
                Value::None
            }
            ("clear", []) => {
                self.clear_list(list);
                Value::None
            }
            ("copy", []) => {
                let whole = Value::Slice(Box::new([None, None, None]));
                self.item_of_list(list, &whole, range)
            }
            ("pop", []) => self.pop_item(list, &Scalar::const_int(-1).into(), range),
            ("pop", [index]) => self.pop_item(list, index, range),
            ("insert", [index, value]) => {
                let value = self.all_stored(value.clone());
                self.insert_item(list, index, &value, range);
                Value::None
            }
            ("reverse", []) => {
                self.reverse_list(list);
                Value::None
            }
            ("sort", []) => {
                self.sort_list(list, arguments, range);
                Value::None
            }
            ("index", [value, bounds @ ..]) if bounds.len() <= 2 => {
                self.index_in(list, value, bounds, range)
            }
            ("remove", [value]) => {
                let Some(found) = self.place_in_list(list, value, range) else {
                    return Value::Poison;
                };
                let (at, zero) = (self.ir(&found), self.b.int64(0));
                let missing = self.b.compare(CompareOp::Less, at, zero);
                let raised = value_error("list.remove(x): x not in list");
                self.raise_if(missing, &raised, range);
                self.remove_at(list, at);
                Value::None
            }
            ("count", [value]) => self.count_in_list(list, value, range),
            _ => self.no_attribute(list, name, METHODS, range),
        }
    }

    /// Takes out the item at a position inside the list.
    fn remove_at(&mut self, list: &Value, at: colocate_ir::ValueId) {
        match list {
            Value::List(list) => self.close_list_gap(list, at),
            Value::Held(held) => self.held_delete(held, at),
            _ => {}
        }
    }

    fn pop_item(&mut self, list: &Value, index: &Value, range: TextRange) -> Value {
        let Some(index) = self.integer(index, range, "an index") else {
            return Value::Poison;
        };
        let Some(length) = self.length_of(list, range) else {
            return Value::Poison;
        };
        let (count, zero) = (self.ir(&length), self.b.int64(0));
        let empty = self.b.compare(CompareOp::Equal, count, zero);
        let index_error = |text: &str| Raised {
            class: "IndexError",
            parts: vec![Part::Text(text.into())],
        };
        self.raise_if(empty, &index_error("pop from empty list"), range);
        let wrapped = self.wrapped_index(&index, &length);
        let at = self.ir(&wrapped);
        let (low, high) = (
            self.b.convert(at, DType::UInt64),
            self.b.convert(count, DType::UInt64),
        );
        let outside = self.b.compare(CompareOp::GreaterEqual, low, high);
        self.raise_if(outside, &index_error("pop index out of range"), range);
        let item = self.item_at(list, &Scalar::int(at, Know::NonNegative), range);
        match list {
            Value::List(own) if index.as_int() == Some(-1) => self.b.set(own.length, at),
            _ => self.remove_at(list, at),
        }
        item
    }

    fn insert_item(&mut self, list: &Value, index: &Value, value: &Value, range: TextRange) {
        if self.turns_python_list(list, value) {
            return;
        }
        let Some(index) = self.integer(index, range, "an index") else {
            return;
        };
        match (list, value) {
            (Value::List(list), Value::Scalar(scalar)) => {
                self.list_insert(list, &index, scalar, range);
            }
            // It notes what the list has to hold.
            (Value::List(_), other) => self.append_to(list, other, range),
            (Value::Held(held), Value::Scalar(scalar)) if held.item.is_number() => {
                let item = Item::Scalar(scalar.dtype, scalar.weak);
                if self.admit_item(held.key, &held.item, &item, range) {
                    let list = self.opened(held);
                    self.list_insert(&list, &index, scalar, range);
                    self.closed(held, &list);
                }
            }
            (Value::Held(held), value) => {
                let length = self.held_length(held);
                let at = self.insert_position(&index, &length);
                let at = self.ir(&at);
                self.held_put(held, at, value, true, range);
            }
            _ => {}
        }
    }

    /// `list.index(value, start, stop)`.
    fn index_in(
        &mut self,
        list: &Value,
        value: &Value,
        bounds: &[Value],
        range: TextRange,
    ) -> Value {
        let (part, first) = match bounds {
            [] => (list.clone(), Scalar::const_int(0)),
            bounds => {
                let mut parts = [None, None, None];
                for (part, bound) in parts.iter_mut().zip(bounds) {
                    let Some(bound) = self.integer(bound, range, "a bound") else {
                        return Value::Poison;
                    };
                    *part = Some(bound);
                }
                let Some(length) = self.length_of(list, range) else {
                    return Value::Poison;
                };
                let Some((start, ..)) = self.slice_of(&length, &parts, range) else {
                    return Value::Poison;
                };
                let slice = Value::Slice(Box::new(parts));
                (self.item_of_list(list, &slice, range), start)
            }
        };
        if part.is_poison() {
            return part;
        }
        let Some(found) = self.place_in_list(&part, value, range) else {
            return Value::Poison;
        };
        let (at, zero) = (self.ir(&found), self.b.int64(0));
        let missing = self.b.compare(CompareOp::Less, at, zero);
        let raised = value_error("the value is not in list");
        self.raise_if(missing, &raised, range);
        self.index_op(BinaryOp::Add, &found, &first).into()
    }

    /// `list.sort(key=..., reverse=...)`.
    fn sort_list(&mut self, list: &Value, arguments: &Arguments, range: TextRange) {
        let (mut key, mut descending) = (None, Scalar::const_bool(false));
        for (name, value, place) in &arguments.keywords {
            match name.as_str() {
                "key" if matches!(value, Value::None) => {}
                "key" => key = Some(value.clone()),
                "reverse" => match self.truth(value, *place) {
                    Some(truth) => descending = truth,
                    None => return,
                },
                _ => {
                    let diagnostic = self.wrong(
                        crate::codes::ARGUMENTS,
                        format!("`sort` takes no `{name}`"),
                        *place,
                        "",
                    );
                    self.report(diagnostic);
                    return;
                }
            }
        }
        if key.is_none() && self.sort_numbers(list, &descending, range) {
            return;
        }
        let sorted = match &key {
            // The function may change the list: Python hides it meanwhile, and looks at it afterwards.
            Some(_) => {
                let whole = Value::Slice(Box::new([None, None, None]));
                let before = self.item_of_list(list, &whole, range);
                let sorted = self.ordered(&before, key.as_ref(), &descending, range);
                self.raise_if_modified(list, &before, range);
                self.discard(&before);
                sorted
            }
            None => self.ordered(list, None, &descending, range),
        };
        let Some(sorted) = sorted else {
            return;
        };
        let (Some(lent), Some(other)) = (self.lent(list), self.lent(&sorted)) else {
            return;
        };
        if lent.item != other.item {
            return;
        }
        let length = self.held_length(&lent);
        let words =
            [lent.number, Scalar::const_int(0), length, other.number].map(|one| self.ir(&one));
        self.list_call(ListCall::Splice, &words, Vec::new());
        self.given_back(&sorted, &other, false);
        self.discard(&sorted);
        self.given_back(list, &lent, true);
    }

    fn raise_if_modified(&mut self, list: &Value, before: &Value, range: TextRange) {
        let lengths = [list, before].map(|one| self.length_of(one, range));
        let [Some(now), Some(then)] = lengths else {
            return;
        };
        let other = self.compare_scalars(CompareOp::NotEqual, &now, &then);
        let other = self.ir(&other);
        self.raise_if(other, &value_error("list modified during sort"), range);
    }

    /// A new list of the items in their order, or that of their keys.
    pub fn ordered(
        &mut self,
        list: &Value,
        key: Option<&Value>,
        descending: &Scalar,
        range: TextRange,
    ) -> Option<Value> {
        let (positions, held) = match key {
            Some(key) if let Some(compare) = comparison(key) => {
                let positions = self.compared_order(compare, list, descending, range)?;
                (positions, None)
            }
            Some(function) => {
                let keys = self.keys_of(function, list, range);
                self.order_of(&keys, descending, range)?
            }
            None => self.order_of(list, descending, range)?,
        };
        let made = self.alike_list(list, &Value::Tuple(Vec::new()), range)?;
        let turns = self.list_length(&positions);
        let (zero, stop, one) = (self.b.int64(0), self.ir(&turns), self.b.int64(1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, stop, one);
        let at = self.b.get(counter);
        let place = self.list_take(&positions, at);
        let place = Scalar {
            know: Know::NonNegative,
            ..place
        };
        let item = self.item_at(list, &place, range);
        self.append_to(&made, &item, range);
        self.b.end();
        if let Some(held) = held {
            let number = self.ir(&held);
            self.list_call(ListCall::Drop, &[number], Vec::new());
        }
        Some(made)
    }

    /// `cmp_to_key(function)`.
    pub fn key_of_comparison(&mut self, arguments: &Arguments) -> Option<Value> {
        let arguments = arguments.by_position(&["mycmp"]);
        match (&arguments.positional[..], &arguments.keywords[..]) {
            ([(function, _)], []) => {
                let function = Box::new(function.clone());
                Some(Value::ArrayMethod(function, COMPARISON.into()))
            }
            _ => None,
        }
    }

    /// The positions of items in the order that a function of two says.
    pub fn compared_order(
        &mut self,
        compare: &Value,
        items: &Value,
        descending: &Scalar,
        range: TextRange,
    ) -> Option<List> {
        let given = vec![items.clone(), compare.clone(), (*descending).into()];
        self.order_by_function("compared_order", given, range)
    }

    /// The positions that a function of `_list_functions.py` gives.
    fn order_by_function(
        &mut self,
        function: &str,
        given: Vec<Value>,
        range: TextRange,
    ) -> Option<List> {
        let given = Arguments {
            positional: given.into_iter().map(|value| (value, range)).collect(),
            keywords: Vec::new(),
        };
        let module = "colocate._list_functions";
        match self.call_written(module, function, &given, range)? {
            Value::List(positions) => Some(positions),
            Value::Held(positions) => Some(self.opened(&positions)),
            _ => None,
        }
    }

    /// What a function says of each item, to put them in order.
    pub fn keys_of(&mut self, function: &Value, items: &Value, range: TextRange) -> Value {
        // Of keys that are there, `d.get` is never None.
        let function = match function {
            Value::ArrayMethod(on, name) if name == "get" => {
                Value::ArrayMethod(on.clone(), "__getitem__".into())
            }
            other => other.clone(),
        };
        // They are another list than the one that is made of the items here, so they have another place.
        let place = match range.is_empty() {
            true => range,
            false => TextRange::new(range.start() + TextSize::new(1), range.end()),
        };
        match self.mapped(&function, std::slice::from_ref(items), place) {
            Value::Tuple(keys) => self.growing_list(&keys, place),
            keys => keys,
        }
    }

    /// The positions of keys in their order; if they are a list that the runtime holds, its number, too.
    fn order_of(
        &mut self,
        keys: &Value,
        descending: &Scalar,
        range: TextRange,
    ) -> Option<(List, Option<Scalar>)> {
        let lent = self.lent(keys);
        if let Some(Held {
            item: Item::Named(class, _),
            ..
        }) = &lent
            && self.is_compared_by_class(class)
        {
            let given = [keys.clone(), (*descending).into()];
            let positions = self.order_by_function("order_of_objects", given.into(), range)?;
            return Some((positions, None));
        }
        let Some(lent) = lent.filter(|lent| lent.item.is_ordered()) else {
            // What Python puts in order, or refuses to.
            let given = [(keys.clone(), range), (Value::Scalar(*descending), range)];
            let found = self.python_call(&helper("order"), &given, &[], None, range);
            return match found {
                Value::List(positions) => Some((positions, None)),
                _ => None,
            };
        };
        let descending = self.as_dtype(descending, DType::Bool);
        let descending = self.b.convert(descending, DType::Int64);
        let number = self.ir(&lent.number);
        let call = ListCall::Order {
            item: lent.item.for_runtime(),
        };
        let order = self.list_number_call(call, &[number, descending], "order");
        self.given_back(keys, &lent, false);
        let positions = Held {
            number: Scalar::int(order, Know::Any),
            item: Item::Scalar(DType::Int64, true),
            key: lent.key,
        };
        Some((self.opened(&positions), Some(positions.number)))
    }
}
