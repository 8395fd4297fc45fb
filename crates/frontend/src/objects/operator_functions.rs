//! Python's `operator` module: its functions are the operators.

use crate::calls::Arguments;
use crate::objects::made_instances::is_instance;
use crate::translate::Translator;
use crate::value::Value;
use colocate_ir::Kind;
use ruff_python_ast::{CmpOp, Operator, UnaryOp};
use ruff_text_size::TextRange;

/// What a function of the module does.
enum Meaning {
    Binary(Operator),
    /// The same, which changes the first operand if that is an array or a list.
    InPlace(Operator),
    Unary(UnaryOp),
    Compare(CmpOp),
}

fn meaning(name: &str) -> Option<Meaning> {
    if let Some(op) = binary(name) {
        return Some(Meaning::Binary(op));
    }
    if let Some(op) = name.strip_prefix('i').and_then(binary) {
        return Some(Meaning::InPlace(op));
    }
    Some(match name {
        "neg" => Meaning::Unary(UnaryOp::USub),
        "pos" => Meaning::Unary(UnaryOp::UAdd),
        "inv" | "invert" => Meaning::Unary(UnaryOp::Invert),
        "not" => Meaning::Unary(UnaryOp::Not),
        "lt" => Meaning::Compare(CmpOp::Lt),
        "le" => Meaning::Compare(CmpOp::LtE),
        "eq" => Meaning::Compare(CmpOp::Eq),
        "ne" => Meaning::Compare(CmpOp::NotEq),
        "gt" => Meaning::Compare(CmpOp::Gt),
        "ge" => Meaning::Compare(CmpOp::GtE),
        "is" => Meaning::Compare(CmpOp::Is),
        "is_not" => Meaning::Compare(CmpOp::IsNot),
        _ => return None,
    })
}

fn binary(name: &str) -> Option<Operator> {
    Some(match name {
        "add" | "concat" => Operator::Add,
        "sub" => Operator::Sub,
        "mul" => Operator::Mult,
        "truediv" => Operator::Div,
        "floordiv" => Operator::FloorDiv,
        "mod" => Operator::Mod,
        "pow" => Operator::Pow,
        "matmul" => Operator::MatMult,
        "lshift" => Operator::LShift,
        "rshift" => Operator::RShift,
        "and" => Operator::BitAnd,
        "or" => Operator::BitOr,
        "xor" => Operator::BitXor,
        _ => return None,
    })
}

/// What a method of numbers with a special name does, and whether its operands are turned around.
fn meaning_of_method(method: &str) -> Option<(Meaning, bool)> {
    let name = method.strip_prefix("__")?.strip_suffix("__")?;
    let is_methods = |name: &str| !matches!(name, "concat" | "matmul");
    if let Some(op) = binary(name).filter(|_| is_methods(name)) {
        return Some((Meaning::Binary(op), false));
    }
    if let Some(op) = name.strip_prefix('r').and_then(binary) {
        return is_methods(&name[1..]).then_some((Meaning::Binary(op), true));
    }
    match (name, meaning(name)?) {
        ("neg" | "pos" | "invert" | "lt" | "le" | "eq" | "ne" | "gt" | "ge", found) => {
            Some((found, false))
        }
        _ => None,
    }
}

/// Whether Python's numbers have a method that is an operator.
pub(crate) fn is_operator_method(name: &str) -> bool {
    meaning_of_method(name).is_some()
}

impl Translator<'_> {
    /// `x.__add__(y)` and the like of Python's numbers; nothing where Python says `NotImplemented`.
    pub fn operator_method(
        &mut self,
        on: &Value,
        method: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let (Value::Scalar(number), true) = (on, arguments.keywords.is_empty()) else {
            return None;
        };
        // An integer knows nothing of floats, and neither knows anything of complex numbers.
        let rank = |kind: Kind| match kind {
            Kind::Bool | Kind::Int | Kind::UInt => 0,
            Kind::Float => 1,
            Kind::Complex => 2,
        };
        match (meaning_of_method(method)?, &arguments.positional[..]) {
            ((Meaning::Unary(op), _), []) if number.weak => Some(self.unary(op, on, range)),
            ((found, turned), [(other @ Value::Scalar(second), _)])
                if number.weak
                    && second.weak
                    && rank(second.dtype.kind()) <= rank(number.dtype.kind()) =>
            {
                let (a, b) = if turned { (other, on) } else { (on, other) };
                match found {
                    Meaning::Binary(op) => Some(self.binary(op, a, b, range)),
                    Meaning::Compare(op) => Some(self.compare(op, a, b, range)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A call of a function of the module; nothing if there is no such function.
    pub fn call_operator(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let plain = name.trim_matches('_');
        let given: Vec<Value> = arguments
            .positional
            .iter()
            .map(|(value, _)| value.clone())
            .collect();
        let count = match (plain, meaning(plain)) {
            (_, Some(Meaning::Unary(_))) | ("abs" | "truth" | "index", _) => 1,
            (_, Some(_)) | ("contains" | "getitem", _) => 2,
            _ => return None,
        };
        let full = format!("operator.{name}");
        if self
            .exactly(&full, arguments, count..=count, range)
            .is_none()
        {
            return Some(Value::Poison);
        }
        Some(match (plain, meaning(plain)) {
            (_, Some(Meaning::Binary(op))) => self.binary(op, &given[0], &given[1], range),
            (_, Some(Meaning::InPlace(op))) => self.in_place(op, &given[0], arguments, range),
            (_, Some(Meaning::Unary(op))) => self.unary(op, &given[0], range),
            (_, Some(Meaning::Compare(op))) => self.compare(op, &given[0], &given[1], range),
            ("contains", _) => self.compare(CmpOp::In, &given[1], &given[0], range),
            ("getitem", _) => self.item_of(&given[0], &given[1], range),
            ("truth", _) => match self.truth(&given[0], range) {
                Some(truth) => crate::value::Scalar {
                    weak: true,
                    ..truth
                }
                .into(),
                None => Value::Poison,
            },
            ("index", _) => match self.integer(&given[0], range, "an index") {
                Some(index) => index.into(),
                None => Value::Poison,
            },
            _ => self.call_builtin("builtins.abs", arguments, range),
        })
    }

    fn in_place(
        &mut self,
        op: Operator,
        target: &Value,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let other = &arguments.positional[1].0;
        match target {
            Value::List(_) | Value::Held(_) if matches!(op, Operator::Add | Operator::Mult) => {
                self.list_augmented(target, op, other, range);
                target.clone()
            }
            Value::View(view) if view.rank() > 0 || view.axes.is_empty() => {
                let other = self.items_as_array(other, range);
                self.array_update(target, op, &other, range);
                target.clone()
            }
            Value::Object(object) => {
                let updated = self.object_update(object, op, other, range);
                updated.unwrap_or_else(|| self.replaced_object(target, op, other, range))
            }
            _ if is_instance(target) => self.updated_instance(target, op, other, range),
            _ => self.binary(op, target, other, range),
        }
    }

    /// `value[index]` of values.
    pub fn item_of(&mut self, value: &Value, index: &Value, range: TextRange) -> Value {
        match &*self.plain(value, range) {
            Value::Poison => Value::Poison,
            Value::Tuple(items) => self.tuple_item(items, index, range),
            Value::List(list) => self.list_item(list, index, range),
            Value::Held(held) => self.held_item(held, index, range),
            Value::Range(parts) => self.range_item(parts, index, range),
            Value::Str(text) => self.text_item(text, index, range),
            Value::View(_) | Value::Lazy(_) => {
                let items = match index {
                    Value::Tuple(items) => items.clone(),
                    other => vec![other.clone()],
                };
                let ranges = vec![range; items.len()];
                self.array_item(value, &items, &ranges, range)
            }
            other => {
                let what = other.describe();
                let diagnostic = self.wrong(
                    crate::codes::RANK,
                    format!("{what} cannot be indexed"),
                    range,
                    format!("this is {what}"),
                );
                self.report(diagnostic)
            }
        }
    }
}
