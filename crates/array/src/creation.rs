//! Arrays whose elements follow from their position: sequences and bands of matrices.

use crate::launch::{Arguments, KernelKey, launch};
use crate::{Array, Result};
use colocate_ir::{CompareOp, DType, Kind, Literal};
use colocate_kernels::fill;
use colocate_runtime::{Access, Aspect, Queue, UsmKind};

/// An element type, and where an array of it is to be.
#[derive(Clone, Debug)]
pub struct Destination {
    /// Of the elements.
    pub dtype: DType,
    /// Of the memory.
    pub kind: UsmKind,
    /// Where it lives.
    pub queue: Queue,
}

impl Destination {
    /// Uninitialised elements there.
    pub fn empty(&self, shape: &[usize]) -> Result<Array> {
        Array::empty(shape, self.dtype, self.kind, &self.queue)
    }

    /// What points between two numbers are computed in: at least double precision where the
    /// device has it.
    pub fn wide(&self, complex: bool) -> DType {
        match (complex, self.queue.device().has(Aspect::Fp64)) {
            (false, true) => DType::Float64,
            (false, false) => DType::Float32,
            (true, true) => DType::Complex128,
            (true, false) => DType::Complex64,
        }
    }
}

/// `start + i * step` for each index below `length`, but `second` for 1. The numbers are of
/// [`fill::sequence_dtype`]; there are no sequences of bools.
pub fn sequence(
    to: &Destination,
    length: usize,
    [start, second, step]: [Literal; 3],
) -> Result<Array> {
    let array = to.empty(&[length])?;
    if length == 0 {
        return Ok(array);
    }
    let key = KernelKey::new("fill::sequence", &[to.dtype as u32]);
    let mut arguments = Arguments::new();
    arguments.contiguous(&array, Access::Write, &[length]);
    arguments.scalar(start);
    arguments.scalar(second);
    arguments.scalar(step);
    // SAFETY: the parameters of `fill::sequence`, and an item for each element.
    unsafe {
        let build = || fill::sequence(to.dtype);
        launch(&to.queue, &key, build, &arguments, &[length], None)?;
    }
    drop(arguments);
    Ok(array)
}

/// The ends of a range of evenly spaced points. All numbers are complex or all are real.
#[derive(Clone, Copy, Debug)]
pub struct LinearSpace {
    /// The first point.
    pub start: (f64, f64),
    /// The distance of neighbours; with a divisor, of that many points.
    pub step: (f64, f64),
    /// The last point, at this index, whatever the step says.
    pub stop: Option<((f64, f64), usize)>,
    /// For a distance of neighbours that is too small to be a number.
    pub divisor: Option<f64>,
    /// Whether imaginary parts count.
    pub complex: bool,
}

/// Evenly spaced points.
pub fn linear_space(to: &Destination, count: usize, space: &LinearSpace) -> Result<Array> {
    let array = to.empty(&[count])?;
    if count == 0 {
        return Ok(array);
    }
    let computed = to.wide(space.complex);
    let number = |(re, im): (f64, f64)| match computed.kind() {
        Kind::Complex => Literal::Complex(computed, re, im),
        _ => Literal::Float(computed, re),
    };
    let divided = space.divisor.is_some();
    let words = [to.dtype as u32, computed as u32, u32::from(divided)];
    let key = KernelKey::new("fill::linear_space", &words);
    let (stop, last) = match space.stop {
        Some((stop, last)) => (stop, last as i64),
        None => ((0.0, 0.0), -1),
    };
    let mut arguments = Arguments::new();
    arguments.contiguous(&array, Access::Write, &[count]);
    arguments.scalar(number(space.start));
    arguments.scalar(number(space.step));
    arguments.scalar(number(stop));
    arguments.int64(last);
    if let Some(divisor) = space.divisor {
        arguments.scalar(number((divisor, 0.0)));
    }
    // SAFETY: the parameters of `fill::linear_space`, and an item for each element.
    unsafe {
        let build = || fill::linear_space(to.dtype, computed, divided);
        launch(&to.queue, &key, build, &arguments, &[count], None)?;
    }
    drop(arguments);
    Ok(array)
}

/// A matrix of ones where `column - row` compares so with `offset`, and zeros elsewhere.
pub fn band(
    to: &Destination,
    rows: usize,
    columns: usize,
    compare: CompareOp,
    offset: i64,
) -> Result<Array> {
    let array = to.empty(&[rows, columns])?;
    if array.size() == 0 {
        return Ok(array);
    }
    let key = KernelKey::new("fill::band", &[to.dtype as u32, compare as u32]);
    let mut arguments = Arguments::new();
    arguments.contiguous(&array, Access::Write, &[rows, columns]);
    arguments.int64(offset);
    // SAFETY: the parameters of `fill::band`, and an item for each element.
    unsafe {
        let build = || fill::band(to.dtype, compare);
        launch(&to.queue, &key, build, &arguments, &[rows, columns], None)?;
    }
    drop(arguments);
    Ok(array)
}
