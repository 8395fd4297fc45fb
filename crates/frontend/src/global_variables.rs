//! Variables of the module that a function assigns to (`global x`).
//!
//! They stay where they are. To the program the variables of a module are the attributes of one object, which are read
//! and assigned to by calls into Python: what that means is said in `objects::changed_attributes`. The tree is changed
//! before anybody looks at it, `x` becomes an attribute; where that cannot be done it is left as it is, and refused later.
//! Functions that only read such a variable find out by its name.

use crate::codes;
use crate::objects::changed_attributes::instance;
use crate::objects::syntax_building::{attribute, load};
use crate::program::{NamedClass, ObjectType};
use crate::syntax;
use crate::translate::Translator;
use crate::value::{NamedTuple, Value};
use ruff_python_ast::visitor::Visitor;
use ruff_python_ast::visitor::transformer::{self, Transformer, walk_expr, walk_stmt};
use ruff_python_ast::visitor::walk_stmt as go_into;
use ruff_python_ast::{
    Comprehension, ExceptHandler, Expr, ExprContext, Stmt, StmtFunctionDef, StmtPass,
};
use ruff_text_size::TextRange;
use std::cell::Cell;
use std::collections::HashSet;

/// The name of the object whose attributes a module's variables are.
pub(crate) const GLOBALS: &str = "%globals";

/// Before the name of a module, in the name of the class of that object.
const CLASS: &str = "variables of ";

/// Whether an object's attributes are the variables of a module.
pub(crate) fn is_of_module(class: &NamedTuple) -> bool {
    class.name.starts_with(CLASS)
}

/// Writes attributes for the variables of the module that a function, or one inside it, assigns to.
pub(crate) fn write_out_global_variables(def: &mut StmtFunctionDef) {
    // Expressions may be nested deeply.
    stacker::maybe_grow(1 << 20, 16 << 20, || {
        let mut inside = Inside(Vec::new());
        def.body.iter().for_each(|one| inside.visit_stmt(one));
        let assigned = syntax::assigned(&def.body);
        let mut names: Vec<String> = inside.0;
        names.retain(|name| assigned.contains(name));
        names.sort();
        names.dedup();
        for name in names {
            let variable = Variable {
                name: &name,
                impossible: Cell::new(false),
            };
            let mut body = def.body.clone();
            body.iter_mut().for_each(|one| variable.visit_stmt(one));
            if !variable.impossible.get() {
                def.body = body;
            }
        }
        InnerFunctions.visit_body(&mut def.body);
    });
}

/// Does the same for functions inside.
struct InnerFunctions;

impl Transformer for InnerFunctions {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::FunctionDef(inner) => write_out_global_variables(inner),
            other => walk_stmt(self, other),
        }
    }
}

/// The names that are declared in a function itself.
struct Inside(Vec<String>);

impl<'a> Visitor<'a> for Inside {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Global(s) => self.0.extend(s.names.iter().map(ToString::to_string)),
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            other => go_into(self, other),
        }
    }
}

/// Writes an attribute wherever the name stands.
struct Variable<'n> {
    name: &'n str,
    /// Whether the name stands where only a name can.
    impossible: Cell<bool>,
}

impl Variable<'_> {
    fn is_in(&self, names: &HashSet<String>) -> bool {
        names.contains(self.name)
    }

    fn refuse_if(&self, is_impossible: bool) {
        self.impossible.set(self.impossible.get() || is_impossible);
    }
}

impl Transformer for Variable<'_> {
    fn visit_stmt(&self, statement: &mut Stmt) {
        match statement {
            Stmt::FunctionDef(inner) => {
                let mut declared = Inside(Vec::new());
                inner.body.iter().for_each(|one| declared.visit_stmt(one));
                let is_global = declared.0.iter().any(|one| one == self.name);
                let own = inner.parameters.iter().any(|one| one.name() == self.name)
                    || !is_global && self.is_in(&syntax::assigned(&inner.body));
                self.refuse_if(own || inner.name.as_str() == self.name);
                walk_stmt(self, statement);
            }
            Stmt::Global(s) => {
                s.names.retain(|one| one.as_str() != self.name);
                if s.names.is_empty() {
                    *statement = Stmt::Pass(StmtPass {
                        node_index: Default::default(),
                        range: s.range,
                    });
                }
            }
            Stmt::ClassDef(_) => self.refuse_if(true),
            Stmt::Import(_) | Stmt::ImportFrom(_) | Stmt::Match(_) | Stmt::Delete(_) => {
                self.refuse_if(self.is_in(&syntax::bound(statement)));
                walk_stmt(self, statement);
            }
            Stmt::Try(s) => {
                let named = |one: &ExceptHandler| match one {
                    ExceptHandler::ExceptHandler(one) => {
                        one.name.as_ref().is_some_and(|one| one == self.name)
                    }
                };
                self.refuse_if(s.handlers.iter().any(named));
                walk_stmt(self, statement);
            }
            Stmt::For(s) => {
                self.refuse_if(self.is_in(&syntax::assigned_by(&s.target)));
                walk_stmt(self, statement);
            }
            Stmt::With(s) => {
                let targets = s.items.iter().filter_map(|one| one.optional_vars.as_ref());
                let mut targets = targets.map(|one| syntax::assigned_by(one));
                self.refuse_if(targets.any(|names| self.is_in(&names)));
                walk_stmt(self, statement);
            }
            _ => walk_stmt(self, statement),
        }
    }

    fn visit_expr(&self, expr: &mut Expr) {
        match expr {
            Expr::Name(name) if name.id == self.name => {
                let mut of = attribute(load(GLOBALS, name.range), self.name, name.range);
                if let Expr::Attribute(of) = &mut of {
                    of.ctx = name.ctx;
                }
                self.refuse_if(name.ctx == ExprContext::Del);
                *expr = of;
            }
            Expr::Named(e) => {
                self.refuse_if(self.is_in(&syntax::assigned_by(&e.target)));
                walk_expr(self, expr);
            }
            Expr::Lambda(e) => {
                let mut parameters = e.parameters.iter().flat_map(|all| all.iter());
                self.refuse_if(parameters.any(|one| one.name() == self.name));
                walk_expr(self, expr);
            }
            other => walk_expr(self, other),
        }
    }

    fn visit_comprehension(&self, comprehension: &mut Comprehension) {
        self.refuse_if(self.is_in(&syntax::assigned_by(&comprehension.target)));
        transformer::walk_comprehension(self, comprehension);
    }
}

impl Translator<'_> {
    /// The object whose attributes are the variables of the module that a function is in.
    pub fn global_variables(&mut self, range: TextRange) -> Value {
        let function = self.surroundings();
        let held = match self.is_program() {
            true => self.env.global_variables(function),
            false => None,
        };
        let Some((number, module)) = held else {
            let text = "`global` is not supported in kernels";
            let diagnostic = self.wrong(codes::GLOBAL, text, range, "").help(
                "pass an array and write the result into it, for example with colocate.atomic.add",
            );
            return self.report(diagnostic);
        };
        let class = NamedClass {
            handle: number,
            name: format!("{CLASS}{module}"),
            fields: Vec::new(),
        };
        match self.outside_object(number, &ObjectType::Unknown) {
            handle @ Value::Object(_) => instance(&class, handle),
            other => other,
        }
    }

    /// A variable of the module that another function of the program assigns to; nothing if none does.
    pub fn changing_global(&mut self, name: &str, range: TextRange) -> Option<Value> {
        let mut classes = self.changed_attributes.keys();
        if !classes.any(|(class, one)| one == name && class.starts_with(CLASS)) {
            return None;
        }
        let function = self.surroundings();
        let (_, module) = self.env.global_variables(function)?;
        let key = (format!("{CLASS}{module}"), name.to_string());
        if !self.changed_attributes.contains_key(&key) {
            return None;
        }
        let all = self.global_variables(range);
        Some(self.attribute_of(&all, name, range, range))
    }

    /// What a variable of the module holds when the program begins, for who reads it or assigns to it. False if
    /// that is nothing that can be changed.
    pub fn learn_global(&mut self, class: &NamedTuple, name: &str, range: TextRange) -> bool {
        if !is_of_module(class) {
            return true;
        }
        let key = (class.name.clone(), name.to_string());
        match self.env.type_of_global(class.handle, name) {
            Ok(kind) => {
                let known = self.changed_attributes.get(&key).cloned();
                let before = known.clone().unwrap_or(ObjectType::Unknown);
                let Some(joined) = before.join(&kind) else {
                    let text = format!("the global `{name}` holds a {kind}, and is given a {before}");
                    let diagnostic = self.wrong(codes::GLOBAL, text, range, "");
                    self.report(diagnostic);
                    return false;
                };
                if known.as_ref() != Some(&joined) {
                    self.changed_attributes.insert(key, joined);
                    self.again = true;
                }
                true
            }
            Err(what) => {
                let text = format!("the global `{name}` holds {what}, and is assigned to");
                let diagnostic = self
                    .wrong(codes::GLOBAL, text, range, "")
                    .help("return the value, or pass an array and write into it");
                self.report(diagnostic);
                false
            }
        }
    }
}
