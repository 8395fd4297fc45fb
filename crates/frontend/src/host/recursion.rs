//! Functions that call themselves: functions of the host part.
//!
//! Everything else is inlined, or called by way of Python (`called_functions`). What such a function gives is assumed, and assumed anew until what it
//! returns agrees. They take numbers, tuples of them, arrays and parts of arrays, whose elements they read
//! and write, and what is known while compiling, such as functions. An array is passed as it is, and
//! which part of it is meant as numbers.

use crate::FunctionId;
use crate::calls::Arguments;
use crate::codes;
use crate::host::called_functions::MOST_TEXTS;
use crate::host::nested_functions::{Closure, is_literal};
use crate::host::remembered_results::is_remembered;
use crate::inline::Returns;
use crate::objects::made_instances::is_instance;
use crate::objects::python_objects::Object;
use crate::scope::{Binding, same_types};
use crate::translate::{Translator, maybe};
use crate::unset_variables::{HAS, Owner};
use crate::value::{Know, Scalar, Value};
use colocate_ir::{
    ArrayRef, DType, HostFunctionId, KernelBuilder, KernelKind, Kind, Layout, Literal, LocalId,
    ParamKind, UnaryOp, ValueId, VariableId,
};
use ruff_python_ast::StmtFunctionDef;
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// A function, and what its arguments are: their numbers have no IR values, and their arrays are those of
/// the function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Key {
    function: FunctionId,
    /// The last ones are variables of the functions around it.
    parameters: Vec<Value>,
    outer: Vec<String>,
    /// What else of the functions around it reads, as it is there.
    constants: Vec<(String, Value)>,
    /// By their positions, functions among the parameters, and what they read of the functions around them.
    functions: Vec<(usize, Vec<(String, Value)>)>,
    arrays: Vec<(DType, u8)>,
}

impl Key {
    /// Whether the same function is given shorter tuples here.
    fn is_shorter(&self, other: &Key) -> bool {
        let mut pairs = self.parameters.iter().zip(&other.parameters);
        self.function == other.function
            && pairs.any(|pair| match pair {
                (Value::Tuple(own), Value::Tuple(longer)) => own.len() < longer.len(),
                _ => false,
            })
    }
}

/// What a call passes.
#[derive(Default)]
struct Passed {
    numbers: Vec<Scalar>,
    arrays: Vec<LocalId>,
}

/// A function of the host part.
#[derive(Clone, Debug)]
pub(crate) struct Recursive {
    id: HostFunctionId,
    /// What it gives; its leaves have no IR values.
    result: Value,
}

/// How often what a function gives can rise.
const MOST_ATTEMPTS: usize = 6;

impl Translator<'_> {
    /// A call of a function that is being translated: of a function of the host part, or where such a
    /// function cannot do what this one does, by way of Python.
    pub fn recursive_call(
        &mut self,
        function: FunctionId,
        closure: Option<&Rc<Closure>>,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let parsed = self.parse(function);
        let remembered = parsed
            .as_ref()
            .is_some_and(|(parsed, _)| is_remembered(&parsed.def));
        if let Some((parsed, _)) = parsed
            && parsed.def.parameters.kwarg.is_some()
        {
            let text = "functions that call themselves name all parameters";
            let label = "it takes others by two stars";
            let diagnostic = self.wrong(codes::RECURSION, text, range, label);
            return self.report(diagnostic);
        }
        let only_here = closure.is_some() || self.function_base > 0 || self.level() > 0;
        if remembered && !only_here {
            self.called.call_by_python(function);
        }
        if !only_here && self.called.by_python(function) {
            return self.call_by_python(function, arguments, range);
        }
        let checkpoint = self.checkpoint();
        let before = self.diagnostics.len();
        let value = self.call_host_function(function, closure, arguments, range);
        if only_here || self.diagnostics.len() == before {
            return value;
        }
        self.rewind(&checkpoint);
        self.called.call_by_python(function);
        self.call_by_python(function, arguments, range)
    }

    fn call_host_function(
        &mut self,
        function: FunctionId,
        closure: Option<&Rc<Closure>>,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder("it calls a function that calls itself");
        }
        let Some((parsed, _)) = self.parse(function) else {
            return Value::Poison;
        };
        let Some(values) = self.bind_arguments(&parsed, arguments, range) else {
            return Value::Poison;
        };
        let mut passed = Passed::default();
        let mut parameters = Vec::new();
        let (mut outer, mut constants, mut closures) = (Vec::new(), Vec::new(), Vec::new());
        for (parameter, value) in parsed
            .def
            .parameters
            .iter_non_variadic_params()
            .zip(&values)
        {
            let value = match (value, parameter.default()) {
                // Each text would be another function.
                (Some(Value::Str(text)), _)
                    if closure.is_some()
                        || self.has_many_texts(function, parameters.len(), text) =>
                {
                    self.text_object(text)
                }
                (Some(value), _) => value.clone(),
                (None, Some(default)) if closure.is_some() && !is_literal(default) => {
                    let text = "defaults of inner functions that call themselves are written down";
                    let diagnostic = self
                        .wrong(codes::RECURSION, text, range, "this call leaves one out")
                        .help("pass the argument");
                    return self.report(diagnostic);
                }
                (None, Some(default)) => self.expr(default),
                (None, None) => Value::Poison,
            };
            if value.is_poison() {
                return Value::Poison;
            }
            let value = self.all_stored(value);
            if closure.is_some() && self.make_python_list(&value) {
                return Value::Poison;
            }
            if let Value::Closure(inner) = &value
                && let Some(around) = self.constants_around(inner)
            {
                constants.extend(around);
                parameters.push(value);
                continue;
            }
            if let Value::Closure(inner) = &value
                && let Some(around) = self.passed_around(inner)
            {
                closures.push((parameters.len(), around));
                parameters.push(value);
                continue;
            }
            match passed.parameter(&value) {
                Some(parameter) => parameters.push(parameter),
                // An object that refers to one that was not taken apart.
                None if is_instance(&value) && self.share_arguments() => return Value::Poison,
                None => {
                    let what = value.describe();
                    let diagnostic = self
                        .wrong(
                            codes::RECURSION,
                            "functions that call themselves take numbers and arrays only",
                            range,
                            format!("it is given {what}"),
                        )
                        .help("write it as a loop");
                    return self.report(diagnostic);
                }
            }
        }
        if let Some(closure) = closure {
            for (name, value) in self.outer_variables(function, &parsed.def, closure) {
                if self.make_python_list(&value) {
                    return Value::Poison;
                }
                // Another function inside the same one, with what it reads.
                if let Value::Closure(inner) = &value
                    && self.constants_around(inner).is_none()
                    && let Some(around) = self.passed_around(inner)
                {
                    closures.push((parameters.len(), around));
                    parameters.push(value);
                    outer.push(name);
                    continue;
                }
                if self.again {
                    return Value::Poison;
                }
                if !is_passed(&value) {
                    let mut value = value;
                    value.for_each_leaf(&mut |leaf| leaf.ir = None);
                    constants.push((name, value));
                    continue;
                }
                if let Some(parameter) = passed.parameter(&value) {
                    parameters.push(parameter);
                    outer.push(name);
                }
            }
        }
        let mut functions = Vec::new();
        for (position, around) in closures {
            let mut kept = Vec::new();
            for (name, value) in around {
                let value = match is_passed(&value) {
                    true => passed.parameter(&value),
                    false => Some(value),
                };
                let Some(mut value) = value else {
                    return Value::Poison;
                };
                value.for_each_leaf(&mut |leaf| leaf.ir = None);
                kept.push((name, value));
            }
            functions.push((position, kept));
        }
        let locals = &self.b.kernel().locals;
        let arrays = passed.arrays.iter().map(|array| {
            let declared = &locals[array.index()];
            (declared.dtype, declared.rank)
        });
        let key = Key {
            function,
            parameters,
            outer,
            constants,
            functions,
            arrays: arrays.collect(),
        };
        // What is computed later would be computed in the function.
        self.flush();
        if self.known_recursive(&key).is_none() && !self.make_recursive(&key, closure, range) {
            return Value::Poison;
        }
        let Some(known) = self.known_recursive(&key).cloned() else {
            return Value::Poison;
        };
        if known.result.is_poison() {
            return Value::Poison;
        }
        let mut given = Vec::new();
        for scalar in &passed.numbers {
            let ir = self.as_dtype(scalar, scalar.dtype);
            given.extend(self.real_parts(ir, scalar.dtype));
        }
        let mut results: Vec<VariableId> = Vec::new();
        for leaf in known.result.leaves() {
            for dtype in parts_of(leaf.dtype) {
                results.push(self.b.variable("result", dtype));
            }
        }
        self.b
            .call_function_on(known.id, &given, &passed.arrays, &results);
        let mut value = known.result;
        let mut next = results.into_iter();
        value.for_each_leaf(&mut |leaf| {
            let parts: Vec<_> = parts_of(leaf.dtype)
                .iter()
                .filter_map(|_| next.next())
                .map(|variable| self.b.get(variable))
                .collect();
            leaf.know = Know::Any;
            leaf.ir = match parts[..] {
                [re, im] => Some(self.b.op(colocate_ir::Op::Complex(re, im))),
                [one] => Some(one),
                _ => None,
            };
        });
        value
    }

    /// The variables of the functions around that a function reads.
    pub fn outer_variables(
        &mut self,
        function: FunctionId,
        def: &StmtFunctionDef,
        closure: &Rc<Closure>,
    ) -> Vec<(String, Value)> {
        let own = crate::syntax::defined(&def.body);
        let is_parameter = |name: &str| {
            let mut parameters = def.parameters.iter_non_variadic_params();
            parameters.any(|parameter| parameter.name().as_str() == name)
        };
        let mut names: Vec<String> = crate::host::generator_statements::names_read(&def.body)
            .into_iter()
            .filter(|name| !own.contains(name) && !is_parameter(name))
            .collect();
        names.sort();
        let mut found = Vec::new();
        for name in names {
            let running = self.frames[self.function_base..]
                .iter()
                .rposition(|frame| frame.function == function)
                .map(|position| self.function_base + position);
            let passed_on =
                running.and_then(|position| self.frames[position].scope.get(&name).cloned());
            let (value, has) = match (passed_on, running) {
                (Some(binding), Some(position)) => {
                    // Its IR variables are those of its own frame.
                    let inner = self.frames.split_off(position + 1);
                    let value = self.recall(&name, &binding.value);
                    let has = self.has_value(&name, &binding);
                    self.frames.extend(inner);
                    (Some(value), has)
                }
                _ => {
                    let before = self.frame().closure.replace(closure.clone());
                    let value = self.outer_variable(&name);
                    let has = self.outer_has_value(&name);
                    self.frame().closure = before;
                    (value, has)
                }
            };
            let Some(value) = value.map(|value| self.all_stored(value)) else {
                continue;
            };
            let itself = matches!(&value, Value::Closure(one) if one.function == function);
            if itself {
                continue;
            }
            let flag = has.map(|has| (format!("{HAS}{name}"), has.into()));
            found.push((name, value));
            found.extend(flag);
        }
        found
    }

    /// What a function inside another one takes from around it, if all of that is known while compiling.
    fn constants_around(&mut self, closure: &Rc<Closure>) -> Option<Vec<(String, Value)>> {
        let (parsed, _) = self.parse(closure.function)?;
        let mut around = self.outer_variables(closure.function, &parsed.def, closure);
        let is_constant = |value: &Value| {
            let mut leaves = value.leaves().into_iter();
            !is_passed(value) && leaves.all(|leaf| leaf.as_constant().is_some())
        };
        if !around.iter().all(|(_, value)| is_constant(value)) {
            return None;
        }
        for (_, value) in &mut around {
            value.for_each_leaf(&mut |leaf| leaf.ir = None);
        }
        Some(around)
    }

    /// What a function inside another one takes from around it, if a function that calls itself can be given that.
    fn passed_around(&mut self, closure: &Rc<Closure>) -> Option<Vec<(String, Value)>> {
        let mut all: Vec<(String, Value)> = Vec::new();
        let mut left = vec![closure.clone()];
        let mut seen = Vec::new();
        while let Some(closure) = left.pop() {
            let (parsed, _) = self.parse(closure.function)?;
            if !crate::syntax::nonlocals(&parsed.def.body).is_empty() {
                return None;
            }
            seen.push(closure.function);
            for (name, value) in self.outer_variables(closure.function, &parsed.def, &closure) {
                let value = match value {
                    // What such a function reads is among the rest.
                    Value::Closure(inner) => {
                        if !seen.contains(&inner.function) {
                            left.push(inner.clone());
                        }
                        Value::Closure(Rc::new(Closure::given(inner.function, Vec::new())))
                    }
                    other => other,
                };
                if self.make_python_list(&value) {
                    return None;
                }
                match all.iter().find(|(known, _)| *known == name) {
                    Some((_, known)) if *known == value => {}
                    // The same name in two functions.
                    Some(_) => return None,
                    None => all.push((name, value)),
                }
            }
        }
        let taken =
            |value: &Value| !is_passed(value) || Passed::default().parameter(value).is_some();
        all.iter().all(|(_, value)| taken(value)).then_some(all)
    }

    /// Translates a function on its own.
    fn make_recursive(
        &mut self,
        key: &Key,
        closure: Option<&Rc<Closure>>,
        range: TextRange,
    ) -> bool {
        if self
            .recursive
            .iter()
            .any(|(known, _)| known.is_shorter(key))
        {
            let text = "this function calls itself with longer and longer tuples";
            let label = "each call is given something else";
            let diagnostic = self
                .wrong(codes::RECURSION, text, range, label)
                .help("use a list, or a function that is not inside another");
            self.report(diagnostic);
            return false;
        }
        let first = self.host_functions.len();
        let made = self.settle_recursive(key, closure, range);
        if !made {
            // Nothing is known of it, so that the next call reports again.
            self.forget_functions(first);
        }
        made
    }

    /// Forgets all functions but the first ones.
    pub fn forget_functions(&mut self, first: usize) {
        self.host_functions.truncate(first);
        self.recursive.retain(|(_, one)| one.id.index() < first);
    }

    /// Whether a function is given one text after another for a parameter: then it is known when the program runs.
    fn has_many_texts(&self, function: FunctionId, position: usize, text: &str) -> bool {
        let mut others: Vec<&str> = Vec::new();
        for (known, _) in &self.recursive {
            if known.function == function
                && let Some(Value::Str(other)) = known.parameters.get(position)
                && other != text
                && !others.contains(&other.as_str())
            {
                others.push(other);
            }
        }
        others.len() >= MOST_TEXTS
    }

    fn known_recursive(&self, key: &Key) -> Option<&Recursive> {
        let mut all = self.recursive.iter();
        all.find(|(known, _)| known == key).map(|(_, one)| one)
    }

    fn settle_recursive(
        &mut self,
        key: &Key,
        closure: Option<&Rc<Closure>>,
        range: TextRange,
    ) -> bool {
        let id = HostFunctionId(self.host_functions.len() as u32);
        self.host_functions.push(None);
        // Nothing is assumed at first: what does not depend on the function itself tells.
        let mut assumed = Value::Poison;
        let left_out = self.left_out;
        for _ in 0..MOST_ATTEMPTS {
            self.left_out = left_out;
            let known = Recursive {
                id,
                result: assumed.clone(),
            };
            self.recursive.retain(|(other, _)| other != key);
            self.recursive.push((key.clone(), known));
            let (before, made) = (self.diagnostics.len(), self.host_functions.len());
            let guessing = std::mem::replace(&mut self.guessing, assumed.is_poison());
            let (kernel, found) = self.recursive_attempt(key, closure, &assumed, range);
            self.guessing = guessing;
            if self.diagnostics.len() > before {
                return false;
            }
            let found = maybe(&found);
            if found.is_poison() {
                // Nothing tells; most such functions count.
                assumed = Value::Scalar(Scalar {
                    dtype: DType::Int64,
                    weak: true,
                    know: Know::Any,
                    ir: None,
                });
                self.forget_functions(made);
                continue;
            }
            let plain = matches!(found, Value::None) || !found.leaves().is_empty();
            if !plain || !is_numbers(&found) {
                let diagnostic = self
                    .wrong(
                        codes::RECURSION,
                        "functions that call themselves return numbers only",
                        range,
                        format!("it returns {}", found.describe()),
                    )
                    .help("write it as a loop");
                self.report(diagnostic);
                return false;
            }
            let weak = |value: &Value| -> Vec<bool> {
                value.leaves().iter().map(|leaf| leaf.weak).collect()
            };
            let given: usize = found
                .leaves()
                .iter()
                .map(|leaf| parts_of(leaf.dtype).len())
                .sum();
            let settled = kernel.results().len() == given;
            if settled && same_types(&found, &assumed) && weak(&found) == weak(&assumed) {
                self.host_functions[id.index()] = Some(kernel);
                return true;
            }
            // What was made on the way rests on the assumption.
            self.forget_functions(made);
            assumed = found;
        }
        let diagnostic = self.wrong(
            codes::RECURSION,
            "what this function returns does not settle",
            range,
            "each attempt gives another type",
        );
        self.report(diagnostic);
        false
    }

    fn recursive_attempt(
        &mut self,
        key: &Key,
        closure: Option<&Rc<Closure>>,
        assumed: &Value,
        range: TextRange,
    ) -> (colocate_ir::Kernel, Value) {
        let function = key.function;
        let name = crate::translate::identifier(&format!("function_{}", function.0));
        let kind = KernelKind::Function {
            results: Vec::new(),
        };
        let mut builder = KernelBuilder::new(&name, 1, kind);
        builder.kernel_mut().fast_math = self.b.kernel().fast_math;
        builder.param("callback", ParamKind::Scalar(DType::UInt64));
        builder.param("context", ParamKind::Scalar(DType::UInt64));
        let host = std::mem::replace(&mut self.b, builder);
        let variables = std::mem::take(&mut self.variables);
        let constants = std::mem::take(&mut self.constant_variables);
        let broadcasts = std::mem::take(&mut self.broadcasts);
        let counters = std::mem::take(&mut self.counters);
        // Its arrays have numbers of their own.
        let phis = std::mem::take(&mut self.phis);
        let mutable = std::mem::take(&mut self.mutable);
        let shapes = std::mem::take(&mut self.shapes);
        // So have the places of what it computes, which mean other arrays of the host part.
        let computed = std::mem::take(&mut self.computed);
        let changed_lists = std::mem::take(&mut self.changed_lists);
        for &(dtype, rank) in &key.arrays {
            self.b.local("array", dtype, rank, Layout::Strided);
        }
        let (parsed, file) = self.parse(function).expect("it was parsed for the call");
        let called_at = self.site(range);
        let done = self.b.variable("done", DType::Bool);
        let no = self.b.literal(Literal::Bool(false));
        self.b.set(done, no);
        let base = std::mem::replace(&mut self.function_base, self.frames.len());
        let known = (!assumed.is_poison()).then(|| Binding::new(assumed.clone(), called_at));
        let returns = Returns::new(done, known);
        self.enter(function, &parsed, file, Some(returns), Some(called_at));
        self.frame().closure = closure.cloned();
        let declared = parsed.def.parameters.iter_non_variadic_params();
        let mut names: Vec<(String, TextRange)> = declared
            .map(|parameter| (parameter.name().to_string(), parameter.name().range()))
            .collect();
        for name in &key.outer {
            self.frame().locals.insert(name.clone());
            names.push((name.clone(), parsed.def.name.range()));
        }
        for ((name, place), value) in names.iter().zip(&key.parameters) {
            let mut value = value.clone();
            self.take_numbers(name, &mut value);
            let site = self.site(*place);
            self.bind(name, value, site);
            // It may have no value, as it is now known by the variable of the same name.
            if let Some(name) = name.strip_prefix(HAS) {
                let around = (name.to_string(), Owner::Around);
                self.frame().may_be_unset.extend([around]);
                if let Some(binding) = self.scope().get_mut(name) {
                    binding.unsure = true;
                }
            }
        }
        for (position, around) in &key.functions {
            let (Some((name, place)), Some(Value::Closure(given))) =
                (names.get(*position), key.parameters.get(*position))
            else {
                continue;
            };
            let mut kept = around.clone();
            for (name, value) in &mut kept {
                if is_passed(value) {
                    self.take_numbers(name, value);
                }
            }
            let site = self.site(*place);
            let given = Closure::given(given.function, kept);
            self.bind(name, Value::Closure(Rc::new(given)), site);
        }
        self.block(&parsed.def.body);
        if self.live() {
            let site = self.site(parsed.def.name.range());
            self.return_at_end(&parsed.def.body, site);
        }
        let returns = self.frame().returns.take().expect("it was put there");
        let found = match returns.result() {
            Some(Binding { value, .. }) => self.recall(crate::inline::RESULT, value),
            None if assumed.is_poison() => Value::Poison,
            None => Value::None,
        };
        let mut results = Vec::new();
        if !returns.must_retry() && same_types(&maybe(&found), assumed) {
            for leaf in found.leaves() {
                let ir = self.ir(&leaf);
                let parts = self.real_parts(ir, leaf.dtype);
                for (part, dtype) in parts.into_iter().zip(parts_of(leaf.dtype)) {
                    let variable = self.b.variable("given", dtype);
                    self.b.set(variable, part);
                    results.push(variable);
                }
            }
        }
        self.frames.pop();
        self.function_base = base;
        let mut builder = std::mem::replace(&mut self.b, host);
        builder.kernel_mut().kind = KernelKind::Function { results };
        self.variables = variables;
        self.constant_variables = constants;
        self.broadcasts = broadcasts;
        self.counters = counters;
        self.phis = phis;
        self.mutable = mutable;
        self.shapes = shapes;
        self.computed = computed;
        self.changed_lists = changed_lists;
        (builder.finish(), found)
    }
}

impl Translator<'_> {
    /// Makes the numbers of a value parameters of the function.
    fn take_numbers(&mut self, name: &str, value: &mut Value) {
        value.for_each_leaf(&mut |leaf| {
            let parts: Vec<_> = parts_of(leaf.dtype)
                .into_iter()
                .map(|part| {
                    let param = self.b.param(name, ParamKind::Scalar(part));
                    self.b.scalar(param)
                })
                .collect();
            leaf.ir = Some(match parts[..] {
                [re, im] => self.b.op(colocate_ir::Op::Complex(re, im)),
                _ => parts[0],
            });
        });
    }

    /// A number as the real numbers that functions are given.
    fn real_parts(&mut self, ir: ValueId, dtype: DType) -> Vec<ValueId> {
        match dtype.kind() {
            Kind::Complex => vec![
                self.b.unary(UnaryOp::Real, ir),
                self.b.unary(UnaryOp::Imaginary, ir),
            ],
            _ => vec![ir],
        }
    }
}

impl Passed {
    /// What a function takes a value for, after its numbers and arrays were put down; nothing if it
    /// takes no such value.
    fn parameter(&mut self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Scalar(scalar) => Value::Scalar(self.number(scalar, Know::Any)),
            Value::Tuple(items) => {
                let items = items.iter().map(|item| self.parameter(item));
                Value::Tuple(items.collect::<Option<_>>()?)
            }
            Value::Named(class, items) if !class.is_list() => {
                let items = items.iter().map(|item| self.parameter(item));
                Value::Named(class.clone(), items.collect::<Option<_>>()?)
            }
            Value::View(view) if !view.is_phi() => {
                let ArrayRef::Local(array) = view.base else {
                    return None;
                };
                let mut view = view.clone();
                let known = self.arrays.iter().position(|one| *one == array);
                let number = known.unwrap_or_else(|| {
                    self.arrays.push(array);
                    self.arrays.len() - 1
                });
                view.base = ArrayRef::Local(LocalId(number as u32));
                view.packed = false;
                view.for_each_leaf(&mut |leaf| {
                    // Positions and lengths are not negative, which spares checks.
                    let know = match leaf.is_non_negative() {
                        true => Know::NonNegative,
                        false => Know::Any,
                    };
                    *leaf = self.number(leaf, know);
                });
                Value::View(view)
            }
            Value::Object(object) => Value::Object(Object {
                handle: self.number(&object.handle, Know::Any),
                ..object.clone()
            }),
            Value::Optional(inner, present) => {
                let inner = self.parameter(inner)?;
                Value::Optional(Box::new(inner), self.number(present, Know::Any))
            }
            Value::None
            | Value::Str(_)
            | Value::Dtype(_)
            | Value::Builtin(_)
            | Value::Function(_) => value.clone(),
            _ => return None,
        })
    }

    fn number(&mut self, scalar: &Scalar, know: Know) -> Scalar {
        self.numbers.push(*scalar);
        Scalar {
            know,
            ir: None,
            ..*scalar
        }
    }
}

/// Whether a value of a function around is passed on: what is known while compiling is not.
fn is_passed(value: &Value) -> bool {
    let constant = value
        .leaves()
        .iter()
        .all(|leaf| leaf.as_constant().is_some());
    let number = matches!(value, Value::Scalar(_) | Value::Tuple(_)) && !constant;
    number
        || matches!(
            value,
            Value::View(_)
                | Value::List(_)
                | Value::Held(_)
                | Value::Object(_)
                | Value::Optional(..)
        )
}

/// The dtypes of the real numbers that stand for a number.
fn parts_of(dtype: DType) -> Vec<DType> {
    match dtype.kind() {
        Kind::Complex => vec![crate::types::real_of(dtype); 2],
        _ => vec![dtype],
    }
}

/// Whether a value is made of numbers only, or of Python's objects, whose handles are numbers.
fn is_numbers(value: &Value) -> bool {
    match value {
        Value::Scalar(_) | Value::None | Value::Object(_) => true,
        Value::Optional(inner, _) => is_numbers(inner),
        Value::Tuple(items) => items.iter().all(is_numbers),
        _ => false,
    }
}

/// What is known of such functions.
pub(crate) type Known = Vec<(Key, Recursive)>;
