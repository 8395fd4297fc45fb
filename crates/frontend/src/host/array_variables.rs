//! Arrays that depend on the path taken: a name that is one array or another has a variable of its own for them.

use crate::translate::Translator;
use crate::value::{ANY_PHI, PACKED_PHI, View};
use colocate_ir::{ArrayRef, DType, Layout, LocalId};
use std::collections::{HashMap, HashSet};

/// Key of an array variable: frame, name, position, dtype, rank, whether it has no gaps.
pub(crate) type PhiKey = (u32, String, usize, DType, u8, bool);

pub(crate) type Phis = HashMap<PhiKey, LocalId>;

pub(crate) type Mutable = HashSet<LocalId>;

impl Translator<'_> {
    /// The array variable of a name.
    pub fn phi_local(&mut self, name: &str, position: usize, view: &View) -> LocalId {
        let frame = self.frame().id;
        let rank = view.free.len() as u8;
        let packed = view.base == ArrayRef::Local(PACKED_PHI);
        let key = (frame, name.to_string(), position, view.dtype, rank, packed);
        if let Some(local) = self.phis.get(&key) {
            return *local;
        }
        let layout = if packed {
            Layout::Contiguous
        } else {
            Layout::Strided
        };
        let shown = name.trim_start_matches('%');
        let local = self.b.local(shown, view.dtype, rank, layout);
        self.mutable.insert(local);
        self.phis.insert(key, local);
        local
    }
}

/// The array that stands for one or the other of two.
pub(crate) fn phi(a: &View, b: &View) -> Option<View> {
    let local = |view: &View| matches!(view.base, ArrayRef::Local(_));
    if !local(a) || !local(b) || a.dtype != b.dtype || a.rank() != b.rank() {
        return None;
    }
    let packed = |view: &View| view.packed && view.is_turned();
    let both = packed(a) && packed(b) && a.free == b.free;
    let base = if both { PACKED_PHI } else { ANY_PHI };
    let whole = View::whole(ArrayRef::Local(base), a.dtype, a.rank(), both);
    Some(View {
        writable: a.writable && b.writable,
        free: if both {
            a.free.clone()
        } else {
            whole.free.clone()
        },
        ..whole
    })
}
