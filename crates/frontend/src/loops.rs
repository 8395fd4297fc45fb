//! Loops. The body is emitted with what is assumed to hold at the beginning of each turn; if
//! the end of a turn turns out not to fit, everything is emitted again with a weaker assumption.

use crate::codes;
use crate::guesses::Guess;
use crate::host::generators::Over;
use crate::objects::changing_statements::{looks_up_others, may_change_containers};
use crate::objects::tables::{is_table, names};
use crate::scope::{Binding, Scope, covers, same_types};
use crate::syntax;
use crate::translate::{Translator, maybe};
use crate::value::{Know, Scalar, Value};
use colocate_ir::{DType, Literal, StatementKind, UnaryOp, ValueId, VariableId};
use ruff_python_ast::{Expr, Stmt, StmtFor, StmtWhile};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;

/// A loop whose body is being translated.
pub(crate) struct Loop {
    /// What is assumed at the beginning of a turn.
    head: Scope,
    /// What was found at all edges to the beginning or the end, and before the loop.
    next: Scope,
    /// Names that get their first value in the loop.
    extra: Scope,
    retry: bool,
    broke: bool,
    /// Whether an exception may leave it.
    pub raised: bool,
    /// Whether it is the body of a `try`.
    is_try: bool,
    /// What says which objects were there before it.
    mark: Option<VariableId>,
    /// Tells the `else` of the loop whether it was left early.
    pub left_early: Option<VariableId>,
    /// Where its statement begins.
    start: u32,
    /// How many locals there were before it.
    locals: usize,
    /// Names that only who comes to the end of the body looks at afterwards.
    fresh: HashSet<String>,
    /// What they are then.
    done: Scope,
}

/// How often the type of one variable can rise: to a wider integer, a float, a complex number.
const MOST_RISES: usize = 8;

/// What is done in each attempt.
enum Turns<'a> {
    While(&'a Expr),
    /// The body of a `try`: one turn, which exceptions leave.
    Try,
    /// The statements of a generator.
    Generator,
    /// Counts, and may give the target an element of an iterable.
    Count {
        target: &'a Expr,
        /// From the target to what is gone over.
        head: TextRange,
        start: ValueId,
        stop: ValueId,
        step: ValueId,
        know: Know,
        element_of: Option<&'a Value>,
        /// Whether the number of elements may change in the loop.
        checked: bool,
    },
    /// Goes on while an iterator has items.
    Next {
        target: &'a Expr,
        iterator: &'a crate::objects::python_objects::Object,
    },
    /// One turn of a loop that is written out, which `break` and `continue` leave.
    Once {
        target: &'a Expr,
        item: &'a Value,
        /// Tells the turns after this one whether the loop was left.
        left_early: VariableId,
    },
}

/// Loops over texts are written out for so many turns, those of loops around them counted in: each turn may make
/// calls into Python, which are long.
const MOST_COPIES: usize = 48;

impl Translator<'_> {
    pub fn while_loop(&mut self, s: &StmtWhile) {
        let mut assigned = syntax::assigned(&s.body);
        assigned.extend(syntax::assigned_by(&s.test));
        self.turns(
            &Turns::While(&s.test),
            &s.body,
            &s.orelse,
            &assigned,
            s.range(),
        );
    }

    /// The body of a `try`.
    pub fn try_body(&mut self, body: &[Stmt], range: TextRange) {
        let assigned = syntax::assigned(body);
        self.turns(&Turns::Try, body, &[], &assigned, range);
    }

    /// The statements of a generator.
    pub fn generator_body(&mut self, body: &[Stmt], assigned: &HashSet<String>, range: TextRange) {
        self.turns(&Turns::Generator, body, &[], assigned, range);
    }

    /// One turn of a loop over a generator.
    pub fn yielded_turn(
        &mut self,
        target: &Expr,
        item: &Value,
        body: &[Stmt],
        left_early: VariableId,
        range: TextRange,
    ) {
        let mut assigned = syntax::assigned(body);
        assigned.extend(syntax::assigned_by(target));
        let turn = Turns::Once {
            target,
            item,
            left_early,
        };
        self.turns(&turn, body, &[], &assigned, range);
    }

    pub fn for_loop(&mut self, s: &StmtFor) {
        if s.is_async {
            let diagnostic = self
                .wrong(
                    codes::ASYNC,
                    "`async for` is not supported in kernels",
                    s.iter.range(),
                    "",
                )
                .help(crate::statements::ASYNC_HELP);
            self.report(diagnostic);
            return;
        }
        if self.is_program() && self.is_changed_while_gone_over(s) {
            return;
        }
        let iterable = self.gone_over(&s.iter);
        let iterable = self.plain(&iterable, s.iter.range()).into_owned();
        let iterable = self.iterated_instance(iterable, s.iter.range());
        let iterable = match self.all_stored(iterable) {
            Value::Object(object) if self.is_unknown_item(&object) => Value::Poison,
            other => other,
        };
        let mut assigned = syntax::assigned(&s.body);
        assigned.extend(syntax::assigned_by(&s.target));
        if let Value::Poison = iterable {
            let site = self.site(s.target.range());
            for name in syntax::assigned_by(&s.target) {
                self.bind(&name, Value::Poison, site);
            }
            let turns = Scalar::const_int(1);
            self.count(
                s,
                [Scalar::const_int(0), turns, turns],
                Some(&Value::Poison),
                &assigned,
            );
            return;
        }
        let iterable = self.long_texts_as_objects(iterable);
        if let Some(items) = self.unrolled(&iterable) {
            let around = self.copies;
            self.copies = around.saturating_mul(items.len().max(1));
            self.unroll(s, items);
            self.copies = around;
            return;
        }
        match &iterable {
            Value::Range(parts) => self.counting_loop(s, **parts, None, &assigned),
            Value::ParallelRange(parts) => {
                if !self.parallel_loop(s, parts) {
                    self.counting_loop(s, **parts, None, &assigned);
                }
            }
            Value::Generator(generator, given) => {
                let (generator, given) = (generator.clone(), given.clone());
                self.loop_over_generator(s, &generator, &given, Over::Loop);
            }
            Value::Object(object) => {
                let object = object.clone();
                self.loop_over_object(s, &object, &assigned);
            }
            _ => {
                let Some(length) = self.length_of(&iterable, s.iter.range()) else {
                    return;
                };
                let parts = [Scalar::const_int(0), length, Scalar::const_int(1)];
                self.counting_loop(s, parts, Some(&iterable), &assigned);
            }
        }
    }

    /// A loop over the items of a Python object.
    fn loop_over_object(
        &mut self,
        s: &StmtFor,
        object: &crate::objects::python_objects::Object,
        assigned: &HashSet<String>,
    ) {
        use crate::program::ObjectType;
        let range = s.iter.range();
        // What nobody changes meanwhile: the numbers in it are looked at once. If it is changed, its iterator says so.
        let fixed = match *object.kind {
            ObjectType::FrozenSet(_) | ObjectType::Sequence(_) | ObjectType::Foreign(_) => true,
            ObjectType::Set(_) => !may_change_containers(&s.body),
            ObjectType::Dict(..) => !may_change_containers(&s.body) && !looks_up_others(s),
            _ => false,
        };
        if fixed && let Some(items) = self.object_as_list(object, range) {
            let Some(length) = self.length_of(&items, range) else {
                return;
            };
            let parts = [Scalar::const_int(0), length, Scalar::const_int(1)];
            self.count(s, parts, Some(&items), assigned);
            return;
        }
        let Some(iterator) = self.object_iterator(&Value::Object(object.clone()), range) else {
            return;
        };
        let turns = Turns::Next {
            target: &s.target,
            iterator: &iterator,
        };
        self.turns(&turns, &s.body, &s.orelse, assigned, s.range());
    }

    pub fn count(
        &mut self,
        s: &StmtFor,
        [start, stop, step]: [Scalar; 3],
        element_of: Option<&Value>,
        assigned: &HashSet<String>,
    ) {
        let up = step.as_int().is_some_and(|step| step > 0) && start.is_non_negative();
        let down = step.as_int().is_some_and(|step| step < 0)
            && (stop.is_non_negative() || stop.as_int().is_some_and(|stop| stop >= -1));
        let know = if up || down {
            Know::NonNegative
        } else {
            Know::Any
        };
        let turns = Turns::Count {
            target: &s.target,
            head: s.target.range().cover(s.iter.range()),
            start: self.ir(&start),
            stop: self.ir(&stop),
            step: self.ir(&step),
            know,
            element_of,
            checked: element_of.is_some_and(crate::objects::lists::may_grow)
                && crate::objects::changing_statements::may_change_lists(&s.body),
        };
        self.turns(&turns, &s.body, &s.orelse, assigned, s.range());
    }

    fn turns(
        &mut self,
        turns: &Turns<'_>,
        body: &[Stmt],
        orelse: &[Stmt],
        assigned: &HashSet<String>,
        range: TextRange,
    ) {
        self.flush();
        self.detach();
        let mut entry = self.scope().clone();
        let mut head = entry.clone();
        for (name, binding) in &mut head {
            if assigned.contains(name) {
                binding.value = maybe(&binding.value);
            }
        }
        let mut extra = Scope::new();
        // What only a turn before sets: it has a type at the beginning, but no value.
        let mut unset: HashSet<String> = HashSet::new();
        let fresh = match turns {
            Turns::Try => self.only_seen_when_done(),
            _ => HashSet::new(),
        };
        let once = matches!(turns, Turns::Try | Turns::Generator | Turns::Once { .. });
        let mark = match once {
            true => None,
            false => self.mark_objects(range.start().into()),
        };
        let unbound_before = std::mem::take(&mut self.frame().unbound_reads);
        let checkpoint = self.checkpoint();
        let mut guess = Guess::new(self.diagnostics.len());
        // One turn may carry a type only from one variable to the next.
        let most_attempts = MOST_RISES * (assigned.len() + 1);
        for attempt in 0.. {
            // What is done here stands before the `try`, which does not catch what it raises.
            let own = match turns {
                Turns::Try => self.tries.pop(),
                _ => None,
            };
            for (name, binding) in &head {
                if let Some(before) = entry.get(name).filter(|_| !unset.contains(name)) {
                    self.convert_binding(name, &before.value, &binding.value);
                }
            }
            self.tries.extend(own);
            *self.scope() = head.clone();
            self.frame().live = true;
            let left_early = match turns {
                Turns::Once { left_early, .. } => Some(*left_early),
                _ => (!orelse.is_empty()).then(|| self.left_early_flag()),
            };
            let locals = self.b.kernel().locals.len();
            self.frame().loops.push(Loop {
                head: head.clone(),
                next: entry.clone(),
                extra: extra.clone(),
                retry: false,
                broke: false,
                raised: false,
                is_try: matches!(turns, Turns::Try),
                mark,
                left_early,
                start: range.start().into(),
                locals,
                fresh: fresh.clone(),
                done: Scope::new(),
            });
            let made = self.objects_made;
            let endless = self.attempt(turns, body);
            if !once && self.objects_made > made {
                self.note_object_loop(range.start().into());
            }
            let mut state = self.frame().loops.pop().expect("the loop was pushed");
            let unbound = std::mem::take(&mut self.frame().unbound_reads);
            if !once && self.guesses(&mut guess, &mut head, &state.next, assigned) {
                self.rewind(&checkpoint);
                continue;
            }
            for name in &unbound {
                if let Some(binding) = state.extra.get(name)
                    && !binding.value.is_poison()
                    && !state.head.contains_key(name)
                {
                    let Some(binding) = self.for_later_turns(binding) else {
                        continue;
                    };
                    entry.insert(name.clone(), binding.clone());
                    unset.insert(name.clone());
                    state.next.insert(name.clone(), binding);
                    state.retry = true;
                }
            }
            if state.retry && attempt < most_attempts {
                self.rewind(&checkpoint);
                for (name, found) in state.next {
                    let found = match head.get(&name) {
                        Some(assumed) if attempt > 0 => self.join_bindings(assumed, &found),
                        _ => found,
                    };
                    let value = if assigned.contains(&name) {
                        maybe(&found.value)
                    } else {
                        found.value
                    };
                    head.insert(name, Binding { value, ..found });
                }
                // The arrays that this attempt made are forgotten.
                extra = Scope::new();
                for (name, binding) in state.extra {
                    if !binding.value.is_poison()
                        && let Some(binding) = self.for_later_turns(&binding)
                    {
                        extra.insert(name, binding);
                    }
                }
                continue;
            }
            if state.retry {
                let diagnostic = self.wrong(
                    codes::CONFLICT,
                    "the types of the variables in this loop do not settle",
                    TextRange::at(range.start(), ruff_text_size::TextSize::new(3)),
                    "each turn gives other types than the one before",
                );
                self.report(diagnostic);
            }
            let mut scope = head;
            for (name, binding) in state.extra {
                scope.entry(name).or_insert(binding);
            }
            scope.extend(state.done);
            *self.scope() = scope;
            self.frame().live = !endless || state.broke;
            // What this loop does not set either may be set by the one around it.
            self.frame().unbound_reads = &unbound_before | &unbound;
            if state.raised && !state.is_try {
                self.pass_on_exception();
            }
            self.pass_on_leaving();
            self.after_loop(left_early, orelse, endless);
            return;
        }
    }

    /// What a turn sets as later turns find it: arrays are in the array variable of the name, since what the
    /// turn made is forgotten when the loop is translated again. Nothing in a region, which has no such
    /// variables.
    fn for_later_turns(&mut self, binding: &Binding) -> Option<Binding> {
        let mut binding = binding.clone();
        let in_region = self.level() > 0;
        let mut fine = true;
        crate::scope::each_view(&mut binding.value, &mut |view| {
            match crate::host::array_variables::phi(view, view) {
                Some(phi) if !view.is_phi() && !in_region => *view = phi,
                _ => fine &= view.is_phi(),
            }
        });
        fine.then_some(binding)
    }

    /// A variable that is true once a loop was left early.
    fn left_early_flag(&mut self) -> VariableId {
        let name = self.temporary();
        let variable = self.variable(&name, 0, DType::Bool);
        let no = self.b.literal(Literal::Bool(false));
        self.b.set(variable, no);
        variable
    }

    /// Emits the loop once; whether only a `break` ends it.
    fn attempt(&mut self, turns: &Turns<'_>, body: &[Stmt]) -> bool {
        let mut endless = false;
        match turns {
            // A condition that may raise is tested inside the loop: it may return.
            Turns::While(test) if self.is_program() => {
                self.b.site = self.site(test.range());
                self.b.begin_while();
                let forever = self.b.literal(Literal::Bool(true));
                self.b.begin_while_body(forever);
                let value = self.condition(test);
                let condition = self.truth(&value, test.range());
                endless = condition.and_then(|truth| truth.as_int()) == Some(1);
                if !endless {
                    let condition = match condition {
                        Some(truth) => self.ir(&truth),
                        None => self.b.literal(Literal::Bool(true)),
                    };
                    self.flush();
                    let over = self.b.unary(UnaryOp::Not, condition);
                    let before = self.scope().clone();
                    self.b.begin_if(over);
                    self.loop_edge();
                    self.b.push(StatementKind::Break);
                    self.b.end();
                    *self.scope() = before;
                }
            }
            Turns::While(test) => {
                self.b.site = self.site(test.range());
                self.b.begin_while();
                let value = self.condition(test);
                let condition = self.truth(&value, test.range());
                endless = condition.and_then(|truth| truth.as_int()) == Some(1);
                let condition = match condition {
                    Some(truth) => self.ir(&truth),
                    None => self.b.literal(Literal::Bool(true)),
                };
                // Names that the condition binds keep the types that the loop ends with.
                self.loop_edge();
                self.b.begin_while_body(condition);
            }
            Turns::Count {
                target,
                head,
                start,
                stop,
                step,
                know,
                element_of,
                checked,
            } => {
                self.b.site = self.site(*head);
                let direct = match (target, element_of) {
                    (Expr::Name(name), None) => Some(name.id.to_string()),
                    _ => None,
                };
                let name = direct.clone().unwrap_or_else(|| self.temporary());
                let counter = self.variable(&name, 0, DType::Int64);
                let stop = match checked {
                    true => self.b.int64(i64::MAX),
                    false => *stop,
                };
                self.b.begin_for(counter, *start, stop, *step);
                if let (true, Some(list)) = (checked, element_of) {
                    self.leave_if_over(list, counter, *head);
                }
                self.note_counter(counter, &name, [*start, stop, *step], body);
                let mut number = Scalar {
                    dtype: DType::Int64,
                    weak: true,
                    know: *know,
                    ir: None,
                };
                let site = self.site(target.range());
                if direct.is_some() {
                    let value = Value::Scalar(number);
                    self.remark(target.range(), &name, &value);
                    self.mark_set(&name);
                    self.scope().insert(name, Binding::new(value, site));
                } else {
                    number.ir = Some(self.b.get(counter));
                    let element = match element_of {
                        Some(iterable) => self.item_at(iterable, &number, target.range()),
                        None => number.into(),
                    };
                    self.assign(target, element, target.range());
                }
            }
            Turns::Next { target, iterator } => {
                self.b.site = self.site(target.range());
                self.b.begin_while();
                let forever = self.b.literal(Literal::Bool(true));
                self.b.begin_while_body(forever);
                if let Some((there, value)) = self.next_item(iterator, target.range()) {
                    let there = self.ir(&there);
                    let over = self.b.unary(UnaryOp::Not, there);
                    let before = self.scope().clone();
                    self.b.begin_if(over);
                    self.loop_edge();
                    self.b.push(StatementKind::Break);
                    self.b.end();
                    *self.scope() = before;
                    if self.is_unknown_inside(iterator) {
                        self.assign(target, Value::Poison, target.range());
                    } else if let Some(item) = iterator.item() {
                        let value = self.opened_item(value, &item, target.range());
                        self.assign(target, value, target.range());
                    }
                }
            }
            Turns::Generator => {
                let name = self.temporary();
                let counter = self.variable(&name, 0, DType::Int64);
                let (zero, one) = (self.b.int64(0), self.b.int64(1));
                self.b.begin_for(counter, zero, one, one);
            }
            Turns::Try => {
                let name = self.temporary();
                let counter = self.variable(&name, 0, DType::Int64);
                let (zero, one) = (self.b.int64(0), self.b.int64(1));
                self.b.begin_for(counter, zero, one, one);
                self.begin_trying();
            }
            Turns::Once { target, item, .. } => {
                self.b.site = self.site(target.range());
                let name = self.temporary();
                let counter = self.variable(&name, 0, DType::Int64);
                let (zero, one) = (self.b.int64(0), self.b.int64(1));
                self.b.begin_for(counter, zero, one, one);
                self.assign(target, (*item).clone(), target.range());
            }
        }
        self.block(body);
        if self.live() {
            if let Turns::Try = turns {
                self.body_is_done();
            }
            self.loop_edge();
            self.end_turn();
        }
        self.b.end();
        endless
    }

    /// Ends a loop over a list whose length may have changed.
    fn leave_if_over(&mut self, list: &Value, counter: VariableId, range: TextRange) {
        let Some(length) = self.length_of(list, range) else {
            return;
        };
        let (at, length) = (self.b.get(counter), self.ir(&length));
        let over = self
            .b
            .compare(colocate_ir::CompareOp::GreaterEqual, at, length);
        let before = self.scope().clone();
        self.b.begin_if(over);
        self.loop_edge();
        self.b.push(StatementKind::Break);
        self.b.end();
        *self.scope() = before;
    }

    /// At the end of a turn, after all variables fit the next one.
    fn end_turn(&mut self) {
        let found = self
            .frame()
            .loops
            .last()
            .and_then(|one| one.mark.map(|mark| (mark, one.head.clone())));
        if let Some((mark, head)) = found {
            self.sweep_objects(mark, &head);
        }
    }

    fn after_loop(&mut self, left_early: Option<VariableId>, orelse: &[Stmt], endless: bool) {
        let Some(left_early) = left_early else {
            return;
        };
        if endless || orelse.is_empty() || !self.live() {
            return;
        }
        let early = self.b.get(left_early);
        let completed = self.b.unary(UnaryOp::Not, early);
        let before = self.scope().clone();
        self.b.begin_if(completed);
        self.block(orelse);
        let then = self.leave_branch();
        self.b.end();
        self.merge(completed, then, Some(before));
    }

    /// Makes the variables fit what the loop assumes, at a point from which the next turn
    /// begins or the loop ends.
    pub fn loop_edge(&mut self) {
        self.edge(false);
    }

    /// The same where an exception leaves the loop.
    pub fn edge_of_exception(&mut self) {
        self.edge(true);
    }

    fn edge(&mut self, raised: bool) {
        self.flush();
        self.detach();
        let scope = self.scope().clone();
        let mut state = self.frame().loops.pop().expect("a loop is open");
        let liveness = self.frame().liveness.clone();
        self.hold_aliases(&scope, state.locals);
        for (name, binding) in &scope {
            // What nobody reads at the beginning of a turn need not fit there.
            if let Some(liveness) = &liveness
                && !name.starts_with('%')
                && !liveness.at_head(state.start, name)
                && !liveness.after(state.start, name)
            {
                continue;
            }
            if state.fresh.contains(name) {
                if !raised {
                    let value = maybe(&binding.value);
                    self.convert_binding(name, &binding.value, &value);
                    let binding = Binding {
                        value,
                        ..binding.clone()
                    };
                    state.done.insert(name.clone(), binding);
                }
                continue;
            }
            // What is reported already says nothing about the other turns.
            if binding.value.is_poison() {
                state
                    .extra
                    .entry(name.clone())
                    .or_insert_with(|| binding.clone());
                continue;
            }
            if let Some(head) = state.head.get(name) {
                if binding.value == head.value {
                    continue;
                }
                let before = state.next.get(name).unwrap_or(head);
                let joined = self.join_bindings(before, binding);
                let value = binding.value.clone();
                // The assumption may be weaker than what this attempt finds.
                let lifted = self.join_bindings(head, &joined);
                if covers(&head.value, &lifted.value) {
                    let head = head.value.clone();
                    self.convert_binding(name, &value, &head);
                } else {
                    state.retry = true;
                }
                state.next.insert(name.clone(), joined);
                continue;
            }
            let joined = match state.extra.get(name) {
                Some(known) if !known.value.is_poison() => {
                    let joined = self.join_bindings(known, binding);
                    state.retry |= !same_types(&known.value, &joined.value);
                    joined
                }
                _ => binding.clone(),
            };
            self.convert_binding(name, &binding.value, &joined.value);
            let value = maybe(&joined.value);
            // There may be no turn at all.
            let binding = Binding {
                value,
                unsure: true,
                ..joined
            };
            state.extra.insert(name.clone(), binding);
        }
        self.frame().loops.push(state);
    }

    pub fn leave_loop(&mut self, range: TextRange, breaks: bool) {
        if self.frame().loops.is_empty() && self.is_in_parallel_loop() {
            self.leave_turn(breaks);
            return;
        }
        if self.frame().loops.is_empty() {
            let what = if breaks { "break" } else { "continue" };
            let diagnostic = self.wrong(
                codes::SYNTAX,
                format!("`{what}` stands outside a loop"),
                range,
                "",
            );
            self.report(diagnostic);
            return;
        }
        if self.frame().loops.last().is_some_and(|one| one.is_try) {
            self.leave_try(breaks);
            return;
        }
        self.loop_edge();
        if breaks {
            let state = self.frame().loops.last_mut().expect("a loop is open");
            state.broke = true;
            if let Some(flag) = state.left_early {
                let yes = self.b.literal(Literal::Bool(true));
                self.b.set(flag, yes);
            }
            self.b.push(StatementKind::Break);
        } else {
            self.end_turn();
            self.b.push(StatementKind::Continue);
        }
        self.frame().live = false;
    }

    /// Notes that the innermost loop is left: whoever asks how it ended is told.
    pub fn note_break(&mut self) {
        let flag = match self.frame().loops.last_mut() {
            Some(state) => {
                state.broke = true;
                state.left_early
            }
            None => None,
        };
        if let Some(flag) = flag {
            let yes = self.b.literal(Literal::Bool(true));
            self.b.set(flag, yes);
        }
    }

    /// Notes that a `return` leaves all loops of a function that is inlined.
    pub fn leave_all_loops(&mut self) {
        let flags: Vec<_> = self.frame().loops.iter().map(|l| l.left_early).collect();
        for flag in flags.into_iter().flatten() {
            let yes = self.b.literal(Literal::Bool(true));
            self.b.set(flag, yes);
        }
    }

    /// What a loop goes over; texts that are known are objects if the loop would be written out too often for them.
    fn long_texts_as_objects(&mut self, iterable: Value) -> Value {
        let has_text = match &iterable {
            Value::Str(_) => true,
            Value::Enumerate(inner, _) => matches!(**inner, Value::Str(_)),
            Value::Zip(parts) => parts.iter().any(|part| matches!(part, Value::Str(_))),
            _ => false,
        };
        if !has_text || !self.is_program() || self.level() > 0 {
            return iterable;
        }
        let turns = self.unrolled(&iterable).map_or(0, |items| items.len());
        if turns.saturating_mul(self.copies) <= MOST_COPIES {
            return iterable;
        }
        match iterable {
            Value::Str(text) => self.text_object(&text),
            Value::Enumerate(inner, start) => {
                Value::Enumerate(Box::new(self.long_texts_as_objects(*inner)), start)
            }
            Value::Zip(parts) => {
                let parts = parts.into_iter().map(|part| match part {
                    Value::Str(text) => self.text_object(&text),
                    other => other,
                });
                Value::Zip(parts.collect())
            }
            other => other,
        }
    }

    /// The items of something whose loop is written out turn by turn.
    pub fn unrolled(&mut self, iterable: &Value) -> Option<Vec<Value>> {
        match iterable {
            Value::Tuple(items) => Some(items.clone()),
            Value::Module { handle, .. } => {
                let members = self.env.members(*handle)?;
                Some(members.iter().map(|one| self.captured_value(one)).collect())
            }
            table if is_table(table) => self.unrolled(&names(table)),
            Value::Str(text) if self.is_program() => Some(
                text.chars()
                    .map(|one| Value::Str(one.to_string()))
                    .collect(),
            ),
            Value::Enumerate(inner, start) => {
                let items = self.unrolled(inner)?;
                let first = start.as_int()?;
                let pairs = items.into_iter().enumerate().map(|(position, item)| {
                    let number = Scalar::const_int(first + position as i128);
                    Value::Tuple(vec![number.into(), item])
                });
                Some(pairs.collect())
            }
            Value::Zip(parts) if !parts.is_empty() => {
                let columns: Vec<_> = parts
                    .iter()
                    .map(|part| self.unrolled(part))
                    .collect::<Option<_>>()?;
                let turns = columns.iter().map(Vec::len).min()?;
                let row = |turn: usize| columns.iter().map(move |column| column[turn].clone());
                Some(
                    (0..turns)
                        .map(|turn| Value::Tuple(row(turn).collect()))
                        .collect(),
                )
            }
            _ => None,
        }
    }

    fn unroll(&mut self, s: &StmtFor, items: Vec<Value>) {
        let inlined = self.frame().returns.is_some();
        let returns = inlined && s.body.iter().any(syntax::returns);
        if syntax::leaves_loop(&s.body) || returns {
            self.unroll_with_exits(s, &items);
            return;
        }
        for item in items {
            if !self.live() {
                return;
            }
            self.assign(&s.target, item, s.iter.range());
            self.block(&s.body);
        }
        if self.live() {
            self.block(&s.orelse);
        }
    }

    /// Each turn is a loop of one turn, unless a turn before it has left the loop.
    fn unroll_with_exits(&mut self, s: &StmtFor, items: &[Value]) {
        let mut assigned = syntax::assigned(&s.body);
        assigned.extend(syntax::assigned_by(&s.target));
        let left_early = self.left_early_flag();
        for item in items {
            let left = self.b.get(left_early);
            let going = self.b.unary(UnaryOp::Not, left);
            let before = self.scope().clone();
            self.b.begin_if(going);
            let turn = Turns::Once {
                target: &s.target,
                item,
                left_early,
            };
            self.turns(&turn, &s.body, &[], &assigned, s.range());
            let then = self.leave_branch();
            self.b.end();
            self.merge(going, then, Some(before));
        }
        self.after_loop(Some(left_early), &s.orelse, false);
    }
}
