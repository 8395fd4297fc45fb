//! Values as expressions.
//!
//! A value that is used once, in the block that defines it, needs no name: its expression is held
//! back until the statement that uses it. An expression that reads a variable or memory gets
//! a name after all before something changes those ([`Writer::settle`]). Constants, parameters and
//! indices never need a name. A value that nobody uses is not written.

use crate::arithmetic::{self, Piece};
use crate::names;
use crate::prelude::{Function, Prelude};
use crate::{literal, types};
use colocate_dtype::DType;
use colocate_ir::{
    ArrayRef, Block, IndexFunction, Kernel, Layout, Literal, Op, ParamId, ParamKind, Part, Place,
    StatementKind, ValueId, VariableId,
};
use std::collections::{BTreeMap, BTreeSet};

/// Expressions longer than this get a name.
const LONGEST: usize = 60;

/// A piece of text, and what must not change before it is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    piece: Piece,
    variables: BTreeSet<VariableId>,
    memory: bool,
}

impl Expression {
    fn constant(piece: Piece) -> Expression {
        Expression {
            piece,
            variables: BTreeSet::new(),
            memory: false,
        }
    }
}

/// What is about to change.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    Variable(VariableId),
    Memory,
    Anything,
}

/// Something that the text defines before its body, because the body uses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Definition {
    Scalar(ParamId, PartOrder),
    Array(ParamId),
    Index(IndexFunction, u8),
}

/// [`Part`], in the order of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PartOrder {
    Whole,
    Real,
    Imaginary,
}

impl From<Part> for PartOrder {
    fn from(part: Part) -> PartOrder {
        match part {
            Part::Whole => PartOrder::Whole,
            Part::Real => PartOrder::Real,
            Part::Imaginary => PartOrder::Imaginary,
        }
    }
}

/// Where values are used.
#[derive(Debug)]
struct Uses {
    count: Vec<usize>,
    defined_in: Vec<usize>,
    used_in: Vec<usize>,
    blocks: usize,
}

impl Uses {
    fn of(kernel: &Kernel) -> Uses {
        let values = kernel.values.len();
        let mut uses = Uses {
            count: vec![0; values],
            defined_in: vec![0; values],
            used_in: vec![0; values],
            blocks: 0,
        };
        uses.block(&kernel.body);
        uses
    }

    fn used(&mut self, value: ValueId, block: usize) {
        self.count[value.index()] += 1;
        self.used_in[value.index()] = block;
    }

    /// Returns the block's number.
    fn block(&mut self, block: &Block) -> usize {
        self.blocks += 1;
        let number = self.blocks;
        for statement in block {
            if let Some(value) = statement.kind.defines() {
                self.defined_in[value.index()] = number;
            }
            if let StatementKind::While {
                before,
                condition,
                body,
            } = &statement.kind
            {
                // The condition is tested where the block that computes it ends.
                let before = self.block(before);
                self.used(*condition, before);
                self.block(body);
                continue;
            }
            for value in statement.kind.uses() {
                self.used(value, number);
            }
            for inner in statement.kind.blocks() {
                self.block(inner);
            }
        }
        number
    }

    /// Whether the one use of a value is in the block that defines it.
    fn once(&self, value: ValueId) -> bool {
        let value = value.index();
        self.count[value] == 1 && self.defined_in[value] == self.used_in[value]
    }
}

/// Writes a kernel's body.
pub(crate) struct Writer<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) prelude: Prelude,
    pub(crate) definitions: BTreeSet<Definition>,
    /// Whether an item of a region can be finished early.
    pub(crate) leaves_early: bool,
    /// What is written so far.
    pub(crate) text: String,
    pub(crate) indent: usize,
    uses: Uses,
    /// Values that can be named any number of times.
    known: Vec<Option<Piece>>,
    /// Expressions held back.
    pending: BTreeMap<ValueId, Expression>,
    literals: Vec<Option<Literal>>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(kernel: &'a Kernel, indent: usize) -> Writer<'a> {
        Writer {
            kernel,
            prelude: Prelude::default(),
            definitions: BTreeSet::new(),
            leaves_early: false,
            text: String::new(),
            indent,
            uses: Uses::of(kernel),
            known: vec![None; kernel.values.len()],
            pending: BTreeMap::new(),
            literals: vec![None; kernel.values.len()],
        }
    }

    /// Writes a line.
    pub(crate) fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Whether anything uses a value.
    pub(crate) fn is_used(&self, value: ValueId) -> bool {
        self.uses.count[value.index()] > 0
    }

    /// The constant that a value is.
    pub(crate) fn literal(&self, value: ValueId) -> Option<Literal> {
        self.literals[value.index()]
    }

    /// Gives a value a name here.
    pub(crate) fn name(&mut self, value: ValueId, text: &str) {
        let name = names::value(value);
        let ty = types::value(self.kernel.dtype(value));
        self.line(&format!("const {ty} {name} = {text};"));
        self.known[value.index()] = Some(Piece::closed(name));
    }

    /// Forgets expressions whose only use is not written.
    fn drop_uses(&mut self, values: &[ValueId]) {
        for value in values {
            self.pending.remove(value);
        }
    }

    fn hold(&mut self, value: ValueId, expression: Expression) {
        if self.uses.once(value) && expression.piece.text.len() <= LONGEST {
            self.pending.insert(value, expression);
        } else {
            self.name(value, &expression.piece.text);
        }
    }

    /// Gives a name to expressions held back that would not survive a change.
    pub(crate) fn settle(&mut self, change: Change) {
        let due: Vec<ValueId> = self
            .pending
            .iter()
            .filter(|(_, expression)| match change {
                Change::Variable(variable) => expression.variables.contains(&variable),
                Change::Memory => expression.memory,
                Change::Anything => expression.memory || !expression.variables.is_empty(),
            })
            .map(|(value, _)| *value)
            .collect();
        for value in due {
            if let Some(expression) = self.pending.remove(&value) {
                self.name(value, &expression.piece.text);
            }
        }
    }

    /// The expression of a value, which must not be asked for again if it is pending.
    fn take(&mut self, value: ValueId) -> Expression {
        if let Some(expression) = self.pending.remove(&value) {
            return expression;
        }
        let piece = self.known[value.index()].clone();
        Expression::constant(piece.expect("a verified kernel defines values before their use"))
    }

    /// The text of a value where no operator stands beside it.
    pub(crate) fn argument(&mut self, value: ValueId) -> String {
        self.take(value).piece.text
    }

    /// The text of a value that may be evaluated several times, and after anything.
    pub(crate) fn settled(&mut self, value: ValueId) -> String {
        if let Some(expression) = self.pending.remove(&value) {
            self.name(value, &expression.piece.text);
        }
        self.argument(value)
    }

    /// `let value = op`.
    pub(crate) fn define(&mut self, value: ValueId, op: &Op) {
        if !self.is_used(value) {
            self.drop_uses(&op.operands());
            return;
        }
        let known = match op {
            Op::Literal(literal) => {
                self.literals[value.index()] = Some(*literal);
                Some(literal::text(*literal))
            }
            Op::Param(param, part) => {
                self.definitions
                    .insert(Definition::Scalar(*param, (*part).into()));
                Some(scalar(self.kernel, *param, (*part).into()))
            }
            Op::Extent(ArrayRef::Param(param), axis) => {
                Some(names::extent(self.kernel, *param, usize::from(*axis)))
            }
            Op::Extent(ArrayRef::Storage(storage), axis) => {
                let extent = self.kernel.storage[storage.index()].shape[usize::from(*axis)];
                let extent = Literal::int64(i64::from(extent));
                self.literals[value.index()] = Some(extent);
                Some(literal::text(extent))
            }
            Op::Index(IndexFunction::GlobalSize, axis) => Some(format!("global_{axis}")),
            Op::Index(function, axis) => {
                self.definitions.insert(Definition::Index(*function, *axis));
                Some(index(*function, *axis))
            }
            _ => None,
        };
        if let Some(text) = known {
            self.known[value.index()] = Some(Piece::closed(text));
            return;
        }
        let operands: Vec<Expression> = op.operands().iter().map(|v| self.take(*v)).collect();
        let piece = self.operation(op, &operands);
        let mut expression = Expression::constant(piece);
        for operand in &operands {
            expression.variables.extend(&operand.variables);
            expression.memory |= operand.memory;
        }
        if let Op::Get(variable) = op {
            expression.variables.insert(*variable);
        }
        self.hold(value, expression);
    }

    fn operation(&mut self, op: &Op, operands: &[Expression]) -> Piece {
        let side = |position: usize| operands[position].piece.operand();
        match op {
            Op::Get(variable) => Piece::closed(names::variable(self.kernel, *variable)),
            Op::Unary(op, a) => {
                let dtype = self.kernel.dtype(*a);
                arithmetic::unary(&mut self.prelude, *op, dtype, &side(0))
            }
            Op::Binary(op, a, _) => {
                let dtype = self.kernel.dtype(*a);
                arithmetic::binary(&mut self.prelude, *op, dtype, &side(0), &side(1))
            }
            Op::Compare(op, _, _) => arithmetic::compare(*op, &side(0), &side(1)),
            Op::Select(..) => Piece::open(format!("{} ? {} : {}", side(0), side(1), side(2))),
            Op::Convert(a, to) => {
                let from = self.kernel.dtype(*a);
                arithmetic::convert(&mut self.prelude, from, *to, &operands[0].piece)
            }
            Op::Bitcast(a, to) => {
                let bits = types::to_bits(self.kernel.dtype(*a), &side(0));
                Piece::open(types::from_bits(*to, &bits))
            }
            Op::Math(function, values) => {
                let dtype = self.kernel.dtype(values[0]);
                let texts: Vec<String> = operands
                    .iter()
                    .map(|operand| operand.piece.text.clone())
                    .collect();
                arithmetic::math(*function, dtype, &texts)
            }
            Op::Complex(..) => unreachable!("core kernels have no complex values"),
            Op::Literal(_) | Op::Param(..) | Op::Extent(..) | Op::Index(..) => {
                unreachable!("these are known without operands")
            }
        }
    }

    /// `let value = place`.
    pub(crate) fn load(&mut self, value: ValueId, place: &Place) {
        if !self.is_used(value) {
            self.drop_uses(&place.indices);
            return;
        }
        let dtype = self.kernel.dtype(value);
        let mut reads = Expression::constant(Piece::closed(String::new()));
        let cell = self.cell(place, &mut reads);
        let text = match cell {
            Cell::Element(text) => text,
            Cell::Address(text) => {
                let load = self.prelude.name(Function::Load);
                format!("{load}<{}>({text})", types::cell(dtype))
            }
        };
        reads.piece = match dtype {
            DType::Bool => Piece::open(format!("{text} != 0")),
            _ => Piece::closed(text),
        };
        reads.memory = true;
        self.hold(value, reads);
    }

    /// Where an element lies, as an expression. What its indices read is added to `reads`.
    pub(crate) fn cell(&mut self, place: &Place, reads: &mut Expression) -> Cell {
        let kernel = self.kernel;
        let mut indices = Vec::new();
        for value in &place.indices {
            let index = self.take(*value);
            reads.variables.extend(&index.variables);
            reads.memory |= index.memory;
            indices.push(index.piece);
        }
        let dtype = place
            .array
            .dtype(kernel)
            .expect("a verified kernel has its places");
        let extents: Vec<String> = match place.array {
            ArrayRef::Param(param) => {
                let ParamKind::Array { layout, rank, .. } = kernel.params[param.index()].kind
                else {
                    unreachable!("a verified kernel has its places");
                };
                if layout == Layout::Strided {
                    return Cell::Address(strided(kernel, param, &indices, place.part, dtype));
                }
                self.definitions.insert(Definition::Array(param));
                let axes = 0..usize::from(rank);
                axes.map(|axis| names::extent(kernel, param, axis))
                    .collect()
            }
            ArrayRef::Storage(storage) => {
                let shape = &kernel.storage[storage.index()].shape;
                shape.iter().map(u32::to_string).collect()
            }
            ArrayRef::Local(_) => unreachable!("only host kernels have arrays from calls"),
        };
        let mut linear = Piece::closed("0".into());
        for (axis, index) in indices.into_iter().enumerate() {
            linear = match axis {
                0 => index,
                _ => Piece::open(format!(
                    "{} * {} + {}",
                    linear.operand(),
                    extents[axis],
                    index.operand()
                )),
            };
        }
        let linear = match (types::cells(dtype), place.part) {
            (2, Part::Imaginary) => format!("2 * {} + 1", linear.operand()),
            (2, _) => format!("2 * {}", linear.operand()),
            _ => linear.text,
        };
        Cell::Element(format!("{}[{linear}]", names::array(kernel, place.array)))
    }

    /// Where an element lies, for a statement that evaluates it at once.
    pub(crate) fn cell_now(&mut self, place: &Place) -> Cell {
        let mut reads = Expression::constant(Piece::closed(String::new()));
        self.cell(place, &mut reads)
    }
}

/// Where an element lies.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// An expression that can be read and assigned.
    Element(String),
    /// The address of a cell that may be aligned or not.
    Address(String),
}

fn strided(kernel: &Kernel, param: ParamId, indices: &[Piece], part: Part, dtype: DType) -> String {
    let mut text = names::address(kernel, param);
    for (axis, index) in indices.iter().enumerate() {
        text += &format!(
            " + {} * {}",
            index.operand(),
            names::stride(kernel, param, axis)
        );
    }
    if part == Part::Imaginary {
        text += &format!(" + {}", dtype.itemsize() / 2);
    }
    text
}

/// The name of a decoded scalar parameter.
pub(crate) fn scalar(kernel: &Kernel, param: ParamId, part: PartOrder) -> String {
    let name = names::param(kernel, param);
    match part {
        PartOrder::Whole => name,
        PartOrder::Real => format!("{name}_real"),
        PartOrder::Imaginary => format!("{name}_imag"),
    }
}

/// The name of an index.
pub(crate) fn index(function: IndexFunction, axis: u8) -> String {
    format!("{}_{axis}", function.name())
}
