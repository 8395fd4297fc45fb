//! Numbers that are an int of Python's if one way was taken and a float if another was: they are computed with as floats,
//! and shown as what they are.
//!
//! Where such ways meet, the number gets a mark. If it turns out to be shown (`str`, `print`, f-strings), the function is
//! translated again, and two more variables say there whether it is the int, and which one. A mark says nothing of what is
//! computed from the number, and is lost where a loop goes round.

use crate::objects::python_objects::helper;
use crate::program::{LibraryType, ObjectType};
use crate::scope::Binding;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_diag::Site;
use colocate_ir::{DType, Literal, VariableId};
use ruff_text_size::TextRange;

/// A meeting of ways.
#[derive(Clone, Copy)]
pub(crate) struct Meeting {
    place: (u32, u32),
    /// Whether the number is the int, and the int; absent where nobody was seen to show it.
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
        let whole = |x: &Scalar| x.dtype == DType::Int64;
        // Floats may be NumPy's.
        let known = |x: &Scalar| x.weak && whole(x) || x.dtype == DType::Float64;
        let marks = [a, b].map(|x| match x.know {
            Know::Either { meeting, .. } => Some(meeting),
            _ => None,
        });
        let differ = whole(a) != whole(b) || marks[0] != marks[1];
        if !self.is_program() || self.level() > 0 || !known(a) || !known(b) || !differ {
            return None;
        }
        let place = (site.file, site.span.start);
        let is_shown = self.shown_numbers.contains(&place);
        for inner in marks.into_iter().flatten().filter(|_| is_shown) {
            self.show_meeting(inner);
        }
        let kept = is_shown.then(|| {
            let whole = self.b.variable("is int", DType::Bool);
            (whole, self.b.variable("int", DType::Int64))
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
        let Some((is_int, int)) = self.meetings[meeting as usize].kept else {
            return;
        };
        let Value::Scalar(scalar) = self.recall(name, value) else {
            return;
        };
        let inner = match scalar.know {
            Know::Either { meeting, .. } => self.meetings[meeting as usize].kept,
            _ => None,
        };
        let whole = scalar.dtype == DType::Int64;
        let (is, number) = match inner {
            Some((is, number)) => (self.b.get(is), self.b.get(number)),
            None if whole => (
                self.b.literal(Literal::Bool(true)),
                self.as_dtype(&scalar, DType::Int64),
            ),
            None => (self.b.literal(Literal::Bool(false)), self.b.int64(0)),
        };
        self.b.set(is_int, is);
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
        if number.dtype != DType::Float64
            || found.function_base != self.function_base
            || self.level() > 0
        {
            return whole;
        }
        let Some((is_int, int)) = found.kept else {
            self.show_meeting(meeting);
            return whole;
        };
        let is = Scalar::new(DType::Bool, true, self.b.get(is_int));
        let int = Scalar::int(self.b.get(int), Know::Any);
        let float = Scalar {
            know: Know::Any,
            ..*number
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
        self.either(&is, range, |t| object(t, int), |t| object(t, float))
    }

    fn show_meeting(&mut self, meeting: u32) {
        let place = self.meetings[meeting as usize].place;
        self.again |= self.shown_numbers.insert(place);
    }
}
