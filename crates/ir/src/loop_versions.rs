//! Loops of host kernels in two versions: one without the checks of indices that can be decided before
//! the loop begins, and the loop as it is, for when they do not hold.

use crate::range_checks::{Around, Finder, definitions, rebuilt, set_in};
use crate::ranges::{Range, RangeId, Ranges};
use crate::{
    ArrayRef, BinaryOp, Block, CallResult, CompareOp, DType, Kernel, Literal, Op, Part, Site,
    Statement, StatementKind, ValueId, VariableId, walk,
};
use std::collections::{HashMap, HashSet};

/// Loops of more statements than this stay as they are: twice the code takes twice the time to compile.
const MOST_STATEMENTS: usize = 400;
/// Numbers that the condition is computed from must fit so many bits, their sign not counted.
const LEAF_BITS: u32 = 31;
/// What is computed of them must fit so many: nothing overflows then.
const MOST_BITS: u32 = 62;

/// Gives the outermost loops that it can two versions.
pub fn version_loops(kernel: &mut Kernel) {
    let mut found = Vec::new();
    plan(
        kernel,
        &definitions(kernel),
        &kernel.body,
        &mut found,
        &mut 0,
    );
    if found.is_empty() {
        return;
    }
    let mut body = std::mem::take(&mut kernel.body);
    let mut versions = Versions {
        kernel,
        found,
        next: 0,
        order: 0,
    };
    versions.block(&mut body);
    kernel.body = body;
}

/// What the first version of a loop needs.
struct Plan {
    /// The loop's place among all statements, in the order of the text.
    order: usize,
    ranges: Ranges,
    checks: Vec<(RangeId, RangeId)>,
    /// The statement without its checks; what it defines has the names of the other version.
    fast: Statement,
}

fn count(block: &Block) -> usize {
    let mut statements = 0;
    walk(block, &mut |_| statements += 1);
    statements
}

fn plan(
    kernel: &Kernel,
    definitions: &HashMap<ValueId, &Op>,
    block: &Block,
    plans: &mut Vec<Plan>,
    order: &mut usize,
) {
    for statement in block {
        let here = *order;
        *order += 1;
        if let StatementKind::For { variable, body, .. } = &statement.kind
            && let Some(plan) = decided(kernel, definitions, statement, body, *variable)
        {
            plans.push(Plan {
                order: here,
                ..plan
            });
            *order += count(body);
            continue;
        }
        for inner in statement.kind.blocks() {
            plan(kernel, definitions, inner, plans, order);
        }
    }
}

fn decided(
    kernel: &Kernel,
    definitions: &HashMap<ValueId, &Op>,
    statement: &Statement,
    body: &Block,
    counter: VariableId,
) -> Option<Plan> {
    let mut own_values = HashSet::new();
    let mut given = HashSet::new();
    let mut statements = 0;
    walk(body, &mut |inner| {
        statements += 1;
        own_values.extend(inner.kind.defines());
        if let StatementKind::Call { results, .. } = &inner.kind {
            given.extend(results.iter().filter_map(|result| match result {
                CallResult::Local(local) => Some(*local),
                CallResult::Variable(_) => None,
            }));
        }
    });
    if statements > MOST_STATEMENTS {
        return None;
    }
    let mut set = set_in(body);
    set.insert(counter);
    let around = Around {
        own_values,
        set,
        given,
    };
    let mut finder = Finder::new(kernel, definitions, Some(around));
    finder.statement(statement);
    if finder.decided.is_empty() {
        return None;
    }
    let checks = finder.checks();
    let bits = bits_of(&finder.ranges);
    let fits = |range: RangeId| bits[&range].is_some();
    if !checks
        .iter()
        .all(|(index, extent)| fits(*index) && fits(*extent))
    {
        return None;
    }
    let one = std::slice::from_ref(statement);
    let mut fast = rebuilt(one, &finder.decided, &finder.unwrapped);
    Some(Plan {
        order: 0,
        ranges: finder.ranges,
        checks,
        fast: fast.pop()?,
    })
}

/// How many bits each range takes at most, `None` if too many.
fn bits_of(ranges: &Ranges) -> HashMap<RangeId, Option<u32>> {
    let mut all: HashMap<RangeId, Option<u32>> = HashMap::new();
    for (id, range) in ranges.iter() {
        let bits = match (range, range.parts()) {
            (Range::Literal(number), _) => Some(64 - number.unsigned_abs().leading_zeros()),
            (_, None) => Some(LEAF_BITS),
            (_, Some((a, b))) => match (all[&a], all[&b]) {
                (Some(a), Some(b)) => Some(match range {
                    Range::Multiply(..) => a + b,
                    Range::Minimum(..)
                    | Range::Maximum(..)
                    | Range::AtLeast(..)
                    | Range::AtMost(..)
                    | Range::Either(..) => a.max(b),
                    _ => a.max(b) + 1,
                }),
                _ => None,
            },
        };
        all.insert(id, bits.filter(|bits| *bits <= MOST_BITS));
    }
    all
}

struct Versions<'k> {
    kernel: &'k mut Kernel,
    found: Vec<Plan>,
    next: usize,
    order: usize,
}

impl Versions<'_> {
    fn block(&mut self, block: &mut Block) {
        let old = std::mem::take(block);
        for mut statement in old {
            let here = self.order;
            self.order += 1;
            if self
                .found
                .get(self.next)
                .is_some_and(|plan| plan.order == here)
            {
                if let StatementKind::For { body, .. } = &statement.kind {
                    self.order += count(body);
                }
                let plan = self.next;
                self.next += 1;
                self.version(plan, statement, block);
                continue;
            }
            for inside in statement.kind.blocks_mut() {
                self.block(inside);
            }
            block.push(statement);
        }
    }

    /// The condition, and the two versions under it.
    fn version(&mut self, plan: usize, statement: Statement, to: &mut Block) {
        let site = statement.site;
        let ranges = std::mem::take(&mut self.found[plan].ranges);
        let checks = std::mem::take(&mut self.found[plan].checks);
        let mut emitter = Emitter {
            kernel: self.kernel,
            to,
            site,
        };
        let condition = emitter.condition(&ranges, &checks);
        let mut fast = self.found[plan].fast.clone();
        let mut renamed = HashMap::new();
        rename(self.kernel, &mut fast, &mut renamed);
        to.push(Statement {
            kind: StatementKind::If {
                condition,
                then: vec![fast],
                otherwise: vec![statement],
            },
            site,
        });
    }
}

/// Gives what a statement defines names of its own.
fn rename(kernel: &mut Kernel, statement: &mut Statement, renamed: &mut HashMap<ValueId, ValueId>) {
    statement
        .kind
        .replace_uses(&mut |value| renamed.get(&value).copied().unwrap_or(value));
    let mut fresh = |value: &mut ValueId| {
        let new = ValueId(kernel.values.len() as u32);
        kernel.values.push(kernel.values[value.index()]);
        renamed.insert(*value, new);
        *value = new;
    };
    match &mut statement.kind {
        StatementKind::Let { value, .. }
        | StatementKind::Load { value, .. }
        | StatementKind::Atomic { value, .. }
        | StatementKind::GroupReduce { value, .. } => fresh(value),
        StatementKind::If {
            then, otherwise, ..
        } => {
            for inner in then.iter_mut().chain(otherwise) {
                rename(kernel, inner, renamed);
            }
        }
        StatementKind::For { body, .. } => {
            for inner in body {
                rename(kernel, inner, renamed);
            }
        }
        StatementKind::While {
            before,
            condition,
            body,
        } => {
            for inner in before {
                rename(kernel, inner, renamed);
            }
            // What it tests is defined in the block before it.
            *condition = renamed.get(condition).copied().unwrap_or(*condition);
            for inner in body {
                rename(kernel, inner, renamed);
            }
        }
        _ => {}
    }
}

/// Emits what decides which version runs.
struct Emitter<'e> {
    kernel: &'e mut Kernel,
    to: &'e mut Block,
    site: Site,
}

impl Emitter<'_> {
    fn emit(&mut self, op: Op, dtype: DType) -> ValueId {
        let value = ValueId(self.kernel.values.len() as u32);
        self.kernel.values.push(dtype);
        self.to.push(Statement {
            kind: StatementKind::Let { value, op },
            site: self.site,
        });
        value
    }

    fn number(&mut self, number: i64) -> ValueId {
        self.emit(Op::Literal(Literal::int64(number)), DType::Int64)
    }

    fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        self.emit(Op::Binary(op, a, b), DType::Int64)
    }

    fn compare(&mut self, op: CompareOp, a: ValueId, b: ValueId) -> ValueId {
        self.emit(Op::Compare(op, a, b), DType::Bool)
    }

    fn both(&mut self, all: &mut Option<ValueId>, more: ValueId) {
        *all = Some(match *all {
            Some(all) => self.emit(Op::Binary(BinaryOp::BitAnd, all, more), DType::Bool),
            None => more,
        });
    }

    fn condition(&mut self, ranges: &Ranges, checks: &[(RangeId, RangeId)]) -> ValueId {
        let mut needed = HashSet::new();
        let mut open: Vec<RangeId> = checks.iter().flat_map(|(a, b)| [*a, *b]).collect();
        while let Some(id) = open.pop() {
            if needed.insert(id)
                && let Some((a, b)) = ranges.get(id).parts()
            {
                open.extend([a, b]);
            }
        }
        let mut ends: HashMap<RangeId, (ValueId, ValueId)> = HashMap::new();
        let mut all = None;
        for (id, range) in ranges.iter() {
            if !needed.contains(&id) {
                continue;
            }
            let interval = match range.parts() {
                Some((a, b)) => self.combined(range, ends[&a], ends[&b]),
                None => {
                    let value = self.leaf(range);
                    if !matches!(range, Range::Literal(_)) {
                        self.small(value, &mut all);
                    }
                    (value, value)
                }
            };
            ends.insert(id, interval);
        }
        let zero = self.number(0);
        for (index, extent) in checks {
            let ((low, high), (least, _)) = (ends[index], ends[extent]);
            let from_zero = self.compare(CompareOp::GreaterEqual, low, zero);
            self.both(&mut all, from_zero);
            let inside = self.compare(CompareOp::Less, high, least);
            self.both(&mut all, inside);
        }
        all.expect("there is a check")
    }

    /// A number must be small enough for what is computed of it.
    fn small(&mut self, value: ValueId, all: &mut Option<ValueId>) {
        for (op, limit) in [
            (CompareOp::Less, 1i64 << LEAF_BITS),
            (CompareOp::Greater, -(1i64 << LEAF_BITS)),
        ] {
            let limit = self.number(limit);
            let fits = self.compare(op, value, limit);
            self.both(all, fits);
        }
    }

    fn leaf(&mut self, range: Range) -> ValueId {
        match range {
            Range::Literal(number) => self.number(number),
            Range::Value(value) => value,
            Range::Scalar(param) => self.emit(Op::Param(param, Part::Whole), DType::Int64),
            Range::Extent(array, axis) => {
                debug_assert!(!matches!(array, ArrayRef::Storage(_)));
                self.emit(Op::Extent(array, axis), DType::Int64)
            }
            Range::Variable(variable) => self.emit(Op::Get(variable), DType::Int64),
            // There is one item.
            Range::Size(_) => self.number(1),
            _ => self.number(0),
        }
    }

    fn combined(
        &mut self,
        range: Range,
        (a_low, a_high): (ValueId, ValueId),
        (b_low, b_high): (ValueId, ValueId),
    ) -> (ValueId, ValueId) {
        use BinaryOp::{Add, Maximum, Minimum, Multiply, Subtract};
        match range {
            Range::Add(..) => (
                self.binary(Add, a_low, b_low),
                self.binary(Add, a_high, b_high),
            ),
            Range::Subtract(..) => (
                self.binary(Subtract, a_low, b_high),
                self.binary(Subtract, a_high, b_low),
            ),
            Range::Multiply(..) => {
                let corners = [
                    self.binary(Multiply, a_low, b_low),
                    self.binary(Multiply, a_low, b_high),
                    self.binary(Multiply, a_high, b_low),
                    self.binary(Multiply, a_high, b_high),
                ];
                let (mut low, mut high) = (corners[0], corners[0]);
                for corner in &corners[1..] {
                    low = self.binary(Minimum, low, *corner);
                    high = self.binary(Maximum, high, *corner);
                }
                (low, high)
            }
            Range::Minimum(..) => (
                self.binary(Minimum, a_low, b_low),
                self.binary(Minimum, a_high, b_high),
            ),
            Range::Maximum(..) => (
                self.binary(Maximum, a_low, b_low),
                self.binary(Maximum, a_high, b_high),
            ),
            Range::Up(..) => {
                let one = self.number(1);
                (a_low, self.binary(Subtract, b_high, one))
            }
            Range::Down(..) => {
                let one = self.number(1);
                (self.binary(Add, b_low, one), a_high)
            }
            Range::AtLeast(..) => (self.binary(Maximum, a_low, b_low), a_high),
            Range::AtMost(..) => (a_low, self.binary(Minimum, a_high, b_high)),
            // One that is empty makes it only wider.
            _ => (
                self.binary(Minimum, a_low, b_low),
                self.binary(Maximum, a_high, b_high),
            ),
        }
    }
}
