//! Checked machine code reports what it would have touched, and touches nothing else.

use colocate_compile::{Compiler, Options, Target};
use colocate_hal::{ALIGNMENT, HostPart, KernelCode};
use colocate_ir::{
    ArrayRef, BinaryOp, DType, IndexFunction, KernelBuilder, KernelKind, Layout, ParamKind, Place,
    Site, Span,
};
use colocate_passes::insert_bounds_checks::explain;

#[test]
fn an_access_outside_is_reported_and_not_made() {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut builder = KernelBuilder::new("shift", 1, kind);
    let a = builder.param(
        "a",
        ParamKind::Array {
            dtype: DType::Int64,
            rank: 1,
            layout: Layout::Contiguous,
        },
    );
    let i = builder.index(IndexFunction::GlobalId, 0);
    let two = builder.int64(2);
    let at = builder.binary(BinaryOp::Add, i, two);
    builder.site = Site {
        file: 0,
        span: Span::new(10, 20),
    };
    builder.store(Place::new(ArrayRef::Param(a), [at]), i);
    let kernel = builder.finish();

    for lanes in [Some(1), Some(8), None] {
        let options = Options { debug: true, lanes };
        let compiler = Compiler::new(None);
        let program = compiler.program(&kernel, &Target::Host, &options).unwrap();
        let checks = program.checks.as_ref().unwrap();
        let KernelCode::Host(code) = &program.image.code else {
            panic!("a program of the host is machine code");
        };
        let mut scratch = vec![0u8; code.scratch_bytes + code.scratch_bytes_per_item * 64 + 64];
        let aligned = scratch.as_ptr().align_offset(ALIGNMENT);
        let scratch = scratch[aligned..].as_mut_ptr();
        for (items, fails) in [(19, false), (20, true), (40, true)] {
            let mut array = vec![-1i64; 100];
            let mut report = vec![0i64; checks.slots];
            let block = [
                array.as_mut_ptr() as u64,
                21,
                report.as_mut_ptr() as u64,
                checks.slots as u64,
            ];
            let part = HostPart {
                global: [items, 1, 1],
                local: [1; 3],
                begin: [0; 3],
                end: [items, 1, 1],
            };
            // SAFETY: the array is as long as the block says, and longer.
            unsafe { (code.entry)(block.as_ptr(), &part, scratch) };
            assert!(array[21..].iter().all(|&element| element == -1));
            assert!((2..21).all(|at| array[at] == at as i64 - 2));
            let failure = explain(&checks.checks, &report);
            assert_eq!(failure.is_some(), fails, "{failure:?}");
            if let Some(failure) = failure {
                assert_eq!(failure.array, "a");
                assert_eq!(failure.site.span, Span::new(10, 20));
                assert_eq!((failure.axis, failure.shape), (0, vec![21]));
                assert!((21..items + 2).contains(&failure.index[0]));
            }
        }
    }
}
