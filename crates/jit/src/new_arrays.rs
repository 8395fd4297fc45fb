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

/// Room that a new list has at least.
const LEAST_ROOM: usize = 8;

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

    /// An array for the items of a list. Lists come and go more often than arrays, and few of them go to a device: so they
    /// lie in plain memory of the host.
    pub(crate) fn room(&mut self, local: LocalId, count: i64, results: &mut [u64]) -> Result<()> {
        let dtype = self.executable.program().host.locals[local.index()].dtype;
        let count = usize::try_from(count).map_err(|_| Error::NegativeExtent)?;
        if let Some(old) = &mut self.slots[local.index()]
            && old.shape.first().is_some_and(|&room| room >= count)
            && Rc::strong_count(&old.block) == 1
            && old.block.is_ours_alone()
        {
            old.block.begin_again(false);
            old.leaf = None;
            old.write_words(results);
            if let Some(report) = &mut self.report {
                report.reused += 1;
            }
            return Ok(());
        }
        self.slots[local.index()] = None;
        let slot = self.list_room(dtype, count)?;
        slot.write_words(results);
        self.set(local, slot);
        Ok(())
    }

    /// Memory for so many items of a list, or a few more.
    pub(crate) fn list_room(&mut self, dtype: DType, count: usize) -> Result<Slot> {
        let shape = Dims::from_slice(&[count.max(LEAST_ROOM)]);
        let block = match self.call.unified {
            true => {
                Layout::contiguous(&shape, dtype.itemsize())?;
                Block::on_host(dtype, shape.clone()).ok()
            }
            false => None,
        };
        let Some(block) = block else {
            // Which says what is wrong, if there is no memory.
            return self.new_array(dtype, &shape, false, false);
        };
        if let Some(report) = &mut self.report {
            report.allocations += 1;
            report.allocated_bytes += shape[0] * dtype.itemsize();
        }
        Ok(Slot::whole(Rc::new(block), None, true))
    }

    /// Puts numbers in the place of others: the array with as much room as it needs then.
    pub(crate) fn splice_numbers(
        &mut self,
        local: LocalId,
        from: LocalId,
        [length, start, stop, more]: [i64; 4],
        results: &mut [u64],
    ) -> Result<()> {
        let place = |number: i64| {
            let wrong = |_| Error::Internal("a list is spliced outside of it".into());
            usize::try_from(number).map_err(wrong)
        };
        let (length, more) = (place(length)?, place(more)?);
        let (start, stop) = (place(start)?, place(stop)?);
        let (old, new) = (self.slot(local)?, self.slot(from)?);
        let room = |slot: &Slot| slot.shape.first().copied().unwrap_or(0);
        if start > stop || stop > length || length > room(old) || more > room(new) {
            return Err(Error::Internal("a list is spliced outside of it".into()));
        }
        let (dtype, size) = (old.dtype, old.dtype.itemsize());
        let after = length - (stop - start) + more;
        for slot in [old, new] {
            slot.block.to_host()?;
        }
        let (was, with) = (old.host_pointer(), new.host_pointer());
        let grown = match after > room(old) {
            true => Some(self.list_room(dtype, after + after / 2)?),
            false => None,
        };
        let into = match &grown {
            Some(into) => into,
            None => self.slot(local)?,
        };
        into.block.to_host()?;
        let to = into.host_pointer();
        let at = |pointer: *mut u8, count: usize| pointer.wrapping_add(count * size);
        // SAFETY: the positions are inside of arrays without gaps, valid on the host. What is put in lies apart.
        unsafe {
            if to != was {
                to.copy_from_nonoverlapping(was, start * size);
            }
            at(to, start + more).copy_from(at(was, stop), (length - stop) * size);
            at(to, start).copy_from(with, more * size);
        }
        into.block.changed_on_host();
        into.write_words(results);
        if let Some(grown) = grown {
            self.set(local, grown);
        }
        Ok(())
    }

    /// Puts the first elements of an array of one axis in order.
    pub(crate) fn sort_list(&mut self, local: LocalId, count: i64, descending: bool) -> Result<()> {
        let slot = self.slot(local)?;
        slot.block.to_host()?;
        let room = slot.shape.first().copied().unwrap_or(0);
        let count = (count.max(0) as usize).min(room);
        // SAFETY: the elements of a list lie side by side, on the host now, and the host part waits for this call.
        let known = unsafe {
            crate::number_order::sort(slot.host_pointer(), count, slot.dtype, descending)
        };
        slot.block.changed_on_host();
        match known {
            true => Ok(()),
            false => Err(Error::Internal(
                "numbers without an order are sorted".into(),
            )),
        }
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
        let new = self.list_room(old.dtype, extent)?;
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
