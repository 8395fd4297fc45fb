//! Reduction and scan kernels give what a plain loop gives, interpreted and as machine code.

mod groups;

use colocate_ir::DType;
use colocate_kernels::reduce::{
    Finish, Fold, Present, Quantity, Reducer, Reduction, Source, Target, inner, outer,
};
use colocate_kernels::scan::{self, SEGMENT, SEGMENTS, Scan};
use groups::{Given, Space, run};

const GROUP: usize = 16;
const PLACES: usize = 4;

fn floats(values: &[f32]) -> Given {
    let bytes = values.iter().flat_map(|value| value.to_le_bytes());
    Given::Array(DType::Float32, bytes.collect())
}

fn read_floats(bytes: &[u8]) -> Vec<f32> {
    let words = bytes.chunks(4).map(|word| word.try_into().unwrap());
    words.map(f32::from_le_bytes).collect()
}

fn read_integers(bytes: &[u8]) -> Vec<i64> {
    let words = bytes.chunks(8).map(|word| word.try_into().unwrap());
    words.map(i64::from_le_bytes).collect()
}

/// Small whole numbers, so that sums are exact in any order.
fn numbers(count: usize) -> Vec<f32> {
    (0..count as u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 28) as f32 - 7.0)
        .collect()
}

fn reducer(fold: Fold, skip_nan: bool) -> Reducer {
    let search = matches!(fold, Fold::ArgMinimum | Fold::ArgMaximum);
    Reducer {
        fold,
        quantity: Quantity::Value,
        present: Present {
            skip_nan,
            masked: false,
        },
        input: DType::Float32,
        computes: DType::Float32,
        finish: Finish::Plain,
        result: if search { DType::Int64 } else { DType::Float32 },
    }
}

fn reduction(reducer: Reducer, unit: bool, chunk: u32) -> Reduction {
    Reduction {
        reducer,
        source: Source::Elements,
        target: Target::Result,
        kept: 1,
        unit,
        group: GROUP as u16,
        chunk,
        places: PLACES as u16,
        at_once: 3,
    }
}

/// What a plain loop over a row gives, as a number.
fn model(fold: Fold, row: &[f32], skip_nan: bool) -> f64 {
    let mut best = 0;
    for (at, value) in row.iter().enumerate() {
        let old = row[best];
        let better = match fold {
            Fold::ArgMinimum | Fold::Minimum => *value < old,
            _ => *value > old,
        };
        let by_nan = if skip_nan {
            old.is_nan() && !value.is_nan()
        } else {
            value.is_nan() && !old.is_nan()
        };
        let settled = if skip_nan {
            value.is_nan()
        } else {
            old.is_nan()
        };
        if by_nan || (better && !settled) {
            best = at;
        }
    }
    match fold {
        Fold::Sum => row
            .iter()
            .filter(|x| !skip_nan || !x.is_nan())
            .map(|&x| f64::from(x))
            .sum(),
        Fold::Product => row.iter().map(|&x| f64::from(x)).product(),
        Fold::Minimum | Fold::Maximum => f64::from(row[best]),
        Fold::ArgMinimum | Fold::ArgMaximum if skip_nan && row[best].is_nan() => -1.0,
        Fold::ArgMinimum | Fold::ArgMaximum => best as f64,
    }
}

const FOLDS: [Fold; 5] = [
    Fold::Sum,
    Fold::Minimum,
    Fold::Maximum,
    Fold::ArgMinimum,
    Fold::ArgMaximum,
];

/// Rows of an array, reduced by one shape of kernel; the row's elements lie `step` apart, rows
/// `stride`.
fn check(shape: &str, fold: Fold, skip_nan: bool, rows: usize, length: usize, data: &[f32]) {
    let (unit, step, stride) = match shape {
        "inner" => (true, 1, length),
        "inner, strided" => (false, rows, 1),
        "outer" => (true, rows, 1),
        _ => (false, 1, length),
    };
    let reduction = reduction(reducer(fold, skip_nan), unit, 4096);
    let search = reduction.reducer.is_search();
    let size = if search { 8 } else { 4 };
    let kernel = if shape.starts_with("inner") {
        inner::build(&reduction)
    } else {
        outer::build(&reduction)
    };
    let kind = reduction.reducer.result;
    let mut given = vec![floats(data), Given::Array(kind, vec![0; rows * size])];
    let integers = [length, rows, 0, stride, step, 0, 1, 0];
    given.extend(integers.map(|number| Given::Number(number as i64)));
    let global = match shape {
        "inner" => [rows, 1, GROUP],
        "inner, strided" => [1, rows, GROUP],
        _ => [1, 1, rows.div_ceil(GROUP * PLACES) * GROUP],
    };
    let space = Space {
        global,
        local: Some([1, 1, GROUP]),
    };
    for (found, who) in run(&kernel, &given, space)
        .iter()
        .zip(["interpreter", "machine"])
    {
        for row in 0..rows {
            let elements: Vec<f32> = (0..length).map(|i| data[row * stride + i * step]).collect();
            let wanted = model(fold, &elements, skip_nan);
            let got = match search {
                true => read_integers(&found[1])[row] as f64,
                false => f64::from(read_floats(&found[1])[row]),
            };
            let same = got == wanted || got.is_nan() && wanted.is_nan();
            assert!(
                same,
                "{shape} {fold:?} {skip_nan} {rows} rows of {length}, {who}: {got}, not {wanted}"
            );
        }
    }
}

#[test]
fn kernels_of_every_shape_reduce_rows_of_every_length() {
    for shape in ["inner", "inner, strided", "outer", "outer, strided"] {
        for fold in FOLDS {
            for (rows, length) in [(1, 1), (3, 5), (5, 130), (140, 3)] {
                check(shape, fold, false, rows, length, &numbers(rows * length));
            }
        }
    }
}

#[test]
fn nan_wins_or_is_left_out() {
    let mut data = numbers(4 * 70);
    for at in [3, 75, 90, 200] {
        data[at] = f32::NAN;
    }
    data[210..280].fill(f32::NAN);
    for shape in ["inner", "outer"] {
        for fold in FOLDS {
            for skip_nan in [false, true] {
                let data = match shape {
                    "inner" => data.clone(),
                    _ => (0..280).map(|at| data[at % 4 * 70 + at / 4]).collect(),
                };
                check(shape, fold, skip_nan, 4, 70, &data);
            }
        }
    }
}

#[test]
fn chunks_leave_states_that_another_kernel_merges() {
    let data = numbers(1000);
    for fold in FOLDS {
        let first = Reduction {
            target: Target::States,
            kept: 0,
            ..reduction(reducer(fold, false), true, 256)
        };
        let states = first.reducer.state_dtypes();
        let mut given = vec![floats(&data)];
        given.extend(
            states
                .iter()
                .map(|&dtype| Given::Array(dtype, vec![0; 4 * dtype.itemsize()])),
        );
        given.extend([1000, 0, 1, 0, 1].map(Given::Number));
        let space = Space {
            global: [1, 4, GROUP],
            local: Some([1, 1, GROUP]),
        };
        let left = run(&inner::build(&first), &given, space);
        assert_eq!(left[0], left[1], "{fold:?}");
        let second = Reduction {
            source: Source::States,
            target: Target::Result,
            ..first
        };
        let result = second.reducer.result;
        let parts = states.iter().zip(&left[0][1..]);
        let mut given: Vec<Given> = parts
            .map(|(&dtype, bytes)| Given::Array(dtype, bytes.clone()))
            .collect();
        given.push(Given::Array(result, vec![0; result.itemsize()]));
        given.extend([4, 0, 1, 0, 1].map(Given::Number));
        let space = Space {
            global: [1, 1, GROUP],
            local: Some([1, 1, GROUP]),
        };
        for found in run(&inner::build(&second), &given, space) {
            let last = found.last().unwrap();
            let got = match second.reducer.is_search() {
                true => read_integers(last)[0] as f64,
                false => f64::from(read_floats(last)[0]),
            };
            assert_eq!(got, model(fold, &data, false), "{fold:?}");
        }
    }
}

#[test]
fn squares_of_distances_are_summed_and_divided() {
    let data = numbers(100);
    let base = Reducer {
        quantity: Quantity::SquaredDeviation(DType::Float32),
        finish: Finish::DivideAndRoot,
        ..reducer(Fold::Sum, false)
    };
    let reduction = Reduction {
        kept: 0,
        ..reduction(base, true, 4096)
    };
    let mut given = vec![floats(&data), floats(&[2.0]), floats(&[0.0])];
    given.extend([100, 0, 1, 0, 0, 0, 0].map(Given::Number));
    given.push(Given::Float(25.0));
    let space = Space {
        global: [1, 1, GROUP],
        local: Some([1, 1, GROUP]),
    };
    let wanted = (data.iter().map(|x| (x - 2.0) * (x - 2.0)).sum::<f32>() / 25.0).sqrt();
    for found in run(&inner::build(&reduction), &given, space) {
        assert_eq!(read_floats(&found[2]), [wanted]);
    }
}

#[test]
fn scans_go_on_from_what_lies_before_each_segment() {
    let run_length = (SEGMENT * SEGMENTS) as usize;
    let length = run_length + 700;
    let data = numbers(length);
    let mut sums = Vec::new();
    let mut sum = 0.0;
    for value in &data {
        sum += value;
        sums.push(sum);
    }
    let segment = SEGMENT as usize;
    let totals: Vec<f32> = sums
        .chunks(segment)
        .map(|part| *part.last().unwrap())
        .collect();
    for exclusive in [false, true] {
        let scan = Scan {
            reducer: reducer(Fold::Sum, false),
            exclusive,
            kept: 0,
            unit: false,
            segmented: true,
        };
        let mut given = vec![floats(&data), floats(&vec![0.0; length]), floats(&totals)];
        given.extend([length as i64, SEGMENT.into(), 0, 1, 0, 1, 0, 1].map(Given::Number));
        let space = Space {
            global: [1, 2, 1],
            local: Some([1, 1, 1]),
        };
        for found in run(&scan::along(&scan), &given, space) {
            let got = read_floats(&found[1]);
            match exclusive {
                false => assert_eq!(got, sums),
                true => assert_eq!((got[0], &got[1..]), (0.0, &sums[..length - 1])),
            }
        }
    }
}

#[test]
fn scans_across_columns_keep_them_apart() {
    let (rows, columns) = (50, 21);
    let data = numbers(rows * columns);
    let mut wanted = data.clone();
    for at in columns..rows * columns {
        wanted[at] += wanted[at - columns];
    }
    for unit in [false, true] {
        let scan = Scan {
            reducer: reducer(Fold::Sum, false),
            exclusive: false,
            kept: 1,
            unit,
            segmented: false,
        };
        let mut given = vec![floats(&data), floats(&vec![0.0; rows * columns])];
        let (rows, columns) = (rows as i64, columns as i64);
        given.extend([rows, rows, columns, 0, 1, columns, 0, 1, columns].map(Given::Number));
        let space = Space {
            global: [1, 1, columns as usize],
            local: None,
        };
        for found in run(&scan::across(&scan), &given, space) {
            assert_eq!(read_floats(&found[1]), wanted);
        }
    }
}
