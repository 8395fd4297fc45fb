//! Several processes share a cache directory.

use colocate_compile::{Options, Stats, Target, cache_stats, program};
use colocate_ir::{
    ArrayRef, BinaryOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout, ParamKind,
    Place,
};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

const KERNELS: i64 = 12;

/// `a[i] = a[i] + number`.
fn kernel(number: i64) -> Kernel {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut builder = KernelBuilder::new("add", 1, kind);
    let a = builder.param(
        "a",
        ParamKind::Array {
            dtype: DType::Int64,
            rank: 1,
            layout: Layout::Contiguous,
        },
    );
    let i = builder.index(IndexFunction::GlobalId, 0);
    let place = Place::new(ArrayRef::Param(a), [i]);
    let x = builder.load(place.clone());
    let n = builder.int64(number);
    let sum = builder.binary(BinaryOp::Add, x, n);
    builder.store(place, sum);
    builder.finish()
}

fn targets() -> [Target; 2] {
    let spirv = Target::SpirV {
        float64: true,
        int64_atomics: true,
    };
    [spirv, Target::Host]
}

/// What a child process does: compiles all kernels, from several threads, and says how it went.
#[test]
fn a_child_compiles_all_kernels() {
    if std::env::var_os("COLOCATE_TEST_CHILD").is_none() {
        return;
    }
    std::thread::scope(|scope| {
        for first in 0..3 {
            scope.spawn(move || {
                for number in (0..KERNELS).map(|n| (n + 5 * first) % KERNELS) {
                    for target in targets() {
                        program(&kernel(number), &target, &Options::default()).unwrap();
                    }
                }
            });
        }
    });
    let Stats {
        compiled,
        memory_hits,
        disk_hits,
        disk_rejected,
        disk_failures,
    } = cache_stats();
    println!("stats {compiled} {memory_hits} {disk_hits} {disk_rejected} {disk_failures}");
}

fn child(directory: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_child_compiles_all_kernels", "--nocapture"])
        .env("COLOCATE_TEST_CHILD", "1")
        .env("COLOCATE_CACHE_DIR", directory)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Compiled, from memory, from disk, rejected, failed to write.
fn stats(child: Child) -> [u64; 5] {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let (_, numbers) = text.split_once("stats ").unwrap();
    let numbers = numbers.lines().next().unwrap().split(' ');
    let numbers: Vec<u64> = numbers.map(|number| number.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("colocate-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn all() -> u64 {
    KERNELS as u64 * targets().len() as u64
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn a_later_process_compiles_nothing() {
    let folder = folder("later");
    let directory = folder.to_str().unwrap();
    assert_eq!(stats(child(directory)), [all(), 2 * all(), 0, 0, 0]);
    assert_eq!(entries(&folder).len() as u64, all());
    assert_eq!(stats(child(directory)), [0, 2 * all(), all(), 0, 0]);
    // Half of every entry lost, all are compiled again, and are whole afterwards.
    for path in entries(&folder) {
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    }
    assert_eq!(stats(child(directory)), [all(), 2 * all(), 0, all(), 0]);
    assert_eq!(stats(child(directory)), [0, 2 * all(), all(), 0, 0]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn processes_at_the_same_time_do_not_disturb_one_another() {
    let folder = folder("same-time");
    let directory = folder.to_str().unwrap();
    let children: Vec<Child> = (0..4).map(|_| child(directory)).collect();
    for child in children {
        let [compiled, _, found, rejected, failed] = stats(child);
        assert_eq!((compiled + found, rejected, failed), (all(), 0, 0));
    }
    assert_eq!(entries(&folder).len() as u64, all());
    assert_eq!(stats(child(directory))[2], all());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_cache_that_is_turned_off_keeps_nothing() {
    for off in ["", "off", "0"] {
        assert_eq!(stats(child(off)), [all(), 2 * all(), 0, 0, 0]);
    }
}

#[test]
fn a_directory_that_cannot_be_made_fails_no_compilation() {
    assert_eq!(
        stats(child("/proc/nowhere")),
        [all(), 2 * all(), 0, 0, all()]
    );
}
