//! The function that each item runs: its parameters, variables and storage.

use crate::Module;
use crate::half_floats::nearest_half;
use crate::left_behind::{LeftBehind, Remembered};
use crate::module_writer::{ModuleWriter, Type};
use colocate_ir::{
    Block, DType, IndexFunction, Kernel, Kind, Layout, Literal, Param, ParamKind, Part,
    StatementKind, StorageClass, ValueId, walk,
};
use rspirv::spirv::{Op, StorageClass as Memory, Word};
use std::collections::HashSet;

/// Writes the whole module.
pub fn write(kernel: &Kernel) -> Module {
    let mut generator = Generator::new(kernel);
    generator.block(&kernel.body);
    let exit = generator.exit;
    if generator.out.is_open() {
        generator.out.branch(exit);
    }
    generator.out.begin(exit);
    generator.combine_reductions();
    generator.out.ret();
    let entry = entry_name(kernel);
    Module {
        words: generator.out.finish(generator.function, &entry),
        entry,
    }
}

/// Not the kernel's own name, which might be one of a driver's library.
fn entry_name(kernel: &Kernel) -> String {
    format!("colocate_{}", kernel.name)
}

/// A kernel on its way to a module.
pub struct Generator<'k> {
    pub kernel: &'k Kernel,
    pub out: ModuleWriter,
    /// By value; 0 where it is not defined yet.
    pub values: Vec<Word>,
    /// A pointer for each variable.
    pub variables: Vec<Word>,
    /// What counted loops leave behind.
    pub left_behind: LeftBehind,
    /// Of the loops around, the innermost last.
    pub remembered: Vec<Remembered>,
    /// Values that are what something of the item's own holds.
    pub copies: HashSet<ValueId>,
    /// A pointer to the array for each storage.
    pub storage: Vec<Word>,
    /// The function's parameters.
    pub slots: Vec<Word>,
    /// A region's extents, which come behind the slots; empty for nd-range kernels.
    pub space: Vec<Word>,
    /// For each parameter that is a contiguous array, a pointer to its elements, or to the parts of
    /// complex ones; else 0.
    pub elements: Vec<Word>,
    /// The loops around, the innermost last.
    pub loops: Vec<Loop>,
    /// The block at the end.
    pub exit: Word,
    /// Whether items of a group meet anywhere.
    pub has_barriers: bool,
    function: Word,
}

/// Where a loop's jumps go.
#[derive(Clone, Copy)]
pub struct Loop {
    pub after: Word,
    pub next: Word,
    /// How many branches of its body are around; one more where some items may have left the turn.
    pub branches: i32,
}

impl<'k> Generator<'k> {
    fn new(kernel: &'k Kernel) -> Generator<'k> {
        let mut out = ModuleWriter::new(kernel.fast_math);
        let params = kernel.params.iter();
        let mut slots: Vec<_> = params.flat_map(|param| slots(&mut out, param)).collect();
        let declared = slots.len();
        if !kernel.is_nd_range() {
            let word = out.ty(Type::Int(64));
            slots.extend((0..3).map(|axis| (word, format!("space{axis}"))));
        }
        let (function, mut slots) = out.begin_function(&slots);
        let space = slots.split_off(declared);
        out.name(function, &entry_name(kernel));
        let exit = out.label();
        let mut generator = Generator {
            kernel,
            out,
            values: vec![0; kernel.values.len()],
            variables: Vec::new(),
            left_behind: LeftBehind::of(kernel),
            remembered: Vec::new(),
            copies: HashSet::new(),
            storage: Vec::new(),
            slots,
            space,
            elements: Vec::new(),
            loops: Vec::new(),
            exit,
            has_barriers: has_barriers(kernel),
            function,
        };
        generator.declare_elements();
        generator.declare_storage();
        generator.declare_variables();
        generator.leave_out_the_rest();
        generator
    }

    /// Sends items beyond a region's space to the end.
    fn leave_out_the_rest(&mut self) {
        for (axis, extent) in self.space.clone().into_iter().enumerate() {
            if axis >= self.kernel.rank.into() {
                break;
            }
            let id = self.index(IndexFunction::GlobalId, axis as u8);
            let inside = self.out.op(Op::ULessThan, Type::Bool, &[id, extent]);
            let body = self.out.label();
            self.out.branch_if(inside, body, self.exit);
            self.out.begin(body);
        }
    }

    fn declare_elements(&mut self) {
        let mut slot = 0;
        for param in &self.kernel.params {
            let elements = match param.kind {
                ParamKind::Array {
                    dtype,
                    layout: Layout::Contiguous,
                    ..
                } => {
                    let pointee = memory_type(part_dtype(dtype));
                    let pointer = self.out.pointer(Memory::CrossWorkgroup, pointee);
                    let bytes = self.slots[slot];
                    self.out.op_typed(Op::Bitcast, pointer, &[bytes])
                }
                _ => 0,
            };
            self.elements.push(elements);
            slot += param.kind.slots();
        }
    }

    fn declare_storage(&mut self) {
        for storage in &self.kernel.storage {
            let element = self.out.ty(memory_type(part_dtype(storage.dtype)));
            let length = storage.size() * parts(storage.dtype);
            let array = Type::Array(element, length as u32);
            let id = match storage.class {
                StorageClass::Local => self.out.shared(array, &storage.name),
                StorageClass::Private => self.out.local(array, &storage.name),
            };
            self.storage.push(id);
        }
    }

    fn declare_variables(&mut self) {
        for variable in 0..self.kernel.variables.len() {
            let id = self.declare_variable(variable);
            self.variables.push(id);
        }
        for (position, variable) in self.kernel.variables.iter().enumerate() {
            let mut reductions = self.kernel.reductions().iter();
            let start = reductions
                .find(|reduction| reduction.variable.index() == position)
                .map_or(Literal::zero(variable.dtype), |reduction| {
                    reduction.operator.identity(variable.dtype)
                });
            let start = self.literal(start);
            self.set_variable(position, start);
        }
    }

    /// A place for the values of a variable.
    pub fn declare_variable(&mut self, variable: usize) -> Word {
        let variable = &self.kernel.variables[variable];
        self.out.local(memory_type(variable.dtype), &variable.name)
    }

    /// Writes a variable.
    pub fn set_variable(&mut self, variable: usize, value: Word) {
        self.store_variable(variable, self.variables[variable], value);
        self.remember_value(variable, value);
    }

    /// Reads a variable.
    pub fn get_variable(&mut self, variable: usize) -> Word {
        self.load_variable(variable, self.variables[variable])
    }

    /// Writes a variable's value to a place for it.
    pub fn store_variable(&mut self, variable: usize, place: Word, value: Word) {
        let dtype = self.kernel.variables[variable].dtype;
        let value = self.encode(dtype, value);
        self.out.store(place, value, dtype.itemsize() as u32);
    }

    /// Reads a variable's value from a place for it.
    pub fn load_variable(&mut self, variable: usize, place: Word) -> Word {
        let dtype = self.kernel.variables[variable].dtype;
        let alignment = dtype.itemsize() as u32;
        let stored = self.out.load(memory_type(dtype), place, alignment);
        self.decode(dtype, stored)
    }

    /// A constant.
    pub fn literal(&mut self, literal: Literal) -> Word {
        match literal {
            Literal::Bool(value) => self.out.truth(value),
            Literal::Int(dtype, value) => self.out.int(bits(dtype), value as u64),
            Literal::Float(DType::Float16, value) => self.out.int(16, nearest_half(value).into()),
            Literal::Float(dtype, value) => self.out.float(bits(dtype), value),
            Literal::Complex(..) => unreachable!("core has no complex values"),
        }
    }

    /// A value as it is kept in memory.
    pub fn encode(&mut self, dtype: DType, value: Word) -> Word {
        if dtype.kind() != Kind::Bool {
            return value;
        }
        let (one, zero) = (self.out.int(8, 1), self.out.int(8, 0));
        self.out.op(Op::Select, Type::Int(8), &[value, one, zero])
    }

    /// A value from what memory holds.
    pub fn decode(&mut self, dtype: DType, stored: Word) -> Word {
        if dtype.kind() != Kind::Bool {
            return stored;
        }
        let zero = self.out.int(8, 0);
        self.out.op(Op::INotEqual, Type::Bool, &[stored, zero])
    }
}

/// A group's items meet to combine their contributions, too.
fn has_barriers(kernel: &Kernel) -> bool {
    !kernel.reductions().is_empty() || holds_barrier(&kernel.body)
}

pub(crate) fn holds_barrier(block: &Block) -> bool {
    let mut found = false;
    walk(block, &mut |statement| {
        found |= matches!(statement.kind, StatementKind::Barrier { .. });
    });
    found
}

/// The types and names of a parameter's slots.
fn slots(out: &mut ModuleWriter, param: &Param) -> Vec<(Word, String)> {
    let word = out.ty(Type::Int(64));
    let name = &param.name;
    match param.kind {
        ParamKind::Scalar(DType::Complex128) => {
            vec![
                (word, format!("{name}.real")),
                (word, format!("{name}.imag")),
            ]
        }
        ParamKind::Scalar(_) => vec![(word, name.clone())],
        ParamKind::Array { rank, layout, .. } => {
            let pointer = out.pointer(Memory::CrossWorkgroup, Type::Int(8));
            let extents = (0..rank).map(|axis| (word, format!("{name}.shape{axis}")));
            let strides = (0..rank).map(|axis| (word, format!("{name}.stride{axis}")));
            let strides = strides.take_while(|_| layout == Layout::Strided);
            let address = (pointer, name.clone());
            std::iter::once(address)
                .chain(extents)
                .chain(strides)
                .collect()
        }
    }
}

/// How many bits a number has.
pub fn bits(dtype: DType) -> u32 {
    8 * dtype.itemsize() as u32
}

/// The dtype of a number's parts: itself, unless it is complex.
pub fn part_dtype(dtype: DType) -> DType {
    Part::Real.of(dtype).unwrap_or(dtype)
}

/// How many parts a number has.
pub fn parts(dtype: DType) -> usize {
    if dtype.kind() == Kind::Complex { 2 } else { 1 }
}

/// The type of values of a dtype.
pub fn value_type(dtype: DType) -> Type {
    match dtype.kind() {
        Kind::Bool => Type::Bool,
        Kind::Int | Kind::UInt => Type::Int(bits(dtype)),
        Kind::Float if dtype == DType::Float16 => Type::Int(16),
        Kind::Float => Type::Float(bits(dtype)),
        Kind::Complex => unreachable!("core has no complex values"),
    }
}

/// The type of values of a dtype in memory.
pub fn memory_type(dtype: DType) -> Type {
    match dtype.kind() {
        Kind::Bool => Type::Int(8),
        _ => value_type(dtype),
    }
}
