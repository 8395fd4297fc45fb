//! Which pull arrays are computed together: those of one shape in one region, and reductions with what they reduce.

use crate::arrays::lazy::{Lazy, Source};
use crate::arrays::memory_order::{in_order, inverse};
use crate::host::liveness::Liveness;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value, View};
use colocate_diag::Site;
use colocate_ir::{DType, Kind, ReductionOperator};
use ruff_text_size::TextRange;
use std::rc::Rc;

/// Of what takes more steps than this, storing and reading an element costs less than computing it again.
pub(crate) const MOST_STEPS: usize = 24;

impl Translator<'_> {
    /// Computes lazy arrays of one shape, in one region, and gives each its place.
    fn compute(&mut self, lazies: &[Rc<Lazy>]) -> Option<()> {
        let order = lazies[0].order.clone();
        let shape = in_order(&lazies[0].shape, &order);
        let mut targets = Vec::new();
        for lazy in lazies {
            let name = self.name_of_array(lazy);
            let view = self.allocate_in(lazy.dtype, &lazy.shape, &order, false, &name);
            targets.push(view);
        }
        let mut sites: Vec<Site> = Vec::new();
        for site in lazies.iter().flat_map(|lazy| lazy.sites()) {
            if !sites.contains(&site) {
                sites.push(site);
            }
        }
        let sources: Vec<Source> = lazies
            .iter()
            .filter_map(|lazy| self.source(&Value::Lazy(lazy.clone())))
            .collect();
        if self.is_parallel() {
            self.launch_assuming(&shape, &mut |t, fast| {
                t.begin_region("expression", shape.len(), fast);
                let indices = in_order(&t.item_indices(&shape), &inverse(&order));
                let mut fine = true;
                for ((source, target), lazy) in sources.iter().zip(&targets).zip(lazies) {
                    let Some(element) = t.pull(source, &indices) else {
                        fine = false;
                        break;
                    };
                    let target = t.brought_view(target, 0);
                    let ir = t.as_dtype(&element, lazy.dtype);
                    let place = t.at(&target, &indices);
                    let place = t.element_place(&place);
                    t.b.store(place, ir);
                }
                if !fine {
                    t.abandon_region();
                    return None;
                }
                Some(t.end_region("array expression", sites.clone()).0)
            })?;
        } else {
            for ((source, target), lazy) in sources.iter().zip(&targets).zip(lazies) {
                let (source, dtype) = (source.clone(), lazy.dtype);
                self.each(target, &[], &mut |t, place, indices| {
                    if let Some(element) = t.pull(&source, indices) {
                        let ir = t.as_dtype(&element, dtype);
                        let place = t.element_place(place);
                        t.b.store(place, ir);
                    }
                });
            }
        }
        for (lazy, target) in lazies.iter().zip(targets) {
            *lazy.stored.borrow_mut() = Some(target);
            self.computed.push(lazy.clone());
        }
        Some(())
    }

    /// What the program calls an array; explanations show it.
    fn name_of_array(&self, lazy: &Rc<Lazy>) -> String {
        let is_it = |value: &Value| matches!(value, Value::Lazy(other) if other.id == lazy.id);
        let mut scopes = self.frames.iter().rev().flat_map(|frame| &frame.scope);
        let found = scopes.find(|(name, binding)| !name.starts_with('%') && is_it(&binding.value));
        found.map_or_else(
            || "array".into(),
            |(name, _)| crate::translate::identifier(name),
        )
    }

    /// An array that is in memory.
    pub fn stored(&mut self, value: &Value) -> Value {
        let Value::Lazy(lazy) = value else {
            return value.clone();
        };
        if lazy.stored.borrow().is_none() {
            if self.level() > 0 {
                return self.hinder("it keeps an array of a size that is known only when it runs");
            }
            if !self.share(lazy) && self.compute(std::slice::from_ref(lazy)).is_none() {
                return Value::Poison;
            }
        }
        let stored = lazy.stored.borrow().clone();
        stored.map_or(Value::Poison, Value::View)
    }

    /// In a parallel loop: notes which arrays are read by expressions that have names and are used again after
    /// this statement.
    pub fn note_pending_expressions(&mut self) {
        let first = match &self.region {
            Some(region) if region.is_loop => region.frames.saturating_sub(1),
            _ => return,
        };
        let mut pending = Vec::new();
        for frame in &self.frames[first..] {
            for (name, binding) in &frame.scope {
                let mut found = Vec::new();
                lazies(&binding.value, &mut found);
                let live = frame
                    .liveness
                    .as_ref()
                    .is_none_or(|liveness| liveness.after(frame.statement, name));
                if live {
                    let reads = found.iter().flat_map(|lazy| lazy.reads());
                    pending.extend(reads.map(|(view, _)| view.base));
                }
            }
        }
        let region = self.region.as_mut().expect("it is a loop");
        region.pending.extend(pending);
    }

    /// Computes the lazy arrays that may still be read, and forgets the others. Called where a block
    /// ends or memory changes.
    pub fn flush(&mut self) {
        if self.program.is_none() || self.level() > 0 {
            return;
        }
        let mut wanted: Vec<Rc<Lazy>> = Vec::new();
        for frame in &mut self.frames {
            let (at, done) = (frame.statement, frame.statement_done);
            let liveness = frame.liveness.clone();
            frame.scope.retain(|name, binding| {
                let mut found = Vec::new();
                lazies(&binding.value, &mut found);
                if found.is_empty() {
                    return true;
                }
                let live = name.starts_with('%')
                    || liveness.as_ref().is_none_or(|liveness| {
                        if done {
                            liveness.after(at, name)
                        } else {
                            liveness.before(at, name)
                        }
                    });
                if live {
                    for lazy in found {
                        let known = wanted.iter().any(|other| other.id == lazy.id);
                        if !known && lazy.stored.borrow().is_none() {
                            wanted.push(lazy);
                        }
                    }
                }
                live
            });
        }
        self.compute_together(wanted);
        for frame in &mut self.frames {
            for binding in frame.scope.values_mut() {
                settle(&mut binding.value);
            }
        }
    }

    /// Computes the lazy arrays in a value, those of one shape in one region.
    pub fn compute_all(&mut self, value: &Value) {
        let mut found = Vec::new();
        lazies(value, &mut found);
        let mut wanted: Vec<Rc<Lazy>> = Vec::new();
        for lazy in found {
            let known = wanted.iter().any(|other| other.id == lazy.id);
            if !known && lazy.stored.borrow().is_none() {
                wanted.push(lazy);
            }
        }
        self.compute_together(wanted);
    }

    /// Computes lazy arrays, those of one shape in one region.
    fn compute_together(&mut self, wanted: Vec<Rc<Lazy>>) {
        // What shows parts of others comes after them.
        let (views, mut wanted): (Vec<_>, Vec<_>) =
            wanted.into_iter().partition(|lazy| self.is_shared(lazy));
        while !wanted.is_empty() {
            let first = wanted.remove(0);
            let mut group = vec![first];
            let mut rest = Vec::new();
            for lazy in wanted {
                let alike = lazy.order == group[0].order && {
                    let pairs: Vec<_> = lazy
                        .shape
                        .iter()
                        .copied()
                        .zip(group[0].shape.iter().copied())
                        .collect();
                    pairs.iter().all(|(a, b)| self.same(a, b))
                };
                if alike {
                    group.push(lazy);
                } else {
                    rest.push(lazy);
                }
            }
            wanted = rest;
            if self.compute(&group).is_none() {
                for lazy in &group {
                    // What is wrong is reported; this stands for it.
                    let order = lazy.order.clone();
                    let view = self.allocate_in(lazy.dtype, &lazy.shape, &order, false, "array");
                    *lazy.stored.borrow_mut() = Some(view);
                    self.computed.push(lazy.clone());
                }
            }
        }
        for view in views {
            self.stored(&Value::Lazy(view));
        }
    }

    /// An array that is to be consumed. If it takes many steps and may be read again it is computed now, once;
    /// else a program whose every line reduces what the line before made would compute all lines again for each.
    fn computed_if_long(&mut self, value: &Value) -> Value {
        let Value::Lazy(lazy) = value else {
            return value.clone();
        };
        if self.level() > 0 || !lazy.is_longer_than(MOST_STEPS) {
            return value.clone();
        }
        let is_live = self.frames.iter().any(|frame| {
            frame.scope.iter().any(|(name, binding)| {
                let mut found = Vec::new();
                lazies(&binding.value, &mut found);
                let before = |liveness: &Rc<Liveness>| liveness.before(frame.statement, name);
                found.iter().any(|one| one.id == lazy.id)
                    && frame.liveness.as_ref().is_none_or(before)
            })
        });
        match is_live {
            true => self.stored(value),
            false => value.clone(),
        }
    }

    /// Combines all elements of an array.
    pub fn reduce_all(
        &mut self,
        value: &Value,
        operator: ReductionOperator,
        dtype: DType,
        start: Scalar,
        what: &str,
        range: TextRange,
    ) -> Option<Scalar> {
        let value = &self.computed_if_long(value);
        let shape = self.shape_of(value);
        let source = self.source(value)?;
        let complex = dtype.kind() == Kind::Complex;
        if self.level() > 0 || !self.is_parallel() || complex {
            return self.reduce_in_place(&source, &shape, operator, dtype, start);
        }
        let sites = self.sites_of(value, range);
        let begin = self.as_dtype(&start, dtype);
        let order = self.order_of_result(std::slice::from_ref(value), shape.len());
        let shape = in_order(&shape, &order);
        let results = self.launch_assuming(&shape, &mut |t, fast| {
            t.begin_region(&what.replace(' ', "_"), shape.len(), fast);
            let indices = in_order(&t.item_indices(&shape), &inverse(&order));
            let Some(element) = t.pull(&source, &indices) else {
                t.abandon_region();
                return None;
            };
            let variable = t.declare_reduction(operator, dtype, begin);
            let ir = t.as_dtype(&element, dtype);
            t.b.set(variable, ir);
            Some(t.end_region(what, sites.clone()).0)
        })?;
        let ir = self.b.get(results[0]);
        Some(Scalar::new(dtype, false, ir))
    }

    /// The same by loops right here.
    fn reduce_in_place(
        &mut self,
        source: &Source,
        shape: &[Scalar],
        operator: ReductionOperator,
        dtype: DType,
        start: Scalar,
    ) -> Option<Scalar> {
        let name = self.temporary();
        let total = self.variable(&name, 0, dtype);
        let begin = self.as_dtype(&start, dtype);
        self.b.set(total, begin);
        let mut indices = Vec::new();
        for extent in shape {
            let (from, to, step) = (self.b.int64(0), self.ir(extent), self.b.int64(1));
            let name = self.temporary();
            let counter = self.variable(&name, 0, DType::Int64);
            self.b.begin_for(counter, from, to, step);
            indices.push(Scalar::int(self.b.get(counter), Know::NonNegative));
        }
        let element = self.pull(source, &indices);
        if let Some(element) = &element {
            let ir = self.as_dtype(element, dtype);
            let before = self.b.get(total);
            let operation = operator.operation(dtype);
            let after = self.b.binary(operation, before, ir);
            self.b.set(total, after);
        }
        for _ in shape {
            self.b.end();
        }
        element?;
        let ir = self.b.get(total);
        Some(Scalar::new(dtype, false, ir))
    }

    /// The places of the program that an array comes from.
    pub fn sites_of(&mut self, value: &Value, range: TextRange) -> Vec<Site> {
        let mut sites = vec![self.site(range)];
        if let Value::Lazy(lazy) = value {
            for site in lazy.sites() {
                if !sites.contains(&site) {
                    sites.push(site);
                }
            }
        }
        sites
    }

    /// Stores an array or a number into all elements of a view that is in memory: a region.
    pub fn store_region(&mut self, target: &View, value: &Value, range: TextRange) -> Option<()> {
        let shape = self.shape_of(&Value::View(target.clone()));
        let stretched = self.stretched(value, &shape)?;
        let dtype = target.dtype;
        if self.level() > 0 || !self.is_parallel() {
            self.each(target, &[], &mut |t, place, indices| {
                if let Some(element) = t.pull_stretched(&stretched, indices)
                    && let Some(ir) = t.element(&element, dtype, range)
                {
                    let place = t.element_place(place);
                    t.b.store(place, ir);
                }
            });
            return Some(());
        }
        let sites = self.sites_of(value, range);
        let order = self.order_of_result(&[Value::View(target.clone())], shape.len());
        let shape = in_order(&shape, &order);
        self.launch_assuming(&shape, &mut |t, fast| {
            t.begin_region("assignment", shape.len(), fast);
            let indices = in_order(&t.item_indices(&shape), &inverse(&order));
            let element = t.pull_stretched(&stretched, &indices);
            let ir = element.and_then(|element| t.element(&element, dtype, range));
            let Some(ir) = ir else {
                t.abandon_region();
                return None;
            };
            let target = t.brought_view(target, 0);
            let place = t.at(&target, &indices);
            let place = t.element_place(&place);
            t.b.store(place, ir);
            Some(t.end_region("array assignment", sites.clone()).0)
        })?;
        Some(())
    }
}

/// The lazy arrays in a value that are not computed yet.
pub(crate) fn lazies(value: &Value, found: &mut Vec<Rc<Lazy>>) {
    match value {
        Value::Lazy(lazy) => found.push(lazy.clone()),
        Value::Tuple(items) | Value::Zip(items) | Value::Named(_, items) => {
            items.iter().for_each(|item| lazies(item, found));
        }
        Value::Enumerate(inner, _) | Value::ArrayMethod(inner, _) | Value::Optional(inner, _) => {
            lazies(inner, found);
        }
        _ => {}
    }
}

/// Puts the places of lazy arrays that were computed where the arrays stand.
pub(crate) fn settle(value: &mut Value) {
    match value {
        Value::Lazy(lazy) => {
            let stored = lazy.stored.borrow().clone();
            if let Some(view) = stored {
                *value = Value::View(view);
            }
        }
        Value::Tuple(items) | Value::Zip(items) | Value::Named(_, items) => {
            items.iter_mut().for_each(settle);
        }
        Value::Enumerate(inner, _) | Value::ArrayMethod(inner, _) | Value::Optional(inner, _) => {
            settle(inner);
        }
        _ => {}
    }
}

/// The opposite: puts a lazy array back where the place that it had stands.
pub(crate) fn unsettle(value: &mut Value, place: &View, lazy: &Rc<Lazy>) {
    match value {
        Value::View(view) if view.base == place.base => *value = Value::Lazy(lazy.clone()),
        Value::Tuple(items) | Value::Zip(items) | Value::Named(_, items) => {
            items
                .iter_mut()
                .for_each(|item| unsettle(item, place, lazy));
        }
        Value::Enumerate(inner, _) | Value::ArrayMethod(inner, _) | Value::Optional(inner, _) => {
            unsettle(inner, place, lazy);
        }
        _ => {}
    }
}
