//! Functions of floats: instructions where the processor has them, else the C library's vector
//! functions, else its scalar ones lane by lane.
//!
//! In host kernels and in kernels that run item by item, whose loops are vectorised by LLVM or not at
//! all, LLVM is told of the vector functions. The last turns of a vectorised loop go through the scalar ones, whose results may
//! differ in the last bits.

use super::Emitter;
use crate::llvm::Value;
use crate::symbols::{c_name, vector_function, vector_functions};
use colocate_ir::{DType, MathFunction};

/// What LLVM knows as an instruction on the processors we care about.
fn intrinsic(function: MathFunction) -> Option<&'static str> {
    Some(match function {
        MathFunction::Sqrt => "llvm.sqrt",
        MathFunction::Floor => "llvm.floor",
        MathFunction::Ceil => "llvm.ceil",
        MathFunction::Truncate => "llvm.trunc",
        MathFunction::RoundEven => "llvm.rint",
        MathFunction::CopySign => "llvm.copysign",
        MathFunction::Fma => "llvm.fma",
        _ => return None,
    })
}

impl Emitter<'_> {
    pub(super) fn mathematics(
        &mut self,
        function: MathFunction,
        dtype: DType,
        operands: &[Value],
        lanes: u32,
    ) -> Value {
        let m = &self.m;
        let scalar = self.scalar_type(dtype);
        let kind = m.vector(scalar, lanes);
        if let Some(name) = intrinsic(function) {
            return m.intrinsic(name, &[kind], operands);
        }
        let double = dtype == DType::Float64;
        if lanes > 1
            && let Some(vector) = vector_function(self.target, function, double)
            && vector.lanes <= lanes
        {
            return self.in_registers(&vector.name, dtype, operands, lanes, vector.lanes);
        }
        let name = format!("{}{}", c_name(function), if double { "" } else { "f" });
        if lanes == 1 {
            let value = m.call_pure(&name, scalar, operands);
            if self.width == 1 {
                let versions: Vec<_> = vector_functions(self.target, function, double).collect();
                self.m.offer_vector_versions(value, &name, &versions);
            }
            return value;
        }
        let mut result = m.poison(kind);
        for lane in 0..lanes {
            let index = m.i32(lane as i32);
            let arguments: Vec<Value> = operands
                .iter()
                .map(|&operand| m.extract_element(operand, index))
                .collect();
            let value = m.call_pure(&name, scalar, &arguments);
            result = m.insert_element(result, value, index);
        }
        result
    }

    /// Calls a vector function for each register's worth of lanes.
    fn in_registers(
        &self,
        name: &str,
        dtype: DType,
        operands: &[Value],
        lanes: u32,
        register: u32,
    ) -> Value {
        let m = &self.m;
        let kind = m.vector(self.scalar_type(dtype), register);
        if lanes == register {
            return m.call_pure(name, kind, operands);
        }
        let mut parts: Vec<Value> = (0..lanes / register)
            .map(|part| {
                let chosen: Vec<u32> = (part * register..(part + 1) * register).collect();
                let arguments: Vec<Value> = operands
                    .iter()
                    .map(|&operand| m.shuffle(operand, operand, &chosen))
                    .collect();
                m.call_pure(name, kind, &arguments)
            })
            .collect();
        let mut length = register;
        while parts.len() > 1 {
            length *= 2;
            let all: Vec<u32> = (0..length).collect();
            let pairs = parts.chunks(2);
            parts = pairs
                .map(|pair| m.shuffle(pair[0], pair[1], &all))
                .collect();
        }
        parts[0]
    }
}
