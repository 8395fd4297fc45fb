//! Regions, fusion and the movement of data: the plans of programs as people write them, kept as
//! snapshots.

mod library;
#[path = "support/plan.rs"]
mod plan;
mod support;

use colocate_frontend::ArgumentType;
use colocate_frontend::ir::DType;
use library::{number, program_with, vector, wrong};
use plan::plan;
use support::array;

/// The plan of a program for a device that does not reach the memory of the host, below its text.
fn planned(source: &str, arguments: &[ArgumentType]) -> String {
    let options = colocate_frontend::program::ProgramOptions {
        unified: false,
        ..library::options()
    };
    let program =
        program_with(source, arguments, &options).unwrap_or_else(|failure| wrong(&failure));
    let lines: Vec<String> = source
        .lines()
        .enumerate()
        .map(|(number, line)| format!("{:>3}  {line}", number + 10))
        .collect();
    format!("{}\n\n{}", lines.join("\n"), plan(&program))
}

fn matrix() -> ArgumentType {
    array(DType::Float64, 2)
}

fn integers() -> ArgumentType {
    array(DType::Int64, 1)
}

macro_rules! plans {
    ($($name:ident($($argument:expr),*): $source:expr;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), planned($source, &[$($argument),*]));
        }
    )*};
}

plans! {
    a_producer_is_fused_into_its_consumer(vector()): "\
def f(x):
    t = x * 2
    u = np.sin(t)
    return u + t
";
    siblings_are_computed_together(vector()): "\
def f(x):
    a = x + 1
    b = x * 2
    return a, b
";
    a_reduction_takes_its_producer_in(vector()): "\
def f(x):
    d = x - 3.0
    return np.sum(d * d)
";
    reductions_over_one_array_are_one_pass(vector()): "\
def f(x):
    return np.sum(x), np.max(x)
";
    a_mean_and_what_depends_on_it(vector()): "\
def f(x):
    m = np.mean(x)
    return np.sum((x - m) ** 2)
";
    a_reduction_of_an_axis(matrix()): "\
def f(x):
    return np.sum(x * x, axis=1)
";
    a_dead_temporary_vanishes(vector()): "\
def f(x):
    unused = np.exp(x)
    return x + 1
";
    an_array_that_is_changed_later_is_computed_before(vector()): "\
def f(x):
    y = x + 1
    x[0] = 5.0
    return y
";
    branches_compute_what_they_need(vector(), number(DType::Int64)): "\
def f(x, n):
    y = x * 2
    if n > 3:
        y = y + 1
    return y
";
    a_temporary_of_a_loop_is_one_array_of_the_program(vector(), number(DType::Int64)): "\
def f(x, n):
    s = 0.0
    for i in range(n):
        t = x * i
        t[0] = 0.0
        s += np.sum(t)
    return s
";
    arrays_swap_names_in_a_loop(vector(), vector(), number(DType::Int64)): "\
def f(a, b, n):
    for t in range(n):
        b[1:-1] = 0.5 * (a[:-2] + a[2:])
        a, b = b, a
    return a
";
    a_slice_is_assigned(matrix(), matrix()): "\
def f(a, b):
    a[1:-1, 1:-1] = 0.25 * (b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:])
";
    a_parallel_loop_with_reductions_and_own_variables(vector()): "\
def f(x):
    s = 0.0
    largest = -1.0e300
    for i in prange(x.shape[0]):
        t = x[i] * x[i]
        s += t
        largest = max(largest, t)
    return s, largest
";
    a_parallel_loop_with_a_loop_inside(matrix(), vector()): "\
def f(a, out):
    for i in prange(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j]
        out[i] = s
";
    the_outer_of_two_parallel_loops_is_the_region(matrix()): "\
def f(a):
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            a[i, j] = a[i, j] * 2
";
    a_histogram_is_atomic(integers(), integers()): "\
def f(counts, bins):
    for i in prange(bins.shape[0]):
        counts[bins[i]] += 1
";
    a_loop_whose_turns_depend_stays_on_the_host(vector()): "\
def f(x):
    for i in prange(1, x.shape[0]):
        x[i] = x[i - 1] + 1
";
    a_loop_that_raises_notes_the_first_failure(vector()): "\
def f(x):
    for i in prange(x.shape[0]):
        if x[i] < 0:
            raise ValueError('negative')
        x[i] = np.sqrt(x[i])
";
    a_library_function_ends_a_fusion(vector()): "\
def f(x):
    y = np.sort(x * 2)
    return y + 1
";
    listing_3_1_moves_the_array_to_the_host_and_back(vector(), vector()): "\
def foo(x, y):
    a = 0.5
    for i in range(x.shape[0] - 1):
        x[i + 1] = x[i + 1] + x[i]
    y = a * x + y
    for i in range(y.shape[0] - 1):
        y[i + 1] = y[i + 1] + y[i]
    r = np.sum(y)
    return r
";
    listing_3_2_moves_nothing_for_a_print(vector(), vector()): "\
def foo(x, y):
    a = 0.5
    for i in range(x.shape[0] - 1):
        x[i + 1] = x[i + 1] + x[i]
    y = a * x + y
    print('I do not need anything from the device')
    r = np.sum(y)
    return r
";
    listing_3_6_brings_one_array_back(vector(), vector()): "\
def foo(a, b):
    a[:] = np.sin(a)
    b[:] = a + 2
    total = 0.0
    for i in range(1, b.shape[0]):
        total = total * 0.5 + b[i]
    return total
";
}
