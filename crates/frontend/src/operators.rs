//! Operators, with the results that Python gives for its own numbers and NumPy for its scalars.

use crate::codes;
use crate::constants;
use crate::translate::Translator;
use crate::types::{self, is_inexact, is_integer, promote};
use crate::value::{Constant, Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, UnaryOp};
use ruff_python_ast::{CmpOp, Operator, UnaryOp as PythonUnary};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `a op b`.
    pub fn binary(&mut self, op: Operator, a: &Value, b: &Value, range: TextRange) -> Value {
        let is_listed = |value: &Value| matches!(value, Value::Named(class, _) if class.is_list());
        let listed = is_listed(a) || is_listed(b);
        let (a, b) = (&*self.plain(a, range), &*self.plain(b, range));
        match (a, b) {
            (Value::Poison, _) | (_, Value::Poison) => return Value::Poison,
            (Value::Tuple(x), Value::Tuple(y)) if op == Operator::Add => {
                let items = x.iter().chain(y).cloned().collect();
                return match listed {
                    true => self.listed(items, range),
                    false => Value::Tuple(items),
                };
            }
            (Value::Tuple(items), Value::Scalar(n)) if op == Operator::Mult => {
                if let Some(times) = n.as_int().filter(|times| *times <= 64 && n.weak) {
                    let times = usize::try_from(times).unwrap_or(0);
                    let items = vec![items.clone(); times].concat();
                    return match listed {
                        true => self.listed(items, range),
                        false => Value::Tuple(items),
                    };
                }
            }
            _ => {}
        }
        if self.is_program()
            && let Some(result) = self.list_binary(op, a, b, range)
        {
            return result;
        }
        if self.is_program()
            && let Some(result) = self.text_binary(op, a, b)
        {
            return result;
        }
        if self.is_program()
            && let Some(result) = self.object_binary(op, a, b, range)
        {
            return result;
        }
        if self.is_program()
            && let Some(result) = self.array_binary(op, a, b, range)
        {
            return result;
        }
        let plain = |value: &Value| match value {
            Value::Scalar(_) => true,
            Value::View(view) => view.rank() == 0,
            _ => false,
        };
        if !plain(a) || !plain(b) {
            return self.no_operator(op.as_str(), &[a, b], range);
        }
        let (Some(a), Some(b)) = (self.scalar(a, range), self.scalar(b, range)) else {
            return Value::Poison;
        };
        self.arithmetic(op, &a, &b, range)
    }

    /// `a op b` of scalars.
    pub fn arithmetic(&mut self, op: Operator, a: &Scalar, b: &Scalar, range: TextRange) -> Value {
        let (mut dtype, weak) = promote(a, b);
        let bools = dtype == DType::Bool;
        let op = match op {
            Operator::Add if bools && !weak => BinaryOp::BitOr,
            Operator::Mult if bools && !weak => BinaryOp::BitAnd,
            Operator::Sub if bools && !weak => {
                return self.no_operator("-", &[&(*a).into(), &(*b).into()], range);
            }
            Operator::Add => BinaryOp::Add,
            Operator::Sub => BinaryOp::Subtract,
            Operator::Mult => BinaryOp::Multiply,
            Operator::Div => BinaryOp::Divide,
            Operator::FloorDiv => BinaryOp::FloorDivide,
            Operator::Mod => BinaryOp::Modulo,
            Operator::Pow => BinaryOp::Power,
            Operator::LShift => BinaryOp::ShiftLeft,
            Operator::RShift => BinaryOp::ShiftRight,
            Operator::BitAnd => BinaryOp::BitAnd,
            Operator::BitOr => BinaryOp::BitOr,
            Operator::BitXor => BinaryOp::BitXor,
            Operator::MatMult => {
                return self.no_operator("@", &[&(*a).into(), &(*b).into()], range);
            }
        };
        let bitwise = matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
        if bools && !bitwise {
            dtype = if weak { DType::Int64 } else { DType::Int8 };
        }
        if op == BinaryOp::Divide && !is_inexact(dtype) {
            dtype = DType::Float64;
        }
        if op == BinaryOp::Power && is_integer(dtype) && b.as_int().is_some_and(|e| e < 0) {
            if weak {
                dtype = DType::Float64;
            } else {
                let diagnostic = self
                    .wrong(
                        codes::OPERATOR,
                        "NumPy integers have no negative integer powers",
                        range,
                        format!("{} ** {}", a.describe(), b.describe()),
                    )
                    .help("make the base a float: `float(x) ** -1`");
                return self.report(diagnostic);
            }
        }
        if !op.takes(dtype) {
            let symbol = symbol(op);
            return self.no_operator(symbol, &[&(*a).into(), &(*b).into()], range);
        }
        self.python_checks(op, b, (dtype, weak), range);
        self.apply(op, a, b, (dtype, weak), range)
            .map_or(Value::Poison, Value::Scalar)
    }

    /// What Python's own numbers raise: for a divisor that is zero, and for a negative power of an
    /// integer, whose result would be a float.
    fn python_checks(
        &mut self,
        op: BinaryOp,
        b: &Scalar,
        (dtype, weak): (DType, bool),
        range: TextRange,
    ) {
        let wanted = self
            .program
            .as_ref()
            .is_some_and(|state| state.options.python_errors);
        let noted = self
            .region
            .as_ref()
            .is_none_or(|region| region.failure.is_some());
        if !wanted || !weak || !noted {
            return;
        }
        let whole = is_integer(b.dtype) || b.dtype == DType::Bool;
        let constant = b.as_constant().is_some();
        let zero = match b.as_constant() {
            Some(Constant::Complex(re, im)) => re == 0.0 && im == 0.0,
            Some(constant) => {
                matches!(types::cast(constant, DType::Bool), Constant::Bool(false))
            }
            None => true,
        };
        let text = match (op, dtype.kind()) {
            (BinaryOp::Divide, Kind::Complex) => "complex division by zero",
            (BinaryOp::Divide, _) if whole => "division by zero",
            (BinaryOp::Divide, _) => "float division by zero",
            (BinaryOp::FloorDivide, Kind::Float) => "float floor division by zero",
            (BinaryOp::FloorDivide, _) => "integer division or modulo by zero",
            (BinaryOp::Modulo, Kind::Float) => "float modulo",
            (BinaryOp::Modulo, _) => "integer modulo by zero",
            (BinaryOp::Power, Kind::Int | Kind::UInt) if !constant && !b.is_non_negative() => {
                let negative = self.compare_scalars(CompareOp::Less, b, &Scalar::const_int(0));
                let negative = self.ir(&negative);
                let text = "an integer to a negative power is a float in Python, \
                            but an integer in jit functions: make the base a float";
                let raised = crate::objects::ranges_and_texts::raised("ValueError", text);
                self.raise_if(negative, &raised, range);
                return;
            }
            _ => return,
        };
        if zero {
            self.raise_if_zero(b, text, range);
        }
    }

    /// An operation of two scalars in a dtype; folds constants.
    pub fn apply(
        &mut self,
        op: BinaryOp,
        a: &Scalar,
        b: &Scalar,
        (dtype, weak): (DType, bool),
        range: TextRange,
    ) -> Option<Scalar> {
        let numbers = (a.as_constant(), b.as_constant());
        // What does not fit is reported before it is folded away.
        let exact = weak && dtype == DType::Int64;
        let unfit = |scalar: &Scalar| {
            let int = scalar.as_int().filter(|_| scalar.weak && is_integer(dtype));
            !exact && int.is_some_and(|value| !types::fits(value, dtype))
        };
        if let (Some(x), Some(y)) = numbers
            && !unfit(a)
            && !unfit(b)
            && let Some(result) = constants::binary(op, x, y, dtype, weak)
        {
            return Some(Scalar::constant(dtype, weak, result));
        }
        let grows = matches!(
            op,
            BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Multiply
                | BinaryOp::Power
                | BinaryOp::ShiftLeft
        );
        if exact && grows && numbers.0.is_some() && b.as_int().is_some_and(|b| b >= 0) {
            let diagnostic = self
                .wrong(
                    codes::OUT_OF_RANGE,
                    "the result of this is too large for a kernel",
                    range,
                    "no integer type holds it",
                )
                .help("integers have at most 64 bits; compute with floats");
            self.report(diagnostic);
            return None;
        }
        let x = self.operand(a, dtype, range)?;
        // Squares are what powers are mostly used for.
        if op == BinaryOp::Power && is_number(b, 2) {
            let mut square = Scalar::new(dtype, weak, self.b.binary(BinaryOp::Multiply, x, x));
            if a.is_non_negative() && is_integer(dtype) {
                square.know = Know::NonNegative;
            }
            return Some(square);
        }
        // A quotient is rounded once; a power need not be.
        if op == BinaryOp::Power && dtype.kind() == Kind::Float && is_number(b, -1) {
            let one = self.b.literal(colocate_ir::Literal::small(dtype, 1));
            let inverse = self.b.binary(BinaryOp::Divide, one, x);
            return Some(Scalar::new(dtype, weak, inverse));
        }
        let y = self.operand(b, dtype, range)?;
        let mut result = Scalar::new(dtype, weak, self.b.binary(op, x, y));
        if constants::keeps_sign(op, dtype, a.is_non_negative(), b.is_non_negative()) {
            result.know = Know::NonNegative;
        }
        Some(result)
    }

    /// An operation of two int64, for indices and sizes.
    pub fn index_op(&mut self, op: BinaryOp, a: &Scalar, b: &Scalar) -> Scalar {
        let trivial = match (op, a.as_int(), b.as_int()) {
            (BinaryOp::Add, Some(0), _) | (BinaryOp::Multiply, Some(1), _) => Some(b),
            (BinaryOp::Add | BinaryOp::Subtract, _, Some(0)) => Some(a),
            (BinaryOp::Multiply | BinaryOp::FloorDivide, _, Some(1)) => Some(a),
            _ => None,
        };
        if let Some(same) = trivial {
            return *same;
        }
        let nowhere = TextRange::default();
        self.apply(op, a, b, (DType::Int64, true), nowhere)
            .unwrap_or_else(|| Scalar::const_int(0))
    }

    /// `-a`, `+a`, `~a`, `not a`.
    pub fn unary(&mut self, op: PythonUnary, value: &Value, range: TextRange) -> Value {
        let value = match op {
            PythonUnary::Not => value,
            _ => &*self.plain(value, range),
        };
        if op == PythonUnary::Not {
            let Some(truth) = self.truth(value, range) else {
                return Value::Poison;
            };
            if let Some(known) = truth.as_int() {
                return Scalar::const_bool(known == 0).into();
            }
            let ir = self.ir(&truth);
            return Scalar::new(DType::Bool, true, self.b.unary(UnaryOp::Not, ir)).into();
        }
        if self.is_program() && crate::arrays::lazy::is_array(value) {
            return self.elementwise(std::slice::from_ref(value), range, move |t, x| {
                match t.unary(op, &Value::Scalar(x[0]), range) {
                    Value::Scalar(result) => Some(result),
                    _ => None,
                }
            });
        }
        let scalar = match value {
            Value::Poison => return Value::Poison,
            Value::Scalar(scalar) => *scalar,
            Value::View(view) if view.rank() == 0 => self.load(view),
            other => return self.no_operator(op.as_str(), &[other], range),
        };
        let bool = scalar.dtype == DType::Bool;
        let ir_op = match op {
            PythonUnary::USub => UnaryOp::Negate,
            PythonUnary::Invert if bool && !scalar.weak => UnaryOp::Not,
            PythonUnary::Invert => UnaryOp::BitNot,
            PythonUnary::UAdd if bool && scalar.weak => {
                return self.cast(&scalar, DType::Int64, true).into();
            }
            PythonUnary::UAdd if bool => return self.no_operator("+", &[value], range),
            PythonUnary::UAdd | PythonUnary::Not => return scalar.into(),
        };
        let scalar = if bool && scalar.weak {
            self.cast(&scalar, DType::Int64, true)
        } else {
            scalar
        };
        self.apply_unary(ir_op, &scalar).map_or_else(
            || self.no_operator(op.as_str(), &[value], range),
            Value::Scalar,
        )
    }

    /// An operation of one scalar whose result has its dtype; nothing if it does not take it.
    pub fn apply_unary(&mut self, op: UnaryOp, a: &Scalar) -> Option<Scalar> {
        let dtype = op.result(a.dtype)?;
        if let Some(constant) = a.as_constant()
            && let Some(result) = constants::unary(op, constant, a.dtype)
        {
            let fits = match result {
                Constant::Int(value) => a.weak || types::fits(value, dtype),
                _ => true,
            };
            if fits {
                return Some(Scalar::constant(dtype, a.weak, result));
            }
        }
        let ir = self.ir(a);
        let mut result = Scalar::new(dtype, a.weak, self.b.unary(op, ir));
        if op == UnaryOp::Abs && is_integer(dtype) {
            result.know = Know::NonNegative;
        }
        Some(result)
    }

    /// `a op b` of a comparison.
    pub fn compare(&mut self, op: CmpOp, a: &Value, b: &Value, range: TextRange) -> Value {
        if a.is_poison() || b.is_poison() {
            return Value::Poison;
        }
        if let Some(result) = self.compare_optional(op, a, b, range) {
            return result;
        }
        if let (Value::Choice(options, which), other) | (other, Value::Choice(options, which)) =
            (a, b)
            && matches!(op, CmpOp::Eq | CmpOp::NotEq | CmpOp::Is | CmpOp::IsNot)
        {
            let (options, which, other) = (options.clone(), *which, other.clone());
            return self.with_choice(&options, &which, range, &mut |t, option| {
                t.compare(op, option, &other, range)
            });
        }
        if let Some(same) = known_apart(op, a, b) {
            return Scalar::const_bool(same).into();
        }
        if self.is_program()
            && matches!(op, CmpOp::Eq | CmpOp::NotEq)
            && (is_any_list(a) && matches!(b, Value::Tuple(_))
                || is_any_list(b) && matches!(a, Value::Tuple(_)))
        {
            // A list is never equal to a tuple.
            return Scalar::const_bool(op == CmpOp::NotEq).into();
        }
        let (a, b) = match op {
            CmpOp::Is | CmpOp::IsNot => (a, b),
            // What is looked for is compared as it is.
            CmpOp::In | CmpOp::NotIn if is_any_list(a) => (a, &*self.plain(b, range)),
            _ => (&*self.plain(a, range), &*self.plain(b, range)),
        };
        if self.is_program()
            && let Some(result) = crate::objects::ranges_and_texts::compare_texts(op, a, b)
        {
            return Scalar::const_bool(result).into();
        }
        if self.is_program()
            && let Some(result) = self.object_compare(op, a, b, range)
        {
            return result;
        }
        let ir_op = match op {
            CmpOp::Is | CmpOp::IsNot => return self.identity(op == CmpOp::Is, a, b, range),
            CmpOp::In | CmpOp::NotIn if self.is_program() && crate::arrays::lazy::is_array(b) => {
                return self.array_membership(op == CmpOp::In, a, b, range);
            }
            CmpOp::In | CmpOp::NotIn => return self.membership(op == CmpOp::In, a, b, range),
            CmpOp::Eq => CompareOp::Equal,
            CmpOp::NotEq => CompareOp::NotEqual,
            CmpOp::Lt => CompareOp::Less,
            CmpOp::LtE => CompareOp::LessEqual,
            CmpOp::Gt => CompareOp::Greater,
            CmpOp::GtE => CompareOp::GreaterEqual,
        };
        let arrays = crate::arrays::lazy::is_array(a) || crate::arrays::lazy::is_array(b);
        if self.is_program() && arrays {
            let (a, b) = (self.items_as_array(a, range), self.items_as_array(b, range));
            return self.array_compare(op, &a, &b, range);
        }
        let equality = matches!(op, CmpOp::Eq | CmpOp::NotEq);
        if self.is_program()
            && let Some(result) = self.list_compare(op, a, b, range)
        {
            return result;
        }
        let same = match (a, b) {
            (Value::Scalar(_), Value::Scalar(_)) => None,
            (Value::Tuple(x), Value::Tuple(y)) if equality => {
                return self.compare_tuples(op, x, y, range);
            }
            (Value::Tuple(x), Value::Tuple(y)) if self.is_program() => {
                return self.order_tuples(op, x, y, range);
            }
            (Value::Range(x), Value::Range(y)) if equality && self.is_program() => {
                let same = self.same_ranges(x, y, range);
                return match op {
                    CmpOp::Eq => same,
                    _ => self.unary(PythonUnary::Not, &same, range),
                };
            }
            (Value::Tuple(_), Value::Scalar(_)) | (Value::Scalar(_), Value::Tuple(_))
                if equality && self.is_program() =>
            {
                Some(false)
            }
            (Value::Dtype(_) | Value::Builtin(_) | Value::Str(_), _) | (_, Value::Str(_))
                if equality =>
            {
                match (self.as_dtype_value(a), self.as_dtype_value(b)) {
                    (Some(x), Some(y)) => Some(x == y),
                    _ => Some(a == b),
                }
            }
            (Value::None, _) | (_, Value::None) if equality => Some(a == b),
            _ => None,
        };
        if let Some(same) = same {
            return Scalar::const_bool(same == (op == CmpOp::Eq)).into();
        }
        let plain = |value: &Value| match value {
            Value::Scalar(_) => true,
            Value::View(view) => view.rank() == 0,
            _ => false,
        };
        if !plain(a) || !plain(b) {
            return self.no_operator(op.as_str(), &[a, b], range);
        }
        let (Some(x), Some(y)) = (self.scalar(a, range), self.scalar(b, range)) else {
            return Value::Poison;
        };
        let complex = x.dtype.kind() == Kind::Complex || y.dtype.kind() == Kind::Complex;
        if complex && !equality {
            return self.no_operator(op.as_str(), &[a, b], range);
        }
        self.compare_scalars(ir_op, &x, &y).into()
    }

    /// A comparison; integers are compared by value whatever their dtypes.
    pub fn compare_scalars(&mut self, op: CompareOp, a: &Scalar, b: &Scalar) -> Scalar {
        let weak = a.weak && b.weak;
        let float32 = [a, b]
            .iter()
            .any(|s| matches!(s.dtype, DType::Float32 | DType::Float16));
        if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant())
            && !float32
            && let Some(result) = constants::compare(op, x, y)
        {
            return Scalar::constant(DType::Bool, weak, Constant::Bool(result));
        }
        let (mut dtype, _) = promote(a, b);
        let whole = |s: &Scalar| !is_inexact(s.dtype);
        if whole(a) && whole(b) && a.dtype != b.dtype {
            let unsigned = |s: &Scalar| s.dtype == DType::UInt64;
            let huge = |s: &Scalar| s.as_int().is_some_and(|v| !types::fits(v, DType::Int64));
            match (unsigned(a) || huge(a), unsigned(b) || huge(b)) {
                (true, true) => dtype = DType::UInt64,
                (true, false) => return self.compare_mixed(op, a, b, weak, false),
                (false, true) => return self.compare_mixed(op, b, a, weak, true),
                (false, false) => dtype = DType::Int64,
            }
        }
        let x = self.as_dtype(a, dtype);
        let y = self.as_dtype(b, dtype);
        Scalar::new(DType::Bool, weak, self.b.compare(op, x, y))
    }

    /// A comparison of a uint64 with a signed integer, exact. The operands may stand in the other
    /// order in the program.
    fn compare_mixed(
        &mut self,
        op: CompareOp,
        unsigned: &Scalar,
        signed: &Scalar,
        weak: bool,
        swapped: bool,
    ) -> Scalar {
        let x = self.as_dtype(unsigned, DType::UInt64);
        let y = self.as_dtype(signed, DType::UInt64);
        let same = if swapped {
            self.b.compare(op, y, x)
        } else {
            self.b.compare(op, x, y)
        };
        let (signed_ir, zero) = (self.as_dtype(signed, DType::Int64), self.b.int64(0));
        let negative = self.b.compare(CompareOp::Less, signed_ir, zero);
        // A negative number is less than any unsigned one.
        let unsigned_greater = matches!(op, CompareOp::Greater | CompareOp::GreaterEqual);
        let signed_less = matches!(op, CompareOp::Less | CompareOp::LessEqual);
        let outcome = match op {
            CompareOp::Equal => false,
            CompareOp::NotEqual => true,
            _ => (unsigned_greater && !swapped) || (signed_less && swapped),
        };
        let outcome = self.b.literal(colocate_ir::Literal::Bool(outcome));
        Scalar::new(DType::Bool, weak, self.b.select(negative, outcome, same))
    }

    fn compare_tuples(&mut self, op: CmpOp, x: &[Value], y: &[Value], range: TextRange) -> Value {
        let mut all = Scalar::const_bool(x.len() == y.len());
        if x.len() == y.len() {
            for (a, b) in x.iter().zip(y) {
                let equal = self.compare(CmpOp::Eq, a, b, range);
                let Some(equal) = self.truth(&equal, range) else {
                    return Value::Poison;
                };
                let both = self.apply(BinaryOp::BitAnd, &all, &equal, (DType::Bool, true), range);
                all = both.unwrap_or(all);
            }
        }
        match op {
            CmpOp::Eq => all.into(),
            _ => self.unary(PythonUnary::Not, &all.into(), range),
        }
    }

    /// `<`, `<=`, `>` and `>=` of tuples: the first items that differ decide.
    fn order_tuples(&mut self, op: CmpOp, x: &[Value], y: &[Value], range: TextRange) -> Value {
        let lengths = match op {
            CmpOp::Lt => x.len() < y.len(),
            CmpOp::LtE => x.len() <= y.len(),
            CmpOp::Gt => x.len() > y.len(),
            _ => x.len() >= y.len(),
        };
        let strict = match op {
            CmpOp::Lt | CmpOp::LtE => CmpOp::Lt,
            _ => CmpOp::Gt,
        };
        let mut result = Scalar::const_bool(lengths);
        for (a, b) in x.iter().zip(y).rev() {
            let equal = self.compare(CmpOp::Eq, a, b, range);
            let decided = self.compare(strict, a, b, range);
            let (Some(equal), Some(decided)) =
                (self.truth(&equal, range), self.truth(&decided, range))
            else {
                return Value::Poison;
            };
            result = match equal.as_int() {
                Some(0) => decided,
                Some(_) => result,
                None => {
                    let (same, yes, no) = (self.ir(&equal), self.ir(&result), self.ir(&decided));
                    Scalar::new(DType::Bool, true, self.b.select(same, yes, no))
                }
            };
        }
        result.into()
    }

    fn identity(&mut self, positive: bool, a: &Value, b: &Value, range: TextRange) -> Value {
        let same = match (a, b) {
            (Value::None, Value::None) => true,
            (Value::None, _) | (_, Value::None) => false,
            (Value::Dtype(x), Value::Dtype(y)) => x == y,
            (Value::Builtin(x), Value::Builtin(y)) => x == y,
            (Value::Builtin(_), Value::Dtype(_)) | (Value::Dtype(_), Value::Builtin(_)) => false,
            (Value::Scalar(x), Value::Scalar(y))
                if self.is_program() && x.weak && y.weak && either(x, y, DType::Bool) =>
            {
                if x.dtype != y.dtype {
                    return Scalar::const_bool(!positive).into();
                }
                let op = if positive { CmpOp::Eq } else { CmpOp::NotEq };
                return self.compare(op, a, b, range);
            }
            (Value::View(x), Value::View(y)) if self.is_program() && x == y => true,
            (Value::List(x), Value::List(y)) => x.local == y.local,
            (Value::Held(x), Value::Held(y)) => {
                let (x, y) = (x.number, y.number);
                let op = if positive { CmpOp::Eq } else { CmpOp::NotEq };
                return self.compare(op, &x.into(), &y.into(), range);
            }
            (Value::List(_) | Value::Held(_), _) | (_, Value::List(_) | Value::Held(_)) => false,
            (Value::View(x), Value::View(y))
                if self.is_program() && self.level() == 0 && !x.is_phi() && !y.is_phi() =>
            {
                match (self.argument_of(x), self.argument_of(y)) {
                    (Some(x), Some(y)) => {
                        let same = self.same_argument(x, y, range);
                        return match positive {
                            true => same,
                            false => self.unary(PythonUnary::Not, &same, range),
                        };
                    }
                    _ if self.may_be_another(x) || self.may_be_another(y) => {
                        return self.no_identity(positive, a, b, range);
                    }
                    _ => false,
                }
            }
            (Value::Lazy(_), Value::View(_)) | (Value::View(_), Value::Lazy(_)) => false,
            // An array made here is none of the others, nor are things of different kinds.
            (x, y) if self.is_program() && differ_in_kind(x, y) => false,
            _ => return self.no_identity(positive, a, b, range),
        };
        Scalar::const_bool(same == positive).into()
    }

    fn no_identity(&mut self, positive: bool, a: &Value, b: &Value, range: TextRange) -> Value {
        let word = if positive { "is" } else { "is not" };
        let diagnostic = self
            .wrong(
                codes::OPERATOR,
                format!("`{word}` compares only with None in kernels"),
                range,
                format!("{} {word} {}", a.describe(), b.describe()),
            )
            .help(if positive { "write `==`" } else { "write `!=`" });
        self.report(diagnostic)
    }

    /// The number of the argument that an array is.
    fn argument_of(&mut self, view: &crate::value::View) -> Option<usize> {
        let colocate_ir::ArrayRef::Local(wanted) = view.base else {
            return None;
        };
        if !view.is_whole() {
            return None;
        }
        self.program().calls.iter().find_map(|call| match call {
            crate::program::Call::Argument { leaf, local } if *local == wanted => Some(*leaf),
            _ => None,
        })
    }

    /// Whether an array depends on the path taken.
    fn may_be_another(&self, view: &crate::value::View) -> bool {
        match view.base {
            colocate_ir::ArrayRef::Local(local) => self.mutable.contains(&local),
            _ => true,
        }
    }

    fn membership(&mut self, positive: bool, a: &Value, b: &Value, range: TextRange) -> Value {
        if self.is_program() {
            let found = match b {
                Value::Range(parts) => Some(self.in_range(a, parts, range)),
                Value::List(list) if matches!(a, Value::Scalar(_)) => {
                    let view = Value::View(self.list_view(list));
                    Some(self.in_array(a, &view, range))
                }
                Value::List(_) | Value::Held(_) => Some(self.in_list(a, b, range)),
                Value::View(_) | Value::Lazy(_) => Some(self.in_array(a, b, range)),
                _ => None,
            };
            if let Some(found) = found {
                return if positive {
                    found
                } else {
                    self.unary(PythonUnary::Not, &found, range)
                };
            }
        }
        let Value::Tuple(items) = b else {
            let diagnostic = self
                .wrong(
                    codes::OPERATOR,
                    format!("`in` needs a tuple in kernels, not {}", b.describe()),
                    range,
                    "",
                )
                .help("write the values as a tuple, or write a loop");
            return self.report(diagnostic);
        };
        let mut any = Scalar::const_bool(false);
        for item in items {
            let equal = self.compare(CmpOp::Eq, a, item, range);
            let Some(equal) = self.truth(&equal, range) else {
                return Value::Poison;
            };
            let either = self.apply(BinaryOp::BitOr, &any, &equal, (DType::Bool, true), range);
            any = either.unwrap_or(any);
        }
        if positive {
            any.into()
        } else {
            self.unary(PythonUnary::Not, &any.into(), range)
        }
    }

    /// Whether an element of an array equals a number.
    fn in_array(&mut self, a: &Value, array: &Value, range: TextRange) -> Value {
        let same = self.array_compare(CmpOp::Eq, array, a, range);
        if same.is_poison() {
            return same;
        }
        let arguments = crate::calls::Arguments {
            positional: vec![(same, range)],
            keywords: Vec::new(),
        };
        match self.call_builtin("numpy.any", &arguments, range) {
            Value::Scalar(any) => Scalar { weak: true, ..any }.into(),
            other => other,
        }
    }

    /// Reports that an operator is not defined for operands.
    pub fn no_operator(&mut self, symbol: &str, operands: &[&Value], range: TextRange) -> Value {
        let types: Vec<_> = operands.iter().map(|value| value.describe()).collect();
        let string = operands.iter().any(|value| matches!(value, Value::Str(_)));
        let array = operands.iter().any(|value| matches!(value, Value::View(_)));
        let code = if string {
            codes::STRING
        } else {
            codes::OPERATOR
        };
        let mut diagnostic = self.wrong(
            code,
            format!("`{symbol}` is not defined for {}", types.join(" and ")),
            range,
            match types.as_slice() {
                types if symbol.starts_with("numpy.") => format!("of {}", types.join(" and ")),
                [a, b] => format!("{a} {symbol} {b}"),
                _ => format!("{symbol} {}", types.join(", ")),
            },
        );
        let bools = operands
            .iter()
            .all(|v| matches!(v, Value::Scalar(s) if s.dtype == DType::Bool));
        if symbol == "@" {
            diagnostic = diagnostic.help("write a loop that adds up the products of the elements");
        } else if array && self.is_program() {
            diagnostic = diagnostic.help("arrays are combined with arrays and numbers");
        } else if array {
            diagnostic = diagnostic
                .help("a kernel computes one element: index the array, for example `a[i]`");
        } else if string {
            diagnostic = diagnostic.help(crate::conversions::STRING_HELP);
        } else if bools && symbol.starts_with("numpy.") {
            diagnostic = diagnostic.help("convert with int(...) first");
        } else if bools {
            diagnostic = diagnostic.help("use `^` or `not`, or convert with int(...)");
        } else if matches!(symbol, "&" | "|" | "^" | "~" | "<<" | ">>") {
            diagnostic = diagnostic.help("convert to an integer with int(...) first");
        } else if operands
            .iter()
            .any(|v| matches!(v, Value::Scalar(s) if s.dtype.kind() == Kind::Complex))
        {
            diagnostic =
                diagnostic.help("use `.real`, `.imag` or `abs(...)` of the complex number");
        }
        self.report(diagnostic)
    }
}

/// Whether two values are of kinds that no object is both of.
fn differ_in_kind(a: &Value, b: &Value) -> bool {
    let kind = |value: &Value| match value {
        Value::Scalar(scalar) if scalar.weak => match scalar.dtype.kind() {
            Kind::Bool => Some(1),
            Kind::Int | Kind::UInt => Some(2),
            Kind::Float => Some(3),
            Kind::Complex => Some(4),
        },
        Value::Scalar(_) => Some(5),
        Value::Tuple(_) => Some(6),
        Value::Str(_) => Some(7),
        Value::View(_) | Value::Lazy(_) => Some(8),
        Value::List(_) => Some(9),
        Value::Range(_) => Some(10),
        Value::Function(_) | Value::Closure(_) => Some(11),
        Value::Module { .. } => Some(12),
        Value::Dtype(_) => Some(13),
        _ => None,
    };
    match (kind(a), kind(b)) {
        (Some(a), Some(b)) => a != b,
        _ => false,
    }
}

/// Functions, classes and members of enumerations are what they are: whether a comparison holds.
fn known_apart(op: CmpOp, a: &Value, b: &Value) -> Option<bool> {
    let same = match (a, b) {
        (Value::Module { handle: x, .. }, Value::Module { handle: y, .. }) => x == y,
        (Value::Function(x), Value::Function(y)) => x == y,
        (Value::Closure(x), Value::Closure(y)) => x == y,
        (Value::NamedClass(x), Value::NamedClass(y)) => x == y,
        (Value::Exception { name: x, handle: a }, Value::Exception { name: y, handle: b }) => {
            x == y && a == b
        }
        (Value::Ellipsis, Value::Ellipsis) => true,
        _ => return None,
    };
    match op {
        CmpOp::Eq | CmpOp::Is => Some(same),
        CmpOp::NotEq | CmpOp::IsNot => Some(!same),
        _ => None,
    }
}

fn either(a: &Scalar, b: &Scalar, dtype: DType) -> bool {
    a.dtype == dtype || b.dtype == dtype
}

fn is_number(scalar: &Scalar, number: i8) -> bool {
    match scalar.as_constant() {
        Some(Constant::Int(value)) => value == i128::from(number),
        Some(Constant::Float(value)) => value == f64::from(number),
        _ => false,
    }
}

/// Whether a value is a list of any kind.
fn is_any_list(value: &Value) -> bool {
    match value {
        Value::List(_) | Value::Held(_) => true,
        Value::Named(class, _) => class.is_list(),
        _ => false,
    }
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::FloorDivide => "//",
        BinaryOp::Modulo => "%",
        BinaryOp::Power => "**",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        other => other.name(),
    }
}
