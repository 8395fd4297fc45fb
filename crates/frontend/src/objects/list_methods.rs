//! Methods of lists.

use crate::calls::Arguments;
use crate::codes;
use crate::host::failures::{Part, Raised};
use crate::objects::lists::List;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{CompareOp, DType};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// A method of a list.
    pub fn list_method(
        &mut self,
        list: &List,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses a list");
        }
        if !matches!(name, "copy" | "count" | "index") {
            self.changed_lists.insert(list.local);
        }
        let given: Vec<Value> = arguments
            .positional
            .iter()
            .map(|(value, _)| value.clone())
            .collect();
        if let Some(perhaps) = given
            .iter()
            .find(|value| matches!(value, Value::Optional(..) | Value::None))
        {
            let what = perhaps.describe();
            let diagnostic = self
                .wrong(
                    codes::CONTAINER,
                    format!("a list of numbers cannot hold {what}"),
                    range,
                    format!("this is {what}"),
                )
                .help("use a number that stands for None");
            return self.report(diagnostic);
        }
        match (name, &given[..]) {
            ("append", [value]) => {
                if let Some(scalar) = self.scalar(value, range) {
                    self.list_append(list, &scalar);
                }
                Value::None
            }
            ("extend", [value]) => {
                let value = self.all_stored(value.clone());
                self.list_extend(list, &value, range);
                Value::None
            }
            ("clear", []) => {
                let zero = self.b.int64(0);
                self.b.set(list.length, zero);
                Value::None
            }
            ("copy", []) => {
                let view = self.list_view(list);
                self.list_of(&Value::View(view), list.weak, range)
            }
            ("pop", []) => {
                let last = Scalar::const_int(-1);
                let at = self.list_index(list, &last, range);
                let item = self.list_take(list, at);
                self.b.set(list.length, at);
                item.into()
            }
            ("pop", [index]) => {
                let Some(index) = self.integer(index, range, "an index") else {
                    return Value::Poison;
                };
                let at = self.list_index(list, &index, range);
                let item = self.list_take(list, at);
                self.close_list_gap(list, at);
                item.into()
            }
            ("insert", [index, value]) => {
                let (Some(index), Some(scalar)) = (
                    self.integer(index, range, "an index"),
                    self.scalar(value, range),
                ) else {
                    return Value::Poison;
                };
                self.list_insert(list, &index, &scalar);
                Value::None
            }
            ("reverse", []) => {
                let view = self.list_view(list);
                let backwards = Value::Slice(Box::new([None, None, Some(Scalar::const_int(-1))]));
                let whole = Value::View(view.clone());
                let turned = self.array_item(&whole, &[backwards], &[range], range);
                let copy = self.fresh_copy(&turned, range);
                self.assign_into(&view, &copy, range);
                Value::None
            }
            ("sort", []) => {
                let view = Value::View(self.list_view(list));
                self.library("method.sort", &[(view.clone(), range)], &[], &[view], range);
                Value::None
            }
            ("index", [value]) => {
                let view = Value::View(self.list_view(list));
                match self.position_of(&view, value, range) {
                    Some(found) => {
                        let (at, zero) = (self.ir(&found), self.b.int64(0));
                        let missing = self.b.compare(CompareOp::Less, at, zero);
                        let raised = Raised {
                            class: "ValueError",
                            parts: vec![Part::Text("the value is not in list".into())],
                        };
                        self.raise_if(missing, &raised, range);
                        found.into()
                    }
                    None => Value::Poison,
                }
            }
            ("remove", [value]) => {
                let view = Value::View(self.list_view(list));
                let Some(found) = self.position_of(&view, value, range) else {
                    return Value::Poison;
                };
                let (at, zero) = (self.ir(&found), self.b.int64(0));
                let missing = self.b.compare(CompareOp::Less, at, zero);
                let raised = Raised {
                    class: "ValueError",
                    parts: vec![Part::Text("list.remove(x): x not in list".into())],
                };
                self.raise_if(missing, &raised, range);
                self.close_list_gap(list, at);
                Value::None
            }
            ("count", [value]) => {
                let view = Value::View(self.list_view(list));
                let same = self.array_compare(ruff_python_ast::CmpOp::Eq, &view, value, range);
                match self.total(&same, range) {
                    Value::Scalar(total) => Scalar {
                        weak: true,
                        ..total
                    }
                    .into(),
                    other => other,
                }
            }
            _ => {
                let known = [
                    "append", "clear", "copy", "count", "extend", "index", "insert", "pop",
                    "remove", "reverse", "sort",
                ];
                self.no_attribute(&Value::List(*list), name, &known, range)
            }
        }
    }

    /// The first position of a number in something with items, -1 if there is none.
    pub fn position_of(
        &mut self,
        items: &Value,
        wanted: &Value,
        range: TextRange,
    ) -> Option<Scalar> {
        let wanted = self.scalar(wanted, range)?;
        let turns = self.length_of(items, range)?;
        let name = self.temporary();
        let found = self.variable(&name, 0, DType::Int64);
        let none = self.b.int64(-1);
        self.b.set(found, none);
        let (zero, stop, one) = (self.b.int64(0), self.ir(&turns), self.b.int64(1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, stop, one);
        let at = self.b.get(counter);
        let index = Scalar::int(at, Know::NonNegative);
        let item = self.item_at(items, &index, range);
        let item = self.scalar(&item, range);
        if let Some(item) = &item {
            let same = self.compare_scalars(CompareOp::Equal, item, &wanted);
            let same = self.ir(&same);
            self.b.begin_if(same);
            self.b.set(found, at);
            self.b.push(colocate_ir::StatementKind::Break);
            self.b.end();
        }
        self.b.end();
        item?;
        Some(Scalar::int(self.b.get(found), Know::Any))
    }
}
