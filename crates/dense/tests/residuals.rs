//! Decompositions and products put together again give what was taken apart.
// Every matrix here is owned by the test that points at it.
#![allow(clippy::undocumented_unsafe_blocks)]

use colocate_dense::*;
use proptest::prelude::*;
use std::sync::OnceLock;

/// A matrix of our own, in either order, possibly with gaps and backwards.
#[derive(Clone, Debug)]
struct Owned<T> {
    data: Vec<T>,
    rows: usize,
    columns: usize,
    layout: usize,
}

impl<T: Multiply> Owned<T> {
    fn new(rows: usize, columns: usize, layout: usize, f: impl Fn(usize, usize) -> T) -> Self {
        let mut matrix = Owned {
            data: vec![T::ZERO; 2 * rows * columns],
            rows,
            columns,
            layout,
        };
        for i in 0..rows {
            for j in 0..columns {
                unsafe { matrix.matrix().at(i, j).write(f(i, j)) };
            }
        }
        matrix
    }

    fn zeros(rows: usize, columns: usize) -> Self {
        Self::new(rows, columns, 0, |_, _| T::ZERO)
    }

    fn matrix(&mut self) -> Matrix<T> {
        let (rows, columns) = (self.rows, self.columns);
        let pointer = self.data.as_mut_ptr();
        let (row_stride, column_stride) = match self.layout {
            0 => (columns as isize, 1),
            1 => (1, rows as isize),
            2 => (2 * columns as isize, 2),
            _ => (-(columns as isize), 1),
        };
        let last_row = rows.saturating_sub(1) * columns;
        let first = if self.layout == 3 { last_row } else { 0 };
        Matrix {
            pointer: pointer.wrapping_add(first),
            rows,
            columns,
            row_stride,
            column_stride,
        }
    }

    fn get(&self, i: usize, j: usize) -> T {
        let (m, n) = (self.rows, self.columns);
        self.data[match self.layout {
            0 => i * n + j,
            1 => i + j * m,
            2 => 2 * (i * n + j),
            _ => (m - 1 - i) * n + j,
        }]
    }

    fn all(&self) -> Vec<T> {
        let row = |i| (0..self.columns).map(move |j| self.get(i, j));
        (0..self.rows).flat_map(row).collect()
    }
}

/// A number that depends on its place and on a seed, between -1 and 1.
fn noise(seed: u64, i: usize, j: usize) -> f64 {
    let mut x = seed
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add((i as u64) << 32 | j as u64)
        .wrapping_add(0x1234_5678);
    for _ in 0..3 {
        x ^= x >> 33;
        x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    }
    (x >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

trait Sample: Decompose {
    const TOLERANCE: f64;
    fn sample(seed: u64, i: usize, j: usize) -> Self {
        let float = |seed| Self::Float::from_double(noise(seed, i, j));
        Self::from_parts(float(seed), float(seed ^ 77))
    }
}
impl Sample for f32 {
    const TOLERANCE: f64 = 1e-5;
}
impl Sample for c32 {
    const TOLERANCE: f64 = 1e-5;
}
impl Sample for f64 {
    const TOLERANCE: f64 = 1e-13;
}
impl Sample for c64 {
    const TOLERANCE: f64 = 1e-13;
}

fn random<T: Sample>(rows: usize, columns: usize, layout: usize, seed: u64) -> Owned<T> {
    Owned::new(rows, columns, layout, |i, j| T::sample(seed, i, j))
}

fn times<T: Multiply>(a: &Owned<T>, b: &Owned<T>) -> Owned<T> {
    let mut out = Owned::zeros(a.rows, b.columns);
    unsafe { product(out.matrix(), a.clone().matrix(), b.clone().matrix()) };
    out
}

fn adjoint<T: Sample>(a: &Owned<T>) -> Owned<T> {
    Owned::new(a.columns, a.rows, 0, |i, j| a.get(j, i).conjugate())
}

fn identity<T: Sample>(n: usize) -> Owned<T> {
    Owned::new(n, n, 0, |i, j| {
        T::from_double(if i == j { 1.0 } else { 0.0 })
    })
}

fn diagonal<T: Sample>(values: &Owned<T::Float>, rows: usize, columns: usize) -> Owned<T>
where
    T::Float: Multiply,
{
    let zero = T::Float::from_double(0.0);
    Owned::new(rows, columns, 0, |i, j| match i == j {
        true => T::from_parts(values.get(i, 0), zero),
        false => T::from_double(0.0),
    })
}

fn assert_close<T: Sample>(a: &Owned<T>, b: &Owned<T>, scale: f64) {
    assert_eq!((a.rows, a.columns), (b.rows, b.columns));
    let bound = T::TOLERANCE * scale.max(1.0) * (a.rows.max(a.columns).max(1) as f64);
    for (x, y) in a.all().into_iter().zip(b.all()) {
        let difference = (x + y.scaled(-1.0)).magnitude();
        assert!(
            difference <= bound,
            "{x:?} and {y:?} differ by {difference}, more than {bound}"
        );
    }
}

fn threads(wanted: bool) -> Option<&'static Threads> {
    static THREADS: OnceLock<Threads> = OnceLock::new();
    wanted.then(|| {
        THREADS.get_or_init(|| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(2)
                .build()
                .unwrap()
        })
    })
}

fn check_all<T: Sample>(m: usize, n: usize, layout: usize, seed: u64, par: bool)
where
    T::Float: Multiply,
    T::Complex: Sample,
{
    let threads = threads(par);
    let a = random::<T>(m, n, layout, seed);
    check_qr(&a, threads);
    check_svd(&a, threads);
    let square = random::<T>(n, n, layout, seed + 1);
    check_solve(&square, &random::<T>(n, m, 3 - layout, seed + 2), threads);
    check_hermitian(&square, threads);
    check_general(&square, threads);
}

fn check_qr<T: Sample>(a: &Owned<T>, threads: Option<&Threads>) {
    let (m, n) = (a.rows, a.columns);
    for k in [m.min(n), m] {
        let (mut q, mut r) = (Owned::<T>::zeros(m, k), Owned::<T>::zeros(k, n));
        unsafe { T::qr(a.clone().matrix(), Some(q.matrix()), r.matrix(), threads) }.unwrap();
        assert_close(&times(&q, &r), a, 1.0);
        assert_close(&times(&adjoint(&q), &q), &identity(k), 1.0);
        for i in 0..k {
            assert!((0..i.min(n)).all(|j| r.get(i, j).magnitude() == 0.0));
        }
    }
}

fn check_svd<T: Sample>(a: &Owned<T>, threads: Option<&Threads>)
where
    T::Float: Multiply,
{
    let (m, n) = (a.rows, a.columns);
    let k = m.min(n);
    let mut alone = Owned::<T::Float>::zeros(k, 1);
    unsafe { T::svd(a.clone().matrix(), alone.matrix(), None, threads) }.unwrap();
    for (p, q) in [(k, k), (m, n)] {
        let (mut u, mut vh) = (Owned::<T>::zeros(m, p), Owned::<T>::zeros(q, n));
        let mut s = Owned::<T::Float>::zeros(k, 1);
        let vectors = Some((u.matrix(), vh.matrix()));
        unsafe { T::svd(a.clone().matrix(), s.matrix(), vectors, threads) }.unwrap();
        assert_close(&times(&times(&u, &diagonal(&s, p, q)), &vh), a, 4.0);
        assert_close(&times(&adjoint(&u), &u), &identity(p), 2.0);
        assert_close(&times(&vh, &adjoint(&vh)), &identity(q), 2.0);
        let values: Vec<f64> = s.all().into_iter().map(Element::magnitude).collect();
        assert!(values.is_sorted_by(|a, b| a >= b));
        for (x, y) in alone.all().into_iter().zip(values) {
            let bound = T::TOLERANCE * (m.max(n) as f64) * 2.0;
            assert!((x.magnitude() - y).abs() <= bound);
        }
    }
}

fn check_solve<T: Sample>(a: &Owned<T>, b: &Owned<T>, threads: Option<&Threads>)
where
    T::Float: Multiply,
{
    let n = a.rows;
    // Far from singular.
    let a = Owned::new(n, n, a.layout, |i, j| {
        a.get(i, j) + T::from_double(if i == j { n as f64 + 1.0 } else { 0.0 })
    });
    let mut x = Owned::<T>::zeros(n, b.columns);
    unsafe { T::solve(a.clone().matrix(), b.clone().matrix(), x.matrix(), threads) }.unwrap();
    assert_close(&times(&a, &x), b, 4.0);
    let mut back = Owned::<T>::zeros(n, n);
    unsafe { T::inverse(a.clone().matrix(), back.matrix(), threads) }.unwrap();
    assert_close(&times(&a, &back), &identity(n), 4.0);
    let found = unsafe { T::determinant(a.clone().matrix(), threads) }.unwrap();
    let inverted = unsafe { T::determinant(back.clone().matrix(), threads) }.unwrap();
    let sum = found.logarithm + inverted.logarithm;
    assert!(sum.magnitude() <= T::TOLERANCE * 10.0 * (n.max(1) as f64));
    let one = found.sign * inverted.sign + T::from_double(-1.0);
    assert!(one.magnitude() <= T::TOLERANCE * 10.0 * (n.max(1) as f64));
    // The product with the adjoint is positive definite.
    let positive = times(&a, &adjoint(&a));
    let mut l = Owned::<T>::zeros(n, n);
    unsafe { T::cholesky(positive.clone().matrix(), l.matrix(), threads) }.unwrap();
    assert_close(&times(&l, &adjoint(&l)), &positive, (n * n) as f64);
}

fn check_hermitian<T: Sample>(a: &Owned<T>, threads: Option<&Threads>)
where
    T::Float: Multiply,
{
    let n = a.rows;
    let h = Owned::new(n, n, a.layout, |i, j| a.get(i, j) + a.get(j, i).conjugate());
    let mut alone = Owned::<T::Float>::zeros(n, 1);
    for triangle in [Triangle::Lower, Triangle::Upper] {
        // What stands in the other half must not matter.
        let half = Owned::new(n, n, h.layout, |i, j| match triangle {
            Triangle::Lower if i < j => T::from_double(9.0),
            Triangle::Upper if i > j => T::from_double(9.0),
            _ => h.get(i, j),
        });
        let (mut w, mut v) = (Owned::<T::Float>::zeros(n, 1), Owned::<T>::zeros(n, n));
        let vectors = Some(v.matrix());
        unsafe {
            T::eigen_hermitian(
                half.clone().matrix(),
                triangle,
                w.matrix(),
                vectors,
                threads,
            )
        }
        .unwrap();
        let largest = h
            .all()
            .into_iter()
            .map(Element::magnitude)
            .fold(1.0, f64::max);
        assert_close(
            &times(&h, &v),
            &times(&v, &diagonal(&w, n, n)),
            8.0 * largest,
        );
        assert_close(&times(&adjoint(&v), &v), &identity(n), 2.0);
        assert!(w.all().is_sorted());
        unsafe {
            T::eigen_hermitian(
                half.clone().matrix(),
                triangle,
                alone.matrix(),
                None,
                threads,
            )
        }
        .unwrap();
        for (x, y) in alone.all().into_iter().zip(w.all()) {
            assert!((x + y.scaled(-1.0)).magnitude() <= T::TOLERANCE * 4.0 * largest * (n as f64));
        }
    }
}

fn check_general<T: Sample>(a: &Owned<T>, threads: Option<&Threads>)
where
    T::Complex: Sample,
{
    let n = a.rows;
    let (mut w, mut v) = (Owned::zeros(n, 1), Owned::zeros(n, n));
    let vectors = Some(v.matrix());
    unsafe { T::eigen_general(a.clone().matrix(), w.matrix(), vectors, threads) }.unwrap();
    let wide = Owned::new(n, n, 0, |i, j| {
        T::Complex::from_parts(a.get(i, j).real_part(), a.get(i, j).imaginary_part())
    });
    let values = Owned::new(n, n, 0, |i, j| match i == j {
        true => w.get(i, 0),
        false => T::Complex::from_double(0.0),
    });
    assert_close(&times(&wide, &v), &times(&v, &values), 20.0);
    for j in 0..n {
        let squares = (0..n).map(|i| {
            let element = v.get(i, j);
            element.real_part().magnitude().powi(2) + element.imaginary_part().magnitude().powi(2)
        });
        assert!((squares.sum::<f64>() - 1.0).abs() < 1e-4);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn decompositions_give_back_what_they_took_apart(
        m in 0usize..40, n in 0usize..40, layout in 0usize..4, seed in 0u64..1000,
    ) {
        check_all::<f32>(m, n, layout, seed, false);
        check_all::<f64>(m, n, layout, seed, false);
        check_all::<c32>(m, n, layout, seed, false);
        check_all::<c64>(m, n, layout, seed, false);
    }

    #[test]
    fn products_of_integers_wrap(
        m in 0usize..40, n in 0usize..150, k in 0usize..300, layout in 0usize..4,
        seed in 0u64..1000,
    ) {
        let at = |seed, i, j| (noise(seed, i, j) * 1e9) as i64;
        let a = Owned::<i8>::new(m, k, layout, |i, j| at(seed, i, j) as i8);
        let b = Owned::<i8>::new(k, n, 3 - layout, |i, j| at(seed + 1, i, j) as i8);
        let wide_a = Owned::<i64>::new(m, k, layout, |i, j| i64::from(a.get(i, j)));
        let wide_b = Owned::<i64>::new(k, n, layout, |i, j| i64::from(b.get(i, j)));
        let wide = times(&wide_a, &wide_b);
        let narrow = times(&a, &b);
        for (index, element) in narrow.all().into_iter().enumerate() {
            let (i, j) = (index / n, index % n);
            let sum = (0..k).map(|l| i64::from(a.get(i, l)) * i64::from(b.get(l, j))).sum::<i64>();
            prop_assert_eq!(element, sum as i8);
            prop_assert_eq!(wide.get(i, j), sum);
            if index > 40 { break; }
        }
    }
}

#[test]
fn large_matrices_work_on_one_thread_and_on_several() {
    for par in [false, true] {
        check_all::<f64>(300, 170, 0, 1, par);
        check_all::<f32>(170, 300, 1, 2, par);
        check_all::<c64>(150, 140, 0, 3, par);
    }
}

#[test]
fn what_the_result_held_before_does_not_matter() {
    for (m, n, k) in [
        (1, 1, 1),
        (1, 5, 3),
        (5, 1, 3),
        (2, 2, 2),
        (40, 40, 0),
        (70, 80, 90),
    ] {
        let (a, b) = (random::<f64>(m, k, 0, 1), random::<f64>(k, n, 1, 2));
        let clean = times(&a, &b);
        let mut dirty = Owned::<f64>::new(m, n, 0, |_, _| f64::NAN);
        unsafe { product(dirty.matrix(), a.clone().matrix(), b.clone().matrix()) };
        assert_close(&dirty, &clean, 1.0);
    }
}

#[test]
fn booleans_multiply_as_relations_do() {
    let a = Owned::<bool>::new(3, 70, 0, |i, j| (i + j) % 7 == 0);
    let b = Owned::<bool>::new(70, 3, 1, |i, j| (i * j) % 5 == 1);
    let c = times(&a, &b);
    for i in 0..3 {
        for j in 0..3 {
            assert_eq!(c.get(i, j), (0..70).any(|k| a.get(i, k) & b.get(k, j)));
        }
    }
}

#[test]
fn halves_are_summed_as_floats() {
    let a = Owned::<f16>::new(1, 4096, 0, |_, _| f16::ONE);
    let b = Owned::<f16>::new(4096, 1, 1, |_, _| f16::ONE);
    // In float16 a sum of ones stops at 2048.
    assert_eq!(times(&a, &b).get(0, 0).to_f32(), 4096.0);
}

#[test]
fn singular_matrices_have_no_inverse_and_the_determinant_zero() {
    for n in [1, 2, 5, 70] {
        let a = Owned::<f64>::new(n, n, 0, |i, j| match j {
            _ if j == n / 2 => 0.0,
            _ => noise(3, i, j),
        });
        let mut out = Owned::<f64>::zeros(n, n);
        let failure = unsafe { f64::inverse(a.clone().matrix(), out.matrix(), None) };
        assert_eq!(failure, Err(Failure::Singular));
        let b = identity::<f64>(n);
        let failure =
            unsafe { f64::solve(a.clone().matrix(), b.clone().matrix(), out.matrix(), None) };
        assert_eq!(failure, Err(Failure::Singular));
        let found = unsafe { f64::determinant(a.clone().matrix(), None) }.unwrap();
        assert_eq!(
            (found.value, found.sign, found.logarithm),
            (0.0, 0.0, f64::NEG_INFINITY)
        );
    }
}

#[test]
fn columns_that_depend_on_others_are_kept() {
    let a = Owned::<f32>::new(60, 60, 0, |i, j| {
        if j % 3 == 0 {
            0.0
        } else {
            noise(1, i, j / 2) as f32
        }
    });
    check_qr(&a, None);
    check_svd(&a, None);
    let tall = Owned::<f64>::new(200, 30, 0, |i, j| {
        noise(1, i, j / 2) * 10f64.powi(-(j as i32))
    });
    check_qr(&tall, None);
    check_svd(&tall, None);
}

#[test]
fn extreme_elements_do_not_overflow_on_the_way() {
    for scale in [1e-300, 1e300] {
        let a = Owned::<f64>::new(20, 20, 0, |i, j| noise(5, i.min(j), i.max(j)) * scale);
        let plain = Owned::<f64>::new(20, 20, 0, |i, j| noise(5, i.min(j), i.max(j)));
        let (mut s, mut t) = (Owned::<f64>::zeros(20, 1), Owned::<f64>::zeros(20, 1));
        unsafe { f64::svd(a.clone().matrix(), s.matrix(), None, None) }.unwrap();
        unsafe { f64::svd(plain.clone().matrix(), t.matrix(), None, None) }.unwrap();
        for (x, y) in s.all().into_iter().zip(t.all()) {
            assert!((x / scale - y).abs() < 1e-12);
        }
        let lower = Triangle::Lower;
        unsafe { f64::eigen_hermitian(a.clone().matrix(), lower, s.matrix(), None, None) }.unwrap();
        unsafe { f64::eigen_hermitian(plain.clone().matrix(), lower, t.matrix(), None, None) }
            .unwrap();
        for (x, y) in s.all().into_iter().zip(t.all()) {
            assert!((x / scale - y).abs() < 1e-12);
        }
    }
}

#[test]
fn elements_that_are_no_numbers_end_iterations_with_an_error() {
    for bad in [f64::NAN, f64::INFINITY] {
        let a = Owned::<f64>::new(9, 9, 0, |i, j| if i + j == 7 { bad } else { 1.0 });
        let (mut s, mut l) = (Owned::<f64>::zeros(9, 1), Owned::<f64>::zeros(9, 9));
        let failed = Err(Failure::NoConvergence);
        let mut w = Owned::<c64>::zeros(9, 1);
        unsafe {
            assert_eq!(f64::svd(a.clone().matrix(), s.matrix(), None, None), failed);
            let lower = Triangle::Lower;
            let found = f64::eigen_hermitian(a.clone().matrix(), lower, s.matrix(), None, None);
            assert_eq!(found, failed);
            assert_eq!(
                f64::eigen_general(a.clone().matrix(), w.matrix(), None, None),
                failed
            );
            let found = f64::cholesky(a.clone().matrix(), l.matrix(), None);
            assert_eq!(found, Err(Failure::NotPositiveDefinite));
            // Neither hangs.
            let _ = f64::inverse(a.clone().matrix(), l.matrix(), None);
            let _ = f64::determinant(a.clone().matrix(), None);
        }
    }
}

#[test]
fn eigenvectors_stay_orthonormal_where_eigenvalues_meet() {
    let same = |_: usize, _: usize| 0.0;
    let blocks = |i: usize, j: usize| if i / 40 == j / 40 { 1.0 } else { 0.0 };
    let wilkinson = |i: usize, j: usize| match i.abs_diff(j) {
        0 => (i as f64 - 60.0).abs(),
        1 => 1.0,
        _ => 0.0,
    };
    let graded = |i: usize, j: usize| 10f64.powi(-((i + j) as i32) / 8);
    let nearly = |i: usize, j: usize| {
        if i == j {
            1.0
        } else {
            1e-14 * noise(1, i.min(j), i.max(j))
        }
    };
    let steps = |i: usize, j: usize| if i == j { (i / 10) as f64 } else { 0.0 };
    let cases: [&dyn Fn(usize, usize) -> f64; 6] =
        [&same, &blocks, &wilkinson, &graded, &nearly, &steps];
    for element in cases {
        for n in [33, 121, 300] {
            check_hermitian(&Owned::<f64>::new(n, n, 0, element), threads(n > 200));
            let small = Owned::<f32>::new(n, n, 0, |i, j| element(i, j) as f32);
            check_hermitian(&small, None);
        }
        let turned = Owned::<c64>::new(90, 90, 0, |i, j| {
            c64::new(
                element(i, j),
                if i == j {
                    0.0
                } else {
                    0.5 * (i as f64 - j as f64).sin()
                },
            )
        });
        check_hermitian(&turned, None);
    }
}

#[test]
fn pivots_without_a_reciprocal_are_divided_by() {
    for (n, tiny) in [(3, 1e-310), (40, 5e-324)] {
        // Rows in another order, so that some are exchanged.
        let a = Owned::<f64>::new(n, n, 1, |i, j| match (i + 1) % n == j {
            true if j == 1 => tiny,
            true => 2.0,
            false => 0.0,
        });
        let b = Owned::<f64>::new(n, 1, 0, |i, _| if (i + 1) % n == 1 { tiny } else { 2.0 });
        let mut x = Owned::<f64>::zeros(n, 1);
        unsafe { f64::solve(a.clone().matrix(), b.clone().matrix(), x.matrix(), None) }.unwrap();
        assert!(x.all().into_iter().all(|x| x == 1.0));
        let found = unsafe { f64::determinant(a.clone().matrix(), None) }.unwrap();
        assert_eq!(found.sign, if n % 2 == 1 { 1.0 } else { -1.0 });
        assert!((found.logarithm - (tiny.ln() + (n - 1) as f64 * 2f64.ln())).abs() < 1e-9);
    }
    let constant = Owned::<f32>::new(9, 9, 0, |_, _| 0.869_903_1);
    let mut out = Owned::<f32>::zeros(9, 9);
    let failure = unsafe { f32::inverse(constant.clone().matrix(), out.matrix(), None) };
    assert_eq!(failure, Err(Failure::Singular));
}
