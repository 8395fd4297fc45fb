//! What the host part does with lists that it knows by number.
//!
//! The items of a list of numbers lie in an array that may have room behind them, which the host part
//! opens, works on and closes. Other items have some words and some arrays each; an item that is a list
//! is the number of that list, so that two places can hold the same one. Numbers are given back only
//! where the host part says so; all lists end with the call.

use crate::calls::State;
use crate::list_table::{Content, List, wrong_kind};
use crate::slot::Slot;
use crate::value::{Argument, Value};
use crate::words::{Cursor, scalar_bytes};
use crate::{Error, Result};
use colocate_dtype::DType;
use colocate_frontend::program::{ListCall, ListItem};
use colocate_ir::LocalId;
use smallvec::SmallVec;

/// The bytes of a few numbers on their way from one list to another.
type Few = SmallVec<[u8; 256]>;

/// The positions that a start, a step and a number of items mean.
fn positions(start: i64, step: i64, count: i64) -> impl DoubleEndedIterator<Item = usize> + Clone {
    (0..count.max(0)).map(move |turn| (start + turn * step) as usize)
}

/// The items at some positions, where each has so many parts.
fn picked<T: Clone>(all: &[T], per_item: usize, at: impl Iterator<Item = usize>) -> Vec<T> {
    let parts = at.flat_map(|at| &all[at * per_item..(at + 1) * per_item]);
    parts.cloned().collect()
}

impl State<'_> {
    pub(crate) fn list_call(
        &mut self,
        call: &ListCall,
        words: &mut Cursor<'_>,
        results: &mut [u64],
    ) -> Result<()> {
        match call {
            ListCall::Hold { local, leaf } => {
                let length = words.number().max(0) as usize;
                let slot = self.slot(*local)?.clone();
                let mut list = List::new(Content::Numbers(slot), length);
                list.origin = leaf.map(|leaf| (leaf, 0));
                results[0] = self.lists.add(list) as u64;
            }
            ListCall::Open { local } => {
                let list = self.lists.get(words.next())?;
                let Content::Numbers(slot) = list.content() else {
                    return Err(wrong_kind());
                };
                let (slot, length) = (slot.clone(), list.length);
                let (last, first) = results.split_last_mut().ok_or_else(wrong_kind)?;
                slot.write_words(first);
                *last = length as u64;
                self.set(*local, slot);
            }
            ListCall::Close { local } => {
                let slot = self.slots[local.index()].as_ref().ok_or_else(wrong_kind)?;
                let (number, length) = (words.next(), words.number().max(0) as usize);
                self.lists.change(number, |list| {
                    list.length = length;
                    match list.content_mut() {
                        // It was only written to, or got longer in the room that it had.
                        Content::Numbers(own)
                            if std::rc::Rc::ptr_eq(&own.block, &slot.block)
                                && own.shape == slot.shape => {}
                        content => *content = Content::Numbers(slot.clone()),
                    }
                    Ok(())
                })?;
            }
            ListCall::New { item } => results[0] = self.lists.add(List::rows(item)) as u64,
            ListCall::Argument { leaf, item } => {
                let call = self.call;
                let given = match call.arguments.get(*leaf) {
                    Some(Argument::List(value)) => value,
                    Some(Argument::SameList(first)) => {
                        results[0] = self.lists.of_argument(*first)?;
                        return Ok(());
                    }
                    _ => {
                        let text = format!("the argument {leaf} is no list");
                        return Err(Error::Internal(text));
                    }
                };
                let mut count = 0;
                results[0] = self.held_argument(*leaf, given, item, &mut count)?;
            }
            ListCall::Length => results[0] = self.lists.get(words.next())?.length as u64,
            ListCall::Get { item, locals } => self.list_item(item, locals, words, results)?,
            ListCall::Set { item, locals } => self.put_list_item(item, locals, words, false)?,
            ListCall::Insert { item, locals } => self.put_list_item(item, locals, words, true)?,
            ListCall::Take => {
                let number = words.next();
                let (start, step, count) = (words.number(), words.number(), words.number());
                results[0] = self.some_items(number, positions(start, step, count))?;
            }
            ListCall::Delete => {
                let number = words.next();
                let (start, step, count) = (words.number(), words.number(), words.number());
                self.delete_items(number, positions(start, step, count), step == 1)?;
            }
            ListCall::Splice => {
                let number = words.next();
                let (start, stop, other) = (words.number(), words.number(), words.next());
                self.splice_items(number, start as usize..stop as usize, other)?;
            }
            ListCall::Spread => {
                let number = words.next();
                let (start, step, count) = (words.number(), words.number(), words.number());
                let other = words.next();
                self.spread_items(number, positions(start, step, count), other)?;
            }
            ListCall::Reverse => self.reverse_items(words.next())?,
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
                results[0] = self.add_numbers(DType::Int64, &bytes)?;
            }
            ListCall::Drop => self.lists.remove(words.next()),
        }
        Ok(())
    }

    /// A new list of numbers.
    fn add_numbers(&mut self, dtype: DType, bytes: &[u8]) -> Result<u64> {
        let count = bytes.len() / dtype.itemsize();
        let slot = self.list_room(dtype, count)?;
        slot.block.to_host()?;
        // SAFETY: new memory of that many bytes or more, which the host reaches.
        unsafe {
            slot.host_pointer()
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        slot.block.changed_on_host();
        Ok(self.lists.add(List::new(Content::Numbers(slot), count)) as u64)
    }

    /// Gives a list of numbers another length. What it held stays, as far as it goes.
    fn resize_numbers(&mut self, number: u64, length: usize) -> Result<()> {
        let list = self.lists.get(number)?;
        let Content::Numbers(slot) = list.content() else {
            return Err(wrong_kind());
        };
        let mut slot = slot.clone();
        slot.block.to_host()?;
        if slot.shape.first().is_none_or(|&room| room < length) {
            let kept = list.length.min(length) * slot.dtype.itemsize();
            let new = self.list_room(slot.dtype, length + length / 2)?;
            new.block.to_host()?;
            // SAFETY: both have as many bytes, on the host; one of them is new.
            unsafe {
                new.host_pointer()
                    .copy_from_nonoverlapping(slot.host_pointer(), kept);
            }
            slot = new;
        }
        slot.block.changed_on_host();
        self.lists.change(number, |list| {
            list.length = length;
            *list.content_mut() = Content::Numbers(slot);
            Ok(())
        })
    }

    /// The numbers of a list as bytes, to be changed in place; nothing if they are no numbers. Nobody else looks at them
    /// meanwhile.
    fn numbers_of(&mut self, number: u64) -> Result<Option<(&mut [u8], usize)>> {
        let list = self.lists.get(number)?;
        let Content::Numbers(slot) = list.content() else {
            return Ok(None);
        };
        let size = slot.dtype.itemsize();
        if list.length == 0 {
            return Ok(Some((&mut [], size)));
        }
        slot.block.to_host()?;
        slot.block.changed_on_host();
        // SAFETY: an array of one axis without gaps, valid on the host, of at least as many elements. The host part waits
        // for this call.
        let bytes =
            unsafe { std::slice::from_raw_parts_mut(slot.host_pointer(), list.length * size) };
        self.lists.change(number, |_| Ok(()))?;
        Ok(Some((bytes, size)))
    }

    /// The items at some positions as a list of their own, which shares nothing but what they refer to.
    fn some_items(&mut self, number: u64, at: impl Iterator<Item = usize> + Clone) -> Result<u64> {
        let list = self.lists.get(number)?;
        match list.content() {
            Content::Numbers(slot) => {
                let dtype = slot.dtype;
                let bytes = picked(list.bytes(slot)?, dtype.itemsize(), at);
                self.add_numbers(dtype, &bytes)
            }
            Content::Rows {
                words,
                slots,
                per_item,
            } => {
                let length = at.clone().count();
                let content = Content::Rows {
                    words: picked(words, per_item.0, at.clone()),
                    slots: picked(slots, per_item.1, at),
                    per_item: *per_item,
                };
                Ok(self.lists.add(List::new(content, length)) as u64)
            }
        }
    }

    /// Takes items out.
    fn delete_items(
        &mut self,
        number: u64,
        mut at: impl Iterator<Item = usize> + Clone,
        together: bool,
    ) -> Result<()> {
        let count = at.clone().count();
        if count == 0 {
            return Ok(());
        }
        if together || count == 1 {
            let start = at.next().unwrap_or(0);
            let length = self.lists.get(number)?.length;
            if let Some((bytes, size)) = self.numbers_of(number)? {
                bytes.copy_within((start + count) * size.., start * size);
                return self.resize_numbers(number, length - count);
            }
            return self.lists.change(number, |list| {
                list.replace_rows(start..start + count, [], [], 0)
            });
        }
        let length = self.lists.get(number)?.length;
        let mut gone = vec![false; length];
        at.for_each(|at| gone[at] = true);
        let kept = (0..length).filter(|&at| !gone[at]);
        if let Some((bytes, size)) = self.numbers_of(number)? {
            for (to, from) in kept.enumerate() {
                bytes.copy_within(from * size..(from + 1) * size, to * size);
            }
            return self.resize_numbers(number, length - count);
        }
        self.lists.change(number, |list| {
            if let Content::Rows {
                words,
                slots,
                per_item: (w, a),
            } = list.content_mut()
            {
                *words = picked(words, *w, kept.clone());
                *slots = picked(slots, *a, kept);
            }
            list.length = length - count;
            Ok(())
        })
    }

    /// Puts the items of a list in the place of others.
    fn splice_items(
        &mut self,
        number: u64,
        range: std::ops::Range<usize>,
        other: u64,
    ) -> Result<()> {
        let new = self.lists.get(other)?;
        let more = new.length;
        match new.content() {
            Content::Numbers(slot) => {
                let new = Few::from_slice(new.bytes(slot)?);
                let before = self.lists.get(number)?.length;
                let after = before - range.len() + more;
                if after > before {
                    self.resize_numbers(number, after)?;
                }
                if let Some((bytes, size)) = self.numbers_of(number)? {
                    let rest = range.end * size..before * size;
                    bytes.copy_within(rest, (range.start + more) * size);
                    bytes[range.start * size..][..new.len()].copy_from_slice(&new);
                }
                match after < before {
                    true => self.resize_numbers(number, after),
                    false => Ok(()),
                }
            }
            Content::Rows { words, slots, .. } => {
                let (words, slots) = (words.clone(), slots.clone());
                self.lists
                    .change(number, |list| list.replace_rows(range, words, slots, more))
            }
        }
    }

    /// Puts the items of a list at some positions of another.
    fn spread_items(
        &mut self,
        number: u64,
        at: impl Iterator<Item = usize>,
        other: u64,
    ) -> Result<()> {
        let new = self.lists.get(other)?;
        match new.content() {
            Content::Numbers(slot) => {
                let new = Few::from_slice(new.bytes(slot)?);
                if let Some((bytes, size)) = self.numbers_of(number)? {
                    for (at, item) in at.zip(new.chunks_exact(size)) {
                        bytes[at * size..(at + 1) * size].copy_from_slice(item);
                    }
                }
                Ok(())
            }
            Content::Rows { words, slots, .. } => {
                let (new_words, new_slots) = (words.clone(), slots.clone());
                self.lists.change(number, |list| {
                    let Content::Rows {
                        words,
                        slots,
                        per_item: (w, a),
                    } = list.content_mut()
                    else {
                        return Err(wrong_kind());
                    };
                    for (turn, at) in at.enumerate() {
                        words[at * *w..(at + 1) * *w]
                            .copy_from_slice(&new_words[turn * *w..(turn + 1) * *w]);
                        slots[at * *a..(at + 1) * *a]
                            .clone_from_slice(&new_slots[turn * *a..(turn + 1) * *a]);
                    }
                    Ok(())
                })
            }
        }
    }

    fn reverse_items(&mut self, number: u64) -> Result<()> {
        if let Some((bytes, size)) = self.numbers_of(number)? {
            // All bytes, and then those of each item.
            bytes.reverse();
            bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
            return Ok(());
        }
        self.lists.change(number, |list| {
            let length = list.length;
            if let Content::Rows {
                words,
                slots,
                per_item: (w, a),
            } = list.content_mut()
            {
                *words = picked(words, *w, (0..length).rev());
                *slots = picked(slots, *a, (0..length).rev());
            }
            Ok(())
        })
    }

    fn list_item(
        &mut self,
        item: &ListItem,
        locals: &[LocalId],
        words: &mut Cursor<'_>,
        mut results: &mut [u64],
    ) -> Result<()> {
        let (number, at) = (words.next(), words.next() as usize);
        let Content::Rows { slots, .. } = self.lists.get(number)?.content() else {
            return Err(wrong_kind());
        };
        let arrays = item.arrays();
        let slots: SmallVec<[Slot; 1]> = slots
            .get(at * arrays..(at + 1) * arrays)
            .ok_or_else(wrong_kind)?
            .iter()
            .cloned()
            .collect();
        for (local, slot) in locals.iter().zip(slots) {
            let count = self.executable.program().host.locals[local.index()].words();
            let (first, rest) = results.split_at_mut(count);
            slot.write_words(first);
            results = rest;
            self.set(*local, slot);
        }
        let Content::Rows { words, .. } = self.lists.get(number)?.content() else {
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
        let new: SmallVec<[u64; 4]> = (0..item.words()).map(|_| given.next()).collect();
        let arrays = locals
            .iter()
            .map(|local| self.slot(*local).cloned())
            .collect::<Result<SmallVec<[Slot; 1]>>>()?;
        self.lists.change(number, |list| {
            let end = if insert { at } else { at + 1 };
            list.replace_rows(at..end, new, arrays, 1)
        })
    }

    /// A list of the caller's, and the lists in it.
    fn held_argument(
        &mut self,
        leaf: usize,
        value: &Value,
        item: &ListItem,
        count: &mut usize,
    ) -> Result<u64> {
        let origin = Some((leaf, *count));
        *count += 1;
        if let (Value::Numbers { dtype, bytes, .. }, ListItem::Scalar { dtype: wanted, .. }) =
            (value, item)
            && dtype == wanted
        {
            let number = self.add_numbers(*dtype, bytes)?;
            self.lists.set_origin(number, origin);
            return Ok(number);
        }
        if let Value::Rows { dtypes, words } = value {
            if !is_row(item, dtypes) {
                return Err(wrong_kind());
            }
            let mut list = List::rows(item);
            list.length = words.len() / dtypes.len().max(1);
            list.origin = origin;
            if let Content::Rows { words: place, .. } = list.content_mut() {
                place.extend_from_slice(words);
            }
            return Ok(self.lists.add(list) as u64);
        }
        let Value::List(items) = value else {
            return Err(wrong_kind());
        };
        if let (ListItem::Scalar { dtype, .. }, true) = (item, items.is_empty()) {
            let number = self.add_numbers(*dtype, &[])?;
            self.lists.set_origin(number, origin);
            return Ok(number);
        }
        let mut words = Vec::new();
        for one in items {
            self.argument_words(leaf, one, item, count, &mut words)?;
        }
        let mut list = List::rows(item);
        list.length = items.len();
        list.origin = origin;
        if let Content::Rows { words: place, .. } = list.content_mut() {
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
            (
                Value::List(_) | Value::Numbers { .. } | Value::Rows { .. },
                ListItem::List(inner),
            ) => {
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
        if let (Value::Numbers { dtype, bytes, .. }, ListItem::Scalar { dtype: wanted, .. }) =
            (&value, item)
            && dtype == wanted
        {
            return self.add_numbers(*dtype, bytes);
        }
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
            return self.add_numbers(*dtype, &bytes);
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
        } = list.content_mut()
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
            (list @ (Value::List(_) | Value::Numbers { .. }), ListItem::List(inner)) => {
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

/// Whether an item is a tuple of such numbers.
fn is_row(item: &ListItem, dtypes: &[DType]) -> bool {
    let ListItem::Tuple(items) = item else {
        return false;
    };
    let is = |(item, dtype): (&ListItem, &DType)| matches!(item, ListItem::Scalar { dtype: own, .. } if own == dtype);
    items.len() == dtypes.len() && items.iter().zip(dtypes).all(is)
}
