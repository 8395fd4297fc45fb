//! The objects that a running jit function holds, by handle.
//!
//! Dictionaries and sets that the function makes begin as tables of numbers ([`Table`]), which need neither Python
//! nor its lock. Whoever wants the object itself gets one of Python's that is made of the table, and from then on
//! that is the container, wherever it is held.

use crate::errors::{Class, error};
use crate::jit_values::number;
use colocate_dtype::{DType, Dims, Strides};
use colocate_jit::tables::{Item, ItemKind, ItemType, Table};
use colocate_jit::{HostArray, Keep, scalar_bytes};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySet, PyTuple};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// What a running function holds. It is let go when the function is over, or at the end of a turn of a loop that
/// made it.
#[derive(Default)]
pub struct Held(RefCell<Slots>);

#[derive(Default)]
struct Slots {
    objects: Vec<Option<Slot>>,
    /// Handles that can be given again.
    free: Vec<usize>,
    /// Handles in the order in which they were given, with the number of the giving.
    given: Vec<(u64, usize)>,
    next: u64,
    /// What was let go and waits for somebody who has Python's lock.
    bin: Vec<Slot>,
}

enum Slot {
    Object(Py<PyAny>),
    Container(Rc<Container>),
    View(Rc<Container>, Part),
    Walk(Walk),
}

/// A dictionary or a set that the function made.
struct Container(RefCell<Content>);

enum Content {
    Table(Table, Flavour),
    Python(Py<PyAny>),
}

/// What a container is in Python.
#[derive(Clone, Debug)]
pub enum Flavour {
    /// A dictionary.
    Dict,
    /// A set.
    Set {
        /// So many of its items, the first ones, were there from the beginning, and how they came.
        begun: (usize, Made),
    },
    /// A counter of the module `collections`: what is not there counts 0.
    Counter,
    /// A dictionary of the module `collections` that makes what is not there, by a builtin class of this name.
    Default(String, Arc<ItemType>),
}

/// How Python makes a set that is written down, which the order of its items shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// Of what was computed.
    OneByOne,
    /// Of constants.
    Written,
    /// Of constants that a loop goes over.
    GoneOver,
}

impl Made {
    /// The function of `_jit_objects.py` that does it.
    pub fn helper(self) -> &'static str {
        match self {
            Made::OneByOne => "set_of",
            Made::Written => "set_written",
            Made::GoneOver => "set_gone_over",
        }
    }
}

/// What going over a dictionary gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its keys.
    Keys,
    /// Its values.
    Values,
    /// Both.
    Items,
}

impl Part {
    /// The method that gives a view of it.
    pub fn method(self) -> &'static str {
        match self {
            Part::Keys => "keys",
            Part::Values => "values",
            Part::Items => "items",
        }
    }
}

/// An iterator over a dictionary.
struct Walk {
    container: Rc<Container>,
    part: Part,
    /// The position of the next item.
    at: usize,
    /// How many items it has given.
    given: usize,
    /// How many items there were, and what else must not change meanwhile.
    size: usize,
    moved: u64,
    is_over: bool,
}

impl Container {
    /// Python's own object.
    fn object<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let made = match &*self.0.borrow() {
            Content::Python(object) => return Ok(object.bind(py).clone()),
            // Nothing of the program's own runs meanwhile: keys and values are numbers.
            Content::Table(table, flavour) => object_of(py, table, flavour)?,
        };
        *self.0.borrow_mut() = Content::Python(made.clone().unbind());
        Ok(made)
    }
}

fn object_of<'py>(
    py: Python<'py>,
    table: &Table,
    flavour: &Flavour,
) -> PyResult<Bound<'py, PyAny>> {
    let rows = std::iter::successors(table.next(0), |row| table.next(row + 1));
    let made = match flavour {
        Flavour::Dict => PyDict::new(py).into_any(),
        Flavour::Set { begun } => {
            // In the order in which they came: Python's order of items depends on it.
            let mut items = rows.map(|row| item_to_object(py, table.key(row)));
            let first: Vec<_> = items.by_ref().take(begun.0).collect::<PyResult<_>>()?;
            let helpers = py.import("colocate._jit_objects")?;
            let made = helpers.call_method1(begun.1.helper(), PyTuple::new(py, first)?)?;
            let made = made.cast_into::<PySet>()?;
            for item in items {
                made.add(item?)?;
            }
            return Ok(made.into_any());
        }
        Flavour::Counter => py.import("collections")?.call_method0("Counter")?,
        Flavour::Default(factory, _) => {
            let helpers = py.import("colocate._jit_objects")?;
            helpers.call_method1("defaultdict_of", (factory,))?
        }
    };
    for row in rows {
        let key = item_to_object(py, table.key(row))?;
        made.set_item(key, item_to_object(py, table.value(row))?)?;
    }
    Ok(made)
}

/// A key or a value as Python has it.
pub fn item_to_object<'py>(py: Python<'py>, item: Item<'_>) -> PyResult<Bound<'py, PyAny>> {
    fn part<'py>(
        py: Python<'py>,
        kind: &ItemKind,
        words: &mut &[u64],
    ) -> PyResult<Bound<'py, PyAny>> {
        match kind {
            ItemKind::Number { dtype, weak } => {
                let (own, rest) = words.split_at(kind.words());
                *words = rest;
                let second = own.get(1).copied().unwrap_or(0);
                number(py, *dtype, *weak, [own[0], second])
            }
            ItemKind::Tuple(items) => {
                let items: PyResult<Vec<_>> =
                    items.iter().map(|item| part(py, item, words)).collect();
                Ok(PyTuple::new(py, items?)?.into_any())
            }
        }
    }
    part(py, item.kind.kind(), &mut { item.words })
}

/// One turn of a loop over a dictionary.
pub enum Turn<T> {
    /// What was made of the item.
    Item(T),
    /// There are no more.
    Over,
    /// The dictionary has another size than when the loop began.
    Resized,
    /// It has items that came during the loop, and as many others went.
    Exchanged,
}

impl<T> Turn<T> {
    /// What Python raises if a dictionary is changed by a loop over it.
    pub fn failure(&self) -> Option<PyErr> {
        let what = match self {
            Turn::Item(_) | Turn::Over => return None,
            Turn::Resized => "changed size",
            Turn::Exchanged => "keys changed",
        };
        let text = format!("dictionary {what} during iteration");
        Some(PyRuntimeError::new_err(text))
    }
}

impl Slots {
    fn put(&mut self, slot: Slot) -> u64 {
        let handle = match self.free.pop() {
            Some(handle) => {
                self.objects[handle] = Some(slot);
                handle
            }
            None => {
                self.objects.push(Some(slot));
                self.objects.len() - 1
            }
        };
        let number = self.next;
        self.next += 1;
        self.given.push((number, handle));
        handle as u64
    }

    fn get(&self, handle: u64) -> Option<&Slot> {
        self.objects.get(handle as usize).and_then(Option::as_ref)
    }
}

impl Held {
    /// Keeps an object; its handle.
    pub fn keep(&self, object: &Bound<'_, PyAny>) -> u64 {
        let slot = Slot::Object(object.clone().unbind());
        self.0.borrow_mut().put(slot)
    }

    /// Keeps a new dictionary or set; its handle.
    pub fn keep_table(&self, table: Table, flavour: Flavour) -> u64 {
        let container = Container(RefCell::new(Content::Table(table, flavour)));
        self.0.borrow_mut().put(Slot::Container(Rc::new(container)))
    }

    /// The object of a handle.
    pub fn get<'py>(&self, py: Python<'py>, handle: u64) -> PyResult<Bound<'py, PyAny>> {
        let made = {
            let slots = self.0.borrow();
            match slots.get(handle) {
                Some(Slot::Object(object)) => return Ok(object.bind(py).clone()),
                Some(Slot::Container(container)) => {
                    let container = container.clone();
                    drop(slots);
                    container.object(py)?
                }
                Some(Slot::View(container, part)) => {
                    let (container, part) = (container.clone(), *part);
                    drop(slots);
                    container.object(py)?.call_method0(part.method())?
                }
                Some(Slot::Walk(walk)) => {
                    let (container, part) = (walk.container.clone(), walk.part);
                    let (given, is_over) = (walk.given, walk.is_over);
                    drop(slots);
                    let view = container.object(py)?.call_method0(part.method())?;
                    let rest = view.try_iter()?;
                    let passed = if is_over { view.len()? } else { given };
                    for _ in 0..passed {
                        rest.clone().next().transpose()?;
                    }
                    rest.into_any()
                }
                None => return Err(error(Class::InternalError, "a handle of no object")),
            }
        };
        let slot = Slot::Object(made.clone().unbind());
        self.0.borrow_mut().objects[handle as usize] = Some(slot);
        Ok(made)
    }

    /// Works on a container that is a table still.
    pub fn with_table<T>(
        &self,
        handle: u64,
        work: impl FnOnce(&mut Table, &Flavour) -> T,
    ) -> Option<T> {
        let slots = self.0.borrow();
        let container = match slots.get(handle) {
            Some(Slot::Container(container)) => container,
            _ => return None,
        };
        match &mut *container.0.borrow_mut() {
            Content::Table(table, flavour) => Some(work(table, flavour)),
            Content::Python(_) => None,
        }
    }

    /// How many items a container has, or a view of one, that is a table still.
    pub fn table_len(&self, handle: u64) -> Option<usize> {
        let slots = self.0.borrow();
        let container = match slots.get(handle) {
            Some(Slot::Container(container) | Slot::View(container, _)) => container,
            _ => return None,
        };
        match &*container.0.borrow() {
            Content::Table(table, _) => Some(table.len()),
            Content::Python(_) => None,
        }
    }

    /// The numbers that going over a table, or a view of one, gives, if all of them are of a dtype.
    pub fn numbers(&self, handle: u64, dtype: DType) -> Option<HostArray> {
        let slots = self.0.borrow();
        let (container, part) = match slots.get(handle)? {
            Slot::Container(container) => (container, Part::Keys),
            Slot::View(container, part) => (container, *part),
            _ => return None,
        };
        let content = container.0.borrow();
        let Content::Table(table, flavour) = &*content else {
            return None;
        };
        if matches!(flavour, Flavour::Set { .. }) || part == Part::Items {
            return None;
        }
        let mut bytes = Vec::new();
        let size = dtype.itemsize();
        // In words, so that elements of every dtype are aligned.
        bytes
            .try_reserve_exact((table.len() * size).div_ceil(8))
            .ok()?;
        bytes.resize((table.len() * size).div_ceil(8), 0u64);
        let mut memory = Box::new(bytes);
        let mut at = memory.as_mut_ptr().cast::<u8>();
        for row in std::iter::successors(table.next(0), |row| table.next(row + 1)) {
            let item = match part {
                Part::Values => table.value(row),
                _ => table.key(row),
            };
            match item.kind.kind() {
                ItemKind::Number { dtype: is, .. } if *is == dtype => {}
                _ => return None,
            }
            let second = item.words.get(1).copied().unwrap_or(0);
            let element = scalar_bytes(dtype, [item.words[0], second]);
            // SAFETY: there is room for as many elements as there are items.
            unsafe {
                std::ptr::copy_nonoverlapping(element.as_ptr(), at, size);
                at = at.add(size);
            }
        }
        Some(HostArray {
            dtype,
            pointer: memory.as_mut_ptr().cast(),
            shape: Dims::from_slice(&[table.len()]),
            strides: Strides::from_slice(&[size as isize]),
            writable: true,
            keep: Keep::Owner(Arc::new(memory)),
        })
    }

    /// A view of a dictionary that is a table still; its handle.
    pub fn keep_view(&self, handle: u64, part: Part) -> Option<u64> {
        let mut slots = self.0.borrow_mut();
        let Some(Slot::Container(container)) = slots.get(handle) else {
            return None;
        };
        match &*container.0.borrow() {
            Content::Table(_, Flavour::Set { .. }) | Content::Python(_) => return None,
            Content::Table(..) => {}
        }
        let container = container.clone();
        Some(slots.put(Slot::View(container, part)))
    }

    /// An iterator over a dictionary that is a table still, or over a view of one; its handle.
    pub fn keep_walk(&self, handle: u64) -> Option<u64> {
        let mut slots = self.0.borrow_mut();
        let (container, part) = match slots.get(handle) {
            Some(Slot::Container(container)) => (container.clone(), Part::Keys),
            Some(Slot::View(container, part)) => (container.clone(), *part),
            _ => return None,
        };
        let (size, moved) = match &*container.0.borrow() {
            Content::Table(_, Flavour::Set { .. }) | Content::Python(_) => return None,
            Content::Table(table, _) => (table.len(), table.moved()),
        };
        Some(slots.put(Slot::Walk(Walk {
            container,
            part,
            at: 0,
            given: 0,
            size,
            moved,
            is_over: false,
        })))
    }

    /// The next item of an iterator over a table: the key, the value, or both. Nothing if it is no such iterator.
    /// If the work gives nothing, it has not been taken.
    pub fn step<T>(
        &self,
        handle: u64,
        work: impl FnOnce(Option<Item<'_>>, Option<Item<'_>>) -> Option<T>,
    ) -> Option<Turn<T>> {
        let mut slots = self.0.borrow_mut();
        let Some(Some(Slot::Walk(walk))) = slots.objects.get_mut(handle as usize) else {
            return None;
        };
        let content = walk.container.0.borrow();
        let Content::Table(table, _) = &*content else {
            return None;
        };
        if walk.is_over {
            return Some(Turn::Over);
        }
        if (table.len(), table.moved()) != (walk.size, walk.moved) {
            return Some(Turn::Resized);
        }
        let Some(row) = table.next(walk.at) else {
            walk.is_over = true;
            return Some(Turn::Over);
        };
        if walk.given == walk.size {
            return Some(Turn::Exchanged);
        }
        let key = (walk.part != Part::Values).then(|| table.key(row));
        let value = (walk.part != Part::Keys).then(|| table.value(row));
        let made = work(key, value)?;
        walk.at = row + 1;
        walk.given += 1;
        Some(Turn::Item(made))
    }

    /// The number of the next giving.
    pub fn mark(&self) -> u64 {
        self.0.borrow().next
    }

    /// Lets go what was kept since a mark, except for some.
    pub fn sweep(&self, mark: u64, wanted: &[u64]) {
        let is_full = {
            let slots = &mut *self.0.borrow_mut();
            let first = slots.given.partition_point(|(number, _)| *number < mark);
            let mut kept = first;
            for at in first..slots.given.len() {
                let (number, handle) = slots.given[at];
                if wanted.contains(&(handle as u64)) {
                    slots.given[kept] = (number, handle);
                    kept += 1;
                } else {
                    let dropped = slots.objects[handle].take();
                    slots.bin.extend(dropped.filter(Slot::is_of_python));
                    slots.free.push(handle);
                }
            }
            slots.given.truncate(kept);
            slots.bin.len() > FULL_BIN
        };
        if is_full {
            Python::attach(|_| self.empty_bin());
        }
    }

    /// Ends what was let go, which takes Python's lock.
    pub fn empty_bin(&self) {
        let bin = std::mem::take(&mut self.0.borrow_mut().bin);
        // Objects may run code when they end: nothing is borrowed then.
        drop(bin);
    }
}

/// With so many objects that wait, the lock is taken for them.
const FULL_BIN: usize = 256;

impl Slot {
    fn is_of_python(&self) -> bool {
        let container = match self {
            Slot::Object(_) => return true,
            Slot::Container(container) | Slot::View(container, _) => container,
            Slot::Walk(walk) => &walk.container,
        };
        matches!(*container.0.borrow(), Content::Python(_))
    }
}

/// What a defaultdict makes by a class, if that is a number.
pub fn default_of(factory: &str) -> Option<Arc<ItemType>> {
    let dtype = match factory {
        "int" => DType::Int64,
        "float" => DType::Float64,
        "bool" => DType::Bool,
        _ => return None,
    };
    Some(ItemType::new(ItemKind::Number { dtype, weak: true }))
}
