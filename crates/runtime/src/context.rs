//! Contexts.

use crate::device::DeviceInner;
use crate::pool::Pool;
use crate::{Device, Error, Queue, Result};
use colocate_hal::{self as hal, QueueProperties, UsmKind};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Weak};

/// A set of devices that share allocations; a cheap handle.
#[derive(Clone)]
pub struct Context(pub(crate) Arc<ContextInner>);

pub(crate) struct ContextInner {
    pub(crate) hal: hal::ContextRef,
    members: Members,
    family: &'static str,
    pub(crate) pool: Pool,
}

enum Members {
    /// A device owns its default context, so that must not own the device.
    Default(Weak<DeviceInner>),
    Several(Vec<Device>),
}

impl Context {
    pub(crate) fn default_of(device: &Device, hal: hal::ContextRef) -> Context {
        Self::new(hal, Members::Default(device.downgrade()), device.family())
    }

    pub(crate) fn spanning(devices: &[Device], hal: hal::ContextRef) -> Context {
        let family = devices[0].family();
        Self::new(hal, Members::Several(devices.to_vec()), family)
    }

    fn new(hal: hal::ContextRef, members: Members, family: &'static str) -> Context {
        let inner = Arc::new(ContextInner {
            pool: Pool::new(hal.clone()),
            hal,
            members,
            family,
        });
        crate::pool::remember(&inner);
        Context(inner)
    }

    /// Its members.
    pub fn devices(&self) -> Vec<Device> {
        match &self.0.members {
            Members::Default(device) => device.upgrade().map(Device).into_iter().collect(),
            Members::Several(devices) => devices.clone(),
        }
    }

    /// The labels of its members, for messages.
    pub fn label(&self) -> String {
        let labels: Vec<_> = self.devices().iter().map(Device::label).collect();
        labels.join(", ")
    }

    /// A new queue on one of its devices.
    pub fn create_queue(&self, device: &Device, properties: QueueProperties) -> Result<Queue> {
        if !self.devices().contains(device) {
            return Err(Error::NotInContext {
                device: device.label(),
                members: self.label(),
            });
        }
        let hal = self.0.hal.create_queue(&device.0.hal, properties)?;
        Ok(Queue::wrap(hal, device.clone(), self.clone()))
    }

    /// Whether the host may read memory of a kind at no cost (R2.3).
    pub fn host_can_access(&self, kind: UsmKind) -> bool {
        self.0.hal.host_can_access(kind)
    }

    /// Whether kernels may use plain host memory.
    pub fn device_can_access_host(&self) -> bool {
        self.0.hal.device_can_access_host()
    }

    /// Which kind of this context's memory an address is.
    pub fn pointer_kind(&self, pointer: *const u8) -> Option<UsmKind> {
        self.0.hal.pointer_kind(pointer)
    }

    /// A new handle of the backend's library, for another package.
    pub fn share_handle(&self) -> Option<hal::SharedHandle> {
        self.0.hal.share_handle()
    }

    /// See [`Device::identity`].
    pub fn identity(&self) -> u64 {
        self.0.hal.identity()
    }

    /// See [`Device::family`].
    pub fn family(&self) -> &'static str {
        self.0.family
    }
}

impl PartialEq for Context {
    fn eq(&self, other: &Context) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.family() == other.family() && self.identity() == other.identity())
    }
}

impl Eq for Context {}

impl Hash for Context {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.family().hash(state);
        self.identity().hash(state);
    }
}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Context({})", self.label())
    }
}
