//! Recording what a program does, for `colocate.profile`, and which line of Python it does it in.

use crate::errors::Unlocked;
use colocate_runtime::trace::{self, Recording, Results, Site};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

thread_local! {
    /// How often this thread has let the GIL go and not taken it again.
    static RELEASED: Cell<usize> = const { Cell::new(0) };
}

/// Where the Python package is; frames of its files are not the user's.
static PACKAGE: OnceLock<String> = OnceLock::new();

/// Lets the GIL go. What is recorded meanwhile belongs to the line that Python is in now.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    struct Released;
    impl Drop for Released {
        fn drop(&mut self) {
            RELEASED.set(RELEASED.get() - 1);
        }
    }
    let _line = trace::enabled().then(|| trace::in_line(trace::line()));
    py.detach(|| {
        RELEASED.set(RELEASED.get() + 1);
        let _released = Released;
        work()
    })
}

/// The line of the user's program that this thread is in, if it has the GIL. Must not wait for it:
/// whoever has it may be waiting for us.
fn locate() -> Option<Site> {
    // SAFETY: takes nothing and may be called by any thread.
    let knows_python = unsafe { !pyo3::ffi::PyGILState_GetThisThreadState().is_null() };
    if RELEASED.get() > 0 || !knows_python {
        return None;
    }
    Python::attach(|py| users_frame(py).ok().flatten())
}

/// The innermost frame that is none of ours.
fn users_frame(py: Python<'_>) -> PyResult<Option<Site>> {
    let package = PACKAGE.get().map_or("", String::as_str);
    // SAFETY: the GIL is held; the frame is borrowed, or there is none.
    let frame = unsafe { pyo3::ffi::PyEval_GetFrame() };
    // SAFETY: as above.
    let mut frame = unsafe { Bound::from_borrowed_ptr_or_opt(py, frame.cast()) };
    while let Some(one) = frame {
        let file = one.getattr(pyo3::intern!(py, "f_code"))?;
        let file = file.getattr(pyo3::intern!(py, "co_filename"))?;
        let file = file.cast::<PyString>()?.to_cow()?;
        if package.is_empty() || !file.starts_with(package) {
            let line = one.getattr(pyo3::intern!(py, "f_lineno"))?.extract()?;
            return Ok(Some(Site::new(&*file, line)));
        }
        let back = one.getattr(pyo3::intern!(py, "f_back"))?;
        frame = (!back.is_none()).then_some(back);
    }
    Ok(None)
}

/// A recording that runs.
#[pyclass(frozen)]
struct _Recording(Mutex<Option<Recording>>);

/// Python strings of names that come again and again.
struct Strings<'py> {
    py: Python<'py>,
    known: HashMap<Arc<str>, Bound<'py, PyString>>,
}

impl<'py> Strings<'py> {
    fn get(&mut self, text: &Arc<str>) -> Bound<'py, PyString> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        let made = PyString::new(self.py, text);
        self.known.insert(text.clone(), made.clone());
        made
    }
}

#[pymethods]
impl _Recording {
    /// Stops it: the start, the end, how many records were dropped, and the records.
    fn stop<'py>(&self, py: Python<'py>) -> PyResult<(u64, u64, u64, Bound<'py, PyList>)> {
        let recording = self.0.lock().unwrap_or_else(|e| e.into_inner()).take();
        let Some(recording) = recording else {
            return Ok((0, 0, 0, PyList::empty(py)));
        };
        // What it waits for may need the GIL to end.
        let found = py.unlocked(|| Ok::<Results, colocate_runtime::Error>(recording.stop()))?;
        let mut strings = Strings {
            py,
            known: HashMap::new(),
        };
        let list = PyList::empty(py);
        for record in &found.records {
            let site = record.site.as_ref();
            let lane = record.lane.as_ref();
            let why = record.why.as_ref().map(|why| strings.get(why));
            let fields = [
                PyString::intern(py, record.category.name()).into_any(),
                strings.get(&record.name).into_any(),
                record.start.into_pyobject(py)?.into_any(),
                record.end.into_pyobject(py)?.into_any(),
                PyString::intern(py, record.timing.name()).into_any(),
                record.submitted.into_pyobject(py)?.into_any(),
                record.thread.into_pyobject(py)?.into_any(),
                lane.map(|lane| strings.get(&lane.device))
                    .into_pyobject(py)?,
                lane.map(|lane| strings.get(&lane.queue))
                    .into_pyobject(py)?,
                site.map(|site| strings.get(&site.file)).into_pyobject(py)?,
                site.map(|site| site.line).into_pyobject(py)?,
                record.items.into_pyobject(py)?.into_any(),
                record.bytes.into_pyobject(py)?.into_any(),
                why.into_pyobject(py)?,
            ];
            list.append(PyTuple::new(py, fields)?)?;
        }
        Ok((found.start, found.end, found.dropped, list))
    }
}

/// Starts to record. `package` is the folder that colocate's Python files are in.
#[pyfunction]
fn _start_recording(package: String) -> _Recording {
    let _ = PACKAGE.set(package);
    trace::set_locator(locate);
    _Recording(Mutex::new(Some(Recording::start())))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_start_recording, module)?)
}
