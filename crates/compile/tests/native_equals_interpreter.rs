//! Machine code gives what the interpreter gives, however its index space is cut.

use colocate_compile::{Compiler, Options, Program, Target};
use colocate_hal::{ALIGNMENT, HostCode, HostPart, KernelCode};
use colocate_ir::arbitrary::{Case, Config, cases, difference, run_interpreter};
use colocate_ir::interpret::{Argument, Memory};
use colocate_ir::{Kernel, Layout, ParamKind};
use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, TestError, TestRunner};

/// How many random kernels of each kind; `PROPTEST_CASES` asks for more.
const CASES: u32 = 64;

/// The lanes that are tried: one, a few, many, and what the kernel calls for.
const LANES: [Option<u32>; 4] = [Some(1), Some(4), Some(16), None];

/// Fills what nobody writes, so that reading it is noticed.
const FILL: u8 = 0xa5;

/// Memory that begins at a multiple of [`ALIGNMENT`], with a zone around it that must stay as it is.
struct Aligned {
    bytes: Vec<u8>,
    start: usize,
    size: usize,
}

impl Aligned {
    fn new(contents: &[u8]) -> Aligned {
        let mut bytes = vec![FILL; contents.len() + 3 * ALIGNMENT];
        let start = ALIGNMENT + bytes[ALIGNMENT..].as_ptr().align_offset(ALIGNMENT);
        bytes[start..start + contents.len()].copy_from_slice(contents);
        Aligned {
            bytes,
            start,
            size: contents.len(),
        }
    }

    fn pointer(&mut self) -> *mut u8 {
        self.bytes[self.start..].as_mut_ptr()
    }

    fn contents(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.size]
    }

    fn zone_is_untouched(&self) -> bool {
        let zone = self.bytes[..self.start]
            .iter()
            .chain(&self.bytes[self.start + self.size..]);
        zone.into_iter().all(|&byte| byte == FILL)
    }
}

/// The argument block for arrays in memory that begins at this address.
fn block(kernel: &Kernel, arguments: &[Argument], base: u64) -> Vec<u64> {
    let mut block = Vec::new();
    for (param, argument) in kernel.params.iter().zip(arguments) {
        match argument {
            Argument::Scalar(scalar) => {
                // What lies beyond a scalar in its slot means nothing.
                let mut bytes = scalar.to_bytes().to_vec();
                bytes.resize(8 * param.kind.slots(), FILL);
                let words = bytes.chunks(8).map(|word| word.try_into().unwrap());
                block.extend(words.map(u64::from_le_bytes));
            }
            Argument::Array(view) => {
                block.push(base + view.offset as u64);
                block.extend(view.shape.iter().map(|&extent| extent as u64));
                if let ParamKind::Array {
                    layout: Layout::Strided,
                    ..
                } = param.kind
                {
                    block.extend(view.strides.iter().map(|&stride| stride as u64));
                }
            }
        }
    }
    block
}

/// How an index space is cut into boxes.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// Not at all.
    Whole,
    /// Into as many pieces on each axis, the last one first.
    Pieces([i64; 3]),
    /// Into single items, or groups.
    Single,
}

const CUTS: [Cut; 4] = [
    Cut::Whole,
    Cut::Pieces([2, 3, 2]),
    Cut::Pieces([1, 1, 5]),
    Cut::Single,
];

fn parts(case: &Case, cut: Cut) -> Vec<HostPart> {
    let global = case.global.map(|extent| extent as i64);
    let local = case.local.unwrap_or([1; 3]).map(|extent| extent as i64);
    let extents = [0, 1, 2].map(|axis| global[axis] / local[axis]);
    let pieces = match cut {
        Cut::Whole => [1; 3],
        Cut::Pieces(pieces) => [0, 1, 2].map(|axis| pieces[axis].min(extents[axis]).max(1)),
        Cut::Single => extents.map(|extent| extent.max(1)),
    };
    let mut parts = Vec::new();
    for number in (0..pieces.iter().product::<i64>()).rev() {
        let at = [
            number / (pieces[1] * pieces[2]),
            number / pieces[2] % pieces[1],
            number % pieces[2],
        ];
        parts.push(HostPart {
            global,
            local,
            begin: [0, 1, 2].map(|axis| at[axis] * extents[axis] / pieces[axis]),
            end: [0, 1, 2].map(|axis| (at[axis] + 1) * extents[axis] / pieces[axis]),
        });
    }
    parts
}

fn scratch_bytes(case: &Case, code: &HostCode) -> usize {
    let mut local = case.local.unwrap_or([1; 3]);
    let last = usize::from(case.kernel.rank) - 1;
    local[last] = local[last].next_multiple_of(code.lanes);
    code.scratch_bytes + code.scratch_bytes_per_item * local.iter().product::<usize>()
}

/// What machine code leaves in the buffers of a case's arrays.
fn run_native(case: &Case, program: &Program, cut: Cut) -> Result<Vec<Vec<u8>>, String> {
    let KernelCode::Host(code) = &program.image.code else {
        return Err("a program of the host is not machine code".into());
    };
    let (Memory { bytes }, arguments, starts) = case.arguments();
    let mut memory = Aligned::new(&bytes);
    let block = block(&case.kernel, &arguments, memory.pointer() as u64);
    if block.len() != program.image.slots.len() {
        return Err(format!("{} slots are given", block.len()));
    }
    let mut scratch = Aligned::new(&vec![FILL; scratch_bytes(case, code)]);
    for part in parts(case, cut) {
        // SAFETY: a valid case never leaves its arrays; memory and scratch have their sizes.
        unsafe { (code.entry)(block.as_ptr(), &part, scratch.pointer()) };
    }
    if !scratch.zone_is_untouched() {
        return Err("it wrote beyond its working memory".into());
    }
    if !memory.zone_is_untouched() {
        return Err("it wrote beyond all arrays".into());
    }
    let buffers = starts.iter().zip(&case.arrays);
    Ok(buffers
        .map(|(&start, array)| memory.contents()[start..start + array.contents.len()].to_vec())
        .collect())
}

fn check_case(case: &Case, lanes: Option<u32>) -> Result<(), String> {
    let options = Options {
        lanes,
        ..Options::default()
    };
    let expected = run_interpreter(case);
    // One compiler a case: nothing is to be found, and code is freed at once.
    let program = Compiler::new(None)
        .program(&case.kernel, &Target::Host, &options)
        .map_err(|error| error.to_string())?;
    for cut in CUTS {
        let found = run_native(case, &program, cut).map_err(|why| format!("{cut:?}: {why}"))?;
        if let Some(what) = difference(case, &expected, &found) {
            return Err(format!("{cut:?}: {what}"));
        }
    }
    Ok(())
}

fn check_random_cases(config: Config) {
    let count = std::env::var("PROPTEST_CASES").map_or(CASES, |count| count.parse().unwrap());
    let started = std::env::var_os("COLOCATE_SHOW_KERNELS").is_some();
    for lanes in LANES {
        let runs = Runs {
            cases: count,
            failure_persistence: None,
            ..Runs::default()
        };
        // A seed and a size say it all: cases shrink by size, and a failure is found again by them.
        let seeds = (any::<u64>().no_shrink(), 1usize..60);
        let result = TestRunner::new(runs).run(&seeds, |(seed, size)| {
            let case = colocate_ir::arbitrary::case(config, seed, size);
            if started {
                // For what ends the process.
                eprintln!("lanes {lanes:?}, seed {seed}, size {size}\n{}", case.kernel);
            }
            check_case(&case, lanes).map_err(TestCaseError::fail)
        });
        match result {
            Ok(()) => {}
            Err(TestError::Fail(why, (seed, size))) => {
                let case = colocate_ir::arbitrary::case(config, seed, size);
                let (nd_range, core) = (u8::from(config.nd_range), u8::from(config.core));
                let lanes = lanes.unwrap_or(0);
                panic!(
                    "{why}\nglobal {:?}, local {:?}, scalars {:?}\n{}\n\
                     again: COLOCATE_CASE=\"{nd_range} {core} {lanes} {seed} {size}\"",
                    case.global, case.local, case.scalars, case.kernel,
                );
            }
            Err(TestError::Abort(why)) => panic!("{why}"),
        }
    }
}

fn groups() -> Config {
    Config {
        nd_range: true,
        ..Config::default()
    }
}

#[test]
fn random_regions() {
    check_random_cases(Config::default());
}

#[test]
fn random_core_regions() {
    check_random_cases(Config {
        core: true,
        ..Config::default()
    });
}

#[test]
fn random_nd_range_kernels() {
    check_random_cases(groups());
}

#[test]
fn random_core_nd_range_kernels() {
    check_random_cases(Config {
        core: true,
        ..groups()
    });
}

/// The case of a failure: `COLOCATE_CASE="nd_range core lanes seed size"`, as in `1 0 8 42 30`
/// (lanes 0: the kernel's own).
#[test]
fn the_case_of_the_environment() {
    let Ok(text) = std::env::var("COLOCATE_CASE") else {
        return;
    };
    let numbers: Vec<u64> = text
        .split_whitespace()
        .map(|number| number.parse().expect("five numbers"))
        .collect();
    let [nd_range, core, lanes, seed, size] = numbers[..] else {
        panic!("five numbers are wanted, not {text:?}");
    };
    let config = Config {
        nd_range: nd_range != 0,
        core: core != 0,
        ..Config::default()
    };
    let case = colocate_ir::arbitrary::case(config, seed, size as usize);
    eprintln!("{}\n{:?} {:?}", case.kernel, case.global, case.local);
    check_case(&case, (lanes != 0).then_some(lanes as u32)).unwrap();
}

#[test]
fn the_parts_of_a_cut_cover_the_space_once() {
    proptest!(ProptestConfig::with_cases(50), |(case in cases(groups()))| {
        let local = case.local.unwrap();
        let groups = [0, 1, 2].map(|axis| case.global[axis] / local[axis]);
        for cut in CUTS {
            let volume: i64 = parts(&case, cut)
                .iter()
                .map(|part| (0..3).map(|a| part.end[a] - part.begin[a]).product::<i64>())
                .sum();
            prop_assert_eq!(volume as usize, groups.iter().product::<usize>());
        }
    });
}
