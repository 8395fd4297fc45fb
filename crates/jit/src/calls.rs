//! What the host part asks for while it runs.

use crate::executable::{Call, Executable, Ready};
use crate::report::{Direction, Moved};
use crate::slot::Slot;
use crate::value::{Callbacks, Value};
use crate::words::Cursor;
use crate::{BitGenerator, Error, Report, Result};
use colocate_diag::Site;
use colocate_frontend::program;
use colocate_ir::{LocalId, RECURSION_CALLEE};
use colocate_trace as trace;
use std::cell::OnceCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A function that runs. It is the context of the callback, which begins with what host code reads of lists.
#[repr(C)]
pub(crate) struct State<'a> {
    /// What the host part knows by numbers.
    pub lists: crate::list_table::Lists,
    pub executable: &'a Executable,
    pub call: &'a Call<'a>,
    pub callbacks: &'a mut dyn Callbacks,
    /// By number of the local.
    pub slots: Vec<Option<Slot>>,
    /// Blocks of arguments on devices that do not reach host memory, with their leaves.
    pub shared: Vec<(usize, Slot)>,
    /// Arrays outside the function, on devices that do not reach host memory.
    pub outside: Vec<crate::outside_arrays::Outside>,
    /// The regions on the queue's device, once one was launched.
    pub ready: OnceCell<Arc<Ready>>,
    /// NumPy's generator, until something other than a draw is called.
    pub generator: Option<BitGenerator>,
    pub result: Option<Value>,
    /// The lists in what is returned that were there already.
    pub told: std::collections::HashSet<u64>,
    pub failure: Option<Error>,
    pub report: Option<Report>,
    /// When the call began, if that is wanted.
    pub began: Option<Instant>,
    /// When the caller was last asked whether to go on.
    pub looked_up: Option<Instant>,
}

/// How long the caller is not asked whether to go on.
const ALONE: Duration = Duration::from_millis(50);

/// Why data moves, for the report.
#[derive(Clone, Copy)]
pub(crate) enum Why {
    RegionReads(usize),
    RegionWrites(usize),
    HostReads,
    HostWrites,
    Library(usize),
    Returned,
    Prints,
    Callers,
}

/// The entry point of all calls; its type is part of the contract with the code generator.
///
/// # Safety
/// `context` is the state of the call that runs, used by nobody else meanwhile; there are as
/// many words and as much room for results as the call of that number has.
pub(crate) unsafe extern "C" fn callback(
    context: *mut c_void,
    callee: u64,
    words: *const u64,
    results: *mut u64,
) -> u64 {
    // SAFETY: the caller's word.
    let state = unsafe { &mut *context.cast::<State<'_>>() };
    if callee == u64::from(RECURSION_CALLEE) {
        state.failure.get_or_insert(Error::Recursion);
        return 1;
    }
    let number = callee as usize;
    // A loop may do little else than draw.
    if let Some(generator) = &state.generator
        && let Some(what) = state.executable.drawn(number)
    {
        // SAFETY: nothing else was called since the generator was borrowed; the others are the caller's word.
        unsafe {
            let largest = match what {
                what if what.is_given_a_word() => *words,
                _ => 0,
            };
            *results = generator.draw(what, largest);
        }
        return 0;
    }
    state.generator = None;
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let (given, wanted) = state.executable.counts(number);
        // SAFETY: the caller's word; a slice of nothing may have any address.
        let (words, results) = unsafe {
            let words = match given {
                0 => &[][..],
                _ => std::slice::from_raw_parts(words, given),
            };
            let results = match wanted {
                0 => &mut [][..],
                _ => std::slice::from_raw_parts_mut(results, wanted),
            };
            (words, results)
        };
        if !state.executable.is_guarded(number) {
            return state.dispatch(number, words, results);
        }
        // What it would have given is nothing then, and nobody looks at it.
        results.fill(0);
        let [status, results @ ..] = results else {
            return Err(Error::Internal("a guarded call gives nothing".into()));
        };
        if let Err(failure) = state.dispatch(number, words, results) {
            results.fill(0);
            *status = state.callbacks.caught(failure)? + 1;
        }
        Ok(())
    }));
    let failure = match outcome {
        Ok(Ok(())) => return 0,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            Error::Internal(text.unwrap_or("a panic without a message").to_owned())
        }
    };
    state.failure.get_or_insert(failure);
    1
}

impl State<'_> {
    /// Lets the caller end a program that has run for a while.
    fn look_up(&mut self) -> Result<()> {
        let now = Instant::now();
        let last = *self.looked_up.get_or_insert(now);
        if now.duration_since(last) < ALONE {
            return Ok(());
        }
        self.looked_up = Some(now);
        self.callbacks.look_up()
    }

    fn dispatch(&mut self, number: usize, words: &[u64], results: &mut [u64]) -> Result<()> {
        let call = &self.executable.program().calls[number];
        // Loops over objects do little else.
        if let program::Call::Library { .. } = call
            && self.report.is_none()
            && !trace::enabled()
            && let Some(done) = self.callbacks.object_call(number, words, results)
        {
            return done;
        }
        self.dispatch_other(number, words, results)
    }

    #[inline(never)]
    fn dispatch_other(&mut self, number: usize, words: &[u64], results: &mut [u64]) -> Result<()> {
        let executable = self.executable;
        let mut words = Cursor::new(words);
        match &executable.program().calls[number] {
            program::Call::Argument { leaf, local } => {
                let slot = self.argument(*leaf)?;
                slot.write_words(results);
                self.set(*local, slot);
            }
            program::Call::Allocate {
                local,
                zeros,
                fortran,
            } => self.allocate(*local, *zeros, *fortran, &mut words, results)?,
            program::Call::View {
                from,
                axes,
                free,
                local,
            } => {
                // What only another way through the program sets is handed on as it is: nobody reads it here.
                if self.slots[from.index()].is_none() {
                    self.slots[local.index()] = None;
                    return Ok(());
                }
                let view = self.slot(*from)?.view(axes, free, &mut words);
                view.write_words(results);
                self.set(*local, view);
            }
            program::Call::Reshape {
                from,
                packed,
                local,
            } => {
                let reshaped = self.reshape(*from, *packed, *local, &mut words)?;
                reshaped.write_words(results);
                self.set(*local, reshaped);
            }
            program::Call::Launch { region } => {
                self.look_up()?;
                self.launch(*region, &mut words, results)?;
            }
            program::Call::Library {
                arguments,
                keywords,
                result,
                changes,
                ..
            } => self.library(
                number,
                (arguments, keywords),
                (result, changes),
                &mut words,
                results,
            )?,
            program::Call::Draw { from, what } => {
                let largest = match what.is_given_a_word() {
                    true => words.next(),
                    false => 0,
                };
                results[0] = match executable.drawn(number) {
                    Some(what) => {
                        let generator = self.callbacks.bit_generator()?;
                        self.generator = Some(generator);
                        // SAFETY: it was borrowed just now.
                        unsafe { generator.draw(what, largest) }
                    }
                    None => self.callbacks.draw(*from, *what, largest)?,
                };
            }
            program::Call::FillRandom { local } => self.fill_random(*local, &mut words)?,
            program::Call::Grow { local } => {
                let extent = words.number();
                let grown = self.grow(*local, extent)?;
                grown.write_words(results);
                self.set(*local, grown);
            }
            program::Call::Room { local } => self.room(*local, words.number(), results)?,
            program::Call::Splice { local, from } => {
                let numbers = [
                    words.number(),
                    words.number(),
                    words.number(),
                    words.number(),
                ];
                self.splice_numbers(*local, *from, numbers, results)?;
            }
            program::Call::Compare { local, with } => {
                let counts = [words.number(), words.number()];
                results[0] = self.compare_numbers([*local, *with], counts)? as u64;
            }
            program::Call::Sort { local } => {
                let (count, descending) = (words.number(), words.next() != 0);
                self.sort_list(*local, count, descending)?;
            }
            program::Call::List(call) => self.list_call(call, &mut words, results)?,
            program::Call::ToHost { local, writes } => {
                let why = if *writes {
                    Why::HostWrites
                } else {
                    Why::HostReads
                };
                self.bring_to_host(*local, why)?;
                let slot = self.slot(*local)?;
                if *writes {
                    slot.block.changed_on_host();
                }
                slot.write_words(results);
            }
            program::Call::Release { locals } => {
                for local in locals {
                    self.slots[local.index()] = None;
                }
            }
            program::Call::Print { parts, .. } => {
                let parts = self.values(parts, &mut words, true, Why::Prints)?;
                self.callbacks.print(number, parts)?;
            }
            program::Call::Raise {
                arguments, lists, ..
            } => {
                let arguments = self.values(arguments, &mut words, true, Why::Prints)?;
                let host = self.call.host_results;
                self.told.clear();
                let lists = self.values(lists, &mut words, host, Why::Returned)?;
                return Err(self.callbacks.raise(number, arguments, lists));
            }
            program::Call::Return { value } => {
                let host = self.call.host_results;
                self.told.clear();
                let value = self.value(value, &mut words, host, Why::Returned)?;
                self.result = Some(value);
            }
        }
        Ok(())
    }

    /// The array that a local stands for.
    pub(crate) fn slot(&self, local: LocalId) -> Result<&Slot> {
        let slot = self.slots.get(local.index()).and_then(Option::as_ref);
        slot.ok_or_else(|| {
            let name = self.name(local);
            Error::Internal(format!("the local {name} is used before anything set it"))
        })
    }

    pub(crate) fn set(&mut self, local: LocalId, slot: Slot) {
        self.slots[local.index()] = Some(slot);
    }

    /// A local's name in the program.
    pub(crate) fn name(&self, local: LocalId) -> &str {
        let locals = &self.executable.program().host.locals;
        locals
            .get(local.index())
            .map_or("an item of a list", |local| &local.name)
    }

    /// Now, if somebody wants to know.
    pub(crate) fn now(&self) -> Option<Instant> {
        self.began.map(|_| Instant::now())
    }

    /// Seconds since then.
    pub(crate) fn since(&self, then: Option<Instant>) -> f64 {
        then.map_or(0.0, |then| then.elapsed().as_secs_f64())
    }

    /// Seconds from the beginning of the call until then.
    pub(crate) fn until(&self, then: Option<Instant>) -> f64 {
        match (self.began, then) {
            (Some(began), Some(then)) => then.duration_since(began).as_secs_f64(),
            _ => 0.0,
        }
    }

    /// While the guard lives, what is recorded happens for this reason.
    pub(crate) fn because(&self, why: Why) -> trace::Because {
        trace::because(|| self.reason(why).0)
    }

    /// Makes the host's side of an array valid.
    pub(crate) fn bring_to_host(&mut self, local: LocalId, why: Why) -> Result<()> {
        let began = self.now();
        let _why = self.because(why);
        let bytes = self.slot(local)?.block.to_host()?;
        self.note(local, Direction::ToHost, bytes, why, began);
        Ok(())
    }

    /// Makes the device's side of an array valid.
    pub(crate) fn bring_to_device(
        &mut self,
        slot: &Slot,
        local: LocalId,
        why: Why,
        overwritten: bool,
    ) -> Result<()> {
        if slot.block.is_same() {
            return Ok(());
        }
        let began = self.now();
        let _why = self.because(why);
        let (queue, kind) = (self.call.queue, self.call.kind);
        let bytes = slot.block.to_device(queue, kind, overwritten)?;
        self.note(local, Direction::ToDevice, bytes, why, began);
        Ok(())
    }

    pub(crate) fn note(
        &mut self,
        local: LocalId,
        direction: Direction,
        bytes: usize,
        why: Why,
        at: Option<Instant>,
    ) {
        if bytes == 0 || self.report.is_none() {
            return;
        }
        let array = self.name(local).to_owned();
        self.note_named(array, direction, bytes, why, at);
    }

    pub(crate) fn note_named(
        &mut self,
        array: String,
        direction: Direction,
        bytes: usize,
        why: Why,
        at: Option<Instant>,
    ) {
        let (why, site) = self.reason(why);
        let seconds = self.since(at);
        if let Some(report) = &mut self.report {
            report.moved.push(Moved {
                array,
                direction,
                bytes,
                why,
                site,
                seconds,
            });
        }
    }

    fn reason(&self, why: Why) -> (String, Option<Site>) {
        let program = self.executable.program();
        let of_region = |region: usize, verb: &str| {
            let region = &program.regions[region];
            let text = format!("the region \"{}\" {verb} it", region.what);
            (text, region.sites.first().copied())
        };
        match why {
            Why::RegionReads(region) => of_region(region, "reads"),
            Why::RegionWrites(region) => of_region(region, "writes part of"),
            Why::HostReads => ("the host part reads it".into(), None),
            Why::HostWrites => ("the host part writes it".into(), None),
            Why::Library(call) => match &program.calls[call] {
                program::Call::Library { function, .. } => (format!("{function} takes it"), None),
                _ => ("a function takes it".into(), None),
            },
            Why::Returned => ("the function returns it".into(), None),
            Why::Prints => ("it is printed".into(), None),
            Why::Callers => ("the caller's array was written".into(), None),
        }
    }
}
