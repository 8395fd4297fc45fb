//! The C interface of the SYCL runtime, loaded at run time.

use colocate_hal::{Error, Result};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

/// An opaque C++ object.
pub type Ref = *mut c_void;
/// Called by the runtime for errors of work already submitted.
pub type ErrorHandler = extern "C" fn(c_int);

pub const ALL_DEVICES: c_int = (((1 << 5) - 1) << 16) | ((1 << 6) - 1);
pub const ENABLE_PROFILING: c_int = 1;
pub const IN_ORDER: c_int = 2;
pub const ARGUMENT_UINT64: c_int = 7;
pub const ARGUMENT_POINTER: c_int = 10;

/// `sycl::kernel::getNative() const`.
const NATIVE_KERNEL: &[u8] = b"_ZNK4sycl3_V16kernel9getNativeEv";

macro_rules! interface {
    ($($field:ident = $symbol:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Every function we use. Their meaning is that of the headers dpctl installs.
        pub struct Api {
            $(pub $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            /// The handle that the backend below SYCL has for a kernel, with a reference to it: `kernel::getNative`
            /// of SYCL's library itself, if it is there.
            pub native_kernel: Option<unsafe extern "C" fn(Ref) -> Ref>,
            _library: Library,
        }

        impl Api {
            /// Loads the library and looks every function up.
            pub fn load(path: &Path) -> Result<Api> {
                let fail = |why: String| Error::Load { backend: "sycl", why };
                // SAFETY: loading runs the initialisers of the SYCL runtime, which expect this.
                let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
                    .map_err(|error| fail(format!("{}: {error}", path.display())))?;
                $(
                    // SAFETY: the type is that of the header of the same name.
                    let $field = unsafe {
                        *library
                            .get::<unsafe extern "C" fn($($argument),*) $(-> $result)?>($symbol.as_bytes())
                            .map_err(|error| fail(format!("{}: {error}; another dpctl version may have it", path.display())))?
                    };
                )*
                // SAFETY: a C++ method that takes nothing but the object and returns an address.
                let native_kernel = unsafe { library.get(NATIVE_KERNEL) }.ok().map(|found| *found);
                Ok(Api { $($field,)* native_kernel, _library: library })
            }
        }
    };
}

interface! {
    device_manager_get_devices = "DPCTLDeviceMgr_GetDevices": fn(c_int) -> Ref;
    device_manager_get_cached_context = "DPCTLDeviceMgr_GetCachedContext": fn(Ref) -> Ref;
    device_vector_create = "DPCTLDeviceVector_CreateFromArray": fn(usize, *mut Ref) -> Ref;
    device_vector_size = "DPCTLDeviceVector_Size": fn(Ref) -> usize;
    device_vector_get_at = "DPCTLDeviceVector_GetAt": fn(Ref, usize) -> Ref;
    device_vector_delete = "DPCTLDeviceVector_Delete": fn(Ref);
    string_delete = "DPCTLCString_Delete": fn(*const c_char);
    size_array_delete = "DPCTLSize_t_Array_Delete": fn(*mut usize);

    device_delete = "DPCTLDevice_Delete": fn(Ref);
    device_hash = "DPCTLDevice_Hash": fn(Ref) -> usize;
    device_get_backend = "DPCTLDevice_GetBackend": fn(Ref) -> c_int;
    device_get_type = "DPCTLDevice_GetDeviceType": fn(Ref) -> c_int;
    device_has_aspect = "DPCTLDevice_HasAspect": fn(Ref, c_int) -> bool;
    device_split_equally = "DPCTLDevice_CreateSubDevicesEqually": fn(Ref, usize) -> Ref;
    device_split_by_counts = "DPCTLDevice_CreateSubDevicesByCounts": fn(Ref, *mut usize, usize) -> Ref;
    device_split_by_affinity = "DPCTLDevice_CreateSubDevicesByAffinity": fn(Ref, c_int) -> Ref;
    device_name = "DPCTLDevice_GetName": fn(Ref) -> *const c_char;
    device_vendor = "DPCTLDevice_GetVendor": fn(Ref) -> *const c_char;
    device_driver_version = "DPCTLDevice_GetDriverVersion": fn(Ref) -> *const c_char;
    device_max_compute_units = "DPCTLDevice_GetMaxComputeUnits": fn(Ref) -> u32;
    device_max_work_item_dims = "DPCTLDevice_GetMaxWorkItemDims": fn(Ref) -> u32;
    device_max_work_item_sizes1d = "DPCTLDevice_GetMaxWorkItemSizes1d": fn(Ref) -> *mut usize;
    device_max_work_item_sizes2d = "DPCTLDevice_GetMaxWorkItemSizes2d": fn(Ref) -> *mut usize;
    device_max_work_item_sizes3d = "DPCTLDevice_GetMaxWorkItemSizes3d": fn(Ref) -> *mut usize;
    device_max_work_group_size = "DPCTLDevice_GetMaxWorkGroupSize": fn(Ref) -> usize;
    device_max_num_sub_groups = "DPCTLDevice_GetMaxNumSubGroups": fn(Ref) -> u32;
    device_sub_group_sizes = "DPCTLDevice_GetSubGroupSizes": fn(Ref, *mut usize) -> *mut usize;
    device_sub_group_progress = "DPCTLDevice_GetSubGroupIndependentForwardProgress": fn(Ref) -> bool;
    device_preferred_char = "DPCTLDevice_GetPreferredVectorWidthChar": fn(Ref) -> u32;
    device_preferred_short = "DPCTLDevice_GetPreferredVectorWidthShort": fn(Ref) -> u32;
    device_preferred_int = "DPCTLDevice_GetPreferredVectorWidthInt": fn(Ref) -> u32;
    device_preferred_long = "DPCTLDevice_GetPreferredVectorWidthLong": fn(Ref) -> u32;
    device_preferred_float = "DPCTLDevice_GetPreferredVectorWidthFloat": fn(Ref) -> u32;
    device_preferred_double = "DPCTLDevice_GetPreferredVectorWidthDouble": fn(Ref) -> u32;
    device_preferred_half = "DPCTLDevice_GetPreferredVectorWidthHalf": fn(Ref) -> u32;
    device_native_char = "DPCTLDevice_GetNativeVectorWidthChar": fn(Ref) -> u32;
    device_native_short = "DPCTLDevice_GetNativeVectorWidthShort": fn(Ref) -> u32;
    device_native_int = "DPCTLDevice_GetNativeVectorWidthInt": fn(Ref) -> u32;
    device_native_long = "DPCTLDevice_GetNativeVectorWidthLong": fn(Ref) -> u32;
    device_native_float = "DPCTLDevice_GetNativeVectorWidthFloat": fn(Ref) -> u32;
    device_native_double = "DPCTLDevice_GetNativeVectorWidthDouble": fn(Ref) -> u32;
    device_native_half = "DPCTLDevice_GetNativeVectorWidthHalf": fn(Ref) -> u32;
    device_max_clock_frequency = "DPCTLDevice_GetMaxClockFrequency": fn(Ref) -> u32;
    device_global_mem_size = "DPCTLDevice_GetGlobalMemSize": fn(Ref) -> u64;
    device_max_mem_alloc_size = "DPCTLDevice_GetMaxMemAllocSize": fn(Ref) -> u64;
    device_cache_type = "DPCTLDevice_GetGlobalMemCacheType": fn(Ref) -> c_int;
    device_cache_size = "DPCTLDevice_GetGlobalMemCacheSize": fn(Ref) -> u64;
    device_cache_line_size = "DPCTLDevice_GetGlobalMemCacheLineSize": fn(Ref) -> u32;
    device_local_mem_size = "DPCTLDevice_GetLocalMemSize": fn(Ref) -> u64;
    device_max_read_image_args = "DPCTLDevice_GetMaxReadImageArgs": fn(Ref) -> u32;
    device_max_write_image_args = "DPCTLDevice_GetMaxWriteImageArgs": fn(Ref) -> u32;
    device_image_2d_max_width = "DPCTLDevice_GetImage2dMaxWidth": fn(Ref) -> usize;
    device_image_2d_max_height = "DPCTLDevice_GetImage2dMaxHeight": fn(Ref) -> usize;
    device_image_3d_max_width = "DPCTLDevice_GetImage3dMaxWidth": fn(Ref) -> usize;
    device_image_3d_max_height = "DPCTLDevice_GetImage3dMaxHeight": fn(Ref) -> usize;
    device_image_3d_max_depth = "DPCTLDevice_GetImage3dMaxDepth": fn(Ref) -> usize;
    device_timer_resolution = "DPCTLDevice_GetProfilingTimerResolution": fn(Ref) -> usize;
    device_max_sub_devices = "DPCTLDevice_GetPartitionMaxSubDevices": fn(Ref) -> u32;

    context_create = "DPCTLContext_Create": fn(Ref, Option<ErrorHandler>, c_int) -> Ref;
    context_create_from_devices = "DPCTLContext_CreateFromDevices": fn(Ref, Option<ErrorHandler>, c_int) -> Ref;
    context_delete = "DPCTLContext_Delete": fn(Ref);
    context_copy = "DPCTLContext_Copy": fn(Ref) -> Ref;
    context_hash = "DPCTLContext_Hash": fn(Ref) -> usize;
    context_get_devices = "DPCTLContext_GetDevices": fn(Ref) -> Ref;

    queue_create = "DPCTLQueue_Create": fn(Ref, Ref, Option<ErrorHandler>, c_int) -> Ref;
    queue_delete = "DPCTLQueue_Delete": fn(Ref);
    queue_copy = "DPCTLQueue_Copy": fn(Ref) -> Ref;
    queue_hash = "DPCTLQueue_Hash": fn(Ref) -> usize;
    queue_get_context = "DPCTLQueue_GetContext": fn(Ref) -> Ref;
    queue_get_device = "DPCTLQueue_GetDevice": fn(Ref) -> Ref;
    queue_is_in_order = "DPCTLQueue_IsInOrder": fn(Ref) -> bool;
    queue_has_profiling = "DPCTLQueue_HasEnableProfiling": fn(Ref) -> bool;
    queue_memcpy = "DPCTLQueue_Memcpy": fn(Ref, *mut c_void, *const c_void, usize) -> Ref;
    queue_memcpy_after = "DPCTLQueue_MemcpyWithEvents": fn(Ref, *mut c_void, *const c_void, usize, *const Ref, usize) -> Ref;
    queue_fill8 = "DPCTLQueue_Fill8": fn(Ref, *mut c_void, u8, usize) -> Ref;
    queue_fill16 = "DPCTLQueue_Fill16": fn(Ref, *mut c_void, u16, usize) -> Ref;
    queue_fill32 = "DPCTLQueue_Fill32": fn(Ref, *mut c_void, u32, usize) -> Ref;
    queue_fill64 = "DPCTLQueue_Fill64": fn(Ref, *mut c_void, u64, usize) -> Ref;
    queue_fill128 = "DPCTLQueue_Fill128": fn(Ref, *mut c_void, *mut u64, usize) -> Ref;
    queue_barrier = "DPCTLQueue_SubmitBarrier": fn(Ref) -> Ref;
    queue_barrier_for = "DPCTLQueue_SubmitBarrierForEvents": fn(Ref, *const Ref, usize) -> Ref;

    queue_submit_range = "DPCTLQueue_SubmitRange": fn(Ref, Ref, *mut Ref, *const c_int, usize, *const usize, usize, *const Ref, usize) -> Ref;
    queue_submit_nd_range = "DPCTLQueue_SubmitNDRange": fn(Ref, Ref, *mut Ref, *const c_int, usize, *const usize, *const usize, usize, *const Ref, usize) -> Ref;

    bundle_from_spirv = "DPCTLKernelBundle_CreateFromSpirv": fn(Ref, Ref, *const c_void, usize, *const c_char) -> Ref;
    bundle_has_kernel = "DPCTLKernelBundle_HasKernel": fn(Ref, *const c_char) -> bool;
    bundle_get_kernel = "DPCTLKernelBundle_GetKernel": fn(Ref, *const c_char) -> Ref;
    bundle_delete = "DPCTLKernelBundle_Delete": fn(Ref);
    kernel_num_args = "DPCTLKernel_GetNumArgs": fn(Ref) -> usize;
    kernel_work_group_size = "DPCTLKernel_GetWorkGroupSize": fn(Ref) -> usize;
    kernel_delete = "DPCTLKernel_Delete": fn(Ref);

    event_wait = "DPCTLEvent_Wait": fn(Ref);
    event_delete = "DPCTLEvent_Delete": fn(Ref);
    event_status = "DPCTLEvent_GetCommandExecutionStatus": fn(Ref) -> c_int;
    event_time_submit = "DPCTLEvent_GetProfilingInfoSubmit": fn(Ref) -> u64;
    event_time_start = "DPCTLEvent_GetProfilingInfoStart": fn(Ref) -> u64;
    event_time_end = "DPCTLEvent_GetProfilingInfoEnd": fn(Ref) -> u64;

    usm_alloc_device = "DPCTLaligned_alloc_device": fn(usize, usize, Ref) -> Ref;
    usm_alloc_shared = "DPCTLaligned_alloc_shared": fn(usize, usize, Ref) -> Ref;
    usm_alloc_host = "DPCTLaligned_alloc_host": fn(usize, usize, Ref) -> Ref;
    usm_free = "DPCTLfree_with_context": fn(Ref, Ref);
    usm_pointer_type = "DPCTLUSM_GetPointerType": fn(Ref, Ref) -> c_int;
}
