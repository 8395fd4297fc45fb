//! New arrays: allocated, packed, or in another shape.

use crate::block::{Block, Origin};
use crate::calls::{State, Why};
use crate::executable::Call;
use crate::slot::{Place, Slot, is_packed, packed_strides};
use crate::words::Cursor;
use crate::{Error, Result};
use colocate_array::{Array, copy_elements};
use colocate_dtype::{DType, Dims, Layout};
use colocate_ir::LocalId;
use colocate_runtime::Access;
use std::rc::Rc;

/// Up to this many bytes are set and copied on the caller.
const FEW_BYTES: usize = 64 << 10;

impl State<'_> {
    pub(crate) fn allocate(
        &mut self,
        local: LocalId,
        zeros: bool,
        fortran: bool,
        words: &mut Cursor<'_>,
        results: &mut [u64],
    ) -> Result<()> {
        let facts = &self.executable.program().host.locals[local.index()];
        let (dtype, rank) = (facts.dtype, facts.rank as usize);
        let mut shape = Dims::new();
        for _ in 0..rank {
            let extent = usize::try_from(words.number()).map_err(|_| Error::NegativeExtent)?;
            shape.push(extent);
        }
        // A turn of a loop takes the memory of the turn before.
        if let Some(old) = &mut self.slots[local.index()]
            && old.shape == shape
            && old.block.shape.len() == rank
            && old.block.shape.iter().product::<usize>() == shape.iter().product::<usize>()
            && old.host.offset == 0
            && old.host.strides == packed_strides(&shape, dtype.itemsize(), fortran)
            && Rc::strong_count(&old.block) == 1
            && old.block.is_ours_alone()
        {
            old.block.begin_again(zeros);
            old.leaf = None;
            if zeros && old.block.is_same() {
                clear(old, self.call)?;
            }
            old.write_words(results);
            if let Some(report) = &mut self.report {
                report.reused += 1;
            }
            return Ok(());
        }
        self.slots[local.index()] = None;
        let slot = self.new_array(dtype, &shape, zeros, fortran)?;
        slot.write_words(results);
        self.set(local, slot);
        Ok(())
    }

    /// A new array with nothing in it, or zeros.
    pub(crate) fn new_array(
        &mut self,
        dtype: DType,
        shape: &Dims,
        zeros: bool,
        fortran: bool,
    ) -> Result<Slot> {
        // In memory column-major elements are row-major ones of the reversed shape.
        let mut memory = shape.clone();
        if fortran {
            memory.reverse();
        }
        let call = self.call;
        let reached = call.unified || call.queue.context().host_can_access(call.kind);
        let block = match reached {
            true => {
                let array = Array::empty(&memory, dtype, call.kind, call.queue)?;
                if call.unified {
                    array.usm().wait_for(Access::Write)?;
                }
                Block::of_array(array, Origin::Own)
            }
            false => {
                Layout::contiguous(&memory, dtype.itemsize())?;
                Block::unmade(dtype, memory, zeros)
            }
        };
        let strides = packed_strides(shape, dtype.itemsize(), fortran);
        let place = Place { offset: 0, strides };
        let slot = Slot {
            device: (!block.is_same()).then(|| place.clone()),
            block: Rc::new(block),
            dtype,
            shape: shape.clone(),
            host: place,
            leaf: None,
            writable: true,
        };
        if reached && zeros {
            clear(&slot, call)?;
        }
        if let Some(report) = &mut self.report {
            report.allocations += 1;
            report.allocated_bytes += slot.size() * dtype.itemsize();
        }
        Ok(slot)
    }

    /// Random numbers for an array that was just made.
    pub(crate) fn fill_random(&mut self, local: LocalId, words: &mut Cursor<'_>) -> Result<()> {
        let [low, span] = [words.next(), words.next()].map(f64::from_bits);
        let slot = self.slot(local)?;
        let block = slot.block.clone();
        block.to_host()?;
        let (pointer, size) = (slot.host_pointer(), slot.size());
        if size == 0 {
            return Ok(());
        }
        // SAFETY: memory of our own for as many float64, side by side, which nothing else uses now.
        let memory = unsafe { std::slice::from_raw_parts_mut(pointer.cast(), size) };
        self.callbacks.fill_random(memory, low, span)?;
        block.changed_on_host();
        Ok(())
    }

    /// The elements in another shape.
    pub(crate) fn reshape(
        &mut self,
        from: LocalId,
        packed: bool,
        to: LocalId,
        words: &mut Cursor<'_>,
    ) -> Result<Slot> {
        let facts = &self.executable.program().host.locals[to.index()];
        let slot = self.slot(from)?.clone();
        let asked: Vec<i64> = (0..facts.rank).map(|_| words.number()).collect();
        let shape = resolve(&asked, slot.size())?;
        let itemsize = slot.dtype.itemsize();
        let apart = packed && !is_packed(&slot.shape, &slot.host.strides, itemsize);
        if let Some(view) = slot.reshaped(&shape)
            && !apart
        {
            return Ok(view);
        }
        let copy = self.packed(&slot, from, false)?;
        copy.reshaped(&shape)
            .ok_or_else(|| Error::Internal("packed elements have no other shape".into()))
    }

    /// An array of one axis with another extent, and the same first elements.
    pub(crate) fn grow(&mut self, local: LocalId, extent: i64) -> Result<Slot> {
        let old = self.slot(local)?.clone();
        let extent = usize::try_from(extent).map_err(|_| Error::NegativeExtent)?;
        let new = self.new_array(old.dtype, &Dims::from_slice(&[extent]), false, false)?;
        let kept = old.shape.first().copied().unwrap_or(0).min(extent);
        if kept == 0 {
            return Ok(new);
        }
        let first = |slot: &Slot| Slot {
            shape: Dims::from_slice(&[kept]),
            ..slot.clone()
        };
        if self.call.unified || old.block.is_valid_on_host() {
            old.block.to_host()?;
            new.block.to_host()?;
            copy_on_host(&first(&old), &first(&new));
            new.block.changed_on_host();
            return Ok(new);
        }
        let source = self.device_array(&first(&old), local, Why::HostReads)?;
        let target = self.device_array(&first(&new), local, Why::HostWrites)?;
        target.assign(&source)?;
        new.block.changed_on_device();
        Ok(new)
    }

    /// A packed copy; where there are two sides, on the device or where the elements are.
    pub(crate) fn packed(&mut self, slot: &Slot, local: LocalId, on_device: bool) -> Result<Slot> {
        let copy = self.new_array(slot.dtype, &slot.shape, false, false)?;
        if slot.size() == 0 || self.call.unified && self.copied_on_host(slot, &copy) {
            return Ok(copy);
        }
        if !self.call.unified && !on_device && slot.block.is_valid_on_host() {
            slot.block.to_host()?;
            copy.block.to_host()?;
            copy_on_host(slot, &copy);
            copy.block.changed_on_host();
            return Ok(copy);
        }
        let source = self.device_array(slot, local, Why::HostReads)?;
        let target = self.device_array(&copy, local, Why::HostWrites)?;
        target.assign(&source)?;
        copy.block.changed_on_device();
        if self.call.unified {
            target.usm().wait_for(Access::Write)?;
        }
        Ok(copy)
    }

    /// Copies elements here if they are few, or no array of the library has them; both sides are
    /// memory that the host reaches, and apart.
    pub(crate) fn copied_on_host(&self, from: &Slot, to: &Slot) -> bool {
        let item = from.dtype.itemsize() as isize;
        let odd = |slot: &Slot| {
            slot.host_pointer() as isize % item != 0
                || slot.host.strides.iter().any(|stride| stride % item != 0)
        };
        let few = from.size() * from.dtype.itemsize() <= FEW_BYTES;
        if !few && !odd(from) && !odd(to) {
            return false;
        }
        copy_on_host(from, to);
        true
    }
}

/// Copies elements between arrays that are apart, and both valid on the host.
pub(crate) fn copy_on_host(from: &Slot, to: &Slot) {
    // SAFETY: two arrays of one shape and dtype, in memory that the host reaches.
    unsafe {
        copy_elements(
            &from.shape,
            from.dtype.itemsize(),
            (to.host_pointer(), &to.host.strides),
            (from.host_pointer(), &from.host.strides),
        );
    }
}

/// Sets memory that the host reaches to zeros.
fn clear(slot: &Slot, call: &Call<'_>) -> Result<()> {
    let bytes = slot.size() * slot.dtype.itemsize();
    if bytes == 0 {
        return Ok(());
    }
    if bytes <= FEW_BYTES || !call.unified {
        slot.block.to_host()?;
        // SAFETY: memory of our own of that many bytes, which nothing else uses now.
        unsafe { slot.host_pointer().write_bytes(0, bytes) };
        return Ok(());
    }
    if let Some(usm) = slot.block.usm() {
        let first = slot.host_pointer() as usize - usm.pointer() as usize;
        call.queue.fill(usm, first, &[0], bytes)?;
        usm.wait_for(Access::Write)?;
    }
    Ok(())
}

/// The shape that is meant if one extent may be -1.
fn resolve(asked: &[i64], size: usize) -> Result<Dims> {
    let refuse = || {
        let shown: Vec<String> = asked.iter().map(i64::to_string).collect();
        let shape = match &shown[..] {
            [one] => format!("({one},)"),
            several => format!("({})", several.join(",")),
        };
        Error::Reshape { size, shape }
    };
    let mut known = asked.iter().filter(|&&extent| extent >= 0);
    let known = known.try_fold(1usize, |all, &extent| all.checked_mul(extent as usize));
    let known = known.ok_or_else(refuse)?;
    let unknown = asked.iter().filter(|&&extent| extent < 0).count();
    let rest = match unknown {
        0 => 0,
        1 if known > 0 && size.is_multiple_of(known) => size / known,
        _ => return Err(refuse()),
    };
    let shape: Dims = asked
        .iter()
        .map(|&extent| if extent < 0 { rest } else { extent as usize })
        .collect();
    if shape.iter().product::<usize>() != size {
        return Err(refuse());
    }
    Ok(shape)
}
