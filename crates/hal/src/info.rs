//! The facts about a device, from one table.
//!
//! [`for_each_device_info`](crate::for_each_device_info) and
//! [`for_each_aspect`](crate::for_each_aspect) are the tables: the Rust struct and enum here,
//! the Python properties and `docs/device-info.md` are generated from them. To add a fact, add a
//! line and fill it in every backend: the compiler names the places.

/// Calls `$callback! { name: type, "documentation"; ... }` with every fact about a device.
#[macro_export]
macro_rules! for_each_device_info {
    ($callback:ident) => {
        $callback! {
            name: String, "What the vendor calls the device.";
            vendor: String, "Who made it.";
            driver_version: String, "Version of the driver, or of colocate for native devices.";
            max_compute_units: u32, "Parallel compute units; cores on a CPU.";
            max_work_item_dims: u32, "How many dimensions a kernel's index space may have.";
            max_work_item_sizes1d: Vec<u64>, "Largest work-group extents of a 1-d kernel.";
            max_work_item_sizes2d: Vec<u64>, "Largest work-group extents of a 2-d kernel.";
            max_work_item_sizes3d: Vec<u64>, "Largest work-group extents of a 3-d kernel.";
            max_work_group_size: u64, "Most work-items in a work-group.";
            max_num_sub_groups: u32, "Most sub-groups in a work-group.";
            sub_group_sizes: Vec<u64>, "Sub-group sizes the device supports.";
            sub_group_independent_forward_progress: bool, "Whether sub-groups progress independently.";
            preferred_vector_width_char: u32, "Preferred vector width for 8-bit integers, in elements.";
            preferred_vector_width_short: u32, "Preferred vector width for 16-bit integers, in elements.";
            preferred_vector_width_int: u32, "Preferred vector width for 32-bit integers, in elements.";
            preferred_vector_width_long: u32, "Preferred vector width for 64-bit integers, in elements.";
            preferred_vector_width_float: u32, "Preferred vector width for float32, in elements.";
            preferred_vector_width_double: u32, "Preferred vector width for float64, in elements; 0 without float64.";
            preferred_vector_width_half: u32, "Preferred vector width for float16, in elements; 0 without float16.";
            native_vector_width_char: u32, "Native vector width for 8-bit integers, in elements.";
            native_vector_width_short: u32, "Native vector width for 16-bit integers, in elements.";
            native_vector_width_int: u32, "Native vector width for 32-bit integers, in elements.";
            native_vector_width_long: u32, "Native vector width for 64-bit integers, in elements.";
            native_vector_width_float: u32, "Native vector width for float32, in elements.";
            native_vector_width_double: u32, "Native vector width for float64, in elements; 0 without float64.";
            native_vector_width_half: u32, "Native vector width for float16, in elements; 0 without float16.";
            max_clock_frequency: u32, "Highest clock in MHz; 0 where the machine does not tell.";
            global_mem_size: u64, "Bytes of memory.";
            max_mem_alloc_size: u64, "Most bytes in one allocation.";
            global_mem_cache_type: String, "'none', 'read_only', 'read_write' or 'indeterminate'.";
            global_mem_cache_size: u64, "Bytes of the largest cache; 0 where unknown.";
            global_mem_cache_line_size: u32, "Bytes in a cache line; 0 where unknown.";
            local_mem_size: u64, "Bytes of local memory a work-group may use.";
            max_read_image_args: u32, "Most images a kernel may read.";
            max_write_image_args: u32, "Most images a kernel may write.";
            image_2d_max_width: u64, "Widest 2-d image; 0 without images.";
            image_2d_max_height: u64, "Highest 2-d image; 0 without images.";
            image_3d_max_width: u64, "Widest 3-d image; 0 without images.";
            image_3d_max_height: u64, "Highest 3-d image; 0 without images.";
            image_3d_max_depth: u64, "Deepest 3-d image; 0 without images.";
            profiling_timer_resolution: u64, "Nanoseconds between two ticks of event times.";
            partition_max_sub_devices: u32, "Most sub-devices the device can be split into; 0 if it cannot be.";
        }
    };
}

/// Calls `$callback! { name: Variant, property, "documentation"; ... }` with every aspect a device
/// may have.
#[macro_export]
macro_rules! for_each_aspect {
    ($callback:ident) => {
        $callback! {
            cpu: Cpu, has_aspect_cpu, "Runs on a CPU.";
            gpu: Gpu, has_aspect_gpu, "Is a GPU.";
            accelerator: Accelerator, has_aspect_accelerator, "Is a dedicated accelerator.";
            custom: Custom, has_aspect_custom, "Is a fixed-function device.";
            emulated: Emulated, has_aspect_emulated, "Emulates another device; speeds mean nothing.";
            host_debuggable: HostDebuggable, has_aspect_host_debuggable, "Kernels can be debugged with the host's debugger.";
            fp16: Fp16, has_aspect_fp16, "Computes with float16.";
            fp64: Fp64, has_aspect_fp64, "Computes with float64.";
            atomic64: Atomic64, has_aspect_atomic64, "Has 64-bit atomics.";
            image: Image, has_aspect_image, "Has images.";
            online_compiler: OnlineCompiler, has_aspect_online_compiler, "Compiles kernels at run time.";
            online_linker: OnlineLinker, has_aspect_online_linker, "Links kernels at run time.";
            queue_profiling: QueueProfiling, has_aspect_queue_profiling, "Queues can be made with enable_profiling.";
            usm_device_allocations: UsmDeviceAllocations, has_aspect_usm_device_allocations, "Has USM of type 'device'.";
            usm_host_allocations: UsmHostAllocations, has_aspect_usm_host_allocations, "Has USM of type 'host'.";
            usm_atomic_host_allocations: UsmAtomicHostAllocations, has_aspect_usm_atomic_host_allocations, "Host and device may update 'host' memory at the same time.";
            usm_shared_allocations: UsmSharedAllocations, has_aspect_usm_shared_allocations, "Has USM of type 'shared'.";
            usm_atomic_shared_allocations: UsmAtomicSharedAllocations, has_aspect_usm_atomic_shared_allocations, "Host and device may update 'shared' memory at the same time.";
            usm_system_allocations: UsmSystemAllocations, has_aspect_usm_system_allocations, "Kernels can use plain host memory, NumPy's included.";
            is_component: IsComponent, has_aspect_is_component, "Is a component of a composite device.";
            is_composite: IsComposite, has_aspect_is_composite, "Is a composite device.";
        }
    };
}

/// A line of a table, for the documentation.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct InfoEntry {
    pub name: &'static str,
    pub kind: &'static str,
    pub documentation: &'static str,
}

macro_rules! define_device_info {
    ($($name:ident: $type:ty, $doc:literal;)*) => {
        /// The facts about a device.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct DeviceInfo {
            $(#[doc = $doc] pub $name: $type,)*
            /// What it can do.
            pub aspects: Vec<Aspect>,
        }

        impl DeviceInfo {
            /// The table itself.
            pub const TABLE: &'static [InfoEntry] = &[
                $(InfoEntry { name: stringify!($name), kind: stringify!($type), documentation: $doc },)*
            ];
        }
    };
}
for_each_device_info!(define_device_info);

macro_rules! define_aspects {
    ($($name:ident: $variant:ident, $property:ident, $doc:literal;)*) => {
        /// Something a device can do.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Aspect { $(#[doc = $doc] $variant,)* }

        impl Aspect {
            /// All of them, in the table's order.
            pub const ALL: &'static [Aspect] = &[$(Aspect::$variant,)*];

            /// The table itself.
            pub const TABLE: &'static [InfoEntry] = &[
                $(InfoEntry { name: stringify!($name), kind: "bool", documentation: $doc },)*
            ];

            /// SYCL's name.
            pub const fn name(self) -> &'static str {
                match self { $(Aspect::$variant => stringify!($name),)* }
            }
        }
    };
}
for_each_aspect!(define_aspects);

impl DeviceInfo {
    /// Whether the device can do something.
    pub fn has(&self, aspect: Aspect) -> bool {
        self.aspects.contains(&aspect)
    }

    /// Whether it is this processor, under whatever name: all memory is the host's.
    pub fn is_host(&self) -> bool {
        self.has(Aspect::Cpu) && self.has(Aspect::UsmSystemAllocations)
    }
}
