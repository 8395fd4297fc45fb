//! Every stage can be read.

use colocate_compile::{Options, Target, stage_text};
use colocate_ir::{
    ArrayRef, BinaryOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout, ParamKind,
    Place,
};

/// `a[i] = a[i] // a[i]`.
fn kernel() -> Kernel {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut builder = KernelBuilder::new("divide", 1, kind);
    let a = builder.param(
        "a",
        ParamKind::Array {
            dtype: DType::Int32,
            rank: 1,
            layout: Layout::Contiguous,
        },
    );
    let i = builder.index(IndexFunction::GlobalId, 0);
    let place = Place::new(ArrayRef::Param(a), [i]);
    let x = builder.load(place.clone());
    let y = builder.binary(BinaryOp::FloorDivide, x, x);
    builder.store(place, y);
    builder.finish()
}

const SPIRV: Target = Target::SpirV {
    float64: true,
    int64_atomics: true,
};

fn text(target: &Target, stage: &str, debug: bool) -> String {
    let options = Options {
        debug,
        ..Options::default()
    };
    stage_text(&kernel(), target, &options, stage).unwrap()
}

#[test]
fn each_target_shows_its_stages() {
    let cuda = Target::Cuda {
        arch: "sm_90".into(),
    };
    for target in [&Target::Host, &SPIRV, &cuda] {
        let ir = text(target, "ir", false);
        assert_eq!(ir, kernel().to_string());
        assert!(ir.contains(BinaryOp::FloorDivide.name()), "{ir}");
        let core = text(target, "core", false);
        assert!(!core.contains(BinaryOp::FloorDivide.name()), "{core}");
        assert!(text(target, "core", true).contains("report"));
    }
    assert!(text(&SPIRV, "spirv", false).contains("OpEntryPoint"));
    assert!(text(&cuda, "cuda", false).contains("__global__"));
    assert!(text(&Target::Host, "llvm", false).contains("define"));
    assert!(text(&Target::Host, "asm", false).contains("divide"));
}

#[test]
fn a_stage_that_the_target_has_not_is_an_error_that_names_those_it_has() {
    for (target, stage) in [(&SPIRV, "llvm"), (&Target::Host, "cuda"), (&SPIRV, "hir")] {
        let error = stage_text(&kernel(), target, &Options::default(), stage);
        let message = error.unwrap_err().to_string();
        assert!(
            message.contains(stage) && message.contains("ir, core, "),
            "{message}"
        );
    }
}
