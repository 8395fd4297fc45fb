//! A world with a small array library, and programs compiled in it.
#![allow(dead_code)]

use crate::support::{World, array};
use colocate_frontend::ir::{DType, verify};
use colocate_frontend::program::{LibraryType, Program, ProgramOptions};
use colocate_frontend::{
    ArgumentType, Captured, Environment, Failure, FunctionId, FunctionSource, compile_program,
};
use std::sync::Arc;

/// A world with a small array library.
pub struct Library(pub World);

impl Environment for Library {
    fn function(&self, id: FunctionId) -> Arc<FunctionSource> {
        self.0.function(id)
    }

    fn name(&mut self, function: FunctionId, name: &str) -> Option<Captured> {
        if name == "prange" {
            return Some(Captured::Builtin("colocate.prange".into()));
        }
        if let Some(function) = name.strip_prefix("draw_") {
            return Some(Captured::Builtin(format!("numpy.random.{function}")));
        }
        if name.ends_with("Error") {
            return Some(Captured::Exception {
                handle: None,
                name: name.into(),
            });
        }
        self.0.name(function, name)
    }

    fn attribute(&mut self, module: u32, name: &str) -> Option<Captured> {
        self.0.attribute(module, name)
    }

    fn near_names(&self, module: &str) -> Vec<String> {
        self.0.near_names(module)
    }

    fn library(
        &mut self,
        function: &str,
        arguments: &[LibraryType],
        _keywords: &[(String, LibraryType)],
    ) -> Result<LibraryType, String> {
        match function {
            "method.__setitem__" => Ok(LibraryType::None),
            "numpy.sort" | "numpy.cumsum" | "method.__getitem__" => Ok(arguments[0].clone()),
            "numpy.matmul" => Ok(arguments[0].clone()),
            "numpy.sum" => match &arguments[0] {
                LibraryType::Array { dtype, rank } => Ok(LibraryType::Array {
                    dtype: *dtype,
                    rank: rank - 1,
                }),
                other => Ok(other.clone()),
            },
            other => Err(format!("{other} is not in this test's library")),
        }
    }
}

pub fn options() -> ProgramOptions {
    ProgramOptions {
        fast_math: false,
        parallel: true,
        unified: true,
        check_bounds: true,
        python_errors: true,
        numbers_as_they_are: false,
    }
}

pub fn program_with(
    source: &str,
    arguments: &[ArgumentType],
    options: &ProgramOptions,
) -> Result<Program, Failure> {
    let mut world = World::new();
    let entry = world.add(source);
    let program = compile_program(entry, arguments, options, &mut Library(world))?;
    assert_eq!(verify(&program.host), [], "\n{}", program.host);
    for region in &program.regions {
        assert_eq!(verify(&region.kernel), [], "\n{}", region.kernel);
        assert_eq!(region.kernel.params.len(), region.parameters.len());
    }
    Ok(program)
}

pub fn program(source: &str, arguments: &[ArgumentType]) -> Program {
    for unified in [true, false] {
        for parallel in [true, false] {
            let options = ProgramOptions {
                unified,
                parallel,
                ..options()
            };
            program_with(source, arguments, &options).unwrap_or_else(|failure| wrong(&failure));
        }
    }
    program_with(source, arguments, &options()).unwrap_or_else(|failure| wrong(&failure))
}

pub fn wrong(failure: &Failure) -> ! {
    let messages: Vec<_> = failure
        .diagnostics
        .iter()
        .map(|one| format!("{}: {:?} {:?}", one.message, one.labels, one.notes))
        .collect();
    panic!("it compiles: {}", messages.join("\n"))
}

pub fn vector() -> ArgumentType {
    array(DType::Float64, 1)
}

pub fn number(dtype: DType) -> ArgumentType {
    ArgumentType::Scalar { dtype, weak: true }
}
