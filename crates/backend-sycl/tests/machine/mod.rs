//! A SYCL device to run kernels on, and memory for them.

use crate::installed;
use colocate_codegen_spirv::{Options, generate};
use colocate_hal::{
    Backend, ContextRef, DeviceRef, EventRef, Geometry, KernelCode, KernelImage, KernelRef,
    QueueProperties, QueueRef, Result, SlotKind, UsmKind,
};
use colocate_ir::{Kernel, ParamKind};
use std::ptr::NonNull;

/// A device with a queue.
pub struct Machine {
    pub device: DeviceRef,
    pub context: ContextRef,
    pub queue: QueueRef,
}

/// A device, or nothing, with the reason printed.
pub fn machine() -> Option<Machine> {
    match installed::backend() {
        Ok(backend) => Some(Machine::new(backend.root_devices().unwrap()[0].clone())),
        Err(why) => {
            eprintln!("skipped: {why}");
            None
        }
    }
}

impl Machine {
    fn new(device: DeviceRef) -> Machine {
        let context = device.default_context().unwrap();
        let properties = QueueProperties::default();
        let queue = context.create_queue(&device, properties).unwrap();
        Machine {
            device,
            context,
            queue,
        }
    }

    /// Memory that holds these elements.
    pub fn buffer<T: Copy>(&self, elements: &[T]) -> Buffer<T> {
        let bytes = size_of_val(elements).max(1);
        let kind = UsmKind::Shared;
        let memory = self
            .context
            .alloc(&self.device, kind, bytes)
            .unwrap()
            .cast();
        // SAFETY: the allocation has room for them.
        unsafe { memory.copy_from_nonoverlapping(NonNull::from(elements).cast(), elements.len()) };
        Buffer {
            memory,
            length: elements.len(),
            context: self.context.clone(),
        }
    }

    pub fn load(&self, kernel: &Kernel) -> KernelRef {
        self.try_load(&image(kernel)).unwrap()
    }

    pub fn try_load(&self, image: &KernelImage) -> Result<KernelRef> {
        // SAFETY: the code is what the generator makes of a valid kernel, or no code at all.
        unsafe { self.context.load_kernel(&self.device, image) }
    }

    pub fn launch(
        &self,
        kernel: &KernelRef,
        arguments: &[u64],
        global: &[usize],
        local: Option<&[usize]>,
    ) -> Result<EventRef> {
        let geometry = geometry(global, local);
        // SAFETY: tests pass pointers to buffers that outlive the launch, which they wait for.
        unsafe { self.queue.launch(kernel, arguments, &geometry, &[]) }
    }

    /// Loads a kernel, runs it and waits.
    pub fn run(
        &self,
        kernel: &Kernel,
        arguments: &[u64],
        global: &[usize],
        local: Option<&[usize]>,
    ) {
        let loaded = self.load(kernel);
        let event = self.launch(&loaded, arguments, global, local);
        event.unwrap().wait().unwrap();
    }
}

pub fn geometry(global: &[usize], local: Option<&[usize]>) -> Geometry {
    let padded = |extents: &[usize]| {
        let mut all = [1; 3];
        all[..extents.len()].copy_from_slice(extents);
        all
    };
    Geometry {
        rank: global.len(),
        global: padded(global),
        local: local.map(padded),
    }
}

pub fn image(kernel: &Kernel) -> KernelImage {
    let module = generate(kernel, &Options::default()).unwrap();
    let slots = kernel.params.iter().flat_map(|param| {
        let first = match param.kind {
            ParamKind::Array { .. } => SlotKind::Pointer,
            ParamKind::Scalar(_) => SlotKind::Word,
        };
        let rest = std::iter::repeat_n(SlotKind::Word, param.kind.slots() - 1);
        std::iter::once(first).chain(rest)
    });
    KernelImage {
        name: module.entry,
        slots: slots.collect(),
        grouped: kernel.is_nd_range(),
        code: KernelCode::SpirV(module.words.into()),
    }
}

/// Shared memory.
pub struct Buffer<T> {
    memory: NonNull<T>,
    length: usize,
    context: ContextRef,
}

impl<T: Copy> Buffer<T> {
    pub fn address(&self) -> u64 {
        self.memory.as_ptr() as u64
    }

    /// What it holds. The launches that use it have been waited for.
    pub fn read(&self) -> Vec<T> {
        // SAFETY: the allocation holds as many.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr(), self.length) }.to_vec()
    }
}

impl<T> Drop for Buffer<T> {
    fn drop(&mut self) {
        let bytes = (self.length * size_of::<T>()).max(1);
        // SAFETY: allocated with this size, and no work uses it.
        unsafe {
            self.context
                .free(self.memory.cast(), UsmKind::Shared, bytes)
        }
    }
}
