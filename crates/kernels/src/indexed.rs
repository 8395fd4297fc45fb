//! Kernels that reach elements of an array by the elements of index arrays.
//!
//! The index space is that of the result (or of the values that are assigned). The array that is
//! indexed, called *data*, has some of the space's axes, and for each index array one axis of its
//! own, along which the index array's element says where. An index array has only those axes of the
//! space along which it is not repeated.
//!
//! Whatever an index array holds, no kernel here leaves the data: what is out of bounds is brought
//! inside, by the rule of [`Bounds`].

use colocate_ir::{
    ArrayRef, AtomicOp, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder,
    KernelKind, Kind, Layout, Literal, ParamId, ParamKind, Place, ValueId,
};
use smallvec::SmallVec;

/// What is done with the elements that are reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Other[space] = data[…].
    Gather,
    /// Data[…] = other[space]. Of several values for one element any may stay.
    Scatter,
    /// The same with an operation that no other item's comes into.
    Update(AtomicOp),
    /// Other[space], int64, is set to how far from the data's first element they lie.
    Locate,
    /// Nothing: only the bounds are checked.
    Check,
}

/// What becomes of an index that is not in the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounds {
    /// There is none, says the caller; negative ones count from the end.
    Trusted,
    /// Negative ones count from the end; others are reported in the flag, and 0 is taken.
    Report,
    /// It is taken modulo the extent.
    Wrap,
    /// The nearest is taken.
    Clip,
}

/// An array as a kernel sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// Of its elements.
    pub dtype: DType,
    /// Which axes of the space it has: bit `n` stands for axis `n`.
    pub axes: u64,
    /// How its elements lie.
    pub layout: Layout,
}

/// An axis of the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    /// An axis of the space.
    Space(u8),
    /// The index array of this number says where.
    Index(u8),
}

/// A kernel. Its parameters, as far as it has them, are: the data; the other array; the index
/// arrays; the extent of the data along each of them; for [`Action::Locate`] the stride of each,
/// in elements; beyond three axes, the extents of the space; and the flag, an int32 array of one
/// element.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Indexed {
    /// What is done.
    pub action: Action,
    /// How bounds are kept.
    pub bounds: Bounds,
    /// Axes of the space, at least 1.
    pub rank: u8,
    /// The data's dtype and layout.
    pub data: (DType, Layout),
    /// The data's axes.
    pub reached: SmallVec<[Via; 4]>,
    /// The result, the values or the distances.
    pub other: Option<Operand>,
    /// The index arrays.
    pub indices: SmallVec<[Operand; 2]>,
}

impl Indexed {
    /// What tells this kernel from others.
    pub fn words(&self) -> SmallVec<[u32; 16]> {
        let action = match self.action {
            Action::Gather => 0,
            Action::Scatter => 1,
            Action::Locate => 2,
            Action::Check => 3,
            Action::Update(op) => 4 + op as u32,
        };
        let (dtype, layout) = self.data;
        let mut words = SmallVec::from_slice(&[
            action | (self.bounds as u32) << 8 | u32::from(self.rank) << 16,
            dtype as u32 | u32::from(layout == Layout::Strided) << 8,
            self.reached.len() as u32 | (self.indices.len() as u32) << 8,
        ]);
        words.extend(self.reached.iter().map(|via| match via {
            Via::Space(axis) => u32::from(*axis),
            Via::Index(number) => 0x100 | u32::from(*number),
        }));
        for operand in self.other.iter().chain(&self.indices) {
            let strided = u32::from(operand.layout == Layout::Strided) << 8;
            words.push(operand.dtype as u32 | strided);
            words.extend([operand.axes as u32, (operand.axes >> 32) as u32]);
        }
        words
    }

    /// Whether it takes the data.
    pub fn takes_data(&self) -> bool {
        !matches!(self.action, Action::Locate | Action::Check)
    }

    /// The kernel.
    pub fn build(&self) -> Kernel {
        let name = match self.action {
            Action::Gather => "gather",
            Action::Scatter => "scatter",
            Action::Update(_) => "update_at",
            Action::Locate => "locate",
            Action::Check => "check_indices",
        };
        let kind = KernelKind::Region { reductions: vec![] };
        let mut builder = KernelBuilder::new(name, self.rank.clamp(1, 3), kind);
        let data = self.takes_data().then(|| {
            let (dtype, layout) = self.data;
            let rank = self.reached.len() as u8;
            let kind = ParamKind::Array {
                dtype,
                rank,
                layout,
            };
            builder.param("data", kind)
        });
        let other = self
            .other
            .map(|operand| (array(&mut builder, "other", operand), operand));
        let indices: SmallVec<[(ParamId, Operand); 2]> = self
            .indices
            .iter()
            .map(|&operand| (array(&mut builder, "index", operand), operand))
            .collect();
        let extents = self.scalars(&mut builder, "extent", self.indices.len());
        let strides = match self.action {
            Action::Locate => self.scalars(&mut builder, "stride", self.indices.len()),
            _ => SmallVec::new(),
        };
        let position = self.position(&mut builder);

        let mut wheres: SmallVec<[ValueId; 2]> = SmallVec::new();
        let mut outside: Option<ValueId> = None;
        for (&(param, operand), &extent) in indices.iter().zip(&extents) {
            let place = place(param, operand, &position);
            let raw = builder.load(place);
            let extent = builder.scalar(extent);
            let (at, bad) = self.inside(&mut builder, raw, extent);
            wheres.push(at);
            outside = match (outside, bad) {
                (Some(one), Some(other)) => Some(builder.binary(BinaryOp::BitOr, one, other)),
                (one, other) => one.or(other),
            };
        }
        if let Some(outside) = outside {
            let flag = Operand {
                dtype: DType::Int32,
                axes: 1,
                layout: Layout::Contiguous,
            };
            let flag = array(&mut builder, "flag", flag);
            builder.begin_if(outside);
            let (zero, one) = (
                builder.int64(0),
                builder.literal(Literal::small(DType::Int32, 1)),
            );
            builder.store(Place::new(ArrayRef::Param(flag), [zero]), one);
            builder.end();
        }
        let reached = data.map(|data| {
            let indices = self.reached.iter().map(|via| match via {
                Via::Space(axis) => position[usize::from(*axis)],
                Via::Index(number) => wheres[usize::from(*number)],
            });
            Place::new(ArrayRef::Param(data), indices)
        });
        let beside = other.map(|(param, operand)| place(param, operand, &position));
        match (self.action, reached, beside) {
            (Action::Gather, Some(from), Some(to)) => {
                let value = builder.load(from);
                builder.store(to, value);
            }
            (Action::Scatter, Some(to), Some(from)) => {
                let value = builder.load(from);
                builder.store(to, value);
            }
            (Action::Update(op), Some(to), Some(from)) => {
                let value = builder.load(from);
                builder.atomic(op, to, value, None);
            }
            (Action::Locate, _, Some(to)) => {
                let mut sum = builder.int64(0);
                for (&at, &stride) in wheres.iter().zip(&strides) {
                    let stride = builder.scalar(stride);
                    let part = builder.binary(BinaryOp::Multiply, at, stride);
                    sum = builder.binary(BinaryOp::Add, sum, part);
                }
                builder.store(to, sum);
            }
            _ => {}
        }
        builder.finish()
    }

    fn scalars(
        &self,
        builder: &mut KernelBuilder,
        name: &str,
        count: usize,
    ) -> SmallVec<[ParamId; 4]> {
        (0..count)
            .map(|_| builder.param(name, ParamKind::Scalar(DType::Int64)))
            .collect()
    }

    /// The index brought inside, and whether it was outside if that is reported.
    fn inside(
        &self,
        builder: &mut KernelBuilder,
        raw: ValueId,
        extent: ValueId,
    ) -> (ValueId, Option<ValueId>) {
        let kind = builder.dtype(raw).kind();
        let index = builder.convert(raw, DType::Int64);
        let zero = builder.int64(0);
        match self.bounds {
            Bounds::Wrap => (builder.binary(BinaryOp::Modulo, index, extent), None),
            Bounds::Clip => {
                let one = builder.int64(1);
                let last = builder.binary(BinaryOp::Subtract, extent, one);
                let below = builder.binary(BinaryOp::Minimum, index, last);
                (builder.binary(BinaryOp::Maximum, below, zero), None)
            }
            Bounds::Trusted | Bounds::Report => {
                // A large uint64 is negative now, and stays outside.
                let counted = if kind == Kind::Int {
                    let negative = builder.compare(CompareOp::Less, index, zero);
                    let from_end = builder.binary(BinaryOp::Add, index, extent);
                    builder.select(negative, from_end, index)
                } else {
                    index
                };
                if self.bounds == Bounds::Trusted {
                    return (counted, None);
                }
                let before = builder.compare(CompareOp::Less, counted, zero);
                let after = builder.compare(CompareOp::GreaterEqual, counted, extent);
                let outside = builder.binary(BinaryOp::BitOr, before, after);
                (builder.select(outside, zero, counted), Some(outside))
            }
        }
    }

    /// Where the item is on each axis of the space. Beyond three axes all but the last two are one
    /// axis of the kernel, whose index is taken apart.
    fn position(&self, builder: &mut KernelBuilder) -> SmallVec<[ValueId; 4]> {
        let global =
            |builder: &mut KernelBuilder, axis| builder.index(IndexFunction::GlobalId, axis);
        if self.rank <= 3 {
            return (0..self.rank).map(|axis| global(builder, axis)).collect();
        }
        let extents = self.scalars(builder, "space", self.rank.into());
        let outer = usize::from(self.rank) - 2;
        let mut rest = global(builder, 0);
        let mut position: SmallVec<[ValueId; 4]> = SmallVec::new();
        for axis in (1..outer).rev() {
            let extent = builder.scalar(extents[axis]);
            position.push(builder.binary(BinaryOp::Remainder, rest, extent));
            rest = builder.binary(BinaryOp::Quotient, rest, extent);
        }
        position.push(rest);
        position.reverse();
        position.extend([global(builder, 1), global(builder, 2)]);
        position
    }
}

fn array(builder: &mut KernelBuilder, name: &str, operand: Operand) -> ParamId {
    let kind = ParamKind::Array {
        dtype: operand.dtype,
        rank: operand.axes.count_ones() as u8,
        layout: operand.layout,
    };
    builder.param(name, kind)
}

fn place(param: ParamId, operand: Operand, position: &[ValueId]) -> Place {
    let own = position
        .iter()
        .enumerate()
        .filter(|(axis, _)| operand.axes >> axis & 1 != 0);
    Place::new(ArrayRef::Param(param), own.map(|(_, &value)| value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::verify;

    fn vector(dtype: DType) -> Operand {
        Operand {
            dtype,
            axes: 1,
            layout: Layout::Contiguous,
        }
    }

    #[test]
    fn every_kernel_is_a_valid_one() {
        let actions = [
            Action::Gather,
            Action::Scatter,
            Action::Update(AtomicOp::Add),
            Action::Locate,
            Action::Check,
        ];
        let all_bounds = [Bounds::Trusted, Bounds::Report, Bounds::Wrap, Bounds::Clip];
        for action in actions {
            for bounds in all_bounds {
                for rank in [1, 2, 5] {
                    let other = match action {
                        Action::Check => None,
                        Action::Locate => Some(vector(DType::Int64)),
                        _ => Some(vector(DType::UInt32)),
                    };
                    let kernel = Indexed {
                        action,
                        bounds,
                        rank,
                        data: (DType::UInt32, Layout::Strided),
                        reached: smallvec::smallvec![Via::Index(0), Via::Space(0), Via::Index(1)],
                        other,
                        indices: smallvec::smallvec![vector(DType::Int64), vector(DType::UInt8)],
                    };
                    assert_eq!(verify(&kernel.build()), vec![], "{kernel:?}");
                }
            }
        }
    }
}
