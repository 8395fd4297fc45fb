"""Loops of items that begin one after the other and end at the same number."""

import numpy as np
import pytest

import colocate as cl


@cl.kernel
def counted(out, turns, stop, step):
    i = cl.get_global_id(0)
    total = 0
    count = 0
    for k in range(i, stop, step):
        total += k * (i + 1)
        count += 1
    out[i] = total
    turns[i] = count


@cl.kernel
def gathered(values, out, step):
    i = cl.get_global_id(0)
    total = 0.0
    for k in range(i * 2 + 1, values.shape[0], step):
        total += values[k]
        for j in range(3):
            if j == k % 3:
                break
            total += j
    out[i] = total


@cl.kernel
def with_ends(values, out, step):
    i = cl.get_global_id(0)
    total = 0
    for k in range(i, values.shape[0], step):
        if values[k] < 0:
            continue
        if values[k] > 50:
            break
        total += values[k]
    out[i] = total


@cl.kernel
def read_afterwards(out, last, stop, step):
    i = cl.get_global_id(0)
    k = -1
    for k in range(i, stop, step):
        out[i] += k
    last[i] = k


@cl.kernel
def in_a_branch(out, stop, step):
    i = cl.get_global_id(0)
    if i % 3 != 1:
        for k in range(i, stop, step):
            out[i] += k


@cl.kernel
def local_counts(values, bins):
    mine = cl.local_array(16, np.int32)
    item, items = cl.get_local_id(0), cl.get_local_size(0)
    for k in range(item, 16, items):
        mine[k] = 0
    cl.barrier()
    share = (values.shape[0] + cl.get_num_groups(0) - 1) // cl.get_num_groups(0)
    start = cl.get_group_id(0) * share
    for k in range(start + item, min(start + share, values.shape[0]), items):
        cl.atomic.add(mine, values[k], 1)
    cl.barrier()
    for k in range(item, 16, items):
        cl.atomic.add(bins, k, mine[k])


ITEMS = (1, 7, 16, 40)
RANGES = ((0, 1), (5, 1), (100, 1), (100, 3), (100, 16), (1000, 64), (3, -1), (-50, -1), (-50, -7), (20, -3), (9, 0))


@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("stop, step", RANGES)
def test_turns_are_those_of_python(device, items, stop, step):
    out, turns = (cl.zeros(items, "int64", device=device) for _ in range(2))
    counted[items](out, turns, stop, step)
    ranges = [range(i, stop, step) if step else () for i in range(items)]
    np.testing.assert_array_equal(cl.asnumpy(turns), [len(one) for one in ranges])
    np.testing.assert_array_equal(cl.asnumpy(out), [sum(one) * (i + 1) for i, one in enumerate(ranges)])


@pytest.mark.parametrize("stop", (2**63 - 1, 2**63 - 3))
def test_counters_do_not_run_over(device, stop):
    items, step = 24, 2**62 + 5
    out, turns = (cl.zeros(items, "int64", device=device) for _ in range(2))
    counted[items](out, turns, stop, step)
    np.testing.assert_array_equal(cl.asnumpy(turns), [len(range(i, stop, step)) for i in range(items)])


@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("step", (1, 2, 5, 80))
def test_elements_that_are_gathered(device, items, step):
    rng = np.random.default_rng(items * step)
    values = rng.integers(-20, 60, 211)
    kernels = ((gathered, values.astype(float)), (with_ends, values))
    for kernel, given in kernels:
        out = cl.zeros(items, given.dtype, device=device)
        kernel[items](cl.asarray(given, device=device), out, step)
        found, expected = cl.asnumpy(out), np.zeros(items, given.dtype)
        for i in range(items):
            if kernel is gathered:
                for k in range(2 * i + 1, given.size, step):
                    expected[i] += given[k] + sum(range(k % 3))
            else:
                for k in range(i, given.size, step):
                    if given[k] > 50:
                        break
                    expected[i] += max(given[k], 0)
        np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("stop, step", RANGES[:-1])
def test_counters_that_are_read_afterwards_and_loops_of_some_items(device, stop, step):
    items = 21
    out, last = (cl.zeros(items, "int64", device=device) for _ in range(2))
    read_afterwards[items](out, last, stop, step)
    ranges = [range(i, stop, step) for i in range(items)]
    np.testing.assert_array_equal(cl.asnumpy(out), [sum(one) for one in ranges])
    np.testing.assert_array_equal(cl.asnumpy(last), [one[-1] if one else -1 for one in ranges])
    out = cl.zeros(items, "int64", device=device)
    in_a_branch[items](out, stop, step)
    np.testing.assert_array_equal(cl.asnumpy(out), [sum(one) * (i % 3 != 1) for i, one in enumerate(ranges)])


@pytest.mark.parametrize("size", (0, 5, 1000, 4099))
@pytest.mark.parametrize("group", (1, 5, 16, 64))
def test_counts_in_local_memory(device, size, group):
    values = np.random.default_rng(size).integers(0, 16, size)
    bins = cl.zeros(16, "int32", device=device)
    local_counts[cl.NdRange(6 * group, group)](cl.asarray(values, device=device), bins)
    np.testing.assert_array_equal(cl.asnumpy(bins), np.bincount(values, minlength=16))


@cl.kernel
def counted_twice(out, stop, n, step):
    i = cl.get_global_id(0)
    k = 0
    for k in range(0, stop, step):
        for k in range(0, n, step):  # noqa: B007
            out[i] += 0
    out[i] = k


@cl.kernel
def counted_three_times(out, stop, n):
    i = cl.get_global_id(0)
    k = -1
    total = 0
    for k in range(i, stop, 2):
        for k in range(k, n):  # noqa: B020
            for k in range(3):
                total += k
            total += k
        total += k
    out[i] = total * 10 + k


@pytest.mark.parametrize("stop, n, step", ((8, 0, 2), (8, 2, 1), (8, 3, 2), (0, 3, 1), (5, 9, 4)))
def test_loops_inside_loops_over_one_variable(device, stop, n, step):
    out = cl.zeros(19, "int64", device=device)
    counted_twice[19](out, stop, n, step)
    k = 0
    for k in range(0, stop, step):
        for k in range(0, n, step):  # noqa: B007
            pass
    np.testing.assert_array_equal(cl.asnumpy(out), np.full(19, k))
    counted_three_times[19](out, stop, n)
    for i, found in enumerate(cl.asnumpy(out).tolist()):
        k, total = -1, 0
        for k in range(i, stop, 2):
            for k in range(k, n):  # noqa: B020
                for k in range(3):
                    total += k
                total += k
            total += k
        assert found == total * 10 + k


@cl.kernel
def last_numbers(out, stop, step):
    i = cl.get_global_id(0)
    k, last = 0, 0
    for k in range(-i, stop, step * 2):
        last = k * 3
    total = k
    for q in range(i + 2, stop, step - 7):
        last += q
        total += 1
    for k in range(i, stop, step * step):
        k = k * 2
        if step > 1:
            total += 3
    out[i] = (total * 1000 + last) * 1000 + k


@pytest.mark.parametrize("stop", (-20, -4, 11, 20))
@pytest.mark.parametrize("step", (-3, -1, 1, 2, 3, 8, 16))
def test_what_a_loop_leaves_behind(device, stop, step):
    out = cl.zeros(19, "int64", device=device)
    last_numbers[19](out, stop, step)
    for i, found in enumerate(cl.asnumpy(out).tolist()):
        k, last = 0, 0
        for k in range(-i, stop, step * 2):
            last = k * 3
        total = k
        for q in range(i + 2, stop, step - 7):
            last += q
            total += 1
        for k in range(i, stop, step * step):
            k = k * 2
            if step > 1:
                total += 3
        assert found == (total * 1000 + last) * 1000 + k


@cl.kernel
def fibonacci(out):
    i = cl.get_global_id(0)
    a, b = 0, 1
    for _ in range(i):
        a, b = b, a + b
    out[i] = a


@cl.kernel
def pell(out):
    i = cl.get_global_id(0)
    a, b = np.int32(0), np.int32(1)
    k = 0
    while k < i:
        a, b = b, np.int32(2 * b + a)
        k += 1
    out[i] = a


@cl.kernel
def in_private_memory(out):
    i = cl.get_global_id(0)
    pair = cl.private_array(2, np.int64)
    pair[0], pair[1] = 0, 1
    for _ in range(i):
        pair[0], pair[1] = pair[1], pair[1] - pair[0]
    out[i] = pair[0]


@pytest.mark.parametrize(
    ("kernel", "factors"), [(fibonacci, (1, 1)), (pell, (1, 2)), (in_private_memory, (-1, 1))], ids=str
)
def test_variables_that_take_each_others_values(device, kernel, factors):
    out = cl.zeros(20, "int64", device=device)
    kernel[20](out)
    numbers = [0, 1]
    for _ in range(18):
        numbers.append(factors[0] * numbers[-2] + factors[1] * numbers[-1])
    assert out.tolist() == numbers


@cl.kernel
def choices(out, n):
    i = cl.get_global_id(0)
    b = 1
    for k in range(n):
        b = 1
        if k % 2 == 0:
            b = 0
        if i % 2 == 0:
            b = 5
    out[i] = b


@pytest.mark.parametrize("n", range(10))
def test_what_the_choices_of_the_last_turn_leave_behind(device, n):
    out = cl.zeros(19, "int64", device=device)
    choices[19](out, n)
    odd = 1 if n % 2 == 0 else 0
    assert out.tolist() == [5 if i % 2 == 0 and n else odd for i in range(19)]


@cl.kernel
def counts_of_some_items(out, chosen, n):
    i = cl.get_global_id(0)
    seen = 77
    count = -2
    others = 0
    for _ in range(n):
        if chosen[i] != 0:
            if chosen[0] == 0:
                seen = count
            count -= 2
        else:
            for turn in range(n, 0, -1):
                others -= turn
    out[0, i] = seen
    out[1, i] = count
    out[2, i] = others


@pytest.mark.parametrize("n", [0, 1, 7, 8])
def test_variables_that_some_items_set(device, n):
    chosen = [0, 1, 1, 0, 1] * 12
    out = cl.zeros((3, 60), "int64", device=device)
    counts_of_some_items[60](out, cl.asarray(chosen, device=device), n)
    last = 77 if n == 0 else -2 * n
    of_the_chosen = (last, -2 - 2 * n, 0)
    of_the_others = (77, -2, -n * n * (n + 1) // 2)
    expected = [of_the_chosen if one else of_the_others for one in chosen]
    assert list(zip(*out.tolist(), strict=True)) == expected
