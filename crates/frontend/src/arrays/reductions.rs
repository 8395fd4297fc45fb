//! Reductions and products of arrays in jit functions.

use crate::arrays::lazy::{is_array, rank_of};
use crate::arrays::operators::sum_dtype;
use crate::calls::Arguments;
use crate::host::failures::{Part, Raised};
use crate::translate::Translator;
use crate::types;
use crate::value::{Constant, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, ReductionOperator};
use ruff_python_ast::Operator;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// A reduction over all elements; nothing if it is one the library does.
    pub fn reduction(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let keywords_fit = arguments.keywords.iter().all(|(keyword, value, _)| {
            matches!(
                (keyword.as_str(), value),
                ("axis", Value::None)
                    | ("dtype" | "out", Value::None)
                    | (
                        "keepdims",
                        Value::Scalar(Scalar {
                            know: crate::value::Know::Constant(Constant::Bool(false)),
                            ..
                        })
                    )
            )
        });
        let [(value, _), rest @ ..] = &arguments.positional[..] else {
            return None;
        };
        let whole = rest.iter().all(|(value, _)| matches!(value, Value::None)) && keywords_fit;
        if !whole || !is_array(value) {
            return None;
        }
        let dtype = Self::dtype_of(value)?;
        let number = |dtype: DType, number: i128| {
            Scalar::constant(dtype, false, types::cast(Constant::Int(number), dtype))
        };
        let complex = dtype.kind() == Kind::Complex;
        Some(match name {
            "sum" => self.total(value, range),
            "prod" => {
                let wide = sum_dtype(dtype);
                let operator = ReductionOperator::Multiply;
                self.reduce_all(value, operator, wide, number(wide, 1), "product", range)
                    .map_or(Value::Poison, Value::Scalar)
            }
            "min" | "amin" | "max" | "amax" if !complex => {
                let least = name.ends_with("min");
                self.extreme_of_all(value, dtype, least, range)
            }
            "any" | "all" => {
                let any = name == "any";
                let truths = self.elementwise(std::slice::from_ref(value), range, move |t, x| {
                    let truth = t.truth(&Value::Scalar(x[0]), range)?;
                    Some(Scalar {
                        weak: false,
                        ..truth
                    })
                });
                let operator = if any {
                    ReductionOperator::BitOr
                } else {
                    ReductionOperator::BitAnd
                };
                let start = Scalar::constant(DType::Bool, false, Constant::Bool(!any));
                self.reduce_all(&truths, operator, DType::Bool, start, name, range)
                    .map_or(Value::Poison, Value::Scalar)
            }
            "mean" => self.mean(value, dtype, range),
            "var" | "std" if !complex && dtype.kind() == Kind::Float => {
                let stored = if self.level() == 0 {
                    self.all_stored(value.clone())
                } else {
                    value.clone()
                };
                let mean = self.mean(&stored, dtype, range);
                let off = self.binary(Operator::Sub, &stored, &mean, range);
                let square = self.binary(Operator::Mult, &off, &off, range);
                let variance = self.mean(&square, dtype, range);
                if name == "var" {
                    return Some(variance);
                }
                let arguments = Arguments {
                    positional: vec![(variance, range)],
                    keywords: Vec::new(),
                };
                self.call_numpy("sqrt", &arguments, range)?
            }
            _ => return None,
        })
    }

    fn mean(&mut self, value: &Value, dtype: DType, range: TextRange) -> Value {
        let float = match dtype.kind() {
            Kind::Float | Kind::Complex => dtype,
            _ => DType::Float64,
        };
        let as_float = if dtype == float {
            value.clone()
        } else {
            self.converted(value, float, range)
        };
        let total = self.total(&as_float, range);
        let Value::Scalar(total) = total else {
            return Value::Poison;
        };
        let mut count = Scalar::const_int(1);
        for extent in self.shape_of(value) {
            count = self.index_op(BinaryOp::Multiply, &count, &extent);
        }
        let count = self.cast(&count, DType::Float64, true);
        match self.arithmetic(Operator::Div, &total, &count, range) {
            Value::Scalar(mean) => self.cast(&mean, float, false).into(),
            other => other,
        }
    }

    fn extreme_of_all(
        &mut self,
        value: &Value,
        dtype: DType,
        least: bool,
        range: TextRange,
    ) -> Value {
        let mut count = Scalar::const_int(1);
        for extent in self.shape_of(value) {
            count = self.index_op(BinaryOp::Multiply, &count, &extent);
        }
        if count.as_int().is_none_or(|count| count == 0) {
            let (size, zero) = (self.ir(&count), self.b.int64(0));
            let empty = self.b.compare(CompareOp::Equal, size, zero);
            let raised = Raised {
                class: "ValueError",
                parts: vec![Part::Text(format!(
                    "zero-size array to reduction operation {} which has no identity",
                    if least { "minimum" } else { "maximum" }
                ))],
            };
            self.raise_if(empty, &raised, range);
        }
        let operator = if least {
            ReductionOperator::Minimum
        } else {
            ReductionOperator::Maximum
        };
        let identity = types::constant_of(operator.identity(dtype));
        let start = Scalar::constant(dtype, false, identity);
        let what = if least { "minimum" } else { "maximum" };
        self.reduce_all(value, operator, dtype, start, what, range)
            .map_or(Value::Poison, Value::Scalar)
    }

    /// The scalar products that become regions.
    pub fn product(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if !arguments.keywords.is_empty() {
            return None;
        }
        let [(a, _), (b, _)] = &arguments.positional[..] else {
            return None;
        };
        let (rank_a, rank_b) = (rank_of(a).unwrap_or(0), rank_of(b).unwrap_or(0));
        match name {
            "dot" if is_single(a) || is_single(b) => self.array_binary(Operator::Mult, a, b, range),
            "multiply" if rank_a == 0 || rank_b == 0 => {
                self.array_binary(Operator::Mult, a, b, range)
            }
            "matmul" | "dot" if rank_a == 1 && rank_b == 1 && self.makes_product(a, b) => {
                Some(self.scalar_product(a, b, range))
            }
            "outer" if rank_a == 1 && rank_b == 1 => {
                let none = [(Value::None, range)];
                let column = self.array_item(
                    a,
                    &[
                        Value::Slice(Box::new([None, None, None])),
                        none[0].0.clone(),
                    ],
                    &[range, range],
                    range,
                );
                self.array_binary(Operator::Mult, &column, b, range)
            }
            _ => None,
        }
    }

    /// `numpy.cross` of vectors with two components, which gives one axis less than that of others; nothing if they are
    /// others. How many axes there are must be known while compiling: where the components are counted only when the
    /// program runs, three are meant.
    pub fn product_in_the_plane(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let [(a, _), (b, _)] = &arguments.positional[..] else {
            return None;
        };
        if name != "cross" || !arguments.keywords.is_empty() || self.level() > 0 {
            return None;
        }
        let mut two = Vec::new();
        for vectors in [a, b] {
            rank_of(vectors).filter(|rank| *rank > 0)?;
            let count = *self.shape_of(vectors).last()?;
            two.push(self.compare_scalars(CompareOp::Equal, &count, &Scalar::const_int(2)));
        }
        match (two[0].as_int(), two[1].as_int()) {
            (Some(0), _) | (_, Some(0)) => return None,
            (Some(1), Some(1)) => {}
            _ => {
                let (first, second) = (self.ir(&two[0]), self.ir(&two[1]));
                let both = self.b.binary(BinaryOp::BitAnd, first, second);
                let text = "the cross product of vectors with two components has one axis less than others, \
                            which a jit function has to know: \
                            write a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]";
                let raised = Raised {
                    class: "ValueError",
                    parts: vec![Part::Text(text.into())],
                };
                self.raise_if(both, &raised, range);
                return None;
            }
        }
        let component = |t: &mut Self, of: &Value, at: i128| {
            let index = [Value::Ellipsis, Scalar::const_int(at).into()];
            t.array_item(of, &index, &[range, range], range)
        };
        let (x, y) = (component(self, a, 0), component(self, b, 1));
        let first = self.array_binary(Operator::Mult, &x, &y, range)?;
        let (x, y) = (component(self, a, 1), component(self, b, 0));
        let second = self.array_binary(Operator::Mult, &x, &y, range)?;
        self.array_binary(Operator::Sub, &first, &second, range)
    }
}

/// Whether a value is a number or an array without axes; a list of numbers is neither.
fn is_single(value: &Value) -> bool {
    matches!(value, Value::Scalar(_)) || rank_of(value) == Some(0)
}
