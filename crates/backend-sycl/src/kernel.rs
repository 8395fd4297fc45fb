//! A kernel that a SYCL context has built.

use crate::api::{self, Ref};
use crate::device::SyclDevice;
use crate::handle::Owned;
use crate::{references, report};
use colocate_hal::{
    DeviceRef, Error, Geometry, Kernel, KernelCode, KernelImage, KernelRef, Result, SlotKind, fork,
};
use std::any::Any;
use std::ffi::{CStr, CString, c_int, c_void};
use std::sync::Mutex;

/// What the driver is told when it builds. Without it single-precision division and square root
/// need not be rounded correctly.
const OPTIONS: &CStr = c"-cl-fp32-correctly-rounded-divide-sqrt";

/// A kernel.
pub struct SyclKernel {
    handle: Owned,
    name: String,
    /// For each argument, what the interface calls its type: the slots, and behind them the extents
    /// of the space if there are no groups.
    argument_types: Vec<c_int>,
    grouped: bool,
    max_group_size: usize,
    /// A submission sets the driver's kernel's arguments one by one, then enqueues it; another
    /// thread must not set its own in between.
    submitting: Mutex<()>,
}

impl SyclKernel {
    /// Builds the code of an image for a device of a context.
    ///
    /// # Safety
    /// As for `colocate_hal::Context::load_kernel`.
    pub unsafe fn load(
        context: &Owned,
        device: &DeviceRef,
        image: &KernelImage,
    ) -> Result<SyclKernel> {
        let name = &device.info().name;
        let operation = format!("build the kernel {}", image.name);
        context.check_process(&operation, name)?;
        let KernelCode::SpirV(words) = &image.code else {
            return Err(Error::invalid(&operation, name, "its code is not SPIR-V"));
        };
        let Some(sycl) = device.as_any().downcast_ref::<SyclDevice>() else {
            let why = "the context belongs to SYCL devices";
            return Err(Error::invalid(&operation, name, why));
        };
        let entry = CString::new(image.name.as_str())
            .map_err(|_| Error::invalid(&operation, name, "its name has a zero byte in it"))?;
        let api = &context.api;
        let build = |options: &CStr| {
            // SAFETY: context, device and words are alive; the length is in bytes.
            unsafe {
                (api.bundle_from_spirv)(
                    context.raw(),
                    sycl.handle.raw(),
                    words.as_ptr().cast(),
                    size_of_val::<[u32]>(words),
                    options.as_ptr(),
                )
            }
        };
        let mut bundle = build(OPTIONS);
        if bundle.is_null() {
            // A device that cannot do what the option asks for refuses it.
            let call = "DPCTLKernelBundle_CreateFromSpirv";
            bundle = report::checked(&operation, name, call, || build(c""))?;
        }
        let bundle = Owned::take(api, bundle, api.bundle_delete).expect("checked is not null");
        // SAFETY: the bundle is alive and the name ends with a zero byte.
        let take = || unsafe { (api.bundle_get_kernel)(bundle.raw(), entry.as_ptr()) };
        let mut kernel = take();
        if kernel.is_null() {
            // Asked only now, because the answer costs a kernel that nobody can give back.
            // SAFETY: as above.
            if !unsafe { (api.bundle_has_kernel)(bundle.raw(), entry.as_ptr()) } {
                let why = format!("the module has no entry point {}", image.name);
                return Err(Error::invalid(&operation, name, why));
            }
            kernel = report::checked(&operation, name, "DPCTLKernelBundle_GetKernel", take)?;
        }
        let handle = Owned::take(api, kernel, api.kernel_delete).expect("checked is not null");
        if sycl.backend == "opencl" {
            // SAFETY: it was built above, with one call of each function.
            unsafe { references::give_back(api, handle.raw()) };
        }
        // SAFETY: the kernel is alive.
        let (arguments, max_group_size) = unsafe {
            (
                (api.kernel_num_args)(handle.raw()),
                (api.kernel_work_group_size)(handle.raw()),
            )
        };
        let extents = if image.grouped { 0 } else { 3 };
        if arguments != image.slots.len() + extents {
            let why = format!(
                "its code takes {arguments} arguments and its image says {}",
                image.slots.len() + extents
            );
            return Err(Error::invalid(&operation, name, why));
        }
        let types = image.slots.iter().map(|slot| match slot {
            SlotKind::Pointer => api::ARGUMENT_POINTER,
            SlotKind::Word => api::ARGUMENT_UINT64,
        });
        let types = types.chain(std::iter::repeat_n(api::ARGUMENT_UINT64, extents));
        Ok(SyclKernel {
            handle,
            name: image.name.clone(),
            argument_types: types.collect(),
            grouped: image.grouped,
            max_group_size,
            submitting: Mutex::new(()),
        })
    }

    /// Fails if the block has another number of slots than the kernel.
    pub fn check_arguments(&self, arguments: &[u64], operation: &str, device: &str) -> Result<()> {
        let extents = if self.grouped { 0 } else { 3 };
        let slots = self.argument_types.len() - extents;
        if arguments.len() == slots {
            return Ok(());
        }
        let why = format!(
            "it takes {slots} argument slots, and {} were given",
            arguments.len()
        );
        Err(Error::invalid(operation, device, why))
    }

    /// Submits it; null if that failed.
    ///
    /// # Safety
    /// As for `colocate_hal::Queue::launch`, with the number of arguments checked; `deps` are live
    /// event handles.
    pub unsafe fn submit(
        &self,
        queue: &Owned,
        arguments: &[u64],
        geometry: &Geometry,
        deps: &[Ref],
    ) -> Ref {
        // A pointer is given as it is, a number by where it is.
        let space = geometry.global.map(|extent| extent as u64);
        let mut given: Vec<*mut c_void> = arguments
            .iter()
            .chain(&space)
            .zip(&self.argument_types)
            .map(|(argument, &kind)| match kind {
                api::ARGUMENT_POINTER => *argument as *mut c_void,
                _ => std::ptr::from_ref(argument).cast_mut().cast(),
            })
            .collect();
        let (api, count) = (&self.handle.api, given.len());
        let (kernel, queue) = (self.handle.raw(), queue.raw());
        let (given, types) = (given.as_mut_ptr(), self.argument_types.as_ptr());
        let mut global = geometry.global;
        if !self.grouped && geometry.local.is_none() {
            let fastest = &mut global[geometry.rank - 1];
            *fastest = easily_divided(*fastest);
        }
        let (global, rank) = (global.as_ptr(), geometry.rank);
        let (after, after_count) = (deps.as_ptr(), deps.len());
        let _critical = fork::critical();
        let _turn = self.submitting.lock().expect("no holder panics");
        // SAFETY: kernel, queue and dependencies are alive, and the arrays have the lengths given;
        // the interface copies the arguments before it returns.
        unsafe {
            match &geometry.local {
                None => (api.queue_submit_range)(
                    kernel,
                    queue,
                    given,
                    types,
                    count,
                    global,
                    rank,
                    after,
                    after_count,
                ),
                Some(local) => (api.queue_submit_nd_range)(
                    kernel,
                    queue,
                    given,
                    types,
                    count,
                    global,
                    local.as_ptr(),
                    rank,
                    after,
                    after_count,
                ),
            }
        }
    }
}

/// A number not much larger that has divisors for the driver to choose a group's extent from.
fn easily_divided(extent: usize) -> usize {
    let waste = extent / 64;
    let step = 1usize << waste.max(1).ilog2().min(10);
    extent.next_multiple_of(step)
}

/// The SYCL kernel behind a handle, if it is one.
pub fn as_sycl_kernel(kernel: &KernelRef) -> Option<&SyclKernel> {
    kernel.as_any().downcast_ref()
}

impl Kernel for SyclKernel {
    fn name(&self) -> &str {
        &self.name
    }

    fn max_group_size(&self) -> usize {
        self.max_group_size
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for SyclKernel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SyclKernel({})", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::easily_divided;

    #[test]
    fn a_large_extent_grows_by_little_and_a_small_one_not_at_all() {
        for extent in (0..5000).chain([9_999_991, 1 << 40]) {
            let grown = easily_divided(extent);
            assert!(grown >= extent && grown - extent <= extent / 64, "{extent}");
            assert!(extent < 128 || grown.is_multiple_of(2));
            assert!(extent < 1 << 17 || grown.is_multiple_of(1024));
        }
    }
}
