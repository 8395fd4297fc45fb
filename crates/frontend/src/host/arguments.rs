//! The arguments of a jit function: how the host part declares them, and which values they are to it.

use crate::host::part::list_class;
use crate::objects::items::Item;
use crate::program::{Call, ObjectType};
use crate::translate::Translator;
use crate::value::{Scalar, Value, View};
use crate::{ArgumentType, codes};
use colocate_ir::{ArrayRef, CallResult, DType, Layout, LocalId, ParamKind};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// Declares the parameters of an argument of a jit function, and gives its value.
    pub fn argument(&mut self, name: &str, argument: &ArgumentType, leaf: &mut usize) -> Value {
        if let ArgumentType::List { .. } | ArgumentType::ListOf(_) | ArgumentType::Items(_) =
            argument
        {
            let key = self.list_key_at(self.b.site);
            self.argument_lists.insert(key);
        }
        match argument {
            ArgumentType::None => Value::None,
            ArgumentType::Str(text) => Value::Str(text.clone()),
            ArgumentType::Object(number) => self.object_argument(*number),
            ArgumentType::Ellipsis => Value::Ellipsis,
            ArgumentType::Truth(truth) => Scalar::const_bool(*truth).into(),
            ArgumentType::Range(parts) => {
                let mut part = |position: usize| match parts.get(position) {
                    Some(part) => match self.argument(name, part, leaf) {
                        Value::Scalar(scalar) => scalar,
                        _ => Scalar::const_int(0),
                    },
                    None => Scalar::const_int(0),
                };
                Value::Range(Box::new([part(0), part(1), part(2)]))
            }
            ArgumentType::Held(kind) => {
                *leaf += 1;
                self.object_argument_at(*leaf - 1, kind)
            }
            ArgumentType::Slice(parts) => {
                let parts: Vec<Value> = parts
                    .iter()
                    .map(|part| self.argument(name, part, leaf))
                    .collect();
                let part = |position: usize| match parts.get(position) {
                    Some(Value::Scalar(scalar)) => Some(*scalar),
                    _ => None,
                };
                Value::Slice(Box::new([part(0), part(1), part(2)]))
            }
            ArgumentType::Scalar { dtype, weak } => {
                *leaf += 1;
                let param = self.b.param(name, ParamKind::Scalar(*dtype));
                let ir = self.b.scalar(param);
                Scalar::new(*dtype, *weak, ir).into()
            }
            ArgumentType::Array {
                dtype,
                rank,
                layout,
                fortran,
                writable,
            } => {
                let local = self.b.local(name, *dtype, *rank, *layout);
                let call = Call::Argument { leaf: *leaf, local };
                *leaf += 1;
                self.call(call, &[], vec![CallResult::Local(local)]);
                let packed = *layout == Layout::Contiguous;
                let base = ArrayRef::Local(local);
                let whole = View {
                    writable: *writable,
                    ..View::whole(base, *dtype, usize::from(*rank), packed)
                };
                Value::View(match *fortran {
                    true => self.fortran_argument(whole),
                    false => whole,
                })
            }
            ArgumentType::Thin(array, ones) => {
                let value = self.argument(name, array, leaf);
                if let Value::View(view) = &value {
                    self.note_ones(view, *ones);
                }
                value
            }
            ArgumentType::Axis(axis) => Scalar::const_int(i128::from(*axis)).into(),
            ArgumentType::EmptyDict => crate::objects::tables::table(Vec::new()),
            ArgumentType::Tuple(items) => Value::Tuple(self.parts_of_argument(name, items, leaf)),
            ArgumentType::Objects { example, optional } => {
                *leaf += 1;
                let whole = *leaf - 1;
                let mut examples = vec![self.argument(name, example, leaf)];
                examples.extend(optional.then_some(Value::None));
                self.list_of_instances(whole, &examples)
            }
            ArgumentType::Items(items) => {
                let whole = *leaf;
                *leaf += 1;
                let key = self.list_key_at(self.b.site);
                let kind = of_items(items);
                let changes = self.changing_lists.contains(&key) || self.is_python_list(key);
                if are_instances(items) {
                    let values = items.iter().map(|item| self.argument(name, item, leaf));
                    let values: Vec<Value> = values.collect();
                    return match changes {
                        true => self.list_of_instances(whole, &values),
                        false => Value::Named(list_class(Some(key)), values),
                    };
                }
                if changes && let Some(kind) = kind {
                    for item in items {
                        self.skip_argument(name, item, leaf);
                    }
                    return self.object_argument_at(whole, &kind);
                }
                let class = list_class(kind.map(|_| key));
                let items = items.iter().map(|item| self.argument(name, item, leaf));
                Value::Named(class, items.collect())
            }
            ArgumentType::List { dtype, weak, .. }
                if self.is_python_list(self.list_key_at(self.b.site)) =>
            {
                *leaf += 1;
                self.python_list_argument(*leaf - 1, *dtype, *weak)
            }
            ArgumentType::ListOf(item)
                if self.is_python_list(self.list_key_at(self.b.site))
                    && Item::of_argument(item).for_python().is_some() =>
            {
                let item = Item::of_argument(item).for_python();
                let kind = ObjectType::List(Box::new(item.unwrap_or(ObjectType::Unknown)));
                *leaf += 1;
                self.object_argument_at(*leaf - 1, &kind)
            }
            ArgumentType::List { dtype, weak, empty }
                if !empty && self.gets_other_numbers(&Item::Scalar(*dtype, *weak)) =>
            {
                *leaf += 1;
                Value::Poison
            }
            ArgumentType::List { dtype, weak, empty } => {
                if *empty {
                    let key = self.list_key_at(self.b.site);
                    self.empty_lists.insert(key);
                }
                let local = self.b.local(name, *dtype, 1, Layout::Contiguous);
                let call = Call::Argument { leaf: *leaf, local };
                self.call(call, &[], vec![CallResult::Local(local)]);
                let view = View::whole(ArrayRef::Local(local), *dtype, 1, true);
                let list = self.list_argument(view, *weak);
                if !list.is_poison() {
                    let number = *leaf;
                    self.note_origin(local, number);
                    self.program().lists.push((number, list.clone()));
                }
                *leaf += 1;
                list
            }
            ArgumentType::ListOf(item) => {
                let list = self.held_argument(*leaf, item);
                let number = *leaf;
                self.program().lists.push((number, list.clone()));
                *leaf += 1;
                list
            }
            ArgumentType::Named(class, items) => {
                let class = self.object_argument(*class);
                let whole = *leaf;
                let is_instance = matches!(&class, Value::NamedClass(class) if class.is_instance);
                *leaf += usize::from(is_instance);
                let mut items = self.parts_of_argument(name, items, leaf);
                if is_instance {
                    items.extend(self.whole_instance(whole));
                }
                match class {
                    Value::NamedClass(class) => Value::Named(class, items),
                    Value::Unsupported(what) => {
                        let text =
                            format!("`{name}` is of {what}, which jit functions do not have");
                        let diagnostic =
                            self.wrong(codes::CAPTURED, text, TextRange::default(), "");
                        self.report(diagnostic)
                    }
                    _ => Value::Tuple(items),
                }
            }
        }
    }

    /// The parts of an argument. The lists among them are told apart: they stand at the same place.
    fn parts_of_argument(
        &mut self,
        name: &str,
        parts: &[ArgumentType],
        leaf: &mut usize,
    ) -> Vec<Value> {
        let salt = self.list_salt;
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            self.list_salt = salt.wrapping_mul(0x0100_0193) ^ ((*leaf as u32 + 1) << 8);
            values.push(self.argument(name, part, leaf));
        }
        self.list_salt = salt;
        values
    }

    /// A list of objects of the program's own, which are Python's: their attributes are read where they are.
    fn list_of_instances(&mut self, leaf: usize, examples: &[Value]) -> Value {
        let mut kind = ObjectType::Unknown;
        for example in examples {
            if matches!(example, Value::None) {
                kind = kind.join(&ObjectType::None).unwrap_or(kind);
                continue;
            }
            let Some(one) = self.shared_instance(example) else {
                return match self.again {
                    true => Value::Poison,
                    false => Value::Unsupported("a list of objects".into()),
                };
            };
            kind = kind.join(&one).unwrap_or(kind);
        }
        self.object_argument_at(leaf, &ObjectType::List(Box::new(kind)))
    }

    /// The same of an item of a list that is Python's own, which nobody uses.
    fn skip_argument(&mut self, name: &str, argument: &ArgumentType, leaf: &mut usize) {
        match argument {
            ArgumentType::List { .. } | ArgumentType::ListOf(_) => *leaf += 1,
            ArgumentType::Objects { example, .. } => {
                *leaf += 1;
                self.skip_argument(name, example, leaf);
            }
            ArgumentType::Items(items) | ArgumentType::Tuple(items) => {
                *leaf += usize::from(matches!(argument, ArgumentType::Items(_)));
                for item in items {
                    self.skip_argument(name, item, leaf);
                }
            }
            // Its numbers are parameters all the same.
            other => {
                self.argument(name, other, leaf);
            }
        }
    }

    /// Whether numbers of another kind are put into the list of such items that is an argument here. Then it is to
    /// be Python's own, which holds integers beside floats, and the function is translated again.
    fn gets_other_numbers(&mut self, found: &Item) -> bool {
        let key = self.list_key_at(self.b.site);
        let known = self.known_item(key);
        let fits = known == Item::Open || known == *found;
        let wider = known.join(found).and_then(|all| all.for_python());
        if fits || wider.is_none() || found.for_python().is_none() {
            return false;
        }
        self.again |= self.python_lists.insert(key.root());
        true
    }

    /// A list among the arguments whose items are no numbers.
    fn held_argument(&mut self, leaf: usize, item: &crate::program::ListItem) -> Value {
        let key = self.list_key_at(self.b.site);
        let found = crate::objects::items::Item::of_argument(item);
        let known = self.known_item(key);
        if known != found && known.join(&found).as_ref() != Some(&found) {
            if self.gets_other_numbers(&found) {
                return Value::Poison;
            }
            let diagnostic = crate::Diagnostic::new(
                codes::CONTAINER,
                "items of another type than it holds are put into a list among the arguments",
            )
            .at(
                self.b.site.file as usize,
                self.b.site.span,
                format!("it holds {}", found.describe()),
            )
            .help("copy its items into a list of the function's own");
            return self.report(diagnostic);
        }
        self.list_types.insert(key, found.clone());
        let call = crate::program::ListCall::Argument {
            leaf,
            item: item.clone(),
        };
        let number = self.list_number_call(call, &[], "list");
        Value::Held(Box::new(crate::objects::held_lists::Held {
            number: Scalar::int(number, crate::value::Know::Any),
            item: found,
            key,
        }))
    }

    /// Says of an argument that is a list which the runtime holds which one it is.
    fn note_origin(&mut self, argument: LocalId, number: usize) {
        for call in &mut self.program().calls {
            if let Call::List(crate::program::ListCall::Hold { local, leaf }) = call
                && *local == argument
            {
                *leaf = Some(number);
            }
        }
    }
}

/// Whether there are objects of one class of the program's own, taken apart, or named tuples.
fn are_instances(items: &[ArgumentType]) -> bool {
    let [ArgumentType::Named(class, _), rest @ ..] = items else {
        return false;
    };
    rest.iter()
        .all(|item| matches!(item, ArgumentType::Named(other, _) if other == class))
}

/// What a list of such items is as an object; `None` if there is no one type for them.
fn of_items(items: &[ArgumentType]) -> Option<ObjectType> {
    fn of(argument: &ArgumentType) -> Option<ObjectType> {
        Some(match argument {
            ArgumentType::None => ObjectType::None,
            ArgumentType::Str(_) => ObjectType::Text,
            ArgumentType::Held(kind) => kind.clone(),
            ArgumentType::Scalar { dtype, weak } => ObjectType::Scalar {
                dtype: *dtype,
                weak: *weak,
            },
            ArgumentType::Array { dtype, rank, .. } => ObjectType::Array {
                dtype: *dtype,
                rank: *rank,
            },
            ArgumentType::Thin(array, _) => of(array)?,
            ArgumentType::List { dtype, weak, .. } => {
                ObjectType::List(Box::new(ObjectType::Scalar {
                    dtype: *dtype,
                    weak: *weak,
                }))
            }
            ArgumentType::ListOf(item) => {
                ObjectType::List(Box::new(Item::of_argument(item).for_python()?))
            }
            ArgumentType::Items(items) => of_items(items)?,
            ArgumentType::Tuple(items) => {
                ObjectType::Tuple(items.iter().map(of).collect::<Option<_>>()?)
            }
            ArgumentType::Named(..)
            | ArgumentType::Object(_)
            | ArgumentType::Slice(_)
            | ArgumentType::Range(_)
            | ArgumentType::Axis(_)
            | ArgumentType::EmptyDict
            | ArgumentType::Objects { .. }
            | ArgumentType::Ellipsis => return None,
            ArgumentType::Truth(_) => ObjectType::Scalar {
                dtype: DType::Bool,
                weak: true,
            },
        })
    }
    let mut all = ObjectType::Unknown;
    for item in items {
        all = all.join(&of(item)?)?;
    }
    Some(ObjectType::List(Box::new(all)))
}
