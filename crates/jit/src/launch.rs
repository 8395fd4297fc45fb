//! Running regions.
//!
//! NumPy's semantics are those of a right side that is computed before anything is written. So an array
//! that a region reads and that shares elements with one that it writes is set aside first, unless both
//! are the same view and each item reaches only its own element of it. A loop of the program is
//! different: it means its memory as it is.

use crate::calls::{State, Why};
use crate::cost_model::{MOST_ITEMS, Rates, Work, saw_launch, stays};
use crate::executable::{HostRegion, Variant};
use crate::new_arrays::copy_on_host;
use crate::overlap::Extent;
use crate::report::Launched;
use crate::slot::{Slot, is_packed};
use crate::words::{Cursor, push_slots, scalar_bytes, word_of_bytes};
use crate::{Error, Result};
use colocate_array::Array;
use colocate_dtype::DType;
use colocate_frontend::program::{Region, RegionParameter, Usual};
use colocate_ir::{Layout, LocalId, Param, ParamKind};
use colocate_runtime::{Access, Geometry, Use, UsmKind};
use colocate_trace as trace;
use smallvec::SmallVec;
use std::time::Instant;

/// An array that takes the place of a parameter's own.
struct Stand {
    parameter: usize,
    slot: Slot,
    /// The array that it is copied to afterwards.
    target: Option<LocalId>,
}

/// Where the reductions of a launch end.
pub(crate) struct Cells {
    words: SmallVec<[u64; 8]>,
    /// On devices that do not reach our own memory.
    array: Option<Array>,
}

impl Cells {
    pub(crate) fn address(&mut self, number: usize) -> u64 {
        match &self.array {
            Some(array) => array.pointer() as u64 + 8 * number as u64,
            None => &raw mut self.words[number] as u64,
        }
    }
}

/// Where a region runs.
pub(crate) enum Side {
    Device,
    Host(HostRegion),
}

impl Side {
    fn is_host(&self) -> bool {
        matches!(self, Side::Host(_))
    }
}

pub(crate) fn extent_of<'a>(slot: &'a Slot, side: &Side) -> Extent<'a> {
    let (place, first) = match side {
        Side::Device => (slot.device_place(), slot.block.device_pointer()),
        Side::Host(_) => (&slot.host, slot.block.host_pointer()),
    };
    Extent {
        pointer: first.wrapping_offset(place.offset),
        shape: &slot.shape,
        strides: &place.strides,
        itemsize: slot.dtype.itemsize(),
    }
}

/// The words of an array parameter.
pub(crate) fn push_array(
    block: &mut SmallVec<[u64; 32]>,
    param: &Param,
    extent: &Extent<'_>,
) -> Result<()> {
    block.push(extent.pointer as u64);
    block.extend(extent.shape.iter().map(|&extent| extent as u64));
    match param.kind {
        ParamKind::Array {
            layout: Layout::Strided,
            ..
        } => block.extend(extent.strides.iter().map(|&stride| stride as u64)),
        _ if !is_packed(extent.shape, extent.strides, extent.itemsize) => {
            let text = format!("the array {} of a region has gaps", param.name);
            return Err(Error::Internal(text));
        }
        _ => {}
    }
    Ok(())
}

/// The words of a region's parameters in order; `array` writes those of arrays, given their position.
pub(crate) fn argument_block(
    region: &Region,
    scalars: &[[u64; 2]],
    cells: &mut Cells,
    mut array: impl FnMut(&mut SmallVec<[u64; 32]>, usize, LocalId) -> Result<()>,
) -> Result<SmallVec<[u64; 32]>> {
    let mut block = SmallVec::new();
    let (mut next_scalar, mut next_cell) = (0, 0);
    for (position, parameter) in region.parameters.iter().enumerate() {
        match parameter {
            RegionParameter::Scalar(dtype) => {
                push_slots(&mut block, *dtype, scalars[next_scalar]);
                next_scalar += 1;
            }
            RegionParameter::Reduction(_) => {
                block.push(cells.address(next_cell));
                next_cell += 1;
            }
            RegionParameter::Array { local, .. } => array(&mut block, position, *local)?,
        }
    }
    Ok(block)
}

impl State<'_> {
    pub(crate) fn launch(
        &mut self,
        number: usize,
        words: &mut Cursor<'_>,
        results: &mut [u64],
    ) -> Result<()> {
        let executable = self.executable;
        let region = &executable.program().regions[number];
        let rank = region.kernel.rank as usize;
        let mut extents = [1usize; 3];
        for extent in extents.iter_mut().take(rank) {
            *extent = usize::try_from(words.number()).unwrap_or(0);
        }
        let mut scalars: SmallVec<[[u64; 2]; 8]> = SmallVec::new();
        let mut starts: SmallVec<[(DType, u64); 4]> = SmallVec::new();
        for parameter in &region.parameters {
            match parameter {
                RegionParameter::Array { .. } => {}
                RegionParameter::Scalar(dtype) => scalars.push(words.scalar(*dtype)),
                RegionParameter::Reduction(dtype) => starts.push((*dtype, words.next())),
            }
        }
        if extents.contains(&0) {
            for (result, (_, start)) in results.iter_mut().zip(&starts) {
                *result = *start;
            }
            return Ok(());
        }
        let began = self.now();
        let line = executable.traced(region.sites.first().copied());
        let items = extents.iter().product::<usize>() as u64;
        let _span = trace::span(trace::Category::Region, &region.what)
            .at(line.clone())
            .items(items);
        let _line = trace::in_line(line);
        let mut variant = self.variant(region, extents, &scalars)?;
        let mut side = self.side(number, variant, region, extents)?;
        if !self.call.unified {
            self.bring_arrays(number, region, extents, &side)?;
        }
        let disjoint = variant == Variant::Usual && region.usual_kernel().disjoint;
        if (disjoint || region.is_nest) && !self.are_disjoint(region, &side)? {
            variant = match region.is_nest {
                true => Variant::Rows,
                false => Variant::Overlapping,
            };
            if let (Side::Host(_), Some(host)) = (&side, self.call.host_queue) {
                side = Side::Host(executable.host_region(host, number, variant)?);
            }
        }
        let stands = self.set_aside(number, region, extents, &side)?;
        let mut cells = self.cells(&starts, &side)?;
        let space = match variant {
            Variant::Rows => Geometry {
                rank: 1,
                global: [extents[0], 1, 1],
                local: None,
            },
            _ => Geometry {
                rank,
                global: extents,
                local: None,
            },
        };
        let chosen = (number, variant);
        if !self.submit_in_parts(chosen, &scalars, &mut cells, extents[0])? {
            let turns = (variant == Variant::Rows).then_some(extents[1]);
            self.submit(
                chosen,
                (&scalars, turns),
                &mut cells,
                &stands,
                &space,
                &side,
            )?;
        }
        self.finish(region, &starts, cells, results)?;
        for stand in &stands {
            if let Some(target) = stand.target {
                self.copy_back(&stand.slot, target, &side)?;
            }
        }
        let (start, seconds) = (self.until(began), self.since(began));
        if let Some(report) = &mut self.report {
            report.launched.push(Launched {
                region: number,
                extents: extents[..rank].to_vec(),
                start,
                seconds,
                on_host: side.is_host(),
                set_aside: stands.len(),
            });
        }
        Ok(())
    }

    /// Decides whether a region needs the checks of its indices.
    fn variant(
        &self,
        region: &Region,
        extents: [usize; 3],
        scalars: &[[u64; 2]],
    ) -> Result<Variant> {
        let Some(Usual { checks, .. }) = &region.usual else {
            return Ok(Variant::Usual);
        };
        let mut numbers: SmallVec<[i64; 16]> = SmallVec::new();
        let mut shapes: SmallVec<[&[usize]; 16]> = SmallVec::new();
        let mut next = 0;
        for parameter in &region.parameters {
            let (mut number, mut shape) = (0, &[][..]);
            match parameter {
                RegionParameter::Scalar(_) => {
                    number = scalars[next][0] as i64;
                    next += 1;
                }
                RegionParameter::Array { local, .. } => shape = &self.slot(*local)?.shape[..],
                RegionParameter::Reduction(_) => {}
            }
            numbers.push(number);
            shapes.push(shape);
        }
        let holds = checks.hold(extents, &|param| numbers[param.index()], &|param, axis| {
            shapes[param.index()][usize::from(axis)] as i64
        });
        Ok(match holds {
            true => Variant::Usual,
            false => Variant::General,
        })
    }

    /// Whether arrays that a region writes share no element with its others.
    fn are_disjoint(&self, region: &Region, side: &Side) -> Result<bool> {
        let mut extents: SmallVec<[(Extent<'_>, bool); 8]> = SmallVec::new();
        for parameter in &region.parameters {
            if let RegionParameter::Array {
                local,
                reads,
                writes,
                ..
            } = parameter
                && (*reads || *writes)
            {
                extents.push((extent_of(self.slot(*local)?, side), *writes));
            }
        }
        let mut pairs = extents.iter().enumerate().flat_map(|(position, first)| {
            let later = &extents[position + 1..];
            later.iter().map(move |second| (first, second))
        });
        Ok(!pairs.any(|((a, a_writes), (b, b_writes))| (*a_writes || *b_writes) && a.meets(b)))
    }

    /// Decides whether a region is worth the device.
    fn side(
        &self,
        number: usize,
        variant: Variant,
        region: &Region,
        extents: [usize; 3],
    ) -> Result<Side> {
        let items = extents.iter().product();
        let Some(host) = self.call.host_queue.filter(|_| items <= MOST_ITEMS) else {
            return Ok(Side::Device);
        };
        let on_host = self.executable.host_region(host, number, variant)?;
        let mut work = Work {
            items,
            item_ns: on_host.item_ns,
            ..Work::default()
        };
        for parameter in &region.parameters {
            let RegionParameter::Array { local, .. } = parameter else {
                continue;
            };
            let block = &self.slot(*local)?.block;
            let bytes = (block.shape.iter().product::<usize>() * block.dtype.itemsize()) as u64;
            if !block.is_valid_on_device() {
                work.to_device.0 += 1;
                work.to_device.1 += bytes;
            }
            if !block.is_valid_on_host() {
                work.to_host.0 += 1;
                work.to_host.1 += bytes;
            }
        }
        Ok(match stays(&work, &Rates::of(self.call.queue)) {
            true => Side::Host(on_host),
            false => Side::Device,
        })
    }

    /// Makes the arrays of a region valid where it runs.
    fn bring_arrays(
        &mut self,
        number: usize,
        region: &Region,
        extents: [usize; 3],
        side: &Side,
    ) -> Result<()> {
        for (position, parameter) in region.parameters.iter().enumerate() {
            let RegionParameter::Array { local, reads, .. } = parameter else {
                continue;
            };
            let slot = self.slot(*local)?.clone();
            let overwritten = !reads && self.overwrites_block(number, position, &slot, extents);
            let why = match reads {
                true => Why::RegionReads(number),
                false => Why::RegionWrites(number),
            };
            if side.is_host() {
                self.bring_to_host(*local, why)?;
                continue;
            }
            self.bring_to_device(&slot, *local, why, overwritten)?;
        }
        Ok(())
    }

    /// Whether a region surely overwrites all elements of an array.
    fn overwrites(&self, number: usize, position: usize, slot: &Slot, extents: [usize; 3]) -> bool {
        match self.executable.overwrites(number, position) {
            Some(axes) => axes
                .iter()
                .zip(&slot.shape)
                .all(|(&axis, &extent)| extents[axis as usize] >= extent),
            None => false,
        }
    }

    /// Whether a region surely overwrites all of the memory that an array lies in.
    fn overwrites_block(
        &self,
        number: usize,
        position: usize,
        slot: &Slot,
        extents: [usize; 3],
    ) -> bool {
        let bytes = |size: usize, dtype: DType| size * dtype.itemsize();
        let block = &slot.block;
        bytes(slot.size(), slot.dtype) == bytes(block.shape.iter().product(), block.dtype)
            && self.overwrites(number, position, slot, extents)
    }

    /// Finds what must be set aside, and does it.
    fn set_aside(
        &mut self,
        number: usize,
        region: &Region,
        extents: [usize; 3],
        side: &Side,
    ) -> Result<Vec<Stand>> {
        let mut stands: Vec<Stand> = Vec::new();
        if region.is_loop {
            return Ok(stands);
        }
        let arrays = || {
            let all = region.parameters.iter().enumerate();
            all.filter_map(|(position, parameter)| match parameter {
                RegionParameter::Array {
                    local,
                    reads,
                    writes,
                    aligned,
                } => Some((position, *local, *reads, *writes, *aligned)),
                _ => None,
            })
        };
        for (position, written, reads, writes, at_its_place) in arrays() {
            if !writes {
                continue;
            }
            let mut met: SmallVec<[(usize, LocalId); 4]> = SmallVec::new();
            {
                let target = extent_of(self.slot(written)?, side);
                for (other, read, reads, _, also) in arrays() {
                    if !reads || other == position {
                        continue;
                    }
                    let source = extent_of(self.slot(read)?, side);
                    let own = at_its_place && also && target.is_same(&source);
                    if !own && target.meets(&source) {
                        met.push((other, read));
                    }
                }
            }
            if met.is_empty() {
                continue;
            }
            let slot = self.slot(written)?.clone();
            let stands_for =
                |one: usize, stands: &[Stand]| stands.iter().any(|stand| stand.parameter == one);
            if !reads && self.overwrites(number, position, &slot, extents) {
                let aside = self.new_array(slot.dtype, &slot.shape, false, false)?;
                if side.is_host() {
                    aside.block.to_host()?;
                } else {
                    self.bring_to_device(&aside, written, Why::RegionWrites(number), true)?;
                }
                stands.push(Stand {
                    parameter: position,
                    slot: aside,
                    target: Some(written),
                });
                continue;
            }
            for (other, read) in met {
                if stands_for(other, &stands) {
                    continue;
                }
                let source = self.slot(read)?.clone();
                let aside = self.packed(&source, read, !side.is_host())?;
                if side.is_host() {
                    aside.block.to_host()?;
                } else {
                    self.bring_to_device(&aside, read, Why::RegionReads(number), false)?;
                }
                stands.push(Stand {
                    parameter: other,
                    slot: aside,
                    target: None,
                });
            }
        }
        Ok(stands)
    }

    /// Memory for reductions, with what they start with.
    fn cells(&self, starts: &[(DType, u64)], side: &Side) -> Result<Cells> {
        let words = starts
            .iter()
            .map(|(dtype, start)| {
                let bytes = scalar_bytes(*dtype, [*start, 0]);
                u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
            })
            .collect();
        let mut cells = Cells { words, array: None };
        if self.call.unified || starts.is_empty() || side.is_host() {
            return Ok(cells);
        }
        let queue = self.call.queue;
        // Memory that both reach saves two copies.
        let kind = match queue.context().host_can_access(UsmKind::Shared) {
            true => UsmKind::Shared,
            false => UsmKind::Device,
        };
        let array = Array::empty(&[starts.len()], DType::UInt64, kind, queue)?;
        let bytes: Vec<u8> = cells
            .words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        if array.usm().host_can_access() {
            array.usm().wait_for(Access::Write)?;
            // SAFETY: memory for as many bytes, which the host reaches and nothing uses.
            unsafe {
                array
                    .pointer()
                    .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
            };
        } else {
            array.write_from(&bytes)?;
        }
        cells.array = Some(array);
        Ok(cells)
    }

    fn submit(
        &mut self,
        (number, variant): (usize, Variant),
        (scalars, turns): (&[[u64; 2]], Option<usize>),
        cells: &mut Cells,
        stands: &[Stand],
        space: &Geometry,
        side: &Side,
    ) -> Result<()> {
        let region = &self.executable.program().regions[number];
        let mut uses: SmallVec<[Use<'_>; 8]> = SmallVec::new();
        let ordered = !self.call.unified && !side.is_host();
        let mut block = argument_block(region, scalars, cells, |block, position, local| {
            let stand = stands.iter().find(|stand| stand.parameter == position);
            let slot = match stand {
                Some(stand) => &stand.slot,
                None => self.slot(local)?,
            };
            let param = &region.kernel.params[position];
            push_array(block, param, &extent_of(slot, side))?;
            if let (true, Some(usm)) = (ordered, slot.block.usm()) {
                let access = match region.parameters[position].writes() {
                    true => Access::Write,
                    false => Access::Read,
                };
                uses.push(Use { usm, access });
            }
            Ok(())
        })?;
        block.extend(turns.map(|turns| turns as u64));
        if let Some(array) = &cells.array {
            uses.push(Use {
                usm: array.usm(),
                access: Access::Write,
            });
        }
        let (queue, kernel) = match (side, self.call.host_queue) {
            (Side::Host(region), Some(host)) => (host, region.kernel.clone()),
            _ => {
                let queue = self.call.queue;
                let ready = self.ready.get_or_init(|| self.executable.ready(queue));
                (queue, self.executable.kernel(ready, number, variant)?)
            }
        };
        // Only who has a choice needs to know what a launch takes.
        let timed = self.call.host_queue.filter(|_| !side.is_host());
        let before = timed.map(|_| Instant::now());
        // SAFETY: the block has the kernel's parameters in order; their memory is that of `uses`, or it is
        // the caller's and stays until the wait below. The front end keeps accesses inside.
        let event = unsafe { queue.launch(&kernel, &block, space, &uses, &[]) }?;
        let waits = self.call.unified || self.report.is_some() || !cells.words.is_empty();
        if waits || side.is_host() {
            event.wait()?;
            if let Some(before) = before {
                saw_launch(queue, before.elapsed().as_nanos() as f64);
            }
        }
        self.note_changes(region, side)?;
        Ok(())
    }

    /// Notes on which side the arrays are valid that a region has written.
    pub(crate) fn note_changes(&self, region: &Region, side: &Side) -> Result<()> {
        for parameter in &region.parameters {
            if let RegionParameter::Array {
                local,
                writes: true,
                ..
            } = parameter
            {
                let block = &self.slot(*local)?.block;
                match side {
                    Side::Device => block.changed_on_device(),
                    Side::Host(_) => block.changed_on_host(),
                }
            }
        }
        Ok(())
    }

    /// Reads what the reductions came to.
    fn finish(
        &self,
        region: &Region,
        starts: &[(DType, u64)],
        mut cells: Cells,
        results: &mut [u64],
    ) -> Result<()> {
        debug_assert_eq!(results.len(), starts.len(), "{}", region.what);
        if let Some(array) = &cells.array {
            let to = cells.words.as_mut_ptr().cast::<u8>();
            if array.usm().host_can_access() {
                array.usm().wait_for(Access::Write)?;
                // SAFETY: as many words as cells, and nothing uses them now.
                unsafe { to.copy_from_nonoverlapping(array.pointer(), array.nbytes()) };
            } else {
                // SAFETY: as many words as cells.
                unsafe { array.read_into(to) }?;
            }
        }
        for ((result, (dtype, _)), cell) in results.iter_mut().zip(starts).zip(&cells.words) {
            *result = word_of_bytes(*dtype, &cell.to_le_bytes());
        }
        Ok(())
    }

    /// Copies what was computed aside to where it belongs.
    fn copy_back(&mut self, from: &Slot, to: LocalId, side: &Side) -> Result<()> {
        let target = self.slot(to)?.clone();
        if side.is_host() && !self.call.unified {
            copy_on_host(from, &target);
            return Ok(());
        }
        if self.call.unified && self.copied_on_host(from, &target) {
            return Ok(());
        }
        if !self.call.unified && target.is_between_elements() {
            // No array of the library has its elements.
            from.block.to_host()?;
            target.block.to_host()?;
            copy_on_host(from, &target);
            target.block.changed_on_host();
            return Ok(());
        }
        let source = self.device_array(from, to, Why::HostReads)?;
        let target = self.device_array(&target, to, Why::HostWrites)?;
        target.assign(&source)?;
        if self.call.unified {
            target.usm().wait_for(Access::Write)?;
        }
        Ok(())
    }
}
