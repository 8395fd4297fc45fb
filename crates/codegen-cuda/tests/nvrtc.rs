//! What is generated compiles, for the oldest and the newest architecture that we name. Needs NVRTC
//! (see `compiler::Nvrtc::load`), but no GPU.

mod compiler;
mod kernels;

use colocate_codegen_cuda::{compile_options, generate};
use colocate_ir::{Kernel, verify_core};
use compiler::Nvrtc;

fn nvrtc() -> Option<Nvrtc> {
    Nvrtc::load()
        .inspect_err(|why| println!("skipped: {why}"))
        .ok()
}

fn compiles(nvrtc: &Nvrtc, name: &str, kernel: &Kernel, arch: &str) {
    let source = generate(kernel);
    let cubin = nvrtc
        .compile(&source.text, &compile_options(kernel, arch))
        .unwrap_or_else(|log| panic!("{name} for {arch}:\n{log}\n{}", source.text));
    assert!(cubin.starts_with(b"\x7fELF"), "{name} gives a CUBIN");
    let named = cubin
        .windows(source.entry.len())
        .any(|bytes| bytes == source.entry.as_bytes());
    assert!(named, "{name} has the entry {}", source.entry);
}

#[test]
fn the_hand_built_kernels_are_core() {
    for (name, kernel) in kernels::all() {
        let violations = verify_core(&kernel);
        assert!(violations.is_empty(), "{name}: {violations:?}");
    }
}

#[test]
fn every_operation_dtype_and_statement_compiles_for_sm_80() {
    let Some(nvrtc) = nvrtc() else { return };
    for (name, kernel) in kernels::all() {
        compiles(&nvrtc, &name, &kernel, "sm_80");
    }
}

#[test]
fn every_operation_dtype_and_statement_compiles_for_sm_90() {
    let Some(nvrtc) = nvrtc() else { return };
    for (name, kernel) in kernels::all() {
        compiles(&nvrtc, &name, &kernel, "sm_90");
    }
}

#[test]
fn a_mistake_in_the_text_is_reported() {
    let Some(nvrtc) = nvrtc() else { return };
    let log = nvrtc
        .compile("int broken(", &[])
        .expect_err("this is no C++");
    assert!(log.contains("error"), "{log}");
}
