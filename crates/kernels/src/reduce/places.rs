//! Where a reduction's arrays have their elements: parameters and index arithmetic.

use super::{Quantity, Reduction, Source, Target};
use colocate_ir::{
    ArrayRef, BinaryOp, DType, KernelBuilder, Layout, ParamId, ParamKind, Place, ValueId,
};
use smallvec::SmallVec;

/// Arrays that are addressed in the same way: the parts of a state, or one array.
pub(crate) struct Operand {
    arrays: SmallVec<[ParamId; 2]>,
    offset: ParamId,
    kept: SmallVec<[ParamId; 4]>,
    walk: ParamId,
}

/// The parameters of a reduction kernel. In order: the arrays read (elements or states, mask, mean),
/// the arrays written, the reduced extent, the kept extents, and for each of source, mask, mean
/// and target its offset, its kept strides and its stride along the reduced axis (of the target:
/// from chunk to chunk); last what the result is divided by, if it is.
pub(crate) struct Places {
    pub source: Operand,
    pub mask: Option<Operand>,
    pub mean: Option<Operand>,
    pub target: Operand,
    extent: ParamId,
    kept: SmallVec<[ParamId; 4]>,
    divisor: Option<ParamId>,
}

/// Positions on the kept dimensions, the outermost first.
pub struct Kept(SmallVec<[ValueId; 4]>);

impl Kept {
    /// On these.
    pub(crate) fn new(positions: impl IntoIterator<Item = ValueId>) -> Kept {
        Kept(positions.into_iter().collect())
    }

    /// That a number stands for, which counts places on dimensions of these extents.
    pub(crate) fn unravel(b: &mut KernelBuilder, number: ValueId, extents: &[ParamId]) -> Kept {
        let mut rest = number;
        let mut positions: SmallVec<[ValueId; 4]> = SmallVec::new();
        for &extent in extents.iter().skip(1).rev() {
            let extent = b.scalar(extent);
            positions.push(b.binary(BinaryOp::Remainder, rest, extent));
            rest = b.binary(BinaryOp::Quotient, rest, extent);
        }
        if !extents.is_empty() {
            positions.push(rest);
        }
        positions.reverse();
        Kept(positions)
    }

    /// And on one more, inside them.
    pub(crate) fn and(&self, position: ValueId) -> Kept {
        Kept::new(self.0.iter().copied().chain([position]))
    }
}

pub(crate) fn array(b: &mut KernelBuilder, name: &str, dtype: DType) -> ParamId {
    let layout = Layout::Contiguous;
    b.param(
        name,
        ParamKind::Array {
            dtype,
            rank: 1,
            layout,
        },
    )
}

pub(crate) fn number(b: &mut KernelBuilder, name: &str) -> ParamId {
    b.param(name, ParamKind::Scalar(DType::Int64))
}

impl Places {
    pub fn declare(b: &mut KernelBuilder, reduction: &Reduction) -> Places {
        let reducer = &reduction.reducer;
        let elements = reduction.source == Source::Elements;
        let states = reducer.state_dtypes();
        let sources: SmallVec<[ParamId; 2]> = match elements {
            true => [array(b, "x", reducer.input)].into_iter().collect(),
            false => states
                .iter()
                .map(|&dtype| array(b, "state", dtype))
                .collect(),
        };
        let masked = elements && reducer.present.masked;
        let mask = masked.then(|| array(b, "mask", DType::Bool));
        let mean = match reducer.quantity {
            Quantity::SquaredDeviation(dtype) if elements => Some(array(b, "mean", dtype)),
            _ => None,
        };
        let targets: SmallVec<[ParamId; 2]> = match reduction.target {
            Target::Result => [array(b, "result", reducer.result)].into_iter().collect(),
            Target::States => states
                .iter()
                .map(|&dtype| array(b, "partial", dtype))
                .collect(),
        };
        let extent = number(b, "extent");
        let kept = (0..reduction.kept).map(|_| number(b, "kept")).collect();
        let mut operand = |name: &str, arrays| Operand::declare(b, name, arrays, reduction.kept);
        let one = |param: ParamId| [param].into_iter().collect();
        let source = operand("x", sources);
        let mask = mask.map(|mask| operand("mask", one(mask)));
        let mean = mean.map(|mean| operand("mean", one(mean)));
        let target = operand("result", targets);
        let divisor = match reduction.target {
            Target::Result => reducer.divisor(),
            Target::States => None,
        };
        let divisor = divisor.map(|dtype| b.param("divisor", ParamKind::Scalar(dtype)));
        Places {
            source,
            mask,
            mean,
            target,
            extent,
            kept,
            divisor,
        }
    }

    /// The length of the reduced axis.
    pub fn extent(&self, b: &mut KernelBuilder) -> ValueId {
        b.scalar(self.extent)
    }

    /// What the result is divided by.
    pub fn divisor(&self, b: &mut KernelBuilder) -> Option<ValueId> {
        self.divisor.map(|divisor| b.scalar(divisor))
    }

    /// Of a kept dimension.
    pub fn kept_extent(&self, b: &mut KernelBuilder, dimension: usize) -> ValueId {
        b.scalar(self.kept[dimension])
    }

    /// The positions on the first so many kept dimensions that a number stands for.
    pub fn unravel(&self, b: &mut KernelBuilder, number: ValueId, dimensions: usize) -> Kept {
        Kept::unravel(b, number, &self.kept[..dimensions])
    }
}

impl Operand {
    /// Declares an offset, strides along kept dimensions, and one along the reduced axis.
    pub fn declare(
        b: &mut KernelBuilder,
        name: &str,
        arrays: SmallVec<[ParamId; 2]>,
        kept: u8,
    ) -> Operand {
        Operand {
            arrays,
            offset: number(b, &format!("{name}_offset")),
            kept: (0..kept)
                .map(|_| number(b, &format!("{name}_stride")))
                .collect(),
            walk: number(b, &format!("{name}_step")),
        }
    }

    /// The index of the first element along the reduced axis, at a place on kept dimensions.
    pub fn base(&self, b: &mut KernelBuilder, kept: &Kept) -> ValueId {
        let mut index = b.scalar(self.offset);
        for (&position, &stride) in kept.0.iter().zip(&self.kept) {
            let stride = b.scalar(stride);
            let step = b.binary(BinaryOp::Multiply, position, stride);
            index = b.binary(BinaryOp::Add, index, step);
        }
        index
    }

    /// How much further the next element along the reduced axis lies.
    pub fn step(&self, b: &mut KernelBuilder) -> ValueId {
        b.scalar(self.walk)
    }

    /// Along a kept dimension.
    pub fn stride(&self, b: &mut KernelBuilder, dimension: usize) -> ValueId {
        b.scalar(self.kept[dimension])
    }

    pub fn load(&self, b: &mut KernelBuilder, index: ValueId) -> SmallVec<[ValueId; 2]> {
        let places = self.arrays.iter().map(|&array| ArrayRef::Param(array));
        places
            .map(|array| b.load(Place::new(array, [index])))
            .collect()
    }

    pub fn store(&self, b: &mut KernelBuilder, index: ValueId, values: &[ValueId]) {
        for (&array, &value) in self.arrays.iter().zip(values) {
            b.store(Place::new(ArrayRef::Param(array), [index]), value);
        }
    }
}

/// `number` times a constant.
pub(crate) fn times(b: &mut KernelBuilder, number: ValueId, factor: i64) -> ValueId {
    let factor = b.int64(factor);
    b.binary(BinaryOp::Multiply, number, factor)
}

/// The sum.
pub(crate) fn plus(b: &mut KernelBuilder, one: ValueId, other: ValueId) -> ValueId {
    b.binary(BinaryOp::Add, one, other)
}
