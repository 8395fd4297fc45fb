//! Shapes that meet, and layouts whose axes lie in another order than row-major.

use crate::layout::{Dims, Layout, LayoutError, Strides};

/// The shape that two shapes are broadcast to: aligned at the last axis, an extent of 1 is repeated.
pub fn broadcast_shapes(a: &[usize], b: &[usize]) -> Result<Dims, LayoutError> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut shape = Dims::from_slice(long);
    let lead = long.len() - short.len();
    for (extent, &other) in shape[lead..].iter_mut().zip(short) {
        match (*extent, other) {
            (own, other) if own == other => {}
            (1, other) => *extent = other,
            (_, 1) => {}
            _ => {
                return Err(LayoutError::Mismatch {
                    a: a.to_vec(),
                    b: b.to_vec(),
                });
            }
        }
    }
    Ok(shape)
}

impl Layout {
    /// The same shape and strides from offset 0; for a layout without gaps and with no stride
    /// below zero, which therefore begins with its first element.
    pub fn from_zero(&self) -> Layout {
        Layout::view(
            Dims::from_slice(self.shape()),
            Strides::from_slice(self.strides()),
            0,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_of_one_are_repeated() {
        let shape = |a: &[usize], b: &[usize]| broadcast_shapes(a, b).map(|shape| shape.to_vec());
        assert_eq!(shape(&[2, 1], &[3]), Ok(vec![2, 3]));
        assert_eq!(shape(&[], &[3, 0]), Ok(vec![3, 0]));
        assert_eq!(shape(&[1], &[0]), Ok(vec![0]));
        assert_eq!(shape(&[5, 1, 7], &[1, 6, 1]), Ok(vec![5, 6, 7]));
        assert!(shape(&[2, 3], &[2]).is_err());
    }

    #[test]
    fn a_layout_in_the_order_of_another_lies_like_it() {
        let plain = Layout::contiguous(&[2, 3, 4], 8).unwrap();
        let turned = plain.transposed();
        let made = Layout::in_order(turned.shape(), &turned.order_of_copy(), 8).unwrap();
        assert_eq!(made, turned);
    }
}
