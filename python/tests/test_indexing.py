"""Index arrays and masks: reading, assigning, and functions of elements by index."""

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import colocate as cl

SETTINGS = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
DTYPES = ["bool", "int8", "uint16", "float16", "float32", "int64", "complex64", "complex128"]


def numbers(shape, dtype="int32"):
    return np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)


def layouts(device, a):
    """The array in several layouts: plain, reversed, transposed, with gaps."""
    yield cl.asarray(a, device=device)
    if a.ndim:
        yield cl.asarray(np.ascontiguousarray(a[::-1]), device=device)[::-1]
        wide = np.zeros((*a.shape[:-1], 2 * a.shape[-1]), a.dtype)
        wide[..., ::2] = a
        yield cl.asarray(wide, device=device)[..., ::2]
    if a.ndim > 1:
        yield cl.asarray(np.ascontiguousarray(a.T), device=device).T


def same(x, a):
    b = cl.asnumpy(x)
    assert b.dtype == a.dtype
    assert b.shape == a.shape
    np.testing.assert_array_equal(b, a)
    return True


def moved(device, index):
    """The index with its arrays on a device."""
    if isinstance(index, tuple):
        return tuple(moved(device, item) for item in index)
    return cl.asarray(index, device=device) if isinstance(index, np.ndarray) and index.ndim else index


@st.composite
def indices(draw, shape):
    """An index of any form: integers, slices, new axes, index arrays and masks."""
    items = []
    axis = 0
    ellipsis = draw(st.booleans())
    arrays = draw(hnp.array_shapes(min_dims=1, max_dims=2, max_side=3))
    while axis < len(shape) and draw(st.integers(0, 5)):
        extent = shape[axis]
        form = draw(st.sampled_from(["integer", "slice", "new", "array", "list", "mask", "ellipsis", "truth"]))
        if form == "integer" and extent:
            items.append(draw(st.integers(-extent, extent - 1)))
        elif form == "slice":
            items.append(draw(st.slices(extent)))
        elif form == "new":
            items.append(None)
            continue
        elif form in ("array", "list") and extent:
            own = draw(st.sampled_from([arrays, arrays[-1:], (1,)]))
            dtype = draw(st.sampled_from(["int64", "int32", "int8"]))
            array = draw(hnp.arrays(dtype, own, elements=st.integers(-extent, extent - 1)))
            items.append(array if form == "array" else array.tolist())
        elif form == "mask":
            rank = draw(st.integers(1, min(2, len(shape) - axis)))
            mask = np.zeros(shape[axis : axis + rank], bool)
            # As many as the other arrays have, or one, so that they can be broadcast.
            count = min(mask.size, draw(st.sampled_from([arrays[-1], 1])))
            mask.flat[draw(st.permutations(range(mask.size)))[:count]] = True
            items.append(mask)
            axis += rank
            continue
        elif form == "truth":
            items.append(draw(st.booleans()))
            continue
        elif ellipsis:
            items.append(...)
            ellipsis = False
            axis = draw(st.integers(axis, len(shape)))
            continue
        else:
            continue
        axis += 1
    return tuple(items)


@st.composite
def indexed(draw):
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4))
    return numbers(shape), draw(indices(shape))


def outcome(work):
    """What happened: a value, or the class of the error."""
    try:
        return work()
    except (IndexError, ValueError) as error:
        return IndexError if isinstance(error, IndexError) else ValueError


@given(case=indexed())
@SETTINGS
def test_any_index_selects_what_numpy_selects(device, case):
    a, index = case
    wanted = outcome(lambda: a[index])
    for x in layouts(device, a):
        for own in (index, moved(device, index)):
            got = outcome(lambda x=x, own=own: x[own])
            if isinstance(wanted, type):
                assert got is wanted
            else:
                assert not isinstance(got, type), f"{a.shape} {index}"
                assert same(got, np.asarray(wanted))


@given(case=indexed(), scalar=st.booleans())
@SETTINGS
def test_any_index_assigns_what_numpy_assigns(device, case, scalar):
    a, index = case
    places = outcome(lambda: numbers(a.shape)[index])
    if isinstance(places, type):
        return
    shape = np.shape(places)
    values = np.array(-1) if scalar else -1 - numbers(shape, "int64")
    unique = len(np.unique(places)) == np.size(places)
    if not (unique or scalar or "native" in str(device)):
        return
    for x in layouts(device, a):
        b = a.copy()
        b[index] = values
        y = x.copy()
        y[moved(device, index)] = -1 if scalar else cl.asarray(values, device=device)
        assert same(y, b)
        if not isinstance(outcome(lambda x=x: x.__setitem__(index, -1)), type):
            b[index] = -1
            assert same(x, b)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_is_gathered_and_scattered(device, dtype):
    a = numbers((6, 5), dtype)
    rows = np.array([3, -1, 0, 3])
    mask = np.arange(30).reshape(6, 5) % 3 == 0
    for x in layouts(device, a):
        ours = cl.asarray(rows, device=device)
        assert same(x[ours], a[rows])
        assert same(x[:, cl.asarray([4, 0, -2], device=device)], a[:, [4, 0, -2]])
        assert same(x[cl.asarray(mask, device=device)], a[mask])
        assert same(x[cl.asarray(mask[:, 0], device=device)], a[mask[:, 0]])
        y, b = x.copy(), a.copy()
        y[cl.asarray(mask, device=device)] = 1
        b[mask] = 1
        y[ours[1:]] = cl.asarray(a[:3], device=device)
        b[rows[1:]] = a[:3]
        y[mask[:, 1], 2:4] = cl.asarray(a[: mask[:, 1].sum(), :2], device=device)
        b[mask[:, 1], 2:4] = a[: mask[:, 1].sum(), :2]
        assert same(y, b)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_indices_are_of_any_integer_dtype(device, dtype):
    x = cl.asarray(numbers(100), device=device)
    index = np.array([3, 99, 0]).astype(dtype)
    assert same(x[cl.asarray(index, device=device)], numbers(100)[index])
    assert same(x[index], numbers(100)[index])
    large = cl.zeros(10_000, dtype=dtype, device=device)
    assert same(x[large], np.zeros(10_000, "int32"))
    large[5000] = 120
    with pytest.raises(IndexError, match="index 120 is out of bounds for axis 0 with size 100"):
        x[large]


@pytest.mark.parametrize("size", [3, 20_000])
@pytest.mark.parametrize("bad", [-8, 7, 2**62, -(2**62)])
def test_an_index_out_of_bounds_is_named_and_nothing_is_written(device, size, bad):
    x = cl.asarray(numbers((2, 7)), device=device)
    index = np.zeros(size, "int64")
    index[size // 2] = bad
    ours = cl.asarray(index, device=device)
    message = f"index {bad} is out of bounds for axis 1 with size 7"
    for one in (index, ours):
        with pytest.raises(IndexError, match=message):
            x[:, one]
        with pytest.raises(IndexError, match=message):
            x[:, one] = 5
        with pytest.raises(IndexError, match=message):
            cl.take(x, one, axis=1)
    with pytest.raises(IndexError):
        cl.take_along_axis(x, cl.asarray(np.stack([index, index]), device=device), axis=1)
    assert same(x, numbers((2, 7)))


def test_large_arrays_are_gathered_scattered_and_masked(device):
    rng = np.random.default_rng(1)
    a = rng.random(300_000).astype("float32")
    index = rng.integers(-a.size, a.size, 400_000)
    x, ours = cl.asarray(a, device=device), cl.asarray(index, device=device)
    assert same(x[ours], a[index])
    mask = a > 0.3
    assert same(x[cl.asarray(mask, device=device)], a[mask])
    (found,) = cl.nonzero(cl.asarray(mask, device=device))
    assert same(found, np.nonzero(mask)[0])
    square = a.reshape(600, 500)
    y = cl.asarray(square, device=device)
    assert same(y[ours[:50] % 600], square[index[:50] % 600])
    assert same(y[:, ours[:50] % 500], square[:, index[:50] % 500])
    for got, wanted in zip(cl.nonzero(y > 0.7), np.nonzero(square > np.float32(0.7)), strict=True):
        assert same(got, wanted)
    y[cl.asarray(square > 0.5, device=device)] = cl.asarray(-a[: (square > 0.5).sum()], device=device)
    square[square > 0.5] = -a[: (square > 0.5).sum()].copy()
    assert same(y, square)
    order = rng.permutation(a.size)
    x[cl.asarray(order, device=device)] = cl.asarray(a, device=device)
    a[order] = a.copy()
    assert same(x, a)


def test_of_repeated_indices_the_last_value_stays_on_the_host():
    rng = np.random.default_rng(2)
    for rows, size, count in [(1, 1000, 200_000), (50, 300, 5000), (1, 5, 40)]:
        for dtype, step in [("int64", 1), ("int32", 1), ("int64", -2)]:
            a = np.zeros((rows, 2 * size))
            index, values = rng.integers(-size, size, count).astype(dtype), rng.random((rows, count))
            x = cl.asarray(a, device="native:cpu")
            x[:, ::step][:, cl.asarray(index, device="native:cpu")] = cl.asarray(values, device="native:cpu")
            a[:, ::step][:, index] = values
            assert same(x, a)


def test_assignments_read_before_they_write(device):
    a = numbers(50)
    x = cl.asarray(a, device=device)
    index = cl.asarray(np.arange(49, -1, -1), device=device)
    x[index] = x
    assert same(x, a[::-1])
    y = cl.asarray(np.arange(50), device=device)
    y[y] = y[::-1]
    assert same(y, np.arange(50)[::-1])
    mask = cl.asarray(np.arange(50) % 2 == 0, device=device)
    mask[mask] = False
    assert not cl.asnumpy(mask).any()


def test_augmented_assignment_goes_through_get_and_set(device):
    a = np.arange(10.0)
    x = cl.asarray(a, device=device)
    index = np.array([1, 1, 3])
    x[cl.asarray(index, device=device)] += 10
    a[index] += 10
    x[x > 8] *= 2
    a[a > 8] *= 2
    assert same(x, a)


def test_values_are_converted_and_broadcast(device):
    a = np.zeros((4, 3), "int32")
    x = cl.asarray(a, device=device)
    x[cl.asarray([0, 2], device=device)] = cl.asarray([1.7, 2.7, 3.7], device=device)
    a[[0, 2]] = [1.7, 2.7, 3.7]
    x[[1, 3]] = [[9], [8]]
    a[[1, 3]] = [[9], [8]]
    assert same(x, a)
    for values in [[1, 2], cl.zeros((3, 3), device=device)]:
        with pytest.raises(ValueError):
            x[[0, 1]] = values
    with pytest.raises(ValueError):
        x[x > 100] = cl.zeros(5, device=device)
    with pytest.raises(ValueError, match="read-only"):
        cl.broadcast_to(x, (2, 4, 3))[[0]] = 1


def test_what_cannot_be_an_index_says_so(device):
    x = cl.zeros((2, 3), device=device)
    bad = [1.0, "a", np.zeros(2), cl.zeros(2, device=device), [1.5], object(), {1: 2}, (0, 0, [0])]
    for index in [*bad, np.array([True, False, True]), ([0, 1], [0, 1, 2]), (..., [0], ...)]:
        with pytest.raises(IndexError):
            x[index]
        with pytest.raises(IndexError):
            x[index] = 1


def test_a_mask_without_elements_selects_nothing(device):
    a = numbers((2, 3))
    x = cl.asarray(a, device=device)
    for mask in [np.zeros(0, bool), np.zeros((0, 3), bool), np.zeros((2, 0), bool)]:
        assert same(x[mask], a[mask])
        x[cl.asarray(mask, device=device)] = 5
    assert same(x, a)


def test_index_arrays_live_where_the_array_does():
    other = cl.Queue("native:cpu", enable_profiling=True)
    x, index = cl.zeros(3, device="native:cpu"), cl.asarray([0], queue=other)
    for work in [lambda: x[index], lambda: x.__setitem__(index, 1), lambda: cl.take(x, index)]:
        with pytest.raises(cl.ExecutionPlacementError):
            work()
    with pytest.raises(TypeError):
        x[[0, 1]] = np.zeros(2)


def test_the_result_has_the_usm_type_of_the_rule(device):
    x = cl.zeros(3, device=device, usm_type="host")
    index = cl.asarray([0], device=device, usm_type="shared")
    assert x[index].usm_type == "shared"
    assert x[[0]].usm_type == "host"
    assert x[x == 0].usm_type == "host"


@pytest.mark.parametrize("mode", ["raise", "wrap", "clip"])
def test_take_is_that_of_numpy(device, mode):
    a = numbers((3, 4, 5))
    index = np.array([[0, 2], [-1, 1]]) if mode == "raise" else np.array([[9, -7], [3, 100]])
    for x in layouts(device, a):
        for own in (index, index.tolist(), cl.asarray(index, device=device)):
            for axis in (None, 0, 1, -1):
                assert same(cl.take(x, own, axis=axis, mode=mode), np.take(a, index, axis, mode=mode))
        assert same(x.take(2), np.asarray(a.take(2)))
    with pytest.raises(ValueError):
        cl.take(x, index, mode="other")
    with pytest.raises(TypeError):
        cl.take(x, cl.asarray([0.5], device=device))
    empty = cl.zeros((0, 3), device=device)
    assert same(cl.take(empty, [], axis=0), np.zeros((0, 3)))
    with pytest.raises(IndexError):
        cl.take(empty, [0], axis=0, mode=mode)


def test_elements_along_an_axis_are_taken_and_put(device):
    rng = np.random.default_rng(3)
    a = rng.random((4, 5, 6))
    for axis in range(-3, 3):
        order = np.argsort(a, axis)
        for x in layouts(device, a):
            ours = cl.asarray(order, device=device)
            assert same(cl.take_along_axis(x, ours, axis=axis), np.take_along_axis(a, order, axis))
            few = np.take(order, [1], axis)
            assert same(cl.take_along_axis(x, few, axis=axis), np.take_along_axis(a, few, axis))
            y, b = x.copy(), a.copy()
            cl.put_along_axis(y, ours, cl.asarray(a, device=device), axis=axis)
            np.put_along_axis(b, order, a, axis)
            assert same(y, b)
            cl.put_along_axis(y, few, 7, axis)
            np.put_along_axis(b, few, 7, axis)
            assert same(y, b)
    flat = np.argsort(a, None)
    assert same(cl.take_along_axis(x, flat, axis=None), np.take_along_axis(a, flat, None))
    one = np.array([[[1]]])
    assert same(cl.take_along_axis(x, one, axis=1), np.take_along_axis(a, one, 1))
    with pytest.raises(ValueError):
        cl.take_along_axis(x, cl.zeros(3, dtype="int64", device=device), axis=0)


@given(
    a=hnp.arrays("int8", hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=5), elements=st.integers(0, 2))
)
@SETTINGS
def test_indices_of_what_is_not_zero_are_those_of_numpy(device, a):
    for x in layouts(device, a):
        for got, wanted in zip(cl.nonzero(x), np.nonzero(a), strict=True):
            assert same(got, wanted)
        assert same(cl.argwhere(x), np.argwhere(a))
        assert same(cl.flatnonzero(x), np.flatnonzero(a))


@pytest.mark.parametrize("dtype", DTYPES)
def test_zero_is_what_the_dtype_says(device, dtype):
    a = (numbers((5, 7)) % 3).astype(dtype)
    x = cl.asarray(a, device=device)
    for got, wanted in zip(x.nonzero(), a.nonzero(), strict=True):
        assert same(got, wanted)
    with pytest.raises(ValueError):
        cl.nonzero(cl.ones((), device=device))
    assert cl.argwhere(cl.ones((), device=device)).shape == (1, 0)


def test_conditions_select_parts(device):
    a = numbers((3, 4))
    for x in layouts(device, a):
        for axis, condition in [(0, [True, False, True]), (1, [False, True]), (None, [1, 0, 1, 0, 0, 5])]:
            wanted = np.compress(condition, a, axis)
            assert same(cl.compress(condition, x, axis), wanted)
            assert same(cl.compress(cl.asarray(condition, device=device), x, axis), wanted)
            assert same(x.compress(np.array(condition), axis), wanted)
        assert same(cl.extract(x % 2 == 0, x), np.extract(a % 2 == 0, a))
        assert same(cl.extract([True, False, True], x), np.extract([True, False, True], a))
        with pytest.raises(IndexError):
            cl.compress([False] * 3 + [True], x, axis=0)


def test_values_are_placed_by_masks(device):
    a = numbers((3, 4))
    for x in layouts(device, a):
        for values in [[-1], [-1, -2, -3], [-1, -2, -3, -4, -5, -6, -7, -8], -9]:
            for put, wanted in [(cl.place, np.place), (cl.putmask, np.putmask)]:
                y, b = x.copy(), a.copy()
                put(y, y > 4, values)
                wanted(b, b > 4, values)
                assert same(y, b)
        y, b = x[:, ::2], a.copy()[:, ::2]
        cl.put(y, [0, -1, 3], [7, 8])
        np.put(b, [0, -1, 3], [7, 8])
        assert same(y, b)
        y.put(cl.asarray([100, -100], device=device), 5, mode="clip")
        b.put([100, -100], 5, mode="clip")
        assert same(y, b)
        with pytest.raises(ValueError):
            cl.place(y, y > 4, [])
        with pytest.raises(ValueError):
            cl.putmask(y, [True], 1)


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint64", "float16", "float32", "float64", "complex64"])
def test_repeated_indices_all_count_in_an_update(device, dtype):
    from colocate import _native

    a = np.zeros((5, 3), dtype)
    x = cl.asarray(a, device=device)
    index = np.array([0, 4, 0, 0, -1])
    values = numbers((5, 3), dtype)
    _native.scatter_at("add", x, cl.asarray(index, device=device), cl.asarray(values, device=device))
    np.add.at(a, index, values)
    assert same(x, a)
    _native.scatter_at("subtract", x, (slice(None), [0, 0, 2]), 1)
    np.subtract.at(a, (slice(None), [0, 0, 2]), np.array(1, dtype))
    assert same(x, a)
    if not dtype.startswith("complex"):
        _native.scatter_at("maximum", x, index, 4)
        np.maximum.at(a, index, np.array(4, dtype))
        assert same(x, a)
    with pytest.raises(IndexError):
        _native.scatter_at("add", x, [5], 1)


def test_an_integer_in_an_array_is_an_integer(device):
    a = numbers((3, 4))
    x = cl.asarray(a, device=device)
    one = cl.asarray(1, device=device)
    assert same(x[one], a[1])
    assert same(x[one, [0, 2]], a[1, [0, 2]])
    assert same(x[np.int8(1), np.array(2)], np.asarray(a[1, 2]))
    assert same(x[one : one + 1], a[1:2])
    x[one] = 0
    assert not cl.asnumpy(x[1]).any()


def test_bools_are_indices_of_functions():
    x = np.asarray([10, 20, 30])
    for indices in ([True, False], np.asarray([True, False])):
        assert cl.take(cl.asarray(x), indices).tolist() == np.take(x, indices).tolist()
    assert cl.take(cl.asarray(x), cl.asarray([True, False])).tolist() == [20, 10]
    y = cl.asarray(x)
    cl.put(y, [True], 5)
    assert y.tolist() == [10, 5, 30]


def test_what_is_no_index_of_a_function_is_refused_as_numpy_does_it():
    x = np.asarray([10.0, 20.0])
    for module in (cl, np):
        for call in (
            lambda m: m.take(m.asarray(x), m.asarray([0.5])),
            lambda m: m.put(m.asarray(x), m.asarray([0.5]), 1),
        ):
            with pytest.raises(TypeError):
                call(module)
        for indices in ([True, False], [0.0, 1.0]):
            with pytest.raises(IndexError):
                module.take_along_axis(module.asarray(x), module.asarray(indices), axis=0)
            with pytest.raises(IndexError):
                module.put_along_axis(module.asarray(x), module.asarray(indices), 1.0, axis=0)


def test_sums_at_places_leave_the_others_alone():
    host, places = np.asarray([-0.0, 1.0, -0.0]), np.asarray([1, 1, -2])
    x = cl.asarray(host)
    cl.add.at(x, cl.asarray(places), cl.asarray([1.0, 2.0, 4.0]))
    assert x.tolist() == [0.0, 8.0, 0.0]
    assert np.signbit(cl.asnumpy(x)).tolist() == [True, False, True]
