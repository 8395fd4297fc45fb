//! What it costs to use a device: measured, once for each device in a process.
//!
//! Who decides whether work is worth a device asks [`of`]. The first question about a device takes some
//! tens of milliseconds; nobody is measured who is not asked about.

use crate::launch::{Arguments, KernelKey, launch};
use crate::{Array, Result};
use colocate_dtype::DType;
use colocate_ir::{
    ArrayRef, BinaryOp, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout, Literal,
    ParamKind, Place,
};
use colocate_runtime::hal::{fork, timing::now};
use colocate_runtime::{Access, Queue, UsmKind, trace};
use std::collections::HashMap;
use std::sync::Mutex;

/// What a copy costs: so much, and so much for each byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyCost {
    /// Nanoseconds for a few bytes.
    pub latency_ns: f64,
    /// How fast many bytes go.
    pub bytes_per_second: f64,
}

impl CopyCost {
    /// Nanoseconds for so many bytes.
    pub fn ns(&self, bytes: u64) -> f64 {
        self.latency_ns + bytes as f64 / self.bytes_per_second * 1e9
    }
}

/// What it costs to use a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Nanoseconds to submit a kernel of one item and to wait for its end.
    pub launch_ns: f64,
    /// From host memory to the device's.
    pub to_device: CopyCost,
    /// And back.
    pub to_host: CopyCost,
    /// How fast kernels read and write memory: bytes of both, added up.
    pub stream_bytes_per_second: f64,
    /// How many multiplications and additions of float32 kernels do.
    pub operations_per_second: f64,
}

/// Elements of the arrays for bandwidths, as float32.
const MANY: usize = 8 << 20;
/// Items of the kernel that computes, and its operations an item.
const ITEMS: usize = 128 << 10;
const OPERATIONS: usize = 64;
/// How often short things are done, after a few that do not count, and how often long ones.
const SHORT: usize = 31;
const LONG: usize = 4;

/// Measured before: by backend and device.
static KNOWN: Mutex<Option<HashMap<(&'static str, u64), Costs>>> = Mutex::new(None);

/// What it costs to use a queue's device, if that was measured before.
pub fn known(queue: &Queue) -> Option<Costs> {
    let key = (queue.device().family(), queue.device().identity());
    let _critical = fork::critical();
    let known = KNOWN.lock().expect("no holder panics");
    known.as_ref().and_then(|known| known.get(&key)).copied()
}

/// What it costs to use a queue's device; measured on this queue if nobody has asked before. Waits for
/// the queue's work.
pub fn of(queue: &Queue) -> Result<Costs> {
    if let Some(known) = known(queue) {
        return Ok(known);
    }
    let key = (queue.device().family(), queue.device().identity());
    // No lock is held meanwhile: two who ask at once both measure, and the first one is believed.
    let measured = measure(queue)?;
    let _critical = fork::critical();
    let mut known = KNOWN.lock().expect("no holder panics");
    Ok(*known.get_or_insert_default().entry(key).or_insert(measured))
}

fn measure(queue: &Queue) -> Result<Costs> {
    let _why = trace::because(|| "costs of the device are measured".into());
    queue.wait()?;
    let one = Array::full(&[1], DType::Float32, UsmKind::Device, queue, &[0; 4])?;
    let many = Array::full(&[MANY], DType::Float32, UsmKind::Device, queue, &[0; 4])?;
    let mut host = vec![0u8; many.nbytes()];
    let launch_ns = median(SHORT, || run(queue, &one, Probe::Stream))?;
    let to_device = copy_cost(
        median(SHORT, || one.write_from(&host[..4]))?,
        quickest(LONG, || many.write_from(&host))?,
        many.nbytes(),
    );
    // SAFETY: the vector has room for either array.
    let mut read = |array: &Array| unsafe { array.read_into(host.as_mut_ptr()) };
    let to_host = copy_cost(
        median(SHORT, || read(&one))?,
        quickest(LONG, || read(&many))?,
        many.nbytes(),
    );
    let stream = quickest(LONG, || run(queue, &many, Probe::Stream))?;
    let items = Array::full(&[ITEMS], DType::Float32, UsmKind::Device, queue, &[0; 4])?;
    let compute = quickest(LONG, || run(queue, &items, Probe::Compute))?;
    let rate = |amount: usize, ns: f64| amount as f64 / (ns - launch_ns).max(ns / 16.0) * 1e9;
    Ok(Costs {
        launch_ns,
        to_device,
        to_host,
        stream_bytes_per_second: rate(2 * many.nbytes(), stream),
        operations_per_second: rate(ITEMS * OPERATIONS, compute),
    })
}

fn copy_cost(latency_ns: f64, ns: f64, bytes: usize) -> CopyCost {
    CopyCost {
        latency_ns,
        bytes_per_second: bytes as f64 / (ns - latency_ns).max(ns / 16.0) * 1e9,
    }
}

/// Nanoseconds of each of `count` runs, after three that are not counted.
fn times(count: usize, mut work: impl FnMut() -> Result<()>) -> Result<Vec<f64>> {
    for _ in 0..3 {
        work()?;
    }
    let mut all = Vec::with_capacity(count);
    for _ in 0..count {
        let before = now();
        work()?;
        all.push((now() - before).max(1) as f64);
    }
    all.sort_unstable_by(f64::total_cmp);
    Ok(all)
}

fn median(count: usize, work: impl FnMut() -> Result<()>) -> Result<f64> {
    Ok(times(count, work)?[count / 2])
}

fn quickest(count: usize, work: impl FnMut() -> Result<()>) -> Result<f64> {
    Ok(times(count, work)?[0])
}

/// What a kernel is run for.
#[derive(Clone, Copy)]
enum Probe {
    /// To read and write an element.
    Stream,
    /// To compute with it, too.
    Compute,
}

impl Probe {
    /// `x[i] = x[i] * 0.5 + 1`, once or many times over.
    fn build(self) -> Kernel {
        let (name, steps) = match self {
            Probe::Stream => ("probe_stream", 1),
            Probe::Compute => ("probe_compute", OPERATIONS / 2),
        };
        let kind = KernelKind::Region { reductions: vec![] };
        let mut b = KernelBuilder::new(name, 1, kind);
        let array = ParamKind::Array {
            dtype: DType::Float32,
            rank: 1,
            layout: Layout::Contiguous,
        };
        let x = ArrayRef::Param(b.param("x", array));
        let index = b.index(IndexFunction::GlobalId, 0);
        let half = b.literal(Literal::Float(DType::Float32, 0.5));
        let one = b.literal(Literal::Float(DType::Float32, 1.0));
        let mut value = b.load(Place::new(x, [index]));
        for _ in 0..steps {
            value = b.binary(BinaryOp::Multiply, value, half);
            value = b.binary(BinaryOp::Add, value, one);
        }
        b.store(Place::new(x, [index]), value);
        b.finish()
    }
}

fn run(queue: &Queue, array: &Array, probe: Probe) -> Result<()> {
    let mut arguments = Arguments::new();
    arguments.contiguous(array, Access::Write, array.shape());
    let key = KernelKey::new("costs", &[probe as u32]);
    let build = || probe.build();
    // SAFETY: the kernel reads and writes the one array, in which every item has an element.
    let event = unsafe { launch(queue, &key, build, &arguments, array.shape(), None) }?;
    Ok(event.wait()?)
}
