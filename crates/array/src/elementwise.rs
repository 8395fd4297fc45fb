//! Elementwise operations on arrays: broadcasting, the result's memory, the kernel.

use crate::launch::{self, Arguments, KernelKey, launch};
use crate::space::Space;
use crate::{Array, Error, Result};
use colocate_dtype::{AxisOrder, DType, Dims, Strides, broadcast_shapes, order_of_result};
use colocate_ir::{Layout, Literal, Part};
use colocate_kernels::elementwise::{Operation, Signature};
use colocate_kernels::map::{Element, Map};
use colocate_runtime::{Access, Queue, UsmKind};
use smallvec::SmallVec;

/// What an operation computes from.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// Each element of an array.
    Array(&'a Array),
    /// The same value everywhere.
    Scalar(Literal),
}

impl<'a> Operand<'a> {
    /// Of the value or the elements.
    pub fn dtype(&self) -> DType {
        match self {
            Operand::Array(array) => array.dtype(),
            Operand::Scalar(value) => value.dtype(),
        }
    }

    /// The array, if it is one.
    pub fn array(&self) -> Option<&'a Array> {
        match self {
            Operand::Array(array) => Some(array),
            Operand::Scalar(_) => None,
        }
    }
}

/// An elementwise operation to be done. The arrays' queues have been found equivalent.
pub struct Call<'a> {
    /// `None` passes on the only operand, converted.
    pub operation: Option<Operation>,
    /// The dtypes that it computes with and gives.
    pub signature: &'a Signature,
    /// What it takes.
    pub operands: &'a [Operand<'a>],
    /// Elements where it is false are not computed.
    pub mask: Option<&'a Array>,
}

impl Call<'_> {
    fn arrays(&self) -> impl Iterator<Item = &Array> {
        let operands = self.operands.iter().filter_map(Operand::array);
        operands.chain(self.mask)
    }

    /// The shape that all operands are broadcast to.
    pub fn shape(&self) -> Result<Dims> {
        let mut shapes = self.arrays().map(Array::shape);
        let Some(first) = shapes.next() else {
            return Ok(Dims::new());
        };
        let mut shape = Dims::from_slice(first);
        for next in shapes {
            if next != &shape[..] {
                shape = broadcast_shapes(&shape, next)?;
            }
        }
        Ok(shape)
    }

    /// Computes into a new array on a queue.
    pub fn run(&self, queue: &Queue, kind: UsmKind) -> Result<Array> {
        if let Some(like) = self.plain() {
            let result = Array::empty_like(like, self.signature.result, kind, queue)?;
            self.submit_plain(&result)?;
            return Ok(result);
        }
        let shape = self.shape()?;
        let dtype = self.signature.result;
        let result = Array::empty_in_order(&shape, &self.order(&shape), dtype, kind, queue)?;
        self.submit(&result)?;
        Ok(result)
    }

    /// The first array, if all arrays have one shape and lie in C order without gaps: the most
    /// common case by far, for which nothing has to be worked out.
    fn plain(&self) -> Option<&Array> {
        if self.mask.is_some() {
            return None;
        }
        let mut arrays = self.operands.iter().filter_map(Operand::array);
        let first = arrays.next()?;
        let fits = |array: &Array| {
            array.shape() == first.shape()
                && array.layout().is_c_contiguous()
                && (array.pointer() as usize).is_multiple_of(array.dtype().alignment())
        };
        (fits(first) && arrays.all(fits)).then_some(first)
    }

    /// The dtype of the parts, if the operation does the same to real and imaginary parts: then it
    /// is done to twice as many floats, which come without being taken apart.
    fn part(&self) -> Option<DType> {
        let alike = matches!(
            self.operation,
            Some(Operation::Add | Operation::Subtract | Operation::Negative)
        );
        let dtype = self.signature.result;
        let fits = |operand: &Operand<'_>| operand.array().is_some() && operand.dtype() == dtype;
        (alike && self.operands.iter().all(fits))
            .then(|| Part::Real.of(dtype))
            .flatten()
    }

    /// Computes into an array of the same kind as the plain operands.
    fn submit_plain(&self, result: &Array) -> Result<()> {
        let part = self
            .part()
            .filter(|_| result.dtype() == self.signature.result);
        let size = result.size() * if part.is_some() { 2 } else { 1 };
        if size == 0 {
            return Ok(());
        }
        let seen = |dtype: DType| part.unwrap_or(dtype);
        let mut key = self.operation.map_or(0xff, |operation| operation as u64);
        key = key << 4 | seen(result.dtype()) as u64;
        let mut arguments = Arguments::new();
        arguments.contiguous(result, Access::Write, &[size]);
        for (operand, &computes) in self.operands.iter().zip(&self.signature.operands) {
            let is_scalar = u64::from(operand.array().is_none());
            let (given, computes) = (seen(operand.dtype()) as u64, seen(computes) as u64);
            key = key << 9 | given << 5 | computes << 1 | is_scalar;
            match operand {
                Operand::Array(array) => arguments.contiguous(array, Access::Read, &[size]),
                Operand::Scalar(value) => arguments.scalar(*value),
            }
        }
        let find = || {
            let map = self.plain_map(result.dtype(), seen);
            let key = KernelKey::new("map", &map.words());
            launch::kernel(result.queue(), &key, || map.build())
        };
        // SAFETY: the kernel is the one for these parameters, and items stay below the size.
        unsafe { launch::launch_plain(result.queue(), key, find, &arguments, size) }?;
        Ok(())
    }

    fn plain_map(&self, result: DType, seen: impl Fn(DType) -> DType) -> Map {
        let array = |dtype| Element::Array {
            dtype: seen(dtype),
            axes: 1,
            layout: Layout::Contiguous,
        };
        Map {
            operation: self.operation,
            rank: 1,
            result: array(result),
            operands: self
                .operands
                .iter()
                .map(|operand| match operand {
                    Operand::Array(one) => array(one.dtype()),
                    Operand::Scalar(value) => Element::Scalar(value.dtype()),
                })
                .collect(),
            computes: self
                .signature
                .operands
                .iter()
                .map(|&dtype| seen(dtype))
                .collect(),
            mask: None,
        }
    }

    /// How a result of this shape lies in memory: as the operands do.
    fn order(&self, shape: &[usize]) -> AxisOrder {
        let is_row_major = |array: &Array| array.layout().is_c_contiguous();
        if shape.len() < 2 || self.arrays().all(is_row_major) {
            return None;
        }
        let strides: SmallVec<[Strides; 4]> = self.arrays().map(|x| spread(x, shape)).collect();
        let strides: SmallVec<[&[isize]; 4]> = strides.iter().map(|one| &one[..]).collect();
        order_of_result(shape, &strides)
    }

    /// Computes into an array that is there already.
    pub fn run_into(&self, result: &Array) -> Result<()> {
        if !result.is_writable() {
            return Err(Error::ReadOnly);
        }
        let shape = self.shape()?;
        if &shape[..] != result.shape()
            && broadcast_shapes(&shape, result.shape())?[..] != *result.shape()
        {
            return Err(colocate_dtype::LayoutError::Broadcast {
                from: shape.to_vec(),
                to: result.shape().to_vec(),
            }
            .into());
        }
        // An operand that shares memory with the result may be overwritten before it is read, unless
        // each of its elements is where the result's is.
        let in_the_way = |array: &Array| {
            array.may_overlap(result)
                && !(array.pointer() == result.pointer()
                    && array.layout() == result.layout()
                    && array.dtype().itemsize() == result.dtype().itemsize())
        };
        if !self.arrays().any(in_the_way) {
            let is_plain = |like: &Array| {
                like.shape() == result.shape()
                    && result.layout().is_c_contiguous()
                    && (result.pointer() as usize).is_multiple_of(result.dtype().alignment())
            };
            return match self.plain() {
                Some(like) if is_plain(like) => self.submit_plain(result),
                _ => self.submit(result),
            };
        }
        let aside = |array: &Array| -> Result<Array> {
            if in_the_way(array) {
                array.copy_to(array.queue(), array.kind())
            } else {
                Ok(array.clone())
            }
        };
        let mut kept: SmallVec<[Option<Array>; 3]> = SmallVec::new();
        for operand in self.operands {
            kept.push(operand.array().map(aside).transpose()?);
        }
        let operands: SmallVec<[Operand<'_>; 3]> = kept
            .iter()
            .zip(self.operands)
            .map(|(kept, operand)| kept.as_ref().map_or(*operand, Operand::Array))
            .collect();
        let mask = self.mask.map(aside).transpose()?;
        let call = Call {
            operands: &operands,
            mask: mask.as_ref(),
            ..*self
        };
        call.submit(result)
    }

    fn submit(&self, result: &Array) -> Result<()> {
        if result.size() == 0 {
            return Ok(());
        }
        let shape = result.shape();
        let arrays: SmallVec<[&Array; 4]> = [result].into_iter().chain(self.arrays()).collect();
        let space = space_of(shape, &arrays);
        let element = |number: usize| element(arrays[number], &space, number);
        let mut next = 0;
        let mut map = Map {
            operation: self.operation,
            rank: space.rank() as u8,
            result: element(0),
            operands: SmallVec::new(),
            computes: self.signature.operands.clone(),
            mask: None,
        };
        for operand in self.operands {
            map.operands.push(match operand {
                Operand::Scalar(value) => Element::Scalar(value.dtype()),
                Operand::Array(_) => {
                    next += 1;
                    element(next)
                }
            });
        }
        map.mask = self.mask.map(|_| element(next + 1));
        let mut arguments = Arguments::new();
        argument(&mut arguments, result, Access::Write, map.result, &space, 0);
        let mut next = 0;
        for (operand, &element) in self.operands.iter().zip(&map.operands) {
            match operand {
                Operand::Scalar(value) => arguments.scalar(*value),
                Operand::Array(array) => {
                    next += 1;
                    argument(&mut arguments, array, Access::Read, element, &space, next);
                }
            }
        }
        if let (Some(mask), Some(element)) = (self.mask, map.mask) {
            argument(
                &mut arguments,
                mask,
                Access::Read,
                element,
                &space,
                next + 1,
            );
        }
        let key = KernelKey::new("map", &map.words());
        let mut global: SmallVec<[usize; 4]> = SmallVec::from_slice(&space.extents);
        if global.len() > 3 {
            let inner = global.len() - 2;
            let outer = global[..inner].iter().product();
            global.drain(1..inner);
            global[0] = outer;
        }
        // SAFETY: the kernel of this key was built for these parameters, and every item stays inside
        // the extents of the space, which are those of the arrays.
        unsafe {
            launch(
                result.queue(),
                &key,
                || map.build(),
                &arguments,
                &global,
                None,
            )
        }?;
        Ok(())
    }
}

/// The space of arrays of a shape; the first of them has it, the others are broadcast to it.
fn space_of(shape: &[usize], arrays: &[&Array]) -> Space {
    let flat = |array: &&Array| array.shape() == shape && array.layout().is_c_contiguous();
    if arrays.iter().all(flat) {
        return Space::flat(shape.iter().product(), arrays.len());
    }
    let strides: SmallVec<[Strides; 4]> = arrays.iter().map(|x| spread(x, shape)).collect();
    let strides: SmallVec<[&[isize]; 4]> = strides.iter().map(|one| &one[..]).collect();
    Space::new(shape, &strides)
}

/// The strides of an array that is broadcast to a shape.
fn spread(array: &Array, shape: &[usize]) -> Strides {
    let layout = array.layout().broadcast_to(shape);
    Strides::from_slice(layout.expect("the shape was made so").strides())
}

/// What a kernel is to know of an array.
fn element(array: &Array, space: &Space, number: usize) -> Element {
    let strides = &space.strides[number];
    let dtype = array.dtype();
    if space.rank() > 3 {
        return Element::Array {
            dtype,
            axes: u64::MAX >> (64 - space.rank()),
            layout: Layout::Strided,
        };
    }
    let own = strides
        .iter()
        .enumerate()
        .filter(|(_, stride)| **stride != 0);
    let axes = own.fold(0, |axes, (axis, _)| axes | 1 << axis);
    let aligned = (array.pointer() as usize).is_multiple_of(dtype.alignment());
    let layout = match aligned && space.is_contiguous(number) {
        true => Layout::Contiguous,
        false => Layout::Strided,
    };
    Element::Array {
        dtype,
        axes,
        layout,
    }
}

fn argument<'a>(
    arguments: &mut Arguments<'a>,
    array: &'a Array,
    access: Access,
    element: Element,
    space: &Space,
    number: usize,
) {
    let Element::Array { axes, layout, .. } = element else {
        unreachable!("an array is no scalar");
    };
    let own = |axis: &usize| axes >> axis & 1 != 0;
    let extents: Dims = (0..space.rank())
        .filter(own)
        .map(|axis| space.extents[axis])
        .collect();
    match layout {
        Layout::Contiguous => arguments.contiguous(array, access, &extents),
        Layout::Strided => {
            let strides = &space.strides[number];
            let strides: Strides = (0..space.rank())
                .filter(own)
                .map(|axis| strides[axis])
                .collect();
            arguments.strided(array, access, &extents, &strides);
        }
    }
}

/// Sets the elements of an array to those of another, broadcast and converted to its dtype.
pub fn convert_into(target: &Array, source: &Array) -> Result<()> {
    let signature = Signature {
        operands: smallvec::smallvec![source.dtype()],
        result: target.dtype(),
    };
    let call = Call {
        operation: None,
        signature: &signature,
        operands: &[Operand::Array(source)],
        mask: None,
    };
    call.run_into(target)
}

/// A new row-major array with the elements of another, converted to a dtype.
pub fn converted(source: &Array, dtype: DType, kind: UsmKind) -> Result<Array> {
    let result = Array::empty(source.shape(), dtype, kind, source.queue())?;
    convert_into(&result, source)?;
    Ok(result)
}
