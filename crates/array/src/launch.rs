//! Kernels of the array library: found by a key, compiled once for a device, launched.
//!
//! What a call costs if everything is known: one hash of the key and one look-up.

use crate::{Array, Error, Result};
use colocate_compile as compile;
use colocate_ir::{DType, Kernel, Literal};
use colocate_runtime::{
    Access, Aspect, Device, Event, Geometry, LoadedKernel, Needs, Queue, Use, geometry, hal::fork,
};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::RwLock;

/// What tells one kernel of ours from another. Two kernels with equal keys are the same kernel.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KernelKey {
    /// The function that builds it.
    pub family: &'static str,
    /// Everything that the IR depends on: operation, dtypes, rank, layout class.
    pub words: SmallVec<[u32; 16]>,
}

impl KernelKey {
    /// The kernel of a family that these numbers name.
    pub fn new(family: &'static str, words: &[u32]) -> KernelKey {
        KernelKey {
            family,
            words: SmallVec::from_slice(words),
        }
    }
}

/// The arguments of a launch, parameter by parameter: the block of slots, and the memory used.
#[derive(Default)]
pub struct Arguments<'a> {
    slots: SmallVec<[u64; 24]>,
    uses: SmallVec<[Use<'a>; 4]>,
}

impl<'a> Arguments<'a> {
    /// None yet.
    pub fn new() -> Arguments<'a> {
        Arguments::default()
    }

    /// An array for a contiguous parameter of this shape, from the array's first element on.
    pub fn contiguous(&mut self, array: &'a Array, access: Access, shape: &[usize]) {
        self.pointer(array, access, 0);
        self.slots.extend(shape.iter().map(|&extent| extent as u64));
    }

    /// An array for a strided parameter; strides are counted in elements.
    pub fn strided(
        &mut self,
        array: &'a Array,
        access: Access,
        shape: &[usize],
        strides: &[isize],
    ) {
        self.strided_from(array, access, 0, shape, strides);
    }

    /// The same, from an element on that lies this many elements after the array's first.
    pub fn strided_from(
        &mut self,
        array: &'a Array,
        access: Access,
        first: isize,
        shape: &[usize],
        strides: &[isize],
    ) {
        self.pointer(array, access, first);
        self.slots.extend(shape.iter().map(|&extent| extent as u64));
        let item = array.dtype().itemsize() as isize;
        let bytes = strides.iter().map(|&stride| (stride * item) as u64);
        self.slots.extend(bytes);
    }

    fn pointer(&mut self, array: &'a Array, access: Access, first: isize) {
        let bytes = first * array.dtype().itemsize() as isize;
        self.slots
            .push(array.pointer().wrapping_offset(bytes) as u64);
        self.uses.push(Use {
            usm: array.usm(),
            access,
        });
    }

    /// A scalar.
    pub fn scalar(&mut self, value: Literal) {
        let bits = |dtype: DType, number: f64| match dtype {
            DType::Float16 => u64::from(half::f16::from_f64(number).to_bits()),
            DType::Float32 | DType::Complex64 => u64::from((number as f32).to_bits()),
            _ => number.to_bits(),
        };
        match value {
            Literal::Bool(truth) => self.slots.push(u64::from(truth)),
            Literal::Int(_, number) => self.slots.push(number as u64),
            Literal::Float(dtype, number) => self.slots.push(bits(dtype, number)),
            Literal::Complex(dtype @ DType::Complex64, re, im) => {
                self.slots.push(bits(dtype, re) | bits(dtype, im) << 32);
            }
            Literal::Complex(dtype, re, im) => {
                self.slots.extend([bits(dtype, re), bits(dtype, im)]);
            }
        }
    }

    /// An int64.
    pub fn int64(&mut self, number: i64) {
        self.slots.push(number as u64);
    }
}

/// A kernel on a device.
type Key = (KernelKey, &'static str, u64, u64);

/// Keys are short and come from ourselves: a multiplication for each word is enough.
#[derive(Default)]
struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

type Known = HashMap<Key, LoadedKernel, BuildHasherDefault<QuickHasher>>;
static KNOWN: RwLock<Option<Known>> = RwLock::new(None);
/// With this many the cache is emptied, so that contexts that come and go do not fill it.
const MOST_KNOWN: usize = 8192;

/// What a device takes.
pub fn target_of(device: &Device) -> compile::Target {
    match device.family() {
        "native" => compile::Target::Host,
        _ => compile::Target::SpirV {
            float64: device.has(Aspect::Fp64),
            int64_atomics: device.has(Aspect::Atomic64),
        },
    }
}

/// The kernel of a key on a queue's device; built and compiled at its first use.
pub fn kernel(
    queue: &Queue,
    key: &KernelKey,
    build: impl FnOnce() -> Kernel,
) -> Result<LoadedKernel> {
    let context = queue.context();
    let whole = (
        key.clone(),
        context.family(),
        context.identity(),
        queue.device().identity(),
    );
    {
        let _critical = fork::critical();
        let known = KNOWN.read().expect("no holder panics");
        if let Some(found) = known.as_ref().and_then(|known| known.get(&whole)) {
            return Ok(found.clone());
        }
    }
    let kernel = build();
    let options = compile::Options::default();
    let program = compile::program(&kernel, &target_of(queue.device()), &options)
        .map_err(|failure| Error::Compile(failure.into()))?;
    let needs = Needs {
        local_bytes: program.local_bytes,
        largest_group: program.largest_group,
    };
    // SAFETY: the image comes from our own compiler.
    let loaded = unsafe { LoadedKernel::load(queue, &program.image, &kernel.name, needs) }?;
    let dropped = {
        let _critical = fork::critical();
        let mut known = KNOWN.write().expect("no holder panics");
        let known = known.get_or_insert_default();
        let full = known.len() >= MOST_KNOWN;
        let dropped = full.then(|| std::mem::take(known));
        known.insert(whole, loaded.clone());
        dropped
    };
    drop(dropped);
    Ok(loaded)
}

/// How many kernels a thread remembers for [`launch_plain`].
const REMEMBERED: usize = 64;

/// A kernel, the number it was asked for by, and the context and device it is for.
type Remembered = Option<(u64, (u64, u64), LoadedKernel)>;

thread_local! {
    static PLAIN: std::cell::RefCell<[Remembered; REMEMBERED]> =
        const { std::cell::RefCell::new([const { None }; REMEMBERED]) };
}

/// Launches a kernel over one axis that is named by a number; `find` is asked for it if this thread
/// does not remember it.
///
/// # Safety
/// As for [`launch`]; the same number always stands for the same kernel.
pub unsafe fn launch_plain(
    queue: &Queue,
    number: u64,
    find: impl FnOnce() -> Result<LoadedKernel>,
    arguments: &Arguments<'_>,
    size: usize,
) -> Result<()> {
    let place = (queue.context().identity(), queue.device().identity());
    let slot = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
    let run = |kernel: &LoadedKernel| {
        let (slots, uses) = (&arguments.slots, &arguments.uses);
        // SAFETY: the caller's word; the kernel was found for this queue.
        if unsafe { queue.run_at_once(kernel, slots, size, uses) }? {
            return Ok(());
        }
        let space = Geometry {
            rank: 1,
            global: [size, 1, 1],
            local: None,
        };
        // SAFETY: the caller's word.
        unsafe { queue.launch(kernel, slots, &space, uses, &[]) }?;
        Ok(())
    };
    let known = PLAIN.with_borrow(|all| match &all[slot] {
        Some((known, there, kernel))
            if *known == number && *there == place && kernel.fits(queue) =>
        {
            Some(run(kernel))
        }
        _ => None,
    });
    if let Some(launched) = known {
        return launched;
    }
    let kernel = find()?;
    let before = PLAIN.with_borrow_mut(|all| all[slot].replace((number, place, kernel.clone())));
    drop(before);
    run(&kernel)
}

/// Launches the kernel of a key over an index space of one to three axes. Does not wait.
///
/// # Safety
/// The arguments fit the kernel's parameters, every access of the kernel stays inside the arrays,
/// and what it does with each is what was said of it.
pub unsafe fn launch(
    queue: &Queue,
    key: &KernelKey,
    build: impl FnOnce() -> Kernel,
    arguments: &Arguments<'_>,
    global: &[usize],
    local: Option<&[usize]>,
) -> Result<Event> {
    let kernel = kernel(queue, key, build)?;
    let space = geometry(global, local).expect("an index space has one to three axes");
    // SAFETY: the caller's word.
    Ok(unsafe { queue.launch(&kernel, &arguments.slots, &space, &arguments.uses, &[]) }?)
}
