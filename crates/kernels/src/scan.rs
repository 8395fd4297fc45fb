//! Scans: kernels that combine each element with all before it along an axis.
//!
//! An axis is cut into *segments*. A reduction finds what each amounts to, a scan of these gives what
//! lies before each, and then all segments are scanned at the same time, from there. A short axis is one
//! segment, with nothing before it.
//!
//! - [`along`]: the axis is the nearest in memory. One item goes through several segments side
//!   by side, so that there is always one whose last result is there already.
//! - [`across`]: neighbouring items go through neighbouring columns.

use crate::reduce::places::{Operand, array, number, plus, times};
use crate::reduce::{Fold, Kept, Reducer};
use colocate_ir::{
    BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Kind, Literal,
    ParamId, ValueId, VariableId,
};
use smallvec::SmallVec;

/// Elements of a segment of [`along`].
pub const SEGMENT: u32 = 512;
/// Segments that an item of [`along`] goes through.
pub const SEGMENTS: u32 = 8;

/// A scan kernel of either shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scan {
    /// How elements are combined; no search, and without mask or mean.
    pub reducer: Reducer,
    /// Whether an element is combined only with those before it, not with itself.
    pub exclusive: bool,
    /// How many dimensions are beside the axis.
    pub kept: u8,
    /// Whether neighbouring columns lie side by side; for [`across`].
    pub unit: bool,
    /// Whether there is more than one segment, and so an array of what they amount to.
    pub segmented: bool,
}

impl Scan {
    /// What tells this kernel from others of its shape.
    pub fn words(&self) -> SmallVec<[u32; 8]> {
        let mut words: SmallVec<[u32; 8]> = SmallVec::from_slice(&self.reducer.words());
        words.push(
            u32::from(self.kept)
                | u32::from(self.unit) << 8
                | u32::from(self.exclusive) << 9
                | u32::from(self.segmented) << 10,
        );
        words
    }

    /// A value with the next element; both are in the dtype that the scan computes with.
    fn step(&self, b: &mut KernelBuilder, before: ValueId, element: ValueId) -> ValueId {
        let (value, counts) = self.reducer.lift(b, element, None, self.reducer.computes);
        self.reducer.update(b, &[before], value, before, counts)[0]
    }
}

/// The parameters of a scan kernel. In order: elements, results, what segments amount to (scanned);
/// the extent of the axis, the length of a segment, the kept extents; and for each of these arrays its
/// offset, its kept strides and its stride along the axis (of the last: from segment to segment).
struct Places {
    x: Operand,
    result: Operand,
    totals: Option<Operand>,
    extent: ParamId,
    segment: ParamId,
    kept: SmallVec<[ParamId; 4]>,
}

impl Places {
    fn declare(b: &mut KernelBuilder, scan: &Scan) -> Places {
        let one = |param: ParamId| -> SmallVec<[ParamId; 2]> { [param].into_iter().collect() };
        let x = array(b, "x", scan.reducer.input);
        let result = array(b, "result", scan.reducer.result);
        let totals = scan
            .segmented
            .then(|| array(b, "totals", scan.reducer.computes));
        let extent = number(b, "extent");
        let segment = number(b, "segment");
        let kept = (0..scan.kept).map(|_| number(b, "kept")).collect();
        Places {
            x: Operand::declare(b, "x", one(x), scan.kept),
            result: Operand::declare(b, "result", one(result), scan.kept),
            totals: totals.map(|totals| Operand::declare(b, "totals", one(totals), scan.kept)),
            extent,
            segment,
            kept,
        }
    }

    /// What lies before a segment.
    fn before(
        &self,
        b: &mut KernelBuilder,
        scan: &Scan,
        base: Option<ValueId>,
        segment: ValueId,
    ) -> ValueId {
        let nothing = nothing_before(b, &scan.reducer);
        let (Some(totals), Some(base)) = (&self.totals, base) else {
            return nothing;
        };
        // Of the first segment the total is read, and not used.
        let (zero, one) = (b.int64(0), b.int64(1));
        let some = b.compare(CompareOp::Greater, segment, zero);
        let previous = b.binary(BinaryOp::Subtract, segment, one);
        let previous = b.binary(BinaryOp::Maximum, previous, zero);
        let step = totals.step(b);
        let skipped = b.binary(BinaryOp::Multiply, previous, step);
        let index = plus(b, base, skipped);
        let total = totals.load(b, index)[0];
        b.select(some, total, nothing)
    }
}

struct Row<'a> {
    scan: &'a Scan,
    places: &'a Places,
    x: ValueId,
    result: ValueId,
}

impl Row<'_> {
    /// Goes one element further.
    fn advance(&self, b: &mut KernelBuilder, variable: VariableId, at: ValueId) {
        let index = |b: &mut KernelBuilder, operand: &Operand, base: ValueId| {
            let step = operand.step(b);
            let walked = b.binary(BinaryOp::Multiply, at, step);
            plus(b, base, walked)
        };
        let source = index(b, &self.places.x, self.x);
        let element = self.places.x.load(b, source)[0];
        let before = b.get(variable);
        let after = self.scan.step(b, before, element);
        b.set(variable, after);
        let shown = if self.scan.exclusive { before } else { after };
        let shown = b.convert(shown, self.scan.reducer.result);
        let target = index(b, &self.places.result, self.result);
        self.places.result.store(b, target, &[shown]);
    }
}

/// The kernel for the nearest axis. Its index space has two axes, places on the kept dimensions
/// and runs of [`SEGMENTS`] segments of [`SEGMENT`] elements, in groups of one item: all that an
/// item does is then the same for its group, and no lane of a vector waits for another.
pub fn along(scan: &Scan) -> Kernel {
    let mut builder = KernelBuilder::new("scan_along", 2, KernelKind::NdRange);
    let b = &mut builder;
    b.kernel_mut().group = Some([1, 1, 1]);
    let places = Places::declare(b, scan);
    let number = b.index(IndexFunction::GroupId, 0);
    let run = b.index(IndexFunction::GroupId, 1);
    let kept = Kept::unravel(b, number, &places.kept);
    let row = Row {
        scan,
        places: &places,
        x: places.x.base(b, &kept),
        result: places.result.base(b, &kept),
    };
    let totals = places.totals.as_ref().map(|totals| totals.base(b, &kept));
    let length = i64::from(SEGMENT * SEGMENTS);
    let start = times(b, run, length);
    let extent = b.scalar(places.extent);
    let left = b.binary(BinaryOp::Subtract, extent, start);
    let most = b.int64(length);
    let count = b.binary(BinaryOp::Minimum, left, most);
    let first = times(b, run, SEGMENTS.into());
    let (zero, one) = (b.int64(0), b.int64(1));
    let computes = scan.reducer.computes;
    let turn = b.variable("turn", DType::Int64);
    if scan.segmented {
        let full = b.compare(CompareOp::Equal, count, most);
        b.begin_if(full);
        let mut states = Vec::new();
        for segment in 0..SEGMENTS {
            let skip = b.int64(segment.into());
            let segment = plus(b, first, skip);
            let state = b.variable("state", computes);
            let before = places.before(b, scan, totals, segment);
            b.set(state, before);
            states.push(state);
        }
        let turns = b.int64(SEGMENT.into());
        b.begin_for(turn, zero, turns, one);
        let current = b.get(turn);
        let at = plus(b, start, current);
        for (segment, &state) in states.iter().enumerate() {
            let skip = b.int64(segment as i64 * i64::from(SEGMENT));
            let at = plus(b, at, skip);
            row.advance(b, state, at);
        }
        b.end();
        b.begin_else();
    }
    let state = b.variable("state", computes);
    let before = places.before(b, scan, totals, first);
    b.set(state, before);
    b.begin_for(turn, zero, count, one);
    let current = b.get(turn);
    let at = plus(b, start, current);
    row.advance(b, state, at);
    b.end();
    if scan.segmented {
        b.end();
    }
    builder.finish()
}

/// The state before the first element, which is then the first result as it is: a sum of floats begins at -0.0,
/// which turns no -0.0 into 0.0. Where NaN does not count, a NaN at the beginning has to give 0.0.
fn nothing_before(b: &mut KernelBuilder, reducer: &Reducer) -> ValueId {
    let dtype = reducer.computes;
    match dtype.kind() {
        _ if reducer.fold != Fold::Sum || reducer.present.skip_nan => reducer.initial(b, dtype),
        Kind::Float => b.literal(Literal::Float(dtype, -0.0)),
        Kind::Complex => b.literal(Literal::Complex(dtype, -0.0, -0.0)),
        _ => reducer.initial(b, dtype),
    }
}

/// The kernel for another axis. The first axis of its index space counts places on all kept
/// dimensions but the last, the second segments, the third places on the last kept dimension.
pub fn across(scan: &Scan) -> Kernel {
    let mut builder =
        KernelBuilder::new("scan_across", 3, KernelKind::Region { reductions: vec![] });
    let b = &mut builder;
    let places = Places::declare(b, scan);
    let last = usize::from(scan.kept) - 1;
    let number = b.index(IndexFunction::GlobalId, 0);
    let segment = b.index(IndexFunction::GlobalId, 1);
    let column = b.index(IndexFunction::GlobalId, 2);
    let kept = Kept::unravel(b, number, &places.kept[..last]);
    let base = |b: &mut KernelBuilder, operand: &Operand| {
        if scan.unit {
            let base = operand.base(b, &kept);
            plus(b, base, column)
        } else {
            operand.base(b, &kept.and(column))
        }
    };
    let row = Row {
        scan,
        places: &places,
        x: base(b, &places.x),
        result: base(b, &places.result),
    };
    let totals = places.totals.as_ref().map(|totals| base(b, totals));
    let length = b.scalar(places.segment);
    let start = b.binary(BinaryOp::Multiply, segment, length);
    let extent = b.scalar(places.extent);
    let stop = plus(b, start, length);
    let stop = b.binary(BinaryOp::Minimum, stop, extent);
    let one = b.int64(1);
    let state = b.variable("state", scan.reducer.computes);
    let before = places.before(b, scan, totals, segment);
    b.set(state, before);
    let turn = b.variable("turn", DType::Int64);
    b.begin_for(turn, start, stop, one);
    let at = b.get(turn);
    row.advance(b, state, at);
    b.end();
    builder.finish()
}
