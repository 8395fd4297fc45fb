//! Devices.

use crate::queue::QueueInner;
use crate::{Context, Error, Queue, Result};
use colocate_hal::{self as hal, Aspect, DeviceInfo, DeviceType, Partition, QueueProperties};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// A device; a cheap handle.
#[derive(Clone)]
pub struct Device(pub(crate) Arc<DeviceInner>);

pub(crate) struct DeviceInner {
    pub(crate) hal: hal::DeviceRef,
    pub(crate) backend: Arc<dyn hal::Backend>,
    place: Place,
    default_context: OnceLock<Context>,
    /// A root device lives for ever and so does its default queue.
    default_queue: OnceLock<Queue>,
    /// Another device's lives while somebody uses it, or the two would keep each other alive.
    part_queue: Mutex<Weak<QueueInner>>,
}

/// Where a device stands among others.
enum Place {
    /// The n-th root device of its backend and type.
    Root(usize),
    /// A part of another device.
    Part {
        parent: Device,
        partition: Partition,
        index: usize,
    },
    /// Met inside another package's object, and none we know.
    Unlisted,
}

impl Device {
    pub(crate) fn root(
        backend: Arc<dyn hal::Backend>,
        hal: hal::DeviceRef,
        index: usize,
    ) -> Device {
        Self::new(backend, hal, Place::Root(index))
    }

    pub(crate) fn unlisted(backend: Arc<dyn hal::Backend>, hal: hal::DeviceRef) -> Device {
        Self::new(backend, hal, Place::Unlisted)
    }

    fn new(backend: Arc<dyn hal::Backend>, hal: hal::DeviceRef, place: Place) -> Device {
        Device(Arc::new(DeviceInner {
            hal,
            backend,
            place,
            default_context: OnceLock::new(),
            default_queue: OnceLock::new(),
            part_queue: Mutex::new(Weak::new()),
        }))
    }

    /// `native`, `opencl`, `level_zero`, `cuda`.
    pub fn backend(&self) -> &'static str {
        self.0.hal.backend_name()
    }

    /// The backend crate's family: `native`, `sycl`, `cuda`.
    pub fn family(&self) -> &'static str {
        self.0.backend.name()
    }

    /// What it is.
    pub fn device_type(&self) -> DeviceType {
        self.0.hal.device_type()
    }

    /// The facts.
    pub fn info(&self) -> &DeviceInfo {
        self.0.hal.info()
    }

    /// Whether it can do something.
    pub fn has(&self, aspect: Aspect) -> bool {
        self.info().has(aspect)
    }

    /// The selector that gives this device again in any process; `None` for a part of a device.
    pub fn selector(&self) -> Option<String> {
        match self.0.place {
            Place::Root(index) => Some(format!(
                "{}:{}:{index}",
                self.backend(),
                self.device_type().name()
            )),
            _ => None,
        }
    }

    /// The number of a root device among those of its backend and type.
    pub fn relative_id(&self) -> Option<usize> {
        match self.0.place {
            Place::Root(index) => Some(index),
            _ => None,
        }
    }

    /// How people tell it from others: the selector, with the parts taken of it.
    pub fn label(&self) -> String {
        match &self.0.place {
            Place::Root(_) => self.selector().expect("a root device has a selector"),
            Place::Part { parent, index, .. } => format!("{}/part {index}", parent.label()),
            Place::Unlisted => format!(
                "{}:{} (unlisted)",
                self.backend(),
                self.device_type().name()
            ),
        }
    }

    /// The device this is a part of.
    pub fn parent(&self) -> Option<&Device> {
        match &self.0.place {
            Place::Part { parent, .. } => Some(parent),
            _ => None,
        }
    }

    /// How it was split off: parent, partition and which of the parts.
    pub fn part_of(&self) -> Option<(&Device, &Partition, usize)> {
        match &self.0.place {
            Place::Part {
                parent,
                partition,
                index,
            } => Some((parent, partition, *index)),
            _ => None,
        }
    }

    fn root_device(&self) -> &Device {
        self.parent().map_or(self, Device::root_device)
    }

    /// Splits it (R1.6).
    pub fn create_sub_devices(&self, partition: &Partition) -> Result<Vec<Device>> {
        let parts = self.0.hal.create_sub_devices(partition)?;
        Ok(parts
            .into_iter()
            .enumerate()
            .map(|(index, hal)| {
                let place = Place::Part {
                    parent: self.clone(),
                    partition: partition.clone(),
                    index,
                };
                Device::new(self.0.backend.clone(), hal, place)
            })
            .collect())
    }

    /// The context everybody shares (R1.2).
    pub fn default_context(&self) -> Result<Context> {
        if let Some(context) = self.0.default_context.get() {
            return Ok(context.clone());
        }
        let context = Context::default_of(self, self.0.hal.default_context()?);
        Ok(self.0.default_context.get_or_init(|| context).clone())
    }

    /// A context over this device's parts or several devices of one root (R1.6).
    pub fn context_over(devices: &[Device]) -> Result<Context> {
        let Some(first) = devices.first() else {
            return Err(Error::Mismatch(
                "a context needs at least one device".into(),
            ));
        };
        if let [single] = devices
            && single.parent().is_none()
        {
            return single.default_context();
        }
        for device in devices {
            if device.root_device() != first.root_device() {
                return Err(Error::Mismatch(format!(
                    "a context spans devices of one root device, but {} and {} have different ones",
                    first.label(),
                    device.label()
                )));
            }
        }
        let handles: Vec<_> = devices.iter().map(|device| device.0.hal.clone()).collect();
        Ok(Context::spanning(
            devices,
            first.0.hal.create_context(&handles)?,
        ))
    }

    /// The queue that work for this device goes to by default; always the same one (R1.3).
    pub fn default_queue(&self) -> Result<Queue> {
        if let Some(queue) = self.known_default_queue() {
            return Ok(queue);
        }
        // The backend may need a lock of its surroundings (Python's), so none of ours is held.
        let context = self.default_context()?;
        let shared = match self.selector() {
            Some(selector) => self.0.backend.shared_default_queue(&selector)?,
            None => None,
        };
        let usable = shared.filter(|queue| {
            queue.device().identity() == self.identity()
                && queue.context().identity() == context.identity()
        });
        let queue = match usable {
            Some(hal) => Queue::wrap(hal, self.clone(), context),
            None => context.create_queue(self, QueueProperties::default())?,
        };
        if self.selector().is_some() {
            return Ok(self.0.default_queue.get_or_init(|| queue).clone());
        }
        let _critical = hal::fork::critical();
        let mut slot = self.0.part_queue.lock().expect("no holder panics");
        if let Some(other) = slot.upgrade() {
            return Ok(Queue(other));
        }
        *slot = Arc::downgrade(&queue.0);
        Ok(queue)
    }

    pub(crate) fn known_default_queue(&self) -> Option<Queue> {
        if let Some(queue) = self.0.default_queue.get() {
            return Some(queue.clone());
        }
        let _critical = hal::fork::critical();
        let slot = self.0.part_queue.lock().expect("no holder panics");
        slot.upgrade().map(Queue)
    }

    pub(crate) fn downgrade(&self) -> Weak<DeviceInner> {
        Arc::downgrade(&self.0)
    }

    /// A number that is this device's alone within its backend family.
    pub fn identity(&self) -> u64 {
        self.0.hal.identity()
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.family() == other.family() && self.identity() == other.identity())
    }
}

impl Eq for Device {}

impl Hash for Device {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.family().hash(state);
        self.identity().hash(state);
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Device({})", self.label())
    }
}
