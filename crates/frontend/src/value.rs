//! Abstract values: what is known of an expression while it is translated.
//!
//! A value is a tree whose leaves are scalars. A leaf that is a constant has no IR value until
//! one is needed. Nothing here emits IR.

use crate::FunctionId;
use crate::types::type_name;
use colocate_diag::Site;
use colocate_ir::{ArrayRef, DType, LocalId, ValueId};

/// A number known while compiling. Floats are compared bit by bit, so that NaN equals itself.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Constant {
    Bool(bool),
    Int(i128),
    Float(f64),
    Complex(f64, f64),
}

impl PartialEq for Constant {
    fn eq(&self, other: &Constant) -> bool {
        match (self, other) {
            (Constant::Bool(a), Constant::Bool(b)) => a == b,
            (Constant::Int(a), Constant::Int(b)) => a == b,
            (Constant::Float(a), Constant::Float(b)) => a.to_bits() == b.to_bits(),
            (Constant::Complex(a, b), Constant::Complex(c, d)) => {
                a.to_bits() == c.to_bits() && b.to_bits() == d.to_bits()
            }
            _ => false,
        }
    }
}

/// What is known of a scalar beyond its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Know {
    Any,
    /// At least 0; a float may be NaN, too.
    NonNegative,
    /// A float that may stand for an int of Python's: the number of where the two met.
    Either {
        meeting: u32,
        non_negative: bool,
    },
    Constant(Constant),
}

impl Know {
    /// What is known of a value that is one or the other.
    pub fn join(self, other: Know) -> Know {
        if self == other {
            return self;
        }
        if self.is_non_negative() && other.is_non_negative() {
            Know::NonNegative
        } else {
            Know::Any
        }
    }

    pub fn is_non_negative(self) -> bool {
        match self {
            Know::NonNegative => true,
            Know::Either { non_negative, .. } => non_negative,
            Know::Constant(Constant::Int(value)) => value >= 0,
            Know::Constant(Constant::Bool(_)) => true,
            _ => false,
        }
    }

    /// What remains known of it when it may change.
    pub fn weakened(self) -> Know {
        if self.is_non_negative() {
            Know::NonNegative
        } else {
            Know::Any
        }
    }

    /// Whether everything this says is true where the other is true.
    pub fn covers(self, other: Know) -> bool {
        self.join(other) == self
    }
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scalar {
    pub dtype: DType,
    /// Whether it is a Python number, which takes the dtype of what it meets.
    pub weak: bool,
    pub know: Know,
    /// Absent for constants and in bindings.
    pub ir: Option<ValueId>,
}

impl Scalar {
    pub fn new(dtype: DType, weak: bool, ir: ValueId) -> Scalar {
        Scalar {
            dtype,
            weak,
            know: Know::Any,
            ir: Some(ir),
        }
    }

    /// An int64 of Python.
    pub fn int(ir: ValueId, know: Know) -> Scalar {
        Scalar {
            dtype: DType::Int64,
            weak: true,
            know,
            ir: Some(ir),
        }
    }

    pub fn constant(dtype: DType, weak: bool, constant: Constant) -> Scalar {
        Scalar {
            dtype,
            weak,
            know: Know::Constant(constant),
            ir: None,
        }
    }

    pub fn const_int(value: i128) -> Scalar {
        Scalar::constant(DType::Int64, true, Constant::Int(value))
    }

    pub fn const_bool(value: bool) -> Scalar {
        Scalar::constant(DType::Bool, true, Constant::Bool(value))
    }

    pub fn const_float(value: f64) -> Scalar {
        Scalar::constant(DType::Float64, true, Constant::Float(value))
    }

    pub fn as_constant(&self) -> Option<Constant> {
        match self.know {
            Know::Constant(constant) => Some(constant),
            _ => None,
        }
    }

    /// The integer it is known to be, if it is an integer.
    pub fn as_int(&self) -> Option<i128> {
        match self.as_constant()? {
            Constant::Int(value) => Some(value),
            Constant::Bool(value) => Some(i128::from(value)),
            _ => None,
        }
    }

    pub fn is_non_negative(&self) -> bool {
        let is_float = matches!(self.as_constant(), Some(Constant::Float(value)) if value >= 0.0);
        self.know.is_non_negative() || self.dtype.kind() == colocate_ir::Kind::UInt || is_float
    }

    pub fn describe(&self) -> String {
        type_name(self.dtype, self.weak).to_string()
    }
}

/// One axis of the array under a view.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Axis {
    /// At one position.
    Fixed(Scalar),
    /// All of it.
    Whole,
    /// Not of the base: an axis of extent 1. These come after all of the base's own.
    New,
    /// Elements `start + i * step` for `i` below the length.
    Sliced {
        start: Scalar,
        step: Scalar,
        length: Scalar,
    },
}

/// A part of an array.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct View {
    pub base: ArrayRef,
    pub dtype: DType,
    pub writable: bool,
    /// One for each axis of the base.
    pub axes: Vec<Axis>,
    /// The axes of the view: positions in `axes`, none of them fixed.
    pub free: Vec<usize>,
    /// Whether the base has no gaps.
    pub packed: bool,
}

/// Stand for the array variable of a name, which depends on the path taken: without gaps, and any.
pub(crate) const PACKED_PHI: LocalId = LocalId(u32::MAX);
pub(crate) const ANY_PHI: LocalId = LocalId(u32::MAX - 1);

impl View {
    /// All of an array in memory.
    pub fn whole(base: ArrayRef, dtype: DType, rank: usize, packed: bool) -> View {
        View {
            base,
            dtype,
            writable: true,
            axes: vec![Axis::Whole; rank],
            free: (0..rank).collect(),
            packed,
        }
    }

    pub fn rank(&self) -> usize {
        self.free.len()
    }

    /// Visits the numbers that say which part it is.
    pub fn for_each_leaf(&mut self, visit: &mut dyn FnMut(&mut Scalar)) {
        for axis in &mut self.axes {
            match axis {
                Axis::Fixed(index) => visit(index),
                Axis::Whole | Axis::New => {}
                Axis::Sliced {
                    start,
                    step,
                    length,
                } => {
                    visit(start);
                    visit(step);
                    visit(length);
                }
            }
        }
    }

    /// Whether it is all of its base, axes in order.
    pub fn is_whole(&self) -> bool {
        self.is_turned() && self.free.iter().copied().eq(0..self.axes.len())
    }

    /// Whether it is all of its base, axes in any order.
    pub fn is_turned(&self) -> bool {
        self.free.len() == self.axes.len()
            && self.axes.iter().all(|axis| matches!(axis, Axis::Whole))
    }

    /// Whether it has all of its base's last axes, in their order, at one position of the others.
    pub fn is_tail(&self) -> bool {
        let fixed = self.axes.len() - self.free.len();
        let (first, rest) = self.axes.split_at(fixed);
        first.iter().all(|axis| matches!(axis, Axis::Fixed(_)))
            && rest.iter().all(|axis| matches!(axis, Axis::Whole))
            && self.free.iter().copied().eq(fixed..self.axes.len())
    }

    /// Whether it depends on the path taken which array it is.
    pub fn is_phi(&self) -> bool {
        matches!(self.base, ArrayRef::Local(PACKED_PHI | ANY_PHI))
    }

    pub fn describe(&self) -> String {
        format!("a {}-d array of {}", self.rank(), self.dtype)
    }
}

/// Why a variable has no type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Conflict {
    pub first: (String, Site),
    pub second: (String, Site),
}

/// A class of named tuples.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NamedTuple {
    /// Its number in the environment.
    pub handle: u32,
    pub name: String,
    pub fields: Vec<String>,
    /// Where it is written down, if it is a list that does not change.
    pub list: Option<crate::objects::items::ListKey>,
    /// Of records, how many axes each field has of its own; their items are arrays.
    pub own_axes: Option<Vec<usize>>,
    /// Whether it is a class of objects with attributes, which are no tuples.
    pub is_instance: bool,
}

impl NamedTuple {
    /// Whether it stands for lists that do not change.
    pub fn is_list(&self) -> bool {
        self.handle == crate::host::part::LIST_CLASS
    }

    /// Whether it is a class of the program's own, not of lists, dictionaries, exceptions or records.
    pub fn is_plain(&self) -> bool {
        let own = [
            crate::host::part::LIST_CLASS,
            crate::host::trying::EXCEPTION_CLASS,
            crate::objects::tables::TABLE,
        ];
        !own.contains(&self.handle) && self.own_axes.is_none() && !self.is_instance
    }
}

/// What goes over all positions of an array or a shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Elements {
    /// The array; absent where only positions count.
    pub of: Option<View>,
    pub shape: Vec<Scalar>,
    /// Whether the positions are wanted, too.
    pub positions: bool,
}

/// What an expression gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Scalar(Scalar),
    Tuple(Vec<Value>),
    /// A named tuple, with its items.
    Named(std::rc::Rc<NamedTuple>, Vec<Value>),
    /// A class of named tuples.
    NamedClass(std::rc::Rc<NamedTuple>),
    /// Something that is None on some paths; the truth value says whether it is there.
    Optional(Box<Value>, Scalar),
    View(View),
    Dtype(DType),
    Module {
        handle: u32,
        name: String,
    },
    Builtin(String),
    Function(FunctionId),
    /// A function defined in the program, with what its outer variables held then.
    Closure(std::rc::Rc<crate::host::nested_functions::Closure>),
    /// An object that the program has made, whose attributes change.
    Instance(std::rc::Rc<crate::objects::made_instances::Made>),
    Kernel(String),
    Method(Box<Value>, &'static str),
    /// `numpy.finfo` or `numpy.iinfo` of a dtype.
    Limits(DType),
    None,
    Ellipsis,
    Str(String),
    Range(Box<[Scalar; 3]>),
    /// A range whose turns may run at the same time.
    ParallelRange(Box<[Scalar; 3]>),
    /// An array whose elements are computed when somebody wants them.
    Lazy(std::rc::Rc<crate::arrays::lazy::Lazy>),
    /// The class of an exception; a handle if it is no builtin.
    Exception {
        handle: Option<u32>,
        name: String,
    },
    /// A list of numbers that changes.
    List(crate::objects::lists::List),
    /// A list that the runtime holds.
    Held(Box<crate::objects::held_lists::Held>),
    /// A method of an array, not called yet.
    ArrayMethod(Box<Value>, String),
    Slice(Box<[Option<Scalar>; 3]>),
    /// A Python object that the program holds while it runs.
    Object(crate::objects::python_objects::Object),
    /// The elements of an array one by one, the positions, or both, in the order of the axes.
    Elements(Box<Elements>),
    /// A function, a class or a member of an enumeration: one of these, by its number.
    Choice(std::rc::Rc<[Value]>, Scalar),
    /// A call of a function that yields, with its arguments.
    Generator(std::rc::Rc<crate::host::generators::Generator>, Vec<Value>),
    /// Positions with elements, and elements of several.
    Enumerate(Box<Value>, Scalar),
    Zip(Vec<Value>),
    /// Something from outside that kernels cannot use.
    Unsupported(String),
    Conflict(Box<Conflict>),
    /// The mistake is reported already.
    Poison,
}

impl From<Scalar> for Value {
    fn from(scalar: Scalar) -> Value {
        Value::Scalar(scalar)
    }
}

/// How the names of objects from outside begin.
pub const OBJECT_OF: &str = "an object of the class ";

impl Value {
    /// Whether it is a list that Python does not hold.
    pub fn is_list(&self) -> bool {
        match self {
            Value::List(_) | Value::Held(_) => true,
            Value::Named(class, _) => class.is_list(),
            _ => false,
        }
    }

    /// In words, with an article where one is due.
    pub fn describe(&self) -> String {
        match self {
            Value::Scalar(scalar) => scalar.describe(),
            Value::Tuple(items) => {
                let comma = if items.len() == 1 { "," } else { "" };
                let items: Vec<_> = items.iter().map(Value::describe).collect();
                format!("a tuple ({}{comma})", items.join(", "))
            }
            Value::Named(class, items) if class.is_list() => {
                let items: Vec<_> = items.iter().map(Value::describe).collect();
                format!("a list [{}]", items.join(", "))
            }
            Value::Named(class, _) => format!("a {}", class.name),
            Value::NamedClass(class) => format!("the class {}", class.name),
            Value::Optional(inner, _) => format!("{} or None", inner.describe()),
            Value::View(view) => view.describe(),
            Value::Dtype(dtype) => format!("the dtype {dtype}"),
            Value::Module { name, .. } if name.starts_with(OBJECT_OF) => name.clone(),
            Value::Module { name, .. } => format!("the module {name}"),
            Value::Builtin(name) => {
                format!(
                    "the function {}",
                    name.strip_prefix("builtins.").unwrap_or(name)
                )
            }
            Value::Function(_) | Value::Closure(_) => "a function".into(),
            Value::Instance(made) => format!("a {}", made.name),
            Value::Kernel(name) => format!("the kernel {name}"),
            Value::Method(_, name) => format!("the method {name}"),
            Value::Limits(dtype) => format!("the limits of {dtype}"),
            Value::None => "None".into(),
            Value::Ellipsis => "...".into(),
            Value::Str(_) => "a string".into(),
            Value::Range(_) | Value::ParallelRange(_) => "a range".into(),
            Value::Lazy(lazy) => lazy.describe(),
            Value::ArrayMethod(_, name) => format!("the method {name}"),
            Value::List(list) => format!("a list of {}", type_name(list.dtype, list.weak)),
            Value::Held(held) => format!("a list of {}", held.item.describe()),
            Value::Exception { name, .. } => format!("the exception {name}"),
            Value::Slice(_) => "a slice".into(),
            Value::Object(object) => match *object.kind {
                crate::program::ObjectType::Text => "a string".into(),
                ref kind => format!("a {kind}"),
            },
            Value::Elements(_) => "an iterator over elements".into(),
            Value::Enumerate(..) => "an enumeration".into(),
            Value::Generator(..) => "a generator".into(),
            Value::Choice(options, _) => match options.first() {
                Some(first) => format!("{}, or another one", first.describe()),
                None => "nothing".into(),
            },
            Value::Zip(_) => "a zip".into(),
            Value::Unsupported(description) => description.clone(),
            Value::Conflict(_) => "a value of incompatible types".into(),
            Value::Poison => "an error".into(),
        }
    }

    /// Visits the leaves in order.
    pub fn for_each_leaf(&mut self, visit: &mut dyn FnMut(&mut Scalar)) {
        match self {
            Value::Scalar(scalar) => visit(scalar),
            Value::Tuple(items)
            | Value::Zip(items)
            | Value::Named(_, items)
            | Value::Generator(_, items) => {
                for item in items {
                    item.for_each_leaf(visit);
                }
            }
            Value::Choice(_, which) => visit(which),
            Value::Optional(inner, present) => {
                inner.for_each_leaf(visit);
                visit(present);
            }
            Value::View(view) => view.for_each_leaf(visit),
            Value::Held(held) => visit(&mut held.number),
            Value::Elements(elements) => {
                if let Some(view) = &mut elements.of {
                    view.for_each_leaf(visit);
                }
                elements.shape.iter_mut().for_each(visit);
            }
            Value::Range(parts) | Value::ParallelRange(parts) => {
                parts.iter_mut().for_each(visit);
            }
            Value::Slice(parts) => parts.iter_mut().flatten().for_each(visit),
            Value::Object(object) => visit(&mut object.handle),
            Value::Enumerate(inner, start) => {
                inner.for_each_leaf(visit);
                visit(start);
            }
            Value::Method(inner, _) | Value::ArrayMethod(inner, _) => inner.for_each_leaf(visit),
            _ => {}
        }
    }

    /// The leaves in order.
    pub fn leaves(&self) -> Vec<Scalar> {
        let mut leaves = Vec::new();
        self.clone().for_each_leaf(&mut |leaf| leaves.push(*leaf));
        leaves
    }

    pub fn is_poison(&self) -> bool {
        matches!(self, Value::Poison)
    }

    /// Whether it, or a part of it, could not be computed.
    pub fn has_poison(&self) -> bool {
        match self {
            Value::Tuple(items) | Value::Named(_, items) => items.iter().any(Value::has_poison),
            other => other.is_poison(),
        }
    }
}
