//! Each item reduces a chunk of an axis for many places on another axis, the *row*.
//!
//! Neighbouring items have neighbouring places. An item has many, a group's width apart, with a state
//! for each in private memory, and takes one element for every place before it goes on along the
//! axis: so memory is read in long pieces, which is what it is quick at.

use super::places::{Kept, Operand, Places, plus, times};
use super::reducer::State;
use super::{Reduction, Source, Target};
use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Place,
    StorageClass, ValueId,
};
use smallvec::SmallVec;

/// How many elements an item reduces for each place, unless somebody wants another number.
pub const CHUNK: u32 = 128;

/// The kernel. The first axis of its index space counts places on all kept dimensions but the
/// last, the second chunks; the third has a group for each `group * places` places on the last
/// kept dimension, which there must be.
pub fn build(reduction: &Reduction) -> Kernel {
    let mut builder = KernelBuilder::new("reduce_outer", 3, KernelKind::NdRange);
    let b = &mut builder;
    b.kernel_mut().group = Some([1, 1, reduction.group.into()]);
    let places = Places::declare(b, reduction);
    let last = usize::from(reduction.kept) - 1;
    let number = b.index(IndexFunction::GroupId, 0);
    let chunk = b.index(IndexFunction::GroupId, 1);
    let block = b.index(IndexFunction::GroupId, 2);
    let lane = b.index(IndexFunction::LocalId, 2);
    let kept = places.unravel(b, number, last);
    let start = times(b, chunk, reduction.chunk.into());
    let extent = places.extent(b);
    let left = b.binary(BinaryOp::Subtract, extent, start);
    let most = b.int64(reduction.chunk.into());
    let count = b.binary(BinaryOp::Minimum, left, most);
    let row = places.kept_extent(b, last);
    let group = i64::from(reduction.group);
    let width = group * i64::from(reduction.places);
    let begin = times(b, block, width);
    let left = b.binary(BinaryOp::Subtract, row, begin);
    let each = b.int64(group);
    let whole = b.binary(BinaryOp::Quotient, left, each);
    let most = b.int64(reduction.places.into());
    let turns = b.binary(BinaryOp::Minimum, whole, most);
    let first = plus(b, begin, lane);
    let outer = Outer {
        reduction,
        places,
        kept,
        chunk,
        start,
        count,
        row,
        first,
        turns,
    };
    outer.reduce(b);
    builder.finish()
}

struct Outer<'a> {
    reduction: &'a Reduction,
    places: Places,
    kept: Kept,
    chunk: ValueId,
    /// Where the chunk begins, and how long it is.
    start: ValueId,
    count: ValueId,
    /// The length of the row, and the item's first place on it.
    row: ValueId,
    first: ValueId,
    /// How many places all items of this group have; some of them may have one more.
    turns: ValueId,
}

impl Outer<'_> {
    fn reduce(&self, b: &mut KernelBuilder) {
        let reducer = &self.reduction.reducer;
        let elements = self.reduction.source == Source::Elements;
        let search = reducer.is_search() && elements;
        let computes = match elements {
            true => reducer.narrow(self.reduction.chunk as usize),
            false => reducer.computes,
        };
        let position = if search { DType::Int32 } else { DType::Int64 };
        let mut parts: SmallVec<[DType; 2]> = SmallVec::new();
        parts.push(computes);
        parts.extend(reducer.is_search().then_some(position));
        let shape = [self.reduction.places.into()];
        let states: SmallVec<[ArrayRef; 2]> = parts
            .iter()
            .map(|&dtype| {
                ArrayRef::Storage(b.storage("state", dtype, &shape, StorageClass::Private))
            })
            .collect();

        self.for_places(b, |b, place, _| {
            let mut state: State = SmallVec::new();
            state.push(reducer.initial(b, computes));
            if reducer.is_search() {
                // States of other chunks bring their own positions: any that is real comes before.
                let none = b.int64(if search { 0 } else { i64::MAX });
                state.push(b.convert(none, position));
            }
            store(b, &states, place, &state);
        });
        let zero = b.int64(0);
        let at_once = b.int64(self.reduction.at_once.into());
        let trips = b.binary(BinaryOp::Quotient, self.count, at_once);
        let whole = b.binary(BinaryOp::Multiply, trips, at_once);
        self.walk([zero, whole], self.reduction.at_once, b, |b, steps| {
            self.for_shared_places(b, |b, place, at| self.take(b, &states, place, at, steps));
        });
        if self.reduction.at_once > 1 {
            self.walk([whole, self.count], 1, b, |b, steps| {
                self.for_shared_places(b, |b, place, at| self.take(b, &states, place, at, steps));
            });
        }
        self.for_last_place(b, |b, place, at| {
            self.walk([zero, self.count], 1, b, |b, steps| {
                self.take(b, &states, place, at, steps);
            });
        });
        self.for_places(b, |b, place, at| {
            let mut state = load(b, &states, place);
            state[0] = b.convert(state[0], reducer.computes);
            if search {
                let position = b.convert(state[1], DType::Int64);
                state[1] = plus(b, position, self.start);
            }
            self.leave(b, at, &state);
        });
    }

    /// Goes along the chunk, some elements at once: `work` gets where they are in it.
    fn walk(
        &self,
        [from, to]: [ValueId; 2],
        at_once: u8,
        b: &mut KernelBuilder,
        work: impl FnOnce(&mut KernelBuilder, &[ValueId]),
    ) {
        let turn = b.variable("turn", DType::Int64);
        let stride = b.int64(at_once.into());
        b.begin_for(turn, from, to, stride);
        let current = b.get(turn);
        let steps: SmallVec<[ValueId; 8]> = (0..at_once.into())
            .map(|further| {
                let further = b.int64(further);
                plus(b, current, further)
            })
            .collect();
        work(b, &steps);
        b.end();
    }

    /// Takes elements of the chunk for a place.
    fn take(
        &self,
        b: &mut KernelBuilder,
        states: &[ArrayRef],
        place: ValueId,
        at: ValueId,
        steps: &[ValueId],
    ) {
        let mut state = load(b, states, place);
        let position = state.get(1).map_or(DType::Int64, |&part| b.dtype(part));
        for &step in steps {
            let walked = plus(b, self.start, step);
            let noted = b.convert(step, position);
            state = self.step(b, &state, walked, at, noted);
        }
        store(b, states, place, &state);
    }

    /// A loop over the item's places: `work` gets the number of each and its position on the row.
    fn for_places(
        &self,
        b: &mut KernelBuilder,
        mut work: impl FnMut(&mut KernelBuilder, ValueId, ValueId),
    ) {
        self.for_shared_places(b, &mut work);
        self.for_last_place(b, work);
    }

    /// A loop over the places but one that not all items have: a loop that not all items go through has no counter
    /// that they share.
    fn for_shared_places(
        &self,
        b: &mut KernelBuilder,
        work: impl FnOnce(&mut KernelBuilder, ValueId, ValueId),
    ) {
        let place = b.variable("place", DType::Int64);
        let (zero, one) = (b.int64(0), b.int64(1));
        b.begin_for(place, zero, self.turns, one);
        let place = b.get(place);
        let at = self.position(b, place);
        work(b, place, at);
        b.end();
    }

    /// The last place, if this item has it.
    fn for_last_place(
        &self,
        b: &mut KernelBuilder,
        work: impl FnOnce(&mut KernelBuilder, ValueId, ValueId),
    ) {
        let most = b.int64(self.reduction.places.into());
        let more = b.compare(CompareOp::Less, self.turns, most);
        b.begin_if(more);
        let at = self.position(b, self.turns);
        let there = b.compare(CompareOp::Less, at, self.row);
        b.begin_if(there);
        work(b, self.turns, at);
        b.end();
        b.end();
    }

    fn position(&self, b: &mut KernelBuilder, place: ValueId) -> ValueId {
        let skip = times(b, place, self.reduction.group.into());
        plus(b, self.first, skip)
    }

    /// Where an operand has the element of a place on the row, and on the axis if it has one.
    fn index(
        &self,
        b: &mut KernelBuilder,
        operand: &Operand,
        walked: Option<ValueId>,
        at: ValueId,
    ) -> ValueId {
        let mut index = operand.base(b, &self.kept);
        if let Some(walked) = walked {
            let step = operand.step(b);
            let walked = b.binary(BinaryOp::Multiply, walked, step);
            index = plus(b, index, walked);
        }
        let along = if self.reduction.unit && walked.is_some() {
            at
        } else {
            let stride = operand.stride(b, usize::from(self.reduction.kept) - 1);
            b.binary(BinaryOp::Multiply, at, stride)
        };
        plus(b, index, along)
    }

    /// A state with the element at a place of the chunk and of the row.
    fn step(
        &self,
        b: &mut KernelBuilder,
        state: &[ValueId],
        walked: ValueId,
        at: ValueId,
        noted: ValueId,
    ) -> State {
        let reducer = &self.reduction.reducer;
        let index = self.index(b, &self.places.source, Some(walked), at);
        let loaded = self.places.source.load(b, index);
        if self.reduction.source == Source::States {
            return reducer.merge(b, state, &loaded);
        }
        let mean = self.places.mean.as_ref().map(|mean| {
            let index = self.index(b, mean, None, at);
            mean.load(b, index)[0]
        });
        let (value, mut counts) = reducer.lift(b, loaded[0], mean, b.dtype(state[0]));
        if let Some(mask) = &self.places.mask {
            let index = self.index(b, mask, Some(walked), at);
            let on = mask.load(b, index)[0];
            counts = Some(match counts {
                Some(counts) => b.binary(BinaryOp::BitAnd, counts, on),
                None => on,
            });
        }
        reducer.update(b, state, value, noted, counts)
    }

    fn leave(&self, b: &mut KernelBuilder, at: ValueId, state: &[ValueId]) {
        let target = &self.places.target;
        match self.reduction.target {
            // States lie side by side along the row.
            Target::States => {
                let base = target.base(b, &self.kept);
                let step = target.step(b);
                let skipped = b.binary(BinaryOp::Multiply, self.chunk, step);
                let index = plus(b, base, skipped);
                let index = plus(b, index, at);
                target.store(b, index, state);
            }
            Target::Result => {
                let index = target.base(b, &self.kept.and(at));
                let divisor = self.places.divisor(b);
                let result = self.reduction.reducer.finish(b, state, divisor);
                target.store(b, index, &[result]);
            }
        }
    }
}

fn load(b: &mut KernelBuilder, states: &[ArrayRef], place: ValueId) -> State {
    let parts = states.iter().map(|&part| Place::new(part, [place]));
    parts.map(|place| b.load(place)).collect()
}

fn store(b: &mut KernelBuilder, states: &[ArrayRef], place: ValueId, state: &[ValueId]) {
    for (&part, &value) in states.iter().zip(state) {
        b.store(Place::new(part, [place]), value);
    }
}
