//! Indices that are checked, and those that need no check because they are proven to be inside.

use crate::arrays::regions::AxisCounter;
use crate::host::failures::{Part, Raised};
use crate::translate::Translator;
use crate::value::{Know, Scalar};
use colocate_ir::{BinaryOp, CompareOp, DType, Op, ValueId, VariableId};
use ruff_python_ast::Stmt;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// An index counted from the beginning; one that is out of range raises IndexError.
    pub fn checked_index(
        &mut self,
        index: &Scalar,
        length: &Scalar,
        axis: usize,
        range: TextRange,
    ) -> Scalar {
        if self.is_proven(index, length) {
            return *index;
        }
        let wrapped = self.wrapped_index(index, length);
        let checks = self
            .program
            .as_ref()
            .is_some_and(|state| state.options.check_bounds);
        if !checks {
            return Scalar {
                know: if wrapped.as_constant().is_some() {
                    wrapped.know
                } else {
                    Know::NonNegative
                },
                ..wrapped
            };
        }
        if let (Some(at), Some(length)) = (wrapped.as_int(), length.as_int())
            && at >= 0
            && at < length
        {
            return wrapped;
        }
        let (at, extent) = (self.ir(&wrapped), self.ir(length));
        // One comparison of unsigned numbers sees both ends.
        let (low, high) = (
            self.b.convert(at, DType::UInt64),
            self.b.convert(extent, DType::UInt64),
        );
        let outside = self.b.compare(CompareOp::GreaterEqual, low, high);
        let raised = Raised {
            class: "IndexError",
            parts: vec![
                Part::Text("index ".into()),
                Part::Number(*index),
                Part::Text(format!(" is out of bounds for axis {axis} with size ")),
                Part::Number(*length),
            ],
        };
        self.raise_if(outside, &raised, range);
        match wrapped.as_constant() {
            Some(_) => wrapped,
            None => Scalar {
                know: Know::NonNegative,
                ..wrapped
            },
        }
    }

    /// Notes what a loop's counter can be, unless the body gives it another value.
    pub fn note_counter(
        &mut self,
        counter: VariableId,
        name: &str,
        [start, stop, step]: [ValueId; 3],
        body: &[Stmt],
    ) {
        let one = self.b.definition(step) == Some(&Op::Literal(colocate_ir::Literal::int64(1)));
        if self.is_program() && one && !crate::syntax::assigned(body).contains(name) {
            let bound = |ir| Scalar::int(ir, Know::Any);
            self.counters.insert(counter, (bound(start), bound(stop)));
        } else {
            self.counters.remove(&counter);
        }
    }

    /// A value as another one plus a constant.
    pub fn linear(&self, value: ValueId) -> (Option<ValueId>, i128) {
        let value = crate::arrays::lazy::resolved(&self.b, &self.constant_variables, value);
        let literal = |value: ValueId| {
            let value = crate::arrays::lazy::resolved(&self.b, &self.constant_variables, value);
            match self.b.definition(value) {
                Some(Op::Literal(colocate_ir::Literal::Int(_, number))) => Some(*number),
                _ => None,
            }
        };
        if let Some(number) = literal(value) {
            return (None, number);
        }
        // What tells turns apart stays whole, also where it is a sum itself.
        if self.axis_counter(value).is_some() {
            return (Some(value), 0);
        }
        match self.b.definition(value) {
            Some(Op::Binary(BinaryOp::Add, a, b)) => {
                if let Some(number) = literal(*b) {
                    let (base, offset) = self.linear(*a);
                    return (base, offset + number);
                }
                if let Some(number) = literal(*a) {
                    let (base, offset) = self.linear(*b);
                    return (base, offset + number);
                }
                (Some(value), 0)
            }
            Some(Op::Binary(BinaryOp::Subtract, a, b)) => match literal(*b) {
                Some(number) => {
                    let (base, offset) = self.linear(*a);
                    (base, offset - number)
                }
                None => (Some(value), 0),
            },
            _ => (Some(value), 0),
        }
    }

    fn axis_counter(&self, value: ValueId) -> Option<&AxisCounter> {
        let counters = &self.region.as_ref()?.counters;
        counters.iter().find(|counter| counter.value == value)
    }

    /// First number and one beyond the last of a loop's counter.
    pub fn counter_bounds(&self, value: ValueId) -> Option<(Scalar, Scalar)> {
        if let Some(axis) = self.axis_counter(value) {
            return axis.bounds;
        }
        match self.b.definition(value) {
            Some(Op::Get(variable)) => self.counters.get(variable).copied(),
            _ => None,
        }
    }

    /// Whether an index is certainly inside an axis, counted from the beginning.
    fn is_proven(&self, index: &Scalar, length: &Scalar) -> bool {
        let Some(at) = index.ir else {
            return false;
        };
        let (Some(base), offset) = self.linear(at) else {
            return false;
        };
        let Some((start, stop)) = self.counter_bounds(base) else {
            return false;
        };
        let (Some(first), Some(last)) = (
            start.ir.map(|value| self.linear(value)),
            stop.ir.map(|value| self.linear(value)),
        ) else {
            return false;
        };
        let from_zero = match first {
            (None, number) => number + offset >= 0,
            (Some(value), number) => match self.counter_bounds(value) {
                // An inner loop that begins where the outer one is.
                Some((outer, _)) => outer
                    .ir
                    .map(|outer| self.linear(outer))
                    .is_some_and(|outer| outer.0.is_none() && outer.1 + number + offset >= 0),
                None => false,
            },
        };
        if !from_zero {
            return false;
        }
        self.is_below(last, offset, length, 3)
    }

    /// Whether `last + offset`, not counting the last one, stays below a length.
    fn is_below(
        &self,
        last: (Option<ValueId>, i128),
        offset: i128,
        length: &Scalar,
        fuel: usize,
    ) -> bool {
        let whole = match (length.as_int(), length.ir) {
            (Some(number), _) => (None, number),
            (None, Some(value)) => self.linear(value),
            (None, None) => return false,
        };
        let same = match (last.0, whole.0) {
            (None, None) => true,
            (Some(a), Some(b)) => self.same_value(a, b, 16),
            _ => false,
        };
        if same {
            return last.1 - 1 + offset < whole.1;
        }
        // The end may be another loop's counter.
        if let Some(value) = last.0
            && fuel > 0
            && let Some((_, stop)) = self.counter_bounds(value)
            && let Some(stop) = stop.ir
        {
            let (base, number) = self.linear(stop);
            return self.is_below((base, number - 1 + last.1), offset, length, fuel - 1);
        }
        false
    }
}
