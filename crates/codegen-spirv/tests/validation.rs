//! The validator of the SPIR-V tools accepts what is generated.

use colocate_codegen_spirv::{Options, Unsupported, disassemble, generate};
use colocate_ir::{
    ArrayRef, AtomicOp, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder,
    KernelKind, Kind, Layout, Literal, MathFunction, Op, ParamKind, Part, Place, Reduction,
    ReductionOperator, StatementKind, StorageClass, UnaryOp, ValueId,
};
use std::io::Write;
use std::process::{Command, Stdio};

/// Fails with the validator's words; where there is no validator, says so and passes.
fn assert_valid(kernel: &Kernel) -> String {
    let module = generate(kernel, &Options::default()).unwrap();
    let text = disassemble(&module.words).unwrap();
    // 64-bit atomics are an extension of OpenCL, which the validator's OpenCL does not know.
    let environment = match text.contains("Int64Atomics") {
        true => "spv1.0",
        false => "opencl2.1",
    };
    let started = Command::new("spirv-val")
        .args(["--target-env", environment, "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut validator = match started {
        Ok(validator) => validator,
        Err(why) => {
            eprintln!("skipped: spirv-val cannot be started: {why}");
            return text;
        }
    };
    let bytes: Vec<u8> = module
        .words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let mut input = validator.stdin.take().expect("it was asked for");
    input.write_all(&bytes).unwrap();
    drop(input);
    let output = validator.wait_with_output().unwrap();
    assert!(
        output.status.success(),
        "{}\n{text}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

fn region() -> KernelKind {
    KernelKind::Region { reductions: vec![] }
}

fn array(dtype: DType, rank: u8, layout: Layout) -> ParamKind {
    ParamKind::Array {
        dtype,
        rank,
        layout,
    }
}

/// The dtypes of values in core kernels.
fn core_dtypes() -> impl Iterator<Item = DType> {
    let all = DType::ALL.into_iter();
    all.filter(|dtype| dtype.kind() != Kind::Complex)
}

/// Every pure operation of core on one dtype, each result stored.
fn all_operations(dtype: DType) -> Kernel {
    let mut builder = KernelBuilder::new("operations", 1, region());
    let x = builder.param("x", array(dtype, 1, Layout::Contiguous));
    let c = builder.param("c", ParamKind::Scalar(dtype));
    let i = builder.index(IndexFunction::GlobalId, 0);
    let a = builder.load(Place::new(ArrayRef::Param(x), [i]));
    let b = builder.scalar(c);
    let mut results = vec![a, b];
    if dtype != DType::Float16 {
        for &op in UnaryOp::ALL {
            if op.result(dtype).is_some() {
                results.push(builder.unary(op, a));
            }
        }
        let not_core = [BinaryOp::FloorDivide, BinaryOp::Modulo, BinaryOp::Power];
        for &op in BinaryOp::ALL {
            if op.takes(dtype) && !not_core.contains(&op) {
                results.push(builder.binary(op, a, b));
            }
        }
        for &op in CompareOp::ALL {
            results.push(builder.compare(op, a, b));
        }
        if dtype.kind() == Kind::Float {
            for &function in MathFunction::ALL {
                let operands = vec![a; function.arity()];
                results.push(builder.math(function, &operands));
            }
        }
    }
    let yes = builder.literal(Literal::Bool(true));
    results.push(builder.select(yes, a, b));
    for to in core_dtypes() {
        results.push(builder.convert(a, to));
        let have_bits = dtype != DType::Bool && to != DType::Bool;
        if have_bits && to.itemsize() == dtype.itemsize() {
            results.push(builder.bitcast(a, to));
        }
    }
    for &value in &results {
        store_somewhere(&mut builder, value);
    }
    builder.finish()
}

/// Stores a value in an array parameter of its own.
fn store_somewhere(builder: &mut KernelBuilder, value: ValueId) {
    let dtype = builder.dtype(value);
    let to = builder.param("to", array(dtype, 0, Layout::Strided));
    builder.store(Place::new(ArrayRef::Param(to), []), value);
}

#[test]
fn every_operation_on_every_dtype_is_valid() {
    for dtype in core_dtypes() {
        for fast_math in [false, true] {
            let mut kernel = all_operations(dtype);
            kernel.fast_math = fast_math;
            assert_valid(&kernel);
        }
    }
}

#[test]
fn arrays_of_every_dtype_layout_and_kind_of_memory_are_valid() {
    for dtype in DType::ALL {
        let parts: &[Part] = match dtype.kind() {
            Kind::Complex => &[Part::Real, Part::Imaginary],
            _ => &[Part::Whole],
        };
        let mut builder = KernelBuilder::new("places", 3, KernelKind::NdRange);
        let indices: Vec<ValueId> = (0..3)
            .map(|axis| builder.index(IndexFunction::LocalId, axis))
            .collect();
        let mut arrays = Vec::new();
        for rank in 0..=3u8 {
            for layout in [Layout::Contiguous, Layout::Strided] {
                let param = builder.param("p", array(dtype, rank, layout));
                arrays.push((ArrayRef::Param(param), rank));
            }
            for class in [StorageClass::Local, StorageClass::Private] {
                let shape = &[2, 3, 4][..rank.into()];
                let storage = builder.storage("s", dtype, shape, class);
                arrays.push((ArrayRef::Storage(storage), rank));
            }
        }
        for (array, rank) in arrays {
            for &part in parts {
                let mut place = Place::new(array, indices[..rank.into()].iter().copied());
                place.part = part;
                let value = builder.load(place.clone());
                builder.store(place, value);
            }
            if rank > 0 {
                let extent = builder.extent(array, rank - 1);
                store_somewhere(&mut builder, extent);
            }
        }
        builder.push(StatementKind::Barrier { global: true });
        assert_valid(&builder.finish());
    }
}

#[test]
fn every_atomic_on_every_dtype_and_kind_of_memory_is_valid() {
    for &op in AtomicOp::ALL {
        for dtype in DType::ALL.into_iter().filter(|dtype| op.takes(*dtype)) {
            let mut builder = KernelBuilder::new("atomics", 1, KernelKind::NdRange);
            let zero = builder.int64(0);
            let value = builder.literal(Literal::small(dtype, 3));
            let global = builder.param("p", array(dtype, 1, Layout::Contiguous));
            let local = builder.storage("l", dtype, &[4], StorageClass::Local);
            let own = builder.storage("o", dtype, &[4], StorageClass::Private);
            for array in [
                ArrayRef::Param(global),
                ArrayRef::Storage(local),
                ArrayRef::Storage(own),
            ] {
                let expected = (op == AtomicOp::CompareExchange).then_some(value);
                let before = builder.atomic(op, Place::new(array, [zero]), value, expected);
                store_somewhere(&mut builder, before);
            }
            let text = assert_valid(&builder.finish());
            let wide = text.contains("OpCapability Int64Atomics");
            assert_eq!(wide, dtype.itemsize() == 8, "{text}");
        }
    }
}

#[test]
fn every_reduction_is_valid() {
    for &operator in ReductionOperator::ALL {
        for dtype in DType::ALL
            .into_iter()
            .filter(|dtype| operator.takes(*dtype))
        {
            let mut builder = KernelBuilder::new("reduction", 1, region());
            let target = builder.param("target", array(dtype, 0, Layout::Contiguous));
            let variable = builder.variable("x", dtype);
            builder.kernel_mut().kind = KernelKind::Region {
                reductions: vec![Reduction {
                    operator,
                    variable,
                    target,
                }],
            };
            let one = builder.literal(Literal::small(dtype, 1));
            builder.set(variable, one);
            assert_valid(&builder.finish());
        }
    }
}

/// Loops in loops with every way out of them, and code that nothing leads to.
#[test]
fn jumps_out_of_nested_blocks_are_valid() {
    let mut builder = KernelBuilder::new("jumps", 2, region());
    let k = builder.variable("k", DType::Int64);
    let (zero, ten, three) = (builder.int64(0), builder.int64(10), builder.int64(3));
    let i = builder.index(IndexFunction::GlobalId, 1);
    builder.begin_for(k, zero, ten, three);
    builder.begin_while();
    let now = builder.get(k);
    let more = builder.compare(CompareOp::Less, now, i);
    builder.begin_while_body(more);
    let both = builder.compare(CompareOp::Equal, now, ten);
    builder.begin_if(both);
    builder.push(StatementKind::Break);
    builder.int64(1);
    builder.begin_else();
    builder.begin_if(more);
    builder.push(StatementKind::Continue);
    builder.begin_else();
    builder.push(StatementKind::Return);
    builder.end();
    builder.int64(2);
    builder.end();
    builder.int64(3);
    builder.end();
    builder.push(StatementKind::Continue);
    builder.end();
    let last = builder.get(k);
    store_somewhere(&mut builder, last);
    assert_valid(&builder.finish());
}

#[test]
fn the_text_shows_names_and_functions() {
    let mut builder = KernelBuilder::new("show", 1, region());
    let x = builder.param("x", array(DType::Float32, 1, Layout::Contiguous));
    let total = builder.variable("total", DType::Float32);
    let i = builder.index(IndexFunction::GlobalId, 0);
    let value = builder.load(Place::new(ArrayRef::Param(x), [i]));
    let value = builder.math(MathFunction::Exp, &[value]);
    builder.set(total, value);
    let text = assert_valid(&builder.finish());
    for part in [
        "OpEntryPoint Kernel %colocate_show \"colocate_show\" %GlobalInvocationId",
        "ContractionOff",
        "OpExtInst",
        "exp",
        "OpStore %total",
        "%x.shape0 = OpFunctionParameter",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    for absent in ["Float64", "Int16", "Int64Atomics", "Float16"] {
        let capability = format!("OpCapability {absent}\n");
        assert!(!text.contains(&capability), "{text}");
    }
}

#[test]
fn what_the_device_lacks_is_refused() {
    let mut builder = KernelBuilder::new("lacks", 1, region());
    let x = builder.param("x", array(DType::Complex128, 0, Layout::Contiguous));
    let mut place = Place::new(ArrayRef::Param(x), []);
    place.part = Part::Real;
    let value = builder.load(place.clone());
    let small = Options {
        float64: false,
        int64_atomics: false,
    };
    let kernel = builder.kernel().clone();
    assert_eq!(generate(&kernel, &small), Err(Unsupported::Float64));

    builder.atomic(AtomicOp::Add, place, value, None);
    let kernel = builder.finish();
    let narrow = Options {
        int64_atomics: false,
        ..Options::default()
    };
    assert_eq!(generate(&kernel, &narrow), Err(Unsupported::Int64Atomics));
    assert_valid(&kernel);
}

#[test]
fn kernels_that_are_not_core_are_refused() {
    let refused = |build: &dyn Fn(&mut KernelBuilder)| {
        let mut builder = KernelBuilder::new("not_core", 1, KernelKind::NdRange);
        build(&mut builder);
        match generate(&builder.finish(), &Options::default()) {
            Err(Unsupported::NotCore(what)) => what,
            other => panic!("{other:?}"),
        }
    };
    let what = refused(&|builder| {
        let one = builder.int64(1);
        builder.binary(BinaryOp::Modulo, one, one);
    });
    assert_eq!(what, "the operation mod");
    let what = refused(&|builder| {
        let half = builder.literal(Literal::Float(DType::Float16, 1.0));
        builder.unary(UnaryOp::Negate, half);
    });
    assert_eq!(what, "arithmetic of float16");
    let what = refused(&|builder| {
        let x = builder.param("x", ParamKind::Scalar(DType::Complex64));
        builder.op(Op::Param(x, Part::Whole));
    });
    assert_eq!(what, "a value of dtype complex64");
    let what = refused(&|builder| {
        let one = builder.int64(1);
        builder.group_reduce(ReductionOperator::Add, one);
    });
    assert_eq!(what, "a group reduction");
}

#[test]
fn host_kernels_are_refused() {
    let kernel = KernelBuilder::new("host", 1, KernelKind::Host).finish();
    let found = generate(&kernel, &Options::default());
    assert_eq!(found, Err(Unsupported::HostKernel));
}
