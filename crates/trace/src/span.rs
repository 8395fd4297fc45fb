//! What the host does.

use crate::recorder::push;
use crate::{Category, Lane, Record, Site, Timing, enabled, now, scope};
use colocate_hal::fork;
use std::cell::Cell;

thread_local! {
    /// This thread's number and the process that it was asked for in.
    static THREAD: Cell<Option<(u64, u64)>> = const { Cell::new(None) };
}

/// This thread's number, as the system has it.
fn thread() -> u64 {
    let generation = fork::generation();
    match THREAD.get() {
        Some((number, asked_in)) if asked_in == generation => number,
        _ => {
            // SAFETY: takes nothing and cannot fail.
            let number = unsafe { libc::syscall(libc::SYS_gettid) } as u64;
            THREAD.set(Some((number, generation)));
            number
        }
    }
}

/// A record of now, with this thread's number and reason; its line is still to be found.
pub(crate) fn fresh(category: Category, name: &str) -> Record {
    let start = now();
    Record {
        category,
        name: name.into(),
        start,
        end: start,
        timing: Timing::Host,
        submitted: start,
        thread: thread(),
        lane: None,
        site: None,
        items: 0,
        bytes: 0,
        why: scope::reason(),
    }
}

/// Something that the host does from now until the span is dropped. Costs nothing, and is
/// nothing, while nothing is recorded.
#[must_use = "it ends when it is dropped"]
pub fn span(category: Category, name: &str) -> Span {
    Span(enabled().then(|| {
        Box::new(Open {
            record: fresh(category, name),
            lasts: true,
        })
    }))
}

/// Something that took no time, or none worth telling. Like a span that is dropped at once.
pub fn instant(category: Category, name: &str) -> Span {
    let mut span = span(category, name);
    if let Some(open) = &mut span.0 {
        open.lasts = false;
    }
    span
}

/// See [`span`].
pub struct Span(Option<Box<Open>>);

struct Open {
    record: Record,
    /// Whether it ends when it is dropped; else it ends when it begins.
    lasts: bool,
}

impl Span {
    /// Whether it will be recorded, so that what is told of it is worth finding out.
    pub fn is_recorded(&self) -> bool {
        self.0.is_some()
    }

    fn tell(mut self, tell: impl FnOnce(&mut Record)) -> Span {
        if let Some(open) = &mut self.0 {
            tell(&mut open.record);
        }
        self
    }

    /// The line that it belongs to, if it is not the one that the thread is in.
    pub fn at(self, site: Option<Site>) -> Span {
        self.tell(|record| record.site = site)
    }

    /// How many items it has.
    pub fn items(self, items: u64) -> Span {
        self.tell(|record| record.items = items)
    }

    /// How many bytes it is about.
    pub fn bytes(self, bytes: u64) -> Span {
        self.tell(|record| record.bytes = bytes)
    }

    /// Why, or what else there is to say.
    pub fn why(self, why: impl FnOnce() -> String) -> Span {
        self.tell(|record| record.why = Some(why().into()))
    }

    /// The queue it is about.
    pub fn on(self, lane: impl FnOnce() -> Lane) -> Span {
        self.tell(|record| record.lane = Some(lane()))
    }

    /// Calls it otherwise; for what is known only at the end.
    pub fn rename(&mut self, name: &str) {
        if let Some(open) = &mut self.0 {
            open.record.name = name.into();
        }
    }

    /// Says why, or what else there is to say; for what is known only at the end.
    pub fn note(&mut self, why: impl FnOnce() -> String) {
        if let Some(open) = &mut self.0 {
            open.record.why = Some(why().into());
        }
    }

    /// Drops it without a record.
    pub fn forget(mut self) {
        self.0 = None;
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        let Some(open) = self.0.take() else {
            return;
        };
        let Open { mut record, lasts } = *open;
        if lasts {
            record.end = now();
        }
        if record.site.is_none() && record.category != Category::Free {
            record.site = scope::line();
        }
        push(record, None);
    }
}
