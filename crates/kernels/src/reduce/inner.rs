//! A group of items reduces a chunk of an axis together.
//!
//! Items read neighbouring elements, several steps at a time into states of their own, which are
//! merged item by item, then over the group through local memory.

use super::places::{Operand, Places, plus, times};
use super::reducer::State;
use super::{Reduction, Source, Target};
use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Place,
    StatementKind, StorageClass, ValueId, VariableId,
};
use smallvec::SmallVec;

/// How many elements a group reduces, unless somebody wants another number.
pub const CHUNK: u32 = 4096;

/// How many states an item has at a time, so that none waits for its own last result.
const STATES: i64 = 4;

/// The index space has three axes; the last is a group. Chunks are on the second axis if
/// neighbouring elements lie side by side, else on the first; kept places are on the other.
pub const fn axes(unit: bool) -> (u8, u8) {
    if unit { (0, 1) } else { (1, 0) }
}

struct Walk<'a> {
    reduction: &'a Reduction,
    places: Places,
    /// The first element of the row, for the source and the mask.
    bases: SmallVec<[ValueId; 2]>,
    mean: Option<ValueId>,
}

impl Walk<'_> {
    /// The index of an element of the row.
    fn index(
        &self,
        b: &mut KernelBuilder,
        operand: &Operand,
        base: ValueId,
        at: ValueId,
    ) -> ValueId {
        let at = if self.reduction.unit {
            at
        } else {
            let step = operand.step(b);
            b.binary(BinaryOp::Multiply, at, step)
        };
        plus(b, base, at)
    }

    /// A state with the element at a position of the row, which `noted` stands for in the state.
    fn step(&self, b: &mut KernelBuilder, state: &[ValueId], at: ValueId, noted: ValueId) -> State {
        let reducer = &self.reduction.reducer;
        let index = self.index(b, &self.places.source, self.bases[0], at);
        let loaded = self.places.source.load(b, index);
        if self.reduction.source == Source::States {
            return reducer.merge(b, state, &loaded);
        }
        let (value, mut counts) = reducer.lift(b, loaded[0], self.mean, b.dtype(state[0]));
        if let Some(mask) = &self.places.mask {
            let index = self.index(b, mask, self.bases[1], at);
            let on = mask.load(b, index)[0];
            counts = Some(match counts {
                Some(counts) => b.binary(BinaryOp::BitAnd, counts, on),
                None => on,
            });
        }
        reducer.update(b, state, value, noted, counts)
    }
}

fn get_all(b: &mut KernelBuilder, variables: &[VariableId]) -> State {
    variables.iter().map(|&variable| b.get(variable)).collect()
}

fn set_all(b: &mut KernelBuilder, variables: &[VariableId], values: &[ValueId]) {
    for (&variable, &value) in variables.iter().zip(values) {
        b.set(variable, value);
    }
}

/// Merges neighbours until one is left.
fn merge_all(b: &mut KernelBuilder, reduction: &Reduction, mut states: Vec<State>) -> State {
    while states.len() > 1 {
        let mut merged = Vec::new();
        for pair in states.chunks(2) {
            merged.push(match pair {
                [one, other] => reduction.reducer.merge(b, one, other),
                _ => pair[0].clone(),
            });
        }
        states = merged;
    }
    states.pop().expect("there is at least one")
}

/// The kernel.
pub fn build(reduction: &Reduction) -> Kernel {
    let reducer = &reduction.reducer;
    let mut builder = KernelBuilder::new("reduce_inner", 3, KernelKind::NdRange);
    let b = &mut builder;
    b.kernel_mut().group = Some([1, 1, reduction.group.into()]);
    let places = Places::declare(b, reduction);
    let (kept_axis, chunk_axis) = axes(reduction.unit);
    let number = b.index(IndexFunction::GroupId, kept_axis);
    let chunk = b.index(IndexFunction::GroupId, chunk_axis);
    let lane = b.index(IndexFunction::LocalId, 2);
    let kept = places.unravel(b, number, reduction.kept.into());
    let mut bases: SmallVec<[ValueId; 2]> = SmallVec::new();
    bases.push(places.source.base(b, &kept));
    if let Some(mask) = &places.mask {
        bases.push(mask.base(b, &kept));
    }
    let mean = places.mean.as_ref().map(|mean| {
        let index = mean.base(b, &kept);
        mean.load(b, index)[0]
    });
    let start = times(b, chunk, reduction.chunk.into());
    let extent = places.extent(b);
    let left = b.binary(BinaryOp::Subtract, extent, start);
    let most = b.int64(reduction.chunk.into());
    let count = b.binary(BinaryOp::Minimum, left, most);
    let group = i64::from(reduction.group);
    let turn_size = b.int64(group * STATES);
    let turns = b.binary(BinaryOp::Quotient, count, turn_size);
    let walk = Walk {
        reduction,
        places,
        bases,
        mean,
    };

    // Whole turns, with positions counted in turns: a smaller number than an index.
    let search = reducer.is_search() && reduction.source == Source::Elements;
    let per_state = reduction.chunk as usize / (group * STATES) as usize;
    let computes = match reduction.source {
        Source::Elements => reducer.narrow(per_state),
        Source::States => reducer.computes,
    };
    let turn_dtype = if search { DType::Int32 } else { DType::Int64 };
    let dtypes = |narrow: DType, position: DType| -> SmallVec<[DType; 2]> {
        match reducer.is_search() {
            true => [narrow, position].into_iter().collect(),
            false => [narrow].into_iter().collect(),
        }
    };
    let mut states: Vec<SmallVec<[VariableId; 2]>> = Vec::new();
    for _ in 0..STATES {
        let parts = dtypes(computes, turn_dtype);
        let variables: SmallVec<[VariableId; 2]> = parts
            .iter()
            .map(|&dtype| b.variable("state", dtype))
            .collect();
        let initial = reducer.initial(b, computes);
        b.set(variables[0], initial);
        if let Some(&position) = variables.get(1) {
            // States of other chunks bring their own positions: any that is real comes before this one.
            let none = if search { 0 } else { i64::MAX };
            let none = b.int64(none);
            let none = b.convert(none, turn_dtype);
            b.set(position, none);
        }
        states.push(variables);
    }
    let turn = b.variable("turn", DType::Int64);
    let (zero, one) = (b.int64(0), b.int64(1));
    b.begin_for(turn, zero, turns, one);
    let current = b.get(turn);
    let noted = b.convert(current, turn_dtype);
    let first = b.binary(BinaryOp::Multiply, current, turn_size);
    let first = plus(b, start, first);
    let first = plus(b, first, lane);
    for (which, variables) in states.iter().enumerate() {
        let skip = b.int64(which as i64 * group);
        let at = plus(b, first, skip);
        let state = get_all(b, variables);
        let state = walk.step(b, &state, at, noted);
        set_all(b, variables, &state);
    }
    b.end();

    let mut whole = Vec::new();
    for (which, variables) in states.iter().enumerate() {
        let mut state = get_all(b, variables);
        state[0] = b.convert(state[0], reducer.computes);
        if search {
            let turn = b.convert(state[1], DType::Int64);
            let at = b.binary(BinaryOp::Multiply, turn, turn_size);
            let skip = b.int64(which as i64 * group);
            let at = plus(b, at, skip);
            let at = plus(b, at, start);
            state[1] = plus(b, at, lane);
        }
        whole.push(state);
    }
    let state = merge_all(b, reduction, whole);
    let parts = reducer.state_dtypes();
    let variables: SmallVec<[VariableId; 2]> = parts
        .iter()
        .map(|&dtype| b.variable("rest", dtype))
        .collect();
    set_all(b, &variables, &state);

    // What is left is less than a turn.
    let done = b.binary(BinaryOp::Multiply, turns, turn_size);
    let round = b.variable("round", DType::Int64);
    let rounds = b.int64(STATES);
    b.begin_for(round, zero, rounds, one);
    let current = b.get(round);
    let skip = times(b, current, group);
    let at = plus(b, done, skip);
    let at = plus(b, at, lane);
    let there = b.compare(CompareOp::Less, at, count);
    b.begin_if(there);
    let at = plus(b, at, start);
    let state = get_all(b, &variables);
    let state = walk.step(b, &state, at, at);
    set_all(b, &variables, &state);
    b.end();
    b.end();

    let state = get_all(b, &variables);
    let state = merge_group(b, reduction, lane, &state);
    let leads = b.compare(CompareOp::Equal, lane, zero);
    b.begin_if(leads);
    // Made again here: nothing but the state is to be kept across the barrier.
    let number = b.index(IndexFunction::GroupId, kept_axis);
    let chunk = b.index(IndexFunction::GroupId, chunk_axis);
    let kept = walk.places.unravel(b, number, reduction.kept.into());
    let target = &walk.places.target;
    let base = target.base(b, &kept);
    let step = target.step(b);
    let step = b.binary(BinaryOp::Multiply, chunk, step);
    let index = plus(b, base, step);
    match reduction.target {
        Target::States => target.store(b, index, &state),
        Target::Result => {
            let divisor = walk.places.divisor(b);
            let result = reducer.finish(b, &state, divisor);
            target.store(b, index, &[result]);
        }
    }
    b.end();
    builder.finish()
}

/// The state of the whole group, known to all its items.
fn merge_group(
    b: &mut KernelBuilder,
    reduction: &Reduction,
    lane: ValueId,
    state: &[ValueId],
) -> State {
    let group = u32::from(reduction.group);
    let mut shared = Vec::new();
    for &part in state {
        let dtype = b.dtype(part);
        let storage = b.storage("shared", dtype, &[group], StorageClass::Local);
        let storage = ArrayRef::Storage(storage);
        b.store(Place::new(storage, [lane]), part);
        shared.push(storage);
    }
    b.push(StatementKind::Barrier { global: false });
    // Every item reads all states. That is the same for all of them, so on a device that runs
    // items in lanes it is done once.
    let mut states = Vec::new();
    for position in 0..group {
        let position = b.int64(position.into());
        let parts = shared
            .iter()
            .map(|&storage| Place::new(storage, [position]));
        states.push(parts.map(|place| b.load(place)).collect());
    }
    merge_all(b, reduction, states)
}
