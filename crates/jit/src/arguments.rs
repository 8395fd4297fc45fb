//! Arguments: from the caller's arrays to slots, and back at the end.

use crate::block::{Block, Origin};
use crate::calls::{State, Why};
use crate::report::Direction;
use crate::slot::{Place, Slot, span};
use crate::value::{Argument, HostArray};
use crate::{Error, Result};
use colocate_array::Array;
use colocate_runtime::{Access, UsmKind};
use smallvec::SmallVec;
use std::rc::Rc;

impl State<'_> {
    /// The array among the arguments.
    pub(crate) fn argument(&mut self, leaf: usize) -> Result<Slot> {
        if let Some((_, slot)) = self.shared.iter().find(|(one, _)| *one == leaf) {
            return Ok(slot.clone());
        }
        let slot = match self.call.arguments.get(leaf) {
            Some(Argument::Device(array)) => {
                if self.call.unified {
                    array.usm().wait_for(Access::Write)?;
                }
                let writable = array.is_writable();
                let block = Block::of_array(array.clone(), Origin::DeviceArgument);
                Slot::whole(Rc::new(block), Some(leaf), writable)
            }
            Some(Argument::Host(array)) => {
                let block = Block::of_host(array, Origin::HostArgument, true);
                Slot::whole(Rc::new(block), Some(leaf), array.writable)
            }
            _ => {
                let text = format!("the argument {leaf} is no array");
                return Err(Error::Internal(text));
            }
        };
        if !self.call.unified {
            self.shared.push((leaf, slot.clone()));
        }
        Ok(slot)
    }

    /// Brings what was written back to the caller's arrays (R5.7).
    pub(crate) fn bring_back(&mut self) -> Result<()> {
        for (leaf, slot) in std::mem::take(&mut self.shared) {
            let began = self.now();
            let _why = self.because(Why::Callers);
            let block = &slot.block;
            let (direction, bytes) = match block.origin {
                Origin::HostArgument => (Direction::ToHost, block.to_host()?),
                Origin::DeviceArgument if !block.is_valid_on_device() => {
                    let (queue, kind) = (self.call.queue, self.call.kind);
                    (Direction::ToDevice, block.to_device(queue, kind, false)?)
                }
                _ => continue,
            };
            if bytes > 0 && self.report.is_some() {
                let array = match self.is_outside(leaf) {
                    true => "outside".to_owned(),
                    false => self.executable.leaf_name(leaf),
                };
                self.note_named(array, direction, bytes, Why::Callers, began);
            }
        }
        Ok(())
    }

    /// Finds out which arguments in host memory, and arrays outside, share a block, where the device does not
    /// reach them.
    pub(crate) fn group_arguments(&mut self) {
        let given = self.call.arguments;
        let arrays: Vec<Option<&HostArray>> = given
            .iter()
            .map(|argument| match argument {
                Argument::Host(array) => Some(array),
                _ => None,
            })
            .chain(self.outside.iter().map(|one| Some(&one.array)))
            .collect();
        let mut spans: Vec<(usize, usize, usize)> = Vec::new();
        for (leaf, array) in arrays.iter().enumerate() {
            if let Some(array) = array {
                let (low, high) = span(&array.shape, &array.strides, array.dtype.itemsize());
                let start = array.pointer as isize;
                spans.push(((start + low) as usize, (start + high) as usize, leaf));
            }
        }
        spans.sort_unstable();
        let mut groups: Vec<(Vec<usize>, usize, usize)> = Vec::new();
        for (low, high, leaf) in spans {
            match groups.last_mut() {
                Some((members, _, end)) if low < *end && low < high => {
                    members.push(leaf);
                    *end = high.max(*end);
                }
                _ => groups.push((vec![leaf], low, high)),
            }
        }
        let argument = |leaf: usize| (leaf < given.len()).then_some(leaf);
        for (leaves, low, high) in groups {
            let arrays: Vec<(usize, &HostArray)> = leaves
                .iter()
                .filter_map(|&leaf| Some((leaf, arrays[leaf]?)))
                .collect();
            if let [(leaf, array)] = arrays[..]
                && !meets_itself(array)
            {
                let block = Block::of_host(array, Origin::HostArgument, false);
                let slot = Slot::whole(Rc::new(block), argument(leaf), array.writable);
                self.shared.push((leaf, slot));
                continue;
            }
            let members = arrays.iter().map(|(_, array)| (*array).clone()).collect();
            let block = Rc::new(Block::of_stretch(low as *mut u8, high - low, members));
            for (leaf, array) in arrays {
                let place = Place {
                    offset: array.pointer as isize - low as isize,
                    strides: array.strides.clone(),
                };
                let slot = Slot {
                    block: block.clone(),
                    dtype: array.dtype,
                    shape: array.shape.clone(),
                    device: Some(place.clone()),
                    host: place,
                    leaf: argument(leaf),
                    writable: array.writable,
                };
                self.shared.push((leaf, slot));
            }
        }
    }
}

/// Whether two elements of an array may share bytes.
fn meets_itself(array: &HostArray) -> bool {
    if array.shape.contains(&0) {
        return false;
    }
    let mut axes: SmallVec<[(usize, usize); 4]> = array
        .shape
        .iter()
        .zip(&array.strides)
        .filter(|(extent, _)| **extent > 1)
        .map(|(&extent, &stride)| (stride.unsigned_abs(), extent))
        .collect();
    axes.sort_unstable();
    let mut reach = array.dtype.itemsize();
    for (stride, extent) in axes {
        if stride < reach {
            return true;
        }
        reach += (extent - 1) * stride;
    }
    false
}

/// The kind that results have, from those of the inputs (R3.3).
pub fn result_kind<'a>(arrays: impl Iterator<Item = &'a Array>) -> Option<UsmKind> {
    let mut found = None;
    for array in arrays {
        found = Some(match (found, array.kind()) {
            (Some(UsmKind::Device), _) | (_, UsmKind::Device) => UsmKind::Device,
            (Some(UsmKind::Shared), _) | (_, UsmKind::Shared) => UsmKind::Shared,
            _ => UsmKind::Host,
        });
    }
    found
}
