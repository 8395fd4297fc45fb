//! What kernels compute, by the reference interpreter.

mod support;

use colocate_frontend::Captured;
use colocate_frontend::ir::DType::*;
use support::*;

#[test]
fn a_matrix_product_of_float32_accumulates_in_float32() {
    let compiled = compile(
        "@cl.kernel
def matmul(a, b, c):
    i, j = cl.get_global_id(0), 0
    acc = 0.0
    for k in range(a.shape[1]):
        acc += a[i, k] * b[k, j]
    c[i, j] = acc
",
        &[array(Float32, 2), array(Float32, 2), array(Float32, 2)],
    );
    assert!(
        compiled.listing.contains("acc: float32"),
        "{}",
        compiled.listing
    );
    let text = compiled.kernel.to_string();
    assert!(
        !text.contains("select"),
        "ids and counters need no wrap-around: {text}"
    );
}

#[test]
fn integer_division_and_remainder_round_down() {
    let out = Run::new(Int64, 4).with("x", Int32, &[-7.0, 2.0]).body(
        "    out[0] = x[0] // x[1]
    out[1] = x[0] % x[1]
    out[2] = -7 // 2
    out[3] = x[0] // 0",
    );
    assert_eq!(out, [-4.0, 1.0, -4.0, 0.0]);
}

#[test]
fn integers_divided_are_floats() {
    assert_eq!(
        Run::new(Float64, 1)
            .with("x", Int8, &[1.0, 4.0])
            .body("    out[0] = x[0] / x[1]"),
        [0.25]
    );
}

#[test]
fn narrow_integers_wrap_and_python_integers_take_their_dtype() {
    let out = Run::new(Int64, 2).with("x", UInt8, &[250.0]).body(
        "    out[0] = x[0] + 10
    out[1] = int(x[0]) + 10",
    );
    assert_eq!(out, [4.0, 260.0]);
}

#[test]
fn negative_indices_count_from_the_end() {
    let out = Run::new(Float64, 3)
        .with("x", Float64, &[1.0, 2.0, 3.0])
        .number("n", weak(Int64), -2.0)
        .body(
            "    out[0] = x[-1]
    out[1] = x[n]
    out[-1] = x[n - 1]",
        );
    assert_eq!(out, [3.0, 2.0, 1.0]);
}

#[test]
fn slices_are_views_with_steps() {
    let out = Run::new(Float64, 6)
        .with("x", Float64, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
        .body(
            "    y = x[1:6:2]
    out[0] = len(y)
    out[1] = y[-1]
    z = x[::-1]
    out[2] = z[0]
    out[3] = z[2:4][1]
    y[0] = 9
    out[4] = x[1]
    out[5] = len(x[5:2])",
        );
    assert_eq!(out, [3.0, 5.0, 6.0, 3.0, 9.0, 0.0]);
}

#[test]
fn a_variable_may_change_its_type() {
    let out = Run::new(Float64, 2).with("x", Float64, &[0.5]).body(
        "    v = 1
    if x[0] < 1:
        v = x[0]
    out[0] = v
    w = 0
    for i in range(3):
        w = w + 0.5
    out[1] = w",
    );
    assert_eq!(out, [0.5, 1.5]);
}

#[test]
fn loops_break_continue_and_have_an_else() {
    let out = Run::new(Int64, 4).body(
        "    total = 0
    for i in range(10):
        if i % 2 == 0:
            continue
        if i > 7:
            break
        total += i
    else:
        total = -1
    out[0] = total
    for i in range(3):
        pass
    else:
        out[1] = 7
    out[2] = i
    n = 0
    while True:
        n += 1
        if n == 5:
            break
    out[3] = n",
    );
    assert_eq!(out, [16.0, 7.0, 2.0, 5.0]);
}

#[test]
fn device_functions_return_early_from_branches_and_loops() {
    let mut run = Run::new(Int64, 5).with("x", Int64, &[3.0, 1.0, 4.0, 1.0, 5.0]);
    run.world.add(
        "def find(a, wanted, missing=-1):
    if len(a) == 0:
        return -2
    for i in range(len(a)):
        for j in range(2):
            if a[i] == wanted and j == 1:
                return i
    return missing
",
    );
    run.world.add(
        "def sign(v):
    if v > 0:
        return 1
    elif v < 0:
        return -1
    v = v + 0
    return v
",
    );
    let out = run.body(
        "    out[0] = find(x, 4)
    out[1] = find(x, 7)
    out[2] = find(x, 7, missing=5)
    out[3] = sign(-3) * 10 + sign(2)
    out[4] = find(wanted=5, a=x)",
    );
    assert_eq!(out, [2.0, -1.0, 5.0, -9.0, 4.0]);
}

#[test]
fn a_return_from_a_loop_skips_the_else_of_all_loops_around_it() {
    let mut run = Run::new(Int64, 2);
    run.world.add(
        "def product(wanted):
    for i in range(5):
        for j in range(5):
            if i * j == wanted:
                return i * 10 + j
        else:
            wanted += 0
    else:
        return -1
    return -2
",
    );
    let out = run.body(
        "    out[0] = product(6)
    out[1] = product(7)",
    );
    assert_eq!(out, [23.0, -1.0]);
}

#[test]
fn a_loop_over_a_tuple_breaks_continues_and_has_an_else() {
    let mut run = Run::new(Float64, 4).with("x", Int64, &[2.0, 9.0]);
    run.world.add(
        "def place(wanted):
    for place, item in enumerate((3, 2.5, 2)):
        if item == wanted:
            return place
    return -1
",
    );
    let out = run.body(
        "    for step, factor in ((1, 10), (2, 0.5), (3, 1000)):
        if step == x[0]:
            continue
        out[0] += factor
    for item in (1, x[0], 3):
        if item == 2:
            break
        out[1] += item
    else:
        out[1] = 100
    for item in (1, 3):
        if item == x[0]:
            break
    else:
        out[2] = 7
    out[3] = place(x[0]) * 10 + place(x[1])",
    );
    assert_eq!(out, [1010.0, 1.0, 7.0, 19.0]);
}

#[test]
fn decimals_are_rounded_as_python_does_for_its_numbers_and_numpy_for_its_own() {
    let out = Run::new(Float64, 9)
        .with("x", Float64, &[2.675, 2.5, 1.0 / 3.0, 1e15])
        .with("n", Int32, &[25.0, 47.0, -15.0])
        .body(
            "    out[0] = round(float(x[0]), 2)
    out[1] = round(x[0], 2)
    out[2] = round(-float(x[0]), 2)
    out[3] = round(float(x[2]), 4)
    out[4] = round(float(x[3]), 2)
    out[5] = round(n[0], -1)
    out[6] = round(n[1], -1) + round(n[1], 3)
    out[7] = round(int(n[2]), -1)
    out[8] = float(x[1]) ** -1",
        );
    assert_eq!(
        out,
        [2.67, 2.68, -2.67, 0.3333, 1e15, 20.0, 97.0, -20.0, 0.4]
    );
}

#[test]
fn a_tuple_of_numbers_is_indexed_at_run_time_and_zipped_with_arrays() {
    let out = Run::new(Float64, 3).with("x", Int64, &[2.0, 9.0]).body(
        "    out[0] = (1, 2.5, True)[x[0] - 1]
    for value, weight in zip(x, (0.5, 10)):
        out[1] += value * weight
    for k, weight in zip(range(5), (1, 2)):
        out[2] += k + weight",
    );
    assert_eq!(out, [2.5, 91.0, 4.0]);
}

#[test]
fn boolean_operators_return_their_operands() {
    let out = Run::new(Float64, 4).with("x", Float64, &[0.0, 2.0]).body(
        "    out[0] = x[0] or x[1]
    out[1] = x[1] and 7
    out[2] = 1 if x[0] else 2.5
    out[3] = 0 < x[1] < 3",
    );
    assert_eq!(out, [2.0, 7.0, 2.5, 1.0]);
}

#[test]
fn both_sides_of_a_branch_on_the_rank_need_not_be_right() {
    let out = Run::new(Int64, 1).with("x", Float32, &[1.0]).body(
        "    if x.ndim == 2:
        out[0] = x[0, 0, 0]
    elif x.dtype == np.float32:
        out[0] = 32
    else:
        out[0] = 'never'",
    );
    assert_eq!(out, [32.0]);
}

#[test]
fn values_from_outside_are_constants() {
    let mut run = Run::new(Float64, 2);
    run.world.value("N", Captured::Int(3));
    run.world.value(
        "POINT",
        Captured::Tuple(vec![Captured::Float(0.5), Captured::Int(4)]),
    );
    let out = run.body(
        "    tile = cl.private_array((N, 2), np.float32)
    tile[N - 1, 1] = POINT[0]
    out[0] = tile[2, 1]
    a, b = POINT
    out[1] = a * b",
    );
    assert_eq!(out, [0.5, 2.0]);
}

#[test]
fn groups_share_local_arrays_and_reduce() {
    let mut run =
        Run::new(Float64, 8).with("x", Float64, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    run.options = GROUPED;
    run.global = 8;
    run.local = Some(4);
    let out = run.body(
        "    i = cl.get_global_id(0)
    l = cl.get_local_id(0)
    tile = cl.local_array(4, x.dtype)
    tile[l] = x[i]
    cl.barrier()
    out[i] = tile[3 - l] + cl.group.sum(x[i])",
    );
    assert_eq!(out, [14.0, 13.0, 12.0, 11.0, 34.0, 33.0, 32.0, 31.0]);
}

#[test]
fn atomics_count_what_all_items_add() {
    let mut run = Run::new(Int64, 2);
    run.global = 10;
    let out = run.body(
        "    i = cl.get_global_id(0)
    cl.atomic.add(out, 0, i)
    old = cl.atomic.max(out, (1,), i)",
    );
    assert_eq!(out, [45.0, 9.0]);
}

#[test]
fn functions_of_math_and_numpy_have_their_own_result_types() {
    let compiled = compile(
        "def f(a, h):
    p = math.sin(a[0])
    q = np.sin(a[0])
    r = np.sqrt(h[0])
    s = np.sin(2)
    t = math.floor(a[0])
    u = np.float32(1) + 1
    v = a[0] ** 2
    w = abs(h[0])
",
        &[array(Float32, 1), array(Int8, 1)],
    );
    for wanted in [
        "p: float;",
        "q: float32;",
        "r: float16;",
        "s: float64;",
        "t: int;",
        "u: float32;",
        "v: float32;",
        "w: int8;",
    ] {
        let name = wanted.split(':').next().unwrap();
        let line = compiled
            .listing
            .lines()
            .find(|line| line.contains(&format!("    {name} =")))
            .unwrap();
        let line = format!("{line};");
        assert!(line.contains(wanted), "{wanted} in {line}");
    }
}

#[test]
fn views_are_filled_copied_and_looped_over() {
    let out = Run::new(Float64, 6)
        .with("x", Float64, &[1.0, 2.0, 3.0])
        .body(
            "    out[:3] = x
    out[3:] = 7
    out[4:] += 1
    total = 0.0
    for i, v in enumerate(x):
        total += i * v
    out[5] = total",
        );
    assert_eq!(out, [1.0, 2.0, 3.0, 7.0, 8.0, 8.0]);
}

#[test]
fn complex_numbers_have_parts_and_functions() {
    let out = Run::new(Float64, 5).with("x", Float64, &[3.0, -4.0]).body(
        "    z = complex(x[0], x[1])
    out[0] = abs(z)
    w = np.sqrt(z)
    out[1] = w.real
    out[2] = w.imag
    out[3] = (z * z.conjugate()).real
    out[4] = (2j * z).imag",
    );
    assert_eq!(out, [5.0, 2.0, -1.0, 25.0, 6.0]);
}

#[test]
fn comparisons_of_mixed_integers_are_exact() {
    let out = Run::new(Int64, 3)
        .with("x", UInt64, &[5.0])
        .with("y", Int64, &[-1.0])
        .with("b", UInt8, &[200.0])
        .body(
            "    out[0] = x[0] > y[0]
    out[1] = y[0] < x[0]
    out[2] = b[0] < 300",
        );
    assert_eq!(out, [1.0, 1.0, 1.0]);
}

#[test]
fn two_axes_are_indexed_in_all_ways() {
    let out = Run::new(Float64, 8).body(
        "    t = cl.private_array((3, 4), np.float64)
    for i in range(3):
        for j in range(4):
            t[i, j] = 10 * i + j
    out[0] = t[1][2]
    out[1] = t.T[2, 1]
    out[2] = t[:, 3][-1]
    out[3] = t[..., 0][2]
    out[4] = t[1:, ::-2][1, 0]
    row = t[2]
    out[5] = row.shape[0] + t.size
    a, b = t.shape
    out[6] = a * 10 + b
    t[0] = row
    out[7] = t[0, 3]",
    );
    assert_eq!(out, [12.0, 12.0, 23.0, 20.0, 23.0, 16.0, 34.0, 23.0]);
}

#[test]
fn a_loop_may_ask_a_function_that_loops_and_returns_early() {
    let mut run = Run::new(Int64, 1).with("x", Int64, &[5.0, 3.0, 5.0]);
    run.world.add(
        "def find(a, wanted):
    for i in range(len(a)):
        if a[i] == wanted:
            return i
    return -1
",
    );
    let out = run.body(
        "    turns = 0
    while find(x, 5) >= 0:
        x[find(x, 5)] = 0
        turns += 1
    out[0] = turns",
    );
    assert_eq!(out, [2.0]);
}

#[test]
fn functions_without_a_result_write_through_their_arguments() {
    let mut run = Run::new(Float64, 3);
    run.world.add(
        "def fill(a, value):
    if value < 0:
        return
    a[:] = value
",
    );
    let out = run.body("    fill(out[:2], 4)\n    fill(out, -1)");
    assert_eq!(out, [4.0, 4.0, 0.0]);
}

#[test]
fn a_tuple_argument_becomes_one_parameter_for_each_leaf() {
    use colocate_frontend::ArgumentType;
    let pair = ArgumentType::Tuple(vec![weak(Float64), ArgumentType::None, array(Float32, 2)]);
    let compiled = compile(
        "def f(t, n):\n    t[2][0, n] = t[0] if t[1] is None else 0\n",
        &[pair, weak(Int64)],
    );
    let names: Vec<_> = compiled
        .kernel
        .params
        .iter()
        .map(|param| param.name.as_str())
        .collect();
    assert_eq!(names, ["t", "t", "n"]);
}

#[test]
fn what_was_looked_up_is_reported() {
    let compiled = compile(
        "def f(a):\n    a[0] = np.sin(1.0) + math.pi\n",
        &[array(Float32, 1)],
    );
    let names: Vec<_> = compiled
        .captured
        .iter()
        .map(|(_, name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["np", "np.sin", "math", "math.pi"]);
}

#[test]
fn parameters_are_listed_with_their_defaults() {
    use colocate_frontend::{FunctionSource, SourceFile, parameters};
    let source = FunctionSource {
        file: SourceFile {
            name: "p.py".into(),
            text: "    @cl.kernel\n    def f(a, /, b, c=2 + 1, *, d):\n        pass\n".into(),
            first_line: 1,
        },
        name: "f".into(),
        class: None,
    };
    let found = parameters(&source).unwrap();
    let shown: Vec<_> = found
        .iter()
        .map(|p| {
            (
                p.name.as_str(),
                p.positional_only,
                p.keyword_only,
                p.default.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("a", true, false, None),
            ("b", false, false, None),
            ("c", false, false, Some("2 + 1")),
            ("d", false, true, None)
        ]
    );
}

/// The positions a slice takes, by Python's rules.
fn taken(length: i64, start: i64, stop: i64, step: i64) -> Vec<f64> {
    let (low, high) = if step > 0 {
        (0, length)
    } else {
        (-1, length - 1)
    };
    let clamp = |bound: i64| (if bound < 0 { bound + length } else { bound }).clamp(low, high);
    let (mut at, stop) = (clamp(start), clamp(stop));
    let mut positions = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        positions.push(at as f64);
        at += step;
    }
    positions
}

#[test]
fn slices_with_any_bounds_take_what_python_takes() {
    let values: Vec<f64> = (0..5).map(f64::from).collect();
    for start in -7..8 {
        for stop in -7..8 {
            for step in [-3, -1, 1, 2] {
                let mut out = Run::new(Float64, 6)
                    .with("x", Float64, &values)
                    .number("p", weak(Int64), start as f64)
                    .number("q", weak(Int64), stop as f64)
                    .body(&format!("    out[0] = len(x[p:q:{step}])\n    for i, v in enumerate(x[p:q:{step}]):\n        out[i + 1] = v"));
                let length = out.remove(0) as usize;
                assert_eq!(
                    out[..length],
                    taken(5, start, stop, step),
                    "{start}:{stop}:{step}"
                );
            }
        }
    }
}

#[test]
fn overlapping_parts_of_an_array_are_copied_as_by_way_of_another_array() {
    let run = || {
        Run::new(Float64, 5)
            .with("x", Float64, &[1.0, 2.0, 3.0, 4.0, 5.0])
            .number("n", weak(Int64), 1.0)
    };
    let after = |statement: &str| run().body(&format!("    {statement}\n    out[:] = x"));
    assert_eq!(after("x[1:] = x[:-1]"), [1.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(after("x[:-1] = x[1:]"), [2.0, 3.0, 4.0, 5.0, 5.0]);
    assert_eq!(after("x[n:] = x[:-n]"), [1.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(after("x[n:] += x[:-n]"), [1.0, 3.0, 5.0, 7.0, 9.0]);
    assert_eq!(after("x[:0:-1] = x[3::-1]"), [1.0, 1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn a_loop_that_always_breaks_still_changes_types() {
    let out = Run::new(Float64, 1).with("x", Float64, &[0.5]).body(
        "    c = 0
    for i in range(1, 5):
        c = 1 + x[0]
        break
    out[0] = c",
    );
    assert_eq!(out, [1.5]);
}

#[test]
fn a_name_read_before_it_is_bound_in_the_first_turn_only_is_fine() {
    let out = Run::new(Int64, 1).body(
        "    total = 0
    for i in range(5):
        if i > 0:
            total += last
        last = i * 2
    out[0] = total",
    );
    assert_eq!(out, [12.0]);
}

#[test]
fn a_tiled_matrix_product_meets_at_barriers_in_a_uniform_loop() {
    let mut world = World::new();
    world.value("TILE", Captured::Int(16));
    let entry = world.add(
        "@cl.kernel
def matmul(a, b, c):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    li, lj = cl.get_local_id(0), cl.get_local_id(1)
    ta = cl.local_array((TILE, TILE), a.dtype)
    tb = cl.local_array((TILE, TILE), b.dtype)
    acc = 0.0
    for t in range(a.shape[1] // TILE):
        ta[li, lj] = a[i, t * TILE + lj]
        tb[li, lj] = b[t * TILE + li, j]
        cl.barrier(fence=\"local\")
        for k in range(TILE):
            acc += ta[li, k] * tb[k, lj]
        cl.barrier(fence=\"local\")
    c[i, j] = acc
",
    );
    let options = colocate_frontend::Options { rank: 2, ..GROUPED };
    let arguments = [array(Float32, 2), array(Float32, 2), array(Float32, 2)];
    let compiled = compile_in(&mut world, entry, &arguments, &options)
        .unwrap_or_else(|failure| panic!("{}", text(&failure)));
    assert_eq!(compiled.kernel.storage.len(), 2);
    assert_eq!(compiled.kernel.storage[0].name, "ta");
}
