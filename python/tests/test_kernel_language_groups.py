"""Groups: local memory, barriers, group reductions, and atomics, for sizes that suit no vector."""

import numpy as np
import pytest
from kernel_simulator import check, launch, on_device, same

import colocate as cl

SHAPES = ((1, 1), (6, 1), (6, 3), (21, 7), (34, 17), (64, 16), (65, 65))
TILE = 4


def numbers(n, dtype=np.int64):
    return ((np.arange(n) * 37 + 11) % 64 - 20).astype(dtype)


@cl.kernel
def ids(out):
    i = cl.get_global_id(0)
    out[0, i] = cl.get_local_id(0)
    out[1, i] = cl.get_group_id(0)
    out[2, i] = cl.get_local_size(0)
    out[3, i] = cl.get_num_groups(0)
    out[4, i] = cl.get_global_size(0)
    out[5, i] = cl.get_group_id(0) * cl.get_local_size(0) + cl.get_local_id(0)


@pytest.mark.parametrize(("n", "local"), SHAPES)
def test_ids_in_groups(device, n, local):
    check(device, ids, n, np.zeros((6, n), np.int64), local=local)


@cl.kernel
def ids_3(out):
    i, j, k = cl.get_global_id(0), cl.get_global_id(1), cl.get_global_id(2)
    at = cl.get_local_id(0) * 100 + cl.get_local_id(1) * 10 + cl.get_local_id(2)
    group = cl.get_group_id(0) * 100 + cl.get_group_id(1) * 10 + cl.get_group_id(2)
    out[i, j, k] = at * 1000 + group + cl.get_local_size(1) * 10**6 + cl.get_num_groups(2) * 10**7


@pytest.mark.parametrize("local", ((1, 1, 1), (2, 3, 1), (4, 1, 5), (2, 3, 5)))
def test_ids_of_groups_with_three_axes(device, local):
    check(device, ids_3, (4, 3, 5), np.zeros((4, 3, 5), np.int64), local=local)


@cl.kernel
def reverse(x, out):
    i, at, size = cl.get_global_id(0), cl.get_local_id(0), cl.get_local_size(0)
    buffer = cl.local_array(65, np.float32)
    buffer[at] = x[i]
    cl.barrier()
    out[i] = buffer[size - 1 - at]


@pytest.mark.parametrize(("n", "local"), SHAPES)
def test_items_read_what_others_of_their_group_wrote(device, n, local):
    check(device, reverse, n, numbers(n, np.float32), np.zeros(n, np.float32), local=local)


@cl.kernel
def scan(x, out):
    i, at, size = cl.get_global_id(0), cl.get_local_id(0), cl.get_local_size(0)
    buffer = cl.local_array((2, 65), np.int64)
    source = 0
    buffer[0, at] = x[i]
    cl.barrier()
    step = 1
    while step < size:
        value = buffer[source, at]
        if at >= step:
            value += buffer[source, at - step]
        buffer[1 - source, at] = value
        source = 1 - source
        step *= 2
        cl.barrier()
    out[i] = buffer[source, at] + step


@pytest.mark.parametrize(("n", "local"), SHAPES)
def test_barriers_in_a_loop(device, n, local):
    check(device, scan, n, numbers(n), np.zeros(n, np.int64), local=local)


@cl.kernel
def tree(x, out, twice):
    at, size = cl.get_local_id(0), cl.get_local_size(0)
    buffer = cl.local_array(64, np.float64)
    buffer[at] = x[cl.get_global_id(0)]
    private = at * 2
    cl.barrier("local")
    half = size // 2
    while half > 0:
        if at < half:
            buffer[at] += buffer[at + half]
        cl.barrier(fence="local")
        half //= 2
    if twice:
        cl.barrier()
        if at == size - 1:
            buffer[0] *= 2
        cl.barrier()
    total = buffer[0]
    cl.barrier()
    buffer[at] = total + private
    cl.barrier()
    if at == 0:
        out[cl.get_group_id(0)] = buffer[size - 1]


@pytest.mark.parametrize(("n", "local"), ((8, 1), (8, 2), (24, 8), (128, 64)))
@pytest.mark.parametrize("twice", (0, 1))
def test_a_tree_with_barriers_in_uniform_branches(device, n, local, twice):
    check(device, tree, n, numbers(n, np.float64), np.zeros(n // local), twice, local=local)


@cl.kernel
def tiled_matmul(a, b, c):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    y, x = cl.get_local_id(0), cl.get_local_id(1)
    left = cl.local_array((TILE, TILE), np.float32)
    right = cl.local_array((TILE, TILE), np.float32)
    acc = np.float32(0)
    for tile in range((a.shape[1] + TILE - 1) // TILE):
        k = tile * TILE
        left[y, x] = a[i, k + x] if k + x < a.shape[1] else 0
        right[y, x] = b[k + y, j] if k + y < a.shape[1] else 0
        cl.barrier()
        for m in range(TILE):
            acc += left[y, m] * right[m, x]
        cl.barrier()
    c[i, j] = acc


@pytest.mark.parametrize("inner", (1, 4, 7))
def test_a_tiled_matrix_product(device, inner):
    a = numbers(8 * inner, np.float32).reshape(8, inner) / 8
    b = numbers(inner * 12, np.float32).reshape(inner, 12) / 4
    check(device, tiled_matmul, (8, 12), a, b, np.zeros((8, 12), np.float32), local=(TILE, TILE))


@cl.kernel
def returns_early(x, out):
    i, at = cl.get_global_id(0), cl.get_local_id(0)
    buffer = cl.local_array(16, np.int64)
    buffer[at] = x[i]
    cl.barrier()
    if x[i] < 0:
        return
    total = 0
    for k in range(cl.get_local_size(0)):
        if buffer[k] > 30:
            break
        total += buffer[k]
    out[i] = total


def test_items_end_at_different_places_after_the_last_barrier(device):
    check(device, returns_early, 33, numbers(33), np.full(33, -1), local=11)


@cl.kernel
def private_across_barriers(x, out):
    i, at, size = cl.get_global_id(0), cl.get_local_id(0), cl.get_local_size(0)
    mine = cl.private_array(3, np.int64)
    shared = cl.local_array(17, np.int64)
    for k in range(3):
        mine[k] = x[i] * (k + 1)
        shared[at] = mine[k]
        cl.barrier()
        mine[k] += shared[(at + 1) % size]
        cl.barrier()
    out[i] = mine[0] * 10000 + mine[1] * 100 + mine[2]


@pytest.mark.parametrize(("n", "local"), ((3, 3), (34, 17), (20, 5)))
def test_private_state_survives_barriers(device, n, local):
    check(device, private_across_barriers, n, numbers(n), np.zeros(n, np.int64), local=local)


@cl.kernel
def reductions(x, out):
    i = cl.get_global_id(0)
    v = x[i]
    out[0, i] = cl.group.sum(v)
    out[1, i] = cl.group.min(v)
    out[2, i] = cl.group.max(v)
    out[3, i] = cl.group.prod(v % 3 + 1)
    out[4, i] = cl.group.any(v > 30)
    out[5, i] = cl.group.all(v > -20)
    out[6, i] = cl.group.sum(v) - cl.group.sum(v * 2)


@pytest.mark.parametrize("dtype", ("int32", "int64", "float32", "float64"))
@pytest.mark.parametrize(("n", "local"), ((1, 1), (6, 3), (21, 7), (34, 17), (65, 65)))
def test_group_reductions(device, dtype, n, local):
    # Small whole numbers, so that no order of adding them rounds; products may: they are few.
    x = numbers(n, dtype)
    x[::2] = 3
    check(device, reductions, n, x, np.zeros((7, n), dtype), local=local, ulps=8)


def test_group_reductions_over_two_axes(device):
    check(device, reductions_2, (4, 9), numbers(36).reshape(4, 9), np.zeros((4, 9), np.int64), local=(2, 3))


@cl.kernel
def reductions_2(x, out):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    out[i, j] = cl.group.sum(x[i, j]) * 100 + cl.group.max(x[i, j])


ATOMIC_DTYPES = ("int32", "uint32", "int64", "uint64", "float32", "float64")


@cl.kernel
def atomics(x, counts, least, most, exchanged):
    i = cl.get_global_id(0)
    v = x[i]
    slot = i % counts.shape[0]
    cl.atomic.add(counts, slot, v)
    cl.atomic.sub(counts, -1, 1)
    cl.atomic.min(least, 0, v)
    cl.atomic.max(most, (0,), v)
    cl.atomic.exchange(exchanged, i, v)
    cl.atomic.compare_exchange(exchanged, i, v, v + 1)
    cl.atomic.compare_exchange(exchanged, i, v, v + 2)


@pytest.mark.parametrize("dtype", ATOMIC_DTYPES)
@pytest.mark.parametrize("n", (1, 7, 65, 1000))
def test_atomics_on_integers_and_floats(device, dtype, n):
    x = numbers(n, np.int64) + 20
    arrays = np.full(3, 10_000, dtype), np.full(1, 99, dtype), np.zeros(1, dtype), np.zeros(n, dtype)
    check(device, atomics, n, x.astype(dtype), *arrays)


@cl.kernel
def bits(x, out):
    i = cl.get_global_id(0)
    cl.atomic.and_(out, 0, x[i] | 1)
    cl.atomic.or_(out, 1, x[i])
    cl.atomic.xor(out, 2, x[i])


@pytest.mark.parametrize("dtype", ("int32", "uint32", "int64", "uint64"))
def test_atomics_on_bits(device, dtype):
    check(device, bits, 65, (numbers(65) + 20).astype(dtype), np.full(3, 127, dtype))


@cl.kernel
def histogram(x, counts):
    at = cl.get_local_id(0)
    mine = cl.local_array(8, np.int32)
    if at < 8:
        mine[at] = 0
    cl.barrier()
    cl.atomic.add(mine, x[cl.get_global_id(0)] % 8, 1)
    cl.barrier()
    if at < 8:
        cl.atomic.add(counts, at, mine[at])


@pytest.mark.parametrize(("n", "local"), ((16, 8), (51, 17), (640, 64)))
def test_atomics_in_local_memory(device, n, local):
    check(device, histogram, n, numbers(n) + 20, np.zeros(8, np.int32), local=local)


@cl.kernel
def tickets(counter, out):
    i = cl.get_global_id(0)
    out[cl.atomic.add(counter, 0, 1)] = i


@pytest.mark.parametrize("n", (1, 17, 1000))
def test_an_atomic_gives_what_was_there_before(device, n):
    counter, out = on_device(np.zeros(1, np.int32), device), on_device(np.full(n, -1), device)
    launch(tickets, (n,))(counter, out).wait()
    assert int(counter[0]) == n
    same(np.arange(n), np.sort(cl.asnumpy(out)))


@cl.kernel
def atomics_on_views(x, table):
    i = cl.get_global_id(0)
    cl.atomic.add(table[1], i % 3, x[i])
    cl.atomic.add(table[:, 2], -1, 1)
    cl.atomic.max(table, (0, i % 2), x[i])


def test_atomics_on_parts_of_arrays(device):
    check(device, atomics_on_views, 17, numbers(17), np.zeros((3, 3), np.int64))


def test_items_may_go_on_to_the_next_turn_alone_after_the_barrier(device):
    @cl.kernel
    def kernel(out, n):
        item = cl.get_local_id(0)
        counted = 0
        for turn in range(n):
            cl.barrier()
            if item % 3 == turn % 3:
                continue
            counted += 1
            if item > 5:
                if counted > 2:
                    continue
                counted += 10
        k = 0
        while k < n:
            k += 1
            cl.barrier()
            if item == k:
                continue
            counted += 100
        out[cl.get_global_id(0)] = counted

    check(device, kernel, 39, np.zeros(39, np.int64), 4, local=(13,))


def test_only_the_rows_that_go_on_leave_out_the_rest(device):
    @cl.kernel
    def kernel(out, sums):
        i, j = cl.get_local_id(0), cl.get_local_id(1)
        for turn in range(3):
            total = cl.group.sum(i + turn)
            if i == turn:
                continue
            sums[cl.get_global_id(0), cl.get_global_id(1)] += total
            if j == 1:
                continue
            out[cl.get_global_id(0), cl.get_global_id(1)] += 1

    check(device, kernel, (6, 10), np.zeros((6, 10), np.int64), np.zeros((6, 10), np.int64), local=(3, 5))


def test_a_barrier_in_a_branch_of_a_loop_loses_nothing(device):
    # Intel's compiler for CPUs loses `carried` if it unrolls the loop.
    @cl.kernel
    def kernel(x, out, n):
        buffer = cl.local_array(64, np.int64)
        at, size = cl.get_local_id(0), cl.get_local_size(0)
        carried, seen = x[cl.get_global_id(0)], 1
        for turn in range(n):
            seen = carried % 7
            carried += at + 1
            if turn == 1:
                for _ in range(3):
                    carried += 1
                    buffer[at] = carried
                    cl.barrier()
                    seen = buffer[(at + 1) % size] % 13
                    cl.barrier()
                seen = carried % 7
        out[cl.get_global_id(0)] = carried * 1000 + seen

    check(device, kernel, 6, np.array([5, 17, 40, 1, 2, 3]), np.zeros(6, np.int64), 4, local=(3,))
