//! The promotion lattice: NumPy 2's and the Array API's, which agree where both speak.

use crate::{DType, Kind};

/// The smallest dtype that holds the values of both, as NumPy 2 defines it.
///
/// Mixed signedness goes to the next wider signed integer; `uint64` with a signed integer,
/// and integers with floats, go to the float NumPy picks.
pub fn promote_types(a: DType, b: DType) -> DType {
    let (low, high) = if a.kind() <= b.kind() { (a, b) } else { (b, a) };
    match (low.kind(), high.kind()) {
        (x, y) if x == y => wider(low, high),
        (Kind::Bool, _) => high,
        (Kind::Int, Kind::UInt) => signed_holding(low, high),
        (_, Kind::Float) => wider(float_holding(low), high),
        (_, Kind::Complex) => wider(complex_of(float_holding(low)), high),
        _ => unreachable!("kinds are ordered bool < int < uint < float < complex"),
    }
}

/// The dtype that holds the values of all; `None` of none.
///
/// Not always what promoting them one after the other gives: `int16`, `uint16` and `float16` are held by `float32`,
/// but the first two by `int32`, which with `float16` would need `float64`. As in NumPy, each meets the highest kind.
pub fn promote_all(dtypes: impl Iterator<Item = DType> + Clone) -> Option<DType> {
    let highest = dtypes.clone().max_by_key(|dtype| dtype.kind())?;
    Some(dtypes.fold(highest, promote_types))
}

fn wider(a: DType, b: DType) -> DType {
    if a.itemsize() >= b.itemsize() { a } else { b }
}

fn signed_holding(signed: DType, unsigned: DType) -> DType {
    let needed = match unsigned {
        DType::UInt8 => DType::Int16,
        DType::UInt16 => DType::Int32,
        DType::UInt32 => DType::Int64,
        _ => return DType::Float64,
    };
    wider(signed, needed)
}

/// The smallest float that holds an integer type's values as NumPy sees it; floats hold themselves.
fn float_holding(dtype: DType) -> DType {
    match (dtype.kind(), dtype.itemsize()) {
        (Kind::Float, _) => dtype,
        (Kind::Bool, _) | (_, 1) => DType::Float16,
        (_, 2) => DType::Float32,
        _ => DType::Float64,
    }
}

fn complex_of(float: DType) -> DType {
    if float == DType::Float64 {
        DType::Complex128
    } else {
        DType::Complex64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_dtype() -> impl Strategy<Value = DType> {
        (0..DType::ALL.len()).prop_map(|i| DType::ALL[i])
    }

    proptest! {
        #[test]
        fn promotion_commutes(a in any_dtype(), b in any_dtype()) {
            prop_assert_eq!(promote_types(a, b), promote_types(b, a));
        }

        #[test]
        fn promotion_absorbs_its_operands(a in any_dtype(), b in any_dtype()) {
            let joined = promote_types(a, b);
            prop_assert_eq!(promote_types(a, joined), joined);
        }
    }

    #[test]
    fn several_meet_the_highest_kind_in_any_order() {
        use DType::*;
        let held = |dtypes: [DType; 3]| promote_all(dtypes.into_iter());
        for order in [
            [Int16, UInt16, Float16],
            [UInt16, Float16, Int16],
            [Float16, Int16, UInt16],
        ] {
            assert_eq!(held(order), Some(Float32));
        }
        assert_eq!(held([Int16, UInt16, Complex64]), Some(Complex64));
        assert_eq!(promote_all([].into_iter()), None);
    }

    #[test]
    fn the_surprising_pairs_are_numpys() {
        use DType::*;
        for (a, b, wanted) in [
            (Int64, UInt64, Float64),
            (Int8, UInt8, Int16),
            (Int32, Float32, Float64),
            (Int16, Float16, Float32),
            (UInt8, Float16, Float16),
            (Float64, Complex64, Complex128),
            (Int16, Complex64, Complex64),
            (Int32, Complex64, Complex128),
            (Bool, UInt64, UInt64),
        ] {
            assert_eq!(promote_types(a, b), wanted, "{a} with {b}");
        }
    }
}
