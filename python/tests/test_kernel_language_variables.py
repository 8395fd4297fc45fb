"""Variables of kernels: tuples, unpacking, augmented assignment, changes of type, closures, globals."""

import math

import numpy as np
from kernel_simulator import check, on_device, same

import colocate as cl

N = 17
SCALE = 3
TABLE = (2, 3, 5, 7)
NESTED = ((1, 2.5), (True, 4))
STRONG = np.float32(0.1)
KIND = np.float32


def numbers(n=N):
    return (np.arange(n, dtype=np.int64) * 37 + 11) % 64 - 20


@cl.kernel
def tuples(x, out):
    i = cl.get_global_id(0)
    a, b = x[i], i
    a, b = b, a
    out[0, i] = a * 100 + b
    (p, q), r = (a, b + 1), 3
    out[1, i] = p + q * r
    t = (a, b, p)
    out[2, i] = t[0] + t[-1] * len(t)
    u = (*t, 4, 5)
    out[3, i] = u[3] * u[4] + len(u[1:4])
    c = d = a + 1
    c += 1
    out[4, i] = c - d
    v, w = u[1:3]
    out[5, i] = v - w
    out[6, i] = TABLE[i % 4]
    total = 0
    for item in t:
        total += item
    for item in (1, 2.5, a):
        total += item * 2
    out[7, i] = total
    e = (1, 2) if a > 5 else (3, 4)
    out[8, i] = e[0] * 10 + e[1]
    out[9, i] = ((a, b), (1, 2))[0][1]
    s = (0,) * 3 + (7,)
    out[10, i] = len(s) + s[3] + u[::-1][0] + u[::2][1]
    [m, n] = a, b
    out[11, i] = m - n


def test_tuples_are_built_sliced_unpacked_and_gone_over(device):
    check(device, tuples, N, numbers(), np.zeros((12, N)))


@cl.kernel
def augmented(x, y, out):
    i = cl.get_global_id(0)
    a = int(x[i])
    a += 3
    a -= 1
    a *= 7
    a //= 2
    a %= 1000
    a <<= 2
    a >>= 1
    a |= 5
    a &= 1023
    a ^= 77
    a **= 2
    out[0, i] = a
    f = float(x[i])
    f += 1
    f *= 2.5
    f /= 3
    f -= 0.5
    f //= 0.25
    f %= 7
    f **= 2
    y[i] = f
    out[1, i] += i
    out[1, i] -= 2 * i
    out[1, i] *= 3
    out[1, i] //= 2
    out[1, i] %= 100
    out[1, i] <<= 1
    out[1, i] |= 1
    out[1, i] ^= 6
    y[i] /= 2
    k = i
    out[2, k] = k
    k += 0.5
    y[i] += k


def test_augmented_assignment(device):
    check(device, augmented, N, numbers(), np.zeros(N), np.full((3, N), 5))


@cl.kernel
def narrow_augmented(i8, f4, u1):
    i = cl.get_global_id(0)
    i8[i] += 100
    i8[i] *= 3
    f4[i] += 0.1
    f4[i] *= 1 / 3
    u1[i] -= 200
    a = i8[i]
    a += 100
    i8[i] = a
    b = f4[i]
    b *= 0.1
    f4[i] += b


def test_augmented_assignment_keeps_the_dtype_of_elements(device):
    arrays = np.arange(9, dtype=np.int8), np.arange(9, dtype=np.float32), np.arange(9, dtype=np.uint8)
    check(device, narrow_augmented, 9, *arrays)


@cl.kernel
def changes_of_type(x, f4, out):
    i = cl.get_global_id(0)
    a = i
    out[0, i] = a // 2
    a = a / 2
    out[1, i] = a
    a = (a, 3)
    out[2, i] = a[0] + a[1]
    a = x
    out[3, i] = a[i]
    a = a[i] > 5
    out[4, i] = 1 if a else 2
    total = 0
    for k in range(4):
        total += f4[i] * k
    out[5, i] = total
    total = 0
    for k in range(5):
        if k > 2:  # noqa: SIM108
            total = total + 0.5
        else:
            total = total + k
    out[6, i] = total
    z = 1
    for _ in range(3):
        z = z * (0.5 + 0.25j)
    out[7, i] = z.real
    s = 0
    while s < 3:
        s += 0.75
    out[8, i] = s
    if x[i] > 3:  # noqa: SIM108
        m = 1
    else:
        m = 2.5
    out[9, i] = m * 2
    if x[i] > 3:  # noqa: SIM108
        n = np.float32(0.1)
    else:
        n = f4[i]
    out[10, i] = n + n


def test_a_variable_may_change_its_type(device):
    f4 = np.linspace(-3, 4, N, dtype=np.float32)
    check(device, changes_of_type, N, numbers(), f4, np.zeros((11, N)))


@cl.kernel
def assigned_in_loops(x, out):
    i = cl.get_global_id(0)
    for k in range(3):
        last = k * int(x[i])
        if k:
            out[0, i] += last - before  # noqa: F821 - assigned in the turn before
        before = last  # noqa: F841
    out[1, i] = last
    best = x[0]
    at = 0
    for k in range(1, x.size):
        if x[k] > best:
            best, at = x[k], k
    out[2, i] = best * 100 + at
    a, b = 0, 1
    while a < i:
        a, b = b, a + b
    out[3, i] = a


def test_variables_carried_from_turn_to_turn(device):
    check(device, assigned_in_loops, N, numbers(), np.zeros((4, N), np.int64))


@cl.kernel
def captured(x, out):
    i = cl.get_global_id(0)
    out[0, i] = x[i] * SCALE
    out[1, i] = TABLE[2] + len(TABLE) + NESTED[1][1]
    out[2, i] = x[i] * STRONG
    out[3, i] = KIND(0.1) + math.pi
    out[4, i] = NESTED[0][1] if NESTED[1][0] else 0
    a, b = NESTED[0]
    out[5, i] = a + b


def test_globals_are_constants(device):
    check(device, captured, N, numbers(), np.zeros((6, N)))


def test_a_changed_global_is_seen_by_the_next_launch(device, monkeypatch):
    for scale in (3, 4, 2.5):
        monkeypatch.setitem(globals(), "SCALE", scale)
        check(device, captured, N, numbers(), np.zeros((6, N)))


def scaled_by(factor, offsets):
    inner = factor * 2

    @cl.kernel
    def kernel(x):
        i = cl.get_global_id(0)
        x[i] = x[i] * factor + inner + offsets[i % 2]

    return kernel


def test_closures_are_constants_of_their_own_kernel(device):
    kernels = [scaled_by(factor, (factor, 1)) for factor in (2, 0.5, np.float32(0.25))]
    for kernel in (*kernels, *kernels):
        check(device, kernel, N, np.linspace(0, 1, N))


def test_a_changed_closure_is_seen_by_the_next_launch(device):
    factor = 2

    @cl.kernel
    def kernel(x):
        i = cl.get_global_id(0)
        x[i] = x[i] * factor

    for factor in (2, 3, 0.5):  # noqa: B007 - the kernel's closure
        check(device, kernel, N, np.linspace(0, 1, N))


@cl.kernel
def defaults(x, out, factor=3, *, offset=0.5):
    i = cl.get_global_id(0)
    out[i] = x[i] * factor + offset


def test_parameters_by_keyword_and_by_default(device):
    x = np.arange(5.0)
    for positional, keywords in (((), {}), ((2,), {}), ((), {"factor": 2.5, "offset": 1}), ((4,), {"offset": 2})):
        out = np.zeros(5)
        given = on_device(out, device)
        defaults[5](on_device(x, device), given, *positional, **keywords).wait()
        factor = positional[0] if positional else keywords.get("factor", 3)
        same(x * factor + keywords.get("offset", 0.5), given)
