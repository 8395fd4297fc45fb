//! Comparing the items of lists, putting them in order, and lists as values for the caller.

use crate::calls::{State, Why};
use crate::list_table::Content;
use crate::value::Value;
use crate::words::words_of_bytes;
use crate::{Error, Result};
use colocate_frontend::program::ListItem;
use colocate_ir::{DType, Kind, LocalId};
use half::f16;

/// What one number is to another: less, equal, greater, or without an order.
fn compare_numbers(dtype: DType, a: [u64; 2], b: [u64; 2]) -> i64 {
    let order = match dtype.kind() {
        Kind::Int => Some((a[0] as i64).cmp(&(b[0] as i64))),
        Kind::UInt | Kind::Bool => Some(a[0].cmp(&b[0])),
        Kind::Float => {
            let number = |word: u64| match dtype {
                DType::Float16 => f16::from_bits(word as u16).to_f64(),
                DType::Float32 => f64::from(f32::from_bits(word as u32)),
                _ => f64::from_bits(word),
            };
            number(a[0]).partial_cmp(&number(b[0]))
        }
        Kind::Complex => {
            let same = a.map(f64::from_bits) == b.map(f64::from_bits);
            return if same { 0 } else { 2 };
        }
    };
    order.map_or(2, |order| order as i64)
}

/// What numbers side by side in memory are to others.
fn compare_bytes(dtype: DType, a: &[u8], b: &[u8]) -> Result<i64> {
    if let Some(order) = crate::number_order::compare(a, b, dtype) {
        return Ok(order);
    }
    let size = dtype.itemsize();
    for (one, other) in a.chunks_exact(size).zip(b.chunks_exact(size)) {
        let [one, other] = [one, other].map(|bytes| words_of_bytes(dtype, bytes));
        let order = compare_numbers(dtype, one, other);
        if order != 0 {
            return Ok(order);
        }
    }
    Ok(a.len().cmp(&b.len()) as i64)
}

/// Names arrays in lists where a local is asked for.
const ITEM: LocalId = LocalId(u32::MAX);

impl State<'_> {
    /// What one list is to another, item by item.
    pub(crate) fn compare_lists(&self, a: u64, b: u64, item: &ListItem) -> Result<i64> {
        let (x, y) = (self.lists.get(a)?, self.lists.get(b)?);
        let (longer, shorter) = (x.length, y.length);
        if let (Content::Numbers(p), Content::Numbers(q), ListItem::Scalar { dtype, .. }) =
            (x.content(), y.content(), item)
            && p.dtype == *dtype
            && q.dtype == *dtype
        {
            return compare_bytes(*dtype, x.bytes(p)?, y.bytes(q)?);
        }
        for at in 0..longer.min(shorter) {
            let order = self.compare_items((a, at), (b, at), item)?;
            if order != 0 {
                return Ok(order);
            }
        }
        Ok(longer.cmp(&shorter) as i64)
    }

    /// What the first elements of an array are to those of another.
    pub(crate) fn compare_numbers(&self, locals: [LocalId; 2], counts: [i64; 2]) -> Result<i64> {
        let [one, other] = [self.slot(locals[0])?, self.slot(locals[1])?];
        let bytes = |slot: &crate::slot::Slot, count: i64| -> Result<&[u8]> {
            let room = slot.shape.first().copied().unwrap_or(0);
            let count = (count.max(0) as usize).min(room) * slot.dtype.itemsize();
            if count == 0 {
                return Ok(&[]);
            }
            slot.block.to_host()?;
            // SAFETY: an array of one axis without gaps, valid on the host; nobody changes it meanwhile.
            Ok(unsafe { std::slice::from_raw_parts(slot.host_pointer(), count) })
        };
        if one.dtype != other.dtype {
            return Err(Error::Internal(
                "lists of different numbers are compared".into(),
            ));
        }
        compare_bytes(one.dtype, bytes(one, counts[0])?, bytes(other, counts[1])?)
    }

    /// What an item is to another.
    fn compare_items(
        &self,
        (a, at): (u64, usize),
        (b, other): (u64, usize),
        item: &ListItem,
    ) -> Result<i64> {
        let (x, y) = (self.lists.get(a)?, self.lists.get(b)?);
        match (x.content(), y.content(), item) {
            (Content::Numbers(p), Content::Numbers(q), ListItem::Scalar { dtype, .. })
                if p.dtype == *dtype && q.dtype == *dtype =>
            {
                let number = |slot: &crate::slot::Slot, at: usize| -> Result<[u64; 2]> {
                    slot.block.to_host()?;
                    let size = dtype.itemsize();
                    let first = slot.host_pointer().wrapping_add(at * size);
                    // SAFETY: an element of an array that is valid on the host.
                    let bytes = unsafe { std::slice::from_raw_parts(first, size) };
                    Ok(words_of_bytes(*dtype, bytes))
                };
                Ok(compare_numbers(*dtype, number(p, at)?, number(q, other)?))
            }
            (Content::Rows { words: p, .. }, Content::Rows { words: q, .. }, item) => {
                let count = item.words();
                let first = &p[at * count..(at + 1) * count];
                let second = &q[other * count..(other + 1) * count];
                self.compare_parts(item, &mut &*first, &mut &*second)
            }
            _ => Err(Error::Internal(
                "lists of different items are compared".into(),
            )),
        }
    }

    fn compare_parts(&self, item: &ListItem, a: &mut &[u64], b: &mut &[u64]) -> Result<i64> {
        fn next(words: &mut &[u64]) -> u64 {
            let first = words[0];
            *words = &words[1..];
            first
        }
        match item {
            ListItem::Scalar { dtype, .. } => {
                let number = |words: &mut &[u64]| match crate::words::count(*dtype) {
                    2 => [next(words), next(words)],
                    _ => [next(words), 0],
                };
                let (x, y) = (number(a), number(b));
                Ok(compare_numbers(*dtype, x, y))
            }
            ListItem::List(inner) => self.compare_lists(next(a), next(b), inner),
            ListItem::Tuple(items) | ListItem::Named(_, items) => {
                let mut order = 0;
                for item in items {
                    let one = self.compare_parts(item, a, b)?;
                    if order == 0 {
                        order = one;
                    }
                }
                Ok(order)
            }
            ListItem::Array { .. } | ListItem::Optional(_) => Err(Error::Internal(
                "arrays and what may be None have no order".into(),
            )),
        }
    }

    /// The positions of a list's items in their order; equal ones stay as they are.
    pub(crate) fn list_order(
        &self,
        number: u64,
        item: &ListItem,
        descending: bool,
    ) -> Result<Vec<usize>> {
        let list = self.lists.get(number)?;
        let length = list.length;
        let mut order: Vec<usize> = (0..length).collect();
        if let (Content::Numbers(slot), ListItem::Scalar { dtype, .. }) = (list.content(), item)
            && slot.dtype == *dtype
            && crate::number_order::put_in_order(list.bytes(slot)?, *dtype, descending, &mut order)
        {
            return Ok(order);
        }
        // A sort of the standard library may panic if some items have no order.
        let mut width = 1;
        while width < length {
            let mut merged = Vec::with_capacity(length);
            for start in (0..length).step_by(2 * width) {
                let middle = (start + width).min(length);
                let end = (start + 2 * width).min(length);
                let (mut i, mut j) = (start, middle);
                while i < middle && j < end {
                    let (left, right) = ((number, order[i]), (number, order[j]));
                    let first = match descending {
                        false => self.compare_items(right, left, item)?,
                        true => self.compare_items(left, right, item)?,
                    };
                    if first == -1 {
                        merged.push(order[j]);
                        j += 1;
                    } else {
                        merged.push(order[i]);
                        i += 1;
                    }
                }
                merged.extend_from_slice(&order[i..middle]);
                merged.extend_from_slice(&order[j..end]);
            }
            order = merged;
            width *= 2;
        }
        Ok(order)
    }

    /// A list as a value for the caller.
    pub(crate) fn list_value(
        &mut self,
        number: u64,
        item: &ListItem,
        host: bool,
        why: Why,
    ) -> Result<Value> {
        let is_returned = matches!(why, Why::Returned);
        let list = self.lists.get(number)?;
        let (length, origin) = (list.length, list.origin);
        if is_returned && origin.is_none() && !self.told.insert(number) {
            return Ok(Value::Shared {
                number,
                items: None,
            });
        }
        let list = self.lists.get(number)?;
        let known = |items: Option<Box<Value>>| match (origin, items) {
            (Some((leaf, list)), items) => Value::Known { leaf, list, items },
            (None, items) if is_returned => Value::Shared { number, items },
            (None, Some(items)) => *items,
            (None, None) => Value::List(Vec::new()),
        };
        // Lists inside may have changed, even if this one did not.
        let as_it_was = is_returned && !list.is_changed();
        if as_it_was && origin.is_some() && !item.holds_lists() {
            return Ok(known(None));
        }
        let items = match (list.content(), item) {
            (Content::Numbers(slot), ListItem::Scalar { dtype, weak }) => Value::Numbers {
                dtype: *dtype,
                weak: *weak,
                bytes: list.bytes(slot)?.to_vec(),
            },
            (Content::Rows { words, slots, .. }, item) => {
                let (words, slots) = (words.clone(), slots.clone());
                let (mut words, mut slots) = (words.iter(), slots.iter());
                let mut items = Vec::with_capacity(length);
                for _ in 0..length {
                    items.push(self.item_value(item, &mut words, &mut slots, host, why)?);
                }
                Value::List(items)
            }
            _ => {
                return Err(Error::Internal(
                    "a list holds other items than is said".into(),
                ));
            }
        };
        Ok(known(Some(Box::new(items))))
    }

    fn item_value(
        &mut self,
        item: &ListItem,
        words: &mut std::slice::Iter<'_, u64>,
        slots: &mut std::slice::Iter<'_, crate::slot::Slot>,
        host: bool,
        why: Why,
    ) -> Result<Value> {
        let missing = || Error::Internal("a list lacks a part of an item".into());
        Ok(match item {
            ListItem::Scalar { dtype, weak } => {
                let mut number = [*words.next().ok_or_else(missing)?, 0];
                if crate::words::count(*dtype) == 2 {
                    number[1] = *words.next().ok_or_else(missing)?;
                }
                Value::Scalar {
                    dtype: *dtype,
                    weak: *weak,
                    words: number,
                }
            }
            ListItem::Array { .. } => {
                let slot = slots.next().ok_or_else(missing)?;
                self.slot_value(slot, ITEM, host, why)?
            }
            ListItem::List(inner) => {
                let number = *words.next().ok_or_else(missing)?;
                self.list_value(number, inner, host, why)?
            }
            ListItem::Optional(inner) => {
                // What is not there has words, too, which mean nothing.
                let mut own = words
                    .clone()
                    .take(inner.words())
                    .copied()
                    .collect::<Vec<_>>();
                for _ in 0..inner.words() {
                    words.next();
                }
                match words.next() {
                    Some(0) | None => Value::Constant(colocate_frontend::Captured::None),
                    Some(_) => {
                        own.push(0);
                        self.item_value(inner, &mut own.iter(), slots, host, why)?
                    }
                }
            }
            ListItem::Tuple(items) | ListItem::Named(_, items) => {
                let parts = items
                    .iter()
                    .map(|item| self.item_value(item, words, slots, host, why))
                    .collect::<Result<Vec<_>>>()?;
                match item {
                    ListItem::Named(colocate_frontend::LIST_CLASS, _) => Value::List(parts),
                    ListItem::Named(class, _) => Value::Named(*class, parts),
                    _ => Value::Tuple(parts),
                }
            }
        })
    }

    /// How many elements the arrays in a list have.
    pub(crate) fn list_elements(&self, number: u64) -> usize {
        match self.lists.get(number).map(|list| list.content()) {
            Ok(Content::Rows { slots, .. }) => slots.iter().map(crate::slot::Slot::size).sum(),
            _ => 0,
        }
    }
}
