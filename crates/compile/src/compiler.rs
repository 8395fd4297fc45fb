//! Programs of this process: compiled once, kept while they are used.

use crate::artifact::{Artifact, Code};
use crate::disk_cache::{DiskCache, Found};
use crate::key::Key;
use crate::{Error, Options, Program, Target, host_code, pipeline};
use colocate_hal::{HostCode, HostEntry, KernelCode, KernelImage, SlotKind, fork};
use colocate_ir::access::param_accesses;
use colocate_ir::{Kernel, ParamKind};
use colocate_trace::{self as trace, Category};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// How many programs are kept. Those beyond live on where they are used.
const KEPT: usize = 1024;

/// Compiles kernels, and remembers what it compiled.
pub struct Compiler {
    disk: Option<DiskCache>,
    programs: Mutex<Programs>,
    kept: usize,
    counts: Counts,
}

#[derive(Default)]
struct Programs {
    slots: HashMap<Key, Slot>,
    /// Counts uses, for telling which is the oldest.
    clock: u64,
}

/// A program, or the place where it will be: locked while it is being compiled.
struct Slot {
    program: Arc<Mutex<Option<Arc<Program>>>>,
    /// The process that began it; see `hal::fork`.
    generation: u64,
    used: u64,
}

#[derive(Default)]
struct Counts {
    compiled: AtomicU64,
    memory_hits: AtomicU64,
    disk_hits: AtomicU64,
    disk_rejected: AtomicU64,
    disk_failures: AtomicU64,
}

/// How often a compiler did what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Programs that went through a code generator.
    pub compiled: u64,
    /// Programs that were found in memory.
    pub memory_hits: u64,
    /// Programs that were found on disk.
    pub disk_hits: u64,
    /// Entries on disk that were damaged or somebody else's, and were ignored.
    pub disk_rejected: u64,
    /// Programs that could not be written to disk.
    pub disk_failures: u64,
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Compiler {
    /// With an empty memory, and with or without a disk cache.
    pub fn new(disk: Option<DiskCache>) -> Compiler {
        fork::watch();
        Compiler {
            disk,
            programs: Mutex::default(),
            kept: KEPT,
            counts: Counts::default(),
        }
    }

    /// How often it did what.
    pub fn stats(&self) -> Stats {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Stats {
            compiled: read(&self.counts.compiled),
            memory_hits: read(&self.counts.memory_hits),
            disk_hits: read(&self.counts.disk_hits),
            disk_rejected: read(&self.counts.disk_rejected),
            disk_failures: read(&self.counts.disk_failures),
        }
    }

    /// The program of a kernel for a target, compiled or found. Threads that ask for the same one
    /// wait for the first of them.
    pub fn program(
        &self,
        kernel: &Kernel,
        target: &Target,
        options: &Options,
    ) -> Result<Arc<Program>, Error> {
        let key = Key::new(kernel, target, options);
        let slot = self.slot(key);
        let mut program = slot.lock().unwrap_or_else(|poison| poison.into_inner());
        if let Some(program) = &*program {
            count(&self.counts.memory_hits);
            drop(trace::instant(Category::CacheHit, &kernel.name).why(|| "memory".into()));
            return Ok(program.clone());
        }
        match self.find_or_compile(&key, kernel, target, options) {
            Ok(found) => Ok(program.insert(Arc::new(found)).clone()),
            Err(error) => {
                self.forget(&key);
                Err(error)
            }
        }
    }

    fn programs(&self) -> MutexGuard<'_, Programs> {
        self.programs
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// Where the program of a key is or will be.
    fn slot(&self, key: Key) -> Arc<Mutex<Option<Arc<Program>>>> {
        let _critical = fork::critical();
        let mut programs = self.programs();
        programs.clock += 1;
        let (clock, generation) = (programs.clock, fork::generation());
        let fresh = || Slot {
            program: Arc::default(),
            generation,
            used: clock,
        };
        let slot = programs.slots.entry(key).or_insert_with(fresh);
        // What another thread of the parent was compiling at the fork is never finished here.
        if slot.generation != generation && slot.program.try_lock().is_err() {
            *slot = fresh();
        }
        slot.used = clock;
        let found = slot.program.clone();
        let oldest = match programs.slots.len() > self.kept {
            true => programs.slots.iter().min_by_key(|(_, slot)| slot.used),
            false => None,
        };
        let oldest = oldest.map(|(key, _)| *key);
        // Freeing code takes other locks: not while this one is held.
        let dropped = oldest.and_then(|key| programs.slots.remove(&key));
        drop(programs);
        drop(dropped);
        found
    }

    fn forget(&self, key: &Key) {
        let _critical = fork::critical();
        self.programs().slots.remove(key);
    }

    fn find_or_compile(
        &self,
        key: &Key,
        kernel: &Kernel,
        target: &Target,
        options: &Options,
    ) -> Result<Program, Error> {
        // A later stage may rely on what the verifier makes sure of.
        pipeline::check(kernel)?;
        let prepared = pipeline::prepare(kernel, options);
        let finish = |artifact: Artifact, from_disk: bool| {
            Ok(Program {
                local_bytes: artifact.local_bytes,
                image: image(&prepared.kernel, artifact)?,
                accesses: param_accesses(kernel),
                checks: prepared.checks.clone(),
                largest_group: pipeline::largest_group(kernel),
                from_disk,
            })
        };
        let span = trace::span(Category::CacheHit, &kernel.name).why(|| "disk".into());
        match self.disk.as_ref().map(|disk| disk.load(key)) {
            Some(Found::Artifact(artifact)) => match finish(artifact, true) {
                Ok(program) => {
                    count(&self.counts.disk_hits);
                    return Ok(program);
                }
                Err(_) => count(&self.counts.disk_rejected),
            },
            Some(Found::Damaged) => count(&self.counts.disk_rejected),
            Some(Found::Nothing) | None => {}
        }
        span.forget();
        let artifact = pipeline::compile(prepared.kernel.clone(), target, options, &key.entry())?;
        count(&self.counts.compiled);
        if let Some(disk) = &self.disk {
            let _span = pipeline::stage(&kernel.name, "store");
            if disk.store(key, &artifact).is_err() {
                count(&self.counts.disk_failures);
            }
        }
        finish(artifact, false)
    }
}

/// An artifact as backends take it.
fn image(kernel: &Kernel, artifact: Artifact) -> Result<KernelImage, Error> {
    let (name, code) = match artifact.code {
        Code::SpirV(words) => (artifact.entry, KernelCode::SpirV(words.into())),
        Code::Host {
            object,
            scratch_bytes,
            scratch_bytes_per_item,
            lanes,
            item_cost,
        } => {
            let _span = pipeline::stage(&kernel.name, "link");
            let linked = host_code::link(&object, &artifact.entry)
                .map_err(|source| pipeline::llvm_error(kernel, source))?;
            // SAFETY: the code generator makes entry points of this type, and the code stays
            // where it is while `keep` lives.
            let entry = unsafe { std::mem::transmute::<usize, HostEntry>(linked.address()) };
            let code = HostCode {
                entry,
                scratch_bytes,
                scratch_bytes_per_item,
                lanes,
                item_cost,
                keep: linked,
            };
            // The entry point is found by its address; readers know the kernel by its own name.
            (kernel.name.clone(), KernelCode::Host(code))
        }
    };
    let slots = kernel.params.iter().flat_map(|param| {
        let first = match param.kind {
            ParamKind::Array { .. } => SlotKind::Pointer,
            ParamKind::Scalar(_) => SlotKind::Word,
        };
        let rest = std::iter::repeat_n(SlotKind::Word, param.kind.slots() - 1);
        std::iter::once(first).chain(rest)
    });
    Ok(KernelImage {
        name,
        slots: slots.collect(),
        grouped: kernel.is_nd_range(),
        code,
    })
}

#[cfg(test)]
mod tests;
