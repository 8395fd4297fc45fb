//! Statements: everything that has an effect, and control flow.

use crate::kernel::ids;
use crate::operation::names;
use crate::{
    DType, HostFunctionId, Kernel, LocalId, Op, ParamId, ParamKind, Part, ReductionOperator, Site,
    StorageId, VariableId,
};
use smallvec::SmallVec;

ids! {
    /// A value: its position in [`Kernel::values`].
    ValueId("v");
}

/// Statements, executed in order.
pub type Block = Vec<Statement>;

/// What to do, and the place of the program that says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What to do.
    pub kind: StatementKind,
    /// The place of the user's program it comes from.
    pub site: Site,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// Defines a value.
    Let {
        /// The value defined.
        value: ValueId,
        /// What it is.
        op: Op,
    },
    /// Changes a variable.
    Set {
        /// Which.
        variable: VariableId,
        /// To what; of the variable's dtype.
        value: ValueId,
    },
    /// Defines a value as an element of an array.
    Load {
        /// The value defined, of the place's dtype.
        value: ValueId,
        /// Where from.
        place: Place,
    },
    /// Changes an element of an array.
    Store {
        /// Where to.
        place: Place,
        /// What; of the place's dtype.
        value: ValueId,
    },
    /// Changes an element of an array in one step that no other item's can come into.
    Atomic {
        /// Defined as what the element held before.
        value: ValueId,
        /// How it changes.
        op: AtomicOp,
        /// Which element, of a dtype that [`AtomicOp::takes`].
        place: Place,
        /// The other operand, or the new value.
        operand: ValueId,
        /// For a compare-exchange, and only there: the element changes only if it holds this
        /// (floats are compared bit by bit).
        expected: Option<ValueId>,
    },
    /// Does one or the other.
    If {
        /// A bool.
        condition: ValueId,
        /// If it is true.
        then: Block,
        /// If it is false.
        otherwise: Block,
    },
    /// Counts. The number of turns is settled before the first one: as many as Python's
    /// `range(start, stop, step)` has, and none if the step is zero. At the beginning of each
    /// turn the variable is set to the counter; the body may set it to something else, which does
    /// not change the counting. After a loop without turns the variable is as it was.
    For {
        /// An int64.
        variable: VariableId,
        /// The first number, an int64.
        start: ValueId,
        /// One beyond the last, an int64.
        stop: ValueId,
        /// The distance, an int64.
        step: ValueId,
        /// One turn.
        body: Block,
    },
    /// Repeats: evaluates `before`, leaves if the condition it defines is false, else
    /// does `body` and begins again. `before` holds no `Break`, `Continue` or `Return`; what it
    /// defines is visible in the body.
    While {
        /// Computes the condition.
        before: Block,
        /// A bool.
        condition: ValueId,
        /// One turn.
        body: Block,
    },
    /// Leaves the innermost loop.
    Break,
    /// Begins the next turn of the innermost loop.
    Continue,
    /// The item is finished.
    Return,
    /// All items of the group get here before any goes on; what they stored in local memory,
    /// and in global memory too if `global`, is visible to all of them then.
    Barrier {
        /// Whether global memory is included.
        global: bool,
    },
    /// Defines a value as the combination of all items' operands; the same for the whole group,
    /// and a meeting point as a barrier is.
    GroupReduce {
        /// The value defined.
        value: ValueId,
        /// How to combine.
        operator: ReductionOperator,
        /// The item's own contribution.
        operand: ValueId,
    },
    /// Calls the runtime; host kernels only. Each argument is passed as a word of 64 bits:
    /// integers extended as their dtype says, bools as 0 or 1, floats as their bits, with zeros
    /// above. The call may read and change any memory. If it gives a status other than
    /// 0, the kernel ends, and no result is looked at.
    Call {
        /// What is called: a number that has a meaning for the runtime.
        callee: u32,
        /// Bools, integers and real floats.
        arguments: Vec<ValueId>,
        /// What the words that come back set, in order.
        results: Vec<CallResult>,
    },
    /// Calls a function of the kernel; host kernels and their functions only. A call inside that
    /// ends the kernel ends all of it.
    CallFunction {
        /// Which.
        function: HostFunctionId,
        /// One for each parameter beyond the first [`HOST_PARAMS`](crate::HOST_PARAMS), of its
        /// dtype.
        arguments: Vec<ValueId>,
        /// One for each local array of the function, which stands for it there: of its dtype and rank.
        arrays: Vec<LocalId>,
        /// What the function's results are assigned to, in order.
        results: Vec<VariableId>,
    },
}

/// What a call sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallResult {
    /// A variable that is not complex, from one word of the form that arguments have.
    Variable(VariableId),
    /// A local array, from [`LocalArray::words`](crate::LocalArray::words) words.
    Local(LocalId),
}

/// An element of an array, or half of a complex one.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Which array.
    pub array: ArrayRef,
    /// One int64 for each axis, at least 0 and less than the extent.
    pub indices: SmallVec<[ValueId; 4]>,
    /// Which part of the element.
    pub part: Part,
}

impl Place {
    /// A whole element.
    pub fn new(array: ArrayRef, indices: impl IntoIterator<Item = ValueId>) -> Place {
        Place {
            array,
            indices: indices.into_iter().collect(),
            part: Part::Whole,
        }
    }

    /// Of what is there; `None` if there is no such place.
    pub fn dtype(&self, kernel: &Kernel) -> Option<DType> {
        self.part.of(self.array.dtype(kernel)?)
    }
}

/// An array that a kernel can reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum ArrayRef {
    /// An argument.
    Param(ParamId),
    /// Local or private.
    Storage(StorageId),
    /// What a call gave.
    Local(LocalId),
}

impl ArrayRef {
    /// Of its elements; `None` if there is no such array.
    pub fn dtype(self, kernel: &Kernel) -> Option<DType> {
        match self {
            ArrayRef::Param(param) => match kernel.params.get(param.index())?.kind {
                ParamKind::Array { dtype, .. } => Some(dtype),
                ParamKind::Scalar(_) => None,
            },
            ArrayRef::Storage(storage) => Some(kernel.storage.get(storage.index())?.dtype),
            ArrayRef::Local(local) => Some(kernel.locals.get(local.index())?.dtype),
        }
    }

    /// How many axes it has; `None` if there is no such array.
    pub fn rank(self, kernel: &Kernel) -> Option<u8> {
        match self {
            ArrayRef::Param(param) => match kernel.params.get(param.index())?.kind {
                ParamKind::Array { rank, .. } => Some(rank),
                ParamKind::Scalar(_) => None,
            },
            ArrayRef::Storage(storage) => {
                Some(kernel.storage.get(storage.index())?.shape.len() as u8)
            }
            ArrayRef::Local(local) => Some(kernel.locals.get(local.index())?.rank),
        }
    }

    /// The name in the user's program.
    pub fn name(self, kernel: &Kernel) -> &str {
        match self {
            ArrayRef::Param(param) => &kernel.params[param.index()].name,
            ArrayRef::Storage(storage) => &kernel.storage[storage.index()].name,
            ArrayRef::Local(local) => &kernel.locals[local.index()].name,
        }
    }
}

names! {
    /// How an atomic statement changes its element.
    #[allow(missing_docs)]
    AtomicOp {
        Add = "add", Subtract = "sub", Minimum = "min", Maximum = "max",
        BitAnd = "and", BitOr = "or", BitXor = "xor",
        Exchange = "exchange", CompareExchange = "compare_exchange",
    }
}

impl AtomicOp {
    /// Whether it works on elements of this dtype: integers and floats of 32 and 64 bits,
    /// bitwise operations on integers only.
    pub fn takes(self, dtype: DType) -> bool {
        let bitwise = matches!(self, AtomicOp::BitAnd | AtomicOp::BitOr | AtomicOp::BitXor);
        match dtype {
            DType::Int32 | DType::Int64 | DType::UInt32 | DType::UInt64 => true,
            DType::Float32 | DType::Float64 => !bitwise,
            _ => false,
        }
    }
}

impl StatementKind {
    /// The value it defines.
    pub fn defines(&self) -> Option<ValueId> {
        match self {
            StatementKind::Let { value, .. }
            | StatementKind::Load { value, .. }
            | StatementKind::Atomic { value, .. }
            | StatementKind::GroupReduce { value, .. } => Some(*value),
            _ => None,
        }
    }

    /// The variables it sets itself, not those its blocks set.
    pub fn sets(&self) -> SmallVec<[VariableId; 2]> {
        match self {
            StatementKind::Set { variable, .. } | StatementKind::For { variable, .. } => {
                SmallVec::from_slice(&[*variable])
            }
            StatementKind::Call { results, .. } => results
                .iter()
                .filter_map(|result| match result {
                    CallResult::Variable(variable) => Some(*variable),
                    CallResult::Local(_) => None,
                })
                .collect(),
            StatementKind::CallFunction { results, .. } => SmallVec::from_slice(results),
            _ => SmallVec::new(),
        }
    }

    /// The values it uses itself, not those its blocks use.
    pub fn uses(&self) -> SmallVec<[ValueId; 6]> {
        match self {
            StatementKind::Let { op, .. } => op.operands().into_iter().collect(),
            StatementKind::Set { value, .. } => SmallVec::from_slice(&[*value]),
            StatementKind::Load { place, .. } => SmallVec::from_slice(&place.indices),
            StatementKind::Store { place, value } => {
                let mut uses = SmallVec::from_slice(&place.indices);
                uses.push(*value);
                uses
            }
            StatementKind::Atomic {
                place,
                operand,
                expected,
                ..
            } => {
                let mut uses = SmallVec::from_slice(&place.indices);
                uses.push(*operand);
                uses.extend(*expected);
                uses
            }
            StatementKind::If { condition, .. } | StatementKind::While { condition, .. } => {
                SmallVec::from_slice(&[*condition])
            }
            StatementKind::For {
                start, stop, step, ..
            } => SmallVec::from_slice(&[*start, *stop, *step]),
            StatementKind::GroupReduce { operand, .. } => SmallVec::from_slice(&[*operand]),
            StatementKind::Call { arguments, .. }
            | StatementKind::CallFunction { arguments, .. } => SmallVec::from_slice(arguments),
            StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return
            | StatementKind::Barrier { .. } => SmallVec::new(),
        }
    }

    /// Puts other values in the place of those it uses itself, not in its blocks.
    pub fn replace_uses(&mut self, other: &mut dyn FnMut(ValueId) -> ValueId) {
        let indices = |place: &mut Place, other: &mut dyn FnMut(ValueId) -> ValueId| {
            for index in &mut place.indices {
                *index = other(*index);
            }
        };
        match self {
            StatementKind::Let { op, .. } => op.replace_operands(other),
            StatementKind::Set { value, .. } => *value = other(*value),
            StatementKind::Load { place, .. } => indices(place, other),
            StatementKind::Store { place, value } => {
                indices(place, other);
                *value = other(*value);
            }
            StatementKind::Atomic {
                place,
                operand,
                expected,
                ..
            } => {
                indices(place, other);
                *operand = other(*operand);
                if let Some(expected) = expected {
                    *expected = other(*expected);
                }
            }
            StatementKind::If { condition, .. } | StatementKind::While { condition, .. } => {
                *condition = other(*condition);
            }
            StatementKind::For {
                start, stop, step, ..
            } => {
                for value in [start, stop, step] {
                    *value = other(*value);
                }
            }
            StatementKind::GroupReduce { operand, .. } => *operand = other(*operand),
            StatementKind::Call { arguments, .. }
            | StatementKind::CallFunction { arguments, .. } => {
                for argument in arguments {
                    *argument = other(*argument);
                }
            }
            StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return
            | StatementKind::Barrier { .. } => {}
        }
    }

    /// The same with other blocks inside: what `change` makes of each, in the order in which they are written;
    /// `None` if it makes nothing of one.
    pub fn with_blocks(
        &self,
        change: &mut dyn FnMut(&Block) -> Option<Block>,
    ) -> Option<StatementKind> {
        Some(match self {
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => StatementKind::If {
                condition: *condition,
                then: change(then)?,
                otherwise: change(otherwise)?,
            },
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => StatementKind::For {
                variable: *variable,
                start: *start,
                stop: *stop,
                step: *step,
                body: change(body)?,
            },
            StatementKind::While {
                before,
                condition,
                body,
            } => StatementKind::While {
                before: change(before)?,
                condition: *condition,
                body: change(body)?,
            },
            other => other.clone(),
        })
    }

    /// The blocks inside it, to be changed.
    pub fn blocks_mut(&mut self) -> SmallVec<[&mut Block; 2]> {
        let mut blocks = SmallVec::new();
        match self {
            StatementKind::If {
                then, otherwise, ..
            } => blocks.extend([then, otherwise]),
            StatementKind::For { body, .. } => blocks.push(body),
            StatementKind::While { before, body, .. } => blocks.extend([before, body]),
            _ => {}
        }
        blocks
    }

    /// The blocks inside it, in the order in which they are written.
    pub fn blocks(&self) -> SmallVec<[&Block; 2]> {
        match self {
            StatementKind::If {
                then, otherwise, ..
            } => SmallVec::from_slice(&[then, otherwise]),
            StatementKind::For { body, .. } => SmallVec::from_slice(&[body]),
            StatementKind::While { before, body, .. } => SmallVec::from_slice(&[before, body]),
            _ => SmallVec::new(),
        }
    }
}

/// Visits every statement of a block and of the blocks inside it, in the order of the text.
pub fn walk<'a>(block: &'a Block, visit: &mut impl FnMut(&'a Statement)) {
    for statement in block {
        visit(statement);
        for inner in statement.kind.blocks() {
            walk(inner, visit);
        }
    }
}
