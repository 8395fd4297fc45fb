//! The arguments of a jit call, taken apart into types and values.
//!
//! A second call with arguments of the same types allocates next to nothing here: what an argument's
//! type is becomes numbers of a short key.

use crate::array::PyArray;
use crate::array_interface;
use crate::captured_values::{class, numpy_scalar};
use crate::dparray;
use crate::dtype::dtype_from_numpy;
use crate::errors::{Class, error};
use crate::jit_binding::Objects;
use crate::jit_keys::{
    ARRAY, AXIS, ELLIPSIS, EMPTY_DICT, HELD, ITEMS, Kept, Key, LIST, NAMED, NESTED, NONE, OBJECT,
    OBJECTS, OBJECTS_OR_NONE, RANGE, SCALAR, SLICE, TEXT, THIN, TRUTH, TUPLE, array_key,
};
use crate::jit_lists;
use crate::jit_objects;
use crate::jit_typed_containers::TypedContainers;
use crate::jit_values::ListsOfLeaf;
use crate::kernel_arguments::Parameter;
use colocate_array::Array;
use colocate_dtype::{DType, Dims, Strides};
use colocate_frontend::ir::interpret::Scalar;
use colocate_frontend::ir::{Layout, Literal};
use colocate_frontend::objects::object_type_words;
use colocate_frontend::program::{ListItem, ObjectType};
use colocate_jit::{Argument, HostArray, Keep};
use numpy::npyffi::flags::{NPY_ARRAY_ALIGNED, NPY_ARRAY_WRITEABLE};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::type_object::PyTypeInfo;
use pyo3::types::{
    PyBool, PyCFunction, PyComplex, PyDict, PyEllipsis, PyFloat, PyFunction, PyInt, PyList,
    PyModule, PyRange, PySlice, PyString, PyTuple, PyType,
};
use smallvec::SmallVec;
use std::ops::Range;

/// Arguments, taken apart.
pub struct Given<'py> {
    pub key: Key,
    /// By number of the leaf; strings, tuples and `None` are none.
    pub arguments: Vec<Argument>,
    /// The objects of the leaves.
    pub objects: SmallVec<[Bound<'py, PyAny>; 6]>,
    /// The parameter that a leaf belongs to.
    pub positions: SmallVec<[u16; 6]>,
    /// Functions, dtypes and the like, which are known while compiling.
    pub constants: Vec<Bound<'py, PyAny>>,
    /// The addresses of functions and of those that stand for them.
    functions: SmallVec<[(u64, u64); 2]>,
    /// The lists in lists among the leaves, each before those inside it.
    pub lists: Vec<ListsOfLeaf<'py>>,
    /// The leaves of those lists, and what they hold.
    nested: Vec<(usize, ListItem)>,
    /// The leaves that the function uses where they are.
    pub held: SmallVec<[usize; 2]>,
    /// Objects that were not taken apart one by one: what they refer to is found when the program runs.
    pub unseen: Vec<Bound<'py, PyAny>>,
    /// Numbers, as in an argument block.
    pub scalars: SmallVec<[u64; 8]>,
    /// The first leaf that is a NumPy array.
    pub host: Option<usize>,
    /// Records, with the leaves that are their fields.
    pub records: Vec<(Range<usize>, Bound<'py, PyAny>)>,
    /// The first leaf that is a device array.
    pub device: Option<usize>,
    /// Whether some NumPy array is a `DPArray`.
    pub shared: bool,
    taken: Taken,
    /// The objects of classes that are being taken apart, from the outermost.
    inside: Vec<u64>,
    /// How many were taken apart.
    taken_apart: usize,
    /// Typed containers of Numba's.
    pub typed: TypedContainers<'py>,
}

/// The position of an argument whose type the caller knows, and the numbers of that type.
pub type HandedOn = (usize, Vec<u32>);

/// How arguments are taken.
#[derive(Clone, Copy)]
pub struct Taken {
    /// Whether Python bools are constants.
    pub knows_truths: bool,
    /// Whether Python's integers are constants, too, if they are small.
    pub knows_numbers: bool,
    /// Bits of the arguments that are objects of Python's whose content is not known.
    pub as_objects: u64,
    /// Whether empty lists and dictionaries are ones without items, which do not change.
    pub empty_as_written: bool,
    /// Whether it is known which extents of arrays are 1, and what a parameter `axis` is.
    pub knows_ones: bool,
    /// Whether it matters which function it is of several that do the same.
    pub exact_functions: bool,
    /// Whether lists are objects of Python's, as the same one may be given twice.
    pub lists_as_objects: bool,
    /// Whether all attributes of objects are taken that can be, also those that take long.
    pub all_attributes: bool,
    /// Whether a function is compiled for each of the objects in a list.
    pub objects_one_by_one: bool,
    /// Whether lists of several kinds of items are objects of Python's, of whose items nothing is known.
    pub lists_of_anything: bool,
    /// Whether an int among floats in a container stays one, as only Python knows then what a number of it is.
    pub numbers_as_they_are: bool,
}

/// How much was taken apart so far.
struct Mark {
    key: usize,
    leaves: usize,
    constants: usize,
    functions: usize,
    lists: usize,
    nested: usize,
    held: usize,
    unseen: usize,
    scalars: usize,
    records: usize,
    host: Option<usize>,
    device: Option<usize>,
    shared: bool,
}

/// An integer of Python's that may say how many axes an array has, or which of them is meant.
pub fn small_integer(object: &Bound<'_, PyAny>) -> Option<i32> {
    let number = object.cast_exact::<PyInt>().ok()?.extract::<i32>().ok()?;
    (number.unsigned_abs() <= 16).then_some(number)
}

/// Objects are looked into so deep.
const MOST_INSIDE: usize = 4;
/// After so many, objects inside others are not looked at: a graph has as many ways as neighbours at each step, and a few
/// dozen objects that all know one another took more than one minute.
const MOST_TAKEN_APART: usize = 4_000;
/// A list of more objects of one class than this is not compiled for its length.
const MOST_OBJECTS: usize = 4;
/// A list of other things than numbers of one dtype is compiled for its length.
const MOST_ITEMS: usize = 64;

/// A function that does the same and was an argument before; else the object itself.
fn representative<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    static FOUND: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let found = FOUND.import(object.py(), "colocate._same_functions", "representative")?;
    found.call1((object,))
}

impl<'py> Given<'py> {
    /// Takes arguments apart. The key begins with room for facts of the call.
    pub fn new(
        objects: &Objects<'py>,
        parameters: &[Parameter],
        taken: Taken,
        handed_on: &[HandedOn],
    ) -> PyResult<Given<'py>> {
        let mut given = Given {
            key: SmallVec::from_slice(&[0]),
            // Not inside: the struct is moved a few times, and these are large.
            arguments: Vec::with_capacity(objects.len()),
            objects: SmallVec::new(),
            positions: SmallVec::new(),
            constants: Vec::new(),
            functions: SmallVec::new(),
            lists: Vec::new(),
            nested: Vec::new(),
            held: SmallVec::new(),
            unseen: Vec::new(),
            scalars: SmallVec::new(),
            host: None,
            records: Vec::new(),
            device: None,
            shared: false,
            taken,
            inside: Vec::new(),
            taken_apart: 0,
            typed: TypedContainers::default(),
        };
        for (position, object) in objects.iter().enumerate() {
            if taken.as_objects.checked_shr(position as u32).unwrap_or(0) & 1 == 1
                && let Some(kind) = jit_objects::text_or_sequence(object)?
            {
                given.push_held(&kind, object, position);
                continue;
            }
            let known = handed_on.iter().find(|(one, _)| *one == position);
            if let Some((_, words)) = known
                && jit_objects::is_long_container(object)?
            {
                given.push_words(words, object, position);
                continue;
            }
            given.push(object, position, parameters)?;
        }
        Ok(given)
    }

    /// The name of a leaf's parameter.
    pub fn name(&self, leaf: usize, parameters: &[Parameter]) -> String {
        name_of(usize::from(self.positions[leaf]), parameters)
    }

    /// The device arrays, with their leaves.
    pub fn arrays(&self) -> impl Iterator<Item = (usize, &Array)> {
        let all = self.arguments.iter().enumerate();
        all.filter_map(|(leaf, argument)| match argument {
            Argument::Device(array) => Some((leaf, array)),
            _ => None,
        })
    }

    fn push(
        &mut self,
        object: &Bound<'py, PyAny>,
        position: usize,
        parameters: &[Parameter],
    ) -> PyResult<()> {
        if let Ok(array) = object.cast::<PyUntypedArray>() {
            refuse_subclass(array, position, parameters)?;
            let leaf = self.arguments.len();
            let Some(host) = host_array(leaf, array) else {
                return match array.dtype().has_fields() {
                    true => self.push_records(object, position, parameters),
                    false => match jit_objects::foreign_type(object)? {
                        Some(kind) => {
                            self.push_held(&kind, object, position);
                            Ok(())
                        }
                        None => Err(no_such_dtype(array, &name_of(position, parameters))),
                    },
                };
            };
            self.host.get_or_insert(leaf);
            self.shared |= dparray::is_dparray(array);
            let (in_c_order, in_fortran_order) =
                (array.is_c_contiguous(), array.is_fortran_contiguous());
            let kind = Kept::of(is_aligned(&host, array), in_c_order, in_fortran_order);
            let key = array_key(host.dtype, host.shape.len(), kind, host.writable);
            self.push_array_key(key, &host.shape);
            self.leaf(Argument::Host(host), object, position);
            return Ok(());
        }
        if let Ok(array) = object.cast::<PyArray>() {
            self.push_array(array.get().inner.clone(), object, position);
            return Ok(());
        }
        if object.is_exact_instance_of::<PyFloat>() {
            let value: f64 = object.extract()?;
            self.push_number(DType::Float64, true, [value.to_bits(), 0], object, position);
            return Ok(());
        }
        if self.taken.knows_numbers
            && self.inside.is_empty()
            && let Some(number) = small_integer(object)
        {
            self.key.push(AXIS);
            self.key.push(number as u32);
            return Ok(());
        }
        if self.taken.knows_ones
            && object.is_exact_instance_of::<PyInt>()
            && parameters
                .get(position)
                .is_some_and(|one| one.name == "axis")
            && let Ok(axis) = object.extract::<i32>()
        {
            self.key.push(AXIS);
            self.key.push(axis as u32);
            return Ok(());
        }
        if object.is_exact_instance_of::<PyInt>() {
            let value: i64 = object.extract().map_err(|_| too_large(object))?;
            self.push_number(DType::Int64, true, [value as u64, 0], object, position);
            return Ok(());
        }
        self.push_other(object, position, parameters)
    }

    fn push_other(
        &mut self,
        object: &Bound<'py, PyAny>,
        position: usize,
        parameters: &[Parameter],
    ) -> PyResult<()> {
        // NumPy's float64 is a Python float, too, but keeps its dtype.
        if let Some(literal) = numpy_scalar(object)? {
            let words = words_of(literal);
            self.push_number(literal.dtype(), false, words, object, position);
        } else if self.taken.knows_truths && object.is_instance_of::<PyBool>() {
            self.key.push(TRUTH | u32::from(object.is_truthy()?));
        } else if object.is_instance_of::<PyBool>() {
            let words = [object.is_truthy()?.into(), 0];
            self.push_number(DType::Bool, true, words, object, position);
        } else if object.is_instance_of::<PyInt>() {
            let value: i64 = object.extract().map_err(|_| too_large(object))?;
            self.push_number(DType::Int64, true, [value as u64, 0], object, position);
        } else if object.is_instance_of::<PyFloat>() {
            let value: f64 = object.extract()?;
            self.push_number(DType::Float64, true, [value.to_bits(), 0], object, position);
        } else if object.is_instance_of::<PyComplex>() {
            let part = |name| object.getattr(name)?.extract::<f64>();
            let words = [part("real")?.to_bits(), part("imag")?.to_bits()];
            self.push_number(DType::Complex128, true, words, object, position);
        } else if object.is_none() {
            self.key.push(NONE);
        } else if let Ok(items) = object.cast::<PyTuple>() {
            let class = object.get_type();
            if class.is(object.py().get_type::<PyTuple>())
                || class
                    .getattr_opt(pyo3::intern!(object.py(), "_fields"))?
                    .is_none()
            {
                self.key.push(TUPLE | items.len() as u32);
            } else {
                self.key.push(NAMED | items.len() as u32);
                self.push_address(class.as_any());
            }
            for item in items.iter() {
                self.push(&item, position, parameters)?;
            }
        } else if let Ok(items) = object.cast::<PyList>() {
            self.push_list(items, position, parameters)?;
        } else if let Ok(text) = object.cast::<PyString>() {
            let text = text.to_cow()?;
            self.key.push(TEXT | text.len() as u32);
            for part in text.as_bytes().chunks(4) {
                let mut word = [0; 4];
                word[..part.len()].copy_from_slice(part);
                self.key.push(u32::from_le_bytes(word));
            }
        } else if let Some(array) = array_interface::import(object)? {
            self.push_array(array, object, position);
        } else if object.is_instance_of::<PySlice>() {
            self.key.push(SLICE | 3);
            for part in ["start", "stop", "step"] {
                self.push(&object.getattr(part)?, position, parameters)?;
            }
        } else if object.is_instance_of::<PyRange>() {
            self.key.push(RANGE | 3);
            for part in ["start", "stop", "step"] {
                self.push(&object.getattr(part)?, position, parameters)?;
            }
        } else if self.taken.empty_as_written
            && object
                .cast_exact::<PyDict>()
                .is_ok_and(|dict| dict.is_empty())
        {
            self.key.push(EMPTY_DICT);
        } else if self.taken.numbers_as_they_are
            && object.is_exact_instance_of::<PyDict>()
            && let Some(kind) = jit_objects::with_numbers_as_they_are(object)?
        {
            self.push_held(&kind, object, position);
        } else if let Some(kind) = jit_objects::container_type(object)? {
            self.push_held(&kind, object, position);
        } else if object.is_instance_of::<PyEllipsis>() {
            self.key.push(ELLIPSIS);
        } else if is_record(object)? {
            self.push_records(object, position, parameters)?;
        } else if is_known(object)? && !has_own_call(object)?
            || object.is_instance_of::<PyArrayDescr>()
            || object.is_instance_of::<PyModule>()
        {
            // Told apart by identity: whoever keeps the key keeps the object.
            let original = object;
            let object = match self.taken.exact_functions {
                true => object.clone(),
                false => representative(object)?,
            };
            // Two arguments that do the same are still two functions.
            let taken = self.functions.iter();
            let mut taken = taken.filter(|(_, known)| *known == object.as_ptr() as u64);
            let object = match taken.any(|(from, _)| *from != original.as_ptr() as u64) {
                true => original.clone(),
                false => object,
            };
            let both = (original.as_ptr() as u64, object.as_ptr() as u64);
            self.functions.push(both);
            self.key.push(OBJECT);
            self.push_address(&object);
            self.constants.push(object);
        } else if let Some(kind) = jit_objects::foreign_type(object)? {
            self.push_held(&kind, object, position);
        } else if let Some(plain) = self.typed.stand_in(object)? {
            self.push(&plain, position, parameters)?;
        } else if let Some((apart, unknown)) = instance_parts(object, self.taken.all_attributes)? {
            let address = object.as_ptr() as u64;
            let enough = self.inside.len() >= MOST_INSIDE
                || self.taken_apart >= MOST_TAKEN_APART && !self.inside.is_empty();
            if self.inside.contains(&address) || enough {
                // Objects may refer to one another in a circle.
                if enough {
                    self.unseen.push(object.clone());
                }
                let module = object.py().import("colocate._instances")?;
                let unknown = module.call_method1("unknown", (object,))?;
                self.push_unknown(&unknown);
                return Ok(());
            }
            self.leaf(Argument::Other, object, position);
            self.taken_apart += 1;
            self.inside.push(address);
            let pushed = self.push_parts(&apart, &unknown, position, parameters);
            self.inside.pop();
            pushed?;
        } else {
            return Err(error(
                Class::CompileError,
                format!(
                    "argument '{}' is a {}: a jit function takes arrays, numbers, strings, functions, dtypes, modules, slices, None, and tuples and lists of them",
                    name_of(position, parameters),
                    object.get_type().fully_qualified_name()?
                ),
            ));
        }
        Ok(())
    }

    /// An array of records, or one of them: as a named tuple of its fields.
    fn push_records(
        &mut self,
        object: &Bound<'py, PyAny>,
        position: usize,
        parameters: &[Parameter],
    ) -> PyResult<()> {
        let first = self.arguments.len();
        let module = object.py().import("colocate._records")?;
        let apart = module.call_method1("taken_apart", (object,))?;
        let unknown = module.getattr("UnknownField")?;
        self.push_parts(&apart, &unknown, position, parameters)?;
        let fields = first..self.arguments.len();
        self.records.push((fields, object.clone()));
        Ok(())
    }

    /// What something was taken apart into, as a named tuple: its class, and its parts.
    fn push_parts(
        &mut self,
        apart: &Bound<'py, PyAny>,
        unknown: &Bound<'py, PyAny>,
        position: usize,
        parameters: &[Parameter],
    ) -> PyResult<()> {
        let (class, fields): (Bound<'py, PyAny>, Vec<Bound<'py, PyAny>>) = apart.extract()?;
        self.key.push(NAMED | fields.len() as u32);
        self.push_address(&class);
        for field in &fields {
            if field.is_instance(unknown)? {
                self.push_unknown(field);
            } else if self.taken.all_attributes && !self.inside.is_empty() {
                self.push_if_possible(field, position, parameters)?;
            } else {
                self.push(field, position, parameters)?;
            }
        }
        Ok(())
    }

    /// What stands for an attribute that is not taken.
    fn push_unknown(&mut self, stand_in: &Bound<'py, PyAny>) {
        self.key.push(OBJECT);
        self.push_address(stand_in);
        self.constants.push(stand_in.clone());
    }

    /// An attribute that nobody may ask for: one that no jit function takes is no failure yet.
    fn push_if_possible(
        &mut self,
        attribute: &Bound<'py, PyAny>,
        position: usize,
        parameters: &[Parameter],
    ) -> PyResult<()> {
        let mark = self.mark();
        let Err(failure) = self.push(attribute, position, parameters) else {
            return Ok(());
        };
        let py = attribute.py();
        let refused = failure.is_instance(py, class!(py, "colocate._errors", "CompileError"))
            || failure.is_instance_of::<PyOverflowError>(py);
        if !refused {
            return Err(failure);
        }
        self.go_back_to(mark);
        let module = py.import("colocate._instances")?;
        self.push_unknown(&module.call_method1("unknown", (attribute,))?);
        Ok(())
    }

    fn mark(&self) -> Mark {
        Mark {
            key: self.key.len(),
            leaves: self.arguments.len(),
            constants: self.constants.len(),
            functions: self.functions.len(),
            lists: self.lists.len(),
            nested: self.nested.len(),
            held: self.held.len(),
            unseen: self.unseen.len(),
            scalars: self.scalars.len(),
            records: self.records.len(),
            host: self.host,
            device: self.device,
            shared: self.shared,
        }
    }

    fn go_back_to(&mut self, mark: Mark) {
        self.key.truncate(mark.key);
        self.arguments.truncate(mark.leaves);
        self.objects.truncate(mark.leaves);
        self.positions.truncate(mark.leaves);
        self.constants.truncate(mark.constants);
        self.functions.truncate(mark.functions);
        self.lists.truncate(mark.lists);
        self.nested.truncate(mark.nested);
        self.held.truncate(mark.held);
        self.unseen.truncate(mark.unseen);
        self.scalars.truncate(mark.scalars);
        self.records.truncate(mark.records);
        (self.host, self.device, self.shared) = (mark.host, mark.device, mark.shared);
    }

    /// An object that the function uses where it is.
    fn push_held(&mut self, kind: &ObjectType, object: &Bound<'py, PyAny>, position: usize) {
        let mut words = Vec::new();
        object_type_words::encode(kind, &mut words);
        self.push_words(&words, object, position);
    }

    fn push_words(&mut self, words: &[u32], object: &Bound<'py, PyAny>, position: usize) {
        self.key.push(HELD | words.len() as u32);
        self.key.extend_from_slice(words);
        self.held.push(self.arguments.len());
        self.leaf(Argument::Other, object, position);
    }

    fn push_address(&mut self, object: &Bound<'py, PyAny>) {
        let address = object.as_ptr() as u64;
        self.key.push(address as u32);
        self.key.push((address >> 32) as u32);
    }

    /// A list: numbers of one dtype are copied into an array, anything else is taken apart.
    fn push_list(
        &mut self,
        items: &Bound<'py, PyList>,
        position: usize,
        parameters: &[Parameter],
    ) -> PyResult<()> {
        let py = items.py();
        if self.taken.lists_as_objects
            && let Some(kind) = jit_objects::object_type(items.as_any())?
        {
            self.push_held(&kind, items.as_any(), position);
            return Ok(());
        }
        if self.taken.numbers_as_they_are
            && let Some(kind) = jit_objects::with_numbers_as_they_are(items)?
        {
            self.push_held(&kind, items.as_any(), position);
            return Ok(());
        }
        if self.taken.empty_as_written && items.is_empty() {
            self.key.push(ITEMS);
            self.leaf(Argument::Other, items.as_any(), position);
            return Ok(());
        }
        if let Some((dtype, mut bytes)) = jit_lists::plain_numbers(items)
            && (bytes.as_ptr() as usize).is_multiple_of(dtype.alignment())
        {
            let host = HostArray {
                dtype,
                pointer: bytes.as_mut_ptr(),
                shape: Dims::from_slice(&[items.len()]),
                strides: Strides::from_slice(&[dtype.itemsize() as isize]),
                writable: true,
                keep: Keep::Owner(std::sync::Arc::new(bytes)),
            };
            self.key.push(LIST | (dtype as u32) << 8 | 1);
            self.leaf(Argument::Host(host), items.as_any(), position);
            return Ok(());
        }
        let Some((dtype, weak)) = list_dtype(items)? else {
            let mut nested = self.nested.iter();
            if let Some((first, item)) = nested.find(|(leaf, _)| self.objects[*leaf].is(items)) {
                let (first, item) = (*first, item.clone());
                self.key.push(NESTED);
                self.push_item(&item);
                self.leaf(Argument::SameList(first), items.as_any(), position);
                return Ok(());
            }
            if let Some(taken) = jit_lists::taken_apart(items)? {
                self.key.push(NESTED);
                self.push_item(&taken.item);
                let leaf = self.arguments.len();
                self.lists.push((leaf, taken.lists));
                self.nested.push((leaf, taken.item));
                self.leaf(Argument::List(taken.value), items.as_any(), position);
                return Ok(());
            }
            if self.taken.lists_of_anything && is_of_several_kinds(items)? {
                let kind = jit_objects::object_type(items.as_any())?;
                let kind =
                    kind.unwrap_or_else(|| ObjectType::List(Box::new(ObjectType::anything())));
                self.push_held(&kind, items.as_any(), position);
                return Ok(());
            }
            // What is being taken apart already cannot be once more.
            let in_circle = || {
                let mut items = items.iter();
                items.any(|item| self.inside.contains(&(item.as_ptr() as u64)))
            };
            if (items.len() > MOST_OBJECTS || in_circle()) && !self.taken.objects_one_by_one {
                let module = py.import(pyo3::intern!(py, "colocate._instances"))?;
                let example = module.call_method1("example_of_all", (items,))?;
                if !example.is_none() && self.inside.len() < MOST_INSIDE {
                    let optional = items.iter().any(|item| item.is_none());
                    self.key.push(match optional {
                        true => OBJECTS_OR_NONE,
                        false => OBJECTS,
                    });
                    self.unseen.push(items.as_any().clone());
                    self.leaf(Argument::Other, items.as_any(), position);
                    return self.push(&example, position, parameters);
                }
            }
            // An attribute often grows from call to call.
            let is_attribute = self.taken.all_attributes && !self.inside.is_empty();
            if (items.len() > MOST_ITEMS || is_attribute)
                && let Some(kind) = jit_objects::object_type(items.as_any())?
            {
                self.push_held(&kind, items.as_any(), position);
                return Ok(());
            }
            if items.len() > MOST_ITEMS {
                return Err(error(
                    Class::CompileError,
                    format!(
                        "argument '{}' is a list of {} items of several types: such a list may have up to {MOST_ITEMS}",
                        name_of(position, parameters),
                        items.len(),
                    ),
                ));
            }
            self.key.push(ITEMS | items.len() as u32);
            self.leaf(Argument::Other, items.as_any(), position);
            for item in items.iter() {
                self.push(&item, position, parameters)?;
            }
            return Ok(());
        };
        let descr = crate::dtype::dtype_to_numpy(py, dtype)?;
        let array = py
            .import(pyo3::intern!(py, "numpy"))?
            .call_method1(pyo3::intern!(py, "array"), (items, descr))
            .map_err(
                |failure| match failure.is_instance_of::<PyOverflowError>(py) {
                    true => PyOverflowError::new_err("an item of a list does not fit into int64"),
                    false => failure,
                },
            )?
            .cast_into::<PyUntypedArray>()?;
        let leaf = self.arguments.len();
        let mut host = host_array(leaf, &array)
            .ok_or_else(|| no_such_dtype(&array, &name_of(position, parameters)))?;
        let owner: Py<PyAny> = array.into_any().unbind();
        // A list is no more host data than a number is.
        host.keep = Keep::Owner(std::sync::Arc::new(owner));
        let empty = u32::from(items.is_empty()) << 1;
        self.key
            .push(LIST | (dtype as u32) << 8 | empty | u32::from(weak));
        self.leaf(Argument::Host(host), items.as_any(), position);
        Ok(())
    }

    /// What the items of a list are, as a part of the key.
    fn push_item(&mut self, item: &ListItem) {
        match item {
            ListItem::Scalar { dtype, weak } => {
                self.key
                    .push(SCALAR | (*dtype as u32) << 8 | u32::from(*weak));
            }
            ListItem::Tuple(items) | ListItem::Named(_, items) => {
                self.key.push(TUPLE | items.len() as u32);
                items.iter().for_each(|item| self.push_item(item));
            }
            ListItem::List(inner) => {
                self.key.push(NESTED);
                self.push_item(inner);
            }
            ListItem::Optional(inner) => {
                self.key.push(NONE);
                self.push_item(inner);
            }
            ListItem::Array { dtype, rank } => {
                self.key
                    .push(ARRAY | u32::from(*rank) << 16 | (*dtype as u32) << 8);
            }
        }
    }

    fn leaf(&mut self, argument: Argument, object: &Bound<'py, PyAny>, position: usize) {
        self.arguments.push(argument);
        self.objects.push(object.clone());
        self.positions.push(position as u16);
    }

    fn push_number(
        &mut self,
        dtype: DType,
        weak: bool,
        words: [u64; 2],
        object: &Bound<'py, PyAny>,
        position: usize,
    ) {
        self.key
            .push(SCALAR | (dtype as u32) << 8 | u32::from(weak));
        self.scalars.push(words[0]);
        if dtype == DType::Complex128 {
            self.scalars.push(words[1]);
        }
        self.leaf(Argument::Other, object, position);
    }

    fn push_array_key(&mut self, key: u32, shape: &[usize]) {
        if !self.taken.knows_ones {
            self.key.push(key);
            return;
        }
        let ones = shape.iter().take(32).enumerate();
        let ones = ones.filter(|(_, extent)| **extent == 1);
        self.key.push(key | THIN);
        self.key
            .push(ones.fold(0, |bits, (axis, _)| bits | 1 << axis));
    }

    fn push_array(&mut self, array: Array, object: &Bound<'py, PyAny>, position: usize) {
        let (layout, dtype) = (array.layout(), array.dtype());
        let aligned = (array.pointer() as usize).is_multiple_of(dtype.itemsize());
        let kind = Kept::of(aligned, layout.is_c_contiguous(), layout.is_f_contiguous());
        let key = array_key(dtype, layout.ndim(), kind, array.is_writable());
        self.push_array_key(key, layout.shape());
        self.device.get_or_insert(self.arguments.len());
        self.leaf(Argument::Device(array), object, position);
    }
}

/// Whether the items of a list are of several types, or lists of such items.
fn is_of_several_kinds(items: &Bound<'_, PyList>) -> PyResult<bool> {
    let module = items.py().import("colocate._instances")?;
    module
        .call_method1("is_of_several_kinds", (items,))?
        .extract()
}

/// Functions, dtypes and members of enumerations: what is known while compiling.
fn is_known(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_callable() || object.is_instance_of::<PyArrayDescr>() {
        return Ok(true);
    }
    object.is_instance(&object.py().import("enum")?.getattr("Enum")?)
}

/// Whether an object is called by a method of its class, which the program has written, and has attributes like others.
fn has_own_call(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let plain = object.is_instance_of::<PyType>()
        || object.is_exact_instance_of::<PyFunction>()
        || object.is_exact_instance_of::<PyCFunction>();
    if plain || !object.is_callable() {
        return Ok(false);
    }
    // Most classes say so by themselves.
    let call = object
        .get_type()
        .getattr(pyo3::intern!(object.py(), "__call__"))?;
    if !call.is_exact_instance_of::<PyFunction>() {
        return Ok(false);
    }
    let module = object.py().import("colocate._instances")?;
    module.call_method1("has_own_call", (object,))?.extract()
}

/// The dtype of all items of a list, and whether they are Python numbers; `None` if they differ.
fn list_dtype(items: &Bound<'_, PyList>) -> PyResult<Option<(DType, bool)>> {
    let mut found = None;
    for item in items.iter() {
        let kind = if item.is_exact_instance_of::<PyFloat>() {
            (DType::Float64, true)
        } else if item.is_exact_instance_of::<PyBool>() {
            (DType::Bool, true)
        } else if item.is_exact_instance_of::<PyInt>() {
            (DType::Int64, true)
        } else if item.is_exact_instance_of::<PyComplex>() {
            (DType::Complex128, true)
        } else if let Some(literal) = numpy_scalar(&item)? {
            (literal.dtype(), false)
        } else {
            return Ok(None);
        };
        if found.is_some_and(|known| known != kind) {
            return Ok(None);
        }
        found = Some(kind);
    }
    // Nothing is known of an empty one; it becomes what is appended to it.
    Ok(Some(found.unwrap_or((DType::Int64, true))))
}

/// Whether an object is one record, as an array of records gives it.
fn is_record(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    if !object.is_instance(&py.import("numpy")?.getattr("void")?)? {
        return Ok(false);
    }
    Ok(object
        .getattr("dtype")?
        .cast::<PyArrayDescr>()?
        .has_fields())
}

/// An object of a class of the program's own, taken apart, and what stands for attributes that are not taken; nothing
/// for other objects.
fn instance_parts<'py>(
    object: &Bound<'py, PyAny>,
    all_attributes: bool,
) -> PyResult<Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>> {
    let module = object.py().import("colocate._instances")?;
    let apart = module.call_method1("taken_apart", (object, all_attributes))?;
    match apart.is_none() {
        true => Ok(None),
        false => Ok(Some((apart, module.getattr("UnknownAttribute")?))),
    }
}

fn name_of(position: usize, parameters: &[Parameter]) -> String {
    match parameters.get(position) {
        Some(parameter) => parameter.name.clone(),
        None => "*args".into(),
    }
}

fn too_large(object: &Bound<'_, PyAny>) -> PyErr {
    PyOverflowError::new_err(format!(
        "{object} does not fit into int64; pass a numpy.uint64 or a float"
    ))
}

/// Whether an array is of a subclass that computes in ways of its own, which would be ignored.
pub fn has_own_rules(array: &Bound<'_, PyUntypedArray>) -> PyResult<bool> {
    static ASK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let (py, class) = (array.py(), array.get_type());
    if class.is(PyUntypedArray::type_object(py)) {
        return Ok(false);
    }
    let ask = ASK.import(py, "colocate._array_classes", "has_own_rules")?;
    ask.call1((class,))?.extract()
}

fn refuse_subclass(
    array: &Bound<'_, PyUntypedArray>,
    position: usize,
    parameters: &[Parameter],
) -> PyResult<()> {
    if !has_own_rules(array)? {
        return Ok(());
    }
    Err(error(
        Class::CompileError,
        format!(
            "argument '{}' is a {}, whose own rules a jit function does not keep; pass a plain array",
            name_of(position, parameters),
            array.get_type().fully_qualified_name()?
        ),
    ))
}

fn no_such_dtype(array: &Bound<'_, PyUntypedArray>, name: &str) -> PyErr {
    error(
        Class::CompileError,
        format!(
            "argument '{name}' has the dtype {}, which no jit function takes; there are {}",
            array.dtype(),
            DType::ALL.map(DType::name).join(", ")
        ),
    )
}

/// A constant as it lies in the argument block.
fn words_of(literal: Literal) -> [u64; 2] {
    let bytes = Scalar::from_literal(literal).to_bytes();
    let mut words = [0u64; 2];
    for (position, byte) in bytes.iter().enumerate().take(16) {
        words[position / 8] |= u64::from(*byte) << (8 * (position % 8));
    }
    words
}

/// A NumPy array; `None` if it has a dtype that we have not.
pub fn host_array(leaf: usize, array: &Bound<'_, PyUntypedArray>) -> Option<HostArray> {
    let dtype = dtype_from_numpy(&array.dtype())?;
    // SAFETY: a live NumPy array has these fields.
    let (pointer, flags) = unsafe {
        let fields = &(*array.as_array_ptr()).fields;
        (fields.data.cast::<u8>(), fields.flags)
    };
    Some(HostArray {
        dtype,
        pointer,
        shape: Dims::from_slice(array.shape()),
        strides: Strides::from_slice(array.strides()),
        writable: flags & NPY_ARRAY_WRITEABLE != 0,
        keep: Keep::Argument(leaf),
    })
}

/// How an array outside the function lies in memory.
pub fn layout_of(host: &HostArray, array: &Bound<'_, PyUntypedArray>) -> Layout {
    match array.is_c_contiguous() && is_aligned(host, array) {
        true => Layout::Contiguous,
        false => Layout::Strided,
    }
}

fn is_aligned(host: &HostArray, array: &Bound<'_, PyUntypedArray>) -> bool {
    // SAFETY: a live NumPy array has these fields.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    flags & NPY_ARRAY_ALIGNED != 0 && (host.pointer as usize).is_multiple_of(host.dtype.itemsize())
}
