//! Every function against the standard library's sort, over types, lengths and orders.

use colocate_sort::{
    Element, Order, argpartition_rows, argsort_rows, partition_rows, scratch_bytes, sort_rows,
};
use half::f16;
use num_complex::Complex;
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cmp::Ordering;
use std::fmt::Debug;

/// What the order should be, said another way than in the crate.
trait Compare: Element + Debug {
    fn compare(&self, other: &Self) -> Ordering;
    fn same_bits(&self, other: &Self) -> bool;
}

macro_rules! integers {
    ($($type:ty),*) => {$(impl Compare for $type {
        fn compare(&self, other: &Self) -> Ordering {
            self.cmp(other)
        }
        fn same_bits(&self, other: &Self) -> bool {
            self == other
        }
    })*};
}
integers!(u8, i8, u16, i16, u32, i32, u64, i64);

macro_rules! floats {
    ($($type:ty),*) => {$(impl Compare for $type {
        fn compare(&self, other: &Self) -> Ordering {
            self.partial_cmp(other)
                .unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
        }
        fn same_bits(&self, other: &Self) -> bool {
            self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
        }
    })*};
}
floats!(f16, f32, f64);

macro_rules! complexes {
    ($($part:ty),*) => {$(impl Compare for Complex<$part> {
        fn compare(&self, other: &Self) -> Ordering {
            // NumPy's own definition, by "is less".
            fn less(a: &Complex<$part>, b: &Complex<$part>) -> bool {
                if a.re < b.re {
                    !a.im.is_nan() || b.im.is_nan()
                } else if a.re > b.re {
                    b.im.is_nan() && !a.im.is_nan()
                } else if a.re == b.re || a.re.is_nan() && b.re.is_nan() {
                    a.im < b.im || b.im.is_nan() && !a.im.is_nan()
                } else {
                    b.re.is_nan()
                }
            }
            match (less(self, other), less(other, self)) {
                (true, _) => Ordering::Less,
                (_, true) => Ordering::Greater,
                _ => Ordering::Equal,
            }
        }
        fn same_bits(&self, other: &Self) -> bool {
            self.re.same_bits(&other.re) && self.im.same_bits(&other.im)
        }
    })*};
}
complexes!(f32, f64);

fn scratch(bytes: usize) -> Vec<u128> {
    vec![0; bytes.div_ceil(16)]
}

fn bytes(scratch: &mut [u128]) -> &mut [u8] {
    // SAFETY: the same memory, as bytes.
    unsafe { std::slice::from_raw_parts_mut(scratch.as_mut_ptr().cast(), size_of_val(scratch)) }
}

fn pool() -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .expect("three threads start")
}

fn expected<T: Compare>(row: &[T], order: Order) -> Vec<i64> {
    let mut indices: Vec<i64> = (0..row.len() as i64).collect();
    indices.sort_by(|&a, &b| {
        let compared = row[a as usize].compare(&row[b as usize]);
        match order {
            Order::Ascending => compared,
            Order::Descending => compared.reverse(),
        }
    });
    indices
}

fn check_sorts<T: Compare>(from: &[T], length: usize, pool: Option<&ThreadPool>) {
    for order in [Order::Ascending, Order::Descending] {
        let mut working = scratch(scratch_bytes::<T>(length, true));
        let mut indices = vec![-1; from.len()];
        argsort_rows(from, &mut indices, length, order, bytes(&mut working), pool);
        let mut sorted = from.to_vec();
        sort_rows(from, &mut sorted, length, order, bytes(&mut working), pool);
        for number in 0..from.len() / length {
            let rows = number * length..(number + 1) * length;
            let (row, sorted) = (&from[rows.clone()], &sorted[rows.clone()]);
            let expected = expected(row, order);
            assert_eq!(&indices[rows], &expected, "{order:?}");
            for (&index, found) in expected.iter().zip(sorted) {
                assert!(row[index as usize].same_bits(found), "{order:?}: {found:?}");
            }
        }
    }
}

fn check_partitions<T: Compare>(row: &[T], places: &[usize], pool: Option<&ThreadPool>) {
    let length = row.len();
    let mut working = scratch(scratch_bytes::<T>(length, true));
    let mut values = row.to_vec();
    partition_rows(row, &mut values, length, places, bytes(&mut working), pool);
    let mut indices = vec![-1; length];
    argpartition_rows(row, &mut indices, length, places, bytes(&mut working), pool);
    let mut all = indices.clone();
    all.sort_unstable();
    assert!(all.iter().copied().eq(0..length as i64));
    let by_index: Vec<T> = indices.iter().map(|&index| row[index as usize]).collect();
    let expected = expected(row, Order::Ascending);
    for result in [&values, &by_index] {
        for &place in places {
            let there = row[expected[place] as usize];
            assert_eq!(result[place].compare(&there), Ordering::Equal);
            assert!(
                result[..place]
                    .iter()
                    .all(|one| one.compare(&there).is_le())
            );
            assert!(
                result[place..]
                    .iter()
                    .all(|one| one.compare(&there).is_ge())
            );
        }
    }
}

/// Numbers of several distributions, as bits.
fn numbers(count: usize, kind: u32) -> Vec<u64> {
    let mut state = 0x1234_5678_9abc_def1_u64 + u64::from(kind);
    (0..count)
        .map(|index| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            match kind % 8 {
                0 => state,
                1 => state % 5,
                2 => (state as f64).ln().to_bits(),
                3 => index as u64,
                // Clustered: all differences lie in the low bits, but for one.
                4 => state & 0xffff | u64::from(index == count / 2) << 60,
                5 => (count - index) as u64,
                // The greatest there is, mostly.
                6 => u64::MAX - u64::from(state.is_multiple_of(64)),
                // Up and down again.
                _ => index.min(count - index) as u64,
            }
        })
        .collect()
}

fn special(bits: u64) -> f64 {
    match bits % 7 {
        0 => -0.0,
        1 => 0.0,
        2 => f64::NAN,
        3 => -f64::NAN,
        4 => f64::INFINITY,
        5 => f64::from_bits(bits),
        _ => (bits as i64 % 3) as f64,
    }
}

#[test]
fn long_rows_of_all_types_are_sorted() {
    let pool = pool();
    let pool = Some(&pool);
    let length = 66_001;
    for kind in 0..8 {
        let bits = numbers(length, kind);
        match kind {
            0 => {
                check_sorts(&map(&bits, |bits| bits as u8), length, pool);
                check_sorts(&map(&bits, |bits| bits as i32), length, pool);
                check_sorts(
                    &map(&bits, |bits| f16::from_bits(bits as u16)),
                    length,
                    pool,
                );
                check_sorts(&map(&bits, special), length, pool);
            }
            1 => {
                check_sorts(&map(&bits, |bits| bits as i16), length, None);
                check_sorts(&map(&bits, |bits| bits as i64), length, pool);
            }
            _ => check_sorts(
                &map(&bits, |bits| f32::from_bits(bits as u32)),
                length,
                pool,
            ),
        }
        check_sorts(&bits, length, pool);
        let floats = map(&bits, f64::from_bits);
        check_partitions(&floats, &[0, 35_000, 35_001, 66_000], pool);
    }
}

#[test]
fn long_rows_of_complex_numbers_are_sorted() {
    let pool = pool();
    let length = 66_001;
    for kind in [0, 1, 4] {
        let bits = numbers(length, kind);
        let complex: Vec<Complex<f64>> = bits
            .iter()
            .zip(bits.iter().rev())
            .map(|(&re, &im)| Complex::new(special(re), f64::from_bits(im)))
            .collect();
        check_sorts(&complex, length, Some(&pool));
        check_partitions(&complex, &[12_345], Some(&pool));
    }
}

fn map<T>(bits: &[u64], element: impl Fn(u64) -> T) -> Vec<T> {
    bits.iter().map(|&bits| element(bits)).collect()
}

#[test]
fn no_elements_are_no_work() {
    sort_rows::<f64>(&[], &mut [], 0, Order::Ascending, &mut [], None);
    argsort_rows::<f64>(&[], &mut [], 5, Order::Ascending, &mut [], None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn rows_of_any_length_are_sorted(length in 1_usize..1500, rows in 1_usize..5, kind in 0_u32..8) {
        let pool = pool();
        let bits = numbers(length * rows, kind);
        check_sorts(&bits, length, Some(&pool));
        check_sorts(&bits.iter().map(|&bits| bits as i8).collect::<Vec<_>>(), length, None);
        check_sorts(&bits.iter().map(|&bits| bits as u16).collect::<Vec<_>>(), length, None);
        check_sorts(&bits.iter().map(|&bits| bits as u32).collect::<Vec<_>>(), length, None);
        let specials: Vec<f64> = bits.iter().map(|&bits| special(bits)).collect();
        check_sorts(&specials, length, Some(&pool));
        let singles: Vec<f32> = specials.iter().map(|&x| x as f32).collect();
        check_sorts(&singles, length, None);
        let complex: Vec<Complex<f32>> = singles
            .iter()
            .zip(bits.iter().map(|&bits| special(bits >> 20) as f32))
            .map(|(&re, im)| Complex::new(re, im))
            .collect();
        check_sorts(&complex, length, Some(&pool));
    }

    #[test]
    fn partitions_of_any_length_are_right(length in 1_usize..700, at in prop::collection::btree_set(0_usize..1000, 1..4), kind in 0_u32..8) {
        let places: Vec<usize> = at.iter().map(|at| at * length / 1000).collect();
        let bits = numbers(length, kind);
        let specials: Vec<f64> = bits.iter().map(|&bits| special(bits)).collect();
        check_partitions(&bits, &places, None);
        check_partitions(&specials, &places, None);
    }
}
