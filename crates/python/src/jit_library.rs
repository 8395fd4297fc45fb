//! Library functions of jit programs: what they give, found out by example, and how they are called.
//!
//! While a function is compiled, NumPy's own function is called on tiny arrays of the dtypes and ranks at
//! hand, and what comes back is looked at. While it runs, NumPy's function is called on our
//! arrays where they are (NumPy hands such calls to us, R3.5), or on views of host memory: for few
//! elements, for which that is quicker, for functions that draw from NumPy's global random state, and for
//! those that we have not.

use crate::dtype::dtype_from_numpy;
use crate::jit_arguments::has_own_rules;
use crate::jit_examples::{Sample, example, last_samples, samples};
use crate::jit_objects;
use colocate_dtype::DType;
use colocate_frontend::Captured;
use colocate_frontend::host::outside_functions::OUTSIDE_FUNCTION;
use colocate_frontend::program::{LibraryType, ObjectType};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use std::sync::Mutex;

/// On the host, functions of at most this many elements are NumPy's.
pub const FEW_ELEMENTS: usize = 1 << 15;

/// Before the name of an attribute of the first argument, instead of a function's name.
pub const ATTRIBUTE: &str = "attribute.";

/// Whether a function uses NumPy's global random state, or Python's, so that nobody else can do what it does.
pub fn is_random(function: &str) -> bool {
    function.starts_with("numpy.random.") || function.starts_with("random.")
}

/// Whether NumPy's function gives real numbers or complex ones, by the values, where ours gives complex ones always.
pub fn chooses_dtype(function: &str) -> bool {
    matches!(function, "numpy.linalg.eig" | "numpy.linalg.eigvals")
}

/// Whether a function of Python's reads all items of what it is given at once, as numbers of NumPy's or as text: it
/// would make texts of our arrays, and tuples of arrays without axes.
pub fn reads_all_items(function: &str) -> bool {
    const OF_PYTHON: &[&str] = &[
        "builtins.ascii",
        "builtins.dict",
        "builtins.format",
        "builtins.frozenset",
        "builtins.list",
        "builtins.max",
        "builtins.min",
        "builtins.repr",
        "builtins.set",
        "builtins.sorted",
        "builtins.str",
        "builtins.sum",
        "builtins.tuple",
        "method.format",
        "method.format_map",
        "method.join",
        "operator.mod",
    ];
    OF_PYTHON.contains(&function)
}

/// Whether a name is that of a function, and not of a method or an attribute.
pub fn is_plain(function: &str) -> bool {
    !function.starts_with("method.") && !function.starts_with(ATTRIBUTE)
}

/// A library function, or a method of the first argument.
pub fn resolve<'py>(
    py: Python<'py>,
    function: &str,
    first: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(method) = function.strip_prefix("method.") {
        let first = first.ok_or_else(|| PyTypeError::new_err("a method without its object"))?;
        return first.getattr(method);
    }
    // Helpers of ours are in a module of their own.
    if let Some(name) = function.strip_prefix("colocate._jit_objects.") {
        return py.import("colocate._jit_objects")?.getattr(name);
    }
    if function.starts_with(OUTSIDE_FUNCTION) {
        let outside = py.import("colocate._outside_functions")?;
        return outside.call_method1("function_named", (function,));
    }
    let mut parts = function.split('.');
    let mut found = py.import(parts.next().unwrap_or("numpy"))?.into_any();
    for part in parts {
        found = found.getattr(part)?;
    }
    Ok(found)
}

/// Calls a library function; a method has its object first among the arguments.
pub fn call<'py>(
    py: Python<'py>,
    function: &str,
    arguments: Vec<Bound<'py, PyAny>>,
    keywords: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(path) = function.strip_prefix(ATTRIBUTE) {
        let mut found = arguments
            .into_iter()
            .next()
            .ok_or_else(|| PyTypeError::new_err("an attribute without its object"))?;
        for name in path.split('.') {
            found = found.getattr(name)?;
        }
        return Ok(found);
    }
    let callee = resolve(py, function, arguments.first())?;
    let skipped = usize::from(function.starts_with("method."));
    let arguments = PyTuple::new(py, arguments.into_iter().skip(skipped))?;
    callee.call(arguments, Some(keywords))
}

/// Whether a value is known while compiling.
fn is_constant(argument: &LibraryType) -> bool {
    match argument {
        LibraryType::Constant(_) | LibraryType::Ellipsis | LibraryType::None => true,
        LibraryType::Tuple(items)
        | LibraryType::Named(_, items)
        | LibraryType::List(items)
        | LibraryType::Slice(items) => items.iter().all(is_constant),
        LibraryType::Array { .. } | LibraryType::Scalar { .. } | LibraryType::Object(_) => false,
    }
}

/// Whether a function has no effects and always gives the same: then what it gives for constants is one.
fn is_pure(function: &str, arguments: &[LibraryType]) -> bool {
    let on_text = matches!(
        arguments.first(),
        Some(LibraryType::Constant(Captured::Str(_)))
    );
    (function.starts_with("method.") && on_text)
        || function.starts_with("operator.")
        || matches!(
            function,
            "builtins.str"
                | "builtins.repr"
                | "builtins.format"
                | "builtins.hex"
                | "builtins.bin"
                | "builtins.hasattr"
        )
}

/// A result of an example of things that vary: its texts are any texts, its lists of any length.
fn opened(result: LibraryType) -> LibraryType {
    match result {
        LibraryType::Constant(Captured::Str(_)) => LibraryType::Object(ObjectType::Text),
        LibraryType::Tuple(items) => LibraryType::Tuple(items.into_iter().map(opened).collect()),
        LibraryType::Named(class, items) => {
            LibraryType::Named(class, items.into_iter().map(opened).collect())
        }
        LibraryType::List(items) => LibraryType::List(items.into_iter().map(opened).collect()),
        other => other,
    }
}

/// Whether two results are made up alike, whatever their dtypes are.
fn is_alike(a: &LibraryType, b: &LibraryType) -> bool {
    match (a, b) {
        (LibraryType::Array { rank: a, .. }, LibraryType::Array { rank: b, .. }) => a == b,
        (LibraryType::Scalar { .. }, LibraryType::Scalar { .. }) => true,
        (LibraryType::Tuple(a), LibraryType::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_alike(a, b))
        }
        (LibraryType::Named(class, a), LibraryType::Named(other, b)) => {
            class == other && a.iter().zip(b).all(|(a, b)| is_alike(a, b))
        }
        // Lists of things of one type may have any length.
        (LibraryType::List(a), LibraryType::List(b)) => match (a.first(), b.first()) {
            (Some(first), Some(_)) => a.iter().chain(b).all(|one| is_alike(first, one)),
            (None, None) => true,
            _ => false,
        },
        (LibraryType::Constant(a), LibraryType::Constant(b)) => a == b,
        (LibraryType::None, LibraryType::None) => true,
        (LibraryType::Object(a), LibraryType::Object(b)) => a.join(b).is_some(),
        _ => int_or_float(a, b).is_some(),
    }
}

/// What both results are, where they are alike but one says more.
fn joined(a: LibraryType, b: &LibraryType, python: bool) -> LibraryType {
    match (a, b) {
        (LibraryType::Object(a), LibraryType::Object(b)) => {
            LibraryType::Object(a.join(b).unwrap_or(a))
        }
        (LibraryType::Tuple(a), LibraryType::Tuple(b)) if python => {
            let pairs = a.into_iter().zip(b);
            LibraryType::Tuple(pairs.map(|(a, b)| joined(a, b, python)).collect())
        }
        (a, b) if python => int_or_float(&a, b).unwrap_or(a),
        (a, _) => a,
    }
}

/// What Python's functions give that make an int of some numbers, and a float of others; nothing if both are of one
/// type, or none of these.
fn int_or_float(a: &LibraryType, b: &LibraryType) -> Option<LibraryType> {
    let kind = |one: &LibraryType| match one {
        LibraryType::Scalar { dtype, weak } if *dtype != DType::Bool => Some(ObjectType::Scalar {
            dtype: *dtype,
            weak: *weak,
        }),
        LibraryType::Object(kind) => Some(kind.clone()),
        _ => None,
    };
    let (a, b) = (kind(a)?, kind(b)?);
    let is_one = a != b && a.is_int_or_float() && b.is_int_or_float();
    is_one.then(|| LibraryType::Object(ObjectType::int_or_float()))
}

/// The result that all examples had in common.
fn agreed(
    py: Python<'_>,
    asked @ (function, arguments, keywords): Asked<'_>,
) -> Result<LibraryType, String> {
    let constant =
        arguments.iter().all(is_constant) && keywords.iter().all(|(_, one)| is_constant(one));
    let (mut first, mut why): (Option<LibraryType>, Option<String>) = (None, None);
    let mut may_fit = true;
    let usual = samples(arguments, keywords);
    // Without anything that varies one example says it all.
    let count = if constant { 1 } else { usual.len() };
    let last = match constant {
        true => Vec::new(),
        false => last_samples(arguments, keywords),
    };
    let pure = is_pure(function, arguments);
    // A list of Python's functions has any length, unlike one of NumPy's.
    let python = !function.starts_with("numpy.") && !has_array(arguments);
    for (number, sample) in usual[..count].iter().chain(&last).enumerate() {
        if number >= count && first.is_some() {
            break;
        }
        // Some functions drop axes of one element; what they usually give counts.
        if sample.extent == 1 && first.is_some() {
            continue;
        }
        // Vectors of the plane have a number for their product; those of space are meant.
        if sample.extent == 2 && function == "numpy.cross" {
            continue;
        }
        match with_random_state(py, function, || {
            try_once(py, asked, sample, constant && pure, python)
        }) {
            Ok(result) if first.as_ref().is_none_or(|known| is_alike(known, &result)) => {
                first = Some(match first.take() {
                    Some(known) => joined(known, &result, python),
                    None => result,
                });
            }
            Ok(_) => {
                return Err(
                    "how many values or axes it gives depends on the values that it is given"
                        .into(),
                );
            }
            Err(failure) => {
                may_fit &= failure.is_instance_of::<pyo3::exceptions::PyValueError>(py)
                    || failure.is_instance_of::<pyo3::exceptions::PyIndexError>(py);
                why.get_or_insert_with(|| failure.to_string());
            }
        }
    }
    match first {
        Some(result) if constant => Ok(result),
        Some(result) => Ok(opened(result)),
        // Whether shapes fit is seen when it runs, and what it gives is known.
        None if function == "method.__setitem__" && may_fit => Ok(LibraryType::None),
        None => Err(why.unwrap_or_default()),
    }
}

/// Whether a function of `math` gives a float, whatever it is given: others give an int, or what the object says.
fn gives_float(name: &str) -> bool {
    let others = [
        "ceil",
        "comb",
        "factorial",
        "floor",
        "frexp",
        "gcd",
        "isqrt",
        "lcm",
        "modf",
        "perm",
        "prod",
        "sumprod",
        "trunc",
    ];
    !others.contains(&name)
}

/// What a function gives if an argument is something of which only Python knows what it is: more of that kind, but for
/// a few functions. Nothing for other arguments.
fn of_anything(
    function: &str,
    arguments: &[LibraryType],
    keywords: &[(String, LibraryType)],
) -> Option<LibraryType> {
    fn has(one: &LibraryType) -> bool {
        match one {
            LibraryType::Object(kind) => kind.has_anything(),
            LibraryType::Tuple(items) | LibraryType::List(items) | LibraryType::Slice(items) => {
                items.iter().any(has)
            }
            LibraryType::Named(_, items) => items.iter().any(has),
            _ => false,
        }
    }
    let named = keywords.iter().map(|(_, one)| one);
    if !arguments.iter().chain(named).any(has) {
        return None;
    }
    let number = |dtype| LibraryType::Scalar { dtype, weak: true };
    let is_text = matches!(
        arguments.first(),
        Some(LibraryType::Object(ObjectType::Text))
    ) || matches!(
        arguments.first(),
        Some(LibraryType::Constant(Captured::Str(_)))
    );
    Some(match function {
        "operator.eq"
        | "operator.ne"
        | "operator.lt"
        | "operator.le"
        | "operator.gt"
        | "operator.ge"
        | "operator.contains"
        | "operator.is_"
        | "operator.is_not"
        | "operator.not_"
        | "operator.truth"
        | "builtins.isinstance"
        | "builtins.bool"
        | "builtins.callable"
        | "math.isclose"
        | "math.isfinite"
        | "math.isinf"
        | "math.isnan" => number(DType::Bool),
        "builtins.len" | "builtins.int" | "builtins.hash" | "builtins.id" | "builtins.ord"
        | "operator.index" => number(DType::Int64),
        "builtins.float" => number(DType::Float64),
        name if name.strip_prefix("math.").is_some_and(gives_float) => number(DType::Float64),
        "builtins.str" | "builtins.repr" | "builtins.format" | "builtins.chr"
        | "builtins.ascii" => LibraryType::Object(ObjectType::Text),
        "operator.mod" | "method.join" | "method.format" if is_text => {
            LibraryType::Object(ObjectType::Text)
        }
        _ => LibraryType::Object(ObjectType::anything()),
    })
}

/// What a function gives for arguments of these types, by trying it; or why it does not take them.
pub fn probe(
    py: Python<'_>,
    function: &str,
    arguments: &[LibraryType],
    keywords: &[(String, LibraryType)],
) -> Result<LibraryType, String> {
    if let Some(result) = of_anything(function, arguments, keywords) {
        return Ok(result);
    }
    static KNOWN: Mutex<Vec<Probed>> = Mutex::new(Vec::new());
    let asked = (function, arguments, keywords);
    {
        let known = KNOWN.lock().unwrap_or_else(|poison| poison.into_inner());
        let found = known.iter().find(|one| one.is(asked));
        if let Some(found) = found {
            return Ok(found.result.clone());
        }
    }
    let result = agreed(py, asked)?;
    let mut known = KNOWN.lock().unwrap_or_else(|poison| poison.into_inner());
    if known.len() >= MOST_KNOWN {
        known.clear();
    }
    known.push(Probed {
        function: function.to_owned(),
        arguments: arguments.to_vec(),
        keywords: keywords.to_vec(),
        result: result.clone(),
    });
    Ok(result)
}

const MOST_KNOWN: usize = 1024;

/// An example that was tried.
struct Probed {
    function: String,
    arguments: Vec<LibraryType>,
    keywords: Vec<(String, LibraryType)>,
    result: LibraryType,
}

type Asked<'a> = (&'a str, &'a [LibraryType], &'a [(String, LibraryType)]);

impl Probed {
    pub fn is(&self, (function, arguments, keywords): Asked<'_>) -> bool {
        self.function == function && self.arguments == arguments && self.keywords == keywords
    }
}

/// An example must not change what a program draws.
fn with_random_state<T>(
    py: Python<'_>,
    function: &str,
    work: impl FnOnce() -> PyResult<T>,
) -> PyResult<T> {
    if function.starts_with("random.") {
        let random = py.import("random")?;
        let state = random.call_method0("getstate")?;
        let outcome = work();
        random.call_method1("setstate", (state,))?;
        return outcome;
    }
    if !is_random(function) {
        return work();
    }
    let random = py.import("numpy.random")?;
    let whole = PyDict::new(py);
    whole.set_item("legacy", false)?;
    let state = random.call_method("get_state", (), Some(&whole))?;
    let outcome = work();
    random.call_method1("set_state", (state,))?;
    outcome
}

fn try_once(
    py: Python<'_>,
    (function, arguments, keywords): Asked<'_>,
    sample: &Sample,
    folded: bool,
    python: bool,
) -> PyResult<LibraryType> {
    let mut number = 0;
    let mut given = Vec::new();
    for argument in arguments {
        given.push(example(py, argument, sample, &mut number)?);
    }
    let named = PyDict::new(py);
    for (name, argument) in keywords {
        named.set_item(name, example(py, argument, sample, &mut number)?)?;
    }
    // Examples may divide by zero, and fit lines through too few points.
    let quiet = PyDict::new(py);
    quiet.set_item("all", "ignore")?;
    let errstate = py
        .import("numpy")?
        .getattr("errstate")?
        .call((), Some(&quiet))?;
    let warnings = py.import("warnings")?;
    let caught = warnings.call_method0("catch_warnings")?;
    caught.call_method0("__enter__")?;
    errstate.call_method0("__enter__")?;
    let outcome = warnings
        .call_method1("simplefilter", ("ignore",))
        .and_then(|_| call(py, function, given, &named));
    let nothing = || (py.None(), py.None(), py.None());
    errstate.call_method1("__exit__", nothing())?;
    caught.call_method1("__exit__", nothing())?;
    let found = outcome?;
    if folded && let Some(constant) = crate::captured_values::value_of(&found)? {
        return Ok(LibraryType::Constant(constant));
    }
    let held = found.is_instance_of::<PyList>() && python;
    if held && let Some(kind) = jit_objects::object_type(&found)? {
        return Ok(LibraryType::Object(kind));
    }
    let result = type_of(&found)?;
    Ok(if folded { result } else { opened(result) })
}

/// Whether an array is among the arguments.
fn has_array(arguments: &[LibraryType]) -> bool {
    arguments.iter().any(|argument| match argument {
        LibraryType::Array { .. } => true,
        LibraryType::Tuple(items) | LibraryType::List(items) => has_array(items),
        _ => false,
    })
}

/// The type of what came back.
fn type_of(object: &Bound<'_, PyAny>) -> PyResult<LibraryType> {
    let refuse = || -> PyErr {
        let class = object.get_type();
        let name = class.fully_qualified_name();
        let name = name.map_or_else(|_| "an object".into(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "it gives a {name}, which jit functions do not have"
        ))
    };
    if object.is_none() {
        return Ok(LibraryType::None);
    }
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        if has_own_rules(array)? {
            return Err(refuse());
        }
        let Some(dtype) = dtype_from_numpy(&array.dtype()) else {
            let foreign = jit_objects::foreign_type(object)?;
            return foreign.map(LibraryType::Object).ok_or_else(refuse);
        };
        let rank = array.ndim() as u8;
        return Ok(LibraryType::Array { dtype, rank });
    }
    if let Some(literal) = crate::captured_values::numpy_scalar(object)? {
        let dtype = literal.dtype();
        return Ok(LibraryType::Scalar { dtype, weak: false });
    }
    let weak = |dtype| Ok(LibraryType::Scalar { dtype, weak: true });
    if object.is_instance_of::<PyBool>() {
        return weak(DType::Bool);
    }
    if object.is_instance_of::<PyInt>() {
        return weak(DType::Int64);
    }
    if object.is_instance_of::<PyFloat>() {
        return weak(DType::Float64);
    }
    if object.is_instance_of::<PyComplex>() {
        return weak(DType::Complex128);
    }
    let several = |object: &Bound<'_, PyAny>| -> PyResult<Vec<LibraryType>> {
        object.try_iter()?.map(|item| type_of(&item?)).collect()
    };
    if object.is_instance_of::<PyTuple>() {
        let items = several(object)?;
        return Ok(match named_class(object)? {
            Some(class) => LibraryType::Named(Box::new(class), items),
            None => LibraryType::Tuple(items),
        });
    }
    if object.is_instance_of::<PyList>() {
        return Ok(LibraryType::List(several(object)?));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(LibraryType::Constant(Captured::Str(text.to_string())));
    }
    match jit_objects::object_type(object)? {
        Some(kind) => Ok(LibraryType::Object(kind)),
        None => Err(refuse()),
    }
}

/// The class of a named tuple, by its full name; whoever keeps classes gives it a number.
fn named_class(object: &Bound<'_, PyAny>) -> PyResult<Option<Captured>> {
    let class = object.get_type();
    let Some(fields) = class.getattr_opt("_fields")? else {
        return Ok(None);
    };
    Ok(Some(Captured::NamedTuple {
        handle: 0,
        name: class.fully_qualified_name()?.to_string(),
        fields: fields.extract()?,
        own_axes: None,
        is_instance: false,
    }))
}

/// Whether a failure says that our arrays are not taken, rather than that the values are wrong.
pub fn is_missing(py: Python<'_>, failure: &PyErr) -> bool {
    failure.is_instance_of::<PyTypeError>(py)
        || failure.is_instance_of::<PyAttributeError>(py)
        || failure.is_instance_of::<pyo3::exceptions::PyNotImplementedError>(py)
        || failure.is_instance_of::<pyo3::exceptions::PyValueError>(py)
        || failure.is_instance_of::<pyo3::exceptions::PyIndexError>(py)
}
