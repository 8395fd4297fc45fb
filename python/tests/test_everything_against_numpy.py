"""Every function that NumPy has, too, with arrays of all kinds and layouts: elements, dtypes, shapes and exceptions.

The calls are those of `placement_recipes`. What is different on purpose is listed with the reason.
"""

from typing import NamedTuple

import numpy as np
import pytest
from placement_recipes import RECIPES

import colocate as cl

DTYPES = ["bool", "int8", "int64", "uint64", "float32", "float64", "complex64"]
TOLERANCE = {"float32": 1e-4, "complex64": 1e-4}

# The same view of an array of ours and of one of NumPy's.
LAYOUTS = {
    "plain": lambda module, x: x,
    "transposed": lambda module, x: x.T,
    "backwards": lambda module, x: x[::-1],
    "gaps": lambda module, x: module.repeat(x, 2, axis=-1)[..., ::2],
    "repeated": lambda module, x: module.broadcast_to(x[:1], x.shape),
    "one": lambda module, x: x[:1],
    "empty": lambda module, x: x[:0],
    "empty_rows": lambda module, x: x[..., :0],
    "number": lambda module, x: module.asarray(x[(0,) * x.ndim]),
    "batch": lambda module, x: module.stack([x, x]),
}


class Different(NamedTuple):
    """Where functions are not as NumPy's, and why; layouts and dtypes are all unless they are named."""

    why: str
    names: str
    layouts: str = " ".join(LAYOUTS)
    dtypes: str = " ".join(DTYPES)

    def holds_for(self, name, layout, dtype):
        return name in self.names.split() and layout in self.layouts.split() and dtype in self.dtypes.split()


DIFFERENCES = [
    # What is compared is not determined.
    Different("the elements are whatever was in memory", "empty_like"),
    Different("the order is not determined", "partition argpartition unique_values roots"),
    Different("vectors may point either way", "linalg.eigh linalg.qr linalg.svd"),
    Different("what is singular is so up to the last bits", "linalg.cond"),
    Different(
        "what is singular is so up to the last bits",
        "linalg.inv linalg.solve linalg.slogdet linalg.tensorinv linalg.tensorsolve",
        "repeated",
    ),
    Different("what is written is tested elsewhere", "save savez savez_compressed savetxt"),
    Different("the text is another one", "einsum_path"),
    # We do as the standard says.
    Different("eigenvalues are complex", "linalg.eig linalg.eigvals"),
    Different("transforms are complex, of numbers, too", "fft.fftn fft.ifftn", "number"),
    # We refuse what has no meaning.
    Different(
        "complex numbers have no order", "histogram histogram_bin_edges histogram2d histogramdd", dtypes="complex64"
    ),
    Different("the edges of nothing have the dtype of nothing", "histogram2d histogramdd", "empty empty_rows"),
    Different("coefficients are vectors", "polyval polyadd polysub polydiv", "batch number"),
    Different("axes that are not there are refused", "apply_over_axes", "number"),
    Different("bools have no differences", "gradient", dtypes="bool"),
    # We answer where NumPy's implementation happens to fail.
    Different("bools are 0 and 1", "quantile percentile nanquantile nanpercentile", dtypes="bool"),
    Different("of nothing it is NaN", "quantile percentile", "empty empty_rows"),
    Different("a number is a polynomial", "polyder polyint poly roots", "number"),
    Different("numbers are samples", "histogram2d linalg.tensorinv", "number"),
    Different("batches are samples", "histogram2d histogramdd", "batch"),
    Different("a number is its own shift", "fft.fftshift fft.ifftshift", "number"),
    Different("indices of uint64 are indices", "choose put", dtypes="uint64"),
    Different("a rank is an int", "linalg.lstsq"),
    # Two things are wrong, and we say the other one.
    Different("other reason", "tril triu tensordot linalg.tensordot linalg.matrix_norm", "number"),
    Different("other reason", "digitize interp", "number batch", "complex64"),
    Different("other reason", "fft.rfftn fft.irfftn", "number"),
    Different("other reason", "fft.rfft fft.rfft2 fft.rfftn fft.ihfft", "empty empty_rows number", "complex64"),
]
IN_PLACE = {"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"}


def found(module, name):
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


COMPARED = [name for name in RECIPES if callable(found(cl, name)) and callable(found(np, name))]


def of_dtype(x, dtype):
    """Values that the dtype has, and not all of them zero."""
    kind = np.dtype(dtype).kind
    if x.dtype.kind == "b" or (x.dtype.kind in "iu" and kind == "b"):
        return x
    x = x.real if kind != "c" else x
    return np.ascontiguousarray(x * 10 if kind in "iu" and x.dtype.kind == "f" else x).astype(dtype)


def outcome(module, name, layout, arrays):
    recipe = RECIPES[name]
    arrays = [module.asarray(x.copy()) for x in arrays]
    views = [LAYOUTS[layout](module, x) for x in arrays]
    try:
        result = recipe.call(found(module, name), *views)
    except Exception as error:
        return error
    return flattened(views[0] if name in IN_PLACE else result)


def flattened(result):
    if isinstance(result, list | tuple):
        return [one for part in result for one in flattened(part)]
    return [cl.asnumpy(result) if isinstance(result, cl.Array) else np.asarray(result)]


def refusal(error):
    """The kind of exception that a program catches."""
    kinds = (np.linalg.LinAlgError, IndexError, ZeroDivisionError, OverflowError, ValueError, TypeError)
    return next(kind for kind in kinds if isinstance(error, kind))


def differences(ours, theirs, dtype):
    if isinstance(theirs, Exception):
        if not isinstance(ours, refusal(theirs)):
            yield f"{ours!r} instead of {theirs!r}"
        return
    if isinstance(ours, Exception):
        yield repr(ours)
        return
    if len(ours) != len(theirs):
        yield f"{len(ours)} results instead of {len(theirs)}"
        return
    for got, wanted in zip(ours, theirs, strict=True):
        if (got.dtype, got.shape) != (wanted.dtype, wanted.shape):
            yield f"{got.dtype} of shape {got.shape} instead of {wanted.dtype} of shape {wanted.shape}"
            return
        near = max(TOLERANCE.get(dtype, 1e-10), TOLERANCE.get(wanted.dtype.name, 1e-10))
        if not np.allclose(got, wanted, rtol=near, atol=near, equal_nan=wanted.dtype.kind in "fc"):
            yield f"{got} instead of {wanted}"
            return


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", COMPARED)
def test_it_is_as_numpy_has_it(name):
    found = []
    for layout in LAYOUTS:
        for dtype in DTYPES:
            if any(one.holds_for(name, layout, dtype) for one in DIFFERENCES):
                continue
            arrays = [of_dtype(x, dtype) for x in RECIPES[name].arrays.values()]
            ours, theirs = (outcome(module, name, layout, arrays) for module in (cl, np))
            found += [f"{layout}, {dtype}: {what}" for what in differences(ours, theirs, dtype)]
    assert not found, "\n".join(found)


def test_what_is_different_is_still_there():
    assert {name for one in DIFFERENCES for name in one.names.split()} <= set(COMPARED)
