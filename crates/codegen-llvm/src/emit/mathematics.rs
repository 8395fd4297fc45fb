//! Functions of floats: instructions where the processor has them, else the C library's vector
//! functions, else its scalar ones lane by lane.
//!
//! In host kernels and in kernels that run item by item, whose loops are vectorised by LLVM or not at
//! all, LLVM is told of the vector functions. The last turns of a vectorised loop go through the scalar ones, whose results may
//! differ in the last bits.

use super::Emitter;
use super::own_functions::own_function;
use crate::llvm::{RealPredicate, Value};
use crate::symbols::{VectorFunction, c_name, vector_functions};
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
        if function == MathFunction::ReciprocalSqrt {
            return self.reciprocal_root(dtype, operands[0], lanes);
        }
        let double = dtype == DType::Float64;
        let register = self.target.vector_bytes / dtype.itemsize() as u32;
        if lanes > 1
            && register <= lanes
            && let Some(vector) = self.vector_version(function, dtype, register)
        {
            return self.in_registers(&vector.name, dtype, operands, lanes, vector.lanes);
        }
        let name = format!("{}{}", c_name(function), if double { "" } else { "f" });
        if lanes == 1 {
            let value = m.call_pure(&name, scalar, operands);
            if self.width == 1 {
                let parts = [register / 4, register / 2, register].into_iter();
                let versions = parts.filter(|lanes| *lanes > 1);
                let versions = versions.filter_map(|n| self.vector_version(function, dtype, n));
                let versions: Vec<_> = versions.collect();
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

    /// What computes a function for vectors of so many lanes, a register or a part of one: our own, else the C
    /// library's.
    fn vector_version(
        &self,
        function: MathFunction,
        dtype: DType,
        lanes: u32,
    ) -> Option<VectorFunction> {
        if let Some(name) = own_function(&self.m, self.target, function, dtype, lanes) {
            return Some(VectorFunction { name, lanes });
        }
        let mut library = vector_functions(self.target, function, dtype == DType::Float64);
        library.find(|vector| vector.lanes == lanes)
    }

    /// `1 / sqrt(x)`: where the processor has an approximation for whole registers, that, with more digits.
    fn reciprocal_root(&self, dtype: DType, x: Value, lanes: u32) -> Value {
        let m = &self.m;
        let scalar = self.scalar_type(dtype);
        let kind = m.vector(scalar, lanes);
        let number = |number: f64| m.splat(m.const_float(scalar, number), lanes);
        let register = 64 / dtype.itemsize() as u32;
        if self.target.vector_bytes < 64 || lanes < register {
            // LLVM's own approximation would make no number of zero and of infinity.
            return m.exactly(|m| {
                let root = m.intrinsic("llvm.sqrt", &[kind], &[x]);
                m.fdiv(number(1.0), root)
            });
        }
        let name = match dtype {
            DType::Float64 => "llvm.x86.avx512.rsqrt14.pd.512",
            _ => "llvm.x86.avx512.rsqrt14.ps.512",
        };
        let guess = self.by_registers(&[x], lanes, register, |part| {
            let none = m.null(m.type_of(part[0]));
            let all = m.all_ones(m.int(register));
            m.intrinsic(name, &[], &[part[0], none, all])
        });
        // With e = 1 - x * guess ** 2, the root is guess * (1 - e) ** -0.5. As e is less than 2 ** -13, the
        // terms up to its cube are enough for float64, and the first one for float32.
        let product = m.fmul(x, guess);
        let negative = m.fneg(product);
        let fma = |a, b, c| m.intrinsic("llvm.fma", &[kind], &[a, b, c]);
        let error = fma(negative, guess, number(1.0));
        let terms = match dtype {
            DType::Float64 => {
                let terms = fma(error, number(0.3125), number(0.375));
                fma(terms, error, number(0.5))
            }
            _ => number(0.5),
        };
        let scaled = m.fmul(guess, error);
        let root = fma(scaled, terms, guess);
        // Of zero and of infinity the guess is right, and the rest is no number.
        let fine = m.fcmp(RealPredicate::LLVMRealORD, root, root);
        m.select(fine, root, guess)
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
        let kind = self.m.vector(self.scalar_type(dtype), register);
        self.by_registers(operands, lanes, register, |arguments| {
            self.m.call_pure(name, kind, arguments)
        })
    }

    /// What `call` makes of each register's worth of lanes.
    fn by_registers(
        &self,
        operands: &[Value],
        lanes: u32,
        register: u32,
        call: impl Fn(&[Value]) -> Value,
    ) -> Value {
        let m = &self.m;
        if lanes == register {
            return call(operands);
        }
        let mut parts: Vec<Value> = (0..lanes / register)
            .map(|part| {
                let chosen: Vec<u32> = (part * register..(part + 1) * register).collect();
                let arguments: Vec<Value> = operands
                    .iter()
                    .map(|&operand| m.shuffle(operand, operand, &chosen))
                    .collect();
                call(&arguments)
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
