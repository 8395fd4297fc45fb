//! Random kernels mean the same after every pass, bit for bit.

use colocate_dtype::DType;
use colocate_ir::arbitrary::{Case, Config, cases, difference, run_interpreter};
use colocate_ir::interpret::{self, Argument, ArrayView};
use colocate_ir::{verify, verify_core};
use colocate_passes::insert_bounds_checks::{self, explain};
use colocate_passes::{PASSES, to_core};
use proptest::prelude::*;

/// Calls the kernel as it is and after every pass.
fn is_the_same_in_core(case: &Case) -> Result<(), TestCaseError> {
    let expected = run_interpreter(case);
    let mut now = case.clone();
    for (name, pass) in PASSES {
        now.kernel = pass(now.kernel);
        let violations = verify(&now.kernel);
        prop_assert!(
            violations.is_empty(),
            "after {name}: {violations:?}\n{}",
            now.kernel
        );
        let difference = difference(case, &expected, &run_interpreter(&now));
        prop_assert!(
            difference.is_none(),
            "after {name}: {difference:?}\nbefore:\n{}\nafter:\n{}",
            case.kernel,
            now.kernel
        );
    }
    prop_assert_eq!(verify_core(&now.kernel), []);
    Ok(())
}

/// Calls the kernel as it is, and with checks, which find nothing.
fn is_the_same_with_checks(case: &Case) -> Result<(), TestCaseError> {
    let expected = run_interpreter(case);
    let checked = insert_bounds_checks::run(case.kernel.clone());
    prop_assert_eq!(verify(&checked.kernel), []);
    let kernel = to_core(checked.kernel);
    prop_assert_eq!(verify_core(&kernel), []);

    let (mut memory, mut arguments, starts) = case.arguments();
    let report = memory.bytes.len().next_multiple_of(16);
    memory.bytes.resize(report + 8 * checked.slots, 0);
    let view = ArrayView::contiguous(DType::Int64, report, &[checked.slots as i64]);
    arguments.push(Argument::Array(view));
    let outcome = interpret::run(&kernel, &mut memory, &arguments, case.global, case.local);
    prop_assert_eq!(outcome, Ok(()));

    let words = memory.bytes[report..].chunks_exact(8);
    let words: Vec<i64> = words
        .map(|word| i64::from_le_bytes(word.try_into().expect("eight bytes")))
        .collect();
    prop_assert_eq!(explain(&checked.checks, &words), None);
    let found: Vec<Vec<u8>> = starts
        .iter()
        .zip(&case.arrays)
        .map(|(&start, array)| memory.bytes[start..start + array.contents.len()].to_vec())
        .collect();
    prop_assert_eq!(difference(case, &expected, &found), None);
    Ok(())
}

fn groups() -> Config {
    Config {
        nd_range: true,
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn regions_mean_the_same_in_core(case in cases(Config::default())) {
        is_the_same_in_core(&case)?;
    }

    #[test]
    fn nd_range_kernels_mean_the_same_in_core(case in cases(groups())) {
        is_the_same_in_core(&case)?;
    }

    #[test]
    fn regions_mean_the_same_with_checks(case in cases(Config::default())) {
        is_the_same_with_checks(&case)?;
    }

    #[test]
    fn nd_range_kernels_mean_the_same_with_checks(case in cases(groups())) {
        is_the_same_with_checks(&case)?;
    }

    #[test]
    fn a_core_kernel_loses_only_what_is_dead(
        case in cases(Config { core: true, ..groups() })
    ) {
        let once = to_core(case.kernel);
        prop_assert_eq!(to_core(once.clone()).to_string(), once.to_string());
    }
}
