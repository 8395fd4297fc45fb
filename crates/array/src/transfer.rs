//! Moving elements: between layouts, between queues, between host and device.

use crate::elementwise::convert_into;
use crate::strided_copy::Plan;
use crate::{Array, Error, Result};
use colocate_dtype::Layout;
use colocate_runtime::hal::HostTask;
use colocate_runtime::{Access, Queue, Use, UsmKind};

/// Host copies up to this many bytes are not worth another thread.
const SMALL: usize = 128 << 10;
/// Rows of a large strided copy are grouped into parts of about this size.
const PART: usize = 512 << 10;

impl Array {
    /// A new contiguous array on `queue` with this one's elements; always a copy (R2.5).
    pub fn copy_to(&self, queue: &Queue, kind: UsmKind) -> Result<Array> {
        let copy = Array::empty(self.shape(), self.dtype(), kind, queue)?;
        copy.assign(self)?;
        Ok(copy)
    }

    /// Sets the elements to those of `from`, broadcast to this shape, wherever it lives.
    pub fn assign(&self, from: &Array) -> Result<()> {
        if !self.is_writable() {
            return Err(Error::ReadOnly);
        }
        if from.dtype() != self.dtype() {
            return Err(Error::DType {
                from: from.dtype(),
                to: self.dtype(),
            });
        }
        if from.shape() != self.shape() {
            return self.assign_elements(&from.broadcast_to(self.shape())?);
        }
        self.assign_elements(from)
    }

    fn assign_elements(&self, from: &Array) -> Result<()> {
        if self.size() == 0 {
            return Ok(());
        }
        if self.queue().can_access(from.usm()) {
            return self.assign_in_place(from);
        }
        self.assign_across(from)
    }

    /// Both sides are accessible to our queue.
    fn assign_in_place(&self, from: &Array) -> Result<()> {
        if self.may_overlap(from) {
            // The order of a copy within one allocation must not show in its result.
            let aside = from.copy_to(self.queue(), from.kind())?;
            return self.assign_in_place(&aside);
        }
        if self.usm().device() != from.usm().device() && !self.queue().copies_across_devices() {
            return self.assign_staged(from);
        }
        let plan = self.plan_from(from.layout());
        if let Some(bytes) = plan.single_run() {
            let ((to_first, _), (from_first, _)) = (self.span_bytes(), from.span_bytes());
            self.queue()
                .copy(self.usm(), to_first, from.usm(), from_first, bytes)?;
            return Ok(());
        }
        if self.queue().runs_host_tasks() {
            return self.submit_plan(plan, from);
        }
        convert_into(self, from)
    }

    /// Our queue reaches only our side: through the host.
    fn assign_across(&self, from: &Array) -> Result<()> {
        if self.layout().is_c_contiguous() && self.usm().host_can_access() {
            self.usm().wait_for(Access::Write)?;
            // SAFETY: our own elements, contiguous and the host's to write now.
            return unsafe { from.read_into(self.pointer()) };
        }
        if from.layout().is_c_contiguous() && from.usm().host_can_access() {
            from.usm().wait_for(Access::Read)?;
            // SAFETY: its elements, contiguous and the host's to read now.
            let bytes = unsafe { std::slice::from_raw_parts(from.pointer(), from.nbytes()) };
            return self.write_from(bytes);
        }
        self.assign_staged(from)
    }

    /// Through plain host memory.
    fn assign_staged(&self, from: &Array) -> Result<()> {
        let mut staged = vec![0u8; from.nbytes()];
        // SAFETY: the vector has room for all elements.
        unsafe { from.read_into(staged.as_mut_ptr()) }?;
        self.write_from(&staged)
    }

    /// Writes the elements in row-major order to host memory and waits.
    ///
    /// # Safety
    /// `to` is valid for writes of [`Array::nbytes`] bytes.
    pub unsafe fn read_into(&self, to: *mut u8) -> Result<()> {
        if self.size() == 0 {
            return Ok(());
        }
        if self.layout().is_c_contiguous() {
            let (first, _) = self.span_bytes();
            // SAFETY: as many bytes as the caller vouches for.
            return Ok(unsafe {
                self.queue()
                    .copy_to_host(to, self.usm(), first, self.nbytes())
            }?);
        }
        if self.usm().host_can_access() {
            self.usm().wait_for(Access::Read)?;
            // SAFETY: the host may read the elements now; the caller vouches for `to`.
            unsafe { self.gather(to, self.pointer()) };
            return Ok(());
        }
        let packed = self.copy_to(self.queue(), UsmKind::Device)?;
        // SAFETY: passed on.
        unsafe { packed.read_into(to) }
    }

    /// # Safety
    /// `first` is where the first element lies in a host copy of the span; `to` has room.
    unsafe fn gather(&self, to: *mut u8, first: *const u8) {
        let packed = self.packed_layout();
        let plan = Plan::new(
            self.shape(),
            packed.strides(),
            self.layout().strides(),
            self.dtype().itemsize(),
        );
        let rows = plan.axes.first().map_or(1, |axis| axis.extent);
        // SAFETY: the caller's word; the two are different memory.
        unsafe { plan.run(to, first, 0, rows) };
    }

    /// Sets the elements from host bytes in row-major order, and waits.
    pub fn write_from(&self, bytes: &[u8]) -> Result<()> {
        assert_eq!(bytes.len(), self.nbytes(), "as many bytes as elements");
        if self.size() == 0 {
            return Ok(());
        }
        if self.layout().is_c_contiguous() {
            let (first, _) = self.span_bytes();
            return Ok(self.queue().copy_from_host(self.usm(), first, bytes)?);
        }
        let plan = self.plan_from(&self.packed_layout());
        let rows = plan.axes.first().map_or(1, |axis| axis.extent);
        if self.usm().host_can_access() {
            self.usm().wait_for(Access::Write)?;
            // SAFETY: the host may write the elements now; `bytes` has all of them.
            unsafe { plan.run(self.pointer(), bytes.as_ptr(), 0, rows) };
            return Ok(());
        }
        let packed = Array::empty(self.shape(), self.dtype(), UsmKind::Device, self.queue())?;
        packed.write_from(bytes)?;
        self.assign_in_place(&packed)
    }

    fn packed_layout(&self) -> Layout {
        Layout::contiguous(self.shape(), self.dtype().itemsize())
            .expect("its own shape is a valid one")
    }

    fn plan_from(&self, from: &Layout) -> Plan {
        Plan::new(
            self.shape(),
            self.layout().strides(),
            from.strides(),
            self.dtype().itemsize(),
        )
    }

    /// Runs a plan as work of our queue, in parts.
    fn submit_plan(&self, plan: Plan, from: &Array) -> Result<()> {
        let bytes = plan.size() * plan.itemsize;
        let rows = plan.axes.first().map_or(1, |axis| axis.extent);
        let small = bytes <= SMALL;
        let rows_a_part = if small {
            rows
        } else {
            (PART * rows / bytes).max(1)
        };
        let (to, start) = (self.pointer() as usize, from.pointer() as usize);
        let task = HostTask {
            parts: rows.div_ceil(rows_a_part),
            small,
            // SAFETY: both sides lie inside the allocations named in `uses`, and apart.
            run: Box::new(move |part| unsafe {
                let first = part * rows_a_part;
                let last = (first + rows_a_part).min(rows);
                plan.run(to as *mut u8, start as *const u8, first, last);
            }),
        };
        let uses = [
            Use {
                usm: self.usm(),
                access: Access::Write,
            },
            Use {
                usm: from.usm(),
                access: Access::Read,
            },
        ];
        // SAFETY: the task touches only these.
        unsafe { self.queue().host_task("strided copy", &uses, task) }?;
        Ok(())
    }
}
