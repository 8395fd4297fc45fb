//! Lists in jit functions.
//!
//! A list that is written down and never changed is a tuple to the compiler. One that changes is a
//! growing array of numbers: a local with room, and a variable that says how many items it has. What
//! its items are is found out by translating: if an item does not fit the dtype that was assumed, the
//! function is translated again with a wider one.

use crate::codes;
use crate::host::failures::{Part, Raised};
use crate::program::Call;
use crate::translate::Translator;
use crate::types;
use crate::value::{Axis, Know, Scalar, Value, View};
use colocate_diag::Site;
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, CompareOp, DType, Kind, Layout, LocalId, ValueId, VariableId,
};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprContext, Stmt};
use ruff_text_size::TextRange;

/// A list of numbers that changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct List {
    pub local: LocalId,
    pub length: VariableId,
    pub dtype: DType,
    pub weak: bool,
    /// Where it is made, which its dtype is remembered by.
    pub site: Site,
}

/// Methods that change a list.
const CHANGING: &[&str] = &[
    "append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort",
];

/// Room that a new list has at least.
const LEAST_ROOM: i64 = 8;

impl Translator<'_> {
    /// `[a, b, c]`.
    pub fn list_display(&mut self, items: &[Expr]) -> Value {
        let mut values = Vec::new();
        for item in items {
            values.push(self.expr(item));
        }
        if values.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        Value::Tuple(values)
    }

    /// A list that is assigned to a name and changed later.
    pub fn growing_list(&mut self, items: &[Value], range: TextRange) -> Value {
        let site = self.site(range);
        self.growing_list_at(items, site, range)
    }

    fn growing_list_at(&mut self, items: &[Value], site: Site, range: TextRange) -> Value {
        if self.level() > 0 {
            return self.hinder("it makes a list that grows");
        }
        let mut scalars = Vec::new();
        for item in items {
            match item {
                Value::Scalar(scalar) => scalars.push(*scalar),
                Value::Poison => return Value::Poison,
                other => {
                    let what = other.describe();
                    let diagnostic = self
                        .wrong(
                            codes::CONTAINER,
                            "only lists of numbers can change in jit functions",
                            range,
                            format!("an item is {what}"),
                        )
                        .help("make an array, and assign to its parts");
                    return self.report(diagnostic);
                }
            }
        }
        let mut kind = self.list_types.get(&key(site)).copied();
        for scalar in &scalars {
            kind = Some(match kind {
                None => (scalar.dtype, scalar.weak),
                Some(known) => joined(known, scalar),
            });
        }
        let (dtype, weak) = kind.unwrap_or((DType::Int64, true));
        let local = self.b.local("list", dtype, 1, Layout::Contiguous);
        self.mutable.insert(local);
        let length = self.b.variable("length", DType::Int64);
        let list = List {
            local,
            length,
            dtype,
            weak,
            site,
        };
        let room = self.b.int64(LEAST_ROOM.max(scalars.len() as i64));
        let call = Call::Allocate {
            local,
            zeros: false,
            fortran: false,
        };
        self.call(call, &[room], vec![CallResult::Local(local)]);
        for (position, scalar) in scalars.iter().enumerate() {
            self.list_put(&list, &Scalar::const_int(position as i128), scalar);
        }
        let count = self.b.int64(scalars.len() as i64);
        self.b.set(length, count);
        Value::List(list)
    }

    /// A list among the arguments, over the array of its items.
    pub fn list_argument(&mut self, view: View, weak: bool) -> Value {
        let site = self.b.site;
        let known = self.list_types.get(&key(site)).copied();
        let (ArrayRef::Local(local), dtype) = (view.base, view.dtype) else {
            return Value::Poison;
        };
        let range = TextRange::default();
        if known.is_some_and(|known| known != (dtype, weak)) {
            // Items are added to it that do not fit: it is copied into a wider one.
            let made = self.growing_list_at(&[], site, range);
            if let Value::List(list) = &made {
                self.list_extend(list, &Value::View(view), range);
            }
            return made;
        }
        self.mutable.insert(local);
        let length = self.b.variable("length", DType::Int64);
        let extent = self.extent(&view, 0);
        let extent = self.ir(&extent);
        self.b.set(length, extent);
        let empty_is_open = (dtype, weak) == (DType::Int64, true);
        if !empty_is_open {
            self.list_types.insert(key(site), (dtype, weak));
        }
        Value::List(List {
            local,
            length,
            dtype,
            weak,
            site,
        })
    }

    /// Notes what an item is; false if the function has to be translated again.
    fn admit(&mut self, list: &List, scalar: &Scalar) -> bool {
        let known = match self.list_types.get(&key(list.site)) {
            Some(known) => joined(*known, scalar),
            // Nothing was assumed of a list that began empty.
            None if list.dtype == DType::Int64 && list.weak => (scalar.dtype, scalar.weak),
            None => joined((list.dtype, list.weak), scalar),
        };
        self.list_types.insert(key(list.site), known);
        if known == (list.dtype, list.weak) {
            return true;
        }
        self.again = true;
        false
    }

    fn list_put(&mut self, list: &List, at: &Scalar, scalar: &Scalar) {
        let ir = self.as_dtype(scalar, list.dtype);
        let at = self.as_dtype(at, DType::Int64);
        let place = colocate_ir::Place::new(ArrayRef::Local(list.local), [at]);
        self.b.store(place, ir);
    }

    pub fn list_take(&mut self, list: &List, at: ValueId) -> Scalar {
        let place = colocate_ir::Place::new(ArrayRef::Local(list.local), [at]);
        let ir = self.b.load(place);
        Scalar::new(list.dtype, list.weak, ir)
    }

    pub fn list_length(&mut self, list: &List) -> Scalar {
        let length = self.b.get(list.length);
        Scalar::int(length, Know::NonNegative)
    }

    /// The items of a list as a part of an array.
    pub fn list_view(&mut self, list: &List) -> View {
        let length = self.list_length(list);
        View {
            axes: vec![Axis::Sliced {
                start: Scalar::const_int(0),
                step: Scalar::const_int(1),
                length,
            }],
            packed: false,
            ..View::whole(ArrayRef::Local(list.local), list.dtype, 1, false)
        }
    }

    pub fn list_append(&mut self, list: &List, scalar: &Scalar) {
        if !self.admit(list, scalar) {
            return;
        }
        let length = self.b.get(list.length);
        let room = self.b.extent(ArrayRef::Local(list.local), 0);
        let full = self.b.compare(CompareOp::GreaterEqual, length, room);
        self.b.begin_if(full);
        let double = self.b.binary(BinaryOp::Add, length, length);
        let least = self.b.int64(LEAST_ROOM);
        let room = self.b.binary(BinaryOp::Add, double, least);
        let call = Call::Grow { local: list.local };
        self.call(call, &[room], vec![CallResult::Local(list.local)]);
        self.b.end();
        self.list_put(list, &Scalar::int(length, Know::NonNegative), scalar);
        let one = self.b.int64(1);
        let next = self.b.binary(BinaryOp::Add, length, one);
        self.b.set(list.length, next);
    }

    /// `list[index]`.
    pub fn list_item(&mut self, list: &List, index: &Value, range: TextRange) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses a list");
        }
        match index {
            Value::Slice(parts) => {
                let length = self.list_length(list);
                let Some((start, step, length)) = self.slice_of(&length, parts, range) else {
                    return Value::Poison;
                };
                let view = View {
                    axes: vec![Axis::Sliced {
                        start,
                        step,
                        length,
                    }],
                    ..self.list_view(list)
                };
                self.list_of(&Value::View(view), list.weak, range)
            }
            other => {
                let Some(index) = self.integer(other, range, "an index") else {
                    return Value::Poison;
                };
                let at = self.list_index(list, &index, range);
                self.list_take(list, at).into()
            }
        }
    }

    pub fn list_index(&mut self, list: &List, index: &Scalar, range: TextRange) -> ValueId {
        let length = self.list_length(list);
        let wrapped = self.wrapped_index(index, &length);
        let (at, length) = (self.ir(&wrapped), self.ir(&length));
        let (low, high) = (
            self.b.convert(at, DType::UInt64),
            self.b.convert(length, DType::UInt64),
        );
        let outside = self.b.compare(CompareOp::GreaterEqual, low, high);
        let raised = Raised {
            class: "IndexError",
            parts: vec![Part::Text("list index out of range".into())],
        };
        self.raise_if(outside, &raised, range);
        at
    }

    /// `list[index] = value`.
    pub fn list_assign(&mut self, list: &List, index: &Value, value: &Value, range: TextRange) {
        if self.level() > 0 {
            self.hinder("it uses a list");
            return;
        }
        let (Some(index), Some(scalar)) = (
            self.integer(index, range, "an index"),
            self.scalar(value, range),
        ) else {
            return;
        };
        self.changed_lists.insert(list.local);
        if self.admit(list, &scalar) {
            let at = self.list_index(list, &index, range);
            self.list_put(list, &Scalar::int(at, Know::NonNegative), &scalar);
        }
    }

    /// A new list of an array's elements.
    pub fn list_of(&mut self, value: &Value, weak: bool, range: TextRange) -> Value {
        let Some(dtype) = Self::dtype_of(value) else {
            return Value::Poison;
        };
        let site = self.site(range);
        let known = self.list_types.get(&key(site)).copied();
        let known = known.map_or((dtype, weak), |known| {
            let item = Scalar {
                dtype,
                weak,
                know: Know::Any,
                ir: None,
            };
            joined(known, &item)
        });
        self.list_types.insert(key(site), known);
        let made = self.growing_list(&[], range);
        if let Value::List(list) = &made {
            self.list_extend(list, value, range);
        }
        made
    }

    /// `list(items)`.
    pub fn list_from(&mut self, items: &Value, range: TextRange) -> Value {
        let made = self.growing_list(&[], range);
        if let Value::List(list) = &made {
            self.list_extend(list, items, range);
        }
        made
    }

    pub fn list_extend(&mut self, list: &List, value: &Value, range: TextRange) {
        match value {
            Value::Tuple(items) => {
                for item in items {
                    if let Some(scalar) = self.scalar(item, range) {
                        self.list_append(list, &scalar);
                    }
                }
            }
            other => {
                let Some(turns) = self.length_of(other, range) else {
                    return;
                };
                let (zero, stop, one) = (self.b.int64(0), self.ir(&turns), self.b.int64(1));
                let name = self.temporary();
                let counter = self.variable(&name, 0, DType::Int64);
                self.b.begin_for(counter, zero, stop, one);
                let at = Scalar::int(self.b.get(counter), Know::NonNegative);
                let item = self.item_at(other, &at, range);
                if let Some(scalar) = self.scalar(&item, range) {
                    self.list_append(list, &scalar);
                }
                self.b.end();
            }
        }
    }

    /// `+` and `*` of lists.
    pub fn list_binary(
        &mut self,
        op: ruff_python_ast::Operator,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        use ruff_python_ast::Operator;
        let numbers = |items: &[Value]| items.iter().all(|one| matches!(one, Value::Scalar(_)));
        match (op, a, b) {
            (Operator::Mult, Value::Tuple(items), Value::Scalar(times))
            | (Operator::Mult, Value::Scalar(times), Value::Tuple(items))
                if self.level() == 0 && types::is_integer(times.dtype) && numbers(items) =>
            {
                let times = self.integer(&Value::Scalar(*times), range, "a number of times")?;
                Some(self.repeated_list(items, &times, range))
            }
            (Operator::Mult, Value::List(list), Value::Scalar(times))
            | (Operator::Mult, Value::Scalar(times), Value::List(list))
                if types::is_integer(times.dtype) =>
            {
                let times = self.integer(&Value::Scalar(*times), range, "a number of times")?;
                let view = Value::View(self.list_view(list));
                let made = self.growing_list(&[], range);
                if let Value::List(target) = &made {
                    let (zero, stop, one) = (self.b.int64(0), self.ir(&times), self.b.int64(1));
                    let name = self.temporary();
                    let counter = self.variable(&name, 0, DType::Int64);
                    self.b.begin_for(counter, zero, stop, one);
                    self.list_extend(target, &view, range);
                    self.b.end();
                }
                Some(made)
            }
            (Operator::Add, Value::List(_), Value::List(_) | Value::Tuple(_))
            | (Operator::Add, Value::Tuple(_), Value::List(_)) => {
                let made = self.growing_list(&[], range);
                if let Value::List(target) = &made {
                    for part in [a, b] {
                        self.list_extend(target, part, range);
                    }
                }
                Some(made)
            }
            _ => None,
        }
    }

    /// `[item] * times`, a list of numbers.
    pub fn repeated_list(&mut self, items: &[Value], times: &Scalar, range: TextRange) -> Value {
        let made = self.growing_list(&[], range);
        let Value::List(list) = &made else {
            return made;
        };
        let (zero, stop, one) = (self.b.int64(0), self.ir(times), self.b.int64(1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, stop, one);
        for item in items {
            if let Some(scalar) = self.scalar(item, range) {
                self.list_append(list, &scalar);
            }
        }
        self.b.end();
        made
    }

    /// Moves what comes after a position one to the front.
    pub fn close_list_gap(&mut self, list: &List, at: ValueId) {
        let one = self.b.int64(1);
        let length = self.b.get(list.length);
        let last = self.b.binary(BinaryOp::Subtract, length, one);
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, at, last, one);
        let here = self.b.get(counter);
        let next = self.b.binary(BinaryOp::Add, here, one);
        let item = self.list_take(list, next);
        self.list_put(list, &Scalar::int(here, Know::NonNegative), &item);
        self.b.end();
        self.b.set(list.length, last);
    }

    pub fn list_insert(&mut self, list: &List, index: &Scalar, scalar: &Scalar) {
        if !self.admit(list, scalar) {
            return;
        }
        let before = self.list_length(list);
        let wrapped = self.wrapped_index(index, &before);
        let zero = Scalar::const_int(0);
        let at = self.index_op(BinaryOp::Maximum, &wrapped, &zero);
        let at = self.index_op(BinaryOp::Minimum, &at, &before);
        // Room for one more, then everything from the position on moves back.
        self.list_append(list, scalar);
        let (at, last, down) = (self.ir(&at), self.ir(&before), self.b.int64(-1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, last, at, down);
        let here = self.b.get(counter);
        let previous = self.b.binary(BinaryOp::Add, here, down);
        let item = self.list_take(list, previous);
        self.list_put(list, &Scalar::int(here, Know::NonNegative), &item);
        self.b.end();
        self.list_put(list, &Scalar::int(at, Know::NonNegative), scalar);
    }

    /// What a tuple or list is as an argument: lists become arrays of their items.
    pub fn settled_list(&mut self, value: &Value) -> Value {
        match value {
            Value::List(list) => Value::View(self.list_view(list)),
            other => other.clone(),
        }
    }
}

/// What a list's dtype is remembered by.
pub(crate) fn key(site: Site) -> (u32, u32) {
    (site.file, site.span.start)
}

fn joined((dtype, weak): (DType, bool), scalar: &Scalar) -> (DType, bool) {
    let known = Scalar {
        dtype,
        weak,
        know: Know::Any,
        ir: None,
    };
    let open = Scalar {
        know: Know::Any,
        ..*scalar
    };
    if dtype.kind() == Kind::Bool && scalar.dtype.kind() == Kind::Bool {
        return (DType::Bool, weak && scalar.weak);
    }
    types::join(&known, &open)
}

/// Whether a function returns what a name holds.
pub(crate) fn returns_list(body: &[Stmt], name: &str) -> bool {
    struct Returned<'n>(&'n str, bool);
    impl<'a> Visitor<'a> for Returned<'_> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            let named = |expr: &Expr| matches!(expr, Expr::Name(n) if n.id == self.0);
            if let Stmt::Return(s) = statement {
                match s.value.as_deref() {
                    Some(Expr::Tuple(items)) => self.1 |= items.elts.iter().any(named),
                    Some(value) => self.1 |= named(value),
                    None => {}
                }
            }
            walk_stmt(self, statement);
        }
    }
    let mut found = Returned(name, false);
    body.iter()
        .for_each(|statement| found.visit_stmt(statement));
    found.1
}

/// Whether a function changes what a name holds, as a list.
pub(crate) fn changes_list(body: &[Stmt], name: &str) -> bool {
    struct Changes<'n>(&'n str, bool);
    impl<'a> Visitor<'a> for Changes<'_> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            let named = |expr: &Expr| matches!(expr, Expr::Name(n) if n.id == self.0);
            match statement {
                Stmt::AugAssign(s) if named(&s.target) => self.1 = true,
                _ => {}
            }
            walk_stmt(self, statement);
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            let named = |expr: &Expr| matches!(expr, Expr::Name(n) if n.id == self.0);
            match expr {
                Expr::Attribute(e) if named(&e.value) => {
                    self.1 |= CHANGING.contains(&e.attr.as_str());
                }
                Expr::Subscript(e) if named(&e.value) && e.ctx == ExprContext::Store => {
                    self.1 = true;
                }
                _ => {}
            }
            walk_expr(self, expr);
        }
    }
    let mut found = Changes(name, false);
    body.iter()
        .for_each(|statement| found.visit_stmt(statement));
    found.1
}
