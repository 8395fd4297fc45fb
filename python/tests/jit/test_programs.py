"""Small scientific programs, each as plain Python and compiled."""

import importlib
import pkgutil

import pytest

from . import programs

NAMES = sorted(module.name for module in pkgutil.iter_modules(programs.__path__))


@pytest.mark.parametrize("name", NAMES)
def test_scientific_programs(run_both, name):
    module = importlib.import_module(f"{programs.__name__}.{name}")
    run_both(module.program, *module.arguments(), rtol=getattr(module, "RTOL", 1e-9))
