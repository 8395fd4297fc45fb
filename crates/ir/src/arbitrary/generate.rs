//! Building random kernels.
//!
//! Statements are made in a fixed number of tries from a source of random numbers, with a builder that
//! knows which values are visible. What makes them race-free and total is said at each place.

use super::data::Random;
use super::{Case, CaseArray, Config};
use crate::{
    ArrayRef, AtomicOp, BinaryOp, CompareOp, DType, IndexFunction, KernelBuilder, KernelKind, Kind,
    Layout, ParamId, ParamKind, Part, Place, Reduction, ReductionOperator, StatementKind,
    StorageClass, ValueId, VariableId,
};

/// How deep blocks nest, and how many turns a loop has at most: together they bound the work.
const DEPTH: usize = 3;
const TURNS: usize = 5;

/// An array that items change by one atomic operation only, so that their order does not show.
#[derive(Clone, Copy)]
struct Counter {
    array: ArrayRef,
    dtype: DType,
    op: AtomicOp,
}

/// What may be said where a statement stands.
#[derive(Clone, Copy)]
struct Context {
    depth: usize,
    in_loop: bool,
    may_return: bool,
}

pub(super) struct Generator {
    pub(super) config: Config,
    pub(super) random: Random,
    pub(super) b: KernelBuilder,
    /// Of values and variables.
    pub(super) dtypes: Vec<DType>,
    /// Of arrays and scalar parameters: complex ones too if values are not.
    memory_dtypes: Vec<DType>,
    arrays: Vec<CaseArray>,
    pub(super) scalars: Vec<ParamId>,
    /// Arrays that nobody writes.
    pub(super) inputs: Vec<ArrayRef>,
    /// Arrays of the shape of the index space. Each item touches only its own element.
    outputs: Vec<ArrayRef>,
    counters: Vec<Counter>,
    private: Vec<ArrayRef>,
    /// Variables that any statement may set; counters of `while` loops are not among them.
    pub(super) variables: Vec<VariableId>,
    /// Values that are visible, the latest last.
    pub(super) visible: Vec<ValueId>,
    own: Vec<ValueId>,
    global: [usize; 3],
    local: Option<[usize; 3]>,
}

impl Generator {
    pub(super) fn new(config: Config, seed: u64) -> Generator {
        let allowed = |dtype: &DType| {
            (config.allow_float16 || *dtype != DType::Float16)
                && (config.allow_complex || dtype.kind() != Kind::Complex)
        };
        let memory_dtypes: Vec<DType> = DType::ALL.into_iter().filter(allowed).collect();
        let dtypes = memory_dtypes
            .iter()
            .copied()
            .filter(|dtype| !config.core || dtype.kind() != Kind::Complex)
            .collect();
        let kind = if config.nd_range {
            KernelKind::NdRange
        } else {
            KernelKind::Region { reductions: vec![] }
        };
        Generator {
            config,
            random: Random(seed),
            b: KernelBuilder::new("random", 1, kind),
            dtypes,
            memory_dtypes,
            arrays: Vec::new(),
            scalars: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            counters: Vec::new(),
            private: Vec::new(),
            variables: Vec::new(),
            visible: Vec::new(),
            own: Vec::new(),
            global: [1; 3],
            local: None,
        }
    }

    /// A kernel of about so many statements.
    pub(super) fn case(mut self, size: usize) -> Case {
        self.geometry();
        self.declarations();
        for axis in 0..self.b.kernel().rank {
            let id = self.b.index(IndexFunction::GlobalId, axis);
            self.own.push(id);
            self.visible.push(id);
        }
        self.fill_private();
        let context = Context {
            depth: 0,
            in_loop: false,
            may_return: false,
        };
        if self.config.nd_range {
            let phases = self.random.between(1, 3);
            for _ in 0..phases {
                self.statements(size / phases / 2, context);
                self.meeting(context);
            }
        }
        let last = Context {
            may_return: true,
            ..context
        };
        self.statements(size, last);
        for output in self.outputs.clone() {
            self.store_own(output);
        }
        let scalars = self.scalars.clone();
        let kernel = self.b.finish();
        let scalars = scalars
            .into_iter()
            .map(|param| {
                let dtype = kernel.params[param.index()].kind.dtype();
                self.random.scalar(dtype)
            })
            .collect();
        Case {
            kernel,
            arrays: self.arrays,
            scalars,
            global: self.global,
            local: self.local,
        }
    }

    /// At most 70 items, often of sizes that nothing divides.
    fn geometry(&mut self) {
        let rank = self.random.between(1, 3);
        self.b.kernel_mut().rank = rank as u8;
        let random = &mut self.random;
        if self.config.nd_range {
            let (most_local, most_groups) = [(17, 4), (4, 2), (2, 2)][rank - 1];
            let mut local = [1; 3];
            for (global, local) in self.global.iter_mut().zip(&mut local).take(rank) {
                *local = random.between(1, most_local);
                *global = *local * random.between(1, most_groups);
            }
            self.local = Some(local);
        } else {
            let most = [70, 8, 4][rank - 1];
            for global in self.global.iter_mut().take(rank) {
                *global = random.between(1, most);
            }
        }
    }

    fn array(&mut self, name: &str, dtype: DType, shape: &[i64], written: bool) -> ArrayRef {
        let layouts = [Layout::Contiguous, Layout::Strided];
        let layout = self.random.pick(&layouts);
        let unaligned = self.config.unaligned;
        let (view, contents) = self.random.array(dtype, shape, layout, written, unaligned);
        self.arrays.push(CaseArray {
            dtype,
            layout,
            view,
            contents,
        });
        let rank = shape.len() as u8;
        let kind = ParamKind::Array {
            dtype,
            rank,
            layout,
        };
        ArrayRef::Param(self.b.param(name, kind))
    }

    fn shape(&mut self) -> Vec<i64> {
        let rank = self.random.below(4);
        (0..rank)
            .map(|_| self.random.between(1, 5) as i64)
            .collect()
    }

    fn declarations(&mut self) {
        let rank = usize::from(self.b.kernel().rank);
        let space: Vec<i64> = self.global[..rank].iter().map(|&n| n as i64).collect();
        for i in 0..self.random.between(1, 3) {
            let dtype = self.random.pick(&self.memory_dtypes);
            let shape = self.shape();
            let input = self.array(&format!("in{i}"), dtype, &shape, false);
            self.inputs.push(input);
        }
        for i in 0..self.random.below(4) {
            let dtype = self.random.pick(&self.memory_dtypes);
            let param = self.b.param(&format!("n{i}"), ParamKind::Scalar(dtype));
            self.scalars.push(param);
        }
        for i in 0..self.random.between(1, 3) {
            let dtype = self.random.pick(&self.memory_dtypes);
            let output = self.array(&format!("out{i}"), dtype, &space, true);
            self.outputs.push(output);
        }
        for i in 0..self.random.below(3) {
            let dtypes = [DType::Int32, DType::Int64, DType::UInt32, DType::UInt64];
            let dtype = self.random.pick(&dtypes);
            let shape = self.shape();
            let array = self.counter_array(&format!("count{i}"), dtype, &shape);
            let op = self.random.pick(&[
                AtomicOp::Add,
                AtomicOp::Subtract,
                AtomicOp::Minimum,
                AtomicOp::Maximum,
                AtomicOp::BitAnd,
                AtomicOp::BitOr,
                AtomicOp::BitXor,
            ]);
            self.counters.push(Counter { array, dtype, op });
        }
        for i in 0..self.random.below(3) {
            let dtype = self.random.pick(&self.dtypes);
            let rank = self.random.between(1, 2);
            let shape: Vec<u32> = (0..rank)
                .map(|_| self.random.between(1, 3) as u32)
                .collect();
            let name = format!("own{i}");
            let storage = self.b.storage(&name, dtype, &shape, StorageClass::Private);
            self.private.push(ArrayRef::Storage(storage));
        }
        for i in 0..self.random.between(1, 4) {
            let dtype = self.random.pick(&self.dtypes);
            let variable = self.b.variable(&format!("x{i}"), dtype);
            self.variables.push(variable);
        }
        if !self.config.nd_range {
            self.reductions();
        }
    }

    /// Atomics need elements that are aligned and lie in no other element.
    fn counter_array(&mut self, name: &str, dtype: DType, shape: &[i64]) -> ArrayRef {
        let unaligned = std::mem::replace(&mut self.config.unaligned, false);
        let array = self.array(name, dtype, shape, true);
        self.config.unaligned = unaligned;
        array
    }

    /// Integers and bools only: for floats the order shows.
    fn reductions(&mut self) {
        let dtypes: Vec<DType> = self
            .dtypes
            .iter()
            .copied()
            .filter(|dtype| matches!(dtype.kind(), Kind::Bool | Kind::Int | Kind::UInt))
            .collect();
        let mut reductions = Vec::new();
        for i in 0..self.random.below(3) {
            let dtype = self.random.pick(&dtypes);
            let ArrayRef::Param(target) = self.counter_array(&format!("sum{i}"), dtype, &[]) else {
                unreachable!("an array made for a parameter is one");
            };
            let variable = self.b.variable(&format!("part{i}"), dtype);
            self.variables.push(variable);
            reductions.push(Reduction {
                operator: self.random.pick(ReductionOperator::ALL),
                variable,
                target,
            });
        }
        self.b.kernel_mut().kind = KernelKind::Region { reductions };
    }

    /// Private storage begins undefined, so all of it is written first.
    fn fill_private(&mut self) {
        for array in self.private.clone() {
            let ArrayRef::Storage(storage) = array else {
                continue;
            };
            let declared = &self.b.kernel().storage[storage.index()];
            let (dtype, shape) = (declared.dtype, declared.shape.clone());
            let value = self.literal(dtype);
            let mut indices = Vec::new();
            for &extent in &shape {
                let [zero, one, stop] = [0, 1, i64::from(extent)].map(|n| self.b.int64(n));
                let k = self.b.variable("k", DType::Int64);
                self.b.begin_for(k, zero, stop, one);
                indices.push(self.b.get(k));
            }
            self.b.store(Place::new(array, indices), value);
            for _ in &shape {
                self.b.end();
            }
        }
    }

    /// Some statements, in which values that were visible before stay so.
    fn statements(&mut self, count: usize, context: Context) {
        let mut left = count;
        while left > 0 {
            let used = self.statement(left, context);
            left = left.saturating_sub(used);
        }
    }

    /// A block of its own: what it defines is not visible after it.
    fn block(&mut self, count: usize, context: Context) {
        let visible = self.visible.len();
        self.statements(count, context);
        self.visible.truncate(visible);
    }

    /// One statement, of which at most `left` count; gives how many did.
    fn statement(&mut self, left: usize, context: Context) -> usize {
        let inner = Context {
            depth: context.depth + 1,
            ..context
        };
        let compound = context.depth < DEPTH && left > 3;
        let some = self.random.between(1, (left / 2).max(1));
        match self.random.below(24) {
            0..=2 if compound => {
                let condition = self.operand(DType::Bool);
                self.b.begin_if(condition);
                self.block(some, inner);
                if self.random.once_in(2) {
                    self.b.begin_else();
                    self.block(some, inner);
                }
                self.b.end();
                return some;
            }
            3 if compound => {
                self.for_loop(some, inner);
                return some;
            }
            4 if compound => {
                self.while_loop(some, inner);
                return some;
            }
            5 => self.exit(context),
            6 | 7 => {
                let variable = self.random.pick(&self.variables);
                let dtype = self.b.kernel().variables[variable.index()].dtype;
                let value = self.operand(dtype);
                self.b.set(variable, value);
            }
            8 | 9 => {
                let input = self.random.pick(&self.inputs);
                let place = self.any_place(input);
                self.load(place);
            }
            10 => {
                let output = self.random.pick(&self.outputs);
                let place = self.part_of(Place::new(output, self.own.clone()));
                self.load(place);
            }
            11 | 12 => {
                let output = self.random.pick(&self.outputs);
                self.store_own(output);
            }
            13 if !self.counters.is_empty() => {
                let Counter { array, dtype, op } = self.random.pick(&self.counters);
                let place = self.any_place(array);
                let operand = self.operand(dtype);
                // What it held before depends on the order, so it is not made visible.
                self.b.atomic(op, place, operand, None);
            }
            14 if !self.private.is_empty() => {
                let array = self.random.pick(&self.private);
                let place = self.any_place(array);
                self.load(place);
            }
            15 if !self.private.is_empty() => {
                let array = self.random.pick(&self.private);
                let place = self.any_place(array);
                let dtype = place.dtype(self.b.kernel()).expect("the place exists");
                let value = self.operand(dtype);
                self.b.store(place, value);
            }
            _ => {
                let value = self.operation();
                self.visible.push(value);
            }
        }
        1
    }

    /// Leaves a loop or the kernel in some items, if anything can be left here.
    fn exit(&mut self, context: Context) {
        let mut ways = Vec::new();
        if context.in_loop {
            ways.extend([0, 1]);
        }
        if context.may_return {
            ways.push(2);
        }
        if ways.is_empty() {
            return;
        }
        let kind = match self.random.pick(&ways) {
            0 => StatementKind::Break,
            1 => StatementKind::Continue,
            _ => StatementKind::Return,
        };
        let mut condition = self.operand(DType::Bool);
        if kind == StatementKind::Return {
            // Most items go on, or there is little to see at the end.
            let id = self.own[0];
            let rest = self.modulo(id, 3);
            let chosen = self.b.int64(self.random.below(3) as i64);
            let third = self.b.compare(CompareOp::Equal, rest, chosen);
            condition = self.b.binary(BinaryOp::BitAnd, condition, third);
        }
        self.b.begin_if(condition);
        self.b.push(kind);
        self.b.end();
    }

    /// A few turns, upwards or downwards, perhaps different ones for different items.
    fn for_loop(&mut self, count: usize, context: Context) {
        if self.random.once_in(3) {
            return self.shared_loop(count, context);
        }
        let varying = self.operand(DType::Int64);
        let few = self.modulo(varying, TURNS as i64);
        let step = [1, 2, -1, -3, 0][self.random.below(5)];
        let [fixed, step] = [self.random.below(TURNS) as i64, step].map(|n| self.b.int64(n));
        let (start, stop) = if self.random.once_in(2) {
            (few, fixed)
        } else {
            (fixed, few)
        };
        let k = self.b.variable("k", DType::Int64);
        self.variables.push(k);
        self.b.begin_for(k, start, stop, step);
        let inside = Context {
            in_loop: true,
            ..context
        };
        self.block(count, inside);
        self.b.end();
    }

    /// Turns that neighbouring items share: each begins one further, and all end at the same number. The counter
    /// is read in the loop only.
    fn shared_loop(&mut self, count: usize, context: Context) {
        let last = self.b.kernel().rank - 1;
        let id = self.b.index(IndexFunction::GlobalId, last);
        let step = [1, 2, 7, -1, -5][self.random.below(5)];
        let [stop, step] = [self.random.below(3 * TURNS) as i64, step].map(|n| self.b.int64(n));
        let k = self.b.variable("shared", DType::Int64);
        let visible = self.visible.len();
        self.b.begin_for(k, id, stop, step);
        let current = self.b.get(k);
        self.visible.push(current);
        let inside = Context {
            in_loop: true,
            ..context
        };
        self.block(count, inside);
        self.b.end();
        self.visible.truncate(visible);
    }

    /// At most a few turns: a counter that nothing else sets goes up at the start of each.
    fn while_loop(&mut self, count: usize, context: Context) {
        let turn = self.b.variable("turn", DType::Int64);
        let visible = self.visible.len();
        let zero = self.b.int64(0);
        self.b.set(turn, zero);
        self.b.begin_while();
        let number = self.b.get(turn);
        let limit = self.b.int64(self.random.between(1, TURNS) as i64);
        let few = self.b.compare(CompareOp::Less, number, limit);
        let value = self.operation();
        self.visible.extend([number, value]);
        let wanted = self.operand(DType::Bool);
        let op = self.random.pick(&[BinaryOp::BitAnd, BinaryOp::BitXor]);
        let doubt = self.b.binary(op, wanted, few);
        let condition = self.b.binary(BinaryOp::BitAnd, few, doubt);
        self.b.begin_while_body(condition);
        let one = self.b.int64(1);
        let next = self.b.binary(BinaryOp::Add, number, one);
        self.b.set(turn, next);
        let inside = Context {
            in_loop: true,
            ..context
        };
        self.block(count, inside);
        self.b.end();
        self.visible.truncate(visible);
    }

    /// Items of a group tell one another something, perhaps in a loop or a branch that all of them
    /// take alike.
    fn meeting(&mut self, context: Context) {
        let visible = self.visible.len();
        let wrapper = self.random.below(4);
        match wrapper {
            0 => {
                let k = self.b.variable("round", DType::Int64);
                let [zero, one, stop] =
                    [0, 1, self.random.between(1, 3) as i64].map(|n| self.b.int64(n));
                self.b.begin_for(k, zero, stop, one);
                let round = self.b.get(k);
                self.visible.push(round);
            }
            1 => {
                let group = self.b.index(IndexFunction::GroupId, 0);
                let limit = self.b.int64(self.random.below(3) as i64);
                let condition = self.b.compare(CompareOp::LessEqual, group, limit);
                self.b.begin_if(condition);
            }
            _ => {}
        }
        let depth = context.depth + 1;
        self.statements(2, Context { depth, ..context });
        if !self.config.core && self.random.once_in(3) {
            self.group_reduction();
        } else {
            self.exchange();
        }
        self.statements(2, Context { depth, ..context });
        if wrapper == 0 && self.random.once_in(2) {
            // After the last meeting of a turn, items may go on to the next one alone.
            let condition = self.operand(DType::Bool);
            self.b.begin_if(condition);
            self.b.push(StatementKind::Continue);
            self.b.end();
            self.statements(2, Context { depth, ..context });
        }
        if wrapper < 2 {
            self.b.end();
            self.visible.truncate(visible);
        }
    }

    /// Integers and bools only: for floats the order shows.
    fn group_reduction(&mut self) {
        let dtype = self
            .random
            .pick(&[DType::Bool, DType::Int32, DType::UInt8, DType::Int64]);
        let operand = self.operand(dtype);
        let operator = self.random.pick(ReductionOperator::ALL);
        let value = self.b.group_reduce(operator, operand);
        self.visible.push(value);
    }

    /// Every item writes its own slot of local storage, and after a barrier reads any. The second
    /// barrier keeps the next round's writes away from these reads.
    fn exchange(&mut self) {
        let rank = self.b.kernel().rank;
        let local = self.local.expect("an nd-range kernel has groups");
        let shape: Vec<u32> = local[..usize::from(rank)]
            .iter()
            .map(|&extent| extent as u32)
            .collect();
        let dtype = self.random.pick(&self.dtypes);
        let tile = self.b.storage("tile", dtype, &shape, StorageClass::Local);
        let tile = ArrayRef::Storage(tile);
        let slot: Vec<ValueId> = (0..rank)
            .map(|axis| self.b.index(IndexFunction::LocalId, axis))
            .collect();
        let value = self.operand(dtype);
        self.b.store(Place::new(tile, slot), value);
        let global = self.random.once_in(2);
        self.b.push(StatementKind::Barrier { global });
        for _ in 0..self.random.between(1, 2) {
            let place = self.any_place(tile);
            self.load(place);
        }
        self.b.push(StatementKind::Barrier { global: false });
    }

    /// Writes something recent to the item's own element.
    fn store_own(&mut self, output: ArrayRef) {
        let place = self.part_of(Place::new(output, self.own.clone()));
        let dtype = place.dtype(self.b.kernel()).expect("the place exists");
        let value = if self.random.once_in(2) {
            self.operand(dtype)
        } else {
            let recent = self.recent();
            self.b.convert(recent, dtype)
        };
        self.b.store(place, value);
    }

    fn load(&mut self, place: Place) {
        let value = self.b.load(place);
        self.visible.push(value);
    }

    /// An element of an array, wherever it may be.
    fn any_place(&mut self, array: ArrayRef) -> Place {
        let rank = array.rank(self.b.kernel()).expect("the array exists");
        let indices: Vec<ValueId> = (0..rank)
            .map(|axis| {
                let index = self.operand(DType::Int64);
                let extent = self.b.extent(array, axis);
                self.reduce_index(index, extent)
            })
            .collect();
        self.part_of(Place::new(array, indices))
    }

    /// Half of a complex element, always if there are no complex values.
    fn part_of(&mut self, mut place: Place) -> Place {
        let dtype = place.array.dtype(self.b.kernel());
        let complex = dtype.is_some_and(|dtype| dtype.kind() == Kind::Complex);
        if complex && (self.config.core || self.random.once_in(3)) {
            place.part = self.random.pick(&[Part::Real, Part::Imaginary]);
        }
        place
    }
}
