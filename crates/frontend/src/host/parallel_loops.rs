//! `prange` loops as regions: what each turn has of its own, what is combined over all turns, and
//! whether turns get in one another's way.
//!
//! A loop becomes a region only if running its turns at the same time gives what running them one
//! after the other gives. Otherwise it stays a loop of the host part, and a note says why.

use crate::arrays::regions::AxisCounter;
use crate::host::liveness;
use crate::host::loop_nests::Nest;
use crate::host::loop_reductions::{rebinds, reduction_of, updated};
use crate::host::random_streams::Streams;
use crate::program::Note;
use crate::scope::Binding;
use crate::syntax;
use crate::translate::{Frame, Translator};
use crate::types;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{
    BinaryOp, DType, IndexFunction, Kind, ReductionOperator, StatementKind, ValueId,
};
use ruff_python_ast::{Expr, StmtFor};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;

/// How often the type of a combined variable can rise.
const MOST_ATTEMPTS: usize = 6;

/// A variable that is combined over the turns.
struct Combined {
    name: String,
    operator: ReductionOperator,
    before: Scalar,
}

impl Translator<'_> {
    /// Whether statements of a parallel loop are being translated, outside of loops inside it.
    pub fn is_in_parallel_loop(&self) -> bool {
        self.region.as_ref().is_some_and(|region| region.is_loop)
            && self.frames.len() == self.loop_frame()
    }

    fn loop_frame(&self) -> usize {
        self.region.as_ref().map_or(0, |region| region.frames)
    }

    /// `continue` or `break` of a parallel loop.
    pub fn leave_turn(&mut self, breaks: bool) {
        if breaks {
            self.hinder("it is left with `break`");
        } else {
            self.settle_combined();
            self.b.push(StatementKind::Return);
        }
        self.frame().live = false;
    }

    /// Makes a `prange` loop a region; false if it has to be a loop of the host part.
    pub fn parallel_loop(&mut self, s: &StmtFor, parts: &[Scalar; 3]) -> bool {
        if self.level() > 0 || !self.is_parallel() || self.function_base > 0 {
            return false;
        }
        self.flush();
        match self.loop_region(s, parts) {
            Ok(()) => true,
            Err(why) => {
                let site = self.site(s.target.range().cover(s.iter.range()));
                let text = format!("this loop runs on the host, turn by turn: {why}");
                self.program().notes.push(Note { site, text });
                false
            }
        }
    }

    fn loop_region(&mut self, s: &StmtFor, parts: &[Scalar; 3]) -> Result<(), String> {
        let Expr::Name(target) = &*s.target else {
            return Err("it has no simple counter".into());
        };
        let counter = target.id.to_string();
        if !s.orelse.is_empty() {
            return Err("it has an `else`".into());
        }
        let start = u32::from(s.range().start());
        let assigned = syntax::assigned(&s.body);
        if assigned.contains(&counter) {
            return Err("it assigns to its counter".into());
        }
        let live = |t: &mut Self, name: &str| {
            let liveness = t.frame().liveness.clone();
            liveness.is_none_or(|liveness| liveness.at_head(start, name))
        };
        let after = {
            let liveness = self.frame().liveness.clone();
            liveness.is_none_or(|liveness| liveness.after(start, &counter))
        };
        if after {
            return Err(format!("`{counter}` is used after the loop"));
        }
        let mut combined = Vec::new();
        let mut names: Vec<String> = assigned.into_iter().collect();
        names.sort();
        for name in names {
            if !live(self, &name) {
                continue;
            }
            let Some(binding) = self.scope().get(&name).cloned() else {
                return Err(format!("`{name}` is used after the loop"));
            };
            let Value::Scalar(_) = binding.value else {
                // Arrays are changed in place, which is looked at later; a new array is carried on.
                if rebinds(&s.body, &name) {
                    return Err(format!("`{name}` becomes another array in each turn"));
                }
                continue;
            };
            let Some(operator) = reduction_of(&s.body, &name) else {
                return Err(format!(
                    "`{name}` carries a value from one turn to the next"
                ));
            };
            let Value::Scalar(before) = self.recall(&name, &binding.value) else {
                continue;
            };
            combined.push(Combined {
                name,
                operator,
                before,
            });
        }
        let mut dtypes: Vec<(DType, bool)> = combined
            .iter()
            .map(|one| (one.before.dtype, one.before.weak))
            .collect();
        let combined_names: Vec<&str> = combined.iter().map(|one| one.name.as_str()).collect();
        let mut nest = self.nest(s, &combined_names);
        for _ in 0..MOST_ATTEMPTS {
            let checkpoint = self.checkpoint();
            match self.loop_attempt(s, &counter, parts, nest.as_ref(), &combined, &dtypes) {
                Ok(None) => return Ok(()),
                Ok(Some(wanted)) => {
                    self.rewind(&checkpoint);
                    dtypes = wanted;
                }
                Err(_) if nest.is_some() => {
                    self.rewind(&checkpoint);
                    nest = None;
                }
                Err(why) => {
                    self.rewind(&checkpoint);
                    return Err(why);
                }
            }
        }
        Err("the types of its variables do not settle".into())
    }

    /// One attempt; the dtypes that the combined variables would need, if they were others.
    fn loop_attempt(
        &mut self,
        s: &StmtFor,
        counter: &str,
        parts: &[Scalar; 3],
        nest: Option<&Nest<'_>>,
        combined: &[Combined],
        dtypes: &[(DType, bool)],
    ) -> Result<Option<Vec<(DType, bool)>>, String> {
        let [first, stop, step] = *parts;
        if step.as_int().is_none_or(|step| step == 0) {
            return Err("its step is known only when it runs".into());
        }
        for (one, (dtype, _)) in combined.iter().zip(dtypes) {
            if !one.operator.takes(*dtype) || dtype.kind() == Kind::Complex {
                return Err(format!("`{}` is {dtype}", one.name));
            }
        }
        let range = s.iter.range();
        let mut turns = vec![self.turns_of(parts, range)?];
        let mut inner = None;
        if let Some(nest) = nest {
            let parts = self.nest_range(nest)?;
            turns.push(self.turns_of(&parts, nest.inner.iter.range())?);
            inner = Some((nest, parts));
        }
        let starts: Vec<ValueId> = combined
            .iter()
            .zip(dtypes)
            .map(|(one, (dtype, _))| self.as_dtype(&one.before, *dtype))
            .collect();
        let mut read = HashSet::new();
        for statement in &s.body {
            liveness::statement_reads(statement, &mut read);
        }
        let outer: Vec<(String, Binding)> = {
            let scope = self.scope();
            scope
                .iter()
                .filter(|(name, _)| read.contains(*name) || updated(&s.body, name))
                .map(|(name, binding)| (name.clone(), binding.clone()))
                .collect()
        };
        let outer: Vec<(String, Binding)> = outer
            .into_iter()
            .map(|(name, binding)| {
                let value = self.recall(&name, &binding.value);
                (name, Binding { value, ..binding })
            })
            .collect();
        let known = self.diagnostics.len();
        let failures = std::mem::take(&mut self.failures);
        let name = crate::translate::identifier(&format!("{}_loop", self.frame().name));
        self.begin_region(&name, turns.len(), false);
        self.enter_loop_frame();
        let frames = self.frames.len();
        let failure = self.b.variable("failure", DType::Int64);
        let streams = Streams::new(&mut self.b);
        {
            let region = self.region.as_mut().expect("it was begun");
            region.is_loop = true;
            region.frames = frames;
            region.failure = Some(failure);
            region.streams = Some(streams);
        }
        for (name, binding) in &outer {
            if combined.iter().any(|one| one.name == *name) {
                continue;
            }
            let value = self.brought_value(&binding.value);
            self.bind_imported(name, value, binding);
        }
        for ((one, (dtype, weak)), start) in combined.iter().zip(dtypes).zip(&starts) {
            let variable = self.declare_reduction(one.operator, *dtype, *start);
            let frame = self.frame().id;
            self.variables
                .insert((frame, one.name.clone(), 0, *dtype), variable);
            let value = Value::Scalar(Scalar {
                dtype: *dtype,
                weak: *weak,
                know: Know::Any,
                ir: None,
            });
            let site = self.b.site;
            self.scope()
                .insert(one.name.clone(), Binding::new(value, site));
            let region = self.region.as_mut().expect("it was begun");
            // A number that is there before counts as what it is: 0 fits into what bytes are added to.
            let assumed = match (one.before.dtype, one.before.weak) == (*dtype, *weak) {
                true => one.before,
                false => Scalar {
                    dtype: *dtype,
                    weak: *weak,
                    know: Know::Any,
                    ir: None,
                },
            };
            region.combined.push((one.name.clone(), assumed, None));
        }
        self.bind_counter(counter, 0, [first, stop, step], s);
        match inner {
            None => self.block(&s.body),
            Some((nest, parts)) => {
                self.block(nest.before);
                if !self.failures.is_empty() {
                    // An inner loop without turns would not raise it.
                    self.hinder("what is before its inner loop may raise an exception");
                }
                self.bind_counter(nest.counter, 1, parts, nest.inner);
                self.block(&nest.inner.body);
            }
        }
        if self.live() {
            self.settle_combined();
        }
        let mut race = self.race();
        if nest.is_some() {
            race = race.or_else(|| self.nest_hindrance());
        }
        if !self.failures.is_empty() {
            self.declare_failures();
        }
        self.frames.pop();
        let found = std::mem::replace(&mut self.failures, failures);
        let wrong = self.diagnostics.len() > known;
        let hindrance = self
            .region
            .as_mut()
            .and_then(|region| region.hindrance.take());
        let wanted: Vec<Option<Scalar>> = self
            .region
            .as_ref()
            .map(|region| region.combined.iter().map(|(_, _, want)| *want).collect())
            .unwrap_or_default();
        if wrong || hindrance.is_some() || race.is_some() || wanted.iter().any(Option::is_some) {
            self.abandon_region();
            if let Some(why) = hindrance.or(race) {
                return Err(why);
            }
            if wrong {
                return Err("it uses what kernels cannot".into());
            }
            let dtypes = wanted.iter().zip(dtypes);
            return Ok(Some(
                dtypes
                    .map(|(want, old)| want.map_or(*old, |want| (want.dtype, want.weak)))
                    .collect(),
            ));
        }
        let sites = vec![self.site(s.target.range().cover(s.iter.range()))];
        let (built, _) = self.end_region("prange loop", sites);
        if nest.is_some() && !built.runs_in_rows() {
            return Err("its turns could not be done in order if arrays overlap".into());
        }
        let results = built.results.clone();
        self.launch(built, &turns);
        if !found.is_empty() {
            let code = results.last().expect("failures are a reduction");
            let code = self.b.get(*code);
            self.raise_failures(code, &found);
        }
        let site = self.b.site;
        for ((one, (dtype, weak)), result) in combined.iter().zip(dtypes).zip(&results) {
            let ir = self.b.get(*result);
            let value = Scalar::new(*dtype, *weak, ir);
            self.bind(&one.name, value.into(), site);
        }
        Ok(None)
    }

    /// A frame for the body of a loop: the same function, other variables.
    fn enter_loop_frame(&mut self) {
        let id = self.fresh();
        let outer = self.frame();
        let frame = Frame {
            id,
            function: outer.function,
            name: outer.name.clone(),
            file: outer.file,
            shift: outer.shift,
            locals: outer.locals.clone(),
            scope: crate::scope::Scope::new(),
            live: true,
            loops: Vec::new(),
            returns: None,
            called_at: None,
            unbound_reads: HashSet::new(),
            liveness: outer.liveness.clone(),
            statement: outer.statement,
            statement_done: false,
            open: outer.open.clone(),
            nonlocals: outer.nonlocals.clone(),
            once: std::rc::Rc::new(HashSet::new()),
            may_be_unset: outer.may_be_unset.clone(),
            deleted: outer.deleted.clone(),
            closure: outer.closure.clone(),
        };
        self.frames.push(frame);
    }

    /// A value of the host part in the region.
    fn brought_value(&mut self, value: &Value) -> Value {
        match value {
            Value::Scalar(scalar) => self.brought(scalar, 0).into(),
            Value::View(view) => Value::View(self.brought_view(view, 0)),
            Value::Tuple(items) => {
                Value::Tuple(items.iter().map(|item| self.brought_value(item)).collect())
            }
            Value::Named(class, items) => Value::Named(
                class.clone(),
                items.iter().map(|item| self.brought_value(item)).collect(),
            ),
            Value::Optional(inner, present) => Value::Optional(
                Box::new(self.brought_value(inner)),
                self.brought(present, 0),
            ),
            Value::Zip(items) => {
                Value::Zip(items.iter().map(|item| self.brought_value(item)).collect())
            }
            Value::Range(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.brought(part, 0)).collect();
                Value::Range(Box::new([parts[0], parts[1], parts[2]]))
            }
            Value::Object(object) => Value::Object(crate::objects::python_objects::Object {
                handle: self.brought(&object.handle, 0),
                ..object.clone()
            }),
            Value::Choice(options, which) => Value::Choice(options.clone(), self.brought(which, 0)),
            Value::Generator(generator, items) => Value::Generator(
                generator.clone(),
                items.iter().map(|item| self.brought_value(item)).collect(),
            ),
            Value::Enumerate(inner, start) => {
                let inner = Box::new(self.brought_value(inner));
                Value::Enumerate(inner, self.brought(start, 0))
            }
            Value::ArrayMethod(inner, name) => {
                Value::ArrayMethod(Box::new(self.brought_value(inner)), name.clone())
            }
            other => {
                // What is used of it will say that it cannot be; its numbers are those of the region.
                let mut value = other.clone();
                value.for_each_leaf(&mut |leaf| *leaf = self.brought(leaf, 0));
                value
            }
        }
    }

    fn bind_imported(&mut self, name: &str, value: Value, binding: &Binding) {
        let single = match &value {
            Value::Scalar(scalar) => scalar.ir.map(|ir| (scalar.dtype, ir)),
            _ => None,
        };
        self.bind(name, value, binding.site);
        if let Some((dtype, ir)) = single {
            let variable = self.variable(name, 0, dtype);
            // The body may give it another value.
            if !self.frame().locals.contains(name) || self.is_never_assigned(name) {
                self.constant_variables.insert(variable, ir);
            }
        }
    }

    fn is_never_assigned(&mut self, name: &str) -> bool {
        let frames = &self.frames;
        frames
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|outer| outer.once.contains(name))
    }

    fn turns_of(&mut self, parts: &[Scalar; 3], range: TextRange) -> Result<Scalar, &'static str> {
        self.length_of(&Value::Range(Box::new(*parts)), range)
            .ok_or("its turns cannot be counted")
    }

    /// Binds the counter of a loop that is an axis of the region.
    fn bind_counter(
        &mut self,
        name: &str,
        axis: u8,
        [first, stop, step]: [Scalar; 3],
        s: &StmtFor,
    ) {
        let (first, stop) = (self.brought(&first, 0), self.brought(&stop, 0));
        let item = self.b.index(IndexFunction::GlobalId, axis);
        let item = Scalar::int(item, Know::NonNegative);
        let offset = self.index_op(BinaryOp::Multiply, &item, &step);
        let at = self.index_op(BinaryOp::Add, &first, &offset);
        let ir = self.ir(&at);
        let rising = step.as_int().is_some_and(|step| step > 0) && first.is_non_negative();
        let falling = step.as_int().is_some_and(|step| step < 0)
            && (stop.is_non_negative() || stop.as_int().is_some_and(|stop| stop >= -1));
        let know = if rising || falling {
            Know::NonNegative
        } else {
            Know::Any
        };
        let value = Scalar::int(ir, know);
        let site = self.site(s.target.range());
        self.remark(s.target.range(), name, &value.into());
        self.bind(name, value.into(), site);
        let variable = self.variable(name, 0, DType::Int64);
        self.constant_variables.insert(variable, ir);
        let bounds = (step.as_int() == Some(1)).then(|| {
            let (first, stop) = (self.ir(&first), self.ir(&stop));
            (Scalar::int(first, Know::Any), Scalar::int(stop, Know::Any))
        });
        let region = self.region.as_mut().expect("a region is open");
        region.counters.push(AxisCounter { value: ir, bounds });
    }

    /// At the end of a turn: what the combined variables hold must be of the dtype that was assumed.
    fn settle_combined(&mut self) {
        let combined = match &self.region {
            Some(region) => region.combined.clone(),
            None => return,
        };
        for (position, (name, assumed, _)) in combined.iter().enumerate() {
            let dtype = &assumed.dtype;
            let Some(binding) = self.scope().get(name).cloned() else {
                continue;
            };
            let Value::Scalar(found) = binding.value else {
                self.hinder(&format!("`{name}` is no number any more"));
                continue;
            };
            if found.dtype == *dtype && (found.weak || !assumed.weak) {
                continue;
            }
            let (joined, weak) = types::join(assumed, &found);
            if joined == *dtype && found.dtype != *dtype {
                // A narrower number in this turn: it is put where the wide ones are.
                let Value::Scalar(value) = self.recall(name, &Value::Scalar(found)) else {
                    continue;
                };
                let ir = self.as_dtype(&value, *dtype);
                let variable = self.variable(name, 0, *dtype);
                self.b.set(variable, ir);
                continue;
            }
            let region = self.region.as_mut().expect("a region is open");
            region.combined[position].2 = Some(Scalar {
                dtype: joined,
                weak,
                know: Know::Any,
                ir: None,
            });
        }
    }
}
