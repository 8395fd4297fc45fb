//! What a jit function becomes: a host part, the calls that it makes into the runtime, and the
//! regions that run as kernels.
//!
//! The host part is an IR kernel of kind [`KernelKind::Host`](ir::KernelKind): one item, compiled for
//! this processor. Its arrays are *locals*: descriptors (address, extents, strides) that only calls
//! set. Whoever executes the program keeps for each local the array that it stands for; a call names
//! locals by number and gets everything else as words of 64 bits: integers sign-extended, bools as 0 or
//! 1, floats as their bits in the low bytes; a complex number is two words of float64 bits.

pub use crate::list_calls::{ListCall, ListItem, ShownList};
use crate::{Captured, Diagnostic, FunctionId, SourceFile, ir};
use colocate_diag::Site;
use colocate_ir::range_checks::RangeChecks;
use colocate_ir::{DType, LocalId, VariableId};

/// A compiled jit function for arguments of certain types.
#[derive(Clone, Debug)]
pub struct Program {
    /// The host part. Its scalar parameters are the scalar leaves of the arguments in order; the
    /// array leaves are fetched by [`Call::Argument`].
    pub host: ir::Kernel,
    /// What its call statements do, by number.
    pub calls: Vec<Call>,
    /// What runs as kernels.
    pub regions: Vec<Region>,
    /// What the sites point into; the function's own file is the first.
    pub files: Vec<SourceFile>,
    /// The source with the inferred types.
    pub listing: String,
    /// Everything that was looked up; while all of it is as it was, the program is valid.
    pub captured: Vec<(FunctionId, String, Captured)>,
    /// What was decided, for explanations.
    pub notes: Vec<Note>,
    /// Lists among the arguments. If there are any, the result is a tuple: what the function returns,
    /// and for each of them what it holds at the end, if it was changed.
    pub updates: Vec<Update>,
    /// The numbers of the calls whose failure the host part sees: their first result is 0, or if they
    /// failed the handle of the exception and 1.
    pub guarded: Vec<usize>,
    /// Whether it may raise because it is not known which extents of its arguments are 1: with arguments that are
    /// [`crate::ArgumentType::Thin`] it need not.
    pub wants_ones: bool,
    /// Whether something that Python holds has a float as its index, which raises unless the number is an int that was
    /// read as a float because there are floats beside it.
    pub indexes_by_float: bool,
    /// Whether it may be begun again, wherever it stopped: nothing that it does before its end is seen.
    pub is_repeatable: bool,
}

/// A list among the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// Its number among all leaves of the arguments.
    pub leaf: usize,
    /// Whether the function may change it.
    pub changed: bool,
}

/// A data-parallel part of a function.
#[derive(Clone, Debug)]
pub struct Region {
    /// What runs, a region.
    pub kernel: ir::Kernel,
    /// Its parameters in order.
    pub parameters: Vec<RegionParameter>,
    /// The places of the program that went into it, the last one first.
    pub sites: Vec<Site>,
    /// In a few words: "array expression", "sum", "prange loop".
    pub what: String,
    /// How many items to run at a time on the host, where the front end knows better than the code
    /// generator.
    pub lanes: Option<u32>,
    /// Whether it is a loop of the program: its arrays may overlap as the program's memory does.
    /// Array expressions are to give what computing the right side first would.
    pub is_loop: bool,
    /// Whether its second axis is a loop inside the loop: where arrays overlap, its turns must be done in
    /// order.
    pub is_nest: bool,
    /// A better kernel for launches of which something is known.
    pub usual: Option<Usual>,
    /// Whether it is only there for launches that hardly happen: it is compiled when one does.
    pub rare: bool,
}

/// A kernel of a region that most launches may take.
#[derive(Clone, Debug)]
pub struct Usual {
    /// Without the checks of indices that are decided before it runs. Parameters are those of the
    /// region's kernel. If it is `disjoint`, that must hold.
    pub kernel: ir::Kernel,
    /// What else must hold.
    pub checks: RangeChecks,
}

impl Region {
    /// The variable in which items note that they fail.
    pub fn failure(&self) -> Option<VariableId> {
        let mut reductions = self.kernel.reductions().iter();
        let failure = reductions.find(|one| self.kernel.params[one.target.index()].name == FAILURE);
        failure.map(|one| one.variable)
    }

    /// The kernel that most launches take.
    pub fn usual_kernel(&self) -> &ir::Kernel {
        self.usual
            .as_ref()
            .map_or(&self.kernel, |usual| &usual.kernel)
    }
}

/// The name of the parameter of a region's kernel in which failures of its items are gathered, a
/// reduction.
pub const FAILURE: &str = "failure";

/// A parameter of a region's kernel.
#[derive(Clone, Debug, PartialEq)]
pub enum RegionParameter {
    /// A local.
    Array {
        /// Which.
        local: LocalId,
        /// Whether the region reads it.
        reads: bool,
        /// Whether the region writes it.
        writes: bool,
        /// Whether every item reaches only the element at its own position, of the whole array: then
        /// it may be the same array as another aligned one that the region writes.
        aligned: bool,
    },
    /// A number; one word of the call (two if complex).
    Scalar(DType),
    /// A cell in which a reduction ends: one word of the call is what it starts with, one result is
    /// what it holds after the last item.
    Reduction(DType),
}

impl RegionParameter {
    /// Whether it is an array that the region writes.
    pub fn writes(&self) -> bool {
        matches!(self, RegionParameter::Array { writes: true, .. })
    }
}

/// Something that was decided about a place of the program.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Where.
    pub site: Site,
    /// In words: "fused into the region of line 7", "kept on the host: …".
    pub text: String,
}

/// An axis of the array under a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewAxis {
    /// At one position; one word: the position, inside the array.
    Fixed,
    /// All of it.
    Whole,
    /// Three words: start, step, length; inside the array if the length is not 0.
    Sliced,
    /// Not of the array: an axis of extent 1. These come after all of the array's own.
    New,
}

/// What a call of the host part does. Unless said otherwise a call has no words and no results.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// Makes an array among the arguments a local. Result: the local.
    Argument {
        /// Its number among all leaves of the arguments.
        leaf: usize,
        /// What it becomes.
        local: LocalId,
    },
    /// Makes an array. Words: the extents, checked by the callee (a negative one raises ValueError).
    /// Result: the local.
    Allocate {
        /// What it becomes; its dtype and rank are those of the local.
        local: LocalId,
        /// Whether it begins as zeros; else as anything.
        zeros: bool,
        /// Whether axes lie in reverse order in memory.
        fortran: bool,
    },
    /// A view of an array (shares its memory). Words: those of the axes, in order. Result: the
    /// local.
    View {
        /// Of which array.
        from: LocalId,
        /// One for each axis of the array, then new ones.
        axes: Vec<ViewAxis>,
        /// The axes of the view: positions in `axes`.
        free: Vec<usize>,
        /// What it becomes.
        local: LocalId,
    },
    /// An array in another shape, a copy if it must be. Words: the extents, of which one may be
    /// -1. Result: the local.
    Reshape {
        /// Of which array.
        from: LocalId,
        /// Whether elements that do not lie side by side are copied in any case.
        packed: bool,
        /// What it becomes.
        local: LocalId,
    },
    /// Runs a region, and waits if it has reductions or the host may look at the result. Words: the
    /// extents of the index space, one for each axis of the kernel; then those of its parameters
    /// in order. Results: the reductions in order.
    Launch {
        /// Which.
        region: usize,
    },
    /// Calls a function on arrays where they are, as the array library does. Words: those of the scalars in the
    /// arguments, in order. Results: the leaves of the result in order.
    Library {
        /// Its qualified name in NumPy's terms, such as `numpy.linalg.solve`, or
        /// `method.sort` for a method of the first argument.
        function: String,
        /// Positional arguments.
        arguments: Vec<Operand>,
        /// Keyword arguments.
        keywords: Vec<(String, Operand)>,
        /// What comes back.
        result: Outcome,
        /// Locals whose contents it changes.
        changes: Vec<LocalId>,
    },
    /// Draws a random number. Result: a float64, or a uint64.
    Draw {
        /// From which generator.
        from: Generator,
        /// What; of [`Drawn::UpTo`] one word, the largest (a uint64), and of [`Drawn::SomeBits`] one, how many.
        what: Drawn,
    },
    /// Fills a float64 array, row-major without gaps, with numbers of NumPy's generator. Words: where their range
    /// begins, and how long it is; both float64.
    FillRandom {
        /// Which.
        local: LocalId,
    },
    /// An array of one axis for the items of a new list; it may be the one that the local was, if nothing else refers
    /// to that. Words: how many items there must be room for. Result: the local, with that room or more.
    Room {
        /// What it becomes.
        local: LocalId,
    },
    /// What the first elements of an array of one axis are to those of another of the same dtype, one after the other, as
    /// [`ListCall::Compare`] says it. Words: how many of each. Result: the same.
    Compare {
        /// The one.
        local: LocalId,
        /// The other.
        with: LocalId,
    },
    /// Puts elements of another array of one axis in the place of some of this one's, which may get more room. Words: how
    /// many count here; the positions of the first one to be replaced, and of the first after those; how many come from
    /// the other. Result: the local.
    Splice {
        /// Which.
        local: LocalId,
        /// Where the new ones come from.
        from: LocalId,
    },
    /// Puts the first elements of an array of one axis in order, in place; equal ones stay as they are, and what has no
    /// order comes last. Words: how many, and whether the greatest comes first.
    Sort {
        /// Which.
        local: LocalId,
    },
    /// Gives an array of one axis more room, keeping its elements. Words: the new extent. Result: the
    /// local.
    Grow {
        /// Which.
        local: LocalId,
    },
    /// Something with a list that the runtime holds, which the host part knows by its number.
    List(ListCall),
    /// Makes the host's view of an array valid before host code touches it. Result: the local.
    ToHost {
        /// Which.
        local: LocalId,
        /// Whether the host writes it.
        writes: bool,
    },
    /// The arrays are not used any more.
    Release {
        /// Which.
        locals: Vec<LocalId>,
    },
    /// Prints, as Python's print does. Words: those of the scalars, in order.
    Print {
        /// What, in order.
        parts: Vec<Operand>,
        /// Between them.
        separator: String,
        /// After them.
        end: String,
    },
    /// Raises an exception; the host part ends. Words: those of the scalars, in order, and those of the lists.
    Raise {
        /// Its class.
        class: Exception,
        /// Its arguments.
        arguments: Vec<Operand>,
        /// What the lists among the arguments hold by then, where it is known.
        lists: Vec<Operand>,
        /// Whether they are put together to one message.
        joined: bool,
        /// For the traceback.
        site: Site,
    },
    /// The result of the function; the host part ends after it. Words: those of the scalars, in order.
    Return {
        /// What is returned.
        value: Operand,
    },
}

impl Call {
    /// Whether arrays of the program are named in it.
    pub fn names_arrays(&self) -> bool {
        let any = |operands: &[Operand]| operands.iter().any(Operand::names_arrays);
        match self {
            Call::Library {
                arguments,
                keywords,
                result,
                changes,
                ..
            } => {
                any(arguments)
                    || keywords.iter().any(|(_, one)| one.names_arrays())
                    || result.names_arrays()
                    || !changes.is_empty()
            }
            Call::Print { parts, .. } => any(parts),
            Call::Raise {
                arguments, lists, ..
            } => any(arguments) || any(lists),
            Call::Draw { .. } => false,
            Call::List(call) => match call {
                ListCall::Hold { .. } | ListCall::Open { .. } | ListCall::Close { .. } => true,
                ListCall::Get { locals, .. }
                | ListCall::Set { locals, .. }
                | ListCall::Insert { locals, .. } => !locals.is_empty(),
                _ => false,
            },
            _ => true,
        }
    }
}

impl Operand {
    fn names_arrays(&self) -> bool {
        match self {
            Operand::Local(_) | Operand::Items { .. } => true,
            Operand::Tuple(items)
            | Operand::List(items)
            | Operand::Named(_, items)
            | Operand::Slice(items) => items.iter().any(Operand::names_arrays),
            _ => false,
        }
    }
}

impl Outcome {
    fn names_arrays(&self) -> bool {
        match self {
            Outcome::Local(_) => true,
            Outcome::Tuple(items) => items.iter().any(Outcome::names_arrays),
            _ => false,
        }
    }
}

/// A generator of random numbers that belongs to the whole process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generator {
    /// That of `numpy.random`'s functions.
    NumPy,
    /// That of the module `random`.
    Python,
}

/// A random number, as NumPy's functions make it of their generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Drawn {
    /// From 0 to below 1: float64. Python's generator makes it, too.
    Unit,
    /// Normal: float64.
    Normal,
    /// Exponential with mean 1: float64.
    Exponential,
    /// An integer from 0 to a largest one: uint64. Python's generator makes it, too.
    UpTo,
    /// 64 bits: uint64. Python's generator makes them, too.
    Bits,
    /// So many bits, of Python's generator: int64. The number of bits is an int64.
    SomeBits,
}

impl Drawn {
    /// Whether the call that draws it has a word.
    pub fn is_given_a_word(self) -> bool {
        matches!(self, Drawn::UpTo | Drawn::SomeBits)
    }
}

/// The class of an exception.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exception {
    /// A builtin, by its name.
    Builtin(String),
    /// Another class, by its number in the environment.
    Handle(u32),
    /// That of the exception itself, which is the only argument.
    Own,
}

/// A value that a call is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// An array.
    Local(LocalId),
    /// A number: one word, two if complex. A weak one is a Python number.
    Scalar {
        /// Its dtype.
        dtype: DType,
        /// Whether it is a Python number.
        weak: bool,
    },
    /// Known while compiling: None, numbers, strings, dtypes and tuples of them.
    Constant(Captured),
    /// A tuple.
    Tuple(Vec<Operand>),
    /// A list.
    List(Vec<Operand>),
    /// A list of the first elements of an array; one word: how many. Weak ones are Python numbers.
    Items {
        /// The array.
        local: LocalId,
        /// Whether they are Python numbers.
        weak: bool,
    },
    /// The list that is the argument of a leaf; one word: how many items it has.
    ListArgument(usize),
    /// A list that the runtime holds; one word: its number.
    Held(ListItem),
    /// A named tuple: its class's number in the environment, and the items.
    Named(u32, Vec<Operand>),
    /// A slice: start, stop, step.
    Slice(Vec<Operand>),
    /// `...`
    Ellipsis,
    /// A Python object that the program holds; one word: its handle.
    Object,
}

/// What is known of a Python object that a program holds while it runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ObjectType {
    /// Not known yet: what a container holds that began empty.
    Unknown,
    /// A number.
    Scalar {
        /// Its dtype.
        dtype: DType,
        /// Whether it is a Python number.
        weak: bool,
    },
    /// A string.
    Text,
    /// `None`.
    None,
    /// Something, or `None`.
    Optional(Box<ObjectType>),
    /// A tuple of these items.
    Tuple(Vec<ObjectType>),
    /// A named tuple of these items.
    Named(Box<NamedClass>, Vec<ObjectType>),
    /// An array.
    Array {
        /// Of its elements.
        dtype: DType,
        /// How many axes it has.
        rank: u8,
    },
    /// A list of such items.
    List(Box<ObjectType>),
    /// A tuple of such items, of any length.
    Sequence(Box<ObjectType>),
    /// A set of such items.
    Set(Box<ObjectType>),
    /// A frozen set of such items.
    FrozenSet(Box<ObjectType>),
    /// A dictionary of such keys and values.
    Dict(Box<ObjectType>, Box<ObjectType>),
    /// A dictionary of these strings, each of which has a value of its own type.
    Fields(Vec<(String, ObjectType)>),
    /// What gives such items one by one.
    Iterator(Box<ObjectType>),
    /// An exception.
    Exception,
    /// A generator of random numbers, `numpy.random.Generator`.
    Generator,
    /// NumPy's older one, `numpy.random.RandomState`.
    RandomState,
    /// An object of a class of the program's own, which the function has made.
    Instance(Box<NamedClass>),
    /// An object of which only Python knows what it does, such as bytes, a date or an array of texts: the text
    /// says of what kind it is to who makes examples of it.
    Foreign(String),
}

/// A class of named tuples.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NamedClass {
    /// What [`Operand::Named`] names it by.
    pub handle: u32,
    /// Its name.
    pub name: String,
    /// The names of its items.
    pub fields: Vec<String>,
}

/// What comes back from a library function.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Nothing.
    None,
    /// An array, converted to the local's dtype if it must be.
    Local(LocalId),
    /// A number: one word, two if complex.
    Scalar(DType),
    /// A tuple or a list.
    Tuple(Vec<Outcome>),
    /// A list of any length, which the runtime holds: one word, its number.
    Held(ListItem),
    /// A Python object; one word: its handle.
    Object,
}

/// The type of an argument or result of a library function, for [`crate::Environment::library`].
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryType {
    /// An array.
    Array {
        /// Of its elements.
        dtype: DType,
        /// How many axes it has.
        rank: u8,
    },
    /// A number.
    Scalar {
        /// Its dtype.
        dtype: DType,
        /// Whether it is a Python number.
        weak: bool,
    },
    /// Known while compiling.
    Constant(Captured),
    /// A tuple.
    Tuple(Vec<LibraryType>),
    /// A named tuple, as a result: its class, which is a [`Captured::NamedTuple`], and its items.
    Named(Box<Captured>, Vec<LibraryType>),
    /// A list.
    List(Vec<LibraryType>),
    /// A slice.
    Slice(Vec<LibraryType>),
    /// `...`
    Ellipsis,
    /// `None`, as a result.
    None,
    /// A Python object that the program holds.
    Object(ObjectType),
}

/// How a jit function is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProgramOptions {
    /// Whether floats may be re-associated.
    pub fast_math: bool,
    /// Whether regions are made at all; without them everything is host code.
    pub parallel: bool,
    /// Whether host code reaches the memory of the device that regions run on.
    pub unified: bool,
    /// Whether indices are checked.
    pub check_bounds: bool,
    /// Whether dividing by zero raises, as in Python.
    pub python_errors: bool,
    /// Whether an int among floats in a container of Python's stays one, as only Python knows then what a number of it is.
    pub numbers_as_they_are: bool,
}

/// Why there is no program.
pub type Failed = (Vec<Diagnostic>, Vec<SourceFile>);
