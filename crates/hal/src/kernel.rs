//! Kernels: images of them, what they are launched with, and over which index space.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A kernel that a context has loaded.
pub type KernelRef = Arc<dyn Kernel>;

/// A kernel that a context has loaded; [`crate::Queue::launch`] runs it.
pub trait Kernel: Send + Sync + Debug {
    /// The name of its entry point.
    fn name(&self) -> &str;
    /// How many items a group of it can have at most on its device.
    fn max_group_size(&self) -> usize;
    /// For the backend's own downcasts.
    fn as_any(&self) -> &dyn Any;
}

/// Compiled code, as a backend takes it.
#[derive(Clone, Debug)]
pub struct KernelImage {
    /// The name of the entry point.
    pub name: String,
    /// What each slot of the argument block is.
    pub slots: Vec<SlotKind>,
    /// Whether it is launched over groups.
    pub grouped: bool,
    /// The code itself.
    pub code: KernelCode,
}

/// What a slot of the argument block is. All slots have 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlotKind {
    /// An address.
    Pointer,
    /// Anything else: a number in the low bytes.
    Word,
}

/// Code in the form that a kind of backend takes.
#[derive(Clone, Debug)]
pub enum KernelCode {
    /// Machine code in this process.
    Host(HostCode),
    /// A SPIR-V module for OpenCL. Without groups its entry point takes three words after the
    /// argument block, the extents of the space, and items beyond them do nothing.
    SpirV(Arc<[u32]>),
    /// A CUDA binary.
    Cubin(Arc<[u8]>),
}

/// Machine code in this process.
#[derive(Clone)]
pub struct HostCode {
    /// Runs part of an index space.
    pub entry: HostEntry,
    /// Bytes of working memory that a call needs in any case.
    pub scratch_bytes: usize,
    /// Bytes of working memory for each item of a group, on top.
    pub scratch_bytes_per_item: usize,
    /// How many items the code works on at a time: a row of items takes working memory for a
    /// multiple of this.
    pub lanes: usize,
    /// About how many nanoseconds an item takes; for deciding whether to use other threads.
    pub item_cost: f32,
    /// Keeps the code in memory.
    pub keep: Arc<dyn Any + Send + Sync>,
}

impl Debug for HostCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HostCode({:p})", self.entry as *const ())
    }
}

/// Runs the part of an index space that `part` names with the arguments in the block, using working
/// memory that is aligned to [`crate::ALIGNMENT`]. Parts do not overlap, and may run at the same time.
///
/// # Safety
/// The block has the image's slots, its pointers are valid for what the kernel does, and the
/// working memory has the size that [`HostCode`] says.
pub type HostEntry =
    unsafe extern "C" fn(arguments: *const u64, part: *const HostPart, scratch: *mut u8);

/// A part of an index space for [`HostEntry`]. Axes that the space does not have count 1.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPart {
    /// The whole space, in items.
    pub global: [i64; 3],
    /// A group, in items; 1 for kernels without groups.
    pub local: [i64; 3],
    /// The first item of the part on each axis, or for grouped kernels the first group.
    pub begin: [i64; 3],
    /// One beyond the last.
    pub end: [i64; 3],
}

/// The index space of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Geometry {
    /// How many axes it has: 1, 2 or 3.
    pub rank: usize,
    /// Its extents in items; 1 beyond the rank. The last axis is the fastest: neighbours along it
    /// are neighbours on the device.
    pub global: [usize; 3],
    /// The extents of a group, which divide those of the space; `None` leaves them to the device.
    pub local: Option<[usize; 3]>,
}

impl Geometry {
    /// How many items there are.
    pub fn items(&self) -> usize {
        self.global.iter().product()
    }

    /// How many items a group has; 1 if that is the device's choice.
    pub fn group_items(&self) -> usize {
        self.local.map_or(1, |local| local.iter().product())
    }
}
