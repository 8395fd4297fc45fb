"""Keywords of NumPy's: the order in memory, where results go, what is known already."""

import io

import numpy as np
import pytest

import colocate as cl

X = np.asarray([[3.0, -1.5, 2.0], [0.5, 4.0, -2.0]])
ORDERS = ["C", "F", "A", "K"]


def same_layout(ours, theirs):
    return ours.shape == theirs.shape and ours.dtype == theirs.dtype and ours.strides == theirs.strides


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(2, 3), [2, 3, 4], (), 3, (0, 2)])
def test_new_arrays_have_the_order_that_is_asked_for(order, shape):
    for name, rest in (("empty", ()), ("zeros", ()), ("ones", ()), ("full", (7,))):
        ours, theirs = (getattr(module, name)(shape, *rest, dtype="int32", order=order) for module in (cl, np))
        assert ours.flags["f_contiguous"] == theirs.flags["F_CONTIGUOUS"]
        if theirs.size:
            assert same_layout(ours, theirs)
        if name != "empty":
            assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("x", [X, X.T], ids=["row-major", "column-major"])
def test_arrays_like_others_and_copies_have_the_order_that_is_asked_for(order, x):
    like = cl.asarray(np.ascontiguousarray(x)) if x is X else cl.asarray(X).T
    for name, rest in (("empty_like", ()), ("zeros_like", ()), ("ones_like", ()), ("full_like", (7,)), ("copy", ())):
        ours, theirs = getattr(cl, name)(like, *rest, order=order), getattr(np, name)(x, *rest, order=order)
        assert same_layout(ours, theirs), name
        if name != "empty_like":
            assert ours.tolist() == theirs.tolist()
    assert same_layout(like.copy(order), x.copy(order))
    assert like.copy(order=order).tolist() == x.tolist()


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_diagonal_has_the_order_that_is_asked_for(order):
    ours, theirs = (module.eye(3, M=2, k=-1, dtype="int8", order=order) for module in (cl, np))
    assert same_layout(ours, theirs) and ours.tolist() == theirs.tolist()


def test_an_order_that_there_is_not_is_refused():
    x = cl.asarray(X)
    for call in (lambda: cl.zeros(3, order="X"), lambda: cl.zeros_like(x, order="X"), lambda: x.copy("X")):
        with pytest.raises(ValueError, match="none of"):
            call()


def test_sorting_in_place_takes_numpys_kinds():
    for kind in (None, "quicksort", "stable"):
        x, y = cl.asarray(X), X.copy()
        x.sort(0, kind)
        y.sort(0, kind)
        assert x.tolist() == y.tolist()
    x = cl.asarray(X)
    x.partition(1, kind="introselect")
    assert x[:, 1].tolist() == np.sort(X)[:, 1].tolist()
    with pytest.raises(ValueError, match="kind"):
        x.sort(kind="bogo")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_is_taken_goes_where_it_is_wanted(dtype):
    x, out = cl.asarray(X), cl.empty((2, 2), dtype)
    assert cl.take(x, indices=[2, 0], axis=1, out=out) is out
    assert out.tolist() == X.take([2, 0], axis=1).tolist()
    assert x.take([5, 0], 1, out, "wrap").tolist() == X.take([5, 0], axis=1, mode="wrap").tolist()
    row = cl.empty((1, 3), dtype)
    assert cl.compress([False, True], x, axis=0, out=row) is row
    assert x.compress([True], 0, row).tolist() == X[:1].tolist()


def test_results_go_to_arrays_that_hold_them(device):
    x = cl.asarray(X, device=device)
    for wrong, why in ((cl.empty(3, device=device), "shape"), (cl.empty((2, 2), "int8", device=device), "converted")):
        with pytest.raises((ValueError, TypeError), match=why):
            cl.take(x, [0, 1], axis=1, out=wrong)
    with pytest.raises(cl.ExecutionPlacementError):
        cl.take(x, [0, 1], axis=1, out=cl.empty((2, 2), queue=cl.Queue(device, in_order=False)))
    with pytest.raises(cl.HostDataError):
        cl.take(x, [0, 1], axis=1, out=np.empty((2, 2)))


@pytest.mark.parametrize(("name", "operands"), [("modf", 1), ("frexp", 1), ("divmod", 2)])
def test_functions_of_two_results_fill_two_arrays(name, operands):
    theirs = getattr(np, name)(*[X, X + 5][:operands])
    given = [cl.asarray(X), cl.asarray(X + 5)][:operands]
    out = tuple(cl.empty(X.shape, part.dtype) for part in theirs)
    for result in (getattr(cl, name)(*given, out=out), getattr(cl, name)(*given, *out)):
        assert result[0] is out[0] and result[1] is out[1]
        for ours, expected in zip(result, theirs, strict=True):
            np.testing.assert_array_equal(cl.asnumpy(ours), expected)
    # The argument itself may take a result.
    result = getattr(cl, name)(*given, out=(given[0], None))
    assert result[0] is given[0] and result[1].tolist() == theirs[1].tolist()
    with pytest.raises(ValueError, match="not both"):
        getattr(cl, name)(*given, *out, out=out)


@pytest.mark.parametrize("name", ["median", "nanmedian", "percentile", "nanpercentile", "quantile", "nanquantile"])
def test_quantiles_leave_their_input_whatever_they_may_do_to_it(name):
    q = [] if "median" in name else [0.5]
    x = cl.asarray(X)
    got = getattr(cl, name)(x, *q, 1, None, True)
    np.testing.assert_allclose(cl.asnumpy(got), getattr(np, name)(X.copy(), *q, 1, None, True))
    assert x.tolist() == X.tolist()


@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
@pytest.mark.parametrize("options", [{}, {"axis": 1}, {"axis": 0, "ddof": 1}, {"axis": (0, 1), "keepdims": True}])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128"])
def test_deviations_from_a_mean_that_is_known(name, options, dtype):
    x = np.vstack([X * 2, X[::-1]]).astype(dtype)
    if dtype == "complex128":
        x = x * (1 + 2j)
    if "nan" in name and dtype.startswith("float"):
        x[0, 1] = np.nan
    mean = np.nanmean(x, axis=options.get("axis"), keepdims=True)
    expected = getattr(np, name)(x, mean=mean, **options)
    got = getattr(cl, name)(cl.asarray(x), mean=cl.asarray(mean), **options)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    np.testing.assert_allclose(cl.asnumpy(got), expected, rtol=1e-6)


def test_a_known_mean_of_elements_that_count():
    where, out = X > 0, cl.empty(2)
    mean = np.mean(X, axis=1, keepdims=True, where=where)
    options = {"axis": 1, "where": cl.asarray(where), "mean": cl.asarray(mean)}
    assert cl.var(cl.asarray(X), out=out, **options) is out
    np.testing.assert_allclose(cl.asnumpy(out), np.var(X, axis=1, where=where, mean=mean))
    with pytest.raises(ValueError, match="two names"):
        cl.asarray(X).var(ddof=1, correction=1, mean=0.0)


def test_transforms_go_where_they_are_wanted():
    x = cl.asarray(X)
    for name in ("fft", "ifft", "rfft", "fftn", "rfft2", "ihfft"):
        expected = getattr(np.fft, name)(X)
        out = cl.empty(expected.shape, "complex128")
        assert getattr(cl.fft, name)(x, out=out) is out
        np.testing.assert_allclose(cl.asnumpy(out), expected, atol=1e-12)


def test_files_are_read_without_pickles():
    file = io.BytesIO()
    cl.save(file, cl.asarray(X), allow_pickle=True)
    file.seek(0)
    assert cl.load(file, allow_pickle=True).tolist() == X.tolist()
    objects = io.BytesIO()
    np.save(objects, np.asarray([{}, None]), allow_pickle=True)
    for allowed, why in ((True, "pickled objects"), (False, "allow_pickle")):
        objects.seek(0)
        with pytest.raises((TypeError, ValueError), match=why):
            cl.load(objects, allow_pickle=allowed)


def test_windows_are_read_only():
    x = np.arange(5)
    windows = cl.lib.stride_tricks.sliding_window_view(cl.asarray(x), window_shape=2, writeable=False)
    assert windows.tolist() == np.lib.stride_tricks.sliding_window_view(x, 2).tolist()
    with pytest.raises(ValueError, match="share"):
        cl.sliding_window_view(cl.asarray(x), 2, writeable=True)


@pytest.mark.parametrize(("name", "operands"), [("modf", 1), ("frexp", 1), ("divmod", 2)])
def test_functions_of_two_results_have_the_keywords_of_others(name, operands, device):
    host = [X, X + 5][:operands]
    given = [cl.asarray(x, device=device) for x in host]
    ours, theirs = getattr(cl, name), getattr(np, name)
    assert all(part.flags.f_contiguous for part in ours(*given, order="F"))
    mask = X > 1
    out = [np.zeros(X.shape, part.dtype) for part in theirs(*host)]
    filled = tuple(cl.asarray(part, device=device) for part in out)
    result = ours(*given, out=filled, where=cl.asarray(mask, device=device))
    assert result[0] is filled[0]
    for got, expected in zip(result, theirs(*host, out=tuple(out), where=mask), strict=True):
        np.testing.assert_array_equal(cl.asnumpy(got), expected)
    whole = tuple(cl.empty(X.shape, "int8", device=device) for part in out)
    with pytest.raises(TypeError):
        ours(*given, out=whole)
    assert ours(*given, out=whole, casting="unsafe")[1].tolist() == theirs(*host)[1].astype("int8").tolist()
    with pytest.raises(cl.HostDataError, match="where"):
        ours(*given, where=mask)
    repeated = tuple(cl.empty((3, *X.shape), part.dtype, device=device) for part in out)
    ours(*given, out=repeated)
    assert repeated[1][2].tolist() == theirs(*host)[1].tolist()


def test_a_truth_as_a_mask_needs_no_place(device):  # R3.4
    x, out = cl.asarray(X, device=device), cl.zeros(X.shape, device=device)
    for nothing in (False, np.False_):
        cl.add(x, 1, out=out, where=nothing)
        assert not cl.any(out)
        assert float(cl.sum(x, where=nothing)) == 0.0
        assert float(cl.max(x, initial=-3, where=nothing)) == -3.0
    for everything in (True, np.True_):
        assert cl.add(x, 1, where=everything).tolist() == (X + 1).tolist()
        assert float(cl.sum(x, where=everything)) == X.sum()
