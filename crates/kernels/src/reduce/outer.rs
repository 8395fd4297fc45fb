//! Each item reduces a chunk of an axis for several places on another axis, the *row*.
//!
//! Neighbouring items have neighbouring places. An item has several, a group's width apart, so that
//! a step reads a longer piece of memory.

use super::places::{Kept, Operand, Places, plus, times};
use super::reducer::State;
use super::{Reduction, Source, Target};
use colocate_ir::{
    BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, ValueId,
    VariableId,
};
use smallvec::SmallVec;

/// How many elements an item reduces for each place, unless somebody wants another number.
pub const CHUNK: u32 = 128;

/// How many places an item has.
pub const PLACES: usize = 8;

struct Column {
    /// Of the first element in the chunk, for the source and the mask.
    indices: SmallVec<[ValueId; 2]>,
    mean: Option<ValueId>,
    variables: SmallVec<[VariableId; 2]>,
}

/// The kernel. The first axis of its index space counts places on all kept dimensions but the
/// last, the second chunks; the third has a group for each `group * PLACES` places on the last
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
    let width = b.int64(group * PLACES as i64);
    let begin = b.binary(BinaryOp::Multiply, block, width);
    let outer = Outer {
        reduction,
        places,
        kept,
        chunk,
        start,
        count,
    };

    if reduction.wide {
        // The last group of a row steps back to have all its places; some are then computed twice,
        // to the same result.
        let furthest = b.binary(BinaryOp::Subtract, row, width);
        let begin = b.binary(BinaryOp::Minimum, begin, furthest);
        let first = plus(b, begin, lane);
        let at: Vec<ValueId> = (0..PLACES as i64)
            .map(|place| {
                let skip = b.int64(place * group);
                plus(b, first, skip)
            })
            .collect();
        outer.reduce(b, &at, None);
    } else {
        let place = b.variable("place", DType::Int64);
        let (zero, most) = (b.int64(0), b.int64(PLACES as i64));
        let one = b.int64(1);
        b.begin_for(place, zero, most, one);
        let current = b.get(place);
        let skip = times(b, current, group);
        let first = plus(b, begin, lane);
        let at = plus(b, first, skip);
        let there = b.compare(CompareOp::Less, at, row);
        outer.reduce(b, &[at], Some(there));
        b.end();
    }
    builder.finish()
}

struct Outer<'a> {
    reduction: &'a Reduction,
    places: Places,
    kept: Kept,
    chunk: ValueId,
    start: ValueId,
    count: ValueId,
}

impl Outer<'_> {
    fn first(&self, b: &mut KernelBuilder, operand: &Operand, at: ValueId, walks: bool) -> ValueId {
        let base = operand.base(b, &self.kept);
        let base = if walks {
            let step = operand.step(b);
            let skipped = b.binary(BinaryOp::Multiply, self.start, step);
            plus(b, base, skipped)
        } else {
            base
        };
        let along = if self.reduction.unit && walks {
            at
        } else {
            let stride = operand.stride(b, usize::from(self.reduction.kept) - 1);
            b.binary(BinaryOp::Multiply, at, stride)
        };
        plus(b, base, along)
    }

    /// Reduces the chunk for places on the row, or for those that are there. (The condition is
    /// asked inside the loop: a loop that not all items go through has no counter that they share.)
    fn reduce(&self, b: &mut KernelBuilder, at: &[ValueId], there: Option<ValueId>) {
        let reducer = &self.reduction.reducer;
        let elements = self.reduction.source == Source::Elements;
        let search = reducer.is_search() && elements;
        let computes = match elements {
            true => reducer.narrow(self.reduction.chunk as usize),
            false => reducer.computes,
        };
        let position = if search { DType::Int32 } else { DType::Int64 };
        let mut columns = Vec::new();
        for &place in at {
            let mut indices: SmallVec<[ValueId; 2]> = SmallVec::new();
            indices.push(self.first(b, &self.places.source, place, true));
            if let Some(mask) = &self.places.mask {
                indices.push(self.first(b, mask, place, true));
            }
            let mean = self.places.mean.as_ref().map(|mean| {
                let kind = mean.dtype(b);
                let variable = b.variable("mean", kind);
                begin(b, there);
                let index = self.first(b, mean, place, false);
                let value = mean.load(b, index)[0];
                b.set(variable, value);
                end(b, there);
                b.get(variable)
            });
            let mut variables: SmallVec<[VariableId; 2]> = SmallVec::new();
            variables.push(b.variable("state", computes));
            let initial = reducer.initial(b, computes);
            b.set(variables[0], initial);
            if reducer.is_search() {
                variables.push(b.variable("position", position));
                let none = b.int64(if search { 0 } else { i64::MAX });
                let none = b.convert(none, position);
                b.set(variables[1], none);
            }
            columns.push(Column {
                indices,
                mean,
                variables,
            });
        }
        let turn = b.variable("turn", DType::Int64);
        let (zero, one) = (b.int64(0), b.int64(1));
        b.begin_for(turn, zero, self.count, one);
        let current = b.get(turn);
        let noted = b.convert(current, position);
        begin(b, there);
        for column in &columns {
            let state: State = column.variables.iter().map(|&one| b.get(one)).collect();
            let state = self.step(b, column, &state, current, noted);
            for (&variable, &value) in column.variables.iter().zip(&state) {
                b.set(variable, value);
            }
        }
        end(b, there);
        b.end();
        begin(b, there);
        for (column, &place) in columns.iter().zip(at) {
            let mut state: State = column.variables.iter().map(|&one| b.get(one)).collect();
            state[0] = b.convert(state[0], reducer.computes);
            if search {
                let position = b.convert(state[1], DType::Int64);
                state[1] = plus(b, position, self.start);
            }
            self.leave(b, place, &state);
        }
        end(b, there);
    }

    fn step(
        &self,
        b: &mut KernelBuilder,
        column: &Column,
        state: &[ValueId],
        turn: ValueId,
        noted: ValueId,
    ) -> State {
        let reducer = &self.reduction.reducer;
        let index = |b: &mut KernelBuilder, operand: &Operand, first: ValueId| {
            let step = operand.step(b);
            let walked = b.binary(BinaryOp::Multiply, turn, step);
            plus(b, first, walked)
        };
        let source = index(b, &self.places.source, column.indices[0]);
        let loaded = self.places.source.load(b, source);
        if self.reduction.source == Source::States {
            return reducer.merge(b, state, &loaded);
        }
        let (value, mut counts) = reducer.lift(b, loaded[0], column.mean, b.dtype(state[0]));
        if let Some(mask) = &self.places.mask {
            let place = index(b, mask, column.indices[1]);
            let on = mask.load(b, place)[0];
            counts = Some(match counts {
                Some(counts) => b.binary(BinaryOp::BitAnd, counts, on),
                None => on,
            });
        }
        reducer.update(b, state, value, noted, counts)
    }

    fn leave(&self, b: &mut KernelBuilder, place: ValueId, state: &[ValueId]) {
        let target = &self.places.target;
        let kept = &self.kept;
        match self.reduction.target {
            // States lie side by side along the row.
            Target::States => {
                let base = target.base(b, kept);
                let step = target.step(b);
                let skipped = b.binary(BinaryOp::Multiply, self.chunk, step);
                let index = plus(b, base, skipped);
                let index = plus(b, index, place);
                target.store(b, index, state);
            }
            Target::Result => {
                let index = target.base(b, &kept.and(place));
                let divisor = self.places.divisor(b);
                let result = self.reduction.reducer.finish(b, state, divisor);
                target.store(b, index, &[result]);
            }
        }
    }
}

fn begin(b: &mut KernelBuilder, condition: Option<ValueId>) {
    condition
        .into_iter()
        .for_each(|condition| b.begin_if(condition));
}

fn end(b: &mut KernelBuilder, condition: Option<ValueId>) {
    condition.into_iter().for_each(|_| b.end());
}
