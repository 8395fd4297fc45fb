//! Transforms of complex numbers, in place.

use crate::lines::{ABREAST, Shared, for_groups, gather, pitch, scatter};
use crate::{Direction, Extents, Float, long_line, plans};
use num_complex::Complex;
use rayon::ThreadPool;

/// Transforms an array along its middle axis, and multiplies it by `factor`; the result is in
/// `data`, as is the input unless `from` is it. `scratch` is working memory of as many elements as a
/// line has; it is used for long lines only, and may be empty: then they are transformed by one
/// thread each.
///
/// # Panics
/// If the arrays have not as many elements as `extents` say.
pub fn transform<T: Float>(
    from: Option<&[Complex<T>]>,
    data: &mut [Complex<T>],
    extents: Extents,
    direction: Direction,
    factor: f64,
    scratch: &mut [Complex<T>],
    pool: Option<&ThreadPool>,
) {
    let Extents {
        outer,
        length,
        inner,
    } = extents;
    assert_eq!(data.len(), outer * length * inner);
    assert!(from.is_none_or(|from| from.len() == data.len()));
    if data.is_empty() {
        return;
    }
    if let (Some(pool), 1) = (pool, inner)
        && outer < pool.current_num_threads()
        && scratch.len() >= length
        && let Some(shape) = long_line::shape(length)
    {
        for (number, line) in data.chunks_mut(length).enumerate() {
            let from = from.map(|from| &from[number * length..(number + 1) * length]);
            let scratch = &mut scratch[..length];
            long_line::transform(from, line, shape, direction, factor, scratch, pool);
        }
        return;
    }
    let plan = plans::complex::<T>(length, direction);
    let zero = Complex::new(T::zero(), T::zero());
    let scaled = factor != 1.0;
    let factor = T::from_double(factor);
    let array = Shared(data.as_mut_ptr());
    if inner == 1 {
        let state = || vec![zero; plan.get_inplace_scratch_len()];
        for_groups(pool, extents, state, |scratch, group| {
            // SAFETY: every line is in one group.
            let line = unsafe {
                std::slice::from_raw_parts_mut(array.get().add(group.outer * length), length)
            };
            if let Some(from) = from {
                line.copy_from_slice(&from[group.outer * length..(group.outer + 1) * length]);
            }
            plan.process_with_scratch(line, scratch);
            if scaled {
                line.iter_mut().for_each(|one| *one = *one * factor);
            }
        });
        return;
    }
    let pitch = pitch::<Complex<T>>(length);
    let state = || {
        (
            vec![zero; pitch * ABREAST.min(inner)],
            vec![zero; plan.get_inplace_scratch_len()],
        )
    };
    let input = from.map_or(array.get().cast_const(), <[_]>::as_ptr);
    let input = Shared(input.cast_mut());
    for_groups(pool, extents, state, |(lines, scratch), group| {
        // SAFETY: every line is in one group.
        unsafe { gather(input.get(), (length, inner), group, lines) };
        for line in lines.chunks_mut(pitch).take(group.count) {
            plan.process_with_scratch(&mut line[..length], scratch);
        }
        let scale = |one| one * factor;
        // SAFETY: as above.
        unsafe { scatter(lines, array.get(), (length, inner), group, scale) };
    });
}
