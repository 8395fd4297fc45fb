//! What goes to and comes from the caller: arguments, results, and what callbacks are given.

use crate::{BitGenerator, Error, Result};
use colocate_array::Array;
use colocate_dtype::{DType, Dims, Strides};
use colocate_frontend::Captured;
use colocate_frontend::program::{Drawn, Generator};
use std::any::Any;
use std::mem::MaybeUninit;
use std::sync::Arc;

/// An argument, by the number of its leaf.
#[derive(Debug)]
pub enum Argument {
    /// No array: a number, whose value is among the scalars, or nothing.
    Other,
    /// An array on the queue that the function runs on.
    Device(Array),
    /// An array in host memory, which stays as it is during the call.
    Host(HostArray),
    /// A list of numbers, tuples and lists.
    List(Value),
    /// The list that an earlier argument is, too.
    SameList(usize),
}

/// An array in host memory.
#[derive(Clone, Debug)]
pub struct HostArray {
    /// Of its elements.
    pub dtype: DType,
    /// Its first element.
    pub pointer: *mut u8,
    /// Its extents.
    pub shape: Dims,
    /// In bytes.
    pub strides: Strides,
    /// Whether it may be written to.
    pub writable: bool,
    /// Whose memory it is.
    pub keep: Keep,
}

/// Who keeps memory alive.
#[derive(Clone)]
pub enum Keep {
    /// The argument of this number.
    Argument(usize),
    /// This.
    Owner(Arc<dyn Any + Send + Sync>),
}

impl std::fmt::Debug for Keep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Keep::Argument(leaf) => write!(f, "Keep::Argument({leaf})"),
            Keep::Owner(_) => f.write_str("Keep::Owner"),
        }
    }
}

/// A value of the program.
#[derive(Clone, Debug)]
pub enum Value {
    /// An argument itself.
    Argument(usize),
    /// An array on the queue.
    Array(Array),
    /// An array in host memory.
    Host(HostArray),
    /// A number.
    Scalar {
        /// Its dtype.
        dtype: DType,
        /// Whether it is a Python number.
        weak: bool,
        /// As a call passes it.
        words: [u64; 2],
    },
    /// Known while compiling.
    Constant(Captured),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A list.
    List(Vec<Value>),
    /// A list of numbers.
    Numbers {
        /// Their dtype.
        dtype: DType,
        /// Whether they are Python numbers.
        weak: bool,
        /// One after the other, as in memory.
        bytes: Vec<u8>,
    },
    /// A list of tuples of Python's floats and ints.
    Rows {
        /// What the parts of a tuple are.
        dtypes: Vec<DType>,
        /// Those of the first tuple, then those of the next.
        words: Vec<u64>,
    },
    /// A list among the arguments, with what it holds now.
    Known {
        /// The number of the argument's leaf.
        leaf: usize,
        /// Its number among the lists in it, each before those inside it.
        list: usize,
        /// Its items, as a list; nothing if they are as they were.
        items: Option<Box<Value>>,
    },
    /// A list that may be in several places of what is returned.
    Shared {
        /// Other lists have others.
        number: u64,
        /// What it holds, as a list; nothing after the first place.
        items: Option<Box<Value>>,
    },
    /// A named tuple: the number of its class, and the items.
    Named(u32, Vec<Value>),
    /// A slice: start, stop, step.
    Slice(Vec<Value>),
    /// `...`
    Ellipsis,
    /// An object that the caller keeps, by its handle.
    Object(u64),
}

/// What the caller does for a function that runs. Calls are named by their number in the program.
pub trait Callbacks {
    /// What keeps an argument's memory alive beyond the call.
    fn keep_argument(&mut self, leaf: usize) -> Arc<dyn Any + Send + Sync>;

    /// Whether a library function takes arrays in host memory rather than on the queue; they have so many
    /// elements together.
    fn is_on_host(&self, call: usize, elements: usize) -> bool;

    /// Calls a library function. If it does not take arrays on the queue, that is [`Error::NotOnQueue`], and
    /// it is called again with arrays in host memory.
    fn library(
        &mut self,
        call: usize,
        arguments: Vec<Value>,
        keywords: Vec<Value>,
    ) -> Result<Value>;

    /// Does a call that is about objects and numbers alone, in a shorter way than [`Callbacks::library`]; nothing
    /// if it has none.
    fn object_call(
        &mut self,
        _call: usize,
        _words: &[u64],
        _results: &mut [u64],
    ) -> Option<Result<()>> {
        None
    }

    /// NumPy's generator. It may be used until another of these methods is called, or the callbacks are dropped.
    fn bit_generator(&mut self) -> Result<BitGenerator>;

    /// Draws a random number that [`BitGenerator::draw`] does not: as a word. Some numbers depend on another word.
    fn draw(&mut self, from: Generator, what: Drawn, word: u64) -> Result<u64>;

    /// Fills memory with numbers of NumPy's generator, from `low` on and below `low + span`. After success
    /// there are numbers everywhere.
    fn fill_random(&mut self, memory: &mut [MaybeUninit<f64>], low: f64, span: f64) -> Result<()>;

    /// Keeps the exception of a failure that the program catches; its handle. What is no exception goes
    /// on as a failure.
    fn caught(&mut self, failure: Error) -> Result<u64>;

    /// Asked now and then while a program launches regions or calls library functions: whether the user
    /// wants it to end. An error ends it.
    fn look_up(&mut self) -> Result<()> {
        Ok(())
    }

    /// Prints.
    fn print(&mut self, call: usize, parts: Vec<Value>) -> Result<()>;

    /// The exception that a raise statement makes, after the caller's lists were given what they hold by then.
    fn raise(&mut self, call: usize, arguments: Vec<Value>, lists: Vec<Value>) -> Error;
}
