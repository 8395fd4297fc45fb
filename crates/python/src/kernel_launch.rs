//! Launching: where to, with what, and what happens after (R4.1 to R4.7).

use crate::config;
use crate::current;
use crate::errors::{Class, OrRaise, Unlocked, error, guarded};
use crate::event::PyEvent;
use crate::kernel::PyKernel;
use crate::kernel_arguments::{self, Block, Key, LeafValue, Leaves};
use crate::kernel_specialisation::{Ready, Specialisation, launch_key, specialise};
use crate::kernel_staging;
use crate::placement;
use colocate_array::Array;
use colocate_dtype::DType;
use colocate_frontend::ir::access::Access;
use colocate_passes::insert_bounds_checks::{Failure, explain};
use colocate_runtime::placement::execution_queue;
use colocate_runtime::{self as runtime, Event, Geometry, Queue, Use, UsmKind, geometry, trace};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::SmallVec;
use std::sync::Arc;

/// A kernel of this many items at most, and without loops, is launched with the GIL held, since
/// letting it go costs as much as starting the work.
const QUICK_ITEMS: usize = 1 << 16;

/// Launches a kernel; without an index space, over the first array's shape.
pub fn launch(
    py: Python<'_>,
    kernel: &PyKernel,
    space: Option<Geometry>,
    args: &Bound<'_, PyTuple>,
    kwargs: Option<&Bound<'_, PyDict>>,
) -> PyResult<PyEvent> {
    let (kwargs, depends) = match kwargs {
        Some(kwargs) => split_depends(kwargs)?,
        None => (None, SmallVec::new()),
    };
    let parameters = &kernel.parameters;
    let objects = kernel_arguments::bind(&kernel.name, parameters, args, kwargs.as_ref())?;
    let leaves = kernel_arguments::leaves(&objects, parameters)?;
    let place = place_of(py, kernel, &leaves)?;
    let space = match space {
        Some(space) => space,
        None => space_of(kernel, &leaves)?,
    };
    let debug = config::debug();
    let mut key = Key::new();
    key.push(launch_key(space.rank, space.local.is_some(), debug));
    let launch = Launch {
        py,
        kernel,
        space,
        depends: &depends,
    };
    if place.staged {
        return launch.staged(&place.queue, leaves, key);
    }
    let mut block = Block::new();
    kernel_arguments::encode(&leaves, &mut key, &mut block);
    let specialisation = specialise(py, kernel, key)?;
    let ready = specialisation.ready(py, &place.queue)?;
    let uses = uses_of(&leaves, &ready);
    let event = launch.submit(&place.queue, &specialisation, &ready, block, &uses)?;
    if place.host {
        // The kernel works in the arrays themselves.
        if event.status().or_raise()? != runtime::EventStatus::Complete {
            py.unlocked(|| event.wait())?;
        }
    }
    Ok(event.into())
}

/// The events of `depends`, and the keywords that are the kernel's own.
type Split<'py> = (Option<Bound<'py, PyDict>>, SmallVec<[Event; 2]>);

fn split_depends<'py>(kwargs: &Bound<'py, PyDict>) -> PyResult<Split<'py>> {
    let py = kwargs.py();
    let Some(given) = kwargs.get_item(pyo3::intern!(py, "depends"))? else {
        return Ok((Some(kwargs.clone()), SmallVec::new()));
    };
    let own = kwargs.copy()?;
    own.del_item("depends")?;
    let mut events = SmallVec::new();
    if !given.is_none() {
        let refuse = || PyTypeError::new_err("depends= takes a list of colocate.Event objects");
        for one in given.try_iter().map_err(|_| refuse())? {
            let one = one?;
            let event = one.cast::<PyEvent>().map_err(|_| refuse())?;
            events.push(event.get().inner.clone());
        }
    }
    Ok((Some(own), events))
}

/// Where a launch goes.
struct Place {
    queue: Queue,
    /// The arrays are NumPy's.
    host: bool,
    /// And the device does not reach them.
    staged: bool,
}

fn place_of(py: Python<'_>, kernel: &PyKernel, leaves: &Leaves<'_, '_>) -> PyResult<Place> {
    let scope = current::scoped_queue(py)?;
    let host = leaves
        .iter()
        .position(|leaf| matches!(leaf.value, LeafValue::Host(_)));
    let arrays = || leaves.iter().filter_map(|leaf| leaf.array());
    if let Some(host) = host {
        if arrays().next().is_some() {
            return Err(mixture(kernel, leaves, host));
        }
        let Some(queue) = scope else {
            return Err(no_queue(kernel, leaves, host));
        };
        let staged = !queue.context().device_can_access_host();
        return Ok(Place {
            queue,
            host: true,
            staged,
        });
    }
    let queue = match execution_queue(arrays().map(Array::queue)) {
        Ok(Some(queue)) => queue.clone(),
        Ok(None) => match scope {
            Some(queue) => {
                return Ok(Place {
                    queue,
                    host: false,
                    staged: false,
                });
            }
            None => {
                return Err(error(
                    Class::ExecutionPlacementError,
                    format!(
                        "{}: the queue cannot be determined, since no argument is an array; \
                         launch the kernel inside colocate.device_context(...) (rule R4.2)",
                        kernel.name
                    ),
                ));
            }
        },
        Err(_) => {
            let names: Vec<String> = leaves
                .iter()
                .map(|leaf| leaf.name(&kernel.parameters))
                .collect();
            let named = leaves.iter().zip(&names);
            let named = named.filter_map(|(leaf, name)| Some((name.as_str(), leaf.array()?)));
            return Err(placement::disagreement(&kernel.name, named));
        }
    };
    if let Some(scope) = scope
        && !scope.equivalent(&queue)
    {
        return Err(contradiction(kernel, leaves, &scope));
    }
    if config::warn_on_mixed_usm() {
        let kinds: Vec<UsmKind> = arrays().map(Array::kind).collect();
        placement::warn_about_mixture(py, &kinds)?;
    }
    Ok(Place {
        queue,
        host: false,
        staged: false,
    })
}

/// R4.3's refusal.
fn mixture(kernel: &PyKernel, leaves: &Leaves<'_, '_>, host: usize) -> PyErr {
    let first = leaves.iter().find(|leaf| leaf.array().is_some());
    let first = first.map_or("x".into(), |leaf| leaf.name(&kernel.parameters));
    let host = leaves[host].name(&kernel.parameters);
    error(
        Class::HostDataError,
        format!(
            "{}: argument '{host}' is a numpy.ndarray, and argument '{first}' is a device array; host \
             data is not mixed with device arrays (rules R3.5 and R4.3); bring it over first: \
             {host} = colocate.asarray({host}, queue={first}.queue)",
            kernel.name
        ),
    )
}

/// R4.2's refusal.
fn no_queue(kernel: &PyKernel, leaves: &Leaves<'_, '_>, host: usize) -> PyErr {
    let host = leaves[host].name(&kernel.parameters);
    error(
        Class::ExecutionPlacementError,
        format!(
            "{}: the queue cannot be determined: argument '{host}' is a numpy.ndarray, which lives on \
             none. Launch the kernel inside a device context,\n  \
             with colocate.device_context(\"cpu\"): ...\n\
             or bring the data to a device first,\n  \
             {host} = colocate.asarray({host}, device=...)\n(rule R4.2)",
            kernel.name
        ),
    )
}

/// R4.4's refusal.
fn contradiction(kernel: &PyKernel, leaves: &Leaves<'_, '_>, scope: &Queue) -> PyErr {
    let mut text = format!(
        "{}: the device context says {}, {}, but the arrays live elsewhere:\n",
        kernel.name,
        scope.device().label(),
        scope.label()
    );
    let mut way_out = String::new();
    for leaf in leaves {
        let Some(array) = leaf.array() else { continue };
        let name = leaf.name(&kernel.parameters);
        text.push_str(&format!(
            "  {name}  {} memory on {}, {}\n",
            array.kind().name(),
            array.queue().device().label(),
            array.queue().label()
        ));
        way_out.push_str(&format!(
            "  {name} = colocate.asarray({name}, queue=colocate.get_current_queue())\n"
        ));
    }
    text.push_str("Two instructions that disagree are not resolved in silence. Leave the context, or bring the arrays to its queue:\n");
    text.push_str(&way_out);
    text.push_str("(rule R4.4)");
    error(Class::ExecutionPlacementError, text)
}

/// The index space of a launch without brackets: the first array's shape (R4.5).
pub fn space_of(kernel: &PyKernel, leaves: &Leaves<'_, '_>) -> PyResult<Geometry> {
    let shape = leaves.iter().find_map(|leaf| match &leaf.value {
        LeafValue::Host(array) => Some(&array.shape[..]),
        _ => leaf.array().map(Array::shape),
    });
    let wanted = format!("write {0}[global_size](...)", kernel.name);
    match shape {
        Some([]) => Ok(geometry(&[1], None).expect("one axis")),
        Some(shape) => geometry(shape, None).ok_or_else(|| {
            error(
                Class::InvalidArgumentError,
                format!(
                    "{}: the first array has {} axes, and an index space has at most three; {wanted}",
                    kernel.name,
                    shape.len()
                ),
            )
        }),
        None => Err(error(
            Class::InvalidArgumentError,
            format!(
                "{}: no argument is an array whose shape could be the global size; {wanted}",
                kernel.name
            ),
        )),
    }
}

/// What the kernel does with the device arrays' memory.
fn uses_of<'a>(leaves: &'a Leaves<'_, '_>, ready: &Ready) -> SmallVec<[Use<'a>; 8]> {
    let params = leaves.iter().filter(|leaf| leaf.is_param());
    params
        .zip(&ready.program.accesses)
        .filter_map(|(leaf, access)| {
            let array = leaf.array()?;
            use_of(array, *access)
        })
        .collect()
}

fn use_of(array: &Array, access: Access) -> Option<Use<'_>> {
    let access = match access {
        Access { writes: true, .. } => runtime::Access::Write,
        Access { reads: true, .. } => runtime::Access::Read,
        _ => return None,
    };
    Some(Use {
        usm: array.usm(),
        access,
    })
}

/// A launch under way.
struct Launch<'a, 'py> {
    py: Python<'py>,
    kernel: &'a PyKernel,
    space: Geometry,
    depends: &'a [Event],
}

impl Launch<'_, '_> {
    /// Submits it. In debug mode, waits and looks at the report.
    fn submit(
        &self,
        queue: &Queue,
        specialisation: &Arc<Specialisation>,
        ready: &Ready,
        mut block: Block,
        uses: &[Use<'_>],
    ) -> PyResult<Event> {
        let py = self.py;
        let Some(checks) = &ready.program.checks else {
            return self.run(queue, specialisation, ready, &block, uses);
        };
        let zero = 0i64.to_le_bytes();
        let slots = [checks.slots];
        let report =
            py.unlocked(|| Array::full(&slots, DType::Int64, UsmKind::Device, queue, &zero))?;
        block.push(report.pointer() as u64);
        block.push(checks.slots as u64);
        let mut all: SmallVec<[Use<'_>; 8]> = SmallVec::from_slice(uses);
        all.push(Use {
            usm: report.usm(),
            access: runtime::Access::Write,
        });
        let event = self.run(queue, specialisation, ready, &block, &all)?;
        let mut said = vec![0i64; checks.slots];
        let target = said.as_mut_ptr() as usize;
        py.unlocked(|| {
            event.wait()?;
            // SAFETY: as many elements as the report has.
            unsafe { queue.copy_to_host(target as *mut u8, report.usm(), 0, 8 * checks.slots) }
        })?;
        match explain(&checks.checks, &said) {
            Some(failure) => Err(bounds_error(py, self.kernel, specialisation, &failure)),
            None => Ok(event),
        }
    }

    fn run(
        &self,
        queue: &Queue,
        specialisation: &Specialisation,
        ready: &Ready,
        block: &Block,
        uses: &[Use<'_>],
    ) -> PyResult<Event> {
        let (space, depends) = (&self.space, self.depends);
        // SAFETY: the block was written for the types that the kernel was compiled for; its pointers
        // are those of arrays in `uses`, or of NumPy arrays, which the caller keeps and waits for.
        let work = || unsafe { queue.launch(&ready.kernel, block, space, uses, depends) };
        let quick = !specialisation.has_loops
            && depends.is_empty()
            && queue.runs_host_tasks()
            && space.items() <= QUICK_ITEMS
            && queue.is_idle();
        if quick {
            guarded(work)
        } else {
            self.py.unlocked(work)
        }
    }

    /// With NumPy arrays, on a device that does not reach them.
    fn staged(&self, queue: &Queue, mut leaves: Leaves<'_, '_>, mut key: Key) -> PyResult<PyEvent> {
        let py = self.py;
        let mut groups = kernel_staging::plan(&mut leaves);
        // The types are known now; the pointers come later.
        kernel_arguments::encode(&leaves, &mut key, &mut Block::new());
        let specialisation = specialise(py, self.kernel, key)?;
        let ready = specialisation.ready(py, queue)?;
        // A launch that cannot be should cost no copy.
        ready.kernel.check(&self.space).or_raise()?;
        let params: Vec<Option<usize>> = {
            let mut next = 0..;
            let number = |is_param: bool| is_param.then(|| next.next().expect("endless"));
            leaves
                .iter()
                .map(|leaf| leaf.is_param())
                .map(number)
                .collect()
        };
        let access = |leaf: usize| {
            params[leaf].map_or(Access::default(), |param| ready.program.accesses[param])
        };
        let shapes: Vec<SmallVec<[usize; 4]>> = leaves
            .iter()
            .map(|leaf| match &leaf.value {
                LeafValue::Host(array) => array.shape.clone(),
                _ => SmallVec::new(),
            })
            .collect();
        let overwritten = |leaf: usize| {
            let axes = params[leaf].and_then(|param| specialisation.overwrites[param].as_ref());
            axes.is_some_and(|axes| {
                axes.iter()
                    .zip(&shapes[leaf])
                    .all(|(&axis, &extent)| self.space.global[axis as usize] >= extent)
            })
        };
        let name = &self.kernel.name;
        let names: Vec<String> = match trace::enabled() {
            true => {
                let named =
                    |leaf: &kernel_arguments::Leaf<'_, '_>| leaf.name(&self.kernel.parameters);
                leaves.iter().map(named).collect()
            }
            false => Vec::new(),
        };
        for group in &mut groups {
            let whose = || {
                format!(
                    "'{}' is an argument of {name}",
                    names.get(group.first()).map_or("an array", |one| one)
                )
            };
            let _why = trace::because(whose);
            group.copy_in(py, &mut leaves, queue, access, overwritten)?;
        }
        let mut block = Block::new();
        kernel_arguments::encode(&leaves, &mut Key::new(), &mut block);
        let uses: SmallVec<[Use<'_>; 8]> = groups
            .iter()
            .filter_map(|group| {
                let access = if group.is_written(access) {
                    runtime::Access::Write
                } else {
                    runtime::Access::Read
                };
                Some(Use {
                    usm: group.memory()?.usm(),
                    access,
                })
            })
            .collect();
        let event = self.submit(queue, &specialisation, &ready, block, &uses)?;
        py.unlocked(|| event.wait())?;
        for group in &groups {
            let whose = || names.get(group.first()).map_or("an argument", |one| one);
            let _why = trace::because(|| format!("'{}' is written by {name}", whose()));
            group.copy_out(py, &leaves, access)?;
        }
        Ok(event.into())
    }
}

/// R4.7's message.
fn bounds_error(
    py: Python<'_>,
    kernel: &PyKernel,
    specialisation: &Specialisation,
    failure: &Failure,
) -> PyErr {
    let shown = |numbers: &[i64]| match numbers {
        [one] => format!("({one},)"),
        several => format!("{several:?}").replace('[', "(").replace(']', ")"),
    };
    // The check sees a negative index after the extent was added to it; the user wrote it without.
    let written = failure.index.iter().zip(&failure.shape);
    let written: Vec<i64> = written
        .map(|(&index, &extent)| {
            if index < 0 {
                index.wrapping_sub(extent)
            } else {
                index
            }
        })
        .collect();
    let make = || -> PyResult<PyErr> {
        let file = specialisation
            .compiled
            .files
            .get(failure.site.file as usize);
        let (name, line) = file.map_or(("unknown", 0), |file| {
            (file.name.as_str(), file.line(failure.site.span))
        });
        let source = file
            .and_then(|file| file.text.lines().nth(line - file.first_line))
            .unwrap_or("");
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        let message = format!(
            "the kernel {} reaches outside the array '{}': the index {} is not inside the shape {}\n\
             {margin}--> {name}:{line}\n{margin} |\n{number} | {source}\n{margin} |\n\
             (the first such access of the launch, on axis {}; rule R4.7)",
            kernel.name,
            failure.array,
            shown(&written),
            shown(&failure.shape),
            failure.axis
        );
        let class = py
            .import("colocate._errors")?
            .getattr("KernelBoundsError")?;
        let made = class.call1((message,))?;
        made.setattr("kernel", &kernel.name)?;
        made.setattr("file", name)?;
        made.setattr("line", line)?;
        made.setattr("array", &failure.array)?;
        made.setattr("index", PyTuple::new(py, &written)?)?;
        made.setattr("shape", PyTuple::new(py, &failure.shape)?)?;
        Ok(PyErr::from_value(made))
    };
    make().unwrap_or_else(|failure| failure)
}
