//! A parallel loop and the loop inside it as one index space.
//!
//! In `for i in prange(n): for j in range(m): ...` whose inner turns do not depend on one another
//! either, the region's items are the pairs `(i, j)`: their lanes lie side by side in memory, where
//! those of `i` alone would be whole rows apart, and a device gets `n * m` items to run at a time
//! instead of `n`. LLVM vectorises the innermost of a nest of loops only; so this is for inner loops
//! that have loops inside.

use crate::arrays::regions::steps_over_rows;
use crate::syntax;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{Expr, Stmt, StmtFor};
use ruff_text_size::Ranged;
use std::collections::HashSet;

/// A loop that is all there is in another one, but for some names that are given values first.
#[derive(Clone, Copy)]
pub(crate) struct Nest<'s> {
    /// What is before the inner loop.
    pub before: &'s [Stmt],
    /// The inner loop.
    pub inner: &'s StmtFor,
    /// Its counter.
    pub counter: &'s str,
}

impl Translator<'_> {
    /// The loop inside a parallel loop, if its turns look like items of their own. `combined` are the
    /// names that are combined over all turns.
    pub fn nest<'s>(&mut self, outer: &'s StmtFor, combined: &[&str]) -> Option<Nest<'s>> {
        let (Stmt::For(inner), before) = outer.body.split_last()? else {
            return None;
        };
        let (Expr::Name(counter), Expr::Call(range)) = (&*inner.target, &*inner.iter) else {
            return None;
        };
        let called = matches!(&*range.func, Expr::Name(name) if ["range", "prange"].contains(&name.id.as_str()))
            || matches!(&*range.func, Expr::Attribute(name) if name.attr.as_str() == "prange");
        let fits = called
            && inner.orelse.is_empty()
            && range.arguments.keywords.is_empty()
            && before.iter().all(is_plain_assignment)
            && has_loop(&inner.body);
        if !fits {
            return None;
        }
        // Where the inner loop begins and ends is known before the outer one.
        let mut changing = syntax::assigned(&outer.body);
        changing.extend(syntax::assigned_by(&outer.target));
        let mut bounds = range.arguments.args.iter();
        if !bounds.all(|bound| is_fixed(bound, &changing)) {
            return None;
        }
        let given = syntax::assigned(before);
        if combined.iter().any(|name| given.contains(*name)) {
            return None;
        }
        let assigned = syntax::assigned(&inner.body);
        if assigned.contains(counter.id.as_str()) || given.contains(counter.id.as_str()) {
            return None;
        }
        let start = u32::from(inner.range().start());
        let liveness = self.frame().liveness.clone()?;
        let carried = assigned
            .iter()
            .filter(|name| !combined.contains(&name.as_str()))
            .any(|name| liveness.at_head(start, name));
        if carried {
            return None;
        }
        Some(Nest {
            before,
            inner,
            counter: counter.id.as_str(),
        })
    }

    /// The range of the inner loop, in the host part.
    pub fn nest_range(&mut self, nest: &Nest<'_>) -> Result<[Scalar; 3], String> {
        let (known, calls) = (self.diagnostics.len(), self.program().calls.len());
        let range = self.expr(&nest.inner.iter);
        // Without turns of the outer loop nobody would have asked for it.
        if self.program().calls.len() > calls {
            return Err("the range of its inner loop may raise an exception".into());
        }
        match range {
            Value::Range(parts) | Value::ParallelRange(parts)
                if self.diagnostics.len() == known && parts[2].as_int() == Some(1) =>
            {
                Ok(*parts)
            }
            _ => Err("its inner loop does not count by one".into()),
        }
    }

    /// Why the region that was translated from a nest is not better than one of the outer loop alone.
    pub fn nest_hindrance(&self) -> Option<String> {
        let region = self.region.as_ref()?;
        if region.streams.as_ref().is_some_and(|all| all.are_used()) {
            return Some("its turns draw random numbers".into());
        }
        steps_over_rows(&self.b).then(|| "its inner loop steps over rows".into())
    }
}

/// Names that get values without anything else happening.
fn is_plain_assignment(statement: &Stmt) -> bool {
    fn is_name(target: &Expr) -> bool {
        match target {
            Expr::Name(_) => true,
            Expr::Tuple(tuple) => tuple.elts.iter().all(is_name),
            _ => false,
        }
    }
    struct Calls(bool);
    impl<'a> Visitor<'a> for Calls {
        fn visit_expr(&mut self, expr: &'a Expr) {
            let other = matches!(
                expr,
                Expr::Call(_)
                    | Expr::Named(_)
                    | Expr::Lambda(_)
                    | Expr::ListComp(_)
                    | Expr::SetComp(_)
                    | Expr::DictComp(_)
                    | Expr::Generator(_)
                    | Expr::Await(_)
                    | Expr::Yield(_)
                    | Expr::YieldFrom(_)
            );
            self.0 |= other;
            walk_expr(self, expr);
        }
    }
    let Stmt::Assign(s) = statement else {
        return false;
    };
    let mut calls = Calls(false);
    calls.visit_expr(&s.value);
    s.targets.iter().all(is_name) && !calls.0
}

fn has_loop(body: &[Stmt]) -> bool {
    struct Loops(bool);
    impl<'a> Visitor<'a> for Loops {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            self.0 |= matches!(statement, Stmt::For(_) | Stmt::While(_));
            walk_stmt(self, statement);
        }
    }
    let mut loops = Loops(false);
    body.iter()
        .for_each(|statement| loops.visit_stmt(statement));
    loops.0
}

/// Whether an expression is the same in all turns: numbers, names, sums and products
/// of them, extents.
fn is_fixed(expr: &Expr, changing: &HashSet<String>) -> bool {
    let fixed = |expr: &Expr| is_fixed(expr, changing);
    match expr {
        Expr::NumberLiteral(_) => true,
        Expr::Name(name) => !changing.contains(name.id.as_str()),
        Expr::BinOp(e) => {
            use ruff_python_ast::Operator::{Add, Mult, Sub};
            matches!(e.op, Add | Sub | Mult) && fixed(&e.left) && fixed(&e.right)
        }
        Expr::UnaryOp(e) => fixed(&e.operand),
        Expr::Attribute(e) => {
            ["shape", "size", "ndim"].contains(&e.attr.as_str()) && fixed(&e.value)
        }
        Expr::Subscript(e) => {
            matches!(&*e.value, Expr::Attribute(shape) if shape.attr.as_str() == "shape")
                && fixed(&e.value)
                && matches!(&*e.slice, Expr::NumberLiteral(_))
        }
        Expr::Call(e) => {
            matches!(&*e.func, Expr::Name(name) if name.id.as_str() == "len")
                && e.arguments.keywords.is_empty()
                && matches!(&e.arguments.args[..], [Expr::Name(name)] if !changing.contains(name.id.as_str()))
        }
        _ => false,
    }
}
