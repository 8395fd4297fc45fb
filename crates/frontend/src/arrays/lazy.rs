//! Arrays that are computed when somebody wants them.
//!
//! An array expression becomes a [`Lazy`]: its dtype, its shape, and a function that emits the code
//! of one element. Nothing is computed until the array is consumed: by a reduction, an assignment to
//! another array, or because a block ends while the array may still be read. Whoever consumes it
//! *pulls* the elements it wants, so that a chain of expressions becomes one region without
//! temporaries. An array that was computed once has a place in memory, and is read from there.

use crate::arrays::memory_order::c_order;
use crate::arrays::rolled::Rolled;
use crate::translate::Translator;
use crate::value::{Axis, Know, Scalar, Value, View};
use colocate_diag::Site;
use colocate_ir::{
    ArrayRef, CompareOp, DType, KernelBuilder, Literal, LocalId, Op, ValueId, VariableId,
};
use ruff_text_size::TextRange;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Emits the code of an element, given its indices.
pub(crate) type Element = Rc<dyn Fn(&mut Translator<'_>, &[Scalar]) -> Option<Scalar>>;

/// The complex array in memory that an array is the real or imaginary part of: a change of one is a
/// change of the other.
#[derive(Clone)]
pub(crate) struct PartOf {
    pub of: View,
    /// The attribute: `real` or `imag`.
    pub attribute: &'static str,
    pub range: TextRange,
}

/// An array that is not computed yet.
pub(crate) struct Lazy {
    pub id: u32,
    pub dtype: DType,
    pub shape: Vec<Scalar>,
    /// In which order its axes are to lie in memory.
    pub order: Vec<usize>,
    pub element: Element,
    /// Whether an element takes a loop, so that it should be computed only once.
    pub heavy: bool,
    /// The arrays in memory that it was made of.
    views: Vec<View>,
    /// The others that it was made of.
    lazies: Vec<Rc<Lazy>>,
    /// How many regions deep it was made.
    pub level: usize,
    /// The place of the program that made it.
    site: Site,
    /// Where it is, once it was computed.
    pub stored: RefCell<Option<View>>,
    /// What it is a part of.
    pub part_of: Option<PartOf>,
    /// What it is made of, if it is a roll of an array in memory.
    pub rolled: Option<Box<Rolled>>,
}

impl std::fmt::Debug for Lazy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Lazy({}, {})", self.id, self.describe())
    }
}

impl PartialEq for Lazy {
    fn eq(&self, other: &Lazy) -> bool {
        self.id == other.id
    }
}

impl Lazy {
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The arrays in memory that it reads now, and whether each was there when it was made and is read where the result
    /// is, element by element.
    pub fn reads(&self) -> Vec<(View, bool)> {
        if let Some(view) = &*self.stored.borrow() {
            return vec![(view.clone(), true)];
        }
        // Of a roll it is not known which elements it reads.
        let alike = self.rolled.is_none();
        let mut reads: Vec<_> = self
            .views
            .iter()
            .map(|view| (view.clone(), alike))
            .collect();
        for lazy in &self.lazies {
            let later = lazy.stored.borrow().is_some();
            let own = lazy.reads().into_iter();
            reads.extend(own.map(|(view, early)| (view, early && !later)));
        }
        reads
    }

    /// Visits it and what it was made of and is not in memory, each once, as long as the visitor wants more.
    fn visit_steps(&self, known: &mut Vec<u32>, visit: &mut dyn FnMut(&Lazy) -> bool) -> bool {
        if known.contains(&self.id) || self.stored.borrow().is_some() {
            return true;
        }
        known.push(self.id);
        let mut parts = self.lazies.iter();
        visit(self) && parts.all(|lazy| lazy.visit_steps(known, visit))
    }

    /// Whether an element is computed by more than so many steps.
    pub fn is_longer_than(&self, most: usize) -> bool {
        let mut count = 0;
        !self.visit_steps(&mut Vec::new(), &mut |_| {
            count += 1;
            count <= most
        })
    }

    /// The places of the program that went into it and are not computed elsewhere.
    pub fn sites(&self) -> Vec<Site> {
        let mut sites = Vec::new();
        self.visit_steps(&mut Vec::new(), &mut |lazy| {
            if !sites.contains(&lazy.site) {
                sites.push(lazy.site);
            }
            true
        });
        sites
    }

    pub fn describe(&self) -> String {
        format!("a {}-d array of {}", self.rank(), self.dtype)
    }
}

/// Something whose elements can be pulled, wherever it was made.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    what: What,
    level: usize,
}

#[derive(Clone, Debug)]
enum What {
    Scalar(Scalar),
    View(View),
    Lazy(Rc<Lazy>),
}

/// How an axis of an operand goes along with that of the result.
#[derive(Clone, Debug)]
enum Stretch {
    /// It has the same extent.
    Same,
    /// It has one element.
    One,
    /// It has the same extent or one element: known only when the program runs.
    Either(Scalar, Scalar),
}

/// An operand of an elementwise function, and how it is stretched.
#[derive(Clone, Debug)]
pub(crate) struct Stretched {
    source: Source,
    axes: Vec<Stretch>,
    /// Where the extents were known.
    level: usize,
}

impl Translator<'_> {
    /// A value as something that elements can be pulled from; nothing if it is no number or array.
    pub fn source(&mut self, value: &Value) -> Option<Source> {
        let what = match value {
            Value::Scalar(scalar) => What::Scalar(*scalar),
            Value::View(view) => What::View(view.clone()),
            Value::Lazy(lazy) => match &*lazy.stored.borrow() {
                Some(view) => What::View(view.clone()),
                None => What::Lazy(lazy.clone()),
            },
            _ => return None,
        };
        let level = match &what {
            What::Lazy(lazy) => lazy.level,
            // What is in a lazy array's place was put there outside of regions.
            What::View(_) if matches!(value, Value::Lazy(_)) => 0,
            _ => self.level(),
        };
        Some(Source { what, level })
    }

    /// A number from an outer level, here.
    pub fn brought(&mut self, scalar: &Scalar, level: usize) -> Scalar {
        match scalar.ir {
            Some(value) if level < self.level() => {
                let ir = self.import(value, scalar.dtype);
                Scalar {
                    ir: Some(ir),
                    ..*scalar
                }
            }
            _ => *scalar,
        }
    }

    /// A view from an outer level, here.
    pub fn brought_view(&mut self, view: &View, level: usize) -> View {
        if level >= self.level() {
            return view.clone();
        }
        let mut here = view.clone();
        if let ArrayRef::Local(local) = view.base {
            here.base = ArrayRef::Param(self.import_array(local));
        }
        for axis in &mut here.axes {
            match axis {
                Axis::Fixed(index) => *index = self.brought(index, level),
                Axis::Sliced {
                    start,
                    step,
                    length,
                } => {
                    *start = self.brought(start, level);
                    *step = self.brought(step, level);
                    *length = self.brought(length, level);
                }
                Axis::Whole | Axis::New => {}
            }
        }
        here
    }

    /// The shape of a number or an array.
    pub fn shape_of(&mut self, value: &Value) -> Vec<Scalar> {
        match value {
            Value::View(view) => {
                let free = view.free.clone();
                free.iter().map(|axis| self.length(view, *axis)).collect()
            }
            Value::Lazy(lazy) => {
                let (shape, level) = (lazy.shape.clone(), lazy.level);
                shape.iter().map(|one| self.brought(one, level)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// An element of a source.
    pub fn pull(&mut self, source: &Source, indices: &[Scalar]) -> Option<Scalar> {
        match &source.what {
            What::Scalar(scalar) => Some(self.brought(scalar, source.level)),
            What::View(view) => Some(self.pull_view(view, source.level, indices)),
            What::Lazy(lazy) => self.pull_lazy(lazy, indices),
        }
    }

    /// An element of a view from an outer level. How long its slices are is not brought along: indices are in range.
    fn pull_view(&mut self, view: &View, level: usize, indices: &[Scalar]) -> Scalar {
        let mut here = view.clone();
        if level < self.level() {
            for axis in &mut here.axes {
                if let Axis::Sliced { length, .. } = axis {
                    *length = Scalar::const_int(0);
                }
            }
        }
        let here = self.brought_view(&here, level);
        let element = self.at(&here, indices);
        self.load(&element)
    }

    fn pull_lazy(&mut self, lazy: &Rc<Lazy>, indices: &[Scalar]) -> Option<Scalar> {
        let stored = lazy.stored.borrow().clone();
        if let Some(view) = stored {
            return Some(self.pull_view(&view, 0, indices));
        }
        let key: Vec<(Option<ValueId>, Option<i128>)> = indices
            .iter()
            .map(|index| (index.ir, index.as_int()))
            .collect();
        let key = (lazy.id, key);
        if let Some(known) = self.known_element(&key) {
            return Some(known);
        }
        let element = lazy.element.clone();
        let made = element(self, indices)?;
        self.remember_element(key, made);
        Some(made)
    }

    /// A new lazy array.
    pub fn lazy(
        &mut self,
        dtype: DType,
        shape: Vec<Scalar>,
        heavy: bool,
        operands: &[&Value],
        range: TextRange,
        element: Element,
    ) -> Value {
        let mut views = Vec::new();
        let mut lazies = Vec::new();
        let mut heavy = heavy;
        for operand in operands {
            match operand {
                Value::View(view) if view.rank() > 0 => views.push(view.clone()),
                Value::Lazy(lazy) => match &*lazy.stored.borrow() {
                    Some(view) => views.push(view.clone()),
                    None => {
                        lazies.push(lazy.clone());
                        heavy |= lazy.heavy;
                    }
                },
                _ => {}
            }
        }
        let lazy = Lazy {
            id: self.fresh(),
            dtype,
            order: c_order(shape.len()),
            shape,
            element,
            heavy,
            views,
            lazies,
            level: self.level(),
            site: self.site(range),
            stored: RefCell::new(None),
            part_of: None,
            rolled: None,
        };
        Value::Lazy(Rc::new(lazy))
    }

    /// A new lazy array, whose axes are to lie in an order.
    pub fn with_order(value: Value, order: Vec<usize>) -> Value {
        match value {
            Value::Lazy(mut lazy) => {
                if let Some(new) = Rc::get_mut(&mut lazy) {
                    new.order = order;
                }
                Value::Lazy(lazy)
            }
            other => other,
        }
    }

    /// Notes that a new lazy array is a roll of another.
    pub fn as_rolled(value: Value, rolled: Rolled) -> Value {
        match value {
            Value::Lazy(mut lazy) => {
                if let Some(new) = Rc::get_mut(&mut lazy) {
                    new.rolled = Some(Box::new(rolled));
                }
                Value::Lazy(lazy)
            }
            other => other,
        }
    }

    /// Notes that a new lazy array is a part of a complex one.
    pub fn as_part_of(value: Value, part_of: PartOf) -> Value {
        match value {
            Value::Lazy(mut lazy) => {
                if let Some(new) = Rc::get_mut(&mut lazy) {
                    new.part_of = Some(part_of);
                }
                Value::Lazy(lazy)
            }
            other => other,
        }
    }

    /// Whether an array that is kept is to share the memory of what it is a part of: where the host
    /// reaches it.
    pub fn is_shared(&self, lazy: &Lazy) -> bool {
        let unified = |state: &crate::host::part::ProgramState| state.options.unified;
        lazy.part_of.is_some() && self.program.as_ref().is_some_and(unified)
    }

    /// Makes a part of a complex array a view of that one's memory; whether it did.
    pub fn share(&mut self, lazy: &Rc<Lazy>) -> bool {
        let Some(part) = lazy.part_of.clone().filter(|_| self.is_shared(lazy)) else {
            return false;
        };
        let function = format!("attribute.{}", part.attribute);
        let arguments = [(Value::View(part.of), part.range)];
        match self.library(&function, &arguments, &[], &[], part.range) {
            Value::View(view) => {
                *lazy.stored.borrow_mut() = Some(view);
                self.computed.push(lazy.clone());
                true
            }
            _ => false,
        }
    }

    /// Reports that a part of a complex array cannot be written to, if it would be a copy that is.
    pub fn refuses_writes(&mut self, value: &Value, range: TextRange) -> bool {
        let Value::Lazy(lazy) = value else {
            return false;
        };
        let (Some(part), false) = (&lazy.part_of, self.is_shared(lazy)) else {
            return false;
        };
        let attribute = part.attribute;
        let diagnostic = self
            .wrong(
                crate::codes::VALUE,
                "a part of a complex array is a copy on this device and cannot be written to",
                range,
                format!("this is the `{attribute}` of an array that the host does not reach"),
            )
            .help(format!(
                "assign to the array itself: `x.{attribute}[...] = ...`"
            ));
        self.report(diagnostic);
        true
    }

    /// A function of scalars, applied to every element of arrays that are broadcast together.
    pub fn elementwise(
        &mut self,
        operands: &[Value],
        range: TextRange,
        body: impl Fn(&mut Translator<'_>, &[Scalar]) -> Option<Scalar> + 'static,
    ) -> Value {
        if operands.iter().any(Value::is_poison) {
            return Value::Poison;
        }
        let operands: Vec<Value> = operands
            .iter()
            .map(|operand| self.light(operand, operands))
            .collect();
        let Some(shape) = self.broadcast(&operands, range) else {
            return Value::Poison;
        };
        let Some(dtype) = self.probe(&operands, &body) else {
            return Value::Poison;
        };
        if shape.is_empty() {
            let mut scalars = Vec::new();
            for operand in &operands {
                let Some(source) = self.source(operand) else {
                    return Value::Poison;
                };
                let Some(scalar) = self.pull(&source, &[]) else {
                    return Value::Poison;
                };
                scalars.push(scalar);
            }
            return body(self, &scalars).map_or(Value::Poison, Value::Scalar);
        }
        let mut stretched = Vec::new();
        for operand in &operands {
            let Some(one) = self.stretched(operand, &shape) else {
                return Value::Poison;
            };
            stretched.push(one);
        }
        let element: Element = Rc::new(move |t, indices| {
            let mut scalars = Vec::with_capacity(stretched.len());
            for one in &stretched {
                scalars.push(t.pull_stretched(one, indices)?);
            }
            let result = body(t, &scalars)?;
            // An element of an array is no Python number.
            Some(t.cast(&result, dtype, false))
        });
        let order = self.order_of_result(&operands, shape.len());
        let refs: Vec<&Value> = operands.iter().collect();
        let made = self.lazy(dtype, shape, false, &refs, range, element);
        Self::with_order(made, order)
    }

    /// An operand as it is to be stretched to a shape.
    pub fn stretched(&mut self, operand: &Value, shape: &[Scalar]) -> Option<Stretched> {
        let source = self.source(operand)?;
        let own = self.shape_of(operand);
        let first = shape.len() - own.len();
        let mut axes = Vec::new();
        for (one, whole) in own.iter().zip(&shape[first..]) {
            axes.push(if one.as_int() == Some(1) {
                if whole.as_int() == Some(1) {
                    Stretch::Same
                } else {
                    Stretch::One
                }
            } else if self.same(one, whole) {
                Stretch::Same
            } else {
                Stretch::Either(*one, *whole)
            });
        }
        let level = self.level();
        Some(Stretched {
            source,
            axes,
            level,
        })
    }

    /// The element of a stretched operand that belongs to an element of the result.
    pub fn pull_stretched(&mut self, one: &Stretched, indices: &[Scalar]) -> Option<Scalar> {
        if one.axes.is_empty() {
            return self.pull(&one.source, &[]);
        }
        let first = indices.len() - one.axes.len();
        let mut own = Vec::with_capacity(one.axes.len());
        for (axis, index) in one.axes.iter().zip(&indices[first..]) {
            own.push(match axis {
                Stretch::Same => *index,
                Stretch::One => Scalar::const_int(0),
                Stretch::Either(extent, whole) => {
                    if self.may_assume(extent, whole, one.level) {
                        *index
                    } else {
                        let extent = self.brought(extent, one.level);
                        let extent = self.ir(&extent);
                        let (at, zero, single) = (self.ir(index), self.b.int64(0), self.b.int64(1));
                        let alone = self.b.compare(CompareOp::Equal, extent, single);
                        Scalar::int(self.b.select(alone, zero, at), Know::NonNegative)
                    }
                }
            });
        }
        self.pull(&one.source, &own)
    }

    /// A lazy array whose elements take a loop is computed before it is stretched along others.
    pub fn light(&mut self, operand: &Value, all: &[Value]) -> Value {
        let Value::Lazy(lazy) = operand else {
            return operand.clone();
        };
        if !lazy.heavy || lazy.stored.borrow().is_some() || self.level() > 0 {
            return operand.clone();
        }
        let own = lazy.shape.clone();
        let largest = all.iter().map(|one| match one {
            Value::View(view) => view.rank(),
            Value::Lazy(lazy) => lazy.rank(),
            _ => 0,
        });
        let higher = largest.max().unwrap_or(0) > own.len();
        let mut stretched = higher;
        for other in all {
            let other = self.shape_of(other);
            if other.len() == own.len() {
                for (a, b) in own.iter().zip(&other) {
                    stretched |= a.as_int() == Some(1) && b.as_int() != Some(1);
                }
            }
        }
        if stretched {
            self.stored(operand)
        } else {
            operand.clone()
        }
    }

    /// The dtype that a function of scalars gives; what it reports stays reported.
    pub fn probe(
        &mut self,
        operands: &[Value],
        body: &impl Fn(&mut Translator<'_>, &[Scalar]) -> Option<Scalar>,
    ) -> Option<DType> {
        let mark = self.b.mark();
        let scalars: Vec<Scalar> = operands
            .iter()
            .map(|operand| match operand {
                Value::Scalar(scalar) if scalar.ir.is_none() => *scalar,
                Value::Scalar(scalar) => self.stand_in(scalar.dtype, scalar.weak, scalar.know),
                Value::View(view) => self.stand_in(view.dtype, false, Know::Any),
                Value::Lazy(lazy) => self.stand_in(lazy.dtype, false, Know::Any),
                _ => Scalar::const_int(0),
            })
            .collect();
        let result = body(self, &scalars);
        self.b.rewind(mark);
        result.map(|scalar| scalar.dtype)
    }

    pub fn stand_in(&mut self, dtype: DType, weak: bool, know: Know) -> Scalar {
        let variable = self.b.variable("stand_in", dtype);
        let ir = self.b.get(variable);
        Scalar {
            know,
            ..Scalar::new(dtype, weak, ir)
        }
    }

    /// Whether two integers are certainly the same number.
    pub fn same(&mut self, a: &Scalar, b: &Scalar) -> bool {
        match (a.as_int(), b.as_int()) {
            (Some(a), Some(b)) => return a == b,
            (Some(_), None) | (None, Some(_)) => return false,
            (None, None) => {}
        }
        match (a.ir, b.ir) {
            (Some(a), Some(b)) => self.same_value(a, b, 24),
            _ => false,
        }
    }

    /// Whether two values of the builder are certainly the same number.
    pub fn same_value(&self, a: ValueId, b: ValueId, fuel: usize) -> bool {
        let root = |array, axis| self.extent_root(array, axis);
        same_value(&self.b, &self.constant_variables, &root, a, b, fuel)
    }

    /// What an array's extent is known to be: that of another array, or a number.
    pub fn extent_root(&self, array: ArrayRef, axis: u8) -> Option<Root> {
        let local = match array {
            ArrayRef::Local(local) => local,
            ArrayRef::Param(param) => {
                let region = self.region.as_ref()?;
                let mut arrays = region.arrays.iter();
                *arrays.find(|(_, known)| **known == param)?.0
            }
            ArrayRef::Storage(_) => return None,
        };
        if self.mutable.contains(&local) {
            return None;
        }
        let known = self.shapes.get(&local);
        let known = known.and_then(|shape| shape.get(usize::from(axis)).copied());
        Some(known.unwrap_or(Root::Extent(local, axis)))
    }

    /// Remembers what the extents of a new array are.
    pub fn note_shape(&mut self, local: LocalId, extents: &[ValueId]) {
        let shape = extents
            .iter()
            .map(|extent| {
                let extent = resolved(&self.b, &self.constant_variables, *extent);
                match self.b.definition(extent) {
                    Some(Op::Literal(Literal::Int(_, number))) => Root::Number(*number),
                    Some(Op::Extent(array, axis)) => self
                        .extent_root(*array, *axis)
                        .unwrap_or(Root::Value(extent)),
                    _ => Root::Value(extent),
                }
            })
            .collect();
        self.shapes.insert(local, shape);
    }

    /// Remembers which axes of an array among the arguments have the extent 1.
    pub fn note_ones(&mut self, view: &View, ones: u32) {
        let ArrayRef::Local(local) = view.base else {
            return;
        };
        let shape = (0..view.axes.len()).map(|axis| {
            let place = view.free.iter().position(|one| *one == axis);
            let is_one = place.is_some_and(|at| ones.checked_shr(at as u32).unwrap_or(0) & 1 == 1);
            match is_one {
                true => Root::Number(1),
                false => Root::Extent(local, axis as u8),
            }
        });
        let shape = shape.collect();
        self.shapes.insert(local, shape);
    }

    /// The dtype of an array or a number.
    pub fn dtype_of(value: &Value) -> Option<DType> {
        match value {
            Value::Scalar(scalar) => Some(scalar.dtype),
            Value::View(view) => Some(view.dtype),
            Value::Lazy(lazy) => Some(lazy.dtype),
            _ => None,
        }
    }

    /// An array with other elements' dtype, as `astype` makes it.
    pub fn converted(&mut self, value: &Value, dtype: DType, range: TextRange) -> Value {
        self.elementwise(std::slice::from_ref(value), range, move |t, x| {
            let scalar = Scalar {
                weak: false,
                ..x[0]
            };
            Some(t.cast(&scalar, dtype, false))
        })
    }
}

/// How many axes an array has; nothing for what is no array.
pub(crate) fn rank_of(value: &Value) -> Option<usize> {
    match value {
        Value::View(view) => Some(view.rank()),
        Value::Lazy(lazy) => Some(lazy.rank()),
        _ => None,
    }
}

/// Whether a value is an array of at least one axis.
pub(crate) fn is_array(value: &Value) -> bool {
    rank_of(value).is_some_and(|rank| rank > 0)
}

/// Through so many variables the value of one is looked for.
const MOST_STEPS: usize = 64;

/// The value behind a variable that gets a value only once.
pub(crate) fn resolved(
    builder: &KernelBuilder,
    constants: &HashMap<VariableId, ValueId>,
    mut value: ValueId,
) -> ValueId {
    // Variables that stand for one another in a loop's turns may go round in a circle.
    for _ in 0..MOST_STEPS {
        match builder.definition(value) {
            Some(Op::Get(variable)) if let Some(held) = constants.get(variable) => value = *held,
            _ => break,
        }
    }
    value
}

/// What an extent is known to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Root {
    /// That of another array.
    Extent(LocalId, u8),
    /// A number.
    Number(i128),
    /// A value of the host part.
    Value(ValueId),
}

/// Whether two values of a builder are certainly the same number. `root` tells what extents are.
pub(crate) fn same_value(
    builder: &KernelBuilder,
    constants: &HashMap<VariableId, ValueId>,
    root: &dyn Fn(ArrayRef, u8) -> Option<Root>,
    a: ValueId,
    b: ValueId,
    fuel: usize,
) -> bool {
    let (a, b) = (
        resolved(builder, constants, a),
        resolved(builder, constants, b),
    );
    if a == b {
        return true;
    }
    if fuel == 0 {
        return false;
    }
    let (Some(x), Some(y)) = (builder.definition(a), builder.definition(b)) else {
        return false;
    };
    let both = |pairs: &[(ValueId, ValueId)]| {
        pairs
            .iter()
            .all(|(a, b)| same_value(builder, constants, root, *a, *b, fuel - 1))
    };
    match (x, y) {
        (Op::Literal(x), Op::Literal(y)) => x == y,
        (Op::Param(x, p), Op::Param(y, q)) => x == y && p == q,
        (Op::Extent(x, i), Op::Extent(y, j)) => match (root(*x, *i), root(*y, *j)) {
            (Some(a), Some(b)) => a == b,
            _ => x == y && i == j && !matches!(x, ArrayRef::Local(_)),
        },
        (Op::Extent(x, i), Op::Literal(number)) | (Op::Literal(number), Op::Extent(x, i)) => {
            match (root(*x, *i), number) {
                (Some(Root::Number(a)), Literal::Int(_, b)) => a == *b,
                _ => false,
            }
        }
        (Op::Index(x, i), Op::Index(y, j)) => x == y && i == j,
        (Op::Unary(x, a), Op::Unary(y, b)) => x == y && both(&[(*a, *b)]),
        (Op::Binary(x, a, b), Op::Binary(y, c, d)) => x == y && both(&[(*a, *c), (*b, *d)]),
        (Op::Compare(x, a, b), Op::Compare(y, c, d)) => x == y && both(&[(*a, *c), (*b, *d)]),
        (Op::Select(a, b, c), Op::Select(d, e, f)) => both(&[(*a, *d), (*b, *e), (*c, *f)]),
        (Op::Convert(a, x), Op::Convert(b, y)) => x == y && both(&[(*a, *b)]),
        _ => false,
    }
}
