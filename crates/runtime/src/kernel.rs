//! Kernels: loading them, and launching them over an index space.
//!
//! Everything about a launch that can be wrong is checked here, with the limit in the message:
//! extents, groups, the device's limits. Whether the arguments fit the kernel is the caller's
//! matter, who knows the kernel's types.

use crate::{Context, Device, Error, Event, Queue, Result, Use};
use colocate_hal::{self as hal, Geometry, KernelCode, KernelImage, KernelRef, fork};
use colocate_trace::{self as trace, Category};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// A kernel that is ready to run on one device of a context; a cheap handle.
#[derive(Clone)]
pub struct LoadedKernel(Arc<Inner>);

struct Inner {
    hal: KernelRef,
    context: Context,
    device: Device,
    slots: usize,
    grouped: bool,
    /// As the user knows it.
    name: String,
    needs: Needs,
}

/// What a kernel's groups need, beyond what its image says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Needs {
    /// Bytes of local memory of a group.
    pub local_bytes: usize,
    /// How many items a group may have; `None` if the code does not mind.
    pub largest_group: Option<usize>,
}

/// A loaded kernel's identity: the code and how it is launched, the context and the device.
type Key = (usize, Needs, bool, &'static str, u64, u64);

/// Kernels that were loaded before, on root devices. The code is kept, because the key has its
/// address.
static LOADED: Mutex<Option<HashMap<Key, (LoadedKernel, KernelCode)>>> = Mutex::new(None);
/// With this many it is emptied, so that programs that make kernels for ever do not grow for ever.
const MOST_KEPT: usize = 1024;

fn address(code: &KernelCode) -> usize {
    match code {
        KernelCode::Host(host) => host.entry as usize,
        KernelCode::SpirV(words) => words.as_ptr() as usize,
        KernelCode::Cubin(bytes) => bytes.as_ptr() as usize,
    }
}

impl LoadedKernel {
    /// Makes an image ready to run on a queue's device, or finds that it is. Messages call it `name`.
    ///
    /// # Safety
    /// The code is valid, and does what its image says.
    pub unsafe fn load(
        queue: &Queue,
        image: &KernelImage,
        name: &str,
        needs: Needs,
    ) -> Result<LoadedKernel> {
        let (context, device) = (queue.context(), queue.device());
        let key = (
            address(&image.code),
            needs,
            image.grouped,
            context.family(),
            context.identity(),
            device.identity(),
        );
        // Contexts of parts come and go, and are not to be kept alive from here.
        let keeps = device.parent().is_none()
            && device
                .default_context()
                .is_ok_and(|default| default == *context);
        let known = || {
            let _critical = fork::critical();
            let loaded = LOADED.lock().expect("no holder panics");
            let found = loaded.as_ref()?.get(&key)?;
            Some(found.0.clone())
        };
        if let Some(found) = known() {
            return Ok(found);
        }
        // A driver may take its time to build, so no lock is held.
        let stage = match &image.code {
            KernelCode::Host(_) => "load",
            _ => "driver",
        };
        let span = trace::span(Category::Compile, name).why(|| stage.into());
        // SAFETY: the caller vouches for the image.
        let hal = unsafe { context.0.hal.load_kernel(&device.0.hal, image) }?;
        drop(span);
        let kernel = LoadedKernel(Arc::new(Inner {
            hal,
            context: context.clone(),
            device: device.clone(),
            slots: image.slots.len(),
            grouped: image.grouped,
            name: name.to_owned(),
            needs,
        }));
        if !keeps {
            return Ok(kernel);
        }
        let dropped = {
            let _critical = fork::critical();
            let mut loaded = LOADED.lock().expect("no holder panics");
            let loaded = loaded.get_or_insert_default();
            let full = loaded.len() >= MOST_KEPT;
            let dropped = full.then(|| std::mem::take(loaded));
            loaded.insert(key, (kernel.clone(), image.code.clone()));
            dropped
        };
        // Outside the lock: a driver's objects go here.
        drop(dropped);
        Ok(kernel)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Whether it runs on a queue.
    pub fn fits(&self, queue: &Queue) -> bool {
        self.0.context == *queue.context() && self.0.device == *queue.device()
    }

    fn refuse<T>(&self, why: String) -> Result<T> {
        Err(Error::Launch {
            kernel: self.name().to_owned(),
            why,
        })
    }

    /// Fails if the kernel cannot run over an index space, and says what would be possible.
    pub fn check(&self, geometry: &Geometry) -> Result<()> {
        let rank = geometry.rank;
        let info = self.0.device.info();
        let most_axes = (info.max_work_item_dims as usize).clamp(1, 3);
        if rank == 0 || rank > most_axes {
            return self.refuse(format!(
                "an index space has 1 to {most_axes} axes, not {rank}"
            ));
        }
        let items = geometry
            .global
            .iter()
            .try_fold(1usize, |all, &extent| all.checked_mul(extent));
        if items.is_none_or(|items| items > isize::MAX as usize) {
            return self.refuse(format!(
                "the global size {} has more items than can be counted",
                extents(geometry.global, rank)
            ));
        }
        match (&geometry.local, self.0.grouped) {
            (None, false) => Ok(()),
            (Some(local), true) => self.check_groups(geometry.global, *local, rank),
            (Some(_), false) => self.refuse("it was compiled without a local size".into()),
            (None, true) => self.refuse("it needs a local size".into()),
        }
    }

    fn check_groups(&self, global: [usize; 3], local: [usize; 3], rank: usize) -> Result<()> {
        let info = self.0.device.info();
        let shown = extents(local, rank);
        if local.contains(&0) {
            return self.refuse(format!("the local size {shown} has an extent of 0"));
        }
        for axis in 0..rank {
            if !global[axis].is_multiple_of(local[axis]) {
                let rounded = global[axis].next_multiple_of(local[axis]);
                return self.refuse(format!(
                    "the local size {shown} does not divide the global size {}: {} is no multiple of {} \
                     on axis {axis}; round the global size up to {rounded} and let the items beyond \
                     return, or choose another local size",
                    extents(global, rank),
                    global[axis],
                    local[axis],
                ));
            }
        }
        let label = self.0.device.label();
        let most = match rank {
            1 => &info.max_work_item_sizes1d,
            2 => &info.max_work_item_sizes2d,
            _ => &info.max_work_item_sizes3d,
        };
        for (axis, (&extent, &limit)) in local.iter().zip(most).enumerate().take(rank) {
            if extent as u64 > limit {
                return self.refuse(format!(
                    "the local size {shown} is too large for {label}, which allows {limit} on axis {axis}"
                ));
            }
        }
        let items = local
            .iter()
            .try_fold(1usize, |all, &extent| all.checked_mul(extent));
        let of_device = info.max_work_group_size as usize;
        let of_kernel = self.0.hal.max_group_size();
        let (limit, whose) = [
            (of_device, "the device's limit"),
            (of_kernel, "the limit of this kernel on the device"),
            (
                self.0.needs.largest_group.unwrap_or(usize::MAX),
                "the limit of this kernel's code",
            ),
        ]
        .into_iter()
        .filter(|(limit, _)| *limit > 0)
        .min_by_key(|(limit, _)| *limit)
        .expect("there are limits");
        if items.is_none_or(|items| items > limit) {
            let items = items.map_or("too many".into(), |items| items.to_string());
            return self.refuse(format!(
                "the local size {shown} makes groups of {items} items; on {label} a group may have {limit} \
                 ({whose})"
            ));
        }
        let (wanted, there_is) = (self.0.needs.local_bytes as u64, info.local_mem_size);
        if wanted > there_is {
            return self.refuse(format!(
                "its local arrays take {wanted} bytes; on {label} a group may have {there_is}"
            ));
        }
        Ok(())
    }
}

/// As the user writes it.
fn extents(all: [usize; 3], rank: usize) -> String {
    match &all[..rank.clamp(1, 3)] {
        [one] => one.to_string(),
        several => format!("{several:?}").replace('[', "(").replace(']', ")"),
    }
}

impl PartialEq for LoadedKernel {
    fn eq(&self, other: &LoadedKernel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for LoadedKernel {}

impl std::fmt::Debug for LoadedKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "LoadedKernel({} on {})",
            self.name(),
            self.0.device.label()
        )
    }
}

impl Queue {
    /// Runs a kernel over an index space, after the work that its memory and `after` ask for.
    /// Does not wait for the end; the memory of `uses` stays until then.
    ///
    /// # Safety
    /// The block fits the kernel's parameters; every pointer in it lies in memory of `uses` (and is
    /// used as said there), or in other memory that the device reaches and that stays
    /// valid and unused by others until the event is complete; the kernel stays inside its arrays.
    pub unsafe fn launch(
        &self,
        kernel: &LoadedKernel,
        arguments: &[u64],
        geometry: &Geometry,
        uses: &[Use<'_>],
        after: &[Event],
    ) -> Result<Event> {
        kernel.check(geometry)?;
        if !kernel.fits(self) {
            return kernel.refuse("it was loaded for another device or context".into());
        }
        if arguments.len() != kernel.0.slots {
            return kernel.refuse(format!(
                "it takes {} argument slots, and {} were given",
                kernel.0.slots,
                arguments.len()
            ));
        }
        for one in uses {
            if !self.can_access(one.usm) {
                return Err(Error::Mismatch(format!(
                    "a kernel on {} cannot use memory of {}",
                    self.device().label(),
                    one.usm.device().label()
                )));
            }
        }
        let items = geometry.items() as u64;
        self.reported(Category::Kernel, kernel.name(), (items, 0), || {
            self.submit(uses, after, |deps| {
                // SAFETY: group extents were checked; the rest is the caller's word.
                unsafe { self.0.hal.launch(&kernel.0.hal, arguments, geometry, deps) }
            })
        })
    }

    /// Runs a kernel over one axis on this thread, if that is quick and there is nothing to wait for and nobody to
    /// tell of it. Whether it did; then it is over, and there is no event.
    ///
    /// # Safety
    /// As for [`Queue::launch`]; the kernel fits the queue, and the queue's device reaches the memory.
    pub unsafe fn run_at_once(
        &self,
        kernel: &LoadedKernel,
        arguments: &[u64],
        items: usize,
        uses: &[Use<'_>],
    ) -> Result<bool> {
        if trace::enabled() || !uses.iter().all(|one| one.usm.is_idle()) {
            return Ok(false);
        }
        let hal = &self.0.hal;
        // SAFETY: the caller's word.
        Ok(unsafe { hal.run_at_once(&kernel.0.hal, arguments, items) }?)
    }
}

/// An index space of one to three axes; `None` if there are more or none.
pub fn geometry(global: &[usize], local: Option<&[usize]>) -> Option<hal::Geometry> {
    let spread = |given: &[usize]| {
        let mut all = [1; 3];
        all.get_mut(..given.len())?.copy_from_slice(given);
        Some(all)
    };
    if global.is_empty() || local.is_some_and(|local| local.len() != global.len()) {
        return None;
    }
    Some(Geometry {
        rank: global.len(),
        global: spread(global)?,
        local: match local {
            Some(local) => Some(spread(local)?),
            None => None,
        },
    })
}
