//! The reductions of regions: contributions are combined by group where OpenCL has a function
//! for it, and with the target atomically.

use crate::atomic_updates::instruction;
use crate::entry_point::{Generator, bits, value_type};
use crate::module_writer::Type;
use crate::places::Location;
use colocate_ir::{ArrayRef, AtomicOp, DType, Kind, Place, Reduction, ReductionOperator};
use rspirv::spirv::{BuiltIn, Op, Word};

impl Generator<'_> {
    /// Combines the contributions with the targets. All items of a group get here.
    pub fn combine_reductions(&mut self) {
        let mut left = Vec::new();
        for reduction in self.kernel.reductions() {
            let contribution = self.get_variable(reduction.variable.index());
            let dtype = self.kernel.variables[reduction.variable.index()].dtype;
            match self.reduce_group(reduction.operator, dtype, contribution) {
                Some(combined) => left.push((reduction, combined)),
                None => {
                    let at = self.locate_target(reduction);
                    self.update_target(reduction.operator, at, contribution);
                }
            }
        }
        if left.is_empty() {
            return;
        }
        // One item of each group hands on what the group has.
        let (yes, after) = (self.out.label(), self.out.label());
        let first = self.is_first_of_group();
        self.out.selection_merge(after);
        self.out.branch_if(first, yes, after);
        self.out.begin(yes);
        for (reduction, combined) in left {
            let at = self.locate_target(reduction);
            self.update_target(reduction.operator, at, combined);
        }
        self.out.branch(after);
        self.out.begin(after);
    }

    fn locate_target(&mut self, reduction: &Reduction) -> Location {
        self.locate(&Place::new(ArrayRef::Param(reduction.target), []))
    }

    fn is_first_of_group(&mut self) -> Word {
        let zero = self.out.int(64, 0);
        let mut first = None;
        for component in 0..self.kernel.rank {
            let which = BuiltIn::LocalInvocationId;
            let id = self.out.built_in(which, component.into());
            let is_zero = self.out.op(Op::IEqual, Type::Bool, &[id, zero]);
            first = Some(match first {
                None => is_zero,
                Some(first) => self.out.op(Op::LogicalAnd, Type::Bool, &[first, is_zero]),
            });
        }
        first.expect("an index space has an axis")
    }

    /// What the items of a group have together, if there is a function for it.
    fn reduce_group(
        &mut self,
        operator: ReductionOperator,
        dtype: DType,
        value: Word,
    ) -> Option<Word> {
        use ReductionOperator::{Add, BitAnd, BitOr, Maximum, Minimum, Multiply};
        // The functions know numbers of 32 and 64 bits.
        let wide = match dtype {
            DType::Int8 | DType::Int16 => DType::Int32,
            DType::UInt8 | DType::UInt16 => DType::UInt32,
            DType::Float16 => DType::Float32,
            _ => dtype,
        };
        let function = match (operator, dtype.kind()) {
            (Add | Maximum | BitOr, Kind::Bool) => return Some(self.out.group_any(value)),
            (Multiply | Minimum | BitAnd, Kind::Bool) => {
                let no = self.out.op(Op::LogicalNot, Type::Bool, &[value]);
                let no = self.out.group_any(no);
                return Some(self.out.op(Op::LogicalNot, Type::Bool, &[no]));
            }
            (Add, Kind::Int | Kind::UInt) => Op::GroupIAdd,
            (Add, Kind::Float) => Op::GroupFAdd,
            (Minimum, Kind::Int) => Op::GroupSMin,
            (Minimum, Kind::UInt) => Op::GroupUMin,
            (Minimum, Kind::Float) => Op::GroupFMin,
            (Maximum, Kind::Int) => Op::GroupSMax,
            (Maximum, Kind::UInt) => Op::GroupUMax,
            (Maximum, Kind::Float) => Op::GroupFMax,
            _ => return None,
        };
        let value = self.convert(dtype, wide, value);
        let combined = match function {
            Op::GroupFMin | Op::GroupFMax => self.reduce_floats(operator, function, wide, value),
            _ => self.out.group(function, value_type(wide), value),
        };
        Some(self.convert(wide, dtype, combined))
    }

    /// OpenCL's smallest and largest pass NaN by, so it is looked for apart.
    fn reduce_floats(
        &mut self,
        operator: ReductionOperator,
        function: Op,
        dtype: DType,
        value: Word,
    ) -> Word {
        let ty = value_type(dtype);
        let nan = self.is_nan(value);
        let neutral = self.literal(operator.identity(dtype));
        let number = self.out.op(Op::Select, ty, &[nan, neutral, value]);
        let combined = self.out.group(function, ty, number);
        let any_nan = self.out.group_any(nan);
        let nan = self.out.float(bits(dtype), f64::NAN);
        self.out.op(Op::Select, ty, &[any_nan, nan, combined])
    }

    fn update_target(&mut self, operator: ReductionOperator, at: Location, value: Word) {
        let op = match operator {
            ReductionOperator::Add => Some(AtomicOp::Add),
            ReductionOperator::Multiply => None,
            ReductionOperator::Minimum => Some(AtomicOp::Minimum),
            ReductionOperator::Maximum => Some(AtomicOp::Maximum),
            ReductionOperator::BitAnd => Some(AtomicOp::BitAnd),
            ReductionOperator::BitOr => Some(AtomicOp::BitOr),
            ReductionOperator::BitXor => Some(AtomicOp::BitXor),
        };
        match op.and_then(|op| instruction(op, at.dtype)) {
            Some(instruction) => {
                self.update_integer(instruction, at, value);
            }
            None => {
                self.update(at, operator.operation(at.dtype), value);
            }
        }
    }
}
