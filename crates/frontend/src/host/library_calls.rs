//! Calls of the array library's functions.

use crate::arrays::lazy::{is_array, rank_of};
use crate::host::failures::{Part, Raised};
use crate::host::outside_functions::own_name;
use crate::host::part::constant_operand;
use crate::objects::changed_attributes::instance;
use crate::objects::items::Item;
use crate::objects::python_objects::Object;
use crate::program::{Call, LibraryType, ObjectType, Operand, Outcome};
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value, View};
use crate::{Captured, codes};
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, CompareOp, DType, Kind, Layout, LocalId, Op, ValueId,
};
use ruff_text_size::TextRange;

pub(crate) enum Made {
    Local(LocalId),
    Variables(Vec<colocate_ir::VariableId>),
    Handle(colocate_ir::VariableId),
}

impl Translator<'_> {
    /// The shape that arrays have when they are broadcast together. Shapes that do not fit raise
    /// when the program runs.
    pub fn broadcast(&mut self, operands: &[Value], range: TextRange) -> Option<Vec<Scalar>> {
        let shapes: Vec<Vec<Scalar>> = operands
            .iter()
            .filter(|operand| is_array(operand))
            .map(|operand| self.shape_of(operand))
            .collect();
        let rank = shapes.iter().map(Vec::len).max().unwrap_or(0);
        let mut result: Vec<Option<Scalar>> = vec![None; rank];
        let mut wrong: Option<ValueId> = None;
        for shape in &shapes {
            let first = rank - shape.len();
            for (slot, extent) in result[first..].iter_mut().zip(shape) {
                let Some(known) = *slot else {
                    *slot = Some(*extent);
                    continue;
                };
                if self.same(&known, extent) || extent.as_int() == Some(1) {
                    continue;
                }
                if known.as_int() == Some(1) {
                    *slot = Some(*extent);
                    continue;
                }
                // What was broadcast with an extent before fits it: without this, shapes of expressions that
                // use others several times would grow like a tree.
                if self.is_broadcast_of(&known, extent) {
                    continue;
                }
                if self.is_broadcast_of(extent, &known) {
                    *slot = Some(*extent);
                    continue;
                }
                let (a, b) = (self.ir(&known), self.ir(extent));
                let one = self.b.int64(1);
                let differ = self.b.compare(CompareOp::NotEqual, a, b);
                let a_long = self.b.compare(CompareOp::NotEqual, a, one);
                let b_long = self.b.compare(CompareOp::NotEqual, b, one);
                let mut bad = self.b.binary(BinaryOp::BitAnd, differ, a_long);
                bad = self.b.binary(BinaryOp::BitAnd, bad, b_long);
                wrong = Some(match wrong {
                    Some(wrong) => self.b.binary(BinaryOp::BitOr, wrong, bad),
                    None => bad,
                });
                // What is a constant other than 1 is the extent, whatever the other is.
                if known.as_int().is_some() {
                    continue;
                }
                if extent.as_int().is_some() {
                    *slot = Some(*extent);
                    continue;
                }
                let chosen = self.b.select(a_long, a, b);
                self.broadcasts.insert(chosen);
                *slot = Some(Scalar::int(chosen, Know::NonNegative));
            }
        }
        if let Some(wrong) = wrong {
            let mut parts = vec![Part::Text(
                "operands could not be broadcast together with shapes ".into(),
            )];
            for shape in shapes {
                parts.push(Part::Shape(shape));
                parts.push(Part::Text(" ".into()));
            }
            let raised = Raised {
                class: "ValueError",
                parts,
            };
            self.raise_if(wrong, &raised, range);
        }
        Some(result.into_iter().flatten().collect())
    }

    /// Whether an extent is what others were broadcast to, among them all that another is made of.
    fn is_broadcast_of(&mut self, whole: &Scalar, part: &Scalar) -> bool {
        let (Some(whole), Some(part)) = (whole.ir, part.ir) else {
            return false;
        };
        let wholes = self.broadcast_parts(whole);
        let parts = self.broadcast_parts(part);
        parts
            .iter()
            .all(|part| wholes.iter().any(|one| self.same_value(*one, *part, 24)))
    }

    /// The extents that one was broadcast of.
    fn broadcast_parts(&self, extent: ValueId) -> Vec<ValueId> {
        let mut parts = Vec::new();
        let mut left = vec![extent];
        while let Some(next) = left.pop() {
            let next = crate::arrays::lazy::resolved(&self.b, &self.constant_variables, next);
            if self.broadcasts.contains(&next)
                && let Some(Op::Select(_, a, b)) = self.b.definition(next)
            {
                left.extend([*b, *a]);
            } else {
                parts.push(next);
            }
        }
        parts
    }

    /// The type of an argument of a library function.
    pub fn library_type(&mut self, value: &Value) -> Option<LibraryType> {
        Some(match value {
            Value::List(list) if self.holds_nothing(list) => LibraryType::Array {
                dtype: DType::Float64,
                rank: 1,
            },
            Value::List(list) => LibraryType::Array {
                dtype: list.dtype,
                rank: 1,
            },
            Value::Held(held) => list_type(&held.item),
            Value::Named(class, items) if class.is_list() => LibraryType::List(
                items
                    .iter()
                    .map(|item| self.library_type(item))
                    .collect::<Option<_>>()?,
            ),
            Value::View(view) => LibraryType::Array {
                dtype: view.dtype,
                rank: view.rank() as u8,
            },
            Value::Lazy(lazy) => LibraryType::Array {
                dtype: lazy.dtype,
                rank: lazy.rank() as u8,
            },
            Value::Scalar(scalar) => match constant_operand(scalar) {
                Some(constant) => LibraryType::Constant(constant),
                None => LibraryType::Scalar {
                    dtype: scalar.dtype,
                    weak: scalar.weak,
                },
            },
            Value::None => LibraryType::Constant(Captured::None),
            Value::Str(text) => LibraryType::Constant(Captured::Str(text.clone())),
            Value::Dtype(dtype) => LibraryType::Constant(Captured::Dtype(*dtype)),
            Value::Builtin(_) => {
                LibraryType::Constant(Captured::Dtype(self.as_dtype_value(value)?))
            }
            Value::Ellipsis => LibraryType::Ellipsis,
            Value::Object(object) => LibraryType::Object((*object.kind).clone()),
            Value::Named(class, _) if class.is_instance => {
                LibraryType::Object(crate::program::ObjectType::Unknown)
            }
            Value::Named(class, _) if class.handle == crate::host::trying::EXCEPTION_CLASS => {
                LibraryType::Object(crate::program::ObjectType::Exception)
            }
            Value::Tuple(items) => LibraryType::Tuple(
                items
                    .iter()
                    .map(|item| self.library_type(item))
                    .collect::<Option<_>>()?,
            ),
            Value::Slice(parts) => {
                let parts: Option<Vec<_>> = parts
                    .iter()
                    .map(|part| self.library_type(&part.map_or(Value::None, Value::Scalar)))
                    .collect();
                LibraryType::Slice(parts?)
            }
            _ => return None,
        })
    }

    /// Calls a function of the array library.
    pub fn library(
        &mut self,
        function: &str,
        arguments: &[(Value, TextRange)],
        keywords: &[(String, Value, TextRange)],
        changes: &[Value],
        range: TextRange,
    ) -> Value {
        if self.level() > 0 {
            return self.hinder(&format!(
                "it calls {}, which runs as a call of its own",
                function.strip_prefix("method.").unwrap_or(function)
            ));
        }
        if self.is_trying() {
            self.flush();
        }
        let mut types = Vec::new();
        let mut named = Vec::new();
        for (value, place) in arguments {
            match self.library_type(value) {
                Some(found) => types.push(found),
                None => return self.no_library_argument(function, value, *place),
            }
        }
        for (name, value, place) in keywords {
            match self.library_type(value) {
                Some(found) => named.push((name.clone(), found)),
                None => return self.no_library_argument(function, value, *place),
            }
        }
        let result = match self.env.library(function, &types, &named) {
            Ok(result) => result,
            Err(why) => {
                let shown = match function.strip_prefix("method.") {
                    Some(name) => format!("the method `{name}`"),
                    None => format!("`{}`", own_name(function).unwrap_or(function)),
                };
                let mut given: Vec<String> = arguments
                    .iter()
                    .map(|(value, _)| value.describe())
                    .collect();
                given.extend(
                    keywords
                        .iter()
                        .map(|(name, value, _)| format!("{name}={}", value.describe())),
                );
                let label = match given.is_empty() {
                    true => String::new(),
                    false => format!("it is given {}", given.join(", ")),
                };
                let diagnostic = self
                    .wrong(
                        codes::FUNCTION,
                        format!("{shown} does not take these arguments"),
                        range,
                        label,
                    )
                    .note(why);
                return self.report(diagnostic);
            }
        };
        for value in changes {
            if let Value::View(view) = value
                && !view.writable
                && self.is_copy_written(view, range)
            {
                return Value::Poison;
            }
        }
        // What it changes is computed before, and what reads it, too.
        if !changes.is_empty() {
            self.flush();
            changes
                .iter()
                .filter_map(Self::dtype_of)
                .for_each(|dtype| self.note_written(dtype));
        }
        let mut words = Vec::new();
        let mut given = Vec::new();
        let mut given_keywords = Vec::new();
        let mut changed = Vec::new();
        for (value, place) in arguments {
            let value = &self.settled_list(value);
            let Some(operand) = self.operand_of(value, &mut words, *place) else {
                return Value::Poison;
            };
            note_changed(value, &operand, changes, &mut changed);
            given.push(operand);
        }
        for (name, value, place) in keywords {
            let Some(operand) = self.operand_of(value, &mut words, *place) else {
                return Value::Poison;
            };
            note_changed(value, &operand, changes, &mut changed);
            given_keywords.push((name.clone(), operand));
        }
        let mut results = Vec::new();
        let mut made = Vec::new();
        let outcome = self.outcome(&result, &mut results, &mut made);
        let call = Call::Library {
            function: function.to_string(),
            arguments: given,
            keywords: given_keywords,
            result: outcome.clone(),
            changes: changed,
        };
        self.guarded_call(call, &words, results);
        let mut made = made.into_iter();
        let mut value = self.outcome_value(&result, &mut made, range);
        let unified = self
            .program
            .as_ref()
            .is_some_and(|state| state.options.unified);
        if is_read_only(function, arguments, keywords) || !unified && gives_views(function) {
            // Where the host does not reach the memory a view is a copy: writing to it would be lost.
            crate::scope::each_view(&mut value, &mut |view| view.writable = false);
            if let Value::Held(held) = &mut value
                && let Item::Array { writable, .. } = &mut held.item
            {
                *writable = false;
            }
        }
        value
    }

    /// Whether an array is what a library function made, and no part of another.
    pub fn is_own(&self, view: &View) -> bool {
        let (ArrayRef::Local(local), Some(program)) = (view.base, &self.program) else {
            return false;
        };
        program.calls.iter().any(|call| {
            matches!(
                call,
                Call::Library { function, result: Outcome::Local(made), .. }
                    if *made == local && !gives_views(function)
            )
        })
    }

    pub fn no_library_argument(
        &mut self,
        function: &str,
        value: &Value,
        range: TextRange,
    ) -> Value {
        if value.has_poison() {
            return Value::Poison;
        }
        let what = value.describe();
        let diagnostic = self.wrong(
            codes::ARGUMENTS,
            format!("`{function}` does not take {what}"),
            range,
            format!("this is {what}"),
        );
        self.report(diagnostic)
    }

    pub fn outcome(
        &mut self,
        result: &LibraryType,
        results: &mut Vec<CallResult>,
        made: &mut Vec<Made>,
    ) -> Outcome {
        match result {
            LibraryType::Array { dtype, rank } => {
                let local = self.b.local("result", *dtype, *rank, Layout::Strided);
                results.push(CallResult::Local(local));
                made.push(Made::Local(local));
                Outcome::Local(local)
            }
            LibraryType::Scalar { dtype, .. } => {
                let parts = if dtype.kind() == Kind::Complex { 2 } else { 1 };
                let word = if parts == 2 { DType::Float64 } else { *dtype };
                let variables: Vec<_> = (0..parts)
                    .map(|_| self.b.variable("result", word))
                    .collect();
                results.extend(variables.iter().copied().map(CallResult::Variable));
                made.push(Made::Variables(variables));
                Outcome::Scalar(*dtype)
            }
            LibraryType::List(items) if common_item(items).is_some() => {
                let variable = self.b.variable("list", DType::Int64);
                results.push(CallResult::Variable(variable));
                made.push(Made::Variables(vec![variable]));
                let item = common_item(items).unwrap_or(Item::Open);
                Outcome::Held(item.for_runtime())
            }
            LibraryType::Tuple(items) | LibraryType::Named(_, items) | LibraryType::List(items) => {
                let items = items.iter().map(|item| self.outcome(item, results, made));
                Outcome::Tuple(items.collect())
            }
            LibraryType::Object(_) => {
                let handle = self.b.variable("object", DType::Int64);
                results.push(CallResult::Variable(handle));
                made.push(Made::Handle(handle));
                self.objects_made += 1;
                Outcome::Object
            }
            _ => Outcome::None,
        }
    }

    pub fn outcome_value(
        &mut self,
        result: &LibraryType,
        made: &mut dyn Iterator<Item = Made>,
        range: TextRange,
    ) -> Value {
        match result {
            LibraryType::List(items) if common_item(items).is_some() => match made.next() {
                Some(Made::Variables(variables)) => {
                    let number = self.b.get(variables[0]);
                    let found = common_item(items).unwrap_or(Item::Open);
                    let key = self.list_key(range);
                    // If more is put into it later, it cannot be widened.
                    self.admit_item(key, &found, &found, range);
                    Value::Held(Box::new(crate::objects::held_lists::Held {
                        number: Scalar::int(number, Know::Any),
                        item: found,
                        key,
                    }))
                }
                _ => Value::Poison,
            },
            LibraryType::Array { dtype, rank } => match made.next() {
                Some(Made::Local(local)) => Value::View(View::whole(
                    ArrayRef::Local(local),
                    *dtype,
                    usize::from(*rank),
                    false,
                )),
                _ => Value::Poison,
            },
            LibraryType::Scalar { dtype, weak } => match made.next() {
                Some(Made::Variables(variables)) => {
                    let values: Vec<_> = variables.iter().map(|v| self.b.get(*v)).collect();
                    let ir = match (&values[..], dtype) {
                        ([re, im], DType::Complex64) => {
                            let (re, im) = (
                                self.b.convert(*re, DType::Float32),
                                self.b.convert(*im, DType::Float32),
                            );
                            self.b.op(colocate_ir::Op::Complex(re, im))
                        }
                        ([re, im], _) => self.b.op(colocate_ir::Op::Complex(*re, *im)),
                        ([one], _) => *one,
                        _ => return Value::Poison,
                    };
                    Scalar::new(*dtype, *weak, ir).into()
                }
                _ => Value::Poison,
            },
            LibraryType::Tuple(items) => {
                let items = items
                    .iter()
                    .map(|item| self.outcome_value(item, made, range));
                Value::Tuple(items.collect())
            }
            LibraryType::Named(class, items) => {
                let items: Vec<Value> = items
                    .iter()
                    .map(|item| self.outcome_value(item, made, range))
                    .collect();
                match self.captured_value(class) {
                    Value::NamedClass(class) => Value::Named(class, items),
                    _ => Value::Tuple(items),
                }
            }
            LibraryType::List(items) => {
                let items: Vec<Value> = items
                    .iter()
                    .map(|item| self.outcome_value(item, made, range))
                    .collect();
                self.listed(items, range)
            }
            LibraryType::Constant(constant) => self.captured_value(&constant.clone()),
            LibraryType::Object(kind) => match made.next() {
                Some(Made::Handle(handle)) => {
                    let object = Value::Object(Object {
                        kind: std::rc::Rc::new(kind.clone()),
                        handle: Scalar::int(self.b.get(handle), Know::NonNegative),
                        origins: std::rc::Rc::new([]),
                    });
                    match kind {
                        ObjectType::Instance(class) => instance(class, object),
                        _ => object,
                    }
                }
                _ => Value::Poison,
            },
            _ => Value::None,
        }
    }
}

/// Which arrays an operand has among those that change.
fn note_changed(value: &Value, operand: &Operand, changes: &[Value], changed: &mut Vec<LocalId>) {
    match (value, operand) {
        (value, Operand::Local(local)) if changes.contains(value) => changed.push(*local),
        (Value::Tuple(items), Operand::Tuple(operands)) => {
            for (item, operand) in items.iter().zip(operands) {
                note_changed(item, operand, changes, changed);
            }
        }
        _ => {}
    }
}

/// A list as a library function is given it, by example: two items.
fn list_type(item: &Item) -> LibraryType {
    let one = match item {
        Item::Open | Item::Scalar(..) => {
            let (dtype, weak) = item.number();
            LibraryType::Scalar { dtype, weak }
        }
        Item::Array { dtype, rank, .. } => LibraryType::Array {
            dtype: *dtype,
            rank: *rank as u8,
        },
        Item::Tuple(items) | Item::Named(_, items) => {
            LibraryType::Tuple(items.iter().map(item_type).collect())
        }
        Item::List(inner) => list_type(inner),
        Item::None | Item::Optional(_) => LibraryType::None,
    };
    LibraryType::List(vec![one.clone(), one])
}

fn item_type(item: &Item) -> LibraryType {
    match list_type(item) {
        LibraryType::List(mut items) => items.swap_remove(0),
        other => other,
    }
}

/// What all items of a list are that a library function gives, if they are alike.
fn common_item(items: &[LibraryType]) -> Option<Item> {
    let item = |one: &LibraryType| -> Option<Item> {
        Some(match one {
            LibraryType::Array { dtype, rank } => Item::Array {
                dtype: *dtype,
                rank: usize::from(*rank),
                writable: true,
            },
            LibraryType::Scalar { dtype, weak } => Item::Scalar(*dtype, *weak),
            LibraryType::List(inner) => Item::List(Box::new(common_item(inner)?)),
            _ => return None,
        })
    };
    let first = item(items.first()?)?;
    let rest = items[1..].iter().map(item);
    for one in rest {
        if one? != first {
            return None;
        }
    }
    Some(first)
}

/// Whether a library function gives a view of its argument, in NumPy.
pub(crate) fn gives_views(function: &str) -> bool {
    let name = function.rsplit('.').next().unwrap_or(function);
    function.starts_with("attribute.")
        || matches!(
            name,
            "array_split"
                | "atleast_1d"
                | "atleast_2d"
                | "atleast_3d"
                | "broadcast_to"
                | "diagonal"
                | "dsplit"
                | "hsplit"
                | "moveaxis"
                | "rollaxis"
                | "rot90"
                | "sliding_window_view"
                | "split"
                | "squeeze"
                | "swapaxes"
                | "view"
                | "vsplit"
        )
}

/// Whether a library function gives views that NumPy does not let anybody write to, unless they are asked for.
pub fn gives_read_only(function: &str) -> bool {
    let name = function.rsplit('.').next().unwrap_or(function);
    matches!(name, "broadcast_to" | "diagonal" | "sliding_window_view")
}

/// The same of what it is given.
fn is_read_only(
    function: &str,
    arguments: &[(Value, TextRange)],
    keywords: &[(String, Value, TextRange)],
) -> bool {
    let asked = keywords.iter().any(|(keyword, value, _)| {
        let is_true = matches!(value, Value::Scalar(x) if x.as_int() == Some(1));
        keyword == "writeable" && is_true
    });
    let of_matrix = || {
        let first = arguments.first();
        first.and_then(|(value, _)| rank_of(value)) == Some(2)
    };
    gives_read_only(function) && !asked || function == "numpy.diag" && of_matrix()
}
