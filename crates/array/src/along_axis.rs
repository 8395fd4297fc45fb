//! Elements along an axis by indices for each place of the other axes: `take_along_axis`.

use crate::elementwise::converted;
use crate::index_bounds::{first_outside, trusted};
use crate::index_launch::{Job, Reached, as_bits, is_set, new_flag};
use crate::selection::Indices;
use crate::{Array, Error, Result};
use colocate_dtype::index::IndexError;
use colocate_dtype::{Dims, LayoutError, Strides, broadcast_shapes};
use colocate_kernels::indexed::{Action, Bounds};
use colocate_runtime::UsmKind;

/// Elements along an axis by indices for each place of the others: `x[i, j[i, k]]`. The shapes have
/// been found to agree but along the axis, up to broadcasting.
pub struct AlongAxis<'a> {
    /// What is indexed.
    pub data: &'a Array,
    /// As many axes as the data.
    pub indices: &'a Array,
    /// Along which.
    pub axis: usize,
}

impl AlongAxis<'_> {
    /// The shape of the result.
    pub fn shape(&self) -> Result<Dims> {
        let mut data = Dims::from_slice(self.data.shape());
        let mut indices = Dims::from_slice(self.indices.shape());
        let count = std::mem::replace(&mut indices[self.axis], 1);
        data[self.axis] = 1;
        let mut shape = broadcast_shapes(&data, &indices)?;
        shape[self.axis] = count;
        Ok(shape)
    }

    fn strides(array: &Array, axis: usize, shape: &[usize], own: bool) -> Result<Strides> {
        let stride = array.layout().strides()[axis];
        let mut without = Dims::from_slice(array.shape());
        let mut wide = Dims::from_slice(shape);
        if !own {
            without[axis] = 1;
            wide[axis] = 1;
        }
        let mut strides = Strides::new();
        for (position, (&extent, &to)) in without.iter().zip(&wide).enumerate() {
            let repeated = extent == 1 && to != 1;
            strides.push(match repeated {
                true => 0,
                false => array.layout().strides()[position],
            });
        }
        strides[axis] = if own { stride } else { 0 };
        Ok(strides)
    }

    fn job<'a>(&'a self, data: &'a Array, shape: &Dims) -> Result<Job<'a>> {
        Ok(Job {
            shape: shape.clone(),
            data,
            data_strides: Self::strides(data, self.axis, shape, false)?,
            reached: smallvec::smallvec![Reached {
                array: self.indices,
                strides: Self::strides(self.indices, self.axis, shape, true)?,
                extent: data.shape()[self.axis],
                stride: data.layout().strides()[self.axis],
            }],
        })
    }

    fn is_trusted(&self) -> Result<bool> {
        let indices = Indices {
            array: self.indices.clone(),
            range: None,
        };
        trusted(&indices, self.axis, self.data.shape()[self.axis])
    }

    fn outside(&self) -> Error {
        let extent = self.data.shape()[self.axis];
        match first_outside(self.indices, self.axis, extent) {
            Ok(Some(failure)) => failure.into(),
            Ok(None) => IndexError::EmptyAxis { axis: self.axis }.into(),
            Err(failure) => failure,
        }
    }

    /// The elements, as a new array.
    pub fn gather(&self, kind: UsmKind) -> Result<Array> {
        let shape = self.shape()?;
        let result = Array::empty(&shape, self.data.dtype(), kind, self.data.queue())?;
        let is_trusted = self.is_trusted()?;
        if result.size() == 0 {
            return Ok(result);
        }
        let (data, bits) = (as_bits(self.data), as_bits(&result));
        let job = self.job(&data, &shape)?;
        if is_trusted {
            job.submit(Action::Gather, Bounds::Trusted, Some(&bits), None)?;
            return Ok(result);
        }
        let flag = new_flag(self.data)?;
        job.submit(Action::Gather, Bounds::Report, Some(&bits), Some(&flag))?;
        if is_set(&flag)? {
            return Err(self.outside());
        }
        Ok(result)
    }

    /// Assigns to the elements; of several values for one any may stay.
    pub fn scatter(&self, values: &Array) -> Result<()> {
        if !self.data.is_writable() {
            return Err(Error::ReadOnly);
        }
        let shape = self.shape()?;
        if shape
            .iter()
            .zip(self.data.shape())
            .enumerate()
            .any(|(axis, (&wide, &own))| axis != self.axis && wide != own)
        {
            return Err(LayoutError::Broadcast {
                from: self.data.shape().to_vec(),
                to: shape.to_vec(),
            }
            .into());
        }
        let mut values = values.clone();
        if values.dtype() != self.data.dtype() {
            values = converted(&values, self.data.dtype(), values.kind())?;
        } else if values.may_overlap(self.data) {
            values = values.copy_to(values.queue(), values.kind())?;
        }
        let values = values.broadcast_to(&shape)?;
        if self.indices.may_overlap(self.data) {
            let indices = self
                .indices
                .copy_to(self.indices.queue(), self.indices.kind())?;
            let apart = AlongAxis {
                indices: &indices,
                ..*self
            };
            return apart.write(&values, &shape);
        }
        self.write(&values, &shape)
    }

    fn write(&self, values: &Array, shape: &Dims) -> Result<()> {
        if !self.is_trusted()? && values.size() > 0 {
            let flag = new_flag(self.data)?;
            let job = self.job(self.data, shape)?;
            job.submit(Action::Check, Bounds::Report, None, Some(&flag))?;
            if is_set(&flag)? {
                return Err(self.outside());
            }
        }
        if values.size() == 0 {
            return Ok(());
        }
        let (data, bits) = (as_bits(self.data), as_bits(values));
        self.job(&data, shape)?
            .submit(Action::Scatter, Bounds::Trusted, Some(&bits), None)
    }
}
