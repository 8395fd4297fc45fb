//! Lists that a program holds by number: their items, and what the host part does with them.
//!
//! The items of a list of numbers lie in an array that may have room behind them, which the host part
//! opens, works on and closes. Other items have some words and some arrays each; an item that is a list
//! is the number of that list, so that two places can hold the same one. Numbers are given back only
//! where the host part says so; all lists end with the call.

use crate::calls::State;
use crate::slot::Slot;
use crate::value::{Argument, Value};
use crate::words::{Cursor, scalar_bytes};
use crate::{Error, Result};
use colocate_dtype::{DType, Dims};
use colocate_frontend::program::{ListCall, ListItem};
use colocate_ir::LocalId;

/// All lists of a call, by number.
#[derive(Default)]
pub(crate) struct Lists {
    all: Vec<Option<List>>,
    free: Vec<usize>,
}

/// A list.
#[derive(Clone)]
pub(crate) struct List {
    pub content: Content,
    pub length: usize,
    /// The list of the caller that it is: the leaf, and its number among the lists in it.
    pub origin: Option<(usize, usize)>,
}

/// The items of a list.
#[derive(Clone)]
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
    pub(crate) fn add(&mut self, list: List) -> usize {
        match self.free.pop() {
            Some(number) => {
                self.all[number] = Some(list);
                number
            }
            None => {
                self.all.push(Some(list));
                self.all.len() - 1
            }
        }
    }

    pub(crate) fn get(&self, number: u64) -> Result<&List> {
        let found = self.all.get(number as usize).and_then(Option::as_ref);
        found.ok_or_else(unknown)
    }

    fn get_mut(&mut self, number: u64) -> Result<&mut List> {
        let found = self.all.get_mut(number as usize).and_then(Option::as_mut);
        found.ok_or_else(unknown)
    }

    fn remove(&mut self, number: u64) {
        if let Some(place) = self.all.get_mut(number as usize)
            && place.take().is_some()
        {
            self.free.push(number as usize);
        }
    }
}

fn unknown() -> Error {
    Error::Internal("a list is used that nobody made".into())
}

fn wrong_kind() -> Error {
    Error::Internal("a list holds other items than the host part says".into())
}

impl List {
    fn rows(item: &ListItem) -> List {
        List {
            content: Content::Rows {
                words: Vec::new(),
                slots: Vec::new(),
                per_item: (item.words(), item.arrays()),
            },
            length: 0,
            origin: None,
        }
    }

    /// Takes items that are no numbers out, in place; false if they are numbers.
    fn remove_rows(&mut self, start: usize, count: usize) -> bool {
        match self.content {
            Content::Numbers(_) => false,
            Content::Rows { .. } => self
                .replace_rows(start..start + count, Vec::new(), Vec::new(), 0)
                .is_ok(),
        }
    }

    /// Puts other items, so many, in the place of some that are no numbers.
    fn replace_rows(
        &mut self,
        range: std::ops::Range<usize>,
        new_words: Vec<u64>,
        new_slots: Vec<Slot>,
        count: usize,
    ) -> Result<()> {
        let Content::Rows {
            words,
            slots,
            per_item: (w, a),
        } = &mut self.content
        else {
            return Err(wrong_kind());
        };
        words.splice(range.start * *w..range.end * *w, new_words);
        slots.splice(range.start * *a..range.end * *a, new_slots);
        // Items without words and arrays, such as empty tuples, are counted.
        self.length = self.length + count - range.len();
        Ok(())
    }

    /// Some items as a list of their own, which shares nothing but what they refer to.
    fn taken(&self, positions: impl Iterator<Item = usize> + Clone) -> Result<Taken> {
        Ok(match &self.content {
            Content::Numbers(slot) => {
                let bytes = self.bytes(slot)?;
                let size = slot.dtype.itemsize();
                let some = positions.flat_map(|at| bytes[at * size..(at + 1) * size].iter());
                Taken::Bytes(some.copied().collect())
            }
            Content::Rows {
                words,
                slots,
                per_item: (w, a),
            } => {
                let some = positions.clone();
                let words = some.flat_map(|at| words[at * w..(at + 1) * w].iter());
                let words = words.copied().collect();
                let slots = positions.flat_map(|at| slots[at * a..(at + 1) * a].iter());
                Taken::Rows(words, slots.cloned().collect())
            }
        })
    }

    /// The items of a list of numbers as they lie in memory.
    pub(crate) fn bytes(&self, slot: &Slot) -> Result<Vec<u8>> {
        slot.block.to_host()?;
        let count = self.length * slot.dtype.itemsize();
        if count == 0 {
            return Ok(Vec::new());
        }
        // SAFETY: an array of one axis without gaps, valid on the host, of at least as many elements.
        Ok(unsafe { std::slice::from_raw_parts(slot.host_pointer(), count) }.to_vec())
    }
}

/// Items on their way from one list to another.
enum Taken {
    Bytes(Vec<u8>),
    Rows(Vec<u64>, Vec<Slot>),
}

impl Taken {
    /// The same with other items in the place of some.
    fn spliced(
        self,
        start: usize,
        stop: usize,
        with: Taken,
        size: (usize, usize),
    ) -> Result<Taken> {
        match (self, with) {
            (Taken::Bytes(mut all), Taken::Bytes(new)) => {
                all.splice(start * size.0..stop * size.0, new);
                Ok(Taken::Bytes(all))
            }
            (Taken::Rows(mut words, mut slots), Taken::Rows(new_words, new_slots)) => {
                words.splice(start * size.0..stop * size.0, new_words);
                slots.splice(start * size.1..stop * size.1, new_slots);
                Ok(Taken::Rows(words, slots))
            }
            _ => Err(wrong_kind()),
        }
    }
}

/// The positions that a start, a step and a number of items mean.
fn positions(start: i64, step: i64, count: i64) -> impl DoubleEndedIterator<Item = usize> + Clone {
    (0..count.max(0)).map(move |turn| (start + turn * step) as usize)
}

impl State<'_> {
    pub(crate) fn list_call(
        &mut self,
        call: &ListCall,
        words: &mut Cursor<'_>,
        results: &mut [u64],
    ) -> Result<()> {
        match call {
            ListCall::Hold { local } => {
                let length = words.number().max(0) as usize;
                let slot = self.slot(*local)?.clone();
                results[0] = self.lists.add(List {
                    content: Content::Numbers(slot),
                    length,
                    origin: None,
                }) as u64;
            }
            ListCall::Open { local } => {
                let list = self.lists.get(words.next())?;
                let Content::Numbers(slot) = &list.content else {
                    return Err(wrong_kind());
                };
                let (slot, length) = (slot.clone(), list.length);
                let (last, first) = results.split_last_mut().ok_or_else(wrong_kind)?;
                slot.write_words(first);
                *last = length as u64;
                self.set(*local, slot);
            }
            ListCall::Close { local } => {
                let slot = self.slot(*local)?.clone();
                let list = self.lists.get_mut(words.next())?;
                list.length = words.number().max(0) as usize;
                list.content = Content::Numbers(slot);
            }
            ListCall::New { item } => results[0] = self.lists.add(List::rows(item)) as u64,
            ListCall::Argument { leaf, item } => {
                let given = match self.call.arguments.get(*leaf) {
                    Some(Argument::List(value)) => value.clone(),
                    _ => {
                        let text = format!("the argument {leaf} is no list");
                        return Err(Error::Internal(text));
                    }
                };
                let mut count = 0;
                results[0] = self.held_argument(*leaf, &given, item, &mut count)?;
            }
            ListCall::Length => results[0] = self.lists.get(words.next())?.length as u64,
            ListCall::Get { item, locals } => self.list_item(item, locals, words, results)?,
            ListCall::Set { item, locals } => self.put_list_item(item, locals, words, false)?,
            ListCall::Insert { item, locals } => self.put_list_item(item, locals, words, true)?,
            ListCall::Take => {
                let number = words.next();
                let (start, step, count) = (words.number(), words.number(), words.number());
                let taken = self
                    .lists
                    .get(number)?
                    .taken(positions(start, step, count))?;
                let copy = List {
                    origin: None,
                    ..self.lists.get(number)?.clone()
                };
                let new = self.lists.add(copy) as u64;
                self.refill(new, taken)?;
                results[0] = new;
            }
            ListCall::Delete => {
                let number = words.next();
                let (start, step, count) = (words.number(), words.number(), words.number());
                let list = self.lists.get_mut(number)?;
                if (step == 1 || count == 1) && list.remove_rows(start as usize, count as usize) {
                    return Ok(());
                }
                let list = self.lists.get(number)?;
                let mut gone = vec![false; list.length];
                positions(start, step, count).for_each(|at| gone[at] = true);
                let kept: Vec<usize> = (0..list.length).filter(|&at| !gone[at]).collect();
                let taken = list.taken(kept.into_iter())?;
                self.refill(number, taken)?;
            }
            ListCall::Splice => {
                let number = words.next();
                let (start, stop, other) = (words.number(), words.number(), words.next());
                let new = self.lists.get(other)?;
                let (new, more) = (new.taken(0..new.length)?, new.length);
                let new = match new {
                    Taken::Rows(words, slots) => {
                        let list = self.lists.get_mut(number)?;
                        return list.replace_rows(
                            start as usize..stop as usize,
                            words,
                            slots,
                            more,
                        );
                    }
                    numbers => numbers,
                };
                let list = self.lists.get(number)?;
                let size = match &list.content {
                    Content::Numbers(slot) => (slot.dtype.itemsize(), 0),
                    Content::Rows { per_item, .. } => *per_item,
                };
                let all = list.taken(0..list.length)?;
                let all = all.spliced(start as usize, stop as usize, new, size)?;
                self.refill(number, all)?;
            }
            ListCall::Spread => {
                let number = words.next();
                let (start, step, count) = (words.number(), words.number(), words.number());
                let other = words.next();
                let list = self.lists.get(number)?;
                let mut all = list.taken(0..list.length)?;
                let size = match &list.content {
                    Content::Numbers(slot) => (slot.dtype.itemsize(), 0),
                    Content::Rows { per_item, .. } => *per_item,
                };
                for (turn, at) in positions(start, step, count).enumerate() {
                    let one = self.lists.get(other)?.taken(turn..turn + 1)?;
                    all = all.spliced(at, at + 1, one, size)?;
                }
                self.refill(number, all)?;
            }
            ListCall::Reverse => {
                let number = words.next();
                let list = self.lists.get(number)?;
                let taken = list.taken((0..list.length).rev())?;
                self.refill(number, taken)?;
            }
            ListCall::Compare { item } => {
                let (a, b) = (words.next(), words.next());
                results[0] = self.compare_lists(a, b, item)? as u64;
            }
            ListCall::Order { item } => {
                let (number, descending) = (words.next(), words.next() != 0);
                let order = self.list_order(number, item, descending)?;
                let bytes: Vec<u8> = order
                    .iter()
                    .flat_map(|&at| (at as i64).to_le_bytes())
                    .collect();
                let slot = self.numbers(DType::Int64, &bytes)?;
                results[0] = self.lists.add(List {
                    content: Content::Numbers(slot),
                    length: order.len(),
                    origin: None,
                }) as u64;
            }
            ListCall::Drop => self.lists.remove(words.next()),
        }
        Ok(())
    }

    /// Puts other items into a list.
    fn refill(&mut self, number: u64, taken: Taken) -> Result<()> {
        match taken {
            Taken::Bytes(bytes) => {
                let Content::Numbers(slot) = &self.lists.get(number)?.content else {
                    return Err(wrong_kind());
                };
                let dtype = slot.dtype;
                let slot = self.numbers(dtype, &bytes)?;
                let list = self.lists.get_mut(number)?;
                list.length = bytes.len() / dtype.itemsize();
                list.content = Content::Numbers(slot);
            }
            Taken::Rows(new_words, new_slots) => {
                let list = self.lists.get_mut(number)?;
                let Content::Rows {
                    words,
                    slots,
                    per_item: (w, a),
                } = &mut list.content
                else {
                    return Err(wrong_kind());
                };
                list.length = match (*w, *a) {
                    (0, 0) => list.length,
                    (0, a) => new_slots.len() / a,
                    (w, _) => new_words.len() / w,
                };
                *words = new_words;
                *slots = new_slots;
            }
        }
        Ok(())
    }

    /// An array of one axis with these elements.
    fn numbers(&mut self, dtype: DType, bytes: &[u8]) -> Result<Slot> {
        let count = bytes.len() / dtype.itemsize();
        let slot = self.new_array(dtype, &Dims::from_slice(&[count]), false, false)?;
        if count > 0 {
            slot.block.to_host()?;
            // SAFETY: new memory of that many bytes, which the host reaches.
            unsafe {
                slot.host_pointer()
                    .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            }
            slot.block.changed_on_host();
        }
        Ok(slot)
    }

    fn list_item(
        &mut self,
        item: &ListItem,
        locals: &[LocalId],
        words: &mut Cursor<'_>,
        mut results: &mut [u64],
    ) -> Result<()> {
        let (number, at) = (words.next(), words.next() as usize);
        let Content::Rows { slots, .. } = &self.lists.get(number)?.content else {
            return Err(wrong_kind());
        };
        let arrays = item.arrays();
        let slots: Vec<Slot> = slots
            .get(at * arrays..(at + 1) * arrays)
            .ok_or_else(wrong_kind)?
            .to_vec();
        for (local, slot) in locals.iter().zip(slots) {
            let count = self.executable.program().host.locals[local.index()].words();
            let (first, rest) = results.split_at_mut(count);
            slot.write_words(first);
            results = rest;
            self.set(*local, slot);
        }
        let Content::Rows { words, .. } = &self.lists.get(number)?.content else {
            return Err(wrong_kind());
        };
        let count = item.words();
        let given = words
            .get(at * count..(at + 1) * count)
            .ok_or_else(wrong_kind)?;
        results.copy_from_slice(given);
        Ok(())
    }

    fn put_list_item(
        &mut self,
        item: &ListItem,
        locals: &[LocalId],
        given: &mut Cursor<'_>,
        insert: bool,
    ) -> Result<()> {
        let (number, at) = (given.next(), given.next() as usize);
        let new: Vec<u64> = (0..item.words()).map(|_| given.next()).collect();
        let arrays = locals
            .iter()
            .map(|local| self.slot(*local).cloned())
            .collect::<Result<Vec<Slot>>>()?;
        let list = self.lists.get_mut(number)?;
        let Content::Rows {
            words,
            slots,
            per_item: (w, a),
        } = &mut list.content
        else {
            return Err(wrong_kind());
        };
        let end = if insert { at } else { at + 1 };
        words.splice(at * *w..end * *w, new);
        slots.splice(at * *a..end * *a, arrays);
        list.length += usize::from(insert);
        Ok(())
    }

    /// A list of the caller's, and the lists in it.
    fn held_argument(
        &mut self,
        leaf: usize,
        value: &Value,
        item: &ListItem,
        count: &mut usize,
    ) -> Result<u64> {
        let Value::List(items) = value else {
            return Err(wrong_kind());
        };
        let origin = Some((leaf, *count));
        *count += 1;
        if let ListItem::Scalar { dtype, .. } = item {
            let mut bytes = Vec::with_capacity(items.len() * dtype.itemsize());
            for one in items {
                let Value::Scalar { words, .. } = one else {
                    return Err(wrong_kind());
                };
                bytes.extend_from_slice(&scalar_bytes(*dtype, *words)[..dtype.itemsize()]);
            }
            let slot = self.numbers(*dtype, &bytes)?;
            let list = List {
                content: Content::Numbers(slot),
                length: items.len(),
                origin,
            };
            return Ok(self.lists.add(list) as u64);
        }
        let mut words = Vec::new();
        for one in items {
            self.argument_words(leaf, one, item, count, &mut words)?;
        }
        let mut list = List::rows(item);
        list.length = items.len();
        list.origin = origin;
        if let Content::Rows { words: place, .. } = &mut list.content {
            *place = words;
        }
        Ok(self.lists.add(list) as u64)
    }

    fn argument_words(
        &mut self,
        leaf: usize,
        value: &Value,
        item: &ListItem,
        count: &mut usize,
        found: &mut Vec<u64>,
    ) -> Result<()> {
        match (value, item) {
            (Value::Scalar { words, .. }, ListItem::Scalar { dtype, .. }) => {
                found.extend(&words[..crate::words::count(*dtype)]);
            }
            (Value::Tuple(values), ListItem::Tuple(items)) if values.len() == items.len() => {
                for (value, item) in values.iter().zip(items) {
                    self.argument_words(leaf, value, item, count, found)?;
                }
            }
            (Value::List(_), ListItem::List(inner)) => {
                found.push(self.held_argument(leaf, value, inner, count)?);
            }
            (Value::Constant(_), ListItem::Optional(inner)) => {
                found.extend(std::iter::repeat_n(0, inner.words() + 1));
            }
            (value, ListItem::Optional(inner)) => {
                self.argument_words(leaf, value, inner, count, found)?;
                found.push(1);
            }
            _ => return Err(wrong_kind()),
        }
        Ok(())
    }

    /// What came from a library function, as a list.
    pub(crate) fn held_result(&mut self, value: Value, item: &ListItem) -> Result<u64> {
        let (Value::List(values) | Value::Tuple(values)) = value else {
            return Err(wrong_kind());
        };
        if let ListItem::Scalar { dtype, .. } = item {
            let mut bytes = Vec::with_capacity(values.len() * dtype.itemsize());
            for one in &values {
                let Value::Scalar { words, .. } = one else {
                    return Err(wrong_kind());
                };
                bytes.extend_from_slice(&scalar_bytes(*dtype, *words)[..dtype.itemsize()]);
            }
            let slot = self.numbers(*dtype, &bytes)?;
            return Ok(self.lists.add(List {
                content: Content::Numbers(slot),
                length: values.len(),
                origin: None,
            }) as u64);
        }
        let mut list = List::rows(item);
        list.length = values.len();
        let (mut words, mut slots) = (Vec::new(), Vec::new());
        for one in values {
            self.result_parts(one, item, &mut words, &mut slots)?;
        }
        if let Content::Rows {
            words: own,
            slots: arrays,
            ..
        } = &mut list.content
        {
            (*own, *arrays) = (words, slots);
        }
        Ok(self.lists.add(list) as u64)
    }

    fn result_parts(
        &mut self,
        value: Value,
        item: &ListItem,
        found: &mut Vec<u64>,
        slots: &mut Vec<Slot>,
    ) -> Result<()> {
        match (value, item) {
            (Value::Scalar { words, .. }, ListItem::Scalar { dtype, .. }) => {
                found.extend(&words[..crate::words::count(*dtype)]);
            }
            (Value::Tuple(values), ListItem::Tuple(items)) if values.len() == items.len() => {
                for (value, item) in values.into_iter().zip(items) {
                    self.result_parts(value, item, found, slots)?;
                }
            }
            (list @ Value::List(_), ListItem::List(inner)) => {
                found.push(self.held_result(list, inner)?);
            }
            (value @ (Value::Array(_) | Value::Host(_)), ListItem::Array { dtype, rank }) => {
                let slot = self.array_slot(value, *dtype)?;
                if slot.shape.len() != usize::from(*rank) {
                    return Err(wrong_kind());
                }
                slots.push(slot);
            }
            _ => return Err(wrong_kind()),
        }
        Ok(())
    }
}
