//! What neighbouring items have in common.
//!
//! The emitter runs several items at once, neighbours along the last axis, one a *lane*. A value
//! that is the same for all of them stays a scalar, and a branch that all of them take stays
//! a branch. This analysis finds out which: for each value and variable a [`Shape`], and for each
//! loop and return whether the lanes part there.
//!
//! A loop whose counter begins one further in each lane and ends for all at the same number, as
//! `range(local_id, n, local_size)` does, has such a counter in all its turns, though in the last ones some
//! lanes may be done.
//!
//! A branch whose condition varies is *divergent*: its blocks run with some lanes switched off. A
//! loop is divergent if lanes may leave it, or its turns, at different times.

use colocate_ir::{
    ArrayRef, BinaryOp, Block, CompareOp, DType, IndexFunction, Kernel, Kind, Literal, Op,
    Statement, StatementKind, StorageClass, UnaryOp, ValueId, VariableId, walk,
};
use std::collections::{HashMap, HashSet};

/// How a value differs between lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Not at all.
    Uniform,
    /// By this much from lane to lane; integers only.
    Linear(i64),
    /// In any way.
    Varying,
}

impl Shape {
    fn join(self, other: Shape) -> Shape {
        if self == other { self } else { Shape::Varying }
    }
}

/// The result of the analysis.
#[derive(Debug)]
pub struct Lanes {
    values: Vec<Shape>,
    variables: Vec<Shape>,
    divergent: HashSet<*const Statement>,
    literals: Vec<Option<i64>>,
    wrapped: HashMap<ValueId, ValueId>,
    checked: HashMap<ValueId, ValueId>,
}

impl Lanes {
    /// Of a value.
    pub fn value(&self, value: ValueId) -> Shape {
        self.values[value.index()]
    }

    /// Of a variable.
    pub fn variable(&self, variable: VariableId) -> Shape {
        self.variables[variable.index()]
    }

    /// Whether lanes part at a loop, or only some of them execute a return.
    pub fn is_divergent(&self, statement: &Statement) -> bool {
        self.divergent.contains(&std::ptr::from_ref(statement))
    }

    /// By how much the counter of a loop differs from lane to lane, if lanes leave it one by one but always by as
    /// much.
    pub fn counter(&self, statement: &Statement) -> Option<i64> {
        let StatementKind::For {
            variable, start, ..
        } = &statement.kind
        else {
            return None;
        };
        match (self.variable(*variable), self.value(*start)) {
            (Shape::Linear(stride), Shape::Linear(first)) if stride == first => Some(stride),
            _ => None,
        }
    }

    /// The index inside, if a value is `index if index >= 0 else index + extent`.
    pub fn wrapped(&self, value: ValueId) -> Option<ValueId> {
        self.wrapped.get(&value).copied()
    }

    /// The extent, if a value is such an index and is checked to be below it.
    pub fn checked(&self, value: ValueId) -> Option<ValueId> {
        self.checked.get(&value).copied()
    }

    /// The number, if a value is an integer constant.
    pub fn literal(&self, value: ValueId) -> Option<i64> {
        self.literals[value.index()]
    }
}

/// Analyses a core kernel for `width` lanes. With one lane everything is uniform.
pub fn analyse(kernel: &Kernel, width: u32) -> Lanes {
    let mut literals = vec![None; kernel.values.len()];
    walk(&kernel.body, &mut |statement| {
        if let StatementKind::Let {
            value,
            op: Op::Literal(Literal::Int(_, number)),
        } = &statement.kind
        {
            literals[value.index()] = i64::try_from(*number).ok();
        }
    });
    let initial_is_read = reads_of_initial_values(kernel);
    let mut analysis = Analysis {
        kernel,
        width,
        values: vec![None; kernel.values.len()],
        variables: initial_is_read
            .iter()
            .map(|&read| read.then_some(Shape::Uniform))
            .collect(),
        divergent: HashSet::new(),
        literals,
        changed: true,
        loops: Vec::new(),
        plain_counters: plain_counters(kernel),
    };
    for reduction in kernel.reductions() {
        if width > 1 {
            analysis.variables[reduction.variable.index()] = Some(Shape::Varying);
        }
    }
    while analysis.changed {
        analysis.changed = false;
        analysis.block(&kernel.body, Divergence::default());
    }
    let known = |shapes: Vec<Option<Shape>>| {
        let known = shapes
            .into_iter()
            .map(|shape| shape.unwrap_or(Shape::Uniform));
        known.collect()
    };
    let (wrapped, checked) = wrapped_indices(kernel, &analysis.literals);
    Lanes {
        values: known(analysis.values),
        variables: known(analysis.variables),
        divergent: analysis.divergent,
        wrapped,
        checked,
        literals: analysis.literals,
    }
}

/// Values with another one that has to do with them.
type Pairs = HashMap<ValueId, ValueId>;

/// The values of the form `select(index < 0, index + extent, index)`, with the index; and those of them whose being
/// below the extent is checked, with the extent.
fn wrapped_indices(kernel: &Kernel, literals: &[Option<i64>]) -> (Pairs, Pairs) {
    let mut definitions = HashMap::new();
    walk(&kernel.body, &mut |statement| {
        if let StatementKind::Let { value, op } = &statement.kind {
            definitions.insert(*value, op);
        }
    });
    let mut wrapped = HashMap::new();
    let mut extents = HashMap::new();
    for (&value, op) in &definitions {
        let Op::Select(condition, around, index) = op else {
            continue;
        };
        let Some(Op::Compare(CompareOp::Less, compared, zero)) = definitions.get(condition) else {
            continue;
        };
        let Some(Op::Binary(BinaryOp::Add, first, extent)) = definitions.get(around) else {
            continue;
        };
        if compared == index && first == index && literals[zero.index()] == Some(0) {
            wrapped.insert(value, *index);
            extents.insert(value, *extent);
        }
    }
    let mut checked = HashMap::new();
    for op in definitions.values() {
        // One comparison of unsigned numbers sees both ends.
        if let Op::Compare(CompareOp::GreaterEqual, low, _) = op
            && let Some(Op::Convert(index, DType::UInt64)) = definitions.get(low)
            && let Some(&extent) = extents.get(index)
        {
            checked.insert(*index, extent);
        }
    }
    (wrapped, checked)
}

/// Whether some lanes may be switched off.
#[derive(Clone, Copy, Default)]
struct Divergence {
    /// Since the innermost loop began.
    in_loop: bool,
    /// At all, apart from lanes that have returned.
    total: bool,
}

struct Analysis<'k> {
    kernel: &'k Kernel,
    width: u32,
    values: Vec<Option<Shape>>,
    variables: Vec<Option<Shape>>,
    divergent: HashSet<*const Statement>,
    literals: Vec<Option<i64>>,
    changed: bool,
    loops: Vec<*const Statement>,
    plain_counters: HashSet<VariableId>,
}

impl Analysis<'_> {
    fn set_value(&mut self, value: ValueId, shape: Shape) {
        let slot = &mut self.values[value.index()];
        let joined = slot.map_or(shape, |old| old.join(shape));
        if *slot != Some(joined) {
            *slot = Some(joined);
            self.changed = true;
        }
    }

    fn set_variable(&mut self, variable: VariableId, shape: Shape) {
        let slot = &mut self.variables[variable.index()];
        let joined = slot.map_or(shape, |old| old.join(shape));
        if *slot != Some(joined) {
            *slot = Some(joined);
            self.changed = true;
        }
    }

    fn mark_divergent(&mut self, statement: *const Statement) {
        self.changed |= self.divergent.insert(statement);
    }

    /// What is not known yet counts as uniform; a later round corrects it.
    fn shape(&self, value: ValueId) -> Shape {
        self.values[value.index()].unwrap_or(Shape::Uniform)
    }

    fn is_uniform(&self, values: &[ValueId]) -> bool {
        values
            .iter()
            .all(|&value| self.shape(value) == Shape::Uniform)
    }

    fn block(&mut self, block: &Block, divergence: Divergence) {
        for statement in block {
            self.statement(statement, divergence);
        }
    }

    fn statement(&mut self, statement: &Statement, divergence: Divergence) {
        match &statement.kind {
            StatementKind::Let { value, op } => {
                let shape = self.operation(*value, op);
                self.set_value(*value, shape);
            }
            StatementKind::Set { variable, value } => {
                let shape = if divergence.total {
                    Shape::Varying
                } else {
                    self.shape(*value)
                };
                self.set_variable(*variable, shape);
            }
            StatementKind::Load { value, place } => {
                let private = match place.array {
                    ArrayRef::Param(_) | ArrayRef::Local(_) => false,
                    ArrayRef::Storage(id) => {
                        self.kernel.storage[id.index()].class == StorageClass::Private
                    }
                };
                let shared = self.width == 1 || (!private && self.is_uniform(&place.indices));
                let shape = if shared {
                    Shape::Uniform
                } else {
                    Shape::Varying
                };
                self.set_value(*value, shape);
            }
            StatementKind::Atomic { value, .. } => {
                let shape = if self.width == 1 {
                    Shape::Uniform
                } else {
                    Shape::Varying
                };
                self.set_value(*value, shape);
            }
            StatementKind::GroupReduce { value, .. } => self.set_value(*value, Shape::Uniform),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let varies = self.shape(*condition) != Shape::Uniform;
                let inner = Divergence {
                    in_loop: divergence.in_loop || varies,
                    total: divergence.total || varies,
                };
                self.block(then, inner);
                self.block(otherwise, inner);
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                if !self.is_uniform(&[*start, *stop, *step]) {
                    self.mark_divergent(statement);
                }
                let inner = self.enter_loop(statement, divergence);
                let shape = match self.shape(*start) {
                    first @ Shape::Linear(1..)
                        if !divergence.total
                            && self.is_uniform(&[*stop, *step])
                            && self.plain_counters.contains(variable)
                            && !leaves(body) =>
                    {
                        first
                    }
                    _ if inner.total => Shape::Varying,
                    _ => Shape::Uniform,
                };
                self.set_variable(*variable, shape);
                self.block(body, inner);
                self.loops.pop();
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                let inner = self.enter_loop(statement, divergence);
                self.block(before, inner);
                if self.shape(*condition) != Shape::Uniform {
                    self.mark_divergent(statement);
                }
                self.block(body, inner);
                self.loops.pop();
            }
            StatementKind::Break | StatementKind::Continue => {
                if divergence.in_loop
                    && let Some(&innermost) = self.loops.last()
                {
                    self.mark_divergent(innermost);
                }
            }
            StatementKind::Return => {
                if divergence.total {
                    self.mark_divergent(statement);
                    for enclosing in self.loops.clone() {
                        self.mark_divergent(enclosing);
                    }
                }
            }
            // Host kernels have one lane.
            StatementKind::Call { .. } | StatementKind::CallFunction { .. } => {
                for variable in statement.kind.sets() {
                    self.set_variable(variable, Shape::Uniform);
                }
            }
            StatementKind::Store { .. } | StatementKind::Barrier { .. } => {}
        }
    }

    fn enter_loop(&mut self, statement: &Statement, divergence: Divergence) -> Divergence {
        let pointer = std::ptr::from_ref(statement);
        self.loops.push(pointer);
        let divergent = self.divergent.contains(&pointer);
        Divergence {
            in_loop: divergent,
            total: divergence.total || divergent,
        }
    }

    fn operation(&self, value: ValueId, op: &Op) -> Shape {
        if self.width == 1 {
            return Shape::Uniform;
        }
        let integer = matches!(self.kernel.dtype(value).kind(), Kind::Int | Kind::UInt);
        match op {
            Op::Literal(_) | Op::Param(..) | Op::Extent(..) => Shape::Uniform,
            Op::Get(variable) => self.variables[variable.index()].unwrap_or(Shape::Uniform),
            Op::Index(function, axis) => {
                let along = *axis + 1 == self.kernel.rank;
                let item = matches!(function, IndexFunction::GlobalId | IndexFunction::LocalId);
                if along && item {
                    Shape::Linear(1)
                } else {
                    Shape::Uniform
                }
            }
            _ if self.is_uniform(&op.operands()) => Shape::Uniform,
            Op::Unary(UnaryOp::Negate, a) if integer => match self.shape(*a) {
                Shape::Linear(stride) => Shape::Linear(stride.wrapping_neg()),
                shape => shape,
            },
            Op::Binary(operator @ (BinaryOp::Add | BinaryOp::Subtract), a, b) if integer => {
                let stride = |shape| match shape {
                    Shape::Uniform => Some(0i64),
                    Shape::Linear(stride) => Some(stride),
                    Shape::Varying => None,
                };
                match (stride(self.shape(*a)), stride(self.shape(*b))) {
                    (Some(a), Some(b)) => {
                        let sum = match operator {
                            BinaryOp::Add => a.wrapping_add(b),
                            _ => a.wrapping_sub(b),
                        };
                        if sum == 0 {
                            Shape::Uniform
                        } else {
                            Shape::Linear(sum)
                        }
                    }
                    _ => Shape::Varying,
                }
            }
            Op::Binary(BinaryOp::Multiply, a, b) if integer => {
                let (a, b) = match (self.literals[a.index()], self.literals[b.index()]) {
                    (None, Some(factor)) => (self.shape(*a), factor),
                    (Some(factor), None) => (self.shape(*b), factor),
                    _ => return Shape::Varying,
                };
                match a {
                    Shape::Linear(stride) if b != 0 => Shape::Linear(stride.wrapping_mul(b)),
                    _ => Shape::Varying,
                }
            }
            Op::Convert(a, to) if *to == DType::Int64 || *to == DType::UInt64 => {
                let from = self.kernel.dtype(*a);
                match self.shape(*a) {
                    Shape::Linear(stride) if from.itemsize() == 8 => Shape::Linear(stride),
                    _ => Shape::Varying,
                }
            }
            Op::Select(condition, a, b) if self.is_uniform(&[*condition]) => {
                self.shape(*a).join(self.shape(*b))
            }
            _ => Shape::Varying,
        }
    }
}

/// The variables that only loops set, and that are read only inside those.
fn plain_counters(kernel: &Kernel) -> HashSet<VariableId> {
    fn look(
        block: &Block,
        counting: &mut Vec<VariableId>,
        counters: &mut HashSet<VariableId>,
        others: &mut HashSet<VariableId>,
    ) {
        for statement in block {
            match &statement.kind {
                StatementKind::For { variable, body, .. } => {
                    counters.insert(*variable);
                    counting.push(*variable);
                    look(body, counting, counters, others);
                    counting.pop();
                    continue;
                }
                StatementKind::Let {
                    op: Op::Get(variable),
                    ..
                } if !counting.contains(variable) => drop(others.insert(*variable)),
                kind => others.extend(kind.sets()),
            }
            for inside in statement.kind.blocks() {
                look(inside, counting, counters, others);
            }
        }
    }
    let (mut counters, mut others) = (HashSet::new(), HashSet::new());
    look(&kernel.body, &mut Vec::new(), &mut counters, &mut others);
    others.extend(kernel.reductions().iter().map(|one| one.variable));
    counters.difference(&others).copied().collect()
}

/// Whether a block may be left other than by its end: by a return, or by a break or continue of a
/// loop around it.
pub fn leaves(block: &Block) -> bool {
    block.iter().any(|statement| match &statement.kind {
        StatementKind::Break | StatementKind::Continue | StatementKind::Return => true,
        StatementKind::If {
            then, otherwise, ..
        } => leaves(then) || leaves(otherwise),
        StatementKind::For { .. } | StatementKind::While { .. } => holds_return(statement),
        _ => false,
    })
}

/// Whether there is a return inside a statement.
pub fn holds_return(statement: &Statement) -> bool {
    let mut found = false;
    for block in statement.kind.blocks() {
        walk(block, &mut |inner| {
            found |= matches!(inner.kind, StatementKind::Return);
        });
    }
    found
}

/// For every variable whether it may be read before it was written, when it is still zero.
fn reads_of_initial_values(kernel: &Kernel) -> Vec<bool> {
    let mut read = vec![false; kernel.variables.len()];
    for variable in reads_before_writes(&kernel.body) {
        read[variable.index()] = true;
    }
    read
}

/// The variables that statements may read before they write them.
pub fn reads_before_writes(statements: &[Statement]) -> HashSet<VariableId> {
    /// Adds the variables a block surely sets; true if its end is never reached.
    fn follow(
        block: &[Statement],
        set: &mut HashSet<VariableId>,
        read: &mut HashSet<VariableId>,
    ) -> bool {
        for statement in block {
            match &statement.kind {
                StatementKind::Let {
                    op: Op::Get(variable),
                    ..
                } if !set.contains(variable) => {
                    read.insert(*variable);
                }
                StatementKind::Set { variable, .. } => {
                    set.insert(*variable);
                }
                StatementKind::If {
                    then, otherwise, ..
                } => {
                    let (mut a, mut b) = (set.clone(), set.clone());
                    match (follow(then, &mut a, read), follow(otherwise, &mut b, read)) {
                        (true, true) => return true,
                        (true, false) => *set = b,
                        (false, true) => *set = a,
                        (false, false) => *set = a.intersection(&b).copied().collect(),
                    }
                }
                StatementKind::For { variable, body, .. } => {
                    let mut inner = set.clone();
                    inner.insert(*variable);
                    follow(body, &mut inner, read);
                }
                StatementKind::While { before, body, .. } => {
                    follow(before, set, read);
                    follow(body, &mut set.clone(), read);
                }
                StatementKind::Break | StatementKind::Continue | StatementKind::Return => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }
    let mut read = HashSet::new();
    follow(statements, &mut HashSet::new(), &mut read);
    read
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{KernelBuilder, KernelKind, Layout, ParamKind, Place};

    fn region(rank: u8) -> KernelBuilder {
        KernelBuilder::new("k", rank, KernelKind::Region { reductions: vec![] })
    }

    #[test]
    fn ids_of_the_last_axis_step_by_one_and_others_are_shared() {
        let mut b = region(2);
        let row = b.index(IndexFunction::GlobalId, 0);
        let column = b.index(IndexFunction::GlobalId, 1);
        let three = b.int64(3);
        let scaled = b.binary(BinaryOp::Multiply, column, three);
        let sum = b.binary(BinaryOp::Add, scaled, row);
        let back = b.binary(BinaryOp::Subtract, row, sum);
        let product = b.binary(BinaryOp::Multiply, column, row);
        let lanes = analyse(&b.finish(), 8);
        assert_eq!(lanes.value(row), Shape::Uniform);
        assert_eq!(lanes.value(column), Shape::Linear(1));
        assert_eq!(lanes.value(sum), Shape::Linear(3));
        assert_eq!(lanes.value(back), Shape::Linear(-3));
        assert_eq!(lanes.value(product), Shape::Varying);
    }

    #[test]
    fn what_is_set_where_lanes_part_varies() {
        let mut b = region(1);
        let shared = b.variable("shared", DType::Int64);
        let parted = b.variable("parted", DType::Int64);
        let i = b.index(IndexFunction::GlobalId, 0);
        let one = b.int64(1);
        b.set(shared, one);
        let condition = b.compare(CompareOp::Less, i, one);
        b.begin_if(condition);
        b.set(parted, one);
        b.end();
        let lanes = analyse(&b.finish(), 8);
        assert_eq!(lanes.variable(shared), Shape::Uniform);
        assert_eq!(lanes.variable(parted), Shape::Varying);
    }

    #[test]
    fn counters_that_begin_one_further_in_each_lane_stay_so() {
        let shape = |read_after: bool, parted: bool| {
            let mut b = region(1);
            let counter = b.variable("k", DType::Int64);
            let i = b.index(IndexFunction::GlobalId, 0);
            let (ten, hundred) = (b.int64(10), b.int64(100));
            if parted {
                let condition = b.compare(CompareOp::Less, i, ten);
                b.begin_if(condition);
            }
            b.begin_for(counter, i, hundred, ten);
            b.get(counter);
            b.end();
            if parted {
                b.end();
            }
            if read_after {
                b.get(counter);
            }
            analyse(&b.finish(), 8).variable(counter)
        };
        assert_eq!(shape(false, false), Shape::Linear(1));
        assert_eq!(shape(true, false), Shape::Varying);
        assert_eq!(shape(false, true), Shape::Varying);
    }

    #[test]
    fn a_loop_that_lanes_leave_at_different_turns_is_divergent() {
        let divergent = |varying: bool| {
            let mut b = region(1);
            let counter = b.variable("k", DType::Int64);
            let i = b.index(IndexFunction::GlobalId, 0);
            let (zero, one, ten) = (b.int64(0), b.int64(1), b.int64(10));
            b.begin_for(counter, zero, ten, one);
            let current = b.get(counter);
            let limit = if varying { i } else { ten };
            let condition = b.compare(CompareOp::Greater, current, limit);
            b.begin_if(condition);
            b.push(StatementKind::Break);
            b.end();
            b.end();
            let kernel = b.finish();
            let lanes = analyse(&kernel, 8);
            let found = kernel
                .body
                .iter()
                .any(|statement| lanes.is_divergent(statement));
            (found, lanes.variable(counter))
        };
        assert_eq!(divergent(true), (true, Shape::Varying));
        assert_eq!(divergent(false), (false, Shape::Uniform));
    }

    #[test]
    fn with_one_lane_everything_is_shared() {
        let mut b = region(1);
        let kind = ParamKind::Array {
            dtype: DType::Float32,
            rank: 1,
            layout: Layout::Contiguous,
        };
        let array = ArrayRef::Param(b.param("a", kind));
        let i = b.index(IndexFunction::GlobalId, 0);
        let x = b.load(Place::new(array, [i]));
        let kernel = b.finish();
        assert_eq!(analyse(&kernel, 1).value(x), Shape::Uniform);
        assert_eq!(analyse(&kernel, 2).value(x), Shape::Varying);
    }

    #[test]
    fn an_index_that_counts_from_the_end_when_negative_is_recognised() {
        let mut b = region(1);
        let i = b.index(IndexFunction::GlobalId, 0);
        let (zero, one, extent) = (b.int64(0), b.int64(1), b.int64(9));
        let left = b.binary(BinaryOp::Subtract, i, one);
        let negative = b.compare(CompareOp::Less, left, zero);
        let around = b.binary(BinaryOp::Add, left, extent);
        let index = b.select(negative, around, left);
        let lanes = analyse(&b.finish(), 8);
        assert_eq!(lanes.wrapped(index), Some(left));
        assert_eq!(lanes.wrapped(around), None);
    }
}
