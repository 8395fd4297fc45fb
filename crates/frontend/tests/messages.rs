//! What users are told.

mod support;

use colocate_frontend::Captured;
use colocate_frontend::ir::DType::*;
use colocate_frontend::{ArgumentType, Options};
use support::*;

/// One array of float32 is `a`, one of int32 is `k`, a Python float is `x`.
fn told(body: &str) -> String {
    let source = format!("def kernel(a, k, x):\n{body}\n");
    let arguments = [array(Float32, 1), array(Int32, 1), weak(Float64)];
    errors(&source, &arguments)
}

#[track_caller]
fn says(text: &str, wanted: &[&str]) {
    for wanted in wanted {
        assert!(text.contains(wanted), "{wanted:?} is missing:\n{text}");
    }
}

#[test]
fn the_users_own_line_and_column_are_shown_for_nested_functions() {
    let text = errors(
        "    @cl.kernel
    def inner(a):
        # a comment
        a[0] = b
",
        &[array(Float32, 1)],
    );
    says(
        &text,
        &[
            "CL0103",
            "program.py:13:16",
            "`b` is not defined",
            "13 |         a[0] = b",
        ],
    );
}

#[test]
fn all_mistakes_are_told_at_once_and_follow_ups_are_not() {
    let text = told(
        "    y = undefined_thing
    z = y + 1
    a[0] = z * missing_too
    a['x'] = 1",
    );
    says(
        &text,
        &[
            "`undefined_thing`",
            "`missing_too`",
            "an index must be an integer, not a string",
        ],
    );
    assert_eq!(text.matches("error[").count(), 3, "{text}");
}

#[test]
fn misspelt_functions_get_suggestions() {
    says(
        &told("    a[0] = np.arctna(x)"),
        &[
            "CL0106",
            "`numpy.arctna` is not supported",
            "did you mean `arctan`?",
        ],
    );
    says(&told("    a[0] = math.sqr(x)"), &["did you mean `sqrt`"]);
    says(
        &told("    i = cl.get_globl_id(0)"),
        &["did you mean `get_global_id`"],
    );
    says(&told("    i = mth.sin(x)"), &["did you mean `math`"]);
}

#[test]
fn a_conflict_shows_both_places() {
    let text = told(
        "    if x > 0:
        v = 1.5
    else:
        v = (1, 2)
    a[0] = v",
    );
    says(
        &text,
        &[
            "CL0108",
            "`v` has incompatible types",
            "it is float here",
            "and a tuple (int, int) here",
        ],
    );
}

#[test]
fn a_conflict_that_is_not_used_is_none() {
    compile(
        "def kernel(a, x):
    if x > 0:
        v = 1.5
    else:
        v = (1, 2)
    v = 3
    a[0] = v
",
        &[array(Float32, 1), weak(Float64)],
    );
}

#[test]
fn a_variable_without_a_value_is_told() {
    says(
        &told("    a[0] = v\n    v = 1"),
        &["CL0109", "`v` is used before it has a value"],
    );
}

#[test]
fn ranks_and_indices_are_checked() {
    says(
        &told("    a[0, 1] = 1"),
        &["CL0110", "too many indices: 2 for a 1-d array of float32"],
    );
    says(
        &told("    y = a[x]"),
        &[
            "CL0111",
            "an index must be an integer, not float",
            "int(...)",
        ],
    );
    says(&told("    y = a[x < 1]"), &["CL0111", "not bool"]);
    says(&told("    y = a[None]"), &["CL0110", "new axes"]);
    says(&told("    y = (1, 2)[5]"), &["CL0145"]);
    says(&told("    y = x[0]"), &["float cannot be indexed"]);
}

#[test]
fn operators_name_the_types() {
    says(
        &told("    y = a[0] & 1"),
        &["CL0112", "`&` is not defined for float32 and int"],
    );
    says(
        &told("    y = a + 1"),
        &[
            "`+` is not defined for a 1-d array of float32 and int",
            "a[i]",
        ],
    );
    says(&told("    y = 'a' + 1"), &["CL0114"]);
    says(
        &told("    y = 1j < 2"),
        &["`<` is not defined for complex and int"],
    );
    says(&told("    y = (x > 0) @ 2"), &["`@`"]);
    says(&told("    y = k[0] ** -1"), &["negative integer powers"]);
}

#[test]
fn constants_that_do_not_fit_are_told() {
    let text = errors("def f(a):\n    a[0] = a[0] + 300\n", &[array(UInt8, 1)]);
    says(&text, &["CL0121", "the integer 300 does not fit uint8"]);
    says(&told("    y = 123456789012345678901234567890"), &["CL0121"]);
    says(
        &errors("def f(a):\n    a[0] = -1\n", &[array(UInt8, 1)]),
        &["CL0121", "-1"],
    );
}

#[test]
fn complex_numbers_are_not_stored_in_real_arrays() {
    says(&told("    a[0] = 1j"), &["CL0122", "`.real`"]);
    says(
        &told("    y = math.sin(1j)"),
        &["CL0122", "`math.sin` does not take complex numbers"],
    );
}

#[test]
fn recursion_names_the_cycle() {
    let mut world = World::new();
    world.add("def even(n):\n    return odd(n - 1)\n");
    world.add("def odd(n):\n    return even(n - 1)\n");
    let text = errors_with(
        &mut world,
        "def kernel(a):\n    a[0] = even(3)\n",
        &[array(Int64, 1)],
        &REGION,
    );
    says(&text, &["CL0113", "`even` → `odd` → `even`", "called here"]);
}

#[test]
fn mistakes_in_device_functions_show_the_call() {
    let mut world = World::new();
    world.add("def half(v):\n    return v.missing\n");
    let text = errors_with(
        &mut world,
        "def kernel(a):\n    a[0] = half(a[0])\n",
        &[array(Float32, 1)],
        &REGION,
    );
    says(&text, &["CL0140", "`missing`", "called here"]);
}

#[test]
fn wrong_calls_are_told() {
    let mut world = World::new();
    world.add("def add(p, q=1):\n    return p + q\n");
    let mut ask = |call: &str| {
        errors_with(
            &mut world,
            &format!("def kernel(a):\n    a[0] = {call}\n"),
            &[array(Float32, 1)],
            &REGION,
        )
    };
    says(&ask("add()"), &["CL0107", "called without `p`"]);
    says(
        &ask("add(1, 2, 3)"),
        &["takes 2 positional arguments, but 3 are given"],
    );
    says(
        &ask("add(1, qq=2)"),
        &["no parameter `qq`", "its parameters are (p, q)"],
    );
    says(&ask("add(1, p=2)"), &["gets `p` twice"]);
    says(
        &told("    y = math.sin()"),
        &["`math.sin` takes 1 argument, but 0 are given"],
    );
    says(
        &told("    y = np.sin(x, out=a)"),
        &["takes no keyword `out`"],
    );
}

#[test]
fn groups_need_a_local_size() {
    says(
        &told("    cl.barrier()"),
        &["CL0116", "`kernel[n, (64,)](...)`"],
    );
    says(&told("    i = cl.get_local_id(0)"), &["CL0116"]);
    says(&told("    t = cl.local_array(4, np.float32)"), &["CL0116"]);
}

#[test]
fn axes_and_shapes_must_be_constant_and_in_range() {
    says(
        &told("    i = cl.get_global_id(1)"),
        &["CL0118", "launched over 1 axis"],
    );
    says(&told("    i = cl.get_global_id(k[0])"), &["CL0151"]);
    says(
        &told("    t = cl.private_array(len(a), np.float32)"),
        &["CL0117", "must be constant"],
    );
    says(&told("    t = cl.private_array(4, 'float33')"), &["CL0148"]);
}

#[test]
fn a_barrier_that_some_items_miss_is_told_with_its_condition() {
    let mut world = World::new();
    let text = errors_with(
        &mut world,
        "def kernel(a):
    i = cl.get_local_id(0)
    if i < 3:
        cl.barrier()
    a[i] = 0
",
        &[array(Float32, 1)],
        &GROUPED,
    );
    says(
        &text,
        &[
            "CL0115",
            "cl.barrier()",
            "^^^^^^^^^^^^",
            "if i < 3",
            "this may differ between items",
        ],
    );
}

#[test]
fn read_only_arrays_are_not_written() {
    let read_only = ArgumentType::Array {
        dtype: Float32,
        rank: 1,
        layout: colocate_frontend::ir::Layout::Contiguous,
        fortran: false,
        writable: false,
    };
    let text = errors("def f(a):\n    b = a[1:]\n    b[0] = 1\n", &[read_only]);
    says(&text, &["CL0119", "`a` is read-only"]);
}

#[test]
fn kernels_return_nothing() {
    says(&told("    return x"), &["CL0120", "this returns float"]);
}

#[test]
fn unsupported_constructs_are_named_with_what_to_write_instead() {
    for (body, code, wanted) in [
        ("    yield 1", "CL0123", "store the values in an array"),
        ("    f = lambda v: v", "CL0125", "@colocate.device_func"),
        (
            "    try:\n        pass\n    except ValueError:\n        pass",
            "CL0126",
            "`try` is not supported",
        ),
        ("    with x:\n        pass", "CL0127", "around the launch"),
        ("    class A:\n        pass", "CL0128", "classes"),
        ("    import os", "CL0129", "top of the file"),
        ("    global g", "CL0130", "pass an array"),
        ("    del x", "CL0131", "leave it out"),
        ("    y = [v for v in a]", "CL0132", "write a loop"),
        ("    y = f'{x}'", "CL0133", "formatted strings"),
        ("    y = [1, 2]", "CL0134", "use a tuple"),
        ("    y = {1: 2}", "CL0134", "dicts"),
        ("    y = {1, 2}", "CL0134", "sets"),
        ("    y, *z = (1, 2, 3)", "CL0135", "starred"),
        ("    def g():\n        pass", "CL0136", "define it outside"),
        ("    a.shape = 3", "CL0137", "`shape`"),
        ("    raise ValueError", "CL0143", "raised"),
        ("    assert x > 0", "CL0104", "assert"),
        ("    y, z = (1, 2, 3)", "CL0144", "3"),
        ("    for i in x:\n        pass", "CL0146", "range(...)"),
        (
            "    if a:\n        pass",
            "CL0147",
            "neither true nor false",
        ),
        (
            "    match x:\n        case 1:\n            pass",
            "CL0152",
            "elif",
        ),
        ("    print(x)", "CL0106", "after the launch"),
        ("    y = np.zeros(3)", "CL0106", "private_array"),
        ("    y = x()", "CL0141", "cannot be called"),
        ("    cl.atomic.add(a, 0)", "CL0107", "takes 3 arguments"),
        (
            "    cl.atomic.xor(a, 0, 1)",
            "CL0149",
            "does not work on float32",
        ),
    ] {
        let text = told(body);
        says(&text, &[code, wanted]);
        assert_eq!(text.matches("error[").count(), 1, "{text}");
    }
}

#[test]
fn objects_from_outside_are_named() {
    let mut world = World::new();
    world.value(
        "table",
        Captured::Unsupported {
            description: "a list".into(),
        },
    );
    world.value(
        "grid",
        Captured::Array {
            type_name: "numpy.ndarray".into(),
        },
    );
    world.value("other", Captured::Kernel("other".into()));
    let mut ask = |expr: &str| {
        errors_with(
            &mut world,
            &format!("def kernel(a):\n    a[0] = {expr}\n"),
            &[array(Float32, 1)],
            &REGION,
        )
    };
    says(
        &ask("table[0]"),
        &["CL0139", "a list from outside cannot be used"],
    );
    says(
        &ask("grid[0]"),
        &["CL0139", "pass it to the kernel as an argument"],
    );
    says(&ask("other(1)"), &["CL0138", "device_func"]);
}

#[test]
fn syntax_errors_and_lambdas_are_told() {
    says(
        &errors("def f(a):\n    a[0 = 1\n", &[array(Float32, 1)]),
        &["CL0101", "not valid Python"],
    );
    says(
        &errors("f = cl.kernel(lambda a: a)\n", &[]),
        &["CL0125", "with def"],
    );
    says(
        &errors("async def f(a):\n    pass\n", &[array(Float32, 1)]),
        &["CL0124"],
    );
    says(&errors("def f(*a):\n    pass\n", &[]), &["CL0153"]);
}

#[test]
fn deep_nesting_is_told_and_does_not_crash() {
    let deep = format!("    a[0] = {}x{}", "(".repeat(300), ")".repeat(300));
    says(&told(&deep), &["CL0142"]);
    let minus = format!("    a[0] = {}x", "-".repeat(3000));
    compile_or_errors(&minus);
    let long = format!("    a[0] = x{}", " + x".repeat(900));
    compile_or_errors(&long);
    let attributes = format!("    a[0] = x{}", ".real".repeat(1500));
    compile_or_errors(&attributes);
}

fn compile_or_errors(body: &str) {
    let mut world = World::new();
    let entry = world.add(&format!("def kernel(a, x):\n{body}\n"));
    let options = Options { rank: 1, ..REGION };
    let _ = compile_in(
        &mut world,
        entry,
        &[array(Float32, 1), weak(Float64)],
        &options,
    );
}

#[test]
fn a_type_travels_through_any_number_of_variables() {
    let names: Vec<String> = (0..20).map(|k| format!("v{k}")).collect();
    let before: String = names.iter().map(|v| format!("    {v} = 0\n")).collect();
    let moved: String = names
        .windows(2)
        .map(|pair| format!("        {} = {}\n", pair[0], pair[1]))
        .collect();
    compile(
        &format!(
            "def kernel(a, n):\n{before}    for k in range(n):\n{moved}        v19 = 0.5\n    a[0] = v0\n"
        ),
        &[array(Float32, 1), weak(Int64)],
    );
}

#[test]
fn what_an_unsupported_statement_would_have_bound_is_no_second_mistake() {
    for body in [
        "    import os\n    a[0] = os.x",
        "    from os import path as p\n    a[0] = p(1)",
        "    class A:\n        pass\n    a[0] = A()",
        "    def g():\n        pass\n    a[0] = g()",
        "    global g\n    g += 1",
    ] {
        let text = told(body);
        assert_eq!(text.matches("error[").count(), 1, "{text}");
    }
}

#[test]
fn a_missing_local_size_is_told_once_with_all_places_and_a_launch_that_works() {
    let text = told("    i = cl.get_local_id(0)\n    for j in range(3):\n        cl.barrier()\n");
    assert_eq!(text.matches("error[").count(), 1, "{text}");
    assert_eq!(text.matches("this needs groups, too").count(), 1, "{text}");
    says(&text, &["`kernel[n, (64,)](...)`"]);
}

#[test]
fn all_calls_on_the_way_to_a_mistake_are_shown() {
    let mut world = World::new();
    world.add("def inner(v):\n    return v.missing\n");
    world.add("def outer(v):\n    return inner(v)\n");
    let text = errors_with(
        &mut world,
        "def kernel(a):\n    a[0] = outer(a[0])\n",
        &[array(Float32, 1)],
        &REGION,
    );
    assert_eq!(text.matches("called here").count(), 2, "{text}");
}

#[test]
fn no_argument_is_left_out_or_passed_over_in_silence() {
    for call in [
        "enumerate()",
        "enumerate(a, first=1)",
        "enumerate(a, 1, 2)",
        "np.round()",
        "np.round(x, out=a)",
        "round(x, 1, 2)",
        "round()",
        "min((1, 2), key=abs)",
        "zip()",
        "len()",
    ] {
        says(&told(&format!("    y = {call}")), &["CL0107"]);
    }
}

#[test]
fn keywords_that_have_a_position_are_taken() {
    compile(
        "def kernel(a, x):
    i = cl.get_global_id(axis=0)
    a[i] = round(x, ndigits=1) + np.round(x, decimals=2)
    cl.atomic.add(a, i, value=1)
    for j, v in enumerate(a, start=1):
        a[i] = j + v
",
        &[array(Float32, 1), weak(Float64)],
    );
}
