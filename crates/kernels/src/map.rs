//! Kernels that compute each element of an array from the elements of others at the same place.
//!
//! The index space has as many axes as are left after the caller joined what can be joined. An array
//! that is repeated along an axis does not have that axis: a kernel for `matrix + row` takes the row
//! as an array of rank 1. Spaces of more than three axes are for strided arrays only: all but the
//! last two axes are then one axis of the kernel, whose index is taken apart again for each item.

use crate::elementwise::Operation;
use colocate_ir::{
    ArrayRef, BinaryOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout, ParamId,
    ParamKind, Place, ValueId,
};
use smallvec::SmallVec;

/// An operand or the result of a map.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element {
    /// The same value everywhere.
    Scalar(DType),
    /// An element of an array.
    Array {
        /// Its dtype.
        dtype: DType,
        /// Which axes of the space it has: bit `n` stands for axis `n`.
        axes: u64,
        /// How its elements lie.
        layout: Layout,
    },
}

impl Element {
    fn dtype(self) -> DType {
        match self {
            Element::Scalar(dtype) | Element::Array { dtype, .. } => dtype,
        }
    }

    fn word(self) -> [u32; 2] {
        match self {
            Element::Scalar(dtype) => [dtype as u32, u32::MAX],
            Element::Array {
                dtype,
                axes,
                layout,
            } => {
                let strided = u32::from(layout == Layout::Strided) << 8;
                let high = (axes >> 31) as u32;
                [
                    dtype as u32 | strided | high << 9,
                    axes as u32 & 0x7fff_ffff,
                ]
            }
        }
    }
}

/// A kernel that computes one array. Its parameters are the result, the operands in order, and the mask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Map {
    /// What is computed; `None` passes on the only operand.
    pub operation: Option<Operation>,
    /// Axes of the space, at least 1.
    pub rank: u8,
    /// Where the result goes: an array that has all axes.
    pub result: Element,
    /// What it is computed from.
    pub operands: SmallVec<[Element; 3]>,
    /// The dtypes that the operation computes with.
    pub computes: SmallVec<[DType; 3]>,
    /// A bool array: elements where it is false are left as they are.
    pub mask: Option<Element>,
}

impl Map {
    /// What tells this kernel from others.
    pub fn words(&self) -> SmallVec<[u32; 16]> {
        let operation = self
            .operation
            .map_or(u32::MAX, |operation| operation as u32);
        let mut words = SmallVec::from_slice(&[
            operation,
            u32::from(self.rank) | u32::from(self.mask.is_some()) << 8,
        ]);
        words.extend(self.computes.iter().map(|&dtype| dtype as u32));
        let elements = [self.result]
            .into_iter()
            .chain(self.operands.iter().copied());
        for element in elements.chain(self.mask) {
            words.extend(element.word());
        }
        words
    }

    /// How many axes the index space of the kernel has.
    pub fn space_rank(rank: usize) -> usize {
        rank.clamp(1, 3)
    }

    /// The kernel.
    pub fn build(&self) -> Kernel {
        let name = self.operation.map_or("convert", Operation::name);
        let kind = KernelKind::Region { reductions: vec![] };
        let space_rank = Map::space_rank(self.rank.into()) as u8;
        let mut builder = KernelBuilder::new(name, space_rank, kind);
        let result = param(&mut builder, "result", self.result);
        let operands: SmallVec<[ParamId; 3]> = self
            .operands
            .iter()
            .enumerate()
            .map(|(number, &operand)| param(&mut builder, &format!("x{}", number + 1), operand))
            .collect();
        let mask = self
            .mask
            .map(|mask| (param(&mut builder, "mask", mask), mask));
        let index = self.index(&mut builder, result);
        if let Some((param, mask)) = mask {
            let stays = read(&mut builder, param, mask, &index);
            builder.begin_if(stays);
        }
        let mut values: SmallVec<[ValueId; 3]> = SmallVec::new();
        for (number, (&param, &operand)) in operands.iter().zip(&self.operands).enumerate() {
            let value = read(&mut builder, param, operand, &index);
            let wanted = self.computes.get(number).copied();
            values.push(builder.convert(value, wanted.unwrap_or(operand.dtype())));
        }
        let value = match self.operation {
            Some(operation) => operation.emit(&mut builder, &values),
            None => values[0],
        };
        let value = builder.convert(value, self.result.dtype());
        let place = place(result, self.result, &index);
        builder.store(place, value);
        if mask.is_some() {
            builder.end();
        }
        builder.finish()
    }

    /// The position on each axis of the space.
    fn index(&self, builder: &mut KernelBuilder, result: ParamId) -> SmallVec<[ValueId; 4]> {
        let global =
            |builder: &mut KernelBuilder, axis| builder.index(IndexFunction::GlobalId, axis);
        if self.rank <= 3 {
            return (0..self.rank).map(|axis| global(builder, axis)).collect();
        }
        let outer = self.rank - 2;
        let mut rest = global(builder, 0);
        let mut index: SmallVec<[ValueId; 4]> = SmallVec::new();
        for axis in (1..outer).rev() {
            let extent = builder.extent(ArrayRef::Param(result), axis);
            index.push(builder.binary(BinaryOp::Remainder, rest, extent));
            rest = builder.binary(BinaryOp::Quotient, rest, extent);
        }
        index.push(rest);
        index.reverse();
        index.push(global(builder, 1));
        index.push(global(builder, 2));
        index
    }
}

fn param(builder: &mut KernelBuilder, name: &str, element: Element) -> ParamId {
    let kind = match element {
        Element::Scalar(dtype) => ParamKind::Scalar(dtype),
        Element::Array {
            dtype,
            axes,
            layout,
        } => ParamKind::Array {
            dtype,
            rank: axes.count_ones() as u8,
            layout,
        },
    };
    builder.param(name, kind)
}

fn place(param: ParamId, element: Element, index: &[ValueId]) -> Place {
    let axes = match element {
        Element::Scalar(_) => 0,
        Element::Array { axes, .. } => axes,
    };
    let own = index
        .iter()
        .enumerate()
        .filter(|(axis, _)| axes >> axis & 1 != 0);
    Place::new(ArrayRef::Param(param), own.map(|(_, &value)| value))
}

fn read(
    builder: &mut KernelBuilder,
    param: ParamId,
    element: Element,
    index: &[ValueId],
) -> ValueId {
    match element {
        Element::Scalar(_) => builder.scalar(param),
        Element::Array { .. } => builder.load(place(param, element, index)),
    }
}
