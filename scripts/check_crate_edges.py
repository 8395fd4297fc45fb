"""Fails if a crate depends on one that the architecture does not let it depend on."""

import json
import subprocess
import sys

# docs/ARCHITECTURE.md says why. Development dependencies are not edges of the architecture.
ALLOWED = {
    "dtype": set(),
    "diag": set(),
    "hal": set(),
    "trace": {"hal"},
    "host-threads": set(),
    "sort": set(),
    "fft": set(),
    "dense": set(),
    "ir": {"dtype", "diag"},
    "passes": {"ir", "dtype"},
    "codegen-llvm": {"ir", "dtype"},
    "codegen-spirv": {"ir", "dtype"},
    "codegen-cuda": {"ir", "dtype"},
    "compile": {"ir", "passes", "codegen-llvm", "codegen-spirv", "codegen-cuda", "hal", "trace", "dtype"},
    "frontend": {"ir", "dtype", "diag", "kernels"},
    "backend-native": {"hal"},
    "backend-sycl": {"hal"},
    "runtime": {"hal", "trace"},
    "kernels": {"ir", "dtype"},
    "array": {"runtime", "compile", "kernels", "ir", "dtype", "sort", "fft", "dense", "host-threads"},
    "jit": {"frontend", "compile", "runtime", "array", "ir", "dtype", "diag", "trace"},
    "python": {
        "array",
        "backend-native",
        "backend-sycl",
        "compile",
        "diag",
        "dtype",
        "fft",
        "frontend",
        "hal",
        "ir",
        "jit",
        "kernels",
        "passes",
        "runtime",
        "trace",
    },
}
PREFIX = "colocate-"
# The only crates that may use these libraries.
CONFINED = {
    "pyo3": {"python"},
    "numpy": {"python"},
    "libloading": {"backend-sycl"},
    "llvm-sys": {"codegen-llvm"},
    "rspirv": {"codegen-spirv"},
    "ruff_python_parser": {"frontend"},
    "annotate-snippets": {"diag"},
}


def main():
    """Checks the workspace; returns the exit code."""
    command = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    wrong = []
    for package in metadata["packages"]:
        crate = package["name"].removeprefix(PREFIX)
        if crate not in ALLOWED:
            wrong.append(f"{crate} is not in the table of scripts/check_crate_edges.py")
            continue
        for dependency in package["dependencies"]:
            name = dependency["name"]
            if dependency["kind"] == "dev":
                continue
            if name.startswith(PREFIX) and name.removeprefix(PREFIX) not in ALLOWED[crate]:
                wrong.append(f"{crate} must not depend on {name.removeprefix(PREFIX)}")
            if crate not in CONFINED.get(name, {crate}):
                wrong.append(f"{crate} must not use {name}: only {', '.join(CONFINED[name])} may")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
