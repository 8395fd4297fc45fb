//! Dictionaries that are known while compiling, since their keys are strings that are: those of functions, and
//! keyword arguments that a function takes by two stars and only reads.

use crate::calls::Arguments;
use crate::codes;
use crate::host::failures::{Part, Raised};
use crate::translate::Translator;
use crate::value::{NamedTuple, Scalar, Value};
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{CmpOp, DictItem, Expr, ExprContext, Stmt};
use ruff_text_size::TextRange;
use std::rc::Rc;

/// The class of such dictionaries.
pub(crate) const TABLE: u32 = crate::host::trying::EXCEPTION_CLASS - 1;

/// Such a dictionary.
pub(crate) fn table(fields: Vec<(String, Value)>) -> Value {
    let (names, items): (Vec<String>, Vec<Value>) = fields.into_iter().unzip();
    let class = NamedTuple {
        handle: TABLE,
        name: "dict".into(),
        fields: names,
        list: None,
        own_axes: None,
        is_instance: false,
    };
    Value::Named(Rc::new(class), items)
}

/// Whether a value is a function.
pub(crate) fn is_function(value: &Value) -> bool {
    matches!(
        value,
        Value::Function(_) | Value::Closure(_) | Value::Builtin(_)
    )
}

/// Whether a value is such a dictionary.
pub(crate) fn is_table(value: &Value) -> bool {
    matches!(value, Value::Named(class, _) if class.handle == TABLE)
}

impl Translator<'_> {
    /// `table[name]`.
    pub fn table_item(&mut self, table: &Value, name: &Value, range: TextRange) -> Value {
        let Value::Str(name) = name else {
            let what = name.describe();
            let diagnostic = self
                .wrong(
                    codes::INDEX_TYPE,
                    "which function of this dictionary is meant is not known while compiling",
                    range,
                    format!("the key is {what}"),
                )
                .help("name it by a string that is an argument or written down, or write `if`");
            return self.report(diagnostic);
        };
        match table_value(table, name) {
            Some(item) => item,
            None => {
                let raised = Raised {
                    class: "KeyError",
                    parts: vec![Part::Text(name.clone())],
                };
                self.raise(&raised, range);
                self.frame().live = false;
                Value::Poison
            }
        }
    }

    /// A method of such a dictionary that only reads it; nothing if it is another.
    pub fn table_method(
        &mut self,
        table: &Value,
        name: &str,
        arguments: &Arguments,
    ) -> Option<Value> {
        let Value::Named(class, items) = table else {
            return None;
        };
        let given: Vec<&Value> = arguments
            .positional
            .iter()
            .map(|(value, _)| value)
            .collect();
        let pairs = class.fields.iter().zip(items);
        match (name, &given[..]) {
            ("keys", []) => Some(names(table)),
            ("values", []) => Some(Value::Tuple(items.clone())),
            ("items", []) => Some(Value::Tuple(
                pairs
                    .map(|(name, value)| {
                        Value::Tuple(vec![Value::Str(name.clone()), value.clone()])
                    })
                    .collect(),
            )),
            ("get", [Value::Str(name)]) => Some(table_value(table, name).unwrap_or(Value::None)),
            ("get", [Value::Str(name), default]) => {
                Some(table_value(table, name).unwrap_or_else(|| (*default).clone()))
            }
            _ => None,
        }
    }

    /// What a parameter with two stars is given.
    pub fn keywords_given(
        &mut self,
        given: Vec<(String, Value, TextRange)>,
        body: &[Stmt],
        parameter: &ruff_python_ast::Parameter,
        range: TextRange,
    ) -> Value {
        if only_read(body, &parameter.name) {
            return table(
                given
                    .into_iter()
                    .map(|(name, value, _)| (name, value))
                    .collect(),
            );
        }
        let arguments = Arguments {
            positional: Vec::new(),
            keywords: given,
        };
        let made = self.container_function("dict", &arguments, range);
        made.unwrap_or(Value::Poison)
    }

    /// `{**a, **b}` of tables under names, where a call takes the names out again; nothing for anything else.
    pub fn joined_tables(&mut self, display: &Expr) -> Option<Value> {
        let items = &display.as_dict_expr()?.items;
        let is_name = |item: &DictItem| item.key.is_none() && item.value.is_name_expr();
        if !items.iter().all(is_name) {
            return None;
        }
        let mut all: Vec<(String, Value)> = Vec::new();
        for item in items {
            let value = self.expr(&item.value);
            let Value::Named(class, values) = &value else {
                return None;
            };
            if !is_table(&value) {
                return None;
            }
            for (name, value) in class.fields.iter().zip(values) {
                match all.iter_mut().find(|(known, _)| known == name) {
                    Some((_, known)) => *known = value.clone(),
                    None => all.push((name.clone(), value.clone())),
                }
            }
        }
        Some(table(all))
    }

    /// A table as a dictionary of its own, others as they are.
    pub fn dictionary_of_table(&mut self, value: Value, range: TextRange) -> Value {
        let given = match &value {
            Value::Named(class, values) if is_table(&value) => {
                let names = class.fields.iter().cloned();
                let given = names.zip(values.iter().cloned());
                given.map(|(name, value)| (name, value, range)).collect()
            }
            _ => return value,
        };
        let arguments = Arguments {
            positional: Vec::new(),
            keywords: given,
        };
        let made = self.container_function("dict", &arguments, range);
        made.unwrap_or(Value::Poison)
    }

    /// The names and values of `**dictionary`; reports if they are not known.
    pub fn spread(
        &mut self,
        value: &Value,
        range: TextRange,
    ) -> Option<Vec<(String, Value, TextRange)>> {
        let (fields, values) = match value {
            Value::Named(class, items) if is_table(value) => (class.fields.clone(), items.clone()),
            Value::Object(object) => match self.named_values(object, range) {
                Some((fields, values)) => (fields, values),
                None => return self.no_keywords(value, range),
            },
            _ => return self.no_keywords(value, range),
        };
        let named = fields.into_iter().zip(values);
        Some(named.map(|(name, value)| (name, value, range)).collect())
    }

    fn no_keywords(
        &mut self,
        value: &Value,
        range: TextRange,
    ) -> Option<Vec<(String, Value, TextRange)>> {
        if !value.is_poison() {
            let diagnostic = self
                .wrong(
                    codes::STAR,
                    "the names that are passed with two stars must be known while compiling",
                    range,
                    format!("this is {}", value.describe()),
                )
                .help("pass the values one by one");
            self.report(diagnostic);
        }
        None
    }

    /// `name in table`; nothing if that is not known while compiling.
    pub fn is_in_table(&self, name: &Value, table: &Value) -> Option<Value> {
        match (name, table) {
            (Value::Str(name), Value::Named(class, _)) => {
                Some(Scalar::const_bool(class.fields.contains(name)).into())
            }
            _ => None,
        }
    }
}

/// The names in such a dictionary, in their order.
pub(crate) fn names(table: &Value) -> Value {
    let Value::Named(class, _) = table else {
        return Value::Poison;
    };
    Value::Tuple(class.fields.iter().cloned().map(Value::Str).collect())
}

fn table_value(table: &Value, name: &str) -> Option<Value> {
    let Value::Named(class, items) = table else {
        return None;
    };
    let position = class.fields.iter().position(|field| field == name)?;
    items.get(position).cloned()
}

/// Whether statements only read a dictionary of this name, in ways that a table knows.
fn only_read(body: &[Stmt], name: &str) -> bool {
    struct Uses<'n> {
        name: &'n str,
        all: usize,
        reading: usize,
    }
    impl Uses<'_> {
        fn is(&self, expr: &Expr) -> bool {
            matches!(expr, Expr::Name(one) if one.id == self.name)
        }
    }
    impl<'a> Visitor<'a> for Uses<'_> {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if let Stmt::For(s) = statement {
                self.reading += usize::from(self.is(&s.iter));
            }
            walk_stmt(self, statement);
        }

        fn visit_expr(&mut self, expr: &'a Expr) {
            let known_method = |one: &str| matches!(one, "get" | "keys" | "values" | "items");
            self.reading += match expr {
                Expr::Subscript(e) if e.ctx == ExprContext::Load => usize::from(self.is(&e.value)),
                Expr::Call(e) => {
                    let spread = e.arguments.keywords.iter();
                    let spread = spread.filter(|one| one.arg.is_none() && self.is(&one.value));
                    let method = matches!(&*e.func, Expr::Attribute(of)
                        if self.is(&of.value) && known_method(of.attr.as_str()));
                    let is_length = matches!(&*e.func, Expr::Name(one) if one.id == "len");
                    let measured = e.arguments.args.iter();
                    let measured = measured.filter(|one| is_length && self.is(one));
                    spread.count() + usize::from(method) + measured.count()
                }
                Expr::Dict(e) => {
                    let spread = e.items.iter().filter(|one| one.key.is_none());
                    spread.filter(|one| self.is(&one.value)).count()
                }
                Expr::Compare(e) if matches!(&e.ops[..], [CmpOp::In | CmpOp::NotIn]) => {
                    usize::from(self.is(&e.comparators[0]))
                }
                _ => 0,
            };
            self.all += usize::from(self.is(expr));
            walk_expr(self, expr);
        }
    }
    let mut uses = Uses {
        name,
        all: 0,
        reading: 0,
    };
    body.iter().for_each(|one| uses.visit_stmt(one));
    uses.all == uses.reading
}
