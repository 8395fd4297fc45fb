//! Dimensions that several arrays are walked over together.

/// The elements, or states.
pub const SOURCE: usize = 0;
/// Which elements count.
pub const MASK: usize = 1;
/// What deviations are from.
pub const MEAN: usize = 2;
/// Where the result or states go.
pub const TARGET: usize = 3;
/// How many of these there are.
pub const OPERANDS: usize = 4;

/// An extent, and the stride of each operand along it, in elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dimension {
    pub extent: usize,
    pub strides: [isize; OPERANDS],
}

/// As few dimensions as possible, the nearest neighbours last if they may be sorted: those of
/// extent 1 are left out, and those that all operands run through without a gap become one.
pub fn joined(dimensions: Vec<Dimension>, sorted: bool) -> Vec<Dimension> {
    let mut list = dimensions;
    list.retain(|one| one.extent != 1);
    if sorted {
        // What does not move in the source is outermost, if it moves in nothing else.
        let distance = |one: &Dimension| match one.strides[SOURCE].unsigned_abs() {
            0 => usize::MAX,
            far => far,
        };
        list.sort_by_key(|one| std::cmp::Reverse(distance(one)));
    }
    let mut joined: Vec<Dimension> = Vec::new();
    for inner in list {
        if let Some(outer) = joined.last_mut() {
            let fits = (0..OPERANDS).all(|operand| {
                outer.strides[operand] == inner.strides[operand] * inner.extent as isize
            });
            if fits {
                outer.extent *= inner.extent;
                outer.strides = inner.strides;
                continue;
            }
        }
        joined.push(inner);
    }
    joined
}

/// How far the lowest element of an operand lies from its first one, at most 0, and how many
/// elements lie between the lowest and the highest, both included.
pub fn lowest_and_span<'a>(
    dimensions: impl Iterator<Item = &'a Dimension>,
    operand: usize,
) -> (isize, usize) {
    let (mut low, mut high) = (0, 0);
    for dimension in dimensions {
        let reach = (dimension.extent.max(1) as isize - 1) * dimension.strides[operand];
        if reach < 0 {
            low += reach;
        } else {
            high += reach;
        }
    }
    (low, (high - low) as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimension(extent: usize, source: isize, target: isize) -> Dimension {
        Dimension {
            extent,
            strides: [source, 0, 0, target],
        }
    }

    #[test]
    fn dimensions_without_gaps_become_one() {
        let list = vec![dimension(2, 12, 12), dimension(3, 4, 4), dimension(4, 1, 1)];
        assert_eq!(joined(list, true), [dimension(24, 1, 1)]);
    }

    #[test]
    fn sorting_finds_dimensions_that_join_in_another_order() {
        let list = vec![dimension(2, 1, 0), dimension(1, 9, 0), dimension(3, 2, 0)];
        assert_eq!(joined(list.clone(), true), [dimension(6, 1, 0)]);
        assert_eq!(joined(list, false).len(), 2);
    }

    #[test]
    fn the_span_of_negative_strides_begins_below_the_first_element() {
        let list = [dimension(3, -4, 0), dimension(2, 1, 0)];
        assert_eq!(lowest_and_span(list.iter(), SOURCE), (-8, 10));
        assert_eq!(lowest_and_span(list.iter(), TARGET), (0, 1));
    }
}
