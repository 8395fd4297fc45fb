//! Operators, indexing and assignment of arrays in jit functions.

use crate::arrays::lazy::{is_array, rank_of};
use crate::calls::Arguments;
use crate::host::failures::{Part, Raised};
use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::types;
use crate::value::{Constant, Scalar, Value};
use colocate_ir::{ArrayRef, CompareOp, DType, Kind, ReductionOperator};
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
        let is_items = |value: &Value| {
            matches!(
                value,
                Value::Tuple(_) | Value::List(_) | Value::Held(_) | Value::Object(_)
            )
        };
        if is_items(a) || is_items(b) {
            let both = [a, b].map(|one| match one {
                Value::Tuple(_) => {
                    let items = crate::objects::optional_values::unlisted(one);
                    self.as_array(&items, None, range)
                }
                other => self.items_as_array(other, range),
            });
            if !both.iter().any(|one| matches!(one, Value::Object(_))) {
                return self.array_binary(op, &both[0], &both[1], range);
            }
        }
        let operand =
            |value: &Value| is_array(value) || matches!(value, Value::Scalar(_) | Value::View(_));
        if !operand(a) || !operand(b) {
            return Some(self.no_operator(op.as_str(), &[a, b], range));
        }
        if op == Operator::MatMult {
            return Some(self.matmul(a, b, range));
        }
        if op == Operator::Pow {
            if let Some(root) = self.square_root(a, b, range) {
                return Some(root);
            }
            self.check_powers(a, b, range);
        }
        let operands = match op {
            Operator::Div => [a.clone(), b.clone()],
            _ => self.fitted_pair(a, b, range),
        };
        Some(self.elementwise(&operands, range, move |t, x| {
            t.array_arithmetic(op, &x[0], &x[1], range)
        }))
    }

    /// An array to a power that is one half: NumPy takes the root, which differs for a negative zero and infinity.
    /// Nothing for other powers.
    pub fn square_root(&mut self, a: &Value, power: &Value, range: TextRange) -> Option<Value> {
        let Value::Scalar(power) = power else {
            return None;
        };
        let complex = |dtype: DType| dtype.kind() == Kind::Complex;
        let half = power.as_constant() == Some(Constant::Float(0.5));
        if !half || !is_array(a) || Self::dtype_of(a).is_none_or(complex) {
            return None;
        }
        let operands = [a.clone(), Value::Scalar(*power)];
        Some(self.elementwise(&operands, range, move |t, x| {
            let (dtype, _) = types::promote(&x[0], &x[1]);
            let arguments = Arguments {
                positional: vec![(t.cast(&x[0], dtype, false).into(), range)],
                keywords: Vec::new(),
            };
            match t.call_numpy("sqrt", &arguments, range) {
                Some(Value::Scalar(root)) => Some(root),
                _ => None,
            }
        }))
    }

    /// Raises if integers are to be raised to negative powers, which would not be integers.
    pub fn check_powers(&mut self, base: &Value, exponent: &Value, range: TextRange) {
        let is_whole = |value: &Value| {
            let dtype = match value {
                Value::Scalar(scalar) => Some(scalar.dtype),
                array => Self::dtype_of(array),
            };
            dtype.is_some_and(types::is_integer)
        };
        if self.level() > 0 || !is_whole(base) || !is_whole(exponent) {
            return;
        }
        let least = match exponent {
            Value::Scalar(scalar) => Some(*scalar),
            array => {
                let array = self.stored(array);
                self.bound_of(&array, ReductionOperator::Minimum, range)
            }
        };
        let Some(least) = least.filter(|least| !least.is_non_negative()) else {
            return;
        };
        let zero = Scalar::constant(least.dtype, true, Constant::Int(0));
        let negative = self.compare_scalars(CompareOp::Less, &least, &zero);
        let negative = self.ir(&negative);
        let text = "Integers to negative integer powers are not allowed.";
        self.raise_if(negative, &raised("ValueError", text), range);
    }

    /// The smallest or the largest element of an array in memory; of none, what all others are beyond.
    pub fn bound_of(
        &mut self,
        array: &Value,
        operator: ReductionOperator,
        range: TextRange,
    ) -> Option<Scalar> {
        let dtype = Self::dtype_of(array)?;
        let identity = types::constant_of(operator.identity(dtype));
        let start = Scalar::constant(dtype, false, identity);
        self.reduce_all(array, operator, dtype, start, "bound", range)
    }

    /// `a op b` of elements: integers of arrays have powers that scalars of Python have not.
    fn array_arithmetic(
        &mut self,
        op: Operator,
        a: &Scalar,
        b: &Scalar,
        range: TextRange,
    ) -> Option<Scalar> {
        let square = op == Operator::Pow && a.dtype == DType::Bool && b.weak;
        match self.arithmetic(op, a, b, range) {
            // NumPy multiplies what it squares.
            Value::Scalar(result) if square && b.as_int() == Some(2) => {
                Some(self.cast(&result, DType::Int8, false))
            }
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
            match t.compare_elements(op, &x[0], &x[1], range) {
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
        if rank_of(a) == Some(1) && rank_of(b) == Some(1) && self.makes_product(a, b) {
            return self.scalar_product(a, b, range);
        }
        let arguments = [(a.clone(), range), (b.clone(), range)];
        let product = self.library("numpy.matmul", &arguments, &[], &[], range);
        if let (Some(2), Some(2), Value::View(view)) = (rank_of(a), rank_of(b), &product)
            && let ArrayRef::Local(local) = view.base
        {
            let extents = [self.shape_of(a)[0], self.shape_of(b)[1]].map(|one| self.ir(&one));
            self.note_shape(local, &extents);
        }
        product
    }

    /// Whether the product of two vectors is computed here: not of half precision, whose products are kept wider.
    pub fn makes_product(&self, a: &Value, b: &Value) -> bool {
        let is_half = |value: &Value| Self::dtype_of(value) == Some(DType::Float16);
        self.level() > 0 || !is_half(a) && !is_half(b)
    }

    /// The product of two vectors, of the dtype that their elements' products have.
    pub fn scalar_product(&mut self, a: &Value, b: &Value, range: TextRange) -> Value {
        let lengths = [self.shape_of(a)[0], self.shape_of(b)[0]];
        let differ = self.compare_scalars(CompareOp::NotEqual, &lengths[0], &lengths[1]);
        if differ.as_int() != Some(0) {
            let text = "the vectors of a product have different lengths: ";
            let parts = match self.level() {
                0 => vec![
                    Part::Text(text.into()),
                    Part::Number(lengths[0]),
                    Part::Text(" and ".into()),
                    Part::Number(lengths[1]),
                ],
                _ => vec![Part::Text(text.trim_end_matches(": ").into())],
            };
            let differ = self.ir(&differ);
            let class = "ValueError";
            self.raise_if(differ, &Raised { class, parts }, range);
        }
        let Some(products) = self.array_binary(Operator::Mult, a, b, range) else {
            return Value::Poison;
        };
        let dtype = Self::dtype_of(&products);
        match (self.total(&products, range), dtype) {
            (Value::Scalar(total), Some(dtype)) => self.cast(&total, dtype, false).into(),
            (other, _) => other,
        }
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
