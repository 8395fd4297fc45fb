//! Kernels run on the real runtime, where one is installed.

mod installed;
mod machine;
mod vectors;

use colocate_hal::{KernelCode, KernelImage};
use colocate_ir::{
    ArrayRef, AtomicOp, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder,
    KernelKind, Layout, Literal, Op, ParamId, ParamKind, Part, Place, Reduction, ReductionOperator,
    StatementKind, StorageClass, ValueId,
};
use machine::{image, machine};
use vectors::{array, elementwise, global_id, region, run_elementwise, vector};

#[test]
fn vectors_are_added() {
    let Some(machine) = machine() else { return };
    let kernel = elementwise(DType::Float64, DType::Float64, |builder, a, b| {
        builder.binary(BinaryOp::Add, a, b)
    });
    let a: Vec<f64> = (0..1000).map(f64::from).collect();
    let b: Vec<f64> = (0..1000).map(|i| 0.5 * f64::from(i)).collect();
    let sum: Vec<f64> = run_elementwise(&machine, &kernel, &a, &b);
    let expected: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    assert_eq!(sum, expected);
}

#[test]
fn strided_arrays_are_read_and_written_at_any_alignment_and_in_any_direction() {
    let Some(machine) = machine() else { return };
    let mut builder = KernelBuilder::new("transpose", 2, region());
    let strided = array(DType::Float64, 2, Layout::Strided);
    let from = ArrayRef::Param(builder.param("from", strided));
    let to = ArrayRef::Param(builder.param("to", strided));
    let (i, j) = (global_id(&mut builder, 0), global_id(&mut builder, 1));
    let value = builder.load(Place::new(from, [i, j]));
    builder.store(Place::new(to, [j, i]), value);
    let kernel = builder.finish();

    // Three rows of four, the rows backwards, one byte off any alignment.
    let mut bytes = vec![0u8; 1 + 12 * 8];
    for position in 0..12 {
        let at = 1 + 8 * position;
        bytes[at..at + 8].copy_from_slice(&(position as f64).to_le_bytes());
    }
    let from = machine.buffer(&bytes);
    let to = machine.buffer(&[0f64; 12]);
    let last_row = from.address() + 1 + 2 * 32;
    let backwards = -32i64 as u64;
    let arguments = [last_row, 3, 4, backwards, 8, to.address(), 4, 3, 24, 8];
    machine.run(&kernel, &arguments, &[3, 4], None);
    let result = to.read();
    for i in 0..3 {
        for j in 0..4 {
            assert_eq!(result[j * 3 + i], ((2 - i) * 4 + j) as f64);
        }
    }
}

#[test]
fn scalars_of_every_dtype_arrive() {
    let Some(machine) = machine() else { return };
    // What is above a scalar's bytes in its slot means nothing.
    let above = 0xdead_beef_dead_beef_u64;
    for dtype in DType::ALL {
        let mut builder = KernelBuilder::new("scalar", 1, region());
        let x = builder.param("x", ParamKind::Scalar(dtype));
        let to = vector(&mut builder, "to", dtype);
        let zero = builder.int64(0);
        let parts: &[Part] = if Part::Real.of(dtype).is_some() {
            &[Part::Real, Part::Imaginary]
        } else {
            &[Part::Whole]
        };
        for &part in parts {
            let value = builder.op(Op::Param(x, part));
            let mut place = Place::new(to, [zero]);
            place.part = part;
            builder.store(place, value);
        }
        let kernel = builder.finish();

        let bytes = dtype.itemsize();
        let mut expected = [0u8; 16];
        for (position, byte) in expected[..bytes].iter_mut().enumerate() {
            *byte = 0x31 + position as u8;
        }
        if dtype == DType::Bool {
            expected[0] = 1;
        }
        let mut slots = [above; 2];
        for (position, byte) in expected[..bytes].iter().enumerate() {
            let shift = 8 * (position % 8);
            let slot = &mut slots[position / 8];
            *slot = *slot & !(0xff << shift) | u64::from(*byte) << shift;
        }
        let to = machine.buffer(&[0u8; 16]);
        let mut arguments = slots[..bytes.div_ceil(8)].to_vec();
        arguments.extend([to.address(), 1]);
        machine.run(&kernel, &arguments, &[1], None);
        assert_eq!(to.read(), expected, "{dtype}");
    }
}

#[test]
fn the_last_axis_is_the_last_index() {
    let Some(machine) = machine() else { return };
    let mut builder = KernelBuilder::new("ids", 3, KernelKind::NdRange);
    let to = vector(&mut builder, "to", DType::Int64);
    let ten = builder.int64(10);
    let mut all = builder.int64(0);
    for function in IndexFunction::ALL {
        for axis in 0..3 {
            let index = builder.index(*function, axis);
            all = builder.binary(BinaryOp::Multiply, all, ten);
            all = builder.binary(BinaryOp::Add, all, index);
        }
    }
    let (mut linear, mut ids) = (builder.int64(0), Vec::new());
    for axis in 0..3 {
        let size = builder.index(IndexFunction::GlobalSize, axis);
        let id = global_id(&mut builder, axis);
        ids.push(id);
        linear = builder.binary(BinaryOp::Multiply, linear, size);
        linear = builder.binary(BinaryOp::Add, linear, id);
    }
    builder.store(Place::new(to, [linear]), all);
    let kernel = builder.finish();
    let (global, local) = ([2, 6, 4], [1, 3, 2]);
    let to = machine.buffer(&[0i64; 48]);
    machine.run(&kernel, &[to.address(), 48], &global, Some(&local));
    let result = to.read();
    for (linear, &found) in result.iter().enumerate() {
        let id = [linear / 24, linear / 4 % 6, linear % 4];
        let mut expected = 0;
        let of = |f: &dyn Fn(usize) -> usize| [f(0), f(1), f(2)];
        for extents in [
            id,
            global,
            of(&|axis| id[axis] % local[axis]),
            local,
            of(&|axis| id[axis] / local[axis]),
            of(&|axis| global[axis] / local[axis]),
        ] {
            for extent in extents {
                expected = 10i64.wrapping_mul(expected).wrapping_add(extent as i64);
            }
        }
        assert_eq!(found, expected, "item {id:?}");
    }
}

/// Each group sums its items' elements in local memory, halving the number of summands.
#[test]
fn a_group_sums_a_tile_in_local_memory() {
    let Some(machine) = machine() else { return };
    let mut builder = KernelBuilder::new("tile_sum", 1, KernelKind::NdRange);
    let from = vector(&mut builder, "from", DType::Float32);
    let to = vector(&mut builder, "to", DType::Float32);
    let tile = builder.storage("tile", DType::Float32, &[64], StorageClass::Local);
    let tile = ArrayRef::Storage(tile);
    let half = builder.variable("half", DType::Int64);
    let (i, l) = (
        global_id(&mut builder, 0),
        builder.index(IndexFunction::LocalId, 0),
    );
    let value = builder.load(Place::new(from, [i]));
    builder.store(Place::new(tile, [l]), value);
    builder.push(StatementKind::Barrier { global: false });
    let start = builder.int64(32);
    builder.set(half, start);
    builder.begin_while();
    let (now, zero) = (builder.get(half), builder.int64(0));
    let more = builder.compare(CompareOp::Greater, now, zero);
    builder.begin_while_body(more);
    let takes_part = builder.compare(CompareOp::Less, l, now);
    builder.begin_if(takes_part);
    let other = builder.binary(BinaryOp::Add, l, now);
    let a = builder.load(Place::new(tile, [l]));
    let b = builder.load(Place::new(tile, [other]));
    let sum = builder.binary(BinaryOp::Add, a, b);
    builder.store(Place::new(tile, [l]), sum);
    builder.end();
    builder.push(StatementKind::Barrier { global: false });
    let two = builder.int64(2);
    let next = builder.binary(BinaryOp::Quotient, now, two);
    builder.set(half, next);
    builder.end();
    let zero = builder.int64(0);
    let first = builder.compare(CompareOp::Equal, l, zero);
    builder.begin_if(first);
    let sum = builder.load(Place::new(tile, [l]));
    let group = builder.index(IndexFunction::GroupId, 0);
    builder.store(Place::new(to, [group]), sum);
    builder.end();
    let kernel = builder.finish();

    let numbers: Vec<f32> = (0..640).map(|i| (i % 17) as f32).collect();
    let (from, to) = (machine.buffer(&numbers), machine.buffer(&[0f32; 10]));
    let arguments = [from.address(), 640, to.address(), 10];
    machine.run(&kernel, &arguments, &[640], Some(&[64]));
    let sums: Vec<f32> = numbers.chunks(64).map(|tile| tile.iter().sum()).collect();
    assert_eq!(to.read(), sums);
}

/// Every item does this to element 0 with its index as the operand, in global memory or through
/// local memory.
fn atomic_kernel(op: AtomicOp, dtype: DType, local: bool) -> Kernel {
    let mut builder = KernelBuilder::new("atomic", 1, KernelKind::NdRange);
    let to = vector(&mut builder, "to", dtype);
    let zero = builder.int64(0);
    let i = global_id(&mut builder, 0);
    let operand = builder.convert(i, dtype);
    if !local {
        builder.atomic(op, Place::new(to, [zero]), operand, None);
        return builder.finish();
    }
    let shared = builder.storage("shared", dtype, &[1], StorageClass::Local);
    let shared = ArrayRef::Storage(shared);
    let first = builder.compare(CompareOp::Equal, i, zero);
    builder.begin_if(first);
    let start = builder.load(Place::new(to, [zero]));
    builder.store(Place::new(shared, [zero]), start);
    builder.end();
    builder.push(StatementKind::Barrier { global: true });
    builder.atomic(op, Place::new(shared, [zero]), operand, None);
    builder.push(StatementKind::Barrier { global: true });
    builder.begin_if(first);
    let end = builder.load(Place::new(shared, [zero]));
    builder.store(Place::new(to, [zero]), end);
    builder.end();
    builder.finish()
}

#[test]
fn atomics_lose_no_update() {
    let Some(machine) = machine() else { return };
    let n = 256;
    let sum = n * (n - 1) / 2;
    let cases = [
        (AtomicOp::Add, 5, 5 + sum),
        (AtomicOp::Subtract, 40000, 40000 - sum),
        (AtomicOp::Minimum, 5, 0),
        (AtomicOp::Maximum, 5, n - 1),
        (AtomicOp::BitOr, 256, 511),
        (AtomicOp::BitAnd, 511, 0),
        (AtomicOp::BitXor, 3, 3),
    ];
    let dtypes = [
        DType::Int32,
        DType::UInt32,
        DType::Int64,
        DType::UInt64,
        DType::Float32,
        DType::Float64,
    ];
    for (op, start, expected) in cases {
        for dtype in dtypes.into_iter().filter(|dtype| op.takes(*dtype)) {
            for local in [false, true] {
                let bits = |value: i64| match dtype {
                    DType::Float32 => (value as f32).to_bits().into(),
                    DType::Float64 => (value as f64).to_bits(),
                    _ => value as u64,
                };
                let kernel = atomic_kernel(op, dtype, local);
                let to = machine.buffer(&[bits(start)]);
                let group: usize = if local { n as usize } else { 16 };
                let arguments = [to.address(), 1];
                machine.run(&kernel, &arguments, &[n as usize], Some(&[group]));
                let name = op.name();
                assert_eq!(to.read(), [bits(expected)], "{name} of {dtype}, {local}");
            }
        }
    }
}

#[test]
fn exchanges_hand_every_value_on() {
    let Some(machine) = machine() else { return };
    // Each item leaves its number and takes the one before: together they are all numbers.
    for dtype in [DType::Int64, DType::Float64] {
        let mut builder = KernelBuilder::new("exchange", 1, region());
        let to = vector(&mut builder, "to", dtype);
        let taken = vector(&mut builder, "taken", dtype);
        let (zero, one) = (builder.int64(0), builder.int64(1));
        let i = global_id(&mut builder, 0);
        let number = builder.binary(BinaryOp::Add, i, one);
        let number = builder.convert(number, dtype);
        let before = builder.atomic(AtomicOp::Exchange, Place::new(to, [zero]), number, None);
        builder.store(Place::new(taken, [i]), before);
        let kernel = builder.finish();
        let (to, taken) = (machine.buffer(&[0u64]), machine.buffer(&[0u64; 100]));
        machine.run(
            &kernel,
            &[to.address(), 1, taken.address(), 100],
            &[100],
            None,
        );
        let mut all = taken.read();
        all.extend(to.read());
        let number = |bits: u64| match dtype {
            DType::Float64 => f64::from_bits(bits) as u64,
            _ => bits,
        };
        let mut all: Vec<u64> = all.into_iter().map(number).collect();
        all.sort_unstable();
        assert_eq!(all, (0..=100).collect::<Vec<u64>>());
    }
}

#[test]
fn a_compare_exchange_of_floats_compares_bits() {
    let Some(machine) = machine() else { return };
    let mut builder = KernelBuilder::new("compare_exchange", 1, region());
    let to = vector(&mut builder, "to", DType::Float32);
    let expected = vector(&mut builder, "expected", DType::Float32);
    let i = global_id(&mut builder, 0);
    let expected = builder.load(Place::new(expected, [i]));
    let new = builder.literal(Literal::Float(DType::Float32, 7.0));
    let place = Place::new(to, [i]);
    builder.atomic(AtomicOp::CompareExchange, place, new, Some(expected));
    let kernel = builder.finish();
    let to = machine.buffer(&[1f32, 0.0, f32::NAN, 2.0]);
    let expected = machine.buffer(&[1f32, -0.0, f32::NAN, 3.0]);
    machine.run(
        &kernel,
        &[to.address(), 4, expected.address(), 4],
        &[4],
        None,
    );
    assert_eq!(to.read(), [7.0, 0.0, 7.0, 2.0]);
}

#[test]
fn private_arrays_belong_to_their_item() {
    let Some(machine) = machine() else { return };
    let mut builder = KernelBuilder::new("private", 1, region());
    let to = vector(&mut builder, "to", DType::Int64);
    let own = builder.storage("own", DType::Int64, &[2, 5], StorageClass::Private);
    let own = ArrayRef::Storage(own);
    let k = builder.variable("k", DType::Int64);
    let i = global_id(&mut builder, 0);
    let (zero, one, two, five) = (
        builder.int64(0),
        builder.int64(1),
        builder.int64(2),
        builder.int64(5),
    );
    // own[1, k] = own[0, k] * i, with own[0, k] = k; backwards in steps of -1 and forward.
    builder.begin_for(k, zero, five, one);
    let now = builder.get(k);
    builder.store(Place::new(own, [zero, now]), now);
    builder.end();
    let (four, minus_one) = (builder.int64(4), builder.int64(-1));
    builder.begin_for(k, four, minus_one, minus_one);
    let now = builder.get(k);
    let value = builder.load(Place::new(own, [zero, now]));
    let value = builder.binary(BinaryOp::Multiply, value, i);
    builder.store(Place::new(own, [one, now]), value);
    builder.end();
    let sum = builder.variable("sum", DType::Int64);
    builder.begin_for(k, zero, five, two);
    let now = builder.get(k);
    let value = builder.load(Place::new(own, [one, now]));
    let so_far = builder.get(sum);
    let so_far = builder.binary(BinaryOp::Add, so_far, value);
    builder.set(sum, so_far);
    builder.end();
    let sum = builder.get(sum);
    builder.store(Place::new(to, [i]), sum);
    let kernel = builder.finish();
    let to = machine.buffer(&[-1i64; 50]);
    machine.run(&kernel, &[to.address(), 50], &[50], None);
    assert_eq!(to.read(), (0..50).map(|i| 6 * i).collect::<Vec<i64>>());
}

#[test]
fn a_reduction_combines_all_items_and_what_was_there() {
    let Some(machine) = machine() else { return };
    let integers = [DType::Int8, DType::UInt16, DType::Int32, DType::UInt64];
    let floats = [DType::Float16, DType::Float32, DType::Float64];
    for dtype in integers.into_iter().chain(floats) {
        for (operator, start, expected) in [
            (ReductionOperator::Add, 3, 3 + 45),
            (ReductionOperator::Minimum, 3, 0),
            (ReductionOperator::Maximum, 3, 9),
        ] {
            let mut builder = KernelBuilder::new("reduce", 1, region());
            let target = builder.param("target", array(dtype, 0, Layout::Contiguous));
            let x = builder.variable("x", dtype);
            builder.kernel_mut().kind = KernelKind::Region {
                reductions: vec![Reduction {
                    operator,
                    variable: x,
                    target,
                }],
            };
            let i = global_id(&mut builder, 0);
            let ten = builder.int64(10);
            let beyond = builder.compare(CompareOp::GreaterEqual, i, ten);
            // An item that returns early contributes what it has: the identity.
            builder.begin_if(beyond);
            builder.push(StatementKind::Return);
            builder.end();
            let contribution = builder.convert(i, dtype);
            builder.set(x, contribution);
            let kernel = builder.finish();
            let encode = |value: i64| match dtype {
                DType::Float16 => half::f16::from_f64(value as f64).to_bits().into(),
                DType::Float32 => (value as f32).to_bits().into(),
                DType::Float64 => (value as f64).to_bits(),
                _ => value as u64,
            };
            // Beside a number narrower than a word lies another, which must stay.
            let width = 8 * dtype.itemsize();
            let beside = if width == 64 {
                0
            } else {
                0x55aa_1234_5678_9abc << width
            };
            let cell = machine.buffer(&[encode(start) | beside]);
            machine.run(&kernel, &[cell.address()], &[64], None);
            let found = cell.read();
            let name = operator.name();
            assert_eq!(found, [encode(expected) | beside], "{name} of {dtype}");
        }
    }
}

#[test]
fn an_empty_space_is_over_at_once_and_changes_nothing() {
    let Some(machine) = machine() else { return };
    let kernel = elementwise(DType::Int64, DType::Int64, |_, a, _| a);
    let kernel = machine.load(&kernel);
    let event = machine.launch(&kernel, &[0; 6], &[0], None).unwrap();
    event.wait().unwrap();
    let mut builder = KernelBuilder::new("nothing", 2, KernelKind::NdRange);
    builder.int64(1);
    let kernel = machine.load(&builder.finish());
    let event = machine
        .launch(&kernel, &[], &[0, 4], Some(&[1, 4]))
        .unwrap();
    event.wait().unwrap();
}

#[test]
fn a_wrong_number_of_arguments_is_an_error_that_gives_both_numbers() {
    let Some(machine) = machine() else { return };
    let kernel = elementwise(DType::Int64, DType::Int64, |_, a, _| a);
    let loaded = machine.load(&kernel);
    let error = machine.launch(&loaded, &[0; 5], &[1], None).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("6 argument slots, and 5 were given"),
        "{text}"
    );

    let mut wrong = image(&kernel);
    wrong.slots.pop();
    let text = machine.try_load(&wrong).unwrap_err().to_string();
    assert!(
        text.contains("takes 9 arguments and its image says 8"),
        "{text}"
    );
}

#[test]
fn code_that_cannot_be_built_is_an_error_that_says_why() {
    let Some(machine) = machine() else { return };
    let kernel = elementwise(DType::Int64, DType::Int64, |_, a, _| a);
    let good = image(&kernel);
    let KernelCode::SpirV(words) = &good.code else {
        panic!("the generator makes SPIR-V");
    };
    // A module that wants what no OpenCL device has: the capability Geometry.
    let mut words = words.to_vec();
    words.splice(5..5, [2 << 16 | 17, 2]);
    let broken = KernelImage {
        code: KernelCode::SpirV(words.into()),
        ..good.clone()
    };
    let text = machine.try_load(&broken).unwrap_err().to_string();
    assert!(
        text.contains("clBuildProgram failed: CL_BUILD_PROGRAM_FAILURE"),
        "{text}"
    );
    assert!(
        text.contains("build the kernel colocate_elementwise"),
        "{text}"
    );

    let renamed = KernelImage {
        name: "another".into(),
        ..good
    };
    let text = machine.try_load(&renamed).unwrap_err().to_string();
    assert!(text.contains("no entry point another"), "{text}");
}

/// The bytes of this process that are in memory.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let pages = text
        .split(' ')
        .nth(1)
        .and_then(|word| word.parse::<usize>().ok());
    pages.expect("the second number") * 4096
}

#[test]
fn the_driver_frees_kernels_that_nobody_has() {
    let Some(machine) = machine() else { return };
    let image = image(&elementwise(DType::Float64, DType::Float64, |_, a, _| a));
    let load_some = |count| {
        for _ in 0..count {
            drop(machine.try_load(&image).expect("it is a good image"));
        }
    };
    load_some(10);
    let before = resident();
    load_some(50);
    let grown = resident().saturating_sub(before) >> 20;
    // Kept, they were 87 MB.
    assert!(grown < 50, "{grown} MB");
}

#[test]
fn many_threads_launch_one_kernel_with_arguments_of_their_own() {
    let Some(machine) = machine() else { return };
    let mut builder = KernelBuilder::new("fill", 1, region());
    let to = vector(&mut builder, "to", DType::Int64);
    let x: ParamId = builder.param("x", ParamKind::Scalar(DType::Int64));
    let i = global_id(&mut builder, 0);
    let value = builder.scalar(x);
    builder.store(Place::new(to, [i]), value);
    let kernel = machine.load(&builder.finish());
    std::thread::scope(|scope| {
        for thread in 0..4u64 {
            let (machine, kernel) = (&machine, &kernel);
            scope.spawn(move || {
                for round in 0..50 {
                    let value = 100 * thread + round;
                    let to = machine.buffer(&[0u64; 32]);
                    let arguments = [to.address(), 32, value];
                    let event = machine.launch(kernel, &arguments, &[32], None);
                    event.unwrap().wait().unwrap();
                    assert_eq!(to.read(), [value; 32]);
                }
            });
        }
    });
}

#[test]
fn a_space_that_cannot_be_divided_is_covered_exactly() {
    let Some(machine) = machine() else { return };
    let cover = |rank: u8| {
        let mut builder = KernelBuilder::new("cover", rank, region());
        let to = builder.param("to", array(DType::Int64, rank, Layout::Contiguous));
        let ids: Vec<ValueId> = (0..rank)
            .map(|axis| global_id(&mut builder, axis))
            .collect();
        let place = Place::new(ArrayRef::Param(to), ids);
        let mut value = builder.load(place.clone());
        for axis in 0..rank {
            let size = builder.index(IndexFunction::GlobalSize, axis);
            value = builder.binary(BinaryOp::Add, value, size);
        }
        builder.store(place, value);
        builder.finish()
    };
    for global in [
        &[10_007][..],
        &[131_071],
        &[3, 1009],
        &[1009, 3],
        &[5, 7, 211],
    ] {
        let items: usize = global.iter().product();
        let beyond = 5000;
        let to = machine.buffer(&vec![0i64; items + beyond]);
        let mut arguments = vec![to.address()];
        arguments.extend(global.iter().map(|&extent| extent as u64));
        machine.run(&cover(global.len() as u8), &arguments, global, None);
        let mut expected = vec![global.iter().sum::<usize>() as i64; items];
        expected.extend(vec![0; beyond]);
        assert!(to.read() == expected, "{global:?}");
    }
}
