//! A thin skin over LLVM's C interface: what the emitter needs, with Rust's names.
//!
//! Values and types are plain handles that live as long as their [`Module`]. Operations take
//! scalars and vectors alike, as LLVM does. Nothing here knows the IR. Functions, calls and
//! attributes are in [`functions`].

mod functions;

use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMRealPredicate};
use std::cell::{Cell, RefCell};
use std::ffi::CString;

/// A value of LLVM's.
pub type Value = LLVMValueRef;
/// A type of LLVM's.
pub type Type = LLVMTypeRef;
/// A basic block.
pub type BasicBlock = LLVMBasicBlockRef;

pub use functions::InternalFunction;
pub use llvm_sys::LLVMAtomicRMWBinOp as AtomicBinOp;
pub use llvm_sys::LLVMIntPredicate as IntPredicate;
pub use llvm_sys::LLVMRealPredicate as RealPredicate;

/// A module under construction, with a builder at the end of some block of it.
pub struct Module {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    /// Flags that float operations get.
    fast_math: Cell<bool>,
    /// Functions that LLVM may call though nobody does so far.
    vector_versions: RefCell<Vec<Value>>,
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: the three belong together and to nobody else.
        unsafe {
            LLVMDisposeBuilder(self.builder);
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
        }
    }
}

fn c_string(text: &str) -> CString {
    CString::new(text).expect("names have no NUL")
}

const NO_NAME: *const std::ffi::c_char = c"".as_ptr();

/// Methods that pass their operands to one function of LLVM's.
macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident($($operand:ident),*) = $function:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name(&self, $($operand: Value),*) -> Value {
            // SAFETY: the operands are of this module, and of types the instruction takes.
            unsafe { $function(self.builder, $($operand,)* NO_NAME) }
        }
    )*};
}

/// The same for float operations, which get the module's flags.
macro_rules! float_instructions {
    ($($name:ident($($operand:ident),*) = $function:ident;)*) => {$(
        pub fn $name(&self, $($operand: Value),*) -> Value {
            // SAFETY: the operands are of this module, and of types the instruction takes.
            let value = unsafe { $function(self.builder, $($operand,)* NO_NAME) };
            self.flagged(value)
        }
    )*};
}

/// Methods that convert a value to a type.
macro_rules! casts {
    ($($name:ident = $function:ident;)*) => {$(
        pub fn $name(&self, value: Value, to: Type) -> Value {
            // SAFETY: the value is of this module, and the types fit the cast.
            unsafe { $function(self.builder, value, to, NO_NAME) }
        }
    )*};
}

impl Module {
    /// An empty module.
    pub fn new(name: &str, fast_math: bool) -> Module {
        // SAFETY: a new context, and a module and a builder in it.
        unsafe {
            let context = LLVMContextCreate();
            let name = c_string(name);
            Module {
                context,
                module: LLVMModuleCreateWithNameInContext(name.as_ptr(), context),
                builder: LLVMCreateBuilderInContext(context),
                fast_math: Cell::new(fast_math),
                vector_versions: RefCell::default(),
            }
        }
    }

    /// The handle, for whoever optimises and emits it.
    pub fn raw(&self) -> LLVMModuleRef {
        self.module
    }

    /// The module as LLVM's text.
    pub fn text(&self) -> String {
        // SAFETY: LLVM gives a C string that is to be disposed of.
        unsafe {
            let text = LLVMPrintModuleToString(self.module);
            let result = std::ffi::CStr::from_ptr(text)
                .to_string_lossy()
                .into_owned();
            LLVMDisposeMessage(text);
            result
        }
    }

    pub fn int(&self, bits: u32) -> Type {
        // SAFETY: the context is alive; so in the next ones.
        unsafe { LLVMIntTypeInContext(self.context, bits) }
    }

    pub fn half(&self) -> Type {
        // SAFETY: see `int`.
        unsafe { LLVMHalfTypeInContext(self.context) }
    }

    pub fn float(&self) -> Type {
        // SAFETY: see `int`.
        unsafe { LLVMFloatTypeInContext(self.context) }
    }

    pub fn double(&self) -> Type {
        // SAFETY: see `int`.
        unsafe { LLVMDoubleTypeInContext(self.context) }
    }

    pub fn pointer(&self) -> Type {
        // SAFETY: see `int`.
        unsafe { LLVMPointerTypeInContext(self.context, 0) }
    }

    pub fn void(&self) -> Type {
        // SAFETY: see `int`.
        unsafe { LLVMVoidTypeInContext(self.context) }
    }

    /// A vector type; the element itself for one lane.
    pub fn vector(&self, element: Type, lanes: u32) -> Type {
        if lanes == 1 {
            return element;
        }
        // SAFETY: the element is a number or pointer type.
        unsafe { LLVMVectorType(element, lanes) }
    }

    pub fn array(&self, element: Type, count: u64) -> Type {
        // SAFETY: the element is sized.
        unsafe { LLVMArrayType2(element, count) }
    }

    pub fn type_of(&self, value: Value) -> Type {
        // SAFETY: a live value.
        unsafe { LLVMTypeOf(value) }
    }

    pub fn const_int(&self, to: Type, value: u64) -> Value {
        // SAFETY: an integer type.
        unsafe { LLVMConstInt(to, value, 0) }
    }

    pub fn const_float(&self, to: Type, value: f64) -> Value {
        // SAFETY: a float type.
        unsafe { LLVMConstReal(to, value) }
    }

    pub fn null(&self, to: Type) -> Value {
        // SAFETY: any type.
        unsafe { LLVMConstNull(to) }
    }

    pub fn all_ones(&self, to: Type) -> Value {
        // SAFETY: an integer type or a vector of one.
        unsafe { LLVMConstAllOnes(to) }
    }

    pub fn poison(&self, to: Type) -> Value {
        // SAFETY: any type.
        unsafe { LLVMGetPoison(to) }
    }

    pub fn const_vector(&self, elements: &[Value]) -> Value {
        let mut elements = elements.to_vec();
        // SAFETY: constants of one type.
        unsafe { LLVMConstVector(elements.as_mut_ptr(), elements.len() as u32) }
    }

    pub fn i64(&self, value: i64) -> Value {
        self.const_int(self.int(64), value as u64)
    }

    pub fn i32(&self, value: i32) -> Value {
        self.const_int(self.int(32), value as u32 as u64)
    }

    /// The value in every lane of a vector; the value itself for one lane.
    pub fn splat(&self, value: Value, lanes: u32) -> Value {
        if lanes == 1 {
            return value;
        }
        let vector = self.vector(self.type_of(value), lanes);
        // SAFETY: whether a value is constant may be asked of any.
        if unsafe { LLVMIsConstant(value) } != 0 {
            return self.const_vector(&vec![value; lanes as usize]);
        }
        let one = self.insert_element(self.poison(vector), value, self.i32(0));
        self.shuffle(one, self.poison(vector), &vec![0; lanes as usize])
    }

    instructions! {
        add(a, b) = LLVMBuildAdd;
        sub(a, b) = LLVMBuildSub;
        mul(a, b) = LLVMBuildMul;
        /// Additions of counters, which never wrap.
        add_nsw(a, b) = LLVMBuildNSWAdd;
        /// Multiplications for offsets into arrays, which never wrap.
        mul_nsw(a, b) = LLVMBuildNSWMul;
        sdiv(a, b) = LLVMBuildSDiv;
        udiv(a, b) = LLVMBuildUDiv;
        srem(a, b) = LLVMBuildSRem;
        urem(a, b) = LLVMBuildURem;
        and(a, b) = LLVMBuildAnd;
        or(a, b) = LLVMBuildOr;
        xor(a, b) = LLVMBuildXor;
        shl(a, b) = LLVMBuildShl;
        lshr(a, b) = LLVMBuildLShr;
        ashr(a, b) = LLVMBuildAShr;
        neg(a) = LLVMBuildNeg;
        not(a) = LLVMBuildNot;
        select(condition, a, b) = LLVMBuildSelect;
        extract_element(vector, index) = LLVMBuildExtractElement;
        insert_element(vector, element, index) = LLVMBuildInsertElement;
    }

    float_instructions! {
        fadd(a, b) = LLVMBuildFAdd;
        fsub(a, b) = LLVMBuildFSub;
        fmul(a, b) = LLVMBuildFMul;
        fdiv(a, b) = LLVMBuildFDiv;
        fneg(a) = LLVMBuildFNeg;
    }

    casts! {
        trunc = LLVMBuildTrunc;
        zext = LLVMBuildZExt;
        sext = LLVMBuildSExt;
        fp_trunc = LLVMBuildFPTrunc;
        fp_ext = LLVMBuildFPExt;
        si_to_fp = LLVMBuildSIToFP;
        fp_to_si = LLVMBuildFPToSI;
        ui_to_fp = LLVMBuildUIToFP;
        bitcast = LLVMBuildBitCast;
    }

    /// What `write` writes is computed as it is written, also in fast-math modules.
    pub fn exactly<T>(&self, write: impl FnOnce(&Self) -> T) -> T {
        let flags = self.fast_math.replace(false);
        let result = write(self);
        self.fast_math.set(flags);
        result
    }

    fn flagged(&self, value: Value) -> Value {
        // SAFETY: flags are set only on instructions that can have them (constants fold).
        unsafe {
            if self.fast_math.get() && LLVMCanValueUseFastMathFlags(value) != 0 {
                // NaN and infinities are not assumed away: an exponential that underflows, or a mean
                // of nothing, would become anything at all.
                let assumed_absent = llvm_sys::LLVMFastMathNoNaNs | llvm_sys::LLVMFastMathNoInfs;
                LLVMSetFastMathFlags(value, llvm_sys::LLVMFastMathAll & !assumed_absent);
            }
        }
        value
    }

    pub fn icmp(&self, predicate: LLVMIntPredicate, a: Value, b: Value) -> Value {
        // SAFETY: integers of one type.
        unsafe { LLVMBuildICmp(self.builder, predicate, a, b, NO_NAME) }
    }

    pub fn fcmp(&self, predicate: LLVMRealPredicate, a: Value, b: Value) -> Value {
        // SAFETY: floats of one type.
        self.flagged(unsafe { LLVMBuildFCmp(self.builder, predicate, a, b, NO_NAME) })
    }

    pub fn shuffle(&self, a: Value, b: Value, lanes: &[u32]) -> Value {
        let mask: Vec<Value> = lanes.iter().map(|&lane| self.i32(lane as i32)).collect();
        let mask = self.const_vector(&mask);
        // SAFETY: vectors of one type and lanes within both.
        unsafe { LLVMBuildShuffleVector(self.builder, a, b, mask, NO_NAME) }
    }

    pub fn load(&self, kind: Type, pointer: Value, alignment: u32) -> Value {
        // SAFETY: a pointer and a sized type.
        unsafe {
            let value = LLVMBuildLoad2(self.builder, kind, pointer, NO_NAME);
            LLVMSetAlignment(value, alignment);
            value
        }
    }

    pub fn store(&self, value: Value, pointer: Value, alignment: u32) -> Value {
        // SAFETY: a pointer and a value.
        unsafe {
            let store = LLVMBuildStore(self.builder, value, pointer);
            LLVMSetAlignment(store, alignment);
            store
        }
    }

    /// A store that leaves the caches as they are.
    pub fn store_past_caches(&self, value: Value, pointer: Value, alignment: u32) {
        let store = self.store(value, pointer, alignment);
        // SAFETY: a node of this context, hung on an instruction of it.
        unsafe {
            let mut one = [LLVMValueAsMetadata(self.i32(1))];
            let node = LLVMMDNodeInContext2(self.context, one.as_mut_ptr(), one.len());
            let name = "nontemporal";
            let length = name.len() as u32;
            let kind = LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), length);
            LLVMSetMetadata(store, kind, LLVMMetadataAsValue(self.context, node));
        }
    }

    pub fn pointer_to_int(&self, pointer: Value, kind: Type) -> Value {
        // SAFETY: a pointer and an integer type.
        unsafe { LLVMBuildPtrToInt(self.builder, pointer, kind, c"".as_ptr()) }
    }

    /// Says of a load or store that it reaches memory number `own` of `count`, which have nothing in
    /// common.
    pub fn reaches_only(&self, access: Value, own: usize, count: usize) {
        // SAFETY: nodes of this context, hung on an instruction of it.
        unsafe {
            let text =
                |text: &str| LLVMMDStringInContext2(self.context, text.as_ptr().cast(), text.len());
            let node = |mut parts: Vec<LLVMMetadataRef>| {
                LLVMMDNodeInContext2(self.context, parts.as_mut_ptr(), parts.len())
            };
            let domain = node(vec![text("arrays")]);
            let scope = |number: usize| node(vec![text(&number.to_string()), domain]);
            let others = (0..count).filter(|number| *number != own).map(scope);
            let hang = |kind: &str, scopes: LLVMMetadataRef| {
                let length = kind.len() as u32;
                let kind = LLVMGetMDKindIDInContext(self.context, kind.as_ptr().cast(), length);
                LLVMSetMetadata(access, kind, LLVMMetadataAsValue(self.context, scopes));
            };
            hang("alias.scope", node(vec![scope(own)]));
            hang("noalias", node(others.collect()));
        }
    }

    /// `base + index * size of element`; either may be a vector.
    pub fn offset(&self, element: Type, base: Value, index: Value) -> Value {
        let mut indices = [index];
        // SAFETY: a pointer and an integer.
        unsafe {
            LLVMBuildGEP2(
                self.builder,
                element,
                base,
                indices.as_mut_ptr(),
                1,
                NO_NAME,
            )
        }
    }

    /// As [`Module::offset`], where all elements passed over are in the same array.
    pub fn offset_inside(&self, element: Type, base: Value, index: Value) -> Value {
        let mut indices = [index];
        let list = indices.as_mut_ptr();
        // SAFETY: a pointer and an integer.
        unsafe { LLVMBuildInBoundsGEP2(self.builder, element, base, list, 1, NO_NAME) }
    }

    /// Promises that a loaded integer is at least `from` and less than `to`.
    pub fn set_range(&self, load: Value, from: u64, to: u64) {
        let kind = self.type_of(load);
        let name = "range";
        // SAFETY: a load instruction, and constants of its type.
        unsafe {
            let bounds = [from, to].map(|bound| self.const_int(kind, bound));
            let mut bounds = bounds.map(|bound| LLVMValueAsMetadata(bound));
            let node = LLVMMDNodeInContext2(self.context, bounds.as_mut_ptr(), bounds.len());
            let node = LLVMMetadataAsValue(self.context, node);
            let name =
                LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), name.len() as u32);
            LLVMSetMetadata(load, name, node);
        }
    }

    pub fn int_to_pointer(&self, value: Value) -> Value {
        // SAFETY: an integer of the size of a pointer.
        unsafe { LLVMBuildIntToPtr(self.builder, value, self.pointer(), NO_NAME) }
    }

    pub fn atomic_rmw(&self, op: AtomicBinOp, pointer: Value, value: Value) -> Value {
        let order = llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic;
        // SAFETY: a pointer and a number of a size that atomics take.
        unsafe { LLVMBuildAtomicRMW(self.builder, op, pointer, value, order, 0) }
    }

    /// What was there before; the exchange happens only if it was `expected`.
    pub fn compare_exchange(&self, pointer: Value, expected: Value, new: Value) -> Value {
        let order = llvm_sys::LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic;
        // SAFETY: a pointer and two integers of a size that atomics take.
        unsafe {
            let pair =
                LLVMBuildAtomicCmpXchg(self.builder, pointer, expected, new, order, order, 0);
            LLVMBuildExtractValue(self.builder, pair, 0, NO_NAME)
        }
    }

    /// A new, empty block of the function that the builder is in.
    pub fn block(&self) -> BasicBlock {
        // SAFETY: the builder is in a block of a function.
        unsafe {
            let function = LLVMGetBasicBlockParent(LLVMGetInsertBlock(self.builder));
            LLVMAppendBasicBlockInContext(self.context, function, NO_NAME)
        }
    }

    pub fn go_to(&self, block: BasicBlock) {
        // SAFETY: a block of this module.
        unsafe { LLVMPositionBuilderAtEnd(self.builder, block) }
    }

    pub fn branch(&self, to: BasicBlock) {
        // SAFETY: a block of the same function.
        unsafe { LLVMBuildBr(self.builder, to) };
    }

    /// Ends a turn of a loop that LLVM is not to unroll unless it knows how many turns there are.
    pub fn branch_back(&self, to: BasicBlock) {
        let option = "llvm.loop.unroll.runtime.disable";
        let kind = "llvm.loop";
        // SAFETY: a block of the same function. A loop's node names itself first; the node that
        // stands for it until it exists is replaced.
        unsafe {
            let branch = LLVMBuildBr(self.builder, to);
            let text = option.as_ptr().cast();
            let mut option = LLVMMDStringInContext2(self.context, text, option.len());
            let option = LLVMMDNodeInContext2(self.context, &mut option, 1);
            let own = LLVMTemporaryMDNode(self.context, std::ptr::null_mut(), 0);
            let mut fields = [own, option];
            let node = LLVMMDNodeInContext2(self.context, fields.as_mut_ptr(), fields.len());
            LLVMMetadataReplaceAllUsesWith(own, node);
            let (text, length) = (kind.as_ptr().cast(), kind.len() as u32);
            let kind = LLVMGetMDKindIDInContext(self.context, text, length);
            LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(self.context, node));
        }
    }

    pub fn branch_if(&self, condition: Value, then: BasicBlock, otherwise: BasicBlock) {
        // SAFETY: a bool, and blocks of the same function.
        unsafe { LLVMBuildCondBr(self.builder, condition, then, otherwise) };
    }

    /// A branch that nearly always goes to the first block, which the passes keep one for that.
    pub fn branch_mostly(&self, condition: Value, then: BasicBlock, otherwise: BasicBlock) {
        let text = "branch_weights";
        // SAFETY: as above, and a node of this context, hung on an instruction of it.
        unsafe {
            let branch = LLVMBuildCondBr(self.builder, condition, then, otherwise);
            let mut parts = [
                LLVMMDStringInContext2(self.context, text.as_ptr().cast(), text.len()),
                LLVMValueAsMetadata(self.i32(2000)),
                LLVMValueAsMetadata(self.i32(1)),
            ];
            let node = LLVMMDNodeInContext2(self.context, parts.as_mut_ptr(), parts.len());
            let kind = LLVMGetMDKindIDInContext(self.context, c"prof".as_ptr(), 4);
            LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(self.context, node));
        }
    }

    pub fn return_void(&self) {
        // SAFETY: the builder is in a void function.
        unsafe { LLVMBuildRetVoid(self.builder) };
    }

    /// A stack slot, made at the beginning of the function so that it becomes a register.
    pub fn stack_slot(&self, kind: Type, alignment: u32) -> Value {
        // SAFETY: the builder is moved to the entry block and back.
        unsafe {
            let here = LLVMGetInsertBlock(self.builder);
            let entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
            let first = LLVMGetFirstInstruction(entry);
            if first.is_null() {
                LLVMPositionBuilderAtEnd(self.builder, entry);
            } else {
                LLVMPositionBuilderBefore(self.builder, first);
            }
            let slot = LLVMBuildAlloca(self.builder, kind, NO_NAME);
            LLVMSetAlignment(slot, alignment);
            LLVMPositionBuilderAtEnd(self.builder, here);
            slot
        }
    }
}

/// The number, if a value is an integer constant.
pub fn constant(value: Value) -> Option<i64> {
    // SAFETY: a live value; the second call is made for integer constants only.
    unsafe { (!LLVMIsAConstantInt(value).is_null()).then(|| LLVMConstIntGetSExtValue(value)) }
}
