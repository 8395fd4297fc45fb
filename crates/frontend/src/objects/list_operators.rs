//! Operators of lists in jit functions: comparing them, and what makes one.

use crate::calls::Arguments;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use ruff_python_ast::{CmpOp, Expr, Operator};
use ruff_text_size::TextRange;

/// Whether an expression makes a list, as far as its text tells.
pub(crate) fn makes_list(expr: &Expr) -> bool {
    match expr {
        Expr::List(_) => true,
        Expr::BinOp(e) => {
            matches!(e.op, Operator::Add | Operator::Mult)
                && (makes_list(&e.left) || makes_list(&e.right))
        }
        Expr::Call(e) => {
            matches!(&*e.func, Expr::Name(name) if matches!(name.id.as_str(), "list" | "sorted"))
        }
        _ => false,
    }
}

fn is_list_like(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Tuple(_))
}

impl Translator<'_> {
    /// `==` and `!=` of lists; nothing if one of them is none.
    pub fn list_compare(
        &mut self,
        op: CmpOp,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let lists = [a, b].iter().any(|one| matches!(one, Value::List(_)));
        if !lists || !is_list_like(a) || !is_list_like(b) {
            return None;
        }
        let positional = [a, b].map(|one| match one {
            Value::List(list) => (Value::View(self.list_view(list)), range),
            other => (other.clone(), range),
        });
        let arguments = Arguments {
            positional: positional.to_vec(),
            keywords: Vec::new(),
        };
        let same = match self.call_builtin("numpy.array_equal", &arguments, range) {
            Value::Scalar(same) => Scalar { weak: true, ..same }.into(),
            other => other,
        };
        Some(match op {
            CmpOp::Eq => same,
            _ => self.unary(ruff_python_ast::UnaryOp::Not, &same, range),
        })
    }
}
