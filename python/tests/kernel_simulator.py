"""Runs kernels twice, on a device and as plain Python functions on NumPy arrays, and compares.

The simulator calls the undecorated function once for every item of the index space, with
`colocate`'s index functions, local arrays, barriers, atomics and group reductions replaced by ones
that work in Python. Items of a group run as threads that meet at barriers.
"""

import contextlib
import itertools
import linecache
import threading
import warnings

import numpy as np

import colocate as cl

_item = threading.local()
_atomic_lock = threading.Lock()


class _Group:
    """What the items of a group share."""

    def __init__(self, size):
        self.barrier = threading.Barrier(size)
        self.local_arrays = {}
        self.lock = threading.Lock()
        self.given = [None] * size


def _private_array(shape, dtype):
    return np.empty(shape, dtype)


def _local_array(shape, dtype):
    # All items make the same calls in the same order.
    number = _item.local_arrays
    _item.local_arrays += 1
    group = _item.group
    with group.lock:
        return group.local_arrays.setdefault(number, np.empty(shape, dtype))


def _barrier(fence="global"):
    _item.group.barrier.wait()


def _reduction(operation):
    def reduce(value):
        group = _item.group
        group.given[_item.place] = value
        group.barrier.wait()
        result = operation(group.given)
        group.barrier.wait()
        return result

    return reduce


def _fold(function):
    def fold(values):
        result = values[0]
        for value in values[1:]:
            result = function(result, value)
        return result

    return fold


def _atomic(change):
    def update(array, index, *operands):
        with _atomic_lock:
            old = array[index]
            array[index] = change(old, *operands)
        return old

    return update


_REPLACEMENTS = {
    cl: {
        "get_global_id": lambda axis=0: _item.global_id[axis],
        "get_global_size": lambda axis=0: _item.global_size[axis],
        "get_local_id": lambda axis=0: _item.local_id[axis],
        "get_local_size": lambda axis=0: _item.local_size[axis],
        "get_group_id": lambda axis=0: _item.global_id[axis] // _item.local_size[axis],
        "get_num_groups": lambda axis=0: _item.global_size[axis] // _item.local_size[axis],
        "private_array": _private_array,
        "local_array": _local_array,
        "barrier": _barrier,
    },
    cl.atomic: {
        "add": _atomic(lambda old, value: old + value),
        "sub": _atomic(lambda old, value: old - value),
        "min": _atomic(min),
        "max": _atomic(max),
        "and_": _atomic(lambda old, value: old & value),
        "or_": _atomic(lambda old, value: old | value),
        "xor": _atomic(lambda old, value: old ^ value),
        "exchange": _atomic(lambda old, value: value),
        "compare_exchange": _atomic(lambda old, expected, value: value if old == expected else old),
    },
    cl.group: {
        "sum": _reduction(_fold(lambda a, b: a + b)),
        "prod": _reduction(_fold(lambda a, b: a * b)),
        "min": _reduction(_fold(np.minimum)),
        "max": _reduction(_fold(np.maximum)),
        "any": _reduction(any),
        "all": _reduction(all),
    },
}


@contextlib.contextmanager
def _replaced():
    before = {module: {name: getattr(module, name) for name in names} for module, names in _REPLACEMENTS.items()}
    try:
        for module, names in _REPLACEMENTS.items():
            vars(module).update(names)
        yield
    finally:
        for module, names in before.items():
            vars(module).update(names)


def _run_item(function, arguments, global_id, global_size, local_size, group, place):
    _item.global_id = global_id
    _item.global_size = global_size
    _item.local_size = local_size
    _item.group = group
    _item.place = place
    _item.local_arrays = 0
    if local_size is not None:
        _item.local_id = tuple(at % size for at, size in zip(global_id, local_size, strict=True))
    with np.errstate(all="ignore"):
        function(*arguments)


def _run_group(function, arguments, items, global_size, local_size):
    group = _Group(len(items))
    failures = []

    def run(place, global_id):
        try:
            _run_item(function, arguments, global_id, global_size, local_size, group, place)
        except threading.BrokenBarrierError:
            pass
        except Exception as failure:
            failures.append(failure)
            group.barrier.abort()

    threads = [threading.Thread(target=run, args=(place, item)) for place, item in enumerate(items)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def simulate(kernel, space, *arguments, local=None):
    """Runs the kernel's Python function on NumPy arrays, for every item of an index space."""
    function = kernel.__wrapped__
    with _replaced(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if local is None:
            for global_id in np.ndindex(*space):
                _run_item(function, arguments, global_id, space, None, None, 0)
            return
        counts = [extent // size for extent, size in zip(space, local, strict=True)]
        for corner in np.ndindex(*counts):
            ranges = [range(at * size, (at + 1) * size) for at, size in zip(corner, local, strict=True)]
            _run_group(function, arguments, list(itertools.product(*ranges)), space, local)


def check(device, kernel, space, *arguments, local=None, ulps=0):
    """Runs a kernel on a device and in Python; all arrays must end up the same."""
    space = (space,) if isinstance(space, int) else tuple(space)
    local = (local,) if isinstance(local, int) else local
    wanted = [copy_of(argument) for argument in arguments]
    simulate(kernel, space, *wanted, local=local)
    given = [on_device(argument, device) for argument in arguments]
    launch(kernel, space, local)(*given).wait()
    for position, (expected, got) in enumerate(zip(wanted, given, strict=True)):
        same(expected, got, ulps, f"argument {position}")


def launch(kernel, space, local=None):
    """The kernel with its index space."""
    return kernel[cl.Range(*space) if local is None else cl.NdRange(space, local)]


def copy_of(argument):
    """An argument for the simulator: arrays are copied, also those in tuples."""
    if isinstance(argument, tuple):
        return tuple(copy_of(item) for item in argument)
    return argument.copy() if isinstance(argument, np.ndarray) else argument


def on_device(argument, device):
    """An argument for a launch."""
    if isinstance(argument, tuple):
        return tuple(on_device(item, device) for item in argument)
    return cl.asarray(argument, device=device) if isinstance(argument, np.ndarray) else argument


def same(expected, got, ulps=0, what=""):
    """Fails unless both hold the same numbers; floats may differ by so many units in the last place."""
    if isinstance(expected, tuple):
        for position, pair in enumerate(zip(expected, got, strict=True)):
            same(*pair, ulps, f"{what}[{position}]")
        return
    if not isinstance(expected, np.ndarray):
        return
    got = cl.asnumpy(got) if isinstance(got, cl.Array) else got
    assert got.dtype == expected.dtype and got.shape == expected.shape, what
    if expected.dtype.kind == "c":
        parts = expected.real.dtype
        pairs = np.ascontiguousarray(expected).reshape(-1), np.ascontiguousarray(got).reshape(-1)
        same(pairs[0].view(parts), pairs[1].view(parts), ulps, what)
        return
    wrong = ~_equal(expected, got, ulps)
    if wrong.any():
        places = [tuple(int(index) for index in at) for at in np.argwhere(wrong)[:5]]
        shown = [f"{what}{list(at)}: Python gives {expected[at]!r}, the kernel {got[at]!r}" for at in places]
        raise AssertionError(f"{np.count_nonzero(wrong)} of {wrong.size} differ\n" + "\n".join(shown))


def _equal(expected, got, ulps):
    if expected.dtype.kind != "f":
        return expected == got
    same_sign = np.signbit(expected) == np.signbit(got)
    exact = (expected == got) & same_sign | np.isnan(expected) & np.isnan(got)
    if not ulps:
        return exact
    with np.errstate(all="ignore"):
        unit = np.spacing(np.abs(expected)).astype(np.longdouble)
        distance = np.abs(expected.astype(np.longdouble) - got.astype(np.longdouble))
        return exact | np.isfinite(expected) & np.isfinite(got) & (distance <= ulps * unit)


_numbers = itertools.count()


def define(source, name, **names):
    """The function of this name in source text, which `inspect` and kernels can read."""
    file = f"<generated {next(_numbers)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace = {"cl": cl, "np": np, **names}
    exec(compile(source, file, "exec"), namespace)
    return namespace[name]
