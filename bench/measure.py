"""Measures cases, each a race of contenders that do the same thing with different packages.

The contenders of a case run in turns, a little of each in every round, so that whatever else the
machine does hits all of them alike. Times are medians over the rounds. A ratio of two contenders
is computed in each round, and then the median of these is taken.
"""

import argparse
import importlib
import json
import os
import platform
import statistics
import sys
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

ROUNDS, QUICK_ROUNDS = 15, 5
SECONDS_A_ROUND = 0.02
# Before that, each runs for as long as others' threads may go on spinning. Those of OpenBLAS and of XLA take a core
# from whoever comes next for up to 90 ms if that one keeps both cores busy itself. A sleep would do, too, but the
# first milliseconds after one are slow on virtual machines.
SECONDS_BEFORE = 0.12
PACKAGES = ("colocate", "numpy", "dpctl", "dpnp", "intel-opencl-rt")


@dataclass(frozen=True)
class Contender:
    """One way to do what a case asks for: a statement to time, after a setup that is run once.

    ``needs`` names what must be in the surroundings; ``ours`` marks those whom ratios are about.
    """

    name: str
    statement: str
    setup: str = ""
    needs: str | None = None
    ours: bool = False


@dataclass(frozen=True)
class Case:
    """Contenders for one thing to do, and a setup whose variables they share."""

    name: str
    contenders: list[Contender]
    setup: str = ""


@dataclass(frozen=True)
class Surroundings:
    """What the code of all contenders may use, and for what is missing the reason.

    ``settle`` is called before a contender's turn: nobody pays for work that another left behind.
    """

    names: dict
    missing: dict[str, str]
    settle: Callable[[], None]


@dataclass
class Result:
    """The times of a case: for each contender the seconds of one call, in each round."""

    case: Case
    rounds: dict[str, list[float]]
    skipped: dict[str, str]

    def median(self, name):
        """The seconds of one call."""
        return statistics.median(self.rounds[name])

    def ratios(self, name, other):
        """How many times as long as ``other`` it takes, in each round."""
        return [a / b for a, b in zip(self.rounds[name], self.rounds[other], strict=True)]

    def ratio(self, name, other):
        """The median of the ratios; ``None`` if one of the two was skipped."""
        if name not in self.rounds or other not in self.rounds:
            return None
        return statistics.median(self.ratios(name, other))

    def ratio_text(self, name, other):
        """The median of the ratios, and where the middle half of them lies."""
        low, middle, high = statistics.quantiles(self.ratios(name, other), method="inclusive")
        return f"{middle:.2f}x ({low:.2f} to {high:.2f})"

    def differences(self, name, other):
        """How many seconds longer than ``other`` it takes: the quartiles over the rounds."""
        seconds = [a - b for a, b in zip(self.rounds[name], self.rounds[other], strict=True)]
        return statistics.quantiles(seconds, method="inclusive")

    def ours(self):
        """The names of our contenders that ran."""
        return [one.name for one in self.case.contenders if one.ours and one.name in self.rounds]


def load(package):
    """A module, or ``None``, and in that case the reason."""
    try:
        return importlib.import_module(package), ""
    except ImportError as error:
        if isinstance(error, ModuleNotFoundError) and error.name == package.split(".")[0]:
            return None, f"{package} is not installed"
        return None, f"{package} does not import: {error}"


def seconds_a_call(timer):
    """The mean of so many calls that they take about ``SECONDS_A_ROUND`` together, once others are quiet."""
    before = 0.0
    while before < SECONDS_BEFORE:
        before += timer.timeit(1)
    calls = 1
    while True:
        elapsed = timer.timeit(calls)
        if elapsed > 0.7 * SECONDS_A_ROUND:
            return elapsed / calls
        growth = SECONDS_A_ROUND / max(elapsed, 1e-9)
        calls = int(calls * min(max(growth, 1.5), 100)) + 1


def prepare(contender, names):
    """The contender's timer, once its statement has run; or ``None``, and in that case the reason."""
    try:
        exec(contender.setup, names)
        exec(contender.statement, names)
    except Exception as error:
        if contender.ours:
            raise
        return None, f"{type(error).__name__}: {error}"
    return timeit.Timer(contender.statement, globals=names), ""


def timers(case, surroundings):
    """A timer for each contender that can run, and why the others cannot."""
    shared = dict(surroundings.names)
    exec(case.setup, shared)
    ready, skipped = {}, {}
    for contender in case.contenders:
        name, why = contender.name, surroundings.missing.get(contender.needs)
        timer = None
        if why is None:
            timer, why = prepare(contender, dict(shared))
        if timer is None:
            skipped[name] = why
        else:
            ready[name] = timer
    return ready, skipped


def measure(case, surroundings, rounds, progress):
    """Runs the contenders of a case in turns; each round begins with another one."""
    ready, skipped = timers(case, surroundings)
    times = {name: [] for name in ready}
    order = list(ready)
    for done in range(rounds):
        progress.show(case.name, done / rounds)
        for name in order:
            surroundings.settle()
            times[name].append(seconds_a_call(ready[name]))
        order = order[1:] + order[:1]
    return Result(case, times, skipped)


class Progress:
    """Which case is running, on stderr: a bar on a terminal, else a line for each case."""

    WIDTH = 20

    def __init__(self, count):
        self.count = count
        self.number = 0
        self.tty = sys.stderr.isatty()

    def next(self):
        """Goes on to the next case."""
        self.number += 1

    def show(self, name, share):
        """Says how much of the case is done."""
        label = f"[{self.number}/{self.count}] {name}"
        if self.tty:
            filled = round(share * self.WIDTH)
            bar = "#" * filled + "-" * (self.WIDTH - filled)
            print(f"\r\033[K{bar} {label}", end="", file=sys.stderr, flush=True)
        elif share == 0:
            print(label, file=sys.stderr, flush=True)

    def end(self):
        """Wipes the bar."""
        if self.tty:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def measure_all(cases, surroundings, rounds):
    """The results of all cases."""
    progress = Progress(len(cases))
    results = []
    for case in cases:
        progress.next()
        results.append(measure(case, surroundings, rounds, progress))
    progress.end()
    return results


def human_time(seconds):
    """Three digits and a unit."""
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}" if seconds < 1000 * scale else f"{seconds / scale:.0f} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def print_rows(rows):
    """Rows of text in columns: the first two to the left, the rest to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def our_names(results):
    """The names of our contenders, in all cases, in order of appearance."""
    return list(dict.fromkeys(name for result in results for name in result.ours()))


def table_rows(result, ours):
    """The rows of one case; its name stands in the first of them only."""
    rows = []
    for contender in result.case.contenders:
        title = "" if rows else result.case.name
        if contender.name in result.skipped:
            rows.append((title, contender.name, "skipped", *("" for _ in ours)))
            continue
        ratios = (None if name == contender.name else result.ratio(name, contender.name) for name in ours)
        shown = ("" if ratio is None else f"{ratio:.2f}" for ratio in ratios)
        rows.append((title, contender.name, human_time(result.median(contender.name)), *shown))
    return rows


def print_table(results):
    """All times, what our contenders take relative to each, and why some were skipped."""
    ours = our_names(results)
    rows = [("case", "contender", "median", *(f"{name.removeprefix('colocate ')} / it" for name in ours))]
    for result in results:
        rows.extend(table_rows(result, ours))
    print_rows(rows)
    print("\n'x / it': the time of x relative to the contender of the row; below 1, x is faster.")
    for name, why in dict.fromkeys(pair for result in results for pair in result.skipped.items()):
        print(f"skipped {name}: {why}")


def cpu_name():
    """What the processor calls itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def version(package):
    """The installed version, or ``None``."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def machine_facts():
    """What the times depend on."""
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "cores_allowed": len(os.sched_getaffinity(0)),
        "load_average": round(os.getloadavg()[0], 2),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
    }


def as_record(result):
    """A result for JSON."""
    ours = result.ours()
    contenders = {}
    for contender in result.case.contenders:
        name = contender.name
        record = {"setup": contender.setup, "statement": contender.statement}
        if name in result.skipped:
            record["skipped"] = result.skipped[name]
        else:
            record["median_s"] = result.median(name)
            record["rounds_s"] = result.rounds[name]
            record["ratio_of"] = {our: result.ratio(our, name) for our in ours if our != name}
        contenders[name] = record
    return {"case": result.case.name, "setup": result.case.setup, "contenders": contenders}


def write_json(path, facts, results, **more):
    """Writes everything that was measured."""
    record = {"machine": facts, "cases": [as_record(result) for result in results], **more}
    Path(path).write_text(json.dumps(record, indent=2) + "\n")


def options(description, arguments=None):
    """The command line: ``rounds``, ``json`` and ``only``."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds in place of {ROUNDS}")
    parser.add_argument("--json", metavar="PATH", help="write all times to a file")
    parser.add_argument("--only", metavar="TEXT", default="", help="run only cases whose name has this in it")
    chosen = parser.parse_args(arguments)
    chosen.rounds = QUICK_ROUNDS if chosen.quick else ROUNDS
    return chosen
