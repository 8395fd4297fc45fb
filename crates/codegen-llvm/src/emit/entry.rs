//! The function around a kernel: arguments, loops over the index space, vectors of items,
//! reductions.

use super::groups::Groups;
use super::{ALIGNMENT, Argument, ArrayArgument, Emitter, Mask, Position};
use crate::Options;
use crate::lanes::{self, Lanes, Shape};
use crate::llvm::{IntPredicate, Module, Value};
use crate::target::Target;
use colocate_ir::{
    BinaryOp, DType, Kernel, Kind, Layout, MathFunction, Op, ParamKind, StatementKind,
    StorageClass, ValueId, walk,
};
use std::collections::HashMap;

/// Private arrays up to this size lie on the stack, where they may become registers.
const STACK_BYTES: usize = 4096;

/// How many turns a loop is taken to have if that depends on arguments.
const UNKNOWN_TURNS: f32 = 1000.0;

/// A module with one function, and what is to be known to run it.
pub struct Emitted {
    pub module: Module,
    pub scratch_bytes: usize,
    pub scratch_bytes_per_item: usize,
    pub lanes: u32,
    pub item_cost: f32,
}

/// Emits a core kernel.
pub fn emit(kernel: &Kernel, entry: &str, options: &Options, target: &Target) -> Emitted {
    let width = options
        .lanes
        .unwrap_or_else(|| choose_lanes(kernel, target));
    let mut module = Module::new(&kernel.name, kernel.fast_math);
    let function = begin_function(&mut module, entry, target);
    let lanes = lanes::analyse(kernel, width);
    let item_cost = estimate_cost(kernel, &lanes, width);
    let here = module.block();
    module.branch(here);
    module.go_to(here);
    let mask = module.vector(module.int(1), width);
    let mask_slot = module.stack_slot(mask, ALIGNMENT);
    let returned_slot = module.stack_slot(mask, ALIGNMENT);
    let mut emitter = Emitter {
        target,
        kernel,
        lanes,
        width,
        arguments: Vec::new(),
        values: vec![None; kernel.values.len()],
        variables: Vec::new(),
        storage: Vec::new(),
        position: None,
        mask: Mask::Full,
        mask_slot,
        returned_slot,
        loops: Vec::new(),
        item_end: here,
        reduction_slots: Vec::new(),
        changed_in_piece: Vec::new(),
        atomics_are_shared: true,
        groups: Groups::new(kernel),
        m: module,
    };
    let scratch_bytes = emitter.function(function);
    let groups = emitter.groups.as_ref();
    Emitted {
        scratch_bytes,
        scratch_bytes_per_item: groups.map_or(0, |groups| groups.plan.bytes_per_item),
        lanes: width,
        item_cost,
        module: emitter.m,
    }
}

fn begin_function(module: &mut Module, entry: &str, target: &Target) -> Value {
    let pointer = module.pointer();
    let function = module.begin_function(entry, &[pointer, pointer, pointer]);
    module.add_attribute(function, 0, "nounwind");
    for parameter in 1..=3 {
        module.add_attribute(function, parameter, "noalias");
    }
    module.add_text_attribute(function, "target-cpu", &target.cpu);
    module.add_text_attribute(function, "target-features", &target.features);
    let bits = (8 * target.vector_bytes).to_string();
    module.add_text_attribute(function, "prefer-vector-width", &bits);
    function
}

/// How many items to run at a time: what fills the vector registers with the widest numbers that
/// the kernel computes with, indices apart.
fn choose_lanes(kernel: &Kernel, target: &Target) -> u32 {
    let mut widest = 1;
    let (mut atomics, mut waits) = (false, false);
    walk(&kernel.body, &mut |statement| match &statement.kind {
        StatementKind::Load { value, .. } => {
            widest = widest.max(kernel.dtype(*value).itemsize());
        }
        StatementKind::Store { value, .. } => {
            widest = widest.max(kernel.dtype(*value).itemsize());
        }
        StatementKind::Let { value, op } => {
            let dtype = kernel.dtype(*value);
            let computed = !matches!(op, Op::Literal(_) | Op::Param(..));
            if computed && dtype.kind() == Kind::Float {
                widest = widest.max(dtype.itemsize());
            }
            waits |= matches!(op, Op::Math(..));
        }
        StatementKind::While { .. } | StatementKind::For { .. } => waits = true,
        StatementKind::Atomic { value, .. } => {
            atomics = true;
            widest = widest.max(kernel.dtype(*value).itemsize());
        }
        _ => {}
    });
    // Two registers of float64 rather than one: a loop that waits for its own last result has
    // another chain to work on meanwhile (mandelbrot: 27 ms with 8 lanes, 9 with 16, 7 with 32).
    let lanes = target.vector_bytes / widest.clamp(2, 4) as u32;
    match (atomics, waits && !kernel.is_nd_range()) {
        // Atomics go lane by lane: long vectors of them are only long code.
        (true, _) => lanes.min(8),
        // A loop or a function of the C library is a chain of results that wait for one another:
        // more chains at a time (Black-Scholes: 34 ms with 16 lanes, 31 with 32). Groups are
        // often 16 items wide; longer vectors would be half empty.
        (false, true) => 2 * lanes,
        (false, false) => lanes,
    }
}

/// A rough guess at the nanoseconds of an item, for deciding how to share out the work.
fn estimate_cost(kernel: &Kernel, lanes: &Lanes, width: u32) -> f32 {
    let mut definitions = HashMap::new();
    walk(&kernel.body, &mut |statement| {
        if let StatementKind::Let { value, op } = &statement.kind {
            definitions.insert(*value, op);
        }
    });
    block_cost(&definitions, lanes, width, &kernel.body).max(0.1)
}

type Definitions<'k> = HashMap<ValueId, &'k Op>;

/// What an integer is at most, where that is easy to see.
fn upper_bound(definitions: &Definitions<'_>, lanes: &Lanes, value: ValueId) -> Option<i64> {
    if let Some(literal) = lanes.literal(value) {
        return Some(literal);
    }
    let bound = |value: &ValueId| upper_bound(definitions, lanes, *value);
    match definitions.get(&value)? {
        Op::Binary(BinaryOp::Minimum, a, b) => match (bound(a), bound(b)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (one, other) => one.or(other),
        },
        Op::Binary(BinaryOp::Quotient, a, b) => {
            let divisor = lanes.literal(*b).filter(|&divisor| divisor > 0)?;
            Some(bound(a)? / divisor)
        }
        _ => None,
    }
}

fn block_cost(
    definitions: &Definitions<'_>,
    lanes: &Lanes,
    width: u32,
    statements: &[colocate_ir::Statement],
) -> f32 {
    let mut cost = 0.0;
    for statement in statements {
        let scale = |shape| match shape {
            Shape::Varying => 1.0,
            Shape::Uniform | Shape::Linear(_) => 1.0 / width as f32,
        };
        cost += match &statement.kind {
            StatementKind::Let { value, op } => {
                let one = match op {
                    Op::Math(
                        MathFunction::Fma
                        | MathFunction::Floor
                        | MathFunction::Ceil
                        | MathFunction::Truncate
                        | MathFunction::RoundEven
                        | MathFunction::CopySign,
                        _,
                    ) => 0.1,
                    Op::Math(MathFunction::Sqrt, _) => 1.0,
                    Op::Math(..) => 4.0,
                    Op::Literal(_) | Op::Param(..) | Op::Extent(..) | Op::Index(..) => 0.0,
                    Op::Get(_) => 0.0,
                    _ => 0.1,
                };
                one * scale(lanes.value(*value))
            }
            StatementKind::Load { value, .. } => 0.3 * scale(lanes.value(*value)),
            StatementKind::Store { .. } => 0.3,
            StatementKind::Atomic { .. } => 5.0,
            _ => 0.05,
        };
        let inside: f32 = statement
            .kind
            .blocks()
            .iter()
            .map(|inner| block_cost(definitions, lanes, width, inner))
            .sum();
        cost += match &statement.kind {
            // How often a loop turns is mostly not known. A guess that is too high costs a
            // hand-off to another thread; one too low makes the caller wait for all of it.
            StatementKind::For {
                start, stop, step, ..
            } => {
                let stop = upper_bound(definitions, lanes, *stop);
                inside
                    * match [lanes.literal(*start), stop, lanes.literal(*step)] {
                        [Some(start), Some(stop), Some(step)] if step > 0 => {
                            (stop.saturating_sub(start).max(0) / step) as f32
                        }
                        _ => UNKNOWN_TURNS,
                    }
            }
            StatementKind::While { .. } => UNKNOWN_TURNS * inside,
            _ => inside,
        };
    }
    cost
}

impl Emitter<'_> {
    /// Emits the whole function; the bytes of working memory it needs besides the items' own.
    fn function(&mut self, function: Value) -> usize {
        let arguments = self.m.parameter(function, 0);
        let part = self.m.parameter(function, 1);
        let scratch = self.m.parameter(function, 2);
        self.unpack_arguments(arguments);
        let scratch_bytes = self.place_storage(scratch);
        self.make_variables();
        let word = |emitter: &Self, index: i64| {
            let pointer = emitter
                .m
                .offset(emitter.m.int(64), part, emitter.m.i64(index));
            emitter.m.load(emitter.m.int(64), pointer, 8)
        };
        let three = |emitter: &Self, first: i64| [0, 1, 2].map(|i| word(emitter, first + i));
        let global = three(self, 0);
        let local = match self.kernel.group {
            // Known now, they leave no code for rows that are cut short.
            Some(group) => group.map(|extent| self.m.i64(extent.into())),
            None => three(self, 3),
        };
        let (begin, end) = (three(self, 6), three(self, 9));
        let reductions = self.begin_reductions();
        if self.kernel.is_nd_range() {
            self.group_loops(scratch, scratch_bytes, global, local, begin, end);
        } else {
            let zero = self.m.i64(0);
            let one = self.m.i64(1);
            let rank = self.kernel.rank as usize;
            self.count_axes(
                rank - 1,
                &begin,
                &end,
                &mut Vec::new(),
                &mut |emitter, ids| {
                    let mut global_id = [zero; 3];
                    global_id[..ids.len()].copy_from_slice(ids);
                    emitter.position = Some(Position {
                        global_id,
                        local_id: [zero; 3],
                        group_id: [zero; 3],
                        global_size: global,
                        local_size: [one; 3],
                        num_groups: global,
                        slot: zero,
                    });
                    let last = rank - 1;
                    emitter.row(begin[last], end[last], &mut |emitter, id| {
                        let position = emitter.position.as_mut().expect("set for the row");
                        position.global_id[last] = id;
                        emitter.values.fill(None);
                        emitter.block(&emitter.kernel.body);
                    });
                },
            );
        }
        self.end_reductions(&reductions);
        self.m.return_void();
        scratch_bytes
    }

    fn unpack_arguments(&mut self, block: Value) {
        let word = self.m.int(64);
        for (index, param) in self.kernel.params.iter().enumerate() {
            let mut slot = self.kernel.slot(colocate_ir::ParamId(index as u32)) as i64;
            let mut next = |kind| {
                let pointer = self.m.offset(word, block, self.m.i64(slot));
                slot += 1;
                self.m.load(kind, pointer, 8)
            };
            let argument = match param.kind {
                ParamKind::Scalar(_) => {
                    Argument::Words((0..param.kind.slots()).map(|_| next(word)).collect())
                }
                ParamKind::Array { rank, layout, .. } => Argument::Array(ArrayArgument {
                    pointer: next(self.m.pointer()),
                    extents: (0..rank).map(|_| next(word)).collect(),
                    strides: match layout {
                        Layout::Contiguous => Vec::new(),
                        Layout::Strided => (0..rank).map(|_| next(word)).collect(),
                    },
                }),
            };
            self.arguments.push(argument);
        }
    }

    /// Local arrays and large private ones lie in working memory, small private ones on the stack.
    fn place_storage(&mut self, scratch: Value) -> usize {
        let mut bytes = 0usize;
        for storage in &self.kernel.storage {
            let private = storage.class == StorageClass::Private;
            let lanes = if private { self.width as usize } else { 1 };
            let size = storage.size() * storage.dtype.itemsize() * lanes;
            let pointer = if private && self.groups.is_some() {
                scratch // set for each item of each piece
            } else if private && size <= STACK_BYTES {
                let kind = self.m.array(self.m.int(8), size as u64);
                self.m.stack_slot(kind, ALIGNMENT)
            } else {
                let pointer = self
                    .m
                    .offset(self.m.int(8), scratch, self.m.i64(bytes as i64));
                bytes += size.next_multiple_of(ALIGNMENT as usize);
                pointer
            };
            self.storage.push(pointer);
        }
        bytes
    }

    fn make_variables(&mut self) {
        for (index, variable) in self.kernel.variables.iter().enumerate() {
            let shape = self.lanes.variable(colocate_ir::VariableId(index as u32));
            let kind = self
                .m
                .vector(self.memory_type(variable.dtype), self.lanes_of(shape));
            self.variables.push(self.m.stack_slot(kind, ALIGNMENT));
        }
    }

    /// Variables begin as zero, and nobody has returned. Reductions begin with their identity.
    fn begin_item(&mut self) {
        for (index, variable) in self.kernel.variables.iter().enumerate() {
            let shape = self.lanes.variable(colocate_ir::VariableId(index as u32));
            let kind = self
                .m
                .vector(self.memory_type(variable.dtype), self.lanes_of(shape));
            self.m
                .store(self.m.null(kind), self.variables[index], ALIGNMENT);
        }
        for reduction in self.kernel.reductions() {
            let dtype = self.kernel.variables[reduction.variable.index()].dtype;
            let identity = self.literal(reduction.operator.identity(dtype));
            let lanes = self.lanes_of(self.lanes.variable(reduction.variable));
            let identity = self.m.splat(identity, lanes);
            let stored = self.write_bools(identity, dtype, lanes);
            self.m.store(
                stored,
                self.variables[reduction.variable.index()],
                ALIGNMENT,
            );
        }
        if self.width > 1 {
            let none = self.m.null(self.mask_type());
            self.m.store(none, self.returned_slot, ALIGNMENT);
        }
    }

    /// A loop from `begin` to `end` in steps; `body` gets the counter.
    fn count(
        &mut self,
        begin: Value,
        end: Value,
        step: i64,
        body: &mut dyn FnMut(&mut Self, Value),
    ) {
        let word = self.m.int(64);
        let counter = self.m.stack_slot(word, ALIGNMENT);
        self.m.store(begin, counter, ALIGNMENT);
        let (head, turn, exit) = (self.m.block(), self.m.block(), self.m.block());
        self.m.branch(head);
        self.m.go_to(head);
        let current = self.m.load(word, counter, ALIGNMENT);
        let more = self.m.icmp(IntPredicate::LLVMIntSLT, current, end);
        self.m.branch_if(more, turn, exit);
        self.m.go_to(turn);
        body(self, current);
        let following = self.m.add_nsw(current, self.m.i64(step));
        self.m.store(following, counter, ALIGNMENT);
        self.m.branch(head);
        self.m.go_to(exit);
    }

    /// Nested loops over the first `axes` axes; `body` gets the counters.
    fn count_axes(
        &mut self,
        axes: usize,
        begin: &[Value; 3],
        end: &[Value; 3],
        ids: &mut Vec<Value>,
        body: &mut dyn FnMut(&mut Self, &[Value]),
    ) {
        let axis = ids.len();
        if axis == axes {
            body(self, ids);
            return;
        }
        self.count(begin[axis], end[axis], 1, &mut |emitter, current| {
            ids.push(current);
            emitter.count_axes(axes, begin, end, ids, body);
            ids.pop();
        });
    }

    /// A row of items: whole vectors first, then one more step for the rest, with the lanes beyond
    /// switched off. `item` gets the number of the first lane's item.
    fn row(&mut self, begin: Value, end: Value, item: &mut dyn FnMut(&mut Self, Value)) {
        let width = i64::from(self.width);
        let count = self.m.sub(end, begin);
        let rest = self.m.and(count, self.m.i64(width - 1));
        let whole = self.m.sub(end, rest);
        self.count(begin, whole, width, &mut |emitter, first| {
            emitter.mask = Mask::Full;
            emitter.item(&mut |emitter| item(emitter, first));
        });
        if width == 1 {
            return;
        }
        let (some, after) = (self.m.block(), self.m.block());
        let any = self.m.icmp(IntPredicate::LLVMIntSGT, rest, self.m.i64(0));
        self.m.branch_if(any, some, after);
        self.m.go_to(some);
        let numbers = self.lane_numbers(self.m.int(64), 1);
        let limit = self.m.splat(rest, self.width);
        let on = self.m.icmp(IntPredicate::LLVMIntSLT, numbers, limit);
        self.m.store(on, self.mask_slot, ALIGNMENT);
        self.mask = Mask::Slot;
        self.item(&mut |emitter| item(emitter, whole));
        self.m.branch(after);
        self.m.go_to(after);
        self.mask = Mask::Full;
    }

    fn item(&mut self, item: &mut dyn FnMut(&mut Self)) {
        let exists = (self.mask == Mask::Slot).then(|| self.mask_value());
        self.begin_item();
        self.item_end = self.m.block();
        item(self);
        self.m.branch(self.item_end);
        self.m.go_to(self.item_end);
        self.end_item_of_piece();
        self.gather_contributions(exists);
    }

    fn group_loops(
        &mut self,
        scratch: Value,
        scratch_bytes: usize,
        global: [Value; 3],
        local: [Value; 3],
        begin: [Value; 3],
        end: [Value; 3],
    ) {
        let rank = self.kernel.rank as usize;
        let zero = self.m.i64(0);
        let num_groups = [0, 1, 2].map(|axis| self.m.udiv(global[axis], local[axis]));
        let width = self.m.i64(self.width.into());
        let last = local[rank - 1];
        let padded = self.m.add(last, self.m.sub(width, self.m.i64(1)));
        let row = self.m.and(padded, self.m.neg(width));
        let mut items = row;
        for &extent in &local[..rank - 1] {
            items = self.m.mul(items, extent);
        }
        let memory = self
            .m
            .offset(self.m.int(8), scratch, self.m.i64(scratch_bytes as i64));
        if let Some(groups) = &mut self.groups {
            groups.item_memory = Some((memory, items));
        }
        self.prepare_groups();
        self.count_axes(rank, &begin, &end, &mut Vec::new(), &mut |emitter, ids| {
            let mut group_id = [zero; 3];
            group_id[..ids.len()].copy_from_slice(ids);
            emitter.position = Some(Position {
                global_id: [zero; 3],
                local_id: [zero; 3],
                group_id,
                global_size: global,
                local_size: local,
                num_groups,
                slot: zero,
            });
            let kernel = emitter.kernel;
            if emitter.groups.is_none() {
                emitter.for_items(&mut |emitter| {
                    emitter.values.fill(None);
                    emitter.block(&kernel.body);
                });
                return;
            }
            let group_end = emitter.m.block();
            if let Some(groups) = &mut emitter.groups {
                groups.group_end = Some(group_end);
            }
            emitter.begin_group();
            emitter.group_block(&kernel.body);
            emitter.m.branch(group_end);
            emitter.m.go_to(group_end);
        });
    }

    /// Runs `item` for all items of the group.
    pub(super) fn for_items(&mut self, item: &mut dyn FnMut(&mut Self)) {
        let rank = self.kernel.rank as usize;
        let zero = self.m.i64(0);
        let local = self.position.as_ref().expect("inside a group").local_size;
        let width = self.m.i64(self.width.into());
        let padded = self
            .m
            .add(local[rank - 1], self.m.sub(width, self.m.i64(1)));
        let row_items = self.m.and(padded, self.m.neg(width));
        self.count_axes(
            rank - 1,
            &[zero; 3],
            &local,
            &mut Vec::new(),
            &mut |emitter, ids| {
                let mut row = zero;
                for (axis, &id) in ids.iter().enumerate() {
                    row = emitter.m.add(emitter.m.mul(row, local[axis]), id);
                    emitter.place_item(axis, id);
                }
                let first_slot = emitter.m.mul(row, row_items);
                emitter.row(zero, local[rank - 1], &mut |emitter, id| {
                    emitter.place_item(rank - 1, id);
                    let slot = emitter.m.add(first_slot, id);
                    let position = emitter.position.as_mut().expect("inside a group");
                    position.slot = slot;
                    item(emitter);
                });
            },
        );
    }

    fn place_item(&mut self, axis: usize, local_id: Value) {
        let position = self.position.as_ref().expect("inside a group");
        let first = self
            .m
            .mul(position.group_id[axis], position.local_size[axis]);
        let global_id = self.m.add(first, local_id);
        let position = self.position.as_mut().expect("inside a group");
        position.local_id[axis] = local_id;
        position.global_id[axis] = global_id;
    }

    /// Where contributions are gathered, lane by lane, over all items of the call.
    fn begin_reductions(&mut self) -> Vec<Value> {
        let mut slots = Vec::new();
        for reduction in self.kernel.reductions() {
            let dtype = self.kernel.variables[reduction.variable.index()].dtype;
            let lanes = self.lanes_of(self.lanes.variable(reduction.variable));
            let identity = self.literal(reduction.operator.identity(dtype));
            let identity = self.m.splat(identity, lanes);
            let stored = self.write_bools(identity, dtype, lanes);
            let slot = self.m.stack_slot(self.m.type_of(stored), ALIGNMENT);
            self.m.store(stored, slot, ALIGNMENT);
            slots.push(slot);
        }
        self.reduction_slots.clone_from(&slots);
        slots
    }

    fn gather_contributions(&mut self, exists: Option<Value>) {
        for index in 0..self.reduction_slots.len() {
            let reduction = &self.kernel.reductions()[index];
            let dtype = self.kernel.variables[reduction.variable.index()].dtype;
            let lanes = self.lanes_of(self.lanes.variable(reduction.variable));
            let mut contribution = self.get_variable(reduction.variable);
            if let Some(exists) = exists {
                let identity = self.literal(reduction.operator.identity(dtype));
                let identity = self.m.splat(identity, lanes);
                contribution = self.m.select(exists, contribution, identity);
            }
            let slot = self.reduction_slots[index];
            let kind = self.m.vector(self.memory_type(dtype), lanes);
            let before = self.m.load(kind, slot, ALIGNMENT);
            let before = self.read_bools(before, dtype, lanes);
            let both = self.combine(reduction.operator, dtype, before, contribution, lanes);
            let stored = self.write_bools(both, dtype, lanes);
            self.m.store(stored, slot, ALIGNMENT);
        }
    }

    /// Folds the lanes, and combines the result with what other threads found.
    fn end_reductions(&mut self, slots: &[Value]) {
        for (index, &slot) in slots.iter().enumerate() {
            let reduction = &self.kernel.reductions()[index];
            let (operator, target) = (reduction.operator, reduction.target);
            let dtype: DType = self.kernel.variables[reduction.variable.index()].dtype;
            let mut lanes = self.lanes_of(self.lanes.variable(reduction.variable));
            let kind = self.m.vector(self.memory_type(dtype), lanes);
            let stored = self.m.load(kind, slot, ALIGNMENT);
            let mut value = self.read_bools(stored, dtype, lanes);
            while lanes > 1 {
                lanes /= 2;
                let low: Vec<u32> = (0..lanes).collect();
                let high: Vec<u32> = (lanes..2 * lanes).collect();
                let (a, b) = if lanes == 1 {
                    let (first, second) = (self.m.i32(0), self.m.i32(1));
                    (
                        self.m.extract_element(value, first),
                        self.m.extract_element(value, second),
                    )
                } else {
                    (
                        self.m.shuffle(value, value, &low),
                        self.m.shuffle(value, value, &high),
                    )
                };
                value = self.combine(operator, dtype, a, b, lanes);
            }
            let Argument::Array(array) = &self.arguments[target.index()] else {
                unreachable!("verified: the target is an array");
            };
            let pointer = array.pointer;
            self.combine_into(operator, dtype, pointer, value);
        }
    }
}
