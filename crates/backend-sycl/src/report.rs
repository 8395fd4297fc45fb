//! What the runtime said when a call failed.
//!
//! The C interface answers a failed call with NULL and nothing else; the reason goes to standard
//! error, as an error or as a warning, and only if `DPCTL_VERBOSITY` asks for it. So a call that failed is made once more
//! with that set and standard error led into memory. That costs nothing while all is well. A
//! submission that failed was not submitted, so making it again does no harm, and should the
//! second try succeed, its result is used.

use crate::api::Ref;
use colocate_hal::{Error, Result, fork};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};

const NOTHING: &str = "the runtime gave no reason";

static ASYNC_ERROR: AtomicI32 = AtomicI32::new(0);

/// The handler given to every queue and context.
pub extern "C" fn on_async_error(code: i32) {
    ASYNC_ERROR.store(if code == 0 { -1 } else { code }, Ordering::Release);
}

/// Fails if work submitted earlier failed in the meantime.
pub fn check_async(device: &str) -> Result<()> {
    if ASYNC_ERROR.load(Ordering::Acquire) == 0 {
        return Ok(());
    }
    match ASYNC_ERROR.swap(0, Ordering::AcqRel) {
        0 => Ok(()),
        code => Err(Error::Work {
            device: device.to_owned(),
            why: format!("the SYCL runtime reported error {code}"),
        }),
    }
}

/// Makes a call that gives NULL when it fails; if it does, finds out why.
pub fn checked(
    operation: &str,
    device: &str,
    name: &'static str,
    call: impl Fn() -> Ref,
) -> Result<Ref> {
    let first = call();
    if !first.is_null() {
        return Ok(first);
    }
    let (second, said) = with_captured_errors(&call);
    if !second.is_null() {
        return Ok(second);
    }
    Err(Error::Call {
        operation: operation.to_owned(),
        device: device.to_owned(),
        call: name,
        report: said,
    })
}

fn with_captured_errors<T>(call: impl Fn() -> T) -> (T, String) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(|e| e.into_inner());
    let _critical = fork::critical();
    let Some(mut capture) = Capture::start() else {
        return (call(), NOTHING.into());
    };
    let result = call();
    (result, capture.finish())
}

/// Standard error led into a memory file, and the verbosity raised.
struct Capture {
    memory: File,
    original: OwnedFd,
    verbosity: Option<std::ffi::OsString>,
}

impl Capture {
    fn start() -> Option<Capture> {
        // SAFETY: plain system calls on descriptors that we own or that every process has. The
        // environment is changed as any C library may change it; the window is a failed call.
        unsafe {
            let memory = libc::memfd_create(c"colocate-stderr".as_ptr(), libc::MFD_CLOEXEC);
            if memory < 0 {
                return None;
            }
            let memory = File::from_raw_fd(memory);
            let original = libc::fcntl(2, libc::F_DUPFD_CLOEXEC, 3);
            if original < 0 {
                return None;
            }
            let original = OwnedFd::from_raw_fd(original);
            if libc::dup2(memory.as_raw_fd(), 2) < 0 {
                return None;
            }
            let verbosity = std::env::var_os("DPCTL_VERBOSITY");
            std::env::set_var("DPCTL_VERBOSITY", "warning");
            Some(Capture {
                memory,
                original,
                verbosity,
            })
        }
    }

    /// Puts everything back; gives the runtime's words and passes on anybody else's.
    fn finish(&mut self) -> String {
        // SAFETY: as in `start`.
        unsafe {
            libc::dup2(self.original.as_raw_fd(), 2);
            match &self.verbosity {
                Some(value) => std::env::set_var("DPCTL_VERBOSITY", value),
                None => std::env::remove_var("DPCTL_VERBOSITY"),
            }
        }
        let mut text = String::new();
        let read = self
            .memory
            .rewind()
            .and_then(|()| self.memory.read_to_string(&mut text));
        if read.is_err() {
            return NOTHING.into();
        }
        let (ours, others): (Vec<&str>, Vec<&str>) = text
            .lines()
            .partition(|line| MARKS.iter().any(|mark| line.starts_with(mark)));
        for line in others {
            let _ = writeln!(std::io::stderr(), "{line}");
        }
        let reasons: Vec<&str> = ours.iter().map(|line| reason_in(line)).collect();
        if reasons.is_empty() {
            NOTHING.into()
        } else {
            reasons.join("; ")
        }
    }
}

/// What the runtime's lines begin with.
const MARKS: [&str; 2] = ["[ERR]", "[WARN]"];

/// `[ERR] reason in Function at file:line` → `reason`.
fn reason_in(line: &str) -> &str {
    let unmarked = MARKS.iter().find_map(|mark| line.strip_prefix(mark));
    let line = unmarked.unwrap_or(line).trim();
    let function = line.rfind(" at ").and_then(|end| line[..end].rfind(" in "));
    function.map_or(line, |end| &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_told_from_the_place() {
        let line = "[ERR] opencl backend failed with error: 5 in DPCTLQueue_Memcpy at /a/b.cpp:648";
        assert_eq!(reason_in(line), "opencl backend failed with error: 5");
        assert_eq!(reason_in("[ERR] no place"), "no place");
        let line = "[WARN] failed in the end in _Create_impl at /a/b.cpp:1";
        assert_eq!(reason_in(line), "failed in the end");
    }

    #[test]
    fn what_is_written_to_standard_error_is_captured_and_the_environment_restored() {
        let before = std::env::var_os("DPCTL_VERBOSITY");
        let ((), said) = with_captured_errors(|| {
            let line = "[ERR] out of luck in DPCTLTest at here:1\n";
            // SAFETY: writes a valid buffer to standard error.
            unsafe { libc::write(2, line.as_ptr().cast(), line.len()) };
        });
        assert_eq!(said, "out of luck");
        assert_eq!(std::env::var_os("DPCTL_VERBOSITY"), before);
    }
}
