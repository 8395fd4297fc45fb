//! Checks that raise: at once on the host, after the region where an item of one fails.

use crate::program::{Call, Exception, Operand};
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_diag::Site;
use colocate_ir::{BinaryOp, CompareOp, StatementKind, ValueId};
use ruff_text_size::TextRange;

/// An exception that a check raises.
#[derive(Clone, Debug)]
pub(crate) struct Raised {
    pub class: &'static str,
    pub parts: Vec<Part>,
}

/// A part of a message.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Number(Scalar),
    Shape(Vec<Scalar>),
}

/// Failures of items are numbered up to this.
const MOST_FAILURES: i64 = 1 << 16;

/// What an item of a region may end with.
#[derive(Clone, Debug)]
pub(crate) enum Failing {
    Check(Raised, Site),
    Statement {
        class: Exception,
        arguments: Vec<Operand>,
        site: Site,
    },
}

impl Translator<'_> {
    /// Raises if a condition holds.
    pub fn raise_if(&mut self, condition: ValueId, raised: &Raised, range: TextRange) {
        if self.is_trying() {
            self.flush();
        }
        self.b.begin_if(condition);
        self.raise(raised, range);
        self.b.end();
    }

    /// Raises; in a region the item notes it and ends.
    pub fn raise(&mut self, raised: &Raised, range: TextRange) {
        let site = self.site(range);
        self.raise_at(raised, site);
    }

    fn raise_at(&mut self, raised: &Raised, site: Site) {
        if self.level() > 0 {
            self.fail_item(raised, site);
            return;
        }
        if self.is_trying() {
            let message = crate::host::trying::message_of(&raised.parts);
            let class = Exception::Builtin(raised.class.into());
            self.raise_caught(class, message, true, site);
            return;
        }
        let range = TextRange::default();
        let mut words = Vec::new();
        let mut arguments = Vec::new();
        for part in &raised.parts {
            let value = match part {
                Part::Text(text) => Value::Str(text.clone()),
                Part::Number(scalar) => (*scalar).into(),
                Part::Shape(extents) => {
                    Value::Tuple(extents.iter().copied().map(Value::Scalar).collect())
                }
            };
            if let Some(operand) = self.operand_of(&value, &mut words, range) {
                arguments.push(operand);
            }
        }
        let call = Call::Raise {
            class: Exception::Builtin(raised.class.into()),
            arguments,
            lists: self.lists_at_raise(&mut words),
            joined: true,
            site,
        };
        self.call(call, &words, Vec::new());
        self.b.push(StatementKind::Return);
    }

    fn fail_item(&mut self, raised: &Raised, site: Site) {
        // Numbers of the item are not known outside: the message does without them.
        let parts = raised.parts.iter().map(|part| match part {
            Part::Number(number) if number.as_constant().is_some() => part.clone(),
            Part::Text(text) => Part::Text(text.clone()),
            _ => Part::Text("...".into()),
        });
        let plain = Raised {
            class: raised.class,
            parts: parts.collect(),
        };
        self.fail_with(Failing::Check(plain, site));
    }

    /// Ends an item with a failure that the host raises after the launch.
    pub fn fail_with(&mut self, failing: Failing) {
        let Some(region) = &self.region else {
            return;
        };
        let Some(failure) = region.failure else {
            self.hinder("it may raise an exception");
            return;
        };
        let number = self.failures.len() as i64;
        self.failures.push(failing);
        if number >= MOST_FAILURES {
            self.hinder("it raises too many exceptions");
            return;
        }
        let rank = self.b.kernel().rank;
        let mut linear = self.b.index(colocate_ir::IndexFunction::GlobalId, 0);
        for axis in 1..rank {
            let extent = self.b.index(colocate_ir::IndexFunction::GlobalSize, axis);
            let id = self.b.index(colocate_ir::IndexFunction::GlobalId, axis);
            let scaled = self.b.binary(BinaryOp::Multiply, linear, extent);
            linear = self.b.binary(BinaryOp::Add, scaled, id);
        }
        let most = self.b.int64(MOST_FAILURES);
        let scaled = self.b.binary(BinaryOp::Multiply, linear, most);
        let number = self.b.int64(number);
        let code = self.b.binary(BinaryOp::Add, scaled, number);
        self.b.set(failure, code);
        self.b.push(StatementKind::Return);
    }

    /// After a launch: raises what the first failing item noted.
    pub fn raise_failures(&mut self, code: ValueId, failures: &[Failing]) {
        if failures.is_empty() {
            return;
        }
        let none = self.b.int64(i64::MAX);
        let failed = self.b.compare(CompareOp::NotEqual, code, none);
        self.b.begin_if(failed);
        let most = self.b.int64(MOST_FAILURES);
        let which = self.b.binary(BinaryOp::Remainder, code, most);
        for (number, failing) in failures.iter().enumerate() {
            let here = self.b.int64(number as i64);
            let this = self.b.compare(CompareOp::Equal, which, here);
            self.b.begin_if(this);
            match failing {
                Failing::Check(raised, site) => self.raise_at(raised, *site),
                Failing::Statement {
                    class,
                    arguments,
                    site,
                } if self.is_trying() => {
                    let arguments = arguments.iter().map(|argument| match argument {
                        Operand::Constant(constant) => self.captured_value(constant),
                        _ => Value::None,
                    });
                    let arguments = arguments.collect();
                    self.raise_caught(class.clone(), arguments, false, *site);
                }
                Failing::Statement {
                    class,
                    arguments,
                    site,
                } => {
                    let mut words = Vec::new();
                    let call = Call::Raise {
                        class: class.clone(),
                        arguments: arguments.clone(),
                        lists: self.lists_at_raise(&mut words),
                        joined: false,
                        site: *site,
                    };
                    self.call(call, &words, Vec::new());
                    self.b.push(StatementKind::Return);
                }
            }
            self.b.end();
        }
        self.b.end();
    }
}
