//! Functions, their attributes, and calls.

use super::{Module, NO_NAME, Type, Value, c_string};
use crate::symbols::VectorFunction;
use crate::target::Target;
use llvm_sys::core::*;

/// LLVM's number of the calling convention for functions that only the module knows.
const FAST_CALLS: u32 = 8;

/// A function that only the module knows.
#[derive(Clone, Copy)]
pub struct InternalFunction {
    pub function: Value,
    kind: Type,
    pub result: Type,
}

impl Module {
    /// A new function with internal names only; the builder is put at its entry block.
    pub fn begin_function(&self, name: &str, parameters: &[Type]) -> Value {
        let mut parameters = parameters.to_vec();
        let name = c_string(name);
        // SAFETY: types of this context.
        unsafe {
            let count = parameters.len() as u32;
            let kind = LLVMFunctionType(self.void(), parameters.as_mut_ptr(), count, 0);
            let function = LLVMAddFunction(self.module, name.as_ptr(), kind);
            let entry = LLVMAppendBasicBlockInContext(self.context, function, NO_NAME);
            LLVMPositionBuilderAtEnd(self.builder, entry);
            function
        }
    }

    pub fn parameter(&self, function: Value, index: u32) -> Value {
        // SAFETY: the function has it.
        unsafe { LLVMGetParam(function, index) }
    }

    /// Gives a function or parameter an attribute without a value; index 0 is the function,
    /// n the n-th parameter from 1.
    pub fn add_attribute(&self, function: Value, index: u32, name: &str) {
        // SAFETY: a name that LLVM knows (0 otherwise, which adds nothing that matters).
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMCreateEnumAttribute(self.context, kind, 0);
            let index = if index == 0 {
                llvm_sys::LLVMAttributeFunctionIndex
            } else {
                index
            };
            LLVMAddAttributeAtIndex(function, index, attribute);
        }
    }

    /// Gives a function an attribute of a name and a value.
    pub fn add_text_attribute(&self, function: Value, name: &str, value: &str) {
        // SAFETY: the texts are copied.
        unsafe {
            let attribute = LLVMCreateStringAttribute(
                self.context,
                name.as_ptr().cast(),
                name.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            LLVMAddAttributeAtIndex(function, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Declares a function that only the module knows.
    pub fn declare_internal(&self, parameters: &[Type], result: Type) -> InternalFunction {
        let mut parameters = parameters.to_vec();
        // SAFETY: types of this context.
        unsafe {
            let count = parameters.len() as u32;
            let kind = LLVMFunctionType(result, parameters.as_mut_ptr(), count, 0);
            let function = LLVMAddFunction(self.module, c"function".as_ptr(), kind);
            LLVMSetLinkage(function, llvm_sys::LLVMLinkage::LLVMInternalLinkage);
            LLVMSetFunctionCallConv(function, FAST_CALLS);
            InternalFunction {
                function,
                kind,
                result,
            }
        }
    }

    /// Puts the builder at the entry block of a function that has no body yet.
    pub fn begin_body(&self, function: Value) {
        // SAFETY: a function of this module.
        unsafe {
            let entry = LLVMAppendBasicBlockInContext(self.context, function, NO_NAME);
            LLVMPositionBuilderAtEnd(self.builder, entry);
        }
    }

    /// Calls a function that only the module knows. A call of itself stays one: made a loop, a
    /// recursion without end would not be found out.
    pub fn call_internal(&self, callee: InternalFunction, arguments: &[Value]) -> Value {
        let mut arguments = arguments.to_vec();
        // SAFETY: arguments of the types that the function takes.
        unsafe {
            let (list, count) = (arguments.as_mut_ptr(), arguments.len() as u32);
            let InternalFunction { function, kind, .. } = callee;
            let call = LLVMBuildCall2(self.builder, kind, function, list, count, NO_NAME);
            LLVMSetInstructionCallConv(call, FAST_CALLS);
            LLVMSetTailCallKind(call, llvm_sys::LLVMTailCallKind::LLVMTailCallKindNoTail);
            call
        }
    }

    /// A type of several values.
    pub fn record(&self, fields: &[Type]) -> Type {
        let mut fields = fields.to_vec();
        let count = fields.len() as u32;
        // SAFETY: types of this context.
        unsafe { LLVMStructTypeInContext(self.context, fields.as_mut_ptr(), count, 0) }
    }

    /// A record with one field set.
    pub fn set_field(&self, record: Value, index: u32, value: Value) -> Value {
        // SAFETY: a record with such a field of the value's type.
        unsafe { LLVMBuildInsertValue(self.builder, record, value, index, NO_NAME) }
    }

    /// One field of a record.
    pub fn field(&self, record: Value, index: u32) -> Value {
        // SAFETY: a record with such a field.
        unsafe { LLVMBuildExtractValue(self.builder, record, index, NO_NAME) }
    }

    pub fn return_value(&self, value: Value) {
        // SAFETY: the builder is in a function that returns values of this type.
        unsafe { LLVMBuildRet(self.builder, value) };
    }

    /// Calls a function of another library, which has no effects but its result.
    pub fn call_pure(&self, name: &str, result: Type, arguments: &[Value]) -> Value {
        let value = self.call(name, result, arguments, true);
        self.flagged(value)
    }

    /// Tells LLVM that a function of a vector's lanes does what a call does for each of them.
    pub fn offer_vector_versions(&self, call: Value, scalar: &str, versions: &[VectorFunction]) {
        if versions.is_empty() {
            return;
        }
        let attribute = "vector-function-abi-variant";
        let mut offers = Vec::new();
        // SAFETY: a call of a function of floats; the declarations have the types of its vectors.
        unsafe {
            let count = LLVMGetNumArgOperands(call);
            let operands = "v".repeat(count as usize);
            for VectorFunction { name, lanes } in versions {
                offers.push(format!("_ZGV_LLVM_N{lanes}{operands}_{scalar}({name})"));
                let c_name = c_string(name);
                if !LLVMGetNamedFunction(self.module, c_name.as_ptr()).is_null() {
                    continue;
                }
                let operand = self.vector(self.type_of(call), *lanes);
                let mut types = vec![operand; count as usize];
                let kind = LLVMFunctionType(operand, types.as_mut_ptr(), count, 0);
                let function = LLVMAddFunction(self.module, c_name.as_ptr(), kind);
                self.mark_pure(function);
                self.vector_versions.borrow_mut().push(function);
            }
            let mangled = offers.join(",");
            let attribute = LLVMCreateStringAttribute(
                self.context,
                attribute.as_ptr().cast(),
                attribute.len() as u32,
                mangled.as_ptr().cast(),
                mangled.len() as u32,
            );
            let index = llvm_sys::LLVMAttributeFunctionIndex;
            LLVMAddCallSiteAttribute(call, index, attribute);
        }
    }

    /// Keeps the functions that calls may be replaced by: nobody calls them yet. To be called once,
    /// when the module is complete.
    pub fn keep_vector_versions(&self) {
        let mut functions = self.vector_versions.take();
        if functions.is_empty() {
            return;
        }
        let count = functions.len() as u64;
        // SAFETY: an array of pointers with the name and the section that LLVM looks for.
        unsafe {
            let list = LLVMConstArray2(self.pointer(), functions.as_mut_ptr(), count);
            let kind = self.array(self.pointer(), count);
            let used = LLVMAddGlobal(self.module, kind, c"llvm.compiler.used".as_ptr());
            LLVMSetLinkage(used, llvm_sys::LLVMLinkage::LLVMAppendingLinkage);
            LLVMSetSection(used, c"llvm.metadata".as_ptr());
            LLVMSetInitializer(used, list);
        }
    }

    /// Defines a function of one vector that only the module knows and that is put where it is called, unless
    /// it is there already. Its operations are as written, also in fast-math modules.
    pub fn define_pure(
        &self,
        name: &str,
        kind: Type,
        target: &Target,
        body: impl FnOnce(&Module, Value) -> Value,
    ) {
        let c_name = c_string(name);
        // SAFETY: types of this context; the builder goes back to where it was.
        unsafe {
            if !LLVMGetNamedFunction(self.module, c_name.as_ptr()).is_null() {
                return;
            }
            let here = LLVMGetInsertBlock(self.builder);
            let function_type = LLVMFunctionType(kind, [kind].as_mut_ptr(), 1, 0);
            let function = LLVMAddFunction(self.module, c_name.as_ptr(), function_type);
            LLVMSetLinkage(function, llvm_sys::LLVMLinkage::LLVMInternalLinkage);
            self.mark_pure(function);
            self.add_attribute(function, 0, "alwaysinline");
            self.describe_target(function, target);
            self.begin_body(function);
            let result = self.exactly(|module| body(module, module.parameter(function, 0)));
            self.return_value(result);
            LLVMPositionBuilderAtEnd(self.builder, here);
            self.vector_versions.borrow_mut().push(function);
        }
    }

    /// Says what a function is compiled for.
    pub fn describe_target(&self, function: Value, target: &Target) {
        self.add_text_attribute(function, "target-cpu", &target.cpu);
        self.add_text_attribute(function, "target-features", &target.features);
        let bits = (8 * target.vector_bytes).to_string();
        self.add_text_attribute(function, "prefer-vector-width", &bits);
    }

    /// Says that a function has no effects but its result.
    fn mark_pure(&self, function: Value) {
        for attribute in ["nounwind", "willreturn", "nosync", "nofree", "speculatable"] {
            self.add_attribute(function, 0, attribute);
        }
        let name = "memory";
        // SAFETY: a function of this module, and a name that LLVM knows.
        unsafe {
            let memory = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let none = LLVMCreateEnumAttribute(self.context, memory, 0);
            LLVMAddAttributeAtIndex(function, llvm_sys::LLVMAttributeFunctionIndex, none);
        }
    }

    /// Calls a function by name, declaring it if need be.
    pub fn call(&self, name: &str, result: Type, arguments: &[Value], pure: bool) -> Value {
        let mut arguments = arguments.to_vec();
        let mut types: Vec<Type> = arguments.iter().map(|&a| self.type_of(a)).collect();
        let c_name = c_string(name);
        // SAFETY: the declaration has the types of the arguments.
        unsafe {
            let count = types.len() as u32;
            let kind = LLVMFunctionType(result, types.as_mut_ptr(), count, 0);
            let mut function = LLVMGetNamedFunction(self.module, c_name.as_ptr());
            if function.is_null() {
                function = LLVMAddFunction(self.module, c_name.as_ptr(), kind);
                if pure {
                    self.mark_pure(function);
                }
            }
            LLVMBuildCall2(
                self.builder,
                kind,
                function,
                arguments.as_mut_ptr(),
                count,
                NO_NAME,
            )
        }
    }

    /// Calls a function at an address; it may do anything but unwind.
    pub fn call_pointer(&self, function: Value, result: Type, arguments: &[Value]) -> Value {
        let mut arguments = arguments.to_vec();
        let mut types: Vec<Type> = arguments.iter().map(|&a| self.type_of(a)).collect();
        // SAFETY: the type is that of the arguments.
        unsafe {
            let count = types.len() as u32;
            let kind = LLVMFunctionType(result, types.as_mut_ptr(), count, 0);
            let list = arguments.as_mut_ptr();
            LLVMBuildCall2(self.builder, kind, function, list, count, NO_NAME)
        }
    }

    /// Calls an intrinsic that is overloaded on these types.
    pub fn intrinsic(&self, name: &str, overloads: &[Type], arguments: &[Value]) -> Value {
        let mut overloads = overloads.to_vec();
        let mut arguments = arguments.to_vec();
        // SAFETY: names and overloads are constants of the emitter that LLVM knows.
        let value = unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            assert!(id != 0, "LLVM knows the intrinsic {name}");
            let (types, count) = (overloads.as_mut_ptr(), overloads.len());
            let function = LLVMGetIntrinsicDeclaration(self.module, id, types, count);
            let kind = LLVMIntrinsicGetType(self.context, id, types, count);
            let (list, count) = (arguments.as_mut_ptr(), arguments.len() as u32);
            LLVMBuildCall2(self.builder, kind, function, list, count, NO_NAME)
        };
        self.flagged(value)
    }
}
