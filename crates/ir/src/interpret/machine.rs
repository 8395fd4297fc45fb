//! Executing statements.
//!
//! A block is executed for a list of items, in ascending order: each statement for all of them
//! before the next. Items that take different ways are split into lists, which are joined again
//! where the ways meet.

use super::elements::Element;
use super::evaluate;
use super::host::Host;
use super::scalar::Scalar;
use super::{Argument, InterpretError, Memory, Options};
use crate::{
    ArrayRef, AtomicOp, BinaryOp, Block, IndexFunction, Kernel, Op, Place, Site, Statement,
    StatementKind, StorageClass, ValueId, VariableId,
};
use std::borrow::Cow;

/// Items of a batch, by position, in ascending order.
type Items = Vec<usize>;

pub(super) type Result<T> = std::result::Result<T, InterpretError>;

/// Where an item is.
#[derive(Clone, Copy)]
struct Position {
    global: [usize; 3],
    local: [usize; 3],
    group: [usize; 3],
}

/// Items that have left the turn of the innermost loop.
#[derive(Default)]
struct Exits {
    left_loop: Items,
    next_turn: Items,
}

pub struct Machine<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) memory: &'a mut Memory,
    pub(super) arguments: Cow<'a, [Argument]>,
    global: [usize; 3],
    local: Option<[usize; 3]>,
    options: Options,
    steps: u64,
    /// The items executed together: a group, or some of a region.
    batch: Vec<Position>,
    /// For each value, what it is for each item of the batch.
    pub(super) values: Vec<Scalar>,
    /// For each variable, what it holds for each item of the batch.
    pub(super) variables: Vec<Scalar>,
    /// For each storage, its bytes: once if local, for each item of the batch if private.
    pub(super) storage: Vec<Vec<u8>>,
    /// What the contributions to each reduction combine to so far.
    reduced: Vec<Option<Scalar>>,
    /// Present in host kernels.
    pub(super) host: Option<Host<'a>>,
}

impl<'a> Machine<'a> {
    pub fn new(
        kernel: &'a Kernel,
        memory: &'a mut Memory,
        arguments: &'a [Argument],
        global: [usize; 3],
        local: Option<[usize; 3]>,
        options: Options,
    ) -> Machine<'a> {
        Machine {
            kernel,
            memory,
            arguments: Cow::Borrowed(arguments),
            global,
            local,
            options,
            steps: 0,
            batch: Vec::new(),
            values: Vec::new(),
            variables: Vec::new(),
            storage: Vec::new(),
            reduced: vec![None; kernel.reductions().len()],
            host: None,
        }
    }

    /// Executes the kernel for the one item of a host kernel.
    pub(super) fn one_item(&mut self) -> Result<()> {
        self.batch(vec![Position {
            global: [0; 3],
            local: [0; 3],
            group: [0; 3],
        }])
    }

    pub fn run(mut self) -> Result<()> {
        let total = |extents: [usize; 3]| extents.iter().product::<usize>();
        match self.local {
            Some(local) => {
                let groups = [0, 1, 2].map(|axis| self.global[axis] / local[axis]);
                for number in self.order(total(groups)) {
                    let group = unravel(number, groups);
                    let batch = self.order(total(local)).into_iter().map(|number| {
                        let local_id = unravel(number, local);
                        Position {
                            global: [0, 1, 2]
                                .map(|axis| group[axis] * local[axis] + local_id[axis]),
                            local: local_id,
                            group,
                        }
                    });
                    self.batch(batch.collect())?;
                }
            }
            None => {
                for numbers in self
                    .order(total(self.global))
                    .chunks(self.options.batch.max(1))
                {
                    let batch = numbers.iter().map(|&number| Position {
                        global: unravel(number, self.global),
                        local: [0; 3],
                        group: [0; 3],
                    });
                    self.batch(batch.collect())?;
                }
            }
        }
        self.store_reductions()
    }

    /// The numbers below a count in the order wanted.
    fn order(&self, count: usize) -> Vec<usize> {
        if self.options.backwards {
            (0..count).rev().collect()
        } else {
            (0..count).collect()
        }
    }

    /// Executes the kernel for some items.
    fn batch(&mut self, batch: Vec<Position>) -> Result<()> {
        let kernel = self.kernel;
        let count = batch.len();
        self.batch = batch;
        self.values = vec![Scalar::Bool(false); kernel.values.len() * count];
        self.variables.clear();
        for variable in &kernel.variables {
            let zero = Scalar::zero(variable.dtype);
            self.variables.extend(std::iter::repeat_n(zero, count));
        }
        for reduction in kernel.reductions() {
            let dtype = kernel.variables[reduction.variable.index()].dtype;
            let identity = Scalar::from_literal(reduction.operator.identity(dtype));
            for item in 0..count {
                self.set(reduction.variable, item, identity);
            }
        }
        self.storage = kernel
            .storage
            .iter()
            .map(|storage| {
                let bytes = storage.size() * storage.dtype.itemsize();
                match storage.class {
                    StorageClass::Local => vec![0; bytes],
                    StorageClass::Private => vec![0; bytes * count],
                }
            })
            .collect();
        self.block(&kernel.body, (0..count).collect(), &mut Exits::default())?;
        for (i, reduction) in kernel.reductions().iter().enumerate() {
            for item in 0..count {
                let contribution = self.get(reduction.variable, item);
                let op = reduction.operator.operation(contribution.dtype());
                let combined = match self.reduced[i] {
                    Some(so_far) => evaluate::binary(op, so_far, contribution),
                    None => contribution,
                };
                self.reduced[i] = Some(combined);
            }
        }
        Ok(())
    }

    fn store_reductions(&mut self) -> Result<()> {
        let kernel = self.kernel;
        for (i, reduction) in kernel.reductions().iter().enumerate() {
            let Some(reduced) = self.reduced[i] else {
                continue;
            };
            let place = Place::new(ArrayRef::Param(reduction.target), []);
            let there = Element {
                dtype: reduced.dtype(),
                array: place.array,
                address: self
                    .view(place.array)
                    .and_then(|view| view.address(&[]))
                    .unwrap_or(0),
            };
            let held = self.read(there);
            let op = reduction.operator.operation(reduced.dtype());
            self.write(there, evaluate::binary(op, held, reduced));
        }
        Ok(())
    }

    pub(super) fn value(&self, value: ValueId, item: usize) -> Scalar {
        self.values[value.index() * self.batch.len() + item]
    }

    fn define(&mut self, value: ValueId, item: usize, scalar: Scalar) {
        self.values[value.index() * self.batch.len() + item] = scalar;
    }

    pub(super) fn get(&self, variable: VariableId, item: usize) -> Scalar {
        self.variables[variable.index() * self.batch.len() + item]
    }

    pub(super) fn set(&mut self, variable: VariableId, item: usize, scalar: Scalar) {
        self.variables[variable.index() * self.batch.len() + item] = scalar;
    }

    pub(super) fn int64(&self, value: ValueId, item: usize) -> i64 {
        match self.value(value, item) {
            Scalar::Int(_, value) => value as i64,
            other => unreachable!("{other:?} is no integer"),
        }
    }

    fn truth(&self, value: ValueId, item: usize) -> bool {
        self.value(value, item) == Scalar::Bool(true)
    }

    fn count_steps(&mut self, steps: usize) -> Result<()> {
        self.steps += steps as u64;
        let limit = self.options.step_limit;
        if self.steps > limit {
            return Err(InterpretError::TooManySteps { limit });
        }
        Ok(())
    }

    /// Executes a block for some items, and gives those that come to its end.
    fn block(&mut self, block: &'a Block, mut items: Items, exits: &mut Exits) -> Result<Items> {
        for statement in block {
            if items.is_empty() {
                break;
            }
            self.count_steps(items.len())?;
            items = self.statement(statement, items, exits)?;
        }
        Ok(items)
    }

    fn statement(
        &mut self,
        statement: &'a Statement,
        items: Items,
        exits: &mut Exits,
    ) -> Result<Items> {
        let site = statement.site;
        match &statement.kind {
            StatementKind::Let { value, op } => {
                for &item in &items {
                    let result = self.evaluate(op, item);
                    self.define(*value, item, result);
                }
            }
            StatementKind::Set { variable, value } => {
                for &item in &items {
                    self.set(*variable, item, self.value(*value, item));
                }
            }
            StatementKind::Load { value, place } => {
                for &item in &items {
                    let element = self.locate(place, item, site)?;
                    self.define(*value, item, self.read(element));
                }
            }
            StatementKind::Store { place, value } => {
                for &item in &items {
                    let element = self.locate(place, item, site)?;
                    self.write(element, self.value(*value, item));
                }
            }
            StatementKind::Atomic {
                value,
                op,
                place,
                operand,
                expected,
            } => {
                for &item in &items {
                    let element = self.locate(place, item, site)?;
                    let held = self.read(element);
                    let operand = self.value(*operand, item);
                    let expected = expected.map(|expected| self.value(expected, item));
                    self.write(element, atomic(*op, held, operand, expected));
                    self.define(*value, item, held);
                }
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let (yes, no): (Items, Items) = items
                    .into_iter()
                    .partition(|&item| self.truth(*condition, item));
                let yes = self.block(then, yes, exits)?;
                let no = self.block(otherwise, no, exits)?;
                return Ok(join(yes, no));
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let bounds = [*start, *stop, *step];
                return self.count(*variable, bounds, body, items);
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => return self.repeat(before, *condition, body, items),
            StatementKind::Break => {
                exits.left_loop.extend(items);
                return Ok(Items::new());
            }
            StatementKind::Continue => {
                exits.next_turn.extend(items);
                return Ok(Items::new());
            }
            StatementKind::Return => return Ok(Items::new()),
            StatementKind::Barrier { .. } => self.meet(&items, site)?,
            StatementKind::GroupReduce {
                value,
                operator,
                operand,
            } => {
                self.meet(&items, site)?;
                let op = operator.operation(self.kernel.dtype(*operand));
                let reduced = items
                    .iter()
                    .map(|&item| self.value(*operand, item))
                    .reduce(|a, b| evaluate::binary(op, a, b))
                    .expect("a group has items");
                for &item in &items {
                    self.define(*value, item, reduced);
                }
            }
            StatementKind::Call {
                callee,
                arguments,
                results,
            } => {
                if !self.call(*callee, arguments, results)? {
                    return Ok(Items::new());
                }
            }
            StatementKind::CallFunction {
                function,
                arguments,
                arrays,
                results,
            } => {
                if !self.call_function(*function, arguments, arrays, results)? {
                    return Ok(Items::new());
                }
            }
        }
        Ok(items)
    }

    /// Asserts that all items of the group are here.
    fn meet(&self, items: &Items, site: Site) -> Result<()> {
        if items.len() == self.batch.len() {
            return Ok(());
        }
        Err(InterpretError::DivergentBarrier {
            site,
            reached: items.len(),
            items: self.batch.len(),
        })
    }

    fn count(
        &mut self,
        variable: VariableId,
        [start, stop, step]: [ValueId; 3],
        body: &'a Block,
        mut items: Items,
    ) -> Result<Items> {
        let mut left = Items::new();
        for turn in 0.. {
            let number = |item| {
                let at = |bound| i128::from(self.int64(bound, item));
                let (stop, step) = (at(stop), at(step));
                let number = at(start) + turn * step;
                let inside = (step > 0 && number < stop) || (step < 0 && number > stop);
                inside.then_some(number as i64)
            };
            let numbers: Vec<Option<i64>> = items.iter().map(|&item| number(item)).collect();
            let mut inside = Items::new();
            for (&item, number) in items.iter().zip(numbers) {
                match number {
                    Some(number) => {
                        self.set(variable, item, Scalar::int64(number));
                        inside.push(item);
                    }
                    None => left.push(item),
                }
            }
            if inside.is_empty() {
                break;
            }
            self.count_steps(inside.len())?;
            let mut exits = Exits::default();
            let ended = self.block(body, inside, &mut exits)?;
            left.extend(exits.left_loop);
            items = join(ended, exits.next_turn);
        }
        left.sort_unstable();
        Ok(left)
    }

    fn repeat(
        &mut self,
        before: &'a Block,
        condition: ValueId,
        body: &'a Block,
        mut items: Items,
    ) -> Result<Items> {
        let mut left = Items::new();
        while !items.is_empty() {
            self.count_steps(items.len())?;
            let mut exits = Exits::default();
            let asked = self.block(before, items, &mut exits)?;
            let (inside, done): (Items, Items) = asked
                .into_iter()
                .partition(|&item| self.truth(condition, item));
            left.extend(done);
            let ended = self.block(body, inside, &mut exits)?;
            left.extend(exits.left_loop);
            items = join(ended, exits.next_turn);
        }
        left.sort_unstable();
        Ok(left)
    }

    fn evaluate(&self, op: &Op, item: usize) -> Scalar {
        let value = |value: &ValueId| self.value(*value, item);
        match op {
            Op::Literal(literal) => Scalar::from_literal(*literal),
            Op::Param(param, part) => match &self.arguments[param.index()] {
                Argument::Scalar(scalar) => scalar.part(*part),
                Argument::Array(_) => unreachable!("the argument of a scalar is a scalar"),
            },
            Op::Extent(array, axis) => Scalar::int64(self.shape(*array)[usize::from(*axis)]),
            Op::Get(variable) => self.get(*variable, item),
            Op::Index(function, axis) => {
                let axis = usize::from(*axis);
                let position = &self.batch[item];
                let group_size = self.local.unwrap_or([1; 3])[axis];
                let index = match function {
                    IndexFunction::GlobalId => position.global[axis],
                    IndexFunction::GlobalSize => self.global[axis],
                    IndexFunction::LocalId => position.local[axis],
                    IndexFunction::LocalSize => group_size,
                    IndexFunction::GroupId => position.group[axis],
                    IndexFunction::NumGroups => self.global[axis] / group_size,
                };
                Scalar::int64(index as i64)
            }
            Op::Unary(op, a) => evaluate::unary(*op, value(a)),
            Op::Binary(op, a, b) => evaluate::binary(*op, value(a), value(b)),
            Op::Compare(op, a, b) => Scalar::Bool(evaluate::compare(*op, value(a), value(b))),
            Op::Select(condition, a, b) => {
                let chosen = if self.truth(*condition, item) { a } else { b };
                value(chosen)
            }
            Op::Convert(a, to) => value(a).convert(*to),
            Op::Bitcast(a, to) => Scalar::from_bytes(*to, &value(a).to_bytes()),
            Op::Math(function, operands) => {
                let operands: Vec<Scalar> = operands.iter().map(value).collect();
                evaluate::math(*function, &operands)
            }
            Op::Complex(re, im) => match (value(re), value(im)) {
                (Scalar::Float32(re), Scalar::Float32(im)) => Scalar::Complex64(re, im),
                (Scalar::Float64(re), Scalar::Float64(im)) => Scalar::Complex128(re, im),
                parts => unreachable!("{parts:?} make no complex number"),
            },
        }
    }
}

/// What an element holds after an atomic statement.
fn atomic(op: AtomicOp, held: Scalar, operand: Scalar, expected: Option<Scalar>) -> Scalar {
    let by = |op| evaluate::binary(op, held, operand);
    match op {
        AtomicOp::Add => by(BinaryOp::Add),
        AtomicOp::Subtract => by(BinaryOp::Subtract),
        AtomicOp::Minimum => by(BinaryOp::Minimum),
        AtomicOp::Maximum => by(BinaryOp::Maximum),
        AtomicOp::BitAnd => by(BinaryOp::BitAnd),
        AtomicOp::BitOr => by(BinaryOp::BitOr),
        AtomicOp::BitXor => by(BinaryOp::BitXor),
        AtomicOp::Exchange => operand,
        AtomicOp::CompareExchange => {
            let same = expected.is_some_and(|expected| expected.to_bytes() == held.to_bytes());
            if same { operand } else { held }
        }
    }
}

/// The ids of an item, the last axis fastest.
fn unravel(number: usize, extents: [usize; 3]) -> [usize; 3] {
    [
        number / extents[2] / extents[1],
        number / extents[2] % extents[1],
        number % extents[2],
    ]
}

fn join(mut some: Items, others: Items) -> Items {
    some.extend(others);
    some.sort_unstable();
    some
}
