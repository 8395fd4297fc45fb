//! A CPU, or some cores of one.

use crate::context::NativeContext;
use crate::memory::HostMemory;
use crate::next_identity;
use crate::pool::Pool;
use crate::topology::{CoreSet, Topology};
use colocate_hal::{
    AffinityDomain, Aspect, ContextRef, Device, DeviceInfo, DeviceRef, DeviceType, Error,
    Partition, Result,
};
use std::any::Any;
use std::sync::{Arc, OnceLock, Weak};

/// How many items a group may have: a group runs on one thread, and its items' state should stay
/// in that thread's cache.
pub const LARGEST_GROUP: usize = 8192;

/// A set of cores with its threads.
pub struct NativeDevice {
    identity: u64,
    topology: Arc<Topology>,
    cores: CoreSet,
    discrete: bool,
    info: DeviceInfo,
    pool: Arc<Pool>,
    default_context: OnceLock<Arc<NativeContext>>,
    this: Weak<NativeDevice>,
}

impl NativeDevice {
    /// All the cores the process may use.
    pub fn root(topology: Arc<Topology>, discrete: bool) -> Arc<NativeDevice> {
        let cores = topology.cores.clone();
        Self::new(topology, cores, discrete, true)
    }

    fn new(
        topology: Arc<Topology>,
        cores: CoreSet,
        discrete: bool,
        root: bool,
    ) -> Arc<NativeDevice> {
        let mut info = describe(&topology, &cores);
        if discrete {
            info.aspects
                .retain(|aspect| *aspect != Aspect::UsmSystemAllocations);
        }
        let pool = Arc::new(Pool::new(info.name.clone(), cores.clone(), root));
        Arc::new_cyclic(|this| NativeDevice {
            identity: next_identity(),
            topology,
            cores,
            discrete,
            info,
            pool,
            default_context: OnceLock::new(),
            this: this.clone(),
        })
    }

    pub fn handle(&self) -> Arc<NativeDevice> {
        self.this.upgrade().expect("a device in use is alive")
    }

    pub fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// How many threads its work is shared among, one a core.
    pub fn threads(&self) -> usize {
        self.cores.len()
    }

    pub fn is_discrete(&self) -> bool {
        self.discrete
    }

    fn split(&self, partition: &Partition) -> Result<Vec<CoreSet>> {
        let refuse = |why: String| Error::invalid("create sub-devices", &self.info.name, why);
        let counts = partition.counts(self.cores.len()).map_err(refuse)?;
        if let Partition::ByAffinity(domain) = partition {
            let parts = self.split_by_domain(*domain);
            if parts.is_empty() {
                return Err(refuse(format!(
                    "it cannot be split by {}; {}",
                    domain.name(),
                    self.possible_domains()
                )));
            }
            return Ok(parts);
        }
        let mut cores = self.cores.iter().copied();
        Ok(counts
            .iter()
            .map(|&count| cores.by_ref().take(count).collect())
            .collect())
    }

    fn split_by_domain(&self, domain: AffinityDomain) -> Vec<CoreSet> {
        match domain {
            AffinityDomain::Numa => self.topology.split_by_numa(&self.cores),
            AffinityDomain::L4Cache => self.topology.split_by_cache(&self.cores, 4),
            AffinityDomain::L3Cache => self.topology.split_by_cache(&self.cores, 3),
            AffinityDomain::L2Cache => self.topology.split_by_cache(&self.cores, 2),
            AffinityDomain::L1Cache => self.topology.split_by_cache(&self.cores, 1),
            // The outermost level that splits at all.
            AffinityDomain::NextPartitionable => AffinityDomain::ALL
                .into_iter()
                .filter(|domain| *domain != AffinityDomain::NextPartitionable)
                .map(|domain| self.split_by_domain(domain))
                .find(|parts| parts.len() > 1)
                .unwrap_or_default(),
        }
    }

    fn possible_domains(&self) -> String {
        let names: Vec<_> = AffinityDomain::ALL
            .into_iter()
            .filter(|domain| !self.split_by_domain(*domain).is_empty())
            .map(AffinityDomain::name)
            .collect();
        if names.is_empty() {
            "this machine tells nothing about its caches and nodes".into()
        } else {
            format!("possible here: {}", names.join(", "))
        }
    }
}

impl Device for NativeDevice {
    fn identity(&self) -> u64 {
        self.identity
    }

    fn backend_name(&self) -> &'static str {
        "native"
    }

    fn device_type(&self) -> DeviceType {
        DeviceType::Cpu
    }

    fn keeps_host_time(&self) -> bool {
        true
    }

    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn create_sub_devices(&self, partition: &Partition) -> Result<Vec<DeviceRef>> {
        Ok(self
            .split(partition)?
            .into_iter()
            .map(|cores| {
                let device: DeviceRef =
                    NativeDevice::new(self.topology.clone(), cores, self.discrete, false);
                device
            })
            .collect())
    }

    fn default_context(&self) -> Result<ContextRef> {
        Ok(self
            .default_context
            .get_or_init(|| NativeContext::default_of(&self.handle()))
            .clone())
    }

    fn create_context(&self, devices: &[DeviceRef]) -> Result<ContextRef> {
        if let Some(stranger) = devices
            .iter()
            .find(|d| d.as_any().downcast_ref::<NativeDevice>().is_none())
        {
            return Err(Error::invalid(
                "create a context",
                &self.info.name,
                format!("{} belongs to another backend", stranger.info().name),
            ));
        }
        Ok(NativeContext::spanning(devices, self.discrete))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl std::fmt::Debug for NativeDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "NativeDevice({:?})", self.cores)
    }
}

fn describe(topology: &Topology, cores: &CoreSet) -> DeviceInfo {
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = cpuinfo
            .lines()
            .find(|line| line.split(':').next().map(str::trim) == Some(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let memory = HostMemory::now().total;
    let vector = vector_bytes();
    let cache = topology.last_cache();
    const GROUP: u64 = LARGEST_GROUP as u64;
    DeviceInfo {
        name: field("model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
        vendor: field("vendor_id").unwrap_or_else(|| "unknown".into()),
        driver_version: env!("CARGO_PKG_VERSION").into(),
        max_compute_units: cores.len() as u32,
        max_work_item_dims: 3,
        max_work_item_sizes1d: vec![GROUP],
        max_work_item_sizes2d: vec![GROUP; 2],
        max_work_item_sizes3d: vec![GROUP; 3],
        max_work_group_size: GROUP,
        max_num_sub_groups: GROUP as u32,
        sub_group_sizes: vec![1],
        sub_group_independent_forward_progress: false,
        preferred_vector_width_char: vector,
        preferred_vector_width_short: vector / 2,
        preferred_vector_width_int: vector / 4,
        preferred_vector_width_long: vector / 8,
        preferred_vector_width_float: vector / 4,
        preferred_vector_width_double: vector / 8,
        preferred_vector_width_half: vector / 2,
        native_vector_width_char: vector,
        native_vector_width_short: vector / 2,
        native_vector_width_int: vector / 4,
        native_vector_width_long: vector / 8,
        native_vector_width_float: vector / 4,
        native_vector_width_double: vector / 8,
        native_vector_width_half: vector / 2,
        max_clock_frequency: clock_mhz(cores, field("cpu MHz")),
        global_mem_size: memory,
        max_mem_alloc_size: memory,
        global_mem_cache_type: if cache.is_some() {
            "read_write"
        } else {
            "indeterminate"
        }
        .into(),
        global_mem_cache_size: cache.map_or(0, |cache| cache.bytes),
        global_mem_cache_line_size: cache.map_or(0, |cache| cache.line),
        local_mem_size: 256 << 10,
        max_read_image_args: 0,
        max_write_image_args: 0,
        image_2d_max_width: 0,
        image_2d_max_height: 0,
        image_3d_max_width: 0,
        image_3d_max_height: 0,
        image_3d_max_depth: 0,
        profiling_timer_resolution: 1,
        partition_max_sub_devices: if cores.len() > 1 {
            cores.len() as u32
        } else {
            0
        },
        aspects: vec![
            Aspect::Cpu,
            Aspect::HostDebuggable,
            Aspect::Fp16,
            Aspect::Fp64,
            Aspect::Atomic64,
            Aspect::QueueProfiling,
            Aspect::UsmDeviceAllocations,
            Aspect::UsmHostAllocations,
            Aspect::UsmAtomicHostAllocations,
            Aspect::UsmSharedAllocations,
            Aspect::UsmAtomicSharedAllocations,
            Aspect::UsmSystemAllocations,
        ],
    }
}

fn clock_mhz(cores: &CoreSet, cpuinfo: Option<String>) -> u32 {
    let from_sysfs = cores.first().and_then(|core| {
        let path = format!("/sys/devices/system/cpu/cpu{core}/cpufreq/cpuinfo_max_freq");
        let khz: u64 = std::fs::read_to_string(path).ok()?.trim().parse().ok()?;
        Some((khz / 1000) as u32)
    });
    from_sysfs
        .or_else(|| Some(cpuinfo?.parse::<f64>().ok()? as u32))
        .unwrap_or(0)
}

/// Bytes in the widest vector register.
fn vector_bytes() -> u32 {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") {
            return 64;
        }
        if std::is_x86_feature_detected!("avx2") {
            return 32;
        }
    }
    16
}
