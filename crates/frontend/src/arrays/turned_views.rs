//! Views with axes that are turned, added or taken away, where it is known while compiling which: `moveaxis`,
//! `rollaxis`, `rot90`, `atleast_2d`, `squeeze(axis=)`. As views they can be written to on any device.

use crate::arrays::lazy::{is_array, rank_of};
use crate::calls::Arguments;
use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::CompareOp;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// One of these functions; nothing if it is another, or its axes are not known.
    pub fn turned_view(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let names: &[&str] = match name {
            "moveaxis" => &["a", "source", "destination"],
            "rollaxis" => &["a", "axis", "start"],
            "rot90" => &["m", "k", "axes"],
            "squeeze" => &["a", "axis"],
            "atleast_1d" | "atleast_2d" | "atleast_3d" => &["a"],
            _ => return None,
        };
        let placed = arguments.by_position(names);
        let values: Vec<&Value> = placed.positional.iter().map(|(value, _)| value).collect();
        let (value, rest) = values.split_first()?;
        let rank = rank_of(value)?;
        if !is_array(value) || !placed.keywords.is_empty() || rest.len() >= names.len() {
            return None;
        }
        let value: &Value = value;
        match (name, rest) {
            ("moveaxis", [source, destination]) => {
                let (from, to) = (axes(source, rank)?, axes(destination, rank)?);
                let mut moved: Vec<_> = to.iter().copied().zip(from.iter().copied()).collect();
                moved.sort_unstable();
                let mut order: Vec<usize> = (0..rank).filter(|axis| !from.contains(axis)).collect();
                for (place, axis) in moved.iter().copied() {
                    order.insert(place, axis);
                }
                (from.len() == to.len()).then(|| self.permuted(value, &order, range))
            }
            ("rollaxis", [axis, start @ ..]) => {
                let start = match start {
                    [start] => constant(start)?,
                    _ => 0,
                };
                let start = if start < 0 {
                    start + rank as i128
                } else {
                    start
                };
                let start = usize::try_from(start).ok().filter(|start| *start <= rank)?;
                let [axis] = axes(axis, rank)?[..] else {
                    return None;
                };
                let mut order: Vec<usize> = (0..rank).filter(|one| *one != axis).collect();
                order.insert(start - usize::from(axis < start), axis);
                Some(self.permuted(value, &order, range))
            }
            ("rot90", rest) => {
                let turns = match rest {
                    [turns, ..] => constant(turns)?.rem_euclid(4),
                    [] => 1,
                };
                let plane = match rest {
                    [_, plane] => axes(plane, rank)?,
                    _ => vec![0, 1],
                };
                let &[a, b] = &plane[..] else {
                    return None;
                };
                (rank > 1).then(|| self.rotated(value, turns, (a, b), range))
            }
            ("squeeze", [axis]) => {
                let axes = axes(axis, rank)?;
                (axes.len() < rank).then(|| self.without_axes_of_one(value, &axes, range))
            }
            (_, []) if name.starts_with("atleast") && rank > 0 => {
                let all = Value::Slice(Box::new([None, None, None]));
                let items = match (name, rank) {
                    ("atleast_2d", 1) => vec![Value::None, all],
                    ("atleast_3d", 1) => vec![Value::None, all, Value::None],
                    ("atleast_3d", 2) => vec![all.clone(), all, Value::None],
                    _ => return Some(value.clone()),
                };
                let ranges = vec![range; items.len()];
                Some(self.array_item(value, &items, &ranges, range))
            }
            _ => None,
        }
    }

    /// An array turned by so many right angles in a plane.
    fn rotated(
        &mut self,
        value: &Value,
        turns: i128,
        (a, b): (usize, usize),
        range: TextRange,
    ) -> Value {
        let rank = rank_of(value).unwrap_or(0);
        let mut swapped: Vec<usize> = (0..rank).collect();
        swapped.swap(a, b);
        match turns {
            0 => value.clone(),
            1 => {
                let flipped = self.flipped(value, &[b], range);
                self.permuted(&flipped, &swapped, range)
            }
            2 => self.flipped(value, &[a, b], range),
            _ => {
                let turned = self.permuted(value, &swapped, range);
                self.flipped(&turned, &[b], range)
            }
        }
    }

    /// An array without axes that must have one element.
    fn without_axes_of_one(&mut self, value: &Value, axes: &[usize], range: TextRange) -> Value {
        let shape = self.shape_of(value);
        let mut items = Vec::new();
        for (axis, extent) in shape.iter().enumerate() {
            if !axes.contains(&axis) {
                items.push(Value::Slice(Box::new([None, None, None])));
                continue;
            }
            let one = Scalar::const_int(1);
            let longer = self.compare_scalars(CompareOp::NotEqual, extent, &one);
            if longer.as_int() != Some(0) {
                let text = "cannot select an axis to squeeze out which has size not equal to one";
                let longer = self.ir(&longer);
                self.raise_if(longer, &raised("ValueError", text), range);
            }
            items.push(Scalar::const_int(0).into());
        }
        let ranges = vec![range; items.len()];
        let stored = self.all_stored(value.clone());
        self.array_item(&stored, &items, &ranges, range)
    }
}

fn constant(value: &Value) -> Option<i128> {
    match value {
        Value::Scalar(number) => number.as_int(),
        _ => None,
    }
}

/// An axis or several, each of them once; nothing if they are not known.
fn axes(value: &Value, rank: usize) -> Option<Vec<usize>> {
    let one = |value: &Value| {
        let axis = constant(value)?;
        let axis = if axis < 0 { axis + rank as i128 } else { axis };
        usize::try_from(axis).ok().filter(|axis| *axis < rank)
    };
    let found: Vec<usize> = match value {
        Value::Tuple(items) => items.iter().map(one).collect::<Option<_>>()?,
        value => vec![one(value)?],
    };
    let mut seen = found.clone();
    seen.sort_unstable();
    seen.dedup();
    (seen.len() == found.len()).then_some(found)
}
