//! The state of a translation, its beginning and its end.

use crate::parse::{self, Parsed};
use crate::scope::Scope;
use crate::value::{Axis, Scalar, Value, View};
use crate::{
    ArgumentType, Captured, Compiled, Diagnostic, Environment, Failure, FunctionId, Options,
    SourceFile, codes, listing, syntax,
};
use colocate_diag::Site;
use colocate_ir::{ArrayRef, DType, KernelBuilder, KernelKind, Mark, ParamKind, VariableId};
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
    /// The functions being translated, the kernel first.
    pub frames: Vec<Frame>,
    /// The IR variables of leaves: frame, name, position of the leaf, dtype.
    pub variables: HashMap<(u32, String, usize, DType), VariableId>,
    /// What the listing says.
    pub remarks: Vec<listing::Remark>,
    pub captured: Vec<(FunctionId, String, Captured)>,
    pub parsed: HashMap<FunctionId, (Rc<Parsed>, usize)>,
    /// How deep in expressions and statements the walk is.
    pub depth: usize,
    pub fresh: u32,
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
}

/// A point to go back to.
pub(crate) struct Checkpoint {
    mark: Mark,
    variables: usize,
    diagnostics: usize,
    remarks: usize,
}

/// Deeper than any program that people write.
const MOST_DEPTH: usize = 1500;

impl<'e> Translator<'e> {
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
        }
    }

    pub fn rewind(&mut self, to: &Checkpoint) {
        self.b.rewind(to.mark);
        self.variables
            .retain(|_, variable| variable.index() < to.variables);
        self.diagnostics.truncate(to.diagnostics);
        self.remarks.truncate(to.remarks);
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
        let checked = parse::parse(&source, file).and_then(|parsed| {
            parse::check_parameters(&parsed, file)?;
            Ok(parsed)
        });
        match checked {
            Ok(parsed) => {
                let parsed = Rc::new(parsed);
                self.parsed.insert(function, (parsed.clone(), file));
                Some((parsed, file))
            }
            Err(diagnostic) => {
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
        });
    }

    /// Declares the parameters of an argument, and gives its value.
    fn declare(&mut self, name: &str, argument: &ArgumentType) -> Value {
        match argument {
            ArgumentType::None => Value::None,
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
                })
            }
            ArgumentType::Tuple(items) => {
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
    let mut translator = Translator {
        env,
        b: builder,
        options: *options,
        files: Vec::new(),
        diagnostics: Vec::new(),
        frames: Vec::new(),
        variables: HashMap::new(),
        remarks: Vec::new(),
        captured: Vec::new(),
        parsed: HashMap::new(),
        depth: 0,
        fresh: 0,
    };
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

/// A name that every target accepts.
fn identifier(name: &str) -> String {
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
