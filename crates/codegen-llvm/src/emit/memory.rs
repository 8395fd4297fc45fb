//! Elements of arrays: where they are, and reading and writing them for all lanes.

use super::{ALIGNMENT, Argument, Emitter, Held, Mask};
use crate::lanes::Shape;
use crate::llvm::{IntPredicate, Type, Value, constant};
use colocate_ir::{
    ArrayRef, DType, Layout, LocalId, ParamId, ParamKind, Part, Place, StorageClass, ValueId,
};

/// A number for each lane.
#[derive(Clone, Copy)]
enum Offset {
    /// The first lane's, and by how much each next one differs, if at all.
    Linear(Value, Option<Value>),
    Vector(Value),
}

/// Where an element is for each lane.
#[derive(Clone, Copy)]
pub(super) enum Address {
    /// All lanes mean the same element.
    Same(Value),
    /// The first lane's, and how many bytes further each next one is.
    Linear(Value, Value),
    /// A vector of pointers.
    Vector(Value),
}

/// An element for each lane, ready to be reached.
pub(super) struct Element {
    pub address: Address,
    pub dtype: DType,
    alignment: u32,
    /// The parameter that it belongs to.
    param: Option<ParamId>,
}

impl Emitter<'_> {
    fn offset_of(&mut self, value: ValueId) -> Offset {
        match self.held(value) {
            Held::Uniform(scalar) => Offset::Linear(scalar, None),
            Held::Linear(scalar, stride) => Offset::Linear(scalar, Some(self.m.i64(stride))),
            Held::Varying(vector) => Offset::Vector(vector),
        }
    }

    fn offset_times(&self, offset: Offset, factor: Value) -> Offset {
        match offset {
            Offset::Linear(base, stride) => {
                let stride = stride.map(|stride| self.m.mul(stride, factor));
                Offset::Linear(self.m.mul(base, factor), stride)
            }
            Offset::Vector(vector) => {
                Offset::Vector(self.m.mul(vector, self.m.splat(factor, self.width)))
            }
        }
    }

    fn offset_plus(&self, a: Offset, b: Offset) -> Offset {
        match (a, b) {
            (Offset::Linear(a, x), Offset::Linear(b, y)) => {
                let stride = match (x, y) {
                    (Some(x), Some(y)) => Some(self.m.add(x, y)),
                    (one, other) => one.or(other),
                };
                Offset::Linear(self.m.add(a, b), stride)
            }
            _ => {
                let (a, b) = (self.offset_vector(a), self.offset_vector(b));
                Offset::Vector(self.m.add(a, b))
            }
        }
    }

    fn offset_vector(&self, offset: Offset) -> Value {
        match offset {
            Offset::Vector(vector) => vector,
            Offset::Linear(base, None) => self.m.splat(base, self.width),
            Offset::Linear(base, Some(stride)) => {
                let stride = self.m.splat(stride, self.width);
                let steps = self.m.mul(stride, self.lane_numbers(self.m.int(64), 1));
                self.m.add(self.m.splat(base, self.width), steps)
            }
        }
    }

    pub(super) fn element(&mut self, place: &Place) -> Element {
        if let ArrayRef::Local(local) = place.array {
            return self.element_of_local(local, place);
        }
        let indices: Vec<Offset> = place.indices.iter().map(|&i| self.offset_of(i)).collect();
        self.element_at(place, &indices)
    }

    fn element_of_local(&mut self, local: LocalId, place: &Place) -> Element {
        let dtype = place
            .dtype(self.kernel)
            .expect("verified: the place exists");
        let (pointer, alignment) = self.local_element(local, &place.indices);
        let pointer = match place.part {
            Part::Imaginary => {
                let half = self.m.i64(dtype.itemsize() as i64);
                self.m.offset_inside(self.m.int(8), pointer, half)
            }
            Part::Whole | Part::Real => pointer,
        };
        Element {
            address: Address::Same(pointer),
            dtype,
            alignment,
            param: None,
        }
    }

    fn element_at(&mut self, place: &Place, indices: &[Offset]) -> Element {
        let whole = place
            .array
            .dtype(self.kernel)
            .expect("verified: the array exists");
        let dtype = place.part.of(whole).expect("verified: the part exists");
        let part = match place.part {
            Part::Imaginary => dtype.itemsize() as i64,
            Part::Whole | Part::Real => 0,
        };
        let itemsize = self.m.i64(whole.itemsize() as i64);
        let (pointer, offset, alignment) = match place.array {
            ArrayRef::Param(param) => {
                let ParamKind::Array { layout, .. } = self.kernel.params[param.index()].kind else {
                    unreachable!("verified: the parameter is an array");
                };
                let Argument::Array(array) = &self.arguments[param.index()] else {
                    unreachable!("arguments are unpacked as the parameters say");
                };
                let (pointer, extents, strides) =
                    (array.pointer, array.extents.clone(), array.strides.clone());
                match layout {
                    Layout::Contiguous => {
                        let index = self.row_major(indices, &extents);
                        let offset = self.offset_times(index, itemsize);
                        (pointer, offset, dtype.itemsize() as u32)
                    }
                    Layout::Strided => {
                        let mut offset = Offset::Linear(self.m.i64(0), None);
                        for (&index, &stride) in indices.iter().zip(&strides) {
                            let step = self.offset_times(index, stride);
                            offset = self.offset_plus(offset, step);
                        }
                        (pointer, offset, 1)
                    }
                }
            }
            ArrayRef::Storage(id) => {
                let storage = &self.kernel.storage[id.index()];
                let extents: Vec<Value> = storage
                    .shape
                    .iter()
                    .map(|&extent| self.m.i64(extent.into()))
                    .collect();
                let mut offset = self.offset_times(self.row_major(indices, &extents), itemsize);
                if storage.class == StorageClass::Private {
                    // Lane beside lane, so that the same element of all of them is one vector.
                    offset = self.offset_times(offset, self.m.i64(self.width.into()));
                    let own = Offset::Linear(self.m.i64(0), Some(itemsize));
                    offset = self.offset_plus(offset, own);
                }
                (self.storage[id.index()], offset, dtype.itemsize() as u32)
            }
            ArrayRef::Local(_) => unreachable!("these are reached by one lane only"),
        };
        let part = Offset::Linear(self.m.i64(part), None);
        let byte = self.m.int(8);
        let address = match self.offset_plus(offset, part) {
            Offset::Linear(base, stride) => {
                let first = self.m.offset(byte, pointer, base);
                match stride {
                    Some(stride) if self.width > 1 => Address::Linear(first, stride),
                    _ => Address::Same(first),
                }
            }
            Offset::Vector(_) if self.width == 1 => unreachable!("one lane has no vectors"),
            Offset::Vector(offsets) => Address::Vector(self.m.offset(byte, pointer, offsets)),
        };
        Element {
            address,
            dtype,
            alignment,
            param: match place.array {
                ArrayRef::Param(param) => Some(param),
                _ => None,
            },
        }
    }

    fn row_major(&self, indices: &[Offset], extents: &[Value]) -> Offset {
        let mut index = Offset::Linear(self.m.i64(0), None);
        for (axis, (&step, &extent)) in indices.iter().zip(extents).enumerate() {
            if axis > 0 {
                index = self.offset_times(index, extent);
            }
            index = self.offset_plus(index, step);
        }
        index
    }

    /// Python's negative indices make `i if i >= 0 else i + n` of an index, which has no regular
    /// step from lane to lane, though hardly ever is any lane's negative. If that is all that is in
    /// the way of reaching neighbouring elements: the indices without it, and whether none is negative.
    fn without_wrapping(&mut self, place: &Place) -> Option<(Vec<Offset>, Value)> {
        if self.width == 1 {
            return None;
        }
        let mut plain = Vec::new();
        let mut none_negative = None;
        for &index in &place.indices {
            let Some(inner) = self.lanes.wrapped(index) else {
                match self.offset_of(index) {
                    Offset::Vector(_) => return None,
                    linear => plain.push(linear),
                }
                continue;
            };
            let Held::Linear(first, stride) = self.held(inner) else {
                return None;
            };
            let span = stride.wrapping_mul(i64::from(self.width) - 1);
            let lowest = match span < 0 {
                true => self.m.add(first, self.m.i64(span)),
                false => first,
            };
            let fine = self.m.icmp(IntPredicate::LLVMIntSGE, lowest, self.m.i64(0));
            none_negative = Some(match none_negative {
                None => fine,
                Some(others) => self.m.and(others, fine),
            });
            plain.push(Offset::Linear(first, Some(self.m.i64(stride))));
        }
        none_negative.map(|condition| (plain, condition))
    }

    pub(super) fn load(&mut self, value: ValueId, place: &Place) {
        if self.lanes.value(value) == Shape::Varying {
            let loaded = match self.without_wrapping(place) {
                None => {
                    let element = self.element(place);
                    self.load_lanes(&element)
                }
                Some((plain, condition)) => {
                    let dtype = self.kernel.dtype(value);
                    let kind = self.m.vector(self.memory_type(dtype), self.width);
                    let slot = self.m.stack_slot(kind, ALIGNMENT);
                    let width = self.width;
                    let keep = |emitter: &mut Self, element: &Element| {
                        let vector = emitter.load_lanes(element);
                        let stored = emitter.write_bools(vector, dtype, width);
                        emitter.m.store(stored, slot, ALIGNMENT);
                    };
                    self.either(
                        condition,
                        |emitter| {
                            let element = emitter.element_at(place, &plain);
                            keep(emitter, &element);
                        },
                        |emitter| {
                            let element = emitter.element(place);
                            keep(emitter, &element);
                        },
                    );
                    let stored = self.m.load(kind, slot, ALIGNMENT);
                    self.read_bools(stored, dtype, width)
                }
            };
            self.define(value, loaded);
            return;
        }
        let element = self.element(place);
        let Address::Same(pointer) = element.address else {
            unreachable!("the analysis found {value:?} to be uniform");
        };
        let kind = self.memory_type(element.dtype);
        let loaded = self.m.load(kind, pointer, element.alignment);
        self.mark_disjoint(loaded, &element);
        let loaded = self.read_bools(loaded, element.dtype, 1);
        self.define(value, loaded);
    }

    /// Tells LLVM what it may assume of an access to an array parameter.
    fn mark_disjoint(&self, access: Value, element: &Element) {
        if let (true, Some(param)) = (self.kernel.disjoint, element.param) {
            let count = self.kernel.params.len();
            self.m.reaches_only(access, param.index(), count);
        }
    }

    fn load_lanes(&mut self, element: &Element) -> Value {
        let kind = self.m.vector(self.memory_type(element.dtype), self.width);
        let size = element.dtype.itemsize() as i64;
        let loaded = match element.address {
            Address::Same(pointer) => {
                let one = self
                    .m
                    .load(self.memory_type(element.dtype), pointer, element.alignment);
                self.m.splat(one, self.width)
            }
            Address::Linear(first, stride) if constant(stride) == Some(size) => {
                self.load_vector(kind, first, element.alignment)
            }
            Address::Linear(first, stride) if constant(stride).is_some() => {
                if constant(stride) == Some(2 * size) && self.takes_pairs() {
                    self.load_every_other(kind, first, size, element.alignment)
                } else {
                    self.gather(kind, element.address, element.alignment)
                }
            }
            Address::Linear(first, stride) => {
                // Strides known only now are most often those of contiguous rows.
                let slot = self.m.stack_slot(kind, ALIGNMENT);
                self.if_contiguous(
                    stride,
                    size,
                    |emitter| {
                        let vector = emitter.load_vector(kind, first, element.alignment);
                        emitter.m.store(vector, slot, ALIGNMENT);
                    },
                    |emitter| emitter.load_strided(kind, element, first, stride, slot),
                );
                self.m.load(kind, slot, ALIGNMENT)
            }
            Address::Vector(_) => self.gather(kind, element.address, element.alignment),
        };
        self.read_bools(loaded, element.dtype, self.width)
    }

    /// Lanes whose stride is known only now, and is not that of contiguous rows: every other element
    /// is common, too.
    fn load_strided(
        &mut self,
        kind: Type,
        element: &Element,
        first: Value,
        stride: Value,
        slot: Value,
    ) {
        let size = element.dtype.itemsize() as i64;
        let gather = |emitter: &mut Self| {
            let vector = emitter.gather(kind, element.address, element.alignment);
            emitter.m.store(vector, slot, ALIGNMENT);
        };
        if !self.takes_pairs() {
            return gather(self);
        }
        self.if_contiguous(
            stride,
            2 * size,
            |emitter| {
                let vector = emitter.load_every_other(kind, first, size, element.alignment);
                emitter.m.store(vector, slot, ALIGNMENT);
            },
            gather,
        );
    }

    /// Whether every other element can be reached by vectors that hold those between, too: all lanes
    /// must be there.
    fn takes_pairs(&self) -> bool {
        self.width > 1 && matches!(self.mask, Mask::Full)
    }

    /// Every other element from a pointer on, by two vectors and a choice among their lanes: several
    /// times as quick as a gather. The second vector ends with the last element that is wanted, so
    /// nothing beyond is touched.
    fn load_every_other(&mut self, kind: Type, first: Value, size: i64, alignment: u32) -> Value {
        let width = self.width;
        let low = self.m.load(kind, first, alignment);
        let distance = self.m.i64(i64::from(width - 1) * size);
        let second = self.m.offset(self.m.int(8), first, distance);
        let high = self.m.load(kind, second, alignment);
        let lanes: Vec<u32> = (0..width)
            .map(|lane| 2 * lane)
            .map(|at| if at < width { at } else { at + 1 })
            .collect();
        self.m.shuffle(low, high, &lanes)
    }

    /// The other way: a vector twice as wide whose odd lanes are not stored.
    fn store_every_other(&mut self, vector: Value, first: Value, alignment: u32) {
        let width = self.width;
        let lanes: Vec<u32> = (0..2 * width).map(|lane| lane / 2).collect();
        let wide = self.m.shuffle(vector, vector, &lanes);
        let truths = [1, 0].map(|truth| self.m.const_int(self.m.int(1), truth));
        let mask: Vec<Value> = (0..2 * width as usize)
            .map(|lane| truths[lane % 2])
            .collect();
        let mask = self.m.const_vector(&mask);
        let overloads = [self.m.type_of(wide), self.m.pointer()];
        let alignment = self.m.i32(alignment as i32);
        let arguments = [wide, first, alignment, mask];
        self.m
            .intrinsic("llvm.masked.store", &overloads, &arguments);
    }

    fn if_contiguous(
        &mut self,
        stride: Value,
        size: i64,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let size = self.m.i64(size);
        let same = self.m.icmp(IntPredicate::LLVMIntEQ, stride, size);
        self.either(same, then, otherwise);
    }

    /// One or the other, as all lanes agree.
    fn either(
        &mut self,
        condition: Value,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let (a, b, end) = (self.m.block(), self.m.block(), self.m.block());
        self.m.branch_if(condition, a, b);
        self.m.go_to(a);
        then(self);
        self.m.branch(end);
        self.m.go_to(b);
        otherwise(self);
        self.m.branch(end);
        self.m.go_to(end);
    }

    fn load_vector(&mut self, kind: Type, pointer: Value, alignment: u32) -> Value {
        match self.mask {
            Mask::Full => self.m.load(kind, pointer, alignment),
            Mask::Slot => {
                let mask = self.mask_value();
                let alignment = self.m.i32(alignment as i32);
                let arguments = [pointer, alignment, mask, self.m.null(kind)];
                let overloads = [kind, self.m.pointer()];
                self.m.intrinsic("llvm.masked.load", &overloads, &arguments)
            }
        }
    }

    fn gather(&mut self, kind: Type, address: Address, alignment: u32) -> Value {
        let pointers = self.pointers(address);
        let mask = self.mask_value();
        let alignment = self.m.i32(alignment as i32);
        let overloads = [kind, self.m.type_of(pointers)];
        let arguments = [pointers, alignment, mask, self.m.null(kind)];
        self.m
            .intrinsic("llvm.masked.gather", &overloads, &arguments)
    }

    fn pointers(&self, address: Address) -> Value {
        match address {
            Address::Vector(pointers) => pointers,
            Address::Same(pointer) => self.m.splat(pointer, self.width),
            Address::Linear(first, stride) => {
                let offsets = self.offset_vector(Offset::Linear(self.m.i64(0), Some(stride)));
                self.m.offset(self.m.int(8), first, offsets)
            }
        }
    }

    /// One lane's pointer.
    pub(super) fn lane_pointer(&self, address: Address, lane: u32) -> Value {
        match address {
            Address::Same(pointer) => pointer,
            Address::Linear(first, stride) => {
                let offset = self.m.mul(stride, self.m.i64(lane.into()));
                self.m.offset(self.m.int(8), first, offset)
            }
            Address::Vector(pointers) => self.m.extract_element(pointers, self.m.i32(lane as i32)),
        }
    }

    pub(super) fn store(&mut self, place: &Place, value: ValueId) {
        match self.without_wrapping(place) {
            None => {
                let element = self.element(place);
                self.store_element(&element, value);
            }
            Some((plain, condition)) => self.either(
                condition,
                |emitter| {
                    let element = emitter.element_at(place, &plain);
                    emitter.store_element(&element, value);
                },
                |emitter| {
                    let element = emitter.element(place);
                    emitter.store_element(&element, value);
                },
            ),
        }
    }

    fn store_element(&mut self, element: &Element, value: ValueId) {
        let alignment = element.alignment;
        if let (Address::Same(pointer), Held::Uniform(scalar)) = (element.address, self.held(value))
        {
            let stored = self.write_bools(scalar, element.dtype, 1);
            let access = self.m.store(stored, pointer, alignment);
            self.mark_disjoint(access, element);
            return;
        }
        let vector = self.vector(value);
        let stored = self.write_bools(vector, element.dtype, self.width);
        let size = element.dtype.itemsize() as i64;
        match element.address {
            Address::Linear(first, stride) if constant(stride) == Some(size) => {
                self.store_vector(stored, first, element);
            }
            Address::Linear(first, stride) if constant(stride).is_none() => self.if_contiguous(
                stride,
                size,
                |emitter| emitter.store_vector(stored, first, element),
                |emitter| emitter.scatter(stored, element.address, alignment),
            ),
            // Narrower elements have no masked stores on all processors.
            Address::Linear(first, stride)
                if constant(stride) == Some(2 * size) && size >= 4 && self.takes_pairs() =>
            {
                self.store_every_other(stored, first, alignment);
            }
            address => self.scatter(stored, address, alignment),
        }
    }

    fn store_vector(&mut self, vector: Value, pointer: Value, element: &Element) {
        let alignment = element.alignment;
        match self.mask {
            Mask::Full => {
                let bytes = self.width * element.dtype.itemsize() as u32;
                match self.passes_caches(element.param, pointer, bytes) {
                    Some((condition, aligned)) => self.either(
                        condition,
                        |emitter| emitter.m.store_past_caches(vector, pointer, aligned),
                        |emitter| {
                            emitter.m.store(vector, pointer, alignment);
                        },
                    ),
                    None => {
                        self.m.store(vector, pointer, alignment);
                    }
                }
            }
            Mask::Slot => {
                let mask = self.mask_value();
                let overloads = [self.m.type_of(vector), self.m.pointer()];
                let alignment = self.m.i32(alignment as i32);
                let arguments = [vector, pointer, alignment, mask];
                self.m
                    .intrinsic("llvm.masked.store", &overloads, &arguments);
            }
        }
    }

    fn scatter(&mut self, vector: Value, address: Address, alignment: u32) {
        let pointers = self.pointers(address);
        let mask = self.mask_value();
        let overloads = [self.m.type_of(vector), self.m.type_of(pointers)];
        let alignment = self.m.i32(alignment as i32);
        let arguments = [vector, pointers, alignment, mask];
        self.m
            .intrinsic("llvm.masked.scatter", &overloads, &arguments);
    }

    /// What memory holds as a register has it: bools are bytes there.
    pub(super) fn read_bools(&self, value: Value, dtype: DType, lanes: u32) -> Value {
        if dtype != DType::Bool {
            return value;
        }
        let zero = self.m.null(self.m.vector(self.m.int(8), lanes));
        self.m.icmp(IntPredicate::LLVMIntNE, value, zero)
    }

    /// The other way.
    pub(super) fn write_bools(&self, value: Value, dtype: DType, lanes: u32) -> Value {
        if dtype != DType::Bool {
            return value;
        }
        self.m.zext(value, self.m.vector(self.m.int(8), lanes))
    }
}
