//! What a thread's reports belong to: a line of the user's program, and a reason.

use crate::{Site, enabled};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::OnceLock;

thread_local! {
    static LINE: RefCell<Option<Site>> = const { RefCell::new(None) };
    static REASON: RefCell<Option<Arc<str>>> = const { RefCell::new(None) };
}

type Locator = fn() -> Option<Site>;
static LOCATOR: OnceLock<Locator> = OnceLock::new();

/// Registers who can say which line of the user's program this thread is in, for reports outside
/// any [`in_line`]. It is only asked while something is recorded.
pub fn set_locator(locator: Locator) {
    // A second registration of the same process changes nothing.
    let _ = LOCATOR.set(locator);
}

/// The line that this thread is in.
pub fn line() -> Option<Site> {
    let scoped = LINE.with_borrow(Option::clone);
    scoped.or_else(|| LOCATOR.get().and_then(|locate| locate()))
}

pub(crate) fn reason() -> Option<Arc<str>> {
    REASON.with_borrow(Option::clone)
}

/// Everything that this thread reports until the guard is dropped belongs to this line. `None`
/// changes nothing. The innermost counts.
#[must_use = "it counts until it is dropped"]
pub fn in_line(site: Option<Site>) -> InLine {
    InLine(site.map(|site| LINE.replace(Some(site))))
}

/// See [`in_line`].
pub struct InLine(Option<Option<Site>>);

impl Drop for InLine {
    fn drop(&mut self) {
        if let Some(before) = self.0.take() {
            LINE.set(before);
        }
    }
}

/// What this thread reports until the guard is dropped happens for this reason. The outermost
/// counts, since it is nearest to the user; nothing is made or kept while nothing is recorded.
#[must_use = "it counts until it is dropped"]
pub fn because(reason: impl FnOnce() -> String) -> Because {
    let first = enabled() && REASON.with_borrow(Option::is_none);
    if first {
        REASON.set(Some(reason().into()));
    }
    Because { first }
}

/// See [`because`].
pub struct Because {
    first: bool,
}

impl Drop for Because {
    fn drop(&mut self) {
        if self.first {
            REASON.set(None);
        }
    }
}
