//! Numbers that are an int of Python's if one way was taken and a float, or a bool, if another was: they are computed with
//! as what holds both, and shown and returned as what they are.
//!
//! Where such ways meet, the number gets a mark. If it turns out to be shown (`str`, `print`, f-strings) or returned from
//! the program, the function is translated again, and two more variables say there of which type it is, and which int.
//! A mark says nothing of what is computed from the number, and is lost where a loop goes round.

use crate::objects::python_objects::helper;
use crate::program::{LibraryType, ObjectType};
use crate::scope::Binding;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_diag::Site;
use colocate_ir::{CompareOp, DType, VariableId};
use ruff_text_size::TextRange;

/// What the variable of a meeting says that the number is.
const FLOAT: i64 = 0;
const INT: i64 = 1;
const BOOL: i64 = 2;
const NUMPYS_BOOL: i64 = 3;

/// A meeting of ways.
#[derive(Clone, Copy)]
pub(crate) struct Meeting {
    place: (u32, u32),
    /// Of which type the number is, and the int; absent where nobody was seen to show it.
    kept: Option<(VariableId, VariableId)>,
    /// Of the function that calls itself in which it is.
    function_base: usize,
}

impl Translator<'_> {
    /// The number of the meeting of two values, if one of them may be an int and one a float.
    pub fn meeting(&mut self, a: &Value, b: &Value, site: Site) -> Option<u32> {
        let (Value::Scalar(a), Value::Scalar(b)) = (a, b) else {
            return None;
        };
        // Floats may be NumPy's.
        let known = |x: &Scalar| {
            let integer = x.weak && x.dtype == DType::Int64;
            integer || matches!(x.dtype, DType::Float64 | DType::Bool)
        };
        let marks = [a, b].map(|x| match x.know {
            Know::Either { meeting, .. } => Some(meeting),
            _ => None,
        });
        let differ = a.dtype != b.dtype || marks[0] != marks[1];
        if !self.is_program() || self.level() > 0 || !known(a) || !known(b) || !differ {
            return None;
        }
        let place = (site.file, site.span.start);
        let is_shown = self.shown_numbers.contains(&place);
        for inner in marks.into_iter().flatten().filter(|_| is_shown) {
            self.show_meeting(inner);
        }
        let kept = is_shown.then(|| {
            let which = self.b.variable("type", DType::Int64);
            (which, self.b.variable("int", DType::Int64))
        });
        let function_base = self.function_base;
        self.meetings.push(Meeting {
            place,
            kept,
            function_base,
        });
        Some(self.meetings.len() as u32 - 1)
    }

    /// Whether variables say which of the two it is.
    pub fn is_kept(&self, meeting: u32) -> bool {
        self.meetings[meeting as usize].kept.is_some()
    }

    /// Whether a number that is made of others at a place is shown.
    pub fn is_shown_at(&mut self, range: TextRange) -> bool {
        let site = self.site(range);
        self.shown_numbers.contains(&(site.file, site.span.start))
    }

    /// A number with the mark of where it met another.
    pub fn marked(value: Value, meeting: Option<u32>) -> Value {
        match (value, meeting) {
            (Value::Scalar(scalar), Some(meeting)) if scalar.as_constant().is_none() => Scalar {
                know: Know::Either {
                    meeting,
                    non_negative: scalar.is_non_negative(),
                },
                ..scalar
            }
            .into(),
            (other, _) => other,
        }
    }

    /// A choice between two numbers that is a number at once, with its mark; nothing where it is shown, so that the
    /// ways have to be kept apart.
    pub fn marked_choice(
        &mut self,
        made: Scalar,
        a: &Scalar,
        b: &Scalar,
        range: TextRange,
    ) -> Option<Scalar> {
        let site = self.site(range);
        if made == *a || made == *b {
            return Some(made);
        }
        let Some(meeting) = self.meeting(&(*a).into(), &(*b).into(), site) else {
            return Some(made);
        };
        if self.is_kept(meeting) {
            return None;
        }
        match Self::marked(made.into(), Some(meeting)) {
            Value::Scalar(marked) => Some(marked),
            _ => None,
        }
    }

    /// At the end of a way: what the number of a name is there.
    pub fn keep_shown(&mut self, meeting: u32, name: &str, value: &Value) {
        let Some((which, int)) = self.meetings[meeting as usize].kept else {
            return;
        };
        let Value::Scalar(scalar) = self.recall(name, value) else {
            return;
        };
        let inner = match scalar.know {
            Know::Either { meeting, .. } => self.meetings[meeting as usize].kept,
            _ => None,
        };
        let (is, number) = match (inner, scalar.dtype) {
            (Some((which, number)), _) => (self.b.get(which), self.b.get(number)),
            (None, DType::Int64) => (self.b.int64(INT), self.as_dtype(&scalar, DType::Int64)),
            (None, DType::Bool) => {
                let kind = if scalar.weak { BOOL } else { NUMPYS_BOOL };
                (self.b.int64(kind), self.as_dtype(&scalar, DType::Int64))
            }
            (None, _) => (self.b.int64(FLOAT), self.b.int64(0)),
        };
        self.b.set(which, is);
        self.b.set(int, number);
    }

    /// What a `return` of a function that is translated in place gives, where others give a number, too.
    pub fn return_marked(
        &mut self,
        known: &Binding,
        kept: &Value,
        joined: Value,
        name: &str,
    ) -> Value {
        let mark = match &known.value {
            Value::Scalar(Scalar {
                know: Know::Either { meeting, .. },
                ..
            }) if matches!(joined, Value::Scalar(_)) => Some(*meeting),
            _ => None,
        };
        let meeting = mark.or_else(|| self.meeting(&known.value, kept, known.site));
        if let Some(meeting) = meeting {
            self.keep_shown(meeting, name, kept);
        }
        Self::marked(joined, meeting)
    }

    /// A number that is shown: an object, where it may be an int.
    pub fn shown_number(&mut self, number: &Scalar, range: TextRange) -> Value {
        let whole = Value::Scalar(*number);
        let Know::Either { meeting, .. } = number.know else {
            return whole;
        };
        let found = self.meetings[meeting as usize];
        if !matches!(number.dtype, DType::Float64 | DType::Int64)
            || found.function_base != self.function_base
            || self.level() > 0
        {
            return whole;
        }
        let Some((which, int)) = found.kept else {
            self.show_meeting(meeting);
            return whole;
        };
        let is = |t: &mut Self, kind: i64| {
            let (which, kind) = (t.b.get(which), t.b.int64(kind));
            Scalar::new(
                DType::Bool,
                true,
                t.b.compare(CompareOp::Equal, which, kind),
            )
        };
        let object = |t: &mut Self, number: Scalar| {
            let kind = LibraryType::Object(ObjectType::int_or_float());
            t.call_for(
                &helper("same"),
                &[(number.into(), range)],
                &[],
                &kind,
                range,
            )
        };
        let as_int = |t: &mut Self| {
            let int = Scalar::int(t.b.get(int), Know::Any);
            object(t, int)
        };
        let bool_of = |t: &mut Self, weak: bool| {
            let int = Scalar::int(t.b.get(int), Know::Any);
            let truth = t.cast(&int, DType::Bool, weak);
            object(t, truth)
        };
        let as_bool = |t: &mut Self| {
            let is_pythons = is(t, BOOL);
            t.either(
                &is_pythons,
                range,
                |t| bool_of(t, true),
                |t| bool_of(t, false),
            )
        };
        let float = Scalar {
            know: Know::Any,
            ..*number
        };
        let is_int = is(self, INT);
        if number.dtype == DType::Int64 {
            return self.either(&is_int, range, as_int, as_bool);
        }
        self.either(&is_int, range, as_int, |t| {
            let is_float = is(t, FLOAT);
            t.either(&is_float, range, |t| object(t, float), as_bool)
        })
    }

    /// Reports a question for the type of a number that has another on another way.
    pub fn asked_for_its_type(&mut self, number: &Value, range: TextRange) -> Option<Value> {
        let Value::Scalar(Scalar {
            know: Know::Either { .. },
            ..
        }) = number
        else {
            return None;
        };
        let text = "of which type this number is depends on the path taken";
        let diagnostic = self
            .wrong(
                crate::codes::CONFLICT,
                text,
                range,
                "this asks for its type",
            )
            .help("keep what is asked for in a variable of its own, set where the number is");
        Some(self.report(diagnostic))
    }

    fn show_meeting(&mut self, meeting: u32) {
        let place = self.meetings[meeting as usize].place;
        self.again |= self.shown_numbers.insert(place);
    }
}
