//! Plans of transforms, kept from call to call.

use crate::Direction;
use realfft::{ComplexToReal, RealFftPlanner, RealToComplex};
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};
use std::sync::{Arc, Mutex, TryLockError};

/// With this many lengths the planner starts anew, so that its tables do not grow for ever.
const MOST_LENGTHS: usize = 64;

/// A part of the numbers that are transformed: `f32` or `f64`.
pub trait Float: FftNum + turns::Turns {
    /// The plans of this type.
    #[doc(hidden)]
    fn plans() -> &'static Mutex<Option<Plans<Self>>>;
}

/// What is computed with the type's own precision.
#[doc(hidden)]
pub mod turns {
    use num_complex::Complex;

    /// Points of the unit circle.
    pub trait Turns: Sized {
        /// `exp(-2πi part/whole)`, exact to rounding.
        fn turn(part: usize, whole: usize) -> Complex<Self>;
        /// A number that was counted in double precision.
        fn from_double(number: f64) -> Self;
    }

    macro_rules! turns {
        ($($float:ty),*) => {$(impl Turns for $float {
            fn turn(part: usize, whole: usize) -> Complex<$float> {
                // Angles below an eighth of a turn keep the sine and the cosine accurate.
                let eighths = 8 * (part as u128) / whole as u128;
                let rest = (8 * part as u128 - eighths * whole as u128) as f64;
                let angle = rest * (std::f64::consts::FRAC_PI_4 / whole as f64);
                let (sin, cos) = angle.sin_cos();
                let diagonal = std::f64::consts::FRAC_1_SQRT_2;
                let (sin, cos) = match eighths % 2 {
                    0 => (sin, cos),
                    _ => ((cos + sin) * diagonal, (cos - sin) * diagonal),
                };
                let (re, im) = match eighths / 2 {
                    0 => (cos, -sin),
                    1 => (-sin, -cos),
                    2 => (-cos, sin),
                    _ => (sin, cos),
                };
                Complex::new(re as $float, im as $float)
            }

            fn from_double(number: f64) -> $float {
                number as $float
            }
        })*};
    }
    turns!(f32, f64);
}

macro_rules! float {
    ($($float:ty),*) => {$(impl Float for $float {
        fn plans() -> &'static Mutex<Option<Plans<$float>>> {
            static PLANS: Mutex<Option<Plans<$float>>> = Mutex::new(None);
            &PLANS
        }
    })*};
}
float!(f32, f64);

/// The planners of a type.
#[doc(hidden)]
pub struct Plans<T: FftNum> {
    complex: FftPlanner<T>,
    real: RealFftPlanner<T>,
    lengths: Vec<usize>,
}

impl<T: FftNum> Plans<T> {
    fn new() -> Plans<T> {
        Plans {
            complex: FftPlanner::new(),
            real: RealFftPlanner::new(),
            lengths: Vec::new(),
        }
    }
}

fn with_plans<T: Float, R>(length: usize, plan: impl FnOnce(&mut Plans<T>) -> R) -> R {
    // Somebody else may be planning for long, or may have been when the process was forked.
    let mut kept = match T::plans().try_lock() {
        Ok(kept) => kept,
        Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
        Err(TryLockError::WouldBlock) => return plan(&mut Plans::new()),
    };
    let plans = kept.get_or_insert_with(Plans::new);
    if !plans.lengths.contains(&length) {
        if plans.lengths.len() == MOST_LENGTHS {
            *plans = Plans::new();
        }
        plans.lengths.push(length);
    }
    plan(plans)
}

/// The plan of a complex transform.
pub(crate) fn complex<T: Float>(length: usize, direction: Direction) -> Arc<dyn Fft<T>> {
    let direction = match direction {
        Direction::Forward => FftDirection::Forward,
        Direction::Inverse => FftDirection::Inverse,
    };
    with_plans(length, |plans: &mut Plans<T>| {
        plans.complex.plan_fft(length, direction)
    })
}

/// The plan of a forward transform of real numbers.
pub(crate) fn real_to_complex<T: Float>(length: usize) -> Arc<dyn RealToComplex<T>> {
    with_plans(length, |plans: &mut Plans<T>| {
        plans.real.plan_fft_forward(length)
    })
}

/// The plan of an inverse transform to real numbers.
pub(crate) fn complex_to_real<T: Float>(length: usize) -> Arc<dyn ComplexToReal<T>> {
    with_plans(length, |plans: &mut Plans<T>| {
        plans.real.plan_fft_inverse(length)
    })
}
