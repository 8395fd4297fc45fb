//! A program that is compiled, and how it is entered.

use crate::calls::{State, callback};
use crate::value::{Argument, Callbacks, Value};
use crate::{BitGenerator, Error, Report, Result, words};
use colocate_compile as compile;
use colocate_diag::Site;
use colocate_frontend::program::{
    self, ListCall, Operand, Outcome, Program, RegionParameter, ViewAxis,
};
use colocate_ir::LocalId;
use colocate_ir::in_parts::{InParts, in_parts, in_rows};
use colocate_ir::overwrites::{Overwrites, overwrites};
use colocate_runtime::hal::{ALIGNMENT, HostEntry, HostPart, KernelCode, fork};
use colocate_runtime::{LoadedKernel, Needs, Queue, UsmKind};
use colocate_trace as trace;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// A call of a function: where it runs and with what.
pub struct Call<'a> {
    /// Where regions run.
    pub queue: &'a Queue,
    /// Whether host code reaches all memory of the call, and the device that of the host.
    pub unified: bool,
    /// The host's own queue, for regions that are not worth the device; `None` if all of them are
    /// to go there (R5.11).
    pub host_queue: Option<&'a Queue>,
    /// The kind of memory of new arrays (R3.3).
    pub kind: UsmKind,
    /// Whether arrays that are returned are to be in host memory.
    pub host_results: bool,
    /// By number of the leaf.
    pub arguments: &'a [Argument],
    /// The scalar parameters of the host part, as in an argument block.
    pub scalars: &'a [u64],
}

/// A program for a kind of device: its host part and its regions compiled.
pub struct Executable {
    program: Program,
    entry: HostEntry,
    scratch_bytes: usize,
    regions: Vec<CompiledRegion>,
    target: compile::Target,
    options: compile::Options,
    /// How many words each call takes and gives.
    counts: Vec<(usize, usize)>,
    /// What each call draws, if that is all it does.
    drawn: Vec<Option<program::Drawn>>,
    /// Whether the host part sees the failure of a call.
    guarded: Vec<bool>,
    ready: Mutex<SmallVec<[Arc<Ready>; 1]>>,
    /// Keeps the code in memory.
    _host: Arc<compile::Program>,
}

struct CompiledRegion {
    /// Its variants, in the order of [`Variant`]: the usual one unless the region is rare, and others once a
    /// launch needs them.
    codes: [OnceLock<Arc<compile::Program>>; VARIANTS],
    overwrites: Vec<Overwrites>,
    /// How it may run in parts, once somebody asked; in the order of [`Variant`].
    in_parts: [OnceLock<Option<InParts>>; VARIANTS],
    /// For the host, where it is not compiled for that anyway; in the order of [`Variant`].
    on_host: [OnceLock<HostRegion>; VARIANTS],
}

/// Which kernel of a region runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Variant {
    /// The one that most launches take.
    Usual,
    /// The same for arrays that overlap.
    Overlapping,
    /// The one for launches whose indices may be outside.
    General,
    /// For a loop inside a loop whose arrays overlap: the turns of the inner one in order.
    Rows,
}

const VARIANTS: usize = 4;

impl Variant {
    fn kernel(self, region: &program::Region) -> Cow<'_, colocate_ir::Kernel> {
        match self {
            Variant::Usual => Cow::Borrowed(region.usual_kernel()),
            Variant::Overlapping => {
                let mut kernel = region.usual_kernel().clone();
                kernel.disjoint = false;
                Cow::Owned(kernel)
            }
            Variant::General => Cow::Borrowed(&region.kernel),
            Variant::Rows => match in_rows(&region.kernel, region.failure()) {
                Some(kernel) => Cow::Owned(kernel),
                None => Cow::Borrowed(&region.kernel),
            },
        }
    }
}

/// A region on the host's own queue.
#[derive(Clone)]
pub(crate) struct HostRegion {
    pub kernel: LoadedKernel,
    /// Nanoseconds for each item.
    pub item_ns: f64,
}

/// The regions on one device of a context.
pub(crate) struct Ready {
    queue: Queue,
    kernels: Vec<[OnceLock<LoadedKernel>; VARIANTS]>,
    /// Those that run in parts.
    in_parts: Vec<[OnceLock<LoadedKernel>; VARIANTS]>,
}

/// Nanoseconds that are worth the hand-off to another thread.
const LONG: f32 = 1e6;
/// On how many devices and contexts an executable stays ready.
const MOST_READY: usize = 16;
/// Compilers get a stack that deep expressions do not fill.
const STACK: usize = 16 << 20;

/// The operands' words.
fn operand_words(operands: &[Operand]) -> usize {
    operands
        .iter()
        .map(|operand| match operand {
            Operand::Scalar { dtype, .. } => words::count(*dtype),
            Operand::Tuple(items)
            | Operand::List(items)
            | Operand::Named(_, items)
            | Operand::Slice(items) => operand_words(items),
            Operand::Items { .. }
            | Operand::ListArgument(_)
            | Operand::Held(_)
            | Operand::Object => 1,
            Operand::Local(_) | Operand::Constant(_) | Operand::Ellipsis => 0,
        })
        .sum()
}

fn outcome_words(program: &Program, outcome: &Outcome) -> usize {
    match outcome {
        Outcome::None => 0,
        Outcome::Held(_) => 1,
        Outcome::Local(local) => local_words(program, *local),
        Outcome::Scalar(dtype) => words::count(*dtype),
        Outcome::Object => 1,
        Outcome::Tuple(items) => items.iter().map(|item| outcome_words(program, item)).sum(),
    }
}

fn list_counts(program: &Program, call: &ListCall) -> (usize, usize) {
    let of_locals = |locals: &[LocalId]| -> usize {
        locals
            .iter()
            .map(|&local| local_words(program, local))
            .sum()
    };
    match call {
        ListCall::Hold { .. } | ListCall::Length => (1, 1),
        ListCall::Open { local } => (1, local_words(program, *local) + 1),
        ListCall::Close { .. } => (2, 0),
        ListCall::New { .. } | ListCall::Argument { .. } => (0, 1),
        ListCall::Get { item, locals } => (2, of_locals(locals) + item.words()),
        ListCall::Set { item, .. } | ListCall::Insert { item, .. } => (2 + item.words(), 0),
        ListCall::Take => (4, 1),
        ListCall::Delete | ListCall::Splice => (4, 0),
        ListCall::Spread => (5, 0),
        ListCall::Reverse | ListCall::Drop => (1, 0),
        ListCall::Compare { .. } | ListCall::Order { .. } => (2, 1),
    }
}

fn local_words(program: &Program, local: LocalId) -> usize {
    program.host.locals[local.index()].words()
}

/// How many words a call takes and gives.
fn counts_of(program: &Program, call: &program::Call) -> (usize, usize) {
    use program::Call;
    let rank = |local: LocalId| program.host.locals[local.index()].rank as usize;
    match call {
        Call::Argument { local, .. } | Call::ToHost { local, .. } => {
            (0, local_words(program, *local))
        }
        Call::Allocate { local, .. } | Call::Reshape { local, .. } => {
            (rank(*local), local_words(program, *local))
        }
        Call::Grow { local } | Call::Room { local } => (1, local_words(program, *local)),
        Call::Sort { .. } => (2, 0),
        Call::Compare { .. } => (2, 1),
        Call::Splice { local, .. } => (4, local_words(program, *local)),
        Call::List(list) => list_counts(program, list),
        Call::View { axes, local, .. } => {
            let words = axes.iter().map(|axis| match axis {
                ViewAxis::Fixed => 1,
                ViewAxis::Sliced => 3,
                ViewAxis::Whole | ViewAxis::New => 0,
            });
            (words.sum(), local_words(program, *local))
        }
        Call::Launch { region } => {
            let region = &program.regions[*region];
            let (mut given, mut wanted) = (region.kernel.rank as usize, 0);
            for parameter in &region.parameters {
                match parameter {
                    RegionParameter::Array { .. } => {}
                    RegionParameter::Scalar(dtype) => given += words::count(*dtype),
                    RegionParameter::Reduction(_) => {
                        given += 1;
                        wanted += 1;
                    }
                }
            }
            (given, wanted)
        }
        Call::Library {
            arguments,
            keywords,
            result,
            ..
        } => {
            let named = keywords
                .iter()
                .map(|(_, operand)| operand_words(std::slice::from_ref(operand)));
            let given = operand_words(arguments) + named.sum::<usize>();
            (given, outcome_words(program, result))
        }
        Call::Draw { what, .. } => (usize::from(what.is_given_a_word()), 1),
        Call::FillRandom { .. } => (2, 0),
        Call::Release { .. } => (0, 0),
        Call::Print { parts, .. } => (operand_words(parts), 0),
        Call::Raise {
            arguments, lists, ..
        } => (operand_words(arguments) + operand_words(lists), 0),
        Call::Return { value } => (operand_words(std::slice::from_ref(value)), 0),
    }
}

/// What a call draws that a [`BitGenerator`] makes.
fn drawn_by(call: &program::Call) -> Option<program::Drawn> {
    match call {
        program::Call::Draw {
            from: program::Generator::NumPy,
            what,
        } => Some(*what).filter(|what| BitGenerator::draws(*what)),
        _ => None,
    }
}

thread_local! {
    /// Room for locals, kept between calls.
    static ROOM: RefCell<Vec<Vec<Option<crate::slot::Slot>>>> = const { RefCell::new(Vec::new()) };
}

impl Executable {
    /// Compiles a program, its regions for the target.
    pub fn new(
        program: Program,
        target: &compile::Target,
        options: &compile::Options,
    ) -> Result<Executable> {
        let (host, codes) = compile_all(&program, target, options)?;
        let KernelCode::Host(code) = &host.image.code else {
            return Err(Error::Internal("a host part is no code of the host".into()));
        };
        let entry = code.entry;
        let scratch_bytes = code.scratch_bytes + code.lanes.max(1) * code.scratch_bytes_per_item;
        let regions = program.regions.iter().zip(codes);
        let regions = regions
            .map(|(region, code)| CompiledRegion {
                codes: [
                    code.map_or_else(OnceLock::new, OnceLock::from),
                    OnceLock::new(),
                    OnceLock::new(),
                    OnceLock::new(),
                ],
                overwrites: overwrites(&region.kernel),
                in_parts: Default::default(),
                on_host: Default::default(),
            })
            .collect();
        let mut counts: Vec<_> = program
            .calls
            .iter()
            .map(|call| counts_of(&program, call))
            .collect();
        let mut guarded = vec![false; program.calls.len()];
        for &call in &program.guarded {
            counts[call].1 += 1;
            guarded[call] = true;
        }
        Ok(Executable {
            drawn: program.calls.iter().map(drawn_by).collect(),
            counts,
            guarded,
            program,
            entry,
            scratch_bytes,
            regions,
            target: target.clone(),
            options: *options,
            ready: Mutex::default(),
            _host: host,
        })
    }

    /// What it executes.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// How many words a call takes and gives.
    pub(crate) fn counts(&self, call: usize) -> (usize, usize) {
        self.counts[call]
    }

    /// What a call draws from NumPy's generator, if that is all it does.
    #[inline]
    pub(crate) fn drawn(&self, call: usize) -> Option<program::Drawn> {
        self.drawn[call]
    }

    /// Whether the host part sees the failure of a call.
    pub(crate) fn is_guarded(&self, call: usize) -> bool {
        self.guarded[call]
    }

    /// The axes of the index space that run over an array that a region surely overwrites.
    pub(crate) fn overwrites(&self, region: usize, parameter: usize) -> Option<&[u8]> {
        self.regions[region].overwrites[parameter].as_deref()
    }

    /// A place of the program, for what is recorded.
    pub(crate) fn traced(&self, site: Option<Site>) -> Option<trace::Site> {
        if !trace::enabled() {
            return None;
        }
        let site = site?;
        let file = self.program.files.get(site.file as usize)?;
        Some(trace::Site::new(
            file.name.as_str(),
            file.line(site.span) as u32,
        ))
    }

    /// The name of an argument in the program.
    pub(crate) fn leaf_name(&self, wanted: usize) -> String {
        let named = self.program.calls.iter().find_map(|call| match call {
            program::Call::Argument { leaf, local } if *leaf == wanted => Some(*local),
            _ => None,
        });
        match named {
            Some(local) => self.program.host.locals[local.index()].name.clone(),
            None => format!("argument {wanted}"),
        }
    }

    /// The regions on a queue's device.
    pub(crate) fn ready(&self, queue: &Queue) -> Arc<Ready> {
        let fits = |ready: &Arc<Ready>| {
            ready.queue.context() == queue.context() && ready.queue.device() == queue.device()
        };
        let _critical = fork::critical();
        let mut all = self
            .ready
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        if let Some(found) = all.iter().find(|one| fits(one)) {
            return found.clone();
        }
        let made = Arc::new(Ready {
            queue: queue.clone(),
            kernels: self.regions.iter().map(|_| Default::default()).collect(),
            in_parts: self.regions.iter().map(|_| Default::default()).collect(),
        });
        let oldest = (all.len() >= MOST_READY).then(|| all.remove(0));
        all.push(made.clone());
        drop(all);
        drop(oldest);
        made
    }

    /// The code of a region, which is compiled now if that was put off.
    fn code(&self, number: usize, variant: Variant) -> Result<&Arc<compile::Program>> {
        let compiled = &self.regions[number];
        let region = &self.program.regions[number];
        let variant = match variant {
            Variant::Overlapping | Variant::General if region.usual.is_none() => Variant::Usual,
            other => other,
        };
        let place = &compiled.codes[variant as usize];
        if let Some(code) = place.get() {
            return Ok(code);
        }
        let options = compile::Options {
            lanes: region.lanes,
            ..self.options
        };
        let code = compile::program(&variant.kernel(region), &self.target, &options)?;
        Ok(place.get_or_init(|| code))
    }

    /// A region's kernel on a device.
    pub(crate) fn kernel(
        &self,
        ready: &Ready,
        region: usize,
        variant: Variant,
    ) -> Result<LoadedKernel> {
        let place = &ready.kernels[region][variant as usize];
        if let Some(kernel) = place.get() {
            return Ok(kernel.clone());
        }
        let code = self.code(region, variant)?;
        let needs = Needs {
            local_bytes: code.local_bytes,
            largest_group: code.largest_group,
        };
        let name = &self.program.regions[region].kernel.name;
        // SAFETY: the image comes from our own compiler.
        let kernel = unsafe { LoadedKernel::load(&ready.queue, &code.image, name, needs) }?;
        Ok(place.get_or_init(|| kernel).clone())
    }

    /// How a region may run in parts, which it does on the native device only; `None` if it cannot.
    pub(crate) fn parts_of(&self, number: usize, variant: Variant) -> Option<&InParts> {
        if self.target != compile::Target::Host {
            return None;
        }
        let region = &self.program.regions[number];
        let place = &self.regions[number].in_parts[variant as usize];
        let plan = place.get_or_init(|| in_parts(&variant.kernel(region), region.failure()));
        plan.as_ref()
    }

    /// The kernel of a region that runs in parts.
    pub(crate) fn parts_kernel<'r>(
        &self,
        ready: &'r Ready,
        number: usize,
        variant: Variant,
        plan: &InParts,
    ) -> Result<&'r LoadedKernel> {
        let place = &ready.in_parts[number][variant as usize];
        if let Some(known) = place.get() {
            return Ok(known);
        }
        let options = compile::Options {
            lanes: Some(1),
            ..self.options
        };
        let code = compile::program(&plan.kernel, &self.target, &options)?;
        let mut image = code.image.clone();
        if let KernelCode::Host(host) = &mut image.code {
            // What a part takes is not known, but it is a lot.
            host.item_cost = LONG;
        }
        let (name, needs) = (&plan.kernel.name, Needs::default());
        // SAFETY: the image comes from our own compiler.
        let loaded = unsafe { LoadedKernel::load(&ready.queue, &image, name, needs) }?;
        Ok(place.get_or_init(|| loaded))
    }

    /// A region for the host's own queue.
    pub(crate) fn host_region(
        &self,
        queue: &Queue,
        number: usize,
        variant: Variant,
    ) -> Result<HostRegion> {
        let place = &self.regions[number].on_host[variant as usize];
        if let Some(known) = place.get() {
            return Ok(known.clone());
        }
        let region = &self.program.regions[number];
        let options = compile::Options {
            debug: false,
            lanes: region.lanes,
        };
        let kernel = variant.kernel(region);
        let code = compile::program(&kernel, &compile::Target::Host, &options)?;
        let item_ns = match &code.image.code {
            KernelCode::Host(host) => f64::from(host.item_cost),
            _ => 0.0,
        };
        let (name, needs) = (&region.kernel.name, Needs::default());
        // SAFETY: the image comes from our own compiler.
        let kernel = unsafe { LoadedKernel::load(queue, &code.image, name, needs) }?;
        let made = HostRegion { kernel, item_ns };
        Ok(place.get_or_init(|| made).clone())
    }

    /// Runs the function. What it wrote is in the caller's arrays afterwards, also if it fails. With a
    /// report, what it did is written there; regions are waited for one by one then.
    pub fn run(
        &self,
        call: &Call<'_>,
        callbacks: &mut dyn Callbacks,
        report: Option<&mut Report>,
    ) -> Result<Value> {
        let _span = trace::span(trace::Category::Call, &self.program.host.name);
        let mut slots = ROOM.with_borrow_mut(Vec::pop).unwrap_or_default();
        slots.resize(self.program.host.locals.len(), None);
        let mut state = State {
            executable: self,
            call,
            callbacks,
            slots,
            shared: Vec::new(),
            outside: Vec::new(),
            lists: crate::list_table::Lists::new(),
            ready: OnceCell::new(),
            generator: None,
            result: None,
            told: Default::default(),
            failure: None,
            report: report.is_some().then(Report::default),
            began: report.is_some().then(Instant::now),
            looked_up: None,
        };
        if !call.unified {
            state.fetch_outside()?;
            state.group_arguments();
        }
        self.enter(&mut state, call.scalars)?;
        let back = state.bring_back();
        let (result, failure) = (state.result.take(), state.failure.take());
        if let (Some(to), Some(mut made)) = (report, state.report.take()) {
            made.seconds = state.since(state.began);
            *to = made;
        }
        let mut slots = std::mem::take(&mut state.slots);
        drop(state);
        slots.clear();
        ROOM.with_borrow_mut(|room| room.push(slots));
        if let Some(failure) = failure {
            return Err(failure);
        }
        back?;
        result.ok_or_else(|| Error::Internal("the function ended without a result".into()))
    }

    fn enter(&self, state: &mut State<'_>, scalars: &[u64]) -> Result<()> {
        let mut block: SmallVec<[u64; 16]> = SmallVec::new();
        block.push(callback as *const () as u64);
        block.push(&raw mut *state as u64);
        block.extend_from_slice(scalars);
        let wanted: usize = self
            .program
            .host
            .params
            .iter()
            .map(|param| param.kind.slots())
            .sum();
        if block.len() != wanted {
            return Err(Error::Internal(format!(
                "the host part takes {wanted} slots, and {} were given",
                block.len()
            )));
        }
        let part = HostPart {
            global: [1; 3],
            local: [1; 3],
            begin: [0; 3],
            end: [1; 3],
        };
        // Most functions need none.
        let mut scratch: Vec<u8> = Vec::new();
        let mut working = std::ptr::null_mut();
        if self.scratch_bytes > 0 {
            scratch.resize(self.scratch_bytes + ALIGNMENT, 0);
            let start = scratch.as_mut_ptr();
            working = start.wrapping_add(start.align_offset(ALIGNMENT));
        }
        // SAFETY: the block has the parameters of the host part; the state is nobody else's while it runs;
        // the working memory is as large as the code says.
        unsafe { (self.entry)(block.as_ptr(), &part, working) };
        Ok(())
    }
}

/// Compiles the host part and the regions that are not rare, several at a time.
#[allow(clippy::type_complexity)]
fn compile_all(
    program: &Program,
    target: &compile::Target,
    options: &compile::Options,
) -> Result<(Arc<compile::Program>, Vec<Option<Arc<compile::Program>>>)> {
    let regions: Vec<_> = program.regions.iter().filter(|one| !one.rare).collect();
    let made: Vec<OnceLock<std::result::Result<Arc<compile::Program>, compile::Error>>> =
        (0..=regions.len()).map(|_| OnceLock::new()).collect();
    let next = AtomicUsize::new(0);
    // What other threads compile belongs to the line of this one.
    let line = trace::enabled().then(trace::line).flatten();
    let work = || {
        let _line = trace::in_line(line.clone());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = made.get(number) else { break };
            let one = match number {
                0 => compile::program(&program.host, &compile::Target::Host, options),
                _ => {
                    let region = &regions[number - 1];
                    let options = compile::Options {
                        lanes: region.lanes,
                        ..*options
                    };
                    compile::program(region.usual_kernel(), target, &options)
                }
            };
            let _ = slot.set(one);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 1..cores.min(made.len()) {
            // A thread that cannot be had is done without.
            let builder = std::thread::Builder::new().stack_size(STACK);
            let _ = builder.spawn_scoped(scope, work);
        }
        work();
    });
    let mut codes = made
        .into_iter()
        .map(|slot| slot.into_inner().expect("all were compiled"))
        .collect::<std::result::Result<Vec<_>, _>>()?;
    let host = codes.remove(0);
    let mut codes = codes.into_iter();
    let all = program.regions.iter();
    let all = all.map(|region| if region.rare { None } else { codes.next() });
    Ok((host, all.collect()))
}
