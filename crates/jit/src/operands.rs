//! What calls are given, as values for the caller.

use crate::Result;
use crate::calls::{State, Why};
use crate::report::Direction;
use crate::slot::Slot;
use crate::value::{HostArray, Keep, Value};
use crate::words::Cursor;
use colocate_array::Array;
use colocate_frontend::program::Operand;
use colocate_ir::LocalId;
use std::sync::Arc;

impl State<'_> {
    /// As an array of the library on the queue.
    pub(crate) fn device_array(&mut self, slot: &Slot, local: LocalId, why: Why) -> Result<Array> {
        self.bring_to_device(slot, local, why, false)?;
        let queue = self.call.queue;
        let callbacks = &mut *self.callbacks;
        let usm = slot.block.known_usm(queue, |keep| match keep {
            Keep::Owner(owner) => owner.clone(),
            Keep::Argument(leaf) => callbacks.keep_argument(*leaf),
        })?;
        let first = slot.block.device_pointer();
        let first = first.wrapping_offset(slot.device_place().offset);
        if let Some(array) = slot.array_over(&usm, first, queue) {
            return Ok(array);
        }
        // Only host memory, and what was copied from it as a stretch, has elements at such places.
        if !self.call.unified {
            slot.block.to_host()?;
        }
        let copy = self.packed(slot, local, false)?;
        self.device_array(&copy, local, why)
    }

    /// As an array in host memory.
    pub(crate) fn host_array(
        &mut self,
        slot: &Slot,
        local: LocalId,
        why: Why,
    ) -> Result<HostArray> {
        let began = self.now();
        let _why = self.because(why);
        let bytes = slot.block.to_host()?;
        self.note(local, Direction::ToHost, bytes, why, began);
        Ok(HostArray {
            dtype: slot.dtype,
            pointer: slot.host_pointer(),
            shape: slot.shape.clone(),
            strides: slot.host.strides.clone(),
            writable: slot.writable,
            keep: slot.block.keep().unwrap_or(Keep::Owner(Arc::new(()))),
        })
    }

    pub(crate) fn values(
        &mut self,
        operands: &[Operand],
        words: &mut Cursor<'_>,
        host: bool,
        why: Why,
    ) -> Result<Vec<Value>> {
        operands
            .iter()
            .map(|operand| self.value(operand, words, host, why))
            .collect()
    }

    /// An array as a value: an argument itself, or an array in host memory or on the queue.
    pub(crate) fn slot_value(
        &mut self,
        slot: &Slot,
        local: LocalId,
        host: bool,
        why: Why,
    ) -> Result<Value> {
        Ok(match (slot.leaf, host) {
            (Some(leaf), _) if matches!(why, Why::Returned) => Value::Argument(leaf),
            (_, true) => Value::Host(self.host_array(slot, local, why)?),
            (_, false) => Value::Array(self.device_array(slot, local, why)?),
        })
    }

    /// What an operand is; arrays in host memory or on the queue.
    pub(crate) fn value(
        &mut self,
        operand: &Operand,
        words: &mut Cursor<'_>,
        host: bool,
        why: Why,
    ) -> Result<Value> {
        Ok(match operand {
            Operand::Local(local) => {
                let slot = self.slot(*local)?.clone();
                self.slot_value(&slot, *local, host, why)?
            }
            Operand::Held(item) => self.list_value(words.next(), item, host, why)?,
            Operand::Scalar { dtype, weak } => Value::Scalar {
                dtype: *dtype,
                weak: *weak,
                words: words.scalar(*dtype),
            },
            Operand::Constant(constant) => Value::Constant(constant.clone()),
            Operand::Tuple(items) => Value::Tuple(self.values(items, words, host, why)?),
            Operand::List(items) => Value::List(self.values(items, words, host, why)?),
            Operand::Items { local, weak } => {
                let count = words.number().max(0) as usize;
                let slot = self.slot(*local)?.clone();
                let number = LOCALS + local.index() as u64;
                let is_returned = matches!(why, Why::Returned);
                if is_returned && !self.told.insert(number) {
                    return Ok(Value::Shared {
                        number,
                        items: None,
                    });
                }
                let array = self.host_array(&slot, *local, why)?;
                let items = Value::Numbers {
                    dtype: array.dtype,
                    weak: *weak,
                    bytes: elements(&array, count),
                };
                match is_returned {
                    true => Value::Shared {
                        number,
                        items: Some(Box::new(items)),
                    },
                    false => items,
                }
            }
            Operand::ListArgument(leaf) => {
                words.next();
                Value::Argument(*leaf)
            }
            Operand::Named(class, items) => {
                Value::Named(*class, self.values(items, words, host, why)?)
            }
            Operand::Slice(items) => Value::Slice(self.values(items, words, host, why)?),
            Operand::Ellipsis => Value::Ellipsis,
            Operand::Object => Value::Object(words.number().max(0) as u64),
        })
    }
}

/// Lists that are variables of the host part have numbers from here on, beyond those that the runtime holds.
const LOCALS: u64 = 1 << 32;

/// The first elements of an array of one axis, side by side.
fn elements(array: &HostArray, count: usize) -> Vec<u8> {
    let (Some(&extent), Some(&stride)) = (array.shape.first(), array.strides.first()) else {
        return Vec::new();
    };
    let (count, size) = (count.min(extent), array.dtype.itemsize());
    let mut bytes = Vec::with_capacity(count * size);
    if stride == size as isize && count > 0 {
        // SAFETY: elements of a live array in host memory, side by side.
        bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(array.pointer, count * size) });
        return bytes;
    }
    for index in 0..count {
        let at = array.pointer.wrapping_offset(index as isize * stride);
        // SAFETY: an element of a live array in host memory.
        bytes.extend_from_slice(unsafe { std::slice::from_raw_parts(at, size) });
    }
    bytes
}
