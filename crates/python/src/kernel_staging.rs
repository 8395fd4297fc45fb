//! NumPy arguments on a device that does not reach host memory: copied in, and copied back (R4.2).
//!
//! An array is copied in if the kernel reads it, or if it writes it and may leave some elements as
//! they are; it is copied back if the kernel writes it. Arrays that overlap are copied as one
//! stretch of memory, so that aliasing works as it does on the host; everything else is packed.

use crate::conversion::{allocated, fill_from_host, host_copy, without_gil};
use crate::dtype::dtype_to_numpy;
use crate::kernel_arguments::{HostArray, LeafValue, Leaves};
use colocate_array::Array;
use colocate_dtype::DType;
use colocate_frontend::ir::Layout;
use colocate_frontend::ir::access::Access;
use colocate_runtime::{Queue, UsmKind};
use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::SmallVec;

/// Arrays whose memory is on the device as one piece.
pub struct Group {
    /// Positions in the leaves.
    members: Vec<usize>,
    /// Host addresses from the first byte to one past the last; of several members or of one whose
    /// elements overlap. `None` if the one member is packed.
    stretch: Option<(usize, usize)>,
    memory: Option<Array>,
}

/// Stretches begin at a multiple of this, so that what is aligned stays aligned.
const ALIGNMENT: usize = 64;

/// The first byte of an array's elements and one past the last; equal if there are none.
fn span(array: &HostArray<'_>) -> (usize, usize) {
    let start = array.pointer as usize;
    if array.shape.contains(&0) {
        return (start, start);
    }
    let (mut low, mut high) = (start as isize, start as isize);
    for (&extent, &stride) in array.shape.iter().zip(&array.strides) {
        let reach = (extent as isize - 1) * stride;
        low += reach.min(0);
        high += reach.max(0);
    }
    (low as usize, high as usize + array.dtype.itemsize())
}

/// Whether two elements may share bytes.
fn overlaps_itself(array: &HostArray<'_>) -> bool {
    if array.shape.contains(&0) {
        return false;
    }
    let mut axes: SmallVec<[(usize, usize); 4]> = array
        .shape
        .iter()
        .zip(&array.strides)
        .filter(|(extent, _)| **extent > 1)
        .map(|(&extent, &stride)| (stride.unsigned_abs(), extent))
        .collect();
    axes.sort_unstable();
    let mut reach = array.dtype.itemsize();
    for (stride, extent) in axes {
        if stride < reach {
            return true;
        }
        reach += (extent - 1) * stride;
    }
    false
}

/// Decides what is copied together, and gives packed arrays the layout that they will have.
pub fn plan(leaves: &mut Leaves<'_, '_>) -> Vec<Group> {
    let mut spans: Vec<(usize, usize, usize)> = Vec::new();
    for (position, leaf) in leaves.iter().enumerate() {
        if let LeafValue::Host(array) = &leaf.value {
            let (low, high) = span(array);
            spans.push((low, high, position));
        }
    }
    spans.sort_unstable();
    let mut groups: Vec<(Vec<usize>, (usize, usize))> = Vec::new();
    for (low, high, position) in spans {
        match groups.last_mut() {
            Some((members, whole)) if low < whole.1 && low < high => {
                members.push(position);
                whole.1 = whole.1.max(high);
            }
            _ => groups.push((vec![position], (low, high))),
        }
    }
    groups
        .into_iter()
        .map(|(members, whole)| {
            let single = match &members[..] {
                [single] => Some(*single),
                _ => None,
            };
            let packed = single.is_some_and(|single| match &mut leaves[single].value {
                LeafValue::Host(array) if !overlaps_itself(array) => {
                    array.layout = Layout::Contiguous;
                    true
                }
                _ => false,
            });
            Group {
                members,
                stretch: (!packed).then_some(whole),
                memory: None,
            }
        })
        .collect()
}

fn host<'a, 'py>(leaves: &'a Leaves<'_, 'py>, member: usize) -> &'a HostArray<'py> {
    match &leaves[member].value {
        LeafValue::Host(array) => array,
        _ => unreachable!("groups are of host arrays"),
    }
}

impl Group {
    /// Brings it to the device and makes its members point there. `access` tells what the kernel
    /// does with a leaf, `overwritten` whether it overwrites all of it.
    pub fn copy_in(
        &mut self,
        py: Python<'_>,
        leaves: &mut Leaves<'_, '_>,
        queue: &Queue,
        access: impl Fn(usize) -> Access,
        overwritten: impl Fn(usize) -> bool,
    ) -> PyResult<()> {
        let kind = UsmKind::Device;
        let used = |member: &usize| access(*member).reads || access(*member).writes;
        let needed = self.members.iter().any(used);
        let memory = match self.stretch {
            None => {
                let member = self.members[0];
                let array = host(leaves, member);
                let (shape, dtype) = (&array.shape[..], array.dtype);
                let memory = allocated(py, queue, || Array::empty(shape, dtype, kind, queue))?;
                if needed && !overwritten(member) {
                    fill_from_host(py, &memory, &array.object)?;
                }
                let LeafValue::Host(array) = &mut leaves[member].value else {
                    unreachable!("groups are of host arrays");
                };
                array.pointer = memory.pointer();
                memory
            }
            Some((low, high)) => {
                let padding = low % ALIGNMENT;
                let bytes = [high - low + padding];
                let memory = allocated(py, queue, || {
                    Array::empty(&bytes, DType::UInt8, kind, queue)
                })?;
                if needed {
                    let usm = memory.usm();
                    // SAFETY: between elements of arrays that overlap there is no gap but inside one
                    // array, and that lies in the memory that the array views.
                    let stretch =
                        unsafe { std::slice::from_raw_parts(low as *const u8, high - low) };
                    without_gil(py, &[&memory], || {
                        queue.copy_from_host(usm, padding, stretch)
                    })?;
                }
                let base = memory.pointer();
                for &member in &self.members {
                    let LeafValue::Host(array) = &mut leaves[member].value else {
                        unreachable!("groups are of host arrays");
                    };
                    let offset = array.pointer as usize - low + padding;
                    array.pointer = base.wrapping_add(offset);
                }
                memory
            }
        };
        self.memory = Some(memory);
        Ok(())
    }

    /// The number of its first array among the leaves.
    pub fn first(&self) -> usize {
        self.members[0]
    }

    /// The memory on the device.
    pub fn memory(&self) -> Option<&Array> {
        self.memory.as_ref()
    }

    /// Whether the kernel changes it.
    pub fn is_written(&self, access: impl Fn(usize) -> Access) -> bool {
        self.members.iter().any(|&member| access(member).writes)
    }

    /// Brings back what the kernel has written.
    pub fn copy_out(
        &self,
        py: Python<'_>,
        leaves: &Leaves<'_, '_>,
        access: impl Fn(usize) -> Access,
    ) -> PyResult<()> {
        let Some(memory) = self.memory.as_ref() else {
            return Ok(());
        };
        if !self.is_written(&access) || memory.size() == 0 {
            return Ok(());
        }
        let numpy = py.import("numpy")?;
        if self.stretch.is_none() {
            let array = host(leaves, self.members[0]);
            if array.object.is_c_contiguous() {
                // SAFETY: a live C-contiguous array of the same shape and dtype, which may be written
                // to, since the kernel was allowed to.
                let target = unsafe { (*array.object.as_array_ptr()).fields.data } as usize;
                // SAFETY: as above.
                without_gil(py, &[memory], || unsafe {
                    memory.read_into(target as *mut u8)
                })?;
            } else {
                let copy = host_copy(py, memory)?;
                numpy.call_method1("copyto", (&array.object, copy))?;
            }
            return Ok(());
        }
        let whole = host_copy(py, memory)?;
        let base = memory.pointer() as usize;
        for &member in &self.members {
            if !access(member).writes {
                continue;
            }
            let array = host(leaves, member);
            let how = PyDict::new(py);
            how.set_item("dtype", dtype_to_numpy(py, array.dtype)?)?;
            how.set_item("buffer", &whole)?;
            how.set_item("offset", array.pointer as usize - base)?;
            how.set_item("strides", PyTuple::new(py, &array.strides)?)?;
            let shape = PyTuple::new(py, &array.shape)?;
            let view = numpy.call_method("ndarray", (shape,), Some(&how))?;
            numpy.call_method1("copyto", (&array.object, view))?;
        }
        Ok(())
    }
}
