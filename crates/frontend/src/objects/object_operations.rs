//! Operators, indexing and methods of Python objects that a program holds.

use crate::arrays::lazy::is_array;
use crate::arrays::written_arguments::place_of_drawn;
use crate::calls::Arguments;
use crate::codes;
use crate::objects::anything::may_be_anything;
use crate::objects::list_items::is_array_like;
use crate::objects::python_objects::{BOOL, INT, Object, Step, helper};
use crate::objects::tables::{is_table, names};
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::Kind;
use ruff_python_ast::{CmpOp, Operator, UnaryOp};
use ruff_text_size::TextRange;

/// The function of Python's module `operator` that an operator is.
pub(crate) fn function_of(op: Operator) -> &'static str {
    match op {
        Operator::Add => "operator.add",
        Operator::Sub => "operator.sub",
        Operator::Mult => "operator.mul",
        Operator::MatMult => "operator.matmul",
        Operator::Div => "operator.truediv",
        Operator::Mod => "operator.mod",
        Operator::Pow => "operator.pow",
        Operator::LShift => "operator.lshift",
        Operator::RShift => "operator.rshift",
        Operator::BitOr => "operator.or_",
        Operator::BitXor => "operator.xor",
        Operator::BitAnd => "operator.and_",
        Operator::FloorDiv => "operator.floordiv",
    }
}

/// Whether a value is an object, or a string that may become one.
fn is_object(value: &Value) -> bool {
    matches!(value, Value::Object(_) | Value::Str(_))
}

fn is_held(value: &Value) -> bool {
    matches!(value, Value::Object(_))
}

impl Translator<'_> {
    /// An operator on objects; nothing if none of the operands is one.
    pub fn object_binary(
        &mut self,
        op: Operator,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        if !is_object(a) && !is_object(b) {
            return None;
        }
        if let Some(result) = self.foreign_binary(op, a, b, range) {
            return Some(result);
        }
        let kinds = (self.operand_kind(a), self.operand_kind(b));
        let result = match (op, &kinds.0, &kinds.1) {
            (Operator::Add, Some(ObjectType::Text), Some(ObjectType::Text))
            | (Operator::Mod, Some(ObjectType::Text), _) => Some(ObjectType::Text),
            (Operator::Mult, Some(ObjectType::Text), _) if !is_object(b) => Some(ObjectType::Text),
            (Operator::Mult, _, Some(ObjectType::Text)) if !is_object(a) => Some(ObjectType::Text),
            // Of counters; Python says so if they are none.
            (
                Operator::Add | Operator::Sub | Operator::BitAnd,
                Some(one @ ObjectType::Dict(_, count)),
                Some(other @ ObjectType::Dict(..)),
            ) if **count == INT => one.join(other),
            (Operator::Add, Some(one @ ObjectType::List(_)), Some(other))
            | (
                Operator::BitOr,
                Some(one @ (ObjectType::Dict(..) | ObjectType::Fields(_))),
                Some(other),
            ) => Some(one.join(other)?.settled()),
            (Operator::BitOr | Operator::BitXor, Some(one), Some(other)) if is_set(one) => {
                Some(set_like(one, &item_of(one).join(&item_of(other))?))
            }
            (Operator::Sub | Operator::BitAnd, Some(one), Some(other))
                if is_set(one) && is_set(other) =>
            {
                Some(one.clone())
            }
            // A list may be the keys or the items of a dictionary, which are like sets; Python says so if it is none.
            (Operator::BitOr | Operator::BitXor, Some(one @ ObjectType::List(_)), Some(other)) => {
                Some(ObjectType::Set(Box::new(
                    item_of(one).join(&item_of(other))?,
                )))
            }
            (Operator::Sub | Operator::BitAnd, Some(one @ ObjectType::List(_)), Some(_)) => {
                Some(ObjectType::Set(Box::new(item_of(one))))
            }
            (Operator::Sub | Operator::BitAnd, Some(one), Some(ObjectType::List(_)))
                if is_set(one) =>
            {
                Some(set_like(one, &item_of(one)))
            }
            (Operator::Mult, Some(one @ (ObjectType::List(_) | ObjectType::Sequence(_))), _) => {
                Some(one.clone())
            }
            (Operator::Add, one, other) if is_sequence(one) || is_sequence(other) => {
                let whole = |value: &Value, kind: &Option<ObjectType>, t: &mut Self| match value {
                    Value::Tuple(_) => t.object_type_of(value),
                    _ => kind.clone().filter(|kind| is_sequence(&Some(kind.clone()))),
                };
                let (one, other) = (whole(a, one, self)?, whole(b, other, self)?);
                Some(one.as_sequence()?.join(&other.as_sequence()?)?)
            }
            _ => return None,
        };
        let constant = matches!(a, Value::Str(_)) && !is_held(b) && is_constant(b);
        let shown = match (op, &kinds.0) {
            (Operator::Mod, Some(ObjectType::Text)) => self.shown(b, range),
            _ => b.clone(),
        };
        let given = [(a.clone(), range), (shown, range)];
        let result = if constant { None } else { result };
        Some(self.python_call(function_of(op), &given, &[], result, range))
    }

    /// What an operand is as an object; a list of ours counts as one.
    fn operand_kind(&mut self, value: &Value) -> Option<ObjectType> {
        match value {
            Value::List(_) | Value::Held(_) => {
                let item = self.items_type_of(value)?;
                Some(ObjectType::List(Box::new(item)))
            }
            Value::Named(class, _) if class.is_list() => {
                let item = self.items_type_of(value)?;
                Some(ObjectType::List(Box::new(item)))
            }
            Value::Tuple(_) => None,
            Value::Object(object) => Some(self.with_known_names(object)),
            other => self.object_type_of(other),
        }
    }

    /// A comparison of objects, or `in` one; nothing if it is none.
    pub fn object_compare(
        &mut self,
        op: CmpOp,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        if let Some(result) = self.foreign_compare(op, a, b, range) {
            return Some(result);
        }
        match op {
            CmpOp::In | CmpOp::NotIn => {
                let text = matches!(b, Value::Str(_)) && is_held(a);
                if !is_held(b) && !text {
                    return None;
                }
                let given = [(b.clone(), range), (a.clone(), range)];
                let found = self.python_call("operator.contains", &given, &[], Some(BOOL), range);
                return Some(match op {
                    CmpOp::In => found,
                    _ => self.unary(UnaryOp::Not, &found, range),
                });
            }
            CmpOp::Is | CmpOp::IsNot if !is_held(a) || !is_held(b) => return None,
            _ if !is_held(a) && !is_held(b) => return None,
            // Beside an array a list is one, too.
            _ if is_array(a) && is_array_like(b) || is_array(b) && is_array_like(a) => return None,
            _ => {}
        }
        let function = match op {
            CmpOp::Eq => "operator.eq",
            CmpOp::NotEq => "operator.ne",
            CmpOp::Lt => "operator.lt",
            CmpOp::LtE => "operator.le",
            CmpOp::Gt => "operator.gt",
            CmpOp::GtE => "operator.ge",
            CmpOp::Is => "operator.is_",
            _ => "operator.is_not",
        };
        let given = [(a.clone(), range), (b.clone(), range)];
        Some(self.python_call(function, &given, &[], Some(BOOL), range))
    }

    /// The items of an object by their positions: those of sets, dictionaries and their views are taken out.
    pub fn indexed_items(&mut self, items: &Value, range: TextRange) -> Value {
        let Value::Object(object) = items else {
            return items.clone();
        };
        let kind = match &*object.kind {
            ObjectType::List(item)
            | ObjectType::Set(item)
            | ObjectType::FrozenSet(item)
            | ObjectType::Sequence(item)
            | ObjectType::Iterator(item)
            | ObjectType::Dict(item, _) => ObjectType::List(item.clone()),
            ObjectType::Fields(_) => ObjectType::List(Box::new(ObjectType::Text)),
            _ => return items.clone(),
        };
        let given = [(items.clone(), range)];
        self.python_call(&helper("listed"), &given, &[], Some(kind), range)
    }

    /// Notes that something of Python's that has integers for indices is indexed.
    pub fn note_index(&mut self, index: &Value) {
        if let Value::Scalar(scalar) = index
            && scalar.dtype.kind() == Kind::Float
            && self.is_program()
        {
            self.program().indexes_by_float = true;
        }
    }

    /// `object[index]`.
    pub fn object_item(&mut self, object: &Object, index: &Value, range: TextRange) -> Value {
        let sliced = matches!(index, Value::Slice(_));
        if let ObjectType::Fields(_) = &*object.kind {
            return self.named_value(object, index, range);
        }
        if let ObjectType::Foreign(_) = &*object.kind {
            let whole = Value::Object(object.clone());
            let given = Arguments {
                positional: vec![(index.clone(), range)],
                keywords: Vec::new(),
            };
            return match self.expression_method(object, "__getitem__", &given, range) {
                Some(group) => group,
                None => self.foreign_call("operator.getitem", &[&whole, index], range),
            };
        }
        let result = match &*object.kind {
            ObjectType::Dict(_, value) => match &**value {
                ObjectType::Unknown => INT,
                value => value.clone(),
            },
            ObjectType::Text => ObjectType::Text,
            whole @ (ObjectType::List(_) | ObjectType::Sequence(_)) if sliced => whole.clone(),
            ObjectType::List(item) | ObjectType::Sequence(item) => match &**item {
                ObjectType::Unknown => INT,
                item => item.clone(),
            },
            other => {
                let diagnostic = self.wrong(
                    codes::INDEX_TYPE,
                    format!("a {other} cannot be indexed"),
                    range,
                    "",
                );
                return self.report(diagnostic);
            }
        };
        // Reading says what the keys are, too: a dictionary may make what is not there.
        if !self.learn_key(object, index, range) {
            return Value::Poison;
        }
        if !sliced && self.is_unknown_inside(object) {
            return Value::Poison;
        }
        let step = match &*object.kind {
            ObjectType::Dict(..) => Step::Value,
            _ => {
                self.note_index(index);
                Step::Item
            }
        };
        let given = [
            (Value::Object(object.clone()), range),
            (index.clone(), range),
        ];
        let item = self.python_call("operator.getitem", &given, &[], Some(result), range);
        match sliced {
            true => item,
            false => object.part(item, step),
        }
    }

    /// Learns what the keys of a dictionary are, if nothing is known of them; false if that changes what it is.
    fn learn_key(&mut self, object: &Object, index: &Value, range: TextRange) -> bool {
        let ObjectType::Dict(key, value) = &*object.kind else {
            return true;
        };
        if **key != ObjectType::Unknown {
            return true;
        }
        match self.put_kind(index, range) {
            Some(kind) => {
                let put = ObjectType::Dict(Box::new(kind), value.clone());
                self.admit_kind(object, &put, range)
            }
            None => true,
        }
    }

    /// `object[index] = value`.
    pub fn object_assign(
        &mut self,
        object: &Object,
        index: &Value,
        value: &Value,
        range: TextRange,
    ) {
        if index.is_poison() {
            return;
        }
        if value.is_poison() {
            self.learn_key(object, index, range);
            return;
        }
        if let ObjectType::Foreign(_) = &*object.kind {
            let given = [Value::Object(object.clone()), index.clone(), value.clone()];
            let given = given.map(|value| (self.all_stored(value), range));
            let nothing = Some(ObjectType::None);
            self.python_call("operator.setitem", &given, &[], nothing, range);
            return;
        }
        let Some(item) = self.put_kind(value, range) else {
            return;
        };
        let known = match (&*object.kind, index) {
            (ObjectType::Fields(fields), Value::Str(name)) => fields
                .iter()
                .any(|(field, kind)| field == name && *kind == item),
            _ => false,
        };
        let put = match &*object.kind {
            whole @ ObjectType::Fields(_) if known => whole.clone(),
            ObjectType::Fields(_) | ObjectType::Dict(..)
                if let Value::Str(name) = index
                    && has_names(&object.kind) =>
            {
                ObjectType::Fields(vec![(name.clone(), item)])
            }
            ObjectType::Dict(..) | ObjectType::Fields(_) => {
                let Some(key) = self.put_kind(index, range) else {
                    return;
                };
                ObjectType::Dict(Box::new(key), Box::new(item))
            }
            ObjectType::List(_) if matches!(index, Value::Slice(_)) => {
                let Some(inside) = self.items_of(value, range) else {
                    return;
                };
                ObjectType::List(Box::new(inside))
            }
            ObjectType::List(_) => ObjectType::List(Box::new(item)),
            other => {
                let diagnostic = self.wrong(
                    codes::INDEX_TYPE,
                    format!("the items of a {other} cannot be assigned to"),
                    range,
                    "",
                );
                self.report(diagnostic);
                return;
            }
        };
        if !self.admit_kind(object, &put, range) {
            return;
        }
        let given = [
            (Value::Object(object.clone()), range),
            (index.clone(), range),
            (value.clone(), range),
        ];
        self.python_call(
            "operator.setitem",
            &given,
            &[],
            Some(ObjectType::None),
            range,
        );
    }

    /// `del object[index]`.
    pub fn object_delete(&mut self, object: &Object, index: &Value, range: TextRange) {
        let given = [
            (Value::Object(object.clone()), range),
            (index.clone(), range),
        ];
        self.python_call(
            "operator.delitem",
            &given,
            &[],
            Some(ObjectType::None),
            range,
        );
    }

    /// `object op= value`, in place; nothing if that makes a new object.
    pub fn object_update(
        &mut self,
        object: &Object,
        op: Operator,
        value: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let put = match (&*object.kind, op) {
            (ObjectType::Set(_), Operator::BitOr | Operator::BitXor) => {
                ObjectType::Set(Box::new(self.items_type_of(value)?))
            }
            (whole @ ObjectType::Set(_), Operator::BitAnd | Operator::Sub) => whole.clone(),
            (ObjectType::List(_), Operator::Add) => {
                ObjectType::List(Box::new(self.items_type_of(value)?))
            }
            (whole @ ObjectType::List(_), Operator::Mult) => whole.clone(),
            (ObjectType::Dict(..) | ObjectType::Fields(_), Operator::BitOr) => {
                self.operand_kind(value)?
            }
            _ => return None,
        };
        if !self.admit_kind(object, &put, range) {
            return Some(Value::Poison);
        }
        let function = match op {
            Operator::BitOr => "operator.ior",
            Operator::BitXor => "operator.ixor",
            Operator::BitAnd => "operator.iand",
            Operator::Sub => "operator.isub",
            Operator::Mult => "operator.imul",
            _ => "operator.iadd",
        };
        let given = [
            (Value::Object(object.clone()), range),
            (value.clone(), range),
        ];
        self.python_call(function, &given, &[], Some(ObjectType::None), range);
        Some(Value::Object(object.clone()))
    }

    /// A method of a generator of random numbers; it may fill or shuffle an array.
    fn drawn_by(
        &mut self,
        function: &str,
        given: &[(Value, TextRange)],
        keywords: &[(String, Value, TextRange)],
        range: TextRange,
    ) -> Value {
        if let ("method.shuffle", [_, (list, _)], []) = (function, given, keywords)
            && list.is_list()
            && let Some(done) = self.shuffled_list("shuffle_by", given, range)
        {
            return done;
        }
        let takes_numbers = matches!(function, "method.choice" | "method.permutation");
        let stored = |t: &mut Self, (value, place): &(Value, TextRange)| {
            let array = match value {
                Value::Range(parts) if takes_numbers => t.range_as_array(parts, *place),
                _ => None,
            };
            let value = array.unwrap_or_else(|| value.clone());
            (t.all_stored(value), *place)
        };
        let given: Vec<_> = given.iter().map(|one| stored(self, one)).collect();
        let keywords: Vec<_> = keywords
            .iter()
            .map(|(name, value, place)| {
                let (value, place) = stored(self, &(value.clone(), *place));
                (name.clone(), value, place)
            })
            .collect();
        let mut changes: Vec<Value> = keywords
            .iter()
            .filter(|(name, ..)| name == "out")
            .map(|(_, value, _)| value.clone())
            .collect();
        let placed = given.iter().skip(place_of_drawn(function));
        changes.extend(placed.map(|(value, _)| value.clone()));
        if function == "method.shuffle" {
            changes.extend(given.get(1).map(|(value, _)| value.clone()));
            let named = keywords.iter().filter(|(name, ..)| name == "x");
            changes.extend(named.map(|(_, value, _)| value.clone()));
        }
        changes.retain(|value| matches!(value, Value::View(_)));
        let is_given = |name: &str| keywords.iter().any(|(keyword, ..)| keyword == name);
        if function == "method.choice"
            && matches!(&given[..], [_, (Value::Scalar(_), _)])
            && is_given("p")
            && !is_given("size")
        {
            // The weights are as many as there are numbers, which no example knows.
            return self.python_call(function, &given, &keywords, Some(INT), range);
        }
        self.library(function, &given, &keywords, &changes, range)
    }

    /// A method of an object or of a string.
    pub fn object_method(
        &mut self,
        on: &Value,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        if arguments
            .positional
            .iter()
            .any(|(value, _)| value.is_poison())
        {
            return Value::Poison;
        }
        if let Some(refused) = self.refused_roots(on, name, range) {
            return refused;
        }
        let function = format!("method.{name}");
        let given = Self::with_object(on, arguments, range);
        let Value::Object(object) = on else {
            return self.text_method(&function, &given, &arguments.keywords, range);
        };
        if matches!(
            *object.kind,
            ObjectType::Generator | ObjectType::RandomState
        ) {
            return self.drawn_by(&function, &given, &arguments.keywords, range);
        }
        if let ObjectType::Fields(_) = &*object.kind {
            return self.named_values_method(object, name, arguments, range);
        }
        if let Some(found) = self.expression_method(object, name, arguments, range) {
            return found;
        }
        let keyed = arguments.keywords.iter().any(|(name, ..)| name == "key");
        if let (ObjectType::List(item), "sort", true) = (&*object.kind, name, keyed) {
            let item = (**item).clone();
            let sorted = self.by_keys(name, object, item, arguments, range);
            return sorted.unwrap_or(Value::Poison);
        }
        let values: Vec<&Value> = arguments
            .positional
            .iter()
            .map(|(value, _)| value)
            .collect();
        if let ("__getitem__", [index]) = (name, &values[..]) {
            return self.object_item(object, index, range);
        }
        let put = match self.put_by(object, name, &values, range) {
            Ok(put) => put,
            Err(()) => return Value::Poison,
        };
        if let Some(put) = &put
            && !self.admit_kind(object, put, range)
        {
            return Value::Poison;
        }
        let changed = put.unwrap_or_else(|| (*object.kind).clone());
        // A tuple that stands for what is not there tells what the others are.
        let told = matches!(&values[..], [_, Value::Tuple(_)]) && matches!(name, "get" | "pop");
        if matches!(name, "pop" | "popitem" | "popleft" | "get")
            && !told
            && self.is_unknown_inside(object)
        {
            return Value::Poison;
        }
        let (function, result) = match (&*object.kind, name) {
            (ObjectType::Dict(key, _), "keys") => {
                (helper("keys"), Some(ObjectType::List(key.clone())))
            }
            (ObjectType::Dict(_, value), "values") => {
                (helper("values"), Some(ObjectType::List(value.clone())))
            }
            (ObjectType::Dict(key, value), "items") => {
                // What is not known of it stays so: nothing wrong is learned from the pairs.
                let pair = ObjectType::Tuple(vec![(**key).clone(), (**value).clone()]);
                (helper("pairs"), Some(ObjectType::List(Box::new(pair))))
            }
            (kind, _) => match self.method_result(kind, name, &values, &changed) {
                Some(result) => (function, Some(result)),
                None => (function, None),
            },
        };
        let found = self.python_call(&function, &given, &arguments.keywords, result, range);
        match (&*object.kind, name) {
            (ObjectType::Dict(..), "get" | "setdefault" | "pop") => object.part(found, Step::Value),
            (ObjectType::List(_), "pop" | "popleft") => object.part(found, Step::Item),
            _ => found,
        }
    }

    fn text_method(
        &mut self,
        function: &str,
        given: &[(Value, TextRange)],
        keywords: &[(String, Value, TextRange)],
        range: TextRange,
    ) -> Value {
        let named: Vec<_> = given
            .iter()
            .map(|(value, place)| match is_table(value) {
                true => (names(value), *place),
                false => (value.clone(), *place),
            })
            .collect();
        let given = &named[..];
        let result = match function {
            "method.format" | "method.join" | "method.format_map" => {
                let all = given.iter().all(|(value, _)| is_constant(value));
                (!all || !keywords.is_empty()).then_some(ObjectType::Text)
            }
            // The table is no example.
            "method.translate" => Some(ObjectType::Text),
            // They raise for most examples.
            "method.index" | "method.rindex" => {
                let all = given.iter().all(|(value, _)| is_constant(value));
                (!all).then_some(INT)
            }
            _ => None,
        };
        self.python_call(function, given, keywords, result, range)
    }

    /// What a method puts into its object.
    fn put_by(
        &mut self,
        object: &Object,
        name: &str,
        values: &[&Value],
        range: TextRange,
    ) -> Result<Option<ObjectType>, ()> {
        let whole = |item: ObjectType| match &*object.kind {
            ObjectType::Set(_) => ObjectType::Set(Box::new(item)),
            _ => ObjectType::List(Box::new(item)),
        };
        Ok(match (&*object.kind, name, values) {
            (ObjectType::Set(_), "add", [value])
            | (ObjectType::List(_), "append" | "appendleft", [value])
            | (ObjectType::List(_), "insert", [_, value]) => {
                Some(whole(self.put_kind(value, range).ok_or(())?))
            }
            (ObjectType::Set(_), "update" | "symmetric_difference_update", others)
            | (ObjectType::List(_), "extend" | "extendleft", others) => {
                let mut item = item_of(&object.kind);
                for other in others {
                    let added = self.items_of(other, range).ok_or(())?;
                    item = match item.join(&added) {
                        Some(joined) => joined,
                        None => added,
                    };
                }
                Some(whole(item))
            }
            (ObjectType::Dict(..), "setdefault", [key, rest @ ..]) => {
                let key = self.put_kind(key, range).ok_or(())?;
                let value = match rest {
                    [value, ..] => self.put_kind(value, range).ok_or(())?,
                    [] => ObjectType::None,
                };
                Some(ObjectType::Dict(Box::new(key), Box::new(value)))
            }
            (ObjectType::Dict(..), "update", [other]) => {
                let kind = self.object_type_of(other);
                match kind {
                    Some(kind @ ObjectType::Dict(..)) => Some(kind),
                    _ => match self.items_of(other, range).ok_or(())? {
                        ObjectType::Tuple(pair) if pair.len() == 2 => Some(ObjectType::Dict(
                            Box::new(pair[0].clone()),
                            Box::new(pair[1].clone()),
                        )),
                        _ => None,
                    },
                }
            }
            _ => None,
        })
    }

    /// What going over a value gives; reports if that is not known.
    pub fn items_of(&mut self, value: &Value, range: TextRange) -> Option<ObjectType> {
        let found = self.items_type_of(value).or_else(|| {
            // Of several types, which is nothing that the program does not know already.
            let items = match value {
                Value::Tuple(items) | Value::Named(_, items) if self.loosely => items,
                _ => return None,
            };
            items.iter().all(may_be_anything).then(ObjectType::anything)
        });
        self.wants_loosely |= found.is_none();
        if found.is_none() && !value.has_poison() {
            let what = value.describe();
            let diagnostic = self.wrong(
                codes::CONTAINER,
                format!("the items of {what} cannot be put into a container"),
                range,
                format!("this is {what}"),
            );
            self.report(diagnostic);
        }
        found
    }

    /// What a method of a container gives, as far as there are rules.
    fn method_result(
        &mut self,
        kind: &ObjectType,
        name: &str,
        values: &[&Value],
        changed: &ObjectType,
    ) -> Option<ObjectType> {
        let optional = |inner: &ObjectType| match filled(inner) {
            known @ ObjectType::Optional(_) => known,
            other => ObjectType::Optional(Box::new(other)),
        };
        Some(match (kind, name) {
            (ObjectType::Dict(_, value), "get") => match values {
                [_, default] => {
                    let default = self.object_type_of(default)?;
                    match (&**value, &default) {
                        (ObjectType::Unknown, ObjectType::Tuple(_)) => default,
                        (value, default) => filled(value).join(default)?,
                    }
                }
                _ => optional(value),
            },
            (ObjectType::Dict(_, value), "pop") => match values {
                [_, default] => {
                    let default = self.object_type_of(default)?;
                    match (&**value, &default) {
                        (ObjectType::Unknown, ObjectType::Tuple(_)) => default,
                        (value, default) => filled(value).join(default)?,
                    }
                }
                _ => filled(value),
            },
            (ObjectType::Dict(..), "setdefault") => match changed {
                ObjectType::Dict(_, value) => match kind.join(changed) {
                    Some(ObjectType::Dict(_, joined)) => filled(&joined),
                    _ => filled(value),
                },
                _ => return None,
            },
            (ObjectType::Dict(key, value), "popitem") => {
                ObjectType::Tuple(vec![filled(key), filled(value)])
            }
            (ObjectType::Set(item) | ObjectType::List(item), "pop" | "popleft") => filled(item),
            (ObjectType::Dict(key, value), "most_common") => {
                let pair = ObjectType::Tuple(vec![filled(key), filled(value)]);
                ObjectType::List(Box::new(pair))
            }
            (
                ObjectType::Set(_) | ObjectType::List(_) | ObjectType::Dict(..),
                "add"
                | "append"
                | "appendleft"
                | "extendleft"
                | "rotate"
                | "insert"
                | "move_to_end"
                | "extend"
                | "update"
                | "clear"
                | "discard"
                | "remove"
                | "reverse"
                | "sort"
                | "intersection_update"
                | "difference_update"
                | "symmetric_difference_update",
            ) => ObjectType::None,
            (whole, "copy") if !matches!(whole, ObjectType::Text) => whole.clone(),
            (whole, "intersection" | "difference") if is_set(whole) => whole.clone(),
            (whole, "union" | "symmetric_difference") if is_set(whole) => {
                let mut item = item_of(whole);
                for value in values {
                    item = item.join(&self.items_type_of(value)?)?;
                }
                set_like(whole, &item)
            }
            (whole, "issubset" | "issuperset" | "isdisjoint") if is_set(whole) => BOOL,
            (ObjectType::List(_) | ObjectType::Sequence(_), "index" | "count") => INT,
            (ObjectType::Text, "index" | "rindex") => INT,
            _ => return None,
        })
    }

    /// The item at a position, for loops that count.
    pub fn object_at(&mut self, object: &Object, at: &Scalar, range: TextRange) -> Value {
        self.object_item(object, &Value::Scalar(*at), range)
    }
}

fn is_set(kind: &ObjectType) -> bool {
    matches!(kind, ObjectType::Set(_) | ObjectType::FrozenSet(_))
}

/// Whether the keys of a dictionary may be names, as far as is known.
fn has_names(kind: &ObjectType) -> bool {
    match kind {
        ObjectType::Fields(_) => true,
        ObjectType::Dict(key, _) => matches!(**key, ObjectType::Text | ObjectType::Unknown),
        _ => false,
    }
}

fn is_sequence(kind: &Option<ObjectType>) -> bool {
    matches!(kind, Some(ObjectType::Sequence(_)))
}

fn item_of(kind: &ObjectType) -> ObjectType {
    match kind {
        ObjectType::Set(item) | ObjectType::FrozenSet(item) | ObjectType::List(item) => {
            (**item).clone()
        }
        _ => ObjectType::Unknown,
    }
}

/// A set of the same class with other items.
fn set_like(kind: &ObjectType, item: &ObjectType) -> ObjectType {
    match kind {
        ObjectType::FrozenSet(_) => ObjectType::FrozenSet(Box::new(item.clone())),
        _ => ObjectType::Set(Box::new(item.clone())),
    }
}

pub(crate) fn filled(kind: &ObjectType) -> ObjectType {
    match kind {
        ObjectType::Unknown => INT,
        other => other.clone(),
    }
}

/// Whether a value is known while compiling.
fn is_constant(value: &Value) -> bool {
    match value {
        Value::Scalar(scalar) => scalar.as_constant().is_some(),
        Value::Str(_) | Value::None => true,
        Value::Tuple(items) | Value::Named(_, items) => items.iter().all(is_constant),
        _ => false,
    }
}
