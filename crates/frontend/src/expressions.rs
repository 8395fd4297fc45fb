//! Expressions.

use crate::program::ObjectType;
use crate::syntax;
use crate::translate::Translator;
use crate::types;
use crate::value::{Constant, Scalar, Value};
use crate::{Diagnostic, codes};
use colocate_ir::{BinaryOp, DType};
use ruff_python_ast::{BoolOp, CmpOp, Expr, Number};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// The value of an expression.
    pub fn expr(&mut self, expr: &Expr) -> Value {
        let before = self.b.site;
        self.b.site = self.site(expr.range());
        let value = self.deeper(expr.range(), Value::Poison, |t| t.expr_inner(expr));
        self.b.site = before;
        if value.is_poison() {
            self.note_left_out(expr.range());
        }
        if matches!(expr, Expr::BinOp(_) | Expr::Call(_) | Expr::Subscript(_)) {
            self.remark_expression(expr.range(), &value);
        }
        value
    }

    /// Notes an expression of which nothing is known though nothing was said against it: what is done with its value
    /// would be left out in silence.
    fn note_left_out(&mut self, range: TextRange) {
        let expected = self.again || self.read_unknown || !self.diagnostics.is_empty();
        if self.is_program() && self.level() == 0 && !expected && self.live() {
            let site = self.site(range);
            self.left_out.get_or_insert(site);
        }
    }

    /// A string that is written down. Halves of characters, which Python's strings may have, are no text here.
    fn text_literal(&mut self, text: &str, range: TextRange) -> Value {
        let site = self.site(range);
        let written = self.files[site.file as usize].slice(site.span);
        if text.contains('\u{fffd}') && written.to_ascii_lowercase().contains("\\ud") {
            let text = "a string with a surrogate cannot be used in a kernel";
            let diagnostic = self.wrong(codes::STRING, text, range, "").help(
                "write the whole character, or pass the string to the function as an argument",
            );
            return self.report(diagnostic);
        }
        Value::Str(text.to_string())
    }

    fn expr_inner(&mut self, expr: &Expr) -> Value {
        let range = expr.range();
        match expr {
            Expr::Name(e) => self.name(e),
            Expr::NumberLiteral(e) => self.number(&e.value, range),
            Expr::BooleanLiteral(e) => Scalar::const_bool(e.value).into(),
            Expr::NoneLiteral(_) => Value::None,
            Expr::EllipsisLiteral(_) => Value::Ellipsis,
            Expr::StringLiteral(e) => self.text_literal(e.value.to_str(), range),
            Expr::Tuple(e) if self.is_program() && e.elts.iter().any(Expr::is_starred_expr) => {
                self.starred_tuple(&e.elts, range)
            }
            Expr::Tuple(e) => self.tuple(&e.elts),
            Expr::BinOp(e) => {
                let divides = e.op == ruff_python_ast::Operator::Div;
                let multiplies = e.op == ruff_python_ast::Operator::Mult;
                if divides || multiplies && is_float(&e.right) {
                    self.expect_floats_of(&e.left);
                }
                if divides {
                    self.expect_floats_of(&e.right);
                }
                let mut a = self.expr(&e.left);
                if multiplies
                    && matches!(&a, Value::Scalar(x) if x.dtype == colocate_ir::DType::Float64)
                {
                    self.expect_floats_of(&e.right);
                }
                let kept = self.keep_values(std::iter::once(&a), &e.right);
                let b = self.expr(&e.right);
                self.take_back(kept, std::iter::once(&mut a));
                if e.op == ruff_python_ast::Operator::Pow && is_negation(&e.right) {
                    a = self.base_of_negative_power(a, &b);
                }
                self.binary(e.op, &a, &b, range)
            }
            Expr::UnaryOp(e) => {
                let value = match e.op {
                    ruff_python_ast::UnaryOp::Not => self.condition(&e.operand),
                    _ => self.expr(&e.operand),
                };
                self.unary(e.op, &value, range)
            }
            Expr::Compare(e) => {
                let first = self.expr(&e.left);
                self.chain(&first, e.left.range(), &e.ops, &e.comparators)
            }
            Expr::BoolOp(e) => match e.values.split_first() {
                Some((first, rest)) => {
                    let value = self.expr(first);
                    self.bool_op(e.op, value, first.range(), rest, false)
                }
                None => Value::Poison,
            },
            Expr::If(e) => self.conditional(&e.test, &e.body, &e.orelse),
            Expr::Named(e) => {
                let value = self.expr(&e.value);
                self.assign(&e.target, value.clone(), e.value.range());
                value
            }
            Expr::Call(e) => self.named_call(e, None),
            Expr::Attribute(e) => {
                let value = self.attribute(e);
                self.attribute_read(value, e.range())
            }
            Expr::Subscript(e) => {
                let value = self.expr(&e.value);
                self.subscript(&value, e)
            }
            Expr::Slice(e) => self.slice(e),
            Expr::Lambda(e) if self.is_program() => self.lambda(e),
            Expr::List(e) if self.is_program() => self.list_display(&e.elts, range),
            Expr::Set(e) if self.is_program() => self.set_display(&e.elts, range),
            Expr::Dict(e) if self.is_program() => self.dict_display(&e.items, range),
            Expr::SetComp(e) if self.is_program() => {
                self.container_comprehension(None, &e.elt, &e.generators, range)
            }
            Expr::DictComp(e) if self.is_program() && e.key.is_some() => {
                self.container_comprehension(e.key.as_deref(), &e.value, &e.generators, range)
            }
            Expr::Yield(e) if self.is_program() => match self.yield_value(e) {
                Some(value) => value,
                None => self.unsupported_expression(expr),
            },
            Expr::YieldFrom(e) if self.is_program() => match self.yield_all(&e.value, true) {
                Some(value) => value,
                None => self.unsupported_expression(expr),
            },
            Expr::FString(e) if self.is_program() => self.formatted_string(e),
            Expr::ListComp(e) if self.is_program() => {
                self.comprehension(&e.elt, &e.generators, range)
            }
            Expr::Generator(e) if self.is_program() && self.has_no_end(&e.generators) => {
                let diagnostic = self
                    .wrong(
                        codes::GENERATOR,
                        "this generator expression has no end, and its items are computed at once here",
                        range,
                        "",
                    )
                    .help("give it a name first: `items = (...)`");
                self.report(diagnostic)
            }
            Expr::Generator(e) if self.is_program() => {
                self.comprehension(&e.elt, &e.generators, range)
            }
            other => self.unsupported_expression(other),
        }
    }

    fn number(&mut self, number: &Number, range: TextRange) -> Value {
        match number {
            Number::Int(int) => match int.as_u64() {
                Some(value) => Scalar::const_int(i128::from(value)).into(),
                None => {
                    let diagnostic = self
                        .wrong(
                            codes::OUT_OF_RANGE,
                            "this integer is too large for a kernel",
                            range,
                            "no integer type holds it",
                        )
                        .help("integers have at most 64 bits; write it as a float");
                    self.report(diagnostic)
                }
            },
            Number::Float(value) => Scalar::const_float(*value).into(),
            Number::Complex { real, imag } => {
                let constant = Constant::Complex(*real, *imag);
                Scalar::constant(DType::Complex128, true, constant).into()
            }
        }
    }

    fn tuple(&mut self, items: &[Expr]) -> Value {
        let mut values = Vec::new();
        for item in items {
            match item {
                Expr::Starred(star) => match self.expr(&star.value) {
                    Value::Tuple(inner) => values.extend(inner),
                    Value::Poison => return Value::Poison,
                    other => {
                        let diagnostic = self.wrong(
                            codes::STAR,
                            "only a tuple can be starred in a kernel",
                            star.range(),
                            format!("this is {}", other.describe()),
                        );
                        return self.report(diagnostic);
                    }
                },
                item => {
                    let kept = self.keep_values(values.iter(), item);
                    let value = self.expr(item);
                    self.take_back(kept, values.iter_mut());
                    values.push(value);
                }
            }
        }
        Value::Tuple(values)
    }

    /// `(*items, a)` in a jit function.
    fn starred_tuple(&mut self, items: &[Expr], range: TextRange) -> Value {
        match self.list_display(items, range) {
            Value::Named(class, items) if class.is_list() => Value::Tuple(items),
            Value::Poison => Value::Poison,
            list => self.sequence(&list, range).unwrap_or(Value::Poison),
        }
    }

    /// `a < b < c`: `b` is evaluated once, and `c` only if it is needed.
    fn chain(
        &mut self,
        first: &Value,
        first_range: TextRange,
        ops: &[CmpOp],
        rest: &[Expr],
    ) -> Value {
        let (Some((op, ops)), Some((second, rest))) = (ops.split_first(), rest.split_first())
        else {
            return Value::Poison;
        };
        let mut first = first.clone();
        let kept = self.keep_values(std::iter::once(&first), second);
        let value = self.expr(second);
        self.take_back(kept, std::iter::once(&mut first));
        let range = first_range.cover(second.range());
        let result = self.compare(*op, &first, &value, range);
        if ops.is_empty() {
            return result;
        }
        if rest.iter().all(syntax::is_simple)
            && let Some(others) = self.harmless(|t| t.chain(&value, second.range(), ops, rest))
        {
            return self.both(BoolOp::And, &result, &others, range);
        }
        let Some(truth) = self.truth(&result, range) else {
            self.chain(&value, second.range(), ops, rest);
            return Value::Poison;
        };
        let second_range = second.range();
        self.either(
            &truth,
            range,
            |t| t.chain(&value, second_range, ops, rest),
            |_| result,
        )
    }

    /// What is computed without need to be, unless it might raise or change something: then nothing
    /// is left of it.
    fn harmless<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let checkpoint = self.checkpoint();
        let result = work(self);
        if self.is_harmless_since(&checkpoint) {
            return Some(result);
        }
        self.rewind(&checkpoint);
        None
    }

    /// `and`, `or` of values that both exist already and are truth values.
    fn both(&mut self, op: BoolOp, a: &Value, b: &Value, range: TextRange) -> Value {
        let (Some(x), Some(y)) = (self.truth(a, range), self.truth(b, range)) else {
            return Value::Poison;
        };
        let ir_op = match op {
            BoolOp::And => BinaryOp::BitAnd,
            BoolOp::Or => BinaryOp::BitOr,
        };
        let weak = x.weak && y.weak;
        self.apply(ir_op, &x, &y, (DType::Bool, weak), range)
            .map_or(Value::Poison, Value::Scalar)
    }

    /// An expression of which only the truth counts: `and` and `or` give bools there, whatever their operands
    /// are.
    pub fn condition(&mut self, test: &Expr) -> Value {
        let Expr::BoolOp(e) = test else {
            return self.expr(test);
        };
        match e.values.split_first() {
            Some((first, rest)) if self.is_program() => {
                let value = self.bool_operand(first, true);
                self.bool_op(e.op, value, first.range(), rest, true)
            }
            _ => self.expr(test),
        }
    }

    /// An operand of `and` or `or`; its truth, if only that counts.
    fn bool_operand(&mut self, operand: &Expr, truth: bool) -> Value {
        if !truth {
            return self.expr(operand);
        }
        let value = self.condition(operand);
        match self.truth(&value, operand.range()) {
            Some(truth) => Value::Scalar(truth),
            None => Value::Poison,
        }
    }

    fn bool_op(
        &mut self,
        op: BoolOp,
        first: Value,
        range: TextRange,
        rest: &[Expr],
        truths: bool,
    ) -> Value {
        let Some((second, others)) = rest.split_first() else {
            return first;
        };
        let Some(truth) = self.truth(&first, range) else {
            rest.iter().for_each(|other| {
                self.expr(other);
            });
            return Value::Poison;
        };
        if let Some(known) = truth.as_int() {
            if (known != 0) == (op == BoolOp::Or) {
                return first;
            }
            let value = self.bool_operand(second, truths);
            return self.bool_op(op, value, second.range(), others, truths);
        }
        let is_bool = |value: &Value| matches!(value, Value::Scalar(s) if s.dtype == DType::Bool);
        let is_array = |value: &Value| matches!(value, Value::View(view) if view.rank() > 0);
        if is_bool(&first)
            && syntax::is_simple(second)
            && let Some(value) = self.harmless(|t| t.bool_operand(second, truths))
        {
            // `step % 10 == 0 and plotting`, where it is known that nothing is plotted.
            if let (true, Value::Scalar(known)) = (truths, &value)
                && known.as_int() == Some(i128::from(op == BoolOp::Or))
            {
                return value;
            }
            if is_bool(&value) {
                let both = self.both(op, &first, &value, range.cover(second.range()));
                return self.bool_op(op, both, range.cover(second.range()), others, truths);
            }
            let range = second.range();
            // The result would be a bool or an array; a condition was meant.
            if is_array(&value) {
                self.truth(&value, range);
                return Value::Poison;
            }
            let rest = |t: &mut Self| t.bool_op(op, value, range, others, truths);
            return match op {
                BoolOp::And => self.either(&truth, range, rest, |_| first),
                BoolOp::Or => self.either(&truth, range, |_| first, rest),
            };
        }
        let rest = |t: &mut Self| {
            let value = t.bool_operand(second, truths);
            t.bool_op(op, value, second.range(), others, truths)
        };
        match op {
            BoolOp::And => self.either(&truth, range, rest, |_| first),
            BoolOp::Or => self.either(&truth, range, |_| first, rest),
        }
    }

    fn conditional(&mut self, test: &Expr, body: &Expr, orelse: &Expr) -> Value {
        let value = self.condition(test);
        let Some(truth) = self.truth(&value, test.range()) else {
            self.expr(body);
            self.expr(orelse);
            return Value::Poison;
        };
        let range = test.range().cover(body.range()).cover(orelse.range());
        if truth.as_int().is_none()
            && !self.is_shown_at(range)
            && syntax::is_simple(body)
            && syntax::is_simple(orelse)
            && let Some((a, b)) = self.harmless(|t| (t.expr(body), t.expr(orelse)))
        {
            if let (Value::Scalar(x), Value::Scalar(y)) = (&a, &b) {
                let (dtype, weak) = types::join(x, y);
                let condition = self.ir(&truth);
                let (x_ir, y_ir) = (self.as_dtype(x, dtype), self.as_dtype(y, dtype));
                let mut result = Scalar::new(dtype, weak, self.b.select(condition, x_ir, y_ir));
                result.know = x.know.join(y.know).weakened();
                let marked = self.marked_choice(result, x, y, range);
                return marked.unwrap_or(result).into();
            }
            return self.either(&truth, range, |_| a, |_| b);
        }
        self.either(&truth, range, |t| t.expr(body), |t| t.expr(orelse))
    }

    /// One value or the other; only the one needed is computed.
    pub fn either(
        &mut self,
        condition: &Scalar,
        range: TextRange,
        then: impl FnOnce(&mut Self) -> Value,
        otherwise: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        if let Some(known) = condition.as_int() {
            return if known != 0 {
                then(self)
            } else {
                otherwise(self)
            };
        }
        self.flush();
        let condition = self.ir(condition);
        let (name, site) = (self.temporary(), self.site(range));
        let before = self.scope().clone();
        let before_both = before.clone();
        self.b.begin_if(condition);
        let value = then(self);
        let value = self.all_stored(value);
        let first = value.clone();
        self.bind(&name, value, site);
        let scope = self.leave_branch();
        self.b.begin_else();
        *self.scope() = before;
        let value = otherwise(self);
        let value = self.all_stored(value);
        let second = value.clone();
        self.bind(&name, value, site);
        let other = self.leave_branch();
        self.b.end();
        if self.is_guessing() && first.is_poison() != second.is_poison() {
            // Only its type is wanted: the way that is known tells it.
            *self.scope() = before_both;
            return if first.is_poison() { second } else { first };
        }
        self.merge(condition, scope, other);
        let Some(binding) = self.scope().shift_remove(&name) else {
            return Value::Poison;
        };
        if let Value::Conflict(conflict) = &binding.value {
            let (one, other) = (&conflict.first.0, &conflict.second.0);
            let (message, help) = match one == other {
                true => (
                    format!("this is {one}, either of one array or of another"),
                    "choose between elements instead: `a[i] if c else b[i]`, with all indices",
                ),
                false => (
                    format!("this is either {one} or {other}"),
                    "both values must be of the same kind",
                ),
            };
            let diagnostic = self.wrong(codes::CONFLICT, message, range, "").help(help);
            return self.report(diagnostic);
        }
        self.recall(&name, &binding.value)
    }

    fn unsupported_expression(&mut self, expr: &Expr) -> Value {
        let (code, message, help) = match expr {
            Expr::Lambda(_) => (
                codes::LAMBDA,
                "lambdas are not supported in kernels",
                "define the function outside with @colocate.device_func",
            ),
            Expr::List(_) => (
                codes::CONTAINER,
                "lists are not supported in kernels",
                "use a tuple, or colocate.private_array(shape, dtype)",
            ),
            Expr::Dict(_) | Expr::DictComp(_) => (
                codes::CONTAINER,
                "dicts are not supported in kernels",
                "use an array, or variables",
            ),
            Expr::Set(_) | Expr::SetComp(_) => (
                codes::CONTAINER,
                "sets are not supported in kernels",
                "use a tuple of constants",
            ),
            Expr::ListComp(_) => (
                codes::COMPREHENSION,
                "comprehensions are not supported in kernels",
                "write a loop that stores into an array, for example a colocate.private_array",
            ),
            Expr::Generator(_) => (
                codes::COMPREHENSION,
                "generator expressions are not supported in kernels",
                "write a loop that combines the values in a variable",
            ),
            Expr::Yield(_) | Expr::YieldFrom(_) => (
                codes::GENERATOR,
                "a kernel cannot be a generator",
                "store the values in an array",
            ),
            Expr::Await(_) => (
                codes::ASYNC,
                "`await` is not supported in kernels",
                crate::statements::ASYNC_HELP,
            ),
            Expr::FString(_) | Expr::TString(_) => (
                codes::FORMAT_STRING,
                "formatted strings cannot be used in kernels",
                "leave it out, or format after the launch",
            ),
            Expr::BytesLiteral(e) if self.is_program() => {
                let letters: String = e.value.bytes().map(char::from).collect();
                let given = [(Value::Str(letters), expr.range())];
                let kind = ObjectType::Foreign("bytes".into());
                let function = crate::objects::python_objects::helper("bytes_of");
                return self.python_call(&function, &given, &[], Some(kind), expr.range());
            }
            Expr::BytesLiteral(_) => (
                codes::STRING,
                "bytes cannot be used in kernels",
                "use an array of uint8",
            ),
            Expr::Starred(_) => (
                codes::STAR,
                "a star cannot be used here in kernels",
                "write the items one by one",
            ),
            // All of Python's own expressions are named above or translated.
            _ => (
                codes::SYNTAX,
                "this is not an expression of Python",
                "use numbers, operators, indexing and calls",
            ),
        };
        let diagnostic: Diagnostic = self.wrong(code, message, expr.range(), "").help(help);
        self.report(diagnostic)
    }
}

/// Whether something is written with a minus before it.
fn is_negation(e: &Expr) -> bool {
    matches!(e, Expr::UnaryOp(e) if e.op == ruff_python_ast::UnaryOp::USub)
}

/// Whether an expression is a float that is written down.
fn is_float(expr: &Expr) -> bool {
    matches!(expr, Expr::NumberLiteral(e) if e.value.is_float())
}
