"""Measures how far elementwise functions are from the exact results, and prints the table of docs/accuracy.md.

    python bench/accuracy.py [function ...] [--count 200000] [--quick] [--json FILE]

Distances are in units of the last place of the result's dtype. The exact results are NumPy's in a
wider precision: double for float16, float32 and complex64, extended for float64 and complex128.
"""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

import colocate as cl

sys.path.insert(0, str(Path(__file__).parents[1] / "python" / "tests"))
from elementwise_cases import BINARY, UNARY, exactly, reference, result_dtype, ulp

DEVICES = ("native:cpu", "opencl:cpu")
DTYPES = ("float16", "float32", "float64", "complex64", "complex128")
# What is a sum that may cancel.
AS_A_WHOLE = frozenset(("divide", "exp2", "expm1", "log1p", "logaddexp", "logaddexp2", "pow"))
# Results that are exact by their definition, and so tell nothing; and sinc, whose error is absolute.
EXACT = frozenset(
    (
        "abs",
        "add",
        "angle",
        "ceil",
        "conj",
        "copysign",
        "fabs",
        "float_power",
        "floor",
        "floor_divide",
        "fmax",
        "fmin",
        "fmod",
        "heaviside",
        "imag",
        "maximum",
        "minimum",
        "multiply",
        "negative",
        "nextafter",
        "positive",
        "real",
        "reciprocal",
        "remainder",
        "rint",
        "sign",
        "sinc",
        "spacing",
        "square",
        "subtract",
        "trunc",
    )
)


def operands(name, dtype, count):
    """Numbers of all sizes that the function takes, half of them near one."""
    rng = np.random.default_rng(3)
    if dtype == "float16" and name in UNARY:
        return [np.arange(65536, dtype=np.uint16).view(np.float16)]
    ends = {"float16": 4, "float32": 30, "complex64": 30}.get(dtype, 250)

    def floats():
        wide, near = rng.uniform(-ends, ends, count // 2), rng.uniform(-2, 1.5, count - count // 2)
        return rng.choice([-1, 1], count) * 10.0 ** np.concatenate([wide, near])

    def numbers():
        return (floats() + 1j * floats() if dtype.startswith("complex") else floats()).astype(dtype)

    given = [numbers() for _ in range(1 if name in UNARY else 2)]
    if name == "exp2" and dtype.startswith("complex"):
        given = [given[0][np.abs(given[0]) < 10]]
    if name == "pow":
        base, exponent = given
        exponent = (exponent / np.maximum(1, np.abs(exponent) / 20)).astype(dtype)
        if dtype.startswith("complex"):
            moderate = (np.abs(base) > 0.1) & (np.abs(base) < 10)
            given = [base[moderate], (exponent / 8)[moderate].astype(dtype)]
        else:
            given = [np.abs(base), exponent]
    return given


def measure(name, dtype, device, count):
    """The largest distance; of a complex number that of its parts, or where these cancel that of the whole."""
    given = operands(name, dtype, count)
    found = cl.asnumpy(getattr(cl, name)(*(cl.asarray(x, device=device) for x in given)))
    expected = exactly(reference(name), *given)
    if name in AS_A_WHOLE and (found.dtype.kind == "c" or "add" in name):
        # Where operands or parts cancel, in units of the larger of them.
        size = np.abs(expected)
        if found.dtype.kind == "f":
            size = np.maximum.reduce([size, *(np.abs(x).astype(size.dtype) for x in given)])
        with np.errstate(all="ignore"):
            unit = np.finfo(found.dtype).eps * size
            distance = np.abs(found - expected) / unit
        smallest = float(np.finfo(found.dtype).tiny) * (1e2 if found.dtype == np.float16 else 1e8)
        good = np.isfinite(expected) & np.isfinite(found) & (size > smallest)
        if name == "log1p":
            good &= np.abs(given[0]) > 1e-3
        return float(distance[good].max())
    distance = ulp(found, expected)
    return float(distance.max())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("functions", nargs="*", help="all, unless some are named")
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--quick", action="store_true", help="fewer operands")
    parser.add_argument("--json")
    options = parser.parse_args()
    count = min(options.count, 40_000) if options.quick else options.count
    table = {}
    columns = [f"{dtype}, {device.split(':')[0]}" for dtype in DTYPES for device in DEVICES]
    print("| function | " + " | ".join(columns) + " |")
    print("|---|" + "---|" * len(columns))
    for name in options.functions or sorted({*UNARY, *BINARY} - EXACT):
        row = []
        for dtype in DTYPES:
            result = result_dtype(name, *[dtype] * (1 if name in UNARY else 2))
            for device in DEVICES:
                if result is None or result.kind not in "fc":
                    row.append("")
                    continue
                worst = measure(name, dtype, device, count)
                table[f"{name} {dtype} {device}"] = worst
                row.append("0.5" if worst <= 0.5 else f"{worst:.1f}")
        if any(row):
            print(f"| `{name}` | " + " | ".join(row) + " |", flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
