//! Element types, and how they become items.

use crate::items::{ComplexItem, Indexed, IndexedComplex, Item, Narrow, Part, Wide, Widest};
use half::f16;
use num_complex::Complex;

/// An element type of the array library. Booleans are sorted as `u8`.
pub trait Element: Convert {}

/// How elements of a type become items and come back. `D` is true to sort descending.
pub trait Convert: Copy + Send + Sync + 'static {
    /// The item of an element alone, which is as large as the element.
    type Plain<const D: bool>: Item;
    /// The item of an element with an index below 2^32.
    type Near<const D: bool>: Indexed;
    /// The item of an element with any index.
    type Far<const D: bool>: Indexed;
    /// Two zeros, if the type has two that become different plain items.
    const ZEROS: Option<[Self; 2]>;

    /// The item of an element.
    fn plain<const D: bool>(self) -> Self::Plain<D>;
    /// The element of an item.
    fn from_plain<const D: bool>(item: Self::Plain<D>) -> Self;
    /// The item of an element at an index.
    fn near<const D: bool>(self, index: usize) -> Self::Near<D>;
    /// The item of an element at an index.
    fn far<const D: bool>(self, index: usize) -> Self::Far<D>;
}

/// The key in the order of a sort, and back: descending is ascending of the complement.
macro_rules! turned {
    ($key:expr) => {
        if D { !$key } else { $key }
    };
}

macro_rules! real {
    ($element:ty, $key:ty, $near:ty, $zeros:expr, $to_key:expr, $from_key:expr, $alike:expr) => {
        impl Element for $element {}

        impl Convert for $element {
            type Plain<const D: bool> = $key;
            type Near<const D: bool> = $near;
            type Far<const D: bool> = Widest;
            const ZEROS: Option<[$element; 2]> = $zeros;

            #[inline(always)]
            fn plain<const D: bool>(self) -> $key {
                let key: fn($element) -> $key = $to_key;
                turned!(key(self))
            }

            #[inline(always)]
            fn from_plain<const D: bool>(item: $key) -> $element {
                let element: fn($key) -> $element = $from_key;
                element(turned!(item))
            }

            #[inline(always)]
            fn near<const D: bool>(self, index: usize) -> $near {
                let alike: fn($element) -> $element = $alike;
                <$near>::new(u64::from(alike(self).plain::<D>()), index)
            }

            #[inline(always)]
            fn far<const D: bool>(self, index: usize) -> Widest {
                let alike: fn($element) -> $element = $alike;
                Widest::new(u64::from(alike(self).plain::<D>()), index)
            }
        }
    };
}

macro_rules! integer {
    ($unsigned:ty, $signed:ty, $near:ty) => {
        real!($unsigned, $unsigned, $near, None, |x| x, |key| key, |x| x);
        real!(
            $signed,
            $unsigned,
            $near,
            None,
            |x| x as $unsigned ^ (1 << (<$unsigned>::BITS - 1)),
            |key| (key ^ (1 << (<$unsigned>::BITS - 1))) as $signed,
            |x| x
        );
    };
}
integer!(u8, i8, Narrow);
integer!(u16, i16, Narrow);
integer!(u32, i32, Narrow);
integer!(u64, i64, Wide);

macro_rules! float {
    ($float:ty, $key:ty, $signed:ty, $near:ty, $zero:expr) => {
        real!(
            $float,
            $key,
            $near,
            Some([$zero, -$zero]),
            |x| {
                const SIGN: $key = 1 << (<$key>::BITS - 1);
                let bits = x.to_bits();
                // A NaN is greater than all, whatever its sign.
                let bits = if x.is_nan() { bits & !SIGN } else { bits };
                bits ^ ((bits as $signed >> (<$key>::BITS - 1)) as $key | SIGN)
            },
            |key| {
                const SIGN: $key = 1 << (<$key>::BITS - 1);
                let negative = ((!key) as $signed >> (<$key>::BITS - 1)) as $key;
                <$float>::from_bits(key ^ (negative | SIGN))
            },
            // The negative zero becomes the other, and all NaNs become one.
            |x| if x.is_nan() { <$float>::NAN } else { x + $zero }
        );
    };
}
float!(f32, u32, i32, Narrow, 0.0_f32);
float!(f64, u64, i64, Wide, 0.0_f64);

const F16_ZERO: f16 = f16::ZERO;
real!(
    f16,
    u16,
    Narrow,
    Some([f16::ZERO, f16::NEG_ZERO]),
    |x| {
        let bits = x.to_bits();
        let bits = if x.is_nan() { bits & 0x7fff } else { bits };
        bits ^ ((bits as i16 >> 15) as u16 | 0x8000)
    },
    |key| f16::from_bits(key ^ ((!key as i16 >> 15) as u16 | 0x8000)),
    |x| match x.to_bits() {
        0x8000 => F16_ZERO,
        _ if x.is_nan() => f16::NAN,
        _ => x,
    }
);

macro_rules! complex {
    ($part:ty) => {
        impl Part for $part {
            #[inline(always)]
            fn place(self) -> u64 {
                let alike = if self.is_nan() {
                    <$part>::NAN
                } else {
                    self + 0.0
                };
                u64::from(alike.plain::<false>())
            }

            #[inline(always)]
            fn is_nan(self) -> bool {
                self != self
            }
        }

        impl Element for Complex<$part> {}

        impl Convert for Complex<$part> {
            type Plain<const D: bool> = ComplexItem<$part, D>;
            type Near<const D: bool> = IndexedComplex<$part, D>;
            type Far<const D: bool> = IndexedComplex<$part, D>;
            // The items are the elements themselves.
            const ZEROS: Option<[Self; 2]> = None;

            #[inline(always)]
            fn plain<const D: bool>(self) -> ComplexItem<$part, D> {
                ComplexItem(self)
            }

            #[inline(always)]
            fn from_plain<const D: bool>(item: ComplexItem<$part, D>) -> Self {
                item.0
            }

            #[inline(always)]
            fn near<const D: bool>(self, index: usize) -> Self::Near<D> {
                IndexedComplex::new(self, index)
            }

            #[inline(always)]
            fn far<const D: bool>(self, index: usize) -> Self::Far<D> {
                IndexedComplex::new(self, index)
            }
        }
    };
}
complex!(f32);
complex!(f64);
