"""The script that runs the public conformance suite: what it refuses, and what it runs."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent / "array_api" / "run"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_expected_failures_need_a_reason(script):
    unexplained = script["unexplained"]
    lines = ["# The suite counts wrongly.", "one", "two", "", "three", "#", "four", "", "# why", "five"]
    assert list(unexplained(lines)) == [5, 7]


def test_all_of_ours_have_one(script):
    assert not list(script["unexplained"](script["XFAILS"].read_text().splitlines()))


def test_what_is_no_checkout_is_refused(tmp_path):
    done = subprocess.run([sys.executable, SCRIPT, tmp_path], capture_output=True, text=True)
    assert done.returncode == 2
    assert "no checkout" in done.stderr
    (tmp_path / "array_api_tests").mkdir()
    done = subprocess.run([sys.executable, SCRIPT, tmp_path], capture_output=True, text=True)
    assert done.returncode == 2
    assert "git submodule update --init" in done.stderr


def test_arguments_of_pytest_are_passed_on(script):
    chosen, rest = script["options"](["somewhere", "--device", "opencl:cpu", "-k", "sort", "--max-examples", "7"])
    command = script["pytest_command"](chosen, rest)
    assert (chosen.device, rest) == ("opencl:cpu", ["-k", "sort"])
    assert command[-3:] == ["-k", "sort", "array_api_tests"]
    assert "7" in command
    chosen, rest = script["options"](["somewhere", "array_api_tests/test_fft.py::test_fft"])
    assert script["pytest_command"](chosen, rest)[-1] == "array_api_tests/test_fft.py::test_fft"
