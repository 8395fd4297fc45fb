//! Lists whose items are known one by one, changed where the program says which item: shapes and indices are made so.
//!
//! `shape = list(a.shape); shape[0] = 1` gives the name another list with other items, which nobody can tell from the
//! same list changed, if no other name means it. Everywhere else a list that changes is kept in memory.

use crate::translate::Translator;
use crate::value::{NamedTuple, Scalar, Value};
use colocate_ir::CompareOp;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, ExprCall, ExprContext, ExprSubscript, Stmt, StmtAugAssign};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

impl Translator<'_> {
    /// `name[index] = value` of such a list; false if it is something else.
    pub fn replace_written(&mut self, e: &ExprSubscript, value: &Value) -> bool {
        if value.is_poison() || matches!(value, Value::Named(class, _) if class.is_list()) {
            return false;
        }
        let Some((name, class, mut items)) = self.written_list(&e.value) else {
            return false;
        };
        let checkpoint = self.checkpoint();
        let index = self.expr(&e.slice);
        if !self.put_at(&mut items, &index, value, e.range()) {
            self.rewind(&checkpoint);
            return false;
        }
        let site = self.site(e.range());
        self.bind(&name, Value::Named(class, items), site);
        true
    }

    /// `name[index] op= value` of such a list; false if it is something else.
    pub fn augment_written(&mut self, e: &ExprSubscript, s: &StmtAugAssign) -> bool {
        let Some((_, _, items)) = self.written_list(&e.value) else {
            return false;
        };
        if !items.iter().all(|item| matches!(item, Value::Scalar(_))) {
            return false;
        }
        let checkpoint = self.checkpoint();
        let index = self.expr(&e.slice);
        if !matches!(index, Value::Scalar(_)) {
            self.rewind(&checkpoint);
            return false;
        }
        let current = self.tuple_item(&items, &index, e.range());
        let value = self.expr(&s.value);
        let result = self.binary(s.op, &current, &value, s.range());
        if self.replace_written(e, &result) {
            return true;
        }
        self.rewind(&checkpoint);
        false
    }

    /// `name.append(...)` and the like of such a list; nothing if it is something else.
    pub fn written_method(&mut self, e: &ExprCall) -> Option<Value> {
        let Expr::Attribute(function) = &*e.func else {
            return None;
        };
        let method = function.attr.as_str();
        if !matches!(method, "append" | "insert" | "pop" | "reverse")
            || !e.arguments.keywords.is_empty()
        {
            return None;
        }
        let (name, class, mut items) = self.written_list(&function.value)?;
        let checkpoint = self.checkpoint();
        let given: Vec<Value> = e.arguments.args.iter().map(|one| self.expr(one)).collect();
        let position = |value: &Value| match value {
            Value::Scalar(scalar) => scalar.as_int(),
            _ => None,
        };
        let is_item =
            |value: &Value| matches!(value, Value::Scalar(_) | Value::Slice(_) | Value::None);
        let count = items.len() as i128;
        let result = match (method, &given[..]) {
            ("append", [item]) if is_item(item) => {
                items.push(item.clone());
                Some(Value::None)
            }
            ("insert", [at, item]) if is_item(item) => position(at).map(|at| {
                let at = if at < 0 { at + count } else { at }.clamp(0, count);
                items.insert(at as usize, item.clone());
                Value::None
            }),
            ("pop", []) => items.pop(),
            ("pop", [at]) => position(at)
                .map(|at| if at < 0 { at + count } else { at })
                .filter(|at| (0..count).contains(at))
                .map(|at| items.remove(at as usize)),
            ("reverse", []) => {
                items.reverse();
                Some(Value::None)
            }
            _ => None,
        };
        if result.is_none() {
            self.rewind(&checkpoint);
            return None;
        }
        let site = self.site(e.range());
        self.bind(&name, Value::Named(class, items), site);
        result
    }

    /// `del name[index]` of such a list; false if it is something else.
    pub fn delete_written(&mut self, e: &ExprSubscript) -> bool {
        let Some((name, class, mut items)) = self.written_list(&e.value) else {
            return false;
        };
        let checkpoint = self.checkpoint();
        let at = match self.expr(&e.slice) {
            Value::Scalar(scalar) => scalar.as_int(),
            _ => None,
        };
        let count = items.len() as i128;
        let at = at.map(|at| if at < 0 { at + count } else { at });
        let Some(at) = at.filter(|at| (0..count).contains(at)) else {
            self.rewind(&checkpoint);
            return false;
        };
        items.remove(at as usize);
        let site = self.site(e.range());
        self.bind(&name, Value::Named(class, items), site);
        true
    }

    /// The name, the class and the items of a list that can be changed so. In a loop the items would differ from
    /// turn to turn.
    fn written_list(&mut self, list: &Expr) -> Option<(String, Rc<NamedTuple>, Vec<Value>)> {
        let Expr::Name(name) = list else {
            return None;
        };
        let name = name.id.as_str();
        if self.level() > 0 || !self.frame().loops.is_empty() || !self.frame().locals.contains(name)
        {
            return None;
        }
        // What is said to get a value once must not get another.
        if self.frame().once.contains(name) {
            return None;
        }
        let function = self.frame().function;
        let value = self.scope().get(name)?.value.clone();
        let Value::Named(class, _) = &value else {
            return None;
        };
        if !class.is_list() {
            return None;
        }
        let (parsed, _) = self.parsed.get(&function)?;
        let mut parameters = parsed.def.parameters.iter();
        if parameters.any(|parameter| parameter.name().as_str() == name)
            || !is_written(&parsed.def.body, name)
        {
            return None;
        }
        match self.recall(name, &value) {
            Value::Named(class, items) => Some((name.to_string(), class, items)),
            _ => None,
        }
    }

    /// Puts a value at a position; false if it is not known well enough which one that is.
    fn put_at(
        &mut self,
        items: &mut [Value],
        index: &Value,
        value: &Value,
        range: TextRange,
    ) -> bool {
        let Value::Scalar(index) = index else {
            return false;
        };
        let count = items.len() as i128;
        if let Some(at) = index.as_int() {
            let at = if at < 0 { at + count } else { at };
            return match usize::try_from(at).ok().and_then(|at| items.get_mut(at)) {
                Some(item) => {
                    *item = value.clone();
                    true
                }
                None => false,
            };
        }
        let Value::Scalar(new) = value else {
            return false;
        };
        let fits = |item: &Value| matches!(item, Value::Scalar(old) if (old.dtype, old.weak) == (new.dtype, new.weak));
        if !items.iter().all(fits) || items.is_empty() || items.len() > 32 {
            return false;
        }
        let Some(index) = self.integer(&Value::Scalar(*index), range, "an index") else {
            return false;
        };
        let index = &index;
        // Reading the item says whether there is one.
        let read = self.tuple_item(items, &Value::Scalar(*index), range);
        if read.is_poison() {
            return false;
        }
        let wrapped = self.wrapped_index(index, &Scalar::const_int(count));
        let (at, given) = (self.ir(&wrapped), self.ir(new));
        for (position, item) in items.iter_mut().enumerate() {
            let Value::Scalar(old) = item else {
                continue;
            };
            let here = self.b.int64(position as i64);
            let this = self.b.compare(CompareOp::Equal, at, here);
            let before = self.ir(old);
            let chosen = self.b.select(this, given, before);
            *item = Scalar::new(new.dtype, new.weak, chosen).into();
        }
        true
    }
}

/// Whether the list of a name is made in one place, is meant by that name only, and changes outside of loops, by
/// statements that do nothing else with it.
pub(crate) fn is_written(body: &[Stmt], name: &str) -> bool {
    let mut uses = Uses {
        name,
        loops: 0,
        made: 0,
        otherwise: false,
    };
    uses.visit_body(body);
    uses.made == 1 && !uses.otherwise
}

/// Looks at all uses of a name.
struct Uses<'n> {
    name: &'n str,
    /// How many loops are around.
    loops: usize,
    /// How many statements give it a list of its own.
    made: usize,
    /// Whether it is used in a way that is none of those which are known to be harmless.
    otherwise: bool,
}

/// Functions that keep nothing of what they are given, whatever they belong to.
const LOOKING: &[&str] = &[
    "all",
    "any",
    "array",
    "array_equal",
    "asarray",
    "broadcast_to",
    "empty",
    "expand_dims",
    "flip",
    "full",
    "len",
    "list",
    "max",
    "mean",
    "min",
    "moveaxis",
    "ones",
    "pad",
    "print",
    "prod",
    "reshape",
    "resize",
    "roll",
    "set",
    "sorted",
    "squeeze",
    "sum",
    "tile",
    "transpose",
    "tuple",
    "zeros",
];

impl Uses<'_> {
    fn is_name(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Name(name) if name.id == self.name)
    }

    /// Visits an expression of which only the items are looked at.
    fn look(&mut self, expr: &Expr) {
        let expr = match expr {
            Expr::Starred(star) => &star.value,
            other => other,
        };
        if !self.is_name(expr) {
            self.visit_expr(expr);
        }
    }

    /// Visits a place of the list that a statement changes.
    fn change(&mut self, e: &ExprSubscript) {
        self.otherwise |= self.loops > 0;
        self.visit_expr(&e.slice);
    }

    /// Whether an expression is a call of a method that changes the list; it is visited then.
    fn is_change(&mut self, expr: &Expr) -> bool {
        let Expr::Call(call) = expr else {
            return false;
        };
        let Expr::Attribute(method) = &*call.func else {
            return false;
        };
        if !self.is_name(&method.value)
            || !crate::objects::changing_statements::changes(method.attr.as_str())
        {
            return false;
        }
        self.otherwise |= self.loops > 0;
        for given in &call.arguments.args {
            self.visit_expr(given);
        }
        self.otherwise |= !call.arguments.keywords.is_empty();
        true
    }
}

impl<'a> Visitor<'a> for Uses<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Assign(s) => {
                let made = crate::syntax::gives_list(statement);
                match &s.targets[..] {
                    [target @ Expr::Name(_)] if made && self.is_name(target) => {
                        self.made += 1;
                        self.visit_expr(&s.value);
                    }
                    [Expr::Subscript(e)] if self.is_name(&e.value) => {
                        self.visit_expr(&s.value);
                        self.change(e);
                    }
                    [target @ Expr::Name(_)] if !self.is_name(target) => {
                        if !self.is_change(&s.value) {
                            self.visit_expr(&s.value);
                        }
                    }
                    _ => walk_stmt(self, statement),
                }
            }
            Stmt::AugAssign(s) => match &*s.target {
                Expr::Subscript(e) if self.is_name(&e.value) => {
                    self.visit_expr(&s.value);
                    self.change(e);
                }
                _ => walk_stmt(self, statement),
            },
            Stmt::Delete(s) => match &s.targets[..] {
                [Expr::Subscript(e)] if self.is_name(&e.value) => self.change(e),
                _ => walk_stmt(self, statement),
            },
            Stmt::Expr(s) => {
                if !self.is_change(&s.value) {
                    self.visit_expr(&s.value);
                }
            }
            Stmt::For(s) => {
                self.look(&s.iter);
                self.loops += 1;
                self.visit_expr(&s.target);
                self.visit_body(&s.body);
                self.visit_body(&s.orelse);
                self.loops -= 1;
            }
            Stmt::While(_) | Stmt::Try(_) => {
                self.loops += 1;
                walk_stmt(self, statement);
                self.loops -= 1;
            }
            Stmt::Return(s) => match s.value.as_deref() {
                Some(Expr::Tuple(several)) => several.elts.iter().for_each(|one| self.look(one)),
                Some(value) => self.look(value),
                None => {}
            },
            other => stacker::maybe_grow(128 << 10, 1 << 20, || walk_stmt(self, other)),
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Name(_) => self.otherwise |= self.is_name(expr),
            Expr::Subscript(e) if e.ctx == ExprContext::Load => {
                self.look(&e.value);
                self.visit_expr(&e.slice);
            }
            Expr::Attribute(e)
                if !crate::objects::changing_statements::changes(e.attr.as_str()) =>
            {
                self.look(&e.value);
            }
            Expr::BinOp(e) => {
                self.look(&e.left);
                self.look(&e.right);
            }
            Expr::Compare(e) => {
                self.look(&e.left);
                e.comparators.iter().for_each(|one| self.look(one));
            }
            Expr::Call(e) => {
                self.visit_expr(&e.func);
                let function = match &*e.func {
                    Expr::Attribute(function) => function.attr.as_str(),
                    Expr::Name(function) => function.id.as_str(),
                    _ => "",
                };
                let looks = LOOKING.contains(&function);
                let named = e.arguments.keywords.iter().map(|keyword| &keyword.value);
                for given in e.arguments.args.iter().chain(named) {
                    match looks {
                        true => self.look(given),
                        false => self.visit_expr(given),
                    }
                }
            }
            other => stacker::maybe_grow(128 << 10, 1 << 20, || walk_expr(self, other)),
        }
    }
}
