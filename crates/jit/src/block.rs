//! Memory of arrays: on the host, on the device, and which of the two holds what counts.
//!
//! A block is `same` if both reach one memory; then nothing is ever copied. Else it has two sides, of
//! which each is made when it is first needed, and at least one is valid once anything was
//! written. The side that is not the caller's is packed: row-major without gaps. Arguments that
//! overlap share one block, a stretch of bytes, so that aliasing works as it does on the host.

use crate::slot::{is_packed, packed_strides};
use crate::value::{HostArray, Keep};
use crate::{Error, Result};
use colocate_array::{Array, copy_elements};
use colocate_dtype::{DType, Dims, Layout, Strides};
use colocate_runtime::{Access, Queue, Usm, UsmKind};
use std::alloc;
use std::cell::{Cell, OnceCell, RefCell};
use std::sync::Arc;

/// Stretches begin at a multiple of this on the device, so that what is aligned stays aligned.
const ALIGNMENT: usize = 64;

/// Whose a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The function's.
    Own,
    /// The caller's, in host memory.
    HostArgument,
    /// The caller's, in device memory.
    DeviceArgument,
    /// A library function's.
    Result,
}

/// Memory.
#[derive(Debug)]
pub(crate) struct Block {
    /// Of the whole.
    pub dtype: DType,
    /// Of the whole.
    pub shape: Dims,
    pub origin: Origin,
    /// In bytes, of the whole.
    host_strides: Strides,
    same: bool,
    host: Cell<*mut u8>,
    keep: RefCell<Option<Keep>>,
    /// In a box, because most blocks have none and are moved into place.
    device: OnceCell<Box<Array>>,
    /// Host memory that the device uses in place, as memory of the device.
    adopted: OnceCell<Arc<Usm>>,
    host_valid: Cell<bool>,
    device_valid: Cell<bool>,
    /// Whether it begins as zeros, while neither side is valid.
    zeros: Cell<bool>,
    /// The arguments of a stretch.
    members: Vec<HostArray>,
}

/// Host memory of our own.
struct HostMemory {
    pointer: *mut u8,
    layout: alloc::Layout,
}

// SAFETY: the memory belongs to nobody else, and is plain bytes.
unsafe impl Send for HostMemory {}
// SAFETY: as above; who may touch it when is decided by the one call that has it.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    fn new(bytes: usize, zeros: bool) -> Result<HostMemory> {
        HostMemory::aligned(bytes, ALIGNMENT, zeros)
    }

    fn aligned(bytes: usize, alignment: usize, zeros: bool) -> Result<HostMemory> {
        let layout =
            alloc::Layout::from_size_align(bytes.max(1), alignment).map_err(|_| Error::TooLarge)?;
        // SAFETY: the size is not zero.
        let pointer = unsafe {
            match zeros {
                true => alloc::alloc_zeroed(layout),
                false => alloc::alloc(layout),
            }
        };
        if pointer.is_null() {
            return Err(Error::TooLarge);
        }
        Ok(HostMemory { pointer, layout })
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        // SAFETY: made with this layout, and nobody has it any more.
        unsafe { alloc::dealloc(self.pointer, self.layout) };
    }
}

impl Block {
    fn new(dtype: DType, shape: Dims, origin: Origin, host_strides: Strides, same: bool) -> Block {
        Block {
            dtype,
            shape,
            origin,
            host_strides,
            same,
            host: Cell::new(std::ptr::null_mut()),
            keep: RefCell::new(None),
            device: OnceCell::new(),
            adopted: OnceCell::new(),
            host_valid: Cell::new(same),
            device_valid: Cell::new(same),
            zeros: Cell::new(false),
            members: Vec::new(),
        }
    }

    /// An array of the library, whose memory the host may or may not reach.
    pub(crate) fn of_array(array: Array, origin: Origin) -> Block {
        let item = array.dtype().itemsize();
        let shape = Dims::from_slice(array.shape());
        let same = array.usm().host_can_access();
        let strides = match same {
            true => {
                let steps = array.layout().strides().iter();
                steps.map(|&stride| stride * item as isize).collect()
            }
            false => packed_strides(&shape, item, false),
        };
        let block = Block::new(array.dtype(), shape, origin, strides, same);
        if same {
            block.host.set(array.pointer());
            *block.keep.borrow_mut() = Some(Keep::Owner(array.usm().clone()));
        }
        block.device_valid.set(true);
        block.device.set(Box::new(array)).expect("it is new");
        block
    }

    /// An array in host memory, which the device may or may not reach. The second is where its
    /// elements lie on the device.
    pub(crate) fn of_host(array: &HostArray, origin: Origin, same: bool) -> Block {
        let strides = array.strides.clone();
        let block = Block::new(array.dtype, array.shape.clone(), origin, strides, same);
        block.host.set(array.pointer);
        *block.keep.borrow_mut() = Some(array.keep.clone());
        block.host_valid.set(true);
        block
    }

    /// A stretch of host memory with several arguments in it.
    pub(crate) fn of_stretch(low: *mut u8, bytes: usize, members: Vec<HostArray>) -> Block {
        let strides = Strides::from_slice(&[1]);
        let shape = Dims::from_slice(&[bytes]);
        let mut block = Block::new(DType::UInt8, shape, Origin::HostArgument, strides, false);
        block.host.set(low);
        block.host_valid.set(true);
        block.members = members;
        block
    }

    /// New memory of the host that the device reaches, with nothing in it; row-major.
    pub(crate) fn on_host(dtype: DType, shape: Dims) -> Result<Block> {
        let strides = packed_strides(&shape, dtype.itemsize(), false);
        let block = Block::new(dtype, shape, Origin::Own, strides, true);
        let memory = HostMemory::aligned(block.bytes(), dtype.alignment(), false)?;
        block.host.set(memory.pointer);
        *block.keep.borrow_mut() = Some(Keep::Owner(Arc::new(memory)));
        Ok(block)
    }

    /// New memory with nothing in it, or zeros; row-major.
    pub(crate) fn unmade(dtype: DType, shape: Dims, zeros: bool) -> Block {
        let strides = packed_strides(&shape, dtype.itemsize(), false);
        let block = Block::new(dtype, shape, Origin::Own, strides, false);
        block.zeros.set(zeros);
        block
    }

    /// Makes what it holds anything, or zeros, for another use.
    pub(crate) fn begin_again(&self, zeros: bool) {
        self.host_valid.set(self.same);
        self.device_valid.set(self.same);
        self.zeros.set(zeros);
    }

    /// Where the whole lies on the device, in bytes.
    pub(crate) fn device_strides(&self) -> Strides {
        let item = self.dtype.itemsize();
        match self.device.get() {
            Some(array) => {
                let steps = array.layout().strides().iter();
                steps.map(|&stride| stride * item as isize).collect()
            }
            None => packed_strides(&self.shape, item, false),
        }
    }

    /// Where the whole lies on the host, in bytes.
    pub(crate) fn host_strides(&self) -> &Strides {
        &self.host_strides
    }

    /// Whether host and device share one memory.
    pub(crate) fn is_same(&self) -> bool {
        self.same
    }

    pub(crate) fn host_pointer(&self) -> *mut u8 {
        self.host.get()
    }

    /// Where the whole begins for the device; after [`Block::to_device`].
    pub(crate) fn device_pointer(&self) -> *mut u8 {
        match self.device.get() {
            Some(array) => array.pointer(),
            None => self.host.get(),
        }
    }

    /// The device's memory, if it is known as such.
    pub(crate) fn usm(&self) -> Option<&Arc<Usm>> {
        match self.device.get() {
            Some(array) => Some(array.usm()),
            None => self.adopted.get(),
        }
    }

    /// The device's memory; host memory that the device uses in place is made known to it.
    pub(crate) fn known_usm(
        &self,
        queue: &Queue,
        keep: impl FnOnce(&Keep) -> Arc<dyn std::any::Any + Send + Sync>,
    ) -> Result<Arc<Usm>> {
        if let Some(usm) = self.usm() {
            return Ok(usm.clone());
        }
        let item = self.dtype.itemsize();
        let (low, high) = crate::slot::span(&self.shape, &self.host_strides, item);
        let first = self.host.get().wrapping_offset(low);
        let pointer = std::ptr::NonNull::new(first).unwrap_or(std::ptr::NonNull::dangling());
        let owner = match &*self.keep.borrow() {
            Some(kept) => keep(kept),
            None => return Err(Error::Internal("host memory without an owner".into())),
        };
        // SAFETY: the elements lie there, and the owner keeps them.
        let usm =
            unsafe { Usm::adopt_host(queue, pointer, (high - low) as usize, Box::new(owner)) }?;
        Ok(self.adopted.get_or_init(|| usm).clone())
    }

    /// Who keeps the host side.
    pub(crate) fn keep(&self) -> Option<Keep> {
        self.keep.borrow().clone()
    }

    /// Whether nobody else has the memory, so that it may be used for something new.
    pub(crate) fn is_ours_alone(&self) -> bool {
        // What shares memory with the device without being an array there is kept like any host memory.
        let shared = self.same && self.device.get().is_some();
        let device = self.device.get().is_none_or(|array| {
            // The block's own, and the one that keeps the host side.
            let own = if self.same { 2 } else { 1 };
            Arc::strong_count(array.usm()) <= own
        });
        let host = shared
            || match &*self.keep.borrow() {
                Some(Keep::Owner(owner)) => Arc::strong_count(owner) == 1,
                Some(Keep::Argument(_)) => false,
                None => true,
            };
        self.origin == Origin::Own && device && host
    }

    fn bytes(&self) -> usize {
        self.shape.iter().product::<usize>() * self.dtype.itemsize()
    }

    fn device_array(&self, queue: &Queue, kind: UsmKind) -> Result<&Array> {
        if let Some(array) = self.device.get() {
            return Ok(array);
        }
        let array = match self.members.is_empty() {
            true => Array::empty(&self.shape, self.dtype, kind, queue)?,
            false => {
                let padding = self.host.get() as usize % ALIGNMENT;
                let usm = Usm::allocate(queue, kind, self.bytes() + padding)?;
                let layout = Layout::strided(&self.shape, &[1], padding as isize, 1)?;
                Array::over(usm, layout, self.dtype, queue, true)?
            }
        };
        Ok(self.device.get_or_init(|| Box::new(array)))
    }

    /// Makes the device's side valid; says how many bytes that moved. With `overwritten` what it held
    /// before does not matter.
    pub(crate) fn to_device(
        &self,
        queue: &Queue,
        kind: UsmKind,
        overwritten: bool,
    ) -> Result<usize> {
        if self.same || self.device_valid.get() {
            return Ok(0);
        }
        let array = self.device_array(queue, kind)?;
        let mut moved = 0;
        if !overwritten {
            if self.host_valid.get() {
                self.upload(array)?;
                moved = array.nbytes();
            } else if self.zeros.get() && array.size() > 0 {
                let (first, bytes) = array.span_bytes();
                queue.fill(array.usm(), first, &[0], bytes)?;
            }
        }
        self.zeros.set(false);
        self.device_valid.set(true);
        Ok(moved)
    }

    fn upload(&self, array: &Array) -> Result<()> {
        let (from, item) = (self.host.get(), self.dtype.itemsize());
        if is_packed(&self.shape, &self.host_strides, item) {
            if array.nbytes() > 0 {
                // SAFETY: the host side is valid, and its bytes lie side by side. Between arguments of
                // a stretch there is no gap but inside one of them.
                let bytes = unsafe { std::slice::from_raw_parts(from, array.nbytes()) };
                array.write_from(bytes)?;
            }
            return Ok(());
        }
        let mut staged = vec![0u8; array.nbytes()];
        let packed = packed_strides(&self.shape, item, false);
        // SAFETY: all elements, to a vector that has room for them.
        unsafe {
            copy_elements(
                &self.shape,
                item,
                (staged.as_mut_ptr(), &packed),
                (from, &self.host_strides),
            );
        }
        Ok(array.write_from(&staged)?)
    }

    /// Makes the host's side valid; says how many bytes that moved.
    pub(crate) fn to_host(&self) -> Result<usize> {
        if self.same {
            if let Some(usm) = self.usm() {
                usm.wait_for(Access::Write)?;
            }
            return Ok(0);
        }
        if self.host_valid.get() {
            return Ok(0);
        }
        if self.host.get().is_null() {
            let clear = self.zeros.get() && !self.device_valid.get();
            let memory = HostMemory::new(self.bytes(), clear)?;
            self.host.set(memory.pointer);
            *self.keep.borrow_mut() = Some(Keep::Owner(Arc::new(memory)));
        } else if self.zeros.get() && !self.device_valid.get() {
            // SAFETY: our own memory, of that many bytes.
            unsafe { self.host.get().write_bytes(0, self.bytes()) };
        }
        let mut moved = 0;
        if self.device_valid.get()
            && let Some(array) = self.device.get()
        {
            self.download(array)?;
            moved = array.nbytes();
        }
        self.zeros.set(false);
        self.host_valid.set(true);
        Ok(moved)
    }

    fn download(&self, array: &Array) -> Result<()> {
        let (to, item) = (self.host.get(), self.dtype.itemsize());
        if self.members.is_empty() && is_packed(&self.shape, &self.host_strides, item) {
            // SAFETY: the host side has room for all elements, side by side.
            return Ok(unsafe { array.read_into(to) }?);
        }
        let mut staged = vec![0u8; array.nbytes()];
        // SAFETY: the vector has room for all elements.
        unsafe { array.read_into(staged.as_mut_ptr()) }?;
        if self.members.is_empty() {
            let packed = packed_strides(&self.shape, item, false);
            // SAFETY: all elements, each to its own place.
            unsafe {
                copy_elements(
                    &self.shape,
                    item,
                    (to, &self.host_strides),
                    (staged.as_ptr(), &packed),
                );
            }
        }
        for member in self.members.iter().filter(|member| member.writable) {
            let offset = member.pointer as usize - to as usize;
            // SAFETY: the member's elements lie in the stretch, and the stretch in the vector.
            unsafe {
                copy_elements(
                    &member.shape,
                    member.dtype.itemsize(),
                    (member.pointer, &member.strides),
                    (staged.as_ptr().add(offset), &member.strides),
                );
            }
        }
        Ok(())
    }

    /// The device has changed it.
    pub(crate) fn changed_on_device(&self) {
        if !self.same {
            self.device_valid.set(true);
            self.host_valid.set(false);
        }
    }

    /// The host changes it.
    pub(crate) fn changed_on_host(&self) {
        if !self.same {
            self.host_valid.set(true);
            self.device_valid.set(false);
        }
    }

    /// Whether the host's side is up to date.
    pub(crate) fn is_valid_on_host(&self) -> bool {
        self.same || self.host_valid.get()
    }

    /// Whether the device's side is up to date, or nothing was written on either.
    pub(crate) fn is_valid_on_device(&self) -> bool {
        self.same || self.device_valid.get() || !self.host_valid.get()
    }
}
