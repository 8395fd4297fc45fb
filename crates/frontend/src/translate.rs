//! The state of a translation, its beginning and its end.

use crate::objects::generator_expressions::replace_generator_expressions;
use crate::parse::{self, Parsed};
use crate::scope::{Binding, Scope};
use crate::value::{Axis, Scalar, Value, View};
use crate::{
    ArgumentType, Captured, Compiled, Diagnostic, Environment, Failure, FunctionId, Options,
    SourceFile, codes, listing, syntax,
};
use colocate_diag::Site;
use colocate_ir::{
    ArrayRef, DType, KernelBuilder, KernelKind, Mark, ParamKind, ValueId, VariableId,
};
use ruff_text_size::TextRange;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Everything that grows while a kernel is translated.
pub(crate) struct Translator<'e> {
    pub env: &'e mut dyn Environment,
    pub b: KernelBuilder,
    pub options: Options,
    pub files: Vec<SourceFile>,
    pub diagnostics: Vec<Diagnostic>,
    /// Variables that a diagnostic, by its number, says to have incompatible types, by their frames.
    pub told_conflicts: Vec<(usize, u32, String, Binding)>,
    /// The functions being translated, the kernel first.
    pub frames: Vec<Frame>,
    /// The IR variables of leaves: frame, name, position of the leaf, dtype.
    pub variables: crate::scope::Variables,
    /// What the listing says.
    pub remarks: Vec<listing::Remark>,
    pub captured: Vec<(FunctionId, String, Captured)>,
    pub parsed: HashMap<FunctionId, (Rc<Parsed>, usize)>,
    /// How deep in expressions and statements the walk is.
    pub depth: usize,
    pub fresh: u32,
    /// Present while a jit function is translated.
    pub program: Option<crate::host::part::ProgramState>,
    /// The region being built.
    pub region: Option<Box<crate::arrays::regions::RegionState>>,
    /// Lazy arrays that have a place now, in order.
    pub computed: Vec<Rc<crate::arrays::lazy::Lazy>>,
    /// The array variables of names.
    pub phis: crate::host::array_variables::Phis,
    /// Arrays that may become others.
    pub mutable: crate::host::array_variables::Mutable,
    /// What the extents of arrays are known to be.
    pub shapes: HashMap<colocate_ir::LocalId, Vec<crate::arrays::lazy::Root>>,
    /// Variables that get a value only once, and the value.
    pub constant_variables: HashMap<VariableId, ValueId>,
    /// Extents that others were broadcast to.
    pub broadcasts: HashSet<colocate_ir::ValueId>,
    /// What is known of the counters of loops: first number, one beyond the last.
    pub counters: HashMap<VariableId, (Scalar, Scalar)>,
    /// What items of the region being built may fail with.
    pub failures: Vec<crate::host::failures::Failing>,
    /// Functions of the host part, by number; absent while they are being translated.
    pub host_functions: Vec<Option<colocate_ir::Kernel>>,
    pub recursive: crate::host::recursion::Known,
    /// Functions that call themselves by way of Python.
    pub called: crate::host::called_functions::Called,
    /// How many frames there were when the function being translated on its own was entered.
    pub function_base: usize,
    /// Whether only the type of what a function gives is looked for, which is not known yet.
    pub guessing: bool,
    /// Functions inside functions: the function whose surroundings are theirs.
    pub nested: HashMap<FunctionId, FunctionId>,
    /// What lists hold, by where they are made.
    pub list_types: HashMap<crate::objects::items::ListKey, crate::objects::items::Item>,
    /// Lists that the runtime holds, by where they are made.
    pub held_lists: HashSet<crate::objects::items::ListKey>,
    /// Lists that are written down and change later.
    pub changing_lists: HashSet<crate::objects::items::ListKey>,
    /// Lists that are Python's own, by where they are made.
    pub python_lists: HashSet<crate::objects::items::ListKey>,
    /// Lists made here of whose items nothing is known.
    pub open_lists: HashSet<crate::objects::items::ListKey>,
    /// Whether something was read of which nothing is known yet, so that all is to be translated again.
    pub read_unknown: bool,
    /// Whether the translation before found out nothing new, so that what is not known is guessed.
    pub settling: bool,
    /// How many loops are gone through to find out what variables become that are None before.
    pub guessed_loops: usize,
    /// Lists among the arguments.
    pub argument_lists: HashSet<crate::objects::items::ListKey>,
    /// Those of them that are empty when the function is called.
    pub empty_lists: HashSet<crate::objects::items::ListKey>,
    /// What the arguments of the jit function were, in their order.
    pub given_values: Vec<Value>,
    /// Lists that were read before anything was known of their items.
    pub read_open: HashSet<crate::objects::items::ListKey>,
    /// The kinds of numbers that are put into lists as new items.
    pub added_kinds: HashMap<crate::objects::items::ListKey, u8>,
    /// What containers would hold that were refused more than they hold, and lists that would have to be Python's for it.
    pub wider_containers: Vec<(crate::objects::items::ListKey, crate::program::ObjectType)>,
    pub wider_lists: Vec<crate::objects::items::ListKey>,
    /// Whether what may be of several types is anything, and whether something was refused that would be compiled so.
    pub loosely: bool,
    pub wants_loosely: bool,
    /// Lists that leave the function.
    pub leaving_lists: Vec<crate::objects::items::ListKey>,
    /// Whether some list that the runtime holds may change.
    pub held_changes: bool,
    /// Tells lists apart that stand for the same place of the program.
    pub list_salt: u32,
    /// An expression without a value, of which no diagnostic tells.
    pub left_out: Option<Site>,
    /// The calls whose results become floats at once.
    pub float_calls: Vec<Site>,
    /// How often what is translated now is written out, because loops around it are.
    pub copies: usize,
    /// Whether objects that the function makes are Python's own, and not variables.
    pub objects_in_python: bool,
    /// Whether some of them are variables.
    pub made_variables: bool,
    /// Whether one of those would be there twice.
    pub wants_objects_in_python: bool,
    /// Whether items are put into a list that is repeated.
    pub repeating: bool,
    /// Whether an array expression may read the memory of a list.
    pub list_memory_read: bool,
    /// How many calls that give objects were written.
    pub objects_made: usize,
    /// Loops whose turns make objects, by file and place.
    pub object_loops: HashSet<(u32, u32)>,
    /// What containers hold, by where they are made.
    pub object_types: HashMap<crate::objects::items::ListKey, crate::program::ObjectType>,
    /// The attributes that are assigned to.
    pub changed_attributes: crate::objects::changed_attributes::ChangedAttributes,
    /// Where the containers that such attributes hold were made.
    pub attribute_origins: HashMap<(String, String), Rc<[crate::objects::python_objects::Origin]>>,
    /// The `try` statements whose bodies are being translated, the innermost last.
    pub tries: Vec<crate::host::trying::Trying>,
    /// How many calls were translated in place since the first mistake was found.
    pub calls_after_mistake: usize,
    /// How exceptions were made that are known by a handle.
    pub made_exceptions: crate::objects::own_exceptions::MadeExceptions,
    /// Whether calls of Python functions are known not to fail.
    pub certain: bool,
    /// Loops over generators whose statements are being translated, the innermost last.
    pub generating: Vec<crate::host::generators::Generating>,
    /// The handlers that are being translated, the innermost last.
    pub handling: Vec<crate::host::trying::Handling>,
    /// Lists that the program changes.
    pub changed_lists: HashSet<colocate_ir::LocalId>,
    /// Arrays outside the function that it reads, and the locals that they are.
    pub global_arrays: Vec<crate::arrays::global_arrays::GlobalArray>,
    /// Classes whose objects have attributes that are assigned to after `__init__`, as namespaces.
    pub changing_classes: HashSet<u32>,
    /// Where numbers meet of which one is an int and one a float, and which of these places show them.
    pub meetings: Vec<crate::objects::shown_numbers::Meeting>,
    pub shown_numbers: HashSet<(u32, u32)>,
    /// The namespaces of classes whose objects are their attributes, by number.
    pub made_classes: HashMap<u32, u32>,
    /// What variables are from their beginning, by their name and where a function was written that changes them.
    pub widened: HashMap<((u32, u32), String), Value>,
    /// Variables that are an integer that none holds on some way: frame, name, position of the leaf.
    pub huge_variables: HashSet<(u32, String, usize)>,
    /// The dtypes of arrays that the function writes to, of what is copied because its dtype depends on the path
    /// taken, and the array variables that hold such copies.
    pub written_dtypes: HashSet<DType>,
    pub copied_dtypes: HashSet<DType>,
    pub copies_of_dtypes: HashSet<colocate_ir::LocalId>,
    /// Locals that are copies, on a device, of arrays in objects of Python's.
    pub copies_on_devices: HashSet<colocate_ir::LocalId>,
    /// Whether that turned out to be too narrow, so that all is to be translated again.
    pub again: bool,
}

/// A function being translated.
pub(crate) struct Frame {
    pub id: u32,
    pub function: FunctionId,
    pub name: String,
    pub file: usize,
    pub shift: u32,
    /// All names the function assigns to.
    pub locals: HashSet<String>,
    pub scope: Scope,
    /// Whether this point can be reached.
    pub live: bool,
    pub loops: Vec<crate::loops::Loop>,
    /// How it returns; absent in the kernel itself.
    pub returns: Option<crate::inline::Returns>,
    pub called_at: Option<Site>,
    /// Locals that were read while they had no value.
    pub unbound_reads: HashSet<String>,
    /// Which names may still be read; absent in kernels.
    pub liveness: Option<Rc<crate::host::liveness::Liveness>>,
    /// Where the statement begins that is being translated or was last.
    pub statement: u32,
    /// Whether it is finished.
    pub statement_done: bool,
    /// Where the statements around it begin, and itself.
    pub open: Vec<u32>,
    /// Names that it declares to be those of a function around it.
    pub nonlocals: Rc<HashSet<String>>,
    /// Names that get a value exactly once, outside of loops.
    pub once: Rc<HashSet<String>>,
    /// In a function that is called: names that may be read before they have a value, and whose they are.
    pub may_be_unset: HashMap<String, crate::unset_variables::Owner>,
    /// Names that it deletes somewhere.
    pub deleted: Rc<HashSet<String>>,
    /// What it was defined with, if it is a function inside another.
    pub closure: Option<Rc<crate::host::nested_functions::Closure>>,
}

/// A point to go back to.
pub(crate) struct Checkpoint {
    mark: Mark,
    variables: usize,
    diagnostics: usize,
    remarks: usize,
    locals: usize,
    values: usize,
    calls: usize,
    regions: usize,
    notes: usize,
    /// How many functions of the host part there were.
    functions: usize,
    computed: usize,
    failures: usize,
    raises: Vec<usize>,
    left_out: Option<Site>,
}

/// Deeper than any program that people write.
const MOST_DEPTH: usize = 1500;

impl<'e> Translator<'e> {
    /// Nothing translated yet.
    pub fn new(env: &'e mut dyn Environment, b: KernelBuilder, options: Options) -> Translator<'e> {
        Translator {
            env,
            b,
            options,
            files: Vec::new(),
            diagnostics: Vec::new(),
            told_conflicts: Vec::new(),
            frames: Vec::new(),
            variables: HashMap::new(),
            remarks: Vec::new(),
            captured: Vec::new(),
            parsed: HashMap::new(),
            depth: 0,
            fresh: 0,
            program: None,
            region: None,
            computed: Vec::new(),
            phis: HashMap::new(),
            mutable: HashSet::new(),
            shapes: HashMap::new(),
            constant_variables: HashMap::new(),
            broadcasts: HashSet::new(),
            counters: HashMap::new(),
            failures: Vec::new(),
            host_functions: Vec::new(),
            recursive: Vec::new(),
            function_base: 0,
            called: Default::default(),
            open_lists: HashSet::new(),
            argument_lists: HashSet::new(),
            given_values: Vec::new(),
            empty_lists: HashSet::new(),
            read_unknown: false,
            settling: false,
            guessed_loops: 0,
            guessing: false,
            nested: HashMap::new(),
            list_types: HashMap::new(),
            held_lists: HashSet::new(),
            changing_lists: HashSet::new(),
            python_lists: HashSet::new(),
            widened: HashMap::new(),
            changing_classes: HashSet::new(),
            meetings: Vec::new(),
            shown_numbers: HashSet::new(),
            made_classes: HashMap::new(),
            read_open: HashSet::new(),
            added_kinds: HashMap::new(),
            wider_containers: Vec::new(),
            wider_lists: Vec::new(),
            loosely: false,
            wants_loosely: false,
            leaving_lists: Vec::new(),
            held_changes: false,
            list_salt: 0,
            left_out: None,
            float_calls: Vec::new(),
            copies: 1,
            objects_in_python: false,
            made_variables: false,
            wants_objects_in_python: false,
            repeating: false,
            list_memory_read: false,
            object_types: HashMap::new(),
            changed_attributes: HashMap::new(),
            attribute_origins: HashMap::new(),
            objects_made: 0,
            object_loops: HashSet::new(),
            changed_lists: HashSet::new(),
            global_arrays: Vec::new(),
            tries: Vec::new(),
            calls_after_mistake: 0,
            made_exceptions: Default::default(),
            handling: Vec::new(),
            generating: Vec::new(),
            certain: false,
            huge_variables: HashSet::new(),
            written_dtypes: HashSet::new(),
            copied_dtypes: HashSet::new(),
            copies_of_dtypes: HashSet::new(),
            copies_on_devices: HashSet::new(),
            again: false,
        }
    }

    pub fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the kernel's frame stays")
    }

    pub fn scope(&mut self) -> &mut Scope {
        &mut self.frame().scope
    }

    pub fn live(&mut self) -> bool {
        self.frame().live
    }

    /// The place in the text of a place in the tree.
    pub fn site(&mut self, range: TextRange) -> Site {
        let frame = self.frame();
        Site {
            file: frame.file as u32,
            span: parse::span(range, frame.shift),
        }
    }

    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            mark: self.b.mark(),
            variables: self.b.kernel().variables.len(),
            diagnostics: self.diagnostics.len(),
            remarks: self.remarks.len(),
            locals: self.b.kernel().locals.len(),
            values: self.b.kernel().values.len(),
            calls: self.program.as_ref().map_or(0, |state| state.calls.len()),
            regions: self.program.as_ref().map_or(0, |state| state.regions.len()),
            notes: self.program.as_ref().map_or(0, |state| state.notes.len()),
            computed: self.computed.len(),
            failures: self.failures.len(),
            functions: self.host_functions.len(),
            raises: self.raises_so_far(),
            left_out: self.left_out,
        }
    }

    /// Whether elements of arrays may have been written since.
    pub fn writes_since(&self, from: &Checkpoint) -> bool {
        self.b.writes_since(from.mark)
    }

    /// Whether what was translated since does no harm where it is not needed: it raises nothing, and
    /// changes nothing.
    pub fn is_harmless_since(&self, from: &Checkpoint) -> bool {
        !self.is_program() || self.b.only_values_since(from.mark)
    }

    pub fn rewind(&mut self, to: &Checkpoint) {
        self.b.rewind(to.mark);
        self.variables
            .retain(|_, variable| variable.index() < to.variables);
        self.forget_diagnostics(to.diagnostics);
        self.remarks.truncate(to.remarks);
        self.constant_variables
            .retain(|variable, value| variable.index() < to.variables && value.index() < to.values);
        self.broadcasts.retain(|value| value.index() < to.values);
        self.counters
            .retain(|variable, _| variable.index() < to.variables);
        self.failures.truncate(to.failures);
        self.left_out = to.left_out;
        self.forget_raises(&to.raises);
        if let Some(region) = &mut self.region {
            region.forget_elements(to.values);
        }
        self.forget_spare_numbers();
        // In regions and functions on their own, locals and lazy arrays are those of the host part still.
        if self.region.is_none() && self.function_base == 0 {
            self.phis.retain(|_, local| local.index() < to.locals);
            self.mutable.retain(|local| local.index() < to.locals);
            self.shapes.retain(|local, _| local.index() < to.locals);
            // What was computed meanwhile has no place any more, wherever it is known by now.
            for lazy in self.computed.split_off(to.computed) {
                let Some(place) = lazy.stored.borrow_mut().take() else {
                    continue;
                };
                for frame in &mut self.frames {
                    for binding in frame.scope.values_mut() {
                        crate::arrays::fusion::unsettle(&mut binding.value, &place, &lazy);
                    }
                }
            }
        }
        if let Some(state) = &mut self.program {
            state.calls.truncate(to.calls);
            state.guarded.retain(|call| *call < to.calls);
            state.regions.truncate(to.regions);
            state.notes.truncate(to.notes);
        }
        // They name calls that are forgotten.
        self.forget_functions(to.functions);
    }

    /// Forgets all diagnostics but the first ones. Variables that were told to have incompatible types have them still.
    pub fn forget_diagnostics(&mut self, kept: usize) {
        self.diagnostics.truncate(kept);
        while let Some((_, frame, name, binding)) =
            self.told_conflicts.pop_if(|(told, ..)| *told >= kept)
        {
            let mut frames = self.frames.iter_mut();
            let known = frames.find(|one| one.id == frame);
            if let Some(now) = known.and_then(|one| one.scope.get_mut(&name))
                && now.value.is_poison()
            {
                *now = binding;
            }
        }
    }

    /// A number that was not given before.
    pub fn fresh(&mut self) -> u32 {
        self.fresh += 1;
        self.fresh
    }

    /// A diagnostic at a place of the tree.
    pub fn wrong(
        &mut self,
        code: &'static str,
        message: impl Into<String>,
        range: TextRange,
        label: impl Into<String>,
    ) -> Diagnostic {
        let site = self.site(range);
        Diagnostic::new(code, message).at(site.file as usize, site.span, label)
    }

    /// Keeps a diagnostic; the value stands for what could not be computed.
    pub fn report(&mut self, mut diagnostic: Diagnostic) -> Value {
        if self.is_program() {
            diagnostic = in_jit_functions(diagnostic);
        }
        for site in self.frames.iter().rev().filter_map(|frame| frame.called_at) {
            diagnostic = diagnostic.at(site.file as usize, site.span, "called here");
        }
        let known = self.diagnostics.iter().any(|other| {
            other.code == diagnostic.code
                && other.message == diagnostic.message
                && other.labels.first() == diagnostic.labels.first()
        });
        if !known {
            self.diagnostics.push(diagnostic);
        }
        Value::Poison
    }

    /// Runs one level deeper, on a stack that is large enough.
    pub fn deeper<T>(
        &mut self,
        range: TextRange,
        otherwise: T,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.depth >= MOST_DEPTH {
            let diagnostic = self
                .wrong(
                    codes::TOO_DEEP,
                    "the program is nested too deeply",
                    range,
                    "here",
                )
                .help("give parts of it a name, or move them into a device function");
            self.report(diagnostic);
            return otherwise;
        }
        self.depth += 1;
        let result = stacker::maybe_grow(256 << 10, 4 << 20, || work(self));
        self.depth -= 1;
        result
    }

    /// The tree of a function, and the number of its file.
    pub fn parse(&mut self, function: FunctionId) -> Option<(Rc<Parsed>, usize)> {
        if let Some((parsed, file)) = self.parsed.get(&function) {
            return Some((parsed.clone(), *file));
        }
        let source = self.env.function(function);
        let file = self.files.len();
        self.files.push(source.file.clone());
        let program = self.is_program();
        let checked = parse::parse(&source, file).and_then(|parsed| {
            parse::check_parameters(&parsed, file, program)?;
            let mut parsed = parsed;
            if program {
                self.write_out_set_attributes(function, &mut parsed.def);
                crate::global_names::write_out_global_names(&mut parsed.def);
                crate::objects::match_statements::replace_matches(&mut parsed.def);
                replace_generator_expressions(&mut parsed.def);
            }
            Ok(parsed)
        });
        match checked {
            Ok(parsed) => {
                let parsed = Rc::new(parsed);
                self.parsed.insert(function, (parsed.clone(), file));
                Some((parsed, file))
            }
            Err(mut diagnostic) => {
                if program {
                    diagnostic = in_jit_functions(diagnostic);
                }
                let known = self.diagnostics.iter().any(|other| {
                    other.code == diagnostic.code && other.message == diagnostic.message
                });
                if !known {
                    self.diagnostics.push(diagnostic);
                }
                None
            }
        }
    }

    /// A frame for a function whose body comes next.
    pub fn enter(
        &mut self,
        function: FunctionId,
        parsed: &Parsed,
        file: usize,
        returns: Option<crate::inline::Returns>,
        called_at: Option<Site>,
    ) {
        let id = self.fresh();
        self.frames.push(Frame {
            id,
            function,
            name: parsed.def.name.to_string(),
            file,
            shift: parsed.shift,
            locals: syntax::assigned(&parsed.def.body),
            scope: Scope::new(),
            live: true,
            loops: Vec::new(),
            returns,
            called_at,
            unbound_reads: HashSet::new(),
            liveness: self
                .program
                .is_some()
                .then(|| Rc::new(crate::host::liveness::Liveness::of(&parsed.def.body))),
            statement: 0,
            statement_done: false,
            open: Vec::new(),
            nonlocals: Rc::new(syntax::nonlocals(&parsed.def.body)),
            once: Rc::new(syntax::assigned_once(&parsed.def)),
            may_be_unset: HashMap::new(),
            deleted: Rc::new(syntax::deleted(&parsed.def.body)),
            closure: None,
        });
        self.begin_unset();
    }

    /// An argument that is known while compiling.
    pub fn object_argument(&mut self, number: u64) -> Value {
        match self.env.object(number) {
            Some(captured) => self.captured_value(&captured),
            None => Value::Unsupported("an object".into()),
        }
    }

    /// Declares the parameters of an argument, and gives its value.
    fn declare(&mut self, name: &str, argument: &ArgumentType) -> Value {
        match argument {
            ArgumentType::None => Value::None,
            ArgumentType::List { .. } | ArgumentType::ListOf(_) | ArgumentType::Items(_) => {
                Value::Unsupported("a list".into())
            }
            ArgumentType::Str(text) => Value::Str(text.clone()),
            ArgumentType::Object(number) => self.object_argument(*number),
            ArgumentType::Truth(truth) => Scalar::const_bool(*truth).into(),
            ArgumentType::Slice(_)
            | ArgumentType::Range(_)
            | ArgumentType::Ellipsis
            | ArgumentType::Thin(..)
            | ArgumentType::Axis(_)
            | ArgumentType::EmptyDict
            | ArgumentType::Objects { .. }
            | ArgumentType::Held(_) => Value::Unsupported("an argument of this kind".into()),
            ArgumentType::Scalar { dtype, weak } => {
                let param = self.b.param(name, ParamKind::Scalar(*dtype));
                let ir = self.b.scalar(param);
                Scalar::new(*dtype, *weak, ir).into()
            }
            ArgumentType::Array {
                dtype,
                rank,
                layout,
                writable,
                ..
            } => {
                let kind = ParamKind::Array {
                    dtype: *dtype,
                    rank: *rank,
                    layout: *layout,
                };
                let param = self.b.param(name, kind);
                Value::View(View {
                    base: ArrayRef::Param(param),
                    dtype: *dtype,
                    writable: *writable,
                    axes: vec![Axis::Whole; usize::from(*rank)],
                    free: (0..usize::from(*rank)).collect(),
                    packed: *layout == colocate_ir::Layout::Contiguous,
                })
            }
            ArgumentType::Tuple(items) | ArgumentType::Named(_, items) => {
                let items = items.iter().map(|item| self.declare(name, item));
                Value::Tuple(items.collect())
            }
        }
    }

    fn kernel(&mut self, entry: FunctionId, arguments: &[ArgumentType]) {
        let Some((parsed, file)) = self.parse(entry) else {
            return;
        };
        self.enter(entry, &parsed, file, None, None);
        let def = &parsed.def;
        let declared: Vec<_> = def.parameters.iter_non_variadic_params().collect();
        if declared.len() != arguments.len() {
            let diagnostic = self.wrong(
                codes::ARGUMENTS,
                format!(
                    "`{}` takes {} arguments, but {} are given",
                    def.name,
                    declared.len(),
                    arguments.len()
                ),
                def.name.range,
                "",
            );
            self.report(diagnostic);
            return;
        }
        for (parameter, argument) in declared.iter().zip(arguments) {
            let name = parameter.name().as_str();
            let site = self.site(parameter.name().range);
            self.b.site = site;
            let value = self.declare(name, argument);
            self.bind(name, value, site);
        }
        self.block(&def.body);
    }
}

/// Translates the kernel; see [`crate::compile_kernel`].
pub(crate) fn compile(
    entry: FunctionId,
    arguments: &[ArgumentType],
    options: &Options,
    env: &mut dyn Environment,
) -> Result<Compiled, Failure> {
    let rank = options.rank.clamp(1, 3);
    let kind = if options.grouped {
        KernelKind::NdRange
    } else {
        KernelKind::Region {
            reductions: Vec::new(),
        }
    };
    let name = identifier(&env.function(entry).name);
    let mut builder = KernelBuilder::new(&name, rank, kind);
    builder.kernel_mut().fast_math = options.fast_math;
    let mut translator = Translator::new(env, builder, *options);
    translator.kernel(entry, arguments);
    let Translator {
        b,
        files,
        mut diagnostics,
        remarks,
        captured,
        ..
    } = translator;
    if !diagnostics.is_empty() {
        return Err(Failure { diagnostics, files });
    }
    let kernel = b.finish();
    diagnostics.extend(divergent_barriers(&kernel));
    if !diagnostics.is_empty() {
        return Err(Failure { diagnostics, files });
    }
    Ok(Compiled {
        listing: listing::write(&files, &remarks),
        kernel,
        files,
        captured,
    })
}

/// Barriers that not all items of a group reach.
fn divergent_barriers(kernel: &colocate_ir::Kernel) -> Vec<Diagnostic> {
    if !kernel.is_nd_range() {
        return Vec::new();
    }
    let found = colocate_ir::uniformity::divergent_barriers(kernel);
    let at = |diagnostic: Diagnostic, site: Site, text: &str| {
        diagnostic.at(site.file as usize, site.span, text)
    };
    let diagnostics = found.into_iter().map(|divergent| {
        let diagnostic = Diagnostic::new(
            codes::DIVERGENT_BARRIER,
            "not all items of a group reach this barrier",
        );
        let diagnostic = at(
            diagnostic,
            divergent.barrier,
            "all items of a group must meet here",
        );
        let diagnostic = at(
            diagnostic,
            divergent.control,
            "this may differ between items",
        );
        let diagnostic = match divergent.exit {
            Some(exit) => at(diagnostic, exit, "some items leave here"),
            None => diagnostic,
        };
        diagnostic.help(match divergent.exit {
            Some(_) => "let all items come to the barrier: put the work that some skip into an if",
            None => "move the barrier out of the condition or loop, and keep the work inside it",
        })
    });
    let mut unique: Vec<Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        if !unique.contains(&diagnostic) {
            unique.push(diagnostic);
        }
    }
    unique
}

/// A diagnostic with the words that fit a jit function.
fn in_jit_functions(mut diagnostic: Diagnostic) -> Diagnostic {
    for label in &mut diagnostic.labels {
        label.text = of_jit_functions(&label.text);
    }
    diagnostic.message = of_jit_functions(&diagnostic.message);
    diagnostic.help = diagnostic.help.as_deref().map(of_jit_functions);
    diagnostic
}

/// A message with the noun that fits a jit function. What stands between backticks is the program's.
fn of_jit_functions(text: &str) -> String {
    let parts: Vec<String> = text
        .split('`')
        .enumerate()
        .map(|(position, part)| match position % 2 {
            0 => part
                .replace("the launch of the kernel", "the call")
                .replace("after the launch", "after the call")
                .replace("before the launch", "before the call")
                .replace("kernel", "jit function"),
            _ => part.to_string(),
        })
        .collect();
    parts.join("`")
}

/// A name that every target accepts.
pub(crate) fn identifier(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '_');
    }
    text
}

/// Nothing is known of a leaf whose place in a variable may hold zero.
pub(crate) fn maybe(value: &Value) -> Value {
    let mut value = value.clone();
    value.for_each_leaf(&mut |leaf| {
        leaf.know = leaf.know.weakened();
        leaf.ir = None;
    });
    value
}
