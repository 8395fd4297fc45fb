//! Kernels for certain argument types: translated once, made ready for each device once.

use crate::errors::{Class, Unlocked, error};
use crate::kernel::PyKernel;
use crate::kernel_arguments::{Key, types_of};
use crate::kernel_environment::PythonEnvironment;
use crate::watched_names::Watch;
use colocate_array::launch::target_of;
use colocate_compile as compile;
use colocate_diag::{Style, render};
use colocate_frontend::ir::overwrites::{Overwrites, overwrites};
use colocate_frontend::ir::{Kernel, StatementKind, walk};
use colocate_frontend::{Compiled, Diagnostic, FunctionId, Options, SourceFile, compile_kernel};
use colocate_runtime::trace::{self, Category};
use colocate_runtime::{LoadedKernel, Needs, Queue};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// A kernel for arguments of certain types.
pub struct Specialisation {
    pub key: Key,
    pub compiled: Compiled,
    /// Whether programs of it check their accesses.
    pub debug: bool,
    /// While all of them hold, the program means the same.
    pub watches: Vec<Watch>,
    /// Whether an item may take long, whatever the number of items.
    pub has_loops: bool,
    /// Which arrays it surely overwrites, for not copying them in.
    pub overwrites: Vec<Overwrites>,
    ready: Mutex<SmallVec<[Arc<Ready>; 1]>>,
}

/// A specialisation on a device.
pub struct Ready {
    pub program: Arc<compile::Program>,
    pub kernel: LoadedKernel,
}

/// On how many devices and contexts a specialisation stays ready; programs that make new ones for
/// ever are to let go of the old ones.
const MOST_READY: usize = 16;

/// All specialisations of a kernel.
#[derive(Default)]
pub struct Specialisations {
    /// The one that was used last is tried first.
    pub last: Option<Arc<Specialisation>>,
    pub all: HashMap<Key, Arc<Specialisation>>,
}

/// A lock that is held for an instant, with the GIL.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}

/// What a key begins with: facts of the launch.
pub fn launch_key(rank: usize, grouped: bool, debug: bool) -> u32 {
    rank as u32 | u32::from(grouped) << 4 | u32::from(debug) << 5
}

/// The kernel for arguments of these types; compiled if it was not, or if what it refers to has
/// changed since.
pub fn specialise(py: Python<'_>, kernel: &PyKernel, key: Key) -> PyResult<Arc<Specialisation>> {
    let found = {
        let known = lock(&kernel.specialisations);
        match &known.last {
            Some(last) if last.key == key => Some(last.clone()),
            _ => known.all.get(&key).cloned(),
        }
    };
    if let Some(found) = found {
        let mut holds = true;
        for watch in &found.watches {
            holds &= watch.holds(py)?;
        }
        if holds {
            let mut known = lock(&kernel.specialisations);
            let is_last = known
                .last
                .as_ref()
                .is_some_and(|last| Arc::ptr_eq(last, &found));
            let before = (!is_last).then(|| known.last.replace(found.clone()));
            drop(known);
            drop(before);
            return Ok(found);
        }
    }
    let made = Arc::new(translate(py, kernel, key)?);
    let mut known = lock(&kernel.specialisations);
    let before = (
        known.last.replace(made.clone()),
        known.all.insert(made.key.clone(), made.clone()),
    );
    drop(known);
    // Outside the lock: what it watched may run code when it goes.
    drop(before);
    Ok(made)
}

fn translate(py: Python<'_>, kernel: &PyKernel, key: Key) -> PyResult<Specialisation> {
    let source = match &kernel.source {
        Ok(source) => source.clone(),
        Err(missing) => {
            let diagnostics = std::slice::from_ref(&missing.diagnostic);
            return Err(compile_error(py, diagnostics, &missing.files));
        }
    };
    let launch = key[0];
    let options = Options {
        rank: (launch & 0xf) as u8,
        grouped: launch >> 4 & 1 != 0,
        fast_math: kernel.fast_math,
    };
    let types = types_of(&key[1..]);
    let _span = trace::span(Category::Compile, &kernel.name).why(|| "front end".into());
    let mut world = PythonEnvironment::new(kernel.function.bind(py), source)?;
    let translated = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        compile_kernel(FunctionId(0), &types, &options, &mut world)
    }));
    if let Some(failure) = world.failure.take() {
        return Err(failure);
    }
    let compiled = match translated {
        Ok(Ok(compiled)) => compiled,
        Ok(Err(failure)) => return Err(compile_error(py, &failure.diagnostics, &failure.files)),
        Err(_) => {
            return Err(error(
                Class::InternalError,
                format!(
                    "the kernel {} cannot be translated; this is a bug in colocate, please report it",
                    kernel.name
                ),
            ));
        }
    };
    Ok(Specialisation {
        key,
        debug: launch >> 5 & 1 != 0,
        overwrites: overwrites(&compiled.kernel),
        has_loops: has_loops(&compiled.kernel),
        watches: world.watches,
        compiled,
        ready: Mutex::new(SmallVec::new()),
    })
}

fn has_loops(kernel: &Kernel) -> bool {
    let mut found = false;
    walk(&kernel.body, &mut |statement| {
        let is_loop = matches!(
            statement.kind,
            StatementKind::For { .. } | StatementKind::While { .. }
        );
        found |= is_loop;
    });
    found
}

impl Specialisation {
    /// How it is compiled.
    pub fn options(&self) -> compile::Options {
        compile::Options {
            debug: self.debug,
            lanes: None,
        }
    }

    /// The kernel on a queue's device.
    pub fn ready(&self, py: Python<'_>, queue: &Queue) -> PyResult<Arc<Ready>> {
        let known = lock(&self.ready)
            .iter()
            .find(|ready| ready.kernel.fits(queue))
            .cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let target = target_of(queue.device());
        let program =
            py.unlocked(|| compile::program(&self.compiled.kernel, &target, &self.options()))?;
        let needs = Needs {
            local_bytes: program.local_bytes,
            largest_group: program.largest_group,
        };
        // SAFETY: the image comes from our own compiler.
        let kernel = py.unlocked(|| unsafe {
            let name = &self.compiled.kernel.name;
            LoadedKernel::load(queue, &program.image, name, needs)
        })?;
        let ready = Arc::new(Ready { program, kernel });
        let mut all = lock(&self.ready);
        let oldest = (all.len() >= MOST_READY).then(|| all.remove(0));
        all.push(ready.clone());
        drop(all);
        drop(oldest);
        Ok(ready)
    }
}

/// `CompileError` with all mistakes, and each of them as data.
pub fn compile_error(py: Python<'_>, diagnostics: &[Diagnostic], files: &[SourceFile]) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let own: String = py
            .import("colocate")?
            .getattr("__path__")?
            .get_item(0)?
            .extract()?;
        let diagnostics = &in_users_files(diagnostics, files, &own);
        let mut text = render(diagnostics, files, Style::Plain);
        let mut codes: Vec<&str> = diagnostics.iter().map(|one| one.code).collect();
        codes.sort_unstable();
        codes.dedup();
        let pages: Vec<_> = codes
            .iter()
            .map(|code| format!("docs/errors/{code}.md"))
            .collect();
        text.push_str(&format!("\n\nmore: {}", pages.join(", ")));
        let list = PyList::empty(py);
        for one in diagnostics {
            let entry = PyDict::new(py);
            entry.set_item("code", one.code)?;
            entry.set_item("message", &one.message)?;
            let place = one
                .labels
                .first()
                .and_then(|label| Some((label, files.get(label.file)?)));
            entry.set_item("file", place.map(|(_, file)| file.name.clone()))?;
            entry.set_item("line", place.map(|(label, file)| file.line(label.span)))?;
            entry.set_item(
                "source",
                place.map(|(label, file)| file.slice(label.span).to_owned()),
            )?;
            entry.set_item("notes", one.notes.clone())?;
            entry.set_item("help", one.help.clone())?;
            entry.set_item("page", format!("docs/errors/{}.md", one.code))?;
            list.append(entry)?;
        }
        let class = py.import("colocate._errors")?.getattr("CompileError")?;
        Ok(PyErr::from_value(class.call1((format!("\n{text}"), list))?))
    };
    make().unwrap_or_else(|failure| failure)
}

/// Mistakes with the places that users know: what is wrong inside a function of this package is said of their call of
/// it, once for each call.
fn in_users_files(diagnostics: &[Diagnostic], files: &[SourceFile], own: &str) -> Vec<Diagnostic> {
    let is_own = |file: usize| {
        files
            .get(file)
            .is_some_and(|file| file.name.starts_with(own))
    };
    let mut told: Vec<Diagnostic> = Vec::new();
    for one in diagnostics {
        let users = one.labels.iter().filter(|label| !is_own(label.file));
        let mut labels: Vec<_> = users.cloned().collect();
        let inside = one.labels.first().is_some_and(|label| is_own(label.file));
        let (Some(first), true) = (labels.first_mut(), inside) else {
            told.push(one.clone());
            continue;
        };
        first.text = String::new();
        let is_known = |known: &Diagnostic| {
            known.labels.first().map(|label| (label.file, label.span))
                == Some((first.file, first.span))
        };
        if told.iter().any(is_known) {
            continue;
        }
        told.push(Diagnostic {
            code: one.code,
            message: format!("this call cannot be compiled: {}", one.message),
            labels,
            notes: one.notes.clone(),
            help: None,
        });
    }
    told
}
