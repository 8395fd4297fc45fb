//! Views: their sizes and elements, and operations on all elements.

use crate::arrays::lazy::Root;
use crate::codes;
use crate::objects::records::records;
use crate::translate::Translator;
use crate::value::{Axis, Know, Scalar, Value, View};
use colocate_ir::{ArrayRef, BinaryOp, CompareOp, DType, Kind, Place, ValueId};
use ruff_python_ast::{ExprSubscript, Operator};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// How long an axis of the array under a view is.
    pub fn extent(&mut self, view: &View, axis: usize) -> Scalar {
        if let ArrayRef::Storage(storage) = view.base {
            let shape = &self.b.kernel().storage[storage.index()].shape;
            return Scalar::const_int(i128::from(shape[axis]));
        }
        // What has one element is stretched; that is better known.
        if let Some(Root::Number(1)) = self.extent_root(view.base, axis as u8) {
            return Scalar::const_int(1);
        }
        Scalar::int(self.b.extent(view.base, axis as u8), Know::NonNegative)
    }

    /// How long an axis of a view is; the axis is one of the base array.
    pub fn length(&mut self, view: &View, axis: usize) -> Scalar {
        match &view.axes[axis] {
            Axis::Sliced { length, .. } => *length,
            Axis::Fixed(_) | Axis::New => Scalar::const_int(1),
            Axis::Whole => self.extent(view, axis),
        }
    }

    pub fn view_attribute(&mut self, view: &View, name: &str, range: TextRange) -> Value {
        match name {
            "shape" => {
                let lengths = view.free.iter().map(|axis| self.length(view, *axis).into());
                Value::Tuple(lengths.collect())
            }
            "ndim" => Scalar::const_int(view.rank() as i128).into(),
            "size" => self.size(view).into(),
            "dtype" => Value::Dtype(view.dtype),
            "itemsize" => Scalar::const_int(view.dtype.itemsize() as i128).into(),
            "nbytes" => {
                let size = self.size(view);
                let item = Scalar::const_int(view.dtype.itemsize() as i128);
                self.index_op(BinaryOp::Multiply, &size, &item).into()
            }
            "T" => {
                let mut turned = view.clone();
                turned.free.reverse();
                Value::View(turned)
            }
            "real" if view.dtype.kind() != Kind::Complex => Value::View(view.clone()),
            "real" | "imag" => {
                let diagnostic = self
                    .wrong(
                        codes::ATTRIBUTE,
                        format!("`.{name}` of a whole array is not supported in kernels"),
                        range,
                        "",
                    )
                    .help(format!("take it of an element: `a[i].{name}`"));
                self.report(diagnostic)
            }
            _ => {
                let known = ["shape", "ndim", "size", "dtype", "T", "itemsize", "nbytes"];
                self.no_attribute(&Value::View(view.clone()), name, &known, range)
            }
        }
    }

    pub fn size(&mut self, view: &View) -> Scalar {
        let mut size = Scalar::const_int(1);
        for axis in &view.free {
            let length = self.length(view, *axis);
            size = self.index_op(BinaryOp::Multiply, &size, &length);
        }
        size
    }

    fn place(&mut self, view: &View) -> Place {
        let mut indices = Vec::new();
        for axis in &view.axes {
            let index = match axis {
                Axis::New => continue,
                Axis::Fixed(index) => self.as_dtype(index, DType::Int64),
                _ => self.b.int64(0),
            };
            indices.push(index);
        }
        Place::new(view.base, indices)
    }

    /// The place of the element that a view without axes is.
    pub fn element_place(&mut self, view: &View) -> Place {
        self.place(view)
    }

    /// The element that a view without axes is.
    pub fn load(&mut self, view: &View) -> Scalar {
        let place = self.place(view);
        Scalar::new(view.dtype, false, self.b.load(place))
    }

    /// The view that an assignment to an index expression writes to.
    pub fn writable_view(&mut self, base: &Value, e: &ExprSubscript) -> Option<View> {
        match base {
            Value::View(view) => {
                if !self.check_writable(view, e.value.range()) {
                    return None;
                }
                self.index_view(view, e)
            }
            Value::Poison => None,
            Value::Unsupported(_) => {
                self.unusable(base, e.value.range());
                None
            }
            other => {
                let what = other.describe();
                let diagnostic = self
                    .wrong(
                        codes::RANK,
                        format!("the items of {what} cannot be assigned to"),
                        e.value.range(),
                        format!("this is {what}"),
                    )
                    .help(match other {
                        Value::Scalar(_) => "it is a number already: leave the index out",
                        Value::Tuple(_) if self.is_program() => {
                            "tuples do not change: make a list or an array of it, `np.array(...)`"
                        }
                        _ => "use an array: colocate.private_array(shape, dtype)",
                    });
                self.report(diagnostic);
                None
            }
        }
    }

    pub fn check_writable(&mut self, view: &View, range: TextRange) -> bool {
        if self.is_program() && view.writable {
            self.note_written(view.dtype);
        }
        if !view.writable && self.is_program() {
            if self.is_copy_written(view, range) {
                return false;
            }
            let raised = crate::host::failures::Raised {
                class: "ValueError",
                parts: vec![crate::host::failures::Part::Text(
                    "assignment destination is read-only".into(),
                )],
            };
            let yes = self.b.literal(colocate_ir::Literal::Bool(true));
            self.raise_if(yes, &raised, range);
            return false;
        }
        if !view.writable {
            let name = view.base.name(self.b.kernel()).to_string();
            let diagnostic = self
                .wrong(
                    codes::READ_ONLY,
                    format!("`{name}` is read-only and cannot be written to"),
                    range,
                    "the array given is read-only",
                )
                .help("pass an array that can be written to, for example a copy");
            self.report(diagnostic);
        }
        view.writable
    }

    /// Stores a value into all elements of a view.
    pub fn store_value(&mut self, view: &View, value: &Value, place: TextRange, range: TextRange) {
        match value {
            Value::Poison => {}
            Value::View(source) if source.rank() > 0 => {
                if !self.same_rank(view, source, place, range) {
                    return;
                }
                let source = source.clone();
                let Some(backwards) = self.backwards(view, &source, place, range) else {
                    return;
                };
                self.each(view, &backwards, &mut |t, target, indices| {
                    let from = t.at(&source, indices);
                    let scalar = t.load(&from);
                    if let Some(ir) = t.element(&scalar, target.dtype, range) {
                        let to = t.place(target);
                        t.b.store(to, ir);
                    }
                });
            }
            other => {
                let Some(scalar) = self.scalar(other, range) else {
                    return;
                };
                let Some(ir) = self.element(&scalar, view.dtype, range) else {
                    return;
                };
                self.each(view, &[], &mut |t, target, _| {
                    let to = t.place(target);
                    t.b.store(to, ir);
                });
            }
        }
    }

    /// `view op= value`, element by element.
    pub fn update_view(
        &mut self,
        view: &View,
        op: Operator,
        value: &Value,
        range: TextRange,
        value_range: TextRange,
    ) {
        if value.is_poison() {
            return;
        }
        let source = match value {
            Value::View(source) if source.rank() > 0 => {
                if !self.same_rank(view, source, range, value_range) {
                    return;
                }
                Some(source.clone())
            }
            _ => None,
        };
        let scalar = match source {
            Some(_) => None,
            None => match self.scalar(value, value_range) {
                Some(scalar) => Some(scalar),
                None => return,
            },
        };
        let backwards = match &source {
            Some(source) => self.backwards(view, source, range, value_range),
            None => Some(Vec::new()),
        };
        let Some(backwards) = backwards else {
            return;
        };
        self.each(view, &backwards, &mut |t, target, indices| {
            let current = t.load(target);
            let other = match (&source, &scalar) {
                (Some(source), _) => {
                    let from = t.at(source, indices);
                    t.load(&from)
                }
                (None, Some(scalar)) => *scalar,
                (None, None) => return,
            };
            let result = t.arithmetic(op, &current, &other, range);
            let Value::Scalar(result) = result else {
                return;
            };
            if result.dtype.rung() > target.dtype.rung() {
                let diagnostic = t
                    .wrong(
                        codes::OPERATOR,
                        format!(
                            "{} cannot be put back into an array of {}",
                            result.describe(),
                            target.dtype
                        ),
                        range,
                        format!("the result is {}", result.describe()),
                    )
                    .help("convert in a loop, element by element");
                t.report(diagnostic);
                return;
            }
            if let Some(ir) = t.element(&result, target.dtype, range) {
                let to = t.place(target);
                t.b.store(to, ir);
            }
        });
    }

    /// Whether each axis must be gone through backwards so that no element is overwritten before
    /// it is read: NumPy gives what copying by way of another array would. Where no order does that, it is reported.
    fn backwards(
        &mut self,
        target: &View,
        source: &View,
        place: TextRange,
        range: TextRange,
    ) -> Option<Vec<Option<ValueId>>> {
        if target.base != source.base || self.are_apart(target, source) {
            return Some(Vec::new());
        }
        let part = |view: &View, axis: usize| match &view.axes[axis] {
            Axis::Sliced { start, step, .. } => (*start, *step),
            _ => (Scalar::const_int(0), Scalar::const_int(1)),
        };
        let steps = |axis: &usize| (part(target, *axis).1, part(source, *axis).1);
        let steps: Vec<_> = target.free.iter().map(steps).collect();
        if target.free != source.free || !steps.iter().all(|(a, b)| self.same(a, b)) {
            self.report_clash(place, range);
            return None;
        }
        let mut axes = Vec::new();
        for (axis, (step, _)) in target.free.iter().zip(steps) {
            let ((to, _), (from, _)) = (part(target, *axis), part(source, *axis));
            let up = self.compare_scalars(CompareOp::Less, &from, &to);
            let down = self.compare_scalars(CompareOp::Greater, &from, &to);
            let behind = match step.as_int() {
                Some(1..) => up,
                Some(_) => down,
                None => {
                    let zero = Scalar::const_int(0);
                    let forwards = self.compare_scalars(CompareOp::Greater, &step, &zero);
                    let [forwards, up, down] = [forwards, up, down].map(|one| self.ir(&one));
                    axes.push(Some(self.b.select(forwards, up, down)));
                    continue;
                }
            };
            axes.push((behind.as_int() != Some(0)).then(|| self.ir(&behind)));
        }
        Some(axes)
    }

    /// Whether two parts of one array have no element in common. Positions that are known only when it runs are taken
    /// for different ones, unless they are the same for certain.
    fn are_apart(&mut self, a: &View, b: &View) -> bool {
        /// The first and the last position of an axis.
        fn ends(axis: &Axis) -> Option<(i128, i128)> {
            match axis {
                Axis::Fixed(at) => at.as_int().map(|at| (at, at)),
                Axis::Sliced {
                    start,
                    step,
                    length,
                } => {
                    let first = start.as_int()?;
                    let last = first + (length.as_int()? - 1) * step.as_int()?;
                    Some((first.min(last), first.max(last)))
                }
                Axis::Whole | Axis::New => None,
            }
        }
        a.axes.iter().zip(&b.axes).any(|(one, other)| {
            if let (Some(one), Some(other)) = (ends(one), ends(other)) {
                // Negative ones count from the end.
                let alike = (one.0 < 0) == (other.1 < 0) && (one.1 < 0) == (other.0 < 0);
                return alike && (one.1 < other.0 || other.1 < one.0);
            }
            match (one, other) {
                (Axis::Fixed(x), Axis::Fixed(y)) => !self.same(x, y),
                _ => false,
            }
        })
    }

    fn report_clash(&mut self, place: TextRange, range: TextRange) {
        let site = self.site(place);
        let diagnostic = self
            .wrong(
                codes::CLASH,
                "a part of an array is copied onto the same array in another order",
                range,
                "elements of this may be overwritten before they are read",
            )
            .at(
                site.file as usize,
                site.span,
                "this is a part of the same array",
            )
            .help("copy it to another array, or swap the elements in a loop over half of them");
        self.report(diagnostic);
    }

    fn same_rank(
        &mut self,
        view: &View,
        source: &View,
        place: TextRange,
        range: TextRange,
    ) -> bool {
        if view.rank() == source.rank() {
            let pairs = view.free.iter().zip(&source.free);
            for (axis, other) in pairs {
                let (wanted, given) = (self.length(view, *axis), self.length(source, *other));
                if let (Some(wanted), Some(given)) = (wanted.as_int(), given.as_int())
                    && wanted != given
                {
                    let diagnostic = self.wrong(
                        codes::SHAPE,
                        format!("{given} elements cannot be copied to {wanted}"),
                        range,
                        format!("this axis has {given} elements"),
                    );
                    self.report(diagnostic);
                    return false;
                }
            }
            return true;
        }
        let site = self.site(place);
        if view.rank() == 0 {
            let diagnostic = self
                .wrong(
                    codes::SHAPE,
                    format!("{} cannot be stored in one element", source.describe()),
                    range,
                    format!("this has {}", count_axes(source.rank())),
                )
                .at(site.file as usize, site.span, "this is an element")
                .help("index all axes of the right side, so that it is an element, too");
            self.report(diagnostic);
            return false;
        }
        let diagnostic = self
            .wrong(
                codes::SHAPE,
                format!(
                    "{} cannot be copied to {}",
                    source.describe(),
                    view.describe()
                ),
                range,
                format!("this has {}", count_axes(source.rank())),
            )
            .at(
                site.file as usize,
                site.span,
                format!("this has {}", count_axes(view.rank())),
            )
            .help(if source.rank() > view.rank() {
                "index more axes of the right side, so that both have the same number"
            } else {
                "both sides need the same number of axes: write a loop over the others"
            });
        self.report(diagnostic);
        false
    }

    /// The element of a view at indices.
    pub fn at(&mut self, view: &View, indices: &[Scalar]) -> View {
        let mut element = view.clone();
        for (axis, index) in view.free.iter().zip(indices) {
            if !matches!(view.axes[*axis], Axis::New) {
                element.axes[*axis] = Axis::Fixed(self.position(view, *axis, index));
            }
        }
        element.free.clear();
        element
    }

    /// Emits loops over the elements of a view; the work gets an element's view and its indices.
    /// An axis is gone through backwards where the bool given for it is true.
    pub fn each(
        &mut self,
        view: &View,
        backwards: &[Option<ValueId>],
        work: &mut dyn FnMut(&mut Self, &View, &[Scalar]),
    ) {
        let mut indices = Vec::new();
        for (position, axis) in view.free.iter().enumerate() {
            let length = self.length(view, *axis);
            let (start, stop, step) = (self.b.int64(0), self.ir(&length), self.b.int64(1));
            let name = self.temporary();
            let counter = self.variable(&name, 0, DType::Int64);
            self.b.begin_for(counter, start, stop, step);
            let mut at = self.b.get(counter);
            if let Some(Some(backwards)) = backwards.get(position) {
                let last = self.b.binary(BinaryOp::Subtract, stop, step);
                let mirrored = self.b.binary(BinaryOp::Subtract, last, at);
                at = self.b.select(*backwards, mirrored, at);
            }
            indices.push(Scalar::int(at, Know::NonNegative));
        }
        let element = self.at(view, &indices);
        work(self, &element, &indices);
        for _ in &view.free {
            self.b.end();
        }
    }

    /// How many items something that is looped over has.
    pub fn length_of(&mut self, value: &Value, range: TextRange) -> Option<Scalar> {
        match value {
            Value::View(view) if view.rank() > 0 => Some(self.length(view, view.free[0])),
            Value::Lazy(_) => self.shape_of(value).first().copied(),
            Value::Tuple(items) => Some(Scalar::const_int(items.len() as i128)),
            Value::Object(object) => {
                let object = object.clone();
                self.object_length(&object, range)
            }
            Value::List(list) => {
                let list = *list;
                Some(self.list_length(&list))
            }
            Value::Held(_) if self.level() > 0 => {
                self.hinder("it uses a list");
                None
            }
            Value::Held(held) => Some(self.held_length(held)),
            Value::Range(parts) | Value::ParallelRange(parts) => {
                let [start, stop, step] = **parts;
                if self.is_program() && step.as_int().is_none() {
                    return self.range_length(parts, range);
                }
                let Some(size) = step.as_int().filter(|step| *step != 0) else {
                    let diagnostic = self
                        .wrong(
                            codes::CONSTANT_NEEDED,
                            "the step must be a constant here",
                            range,
                            "",
                        )
                        .help("loop over the range itself");
                    self.report(diagnostic);
                    return None;
                };
                let (near, far) = if size > 0 {
                    (start, stop)
                } else {
                    (stop, start)
                };
                let distance = self.index_op(BinaryOp::Subtract, &far, &near);
                let size = Scalar::const_int(size.abs());
                let round = self.index_op(BinaryOp::Subtract, &size, &Scalar::const_int(1));
                let rounded = self.index_op(BinaryOp::Add, &distance, &round);
                let count = self.index_op(BinaryOp::FloorDivide, &rounded, &size);
                let mut count = self.index_op(BinaryOp::Maximum, &count, &Scalar::const_int(0));
                if count.as_constant().is_none() {
                    count.know = Know::NonNegative;
                }
                Some(count)
            }
            Value::Elements(elements) => {
                let shape = elements.shape.clone();
                let mut count = Scalar::const_int(1);
                for extent in &shape {
                    count = self.index_op(BinaryOp::Multiply, &count, extent);
                }
                if count.as_constant().is_none() {
                    count.know = Know::NonNegative;
                }
                Some(count)
            }
            Value::Enumerate(inner, _) => self.length_of(inner, range),
            Value::Zip(parts) if !parts.is_empty() => {
                let mut shortest: Option<Scalar> = None;
                for part in parts {
                    let length = self.length_of(part, range)?;
                    shortest = Some(match shortest {
                        Some(known) => self.index_op(BinaryOp::Minimum, &known, &length),
                        None => length,
                    });
                }
                shortest
            }
            Value::Poison => None,
            value if records(value).is_some() => self.records_length(value),
            other => {
                let what = other.describe();
                let diagnostic = self
                    .wrong(
                        codes::ITERATION,
                        format!("{what} has no items to go over"),
                        range,
                        format!("this is {what}"),
                    )
                    .help(match other {
                        Value::Scalar(scalar) if crate::types::is_integer(scalar.dtype) => {
                            "for that many turns, write `range(...)` around it"
                        }
                        _ => "loop over range(...), an array or a tuple",
                    });
                self.report(diagnostic);
                None
            }
        }
    }

    /// An item of something that is looped over; the index is in range.
    pub fn item_at(&mut self, value: &Value, index: &Scalar, range: TextRange) -> Value {
        match value {
            Value::Held(_) if self.level() > 0 => self.hinder("it uses a list"),
            Value::Held(held) => {
                let at = self.as_dtype(index, colocate_ir::DType::Int64);
                self.held_get(held, at)
            }
            Value::Object(object) => {
                let object = object.clone();
                self.object_at(&object, index, range)
            }
            Value::List(list) => {
                let list = *list;
                if self.is_unknown(list.key) {
                    return Value::Poison;
                }
                self.note_read(list.key);
                if self.level() > 0 {
                    return self.hinder("it uses a list");
                }
                let view = self.list_view(&list);
                let element = self.at(&view, std::slice::from_ref(index));
                let item = self.load(&element);
                Scalar {
                    weak: list.weak,
                    ..item
                }
                .into()
            }
            Value::View(view) if view.rank() > 0 => {
                let mut item = view.clone();
                let axis = item.free.remove(0);
                item.axes[axis] = Axis::Fixed(self.position(view, axis, index));
                self.element_or_view(item)
            }
            Value::Range(parts) => {
                let [start, _, step] = **parts;
                let offset = self.index_op(BinaryOp::Multiply, index, &step);
                self.index_op(BinaryOp::Add, &start, &offset).into()
            }
            Value::Elements(elements) => {
                let elements = elements.clone();
                self.element_at(&elements, index)
            }
            Value::Enumerate(inner, start) => {
                let number = self.index_op(BinaryOp::Add, index, start);
                let item = self.item_at(inner, index, range);
                Value::Tuple(vec![number.into(), item])
            }
            Value::Zip(parts) => {
                let items = parts.iter().map(|part| self.item_at(part, index, range));
                Value::Tuple(items.collect())
            }
            Value::Tuple(items) => self.tuple_item(items, &Value::Scalar(*index), range),
            Value::Poison => Value::Poison,
            value if records(value).is_some() => self.record_at(value, index),
            other => {
                let diagnostic = self
                    .wrong(
                        codes::ITERATION,
                        format!(
                            "{} cannot be looped over together with arrays",
                            other.describe()
                        ),
                        range,
                        "",
                    )
                    .help("loop over range(...), and index both");
                self.report(diagnostic)
            }
        }
    }
}

fn count_axes(rank: usize) -> String {
    match rank {
        0 => "no axis".into(),
        1 => "1 axis".into(),
        _ => format!("{rank} axes"),
    }
}
