//! Makes complex values pairs of floats.
//!
//! A complex variable becomes two floats: the one it was holds the real part, a new one the
//! imaginary part. Arrays and scalar parameters stay complex and are reached by
//! [`Part`]. What the operations mean is in `complex_arithmetic`.
//!
//! Afterwards no value and no variable is complex.

use crate::complex_arithmetic::{self as arithmetic, Pair};
use crate::emit::Emit;
use crate::rewrite::{Rebuild, Step};
use colocate_ir::{
    BinaryOp, CompareOp, DType, Kernel, KernelBuilder, Kind, Literal, MathFunction, Op, Part,
    Place, StatementKind, UnaryOp, ValueId, VariableId,
};

/// Runs the pass.
pub fn run(kernel: Kernel) -> Kernel {
    let mut to = Rebuild::new(&kernel);
    let mut split = Split {
        kernel: &kernel,
        imaginary: Vec::new(),
        pairs: vec![None; kernel.values.len()],
    };
    split.variables(&mut to.builder);
    to.run(&kernel.body, |to, statement| split.statement(to, statement))
}

struct Split<'a> {
    kernel: &'a Kernel,
    /// The variable of the imaginary part, for each complex variable.
    imaginary: Vec<Option<VariableId>>,
    /// The parts of each complex value.
    pairs: Vec<Option<Pair>>,
}

impl Split<'_> {
    fn variables(&mut self, to: &mut KernelBuilder) {
        for (position, variable) in self.kernel.variables.iter().enumerate() {
            self.imaginary
                .push(Part::Real.of(variable.dtype).map(|float| {
                    let real = &mut to.kernel_mut().variables[position];
                    real.dtype = float;
                    real.name = format!("{}_real", variable.name);
                    to.variable(&format!("{}_imag", variable.name), float)
                }));
        }
    }

    /// The float that a value's parts have, if it is complex.
    fn float_of(&self, value: ValueId) -> Option<DType> {
        Part::Real.of(self.kernel.dtype(value))
    }

    fn pair(&self, old: ValueId) -> Pair {
        self.pairs[old.index()].expect("a complex value is defined before it is used")
    }

    fn statement(&mut self, to: &mut Rebuild, statement: &StatementKind) -> Step {
        match statement {
            StatementKind::Let { value, op } => self.operation(to, *value, op),
            StatementKind::Set { variable, value } if self.float_of(*value).is_some() => {
                let imaginary = self.imaginary[variable.index()].expect("a complex variable");
                let pair = self.pair(*value);
                to.builder.set(*variable, pair.re);
                to.builder.set(imaginary, pair.im);
                Step::Replaced
            }
            StatementKind::Load { value, place } if self.float_of(*value).is_some() => {
                let [re, im] = parts(to.place(place)).map(|place| to.builder.load(place));
                self.pairs[value.index()] = Some(Pair { re, im });
                Step::Replaced
            }
            StatementKind::Store { place, value } if self.float_of(*value).is_some() => {
                let pair = self.pair(*value);
                let [re, im] = parts(to.place(place));
                to.builder.store(re, pair.re);
                to.builder.store(im, pair.im);
                Step::Replaced
            }
            _ => Step::Copy,
        }
    }

    fn operation(&mut self, to: &mut Rebuild, value: ValueId, op: &Op) -> Step {
        if let Some(float) = self.float_of(value) {
            self.pairs[value.index()] = Some(self.complex_result(to, op, float));
            return Step::Replaced;
        }
        let complex_operand = op
            .operands()
            .iter()
            .any(|&operand| self.float_of(operand).is_some());
        if !complex_operand {
            return Step::Copy;
        }
        let new = self.real_result(&mut to.builder, op);
        to.define(value, new);
        Step::Replaced
    }

    /// An operation that gives a complex number with parts of dtype `float`.
    fn complex_result(&self, to: &mut Rebuild, op: &Op, float: DType) -> Pair {
        match op {
            Op::Literal(Literal::Complex(_, re, im)) => {
                Pair::literal(&mut to.builder, float, *re, *im)
            }
            Op::Param(param, _) => Pair {
                re: to.builder.op(Op::Param(*param, Part::Real)),
                im: to.builder.op(Op::Param(*param, Part::Imaginary)),
            },
            Op::Get(variable) => Pair {
                re: to.builder.get(*variable),
                im: to
                    .builder
                    .get(self.imaginary[variable.index()].expect("a complex variable")),
            },
            Op::Complex(re, im) => Pair {
                re: to.value(*re),
                im: to.value(*im),
            },
            Op::Unary(UnaryOp::Negate, a) => self.pair(*a).map(|part| to.builder.neg(part)),
            Op::Select(condition, a, b) => {
                let condition = to.value(*condition);
                let (a, b) = (self.pair(*a), self.pair(*b));
                arithmetic::select(&mut to.builder, condition, a, b)
            }
            Op::Convert(a, _) if self.float_of(*a).is_some() => {
                self.pair(*a).map(|part| to.builder.convert(part, float))
            }
            Op::Convert(a, _) => {
                let real = to.value(*a);
                Pair {
                    re: to.builder.convert(real, float),
                    im: to.builder.small(float, 0),
                }
            }
            Op::Binary(BinaryOp::Power, a, b) => {
                let exponent = match to.constant(*b) {
                    Some(Literal::Complex(_, re, 0.0)) if re.abs() < 100.0 && re.trunc() == re => {
                        Some(re as i32)
                    }
                    _ => None,
                };
                let (a, b) = (self.pair(*a), self.pair(*b));
                match exponent {
                    Some(exponent) => arithmetic::power_by_constant(&mut to.builder, a, exponent),
                    None => arithmetic::power(&mut to.builder, a, b),
                }
            }
            Op::Binary(op, a, b) => {
                let (a, b) = (self.pair(*a), self.pair(*b));
                let to = &mut to.builder;
                match op {
                    BinaryOp::Add => a.zip(b, |a, b| to.add(a, b)),
                    BinaryOp::Subtract => a.zip(b, |a, b| to.sub(a, b)),
                    BinaryOp::Multiply => arithmetic::multiply(to, a, b),
                    BinaryOp::Divide => arithmetic::divide(to, a, b),
                    other => unreachable!("{} takes no complex numbers", other.name()),
                }
            }
            other => unreachable!("{other:?} gives no complex number"),
        }
    }

    /// An operation on complex numbers that does not give one.
    fn real_result(&self, to: &mut KernelBuilder, op: &Op) -> ValueId {
        match op {
            Op::Unary(UnaryOp::Real, a) => self.pair(*a).re,
            Op::Unary(UnaryOp::Imaginary, a) => self.pair(*a).im,
            Op::Unary(UnaryOp::Abs, a) => {
                let a = self.pair(*a);
                to.math(MathFunction::Hypot, &[a.re, a.im])
            }
            Op::Compare(CompareOp::Equal, a, b) => {
                let each = self.pair(*a).zip(self.pair(*b), |a, b| to.eq(a, b));
                to.and(each.re, each.im)
            }
            Op::Compare(CompareOp::NotEqual, a, b) => {
                let each = self.pair(*a).zip(self.pair(*b), |a, b| to.ne(a, b));
                to.or(each.re, each.im)
            }
            Op::Convert(a, dtype) if dtype.kind() == Kind::Bool => {
                let each = self.pair(*a).map(|part| to.convert(part, DType::Bool));
                to.or(each.re, each.im)
            }
            Op::Convert(a, dtype) => to.convert(self.pair(*a).re, *dtype),
            other => unreachable!("{other:?} takes no complex number"),
        }
    }
}

/// The two halves of a place.
fn parts(place: Place) -> [Place; 2] {
    [Part::Real, Part::Imaginary].map(|part| Place {
        part,
        ..place.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{ArrayRef, IndexFunction, KernelKind, Layout, ParamKind};

    #[test]
    fn arrays_and_parameters_stay_and_are_reached_by_halves() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] });
        let kind = ParamKind::Array {
            dtype: DType::Complex64,
            rank: 1,
            layout: Layout::Strided,
        };
        let a = ArrayRef::Param(b.param("a", kind));
        let s = b.param("s", ParamKind::Scalar(DType::Complex64));
        let z = b.variable("z", DType::Complex64);
        let i = b.index(IndexFunction::GlobalId, 0);
        let x = b.load(Place::new(a, [i]));
        let y = b.scalar(s);
        let sum = b.binary(BinaryOp::Add, x, y);
        b.set(z, sum);
        let got = b.get(z);
        b.store(Place::new(a, [i]), got);
        let expected = "\
kernel k region rank 1 (p0.a: complex64[1] strided, p1.s: complex64) {
    var x0.z_real: float32
    var x1.z_imag: float32
    v0: int64 = global_id 0
    v1: float32 = load p0.a[v0].real
    v2: float32 = load p0.a[v0].imag
    v3: float32 = param p1.s.real
    v4: float32 = param p1.s.imag
    v5: float32 = add v1, v3
    v6: float32 = add v2, v4
    x0.z_real = v5
    x1.z_imag = v6
    v7: float32 = get x0.z_real
    v8: float32 = get x1.z_imag
    store p0.a[v0].real = v7
    store p0.a[v0].imag = v8
}
";
        assert_eq!(run(b.finish()).to_string(), expected);
    }

    #[test]
    fn a_kernel_without_complex_numbers_does_not_change() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] });
        let x = b.variable("x", DType::Float64);
        let got = b.get(x);
        let doubled = b.binary(BinaryOp::Add, got, got);
        b.set(x, doubled);
        let kernel = b.finish();
        assert_eq!(run(kernel.clone()), kernel);
    }
}
