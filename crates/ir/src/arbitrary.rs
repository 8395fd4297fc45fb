//! Random valid kernels with arguments, for property tests that compare the interpreter with a code
//! generator.
//!
//! What a [`Case`] computes does not depend on the order in which items run, nor on anything else that
//! the specification leaves open: items write only elements of their own, or change them by atomics
//! of one kind that commute; which NaN or, from `Minimum` and `Maximum`, which zero comes out has no
//! effect on any other result; storage is written before it is read. So all targets must agree on
//! every element, NaNs counting as equal: [`difference`] says where they do not.

mod data;
mod generate;
mod operations;

use crate::interpret::{self, Argument, ArrayView, Memory, Options, Scalar};
use crate::{DType, Kernel, Layout, ParamKind};
use data::addresses;
use generate::Generator;
use proptest::prelude::*;

/// What kernels to make.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Only functions of floats whose results are exact or correctly rounded everywhere.
    pub exact: bool,
    /// Float16 values and arrays.
    pub allow_float16: bool,
    /// Complex values and arrays.
    pub allow_complex: bool,
    /// Nd-range kernels with local storage and barriers, rather than regions with reductions.
    pub nd_range: bool,
    /// Only what code generators take.
    pub core: bool,
    /// Strided arrays whose elements are not aligned.
    pub unaligned: bool,
}

impl Default for Config {
    /// Regions, with everything that has an exact result.
    fn default() -> Config {
        Config {
            exact: true,
            allow_float16: true,
            allow_complex: true,
            nd_range: false,
            core: false,
            unaligned: true,
        }
    }
}

/// An argument that is an array, in a buffer of its own.
#[derive(Clone, Debug)]
pub struct CaseArray {
    /// Of its elements.
    pub dtype: DType,
    /// As its parameter has it.
    pub layout: Layout,
    /// Where the elements lie in the buffer. The buffer's first byte is to be aligned to 16.
    pub view: ArrayView,
    /// The buffer: elements, and bytes between them that must stay as they are.
    pub contents: Vec<u8>,
}

/// A kernel and what to call it with.
#[derive(Clone, Debug)]
pub struct Case {
    /// The kernel.
    pub kernel: Kernel,
    /// One for each array parameter, in order.
    pub arrays: Vec<CaseArray>,
    /// One for each scalar parameter, in order.
    pub scalars: Vec<Scalar>,
    /// The index space.
    pub global: [usize; 3],
    /// A group, for nd-range kernels.
    pub local: Option<[usize; 3]>,
}

/// Random cases. They shrink towards kernels of fewer statements.
pub fn cases(config: Config) -> impl Strategy<Value = Case> {
    (any::<u64>().no_shrink(), 1usize..60)
        .prop_map(move |(seed, size)| Generator::new(config, seed).case(size))
}

/// The case of a seed; the larger the size, the more statements. The same arguments give the same
/// case.
pub fn case(config: Config, seed: u64, size: usize) -> Case {
    Generator::new(config, seed).case(size)
}

impl Case {
    /// The memory and the arguments for the interpreter, and where each array's buffer begins.
    pub fn arguments(&self) -> (Memory, Vec<Argument>, Vec<usize>) {
        let mut memory = Memory::default();
        let mut starts = Vec::new();
        for array in &self.arrays {
            let start = memory.bytes.len().next_multiple_of(16);
            memory.bytes.resize(start, 0);
            memory.bytes.extend_from_slice(&array.contents);
            starts.push(start);
        }
        let mut arrays = self.arrays.iter().zip(&starts);
        let mut scalars = self.scalars.iter();
        let arguments = self.kernel.params.iter().map(|param| match param.kind {
            ParamKind::Scalar(_) => {
                Argument::Scalar(*scalars.next().expect("a scalar for each parameter"))
            }
            ParamKind::Array { .. } => {
                let (array, start) = arrays.next().expect("an array for each parameter");
                let mut view = array.view.clone();
                view.offset += start;
                Argument::Array(view)
            }
        });
        let arguments = arguments.collect();
        (memory, arguments, starts)
    }
}

/// What the interpreter leaves in the buffers of all arrays.
///
/// # Panics
/// If the interpreter finds an error: a case has none.
pub fn run_interpreter(case: &Case) -> Vec<Vec<u8>> {
    run_interpreter_with(case, Options::default())
}

fn run_interpreter_with(case: &Case, options: Options) -> Vec<Vec<u8>> {
    let (mut memory, arguments, starts) = case.arguments();
    let (kernel, global, local) = (&case.kernel, case.global, case.local);
    interpret::run_with(kernel, &mut memory, &arguments, global, local, options)
        .unwrap_or_else(|error| panic!("{error} in\n{kernel}"));
    starts
        .iter()
        .zip(&case.arrays)
        .map(|(&start, array)| memory.bytes[start..start + array.contents.len()].to_vec())
        .collect()
}

/// The first place where the buffers of a case's arrays differ, other than in which NaN they hold.
pub fn difference(case: &Case, expected: &[Vec<u8>], found: &[Vec<u8>]) -> Option<String> {
    for (i, array) in case.arrays.iter().enumerate() {
        let (expected, mut found) = (&expected[i], found[i].clone());
        let itemsize = array.dtype.itemsize();
        for (number, address) in addresses(&array.view).into_iter().enumerate() {
            let range = address..address + itemsize;
            let a = Scalar::from_bytes(array.dtype, &expected[range.clone()]);
            let b = Scalar::from_bytes(array.dtype, &found[range.clone()]);
            if !same(a, b) {
                return Some(format!("element {number} of array {i} is {b:?}, not {a:?}"));
            }
            found[range.clone()].copy_from_slice(&expected[range]);
        }
        if *expected != found {
            return Some(format!("bytes between the elements of array {i} changed"));
        }
    }
    None
}

/// Equal bit for bit, except that all NaNs are equal.
fn same(a: Scalar, b: Scalar) -> bool {
    let part = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    match (a, b) {
        (Scalar::Float16(a), Scalar::Float16(b)) => part(a.to_f64(), b.to_f64()),
        (Scalar::Float32(a), Scalar::Float32(b)) => part(a.into(), b.into()),
        (Scalar::Float64(a), Scalar::Float64(b)) => part(a, b),
        (Scalar::Complex64(ar, ai), Scalar::Complex64(br, bi)) => {
            part(ar.into(), br.into()) && part(ai.into(), bi.into())
        }
        (Scalar::Complex128(ar, ai), Scalar::Complex128(br, bi)) => part(ar, br) && part(ai, bi),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests;
