//! Comparison, identity and membership.

use crate::codes;
use crate::constants;
use crate::objects::ranges_and_texts::raised;
use crate::objects::tables::is_table;
use crate::translate::Translator;
use crate::types::{self, is_inexact, promote};
use crate::value::{Constant, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind};
use ruff_python_ast::{CmpOp, UnaryOp as PythonUnary};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `a op b` of a comparison.
    pub fn compare(&mut self, op: CmpOp, a: &Value, b: &Value, range: TextRange) -> Value {
        if let Some(result) = self.compare_method(op, a, b, range) {
            return result;
        }
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
        let membership = matches!(op, CmpOp::In | CmpOp::NotIn);
        if membership
            && is_table(b)
            && let Some(Value::Scalar(is)) = self.is_in_table(a, b)
        {
            let is = is.as_int() == Some(1);
            return Scalar::const_bool(is == (op == CmpOp::In)).into();
        }
        if let (Value::None, array @ (Value::View(_) | Value::Lazy(_)))
        | (array @ (Value::View(_) | Value::Lazy(_)), Value::None) = (a, b)
            && let CmpOp::Eq | CmpOp::NotEq = op
            && let Some(is_real) = real_array(array)
            && is_real
        {
            // Element by element: none of them is None.
            let never = self.compare(CmpOp::Lt, array, array, range);
            return match op {
                CmpOp::Eq => never,
                _ => self.unary(ruff_python_ast::UnaryOp::Invert, &never, range),
            };
        }
        if !membership && self.turns_like_other(a, b) {
            return Value::Poison;
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
            let both = [a, b].map(|one| match self.items_as_array(one, range) {
                items @ Value::Tuple(_) => self.as_array(&items, None, range),
                other => other,
            });
            return self.array_compare(op, &both[0], &both[1], range);
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
            // What has a name that it is not known to have may be anything.
            (Value::ArrayMethod(..), _) | (_, Value::ArrayMethod(..)) if equality => {
                return self.no_operator(op.as_str(), &[a, b], range);
            }
            (Value::Builtin(name), Value::Scalar(_) | Value::Str(_))
            | (Value::Scalar(_) | Value::Str(_), Value::Builtin(name))
                if equality && name.matches('.').count() > 1 =>
            {
                return self.no_operator(op.as_str(), &[a, b], range);
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
        if complex && !equality && self.is_program() && !(x.weak && y.weak) {
            return self.complex_order(ir_op, &x, &y, false).into();
        }
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
        if let Some(result) = out_of_reach(op, a, b) {
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

    pub fn identity(&mut self, positive: bool, a: &Value, b: &Value, range: TextRange) -> Value {
        if let Some(same) = self.is_class_of_exception(a, b, range) {
            return match positive {
                true => same,
                false => self.unary(PythonUnary::Not, &same, range),
            };
        }
        let same = match (a, b) {
            (Value::None, Value::None) => true,
            (Value::None, _) | (_, Value::None) => false,
            (Value::Dtype(x), Value::Dtype(y)) => x == y,
            (Value::Builtin(x), Value::Builtin(y)) => x == y,
            (Value::Builtin(_), Value::Dtype(_)) | (Value::Dtype(_), Value::Builtin(_)) => false,
            (Value::Scalar(x), Value::Scalar(y))
                if self.is_program() && x.weak && y.weak && either(x, y, DType::Bool) =>
            {
                for number in [a, b] {
                    if let Some(refused) = self.asked_for_its_type(number, range) {
                        return refused;
                    }
                }
                if x.dtype != y.dtype {
                    return Scalar::const_bool(!positive).into();
                }
                let op = if positive { CmpOp::Eq } else { CmpOp::NotEq };
                return self.compare(op, a, b, range);
            }
            (Value::Scalar(x), Value::Scalar(y))
                if self.is_program()
                    && x.weak
                    && y.weak
                    && types::is_integer(x.dtype)
                    && types::is_integer(y.dtype) =>
            {
                if x.ir.is_none() || x.ir != y.ir {
                    self.check_identity_known(x, y, range);
                }
                let op = if positive { CmpOp::Eq } else { CmpOp::NotEq };
                return self.compare(op, a, b, range);
            }
            (Value::View(x), Value::View(y)) if self.is_program() && x == y => true,
            (Value::Instance(x), Value::Instance(y)) if x != y => false,
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
            (Value::Named(x, _), Value::Named(y, _))
                if x.is_instance && y.is_instance && self.level() == 0 =>
            {
                // Of one that is its attributes nobody knows which it is, only that it is none of the caller's.
                let made = [a, b].map(|one| self.is_its_attributes(one));
                if made[0] != made[1] {
                    return Scalar::const_bool(!positive).into();
                }
                if made[0] {
                    return self.no_identity(positive, a, b, range);
                }
                let (Some(x), Some(y)) = (self.handle_of_instance(a), self.handle_of_instance(b))
                else {
                    return match self.again {
                        true => Value::Poison,
                        false => self.no_identity(positive, a, b, range),
                    };
                };
                let name = if positive {
                    "operator.is_"
                } else {
                    "operator.is_not"
                };
                let bool = Some(crate::objects::python_objects::BOOL);
                return self.python_call(name, &[(x, range), (y, range)], &[], bool, range);
            }
            // An object from outside, and one that was made here or is held by something.
            (Value::Instance(_), Value::Module { .. })
            | (Value::Module { .. }, Value::Instance(_)) => false,
            (Value::Named(class, _), Value::Module { .. })
            | (Value::Module { .. }, Value::Named(class, _))
                if class.is_instance && self.level() == 0 =>
            {
                return self.identity_of_outside(positive, a, b, range);
            }
            // An array made here is none of the others, nor are things of different kinds.
            (x, y) if self.is_program() && differ_in_kind(x, y) => false,
            _ => return self.no_identity(positive, a, b, range),
        };
        Scalar::const_bool(same == positive).into()
    }

    /// `is` of an object and one from outside.
    fn identity_of_outside(
        &mut self,
        positive: bool,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Value {
        let mut given = Vec::new();
        for one in [a, b] {
            if self.is_its_attributes(one) {
                return Scalar::const_bool(!positive).into();
            }
            let object = match one {
                Value::Named(..) => self.handle_of_instance(one),
                other => Some(other.clone()),
            };
            match object {
                Some(object) => given.push((object, range)),
                None if self.again => return Value::Poison,
                None => return self.no_identity(positive, a, b, range),
            }
        }
        let name = match positive {
            true => "operator.is_",
            false => "operator.is_not",
        };
        let bool = Some(crate::objects::python_objects::BOOL);
        self.python_call(name, &given, &[], bool, range)
    }

    /// Raises for equal integers that Python need not have once only: whether they are one object is not known here.
    fn check_identity_known(&mut self, x: &Scalar, y: &Scalar, range: TextRange) {
        let (low, high) = (Scalar::const_int(-5), Scalar::const_int(256));
        let equal = self.compare_scalars(CompareOp::Equal, x, y);
        let below = self.compare_scalars(CompareOp::Less, x, &low);
        let above = self.compare_scalars(CompareOp::Greater, x, &high);
        let [equal, below, above] = [equal, below, above].map(|one| self.ir(&one));
        let outside = self.b.binary(BinaryOp::BitOr, below, above);
        let unknown = self.b.binary(BinaryOp::BitAnd, equal, outside);
        let text = "whether two equal integers beyond 256 are one object is not known in a jit function: write `==`";
        self.raise_if(unknown, &raised("TypeError", text), range);
    }

    fn no_identity(&mut self, positive: bool, a: &Value, b: &Value, range: TextRange) -> Value {
        let word = if positive { "is" } else { "is not" };
        let diagnostic = self
            .wrong(
                codes::OPERATOR,
                format!("`{word}` cannot tell whether these are one object"),
                range,
                format!("{} {word} {}", a.describe(), b.describe()),
            )
            .help(if positive { "write `==`" } else { "write `!=`" });
        self.report(diagnostic)
    }

    /// The number of the argument that an array is.
    fn argument_of(&mut self, view: &crate::value::View) -> Option<usize> {
        let wanted = self.argument_local(view)?;
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
            if let Value::Module { .. } = b
                && let Some(members) = self.unrolled(b)
            {
                return self.membership(positive, a, &Value::Tuple(members), range);
            }
            let found = match b {
                Value::Range(parts) => Some(self.in_range(a, parts, range)),
                Value::List(list) if matches!(a, Value::Scalar(_)) => {
                    let view = self.settled_index(&Value::List(*list));
                    self.check_nan_in(a, &view, range);
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
        if let Value::Generator(..) = b {
            let given = crate::calls::Arguments {
                positional: vec![(b.clone(), range), (a.clone(), range)],
                keywords: Vec::new(),
            };
            let module = crate::objects::lazy_iterators::MODULE;
            let found = self.call_written(module, "contains", &given, range);
            let found = found.unwrap_or(Value::Poison);
            return match positive || found.is_poison() {
                true => found,
                false => self.unary(PythonUnary::Not, &found, range),
            };
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
            let equal = self.equals_item(a, item, range);
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
}

/// The result of a comparison of an integer with a constant that its type does not hold: all of its numbers are less,
/// or all are greater.
fn out_of_reach(op: CompareOp, a: &Scalar, b: &Scalar) -> Option<bool> {
    let beyond = |constant: &Scalar, other: &Scalar| {
        let dtype = match other.dtype.kind() {
            Kind::Bool => DType::Int64,
            Kind::Int | Kind::UInt => other.dtype,
            _ => return None,
        };
        constant
            .as_int()
            .filter(|value| !types::fits(*value, dtype))
    };
    let zero = Constant::Int(0);
    match (beyond(a, b), beyond(b, a)) {
        (Some(value), _) => constants::compare(op, Constant::Int(value), zero),
        (None, Some(value)) => constants::compare(op, zero, Constant::Int(value)),
        (None, None) => None,
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

/// Whether the elements of an array have an order; nothing if it has no axes.
fn real_array(value: &Value) -> Option<bool> {
    let (dtype, rank) = match value {
        Value::View(view) => (view.dtype, view.rank()),
        Value::Lazy(lazy) => (lazy.dtype, lazy.rank()),
        _ => return None,
    };
    let is_real = !matches!(dtype, DType::Complex64 | DType::Complex128);
    (rank > 0).then_some(is_real)
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
        // `f is None or f == 0` of a parameter that may be a function or a number.
        (
            Value::Function(_) | Value::Closure(_) | Value::Builtin(_),
            Value::Scalar(_) | Value::Str(_) | Value::None,
        )
        | (
            Value::Scalar(_) | Value::Str(_) | Value::None,
            Value::Function(_) | Value::Closure(_) | Value::Builtin(_),
        ) => false,
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

/// Whether a value is a list of any kind.
fn is_any_list(value: &Value) -> bool {
    match value {
        Value::List(_) | Value::Held(_) => true,
        Value::Named(class, _) => class.is_list(),
        _ => false,
    }
}
