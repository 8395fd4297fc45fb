//! What the SYCL backend asks of the Python environment.

use crate::queue::take_capsule;
use colocate_backend_sycl::Surroundings;
use pyo3::prelude::*;
use std::ffi::c_void;
use std::path::PathBuf;

/// Answers by `colocate/_sycl.py`.
pub struct PythonEnvironment;

impl Surroundings for PythonEnvironment {
    fn locate_library(&self) -> Result<PathBuf, String> {
        Python::attach(|py| {
            let answer = py
                .import("colocate._sycl")
                .and_then(|module| module.call_method0("locate_library"))
                .and_then(|answer| answer.extract::<(Option<PathBuf>, String)>())
                .map_err(|failure| failure.to_string())?;
            match answer {
                (Some(path), _) => Ok(path),
                (None, why) => Err(why),
            }
        })
    }

    fn with_cached_queue(&self, selector: &str, share: &mut dyn FnMut(*mut c_void)) {
        Python::attach(|py| {
            let capsule = py
                .import("colocate._sycl")
                .and_then(|module| module.call_method1("cached_queue_capsule", (selector,)));
            // Without dpctl's queue the device has one of our own.
            if let Ok(capsule) = capsule
                && let Ok(raw) = take_capsule(&capsule, c"SyclQueueRef", c"used_SyclQueueRef")
            {
                share(raw);
            }
        });
    }
}
