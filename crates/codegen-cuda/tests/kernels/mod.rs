//! Core kernels that together hold every operation, dtype and statement.

#![allow(dead_code)] // Each test uses a part of them.

use colocate_ir::{
    ArrayRef, AtomicOp, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder,
    KernelKind, Kind, Layout, Literal, MathFunction, Op, ParamId, ParamKind, Part, Place,
    Reduction, ReductionOperator, StatementKind, StorageClass, UnaryOp, ValueId, VariableId,
};

/// The dtypes that values of a core kernel have.
pub const VALUES: [DType; 12] = [
    DType::Bool,
    DType::Int8,
    DType::Int16,
    DType::Int32,
    DType::Int64,
    DType::UInt8,
    DType::UInt16,
    DType::UInt32,
    DType::UInt64,
    DType::Float16,
    DType::Float32,
    DType::Float64,
];

pub fn region(name: &str, rank: u8) -> KernelBuilder {
    let reductions = Vec::new();
    KernelBuilder::new(name, rank, KernelKind::Region { reductions })
}

pub fn array(b: &mut KernelBuilder, name: &str, dtype: DType, rank: u8, layout: Layout) -> ParamId {
    b.param(
        name,
        ParamKind::Array {
            dtype,
            rank,
            layout,
        },
    )
}

pub fn place(param: ParamId, indices: &[ValueId]) -> Place {
    Place::new(ArrayRef::Param(param), indices.iter().copied())
}

/// An array with two elements for each item, and one of results.
struct Operands {
    b: KernelBuilder,
    item: ValueId,
}

impl Operands {
    fn new(name: &str) -> Operands {
        let mut b = region(name, 1);
        let item = b.index(IndexFunction::GlobalId, 0);
        Operands { b, item }
    }

    /// Two values that are known at run time only.
    fn two(&mut self, dtype: DType) -> (ValueId, ValueId) {
        let array = array(&mut self.b, dtype.name(), dtype, 2, Layout::Contiguous);
        let (zero, one) = (self.b.int64(0), self.b.int64(1));
        let first = self.b.load(place(array, &[self.item, zero]));
        let second = self.b.load(place(array, &[self.item, one]));
        (first, second)
    }

    fn give(&mut self, value: ValueId) {
        let dtype = self.b.dtype(value);
        let array = array(&mut self.b, "result", dtype, 1, Layout::Contiguous);
        self.b.store(place(array, &[self.item]), value);
    }
}

/// Every operation of one operand, for a dtype.
pub fn unary(dtype: DType) -> Kernel {
    let mut k = Operands::new("unary");
    let (a, b) = k.two(dtype);
    for op in UnaryOp::ALL {
        if op.result(dtype).is_some() && dtype != DType::Float16 {
            let value = k.b.unary(*op, a);
            k.give(value);
            let value = k.b.unary(*op, b);
            k.give(value);
        }
    }
    k.b.finish()
}

/// Every operation of two operands that core has, for a dtype.
pub fn binary(dtype: DType) -> Kernel {
    let mut k = Operands::new("binary");
    let (a, b) = k.two(dtype);
    for op in BinaryOp::ALL {
        let core = !matches!(
            op,
            BinaryOp::FloorDivide | BinaryOp::Modulo | BinaryOp::Power
        );
        if core && op.takes(dtype) && dtype != DType::Float16 {
            let value = k.b.binary(*op, a, b);
            k.give(value);
        }
    }
    k.b.finish()
}

/// Every comparison and a choice, for a dtype.
pub fn compare(dtype: DType) -> Kernel {
    let mut k = Operands::new("compare");
    let (a, b) = k.two(dtype);
    for op in CompareOp::ALL {
        if dtype != DType::Float16 {
            let value = k.b.compare(*op, a, b);
            k.give(value);
            let chosen = k.b.select(value, a, b);
            k.give(chosen);
        }
    }
    let truth = k.b.literal(Literal::Bool(true));
    let chosen = k.b.select(truth, b, a);
    k.give(chosen);
    k.b.finish()
}

/// Conversions from a dtype to every other, its bits as others, and constants of it.
pub fn convert(dtype: DType) -> Kernel {
    let mut k = Operands::new("convert");
    let (a, _) = k.two(dtype);
    for to in VALUES {
        if to != dtype {
            let value = k.b.convert(a, to);
            k.give(value);
        }
    }
    let has_bits = |dtype: DType| dtype != DType::Bool;
    for to in VALUES.into_iter().filter(|to| has_bits(*to)) {
        if has_bits(dtype) && to != dtype && to.itemsize() == dtype.itemsize() {
            let value = k.b.bitcast(a, to);
            k.give(value);
        }
    }
    let mut literals = vec![Literal::zero(dtype), Literal::small(dtype, 1)];
    for operator in [ReductionOperator::Minimum, ReductionOperator::Maximum] {
        literals.push(operator.identity(dtype));
    }
    if dtype.kind() == Kind::Float {
        for value in [0.1, -0.0, -1e-3, 5e-324, f64::NAN, f64::MAX, -1e300] {
            literals.push(Literal::Float(dtype, value));
        }
    }
    for literal in literals {
        let value = k.b.literal(literal);
        k.give(value);
    }
    k.b.finish()
}

/// Every function of floats.
pub fn math(dtype: DType) -> Kernel {
    let mut k = Operands::new("math");
    let (a, b) = k.two(dtype);
    for function in MathFunction::ALL {
        let operands = [a, b, a];
        let value = k.b.math(*function, &operands[..function.arity()]);
        k.give(value);
    }
    k.b.finish()
}

/// A scalar of every dtype, the complex ones by halves.
pub fn scalars() -> Kernel {
    let mut k = Operands::new("scalars");
    for dtype in DType::ALL {
        let param = k.b.param(dtype.name(), ParamKind::Scalar(dtype));
        let parts: &[Part] = match dtype.kind() {
            Kind::Complex => &[Part::Imaginary, Part::Real],
            _ => &[Part::Whole],
        };
        for part in parts {
            let value = k.b.op(Op::Param(param, *part));
            k.give(value);
        }
    }
    k.b.finish()
}

/// Copies between global memory of a layout and storage of a class, for a dtype; and all extents.
pub fn memory(dtype: DType, layout: Layout, class: StorageClass) -> Kernel {
    let kind = match class {
        StorageClass::Local => KernelKind::NdRange,
        StorageClass::Private => KernelKind::Region {
            reductions: Vec::new(),
        },
    };
    let mut b = KernelBuilder::new("memory", 3, kind);
    let parts: &[Part] = match dtype.kind() {
        Kind::Complex => &[Part::Real, Part::Imaginary],
        _ => &[Part::Whole],
    };
    let extents = array(&mut b, "extents", DType::Int64, 0, layout);
    let ids: Vec<ValueId> = (0..3)
        .map(|axis| b.index(IndexFunction::GlobalId, axis))
        .collect();
    for rank in 0..4u8 {
        let source = array(&mut b, "source", dtype, rank, layout);
        let target = array(&mut b, "target", dtype, rank, layout);
        let shape = vec![3; usize::from(rank)];
        let storage = b.storage("kept", dtype, &shape, class);
        let indices = &ids[..usize::from(rank)];
        for &part in parts {
            let global = |param| Place {
                part,
                ..place(param, indices)
            };
            let kept = Place {
                part,
                ..Place::new(ArrayRef::Storage(storage), indices.iter().copied())
            };
            let value = b.load(global(source));
            b.store(kept.clone(), value);
            let value = b.load(kept);
            b.store(global(target), value);
        }
        for axis in 0..rank {
            for array in [ArrayRef::Param(source), ArrayRef::Storage(storage)] {
                let extent = b.extent(array, axis);
                b.store(place(extents, &[]), extent);
            }
        }
    }
    b.finish()
}

/// Every index function of an nd-range kernel, for every item.
pub fn indices(rank: u8) -> Kernel {
    let mut b = KernelBuilder::new("indices", rank, KernelKind::NdRange);
    let out = array(&mut b, "out", DType::Int64, rank + 2, Layout::Contiguous);
    let ids: Vec<ValueId> = (0..rank)
        .map(|axis| b.index(IndexFunction::GlobalId, axis))
        .collect();
    for (row, function) in IndexFunction::ALL.iter().enumerate() {
        for axis in 0..rank {
            let value = b.index(*function, axis);
            let mut indices = ids.clone();
            indices.extend([b.int64(row as i64), b.int64(i64::from(axis))]);
            b.store(place(out, &indices), value);
        }
    }
    b.finish()
}

/// Every atomic on a dtype, in memory of every kind.
pub fn atomics(dtype: DType) -> Kernel {
    let mut b = KernelBuilder::new("atomics", 1, KernelKind::NdRange);
    let item = b.index(IndexFunction::LocalId, 0);
    let contiguous = array(&mut b, "contiguous", dtype, 1, Layout::Contiguous);
    let strided = array(&mut b, "strided", dtype, 1, Layout::Strided);
    let results = array(&mut b, "results", dtype, 1, Layout::Contiguous);
    let local = b.storage("local", dtype, &[64], StorageClass::Local);
    let private = b.storage("private", dtype, &[64], StorageClass::Private);
    let halves = match dtype {
        DType::Float32 => Some(array(&mut b, "z", DType::Complex64, 1, Layout::Contiguous)),
        DType::Float64 => Some(array(&mut b, "z", DType::Complex128, 1, Layout::Strided)),
        _ => None,
    };
    let mut places = vec![
        place(contiguous, &[item]),
        place(strided, &[item]),
        Place::new(ArrayRef::Storage(local), [item]),
        Place::new(ArrayRef::Storage(private), [item]),
    ];
    for part in [Part::Real, Part::Imaginary] {
        places.extend(halves.map(|z| Place {
            part,
            ..place(z, &[item])
        }));
    }
    for op in AtomicOp::ALL.iter().filter(|op| op.takes(dtype)) {
        for place_of in &places {
            let operand = b.literal(Literal::small(dtype, 3));
            let zero = b.literal(Literal::zero(dtype));
            let expected = (*op == AtomicOp::CompareExchange).then_some(zero);
            let used = b.atomic(*op, place_of.clone(), operand, expected);
            b.store(place(results, &[item]), used);
            b.atomic(*op, place_of.clone(), used, expected);
        }
    }
    b.finish()
}

/// Every reduction of a dtype, the last one over items that may leave early.
pub fn reductions(dtype: DType, early: bool) -> Kernel {
    let mut b = region("reductions", 2);
    let source = array(&mut b, "source", dtype, 2, Layout::Strided);
    let mut reductions = Vec::new();
    for operator in ReductionOperator::ALL.iter().copied() {
        if operator.takes(dtype) {
            let variable = b.variable(operator.name(), dtype);
            let target = array(&mut b, "target", dtype, 0, Layout::Contiguous);
            reductions.push(Reduction {
                operator,
                variable,
                target,
            });
        }
    }
    let (i, j) = (
        b.index(IndexFunction::GlobalId, 0),
        b.index(IndexFunction::GlobalId, 1),
    );
    if early {
        let odd = b.compare(CompareOp::Less, i, j);
        b.begin_if(odd);
        b.push(StatementKind::Return);
        b.end();
    }
    let value = b.load(place(source, &[i, j]));
    let variables: Vec<VariableId> = reductions.iter().map(|r| r.variable).collect();
    for variable in variables {
        b.set(variable, value);
    }
    b.kernel_mut().kind = KernelKind::Region { reductions };
    b.finish()
}

/// Every statement of control flow, with variables that change under held-back expressions.
pub fn control_flow() -> Kernel {
    let mut b = region("while", 1);
    let out = array(&mut b, "int", DType::Int64, 1, Layout::Contiguous);
    let n = b.param("n", ParamKind::Scalar(DType::Int64));
    let step = b.param("step", ParamKind::Scalar(DType::Int64));
    let total = b.variable("double", DType::Int64);
    let k = b.variable("for", DType::Int64);
    let i = b.index(IndexFunction::GlobalId, 0);
    let (n, step) = (b.scalar(n), b.scalar(step));
    let (zero, one, down) = (b.int64(0), b.int64(1), b.int64(-1));
    for step in [one, down, step] {
        let before = b.get(total);
        let stop = b.binary(BinaryOp::Add, n, before);
        b.begin_for(k, zero, stop, step);
        let at = b.get(k);
        let late = b.compare(CompareOp::Greater, at, i);
        b.begin_if(late);
        b.push(StatementKind::Break);
        b.begin_else();
        let known = b.get(total);
        let sum = b.binary(BinaryOp::Add, known, at);
        b.set(total, sum);
        b.push(StatementKind::Continue);
        b.end();
        b.end();
        b.set(k, before);
    }
    b.begin_while();
    let now = b.get(total);
    let half = b.binary(BinaryOp::ShiftRight, now, one);
    let go = b.compare(CompareOp::Greater, half, zero);
    b.begin_while_body(go);
    b.set(total, half);
    let elsewhere = b.compare(CompareOp::Equal, half, n);
    b.begin_if(elsewhere);
    b.push(StatementKind::Return);
    b.end();
    b.end();
    // The old value of a variable outlives its change.
    let old = b.get(total);
    b.set(total, one);
    let new = b.get(total);
    let both = b.binary(BinaryOp::Subtract, old, new);
    b.store(place(out, &[i]), both);
    b.finish()
}

/// A swap through memory: what was loaded before a store stays what it was.
pub fn swap() -> Kernel {
    let mut b = region("swap", 1);
    let (x, y) = (
        array(&mut b, "x", DType::Float32, 1, Layout::Contiguous),
        array(&mut b, "y", DType::Float32, 1, Layout::Contiguous),
    );
    let i = b.index(IndexFunction::GlobalId, 0);
    let (old_x, old_y) = (b.load(place(x, &[i])), b.load(place(y, &[i])));
    b.store(place(x, &[i]), old_y);
    b.store(place(y, &[i]), old_x);
    b.finish()
}

/// `out = alpha * x + y`, element by element.
pub fn saxpy() -> Kernel {
    let mut b = region("saxpy", 1);
    let x = array(&mut b, "x", DType::Float32, 1, Layout::Contiguous);
    let y = array(&mut b, "y", DType::Float32, 1, Layout::Strided);
    let alpha = b.param("alpha", ParamKind::Scalar(DType::Float32));
    let i = b.index(IndexFunction::GlobalId, 0);
    let alpha = b.scalar(alpha);
    let value = b.load(place(x, &[i]));
    let product = b.binary(BinaryOp::Multiply, alpha, value);
    let value = b.load(place(y, &[i]));
    let sum = b.binary(BinaryOp::Add, product, value);
    b.store(place(y, &[i]), sum);
    b.finish()
}

/// A matrix product in tiles of 16 by 16, with barriers in a loop.
pub fn tiled_matmul() -> Kernel {
    let mut b = KernelBuilder::new("matmul", 2, KernelKind::NdRange);
    let [left, right, out] =
        ["a", "b", "c"].map(|name| array(&mut b, name, DType::Float32, 2, Layout::Contiguous));
    let [tile_a, tile_b] = ["tile_a", "tile_b"].map(|name| {
        ArrayRef::Storage(b.storage(name, DType::Float32, &[16, 16], StorageClass::Local))
    });
    let sum = b.variable("acc", DType::Float32);
    let (t, k) = (b.variable("t", DType::Int64), b.variable("k", DType::Int64));
    let [i, j] = [0, 1].map(|axis| b.index(IndexFunction::GlobalId, axis));
    let [row, column] = [0, 1].map(|axis| b.index(IndexFunction::LocalId, axis));
    let (zero, one, side) = (b.int64(0), b.int64(1), b.int64(16));
    let depth = b.extent(ArrayRef::Param(left), 1);
    b.begin_for(t, zero, depth, side);
    let first = b.get(t);
    let along = b.binary(BinaryOp::Add, first, column);
    let value = b.load(place(left, &[i, along]));
    b.store(Place::new(tile_a, [row, column]), value);
    let along = b.binary(BinaryOp::Add, first, row);
    let value = b.load(place(right, &[along, j]));
    b.store(Place::new(tile_b, [row, column]), value);
    b.push(StatementKind::Barrier { global: false });
    b.begin_for(k, zero, side, one);
    let at = b.get(k);
    let x = b.load(Place::new(tile_a, [row, at]));
    let y = b.load(Place::new(tile_b, [at, column]));
    let product = b.binary(BinaryOp::Multiply, x, y);
    let known = b.get(sum);
    let next = b.binary(BinaryOp::Add, known, product);
    b.set(sum, next);
    b.end();
    b.push(StatementKind::Barrier { global: true });
    b.end();
    let result = b.get(sum);
    b.store(place(out, &[i, j]), result);
    b.finish()
}

/// The sum and the largest of the positive numbers among the squares of a matrix.
pub fn sum_of_squares() -> Kernel {
    let mut b = region("sum_of_squares", 2);
    let x = array(&mut b, "x", DType::Float64, 2, Layout::Contiguous);
    let total = array(&mut b, "total", DType::Float64, 0, Layout::Contiguous);
    let largest = array(&mut b, "largest", DType::Int16, 0, Layout::Contiguous);
    let sum = b.variable("sum", DType::Float64);
    let most = b.variable("most", DType::Int16);
    let [i, j] = [0, 1].map(|axis| b.index(IndexFunction::GlobalId, axis));
    let value = b.load(place(x, &[i, j]));
    let limit = b.literal(Literal::Float(DType::Float64, 0.1));
    let small = b.compare(CompareOp::Less, value, limit);
    b.begin_if(small);
    b.push(StatementKind::Return);
    b.end();
    let square = b.binary(BinaryOp::Multiply, value, value);
    b.set(sum, square);
    let whole = b.convert(value, DType::Int16);
    b.set(most, whole);
    b.kernel_mut().kind = KernelKind::Region {
        reductions: vec![
            Reduction {
                operator: ReductionOperator::Add,
                variable: sum,
                target: total,
            },
            Reduction {
                operator: ReductionOperator::Maximum,
                variable: most,
                target: largest,
            },
        ],
    };
    b.finish()
}

/// All of the above.
pub fn all() -> Vec<(String, Kernel)> {
    let mut all = vec![
        ("scalars".to_string(), scalars()),
        ("control flow".into(), control_flow()),
        ("swap".into(), swap()),
        ("saxpy".into(), saxpy()),
        ("tiled matmul".into(), tiled_matmul()),
        ("sum of squares".into(), sum_of_squares()),
    ];
    for rank in 1..=3 {
        all.push((format!("indices of rank {rank}"), indices(rank)));
    }
    for dtype in VALUES {
        all.push((format!("unary {dtype}"), unary(dtype)));
        all.push((format!("binary {dtype}"), binary(dtype)));
        all.push((format!("compare {dtype}"), compare(dtype)));
        all.push((format!("convert {dtype}"), convert(dtype)));
        all.push((
            format!("reductions {dtype}"),
            reductions(dtype, dtype == DType::Int16),
        ));
    }
    for dtype in DType::ALL {
        for layout in [Layout::Contiguous, Layout::Strided] {
            for class in [StorageClass::Local, StorageClass::Private] {
                all.push((
                    format!("memory {dtype} {layout:?} {class:?}"),
                    memory(dtype, layout, class),
                ));
            }
        }
        if AtomicOp::Add.takes(dtype) {
            all.push((format!("atomics {dtype}"), atomics(dtype)));
        }
    }
    for dtype in [DType::Float32, DType::Float64] {
        all.push((format!("math {dtype}"), math(dtype)));
        let mut fast = math(dtype);
        fast.fast_math = true;
        all.push((format!("fast math {dtype}"), fast));
    }
    all
}
