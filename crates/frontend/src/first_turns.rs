//! Loops whose first turn gives variables other types than they had before: `s = 0`, then `s = s + array`.
//!
//! The first turn is written down before the loop, and the second if that one does so again. A loop without turns would
//! leave the variables as they were, of which the rest of the function knows nothing: that raises.

use crate::codes;
use crate::objects::ranges_and_texts::raised;
use crate::scope::Scope;
use crate::syntax;
use crate::translate::{Checkpoint, Translator};
use crate::value::{Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, UnaryOp};
use ruff_python_ast::{CmpOp, Expr, Stmt, StmtFor, StmtWhile};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;

/// The point before a loop.
struct Before {
    checkpoint: Checkpoint,
    scope: Scope,
    unbound: HashSet<String>,
    diagnostics: usize,
}

impl Translator<'_> {
    /// Whether the first turn of a loop can be written down before it.
    fn can_begin_before(&self, body: &[Stmt]) -> bool {
        self.is_program()
            && self.level() == 0
            && self.function_base == 0
            && !syntax::leaves_loop(body)
            && !body.iter().any(syntax::returns)
    }

    fn before_loop(&mut self) -> Before {
        self.flush();
        self.detach();
        Before {
            scope: self.scope().clone(),
            unbound: self.frame().unbound_reads.clone(),
            diagnostics: self.diagnostics.len(),
            checkpoint: self.checkpoint(),
        }
    }

    fn back_to(&mut self, before: &Before) {
        self.rewind(&before.checkpoint);
        *self.scope() = before.scope.clone();
        self.frame().unbound_reads = before.unbound.clone();
        self.frame().live = true;
    }

    /// Whether a loop has no turn at all, as far as types tell: then its body may be about other types.
    fn is_never_true(&mut self, test: &Expr) -> bool {
        if !is_about_types(test) {
            return false;
        }
        let before = self.before_loop();
        let value = self.condition(test);
        let truth = self.truth(&value, test.range());
        let failed = self.diagnostics.len() > before.diagnostics;
        self.back_to(&before);
        self.forget_diagnostics(before.diagnostics);
        !failed && truth.and_then(|truth| truth.as_int()) == Some(0)
    }

    /// Whether types did not fit.
    fn has_conflict(&self, before: &Before) -> bool {
        let new = &self.diagnostics[before.diagnostics.min(self.diagnostics.len())..];
        !self.again
            && !self.read_unknown
            && !new.is_empty()
            && new.iter().any(|one| one.code == codes::CONFLICT)
    }

    fn needs_a_turn(&mut self, there: &Scalar, range: TextRange) {
        if there.as_int() == Some(1) {
            return;
        }
        let there = self.ir(there);
        let none = self.b.unary(UnaryOp::Not, there);
        let text = "this loop has no turn, or only one, and its turns give variables other types than they had before";
        self.raise_if(none, &raised("TypeError", text), range);
    }

    /// A loop that counts, or goes over the items of something.
    pub fn counting_loop(
        &mut self,
        s: &StmtFor,
        parts: [Scalar; 3],
        element_of: Option<&Value>,
        assigned: &HashSet<String>,
    ) {
        if !self.can_begin_before(&s.body) {
            self.count(s, parts, element_of, assigned);
            return;
        }
        let before = self.before_loop();
        self.count(s, parts, element_of, assigned);
        if !self.has_conflict(&before) {
            return;
        }
        self.back_to(&before);
        self.first_turn(s, parts, element_of, assigned, MOST_TURNS);
        if self.diagnostics.len() > before.diagnostics {
            // What is wrong is said of the loop as it is written.
            self.back_to(&before);
            self.count(s, parts, element_of, assigned);
        }
    }

    fn first_turn(
        &mut self,
        s: &StmtFor,
        [start, stop, step]: [Scalar; 3],
        element_of: Option<&Value>,
        assigned: &HashSet<String>,
        most: usize,
    ) {
        let range = s.iter.range();
        let Some(turns) = self.range_length(&[start, stop, step], range) else {
            return;
        };
        let there = self.compare_scalars(CompareOp::Greater, &turns, &Scalar::const_int(0));
        self.needs_a_turn(&there, range);
        let first = match element_of {
            Some(iterable) => self.item_at(iterable, &start, range),
            None => start.into(),
        };
        self.assign(&s.target, first, range);
        self.block(&s.body);
        if self.live() {
            let second = self.index_op(BinaryOp::Add, &start, &step);
            self.later_turns(s, [second, stop, step], element_of, assigned, most - 1);
        }
    }

    /// The turns after one that was written down: so may the next be.
    fn later_turns(
        &mut self,
        s: &StmtFor,
        parts: [Scalar; 3],
        element_of: Option<&Value>,
        assigned: &HashSet<String>,
        most: usize,
    ) {
        let before = self.before_loop();
        self.count(s, parts, element_of, assigned);
        if most > 0 && self.has_conflict(&before) {
            self.back_to(&before);
            self.first_turn(s, parts, element_of, assigned, most);
        }
    }

    /// A loop with a condition, of which at most so many turns are compiled before it; whether any was.
    fn turns_of_conditional(&mut self, s: &StmtWhile, most: usize) -> bool {
        let before = self.before_loop();
        self.while_loop(s);
        if most == 0 || !self.has_conflict(&before) {
            return false;
        }
        self.back_to(&before);
        let value = self.condition(&s.test);
        if let Some(there) = self.truth(&value, s.test.range()) {
            self.needs_a_turn(&there, s.test.range());
            self.block(&s.body);
            if self.live() {
                self.turns_of_conditional(s, most - 1);
            }
        }
        true
    }

    /// A loop with a condition.
    pub fn conditional_loop(&mut self, s: &StmtWhile) {
        if self.is_program() && self.is_never_true(&s.test) {
            self.block(&s.orelse);
            return;
        }
        if !self.can_begin_before(&s.body) {
            self.while_loop(s);
            return;
        }
        let before = self.before_loop();
        if !self.turns_of_conditional(s, MOST_TURNS) {
            return;
        }
        if self.diagnostics.len() > before.diagnostics {
            self.back_to(&before);
            self.while_loop(s);
        }
    }
}

/// How many turns are written down before a loop at most: two where a variable takes over what another was before,
/// `a, b = f(a, b), a`.
const MOST_TURNS: usize = 2;

/// Whether a condition asks for a class, or whether something is there; looking at it twice does nothing.
fn is_about_types(test: &Expr) -> bool {
    match test {
        Expr::BooleanLiteral(_) => true,
        Expr::UnaryOp(e) => is_about_types(&e.operand),
        Expr::BoolOp(e) => e.values.iter().all(is_about_types),
        Expr::Call(e) => {
            let asks = matches!(&*e.func, Expr::Name(name) if name.id == "isinstance");
            asks && !e.arguments.args.iter().any(syntax::has_call)
        }
        Expr::Compare(e) => {
            let is = |op: &CmpOp| matches!(op, CmpOp::Is | CmpOp::IsNot);
            e.ops.iter().all(is) && !syntax::has_call(test) && syntax::assigned_by(test).is_empty()
        }
        _ => false,
    }
}
