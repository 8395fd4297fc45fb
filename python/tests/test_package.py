"""The package as a whole: import, command line, docstrings, stubs, rules."""

import ast
import doctest
import inspect
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import colocate as cl
from colocate import _cli, _native

ROOT = Path(__file__).parents[2]


def test_importing_loads_no_backend_library(run_python):
    code = """
        import colocate
        maps = open("/proc/self/maps").read()
        print([name for name in ("libsycl", "libDPCTL", "libOpenCL", "libintelocl", "libcuda") if name in maps])
        import sys
        print("dpctl" in sys.modules)
    """
    assert run_python(code) == "[]\nFalse\n"


def test_native_work_loads_no_sycl(run_python):
    code = """
        import colocate as cl
        cl.zeros(10, device="cpu").copy(); cl.Queue("native"); cl.asarray([1], device="native:cpu:0")
        print("libsycl" in open("/proc/self/maps").read())
    """
    assert run_python(code) == "False\n"


def test_a_plain_install_finds_the_sycl_device_without_any_setting(run_python, sycl_device):

    code = (
        "import os; assert 'OCL_ICD_FILENAMES' not in os.environ; import colocate as cl; print(cl.Device('opencl:cpu'))"
    )
    environment = {key: value for key, value in os.environ.items() if not key.startswith("OCL_")}
    process = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert process.stdout == "opencl:cpu:0\n", process.stderr


def test_dpctl_may_be_the_first_to_look_for_devices(run_python, sycl_device):
    code = "import colocate as cl, dpctl; print(len(dpctl.get_devices()), cl.Device('opencl:cpu'))"
    assert run_python(code) == "1 opencl:cpu:0\n"


def test_finding_the_sycl_library_does_not_import_dpctl(run_python, sycl_device):
    assert run_python("import sys, colocate as cl; cl.devices(); print('dpctl' in sys.modules)") == "False\n"


def test_a_dpctl_that_does_not_import_is_said_and_does_no_harm(run_python, sycl_device):
    code = """
        import sys, warnings, colocate as cl
        device = cl.Device("opencl:cpu")  # the library is found without the package
        sys.modules["dpctl"] = None
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(cl.ones(2, device=device).tolist(), ["dpnp" in str(w.message) for w in caught])
    """
    assert run_python(code) == "[1.0, 1.0] [True]\n"


def test_a_users_driver_setting_is_left_alone(run_python):
    code = "import os, colocate as cl; cl.devices(); print(os.environ['OCL_ICD_FILENAMES'])"
    assert run_python(code, OCL_ICD_FILENAMES="/nowhere/driver.so") == "/nowhere/driver.so\n"


class TestCommandLine:
    def test_devices_are_listed_readably(self, capsys):
        assert _cli.main(["devices"]) == 0
        out = capsys.readouterr().out
        for device in cl.devices():
            assert device.selector in out and device.name in out
        assert "* the default device" in out

    def test_devices_are_listed_for_programs(self, capsys):
        assert _cli.main(["devices", "--json"]) == 0
        facts = json.loads(capsys.readouterr().out)
        assert [fact["selector"] for fact in facts] == [device.selector for device in cl.devices()]
        assert facts[0]["max_compute_units"] == cl.devices()[0].max_compute_units

    def test_the_doctor_sees_every_backend(self, capsys):
        assert _cli.main(["doctor", "--json"]) == 0
        report = {entry["backend"]: entry for entry in json.loads(capsys.readouterr().out)}
        assert set(report) == {"native", "sycl", "cuda"}
        assert report["native"]["found"]
        for entry in report.values():
            assert entry["found"] or entry["why"]
        assert _cli.main(["doctor"]) == 0
        assert "native  found" in capsys.readouterr().out

    def test_the_doctor_tells_how_to_get_sycl(self, run_python):
        code = """
            import importlib.util
            real = importlib.util.find_spec
            importlib.util.find_spec = lambda name, *rest: None if name == "dpctl" else real(name, *rest)
            from colocate._cli import main
            main(["doctor"])
        """
        out = run_python(code)
        assert "dpctl" in out and "fix: pip install colocate[sycl]" in out

    def test_a_missing_driver_is_diagnosed(self, run_python, sycl_device):
        code = """
            from pathlib import Path
            from colocate import _sycl
            _sycl.driver_candidates = lambda: [Path("/nowhere/libintelocl.so")]
            from colocate._cli import main
            main(["doctor"])
        """
        out = run_python(code, OCL_ICD_FILENAMES="/nowhere/libintelocl.so")
        assert "sycl    not found" in out and "fix: pip install intel-opencl-rt" in out

    def test_a_driver_setting_that_leads_nowhere_is_diagnosed(self, run_python, sycl_device):
        out = run_python("from colocate._cli import main; main(['doctor'])", OCL_ICD_FILENAMES="/nowhere/driver.so")
        assert "OCL_ICD_FILENAMES=/nowhere/driver.so" in out and "fix: unset OCL_ICD_FILENAMES" in out

    def test_it_is_installed_as_a_command_and_as_a_module(self):
        for command in ([str(Path(sys.executable).with_name("colocate"))], [sys.executable, "-m", "colocate"]):
            process = subprocess.run([*command, "--version"], capture_output=True, text=True, timeout=60)
            assert process.stdout == f"colocate {cl.__version__}\n"

    def test_trouble_is_one_line_on_standard_error(self):
        process = subprocess.run(
            [sys.executable, "-m", "colocate", "devices"],
            env={**os.environ, "COLOCATE_NATIVE_DEVICES": "x"}, capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert process.returncode == 1 and process.stderr.startswith("colocate: ") and process.stderr.count("\n") == 1


def is_numpys(value):
    return inspect.isclass(value) and value.__module__ == "numpy"


def public_objects():
    """Everything a user can call, by its dotted name."""
    for name in cl.__all__:
        value = getattr(cl, name)
        if isinstance(value, float | str | None) or is_numpys(value):
            continue  # constants, and what NumPy documents
        yield f"colocate.{name}", value
        if inspect.isclass(value):
            for member, function in vars(value).items():
                documented = not member.startswith("_") or member in ("__dlpack__", "__array_namespace__")
                if documented and (inspect.isroutine(function) or isinstance(function, (staticmethod, property))):
                    yield f"colocate.{name}.{member}", function


def is_attribute(value):
    return inspect.isdatadescriptor(value) or isinstance(value, property)


@pytest.mark.parametrize(
    ("name", "value"), list(public_objects()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_public_thing_has_a_docstring_and_its_example_runs(name, value):
    documentation = inspect.getdoc(value)
    assert documentation, f"{name} has no docstring"
    if is_attribute(value):
        return
    assert ">>>" in documentation, f"{name} has no example"
    test = doctest.DocTestParser().get_doctest(documentation, {}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_the_packages_own_docstring_runs():
    assert doctest.testmod(cl, optionflags=doctest.ELLIPSIS, extraglobs={}).failed == 0


def stub_names(file="__init__.pyi"):
    """Names and members that a stub file declares, with those of the stubs that it takes over."""
    tree = ast.parse((ROOT / "python/colocate" / file).read_text())
    names = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            members |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
            names[node.name] = members
        elif isinstance(node, ast.FunctionDef):
            names[node.name] = set()
        elif isinstance(node, ast.AnnAssign):
            names[node.target.id] = set()
        elif isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            names.update(stub_names(node.module.removeprefix("colocate.") + ".pyi"))
        elif isinstance(node, ast.ImportFrom) and node.module == "colocate":
            names.update({alias.asname: set() for alias in node.names})
        elif isinstance(node, ast.Assign):
            names.update({target.id: set() for target in node.targets})
    return names


def test_stubs_are_complete():
    declared = stub_names()
    assert set(declared) - {"__all__", "Place", "UsmType", "DTypeLike"} >= set(cl.__all__)
    for name in cl.__all__:
        value = getattr(cl, name)
        if inspect.isclass(value) and not issubclass(value, BaseException) and not is_numpys(value):
            members = {member for member in vars(value) if not member.startswith("_")}
            members |= {m for base in value.__mro__[1:-1] for m in vars(base) if not m.startswith("_")}
            if issubclass(value, np.ndarray):
                members -= set(dir(np.ndarray))  # declared by NumPy
            missing = members - declared[name]
            assert not missing, f"{name}: {sorted(missing)}"


def test_the_page_about_devices_is_the_tables():
    page = (ROOT / "docs/device-info.md").read_text()
    names = []
    for table in _native._device_tables():
        for name, _, documentation in table:
            assert re.search(rf"^\| `{name}` \|.*{re.escape(documentation)}", page, re.MULTILINE), name
            names.append(name)
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == names, "run scripts/write_device_info.py"


RULES = (
    [f"R1.{n}" for n in range(1, 9)]
    + [f"R2.{n}" for n in range(1, 6)]
    + [f"R3.{n}" for n in range(1, 7)]
    + [f"R4.{n}" for n in range(1, 8)]
    + [f"R6.{n}" for n in range(1, 6)]
    + [f"R7.{n}" for n in range(1, 4)]
)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_test_that_names_it(rule):
    sources = [*ROOT.glob("python/tests/test_*.py"), *ROOT.glob("tests/test_*.py")]
    pattern = re.compile(rf"def test_.*# .*\b{re.escape(rule)}\b")
    assert any(pattern.search(line) for path in sources for line in path.read_text().splitlines())


def test_no_python_file_is_too_long():
    for path in ROOT.glob("python/**/*.py"):
        assert len(path.read_text().splitlines()) <= 1000, path
