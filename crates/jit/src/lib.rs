//! Executing jit functions: the host part, the regions it launches, and where the data is meanwhile.
//!
//! An [`Executable`] is a program of the front end with its host part compiled for this processor.
//! [`Executable::run`] calls that code; whatever it cannot do itself it asks for by calls, which come
//! back to `calls` and are carried out on a queue. Arrays are known there by number.
//!
//! * `executable`: what is compiled, for whom, and how it is entered.
//! * `calls`: what each call does, with `arguments`, `new_arrays`, `launch` (regions), `library` (functions of
//!   the array library) and `operands` (what the caller is given).
//! * `lists`: what is done with lists that the host part knows by number; `list_table`: what they are, and what host
//!   code sees of them; `list_order` and `number_order`: comparing and
//!   sorting.
//! * `slot`: the array that a number stands for: a layout in a block.
//! * `block`: memory, on the host and on the device, and which of the two holds what counts.
//! * `bit_generator`: drawing random numbers.
//! * `cost_model`: whether a region is worth its device.
//! * `value`: what goes to and comes from the caller; `words`: numbers as words.
//! * `report`: what was launched, allocated and moved, and why.
//!
//! What always holds: where host code reaches the device's memory there is one side of each block,
//! nothing is copied, and nothing is under way between two calls of the host part. Elsewhere a block
//! has two sides, and data moves only if the next use is on the other one. No call unwinds into compiled
//! code. This crate knows no Python: functions, printing and exceptions are the matter of whoever
//! implements [`Callbacks`].

mod arguments;
mod bit_generator;
mod block;
mod calls;
mod cost_model;
mod error;
mod executable;
mod launch;
mod library;
mod list_order;
mod list_table;
mod lists;
mod new_arrays;
mod number_order;
mod operands;
mod outside_arrays;
mod overlap;
mod parts;
mod report;
mod slot;
pub mod tables;
mod value;
mod words;

pub use arguments::result_kind;
pub use bit_generator::BitGenerator;
pub use error::{Error, Result};
pub use executable::{Call, Executable};
pub use report::{Called, Direction, Launched, Moved, Report};
pub use value::{Argument, Callbacks, HostArray, Keep, Value};
pub use words::{scalar_bytes, word_of_bytes, words_of_bytes};
