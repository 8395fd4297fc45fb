//! Transforms from and to real numbers.

use crate::lines::{ABREAST, Group, Shared, for_groups, gather, pitch, scatter};
use crate::{Extents, Float, half_length, long_real, plans};
use num_complex::Complex;
use rayon::ThreadPool;

/// The forward transform of real numbers along the middle axis, multiplied by `factor`: half of
/// it, since the other half is its conjugate. `extents` are those of `from`; `to` has
/// [`half_length`] elements on the middle axis. `scratch` is as for [`transform`](crate::transform), but
/// half as long.
///
/// # Panics
/// If the arrays have not as many elements as `extents` say.
pub fn real_to_complex<T: Float>(
    from: &[T],
    to: &mut [Complex<T>],
    extents: Extents,
    factor: f64,
    scratch: &mut [Complex<T>],
    pool: Option<&ThreadPool>,
) {
    let Extents {
        outer,
        length,
        inner,
    } = extents;
    let half = half_length(length);
    assert_eq!(from.len(), outer * length * inner);
    assert_eq!(to.len(), outer * half * inner);
    if from.is_empty() {
        return;
    }
    if let (Some(pool), 1) = (pool, inner)
        && outer < pool.current_num_threads()
        && let Some(shape) = long_real::shape(length)
        && let Some(scratch) = scratch.get_mut(..length / 2)
    {
        for (from, to) in from.chunks(length).zip(to.chunks_mut(half)) {
            long_real::forward(from, to, shape, factor, scratch, pool);
        }
        return;
    }
    let plan = plans::real_to_complex::<T>(length);
    let zero = Complex::new(T::zero(), T::zero());
    let factor = T::from_double(factor);
    let out = Shared(to.as_mut_ptr());
    let abreast = ABREAST.min(inner);
    let (pitch, half_pitch) = (pitch::<T>(length), pitch::<Complex<T>>(half));
    let state = || {
        (
            vec![T::zero(); pitch * abreast],
            vec![zero; half_pitch * abreast],
            plan.make_scratch_vec(),
        )
    };
    for_groups(pool, extents, state, |(lines, halves, scratch), group| {
        // SAFETY: the extents are those of the array.
        unsafe { gather(from.as_ptr(), (length, inner), group, lines) };
        let one_by_one = lines.chunks_mut(pitch).zip(halves.chunks_mut(half_pitch));
        for (line, to) in one_by_one.take(group.count) {
            plan.process_with_scratch(&mut line[..length], &mut to[..half], scratch)
                .expect("all three have the lengths that the plan asks for");
        }
        // SAFETY: every line is in one group.
        unsafe { scatter(halves, out.get(), (half, inner), group, |one| one * factor) };
    });
}

/// The inverse transform to real numbers along the middle axis, multiplied by `factor`, of half
/// of what is transformed. `extents` are those of `to`; `from` has [`half_length`] elements on
/// the middle axis. `scratch` is as for [`real_to_complex`].
///
/// # Panics
/// If the arrays have not as many elements as `extents` say.
pub fn complex_to_real<T: Float>(
    from: &[Complex<T>],
    to: &mut [T],
    extents: Extents,
    factor: f64,
    scratch: &mut [Complex<T>],
    pool: Option<&ThreadPool>,
) {
    let Extents {
        outer,
        length,
        inner,
    } = extents;
    let half = half_length(length);
    assert_eq!(to.len(), outer * length * inner);
    assert_eq!(from.len(), outer * half * inner);
    if to.is_empty() {
        return;
    }
    if let (Some(pool), 1) = (pool, inner)
        && outer < pool.current_num_threads()
        && let Some(shape) = long_real::shape(length)
        && let Some(scratch) = scratch.get_mut(..length / 2)
    {
        for (from, to) in from.chunks(half).zip(to.chunks_mut(length)) {
            long_real::inverse(from, to, shape, factor, scratch, pool);
        }
        return;
    }
    let plan = plans::complex_to_real::<T>(length);
    let zero = Complex::new(T::zero(), T::zero());
    let factor = T::from_double(factor);
    let out = Shared(to.as_mut_ptr());
    let abreast = ABREAST.min(inner);
    let (pitch, half_pitch) = (pitch::<T>(length), pitch::<Complex<T>>(half));
    let state = || {
        (
            vec![zero; half_pitch * abreast],
            vec![T::zero(); pitch * abreast],
            plan.make_scratch_vec(),
        )
    };
    for_groups(
        pool,
        extents,
        state,
        |(halves, lines, scratch), group: Group| {
            // SAFETY: the extents are those of the array.
            unsafe { gather(from.as_ptr(), (half, inner), group, halves) };
            let one_by_one = halves.chunks_mut(half_pitch).zip(lines.chunks_mut(pitch));
            for (from, line) in one_by_one.take(group.count) {
                // These are real in every transform of real numbers; what they say else is ignored.
                from[0].im = T::zero();
                if length.is_multiple_of(2) {
                    from[length / 2].im = T::zero();
                }
                plan.process_with_scratch(&mut from[..half], &mut line[..length], scratch)
                    .expect("all three have the lengths that the plan asks for");
            }
            // SAFETY: every line is in one group.
            unsafe { scatter(lines, out.get(), (length, inner), group, |one| one * factor) };
        },
    );
}
