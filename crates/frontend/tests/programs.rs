//! Jit functions become valid programs: a host part, calls and regions.

mod library;
mod support;

use colocate_frontend::ArgumentType;
use colocate_frontend::ir::{DType, Layout};
use colocate_frontend::program::{Call, ListItem, Program, ProgramOptions};
use library::{number, options, program, program_with, vector};
use support::array;

fn launches(program: &Program) -> usize {
    program
        .calls
        .iter()
        .filter(|call| matches!(call, Call::Launch { .. }))
        .count()
}

#[test]
fn an_expression_and_its_sum_are_one_region() {
    let program = program(
        "def f(x, y):\n    a = 0.5\n    y = a * x + y\n    print('nothing')\n    return np.sum(y)\n",
        &[vector(), vector()],
    );
    // One for extents that are equal, and one for the case that they are not.
    assert_eq!(program.regions.len(), 2);
    assert!(
        !program
            .calls
            .iter()
            .any(|call| matches!(call, Call::Allocate { .. }))
    );
}

#[test]
fn arrays_of_one_shape_are_computed_together() {
    let program = program(
        "def f(x):\n    a = x + 1\n    b = a * 2\n    return a, b\n",
        &[vector()],
    );
    assert_eq!(launches(&program), 1);
}

#[test]
fn assignments_to_slices_are_regions() {
    let program = program(
        "def f(a, b):\n    a[1:-1] = 0.5 * (b[:-2] + b[2:])\n    a[0] = 1\n",
        &[vector(), vector()],
    );
    assert!(launches(&program) >= 1);
}

#[test]
fn arrays_carried_by_loops_have_a_variable() {
    program(
        "def f(x, n):\n    y = x\n    for i in range(n):\n        y = y * 2 + x\n    return y\n",
        &[vector(), number(DType::Int64)],
    );
    program(
        "def f(x, n):\n    t = x\n    if n > 3:\n        t = x + 1\n    return t\n",
        &[vector(), number(DType::Int64)],
    );
    program(
        "def f(a, b, n):\n    for t in range(n):\n        b[1:-1] = a[:-2] + a[2:]\n        a, b = b, a\n    return a\n",
        &[vector(), vector(), number(DType::Int64)],
    );
}

#[test]
fn parallel_loops_with_reductions_are_regions() {
    let program = program(
        "def f(x):\n    s = 0\n    m = 0.0\n    for i in prange(x.shape[0]):\n        s += x[i] * x[i]\n        if x[i] > m:\n            m = x[i]\n    return s, m\n",
        &[vector()],
    );
    assert_eq!(program.notes, []);
    assert_eq!(program.regions.len(), 1);
}

#[test]
fn loops_whose_turns_get_in_the_way_stay_on_the_host() {
    let found = program(
        "def f(x):\n    for i in prange(1, x.shape[0]):\n        x[i] = x[i - 1] + 1\n",
        &[vector()],
    );
    assert_eq!(found.regions.len(), 0);
    assert_eq!(found.notes.len(), 1);
    let found = program(
        "def f(h, b):\n    for i in prange(b.shape[0]):\n        h[b[i]] += 1\n",
        &[array(DType::Int64, 1), array(DType::Int64, 1)],
    );
    assert_eq!(found.notes, []);
    assert_eq!(found.regions.len(), 1);
}

#[test]
fn nested_loops_and_rows_are_kernels() {
    let found = program(
        "def f(x, d):\n    n, k = x.shape\n    for i in prange(n):\n        for j in range(n):\n            d[i, j] = np.sqrt(np.sum((x[i] - x[j]) ** 2))\n",
        &[array(DType::Float64, 2), array(DType::Float64, 2)],
    );
    assert_eq!(found.notes, []);
    assert_eq!(found.regions.len(), 1);
}

#[test]
fn functions_of_the_library_are_called() {
    program(
        "def f(x):\n    y = np.sort(x)\n    z = y[x > 0.5]\n    y[x > 1] = 0\n    return y.reshape(2, -1), z, x.T, np.max(y), y.mean(), (x @ x)\n",
        &[vector()],
    );
}

#[test]
fn exceptions_and_checks_are_calls() {
    program(
        "def f(x, n):\n    assert n > 0, 'positive'\n    if n > x.shape[0]:\n        raise ValueError('too large')\n    for i in prange(n):\n        if x[i] < 0:\n            raise ValueError('negative')\n        x[i] = x[i] + 1\n    return x[n]\n",
        &[vector(), number(DType::Int64)],
    );
}

#[test]
fn creation_functions_make_arrays() {
    program(
        "def f(n):\n    a = np.zeros(n)\n    b = np.ones((n, 3), dtype=np.float32)\n    c = np.arange(n)\n    d = np.full(n, 2.5)\n    e = np.eye(3)\n    g = np.array([[1, 2], [3, n]])\n    return a + c, b, d, e, g, np.zeros_like(b)\n",
        &[number(DType::Int64)],
    );
}

#[test]
fn strided_arrays_and_new_axes_work() {
    let strided = ArgumentType::Array {
        dtype: DType::Float32,
        rank: 2,
        layout: Layout::Strided,
        fortran: false,
        writable: true,
    };
    program(
        "def f(x):\n    y = x[:, None, :] - x[None, :, :]\n    z = x[::-1, ...].T\n    z += 1\n    w = x * 2\n    w += z.T\n    w[0] = 3\n    return y, z, w, x[0, 1], x[-1]\n",
        &[strided],
    );
}

#[test]
fn lists_grow_and_comprehensions_fill_them() {
    program(
        "def f(n):\n    a = []\n    for i in range(n):\n        a.append(i * 0.5)\n    a[0] = 7\n    b = [i for i in range(n) if i > 2]\n    c = [1, 2, 3]\n    return a, b, len(a), sum(b), c[1], np.array(a)\n",
        &[number(DType::Int64)],
    );
}

#[test]
fn functions_inside_functions_see_the_variables_around_them() {
    program(
        "def f(x, n):\n    k = 2\n    def g(y, *rest):\n        return y * k + len(rest)\n    h = lambda z: z + n\n    a, *b = (1, 2, 3)\n    return g(x, 1, 2), h(3), g(h(1)), b\n",
        &[vector(), number(DType::Int64)],
    );
}

#[test]
fn functions_that_call_themselves_are_functions_of_the_host_part() {
    let found = program(
        "def f(n):\n    if n < 2:\n        return n\n    return f(n - 1) + f(n - 2)\n",
        &[number(DType::Int64)],
    );
    assert_eq!(found.host.functions.len(), 1);
    program(
        "def f(n):\n    def g(x, k):\n        if k == 0:\n            return x\n        return g(x * 0.5, k - 1)\n    return g(n, 3)\n",
        &[number(DType::Int64)],
    );
}

#[test]
fn parts_of_results_share_their_memory() {
    let made = program(
        "def f(x):\n    a = x + 1\n    b = a[1:]\n    b[0] = 5\n    return a\n",
        &[vector()],
    );
    let views = made.calls.iter();
    let allocations = views.filter(|call| matches!(call, Call::Allocate { .. }));
    assert_eq!(allocations.count(), 1, "one array for both names");
}

#[test]
fn lists_slices_and_ellipses_are_arguments() {
    let integers = ArgumentType::List {
        dtype: DType::Int64,
        weak: true,
        empty: false,
    };
    program(
        "def f(items):\n    total = 0\n    for item in items:\n        total += item\n    return total, items\n",
        &[integers],
    );
    let weak = number(DType::Int64);
    let slice = ArgumentType::Slice(vec![weak.clone(), ArgumentType::None, weak]);
    program("def f(x, part):\n    return x[part]\n", &[vector(), slice]);
    program(
        "def f(x, all):\n    return x[all]\n",
        &[vector(), ArgumentType::Ellipsis],
    );
}

#[test]
fn iterators_over_elements_are_loops() {
    program(
        "def f(x):\n    total = 0.0\n    for (i, j), value in np.ndenumerate(x):\n        total += i * value\n    for k in np.ndindex(x.shape):\n        total += x[k]\n    return total\n",
        &[array(DType::Float64, 2)],
    );
}

#[test]
fn a_body_that_raises_is_left_for_its_handler() {
    let source = "def f(x):\n    a = 1\n    try:\n        a = 2.5\n        if x > 2:\n            raise ValueError('large', x)\n        a = 3\n    except ValueError as e:\n        return e.args, a\n    else:\n        a = a + 1\n    return a\n";
    program(source, &[number(DType::Int64)]);
}

#[test]
fn what_no_handler_takes_is_raised_again() {
    let source = "def f(x):\n    try:\n        y = 1 // x\n    except KeyError:\n        y = 0\n    return y\n";
    let program = program(source, &[number(DType::Int64)]);
    let raises = |call: &&Call| matches!(call, Call::Raise { .. });
    assert!(program.calls.iter().any(|call| raises(&call)));
}

#[test]
fn random_numbers_are_calls_of_the_host_part_and_streams_of_turns() {
    let found = program(
        "def f(n):\n    s = 0\n    for i in range(n):\n        s += draw_random() + draw_normal(0.5, n) * draw_exponential(n) + draw_randint(n)\n    return s, draw_rand(n, 2), draw_uniform(n, 5.0, (n, n))\n",
        &[number(DType::Int64)],
    );
    assert_eq!(found.notes, []);
    let draws = |program: &Program| {
        let calls = program.calls.iter();
        calls
            .filter(|call| matches!(call, Call::Draw { .. }))
            .count()
    };
    assert_eq!(draws(&found), 4);
    let fills = found.calls.iter();
    assert_eq!(
        fills
            .filter(|call| matches!(call, Call::FillRandom { .. }))
            .count(),
        2
    );
    let found = program(
        "def f(out, n):\n    s = 0\n    for i in prange(n):\n        x = draw_random() + draw_rand()\n        while x < 5:\n            s += 1\n            x += draw_uniform(0, n) + draw_randn() + draw_standard_normal()\n        if x > 6:\n            continue\n        out[i] = x + draw_randint(3, n)\n    return s\n",
        &[vector(), number(DType::Int64)],
    );
    assert_eq!(found.notes, []);
    assert_eq!(found.regions.len(), 1);
    // The key of the launch.
    assert_eq!(draws(&found), 1);
}

/// Programs with lists of all kinds, which take a number and a vector.
const LIST_PROGRAMS: &[&str] = &[
    "def f(n, x):\n    l = []\n    for i in range(n):\n        l.append(x * i)\n    return l\n",
    "def f(n, x):\n    l = [x, x + 1]\n    l.append(x)\n    return l[n] + l[-1], len(l)\n",
    "def f(n, x):\n    l = [[0] * n for _ in range(3)]\n    l[1][0] = 5\n    l[n].append(2)\n    return l\n",
    "def f(n, x):\n    rows = []\n    for i in range(n):\n        row = []\n        for j in range(i):\n            row.append(i * 0.5)\n        rows.append(row)\n    return rows\n",
    "def f(n, x):\n    l = []\n    for i in range(n):\n        l.append((i, i * 0.5))\n    total = 0.0\n    for a, b in l:\n        total += a * b\n    return total, l\n",
    "def f(n, x):\n    a = [1]\n    b = [2, 3]\n    for i in range(n):\n        a, b = b, a\n    a.append(4)\n    return a, b\n",
    "def f(n, x):\n    if n > 2:\n        l = [1, 2]\n    else:\n        l = [3]\n    return l\n",
    "def f(n, x):\n    l = [1, 2, 3]\n    del l[0]\n    l[0:1] = [4, 5]\n    del l[n:]\n    return l, l < [1, 2], l == [1]\n",
    "def f(n, x):\n    l = [(3, 1), (1, 2)]\n    l.sort()\n    m = l[:]\n    m.sort(key=lambda p: p[1], reverse=True)\n    return l, m, (1, 2) in l, l.index((3, 1))\n",
    "def f(n, x):\n    first = [0]\n    for i in range(n):\n        cur = [i]\n        cur.append(i)\n        if i == 0:\n            first = cur\n    return first\n",
    "def f(n, x):\n    l = [x, x]\n    total = 0.0\n    for i in range(2):\n        total += l[i][0]\n    for a in l:\n        a[0] = 1.0\n    return total\n",
    "def f(n, x):\n    t = (x, x + 1)\n    return t[n].sum()\n",
    "def f(n, x):\n    l = [[i * j for j in range(n)] for i in range(n)]\n    for row in l:\n        row.reverse()\n    return sum([len(row) for row in l])\n",
    "def f(n, x):\n    l = [[1], [2]]\n    m = l[:]\n    m.extend(l)\n    m += [[3]]\n    m.insert(0, [4])\n    r = m.pop()\n    r.append(5)\n    m.reverse()\n    m.clear()\n    return l, m, r\n",
    "def f(n, x):\n    l = [1, 2]\n    for v in l:\n        if len(l) < n:\n            l.append(v)\n    return l\n",
];

#[test]
fn items_of_rows_are_read_and_replaced_without_calls() {
    let item = ListItem::Scalar {
        dtype: DType::Float64,
        weak: true,
    };
    let rows = ArgumentType::ListOf(ListItem::List(Box::new(item)));
    let source = "def f(a, n):\n    s = 0.0\n    for i in range(n):\n        s += a[i][n] + len(a)\n        a[i][0] = s\n    return s\n";
    let given = [rows, number(DType::Int64)];
    let calls = |made: &Program| {
        let calls = made.calls.iter();
        calls.filter(|call| matches!(call, Call::List(_))).count()
    };
    // The argument itself.
    assert_eq!(calls(&program(source, &given)), 1);
    let options = ProgramOptions {
        unified: false,
        ..options()
    };
    let apart = program_with(source, &given, &options).expect("it is a program");
    assert!(calls(&apart) > 5);
}

#[test]
fn lists_of_anything_become_programs() {
    for source in LIST_PROGRAMS {
        program(source, &[number(DType::Int64), vector()]);
    }
}

#[test]
fn lists_of_anything_become_programs_for_memory_of_its_own() {
    let options = ProgramOptions {
        unified: false,
        ..options()
    };
    for source in LIST_PROGRAMS {
        let made = program_with(source, &[number(DType::Int64), vector()], &options);
        assert!(made.is_ok(), "{source}");
    }
}

#[test]
fn exceptions_leave_loops_one_by_one() {
    program(
        "def f(n):\n    c = 0\n    try:\n        for i in range(n):\n            for j in range(n):\n                c += 1\n                if i * j == 12:\n                    raise ValueError('found')\n    except ValueError as e:\n        return c, e.args\n    finally:\n        c = 0\n    return c, ('none',)\n",
        &[number(DType::Int64)],
    );
    program(
        "def f(n):\n    c = 0\n    for i in range(n):\n        try:\n            if i == 3:\n                break\n            if i == 1:\n                continue\n            c += 10 // i\n        except ZeroDivisionError:\n            c = -1\n        finally:\n            c += 1\n    return c\n",
        &[number(DType::Int64)],
    );
}

#[test]
fn what_follows_an_exception_is_left_out() {
    program(
        "def f(n):\n    def g(x):\n        raise ValueError('no')\n    try:\n        g(n)\n        n += 1\n    except ValueError:\n        raise\n    g(n)\n    return n\n",
        &[number(DType::Int64)],
    );
}

#[test]
fn what_containers_hold_is_found_out() {
    let made = program(
        "def f(n):\n    d = {}\n    s = {(0, 1)}\n    for i in range(n):\n        d[i] = i * 0.5\n        s.add((i, i + 1))\n    t = 0.0\n    for k, v in d.items():\n        t += k * v\n    return t, s, d.get(3), (1, 2) in s\n",
        &[number(DType::Int64)],
    );
    assert!(made.guarded.is_empty());
}

#[test]
fn calls_in_a_try_are_guarded() {
    let made = program(
        "def f(n):\n    d = {1: 2}\n    try:\n        return d[n]\n    except KeyError:\n        return -1\n",
        &[number(DType::Int64)],
    );
    assert_eq!(made.guarded.len(), 1);
}

#[test]
fn generators_are_written_out() {
    program(
        "def f(n):\n    def evens(m):\n        i = 0\n        while True:\n            if i > m:\n                return\n            if i % 2 == 0:\n                yield i\n            i += 1\n    t = 0.5\n    for x in evens(n):\n        if x == 4:\n            continue\n        if x == 8:\n            break\n        t += x\n    return t, sum([x for x in evens(n)])\n",
        &[number(DType::Int64)],
    );
}

#[test]
fn functions_may_depend_on_the_path() {
    program(
        "def f(n):\n    def a(x):\n        return x + 1\n    def b(x):\n        return x * 2.5\n    g = a\n    for i in range(n):\n        if i > 3:\n            g = b\n    match n:\n        case 1 | 2:\n            return g(n)\n        case _:\n            return -g(n)\n",
        &[number(DType::Int64)],
    );
}

#[test]
fn inner_functions_change_outer_variables() {
    program(
        "def f(n):\n    c = 0\n    def add(k):\n        nonlocal c\n        for i in range(k):\n            if i % 2:\n                c += i\n    for i in range(n):\n        add(i)\n    return c\n",
        &[number(DType::Int64)],
    );
}
