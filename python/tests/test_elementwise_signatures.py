"""Elementwise functions take the dtypes that NumPy's take, and give the same ones."""

import itertools

import numpy as np
import pytest
from elementwise_cases import DTYPES, FUNCTIONS, reference, result_dtype

UFUNCS = sorted(name for name in FUNCTIONS if isinstance(reference(name), np.ufunc))
OTHERS = sorted(set(FUNCTIONS) - set(UFUNCS))


@pytest.mark.parametrize("name", UFUNCS)
def test_result_dtypes_are_those_of_numpys_ufunc(name):
    function = reference(name)
    for dtypes in itertools.product(DTYPES, repeat=function.nin):
        given = tuple(np.dtype(dtype) for dtype in dtypes)
        try:
            expected = function.resolve_dtypes((*given, *(None,) * function.nout))[function.nin]
        except TypeError:
            expected = None
        assert result_dtype(name, *dtypes) == expected, dtypes


@pytest.mark.parametrize("name", OTHERS)
def test_result_dtypes_are_those_of_numpys_function(name):
    for dtype in DTYPES:
        try:
            expected = reference(name)(np.ones(2, dtype)).dtype
        except TypeError:
            expected = None
        assert result_dtype(name, dtype) == expected, dtype
