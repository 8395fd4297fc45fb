//! The host part of a jit function: how it begins and ends, its results, and the operands of its calls.

use crate::host::learned::Learned;
use crate::objects::classes::is_class;
use crate::program::{Call, Note, Operand, Program, ProgramOptions, Region, ViewAxis};
use crate::translate::Translator;
use crate::types;
use crate::value::{Axis, Scalar, Value, View};
use crate::{ArgumentType, Captured, Environment, Failure, FunctionId, codes, listing};
use colocate_diag::Site;
use colocate_ir::{
    ArrayRef, CallResult, DType, KernelBuilder, KernelKind, Layout, LocalId, ParamKind,
    StatementKind, ValueId,
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
    pub lists: Vec<(usize, Value)>,
    /// Calls whose failure the host part sees.
    pub guarded: Vec<usize>,
    /// Arguments in Fortran order, by the arrays that are their memory in C order.
    pub turned: HashMap<LocalId, LocalId>,
    /// Arguments in Fortran order of which a device has a copy in C order.
    pub fortran: HashSet<LocalId>,
    /// Whether it depends on extents that are not known how many axes an array has.
    pub wants_ones: bool,
    /// Whether something that Python holds has a float as its index.
    pub indexes_by_float: bool,
}

/// How often a function is translated again because a list holds other items than was assumed.
pub(crate) const MOST_ATTEMPTS: usize = 150;

/// Nobody writes lists whose items are nested more deeply.
const DEEPEST_ITEM: usize = 16;

/// The number of what stands for the class of lists.
pub const LIST_CLASS: u32 = u32::MAX;

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
        // Starred arguments come last, as one tuple, and one dictionary.
        if let Some(star) = &def.parameters.vararg {
            names.push((star.name.to_string(), star.name.range));
        }
        if let Some(double) = &def.parameters.kwarg {
            names.push((double.name.to_string(), double.name.range));
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
            let value = match (&def.parameters.kwarg, value) {
                (Some(double), Value::Named(class, items)) if double.name.as_str() == name => {
                    let named = class.fields.iter().cloned().zip(items);
                    let named = named.map(|(name, value)| (name, value, *range)).collect();
                    self.keywords_given(named, &def.body, double, *range)
                }
                (_, value) => value,
            };
            self.remark(*range, name, &value);
            self.given_values.push(value.clone());
            self.bind(name, value, site);
        }
        self.share_like_attributes();
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
        if !self.live() && value.has_poison() {
            // What was to be returned always raises.
            return;
        }
        if let Some((present, there, absent)) = crate::objects::optional_values::split(&value) {
            let present = self.ir(&present);
            self.b.begin_if(present);
            self.return_from_program(there, range);
            self.b.begin_else();
            self.return_from_program(absent, range);
            self.b.end();
            return;
        }
        // An int or a float, as the way that was taken gives it.
        let value = self.shown(&value, range);
        let value = self.with_attributes(value);
        let value = self.with_classes(value, range);
        if self.is_copy_returned(&value, range) {
            return;
        }
        self.compute_all(&value);
        let mut words = Vec::new();
        let lists = self.program().lists.clone();
        let value = match lists.is_empty() {
            true => value,
            false => {
                let rest = lists.into_iter().map(|(_, list)| list);
                Value::Tuple(std::iter::once(value).chain(rest).collect())
            }
        };
        match self.operand_of(&value, &mut words, range) {
            Some(mut value) => {
                let lists = self.program().lists.clone();
                if let (false, Operand::Tuple(parts)) = (lists.is_empty(), &mut value) {
                    given_back(&mut parts[0], &lists);
                }
                self.call(Call::Return { value }, &words, Vec::new());
            }
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

    /// What the lists among the arguments hold where an exception ends the host part, which its caller sees; their words
    /// are put behind the others. Functions of the host part do not know it.
    pub fn lists_at_raise(&mut self, words: &mut Vec<ValueId>) -> Vec<Operand> {
        if !self.gives_lists_back() {
            return Vec::new();
        }
        let lists = self.program().lists.clone();
        lists
            .iter()
            .filter_map(|(_, list)| self.operand_of(list, words, TextRange::default()))
            .collect()
    }

    /// Whether lists of the caller's are to hold, when an exception ends the host part, what they hold here.
    pub fn gives_lists_back(&mut self) -> bool {
        self.level() == 0 && self.function_base == 0 && !self.program().lists.is_empty()
    }

    /// What is returned, with functions and classes as the caller knows them: to functions of the library, the classes
    /// of numbers are dtypes.
    fn with_classes(&mut self, value: Value, range: TextRange) -> Value {
        match value {
            Value::Builtin(_) => match self.named_object(&value, range) {
                Some(object) => Value::Object(object),
                None => value,
            },
            Value::Tuple(items) => {
                let items = items.into_iter();
                Value::Tuple(items.map(|item| self.with_classes(item, range)).collect())
            }
            other => other,
        }
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
            Value::Object(object) => {
                words.push(self.ir(&object.handle));
                Operand::Object
            }
            Value::Scalar(scalar) => match constant_operand(scalar) {
                Some(constant) => Operand::Constant(constant),
                None => {
                    let ir = self.ir(scalar);
                    words.extend(crate::arrays::regions::words_of(&mut self.b, ir));
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
            Value::Named(class, items) if class.handle == crate::host::trying::EXCEPTION_CLASS => {
                return self.operand_of(items.get(1)?, words, range);
            }
            Value::Named(class, _) if class.handle == crate::objects::tables::TABLE => {
                let dictionary = self.dictionary_of_table(value.clone(), range);
                return self.operand_of(&dictionary, words, range);
            }
            // One that the program made is its attributes, unless it was taken out of a container.
            Value::Named(class, items)
                if class.is_instance
                    && (items.len() > class.fields.len()
                        || !self.made_classes.contains_key(&class.handle)) =>
            {
                let handle = self.handle_of_instance(value)?;
                return self.operand_of(&handle, words, range);
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
                self.note_leaving(value);
                let length = self.b.get(list.length);
                words.push(length);
                Operand::Items {
                    local: list.local,
                    weak: list.weak,
                }
            }
            Value::Held(held) => {
                self.note_leaving(value);
                words.push(self.ir(&held.number));
                Operand::Held(held.item.for_runtime())
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
            Value::Builtin(name) if name.starts_with("builtins.") && is_class(value) => {
                Operand::Constant(Captured::Builtin(name.clone()))
            }
            Value::Module { .. }
            | Value::Function(_)
            | Value::Closure(_)
            | Value::Choice(..)
            | Value::Builtin(_)
            | Value::Limits(_)
                if self.level() == 0 =>
            {
                let known = self.diagnostics.len();
                let object = self.named_object(value, range);
                if self.diagnostics.len() > known {
                    return None;
                }
                let Some(object) = object else {
                    let what = value.describe();
                    let diagnostic = self.wrong(
                        codes::VALUE,
                        format!("{what} cannot be used here"),
                        range,
                        format!("this is {what}"),
                    );
                    self.report(diagnostic);
                    return None;
                };
                words.push(self.ir(&object.handle));
                Operand::Object
            }
            other => {
                let what = other.describe();
                let diagnostic = self
                    .wrong(
                        codes::VALUE,
                        format!("{what} cannot be used here"),
                        range,
                        format!("this is {what}"),
                    )
                    .help("use arrays, numbers, strings, None, and tuples and lists of them");
                self.report(diagnostic);
                return None;
            }
        })
    }

    /// The argument that a view of the whole is.
    pub fn argument_local(&mut self, view: &View) -> Option<LocalId> {
        let ArrayRef::Local(local) = view.base else {
            return None;
        };
        if view.is_whole() {
            return Some(local);
        }
        let back = view.is_turned() && view.free.iter().rev().copied().eq(0..view.rank());
        self.program().turned.get(&local).copied().filter(|_| back)
    }

    /// The local that is exactly a view; a new one if the view is part of its base.
    pub fn local_of(&mut self, view: &View) -> Option<LocalId> {
        match view.base {
            ArrayRef::Local(local) if view.is_whole() => Some(local),
            ArrayRef::Local(_) if self.argument_local(view).is_some() => self.argument_local(view),
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

    /// One element as an array without axes, which shares its memory.
    pub fn without_axes(&mut self, element: &View) -> Value {
        let Some(local) = self.local_of(element) else {
            return Value::Poison;
        };
        Value::View(View {
            writable: element.writable,
            ..View::whole(ArrayRef::Local(local), element.dtype, 0, false)
        })
    }

    /// Makes a local a view.
    pub fn view_into(&mut self, view: &View, local: LocalId) {
        let ArrayRef::Local(from) = view.base else {
            return;
        };
        if self.copies_of_dtypes.contains(&from) {
            self.copies_of_dtypes.insert(local);
        }
        if self.copies_on_devices.contains(&from) {
            self.copies_on_devices.insert(local);
        }
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
}

/// Lists among the arguments that are returned are those of the caller.
fn given_back(operand: &mut Operand, lists: &[(usize, Value)]) {
    match operand {
        Operand::Items { local, .. } => {
            let mut leaves = lists.iter().filter_map(|(leaf, list)| match list {
                Value::List(list) if list.local == *local => Some(*leaf),
                _ => None,
            });
            if let Some(leaf) = leaves.next() {
                *operand = Operand::ListArgument(leaf);
            }
        }
        Operand::Tuple(items) | Operand::List(items) | Operand::Named(_, items) => {
            items.iter_mut().for_each(|item| given_back(item, lists));
        }
        _ => {}
    }
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

/// What a list that does not change is: a tuple that is shown as a list.
pub(crate) fn list_class(
    list: Option<crate::objects::items::ListKey>,
) -> std::rc::Rc<crate::value::NamedTuple> {
    std::rc::Rc::new(crate::value::NamedTuple {
        handle: LIST_CLASS,
        name: "list".into(),
        fields: Vec::new(),
        list,
        own_axes: None,
        is_instance: false,
    })
}

/// A translator of a jit function that has done nothing yet.
pub(crate) fn begin<'e>(
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
        guarded: Vec::new(),
        turned: HashMap::new(),
        fortran: HashSet::new(),
        wants_ones: false,
        indexes_by_float: false,
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
    let mut learned = Learned::default();
    let mut attempts = 0;
    let mut translator = loop {
        let mut translator = begin(entry, options, env);
        learned.give_to(&mut translator);
        translator.host_part(entry, arguments);
        translator.again |= translator.read_unknown;
        if !translator.again && translator.diagnostics.is_empty() {
            translator.turn_mixed_lists();
        }
        attempts += 1;
        let refused = !translator.again && !translator.diagnostics.is_empty();
        // Objects that know one another by lists have types without an end, if they are the sum of their parts.
        let mut lists = translator.list_types.values();
        let endless = translator.again && lists.any(|item| item.is_deeper_than(DEEPEST_ITEM));
        let needed =
            (refused || endless) && translator.made_variables || translator.wants_objects_in_python;
        if needed && !translator.objects_in_python {
            // Objects that are variables of the function cannot be everywhere; Python's own can.
            learned = Learned::default();
            learned.objects_in_python = true;
            attempts = 0;
            continue;
        }
        if refused && attempts <= MOST_ATTEMPTS {
            let looser = translator.wants_loosely && !learned.loosely;
            learned.loosely |= looser;
            translator.again |= translator.widen_containers() | looser;
        }
        if !translator.again || attempts > MOST_ATTEMPTS {
            if translator.again {
                let diagnostic = crate::Diagnostic::new(
                    codes::CONFLICT,
                    "the types of the lists in this function do not settle",
                );
                translator.report(diagnostic);
            }
            if let (Some(site), true) = (translator.left_out, translator.diagnostics.is_empty()) {
                let text = "this cannot be compiled together with the rest of the function";
                let diagnostic = crate::Diagnostic::new(codes::VALUE, text)
                    .at(site.file as usize, site.span, "")
                    .help("give parts of the function a function of their own");
                translator.report(diagnostic);
            }
            break translator;
        }
        learned.take_from(&mut translator);
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
        held_changes,
        loosely,
        object_types,
        ..
    } = translator;
    if !diagnostics.is_empty() {
        return Err(Failure { diagnostics, files });
    }
    let mut state = program.expect("it was put there");
    if loosely || object_types.values().any(|kind| kind.has_anything()) {
        state.notes.push(crate::program::Note {
            site: Site::default(),
            text: "what holds now one type, now another is an object of Python's: each use of it is a call into Python"
                .into(),
        });
    }
    let updates: Vec<_> = state
        .lists
        .iter()
        .map(|(leaf, list)| crate::program::Update {
            leaf: *leaf,
            changed: match list {
                Value::List(list) => changed_lists.contains(&list.local),
                _ => held_changes,
            },
        })
        .collect();
    // What was not changed need not come back; its length is a word all the same.
    for call in &mut state.calls {
        let parts = match call {
            Call::Return {
                value: Operand::Tuple(parts),
            } if !updates.is_empty() => &mut parts[1..],
            Call::Raise { lists, .. } => &mut lists[..],
            _ => continue,
        };
        for (update, part) in updates.iter().zip(parts) {
            if !update.changed {
                *part = Operand::Scalar {
                    dtype: DType::Int64,
                    weak: true,
                };
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
        guarded: state.guarded,
        wants_ones: state.wants_ones,
        indexes_by_float: state.indexes_by_float,
        is_repeatable: false,
    };
    program.is_repeatable = crate::host::repeatable::is_repeatable(&program);
    crate::host::launch_fusion::fuse(&mut program);
    if !options.unified {
        crate::host::transfers::insert(&mut program);
    }
    colocate_ir::loop_versions::version_loops(&mut program.host);
    Ok(program)
}
