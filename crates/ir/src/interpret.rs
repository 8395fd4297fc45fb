//! The reference interpreter: slow, plain, and the definition of what kernels do.
//!
//! [`run`] executes a verified kernel over an index space. It knows nothing of devices; arrays are
//! views into one [`Memory`], so they may overlap as they may on a device.
//!
//! All items of a group (of a region: some items at a time) do a statement before any of them does
//! the next. This is one of the orders that the specification allows, and it makes barriers meet by
//! themselves. Where the specification leaves a choice, here it is:
//! - Private and local storage begin zeroed.
//! - Reductions and group reductions combine items in the order of their ids, the last axis fastest.
//! - Float16 is calculated as float32 and rounded after each operation.
//! - `Minimum` and `Maximum` of floats give the first operand if it is less (or greater) or NaN, else
//!   the second.
//! - Transcendental functions are those of the C library.
//!
//! [`run_host`] executes a host kernel, whose calls go to a callback.

mod complex;
mod elements;
mod evaluate;
mod floats;
mod host;
mod integers;
mod machine;
mod scalar;

pub use host::Callback;
pub use scalar::{Scalar, ScalarBytes, integer_from_float, integer_range};

use crate::{DType, Kernel, Layout, Param, ParamKind, Site, verify};
use host::Host;
use machine::Machine;

/// How to execute, where the specification leaves it open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many statements all items together may execute.
    pub step_limit: u64,
    /// How many items of a region are executed together: at least one.
    pub batch: usize,
    /// Whether items are taken in descending order.
    pub backwards: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            step_limit: 1 << 32,
            batch: 64,
            backwards: false,
        }
    }
}

/// Global memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Its contents. Offsets of arrays count from the first byte.
    pub bytes: Vec<u8>,
}

/// What a kernel is called with.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// For a scalar parameter, of its dtype.
    Scalar(Scalar),
    /// For an array parameter.
    Array(ArrayView),
}

/// An array in [`Memory`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayView {
    /// Of the element whose indices are all 0, in bytes.
    pub offset: usize,
    /// Its extents.
    pub shape: Vec<i64>,
    /// How many bytes lie between neighbours along each axis.
    pub strides: Vec<i64>,
}

impl ArrayView {
    /// An array in C order without gaps.
    pub fn contiguous(dtype: DType, offset: usize, shape: &[i64]) -> ArrayView {
        ArrayView {
            offset,
            shape: shape.to_vec(),
            strides: c_strides(dtype, shape),
        }
    }

    /// The byte that an element begins at, if the array has such an element.
    fn address(&self, index: &[i64]) -> Option<usize> {
        let mut address = self.offset as i64;
        for ((&index, &extent), &stride) in index.iter().zip(&self.shape).zip(&self.strides) {
            if !(0..extent).contains(&index) {
                return None;
            }
            address += index * stride;
        }
        Some(address as usize)
    }

    /// Whether all elements lie in a memory of this many bytes.
    fn lies_within(&self, itemsize: usize, size: usize) -> bool {
        if self.shape.contains(&0) {
            return true;
        }
        let (mut first, mut last) = (self.offset as i128, self.offset as i128);
        for (&extent, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = i128::from(extent - 1) * i128::from(stride);
            first += reach.min(0);
            last += reach.max(0);
        }
        first >= 0 && last + itemsize as i128 <= size as i128
    }
}

/// The strides of an array in C order without gaps.
fn c_strides(dtype: DType, shape: &[i64]) -> Vec<i64> {
    let mut stride = dtype.itemsize() as i64;
    let mut strides = vec![0; shape.len()];
    for (axis, &extent) in shape.iter().enumerate().rev() {
        strides[axis] = stride;
        stride = stride.saturating_mul(extent.max(1));
    }
    strides
}

/// Why a kernel did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InterpretError {
    /// The kernel is not valid.
    #[error("the kernel {kernel} is not valid: {}", .violations.join("; "))]
    Invalid {
        /// Its name.
        kernel: String,
        /// What the verifier found.
        violations: Vec<String>,
    },
    /// There are more or fewer arguments than parameters.
    #[error("{found} arguments for {wanted} parameters")]
    ArgumentCount {
        /// How many were given.
        found: usize,
        /// How many it takes.
        wanted: usize,
    },
    /// An argument does not fit its parameter.
    #[error("the argument for {param} does not fit: {why}")]
    Argument {
        /// The parameter's name.
        param: String,
        /// What is wrong.
        why: &'static str,
    },
    /// The index space does not fit the kernel.
    #[error("the index space {global:?} with groups {local:?} does not fit: {why}")]
    Geometry {
        /// The whole space.
        global: [usize; 3],
        /// A group.
        local: Option<[usize; 3]>,
        /// What is wrong.
        why: &'static str,
    },
    /// An item touched what is not there.
    #[error("the index {index:?} is outside the array {array} of shape {shape:?}")]
    OutOfBounds {
        /// The place of the program.
        site: Site,
        /// The array's name.
        array: String,
        /// Which element was meant.
        index: Vec<i64>,
        /// The array's extents.
        shape: Vec<i64>,
    },
    /// Some items of a group came to a barrier, others did not.
    #[error("{reached} of {items} items of a group came to a barrier")]
    DivergentBarrier {
        /// The place of the program.
        site: Site,
        /// How many came.
        reached: usize,
        /// How many there are.
        items: usize,
    },
    /// A call gave back what it cannot have given.
    #[error("the call {callee} gave a wrong result: {why}")]
    CallResult {
        /// What was called.
        callee: u32,
        /// What is wrong.
        why: &'static str,
    },
    /// The kernel takes too long; perhaps a loop does not end.
    #[error("the kernel did not end within {limit} steps")]
    TooManySteps {
        /// How many statements were allowed.
        limit: u64,
    },
}

/// Executes a kernel for all items of an index space. Axes that the kernel does not have are of
/// extent 1. Nd-range kernels have a group size, regions do not.
pub fn run(
    kernel: &Kernel,
    memory: &mut Memory,
    arguments: &[Argument],
    global: [usize; 3],
    local: Option<[usize; 3]>,
) -> Result<(), InterpretError> {
    run_with(kernel, memory, arguments, global, local, Options::default())
}

/// Executes a host kernel; the status of the call that ended it, or 0. Options that say how items
/// are taken mean nothing here.
pub fn run_host(
    kernel: &Kernel,
    memory: &mut Memory,
    arguments: &[Argument],
    callback: Callback<'_>,
    options: Options,
) -> Result<u64, InterpretError> {
    check(kernel, memory, arguments, [1; 3], None)?;
    if !kernel.is_host() {
        return Err(InterpretError::Geometry {
            global: [1; 3],
            local: None,
            why: "only host kernels run without an index space",
        });
    }
    let host = Host::new(kernel, callback);
    Machine::new(kernel, memory, arguments, [1; 3], None, options).run_host(host)
}

/// As [`run`], in another manner. What a kernel without races computes does not depend on it, except
/// for the order in which reductions combine floats.
pub fn run_with(
    kernel: &Kernel,
    memory: &mut Memory,
    arguments: &[Argument],
    global: [usize; 3],
    local: Option<[usize; 3]>,
    options: Options,
) -> Result<(), InterpretError> {
    check(kernel, memory, arguments, global, local)?;
    if kernel.is_host() {
        return Err(InterpretError::Geometry {
            global,
            local,
            why: "a host kernel has no index space, but calls",
        });
    }
    Machine::new(kernel, memory, arguments, global, local, options).run()
}

fn check(
    kernel: &Kernel,
    memory: &Memory,
    arguments: &[Argument],
    global: [usize; 3],
    local: Option<[usize; 3]>,
) -> Result<(), InterpretError> {
    let violations = verify(kernel);
    if !violations.is_empty() {
        return Err(InterpretError::Invalid {
            kernel: kernel.name.clone(),
            violations: violations.iter().map(ToString::to_string).collect(),
        });
    }
    if arguments.len() != kernel.params.len() {
        return Err(InterpretError::ArgumentCount {
            found: arguments.len(),
            wanted: kernel.params.len(),
        });
    }
    for (param, argument) in kernel.params.iter().zip(arguments) {
        check_argument(param, argument, memory).map_err(|why| InterpretError::Argument {
            param: param.name.clone(),
            why,
        })?;
    }
    check_geometry(kernel, global, local).map_err(|why| InterpretError::Geometry {
        global,
        local,
        why,
    })
}

fn check_argument(param: &Param, argument: &Argument, memory: &Memory) -> Result<(), &'static str> {
    match (param.kind, argument) {
        (ParamKind::Scalar(dtype), Argument::Scalar(scalar)) => {
            if scalar.dtype() != dtype {
                return Err("it has another dtype");
            }
        }
        (
            ParamKind::Array {
                dtype,
                rank,
                layout,
            },
            Argument::Array(view),
        ) => {
            let rank = usize::from(rank);
            if view.shape.len() != rank || view.strides.len() != rank {
                return Err("it has another rank");
            }
            if let Some(why) = misplaced(view, dtype, layout, memory) {
                return Err(why);
            }
        }
        (ParamKind::Scalar(_), Argument::Array(_)) => return Err("it is an array"),
        (ParamKind::Array { .. }, Argument::Scalar(_)) => return Err("it is a scalar"),
    }
    Ok(())
}

/// What keeps an array of this layout from being where it is said to be.
fn misplaced(
    view: &ArrayView,
    dtype: DType,
    layout: Layout,
    memory: &Memory,
) -> Option<&'static str> {
    if view.shape.iter().any(|&extent| extent < 0) {
        return Some("an extent is negative");
    }
    if layout == Layout::Contiguous && !view.shape.contains(&0) {
        let strides = c_strides(dtype, &view.shape);
        let mut found = view.strides.iter().zip(&strides).zip(&view.shape);
        if found.any(|((a, b), &extent)| a != b && extent > 1) {
            return Some("it is not contiguous");
        }
    }
    let inside = view.lies_within(dtype.itemsize(), memory.bytes.len());
    (!inside).then_some("it reaches outside the memory")
}

fn check_geometry(
    kernel: &Kernel,
    global: [usize; 3],
    local: Option<[usize; 3]>,
) -> Result<(), &'static str> {
    if kernel.is_nd_range() != local.is_some() {
        return Err("nd-range kernels have groups, regions have none");
    }
    let local = local.unwrap_or([1; 3]);
    for axis in 0..3 {
        if axis >= usize::from(kernel.rank) && (global[axis] != 1 || local[axis] != 1) {
            return Err("the kernel has fewer axes");
        }
        if local[axis] == 0 {
            return Err("a group is empty");
        }
        if !global[axis].is_multiple_of(local[axis]) {
            return Err("the groups do not divide the whole");
        }
    }
    let promised = kernel
        .group
        .map(|group| group.map(|extent| extent as usize));
    if promised.is_some_and(|group| group != local) {
        return Err("the groups are not what the kernel was promised");
    }
    Ok(())
}

#[cfg(test)]
mod host_tests;
#[cfg(test)]
mod tests;
