//! Generator expressions compute their items one by one, while they are gone over; lists in their place would hold
//! what the operands were before.
//!
//! `for x in (f(y) for y in items)` becomes the loop that it is. `g = (...)` becomes a function that yields where a
//! statement before the end of its only reader may change what it reads; elsewhere nobody can tell it from a list.

use crate::host::generator_statements::{Renamer, names_read};
use crate::objects::changing_statements::HARMLESS;
use crate::objects::syntax_building::{call_with, load};
use crate::syntax;
use ruff_python_ast::name::Name;
use ruff_python_ast::visitor::transformer::Transformer;
use ruff_python_ast::visitor::{Visitor, walk_expr, walk_stmt};
use ruff_python_ast::{
    Comprehension, Expr, ExprGenerator, ExprYield, Identifier, Operator, Parameter,
    ParameterWithDefault, Parameters, Stmt, StmtAssign, StmtExpr, StmtFor, StmtFunctionDef, StmtIf,
    Suite,
};
use ruff_text_size::{Ranged, TextRange, TextSize};
use std::collections::HashSet;

/// Replaces the generator expressions of a function whose items must be computed one by one.
pub(crate) fn replace_generator_expressions(def: &mut StmtFunctionDef) {
    let named = named_generators(&def.body);
    let lazy = named
        .into_iter()
        .filter(|(name, range)| may_differ(&def.body, name, *range))
        .map(|(_, range)| range)
        .collect();
    Replacer { lazy }.body(&mut def.body);
}

struct Replacer {
    /// The assignments of generator expressions that must be functions.
    lazy: HashSet<TextRange>,
}

impl Replacer {
    fn body(&self, body: &mut Suite) {
        let statements = std::mem::take(body);
        for mut statement in statements {
            match &mut statement {
                Stmt::FunctionDef(inner) => replace_generator_expressions(inner),
                other => syntax::each_body(other, &mut |body| self.body(body)),
            }
            match &mut statement {
                Stmt::For(s) => {
                    while let Expr::Generator(items) = &*s.iter
                        && let Some(whole) = as_loops(s, items)
                    {
                        *s = whole;
                    }
                }
                Stmt::Assign(s) if self.lazy.contains(&s.range()) => {
                    if let Expr::Generator(items) = &*s.value {
                        let (function, call) = as_function(items);
                        body.push(Stmt::FunctionDef(function));
                        *s.value = call;
                    }
                }
                _ => {}
            }
            body.push(statement);
        }
    }
}

/// `for target in (element for ...)` as loops; nothing where `break` and `else` would belong to the wrong one.
fn as_loops(s: &StmtFor, items: &ExprGenerator) -> Option<StmtFor> {
    let is_plain = s.orelse.is_empty() && !syntax::leaves_loop(&s.body);
    let has_await = items.generators.iter().any(|one| one.is_async);
    if has_await || s.is_async || items.generators.len() != 1 && !is_plain {
        return None;
    }
    let mut items = items.clone();
    // Its variables are its own.
    let names: HashSet<String> = items
        .generators
        .iter()
        .flat_map(|one| syntax::assigned_by(&one.target))
        .collect();
    // The renamed names must not be somebody else's: parameters of lambdas, variables of comprehensions.
    if binds_any(&items, &names) {
        return None;
    }
    let first = items.generators[0].iter.clone();
    let renamer = Renamer {
        names,
        prefix: format!("%i{} ", u32::from(items.range.start())),
    };
    renamer.visit_expr(&mut items.elt);
    for one in &mut items.generators {
        renamer.visit_expr(&mut one.target);
        renamer.visit_expr(&mut one.iter);
        one.ifs.iter_mut().for_each(|test| renamer.visit_expr(test));
    }
    items.generators[0].iter = first;
    let item = Stmt::Assign(StmtAssign {
        node_index: Default::default(),
        range: items.elt.range(),
        targets: vec![(*s.target).clone()],
        value: items.elt.clone(),
    });
    let body = std::iter::once(item).chain(s.body.iter().cloned());
    match nested(&items.generators, body.collect(), s.range())? {
        Stmt::For(whole) => Some(StmtFor {
            range: s.range(),
            orelse: s.orelse.clone(),
            ..whole
        }),
        _ => None,
    }
}

/// Whether something inside a generator expression has variables of its own with one of these names.
fn binds_any(items: &ExprGenerator, names: &HashSet<String>) -> bool {
    struct Finder<'n>(&'n HashSet<String>, bool);
    impl<'a> Visitor<'a> for Finder<'_> {
        fn visit_expr(&mut self, expr: &'a Expr) {
            let own = match expr {
                Expr::Lambda(e) => {
                    let parameters = e.parameters.iter().flat_map(|all| all.iter());
                    parameters.map(|one| one.name().to_string()).collect()
                }
                Expr::ListComp(e) => targets(&e.generators),
                Expr::SetComp(e) => targets(&e.generators),
                Expr::DictComp(e) => targets(&e.generators),
                Expr::Generator(e) => targets(&e.generators),
                _ => HashSet::new(),
            };
            self.1 |= !own.is_disjoint(self.0);
            walk_expr(self, expr);
        }
    }
    let mut finder = Finder(names, false);
    finder.visit_expr(&items.elt);
    for (position, one) in items.generators.iter().enumerate() {
        if position > 0 {
            finder.visit_expr(&one.iter);
        }
        one.ifs.iter().for_each(|test| finder.visit_expr(test));
    }
    finder.1
}

fn targets(generators: &[Comprehension]) -> HashSet<String> {
    let all = generators.iter();
    all.flat_map(|one| syntax::assigned_by(&one.target))
        .collect()
}

/// The loops and conditions of a comprehension around statements.
fn nested(generators: &[Comprehension], body: Suite, range: TextRange) -> Option<Stmt> {
    let mut body = body;
    for generator in generators.iter().rev() {
        for condition in generator.ifs.iter().rev() {
            let whole = Stmt::If(StmtIf {
                node_index: Default::default(),
                range: TextRange::new(
                    condition.range().start(),
                    range.end().max(condition.range().end()),
                ),
                test: Box::new(condition.clone()),
                body,
                elif_else_clauses: Vec::new(),
            });
            body = std::iter::once(whole).collect();
        }
        let whole = Stmt::For(StmtFor {
            node_index: Default::default(),
            range: TextRange::new(
                generator.range().start(),
                range.end().max(generator.range().end()),
            ),
            is_async: generator.is_async,
            target: Box::new(generator.target.clone()),
            iter: Box::new(generator.iter.clone()),
            body,
            orelse: Suite::new(),
        });
        body = std::iter::once(whole).collect();
    }
    body.into_iter().next()
}

/// A function that yields the items, and its call with what the first loop goes over: that one is computed at once.
fn as_function(items: &ExprGenerator) -> (StmtFunctionDef, Expr) {
    let range = items.range;
    let given = "%given".to_string();
    let mut generators = items.generators.clone();
    let first = std::mem::replace(&mut generators[0].iter, load(&given, range));
    let item = Stmt::Expr(StmtExpr {
        node_index: Default::default(),
        range: items.elt.range(),
        value: Box::new(Expr::Yield(ExprYield {
            node_index: Default::default(),
            range: items.elt.range(),
            value: Some(items.elt.clone()),
        })),
    });
    let name = format!("%generator{}", u32::from(range.start()));
    let parameter = ParameterWithDefault {
        range,
        node_index: Default::default(),
        parameter: Parameter {
            range,
            node_index: Default::default(),
            name: Identifier::new(Name::new(&given), range),
            annotation: None,
        },
        default: None,
    };
    let function = StmtFunctionDef {
        node_index: Default::default(),
        range,
        is_async: false,
        decorator_list: Default::default(),
        name: Identifier::new(Name::new(&name), range),
        type_params: None,
        parameters: Box::new(Parameters {
            range,
            args: std::iter::once(parameter).collect(),
            ..Parameters::default()
        }),
        returns: None,
        body: nested(&generators, std::iter::once(item).collect(), range)
            .into_iter()
            .collect(),
    };
    (function, call_with(load(&name, range), vec![first], range))
}

/// The assignments of generator expressions to names.
fn named_generators(body: &[Stmt]) -> Vec<(String, TextRange)> {
    struct Finder(Vec<(String, TextRange)>);
    impl<'a> Visitor<'a> for Finder {
        fn visit_stmt(&mut self, statement: &'a Stmt) {
            if let Stmt::Assign(s) = statement
                && let ([Expr::Name(name)], Expr::Generator(_)) = (&s.targets[..], &*s.value)
            {
                self.0.push((name.id.to_string(), s.range()));
            }
            if !matches!(statement, Stmt::FunctionDef(_)) {
                walk_stmt(self, statement);
            }
        }
        fn visit_expr(&mut self, _: &'a Expr) {}
    }
    let mut finder = Finder(Vec::new());
    body.iter().for_each(|one| finder.visit_stmt(one));
    finder.0
}

/// Whether something from an assignment to the end of the statements that read its name may change what the value
/// reads, or would be noticed.
fn may_differ(body: &[Stmt], name: &str, assigned: TextRange) -> bool {
    let mut readers = Readers {
        name,
        assigned,
        around: None,
        end: assigned.end(),
        read_before: false,
    };
    body.iter().for_each(|one| readers.visit_stmt(one));
    let mut changes = Changes {
        name,
        within: TextRange::new(assigned.start(), readers.end),
        assigned,
        found: readers.read_before,
    };
    body.iter().for_each(|one| changes.visit_stmt(one));
    changes.found
}

/// Where a name is read after an assignment.
struct Readers<'n> {
    name: &'n str,
    assigned: TextRange,
    /// The outermost statement after the assignment that is being gone through.
    around: Option<TextRange>,
    /// Where the last of those that read it ends.
    end: TextSize,
    read_before: bool,
}

impl<'a> Visitor<'a> for Readers<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        if let Stmt::FunctionDef(inner) = statement {
            // It may be called at any time.
            self.read_before |= names_read(&inner.body).contains(self.name);
        }
        let is_outermost = self.around.is_none() && statement.start() >= self.assigned.end();
        if is_outermost {
            self.around = Some(statement.range());
        }
        walk_stmt(self, statement);
        if is_outermost {
            self.around = None;
        }
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Expr::Name(name) = expr
            && name.id == self.name
            && name.ctx.is_load()
        {
            match self.around {
                Some(around) => self.end = self.end.max(around.end()),
                None => self.read_before = true,
            }
        }
        walk_expr(self, expr);
    }
}

/// Whether anything in a part of a function changes variables, arrays or lists, or does more than to compute.
struct Changes<'n> {
    name: &'n str,
    within: TextRange,
    /// Its own variables do not count.
    assigned: TextRange,
    found: bool,
}

impl<'a> Visitor<'a> for Changes<'_> {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        let is_inside = self.within.contains_range(statement.range());
        self.found |= is_inside && matches!(statement, Stmt::AugAssign(_) | Stmt::Delete(_));
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &'a Expr) {
        if self.within.contains_range(expr.range()) {
            self.found |= match expr {
                Expr::Subscript(e) if e.ctx.is_store() => true,
                Expr::Attribute(e) => e.ctx.is_store(),
                Expr::Name(e) => {
                    let is_own = e.id == self.name || self.assigned.contains_range(e.range());
                    e.ctx.is_store() && !is_own
                }
                // What it takes is its own.
                call if syntax::is_next_of(call, self.name) => false,
                Expr::Call(e) => {
                    let given = &e.arguments;
                    // The third may be where the result goes.
                    !is_harmless(&e.func) || !given.keywords.is_empty() || given.args.len() > 2
                }
                // An item may raise, which is to be noticed where it is wanted.
                Expr::Subscript(_) => self.assigned.contains_range(expr.range()),
                Expr::BinOp(e) => {
                    let is_safe = matches!(e.op, Operator::Add | Operator::Sub | Operator::Mult);
                    !is_safe && self.assigned.contains_range(expr.range())
                }
                Expr::Yield(_) | Expr::YieldFrom(_) | Expr::Await(_) => true,
                _ => false,
            };
        }
        walk_expr(self, expr);
    }
}

/// Whether a function is one of those that only compute, as far as its name tells: `np.sqrt` is, `np.put` is not.
fn is_harmless(function: &Expr) -> bool {
    match function {
        // Printing changes nothing, but its time is noticed.
        Expr::Name(name) => name.id != "print" && HARMLESS.contains(&name.id.as_str()),
        Expr::Attribute(e) => {
            let of_module = matches!(&*e.value, Expr::Name(name) if matches!(name.id.as_str(), "np" | "numpy" | "math"));
            of_module
                && !matches!(
                    e.attr.as_str(),
                    "copyto" | "put" | "place" | "putmask" | "put_along_axis" | "fill_diagonal"
                )
        }
        _ => false,
    }
}
