//! NaN in lists and tuples. To Python an item is equal to itself even if it is a NaN, and to no other NaN; numbers of jit
//! functions are values, of which nobody can tell which object they are. So a search in which a NaN meets another raises.

use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::value::{Constant, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, Kind, ValueId};
use ruff_python_ast::CmpOp;
use ruff_text_size::TextRange;

const TEXT: &str = "a NaN is looked for where there is one: jit functions know numbers by their value, so it cannot be \
                    told whether it is the same object, which is what Python asks; test with math.isnan";

impl Translator<'_> {
    /// Whether an item is equal to what is looked for.
    pub fn equals_item(&mut self, item: &Value, wanted: &Value, range: TextRange) -> Value {
        let equal = self.compare(CmpOp::Eq, item, wanted, range);
        if let (Value::Scalar(item), Value::Scalar(wanted)) = (item, wanted)
            && let (Some(first), Some(second)) = (self.is_nan(item), self.is_nan(wanted))
        {
            let both = self.b.binary(BinaryOp::BitAnd, first, second);
            self.raise_if(both, &raised("TypeError", TEXT), range);
        }
        equal
    }

    /// Before something is looked for among the numbers of a list.
    pub fn check_nan_in(&mut self, wanted: &Value, numbers: &Value, range: TextRange) {
        let Value::Scalar(wanted) = wanted else {
            return;
        };
        let floats = Self::dtype_of(numbers).is_some_and(|dtype| dtype.kind() == Kind::Float);
        let Some(nan) = self.is_nan(wanted).filter(|_| floats) else {
            return;
        };
        self.flush();
        self.b.begin_if(nan);
        let others = self.array_compare(CmpOp::NotEq, numbers, numbers, range);
        let arguments = crate::calls::Arguments {
            positional: vec![(others, range)],
            keywords: Vec::new(),
        };
        if let Value::Scalar(any) = self.call_builtin("numpy.any", &arguments, range) {
            let any = self.ir(&any);
            self.raise_if(any, &raised("TypeError", TEXT), range);
        }
        self.b.end();
    }

    /// Whether a number is a NaN; nothing where that is known, or nobody would be told.
    fn is_nan(&mut self, number: &Scalar) -> Option<ValueId> {
        let is_known = match number.as_constant() {
            Some(Constant::Float(value)) => !value.is_nan(),
            Some(_) => true,
            None => false,
        };
        if number.dtype.kind() != Kind::Float || is_known || !self.is_program() || self.level() > 0
        {
            return None;
        }
        let ir = self.ir(number);
        Some(self.b.compare(CompareOp::NotEqual, ir, ir))
    }
}
