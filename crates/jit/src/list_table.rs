//! The lists of a call by number, and what host code sees of them.
//!
//! Host code reads where the items of a list are, and how many, without a call (`ShownList`); it may change items in
//! place. So whatever changes a list goes through [`Lists::change`], which shows it anew.

use crate::slot::Slot;
use crate::{Error, Result};
use colocate_frontend::program::{ListItem, ShownList};

/// All lists of a call, by number.
#[repr(C)]
pub(crate) struct Lists {
    /// The address of the first one. Host code reads it here.
    table: u64,
    all: Vec<List>,
    free: Vec<usize>,
}

/// A list. It begins with what host code sees of it.
#[repr(C)]
pub(crate) struct List {
    address: u64,
    pub length: usize,
    room: usize,
    changed: u64,
    /// Nothing once nobody uses the list any more.
    content: Option<Box<Content>>,
    /// The list of the caller that it is: the leaf, and its number among the lists in it.
    pub origin: Option<(usize, usize)>,
}

const _: () = assert!(
    size_of::<List>() == 8 * ShownList::WORDS
        && std::mem::offset_of!(List, address) == 8 * ShownList::ADDRESS
        && std::mem::offset_of!(List, length) == 8 * ShownList::LENGTH
        && std::mem::offset_of!(List, room) == 8 * ShownList::ROOM
        && std::mem::offset_of!(List, changed) == 8 * ShownList::CHANGED
);

/// The items of a list.
pub(crate) enum Content {
    /// The first elements of an array of one axis.
    Numbers(Slot),
    /// As many words and as many arrays for each.
    Rows {
        words: Vec<u64>,
        slots: Vec<Slot>,
        per_item: (usize, usize),
    },
}

impl Lists {
    pub(crate) fn new() -> Lists {
        Lists {
            table: 0,
            all: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, mut list: List) -> usize {
        list.show();
        match self.free.pop() {
            Some(number) => {
                self.all[number] = list;
                number
            }
            None => {
                self.all.push(list);
                self.table = self.all.as_ptr() as u64;
                self.all.len() - 1
            }
        }
    }

    pub(crate) fn get(&self, number: u64) -> Result<&List> {
        let found = self.all.get(number as usize);
        found
            .filter(|list| list.content.is_some())
            .ok_or_else(unknown)
    }

    /// Changes a list.
    pub(crate) fn change<T>(
        &mut self,
        number: u64,
        work: impl FnOnce(&mut List) -> Result<T>,
    ) -> Result<T> {
        let list = self.all.get_mut(number as usize);
        let list = list
            .filter(|list| list.content.is_some())
            .ok_or_else(unknown)?;
        let done = work(list);
        list.changed = 1;
        list.show();
        done
    }

    /// The list that an argument is, as a whole.
    pub(crate) fn of_argument(&self, leaf: usize) -> Result<u64> {
        let is_it = |list: &List| list.origin == Some((leaf, 0));
        let number = self.all.iter().position(is_it).ok_or_else(unknown)?;
        Ok(number as u64)
    }

    /// Says which list of the caller a new one is.
    pub(crate) fn set_origin(&mut self, number: u64, origin: Option<(usize, usize)>) {
        if let Some(list) = self.all.get_mut(number as usize) {
            list.origin = origin;
        }
    }

    pub(crate) fn remove(&mut self, number: u64) {
        if let Some(list) = self.all.get_mut(number as usize)
            && list.content.take().is_some()
        {
            (list.address, list.length, list.room) = (0, 0, 0);
            self.free.push(number as usize);
        }
    }
}

fn unknown() -> Error {
    Error::Internal("a list is used that nobody made".into())
}

pub(crate) fn wrong_kind() -> Error {
    Error::Internal("a list holds other items than the host part says".into())
}

impl List {
    pub(crate) fn new(content: Content, length: usize) -> List {
        List {
            address: 0,
            length,
            room: 0,
            changed: 0,
            content: Some(Box::new(content)),
            origin: None,
        }
    }

    /// A list of other items than numbers, without any yet.
    pub(crate) fn rows(item: &ListItem) -> List {
        let content = Content::Rows {
            words: Vec::new(),
            slots: Vec::new(),
            per_item: (item.words(), item.arrays()),
        };
        List::new(content, 0)
    }

    pub(crate) fn content(&self) -> &Content {
        let content = self.content.as_deref();
        content.expect("lists that are gone are not found")
    }

    pub(crate) fn content_mut(&mut self) -> &mut Content {
        let content = self.content.as_deref_mut();
        content.expect("lists that are gone are not found")
    }

    /// Whether anybody changed it since it was made.
    pub(crate) fn is_changed(&self) -> bool {
        self.changed != 0
    }

    /// Has host code see where the items are now.
    fn show(&mut self) {
        (self.address, self.room) = match self.content() {
            Content::Numbers(slot) => {
                let room = slot.shape.first().copied().unwrap_or(0);
                (slot.host_pointer() as u64, room)
            }
            Content::Rows { words, .. } => (words.as_ptr() as u64, 0),
        };
    }

    /// Puts other items, so many, in the place of some that are no numbers.
    pub(crate) fn replace_rows(
        &mut self,
        range: std::ops::Range<usize>,
        new_words: impl IntoIterator<Item = u64>,
        new_slots: impl IntoIterator<Item = Slot>,
        count: usize,
    ) -> Result<()> {
        let Content::Rows {
            words,
            slots,
            per_item: (w, a),
        } = self.content_mut()
        else {
            return Err(wrong_kind());
        };
        words.splice(range.start * *w..range.end * *w, new_words);
        slots.splice(range.start * *a..range.end * *a, new_slots);
        // Items without words and arrays, such as empty tuples, are counted.
        self.length = self.length + count - range.len();
        Ok(())
    }

    /// The items of a list of numbers as they lie in memory, which nobody may change meanwhile.
    pub(crate) fn bytes<'s>(&self, slot: &'s Slot) -> Result<&'s [u8]> {
        let count = self.length * slot.dtype.itemsize();
        if count == 0 {
            return Ok(&[]);
        }
        slot.block.to_host()?;
        // SAFETY: an array of one axis without gaps, valid on the host, of at least as many elements.
        Ok(unsafe { std::slice::from_raw_parts(slot.host_pointer(), count) })
    }
}
