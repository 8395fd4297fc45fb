//! The backends of a process and the devices they have.

use crate::selector::{self, Filter};
use crate::{Context, Device, Error, Queue, Result};
use colocate_hal::{self as hal, Backend, DeviceType};
use std::ffi::c_void;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// All backends, in the order in which devices are listed and `"cpu"` is searched.
pub struct Registry {
    slots: Vec<Slot>,
}

struct Slot {
    backend: Arc<dyn Backend>,
    devices: OnceLock<hal::Result<Vec<Device>>>,
}

/// How a backend is doing, for `colocate doctor`.
#[derive(Clone, Debug)]
pub struct BackendState {
    /// Its family name.
    pub name: &'static str,
    /// Its devices, or why there are none.
    pub devices: hal::Result<Vec<Device>>,
}

impl Slot {
    fn devices(&self) -> &hal::Result<Vec<Device>> {
        if let Some(devices) = self.devices.get() {
            return devices;
        }
        // No lock is held while the backend looks: it may need its surroundings' (Python's).
        let found = self.backend.root_devices().map(|found| {
            let mut counted: Vec<(&'static str, DeviceType)> = Vec::new();
            found
                .into_iter()
                .map(|device| {
                    let kind = (device.backend_name(), device.device_type());
                    let index = counted.iter().filter(|other| **other == kind).count();
                    counted.push(kind);
                    Device::root(self.backend.clone(), device, index)
                })
                .collect()
        });
        self.devices.get_or_init(|| found)
    }

    /// Whether any device of this backend could fit, as far as is known without loading it.
    fn may_have(&self, filter: &Filter) -> bool {
        let names: &[&str] = match self.backend.name() {
            "sycl" => &["sycl", "opencl", "level_zero", "sycl_cuda", "sycl_hip"],
            "native" => &["native"],
            _ => &["cuda"],
        };
        filter
            .backend
            .as_deref()
            .is_none_or(|wanted| names.contains(&wanted))
            && (self.backend.name() != "native"
                || filter
                    .device_type
                    .is_none_or(|kind| kind == DeviceType::Cpu))
    }
}

impl Registry {
    /// A registry over backends, none of which is loaded by this.
    pub fn new(backends: Vec<Arc<dyn Backend>>) -> Registry {
        Registry {
            slots: backends
                .into_iter()
                .map(|backend| Slot {
                    backend,
                    devices: OnceLock::new(),
                })
                .collect(),
        }
    }

    /// All root devices; a backend that is absent has none (R1.1). The native backend cannot be
    /// absent: its error is a wrong setting, and is passed on.
    pub fn devices(&self) -> Result<Vec<Device>> {
        let mut all = Vec::new();
        for slot in &self.slots {
            match slot.devices() {
                Ok(devices) => all.extend(devices.iter().cloned()),
                Err(error) if slot.backend.name() == "native" => return Err(error.clone().into()),
                Err(_) => {}
            }
        }
        Ok(all)
    }

    /// Each backend with its devices or its trouble.
    pub fn states(&self) -> Vec<BackendState> {
        self.slots
            .iter()
            .map(|slot| BackendState {
                name: slot.backend.name(),
                devices: slot.devices().clone(),
            })
            .collect()
    }

    /// Leaves no backend with unfinished work; for the end of the process.
    pub fn finish(&self) {
        for slot in &self.slots {
            slot.backend.finish();
        }
    }

    /// The device a selector names (R1.5). Loads only the backends that may have it.
    pub fn select(&self, text: &str) -> Result<Device> {
        let filters = selector::parse(text).map_err(|why| Error::BadSelector {
            selector: text.to_owned(),
            why,
            there_is: self.inventory(),
        })?;
        for filter in filters {
            if let Some(device) = self.find(&filter)? {
                return Ok(device);
            }
        }
        Err(Error::DeviceNotFound {
            selector: text.to_owned(),
            there_is: self.inventory(),
        })
    }

    fn find(&self, filter: &Filter) -> Result<Option<Device>> {
        let mut skip = filter.index.unwrap_or(0);
        for slot in self.slots.iter().filter(|slot| slot.may_have(filter)) {
            let devices = match slot.devices() {
                Ok(devices) => devices,
                Err(error) if slot.backend.name() == "native" => return Err(error.clone().into()),
                Err(_) => continue,
            };
            for device in devices {
                let backend_fits = filter
                    .backend
                    .as_deref()
                    .is_none_or(|wanted| wanted == device.backend() || wanted == device.family());
                let type_fits = filter
                    .device_type
                    .is_none_or(|wanted| wanted == device.device_type());
                if backend_fits && type_fits {
                    if skip == 0 {
                        return Ok(Some(device.clone()));
                    }
                    skip -= 1;
                }
            }
        }
        Ok(None)
    }

    fn inventory(&self) -> String {
        let devices = match self.devices() {
            Ok(devices) => devices,
            Err(error) => return error.to_string(),
        };
        let lines: Vec<_> = devices
            .iter()
            .map(|device| format!("{} ({})", device.label(), device.info().name))
            .collect();
        format!(
            "there is {}; `colocate doctor` tells why others are absent",
            lines.join(", ")
        )
    }

    /// The device to use when nobody names one (R1.7): `COLOCATE_DEVICE`, else the first GPU,
    /// else the CPU.
    pub fn default_device(&self) -> Result<Device> {
        if let Some(wanted) = std::env::var("COLOCATE_DEVICE")
            .ok()
            .filter(|text| !text.is_empty())
        {
            return self.select(&wanted);
        }
        // A GPU has a node in /dev. Without one, the SYCL runtime need not be loaded (some
        // 150 ms) only to hear that there is none.
        if ["/dev/dri", "/dev/nvidiactl", "/dev/dxg", "/dev/kfd"]
            .iter()
            .any(|node| Path::new(node).exists())
        {
            for backend in ["cuda", "level_zero", "opencl"] {
                let filter = Filter {
                    backend: Some(backend.to_owned()),
                    device_type: Some(DeviceType::Gpu),
                    index: None,
                };
                if let Some(device) = self.find(&filter)? {
                    return Ok(device);
                }
            }
        }
        self.select("native:cpu:0")
    }

    /// The n-th device of the same backend and type as SYCL's default one, which is its first GPU
    /// or else its first device: what a bare integer means in `__sycl_usm_array_interface__` (R7.1).
    pub fn relative(&self, index: usize) -> Result<Device> {
        let filter = match self.sycl()?.devices() {
            Ok(devices) if !devices.is_empty() => {
                let gpu = devices
                    .iter()
                    .find(|device| device.device_type() == DeviceType::Gpu);
                let default = gpu.unwrap_or(&devices[0]);
                format!(
                    "{}:{}:{index}",
                    default.backend(),
                    default.device_type().name()
                )
            }
            _ => format!("sycl:{index}"),
        };
        self.select(&filter)
    }

    fn sycl(&self) -> Result<&Slot> {
        self.slots
            .iter()
            .find(|slot| slot.backend.name() == "sycl")
            .ok_or_else(|| Error::Mismatch("there is no SYCL backend".into()))
    }

    /// Takes over a SYCL queue of another package; a queue we know comes back as itself.
    ///
    /// # Safety
    /// See [`Backend::adopt_queue`].
    pub unsafe fn adopt_sycl_queue(&self, raw: *mut c_void) -> Result<Queue> {
        let slot = self.sycl()?;
        // SAFETY: the caller's word.
        let hal = unsafe { slot.backend.adopt_queue(raw, false) }?;
        let device = self.known_device(slot, hal.device());
        if device.selector().is_some() {
            let default = device.default_queue()?;
            if default.identity() == hal.identity() {
                return Ok(default);
            }
        }
        let context = self.known_context(slot, &device, hal.context())?;
        Ok(Queue::wrap(hal, device, context))
    }

    /// A queue in a SYCL context of another package: the default one where the context is the
    /// default one, else a new one on the context's first device.
    ///
    /// # Safety
    /// See [`Backend::adopt_context`].
    pub unsafe fn adopt_sycl_context(&self, raw: *mut c_void) -> Result<Queue> {
        let slot = self.sycl()?;
        // SAFETY: the caller's word.
        let hal = unsafe { slot.backend.adopt_context(raw) }?;
        let Some(first) = hal.devices().into_iter().next() else {
            return Err(Error::Mismatch("the context has no device".into()));
        };
        let device = self.known_device(slot, first);
        let context = self.known_context(slot, &device, hal)?;
        if device.default_context()? == context {
            return device.default_queue();
        }
        context.create_queue(&device, hal::QueueProperties::default())
    }

    fn known_device(&self, slot: &Slot, hal: hal::DeviceRef) -> Device {
        let roots = slot
            .devices()
            .as_ref()
            .map(Vec::as_slice)
            .unwrap_or_default();
        roots
            .iter()
            .find(|device| device.identity() == hal.identity())
            .cloned()
            .unwrap_or_else(|| Device::unlisted(slot.backend.clone(), hal))
    }

    fn known_context(&self, slot: &Slot, device: &Device, hal: hal::ContextRef) -> Result<Context> {
        let default = device.default_context()?;
        if default.identity() == hal.identity() {
            return Ok(default);
        }
        let members: Vec<Device> = hal
            .devices()
            .into_iter()
            .map(|member| self.known_device(slot, member))
            .collect();
        Ok(Context::spanning(&members, hal))
    }
}
