//! Kernels that are machine code in this process, and how their index spaces are shared out.
//!
//! A launch that takes less time than handing it over runs on its caller, as one box. Any other
//! is cut into boxes, several for each thread so that all end at about the same time, but none so
//! small that taking it costs more than running it. Working memory belongs to the thread that runs
//! a box and is kept for the next one.
//!
//! What always holds: the boxes of a launch are disjoint and cover the space; a pending launch
//! keeps its code alive. What generated code does is not known here: its cost is what its image says.

use crate::device::LARGEST_GROUP;
use crate::memory;
use colocate_hal::{
    ALIGNMENT, Error, Geometry, HostCode, HostPart, HostTask, Kernel, KernelCode, KernelImage,
    KernelRef, Result, UsmKind,
};
use std::any::Any;
use std::cell::RefCell;
use std::ptr::NonNull;

/// Below this much work, in nanoseconds, a launch runs on its caller: waking a thread costs as much.
const INLINE_COST: f64 = 25_000.0;
/// How much work a part has at least, in nanoseconds.
const PART_COST: f64 = 30_000.0;
/// How many parts there are for each thread if there is enough to do.
const PARTS_A_THREAD: usize = 6;
/// A group that the caller left to us has at most this many items.
const CHOSEN_GROUP: usize = 256;
/// A thread keeps working memory up to this size for the next part.
const KEPT_BYTES: usize = 16 << 20;

/// A kernel.
pub struct NativeKernel {
    name: String,
    slots: usize,
    grouped: bool,
    code: HostCode,
}

impl NativeKernel {
    /// The kernel of an image.
    pub fn load(image: &KernelImage, device: &str) -> Result<NativeKernel> {
        let KernelCode::Host(code) = &image.code else {
            let operation = format!("load the kernel {}", image.name);
            let why = "its code is not machine code of the host";
            return Err(Error::invalid(&operation, device, why));
        };
        Ok(NativeKernel {
            name: image.name.clone(),
            slots: image.slots.len(),
            grouped: image.grouped,
            code: code.clone(),
        })
    }

    /// How it runs over an index space on a device with this many threads.
    pub fn plan(
        &self,
        arguments: &[u64],
        geometry: &Geometry,
        device: &str,
        threads: usize,
    ) -> Result<Plan> {
        if arguments.len() != self.slots {
            let why = format!(
                "it takes {} argument slots, and {} were given",
                self.slots,
                arguments.len()
            );
            return Err(Error::invalid(&self.running(), device, why));
        }
        let last = geometry.rank - 1;
        let local = match (self.grouped, geometry.local) {
            (false, _) => [1; 3],
            (true, Some(local)) => local,
            (true, None) => {
                let mut local = [1; 3];
                local[last] = largest_divisor(geometry.global[last], CHOSEN_GROUP);
                local
            }
        };
        let lanes = self.code.lanes.max(1);
        let scratch = self.scratch_bytes(local, last, lanes);
        let Some(scratch) = scratch.filter(|&bytes| memory::is_there(bytes, threads)) else {
            let bytes = scratch.unwrap_or(usize::MAX);
            return Err(memory::none_left(bytes, UsmKind::Host, device));
        };
        let mut extents = geometry.global;
        for axis in 0..3 {
            extents[axis] /= local[axis];
        }
        Ok(Plan {
            global: geometry.global,
            local,
            extents,
            last,
            step: if self.grouped { 1 } else { lanes },
            cost: geometry.items() as f64 * f64::from(self.code.item_cost).max(0.0),
            threads,
            scratch,
        })
    }

    fn scratch_bytes(&self, local: [usize; 3], last: usize, lanes: usize) -> Option<usize> {
        let mut bytes = self.code.scratch_bytes_per_item;
        if bytes == 0 {
            return Some(self.code.scratch_bytes);
        }
        for (axis, &extent) in local.iter().enumerate() {
            let extent = match axis == last {
                true => extent.checked_next_multiple_of(lanes)?,
                false => extent,
            };
            bytes = bytes.checked_mul(extent)?;
        }
        bytes.checked_add(self.code.scratch_bytes)
    }

    /// Whether a line of items is not worth a plan.
    pub fn is_quick(&self, slots: usize, items: usize) -> bool {
        let needs_memory = self.code.scratch_bytes + self.code.scratch_bytes_per_item > 0;
        slots == self.slots
            && !self.grouped
            && !needs_memory
            && items as f64 * f64::from(self.code.item_cost) <= INLINE_COST
    }

    /// Runs a line of items on this thread.
    ///
    /// # Safety
    /// As for `colocate_hal::Queue::launch`; it [is quick](Self::is_quick).
    pub unsafe fn run_quick(&self, arguments: &[u64], items: usize) {
        let space = [items as i64, 1, 1];
        let part = HostPart {
            global: space,
            local: [1; 3],
            begin: [0; 3],
            end: space,
        };
        let none = std::ptr::without_provenance_mut(ALIGNMENT);
        // SAFETY: the caller's word; the code touches no working memory.
        unsafe { (self.code.entry)(arguments.as_ptr(), &part, none) };
    }

    /// Runs the whole space on this thread.
    ///
    /// # Safety
    /// As for `colocate_hal::Queue::launch`, with a plan of this kernel for these arguments.
    pub unsafe fn run_whole(&self, arguments: &[u64], plan: &Plan) -> Result<()> {
        let part = plan.part(&[1; 3], 0);
        // SAFETY: passed on from the caller.
        unsafe { self.run_part(arguments, &part, plan.scratch) }
    }

    /// # Safety
    /// As for [`NativeKernel::run_whole`]; no part runs twice.
    unsafe fn run_part(&self, arguments: &[u64], part: &HostPart, scratch: usize) -> Result<()> {
        let entry = self.code.entry;
        if scratch == 0 {
            let none = std::ptr::without_provenance_mut(ALIGNMENT);
            // SAFETY: the caller's word; the code touches no working memory.
            unsafe { entry(arguments.as_ptr(), part, none) };
            return Ok(());
        }
        SCRATCH.with_borrow_mut(|buffer| {
            let memory = buffer.of_size(scratch)?;
            // SAFETY: the caller's word; the working memory has the size asked for and is this
            // thread's alone until the call returns.
            unsafe { entry(arguments.as_ptr(), part, memory.as_ptr()) };
            if scratch > KEPT_BYTES {
                *buffer = Scratch::EMPTY;
            }
            Ok(())
        })
    }

    fn running(&self) -> String {
        format!("run the kernel {}", self.name)
    }
}

/// A launch as work for a queue.
///
/// # Safety
/// As for `colocate_hal::Queue::launch`; `kernel` is native, and the plan is its own for these
/// arguments. Both hold until the task has run.
pub unsafe fn task(kernel: &KernelRef, arguments: &[u64], plan: Plan) -> HostTask {
    let pieces = plan.pieces();
    let arguments: Box<[u64]> = arguments.into();
    let kernel = kernel.clone();
    HostTask {
        parts: pieces.iter().product(),
        small: false,
        run: Box::new(move |number| {
            let native = as_native_kernel(&kernel).expect("the caller looked");
            let part = plan.part(&pieces, number);
            // SAFETY: the caller's word; parts are disjoint, and each is run once.
            let outcome = unsafe { native.run_part(&arguments, &part, plan.scratch) };
            if let Err(error) = outcome {
                // The event takes the message; there is no mistake of ours to report.
                std::panic::resume_unwind(Box::new(error.to_string()));
            }
        }),
    }
}

/// How a kernel runs over an index space.
pub struct Plan {
    global: [usize; 3],
    local: [usize; 3],
    /// What is shared out: items, or groups if there are any.
    extents: [usize; 3],
    /// The fastest axis.
    last: usize,
    /// Parts begin at multiples of this along the fastest axis.
    step: usize,
    /// About how many nanoseconds it takes on one thread.
    cost: f64,
    threads: usize,
    /// Bytes of working memory for each part.
    scratch: usize,
}

impl Plan {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.extents.contains(&0)
    }

    /// Whether other threads are not worth their while.
    pub fn is_small(&self) -> bool {
        self.cost <= INLINE_COST
    }

    /// Into how many pieces each axis is cut. The slowest axes are cut first: long rows stay whole.
    fn pieces(&self) -> [usize; 3] {
        let most = self.threads.saturating_mul(PARTS_A_THREAD);
        let mut wanted = ((self.cost / PART_COST) as usize).clamp(1, most.max(1));
        let mut pieces = [1; 3];
        for (axis, count) in pieces.iter_mut().enumerate() {
            *count = self.steps(axis).clamp(1, wanted);
            wanted = wanted.div_ceil(*count);
        }
        pieces
    }

    /// How many indivisible pieces an axis has.
    fn steps(&self, axis: usize) -> usize {
        match axis == self.last {
            true => self.extents[axis].div_ceil(self.step),
            false => self.extents[axis],
        }
    }

    /// One box of those that `pieces` cuts the space into.
    fn part(&self, pieces: &[usize; 3], number: usize) -> HostPart {
        let mut part = HostPart {
            global: self.global.map(|extent| extent as i64),
            local: self.local.map(|extent| extent as i64),
            begin: [0; 3],
            end: [0; 3],
        };
        let mut rest = number;
        for axis in (0..3).rev() {
            let position = rest % pieces[axis];
            rest /= pieces[axis];
            let (whole, more) = (
                self.steps(axis) / pieces[axis],
                self.steps(axis) % pieces[axis],
            );
            // The first ones are longer by one where it does not come out even.
            let first = |position: usize| {
                let steps = position * whole + position.min(more);
                let step = if axis == self.last { self.step } else { 1 };
                (steps * step).min(self.extents[axis]) as i64
            };
            part.begin[axis] = first(position);
            part.end[axis] = first(position + 1);
        }
        part
    }
}

/// The largest divisor of a number up to a limit; 1 for 0.
fn largest_divisor(number: usize, limit: usize) -> usize {
    let candidates = (1..=limit.min(number)).rev();
    let mut divisors = candidates.filter(|&divisor| number.is_multiple_of(divisor));
    divisors.next().unwrap_or(1)
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = const { RefCell::new(Scratch::EMPTY) };
}

/// A thread's working memory.
struct Scratch {
    memory: Option<NonNull<u8>>,
    bytes: usize,
}

impl Scratch {
    const EMPTY: Scratch = Scratch {
        memory: None,
        bytes: 0,
    };

    /// At least this much memory, with anything in it.
    fn of_size(&mut self, bytes: usize) -> Result<NonNull<u8>> {
        if let Some(memory) = self.memory
            && self.bytes >= bytes
        {
            return Ok(memory);
        }
        *self = Scratch::EMPTY;
        // Growing by powers of two, it is soon large enough for all kernels.
        let bytes = bytes.checked_next_power_of_two().unwrap_or(bytes);
        let memory = memory::allocate(bytes, UsmKind::Host, "this thread")?;
        *self = Scratch {
            memory: Some(memory),
            bytes,
        };
        Ok(memory)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(memory) = self.memory {
            // SAFETY: allocated with this size by `of_size`; no kernel runs on this thread now.
            unsafe { memory::release(memory, self.bytes) };
        }
    }
}

/// The native kernel behind a handle, if it is one.
pub fn as_native_kernel(kernel: &KernelRef) -> Option<&NativeKernel> {
    kernel.as_any().downcast_ref()
}

impl Kernel for NativeKernel {
    fn name(&self) -> &str {
        &self.name
    }

    /// What the device says: a group runs on one thread, whatever its size.
    fn max_group_size(&self) -> usize {
        LARGEST_GROUP
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for NativeKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NativeKernel({})", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boxes_of_a_plan_are_disjoint_and_cover_the_space() {
        let extents = [1, 2, 3, 5, 8, 13, 40];
        for (e0, e1) in extents.iter().flat_map(|&a| extents.map(|b| (a, b))) {
            for (e2, last, step) in [(1, 1, 1), (1, 1, 4), (9, 2, 4), (64, 2, 8), (7, 2, 1)] {
                for cost in [0.0, 1e5, 1e6, 1e9] {
                    let plan = Plan {
                        global: [e0, e1, e2],
                        local: [1; 3],
                        extents: [e0, e1, e2],
                        last,
                        step,
                        cost,
                        threads: 4,
                        scratch: 0,
                    };
                    let pieces = plan.pieces();
                    let mut seen = vec![0; e0 * e1 * e2];
                    for number in 0..pieces.iter().product() {
                        let part = plan.part(&pieces, number);
                        assert!((0..3).all(|axis| part.begin[axis] < part.end[axis]));
                        assert_eq!(part.begin[last] as usize % step, 0);
                        let [r0, r1, r2] = [0, 1, 2]
                            .map(|axis| part.begin[axis] as usize..part.end[axis] as usize);
                        for i in r0 {
                            for j in r1.clone() {
                                r2.clone().for_each(|k| seen[(i * e1 + j) * e2 + k] += 1);
                            }
                        }
                    }
                    assert!(seen.iter().all(|&count| count == 1), "{e0} {e1} {e2}");
                }
            }
        }
    }

    #[test]
    fn much_work_is_cut_into_several_parts_a_thread_and_little_into_few() {
        let parts = |items: usize, cost: f64| -> usize {
            let plan = Plan {
                global: [items, 1, 1],
                local: [1; 3],
                extents: [items, 1, 1],
                last: 0,
                step: 8,
                cost,
                threads: 4,
                scratch: 0,
            };
            plan.pieces().iter().product()
        };
        assert_eq!(parts(1 << 20, 1e9), 4 * PARTS_A_THREAD);
        assert_eq!(parts(1 << 20, 2.5 * PART_COST), 2);
        assert_eq!(parts(16, 1e9), 2);
        assert_eq!(parts(1 << 20, f64::NAN), 1);
    }

    #[test]
    fn a_group_left_to_us_divides_the_space() {
        for (number, limit, divisor) in [(0, 8, 1), (1, 8, 1), (12, 8, 6), (17, 8, 1), (8, 8, 8)] {
            assert_eq!(largest_divisor(number, limit), divisor);
        }
    }

    #[test]
    fn working_memory_grows_and_stays_aligned() {
        let mut scratch = Scratch::EMPTY;
        let mut largest = 0;
        for bytes in [1, 100, 64, 5000, 3 << 20] {
            let memory = scratch.of_size(bytes).unwrap();
            assert_eq!(memory.as_ptr() as usize % ALIGNMENT, 0);
            assert!(scratch.bytes >= bytes && scratch.bytes >= largest);
            largest = scratch.bytes;
        }
        assert!(scratch.of_size(1 << 50).is_err());
        scratch.of_size(10).unwrap();
    }
}
