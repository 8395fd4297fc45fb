//! Floats of either size, for loops of our own.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A float.
#[allow(missing_docs)] // The names of Rust's own floats.
pub trait Number:
    Copy
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    const INFINITY: Self;
    const EPSILON: Self;
    const SMALLEST: Self;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    fn sqrt(self) -> Self;
    fn abs(self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn hypot(self, other: Self) -> Self;
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            const ZERO: $type = 0.0;
            const ONE: $type = 1.0;
            const INFINITY: $type = <$type>::INFINITY;
            const EPSILON: $type = <$type>::EPSILON;
            const SMALLEST: $type = <$type>::MIN_POSITIVE;
            #[inline(always)]
            fn from_f64(value: f64) -> $type {
                value as $type
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }
            #[inline(always)]
            fn sqrt(self) -> $type {
                <$type>::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> $type {
                <$type>::abs(self)
            }
            #[inline(always)]
            fn min(self, other: $type) -> $type {
                <$type>::min(self, other)
            }
            #[inline(always)]
            fn max(self, other: $type) -> $type {
                <$type>::max(self, other)
            }
            #[inline(always)]
            fn hypot(self, other: $type) -> $type {
                <$type>::hypot(self, other)
            }
        }
    )*};
}

numbers! { f32 f64 }
