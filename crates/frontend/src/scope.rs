//! Variables of the program: what they hold, and what becomes of them where paths meet.
//!
//! A binding says what a name holds; each leaf that is not a constant lives in an IR variable of
//! its own for every dtype it ever has. So a name can change its type, and a join only has to
//! copy from one IR variable to another on the paths where the types differ.

use crate::arrays::memory_order::{in_order, inverse};
use crate::joins::join;
use crate::objects::python_objects::helper;
use crate::program::LibraryType;
use crate::translate::{Translator, maybe};
use crate::types;
use crate::value::{Axis, Scalar, Value, View};
use colocate_diag::Site;
use colocate_ir::{DType, Op, ValueId, VariableId};
use indexmap::IndexMap;

/// What a name holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Binding {
    /// Its leaves have no IR values.
    pub value: Value,
    /// Where it got it.
    pub site: Site,
    /// Whether there is a way to here on which it got none.
    pub unsure: bool,
}

impl Binding {
    /// A name that certainly has a value.
    pub fn new(value: Value, site: Site) -> Binding {
        Binding {
            value,
            site,
            unsure: false,
        }
    }
}

/// The IR variables of leaves: frame, name, position of the leaf, dtype.
pub(crate) type Variables = std::collections::HashMap<(u32, String, usize, DType), VariableId>;

/// All names of a function that have a value.
pub(crate) type Scope = IndexMap<String, Binding>;

impl Translator<'_> {
    /// The IR variable of a leaf.
    pub fn variable(&mut self, name: &str, position: usize, dtype: DType) -> VariableId {
        let frame = self.frame().id;
        let key = (frame, name.to_string(), position, dtype);
        if let Some(variable) = self.variables.get(&key) {
            return *variable;
        }
        let shown = name.trim_start_matches('%');
        let variable = self.b.variable(shown, dtype);
        self.variables.insert(key, variable);
        variable
    }

    /// Gives a name a value.
    pub fn bind(&mut self, name: &str, value: Value, site: Site) {
        if self.frame().nonlocals.contains(name) {
            self.bind_outer(name, value, site);
            return;
        }
        let value = self.keep(name, value);
        let mut binding = Binding::new(value, site);
        if let Some(value) = self.widened_type(name) {
            let wide = self.join_bindings(&binding, &Binding::new(value, site));
            self.convert_binding(name, &binding.value, &wide.value);
            binding = wide;
        }
        self.scope().insert(name.to_string(), binding);
        self.mark_set(name);
    }

    /// Puts the leaves of a value into the variables of a name; the value without IR values.
    pub fn keep(&mut self, name: &str, mut value: Value) -> Value {
        let mut position = 0;
        let once = self.frame().once.contains(name) && self.frame().loops.is_empty();
        value.for_each_leaf(&mut |leaf| {
            // A Python integer too large for int64 exists only as a constant.
            if types::is_huge(leaf) {
                let key = (self.frame().id, name.to_string(), position);
                self.huge_variables.insert(key);
            } else {
                let variable = self.variable(name, position, leaf.dtype);
                let ir = self.ir(leaf);
                self.b.set(variable, ir);
                // What is put back into its own variable says nothing new of it.
                let own = matches!(self.b.definition(ir), Some(Op::Get(of)) if *of == variable);
                if once && !own {
                    self.constant_variables.insert(variable, ir);
                }
            }
            leaf.ir = None;
            position += 1;
        });
        value
    }

    /// The value of a binding, read from its variables.
    pub fn recall(&mut self, name: &str, value: &Value) -> Value {
        let mut value = value.clone();
        let mut position = 0;
        value.for_each_leaf(&mut |leaf| {
            if leaf.as_constant().is_none() {
                self.check_not_huge(name, position);
                let variable = self.variable(name, position, leaf.dtype);
                leaf.ir = Some(self.b.get(variable));
            }
            position += 1;
        });
        if self.is_program() {
            crate::arrays::fusion::settle(&mut value);
            let mut position = 0;
            self.recall_arrays(name, &mut value, &mut position);
        }
        value
    }

    /// Puts the array variables of a name where a value depends on the path taken.
    fn recall_arrays(&mut self, name: &str, value: &mut Value, position: &mut usize) {
        match value {
            Value::View(view) => {
                if view.is_phi() {
                    let local = self.phi_local(name, *position, view);
                    view.base = colocate_ir::ArrayRef::Local(local);
                }
                *position += 1;
            }
            Value::Tuple(items)
            | Value::Zip(items)
            | Value::Named(_, items)
            | Value::Generator(_, items) => {
                for item in items {
                    self.recall_arrays(name, item, position);
                }
            }
            Value::Enumerate(inner, _)
            | Value::ArrayMethod(inner, _)
            | Value::Optional(inner, _) => {
                self.recall_arrays(name, inner, position);
            }
            _ => {}
        }
    }

    /// Gives arrays that are in another name's array variable a place of their own, before such
    /// variables change: names may be about to swap them.
    pub fn detach(&mut self) {
        if !self.is_program() || self.level() > 0 {
            return;
        }
        let frame = self.frame().id;
        let names: Vec<String> = self.scope().keys().cloned().collect();
        for name in names {
            let Some(mut binding) = self.scope().get(&name).cloned() else {
                continue;
            };
            let mut others = Vec::new();
            each_view(&mut binding.value, &mut |view| {
                if let colocate_ir::ArrayRef::Local(local) = view.base
                    && !view.is_phi()
                    && self.mutable.contains(&local)
                {
                    let own = self
                        .phis
                        .iter()
                        .any(|(key, known)| *known == local && key.0 == frame && key.1 == name);
                    if !own {
                        others.push(local);
                    }
                }
            });
            if others.is_empty() {
                continue;
            }
            let mut value = self.recall(&name, &binding.value);
            let mut views = Vec::new();
            each_view(&mut value, &mut |view| views.push(view.clone()));
            let mut places = Vec::new();
            for view in &views {
                let kept =
                    matches!(view.base, colocate_ir::ArrayRef::Local(l) if others.contains(&l));
                places.push(kept.then(|| self.placed(view)));
            }
            let mut next = places.into_iter();
            each_view(&mut value, &mut |view| {
                if let Some(Some(place)) = next.next() {
                    *view = place;
                }
            });
            let value = self.keep(&name, value);
            self.scope().insert(name, Binding { value, ..binding });
        }
    }

    /// A view as an array of its own in the same memory.
    fn placed(&mut self, view: &View) -> View {
        let packed = view.packed && view.is_turned();
        // Memory in C order stays so, whatever the order of the axes.
        let free = if packed {
            view.free.clone()
        } else {
            (0..view.rank()).collect()
        };
        let shown = in_place_of(view, &free);
        let layout = if packed {
            colocate_ir::Layout::Contiguous
        } else {
            colocate_ir::Layout::Strided
        };
        let rank = view.rank();
        let local = self.b.local("view", view.dtype, rank as u8, layout);
        self.view_into(&shown, local);
        View {
            writable: view.writable,
            free,
            ..View::whole(
                colocate_ir::ArrayRef::Local(local),
                view.dtype,
                rank,
                packed,
            )
        }
    }

    /// Copies the arrays of a binding into the array variables of the joined one.
    fn convert_arrays(&mut self, name: &str, from: &Value, to: &Value, position: &mut usize) {
        match (from, to) {
            (Value::View(from), Value::View(to)) => {
                let differ = from.base != to.base || from.free != to.free;
                if to.is_phi() && (differ || from.dtype != to.dtype) {
                    let local = self.phi_local(name, *position, to);
                    if from.dtype != to.dtype {
                        self.copies_of_dtypes.insert(local);
                    }
                    let mut from = Value::View(from.clone());
                    self.recall_arrays(name, &mut from, &mut position.clone());
                    if let Value::View(from) = from {
                        let from = self.copied_as(from, to.dtype);
                        self.view_into(&in_place_of(&from, &to.free), local);
                    }
                }
                *position += 1;
            }
            (Value::Optional(from, _), Value::Optional(to, _)) => {
                self.convert_arrays(name, from, to, position);
            }
            (Value::None, Value::Optional(to, _)) => {
                each_view(&mut to.as_ref().clone(), &mut |_| *position += 1);
            }
            (from, Value::Optional(to, _)) => self.convert_arrays(name, from, to, position),
            (Value::View(_), _) | (_, Value::View(_)) => *position += 1,
            (Value::Named(_, from), Value::Named(_, to)) => {
                for (from, to) in from.iter().zip(to) {
                    self.convert_arrays(name, from, to, position);
                }
            }
            (Value::Tuple(from) | Value::Zip(from), Value::Tuple(to) | Value::Zip(to)) => {
                for (from, to) in from.iter().zip(to) {
                    self.convert_arrays(name, from, to, position);
                }
            }
            (
                Value::Enumerate(from, _) | Value::ArrayMethod(from, _),
                Value::Enumerate(to, _) | Value::ArrayMethod(to, _),
            ) => self.convert_arrays(name, from, to, position),
            _ => {}
        }
    }

    /// A name for a value that has none in the program.
    pub fn temporary(&mut self) -> String {
        format!("%t{}", self.fresh())
    }

    /// What a name holds if it holds one or the other.
    pub fn join_bindings(&mut self, a: &Binding, b: &Binding) -> Binding {
        if self.is_guessing() && (a.value.is_poison() || b.value.is_poison()) {
            // What is not known yet says nothing about the other.
            return if a.value.is_poison() { b } else { a }.clone();
        }
        if let Some(value) = self.joined_instances(&a.value, &b.value) {
            return Binding {
                value,
                site: b.site,
                unsure: a.unsure || b.unsure,
            };
        }
        self.unify_lists(&a.value, &b.value);
        let (first, second) = match (&a.value, &b.value) {
            (array @ Value::View(_), Value::Scalar(_)) => (self.as_number(array), b.value.clone()),
            (Value::Scalar(_), array @ Value::View(_)) => (a.value.clone(), self.as_number(array)),
            (Value::Object(x), Value::Object(y)) => {
                let (x, y) = self.by_known_names(x, y);
                (Value::Object(x), Value::Object(y))
            }
            _ => (a.value.clone(), b.value.clone()),
        };
        let mut value = join(&first, a.site, &second, b.site, self.is_program());
        if matches!(value, Value::Conflict(_))
            && let Some(joined) = self.joined_objects(&first, a.site, &second, b.site)
        {
            value = joined;
        }
        let value = self.loosened(value, &first, &second);
        Binding {
            value,
            site: b.site,
            unsure: a.unsure || b.unsure,
        }
    }

    /// The same of objects that do not go together attribute by attribute, and of tuples with such objects.
    fn joined_objects(
        &mut self,
        a: &Value,
        a_site: Site,
        b: &Value,
        b_site: Site,
    ) -> Option<Value> {
        let (Value::Tuple(x), Value::Tuple(y)) = (a, b) else {
            return self.joined_with_none(a, b);
        };
        if x.len() != y.len() {
            return None;
        }
        let mut items = Vec::new();
        for (a, b) in x.iter().zip(y) {
            let item = match self.joined_instances(a, b) {
                Some(item) => item,
                None => match join(a, a_site, b, b_site, self.is_program()) {
                    Value::Conflict(_) => self.joined_objects(a, a_site, b, b_site)?,
                    item => item,
                },
            };
            items.push(item);
        }
        Some(Value::Tuple(items))
    }

    /// What an array without axes is where a number meets it, if nobody else has the array.
    fn as_number(&mut self, array: &Value) -> Value {
        match array {
            Value::View(view) if view.axes.is_empty() && self.is_own(view) => Scalar {
                dtype: view.dtype,
                weak: false,
                know: crate::value::Know::Any,
                ir: None,
            }
            .into(),
            other => other.clone(),
        }
    }

    /// Copies the leaves of a binding into the variables of the joined one.
    pub fn convert_binding(&mut self, name: &str, from: &Value, to: &Value) {
        let unknown = from.is_poison() && self.is_guessing();
        if unknown || same_types(from, to) || matches!(to, Value::Conflict(_) | Value::Poison) {
            return;
        }
        let value = self.recall(name, from);
        if self.is_program() {
            self.convert_arrays(name, &value, to, &mut 0);
        }
        let converted = self.reshape(value, to);
        let mut position = 0;
        let mut converted = converted;
        let wanted = to.leaves();
        converted.for_each_leaf(&mut |leaf| {
            if let Some(want) = wanted.get(position) {
                let ir = self.as_dtype(leaf, want.dtype);
                let variable = self.variable(name, position, want.dtype);
                self.b.set(variable, ir);
            }
            position += 1;
        });
    }

    /// The value with the structure of another: whole axes become slices.
    fn reshape(&mut self, value: Value, to: &Value) -> Value {
        match (value, to) {
            (Value::Tuple(items), Value::Tuple(wanted)) => {
                let pairs = items.into_iter().zip(wanted);
                Value::Tuple(pairs.map(|(item, want)| self.reshape(item, want)).collect())
            }
            // An object that is known by its handle alone.
            (Value::Named(class, mut items), Value::Named(wanted, _))
                if class.is_instance && class.fields.len() > wanted.fields.len() =>
            {
                Value::Named(wanted.clone(), items.split_off(class.fields.len()))
            }
            (Value::Named(class, items), Value::Named(_, wanted)) => {
                let pairs = items.into_iter().zip(wanted);
                let items = pairs.map(|(item, want)| self.reshape(item, want));
                Value::Named(class, items.collect())
            }
            (Value::Optional(inner, present), Value::Optional(wanted, _)) => {
                Value::Optional(Box::new(self.reshape(*inner, wanted)), present)
            }
            (Value::None, Value::Optional(wanted, _)) => {
                let mut nothing = wanted.as_ref().clone();
                nothing.for_each_leaf(&mut |leaf| {
                    let zero = types::cast(crate::value::Constant::Int(0), leaf.dtype);
                    *leaf = Scalar::constant(leaf.dtype, leaf.weak, zero);
                });
                Value::Optional(Box::new(nothing), Scalar::const_bool(false))
            }
            (value, Value::Optional(wanted, _)) => Value::Optional(
                Box::new(self.reshape(value, wanted)),
                Scalar::const_bool(true),
            ),
            (Value::View(view), Value::Scalar(_)) if view.axes.is_empty() => {
                self.load(&view).into()
            }
            // Its place in the array variable says it all.
            (Value::View(_), Value::View(wanted)) if wanted.is_phi() => Value::View(wanted.clone()),
            (Value::View(mut view), Value::View(wanted)) => {
                for position in 0..view.axes.len() {
                    let whole = matches!(view.axes[position], Axis::Whole);
                    if whole && matches!(wanted.axes.get(position), Some(Axis::Sliced { .. })) {
                        let length = self.extent(&view, position);
                        view.axes[position] = Axis::Sliced {
                            start: Scalar::const_int(0),
                            step: Scalar::const_int(1),
                            length,
                        };
                    }
                }
                Value::View(view)
            }
            (value, Value::Choice(wanted, _)) => self.as_choice(value, wanted),
            (value, Value::Object(wanted))
                if wanted.kind.is_anything() && !matches!(value, Value::Object(_)) =>
            {
                let range = ruff_text_size::TextRange::default();
                let whole = LibraryType::Object((*wanted.kind).clone());
                self.call_for(&helper("same"), &[(value, range)], &[], &whole, range)
            }
            (value @ Value::Tuple(_), Value::Object(_)) => self
                .sequence(&value, ruff_text_size::TextRange::default())
                .unwrap_or(Value::Poison),
            (value @ Value::Scalar(_), Value::Object(wanted)) => {
                let range = ruff_text_size::TextRange::default();
                let whole = LibraryType::Object((*wanted.kind).clone());
                self.call_for(&helper("same"), &[(value, range)], &[], &whole, range)
            }
            (Value::Str(text), Value::Object(_)) => match self.level() {
                0 => self.text_object(&text),
                _ => self.hinder("it uses strings that are not constant"),
            },
            (value, _) => value,
        }
    }

    /// Where the two ways of an `if` meet. Each side is absent if it is not left at its end. The
    /// condition must still be visible.
    pub fn merge(&mut self, condition: ValueId, then: Option<Scope>, otherwise: Option<Scope>) {
        let (then, otherwise) = match (then, otherwise) {
            (Some(then), Some(otherwise)) => (then, otherwise),
            (one, other) => {
                self.frame().live = one.is_some() || other.is_some();
                if let Some(scope) = one.or(other) {
                    *self.scope() = scope;
                }
                return;
            }
        };
        self.frame().live = true;
        let mut merged = Scope::new();
        let mut changes: [Vec<(String, Value, Value)>; 2] = [Vec::new(), Vec::new()];
        let mut met: Vec<(String, u32)> = Vec::new();
        for (name, a) in &then {
            let Some(b) = otherwise.get(name) else {
                let value = maybe(&a.value);
                let value = self.one_sided(name, &a.value, value, &mut changes[0]);
                merged.insert(
                    name.clone(),
                    Binding {
                        value,
                        site: a.site,
                        unsure: true,
                    },
                );
                continue;
            };
            if a == b {
                merged.insert(name.clone(), a.clone());
                continue;
            }
            // A turn may read what only an earlier one has set: what the other way gives says what that
            // is, and the loop is translated again with it.
            if a.value.has_poison() != b.value.has_poison() && self.reads_what_a_turn_sets() {
                let known = if a.value.has_poison() { b } else { a };
                let known = Binding {
                    unsure: true,
                    ..known.clone()
                };
                merged.insert(name.clone(), known);
                continue;
            }
            let mut joined = match self.join_dtypes(name, a, b) {
                Some(joined) => joined,
                None => self.join_bindings(a, b),
            };
            if let Some(meeting) = self.meeting(&a.value, &b.value, b.site) {
                joined.value = Self::marked(joined.value, Some(meeting));
                if self.is_kept(meeting) {
                    met.push((name.clone(), meeting));
                }
            }
            for (side, from) in [&a.value, &b.value].into_iter().enumerate() {
                if !same_types(from, &joined.value) && !matches!(joined.value, Value::Conflict(_)) {
                    changes[side].push((name.clone(), from.clone(), joined.value.clone()));
                }
            }
            merged.insert(name.clone(), joined);
        }
        for (name, b) in &otherwise {
            if !then.contains_key(name) {
                let value = maybe(&b.value);
                let value = self.one_sided(name, &b.value, value, &mut changes[1]);
                merged.insert(
                    name.clone(),
                    Binding {
                        value,
                        site: b.site,
                        unsure: true,
                    },
                );
            }
        }
        // The blocks are closed already; the condition says again which of them it was.
        if !met.is_empty() || changes.iter().any(|side| !side.is_empty()) {
            let [first, second] = changes;
            self.b.begin_if(condition);
            for (name, meeting) in &met {
                self.keep_shown(*meeting, name, &then[name].value);
            }
            for (name, from, to) in &first {
                self.convert_binding(name, from, to);
            }
            self.b.begin_else();
            for (name, meeting) in &met {
                self.keep_shown(*meeting, name, &otherwise[name].value);
            }
            for (name, from, to) in &second {
                self.convert_binding(name, from, to);
            }
            self.b.end();
        }
        *self.scope() = merged;
    }
}

impl Translator<'_> {
    /// Whether something in a loop was read that has no value before the loop.
    fn reads_what_a_turn_sets(&mut self) -> bool {
        let frame = self.frame();
        !frame.loops.is_empty() && !frame.unbound_reads.is_empty()
    }

    /// Whether a name may be read after the statement that is being translated.
    pub fn is_read_later(&mut self, name: &str) -> bool {
        let frame = self.frame();
        let at = frame.open.last().copied().unwrap_or(0);
        frame
            .liveness
            .as_ref()
            .is_none_or(|liveness| liveness.after(at, name))
    }

    /// A value that a name has only if one way was taken. An array is put into the array variable
    /// of the name: what it is called now may be another array later.
    fn one_sided(
        &mut self,
        name: &str,
        value: &Value,
        unsure: Value,
        changes: &mut Vec<(String, Value, Value)>,
    ) -> Value {
        if !self.is_program() || self.level() > 0 || !self.is_read_later(name) {
            return unsure;
        }
        let mut joined = unsure;
        let mut found = false;
        each_view(&mut joined, &mut |view| {
            if let Some(phi) = crate::host::array_variables::phi(view, view)
                && !view.is_phi()
            {
                *view = phi;
                found = true;
            }
        });
        if found {
            changes.push((name.to_string(), value.clone(), joined.clone()));
        }
        joined
    }
}

/// Visits the arrays in a value.
pub(crate) fn each_view(value: &mut Value, visit: &mut dyn FnMut(&mut View)) {
    match value {
        Value::View(view) => visit(view),
        Value::Tuple(items)
        | Value::Zip(items)
        | Value::Named(_, items)
        | Value::Generator(_, items) => {
            items.iter_mut().for_each(|item| each_view(item, visit));
        }
        Value::Enumerate(inner, _) | Value::ArrayMethod(inner, _) | Value::Optional(inner, _) => {
            each_view(inner, visit);
        }
        Value::Elements(elements) => elements.of.iter_mut().for_each(visit),
        _ => {}
    }
}

/// Whether two values have the same structure and leaves of the same types.
pub(crate) fn same_types(a: &Value, b: &Value) -> bool {
    let strip = |value: &Value| {
        let mut value = value.clone();
        value.for_each_leaf(&mut |leaf| {
            leaf.know = crate::value::Know::Any;
            leaf.ir = None;
            // Weakness is no matter of the variable.
            leaf.weak = false;
        });
        value
    };
    strip(a) == strip(b)
}

/// Whether a value is of the assumed type and nothing more was assumed than is true of it.
pub(crate) fn covers(assumed: &Value, value: &Value) -> bool {
    let weak = |value: &Value| {
        value
            .leaves()
            .iter()
            .map(|leaf| leaf.weak)
            .collect::<Vec<_>>()
    };
    same_types(assumed, value)
        && weak(assumed) == weak(value)
        && assumed
            .leaves()
            .iter()
            .zip(value.leaves())
            .all(|(a, b)| a.know.covers(b.know))
}

/// What the base of a view with these axes has to be for that to show another one.
fn in_place_of(view: &View, free: &[usize]) -> View {
    View {
        free: in_order(&view.free, &inverse(free)),
        ..view.clone()
    }
}
