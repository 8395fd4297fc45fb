//! The Python extension module `colocate._native`.
//!
//! The only crate that knows Python. It registers the backends, wraps the runtime's objects, and
//! turns every Rust error into a Python one, in one place (`errors`). What belongs to Python's
//! own machinery (context variables, finding packages, the command line) is in the Python package.

mod arguments;
mod array;
mod array_changes;
mod array_flags;
mod array_interface;
mod array_operators;
mod array_protocols;
mod captured_values;
mod code_constants;
mod config;
mod context;
mod conversion;
mod creation;
mod current;
mod current_handle;
mod device;
mod dlpack;
mod dparray;
mod dtype;
mod elementwise;
mod environment_changes;
mod environment_classes;
mod environment_libraries;
mod errors;
mod event;
mod expected_kinds;
mod fft;
mod histogram;
mod index;
mod jit;
mod jit_arguments;
mod jit_binding;
mod jit_callbacks;
mod jit_examples;
mod jit_explain;
mod jit_found_dtypes;
mod jit_held;
mod jit_keys;
mod jit_library;
mod jit_lists;
mod jit_object_calls;
mod jit_objects;
mod jit_placement;
mod jit_random;
mod jit_shared_lists;
mod jit_specialisation;
mod jit_typed_containers;
mod jit_values;
mod joining;
mod kernel;
mod kernel_arguments;
mod kernel_environment;
mod kernel_launch;
mod kernel_range;
mod kernel_source;
mod kernel_specialisation;
mod kernel_staging;
mod linalg;
mod masking;
mod memory;
mod memory_order;
mod moments;
mod numba_hook;
mod overlapping_views;
mod placement;
mod profile;
mod queue;
mod random;
mod reductions;
mod scalars;
mod scans;
mod sequences;
mod sorting;
mod sycl_surroundings;
mod taking;
mod ufunc_keywords;
mod view_methods;
mod views;
mod watched_names;

use pyo3::prelude::*;

#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<device::PyDevice>()?;
    module.add_class::<context::PyContext>()?;
    module.add_class::<queue::PyQueue>()?;
    module.add_class::<event::PyEvent>()?;
    module.add_class::<array::PyArray>()?;
    module.add_class::<array_flags::ArrayFlags>()?;
    module.add_class::<config::Config>()?;
    config::read_environment();
    module.add("config", Bound::new(module.py(), config::Config)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    arguments::register(module)?;
    current::register(module)?;
    creation::register(module)?;
    dparray::register(module)?;
    sequences::register(module)?;
    histogram::register(module)?;
    jit::register(module)?;
    joining::register(module)?;
    conversion::register(module)?;
    kernel::register(module)?;
    linalg::register(module)?;
    memory::register(module)?;
    numba_hook::register(module)?;
    overlapping_views::register(module)?;
    placement::register(module)?;
    profile::register(module)?;
    views::register(module)?;
    taking::register(module)?;
    masking::register(module)?;
    elementwise::register(module)?;
    scans::register(module)?;
    reductions::register(module)?;
    moments::register(module)?;
    sorting::register(module)?;
    fft::register(module)?;
    random::register(module)?;
    device::register(module)
}
