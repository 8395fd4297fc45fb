//! A small world around functions under test: `cl`, `math`, `np`, Python's builtins, and any other
//! functions and values a test puts in.
#![allow(dead_code)]

use colocate_diag::{Style, render};
use colocate_frontend::ir::interpret::{self, Argument, ArrayView, Memory, Scalar};
use colocate_frontend::ir::{DType, Layout};
use colocate_frontend::{
    ArgumentType, Captured, Compiled, Environment, Failure, FunctionId, FunctionSource, Options,
    SourceFile, compile_kernel,
};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Default)]
pub struct World {
    functions: Vec<Arc<FunctionSource>>,
    names: HashMap<String, Captured>,
}

const MODULES: [&str; 5] = [
    "colocate",
    "math",
    "numpy",
    "colocate.atomic",
    "colocate.group",
];

const BUILTINS: &[&str] = &[
    "abs",
    "bool",
    "complex",
    "divmod",
    "enumerate",
    "float",
    "int",
    "len",
    "max",
    "min",
    "pow",
    "print",
    "range",
    "round",
    "sum",
    "zip",
    "isinstance",
    "list",
];

impl World {
    pub fn new() -> World {
        World::default()
    }

    /// Adds a function that others can call by its name.
    pub fn add(&mut self, text: &str) -> FunctionId {
        let id = FunctionId(self.functions.len() as u32);
        let def = text
            .lines()
            .find(|line| line.trim_start().starts_with("def "))
            .unwrap_or("def f(");
        let name = def.trim_start()[4..]
            .split('(')
            .next()
            .unwrap_or("f")
            .trim()
            .to_string();
        self.names.insert(name.clone(), Captured::Function(id));
        self.functions.push(Arc::new(FunctionSource {
            file: SourceFile {
                name: "program.py".into(),
                text: text.into(),
                first_line: 10,
            },
            name,
            class: None,
        }));
        id
    }

    pub fn value(&mut self, name: &str, value: Captured) {
        self.names.insert(name.into(), value);
    }
}

impl Environment for World {
    fn function(&self, id: FunctionId) -> Arc<FunctionSource> {
        self.functions[id.0 as usize].clone()
    }

    fn name(&mut self, _function: FunctionId, name: &str) -> Option<Captured> {
        if let Some(value) = self.names.get(name) {
            return Some(value.clone());
        }
        let module = |handle: u32| Captured::Module {
            handle,
            name: MODULES[handle as usize].into(),
        };
        match name {
            "cl" => Some(module(0)),
            "math" => Some(module(1)),
            "np" => Some(module(2)),
            _ if BUILTINS.contains(&name) => Some(Captured::Builtin(format!("builtins.{name}"))),
            _ => None,
        }
    }

    fn attribute(&mut self, module: u32, name: &str) -> Option<Captured> {
        let path = MODULES[module as usize];
        if path == "colocate" && (name == "atomic" || name == "group") {
            let handle = if name == "atomic" { 3 } else { 4 };
            return Some(Captured::Module {
                handle,
                name: MODULES[handle as usize].into(),
            });
        }
        if path == "numpy"
            && let Some(dtype) = DType::from_name(name)
        {
            return Some(Captured::Dtype(dtype));
        }
        (!name.contains("missing")).then(|| Captured::Builtin(format!("{path}.{name}")))
    }

    fn near_names(&self, module: &str) -> Vec<String> {
        match module {
            "" => ["cl", "math", "np"]
                .iter()
                .map(|name| name.to_string())
                .collect(),
            _ => vec!["get_global_id".into(), "sin".into()],
        }
    }
}

/// A writable contiguous array.
pub fn array(dtype: DType, rank: u8) -> ArgumentType {
    ArgumentType::Array {
        dtype,
        rank,
        layout: Layout::Contiguous,
        fortran: false,
        writable: true,
    }
}

/// A Python number.
pub fn weak(dtype: DType) -> ArgumentType {
    ArgumentType::Scalar { dtype, weak: true }
}

/// A NumPy number.
pub fn strong(dtype: DType) -> ArgumentType {
    ArgumentType::Scalar { dtype, weak: false }
}

pub const REGION: Options = Options {
    rank: 1,
    grouped: false,
    fast_math: false,
};

pub const GROUPED: Options = Options {
    grouped: true,
    ..REGION
};

pub fn compile_in(
    world: &mut World,
    entry: FunctionId,
    arguments: &[ArgumentType],
    options: &Options,
) -> Result<Compiled, Failure> {
    let compiled = compile_kernel(entry, arguments, options, world)?;
    let violations = colocate_frontend::ir::verify(&compiled.kernel);
    assert!(violations.is_empty(), "{violations:?}\n{}", compiled.kernel);
    Ok(compiled)
}

pub fn compile(source: &str, arguments: &[ArgumentType]) -> Compiled {
    let mut world = World::new();
    let entry = world.add(source);
    compile_in(&mut world, entry, arguments, &REGION)
        .unwrap_or_else(|failure| panic!("{}", text(&failure)))
}

pub fn text(failure: &Failure) -> String {
    render(&failure.diagnostics, &failure.files, Style::Plain)
}

/// The messages a function gives.
pub fn errors(source: &str, arguments: &[ArgumentType]) -> String {
    errors_with(&mut World::new(), source, arguments, &REGION)
}

pub fn errors_with(
    world: &mut World,
    source: &str,
    arguments: &[ArgumentType],
    options: &Options,
) -> String {
    let entry = world.add(source);
    match compile_in(world, entry, arguments, options) {
        Ok(compiled) => panic!("it compiles:\n{}", compiled.kernel),
        Err(failure) => text(&failure),
    }
}

/// Runs the body of a function with `out`, an array of one dtype, and gives what is in it then.
/// The body is indented by four spaces; `x` and `y` are arrays with the numbers given.
pub struct Run {
    pub world: World,
    pub out: DType,
    pub length: usize,
    pub arrays: Vec<(&'static str, DType, Vec<f64>)>,
    pub scalars: Vec<(&'static str, ArgumentType, f64)>,
    pub options: Options,
    pub global: usize,
    pub local: Option<usize>,
}

pub fn scalar(dtype: DType, value: f64) -> Scalar {
    use colocate_frontend::ir::Literal;
    let wide = Scalar::from_literal(Literal::Float(DType::Float64, value));
    wide.convert(dtype)
}

fn number(dtype: DType, bytes: &[u8]) -> f64 {
    use colocate_frontend::ir::Literal;
    match Scalar::from_bytes(dtype, bytes).to_literal() {
        Literal::Bool(value) => f64::from(u8::from(value)),
        Literal::Int(_, value) => value as f64,
        Literal::Float(_, value) | Literal::Complex(_, value, _) => value,
    }
}

impl Run {
    pub fn new(out: DType, length: usize) -> Run {
        Run {
            world: World::new(),
            out,
            length,
            arrays: Vec::new(),
            scalars: Vec::new(),
            options: REGION,
            global: 1,
            local: None,
        }
    }

    pub fn with(mut self, name: &'static str, dtype: DType, values: &[f64]) -> Run {
        self.arrays.push((name, dtype, values.to_vec()));
        self
    }

    pub fn number(mut self, name: &'static str, kind: ArgumentType, value: f64) -> Run {
        self.scalars.push((name, kind, value));
        self
    }

    pub fn body(mut self, body: &str) -> Vec<f64> {
        let mut names = vec!["out"];
        let mut types = vec![array(self.out, 1)];
        let mut memory = Memory::default();
        let mut arguments = Vec::new();
        let mut place = |dtype: DType, values: &[f64]| {
            let offset = memory.bytes.len().next_multiple_of(16);
            memory.bytes.resize(offset, 0);
            for value in values {
                memory
                    .bytes
                    .extend_from_slice(&scalar(dtype, *value).to_bytes());
            }
            let view = ArrayView::contiguous(dtype, offset, &[values.len() as i64]);
            (offset, Argument::Array(view))
        };
        let (start, out) = place(self.out, &vec![0.0; self.length]);
        arguments.push(out);
        for (name, dtype, values) in &self.arrays {
            names.push(name);
            types.push(array(*dtype, 1));
            arguments.push(place(*dtype, values).1);
        }
        for (name, kind, value) in &self.scalars {
            names.push(name);
            types.push(kind.clone());
            let ArgumentType::Scalar { dtype, .. } = kind else {
                panic!("{name} is a number");
            };
            arguments.push(Argument::Scalar(scalar(*dtype, *value)));
        }
        let source = format!("def kernel({}):\n{body}\n", names.join(", "));
        let entry = self.world.add(&source);
        let compiled = compile_in(&mut self.world, entry, &types, &self.options)
            .unwrap_or_else(|failure| panic!("{}", text(&failure)));
        let local = self.local.map(|local| [local, 1, 1]);
        interpret::run(
            &compiled.kernel,
            &mut memory,
            &arguments,
            [self.global, 1, 1],
            local,
        )
        .unwrap_or_else(|error| panic!("{error:?}\n{}", compiled.kernel));
        let size = self.out.itemsize();
        (0..self.length)
            .map(|i| number(self.out, &memory.bytes[start + i * size..][..size]))
            .collect()
    }
}
