//! A SYCL device.

use crate::api::{Api, Ref};
use crate::context::SyclContext;
use crate::handle::Owned;
use crate::platform::take_devices;
use crate::report;
use colocate_hal::{
    AffinityDomain, Aspect, ContextRef, Device, DeviceInfo, DeviceRef, DeviceType, Error,
    Partition, Result,
};
use std::any::Any;
use std::ffi::{CStr, c_char};
use std::sync::{Arc, OnceLock};

/// A device.
pub struct SyclDevice {
    pub handle: Arc<Owned>,
    identity: u64,
    pub backend: &'static str,
    device_type: DeviceType,
    /// Read when first asked for: a device met inside another object is often one we know.
    info: OnceLock<DeviceInfo>,
    is_root: bool,
    default_context: OnceLock<Arc<SyclContext>>,
}

impl SyclDevice {
    /// A device that is listed, or met inside another object; only those we split off ourselves
    /// are known not to be roots.
    pub fn found(handle: Owned) -> Arc<SyclDevice> {
        Self::new(handle, true)
    }

    fn new(handle: Owned, is_root: bool) -> Arc<SyclDevice> {
        let api = handle.api;
        // SAFETY: the handle is alive.
        let (identity, backend, device_type) = unsafe {
            let raw = handle.raw();
            (
                (api.device_hash)(raw),
                (api.device_get_backend)(raw),
                (api.device_get_type)(raw),
            )
        };
        Arc::new(SyclDevice {
            identity: identity as u64,
            backend: backend_name(backend),
            device_type: match device_type {
                4 => DeviceType::Cpu,
                16 => DeviceType::Gpu,
                _ => DeviceType::Accelerator,
            },
            info: OnceLock::new(),
            is_root,
            handle: Arc::new(handle),
            default_context: OnceLock::new(),
        })
    }

    fn open_default_context(&self) -> Result<Arc<SyclContext>> {
        let api = &self.handle.api;
        if self.is_root {
            // SAFETY: the handle is alive.
            let cached = unsafe { (api.device_manager_get_cached_context)(self.handle.raw()) };
            if let Some(handle) = Owned::take(api, cached, api.context_delete) {
                return Ok(SyclContext::adopt(handle));
            }
        }
        // The manager knows root devices only.
        let raw = report::checked(
            "create a context",
            &self.info().name,
            "DPCTLContext_Create",
            || {
                // SAFETY: the handle is alive.
                unsafe { (api.context_create)(self.handle.raw(), Some(report::on_async_error), 0) }
            },
        )?;
        let handle = Owned::take(api, raw, api.context_delete).expect("checked is not null");
        Ok(SyclContext::adopt(handle))
    }
}

fn backend_name(code: i32) -> &'static str {
    match code >> 16 {
        1 => "sycl_cuda",
        2 => "level_zero",
        4 => "opencl",
        8 => "sycl_hip",
        _ => "sycl",
    }
}

/// `DPCTLSyclAspectType` of the interface.
fn aspect_code(aspect: Aspect) -> i32 {
    match aspect {
        Aspect::Cpu => 1,
        Aspect::Gpu => 2,
        Aspect::Accelerator => 3,
        Aspect::Custom => 4,
        Aspect::Fp16 => 5,
        Aspect::Fp64 => 6,
        Aspect::Atomic64 => 7,
        Aspect::Image => 8,
        Aspect::OnlineCompiler => 9,
        Aspect::OnlineLinker => 10,
        Aspect::QueueProfiling => 11,
        Aspect::UsmDeviceAllocations => 12,
        Aspect::UsmHostAllocations => 13,
        Aspect::UsmSharedAllocations => 14,
        Aspect::UsmSystemAllocations => 15,
        Aspect::UsmAtomicHostAllocations => 16,
        Aspect::UsmAtomicSharedAllocations => 17,
        Aspect::HostDebuggable => 18,
        Aspect::Emulated => 19,
        Aspect::IsComponent => 20,
        Aspect::IsComposite => 21,
    }
}

/// `DPCTLPartitionAffinityDomainType` of the interface.
fn affinity_code(domain: AffinityDomain) -> i32 {
    match domain {
        AffinityDomain::Numa => 1,
        AffinityDomain::L4Cache => 2,
        AffinityDomain::L3Cache => 3,
        AffinityDomain::L2Cache => 4,
        AffinityDomain::L1Cache => 5,
        AffinityDomain::NextPartitionable => 6,
    }
}

fn read_info(api: &'static Api, device: Ref) -> DeviceInfo {
    // SAFETY: the device is alive; strings and arrays are the callee's to give and ours to
    // delete with the functions made for it; the arrays have the length the header says.
    unsafe {
        let text = |raw: *const c_char| {
            if raw.is_null() {
                return String::new();
            }
            let text = CStr::from_ptr(raw).to_string_lossy().trim().to_owned();
            (api.string_delete)(raw);
            text
        };
        let sizes = |raw: *mut usize, count: usize| {
            if raw.is_null() {
                return Vec::new();
            }
            let sizes = std::slice::from_raw_parts(raw, count)
                .iter()
                .map(|&n| n as u64)
                .collect();
            (api.size_array_delete)(raw);
            sizes
        };
        let mut sub_groups = 0;
        let sub_group_array = (api.device_sub_group_sizes)(device, &mut sub_groups);
        DeviceInfo {
            name: text((api.device_name)(device)),
            vendor: text((api.device_vendor)(device)),
            driver_version: text((api.device_driver_version)(device)),
            max_compute_units: (api.device_max_compute_units)(device),
            max_work_item_dims: (api.device_max_work_item_dims)(device),
            max_work_item_sizes1d: sizes((api.device_max_work_item_sizes1d)(device), 1),
            max_work_item_sizes2d: sizes((api.device_max_work_item_sizes2d)(device), 2),
            max_work_item_sizes3d: sizes((api.device_max_work_item_sizes3d)(device), 3),
            max_work_group_size: (api.device_max_work_group_size)(device) as u64,
            max_num_sub_groups: (api.device_max_num_sub_groups)(device),
            sub_group_sizes: sizes(sub_group_array, sub_groups),
            sub_group_independent_forward_progress: (api.device_sub_group_progress)(device),
            preferred_vector_width_char: (api.device_preferred_char)(device),
            preferred_vector_width_short: (api.device_preferred_short)(device),
            preferred_vector_width_int: (api.device_preferred_int)(device),
            preferred_vector_width_long: (api.device_preferred_long)(device),
            preferred_vector_width_float: (api.device_preferred_float)(device),
            preferred_vector_width_double: (api.device_preferred_double)(device),
            preferred_vector_width_half: (api.device_preferred_half)(device),
            native_vector_width_char: (api.device_native_char)(device),
            native_vector_width_short: (api.device_native_short)(device),
            native_vector_width_int: (api.device_native_int)(device),
            native_vector_width_long: (api.device_native_long)(device),
            native_vector_width_float: (api.device_native_float)(device),
            native_vector_width_double: (api.device_native_double)(device),
            native_vector_width_half: (api.device_native_half)(device),
            max_clock_frequency: (api.device_max_clock_frequency)(device),
            global_mem_size: (api.device_global_mem_size)(device),
            max_mem_alloc_size: (api.device_max_mem_alloc_size)(device),
            global_mem_cache_type: match (api.device_cache_type)(device) {
                1 => "none",
                2 => "read_only",
                3 => "read_write",
                _ => "indeterminate",
            }
            .into(),
            global_mem_cache_size: (api.device_cache_size)(device),
            global_mem_cache_line_size: (api.device_cache_line_size)(device),
            local_mem_size: (api.device_local_mem_size)(device),
            max_read_image_args: (api.device_max_read_image_args)(device),
            max_write_image_args: (api.device_max_write_image_args)(device),
            image_2d_max_width: (api.device_image_2d_max_width)(device) as u64,
            image_2d_max_height: (api.device_image_2d_max_height)(device) as u64,
            image_3d_max_width: (api.device_image_3d_max_width)(device) as u64,
            image_3d_max_height: (api.device_image_3d_max_height)(device) as u64,
            image_3d_max_depth: (api.device_image_3d_max_depth)(device) as u64,
            profiling_timer_resolution: (api.device_timer_resolution)(device) as u64,
            partition_max_sub_devices: (api.device_max_sub_devices)(device),
            aspects: Aspect::ALL
                .iter()
                .copied()
                .filter(|&aspect| (api.device_has_aspect)(device, aspect_code(aspect)))
                .collect(),
        }
    }
}

impl Device for SyclDevice {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn backend_name(&self) -> &'static str {
        self.backend
    }

    fn device_type(&self) -> DeviceType {
        self.device_type
    }

    fn info(&self) -> &DeviceInfo {
        self.info
            .get_or_init(|| read_info(self.handle.api, self.handle.raw()))
    }

    fn create_sub_devices(&self, partition: &Partition) -> Result<Vec<DeviceRef>> {
        const OPERATION: &str = "create sub-devices";
        self.handle.check_process(OPERATION, &self.info().name)?;
        let units = self.info().max_compute_units as usize;
        let mut counts = partition
            .counts(units)
            .map_err(|why| Error::invalid(OPERATION, &self.info().name, why))?;
        let api = &self.handle.api;
        let device = self.handle.raw();
        let (name, call): (_, Box<dyn Fn() -> Ref>) = match partition {
            Partition::Equally(count) => (
                "DPCTLDevice_CreateSubDevicesEqually",
                // SAFETY: the device is alive.
                Box::new(|| unsafe { (api.device_split_equally)(device, *count) }),
            ),
            Partition::ByCounts(_) => {
                let (first, length) = (counts.as_mut_ptr(), counts.len());
                (
                    "DPCTLDevice_CreateSubDevicesByCounts",
                    // SAFETY: the device is alive, and `counts` outlives the call.
                    Box::new(move || unsafe {
                        (api.device_split_by_counts)(device, first, length)
                    }),
                )
            }
            Partition::ByAffinity(domain) => (
                "DPCTLDevice_CreateSubDevicesByAffinity",
                // SAFETY: the device is alive.
                Box::new(|| unsafe {
                    (api.device_split_by_affinity)(device, affinity_code(*domain))
                }),
            ),
        };
        let vector =
            report::checked(OPERATION, &self.info().name, name, call).map_err(|error| {
                match (partition, error) {
                    // The one case in which the interface fails without a word.
                    (Partition::ByAffinity(domain), Error::Call { .. }) => Error::invalid(
                        OPERATION,
                        &self.info().name,
                        format!(
                            "its driver cannot split it by {}; a count or counts may work",
                            domain.name()
                        ),
                    ),
                    (_, error) => error,
                }
            })?;
        Ok(take_devices(api, vector)
            .into_iter()
            .map(|handle| SyclDevice::new(handle, false) as DeviceRef)
            .collect())
    }

    fn default_context(&self) -> Result<ContextRef> {
        self.handle
            .check_process("open the default context", &self.info().name)?;
        if let Some(context) = self.default_context.get() {
            return Ok(context.clone());
        }
        let context = self.open_default_context()?;
        Ok(self.default_context.get_or_init(|| context).clone())
    }

    fn create_context(&self, devices: &[DeviceRef]) -> Result<ContextRef> {
        const OPERATION: &str = "create a context";
        self.handle.check_process(OPERATION, &self.info().name)?;
        let mut raw = Vec::new();
        for device in devices {
            let Some(sycl) = device.as_any().downcast_ref::<SyclDevice>() else {
                return Err(Error::invalid(
                    OPERATION,
                    &self.info().name,
                    format!("{} belongs to another backend", device.info().name),
                ));
            };
            raw.push(sycl.handle.raw());
        }
        let api = &self.handle.api;
        // SAFETY: `raw` holds live device handles; the vector copies them.
        let vector = unsafe { (api.device_vector_create)(raw.len(), raw.as_mut_ptr()) };
        let vector = Owned::take(api, vector, api.device_vector_delete).ok_or_else(|| {
            Error::invalid(
                OPERATION,
                &self.info().name,
                "no list of devices could be made",
            )
        })?;
        let context = report::checked(
            OPERATION,
            &self.info().name,
            "DPCTLContext_CreateFromDevices",
            || {
                // SAFETY: the vector is alive.
                unsafe {
                    (api.context_create_from_devices)(vector.raw(), Some(report::on_async_error), 0)
                }
            },
        )?;
        let handle = Owned::take(api, context, api.context_delete).expect("checked is not null");
        Ok(SyclContext::adopt(handle))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for SyclDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SyclDevice({})", self.info().name)
    }
}
