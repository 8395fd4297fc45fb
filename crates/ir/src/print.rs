//! The text of a kernel.
//!
//! It is for readers, and it is complete: kernels of different meaning have different texts, so a
//! hash of the text identifies a kernel. It holds no places of the user's program, so moving a
//! function in its file changes nothing.

use crate::{
    ArrayRef, Block, CallResult, Kernel, KernelKind, Layout, Literal, LocalId, Op, ParamId,
    ParamKind, Part, Place, Statement, StatementKind, StorageClass, StorageId, ValueId, VariableId,
};
use std::fmt::{self, Display, Formatter};

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            KernelKind::Region { .. } => "region",
            KernelKind::NdRange => "nd_range",
            KernelKind::Host => "host",
            KernelKind::Function { .. } => "function",
        };
        write!(f, "kernel {} {kind} rank {}", Name(&self.name), self.rank)?;
        if self.fast_math {
            write!(f, " fast_math")?;
        }
        if self.disjoint {
            write!(f, " disjoint")?;
        }
        if let Some([a, b, c]) = self.group {
            write!(f, " group {a} {b} {c}")?;
        }
        write!(f, " (")?;
        for (i, param) in self.params.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}p{i}.{}: ", Name(&param.name))?;
            match param.kind {
                ParamKind::Scalar(dtype) => write!(f, "{dtype}")?,
                ParamKind::Array {
                    dtype,
                    rank,
                    layout,
                } => {
                    write!(f, "{dtype}[{rank}] {}", layout_name(layout))?;
                }
            }
        }
        writeln!(f, ") {{")?;
        for (i, storage) in self.storage.iter().enumerate() {
            let class = match storage.class {
                StorageClass::Local => "local",
                StorageClass::Private => "private",
            };
            let (name, dtype, shape) = (Name(&storage.name), storage.dtype, &storage.shape);
            writeln!(f, "    {class} s{i}.{name}: {dtype}{shape:?}")?;
        }
        for (i, local) in self.locals.iter().enumerate() {
            let (name, dtype, rank) = (Name(&local.name), local.dtype, local.rank);
            let layout = layout_name(local.layout);
            writeln!(f, "    array a{i}.{name}: {dtype}[{rank}] {layout}")?;
        }
        for (i, variable) in self.variables.iter().enumerate() {
            writeln!(
                f,
                "    var x{i}.{}: {}",
                Name(&variable.name),
                variable.dtype
            )?;
        }
        let text = Text { kernel: self };
        for reduction in self.reductions() {
            writeln!(
                f,
                "    reduce {} {} into {}",
                reduction.operator.name(),
                text.variable(reduction.variable),
                text.param(reduction.target),
            )?;
        }
        if let KernelKind::Function { results } = &self.kind {
            let results: Vec<String> = results.iter().map(|&id| text.variable(id)).collect();
            writeln!(f, "    gives {}", results.join(", "))?;
        }
        text.block(f, &self.body, 1)?;
        writeln!(f, "}}")?;
        for (i, function) in self.functions.iter().enumerate() {
            write!(f, "f{i}: {function}")?;
        }
        Ok(())
    }
}

/// A name as it is if it is an identifier, else in quotes, so that no name can pass for more.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.chars().all(|c| c.is_alphanumeric() || c == '_') {
            f.write_str(self.0)
        } else {
            write!(f, "{:?}", self.0)
        }
    }
}

/// Writes statements, with the names that the kernel knows. Ids that do not exist are shown bare, so
/// that a kernel with mistakes can be printed too.
struct Text<'a> {
    kernel: &'a Kernel,
}

impl Text<'_> {
    fn named(id: impl fmt::Debug, name: Option<&String>) -> String {
        match name {
            Some(name) => format!("{id:?}.{}", Name(name)),
            None => format!("{id:?}"),
        }
    }

    fn param(&self, id: ParamId) -> String {
        let param = self.kernel.params.get(id.index());
        Self::named(id, param.map(|param| &param.name))
    }

    fn variable(&self, id: VariableId) -> String {
        let variable = self.kernel.variables.get(id.index());
        Self::named(id, variable.map(|variable| &variable.name))
    }

    fn storage(&self, id: StorageId) -> String {
        let storage = self.kernel.storage.get(id.index());
        Self::named(id, storage.map(|storage| &storage.name))
    }

    fn local(&self, id: LocalId) -> String {
        let local = self.kernel.locals.get(id.index());
        Self::named(id, local.map(|local| &local.name))
    }

    fn array(&self, array: ArrayRef) -> String {
        match array {
            ArrayRef::Param(param) => self.param(param),
            ArrayRef::Storage(storage) => self.storage(storage),
            ArrayRef::Local(local) => self.local(local),
        }
    }

    fn place(&self, place: &Place) -> String {
        let (array, indices) = (self.array(place.array), list(&place.indices));
        format!("{array}[{indices}]{}", part(place.part))
    }

    /// A value that is defined here, with its dtype.
    fn defined(&self, value: ValueId) -> String {
        match self.kernel.values.get(value.index()) {
            Some(dtype) => format!("{value:?}: {dtype}"),
            None => format!("{value:?}"),
        }
    }

    fn op(&self, op: &Op) -> String {
        let operands = list(&op.operands());
        match op {
            Op::Literal(value) => literal(*value),
            Op::Param(param, half) => format!("param {}{}", self.param(*param), part(*half)),
            Op::Extent(array, axis) => format!("extent {}, {axis}", self.array(*array)),
            Op::Get(variable) => format!("get {}", self.variable(*variable)),
            Op::Index(function, axis) => format!("{} {axis}", function.name()),
            Op::Unary(op, _) => format!("{} {operands}", op.name()),
            Op::Binary(op, _, _) => format!("{} {operands}", op.name()),
            Op::Compare(op, _, _) => format!("{} {operands}", op.name()),
            Op::Select(..) => format!("select {operands}"),
            Op::Convert(_, to) => format!("convert {operands} to {to}"),
            Op::Bitcast(_, to) => format!("bitcast {operands} to {to}"),
            Op::Math(function, _) => format!("math.{} {operands}", function.name()),
            Op::Complex(..) => format!("complex {operands}"),
        }
    }

    fn block(&self, f: &mut Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
        block
            .iter()
            .try_for_each(|statement| self.statement(f, statement, depth))
    }

    fn statement(&self, f: &mut Formatter<'_>, statement: &Statement, depth: usize) -> fmt::Result {
        let margin = "    ".repeat(depth);
        write!(f, "{margin}")?;
        match &statement.kind {
            StatementKind::Let { value, op } => {
                writeln!(f, "{} = {}", self.defined(*value), self.op(op))
            }
            StatementKind::Set { variable, value } => {
                writeln!(f, "{} = {value:?}", self.variable(*variable))
            }
            StatementKind::Load { value, place } => {
                writeln!(f, "{} = load {}", self.defined(*value), self.place(place))
            }
            StatementKind::Store { place, value } => {
                writeln!(f, "store {} = {value:?}", self.place(place))
            }
            StatementKind::Atomic {
                value,
                op,
                place,
                operand,
                expected,
            } => {
                let (value, place) = (self.defined(*value), self.place(place));
                write!(f, "{value} = atomic {} {place}, {operand:?}", op.name())?;
                match expected {
                    Some(expected) => writeln!(f, " if {expected:?}"),
                    None => writeln!(f),
                }
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                writeln!(f, "if {condition:?} {{")?;
                self.block(f, then, depth + 1)?;
                if !otherwise.is_empty() {
                    writeln!(f, "{margin}}} else {{")?;
                    self.block(f, otherwise, depth + 1)?;
                }
                writeln!(f, "{margin}}}")
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let variable = self.variable(*variable);
                writeln!(f, "for {variable} in {start:?}..{stop:?} step {step:?} {{")?;
                self.block(f, body, depth + 1)?;
                writeln!(f, "{margin}}}")
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                writeln!(f, "while {{")?;
                self.block(f, before, depth + 1)?;
                writeln!(f, "{margin}}} {condition:?} {{")?;
                self.block(f, body, depth + 1)?;
                writeln!(f, "{margin}}}")
            }
            StatementKind::Break => writeln!(f, "break"),
            StatementKind::Continue => writeln!(f, "continue"),
            StatementKind::Return => writeln!(f, "return"),
            StatementKind::Barrier { global } => {
                writeln!(f, "barrier {}", if *global { "global" } else { "local" })
            }
            StatementKind::GroupReduce {
                value,
                operator,
                operand,
            } => {
                let value = self.defined(*value);
                writeln!(f, "{value} = group_reduce {} {operand:?}", operator.name())
            }
            StatementKind::Call {
                callee,
                arguments,
                results,
            } => {
                let results: Vec<String> = results
                    .iter()
                    .map(|result| match result {
                        CallResult::Variable(variable) => self.variable(*variable),
                        CallResult::Local(local) => self.local(*local),
                    })
                    .collect();
                if !results.is_empty() {
                    write!(f, "{} = ", results.join(", "))?;
                }
                writeln!(f, "call {callee}({})", list(arguments))
            }
            StatementKind::CallFunction {
                function,
                arguments,
                arrays,
                results,
            } => {
                let results: Vec<String> = results.iter().map(|&id| self.variable(id)).collect();
                if !results.is_empty() {
                    write!(f, "{} = ", results.join(", "))?;
                }
                let called = self.kernel.functions.get(function.index());
                let name = Self::named(*function, called.map(|called| &called.name));
                let mut given = list(arguments);
                for &array in arrays {
                    if !given.is_empty() {
                        given.push_str(", ");
                    }
                    given.push_str(&self.local(array));
                }
                writeln!(f, "call {name}({given})")
            }
        }
    }
}

fn layout_name(layout: Layout) -> &'static str {
    match layout {
        Layout::Contiguous => "contiguous",
        Layout::Strided => "strided",
    }
}

fn list(values: &[ValueId]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
    values.join(", ")
}

fn part(part: Part) -> &'static str {
    match part {
        Part::Whole => "",
        Part::Real => ".real",
        Part::Imaginary => ".imag",
    }
}

fn literal(literal: Literal) -> String {
    match literal {
        Literal::Bool(value) => format!("{value}"),
        Literal::Int(dtype, value) => format!("{value} {dtype}"),
        Literal::Float(dtype, value) => format!("{} {dtype}", float(value)),
        Literal::Complex(dtype, re, im) => format!("({}, {}) {dtype}", float(re), float(im)),
    }
}

/// Enough digits to give the same float back, and a NaN's bits.
fn float(value: f64) -> String {
    if value.is_nan() {
        format!("nan({:#018x})", value.to_bits())
    } else {
        format!("{value:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        BinaryOp, DType, HostFunctionId, IndexFunction, KernelBuilder, MathFunction, Reduction,
        ReductionOperator,
    };

    #[test]
    fn a_host_kernel_prints_its_arrays_calls_and_functions() {
        let host = |name: &str, kind: KernelKind| {
            let mut b = KernelBuilder::new(name, 1, kind);
            for name in ["callback", "context"] {
                b.param(name, ParamKind::Scalar(DType::UInt64));
            }
            b
        };
        let mut f = host("square", KernelKind::Host);
        let x = f.param("x", ParamKind::Scalar(DType::Float64));
        let out = f.variable("out", DType::Float64);
        f.kernel_mut().kind = KernelKind::Function { results: vec![out] };
        let x = f.scalar(x);
        let squared = f.binary(BinaryOp::Multiply, x, x);
        f.set(out, squared);

        let mut b = host("main", KernelKind::Host);
        let a = b.local("a", DType::Float64, 1, Layout::Contiguous);
        let image = b.local("image", DType::UInt8, 2, Layout::Strided);
        let n = b.variable("n", DType::Float64);
        let two = b.int64(2);
        let results = vec![
            CallResult::Local(a),
            CallResult::Variable(n),
            CallResult::Local(image),
        ];
        b.call(3, &[two], results);
        let extent = b.extent(ArrayRef::Local(image), 1);
        let element = b.load(Place::new(ArrayRef::Local(a), [extent]));
        b.call_function(HostFunctionId(0), &[element], &[n]);
        b.call(4, &[element, two], vec![]);
        b.kernel_mut().functions.push(f.finish());
        let expected = "\
kernel main host rank 1 (p0.callback: uint64, p1.context: uint64) {
    array a0.a: float64[1] contiguous
    array a1.image: uint8[2] strided
    var x0.n: float64
    v0: int64 = 2 int64
    a0.a, x0.n, a1.image = call 3(v0)
    v1: int64 = extent a1.image, 1
    v2: float64 = load a0.a[v1]
    x0.n = call f0.square(v2)
    call 4(v2, v0)
}
f0: kernel square function rank 1 (p0.callback: uint64, p1.context: uint64, p2.x: float64) {
    var x0.out: float64
    gives x0.out
    v0: float64 = param p2.x
    v1: float64 = mul v0, v0
    x0.out = v1
}
";
        assert_eq!(b.finish().to_string(), expected);
    }

    #[test]
    fn a_kernel_prints_as_its_text() {
        let mut b = KernelBuilder::new("scale", 2, KernelKind::NdRange);
        let array = |dtype, rank, layout| ParamKind::Array {
            dtype,
            rank,
            layout,
        };
        let a = b.param("a", array(DType::Complex64, 2, Layout::Strided));
        let n = b.param("n", ParamKind::Scalar(DType::Float32));
        let total = b.param("total", array(DType::Int64, 0, Layout::Contiguous));
        let tile = b.storage("tile", DType::Float32, &[4, 2], StorageClass::Private);
        let k = b.variable("k", DType::Int64);
        b.kernel_mut().kind = KernelKind::Region {
            reductions: vec![Reduction {
                operator: ReductionOperator::Maximum,
                variable: k,
                target: total,
            }],
        };
        let i = b.index(IndexFunction::GlobalId, 0);
        let one = b.int64(1);
        b.begin_for(k, i, one, one);
        let mut place = Place::new(ArrayRef::Param(a), [i, one]);
        place.part = Part::Imaginary;
        let x = b.load(place.clone());
        let scale = b.scalar(n);
        let scaled = b.binary(BinaryOp::Multiply, x, scale);
        let root = b.math(MathFunction::Sqrt, &[scaled]);
        b.store(place, root);
        b.end();
        b.begin_while();
        let more = b.literal(Literal::Bool(false));
        b.begin_while_body(more);
        b.begin_if(more);
        b.store(Place::new(ArrayRef::Storage(tile), [i, one]), scale);
        b.begin_else();
        b.push(StatementKind::Continue);
        b.end();
        b.push(StatementKind::Break);
        b.end();
        let expected = "\
kernel scale region rank 2 (p0.a: complex64[2] strided, p1.n: float32, p2.total: int64[0] contiguous) {
    private s0.tile: float32[4, 2]
    var x0.k: int64
    reduce max x0.k into p2.total
    v0: int64 = global_id 0
    v1: int64 = 1 int64
    for x0.k in v0..v1 step v1 {
        v2: float32 = load p0.a[v0, v1].imag
        v3: float32 = param p1.n
        v4: float32 = mul v2, v3
        v5: float32 = math.sqrt v4
        store p0.a[v0, v1].imag = v5
    }
    while {
        v6: bool = false
    } v6 {
        if v6 {
            store s0.tile[v0, v1] = v3
        } else {
            continue
        }
        break
    }
}
";
        assert_eq!(b.finish().to_string(), expected);
    }

    #[test]
    fn floats_that_differ_in_a_bit_print_differently() {
        let texts = [
            0.0,
            -0.0,
            0.1,
            0.1 + f64::EPSILON / 16.0,
            f64::INFINITY,
            f64::NAN,
            f64::from_bits(f64::NAN.to_bits() + 1),
            -f64::NAN,
        ]
        .map(|value| literal(Literal::Float(DType::Float64, value)));
        for (i, text) in texts.iter().enumerate() {
            assert!(!texts[..i].contains(text), "{text} stands for two floats");
        }
    }

    #[test]
    fn the_text_holds_no_places() {
        let kernel = |site| {
            let mut b = KernelBuilder::new("k", 1, KernelKind::NdRange);
            b.site = site;
            b.push(StatementKind::Return);
            b.finish().to_string()
        };
        let elsewhere = crate::Site {
            file: 3,
            span: crate::Span::new(4, 5),
        };
        assert_eq!(kernel(crate::Site::default()), kernel(elsewhere));
    }

    #[test]
    fn a_name_cannot_pass_for_something_else() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::NdRange);
        b.param("a: int8, p1.b", ParamKind::Scalar(DType::Int8));
        assert!(
            b.finish()
                .to_string()
                .contains("(p0.\"a: int8, p1.b\": int8)")
        );
    }
}
