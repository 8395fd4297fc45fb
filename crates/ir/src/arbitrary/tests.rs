//! Cases are what they claim to be.

use super::*;
use crate::interpret::Options;
use crate::{StatementKind, verify, verify_core, walk};

fn check(case: &Case, config: Config) -> Result<(), TestCaseError> {
    let violations = if config.core {
        verify_core(&case.kernel)
    } else {
        verify(&case.kernel)
    };
    let texts: Vec<String> = violations.iter().map(ToString::to_string).collect();
    prop_assert!(texts.is_empty(), "{texts:?}\n{}", case.kernel);
    let expected = run_interpreter(case);
    let other_order = Options {
        batch: 1,
        backwards: true,
        ..Options::default()
    };
    let found = run_interpreter_with(case, other_order);
    let difference = difference(case, &expected, &found);
    prop_assert!(difference.is_none(), "{difference:?}\n{}", case.kernel);
    Ok(())
}

fn nd_range() -> Config {
    Config {
        nd_range: true,
        ..Config::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn regions_are_valid_and_run(case in cases(Config::default())) {
        check(&case, Config::default())?;
    }

    #[test]
    fn nd_range_kernels_are_valid_and_run(case in cases(nd_range())) {
        check(&case, nd_range())?;
    }

    #[test]
    fn core_kernels_are_core_and_run(
        case in cases(Config { core: true, ..Config::default() }),
        groups in cases(Config { core: true, ..nd_range() }),
    ) {
        check(&case, Config { core: true, ..Config::default() })?;
        check(&groups, Config { core: true, ..nd_range() })?;
    }

    #[test]
    fn inexact_kernels_are_valid_and_run(case in cases(Config { exact: false, ..nd_range() })) {
        check(&case, Config { exact: false, ..nd_range() })?;
    }

    #[test]
    fn what_is_not_allowed_does_not_come_up(case in cases(Config {
        allow_float16: false,
        allow_complex: false,
        ..Config::default()
    })) {
        let kernel = &case.kernel;
        let params = kernel.params.iter().map(|param| param.kind.dtype());
        let variables = kernel.variables.iter().map(|variable| variable.dtype);
        let mut dtypes = params.chain(variables).chain(kernel.values.iter().copied());
        let found = dtypes.find(|dtype| {
            *dtype == DType::Float16 || dtype.kind() == crate::Kind::Complex
        });
        prop_assert_eq!(found, None);
    }
}

#[test]
fn the_same_seed_gives_the_same_case() {
    for seed in 0..20 {
        let make = || case(Config::default(), seed, 30);
        assert_eq!(make().kernel.to_string(), make().kernel.to_string());
        assert_eq!(make().arrays[0].contents, make().arrays[0].contents);
    }
}

#[test]
fn cases_change_what_they_write() {
    let changed = (0..100)
        .filter(|&seed| {
            let case = case(Config::default(), seed, 30);
            let before: Vec<Vec<u8>> = case.arrays.iter().map(|a| a.contents.clone()).collect();
            difference(&case, &before, &run_interpreter(&case)).is_some()
        })
        .count();
    assert!(changed > 90, "only {changed} of 100 kernels did anything");
}

#[test]
fn every_kind_of_statement_comes_up() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..200 {
        for nd_range in [false, true] {
            let config = Config {
                nd_range,
                ..Config::default()
            };
            let case = case(config, seed, 40);
            walk(&case.kernel.body, &mut |statement| {
                seen.insert(match &statement.kind {
                    StatementKind::Let { .. } => "let",
                    StatementKind::Set { .. } => "set",
                    StatementKind::Load { .. } => "load",
                    StatementKind::Store { .. } => "store",
                    StatementKind::Atomic { .. } => "atomic",
                    StatementKind::If { .. } => "if",
                    StatementKind::For { .. } => "for",
                    StatementKind::While { .. } => "while",
                    StatementKind::Break => "break",
                    StatementKind::Continue => "continue",
                    StatementKind::Return => "return",
                    StatementKind::Barrier { .. } => "barrier",
                    StatementKind::GroupReduce { .. } => "group_reduce",
                    StatementKind::Call { .. } | StatementKind::CallFunction { .. } => {
                        unreachable!("only host kernels call")
                    }
                });
            });
        }
    }
    assert_eq!(seen.len(), 13, "only {seen:?}");
}

#[test]
fn a_difference_is_found_and_nans_are_equal() {
    let case = case(Config::default(), 3, 20);
    let expected = run_interpreter(&case);
    let mut found = expected.clone();
    for (array, bytes) in case.arrays.iter().zip(&mut found) {
        for address in addresses(&array.view) {
            bytes[address] ^= 1;
        }
    }
    assert!(difference(&case, &expected, &found).is_some());
    let quiet = Scalar::Float32(f32::NAN);
    let other = Scalar::Float32(f32::from_bits(0xffc0_0001));
    assert!(same(quiet, other));
    assert!(!same(Scalar::Float32(0.0), Scalar::Float32(-0.0)));
}
