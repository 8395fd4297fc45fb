//! A module under construction, in SPIR-V's own terms.
//!
//! Types and constants exist once each; capabilities follow from the types and instructions
//! used; variables of the function gather at its start. Knows nothing of kernels.

use rspirv::binary::Assemble;
use rspirv::dr::{Builder, Instruction, Operand};
use rspirv::spirv::{
    AddressingModel, BuiltIn, CLOp, Capability, Decoration, ExecutionMode, ExecutionModel,
    FPFastMathMode, FunctionControl, GroupOperation, LoopControl, MemoryAccess, MemoryModel, Op,
    Scope, SelectionControl, StorageClass, Word,
};
use std::collections::{BTreeSet, HashMap};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Bool,
    /// Of this many bits; OpenCL's integers have no sign.
    Int(u32),
    /// Of this many bits.
    Float(u32),
    /// Three 64-bit integers.
    Indices,
    Pointer(StorageClass, Word),
    Array(Word, u32),
}

/// Builds one module with one function.
pub struct ModuleWriter {
    builder: Builder,
    types: HashMap<Type, Word>,
    constants: HashMap<(Word, u64), Word>,
    capabilities: BTreeSet<u32>,
    built_ins: HashMap<u32, Word>,
    /// Variables of the function, which must stand at the beginning of its first block.
    locals: Vec<Instruction>,
    open_cl: Word,
    current_block: Word,
    fast_math: bool,
}

impl ModuleWriter {
    pub fn new(fast_math: bool) -> ModuleWriter {
        let mut builder = Builder::new();
        builder.set_version(1, 0);
        builder.memory_model(AddressingModel::Physical64, MemoryModel::OpenCL);
        let open_cl = builder.ext_inst_import("OpenCL.std");
        let mut writer = ModuleWriter {
            builder,
            types: HashMap::new(),
            constants: HashMap::new(),
            capabilities: BTreeSet::new(),
            built_ins: HashMap::new(),
            locals: Vec::new(),
            open_cl,
            current_block: 0,
            fast_math,
        };
        writer.need(Capability::Addresses);
        writer.need(Capability::Kernel);
        writer
    }

    /// Declares a capability.
    pub fn need(&mut self, capability: Capability) {
        if self.capabilities.insert(capability as u32) {
            self.builder.capability(capability);
        }
    }

    pub fn ty(&mut self, ty: Type) -> Word {
        if let Some(&id) = self.types.get(&ty) {
            return id;
        }
        let id = match ty {
            Type::Void => self.builder.type_void(),
            Type::Bool => self.builder.type_bool(),
            Type::Int(bits) => {
                match bits {
                    8 => self.need(Capability::Int8),
                    16 => self.need(Capability::Int16),
                    64 => self.need(Capability::Int64),
                    _ => {}
                }
                self.builder.type_int(bits, 0)
            }
            Type::Float(bits) => {
                if bits == 64 {
                    self.need(Capability::Float64);
                }
                self.builder.type_float(bits)
            }
            Type::Indices => {
                let component = self.ty(Type::Int(64));
                self.builder.type_vector(component, 3)
            }
            Type::Pointer(class, pointee) => self.builder.type_pointer(None, class, pointee),
            Type::Array(element, length) => {
                let length = self.int(32, length.into());
                self.builder.type_array(element, length)
            }
        };
        self.types.insert(ty, id);
        id
    }

    /// A pointer type.
    pub fn pointer(&mut self, class: StorageClass, pointee: Type) -> Word {
        let pointee = self.ty(pointee);
        self.ty(Type::Pointer(class, pointee))
    }

    fn constant(&mut self, ty: Word, bits: u32, value: u64) -> Word {
        if let Some(&id) = self.constants.get(&(ty, value)) {
            return id;
        }
        let id = if bits == 64 {
            self.builder.constant_bit64(ty, value)
        } else {
            self.builder.constant_bit32(ty, value as u32)
        };
        self.constants.insert((ty, value), id);
        id
    }

    /// An integer constant: the low bits of `value`.
    pub fn int(&mut self, bits: u32, value: u64) -> Word {
        let ty = self.ty(Type::Int(bits));
        self.constant(ty, bits, value & (u64::MAX >> (64 - bits)))
    }

    /// A float constant, rounded to the width.
    pub fn float(&mut self, bits: u32, value: f64) -> Word {
        let ty = self.ty(Type::Float(bits));
        let pattern = match bits {
            32 => (value as f32).to_bits().into(),
            _ => value.to_bits(),
        };
        self.constant(ty, bits, pattern)
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> Word {
        let ty = self.ty(Type::Bool);
        if let Some(&id) = self.constants.get(&(ty, value.into())) {
            return id;
        }
        let id = if value {
            self.builder.constant_true(ty)
        } else {
            self.builder.constant_false(ty)
        };
        self.constants.insert((ty, value.into()), id);
        id
    }

    /// A scope, as atomics and barriers take it.
    pub fn scope(&mut self, scope: Scope) -> Word {
        self.int(32, (scope as u32).into())
    }

    /// An instruction that gives a value.
    pub fn op(&mut self, op: Op, ty: Type, operands: &[Word]) -> Word {
        let ty = self.ty(ty);
        self.op_typed(op, ty, operands)
    }

    /// An instruction that gives a value of a type with an id.
    pub fn op_typed(&mut self, op: Op, ty: Word, operands: &[Word]) -> Word {
        let id = self.builder.id();
        self.instruction(id, op, ty, operands);
        if self.fast_math && matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv) {
            // `FAST` would assume that there are no NaN and infinities.
            let mode = FPFastMathMode::NSZ | FPFastMathMode::ALLOW_RECIP;
            let mode = Operand::FPFastMathMode(mode);
            self.builder
                .decorate(id, Decoration::FPFastMathMode, [mode]);
        }
        id
    }

    /// An instruction that gives a value the id it was promised.
    pub fn op_as(&mut self, id: Word, op: Op, ty: Type, operands: &[Word]) {
        let ty = self.ty(ty);
        self.instruction(id, op, ty, operands);
    }

    fn instruction(&mut self, id: Word, op: Op, ty: Word, operands: &[Word]) {
        let operands = operands.iter().map(|&id| Operand::IdRef(id)).collect();
        self.push(Instruction::new(op, Some(ty), Some(id), operands));
    }

    /// A function of OpenCL's extended instruction set.
    pub fn open_cl(&mut self, function: CLOp, ty: Type, operands: &[Word]) -> Word {
        let ty = self.ty(ty);
        let operands = operands.iter().map(|&id| Operand::IdRef(id));
        let operands: Vec<Operand> = operands.collect();
        self.builder
            .ext_inst(ty, None, self.open_cl, function as u32, operands)
            .expect("a block is open")
    }

    /// What a group's items have together.
    pub fn group(&mut self, op: Op, ty: Type, value: Word) -> Word {
        self.need(Capability::Groups);
        let scope = self.scope(Scope::Workgroup);
        let ty = self.ty(ty);
        let id = self.builder.id();
        let operands = vec![
            Operand::IdScope(scope),
            Operand::GroupOperation(GroupOperation::Reduce),
            Operand::IdRef(value),
        ];
        self.push(Instruction::new(op, Some(ty), Some(id), operands));
        id
    }

    /// Whether any of a group's items has true.
    pub fn group_any(&mut self, value: Word) -> Word {
        self.need(Capability::Groups);
        let scope = self.scope(Scope::Workgroup);
        self.op(Op::GroupAny, Type::Bool, &[scope, value])
    }

    /// An instruction without a result.
    pub fn effect(&mut self, op: Op, operands: &[Word]) {
        let operands = operands.iter().map(|&id| Operand::IdRef(id)).collect();
        self.push(Instruction::new(op, None, None, operands));
    }

    fn push(&mut self, instruction: Instruction) {
        self.builder
            .insert_into_block(rspirv::dr::InsertPoint::End, instruction)
            .expect("a block is open");
    }

    /// Reads memory.
    pub fn load(&mut self, ty: Type, pointer: Word, alignment: u32) -> Word {
        let ty = self.ty(ty);
        let aligned = Some(MemoryAccess::ALIGNED);
        let alignment = [Operand::LiteralBit32(alignment)];
        self.builder
            .load(ty, None, pointer, aligned, alignment)
            .expect("a block is open")
    }

    /// Writes memory.
    pub fn store(&mut self, pointer: Word, value: Word, alignment: u32) {
        let aligned = Some(MemoryAccess::ALIGNED);
        let alignment = [Operand::LiteralBit32(alignment)];
        self.builder
            .store(pointer, value, aligned, alignment)
            .expect("a block is open");
    }

    /// A variable of the function.
    pub fn local(&mut self, ty: Type, name: &str) -> Word {
        let pointer = self.pointer(StorageClass::Function, ty);
        let id = self.builder.id();
        let class = Operand::StorageClass(StorageClass::Function);
        let variable = Instruction::new(Op::Variable, Some(pointer), Some(id), vec![class]);
        self.locals.push(variable);
        self.builder.name(id, name);
        id
    }

    /// Memory that a group shares.
    pub fn shared(&mut self, ty: Type, name: &str) -> Word {
        let pointer = self.pointer(StorageClass::Workgroup, ty);
        let id = self.builder.id();
        let class = Operand::StorageClass(StorageClass::Workgroup);
        let variable = Instruction::new(Op::Variable, Some(pointer), Some(id), vec![class]);
        self.builder.module_mut().types_global_values.push(variable);
        self.builder.name(id, name);
        id
    }

    /// One component of a built-in vector of indices.
    pub fn built_in(&mut self, which: BuiltIn, component: u32) -> Word {
        let variable = match self.built_ins.get(&(which as u32)) {
            Some(&id) => id,
            None => {
                let pointer = self.pointer(StorageClass::Input, Type::Indices);
                let id = self.builder.id();
                let class = Operand::StorageClass(StorageClass::Input);
                let variable = Instruction::new(Op::Variable, Some(pointer), Some(id), vec![class]);
                self.builder.module_mut().types_global_values.push(variable);
                let operand = [Operand::BuiltIn(which)];
                self.builder.decorate(id, Decoration::BuiltIn, operand);
                self.builder.decorate(id, Decoration::Constant, []);
                self.builder.name(id, format!("{which:?}"));
                self.built_ins.insert(which as u32, id);
                id
            }
        };
        let indices = self.load(Type::Indices, variable, 32);
        let ty = self.ty(Type::Int(64));
        self.builder
            .composite_extract(ty, None, indices, [component])
            .expect("a block is open")
    }

    /// Opens the function; the ids of its parameters.
    pub fn begin_function(&mut self, params: &[(Word, String)]) -> (Word, Vec<Word>) {
        let void = self.ty(Type::Void);
        let types: Vec<Word> = params.iter().map(|(ty, _)| *ty).collect();
        let ty = self.builder.type_function(void, types.clone());
        let function = self
            .builder
            .begin_function(void, None, FunctionControl::NONE, ty)
            .expect("there is no other function");
        let mut ids = Vec::new();
        for (ty, name) in params {
            let id = self.builder.function_parameter(*ty);
            let id = id.expect("the function is open");
            self.builder.name(id, name);
            ids.push(id);
        }
        let first = self.label();
        self.begin(first);
        (function, ids)
    }

    /// An id for a block or a value to come.
    pub fn label(&mut self) -> Word {
        self.builder.id()
    }

    /// Opens a block.
    pub fn begin(&mut self, label: Word) {
        self.builder
            .begin_block(Some(label))
            .expect("the block before is closed");
        self.current_block = label;
    }

    /// Whether instructions can be added.
    pub fn is_open(&self) -> bool {
        self.builder.selected_block().is_some()
    }

    /// The block that is open.
    pub fn current_block(&self) -> Word {
        self.current_block
    }

    /// Closes the block: goes on at another.
    pub fn branch(&mut self, target: Word) {
        self.builder.branch(target).expect("a block is open");
    }

    /// Closes the block: goes on at one or the other.
    pub fn branch_if(&mut self, condition: Word, yes: Word, no: Word) {
        self.builder
            .branch_conditional(condition, yes, no, [])
            .expect("a block is open");
    }

    /// Closes a block that nothing leads to.
    pub fn unreachable(&mut self) {
        self.builder.unreachable().expect("a block is open");
    }

    /// Closes the block: leaves the function.
    pub fn ret(&mut self) {
        self.builder.ret().expect("a block is open");
    }

    /// Says where the two sides of the branch to come meet.
    pub fn selection_merge(&mut self, merge: Word) {
        self.builder
            .selection_merge(merge, SelectionControl::NONE)
            .expect("a block is open");
    }

    /// Says that the open block begins a loop.
    pub fn loop_merge(&mut self, merge: Word, next: Word, control: LoopControl) {
        self.builder
            .loop_merge(merge, next, control, [])
            .expect("a block is open");
    }

    /// Chooses by where control came from.
    pub fn phi(&mut self, ty: Type, id: Word, from: &[(Word, Word)]) {
        let ty = self.ty(ty);
        let sources = from.iter().copied();
        self.builder
            .phi(ty, Some(id), sources)
            .expect("a block is open");
    }

    /// Gives an id a name in the text.
    pub fn name(&mut self, id: Word, name: &str) {
        self.builder.name(id, name);
    }

    /// Closes the function and gives the module.
    pub fn finish(mut self, function: Word, entry: &str) -> Vec<u32> {
        self.builder.end_function().expect("the function is open");
        let mut interface: Vec<Word> = self.built_ins.values().copied().collect();
        interface.sort_unstable();
        self.builder
            .entry_point(ExecutionModel::Kernel, function, entry, interface);
        if !self.fast_math {
            self.builder
                .execution_mode(function, ExecutionMode::ContractionOff, []);
        }
        let mut module = self.builder.module();
        let first = &mut module.functions[0].blocks[0].instructions;
        first.splice(0..0, self.locals);
        module.assemble()
    }
}
