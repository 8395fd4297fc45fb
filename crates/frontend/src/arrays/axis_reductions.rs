//! Reductions over one axis of arrays that are not computed yet: the region that computes the array
//! reduces it too, so that it is never in memory.
//!
//! What is in memory already is reduced by the library, which knows better orders. So is what is kept
//! under a name, since it would be computed twice, and what takes functions such as `exp`, which are
//! quicker over whole rows.

use crate::arrays::fusion::lazies;
use crate::arrays::lazy::{Lazy, Source};
use crate::arrays::operators::sum_dtype;
use crate::calls::Arguments;
use crate::host::failures::{Part, Raised};
use crate::translate::Translator;
use crate::value::{Constant, Know, Scalar, Value};
use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, Kind, MathFunction, Op, ReductionOperator, StatementKind,
};
use ruff_python_ast::Operator;
use ruff_text_size::TextRange;
use std::rc::Rc;

/// So many elements are summed before they are added to the sum of the others, which keeps the error
/// of long sums small.
const BLOCK: i64 = 128;

/// A reduction over an axis.
struct AxisReduction {
    operator: ReductionOperator,
    /// Of what is combined.
    dtype: DType,
    axis: usize,
    /// Whether the sum is divided by the number of elements.
    mean: bool,
}

impl Translator<'_> {
    /// A reduction over an axis that becomes part of the region of what it reduces.
    pub fn axis_reduction(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if self.level() > 0 || !self.is_parallel() {
            return None;
        }
        let (Value::Lazy(lazy), _) = arguments.positional.first()? else {
            return None;
        };
        let (axis, keeps) = axis_and_keepdims(arguments)?;
        let rank = i128::try_from(lazy.rank()).ok()?;
        if rank < 2 || axis < -rank || axis >= rank {
            return None;
        }
        let axis = usize::try_from(if axis < 0 { axis + rank } else { axis }).ok()?;
        let dtype = lazy.dtype;
        let simple = !matches!(dtype.kind(), Kind::Complex);
        let float = match dtype.kind() {
            Kind::Float => dtype,
            _ => DType::Float64,
        };
        let (operator, dtype, mean) = match name {
            "sum" => (ReductionOperator::Add, sum_dtype(dtype), false),
            "prod" => (ReductionOperator::Multiply, sum_dtype(dtype), false),
            "mean" => (ReductionOperator::Add, float, true),
            "min" | "amin" => (ReductionOperator::Minimum, dtype, false),
            "max" | "amax" => (ReductionOperator::Maximum, dtype, false),
            _ => return None,
        };
        // float16 is summed in a wider type, which the library knows.
        if !simple || dtype == DType::Float16 || dtype == DType::Bool {
            return None;
        }
        if lazy.stored.borrow().is_some() || lazy.part_of.is_some() || self.is_named(lazy) {
            return None;
        }
        let reduction = AxisReduction {
            operator,
            dtype,
            axis,
            mean,
        };
        let lazy = lazy.clone();
        if self.is_costly(&lazy) {
            return None;
        }
        self.refuse_empty_axis(&lazy, &reduction, range);
        let shape = lazy.shape.clone();
        let mut reduced = shape.clone();
        if keeps {
            reduced[axis] = Scalar::const_int(1);
        } else {
            reduced.remove(axis);
        }
        let value = Value::Lazy(lazy);
        let source = self.source(&value)?;
        let extent = shape[axis];
        let element = Rc::new(move |t: &mut Translator<'_>, indices: &[Scalar]| {
            let mut around = indices.to_vec();
            if keeps {
                around.remove(reduction.axis);
            }
            t.reduced_axis(&source, &extent, &around, &reduction, range)
        });
        let made = self.lazy(dtype, reduced, true, &[&value], range, element);
        Some(self.stored(&made))
    }

    /// Remembers the shape of what the library reduced over an axis.
    pub fn note_reduced_shape(&mut self, name: &str, arguments: &Arguments, result: &Value) {
        let known = matches!(
            name,
            "sum"
                | "prod"
                | "mean"
                | "min"
                | "amin"
                | "max"
                | "amax"
                | "any"
                | "all"
                | "var"
                | "std"
        );
        let (true, Value::View(view), Some((axis, keeps)), Some((reduced, _))) = (
            known,
            result,
            axis_and_keepdims(arguments),
            arguments.positional.first(),
        ) else {
            return;
        };
        let ArrayRef::Local(local) = view.base else {
            return;
        };
        let mut shape = self.shape_of(reduced);
        let rank = shape.len() as i128;
        let axis = if axis < 0 { axis + rank } else { axis };
        let Some(axis) = usize::try_from(axis)
            .ok()
            .filter(|axis| *axis < shape.len())
        else {
            return;
        };
        match keeps {
            true => shape[axis] = Scalar::const_int(1),
            false => drop(shape.remove(axis)),
        }
        if shape.len() == view.rank() {
            let extents: Vec<_> = shape.iter().map(|extent| self.ir(extent)).collect();
            self.note_shape(local, &extents);
        }
    }

    /// Whether a name holds an array, so that it will be wanted again.
    fn is_named(&self, lazy: &Lazy) -> bool {
        let mut found = Vec::new();
        for frame in &self.frames {
            for binding in frame.scope.values() {
                lazies(&binding.value, &mut found);
            }
        }
        found.iter().any(|other| other.id == lazy.id)
    }

    /// Whether an element takes a function that is quicker over whole rows.
    fn is_costly(&mut self, lazy: &Rc<Lazy>) -> bool {
        let (shape, Some(source)) = (lazy.shape.clone(), self.source(&Value::Lazy(lazy.clone())))
        else {
            return true;
        };
        let checkpoint = self.checkpoint();
        self.begin_region("trial", shape.len(), false);
        let indices = self.item_indices(&shape);
        let fine = self.pull(&source, &indices).is_some();
        let mut costly = !fine || lazy.heavy;
        self.b.walk(&mut |statement| {
            costly |= match &statement.kind {
                StatementKind::Let { op, .. } => match op {
                    Op::Math(function, _) => *function != MathFunction::Sqrt,
                    Op::Binary(op, ..) => matches!(op, BinaryOp::Power | BinaryOp::Modulo),
                    _ => false,
                },
                StatementKind::Load { .. } => false,
                _ => true,
            };
        });
        self.abandon_region();
        self.rewind(&checkpoint);
        costly
    }

    /// The smallest and largest of nothing are no numbers.
    fn refuse_empty_axis(&mut self, lazy: &Lazy, reduction: &AxisReduction, range: TextRange) {
        let what = match reduction.operator {
            ReductionOperator::Minimum => "minimum",
            ReductionOperator::Maximum => "maximum",
            _ => return,
        };
        let (along, zero) = (self.ir(&lazy.shape[reduction.axis]), self.b.int64(0));
        let empty = self.b.compare(CompareOp::Equal, along, zero);
        let text = format!("zero-size array to reduction operation {what} which has no identity");
        let raised = Raised {
            class: "ValueError",
            parts: vec![Part::Text(text)],
        };
        self.raise_if(empty, &raised, range);
    }

    /// One element of the result.
    fn reduced_axis(
        &mut self,
        source: &Source,
        extent: &Scalar,
        around: &[Scalar],
        reduction: &AxisReduction,
        range: TextRange,
    ) -> Option<Scalar> {
        let dtype = reduction.dtype;
        let operation = reduction.operator.operation(dtype);
        let extent = self.brought(extent, 0);
        let begin = reduction.operator.identity(dtype);
        let variable = |t: &mut Self, dtype| {
            let name = t.temporary();
            t.variable(&name, 0, dtype)
        };
        let total = variable(self, dtype);
        let part = variable(self, dtype);
        let block = variable(self, DType::Int64);
        let counter = variable(self, DType::Int64);
        let start = self.b.literal(begin);
        self.b.set(total, start);
        let (zero, stop, step) = (self.b.int64(0), self.ir(&extent), self.b.int64(BLOCK));
        self.b.begin_for(block, zero, stop, step);
        let start = self.b.literal(begin);
        self.b.set(part, start);
        let first = self.b.get(block);
        let beyond = self.b.binary(BinaryOp::Add, first, step);
        let last = self.b.binary(BinaryOp::Minimum, beyond, stop);
        let one = self.b.int64(1);
        self.b.begin_for(counter, first, last, one);
        let at = Scalar::int(self.b.get(counter), Know::NonNegative);
        let mut indices = around.to_vec();
        indices.insert(reduction.axis, at);
        let element = self.pull(source, &indices);
        if let Some(element) = &element {
            let ir = self.as_dtype(element, dtype);
            let before = self.b.get(part);
            let after = self.b.binary(operation, before, ir);
            self.b.set(part, after);
        }
        self.b.end();
        let (before, more) = (self.b.get(total), self.b.get(part));
        let after = self.b.binary(operation, before, more);
        self.b.set(total, after);
        self.b.end();
        element?;
        let total = Scalar::new(dtype, false, self.b.get(total));
        if !reduction.mean {
            return Some(total);
        }
        let count = self.cast(&extent, DType::Float64, true);
        match self.arithmetic(Operator::Div, &total, &count, range) {
            Value::Scalar(mean) => Some(self.cast(&mean, dtype, false)),
            _ => None,
        }
    }
}

/// The constant axis and `keepdims` of a call that says nothing else.
fn axis_and_keepdims(arguments: &Arguments) -> Option<(i128, bool)> {
    let mut axis = None;
    let mut keeps = false;
    for (value, _) in &arguments.positional[1..] {
        let Value::Scalar(scalar) = value else {
            return None;
        };
        if axis.is_some() {
            return None;
        }
        axis = Some(scalar.as_int()?);
    }
    for (keyword, value, _) in &arguments.keywords {
        match (keyword.as_str(), value) {
            ("axis", Value::Scalar(scalar)) if axis.is_none() => axis = Some(scalar.as_int()?),
            ("keepdims", Value::Scalar(scalar)) => match scalar.know {
                Know::Constant(Constant::Bool(truth)) => keeps = truth,
                _ => return None,
            },
            ("dtype" | "out", Value::None) => {}
            _ => return None,
        }
    }
    Some((axis?, keeps))
}
