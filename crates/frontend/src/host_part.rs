//! The host part of a jit function: its arguments, its results, exceptions, and arrays that depend on
//! the path taken.

use crate::lazy::is_array;
use crate::program::{
    Call, Exception, LibraryType, Note, Operand, Outcome, Program, ProgramOptions, Region, ViewAxis,
};
use crate::translate::Translator;
use crate::types;
use crate::value::{ANY_PHI, Axis, Know, PACKED_PHI, Scalar, Value, View};
use crate::{ArgumentType, Captured, Environment, Failure, FunctionId, codes, listing};
use colocate_diag::Site;
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, CompareOp, DType, KernelBuilder, KernelKind, Kind, Layout,
    LocalId, ParamKind, StatementKind, ValueId,
};
use ruff_text_size::TextRange;
use std::collections::{HashMap, HashSet};

/// What grows while a program is translated, besides the host part.
pub(crate) struct ProgramState {
    pub calls: Vec<Call>,
    pub regions: Vec<Region>,
    pub notes: Vec<Note>,
    pub options: ProgramOptions,
    /// Lists among the arguments, with their leaves.
    pub lists: Vec<(usize, crate::lists::List)>,
}

/// An exception that a check raises.
#[derive(Clone, Debug)]
pub(crate) struct Raised {
    pub class: &'static str,
    pub parts: Vec<Part>,
}

/// A part of a message.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Number(Scalar),
    Shape(Vec<Scalar>),
}

/// How often a function is translated again because a list holds other items than was assumed.
const MOST_ATTEMPTS: usize = 16;

/// Failures of items are numbered up to this.
const MOST_FAILURES: i64 = 1 << 16;

impl Translator<'_> {
    /// Whether a jit function is translated, not a kernel.
    pub fn is_program(&self) -> bool {
        self.program.is_some()
    }

    /// What grows besides the host part.
    pub fn program(&mut self) -> &mut ProgramState {
        self.program.as_mut().expect("a program is translated")
    }

    /// Whether array operations become regions.
    pub fn is_parallel(&self) -> bool {
        self.program
            .as_ref()
            .is_some_and(|state| state.options.parallel)
    }

    /// Declares the parameters of an argument of a jit function, and gives its value.
    fn argument(&mut self, name: &str, argument: &ArgumentType, leaf: &mut usize) -> Value {
        match argument {
            ArgumentType::None => Value::None,
            ArgumentType::Str(text) => Value::Str(text.clone()),
            ArgumentType::Object(number) => self.object_argument(*number),
            ArgumentType::Ellipsis => Value::Ellipsis,
            ArgumentType::Slice(parts) => {
                let parts: Vec<Value> = parts
                    .iter()
                    .map(|part| self.argument(name, part, leaf))
                    .collect();
                let part = |position: usize| match parts.get(position) {
                    Some(Value::Scalar(scalar)) => Some(*scalar),
                    _ => None,
                };
                Value::Slice(Box::new([part(0), part(1), part(2)]))
            }
            ArgumentType::Scalar { dtype, weak } => {
                *leaf += 1;
                let param = self.b.param(name, ParamKind::Scalar(*dtype));
                let ir = self.b.scalar(param);
                Scalar::new(*dtype, *weak, ir).into()
            }
            ArgumentType::Array {
                dtype,
                rank,
                layout,
                writable,
            } => {
                let local = self.b.local(name, *dtype, *rank, *layout);
                let call = Call::Argument { leaf: *leaf, local };
                *leaf += 1;
                self.call(call, &[], vec![CallResult::Local(local)]);
                let packed = *layout == Layout::Contiguous;
                let base = ArrayRef::Local(local);
                Value::View(View {
                    writable: *writable,
                    ..View::whole(base, *dtype, usize::from(*rank), packed)
                })
            }
            ArgumentType::Tuple(items) => {
                let items = items.iter().map(|item| self.argument(name, item, leaf));
                Value::Tuple(items.collect())
            }
            ArgumentType::Items(items) => {
                let items = items.iter().map(|item| self.argument(name, item, leaf));
                Value::Named(list_class(), items.collect())
            }
            ArgumentType::List { dtype, weak } => {
                let local = self.b.local(name, *dtype, 1, Layout::Contiguous);
                let call = Call::Argument { leaf: *leaf, local };
                self.call(call, &[], vec![CallResult::Local(local)]);
                let view = View::whole(ArrayRef::Local(local), *dtype, 1, true);
                let list = self.list_argument(view, *weak);
                if let Value::List(list) = &list {
                    self.program().lists.push((*leaf, *list));
                }
                *leaf += 1;
                list
            }
            ArgumentType::Named(class, items) => {
                let class = self.object_argument(*class);
                let items = items.iter().map(|item| self.argument(name, item, leaf));
                let items = items.collect();
                match class {
                    Value::NamedClass(class) => Value::Named(class, items),
                    _ => Value::Tuple(items),
                }
            }
        }
    }

    fn host_part(&mut self, entry: FunctionId, arguments: &[ArgumentType]) {
        let Some((parsed, file)) = self.parse(entry) else {
            return;
        };
        self.enter(entry, &parsed, file, None, None);
        self.fetch_global_arrays();
        let def = &parsed.def;
        let declared: Vec<_> = def.parameters.iter_non_variadic_params().collect();
        let mut names: Vec<_> = declared
            .iter()
            .map(|parameter| (parameter.name().to_string(), parameter.name().range))
            .collect();
        // Starred arguments come last, as one tuple.
        if let Some(star) = &def.parameters.vararg {
            names.push((star.name.to_string(), star.name.range));
        }
        if names.len() != arguments.len() {
            let diagnostic = self.wrong(
                codes::ARGUMENTS,
                format!(
                    "`{}` takes {} arguments, but {} are given",
                    def.name,
                    names.len(),
                    arguments.len()
                ),
                def.name.range,
                "",
            );
            self.report(diagnostic);
            return;
        }
        let mut leaf = 0;
        for ((name, range), argument) in names.iter().zip(arguments) {
            let site = self.site(*range);
            self.b.site = site;
            let value = self.argument(name, argument, &mut leaf);
            self.remark(*range, name, &value);
            self.bind(name, value, site);
        }
        self.block(&def.body);
        if self.live() {
            self.return_from_program(Value::None, def.name.range);
        }
    }

    /// `return` of the jit function itself.
    pub fn return_from_program(&mut self, value: Value, range: TextRange) {
        if self.level() > 0 {
            self.hinder("it returns from inside the loop");
            self.frame().live = false;
            return;
        }
        if let Some((present, there, absent)) = crate::optional_values::split(&value) {
            let present = self.ir(&present);
            self.b.begin_if(present);
            self.return_from_program(there, range);
            self.b.begin_else();
            self.return_from_program(absent, range);
            self.b.end();
            return;
        }
        let mut words = Vec::new();
        let lists = self.program().lists.clone();
        let value = match lists.is_empty() {
            true => value,
            false => {
                let rest = lists.iter().map(|(_, list)| Value::List(*list));
                Value::Tuple(std::iter::once(value).chain(rest).collect())
            }
        };
        match self.operand_of(&value, &mut words, range) {
            Some(value) => self.call(Call::Return { value }, &words, Vec::new()),
            None if self.diagnostics.is_empty() => {
                let diagnostic = self.wrong(
                    codes::VALUE,
                    "this cannot be computed in a jit function",
                    range,
                    "",
                );
                self.report(diagnostic);
            }
            None => {}
        }
        self.b.push(StatementKind::Return);
        self.frame().live = false;
    }

    /// A value as an operand of a call; its words are put behind the others.
    pub fn operand_of(
        &mut self,
        value: &Value,
        words: &mut Vec<ValueId>,
        range: TextRange,
    ) -> Option<Operand> {
        Some(match value {
            Value::Poison => return None,
            Value::None => Operand::Constant(Captured::None),
            Value::Str(text) => Operand::Constant(Captured::Str(text.clone())),
            Value::Dtype(dtype) => Operand::Constant(Captured::Dtype(*dtype)),
            Value::Ellipsis => Operand::Ellipsis,
            Value::Scalar(scalar) => match constant_operand(scalar) {
                Some(constant) => Operand::Constant(constant),
                None => {
                    let ir = self.ir(scalar);
                    words.extend(crate::regions::words_of(&mut self.b, ir));
                    Operand::Scalar {
                        dtype: scalar.dtype,
                        weak: scalar.weak,
                    }
                }
            },
            Value::Tuple(items) => {
                let items: Option<Vec<_>> = items
                    .iter()
                    .map(|item| self.operand_of(item, words, range))
                    .collect();
                Operand::Tuple(items?)
            }
            Value::Named(class, items) => {
                let items: Option<Vec<_>> = items
                    .iter()
                    .map(|item| self.operand_of(item, words, range))
                    .collect();
                match class.handle {
                    LIST_CLASS => Operand::List(items?),
                    handle => Operand::Named(handle, items?),
                }
            }
            Value::Slice(parts) => {
                let mut given = Vec::new();
                for part in parts.iter() {
                    let part = part.map_or(Value::None, Value::Scalar);
                    given.push(self.operand_of(&part, words, range)?);
                }
                Operand::Slice(given)
            }
            Value::List(list) => {
                let length = self.b.get(list.length);
                words.push(length);
                Operand::Items {
                    local: list.local,
                    weak: list.weak,
                }
            }
            Value::View(_) | Value::Lazy(_) => {
                let stored = self.stored(value);
                let Value::View(view) = stored else {
                    return None;
                };
                Operand::Local(self.local_of(&view)?)
            }
            Value::Builtin(name) if crate::builtins_numpy::dtype_named(name).is_some() => {
                let dtype = crate::builtins_numpy::dtype_named(name)?;
                Operand::Constant(Captured::Dtype(dtype))
            }
            Value::Builtin(name)
                if matches!(
                    name.as_str(),
                    "builtins.int" | "builtins.float" | "builtins.bool" | "builtins.complex"
                ) =>
            {
                let dtype = self.as_dtype_value(value)?;
                Operand::Constant(Captured::Dtype(dtype))
            }
            other => {
                let what = other.describe();
                let diagnostic = self.wrong(
                    codes::VALUE,
                    format!("{what} cannot be used here"),
                    range,
                    format!("this is {what}"),
                );
                self.report(diagnostic);
                return None;
            }
        })
    }

    /// The local that is exactly a view; a new one if the view is part of its base.
    pub fn local_of(&mut self, view: &View) -> Option<LocalId> {
        match view.base {
            ArrayRef::Local(local) if view.is_whole() => Some(local),
            ArrayRef::Local(_) => {
                let layout = Layout::Strided;
                let rank = view.rank() as u8;
                let local = self.b.local("view", view.dtype, rank, layout);
                self.view_into(view, local);
                Some(local)
            }
            _ => {
                self.hinder("it calls a function of arrays that runs on the host");
                None
            }
        }
    }

    /// Makes a local a view.
    pub fn view_into(&mut self, view: &View, local: LocalId) {
        let ArrayRef::Local(from) = view.base else {
            return;
        };
        let mut words = Vec::new();
        let mut axes = Vec::new();
        for axis in &view.axes {
            axes.push(match axis {
                Axis::Fixed(index) => {
                    words.push(self.as_dtype(index, DType::Int64));
                    ViewAxis::Fixed
                }
                Axis::Whole => ViewAxis::Whole,
                Axis::New => ViewAxis::New,
                Axis::Sliced {
                    start,
                    step,
                    length,
                } => {
                    for part in [start, step, length] {
                        words.push(self.as_dtype(part, DType::Int64));
                    }
                    ViewAxis::Sliced
                }
            });
        }
        let call = Call::View {
            from,
            axes,
            free: view.free.clone(),
            local,
        };
        self.call(call, &words, vec![CallResult::Local(local)]);
    }

    /// The array variable of a name.
    pub fn phi_local(&mut self, name: &str, position: usize, view: &View) -> LocalId {
        let frame = self.frame().id;
        let rank = view.free.len() as u8;
        let packed = view.base == ArrayRef::Local(PACKED_PHI);
        let key = (frame, name.to_string(), position, view.dtype, rank, packed);
        if let Some(local) = self.phis.get(&key) {
            return *local;
        }
        let layout = if packed {
            Layout::Contiguous
        } else {
            Layout::Strided
        };
        let shown = name.trim_start_matches('%');
        let local = self.b.local(shown, view.dtype, rank, layout);
        self.mutable.insert(local);
        self.phis.insert(key, local);
        local
    }

    /// Raises if a condition holds.
    pub fn raise_if(&mut self, condition: ValueId, raised: &Raised, range: TextRange) {
        self.b.begin_if(condition);
        self.raise(raised, range);
        self.b.end();
    }

    /// Raises; in a region the item notes it and ends.
    pub fn raise(&mut self, raised: &Raised, range: TextRange) {
        let site = self.site(range);
        self.raise_at(raised, site);
    }

    fn raise_at(&mut self, raised: &Raised, site: Site) {
        if self.level() > 0 {
            self.fail_item(raised, site);
            return;
        }
        let range = TextRange::default();
        let mut words = Vec::new();
        let mut arguments = Vec::new();
        for part in &raised.parts {
            let value = match part {
                Part::Text(text) => Value::Str(text.clone()),
                Part::Number(scalar) => (*scalar).into(),
                Part::Shape(extents) => {
                    Value::Tuple(extents.iter().copied().map(Value::Scalar).collect())
                }
            };
            if let Some(operand) = self.operand_of(&value, &mut words, range) {
                arguments.push(operand);
            }
        }
        let call = Call::Raise {
            class: Exception::Builtin(raised.class.into()),
            arguments,
            joined: true,
            site,
        };
        self.call(call, &words, Vec::new());
        self.b.push(StatementKind::Return);
    }

    fn fail_item(&mut self, raised: &Raised, site: Site) {
        // Numbers of the item are not known outside: the message does without them.
        let parts = raised.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(Part::Text(text.clone())),
            _ => None,
        });
        let plain = Raised {
            class: raised.class,
            parts: parts.collect(),
        };
        self.fail_with(Failing::Check(plain, site));
    }

    /// Ends an item with a failure that the host raises after the launch.
    pub fn fail_with(&mut self, failing: Failing) {
        let Some(region) = &self.region else {
            return;
        };
        let Some(failure) = region.failure else {
            self.hinder("it may raise an exception");
            return;
        };
        let number = self.failures.len() as i64;
        self.failures.push(failing);
        if number >= MOST_FAILURES {
            self.hinder("it raises too many exceptions");
            return;
        }
        let rank = self.b.kernel().rank;
        let mut linear = self.b.index(colocate_ir::IndexFunction::GlobalId, 0);
        for axis in 1..rank {
            let extent = self.b.index(colocate_ir::IndexFunction::GlobalSize, axis);
            let id = self.b.index(colocate_ir::IndexFunction::GlobalId, axis);
            let scaled = self.b.binary(BinaryOp::Multiply, linear, extent);
            linear = self.b.binary(BinaryOp::Add, scaled, id);
        }
        let most = self.b.int64(MOST_FAILURES);
        let scaled = self.b.binary(BinaryOp::Multiply, linear, most);
        let number = self.b.int64(number);
        let code = self.b.binary(BinaryOp::Add, scaled, number);
        self.b.set(failure, code);
        self.b.push(StatementKind::Return);
    }

    /// After a launch: raises what the first failing item noted.
    pub fn raise_failures(&mut self, code: ValueId, failures: &[Failing]) {
        if failures.is_empty() {
            return;
        }
        let none = self.b.int64(i64::MAX);
        let failed = self.b.compare(CompareOp::NotEqual, code, none);
        self.b.begin_if(failed);
        let most = self.b.int64(MOST_FAILURES);
        let which = self.b.binary(BinaryOp::Remainder, code, most);
        for (number, failing) in failures.iter().enumerate() {
            let here = self.b.int64(number as i64);
            let this = self.b.compare(CompareOp::Equal, which, here);
            self.b.begin_if(this);
            match failing {
                Failing::Check(raised, site) => self.raise_at(raised, *site),
                Failing::Statement {
                    class,
                    arguments,
                    site,
                } => {
                    let call = Call::Raise {
                        class: class.clone(),
                        arguments: arguments.clone(),
                        joined: false,
                        site: *site,
                    };
                    self.call(call, &[], Vec::new());
                    self.b.push(StatementKind::Return);
                }
            }
            self.b.end();
        }
        self.b.end();
    }

    /// The shape that arrays have when they are broadcast together. Shapes that do not fit raise
    /// when the program runs.
    pub fn broadcast(&mut self, operands: &[Value], range: TextRange) -> Option<Vec<Scalar>> {
        let shapes: Vec<Vec<Scalar>> = operands
            .iter()
            .filter(|operand| is_array(operand))
            .map(|operand| self.shape_of(operand))
            .collect();
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let mut result: Vec<Option<Scalar>> = vec![None; rank];
        let mut wrong: Option<ValueId> = None;
        for shape in &shapes {
            let first = rank - shape.len();
            for (slot, extent) in result[first..].iter_mut().zip(shape) {
                let Some(known) = *slot else {
                    *slot = Some(*extent);
                    continue;
                };
                if self.same(&known, extent) || extent.as_int() == Some(1) {
                    continue;
                }
                if known.as_int() == Some(1) {
                    *slot = Some(*extent);
                    continue;
                }
                let (a, b) = (self.ir(&known), self.ir(extent));
                let one = self.b.int64(1);
                let differ = self.b.compare(CompareOp::NotEqual, a, b);
                let a_long = self.b.compare(CompareOp::NotEqual, a, one);
                let b_long = self.b.compare(CompareOp::NotEqual, b, one);
                let mut bad = self.b.binary(BinaryOp::BitAnd, differ, a_long);
                bad = self.b.binary(BinaryOp::BitAnd, bad, b_long);
                wrong = Some(match wrong {
                    Some(wrong) => self.b.binary(BinaryOp::BitOr, wrong, bad),
                    None => bad,
                });
                // What is a constant other than 1 is the extent, whatever the other is.
                if known.as_int().is_some() {
                    continue;
                }
                if extent.as_int().is_some() {
                    *slot = Some(*extent);
                    continue;
                }
                let chosen = self.b.select(a_long, a, b);
                *slot = Some(Scalar::int(chosen, Know::NonNegative));
            }
        }
        if let Some(wrong) = wrong {
            let mut parts = vec![Part::Text(
                "operands could not be broadcast together with shapes ".into(),
            )];
            for shape in shapes {
                parts.push(Part::Shape(shape));
                parts.push(Part::Text(" ".into()));
            }
            let raised = Raised {
                class: "ValueError",
                parts,
            };
            self.raise_if(wrong, &raised, range);
        }
        Some(result.into_iter().flatten().collect())
    }

    /// The type of an argument of a library function.
    pub fn library_type(&mut self, value: &Value) -> Option<LibraryType> {
        Some(match value {
            Value::List(list) => LibraryType::Array {
                dtype: list.dtype,
                rank: 1,
            },
            Value::View(view) => LibraryType::Array {
                dtype: view.dtype,
                rank: view.rank() as u8,
            },
            Value::Lazy(lazy) => LibraryType::Array {
                dtype: lazy.dtype,
                rank: lazy.rank() as u8,
            },
            Value::Scalar(scalar) => match constant_operand(scalar) {
                Some(constant) => LibraryType::Constant(constant),
                None => LibraryType::Scalar {
                    dtype: scalar.dtype,
                    weak: scalar.weak,
                },
            },
            Value::None => LibraryType::Constant(Captured::None),
            Value::Str(text) => LibraryType::Constant(Captured::Str(text.clone())),
            Value::Dtype(dtype) => LibraryType::Constant(Captured::Dtype(*dtype)),
            Value::Builtin(_) => {
                LibraryType::Constant(Captured::Dtype(self.as_dtype_value(value)?))
            }
            Value::Ellipsis => LibraryType::Ellipsis,
            Value::Tuple(items) => LibraryType::Tuple(
                items
                    .iter()
                    .map(|item| self.library_type(item))
                    .collect::<Option<_>>()?,
            ),
            Value::Slice(parts) => {
                let parts: Option<Vec<_>> = parts
                    .iter()
                    .map(|part| self.library_type(&part.map_or(Value::None, Value::Scalar)))
                    .collect();
                LibraryType::Slice(parts?)
            }
            _ => return None,
        })
    }

    /// Calls a function of the array library.
    pub fn library(
        &mut self,
        function: &str,
        arguments: &[(Value, TextRange)],
        keywords: &[(String, Value, TextRange)],
        changes: &[Value],
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder(&format!(
                "it calls {}, which runs as a call of its own",
                function.strip_prefix("method.").unwrap_or(function)
            ));
        }
        let mut types = Vec::new();
        let mut named = Vec::new();
        for (value, place) in arguments {
            match self.library_type(value) {
                Some(found) => types.push(found),
                None => return self.no_library_argument(function, value, *place),
            }
        }
        for (name, value, place) in keywords {
            match self.library_type(value) {
                Some(found) => named.push((name.clone(), found)),
                None => return self.no_library_argument(function, value, *place),
            }
        }
        let result = match self.env.library(function, &types, &named) {
            Ok(result) => result,
            Err(why) => {
                let shown = function.replace("method.", "the method ");
                let diagnostic = self
                    .wrong(
                        codes::FUNCTION,
                        format!("`{shown}` does not take these arguments"),
                        range,
                        "",
                    )
                    .note(why);
                return self.report(diagnostic);
            }
        };
        // What it changes is computed before, and what reads it, too.
        if !changes.is_empty() {
            self.flush();
        }
        let mut words = Vec::new();
        let mut given = Vec::new();
        let mut given_keywords = Vec::new();
        let mut changed = Vec::new();
        for (value, place) in arguments {
            let value = &self.settled_list(value);
            let Some(operand) = self.operand_of(value, &mut words, *place) else {
                return Value::Poison;
            };
            if changes.contains(value)
                && let Operand::Local(local) = operand
            {
                changed.push(local);
            }
            given.push(operand);
        }
        for (name, value, place) in keywords {
            let Some(operand) = self.operand_of(value, &mut words, *place) else {
                return Value::Poison;
            };
            if changes.contains(value)
                && let Operand::Local(local) = operand
            {
                changed.push(local);
            }
            given_keywords.push((name.clone(), operand));
        }
        let mut results = Vec::new();
        let mut made = Vec::new();
        let outcome = self.outcome(&result, &mut results, &mut made);
        let call = Call::Library {
            function: function.to_string(),
            arguments: given,
            keywords: given_keywords,
            result: outcome.clone(),
            changes: changed,
        };
        self.call(call, &words, results);
        let mut made = made.into_iter();
        let mut value = self.outcome_value(&result, &mut made);
        let unified = self
            .program
            .as_ref()
            .is_some_and(|state| state.options.unified);
        if !unified && gives_views(function) {
            // Where the host does not reach the memory it is a copy: writing to it would be lost.
            crate::scope::each_view(&mut value, &mut |view| view.writable = false);
        }
        value
    }

    fn no_library_argument(&mut self, function: &str, value: &Value, range: TextRange) -> Value {
        if value.is_poison() {
            return Value::Poison;
        }
        let what = value.describe();
        let diagnostic = self.wrong(
            codes::ARGUMENTS,
            format!("`{function}` does not take {what}"),
            range,
            format!("this is {what}"),
        );
        self.report(diagnostic)
    }

    fn outcome(
        &mut self,
        result: &LibraryType,
        results: &mut Vec<CallResult>,
        made: &mut Vec<Made>,
    ) -> Outcome {
        match result {
            LibraryType::Array { dtype, rank } => {
                let local = self.b.local("result", *dtype, *rank, Layout::Strided);
                results.push(CallResult::Local(local));
                made.push(Made::Local(local));
                Outcome::Local(local)
            }
            LibraryType::Scalar { dtype, .. } => {
                let parts = if dtype.kind() == Kind::Complex { 2 } else { 1 };
                let word = if parts == 2 { DType::Float64 } else { *dtype };
                let variables: Vec<_> = (0..parts)
                    .map(|_| self.b.variable("result", word))
                    .collect();
                results.extend(variables.iter().copied().map(CallResult::Variable));
                made.push(Made::Variables(variables));
                Outcome::Scalar(*dtype)
            }
            LibraryType::Tuple(items) | LibraryType::List(items) => {
                let items = items.iter().map(|item| self.outcome(item, results, made));
                Outcome::Tuple(items.collect())
            }
            _ => Outcome::None,
        }
    }

    fn outcome_value(
        &mut self,
        result: &LibraryType,
        made: &mut dyn Iterator<Item = Made>,
    ) -> Value {
        match result {
            LibraryType::Array { dtype, rank } => match made.next() {
                Some(Made::Local(local)) => Value::View(View::whole(
                    ArrayRef::Local(local),
                    *dtype,
                    usize::from(*rank),
                    false,
                )),
                _ => Value::Poison,
            },
            LibraryType::Scalar { dtype, weak } => match made.next() {
                Some(Made::Variables(variables)) => {
                    let values: Vec<_> = variables.iter().map(|v| self.b.get(*v)).collect();
                    let ir = match (&values[..], dtype) {
                        ([re, im], DType::Complex64) => {
                            let (re, im) = (
                                self.b.convert(*re, DType::Float32),
                                self.b.convert(*im, DType::Float32),
                            );
                            self.b.op(colocate_ir::Op::Complex(re, im))
                        }
                        ([re, im], _) => self.b.op(colocate_ir::Op::Complex(*re, *im)),
                        ([one], _) => *one,
                        _ => return Value::Poison,
                    };
                    Scalar::new(*dtype, *weak, ir).into()
                }
                _ => Value::Poison,
            },
            LibraryType::Tuple(items) | LibraryType::List(items) => {
                let items = items.iter().map(|item| self.outcome_value(item, made));
                Value::Tuple(items.collect())
            }
            LibraryType::Constant(Captured::Str(text)) => Value::Str(text.clone()),
            _ => Value::None,
        }
    }
}

/// Whether a library function gives a view of its argument, in NumPy.
fn gives_views(function: &str) -> bool {
    let name = function.rsplit('.').next().unwrap_or(function);
    function.starts_with("attribute.")
        || matches!(
            name,
            "array_split"
                | "atleast_1d"
                | "atleast_2d"
                | "atleast_3d"
                | "broadcast_to"
                | "diagonal"
                | "dsplit"
                | "hsplit"
                | "moveaxis"
                | "rollaxis"
                | "rot90"
                | "split"
                | "squeeze"
                | "swapaxes"
                | "view"
                | "vsplit"
        )
}

/// What an item of a region may end with.
#[derive(Clone, Debug)]
pub(crate) enum Failing {
    Check(Raised, Site),
    Statement {
        class: Exception,
        arguments: Vec<Operand>,
        site: Site,
    },
}

enum Made {
    Local(LocalId),
    Variables(Vec<colocate_ir::VariableId>),
}

/// A constant as what a call is given.
pub(crate) fn constant_operand(scalar: &Scalar) -> Option<Captured> {
    use crate::value::Constant;
    let constant = scalar.as_constant()?;
    Some(match (constant, scalar.weak) {
        (Constant::Bool(value), true) => Captured::Bool(value),
        (Constant::Int(value), true) if types::is_integer(scalar.dtype) => Captured::Int(value),
        (Constant::Float(value), true) => Captured::Float(value),
        (Constant::Complex(re, im), true) => Captured::Complex(re, im),
        (constant, _) => Captured::NumpyScalar(types::literal(constant, scalar.dtype)),
    })
}

/// The number of what stands for the class of lists.
pub(crate) const LIST_CLASS: u32 = u32::MAX;

/// What a list that does not change is: a tuple that is shown as a list.
pub(crate) fn list_class() -> std::rc::Rc<crate::value::NamedTuple> {
    std::rc::Rc::new(crate::value::NamedTuple {
        handle: LIST_CLASS,
        name: "list".into(),
        fields: Vec::new(),
    })
}

/// A translator of a jit function that has done nothing yet.
fn begin<'e>(
    entry: FunctionId,
    options: &ProgramOptions,
    env: &'e mut dyn Environment,
) -> Translator<'e> {
    let name = crate::translate::identifier(&env.function(entry).name);
    let mut builder = KernelBuilder::new(&name, 1, KernelKind::Host);
    builder.kernel_mut().fast_math = options.fast_math;
    builder.param("callback", ParamKind::Scalar(DType::UInt64));
    builder.param("context", ParamKind::Scalar(DType::UInt64));
    let kernel_options = crate::Options {
        rank: 1,
        grouped: false,
        fast_math: options.fast_math,
    };
    let mut translator = Translator::new(env, builder, kernel_options);
    translator.program = Some(ProgramState {
        calls: Vec::new(),
        regions: Vec::new(),
        notes: Vec::new(),
        options: options.clone(),
        lists: Vec::new(),
    });
    translator
}

/// Translates a jit function; see [`crate::compile_program`].
pub(crate) fn compile(
    entry: FunctionId,
    arguments: &[ArgumentType],
    options: &ProgramOptions,
    env: &mut dyn Environment,
) -> Result<Program, Failure> {
    let mut list_types = HashMap::new();
    let mut global_arrays = Vec::new();
    let mut attempts = 0;
    let mut translator = loop {
        let mut translator = begin(entry, options, env);
        translator.list_types = list_types;
        translator.global_arrays = global_arrays;
        translator.host_part(entry, arguments);
        attempts += 1;
        if !translator.again || attempts > MOST_ATTEMPTS {
            if translator.again {
                let diagnostic = crate::Diagnostic::new(
                    codes::CONFLICT,
                    "the types of the lists in this function do not settle",
                );
                translator.report(diagnostic);
            }
            break translator;
        }
        list_types = std::mem::take(&mut translator.list_types);
        global_arrays = std::mem::take(&mut translator.global_arrays);
    };
    translator.b.site = Site::default();
    let Translator {
        b,
        files,
        diagnostics,
        remarks,
        captured,
        program,
        host_functions,
        changed_lists,
        ..
    } = translator;
    if !diagnostics.is_empty() {
        return Err(Failure { diagnostics, files });
    }
    let mut state = program.expect("it was put there");
    let updates: Vec<_> = state
        .lists
        .iter()
        .map(|(leaf, list)| crate::program::Update {
            leaf: *leaf,
            changed: changed_lists.contains(&list.local),
        })
        .collect();
    // What was not changed need not come back; its length is a word all the same.
    for call in &mut state.calls {
        if let Call::Return {
            value: Operand::Tuple(parts),
        } = call
            && !updates.is_empty()
        {
            for (update, part) in updates.iter().zip(&mut parts[1..]) {
                if !update.changed {
                    *part = Operand::Scalar {
                        dtype: DType::Int64,
                        weak: true,
                    };
                }
            }
        }
    }
    let mut host = b.finish();
    host.functions = host_functions.into_iter().flatten().collect();
    let mut program = Program {
        host,
        calls: state.calls,
        regions: state.regions,
        listing: listing::write(&files, &remarks),
        files,
        captured,
        notes: state.notes,
        updates,
    };
    if !options.unified {
        crate::transfers::insert(&mut program);
    }
    Ok(program)
}

/// The array that stands for one or the other of two.
pub(crate) fn phi(a: &View, b: &View) -> Option<View> {
    let local = |view: &View| matches!(view.base, ArrayRef::Local(_));
    if !local(a) || !local(b) || a.dtype != b.dtype || a.rank() != b.rank() {
        return None;
    }
    let packed = |view: &View| view.packed && view.is_whole();
    let both = packed(a) && packed(b);
    let base = if both { PACKED_PHI } else { ANY_PHI };
    Some(View {
        writable: a.writable && b.writable,
        ..View::whole(ArrayRef::Local(base), a.dtype, a.rank(), both)
    })
}

/// Key of an array variable: frame, name, position, dtype, rank, whether it has no gaps.
pub(crate) type PhiKey = (u32, String, usize, DType, u8, bool);
pub(crate) type Phis = HashMap<PhiKey, LocalId>;
pub(crate) type Mutable = HashSet<LocalId>;
