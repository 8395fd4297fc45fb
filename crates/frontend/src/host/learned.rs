//! What one translation of a function finds out for the next one.
//!
//! What containers hold, and how lists are kept, is assumed, and found out by translating. If more turns out
//! to be put into one, or it is read before anything is known of its items, the function is translated again
//! with what is known then. What is made of an item that is not known says nothing meanwhile; only if a
//! translation finds out nothing new, it is taken for an integer.

use crate::objects::items::{Item, ListKey};
use crate::translate::Translator;
use colocate_ir::DType;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};

/// What is known of containers.
#[derive(Default)]
pub(crate) struct Learned {
    list_types: HashMap<ListKey, Item>,
    held_lists: HashSet<ListKey>,
    changing_lists: HashSet<ListKey>,
    python_lists: HashSet<ListKey>,
    /// Lists whose items were taken for integers, because nothing was known of them.
    read_open: HashSet<ListKey>,
    ever_open: HashSet<ListKey>,
    object_types: HashMap<ListKey, crate::program::ObjectType>,
    pub changed_attributes: crate::objects::changed_attributes::ChangedAttributes,
    object_loops: HashSet<(u32, u32)>,
    global_arrays: Vec<crate::arrays::global_arrays::GlobalArray>,
    changing_classes: HashSet<u32>,
    shown_numbers: HashSet<(u32, u32)>,
    /// Whether objects that the function makes are Python's own.
    pub objects_in_python: bool,
    /// Whether what may be of several types is an object of which only Python knows what it is.
    pub loosely: bool,
    widened: HashMap<((u32, u32), String), crate::value::Value>,
    called: crate::host::called_functions::Called,
    written_dtypes: HashSet<DType>,
    /// Whether the translation before found out nothing that is certain.
    settling: bool,
    /// How much was known before it.
    known: usize,
    /// What was known before each of the translations.
    seen: HashSet<u64>,
}

impl Learned {
    pub fn give_to(&mut self, translator: &mut Translator<'_>) {
        use std::mem::take;
        translator.settling = self.settling;
        translator.objects_in_python = self.objects_in_python;
        translator.loosely = self.loosely;
        self.known = self.amount();
        translator.list_types = take(&mut self.list_types);
        translator.held_lists = take(&mut self.held_lists);
        translator.changing_lists = take(&mut self.changing_lists);
        translator.python_lists = take(&mut self.python_lists);
        translator.object_types = take(&mut self.object_types);
        translator.changed_attributes = take(&mut self.changed_attributes);
        translator.object_loops = take(&mut self.object_loops);
        translator.global_arrays = take(&mut self.global_arrays);
        translator.widened = take(&mut self.widened);
        translator.changing_classes = take(&mut self.changing_classes);
        translator.shown_numbers = take(&mut self.shown_numbers);
        translator.called = take(&mut self.called);
        translator.written_dtypes = take(&mut self.written_dtypes);
    }

    pub fn take_from(&mut self, translator: &mut Translator<'_>) {
        use std::mem::take;
        self.read_open.extend(take(&mut translator.read_open));
        self.list_types = crate::objects::items::kept_types(
            take(&mut translator.list_types),
            &mut self.read_open,
            &mut self.ever_open,
        );
        self.held_lists = take(&mut translator.held_lists);
        self.changing_lists = take(&mut translator.changing_lists);
        self.python_lists = take(&mut translator.python_lists);
        // The same list may be given twice: if one changes, all are Python's.
        let arguments = &translator.argument_lists;
        let is_one = |key: &ListKey| arguments.contains(key);
        if self.python_lists.iter().any(is_one) || self.changing_lists.iter().any(is_one) {
            self.python_lists.extend(arguments);
        }
        self.object_types = take(&mut translator.object_types);
        self.changed_attributes = take(&mut translator.changed_attributes);
        self.object_loops = take(&mut translator.object_loops);
        self.global_arrays = take(&mut translator.global_arrays);
        self.widened = take(&mut translator.widened);
        self.changing_classes = take(&mut translator.changing_classes);
        self.shown_numbers = take(&mut translator.shown_numbers);
        self.called = take(&mut translator.called);
        self.written_dtypes = take(&mut translator.written_dtypes);
        self.settling = self.amount() == self.known;
    }

    /// Whether all of this was known before: then the translations go round in a circle.
    pub fn is_seen_again(&mut self, results: usize) -> bool {
        let mut all: Vec<String> = Vec::new();
        all.extend(self.ever_open.iter().map(|one| format!("{one:?}")));
        all.extend(self.object_loops.iter().map(|one| format!("{one:?}")));
        all.sort();
        let mut hasher = std::hash::DefaultHasher::new();
        (self.amount(), self.settling, results, all).hash(&mut hasher);
        (self.called.amount(), self.global_arrays.len()).hash(&mut hasher);
        !self.seen.insert(hasher.finish())
    }

    /// A number that is another one as soon as more is known.
    fn amount(&self) -> usize {
        let mut all: Vec<String> = Vec::new();
        all.extend(self.list_types.iter().map(|one| format!("{one:?}")));
        all.extend(self.object_types.iter().map(|one| format!("{one:?}")));
        let attributes = self.changed_attributes.iter();
        all.extend(attributes.map(|one| format!("{one:?}")));
        all.extend(self.python_lists.iter().map(|one| format!("{one:?}")));
        all.extend(
            self.changing_classes
                .iter()
                .map(|one| format!("class {one}")),
        );
        let written = self.written_dtypes.iter();
        all.extend(written.map(|one| format!("written {one}")));
        all.extend(self.widened.iter().map(|one| format!("{one:?}")));
        all.extend(
            self.shown_numbers
                .iter()
                .map(|one| format!("shown {one:?}")),
        );
        all.extend(self.held_lists.iter().map(|one| format!("held {one:?}")));
        all.extend(
            self.changing_lists
                .iter()
                .map(|one| format!("changing {one:?}")),
        );
        all.sort();
        let mut hasher = std::hash::DefaultHasher::new();
        all.hash(&mut hasher);
        hasher.finish() as usize
    }
}
