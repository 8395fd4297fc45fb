//! What a kernel consists of, apart from its statements.

use crate::{Block, DType, ReductionOperator, ValueId};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($prefix:literal);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// Its position in its arena.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    )*};
}
pub(crate) use ids;

ids! {
    /// A parameter: its position in [`Kernel::params`].
    ParamId("p");
    /// A variable: its position in [`Kernel::variables`].
    VariableId("x");
    /// Storage: its position in [`Kernel::storage`].
    StorageId("s");
    /// A local array: its position in [`Kernel::locals`].
    LocalId("a");
    /// A function: its position in [`Kernel::functions`].
    HostFunctionId("f");
}

/// How many parameters a host kernel begins with that calls are made through: the address of the
/// callback and its context, both `uint64`. Functions begin with the same ones; calls of
/// functions do not mention them.
pub const HOST_PARAMS: usize = 2;

/// The callee of the call that is made, without arguments, when there is no room for another call of a
/// function on the stack. The kernel ends after it, whatever its status.
pub const RECURSION_CALLEE: u32 = u32::MAX;

/// The callee of a call that is none: its results are its arguments, as they are. So words from memory become what
/// variables hold, or describe an array.
pub const ECHO_CALLEE: u32 = u32::MAX - 1;

/// A function over an index space; see the crate's documentation.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// An identifier: ASCII letters, digits and underscores, not beginning with a digit.
    pub name: String,
    /// How many axes the index space has: 1, 2 or 3.
    pub rank: u8,
    /// Region, nd-range, host, or function of a host kernel.
    pub kind: KernelKind,
    /// What it is called with.
    pub params: Vec<Param>,
    /// Private scalars.
    pub variables: Vec<Variable>,
    /// Arrays of constant shape.
    pub storage: Vec<Storage>,
    /// Arrays that calls give; host kernels only.
    pub locals: Vec<LocalArray>,
    /// What it calls by [`StatementKind::CallFunction`](crate::StatementKind::CallFunction), and
    /// what those call; host kernels only. Each is of the kind `Function`.
    pub functions: Vec<Kernel>,
    /// The dtype of every value.
    pub values: Vec<DType>,
    /// What each item does.
    pub body: Block,
    /// Floats may be re-associated and contracted, and the sign of a zero may get lost.
    pub fast_math: bool,
    /// A promise of who launches it: no array that it writes shares memory with another one of its
    /// parameters. Code generators may rely on it.
    pub disjoint: bool,
    /// A promise of who launches it: groups have these extents, 1 beyond the rank. Code generators
    /// may rely on it.
    pub group: Option<[u32; 3]>,
}

/// What the items know of one another.
#[derive(Clone, Debug, PartialEq)]
pub enum KernelKind {
    /// Nothing.
    Region {
        /// Combined over all items.
        reductions: Vec<Reduction>,
    },
    /// They form groups.
    NdRange,
    /// There is only one, and it runs on the processor that launches it.
    Host,
    /// There is only one, and it is done whenever a host kernel calls it.
    Function {
        /// What it gives: what these variables hold when it returns. They are not complex.
        results: Vec<VariableId>,
    },
}

/// A value combined over all items of a region.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// How.
    pub operator: ReductionOperator,
    /// Each item's contribution. Its dtype is bool, an integer or a real float.
    pub variable: VariableId,
    /// An array parameter of rank 0 and the same dtype.
    pub target: ParamId,
}

/// An argument a kernel is called with.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The name in the user's program.
    pub name: String,
    /// What it is.
    pub kind: ParamKind,
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// A value, the same for all items.
    Scalar(DType),
    /// An array in global memory. Arrays may overlap one another.
    Array {
        /// Of its elements.
        dtype: DType,
        /// Its number of axes, from 0 up.
        rank: u8,
        /// How its elements lie in memory.
        layout: Layout,
    },
}

impl ParamKind {
    /// Of the value or the elements.
    pub const fn dtype(self) -> DType {
        match self {
            ParamKind::Scalar(dtype) | ParamKind::Array { dtype, .. } => dtype,
        }
    }

    /// How many 64-bit slots the argument takes in the argument block that all targets share: an
    /// array is its address, its extents, and if strided its strides in bytes; a scalar is its
    /// bytes (complex128 takes two slots, anything else one).
    pub const fn slots(self) -> usize {
        match self {
            ParamKind::Scalar(DType::Complex128) => 2,
            ParamKind::Scalar(_) => 1,
            ParamKind::Array { rank, layout, .. } => {
                1 + rank as usize
                    + match layout {
                        Layout::Contiguous => 0,
                        Layout::Strided => rank as usize,
                    }
            }
        }
    }
}

/// How an array's elements lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// C order without gaps, aligned to the element: strides follow from the shape.
    Contiguous,
    /// Any strides in bytes, zero and negative ones too, and any alignment.
    Strided,
}

/// A scalar private to an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The name in the user's program, for readers.
    pub name: String,
    /// Its type.
    pub dtype: DType,
}

/// An array of constant shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Storage {
    /// The name in the user's program, for readers and messages.
    pub name: String,
    /// Of its elements.
    pub dtype: DType,
    /// Its extents, all positive.
    pub shape: Vec<u32>,
    /// Whose it is.
    pub class: StorageClass,
}

impl Storage {
    /// How many elements it has.
    pub fn size(&self) -> usize {
        self.shape.iter().map(|&extent| extent as usize).product()
    }
}

/// An array that calls give. It has no elements until one has.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalArray {
    /// The name in the user's program, for readers and messages.
    pub name: String,
    /// Of its elements.
    pub dtype: DType,
    /// Its number of axes, from 0 up.
    pub rank: u8,
    /// How its elements lie in memory, whichever call it comes from.
    pub layout: Layout,
}

impl LocalArray {
    /// How many words a call gives for it: its address, its extents, and its strides in bytes,
    /// which are there for contiguous arrays too.
    pub const fn words(&self) -> usize {
        1 + 2 * self.rank as usize
    }
}

/// Whose an array of constant shape is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StorageClass {
    /// A group's.
    Local,
    /// An item's.
    Private,
}

impl Kernel {
    /// Of a value.
    pub fn dtype(&self, value: ValueId) -> DType {
        self.values[value.index()]
    }

    /// The declared reductions; only regions have any.
    pub fn reductions(&self) -> &[Reduction] {
        match &self.kind {
            KernelKind::Region { reductions } => reductions,
            KernelKind::NdRange | KernelKind::Host | KernelKind::Function { .. } => &[],
        }
    }

    /// Whether its items form groups.
    pub fn is_nd_range(&self) -> bool {
        matches!(self.kind, KernelKind::NdRange)
    }

    /// Whether it is one item on the processor that launches it: a host kernel or a function of
    /// one.
    pub fn is_host(&self) -> bool {
        matches!(self.kind, KernelKind::Host | KernelKind::Function { .. })
    }

    /// The variables that a function gives back; none for other kernels.
    pub fn results(&self) -> &[VariableId] {
        match &self.kind {
            KernelKind::Function { results } => results,
            _ => &[],
        }
    }

    /// The slot of the argument block that a parameter begins at.
    pub fn slot(&self, param: ParamId) -> usize {
        let before = &self.params[..param.index()];
        before.iter().map(|param| param.kind.slots()).sum()
    }
}
