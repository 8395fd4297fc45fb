//! Comparing lists in jit functions.

use crate::objects::items::Item;
use crate::program::Call;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::{BinaryOp, CallResult, CompareOp, DType};
use ruff_python_ast::CmpOp;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// Comparisons of lists; nothing if none of them is one that changes.
    pub fn list_compare(
        &mut self,
        op: CmpOp,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let is_list = |value: &Value| matches!(value, Value::List(_) | Value::Held(_));
        if !is_list(a) && !is_list(b) {
            return None;
        }
        let equality = matches!(op, CmpOp::Eq | CmpOp::NotEq);
        let comparable = |value: &Value| is_list(value) || matches!(value, Value::Tuple(_));
        if !comparable(a) || !comparable(b) {
            // Nothing else is equal to a list.
            return equality.then(|| Scalar::const_bool(op == CmpOp::NotEq).into());
        }
        if self.level() > 0 {
            return Some(self.hinder("it uses a list"));
        }
        if is_empty(a) || is_empty(b) {
            return self.compare_lengths(op, a, b, range);
        }
        let mut both = [a.clone(), b.clone()];
        for one in &mut both {
            if let Value::Tuple(items) = one {
                *one = self.growing_list(items, range);
            }
        }
        let [mut x, mut y] = both;
        let (item, other) = (self.item_of_any(&x)?, self.item_of_any(&y)?);
        let Some(together) = item.join(&other) else {
            return match equality {
                true => self.are_both_empty(op, &x, &y, range),
                false => None,
            };
        };
        if !together.is_ordered() {
            return Some(self.no_operator(symbol(op), &[a, b], range));
        }
        // Numbers of different types are compared as numbers of one.
        for (list, item) in [(&mut x, &item), (&mut y, &other)] {
            if *item == together {
                continue;
            }
            let (Item::Scalar(dtype, weak), true) = (&together, item.is_number()) else {
                return Some(self.no_operator(symbol(op), &[a, b], range));
            };
            let key = self.list_key(range);
            let wider = Value::List(self.empty_list(*dtype, *weak, key.inner()));
            if let Value::List(wide) = &wider {
                self.copy_numbers(wide, list, range);
            }
            *list = wider;
        }
        let order = match (&x, &y) {
            (Value::List(x), Value::List(y)) => {
                let lengths = [x, y].map(|list| self.b.get(list.length));
                let order = self.b.variable("order", DType::Int64);
                let call = Call::Compare {
                    local: x.local,
                    with: y.local,
                };
                self.call(call, &lengths, vec![CallResult::Variable(order)]);
                self.b.get(order)
            }
            _ => {
                let (lent, other) = (self.lent(&x)?, self.lent(&y)?);
                let order = self.held_order(&lent, &other);
                self.given_back(&x, &lent, false);
                self.given_back(&y, &other, false);
                order
            }
        };
        let zero = self.b.int64(0);
        let truth = match op {
            CmpOp::Eq => self.b.compare(CompareOp::Equal, order, zero),
            CmpOp::NotEq => self.b.compare(CompareOp::NotEqual, order, zero),
            CmpOp::Lt => self.b.compare(CompareOp::Less, order, zero),
            CmpOp::LtE => self.b.compare(CompareOp::LessEqual, order, zero),
            _ => {
                let one = self.b.int64(1);
                let greater = self.b.compare(CompareOp::Equal, order, one);
                match op {
                    CmpOp::Gt => greater,
                    _ => {
                        let same = self.b.compare(CompareOp::Equal, order, zero);
                        self.b.binary(colocate_ir::BinaryOp::BitOr, greater, same)
                    }
                }
            }
        };
        Some(Scalar::new(DType::Bool, true, truth).into())
    }

    /// A comparison of lists of which one is known to be empty: their lengths decide it, whatever the items are.
    fn compare_lengths(
        &mut self,
        op: CmpOp,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let (x, y) = (self.length_of(a, range)?, self.length_of(b, range)?);
        Some(self.compare(op, &x.into(), &y.into(), range))
    }

    /// `==` and `!=` of lists of things that are never equal.
    fn are_both_empty(
        &mut self,
        op: CmpOp,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let (x, y) = (self.length_of(a, range)?, self.length_of(b, range)?);
        let longest = self.index_op(BinaryOp::Maximum, &x, &y);
        let none = Scalar::const_int(0);
        Some(self.compare(op, &longest.into(), &none.into(), range))
    }

    /// What the items of a list are.
    fn item_of_any(&mut self, list: &Value) -> Option<Item> {
        match list {
            Value::List(list) => Some(Item::Scalar(list.dtype, list.weak)),
            Value::Held(held) => Some(held.item.clone()),
            _ => None,
        }
    }
}

/// Whether a list was written down without items.
fn is_empty(list: &Value) -> bool {
    matches!(list, Value::Tuple(items) if items.is_empty())
}

fn symbol(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "==",
        CmpOp::NotEq => "!=",
        CmpOp::Lt => "<",
        CmpOp::LtE => "<=",
        CmpOp::Gt => ">",
        _ => ">=",
    }
}
