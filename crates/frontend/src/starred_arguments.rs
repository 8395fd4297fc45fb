//! The arguments of a call, among them those with stars.

use crate::calls::Arguments;
use crate::host::failures::{Part, Raised};
use crate::objects::python_objects::helper;
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use crate::{Captured, FunctionId, Usage, codes};
use colocate_ir::CompareOp;
use ruff_python_ast::{Expr, ExprCall, ExprStarred, Operator};
use ruff_text_size::{Ranged, TextRange};

/// The longest range that is taken apart into arguments.
const MOST_SPREAD: i128 = 64;

/// The keyword that stands for a starred parameter as a whole.
pub(crate) const OPEN_REST: &str = "*";

impl Translator<'_> {
    /// The arguments of a call; nothing if one of them is wrong.
    pub fn arguments(&mut self, callee: &Value, e: &ExprCall) -> Option<Arguments> {
        let mut arguments = Arguments {
            positional: Vec::new(),
            keywords: Vec::new(),
        };
        let mut fine = true;
        for argument in &e.arguments.args {
            let Expr::Starred(star) = argument else {
                let value = self.next_argument(&mut arguments, argument);
                let place = Ok(arguments.positional.len());
                let value = self.used_up_by_function(callee, place, argument, value);
                arguments.positional.push((value, argument.range()));
                continue;
            };
            let range = star.range();
            if arguments.positional.is_empty()
                && let Some(items) = self.items_of_tuple(&star.value)
            {
                fine &= !items.iter().any(Value::is_poison);
                let items = items.into_iter().map(|item| (item, range));
                arguments.positional.extend(items);
                continue;
            }
            let starred = self.next_argument(&mut arguments, &star.value);
            let starred = self.spread_instance(starred, range);
            let items = match self.plain(&starred, range).into_owned() {
                Value::Tuple(items) => Some(items),
                Value::Poison => None,
                other if self.is_open_rest(callee, e, &arguments, star) => {
                    self.put_open_rest(callee, &mut arguments, &other, range);
                    continue;
                }
                other => self.spread_items(callee, e, other, star),
            };
            match items {
                Some(items) => {
                    let items = items.into_iter().map(|item| (item, range));
                    arguments.positional.extend(items);
                }
                None => fine = false,
            }
        }
        for keyword in &e.arguments.keywords {
            let joined = match keyword.arg {
                None => self.joined_tables(&keyword.value),
                Some(_) => None,
            };
            let value = match joined {
                Some(joined) => joined,
                None => self.next_argument(&mut arguments, &keyword.value),
            };
            match &keyword.arg {
                Some(name) => {
                    let place = Err(name.as_str());
                    let value = self.used_up_by_function(callee, place, &keyword.value, value);
                    arguments
                        .keywords
                        .push((name.to_string(), value, keyword.range()));
                }
                None => match self.spread_names(callee, e, &value, keyword.range()) {
                    Some(named) => arguments.keywords.extend(named),
                    None => fine = false,
                },
            }
        }
        (fine && self.differ(&arguments.keywords)).then_some(arguments)
    }

    /// Whether keywords have names of their own; reports one that is given twice, by two stars.
    fn differ(&mut self, keywords: &[(String, Value, TextRange)]) -> bool {
        for (at, (name, _, range)) in keywords.iter().enumerate() {
            if keywords[..at].iter().any(|(before, ..)| before == name) {
                let text = format!("the keyword `{name}` is given twice");
                let diagnostic = self.wrong(codes::ARGUMENTS, text, *range, "");
                self.report(diagnostic);
                return false;
            }
        }
        true
    }

    /// `*items` of a number that is known only when the program runs: as many as the function takes.
    fn spread_items(
        &mut self,
        callee: &Value,
        e: &ExprCall,
        items: Value,
        star: &ExprStarred,
    ) -> Option<Vec<Value>> {
        let range = star.range();
        let one_only = e.arguments.args.len() == 1;
        let name = match callee {
            Value::Builtin(name) => name.as_str(),
            _ => "",
        };
        if self.is_program() && self.level() == 0 {
            // The largest of several is the largest of one list.
            let of_several = one_only && e.arguments.keywords.is_empty();
            if of_several && matches!(name, "builtins.max" | "builtins.min") {
                let length = self.length_of(&items, range)?;
                let (length, two) = (self.ir(&length), self.b.int64(2));
                let few = self.b.compare(CompareOp::Less, length, two);
                let text = "a starred argument of less than two items";
                let raised = crate::objects::ranges_and_texts::raised("TypeError", text);
                self.raise_if(few, &raised, range);
                return Some(vec![items]);
            }
            if let Value::Range(_) = items
                && let Some(count) = self.length_of(&items, range)?.as_int()
                && count <= MOST_SPREAD
            {
                let positions = (0..count).map(Scalar::const_int);
                let items = positions.map(|at| self.item_at(&items, &at, range));
                return Some(items.collect());
            }
            if let Some(count) = self.items_wanted(callee, e) {
                return self.exactly_items(&items, count, range);
            }
        }
        let diagnostic = self
            .wrong(
                codes::STAR,
                "only a tuple can be passed with a star in a kernel",
                range,
                format!("this is {}", items.describe()),
            )
            .help("pass the values one by one");
        self.report(diagnostic);
        None
    }

    /// Whether all items of a starred argument are for a starred parameter, so that there may be any number of them.
    fn is_open_rest(
        &mut self,
        callee: &Value,
        e: &ExprCall,
        before: &Arguments,
        star: &ExprStarred,
    ) -> bool {
        let is_last = e
            .arguments
            .args
            .last()
            .is_some_and(|last| last.range() == star.range());
        let places = self.places_before_star(callee);
        self.is_program()
            && self.level() == 0
            && is_last
            && places.is_some_and(|places| places <= before.positional.len())
    }

    /// How many places the parameters take that stand before a starred one; nothing if there is none.
    fn places_before_star(&mut self, callee: &Value) -> Option<usize> {
        let function = match callee {
            Value::Function(function) => *function,
            Value::Closure(closure) => closure.function,
            _ => return None,
        };
        let (parsed, _) = self.parse(function)?;
        let parameters = &parsed.def.parameters;
        let places = parameters.posonlyargs.len() + parameters.args.len();
        parameters.vararg.as_ref().map(|_| places)
    }

    /// Puts a tuple of any length in the place of a starred parameter.
    fn put_open_rest(
        &mut self,
        callee: &Value,
        arguments: &mut Arguments,
        items: &Value,
        range: TextRange,
    ) {
        let places = self.places_before_star(callee).unwrap_or(0);
        let before = arguments.positional.drain(places..);
        let before: Vec<Value> = before.map(|(value, _)| value).collect();
        let given = Arguments {
            positional: vec![(items.clone(), range)],
            keywords: Vec::new(),
        };
        let mut whole = self.call_builtin("builtins.tuple", &given, range);
        if !before.is_empty() {
            whole = self.binary(Operator::Add, &Value::Tuple(before), &whole, range);
        }
        arguments.keywords.push((OPEN_REST.into(), whole, range));
    }

    /// How many items each starred argument of a call stands for: what the function takes besides the others, in
    /// equal parts. Nothing if that is not known.
    fn items_wanted(&mut self, callee: &Value, e: &ExprCall) -> Option<usize> {
        let all = match callee {
            Value::Function(function) => self.positions_of(*function)?,
            Value::Closure(closure) => self.positions_of(closure.function)?,
            Value::NamedClass(class) => class.fields.len(),
            Value::Module { handle, .. } => {
                let begin = self.initialiser_of(*handle)?;
                self.positions_of(begin)?.checked_sub(1)?
            }
            Value::Builtin(name) => match name.split_once('.')? {
                ("numpy", "cross" | "dot" | "inner" | "kron" | "matmul" | "outer" | "vdot") => 2,
                ("numpy", name) => Self::arity(name)?,
                ("math", "atan2" | "copysign" | "fmod" | "pow") => 2,
                _ => return None,
            },
            _ => return None,
        };
        let stars = e.arguments.args.iter();
        let stars = stars.filter(|one| matches!(one, Expr::Starred(_))).count();
        let others = e.arguments.args.len() - stars + e.arguments.keywords.len();
        let rest = all.checked_sub(others)?;
        (rest % stars == 0).then_some(rest / stars)
    }

    /// `**dictionary`: where the names in it are known only when the program runs, they are those that the function
    /// takes besides the others.
    fn spread_names(
        &mut self,
        callee: &Value,
        e: &ExprCall,
        value: &Value,
        range: TextRange,
    ) -> Option<Vec<(String, Value, TextRange)>> {
        let item = match value {
            Value::Object(object) => match self.with_known_names(object) {
                ObjectType::Dict(key, item) if *key == ObjectType::Text => Some(*item),
                _ => None,
            },
            _ => None,
        };
        let wanted = match item {
            Some(item) if self.level() == 0 => self.names_wanted(callee, e).map(|all| (all, item)),
            _ => None,
        };
        let Some((names, item)) = wanted else {
            return self.spread(value, range);
        };
        let mut given = vec![(value.clone(), range)];
        given.extend(names.iter().map(|name| (Value::Str(name.clone()), range)));
        let whole = Some(ObjectType::Tuple(vec![item; names.len()]));
        match self.python_call(&helper("keywords_wanted"), &given, &[], whole, range) {
            Value::Tuple(values) => {
                let named = names.into_iter().zip(values);
                Some(named.map(|(name, value)| (name, value, range)).collect())
            }
            _ => None,
        }
    }

    /// The parameters of a function that a call does not name; nothing if that is not known.
    fn names_wanted(&mut self, callee: &Value, e: &ExprCall) -> Option<Vec<String>> {
        let function = match callee {
            Value::Function(function) => *function,
            Value::Closure(closure) => closure.function,
            _ => return None,
        };
        self.positions_of(function)?;
        let doubled = e.arguments.keywords.iter().filter(|one| one.arg.is_none());
        if doubled.count() > 1 || e.arguments.args.iter().any(Expr::is_starred_expr) {
            return None;
        }
        let (parsed, _) = self.parse(function)?;
        let named = |name: &str| {
            let mut keywords = e.arguments.keywords.iter();
            keywords.any(|one| one.arg.as_ref().is_some_and(|known| known == name))
        };
        let parameters = parsed.def.parameters.iter_non_variadic_params();
        let rest = parameters.skip(e.arguments.args.len());
        let names = rest.map(|parameter| parameter.name().to_string());
        Some(names.filter(|name| !named(name)).collect())
    }

    /// The `__init__` of a class whose objects can be made.
    fn initialiser_of(&mut self, namespace: u32) -> Option<FunctionId> {
        let class = self.env.made_class(namespace, &[])?;
        match self.env.class_attribute(class, "__init__")? {
            (Usage::Method, Captured::Function(begin)) => Some(begin),
            _ => None,
        }
    }

    /// How many parameters a function has, if it takes no other number.
    fn positions_of(&mut self, function: FunctionId) -> Option<usize> {
        let (parsed, _) = self.parse(function)?;
        let parameters = &parsed.def.parameters;
        let mut all = parameters.iter_non_variadic_params();
        let is_fixed = parameters.vararg.is_none()
            && parameters.kwarg.is_none()
            && all.all(|one| one.default().is_none());
        is_fixed.then(|| parameters.iter_non_variadic_params().count())
    }

    /// The items of something that must be so many.
    fn exactly_items(
        &mut self,
        items: &Value,
        count: usize,
        range: TextRange,
    ) -> Option<Vec<Value>> {
        let items = self.indexed_items(items, range);
        let items = self.all_stored(items);
        let length = self.length_of(&items, range)?;
        let (length, wanted) = (self.ir(&length), self.b.int64(count as i64));
        let other = self.b.compare(CompareOp::NotEqual, length, wanted);
        let raised = Raised {
            class: "TypeError",
            parts: vec![Part::Text(format!(
                "a starred argument of another number of items than {count}"
            ))],
        };
        self.raise_if(other, &raised, range);
        let positions = (0..count).map(|at| Scalar::const_int(at as i128));
        Some(
            positions
                .map(|at| self.item_at(&items, &at, range))
                .collect(),
        )
    }

    /// `dict(name=value)`; nothing if it is something else.
    pub fn dict_by_keywords(&mut self, callee: &Value, e: &ExprCall) -> Option<Value> {
        let is_dict = matches!(callee, Value::Builtin(name) if name == "builtins.dict");
        let keywords = e.arguments.keywords.iter();
        let named: Option<Vec<_>> = keywords
            .map(|one| Some((one.arg.as_ref()?.to_string(), &one.value)))
            .collect();
        match named {
            Some(named) if is_dict && self.is_program() && e.arguments.args.is_empty() => {
                (!named.is_empty()).then(|| self.dict_of_names(&named, e.range()))
            }
            _ => None,
        }
    }

    /// `print(*items)`, of however many items; nothing if it is something else.
    pub fn print_of_items(&mut self, callee: &Value, e: &ExprCall) -> Option<Value> {
        let is_print = matches!(callee, Value::Builtin(name) if name == "builtins.print");
        let starred = e.arguments.args.iter().any(Expr::is_starred_expr);
        let spread = e.arguments.keywords.iter().any(|one| one.arg.is_none());
        if !is_print || !starred || spread || !self.is_program() || self.level() > 0 {
            return None;
        }
        let mut arguments = Arguments::default();
        for argument in &e.arguments.args {
            let range = argument.range();
            let items = match argument {
                Expr::Starred(star) => {
                    let items = self.next_argument(&mut arguments, &star.value);
                    match self.plain(&items, range).into_owned() {
                        items @ (Value::Zip(_) | Value::Enumerate(..) | Value::Generator(..)) => {
                            match self.unrolled(&items) {
                                Some(items) => Value::Tuple(items),
                                None => self.as_list(&items, range),
                            }
                        }
                        items => self.all_stored(items),
                    }
                }
                other => Value::Tuple(vec![self.next_argument(&mut arguments, other)]),
            };
            arguments.positional.push((items, range));
        }
        for keyword in &e.arguments.keywords {
            let value = self.next_argument(&mut arguments, &keyword.value);
            let name = keyword
                .arg
                .as_ref()
                .map_or_else(String::new, |name| name.to_string());
            arguments.keywords.push((name, value, keyword.range()));
        }
        let known = |(value, _): &(Value, TextRange)| matches!(value, Value::Tuple(_));
        let positional = match arguments.positional.iter().all(known) {
            true => {
                let items = arguments.positional.into_iter().flat_map(|(value, range)| {
                    let items = match value {
                        Value::Tuple(items) => items,
                        _ => Vec::new(),
                    };
                    items.into_iter().map(move |item| (item, range))
                });
                items.collect()
            }
            // What is between them is put there by Python: there may be none.
            false => {
                let named = |(name, ..): &&(String, Value, TextRange)| name == "sep";
                let separator = match arguments.keywords.iter().find(named) {
                    Some((_, value, _)) => value.clone(),
                    None => Value::Str(" ".into()),
                };
                let mut given = vec![(separator, e.range())];
                given.extend(arguments.positional);
                let text = Some(ObjectType::Text);
                let shown = self.python_call(&helper("shown"), &given, &[], text, e.range());
                vec![(shown, e.range())]
            }
        };
        let arguments = Arguments {
            positional,
            keywords: arguments.keywords,
        };
        Some(self.call_value(callee, &arguments, e.range(), e.func.range(), None))
    }

    /// `deque([...])` of a list that is written there, whose lists are then the deque's; nothing if it is something else.
    pub fn deque_of_lists(&mut self, callee: &Value, e: &ExprCall) -> Option<Value> {
        let is_deque = matches!(callee, Value::Builtin(name) if name == "builtins.deque");
        let ([items @ Expr::List(list)], []) = (&*e.arguments.args, &*e.arguments.keywords) else {
            return None;
        };
        if !is_deque || !self.is_program() || list.elts.iter().any(Expr::is_starred_expr) {
            return None;
        }
        let items = (self.stored_item(items), items.range());
        let arguments = Arguments {
            positional: vec![items],
            keywords: Vec::new(),
        };
        Some(self.call_value(callee, &arguments, e.range(), e.func.range(), None))
    }

    /// `zip(*rows)`; nothing if it is something else.
    pub fn zip_of_rows(&mut self, callee: &Value, e: &ExprCall) -> Option<Value> {
        let is_zip = matches!(callee, Value::Builtin(name) if name == "builtins.zip");
        let ([Expr::Starred(star)], []) = (&*e.arguments.args, &*e.arguments.keywords) else {
            return None;
        };
        if !is_zip || !self.is_program() || self.level() > 0 {
            return None;
        }
        let range = star.range();
        let rows = self.expr(&star.value);
        let rows = self.plain(&rows, range).into_owned();
        Some(match rows {
            Value::Poison => Value::Poison,
            Value::Tuple(rows) => {
                let arguments = Arguments {
                    positional: rows.into_iter().map(|row| (row, range)).collect(),
                    keywords: Vec::new(),
                };
                self.call_value(callee, &arguments, e.range(), e.func.range(), None)
            }
            rows => self.columns(&rows, range).unwrap_or(Value::Poison),
        })
    }

    /// The columns of rows, which gives one tuple after the other.
    fn columns(&mut self, rows: &Value, range: TextRange) -> Option<Value> {
        if self.make_python_list(rows) {
            return None;
        }
        let item = match self.items_of(rows, range)? {
            ObjectType::Text => ObjectType::Text,
            ObjectType::List(item) | ObjectType::Sequence(item) => *item,
            ObjectType::Array { dtype, rank: 1 } => ObjectType::Scalar { dtype, weak: false },
            ObjectType::Array { dtype, rank } if rank > 1 => ObjectType::Array {
                dtype,
                rank: rank - 1,
            },
            tuple @ ObjectType::Tuple(_) => match (tuple.as_sequence(), tuple) {
                (Some(ObjectType::Sequence(item)), _) => *item,
                (_, ObjectType::Tuple(kinds)) => return self.columns_of_types(rows, kinds, range),
                _ => return self.no_rows(rows, range),
            },
            _ => return self.no_rows(rows, range),
        };
        let column = ObjectType::Sequence(Box::new(item));
        let kind = ObjectType::Iterator(Box::new(column));
        let given = [(rows.clone(), range)];
        Some(self.container(&helper("columns"), &given, kind, range))
    }

    /// The columns of rows that are tuples of several types: a column of each. Without a row there is none, which raises.
    fn columns_of_types(
        &mut self,
        rows: &Value,
        kinds: Vec<ObjectType>,
        range: TextRange,
    ) -> Option<Value> {
        let count = Scalar::const_int(kinds.len() as i128);
        let given = [(rows.clone(), range), (count.into(), range)];
        let columns = kinds
            .into_iter()
            .map(|kind| ObjectType::Sequence(Box::new(kind)))
            .collect();
        let whole = Some(ObjectType::Tuple(columns));
        Some(self.python_call(&helper("so_many_columns"), &given, &[], whole, range))
    }

    fn no_rows(&mut self, rows: &Value, range: TextRange) -> Option<Value> {
        let what = rows.describe();
        let diagnostic = self.wrong(
            codes::STAR,
            format!("{what} has no columns that could be gone over"),
            range,
            format!("this is {what}"),
        );
        Some(self.report(diagnostic))
    }
}
