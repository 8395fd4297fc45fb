//! Elements by index arrays: reading, assigning, updating them, and the bounds of the indices.
//!
//! One kernel does each, whatever the shapes (`colocate_kernels::indexed`). An index out of bounds is
//! found before anything is written. To find it the caller waits for the check, unless the indices
//! are known to be inside; reading checks and reads in one launch.

use crate::elementwise::{convert_into, converted};
use crate::host_moves::{self, Direction, Places};
use crate::index_bounds::{FEW, first_outside, integer_at, trusted};
use crate::index_launch::{Job, Reached, as_bits, is_set, new_flag};
use crate::selection::{Along, Selection};
use crate::{Array, Error, Result};
use colocate_dtype::index::IndexError;
use colocate_dtype::{DType, Kind, Strides};
use colocate_ir::AtomicOp;
use colocate_kernels::indexed::{Action, Bounds};
use colocate_runtime::{Access, UsmKind};

/// What becomes of an index that is out of bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// It is an error; negative ones count from the end.
    Raise,
    /// It is taken modulo the extent.
    Wrap,
    /// The nearest is taken; negative ones are 0.
    Clip,
}

impl Selection {
    fn job<'a>(&'a self, data: &'a Array) -> Job<'a> {
        Job {
            shape: self.shape(),
            data,
            data_strides: self.view_strides(),
            reached: self
                .along
                .iter()
                .map(|along| self.reached(along, self.index_strides(along)))
                .collect(),
        }
    }

    /// A job over the index arrays' own space.
    fn index_job<'a>(&'a self, data: &'a Array) -> Job<'a> {
        let spread = |along: &Along| {
            let layout = along.indices.array.layout().broadcast_to(&self.index_shape);
            Strides::from_slice(layout.expect("the shape was made so").strides())
        };
        Job {
            shape: self.index_shape.clone(),
            data,
            data_strides: Strides::from_elem(0, self.index_shape.len()),
            reached: self
                .along
                .iter()
                .map(|along| self.reached(along, spread(along)))
                .collect(),
        }
    }

    fn reached<'a>(&self, along: &'a Along, strides: Strides) -> Reached<'a> {
        let (extent, stride) = self.reach(along);
        Reached {
            array: &along.indices.array,
            strides,
            extent,
            stride,
        }
    }

    fn index_size(&self) -> usize {
        self.index_shape.iter().product()
    }

    /// How the kernel has to keep bounds. Fails where an index is already known to be outside.
    fn bounds(&self, mode: Mode) -> Result<Bounds> {
        if mode != Mode::Raise {
            let empty = self.along.iter().find(|along| self.reach(along).0 == 0);
            if let Some(along) = empty.filter(|_| self.index_size() > 0) {
                return Err(IndexError::EmptyAxis { axis: along.axis }.into());
            }
            return Ok(match mode {
                Mode::Wrap => Bounds::Wrap,
                _ => Bounds::Clip,
            });
        }
        let mut all = true;
        for along in &self.along {
            all &= trusted(&along.indices, along.axis, self.reach(along).0)?;
        }
        Ok(if all { Bounds::Trusted } else { Bounds::Report })
    }

    /// The error for a flag that was set.
    fn outside(&self) -> Error {
        for along in &self.along {
            match first_outside(&along.indices.array, along.axis, self.reach(along).0) {
                Ok(None) => {}
                Ok(Some(failure)) => return failure.into(),
                Err(failure) => return failure,
            }
        }
        // Somebody changed the indices meanwhile.
        let axis = self.along.first().map_or(0, |along| along.axis);
        IndexError::EmptyAxis { axis }.into()
    }

    /// Checks all indices, and waits for that if need be.
    fn check(&self) -> Result<()> {
        if self.bounds(Mode::Raise)? == Bounds::Trusted || self.index_size() == 0 {
            return Ok(());
        }
        let flag = new_flag(&self.view)?;
        let job = self.index_job(&self.view);
        job.submit(Action::Check, Bounds::Report, None, Some(&flag))?;
        if is_set(&flag)? {
            return Err(self.outside());
        }
        Ok(())
    }

    /// The elements, as a new array.
    pub fn gather(&self, mode: Mode, kind: UsmKind) -> Result<Array> {
        let shape = self.shape();
        let result = Array::empty(&shape, self.view.dtype(), kind, self.view.queue())?;
        self.gather_into(&result, mode)?;
        Ok(result)
    }

    fn gather_into(&self, result: &Array, mode: Mode) -> Result<()> {
        if result.size() > 0
            && result.nbytes() <= host_moves::SMALL
            && let Some(places) = self.places_on_host(mode)?
        {
            return host_moves::submit(self, Places::Host(places), result, Direction::Out);
        }
        let bounds = self.bounds(mode)?;
        if result.size() == 0 {
            return match bounds {
                Bounds::Report => self.check(),
                _ => Ok(()),
            };
        }
        let (data, bits) = (as_bits(&self.view), as_bits(result));
        let flag = match bounds {
            Bounds::Report => Some(new_flag(&self.view)?),
            _ => None,
        };
        let job = self.job(&data);
        job.submit(Action::Gather, bounds, Some(&bits), flag.as_ref())?;
        if let Some(flag) = flag
            && is_set(&flag)?
        {
            return Err(self.outside());
        }
        Ok(())
    }

    /// Where few index arrays' elements reach, computed at once on a device that is the host.
    fn places_on_host(&self, mode: Mode) -> Result<Option<Vec<i64>>> {
        let size = self.index_size();
        let here = |along: &Along| along.indices.array.usm().host_can_access();
        if size > FEW || !self.view.queue().runs_host_tasks() || !self.along.iter().all(here) {
            return Ok(None);
        }
        let mut places = vec![0; size];
        for along in &self.along {
            let (extent, stride) = self.reach(along);
            let array = &along.indices.array;
            if extent == 0 && mode != Mode::Raise && size > 0 {
                return Err(IndexError::EmptyAxis { axis: along.axis }.into());
            }
            array.usm().wait_for(Access::Read)?;
            let layout = array.layout().broadcast_to(&self.index_shape)?;
            let steps = host_moves::distances(&self.index_shape, layout.strides());
            for (place, &step) in places.iter_mut().zip(&steps) {
                // SAFETY: an element of the array, which nobody writes to now.
                let index = unsafe { integer_at(array, step) };
                let counted = match mode {
                    Mode::Wrap => index.rem_euclid(extent as i128),
                    Mode::Clip => index.clamp(0, extent as i128 - 1),
                    Mode::Raise if index < 0 => index + extent as i128,
                    Mode::Raise => index,
                };
                if counted < 0 || counted >= extent as i128 {
                    return Err(IndexError::OutOfBounds {
                        index: index as isize,
                        axis: along.axis,
                        extent,
                    }
                    .into());
                }
                *place += counted as i64 * stride as i64;
            }
        }
        Ok(Some(places))
    }

    /// Values brought into the form that they are assigned in: of the data's dtype, broadcast to the
    /// result's shape, and not in memory that the assignment changes.
    fn values(&self, values: &Array) -> Result<Array> {
        let shape = self.shape();
        let mut values = values.clone();
        while values.layout().ndim() > shape.len() && values.shape()[0] == 1 {
            values = values.squeezed(&[0]);
        }
        if values.dtype() != self.view.dtype() {
            values = converted(&values, self.view.dtype(), values.kind())?;
        } else if values.may_overlap(&self.view) {
            values = values.copy_to(values.queue(), values.kind())?;
        }
        values.broadcast_to(&shape)
    }

    /// The same with index arrays that the assignment does not change.
    fn apart(&self) -> Result<Selection> {
        let mut apart = self.clone();
        for along in &mut apart.along {
            let array = &along.indices.array;
            if array.may_overlap(&self.view) {
                along.indices.array = array.copy_to(array.queue(), array.kind())?;
            }
        }
        Ok(apart)
    }

    /// Assigns to the elements. Where an index is given several times, the last value stays on a
    /// device that is the host; on others any may.
    pub fn scatter(&self, values: &Array, mode: Mode) -> Result<()> {
        if !self.view.is_writable() {
            return Err(Error::ReadOnly);
        }
        let values = self.values(values)?;
        let this = self.apart()?;
        if values.size() > 0
            && values.size() * values.dtype().itemsize() <= host_moves::SMALL
            && let Some(places) = this.places_on_host(mode)?
        {
            let is_one = values.layout().strides().iter().all(|&stride| stride == 0);
            let values = if is_one { values } else { values.packed()? };
            return host_moves::submit(&this, Places::Host(places), &values, Direction::In);
        }
        let bounds = this.bounds(mode)?;
        if bounds == Bounds::Report {
            this.check()?;
        }
        let bounds = match bounds {
            Bounds::Report => Bounds::Trusted,
            settled => settled,
        };
        if values.size() == 0 {
            return Ok(());
        }
        let range = this.before..this.before + this.index_shape.len();
        let same = values.layout().strides()[range.clone()]
            .iter()
            .zip(&values.shape()[range])
            .all(|(&stride, &extent)| stride == 0 || extent == 1);
        if same || this.distinct || !this.view.queue().runs_host_tasks() {
            let (data, bits) = (as_bits(&this.view), as_bits(&values));
            return this
                .job(&data)
                .submit(Action::Scatter, bounds, Some(&bits), None);
        }
        this.locate_and_write(bounds, &values)
    }

    /// Assigns on a device that is the host so that the last of several values stays.
    fn locate_and_write(&self, bounds: Bounds, values: &Array) -> Result<()> {
        let values = values.packed()?;
        if let [only] = &self.along[..]
            && bounds == Bounds::Trusted
        {
            let indices = &only.indices.array;
            let plain = indices.dtype() == DType::Int64
                && indices.layout().is_c_contiguous()
                && indices.shape() == &self.index_shape[..]
                && (indices.pointer() as usize).is_multiple_of(align_of::<i64>());
            if plain {
                let places = Places::Indices(indices.clone());
                return host_moves::submit(self, places, &values, Direction::In);
            }
        }
        let queue = self.view.queue();
        let places = Array::empty(&self.index_shape, DType::Int64, UsmKind::Device, queue)?;
        self.index_job(&self.view)
            .submit(Action::Locate, bounds, Some(&places), None)?;
        host_moves::submit(self, Places::Array(places), &values, Direction::In)
    }

    /// Combines each element with a value, by an operation that repeated indices do not disturb.
    pub fn update(&self, op: AtomicOp, values: &Array) -> Result<()> {
        if !self.view.is_writable() {
            return Err(Error::ReadOnly);
        }
        let dtype = self.view.dtype();
        if dtype.kind() == Kind::Complex {
            return self.update_parts(op, values);
        }
        let wide = match dtype {
            DType::Bool | DType::Int8 | DType::Int16 | DType::UInt8 | DType::UInt16 => DType::Int32,
            DType::Float16 => DType::Float32,
            dtype => dtype,
        };
        if wide != dtype {
            let aside = converted(&self.view, wide, self.view.kind())?;
            let mut this = self.clone();
            this.view = aside;
            this.update(op, values)?;
            return convert_into(&self.view, &this.view);
        }
        let values = self.values(values)?;
        let this = self.apart()?;
        this.check()?;
        if values.size() == 0 {
            return Ok(());
        }
        this.job(&this.view)
            .submit(Action::Update(op), Bounds::Trusted, Some(&values), None)
    }

    /// Sums of complex numbers are sums of their parts.
    fn update_parts(&self, op: AtomicOp, values: &Array) -> Result<()> {
        let values = converted(values, self.view.dtype(), values.kind())?;
        for imaginary in [false, true] {
            let part = |array: &Array| match imaginary {
                false => array.real_part(),
                true => array.imaginary_part().unwrap_or_else(|| array.clone()),
            };
            let mut this = self.clone();
            this.view = part(&self.view);
            this.update(op, &part(&values))?;
        }
        Ok(())
    }
}
