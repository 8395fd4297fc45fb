//! Putting the numbers of a list in order, as Python does it: equal ones stay as they are. What has no order comes last.

use colocate_ir::DType;
use std::cmp::Ordering;

/// Does work of one kind for the type of the elements of a dtype; nothing for others.
macro_rules! for_type {
    ($dtype:expr, $work:ident) => {
        match $dtype {
            DType::Bool | DType::UInt8 => $work!(u8),
            DType::Int8 => $work!(i8),
            DType::Int16 => $work!(i16),
            DType::Int32 => $work!(i32),
            DType::Int64 => $work!(i64),
            DType::UInt16 => $work!(u16),
            DType::UInt32 => $work!(u32),
            DType::UInt64 => $work!(u64),
            DType::Float32 => $work!(f32),
            DType::Float64 => $work!(f64),
            _ => false,
        }
    };
}

/// A number; what is no number, the third part of the key, comes after all others.
trait Number: PartialOrd + Copy {
    fn is_number(&self) -> bool;

    fn order(&self, other: &Self, descending: bool) -> Ordering {
        match (self.is_number(), other.is_number()) {
            (true, true) => {
                let order = self.partial_cmp(other).unwrap_or(Ordering::Equal);
                match descending {
                    true => order.reverse(),
                    false => order,
                }
            }
            (a, b) => b.cmp(&a),
        }
    }
}

macro_rules! numbers {
    ($($kind:ty => $is_number:expr),*) => {
        $(impl Number for $kind {
            fn is_number(&self) -> bool {
                let check: fn(&$kind) -> bool = $is_number;
                check(self)
            }
        })*
    };
}

numbers!(
    u8 => |_| true, i8 => |_| true, i16 => |_| true, i32 => |_| true, i64 => |_| true,
    u16 => |_| true, u32 => |_| true, u64 => |_| true,
    f32 => |x| !x.is_nan(), f64 => |x| !x.is_nan()
);

/// Puts numbers in order in place; false if they are of a dtype that is not known here.
///
/// # Safety
/// There are as many at the address, aligned, and nobody else touches them meanwhile.
pub(crate) unsafe fn sort(first: *mut u8, count: usize, dtype: DType, descending: bool) -> bool {
    macro_rules! sort {
        ($kind:ty) => {{
            // SAFETY: the caller's word.
            let all = unsafe { std::slice::from_raw_parts_mut(first.cast::<$kind>(), count) };
            all.sort_by(|a, b| a.order(b, descending));
            true
        }};
    }
    count == 0 || for_type!(dtype, sort)
}

/// Puts the positions of numbers in the order of the numbers; false if it does not know how, or some have no order.
pub(crate) fn put_in_order(
    bytes: &[u8],
    dtype: DType,
    descending: bool,
    positions: &mut [usize],
) -> bool {
    macro_rules! order {
        ($kind:ty) => {{
            let numbers: Vec<$kind> = bytes
                .chunks_exact(size_of::<$kind>())
                .map(|bytes| <$kind>::from_le_bytes(bytes.try_into().expect("it is as long")))
                .collect();
            let ordered = numbers.iter().all(Number::is_number);
            if ordered {
                positions.sort_by(|&a, &b| numbers[a].order(&numbers[b], descending));
            }
            ordered
        }};
    }
    for_type!(dtype, order)
}

/// What some numbers are to others, one after the other: -1, 0, 1, or 2 if they have no order. Nothing if they are of a
/// dtype that is not known here.
pub(crate) fn compare(a: &[u8], b: &[u8], dtype: DType) -> Option<i64> {
    let mut order = a.len().cmp(&b.len()) as i64;
    macro_rules! compare {
        ($kind:ty) => {{
            let number =
                |bytes: &[u8]| <$kind>::from_le_bytes(bytes.try_into().expect("it is as long"));
            let size = size_of::<$kind>();
            for (one, other) in a.chunks_exact(size).zip(b.chunks_exact(size)) {
                match number(one).partial_cmp(&number(other)) {
                    Some(Ordering::Equal) => {}
                    differ => {
                        order = differ.map_or(2, |differ| differ as i64);
                        break;
                    }
                }
            }
            true
        }};
    }
    let known = for_type!(dtype, compare);
    known.then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_stay_in_their_order_and_what_is_none_comes_last() {
        let mut numbers = [0.0, f64::NAN, 2.0, -0.0, -1.0];
        // SAFETY: an array of so many numbers.
        assert!(unsafe { sort(numbers.as_mut_ptr().cast(), 5, DType::Float64, false) });
        assert_eq!(numbers[..4], [-1.0, 0.0, -0.0, 2.0]);
        assert!(numbers[1].is_sign_positive() && numbers[4].is_nan());
        // SAFETY: as above.
        assert!(unsafe { sort(numbers.as_mut_ptr().cast(), 5, DType::Float64, true) });
        assert_eq!(numbers[..4], [2.0, 0.0, -0.0, -1.0]);
        assert!(numbers[1].is_sign_positive() && numbers[4].is_nan());
    }

    #[test]
    fn positions_follow_the_numbers() {
        let bytes: Vec<u8> = [3i64, -1, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
        let mut positions = [0, 1, 2];
        assert!(put_in_order(&bytes, DType::Int64, true, &mut positions));
        assert_eq!(positions, [0, 2, 1]);
    }
}
