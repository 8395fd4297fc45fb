//! Calling kernels in the interpreter, and comparing what they leave behind.
//!
//! Every test of this crate that runs kernels does it through a [`Call`].

#![allow(dead_code)] // No test uses all of it.

use colocate_dtype::DType;
use colocate_ir::interpret::{Argument, ArrayView, Memory, Scalar, run};
use colocate_ir::{
    ArrayRef, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout, ParamKind, Place, ValueId,
    verify, verify_core,
};
use colocate_passes::PASSES;

/// Memory and arguments to call a kernel with.
#[derive(Clone, Default)]
pub struct Call {
    memory: Memory,
    arguments: Vec<Argument>,
    dtypes: Vec<DType>,
}

impl Call {
    /// Adds an array argument of rank 1 that holds these.
    pub fn array(&mut self, dtype: DType, elements: &[Scalar]) -> &mut Call {
        self.shaped(dtype, elements, &[elements.len() as i64])
    }

    /// Adds an array argument of this shape, in C order.
    pub fn shaped(&mut self, dtype: DType, elements: &[Scalar], shape: &[i64]) -> &mut Call {
        let offset = self.memory.bytes.len().next_multiple_of(16);
        self.memory.bytes.resize(offset, 0);
        for element in elements {
            self.memory.bytes.extend(element.to_bytes());
        }
        let view = ArrayView::contiguous(dtype, offset, shape);
        self.arguments.push(Argument::Array(view));
        self.dtypes.push(dtype);
        self
    }

    /// Adds an array argument of rank 1 that holds zeros.
    pub fn zeros(&mut self, dtype: DType, size: usize) -> &mut Call {
        self.array(dtype, &vec![Scalar::zero(dtype); size])
    }

    /// Adds a scalar argument.
    pub fn scalar(&mut self, scalar: Scalar) -> &mut Call {
        self.arguments.push(Argument::Scalar(scalar));
        self.dtypes.push(scalar.dtype());
        self
    }

    /// Calls a kernel; groups only for nd-range kernels.
    #[track_caller]
    pub fn run(&mut self, kernel: &Kernel, global: [usize; 3], local: [usize; 3]) {
        let local = kernel.is_nd_range().then_some(local);
        if let Err(why) = run(kernel, &mut self.memory, &self.arguments, global, local) {
            panic!("{why}\n{kernel}");
        }
    }

    /// What an array argument holds.
    pub fn read(&self, argument: usize) -> Vec<Scalar> {
        let Argument::Array(view) = &self.arguments[argument] else {
            panic!("argument {argument} is a scalar");
        };
        let dtype = self.dtypes[argument];
        let size = view.shape.iter().product::<i64>() as usize;
        let bytes = &self.memory.bytes[view.offset..][..size * dtype.itemsize()];
        let elements = bytes.chunks_exact(dtype.itemsize());
        elements
            .map(|bytes| Scalar::from_bytes(dtype, bytes))
            .collect()
    }

    /// What an array argument of int64 holds.
    pub fn read_int64(&self, argument: usize) -> Vec<i64> {
        let to_int64 = |scalar| match scalar {
            Scalar::Int(_, number) => number as i64,
            other => panic!("{other:?} is no integer"),
        };
        self.read(argument).into_iter().map(to_int64).collect()
    }

    /// Calls a kernel as it is and after every pass; what it leaves behind must be the same each
    /// time, bit for bit, NaN being NaN.
    #[track_caller]
    pub fn is_the_same_in_core(&self, kernel: &Kernel, global: [usize; 3], local: [usize; 3]) {
        let mut expected = self.clone();
        expected.run(kernel, global, local);
        let mut now = kernel.clone();
        for (name, pass) in PASSES {
            let before = now.to_string();
            now = pass(now);
            assert_eq!(verify(&now), [], "after {name}");
            if now.to_string() == before {
                continue;
            }
            let mut found = self.clone();
            found.run(&now, global, local);
            found.assert_same(&expected, &format!("after {name}, of\n{kernel}"));
        }
        assert_eq!(verify_core(&now), []);
    }

    #[track_caller]
    fn assert_same(&self, expected: &Call, when: &str) {
        for argument in 0..self.arguments.len() {
            if let Argument::Scalar(_) = self.arguments[argument] {
                continue;
            }
            let pairs = self.read(argument).into_iter().zip(expected.read(argument));
            for (position, (found, expected)) in pairs.enumerate() {
                assert!(
                    same(found, expected),
                    "element {position} of argument {argument} is {found:?}, not {expected:?}, {when}"
                );
            }
        }
    }
}

/// Whether two numbers are equal bit for bit, or both NaN.
pub fn same(a: Scalar, b: Scalar) -> bool {
    fn part(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }
    match (a, b) {
        (Scalar::Float16(a), Scalar::Float16(b)) => part(a.into(), b.into()),
        (Scalar::Float32(a), Scalar::Float32(b)) => part(a.into(), b.into()),
        (Scalar::Float64(a), Scalar::Float64(b)) => part(a, b),
        (Scalar::Complex64(ar, ai), Scalar::Complex64(br, bi)) => {
            part(ar.into(), br.into()) && part(ai.into(), bi.into())
        }
        (Scalar::Complex128(ar, ai), Scalar::Complex128(br, bi)) => part(ar, br) && part(ai, bi),
        (a, b) => a == b,
    }
}

/// A region of rank 1 with parameters `a` and `b` of a dtype, and `out`, of another: item `i`
/// stores `f(a[i], b[i])` into `out[i]`.
pub fn elementwise(
    dtype: DType,
    f: impl FnOnce(&mut KernelBuilder, ValueId, ValueId) -> ValueId,
) -> Kernel {
    let array = |dtype| ParamKind::Array {
        dtype,
        rank: 1,
        layout: Layout::Contiguous,
    };
    let mut b = KernelBuilder::new("elementwise", 1, KernelKind::Region { reductions: vec![] });
    let [left, right] = ["a", "b"].map(|name| ArrayRef::Param(b.param(name, array(dtype))));
    let i = b.index(IndexFunction::GlobalId, 0);
    let (x, y) = (
        b.load(Place::new(left, [i])),
        b.load(Place::new(right, [i])),
    );
    let result = f(&mut b, x, y);
    let out = b.param("out", array(b.dtype(result)));
    b.store(Place::new(ArrayRef::Param(out), [i]), result);
    b.finish()
}

/// Calls an elementwise kernel with all pairs of these, as it is and after every pass.
#[track_caller]
pub fn same_for_all_pairs(kernel: &Kernel, numbers: &[Scalar]) {
    let items = numbers.len() * numbers.len();
    pairs(kernel, numbers).is_the_same_in_core(kernel, [items, 1, 1], [1; 3]);
}

/// A call of an elementwise kernel with all pairs of these.
pub fn pairs(kernel: &Kernel, numbers: &[Scalar]) -> Call {
    let mut left = Vec::new();
    let mut right = Vec::new();
    for &a in numbers {
        for &b in numbers {
            left.push(a);
            right.push(b);
        }
    }
    let mut call = Call::default();
    call.array(kernel.params[0].kind.dtype(), &left);
    call.array(kernel.params[1].kind.dtype(), &right);
    call.zeros(kernel.params[2].kind.dtype(), left.len());
    call
}

/// Numbers of a dtype that are likely to go wrong.
pub fn awkward(dtype: DType) -> Vec<Scalar> {
    use colocate_dtype::Kind;
    const FLOATS: [f64; 22] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        2.0,
        -2.0,
        3.0,
        0.1,
        -0.1,
        0.5,
        -2.5,
        7.5,
        1e3,
        -65504.0,
        1e-7,
        -6e-5,
        1e-310,
        3e38,
        -1e308,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    match dtype.kind() {
        Kind::Bool => vec![Scalar::Bool(false), Scalar::Bool(true)],
        Kind::Int | Kind::UInt => {
            let edge = 1i128 << (8 * dtype.itemsize() - 1);
            let near = [0, 1, 2, 3, 5, 7, 16, 100, edge - 1, edge, edge + 1];
            let all = near.into_iter().flat_map(|number| [number, -number]);
            all.map(|number| Scalar::wrapped(dtype, number)).collect()
        }
        Kind::Float => FLOATS
            .map(|number| Scalar::Float64(number).convert(dtype))
            .to_vec(),
        Kind::Complex => {
            let parts = [
                0.0,
                -0.0,
                1.0,
                -2.0,
                0.3,
                1e30,
                -1e-40,
                f64::INFINITY,
                f64::NAN,
            ];
            let all = parts
                .into_iter()
                .flat_map(|re| parts.map(|im| Scalar::Complex128(re, im).convert(dtype)));
            all.collect()
        }
    }
}
