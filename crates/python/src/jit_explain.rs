//! What `JitFunction.explain` tells: regions, what was decided, launches, what moved and why (R5.10).

use crate::jit_keys::shown;
use crate::jit_specialisation::Specialisation;
use colocate_diag::Site;
use colocate_frontend::program::{Call, Program, RegionParameter};
use colocate_jit::{Direction, Moved, Report};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::fmt::Write;
use std::sync::Arc;

/// A function that was run to be explained.
pub struct Explained {
    pub function: String,
    pub parameters: Vec<String>,
    pub specialisation: Arc<Specialisation>,
    /// Where regions ran.
    pub device: String,
    pub report: Report,
    /// The exception that ended it.
    pub raised: Option<String>,
}

impl Explained {
    fn program(&self) -> &Program {
        self.specialisation.executable.program()
    }

    fn line(&self, site: Site) -> Option<usize> {
        let file = self.program().files.get(site.file as usize)?;
        Some(file.line(site.span))
    }

    /// The text of the line.
    fn source(&self, site: Site) -> Option<String> {
        let file = self.program().files.get(site.file as usize)?;
        let line = file.line(site.span).checked_sub(file.first_line)?;
        Some(file.text.lines().nth(line)?.trim().to_owned())
    }

    /// The lines that went into a region, in order.
    fn lines(&self, region: usize) -> Vec<usize> {
        let sites = &self.program().regions[region].sites;
        let mut lines: Vec<usize> = sites.iter().filter_map(|&site| self.line(site)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Names of the arrays that a region reads, or writes.
    fn arrays(&self, region: usize, written: bool) -> Vec<String> {
        let program = self.program();
        let mut names = Vec::new();
        for parameter in &program.regions[region].parameters {
            if let RegionParameter::Array {
                local,
                reads,
                writes,
                ..
            } = parameter
                && (if written { *writes } else { *reads })
            {
                let name = program.host.locals[local.index()].name.clone();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// The regions that ran, and those that might have; not those that are there for other shapes.
    fn regions(&self) -> Vec<usize> {
        let regions = self.program().regions.iter().enumerate();
        let shown = regions.filter(|(number, region)| !region.rare || self.launches(*number) > 0);
        shown.map(|(number, _)| number).collect()
    }

    fn launches(&self, region: usize) -> usize {
        let all = self.report.launched.iter();
        all.filter(|one| one.region == region).count()
    }

    fn function_of(&self, call: usize) -> &str {
        match &self.program().calls[call] {
            Call::Library { function, .. } => function.trim_start_matches("method."),
            _ => "a function",
        }
    }
}

fn plural(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

fn at_lines(lines: &[usize]) -> String {
    let shown: Vec<String> = lines.iter().map(usize::to_string).collect();
    match lines.len() {
        0 => String::new(),
        1 => format!(", line {}", shown[0]),
        _ => format!(", lines {}", shown.join(", ")),
    }
}

/// As text.
pub fn text(explained: &Explained) -> String {
    let mut text = String::new();
    write_text(explained, &mut text).expect("a string takes all");
    text
}

fn write_text(explained: &Explained, text: &mut String) -> std::fmt::Result {
    let program = explained.program();
    let report = &explained.report;
    let regions = explained.regions();
    let types = &explained.specialisation.types;
    let arguments: Vec<String> = explained
        .parameters
        .iter()
        .zip(types)
        .map(|(name, kind)| format!("{name}: {}", shown(kind)))
        .collect();
    writeln!(
        text,
        "{}({}) on {}: {}, {}",
        explained.function,
        arguments.join(", "),
        explained.device,
        plural(regions.len(), "region"),
        plural(report.launched.len(), "launch").replace("launchs", "launches"),
    )?;
    for (position, number) in regions.into_iter().enumerate() {
        let region = &program.regions[number];
        let lines = explained.lines(number);
        writeln!(
            text,
            "region {}: {}{}",
            position + 1,
            region.what,
            at_lines(&lines)
        )?;
        let mut sources: Vec<String> = Vec::new();
        for &site in region.sites.iter().rev() {
            let source = explained.source(site);
            sources.extend(source.filter(|source| !sources.contains(source)));
        }
        for source in sources {
            writeln!(text, "    {source}")?;
        }
        let reads = explained.arrays(number, false).join(", ");
        let writes = explained.arrays(number, true).join(", ");
        if !reads.is_empty() {
            writeln!(text, "  reads {reads}")?;
        }
        if !writes.is_empty() {
            writeln!(text, "  writes {writes}")?;
        }
        let ran: Vec<_> = report
            .launched
            .iter()
            .filter(|one| one.region == number)
            .collect();
        match ran[..] {
            [] => writeln!(text, "  did not run")?,
            [first, ..] => {
                let extents: Vec<String> = first.extents.iter().map(usize::to_string).collect();
                let seconds: f64 = ran.iter().map(|one| one.seconds).sum();
                let times = match ran.len() {
                    1 => "once".into(),
                    count => format!("{count} times"),
                };
                let space = extents.join(" x ");
                let stayed = ran.iter().filter(|one| one.on_host).count();
                if stayed > 0 {
                    let all = if stayed == ran.len() {
                        ""
                    } else {
                        " sometimes"
                    };
                    writeln!(
                        text,
                        "  stayed on the host{all}: to offload it would take longer (R5.11)"
                    )?;
                }
                writeln!(
                    text,
                    "  ran {times}, over {space} items, {:.3} ms",
                    seconds * 1e3
                )?;
                let aside: usize = ran.iter().map(|one| one.set_aside).sum();
                if aside > 0 {
                    let arrays = plural(aside, "array");
                    writeln!(text, "  set aside {arrays} that it reads and overwrites")?;
                }
            }
        }
    }
    for (called, all) in alike(&report.called, |one| {
        (explained.function_of(one.call), one.on_host)
    }) {
        let function = explained.function_of(called.call);
        let place = match called.on_host {
            true if function.starts_with("numpy.") => "on host memory, by NumPy",
            true => "on the host, in Python",
            false => "on the queue",
        };
        let seconds: f64 = all.iter().map(|one| one.seconds).sum();
        let times = times_if_several(all.len());
        writeln!(
            text,
            "{function} ran {place}{times}, {:.3} ms",
            seconds * 1e3
        )?;
    }
    for note in &program.notes {
        match explained.line(note.site) {
            Some(line) => writeln!(text, "line {line}: {}", note.text)?,
            None => writeln!(text, "{}", note.text)?,
        }
    }
    write_memory(explained, text)?;
    if let Some(raised) = &explained.raised {
        writeln!(text, "it raised {raised}")?;
    }
    Ok(())
}

/// What happened several times in one way, with the first of each, in order.
fn alike<T, K: PartialEq>(all: &[T], kind: impl Fn(&T) -> K) -> Vec<(&T, Vec<&T>)> {
    let mut kinds: Vec<(K, Vec<&T>)> = Vec::new();
    for one in all {
        let own = kind(one);
        match kinds.iter_mut().find(|(other, _)| *other == own) {
            Some((_, same)) => same.push(one),
            None => kinds.push((own, vec![one])),
        }
    }
    kinds.into_iter().map(|(_, same)| (same[0], same)).collect()
}

fn times_if_several(count: usize) -> String {
    match count {
        1 => String::new(),
        count => format!(", {count} times"),
    }
}

fn write_memory(explained: &Explained, text: &mut String) -> std::fmt::Result {
    let report = &explained.report;
    if report.allocations > 0 {
        let arrays = plural(report.allocations, "array");
        write!(
            text,
            "allocated {arrays} of {} bytes together",
            report.allocated_bytes
        )?;
        if report.reused > 0 {
            write!(
                text,
                ", and used memory again {}",
                plural(report.reused, "time")
            )?;
        }
        writeln!(text)?;
    }
    let kind = |one: &Moved| (one.array.clone(), one.direction, one.why.clone(), one.site);
    for (moved, all) in alike(&report.moved, kind) {
        let way = match moved.direction {
            Direction::ToDevice => "to the device",
            Direction::ToHost => "to the host",
        };
        let line = moved.site.and_then(|site| explained.line(site));
        let line = line.map_or(String::new(), |line| format!(" (line {line})"));
        let (array, bytes): (_, usize) = (&moved.array, all.iter().map(|one| one.bytes).sum());
        let times = times_if_several(all.len());
        writeln!(
            text,
            "moved {array}, {bytes} bytes {way}{times}: {}{line}",
            moved.why
        )?;
    }
    let (there, back) = (
        report.bytes(Direction::ToDevice),
        report.bytes(Direction::ToHost),
    );
    match explained.specialisation.facts.unified {
        true => writeln!(text, "nothing is copied: host and device share memory"),
        false => writeln!(
            text,
            "{there} bytes went to the device, and {back} came back"
        ),
    }
}

/// As a dictionary.
pub fn dict<'py>(py: Python<'py>, explained: &Explained) -> PyResult<Bound<'py, PyDict>> {
    let program = explained.program();
    let report = &explained.report;
    let all = PyDict::new(py);
    all.set_item("function", &explained.function)?;
    all.set_item("device", &explained.device)?;
    let types: Vec<String> = explained.specialisation.types.iter().map(shown).collect();
    all.set_item("arguments", types)?;
    let shown_regions = explained.regions();
    let regions = PyList::empty(py);
    for &number in &shown_regions {
        let region = &program.regions[number];
        let one = PyDict::new(py);
        one.set_item("what", &region.what)?;
        one.set_item("lines", explained.lines(number))?;
        one.set_item("reads", explained.arrays(number, false))?;
        one.set_item("writes", explained.arrays(number, true))?;
        one.set_item("launches", explained.launches(number))?;
        regions.append(one)?;
    }
    all.set_item("regions", regions)?;
    let launches = PyList::empty(py);
    for launched in &report.launched {
        let one = PyDict::new(py);
        let region = shown_regions.iter().position(|one| *one == launched.region);
        one.set_item("region", region)?;
        one.set_item("extents", &launched.extents)?;
        one.set_item("seconds", launched.seconds)?;
        one.set_item("on_host", launched.on_host)?;
        one.set_item("set_aside", launched.set_aside)?;
        launches.append(one)?;
    }
    all.set_item("launches", launches)?;
    let library = PyList::empty(py);
    for called in &report.called {
        let one = PyDict::new(py);
        one.set_item("function", explained.function_of(called.call))?;
        one.set_item("on_host", called.on_host)?;
        one.set_item("seconds", called.seconds)?;
        library.append(one)?;
    }
    all.set_item("library", library)?;
    let notes = PyList::empty(py);
    for note in &program.notes {
        let one = PyDict::new(py);
        one.set_item("line", explained.line(note.site))?;
        one.set_item("text", &note.text)?;
        notes.append(one)?;
    }
    all.set_item("notes", notes)?;
    let moved = PyList::empty(py);
    for one_moved in &report.moved {
        let one = PyDict::new(py);
        let direction = match one_moved.direction {
            Direction::ToDevice => "to device",
            Direction::ToHost => "to host",
        };
        one.set_item("array", &one_moved.array)?;
        one.set_item("direction", direction)?;
        one.set_item("bytes", one_moved.bytes)?;
        one.set_item("why", &one_moved.why)?;
        one.set_item("line", one_moved.site.and_then(|site| explained.line(site)))?;
        moved.append(one)?;
    }
    all.set_item("moved", moved)?;
    all.set_item("bytes_to_device", report.bytes(Direction::ToDevice))?;
    all.set_item("bytes_to_host", report.bytes(Direction::ToHost))?;
    all.set_item("allocations", report.allocations)?;
    all.set_item("allocated_bytes", report.allocated_bytes)?;
    all.set_item("reused", report.reused)?;
    all.set_item("seconds", report.seconds)?;
    all.set_item("raised", &explained.raised)?;
    Ok(all)
}
