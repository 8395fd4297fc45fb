//! The element types of decompositions.

use crate::number::Number;
use faer::traits::{ComplexField, RealField};
use faer::{c32, c64};

/// A float or a complex number.
pub trait Element: ComplexField<Real = Self::Float> + Copy + Send + Sync + 'static {
    /// The float of its parts.
    type Float: RealField + Element<Float = Self::Float> + Number;
    /// The complex number of that float.
    type Complex: Element<Float = Self::Float>;

    /// From two floats; the second is lost on a float.
    fn from_parts(real: Self::Float, imaginary: Self::Float) -> Self;
    /// The real part.
    fn real_part(self) -> Self::Float;
    /// The imaginary part.
    fn imaginary_part(self) -> Self::Float;
    /// The conjugate.
    fn conjugate(self) -> Self;
    /// The larger of the parts' absolute values; NaN if either is.
    fn magnitude(self) -> f64;
    /// The element times a float.
    fn scaled(self, factor: f64) -> Self;
    /// The quotient, without a reciprocal that could overflow.
    fn over(self, divisor: Self) -> Self;
    /// From a float of any precision.
    fn from_double(value: f64) -> Self;
}

macro_rules! elements {
    ($($float:ty, $complex:ty;)*) => {$(
        impl Element for $float {
            type Float = $float;
            type Complex = $complex;

            fn from_parts(real: $float, _: $float) -> $float {
                real
            }
            fn real_part(self) -> $float {
                self
            }
            fn imaginary_part(self) -> $float {
                0.0
            }
            fn conjugate(self) -> $float {
                self
            }
            fn magnitude(self) -> f64 {
                f64::from(self.abs())
            }
            fn scaled(self, factor: f64) -> $float {
                (f64::from(self) * factor) as $float
            }
            fn over(self, divisor: $float) -> $float {
                self / divisor
            }
            fn from_double(value: f64) -> $float {
                value as $float
            }
        }

        impl Element for $complex {
            type Float = $float;
            type Complex = $complex;

            fn from_parts(real: $float, imaginary: $float) -> $complex {
                <$complex>::new(real, imaginary)
            }
            fn real_part(self) -> $float {
                self.re
            }
            fn imaginary_part(self) -> $float {
                self.im
            }
            fn conjugate(self) -> $complex {
                <$complex>::new(self.re, -self.im)
            }
            fn magnitude(self) -> f64 {
                let (re, im) = (self.re.magnitude(), self.im.magnitude());
                // `max` would lose a NaN.
                if re > im || re.is_nan() { re } else { im }
            }
            fn scaled(self, factor: f64) -> $complex {
                <$complex>::new(self.re.scaled(factor), self.im.scaled(factor))
            }
            fn over(self, divisor: $complex) -> $complex {
                // Smith's way: the quotient of the divisor's parts is at most 1.
                let (c, d) = (divisor.re, divisor.im);
                if c.magnitude() >= d.magnitude() {
                    let ratio = d / c;
                    let length = c + d * ratio;
                    let re = (self.re + self.im * ratio) / length;
                    <$complex>::new(re, (self.im - self.re * ratio) / length)
                } else {
                    let ratio = c / d;
                    let length = c * ratio + d;
                    let re = (self.re * ratio + self.im) / length;
                    <$complex>::new(re, (self.im * ratio - self.re) / length)
                }
            }
            fn from_double(value: f64) -> $complex {
                <$complex>::new(value as $float, 0.0)
            }
        }
    )*};
}

elements! {
    f32, c32;
    f64, c64;
}
