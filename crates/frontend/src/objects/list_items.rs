//! Items and parts of lists of every kind: `l[i]`, `l[a:b]`, assigning to them, `del`, `in`.

use crate::codes;
use crate::objects::held_lists::Held;
use crate::objects::tables::is_function;
use crate::program::{ListCall, ObjectType};
use crate::translate::Translator;
use crate::value::{Know, NamedTuple, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType};
use ruff_python_ast::{Expr, Operator};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

impl Translator<'_> {
    /// Whether a value is a list whose items can be assigned to.
    pub fn is_list_target(&self, value: &Value) -> bool {
        match value {
            Value::List(_) | Value::Held(_) => true,
            Value::Named(class, _) => class.is_list() && class.list.is_some(),
            _ => false,
        }
    }

    /// `list[index]` of a list that the runtime holds.
    pub fn held_item(&mut self, held: &Held, index: &Value, range: TextRange) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses a list");
        }
        if held.item.is_number() {
            let list = match index {
                Value::Slice(_) => self.opened(held),
                _ => self.seen(held),
            };
            return self.list_item(&list, index, range);
        }
        match index {
            Value::Slice(parts) => {
                let length = self.held_length(held);
                match self.slice_of(&length, parts, range) {
                    Some(part) => Value::Held(Box::new(self.held_part(held, part))),
                    None => Value::Poison,
                }
            }
            other => {
                let Some(index) = self.integer(other, range, "an index") else {
                    return Value::Poison;
                };
                let at = self.held_index(held, &index, false, range);
                self.held_get(held, at)
            }
        }
    }

    /// `list[index]` of a list that is written down and does not change.
    pub fn listed_item(
        &mut self,
        class: &Rc<NamedTuple>,
        items: &[Value],
        index: &Value,
        range: TextRange,
    ) -> Value {
        let known = match index {
            Value::Slice(parts) => parts.iter().flatten().all(|one| one.as_int().is_some()),
            Value::Scalar(scalar) => {
                scalar.as_int().is_some()
                    || items.len() <= 32
                        && !items.is_empty()
                        && (items.iter().all(|one| matches!(one, Value::Scalar(_)))
                            || items.iter().all(is_function)
                            || are_rows(items))
            }
            _ => true,
        };
        if known || self.level() > 0 {
            return match (index, self.item_of_known(items, "list", index, range)) {
                (Value::Slice(_), Value::Tuple(part)) => self.listed(part, range),
                (_, item) => item,
            };
        }
        // Which items are meant is known only when the program runs.
        if class.list.is_some() {
            self.change_list(class.list);
            return Value::Poison;
        }
        let whole = self.growing_list(items, range);
        let item = self.item_of_list(&whole, index, range);
        self.discard(&whole);
        item
    }

    /// An item of a tuple of things of one type, chosen while the program runs.
    pub fn picked_object(
        &mut self,
        items: &[Value],
        index: &Scalar,
        range: TextRange,
    ) -> Option<Value> {
        if !self.is_program() || self.level() > 0 || items.is_empty() || are_rows(items) {
            return None;
        }
        let before = self.diagnostics.len();
        let mut joined = crate::objects::items::Item::Open;
        for item in items {
            let item = self.item_type(item, range);
            self.forget_diagnostics(before);
            joined = joined.join(&item?)?;
        }
        let whole = self.growing_list(items, range);
        let item = self.item_of_list(&whole, &Value::Scalar(*index), range);
        self.discard(&whole);
        Some(item)
    }

    /// What is stored into an array, where it is a list.
    pub fn items_as_array(&mut self, value: &Value, range: TextRange) -> Value {
        match value {
            Value::List(_) | Value::Held(_) => self.list_as_array(value, range),
            Value::Object(object) if holds_numbers(&object.kind) && self.level() == 0 => {
                let list = self.object_as_list(object, range);
                list.map_or_else(|| value.clone(), |list| self.settled_list(&list))
            }
            Value::Object(object) if is_nested(&object.kind) && self.level() == 0 => {
                self.library("numpy.array", &[(value.clone(), range)], &[], &[], range)
            }
            other => crate::objects::optional_values::unlisted(other),
        }
    }

    /// `list[index]` of any list.
    pub fn item_of_list(&mut self, list: &Value, index: &Value, range: TextRange) -> Value {
        match list {
            Value::List(list) => self.list_item(list, index, range),
            Value::Held(held) => self.held_item(held, index, range),
            Value::Object(object) => self.object_item(object, index, range),
            Value::Named(class, items) => self.listed_item(&class.clone(), items, index, range),
            _ => Value::Poison,
        }
    }

    /// `list[index] = value`.
    pub fn assign_item(&mut self, list: &Value, index: &Value, value: &Value, range: TextRange) {
        if self.level() > 0 {
            self.hinder("it uses a list");
            return;
        }
        if self.turns_python_list(list, value) {
            return;
        }
        if let Value::Named(class, _) = list {
            self.change_list(class.list);
            return;
        }
        if let Value::Slice(parts) = index {
            self.assign_slice(list, parts, value, range);
            return;
        }
        match list {
            Value::List(list) => self.list_assign(list, index, value, range),
            Value::Held(held) if held.item.is_number() && matches!(value, Value::Scalar(_)) => {
                let list = self.seen(held);
                self.list_assign(&list, index, value, range);
                self.held_changes = true;
                self.seen_changed(held, &list);
            }
            Value::Held(held) => {
                let Some(index) = self.integer(index, range, "an index") else {
                    return;
                };
                let at = self.held_index(held, &index, true, range);
                self.held_put(held, at, value, false, range);
            }
            Value::Object(object) => self.object_assign(object, index, value, range),
            _ => {}
        }
    }

    /// `list[a:b] = items`.
    fn assign_slice(
        &mut self,
        list: &Value,
        parts: &[Option<Scalar>; 3],
        value: &Value,
        range: TextRange,
    ) {
        self.flush_list_readers();
        self.note_change(list);
        // The items may be those of the list itself.
        let items = self.alike_list(list, value, range);
        let Some(items) = items else {
            return;
        };
        let Some(length) = self.length_of(list, range) else {
            return;
        };
        if let (Value::List(own), Value::List(new)) = (list, &items) {
            let (own, new) = (*own, *new);
            self.assign_numbers(&own, parts, &length, &new, range);
            return;
        }
        let simple = match parts[2] {
            None => Some(true),
            Some(step) => step.as_int().map(|step| step == 1),
        };
        let Some((start, step, count)) = self.slice_of(&length, parts, range) else {
            return;
        };
        let (Some(lent), Some(other)) = (self.lent(list), self.lent(&items)) else {
            return;
        };
        if simple.is_none() {
            let (step, one) = (self.ir(&step), self.b.int64(1));
            let plain = self.b.compare(CompareOp::Equal, step, one);
            self.b.begin_if(plain);
        }
        if simple != Some(false) {
            let stop = self.index_op(BinaryOp::Add, &start, &count);
            let words = [lent.number, start, stop, other.number].map(|one| self.ir(&one));
            self.list_call(ListCall::Splice, &words, Vec::new());
        }
        if simple.is_none() {
            self.b.begin_else();
        }
        if simple != Some(true) {
            let given = self.held_length(&other);
            let (a, b) = (self.ir(&given), self.ir(&count));
            let differ = self.b.compare(CompareOp::NotEqual, a, b);
            self.raise_if(differ, &other_size(given, count), range);
            let words = [lent.number, start, step, count, other.number].map(|one| self.ir(&one));
            self.list_call(ListCall::Spread, &words, Vec::new());
        }
        if simple.is_none() {
            self.b.end();
        }
        self.given_back(&items, &other, false);
        self.discard(&items);
        self.given_back(list, &lent, true);
    }

    /// Items as a list that holds just what another one holds.
    pub fn alike_list(&mut self, list: &Value, items: &Value, range: TextRange) -> Option<Value> {
        let key = match list {
            Value::List(list) => list.key,
            Value::Held(held) => held.key,
            _ => return None,
        };
        if let (Value::List(own), Value::Tuple(items)) = (list, items) {
            let copy = self.empty_list(own.dtype, own.weak, key);
            let filled = self.fill_list(&copy, items, range);
            let copy = Value::List(copy);
            if !filled {
                items
                    .iter()
                    .for_each(|item| self.append_to(&copy, item, range));
            }
            return (!self.again).then_some(copy);
        }
        let copy = match list {
            Value::List(own) => Value::List(self.empty_list(own.dtype, own.weak, key)),
            Value::Held(held) => Value::Held(Box::new(self.new_held(held.item.clone(), key))),
            _ => return None,
        };
        self.extend_with(&copy, items, range);
        (!self.again).then_some(copy)
    }

    /// Notes that a list changes.
    pub fn note_change(&mut self, list: &Value) {
        match list {
            Value::List(list) => {
                self.changed_lists.insert(list.local);
            }
            _ => self.held_changes = true,
        }
    }

    /// `list[index] op= value`.
    pub fn update_item(
        &mut self,
        list: &Value,
        index: &Value,
        current: &Value,
        op: Operator,
        value: &Value,
        range: TextRange,
    ) {
        match current {
            Value::Poison => {}
            Value::View(view) if view.rank() > 0 => {
                self.array_update(current, op, value, range);
            }
            Value::List(_) | Value::Held(_)
                if matches!(op, Operator::Add | Operator::Mult)
                    && !matches!(index, Value::Slice(_)) =>
            {
                self.list_augmented(current, op, value, range);
            }
            _ => {
                let result = self.binary(op, current, value, range);
                if !result.is_poison() {
                    self.assign_item(list, index, &result, range);
                }
            }
        }
    }

    /// `list += items` and `list *= times`.
    pub fn list_augmented(&mut self, list: &Value, op: Operator, value: &Value, range: TextRange) {
        if let Value::Named(class, _) = list {
            self.change_list(class.list);
            return;
        }
        self.flush_list_readers();
        self.note_change(list);
        if op == Operator::Add {
            self.extend_with(list, value, range);
            return;
        }
        let Some(times) = self.integer(value, range, "a number of times") else {
            return;
        };
        let Some(copy) = self.alike_list(list, list, range) else {
            return;
        };
        self.clear_list(list);
        let (zero, stop, one) = (self.b.int64(0), self.ir(&times), self.b.int64(1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, stop, one);
        self.extend_with(list, &copy, range);
        self.b.end();
        self.discard(&copy);
    }

    /// Takes all items out.
    pub fn clear_list(&mut self, list: &Value) {
        self.note_change(list);
        match list {
            Value::List(list) => {
                let zero = self.b.int64(0);
                self.b.set(list.length, zero);
            }
            Value::Held(held) => {
                let length = self.held_length(held);
                let (number, zero, one) = (self.ir(&held.number), self.b.int64(0), self.b.int64(1));
                let length = self.ir(&length);
                let words = [number, zero, one, length];
                self.list_call(ListCall::Delete, &words, Vec::new());
            }
            _ => {}
        }
    }

    /// `del list[index]`.
    pub fn delete_item(&mut self, target: &Expr) -> bool {
        let Expr::Subscript(e) = target else {
            return false;
        };
        if self.delete_written(e) {
            return true;
        }
        let list = self.expr(&e.value);
        if list.is_poison() {
            return true;
        }
        if !self.is_list_target(&list) {
            let what = list.describe();
            let diagnostic = self.wrong(
                codes::STATEMENT,
                format!("the items of {what} cannot be deleted"),
                target.range(),
                "",
            );
            self.report(diagnostic);
            return true;
        }
        if self.level() > 0 {
            self.hinder("it uses a list");
            return true;
        }
        if let Value::Named(class, _) = &list {
            self.change_list(class.list);
            return true;
        }
        let index = self.expr(&e.slice);
        let range = e.range();
        self.flush_list_readers();
        self.note_change(&list);
        let Some(length) = self.length_of(&list, range) else {
            return true;
        };
        let part = match &index {
            Value::Slice(parts) => self.slice_of(&length, parts, range),
            other => self.integer(other, range, "an index").map(|index| {
                let at = self.list_position(&length, &index, true, range);
                let one = Scalar::const_int(1);
                (Scalar::int(at, Know::NonNegative), one, one)
            }),
        };
        if let (Value::List(own), Some((start, step, count))) = (&list, &part)
            && step.as_int() == Some(1)
        {
            let none = Scalar::const_int(0);
            self.splice_numbers(own, (start, count), (own, &none));
            return true;
        }
        if let Some((start, step, count)) = part
            && let Some(lent) = self.lent(&list)
        {
            let words = [lent.number, start, step, count].map(|one| self.ir(&one));
            self.list_call(ListCall::Delete, &words, Vec::new());
            self.given_back(&list, &lent, true);
        }
        true
    }

    /// `value in list` where numbers are no matter of arrays: item by item.
    pub fn in_list(&mut self, value: &Value, list: &Value, range: TextRange) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses a list");
        }
        match self.place_in_list(list, value, range) {
            Some(at) => {
                let (at, zero) = (self.ir(&at), self.b.int64(0));
                let found = self.b.compare(CompareOp::GreaterEqual, at, zero);
                Scalar::new(DType::Bool, true, found).into()
            }
            None => Value::Poison,
        }
    }

    /// The first position of something in a list, -1 if it is not in it.
    pub fn place_in_list(
        &mut self,
        list: &Value,
        wanted: &Value,
        range: TextRange,
    ) -> Option<Scalar> {
        let wanted = self.all_stored(wanted.clone());
        let turns = self.length_of(list, range)?;
        let name = self.temporary();
        let found = self.variable(&name, 0, DType::Int64);
        let none = self.b.int64(-1);
        self.b.set(found, none);
        let (zero, stop, one) = (self.b.int64(0), self.ir(&turns), self.b.int64(1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, stop, one);
        let at = self.b.get(counter);
        let index = Scalar::int(at, Know::NonNegative);
        let item = self.item_at(list, &index, range);
        let same = self.equals_item(&item, &wanted, range);
        let same = self.truth(&same, range);
        if let Some(same) = &same {
            let same = self.ir(same);
            self.b.begin_if(same);
            self.b.set(found, at);
            self.b.push(colocate_ir::StatementKind::Break);
            self.b.end();
        }
        self.b.end();
        same?;
        Some(Scalar::int(self.b.get(found), Know::Any))
    }

    /// How often something is in a list.
    pub fn count_in_list(&mut self, list: &Value, wanted: &Value, range: TextRange) -> Value {
        let wanted = self.all_stored(wanted.clone());
        let Some(turns) = self.length_of(list, range) else {
            return Value::Poison;
        };
        let name = self.temporary();
        let found = self.variable(&name, 0, DType::Int64);
        let (zero, stop, one) = (self.b.int64(0), self.ir(&turns), self.b.int64(1));
        self.b.set(found, zero);
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, stop, one);
        let index = Scalar::int(self.b.get(counter), Know::NonNegative);
        let item = self.item_at(list, &index, range);
        let same = self.equals_item(&item, &wanted, range);
        let same = self.truth(&same, range);
        if let Some(same) = &same {
            let same = self.ir(same);
            self.b.begin_if(same);
            let more = self.b.get(found);
            let one = self.b.int64(1);
            let more = self.b.binary(BinaryOp::Add, more, one);
            self.b.set(found, more);
            self.b.end();
        }
        self.b.end();
        match same {
            Some(_) => Scalar::int(self.b.get(found), Know::NonNegative).into(),
            None => Value::Poison,
        }
    }

    /// A method of a list that is written down, of those that do not change it.
    pub fn listed_method(
        &mut self,
        on: &Value,
        name: &str,
        arguments: &crate::calls::Arguments,
        range: TextRange,
    ) -> Value {
        let Value::Named(_, items) = on else {
            return Value::Poison;
        };
        if name == "copy" {
            return self.listed(items.clone(), range);
        }
        let tuple = Value::Tuple(items.clone());
        if arguments.positional.len() != 1 && self.level() == 0 {
            let list = self.growing_list(items, range);
            return self.list_method(&list, name, arguments, range);
        }
        self.tuple_method(&tuple, name, arguments, range)
    }
}

/// What is raised where as many items were to be assigned as there are.
pub(crate) fn other_size(given: Scalar, count: Scalar) -> crate::host::failures::Raised {
    use crate::host::failures::Part;
    crate::host::failures::Raised {
        class: "ValueError",
        parts: vec![
            Part::Text("attempt to assign sequence of size ".into()),
            Part::Number(given),
            Part::Text(" to extended slice of size ".into()),
            Part::Number(count),
        ],
    }
}

/// Whether a value of Python's is what NumPy makes an array of numbers of.
pub(crate) fn is_array_like(value: &Value) -> bool {
    matches!(value, Value::Object(object) if holds_numbers(&object.kind) || is_nested(&object.kind))
}

/// Whether something of Python's is a list or a tuple of numbers.
fn holds_numbers(kind: &ObjectType) -> bool {
    match kind {
        ObjectType::List(item) | ObjectType::Sequence(item) => {
            matches!(**item, ObjectType::Scalar { .. })
        }
        _ => false,
    }
}

/// Whether something of Python's is a list of lists of numbers, however deep.
fn is_nested(kind: &ObjectType) -> bool {
    match kind {
        ObjectType::List(item) | ObjectType::Sequence(item) => {
            holds_numbers(item) || is_nested(item)
        }
        _ => false,
    }
}

/// Whether lists that are written down are rows of a table whose columns are of several types, such as
/// `[[1, 0, 1], [1, 1, sqrt(2)]]`: an item of one row is of its column's type.
fn are_rows(items: &[Value]) -> bool {
    let row = |item: &Value| -> Option<Vec<Scalar>> {
        let Value::Named(class, parts) = item else {
            return None;
        };
        let scalar = |part: &Value| match part {
            Value::Scalar(scalar) => Some(*scalar),
            _ => None,
        };
        let is_row = class.is_list() && !parts.is_empty();
        is_row.then(|| parts.iter().map(scalar).collect())?
    };
    let Some(rows) = items.iter().map(row).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let width = rows[0].len();
    if rows.iter().any(|row| row.len() != width) {
        return false;
    }
    let joined = |column: usize| {
        let first = (rows[0][column].dtype, rows[0][column].weak);
        rows.iter().fold(first, |(dtype, weak), row| {
            let known = Scalar {
                dtype,
                weak,
                know: crate::value::Know::Any,
                ir: None,
            };
            crate::types::join(&known, &row[column])
        })
    };
    (1..width).any(|column| joined(column) != joined(0))
}
