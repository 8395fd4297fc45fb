//! Every transform against its definition, over lengths, axes and threads.

use colocate_fft::{
    Complex, Direction, Extents, complex_to_real, half_length, real_to_complex, transform,
};
use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

type C = Complex<f64>;

fn pool() -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .expect("three threads start")
}

fn numbers(count: usize) -> Vec<C> {
    let mut state = 0x1234_5678_9abc_def1_u64 + count as u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    (0..count).map(|_| C::new(next(), next())).collect()
}

fn turn(part: usize, whole: usize, sign: f64) -> C {
    C::from_polar(
        1.0,
        sign * std::f64::consts::TAU * (part % whole) as f64 / whole as f64,
    )
}

/// The definition, along the middle axis.
fn defined(data: &[C], extents: Extents, sign: f64) -> Vec<C> {
    let Extents {
        outer,
        length,
        inner,
    } = extents;
    let mut result = vec![C::ZERO; data.len()];
    for o in 0..outer {
        for i in 0..inner {
            for k in 0..length {
                result[(o * length + k) * inner + i] = (0..length)
                    .map(|j| data[(o * length + j) * inner + i] * turn(j * k, length, sign))
                    .sum();
            }
        }
    }
    result
}

fn assert_close(found: &[C], expected: &[C], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().map(|x| x.norm()).fold(1.0, f64::max);
    for (index, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(
            (a - b).norm() <= tolerance * scale,
            "{index}: {a} is not {b}"
        );
    }
}

#[test]
fn a_long_line_on_many_threads_is_that_on_one() {
    let pool = pool();
    for length in [1 << 15, 3 * 5 * 7 * 11 * 29, 1 << 17, 181 * 181, 32_771] {
        for direction in [Direction::Forward, Direction::Inverse] {
            let extents = Extents {
                outer: 1,
                length,
                inner: 1,
            };
            let mut alone = numbers(length);
            let from = alone.clone();
            let mut together = alone.clone();
            let mut scratch = vec![C::ZERO; length];
            transform(None, &mut alone, extents, direction, 0.5, &mut [], None);
            transform(
                None,
                &mut together,
                extents,
                direction,
                0.5,
                &mut scratch,
                Some(&pool),
            );
            assert_close(&together, &alone, 1e-15 * (length as f64).sqrt());
            let mut apart = vec![C::ZERO; length];
            let input = Some(&from[..]);
            transform(
                input,
                &mut apart,
                extents,
                direction,
                0.5,
                &mut scratch,
                Some(&pool),
            );
            assert_eq!(apart, together);
        }
    }
}

#[test]
fn a_long_line_has_single_precision_too() {
    let pool = pool();
    let length = 1 << 16;
    let extents = Extents {
        outer: 1,
        length,
        inner: 1,
    };
    let mut expected = numbers(length);
    let mut found: Vec<Complex<f32>> = expected
        .iter()
        .map(|x| Complex::new(x.re as f32, x.im as f32))
        .collect();
    let mut scratch = vec![Complex::<f32>::ZERO; length];
    transform(
        None,
        &mut expected,
        extents,
        Direction::Forward,
        1.0,
        &mut [],
        None,
    );
    transform(
        None,
        &mut found,
        extents,
        Direction::Forward,
        1.0,
        &mut scratch,
        Some(&pool),
    );
    let found: Vec<C> = found
        .iter()
        .map(|x| C::new(f64::from(x.re), f64::from(x.im)))
        .collect();
    assert_close(&found, &expected, 1e-6);
}

#[test]
fn a_long_line_of_real_numbers_on_many_threads_is_that_on_one() {
    let pool = pool();
    for length in [1 << 16, 2 * 3 * 5 * 7 * 11 * 29, 2 * 181 * 191] {
        let extents = Extents {
            outer: 1,
            length,
            inner: 1,
        };
        let half = half_length(length);
        let real: Vec<f64> = numbers(length).iter().map(|x| x.re).collect();
        let mut alone = vec![C::ZERO; half];
        let mut together = vec![C::ZERO; half];
        let mut scratch = vec![C::ZERO; length / 2];
        real_to_complex(&real, &mut alone, extents, 0.5, &mut [], None);
        real_to_complex(
            &real,
            &mut together,
            extents,
            0.5,
            &mut scratch,
            Some(&pool),
        );
        assert_close(&together, &alone, 1e-15 * (length as f64).sqrt());
        // What these imaginary parts say makes no difference.
        together[0].im = 3.0;
        together[half - 1].im = 3.0;
        let mut back = vec![0.0; length];
        let factor = 2.0 / length as f64;
        complex_to_real(
            &together,
            &mut back,
            extents,
            factor,
            &mut scratch,
            Some(&pool),
        );
        for (a, b) in back.iter().zip(&real) {
            assert!((a - b).abs() < 1e-14, "{a} is not {b}");
        }
    }
}

#[test]
fn many_lines_on_many_threads_are_those_on_one() {
    let pool = pool();
    for (outer, length, inner) in [(64, 512, 1), (3, 100, 200), (1, 256, 256)] {
        let extents = Extents {
            outer,
            length,
            inner,
        };
        let mut alone = numbers(outer * length * inner);
        let mut together = alone.clone();
        transform(
            None,
            &mut alone,
            extents,
            Direction::Forward,
            1.0,
            &mut [],
            None,
        );
        transform(
            None,
            &mut together,
            extents,
            Direction::Forward,
            1.0,
            &mut [],
            Some(&pool),
        );
        assert_eq!(alone, together);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn transforms_are_as_defined(outer in 0_usize..4, length in 1_usize..40, inner in 0_usize..20) {
        let extents = Extents { outer, length, inner };
        let data = numbers(outer * length * inner);
        for (direction, sign) in [(Direction::Forward, -1.0), (Direction::Inverse, 1.0)] {
            let mut found = data.clone();
            transform(None, &mut found, extents, direction, 1.0, &mut [], None);
            assert_close(&found, &defined(&data, extents, sign), 1e-14);
            let mut apart = vec![C::ZERO; data.len()];
            transform(Some(&data), &mut apart, extents, direction, 1.0, &mut [], None);
            prop_assert_eq!(&apart, &found);
        }
    }

    #[test]
    fn real_transforms_are_halves_of_complex_ones(outer in 0_usize..4, length in 1_usize..40, inner in 0_usize..20) {
        let extents = Extents { outer, length, inner };
        let half = half_length(length);
        let real: Vec<f64> = numbers(outer * length * inner).iter().map(|x| x.re).collect();
        let complex: Vec<C> = real.iter().map(|&x| C::new(x, 0.0)).collect();
        let whole = defined(&complex, extents, -1.0);
        let mut expected = Vec::new();
        for rows in whole.chunks((length * inner).max(1)) {
            expected.extend_from_slice(&rows[..half * inner]);
        }
        let mut found = vec![C::ZERO; outer * half * inner];
        real_to_complex(&real, &mut found, extents, 1.0, &mut [], None);
        assert_close(&found, &expected, 1e-14);

        let mut back = vec![0.0; real.len()];
        // What the first number's imaginary part says makes no difference.
        if let Some(first) = found.first_mut() {
            first.im = 7.0;
        }
        complex_to_real(&found, &mut back, extents, 1.0 / length as f64, &mut [], None);
        for (a, b) in back.iter().zip(&real) {
            prop_assert!((a - b).abs() < 1e-14);
        }
    }
}
