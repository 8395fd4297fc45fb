//! Dictionaries and sets of numbers, as Python has them: items in the order in which they came, and keys
//! that are equal whatever their types are.
//!
//! A table knows the exact type of each of its keys and values, so that Python's own container can be made of it
//! at any time, and nobody can tell. What it cannot hold or compare just as Python does it refuses ([`Outside`]);
//! whoever has the table makes Python's container of it then.

use colocate_dtype::{DType, Kind as DTypeKind};
use hashbrown::HashTable;
use std::sync::Arc;

/// What a key or a value is: a number, or a tuple of such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A number; one word, two if complex.
    Number {
        /// Its dtype.
        dtype: DType,
        /// Whether it is a Python number.
        weak: bool,
    },
    /// A tuple.
    Tuple(Vec<ItemKind>),
}

impl ItemKind {
    /// How many words an item has.
    pub fn words(&self) -> usize {
        match self {
            ItemKind::Number { dtype, .. } => crate::words::count(*dtype),
            ItemKind::Tuple(items) => items.iter().map(ItemKind::words).sum(),
        }
    }

    /// Whether all numbers are integers that int64 has.
    fn is_whole(&self) -> bool {
        match self {
            ItemKind::Number { dtype, .. } => match dtype.kind() {
                DTypeKind::Int | DTypeKind::Bool => true,
                DTypeKind::UInt => *dtype != DType::UInt64,
                DTypeKind::Float | DTypeKind::Complex => false,
            },
            ItemKind::Tuple(items) => items.iter().all(ItemKind::is_whole),
        }
    }

    /// Whether tuples are in the same places.
    fn has_shape_of(&self, other: &ItemKind) -> bool {
        match (self, other) {
            (ItemKind::Number { .. }, ItemKind::Number { .. }) => true,
            (ItemKind::Tuple(a), ItemKind::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.has_shape_of(b))
            }
            _ => false,
        }
    }

    /// Visits the numbers in order.
    fn each(&self, words: &mut &[u64], visit: &mut dyn FnMut(DType, &[u64])) {
        match self {
            ItemKind::Number { dtype, .. } => {
                let (own, rest) = words.split_at(crate::words::count(*dtype));
                *words = rest;
                visit(*dtype, own);
            }
            ItemKind::Tuple(items) => items.iter().for_each(|item| item.each(words, visit)),
        }
    }
}

/// The type of a key or a value, with what is asked of it again and again.
#[derive(Debug, PartialEq, Eq)]
pub struct ItemType {
    kind: ItemKind,
    /// Equal items have equal words.
    is_whole: bool,
}

impl ItemType {
    /// For items of a kind.
    pub fn new(kind: ItemKind) -> Arc<ItemType> {
        let is_whole = kind.is_whole();
        Arc::new(ItemType { kind, is_whole })
    }

    /// What it is.
    pub fn kind(&self) -> &ItemKind {
        &self.kind
    }

    #[inline]
    fn has_shape_of(self: &Arc<ItemType>, other: &Arc<ItemType>) -> bool {
        Arc::ptr_eq(self, other) || self.kind.has_shape_of(&other.kind)
    }
}

/// A key or a value.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// What it is.
    pub kind: &'a Arc<ItemType>,
    /// As a call passes it.
    pub words: &'a [u64],
}

/// What a table cannot do as Python would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outside;

/// A dictionary, or a set: one without values.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Row>,
    keys: Vec<u64>,
    values: Vec<u64>,
    /// How many words a key and a value have, once there are some.
    widths: Option<(usize, usize)>,
    kinds: Vec<Arc<ItemType>>,
    /// Positions of rows, by the hash of their keys.
    index: HashTable<u32>,
    live: usize,
    moved: u64,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    hash: u64,
    key: u8,
    value: u8,
    is_live: bool,
}

/// More kinds of items than this in one table are for Python.
const MOST_KINDS: usize = 8;

/// A number as Python compares it: 1, 1.0 and True are the same key.
#[derive(Clone, Copy, PartialEq)]
enum Identity {
    Whole(i64),
    Fraction(u64),
}

fn identity(dtype: DType, word: u64) -> Result<Identity, Outside> {
    match dtype {
        DType::Float64 => {
            let value = f64::from_bits(word);
            if value.is_nan() {
                // Equal to itself as an object only.
                return Err(Outside);
            }
            // From here on all floats are whole, and may be integers that int64 does not have.
            if value.abs() >= 9.2e18 {
                return Err(Outside);
            }
            Ok(match value.fract() == 0.0 {
                true => Identity::Whole(value as i64),
                false => Identity::Fraction(word),
            })
        }
        DType::UInt64 if word > i64::MAX as u64 => Err(Outside),
        _ if matches!(
            dtype.kind(),
            DTypeKind::Bool | DTypeKind::Int | DTypeKind::UInt
        ) =>
        {
            Ok(Identity::Whole(word as i64))
        }
        _ => Err(Outside),
    }
}

#[inline]
fn mixed(hash: u64, part: u64) -> u64 {
    let product = u128::from(hash ^ part) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

const SEED: u64 = 0x517c_c1b7_2722_0a95;

#[inline]
fn hash(key: Item<'_>) -> Result<u64, Outside> {
    if key.kind.is_whole {
        return Ok(key.words.iter().fold(SEED, |hash, word| mixed(hash, *word)));
    }
    let mut whole = Ok(SEED);
    let mut visit = |dtype: DType, words: &[u64]| {
        whole = whole.and_then(|hash| {
            Ok(match identity(dtype, words[0])? {
                Identity::Whole(number) => mixed(hash, number as u64),
                Identity::Fraction(bits) => mixed(hash, bits.rotate_left(17)),
            })
        });
    };
    key.kind.kind.each(&mut { key.words }, &mut visit);
    whole
}

/// Whether two keys, for which there are hashes, are equal.
#[inline]
fn equal(a: Item<'_>, b: Item<'_>) -> bool {
    if !a.kind.has_shape_of(b.kind) {
        return false;
    }
    match a.kind.is_whole && b.kind.is_whole {
        true => a.words == b.words,
        false => identities(a) == identities(b),
    }
}

fn identities(item: Item<'_>) -> smallvec::SmallVec<[Option<Identity>; 4]> {
    let mut all = smallvec::SmallVec::new();
    let mut visit = |dtype, words: &[u64]| all.push(identity(dtype, words[0]).ok());
    item.kind.kind.each(&mut { item.words }, &mut visit);
    all
}

impl Table {
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.live
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.live == 0
    }

    /// A number that changes when items get other positions.
    pub fn moved(&self) -> u64 {
        self.moved
    }

    /// The position of a key.
    #[inline]
    pub fn find(&self, key: Item<'_>) -> Result<Option<usize>, Outside> {
        let hash = hash(key)?;
        Ok(self.find_hashed(hash, key))
    }

    fn find_hashed(&self, hash: u64, key: Item<'_>) -> Option<usize> {
        let found = self.index.find(hash, |&row| {
            let row = row as usize;
            self.rows[row].hash == hash && equal(self.key(row), key)
        });
        found.map(|&row| row as usize)
    }

    /// The key at a position.
    #[inline]
    pub fn key(&self, row: usize) -> Item<'_> {
        let (width, _) = self.widths.unwrap_or_default();
        Item {
            kind: &self.kinds[usize::from(self.rows[row].key)],
            words: &self.keys[row * width..(row + 1) * width],
        }
    }

    /// The value at a position.
    #[inline]
    pub fn value(&self, row: usize) -> Item<'_> {
        let (_, width) = self.widths.unwrap_or_default();
        Item {
            kind: &self.kinds[usize::from(self.rows[row].value)],
            words: &self.values[row * width..(row + 1) * width],
        }
    }

    /// The first position from one on that has an item.
    pub fn next(&self, from: usize) -> Option<usize> {
        let rest = self.rows.get(from..)?;
        let found = rest.iter().position(|row| row.is_live);
        found.map(|distance| from + distance)
    }

    /// Puts a value under a key; a set has keys only. The key that is there already stays.
    pub fn insert(&mut self, key: Item<'_>, value: Option<Item<'_>>) -> Result<(), Outside> {
        let hash = hash(key)?;
        let value_words = value.map_or(0, |value| value.words.len());
        let widths = (key.words.len(), value_words);
        if *self.widths.get_or_insert(widths) != widths {
            return Err(Outside);
        }
        let value_kind = match value {
            Some(value) => self.number_of(value.kind)?,
            None => 0,
        };
        if let Some(row) = self.find_hashed(hash, key) {
            self.rows[row].value = value_kind;
            if let Some(value) = value {
                self.values[row * value_words..(row + 1) * value_words]
                    .copy_from_slice(value.words);
            }
            return Ok(());
        }
        let key_kind = self.number_of(key.kind)?;
        self.make_room(widths)?;
        let row = self.rows.len();
        self.rows.push(Row {
            hash,
            key: key_kind,
            value: value_kind,
            is_live: true,
        });
        self.keys.extend_from_slice(key.words);
        self.values
            .extend_from_slice(value.map_or(&[], |value| value.words));
        let rows = &self.rows;
        self.index
            .insert_unique(hash, row as u32, |&row| rows[row as usize].hash);
        self.live += 1;
        Ok(())
    }

    /// Takes an item out.
    pub fn remove(&mut self, row: usize) {
        let hash = self.rows[row].hash;
        if let Ok(entry) = self.index.find_entry(hash, |&one| one as usize == row) {
            entry.remove();
            self.rows[row].is_live = false;
            self.live -= 1;
        }
    }

    /// Takes all items out.
    pub fn clear(&mut self) {
        let moved = self.moved + 1;
        *self = Table {
            moved,
            ..Table::default()
        };
    }

    /// Room for one more item; a lack of memory is for Python to tell.
    fn make_room(&mut self, (key, value): (usize, usize)) -> Result<(), Outside> {
        if self.rows.len() == self.rows.capacity() {
            if self.rows.len() > 2 * self.live + 16 {
                self.close_gaps((key, value));
            }
            if self.rows.len() >= u32::MAX as usize {
                return Err(Outside);
            }
            let more = self.rows.len().max(8);
            self.rows.try_reserve(more).map_err(|_| Outside)?;
            let free = self.rows.capacity() - self.rows.len();
            let room = self.keys.try_reserve(free * key).is_ok()
                && self.values.try_reserve(free * value).is_ok();
            if !room {
                // What was reserved for rows alone does not count.
                self.rows.shrink_to_fit();
                return Err(Outside);
            }
        }
        let rows = &self.rows;
        let grown = self
            .index
            .try_reserve(1, |&row| rows[row as usize].hash)
            .is_ok();
        grown.then_some(()).ok_or(Outside)
    }

    fn close_gaps(&mut self, (key, value): (usize, usize)) {
        let mut to = 0;
        for from in 0..self.rows.len() {
            if !self.rows[from].is_live {
                continue;
            }
            self.rows[to] = self.rows[from];
            self.keys
                .copy_within(from * key..(from + 1) * key, to * key);
            self.values
                .copy_within(from * value..(from + 1) * value, to * value);
            to += 1;
        }
        self.rows.truncate(to);
        self.keys.truncate(to * key);
        self.values.truncate(to * value);
        self.moved += 1;
        let rows = &self.rows;
        self.index.clear();
        for (row, one) in rows.iter().enumerate() {
            self.index
                .insert_unique(one.hash, row as u32, |&row| rows[row as usize].hash);
        }
    }

    fn number_of(&mut self, kind: &Arc<ItemType>) -> Result<u8, Outside> {
        let known = |one: &Arc<ItemType>| Arc::ptr_eq(one, kind);
        let found = self.kinds.iter().position(known);
        let found = found.or_else(|| self.kinds.iter().position(|one| one == kind));
        match found {
            Some(number) => Ok(number as u8),
            None if self.kinds.len() < MOST_KINDS => {
                self.kinds.push(kind.clone());
                Ok(self.kinds.len() as u8 - 1)
            }
            None => Err(Outside),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(dtype: DType, weak: bool) -> Arc<ItemType> {
        ItemType::new(ItemKind::Number { dtype, weak })
    }

    fn item<'a>(kind: &'a Arc<ItemType>, words: &'a [u64]) -> Item<'a> {
        Item { kind, words }
    }

    #[test]
    fn keys_of_other_types_that_are_equal_are_the_same_key() {
        let (int, float, narrow) = (
            number(DType::Int64, true),
            number(DType::Float64, true),
            number(DType::UInt8, false),
        );
        let mut table = Table::default();
        table
            .insert(item(&int, &[3]), Some(item(&int, &[7])))
            .unwrap();
        let three = [3.0f64.to_bits()];
        assert_eq!(table.find(item(&float, &three)), Ok(Some(0)));
        assert_eq!(table.find(item(&narrow, &[3])), Ok(Some(0)));
        assert_eq!(table.find(item(&float, &[3.5f64.to_bits()])), Ok(None));
        let minus = [(-0.0f64).to_bits()];
        table
            .insert(item(&float, &minus), Some(item(&int, &[1])))
            .unwrap();
        table
            .insert(item(&float, &[0]), Some(item(&int, &[2])))
            .unwrap();
        assert_eq!(table.len(), 2);
        // The key that was there first stays.
        assert_eq!(table.key(1).words, minus);
        assert_eq!(table.value(1).words, [2]);
    }

    #[test]
    fn what_python_compares_otherwise_is_refused() {
        let float = number(DType::Float64, true);
        let narrow = number(DType::Float32, false);
        let wide = number(DType::UInt64, false);
        let table = Table::default();
        assert_eq!(
            table.find(item(&float, &[f64::NAN.to_bits()])),
            Err(Outside)
        );
        assert_eq!(
            table.find(item(&float, &[1e300f64.to_bits()])),
            Err(Outside)
        );
        assert_eq!(table.find(item(&narrow, &[0])), Err(Outside));
        assert_eq!(table.find(item(&wide, &[u64::MAX])), Err(Outside));
    }

    #[test]
    fn tuples_of_another_shape_are_other_keys_or_refused() {
        let int = || ItemKind::Number {
            dtype: DType::Int64,
            weak: true,
        };
        let flat = ItemType::new(ItemKind::Tuple(vec![int(), int()]));
        let nested = ItemType::new(ItemKind::Tuple(vec![ItemKind::Tuple(vec![int(), int()])]));
        let mut table = Table::default();
        table.insert(item(&flat, &[1, 2]), None).unwrap();
        assert_eq!(table.find(item(&flat, &[1, 2])), Ok(Some(0)));
        assert_eq!(table.find(item(&nested, &[1, 2])), Ok(None));
        let alone = number(DType::Int64, true);
        assert_eq!(table.insert(item(&alone, &[1]), None), Err(Outside));
    }

    proptest! {
        #[test]
        fn a_table_is_a_list_of_pairs(steps in prop::collection::vec((0u8..4, 0u64..40, any::<u64>()), 0..400)) {
            let int = number(DType::Int64, true);
            let mut table = Table::default();
            let mut model: Vec<(u64, u64)> = Vec::new();
            for (what, key, value) in steps {
                let at = model.iter().position(|(one, _)| *one == key);
                match what {
                    0 | 1 => {
                        table.insert(item(&int, &[key]), Some(item(&int, &[value]))).unwrap();
                        match at {
                            Some(at) => model[at].1 = value,
                            None => model.push((key, value)),
                        }
                    }
                    2 => {
                        let found = table.find(item(&int, &[key])).unwrap();
                        prop_assert_eq!(found.is_some(), at.is_some());
                        if let (Some(row), Some(at)) = (found, at) {
                            table.remove(row);
                            model.remove(at);
                        }
                    }
                    _ if key == 0 => {
                        table.clear();
                        model.clear();
                    }
                    _ => {}
                }
                let mut found = Vec::new();
                let mut row = table.next(0);
                while let Some(at) = row {
                    found.push((table.key(at).words[0], table.value(at).words[0]));
                    row = table.next(at + 1);
                }
                prop_assert_eq!(&found, &model);
                prop_assert_eq!(table.len(), model.len());
            }
        }
    }
}
