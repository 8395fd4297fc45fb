//! Operators, with the results that Python gives for its own numbers and NumPy for its scalars.

use crate::codes;
use crate::constants;
use crate::objects::classes::{classes_of, is_class};
use crate::translate::Translator;
use crate::types::{self, is_inexact, is_integer, promote};
use crate::value::{Constant, Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, Op, UnaryOp};
use ruff_python_ast::{Operator, UnaryOp as PythonUnary};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `a op b`.
    pub fn binary(&mut self, op: Operator, a: &Value, b: &Value, range: TextRange) -> Value {
        if let Some(result) = self.binary_method(op, a, b, range) {
            return result;
        }
        let is_listed = |value: &Value| matches!(value, Value::Named(class, _) if class.is_list());
        let listed = is_listed(a) || is_listed(b);
        if self.turns_like_other(a, b) {
            return Value::Poison;
        }
        let (a, b) = (&*self.plain(a, range), &*self.plain(b, range));
        match (a, b) {
            (Value::Poison, _) | (_, Value::Poison) => return Value::Poison,
            _ if op == Operator::BitOr
                && (is_class(a) && matches!(b, Value::None)
                    || is_class(b) && (is_class(a) || matches!(a, Value::None))) =>
            {
                let both = [a, b].map(classes_of).concat();
                return Value::Tuple(both);
            }
            (Value::Tuple(x), Value::Tuple(y)) if op == Operator::Add => {
                let items = x.iter().chain(y).cloned().collect();
                return match listed {
                    true => self.listed(items, range),
                    false => Value::Tuple(items),
                };
            }
            (Value::Tuple(items), Value::Scalar(n)) | (Value::Scalar(n), Value::Tuple(items))
                if op == Operator::Mult =>
            {
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
            let tuples = !listed && [a, b].iter().any(|one| matches!(one, Value::Tuple(_)));
            return match tuples && op == Operator::Mult {
                true => self.sequence(&result, range).unwrap_or(result),
                false => result,
            };
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
        self.python_checks(op, a, b, (dtype, weak), range);
        if op == BinaryOp::Power && is_integer(dtype) && !weak && self.is_program() {
            self.check_powers(&(*a).into(), &(*b).into(), range);
        }
        let Some(result) = self.apply(op, a, b, (dtype, weak), range) else {
            return Value::Poison;
        };
        if op == BinaryOp::Power {
            self.check_power(a, b, &result, range);
        }
        Value::Scalar(result)
    }

    /// The base of `base ** -exponent`: an integer to a negative power is a float in Python.
    pub fn base_of_negative_power(&mut self, base: Value, exponent: &Value) -> Value {
        let (Value::Scalar(a), Value::Scalar(b)) = (&base, exponent) else {
            return base;
        };
        let whole = |one: &Scalar| one.weak && is_integer(one.dtype);
        if !self.is_program() || !whole(a) || !whole(b) || b.as_constant().is_some() {
            return base;
        }
        self.cast(a, DType::Float64, true).into()
    }

    /// What Python's own numbers raise: for a divisor that is zero, and for a negative power of an
    /// integer, whose result would be a float.
    fn python_checks(
        &mut self,
        op: BinaryOp,
        a: &Scalar,
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
        let is_whole = |one: &Scalar| is_integer(one.dtype) || one.dtype == DType::Bool;
        let whole = is_whole(a) && is_whole(b);
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
            // Signs have the same value whatever the power's.
            (BinaryOp::Power, _) if matches!(a.as_int(), Some(1 | -1)) => return,
            (BinaryOp::Power, Kind::Int | Kind::UInt) if !constant && !b.is_non_negative() => {
                let negative = self.compare_scalars(CompareOp::Less, b, &Scalar::const_int(0));
                let negative = self.ir(&negative);
                let text = "an integer to a negative power is a float in Python, \
                            but an integer in jit functions: make the base a float";
                let raised = crate::objects::ranges_and_texts::raised("ValueError", text);
                self.raise_if(negative, &raised, range);
                return;
            }
            (BinaryOp::ShiftLeft | BinaryOp::ShiftRight, _) => {
                self.check_shift(b, range);
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
            if a.is_non_negative() && is_integer(dtype) || dtype.kind() == Kind::Float {
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
        let is_square = op == BinaryOp::Multiply && self.is_same_number(a, b);
        if constants::keeps_sign(op, dtype, a.is_non_negative(), b.is_non_negative())
            || is_square && dtype.kind() == Kind::Float
        {
            result.know = Know::NonNegative;
        }
        Some(result)
    }

    /// Whether two scalars are one value, or one variable that was read twice.
    fn is_same_number(&self, a: &Scalar, b: &Scalar) -> bool {
        let (Some(x), Some(y)) = (a.ir, b.ir) else {
            return false;
        };
        let read = |ir| match self.b.definition(ir) {
            Some(Op::Get(variable)) => Some(*variable),
            _ => None,
        };
        x == y || read(x).is_some() && read(x) == read(y)
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
        let method = match op {
            PythonUnary::USub => self.method_of(value, "__neg__", &[], range),
            PythonUnary::UAdd => self.method_of(value, "__pos__", &[], range),
            PythonUnary::Invert => self.method_of(value, "__invert__", &[], range),
            PythonUnary::Not => None,
        };
        if let Some(result) = method {
            return result;
        }
        let value = match op {
            PythonUnary::Not => value,
            _ => &*self.plain(value, range),
        };
        if let Some(result) = self.foreign_unary(op, value, range) {
            return result;
        }
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
        if op == UnaryOp::Abs && dtype.kind() != Kind::Complex {
            result.know = Know::NonNegative;
        }
        Some(result)
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

fn is_number(scalar: &Scalar, number: i8) -> bool {
    match scalar.as_constant() {
        Some(Constant::Int(value)) => value == i128::from(number),
        Some(Constant::Float(value)) => value == f64::from(number),
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
