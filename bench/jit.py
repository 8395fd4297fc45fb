"""What jit functions cost: speed, first call without and with a filled cache, overhead; beside NumPy, Numba and JAX.

    python bench/jit.py [--quick] [--json PATH] [--only TEXT]

Every program is written as array expressions and as loops, and runs in both ways; Numba runs the same source in
parallel, without and with fastmath. Who is judged by is the best of these. Before a case is timed, the results of its
contenders are compared with each other.
"""

import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
from measure import (
    Case,
    Contender,
    Progress,
    Result,
    Surroundings,
    human_time,
    load,
    machine_facts,
    measure_all,
    options,
    print_rows,
    print_table,
    version,
    write_json,
)

import colocate

PROGRAMS = Path(__file__).parent / "programs"
sys.path.insert(0, str(PROGRAMS))

import jit_cases  # noqa: E402
import jit_programs  # noqa: E402

WAYS = ("arrays", "loops")
PEER_PACKAGES = ("numba", "jax")
COLD, WARM = "first call, empty cache", "first call, filled cache"
OVERHEAD = "call with three small arrays"

# Targets: our time relative to the peer's.
AT_MOST_NUMBA = 1.0
NUMBA_MEAN, NUMPY_MEAN, COLD_MEAN = 1 / 2, 1 / 5, 1 / 10
WARM_LIMIT, OVERHEAD_LIMIT = 20e-3, 2e-6
# Equal code differs by this much from run to run.
TIE = 1.05
# Idle threads of some pools spin for a while before they sleep.
REST = 0.005


class Agreement:
    """Compares results: each must be close to the first one."""

    def __init__(self, rtol):
        self.rtol = rtol
        self.first = None

    def __call__(self, result):
        """Raises where a part differs from the one that came first."""
        parts = [numpy.asarray(one) for one in (result if isinstance(result, (tuple, list)) else [result])]
        if self.first is None:
            self.first = [one.copy() for one in parts]
        for one, other in zip(parts, self.first, strict=True):
            # Single elements may fall on the other side of a border; their mean does not.
            if self.rtol >= 1e-3:
                one, other = one.mean(), other.mean()
            size = numpy.abs(other).max()
            numpy.testing.assert_allclose(one, other, rtol=self.rtol, atol=self.rtol * size)


def contender(name, function, ours=False):
    """A call of a function with arguments of its own, after a call with others whose result is compared."""
    setup = f"call = {function}\nagree(call(*fresh()))\narguments = fresh()"
    return Contender(name, "call(*arguments)", setup, needs=None if ours else name.split(",")[0], ours=ours)


def speed_case(number, program):
    """One program in all ways."""
    contenders = []
    if program.arrays:
        contenders.append(contender("numpy", f"jit_programs.{program.arrays.__name__}"))
    for way in WAYS:
        function = getattr(program, way)
        if function is None:
            continue
        theirs = program.numba_loops if way == "loops" and program.numba_loops else function
        contenders += [
            contender(f"colocate, {way}", f"ours.{function.__name__}", ours=True),
            contender(f"colocate, {way}, fastmath", f"fast_ours.{function.__name__}", ours=True),
            contender(f"numba, {way}", f"loops.{theirs.__name__}"),
            contender(f"numba, {way}, fastmath", f"fast_loops.{theirs.__name__}"),
        ]
    name = (program.arrays or program.loops).__name__.rsplit("_", 1)[0]
    jax_setup = f"call = jf.{name}\narguments = to_jax(fresh())\nagree(jax.block_until_ready(call(*arguments)))"
    contenders.append(Contender("jax", "jax.block_until_ready(call(*arguments))", jax_setup, needs="jax"))
    setup = f"""
program = jit_cases.PROGRAMS[{number}]
fresh = lambda: program.arguments(np.random.default_rng(1))
agree = Agreement(program.rtol)
"""
    return Case(program.name, contenders, setup)


def overhead_case():
    """A function that does next to nothing."""
    setup = "call = {}.add_three\nassert call(a, b, c) == 3"
    return Case(
        OVERHEAD,
        [
            Contender("colocate", "call(a, b, c)", setup.format("ours"), ours=True),
            Contender("numba", "call(a, b, c)", setup.format("loops"), needs="numba"),
            Contender(
                "jax",
                "call(a, b, c).block_until_ready()",
                "call = jax.jit(jit_programs.add_three); a, b, c = to_jax([a, b, c])",
                needs="jax",
            ),
            Contender("python", "call(a, b, c)", setup.format("jit_programs")),
        ],
        "a, b, c = np.ones(8), np.ones(8), np.ones(8)",
    )


def surroundings():
    """The packages there are, and the programs as each compiles them."""
    names = {
        "np": numpy,
        "jit_programs": jit_programs,
        "jit_cases": jit_cases,
        "ours": jit_cases.compiled(colocate.jit),
        "fast_ours": jit_cases.compiled(colocate.jit(fastmath=True)),
        "Agreement": Agreement,
    }
    missing = {}
    numba, why = load("numba")
    if numba is None:
        missing["numba"] = why
    else:
        names["loops"] = jit_cases.for_numba(error_model="numpy")
        names["fast_loops"] = jit_cases.for_numba(error_model="numpy", fastmath=True)
    names["jax"], why = load("jax")
    if names["jax"] is None:
        missing["jax"] = why
    else:
        names["jf"] = load("jit_jax")[0].compiled()
        as_jax = names["jax"].numpy.asarray
        names["to_jax"] = lambda values: [as_jax(one) if isinstance(one, numpy.ndarray) else one for one in values]
    return Surroundings(names, missing, lambda: time.sleep(REST))


def first_call(who, number, way, cache):
    """The seconds of the first call in a new process whose compiled code lies in ``cache``, or why there are none."""
    command = [sys.executable, str(PROGRAMS / "jit_first_call.py"), who, str(number), way]
    environment = {**os.environ, "COLOCATE_CACHE_DIR": cache, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    return float(done.stdout) if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def first_call_case(kind, number, program):
    """Ours and Numba's in the way that both have, and JAX's."""
    way = "loops" if program.loops else "arrays"
    numba = "numba-cached" if kind == WARM else "numba"
    contenders = [
        Contender("colocate", f"colocate {number} {way}", ours=True),
        Contender("numba", f"{numba} {number} {way}", needs="numba"),
    ]
    if kind == COLD:
        contenders.append(Contender("jax", f"jax {number} {way}", needs="jax"))
    return Case(f"{kind}: {program.name.split(',')[0]}", contenders)


def measure_first_calls(case, missing, rounds, progress):
    """Starts the contenders in turns. With a filled cache, each has run once before."""
    skipped = {one.name: missing[one.needs] for one in case.contenders if one.needs in missing}
    times = {one.name: [] for one in case.contenders if one.name not in skipped}
    warm = case.name.startswith(WARM)
    with tempfile.TemporaryDirectory() as filled:
        for done in range(-1 if warm else 0, rounds):
            progress.show(case.name, max(done, 0) / rounds)
            for one in case.contenders:
                if one.name in skipped:
                    continue
                with tempfile.TemporaryDirectory() as empty:
                    seconds = first_call(*one.statement.split(), filled if warm else empty)
                if isinstance(seconds, str):
                    skipped[one.name] = seconds
                    times.pop(one.name)
                elif done >= 0:
                    times[one.name].append(seconds)
    return Result(case, times, skipped)


def measure_all_first_calls(cases, missing, rounds):
    """The results of all cases that need new processes."""
    progress = Progress(len(cases))
    results = []
    for case in cases:
        progress.next()
        results.append(measure_first_calls(case, missing, rounds, progress))
    progress.end()
    return results


def best(result, package):
    """The quickest way of a package; or ``None``."""
    there = [name for name in result.rounds if name.split(",")[0] == package]
    return min(there, key=result.median, default=None)


def best_ratio(result, package):
    """Our best time relative to the package's; or ``None``."""
    ours, theirs = best(result, "colocate"), best(result, package)
    return None if ours is None or theirs is None else result.ratio(ours, theirs)


def geometric_mean(ratios):
    """The mean of factors."""
    return math.exp(statistics.fmean(math.log(one) for one in ratios))


def mean_verdict(results, package, limit, text):
    """The geometric mean of our times relative to a package's, over the cases that both run."""
    ratios = [one for one in (best_ratio(result, package) for result in results) if one is not None]
    if not ratios:
        return []
    mean = geometric_mean(ratios)
    return [(f"{text}, geometric mean of {len(ratios)}", mean <= limit, f"{mean:.3f}x")]


def judge(speed, cold, warm, overhead):
    """All targets: what is asked, whether it is met, and the measured number."""
    verdicts = []
    for result in speed:
        ratio = best_ratio(result, "numba")
        if ratio is not None:
            text = f"{result.case.name}: no slower than Numba ({best(result, 'numba')}; {best(result, 'colocate')})"
            verdicts.append((text, ratio <= AT_MOST_NUMBA * TIE, f"{ratio:.2f}x"))
    verdicts += mean_verdict(speed, "numba", NUMBA_MEAN, "half of Numba's time")
    verdicts += mean_verdict(speed, "numpy", NUMPY_MEAN, "a fifth of NumPy's time")
    verdicts += mean_verdict(speed, "jax", 1.0, "no slower than JAX")
    verdicts += mean_verdict(cold, "numba", COLD_MEAN, "first call: a tenth of Numba's time")
    for result in warm:
        if "colocate" in result.rounds:
            seconds = result.median("colocate")
            verdicts.append((f"{result.case.name}: under 20 ms", seconds < WARM_LIMIT, human_time(seconds)))
    for result in overhead:
        seconds = result.median("colocate")
        verdicts.append((f"{OVERHEAD}: at most 2 us", seconds <= OVERHEAD_LIMIT, human_time(seconds)))
    return verdicts


def print_best(results):
    """For each case the best way of each package, and what ours takes relative to it."""
    rows = [("case", "our best way", "ours", *(f"{name} / x" for name in ("numpy", "numba", "jax")))]
    for result in results:
        ours = best(result, "colocate")
        ratios = [best_ratio(result, name) for name in ("numpy", "numba", "jax")]
        shown = ["" if ratio is None else f"{1 / ratio:.2f}" for ratio in ratios]
        rows.append((result.case.name, ours or "none", human_time(result.median(ours)) if ours else "", *shown))
    print("\nhow many times as long as our best the best of each package takes:")
    print_rows(rows)


def print_targets(verdicts):
    """What was to be reached, and what was."""
    print(f"\ntargets (our best way relative to the peer's best; up to {TIE}x counts as no slower):")
    for text, met, number in verdicts:
        print(f"  {'met' if met else 'not met':8} {number:10} {text}")


def main():
    """Measures, prints and, if asked for, writes a file."""
    chosen = options("What colocate's jit functions cost, beside NumPy, Numba and JAX.")
    facts = machine_facts() | {package: version(package) for package in PEER_PACKAGES}
    programs = list(enumerate(jit_cases.PROGRAMS))

    def wanted(cases):
        return [case for case in cases if chosen.only in case.name]

    missing = {package: why for package in PEER_PACKAGES if (why := load(package)[1])}
    cold_cases = wanted(first_call_case(COLD, *one) for one in programs)
    warm_cases = wanted(first_call_case(WARM, *one) for one in programs)
    # New processes first: later, the threads of the peers' pools are in the way of a fork.
    rounds = max(chosen.rounds // 5, 1)
    cold = measure_all_first_calls(cold_cases, missing, rounds)
    warm = measure_all_first_calls(warm_cases, missing, rounds)
    there = surroundings()
    speed = measure_all(wanted(speed_case(*one) for one in programs), there, chosen.rounds)
    overhead = measure_all(wanted([overhead_case()]), there, chosen.rounds)
    results = [*speed, *overhead, *cold, *warm]
    if not results:
        sys.exit(f"no case has {chosen.only!r} in its name")
    print_table(results)
    if speed:
        print_best(speed)
    verdicts = judge(speed, cold, warm, overhead)
    print_targets(verdicts)
    if chosen.json:
        targets = [{"target": text, "met": met, "measured": number} for text, met, number in verdicts]
        write_json(chosen.json, facts, results, targets=targets)


if __name__ == "__main__":
    main()
