"""Fixtures shared by all tests: the devices of the machine, and fresh processes."""

import os
import subprocess
import sys
import textwrap

import pytest

import colocate as cl

# SciPy looks at it once, when somebody imports it; for the tests in `ecosystem`.
os.environ["SCIPY_ARRAY_API"] = "1"

# Every test that takes `device` runs on each of these.
DEVICES = ("native:cpu:0", "opencl:cpu:0")


def pytest_report_header():
    """Says which devices the tests run on, and why not on others."""
    found = {str(device) for device in cl.devices()}
    lines = [f"colocate {cl.__version__} on {', '.join(sorted(found))}"]
    for selector in DEVICES:
        if selector not in found:
            lines.append(f"skipped: no {selector}; `colocate doctor` tells why")
    return lines


@pytest.fixture(params=DEVICES)
def device(request):
    """Each device in turn."""
    try:
        return cl.Device(request.param)
    except cl.DeviceNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture
def sycl_device():
    """A SYCL device, with dpctl and dpnp to share with."""
    pytest.importorskip("dpctl")
    pytest.importorskip("dpnp")
    try:
        return cl.Device("opencl:cpu")
    except cl.DeviceNotFoundError as error:
        pytest.skip(str(error))


@pytest.fixture
def run_python():
    """Runs code in a fresh process and returns what it printed; fails unless it exits with 0."""

    def run(code, timeout=120, **environment):
        process = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=timeout,
        )
        assert process.returncode == 0, f"exit code {process.returncode}\n{process.stdout}\n{process.stderr}"
        return process.stdout

    return run
