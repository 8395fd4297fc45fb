//! Solutions and decompositions of matrices.
//!
//! All can fail, so all wait: what is returned is computed.

use super::batch::Batch;
use super::{aligned, uses};
use crate::host_work::threads;
use crate::{Array, Result};
use colocate_dense::{Decompose, Failure, Threads, Triangle, c32, c64};
use colocate_dtype::{DType, Dims, broadcast_shapes};
use colocate_runtime::UsmKind;
use colocate_runtime::hal::HostTask;
use std::sync::{Arc, Mutex};

/// A matrix of at least this many elements times columns is worth several threads.
const PARALLEL: usize = 128 * 128 * 128;

/// What an output is, seen from the last axis.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Matrices,
    Columns,
    Scalars,
}

/// A decomposition of every matrix of a batch.
struct Job {
    inputs: Vec<Array>,
    outputs: Vec<(Array, Form)>,
    /// Elements of a matrix times its smaller extent.
    effort: usize,
}

/// One matrix of each input and output, by number.
type Work = dyn Fn(&[Batch], &[Batch], usize, Option<&Threads>) -> Outcome + Send + Sync;
type Outcome = std::result::Result<(), Failure>;

impl Job {
    /// Does the work for every matrix, and waits for it.
    fn run(self, count: usize, work: Box<Work>) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        let queue = self.outputs[0].0.queue().clone();
        if !queue.runs_host_tasks() {
            return self.run_staged(count, &work);
        }
        let threads = queue.device().info().max_compute_units as usize;
        let parallel = self.effort >= PARALLEL && count < 2 * threads;
        let parts = match parallel || self.effort.saturating_mul(count) < PARALLEL / 16 {
            true => 1,
            false => count.min(4 * threads),
        };
        let inputs = self
            .inputs
            .iter()
            .map(aligned)
            .collect::<Result<Vec<_>>>()?;
        let from: Vec<Batch> = inputs.iter().map(Batch::of).collect();
        let to: Vec<Batch> = self.outputs.iter().map(batch_of).collect();
        let failed = Arc::new(Mutex::new(None));
        let failure = failed.clone();
        let task = HostTask {
            parts,
            // Somebody waits: the work may be done right there.
            small: parts == 1,
            run: Box::new(move |part| {
                let each = count.div_ceil(parts);
                let numbers = part * each..((part + 1) * each).min(count);
                if let Err(why) = run_some(&from, &to, numbers, parallel, &*work) {
                    *failure.lock().expect("no holder panics") = Some(why);
                }
            }),
        };
        let written: Vec<Array> = self.outputs.into_iter().map(|(array, _)| array).collect();
        // SAFETY: the task touches only the memory of these.
        let event = unsafe { queue.host_task("decomposition", &uses(&inputs, &written), task) }?;
        event.wait()?;
        let failed = failed.lock().expect("no holder panics").take();
        failed.map_or(Ok(()), |why| Err(why.into()))
    }

    /// On the host, with copies.
    fn run_staged(self, count: usize, work: &Work) -> Result<()> {
        let mut staged = Vec::new();
        for input in &self.inputs {
            let mut memory = Staged::for_array(input)?;
            // SAFETY: as many bytes as the array has.
            unsafe { input.read_into(memory.pointer()) }?;
            staged.push(memory);
        }
        let address = |memory: &mut Staged| memory.pointer() as usize;
        let from: Vec<Batch> = self
            .inputs
            .iter()
            .zip(&mut staged)
            .map(|(array, memory)| packed(array, Form::Matrices, address(memory)))
            .collect();
        let mut results = Vec::new();
        for (array, _) in &self.outputs {
            results.push(Staged::for_array(array)?);
        }
        let to: Vec<Batch> = self
            .outputs
            .iter()
            .zip(&mut results)
            .map(|((array, form), memory)| packed(array, *form, address(memory)))
            .collect();
        let parallel = self.effort >= PARALLEL;
        run_some(&from, &to, 0..count, parallel, work)?;
        for ((array, _), memory) in self.outputs.iter().zip(&results) {
            array.write_from(memory.bytes(array.nbytes()))?;
        }
        Ok(())
    }
}

fn run_some(
    from: &[Batch],
    to: &[Batch],
    numbers: std::ops::Range<usize>,
    parallel: bool,
    work: &Work,
) -> Outcome {
    let threads = if parallel { threads() } else { None };
    for number in numbers {
        work(from, to, number, threads.as_deref())?;
    }
    Ok(())
}

fn batch_of((array, form): &(Array, Form)) -> Batch {
    match form {
        Form::Matrices => Batch::of(array),
        Form::Columns => Batch::of_columns(array),
        Form::Scalars => packed(array, Form::Scalars, array.pointer() as usize),
    }
}

/// An array's elements in row-major order at an address.
fn packed(array: &Array, form: Form, address: usize) -> Batch {
    let shape = array.shape();
    let (outer, matrix) = match form {
        Form::Matrices => (&shape[..shape.len() - 2], &shape[shape.len() - 2..]),
        Form::Columns => (&shape[..shape.len() - 1], &shape[shape.len() - 1..]),
        Form::Scalars => (shape, &[][..]),
    };
    let extent = |axis: usize| matrix.get(axis).copied().unwrap_or(1);
    Batch::packed(address, outer, extent(0), extent(1))
}

/// Host memory, aligned for every dtype.
struct Staged(Vec<u128>);

impl Staged {
    fn for_array(array: &Array) -> std::result::Result<Staged, Failure> {
        let words = array.nbytes().div_ceil(size_of::<u128>());
        let mut memory = Vec::new();
        memory
            .try_reserve_exact(words)
            .map_err(|_| Failure::OutOfMemory)?;
        memory.resize(words, 0);
        Ok(Staged(memory))
    }

    fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }

    fn bytes(&self, count: usize) -> &[u8] {
        // SAFETY: allocated with at least as many, all of them set.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), count) }
    }
}

/// The dtype of the parts of a dtype's numbers.
fn real(dtype: DType) -> DType {
    match dtype {
        DType::Complex64 => DType::Float32,
        DType::Complex128 => DType::Float64,
        other => other,
    }
}

/// The complex dtype of a dtype's parts.
fn complex(dtype: DType) -> DType {
    match dtype {
        DType::Float32 => DType::Complex64,
        DType::Float64 => DType::Complex128,
        other => other,
    }
}

/// Calls a generic function for a dtype of decompositions.
macro_rules! by_dtype {
    ($dtype:expr, $function:ident($($argument:expr),*)) => {
        match $dtype {
            DType::Float32 => $function::<f32>($($argument),*),
            DType::Float64 => $function::<f64>($($argument),*),
            DType::Complex64 => $function::<c32>($($argument),*),
            DType::Complex128 => $function::<c64>($($argument),*),
            other => unreachable!("{other} has no decompositions"),
        }
    };
}

/// The batch's extents and those of its matrices.
fn extents(a: &Array) -> (Dims, usize, usize) {
    let rank = a.shape().len();
    let outer = Dims::from_slice(&a.shape()[..rank - 2]);
    (outer, a.shape()[rank - 2], a.shape()[rank - 1])
}

fn shaped(outer: &[usize], inner: &[usize]) -> Dims {
    outer.iter().chain(inner).copied().collect()
}

/// New arrays beside an input.
struct Beside<'a> {
    array: &'a Array,
    kind: UsmKind,
    outer: Dims,
}

impl Beside<'_> {
    fn empty(&self, inner: &[usize], dtype: DType) -> Result<Array> {
        let shape = shaped(&self.outer, inner);
        Array::empty(&shape, dtype, self.kind, self.array.queue())
    }

    fn count(&self) -> usize {
        self.outer.iter().product()
    }
}

/// `x` with `a x = b`; the batches are broadcast. `b` is matrices, too.
pub fn solve(a: &Array, b: &Array, kind: UsmKind) -> Result<Array> {
    let ((left, n, _), (right, _, columns)) = (extents(a), extents(b));
    let outer = broadcast_shapes(&left, &right)?;
    let inputs = vec![
        a.broadcast_to(&shaped(&outer, &[n, n]))?,
        b.broadcast_to(&shaped(&outer, &[n, columns]))?,
    ];
    let beside = Beside {
        array: a,
        kind,
        outer,
    };
    let x = beside.empty(&[n, columns], a.dtype())?;
    fn work<T: Decompose>() -> Box<Work> {
        // SAFETY: inputs and outputs of fitting extents, each matrix of an output its own.
        Box::new(|from, to, i, threads| unsafe {
            T::solve(from[0].get(i), from[1].get(i), to[0].get(i), threads)
        })
    }
    let job = Job {
        inputs,
        outputs: vec![(x.clone(), Form::Matrices)],
        effort: n * n * n,
    };
    job.run(beside.count(), by_dtype!(a.dtype(), work()))?;
    Ok(x)
}

/// Inverses.
pub fn inverse(a: &Array, kind: UsmKind) -> Result<Array> {
    fn work<T: Decompose>() -> Box<Work> {
        // SAFETY: as in `solve`.
        Box::new(|from, to, i, threads| unsafe {
            T::inverse(from[0].get(i), to[0].get(i), threads)
        })
    }
    same_shape(a, kind, by_dtype!(a.dtype(), work()))
}

/// The lower triangular factors; only lower triangles are looked at.
pub fn cholesky(a: &Array, kind: UsmKind) -> Result<Array> {
    fn work<T: Decompose>() -> Box<Work> {
        // SAFETY: as in `solve`.
        Box::new(|from, to, i, threads| unsafe {
            T::cholesky(from[0].get(i), to[0].get(i), threads)
        })
    }
    same_shape(a, kind, by_dtype!(a.dtype(), work()))
}

fn same_shape(a: &Array, kind: UsmKind, work: Box<Work>) -> Result<Array> {
    let (outer, n, _) = extents(a);
    let beside = Beside {
        array: a,
        kind,
        outer,
    };
    let out = beside.empty(&[n, n], a.dtype())?;
    let job = Job {
        inputs: vec![a.clone()],
        outputs: vec![(out.clone(), Form::Matrices)],
        effort: n * n * n,
    };
    job.run(beside.count(), work)?;
    Ok(out)
}

/// Determinants.
pub fn determinant(a: &Array, kind: UsmKind) -> Result<Array> {
    let (value, _, _) = determinants(a, kind)?;
    Ok(value)
}

/// The determinants' signs and the logarithms of their absolute values.
pub fn sign_and_logarithm(a: &Array, kind: UsmKind) -> Result<(Array, Array)> {
    let (_, sign, logarithm) = determinants(a, kind)?;
    Ok((sign, logarithm))
}

fn determinants(a: &Array, kind: UsmKind) -> Result<(Array, Array, Array)> {
    let (outer, n, _) = extents(a);
    let beside = Beside {
        array: a,
        kind,
        outer,
    };
    let value = beside.empty(&[], a.dtype())?;
    let sign = beside.empty(&[], a.dtype())?;
    let logarithm = beside.empty(&[], real(a.dtype()))?;
    fn work<T: Decompose>() -> Box<Work> {
        // SAFETY: as in `solve`; a scalar is a matrix of one element.
        Box::new(|from, to, i, threads| unsafe {
            let found = T::determinant(from[0].get(i), threads)?;
            to[0].get::<T>(i).pointer.write(found.value);
            to[1].get::<T>(i).pointer.write(found.sign);
            to[2].get::<T::Float>(i).pointer.write(found.logarithm);
            Ok(())
        })
    }
    let outputs = [&value, &sign, &logarithm].map(|array| (array.clone(), Form::Scalars));
    let job = Job {
        inputs: vec![a.clone()],
        outputs: outputs.to_vec(),
        effort: n * n * n,
    };
    job.run(beside.count(), by_dtype!(a.dtype(), work()))?;
    Ok((value, sign, logarithm))
}

/// `q` and `r` with `q r = a`; `q` is square if `complete`. Without `q` if only `r` is wanted.
pub fn qr(
    a: &Array,
    complete: bool,
    with_q: bool,
    kind: UsmKind,
) -> Result<(Option<Array>, Array)> {
    let (outer, m, n) = extents(a);
    let beside = Beside {
        array: a,
        kind,
        outer,
    };
    let k = if complete { m } else { m.min(n) };
    let r = beside.empty(&[k, n], a.dtype())?;
    let q = match with_q {
        true => Some(beside.empty(&[m, k], a.dtype())?),
        false => None,
    };
    fn work<T: Decompose>() -> Box<Work> {
        // SAFETY: as in `solve`.
        Box::new(|from, to, i, threads| unsafe {
            let q = to.get(1).map(|q| q.get(i));
            T::qr(from[0].get(i), q, to[0].get(i), threads)
        })
    }
    let outputs = [Some(&r), q.as_ref()].into_iter().flatten();
    let job = Job {
        inputs: vec![a.clone()],
        outputs: outputs
            .map(|array| (array.clone(), Form::Matrices))
            .collect(),
        effort: m * n * m.min(n),
    };
    job.run(beside.count(), by_dtype!(a.dtype(), work()))?;
    Ok((q, r))
}

/// Singular values in descending order, and, if asked for, the vectors `u` and `vh`: square ones
/// (`Some(true)`) or as many as there are values.
pub fn svd(
    a: &Array,
    vectors: Option<bool>,
    kind: UsmKind,
) -> Result<(Array, Option<(Array, Array)>)> {
    let (outer, m, n) = extents(a);
    let beside = Beside {
        array: a,
        kind,
        outer,
    };
    let k = m.min(n);
    let values = beside.empty(&[k], real(a.dtype()))?;
    let vectors = match vectors {
        None => None,
        Some(full) => {
            let (p, q) = if full { (m, n) } else { (k, k) };
            let u = beside.empty(&[m, p], a.dtype())?;
            Some((u, beside.empty(&[q, n], a.dtype())?))
        }
    };
    fn work<T: Decompose>() -> Box<Work> {
        // SAFETY: as in `solve`.
        Box::new(|from, to, i, threads| unsafe {
            let vectors = match to {
                [_, u, vh] => Some((u.get(i), vh.get(i))),
                _ => None,
            };
            T::svd(from[0].get(i), to[0].get(i), vectors, threads)
        })
    }
    let mut outputs = vec![(values.clone(), Form::Columns)];
    if let Some((u, vh)) = &vectors {
        outputs.extend([u, vh].map(|array| (array.clone(), Form::Matrices)));
    }
    let job = Job {
        inputs: vec![a.clone()],
        outputs,
        effort: m * n * k,
    };
    job.run(beside.count(), by_dtype!(a.dtype(), work()))?;
    Ok((values, vectors))
}

/// Eigenvalues of Hermitian matrices in ascending order, and, if asked for, their vectors.
pub fn eigen_hermitian(
    a: &Array,
    triangle: Triangle,
    with_vectors: bool,
    kind: UsmKind,
) -> Result<(Array, Option<Array>)> {
    fn work<T: Decompose>(triangle: Triangle) -> Box<Work> {
        // SAFETY: as in `solve`.
        Box::new(move |from, to, i, threads| unsafe {
            let vectors = to.get(1).map(|vectors| vectors.get(i));
            T::eigen_hermitian(from[0].get(i), triangle, to[0].get(i), vectors, threads)
        })
    }
    let dtypes = (real(a.dtype()), a.dtype());
    let work = by_dtype!(a.dtype(), work(triangle));
    eigen(a, dtypes, with_vectors, kind, work)
}

/// Eigenvalues in no particular order, and, if asked for, their vectors; always complex.
pub fn eigen_general(
    a: &Array,
    with_vectors: bool,
    kind: UsmKind,
) -> Result<(Array, Option<Array>)> {
    fn work<T: Decompose>() -> Box<Work> {
        // SAFETY: as in `solve`.
        Box::new(|from, to, i, threads| unsafe {
            let vectors = to.get(1).map(|vectors| vectors.get(i));
            T::eigen_general(from[0].get(i), to[0].get(i), vectors, threads)
        })
    }
    let dtypes = (complex(a.dtype()), complex(a.dtype()));
    eigen(a, dtypes, with_vectors, kind, by_dtype!(a.dtype(), work()))
}

fn eigen(
    a: &Array,
    dtypes: (DType, DType),
    with_vectors: bool,
    kind: UsmKind,
    work: Box<Work>,
) -> Result<(Array, Option<Array>)> {
    let (outer, n, _) = extents(a);
    let beside = Beside {
        array: a,
        kind,
        outer,
    };
    let values = beside.empty(&[n], dtypes.0)?;
    let vectors = match with_vectors {
        true => Some(beside.empty(&[n, n], dtypes.1)?),
        false => None,
    };
    let mut outputs = vec![(values.clone(), Form::Columns)];
    outputs.extend(vectors.iter().map(|array| (array.clone(), Form::Matrices)));
    let job = Job {
        inputs: vec![a.clone()],
        outputs,
        effort: n * n * n,
    };
    job.run(beside.count(), work)?;
    Ok((values, vectors))
}
