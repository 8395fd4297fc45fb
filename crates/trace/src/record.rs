//! What is recorded.

use std::sync::Arc;

/// What kind of thing happened.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Category {
    /// A device ran a kernel.
    Kernel,
    /// Bytes were copied.
    Copy,
    /// A pattern was written over and over.
    Fill,
    /// A native device ran host code as work of a queue.
    HostTask,
    /// The host waited for a device.
    Wait,
    /// A stage of a compilation.
    Compile,
    /// Compiled code was found, in memory or on disk.
    CacheHit,
    /// A jit function was called.
    Call,
    /// A parallel region of a jit function was prepared and submitted.
    Region,
    /// A jit function called a function of the array library.
    Library,
    /// Memory was taken.
    Allocation,
    /// Memory was given back.
    Free,
}

impl Category {
    /// All of them.
    pub const ALL: [Category; 12] = [
        Category::Kernel,
        Category::Copy,
        Category::Fill,
        Category::HostTask,
        Category::Wait,
        Category::Compile,
        Category::CacheHit,
        Category::Call,
        Category::Region,
        Category::Library,
        Category::Allocation,
        Category::Free,
    ];

    /// As users see it.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Kernel => "kernel",
            Category::Copy => "copy",
            Category::Fill => "fill",
            Category::HostTask => "host task",
            Category::Wait => "wait",
            Category::Compile => "compile",
            Category::CacheHit => "cache hit",
            Category::Call => "call",
            Category::Region => "region",
            Category::Library => "library",
            Category::Allocation => "allocation",
            Category::Free => "free",
        }
    }
}

/// A line of the user's program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Site {
    /// The file's name.
    pub file: Arc<str>,
    /// From 1.
    pub line: u32,
}

impl Site {
    /// A line of a file.
    pub fn new(file: impl Into<Arc<str>>, line: u32) -> Site {
        Site {
            file: file.into(),
            line,
        }
    }
}

/// The queue that work ran on, as users tell it from others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lane {
    /// Its device.
    pub device: Arc<str>,
    /// Itself.
    pub queue: Arc<str>,
}

/// What a record's times are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Timing {
    /// The host looked at its clock before and after.
    #[default]
    Host,
    /// Measured where the work ran.
    Device,
    /// From the call that submitted it until somebody saw that it was over: it ran some
    /// time in between.
    Seen,
}

impl Timing {
    /// As users see it.
    pub const fn name(self) -> &'static str {
        match self {
            Timing::Host => "host",
            Timing::Device => "device",
            Timing::Seen => "seen",
        }
    }
}

/// Something that happened.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// What kind of thing.
    pub category: Category,
    /// What it is called: a kernel's name, a stage, `host to device`.
    pub name: Arc<str>,
    /// When it began.
    pub start: u64,
    /// When it was over; for what takes no time, when it began.
    pub end: u64,
    /// What the times are.
    pub timing: Timing,
    /// When the host submitted it; the same as `start` for what the host does itself.
    pub submitted: u64,
    /// The thread that reported it, by the system's number.
    pub thread: u64,
    /// Where it ran, if a device did.
    pub lane: Option<Lane>,
    /// The line of the user's program that it belongs to.
    pub site: Option<Site>,
    /// How many items a kernel ran over.
    pub items: u64,
    /// How many bytes were copied, filled or allocated.
    pub bytes: u64,
    /// Why it happened, or what else there is to say.
    pub why: Option<Arc<str>>,
}

/// Whose clock times are on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Clock {
    /// [`crate::now`].
    Host,
    /// A device's own, by a number that is the device's alone.
    Device(u64),
}

/// When work was submitted, began and ended, as its device has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Times {
    pub clock: Clock,
    pub submit: u64,
    pub start: u64,
    pub end: u64,
}
