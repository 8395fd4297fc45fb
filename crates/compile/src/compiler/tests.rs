use super::*;
use colocate_ir::{
    ArrayRef, BinaryOp, DType, IndexFunction, KernelBuilder, KernelKind, Layout, Place,
    ReductionOperator, StorageClass,
};
use std::path::PathBuf;

const SPIRV: Target = Target::SpirV {
    float64: true,
    int64_atomics: true,
};

fn array(dtype: DType, layout: Layout) -> ParamKind {
    ParamKind::Array {
        dtype,
        rank: 2,
        layout,
    }
}

/// `b[i, 0] = a[i, 0] + number`.
fn add(number: i64) -> Kernel {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut builder = KernelBuilder::new("add", 1, kind);
    let a = builder.param("a", array(DType::Int64, Layout::Strided));
    let b = builder.param("b", array(DType::Int64, Layout::Contiguous));
    builder.param("unused", ParamKind::Scalar(DType::Complex128));
    let i = builder.index(IndexFunction::GlobalId, 0);
    let zero = builder.int64(0);
    let x = builder.load(Place::new(ArrayRef::Param(a), [i, zero]));
    let n = builder.int64(number);
    let sum = builder.binary(BinaryOp::Add, x, n);
    builder.store(Place::new(ArrayRef::Param(b), [i, zero]), sum);
    builder.finish()
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("colocate-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

fn compile(compiler: &Compiler, kernel: &Kernel) -> Arc<Program> {
    let program = compiler.program(kernel, &SPIRV, &Options::default());
    program.unwrap()
}

fn words(program: &Program) -> &[u32] {
    match &program.image.code {
        KernelCode::SpirV(words) => words,
        other => panic!("{other:?} is not SPIR-V"),
    }
}

#[test]
fn a_program_says_what_its_kernel_does() {
    let compiler = Compiler::new(None);
    let program = compile(&compiler, &add(1));
    use SlotKind::{Pointer, Word};
    let slots = [
        Pointer, Word, Word, Word, Word, Pointer, Word, Word, Word, Word,
    ];
    assert_eq!(program.image.slots, slots);
    assert!(!program.image.grouped && !program.from_disk);
    let accesses = program.accesses.iter().map(|a| (a.reads, a.writes));
    let expected = [(true, false), (false, true), (false, false)];
    assert_eq!(accesses.collect::<Vec<_>>(), expected);
    assert_eq!((program.largest_group, program.local_bytes), (None, 0));
    assert!(program.checks.is_none());
}

#[test]
fn checks_come_with_a_report_behind_the_arguments() {
    let compiler = Compiler::new(None);
    let options = Options {
        debug: true,
        ..Options::default()
    };
    let program = compiler.program(&add(1), &SPIRV, &options).unwrap();
    let checks = program.checks.as_ref().unwrap();
    assert_eq!(checks.checks.len(), 2);
    assert!(checks.slots >= 6);
    assert_eq!(program.accesses.len(), 3);
    let report = &program.image.slots[10..];
    assert_eq!(report, [SlotKind::Pointer, SlotKind::Word]);
}

#[test]
fn groups_that_reduce_are_limited_and_take_local_memory() {
    let mut builder = KernelBuilder::new("groups", 1, KernelKind::NdRange);
    builder.storage("tile", DType::Int16, &[10], StorageClass::Local);
    let i = builder.index(IndexFunction::LocalId, 0);
    builder.group_reduce(ReductionOperator::Add, i);
    let program = compile(&Compiler::new(None), &builder.finish());
    assert!(program.image.grouped);
    assert_eq!(program.largest_group, Some(1024));
    assert!(
        program.local_bytes >= 20 + 8 * 1024,
        "{}",
        program.local_bytes
    );
}

#[test]
fn a_kernel_is_compiled_once() {
    let compiler = Compiler::new(None);
    let first = compile(&compiler, &add(1));
    assert!(Arc::ptr_eq(&first, &compile(&compiler, &add(1))));
    assert!(!Arc::ptr_eq(&first, &compile(&compiler, &add(2))));
    let stats = compiler.stats();
    assert_eq!((stats.compiled, stats.memory_hits), (2, 1));
}

#[test]
fn threads_that_ask_at_once_have_it_compiled_once() {
    let compiler = Compiler::new(None);
    let threads = 8;
    let start = std::sync::Barrier::new(threads);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                start.wait();
                for number in 0..20 {
                    compile(&compiler, &add(number));
                }
            });
        }
    });
    let stats = compiler.stats();
    assert_eq!((stats.compiled, stats.memory_hits), (20, 7 * 20));
}

#[test]
fn the_program_used_longest_ago_is_dropped() {
    let compiler = Compiler {
        kept: 2,
        ..Compiler::new(None)
    };
    let first = Arc::downgrade(&compile(&compiler, &add(1)));
    let second = Arc::downgrade(&compile(&compiler, &add(2)));
    compile(&compiler, &add(1));
    compile(&compiler, &add(3));
    assert!(first.upgrade().is_some() && second.upgrade().is_none());
}

#[test]
fn a_second_process_finds_the_code_on_disk() {
    let folder = folder("second");
    let disk = || Some(DiskCache::new(&folder, 1 << 20));
    let first = compile(&Compiler::new(disk()), &add(1));
    let compiler = Compiler::new(disk());
    let second = compile(&compiler, &add(1));
    assert!(!first.from_disk && second.from_disk);
    assert_eq!(words(&first), words(&second));
    assert_eq!(first.image.name, second.image.name);
    assert_eq!(first.image.slots, second.image.slots);
    assert_eq!(first.accesses, second.accesses);
    let stats = compiler.stats();
    assert_eq!((stats.compiled, stats.disk_hits), (0, 1));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_entry_is_compiled_anew_and_replaced() {
    let folder = folder("anew");
    let disk = || Some(DiskCache::new(&folder, 1 << 20));
    let good = compile(&Compiler::new(disk()), &add(1));
    let path = std::fs::read_dir(&folder).unwrap().next().unwrap();
    let path = path.unwrap().path();
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();

    let compiler = Compiler::new(disk());
    let again = compile(&compiler, &add(1));
    assert!(!again.from_disk && words(&again) == words(&good));
    let stats = compiler.stats();
    assert_eq!((stats.compiled, stats.disk_rejected), (1, 1));
    assert!(compile(&Compiler::new(disk()), &add(1)).from_disk);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_cache_that_cannot_be_written_fails_no_compilation() {
    let compiler = Compiler::new(Some(DiskCache::new("/proc/nowhere", 1 << 20)));
    compile(&compiler, &add(1));
    let stats = compiler.stats();
    assert_eq!((stats.compiled, stats.disk_failures), (1, 1));
}

#[test]
fn a_kernel_that_is_not_valid_is_an_error_with_all_violations() {
    let mut kernel = add(1);
    kernel.rank = 7;
    kernel.name = "not a name".into();
    let compiler = Compiler::new(None);
    let error = compiler.program(&kernel, &SPIRV, &Options::default());
    match error.unwrap_err() {
        Error::InvalidKernel { violations, .. } => assert!(violations.len() >= 2, "{violations:?}"),
        other => panic!("{other}"),
    }
    // It does not hinder those that come after it.
    compile(&compiler, &add(1));
}

#[test]
fn what_a_device_cannot_do_is_said() {
    let mut builder = KernelBuilder::new("halves", 1, KernelKind::NdRange);
    let a = builder.param("a", array(DType::Float64, Layout::Contiguous));
    let zero = builder.int64(0);
    let place = Place::new(ArrayRef::Param(a), [zero, zero]);
    let x = builder.load(place.clone());
    let sum = builder.binary(BinaryOp::Add, x, x);
    builder.store(place, sum);
    let target = Target::SpirV {
        float64: false,
        int64_atomics: true,
    };
    let compiler = Compiler::new(None);
    let kernel = builder.finish();
    for target in [
        target,
        Target::Cuda {
            arch: "sm_90".into(),
        },
    ] {
        let error = compiler.program(&kernel, &target, &Options::default());
        let message = error.unwrap_err().to_string();
        assert!(
            message.contains("halves") && message.contains("cannot"),
            "{message}"
        );
    }
}

fn entry_of(program: &Program) -> usize {
    match &program.image.code {
        KernelCode::Host(code) => code.entry as *const () as usize,
        other => panic!("{other:?} is not machine code"),
    }
}

#[test]
fn code_that_lives_on_in_an_image_is_not_linked_twice() {
    let compiler = Compiler {
        kept: 1,
        ..Compiler::new(None)
    };
    let host = |number| {
        let program = compiler.program(&add(number), &Target::Host, &Options::default());
        program.unwrap()
    };
    let first = host(1);
    let (image, entry) = (first.image.clone(), entry_of(&first));
    drop(first);
    host(2); // drops the first program
    let again = host(1);
    assert_eq!(compiler.stats().compiled, 3);
    assert_eq!(entry_of(&again), entry);
    drop((image, again));
}

#[test]
fn code_is_freed_and_linked_again_by_many_threads() {
    let folder = folder("linked");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for number in 0..40 {
                    let compiler = Compiler::new(Some(DiskCache::new(&folder, 1 << 20)));
                    let kernel = add(number % 2);
                    let program = compiler.program(&kernel, &Target::Host, &Options::default());
                    assert_eq!(program.unwrap().image.name, "add");
                    assert_eq!(compiler.stats().disk_rejected, 0);
                }
            });
        }
    });
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_host_kernel_is_for_the_host_only() {
    let mut builder = KernelBuilder::new("host", 1, KernelKind::Host);
    for name in ["callback", "context"] {
        builder.param(name, ParamKind::Scalar(DType::UInt64));
    }
    let kernel = builder.finish();
    let compiler = Compiler::new(None);
    let options = Options::default();
    assert!(compiler.program(&kernel, &Target::Host, &options).is_ok());
    let spirv = Target::SpirV {
        float64: true,
        int64_atomics: true,
    };
    let cuda = Target::Cuda {
        arch: "sm_90".into(),
    };
    for target in [spirv, cuda] {
        let error = compiler.program(&kernel, &target, &options).unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
        for stage in ["core", "spirv", "cuda"] {
            let text = crate::stage_text(&kernel, &target, &options, stage);
            assert!(text.is_err(), "{stage}");
        }
    }
    let text = crate::stage_text(&kernel, &Target::Host, &options, "llvm").unwrap();
    assert!(text.contains("define void @host("), "{text}");
}
