//! Arrays whose dtype depends on the path taken: they are of the dtype that holds all, as numbers are.
//!
//! What is of another dtype is copied. Nobody can tell, as long as the copy is not written to, and neither is what it
//! was made of: so the array cannot be written to, and what other names may have is only copied if the function never
//! writes to arrays of its dtype.

use crate::codes;
use crate::program::{Call, Operand, Outcome};
use crate::scope::{Binding, each_view};
use crate::translate::Translator;
use crate::value::{ANY_PHI, Know, Scalar, Value, View};
use colocate_ir::{ArrayRef, DType, Kind};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// What a name holds that is an array of one dtype or of another; nothing if it is something else.
    pub fn join_dtypes(&mut self, name: &str, a: &Binding, b: &Binding) -> Option<Binding> {
        let (Value::View(x), Value::View(y)) = (&a.value, &b.value) else {
            return None;
        };
        let known = |view: &View| matches!(view.base, ArrayRef::Local(_));
        if !self.is_program() || self.level() > 0 || !known(x) || !known(y) {
            return None;
        }
        let dtype = dtype_of_both(x.dtype, y.dtype)?;
        let is_wanted = name.starts_with('%') || self.is_read_later(name);
        if x.rank() != y.rank() || !is_wanted {
            return None;
        }
        for view in [x, y] {
            if view.dtype != dtype && !self.is_nobody_elses(name, view) {
                if self.written_dtypes.contains(&view.dtype) {
                    return None;
                }
                self.copied_dtypes.insert(view.dtype);
            }
        }
        let base = ArrayRef::Local(ANY_PHI);
        let whole = View {
            writable: false,
            ..View::whole(base, dtype, x.rank(), false)
        };
        Some(Binding {
            value: Value::View(whole),
            site: b.site,
            unsure: a.unsure || b.unsure,
        })
    }

    /// Whether the function made an array that no other name has.
    fn is_nobody_elses(&mut self, name: &str, view: &View) -> bool {
        let ArrayRef::Local(local) = view.base else {
            return false;
        };
        // What has a name in the program may be in a list as well.
        if !name.starts_with('%') {
            return false;
        }
        let calls = &self.program().calls;
        let is_made = calls.iter().any(|call| match call {
            Call::Allocate { local: made, .. } => *made == local,
            // Of other arrays it might be a part.
            Call::Library {
                function,
                arguments,
                result: Outcome::Local(made),
                ..
            } => {
                let is_number =
                    |one: &Operand| matches!(one, Operand::Scalar { .. } | Operand::Constant(_));
                *made == local && function.starts_with("numpy.") && arguments.iter().all(is_number)
            }
            _ => false,
        });
        if !is_made {
            return false;
        }
        let mut others = false;
        for frame in &self.frames {
            for (other, binding) in &frame.scope {
                each_view(&mut binding.value.clone(), &mut |one| {
                    others |= other != name && one.base == view.base;
                });
            }
        }
        !others
    }

    /// A view as an array of another dtype that is only read.
    pub fn copied_as(&mut self, view: View, dtype: DType) -> View {
        if view.dtype == dtype {
            return view;
        }
        let range = TextRange::default();
        let copy = self.converted(&Value::View(view.clone()), dtype, range);
        match self.all_stored(copy) {
            Value::View(copy) => copy,
            _ => view,
        }
    }

    /// Notes that the function writes to arrays of a dtype.
    pub fn note_written(&mut self, dtype: DType) {
        let new = self.written_dtypes.insert(dtype);
        self.again |= new && self.copied_dtypes.contains(&dtype);
    }

    /// Reports an array that is returned as it is: its dtype would be another than Python's.
    pub fn is_copy_returned(&mut self, value: &Value, range: TextRange) -> bool {
        let mut is_copy = false;
        each_view(&mut value.clone(), &mut |view| {
            is_copy |=
                matches!(view.base, ArrayRef::Local(of) if self.copies_of_dtypes.contains(&of));
        });
        if is_copy {
            let text = "the dtype of what is returned depends on the path taken";
            let diagnostic = self
                .wrong(codes::CONFLICT, text, range, "")
                .help("give it the same dtype on every path: `a.astype(complex)`");
            self.report(diagnostic);
        }
        is_copy
    }

    /// Reports a write to an array that may be a copy; false if it is none.
    pub fn is_copy_written(&mut self, view: &View, range: TextRange) -> bool {
        let ArrayRef::Local(local) = view.base else {
            return false;
        };
        if self.copies_on_devices.contains(&local) {
            let text = "an array in a container is only read where its memory is on a device";
            let diagnostic = self
                .wrong(codes::CONTAINER, text, range, "this writes to a copy")
                .help("pass the array to the function by itself, or in a tuple");
            self.report(diagnostic);
            return true;
        }
        if !self.copies_of_dtypes.contains(&local) {
            return false;
        }
        let text = "an array whose dtype depends on the path taken is only read";
        let diagnostic = self
            .wrong(codes::CONFLICT, text, range, "this writes to it")
            .help("give both the same dtype: `a.astype(complex)`");
        self.report(diagnostic);
        true
    }
}

/// The dtype that holds all numbers of two others, where a number of the narrower one does the same in it.
fn dtype_of_both(a: DType, b: DType) -> Option<DType> {
    let open = |dtype| Scalar {
        dtype,
        weak: false,
        know: Know::Any,
        ir: None,
    };
    let numbers = |dtype: DType| dtype.kind() != Kind::Bool;
    let (dtype, _) = crate::types::join(&open(a), &open(b));
    let fits = a != b && numbers(a) && numbers(b) && crate::types::is_inexact(dtype);
    fits.then_some(dtype)
}
