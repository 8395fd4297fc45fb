//! Random numbers: where a stream stands, and the launches that draw from it.
//!
//! What a draw gives depends on the stream and on the shape, dtype and parameters asked for; not on the
//! device, the kind of memory or how a backend shares out the work.

use crate::elementwise::convert_into;
use crate::launch::{Arguments, KernelKey, launch};
use crate::{Array, Error, Result};
use colocate_dtype::DType;
use colocate_ir::Literal;
use colocate_kernels::random::{BLOCK, Distribution, Fill, permutation, rows};
use colocate_runtime::{Access, Queue, UsmKind};

/// A stream of random bits: a key, and the next position of 2^96.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stream {
    key: [u32; 2],
    position: u128,
}

/// Bits of a position.
const POSITION_BITS: u32 = 96;

/// The positions that a draw uses: those from `low` on, with this upper word.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    key: [u32; 2],
    high: u32,
    low: u64,
}

impl Stream {
    /// The stream of a key, from a position on, which is taken modulo 2^96.
    pub fn new(key: [u32; 2], position: u128) -> Stream {
        let mask = (1 << POSITION_BITS) - 1;
        Stream {
            key,
            position: position & mask,
        }
    }

    /// The key.
    pub fn key(&self) -> [u32; 2] {
        self.key
    }

    /// The next position.
    pub fn position(&self) -> u128 {
        self.position
    }

    /// Passes over positions.
    pub fn advance(&mut self, positions: u128) {
        *self = Stream::new(self.key, self.position.wrapping_add(positions));
    }

    /// Takes positions for a draw. They share their upper word: what is left of one is passed over if it
    /// is not enough, so that items need not carry.
    pub fn take(&mut self, positions: u64) -> Start {
        let left = (1u128 << 64) - (self.position & u128::from(u64::MAX));
        if u128::from(positions) > left {
            self.advance(left);
        }
        let start = Start {
            key: self.key,
            high: (self.position >> 64) as u32,
            low: self.position as u64,
        };
        self.advance(positions.into());
        start
    }
}

impl Start {
    fn arguments(&self, arguments: &mut Arguments<'_>) {
        for word in [self.key[0], self.key[1], self.high] {
            arguments.scalar(Literal::Int(DType::UInt32, word.into()));
        }
        arguments.scalar(Literal::Int(DType::UInt64, self.low.into()));
    }
}

/// A parameter of a distribution.
#[derive(Clone, Copy, Debug)]
pub enum Parameter<'a> {
    /// The same for all elements; of the dtype that [`Distribution::parameter_dtype`] says.
    Scalar(Literal),
    /// An array that is broadcast to the shape of what is drawn.
    Array(&'a Array),
}

/// How many positions [`fill`] needs for this many elements.
pub fn positions(distribution: Distribution, dtype: DType, size: usize) -> u64 {
    match distribution.per_position(dtype) {
        Some(count) => (size.div_ceil(count * BLOCK) * BLOCK) as u64,
        None => size as u64,
    }
}

/// Fills an array. Its dtype is one the distribution makes, and parameters that are arrays live on an
/// equivalent queue.
pub fn fill(
    start: Start,
    distribution: Distribution,
    parameters: &[Parameter<'_>],
    out: &Array,
) -> Result<()> {
    if !out.is_writable() {
        return Err(Error::ReadOnly);
    }
    let (dtype, size) = (out.dtype(), out.size());
    assert!(distribution.makes(dtype), "the caller checks dtypes");
    let wanted = distribution.parameter_dtype(dtype);
    let mut kept = Vec::new();
    let mut arrays = 0;
    for (number, parameter) in parameters.iter().enumerate() {
        kept.push(match parameter {
            Parameter::Scalar(_) => None,
            Parameter::Array(array) => {
                arrays |= 1 << number;
                Some(aligned(array, out.shape(), wanted)?)
            }
        });
    }
    let per_position = distribution.per_position(dtype);
    let blocks = per_position.map(|count| size.div_ceil(count * BLOCK));
    if size == 0 {
        return Ok(());
    }
    let near;
    let target = if out.layout().is_c_contiguous() {
        out
    } else {
        near = Array::empty(out.shape(), dtype, out.kind(), out.queue())?;
        &near
    };
    let fill = Fill {
        distribution,
        dtype,
        arrays,
    };
    let mut arguments = Arguments::new();
    arguments.contiguous(target, Access::Write, &[size]);
    start.arguments(&mut arguments);
    if blocks.is_some() {
        arguments.int64(size as i64);
    }
    for (parameter, kept) in parameters.iter().zip(&kept) {
        match (parameter, kept) {
            (_, Some(array)) => arguments.contiguous(array, Access::Read, &[size]),
            (Parameter::Scalar(value), None) => arguments.scalar(*value),
            (Parameter::Array(_), None) => unreachable!("arrays were kept"),
        }
    }
    let key = KernelKey::new("random", &fill.words());
    let space = match blocks {
        Some(blocks) => vec![blocks, size.min(BLOCK)],
        None => vec![size],
    };
    // SAFETY: the kernel of this key was built for these parameters, and it touches no element beyond
    // the size that it is told.
    unsafe { launch(out.queue(), &key, || fill.build(), &arguments, &space, None) }?;
    if target.pointer() != out.pointer() {
        out.assign(target)?;
    }
    Ok(())
}

/// The elements of an array, broadcast and converted, in the order of the shape.
fn aligned(array: &Array, shape: &[usize], dtype: DType) -> Result<Array> {
    let as_it_is =
        array.shape() == shape && array.dtype() == dtype && array.layout().is_c_contiguous();
    if as_it_is {
        return Ok(array.clone());
    }
    let whole = Array::empty(shape, dtype, UsmKind::Device, array.queue())?;
    convert_into(&whole, &array.broadcast_to(shape)?)?;
    Ok(whole)
}

/// Counts how trials fall on categories: `out` (int64, rows × categories) for the numbers of trials `n` (int64,
/// a row each) and the probabilities `p` (float64, one row or as many). All are contiguous. Takes as many
/// positions as `out` has elements.
pub fn multinomial(start: Start, n: &Array, p: &Array, out: &Array) -> Result<()> {
    let (rows, categories) = (out.shape()[0], out.shape()[1]);
    if out.size() == 0 {
        return Ok(());
    }
    let shared = p.shape()[0] == 1;
    let mut arguments = Arguments::new();
    arguments.contiguous(out, Access::Write, out.shape());
    arguments.contiguous(p, Access::Read, p.shape());
    arguments.contiguous(n, Access::Read, n.shape());
    arguments.int64(categories as i64);
    start.arguments(&mut arguments);
    let key = KernelKey::new("random_multinomial", &[u32::from(shared)]);
    // SAFETY: each item stays in its rows of the arrays, which are as long as their shapes say.
    unsafe {
        launch(
            out.queue(),
            &key,
            || rows::multinomial(shared),
            &arguments,
            &[rows],
            None,
        )
    }?;
    Ok(())
}

/// Turns rows of logarithms, in place, into positive numbers in proportion that sum to 1.
pub fn normalise_logarithms(matrix: &Array) -> Result<()> {
    if matrix.size() == 0 {
        return Ok(());
    }
    let mut arguments = Arguments::new();
    arguments.contiguous(matrix, Access::Write, matrix.shape());
    arguments.int64(matrix.shape()[1] as i64);
    let key = KernelKey::new("random_normalise", &[]);
    // SAFETY: each item stays in its row.
    unsafe {
        launch(
            matrix.queue(),
            &key,
            rows::normalise_logarithms,
            &arguments,
            &matrix.shape()[..1],
            None,
        )
    }?;
    Ok(())
}

/// `mean + z @ factor` by rows, summed in order; all are contiguous float64 arrays whose shapes fit.
pub fn combine_rows(z: &Array, factor: &Array, mean: &Array) -> Result<Array> {
    let shape = [z.shape()[0], factor.shape()[1]];
    let out = Array::empty(&shape, DType::Float64, z.kind(), z.queue())?;
    if out.size() == 0 {
        return Ok(out);
    }
    let target = out.clone();
    let mut arguments = Arguments::new();
    arguments.contiguous(&target, Access::Write, &shape);
    for array in [z, factor, mean] {
        arguments.contiguous(array, Access::Read, array.shape());
    }
    arguments.int64(z.shape()[1] as i64);
    let key = KernelKey::new("random_combine", &[]);
    // SAFETY: indices stay below the extents of the arrays, which fit.
    unsafe {
        launch(
            z.queue(),
            &key,
            rows::combine_rows,
            &arguments,
            &shape,
            None,
        )
    }?;
    Ok(out)
}

/// Numbers of categories (int64), drawn by cumulative probabilities: a contiguous float64 array, not
/// empty, that rises to 1. Takes as many positions as numbers.
pub fn choose_categories(
    start: Start,
    cumulative: &Array,
    shape: &[usize],
    kind: UsmKind,
) -> Result<Array> {
    let out = Array::empty(shape, DType::Int64, kind, cumulative.queue())?;
    if out.size() == 0 {
        return Ok(out);
    }
    let categories = cumulative.size();
    let target = out.clone();
    let mut arguments = Arguments::new();
    arguments.contiguous(&target, Access::Write, &[out.size()]);
    arguments.contiguous(cumulative, Access::Read, &[categories]);
    arguments.int64(categories as i64);
    arguments.int64(i64::from(usize::BITS - categories.leading_zeros()));
    start.arguments(&mut arguments);
    let key = KernelKey::new("random_category", &[]);
    // SAFETY: each item writes its own element and reads inside the cumulative probabilities.
    unsafe {
        launch(
            cumulative.queue(),
            &key,
            rows::choose_category,
            &arguments,
            &[out.size()],
            None,
        )
    }?;
    Ok(out)
}

/// Half the bits of the domain that [`distinct`] permutes; it takes two to this power positions.
pub fn half_bits(bound: u64) -> u32 {
    let bits = 64 - bound.saturating_sub(1).leading_zeros();
    bits.div_ceil(2).max(1)
}

/// The first `count` numbers (int64) of a random permutation of those below `bound`.
pub fn distinct(
    start: Start,
    bound: u64,
    count: usize,
    kind: UsmKind,
    queue: &Queue,
) -> Result<Array> {
    let out = Array::empty(&[count], DType::Int64, kind, queue)?;
    if count == 0 {
        return Ok(out);
    }
    let target = out.clone();
    let mut arguments = Arguments::new();
    arguments.contiguous(&target, Access::Write, &[count]);
    start.arguments(&mut arguments);
    for number in [bound, half_bits(bound).into()] {
        arguments.scalar(Literal::Int(DType::UInt64, number.into()));
    }
    let key = KernelKey::new("random_distinct", &[]);
    // SAFETY: each item writes its own element.
    unsafe {
        launch(
            queue,
            &key,
            permutation::distinct,
            &arguments,
            &[count],
            None,
        )
    }?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_taken_in_order_and_never_across_an_upper_word() {
        let mut stream = Stream::new([1, 2], (7 << 64) - 10);
        let start = stream.take(4);
        assert_eq!((start.high, start.low), (6, u64::MAX - 9));
        let start = stream.take(7);
        assert_eq!((start.high, start.low), (7, 0));
        assert_eq!(stream.position(), (7 << 64) + 7);
    }

    #[test]
    fn positions_wrap() {
        let mut stream = Stream::new([1, 2], (1 << 96) - 1);
        stream.advance(3);
        assert_eq!(stream.position(), 2);
    }
}
