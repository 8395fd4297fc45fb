//! Scans along an axis, by the kernels of `colocate_kernels::scan`.

use crate::launch::{Arguments, KernelKey, launch};
use crate::reduce::dimensions::{
    Dimension, MASK as TOTALS, OPERANDS, SOURCE, TARGET, joined, lowest_and_span,
};
use crate::reduce::{aligned, segment_totals};
use crate::{Array, Result};
use colocate_dtype::DType;
use colocate_kernels::reduce::{Finish, Fold, Present, Quantity, Reducer};
use colocate_kernels::scan::{self, SEGMENT, SEGMENTS, Scan};
use colocate_runtime::Access;

/// How elements are combined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScanOp {
    /// `+`
    Sum,
    /// `*`
    Product,
    /// The smallest so far; NaN from the first NaN on.
    Minimum,
    /// The largest so far; NaN from the first NaN on.
    Maximum,
}

/// Segments of an axis whose neighbours do not lie side by side.
const ACROSS: u32 = 256;
/// With as many columns there is work for everybody, whole columns at a time.
const MANY_COLUMNS: usize = 2048;
/// Columns that are not many, and no longer than this, are not cut.
const SHORT_COLUMN: usize = 1024;
/// Up to this many elements are left to one kernel, whatever their layout: compiling another would
/// cost more than it ever saves.
const FEW: usize = 4096;
/// How many dimensions beside the axis that kernel has.
const FEW_KEPT: usize = 3;
/// An array of up to this many elements is scanned at once, if its rows are not too long.
const SMALL: usize = 1 << 14;

/// A reducer of elements that all count.
fn plain(fold: Fold, quantity: Quantity, input: DType, computes: DType, result: DType) -> Reducer {
    Reducer {
        fold,
        quantity,
        present: Present {
            skip_nan: false,
            masked: false,
        },
        input,
        computes,
        finish: Finish::Plain,
        result,
    }
}

/// Each element combined with all before it along an axis, in elements of another dtype.
pub fn inclusive_scan(x: &Array, axis: usize, op: ScanOp, dtype: DType) -> Result<Array> {
    let fold = match op {
        ScanOp::Sum => Fold::Sum,
        ScanOp::Product => Fold::Product,
        ScanOp::Minimum => Fold::Minimum,
        ScanOp::Maximum => Fold::Maximum,
    };
    let computes = if dtype == DType::Float16 {
        DType::Float32
    } else {
        dtype
    };
    let order = x.layout().order_of_result();
    let result = Array::empty_in_order(x.shape(), &order, dtype, x.kind(), x.queue())?;
    let reducer = plain(fold, Quantity::Value, x.dtype(), computes, dtype);
    scan_into(x, axis, reducer, false, &result)?;
    Ok(result)
}

/// How many elements of a mask are true before each of its elements in the order of the axes, as
/// int64 of the mask's shape; and how many are in all, as an int64 without axes.
pub fn mask_positions(mask: &Array) -> Result<(Array, Array)> {
    let positions = Array::empty(mask.shape(), DType::Int64, mask.kind(), mask.queue())?;
    let flat = flattened(mask)?;
    let target = positions.reshaped(&[mask.size()])?;
    let counts = plain(
        Fold::Sum,
        Quantity::Nonzero,
        DType::Bool,
        DType::Int64,
        DType::Int64,
    );
    scan_into(&flat, 0, counts, true, &target)?;
    Ok((positions, count(&flat, counts)?))
}

/// How many elements of a mask are true before each segment of so many elements, in the order of
/// the axes; and how many are in all. Enough to gather what a mask selects, a segment at a time, and
/// much less to write than [`mask_positions`].
pub fn mask_offsets(mask: &Array, segment: u32) -> Result<(Array, Array)> {
    let flat = flattened(mask)?;
    let counts = plain(
        Fold::Sum,
        Quantity::Nonzero,
        DType::Bool,
        DType::Int64,
        DType::Int64,
    );
    let totals = segment_totals(&flat, 0, None, counts, segment, mask.kind())?;
    let sums = plain(
        Fold::Sum,
        Quantity::Value,
        DType::Int64,
        DType::Int64,
        DType::Int64,
    );
    let offsets = Array::empty(totals.shape(), DType::Int64, mask.kind(), mask.queue())?;
    scan_into(&totals, 0, sums, true, &offsets)?;
    Ok((offsets, count(&totals, sums)?))
}

/// All elements on one axis, in the order of the axes.
fn flattened(mask: &Array) -> Result<Array> {
    mask.reshaped(&[mask.size()])
}

fn count(x: &Array, reducer: Reducer) -> Result<Array> {
    crate::reduce::reduce(&crate::reduce::Call {
        x,
        axes: &[0],
        keepdims: false,
        reducer,
        mask: None,
        mean: None,
        divisor: 1.0,
        kind: x.kind(),
    })
}

/// Scans along an axis into an array of the same shape, whose dtype is the reducer's result and which
/// shares no memory with `x`. If `exclusive`, an element is combined only with those before it.
pub fn scan_into(
    x: &Array,
    axis: usize,
    reducer: Reducer,
    exclusive: bool,
    target: &Array,
) -> Result<()> {
    if x.size() == 0 {
        return Ok(());
    }
    let x = &aligned(x)?;
    let (shape, strides) = (x.shape(), x.layout().strides());
    let extent = shape[axis];
    let kind = target.kind();
    let places = x.size() / extent;
    let distance = |one: &usize| match strides[*one].unsigned_abs() {
        0 => usize::MAX,
        far => far,
    };
    let beside = (0..shape.len()).filter(|&one| one != axis && shape[one] > 1);
    let row = beside.min_by_key(distance).filter(|_| x.size() > FEW);
    let row =
        row.filter(|row| distance(row) < distance(&axis) && (shape[*row] >= 8 || extent < 64));
    let segment = match row {
        Some(_) if extent <= SHORT_COLUMN || places >= MANY_COLUMNS => extent,
        Some(_) => ACROSS as usize,
        None if extent <= (SEGMENT * SEGMENTS) as usize && (x.size() <= SMALL || extent < 1024) => {
            extent
        }
        None => SEGMENT as usize,
    };
    let totals = if segment < extent {
        let totals = segment_totals(x, axis, row, reducer, segment as u32, kind)?;
        let scanned = Array::empty(totals.shape(), reducer.computes, kind, x.queue())?;
        let sums = plain(
            reducer.fold,
            Quantity::Value,
            reducer.computes,
            reducer.computes,
            reducer.computes,
        );
        let sums = Reducer {
            present: Present {
                masked: false,
                ..reducer.present
            },
            ..sums
        };
        scan_into(&totals, axis, sums, false, &scanned)?;
        Some(scanned)
    } else {
        None
    };
    let scan = Run {
        x,
        axis,
        row,
        reducer,
        exclusive,
        segment,
        totals: totals.as_ref(),
        target,
    };
    scan.launch()
}

/// One launch.
struct Run<'a> {
    x: &'a Array,
    axis: usize,
    /// The axis of neighbouring columns, if it is not the scanned one that is nearest.
    row: Option<usize>,
    reducer: Reducer,
    exclusive: bool,
    segment: usize,
    /// What all segments up to each amount to.
    totals: Option<&'a Array>,
    target: &'a Array,
}

impl Run<'_> {
    fn launch(&self) -> Result<()> {
        let Run {
            x,
            axis,
            row,
            totals,
            target,
            segment,
            ..
        } = *self;
        let dimension = |one: usize| {
            let mut strides = [0; OPERANDS];
            strides[SOURCE] = x.layout().strides()[one];
            strides[TARGET] = target.layout().strides()[one];
            strides[TOTALS] = totals.map_or(0, |totals| totals.layout().strides()[one]);
            Dimension {
                extent: x.shape()[one],
                strides,
            }
        };
        let others = (0..x.shape().len()).filter(|&one| one != axis && Some(one) != row);
        let mut kept = joined(others.map(dimension).collect(), true);
        let size: usize = kept.iter().map(|one| one.extent).product();
        let walked = dimension(axis);
        let mut arrays = vec![(SOURCE, x, Access::Read), (TARGET, target, Access::Write)];
        arrays.extend(totals.map(|totals| (TOTALS, totals, Access::Read)));
        let row = row.map(dimension);
        kept.extend(row);
        let nothing = Dimension {
            extent: 1,
            strides: [0; OPERANDS],
        };
        while x.size() <= FEW && kept.len() < FEW_KEPT {
            kept.insert(0, nothing);
        }
        let unit = row.is_some_and(|row| {
            arrays
                .iter()
                .all(|(operand, _, _)| row.strides[*operand] == 1)
        });
        let segments = walked.extent.div_ceil(segment);
        let kernel = Scan {
            reducer: self.reducer,
            exclusive: self.exclusive,
            kept: kept.len() as u8,
            unit,
            segmented: totals.is_some(),
        };
        let mut arguments = Arguments::new();
        let mut lowest = [0; OPERANDS];
        for &(operand, array, access) in &arrays {
            let along = match operand {
                TOTALS => Dimension {
                    extent: segments,
                    ..walked
                },
                _ => walked,
            };
            let (low, span) = lowest_and_span(kept.iter().chain([&along]), operand);
            lowest[operand] = low;
            arguments.strided_from(array, access, low, &[span], &[]);
        }
        arguments.int64(walked.extent as i64);
        arguments.int64(segment as i64);
        kept.iter()
            .for_each(|one| arguments.int64(one.extent as i64));
        for &(operand, _, _) in &arrays {
            arguments.int64(-lowest[operand] as i64);
            for one in &kept {
                arguments.int64(one.strides[operand] as i64);
            }
            arguments.int64(walked.strides[operand] as i64);
        }
        let words = kernel.words();
        // SAFETY: the arguments are in the order that the kernels declare, and dimensions and
        // strides are those of the arrays, so that every index lies in the span computed from them.
        unsafe {
            match row {
                Some(row) => launch(
                    x.queue(),
                    &KernelKey::new("scan_across", &words),
                    || scan::across(&kernel),
                    &arguments,
                    &[size, segments, row.extent],
                    None,
                ),
                None => {
                    let runs = walked.extent.div_ceil((SEGMENT * SEGMENTS) as usize);
                    launch(
                        x.queue(),
                        &KernelKey::new("scan_along", &words),
                        || scan::along(&kernel),
                        &arguments,
                        &[size, runs],
                        Some(&[1, 1]),
                    )
                }
            }
        }?;
        Ok(())
    }
}
