//! What classes of the program's own say of their objects by methods with special names: operators, comparisons, calls,
//! what going over them gives; and setters of properties.

use crate::Usage;
use crate::calls::Arguments;
use crate::objects::made_instances::{is_instance, is_path};
use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::value::{NamedTuple, Scalar, Value};
use colocate_ir::{CompareOp, Kind};
use ruff_python_ast::{CmpOp, ExprAttribute, ExprSubscript, Operator, UnaryOp};
use ruff_text_size::{Ranged, TextRange};

/// Before the name of a property whose setter is asked for.
const SETTER: &str = "<setter>";

impl Translator<'_> {
    /// What a class says of an operator between its objects, or one and something else; nothing if it says nothing.
    pub fn binary_method(
        &mut self,
        op: Operator,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let name = method_of_operator(op);
        self.method_of(a, &format!("__{name}__"), &[b], range)
            .or_else(|| self.method_of(b, &format!("__r{name}__"), &[a], range))
    }

    /// What `object op= value` gives the name: the object itself, where its class says so.
    pub fn updated_instance(
        &mut self,
        current: &Value,
        op: Operator,
        value: &Value,
        range: TextRange,
    ) -> Value {
        let own = format!("__i{}__", method_of_operator(op));
        match self.method_of(current, &own, &[value], range) {
            Some(result) => result,
            None => self.binary(op, current, value, range),
        }
    }

    /// `object(...)`; nothing if its class says nothing of calls.
    pub fn call_of_instance(
        &mut self,
        on: &Value,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if !may_have_methods(on) {
            return None;
        }
        let function = self.method_function(on, "__call__")?;
        let mut positional = arguments.positional.clone();
        positional.insert(0, (on.clone(), range));
        let arguments = Arguments {
            positional,
            keywords: arguments.keywords.clone(),
        };
        Some(self.call_value(&function, &arguments, range, range, None))
    }

    /// A builtin function that asks the class of what it is given; nothing if it asks nothing.
    pub fn builtin_of_instance(
        &mut self,
        function: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if let ("builtins.round", [(on, _), (digits, _)]) = (function, &arguments.positional[..]) {
            return self.method_of(on, "__round__", &[digits], range);
        }
        let [(on, _)] = &arguments.positional[..] else {
            return None;
        };
        let method = match function.strip_prefix("builtins.")? {
            name @ ("len" | "abs" | "float" | "int" | "complex" | "str" | "repr" | "round") => {
                format!("__{name}__")
            }
            _ => return None,
        };
        let said = self.method_of(on, &method, &[], range);
        if let ("__len__", Some(Value::Scalar(length))) = (method.as_str(), &said) {
            self.check_length(length, range);
        }
        said
    }

    /// A class may say anything of how many items its objects have.
    pub fn check_length(&mut self, length: &Scalar, range: TextRange) {
        if length.is_non_negative() || length.dtype.kind() != Kind::Int {
            return;
        }
        let negative = self.compare_scalars(CompareOp::Less, length, &Scalar::const_int(0));
        let negative = self.ir(&negative);
        let text = "__len__() should return >= 0";
        self.raise_if(negative, &raised("ValueError", text), range);
    }

    /// `min` and `max` of objects whose class compares them.
    pub fn extreme_instance(&mut self, name: &str, several: &[Value], range: TextRange) -> Value {
        let op = match name {
            "min" => CmpOp::Lt,
            _ => CmpOp::Gt,
        };
        let mut best = several[0].clone();
        for one in &several[1..] {
            let better = self.compare(op, one, &best, range);
            let Some(better) = self.truth(&better, range) else {
                return Value::Poison;
            };
            let (one, before) = (one.clone(), best);
            best = self.either(&better, range, |_| one, |_| before);
        }
        best
    }

    /// What an object whose class says how it is gone over gives; other values as they are.
    pub fn iterated_instance(&mut self, value: Value, range: TextRange) -> Value {
        if !may_have_methods(&value) || self.method_function(&value, "__iter__").is_none() {
            return value;
        }
        let Some(given) = self.method_of(&value, "__iter__", &[], range) else {
            return value;
        };
        if !may_have_methods(&given) || self.method_function(&given, "__next__").is_none() {
            return given;
        }
        let arguments = Arguments {
            positional: vec![(given.clone(), range)],
            keywords: Vec::new(),
        };
        self.call_written(
            crate::objects::lazy_iterators::MODULE,
            "iterated",
            &arguments,
            range,
        )
        .unwrap_or(given)
    }

    /// What stands behind a star: of an object whose class says how it is gone over, all that it gives.
    pub fn spread_instance(&mut self, value: Value, range: TextRange) -> Value {
        if !may_have_methods(&value) {
            return value;
        }
        match self.iterated_instance(value, range) {
            given @ Value::Generator(..) => self.as_list(&given, range),
            other => other,
        }
    }

    /// The arguments of a builtin function that goes over them.
    pub fn iterated_arguments(
        &mut self,
        function: &str,
        arguments: &Arguments,
    ) -> Option<Arguments> {
        const GOING_OVER: &[&str] = &[
            "all",
            "any",
            "dict",
            "enumerate",
            "filter",
            "frozenset",
            "iter",
            "list",
            "map",
            "max",
            "min",
            "set",
            "sorted",
            "sum",
            "tuple",
            "zip",
        ];
        let name = function.strip_prefix("builtins.")?;
        if !GOING_OVER.contains(&name) {
            return None;
        }
        let alone = matches!(name, "max" | "min") && arguments.positional.len() > 1;
        let given = arguments.positional.iter();
        if alone || !given.clone().any(|(value, _)| may_have_methods(value)) {
            return None;
        }
        let positional = given
            .map(|(value, place)| (self.iterated_instance(value.clone(), *place), *place))
            .collect();
        Some(Arguments {
            positional,
            keywords: arguments.keywords.clone(),
        })
    }

    /// What a class says of a comparison; nothing if it says nothing.
    pub fn compare_method(
        &mut self,
        op: CmpOp,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let (own, others) = match op {
            CmpOp::Eq => ("__eq__", "__eq__"),
            CmpOp::NotEq => ("__ne__", "__ne__"),
            CmpOp::Lt => ("__lt__", "__gt__"),
            CmpOp::LtE => ("__le__", "__ge__"),
            CmpOp::Gt => ("__gt__", "__lt__"),
            CmpOp::GtE => ("__ge__", "__le__"),
            CmpOp::In => return self.method_of(b, "__contains__", &[a], range),
            CmpOp::NotIn => {
                let is = self.compare_method(CmpOp::In, a, b, range)?;
                return Some(self.unary(UnaryOp::Not, &is, range));
            }
            _ => return None,
        };
        let found = self
            .method_of(a, own, &[b], range)
            .or_else(|| self.method_of(b, others, &[a], range));
        match (op, found) {
            (CmpOp::NotEq, None) => {
                let is = self.compare_method(CmpOp::Eq, a, b, range)?;
                Some(self.unary(UnaryOp::Not, &is, range))
            }
            (CmpOp::Eq, None) if self.equals_only_itself(a) && self.equals_only_itself(b) => {
                Some(self.identity(true, a, b, range))
            }
            (_, found) => found,
        }
    }

    /// Whether objects of a class have an order of their own.
    pub fn is_compared_by_class(&mut self, class: &NamedTuple) -> bool {
        let mut methods = ["__lt__", "__gt__"].into_iter();
        class.is_instance
            && methods.any(|name| {
                let found = self.env.class_attribute(class.handle, name);
                matches!(found, Some((Usage::Method, _)))
            })
    }

    /// Whether a value is an object whose class says nothing of `==`.
    fn equals_only_itself(&mut self, value: &Value) -> bool {
        is_instance(value) && self.found_in_class(value, EQUALS_ITSELF).is_some()
    }

    /// `object[index] = value`; false if its class says nothing of it.
    pub fn set_item_of_instance(
        &mut self,
        on: &Value,
        e: &ExprSubscript,
        value: &Value,
        range: TextRange,
    ) -> bool {
        if !may_have_methods(on) || self.method_function(on, "__setitem__").is_none() {
            return false;
        }
        let index = self.expr(&e.slice);
        self.method_of(on, "__setitem__", &[&index, value], range);
        true
    }

    /// `object.name = value` of a property with a setter; false if it is something else.
    pub fn assign_by_setter(&mut self, e: &ExprAttribute, value: &Value, range: TextRange) -> bool {
        if !self.is_program() || !is_path(&e.value) {
            return false;
        }
        let before = self.diagnostics.len();
        let base = self.expr(&e.value);
        if self.diagnostics.len() > before {
            return base.is_poison();
        }
        let class = match &base {
            Value::Instance(made) => made.class,
            Value::Named(class, _) if class.is_instance => class.handle,
            _ => return false,
        };
        let asked = format!("{SETTER}{}", e.attr);
        let Some((Usage::Method, setter)) = self.env.class_attribute(class, &asked) else {
            return false;
        };
        let setter = self.captured_value(&setter);
        let given = Arguments {
            positional: vec![(base, e.value.range()), (value.clone(), range)],
            keywords: Vec::new(),
        };
        self.call_value(&setter, &given, range, range, None);
        true
    }

    /// A call of a method that an object's class has; nothing if it is no such object, or has no such method.
    pub fn method_of(
        &mut self,
        on: &Value,
        name: &str,
        given: &[&Value],
        range: TextRange,
    ) -> Option<Value> {
        // How a named tuple is shown is known without its class's method.
        let is_shown = matches!(name, "__repr__" | "__str__");
        let is_named = matches!(on, Value::Named(class, _) if class.is_plain());
        if !may_have_methods(on) && (!is_named || is_shown) {
            return None;
        }
        let function = self.method_function(on, name)?;
        let mut positional = vec![(on.clone(), range)];
        positional.extend(given.iter().map(|one| ((*one).clone(), range)));
        let arguments = Arguments {
            positional,
            keywords: Vec::new(),
        };
        Some(self.call_value(&function, &arguments, range, range, None))
    }
}

/// Whether a value is an object of a class of the program's own, or a namespace, which may be such an object from
/// outside.
pub(crate) fn may_have_methods(value: &Value) -> bool {
    is_instance(value) || matches!(value, Value::Module { .. })
}

/// Asked of a class: whether its objects are equal to themselves only.
const EQUALS_ITSELF: &str = "<equals itself>";

/// What the method of an operator is called, between its underscores.
fn method_of_operator(op: Operator) -> &'static str {
    match op {
        Operator::Add => "add",
        Operator::Sub => "sub",
        Operator::Mult => "mul",
        Operator::MatMult => "matmul",
        Operator::Div => "truediv",
        Operator::FloorDiv => "floordiv",
        Operator::Mod => "mod",
        Operator::Pow => "pow",
        Operator::LShift => "lshift",
        Operator::RShift => "rshift",
        Operator::BitOr => "or",
        Operator::BitXor => "xor",
        Operator::BitAnd => "and",
    }
}
