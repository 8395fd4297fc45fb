"""hypothesis.extra.array_api draws arrays of ours."""

import pytest

import colocate as cl

hypothesis = pytest.importorskip("hypothesis")
array_api = pytest.importorskip("hypothesis.extra.array_api")
st = hypothesis.strategies

xps = array_api.make_strategies_namespace(cl)
few = hypothesis.settings(max_examples=25, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))


def test_the_version_is_inferred():
    assert xps.api_version == cl.__array_api_version__


@few
@hypothesis.given(st.data())
def test_arrays_are_as_asked(data):
    dtype = data.draw(xps.scalar_dtypes())
    shape = data.draw(xps.array_shapes(min_dims=0, max_dims=3))
    x = data.draw(xps.arrays(dtype, shape))
    assert isinstance(x, cl.Array)
    assert (x.dtype, x.shape) == (dtype, shape)


@few
@hypothesis.given(xps.arrays(cl.float32, (3, 2), elements={"min_value": -1, "max_value": 1}))
def test_bounds_of_elements(x):
    assert cl.all(cl.abs(x) <= 1)


@few
@hypothesis.given(xps.arrays(cl.int16, 8, unique=True))
def test_unique_elements(x):
    assert len(set(x.tolist())) == 8


@few
@hypothesis.given(st.data())
def test_indices(data):
    x = cl.reshape(cl.arange(24), (2, 3, 4))
    index = data.draw(xps.indices(x.shape, allow_newaxis=True))
    assert cl.asnumpy(x[index]).shape == cl.asnumpy(x)[index].shape


@few
@hypothesis.given(xps.mutually_broadcastable_shapes(2))
def test_broadcastable_shapes(shapes):
    one, two = (cl.ones(shape) for shape in shapes.input_shapes)
    assert (one + two).shape == shapes.result_shape
