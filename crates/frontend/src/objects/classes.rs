//! Classes of values: `isinstance` and `type`.

use crate::arrays::dtype_functions::{abstract_class, is_of_class};
use crate::calls::Arguments;
use crate::codes;
use crate::host::trying::EXCEPTION_CLASS;
use crate::objects::foreign_objects::class_of_kind;
use crate::objects::python_objects::{INT, helper};
use crate::objects::tables::is_table;
use crate::program::{Exception, ObjectType};
use crate::translate::Translator;
use crate::types::is_integer;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{DType, Kind};
use ruff_python_ast::{CmpOp, Operator};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `class.method(object, ...)` of a builtin class; nothing if it is something else.
    pub fn method_of_class(
        &mut self,
        function: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let (class, method) = function.strip_prefix("builtins.")?.split_once('.')?;
        if method == "fromkeys" && class == "dict" {
            return self.dict_from_keys(arguments, range);
        }
        if let ("str", "maketrans", [first, ..]) = (class, method, &arguments.positional[..]) {
            return Some(self.translation_table(first.0.clone(), arguments, range));
        }
        let (on, place) = arguments.positional.first()?;
        let named = Value::Builtin(format!("builtins.{class}"));
        if class == "object" || !belongs(on, &named)? {
            return None;
        }
        let bound = self.attribute_of(on, method, *place, *place);
        let rest = Arguments {
            positional: arguments.positional[1..].to_vec(),
            keywords: arguments.keywords.clone(),
        };
        Some(self.call_value(&bound, &rest, range, *place, None))
    }

    /// `str.maketrans(...)`: what `translate` is given.
    fn translation_table(
        &mut self,
        first: Value,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let of_codes = |value| Some(ObjectType::Dict(Box::new(INT), Box::new(value)));
        let result = match (&arguments.positional[..], first) {
            ([_], Value::Object(object)) => match &*object.kind {
                ObjectType::Dict(_, value) => of_codes((**value).clone()),
                ObjectType::Fields(_) => object
                    .as_dict()
                    .and_then(|dict| dict.value())
                    .and_then(of_codes),
                _ => None,
            },
            ([_, _], _) => of_codes(INT),
            ([_, _, _], _) => of_codes(ObjectType::Optional(Box::new(INT))),
            _ => None,
        };
        let given = &arguments.positional;
        let named = &arguments.keywords;
        self.python_call("builtins.str.maketrans", given, named, result, range)
    }

    pub fn is_instance(&mut self, x: &Value, classes: &Value, range: TextRange) -> Value {
        if x.is_poison() {
            return Value::Poison;
        }
        if let Value::Optional(inner, present) = x {
            let there = self.is_instance(inner, classes, range);
            let absent = self.is_instance(&Value::None, classes, range);
            return self.there_or_not(present, &there, &absent, range);
        }
        if let Some(is) = self.is_anything_of(x, classes, range) {
            return is;
        }
        if let Value::Scalar(number) = x
            && matches!(number.know, Know::Either { .. })
        {
            let answers = [DType::Int64, DType::Float64, DType::Bool].map(|dtype| {
                let know = Know::Any;
                let one = Scalar {
                    dtype,
                    weak: true,
                    know,
                    ..*number
                };
                self.is_instance(&one.into(), classes, range)
            });
            if answers.iter().any(|answer| *answer != answers[0])
                && let Some(refused) = self.asked_for_its_type(x, range)
            {
                return refused;
            }
        }
        let classes = classes_of(classes);
        let of_exceptions = |one: &Value| matches!(one, Value::Exception { .. });
        if classes.iter().all(of_exceptions)
            && let Some(found) = self.is_instance_of_exceptions(x, &classes, range)
        {
            return found;
        }
        let mut any = false;
        for class in &classes {
            let is = match (class, class_of(x)) {
                (Value::Module { handle, .. }, _)
                    if let Value::Named(own, _) = x
                        && own.is_instance =>
                {
                    self.env.are_objects_of(own.handle, *handle)
                }
                (Value::NamedClass(class), _) if let Value::Named(own, _) = x => {
                    let is_plain = own.is_plain() && class.is_plain();
                    let handles = [own.handle, class.handle].map(Exception::Handle);
                    match is_plain && own.handle != class.handle {
                        true => self.env.derives(&handles[0], &handles[1]),
                        false => Some(own.handle == class.handle),
                    }
                }
                (Value::NamedClass(class), _) if class.is_plain() && is_no_named_tuple(x) => {
                    Some(false)
                }
                (Value::Module { handle, .. }, _) if let Value::Instance(made) = x => {
                    self.env.are_objects_of(made.class, *handle)
                }
                (Value::Module { handle, .. }, _)
                    if let Value::Module { handle: object, .. } = x =>
                {
                    self.env.is_object_of(*object, *handle)
                }
                (Value::Module { handle, .. }, Some(own)) => self.env.is_subclass(&own, *handle),
                _ => belongs(x, class),
            };
            match is {
                Some(is) => any |= is,
                None => {
                    let what = x.describe();
                    let diagnostic = self
                        .wrong(
                            codes::FUNCTION,
                            format!("whether {what} is of this class cannot be told"),
                            range,
                            format!("the class is {}", class.describe()),
                        )
                        .help(
                            "ask for int, float, complex, bool, str, tuple, list or numpy.ndarray",
                        );
                    return self.report(diagnostic);
                }
            }
        }
        Scalar::const_bool(any).into()
    }

    pub fn type_of(&mut self, x: &Value, range: TextRange) -> Value {
        let name = match x {
            Value::Poison => return Value::Poison,
            x if crate::objects::anything::is_anything(x) => {
                return self.foreign_call("builtins.type", &[x], range);
            }
            x if let Some(refused) = self.asked_for_its_type(x, range) => return refused,
            Value::Scalar(scalar) if !scalar.weak => return Value::Dtype(scalar.dtype),
            Value::Scalar(scalar) => match scalar.dtype.kind() {
                Kind::Bool => "builtins.bool",
                Kind::Int | Kind::UInt => "builtins.int",
                Kind::Float => "builtins.float",
                Kind::Complex => "builtins.complex",
            },
            Value::None => "builtins.NoneType",
            Value::Instance(made) => return made.class_itself(),
            Value::Module { handle, .. } if let Some(class) = self.env.class_of_object(*handle) => {
                return self.captured_value(&class);
            }
            // What the program made is of a class that it can name.
            Value::Named(class, _) if self.made_classes.contains_key(&class.handle) => {
                return Value::Module {
                    handle: self.made_classes[&class.handle],
                    name: class.name.clone(),
                };
            }
            x if is_exception(x) => {
                return Value::ArrayMethod(Box::new(x.clone()), EXCEPTIONS_CLASS.into());
            }
            Value::Named(class, _) if class.handle != crate::host::part::LIST_CLASS => {
                return match self.env.class_attribute(class.handle, "__class__") {
                    Some((_, itself)) if class.is_instance => self.captured_value(&itself),
                    _ => Value::NamedClass(class.clone()),
                };
            }
            Value::Str(_) => "builtins.str",
            Value::List(_) | Value::Held(_) => "builtins.list",
            Value::Named(..) => "builtins.list",
            Value::Tuple(_) => "builtins.tuple",
            Value::Range(_) => "builtins.range",
            Value::View(_) | Value::Lazy(_) => "numpy.ndarray",
            Value::Object(object) => match *object.kind {
                ObjectType::Dict(..) => "builtins.dict",
                ObjectType::Set(_) => "builtins.set",
                ObjectType::FrozenSet(_) => "builtins.frozenset",
                ObjectType::Text => "builtins.str",
                ObjectType::List(_) => "builtins.list",
                ObjectType::Foreign(ref kind) => {
                    return match class_of_kind(kind) {
                        Some(class) if class.contains('.') => Value::Builtin(class.into()),
                        Some(class) => Value::Builtin(format!("builtins.{class}")),
                        None => self.no_type_of(x, range),
                    };
                }
                _ => return self.no_type_of(x, range),
            },
            _ => return self.no_type_of(x, range),
        };
        Value::Builtin(name.into())
    }

    /// `type(x).__name__` of an exception or an object; nothing if it is something else.
    pub fn name_of_class(&mut self, class: &Value, name: &str, range: TextRange) -> Option<Value> {
        match class {
            Value::ArrayMethod(on, of) if of == EXCEPTIONS_CLASS && name == "__name__" => {
                let given = [((**on).clone(), range)];
                let text = Some(ObjectType::Text);
                Some(self.python_call(&helper("class_name"), &given, &[], text, range))
            }
            Value::Exception { name: own, .. } if name == "__name__" => {
                Some(Value::Str(own.clone()))
            }
            Value::NamedClass(class) if name == "__name__" && class.own_axes.is_none() => {
                let name = class.name.rsplit('.').next().unwrap_or_default();
                Some(Value::Str(name.to_string()))
            }
            _ => None,
        }
    }

    /// Whether the class of an exception is another class; nothing if these are no such classes.
    pub fn is_class_of_exception(
        &mut self,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let (of, class, name) = match (a, b) {
            (Value::ArrayMethod(on, of), class @ Value::Exception { name, .. })
            | (class @ Value::Exception { name, .. }, Value::ArrayMethod(on, of))
                if of == EXCEPTIONS_CLASS =>
            {
                ((**on).clone(), class, name)
            }
            _ => return None,
        };
        let belongs = self.is_instance_of_exceptions(&of, std::slice::from_ref(class), range)?;
        // Classes that are derived from it have names of their own.
        let given = [(of, range)];
        let text = Some(ObjectType::Text);
        let own = self.python_call(&helper("class_name"), &given, &[], text, range);
        let named = self.compare(CmpOp::Eq, &own, &Value::Str(name.clone()), range);
        Some(self.binary(Operator::BitAnd, &belongs, &named, range))
    }

    /// `issubclass(class, classes)`; nothing if these are other things.
    pub fn is_derived(&mut self, class: &Value, from: &Value, range: TextRange) -> Option<Value> {
        match class {
            Value::ArrayMethod(on, of) if of == EXCEPTIONS_CLASS => {
                Some(self.is_instance(&on.clone(), from, range))
            }
            Value::Module { handle, .. } => {
                let number = self.env.number(crate::Named::Namespace(*handle))?;
                let mut is = false;
                for one in classes_of(from) {
                    let Value::Module { handle, .. } = one else {
                        return None;
                    };
                    is |= self.env.are_objects_of(number, handle)?;
                }
                Some(Scalar::const_bool(is).into())
            }
            _ => None,
        }
    }

    fn no_type_of(&mut self, x: &Value, range: TextRange) -> Value {
        let what = x.describe();
        let text = format!("the type of {what} is no value of a jit function");
        let diagnostic = self.wrong(codes::FUNCTION, text, range, "");
        self.report(diagnostic)
    }
}

/// What stands for the class of an exception, of which only the name is wanted.
const EXCEPTIONS_CLASS: &str = "__class__";

fn is_no_named_tuple(x: &Value) -> bool {
    matches!(
        x,
        Value::None
            | Value::Scalar(_)
            | Value::Str(_)
            | Value::Tuple(_)
            | Value::List(_)
            | Value::Held(_)
            | Value::Range(_)
            | Value::View(_)
            | Value::Lazy(_)
            | Value::Instance(_)
    )
}

fn is_exception(value: &Value) -> bool {
    match value {
        Value::Named(class, _) => class.handle == EXCEPTION_CLASS,
        Value::Object(object) => *object.kind == ObjectType::Exception,
        _ => false,
    }
}

/// The class of a value, as Python or NumPy names it; nothing if it has no class of theirs.
pub(crate) fn class_of(x: &Value) -> Option<String> {
    let own = match x {
        Value::Scalar(scalar) if !scalar.weak => return Some(format!("numpy.{}", scalar.dtype)),
        Value::None => return Some("NoneType".into()),
        Value::Scalar(_) | Value::Str(_) | Value::Tuple(_) | Value::List(_) | Value::Held(_) => {
            CLASSES.iter().copied()
        }
        Value::Named(class, _) if class.is_list() || is_table(x) => CLASSES.iter().copied(),
        Value::View(_) | Value::Lazy(_) => return Some("numpy.ndarray".into()),
        Value::Range(_) | Value::Object(_) | Value::Slice(_) => CLASSES.iter().copied(),
        _ => return None,
    };
    let mut own = own.filter(|name| {
        let class = Value::Builtin(format!("builtins.{name}"));
        belongs(x, &class) == Some(true)
    });
    own.next().map(str::to_string)
}

/// Whether a value is a class, or several with `|` between them.
pub(crate) fn is_class(value: &Value) -> bool {
    match value {
        Value::Builtin(name) => {
            let name = name.strip_prefix("builtins.").unwrap_or(name);
            KNOWN.contains(&name)
        }
        Value::Dtype(_) | Value::NamedClass(_) | Value::Exception { .. } => true,
        Value::Module { .. } => true,
        Value::Unsupported(_) => abstract_class(value).is_some(),
        Value::Tuple(items) => {
            let is_part = |item: &Value| is_class(item) || matches!(item, Value::None);
            items.iter().any(is_class) && items.iter().all(is_part)
        }
        _ => false,
    }
}

/// The classes that a union or a tuple consists of.
pub(crate) fn classes_of(value: &Value) -> Vec<Value> {
    match value {
        Value::Tuple(items) => items.iter().flat_map(classes_of).collect(),
        one => vec![one.clone()],
    }
}

/// How a class of Python's own, or the class of arrays, is written.
pub(crate) fn class_text(value: &Value) -> Option<Value> {
    let Value::Builtin(name) = value else {
        return None;
    };
    let name = name.strip_prefix("builtins.").unwrap_or(name);
    is_class(value).then(|| Value::Str(format!("<class '{name}'>")))
}

const CLASSES: &[&str] = &[
    "bool",
    "complex",
    "dict",
    "float",
    "frozenset",
    "int",
    "list",
    "range",
    "set",
    "str",
    "tuple",
];

/// The classes of which it can be told whether a value is of them.
const KNOWN: &[&str] = &[
    "NoneType",
    "int",
    "float",
    "complex",
    "bool",
    "str",
    "tuple",
    "list",
    "range",
    "dict",
    "set",
    "frozenset",
    "bytes",
    "bytearray",
    "memoryview",
    "slice",
    "numpy.ndarray",
    "array.array",
    "datetime.date",
    "datetime.datetime",
    "datetime.time",
    "datetime.timedelta",
    "decimal.Decimal",
    "fractions.Fraction",
    "numpy.datetime64",
    "numpy.timedelta64",
    "object",
];

/// Whether a value is of a class; nothing if that cannot be told.
fn belongs(x: &Value, class: &Value) -> Option<bool> {
    if matches!(x, Value::Poison | Value::Unsupported(_)) {
        return None;
    }
    if let Value::Unsupported(_) = class {
        let name = abstract_class(class)?;
        let Value::Scalar(scalar) = x else {
            return Some(false);
        };
        return Some(is_of_class(scalar.dtype, name)? && !scalar.weak);
    }
    if let Value::Dtype(dtype) = class {
        return Some(matches!(x, Value::Scalar(s) if !s.weak && s.dtype == *dtype));
    }
    let Value::Builtin(name) = class else {
        return match class {
            Value::None => Some(matches!(x, Value::None)),
            // Which exception was caught is known only when it is.
            Value::Exception { .. } if is_exception(x) => None,
            Value::Exception { .. } => Some(false),
            _ => None,
        };
    };
    if let Some(dtype) = crate::builtins_numpy::dtype_named(name) {
        return Some(matches!(x, Value::Scalar(s) if !s.weak && s.dtype == dtype));
    }
    let name = name.strip_prefix("builtins.").unwrap_or(name);
    if !KNOWN.contains(&name) {
        return None;
    }
    if name == "object" {
        return Some(true);
    }
    if matches!(x, Value::None) {
        return Some(name == "NoneType");
    }
    Some(match x {
        Value::Scalar(s) => match (s.dtype, s.weak) {
            (DType::Bool, true) => matches!(name, "bool" | "int"),
            (DType::Float64, _) => name == "float",
            (DType::Complex128, _) => name == "complex",
            (dtype, true) => is_integer(dtype) && name == "int",
            _ => false,
        },
        Value::Str(_) => name == "str",
        Value::Tuple(_) => name == "tuple",
        Value::List(_) | Value::Held(_) => name == "list",
        Value::Named(class, _) if class.is_list() => name == "list",
        table if is_table(table) => name == "dict",
        Value::Range(_) => name == "range",
        Value::View(_) | Value::Lazy(_) => name == "numpy.ndarray",
        Value::Slice(_) => name == "slice",
        Value::Named(class, _) => {
            class.handle != EXCEPTION_CLASS && !class.is_instance && name == "tuple"
        }
        Value::Object(object) => match &*object.kind {
            ObjectType::Text => name == "str",
            ObjectType::List(_) => name == "list",
            ObjectType::Set(_) => name == "set",
            ObjectType::FrozenSet(_) => name == "frozenset",
            ObjectType::Dict(..) | ObjectType::Fields(_) => name == "dict",
            ObjectType::Tuple(_) | ObjectType::Named(..) | ObjectType::Sequence(_) => {
                name == "tuple"
            }
            ObjectType::Foreign(kind) => {
                let class = class_of_kind(kind)?;
                class == name || (class, name) == ("datetime.datetime", "datetime.date")
            }
            _ => false,
        },
        _ => false,
    })
}
