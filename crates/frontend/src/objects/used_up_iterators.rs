//! Iterators that are read several times: who comes first uses them up for the others.
//!
//! Elsewhere `enumerate`, `zip` and the like stand for what they go over, each time from its beginning. Where a name
//! for one is read several times, or a function reads its parameter so, it is an iterator of Python's.

use crate::codes;
use crate::syntax;
use crate::translate::Translator;
use crate::value::Value;
use ruff_python_ast::{Expr, StmtAssign};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// A value that is about to get names: iterators in it that are read several times under theirs are used up.
    pub fn used_up_by_readers(&mut self, s: &StmtAssign, value: Value) -> Value {
        match &s.targets[..] {
            [target] => self.used_up_under(target, &s.value, value, s.range()),
            // Each of the names may be read.
            _ if self.makes_iterator(&s.value) => self.as_iterator(value, None, s.value.range()),
            _ => value,
        }
    }

    fn used_up_under(
        &mut self,
        target: &Expr,
        written: &Expr,
        value: Value,
        assigned: TextRange,
    ) -> Value {
        match (target, written, value) {
            (Expr::Tuple(targets), Expr::Tuple(parts), Value::Tuple(items))
                if targets.len() == parts.len() && parts.len() == items.len() =>
            {
                let pairs = targets.iter().zip(parts).zip(items);
                let items = pairs
                    .map(|((target, part), item)| self.used_up_under(target, part, item, assigned));
                Value::Tuple(items.collect())
            }
            (Expr::Name(name), _, value) if self.is_iterator(written, &value) => {
                let function = self.frame().function;
                let parsed = self.parsed.get(&function).map(|(parsed, _)| parsed.clone());
                let for_caller = self.frame().returns.is_none() && !is_generator(&value);
                let often = parsed.is_some_and(|parsed| {
                    if for_caller && syntax::returns_name(&parsed.def.body, name.id.as_str()) {
                        return true;
                    }
                    let reads = syntax::reads(&parsed.def.body, name.id.as_str(), assigned);
                    let asked = usize::from(reads.by_next && !is_generator(&value));
                    reads.count + asked > reads.assignments
                });
                match often {
                    true => self.as_iterator(value, Some(name.id.as_str()), written.range()),
                    false => value,
                }
            }
            (_, _, value) => value,
        }
    }

    /// A result of the program: the caller gets iterators, not what they go over.
    pub fn iterators_for_caller(&mut self, written: &Expr, value: Value) -> Value {
        match (written, value) {
            (Expr::Tuple(parts), Value::Tuple(items)) if parts.len() == items.len() => {
                let pairs = parts.iter().zip(items);
                let items = pairs.map(|(part, item)| self.iterators_for_caller(part, item));
                Value::Tuple(items.collect())
            }
            (_, value) if !is_generator(&value) && self.is_iterator(written, &value) => {
                self.as_iterator(value, None, written.range())
            }
            (_, value) => value,
        }
    }

    /// An argument of a function of the program: an iterator that the function reads several times is used up.
    pub fn used_up_by_function(
        &mut self,
        callee: &Value,
        place: Result<usize, &str>,
        written: &Expr,
        value: Value,
    ) -> Value {
        let function = match callee {
            Value::Function(function) => *function,
            Value::Closure(closure) => closure.function,
            _ => return value,
        };
        if !self.is_program() || !self.is_iterator(written, &value) {
            return value;
        }
        let Some((parsed, _)) = self.parse(function) else {
            return value;
        };
        let parameters = &parsed.def.parameters;
        let mut named = parameters.iter_non_variadic_params();
        let found = match place {
            Ok(position) => named.nth(position),
            Err(name) => named.find(|one| one.name().as_str() == name),
        };
        let Some(name) = found.map(|one| one.name().to_string()) else {
            return value;
        };
        let reads = syntax::reads(&parsed.def.body, &name, TextRange::default());
        let asked = usize::from(reads.by_next && !is_generator(&value));
        match reads.count + asked > reads.assignments + 1 {
            true => self.as_iterator(value, Some(&name), written.range()),
            false => value,
        }
    }

    fn is_iterator(&mut self, written: &Expr, value: &Value) -> bool {
        let is = matches!(
            value,
            Value::Generator(..) | Value::Enumerate(..) | Value::Zip(_)
        );
        is || self.makes_iterator(written)
    }

    /// Whether an expression makes an iterator.
    fn makes_iterator(&mut self, value: &Expr) -> bool {
        const ITERATORS: &[&str] = &["enumerate", "filter", "map", "reversed", "zip"];
        match value {
            Expr::Generator(_) => true,
            Expr::Call(call) => match &*call.func {
                // The program may have a function of its own that is called so.
                Expr::Name(name) if ITERATORS.contains(&name.id.as_str()) => {
                    matches!(self.expr(&call.func), Value::Builtin(_))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// An iterator of Python's over what there is.
    fn as_iterator(&mut self, value: Value, name: Option<&str>, range: TextRange) -> Value {
        if value.is_poison() {
            return value;
        }
        if matches!(&value, Value::Object(_))
            && crate::objects::lazy_iterators::is_generator(&value)
        {
            return value;
        }
        if is_generator(&value) {
            return self.no_second_time(name.unwrap_or("it"), range);
        }
        if self.level() > 0 {
            return self.hinder("an iterator is read several times in it");
        }
        let items = self.as_list(&value, range);
        let iterator = self.object_iterator(&items, range);
        iterator.map_or(Value::Poison, Value::Object)
    }

    /// Reports a name for a generator that is read several times: the second time there would be nothing left.
    fn no_second_time(&mut self, name: &str, range: TextRange) -> Value {
        let text =
            format!("`{name}` may be gone over several times, and is used up after the first");
        let diagnostic = self
            .wrong(codes::ITERATION, text, range, "")
            .help(format!("make a list of it: `{name} = list(...)`"));
        self.report(diagnostic)
    }
}

/// Whether a value computes its items while they are gone over.
fn is_generator(value: &Value) -> bool {
    matches!(value, Value::Generator(..))
}
