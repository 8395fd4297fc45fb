//! Arrays in jit functions: what is computed, when, and in which region.

pub(crate) mod assignment;
pub(crate) mod attributes;
pub(crate) mod axis_reductions;
pub(crate) mod calls;
pub(crate) mod creation;
pub(crate) mod dtype_functions;
pub(crate) mod elements;
pub(crate) mod fusion;
pub mod global_arrays;
pub(crate) mod index_proofs;
pub(crate) mod indexing;
pub(crate) mod kept;
pub(crate) mod lazy;
pub(crate) mod memory_order;
pub(crate) mod of_elements;
pub(crate) mod of_numbers;
pub(crate) mod of_short_vectors;
pub(crate) mod operators;
pub(crate) mod reductions;
pub(crate) mod regions;
pub(crate) mod result_dtype;
pub(crate) mod rolled;
pub(crate) mod several_dtypes;
pub(crate) mod shapes;
pub(crate) mod turned_views;
pub(crate) mod written_arguments;
