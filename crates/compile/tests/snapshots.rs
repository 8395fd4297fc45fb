//! Every stage of a dozen kernels, from their Python source to the code for each target.
//!
//! `kernels/` has the source, `snapshots/` a file for each kernel and stage. After a change that is
//! meant, `INSTA_UPDATE=always` writes the snapshots anew; the difference is to be read.

mod python_file;

use colocate_codegen_llvm as llvm;
use colocate_compile::{Options, Target, stage_text};
use colocate_diag::{Style, render};
use colocate_frontend::ir::{DType, DType::*, Layout, verify, verify_core};
use colocate_frontend::{ArgumentType, Compiled, Options as Launch, compile_kernel};
use colocate_passes::to_core;
use python_file::PythonFile;
use std::collections::BTreeSet;
use std::path::Path;

/// LLVM's text changes from version to version.
const LLVM: (u32, u32, u32) = (19, 1, 7);

/// A kernel, as it is launched.
struct Example {
    /// That of the file and of the kernel.
    name: &'static str,
    arguments: Vec<ArgumentType>,
    launch: Launch,
    /// Whether the stages of the host are looked at too. They are long, so few kernels have them.
    on_host: bool,
}

fn example(name: &'static str, rank: u8, arguments: &[ArgumentType]) -> Example {
    Example {
        name,
        arguments: arguments.to_vec(),
        launch: Launch {
            rank,
            grouped: false,
            fast_math: false,
        },
        on_host: false,
    }
}

impl Example {
    fn grouped(mut self) -> Example {
        self.launch.grouped = true;
        self
    }

    fn on_host(mut self) -> Example {
        self.on_host = true;
        self
    }

    fn compiled(&self) -> Compiled {
        let file = format!("{}.py", self.name);
        let text = std::fs::read_to_string(folder("kernels").join(&file)).unwrap();
        let mut python = PythonFile::new(&file, &text);
        let entry = python.kernel();
        compile_kernel(entry, &self.arguments, &self.launch, &mut python).unwrap_or_else(
            |failure| {
                panic!(
                    "{}",
                    render(&failure.diagnostics, &failure.files, Style::Plain)
                )
            },
        )
    }

    /// The stages by name.
    fn stages(&self) -> Vec<(&'static str, String)> {
        let Compiled {
            kernel, listing, ..
        } = self.compiled();
        let spirv = Target::SpirV {
            float64: true,
            int64_atomics: true,
        };
        let cuda = Target::Cuda {
            arch: "sm_90".into(),
        };
        let text = |target, stage| stage_text(&kernel, target, &Options::default(), stage).unwrap();
        let mut stages = vec![
            ("hir", listing),
            ("ir", text(&spirv, "ir")),
            ("core", text(&spirv, "core")),
            ("spirv", text(&spirv, "spirv")),
            ("cuda", text(&cuda, "cuda")),
        ];
        if self.on_host && host_stages_are_comparable() {
            // This machine's processor must not matter, so the target is a fixed one.
            let (core, target) = (to_core(kernel.clone()), llvm::Target::x86_64_v3());
            let options = llvm::Options::default();
            let text = llvm::llvm_text(&core, &options, &target).unwrap();
            stages.push(("llvm", text));
            let text = llvm::assembly(&core, &options, &target).unwrap();
            stages.push(("asm", text));
        }
        stages
    }

    fn check(&self) {
        let kernel = self.compiled().kernel;
        let violations = verify(&kernel);
        assert!(violations.is_empty(), "{violations:?}\n{kernel}");
        let core = to_core(kernel);
        let violations = verify_core(&core);
        assert!(violations.is_empty(), "{violations:?}\n{core}");

        let stages = self.stages();
        for ((stage, first), (_, second)) in stages.iter().zip(self.stages()) {
            let differing = first.lines().zip(second.lines()).find(|(a, b)| a != b);
            let name = self.name;
            assert!(
                *first == second,
                "{stage} of {name} is not the same twice: {differing:?}"
            );
        }
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| {
            for (stage, text) in stages {
                insta::assert_snapshot!(format!("{}.{stage}", self.name), text);
            }
        });
    }
}

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

fn host_stages_are_comparable() -> bool {
    let found = llvm::version();
    let there = cfg!(target_arch = "x86_64") && found == LLVM;
    if !there {
        println!("llvm and asm are skipped: they are of LLVM {LLVM:?} on x86-64, not {found:?}");
    }
    there
}

fn array(dtype: DType, rank: u8) -> ArgumentType {
    ArgumentType::Array {
        dtype,
        rank,
        layout: Layout::Contiguous,
        fortran: false,
        writable: true,
    }
}

fn strided(dtype: DType, rank: u8) -> ArgumentType {
    ArgumentType::Array {
        dtype,
        rank,
        layout: Layout::Strided,
        fortran: false,
        writable: false,
    }
}

/// A Python number.
fn number(dtype: DType) -> ArgumentType {
    ArgumentType::Scalar { dtype, weak: true }
}

#[test]
fn vector_add_is_two_loads_a_sum_and_a_store() {
    let vector = array(Float32, 1);
    let example = example("vector_add", 1, &[vector.clone(), vector.clone(), vector]);
    example.on_host().check();
}

#[test]
fn saxpy_takes_a_python_number_and_a_strided_vector() {
    let arguments = [number(Float64), strided(Float32, 1), array(Float32, 1)];
    example("saxpy", 1, &arguments).check();
}

#[test]
fn black_scholes_calls_mathematical_functions() {
    let arguments = std::array::from_fn::<_, 5, _>(|_| array(Float64, 1));
    example("black_scholes", 1, &arguments).check();
}

#[test]
fn matmul_is_a_loop_over_the_inner_extent() {
    let matrix = array(Float32, 2);
    let example = example("matmul", 2, &[matrix.clone(), matrix.clone(), matrix]);
    example.on_host().check();
}

#[test]
fn tiled_matmul_has_local_memory_and_barriers_in_a_loop() {
    let matrix = array(Float32, 2);
    let example = example("tiled_matmul", 2, &[matrix.clone(), matrix.clone(), matrix]);
    example.grouped().on_host().check();
}

#[test]
fn n_body_carries_three_sums_through_a_loop() {
    let arguments = [array(Float32, 2), array(Float32, 1), array(Float32, 2)];
    example("n_body", 1, &arguments).check();
}

#[test]
fn histogram_adds_atomically() {
    let arguments = [array(UInt8, 1), array(Int32, 1)];
    example("histogram", 1, &arguments).check();
}

#[test]
fn stencil_guards_its_rim() {
    let arguments = [array(Float64, 2), array(Float64, 2)];
    example("stencil", 2, &arguments).check();
}

#[test]
fn mandelbrot_loops_until_each_item_is_done() {
    let [float, int] = [number(Float64), number(Int64)];
    let arguments = [float.clone(), float.clone(), float, int, array(Int32, 2)];
    let example = example("mandelbrot", 2, &arguments);
    example.on_host().check();
}

#[test]
fn early_return_leaves_an_inlined_loop() {
    let arguments = [array(Float32, 2), number(Float64), array(Int64, 1)];
    example("early_return", 1, &arguments).check();
}

#[test]
fn complex_arithmetic_becomes_arithmetic_of_parts() {
    let complex = array(Complex64, 1);
    let arguments = [complex.clone(), complex.clone(), complex, array(Float32, 1)];
    example("complex_arithmetic", 1, &arguments).check();
}

#[test]
fn group_median_has_private_memory_and_a_group_reduction() {
    let arguments = [array(Int32, 1), array(Int32, 1)];
    example("group_median", 1, &arguments).grouped().check();
}

/// File names without what comes after the first dot.
fn stems(of: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder(of)).unwrap().flatten();
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names
        .map(|name| name.split('.').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn every_kernel_has_snapshots_and_every_snapshot_a_kernel() {
    assert_eq!(stems("kernels"), stems("snapshots"));
}
