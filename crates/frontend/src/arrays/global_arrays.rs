//! Arrays outside a jit function that it reads, and writes where they are.
//!
//! They are fetched once, where the function begins. Which ones there are turns out while it is
//! translated; then it is translated once more. They may share memory with arguments and with each other.

use crate::program::{Call, Outcome};
use crate::translate::Translator;
use crate::value::{Value, View};
use colocate_ir::{ArrayRef, CallResult, DType, Layout, LocalId};

/// The name under which the caller is asked for an array outside the function, before its number.
pub const GLOBAL_ARRAY: &str = "global.";

/// An array outside the function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GlobalArray {
    /// Its number in the environment.
    pub number: u32,
    pub dtype: DType,
    pub rank: u8,
    pub layout: Layout,
    pub writable: bool,
    /// What it is in the host part.
    pub local: Option<LocalId>,
}

impl Translator<'_> {
    /// Fetches the arrays that the last attempt found.
    pub fn fetch_global_arrays(&mut self) {
        for position in 0..self.global_arrays.len() {
            let array = self.global_arrays[position].clone();
            let local = self.fetch(&array);
            self.global_arrays[position].local = Some(local);
        }
    }

    fn fetch(&mut self, array: &GlobalArray) -> LocalId {
        let local = self
            .b
            .local("outside", array.dtype, array.rank, array.layout);
        let call = Call::Library {
            function: format!("{GLOBAL_ARRAY}{}", array.number),
            arguments: Vec::new(),
            keywords: Vec::new(),
            result: Outcome::Local(local),
            changes: Vec::new(),
        };
        self.call(call, &[], vec![CallResult::Local(local)]);
        local
    }

    /// An array outside the function.
    pub fn global_array(&mut self, array: GlobalArray) -> Value {
        let GlobalArray {
            number,
            dtype,
            rank,
            layout,
            writable,
            ..
        } = array;
        if !self.is_program() {
            return Value::Unsupported("a numpy.ndarray".into());
        }
        if self.function_base > 0 {
            return Value::Unsupported("an array outside a function that calls itself".into());
        }
        let known = self.global_arrays.iter().find(|one| one.number == number);
        let local = match known.and_then(|known| known.local) {
            Some(local) => local,
            None => {
                self.global_arrays.retain(|one| one.number != number);
                self.global_arrays.push(array.clone());
                self.again = true;
                if self.level() > 0 {
                    return self.hinder("it reads an array outside the function");
                }
                // This attempt goes on, to find the others.
                self.fetch(&array)
            }
        };
        let packed = layout == Layout::Contiguous;
        let view = View {
            writable,
            ..View::whole(ArrayRef::Local(local), dtype, usize::from(rank), packed)
        };
        Value::View(self.brought_view(&view, 0))
    }
}
