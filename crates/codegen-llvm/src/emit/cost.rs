//! Guesses from a kernel's text: how many items to run at a time, and how long one takes.

use crate::lanes::{Lanes, Shape};
use crate::symbols::vector_functions;
use crate::target::Target;
use colocate_ir::{BinaryOp, DType, Kernel, Kind, MathFunction, Op, StatementKind, ValueId, walk};
use std::collections::HashMap;

/// How many turns a loop is taken to have if that depends on arguments.
const UNKNOWN_TURNS: f32 = 1000.0;

/// How many items to run at a time: what fills the vector registers with the widest numbers that
/// the kernel computes with, indices apart.
pub fn choose_lanes(kernel: &Kernel, target: &Target) -> u32 {
    let mut widest = 1;
    let (mut atomics, mut waits) = (false, false);
    walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Load { value, .. } => {
            widest = widest.max(kernel.dtype(*value).itemsize());
        }
        StatementKind::Store { value, .. } => {
            widest = widest.max(kernel.dtype(*value).itemsize());
        }
        StatementKind::Let { value, op } => {
            let dtype = kernel.dtype(*value);
            let computed = !matches!(op, Op::Literal(_) | Op::Param(..));
            if computed && dtype.kind() == Kind::Float {
                widest = widest.max(dtype.itemsize());
            }
            waits |= matches!(op, Op::Math(..));
        }
        StatementKind::While { .. } | StatementKind::For { .. } => waits = true,
        StatementKind::Atomic { value, .. } => {
            atomics = true;
            widest = widest.max(kernel.dtype(*value).itemsize());
        }
        _ => {}
    });
    // Two registers of float64 rather than one: a loop that waits for its own last result has
    // another chain to work on meanwhile (mandelbrot: 27 ms with 8 lanes, 9 with 16, 7 with 32).
    let lanes = target.vector_bytes / widest.clamp(2, 4) as u32;
    match (atomics, waits && !kernel.is_nd_range()) {
        // Atomics go lane by lane: long vectors of them are only long code.
        (true, _) => lanes.min(8),
        // A loop or a function of the C library is a chain of results that wait for one another:
        // more chains at a time (Black-Scholes: 34 ms with 16 lanes, 31 with 32). Groups are
        // often 16 items wide; longer vectors would be half empty.
        (false, true) => 2 * lanes,
        (false, false) => lanes,
    }
}

/// A rough guess at the nanoseconds of an item, for deciding how to share out the work.
pub fn estimate_cost(kernel: &Kernel, lanes: &Lanes, width: u32, target: &Target) -> f32 {
    let mut definitions = HashMap::new();
    walk(&kernel.body, &mut |statement| {
        if let StatementKind::Let { value, op } = &statement.kind {
            definitions.insert(*value, op);
        }
    });
    let text = Text {
        kernel,
        definitions: &definitions,
        lanes,
        width,
        target,
    };
    text.block_cost(&kernel.body).max(0.1)
}

/// What a guess is made from.
struct Text<'k> {
    kernel: &'k Kernel,
    definitions: &'k Definitions<'k>,
    lanes: &'k Lanes,
    width: u32,
    target: &'k Target,
}

type Definitions<'k> = HashMap<ValueId, &'k Op>;

/// What an integer is at most, where that is easy to see.
fn upper_bound(definitions: &Definitions<'_>, lanes: &Lanes, value: ValueId) -> Option<i64> {
    if let Some(literal) = lanes.literal(value) {
        return Some(literal);
    }
    let bound = |value: &ValueId| upper_bound(definitions, lanes, *value);
    match definitions.get(&value)? {
        Op::Binary(BinaryOp::Minimum, a, b) => match (bound(a), bound(b)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, other) => one.or(other),
        },
        Op::Binary(BinaryOp::Quotient, a, b) => {
            let divisor = lanes.literal(*b).filter(|&divisor| divisor > 0)?;
            Some(bound(a)? / divisor)
        }
        _ => None,
    }
}

impl Text<'_> {
    fn block_cost(&self, statements: &[colocate_ir::Statement]) -> f32 {
        let Text {
            definitions,
            lanes,
            width,
            ..
        } = *self;
        let mut cost = 0.0;
        for statement in statements {
            let scale = |shape| match shape {
                Shape::Varying => 1.0,
                Shape::Uniform | Shape::Linear(_) => 1.0 / width as f32,
            };
            cost += match &statement.kind {
                StatementKind::Let { value, op } => {
                    let one = match op {
                        Op::Math(function, _) => self.function_cost(*function, *value),
                        Op::Literal(_) | Op::Param(..) | Op::Extent(..) | Op::Index(..) => 0.0,
                        Op::Get(_) => 0.0,
                        _ => 0.1,
                    };
                    one * scale(lanes.value(*value))
                }
                StatementKind::Load { value, .. } => 0.3 * scale(lanes.value(*value)),
                StatementKind::Store { .. } => 0.3,
                StatementKind::Atomic { .. } => 5.0,
                _ => 0.05,
            };
            let inside: f32 = statement
                .kind
                .blocks()
                .iter()
                .map(|inner| self.block_cost(inner))
                .sum();
            cost += match &statement.kind {
                // How often a loop turns is mostly not known. A guess that is too high costs a
                // hand-off to another thread; one too low makes the caller wait for all of it.
                StatementKind::For {
                    start, stop, step, ..
                } => {
                    let stop = upper_bound(definitions, lanes, *stop);
                    inside
                        * match [lanes.literal(*start), stop, lanes.literal(*step)] {
                            [Some(start), Some(stop), Some(step)] if step > 0 => {
                                (stop.saturating_sub(start).max(0) / step) as f32
                            }
                            _ => UNKNOWN_TURNS,
                        }
                }
                StatementKind::While { .. } => UNKNOWN_TURNS * inside,
                _ => inside,
            };
        }
        cost
    }

    /// A function of mathematics. Where there are vector versions, an element takes its part of the register: in the
    /// cache, and with AVX-512, an exponential of float64 takes 2.5 times as long as an addition, which counts as 1,
    /// and one of float32 half of that.
    fn function_cost(&self, function: MathFunction, value: ValueId) -> f32 {
        use MathFunction::*;
        let dtype = self.kernel.dtype(value);
        let part = dtype.itemsize() as f32 / self.target.vector_bytes as f32;
        match function {
            Fma | Floor | Ceil | Truncate | RoundEven | CopySign => 0.1,
            Sqrt => 4.0 * part,
            _ => {
                let double = dtype == DType::Float64;
                let mut vectors = vector_functions(self.target, function, double);
                match self.width > 1 && vectors.next().is_some() {
                    true => 12.0 * part,
                    false => 4.0,
                }
            }
        }
    }
}
