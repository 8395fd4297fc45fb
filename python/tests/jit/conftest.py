"""Where jit functions are run: on the host, and inside the context of each device that there is."""

import pytest

import colocate as cl

from .comparison import PLAIN, Runner

PLACES = ("plain",) if PLAIN else ("host", "opencl:cpu")


@pytest.fixture(params=PLACES)
def run_both(request):
    """Runs a program as plain Python and as a jit function, and compares what it returns, changes and raises."""
    if request.param not in ("host", "plain"):
        try:
            cl.Device(request.param)
        except cl.DeviceNotFoundError as error:
            pytest.skip(str(error))
    return Runner(request.param)
