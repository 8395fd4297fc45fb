//! The scaffold under every pass: a kernel is rebuilt statement by statement.
//!
//! Responsible for carrying a kernel over into a new one: blocks and their nesting, sites, and
//! which new value stands for which old one. A pass looks at each statement without blocks and
//! either replaces it or lets it be copied.
//!
//! What always holds: parameters, variables, storage and locals keep their ids, and new ones come after
//! them; a replacement is written into the block of the statement it replaces, so that what was
//! visible stays visible; every new statement has the site of the old one.
//!
//! Functions of a host kernel are carried over as they are: [`crate::to_core`] runs the passes over
//! each of them.
//!
//! It knows nothing of what any pass is for.

use colocate_ir::{
    Block, DType, Kernel, KernelBuilder, Kind, Literal, Op, Place, Statement, StatementKind,
    ValueId,
};

/// What a pass did about a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// Nothing: it is to be copied.
    Copy,
    /// Everything: the value it defines, if any, has been given with [`Rebuild::define`], or the
    /// pass keeps track of it.
    Replaced,
}

/// A kernel on its way into a new one.
pub(crate) struct Rebuild {
    /// Where the new kernel is made.
    pub builder: KernelBuilder,
    /// The new value of each old one.
    values: Vec<Option<ValueId>>,
    /// What is known of each old value.
    constants: Vec<Option<Literal>>,
}

impl Rebuild {
    /// Everything but the statements is carried over at once.
    pub fn new(kernel: &Kernel) -> Rebuild {
        let mut builder = KernelBuilder::new(&kernel.name, kernel.rank, kernel.kind.clone());
        let new = builder.kernel_mut();
        new.params = kernel.params.clone();
        new.variables = kernel.variables.clone();
        new.storage = kernel.storage.clone();
        new.locals = kernel.locals.clone();
        new.functions = kernel.functions.clone();
        new.fast_math = kernel.fast_math;
        new.disjoint = kernel.disjoint;
        new.group = kernel.group;
        Rebuild {
            builder,
            values: vec![None; kernel.values.len()],
            constants: vec![None; kernel.values.len()],
        }
    }

    /// Carries the statements over; `step` sees each that has no blocks before it is copied.
    pub fn run(
        mut self,
        body: &Block,
        mut step: impl FnMut(&mut Rebuild, &StatementKind) -> Step,
    ) -> Kernel {
        self.block(body, &mut step);
        self.builder.finish()
    }

    /// The new value that stands for an old one.
    pub fn value(&self, old: ValueId) -> ValueId {
        self.values[old.index()].expect("a value is defined before it is used")
    }

    /// Says which new value stands for an old one.
    pub fn define(&mut self, old: ValueId, new: ValueId) {
        let slot = &mut self.values[old.index()];
        assert!(slot.is_none(), "{old:?} is defined once");
        *slot = Some(new);
    }

    /// The constant an old value is, if that is plain to see.
    pub fn constant(&self, old: ValueId) -> Option<Literal> {
        self.constants[old.index()]
    }

    /// The same place, its indices being new values.
    pub fn place(&self, old: &Place) -> Place {
        Place {
            array: old.array,
            indices: old.indices.iter().map(|&index| self.value(index)).collect(),
            part: old.part,
        }
    }

    /// The same operation, its operands being new values.
    pub fn operation(&self, old: &Op) -> Op {
        let new = |value: &ValueId| self.value(*value);
        match old {
            Op::Literal(_) | Op::Param(..) | Op::Extent(..) | Op::Get(_) | Op::Index(..) => {
                old.clone()
            }
            Op::Unary(op, a) => Op::Unary(*op, new(a)),
            Op::Binary(op, a, b) => Op::Binary(*op, new(a), new(b)),
            Op::Compare(op, a, b) => Op::Compare(*op, new(a), new(b)),
            Op::Select(c, a, b) => Op::Select(new(c), new(a), new(b)),
            Op::Convert(a, dtype) => Op::Convert(new(a), *dtype),
            Op::Bitcast(a, dtype) => Op::Bitcast(new(a), *dtype),
            Op::Math(function, operands) => Op::Math(*function, operands.iter().map(new).collect()),
            Op::Complex(re, im) => Op::Complex(new(re), new(im)),
        }
    }

    fn block(
        &mut self,
        block: &Block,
        step: &mut impl FnMut(&mut Rebuild, &StatementKind) -> Step,
    ) {
        for statement in block {
            self.statement(statement, step);
        }
    }

    fn statement(
        &mut self,
        statement: &Statement,
        step: &mut impl FnMut(&mut Rebuild, &StatementKind) -> Step,
    ) {
        self.builder.site = statement.site;
        match &statement.kind {
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.builder.begin_if(self.value(*condition));
                self.block(then, step);
                if !otherwise.is_empty() {
                    self.builder.begin_else();
                    self.block(otherwise, step);
                }
                self.builder.end();
            }
            StatementKind::For {
                variable,
                start,
                stop,
                step: distance,
                body,
            } => {
                let [start, stop, distance] = [start, stop, distance].map(|&v| self.value(v));
                self.builder.begin_for(*variable, start, stop, distance);
                self.block(body, step);
                self.builder.end();
            }
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                self.builder.begin_while();
                self.block(before, step);
                self.builder.begin_while_body(self.value(*condition));
                self.block(body, step);
                self.builder.end();
            }
            plain => {
                if let StatementKind::Let { value, op } = plain {
                    self.constants[value.index()] = self.constant_of(op);
                }
                if step(self, plain) == Step::Copy {
                    self.copy(plain);
                }
            }
        }
    }

    /// Copies a statement that has no blocks.
    fn copy(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Let { value, op } => {
                let new = self.builder.op(self.operation(op));
                self.define(*value, new);
            }
            StatementKind::Set { variable, value } => {
                self.builder.set(*variable, self.value(*value));
            }
            StatementKind::Load { value, place } => {
                let new = self.builder.load(self.place(place));
                self.define(*value, new);
            }
            StatementKind::Store { place, value } => {
                self.builder.store(self.place(place), self.value(*value));
            }
            StatementKind::Atomic {
                value,
                op,
                place,
                operand,
                expected,
            } => {
                let place = self.place(place);
                let operand = self.value(*operand);
                let expected = expected.map(|expected| self.value(expected));
                let new = self.builder.atomic(*op, place, operand, expected);
                self.define(*value, new);
            }
            StatementKind::GroupReduce {
                value,
                operator,
                operand,
            } => {
                let new = self.builder.group_reduce(*operator, self.value(*operand));
                self.define(*value, new);
            }
            StatementKind::Call {
                callee,
                arguments,
                results,
            } => {
                let arguments: Vec<ValueId> =
                    arguments.iter().map(|&value| self.value(value)).collect();
                self.builder.call(*callee, &arguments, results.clone());
            }
            StatementKind::CallFunction {
                function,
                arguments,
                arrays,
                results,
            } => {
                let arguments: Vec<ValueId> =
                    arguments.iter().map(|&value| self.value(value)).collect();
                self.builder
                    .call_function_on(*function, &arguments, arrays, results);
            }
            StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Return
            | StatementKind::Barrier { .. } => self.builder.push(statement.clone()),
            StatementKind::If { .. } | StatementKind::For { .. } | StatementKind::While { .. } => {
                unreachable!("statements with blocks are carried over block by block")
            }
        }
    }

    /// A literal, or a small whole number converted: front ends write `x ** 2` so.
    fn constant_of(&self, op: &Op) -> Option<Literal> {
        match op {
            Op::Literal(literal) => Some(*literal),
            Op::Convert(value, dtype) => converted(self.constant(*value)?, *dtype),
            _ => None,
        }
    }
}

/// The literal as another dtype, where it is a whole number that every float can hold.
fn converted(literal: Literal, dtype: DType) -> Option<Literal> {
    let number = match literal {
        Literal::Int(_, number) if (-2048..=2048).contains(&number) => number,
        Literal::Float(_, number) | Literal::Complex(_, number, 0.0)
            if number.abs() <= 2048.0 && number.trunc() == number =>
        {
            // A conversion to a float would keep the sign of -0.0, this would not.
            if number == 0.0 && number.is_sign_negative() {
                return None;
            }
            number as i128
        }
        _ => return None,
    };
    let new = match dtype.kind() {
        Kind::Bool => return None,
        Kind::Int | Kind::UInt => Literal::Int(dtype, number),
        Kind::Float => Literal::Float(dtype, number as f64),
        Kind::Complex => Literal::Complex(dtype, number as f64, 0.0),
    };
    new.is_valid().then_some(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{
        ArrayRef, AtomicOp, BinaryOp, CallResult, CompareOp, HostFunctionId, IndexFunction,
        KernelKind, Layout, MathFunction, ParamKind, Part, ReductionOperator, Site, Span,
        StorageClass, UnaryOp,
    };

    /// A kernel with every kind of statement and operation, each with a site of its own.
    fn everything() -> Kernel {
        let mut b = KernelBuilder::new("everything", 2, KernelKind::NdRange);
        b.kernel_mut().fast_math = true;
        let kind = ParamKind::Array {
            dtype: DType::Complex64,
            rank: 1,
            layout: Layout::Strided,
        };
        let a = ArrayRef::Param(b.param("a", kind));
        let s = b.param("s", ParamKind::Scalar(DType::Complex128));
        let local = ArrayRef::Storage(b.storage("t", DType::Int32, &[4], StorageClass::Local));
        let turn = b.variable("turn", DType::Int64);
        let mut place = 0;
        let mut next = |b: &mut KernelBuilder| {
            place += 1;
            b.site = Site {
                file: 1,
                span: Span::new(place, place + 1),
            };
        };
        let i = b.index(IndexFunction::LocalId, 1);
        next(&mut b);
        let n = b.extent(a, 0);
        let z = b.load(Place::new(a, [i]));
        let whole = b.scalar(s);
        next(&mut b);
        let re = b.op(Op::Param(s, Part::Imaginary));
        let root = b.math(MathFunction::Atan2, &[re, re]);
        let made = b.op(Op::Complex(root, re));
        let sum = b.binary(BinaryOp::Multiply, made, whole);
        let narrow = b.convert(sum, DType::Complex64);
        next(&mut b);
        let same = b.compare(CompareOp::Equal, narrow, z);
        let chosen = b.select(same, narrow, z);
        b.store(Place::new(a, [i]), chosen);
        next(&mut b);
        b.begin_if(same);
        next(&mut b);
        b.push(StatementKind::Return);
        b.begin_else();
        let one = b.literal(Literal::Int(DType::Int32, 1));
        let place = Place::new(local, [i]);
        b.atomic(AtomicOp::CompareExchange, place.clone(), one, Some(one));
        b.atomic(AtomicOp::Add, place, one, None);
        b.end();
        next(&mut b);
        b.begin_for(turn, i, n, n);
        next(&mut b);
        b.begin_while();
        let now = b.get(turn);
        let more = b.compare(CompareOp::Less, now, n);
        next(&mut b);
        b.begin_while_body(more);
        next(&mut b);
        let other = b.unary(UnaryOp::BitNot, now);
        b.set(turn, other);
        b.begin_if(more);
        b.push(StatementKind::Break);
        b.end();
        b.push(StatementKind::Continue);
        b.end();
        b.end();
        next(&mut b);
        b.push(StatementKind::Barrier { global: true });
        b.group_reduce(ReductionOperator::Add, n);
        b.finish()
    }

    /// A host kernel with what others do not have.
    fn host() -> Kernel {
        let mut b = KernelBuilder::new("host", 1, KernelKind::Host);
        let a = b.local("a", DType::Int64, 1, Layout::Strided);
        let x = b.variable("x", DType::Int64);
        let n = b.int64(3);
        let results = vec![CallResult::Local(a), CallResult::Variable(x)];
        b.call(5, &[n, n], results);
        let element = b.load(Place::new(ArrayRef::Local(a), [n]));
        b.call_function(HostFunctionId(0), &[element], &[x]);
        let mut f = KernelBuilder::new("f", 1, KernelKind::Function { results: vec![] });
        f.int64(1);
        b.kernel_mut().functions.push(f.finish());
        b.finish()
    }

    #[test]
    fn a_pass_that_does_nothing_changes_nothing() {
        for kernel in [everything(), host()] {
            let copy = Rebuild::new(&kernel).run(&kernel.body, |_, _| Step::Copy);
            assert_eq!(copy, kernel);
        }
    }

    #[test]
    fn a_replacement_takes_the_place_and_the_site_of_what_it_replaces() {
        let kernel = everything();
        let mut replaced = 0;
        let new = Rebuild::new(&kernel).run(&kernel.body, |to, statement| match statement {
            StatementKind::Let {
                value,
                op: Op::Extent(..),
            } => {
                let half = to.builder.int64(20);
                let whole = to.builder.binary(BinaryOp::Add, half, half);
                to.define(*value, whole);
                replaced += 1;
                Step::Replaced
            }
            _ => Step::Copy,
        });
        assert_eq!(replaced, 1);
        assert_eq!(new.values.len(), kernel.values.len() + 1);
        assert_eq!(new.body.len(), kernel.body.len() + 1);
        assert_eq!(new.body[1].site, kernel.body[1].site);
        assert_eq!(new.body[2].site, kernel.body[1].site);
        assert_eq!(new.body[3].site, kernel.body[2].site);
        assert_eq!(new.body[3].kind.defines(), Some(ValueId(3)));
    }

    #[test]
    fn whole_numbers_are_known_through_conversions() {
        let int = |number| Literal::Int(DType::Int64, number);
        let float = Literal::Float(DType::Float16, 2.0);
        assert_eq!(converted(int(2), DType::Float16), Some(float));
        assert_eq!(
            converted(float, DType::Complex64),
            Some(Literal::Complex(DType::Complex64, 2.0, 0.0))
        );
        assert_eq!(converted(int(300), DType::UInt8), None);
        assert_eq!(converted(int(1 << 40), DType::Float32), None);
        assert_eq!(
            converted(Literal::Float(DType::Float64, 0.1), DType::Float32),
            None
        );
        assert_eq!(
            converted(Literal::Float(DType::Float64, -0.0), DType::Float32),
            None
        );
        assert_eq!(converted(int(2), DType::Bool), None);
    }
}
