//! Calls of a jit function that are about Python objects and numbers alone: operators, indexing and methods of
//! containers and strings.
//!
//! What such a call does is found out once, when the function was compiled. On tables of numbers it is done without
//! Python; on Python's own objects by the C function that the operator is. Anything unusual is left to whoever does
//! all calls (`jit_callbacks.rs`): both ways give the same.

use crate::jit_callbacks::{PythonCalls, raised};
use crate::jit_held::{Flavour, Held, Made, Part, Turn, default_of, item_to_object};
use crate::jit_library;
use crate::jit_values::{captured, number, scalar_words};
use colocate_dtype::{DType, Kind};
use colocate_frontend::Captured;
use colocate_frontend::ir::interpret::Scalar;
use colocate_frontend::objects::python_objects::{MARK_OBJECTS, NEXT, SWEEP_OBJECTS};
use colocate_frontend::program::{Call, Operand, Outcome};
use colocate_jit::tables::{Item, ItemKind, ItemType, Outside, Table};
use colocate_jit::{self as jit, words_of_bytes};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyIterator, PyList, PySet, PySlice, PyString, PyTuple};
use smallvec::SmallVec;
use std::sync::Arc;

/// What a call does.
pub struct Plan {
    action: Action,
    given: Vec<Given>,
    result: Outcome,
}

enum Action {
    GetItem,
    SetItem,
    DeleteItem,
    Contains,
    Length,
    Truth,
    Get,
    SetDefault,
    Pop,
    Add,
    Append,
    Clear,
    View(Part),
    Iterator,
    Next,
    MakeDict,
    MakeSet(Made),
    MakeCounter,
    MakeDefault,
    Mark,
    Sweep,
    Method(Py<PyString>),
    Function(Py<PyAny>),
}

/// An operand.
enum Given {
    /// One word, a handle.
    Object,
    /// A number, or a tuple of such.
    Item(Pattern),
    /// Known while compiling.
    Constant(Py<PyAny>),
    /// A tuple of anything.
    Tuple(Vec<Given>),
    /// Start, stop and step.
    Slice(Vec<Given>),
}

/// How a key or a value is put together from words of the call.
struct Pattern {
    kind: Arc<ItemType>,
    /// How many words it takes from the call.
    taken: usize,
    /// The words themselves where some are known while compiling; those of the call are nothing here.
    known: Option<Vec<Option<u64>>>,
}

/// The types of the items that the calls of a function name, each of them once: they are compared by address.
#[derive(Default)]
pub struct Types(Vec<Arc<ItemType>>);

impl Types {
    fn known(&mut self, kind: ItemKind) -> Arc<ItemType> {
        if let Some(known) = self.0.iter().find(|one| *one.kind() == kind) {
            return known.clone();
        }
        let made = ItemType::new(kind);
        self.0.push(made.clone());
        made
    }
}

/// The words of a key or a value.
type Words = SmallVec<[u64; 6]>;

impl Pattern {
    fn of(operand: &Operand, types: &mut Types) -> Option<Pattern> {
        let mut words = Vec::new();
        let kind = item_kind(operand, &mut words)?;
        let taken = words.iter().filter(|word| word.is_none()).count();
        Some(Pattern {
            kind: types.known(kind),
            taken,
            known: (taken < words.len()).then_some(words),
        })
    }

    /// Reads it from the words of a call.
    fn read<'r, 'w: 'r>(&self, words: &mut &'w [u64], room: &'r mut Words) -> &'r [u64] {
        let (own, rest) = words.split_at(self.taken);
        *words = rest;
        match &self.known {
            None => own,
            Some(known) => {
                let mut own = own.iter();
                let each = known.iter().map(|word| match word {
                    Some(word) => *word,
                    None => *own.next().expect("as many as were counted"),
                });
                room.clear();
                room.extend(each);
                &room[..]
            }
        }
    }
}

/// What an operand is as a key or a value, and its words as far as they are known.
fn item_kind(operand: &Operand, words: &mut Vec<Option<u64>>) -> Option<ItemKind> {
    Some(match operand {
        Operand::Scalar { dtype, weak } => {
            let kind = ItemKind::Number {
                dtype: *dtype,
                weak: *weak,
            };
            words.extend(std::iter::repeat_n(None, kind.words()));
            kind
        }
        Operand::Constant(constant) => constant_kind(constant, words)?,
        Operand::Tuple(items) => {
            let items = items.iter().map(|item| item_kind(item, words));
            ItemKind::Tuple(items.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

fn constant_kind(constant: &Captured, words: &mut Vec<Option<u64>>) -> Option<ItemKind> {
    let (dtype, weak) = match constant {
        Captured::Bool(value) => {
            words.push(Some(u64::from(*value)));
            (DType::Bool, true)
        }
        Captured::Int(value) => {
            words.push(Some(i64::try_from(*value).ok()? as u64));
            (DType::Int64, true)
        }
        Captured::Float(value) => {
            words.push(Some(value.to_bits()));
            (DType::Float64, true)
        }
        Captured::NumpyScalar(literal) if literal.dtype().kind() != Kind::Complex => {
            let bytes = Scalar::from_literal(*literal).to_bytes();
            words.push(Some(words_of_bytes(literal.dtype(), &bytes)[0]));
            (literal.dtype(), false)
        }
        Captured::Tuple(items) => {
            let items = items.iter().map(|item| constant_kind(item, words));
            return Some(ItemKind::Tuple(items.collect::<Option<_>>()?));
        }
        _ => return None,
    };
    Some(ItemKind::Number { dtype, weak })
}

impl Given {
    fn of(py: Python<'_>, operand: &Operand, types: &mut Types) -> Option<Given> {
        if let Some(pattern) = Pattern::of(operand, types) {
            return Some(Given::Item(pattern));
        }
        let mut all = |items: &[Operand]| -> Option<Vec<Given>> {
            let items = items.iter();
            items.map(|item| Given::of(py, item, types)).collect()
        };
        Some(match operand {
            Operand::Object => Given::Object,
            Operand::Constant(constant) => Given::Constant(captured(py, constant).ok()?.unbind()),
            Operand::Tuple(items) => Given::Tuple(all(items)?),
            Operand::Slice(items) => Given::Slice(all(items)?),
            _ => return None,
        })
    }
}

impl Plan {
    /// What a call does; nothing if it is about other things, too.
    pub fn of(py: Python<'_>, call: &Call, types: &mut Types) -> PyResult<Option<Plan>> {
        let Call::Library {
            function,
            arguments,
            keywords,
            result,
            changes,
        } = call
        else {
            return Ok(None);
        };
        if !keywords.is_empty() || !changes.is_empty() || !is_plain(result) {
            return Ok(None);
        }
        let given: Option<Vec<Given>> = arguments
            .iter()
            .map(|one| Given::of(py, one, types))
            .collect();
        let Some(given) = given else {
            return Ok(None);
        };
        let Some(action) = Action::of(py, function, &given)? else {
            return Ok(None);
        };
        Ok(Some(Plan {
            action,
            given,
            result: result.clone(),
        }))
    }
}

fn is_plain(result: &Outcome) -> bool {
    match result {
        Outcome::None | Outcome::Scalar(_) | Outcome::Object => true,
        Outcome::Tuple(items) => items.iter().all(is_plain),
        Outcome::Local(_) | Outcome::Held(_) => false,
    }
}

impl Action {
    fn of(py: Python<'_>, function: &str, given: &[Given]) -> PyResult<Option<Action>> {
        use Given::{Item, Object};
        Ok(Some(match (function, given) {
            (MARK_OBJECTS, []) => Action::Mark,
            (SWEEP_OBJECTS, _) => Action::Sweep,
            (NEXT, [Object]) => Action::Next,
            ("operator.getitem", [_, _]) => Action::GetItem,
            ("operator.setitem", [_, _, _]) => Action::SetItem,
            ("operator.delitem", [_, _]) => Action::DeleteItem,
            ("operator.contains", [_, _]) => Action::Contains,
            ("operator.truth", [Object]) => Action::Truth,
            ("builtins.len", [Object]) => Action::Length,
            ("builtins.iter", [Object]) => Action::Iterator,
            ("method.get", [Object, _] | [Object, _, _]) => Action::Get,
            ("method.setdefault", [Object, _, _]) => Action::SetDefault,
            ("method.pop", [Object, _] | [Object, _, _]) => Action::Pop,
            ("method.add", [Object, _]) => Action::Add,
            ("method.append", [Object, _]) => Action::Append,
            ("method.clear", [Object]) => Action::Clear,
            ("collections.Counter", []) => Action::MakeCounter,
            _ => {
                let helper = function.strip_prefix("colocate._jit_objects.");
                let are_items = || given.iter().all(|one| matches!(one, Item(_)));
                match (helper, given) {
                    (Some("keys"), [Object]) => Action::View(Part::Keys),
                    (Some("values"), [Object]) => Action::View(Part::Values),
                    (Some("pairs"), [Object]) => Action::View(Part::Items),
                    (Some("dict_of"), _) if are_items() => Action::MakeDict,
                    (Some("set_of"), _) if are_items() => Action::MakeSet(Made::OneByOne),
                    (Some("set_written"), _) if are_items() => Action::MakeSet(Made::Written),
                    (Some("set_gone_over"), _) if are_items() => Action::MakeSet(Made::GoneOver),
                    (Some("defaultdict_of"), [Given::Constant(_)]) => Action::MakeDefault,
                    _ => return Action::of_python(py, function, given),
                }
            }
        }))
    }

    /// What Python does in any case.
    fn of_python(py: Python<'_>, function: &str, given: &[Given]) -> PyResult<Option<Action>> {
        if let Some(method) = function.strip_prefix("method.") {
            let of_object = matches!(given.first(), Some(Given::Object | Given::Constant(_)));
            let name = PyString::intern(py, method).unbind();
            return Ok(of_object.then_some(Action::Method(name)));
        }
        let known = ["operator.", "builtins.", "colocate._jit_objects."];
        if !known.iter().any(|prefix| function.starts_with(prefix)) {
            return Ok(None);
        }
        let callee = jit_library::resolve(py, function, None)?;
        Ok(Some(Action::Function(callee.unbind())))
    }
}

/// What became of an attempt to do without Python.
enum Attempt {
    Done,
    /// It gives an object.
    Object(Py<PyAny>),
    Raised(PyErr),
}

/// Calls between two looks at whether the user wants the program to end.
const CALLS_ALONE: u32 = 1 << 14;

impl PythonCalls<'_, '_> {
    /// Does a call that has a plan.
    pub fn planned(
        &mut self,
        call: usize,
        words: &[u64],
        results: &mut [u64],
    ) -> Option<jit::Result<()>> {
        let plan = self.specialisation.plans.get(call)?.as_ref()?;
        self.done_alone = self.done_alone.wrapping_add(1);
        if self.done_alone.is_multiple_of(CALLS_ALONE)
            && let Err(failure) = jit::Callbacks::look_up(self)
        {
            return Some(Err(failure));
        }
        match attempt(self.held, plan, words, results) {
            Some(Attempt::Done) => return Some(Ok(())),
            Some(Attempt::Object(object)) => {
                results[0] = Python::attach(|py| self.held.keep(object.bind(py)));
                return Some(Ok(()));
            }
            Some(Attempt::Raised(failure)) => return Some(Err(raised(failure))),
            None => {}
        }
        self.generators.give_back();
        let outcome = Python::attach(|py| in_python(py, self.held, plan, words, results));
        Some(outcome.map_err(raised))
    }
}

/// Does a call on tables; nothing if it is about something else.
fn attempt(held: &Held, plan: &Plan, words: &[u64], results: &mut [u64]) -> Option<Attempt> {
    let mut rest = words;
    let (mut key_room, mut value_room) = (Words::new(), Words::new());
    match plan.action {
        Action::Mark => {
            results[0] = held.mark();
            return Some(Attempt::Done);
        }
        Action::Sweep => {
            let (mark, wanted) = words.split_first()?;
            held.sweep(*mark, wanted);
            return Some(Attempt::Done);
        }
        Action::MakeDict => return make_dict(held, plan, words, results),
        Action::MakeSet(made) => return make_set(held, plan, made, words, results),
        Action::MakeCounter => {
            results[0] = held.keep_table(Table::default(), Flavour::Counter);
            return Some(Attempt::Done);
        }
        Action::MakeDefault => {
            let [Given::Constant(factory)] = &plan.given[..] else {
                return None;
            };
            let factory = Python::attach(|py| factory.extract::<String>(py)).ok()?;
            let kind = default_of(&factory)?;
            results[0] = held.keep_table(Table::default(), Flavour::Default(factory, kind));
            return Some(Attempt::Done);
        }
        _ => {}
    }
    let Some(Given::Object) = plan.given.first() else {
        return None;
    };
    let (&handle, after) = rest.split_first()?;
    rest = after;
    match plan.action {
        Action::Length | Action::Truth => {
            let length = held.table_len(handle)?;
            results[0] = match plan.action {
                Action::Length => length as u64,
                _ => u64::from(length > 0),
            };
            return Some(Attempt::Done);
        }
        Action::View(part) => {
            results[0] = held.keep_view(handle, part)?;
            return Some(Attempt::Done);
        }
        Action::Iterator => {
            results[0] = held.keep_walk(handle)?;
            return Some(Attempt::Done);
        }
        Action::Next => return step(held, handle, &plan.result, results),
        Action::Clear => {
            held.with_table(handle, |table, _| table.clear())?;
            return Some(Attempt::Done);
        }
        _ => {}
    }
    let Some(Given::Item(pattern)) = plan.given.get(1) else {
        return None;
    };
    let key = Item {
        kind: &pattern.kind,
        words: pattern.read(&mut rest, &mut key_room),
    };
    let value = match plan.given.get(2) {
        Some(Given::Item(pattern)) => Some(Item {
            kind: &pattern.kind,
            words: pattern.read(&mut rest, &mut value_room),
        }),
        Some(_) => return None,
        None => None,
    };
    held.with_table(handle, |table, flavour| {
        on_table((table, flavour), plan, key, value, results)
    })?
    .ok()
}

/// An operation on a table.
fn on_table(
    (table, flavour): (&mut Table, &Flavour),
    plan: &Plan,
    key: Item<'_>,
    value: Option<Item<'_>>,
    results: &mut [u64],
) -> Result<Attempt, Outside> {
    let is_set = matches!(flavour, Flavour::Set { .. });
    match (&plan.action, value) {
        (Action::Contains, None) => {
            results[0] = table.find(key)?.is_some().into();
            return Ok(Attempt::Done);
        }
        (Action::Add, None) if is_set => {
            table.insert(key, None)?;
            return Ok(Attempt::Done);
        }
        _ if is_set => return Err(Outside),
        _ => {}
    }
    let mut give = |item: Item<'_>| give(&plan.result, item, results);
    match (&plan.action, value) {
        (Action::SetItem, Some(value)) => {
            table.insert(key, Some(value))?;
            Ok(Attempt::Done)
        }
        (Action::GetItem, None) => match (table.find(key)?, flavour) {
            (Some(row), _) => give(table.value(row)).map(|()| Attempt::Done),
            (None, Flavour::Default(_, kind)) => {
                let made = Item { kind, words: &[0] };
                give(made)?;
                table.insert(key, Some(made))?;
                Ok(Attempt::Done)
            }
            (None, Flavour::Counter) => {
                let kind = ItemType::new(ItemKind::Number {
                    dtype: DType::Int64,
                    weak: true,
                });
                let none = Item {
                    kind: &kind,
                    words: &[0],
                };
                give(none).map(|()| Attempt::Done)
            }
            (None, _) => Ok(missing(key)),
        },
        (Action::Get, Some(default)) => {
            let found = table.find(key)?;
            give(found.map_or(default, |row| table.value(row))).map(|()| Attempt::Done)
        }
        // It may be None, so it comes as an object.
        (Action::Get, None) if plan.result == Outcome::Object => {
            let found = table.find(key)?.map(|row| table.value(row));
            let object = Python::attach(|py| match found {
                Some(item) => item_to_object(py, item).map(Bound::unbind),
                None => Ok(py.None()),
            });
            Ok(object.map_or_else(Attempt::Raised, Attempt::Object))
        }
        (Action::SetDefault, Some(default)) => match table.find(key)? {
            Some(row) => give(table.value(row)).map(|()| Attempt::Done),
            None => {
                give(default)?;
                table.insert(key, Some(default))?;
                Ok(Attempt::Done)
            }
        },
        (Action::Pop, default) => match (table.find(key)?, default) {
            (Some(row), _) => {
                give(table.value(row))?;
                table.remove(row);
                Ok(Attempt::Done)
            }
            (None, Some(default)) => give(default).map(|()| Attempt::Done),
            (None, None) => Ok(missing(key)),
        },
        (Action::DeleteItem, None) => match table.find(key)? {
            Some(row) => {
                table.remove(row);
                Ok(Attempt::Done)
            }
            None => Ok(missing(key)),
        },
        _ => Err(Outside),
    }
}

fn missing(key: Item<'_>) -> Attempt {
    Attempt::Raised(Python::attach(|py| match item_to_object(py, key) {
        Ok(key) => PyKeyError::new_err((key.unbind(),)),
        Err(failure) => failure,
    }))
}

fn make_dict(held: &Held, plan: &Plan, words: &[u64], results: &mut [u64]) -> Option<Attempt> {
    let (mut rest, mut table) = (words, Table::default());
    for pair in plan.given.chunks_exact(2) {
        let [Given::Item(key), Given::Item(value)] = pair else {
            return None;
        };
        let (mut key_room, mut value_room) = (Words::new(), Words::new());
        let key_words = key.read(&mut rest, &mut key_room);
        let value_words = value.read(&mut rest, &mut value_room);
        let key = Item {
            kind: &key.kind,
            words: key_words,
        };
        let value = Item {
            kind: &value.kind,
            words: value_words,
        };
        table.insert(key, Some(value)).ok()?;
    }
    results[0] = held.keep_table(table, Flavour::Dict);
    Some(Attempt::Done)
}

fn make_set(
    held: &Held,
    plan: &Plan,
    made: Made,
    words: &[u64],
    results: &mut [u64],
) -> Option<Attempt> {
    let (mut rest, mut table) = (words, Table::default());
    for given in &plan.given {
        let Given::Item(pattern) = given else {
            return None;
        };
        let mut room = Words::new();
        let item = Item {
            kind: &pattern.kind,
            words: pattern.read(&mut rest, &mut room),
        };
        table.insert(item, None).ok()?;
    }
    let begun = (table.len(), made);
    results[0] = held.keep_table(table, Flavour::Set { begun });
    Some(Attempt::Done)
}

/// One turn of a loop over a table.
fn step(held: &Held, handle: u64, result: &Outcome, results: &mut [u64]) -> Option<Attempt> {
    let Outcome::Tuple(parts) = result else {
        return None;
    };
    let [_, wanted] = &parts[..] else {
        return None;
    };
    let turn = held.step(handle, |key, value| {
        let (first, mut rest) = results.split_first_mut()?;
        match (key, value, wanted) {
            (Some(key), Some(value), Outcome::Tuple(both)) => {
                let [of_key, of_value] = &both[..] else {
                    return None;
                };
                store(of_key, key.kind.kind(), &mut { key.words }, &mut rest).ok()?;
                store(of_value, value.kind.kind(), &mut { value.words }, &mut rest).ok()?;
            }
            (Some(_), Some(_), _) => return None,
            (one, other, _) => {
                let item = one.or(other)?;
                store(wanted, item.kind.kind(), &mut { item.words }, &mut rest).ok()?;
            }
        }
        *first = 1;
        Some(())
    })?;
    Some(match turn {
        Turn::Item(()) => Attempt::Done,
        Turn::Over => {
            results.fill(0);
            Attempt::Done
        }
        changed => Attempt::Raised(changed.failure()?),
    })
}

/// Gives the host part an item.
fn give(outcome: &Outcome, item: Item<'_>, mut results: &mut [u64]) -> Result<(), Outside> {
    store(outcome, item.kind.kind(), &mut { item.words }, &mut results)
}

fn store(
    outcome: &Outcome,
    kind: &ItemKind,
    words: &mut &[u64],
    rest: &mut &mut [u64],
) -> Result<(), Outside> {
    match (outcome, kind) {
        (Outcome::None, _) => Ok(()),
        (Outcome::Scalar(wanted), ItemKind::Number { dtype, .. }) => {
            let (own, after) = words.split_at(kind.words());
            *words = after;
            let given = converted(*wanted, *dtype, own).ok_or(Outside)?;
            let count = if wanted.kind() == Kind::Complex { 2 } else { 1 };
            put(rest, &given[..count]);
            Ok(())
        }
        (Outcome::Tuple(outcomes), ItemKind::Tuple(kinds)) if outcomes.len() == kinds.len() => {
            for (outcome, kind) in outcomes.iter().zip(kinds) {
                store(outcome, kind, words, rest)?;
            }
            Ok(())
        }
        _ => Err(Outside),
    }
}

fn put(rest: &mut &mut [u64], words: &[u64]) {
    let (own, after) = std::mem::take(rest).split_at_mut(words.len());
    own.copy_from_slice(words);
    *rest = after;
}

/// A number where the host part expects another type that holds it.
fn converted(wanted: DType, is: DType, words: &[u64]) -> Option<[u64; 2]> {
    if wanted == is {
        return Some([words[0], words.get(1).copied().unwrap_or(0)]);
    }
    let float = match is.kind() {
        Kind::Bool | Kind::UInt => words[0] as f64,
        Kind::Int => words[0] as i64 as f64,
        Kind::Float if is == DType::Float64 => f64::from_bits(words[0]),
        _ => return None,
    };
    match (wanted, is) {
        (DType::Float64 | DType::Complex128, _) => Some([float.to_bits(), 0]),
        (DType::Int64, DType::Bool) => Some([words[0], 0]),
        _ => None,
    }
}

/// Does a call by Python.
fn in_python(
    py: Python<'_>,
    held: &Held,
    plan: &Plan,
    words: &[u64],
    results: &mut [u64],
) -> PyResult<()> {
    held.empty_bin();
    let mut rest = words;
    let mut objects = SmallVec::<[Bound<'_, PyAny>; 4]>::new();
    for given in &plan.given {
        objects.push(object(py, held, given, &mut rest)?);
    }
    check_nan(&plan.action, &objects)?;
    let found = match (&plan.action, &objects[..]) {
        (Action::Next, [iterator]) => {
            let next = match iterator.cast::<PyIterator>() {
                Ok(iterator) => iterator.clone().next().transpose()?,
                Err(failure) => return Err(failure.into()),
            };
            return match (next, &plan.result) {
                (Some(item), Outcome::Tuple(parts)) => {
                    results[0] = 1;
                    let mut rest = &mut results[1..];
                    write(held, &item, &parts[1], &mut rest)
                }
                _ => {
                    results.fill(0);
                    Ok(())
                }
            };
        }
        (Action::SetItem, [on, key, value]) => return on.set_item(key, value),
        (Action::DeleteItem, [on, key]) => return on.del_item(key),
        (Action::GetItem, [on, key]) => on.get_item(key)?,
        (Action::Contains, [on, item]) => {
            results[0] = on.contains(item)?.into();
            return Ok(());
        }
        (Action::Length, [on]) => {
            results[0] = on.len()? as u64;
            return Ok(());
        }
        (Action::Truth, [on]) => {
            results[0] = on.is_truthy()?.into();
            return Ok(());
        }
        (Action::Iterator, [on]) => on.try_iter()?.into_any(),
        (Action::View(part), [on]) => on.call_method0(part.method())?,
        (Action::Get, [on, key, rest @ ..]) if let Ok(dict) = on.cast_exact::<PyDict>() => {
            match (dict.get_item(key)?, rest) {
                (Some(found), _) => found,
                (None, [default]) => default.clone(),
                (None, _) => py.None().into_bound(py),
            }
        }
        (Action::Get, [on, rest @ ..]) => method(on, pyo3::intern!(py, "get"), rest)?,
        (Action::SetDefault, [on, rest @ ..]) => method(on, pyo3::intern!(py, "setdefault"), rest)?,
        (Action::Pop, [on, rest @ ..]) => method(on, pyo3::intern!(py, "pop"), rest)?,
        (Action::Add, [on, item]) if let Ok(set) = on.cast_exact::<PySet>() => {
            return set.add(item);
        }
        (Action::Add, [on, rest @ ..]) => method(on, pyo3::intern!(py, "add"), rest)?,
        (Action::Append, [on, item]) if let Ok(list) = on.cast_exact::<PyList>() => {
            return list.append(item);
        }
        (Action::Append, [on, rest @ ..]) => method(on, pyo3::intern!(py, "append"), rest)?,
        (Action::Clear, [on, rest @ ..]) => method(on, pyo3::intern!(py, "clear"), rest)?,
        (Action::Method(name), [on, rest @ ..]) => method(on, name.bind(py), rest)?,
        (Action::Function(function), all) => function.bind(py).call1(PyTuple::new(py, all)?)?,
        (action, all) => action.helper(py)?.call1(PyTuple::new(py, all)?)?,
    };
    let mut rest = results;
    write(held, &found, &plan.result, &mut rest)
}

/// Raises where it cannot be told whether a NaN is the one that a container has: to Python that is a question of
/// which object it is, and the host part knows numbers by their value.
fn check_nan(action: &Action, objects: &[Bound<'_, PyAny>]) -> PyResult<()> {
    let nans = |items: &mut dyn Iterator<Item = PyResult<Bound<'_, PyAny>>>| -> PyResult<usize> {
        let mut found = 0;
        for item in items {
            found += usize::from(is_nan(&item?));
        }
        Ok(found)
    };
    let ambiguous = match (action, objects) {
        (
            Action::SetItem
            | Action::DeleteItem
            | Action::GetItem
            | Action::Contains
            | Action::Get
            | Action::SetDefault
            | Action::Pop
            | Action::Add,
            [on, key, ..],
        ) if is_nan(key) && holds_objects(on) => nans(&mut on.try_iter()?)? > 0,
        (Action::Method(name), [on, key, ..])
            if is_nan(key)
                && holds_objects(on)
                && ["discard", "remove", "index", "count"].contains(&name.to_string().as_str()) =>
        {
            nans(&mut on.try_iter()?)? > 0
        }
        (Action::MakeSet(_), [only]) if only.is_instance_of::<PyList>() => {
            nans(&mut only.try_iter()?)? > 1
        }
        (Action::MakeSet(_), all) => nans(&mut all.iter().map(|one| Ok(one.clone())))? > 1,
        (Action::MakeDict, all) => nans(&mut all.iter().step_by(2).map(|one| Ok(one.clone())))? > 1,
        _ => false,
    };
    match ambiguous {
        true => Err(nan_failure()),
        false => Ok(()),
    }
}

/// The same where a set or a dictionary is made of a list that was copied for it.
pub fn check_nan_in_copy(function: &str, items: &Bound<'_, PyAny>) -> PyResult<()> {
    let makes_keys = matches!(
        function,
        "builtins.set"
            | "builtins.frozenset"
            | "collections.Counter"
            | "colocate._jit_objects.dict_from_keys"
    );
    let Ok(items) = items.cast_exact::<PyList>() else {
        return Ok(());
    };
    match makes_keys && items.iter().filter(|one| is_nan(one)).take(2).count() > 1 {
        true => Err(nan_failure()),
        false => Ok(()),
    }
}

fn nan_failure() -> PyErr {
    PyTypeError::new_err(
        "a NaN is a key where there is one: jit functions know numbers by their value, so it cannot be told \
         whether it is the same object, which is what Python asks; test with math.isnan",
    )
}

/// Whether something is a container that can be gone over without using it up, and that is no array.
fn holds_objects(object: &Bound<'_, PyAny>) -> bool {
    object.len().is_ok() && !object.is_instance_of::<PyUntypedArray>()
}

fn is_nan(object: &Bound<'_, PyAny>) -> bool {
    match object.cast::<PyTuple>() {
        Ok(items) => items.iter().any(|item| is_nan(&item)),
        Err(_) => object
            .cast::<PyFloat>()
            .is_ok_and(|float| float.value().is_nan()),
    }
}

impl Action {
    /// The function that makes a container that is no table.
    fn helper<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let name = match self {
            Action::MakeSet(made) => made.helper(),
            Action::MakeDefault => "defaultdict_of",
            _ => "dict_of",
        };
        py.import("colocate._jit_objects")?.getattr(name)
    }
}

fn method<'py>(
    on: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
    arguments: &[Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    match arguments {
        [] => on.call_method0(name),
        all => on.call_method1(name, PyTuple::new(on.py(), all)?),
    }
}

/// An operand as Python has it.
fn object<'py>(
    py: Python<'py>,
    held: &Held,
    given: &Given,
    words: &mut &[u64],
) -> PyResult<Bound<'py, PyAny>> {
    let several = |items: &[Given], words: &mut &[u64]| {
        let items = items.iter().map(|item| object(py, held, item, words));
        PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)
    };
    match given {
        Given::Object => {
            let (handle, rest) = words.split_first().expect("a handle for each object");
            *words = rest;
            held.get(py, *handle)
        }
        Given::Item(pattern) => {
            let mut room = Words::new();
            let own = pattern.read(words, &mut room);
            match (pattern.kind.kind(), own) {
                (ItemKind::Number { dtype, weak }, [word]) => number(py, *dtype, *weak, [*word, 0]),
                _ => item_to_object(
                    py,
                    Item {
                        kind: &pattern.kind,
                        words: own,
                    },
                ),
            }
        }
        Given::Constant(constant) => Ok(constant.bind(py).clone()),
        Given::Tuple(items) => Ok(several(items, words)?.into_any()),
        Given::Slice(parts) => py.get_type::<PySlice>().call1(several(parts, words)?),
    }
}

/// Gives the host part what Python gave.
fn write(
    held: &Held,
    found: &Bound<'_, PyAny>,
    wanted: &Outcome,
    rest: &mut &mut [u64],
) -> PyResult<()> {
    match wanted {
        Outcome::Object => put(rest, &[held.keep(found)]),
        Outcome::Scalar(dtype) => {
            let words = scalar_words(found, *dtype)?;
            let count = if dtype.kind() == Kind::Complex { 2 } else { 1 };
            put(rest, &words[..count]);
        }
        Outcome::Tuple(parts) => {
            let items: Vec<Bound<'_, PyAny>> = found.try_iter()?.collect::<PyResult<_>>()?;
            if items.len() != parts.len() {
                return Err(crate::jit_values::wrong_count(items.len(), parts.len()));
            }
            for (item, part) in items.iter().zip(parts) {
                write(held, item, part, rest)?;
            }
        }
        _ => {}
    }
    Ok(())
}
