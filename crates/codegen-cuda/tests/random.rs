//! Random kernels, made core: none makes the generator panic, and all compile.

mod compiler;

use colocate_codegen_cuda::{compile_options, generate};
use colocate_ir::arbitrary::{Config, case};
use colocate_ir::{Kernel, verify_core};
use colocate_passes::to_core;
use compiler::Nvrtc;

fn kernels(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (String, Kernel)> {
    seeds.map(|seed| {
        let config = Config {
            exact: seed % 3 != 0,
            nd_range: seed % 2 == 0,
            ..Config::default()
        };
        let kernel = to_core(case(config, seed, 5 + seed as usize % 55).kernel);
        let violations = verify_core(&kernel);
        assert!(
            violations.is_empty(),
            "seed {seed}: {violations:?}\n{kernel}"
        );
        (format!("seed {seed}"), kernel)
    })
}

#[test]
fn no_random_kernel_makes_the_generator_panic() {
    for (name, kernel) in kernels(0..400) {
        let source = generate(&kernel);
        assert!(source.text.contains(&source.entry), "{name}");
    }
}

#[test]
fn random_kernels_compile() {
    let nvrtc = match Nvrtc::load() {
        Ok(nvrtc) => nvrtc,
        Err(why) => return println!("skipped: {why}"),
    };
    for (seed, (name, kernel)) in kernels(1000..1060).enumerate() {
        let arch = ["sm_80", "sm_90"][seed / 2 % 2];
        let source = generate(&kernel);
        if let Err(log) = nvrtc.compile(&source.text, &compile_options(&kernel, arch)) {
            panic!("{name} for {arch}:\n{log}\n{}", source.text);
        }
    }
}
