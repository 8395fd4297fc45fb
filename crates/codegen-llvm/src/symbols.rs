//! The functions that generated code may call: the C library's mathematics, and its vector
//! versions where the machine has them.
//!
//! glibc's vector mathematics (libmvec) is looked for at run time; what it has not is computed lane
//! by lane. Its results may differ from the scalar functions' by a few units in the last place; a
//! kernel uses one or the other for all its items, the last ones of a row included, so that results
//! do not depend on an item's position.

use crate::target::Target;
use colocate_ir::MathFunction;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_void};
use std::sync::OnceLock;

/// The name in the C library, for doubles; floats have an `f` behind it.
pub fn c_name(function: MathFunction) -> &'static str {
    use MathFunction::*;
    match function {
        Sqrt => "sqrt",
        // No library has it: the code generator makes it itself.
        ReciprocalSqrt => "rsqrt",
        Cbrt => "cbrt",
        Exp => "exp",
        Exp2 => "exp2",
        Expm1 => "expm1",
        Log => "log",
        Log2 => "log2",
        Log10 => "log10",
        Log1p => "log1p",
        Sin => "sin",
        Cos => "cos",
        Tan => "tan",
        Asin => "asin",
        Acos => "acos",
        Atan => "atan",
        Sinh => "sinh",
        Cosh => "cosh",
        Tanh => "tanh",
        Asinh => "asinh",
        Acosh => "acosh",
        Atanh => "atanh",
        Erf => "erf",
        Erfc => "erfc",
        Gamma => "tgamma",
        LogGamma => "lgamma",
        Floor => "floor",
        Ceil => "ceil",
        Truncate => "trunc",
        RoundEven => "rint",
        Power => "pow",
        Atan2 => "atan2",
        Hypot => "hypot",
        CopySign => "copysign",
        Fmod => "fmod",
        NextAfter => "nextafter",
        Fma => "fma",
    }
}

/// The vector version of a function for vectors of a machine register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorFunction {
    /// Its symbol.
    pub name: String,
    /// How many lanes it takes.
    pub lanes: u32,
}

/// The letters that say for which registers a vector function is, and their bytes.
const CLASSES: [(char, u32); 3] = [('b', 16), ('d', 32), ('e', 64)];

fn vector_name(function: MathFunction, double: bool, class: char, lanes: u32) -> String {
    let operands = "v".repeat(function.arity());
    let suffix = if double { "" } else { "f" };
    format!("_ZGV{class}N{lanes}{operands}_{}{suffix}", c_name(function))
}

/// The vector versions of a function for a target's registers and their parts.
pub fn vector_functions(
    target: &Target,
    function: MathFunction,
    double: bool,
) -> impl Iterator<Item = VectorFunction> {
    let largest = target.vector_bytes;
    let fitting = CLASSES
        .into_iter()
        .filter(move |(_, bytes)| *bytes <= largest);
    fitting.filter_map(move |(class, bytes)| {
        let lanes = bytes / if double { 8 } else { 4 };
        let name = vector_name(function, double, class, lanes);
        let known = table().contains_key(&name);
        known.then_some(VectorFunction { name, lanes })
    })
}

/// All symbols with their addresses.
pub fn all() -> impl Iterator<Item = (&'static str, usize)> {
    table()
        .iter()
        .map(|(name, address)| (name.as_str(), *address))
}

/// The names of the vector functions there are: code made with them needs them.
pub fn vector_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = all()
        .map(|(name, _)| name)
        .filter(|n| n.starts_with("_ZGV"))
        .collect();
    names.sort_unstable();
    names
}

fn table() -> &'static HashMap<String, usize> {
    static TABLE: OnceLock<HashMap<String, usize>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = HashMap::new();
        let scalar = open(c"libm.so.6");
        let vector = open(c"libmvec.so.1");
        for &function in MathFunction::ALL {
            for suffix in ["", "f"] {
                let name = format!("{}{suffix}", c_name(function));
                if let Some(address) = scalar.and_then(|library| find(library, &name)) {
                    table.insert(name, address);
                }
                if !cfg!(target_arch = "x86_64") {
                    continue;
                }
                for (class, bytes) in CLASSES {
                    let double = suffix.is_empty();
                    let lanes = bytes / if double { 8 } else { 4 };
                    let name = vector_name(function, double, class, lanes);
                    if let Some(address) = vector.and_then(|library| find(library, &name)) {
                        table.insert(name, address);
                    }
                }
            }
        }
        table
    })
}

/// A library of the system, kept for good; its address.
fn open(name: &CStr) -> Option<usize> {
    // SAFETY: loading these libraries runs nothing but their own constructors.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
    (!library.is_null()).then_some(library as usize)
}

fn find(library: usize, name: &str) -> Option<usize> {
    let name = CString::new(name).ok()?;
    // SAFETY: a library that `open` gave.
    let address = unsafe { libc::dlsym(library as *mut c_void, name.as_ptr()) };
    (!address.is_null()).then_some(address as usize)
}
