//! Arrays in another shape or order: `transpose`, `reshape`, `flip` and what is like them.

use crate::arrays::lazy::{Element, is_array, rank_of};
use crate::calls::Arguments;
use crate::codes;
use crate::objects::ranges_and_texts::raised;
use crate::program::Call;
use crate::translate::Translator;
use crate::value::{Scalar, Value, View};
use colocate_ir::{ArrayRef, BinaryOp, CallResult, CompareOp, DType, Layout, ValueId};
use ruff_python_ast::Expr;
use ruff_text_size::TextRange;
use std::rc::Rc;

impl Translator<'_> {
    /// An array without the axes of length one. Those whose length is known only when the program runs stay, and must
    /// be longer.
    fn squeezed(&mut self, value: &Value, range: TextRange) -> Value {
        let shape = self.shape_of(value);
        let mut items = Vec::new();
        for extent in &shape {
            match extent.as_int() {
                Some(1) => items.push(Value::Scalar(Scalar::const_int(0))),
                known => {
                    items.push(Value::Slice(Box::new([None, None, None])));
                    if known.is_none() {
                        self.program().wants_ones = true;
                        let one =
                            self.compare_scalars(CompareOp::Equal, extent, &Scalar::const_int(1));
                        let one = self.ir(&one);
                        let text = "squeeze is to remove an axis whose length is known only when the function runs; \
                                    name the axis: squeeze(a, axis=0)";
                        self.raise_if(one, &raised("TypeError", text), range);
                    }
                }
            }
        }
        let ranges = vec![range; items.len()];
        let stored = self.all_stored(value.clone());
        match &stored {
            // Without axes it is an array still, which shares the memory.
            Value::View(view) => match self.index_with(view, &items, &ranges, range) {
                Some(view) if view.rank() == 0 && self.level() == 0 => {
                    let dtype = view.dtype;
                    let local = self.b.local("view", dtype, 0, Layout::Contiguous);
                    self.view_into(&view, local);
                    Value::View(View {
                        writable: view.writable,
                        ..View::whole(ArrayRef::Local(local), dtype, 0, true)
                    })
                }
                Some(view) => self.element_or_view(view),
                None => Value::Poison,
            },
            _ => match self.array_item(&stored, &items, &ranges, range) {
                Value::Scalar(number) => self.as_array(&number.into(), None, range),
                other => other,
            },
        }
    }

    /// Arrays whose elements are others' in another order or shape.
    pub fn rearranged(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let [(value, _), rest @ ..] = &arguments.positional[..] else {
            return None;
        };
        if !is_array(value) {
            return None;
        }
        let rank = rank_of(value)?;
        let plain = arguments.keywords.is_empty();
        match name {
            "transpose" | "permute_dims" if plain => {
                let axes = match rest {
                    [] | [(Value::None, _)] => (0..rank).rev().collect(),
                    [(Value::Tuple(items), _)] => self.axis_list(items, rank)?,
                    several => {
                        let items: Vec<Value> =
                            several.iter().map(|(value, _)| value.clone()).collect();
                        self.axis_list(&items, rank)?
                    }
                };
                Some(self.permuted(value, &axes, range))
            }
            "squeeze" if plain && matches!(rest, [] | [(Value::None, _)]) => {
                Some(self.squeezed(value, range))
            }
            "swapaxes" if plain => {
                let items: Vec<Value> = rest.iter().map(|(value, _)| value.clone()).collect();
                let pair = self.axis_pair(&items, rank)?;
                let mut axes: Vec<usize> = (0..rank).collect();
                axes.swap(pair.0, pair.1);
                Some(self.permuted(value, &axes, range))
            }
            "reshape" => {
                let (rest, keywords, order) = without_order(rest, &arguments.keywords);
                let shape = match (rest, &keywords[..]) {
                    ([(Value::Tuple(items), _)], []) => items.clone(),
                    ([(_, _), ..], []) => rest.iter().map(|(value, _)| value.clone()).collect(),
                    ([], [(keyword, Value::Tuple(items), _)])
                        if matches!(keyword.as_str(), "shape" | "newshape") =>
                    {
                        items.clone()
                    }
                    ([], [(keyword, one @ Value::Scalar(_), _)])
                        if matches!(keyword.as_str(), "shape" | "newshape") =>
                    {
                        vec![one.clone()]
                    }
                    _ => return None,
                };
                match order {
                    Some(order) => self.reshaped_in(value, shape, &order, range),
                    None => self.reshaped(value, &shape, range),
                }
            }
            "ravel" if plain && rest.is_empty() => {
                let minus = Value::Scalar(Scalar::const_int(-1));
                self.packed_as(value, &[minus], range)
            }
            "flip" if plain && rest.is_empty() => {
                let all: Vec<usize> = (0..rank).collect();
                Some(self.flipped(value, &all, range))
            }
            "flipud" if plain => Some(self.flipped(value, &[0], range)),
            "fliplr" if plain && rank > 1 => Some(self.flipped(value, &[1], range)),
            "ascontiguousarray" if plain && rest.is_empty() && rank > 0 && self.level() == 0 => {
                let shape = self.shape_of(value);
                let shape: Vec<Value> = shape.into_iter().map(Value::Scalar).collect();
                self.packed_as(value, &shape, range)
            }
            "copy" | "ascontiguousarray" if plain && rest.is_empty() => {
                let order = if name == "copy" { "K" } else { "C" };
                Some(self.copy_in(value, &Value::Str(order.into()), range))
            }
            "expand_dims" if plain => {
                let [(Value::Scalar(axis), _)] = rest else {
                    return None;
                };
                let axis = axis.as_int()?;
                let axis = if axis < 0 {
                    axis + rank as i128 + 1
                } else {
                    axis
                };
                let axis = usize::try_from(axis).ok().filter(|axis| *axis <= rank)?;
                let mut items = vec![Value::Slice(Box::new([None, None, None])); rank];
                items.insert(axis, Value::None);
                let ranges = vec![range; items.len()];
                Some(self.array_item(value, &items, &ranges, range))
            }
            "real" | "imag" if plain && rest.is_empty() => None,
            "ndim" if plain => Some(Scalar::const_int(rank as i128).into()),
            "shape" if plain => {
                let shape = self.shape_of(value);
                Some(Value::Tuple(shape.into_iter().map(Value::Scalar).collect()))
            }
            "size" if plain && rest.is_empty() => Some(self.element_count(value).into()),
            _ => None,
        }
    }

    /// An array in another shape, whose elements are counted in the order that is asked for: in Fortran's the first
    /// axis is the quickest.
    fn reshaped_in(
        &mut self,
        value: &Value,
        mut shape: Vec<Value>,
        order: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let rank = rank_of(value)?;
        let fortran: Vec<usize> = (0..rank).rev().collect();
        let is_fortran = match order {
            Value::None => false,
            Value::Str(name) if matches!(name.as_str(), "C" | "c") => false,
            Value::Str(name) if matches!(name.as_str(), "F" | "f") => true,
            Value::Str(name) if matches!(name.as_str(), "A" | "a") => {
                if rank > 1 && !self.lies_as_known(value) {
                    let mut given = vec![(self.all_stored(value.clone()), range)];
                    given.extend(shape.into_iter().map(|extent| (extent, range)));
                    let order = [("order".to_string(), order.clone(), range)];
                    return Some(self.library("method.reshape", &given, &order, &[], range));
                }
                rank > 1 && self.order_asked(order, value, rank)? == fortran
            }
            _ => return Some(self.no_order(order, "\"C\", \"F\" or \"A\"", range)),
        };
        if !is_fortran {
            return self.reshaped(value, &shape, range);
        }
        let turned = self.permuted(value, &fortran, range);
        shape.reverse();
        let shaped = self.reshaped(&turned, &shape, range)?;
        let back: Vec<usize> = (0..shape.len()).rev().collect();
        let mut shaped = self.permuted(&shaped, &back, range);
        if let (Value::View(of), Value::View(view)) = (value, &mut shaped)
            && self.is_copied_from_fortran(of)
        {
            // In NumPy it is a view, and writing to a copy would be lost.
            view.writable = false;
        }
        Some(shaped)
    }

    /// `array.flatten(order)`: a copy on one axis.
    pub fn flattened(&mut self, value: &Value, order: &Value, range: TextRange) -> Value {
        let rank = rank_of(value).unwrap_or(0);
        let by_memory =
            matches!(order, Value::Str(name) if matches!(name.as_str(), "A" | "a" | "K" | "k"));
        if by_memory && rank > 1 && !self.lies_as_known(value) {
            let given = [(value.clone(), range), (order.clone(), range)];
            return self.library("method.flatten", &given, &[], &[], range);
        }
        let Some(order) = self.order_asked(order, value, rank) else {
            return self.no_order(order, "\"C\", \"F\", \"A\" or \"K\"", range);
        };
        let turned = self.permuted(value, &order, range);
        let copy = self.copy_in(&turned, &Value::Str("C".into()), range);
        let minus = Value::Scalar(Scalar::const_int(-1));
        self.reshaped(&copy, &[minus], range)
            .unwrap_or(Value::Poison)
    }

    /// Whether it is known while compiling in which order the elements of an array lie in memory.
    fn lies_as_known(&mut self, value: &Value) -> bool {
        match value {
            Value::View(view) => {
                view.packed && view.is_turned() || self.is_copied_from_fortran(view)
            }
            _ => true,
        }
    }

    /// Whether an array is the caller's in Fortran order, of which a device has a copy in C order.
    fn is_copied_from_fortran(&mut self, view: &View) -> bool {
        view.is_turned()
            && matches!(view.base, ArrayRef::Local(local) if self.program().fortran.contains(&local))
    }

    /// Reports an `order=` that is none.
    pub fn no_order(&mut self, order: &Value, known: &str, range: TextRange) -> Value {
        let what = order.describe();
        let text = format!("an order is {known}, not {what}");
        let diagnostic = self.wrong(codes::VALUE, text, range, "");
        self.report(diagnostic)
    }

    fn axis_list(&mut self, items: &[Value], rank: usize) -> Option<Vec<usize>> {
        let mut axes = Vec::new();
        for item in items {
            let Value::Scalar(axis) = item else {
                return None;
            };
            let axis = axis.as_int()?;
            let axis = if axis < 0 { axis + rank as i128 } else { axis };
            let axis = usize::try_from(axis).ok().filter(|axis| *axis < rank)?;
            if axes.contains(&axis) {
                return None;
            }
            axes.push(axis);
        }
        (axes.len() == rank).then_some(axes)
    }

    fn axis_pair(&mut self, items: &[Value], rank: usize) -> Option<(usize, usize)> {
        let [Value::Scalar(a), Value::Scalar(b)] = items else {
            return None;
        };
        let axis = |scalar: &Scalar| {
            let axis = scalar.as_int()?;
            let axis = if axis < 0 { axis + rank as i128 } else { axis };
            usize::try_from(axis).ok().filter(|axis| *axis < rank)
        };
        Some((axis(a)?, axis(b)?))
    }

    /// How many elements an array has.
    pub fn element_count(&mut self, value: &Value) -> Scalar {
        let mut count = Scalar::const_int(1);
        for extent in self.shape_of(value) {
            count = self.index_op(BinaryOp::Multiply, &count, &extent);
        }
        count
    }

    /// An array with its axes in another order.
    pub fn permuted(&mut self, value: &Value, axes: &[usize], range: TextRange) -> Value {
        match value {
            Value::View(view) => {
                let mut turned = view.clone();
                turned.free = axes.iter().map(|axis| view.free[*axis]).collect();
                turned.packed &= turned.is_turned();
                Value::View(turned)
            }
            Value::Lazy(_) if self.level() == 0 => {
                let stored = self.stored(value);
                self.permuted(&stored, axes, range)
            }
            Value::Lazy(_) => {
                let own = self.shape_of(value);
                let shape = axes.iter().map(|axis| own[*axis]).collect();
                let Some(source) = self.source(value) else {
                    return Value::Poison;
                };
                let axes = axes.to_vec();
                let element: Element = Rc::new(move |t, indices| {
                    let mut own = vec![Scalar::const_int(0); axes.len()];
                    for (index, axis) in indices.iter().zip(&axes) {
                        own[*axis] = *index;
                    }
                    t.pull(&source, &own)
                });
                let dtype = Self::dtype_of(value).unwrap_or(DType::Float64);
                self.lazy(dtype, shape, false, &[value], range, element)
            }
            _ => Value::Poison,
        }
    }

    /// An array with some of its axes the other way round.
    pub fn flipped(&mut self, value: &Value, axes: &[usize], range: TextRange) -> Value {
        let rank = rank_of(value).unwrap_or(0);
        let backwards = [None, None, Some(Scalar::const_int(-1))];
        let items: Vec<Value> = (0..rank)
            .map(|axis| {
                Value::Slice(Box::new(if axes.contains(&axis) {
                    backwards
                } else {
                    [None, None, None]
                }))
            })
            .collect();
        let ranges = vec![range; rank];
        self.array_item(value, &items, &ranges, range)
    }

    /// An array in another shape; nothing if the shape is not what it can be.
    /// `name.shape = extents`; false if it is something else, or others might see it: the name stands for the array in
    /// another shape from now on, and no other may stand for the same.
    pub fn assign_shape(
        &mut self,
        target: &Expr,
        array: &Expr,
        shape: &Value,
        range: TextRange,
    ) -> bool {
        if !self.is_program() || self.level() > 0 {
            return false;
        }
        let Some(name) = crate::syntax::reshaped_name(target) else {
            return false;
        };
        let value = self.expr(array);
        if value.is_poison() {
            return true;
        }
        let own = match &value {
            Value::Lazy(_) => true,
            Value::View(view) => view.is_tail() && !self.is_argument(view.base),
            _ => false,
        };
        let frames = self.frames.iter();
        let bindings = frames.flat_map(|frame| frame.scope.values());
        let names = bindings.filter(|binding| holds(&binding.value, &value));
        if !own || names.count() != 1 {
            return false;
        }
        let shape = match self.plain(shape, range).into_owned() {
            Value::Tuple(items) => items,
            other => vec![other],
        };
        let shaped = self.reshaped(&value, &shape, range);
        let site = self.site(range);
        self.bind(name, shaped.unwrap_or(Value::Poison), site);
        true
    }

    /// Whether the caller has an array, too.
    fn is_argument(&mut self, base: ArrayRef) -> bool {
        let calls = &self.program().calls;
        calls.iter().any(
            |call| matches!(call, Call::Argument { local, .. } if ArrayRef::Local(*local) == base),
        )
    }

    /// An array in another shape, a copy if it must be.
    pub fn reshaped(&mut self, value: &Value, shape: &[Value], range: TextRange) -> Option<Value> {
        self.in_shape(value, shape, false, range)
    }

    /// The same, whose elements lie side by side.
    fn packed_as(&mut self, value: &Value, shape: &[Value], range: TextRange) -> Option<Value> {
        self.in_shape(value, shape, true, range)
    }

    fn in_shape(
        &mut self,
        value: &Value,
        shape: &[Value],
        side_by_side: bool,
        range: TextRange,
    ) -> Option<Value> {
        let mut words: Vec<ValueId> = Vec::new();
        for extent in shape {
            let extent = self.integer(extent, range, "an extent")?;
            words.push(self.as_dtype(&extent, DType::Int64));
        }
        if self.level() > 0 {
            return Some(self.hinder("it reshapes an array"));
        }
        let mut stored = self.stored(value);
        if let Value::View(view) = &stored
            && !view.writable
            && shape.len() == 1
            && view.rank() > 1
            && !(view.packed && view.is_whole())
        {
            // What repeats elements or leaves some out is a copy on one axis, which may change.
            let copy = self.copy_in(&stored, &Value::Str("C".into()), range);
            stored = self.stored(&copy);
        }
        let Value::View(view) = &stored else {
            return Some(Value::Poison);
        };
        let from = self.local_of(view)?;
        let (dtype, rank) = (view.dtype, shape.len());
        let packed = side_by_side || view.packed && view.is_whole();
        let layout = if packed {
            Layout::Contiguous
        } else {
            Layout::Strided
        };
        let local = self.b.local("reshaped", dtype, rank as u8, layout);
        let call = Call::Reshape {
            from,
            packed: side_by_side,
            local,
        };
        if self.is_trying() {
            self.flush();
        }
        self.guarded_call(call, &words, vec![CallResult::Local(local)]);
        Some(Value::View(View {
            writable: view.writable,
            ..View::whole(ArrayRef::Local(local), dtype, rank, packed)
        }))
    }
}

/// Whether a value is another, or has it in it.
fn holds(value: &Value, other: &Value) -> bool {
    match value {
        Value::Tuple(items) | Value::Named(_, items) => items.iter().any(|item| holds(item, other)),
        Value::Lazy(lazy) => matches!(other, Value::Lazy(other) if Rc::ptr_eq(lazy, other)),
        value => value == other,
    }
}

/// What a call of `reshape` is given by position and by name besides `order`, and that.
fn without_order<'a>(
    rest: &'a [(Value, TextRange)],
    keywords: &[(String, Value, TextRange)],
) -> (&'a [(Value, TextRange)], Keywords, Option<Value>) {
    let (named, keywords): (Keywords, Keywords) = keywords
        .iter()
        .cloned()
        .partition(|(keyword, ..)| keyword == "order");
    if let [(_, order, _)] = &named[..] {
        return (rest, keywords, Some(order.clone()));
    }
    match rest {
        [shape @ .., (order @ Value::Str(_), _)] => (shape, keywords, Some(order.clone())),
        _ => (rest, keywords, None),
    }
}

type Keywords = Vec<(String, Value, TextRange)>;
