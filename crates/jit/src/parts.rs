//! Loops whose turns change common elements, run in parts that each add up in arrays of their own.

use crate::calls::State;
use crate::executable::Variant;
use crate::launch::{Cells, Side, argument_block, extent_of, push_array};
use crate::overlap::Extent;
use crate::{Error, Result};
use colocate_dtype::DType;
use colocate_frontend::program::{Region, RegionParameter};
use colocate_ir::AtomicOp;
use colocate_ir::in_parts::InParts;
use colocate_runtime::Geometry;
use smallvec::SmallVec;

/// Fewer turns than this are done before there are parts.
const FEWEST_TURNS: usize = 20_000;
/// How many turns there must be for each element of the parts' own arrays.
const TURNS_AN_ELEMENT: usize = 4;
/// Threads that are done with a part help with the others.
const PARTS_A_THREAD: usize = 2;

impl State<'_> {
    /// Runs a region in parts and waits for it; false if it is better run as it is.
    pub(crate) fn submit_in_parts(
        &mut self,
        (number, variant): (usize, Variant),
        scalars: &[[u64; 2]],
        cells: &mut Cells,
        turns: usize,
    ) -> Result<bool> {
        let executable = self.executable;
        let region = &executable.program().regions[number];
        if !self.call.unified || !region.is_loop || turns < FEWEST_TURNS {
            return Ok(false);
        }
        let Some(plan) = executable.parts_of(number, variant) else {
            return Ok(false);
        };
        let queue = self.call.queue;
        let threads = queue.device().info().max_compute_units.max(1) as usize;
        let parts = threads.saturating_mul(PARTS_A_THREAD);
        let mut elements = 0usize;
        for (param, _) in &plan.private {
            elements = elements.saturating_add(self.array_of(region, param.index())?.0);
        }
        let needed = elements
            .saturating_mul(parts)
            .saturating_mul(TURNS_AN_ELEMENT);
        if needed > turns || self.are_looked_at(region, plan)? {
            return Ok(false);
        }
        // Elements are of at most eight bytes. Arrays of the parts lie one behind the other.
        let mut room: Vec<u64> = Vec::new();
        if room.try_reserve_exact(elements * parts).is_err() {
            return Ok(false);
        }
        let mut own: SmallVec<[usize; 4]> = SmallVec::new();
        for (param, _) in &plan.private {
            let (count, dtype, _) = self.array_of(region, param.index())?;
            own.push(room.len());
            room.resize(room.len() + parts * count, neutral(dtype));
        }
        let mut block = argument_block(region, scalars, cells, |block, position, local| {
            let extent = extent_of(self.slot(local)?, &Side::Device);
            let mut private = plan.private.iter();
            match private.position(|(param, _)| param.index() == position) {
                Some(number) => {
                    block.extend([&raw const room[own[number]] as u64, parts as u64]);
                    block.extend(extent.shape.iter().map(|&extent| extent as u64));
                    Ok(())
                }
                None => push_array(block, &plan.kernel.params[position], &extent),
            }
        })?;
        block.push(turns as u64);
        let space = Geometry {
            rank: 1,
            global: [parts, 1, 1],
            local: None,
        };
        let ready = self.ready.get_or_init(|| executable.ready(queue));
        let kernel = executable.parts_kernel(ready, number, variant, plan)?;
        // SAFETY: the block has the kernel's parameters in order; their memory is the caller's or
        // ours, and stays until the wait. The front end keeps accesses inside.
        let event = unsafe { queue.launch(kernel, &block, &space, &[], &[]) }?;
        event.wait()?;
        for ((param, op), begin) in plan.private.iter().zip(own) {
            let (_, dtype, extent) = self.array_of(region, param.index())?;
            // SAFETY: the array is valid for the call, and nothing runs now; the room has as many
            // elements for each part as it has.
            unsafe { combine(*op, dtype, &extent, room[begin..].as_ptr(), parts)? };
        }
        self.note_changes(region, &Side::Device)?;
        Ok(true)
    }

    /// Whether an array that parts would have copies of shares elements with another one of the region.
    fn are_looked_at(&self, region: &Region, plan: &InParts) -> Result<bool> {
        for (param, _) in &plan.private {
            let (_, _, own) = self.array_of(region, param.index())?;
            for (position, parameter) in region.parameters.iter().enumerate() {
                let is_array = matches!(parameter, RegionParameter::Array { .. });
                if is_array
                    && position != param.index()
                    && self.array_of(region, position)?.2.meets(&own)
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// An array parameter: how many elements it has, of what, and where.
    fn array_of(&self, region: &Region, position: usize) -> Result<(usize, DType, Extent<'_>)> {
        let RegionParameter::Array { local, .. } = &region.parameters[position] else {
            return Err(Error::Internal("a number has no elements".into()));
        };
        let slot = self.slot(*local)?;
        let extent = extent_of(slot, &Side::Device);
        Ok((slot.size(), slot.dtype, extent))
    }
}

/// A word of zeros to which adding changes nothing: those of floats are negative.
fn neutral(dtype: DType) -> u64 {
    match dtype {
        DType::Float32 => 0x8000_0000_8000_0000,
        DType::Float64 => 0x8000_0000_0000_0000,
        _ => 0,
    }
}

/// Combines an array with the copies of all parts.
///
/// # Safety
/// The array's elements are valid and used by nobody else; there are as many for each part at `from`.
unsafe fn combine(
    op: AtomicOp,
    dtype: DType,
    to: &Extent<'_>,
    from: *const u64,
    parts: usize,
) -> Result<()> {
    macro_rules! each {
        ($kind:ty, $change:expr) => {
            // SAFETY: the caller's word; the elements are of this type.
            unsafe { fold::<$kind>(to, from.cast(), parts, $change) }
        };
    }
    match (op, dtype) {
        (AtomicOp::Add, DType::Float32) => each!(f32, |a, b| a + b),
        (AtomicOp::Add, DType::Float64) => each!(f64, |a, b| a + b),
        (AtomicOp::Add, DType::Int32 | DType::UInt32) => each!(u32, u32::wrapping_add),
        (AtomicOp::Add, DType::Int64 | DType::UInt64) => each!(u64, u64::wrapping_add),
        (AtomicOp::BitOr, DType::Int32 | DType::UInt32) => each!(u32, |a, b| a | b),
        (AtomicOp::BitOr, DType::Int64 | DType::UInt64) => each!(u64, |a, b| a | b),
        (AtomicOp::BitXor, DType::Int32 | DType::UInt32) => each!(u32, |a, b| a ^ b),
        (AtomicOp::BitXor, DType::Int64 | DType::UInt64) => each!(u64, |a, b| a ^ b),
        _ => {
            let text = format!("parts of {dtype} cannot be combined by {}", op.name());
            return Err(Error::Internal(text));
        }
    }
    Ok(())
}

/// # Safety
/// As for [`combine`].
unsafe fn fold<T: Copy>(to: &Extent<'_>, from: *const T, parts: usize, change: impl Fn(T, T) -> T) {
    let size: usize = to.shape.iter().product();
    let mut index = vec![0usize; to.shape.len()];
    for number in 0..size {
        let steps = index.iter().zip(to.strides);
        let offset: isize = steps.map(|(&at, &stride)| at as isize * stride).sum();
        let place = to.pointer.wrapping_offset(offset).cast::<T>();
        // SAFETY: the caller's word; arrays of the program may have any alignment.
        unsafe {
            let mut value = place.read_unaligned();
            for part in 0..parts {
                value = change(value, *from.add(part * size + number));
            }
            place.write_unaligned(value);
        }
        for (at, &extent) in index.iter_mut().zip(to.shape).rev() {
            *at += 1;
            if *at < extent {
                break;
            }
            *at = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_added_in_any_layout() {
        let mut array = [1u64, 2, 3, 4, 5, 6];
        let copies: Vec<u64> = (10..16).collect();
        let to = Extent {
            pointer: (&raw mut array[5]).cast(),
            shape: &[3],
            strides: &[-16],
            itemsize: 8,
        };
        // SAFETY: three elements, every other one from the end; two parts.
        unsafe { combine(AtomicOp::Add, DType::Int64, &to, copies.as_ptr(), 2) }.expect("it adds");
        assert_eq!(array, [1, 2 + 12 + 15, 3, 4 + 11 + 14, 5, 6 + 10 + 13]);
    }
}
