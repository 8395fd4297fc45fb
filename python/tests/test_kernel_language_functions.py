"""Device functions: returns, arguments, tuples, arrays, nesting; and what they must not do."""

import math

import numpy as np
import pytest
from kernel_simulator import check, define, on_device

import colocate as cl

N = 17


def numbers(n=N):
    return (np.arange(n, dtype=np.int64) * 37 + 11) % 64 - 20


@cl.device_func
def clamp(value, low=0, high=10):
    if value < low:
        return low
    if value > high:
        return high
    return value


@cl.device_func
def find(array, wanted):
    for index in range(len(array)):
        if array[index] == wanted:
            return index, True
    return -1, False


@cl.device_func
def greatest_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def plain_square(x):
    """Not decorated: kernels may call it all the same."""
    return x * x


@cl.device_func
def sum_of_squares(*, a, b=2):
    return plain_square(a) + plain_square(b)


@cl.device_func
def store(array, index, value):
    if value < 0:
        return
    array[index] = value


@cl.device_func
def swapped(pair):
    a, b = pair
    return b, a


@cl.device_func
def found_in_nested_loops(v):
    steps = 0
    for i in range(5):
        for j in range(5):
            if i * j == v:
                return steps + 100
            steps += 1
        if steps > 12 and v < 0:
            break
        steps += 10
    else:
        return -steps
    return steps


@cl.device_func
def with_shadowing(i):
    i = i + 1
    total = 0
    for k in range(i):
        total += k
    return total


@cl.kernel
def calls(x, out, scratch):
    i = cl.get_global_id(0)
    v = int(x[i])
    out[0, i] = clamp(v)
    out[1, i] = clamp(v, -5)
    out[2, i] = clamp(v, high=3) + clamp(high=30, low=-30, value=v)
    index, there = find(x, v)
    out[3, i] = index * 2 + there
    index, there = find(x[2:9], 1000)
    out[4, i] = index * 2 + there
    out[5, i] = greatest_divisor(abs(v), 12)
    out[6, i] = sum_of_squares(a=v) + sum_of_squares(b=1, a=3)
    store(scratch, i, v)
    out[7, i] = swapped(swapped((v, i)))[0]
    out[8, i] = found_in_nested_loops(v)
    total, k = 5, 7
    out[9, i] = with_shadowing(i) + total + k + i
    out[10, i] = clamp(clamp(v, -3, 3) * greatest_divisor(i + 1, 6), 0, 9)
    out[11, i] = find(x, clamp(v, -100, 100))[0]


def test_device_functions(device):
    check(device, calls, N, numbers(), np.zeros((12, N), np.int64), np.full(N, -7))


@cl.device_func
def mixed(a):
    if a > 3:
        return 1
    return 0.5


@cl.device_func
def nothing(a):
    a += 1


@cl.device_func
def of_any_type(a, b):
    return a * b + a


@cl.kernel
def typed_calls(x, f4, out, narrow):
    i = cl.get_global_id(0)
    out[0, i] = mixed(x[i])
    out[1, i] = of_any_type(x[i], 2)
    out[2, i] = of_any_type(f4[i], 0.1)
    narrow[i] = of_any_type(f4[i], f4[i])
    out[3, i] = of_any_type(0.1, i)
    nothing(i)
    out[4, i] = of_any_type(1j, x[i]).imag
    out[5, i] = 1 if nothing(i) is None else 2


def test_a_device_function_takes_arguments_of_any_type(device):
    f4 = np.linspace(-3, 4, N, dtype=np.float32)
    check(device, typed_calls, N, numbers(), f4, np.zeros((6, N)), np.zeros(N, np.float32))


@cl.device_func
def bisect(low, high, target):
    for _ in range(40):
        middle = (low + high) / 2
        if middle * middle > target:
            high = middle
        else:
            low = middle
    return low


@cl.device_func
def norm(row):
    total = 0.0
    for value in row:
        total += value * value
    return bisect(0.0, total + 1, total)


@cl.kernel
def rows(a, out):
    i = cl.get_global_id(0)
    out[i] = norm(a[i]) - norm(a[i, ::-1])
    for j in range(a.shape[1]):
        out[i] += norm(a[:, j]) / math.sqrt(a.shape[0])


def test_device_functions_of_parts_of_arrays(device):
    check(device, rows, 7, np.linspace(-1, 2, 7 * 5).reshape(7, 5), np.zeros(7))


def made(power):
    @cl.device_func
    def raised(x):
        return x**power

    return raised


square, cube = made(2), made(3)


@cl.kernel
def with_closures(x, out):
    i = cl.get_global_id(0)
    out[i] = square(x[i]) * 1000 + cube(x[i])


def test_device_functions_with_closures_of_their_own(device):
    check(device, with_closures, N, numbers(), np.zeros(N, np.int64))


def test_a_device_function_is_a_python_function_outside(device):
    assert clamp(17) == 10
    assert swapped((1, 2)) == (2, 1)


def test_recursion_is_an_error_that_names_the_function(device):
    source = "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\n"
    source += "@cl.kernel\ndef kernel(x):\n    x[0] = fact(5)\n"
    with pytest.raises(cl.CompileError, match=r"CL0113[\s\S]*fact"):
        define(source, "kernel")[1](cl.zeros(1, device=device))


def test_recursion_by_way_of_another_function_is_an_error(device):
    source = "def odd(n):\n    return n != 0 and even(n - 1)\ndef even(n):\n    return n == 0 or odd(n - 1)\n"
    source += "@cl.kernel\ndef kernel(x):\n    x[0] = odd(5)\n"
    with pytest.raises(cl.CompileError, match="CL0113"):
        define(source, "kernel")[1](cl.zeros(1, device=device))


def test_a_kernel_called_from_a_kernel_is_an_error(device):
    source = "@cl.kernel\ndef inner(x):\n    x[0] = 1\n@cl.kernel\ndef kernel(x):\n    inner(x)\n"
    with pytest.raises(cl.CompileError, match="CL0138"):
        define(source, "kernel")[1](on_device(np.zeros(1), device))
