//! From core IR to LLVM's.
//!
//! [`Emitter`] holds what is known while statements are emitted: the values so far, where
//! variables live, and which lanes are on. Its methods are spread over the files of this folder:
//! [`operations`] and [`mathematics`] for pure operations, [`memory`], [`streaming`] and [`atomics`] for arrays,
//! [`control`] for control flow and masks, [`group_plan`] and [`groups`] for
//! work-groups cut at barriers, [`host`] and [`functions`] for host kernels, [`entry`] for the
//! function around it all, [`cost`] for guesses.

mod atomics;
mod control;
mod conversions;
mod cost;
mod entry;
mod exponential;
mod functions;
mod group_plan;
mod groups;
mod host;
mod logarithm;
mod mathematics;
mod memory;
mod operations;
mod own_functions;
mod streaming;

pub use entry::emit;

use crate::lanes::{self, Lanes, Shape};
use crate::llvm::{BasicBlock, Module, Type, Value};
use crate::target::Target;
use colocate_ir::{DType, Kernel, ValueId, VariableId};
use functions::Function;
use groups::Groups;
use host::{CallSlots, LocalSlots};
use std::rc::Rc;

/// A value of the kernel in LLVM's terms.
#[derive(Clone, Copy)]
enum Held {
    /// A scalar for all lanes.
    Uniform(Value),
    /// A scalar for the first lane, and by how much each next one differs.
    Linear(Value, i64),
    /// A vector.
    Varying(Value),
}

/// An array parameter, unpacked from the argument block.
struct ArrayArgument {
    pointer: Value,
    extents: Vec<Value>,
    /// In bytes; empty for contiguous arrays.
    strides: Vec<Value>,
}

/// A parameter, unpacked from the argument block.
enum Argument {
    Array(ArrayArgument),
    /// The slots of a scalar.
    Words(Vec<Value>),
    /// The scalar itself.
    Scalar(Value),
}

/// Where an item is: LLVM values, for the first lane along the last axis.
struct Position {
    global_id: [Value; 3],
    local_id: [Value; 3],
    group_id: [Value; 3],
    global_size: [Value; 3],
    local_size: [Value; 3],
    num_groups: [Value; 3],
    /// Where the item's own parts of the working memory begin: its number in the group, with rows
    /// rounded up to whole vectors.
    slot: Value,
}

/// Which lanes are on.
#[derive(Clone, Copy, PartialEq)]
enum Mask {
    /// All of them, known at compile time.
    Full,
    /// Those that [`Emitter::mask_slot`] says.
    Slot,
}

/// A loop around the statement being emitted.
struct LoopFrame {
    divergent: bool,
    /// Lanes that have gone on to the next turn; divergent loops only.
    continued: Option<Value>,
    next: BasicBlock,
    exit: BasicBlock,
}

struct Emitter<'k> {
    m: Module,
    target: &'k Target,
    kernel: &'k Kernel,
    lanes: Lanes,
    width: u32,
    arguments: Vec<Argument>,
    values: Vec<Option<Held>>,
    /// Where each variable lives now.
    variables: Vec<Value>,
    /// Where each private or local array lives now.
    storage: Vec<Value>,
    position: Option<Position>,
    mask: Mask,
    mask_slot: Value,
    /// Lanes that have returned while others go on.
    returned_slot: Value,
    loops: Vec<LoopFrame>,
    /// Where an item's statements end.
    item_end: BasicBlock,
    /// Where the contributions to each reduction are gathered.
    reduction_slots: Vec<Value>,
    /// Whether a parameter is filled with more than caches keep, where that makes a difference.
    large_arrays: Vec<Option<Value>>,
    /// Whether the atomic statement being emitted is on memory that other threads reach.
    atomics_are_shared: bool,
    /// Variables that the piece being emitted changes, and where each item keeps them.
    changed_in_piece: Vec<(VariableId, usize)>,
    /// What describes each array that calls give.
    locals: Vec<LocalSlots>,
    /// Present in host kernels.
    calls: Option<CallSlots>,
    /// What the kernel may call by `CallFunction`.
    functions: Rc<[Function]>,
    /// Present in kernels that are cut at barriers.
    groups: Option<Groups>,
}

impl<'k> Emitter<'k> {
    /// For a module whose builder is at the beginning of a function.
    fn new(
        module: Module,
        kernel: &'k Kernel,
        functions: Rc<[Function]>,
        target: &'k Target,
        width: u32,
    ) -> Emitter<'k> {
        let here = module.block();
        module.branch(here);
        module.go_to(here);
        let mask = module.vector(module.int(1), width);
        let mask_slot = module.stack_slot(mask, ALIGNMENT);
        let returned_slot = module.stack_slot(mask, ALIGNMENT);
        Emitter {
            target,
            kernel,
            lanes: lanes::analyse(kernel, width),
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
            large_arrays: Vec::new(),
            changed_in_piece: Vec::new(),
            atomics_are_shared: true,
            locals: Vec::new(),
            calls: None,
            functions,
            groups: Groups::new(kernel),
            m: module,
        }
    }

    /// LLVM's type of a scalar in a register.
    fn scalar_type(&self, dtype: DType) -> Type {
        scalar_type(&self.m, dtype)
    }

    /// LLVM's type of a scalar in memory: bools are bytes there.
    fn memory_type(&self, dtype: DType) -> Type {
        match dtype {
            DType::Bool => self.m.int(8),
            other => self.scalar_type(other),
        }
    }

    fn vector_type(&self, dtype: DType) -> Type {
        self.m.vector(self.scalar_type(dtype), self.width)
    }

    fn mask_type(&self) -> Type {
        self.m.vector(self.m.int(1), self.width)
    }

    fn held(&mut self, value: ValueId) -> Held {
        match self.values[value.index()] {
            Some(held) => held,
            None => self.recall(value),
        }
    }

    /// A value as a scalar; it is uniform, or linear and the first lane's is wanted.
    fn scalar(&mut self, value: ValueId) -> Value {
        match self.held(value) {
            Held::Uniform(scalar) | Held::Linear(scalar, _) => scalar,
            Held::Varying(_) => unreachable!("the analysis found {value:?} to be uniform"),
        }
    }

    /// A value as a vector; a scalar if there is one lane.
    fn vector(&mut self, value: ValueId) -> Value {
        match self.held(value) {
            Held::Varying(vector) => vector,
            Held::Uniform(scalar) => self.m.splat(scalar, self.width),
            Held::Linear(scalar, stride) => {
                let kind = self.m.type_of(scalar);
                let base = self.m.splat(scalar, self.width);
                self.m.add(base, self.lane_numbers(kind, stride))
            }
        }
    }

    /// `0, stride, 2 * stride, …`
    fn lane_numbers(&self, kind: Type, stride: i64) -> Value {
        let number = |lane: u32| (stride.wrapping_mul(i64::from(lane))) as u64;
        if self.width == 1 {
            return self.m.const_int(kind, 0);
        }
        let numbers: Vec<Value> = (0..self.width)
            .map(|lane| self.m.const_int(kind, number(lane)))
            .collect();
        self.m.const_vector(&numbers)
    }

    /// Records what a value is; `compute` gives a scalar or a vector, as its shape demands.
    fn define(&mut self, value: ValueId, result: Value) {
        let held = match self.lanes.value(value) {
            Shape::Uniform => Held::Uniform(result),
            Shape::Linear(stride) => Held::Linear(result, stride),
            Shape::Varying => Held::Varying(result),
        };
        self.values[value.index()] = Some(held);
        self.remember(value, held);
    }

    /// How many lanes values of this shape have in a register.
    fn lanes_of(&self, shape: Shape) -> u32 {
        match shape {
            Shape::Uniform | Shape::Linear(_) => 1,
            Shape::Varying => self.width,
        }
    }
}

/// LLVM's type of a scalar in a register.
fn scalar_type(module: &Module, dtype: DType) -> Type {
    match dtype {
        DType::Bool => module.int(1),
        DType::Float16 => module.half(),
        DType::Float32 => module.float(),
        DType::Float64 => module.double(),
        DType::Complex64 | DType::Complex128 => unreachable!("core has no complex values"),
        integer => module.int(8 * integer.itemsize() as u32),
    }
}

/// The alignment that any stack slot or part of the working memory has.
const ALIGNMENT: u32 = 64;
