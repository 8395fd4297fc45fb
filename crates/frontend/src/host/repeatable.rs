//! Whether a program may be run again from its beginning: nobody has seen anything of it yet, wherever it stops.

use crate::arrays::global_arrays::GLOBAL_ARRAY;
use crate::host::array_roots::ArrayRoots;
use crate::objects::python_objects::{
    IS_CAUGHT, MAKE_EXCEPTION, MARK_OBJECTS, NEXT, OBJECT_ARGUMENT, SWEEP_OBJECTS,
};
use crate::program::{Call, Generator, Outcome, Program, RegionParameter};
use colocate_ir::{ArrayRef, LocalId, Place, StatementKind, walk};

/// Before the names of functions that are called without being seen, if what they are given is the program's own.
const QUIET: [&str; 12] = [
    "numpy.",
    "math.",
    "operator.",
    "builtins.",
    "attribute.",
    "method.",
    "colocate._jit_objects.",
    IS_CAUGHT,
    MAKE_EXCEPTION,
    MARK_OBJECTS,
    NEXT,
    SWEEP_OBJECTS,
];

/// Parts of the names of functions that are seen whatever they are given.
const SEEN: [&str; 10] = [
    "numpy.random",
    "numpy.save",
    "numpy.set",
    "numpy.lib.format",
    "builtins.open",
    "builtins.input",
    ".tofile",
    ".dump",
    ".setflags",
    "colocate._jit_objects.recursive",
];

pub(crate) fn is_repeatable(program: &Program) -> bool {
    let roots = ArrayRoots::of(program);
    let written = |local: &LocalId| roots.is_made(*local);
    // Objects from outside may be changed by anything that is done with objects.
    let outside = program.calls.iter().any(|call| {
        matches!(call, Call::Library { function, result: Outcome::Object, .. }
            if function.starts_with(OBJECT_ARGUMENT) || function.starts_with(GLOBAL_ARRAY))
    });
    let quiet = program.calls.iter().all(|call| match call {
        Call::Library {
            function,
            arguments,
            changes,
            ..
        } => {
            let is_quiet = QUIET.iter().any(|prefix| function.starts_with(prefix))
                && !SEEN.iter().any(|part| function.contains(part));
            let fetched =
                function.starts_with(OBJECT_ARGUMENT) || function.starts_with(GLOBAL_ARRAY);
            let is_objects = function.starts_with("method.")
                || function.starts_with("operator.")
                || function.starts_with("colocate.")
                || function.starts_with("builtins.")
                || function == NEXT;
            let has_object = || {
                let mut all = arguments.iter();
                all.any(|one| matches!(one, crate::program::Operand::Object))
            };
            fetched
                || is_quiet
                    && changes.iter().all(written)
                    && !(outside && is_objects && has_object())
        }
        Call::Print { .. }
        | Call::Draw {
            from: Generator::NumPy | Generator::Python,
            ..
        } => false,
        Call::FillRandom { .. } => false,
        Call::Launch { region } => {
            let mut parameters = program.regions[*region].parameters.iter();
            parameters.all(|one| match one {
                RegionParameter::Array {
                    local,
                    writes: true,
                    ..
                } => written(local),
                _ => true,
            })
        }
        _ => true,
    });
    let mut stores = true;
    let functions = program.host.functions.iter();
    for kernel in functions.chain([&program.host]) {
        walk(&kernel.body, &mut |statement| {
            if let StatementKind::Store { place, .. } | StatementKind::Atomic { place, .. } =
                &statement.kind
                && let Some(local) = local_of(place)
            {
                stores &= written(&local);
            }
        });
    }
    quiet && stores
}

fn local_of(place: &Place) -> Option<LocalId> {
    match place.array {
        ArrayRef::Local(local) => Some(local),
        _ => None,
    }
}
