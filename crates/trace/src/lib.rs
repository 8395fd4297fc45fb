//! What a program did and when, recorded while somebody asks for it.
//!
//! Whoever does something worth seeing reports it here: the runtime its kernels, copies and
//! allocations, the compiler its stages, the executor of jit functions its calls and regions. A
//! [`Recording`] collects it all, from every thread, until it is stopped. Recordings may overlap.
//!
//! While there is none, a report costs one relaxed load of an atomic: [`enabled`]. What a
//! report takes to prepare (names, sizes) should be prepared behind that question, which the
//! functions here ask themselves.
//!
//! # Reporting
//! Something that the host does, as a span that ends when it is dropped:
//! ```
//! use colocate_trace::{self as trace, Category, Site};
//!
//! let line = trace::enabled().then(|| Site::new("model.py", 12));
//! {
//!     let _span = trace::span(Category::Region, "sum").at(line.clone()).items(1000);
//!     // Whatever is reported by this thread in here, kernels too, belongs to line 12, ...
//!     let _line = trace::in_line(line);
//!     // ... and copies happen for this reason.
//!     let _why = trace::because(|| "y is read on the host".into());
//! }
//! ```
//! Work that a device does is reported by `colocate_runtime`'s queues and by nobody else
//! ([`work`]); its times are read when they are known.
//!
//! # Times
//! All times are nanoseconds of [`now`]. A device with a clock of its own is brought onto it when
//! the recording stops, so that work is submitted during the calls that submit it ([`Clock`]).
//!
//! What always holds: a report never waits for a device, unless hundreds of reports have been made
//! since; it takes no lock for longer than an instant; it fails nothing. No report is made from
//! inside a `hal::fork::critical` section, because the line that it belongs to may have to be asked
//! for (see [`set_locator`]).

mod record;
mod recorder;
mod scope;
mod span;

pub use colocate_hal::timing::{now, wanted as enabled};
pub use record::{Category, Clock, Lane, Record, Site, Times, Timing};
pub use recorder::{Recording, Results, work};
pub use scope::{Because, InLine, because, in_line, line, set_locator};
pub use span::{Span, instant, span};
