//! Reductions over any axes of an array, by the kernels of `colocate_kernels::reduce`.
//!
//! Here it is decided which kernels run over what: dimensions are ordered and joined, one reduced
//! dimension is walked along, and if its length or other reduced dimensions make it necessary,
//! states are left in memory and merged by another launch. All of this depends on shapes, strides
//! and dtypes alone, so results do not depend on who runs what when.

pub(crate) mod dimensions;

use crate::launch::{Arguments, KernelKey, launch};
use crate::{Array, Result};
use colocate_dtype::{AxisOrder, Dims};
use colocate_ir::Literal;
use colocate_kernels::reduce::{Reducer, Reduction, Source, Target, inner, outer};
use colocate_runtime::{Access, DeviceType, Queue, UsmKind};
use dimensions::{Dimension, MASK, MEAN, OPERANDS, SOURCE, TARGET, joined, lowest_and_span};
use smallvec::SmallVec;

/// Fewer elements than this along the reduced axis do not keep a group busy.
const SHORT: usize = 32;
/// Fewer places than this on a kept axis do not keep a group of items busy.
const NARROW: usize = 16;
/// How many places of a row an item has if the row is long (with states of four bytes; with larger
/// ones fewer), and if it is not.
const MANY_PLACES: usize = 256;
const SOME_PLACES: usize = 16;
const LONG_ROW: usize = 1024;
/// Each time an item takes elements for a place, a state is read and written. From so many bytes on it takes so many
/// at once (the sum of 4000 by 4000 numbers along the first axis on two cores: 3.1 ms instead of 5.0); a kernel that
/// does so takes longer to compile.
const LARGE: usize = 4 << 20;
const MANY_AT_ONCE: u8 = 8;
/// Up to so many elements along an axis are few.
const FEW_STEPS: u32 = 16;
/// Up to so many elements and results are left to one kernel, whatever their layout: compiling
/// another would cost more than it ever saves.
const SMALL: usize = inner::CHUNK as usize;
const FEW: usize = 64;
/// How many kept dimensions that kernel has.
const SMALL_KEPT: usize = 3;

/// What is reduced.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The elements.
    pub x: &'a Array,
    /// The axes along which they become one; each once.
    pub axes: &'a [usize],
    /// Whether the result keeps these axes with extent 1.
    pub keepdims: bool,
    /// How.
    pub reducer: Reducer,
    /// Which elements count: bools of the same shape, if the reducer asks for them.
    pub mask: Option<&'a Array>,
    /// What deviations are from, if the reducer asks for it: one for each place of the result, of the
    /// shape of `x` with extent 1 on the reduced axes.
    pub mean: Option<&'a Array>,
    /// What the result is divided by, if the reducer says so.
    pub divisor: f64,
    /// Of the result's memory.
    pub kind: UsmKind,
}

/// Runs a reduction. Without elements along the axes, results are what changes nothing: 0 for a
/// sum, minus infinity for a maximum; whether that makes sense is the caller's matter.
pub fn reduce(call: &Call<'_>) -> Result<Array> {
    let is_reduced = |axis: &usize| call.axes.contains(axis);
    let mut shape = Dims::new();
    for (axis, &extent) in call.x.shape().iter().enumerate() {
        match (is_reduced(&axis), call.keepdims) {
            (false, _) => shape.push(extent),
            (true, true) => shape.push(1),
            (true, false) => {}
        }
    }
    let queue = call.x.queue();
    let order = order_of(call, shape.len());
    let result = Array::empty_in_order(&shape, &order, call.reducer.result, call.kind, queue)?;
    if result.size() == 0 {
        return Ok(result);
    }
    let mut x = aligned(call.x)?;
    let mut mask = call.mask.map(aligned).transpose()?;
    let (mut kept, mut reduced) = dimensions_of(call, &x, mask.as_ref(), &result);
    let small = x.size() <= SMALL && result.size() <= FEW;
    if reduced.len() > 1 && (small || call.reducer.is_search()) {
        // Of a search, positions count in the order of the axes, which is that of memory only in a
        // copy; of little, a copy costs less than another launch.
        x = gathered(&x, call.axes)?;
        mask = mask.map(|mask| gathered(&mask, call.axes)).transpose()?;
        (kept, reduced) = dimensions_of(call, &x, mask.as_ref(), &result);
    }
    let run = Run {
        queue,
        reducer: call.reducer,
        kind: call.kind,
        source: Source::Elements,
        sources: &[x],
        mask: mask.as_ref(),
        mean: call.mean,
        divisor: call.divisor,
    };
    if small {
        run.small(kept, reduced, &result)?;
        return Ok(result);
    }
    run.reduce(kept, reduced, &result)?;
    Ok(result)
}

/// How the result lies in memory: as the elements do along the axes that are left. Positions are row-major, as
/// NumPy's are.
fn order_of(call: &Call<'_>, ndim: usize) -> AxisOrder {
    if ndim < 2 || call.reducer.is_search() {
        return None;
    }
    let mut order = call.x.layout().order_of_result()?;
    if call.keepdims {
        return Some(order);
    }
    order.retain(|axis| !call.axes.contains(axis));
    let is_before = |axis: usize| call.axes.iter().filter(|&&gone| gone < axis).count();
    for axis in &mut order {
        *axis -= is_before(*axis);
    }
    Some(order)
}

/// A copy in which the axes that are reduced lie innermost, in their order.
fn gathered(array: &Array, axes: &[usize]) -> Result<Array> {
    let ndim = array.shape().len();
    let kept = (0..ndim).filter(|axis| !axes.contains(axis));
    let reduced = (0..ndim).filter(|axis| axes.contains(axis));
    let order: SmallVec<[usize; 4]> = kept.chain(reduced).collect();
    let turned = array.permuted(&order);
    let copy = Array::empty(turned.shape(), array.dtype(), array.kind(), array.queue())?;
    copy.assign(&turned)?;
    let mut back: SmallVec<[usize; 4]> = SmallVec::from_elem(0, ndim);
    for (position, &axis) in order.iter().enumerate() {
        back[axis] = position;
    }
    Ok(copy.permuted(&back))
}

/// The array, or a copy if its elements do not lie at multiples of their size.
pub(crate) fn aligned(array: &Array) -> Result<Array> {
    let part = array.dtype().alignment();
    if (array.pointer() as usize).is_multiple_of(part) {
        return Ok(array.clone());
    }
    array.copy_to(array.queue(), array.kind())
}

fn dimensions_of(
    call: &Call<'_>,
    x: &Array,
    mask: Option<&Array>,
    result: &Array,
) -> (Vec<Dimension>, Vec<Dimension>) {
    let (mut kept, mut reduced) = (Vec::new(), Vec::new());
    let mut place = result.layout().strides().iter();
    for (axis, &extent) in x.shape().iter().enumerate() {
        let is_reduced = call.axes.contains(&axis);
        let mut strides = [0; OPERANDS];
        strides[SOURCE] = x.layout().strides()[axis];
        strides[MASK] = mask.map_or(0, |mask| mask.layout().strides()[axis]);
        if !is_reduced || call.keepdims {
            strides[TARGET] = *place.next().expect("the result has this axis");
        }
        if is_reduced {
            strides[TARGET] = 0;
        } else {
            strides[MEAN] = call.mean.map_or(0, |mean| mean.layout().strides()[axis]);
        }
        let list = if is_reduced { &mut reduced } else { &mut kept };
        list.push(Dimension { extent, strides });
    }
    if reduced.iter().any(|one| one.extent == 0) {
        reduced.truncate(1);
        reduced[0].extent = 0;
    }
    let sorted = !call.reducer.is_search();
    (joined(kept, true), joined(reduced, sorted))
}

/// One launch and those after it that merge what it leaves.
struct Run<'a> {
    queue: &'a Queue,
    reducer: Reducer,
    kind: UsmKind,
    source: Source,
    /// The elements, or the parts of states.
    sources: &'a [Array],
    mask: Option<&'a Array>,
    mean: Option<&'a Array>,
    divisor: f64,
}

impl Run<'_> {
    fn reduce(
        &self,
        mut kept: Vec<Dimension>,
        mut reduced: Vec<Dimension>,
        result: &Array,
    ) -> Result<()> {
        let closest = |list: &[Dimension]| {
            let distances = list.iter().map(|one| one.strides[SOURCE].unsigned_abs());
            distances
                .enumerate()
                .filter(|(_, far)| *far != 0)
                .min_by_key(|(_, far)| *far)
        };
        let longest = |list: &[Dimension]| {
            let extents = list.iter().map(|one| one.extent).enumerate();
            extents.max_by_key(|(_, extent)| *extent)
        };
        let (near_reduced, near_kept) = (closest(&reduced), closest(&kept));
        let (most_reduced, most_kept) = (longest(&reduced), longest(&kept));
        let far = |found: Option<(usize, usize)>| found.map_or(usize::MAX, |(_, far)| far);
        let along = far(near_reduced) <= far(near_kept) || kept.is_empty();
        // Which reduced dimension is walked along, and which kept one neighbours are on, if any.
        let (walked, row) = if along {
            let near = near_reduced.or(most_reduced).map(|(at, _)| at);
            let extent = near.map_or(0, |at| reduced[at].extent);
            match most_kept {
                Some((at, wide)) if extent < SHORT && wide >= NARROW => (near, Some(at)),
                _ => (near, None),
            }
        } else {
            let near = near_kept.or(most_kept).expect("something is kept").0;
            let walked = most_reduced.map(|(at, _)| at);
            let extent = most_reduced.map_or(0, |(_, extent)| extent);
            match kept[near].extent < NARROW && extent >= SHORT {
                true => (walked, None),
                false => (walked, Some(near)),
            }
        };
        let walked = match walked {
            Some(at) => reduced.remove(at),
            // Along axes of extent 1 there is one element to each result.
            None => Dimension {
                extent: 1,
                strides: [0; OPERANDS],
            },
        };
        match row {
            Some(at) => {
                let row = kept.remove(at);
                self.outer(kept, reduced, walked, row, result)
            }
            None => self.inner(kept, reduced, walked, result),
        }
    }

    /// One launch for few elements.
    fn small(
        &self,
        mut kept: Vec<Dimension>,
        mut reduced: Vec<Dimension>,
        result: &Array,
    ) -> Result<()> {
        let nothing = Dimension {
            extent: 1,
            strides: [0; OPERANDS],
        };
        let walked = reduced.pop().unwrap_or(nothing);
        let places = kept.iter().map(|one| one.extent).product();
        while kept.len() < SMALL_KEPT {
            kept.insert(0, nothing);
        }
        let global = [1, places, usize::from(self.group())];
        let shape = Shape::Inner(inner::CHUNK);
        self.launch(shape, false, &kept, &walked, Left::Result(result), global)
    }

    fn group(&self) -> u16 {
        // As many as run side by side: the compiler's choice for values of this size.
        if self.reducer.widest() <= 2 { 32 } else { 16 }
    }

    /// How many places of a row an item has: many, if there are many, to read long pieces of memory;
    /// few on devices that have no memory of an item's own that is quick.
    fn places(&self, row: &Dimension) -> usize {
        let state = self.reducer.computes.itemsize().max(4);
        match self.queue.device().device_type() {
            DeviceType::Cpu if row.extent >= LONG_ROW => MANY_PLACES * 4 / state,
            DeviceType::Cpu => SOME_PLACES,
            _ => 1,
        }
    }

    fn reads(&self) -> impl Iterator<Item = usize> {
        let mask = self.mask.map(|_| MASK);
        let mean = self.mean.map(|_| MEAN);
        [SOURCE].into_iter().chain(mask).chain(mean)
    }

    /// How many elements an item takes for a place before it goes on to the next.
    fn at_once(&self) -> u8 {
        let x = &self.sources[0];
        let large = x.size() * x.dtype().itemsize() >= LARGE;
        match large && self.source == Source::Elements {
            true => MANY_AT_ONCE,
            false => 1,
        }
    }

    /// States for so many places.
    fn states(&self, places: usize) -> Result<Vec<Array>> {
        let dtypes = self.reducer.state_dtypes();
        let made = dtypes
            .iter()
            .map(|&dtype| Array::empty(&[places], dtype, self.kind, self.queue));
        made.collect()
    }

    fn inner(
        &self,
        kept: Vec<Dimension>,
        others: Vec<Dimension>,
        walked: Dimension,
        result: &Array,
    ) -> Result<()> {
        let chunks = walked.extent.div_ceil(inner::CHUNK as usize).max(1);
        let unit = self.is_unit(&walked);
        let size = |list: &[Dimension]| list.iter().map(|one| one.extent).product::<usize>();
        let merges = size(&others) * chunks;
        if others.is_empty() && chunks == 1 {
            let (kept_axis, _) = inner::axes(unit);
            let mut global = [1, 1, usize::from(self.group())];
            global[usize::from(kept_axis)] = size(&kept);
            let shape = Shape::Inner(inner::CHUNK);
            return self.launch(shape, unit, &kept, &walked, Left::Result(result), global);
        }
        // Behind each place of the result lie its states.
        let states = self.states(size(&kept) * merges)?;
        let mut all = kept.clone();
        let mut step = states[0].size() as isize;
        let mut merged = Vec::new();
        for dimension in &mut all {
            step /= dimension.extent as isize;
            let target = dimension.strides[TARGET];
            dimension.strides[TARGET] = step;
            let mut strides = [0; OPERANDS];
            (strides[SOURCE], strides[TARGET]) = (step, target);
            merged.push(Dimension {
                extent: dimension.extent,
                strides,
            });
        }
        for mut dimension in others {
            step /= dimension.extent as isize;
            dimension.strides[TARGET] = step;
            all.push(dimension);
        }
        let (kept_axis, chunk_axis) = inner::axes(unit);
        let mut global = [1, 1, usize::from(self.group())];
        global[usize::from(kept_axis)] = size(&all);
        global[usize::from(chunk_axis)] = chunks;
        let all = joined(all, true);
        let left = Left::States(&states, 1);
        self.launch(
            Shape::Inner(inner::CHUNK),
            unit,
            &all,
            &walked,
            left,
            global,
        )?;
        let mut strides = [0; OPERANDS];
        strides[SOURCE] = 1;
        let reduced = vec![Dimension {
            extent: merges,
            strides,
        }];
        self.merge(&states, joined(merged, true), reduced, result)
    }

    fn outer(
        &self,
        kept: Vec<Dimension>,
        others: Vec<Dimension>,
        walked: Dimension,
        row: Dimension,
        result: &Array,
    ) -> Result<()> {
        // Few steps are said to be few: the compiler takes the number for what it costs.
        let chunk = if walked.extent <= FEW_STEPS as usize {
            FEW_STEPS
        } else {
            outer::CHUNK
        };
        let chunks = walked.extent.div_ceil(chunk as usize).max(1);
        let many = self.places(&row);
        let shape = Shape::Outer(chunk, many);
        let group = usize::from(self.group());
        let unit = self.is_unit(&row);
        let size = |list: &[Dimension]| list.iter().map(|one| one.extent).product::<usize>();
        let across = row.extent.div_ceil(group * many) * group;
        if others.is_empty() && chunks == 1 {
            let global = [size(&kept), 1, across];
            let mut all = kept;
            all.push(row);
            return self.launch(shape, unit, &all, &walked, Left::Result(result), global);
        }
        // All places of the result lie side by side, behind them those of the next chunk.
        let places = size(&kept) * row.extent;
        let merges = size(&others) * chunks;
        let states = self.states(places * merges)?;
        let mut all = Vec::new();
        let mut step = states[0].size() as isize;
        for mut dimension in others {
            step /= dimension.extent as isize;
            dimension.strides[TARGET] = step;
            all.push(dimension);
        }
        let mut merged = Vec::new();
        step = places as isize;
        for mut dimension in kept.into_iter().chain([row]) {
            step /= dimension.extent as isize;
            let target = dimension.strides[TARGET];
            dimension.strides[TARGET] = step;
            let mut strides = [0; OPERANDS];
            (strides[SOURCE], strides[TARGET]) = (step, target);
            merged.push(Dimension {
                extent: dimension.extent,
                strides,
            });
            all.push(dimension);
        }
        let row = all.pop().expect("the row is there");
        let global = [size(&all), chunks, across];
        all = joined(all, true);
        all.push(row);
        let left = Left::States(&states, places as isize);
        self.launch(shape, unit, &all, &walked, left, global)?;
        let mut strides = [0; OPERANDS];
        strides[SOURCE] = places as isize;
        let reduced = vec![Dimension {
            extent: merges,
            strides,
        }];
        self.merge(&states, joined(merged, true), reduced, result)
    }

    fn merge(
        &self,
        states: &[Array],
        kept: Vec<Dimension>,
        reduced: Vec<Dimension>,
        result: &Array,
    ) -> Result<()> {
        let next = Run {
            source: Source::States,
            sources: states,
            mask: None,
            mean: None,
            ..*self
        };
        next.reduce(kept, reduced, result)
    }

    /// Whether all that is read lies side by side along a dimension.
    fn is_unit(&self, dimension: &Dimension) -> bool {
        let reads = self.reads().filter(|&operand| operand != MEAN);
        reads
            .into_iter()
            .all(|operand| dimension.strides[operand] == 1)
    }

    fn launch(
        &self,
        shape: Shape,
        unit: bool,
        kept: &[Dimension],
        walked: &Dimension,
        left: Left<'_>,
        global: [usize; 3],
    ) -> Result<()> {
        // One kernel serves both whole arrays and rows.
        let whole = [Dimension {
            extent: 1,
            strides: [0; OPERANDS],
        }];
        let kept = if kept.is_empty() { &whole } else { kept };
        let (chunk, chunk_axis, places) = match shape {
            Shape::Inner(chunk) => (chunk, inner::axes(unit).1, 0),
            Shape::Outer(chunk, places) => (chunk, 1, places),
        };
        let (target, targets, chunk_step) = match left {
            Left::Result(result) => (Target::Result, std::slice::from_ref(result), 0),
            Left::States(states, step) => (Target::States, states, step),
        };
        let reduction = Reduction {
            reducer: self.reducer,
            source: self.source,
            target,
            kept: kept.len() as u8,
            unit,
            group: self.group(),
            chunk,
            places: places as u16,
            at_once: self.at_once(),
        };
        let mut arguments = Arguments::new();
        let chunks = global[usize::from(chunk_axis)];
        let mut lowest = [0; OPERANDS];
        // Of the target, one step along the walked dimension is a chunk.
        let mut walk = *walked;
        walk.strides[TARGET] = chunk_step;
        for operand in self.reads().chain([TARGET]) {
            let along = match operand {
                TARGET => Dimension {
                    extent: chunks,
                    ..walk
                },
                _ => walk,
            };
            let (low, span) = lowest_and_span(kept.iter().chain([&along]), operand);
            lowest[operand] = low;
            let mut add = |array, access| {
                arguments.strided_from(array, access, low, &[span], &[]);
            };
            match operand {
                SOURCE => self
                    .sources
                    .iter()
                    .for_each(|array| add(array, Access::Read)),
                MASK => self
                    .mask
                    .into_iter()
                    .for_each(|mask| add(mask, Access::Read)),
                MEAN => self
                    .mean
                    .into_iter()
                    .for_each(|mean| add(mean, Access::Read)),
                _ => targets.iter().for_each(|target| add(target, Access::Write)),
            }
        }
        arguments.int64(walked.extent as i64);
        kept.iter()
            .for_each(|one| arguments.int64(one.extent as i64));
        for operand in self.reads().chain([TARGET]) {
            arguments.int64(-lowest[operand] as i64);
            for dimension in kept {
                arguments.int64(dimension.strides[operand] as i64);
            }
            arguments.int64(walk.strides[operand] as i64);
        }
        if let (Target::Result, Some(dtype)) = (target, self.reducer.divisor()) {
            arguments.scalar(Literal::Float(dtype, self.divisor));
        }
        let words: SmallVec<[u32; 8]> = reduction.words();
        let local = [1, 1, usize::from(self.group())];
        // SAFETY: the arguments are in the order that the kernels declare, and dimensions and
        // strides are those of the arrays, so that every index lies in the span computed from them.
        unsafe {
            match shape {
                Shape::Inner(_) => launch(
                    self.queue,
                    &KernelKey::new("reduce_inner", &words),
                    || inner::build(&reduction),
                    &arguments,
                    &global,
                    Some(&local),
                ),
                Shape::Outer(..) => launch(
                    self.queue,
                    &KernelKey::new("reduce_outer", &words),
                    || outer::build(&reduction),
                    &arguments,
                    &global,
                    Some(&local),
                ),
            }
        }?;
        Ok(())
    }
}

/// A shape of kernel, and how many elements it takes at a time.
#[derive(Clone, Copy)]
enum Shape {
    Inner(u32),
    /// And how many places an item has on the row.
    Outer(u32, usize),
}

/// What a launch leaves.
#[derive(Clone, Copy)]
enum Left<'a> {
    Result(&'a Array),
    /// One array for each part, and how much further those of the next chunk lie.
    States(&'a [Array], isize),
}

/// What each segment of an axis amounts to: an array of the dtype that the reducer computes with,
/// of the shape of `x` but for the axis, which counts segments. The places along `row`, if there is
/// one, lie side by side; without it, those along the axis do.
pub(crate) fn segment_totals(
    x: &Array,
    axis: usize,
    row: Option<usize>,
    reducer: Reducer,
    segment: u32,
    kind: UsmKind,
) -> Result<Array> {
    let segments = x.shape()[axis].div_ceil(segment as usize).max(1);
    let mut order: SmallVec<[usize; 4]> = (0..x.shape().len())
        .filter(|&one| one != axis && Some(one) != row)
        .collect();
    order.push(axis);
    order.extend(row);
    let extent = |one: usize| {
        if one == axis {
            segments
        } else {
            x.shape()[one]
        }
    };
    let shape: Dims = order.iter().map(|&one| extent(one)).collect();
    let totals = Array::empty(&shape, reducer.computes, kind, x.queue())?;
    let mut back: SmallVec<[usize; 4]> = SmallVec::from_elem(0, order.len());
    for (position, &one) in order.iter().enumerate() {
        back[one] = position;
    }
    let totals = totals.permuted(&back);
    let dimension = |one: usize| {
        let mut strides = [0; OPERANDS];
        strides[SOURCE] = x.layout().strides()[one];
        strides[TARGET] = totals.layout().strides()[one];
        Dimension {
            extent: x.shape()[one],
            strides,
        }
    };
    let others = (0..x.shape().len()).filter(|&one| one != axis && Some(one) != row);
    let mut kept = joined(others.map(dimension).collect(), true);
    let size: usize = kept.iter().map(|one| one.extent).product();
    let walked = dimension(axis);
    let run = Run {
        queue: x.queue(),
        reducer,
        kind,
        source: Source::Elements,
        sources: std::slice::from_ref(x),
        mask: None,
        mean: None,
        divisor: 1.0,
    };
    let group = usize::from(run.group());
    let left = Left::States(std::slice::from_ref(&totals), walked.strides[TARGET]);
    match row {
        None => {
            let unit = run.is_unit(&walked);
            let (kept_axis, chunk_axis) = inner::axes(unit);
            let mut global = [1, 1, group];
            global[usize::from(kept_axis)] = size;
            global[usize::from(chunk_axis)] = segments;
            run.launch(Shape::Inner(segment), unit, &kept, &walked, left, global)?;
        }
        Some(row) => {
            let row = dimension(row);
            let unit = run.is_unit(&row);
            let many = run.places(&row);
            let across = row.extent.div_ceil(group * many) * group;
            kept.push(row);
            let global = [size, segments, across];
            run.launch(
                Shape::Outer(segment, many),
                unit,
                &kept,
                &walked,
                left,
                global,
            )?;
        }
    }
    Ok(totals)
}
