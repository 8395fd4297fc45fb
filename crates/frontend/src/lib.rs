//! Python source to kernel IR.
//!
//! [`compile_kernel`] takes a function's source text and the types of its arguments and gives an
//! [`ir::Kernel`] that computes, for one item, what Python itself would compute if it ran
//! the function on NumPy arrays. Names from outside the function are asked for through
//! [`Environment`]; functions among them are inlined.
//!
//! The translation is one walk over the syntax tree that types and emits at the same time: every
//! expression gives an abstract value, which holds what is known of it (its type, whether it is a
//! constant) and the IR value. Where paths meet, types are joined; loops are emitted
//! again until what their end gives fits what their beginning assumed.
//!
//! All mistakes of a function are collected. No source text makes this crate panic.
//! It knows no runtime and no Python object.

use std::sync::Arc;

pub use colocate_diag::{Diagnostic, SourceFile, Span};
pub use colocate_ir as ir;
use colocate_ir::{DType, Layout, Literal};
pub use host::part::LIST_CLASS;
pub use value::OBJECT_OF;

pub mod arrays;
mod assignments;
mod atomics;
mod builtins_colocate;
mod builtins_math;
mod builtins_numpy;
mod builtins_python;
mod calls;
pub mod codes;
mod comparisons;
mod complex_math;
mod complex_order;
mod constants;
mod conversions;
mod expressions;
mod first_turns;
mod global_names;
mod guesses;
pub mod host;
mod inline;
mod joins;
mod list_calls;
mod listing;
mod loops;
mod names;
mod near;
mod numpy_arithmetic;
pub mod objects;
mod operators;
mod parse;
mod private_names;
pub mod program;
mod scope;
mod shared_variables;
mod starred_arguments;
mod statements;
mod subscripts;
mod syntax;
mod translate;
mod types;
mod unset_variables;
mod value;
mod views;

/// A function of the user's program, in the numbering of an [`Environment`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// The source of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSource {
    /// The text of its `def` with its decorators, indented as it is in the file.
    pub file: SourceFile,
    /// Its name.
    pub name: String,
    /// The class in whose text it stands.
    pub class: Option<String>,
}

/// What a name outside the function refers to.
#[derive(Clone, Debug, PartialEq)]
pub enum Captured {
    /// `None`.
    None,
    /// A Python bool.
    Bool(bool),
    /// A Python int.
    Int(i128),
    /// A Python float.
    Float(f64),
    /// A Python complex number.
    Complex(f64, f64),
    /// A NumPy scalar, which keeps its dtype.
    NumpyScalar(Literal),
    /// A string.
    Str(String),
    /// A dtype or a NumPy scalar type, such as `numpy.float32`.
    Dtype(DType),
    /// A tuple.
    Tuple(Vec<Captured>),
    /// A slice: start, stop, step.
    Slice(Vec<Captured>),
    /// A range: start, stop, step.
    Range([i64; 3]),
    /// `...`
    Ellipsis,
    /// A class of named tuples.
    NamedTuple {
        /// What [`program::Operand::Named`] names it by.
        handle: u32,
        /// Its name.
        name: String,
        /// The names of its items.
        fields: Vec<String>,
        /// Of records, how many axes each field has of its own; their items are arrays.
        own_axes: Option<Vec<usize>>,
        /// Whether it is a class of objects with attributes, which are no tuples.
        is_instance: bool,
    },
    /// A dictionary of functions.
    Functions(Vec<(String, Captured)>),
    /// A named tuple: its class, and its items.
    NamedItems(Box<Captured>, Vec<Captured>),
    /// A module, or any namespace that attributes can be asked of.
    Module {
        /// What [`Environment::attribute`] is asked with.
        handle: u32,
        /// Its full name.
        name: String,
    },
    /// A function this crate knows, by its qualified name: `colocate.get_global_id`, `math.sin`,
    /// `numpy.sin`, `builtins.min`.
    Builtin(String),
    /// A function whose source is to be inlined.
    Function(FunctionId),
    /// A class of exceptions.
    Exception {
        /// What [`program::Exception::Handle`] names it by; `None` for a builtin.
        handle: Option<u32>,
        /// Its name.
        name: String,
    },
    /// A kernel, by its name.
    Kernel(String),
    /// An array, by the name of its type.
    Array {
        /// For messages, such as `numpy.ndarray`.
        type_name: String,
    },
    /// An array outside a jit function, which the function reads and writes where it is.
    GlobalArray {
        /// Its number in the environment.
        number: u32,
        /// Of its elements.
        dtype: DType,
        /// Its number of axes.
        rank: u8,
        /// How its elements lie in memory.
        layout: Layout,
        /// Whether it may be written to.
        writable: bool,
    },
    /// A list, a set or a dictionary outside a jit function, which the function looks into where it is.
    Held {
        /// Its number in the environment.
        number: u32,
        /// What it holds.
        kind: program::ObjectType,
    },
    /// Anything else.
    Unsupported {
        /// For messages, with its article, such as `a list`.
        description: String,
    },
}

/// The world around a function; the caller looks things up in the live program.
pub trait Environment {
    /// The source of a function it has given out.
    fn function(&self, id: FunctionId) -> Arc<FunctionSource>;
    /// What a name means in a function: its closure, its globals, then Python's builtins.
    fn name(&mut self, function: FunctionId, name: &str) -> Option<Captured>;
    /// The default of a parameter, as it was computed where the function was defined.
    fn default_value(&mut self, function: FunctionId, parameter: &str) -> Option<Captured> {
        let _ = (function, parameter);
        None
    }
    /// An attribute of a module.
    fn attribute(&mut self, module: u32, name: &str) -> Option<Captured>;
    /// The members of an enumeration, in their order; nothing if a namespace is none.
    fn members(&mut self, namespace: u32) -> Option<Vec<Captured>> {
        let _ = namespace;
        None
    }
    /// The function that computes an attribute of an object outside, which is a property of its class; nothing if it is
    /// none.
    fn property(&mut self, namespace: u32, name: &str) -> Option<Captured> {
        let _ = (namespace, name);
        None
    }
    /// The kind of object that a member of an enumeration is; nothing if a namespace is none.
    fn kind_of_member(&mut self, namespace: u32) -> Option<String> {
        let _ = namespace;
        None
    }
    /// Names that exist in a module, for suggestions; of the function's globals for `""`.
    fn near_names(&self, module_name: &str) -> Vec<String>;
    /// What an argument is that is known while compiling.
    fn object(&mut self, number: u64) -> Option<Captured> {
        let _ = number;
        None
    }
    /// The module that a function's global variables belong to; nothing if there is none.
    fn own_module(&mut self, function: FunctionId) -> Option<Captured> {
        let _ = function;
        None
    }
    /// The number of a namespace one of whose attributes the program assigns to, from now on unwatched, and what the
    /// attribute is, if there is one; nothing if an assignment might do something else.
    fn assigned_attribute(
        &mut self,
        namespace: u32,
        name: &str,
    ) -> Option<(u32, Option<Captured>)> {
        let _ = (namespace, name);
        None
    }
    /// Says what the program was compiled for an assigned attribute of a namespace to hold when it begins.
    fn expect_outside(&mut self, namespace: u32, name: &str, kind: &program::ObjectType) {
        let _ = (namespace, name, kind);
    }
    /// What an object from outside and those that it leads to hold under their names, by the names of their classes.
    fn attributes_outside(&mut self, namespace: u32) -> Vec<(String, String, program::ObjectType)> {
        let _ = namespace;
        Vec::new()
    }
    /// The number of a namespace or a function among the objects that the program names, so that it can
    /// be returned.
    fn number(&mut self, what: Named) -> Option<u32> {
        let _ = what;
        None
    }
    /// A stencil of the function inside another one that has this name and begins at this line and column; or why there
    /// is none.
    fn stencil(
        &mut self,
        around: FunctionId,
        name: &str,
        place: (usize, usize),
        options: &[(String, Captured)],
    ) -> Result<Captured, String> {
        let _ = (around, name, place, options);
        Err("there are no stencils here".into())
    }
    /// A module that a function imports by its full name.
    fn import(&mut self, module: &str) -> Option<Captured> {
        let _ = module;
        None
    }
    /// The dtype of records whose fields are written down, as `numpy.dtype` takes them; nothing if there is none.
    fn record_dtype(&mut self, fields: &[Captured]) -> Option<Captured> {
        let _ = fields;
        None
    }
    /// What the program has put into a function under a name; nothing if there is no such attribute.
    fn function_attribute(&mut self, function: FunctionId, name: &str) -> Option<Captured> {
        let _ = (function, name);
        None
    }
    /// What a type of records knows under a name; nothing if it does not.
    fn of_records(&mut self, class: u32, name: &str) -> Option<Captured> {
        let _ = (class, name);
        None
    }
    /// Whether an assignment to an attribute of objects of a class does no more than that.
    fn can_be_assigned(&mut self, _class: u32, _name: &str) -> bool {
        false
    }
    /// What a class that the program names has under a name, and how that is used.
    fn class_attribute(&mut self, class: u32, name: &str) -> Option<(Usage, Captured)> {
        let _ = (class, name);
        None
    }
    /// The function that a method with a special name is, of the class of an object from outside; nothing if a
    /// namespace is no such object.
    fn object_method(&mut self, namespace: u32, name: &str) -> Option<Captured> {
        let _ = (namespace, name);
        None
    }
    /// The class of an object from outside; nothing if a namespace is no such object.
    fn class_of_object(&mut self, namespace: u32) -> Option<Captured> {
        let _ = namespace;
        None
    }
    /// Whether an object from outside is one of a class, both of which are namespaces.
    fn is_object_of(&mut self, object: u32, class: u32) -> Option<bool> {
        let _ = (object, class);
        None
    }
    /// Why a program cannot make objects of a class, and that it is one; nothing if a namespace is no class.
    fn why_not_made(&mut self, namespace: u32) -> Option<String> {
        let _ = namespace;
        None
    }
    /// Whether a class of exceptions has an `__init__` or `__new__` that the program wrote.
    fn exception_is_made_by_class(&mut self, class: u32) -> bool {
        let _ = class;
        false
    }
    /// What an attribute of an exception holds that was made by a class of values of these types; nothing if nobody
    /// knows.
    fn exception_attribute(
        &mut self,
        class: &program::Exception,
        arguments: &[program::LibraryType],
        name: &str,
    ) -> Option<program::ObjectType> {
        let _ = (class, arguments, name);
        None
    }
    /// The class itself of objects among the arguments, which are named by it and their attributes.
    fn class_itself(&mut self, class: u32) -> u32 {
        class
    }
    /// Whether objects of a class that the program names are objects of what a namespace is; nothing if that is no
    /// class.
    fn are_objects_of(&mut self, class: u32, namespace: u32) -> Option<bool> {
        let _ = (class, namespace);
        None
    }
    /// Whether a class of Python's or NumPy's is a subclass of what a namespace is; nothing if that is no class.
    fn is_subclass(&mut self, class: &str, namespace: u32) -> Option<bool> {
        let _ = (class, namespace);
        None
    }
    /// The number of a class among those that the program names, for its objects with these attributes; nothing
    /// if a namespace is no class whose objects can be made by its `__init__` alone.
    fn made_class(&mut self, namespace: u32, attributes: &[String]) -> Option<u32> {
        let _ = (namespace, attributes);
        None
    }
    /// A method that `super()` means in a function of a class, or of one that it is derived from.
    fn base_method(&mut self, class: u32, function: FunctionId, name: &str) -> Option<Captured> {
        let _ = (class, function, name);
        None
    }
    /// Whether a class of exceptions is derived from another, or the same; nothing if that is not known here.
    fn derives(&mut self, class: &program::Exception, from: &program::Exception) -> Option<bool> {
        let _ = (class, from);
        None
    }
    /// The names of the parameters of a function of NumPy's that can be given by position, in order; none if
    /// they are not known.
    fn parameters(&mut self, function: &str) -> Vec<String> {
        let _ = function;
        Vec::new()
    }
    /// What a function of the array library, or `method.name` of an array, gives for arguments of these
    /// types; or why it does not take them.
    fn library(
        &mut self,
        function: &str,
        arguments: &[program::LibraryType],
        keywords: &[(String, program::LibraryType)],
    ) -> Result<program::LibraryType, String> {
        let _ = (function, arguments, keywords);
        Err("there is no array library here".into())
    }
}

/// How an attribute of a class is used by its objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// A function that is given the object first.
    Method,
    /// A function of the object that is called where it is read.
    Property,
    /// As it is.
    Value,
}

/// What an environment has given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A namespace, by its handle.
    Namespace(u32),
    /// A function.
    Function(FunctionId),
}

/// The type of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArgumentType {
    /// A number.
    Scalar {
        /// Its dtype.
        dtype: DType,
        /// Whether it is a Python number, which takes the dtype of what it meets.
        weak: bool,
    },
    /// An array.
    Array {
        /// Of its elements.
        dtype: DType,
        /// Its number of axes.
        rank: u8,
        /// How its elements lie in memory.
        layout: Layout,
        /// Whether that is Fortran order without gaps, aligned to the element; jit functions use it.
        fortran: bool,
        /// Whether it may be written to.
        writable: bool,
    },
    /// An array of which it is known which axes have the extent 1: bits, the first axis the lowest.
    Thin(Box<ArgumentType>, u32),
    /// A Python int that is a constant: the number of an axis.
    Axis(i32),
    /// A dictionary without items, which does not change.
    EmptyDict,
    /// A tuple.
    Tuple(Vec<ArgumentType>),
    /// A named tuple: the number of its class in the environment, and its items.
    Named(u64, Vec<ArgumentType>),
    /// A list of numbers of one dtype: a leaf, an array of the items that is nobody else's.
    List {
        /// Of its items.
        dtype: DType,
        /// Whether they are Python numbers.
        weak: bool,
        /// Whether there are none: then anything may become an item.
        empty: bool,
    },
    /// A list of tuples or lists of numbers, all of one type: a leaf.
    ListOf(program::ListItem),
    /// Another list.
    Items(Vec<ArgumentType>),
    /// A list of objects of one class, all like this one: a leaf, and those of the example.
    Objects {
        /// Like all of them.
        example: Box<ArgumentType>,
        /// Whether some items are `None`.
        optional: bool,
    },
    /// `None`.
    None,
    /// A string, which is a constant.
    Str(String),
    /// A function, a dtype or whatever else is known while compiling, by its number in the
    /// environment.
    Object(u64),
    /// A slice: start, stop, step.
    Slice(Vec<ArgumentType>),
    /// A range: start, stop, step, which are integers.
    Range(Vec<ArgumentType>),
    /// A Python bool, which is a constant: flags decide what a function gives.
    Truth(bool),
    /// `...`
    Ellipsis,
    /// A set, a dictionary or another Python object that the function holds: a leaf.
    Held(program::ObjectType),
}

/// What is known of the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// The number of axes of the index space.
    pub rank: u8,
    /// Whether a local size is given.
    pub grouped: bool,
    /// Whether floats may be re-associated.
    pub fast_math: bool,
}

/// A kernel, and what goes with it.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The kernel. Its parameters are the leaves of the arguments, in order.
    pub kernel: ir::Kernel,
    /// What the sites of its statements point into; the kernel's own file is the first.
    pub files: Vec<SourceFile>,
    /// The source with the inferred types.
    pub listing: String,
    /// Everything that was looked up: while all of it is as it was, the kernel is valid. Attributes
    /// are named with the path they were reached by, as `np.sin`.
    pub captured: Vec<(FunctionId, String, Captured)>,
}

/// Why there is no kernel.
#[derive(Clone, Debug)]
pub struct Failure {
    /// All mistakes found.
    pub diagnostics: Vec<Diagnostic>,
    /// What their labels point into.
    pub files: Vec<SourceFile>,
}

/// A parameter of a Python function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether a keyword cannot give it.
    pub positional_only: bool,
    /// Whether only a keyword can give it.
    pub keyword_only: bool,
    /// The text of its default.
    pub default: Option<String>,
}

/// The parameters of a function in order, so that arguments can be bound to them.
pub fn parameters(source: &FunctionSource) -> Result<Vec<Parameter>, Failure> {
    parse::parameters(source)
}

/// Bytes; a level of a walk takes a few hundred, and much more without optimisation.
const LARGE_STACK: usize = 16 << 20;

/// Translates a function for arguments of these types, one for each of its parameters.
pub fn compile_kernel(
    entry: FunctionId,
    arguments: &[ArgumentType],
    options: &Options,
    env: &mut dyn Environment,
) -> Result<Compiled, Failure> {
    on_a_large_stack(|| translate::compile(entry, arguments, options, env))
}

/// Translates a jit function for arguments of these types, one for each of its parameters; those of a
/// starred parameter come last, as one tuple.
pub fn compile_program(
    entry: FunctionId,
    arguments: &[ArgumentType],
    options: &program::ProgramOptions,
    env: &mut dyn Environment,
) -> Result<program::Program, Failure> {
    on_a_large_stack(|| host::part::compile(entry, arguments, options, env))
}

/// Runs with room for walks over syntax trees as deep as the parser lets them become.
pub(crate) fn on_a_large_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LARGE_STACK, 2 * LARGE_STACK, work)
}
