//! The function around a kernel: arguments, loops over the index space, vectors of items,
//! reductions.

use super::cost::{choose_lanes, estimate_cost};
use super::functions::emit_functions;
use super::{ALIGNMENT, Argument, ArrayArgument, Emitter, Mask, Position};
use crate::Options;
use crate::llvm::{IntPredicate, Module, Value};
use crate::target::Target;
use colocate_ir::{DType, Kernel, Layout, ParamKind, StorageClass};

/// Private arrays up to this size lie on the stack, where they may become registers.
const STACK_BYTES: usize = 4096;

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
    let width = match options.lanes {
        _ if kernel.is_host() => 1,
        Some(lanes) => lanes,
        None => choose_lanes(kernel, target),
    };
    let module = Module::new(&kernel.name, kernel.fast_math);
    let (module, functions) = emit_functions(module, kernel, target);
    let pointer = module.pointer();
    let function = module.begin_function(entry, &[pointer, pointer, pointer]);
    for parameter in 1..=3 {
        module.add_attribute(function, parameter, "noalias");
    }
    describe_target(&module, function, target);
    let mut emitter = Emitter::new(module, kernel, functions, target, width);
    let item_cost = estimate_cost(kernel, &emitter.lanes, width, target);
    let scratch_bytes = match kernel.is_host() {
        true => emitter.host_entry(function),
        false => emitter.function(function),
    };
    emitter.m.keep_vector_versions();
    let groups = emitter.groups.as_ref();
    Emitted {
        scratch_bytes,
        scratch_bytes_per_item: groups.map_or(0, |groups| groups.plan.bytes_per_item),
        lanes: width,
        item_cost,
        module: emitter.m,
    }
}

/// What a function is compiled for.
pub(super) fn describe_target(module: &Module, function: Value, target: &Target) {
    module.add_attribute(function, 0, "nounwind");
    module.describe_target(function, target);
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
        self.find_large_arrays(global);
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
        self.finish_large_arrays();
        self.m.return_void();
        scratch_bytes
    }

    pub(super) fn unpack_arguments(&mut self, block: Value) {
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
    pub(super) fn place_storage(&mut self, scratch: Value) -> usize {
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

    pub(super) fn make_variables(&mut self) {
        for (index, variable) in self.kernel.variables.iter().enumerate() {
            let shape = self.lanes.variable(colocate_ir::VariableId(index as u32));
            let kind = self
                .m
                .vector(self.memory_type(variable.dtype), self.lanes_of(shape));
            self.variables.push(self.m.stack_slot(kind, ALIGNMENT));
        }
    }

    /// Variables begin as zero, and nobody has returned. Reductions begin with their identity.
    pub(super) fn begin_item(&mut self) {
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
