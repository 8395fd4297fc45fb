//! Machine code linked into this process.
//!
//! The linker does not take two objects with the same entry point at once. Code lives as long
//! as anybody has its image, which may be longer than the memory cache keeps the program. So all
//! live code is known here by the name of its entry point, and asking for it again gives the same.

use colocate_codegen_llvm::{self as llvm, LoadedCode};
use colocate_hal::fork;
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, Weak};

/// Code of one entry point.
pub struct LinkedCode {
    entry: String,
    code: ManuallyDrop<LoadedCode>,
}

impl LinkedCode {
    /// Where the entry point is.
    pub fn address(&self) -> usize {
        self.code.address
    }
}

/// Live code, and code that is being freed: that one is dead and still there.
static LINKED: LazyLock<Mutex<HashMap<String, Weak<LinkedCode>>>> = LazyLock::new(Mutex::default);

fn linked() -> MutexGuard<'static, HashMap<String, Weak<LinkedCode>>> {
    LINKED.lock().unwrap_or_else(|poison| poison.into_inner())
}

/// Links an object file, or gives what is linked already under this name: names are made from
/// what the code is made from.
pub fn link(object: &[u8], entry: &str) -> Result<Arc<LinkedCode>, llvm::Error> {
    loop {
        {
            // Linking is done within: a fork must not leave the linker's lock behind.
            let _critical = fork::critical();
            let mut linked = linked();
            match linked.get(entry).map(Weak::upgrade) {
                Some(Some(code)) => return Ok(code),
                Some(None) => {}
                None => {
                    let code = Arc::new(LinkedCode {
                        entry: entry.to_owned(),
                        code: ManuallyDrop::new(llvm::load(object, entry)?),
                    });
                    linked.insert(entry.to_owned(), Arc::downgrade(&code));
                    return Ok(code);
                }
            }
        }
        // Another thread is about to free it.
        std::thread::yield_now();
    }
}

impl Drop for LinkedCode {
    fn drop(&mut self) {
        let _critical = fork::critical();
        // SAFETY: nobody has the code any more, and it is not touched again.
        unsafe { ManuallyDrop::drop(&mut self.code) };
        linked().remove(&self.entry);
    }
}
