"""Joining, cutting, rearranging and padding, compared with NumPy on every device."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra import numpy as hnp

import colocate as cl
from colocate import _dtypes

DTYPES = tuple(_dtypes.ALL)
A = np.arange(24).reshape(2, 3, 4)
LAYOUTS = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.T,
    "reversed": lambda a: a[..., ::-1],
    "strided": lambda a: a[..., ::2],
    "empty": lambda a: a[:0],
}


def same(got, wanted):
    """One result or several, with NumPy's values, shapes and dtypes."""
    if isinstance(wanted, list | tuple):
        assert len(got) == len(wanted)
        for ours, theirs in zip(got, wanted, strict=True):
            same(ours, theirs)
        return
    assert isinstance(got, cl.Array), type(got)
    assert got.shape == wanted.shape and got.dtype == wanted.dtype, (got.shape, wanted.shape, got.dtype, wanted.dtype)
    np.testing.assert_array_equal(cl.asnumpy(got), wanted)


def brought(value, device):
    """Host data as an argument of our functions: arrays are brought over, the rest stays."""
    if isinstance(value, np.ndarray):
        return cl.asarray(value, device=device)
    if isinstance(value, list):
        return [brought(item, device) for item in value]
    return value


def agree(device, name, *args, **kwargs):
    """The function gives what NumPy's of the same name gives, where the arguments are."""
    wanted = getattr(np, name)(*args, **kwargs)
    ours = {key: brought(value, device) for key, value in kwargs.items()}
    got = getattr(cl, name)(*[brought(value, device) for value in args], **ours)
    same(got, wanted)
    return got


@pytest.mark.parametrize("layout", LAYOUTS)
def test_joining_is_numpys_for_every_layout(device, layout):
    a = LAYOUTS[layout](A)
    for axis in (0, 1, -1, None):
        agree(device, "concat", [a, a + 100, a], axis=axis)
    for axis in (0, 2, -1):
        agree(device, "stack", [a, a + 100], axis=axis)
    for name in ("vstack", "hstack", "dstack"):
        agree(device, name, [a, a])
    agree(device, "column_stack", [a[..., 0], a[..., 0]])


@pytest.mark.parametrize("first", DTYPES)
@pytest.mark.parametrize("second", ("bool", "int8", "uint64", "float16", "complex64"))
def test_joined_dtypes_are_promoted(device, first, second):
    agree(device, "concat", [np.ones(2, first), np.zeros(3, second)])
    agree(device, "stack", [np.ones(2, first), np.zeros(2, second)])


def test_vectors_and_scalars_are_joined_as_numpy_joins_them(device):
    v = np.arange(3.0)
    for name in ("vstack", "hstack", "dstack", "column_stack"):
        agree(device, name, [v, v + 1])
    agree(device, "stack", [np.array(1), np.array(2)])
    agree(device, "vstack", [v, np.ones((2, 3))])
    agree(device, "append", A, 5)
    agree(device, "append", A, A, axis=1)
    x = cl.asarray(v, device=device)
    same(cl.append(x, [1, 2]), np.append(v, [1, 2]))
    same(cl.concatenate(cl.asarray(A, device=device)), np.concatenate(A))


def test_joined_arrays_go_into_out_and_are_converted(device):
    x = cl.asarray([1.5, 2.5], device=device)
    out = cl.empty(4, dtype="complex64", device=device)
    assert cl.concat([x, x], out=out) is out
    assert out.tolist() == [1.5, 2.5, 1.5, 2.5]
    assert cl.concat([x, x], dtype="float32").dtype == "float32"
    with pytest.raises(TypeError, match="same_kind"):
        cl.concat([x, x], dtype="int64")
    with pytest.raises(ValueError, match="out= must be an array of shape"):
        cl.concat([x, x], out=x)


def test_bad_joins_say_why(device):
    x = cl.ones((2, 3), device=device)
    for bad, message in (
        (lambda: cl.concat([]), "at least one array"),
        (lambda: cl.concat([x, cl.ones(3, device=device)]), "shapes must be the same"),
        (lambda: cl.concat([cl.asarray(1, device=device)]), "0-d arrays have no axis"),
        (lambda: cl.concat([x], axis=2), "out of bounds"),
        (lambda: cl.stack([x, x.T]), "shapes must be the same"),
    ):
        with pytest.raises(ValueError, match=message):
            bad()


def test_host_data_and_other_queues_are_refused(device):  # R3.1, R3.5, R3.6
    x, other = cl.ones(3, device=device), cl.ones(3, queue=cl.Queue(device, enable_profiling=True))
    for function in (
        lambda y: cl.concat([x, y]),
        lambda y: cl.stack([x, y]),
        lambda y: cl.append(x, y),
        lambda y: cl.insert(x, 0, y),
        lambda y: cl.isclose(x, y),
        lambda y: cl.meshgrid(x, y),
        lambda y: cl.select([x > 0], [y]),
    ):
        with pytest.raises(cl.HostDataError):
            function(np.ones(3))
        with pytest.raises(cl.ExecutionPlacementError):
            function(other)
    for function in (cl.tril, cl.roll, cl.tile, cl.unstack, cl.diag, cl.pad):
        with pytest.raises(cl.HostDataError):
            function(np.ones((2, 2)), *((1,) if function in (cl.roll, cl.tile, cl.pad) else ()))


def test_results_are_of_the_usm_type_of_the_arguments(device):  # R3.3
    shared, host = cl.ones(2, device=device, usm_type="shared"), cl.ones(2, device=device, usm_type="host")
    assert cl.concat([shared, host]).usm_type == "shared"
    assert cl.stack([host, host]).usm_type == "host"
    assert cl.roll(host, 1).usm_type == cl.pad(host, 1).usm_type == cl.tile(host, 3).usm_type == "host"
    assert cl.tril(cl.ones((2, 2), device=device, usm_type="shared")).usm_type == "shared"


def test_cutting_is_numpys_and_gives_views(device):
    for axis in (0, 1, 2):
        agree(device, "array_split", A, 3, axis=axis)
        agree(device, "array_split", A, [1, 2, 5], axis=axis)
    agree(device, "split", A, 2, axis=2)
    agree(device, "split", A, [-1, 1], axis=2)
    agree(device, "hsplit", A, 3)
    agree(device, "hsplit", np.arange(6), 2)
    agree(device, "vsplit", A, 2)
    agree(device, "dsplit", A, 2)
    agree(device, "unstack", A, axis=1)
    x = cl.zeros(4, device=device)
    cl.split(x, 2)[1][...] = 1
    assert x.tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="array_split"):
        cl.split(x, 3)


@settings(deadline=None, max_examples=60)
@given(
    a=hnp.arrays(
        "int16", hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4), elements=st.integers(0, 99)
    ),
    data=st.data(),
)
def test_rolling_repeating_and_tiling_are_numpys(a, data):
    axes = st.integers(-a.ndim, a.ndim - 1)
    axis = data.draw(st.one_of(st.none(), axes, st.lists(axes, min_size=1, max_size=2).map(tuple)))
    shift = data.draw(st.integers(-7, 7))
    one = data.draw(st.one_of(st.none(), axes))
    repeats = data.draw(st.integers(0, 3))
    reps = data.draw(st.lists(st.integers(0, 3), min_size=0, max_size=4).map(tuple))
    for device in cl.devices():
        agree(device, "roll", a, shift, axis)
        agree(device, "repeat", a, repeats, axis=one)
        agree(device, "tile", a, reps)


@pytest.mark.parametrize("shift", (np.array([1, 2]), np.array(-3), 1.0, -1.5, [1.0, 2], np.array([[1]])), ids=str)
def test_elements_are_rolled_by_any_numbers(device, shift):
    for axis in (None, 1, (0, 2)):
        if np.ndim(shift) > 1:
            with pytest.raises(ValueError):
                cl.roll(brought(A, device), shift, axis)
        else:
            agree(device, "roll", A, shift, axis)
            same(cl.roll(brought(A, device), shift, axis), np.roll(A, shift, axis))


def test_a_single_element_is_repeated_as_a_row(device):
    for axis in (None, 0, -1):
        agree(device, "repeat", np.array(3), 2, axis=axis)
    with pytest.raises(cl.AxisError):
        cl.repeat(cl.asarray(3, device=device), 2, axis=1)


def test_repeating_by_counts_is_numpys(device):
    a = np.arange(12).reshape(3, 4)
    agree(device, "repeat", a, [1, 0, 2], axis=0)
    agree(device, "repeat", a, [[3]][0], axis=1)
    x = cl.asarray(a, device=device)
    for counts in (np.array([1, 0, 2, 5]), cl.asarray([1, 0, 2, 5], device=device)):
        same(cl.repeat(x, counts, axis=1), np.repeat(a, [1, 0, 2, 5], axis=1))
    same(cl.repeat(x, cl.asarray(2, device=device)), np.repeat(a, 2))
    large = np.random.default_rng(1).integers(0, 4, 5000)
    same(cl.repeat(cl.arange(5000, device=device), cl.asarray(large, device=device)), np.repeat(np.arange(5000), large))
    for bad in ([1, 2], [1, -1, 1, 1], [0.5] * 4):
        with pytest.raises((ValueError, TypeError)):
            cl.repeat(x, bad, axis=1)


def test_turns_and_flips_are_numpys(device):
    for k in range(-1, 5):
        agree(device, "rot90", A, k)
        agree(device, "rot90", A, k, axes=(2, 1))
    agree(device, "fliplr", A)
    agree(device, "flipud", A)
    for axis in range(3):
        for start in range(-3, 4):
            agree(device, "rollaxis", A, axis, start)
    for name in ("atleast_1d", "atleast_2d", "atleast_3d"):
        for shape in ((), (3,), (2, 3), (2, 3, 4), (1, 2, 3, 4)):
            agree(device, name, np.ones(shape))
        agree(device, name, np.ones(2), np.ones((2, 2)))


INDICES = (0, -1, slice(1, 3), slice(None, None, 2), slice(3, 0, -2), [0, 2], [], np.array([1, 1, -2]))


@pytest.mark.parametrize("where", INDICES, ids=str)
def test_deleting_is_numpys(device, where):
    a = np.arange(20).reshape(4, 5)
    x = cl.asarray(a, device=device)
    where_to = np.asarray(where, dtype=int) if isinstance(where, list) else where
    for axis in (0, 1, None):
        same(cl.delete(x, where, axis), np.delete(a, where_to, axis))
    if isinstance(where, np.ndarray):
        same(cl.delete(x, cl.asarray(where, device=device), 1), np.delete(a, where, 1))


def test_deleting_by_mask_is_numpys(device):
    a = np.arange(5)
    mask = np.array([True, False, True, False, False])
    x = cl.asarray(a, device=device)
    same(cl.delete(x, mask), np.delete(a, mask))
    same(cl.delete(x, cl.asarray(mask, device=device)), np.delete(a, mask))
    for bad in (5, [7], mask[:2], True, np.True_, cl.asarray(True, device=device)):
        with pytest.raises((IndexError, ValueError)):
            cl.delete(x, bad)


def test_inserting_is_numpys(device):
    a = np.arange(12).reshape(3, 4)
    x = cl.asarray(a, device=device)
    for where, values, axis in (
        (1, 5, 0),
        (1, [1, 2, 3], 1),
        ([1], [[1], [2], [3]], 1),
        (-1, 9, None),
        (slice(2, 4), [10, 11], 1),
        ([1, 1, 3], [7, 8, 9], None),
        ([4, 0], 6, 1),
        ([], [], None),
        (np.array([True, False, True, False]), 4, 1),
    ):
        where_to = np.asarray(where, dtype=int) if isinstance(where, list) else where
        same(cl.insert(x, where, values, axis), np.insert(a, where_to, values, axis))
    same(cl.insert(x, 2, cl.asarray([7.9] * 4, device=device), 0), np.insert(a, 2, [7.9] * 4, 0))
    with pytest.raises(IndexError):
        cl.insert(x, 5, 1, axis=1)


def test_resizing_and_trimming_are_numpys(device):
    for shape in ((2, 2), (5, 7), 3, (0, 2), ()):
        agree(device, "resize", np.arange(5), shape)
    agree(device, "resize", np.zeros((0, 3)), (2, 2))
    for trim in ("fb", "f", "b", "FB"):
        agree(device, "trim_zeros", np.array([0, 0, 1, 0, 2, 0]), trim)
        agree(device, "trim_zeros", np.zeros(3), trim)
        for number in (0, 3):
            same(cl.trim_zeros(cl.asarray(number, device=device), trim), np.array(number))
    agree(device, "trim_zeros", np.pad(np.ones((2, 2)), 2))
    agree(device, "ediff1d", np.array([[1, 4], [9, 16]]), to_end=[7, 8], to_begin=-1)
    agree(device, "ediff1d", np.array([1.0]))


def test_blocks_are_numpys(device):
    a, b, c = np.ones((2, 2)), np.zeros((2, 3)), np.full((1, 5), 7)
    agree(device, "block", [[a, b], [c]])
    agree(device, "block", [a, b])
    agree(device, "block", [[[a]], [[a]]])
    agree(device, "block", [np.arange(3), 5])
    x = cl.ones((2, 2), device=device)
    for bad in ([[x], x], [[x], []], [(x,)]):
        with pytest.raises((ValueError, TypeError)):
            cl.block(bad)


PADS = (1, (2, 0), ((1, 2), (0, 3)), ((7, 9), (1, 8)))


@pytest.mark.parametrize("mode", ("constant", "edge", "linear_ramp", "reflect", "symmetric", "wrap"))
@pytest.mark.parametrize("pads", PADS, ids=str)
def test_padding_is_numpys(device, mode, pads):
    for dtype in ("int64", "float32"):
        a = (np.arange(12).reshape(3, 4) ** 2).astype(dtype)
        agree(device, "pad", a, pads, mode=mode)
        if mode in ("reflect", "symmetric"):
            agree(device, "pad", a, pads, mode=mode, reflect_type="odd")
    agree(device, "pad", np.arange(12).reshape(3, 4)[:, ::-1], pads, mode=mode)


@pytest.mark.parametrize("mode", ("maximum", "minimum", "mean", "median"))
def test_padding_with_statistics_is_numpys(device, mode):
    a = np.arange(12.0).reshape(3, 4) ** 2
    for keywords in ({}, {"stat_length": 2}, {"stat_length": ((1, 2), (3, 9))}):
        agree(device, "pad", a, ((1, 2), (3, 4)), mode=mode, **keywords)


def test_padding_takes_values_pairs_dictionaries_and_functions(device):
    a = np.arange(6).reshape(2, 3)
    agree(device, "pad", a, 2, constant_values=5)
    agree(device, "pad", a, 2, constant_values=((1, 2), (3, 4)))
    agree(device, "pad", a, 2, mode="linear_ramp", end_values=((1, 2), (3, 40)))
    agree(device, "pad", a, {-1: (1, 2)})
    agree(device, "pad", np.array(3), 1)

    def border(vector, widths, axis, keywords):
        vector[: widths[0]] = keywords["value"]
        vector[vector.shape[0] - widths[1] :] = -axis

    agree(device, "pad", a, ((1, 2), (2, 1)), border, value=10)
    assert cl.pad(cl.ones(3, device=device), 2, mode="empty").shape == (7,)
    x = cl.ones(3, device=device)
    for bad in (
        lambda: cl.pad(x, -1),
        lambda: cl.pad(x, 1, mode="round"),
        lambda: cl.pad(x, 1, end_values=3),
        lambda: cl.pad(x, ((1, 2), (3, 4))),
        lambda: cl.pad(x[:0], 1, mode="edge"),
    ):
        with pytest.raises(ValueError):
            bad()


@pytest.mark.parametrize("shape", ((3,), (3, 4), (4, 3), (2, 3, 3), (0, 3)))
@pytest.mark.parametrize("dtype", ("bool", "int8", "float32", "complex128"))
def test_triangles_are_numpys(device, shape, dtype):
    a = np.arange(1, 1 + np.prod(shape)).reshape(shape).astype(dtype)
    for k in (-2, 0, 1):
        agree(device, "tril", a, k=k)
        agree(device, "triu", a, k=k)
        if len(shape) == 2:
            agree(device, "tril_indices_from", a, k=k)
            agree(device, "triu_indices_from", a, k=k)


def test_triangle_indices_are_numpys(device):
    with cl.device_context(device):
        for name in ("tril_indices", "triu_indices"):
            for arguments in ((3,), (3, 1), (3, -1, 5), (0,)):
                same(getattr(cl, name)(*arguments), getattr(np, name)(*arguments))
        same(cl.mask_indices(3, lambda x, k: cl.triu(x, k=k), 1), np.mask_indices(3, np.triu, 1))
        same(cl.diag_indices(3, 3), np.diag_indices(3, 3))
    same(cl.diag_indices_from(cl.ones((2, 2), device=device)), np.diag_indices_from(np.ones((2, 2))))


def test_diagonals_are_numpys(device):
    v, m = np.arange(1, 4), np.arange(12).reshape(3, 4)
    for k in (-4, -1, 0, 1, 3):
        agree(device, "diag", v, k)
        agree(device, "diag", m, k)
        agree(device, "diagflat", m, k)
    agree(device, "diag", v[::-2])
    for shape in ((3, 3), (3, 5), (7, 3), (3, 3, 3), (0, 2)):
        for wrap in (False, True):
            for value in (5, [1, 2]):
                wanted, got = np.zeros(shape), cl.zeros(shape, device=device)
                if 0 in shape and wrap:
                    continue
                np.fill_diagonal(wanted, value, wrap)
                cl.fill_diagonal(got, value, wrap)
                same(got, wanted)
    wanted = np.zeros((3, 4)).T
    got = cl.zeros((3, 4), device=device).T
    np.fill_diagonal(wanted, 3)
    cl.fill_diagonal(got, 3)
    same(got, wanted)


def test_vandermonde_matrices_are_numpys(device):
    for dtype in ("int32", "float32", "float64", "complex64"):
        agree(device, "vander", np.array([1, 2, 3], dtype))
        agree(device, "vander", np.array([1, 2, 3], dtype), 5, increasing=True)
        agree(device, "vander", np.array([1, 2], dtype), 0)


def test_grids_are_numpys(device):
    x, y, z = np.arange(3), np.arange(2.0), np.arange(4)
    for indexing in ("xy", "ij"):
        for sparse in (False, True):
            for copy in (False, True):
                agree(device, "meshgrid", x, y, z, indexing=indexing, sparse=sparse, copy=copy)
        agree(device, "meshgrid", x, indexing=indexing)
    assert cl.meshgrid() == ()
    with cl.device_context(device):
        same(cl.indices((2, 3)), np.indices((2, 3)))
        same(cl.indices((2, 3), dtype="float32", sparse=True), np.indices((2, 3), dtype="float32", sparse=True))
        same(cl.mgrid[0:3, 1:2:5j], np.mgrid[0:3, 1:2:5j])
        same(cl.mgrid[-1:1:5j], np.mgrid[-1:1:5j])
        same(cl.ogrid[0:3, 1:7:2], np.ogrid[0:3, 1:7:2])
        same(cl.fromfunction(lambda i, j: i * 10 + j, (2, 3)), np.fromfunction(lambda i, j: i * 10 + j, (2, 3)))
    agree(device, "ix_", np.array([0, 2]), np.array([True, False, True]), np.array([1]))


def test_positions_and_coordinates_are_numpys(device):
    flat = np.array([[0, 5], [11, 7]])
    for order in ("C", "F", None):
        same(
            cl.unravel_index(cl.asarray(flat, device=device), (3, 4), order),
            np.unravel_index(flat, (3, 4), order=order),
        )
        for mode in ("raise", "wrap", "clip", ("wrap", "clip")):
            coordinates = [np.array([0, 2, 1]), np.array([3, 0, 2])]
            if mode != "raise":
                coordinates = [c * 3 - 4 for c in coordinates]
            ours = tuple(cl.asarray(c, device=device) for c in coordinates)
            same(
                cl.ravel_multi_index(ours, (3, 4), mode, order),
                np.ravel_multi_index(tuple(coordinates), (3, 4), mode, order),
            )
    with pytest.raises(ValueError):
        cl.unravel_index(cl.asarray([12], device=device), (3, 4))
    with pytest.raises(ValueError):
        cl.ravel_multi_index((cl.asarray([3], device=device), cl.asarray([0], device=device)), (3, 4))
    one = cl.asarray([1], device=device)
    for bad in (
        lambda: cl.ravel_multi_index((one, one), (2**40, 2**40)),
        lambda: cl.unravel_index(one, (2**40, 2**40)),
        lambda: cl.unravel_index(one, (2, 2), "K"),
    ):
        with pytest.raises(ValueError):
            bad()


def test_nearly_equal_is_numpys(device):
    special = np.array([0.0, 1.0, 1.0 + 1e-9, 1.1, np.inf, -np.inf, np.nan, 1e-9])
    a, b = np.meshgrid(special, special)
    for equal_nan in (False, True):
        agree(device, "isclose", a, b, equal_nan=equal_nan)
        agree(device, "isclose", a.astype("complex64"), b.astype("complex64"), equal_nan=equal_nan)
    agree(device, "isclose", np.array([127, -128], "int8"), np.array([-128, -128], "int8"))
    agree(device, "isclose", a, b, rtol=0.2, atol=0.05)
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    assert cl.allclose(x, x, equal_nan=True) and not cl.allclose(x, x) and not cl.allclose(x, y)
    assert cl.array_equal(x, x, equal_nan=True) and not cl.array_equal(x, x) and not cl.array_equal(x, x[0])
    ones = cl.ones((2, 3), device=device)
    assert cl.array_equiv(ones, cl.ones(3, device=device)) and not cl.array_equiv(ones, cl.ones(2, device=device))
    assert cl.array_equal(ones, ones) is True and cl.allclose(ones, 1) is True


@pytest.mark.parametrize("function", ["ravel", "flatten"])
@pytest.mark.parametrize("order", ["C", "F", "A", "K", None])
def test_orders_of_all_elements(function, order):
    whole = np.arange(24).reshape(2, 3, 4)
    for view in (
        lambda x: x,
        lambda x: x.transpose(2, 0, 1),
        lambda x: x[:, ::-1].T,
        lambda x: x[1, ::2],
        lambda x: x[0],
    ):
        expected = getattr(view(whole), function)(order or "C")
        ours = getattr(view(cl.asarray(whole)), function)(order)
        np.testing.assert_array_equal(cl.asnumpy(ours), expected)


def test_values_with_spare_axes_are_assigned():
    x = cl.zeros((2, 3))
    x[0] = cl.ones((1, 1, 3))
    x[...] = x + cl.ones((1, 2, 1))
    np.testing.assert_array_equal(cl.asnumpy(x), [[2, 2, 2], [1, 1, 1]])
    with pytest.raises(ValueError, match="broadcast"):
        x[0] = cl.ones((2, 3))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "uint64", "bool", "complex64"])
def test_scalars_beside_arrays_are_close_as_numbers_of_their_dtype(device, dtype):  # R3.4
    host = np.asarray([0, 1, 1], dtype)
    x = cl.asarray(host, device=device)
    for scalar in (1, 300, True, float(np.nextafter(1.0, 0)), 1 + 1e-9j, np.float64(1 - 1e-12), 10**30):
        for exact in ({"rtol": 0, "atol": 0}, {}):
            assert cl.isclose(x, scalar, **exact).tolist() == np.isclose(host, scalar, **exact).tolist()
            assert cl.isclose(scalar, x, **exact).tolist() == np.isclose(scalar, host, **exact).tolist()
    assert cl.isclose(x, x, rtol=[0, 1, 0]).tolist() == [True] * 3
