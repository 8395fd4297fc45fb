//! Checks of indices that can be decided before a region runs.
//!
//! The front end checks an index by `if unsigned(index) >= unsigned(extent) { ...; return }`. One such
//! check in a loop costs more than it seems: items that may return part ways, so neighbouring items no
//! longer share loads and branches, and loops are not vectorised. Most indices are made of counters,
//! extents and arguments; then the smallest and largest one follow from what the region is launched with.
//! [`without_checks`] gives the region without those checks, and what must hold for it to be used.

use crate::ranges::{Interval, Range, RangeId, Ranges};
use crate::{
    ArrayRef, BinaryOp, Block, CompareOp, DType, IndexFunction, Kernel, KernelKind, Literal,
    LocalId, Op, ParamId, Part, Statement, StatementKind, UnaryOp, ValueId, VariableId, walk,
};
use std::collections::{HashMap, HashSet};

/// What must hold: every index lies within its axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RangeChecks {
    ranges: Ranges,
    /// Index and extent.
    checks: Vec<(RangeId, RangeId)>,
}

impl RangeChecks {
    /// Whether all indices are inside, for a launch over `size` items along each axis.
    pub fn hold(
        &self,
        size: [usize; 3],
        scalar: &dyn Fn(ParamId) -> i64,
        extent: &dyn Fn(ParamId, u8) -> i64,
    ) -> bool {
        let one = |number: i64| Some((number, number));
        let size = |axis: u8| i64::try_from(size[usize::from(axis)]).ok();
        let mut leaf = |range: Range| -> Option<Interval> {
            match range {
                Range::Scalar(param) => one(scalar(param)),
                Range::Extent(ArrayRef::Param(param), axis) => one(extent(param, axis)),
                Range::Items(axis) => Some((0, size(axis)? - 1)),
                Range::Size(axis) => one(size(axis)?),
                _ => None,
            }
        };
        let mut all = Vec::with_capacity(16);
        self.ranges.intervals(&mut leaf, &mut all);
        self.checks.iter().all(|&(index, extent)| {
            let (Some(index), Some(extent)) = (
                self.ranges.interval(index, &all),
                self.ranges.interval(extent, &all),
            ) else {
                return false;
            };
            // What is empty is never used as an index.
            index.0 > index.1 || (index.0 >= 0 && index.1 < extent.0)
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.checks.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.checks.is_empty()
    }
}

/// The region without the checks that can be decided before, and those; `None` if there are none.
pub fn without_checks(kernel: &Kernel) -> Option<(Kernel, RangeChecks)> {
    let KernelKind::Region { .. } = &kernel.kind else {
        return None;
    };
    let definitions = definitions(kernel);
    let mut finder = Finder::new(kernel, &definitions, None);
    finder.block(&kernel.body);
    if finder.decided.is_empty() {
        return None;
    }
    let checks = RangeChecks {
        checks: finder.checks(),
        ranges: finder.ranges,
    };
    let body = rebuilt(&kernel.body, &finder.decided, &finder.unwrapped);
    let mut made = Kernel {
        body,
        ..kernel.clone()
    };
    drop_constant_reductions(&mut made);
    Some((made, checks))
}

/// What each value is that is defined by an operation.
pub(crate) fn definitions(kernel: &Kernel) -> HashMap<ValueId, &Op> {
    let mut found = HashMap::new();
    walk(&kernel.body, &mut |statement| {
        if let StatementKind::Let { value, op } = &statement.kind {
            found.insert(*value, op);
        }
    });
    found
}

/// The statements without those that were decided, and with indices that need no wrapping.
pub(crate) fn rebuilt(
    block: &[Statement],
    decided: &HashSet<*const Statement>,
    unwrapped: &HashMap<ValueId, ValueId>,
) -> Block {
    let mut made = Vec::with_capacity(block.len());
    for statement in block {
        if decided.contains(&std::ptr::from_ref(statement)) {
            continue;
        }
        let inside = statement
            .kind
            .with_blocks(&mut |block| Some(rebuilt(block, decided, unwrapped)));
        let mut kind = inside.unwrap_or_else(|| statement.kind.clone());
        kind.replace_uses(&mut |value| unwrapped.get(&value).copied().unwrap_or(value));
        made.push(Statement {
            kind,
            site: statement.site,
        });
    }
    made
}

/// Drops reductions that no item contributes to any more: their results stay what they began with.
fn drop_constant_reductions(kernel: &mut Kernel) {
    let mut set = HashSet::new();
    walk(&kernel.body, &mut |statement| {
        set.extend(statement.kind.sets());
    });
    if let KernelKind::Region { reductions } = &mut kernel.kind {
        reductions.retain(|reduction| set.contains(&reduction.variable));
    }
}

/// What a loop of a host kernel knows of what is around it.
pub(crate) struct Around {
    /// What is defined inside the loop.
    pub own_values: HashSet<ValueId>,
    /// What is set inside it.
    pub set: HashSet<VariableId>,
    /// Arrays that calls inside it give.
    pub given: HashSet<LocalId>,
}

/// Goes through statements in order and finds checks whose index and extent are known ranges.
pub(crate) struct Finder<'k> {
    kernel: &'k Kernel,
    definitions: &'k HashMap<ValueId, &'k Op>,
    around: Option<Around>,
    pub ranges: Ranges,
    values: HashMap<ValueId, RangeId>,
    /// What variables hold at the point that was reached.
    variables: HashMap<VariableId, RangeId>,
    numbers: u32,
    checks: Vec<(RangeId, RangeId)>,
    pub decided: HashSet<*const Statement>,
    /// Indices counted from the beginning, and what they are if not negative.
    pub unwrapped: HashMap<ValueId, ValueId>,
}

/// The variables that are set somewhere in a block.
pub(crate) fn set_in(block: &Block) -> HashSet<VariableId> {
    let mut found = HashSet::new();
    walk(block, &mut |statement| {
        found.extend(statement.kind.sets());
    });
    found
}

impl<'k> Finder<'k> {
    pub fn new(
        kernel: &'k Kernel,
        definitions: &'k HashMap<ValueId, &'k Op>,
        around: Option<Around>,
    ) -> Finder<'k> {
        Finder {
            kernel,
            definitions,
            around,
            ranges: Ranges::default(),
            values: HashMap::new(),
            variables: HashMap::new(),
            numbers: 0,
            checks: Vec::new(),
            decided: HashSet::new(),
            unwrapped: HashMap::new(),
        }
    }

    /// Index and extent of the checks that were found, each pair once.
    pub fn checks(&self) -> Vec<(RangeId, RangeId)> {
        let mut checks: Vec<(RangeId, RangeId)> = Vec::new();
        for check in &self.checks {
            if !checks.contains(check) {
                checks.push(*check);
            }
        }
        checks
    }

    /// The range of a value, as far as it is known.
    fn value(&mut self, value: ValueId) -> Option<RangeId> {
        if let Some(range) = self.values.get(&value) {
            return Some(*range);
        }
        let around = self.around.as_ref()?;
        if around.own_values.contains(&value) || self.kernel.dtype(value) != DType::Int64 {
            return None;
        }
        let range = match self.definitions.get(&value) {
            Some(Op::Literal(Literal::Int(_, number))) => {
                Range::Literal(i64::try_from(*number).ok()?)
            }
            _ => Range::Value(value),
        };
        Some(self.ranges.make(range))
    }

    pub fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn forget(&mut self, variables: &HashSet<VariableId>) {
        for variable in variables {
            self.variables.remove(variable);
        }
    }

    pub fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let { value, op } => {
                if self.kernel.dtype(*value) == DType::Int64
                    && let Some(range) = self.range(op)
                {
                    self.values.insert(*value, range);
                }
            }
            StatementKind::Set { variable, value } => match self.value(*value) {
                Some(range) => {
                    self.variables.insert(*variable, range);
                }
                None => {
                    self.variables.remove(variable);
                }
            },
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                if self.is_decided(*condition, then, otherwise) {
                    self.decided.insert(std::ptr::from_ref(statement));
                    return;
                }
                let before = self.variables.clone();
                self.narrow_variables(*condition, true);
                self.block(then);
                let after_then = std::mem::replace(&mut self.variables, before);
                self.narrow_variables(*condition, false);
                self.block(otherwise);
                let after_otherwise = std::mem::take(&mut self.variables);
                let ends = |block: &Block| {
                    matches!(
                        block.last().map(|last| &last.kind),
                        Some(
                            StatementKind::Return | StatementKind::Break | StatementKind::Continue
                        )
                    )
                };
                self.variables = match (ends(then), ends(otherwise)) {
                    (true, _) => after_otherwise,
                    (_, true) => after_then,
                    _ => self.joined(&after_then, &after_otherwise),
                };
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let changed = set_in(body);
                let counted = self.counted(*start, *stop, *step);
                self.forget(&changed);
                self.variables.remove(variable);
                if let Some(counted) = counted
                    && !changed.contains(variable)
                {
                    self.variables.insert(*variable, counted);
                }
                self.block(body);
                self.forget(&changed);
                self.variables.remove(variable);
            }
            StatementKind::While { before, body, .. } => {
                let mut changed = set_in(before);
                changed.extend(set_in(body));
                self.forget(&changed);
                self.block(before);
                self.block(body);
                self.forget(&changed);
            }
            other => {
                for variable in other.sets() {
                    self.variables.remove(&variable);
                }
            }
        }
    }

    fn joined(
        &mut self,
        a: &HashMap<VariableId, RangeId>,
        b: &HashMap<VariableId, RangeId>,
    ) -> HashMap<VariableId, RangeId> {
        let mut all = HashMap::new();
        for (variable, one) in a {
            let Some(other) = b.get(variable) else {
                continue;
            };
            let range = match one == other {
                true => *one,
                false => {
                    let number = self.number();
                    self.ranges.make(Range::Either(*one, *other, number))
                }
            };
            all.insert(*variable, range);
        }
        all
    }

    fn counted(&mut self, start: ValueId, stop: ValueId, step: ValueId) -> Option<RangeId> {
        let (start, stop) = (self.value(start)?, self.value(stop)?);
        let Op::Literal(Literal::Int(_, step)) = self.definitions.get(&step)? else {
            return None;
        };
        let number = self.number();
        let range = match step.signum() {
            1 => Range::Up(start, stop, number),
            -1 => Range::Down(start, stop, number),
            _ => return None,
        };
        Some(self.ranges.make(range))
    }

    /// One that was not given before.
    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    fn range(&mut self, op: &Op) -> Option<RangeId> {
        let range = match op {
            Op::Literal(Literal::Int(_, number)) => Range::Literal(i64::try_from(*number).ok()?),
            Op::Param(param, Part::Whole) => Range::Scalar(*param),
            Op::Extent(array @ ArrayRef::Param(_), axis) => Range::Extent(*array, *axis),
            Op::Extent(array @ ArrayRef::Local(local), axis) => {
                if self.around.as_ref()?.given.contains(local) {
                    return None;
                }
                Range::Extent(*array, *axis)
            }
            Op::Extent(ArrayRef::Storage(storage), axis) => {
                let shape = &self.kernel.storage[storage.index()].shape;
                Range::Literal(i64::from(shape[usize::from(*axis)]))
            }
            Op::Get(variable) => match self.variables.get(variable) {
                Some(range) => return Some(*range),
                None if self.around.as_ref()?.set.contains(variable) => return None,
                None => Range::Variable(*variable),
            },
            Op::Index(IndexFunction::GlobalId, axis) => Range::Items(*axis),
            Op::Index(IndexFunction::GlobalSize, axis) => Range::Size(*axis),
            Op::Unary(UnaryOp::Negate, a) => {
                let a = self.value(*a)?;
                let zero = self.ranges.make(Range::Literal(0));
                Range::Subtract(zero, a)
            }
            Op::Binary(op, a, b) => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                match op {
                    BinaryOp::Add => Range::Add(a, b),
                    BinaryOp::Subtract => Range::Subtract(a, b),
                    BinaryOp::Multiply => Range::Multiply(a, b),
                    BinaryOp::Minimum => Range::Minimum(a, b),
                    BinaryOp::Maximum => Range::Maximum(a, b),
                    _ => return None,
                }
            }
            Op::Select(condition, a, b) => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                let a = self.narrowed(a, *condition, true);
                let b = self.narrowed(b, *condition, false);
                Range::Either(a, b, self.number())
            }
            _ => return None,
        };
        Some(self.ranges.make(range))
    }

    /// A range where a condition is known to be true or false.
    fn narrowed(&mut self, range: RangeId, condition: ValueId, truth: bool) -> RangeId {
        let mut range = range;
        for (old, new) in self.consequences(condition, truth) {
            range = self.ranges.replace(range, old, new);
        }
        range
    }

    fn narrow_variables(&mut self, condition: ValueId, truth: bool) {
        let consequences = self.consequences(condition, truth);
        if consequences.is_empty() {
            return;
        }
        let all: Vec<(VariableId, RangeId)> =
            self.variables.iter().map(|(v, r)| (*v, *r)).collect();
        for (variable, mut range) in all {
            for (old, new) in &consequences {
                range = self.ranges.replace(range, *old, *new);
            }
            self.variables.insert(variable, range);
        }
    }

    /// Which ranges are narrower if a condition is true, or false.
    fn consequences(&mut self, condition: ValueId, truth: bool) -> Vec<(RangeId, RangeId)> {
        let Some(op) = self.definitions.get(&condition).copied() else {
            return Vec::new();
        };
        match (op, truth) {
            (Op::Unary(UnaryOp::Not, inner), _) => self.consequences(*inner, !truth),
            (Op::Binary(BinaryOp::BitAnd, a, b), true)
            | (Op::Binary(BinaryOp::BitOr, a, b), false) => {
                let mut all = self.consequences(*a, truth);
                all.extend(self.consequences(*b, truth));
                all
            }
            (Op::Compare(op, a, b), _) => {
                let (Some(a), Some(b)) = (self.value(*a), self.value(*b)) else {
                    return Vec::new();
                };
                let op = match (op, truth) {
                    (op, true) => *op,
                    (CompareOp::Less, false) => CompareOp::GreaterEqual,
                    (CompareOp::LessEqual, false) => CompareOp::Greater,
                    (CompareOp::Greater, false) => CompareOp::LessEqual,
                    (CompareOp::GreaterEqual, false) => CompareOp::Less,
                    (CompareOp::Equal, false) => CompareOp::NotEqual,
                    (CompareOp::NotEqual, false) => CompareOp::Equal,
                };
                let one = self.ranges.make(Range::Literal(1));
                match op {
                    CompareOp::Less => {
                        let most = self.ranges.make(Range::Subtract(b, one));
                        vec![(a, self.ranges.make(Range::AtMost(a, most)))]
                    }
                    CompareOp::LessEqual => vec![(a, self.ranges.make(Range::AtMost(a, b)))],
                    CompareOp::Greater => {
                        let least = self.ranges.make(Range::Add(b, one));
                        vec![(a, self.ranges.make(Range::AtLeast(a, least)))]
                    }
                    CompareOp::GreaterEqual => vec![(a, self.ranges.make(Range::AtLeast(a, b)))],
                    CompareOp::Equal => vec![(a, b)],
                    CompareOp::NotEqual => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Whether a branch is a check whose index and extent are known ranges; it is noted then.
    fn is_decided(&mut self, condition: ValueId, then: &Block, otherwise: &Block) -> bool {
        let returns = matches!(
            then.last().map(|last| &last.kind),
            Some(StatementKind::Return)
        );
        let plain = then.iter().all(|statement| {
            matches!(
                statement.kind,
                StatementKind::Let { .. }
                    | StatementKind::Set { .. }
                    | StatementKind::Call { .. }
                    | StatementKind::Return
            )
        });
        if !returns || !plain || !otherwise.is_empty() {
            return false;
        }
        let definitions = self.definitions;
        let definition = |value: &ValueId| definitions.get(value).copied();
        let Some(Op::Compare(CompareOp::GreaterEqual, a, b)) = definition(&condition) else {
            return false;
        };
        let (Some(Op::Convert(at, DType::UInt64)), Some(Op::Convert(extent, DType::UInt64))) =
            (definition(a), definition(b))
        else {
            return false;
        };
        // `at if at >= 0 else at + extent` is `at` for all that is not negative.
        let raw = match definition(at) {
            Some(Op::Select(negative, _, raw)) => match definition(negative) {
                Some(Op::Compare(CompareOp::Less, other, zero))
                    if other == raw
                        && matches!(definition(zero), Some(Op::Literal(Literal::Int(_, 0)))) =>
                {
                    Some(*raw)
                }
                _ => None,
            },
            _ => None,
        };
        let index = raw.unwrap_or(*at);
        let (Some(range), Some(length)) = (self.value(index), self.value(*extent)) else {
            return false;
        };
        self.checks.push((range, length));
        if raw.is_some() {
            self.unwrapped.insert(*at, index);
        }
        true
    }
}
