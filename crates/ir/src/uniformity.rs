//! Which values are the same for all items of a set, and which control flow they go through
//! together.
//!
//! The set is the caller's choice: it is given by the index functions that differ between its
//! items. For the items of a group these are the global and the local ids; for the lanes of a
//! vector along the last axis, the ids of that axis only.
//!
//! The answer is safe, not exact: what is called uniform is uniform, what is called varying may be
//! uniform after all. A value is uniform if all items of the set that define it in the same turn of
//! the loops around it define it the same. A variable is uniform if all items of the set
//! set it to the same values in the same order.
//!
//! Kernels given here must have no other violation than divergent barriers.

use crate::{
    ArrayRef, Block, IndexFunction, Kernel, Op, Site, StatementKind, StorageClass, ValueId,
    VariableId,
};

/// What is the same for all items of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniformity {
    values: Vec<bool>,
    variables: Vec<bool>,
}

impl Uniformity {
    /// Finds what is the same for all items of a set, between which the index functions differ
    /// that `varies` says do, each with its axis.
    pub fn analyse(kernel: &Kernel, varies: &dyn Fn(IndexFunction, u8) -> bool) -> Uniformity {
        let mut analysis = Analysis::new(kernel, varies);
        analysis.settle();
        Uniformity {
            values: analysis.values,
            variables: analysis.variables,
        }
    }

    /// What is the same for all items of a group.
    pub fn of_group(kernel: &Kernel) -> Uniformity {
        Uniformity::analyse(kernel, &varies_in_group)
    }

    /// Whether a value is the same for all.
    pub fn value(&self, value: ValueId) -> bool {
        self.values[value.index()]
    }

    /// Whether a variable is the same for all, whenever all have come to the same place.
    pub fn variable(&self, variable: VariableId) -> bool {
        self.variables[variable.index()]
    }
}

/// A barrier or group reduction that some items of a group may reach and others not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DivergentBarrier {
    /// The barrier or group reduction.
    pub barrier: Site,
    /// The `If`, `For` or `While` at which items of a group part.
    pub control: Site,
    /// The `Break`, `Continue` or `Return` through which some of them miss the barrier, if the
    /// barrier is not inside `control` itself.
    pub exit: Option<Site>,
}

/// The barriers and group reductions under control flow that depends on the item.
pub fn divergent_barriers(kernel: &Kernel) -> Vec<DivergentBarrier> {
    let mut analysis = Analysis::new(kernel, &varies_in_group);
    analysis.settle();
    analysis.barriers.clear();
    analysis.pass();
    analysis.barriers
}

fn varies_in_group(function: IndexFunction, _axis: u8) -> bool {
    matches!(function, IndexFunction::GlobalId | IndexFunction::LocalId)
}

/// Why some items may be missing.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cause {
    control: Site,
    exit: Option<Site>,
}

/// The ways on which some, but not all, items leave a block.
#[derive(Clone, Copy, Default)]
struct Exits {
    leave_loop: Option<Cause>,
    next_turn: Option<Cause>,
    finish: Option<Cause>,
}

impl Exits {
    fn any(self) -> Option<Cause> {
        self.finish.or(self.leave_loop).or(self.next_turn)
    }

    fn and(self, other: Exits) -> Exits {
        Exits {
            leave_loop: self.leave_loop.or(other.leave_loop),
            next_turn: self.next_turn.or(other.next_turn),
            finish: self.finish.or(other.finish),
        }
    }
}

/// Passes over the kernel until nothing changes. All facts only ever go from uniform to varying, so
/// this ends.
struct Analysis<'a> {
    kernel: &'a Kernel,
    varies: &'a dyn Fn(IndexFunction, u8) -> bool,
    values: Vec<bool>,
    variables: Vec<bool>,
    /// For each loop, in the order of the text: why not all items do all its turns.
    loops: Vec<Option<Cause>>,
    /// How many loops this pass has come by.
    loops_seen: usize,
    barriers: Vec<DivergentBarrier>,
    changed: bool,
}

impl<'a> Analysis<'a> {
    fn new(kernel: &'a Kernel, varies: &'a dyn Fn(IndexFunction, u8) -> bool) -> Analysis<'a> {
        Analysis {
            kernel,
            varies,
            values: vec![true; kernel.values.len()],
            variables: vec![true; kernel.variables.len()],
            loops: Vec::new(),
            loops_seen: 0,
            barriers: Vec::new(),
            changed: true,
        }
    }

    fn settle(&mut self) {
        while self.changed {
            self.pass();
        }
    }

    fn pass(&mut self) {
        self.changed = false;
        self.loops_seen = 0;
        self.block(&self.kernel.body, None);
    }

    fn all(&self, values: &[ValueId]) -> bool {
        values.iter().all(|value| self.values[value.index()])
    }

    fn define(&mut self, value: ValueId, uniform: bool) {
        if !uniform && self.values[value.index()] {
            self.values[value.index()] = false;
            self.changed = true;
        }
    }

    fn set(&mut self, variable: VariableId, uniform: bool) {
        if !uniform && self.variables[variable.index()] {
            self.variables[variable.index()] = false;
            self.changed = true;
        }
    }

    fn op(&self, op: &Op) -> bool {
        match op {
            Op::Get(variable) => self.variables[variable.index()],
            Op::Index(function, axis) => !(self.varies)(*function, *axis),
            _ => self.all(&op.operands()),
        }
    }

    /// Goes through a block that some items may miss for the given cause.
    fn block(&mut self, block: &'a Block, outside: Option<Cause>) -> Exits {
        let mut exits = Exits::default();
        for statement in block {
            let missing = outside.or(exits.any());
            let found = self.statement(&statement.kind, statement.site, missing);
            exits = exits.and(found);
        }
        exits
    }

    fn statement(&mut self, kind: &'a StatementKind, site: Site, missing: Option<Cause>) -> Exits {
        let leaving = missing.map(|cause| Cause {
            control: cause.control,
            exit: Some(site),
        });
        let mut exits = Exits::default();
        match kind {
            StatementKind::Let { value, op } => self.define(*value, self.op(op)),
            StatementKind::Set { variable, value } => {
                self.set(*variable, missing.is_none() && self.all(&[*value]));
            }
            StatementKind::Load { value, place } => {
                let private = match place.array {
                    ArrayRef::Param(_) | ArrayRef::Local(_) => false,
                    ArrayRef::Storage(storage) => {
                        self.kernel.storage[storage.index()].class == StorageClass::Private
                    }
                };
                self.define(*value, !private && self.all(&place.indices));
            }
            StatementKind::Atomic { value, .. } => self.define(*value, false),
            StatementKind::Store { .. } => {}
            StatementKind::Barrier { .. } | StatementKind::GroupReduce { .. } => {
                if let Some(Cause { control, exit }) = missing {
                    self.barriers.push(DivergentBarrier {
                        barrier: site,
                        control,
                        exit,
                    });
                }
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let parted = (!self.all(&[*condition])).then_some(Cause {
                    control: site,
                    exit: None,
                });
                let inside = missing.or(parted);
                exits = self.block(then, inside);
                exits = exits.and(self.block(otherwise, inside));
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let together = self.all(&[*start, *stop, *step]);
                let (number, inside) = self.enter_loop(site, together, missing);
                self.set(*variable, together && inside.is_none());
                let found = self.block(body, inside);
                exits = self.leave_loop(number, found);
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                let together = self.all(&[*condition]);
                let (number, inside) = self.enter_loop(site, together, missing);
                let found = self.block(before, inside);
                let found = found.and(self.block(body, inside.or(found.any())));
                exits = self.leave_loop(number, found);
            }
            StatementKind::Call { .. } | StatementKind::CallFunction { .. } => {
                for variable in kind.sets() {
                    self.set(variable, false);
                }
            }
            StatementKind::Break => exits.leave_loop = leaving,
            StatementKind::Continue => exits.next_turn = leaving,
            StatementKind::Return => exits.finish = leaving,
        }
        exits
    }

    /// The loop's number, and why some items may miss turns of it.
    fn enter_loop(
        &mut self,
        site: Site,
        together: bool,
        missing: Option<Cause>,
    ) -> (usize, Option<Cause>) {
        let number = self.loops_seen;
        self.loops_seen += 1;
        if self.loops.len() == number {
            self.loops.push(None);
        }
        let parted = (!together).then_some(Cause {
            control: site,
            exit: None,
        });
        (number, missing.or(parted).or(self.loops[number]))
    }

    /// Items that leave the loop early miss its later turns, from their beginning; the items
    /// meet again after the loop, except those that are finished.
    fn leave_loop(&mut self, number: usize, found: Exits) -> Exits {
        if let (Some(cause), None) = (found.finish.or(found.leave_loop), self.loops[number]) {
            self.loops[number] = Some(cause);
            self.changed = true;
        }
        Exits {
            finish: found.finish,
            ..Exits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        BinaryOp, CompareOp, DType, KernelBuilder, KernelKind, Layout, Literal, ParamKind, Place,
        ReductionOperator, Span,
    };

    struct Setting {
        b: KernelBuilder,
        local: ValueId,
        size: ValueId,
        zero: ValueId,
    }

    /// A kernel in which every statement has a site of its own, made by `at`.
    fn setting() -> Setting {
        let mut b = KernelBuilder::new("k", 1, KernelKind::NdRange);
        let local = b.index(IndexFunction::LocalId, 0);
        let size = b.index(IndexFunction::LocalSize, 0);
        let zero = b.int64(0);
        Setting {
            b,
            local,
            size,
            zero,
        }
    }

    fn at(position: u32) -> Site {
        Site {
            file: 0,
            span: Span::new(position, position + 1),
        }
    }

    const BARRIER: StatementKind = StatementKind::Barrier { global: false };

    fn found(b: KernelBuilder) -> Vec<(u32, u32, Option<u32>)> {
        divergent_barriers(&b.finish())
            .into_iter()
            .map(|d| {
                (
                    d.barrier.span.start,
                    d.control.span.start,
                    d.exit.map(|exit| exit.span.start),
                )
            })
            .collect()
    }

    #[test]
    fn operations_are_uniform_if_their_operands_are() {
        let mut s = setting();
        let group = s.b.index(IndexFunction::GroupId, 0);
        let same = s.b.binary(BinaryOp::Add, s.size, group);
        let differs = s.b.binary(BinaryOp::Add, s.size, s.local);
        let reduced = s.b.group_reduce(ReductionOperator::Add, differs);
        let kernel = s.b.finish();
        let uniformity = Uniformity::of_group(&kernel);
        assert!(uniformity.value(same));
        assert!(!uniformity.value(differs));
        assert!(uniformity.value(reduced));
        let per_kernel = Uniformity::analyse(&kernel, &|function, _| {
            matches!(
                function,
                IndexFunction::GlobalId | IndexFunction::LocalId | IndexFunction::GroupId
            )
        });
        assert!(!per_kernel.value(same));
    }

    #[test]
    fn loads_follow_their_indices_except_from_private_storage() {
        let mut s = setting();
        let kind = ParamKind::Array {
            dtype: DType::Float32,
            rank: 1,
            layout: Layout::Contiguous,
        };
        let a = ArrayRef::Param(s.b.param("a", kind));
        let own =
            s.b.storage("own", DType::Float32, &[4], StorageClass::Private);
        let shared =
            s.b.storage("shared", DType::Int32, &[4], StorageClass::Local);
        let same = s.b.load(Place::new(a, [s.zero]));
        let differs = s.b.load(Place::new(a, [s.local]));
        let private = s.b.load(Place::new(ArrayRef::Storage(own), [s.zero]));
        let local = Place::new(ArrayRef::Storage(shared), [s.zero]);
        let from_local = s.b.load(local.clone());
        let counted = s.b.atomic(crate::AtomicOp::Add, local, from_local, None);
        let uniformity = Uniformity::of_group(&s.b.finish());
        let uniform = [same, differs, private, from_local, counted].map(|v| uniformity.value(v));
        assert_eq!(uniform, [true, false, false, true, false]);
    }

    #[test]
    fn a_variable_set_under_a_divergent_condition_varies() {
        let mut s = setting();
        let x = s.b.variable("x", DType::Int64);
        let y = s.b.variable("y", DType::Int64);
        let first = s.b.get(x);
        let odd = s.b.compare(CompareOp::Less, s.local, s.size);
        let even = s.b.compare(CompareOp::Less, s.zero, s.size);
        s.b.begin_if(odd);
        s.b.set(x, s.size);
        s.b.end();
        s.b.begin_if(even);
        s.b.set(y, s.size);
        s.b.end();
        let uniformity = Uniformity::of_group(&s.b.finish());
        assert!(!uniformity.variable(x));
        assert!(!uniformity.value(first));
        assert!(uniformity.variable(y));
    }

    #[test]
    fn variation_travels_around_a_loop() {
        let mut s = setting();
        let x = s.b.variable("x", DType::Int64);
        let y = s.b.variable("y", DType::Int64);
        let i = s.b.variable("i", DType::Int64);
        let one = s.b.int64(1);
        s.b.begin_for(i, s.zero, s.size, one);
        let held = s.b.get(y);
        s.b.set(x, held);
        s.b.set(y, s.local);
        s.b.end();
        let uniformity = Uniformity::of_group(&s.b.finish());
        assert!(!uniformity.variable(x));
        assert!(uniformity.variable(i));
    }

    #[test]
    fn what_is_counted_in_a_loop_that_items_leave_apart_varies_after_it() {
        let mut s = setting();
        let x = s.b.variable("x", DType::Int64);
        let i = s.b.variable("i", DType::Int64);
        let one = s.b.int64(1);
        s.b.begin_for(i, s.zero, s.size, one);
        let turn = s.b.get(i);
        s.b.set(x, turn);
        let far = s.b.compare(CompareOp::Greater, turn, s.local);
        s.b.begin_if(far);
        s.b.push(StatementKind::Break);
        s.b.end();
        s.b.end();
        let uniformity = Uniformity::of_group(&s.b.finish());
        assert!(!uniformity.variable(x));
        assert!(!uniformity.variable(i));
    }

    #[test]
    fn barriers_in_uniform_loops_and_branches_are_fine() {
        let mut s = setting();
        let i = s.b.variable("i", DType::Int64);
        let one = s.b.int64(1);
        s.b.begin_for(i, s.zero, s.size, one);
        let turn = s.b.get(i);
        let some = s.b.compare(CompareOp::Less, turn, s.size);
        s.b.begin_if(some);
        s.b.push(BARRIER);
        s.b.push(StatementKind::Continue);
        s.b.end();
        s.b.push(BARRIER);
        s.b.end();
        let mine = s.b.compare(CompareOp::Less, s.local, s.size);
        s.b.begin_if(mine);
        s.b.end();
        s.b.push(BARRIER);
        assert_eq!(found(s.b), []);
    }

    #[test]
    fn a_barrier_in_a_divergent_branch_is_found_with_its_condition() {
        let mut s = setting();
        let mine = s.b.compare(CompareOp::Less, s.local, s.size);
        s.b.site = at(10);
        s.b.begin_if(mine);
        s.b.begin_else();
        s.b.site = at(20);
        s.b.push(BARRIER);
        s.b.end();
        assert_eq!(found(s.b), [(20, 10, None)]);
    }

    #[test]
    fn a_barrier_in_a_loop_with_divergent_bounds_is_found() {
        let mut s = setting();
        let i = s.b.variable("i", DType::Int64);
        let one = s.b.int64(1);
        s.b.site = at(10);
        s.b.begin_for(i, s.zero, s.local, one);
        s.b.site = at(20);
        s.b.group_reduce(ReductionOperator::Add, one);
        s.b.end();
        assert_eq!(found(s.b), [(20, 10, None)]);
    }

    #[test]
    fn a_divergent_return_spoils_everything_after_it_and_the_loops_around_it() {
        let mut s = setting();
        let i = s.b.variable("i", DType::Int64);
        let one = s.b.int64(1);
        s.b.begin_for(i, s.zero, s.size, one);
        s.b.site = at(20);
        s.b.push(BARRIER);
        let mine = s.b.compare(CompareOp::Less, s.local, s.size);
        s.b.site = at(30);
        s.b.begin_if(mine);
        s.b.site = at(40);
        s.b.push(StatementKind::Return);
        s.b.end();
        s.b.end();
        s.b.site = at(50);
        s.b.push(BARRIER);
        assert_eq!(found(s.b), [(20, 30, Some(40)), (50, 30, Some(40))]);
    }

    #[test]
    fn a_divergent_break_spoils_its_loop_only() {
        let mut s = setting();
        let x = s.b.variable("x", DType::Bool);
        s.b.begin_while();
        let more = s.b.literal(Literal::Bool(true));
        s.b.begin_while_body(more);
        s.b.site = at(20);
        s.b.push(BARRIER);
        let mine = s.b.compare(CompareOp::Less, s.local, s.size);
        s.b.site = at(30);
        s.b.begin_if(mine);
        s.b.site = at(40);
        s.b.push(StatementKind::Break);
        s.b.end();
        s.b.set(x, more);
        s.b.end();
        s.b.site = at(50);
        s.b.push(BARRIER);
        assert_eq!(found(s.b), [(20, 30, Some(40))]);
    }

    #[test]
    fn a_divergent_continue_spoils_the_rest_of_the_turn_only() {
        let mut s = setting();
        let i = s.b.variable("i", DType::Int64);
        let one = s.b.int64(1);
        s.b.begin_for(i, s.zero, s.size, one);
        s.b.site = at(20);
        s.b.push(BARRIER);
        let mine = s.b.compare(CompareOp::Less, s.local, s.size);
        s.b.site = at(30);
        s.b.begin_if(mine);
        s.b.site = at(40);
        s.b.push(StatementKind::Continue);
        s.b.end();
        s.b.site = at(50);
        s.b.push(BARRIER);
        s.b.end();
        assert_eq!(found(s.b), [(50, 30, Some(40))]);
    }
}
