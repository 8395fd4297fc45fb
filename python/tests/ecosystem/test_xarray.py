"""xarray with our arrays as its data."""

import numpy as np
import pytest

import colocate as cl

xr = pytest.importorskip("xarray")

A = np.linspace(-1, 2, 24).reshape(4, 6)


def labelled(x):
    """A data array with coordinates."""
    return xr.DataArray(x, dims=("time", "place"), coords={"time": np.arange(4), "place": list("abcdef")})


CASES = {
    "arithmetic": lambda d: (d * 2 + d**2 - 1) / 3,
    "comparison": lambda d: d > 0,
    "sum": lambda d: d.sum("time"),
    "mean": lambda d: d.mean("place"),
    "std": lambda d: d.std("time"),
    "max": lambda d: d.max(),
    "argmax": lambda d: d.argmax("place"),
    "cumsum": lambda d: d.cumsum("time"),
    "transpose": lambda d: d.transpose("place", "time"),
    "isel": lambda d: d.isel(time=slice(1, 3), place=2),
    "isel with a list": lambda d: d.isel(place=[0, 3, 1]),
    "sel": lambda d: d.sel(place="c"),
    "where": lambda d: d.where(d > 0, 0.0),
    "concat": lambda d: xr.concat([d, d + 1], "time"),
    "broadcast": lambda d: d + d.mean("time"),
    "stack": lambda d: d.stack(both=("time", "place")),
    "clip": lambda d: d.clip(-0.5, 0.5),
    "round": lambda d: d.round(1),
    "astype": lambda d: d.astype("float32"),
    "expand_dims": lambda d: d.expand_dims("new"),
    "isnull": lambda d: d.isnull(),
    "dot": lambda d: xr.dot(d, d, dim="place"),
    "ufunc": lambda d: np.exp(d),
    "apply_ufunc": lambda d: xr.apply_ufunc(
        lambda x: x - x.mean(axis=-1, keepdims=True), d, input_core_dims=[["place"]], output_core_dims=[["place"]]
    ),
    "shift": lambda d: d.shift(time=1, fill_value=0.0),
    "roll": lambda d: d.roll(place=2),
    "diff": lambda d: d.diff("time"),
    "coarsen": lambda d: d.coarsen(time=2).mean(),
    "pad": lambda d: d.pad(time=1, constant_values=0.0),
}


@pytest.mark.parametrize("name", CASES)
def test_operations(same_as_numpy, name):
    same_as_numpy(lambda x: CASES[name](labelled(x)).data, A)


def test_datasets(same_as_numpy):
    def summarise(x):
        dataset = xr.Dataset({"one": labelled(x), "two": labelled(x) * 2})
        return dataset.mean("time")["two"].data, (dataset["one"] + dataset["two"]).data

    same_as_numpy(summarise, A)


def test_assignment(same_as_numpy):
    def assign(x):
        d = labelled(x)
        d[{"time": 1}] = x[0, :] * 7
        d.loc[{"place": "b"}] = x[:, 0] - 1
        return d.data

    same_as_numpy(assign, A)


def test_comparison_of_whole_arrays(device):
    with cl.device_context(device):
        d = labelled(cl.asarray(A))
        assert d.equals(d.copy(deep=True))
        assert d.identical(d.copy())
        assert not d.equals(d + 1)
        xr.testing.assert_allclose(d, d + 1e-12)


def test_it_prints(device):
    text = repr(labelled(cl.asarray(A, device=device)))
    assert "time: 4" in text
    assert "place" in text


def test_groups(same_as_numpy):
    same_as_numpy(lambda x: labelled(x).groupby(xr.DataArray([0, 1, 0, 1], dims="time", name="g")).mean().data, A)
