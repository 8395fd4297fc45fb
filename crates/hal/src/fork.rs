//! Living through `fork`.
//!
//! A child has the parent's memory but only one thread: worker threads are gone, and a lock
//! that another thread held stays locked for ever. So that a child neither hangs nor sees
//! half-done work:
//!
//! * every short critical section of colocate runs under a [`critical`] guard; `fork` waits for
//!   all of them, so no lock of ours is held while the process is copied;
//! * before that, `fork` lets nobody [`admit`] new work and calls each [`on_fork`] hook, in which
//!   the native backend finishes what it has been given, so that arrays in the child hold what
//!   they should;
//! * the child has another [`generation`]; whoever keeps threads or a driver's handles compares
//!   it with the one it was made in, and starts anew or refuses.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, Once, RwLock, RwLockReadGuard, RwLockWriteGuard};

static GENERATION: AtomicU64 = AtomicU64::new(0);
/// Forks that are being prepared.
static PREPARING: AtomicUsize = AtomicUsize::new(0);
static CRITICAL: RwLock<()> = RwLock::new(());
static HOOKS: Mutex<Vec<fn()>> = Mutex::new(Vec::new());
static INSTALL: Once = Once::new();

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    // fork calls all three handlers on the thread that forks.
    static HELD: RefCell<Option<RwLockWriteGuard<'static, ()>>> = const { RefCell::new(None) };
}

/// How many forks lie between the first process and this one.
pub fn generation() -> u64 {
    GENERATION.load(Ordering::Acquire)
}

/// Registers what to do in the parent just before a fork. Must not take a [`critical`] guard for
/// longer than an instant, and must end.
pub fn on_fork(hook: fn()) {
    HOOKS
        .lock()
        .expect("no hook registration panics")
        .push(hook);
    watch();
}

/// Sees to it that forks are noticed; for whoever compares [`generation`]s.
pub fn watch() {
    INSTALL.call_once(|| {
        // SAFETY: the three handlers are plain functions that stay valid for ever.
        unsafe {
            libc::pthread_atfork(Some(prepare), Some(in_parent), Some(in_child));
        }
    });
}

/// Waits while a fork is being prepared; call it, with no guard held, before taking on new work
/// that a hook would have to finish.
pub fn admit() {
    while PREPARING.load(Ordering::Acquire) != 0 {
        std::thread::sleep(std::time::Duration::from_micros(20));
    }
}

/// A guard under which locks may be taken; hold it for an instant only. Nests.
pub fn critical() -> Critical {
    // A nested read lock would deadlock with a fork that waits between the two.
    let outer = DEPTH.with(|depth| depth.replace(depth.get() + 1));
    Critical {
        _lock: (outer == 0).then(|| CRITICAL.read().unwrap_or_else(|e| e.into_inner())),
    }
}

/// See [`critical`].
pub struct Critical {
    _lock: Option<RwLockReadGuard<'static, ()>>,
}

impl Drop for Critical {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get() - 1));
    }
}

extern "C" fn prepare() {
    PREPARING.fetch_add(1, Ordering::AcqRel);
    let hooks = match HOOKS.lock() {
        Ok(hooks) => hooks.clone(),
        Err(_) => return,
    };
    for hook in hooks {
        hook();
    }
    let exclusive = CRITICAL.write().unwrap_or_else(|e| e.into_inner());
    HELD.set(Some(exclusive));
}

extern "C" fn in_parent() {
    HELD.take();
    PREPARING.fetch_sub(1, Ordering::AcqRel);
}

extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::AcqRel);
    HELD.take();
    // Whoever else was preparing a fork is not in this process.
    PREPARING.store(0, Ordering::Release);
}
