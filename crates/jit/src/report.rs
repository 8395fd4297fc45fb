//! What a call did: for explanations and profiles.

use colocate_diag::Site;

/// Which way data went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the device.
    ToDevice,
    /// To the host.
    ToHost,
}

/// Data that was moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The array's name in the program.
    pub array: String,
    /// Which way.
    pub direction: Direction,
    /// How much.
    pub bytes: usize,
    /// What made it necessary.
    pub why: String,
    /// The place of the program that did.
    pub site: Option<Site>,
    /// How long it took.
    pub seconds: f64,
}

/// A region that ran.
#[derive(Clone, Debug, PartialEq)]
pub struct Launched {
    /// Its number in the program.
    pub region: usize,
    /// The extents of its index space.
    pub extents: Vec<usize>,
    /// When it began, counted from the beginning of the call.
    pub start: f64,
    /// How long it took, from submission to its end.
    pub seconds: f64,
    /// Whether it stayed on the host, because that is quicker (R5.11).
    pub on_host: bool,
    /// Arrays that were set aside first, because the region reads what it writes elsewhere.
    pub set_aside: usize,
}

/// A library function that was called.
#[derive(Clone, Debug, PartialEq)]
pub struct Called {
    /// The number of the call in the program.
    pub call: usize,
    /// Whether it ran on arrays in host memory.
    pub on_host: bool,
    /// When it began, counted from the beginning of the call.
    pub start: f64,
    /// How long it took.
    pub seconds: f64,
}

/// What a call did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// In order.
    pub launched: Vec<Launched>,
    /// In order.
    pub called: Vec<Called>,
    /// In order.
    pub moved: Vec<Moved>,
    /// How many arrays were made.
    pub allocations: usize,
    /// Of how many bytes together.
    pub allocated_bytes: usize,
    /// How many arrays took memory that an earlier turn of a loop had made.
    pub reused: usize,
    /// How long the call took.
    pub seconds: f64,
}

impl Report {
    /// The bytes that went one way.
    pub fn bytes(&self, direction: Direction) -> usize {
        let moved = self.moved.iter().filter(|one| one.direction == direction);
        moved.map(|one| one.bytes).sum()
    }
}
