//! Elements of arrays: finding, reading and writing them.

use super::machine::{Machine, Result};
use super::scalar::Scalar;
use super::{Argument, ArrayView, InterpretError};
use crate::{ArrayRef, DType, Part, Place, Site, StorageClass};

/// An element, or half of one, that exists.
#[derive(Clone, Copy)]
pub(super) struct Element {
    pub(super) dtype: DType,
    pub(super) array: ArrayRef,
    /// In bytes, in the memory or in the storage.
    pub(super) address: usize,
}

impl Machine<'_> {
    /// An array in memory; `None` if no call has given it yet.
    pub(super) fn view(&self, array: ArrayRef) -> Option<&ArrayView> {
        match array {
            ArrayRef::Param(param) => match &self.arguments[param.index()] {
                Argument::Array(view) => Some(view),
                Argument::Scalar(_) => unreachable!("the argument of an array is an array"),
            },
            ArrayRef::Local(local) => {
                let host = self
                    .host
                    .as_ref()
                    .expect("only host kernels have such arrays");
                host.view(local)
            }
            ArrayRef::Storage(_) => unreachable!("storage is not in memory"),
        }
    }

    pub(super) fn shape(&self, array: ArrayRef) -> Vec<i64> {
        match array {
            ArrayRef::Param(_) | ArrayRef::Local(_) => match self.view(array) {
                Some(view) => view.shape.clone(),
                None => vec![0; usize::from(array.rank(self.kernel).unwrap_or(0))],
            },
            ArrayRef::Storage(storage) => {
                let shape = &self.kernel.storage[storage.index()].shape;
                shape.iter().map(|&extent| i64::from(extent)).collect()
            }
        }
    }

    /// Finds an element, or says that there is none.
    pub(super) fn locate(&self, place: &Place, item: usize, site: Site) -> Result<Element> {
        let index: Vec<i64> = place
            .indices
            .iter()
            .map(|&index| self.int64(index, item))
            .collect();
        let dtype = place.array.dtype(self.kernel).expect("the array exists");
        let address = match place.array {
            ArrayRef::Param(_) | ArrayRef::Local(_) => {
                self.view(place.array).and_then(|view| view.address(&index))
            }
            ArrayRef::Storage(storage) => {
                let declared = &self.kernel.storage[storage.index()];
                let own = match declared.class {
                    StorageClass::Local => 0,
                    StorageClass::Private => item * declared.size() * dtype.itemsize(),
                };
                ArrayView::contiguous(dtype, own, &self.shape(place.array)).address(&index)
            }
        };
        let Some(address) = address else {
            return Err(InterpretError::OutOfBounds {
                site,
                array: place.array.name(self.kernel).into(),
                index,
                shape: self.shape(place.array),
            });
        };
        let dtype = place.dtype(self.kernel).expect("the place exists");
        let into = match place.part {
            Part::Whole | Part::Real => 0,
            Part::Imaginary => dtype.itemsize(),
        };
        Ok(Element {
            dtype,
            array: place.array,
            address: address + into,
        })
    }

    pub(super) fn read(&self, element: Element) -> Scalar {
        let bytes = match element.array {
            ArrayRef::Param(_) | ArrayRef::Local(_) => &self.memory.bytes,
            ArrayRef::Storage(storage) => &self.storage[storage.index()],
        };
        Scalar::from_bytes(element.dtype, &bytes[element.address..])
    }

    pub(super) fn write(&mut self, element: Element, scalar: Scalar) {
        let bytes = match element.array {
            ArrayRef::Param(_) | ArrayRef::Local(_) => &mut self.memory.bytes,
            ArrayRef::Storage(storage) => &mut self.storage[storage.index()],
        };
        let new = scalar.to_bytes();
        bytes[element.address..element.address + new.len()].copy_from_slice(&new);
    }
}
