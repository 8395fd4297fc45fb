//! Random numbers, and arrays full of them. Extremes come up often.

use crate::interpret::{ArrayView, Scalar, integer_range};
use crate::{DType, Kind, Layout};
use half::f16;

/// A small generator of random numbers (splitmix64): the same seed gives the same numbers.
#[derive(Clone, Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than the limit, which is positive.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit as u64) as usize
    }

    /// From the first to the last, both included.
    pub(super) fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// True once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of them; there must be some.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub(super) fn scalar(&mut self, dtype: DType) -> Scalar {
        match dtype.kind() {
            Kind::Bool => Scalar::Bool(self.once_in(2)),
            Kind::Int | Kind::UInt => Scalar::wrapped(dtype, self.integer(dtype)),
            Kind::Float | Kind::Complex => match dtype {
                DType::Float16 => Scalar::Float16(self.float16()),
                DType::Float32 => Scalar::Float32(self.float32()),
                DType::Float64 => Scalar::Float64(self.float64()),
                DType::Complex64 => Scalar::Complex64(self.float32(), self.float32()),
                _ => Scalar::Complex128(self.float64(), self.float64()),
            },
        }
    }

    fn integer(&mut self, dtype: DType) -> i128 {
        let (lowest, highest) = integer_range(dtype);
        match self.below(12) {
            0 => lowest,
            1 => highest,
            2 => lowest + 1,
            3 => highest - 1,
            4 => -1,
            5 => 0,
            6 => 1,
            7 => i128::from(self.bits()),
            _ => self.below(40) as i128 - 20,
        }
    }

    /// A number that every float type holds.
    fn plain(&mut self) -> f32 {
        (self.below(400) as f32 - 200.0) / 8.0
    }

    fn float16(&mut self) -> f16 {
        match self.below(16) {
            0 => f16::NAN,
            1 => f16::INFINITY,
            2 => f16::NEG_INFINITY,
            3 => f16::from_bits(0),
            4 => f16::from_bits(0x8000),
            5 => f16::from_bits(self.below(0x400) as u16),
            6 => f16::MAX,
            7 => {
                // Any number of ordinary size.
                let exponent = self.between(1, 30) << 10;
                let sign_and_fraction = self.bits() as usize & 0x83ff;
                f16::from_bits((sign_and_fraction | exponent) as u16)
            }
            _ => f16::from_f32(self.plain()),
        }
    }

    fn float32(&mut self) -> f32 {
        match self.below(20) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => f32::NEG_INFINITY,
            3 => 0.0,
            4 => -0.0,
            5 => f32::from_bits(self.below(0x80_0000) as u32),
            6 => f32::MAX,
            7 => f32::MIN_POSITIVE,
            8..=10 => {
                let value = f32::from_bits(self.bits() as u32);
                if value.is_nan() { f32::NAN } else { value }
            }
            _ => self.plain(),
        }
    }

    fn float64(&mut self) -> f64 {
        match self.below(20) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => f64::NEG_INFINITY,
            3 => 0.0,
            4 => -0.0,
            5 => f64::from_bits(self.bits() >> 12),
            6 => f64::MAX,
            7 => f64::MIN_POSITIVE,
            8 | 9 => {
                let value = f64::from_bits(self.bits());
                if value.is_nan() { f64::NAN } else { value }
            }
            10 => f64::from(self.float32()),
            _ => f64::from(self.plain()),
        }
    }

    /// Lays an array out in a buffer of its own and fills it: the view, and the bytes. Only arrays
    /// that are not written may have elements that share memory.
    pub(super) fn array(
        &mut self,
        dtype: DType,
        shape: &[i64],
        layout: Layout,
        written: bool,
        unaligned: bool,
    ) -> (ArrayView, Vec<u8>) {
        let view = match layout {
            Layout::Contiguous => ArrayView::contiguous(dtype, 0, shape),
            Layout::Strided => self.strided(dtype, shape, written, unaligned),
        };
        let itemsize = dtype.itemsize();
        let end: i64 = view.offset as i64
            + view
                .shape
                .iter()
                .zip(&view.strides)
                .map(|(&extent, &stride)| ((extent - 1) * stride).max(0))
                .sum::<i64>();
        let mut bytes: Vec<u8> = (0..end as usize + itemsize)
            .map(|_| self.bits() as u8)
            .collect();
        for address in addresses(&view) {
            let element = self.scalar(dtype).to_bytes();
            bytes[address..address + itemsize].copy_from_slice(&element);
        }
        (view, bytes)
    }

    /// Axes in any order, with gaps, backwards, and not moving at all.
    fn strided(
        &mut self,
        dtype: DType,
        shape: &[i64],
        written: bool,
        unaligned: bool,
    ) -> ArrayView {
        let unit = if unaligned && self.once_in(3) {
            1
        } else {
            dtype.itemsize() as i64
        };
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        for i in (1..axes.len()).rev() {
            axes.swap(i, self.below(i + 1));
        }
        let mut strides = vec![0; shape.len()];
        let mut offset = self.below(4) as i64 * unit;
        let mut stride = dtype.itemsize() as i64;
        for axis in axes {
            if !written && self.once_in(5) {
                continue;
            }
            stride += self.below(3) as i64 * unit;
            strides[axis] = stride;
            let reach = (shape[axis] - 1) * stride;
            if self.once_in(3) {
                strides[axis] = -stride;
                offset += reach;
            }
            stride += reach;
        }
        ArrayView {
            offset: offset as usize,
            shape: shape.to_vec(),
            strides,
        }
    }
}

/// The first byte of every element, in C order.
pub(super) fn addresses(view: &ArrayView) -> Vec<usize> {
    let mut addresses = vec![view.offset as i64];
    for (&extent, &stride) in view.shape.iter().zip(&view.strides) {
        addresses = addresses
            .into_iter()
            .flat_map(|address| (0..extent).map(move |index| address + index * stride))
            .collect();
    }
    addresses
        .into_iter()
        .map(|address| address as usize)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_written_arrays_share_no_bytes() {
        let mut random = Random(1);
        for _ in 0..300 {
            let shape = [random.between(1, 4) as i64, 3, random.between(1, 5) as i64];
            let dtype = random.pick(&DType::ALL);
            let (view, bytes) = random.array(dtype, &shape, Layout::Strided, true, true);
            let mut taken = vec![false; bytes.len()];
            for address in addresses(&view) {
                for byte in &mut taken[address..address + dtype.itemsize()] {
                    assert!(!std::mem::replace(byte, true), "{view:?} overlaps");
                }
            }
        }
    }
}
