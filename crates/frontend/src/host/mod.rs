//! The host part of jit functions: what runs between the regions.

pub(crate) mod array_roots;
pub mod called_functions;
pub(crate) mod failures;
pub(crate) mod generator_statements;
pub mod generators;
pub mod handed_on;
pub(crate) mod handlers;
pub(crate) mod joined_regions;
pub(crate) mod launch_fusion;
pub(crate) mod learned;
pub mod library_calls;
pub(crate) mod liveness;
pub(crate) mod loop_nests;
pub(crate) mod loop_reductions;
mod math_checks;
pub(crate) mod nested_functions;
mod number_checks;
pub(crate) mod parallel_loops;
pub(crate) mod part;
pub(crate) mod races;
pub(crate) mod raising;
pub(crate) mod random_numbers;
pub(crate) mod random_streams;
pub(crate) mod recursion;
pub(crate) mod remembered_results;
pub(crate) mod transfers;
pub(crate) mod trying;
