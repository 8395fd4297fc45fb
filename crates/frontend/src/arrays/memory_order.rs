//! In which order the axes of a result lie in memory: as those of its operands do, as NumPy has it ("K").
//!
//! An order is a list of axes, the one with the largest stride first; C order counts up. What is in other order than
//! C is a view with its axes turned, of memory in C order: so regions walk it as it lies, and nobody else has to
//! know. Only what is known while compiling counts: an array of any strides passes for one in C order.

use crate::translate::Translator;
use crate::value::{Axis, Scalar, Value, View};
use colocate_ir::{ArrayRef, DType, Layout};

/// For each axis of an array how deep it lies in memory; nothing for an axis along which it does not move.
type Depths = Vec<Option<usize>>;

pub(crate) fn c_order(rank: usize) -> Vec<usize> {
    (0..rank).collect()
}

/// The items in another order.
pub(crate) fn in_order<T: Clone>(items: &[T], order: &[usize]) -> Vec<T> {
    order.iter().map(|axis| items[*axis].clone()).collect()
}

/// The order that undoes one.
pub(crate) fn inverse(order: &[usize]) -> Vec<usize> {
    let mut back = vec![0; order.len()];
    for (place, axis) in order.iter().enumerate() {
        back[*axis] = place;
    }
    back
}

impl Translator<'_> {
    /// The order of what is computed of arrays, element by element.
    pub fn order_of_result(&mut self, operands: &[Value], rank: usize) -> Vec<usize> {
        if rank < 2 || self.level() > 0 || !self.is_program() {
            return c_order(rank);
        }
        let all: Vec<Depths> = operands
            .iter()
            .filter_map(|operand| self.depths(operand, rank))
            .collect();
        let mut order: Vec<usize> = Vec::new();
        for axis in (0..rank).rev() {
            // It goes inside as far as no operand is against it.
            let mut place = 0;
            for (at, other) in order.iter().enumerate() {
                match lies_inside(&all, axis, *other) {
                    Some(true) => place = at + 1,
                    Some(false) => break,
                    None => {}
                }
            }
            order.insert(place, axis);
        }
        order
    }

    /// The order that `order=` asks for in a copy of an array; nothing if it is none.
    pub fn order_asked(&mut self, order: &Value, of: &Value, rank: usize) -> Option<Vec<usize>> {
        let fortran: Vec<usize> = (0..rank).rev().collect();
        let Value::Str(name) = order else {
            return None;
        };
        let kept = self.order_of_result(std::slice::from_ref(of), rank);
        Some(match name.as_str() {
            "K" | "k" => kept,
            "C" | "c" => c_order(rank),
            "F" | "f" => fortran,
            "A" | "a" if kept == fortran => fortran,
            "A" | "a" => c_order(rank),
            _ => return None,
        })
    }

    fn depths(&mut self, operand: &Value, rank: usize) -> Option<Depths> {
        let own: Depths = match operand {
            Value::View(view) if view.rank() > 1 => {
                let is_new = |axis: usize| matches!(view.axes[axis], Axis::New);
                let deepest = match view.base {
                    ArrayRef::Local(local) if self.program().fortran.contains(&local) => {
                        view.axes.len()
                    }
                    _ => 0,
                };
                let depth = |axis: &usize| (!is_new(*axis)).then(|| axis.abs_diff(deepest));
                view.free.iter().map(depth).collect()
            }
            Value::Lazy(lazy) if lazy.rank() > 1 => {
                inverse(&lazy.order).into_iter().map(Some).collect()
            }
            _ => return None,
        };
        let shape = self.shape_of(operand);
        let mut depths = vec![None; rank - own.len().min(rank)];
        for (depth, extent) in own.into_iter().zip(&shape) {
            depths.push(depth.filter(|_| extent.as_int() != Some(1)));
        }
        Some(depths)
    }

    /// New memory for an array whose axes lie in an order.
    pub fn allocate_in(
        &mut self,
        dtype: DType,
        shape: &[Scalar],
        order: &[usize],
        zeros: bool,
        name: &str,
    ) -> View {
        let mut view = self.allocate(dtype, &in_order(shape, order), zeros, name);
        view.free = inverse(order);
        view
    }

    /// An array of the caller's in Fortran order: memory in C order, with its axes turned. Where a device has a copy
    /// of it, that is in C order; then only what is made of it is turned.
    pub fn fortran_argument(&mut self, view: View) -> View {
        let ArrayRef::Local(argument) = view.base else {
            return view;
        };
        if !self.program().options.unified {
            self.program().fortran.insert(argument);
            return view;
        }
        let turned = View {
            free: view.free.iter().rev().copied().collect(),
            ..view.clone()
        };
        let rank = view.rank();
        let local = self
            .b
            .local("view", view.dtype, rank as u8, Layout::Contiguous);
        self.view_into(&turned, local);
        self.program().turned.insert(local, argument);
        View {
            base: ArrayRef::Local(local),
            free: turned.free,
            packed: true,
            ..view
        }
    }
}

/// Whether one axis lies inside another in memory, in all operands that move along both; nothing if none does.
fn lies_inside(all: &[Depths], axis: usize, other: usize) -> Option<bool> {
    let mut said = None;
    for depths in all {
        if let (Some(depth), Some(other)) = (depths[axis], depths[other]) {
            said = Some(depth > other && said != Some(false));
        }
    }
    said
}
