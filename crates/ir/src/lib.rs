//! The kernel IR. This page is its specification; [`interpret`](mod@interpret) is its living
//! definition: whatever a code generator makes of a verified kernel gives what the interpreter
//! gives.
//!
//! # Shape
//! A [`Kernel`] is executed once for every *item* of an index space of one to three axes. It is
//! structured (no jumps), typed and flat: every operation is a statement of its own that defines
//! one immutable *value*; values, variables and storage live in arenas of the kernel and are named
//! by their position. A value is visible in the rest of the block that defines it and in the
//! blocks inside that rest, not after the block ends; what must outlive a block or change lives
//! in a *variable*.
//!
//! - **Values** ([`ValueId`]) are scalars of one [`DType`]. They are defined once, by `Let`, `Load`,
//!   `Atomic` or `GroupReduce`.
//! - **Variables** ([`VariableId`]) are scalars private to an item. `Op::Get` reads one, `Set`
//!   writes one. They begin as zero.
//! - **Arrays** are parameters (in global memory, with run-time shape), storage (of constant shape,
//!   shared by a group or private to an item) or local arrays of host kernels. Only `Load`, `Store` and `Atomic` touch them.
//!   Private storage begins undefined for each item, local storage for each group.
//!
//! Operations ([`Op`]) are pure: all side effects are in statements. There is no implicit
//! conversion: operands have the same dtype unless the operation says otherwise.
//!
//! # Kinds of kernel
//! - A *parallel region* ([`KernelKind::Region`]): items run in any order, at the same time or not,
//!   and know nothing of one another. It may declare *reductions*: a variable that each item
//!   starts with the operator's identity and leaves with its contribution. After the last item the
//!   contributions are combined with what element `[]` of the target held and stored there. In what
//!   order they are combined is the target's choice.
//! - An *nd-range kernel* ([`KernelKind::NdRange`]): items form groups, which share local storage and
//!   meet at barriers. Group sizes divide global sizes. Only here are local ids, local storage,
//!   barriers and group reductions allowed.
//! - A *host kernel* ([`KernelKind::Host`]): one item, on the processor that launches it, without an
//!   index space. Only here are there calls into the runtime ([`StatementKind::Call`]), through a
//!   callback and a context that are its first two parameters, and *local arrays*
//!   ([`Kernel::locals`]), which calls give: until one has, such an array has extents of 0 and no
//!   elements. It may have *functions* ([`Kernel::functions`]), which may call one another and
//!   themselves: kernels of the kind [`KernelKind::Function`] whose parameters are scalars
//!   and not complex, with variables and values of their own. Their local arrays are strided and
//!   stand for arrays of whoever calls them.
//!
//! A [`StatementKind::Barrier`] is reached by all items of a group or by none: the verifier rejects a
//! kernel in which control flow around a barrier depends on the item ([`uniformity`]).
//! Two items may touch the same element, one of them writing, only if a barrier lies between or both
//! accesses are atomic; otherwise what is read is one of the values written or what was there before.
//!
//! # Semantics of operations
//! Everything is total: no operation traps or has undefined behaviour, whatever its operands,
//! except access outside an array.
//! - Integers are two's complement and wrap. [`BinaryOp::Quotient`] rounds to zero,
//!   [`BinaryOp::FloorDivide`] down; dividing by zero gives 0, the remainder by zero is 0, and
//!   `MIN / -1` is `MIN` with remainder 0, as in NumPy. `Modulo` has the sign of the divisor.
//!   Shifts by less than 0 or by at least the width give what shifting by the width would: 0, or -1
//!   for a right shift of a negative number. `Power` with a negative exponent gives
//!   0, except for bases 1 and -1.
//! - Floats are IEEE 754 with default rounding; nothing is re-associated or contracted unless
//!   [`Kernel::fast_math`] is set. `FloorDivide` and `Modulo` of floats are NumPy's
//!   `floor_divide` and `remainder`. `Minimum` and `Maximum` give NaN if either is NaN.
//!   Comparisons with NaN are false, except `NotEqual`.
//! - Complex numbers are pairs; multiplication and division are NumPy's formulas. They
//!   compare only for equality.
//! - `Convert`: to bool is "not zero"; between integers wraps; from float to integer rounds to
//!   zero, and what does not fit gives what NumPy gives ([`interpret::integer_from_float`]); from complex to real drops the imaginary part.
//! - `Bitcast` keeps the bits. Which bits a NaN has that an operation gave is not specified.
//! - `Select` evaluates nothing: both operands already have a value.
//!
//! # Core
//! Code generators take *core* kernels only: those in which [`verify_core`] finds nothing. In core
//! there are no complex values (arrays and scalar parameters of complex dtype are reached by
//! [`Part`]), float16 values are only loaded, stored, converted, bit-cast, selected and kept in variables,
//! and there is no `FloorDivide`, `Modulo`, `Power`, `GroupReduce`. The crate `colocate-passes` makes a
//! kernel core.

pub mod access;
mod builder;
pub mod in_parts;
pub mod interpret;
mod kernel;
mod literal;
pub mod loop_versions;
mod operation;
pub mod overwrites;
mod print;
pub mod range_checks;
pub mod ranges;
mod statement;
pub mod uniformity;
mod verify;

#[cfg(feature = "arbitrary")]
pub mod arbitrary;

pub use builder::{KernelBuilder, Mark};
pub use colocate_diag::{Site, Span};
pub use colocate_dtype::{DType, Kind};
pub use kernel::{
    ECHO_CALLEE, HOST_PARAMS, HostFunctionId, Kernel, KernelKind, Layout, LocalArray, LocalId,
    Param, ParamId, ParamKind, RECURSION_CALLEE, Reduction, Storage, StorageClass, StorageId,
    Variable, VariableId,
};
pub use literal::Literal;
pub use operation::{
    BinaryOp, CompareOp, IndexFunction, MathFunction, Op, Part, ReductionOperator, UnaryOp,
};
pub use statement::{
    ArrayRef, AtomicOp, Block, CallResult, Place, Statement, StatementKind, ValueId, walk,
};
pub use verify::{Violation, verify, verify_core};
