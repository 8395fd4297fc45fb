//! Functions, classes and members of enumerations of which the path taken says which one it is.

use crate::calls::Arguments;
use crate::host::failures::{Part, Raised};
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{CompareOp, DType};
use ruff_python_ast::{CmpOp, Expr, ExprAttribute};
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// More than these are not told apart.
const MOST_OPTIONS: usize = 16;

/// Whether a value is known by what it is.
fn is_option(value: &Value) -> bool {
    matches!(
        value,
        Value::Function(_)
            | Value::Closure(_)
            | Value::Builtin(_)
            | Value::Dtype(_)
            | Value::NamedClass(_)
            | Value::Module { .. }
    )
}

fn options_of(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Choice(options, _) => Some(options.to_vec()),
        one if is_option(one) => Some(vec![one.clone()]),
        _ => None,
    }
}

/// One or the other of two such values.
pub(crate) fn choice(a: &Value, b: &Value) -> Option<Value> {
    let mut options = options_of(a)?;
    for option in options_of(b)? {
        let at = options.iter().position(|known| *known == option);
        match (at, option) {
            (Some(at), Value::Closure(newer)) => {
                if let Value::Closure(known) = &options[at] {
                    options[at] = Value::Closure(Rc::new(known.joined(&newer)));
                }
            }
            (Some(_), _) => {}
            (None, option) => options.push(option),
        }
    }
    let which = Scalar {
        dtype: DType::Int64,
        weak: true,
        know: Know::Any,
        ir: None,
    };
    (options.len() <= MOST_OPTIONS).then(|| Value::Choice(options.into(), which))
}

impl Translator<'_> {
    /// A value as one of the options of another.
    pub fn as_choice(&mut self, value: Value, wanted: &Rc<[Value]>) -> Value {
        let place = |value: &Value| {
            let at = wanted
                .iter()
                .position(|option| option == value)
                .unwrap_or(0);
            Scalar::const_int(at as i128)
        };
        match &value {
            Value::Choice(options, which) => {
                let mut found = place(&options[0]);
                for (number, option) in options.iter().enumerate().skip(1) {
                    let here = Scalar::const_int(number as i128);
                    let same = self.compare_scalars(CompareOp::Equal, which, &here);
                    let (same, this, other) =
                        (self.ir(&same), self.ir(&place(option)), self.ir(&found));
                    found = Scalar::int(self.b.select(same, this, other), Know::NonNegative);
                }
                Value::Choice(wanted.clone(), found)
            }
            one => Value::Choice(wanted.clone(), place(one)),
        }
    }

    /// `Enumeration(value)`; nothing for other calls.
    pub fn member_of_value(
        &mut self,
        enumeration: (u32, &str),
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let [(wanted, _)] = &arguments.positional[..] else {
            return None;
        };
        if !arguments.keywords.is_empty() || !self.is_program() || self.level() > 0 {
            return None;
        }
        let members = self.env.members(enumeration.0)?;
        let members: Vec<Value> = members.iter().map(|one| self.captured_value(one)).collect();
        if members.len() > MOST_OPTIONS || members.contains(wanted) {
            return members.contains(wanted).then(|| wanted.clone());
        }
        let found = self.place_of_value(enumeration.1, &members, wanted, range)?;
        if let Some(at) = found.as_int() {
            let member = usize::try_from(at).ok().and_then(|at| members.get(at));
            return Some(member.cloned().unwrap_or(Value::Poison));
        }
        let is_number = members.iter().all(|one| matches!(one, Value::Scalar(_)));
        Some(match is_number {
            true => wanted.clone(),
            false => Value::Choice(members.into(), found),
        })
    }

    /// `Enumeration(value).name` of one whose members are integers, which are known by nothing else; nothing for other
    /// attributes.
    pub fn name_of_member(&mut self, e: &ExprAttribute) -> Option<Value> {
        let Expr::Call(call) = &*e.value else {
            return None;
        };
        let ([value], []) = (&call.arguments.args[..], &call.arguments.keywords[..]) else {
            return None;
        };
        let is_class = matches!(&*call.func, Expr::Name(_) | Expr::Attribute(_));
        if e.attr.as_str() != "name" || !is_class || !self.is_program() || self.level() > 0 {
            return None;
        }
        let checkpoint = self.checkpoint();
        let Value::Module { handle, name } = self.expr(&call.func) else {
            self.rewind(&checkpoint);
            return None;
        };
        let members = self.env.members(handle).unwrap_or_default();
        let members: Vec<Value> = members.iter().map(|one| self.captured_value(one)).collect();
        let is_number =
            !members.is_empty() && members.iter().all(|one| matches!(one, Value::Scalar(_)));
        let found = match is_number {
            true => {
                let wanted = self.expr(value);
                self.place_of_value(&name, &members, &wanted, call.range())
            }
            false => None,
        };
        let Some(found) = found else {
            self.rewind(&checkpoint);
            return None;
        };
        let names = self.env.attribute(handle, "_member_names_")?;
        match self.captured_value(&names) {
            Value::Object(names) if found.as_int() != Some(-1) => {
                Some(self.object_item(&names, &found.into(), call.range()))
            }
            _ => Some(Value::Poison),
        }
    }

    /// Which of the members of an enumeration has a value; raises if none has it. Nothing for values that members do
    /// not have.
    fn place_of_value(
        &mut self,
        name: &str,
        members: &[Value],
        wanted: &Value,
        range: TextRange,
    ) -> Option<Scalar> {
        let is_number = members.iter().all(|one| matches!(one, Value::Scalar(_)));
        let is_member = members
            .iter()
            .all(|one| matches!(one, Value::Module { .. }));
        let is_integer =
            matches!(wanted, Value::Scalar(one) if one.weak && one.dtype == DType::Int64);
        if !(is_member || is_number && is_integer) {
            return None;
        }
        let mut found = Scalar::const_int(-1);
        for (at, member) in members.iter().enumerate() {
            let value = match is_number {
                true => member.clone(),
                false => self.attribute_of(member, "value", range, range),
            };
            if !matches!(value, Value::Scalar(_) | Value::Str(_)) {
                return None;
            }
            let same = self.compare(CmpOp::Eq, wanted, &value, range);
            let same = self.truth(&same, range)?;
            let here = Scalar::const_int(at as i128);
            found = match (same.as_int(), found.as_int()) {
                (Some(0), _) => found,
                (Some(_), _) => here,
                _ => {
                    let (same, here, other) = (self.ir(&same), self.ir(&here), self.ir(&found));
                    Scalar::int(self.b.select(same, here, other), Know::Any)
                }
            };
        }
        let mut parts = match wanted {
            Value::Scalar(number) => vec![Part::Number(*number)],
            Value::Str(text) => vec![Part::Text(format!("'{text}'"))],
            _ => vec![Part::Text("this".into())],
        };
        parts.push(Part::Text(format!(" is not a valid {name}")));
        let class = "ValueError";
        let raised = Raised { class, parts };
        if let Some(at) = found.as_int() {
            if at < 0 {
                self.raise(&raised, range);
                self.frame().live = false;
            }
            return Some(found);
        }
        let missing = self.compare_scalars(CompareOp::Less, &found, &Scalar::const_int(0));
        let missing = self.ir(&missing);
        self.raise_if(missing, &raised, range);
        Some(found)
    }

    /// Does something with the option that it is.
    pub fn with_choice(
        &mut self,
        options: &[Value],
        which: &Scalar,
        range: TextRange,
        work: &mut dyn FnMut(&mut Self, &Value) -> Value,
    ) -> Value {
        let Some((first, rest)) = options.split_first() else {
            return Value::Poison;
        };
        if rest.is_empty() {
            return work(self, first);
        }
        if let Some(known) = which.as_int() {
            return match usize::try_from(known).ok().and_then(|at| options.get(at)) {
                Some(option) => work(self, option),
                None => Value::Poison,
            };
        }
        let (zero, one) = (Scalar::const_int(0), Scalar::const_int(1));
        let here = self.compare_scalars(CompareOp::Equal, which, &zero);
        let next = self.index_op(colocate_ir::BinaryOp::Subtract, which, &one);
        let work = std::cell::RefCell::new(work);
        self.either(
            &here,
            range,
            |t| (work.borrow_mut())(t, first),
            |t| t.with_choice(rest, &next, range, &mut **work.borrow_mut()),
        )
    }
}
