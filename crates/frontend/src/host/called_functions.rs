//! Functions that call themselves by way of Python: those that make arrays, or use lists and objects.
//!
//! Such a call calls the function as the caller of the program would, compiled for what it is given. What
//! it gives is found out by translating it for arguments of these types: assumed, and assumed anew until
//! what it returns agrees.

use crate::calls::Arguments;
use crate::codes;
use crate::host::handed_on::handed_on;
use crate::host::learned::Learned;
use crate::host::part::{MOST_ATTEMPTS, begin};
use crate::host::remembered_results::is_remembered;
use crate::inline::Returns;
use crate::objects::made_instances::is_instance;
use crate::objects::optional_values::split;
use crate::objects::python_objects::{BOOL, INT, helper, library_type, made_at};
use crate::objects::ranges_and_texts::raised;
use crate::parse::Parsed;
use crate::program::{Call, LibraryType, ObjectType, Operand, ProgramOptions};
use crate::translate::Translator;
use crate::value::Value;
use crate::{ArgumentType, Diagnostic, FunctionId, Named};
use colocate_diag::SourceFile;
use colocate_ir::{DType, Layout, Literal, UnaryOp};
use ruff_text_size::{Ranged, TextRange};
use std::collections::HashSet;

/// Before the number of a function among the objects that the program names, and of how it is compiled.
pub const RECURSION: &str = "recursion.";

/// How often what a function gives can rise.
const MOST_ASSUMPTIONS: usize = 6;

/// More functions than this, or the same one for arguments of more types, are not meant.
const MOST_KNOWN: usize = 32;

/// A function that is given more different texts than this is not compiled for each of them.
pub(crate) const MOST_TEXTS: usize = 2;

/// How often it may turn out that nothing new was found out.
const MOST_CIRCLES: usize = 3;

/// Each may have to be found out twice for one around it.
const MOST_INSIDE: usize = 4;

/// What is known of such functions.
#[derive(Default)]
pub(crate) struct Called {
    functions: HashSet<FunctionId>,
    results: Vec<(Signature, Option<Known>)>,
    /// Calls of which it is known what is wrong with them: finding out takes a while.
    failed: Vec<Failed>,
    /// How many of them are being found out.
    depth: usize,
    /// Whether each call is given something else, without an end.
    endless: bool,
    /// Functions that are given longer and longer tuples, or one text after another: theirs are tuples of any length, and
    /// texts that are known when the program runs.
    widened: HashSet<FunctionId>,
}

/// A call that is wrong.
#[derive(Clone)]
struct Failed {
    signature: Signature,
    diagnostics: Vec<Diagnostic>,
    /// Those of the translation that found it out.
    files: Vec<SourceFile>,
    /// Whether objects were variables of the program there.
    made_variables: bool,
}

/// What is known of a call.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    result: ObjectType,
    /// What the containers among the arguments hold then.
    containers: Vec<Option<ObjectType>>,
}

/// A function and what it is given.
#[derive(Clone, Debug, PartialEq)]
struct Signature {
    function: FunctionId,
    given: Vec<Given>,
}

/// What a function is given for a parameter.
#[derive(Clone, Debug, PartialEq)]
enum Given {
    Type(ArgumentType),
    /// Known while compiling: a function, or a dtype.
    Known(Value),
}

/// A function that is called, and which of its parameters keep their defaults.
struct Callee<'a> {
    function: FunctionId,
    parsed: &'a Parsed,
    left_out: &'a HashSet<usize>,
}

impl Signature {
    /// Whether the same function is given shorter tuples here.
    fn is_shorter(&self, other: &Signature) -> bool {
        let mut pairs = self.given.iter().zip(&other.given);
        self.function == other.function
            && pairs.any(|pair| match pair {
                (
                    Given::Type(ArgumentType::Tuple(own)),
                    Given::Type(ArgumentType::Tuple(longer)),
                ) => own.len() < longer.len(),
                _ => false,
            })
    }
}

impl Called {
    /// Whether a function that is called like this is given something else each time.
    fn grows(&self, signature: &Signature) -> bool {
        let same = |other: &&Signature| other.function == signature.function;
        let known = || self.results.iter().map(|(one, _)| one).filter(same);
        if known().any(|other| other.is_shorter(signature)) {
            return true;
        }
        let texts = signature.given.iter().enumerate().filter_map(|(at, one)| {
            let Given::Type(ArgumentType::Str(text)) = one else {
                return None;
            };
            let mut others: Vec<&String> = Vec::new();
            for other in known() {
                if let Some(Given::Type(ArgumentType::Str(other))) = other.given.get(at)
                    && other != text
                    && !others.contains(&other)
                {
                    others.push(other);
                }
            }
            Some(others.len())
        });
        texts.max().is_some_and(|most| most >= MOST_TEXTS)
    }

    /// Whether a function is called by way of Python.
    pub fn by_python(&self, function: FunctionId) -> bool {
        self.functions.contains(&function)
    }

    pub fn call_by_python(&mut self, function: FunctionId) {
        self.functions.insert(function);
    }

    /// A number that is another one as soon as more is known.
    pub fn amount(&self) -> usize {
        self.results.len() + self.functions.len() + self.widened.len()
    }
}

impl Translator<'_> {
    /// Calls a function that is being translated.
    pub fn call_by_python(
        &mut self,
        function: FunctionId,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let Some((parsed, _)) = self.parse(function) else {
            return Value::Poison;
        };
        let Some(bound) = self.bind_arguments(&parsed, arguments, range) else {
            return Value::Poison;
        };
        let mut bound = bound.into_iter();
        let mut values = Vec::new();
        let mut left_out = HashSet::new();
        for (position, parameter) in parsed.def.parameters.iter_non_variadic_params().enumerate() {
            values.push(match (bound.next().flatten(), parameter.default()) {
                (Some(value), _) => value,
                (None, Some(default)) => {
                    // Python has it: it may be a list that all calls share.
                    left_out.insert(position);
                    self.default_of(parameter.name().as_str(), default)
                }
                (None, None) => Value::Poison,
            });
        }
        match bound.next().flatten() {
            Some(Value::Tuple(rest)) => values.extend(rest),
            Some(rest) if parsed.def.parameters.vararg.is_some() => {
                let text = "only a tuple can be passed with a star to a function that calls itself";
                let label = format!("this is {}", rest.describe());
                let diagnostic = self.wrong(codes::STAR, text, range, label);
                return self.report(diagnostic);
            }
            _ => {}
        }
        let callee = Callee {
            function,
            parsed: &parsed,
            left_out: &left_out,
        };
        self.call_with(&callee, Value::Tuple(values), range)
    }

    fn call_with(&mut self, callee: &Callee<'_>, values: Value, range: TextRange) -> Value {
        let function = callee.function;
        if values.has_poison() {
            return Value::Poison;
        }
        if let Some((present, there, absent)) = split(&values) {
            let checkpoint = self.checkpoint();
            let before = self.diagnostics.len();
            let value = self.either(
                &present,
                range,
                |t| t.call_with(callee, there.clone(), range),
                |t| t.call_with(callee, absent, range),
            );
            if self.diagnostics.len() == before {
                return value;
            }
            // The function does not take None, which may not be what it is given.
            self.rewind(&checkpoint);
            let present = self.ir(&present);
            let missing = self.b.unary(UnaryOp::Not, present);
            let text = "None is used where a value is needed";
            self.raise_if(missing, &raised("TypeError", text), range);
            return self.call_with(callee, there, range);
        }
        let Value::Tuple(values) = self.all_stored(values) else {
            return Value::Poison;
        };
        // The function may change lists that it is given.
        let mut turned = false;
        for value in &values {
            turned |= self.make_python_lists(value);
        }
        if turned {
            return Value::Poison;
        }
        // What the rest of this function puts into its containers tells more than the function that is called.
        let mut unknown = false;
        for value in &values {
            if let Value::Object(object) = value {
                unknown |= object.kind.is_unfinished() && !self.settling;
            }
        }
        self.read_unknown |= unknown;
        if unknown {
            return Value::Poison;
        }
        let was_widened = self.called.widened.contains(&function);
        let values = match was_widened {
            true => values
                .into_iter()
                .map(|value| self.of_any_length(value, range))
                .collect(),
            false => values,
        };
        let mut given = Vec::new();
        for value in &values {
            let object = self.given_instance(value).map(ArgumentType::Held);
            if object.is_none() && is_instance(value) && self.again {
                return Value::Poison;
            }
            match object.map(Given::Type).or_else(|| given_of(value)) {
                Some(one) => given.push(one),
                None => {
                    let what = value.describe();
                    let diagnostic = self
                        .wrong(
                            codes::RECURSION,
                            format!("functions that call themselves do not take {what}"),
                            range,
                            format!("it is given {what}"),
                        )
                        .help("write it as a loop");
                    return self.report(diagnostic);
                }
            }
        }
        let signature = Signature { function, given };
        if !was_widened && self.called.grows(&signature) {
            self.called.widened.insert(function);
            return self.call_with(callee, Value::Tuple(values), range);
        }
        let before = self.diagnostics.len();
        let known = self.called_result(&signature, range);
        if !was_widened && self.called.widened.contains(&function) {
            return self.call_with(callee, Value::Tuple(values), range);
        }
        let Some(number) = self.env.number(Named::Function(function)) else {
            return Value::Poison;
        };
        let remembered = is_remembered(&callee.parsed.def);
        let how = how_compiled(&self.program().options) | u32::from(remembered) << 4;
        let objects = as_objects(&values, callee);
        let kinds = handed_on(&callee.parsed.def, &values);
        let name = format!("{RECURSION}{number}.{how}.{objects}.{kinds}");
        let Some(known) = known else {
            if self.is_trying() && self.diagnostics.len() == before {
                // Whatever it gives, it may raise.
                self.emit_call(&name, callee, &values, &ObjectType::None, range);
            }
            return Value::Poison;
        };
        for (value, held) in values.iter().zip(&known.containers) {
            if let (Value::Object(object), Some(held)) = (value, held)
                && !self.admit_kind(object, held, range)
            {
                return Value::Poison;
            }
        }
        if !known.result.is_unfinished() {
            return self.emit_call(&name, callee, &values, &known.result, range);
        }
        // What the caller puts into it tells what it holds.
        let place = self.list_key(range);
        let kind = self.remembered(place, known.result);
        let given = self.emit_call(&name, callee, &values, &kind, range);
        made_at(given, place)
    }

    /// A tuple as one of any length, if its items are of one type, and a text as any text.
    fn of_any_length(&mut self, value: Value, range: TextRange) -> Value {
        if let Value::Str(text) = &value {
            return self.text_object(text);
        }
        let Value::Tuple(_) = &value else {
            return value;
        };
        let whole = self.object_type_of(&value);
        match whole.and_then(|kind| kind.as_sequence()) {
            Some(_) => self.sequence(&value, range).unwrap_or(value),
            None => value,
        }
    }

    /// Writes the call.
    fn emit_call(
        &mut self,
        name: &str,
        callee: &Callee<'_>,
        values: &[Value],
        kind: &ObjectType,
        range: TextRange,
    ) -> Value {
        // What is computed later would read what the function changes.
        self.flush();
        let values: Vec<Value> = values
            .iter()
            .map(|value| match value {
                Value::Range(_) => self.python_operand(value, range),
                other => other.clone(),
            })
            .collect();
        let mut words = Vec::new();
        let (mut arguments, mut keywords, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        let declared: Vec<_> = callee
            .parsed
            .def
            .parameters
            .iter_non_variadic_params()
            .collect();
        let parameters = &callee.parsed.def.parameters;
        let positional = parameters.posonlyargs.len() + parameters.args.len();
        let gap = callee.left_out.iter().min().copied().unwrap_or(positional);
        for (position, value) in values.iter().enumerate() {
            if callee.left_out.contains(&position) {
                continue;
            }
            let Some(operand) = self.operand_of(value, &mut words, range) else {
                return Value::Poison;
            };
            each_local(&operand, &mut |local| changes.push(local));
            match declared
                .get(position)
                .filter(|_| position >= gap.min(positional))
            {
                Some(named) => keywords.push((named.name().to_string(), operand)),
                None => arguments.push(operand),
            }
        }
        let optional = match kind {
            ObjectType::Optional(inner) => Some(inner),
            _ => None,
        };
        let result = match optional {
            Some(inner) => LibraryType::Object((**inner).clone()),
            None => library_type(kind),
        };
        let mut results = Vec::new();
        let mut made = Vec::new();
        let outcome = self.outcome(&result, &mut results, &mut made);
        let call = Call::Library {
            function: name.to_string(),
            arguments,
            keywords,
            result: outcome,
            changes,
        };
        self.guarded_call(call, &words, results);
        let mut value = self.outcome_value(&result, &mut made.into_iter(), range);
        if !self.program().options.unified {
            // It may be one of the arguments, which writing to a copy would not change.
            crate::scope::each_view(&mut value, &mut |view| view.writable = false);
        }
        match optional {
            Some(inner) => self.there_or_none(value, inner, range),
            None => value,
        }
    }

    /// An object that may be None as a value that may be None.
    pub fn there_or_none(&mut self, object: Value, inner: &ObjectType, range: TextRange) -> Value {
        let given = [(object, range)];
        let there = self.python_call(&helper("is_there"), &given, &[], Some(BOOL), range);
        let Value::Scalar(there) = there else {
            return Value::Poison;
        };
        self.either(
            &there,
            range,
            |t| t.python_call(&helper("same"), &given, &[], Some(inner.clone()), range),
            |_| Value::None,
        )
    }

    /// What a function gives; nothing if that is not known yet, or it is wrong.
    fn called_result(&mut self, signature: &Signature, range: TextRange) -> Option<Known> {
        let known = self.called.results.iter();
        let known = known.clone().find(|(other, _)| other == signature);
        if let Some((_, known)) = known {
            return known.clone();
        }
        let first = self.called.results.len();
        if first >= MOST_KNOWN || self.called.depth >= MOST_INSIDE || self.called.endless {
            self.called.endless = true;
            let diagnostic = self.wrong(
                codes::RECURSION,
                "this function calls itself with arguments of too many types",
                range,
                "each call is given something else",
            );
            self.report(diagnostic);
            return None;
        }
        let mut failed = self.called.failed.iter();
        if let Some(failed) = failed.find(|one| one.signature == *signature).cloned() {
            self.made_variables |= failed.made_variables;
            for diagnostic in failed.diagnostics {
                let diagnostic = self.with_own_files(diagnostic, &failed.files);
                self.report(diagnostic);
            }
            return None;
        }
        let before = self.diagnostics.len();
        // Nothing is assumed at first: what does not depend on the function itself tells.
        self.called.results.push((signature.clone(), None));
        for _ in 0..MOST_ASSUMPTIONS {
            let assumed = self.called.results[first].1.clone();
            self.called.depth += 1;
            let found = self.assumed_result(signature, assumed.is_none(), range);
            self.called.depth -= 1;
            let Ok(found) = found else {
                self.called.results.truncate(first);
                if self.called.depth == 0 {
                    self.called.failed.push(Failed {
                        signature: signature.clone(),
                        made_variables: self.made_variables,
                        diagnostics: self.diagnostics[before..].to_vec(),
                        files: self.files.clone(),
                    });
                }
                return None;
            };
            let (result, containers) = found;
            let found = Some(Known {
                // If nothing tells, most such functions count.
                result: result.unwrap_or(INT),
                containers,
            });
            if found == assumed {
                return found;
            }
            // What was found on the way rests on the assumption.
            self.called.results.truncate(first);
            self.called.results.push((signature.clone(), found));
        }
        self.called.results.truncate(first);
        let diagnostic = self.wrong(
            codes::RECURSION,
            "what this function returns does not settle",
            range,
            "each attempt gives another type",
        );
        self.report(diagnostic);
        None
    }

    /// Translates a function only to see what it gives.
    fn assumed_result(
        &mut self,
        signature: &Signature,
        guessing: bool,
        range: TextRange,
    ) -> Result<(Option<ObjectType>, Vec<Option<ObjectType>>), ()> {
        let options = self.program().options.clone();
        let mut learned = Learned::default();
        learned.changed_attributes = self.changed_attributes.clone();
        let mut circles = 0;
        for _ in 0..MOST_ATTEMPTS {
            let called = std::mem::take(&mut self.called);
            let mut inner = begin(signature.function, &options, &mut *self.env);
            learned.give_to(&mut inner);
            inner.objects_in_python = self.objects_in_python;
            inner.called = called;
            inner.guessing = guessing;
            let found = crate::on_a_large_stack(|| inner.called_function(signature));
            let called = std::mem::take(&mut inner.called);
            self.made_variables |= inner.made_variables;
            self.wants_objects_in_python |= inner.wants_objects_in_python;
            // A guess may rest on what is not known yet, as long as it is one.
            let enough = guessing && inner.settling && found.is_some() && !called.endless;
            if (inner.again || inner.read_unknown) && !enough {
                learned.take_from(&mut inner);
                self.called = called;
                circles += usize::from(learned.is_seen_again(self.called.amount()));
                if circles > MOST_CIRCLES {
                    break;
                }
                continue;
            }
            let containers = inner.containers_given(signature.function);
            let (files, captured) = (inner.files, inner.captured);
            let (diagnostics, attributes) = (inner.diagnostics, inner.changed_attributes);
            self.called = called;
            self.learn_attributes(attributes);
            self.captured.extend(captured);
            // What rests on what is not known yet may look wrong.
            let guessed = guessing && found.is_some() && !self.called.endless;
            if diagnostics.is_empty() || guessed {
                return Ok((found, containers));
            }
            let site = self.site(range);
            for diagnostic in diagnostics {
                let diagnostic = self.with_own_files(diagnostic, &files);
                let diagnostic = diagnostic.at(site.file as usize, site.span, "called here");
                self.report(diagnostic);
            }
            return Err(());
        }
        // The call must not be left out in silence.
        let diagnostic = self.wrong(
            codes::RECURSION,
            "the types of the lists in this function do not settle",
            range,
            "each attempt at the function that is called gives others",
        );
        self.report(diagnostic);
        Err(())
    }

    /// A diagnostic whose places are in files of another translator.
    fn with_own_files(&mut self, mut diagnostic: Diagnostic, files: &[SourceFile]) -> Diagnostic {
        for label in &mut diagnostic.labels {
            let Some(file) = files.get(label.file) else {
                continue;
            };
            let known = self.files.iter().position(|one| one == file);
            label.file = known.unwrap_or_else(|| {
                self.files.push(file.clone());
                self.files.len() - 1
            });
        }
        diagnostic
    }

    fn called_function(&mut self, signature: &Signature) -> Option<ObjectType> {
        let (parsed, file) = self.parse(signature.function)?;
        let done = self.b.variable("done", DType::Bool);
        let no = self.b.literal(Literal::Bool(false));
        self.b.set(done, no);
        let returns = Returns::new(done, None);
        self.enter(signature.function, &parsed, file, Some(returns), None);
        self.fetch_global_arrays();
        let mut leaf = 0;
        let mut given = signature.given.iter();
        for parameter in parsed.def.parameters.iter_non_variadic_params() {
            let one = given.next()?;
            let name = parameter.name();
            let value = self.given_value(name.as_str(), one, name.range, &mut leaf);
            let site = self.site(name.range);
            self.bind(name.as_str(), value, site);
        }
        if let Some(star) = &parsed.def.parameters.vararg {
            let name = &star.name;
            let rest = given
                .map(|one| self.given_value(name.as_str(), one, name.range, &mut leaf))
                .collect();
            let site = self.site(name.range);
            self.bind(name.as_str(), Value::Tuple(rest), site);
        }
        self.block(&parsed.def.body);
        if self.live() {
            let site = self.site(parsed.def.name.range());
            self.return_at_end(&parsed.def.body, site);
        }
        let returns = self.frame().returns.take()?;
        match returns.result() {
            Some(binding) => {
                let value = self.result(&binding.value, parsed.def.name.range());
                self.result_kind(&value, parsed.def.name.range())
            }
            // It ends with None, unless it always raises.
            None if returns.is_unknown() => None,
            None => Some(ObjectType::None),
        }
    }

    /// What was found out about the containers among the arguments.
    fn containers_given(&mut self, function: FunctionId) -> Vec<Option<ObjectType>> {
        let Some((parsed, _)) = self.parse(function) else {
            return Vec::new();
        };
        let parameters = parsed.def.parameters.iter_non_variadic_params();
        parameters
            .map(|parameter| {
                let place = self.list_key(parameter.name().range);
                self.found_out(place)
            })
            .collect()
    }

    fn given_value(
        &mut self,
        name: &str,
        given: &Given,
        range: TextRange,
        leaf: &mut usize,
    ) -> Value {
        self.b.site = self.site(range);
        match given {
            Given::Type(kind) => self.argument(name, kind, leaf),
            Given::Known(value) => value.clone(),
        }
    }

    /// What the caller gets.
    fn result_kind(&mut self, value: &Value, range: TextRange) -> Option<ObjectType> {
        if value.has_poison() {
            return None;
        }
        let mut found = self.kind_of_result(value);
        if let Some(found) = &mut found {
            self.name_by_class(found, true);
        } else {
            let what = value.describe();
            let diagnostic = self
                .wrong(
                    codes::RECURSION,
                    format!("a function that calls itself cannot return {what}"),
                    range,
                    format!("it returns {what}"),
                )
                .help("write it as a loop");
            self.report(diagnostic);
        }
        found
    }

    fn kind_of_result(&mut self, value: &Value) -> Option<ObjectType> {
        Some(match value {
            Value::List(list) => {
                ObjectType::List(Box::new(self.known_item(list.key).for_python()?))
            }
            Value::Held(held) => ObjectType::List(Box::new(held.item.for_python()?)),
            Value::Named(class, items) if class.is_list() => {
                let mut all = ObjectType::Unknown;
                for item in items {
                    all = all.join(&self.kind_of_result(item)?)?;
                }
                ObjectType::List(Box::new(all))
            }
            Value::Tuple(items) => {
                let items = items.iter().map(|item| self.kind_of_result(item));
                ObjectType::Tuple(items.collect::<Option<_>>()?)
            }
            Value::Optional(inner, _) => {
                ObjectType::Optional(Box::new(self.kind_of_result(inner)?))
            }
            other => self.object_type_of(other)?,
        })
    }
}

/// What a function is given for a parameter; nothing if it takes no such value.
fn given_of(value: &Value) -> Option<Given> {
    Some(Given::Type(match value {
        Value::Function(_) | Value::Builtin(_) | Value::Dtype(_) | Value::Module { .. } => {
            return Some(Given::Known(value.clone()));
        }
        Value::Scalar(scalar) => ArgumentType::Scalar {
            dtype: scalar.dtype,
            weak: scalar.weak,
        },
        Value::View(view) => ArgumentType::Array {
            dtype: view.dtype,
            rank: view.rank() as u8,
            layout: Layout::Strided,
            fortran: false,
            writable: view.writable,
        },
        Value::Tuple(items) => {
            let items = items.iter().map(|item| match given_of(item) {
                Some(Given::Type(kind)) => Some(kind),
                _ => None,
            });
            ArgumentType::Tuple(items.collect::<Option<_>>()?)
        }
        Value::Range(_) => {
            let part = ArgumentType::Scalar {
                dtype: DType::Int64,
                weak: true,
            };
            ArgumentType::Range(vec![part; 3])
        }
        Value::Object(object) => ArgumentType::Held((*object.kind).clone()),
        Value::None => ArgumentType::None,
        Value::Str(text) => ArgumentType::Str(text.clone()),
        _ => return None,
    }))
}

fn each_local(operand: &Operand, visit: &mut dyn FnMut(colocate_ir::LocalId)) {
    match operand {
        Operand::Local(local) => visit(*local),
        Operand::Tuple(items) => items.iter().for_each(|item| each_local(item, visit)),
        _ => {}
    }
}

/// The options of a function as bits, for whoever calls it.
fn how_compiled(options: &ProgramOptions) -> u32 {
    u32::from(options.fast_math)
        | u32::from(options.parallel) << 1
        | u32::from(options.check_bounds) << 2
        | u32::from(options.python_errors) << 3
}

/// Which arguments are strings, tuples and lists of strings that the function takes as they come, as bits: it is not compiled for what
/// they are.
fn as_objects(values: &[Value], callee: &Callee<'_>) -> u64 {
    let declared = callee.parsed.def.parameters.iter_non_variadic_params();
    let mut bits = 0;
    for (position, value) in values.iter().take(declared.count().min(64)).enumerate() {
        let Value::Object(object) = value else {
            continue;
        };
        let as_it_comes = match &*object.kind {
            ObjectType::Text | ObjectType::Sequence(_) => true,
            ObjectType::List(item) => **item == ObjectType::Text,
            _ => false,
        };
        bits |= u64::from(as_it_comes) << position;
    }
    bits
}
