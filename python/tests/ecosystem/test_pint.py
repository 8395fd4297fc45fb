"""pint: quantities with our arrays as their magnitude."""

import numpy as np
import pytest

import colocate as cl

pint = pytest.importorskip("pint")

A = np.linspace(1, 3, 12).reshape(3, 4)


@pytest.fixture(scope="module")
def units():
    return pint.UnitRegistry()


def check(comparison, units, function, unit):
    """The magnitude is ours, right, and of the right unit."""
    quantity = function(units.Quantity(comparison.ours(A), "metre"))
    expected = function(units.Quantity(A.copy(), "metre"))
    assert quantity.units == expected.units == units.Unit(unit)
    assert isinstance(quantity.magnitude, cl.Array)
    comparison.close(quantity.magnitude, expected.magnitude)


CASES = {
    "sum of two": (lambda q: q + q, "metre"),
    "product": (lambda q: q * q, "metre ** 2"),
    "power": (lambda q: q**2, "metre ** 2"),
    "scale": (lambda q: 3 * q / 2, "metre"),
    "to": (lambda q: q.to("km"), "kilometre"),
    "index": (lambda q: q[1, ::2], "metre"),
    "sum": (lambda q: q.sum(axis=0), "metre"),
    "mean": (lambda q: q.mean(), "metre"),
    "np.sqrt": (lambda q: np.sqrt(q), "metre ** 0.5"),
    "np.sum": (lambda q: np.sum(q, axis=1), "metre"),
    "np.concatenate": (lambda q: np.concatenate([q, q]), "metre"),
    "np.maximum": (lambda q: np.maximum(q, 2 * q.units), "metre"),
    "np.where": (lambda q: np.where(q > 2 * q.units, q, 0 * q.units), "metre"),
    "reshape": (lambda q: q.reshape(4, 3), "metre"),
    "transpose": (lambda q: q.T, "metre"),
    "clip": (lambda q: q.clip(1.5 * q.units, 2.5 * q.units), "metre"),
    "cumsum": (lambda q: np.cumsum(q, axis=0), "metre"),
    "dot": (lambda q: q @ q.T, "metre ** 2"),
}


@pytest.mark.parametrize("name", CASES)
def test_quantities(same_as_numpy, units, name):
    check(same_as_numpy, units, *CASES[name])


def test_angles_become_numbers(same_as_numpy, units):
    turned = np.sin(units.Quantity(same_as_numpy.ours(A), "degree"))
    same_as_numpy.close(turned.magnitude, np.sin(np.deg2rad(A)))


def test_comparisons_and_errors(same_as_numpy, units):
    q = units.Quantity(same_as_numpy.ours(A), "metre")
    same_as_numpy.close(q > 2000 * units.millimetre, A > 2)
    with pytest.raises(pint.DimensionalityError):
        q + 1 * units.second
    assert str(q).endswith("meter")
