//! Variables of a loop that are combined over its turns, found in the syntax tree.

use crate::syntax;
use colocate_ir::ReductionOperator;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{CmpOp, Expr, ExprContext, Operator, Stmt};
use ruff_text_size::Ranged;

struct Updates<'n> {
    name: &'n str,
    operator: Option<ReductionOperator>,
    consistent: bool,
    /// Mentions of the name that belong to an update.
    explained: usize,
    mentions: usize,
}

/// An expression without its places, for comparisons.
struct Plain<'e>(&'e Expr);

/// Whether a body gives a name another value, other than by changing it in place.
pub(crate) fn rebinds(body: &[Stmt], name: &str) -> bool {
    struct Rebinds<'n>(&'n str, bool);
    impl<'a> Visitor<'a> for Rebinds<'_> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            match statement {
                Stmt::AugAssign(s) if matches!(&*s.target, Expr::Name(n) if n.id == self.0) => {}
                _ => walk_stmt(self, statement),
            }
        }
        fn visit_expr(&mut self, expr: &'a Expr) {
            if let Expr::Name(name) = expr
                && name.ctx == ExprContext::Store
                && name.id == self.0
            {
                self.1 = true;
            }
            walk_expr(self, expr);
        }
    }
    let mut found = Rebinds(name, false);
    body.iter()
        .for_each(|statement| found.visit_stmt(statement));
    found.1
}

/// Whether a body changes a name by an augmented assignment.
pub(crate) fn updated(body: &[Stmt], name: &str) -> bool {
    syntax::assigned(body).contains(name)
}

/// The operator by which a body combines a name over its turns, if that is all it does with it.
pub(crate) fn reduction_of(body: &[Stmt], name: &str) -> Option<ReductionOperator> {
    let mut found = Updates {
        name,
        operator: None,
        consistent: true,
        explained: 0,
        mentions: 0,
    };
    body.iter()
        .for_each(|statement| found.visit_stmt(statement));
    let fine = found.consistent && found.explained == found.mentions;
    found.operator.filter(|_| fine)
}

impl Updates<'_> {
    fn is_name(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Name(name) if name.id == self.name)
    }

    fn note(&mut self, operator: ReductionOperator, mentions: usize) {
        if self.operator.is_some_and(|known| known != operator) {
            self.consistent = false;
        }
        self.operator = Some(operator);
        self.explained += mentions;
    }

    /// The update that a statement is.
    fn update(&self, statement: &Stmt) -> Option<(ReductionOperator, usize)> {
        match statement {
            Stmt::AugAssign(s) if self.is_name(&s.target) => Some((combining(s.op)?, 1)),
            Stmt::Assign(s) => {
                let [target] = &s.targets[..] else {
                    return None;
                };
                if !self.is_name(target) {
                    return None;
                }
                match &*s.value {
                    Expr::BinOp(e) if self.is_name(&e.left) => Some((combining(e.op)?, 2)),
                    Expr::BinOp(e) if self.is_name(&e.right) && e.op != Operator::Sub => {
                        Some((combining(e.op)?, 2))
                    }
                    Expr::Call(e) => {
                        let called = match &*e.func {
                            Expr::Name(name) => name.id.as_str(),
                            Expr::Attribute(attribute) => attribute.attr.as_str(),
                            _ => return None,
                        };
                        let operator = match called {
                            "min" | "minimum" => ReductionOperator::Minimum,
                            "max" | "maximum" => ReductionOperator::Maximum,
                            _ => return None,
                        };
                        let own = e.arguments.args.iter().filter(|one| self.is_name(one));
                        (own.count() == 1 && e.arguments.args.len() == 2).then_some((operator, 2))
                    }
                    _ => None,
                }
            }
            Stmt::If(s) if s.elif_else_clauses.is_empty() => {
                let Expr::Compare(test) = &*s.test else {
                    return None;
                };
                let ([op], [right]) = (&test.ops[..], &test.comparators[..]) else {
                    return None;
                };
                let [Stmt::Assign(assign)] = &s.body[..] else {
                    return None;
                };
                let [target] = &assign.targets[..] else {
                    return None;
                };
                if !self.is_name(target) {
                    return None;
                }
                let (other, op) = if self.is_name(right) {
                    (&*test.left, *op)
                } else if self.is_name(&test.left) {
                    let turned = match op {
                        CmpOp::Lt => CmpOp::Gt,
                        CmpOp::LtE => CmpOp::GtE,
                        CmpOp::Gt => CmpOp::Lt,
                        CmpOp::GtE => CmpOp::LtE,
                        other => *other,
                    };
                    (right, turned)
                } else {
                    return None;
                };
                let same = format!("{:?}", Plain(other)) == format!("{:?}", Plain(&assign.value));
                if !same {
                    return None;
                }
                match op {
                    CmpOp::Gt | CmpOp::GtE => Some((ReductionOperator::Maximum, 2)),
                    CmpOp::Lt | CmpOp::LtE => Some((ReductionOperator::Minimum, 2)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

impl std::fmt::Debug for Plain<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Expr::Name(e) => write!(f, "{}", e.id),
            Expr::Subscript(e) => write!(f, "{:?}[{:?}]", Plain(&e.value), Plain(&e.slice)),
            Expr::Attribute(e) => write!(f, "{:?}.{}", Plain(&e.value), e.attr),
            Expr::NumberLiteral(e) => write!(f, "{:?}", e.value),
            Expr::Tuple(e) => {
                for item in &e.elts {
                    write!(f, "{:?},", Plain(item))?;
                }
                Ok(())
            }
            Expr::BinOp(e) => {
                write!(f, "({:?} {:?} {:?})", Plain(&e.left), e.op, Plain(&e.right))
            }
            Expr::UnaryOp(e) => write!(f, "({:?} {:?})", e.op, Plain(&e.operand)),
            // Anything else is taken to differ from everything.
            other => write!(f, "{:?}", other.range()),
        }
    }
}

impl<'a> Visitor<'a> for Updates<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Some((operator, mentions)) = self.update(statement) {
            self.note(operator, mentions);
            // A comparison and an assignment mention it twice, and so on; others are others.
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if self.is_name(expr) {
            self.mentions += 1;
        }
        walk_expr(self, expr);
    }
}

fn combining(op: Operator) -> Option<ReductionOperator> {
    Some(match op {
        Operator::Add | Operator::Sub => ReductionOperator::Add,
        Operator::Mult => ReductionOperator::Multiply,
        Operator::BitAnd => ReductionOperator::BitAnd,
        Operator::BitOr => ReductionOperator::BitOr,
        Operator::BitXor => ReductionOperator::BitXor,
        _ => return None,
    })
}
