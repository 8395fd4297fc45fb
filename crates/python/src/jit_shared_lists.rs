//! Lists that a function would have twice: as an argument, which is copied in and out, and somewhere else.

use crate::jit_arguments::Given;
use crate::jit_specialisation::Specialisation;
use colocate_jit::Argument;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::collections::HashMap;

/// Containers in containers are looked into so deep.
const DEEPEST: usize = 8;

/// Whether a list that the function has a copy of is one that it also reaches by another argument, or outside, and some
/// list may change. Then there would be two of it.
pub fn is_given_twice(specialisation: &Specialisation, given: &Given<'_>) -> bool {
    let program = specialisation.executable.program();
    let updates = &program.updates;
    if updates.is_empty() {
        return false;
    }
    let objects = &given.objects;
    // What host code has a copy of; a list of which a later argument is known to be the same is one.
    let is_copy = |leaf: usize| updates.iter().any(|update| update.leaf == leaf);
    let (mut copies, mut others) = (Vec::new(), Vec::new());
    for (leaf, object) in objects.iter().enumerate() {
        match is_copy(leaf) {
            true if matches!(given.arguments[leaf], Argument::SameList(_)) => {}
            true => copies.push((leaf, object)),
            false if given.held.contains(&leaf) => others.push(object),
            false => {}
        }
    }
    let py = match objects.first() {
        Some(object) => object.py(),
        None => return false,
    };
    let outside = specialisation.classes.iter().map(|one| one.bind(py));
    others.extend(outside.filter(|object| may_reach_lists(object)));
    let changes = updates.iter().any(|update| update.changed);
    if copies.len() + others.len() < 2 || (!changes && others.is_empty()) {
        return false;
    }
    // Which copy has a list of this address, and whether several have.
    let mut owners: HashMap<usize, usize> = HashMap::new();
    for (leaf, object) in &copies {
        let inside = given.lists.iter().filter(|(one, _)| one == leaf);
        let inside = inside.flat_map(|(_, lists)| lists.iter().map(|list| address(list)));
        for address in inside.chain([address(object)]) {
            if *owners.entry(address).or_insert(*leaf) != *leaf && changes {
                return true;
            }
        }
    }
    let is_copied = |object: &Bound<'_, PyAny>| owners.contains_key(&address(object));
    others
        .into_iter()
        .any(|object| reaches(object, &is_copied, DEEPEST))
}

fn address(object: &Bound<'_, PyAny>) -> usize {
    object.as_ptr() as usize
}

fn may_reach_lists(object: &Bound<'_, PyAny>) -> bool {
    let tuple = object.cast::<PyTuple>();
    object.is_instance_of::<PyList>()
        || object.is_instance_of::<PyDict>()
        || tuple.is_ok_and(|items| items.iter().any(|item| may_reach_lists(&item)))
}

/// Whether a container is such a list, or has one in it. Its items are of one type or None, so the first that is not says
/// whether to look at all.
fn reaches(
    object: &Bound<'_, PyAny>,
    is_one: &dyn Fn(&Bound<'_, PyAny>) -> bool,
    depth: usize,
) -> bool {
    if is_one(object) {
        return true;
    }
    if depth == 0 {
        return false;
    }
    let any = |items: &mut dyn Iterator<Item = Bound<'_, PyAny>>| {
        let mut items = items.skip_while(|item| item.is_none()).peekable();
        items.peek().is_some_and(may_reach_lists)
            && items.any(|item| reaches(&item, is_one, depth - 1))
    };
    if let Ok(list) = object.cast::<PyList>() {
        return any(&mut list.iter());
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        return any(&mut dict.values().iter());
    }
    match object.cast::<PyTuple>() {
        Ok(items) => items.iter().any(|item| reaches(&item, is_one, depth - 1)),
        Err(_) => false,
    }
}
