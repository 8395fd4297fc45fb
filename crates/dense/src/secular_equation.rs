//! The eigenvalues of a diagonal matrix plus a matrix of rank one.
//!
//! Those of `diag(d) + rho z z^T` are the roots of the secular equation
//! `1/rho + sum(z_i^2 / (d_i - x)) = 0`, one between any two neighbours of `d` and one above all.
//! A root is kept as its distance from the nearer of the two, since differences of roots and
//! poles must be exact to the last digits if eigenvectors are to be orthogonal.

use crate::number::Number;

/// Numbers that are summed at once.
const LANES: usize = 8;
/// Far more than are ever needed.
const MOST_STEPS: usize = 100;

/// The problem: poles in ascending order, squares of `z`, and `1 / rho`, which is positive.
#[derive(Clone, Copy)]
pub(crate) struct Secular<'a, T> {
    pub poles: &'a [T],
    pub squares: &'a [T],
    pub offset: T,
}

/// A root: a pole and the distance from it.
#[derive(Clone, Copy)]
pub(crate) struct Root<T> {
    pub pole: usize,
    pub distance: T,
}

/// The sums of one side: of the terms, of their absolute values' derivative.
#[derive(Clone, Copy)]
struct Sums<T> {
    value: T,
    slope: T,
}

/// The sum over some poles of `z^2 / (d - x)`, and its derivative.
#[inline(always)]
fn sum<T: Number>(distances: &[T], squares: &[T], x: T) -> Sums<T> {
    let (mut values, mut slopes) = ([T::ZERO; LANES], [T::ZERO; LANES]);
    let add = |values: &mut [T; LANES], slopes: &mut [T; LANES], distances: &[T], squares: &[T]| {
        for lane in 0..distances.len() {
            let inverse = T::ONE / (distances[lane] - x);
            let term = squares[lane] * inverse;
            values[lane] = values[lane] + term;
            slopes[lane] = slopes[lane] + term * inverse;
        }
    };
    let whole = distances.len() / LANES * LANES;
    let parts = distances[..whole].chunks_exact(LANES);
    for (distances, squares) in parts.zip(squares[..whole].chunks_exact(LANES)) {
        let distances: &[T; LANES] = distances.try_into().expect("a whole part");
        let squares: &[T; LANES] = squares.try_into().expect("a whole part");
        add(&mut values, &mut slopes, distances, squares);
    }
    add(
        &mut values,
        &mut slopes,
        &distances[whole..],
        &squares[whole..],
    );
    let total = |lanes: [T; LANES]| lanes.into_iter().fold(T::ZERO, |sum, lane| sum + lane);
    Sums {
        value: total(values),
        slope: total(slopes),
    }
}

impl<T: Number> Secular<'_, T> {
    /// The root after the pole `number`. `scratch` has room for as many numbers as there are poles.
    #[inline(always)]
    pub fn root(&self, number: usize, scratch: &mut [T]) -> Root<T> {
        let count = self.poles.len();
        if count == 1 {
            return Root {
                pole: 0,
                distance: self.squares[0] / self.offset,
            };
        }
        let half = T::from_f64(0.5);
        let is_last = number + 1 == count;
        let gap = if is_last {
            let all = self
                .squares
                .iter()
                .fold(T::ZERO, |sum, &square| sum + square);
            all / self.offset
        } else {
            self.poles[number + 1] - self.poles[number]
        };
        // Which pole is nearer: the function grows from one to the other.
        let middle = gap * half;
        self.distances(number, scratch);
        let at_middle = self.evaluate(scratch, number, middle);
        let (pole, mut low, mut high) = match (is_last, at_middle.total() > T::ZERO) {
            (_, true) => (number, T::ZERO, middle),
            (true, false) => (number, middle, gap),
            (false, false) => (number + 1, -middle, T::ZERO),
        };
        if pole != number {
            self.distances(pole, scratch);
        }
        // The poles that the function is modelled with.
        let (first, second) = match is_last {
            true => (number - 1, number),
            false => (number, number + 1),
        };
        let mut x = match (is_last, pole == number) {
            (true, _) => (low + high) * half,
            (false, true) => middle,
            (false, false) => -middle,
        };
        let mut previous = T::INFINITY;
        for _ in 0..MOST_STEPS {
            let here = self.evaluate(scratch, number, x);
            let total = here.total();
            let noise = T::EPSILON * T::from_f64(4.0) * here.magnitude();
            if total.abs() <= noise {
                break;
            }
            if total < T::ZERO {
                low = x;
            } else {
                high = x;
            }
            let slow = total.abs() > previous * half;
            previous = total.abs();
            let (near, far) = (scratch[first] - x, scratch[second] - x);
            let mut next = x + here.step(near, far, is_last);
            // Also where the step is no number.
            if slow || !(next > low && next < high) {
                next = between(low, high);
            }
            if next == x || !(next > low && next < high) {
                break;
            }
            x = next;
        }
        Root { pole, distance: x }
    }

    /// Of all poles from one.
    #[inline(always)]
    fn distances(&self, pole: usize, scratch: &mut [T]) {
        let from = self.poles[pole];
        for (distance, &each) in scratch.iter_mut().zip(self.poles) {
            *distance = each - from;
        }
    }

    #[inline(always)]
    fn evaluate(&self, distances: &[T], number: usize, x: T) -> Values<T> {
        let count = self.poles.len();
        // The last root has no pole above it: the last pole takes that part in the model.
        let cut = if number + 1 == count {
            number
        } else {
            number + 1
        };
        Values {
            below: sum(&distances[..cut], &self.squares[..cut], x),
            above: sum(&distances[cut..count], &self.squares[cut..], x),
            offset: self.offset,
        }
    }
}

/// The function at a point.
struct Values<T> {
    below: Sums<T>,
    above: Sums<T>,
    offset: T,
}

impl<T: Number> Values<T> {
    #[inline(always)]
    fn total(&self) -> T {
        self.offset + (self.below.value + self.above.value)
    }

    #[inline(always)]
    fn magnitude(&self) -> T {
        self.offset + self.below.value.abs() + self.above.value.abs()
    }

    /// To the root of the function with two poles, at these distances, that has the same value
    /// and slopes here.
    #[inline(always)]
    fn step(&self, near: T, far: T, is_last: bool) -> T {
        let (two, four) = (T::from_f64(2.0), T::from_f64(4.0));
        let total = self.total();
        let c = total - near * self.below.slope - far * self.above.slope;
        let a = (near + far) * total - near * far * (self.below.slope + self.above.slope);
        let b = near * far * total;
        let root = (a * a - four * b * c).max(T::ZERO).sqrt();
        match (is_last, a <= T::ZERO) {
            (false, true) => (a - root) / (two * c),
            (false, false) => two * b / (a + root),
            (true, true) => two * b / (a - root),
            (true, false) => (a + root) / (two * c),
        }
    }
}

/// A point between two of the same sign, or one of them zero: by size, not by distance, since a
/// root may lie very near to its pole.
#[inline(always)]
fn between<T: Number>(low: T, high: T) -> T {
    let half = T::from_f64(0.5);
    let thousandth = T::from_f64(1e-3);
    if low == T::ZERO {
        return high * thousandth;
    }
    if high == T::ZERO {
        return low * thousandth;
    }
    let (small, large) = (low.abs().min(high.abs()), low.abs().max(high.abs()));
    if small < large * thousandth {
        let middle = small.sqrt() * large.sqrt();
        return if low < T::ZERO { -middle } else { middle };
    }
    low + (high - low) * half
}
