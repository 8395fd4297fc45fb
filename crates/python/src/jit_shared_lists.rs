//! Lists that a function would have twice: as an argument, which is copied in and out, and somewhere else.

use crate::captured_values::class;
use crate::jit_arguments::Given;
use crate::jit_specialisation::Specialisation;
use colocate_frontend::Captured;
use colocate_frontend::program::{Call, Operand};
use colocate_jit::Argument;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};
use std::collections::{HashMap, HashSet};

/// So many items of a container say whether any of them is looked at: they are of a few types.
const ASKED: usize = 64;

/// Whether a list that the function has a copy of is one that it also reaches by another argument, or outside, and some
/// list may change. Then there would be two of it.
pub fn is_given_twice(
    py: Python<'_>,
    specialisation: &Specialisation,
    given: &Given<'_>,
) -> PyResult<bool> {
    let program = specialisation.executable.program();
    let updates = &program.updates;
    if updates.is_empty() {
        return Ok(false);
    }
    let objects = &given.objects;
    // What host code has a copy of; a list of which a later argument is known to be the same is one.
    let is_copy = |leaf: usize| updates.iter().any(|update| update.leaf == leaf);
    let (mut copies, mut others) = (Vec::new(), Vec::new());
    for (leaf, object) in objects.iter().enumerate() {
        match is_copy(leaf) {
            true if matches!(given.arguments[leaf], Argument::SameList(_)) => {}
            true => copies.push((leaf, object)),
            false if given.held.contains(&leaf) => others.push(object.clone()),
            false => {}
        }
    }
    if !copies.is_empty() && !given.unseen.is_empty() && program.calls.iter().any(may_read_list) {
        others.extend(given.unseen.iter().cloned());
    }
    for one in &specialisation.classes {
        let one = one.bind(py);
        if !is_plain(one)? && may_refer_to_lists(one)? {
            others.push(one.clone());
        }
    }
    let changes = updates.iter().any(|update| update.changed);
    if copies.len() + others.len() < 2 || (!changes && others.is_empty()) {
        return Ok(false);
    }
    // Which copy has a list of this address, and whether several have.
    let mut owners: HashMap<usize, usize> = HashMap::new();
    for (leaf, object) in &copies {
        let inside = given.lists.iter().filter(|(one, _)| one == leaf);
        let inside = inside.flat_map(|(_, lists)| lists.iter().map(|list| address(list)));
        for address in inside.chain([address(object)]) {
            if *owners.entry(address).or_insert(*leaf) != *leaf && changes {
                return Ok(true);
            }
        }
    }
    reaches(others, &owners)
}

fn address(object: &Bound<'_, PyAny>) -> usize {
    object.as_ptr() as usize
}

/// Whether a call may give a list of Python's that an object refers to, or a container in which there is one.
fn may_read_list(call: &Call) -> bool {
    let Call::Library {
        function,
        arguments,
        ..
    } = call
    else {
        return false;
    };
    // It is told the types that are expected.
    let names_containers = |operand: &Operand| match operand {
        Operand::Constant(Captured::Str(types)) => {
            types.contains("|list|") || types.contains("|dict|")
        }
        _ => false,
    };
    match function.rsplit('.').next() {
        Some("getattr") => true,
        Some("attribute_of_type") => arguments.iter().any(names_containers),
        _ => false,
    }
}

/// Whether one of the lists that have owners is reached from some objects.
fn reaches(from: Vec<Bound<'_, PyAny>>, owners: &HashMap<usize, usize>) -> PyResult<bool> {
    let mut left = from;
    let mut seen = HashSet::new();
    while let Some(object) = left.pop() {
        if owners.contains_key(&address(&object)) {
            return Ok(true);
        }
        if !seen.insert(address(&object)) {
            continue;
        }
        if let Ok(list) = object.cast::<PyList>() {
            push_items(&mut list.iter(), &mut left)?;
        } else if let Ok(dict) = object.cast::<PyDict>() {
            push_items(&mut dict.values().iter(), &mut left)?;
        } else if let Ok(tuple) = object.cast::<PyTuple>() {
            push_items(&mut tuple.iter(), &mut left)?;
        } else if is_plain(&object)? {
            for part in referents(&object)? {
                if may_refer_to_lists(&part)? {
                    left.push(part);
                }
            }
        }
    }
    Ok(false)
}

/// The items of a container that are to be looked at, if any are.
fn push_items<'py>(
    items: &mut dyn Iterator<Item = Bound<'py, PyAny>>,
    left: &mut Vec<Bound<'py, PyAny>>,
) -> PyResult<()> {
    let first: Vec<_> = items.take(ASKED).collect();
    let mut any = false;
    for item in &first {
        any |= may_refer_to_lists(item)?;
    }
    if any {
        left.extend(first);
        left.extend(items);
    }
    Ok(())
}

fn may_refer_to_lists(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_instance_of::<PyList>()
        || object.is_instance_of::<PyDict>()
        || object.is_instance_of::<PyTuple>()
    {
        return Ok(true);
    }
    is_plain(object)
}

/// Whether an object is one of a class that was written in Python, with attributes of its own.
fn is_plain(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_none() || object.is_instance_of::<PyType>() {
        return Ok(false);
    }
    let py = object.py();
    let class = object.get_type();
    if class.is(class!(py, "builtins", "float")) || class.is(class!(py, "builtins", "int")) {
        return Ok(false);
    }
    static ASK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let ask = ASK.import(py, "colocate._instances", "is_plain")?;
    ask.call1((object,))?.extract()
}

/// What an object refers to, wherever it keeps it.
fn referents<'py>(object: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    static ASK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let ask = ASK.import(object.py(), "gc", "get_referents")?;
    ask.call1((object,))?.extract()
}
