//! Checks every access to an array, for debugging.
//!
//! Each `Load`, `Store` and `Atomic` becomes conditional on its indices being inside the array.
//! If they are not, the access is left out (a value it would define is zero) and execution goes
//! on, so that barriers are still reached by all items. The first violation of a launch is
//! written into an extra last parameter, the *report*; [`explain`] makes sense of it.
//!
//! Functions of host kernels, which touch no arrays, are left as they are.
//!
//! Runs before all other passes, while every access is one statement of the user's program; what
//! the others add needs no check. The caller passes an array of [`Checked::slots`] zeros as
//! the report and looks at it when the kernel has finished.
//!
//! The report's slots: [`CODE`], [`AXIS`], then as many indices as the array has axes, from
//! [`INDICES`] on, then as many extents.

use crate::emit::Emit;
use crate::rewrite::{Rebuild, Step};
use colocate_ir::{
    ArrayRef, AtomicOp, DType, Kernel, KernelBuilder, Layout, Literal, ParamId, ParamKind, Place,
    Site, StatementKind, ValueId,
};

/// The slot that holds 0, or the number of the violated check and one.
pub const CODE: usize = 0;
/// The slot that holds the first axis whose index is outside.
pub const AXIS: usize = 1;
/// The slot of the first index.
pub const INDICES: usize = 2;
/// No report has fewer slots.
pub const FEWEST_SLOTS: usize = 16;

/// A kernel that checks its accesses.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// With the report as its last parameter.
    pub kernel: Kernel,
    /// What it checks, by number.
    pub checks: Vec<Check>,
    /// A contiguous array of int64 and rank 1.
    pub report: ParamId,
    /// How many elements the report must have.
    pub slots: usize,
}

/// An access that is checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Where the program says so.
    pub site: Site,
    /// The array's name.
    pub array: String,
    /// Its number of axes.
    pub rank: usize,
}

/// An access outside an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Where the program says so.
    pub site: Site,
    /// The array's name.
    pub array: String,
    /// The index, one number an axis.
    pub index: Vec<i64>,
    /// The array's shape.
    pub shape: Vec<i64>,
    /// The first axis on which the index is outside.
    pub axis: usize,
}

/// What a report says; `None` if all went well, or if it is none of this kernel's.
pub fn explain(checks: &[Check], report: &[i64]) -> Option<Failure> {
    let number = usize::try_from(*report.get(CODE)?).ok()?.checked_sub(1)?;
    let check = checks.get(number)?;
    let shape = INDICES + check.rank;
    Some(Failure {
        site: check.site,
        array: check.array.clone(),
        index: report.get(INDICES..shape)?.to_vec(),
        shape: report.get(shape..shape + check.rank)?.to_vec(),
        axis: usize::try_from(*report.get(AXIS)?).ok()?,
    })
}

/// Runs the pass.
pub fn run(kernel: Kernel) -> Checked {
    let mut to = Rebuild::new(&kernel);
    let report = to.builder.param(
        "report",
        ParamKind::Array {
            dtype: DType::Int64,
            rank: 1,
            layout: Layout::Contiguous,
        },
    );
    let mut checks = Vec::new();
    let new = to.run(&kernel.body, |to, statement| {
        let place = match statement {
            StatementKind::Load { place, .. }
            | StatementKind::Store { place, .. }
            | StatementKind::Atomic { place, .. } => place,
            _ => return Step::Copy,
        };
        if is_inside(to, &kernel, place) {
            return Step::Copy;
        }
        let number = checks.len();
        checks.push(Check {
            site: to.builder.site,
            array: place.array.name(&kernel).into(),
            rank: place.indices.len(),
        });
        let place = to.place(place);
        let axes = Axes::of(&mut to.builder, &place);
        // What the access gives must outlive the block it is done in.
        let result = statement.defines().map(|value| {
            let variable = to.builder.variable("checked", kernel.dtype(value));
            (value, variable)
        });
        to.builder.begin_if(axes.all_inside);
        let got = access(to, statement, place);
        if let (Some((_, variable)), Some(got)) = (result, got) {
            to.builder.set(variable, got);
        }
        to.builder.begin_else();
        if let Some((value, variable)) = result {
            let nothing = to.builder.literal(Literal::zero(kernel.dtype(value)));
            to.builder.set(variable, nothing);
        }
        axes.write_report(&mut to.builder, report, number);
        to.builder.end();
        if let Some((value, variable)) = result {
            let new = to.builder.get(variable);
            to.define(value, new);
        }
        Step::Replaced
    });
    let most = checks.iter().map(|check| check.rank).max().unwrap_or(0);
    Checked {
        kernel: new,
        checks,
        report,
        slots: FEWEST_SLOTS.max(INDICES + 2 * most),
    }
}

/// The access itself; what it gives.
fn access(to: &mut Rebuild, statement: &StatementKind, place: Place) -> Option<ValueId> {
    match statement {
        StatementKind::Load { .. } => Some(to.builder.load(place)),
        StatementKind::Store { value, .. } => {
            to.builder.store(place, to.value(*value));
            None
        }
        StatementKind::Atomic {
            op,
            operand,
            expected,
            ..
        } => {
            let operand = to.value(*operand);
            let expected = expected.map(|expected| to.value(expected));
            Some(to.builder.atomic(*op, place, operand, expected))
        }
        _ => unreachable!("only these access arrays"),
    }
}

/// Whether a place is inside its array for certain: it has no axes, or both the indices and the
/// extents are constants.
fn is_inside(to: &Rebuild, kernel: &Kernel, place: &Place) -> bool {
    if place.indices.is_empty() {
        return true;
    }
    let ArrayRef::Storage(storage) = place.array else {
        return false;
    };
    let shape = &kernel.storage[storage.index()].shape;
    place.indices.iter().zip(shape).all(|(index, extent)| {
        matches!(to.constant(*index),
            Some(Literal::Int(_, index)) if (0..i128::from(*extent)).contains(&index))
    })
}

/// How long an array is along an axis: a constant, where it is one.
fn extent(to: &mut KernelBuilder, array: ArrayRef, axis: usize) -> ValueId {
    match array {
        ArrayRef::Param(_) | ArrayRef::Local(_) => to.extent(array, axis as u8),
        ArrayRef::Storage(storage) => {
            let extent = to.kernel().storage[storage.index()].shape[axis];
            to.int64(i64::from(extent))
        }
    }
}

/// The comparison of a place's indices with the extents of its array.
struct Axes {
    indices: Vec<ValueId>,
    extents: Vec<ValueId>,
    inside: Vec<ValueId>,
    all_inside: ValueId,
}

impl Axes {
    fn of(to: &mut KernelBuilder, place: &Place) -> Axes {
        let zero = to.int64(0);
        let indices = place.indices.to_vec();
        let mut extents = Vec::new();
        let mut inside = Vec::new();
        for (axis, &index) in indices.iter().enumerate() {
            let extent = extent(to, place.array, axis);
            let (from, below) = (to.ge(index, zero), to.lt(index, extent));
            extents.push(extent);
            inside.push(to.and(from, below));
        }
        let mut all_inside = inside[0];
        for &next in &inside[1..] {
            all_inside = to.and(all_inside, next);
        }
        Axes {
            indices,
            extents,
            inside,
            all_inside,
        }
    }

    /// Writes the report, unless another violation was earlier.
    fn write_report(&self, to: &mut KernelBuilder, report: ParamId, number: usize) {
        let slot = |to: &mut KernelBuilder, slot: usize| {
            let index = to.int64(slot as i64);
            Place::new(ArrayRef::Param(report), [index])
        };
        let (none, code) = (to.int64(0), to.int64(number as i64 + 1));
        let place = slot(to, CODE);
        let before = to.atomic(AtomicOp::CompareExchange, place, code, Some(none));
        let first = to.eq(before, none);
        to.begin_if(first);
        let last = self.inside.len() - 1;
        let mut axis = to.int64(last as i64);
        for earlier in (0..last).rev() {
            let this = to.int64(earlier as i64);
            axis = to.select(self.inside[earlier], axis, this);
        }
        let place = slot(to, AXIS);
        to.store(place, axis);
        for (position, &number) in self.indices.iter().chain(&self.extents).enumerate() {
            let place = slot(to, INDICES + position);
            to.store(place, number);
        }
        to.end();
    }
}
