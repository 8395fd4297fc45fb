//! Where host code touches arrays that may be on a device: before it does, they are asked for.
//!
//! The request stands before the outermost loop that makes no other calls, so that a loop over
//! elements asks once. What is valid already is not asked for again until a call may have changed it.

use crate::program::{Call, Program};
use colocate_ir::{ArrayRef, Block, CallResult, LocalId, Statement, StatementKind, walk};
use indexmap::IndexMap;

/// Arrays that host code may touch, and whether it may write them.
type Valid = IndexMap<LocalId, bool>;

/// Puts [`Call::ToHost`] into the host part.
pub(crate) fn insert(program: &mut Program) {
    let body = std::mem::take(&mut program.host.body);
    let mut inserter = Inserter {
        calls: &mut program.calls,
    };
    program.host.body = inserter.block(body, &mut Valid::new());
}

struct Inserter<'p> {
    calls: &'p mut Vec<Call>,
}

impl Inserter<'_> {
    fn block(&mut self, block: Block, valid: &mut Valid) -> Block {
        let mut result = Block::new();
        for statement in block {
            self.statement(statement, valid, &mut result);
        }
        result
    }

    fn statement(&mut self, statement: Statement, valid: &mut Valid, out: &mut Block) {
        let Statement { kind, site } = statement;
        let kind = match kind {
            StatementKind::Load { .. }
            | StatementKind::Store { .. }
            | StatementKind::CallFunction { .. } => {
                let one = Statement { kind, site };
                self.ensure(&touched(std::slice::from_ref(&one)), valid, &one, out);
                out.push(one);
                return;
            }
            StatementKind::Call { callee, .. } if self.moves(callee) => {
                valid.clear();
                kind
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let calls = self.calls_in(&then) || self.calls_in(&otherwise);
                let then = self.block(then, &mut valid.clone());
                let otherwise = self.block(otherwise, &mut valid.clone());
                if calls {
                    valid.clear();
                }
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                }
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let mut inner = self.before_loop(&[&body], valid, site, out);
                let body = self.block(body, &mut inner);
                StatementKind::For {
                    variable,
                    start,
                    stop,
                    step,
                    body,
                }
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                let mut inner = self.before_loop(&[&before, &body], valid, site, out);
                let before = self.block(before, &mut inner);
                let body = self.block(body, &mut inner);
                StatementKind::While {
                    before,
                    condition,
                    body,
                }
            }
            other => other,
        };
        out.push(Statement { kind, site });
    }

    /// What is valid in a loop, after what can be asked for before it was.
    fn before_loop(
        &mut self,
        blocks: &[&Block],
        valid: &mut Valid,
        site: colocate_ir::Site,
        out: &mut Block,
    ) -> Valid {
        if blocks.iter().any(|block| self.calls_in(block)) {
            valid.clear();
            return Valid::new();
        }
        let at = Statement {
            kind: StatementKind::Break,
            site,
        };
        for block in blocks {
            self.ensure(&touched(block), valid, &at, out);
        }
        valid.clone()
    }

    fn ensure(&mut self, wanted: &Valid, valid: &mut Valid, at: &Statement, out: &mut Block) {
        for (&local, &writes) in wanted {
            if valid
                .get(&local)
                .is_some_and(|&may_write| may_write || !writes)
            {
                continue;
            }
            valid.insert(local, writes);
            let callee = self.calls.len() as u32;
            self.calls.push(Call::ToHost { local, writes });
            out.push(Statement {
                kind: StatementKind::Call {
                    callee,
                    arguments: Vec::new(),
                    results: vec![CallResult::Local(local)],
                },
                site: at.site,
            });
        }
    }

    /// Whether a call may move or change arrays.
    fn moves(&self, callee: u32) -> bool {
        !matches!(
            self.calls.get(callee as usize),
            None | Some(
                Call::Print { .. }
                    | Call::Raise { .. }
                    | Call::ToHost { .. }
                    | Call::Return { .. }
                    | Call::Draw { .. }
            )
        )
    }

    fn calls_in(&self, block: &Block) -> bool {
        let mut found = false;
        walk(block, &mut |statement| {
            if let StatementKind::Call { callee, .. } = &statement.kind {
                found |= self.moves(*callee);
            }
        });
        found
    }
}

/// The arrays that statements touch, and whether they write them.
fn touched(statements: &[Statement]) -> Valid {
    let mut found = Valid::new();
    for statement in statements {
        let mut note = |one: &Statement| match &one.kind {
            StatementKind::Load { place, .. } => {
                if let ArrayRef::Local(local) = place.array {
                    found.entry(local).or_insert(false);
                }
            }
            StatementKind::Store { place, .. } => {
                if let ArrayRef::Local(local) = place.array {
                    found.insert(local, true);
                }
            }
            // A function may write what it is given.
            StatementKind::CallFunction { arrays, .. } => {
                found.extend(arrays.iter().map(|array| (*array, true)));
            }
            _ => {}
        };
        note(statement);
        for inner in statement.kind.blocks() {
            walk(inner, &mut note);
        }
    }
    found
}
