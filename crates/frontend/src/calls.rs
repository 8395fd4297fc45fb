//! Calls: arguments, and what is called.

use crate::arrays::kept::Kept;
use crate::near::{did_you_mean, near};
use crate::objects::foreign_objects::is_polynomial;
use crate::objects::python_objects::Object;
use crate::objects::records::records;
use crate::objects::tables::is_table;
use crate::parse::Parsed;
use crate::program::ObjectType;
use crate::starred_arguments::OPEN_REST;
use crate::syntax;
use crate::translate::Translator;
use crate::value::{Constant, Scalar, Value};
use crate::{builtins_colocate, builtins_math, builtins_numpy, builtins_python, codes};
use colocate_ir::{DType, Kind, UnaryOp};
use ruff_python_ast::{Expr, ExprCall};
use ruff_text_size::{Ranged, TextRange};

/// The arguments of a call, evaluated.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub positional: Vec<(Value, TextRange)>,
    pub keywords: Vec<(String, Value, TextRange)>,
}

impl Arguments {
    /// The same with keywords of these names as positions, as far as they follow on one another.
    /// A keyword that is left is one too many.
    pub fn by_position(&self, names: &[&str]) -> Arguments {
        let mut positional = self.positional.clone();
        let mut keywords = self.keywords.clone();
        while let Some(name) = names.get(positional.len())
            && let Some(found) = keywords.iter().position(|(keyword, ..)| keyword == name)
        {
            let (_, value, place) = keywords.remove(found);
            positional.push((value, place));
        }
        Arguments {
            positional,
            keywords,
        }
    }
}

/// Every function this crate knows in a module.
pub(crate) fn known(module: &str) -> Vec<&'static str> {
    match module {
        "math" => builtins_math::NAMES.to_vec(),
        "numpy" => builtins_numpy::names(),
        "builtins" => builtins_python::NAMES.to_vec(),
        _ => builtins_colocate::NAMES.to_vec(),
    }
}

/// Functions of array libraries that make arrays.
const MAKE_ARRAYS: &[&str] = &[
    "array",
    "asarray",
    "empty",
    "empty_like",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "zeros",
    "zeros_like",
];

fn are_given(count: usize) -> String {
    match count {
        1 => "1 is given".into(),
        _ => format!("{count} are given"),
    }
}

/// Whether a function changes its first argument if that is a list.
fn is_in_place(function: &str) -> bool {
    let Some((module, name)) = function.split_once('.') else {
        return false;
    };
    let name = name.trim_matches('_');
    matches!(module, "operator" | "_operator")
        && matches!(name, "delitem" | "iadd" | "iconcat" | "imul" | "setitem")
}

/// Whether a function is `numpy.add.at`, or that of another of NumPy's.
fn is_at(function: &str) -> bool {
    function.starts_with("numpy.") && function.ends_with(".at")
}

/// The constants among what modules hold.
pub(crate) fn builtin_constant(name: &str) -> Option<Scalar> {
    let (module, name) = name.rsplit_once('.')?;
    if !matches!(module, "math" | "numpy") {
        return None;
    }
    Some(Scalar::const_float(match name {
        "pi" => std::f64::consts::PI,
        "e" => std::f64::consts::E,
        "tau" => std::f64::consts::TAU,
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        "euler_gamma" => 0.577_215_664_901_532_9,
        _ => return None,
    }))
}

impl Translator<'_> {
    /// A call; the name is that of the variable which the result is assigned to.
    pub fn named_call(&mut self, e: &ExprCall, name: Option<&str>) -> Value {
        let range = e.range();
        if self.is_program()
            && let Some(result) = self.written_method(e)
        {
            return result;
        }
        if self.is_program()
            && let Some(result) = self.call_of_base(e)
        {
            return result;
        }
        let mut callee = match &*e.func {
            Expr::Attribute(of) => self.attribute(of),
            other => self.expr(other),
        };
        if self.is_program()
            && let Some(result) = self
                .any_or_all_of_generator(&callee, e)
                .or_else(|| self.next_of_generator(&callee, e))
                .or_else(|| self.tuple_of_generator(&callee, e))
                .or_else(|| self.fold_one_by_one(&callee, e))
        {
            return result;
        }
        if let Some(made) = self
            .print_of_items(&callee, e)
            .or_else(|| self.zip_of_rows(&callee, e))
            .or_else(|| self.dict_by_keywords(&callee, e))
            .or_else(|| self.deque_of_lists(&callee, e))
        {
            return made;
        }
        let named = e.arguments.keywords.iter().map(|keyword| &keyword.value);
        let mut all = e.arguments.args.iter().chain(named);
        let kept = match all.find(|argument| syntax::has_call(argument)) {
            Some(next) => self.keep_values(std::iter::once(&callee), next),
            None => Kept::default(),
        };
        let arguments = self.arguments(&callee, e);
        self.take_back(kept, std::iter::once(&mut callee));
        let Some(arguments) = arguments else {
            return Value::Poison;
        };
        self.call_value(&callee, &arguments, range, e.func.range(), name)
    }

    /// A call of a value with arguments that are values.
    pub fn call_value(
        &mut self,
        callee: &Value,
        arguments: &Arguments,
        range: TextRange,
        callee_range: TextRange,
        name: Option<&str>,
    ) -> Value {
        let poisoned = arguments
            .positional
            .iter()
            .any(|(value, _)| value.is_poison())
            || arguments
                .keywords
                .iter()
                .any(|(_, value, _)| value.is_poison());
        match callee {
            Value::Poison => Value::Poison,
            Value::Function(function)
                if let Some(found) = self.heap_of_objects(*function, arguments, range) =>
            {
                found
            }
            Value::Function(function) => self.inline(*function, arguments, range),
            Value::Closure(closure) => {
                let closure = closure.clone();
                self.inline_closure(&closure, arguments, range)
            }
            _ if poisoned => Value::Poison,
            Value::Choice(options, which) => {
                let (options, which) = (options.clone(), *which);
                let stored = Arguments {
                    positional: arguments
                        .positional
                        .iter()
                        .map(|(value, place)| (self.all_stored(value.clone()), *place))
                        .collect(),
                    keywords: arguments.keywords.clone(),
                };
                self.with_choice(&options, &which, range, &mut |t, option| {
                    t.call_value(option, &stored, range, callee_range, None)
                })
            }
            Value::Exception { handle, name } if self.is_program() => {
                let class = crate::host::trying::class_operand(*handle, name);
                let given = arguments.positional.iter();
                let given = given.map(|(value, _)| value.clone()).collect();
                self.exception_made(class, given, range)
            }
            Value::Builtin(name)
                if let Some(stencil) = self.called_stencil(name, arguments, range) =>
            {
                stencil
            }
            callee if let Some(made) = self.context_of_generator(callee, arguments, range) => made,
            Value::Module { handle, name }
                if let Some(member) = self.member_of_value((*handle, name), arguments, range) =>
            {
                member
            }
            Value::Module { handle, name }
                if let Some(made) = self.instantiate(*handle, name, arguments, range) =>
            {
                made
            }
            other if let Some(result) = self.call_of_instance(other, arguments, range) => result,
            Value::Builtin(function)
                if let Some(result) = self.builtin_of_instance(function, arguments, range) =>
            {
                result
            }
            Value::NamedClass(class) if !class.is_instance => {
                let class = class.clone();
                self.named_tuple(&class, arguments, range)
            }
            Value::ArrayMethod(on, method)
                if matches!(**on, Value::NamedClass(_)) && method == "_make" =>
            {
                let (on, [(items, place)]) = ((**on).clone(), &arguments.positional[..]) else {
                    return self.not_callable(callee, arguments, callee_range);
                };
                self.named_from_items(&on, items, *place)
            }
            Value::ArrayMethod(on, method) if matches!(&**on, Value::Named(class, _) if class.is_list()) =>
            {
                let (on, method) = ((**on).clone(), method.clone());
                self.listed_method(&on, &method, arguments, range)
            }
            Value::ArrayMethod(on, method) if is_table(on) => {
                let (on, method) = (on.clone(), method.clone());
                match self.table_method(&on, &method, arguments) {
                    Some(value) => value,
                    None => self.unsupported_function(&format!("dict.{method}"), range),
                }
            }
            Value::ArrayMethod(on, _) if records(on).is_some() => {
                let on = (**on).clone();
                self.copied_records(&on, range)
            }
            Value::ArrayMethod(on, _) if matches!(**on, Value::Slice(_)) => {
                let Value::Slice(parts) = &**on else {
                    return Value::Poison;
                };
                let parts = parts.clone();
                self.slice_indices(&parts, arguments, range)
            }
            Value::ArrayMethod(on, method) if matches!(**on, Value::Tuple(_)) => {
                let (on, method) = ((**on).clone(), method.clone());
                self.tuple_method(&on, &method, arguments, range)
            }
            Value::ArrayMethod(on, method)
                if matches!(**on, Value::Scalar(_))
                    && matches!(
                        method.as_str(),
                        "bit_length"
                            | "bit_count"
                            | "is_integer"
                            | "as_integer_ratio"
                            | "hex"
                            | "to_bytes"
                    ) =>
            {
                if let (Value::Scalar(x), "is_integer") = (&**on, method.as_str())
                    && x.dtype.kind() == Kind::Float
                    && arguments.positional.is_empty()
                    && arguments.keywords.is_empty()
                {
                    let x = *x;
                    return self.is_whole_number(&x);
                }
                let given = Self::with_object(on, arguments, range);
                let function = format!("method.{method}");
                self.python_call(&function, &given, &arguments.keywords, None, range)
            }
            Value::ArrayMethod(on, method)
                if let Some(result) = self.operator_method(on, method, arguments, range) =>
            {
                result
            }
            Value::ArrayMethod(on, method)
                if let Some(made) = self.as_dictionary(on, method, range) =>
            {
                made
            }
            Value::ArrayMethod(on, method)
                if let Some(function) = self.method_function(on, method) =>
            {
                let placed = Arguments {
                    positional: std::iter::once(((**on).clone(), range))
                        .chain(arguments.positional.iter().cloned())
                        .collect(),
                    keywords: arguments.keywords.clone(),
                };
                self.call_value(&function, &placed, range, callee_range, None)
            }
            Value::ArrayMethod(on, method) if method == "_replace" => {
                let on = (**on).clone();
                self.replaced_fields(&on, arguments, range)
            }
            Value::ArrayMethod(on, method) if matches!(**on, Value::Object(_) | Value::Str(_)) => {
                let (on, method) = ((**on).clone(), method.clone());
                self.object_method(&on, &method, arguments, range)
            }
            Value::ArrayMethod(on, method)
                if method == "tolist"
                    && self.level() == 0
                    && crate::arrays::lazy::rank_of(on).is_some_and(|rank| rank > 0) =>
            {
                let on = (**on).clone();
                self.array_as_list(&on, range)
            }
            Value::ArrayMethod(on, method) => {
                let (on, method) = ((**on).clone(), method.clone());
                self.array_method(&on, &method, arguments, range)
            }
            Value::Builtin(function)
                if let Some(given) = self.iterated_arguments(function, arguments)
                    && given.positional != arguments.positional =>
            {
                self.call_value(callee, &given, range, callee_range, name)
            }
            Value::Builtin(function) => {
                let function = function.clone();
                if is_in_place(&function)
                    && let Some((Value::Named(class, _), _)) = arguments.positional.first()
                    && class.is_list()
                    && self.level() == 0
                    && self.change_list(class.list)
                {
                    return Value::Poison;
                }
                if self.is_program()
                    && let Some(result) = self.method_of_class(&function, arguments, range)
                {
                    return result;
                }
                if let Some(answer) = self.is_complex_if_any(&function, arguments) {
                    return answer;
                }
                let kept;
                let arguments = match function.as_str() {
                    "builtins.print"
                    | "builtins.isinstance"
                    | "builtins.hasattr"
                    | "builtins.getattr"
                    | "builtins.type"
                    | "builtins.repr"
                    | "builtins.str"
                    | "numpy.random.shuffle" => arguments,
                    // Operators know what they are given.
                    name if name.starts_with("operator.") || name.starts_with("itertools.") => {
                        arguments
                    }
                    _ => {
                        // What goes over items keeps the lists among them.
                        let deep = !function.starts_with("builtins.");
                        let settled = match is_at(&function) {
                            true => {
                                let positions = self.with_position_arrays(arguments);
                                self.plain_arguments(&positions, deep)
                            }
                            false => self.plain_arguments(arguments, deep),
                        };
                        let settled = match function.as_str() {
                            "builtins.sum" | "builtins.min" | "builtins.max" => {
                                with_named_tuples(settled, arguments)
                            }
                            _ => settled,
                        };
                        kept = settled;
                        &kept
                    }
                };
                if let Some(dtype) = builtins_numpy::dtype_named(&function) {
                    return self.construct(dtype, arguments, range);
                }
                let (module, short) = function.split_once('.').unwrap_or(("", &function));
                if self.is_program()
                    && function == "numpy.fromfunction"
                    && let Some(result) = self.array_of_function(arguments, range)
                {
                    return result;
                }
                if self.is_program()
                    && let Some(result) = self.program_call(module, short, arguments, range)
                {
                    return result;
                }
                let result = match module {
                    "math" => self.call_math(short, arguments, range),
                    "cmath" if self.is_program() => self.call_cmath(short, arguments, range),
                    "operator" | "_operator" if self.is_program() => {
                        self.call_operator(short, arguments, range)
                    }
                    "functools" | "_functools" if short == "cmp_to_key" && self.is_program() => {
                        self.key_of_comparison(arguments)
                    }
                    "functools" | "_functools" if short == "reduce" && self.is_program() => {
                        Some(self.reduced(arguments, range).unwrap_or(Value::Poison))
                    }
                    "numpy" => self.call_numpy(short, arguments, range),
                    "builtins" => self.call_python(short, arguments, range),
                    "colocate" if short.ends_with("copied_object") && self.is_program() => {
                        Some(self.copied_object(short, arguments, range))
                    }
                    "colocate" => self.call_colocate(short, arguments, range, name),
                    _ => None,
                };
                result.unwrap_or_else(|| self.unsupported_function(&function, callee_range))
            }
            Value::Dtype(dtype) => self.construct(*dtype, arguments, range),
            Value::Method(on, method) => {
                let (on, method) = ((**on).clone(), *method);
                self.method(&on, method, arguments, range)
            }
            Value::Named(class, _) if class.is_instance => {
                let object = callee.clone();
                let Some(function) = self.method_function(&object, "__call__") else {
                    return self.not_callable(&object, arguments, callee_range);
                };
                let mut positional = vec![(object, callee_range)];
                positional.extend(arguments.positional.iter().cloned());
                let given = Arguments {
                    positional,
                    keywords: arguments.keywords.clone(),
                };
                self.call_value(&function, &given, range, callee_range, None)
            }
            Value::Module { .. } if self.is_program() => {
                let class = callee.clone();
                let made = self.made_instance(&class, arguments, range);
                made.unwrap_or_else(|| self.not_callable(&class, arguments, callee_range))
            }
            Value::Kernel(kernel) => {
                let diagnostic = self
                    .wrong(
                        codes::KERNEL_CALL,
                        format!("the kernel `{kernel}` cannot be called from a kernel"),
                        range,
                        "",
                    )
                    .help("make it a @colocate.device_func, and call that from both");
                self.report(diagnostic)
            }
            Value::Unsupported(what) if what.ends_with("function_or_method") => {
                let site = self.site(callee_range);
                let text = self.files[site.file as usize].slice(site.span).to_string();
                self.unsupported_function(&text, callee_range)
            }
            Value::Unsupported(_) => self.unusable(callee, callee_range),
            polynomial if is_polynomial(polynomial) && arguments.keywords.is_empty() => {
                let given = arguments.positional.iter().map(|(value, _)| value);
                let given: Vec<&Value> = std::iter::once(polynomial).chain(given).collect();
                self.foreign_call("operator.call", &given, range)
            }
            other => {
                let other = other.clone();
                self.not_callable(&other, arguments, callee_range)
            }
        }
    }

    fn not_callable(&mut self, callee: &Value, arguments: &Arguments, range: TextRange) -> Value {
        if let Value::Module { handle, name } = callee
            && let Some(why) = self.env.why_not_made(*handle)
        {
            let diagnostic = self
                .wrong(
                    codes::NOT_CALLABLE,
                    format!("objects of the class {name} cannot be made in a kernel"),
                    range,
                    why,
                )
                .help("make the object outside, and pass it to the kernel as an argument");
            return self.report(diagnostic);
        }
        let what = match callee {
            Value::Module { name, .. } if name == "vectorize" => {
                "a function that numpy.vectorize made".to_string()
            }
            other => other.describe(),
        };
        let diagnostic = self
            .wrong(
                codes::NOT_CALLABLE,
                format!("{what} cannot be called"),
                range,
                format!("this is {what}"),
            )
            .help(match callee {
                Value::Scalar(_) if arguments.positional.is_empty() => "leave the parentheses out",
                Value::Scalar(_) => "for a product, write `*` between the factors",
                Value::View(_) | Value::Tuple(_) => "index it with brackets: `a[i]`",
                Value::Module { name, .. } if name == "vectorize" => {
                    "numpy.vectorize calls Python for each element: write a loop over them, or use numpy.where"
                }
                Value::Module { .. } => "call one of its functions",
                _ => "call a function",
            });
        self.report(diagnostic)
    }

    /// An argument; it does not change what those before it are.
    pub fn next_argument(&mut self, before: &mut Arguments, argument: &Expr) -> Value {
        let named = before.keywords.iter().map(|(_, value, _)| value);
        let values = before.positional.iter().map(|(value, _)| value);
        let kept = self.keep_values(values.chain(named), argument);
        let value = self.expr(argument);
        let named = before.keywords.iter_mut().map(|(_, value, _)| value);
        let values = before.positional.iter_mut().map(|(value, _)| value);
        self.take_back(kept, values.chain(named));
        value
    }

    /// Arguments in the order of a function's parameters; absent where the default counts.
    pub fn bind_arguments(
        &mut self,
        parsed: &Parsed,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Vec<Option<Value>>> {
        let declared = &parsed.def.parameters;
        let name = parsed.def.name.to_string();
        let parameters: Vec<_> = declared.iter_non_variadic_params().collect();
        let positional = declared.posonlyargs.len() + declared.args.len();
        let mut values: Vec<Option<Value>> = vec![None; parameters.len()];
        let signature = || {
            let names: Vec<_> = parameters.iter().map(|p| p.name().to_string()).collect();
            format!("its parameters are ({})", names.join(", "))
        };
        let starred = declared.vararg.is_some();
        if starred {
            let rest = arguments.positional.iter().skip(positional);
            let rest = rest.map(|(value, _)| value.clone()).collect();
            values.push(Some(Value::Tuple(rest)));
        }
        if arguments.positional.len() > positional && !starred {
            let (count, extra) = (
                arguments.positional.len(),
                arguments.positional[positional].1,
            );
            let diagnostic = self
                .wrong(
                    codes::ARGUMENTS,
                    format!(
                        "`{name}` takes {positional} positional {}, but {}",
                        if positional == 1 {
                            "argument"
                        } else {
                            "arguments"
                        },
                        are_given(count)
                    ),
                    extra,
                    "this one is too many",
                )
                .help(signature());
            self.report(diagnostic);
            return None;
        }
        let mut others = Vec::new();
        let given = arguments.positional.iter().take(positional);
        for (slot, (value, _)) in values.iter_mut().zip(given) {
            *slot = Some(value.clone());
        }
        for (keyword, value, place) in &arguments.keywords {
            if keyword == OPEN_REST {
                values[parameters.len()] = Some(value.clone());
                continue;
            }
            let found = parameters.iter().position(|p| p.name().as_str() == keyword);
            // A name of such a parameter may be a keyword as well, if there is room for it.
            let found =
                found.filter(|at| *at >= declared.posonlyargs.len() || declared.kwarg.is_none());
            let message = match found {
                Some(position) if position < declared.posonlyargs.len() => {
                    format!("`{keyword}` of `{name}` cannot be given by keyword")
                }
                Some(position) if values[position].is_some() => {
                    format!("`{name}` gets `{keyword}` twice")
                }
                Some(position) => {
                    values[position] = Some(value.clone());
                    continue;
                }
                None if declared.kwarg.is_some() => {
                    others.push((keyword.clone(), value.clone(), *place));
                    continue;
                }
                None => format!("`{name}` has no parameter `{keyword}`"),
            };
            let close = near(keyword, parameters.iter().map(|p| p.name().as_str()));
            let help = did_you_mean(&close).unwrap_or_else(signature);
            let diagnostic = self.wrong(codes::ARGUMENTS, message, *place, "").help(help);
            self.report(diagnostic);
            return None;
        }
        let missing: Vec<_> = parameters
            .iter()
            .zip(&values)
            .filter(|(parameter, value)| value.is_none() && parameter.default().is_none())
            .map(|(parameter, _)| format!("`{}`", parameter.name()))
            .collect();
        if !missing.is_empty() {
            let diagnostic = self
                .wrong(
                    codes::ARGUMENTS,
                    format!("`{name}` is called without {}", missing.join(", ")),
                    range,
                    "",
                )
                .help(signature());
            self.report(diagnostic);
            return None;
        }
        if let Some(double) = &declared.kwarg {
            let named = self.keywords_given(others, &parsed.def.body, double, range);
            values.push(Some(named));
        }
        Some(values)
    }

    /// Reports a function that kernels do not know.
    pub fn unsupported_function(&mut self, function: &str, range: TextRange) -> Value {
        let (module, short) = function.split_once('.').unwrap_or(("", function));
        // What Python calls so is no misspelling of another builtin.
        let names = if module == "builtins" {
            Vec::new()
        } else {
            known(module)
        };
        let close = near(short, names.iter().copied());
        let shown = function.strip_prefix("builtins.").unwrap_or(function);
        let mut diagnostic = self.wrong(
            codes::FUNCTION,
            format!("`{shown}` is not supported in kernels"),
            range,
            "",
        );
        let advice = match function {
            "builtins.print" => {
                Some("write the values into an array, and print them after the launch")
            }
            "builtins.sum" | "numpy.sum" | "numpy.dot" | "numpy.mean" | "numpy.prod" => {
                Some("write a loop over the elements")
            }
            "builtins.any" | "builtins.all" | "builtins.sorted" | "builtins.map"
            | "builtins.filter" | "builtins.reversed" => Some("write a loop over the items"),
            "builtins.list" | "builtins.dict" | "builtins.set" => Some("use tuples and arrays"),
            _ if MAKE_ARRAYS.contains(&short) => Some(
                "use colocate.private_array(shape, dtype) or colocate.local_array(shape, dtype)",
            ),
            _ if function.starts_with("numpy.random.") || module == "random" => {
                Some("pass random numbers to the kernel in an array")
            }
            _ if function.starts_with("numpy.linalg.") => Some("write it with loops"),
            "builtins.isinstance" | "builtins.type" => {
                Some("compare `a.dtype` or `a.ndim`; such an if is decided while compiling")
            }
            _ => None,
        };
        if let Some(help) = advice {
            diagnostic = diagnostic.help(help);
        } else if let Some(help) = did_you_mean(&close) {
            diagnostic = diagnostic.help(help);
        } else if self.is_program() {
            diagnostic = diagnostic.help(
                "call functions of numpy and math, other jit functions and plain Python functions; what \
                 comes from elsewhere can be passed as an argument",
            );
        } else {
            diagnostic = diagnostic
                .help("call math, numpy or colocate functions of numbers, or a device function");
        }
        self.report(diagnostic)
    }

    /// Checks how many arguments a function gets; no keywords.
    pub fn exactly<'a>(
        &mut self,
        name: &str,
        arguments: &'a Arguments,
        counts: std::ops::RangeInclusive<usize>,
        range: TextRange,
    ) -> Option<&'a [(Value, TextRange)]> {
        if let Some((keyword, _, place)) = arguments.keywords.first() {
            let diagnostic = self
                .wrong(
                    codes::ARGUMENTS,
                    format!("`{name}` takes no keyword `{keyword}` in kernels"),
                    *place,
                    "",
                )
                .help(match keyword.as_str() {
                    "out" => "assign the result instead: `a[i] = ...`",
                    // More of any number are no place for it.
                    _ if *counts.end() != usize::MAX
                        && arguments.positional.len() < *counts.end() =>
                    {
                        "pass it by position"
                    }
                    _ => "leave it out",
                });
            self.report(diagnostic);
            return None;
        }
        let given = arguments.positional.len();
        if !counts.contains(&given) {
            let wanted = if counts.start() == counts.end() {
                format!("{}", counts.start())
            } else if *counts.end() == usize::MAX {
                format!("at least {}", counts.start())
            } else if *counts.start() == 0 {
                format!("at most {}", counts.end())
            } else {
                format!("{} to {}", counts.start(), counts.end())
            };
            let diagnostic = self.wrong(
                codes::ARGUMENTS,
                format!(
                    "`{name}` takes {wanted} {}, but {}",
                    if counts.end() == &1 {
                        "argument"
                    } else {
                        "arguments"
                    },
                    are_given(given)
                ),
                range,
                "",
            );
            self.report(diagnostic);
            return None;
        }
        Some(&arguments.positional)
    }

    /// The arguments of a function of numbers.
    pub fn numbers(
        &mut self,
        name: &str,
        arguments: &Arguments,
        counts: std::ops::RangeInclusive<usize>,
        range: TextRange,
    ) -> Option<Vec<Scalar>> {
        let given = self.exactly(name, arguments, counts, range)?;
        let mut scalars = Vec::new();
        let mut fine = true;
        for (value, place) in given {
            match self.scalar(value, *place) {
                Some(scalar) => scalars.push(scalar),
                None => fine = false,
            }
        }
        fine.then_some(scalars)
    }

    /// The dtype that a value stands for.
    pub fn as_dtype_value(&self, value: &Value) -> Option<DType> {
        match value {
            Value::Dtype(dtype) => Some(*dtype),
            Value::Str(name) => builtins_numpy::dtype_of_text(name),
            Value::Builtin(name) => match name.as_str() {
                "builtins.int" => Some(DType::Int64),
                "builtins.float" => Some(DType::Float64),
                "builtins.bool" => Some(DType::Bool),
                "builtins.complex" => Some(DType::Complex128),
                other => builtins_numpy::dtype_named(other),
            },
            _ => None,
        }
    }

    /// `numpy.float32(x)` and the like.
    fn construct(&mut self, dtype: DType, arguments: &Arguments, range: TextRange) -> Value {
        if self.is_program()
            && arguments.keywords.is_empty()
            && let [(value, _)] = &arguments.positional[..]
        {
            let array = match self.list_as_array(value, range) {
                Value::Tuple(items) => self.as_array(&Value::Tuple(items), Some(dtype), range),
                other => other,
            };
            if crate::arrays::lazy::is_array(&array) {
                return self.converted(&array, dtype, range);
            }
            let of_texts = |object: &Object| *object.kind == ObjectType::Text;
            if matches!(value, Value::Str(_))
                || matches!(value, Value::Object(object) if of_texts(object))
            {
                let function = format!("numpy.{dtype}");
                let kind = ObjectType::Scalar { dtype, weak: false };
                return self.python_call(&function, &arguments.positional, &[], Some(kind), range);
            }
        }
        let Some(scalars) = self.numbers(dtype.name(), arguments, 0..=1, range) else {
            return Value::Poison;
        };
        let Some(scalar) = scalars.first() else {
            let zero = crate::types::cast(Constant::Int(0), dtype);
            return Scalar::constant(dtype, false, zero).into();
        };
        let place = arguments.positional[0].1;
        if scalar.dtype.kind() == Kind::Complex
            && dtype.kind() != Kind::Complex
            && dtype.kind() != Kind::Bool
        {
            return self.not_real(dtype.name(), scalar, place);
        }
        if scalar.weak && self.operand(scalar, dtype, place).is_none() {
            return Value::Poison;
        }
        self.cast(scalar, dtype, false).into()
    }

    /// Reports that a function does not take complex numbers.
    pub fn not_real(&mut self, name: &str, scalar: &Scalar, range: TextRange) -> Value {
        let diagnostic = self
            .wrong(
                codes::COMPLEX_TO_REAL,
                format!("`{name}` does not take complex numbers"),
                range,
                format!("this is {}", scalar.describe()),
            )
            .help("use its `.real` or `.imag`, or its `abs(...)`");
        self.report(diagnostic)
    }

    fn method(
        &mut self,
        on: &Value,
        method: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let Value::Scalar(scalar) = on else {
            return Value::Poison;
        };
        if method == "view" {
            return self.bits_as(scalar, arguments, range);
        }
        if self.exactly(method, arguments, 0..=0, range).is_none() {
            return Value::Poison;
        }
        match method {
            "conjugate" => self.conjugate(scalar).into(),
            _ => {
                let dtype = match scalar.dtype.kind() {
                    Kind::Bool => DType::Bool,
                    Kind::Int | Kind::UInt => DType::Int64,
                    Kind::Float => DType::Float64,
                    Kind::Complex => DType::Complex128,
                };
                self.cast(scalar, dtype, true).into()
            }
        }
    }

    /// `number.view(dtype)`: the same bits as a number of another dtype.
    fn bits_as(&mut self, scalar: &Scalar, arguments: &Arguments, range: TextRange) -> Value {
        let Some(values) = self.exactly("view", arguments, 1..=1, range) else {
            return Value::Poison;
        };
        let Some(dtype) = self.as_dtype_value(&values[0].0) else {
            let what = values[0].0.describe();
            let text = format!("`view` takes a dtype, not {what}");
            let diagnostic = self.wrong(codes::ARGUMENTS, text, range, "");
            return self.report(diagnostic);
        };
        let from = scalar.dtype;
        let has_bits = |dtype: DType| matches!(dtype.kind(), Kind::Int | Kind::UInt | Kind::Float);
        if dtype != from
            && !(has_bits(from) && has_bits(dtype) && from.itemsize() == dtype.itemsize())
        {
            let text = format!("the bits of {from} are no {dtype}");
            let label = "integers and floats of the same size have bits in common";
            let diagnostic = self.wrong(codes::ARGUMENTS, text, range, label);
            return self.report(diagnostic);
        }
        let ir = self.ir(scalar);
        Scalar::new(dtype, false, self.b.bitcast(ir, dtype)).into()
    }

    pub fn conjugate(&mut self, scalar: &Scalar) -> Scalar {
        if scalar.dtype.kind() != Kind::Complex {
            return *scalar;
        }
        let ir = self.ir(scalar);
        let re = self.b.unary(UnaryOp::Real, ir);
        let im = self.b.unary(UnaryOp::Imaginary, ir);
        let im = self.b.unary(UnaryOp::Negate, im);
        let ir = self.b.op(colocate_ir::Op::Complex(re, im));
        Scalar::new(scalar.dtype, scalar.weak, ir)
    }
}

/// Arguments that are added up or compared, and of what they begin with: classes of named tuples may say how.
fn with_named_tuples(mut plain: Arguments, given: &Arguments) -> Arguments {
    let is_named = |value: &Value| matches!(value, Value::Named(class, _) if class.is_plain());
    if given.positional.len() > 1 {
        for (plain, (given, _)) in plain.positional.iter_mut().zip(&given.positional) {
            if is_named(given) {
                plain.0 = given.clone();
            }
        }
    }
    for (plain, (_, given, _)) in plain.keywords.iter_mut().zip(&given.keywords) {
        if is_named(given) {
            plain.1 = given.clone();
        }
    }
    plain
}
