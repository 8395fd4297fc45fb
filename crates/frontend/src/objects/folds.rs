//! What becomes one value of many: `sum`, `any`, `all`, `min`, `max`, `functools.reduce`.

use crate::arrays::lazy::{is_array, rank_of};
use crate::calls::Arguments;
use crate::codes;
use crate::objects::lists::List;
use crate::objects::python_functions::weakened;
use crate::objects::ranges_and_texts::raised;
use crate::objects::syntax_building::{call, call_with, load, store};
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::types;
use crate::value::{Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind};
use ruff_python_ast::{
    Comprehension, Expr, ExprBooleanLiteral, ExprCall, ExprContext, ExprSubscript, Operator, Stmt,
    StmtAssign, StmtFor, StmtIf,
};
use ruff_text_size::{Ranged, TextRange};

/// How many turns of a sum over constants are written out at the most.
const MOST_WRITTEN_OUT: usize = 64;

impl Translator<'_> {
    /// The smallest or largest of values that are compared item by item.
    pub fn extreme_of(&mut self, name: &str, values: &[Value], range: TextRange) -> Value {
        let op = match name {
            "min" => ruff_python_ast::CmpOp::Lt,
            _ => ruff_python_ast::CmpOp::Gt,
        };
        let Some((first, rest)) = values.split_first() else {
            return Value::Poison;
        };
        let mut best = first.clone();
        for value in rest {
            let better = self.compare(op, value, &best, range);
            let Some(better) = self.truth(&better, range) else {
                return Value::Poison;
            };
            let (this, other) = (value.clone(), best);
            best = self.either(&better, range, |_| this, |_| other);
        }
        best
    }

    /// `min(items, key=f)` and the like.
    pub fn extreme_by_key(
        &mut self,
        name: &str,
        items: &Value,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let (mut key, mut default) = (None, None);
        for (keyword, value, _) in &arguments.keywords {
            match keyword.as_str() {
                "key" if matches!(value, Value::None) => {}
                "key" => key = Some(value.clone()),
                "default" => default = Some(value.clone()),
                _ => return None,
            }
        }
        let list = match items {
            Value::Tuple(items) => self.growing_list(items, range),
            Value::List(_) | Value::Held(_) => items.clone(),
            other => self.as_list(other, range),
        };
        if let Some(default) = default {
            let length = self.length_of(&list, range)?;
            let some = self.compare_scalars(CompareOp::Greater, &length, &Scalar::const_int(0));
            let mut keywords = arguments.keywords.clone();
            keywords.retain(|(keyword, ..)| keyword != "default");
            let again = Arguments {
                positional: vec![(list, range)],
                keywords,
            };
            return Some(self.either(
                &some,
                range,
                |t| {
                    let found = t.program_call("builtins", name, &again, range);
                    found.unwrap_or(Value::Poison)
                },
                |_| default,
            ));
        }
        if let (Value::Object(object), Some(_)) = (&list, &key) {
            let item = object.item()?;
            return self.by_keys(name, object, item, arguments, range);
        }
        self.first_of_order(&list, key.as_ref(), name == "max", name, range)
    }

    /// The item that comes first in order, of those that are equal the first.
    pub fn first_of_order(
        &mut self,
        list: &Value,
        key: Option<&Value>,
        descending: bool,
        name: &str,
        range: TextRange,
    ) -> Option<Value> {
        if self.level() > 0 {
            return Some(self.hinder("it uses a list"));
        }
        if list.is_poison() {
            return Some(Value::Poison);
        }
        if let (Value::Object(object), None) = (list, key) {
            let (item, given) = (object.item()?, [(list.clone(), range)]);
            let function = format!("builtins.{name}");
            return Some(self.python_call(&function, &given, &[], Some(item), range));
        }
        let length = self.length_of(list, range)?;
        let empty = self.compare_scalars(CompareOp::Equal, &length, &Scalar::const_int(0));
        let empty = self.ir(&empty);
        let text = format!("{name}() iterable argument is empty");
        self.raise_if(empty, &raised("ValueError", &text), range);
        let order = Scalar::const_bool(descending);
        let Some(sorted) = self.ordered(list, key, &order, range) else {
            return Some(Value::Poison);
        };
        Some(self.item_at(&sorted, &Scalar::const_int(0), range))
    }

    fn any_or_all_objects(&mut self, any: bool, value: &Value, range: TextRange) -> Value {
        let item = self.temporary();
        let total = self.hold(Scalar::const_bool(!any).into(), range);
        let held = [self.hold(value.clone(), range)];
        let op = match any {
            true => ruff_python_ast::BoolOp::Or,
            false => ruff_python_ast::BoolOp::And,
        };
        let truth = Expr::UnaryOp(ruff_python_ast::ExprUnaryOp {
            node_index: Default::default(),
            range,
            op: ruff_python_ast::UnaryOp::Not,
            operand: Box::new(Expr::UnaryOp(ruff_python_ast::ExprUnaryOp {
                node_index: Default::default(),
                range,
                op: ruff_python_ast::UnaryOp::Not,
                operand: Box::new(load(&item, range)),
            })),
        });
        let both = Expr::BoolOp(ruff_python_ast::ExprBoolOp {
            node_index: Default::default(),
            range,
            op,
            values: vec![load(&total, range), truth],
        });
        self.accumulate(&total, &item, &held[0], both, range);
        self.result_of(&total, &held, range)
    }

    /// `sum`, `min` or `max` of a comprehension in a function that calls itself, which has no lists of its own: the items
    /// are looked at one by one. So is what `sum` adds up over a few constants, such as the neighbours of a cell: what
    /// is added is one expression. Nothing for other calls.
    pub fn fold_one_by_one(&mut self, callee: &Value, e: &ExprCall) -> Option<Value> {
        let Value::Builtin(name) = callee else {
            return None;
        };
        let name = name.strip_prefix("builtins.")?;
        let (items, rest) = e.arguments.args.split_first()?;
        let (element, generators) = match items {
            Expr::Generator(items) => (&*items.elt, &items.generators),
            Expr::ListComp(items) => (&*items.elt, &items.generators),
            _ => return None,
        };
        if self.function_base == 0 && (name != "sum" || !self.go_over_constants(generators)) {
            return None;
        }
        let range = e.range();
        let assign = |name: &str, value: Expr| {
            Stmt::Assign(StmtAssign {
                node_index: Default::default(),
                range,
                targets: vec![store(name, range)],
                value: Box::new(value),
            })
        };
        match (name, rest, &*e.arguments.keywords) {
            ("sum", [] | [_], []) => {
                let start = match rest {
                    [start] => self.expr(start),
                    _ => Scalar::const_int(0).into(),
                };
                if self.refuses_to_add_to(&start, range) {
                    return Some(start);
                }
                let added = |name: &str| {
                    let sum = Expr::BinOp(ruff_python_ast::ExprBinOp {
                        node_index: Default::default(),
                        range,
                        left: Box::new(load(name, range)),
                        op: Operator::Add,
                        right: Box::new(element.clone()),
                    });
                    assign(name, sum)
                };
                Some(self.collected_in(start, generators, range, added))
            }
            ("min" | "max", [], [] | [_]) => {
                let default = match &*e.arguments.keywords {
                    [one] if one.arg.as_ref().is_some_and(|arg| arg == "default") => {
                        Some(self.expr(&one.value))
                    }
                    [] => None,
                    _ => return None,
                };
                let better = |so_far: &str| {
                    let none = Expr::NoneLiteral(ruff_python_ast::ExprNoneLiteral {
                        node_index: Default::default(),
                        range,
                    });
                    let first = Expr::Compare(ruff_python_ast::ExprCompare {
                        node_index: Default::default(),
                        range,
                        left: Box::new(load(so_far, range)),
                        ops: Box::new([ruff_python_ast::CmpOp::Is]),
                        comparators: Box::new([none]),
                    });
                    let given = vec![load(so_far, range), element.clone()];
                    let chosen = Expr::If(ruff_python_ast::ExprIf {
                        node_index: Default::default(),
                        range,
                        test: Box::new(first),
                        body: Box::new(element.clone()),
                        orelse: Box::new(call_with((*e.func).clone(), given, range)),
                    });
                    assign(so_far, chosen)
                };
                let found = self.collected_in(Value::None, generators, range, better);
                let (value, present) = match found {
                    Value::Optional(value, present) => (*value, present),
                    // Nothing is known of the items yet.
                    Value::None => return Some(default.unwrap_or(Value::Poison)),
                    other => return Some(other),
                };
                if let Some(default) = default {
                    return Some(self.either(&present, range, |_| value, |_| default));
                }
                let present = self.ir(&present);
                let empty = self.b.unary(colocate_ir::UnaryOp::Not, present);
                let text = format!("{name}() iterable argument is empty");
                self.raise_if(empty, &raised("ValueError", &text), range);
                Some(value)
            }
            _ => None,
        }
    }

    /// Whether a comprehension goes over a few items that are written down.
    fn go_over_constants(&mut self, generators: &[Comprehension]) -> bool {
        let mut turns = 1_usize;
        for generator in generators {
            let items = match &generator.iter {
                Expr::Tuple(tuple) => Some(&tuple.elts),
                Expr::List(list) => Some(&list.elts),
                _ => None,
            };
            let Some(items) = items.filter(|items| !items.is_empty()) else {
                return false;
            };
            if !items.iter().all(is_written_down) {
                return false;
            }
            turns = turns.saturating_mul(items.len());
        }
        self.is_program() && turns.saturating_mul(self.copies) <= MOST_WRITTEN_OUT
    }

    /// `any` or `all` of a generator expression: no more of it is computed than decides; nothing for other calls.
    pub fn any_or_all_of_generator(&mut self, callee: &Value, e: &ExprCall) -> Option<Value> {
        let any = match callee {
            Value::Builtin(name) if name == "builtins.any" => true,
            Value::Builtin(name) if name == "builtins.all" => false,
            _ => return None,
        };
        let [Expr::Generator(items)] = &*e.arguments.args else {
            return None;
        };
        if items.generators.len() != 1 || !e.arguments.keywords.is_empty() {
            return None;
        }
        let range = e.range();
        let test = match any {
            true => (*items.elt).clone(),
            false => Expr::UnaryOp(ruff_python_ast::ExprUnaryOp {
                node_index: Default::default(),
                range,
                op: ruff_python_ast::UnaryOp::Not,
                operand: items.elt.clone(),
            }),
        };
        let decided = |name: &str| {
            let decision = Stmt::Assign(StmtAssign {
                node_index: Default::default(),
                range,
                targets: vec![store(name, range)],
                value: Box::new(Expr::BooleanLiteral(ExprBooleanLiteral {
                    node_index: Default::default(),
                    range,
                    value: any,
                })),
            });
            let end = Stmt::Break(ruff_python_ast::StmtBreak {
                node_index: Default::default(),
                range,
            });
            Stmt::If(StmtIf {
                node_index: Default::default(),
                range,
                test: Box::new(test.clone()),
                body: [decision, end].into_iter().collect(),
                elif_else_clauses: Vec::new(),
            })
        };
        let undecided = Scalar::const_bool(!any).into();
        Some(self.collected_in(undecided, &items.generators, range, decided))
    }

    /// `next` of a generator expression: no more of it is computed than one item; nothing for other calls.
    pub fn next_of_generator(&mut self, callee: &Value, e: &ExprCall) -> Option<Value> {
        if !matches!(callee, Value::Builtin(name) if name == "builtins.next") {
            return None;
        }
        let (items, default) = match &*e.arguments.args {
            [Expr::Generator(items)] => (items, None),
            [Expr::Generator(items), default] => (items, Some(default)),
            _ => return None,
        };
        if items.generators.len() != 1 || !e.arguments.keywords.is_empty() {
            return None;
        }
        let range = e.range();
        let item = self.temporary();
        self.frame().locals.insert(item.clone());
        if let Some(default) = default {
            let value = self.expr(default);
            let value = self.all_stored(value);
            let site = self.site(range);
            self.bind(&item, value, site);
        }
        let is = |value| {
            Expr::BooleanLiteral(ExprBooleanLiteral {
                node_index: Default::default(),
                range,
                value,
            })
        };
        let assign = |name: &str, value: Expr| {
            Stmt::Assign(StmtAssign {
                node_index: Default::default(),
                range,
                targets: vec![store(name, range)],
                value: Box::new(value),
            })
        };
        let taken = |found: &str| {
            let end = Stmt::Break(ruff_python_ast::StmtBreak {
                node_index: Default::default(),
                range,
            });
            let first = [
                assign(&item, (*items.elt).clone()),
                assign(found, is(true)),
                end,
            ];
            Stmt::If(StmtIf {
                node_index: Default::default(),
                range,
                test: Box::new(is(true)),
                body: first.into_iter().collect(),
                elif_else_clauses: Vec::new(),
            })
        };
        let nothing = Scalar::const_bool(false).into();
        let found = self.collected_in(nothing, &items.generators, range, taken);
        if default.is_none() {
            let Some(found) = self.truth(&found, range) else {
                return Some(Value::Poison);
            };
            let found = self.ir(&found);
            let missing = self.b.unary(colocate_ir::UnaryOp::Not, found);
            self.raise_if(missing, &raised("StopIteration", ""), range);
        }
        Some(self.result_of(&item, &[], range))
    }

    pub fn any_or_all(&mut self, any: bool, value: &Value, range: TextRange) -> Option<Value> {
        if let Some(items) = self.known_items(value) {
            let mut result = Scalar::const_bool(!any);
            let op = if any {
                result = Scalar::const_bool(false);
                BinaryOp::BitOr
            } else {
                BinaryOp::BitAnd
            };
            for item in &items {
                let Some(truth) = self.truth(item, range) else {
                    return Some(Value::Poison);
                };
                result = self.apply(op, &result, &truth, (DType::Bool, true), range)?;
            }
            return Some(
                Scalar {
                    weak: true,
                    ..result
                }
                .into(),
            );
        }
        let items = match value {
            Value::Range(_) | Value::Zip(_) | Value::Enumerate(..) => self.as_list(value, range),
            Value::List(_) => value.clone(),
            Value::Held(held) if held.item.is_number() => Value::List(self.opened(held)),
            Value::Held(_) => return Some(self.any_or_all_objects(any, value, range)),
            _ => return None,
        };
        let Value::List(list) = items else {
            return Some(items);
        };
        let view = self.settled_index(&Value::List(list));
        let arguments = Arguments {
            positional: vec![(view, range)],
            keywords: Vec::new(),
        };
        let name = if any { "numpy.any" } else { "numpy.all" };
        Some(weakened(self.call_builtin(name, &arguments, range)))
    }

    pub fn list_extreme(
        &mut self,
        name: &str,
        list: &List,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if self.level() > 0 {
            return Some(self.hinder("it uses a list"));
        }
        let length = self.list_length(list);
        let empty = self.compare_scalars(CompareOp::Equal, &length, &Scalar::const_int(0));
        let empty = self.ir(&empty);
        let text = format!("{name}() arg is an empty sequence");
        self.raise_if(empty, &raised("ValueError", &text), range);
        // Most lists are short: a launch would take longer than they do.
        if matches!(list.dtype.kind(), Kind::Int | Kind::UInt | Kind::Float) {
            let (zero, one) = (self.b.int64(0), self.b.int64(1));
            let first = self.list_take(list, zero);
            let best = self.temporary();
            let best = self.variable(&best, 0, list.dtype);
            let first = self.ir(&first);
            self.b.set(best, first);
            let counter = self.temporary();
            let counter = self.variable(&counter, 0, DType::Int64);
            let stop = self.ir(&length);
            self.b.begin_for(counter, one, stop, one);
            let at = self.b.get(counter);
            let item = self.list_take(list, at);
            let (item, known) = (self.ir(&item), self.b.get(best));
            let op = match name {
                "max" => CompareOp::Greater,
                _ => CompareOp::Less,
            };
            let better = self.b.compare(op, item, known);
            let next = self.b.select(better, item, known);
            self.b.set(best, next);
            self.b.end();
            let result = self.b.get(best);
            return Some(Scalar::new(list.dtype, list.weak, result).into());
        }
        let view = Value::View(self.list_view(list));
        let result = self.extreme_of_elements(name, &view, arguments.positional[0].1);
        Some(if list.weak { weakened(result) } else { result })
    }

    /// `min` or `max` of the elements of an array, each compared with the best so far: what is no number is less than
    /// nothing, and nothing is less than it, so that it counts only where it comes first.
    pub fn extreme_of_elements(&mut self, name: &str, elements: &Value, range: TextRange) -> Value {
        let given = Arguments {
            positional: vec![(elements.clone(), range)],
            keywords: Vec::new(),
        };
        let of_all = format!("numpy.{name}");
        let is_inexact = Self::dtype_of(elements).is_some_and(types::is_inexact);
        if !is_inexact || self.level() > 0 {
            return self.call_builtin(&of_all, &given, range);
        }
        let length = match self.length_of(elements, range) {
            Some(length) => length,
            None => return Value::Poison,
        };
        let empty = self.compare_scalars(CompareOp::Equal, &length, &Scalar::const_int(0));
        let empty = self.ir(&empty);
        let text = format!("{name}() arg is an empty sequence");
        self.raise_if(empty, &raised("ValueError", &text), range);
        let first = self.item_at(elements, &Scalar::const_int(0), range);
        let Value::Scalar(number) = &first else {
            return Value::Poison;
        };
        let comes_first = self.compare_scalars(CompareOp::NotEqual, number, number);
        self.either(
            &comes_first,
            range,
            |_| first.clone(),
            |t| t.call_builtin(&format!("numpy.nan{name}"), &given, range),
        )
    }

    /// Raises what `sum` says of texts and bytes to begin with, whatever the items are; false for everything else.
    pub fn refuses_to_add_to(&mut self, start: &Value, range: TextRange) -> bool {
        let kind = match start {
            Value::Str(_) => "strings",
            Value::Object(object) => match &*object.kind {
                ObjectType::Text => "strings",
                ObjectType::Foreign(class) if class == "bytes" => "bytes",
                ObjectType::Foreign(class) if class == "bytearray" => "bytearray",
                _ => return false,
            },
            _ => return false,
        };
        let empty = if kind == "strings" { "''" } else { "b''" };
        let text = format!("sum() can't sum {kind} [use {empty}.join(seq) instead]");
        self.always_raise("TypeError", &text, range);
        true
    }

    /// The sum of the items of an array, one after the other: its elements or its rows. Small integers stay
    /// small.
    fn sum_of_items(&mut self, value: &Value, range: TextRange) -> Option<Value> {
        let dtype = Self::dtype_of(value)?;
        let mut keywords = Vec::new();
        if types::is_integer(dtype) && dtype.itemsize() < 8 {
            keywords.push(("dtype".into(), Value::Dtype(dtype), range));
        }
        if rank_of(value) > Some(1) {
            keywords.push(("axis".into(), Scalar::const_int(0).into(), range));
        }
        let positional = vec![(value.clone(), range)];
        let arguments = Arguments {
            positional,
            keywords,
        };
        self.numpy_call("sum", &arguments, range)
    }

    pub fn python_sum(&mut self, value: &Value, start: Value, range: TextRange) -> Option<Value> {
        if self.refuses_to_add_to(&start, range) {
            return Some(start);
        }
        if let Some(items) = self.known_items(value) {
            let mut total = start;
            for item in &items {
                total = self.binary(Operator::Add, &total, item, range);
            }
            return Some(total);
        }
        let from_zero = matches!(&start, Value::Scalar(s) if s.as_int() == Some(0));
        if let Value::View(_) | Value::Lazy(_) = value
            && (from_zero || rank_of(value) > Some(1))
        {
            let sum = self.sum_of_items(value, range);
            return match from_zero {
                true => sum,
                false => Some(self.binary(Operator::Add, &start, &sum?, range)),
            };
        }
        match value {
            Value::Range(_)
            | Value::List(_)
            | Value::Held(_)
            | Value::Zip(_)
            | Value::Enumerate(..)
            | Value::View(_)
            | Value::Lazy(_) => {}
            Value::Object(object) if object.kind.has_anything() => {
                return Some(self.foreign_call("builtins.sum", &[value, &start], range));
            }
            _ => return None,
        }
        // Arrays may be found to be in it, and what the sum is follows from the items.
        let key = match value {
            Value::List(list) => Some(list.key),
            Value::Held(held) => Some(held.key),
            _ => None,
        };
        if key.is_some_and(|key| self.is_unknown(key)) {
            return Some(Value::Poison);
        }
        // An array or a list to begin with is what the sum of nothing is.
        if let Value::Held(held) = value
            && !held.item.is_number()
            && !is_array(&start)
            && !matches!(start, Value::List(_) | Value::Held(_))
        {
            return Some(self.sum_of_objects(value, &start, range));
        }
        let item = self.temporary();
        let total = self.hold(start, range);
        let held = [self.hold(value.clone(), range)];
        let sum = Expr::BinOp(ruff_python_ast::ExprBinOp {
            node_index: Default::default(),
            range,
            left: Box::new(load(&total, range)),
            op: Operator::Add,
            right: Box::new(load(&item, range)),
        });
        self.accumulate(&total, &item, &held[0], sum, range);
        Some(self.result_of(&total, &held, range))
    }

    /// The sum of arrays, or of lists: what the first addition gives is what the sum is.
    fn sum_of_objects(&mut self, list: &Value, start: &Value, range: TextRange) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses a list");
        }
        let Some(length) = self.length_of(list, range) else {
            return Value::Poison;
        };
        let empty = self.compare_scalars(CompareOp::Equal, &length, &Scalar::const_int(0));
        let empty = self.ir(&empty);
        let text = "the sum of no arrays or lists is not known in a jit function";
        self.raise_if(empty, &raised("ValueError", text), range);
        let first = self.item_at(list, &Scalar::const_int(0), range);
        let first = self.binary(Operator::Add, start, &first, range);
        let total = self.hold(first, range);
        let (item, one) = (self.temporary(), Scalar::const_int(1));
        let rest = Value::Range(Box::new([one, length, one]));
        let (whole, positions) = (self.hold(list.clone(), range), self.hold(rest, range));
        let at = Expr::Subscript(ExprSubscript {
            node_index: Default::default(),
            range,
            value: Box::new(load(&whole, range)),
            slice: Box::new(load(&item, range)),
            ctx: ExprContext::Load,
        });
        let sum = Expr::BinOp(ruff_python_ast::ExprBinOp {
            node_index: Default::default(),
            range,
            left: Box::new(load(&total, range)),
            op: Operator::Add,
            right: Box::new(at),
        });
        self.accumulate(&total, &item, &positions, sum, range);
        self.result_of(&total, &[whole, positions], range)
    }

    /// `functools.reduce`.
    pub fn reduced(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let given = self.exactly("functools.reduce", arguments, 2..=3, range)?;
        let function = given[0].0.clone();
        let source = given[1].0.clone();
        let first = given.get(2).map(|(value, _)| value.clone());
        if let Some(items) = self.known_items(&source) {
            let mut items = items.into_iter();
            let Some(mut total) = first.or_else(|| items.next()) else {
                let diagnostic = self.wrong(
                    codes::VALUE,
                    "there is nothing to reduce",
                    range,
                    "this would raise TypeError",
                );
                return Some(self.report(diagnostic));
            };
            for item in items {
                let arguments = Arguments {
                    positional: vec![(total, range), (item, range)],
                    keywords: Vec::new(),
                };
                total = self.call_value(&function, &arguments, range, range, None);
            }
            return Some(total);
        }
        let source = match source {
            Value::Range(_) | Value::List(_) | Value::Held(_) | Value::View(_) => source,
            other => self.all_stored(other),
        };
        let whole = self.hold(source.clone(), range);
        let function = self.hold(function, range);
        let item = self.temporary();
        let total = match first {
            Some(first) => {
                let total = self.hold(first, range);
                let call = call(&function, &[total.clone(), item.clone()], range);
                self.accumulate(&total, &item, &whole, call, range);
                total
            }
            None => {
                let length = match &source {
                    Value::Range(parts) => self.range_length(parts, range)?,
                    other => self.length_of(other, range)?,
                };
                let empty = self.compare_scalars(CompareOp::Equal, &length, &Scalar::const_int(0));
                let empty = self.ir(&empty);
                let text = "reduce() of empty iterable with no initial value";
                self.raise_if(empty, &raised("TypeError", text), range);
                let first = self.item_at(&source, &Scalar::const_int(0), range);
                let total = self.hold(first, range);
                let one = Scalar::const_int(1);
                let rest = Value::Range(Box::new([one, length, one]));
                let positions = self.hold(rest, range);
                let at = Expr::Subscript(ExprSubscript {
                    node_index: Default::default(),
                    range,
                    value: Box::new(load(&whole, range)),
                    slice: Box::new(load(&item, range)),
                    ctx: ExprContext::Load,
                });
                let call = call_with(load(&function, range), vec![load(&total, range), at], range);
                self.accumulate(&total, &item, &positions, call, range);
                self.release(&[positions]);
                total
            }
        };
        Some(self.result_of(&total, &[whole, function], range))
    }

    /// `for item in source: total = expression`.
    fn accumulate(
        &mut self,
        total: &str,
        item: &str,
        source: &str,
        expression: Expr,
        range: TextRange,
    ) {
        let assign = Stmt::Assign(StmtAssign {
            node_index: Default::default(),
            range,
            targets: vec![store(total, range)],
            value: Box::new(expression),
        });
        let turns = StmtFor {
            node_index: Default::default(),
            range,
            is_async: false,
            target: Box::new(store(item, range)),
            iter: Box::new(load(source, range)),
            body: std::iter::once(assign).collect(),
            orelse: Default::default(),
        };
        self.for_loop(&turns);
        self.scope().shift_remove(item);
    }

    fn result_of(&mut self, name: &str, held: &[String], range: TextRange) -> Value {
        let result = self.expr(&load(name, range));
        self.release(held);
        self.scope().shift_remove(name);
        result
    }
}

/// Whether it is a number or a tuple of numbers.
fn is_written_down(expr: &Expr) -> bool {
    match expr {
        Expr::NumberLiteral(_) => true,
        Expr::UnaryOp(e) => is_written_down(&e.operand),
        Expr::Tuple(e) => e.elts.iter().all(is_written_down),
        _ => false,
    }
}
