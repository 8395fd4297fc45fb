//! `np.roll` of known axes: an element is read where it was, so that differences of neighbours with periodic borders
//! are one region without temporaries.

use crate::arrays::lazy::{Element, is_array, rank_of};
use crate::calls::Arguments;
use crate::translate::Translator;
use crate::value::{Axis, Know, Scalar, Value, View};
use colocate_ir::{BinaryOp, CompareOp, DType};
use ruff_text_size::TextRange;
use std::rc::Rc;

/// What a rolled array is made of: another roll of it is a roll of the same array.
#[derive(Clone)]
pub(crate) struct Rolled {
    of: View,
    /// For each axis by how much, from 0 to below its extent; nothing where it is not rolled.
    shifts: Vec<Option<Scalar>>,
}

impl Translator<'_> {
    /// `np.roll`; nothing for other functions, and where it is not known which axes are rolled.
    pub fn roll(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        if name != "roll" || !self.is_program() {
            return None;
        }
        let placed = arguments.by_position(&["a", "shift", "axis"]);
        let values: Vec<&Value> = placed.positional.iter().map(|(value, _)| value).collect();
        let (array, shift, axis) = match values[..] {
            [array, shift] => (array, shift, &Value::None),
            [array, shift, axis] => (array, shift, axis),
            _ => return None,
        };
        let rank = rank_of(array)?;
        if !is_array(array) || rank == 0 || !placed.keywords.is_empty() {
            return None;
        }
        let axes = axes(axis, rank)?;
        let shifts = match shift {
            Value::Scalar(_) => vec![shift.clone(); axes.len()],
            Value::Tuple(items) if items.len() == axes.len() => items.clone(),
            _ => return None,
        };
        let are_integers = shifts.iter().all(
            |one| matches!(one, Value::Scalar(shift) if crate::types::is_integer(shift.dtype)),
        );
        if !are_integers {
            return None;
        }
        let stored = match array {
            Value::Lazy(lazy) if lazy.rolled.is_some() && lazy.stored.borrow().is_none() => {
                array.clone()
            }
            other => self.all_stored(other.clone()),
        };
        let mut rolled = match &stored {
            Value::View(view) => Rolled {
                of: view.clone(),
                shifts: vec![None; rank],
            },
            Value::Lazy(lazy) => (**lazy.rolled.as_ref()?).clone(),
            _ => return None,
        };
        for (axis, shift) in axes.into_iter().zip(shifts) {
            let shift = self.integer(&shift, range, "a shift")?;
            self.roll_further(&mut rolled, axis, &shift);
        }
        Some(self.rolled(rolled, range))
    }

    /// Adds to the shift of an axis.
    fn roll_further(&mut self, rolled: &mut Rolled, axis: usize, shift: &Scalar) {
        let extent = self.length(&rolled.of, rolled.of.free[axis]);
        // Of no elements nothing is read, but the remainder is computed.
        let extent = self.index_op(BinaryOp::Maximum, &extent, &Scalar::const_int(1));
        let shift = match rolled.shifts[axis] {
            Some(before) => self.index_op(BinaryOp::Add, &before, shift),
            None => *shift,
        };
        let [shift, extent] = [shift, extent].map(|one| self.as_dtype(&one, DType::Int64));
        let shift = self.b.binary(BinaryOp::Modulo, shift, extent);
        rolled.shifts[axis] = Some(Scalar::int(shift, Know::NonNegative));
    }

    fn rolled(&mut self, rolled: Rolled, range: TextRange) -> Value {
        let array = Value::View(rolled.of.clone());
        let shape = self.shape_of(&array);
        let (rank, level) = (shape.len(), self.level());
        let parts = rolled.clone();
        let element: Element = Rc::new(move |t, indices| {
            let view = t.brought_view(&parts.of, level);
            let mut own = indices.to_vec();
            for axis in 0..rank - 1 {
                if let Some(shift) = parts.shifts[axis] {
                    let shift = t.brought(&shift, level);
                    let (at, before) = t.place_before_roll(&view, axis, &indices[axis], &shift);
                    let extent = t.length(&view, view.free[axis]);
                    let wrapped = t.index_op(BinaryOp::Add, &before, &extent);
                    let [at, before, wrapped] = [at, before, wrapped].map(|one| t.ir(&one));
                    let place = t.b.select(at, wrapped, before);
                    own[axis] = Scalar::int(place, Know::NonNegative);
                }
            }
            let Some(shift) = parts.shifts[rank - 1] else {
                let element = t.at(&view, &own);
                return Some(t.load(&element));
            };
            // Along the axis whose elements lie side by side, a branch: on both sides neighbours are loaded together.
            let shift = t.brought(&shift, level);
            let last = rank - 1;
            let (is_over, _) = t.place_before_roll(&view, last, &indices[last], &shift);
            let is_over = t.ir(&is_over);
            let found = t.b.variable("rolled", view.dtype);
            t.b.begin_if(is_over);
            let extent = t.length(&view, view.free[last]);
            let distance = t.index_op(BinaryOp::Subtract, &extent, &shift);
            own[last] = t.index_op(BinaryOp::Add, &indices[last], &distance);
            t.load_into(found, &view, &own);
            t.b.begin_else();
            own[last] = t.index_op(BinaryOp::Subtract, &indices[last], &shift);
            t.load_into(found, &view, &own);
            t.b.end();
            let element = t.b.get(found);
            Some(Scalar::new(view.dtype, false, element))
        });
        let order = self.order_of_result(std::slice::from_ref(&array), rank);
        let dtype: DType = rolled.of.dtype;
        let lazy = self.lazy(dtype, shape, false, &[&array], range, element);
        Self::as_rolled(Self::with_order(lazy, order), rolled)
    }

    /// Whether an element was at the other end of an axis, and where it was if not.
    fn place_before_roll(
        &mut self,
        view: &View,
        axis: usize,
        index: &Scalar,
        shift: &Scalar,
    ) -> (Scalar, Scalar) {
        debug_assert!(!matches!(view.axes[view.free[axis]], Axis::Fixed(_)));
        let is_over = self.compare_scalars(CompareOp::Less, index, shift);
        let before = self.index_op(BinaryOp::Subtract, index, shift);
        (is_over, before)
    }

    fn load_into(&mut self, variable: colocate_ir::VariableId, view: &View, indices: &[Scalar]) {
        let element = self.at(view, indices);
        let element = self.load(&element);
        let element = self.ir(&element);
        self.b.set(variable, element);
    }
}

/// The axes that are rolled, in order; nothing if they are not known, or the array is rolled as one row.
fn axes(value: &Value, rank: usize) -> Option<Vec<usize>> {
    let one = |value: &Value| {
        let Value::Scalar(axis) = value else {
            return None;
        };
        let axis = axis.as_int()?;
        let axis = if axis < 0 { axis + rank as i128 } else { axis };
        usize::try_from(axis).ok().filter(|axis| *axis < rank)
    };
    match value {
        Value::None => (rank == 1).then(|| vec![0]),
        Value::Tuple(items) => items.iter().map(one).collect(),
        value => Some(vec![one(value)?]),
    }
}
