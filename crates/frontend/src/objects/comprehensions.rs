//! List comprehensions: loops that append.

use crate::arrays::lazy::is_array;
use crate::objects::python_objects::kind_of;
use crate::objects::syntax_building::{attribute, load};
use crate::program::ObjectType;
use crate::scope::Binding;
use crate::translate::Translator;
use crate::value::Value;
use ruff_python_ast::{Comprehension, Expr, ExprCall, Stmt, StmtExpr, StmtFor, StmtIf};
use ruff_text_size::{Ranged, TextRange};

/// What the names of a comprehension were outside of it, under which names that is kept meanwhile, and which were no
/// variables there.
struct Shadowed {
    hidden: Vec<(String, String, Binding)>,
    added: Vec<String>,
}

/// What the items of a comprehension become.
#[derive(Clone, Copy, PartialEq)]
enum Made {
    List,
    Tuple,
}

/// The longest tuple that is gone over while compiling where a list would do, too.
const MOST_IN_TUPLE: usize = 16;

impl Translator<'_> {
    /// `[element for target in iterable if condition]`.
    pub fn comprehension(
        &mut self,
        element: &Expr,
        generators: &[Comprehension],
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder("it makes a list");
        }
        if let Some(items) = self.written_out(element, generators, Made::List) {
            return match items.iter().any(Value::is_poison) {
                true => Value::Poison,
                false => self.listed(items, range),
            };
        }
        let Some(made) = self.begun_list(range) else {
            return Value::Poison;
        };
        self.collected_in(made, generators, range, |name| {
            method_statement(name, "append", element, range)
        })
    }

    /// The items of `tuple(... for ...)` and of `*(... for ...)` over a short tuple: they are parts of the program,
    /// where those of a list would be asked for while it runs. Nothing for other expressions.
    pub fn items_of_tuple(&mut self, items: &Expr) -> Option<Vec<Value>> {
        match items {
            Expr::Generator(e) if self.is_program() => {
                self.written_out(&e.elt, &e.generators, Made::Tuple)
            }
            Expr::ListComp(e) if self.is_program() => {
                self.written_out(&e.elt, &e.generators, Made::Tuple)
            }
            _ => None,
        }
    }

    /// `tuple(... for ...)` over a short tuple; nothing for other calls.
    pub fn tuple_of_generator(&mut self, callee: &Value, e: &ExprCall) -> Option<Value> {
        if !matches!(callee, Value::Builtin(name) if name == "builtins.tuple") {
            return None;
        }
        let [items] = &*e.arguments.args else {
            return None;
        };
        if !e.arguments.keywords.is_empty() {
            return None;
        }
        let items = self.items_of_tuple(items)?;
        Some(match items.iter().any(Value::is_poison) {
            true => Value::Poison,
            false => Value::Tuple(items),
        })
    }

    /// Whether a comprehension goes over what counts for ever.
    pub fn has_no_end(&mut self, generators: &[Comprehension]) -> bool {
        let Some(Expr::Call(call)) = generators.first().map(|one| &one.iter) else {
            return false;
        };
        let name = self.builtin_named(&call.func);
        matches!(name.as_deref(), Some("itertools.count" | "itertools.cycle"))
    }

    /// The items of a comprehension over a tuple: how many there are is known while compiling, so that they may
    /// be a shape or an index. Nothing where the loop has to run.
    fn written_out(
        &mut self,
        element: &Expr,
        generators: &[Comprehension],
        made: Made,
    ) -> Option<Vec<Value>> {
        let [generator] = generators else {
            return None;
        };
        let may_be_known = match &generator.iter {
            Expr::Name(_) | Expr::Attribute(_) | Expr::Tuple(_) => true,
            Expr::Call(call) => {
                matches!(&*call.func, Expr::Name(name) if matches!(name.id.as_str(), "zip" | "enumerate"))
            }
            _ => false,
        };
        if !may_be_known || !generator.ifs.is_empty() {
            return None;
        }
        let checkpoint = self.checkpoint();
        let over = self.expr(&generator.iter);
        let known = match &over {
            Value::Tuple(_) | Value::Zip(_) | Value::Enumerate(..) | Value::Module { .. } => {
                self.unrolled(&over)
            }
            Value::Named(class, items) if class.is_list() && items.iter().any(is_array) => {
                Some(items.clone())
            }
            _ => None,
        };
        let Some(known) = known else {
            self.rewind(&checkpoint);
            return None;
        };
        if made == Made::Tuple && known.len() > MOST_IN_TUPLE {
            self.rewind(&checkpoint);
            return None;
        }
        let mut items: Vec<Value> = Vec::new();
        let own: Vec<String> = crate::syntax::assigned_by(&generator.target)
            .into_iter()
            .collect();
        let shadowed = self.shadow(&own);
        for one in known {
            self.assign(&generator.target, one, generator.iter.range());
            let kept = self.keep_values(items.iter(), element);
            let item = self.expr(element);
            self.take_back(kept, items.iter_mut());
            items.push(item);
        }
        self.unshadow(&own, shadowed);
        let is_fixed = |item: &Value| {
            matches!(
                item,
                Value::Scalar(_) | Value::Slice(_) | Value::None | Value::Poison | Value::Str(_)
            )
        };
        if items.iter().all(is_fixed) {
            return Some(items);
        }
        if made == Made::List && !differ(&items) {
            self.rewind(&checkpoint);
            return None;
        }
        Some(
            items
                .into_iter()
                .map(|item| self.all_stored(item))
                .collect(),
        )
    }

    /// Makes names that are only a comprehension's own; what they were before.
    fn shadow(&mut self, own: &[String]) -> Shadowed {
        let mut hidden = Vec::new();
        for name in own {
            let Some(binding) = self.scope().get(name).cloned() else {
                continue;
            };
            // The variables of the name are the comprehension's from here on.
            let kept = self.temporary();
            let value = self.recall(name, &binding.value);
            self.bind(&kept, value, binding.site);
            hidden.push((name.clone(), kept, binding));
        }
        let added: Vec<String> = own
            .iter()
            .filter(|name| !self.frame().locals.contains(*name))
            .cloned()
            .collect();
        self.frame().locals.extend(added.iter().cloned());
        Shadowed { hidden, added }
    }

    fn unshadow(&mut self, own: &[String], shadowed: Shadowed) {
        for name in own {
            self.scope().shift_remove(name);
        }
        for (name, kept, binding) in shadowed.hidden {
            let value = match self.scope().shift_remove(&kept) {
                Some(kept_binding) => self.recall(&kept, &kept_binding.value),
                None => continue,
            };
            let value = self.keep(&name, value);
            self.scope().insert(name, Binding { value, ..binding });
        }
        for name in &shadowed.added {
            self.frame().locals.remove(name);
        }
    }

    /// Runs the loops of a comprehension whose items a statement puts into what was made.
    pub fn collected_in(
        &mut self,
        made: Value,
        generators: &[Comprehension],
        range: TextRange,
        put: impl Fn(&str) -> Stmt,
    ) -> Value {
        let name = self.temporary();
        let site = self.site(range);
        self.bind(&name, made, site);
        // What it binds is its own.
        let own: std::collections::HashSet<String> = generators
            .iter()
            .flat_map(|generator| crate::syntax::assigned_by(&generator.target))
            .collect();
        let own: Vec<String> = own.into_iter().collect();
        let shadowed = self.shadow(&own);
        let mut body = put(&name);
        for generator in generators.iter().rev() {
            for condition in generator.ifs.iter().rev() {
                body = Stmt::If(StmtIf {
                    node_index: Default::default(),
                    range,
                    test: Box::new(condition.clone()),
                    body: std::iter::once(body).collect(),
                    elif_else_clauses: Vec::new(),
                });
            }
            body = Stmt::For(StmtFor {
                node_index: Default::default(),
                range,
                is_async: generator.is_async,
                target: Box::new(generator.target.clone()),
                iter: Box::new(generator.iter.clone()),
                body: std::iter::once(body).collect(),
                orelse: Default::default(),
            });
        }
        if let Stmt::For(s) = &body {
            self.for_loop(s);
        }
        self.unshadow(&own, shadowed);
        let made = self.expr(&load(&name, range));
        self.scope().shift_remove(&name);
        self.finished_list(made)
    }
}

/// `name.method(element)`.
pub(crate) fn method_statement(name: &str, method: &str, element: &Expr, range: TextRange) -> Stmt {
    let called = attribute(load(name, range), method, range);
    let call = Expr::Call(ExprCall {
        node_index: Default::default(),
        range_start: range.start(),
        func: Box::new(called),
        arguments: ruff_python_ast::Arguments {
            range,
            node_index: Default::default(),
            args: Box::new([element.clone()]),
            keywords: Default::default(),
        },
    });
    Stmt::Expr(StmtExpr {
        node_index: Default::default(),
        range,
        value: Box::new(call),
    })
}

/// Whether there are arrays among values which no list holds whose items are of one type.
fn differ(values: &[Value]) -> bool {
    let mut joined = ObjectType::Unknown;
    for value in values {
        match kind_of(value) {
            Some(kind) => match joined.join(&kind) {
                Some(both) => joined = both,
                None => return values.iter().any(is_array),
            },
            None => return false,
        }
    }
    false
}
