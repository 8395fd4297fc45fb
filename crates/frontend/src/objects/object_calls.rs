//! Calls of Python functions by the host part, with objects among what they take and give.

use crate::codes;
use crate::objects::python_objects::{INT, library_type};
use crate::program::{Call, LibraryType, ObjectType, Outcome};
use crate::translate::Translator;
use crate::value::{Value, View};
use colocate_ir::{ArrayRef, CallResult, Layout};
use ruff_text_size::TextRange;

/// Whether a value is known by what it is outside the function.
fn is_named(value: &Value) -> bool {
    matches!(value, Value::Module { .. } | Value::Choice(..))
}

impl Translator<'_> {
    /// An argument of a Python function, made ready for it.
    pub fn python_operand(&mut self, value: &Value, range: TextRange) -> Value {
        match value {
            Value::Range(parts) => {
                let parts: Vec<_> = parts
                    .iter()
                    .map(|part| (Value::Scalar(*part), range))
                    .collect();
                let kind = ObjectType::List(Box::new(INT));
                self.python_call("builtins.range", &parts, &[], Some(kind), range)
            }
            other => self.shown(other, range),
        }
    }

    /// The type of an argument of a Python function.
    pub fn python_type(&mut self, value: &Value) -> Option<LibraryType> {
        match value {
            Value::List(list) => {
                let item = ObjectType::Scalar {
                    dtype: list.dtype,
                    weak: list.weak,
                };
                Some(LibraryType::Object(ObjectType::List(Box::new(item))))
            }
            Value::Named(class, items) if class.handle == crate::host::part::LIST_CLASS => {
                let items = items.iter().map(|item| self.python_type(item));
                Some(LibraryType::List(items.collect::<Option<_>>()?))
            }
            Value::Named(class, _) if class.is_plain() => {
                Some(library_type(&self.object_type_of(value)?))
            }
            other => self.library_type(other),
        }
    }

    /// Calls a Python function, or `method.name` of the first argument. What it gives is known, or found
    /// out by example.
    pub fn python_call(
        &mut self,
        function: &str,
        arguments: &[(Value, TextRange)],
        keywords: &[(String, Value, TextRange)],
        result: Option<ObjectType>,
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses an object of Python's");
        }
        if self.is_trying() {
            self.flush();
        }
        if let Some(ObjectType::Optional(inner)) = &result {
            return self.optional_call(function, arguments, keywords, inner, range);
        }
        let arguments: Vec<_> = arguments
            .iter()
            .map(|(value, place)| (self.python_operand(value, *place), *place))
            .collect();
        let keywords: Vec<_> = keywords
            .iter()
            .map(|(name, value, place)| (name.clone(), self.python_operand(value, *place), *place))
            .collect();
        let mut types = Vec::new();
        let mut named = Vec::new();
        for (value, place) in &arguments {
            match self.python_type(value) {
                Some(found) => types.push(found),
                // Nobody tries what it gives for a member of an enumeration.
                None if result.is_some() && is_named(value) => {
                    types.push(LibraryType::Object(ObjectType::Unknown));
                }
                None => return self.no_library_argument(function, value, *place),
            }
        }
        for (name, value, place) in &keywords {
            match self.python_type(value) {
                Some(found) => named.push((name.clone(), found)),
                None => return self.no_library_argument(function, value, *place),
            }
        }
        let by_rule = result.is_some();
        let found = match result {
            Some(kind) => library_type(&kind),
            None => match self.env.library(function, &types, &named) {
                Ok(LibraryType::Constant(constant)) => return self.captured_value(&constant),
                Ok(found) => found,
                Err(why) => return self.not_taken(function, why, range),
            },
        };
        let mut words = Vec::new();
        let mut given = Vec::new();
        let mut given_keywords = Vec::new();
        for (value, place) in &arguments {
            match self.operand_of(value, &mut words, *place) {
                Some(operand) => given.push(operand),
                None => return Value::Poison,
            }
        }
        for (name, value, place) in &keywords {
            match self.operand_of(value, &mut words, *place) {
                Some(operand) => given_keywords.push((name.clone(), operand)),
                None => return Value::Poison,
            }
        }
        let call = |result: Outcome| Call::Library {
            function: function.to_string(),
            arguments: given.clone(),
            keywords: given_keywords.clone(),
            result,
            changes: Vec::new(),
        };
        // A new list of numbers is one of ours.
        if let LibraryType::Object(ObjectType::List(item)) = &found
            && let ObjectType::Scalar { dtype, weak } = **item
            && !by_rule
        {
            let local = self.b.local("list", dtype, 1, Layout::Contiguous);
            self.guarded_call(
                call(Outcome::Local(local)),
                &words,
                vec![CallResult::Local(local)],
            );
            let view = View::whole(ArrayRef::Local(local), dtype, 1, true);
            return self.list_from_python(view, weak);
        }
        let mut results = Vec::new();
        let mut made = Vec::new();
        let outcome = self.outcome(&found, &mut results, &mut made);
        self.guarded_call(call(outcome), &words, results);
        let mut value = self.outcome_value(&found, &mut made.into_iter(), range);
        if by_rule {
            value = self.held_elsewhere(value);
        }
        self.with_parts_that_may_be_none(value, range)
    }

    /// What came out of an object of Python's: its arrays are copies where devices do not reach the host's memory.
    fn held_elsewhere(&mut self, value: Value) -> Value {
        let program = self.program.as_ref();
        if program.is_none_or(|program| program.options.unified) {
            return value;
        }
        match value {
            Value::View(view) => {
                if let ArrayRef::Local(local) = view.base {
                    self.copies_on_devices.insert(local);
                }
                Value::View(View {
                    writable: false,
                    ..view
                })
            }
            Value::Tuple(items) => {
                let items = items.into_iter().map(|item| self.held_elsewhere(item));
                Value::Tuple(items.collect())
            }
            Value::Named(class, items) if class.is_plain() => {
                let items = items.into_iter().map(|item| self.held_elsewhere(item));
                Value::Named(class, items.collect())
            }
            other => other,
        }
    }

    /// What came out of Python, of which parts may be None.
    pub fn with_parts_that_may_be_none(&mut self, value: Value, range: TextRange) -> Value {
        let mut all = |items: Vec<Value>| {
            let mut opened = Vec::new();
            for item in items {
                opened.push(self.with_parts_that_may_be_none(item, range));
            }
            opened
        };
        match value {
            Value::Tuple(items) => Value::Tuple(all(items)),
            Value::Named(class, items) if class.is_plain() => Value::Named(class, all(items)),
            Value::Object(object) => match &*object.kind {
                ObjectType::Optional(inner) => {
                    let inner = inner.clone();
                    self.there_or_none(Value::Object(object), &inner, range)
                }
                _ => Value::Object(object),
            },
            other => other,
        }
    }

    /// A call that gives something or None.
    fn optional_call(
        &mut self,
        function: &str,
        arguments: &[(Value, TextRange)],
        keywords: &[(String, Value, TextRange)],
        inner: &ObjectType,
        range: TextRange,
    ) -> Value {
        let whole = LibraryType::Object(inner.clone());
        let found = self.call_for(function, arguments, keywords, &whole, range);
        self.there_or_none(found, inner, range)
    }

    /// A call whose result is of a type that no rule turns into something else.
    pub fn call_for(
        &mut self,
        function: &str,
        arguments: &[(Value, TextRange)],
        keywords: &[(String, Value, TextRange)],
        result: &LibraryType,
        range: TextRange,
    ) -> Value {
        let mut words = Vec::new();
        let (mut given, mut named) = (Vec::new(), Vec::new());
        for (value, place) in arguments {
            let value = self.python_operand(value, *place);
            match self.operand_of(&value, &mut words, *place) {
                Some(operand) => given.push(operand),
                None => return Value::Poison,
            }
        }
        for (name, value, place) in keywords {
            let value = self.python_operand(value, *place);
            match self.operand_of(&value, &mut words, range) {
                Some(operand) => named.push((name.clone(), operand)),
                None => return Value::Poison,
            }
        }
        let mut results = Vec::new();
        let mut made = Vec::new();
        let outcome = self.outcome(result, &mut results, &mut made);
        let call = Call::Library {
            function: function.to_string(),
            arguments: given,
            keywords: named,
            result: outcome,
            changes: Vec::new(),
        };
        self.guarded_call(call, &words, results);
        let value = self.outcome_value(result, &mut made.into_iter(), range);
        self.held_elsewhere(value)
    }

    fn not_taken(&mut self, function: &str, why: String, range: TextRange) -> Value {
        let shown = function
            .replace("method.", "the method ")
            .replace("builtins.", "")
            .replace("operator.", "the operator ");
        let diagnostic = self
            .wrong(
                codes::FUNCTION,
                format!("`{shown}` does not take these arguments"),
                range,
                "",
            )
            .note(why);
        self.report(diagnostic)
    }
}
