//! Making kernels statement by statement.

use crate::{
    ArrayRef, AtomicOp, BinaryOp, Block, CallResult, CompareOp, DType, HostFunctionId,
    IndexFunction, Kernel, KernelKind, Layout, Literal, LocalArray, LocalId, MathFunction, Op,
    Param, ParamId, ParamKind, Part, Place, ReductionOperator, Site, Statement, StatementKind,
    Storage, StorageClass, StorageId, UnaryOp, ValueId, Variable, VariableId,
};

/// Builds a kernel. Blocks are opened and closed: a `begin_…` must meet its `end`.
///
/// Operations that do not fit their operands are a mistake of the caller and panic.
#[derive(Debug)]
pub struct KernelBuilder {
    kernel: Kernel,
    /// The open blocks, the outermost first; each but the first belongs to the statement
    /// in `open` at the position before.
    blocks: Vec<Block>,
    open: Vec<Open>,
    /// What the statements to come are said to come from.
    pub site: Site,
    /// The operation behind each value, where there is one.
    definitions: Vec<Option<Op>>,
}

#[derive(Debug)]
enum Open {
    Then(ValueId, Site),
    Otherwise(ValueId, Block, Site),
    For {
        variable: VariableId,
        start: ValueId,
        stop: ValueId,
        step: ValueId,
        site: Site,
    },
    Before(Site),
    While(Block, ValueId, Site),
}

/// A point to go back to with [`KernelBuilder::rewind`].
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    values: usize,
    variables: usize,
    storage: usize,
    locals: usize,
    depth: usize,
    statements: usize,
}

impl KernelBuilder {
    /// An empty kernel.
    pub fn new(name: &str, rank: u8, kind: KernelKind) -> KernelBuilder {
        KernelBuilder {
            kernel: Kernel {
                name: name.into(),
                rank,
                kind,
                params: Vec::new(),
                variables: Vec::new(),
                storage: Vec::new(),
                locals: Vec::new(),
                functions: Vec::new(),
                values: Vec::new(),
                body: Block::new(),
                fast_math: false,
                disjoint: false,
                group: None,
            },
            blocks: vec![Block::new()],
            open: Vec::new(),
            site: Site::default(),
            definitions: Vec::new(),
        }
    }

    /// How many blocks are open.
    pub fn depth(&self) -> usize {
        self.blocks.len()
    }

    /// How many loops are open.
    pub fn open_loops(&self) -> usize {
        let is_loop =
            |open: &&Open| matches!(open, Open::For { .. } | Open::Before(_) | Open::While(..));
        self.open.iter().filter(is_loop).count()
    }

    /// Visits the statements of the open blocks, and those inside them.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Statement)) {
        for block in &self.blocks {
            crate::walk(block, visit);
        }
    }

    /// The operation that a value is; nothing for what was loaded.
    pub fn definition(&self, value: ValueId) -> Option<&Op> {
        self.definitions.get(value.index())?.as_ref()
    }

    /// Whether a value is defined in the innermost open block itself, not around it or inside it.
    pub fn is_defined_here(&self, value: ValueId) -> bool {
        let block = self.blocks.last().expect("the body is always open");
        let mut statements = block.iter().rev();
        statements
            .any(|one| matches!(&one.kind, StatementKind::Let { value: own, .. } if *own == value))
    }

    /// What there is so far, without its statements.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// For what is known only later: the kind, the rank.
    pub fn kernel_mut(&mut self) -> &mut Kernel {
        &mut self.kernel
    }

    /// The kernel. All blocks must be closed.
    pub fn finish(mut self) -> Kernel {
        assert!(self.open.is_empty(), "every block is closed");
        self.kernel.body = self.blocks.pop().expect("the body is open to the end");
        self.kernel
    }

    /// Where the builder is now.
    pub fn mark(&self) -> Mark {
        Mark {
            values: self.kernel.values.len(),
            variables: self.kernel.variables.len(),
            storage: self.kernel.storage.len(),
            locals: self.kernel.locals.len(),
            depth: self.blocks.len(),
            statements: self.blocks.last().map_or(0, Vec::len),
        }
    }

    /// Forgets everything since the mark, which was taken in a block that is still open.
    pub fn rewind(&mut self, mark: Mark) {
        self.kernel.values.truncate(mark.values);
        self.definitions.truncate(mark.values);
        self.kernel.variables.truncate(mark.variables);
        self.kernel.storage.truncate(mark.storage);
        self.kernel.locals.truncate(mark.locals);
        self.blocks.truncate(mark.depth);
        self.open.truncate(mark.depth - 1);
        let block = self.blocks.last_mut().expect("the body is always open");
        block.truncate(mark.statements);
    }

    /// Whether nothing but values was defined since the mark, which was taken in a block that is
    /// still open: no branches, nothing that changes anything.
    pub fn only_values_since(&self, mark: Mark) -> bool {
        let block = self.blocks.last().expect("the body is always open");
        let is_value = |statement: &Statement| {
            matches!(
                statement.kind,
                StatementKind::Let { .. } | StatementKind::Load { .. }
            )
        };
        self.blocks.len() == mark.depth && block[mark.statements..].iter().all(is_value)
    }

    /// Whether an element of an array may have been written since the mark, which was taken in a block
    /// that is still open.
    pub fn writes_since(&self, mark: Mark) -> bool {
        let Some(block) = self.blocks.get(mark.depth - 1) else {
            return true;
        };
        let mut found = false;
        let mut look = |one: &Statement| {
            found |= matches!(
                one.kind,
                StatementKind::Store { .. }
                    | StatementKind::Atomic { .. }
                    | StatementKind::Call { .. }
                    | StatementKind::CallFunction { .. }
            );
        };
        let since = block[mark.statements..].iter();
        for statement in since.chain(self.blocks[mark.depth..].iter().flatten()) {
            look(statement);
            for inner in statement.kind.blocks() {
                crate::walk(inner, &mut look);
            }
        }
        found
    }

    /// A new parameter.
    pub fn param(&mut self, name: &str, kind: ParamKind) -> ParamId {
        self.kernel.params.push(Param {
            name: name.into(),
            kind,
        });
        ParamId(self.kernel.params.len() as u32 - 1)
    }

    /// A new variable, which begins as zero.
    pub fn variable(&mut self, name: &str, dtype: DType) -> VariableId {
        self.kernel.variables.push(Variable {
            name: name.into(),
            dtype,
        });
        VariableId(self.kernel.variables.len() as u32 - 1)
    }

    /// A new array of constant shape.
    pub fn storage(
        &mut self,
        name: &str,
        dtype: DType,
        shape: &[u32],
        class: StorageClass,
    ) -> StorageId {
        self.kernel.storage.push(Storage {
            name: name.into(),
            dtype,
            shape: shape.to_vec(),
            class,
        });
        StorageId(self.kernel.storage.len() as u32 - 1)
    }

    /// A new local array, which calls give.
    pub fn local(&mut self, name: &str, dtype: DType, rank: u8, layout: Layout) -> LocalId {
        self.kernel.locals.push(LocalArray {
            name: name.into(),
            dtype,
            rank,
            layout,
        });
        LocalId(self.kernel.locals.len() as u32 - 1)
    }

    /// Of a value.
    pub fn dtype(&self, value: ValueId) -> DType {
        self.kernel.dtype(value)
    }

    /// Adds a statement as it is. Values it defines come from [`KernelBuilder::fresh`].
    pub fn push(&mut self, kind: StatementKind) {
        let site = self.site;
        self.add(Statement { kind, site });
    }

    /// What follows a statement that leaves the block is never reached, and left out.
    fn add(&mut self, statement: Statement) {
        let block = self.blocks.last_mut().expect("the body is always open");
        let left = block.last().is_some_and(|last| {
            matches!(
                last.kind,
                StatementKind::Break | StatementKind::Continue | StatementKind::Return
            )
        });
        if !left {
            block.push(statement);
        }
    }

    /// A value that a statement to come defines.
    pub fn fresh(&mut self, dtype: DType) -> ValueId {
        self.kernel.values.push(dtype);
        ValueId(self.kernel.values.len() as u32 - 1)
    }

    /// Defines a value.
    pub fn op(&mut self, op: Op) -> ValueId {
        let dtype = op
            .dtype(&self.kernel)
            .unwrap_or_else(|why| panic!("{op:?} fits its operands: {why}"));
        let value = self.fresh(dtype);
        self.definitions.resize(value.index(), None);
        self.definitions.push(Some(op.clone()));
        self.push(StatementKind::Let { value, op });
        value
    }

    /// A constant.
    pub fn literal(&mut self, literal: Literal) -> ValueId {
        self.op(Op::Literal(literal))
    }

    /// An int64 constant.
    pub fn int64(&mut self, value: i64) -> ValueId {
        self.literal(Literal::int64(value))
    }

    /// A scalar parameter.
    pub fn scalar(&mut self, param: ParamId) -> ValueId {
        self.op(Op::Param(param, Part::Whole))
    }

    /// Where the item is.
    pub fn index(&mut self, function: IndexFunction, axis: u8) -> ValueId {
        self.op(Op::Index(function, axis))
    }

    /// How long an array is along an axis.
    pub fn extent(&mut self, array: ArrayRef, axis: u8) -> ValueId {
        self.op(Op::Extent(array, axis))
    }

    /// An operation of one operand.
    pub fn unary(&mut self, op: UnaryOp, a: ValueId) -> ValueId {
        self.op(Op::Unary(op, a))
    }

    /// An operation of two operands.
    pub fn binary(&mut self, op: BinaryOp, a: ValueId, b: ValueId) -> ValueId {
        self.op(Op::Binary(op, a, b))
    }

    /// A comparison.
    pub fn compare(&mut self, op: CompareOp, a: ValueId, b: ValueId) -> ValueId {
        self.op(Op::Compare(op, a, b))
    }

    /// A choice.
    pub fn select(&mut self, condition: ValueId, a: ValueId, b: ValueId) -> ValueId {
        self.op(Op::Select(condition, a, b))
    }

    /// A conversion; the value itself if it has the dtype already.
    pub fn convert(&mut self, value: ValueId, dtype: DType) -> ValueId {
        if self.dtype(value) == dtype {
            return value;
        }
        self.op(Op::Convert(value, dtype))
    }

    /// The bits as another dtype of the same size; the value itself if it has the dtype already.
    pub fn bitcast(&mut self, value: ValueId, dtype: DType) -> ValueId {
        if self.dtype(value) == dtype {
            return value;
        }
        self.op(Op::Bitcast(value, dtype))
    }

    /// A function of floats.
    pub fn math(&mut self, function: MathFunction, operands: &[ValueId]) -> ValueId {
        self.op(Op::Math(function, operands.into()))
    }

    /// Reads a variable.
    pub fn get(&mut self, variable: VariableId) -> ValueId {
        self.op(Op::Get(variable))
    }

    /// Writes a variable.
    pub fn set(&mut self, variable: VariableId, value: ValueId) {
        self.push(StatementKind::Set { variable, value });
    }

    /// Reads an element.
    pub fn load(&mut self, place: Place) -> ValueId {
        let dtype = place.dtype(&self.kernel).expect("the place exists");
        let value = self.fresh(dtype);
        self.push(StatementKind::Load { value, place });
        value
    }

    /// Writes an element.
    pub fn store(&mut self, place: Place, value: ValueId) {
        self.push(StatementKind::Store { place, value });
    }

    /// Changes an element atomically; what it held before.
    pub fn atomic(
        &mut self,
        op: AtomicOp,
        place: Place,
        operand: ValueId,
        expected: Option<ValueId>,
    ) -> ValueId {
        let dtype = place.dtype(&self.kernel).expect("the place exists");
        let value = self.fresh(dtype);
        self.push(StatementKind::Atomic {
            value,
            op,
            place,
            operand,
            expected,
        });
        value
    }

    /// Combines the group's operands.
    pub fn group_reduce(&mut self, operator: ReductionOperator, operand: ValueId) -> ValueId {
        let value = self.fresh(self.dtype(operand));
        self.push(StatementKind::GroupReduce {
            value,
            operator,
            operand,
        });
        value
    }

    /// Calls the runtime.
    pub fn call(&mut self, callee: u32, arguments: &[ValueId], results: Vec<CallResult>) {
        self.push(StatementKind::Call {
            callee,
            arguments: arguments.to_vec(),
            results,
        });
    }

    /// Sets variables and arrays to words.
    pub fn echo(&mut self, words: &[ValueId], results: Vec<CallResult>) {
        self.call(crate::ECHO_CALLEE, words, results);
    }

    /// Calls a function of the kernel, which may be added later.
    pub fn call_function(
        &mut self,
        function: HostFunctionId,
        arguments: &[ValueId],
        results: &[VariableId],
    ) {
        self.call_function_on(function, arguments, &[], results);
    }

    /// Calls a function of the kernel that is given local arrays.
    pub fn call_function_on(
        &mut self,
        function: HostFunctionId,
        arguments: &[ValueId],
        arrays: &[LocalId],
        results: &[VariableId],
    ) {
        self.push(StatementKind::CallFunction {
            function,
            arguments: arguments.to_vec(),
            arrays: arrays.to_vec(),
            results: results.to_vec(),
        });
    }

    fn begin(&mut self, open: Open) {
        self.open.push(open);
        self.blocks.push(Block::new());
    }

    /// Opens what is done if the condition is true.
    pub fn begin_if(&mut self, condition: ValueId) {
        let site = self.site;
        self.begin(Open::Then(condition, site));
    }

    /// Closes it, and opens what is done if the condition is false.
    pub fn begin_else(&mut self) {
        let then = self.blocks.pop().expect("the block of the if");
        let Some(Open::Then(condition, site)) = self.open.pop() else {
            panic!("an else follows an if");
        };
        self.begin(Open::Otherwise(condition, then, site));
    }

    /// Opens a counting loop.
    pub fn begin_for(
        &mut self,
        variable: VariableId,
        start: ValueId,
        stop: ValueId,
        step: ValueId,
    ) {
        let site = self.site;
        self.begin(Open::For {
            variable,
            start,
            stop,
            step,
            site,
        });
    }

    /// Opens a loop at the computation of its condition.
    pub fn begin_while(&mut self) {
        let site = self.site;
        self.begin(Open::Before(site));
    }

    /// Closes that computation, and opens the loop's body.
    pub fn begin_while_body(&mut self, condition: ValueId) {
        let before = self.blocks.pop().expect("the block of the condition");
        let Some(Open::Before(site)) = self.open.pop() else {
            panic!("a body follows a condition");
        };
        self.begin(Open::While(before, condition, site));
    }

    /// Closes an `if`, `else` or loop.
    pub fn end(&mut self) {
        let block = self.blocks.pop().expect("a block is open");
        let (kind, site) = match self.open.pop().expect("a statement is open") {
            Open::Then(condition, site) => (
                StatementKind::If {
                    condition,
                    then: block,
                    otherwise: Block::new(),
                },
                site,
            ),
            Open::Otherwise(condition, then, site) => (
                StatementKind::If {
                    condition,
                    then,
                    otherwise: block,
                },
                site,
            ),
            Open::For {
                variable,
                start,
                stop,
                step,
                site,
            } => (
                StatementKind::For {
                    variable,
                    start,
                    stop,
                    step,
                    body: block,
                },
                site,
            ),
            Open::Before(_) => panic!("a while has a body"),
            Open::While(before, condition, site) => (
                StatementKind::While {
                    before,
                    condition,
                    body: block,
                },
                site,
            ),
        };
        self.add(Statement { kind, site });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HOST_PARAMS;

    #[test]
    fn rewinding_forgets_locals_and_calls() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Host);
        for _ in 0..HOST_PARAMS {
            b.param("word", ParamKind::Scalar(DType::UInt64));
        }
        let kept = b.local("kept", DType::Int64, 1, Layout::Strided);
        b.call(0, &[], vec![CallResult::Local(kept)]);
        let before = b.kernel().clone();
        let mark = b.mark();
        let x = b.variable("x", DType::Int64);
        let truth = b.literal(Literal::Bool(true));
        b.begin_if(truth);
        let lost = b.local("lost", DType::Int64, 2, Layout::Contiguous);
        let results = vec![CallResult::Local(lost), CallResult::Variable(x)];
        b.call(1, &[truth], results);
        b.rewind(mark);
        assert_eq!(b.kernel(), &before);
        assert_eq!(b.local("next", DType::Int8, 0, Layout::Strided), LocalId(1));
        let kernel = b.finish();
        assert_eq!(kernel.body.len(), 1);
        assert_eq!(kernel.locals[1].words(), 1);
        assert_eq!(kernel.locals[0].words(), 3);
    }
}
