//! A program as a text that people read: its regions with what is fused into them, and what the host
//! part does in order.

use colocate_frontend::SourceFile;
use colocate_frontend::ir::{
    ArrayRef, Block, CallResult, KernelKind, LocalId, ParamKind, Statement, StatementKind,
};
use colocate_frontend::program::{Call, Exception, Operand, Outcome, Program, RegionParameter};
use std::fmt::Write;

/// The plan of a program.
pub fn plan(program: &Program) -> String {
    let mut text = String::new();
    for (number, region) in program.regions.iter().enumerate() {
        let mut lines: Vec<usize> = Vec::new();
        for site in &region.sites {
            let line = line_of(&program.files[site.file as usize], site.span.start);
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            text,
            "region {number}: {}, line {}, {}",
            region.what,
            lines.join(" with line "),
            counted(usize::from(region.kernel.rank), "axis", "axes"),
        );
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        let mut numbers = 0;
        for parameter in &region.parameters {
            match parameter {
                RegionParameter::Array {
                    local,
                    reads: read,
                    writes: written,
                    ..
                } => {
                    if *read {
                        reads.push(name_of(program, *local));
                    }
                    if *written {
                        writes.push(name_of(program, *local));
                    }
                }
                RegionParameter::Scalar(_) => numbers += 1,
                RegionParameter::Reduction(_) => {}
            }
        }
        for (what, names) in [("reads", reads), ("writes", writes)] {
            if !names.is_empty() {
                let _ = writeln!(text, "    {what} {}", names.join(", "));
            }
        }
        if numbers > 0 {
            let _ = writeln!(text, "    takes {}", counted(numbers, "number", "numbers"));
        }
        if let KernelKind::Region { reductions } = &region.kernel.kind {
            for reduction in reductions {
                let kind = &region.kernel.params[reduction.target.index()];
                let dtype = match kind.kind {
                    ParamKind::Array { dtype, .. } | ParamKind::Scalar(dtype) => dtype,
                };
                let what = match kind.name.as_str() {
                    "failure" => "the first failure".to_string(),
                    _ => format!("{dtype} by {:?}", reduction.operator),
                };
                let _ = writeln!(text, "    reduces {what}");
            }
        }
        let atomics = count(&region.kernel.body, &|statement| {
            matches!(statement.kind, StatementKind::Atomic { .. })
        });
        if atomics > 0 {
            let _ = writeln!(
                text,
                "    {}",
                counted(atomics, "atomic update", "atomic updates")
            );
        }
        let loops = count(&region.kernel.body, &|statement| {
            matches!(
                statement.kind,
                StatementKind::For { .. } | StatementKind::While { .. }
            )
        });
        if loops > 0 {
            let _ = writeln!(
                text,
                "    {}",
                counted(loops, "loop inside", "loops inside")
            );
        }
    }
    let _ = writeln!(text, "host part");
    block(program, &program.host.body, 1, &mut text);
    for note in &program.notes {
        let line = line_of(
            &program.files[note.site.file as usize],
            note.site.span.start,
        );
        let _ = writeln!(text, "note, line {line}: {}", note.text);
    }
    text
}

fn counted(count: usize, one: &str, several: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {several}"),
    }
}

fn line_of(file: &SourceFile, start: u32) -> usize {
    let before = &file.text.as_bytes()[..(start as usize).min(file.text.len())];
    file.first_line + before.iter().filter(|byte| **byte == b'\n').count()
}

/// The name of a local, with its number where others have the same.
fn name_of(program: &Program, local: LocalId) -> String {
    let locals = &program.host.locals;
    let name = &locals[local.index()].name;
    match locals.iter().filter(|other| other.name == *name).count() {
        1 => name.clone(),
        _ => format!("{name}{}", local.index()),
    }
}

fn names_of(program: &Program, locals: &[LocalId]) -> String {
    let names: Vec<String> = locals.iter().map(|one| name_of(program, *one)).collect();
    names.join(", ")
}

fn count(block: &Block, wanted: &dyn Fn(&Statement) -> bool) -> usize {
    let inner = |statement: &Statement| match &statement.kind {
        StatementKind::If {
            then, otherwise, ..
        } => count(then, wanted) + count(otherwise, wanted),
        StatementKind::For { body, .. } => count(body, wanted),
        StatementKind::While { before, body, .. } => count(before, wanted) + count(body, wanted),
        _ => 0,
    };
    let each = |statement: &Statement| usize::from(wanted(statement)) + inner(statement);
    block.iter().map(each).sum()
}

/// What a block does, as far as it is more than arithmetic; branches and loops that are not, are left
/// out.
fn block(program: &Program, statements: &Block, depth: usize, text: &mut String) {
    let margin = "    ".repeat(depth);
    let within = |title: &str, body: &Block, text: &mut String| {
        let mut inner = String::new();
        block(program, body, depth + 1, &mut inner);
        if !inner.is_empty() {
            let _ = write!(text, "{margin}{title}\n{inner}");
        }
        !inner.is_empty()
    };
    for statement in statements {
        match &statement.kind {
            StatementKind::Load { place, .. } => {
                if let ArrayRef::Local(local) = place.array {
                    let line = format!("{margin}reads {}\n", name_of(program, local));
                    if !text.ends_with(&line) {
                        text.push_str(&line);
                    }
                }
            }
            StatementKind::Store { place, .. } => {
                if let ArrayRef::Local(local) = place.array {
                    let line = format!("{margin}writes {}\n", name_of(program, local));
                    if !text.ends_with(&line) {
                        text.push_str(&line);
                    }
                }
            }
            StatementKind::If {
                then, otherwise, ..
            } => {
                if !within("if", then, text) {
                    within("if not", otherwise, text);
                } else {
                    within("else", otherwise, text);
                }
            }
            StatementKind::For { body, .. } => {
                within("for each turn", body, text);
            }
            StatementKind::While { before, body, .. } => {
                within("while", before, text);
                within("for each turn", body, text);
            }
            StatementKind::Call {
                callee, results, ..
            } => {
                // What has no number there calls nothing.
                if let Some(call) = program.calls.get(*callee as usize) {
                    let _ = writeln!(text, "{margin}{}", described(program, call, results));
                }
            }
            StatementKind::CallFunction { function, .. } => {
                let _ = writeln!(text, "{margin}calls function {}", function.index());
            }
            _ => {}
        }
    }
}

fn described(program: &Program, call: &Call, results: &[CallResult]) -> String {
    let name = |local: &LocalId| name_of(program, *local);
    match call {
        Call::Argument { leaf, local } => format!("{} = argument {leaf}", name(local)),
        Call::Allocate { local, zeros, .. } => {
            let how = if *zeros { " of zeros" } else { "" };
            format!("{} = new array{how}", name(local))
        }
        Call::View { from, local, .. } => format!("{} = view of {}", name(local), name(from)),
        Call::Reshape { from, local, .. } => format!("{} = reshaped {}", name(local), name(from)),
        Call::Launch { region } => {
            let gives = match results.len() {
                0 => String::new(),
                some => format!(", gives {}", counted(some, "number", "numbers")),
            };
            format!("launch region {region}{gives}")
        }
        Call::Library {
            function,
            result,
            changes,
            ..
        } => {
            let mut line = match result {
                Outcome::Local(local) => format!("{} = {function}", name(local)),
                _ => format!("call {function}"),
            };
            if !changes.is_empty() {
                line += &format!(", changes {}", names_of(program, changes));
            }
            line
        }
        Call::List(_) => "work on a list".into(),
        Call::Draw { .. } => "draw a random number".into(),
        Call::FillRandom { local } => format!("fill {} with random numbers", name(local)),
        Call::Room { local } => format!("{} = room for a list", name(local)),
        Call::Grow { local } => format!("grow {}", name(local)),
        Call::Sort { local } => format!("sort {}", name(local)),
        Call::Splice { local, .. } => format!("splice {}", name(local)),
        Call::Compare { local, with } => format!("compare {} with {}", name(local), name(with)),
        Call::ToHost { local, writes } => {
            let how = if *writes { ", to be written" } else { "" };
            format!("{} to the host{how}", name(local))
        }
        Call::Release { locals } => format!("release {}", names_of(program, locals)),
        Call::Print { .. } => "print".into(),
        Call::Raise { class, .. } => match class {
            Exception::Builtin(class) => format!("raise {class}"),
            Exception::Handle(number) => format!("raise exception {number}"),
            Exception::Own => "raise an exception again".into(),
        },
        Call::Return { value } => format!("return {}", operand(program, value)),
    }
}

fn operand(program: &Program, value: &Operand) -> String {
    let several = |items: &[Operand]| -> String {
        let items: Vec<String> = items.iter().map(|item| operand(program, item)).collect();
        items.join(", ")
    };
    match value {
        Operand::Local(local) => name_of(program, *local),
        Operand::Scalar { dtype, .. } => format!("a {dtype}"),
        Operand::Constant(constant) => format!("{constant:?}"),
        Operand::Tuple(items) => format!("({})", several(items)),
        Operand::List(items) | Operand::Slice(items) | Operand::Named(_, items) => {
            format!("[{}]", several(items))
        }
        Operand::Items { local, .. } => format!("a list of {}", name_of(program, *local)),
        Operand::Held(_) | Operand::ListArgument(_) => "a list".into(),
        Operand::Object => "an object".into(),
        Operand::Ellipsis => "...".into(),
    }
}
