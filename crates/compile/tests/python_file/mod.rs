//! A Python file with functions for the front end: read line by line, not executed.
//!
//! It may import `colocate as cl`, `math` and `numpy as np`, assign numbers to names, and define
//! functions. The last function is the kernel.

use colocate_frontend::ir::DType;
use colocate_frontend::{Captured, Environment, FunctionId, FunctionSource, SourceFile};
use std::collections::HashMap;
use std::sync::Arc;

/// Namespaces, by handle.
const MODULES: [&str; 5] = [
    "colocate",
    "math",
    "numpy",
    "colocate.atomic",
    "colocate.group",
];

fn module(name: &str) -> Option<Captured> {
    let handle = MODULES.iter().position(|known| *known == name)?;
    Some(Captured::Module {
        handle: handle as u32,
        name: name.into(),
    })
}

fn number(text: &str) -> Option<Captured> {
    let int = text.parse().ok().map(Captured::Int);
    int.or_else(|| text.parse().ok().map(Captured::Float))
}

/// What stands at the top level of the file.
pub struct PythonFile {
    functions: Vec<Arc<FunctionSource>>,
    names: HashMap<String, Captured>,
}

impl PythonFile {
    /// Reads a file's text. What it cannot read, it refuses.
    pub fn new(name: &str, text: &str) -> PythonFile {
        let mut file = PythonFile {
            functions: Vec::new(),
            names: HashMap::new(),
        };
        // A function goes on until something else stands at the margin.
        let mut function: Option<(usize, String)> = None;
        for (offset, line) in text.lines().enumerate() {
            let inside = line.starts_with(' ') || line.is_empty() || line.starts_with("def ");
            match &mut function {
                Some((_, source)) if inside => *source += &format!("{line}\n"),
                _ => {
                    if let Some((first, source)) = function.take() {
                        file.define(name, first, &source);
                    }
                    if line.starts_with('@') {
                        function = Some((offset + 1, format!("{line}\n")));
                    } else {
                        file.read_line(line);
                    }
                }
            }
        }
        let (first, source) = function.expect("a file ends with its kernel");
        file.define(name, first, &source);
        file
    }

    fn read_line(&mut self, line: &str) {
        if line.is_empty() || line.starts_with("\"\"\"") {
            return;
        }
        let (name, value) = if let Some(import) = line.strip_prefix("import ") {
            let (path, name) = import.split_once(" as ").unwrap_or((import, import));
            (name, module(path))
        } else {
            let (name, value) = line.split_once(" = ").unwrap_or((line, ""));
            (name, number(value))
        };
        let value = value.unwrap_or_else(|| panic!("{line:?} cannot be read"));
        self.names.insert(name.into(), value);
    }

    fn define(&mut self, file: &str, first_line: usize, source: &str) {
        let after_def = source.split_once("\ndef ").expect("a decorated function");
        let name = after_def.1.split('(').next().unwrap_or_default();
        let id = FunctionId(self.functions.len() as u32);
        self.names.insert(name.into(), Captured::Function(id));
        self.functions.push(Arc::new(FunctionSource {
            file: SourceFile {
                name: file.into(),
                text: format!("{}\n", source.trim_end()),
                first_line,
            },
            name: name.into(),
            class: None,
        }));
    }

    /// The last function.
    pub fn kernel(&self) -> FunctionId {
        FunctionId(self.functions.len() as u32 - 1)
    }
}

impl Environment for PythonFile {
    fn function(&self, id: FunctionId) -> Arc<FunctionSource> {
        self.functions[id.0 as usize].clone()
    }

    fn name(&mut self, _function: FunctionId, name: &str) -> Option<Captured> {
        let builtin = || Captured::Builtin(format!("builtins.{name}"));
        let there = ["abs", "len", "range"].contains(&name);
        let found = self.names.get(name).cloned();
        found.or_else(|| there.then(builtin))
    }

    fn attribute(&mut self, handle: u32, name: &str) -> Option<Captured> {
        let path = MODULES[handle as usize];
        let full = format!("{path}.{name}");
        let dtype = DType::from_name(name).filter(|_| path == "numpy");
        let known = dtype.map(Captured::Dtype).or_else(|| module(&full));
        Some(known.unwrap_or(Captured::Builtin(full)))
    }

    fn near_names(&self, _module_name: &str) -> Vec<String> {
        Vec::new()
    }
}
