//! Calling functions of the array library, which the caller does for us.

use crate::block::{Block, Origin};
use crate::calls::{State, Why};
use crate::report::Called;
use crate::slot::{Place, Slot, is_packed};
use crate::value::Value;
use crate::words::Cursor;
use crate::{Error, Result};
use colocate_array::{Array, elementwise};
use colocate_dtype::Dims;
use colocate_frontend::program::{self, Operand, Outcome};
use colocate_ir::{Layout, LocalId};
use colocate_runtime::Access;
use colocate_trace as trace;
use std::rc::Rc;
use std::sync::Arc;

impl State<'_> {
    pub(crate) fn library(
        &mut self,
        number: usize,
        (arguments, keywords): (&[Operand], &[(String, Operand)]),
        (result, changes): (&Outcome, &[LocalId]),
        words: &mut Cursor<'_>,
        results: &mut [u64],
    ) -> Result<()> {
        let began = self.now();
        let _span = trace::span(trace::Category::Library, self.function_name(number));
        if !self.call.unified {
            if let Some(slot) = self.outside_slot(number)
                && let Outcome::Local(local) = result
            {
                slot.write_words(results);
                self.set(*local, slot);
                return Ok(());
            }
            self.lend_outside(number)?;
        }
        let elements = self.elements(arguments, &mut { *words });
        let mut on_host = self.callbacks.is_on_host(number, elements);
        let named = || keywords.iter().map(|(_, operand)| operand);
        let mut cursor = *words;
        let mut outcome = Err(Error::NotOnQueue);
        if !on_host {
            self.refuse_misaligned(number, changes)?;
            outcome = self.call_library(number, arguments, named(), &mut cursor, false);
        }
        if on_host || matches!(outcome, Err(Error::NotOnQueue)) {
            on_host = true;
            cursor = *words;
            outcome = self.call_library(number, arguments, named(), &mut cursor, true);
        }
        *words = cursor;
        // What it changed before it failed is changed, too.
        for local in changes {
            let block = &self.slot(*local)?.block;
            match on_host {
                true => block.changed_on_host(),
                false => block.changed_on_device(),
            }
            if self.call.unified
                && let Some(usm) = block.usm()
            {
                usm.wait_for(Access::Write)?;
            }
        }
        let value = outcome?;
        let mut rest = results;
        self.store(result, value, &mut rest)?;
        let (start, seconds) = (self.until(began), self.since(began));
        if let Some(report) = &mut self.report {
            report.called.push(Called {
                call: number,
                on_host,
                start,
                seconds,
            });
        }
        Ok(())
    }

    fn call_library<'o>(
        &mut self,
        number: usize,
        arguments: &[Operand],
        keywords: impl Iterator<Item = &'o Operand>,
        words: &mut Cursor<'_>,
        on_host: bool,
    ) -> Result<Value> {
        let why = Why::Library(number);
        let given = self.values(arguments, words, on_host, why)?;
        let mut named = Vec::new();
        for operand in keywords {
            named.push(self.value(operand, words, on_host, why)?);
        }
        self.callbacks.library(number, given, named)
    }

    fn function_name(&self, number: usize) -> &str {
        match &self.executable.program().calls[number] {
            program::Call::Library { function, .. } => function,
            _ => "a function",
        }
    }

    /// How many elements the arrays among the operands have.
    fn elements(&self, operands: &[Operand], words: &mut Cursor<'_>) -> usize {
        let mut count = 0;
        for operand in operands {
            match operand {
                Operand::Local(local) => count += self.slot(*local).map_or(0, Slot::size),
                Operand::Tuple(items)
                | Operand::List(items)
                | Operand::Named(_, items)
                | Operand::Slice(items) => count += self.elements(items, words),
                Operand::Held(_) => count += self.list_elements(words.next()),
                Operand::Scalar { dtype, .. } => {
                    words.scalar(*dtype);
                }
                Operand::Items { .. } | Operand::ListArgument(_) | Operand::Object => {
                    words.next();
                }
                Operand::Constant(_) | Operand::Ellipsis => {}
            }
        }
        count
    }

    /// What is changed must be changed in place, not in a copy.
    fn refuse_misaligned(&mut self, number: usize, changes: &[LocalId]) -> Result<()> {
        for local in changes {
            let slot = self.slot(*local)?;
            let item = slot.dtype.itemsize() as isize;
            let strides = slot.host.strides.iter();
            let fits = !slot.block.is_same()
                || slot.size() == 0
                || (slot.host_pointer() as usize).is_multiple_of(slot.dtype.alignment())
                    && strides.clone().all(|stride| stride % item == 0);
            if fits {
                continue;
            }
            let function = self.function_name(number).to_owned();
            let array = self.name(*local).to_owned();
            return Err(Error::Misaligned { function, array });
        }
        Ok(())
    }

    /// Gives the host part what came back.
    fn store(&mut self, outcome: &Outcome, value: Value, rest: &mut &mut [u64]) -> Result<()> {
        match (outcome, value) {
            (Outcome::None, _) => Ok(()),
            (Outcome::Local(local), value) => {
                let slot = self.result_slot(*local, value)?;
                let facts = &self.executable.program().host.locals[local.index()];
                if slot.shape.len() != facts.rank as usize {
                    return Err(Error::Internal(format!(
                        "a library function gives {} axes where {} were expected",
                        slot.shape.len(),
                        facts.rank
                    )));
                }
                slot.write_words(take(rest, facts.words()));
                self.set(*local, slot);
                Ok(())
            }
            (
                Outcome::Scalar(dtype),
                Value::Scalar {
                    dtype: is, words, ..
                },
            ) if *dtype == is => {
                let count = crate::words::count(*dtype);
                take(rest, count).copy_from_slice(&words[..count]);
                Ok(())
            }
            (Outcome::Object, Value::Object(handle)) => {
                take(rest, 1)[0] = handle;
                Ok(())
            }
            (Outcome::Tuple(outcomes), Value::Tuple(values) | Value::List(values))
                if outcomes.len() == values.len() =>
            {
                for (outcome, value) in outcomes.iter().zip(values) {
                    self.store(outcome, value, rest)?;
                }
                Ok(())
            }
            (Outcome::Held(item), value) => {
                take(rest, 1)[0] = self.held_result(value, item)?;
                Ok(())
            }
            (outcome, value) => Err(Error::Internal(format!(
                "a library function gives {value:?} where {outcome:?} was expected"
            ))),
        }
    }

    /// An array in memory of a block that we have: both sides of it stay together.
    fn view_of_known(&self, array: &Array) -> Option<Slot> {
        let item = array.dtype().itemsize() as isize;
        let known = self.slots.iter().flatten().map(|slot| &slot.block);
        let block = known
            .filter(|block| !block.is_same() && block.device_strides() == *block.host_strides())
            .find(|block| block.usm().is_some_and(|usm| Arc::ptr_eq(usm, array.usm())))?;
        let place = Place {
            offset: array.pointer() as isize - block.device_pointer() as isize,
            strides: array
                .layout()
                .strides()
                .iter()
                .map(|&stride| stride * item)
                .collect(),
        };
        Some(Slot {
            block: block.clone(),
            dtype: array.dtype(),
            shape: Dims::from_slice(array.shape()),
            device: Some(place.clone()),
            host: place,
            leaf: None,
            writable: array.is_writable(),
        })
    }

    /// The array that came back, as the local promises it.
    fn result_slot(&mut self, local: LocalId, value: Value) -> Result<Slot> {
        let facts = &self.executable.program().host.locals[local.index()];
        let (dtype, layout) = (facts.dtype, facts.layout);
        let slot = self.array_slot(value, dtype)?;
        let gaps = |strides: &[isize]| !is_packed(&slot.shape, strides, dtype.itemsize());
        let misaligned = slot.block.is_same()
            && !(slot.host_pointer() as usize).is_multiple_of(dtype.itemsize())
            && slot.size() > 0;
        if layout == Layout::Contiguous
            && (gaps(&slot.host.strides) || gaps(&slot.device_place().strides) || misaligned)
        {
            return self.packed(&slot, local, !self.call.unified);
        }
        Ok(slot)
    }

    /// The array that came back, in the dtype that is promised.
    pub(crate) fn array_slot(&mut self, value: Value, dtype: colocate_ir::DType) -> Result<Slot> {
        Ok(match value {
            Value::Array(array) => {
                let array = match array.dtype() == dtype {
                    true => array,
                    false => {
                        let (kind, queue) = (array.kind(), array.queue());
                        let converted = Array::empty(array.shape(), dtype, kind, queue)?;
                        elementwise::convert_into(&converted, &array)?;
                        converted
                    }
                };
                if self.call.unified {
                    array.usm().wait_for(Access::Write)?;
                }
                match self.view_of_known(&array) {
                    Some(view) => view,
                    None => {
                        let writable = array.is_writable();
                        let block = Block::of_array(array, Origin::Result);
                        Slot::whole(Rc::new(block), None, writable)
                    }
                }
            }
            Value::Host(array) if array.dtype == dtype => {
                let block = Block::of_host(&array, Origin::Result, self.call.unified);
                Slot::whole(Rc::new(block), None, array.writable)
            }
            other => {
                return Err(Error::Internal(format!(
                    "a library function gives {other:?} where an array of {dtype} was expected"
                )));
            }
        })
    }
}

/// The next words of the results.
fn take<'a>(rest: &mut &'a mut [u64], count: usize) -> &'a mut [u64] {
    let (taken, left) = std::mem::take(rest).split_at_mut(count);
    *rest = left;
    taken
}
