//! Objects of which only Python knows what they do: bytes, dates, fractions, arrays of texts.
//!
//! Each use is a call into Python, and what that gives is found out by example. Nothing here knows what kinds there are.

use crate::calls::Arguments;
use crate::codes;
use crate::objects::anything::{ANYTHING, is_anything};
use crate::objects::python_objects::{BOOL, Object, helper};
use crate::objects::regular_expressions::may_be_read;
use crate::program::{LibraryType, ObjectType};
use crate::translate::Translator;
use crate::value::Value;
use ruff_python_ast::{CmpOp, Operator, UnaryOp};
use ruff_text_size::TextRange;

/// The kind of a number that is an int or a float of Python's: which one is known when the program runs.
pub const INT_OR_FLOAT: &str = "int or float";

/// Whether a value is such an object.
pub(crate) fn is_foreign(value: &Value) -> bool {
    matches!(value, Value::Object(object) if matches!(*object.kind, ObjectType::Foreign(_)))
}

/// Whether a value is an object of which it matters which one it is: a member of an enumeration, or anything.
fn is_known_by_itself(value: &Value) -> bool {
    let is_member = match value {
        Value::Object(object) => {
            matches!(&*object.kind, ObjectType::Foreign(kind) if kind.contains(" member "))
        }
        _ => false,
    };
    is_member || is_anything(value)
}

/// Whether a value is an object of one of the classes of `numpy.polynomial`, or of `numpy.poly1d`.
pub(crate) fn is_polynomial(value: &Value) -> bool {
    match value {
        Value::Object(object) => match &*object.kind {
            ObjectType::Foreign(kind) => kind.starts_with("numpy.poly"),
            _ => false,
        },
        _ => false,
    }
}

/// The class that a kind of objects is of, as far as its name tells.
pub(crate) fn class_of_kind(kind: &str) -> Option<&str> {
    Some(match kind.split_once(' ') {
        _ if kind == INT_OR_FLOAT || kind == ANYTHING => return None,
        Some(("numpy", code)) if code.ends_with(" axes") => "numpy.ndarray",
        Some(("numpy", code)) if code.contains("M8") => "numpy.datetime64",
        Some(("numpy", code)) if code.contains("m8") => "numpy.timedelta64",
        Some(("numpy", _)) => return None,
        Some((class, _)) => class,
        None => kind,
    })
}

impl Translator<'_> {
    /// What a Python function gives for such objects and other values, by example; nothing if it does not take them.
    pub fn foreign_call(&mut self, function: &str, given: &[&Value], range: TextRange) -> Value {
        let given: Vec<_> = given
            .iter()
            .map(|value| (self.all_stored((*value).clone()), range))
            .collect();
        self.python_call(function, &given, &[], None, range)
    }

    /// What going over an object gives.
    pub fn item_kind(&mut self, object: &Object) -> Option<ObjectType> {
        if !matches!(*object.kind, ObjectType::Foreign(_)) {
            return object.item();
        }
        let given = [LibraryType::Object((*object.kind).clone())];
        match self.env.library(&helper("first_item"), &given, &[]) {
            Ok(LibraryType::Scalar { dtype, weak }) => Some(ObjectType::Scalar { dtype, weak }),
            Ok(LibraryType::Array { dtype, rank }) => Some(ObjectType::Array { dtype, rank }),
            Ok(LibraryType::Object(kind)) => Some(kind),
            _ => {
                let text = format!("a {} has no items to go over", object.kind);
                let mut diagnostic = self.wrong(codes::ITERATION, text, TextRange::default(), "");
                if let Some(label) = diagnostic.labels.first_mut() {
                    (label.file, label.span) = (self.b.site.file as usize, self.b.site.span);
                }
                self.report(diagnostic);
                None
            }
        }
    }

    /// `a op b`; nothing if neither is such an object.
    pub fn foreign_binary(
        &mut self,
        op: Operator,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        if !is_foreign(a) && !is_foreign(b) {
            return None;
        }
        let function = crate::objects::object_operations::function_of(op);
        // What a pattern wants no example tells.
        if let (Operator::Mod, Value::Object(pattern)) = (op, a)
            && matches!(&*pattern.kind, ObjectType::Foreign(kind) if matches!(&kind[..], "bytes" | "bytearray"))
        {
            let result = (*pattern.kind).clone();
            let given = [(a.clone(), range), (b.clone(), range)];
            return Some(self.python_call(function, &given, &[], Some(result), range));
        }
        Some(self.foreign_call(function, &[a, b], range))
    }

    /// `a op= b`, in place where the object can do that.
    pub fn foreign_update(
        &mut self,
        op: Operator,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        if !is_foreign(a) {
            return None;
        }
        let function = crate::objects::object_operations::function_of(op);
        let name = function
            .trim_start_matches("operator.")
            .trim_end_matches('_');
        Some(self.foreign_call(&format!("operator.i{name}"), &[a, b], range))
    }

    /// An operator of one such object; nothing if it is none.
    pub fn foreign_unary(&mut self, op: UnaryOp, a: &Value, range: TextRange) -> Option<Value> {
        if !is_foreign(a) {
            return None;
        }
        let function = match op {
            UnaryOp::USub => "operator.neg",
            UnaryOp::UAdd => "operator.pos",
            UnaryOp::Invert => "operator.invert",
            UnaryOp::Not => return None,
        };
        Some(self.foreign_call(function, &[a], range))
    }

    /// A comparison with such an object, or `in` one; nothing if it is none.
    pub fn foreign_compare(
        &mut self,
        op: CmpOp,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        if !is_foreign(a) && !is_foreign(b) {
            return None;
        }
        let function = match op {
            CmpOp::Eq => "operator.eq",
            CmpOp::NotEq => "operator.ne",
            CmpOp::Lt => "operator.lt",
            CmpOp::LtE => "operator.le",
            CmpOp::Gt => "operator.gt",
            CmpOp::GtE => "operator.ge",
            CmpOp::Is => "operator.is_",
            CmpOp::IsNot => "operator.is_not",
            CmpOp::In | CmpOp::NotIn if is_foreign(b) => {
                let given = [(b.clone(), range), (a.clone(), range)];
                let found = self.python_call("operator.contains", &given, &[], Some(BOOL), range);
                return Some(match op {
                    CmpOp::In => found,
                    _ => self.unary(UnaryOp::Not, &found, range),
                });
            }
            _ => return None,
        };
        let is_member = |value: &Value| matches!(value, Value::Module { .. } | Value::Choice(..));
        let asks_which = matches!(op, CmpOp::Is | CmpOp::IsNot);
        if asks_which && ![a, b].into_iter().any(is_known_by_itself) {
            return None;
        }
        if is_anything(a) || is_anything(b) {
            let given = [a, b].map(|one| (self.classes_as_objects(one, range), range));
            let is_order = !asks_which && !matches!(op, CmpOp::Eq | CmpOp::NotEq);
            let kind = (!is_order).then_some(BOOL);
            return Some(self.python_call(function, &given, &[], kind, range));
        }
        if asks_which || is_member(a) || is_member(b) {
            let given = [(a.clone(), range), (b.clone(), range)];
            return Some(self.python_call(function, &given, &[], Some(BOOL), range));
        }
        Some(self.foreign_call(function, &[a, b], range))
    }

    /// An attribute of such an object that is no method; nothing if it is one.
    pub fn foreign_attribute(&mut self, on: &Value, name: &str, range: TextRange) -> Option<Value> {
        let Value::Object(object) = on else {
            return None;
        };
        if object.kind.is_anything() {
            // It may be a method that is called.
            return None;
        }
        if !matches!(*object.kind, ObjectType::Foreign(_)) || !may_be_read(object, name) {
            return None;
        }
        if let Some(refused) = self.refused_roots(on, name, range) {
            return Some(refused);
        }
        let function = format!("attribute.{name}");
        let given = [LibraryType::Object((*object.kind).clone())];
        self.env.library(&function, &given, &[]).ok()?;
        Some(self.foreign_call(&function, &[on], range))
    }

    /// The roots of a polynomial, whose dtype an example does not tell; nothing if it is something else.
    pub fn refused_roots(&mut self, on: &Value, name: &str, range: TextRange) -> Option<Value> {
        if !matches!(name, "roots" | "r") || !is_polynomial(on) {
            return None;
        }
        let text = "whether the roots of a polynomial are complex depends on its values";
        let diagnostic = self.wrong(codes::ATTRIBUTE, text, range, "").help(
            "call a function with the coefficients: numpy.polynomial.polynomial.polyroots, numpy.roots",
        );
        Some(self.report(diagnostic))
    }

    /// A function of NumPy's where such objects, or texts, are among the arguments; nothing if none is.
    pub fn foreign_function(
        &mut self,
        function: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let named = arguments.keywords.iter().map(|(_, value, _)| value);
        let mut all = arguments
            .positional
            .iter()
            .map(|(value, _)| value)
            .chain(named);
        let joins = matches!(function, "numpy.array" | "numpy.asarray" | "numpy.unique");
        let text = |value: &Value| match value {
            Value::Tuple(items) => items.iter().any(|item| matches!(item, Value::Str(_))),
            _ => false,
        };
        if self.level() > 0 || !all.any(|value| is_foreign_or_texts(value) || joins && text(value))
        {
            return None;
        }
        let given: Vec<_> = arguments
            .positional
            .iter()
            .map(|(value, place)| (self.all_stored(value.clone()), *place))
            .collect();
        let named: Vec<_> = arguments
            .keywords
            .iter()
            .map(|(name, value, place)| (name.clone(), self.all_stored(value.clone()), *place))
            .collect();
        let mut result = self.python_call(function, &given, &named, None, range);
        // An array over memory that must not change.
        if let ("numpy.frombuffer", Some((Value::Object(memory), _))) = (function, given.first())
            && matches!(&*memory.kind, ObjectType::Foreign(kind) if READ_ONLY.contains(&kind.as_str()))
            && let Value::View(view) = &mut result
        {
            view.writable = false;
        }
        Some(result)
    }
}

/// The kinds of memory that nobody may write to.
const READ_ONLY: [&str; 2] = ["bytes", "memoryview of bytes"];

/// Whether NumPy would make an array of texts of it, or it is such an array.
fn is_foreign_or_texts(value: &Value) -> bool {
    match value {
        Value::Object(object) => match &*object.kind {
            ObjectType::List(item) | ObjectType::Sequence(item) => {
                matches!(**item, ObjectType::Text | ObjectType::Foreign(_))
            }
            kind => matches!(kind, ObjectType::Foreign(_)),
        },
        Value::Tuple(items) => items.iter().any(is_foreign_or_texts),
        Value::Named(class, items) if class.is_list() => {
            let text = |item: &Value| matches!(item, Value::Str(_));
            items
                .iter()
                .any(|item| text(item) || is_foreign_or_texts(item))
        }
        _ => false,
    }
}
