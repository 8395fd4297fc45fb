//! Statements as C++.

use crate::expression::{Cell, Change, Writer};
use crate::names;
use crate::prelude::Function;
use crate::types;
use colocate_ir::{
    ArrayRef, AtomicOp, Block, Literal, Place, Statement, StatementKind, StorageClass, ValueId,
    VariableId,
};

impl Writer<'_> {
    /// Writes a block's statements.
    pub(crate) fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
        }
    }

    fn inner(&mut self, block: &Block) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let { value, op } => self.define(*value, op),
            StatementKind::Set { variable, value } => {
                let text = self.argument(*value);
                self.settle(Change::Variable(*variable));
                let name = names::variable(self.kernel, *variable);
                self.line(&format!("{name} = {text};"));
            }
            StatementKind::Load { value, place } => self.load(*value, place),
            StatementKind::Store { place, value } => self.store(place, *value),
            StatementKind::Atomic {
                value,
                op,
                place,
                operand,
                expected,
            } => self.atomic(*value, *op, place, *operand, *expected),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => self.branch(*condition, then, otherwise),
            StatementKind::For {
                variable,
                start,
                stop,
                step,
                body,
            } => self.count(*variable, [*start, *stop, *step], body),
            StatementKind::While {
                before,
                condition,
                body,
            } => {
                self.settle(Change::Anything);
                self.line("while (true) {");
                self.inner(before);
                self.indent += 1;
                let condition = self.argument(*condition);
                self.settle(Change::Anything);
                self.line(&format!("if (!({condition})) {{"));
                self.line("    break;");
                self.line("}");
                self.block(body);
                self.indent -= 1;
                self.line("}");
            }
            StatementKind::Break => self.line("break;"),
            StatementKind::Continue => self.line("continue;"),
            StatementKind::Return if self.kernel.is_nd_range() => self.line("return;"),
            StatementKind::Return => {
                self.leaves_early = true;
                self.line("goto next_item;");
            }
            // All memory is visible to the block's threads after it, the global one too.
            StatementKind::Barrier { .. } => {
                self.settle(Change::Memory);
                self.line("__syncthreads();");
            }
            StatementKind::GroupReduce { .. } => {
                unreachable!("core kernels have no group reductions")
            }
            StatementKind::Call { .. } | StatementKind::CallFunction { .. } => {
                unreachable!("only host kernels call")
            }
        }
    }

    fn store(&mut self, place: &Place, value: ValueId) {
        let dtype = types::cell(self.kernel.dtype(value));
        let text = self.argument(value);
        let cell = self.cell_now(place);
        self.settle(Change::Memory);
        match cell {
            Cell::Element(element) => self.line(&format!("{element} = {text};")),
            Cell::Address(address) => {
                let store = self.prelude.name(Function::Store);
                self.line(&format!("{store}<{dtype}>({address}, {text});"));
            }
        }
    }

    fn atomic(
        &mut self,
        value: ValueId,
        op: AtomicOp,
        place: &Place,
        operand: ValueId,
        expected: Option<ValueId>,
    ) {
        let dtype = self.kernel.dtype(value);
        let private = match place.array {
            ArrayRef::Storage(id) => self.kernel.storage[id.index()].class == StorageClass::Private,
            ArrayRef::Param(_) => false,
            ArrayRef::Local(_) => unreachable!("only host kernels have arrays from calls"),
        };
        let function = if private {
            Function::Alone(op, dtype)
        } else {
            Function::Atomic(op, dtype)
        };
        let address = match self.cell_now(place) {
            Cell::Element(element) => format!("&{element}"),
            Cell::Address(address) => format!("({}*)({address})", types::cell(dtype)),
        };
        let mut arguments = vec![address];
        for value in expected.into_iter().chain([operand]) {
            arguments.push(self.argument(value));
        }
        self.settle(Change::Memory);
        let function = self.prelude.name(function);
        let call = format!("{function}({})", arguments.join(", "));
        if self.is_used(value) {
            self.name(value, &call);
        } else {
            self.line(&format!("{call};"));
        }
    }

    fn branch(&mut self, condition: ValueId, then: &Block, otherwise: &Block) {
        let condition = self.argument(condition);
        self.settle(Change::Anything);
        self.line(&format!("if ({condition}) {{"));
        self.inner(then);
        if !otherwise.is_empty() {
            self.line("} else {");
            self.inner(otherwise);
        }
        self.line("}");
    }

    fn count(&mut self, variable: VariableId, bounds: [ValueId; 3], body: &Block) {
        let unit = match self.literal(bounds[2]) {
            Some(Literal::Int(_, step @ (1 | -1))) => Some(step),
            _ => None,
        };
        let [start, stop, step] = bounds.map(|bound| self.settled(bound));
        self.settle(Change::Anything);
        let name = names::variable(self.kernel, variable);
        let turn = format!("{name}_turn");
        let counter = match unit {
            Some(1) => {
                self.line(&format!(
                    "for (i64 {turn} = {start}; {turn} < {stop}; ++{turn}) {{"
                ));
                turn
            }
            Some(_) => {
                self.line(&format!(
                    "for (i64 {turn} = {start}; {turn} > {stop}; --{turn}) {{"
                ));
                turn
            }
            // Counting turns, because the number after the last may overflow.
            None => {
                let length = self.prelude.name(Function::RangeLength);
                let item = self.prelude.name(Function::RangeItem);
                self.line(&format!(
                    "for (u64 {turn} = 0, {turn}s = {length}({start}, {stop}, {step}); \
                     {turn} < {turn}s; ++{turn}) {{"
                ));
                format!("{item}({start}, {step}, {turn})")
            }
        };
        self.line(&format!("    {name} = {counter};"));
        self.inner(body);
        self.line("}");
    }
}
