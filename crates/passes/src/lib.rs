//! Passes: IR to IR, one a file, each named after what it does and exposing `run`.
//!
//! Responsible for making a verified kernel one that code generators take, with exactly the same
//! meaning: [`to_core`]. A pass takes a verified kernel and gives a verified one; no pass knows a
//! target. All passes stand on one scaffold, `rewrite`.
//!
//! # Order
//! 1. [`insert_bounds_checks`], if wanted, is first: it needs the accesses as the user wrote
//!    them. It is not part of [`to_core`], since its caller must deal with the report.
//! 2. [`remove_dead_values`], lest a dead read keep a variable, and [`forward_assignments`], which
//!    lets the passes after it see what values are made of.
//! 3. [`expand_complex`] leaves floats only.
//! 4. [`expand_group_reduce`] may leave float16 arithmetic.
//! 5. [`widen_float16`] takes `FloorDivide`, `Modulo` and `Power` to float32 before they are
//!    expanded, as NumPy does: rounding once in the end, not after every step.
//! 6. [`expand_division`], [`expand_power`].
//! 7. [`reciprocal_roots`], [`narrow_square_roots`], [`remove_dead_values`] and [`drop_unused_variables`] clear up.

mod complex_arithmetic;
pub mod drop_unused_variables;
mod emit;
pub mod expand_complex;
pub mod expand_division;
pub mod expand_group_reduce;
pub mod expand_power;
pub mod forward_assignments;
pub mod insert_bounds_checks;
pub mod narrow_square_roots;
pub mod reciprocal_roots;
pub mod remove_dead_values;
mod rewrite;
pub mod widen_float16;

use colocate_ir::Kernel;

/// Makes a verified kernel *core*, as the documentation of `colocate-ir` says it.
pub fn to_core(kernel: Kernel) -> Kernel {
    let mut kernel = kernel;
    let functions = std::mem::take(&mut kernel.functions);
    for (_, run) in PASSES {
        kernel = run(kernel);
    }
    kernel.functions = functions.into_iter().map(to_core).collect();
    kernel
}

/// A name, and what it does.
pub type Pass = (&'static str, fn(Kernel) -> Kernel);

/// The passes of [`to_core`], in order.
pub const PASSES: &[Pass] = &[
    ("remove_dead_values", remove_dead_values::run),
    ("forward_assignments", forward_assignments::run),
    ("expand_complex", expand_complex::run),
    ("expand_group_reduce", expand_group_reduce::run),
    ("widen_float16", widen_float16::run),
    ("expand_division", expand_division::run),
    ("expand_power", expand_power::run),
    ("reciprocal_roots", reciprocal_roots::run),
    ("narrow_square_roots", narrow_square_roots::run),
    ("remove_dead_values", remove_dead_values::run),
    ("drop_unused_variables", drop_unused_variables::run),
];
