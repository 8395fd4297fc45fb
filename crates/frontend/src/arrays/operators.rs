//! Operators, indexing and assignment of arrays in jit functions.

use crate::arrays::lazy::{is_array, rank_of};
use crate::translate::Translator;
use crate::types;
use crate::value::{Scalar, Value};
use colocate_ir::{DType, Kind};
use ruff_python_ast::{CmpOp, Operator};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `a op b` if one of them is an array.
    pub fn array_binary(
        &mut self,
        op: Operator,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        if !is_array(a) && !is_array(b) {
            return None;
        }
        // A tuple or a list beside an array is one, too.
        let is_items =
            |value: &Value| matches!(value, Value::Tuple(_) | Value::List(_) | Value::Held(_));
        if is_items(a) || is_items(b) {
            let both = [a, b].map(|one| match one {
                Value::Tuple(_) => {
                    let items = crate::objects::optional_values::unlisted(one);
                    self.as_array(&items, None, range)
                }
                Value::Held(_) => self.list_as_array(one, range),
                other => self.settled_list(other),
            });
            return self.array_binary(op, &both[0], &both[1], range);
        }
        let operand =
            |value: &Value| is_array(value) || matches!(value, Value::Scalar(_) | Value::View(_));
        if !operand(a) || !operand(b) {
            return Some(self.no_operator(op.as_str(), &[a, b], range));
        }
        if op == Operator::MatMult {
            return Some(self.matmul(a, b, range));
        }
        let operands = [a.clone(), b.clone()];
        Some(self.elementwise(&operands, range, move |t, x| {
            t.array_arithmetic(op, &x[0], &x[1], range)
        }))
    }

    /// `a op b` of elements: integers of arrays have powers that scalars of Python have not.
    fn array_arithmetic(
        &mut self,
        op: Operator,
        a: &Scalar,
        b: &Scalar,
        range: TextRange,
    ) -> Option<Scalar> {
        match self.arithmetic(op, a, b, range) {
            Value::Scalar(result) => Some(result),
            _ => None,
        }
    }

    /// `a op b` of a comparison, if one of them is an array.
    pub fn array_compare(&mut self, op: CmpOp, a: &Value, b: &Value, range: TextRange) -> Value {
        let operand =
            |value: &Value| is_array(value) || matches!(value, Value::Scalar(_) | Value::View(_));
        if matches!(op, CmpOp::Is | CmpOp::IsNot) {
            return Scalar::const_bool(op == CmpOp::IsNot).into();
        }
        if !operand(a) || !operand(b) || matches!(op, CmpOp::In | CmpOp::NotIn) {
            return self.no_operator(op.as_str(), &[a, b], range);
        }
        let operands = [a.clone(), b.clone()];
        self.elementwise(&operands, range, move |t, x| {
            match t.compare(op, &Value::Scalar(x[0]), &Value::Scalar(x[1]), range) {
                Value::Scalar(result) => Some(result),
                _ => None,
            }
        })
    }

    /// `a in b` of an array: whether any element is the same.
    pub fn array_membership(
        &mut self,
        wanted: bool,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Value {
        let same = self.array_compare(CmpOp::Eq, b, a, range);
        let arguments = crate::calls::Arguments {
            positional: vec![(same, range)],
            keywords: Vec::new(),
        };
        let found = self.numpy_call("any", &arguments, range);
        let Some(Value::Scalar(found)) = found else {
            return Value::Poison;
        };
        let found = Scalar {
            weak: true,
            ..found
        };
        if wanted {
            return found.into();
        }
        let ir = self.ir(&found);
        let not = self.b.unary(colocate_ir::UnaryOp::Not, ir);
        Scalar::new(DType::Bool, true, not).into()
    }

    /// The product of matrices and vectors.
    pub fn matmul(&mut self, a: &Value, b: &Value, range: TextRange) -> Value {
        if self.level() > 0 && rank_of(a) == Some(1) && rank_of(b) == Some(1) {
            let product = self.array_binary(Operator::Mult, a, b, range);
            return match product {
                Some(product) => self.total(&product, range),
                None => Value::Poison,
            };
        }
        let arguments = [(a.clone(), range), (b.clone(), range)];
        self.library("numpy.matmul", &arguments, &[], &[], range)
    }

    /// The sum of all elements, of a dtype that NumPy would take.
    pub fn total(&mut self, value: &Value, range: TextRange) -> Value {
        let Some(dtype) = Self::dtype_of(value) else {
            return Value::Poison;
        };
        let result = sum_dtype(dtype);
        // Many narrow numbers are summed in wide ones, and rounded once.
        let wide = match dtype {
            DType::Float16 | DType::Float32 => DType::Float64,
            DType::Complex64 => DType::Complex128,
            _ => result,
        };
        let zero = types::cast(crate::value::Constant::Int(0), wide);
        let start = Scalar::constant(wide, false, zero);
        let add = colocate_ir::ReductionOperator::Add;
        let total = self.reduce_all(value, add, wide, start, "sum", range);
        total.map_or(Value::Poison, |total| {
            self.cast(&total, result, false).into()
        })
    }

    /// A value with all its arrays in memory.
    pub fn all_stored(&mut self, value: Value) -> Value {
        if !self.is_program() {
            return value;
        }
        match value {
            Value::Lazy(_) if self.level() > 0 => value,
            Value::Lazy(_) => self.stored(&value),
            Value::Tuple(items) => Value::Tuple(
                items
                    .into_iter()
                    .map(|item| self.all_stored(item))
                    .collect(),
            ),
            Value::Zip(items) => Value::Zip(
                items
                    .into_iter()
                    .map(|item| self.all_stored(item))
                    .collect(),
            ),
            Value::Named(class, items) => {
                let items = items.into_iter().map(|item| self.all_stored(item));
                Value::Named(class, items.collect())
            }
            Value::Enumerate(inner, start) => {
                Value::Enumerate(Box::new(self.all_stored(*inner)), start)
            }
            other => other,
        }
    }
}

/// The dtype that NumPy sums in.
pub(crate) fn sum_dtype(dtype: DType) -> DType {
    match dtype.kind() {
        Kind::Bool | Kind::Int => DType::Int64,
        Kind::UInt => DType::UInt64,
        _ => dtype,
    }
}
