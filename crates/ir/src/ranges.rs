//! Between which numbers integers of a kernel lie, as far as this follows from what it is launched with.

use crate::{ArrayRef, ParamId, ValueId, VariableId};
use std::collections::{HashMap, HashSet};

/// A range in [`Ranges`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RangeId(u32);

/// How a range is made of others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Range {
    /// One number.
    Literal(i64),
    /// What a scalar parameter of dtype int64 is.
    Scalar(ParamId),
    /// The extent of an array along an axis.
    Extent(ArrayRef, u8),
    /// The places of all items along an axis of the index space.
    Items(u8),
    /// The extent of the index space along an axis.
    Size(u8),
    /// A value that was defined before.
    Value(ValueId),
    /// What a variable held before.
    Variable(VariableId),
    /// Sums.
    Add(RangeId, RangeId),
    /// Differences.
    Subtract(RangeId, RangeId),
    /// Products.
    Multiply(RangeId, RangeId),
    /// The smaller one of two.
    Minimum(RangeId, RangeId),
    /// The larger one of two.
    Maximum(RangeId, RangeId),
    /// What counts from the first upwards, below the second. Two loops that count alike are still at
    /// different places, so each has a number.
    Up(RangeId, RangeId, u32),
    /// What counts from the first downwards, above the second.
    Down(RangeId, RangeId, u32),
    /// What of the first is not below all of the second.
    AtLeast(RangeId, RangeId),
    /// What of the first is not above all of the second.
    AtMost(RangeId, RangeId),
    /// One or the other; numbered, as loops are.
    Either(RangeId, RangeId, u32),
}

impl Range {
    /// The two that it is made of, if it is.
    pub fn parts(self) -> Option<(RangeId, RangeId)> {
        match self {
            Range::Literal(_)
            | Range::Scalar(_)
            | Range::Extent(..)
            | Range::Items(_)
            | Range::Size(_)
            | Range::Value(_)
            | Range::Variable(_) => None,
            Range::Add(a, b)
            | Range::Subtract(a, b)
            | Range::Multiply(a, b)
            | Range::Minimum(a, b)
            | Range::Maximum(a, b)
            | Range::Up(a, b, _)
            | Range::Down(a, b, _)
            | Range::AtLeast(a, b)
            | Range::AtMost(a, b)
            | Range::Either(a, b, _) => Some((a, b)),
        }
    }

    fn with_parts(self, a: RangeId, b: RangeId) -> Range {
        match self {
            Range::Add(..) => Range::Add(a, b),
            Range::Subtract(..) => Range::Subtract(a, b),
            Range::Multiply(..) => Range::Multiply(a, b),
            Range::Minimum(..) => Range::Minimum(a, b),
            Range::Maximum(..) => Range::Maximum(a, b),
            Range::Up(_, _, number) => Range::Up(a, b, number),
            Range::Down(_, _, number) => Range::Down(a, b, number),
            Range::AtLeast(..) => Range::AtLeast(a, b),
            Range::AtMost(..) => Range::AtMost(a, b),
            Range::Either(_, _, number) => Range::Either(a, b, number),
            leaf => leaf,
        }
    }
}

/// Ranges that are made of one another, each kept once.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    all: Vec<Range>,
    known: HashMap<Range, RangeId>,
}

impl PartialEq for Ranges {
    fn eq(&self, other: &Ranges) -> bool {
        self.all == other.all
    }
}

/// The smallest and the largest number of a range; none are left if the first is larger.
pub type Interval = (i64, i64);

const NOTHING: Interval = (1, 0);

fn is_empty(interval: Interval) -> bool {
    interval.0 > interval.1
}

impl Ranges {
    /// The range, which is new only if there was none like it.
    pub fn make(&mut self, range: Range) -> RangeId {
        if let Some(known) = self.known.get(&range) {
            return *known;
        }
        let id = RangeId(self.all.len() as u32);
        self.all.push(range);
        self.known.insert(range, id);
        id
    }

    /// What a range is made of.
    pub fn get(&self, id: RangeId) -> Range {
        self.all[id.0 as usize]
    }

    /// All of them, parts before what is made of them.
    pub fn iter(&self) -> impl Iterator<Item = (RangeId, Range)> {
        let all = self.all.iter().enumerate();
        all.map(|(at, range)| (RangeId(at as u32), *range))
    }

    /// A range with another one in the place of one of its parts.
    pub fn replace(&mut self, id: RangeId, old: RangeId, new: RangeId) -> RangeId {
        // Ranges share their parts: without this, one that is used twice would be gone through twice.
        let mut replaced = HashMap::from([(old, new)]);
        // Parts come before what is made of them, so that one pass over those that are needed suffices.
        let mut needed: Vec<RangeId> = Vec::new();
        let mut waiting = vec![id];
        let mut seen = HashSet::new();
        while let Some(one) = waiting.pop() {
            if one.0 > old.0
                && seen.insert(one)
                && let Some((a, b)) = self.get(one).parts()
            {
                needed.push(one);
                waiting.extend([a, b]);
            }
        }
        needed.sort_unstable_by_key(|one| one.0);
        for one in needed {
            let range = self.get(one);
            if let Some((a, b)) = range.parts() {
                let part = |part: RangeId| replaced.get(&part).copied().unwrap_or(part);
                let (new_a, new_b) = (part(a), part(b));
                if (new_a, new_b) != (a, b) {
                    let made = self.make(range.with_parts(new_a, new_b));
                    replaced.insert(one, made);
                }
            }
        }
        replaced.get(&id).copied().unwrap_or(id)
    }

    /// The numbers, given those of the ranges that are not made of others; `None` where a number does
    /// not fit an int64, so that the kernel's own arithmetic would wrap around.
    pub fn intervals(
        &self,
        leaf: &mut dyn FnMut(Range) -> Option<Interval>,
        found: &mut Vec<Option<Interval>>,
    ) {
        found.clear();
        for &range in &self.all {
            let interval = match range.parts() {
                None => match range {
                    Range::Literal(number) => Some((number, number)),
                    other => leaf(other),
                },
                Some((a, b)) => match (found[a.0 as usize], found[b.0 as usize]) {
                    (Some(a), Some(b)) => combined(range, a, b),
                    _ => None,
                },
            };
            found.push(interval);
        }
    }

    /// The numbers of one range among those of all.
    pub fn interval(&self, id: RangeId, all: &[Option<Interval>]) -> Option<Interval> {
        all[id.0 as usize]
    }
}

fn combined(range: Range, a: Interval, b: Interval) -> Option<Interval> {
    if let Range::Either(..) = range {
        return Some(match (is_empty(a), is_empty(b)) {
            (true, _) => b,
            (_, true) => a,
            _ => (a.0.min(b.0), a.1.max(b.1)),
        });
    }
    if is_empty(a) || is_empty(b) {
        return Some(NOTHING);
    }
    let interval = match range {
        Range::Add(..) => (a.0.checked_add(b.0)?, a.1.checked_add(b.1)?),
        Range::Subtract(..) => (a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?),
        Range::Multiply(..) => {
            let corners = [
                a.0.checked_mul(b.0)?,
                a.0.checked_mul(b.1)?,
                a.1.checked_mul(b.0)?,
                a.1.checked_mul(b.1)?,
            ];
            let (mut low, mut high) = (corners[0], corners[0]);
            for corner in corners {
                (low, high) = (low.min(corner), high.max(corner));
            }
            (low, high)
        }
        Range::Minimum(..) => (a.0.min(b.0), a.1.min(b.1)),
        Range::Maximum(..) => (a.0.max(b.0), a.1.max(b.1)),
        Range::Up(..) => (a.0, b.1.checked_sub(1)?),
        Range::Down(..) => (b.0.checked_add(1)?, a.1),
        Range::AtLeast(..) => (a.0.max(b.0), a.1),
        Range::AtMost(..) => (a.0, a.1.min(b.1)),
        _ => return None,
    };
    Some(match is_empty(interval) {
        true => NOTHING,
        false => interval,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(ranges: &Ranges, id: RangeId) -> Option<Interval> {
        let mut all = Vec::new();
        let mut leaf = |range| match range {
            Range::Items(_) => Some((0, 9)),
            Range::Size(_) => Some((10, 10)),
            _ => None,
        };
        ranges.intervals(&mut leaf, &mut all);
        ranges.interval(id, &all)
    }

    #[test]
    fn ranges_follow_arithmetic() {
        let mut r = Ranges::default();
        let items = r.make(Range::Items(0));
        let size = r.make(Range::Size(0));
        let one = r.make(Range::Literal(1));
        let before = r.make(Range::Subtract(items, one));
        assert_eq!(interval(&r, before), Some((-1, 8)));
        let last = r.make(Range::Subtract(size, one));
        let turned = r.make(Range::Subtract(last, items));
        assert_eq!(interval(&r, turned), Some((0, 9)));
        let minus = r.make(Range::Literal(-3));
        let product = r.make(Range::Multiply(before, minus));
        assert_eq!(interval(&r, product), Some((-24, 3)));
        let inner = r.make(Range::Up(items, size, 0));
        assert_eq!(interval(&r, inner), Some((0, 9)));
        assert_eq!(r.make(Range::Items(0)), items);
    }

    #[test]
    fn what_is_excluded_is_nothing() {
        let mut r = Ranges::default();
        let items = r.make(Range::Items(0));
        let zero = r.make(Range::Literal(0));
        let below = r.make(Range::Literal(-1));
        let negative = r.make(Range::AtMost(items, below));
        assert_eq!(interval(&r, negative), Some(NOTHING));
        let size = r.make(Range::Size(0));
        let wrapped = r.make(Range::Add(negative, size));
        assert_eq!(interval(&r, wrapped), Some(NOTHING));
        let either = r.make(Range::Either(wrapped, items, 0));
        assert_eq!(interval(&r, either), Some((0, 9)));
        let backwards = r.make(Range::Down(zero, size, 0));
        assert_eq!(interval(&r, backwards), Some(NOTHING));
    }

    #[test]
    fn a_part_is_replaced_everywhere() {
        let mut r = Ranges::default();
        let items = r.make(Range::Items(0));
        let one = r.make(Range::Literal(1));
        let before = r.make(Range::Subtract(items, one));
        let inside = r.make(Range::AtLeast(items, one));
        let replaced = r.replace(before, items, inside);
        assert_eq!(interval(&r, replaced), Some((0, 8)));
    }

    #[test]
    fn what_overflows_is_unknown() {
        let mut r = Ranges::default();
        let large = r.make(Range::Literal(i64::MAX));
        let one = r.make(Range::Literal(1));
        let more = r.make(Range::Add(large, one));
        assert_eq!(interval(&r, more), None);
        let again = r.make(Range::Minimum(more, one));
        assert_eq!(interval(&r, again), None);
    }
}
