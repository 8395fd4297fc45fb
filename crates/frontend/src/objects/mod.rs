//! Python's own objects in jit functions: lists, ranges, texts, None, and the builtin functions that take them.

pub(crate) mod choices;
pub(crate) mod classes;
pub(crate) mod cmath_functions;
pub(crate) mod comprehensions;
pub(crate) mod containers;
pub(crate) mod folds;
pub(crate) mod formatted_texts;
pub(crate) mod held_lists;
pub(crate) mod integer_functions;
pub(crate) mod items;
pub(crate) mod list_items;
pub(crate) mod list_methods;
pub(crate) mod list_operators;
pub(crate) mod lists;
pub(crate) mod match_statements;
pub(crate) mod object_calls;
pub(crate) mod object_functions;
pub(crate) mod object_lifetimes;
pub(crate) mod object_operations;
pub(crate) mod object_types;
pub(crate) mod operator_functions;
pub(crate) mod optional_values;
pub(crate) mod python_functions;
pub mod python_objects;
pub(crate) mod ranges_and_texts;
pub(crate) mod syntax_building;
