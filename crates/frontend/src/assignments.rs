//! Assignments.

use crate::codes;
use crate::objects::made_instances::is_instance;
use crate::objects::records::records;
use crate::syntax;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::CompareOp;
use ruff_python_ast::{Expr, Operator, StmtAssign, StmtAugAssign};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    pub fn assign_statement(&mut self, s: &StmtAssign) {
        if self.is_program() && self.is_changed_after(s) {
            return;
        }
        let mut value = match (&*s.value, s.targets.as_slice()) {
            // An array declared here is called as the program calls it.
            (Expr::Call(call), [Expr::Name(name)]) => self.named_call(call, Some(name.id.as_str())),
            (Expr::List(list), [Expr::Name(name)])
                if self.is_program()
                    && self.level() == 0
                    && self.changes_list(name.id.as_str()) =>
            {
                // It is known without translating twice.
                let key = self.list_key(s.value.range());
                self.changing_lists.insert(key);
                self.list_display(&list.elts, s.value.range())
            }
            // A list that is put into a container is an object, too.
            (Expr::List(_), [Expr::Subscript(e)])
                if self.is_program() && self.is_object_name(&e.value) =>
            {
                self.stored_item(&s.value)
            }
            (value, _) => self.expr(value),
        };
        if self.is_program() {
            value = self.used_up_by_readers(s, value);
        }
        self.settle_for(&s.targets, &mut value);
        let parts = s.targets.iter();
        if s.targets.len() > 1 && parts.clone().any(|target| !target.is_name_expr()) {
            self.wants_objects_in_python |= self.is_made(&value);
        }
        for target in &s.targets {
            self.assign(target, value.clone(), s.value.range());
        }
    }

    /// Whether an expression is the name of an object.
    fn is_object_name(&mut self, value: &Expr) -> bool {
        let Expr::Name(name) = value else {
            return false;
        };
        let binding = self.scope().get(name.id.as_str());
        binding.is_some_and(|binding| matches!(binding.value, Value::Object(_)))
    }

    /// Whether the function changes the list that a name holds, so that it has to be in memory.
    fn changes_list(&mut self, name: &str) -> bool {
        let function = self.frame().function;
        let parsed = self.parsed.get(&function).map(|(parsed, _)| parsed.clone());
        parsed.is_some_and(|parsed| {
            crate::objects::changing_statements::changes_list(&parsed.def.body, name)
                && !crate::objects::written_lists::is_written(&parsed.def.body, name)
        })
    }

    /// Gives a target a value; the range is where the value stands.
    pub fn assign(&mut self, target: &Expr, value: Value, range: TextRange) {
        match target {
            Expr::Name(name) => {
                let site = self.site(target.range());
                let value = match value {
                    Value::Slice(_) | Value::Ellipsis if !self.is_program() => {
                        let what = value.describe();
                        let diagnostic = self.wrong(
                            codes::VALUE,
                            format!("{what} cannot be kept in a variable"),
                            range,
                            "",
                        );
                        self.report(diagnostic)
                    }
                    value => value,
                };
                self.remark(target.range(), name.id.as_str(), &value);
                self.bind(name.id.as_str(), value, site);
            }
            Expr::Tuple(e) => self.unpack(&e.elts, value, target.range(), range),
            Expr::List(e) => self.unpack(&e.elts, value, target.range(), range),
            Expr::Subscript(e) if self.is_program() => {
                if let Expr::Attribute(part) = &*e.value
                    && self.assign_part_item(part, e, &value, range)
                {
                    return;
                }
                let base = self.expr(&e.value);
                if self.set_item_of_instance(&base, e, &value, range) {
                    return;
                }
                let base = self.with_items(base, e.value.range());
                if records(&base).is_some() {
                    self.records_assign(&base, e, &value, range);
                    return;
                }
                if let Value::Object(object) = &base {
                    let index = self.expr(&e.slice);
                    self.object_assign(object, &index, &value, range);
                    return;
                }
                if self.replace_written(e, &value) {
                    return;
                }
                if self.is_list_target(&base) {
                    let index = self.expr(&e.slice);
                    self.assign_item(&base, &index, &value, range);
                    return;
                }
                if let Value::Elements(elements) = &base {
                    if self.is_flat_slice(&base, e) {
                        self.change_elements(elements, e, |t, copy| {
                            t.array_assign(copy, e, &value, range);
                        });
                        return;
                    }
                    let index = self.expr(&e.slice);
                    self.elements_assign(&base, &index, &value, range);
                    return;
                }
                let value = self.items_as_array(&value, range);
                self.array_assign(&base, e, &value, range);
            }
            Expr::Subscript(e) => {
                let base = self.expr(&e.value);
                if let Some(view) = self.writable_view(&base, e) {
                    self.store_value(&view, &value, target.range(), range);
                } else {
                    self.expr(&e.slice);
                }
            }
            Expr::Attribute(e) if self.assign_field(e, &value, range) => {}
            Expr::Attribute(e) if self.assign_attribute(e, &value, range) => {}
            Expr::Attribute(e) if self.assign_by_setter(e, &value, range) => {}
            Expr::Attribute(e) if self.assign_made(e, &value, range) => {}
            Expr::Attribute(e) if self.assign_to_instance(e, &value, range) => {}
            Expr::Attribute(e) if self.assign_outside(e, &value, range) => {}
            Expr::Attribute(e) if self.assign_to_anything(e, &value, range) => {}
            Expr::Attribute(e) if self.assign_shape(target, &e.value, &value, range) => {}
            Expr::Attribute(e) => {
                let help = match syntax::reshaped_name(target) {
                    Some(name) if self.is_program() => {
                        format!("write `{name} = {name}.reshape(...)`")
                    }
                    _ => "assign to an element, `a[i] = ...`, or to a variable".into(),
                };
                let diagnostic = self
                    .wrong(
                        codes::ATTRIBUTE_TARGET,
                        format!(
                            "the attribute `{}` cannot be assigned to in a kernel",
                            e.attr
                        ),
                        target.range(),
                        "",
                    )
                    .help(help);
                self.report(diagnostic);
            }
            Expr::Starred(e) if value.is_poison() => self.assign(&e.value, value, range),
            Expr::Starred(_) => {
                let diagnostic = self
                    .wrong(
                        codes::STAR,
                        "starred targets are not supported in kernels",
                        range,
                        "",
                    )
                    .help("name every item, or take slices of the tuple");
                self.report(diagnostic);
            }
            _ => {
                let diagnostic = self.wrong(
                    codes::STATEMENT,
                    "this cannot be assigned to",
                    target.range(),
                    "",
                );
                self.report(diagnostic);
            }
        }
    }

    /// Something whose items are assigned to: None has none, which raises.
    fn with_items(&mut self, base: Value, range: TextRange) -> Value {
        match base {
            Value::Optional(..) => self.plain(&base, range).into_owned(),
            base => base,
        }
    }

    /// `first, *rest, last = items` of a list.
    fn unpack_list_starred(&mut self, targets: &[Expr], list: &Value, range: TextRange) {
        let is_starred = |target: &Expr| matches!(target, Expr::Starred(_));
        let Some(star) = targets.iter().position(is_starred) else {
            return;
        };
        let list = &self.indexed_items(list, range);
        let Some(length) = self.length_of(list, range) else {
            return;
        };
        let others = targets.len() - 1;
        let needed = Scalar::const_int(others as i128);
        let fewer = self.compare_scalars(CompareOp::Less, &length, &needed);
        let fewer = self.ir(&fewer);
        let text = format!("not enough values to unpack (expected at least {others})");
        let raised = crate::objects::ranges_and_texts::raised("ValueError", &text);
        self.raise_if(fewer, &raised, range);
        for (position, target) in targets.iter().enumerate() {
            let from_end = || Scalar::const_int(position as i128 - targets.len() as i128);
            let after = targets.len() - 1 - star;
            let (target, index) = match target {
                Expr::Starred(e) => {
                    let first = Some(Scalar::const_int(star as i128));
                    let stop = (after > 0).then(|| Scalar::const_int(-(after as i128)));
                    (&*e.value, Value::Slice(Box::new([first, stop, None])))
                }
                target if position < star => {
                    let index = Scalar::const_int(position as i128);
                    (target, Value::Scalar(index))
                }
                target => (target, Value::Scalar(from_end())),
            };
            let item = match list {
                Value::List(list) => self.list_item(&list.clone(), &index, range),
                Value::Held(held) => self.held_item(held, &index, range),
                Value::Object(object) => self.object_item(object, &index, range),
                _ => Value::Poison,
            };
            self.assign(target, item, range);
        }
    }

    fn unpack(&mut self, targets: &[Expr], value: Value, place: TextRange, range: TextRange) {
        let starred = targets
            .iter()
            .any(|target| matches!(target, Expr::Starred(_)));
        let value = self.plain(&value, range).into_owned();
        let value = match self.iterated_instance(value, range) {
            given @ Value::Generator(..) => self.as_list(&given, range),
            other => other,
        };
        let value = match &value {
            // How many items the starred target takes is known when the program runs.
            Value::Range(_) | Value::Zip(_) | Value::Enumerate(..) | Value::Str(_)
                if self.is_program() && starred && self.level() == 0 =>
            {
                match self.known_items(&value) {
                    Some(items) => Value::Tuple(items),
                    None => self.list_from(&value, range),
                }
            }
            Value::Range(_) | Value::Zip(_) | Value::Enumerate(..) | Value::Str(_)
                if self.is_program() && !starred =>
            {
                self.unpackable(value, targets.len(), range)
            }
            _ => value,
        };
        let value = self.record_values(&value).unwrap_or(value);
        let value = self.indexed_items(&value, range);
        match value.clone() {
            Value::Tuple(items) if items.len() == targets.len() && !starred => {
                for (target, item) in targets.iter().zip(items) {
                    self.assign(target, item, range);
                }
                return;
            }
            Value::Tuple(items) if starred && self.is_program() => {
                if self.unpack_starred(targets, &items, range) {
                    return;
                }
                // It is known to raise. The ways that come here end.
                let text = format!(
                    "not enough values to unpack (expected at least {}, got {})",
                    targets.len() - 1,
                    items.len()
                );
                self.always_raise("ValueError", &text, range);
                self.frame().live = false;
            }
            Value::View(_)
            | Value::Lazy(_)
            | Value::List(_)
            | Value::Held(_)
            | Value::Object(_)
                if self.is_program() && !starred =>
            {
                let length = self.length_of(&value, range);
                if let Some(length) = length {
                    self.check_unpacked(&length, targets.len(), range);
                }
                for (position, target) in targets.iter().enumerate() {
                    let index = Value::Scalar(Scalar::const_int(position as i128));
                    let item = match &value {
                        Value::List(list) => {
                            let list = *list;
                            self.list_item(&list, &index, range)
                        }
                        Value::Held(held) => self.held_item(held, &index, range),
                        Value::Object(object) => self.object_item(object, &index, range),
                        array => self.array_item(array, &[index], &[range], range),
                    };
                    self.assign(target, item, range);
                }
                return;
            }
            // It is known to raise. The ways that come here end.
            Value::Tuple(items) if self.is_program() && !starred => {
                let given = Scalar::const_int(items.len() as i128);
                self.check_unpacked(&given, targets.len(), range);
                self.frame().live = false;
            }
            Value::View(_) | Value::Lazy(_) if self.is_program() && self.level() == 0 => {
                let items = self.all_stored(value.clone());
                let list = self.list_from(&items, range);
                self.unpack_list_starred(targets, &list, range);
                return;
            }
            Value::List(_) | Value::Held(_) | Value::Object(_)
                if self.is_program() && self.level() == 0 =>
            {
                self.unpack_list_starred(targets, &value, range);
                return;
            }
            Value::Poison => {}
            _ if starred => {
                let diagnostic = self
                    .wrong(
                        codes::STAR,
                        "starred targets are not supported in kernels",
                        place,
                        "",
                    )
                    .help("name every item, or take slices of the tuple");
                self.report(diagnostic);
            }
            other => {
                let what = other.describe();
                let help = match &other {
                    Value::Tuple(items) => {
                        let plural = if items.len() == 1 { "" } else { "s" };
                        format!("write {} target{plural}, one for every item", items.len())
                    }
                    Value::View(_) => "take its elements one by one: `a[0], a[1]`".into(),
                    _ => "only tuples can be unpacked".into(),
                };
                let diagnostic = self
                    .wrong(
                        codes::UNPACK,
                        format!("{what} cannot be unpacked into {} targets", targets.len()),
                        range,
                        format!("this is {what}"),
                    )
                    .help(help);
                self.report(diagnostic);
            }
        }
        for target in targets {
            self.assign(target, Value::Poison, range);
        }
    }

    /// Raises if something has not as many items as there are targets.
    fn check_unpacked(&mut self, length: &Scalar, wanted: usize, range: TextRange) {
        use crate::host::failures::{Part, Raised};
        let (given, expected) = (self.ir(length), self.b.int64(wanted as i64));
        let more = Raised {
            class: "ValueError",
            parts: vec![Part::Text(format!(
                "too many values to unpack (expected {wanted})"
            ))],
        };
        let fewer = Raised {
            class: "ValueError",
            parts: vec![
                Part::Text(format!(
                    "not enough values to unpack (expected {wanted}, got "
                )),
                Part::Number(*length),
                Part::Text(")".into()),
            ],
        };
        let too_many = self.b.compare(CompareOp::Greater, given, expected);
        self.raise_if(too_many, &more, range);
        let too_few = self.b.compare(CompareOp::Less, given, expected);
        self.raise_if(too_few, &fewer, range);
    }

    /// `a, *b, c = items`.
    fn unpack_starred(&mut self, targets: &[Expr], items: &[Value], range: TextRange) -> bool {
        let Some(star) = targets
            .iter()
            .position(|target| matches!(target, Expr::Starred(_)))
        else {
            return false;
        };
        let after = targets.len() - star - 1;
        if items.len() < star + after {
            return false;
        }
        let last = items.len() - after;
        for (target, item) in targets[..star].iter().zip(items) {
            self.assign(target, item.clone(), range);
        }
        if let Expr::Starred(target) = &targets[star] {
            let middle = items[star..last].to_vec();
            let middle = self.listed(middle, target.range());
            self.assign(&target.value, middle, range);
        }
        for (target, item) in targets[star + 1..].iter().zip(&items[last..]) {
            self.assign(target, item.clone(), range);
        }
        true
    }

    /// An item of a container that changes in place, as arrays, lists and sets do; false if it does not.
    pub fn updated_in_place(
        &mut self,
        current: &Value,
        op: Operator,
        value: &Value,
        range: TextRange,
    ) -> bool {
        match current {
            // Where the host does not reach the memory, it is a copy.
            Value::View(view) if view.rank() > 0 && self.program().options.unified => {
                let value = self.items_as_array(value, range);
                self.array_update(current, op, &value, range);
                true
            }
            Value::Object(item) => self.object_update(item, op, value, range).is_some(),
            _ => false,
        }
    }

    /// What `object op= value` gives for an object that does not change in place as containers do.
    pub fn replaced_object(
        &mut self,
        current: &Value,
        op: Operator,
        value: &Value,
        range: TextRange,
    ) -> Value {
        match self.foreign_update(op, current, value, range) {
            Some(result) => result,
            None => self.binary(op, current, value, range),
        }
    }

    pub fn augmented(&mut self, s: &StmtAugAssign) {
        match &*s.target {
            Expr::Name(name) => {
                let current = self.name(name);
                if is_instance(&current) {
                    let value = self.expr(&s.value);
                    let result = self.updated_instance(&current, s.op, &value, s.range());
                    self.assign(&s.target, result, s.range());
                    return;
                }
                if self.level() == 0
                    && self.is_list_target(&current)
                    && matches!(s.op, Operator::Add | Operator::Mult)
                {
                    let value = self.expr(&s.value);
                    self.list_augmented(&current, s.op, &value, s.range());
                    return;
                }
                if let Value::Object(object) = &current {
                    let object = object.clone();
                    let value = self.expr(&s.value);
                    if self
                        .object_update(&object, s.op, &value, s.range())
                        .is_some()
                    {
                        return;
                    }
                    let result = self.replaced_object(&current, s.op, &value, s.range());
                    self.assign(&s.target, result, s.range());
                    return;
                }
                if let Value::Lazy(_) = &current {
                    let value = self.expr(&s.value);
                    let value = self.items_as_array(&value, s.value.range());
                    // What the value does may have made it necessary to compute the array.
                    match self.name(name) {
                        now @ Value::Lazy(_) => self.lazy_augmented(&now, s.op, &value, s.range()),
                        now => self.array_update(&now, s.op, &value, s.range()),
                    }
                    return;
                }
                // An array without axes changes as others do; an element is a number.
                if let Value::View(view) = &current
                    && (view.rank() > 0 || self.is_program() && view.axes.is_empty())
                {
                    let view = view.clone();
                    let value = self.expr(&s.value);
                    if self.is_program() {
                        let value = self.items_as_array(&value, s.value.range());
                        self.array_update(&Value::View(view), s.op, &value, s.range());
                        return;
                    }
                    if self.check_writable(&view, s.target.range()) {
                        self.update_view(&view, s.op, &value, s.range(), s.value.range());
                    }
                    return;
                }
                let value = self.expr(&s.value);
                let result = self.binary(s.op, &current, &value, s.range());
                self.assign(&s.target, result, s.range());
            }
            Expr::Subscript(e) if self.is_program() => {
                let base = self.expr(&e.value);
                if is_instance(&base) {
                    let current = self.subscript(&base, e);
                    let value = self.expr(&s.value);
                    let result = match is_instance(&current) {
                        true => self.updated_instance(&current, s.op, &value, s.range()),
                        false => self.binary(s.op, &current, &value, s.range()),
                    };
                    if !result.is_poison() {
                        self.assign(&s.target, result, s.range());
                    }
                    return;
                }
                let base = self.with_items(base, e.value.range());
                if records(&base).is_some() {
                    self.records_augmented(&base, e, s);
                    return;
                }
                if let Value::Object(object) = &base {
                    let index = self.expr(&e.slice);
                    let current = self.object_item(object, &index, e.range());
                    let value = self.expr(&s.value);
                    if self.updated_in_place(&current, s.op, &value, s.range()) {
                        return;
                    }
                    let result = self.binary(s.op, &current, &value, s.range());
                    self.object_assign(object, &index, &result, s.range());
                    return;
                }
                if self.augment_written(e, s) {
                    return;
                }
                if self.is_list_target(&base) {
                    let index = self.expr(&e.slice);
                    let current = self.item_of_list(&base, &index, e.range());
                    let value = self.expr(&s.value);
                    self.update_item(&base, &index, &current, s.op, &value, s.range());
                    return;
                }
                if let Value::Elements(elements) = &base {
                    if self.is_flat_slice(&base, e) {
                        self.change_elements(elements, e, |t, copy| t.array_augmented(copy, e, s));
                        return;
                    }
                    let index = self.expr(&e.slice);
                    let current = self.elements_item(&base, &index, e.slice.range());
                    let value = self.expr(&s.value);
                    let result = self.binary(s.op, &current, &value, s.range());
                    self.elements_assign(&base, &index, &result, s.range());
                    return;
                }
                self.array_augmented(&base, e, s);
            }
            Expr::Subscript(e) => {
                let base = self.expr(&e.value);
                let Some(view) = self.writable_view(&base, e) else {
                    self.expr(&e.slice);
                    self.expr(&s.value);
                    return;
                };
                if view.rank() > 0 {
                    let value = self.expr(&s.value);
                    self.update_view(&view, s.op, &value, s.range(), s.value.range());
                    return;
                }
                let current = self.load(&view).into();
                let value = self.expr(&s.value);
                let result = self.binary(s.op, &current, &value, s.range());
                self.store_value(&view, &result, s.target.range(), s.range());
            }
            Expr::Attribute(e) if self.augmented_field(e, s) => {}
            Expr::Attribute(e) if self.augmented_made(e, s) => {}
            Expr::Attribute(e) if self.is_program() => {
                let current = self.attribute(e);
                let current = self.attribute_read(current, e.range());
                let value = self.expr(&s.value);
                if self.level() == 0
                    && self.is_list_target(&current)
                    && matches!(s.op, Operator::Add | Operator::Mult)
                {
                    self.list_augmented(&current, s.op, &value, s.range());
                    return;
                }
                if self.updated_in_place(&current, s.op, &value, s.range()) {
                    return;
                }
                let result = self.binary(s.op, &current, &value, s.range());
                if !result.is_poison() {
                    self.assign(&s.target, result, s.range());
                }
            }
            other => self.assign(other, Value::Poison, s.range()),
        }
    }
}
