//! Where a jit function runs (R5.1, R5.2, R5.4, R3.5, R4.4).

use crate::config;
use crate::current::{self, OnSerial};
use crate::dparray;
use crate::errors::{Class, Unlocked, error};
use crate::jit::PyJitFunction;
use crate::jit_arguments::Given;
use crate::jit_specialisation::Facts;
use crate::placement;
use colocate_array::Array;
use colocate_jit::{Argument, result_kind};
use colocate_runtime::placement::execution_queue;
use colocate_runtime::{Access, Queue, UsmKind};
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use std::sync::OnceLock;

/// Where a call runs.
pub struct Place {
    pub queue: Queue,
    /// Whether host code reaches all memory of the call, and the device that of the host.
    pub unified: bool,
    /// The host's own queue, if regions may stay there (R5.11).
    pub host_queue: Option<Queue>,
    /// Of new arrays.
    pub kind: UsmKind,
    /// Whether arrays that are returned are NumPy's.
    pub host_results: bool,
    /// Whether they are `DPArray`s.
    pub shared: bool,
    pub facts: Facts,
}

/// The queue of the host: that of the first native device, whatever the default device is.
pub fn host_queue(py: Python<'_>) -> PyResult<Queue> {
    static HOST: OnceLock<Queue> = OnceLock::new();
    if let Some(queue) = HOST.get() {
        return Ok(queue.clone());
    }
    let device = current::select(py, "native:cpu:0")?;
    let queue = py.unlocked(|| device.default_queue())?;
    Ok(HOST.get_or_init(|| queue).clone())
}

/// Decides where a call runs; `device` is said to be the context's for this call.
pub fn place_of(
    py: Python<'_>,
    function: &PyJitFunction,
    given: &mut Given<'_>,
    device: Option<Queue>,
) -> PyResult<Place> {
    let surrounding = current::device_scope(py)?;
    let surrounding = surrounding.as_ref().map(|scope| scope.get());
    let on_serial = surrounding.map_or(OnSerial::Error, |scope| scope.on_serial);
    let cost_model = match &device {
        Some(_) => true,
        None => surrounding.is_some_and(|scope| scope.cost_model),
    };
    let mut scope = device.or_else(|| surrounding.map(|scope| scope.queue.clone()));
    let mut parallel = function.parallel != Some(false);
    if let (false, Some(queue)) = (parallel, &scope) {
        match on_serial {
            OnSerial::Error => return Err(conflict(function)),
            OnSerial::Offload => parallel = true,
            OnSerial::Host => scope = None,
            // One item of a native device is one thread of the host.
            OnSerial::SingleTask if queue.runs_host_tasks() => {}
            OnSerial::SingleTask => return Err(no_single_task(function, queue)),
        }
    }
    if let (Some(host), Some(array)) = (given.host, given.device) {
        return Err(mixture(function, given, host, array));
    }
    let queue = match (given.device, scope) {
        (Some(_), scope) => queue_of_arrays(py, function, given, scope)?,
        (None, Some(queue)) => queue,
        (None, None) => host_queue(py)?,
    };
    let reaches = queue.context().device_can_access_host();
    let unified = reaches
        && given
            .arrays()
            .all(|(_, array)| array.usm().host_can_access());
    if !given.records.is_empty() && !unified {
        return Err(error(
            Class::CompileError,
            format!(
                "{}: records are used where the device reaches the memory of the host, and {} does not; pass \
                 their fields as arrays",
                function.name,
                queue.device().label()
            ),
        ));
    }
    if given.shared {
        settle_shared(py, given, &queue, unified)?;
    }
    let device_kind = match unified && !queue.context().host_can_access(UsmKind::Device) {
        true => UsmKind::Shared,
        false => UsmKind::Device,
    };
    let kind = match given.device {
        Some(_) => result_kind(given.arrays().map(|(_, array)| array)).unwrap_or(device_kind),
        None if given.shared => UsmKind::Shared,
        None => device_kind,
    };
    // On native devices the host is the device, or is to be told from it for trials.
    let may_stay = cost_model && !queue.runs_host_tasks();
    Ok(Place {
        host_queue: may_stay.then(|| host_queue(py)).transpose()?,
        facts: Facts::new(&queue, unified, parallel, function.boundscheck),
        unified,
        kind,
        host_results: given.device.is_none() && !given.shared,
        shared: given.shared,
        queue,
    })
}

/// The queue of all device arrays (R3.1), which must be the context's, if there is one (R4.4).
fn queue_of_arrays(
    py: Python<'_>,
    function: &PyJitFunction,
    given: &Given<'_>,
    scope: Option<Queue>,
) -> PyResult<Queue> {
    let found = execution_queue(given.arrays().map(|(_, array)| array.queue()));
    let Ok(Some(queue)) = found.map(|queue| queue.cloned()) else {
        let names: Vec<(String, &Array)> = given
            .arrays()
            .map(|(leaf, array)| (given.name(leaf, &function.parameters), array))
            .collect();
        let named = names.iter().map(|(name, array)| (name.as_str(), *array));
        return Err(placement::disagreement(&function.name, named));
    };
    if let Some(scope) = scope
        && !scope.equivalent(&queue)
    {
        return Err(contradiction(function, given, &scope));
    }
    if config::warn_on_mixed_usm() {
        let kinds: Vec<UsmKind> = given.arrays().map(|(_, array)| array.kind()).collect();
        placement::warn_about_mixture(py, &kinds)?;
    }
    Ok(queue)
}

/// Arrays in memory that both sides reach are used in place by a queue of their context, and by
/// the host after pending work.
fn settle_shared(
    py: Python<'_>,
    given: &mut Given<'_>,
    queue: &Queue,
    unified: bool,
) -> PyResult<()> {
    for (argument, object) in given.arguments.iter_mut().zip(&given.objects) {
        let Ok(array) = object.cast::<PyUntypedArray>() else {
            continue;
        };
        if unified {
            if let Some(array) = dparray::array_of(array) {
                py.unlocked(|| array.usm().wait_for(Access::Write))?;
            }
        } else if let Some(array) = dparray::array_on(array, queue) {
            *argument = Argument::Device(array);
        }
    }
    Ok(())
}

/// R5.4's refusal.
fn conflict(function: &PyJitFunction) -> PyErr {
    error(
        Class::ParallelConflictError,
        format!(
            "{}: the function says parallel=False, and the device context asks for its parallel regions; \
             leave one of them away, or say what is meant: \
             colocate.device_context(..., on_serial=\"offload\" or \"host\") (rule R5.4)",
            function.name
        ),
    )
}

/// A jit function has a host part, which no other device can run.
fn no_single_task(function: &PyJitFunction, queue: &Queue) -> PyErr {
    error(
        Class::ParallelConflictError,
        format!(
            "{}: on_serial=\"single_task\" cannot be had on {}, since the function's own statements run on the \
             host; write \"host\" to keep all of it there, or \"offload\" to run its regions on the device \
             (rule R5.4)",
            function.name,
            queue.device().label()
        ),
    )
}

/// R3.5's refusal.
fn mixture(function: &PyJitFunction, given: &Given<'_>, host: usize, array: usize) -> PyErr {
    let host = given.name(host, &function.parameters);
    let array = given.name(array, &function.parameters);
    error(
        Class::HostDataError,
        format!(
            "{}: argument '{host}' is a numpy.ndarray, and argument '{array}' is a device array; host \
             data is not mixed with device arrays (rule R3.5); bring it over first: \
             {host} = colocate.asarray({host}, queue={array}.queue)",
            function.name
        ),
    )
}

/// R4.4's refusal.
fn contradiction(function: &PyJitFunction, given: &Given<'_>, scope: &Queue) -> PyErr {
    let mut text = format!(
        "{}: the device context says {}, {}, but the arrays live elsewhere:\n",
        function.name,
        scope.device().label(),
        scope.label()
    );
    let mut way_out = String::new();
    for (leaf, array) in given.arrays() {
        let name = given.name(leaf, &function.parameters);
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
    text.push_str("(rules R5.2 and R4.4)");
    error(Class::ExecutionPlacementError, text)
}
