//! Launches of the kernels that reach elements by index arrays.
//!
//! A launch is brought into the form that `colocate_kernels::indexed` has a kernel for: as few axes as
//! possible, elements as plain bits, and contiguous arrays told from others.

use crate::launch::{Arguments, KernelKey, launch};
use crate::space::Space;
use crate::{Array, Result};
use colocate_dtype::{DType, Dims, Strides};
use colocate_ir::Layout;
use colocate_kernels::indexed::{Action, Bounds, Indexed, Operand, Via};
use colocate_runtime::{Access, UsmKind};
use smallvec::SmallVec;

/// An index array along the axes of an index space, and what it reaches.
pub(crate) struct Reached<'a> {
    /// The indices.
    pub array: &'a Array,
    /// Along the axes of the space.
    pub strides: Strides,
    /// Of the data, along the axis that the indices are for.
    pub extent: usize,
    /// Likewise.
    pub stride: isize,
}

/// A launch to be made: an index space, the data with its strides along it, the index arrays.
pub(crate) struct Job<'a> {
    /// The extents of the space.
    pub shape: Dims,
    /// What is indexed.
    pub data: &'a Array,
    /// Along the axes of the space; 0 along those that indices reach.
    pub data_strides: Strides,
    /// The index arrays.
    pub reached: SmallVec<[Reached<'a>; 2]>,
}

/// The type that elements of a size are moved as.
pub(crate) fn bits_of(dtype: DType) -> DType {
    match dtype.itemsize() {
        1 => DType::UInt8,
        2 => DType::UInt16,
        4 => DType::UInt32,
        8 => DType::UInt64,
        _ => DType::Complex128,
    }
}

pub(crate) fn as_bits(array: &Array) -> Array {
    array.recast(array.layout().clone(), bits_of(array.dtype()))
}

pub(crate) fn is_aligned(array: &Array) -> bool {
    (array.pointer() as usize).is_multiple_of(array.dtype().alignment())
}

/// What each axis of the data follows, its extent and its stride.
type DataAxes = SmallVec<[(Via, usize, isize); 4]>;

impl Job<'_> {
    /// Submits the kernel. `other` has the shape of the space, by strides of zero if need be.
    pub fn submit(
        &self,
        action: Action,
        bounds: Bounds,
        other: Option<&Array>,
        flag: Option<&Array>,
    ) -> Result<()> {
        let unused = Strides::from_elem(0, self.shape.len());
        let mut strides: SmallVec<[&[isize]; 4]> = SmallVec::new();
        strides.push(other.map_or(&unused[..], |other| other.layout().strides()));
        strides.push(&self.data_strides);
        strides.extend(self.reached.iter().map(|one| &one.strides[..]));
        let space = Space::new(&self.shape, &strides);
        let operand = |array: &Array, number: usize| {
            let own = space.strides[number].iter().enumerate();
            let own = own.filter(|(_, stride)| **stride != 0);
            let contiguous = is_aligned(array) && space.is_contiguous(number);
            Operand {
                dtype: array.dtype(),
                axes: own.fold(0, |axes, (axis, _)| axes | 1 << axis),
                layout: match contiguous {
                    true => Layout::Contiguous,
                    false => Layout::Strided,
                },
            }
        };
        let (axes, data_layout) = self.data_axes(&space);
        let kernel = Indexed {
            action,
            bounds,
            rank: space.rank() as u8,
            data: (self.data.dtype(), data_layout),
            reached: axes.iter().map(|axis| axis.0).collect(),
            other: other.map(|array| operand(array, 0)),
            indices: self
                .reached
                .iter()
                .enumerate()
                .map(|(number, one)| operand(one.array, number + 2))
                .collect(),
        };

        let mut arguments = Arguments::new();
        let extents: Dims = axes.iter().map(|axis| axis.1).collect();
        let data_strides: Strides = axes.iter().map(|axis| axis.2).collect();
        let data_access = match action {
            Action::Gather => Access::Read,
            _ => Access::Write,
        };
        if kernel.takes_data() {
            match data_layout {
                Layout::Contiguous => arguments.contiguous(self.data, data_access, &extents),
                Layout::Strided => {
                    arguments.strided(self.data, data_access, &extents, &data_strides);
                }
            }
        }
        if let (Some(array), Some(operand)) = (other, kernel.other) {
            let access = match action {
                Action::Gather | Action::Locate => Access::Write,
                _ => Access::Read,
            };
            argument(&mut arguments, array, access, operand, &space, 0);
        }
        for (number, (one, &operand)) in self.reached.iter().zip(&kernel.indices).enumerate() {
            let access = Access::Read;
            argument(
                &mut arguments,
                one.array,
                access,
                operand,
                &space,
                number + 2,
            );
        }
        for one in &self.reached {
            arguments.int64(one.extent as i64);
        }
        if action == Action::Locate {
            for one in &self.reached {
                arguments.int64(one.stride as i64);
            }
        }
        if space.rank() > 3 {
            for &extent in &space.extents {
                arguments.int64(extent as i64);
            }
        }
        if let Some(flag) = flag {
            arguments.contiguous(flag, Access::Write, &[1]);
        }
        let mut global = space.extents.clone();
        if global.len() > 3 {
            let inner = global.len() - 2;
            let outer = global[..inner].iter().product();
            global.drain(1..inner);
            global[0] = outer;
        }
        let key = KernelKey::new("indexed", &kernel.words());
        let queue = self.data.queue();
        // SAFETY: the kernel of this key was built for these parameters. Items stay inside the
        // extents of the space, and the kernel keeps indices inside the extents of the data.
        unsafe { launch(queue, &key, || kernel.build(), &arguments, &global, None) }?;
        Ok(())
    }

    /// The data's axes, those with the most distant neighbours first, and how it lies.
    fn data_axes(&self, space: &Space) -> (DataAxes, Layout) {
        let mut axes = DataAxes::new();
        for (axis, (&extent, &stride)) in space.extents.iter().zip(&space.strides[1]).enumerate() {
            if stride != 0 {
                axes.push((Via::Space(axis as u8), extent, stride));
            }
        }
        for (number, one) in self.reached.iter().enumerate() {
            axes.push((Via::Index(number as u8), one.extent, one.stride));
        }
        axes.sort_by_key(|axis| std::cmp::Reverse(axis.2.unsigned_abs()));
        let mut step = 1;
        let mut contiguous = is_aligned(self.data);
        for &(_, extent, stride) in axes.iter().rev() {
            contiguous &= stride == step;
            step = stride.saturating_mul(extent as isize);
        }
        let layout = match contiguous {
            true => Layout::Contiguous,
            false => Layout::Strided,
        };
        (axes, layout)
    }
}

pub(crate) fn argument<'a>(
    arguments: &mut Arguments<'a>,
    array: &'a Array,
    access: Access,
    operand: Operand,
    space: &Space,
    number: usize,
) {
    let own = |axis: &usize| operand.axes >> axis & 1 != 0;
    let axes = || (0..space.rank()).filter(own);
    let extents: Dims = axes().map(|axis| space.extents[axis]).collect();
    match operand.layout {
        Layout::Contiguous => arguments.contiguous(array, access, &extents),
        Layout::Strided => {
            let strides: Strides = axes().map(|axis| space.strides[number][axis]).collect();
            arguments.strided(array, access, &extents, &strides);
        }
    }
}

/// A flag that a kernel sets if it meets an index out of bounds.
pub(crate) fn new_flag(array: &Array) -> Result<Array> {
    let clear = 0i32.to_ne_bytes();
    Array::full(&[1], DType::Int32, UsmKind::Host, array.queue(), &clear)
}

pub(crate) fn is_set(flag: &Array) -> Result<bool> {
    let mut found = 0i32;
    // SAFETY: the flag has one int32.
    unsafe { flag.read_into((&raw mut found).cast()) }?;
    Ok(found != 0)
}
