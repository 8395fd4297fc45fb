"""What array functions cost: beside NumPy, dpnp on the same CPU, and JAX without compilation.

    python bench/arrays.py [--quick] [--json PATH] [--only TEXT]

Every contender computes the same expression with its own package, and waits for the result. Before a
case is timed, the results are compared with NumPy's. What a package does not have is reported as
missing.

Elementwise functions of large arrays cannot be quicker than their operands and results come and go. So there
one contender more, "memory", only copies as many bytes on two threads; a target that asks for more than
that is reported as beyond this machine's memory, not as missed, if colocate takes no longer than the copy.
"""

import functools
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy
from measure import (
    Case,
    Contender,
    Progress,
    Surroundings,
    load,
    machine_facts,
    measure,
    options,
    print_table,
    version,
    write_json,
)

import colocate

NUMPY, DPNP, JAX, MEMORY = "numpy", "dpnp", "jax", "memory"
NATIVE, OPENCL = "colocate native", "colocate opencl:cpu"
PEER_PACKAGES = ("jax",)

# What is asked of a case, besides what is asked of all: a limit of our time relative to a peer's.
SMALL, ELEMENTWISE, TRANSCENDENTAL, THROUGHPUT, LIBRARY, OTHER = range(6)
AGAINST_NUMPY = {
    SMALL: (2, "within 2x of numpy's time"),
    ELEMENTWISE: (1 / 2, "at least 2x as fast as numpy"),
    TRANSCENDENTAL: (1 / 6, "at least 6x as fast as numpy"),
    THROUGHPUT: (1 / 1.5, "at least 1.5x as fast as numpy"),
}
LIBRARY_LIMIT = 1.1
FLOOR = 1 / 0.8
# What takes no longer than this times a copy of the bytes that it moves is as quick as the memory.
MEMORY_LIMIT = 1.1

# Idle threads of some pools spin for a while before they sleep.
REST = 0.005
# Slow cases run a third of the rounds, but not fewer than this.
FEWEST_ROUNDS = 3

ALL_PACKAGES = (NUMPY, DPNP, JAX, NATIVE, OPENCL)
# How each package waits for a result, and for a tuple of them.
WAITING = {
    NUMPY: ("{}", "{}"),
    DPNP: ("{}; dpnp_queue.wait()", "{}; dpnp_queue.wait()"),
    JAX: ("({}).block_until_ready()", "jax.block_until_ready({})"),
    NATIVE: ("({}).wait()", "[one.wait() for one in {}]"),
    OPENCL: ("({}).wait()", "[one.wait() for one in {}]"),
}
NAMESPACES = {NUMPY: "np", DPNP: "dpnp", JAX: "jnp", NATIVE: "cl", OPENCL: "cl"}
ARRIVAL = {NUMPY: "", DPNP: "to_dpnp", JAX: "to_jax", NATIVE: "to_native", OPENCL: "to_opencl"}


@dataclass(frozen=True)
class Race:
    """One expression of arrays, computed by every package.

    ``expression`` uses ``xp`` and the arrays that ``data`` makes with NumPy; ``others`` has another
    expression for packages that spell it differently. ``uses`` names the functions that it needs of
    ours. ``several`` results are a tuple; of a ``view`` there is nothing to wait for. ``compared`` is
    what of the result ``r`` must agree, or ``None``. ``moves`` is how many bytes at least come from memory
    and go there, if that is what limits it.
    """

    name: str
    kind: int
    data: str
    arrays: str
    expression: str
    uses: tuple[str, ...] = ()
    others: dict[str, str] = field(default_factory=dict)
    several: bool = False
    view: bool = False
    compared: str | None = "r"
    tolerance: float = 1e-9
    slow: bool = False
    moves: int = 0

    def contender(self, package):
        """The package's part in the race."""
        expression = self.others.get(package, self.expression)
        names = self.arrays.split()
        move = ARRIVAL[package]
        setup = [f"xp = {NAMESPACES[package]}"]
        if move:
            setup += [f"{name} = {move}({name})" for name in names]
        if "rng" in expression:
            setup.append(f"rng = {GENERATORS[package]}")
        if self.compared is not None:
            setup.append(f"r = {expression}\nagree({self.compared})")
        return Contender(
            package,
            expression if self.view else WAITING[package][self.several].format(expression),
            "\n".join(setup),
            needs=" ".join((package, *self.uses)) if package in (NATIVE, OPENCL) else package,
            ours=package in (NATIVE, OPENCL),
        )

    def case(self):
        """All packages."""
        agree = f"\nagree = Agreement({self.tolerance})"
        contenders = [self.contender(package) for package in ALL_PACKAGES]
        if self.moves:
            contenders.append(Contender(MEMORY, "copy()", f"copy = Copy({self.moves})"))
        return Case(self.name, contenders, self.data + agree)


GENERATORS = {
    NUMPY: "np.random.default_rng(1)",
    DPNP: "dpnp.random",
    JAX: "jax.random.key(1)",
    NATIVE: "cl.random.default_rng(1, device=native.device)",
    OPENCL: "cl.random.default_rng(1, device=opencl.device)",
}


def floats(count, names="a b", dtype="f8"):
    """Code that makes arrays of random numbers between 0 and 1."""
    return "\n".join(f"{name} = source.random({count}, '{dtype}')" for name in names.split())


def small_races():
    """What a call costs."""
    data = floats(10)
    return [
        Race("a + b, 10 f64", SMALL, data, "a b", "a + b", ("add",)),
        Race("a + 2.0, 10 f64", SMALL, data, "a", "a + 2.0", ("add",)),
        Race("exp, 10 f64", SMALL, data, "a", "xp.exp(a)", ("exp",)),
        Race("sum, 10 f64", SMALL, data, "a", "xp.sum(a)", ("sum",)),
        Race("where, 10 f64", SMALL, data + "\nm = a > 0.5", "m a b", "xp.where(m, a, b)", ("where",)),
        Race("reshape, 10 f64", SMALL, data, "a", "xp.reshape(a, (2, 5))", ("reshape",), view=True),
        Race("a[2:5], 10 f64", SMALL, data, "a", "a[2:5]", view=True),
    ]


def elementwise_races():
    """Streams of memory, and mathematics."""
    large, single = floats(10_000_000), floats(10_000_000, dtype="f4")
    square = floats("(4000, 4000)")
    return [
        Race("a + b, 1e4 f64", OTHER, floats(10_000), "a b", "a + b", ("add",)),
        Race("a + b, 1e7 f64", ELEMENTWISE, large, "a b", "a + b", ("add",), moves=240_000_000),
        Race("a + b, 1e7 f32", ELEMENTWISE, single, "a b", "a + b", ("add",), tolerance=1e-5, moves=120_000_000),
        Race("a[::2] + b[::2], 1e7 f64", ELEMENTWISE, large, "a b", "a[::2] + b[::2]", ("add",), moves=200_000_000),
        Race("a.T + b, 4000^2 f64", ELEMENTWISE, square, "a b", "a.T + b", ("add",), moves=384_000_000),
        Race("exp, 1e7 f64", TRANSCENDENTAL, large, "a", "xp.exp(a)", ("exp",), moves=160_000_000),
        Race("sin, 1e7 f64", TRANSCENDENTAL, large, "a", "xp.sin(a)", ("sin",), moves=160_000_000),
        Race("exp, 1e7 f32", OTHER, single, "a", "xp.exp(a)", ("exp",), tolerance=1e-5),
        Race("sin, 1e7 f32", OTHER, single, "a", "xp.sin(a)", ("sin",), tolerance=1e-5),
    ]


def gathering_races():
    """Reductions, scans, masks, indices, sorting."""
    large, square = floats(10_000_000), floats("(4000, 4000)", "a")
    masked = large + "\nm = a > 0.5"
    indexed = large + "\ni = source.integers(0, a.size, a.size)"
    whole = "a = source.integers(0, 100_000, 10_000_000)"
    return [
        Race("sum, 1e7 f64", THROUGHPUT, large, "a", "xp.sum(a)", ("sum",)),
        Race("sum of axis 0, 4000^2 f64", THROUGHPUT, square, "a", "xp.sum(a, axis=0)", ("sum",)),
        Race("sum of axis 1, 4000^2 f64", THROUGHPUT, square, "a", "xp.sum(a, axis=1)", ("sum",)),
        Race("cumsum, 1e7 f64", THROUGHPUT, large, "a", "xp.cumsum(a)", ("cumsum",)),
        Race("a[mask], 1e7 f64", THROUGHPUT, masked, "a m", "a[m]"),
        Race("where, 1e7 f64", THROUGHPUT, masked, "m a b", "xp.where(m, a, b)", ("where",)),
        Race("take, 1e7 f64", OTHER, indexed, "a i", "xp.take(a, i)", ("take",)),
        Race("a[i], 1e7 f64", OTHER, indexed, "a i", "a[i]"),
        Race("sort, 1e7 f64", THROUGHPUT, large, "a", "xp.sort(a)", ("sort",), slow=True),
        # Equal numbers may come in any order, and NumPy's different ones too.
        Race("argsort, 1e7 f64", THROUGHPUT, large, "a", "xp.argsort(a)", ("argsort",), compared="a[r]", slow=True),
        Race(
            "unique, 1e7 i64",
            OTHER,
            whole,
            "a",
            "xp.unique_values(a)",
            ("unique_values",),
            compared="xp.sort(r)",
            slow=True,
        ),
    ]


def library_races():
    """What others do with libraries of their own."""
    square = "a, b = (source.random((1024, 1024), '{}') for _ in range(2))"
    symmetric = "a = source.random((500, 500)); a = a + a.T"
    signal = "a = source.random(2**20) + 1j * source.random(2**20)"
    system = "a, b = source.random((1000, 1000)) + 1000 * np.eye(1000), source.random((1000, 10))"
    draw = {
        NUMPY: "rng.standard_normal(n)",
        DPNP: "rng.standard_normal(n)",
        JAX: "jax.random.normal(rng, (n,), 'f8')",
    }
    return [
        Race("matmul, 1024 f32", LIBRARY, square.format("f4"), "a b", "a @ b", ("matmul",), tolerance=1e-3),
        Race("matmul, 1024 f64", LIBRARY, square.format("f8"), "a b", "a @ b", ("matmul",)),
        Race("fft, 2^20 c128", LIBRARY, signal, "a", "xp.fft.fft(a)", ("fft.fft",), tolerance=1e-6),
        Race(
            "svd, 500 f64",
            LIBRARY,
            "a = source.random((500, 500))",
            "a",
            "xp.linalg.svd(a)",
            ("linalg.svd",),
            several=True,
            compared="r[1]",
            slow=True,
        ),
        Race("solve, 1000 f64", LIBRARY, system, "a b", "xp.linalg.solve(a, b)", ("linalg.solve",)),
        Race(
            "eigh, 500 f64",
            LIBRARY,
            symmetric,
            "a",
            "xp.linalg.eigh(a)",
            ("linalg.eigh",),
            several=True,
            compared="r[0]",
            slow=True,
        ),
        Race(
            "normal, 1e7 f64",
            OTHER,
            "n = 10_000_000",
            "",
            "rng.standard_normal(n)",
            ("random.default_rng",),
            others=draw,
            compared=None,
            slow=True,
        ),
    ]


def races():
    """All of them, in order."""
    return [*small_races(), *elementwise_races(), *gathering_races(), *library_races()]


class Copy:
    """Copies half as many bytes as are to be moved, each core a part: NumPy lets go of the lock meanwhile."""

    def __init__(self, moved):
        threads = len(os.sched_getaffinity(0))
        source, target = (numpy.ones(moved // 2, "u1") for _ in range(2))
        self.pool = ThreadPoolExecutor(threads)
        self.parts = list(zip(numpy.array_split(target, threads), numpy.array_split(source, threads), strict=True))

    def __call__(self):
        """Once; the caller's thread does a part."""
        others = [self.pool.submit(numpy.copyto, *part) for part in self.parts[1:]]
        numpy.copyto(*self.parts[0])
        for one in others:
            one.result()


class Agreement:
    """Compares results with the first one, which is NumPy's."""

    def __init__(self, tolerance):
        self.tolerance = tolerance
        self.first = None

    def __call__(self, result):
        """Raises where an element differs."""
        result = to_host(result)
        if self.first is None:
            self.first = result
        scale = numpy.abs(self.first).max(initial=1)
        numpy.testing.assert_allclose(result, self.first, rtol=self.tolerance, atol=self.tolerance * float(scale))


def to_host(result):
    """Any package's array as NumPy's."""
    if isinstance(result, colocate.Array):
        return colocate.asnumpy(result)
    return result.asnumpy() if hasattr(result, "asnumpy") else numpy.asarray(result)


def has(names):
    """Whether colocate has the function, which may be in a namespace of its own."""
    try:
        functools.reduce(getattr, names.split("."), colocate)
    except AttributeError:
        return False
    return True


def opencl_queue():
    """The default queue of ``opencl:cpu``, or ``None``, and in that case the reason."""
    try:
        return colocate.Device("opencl:cpu").default_queue, ""
    except colocate.Error as error:
        return None, str(error).splitlines()[0]


def add_jax(names, missing):
    """JAX with double precision, as the others have it."""
    names["jax"], why = load("jax")
    if names["jax"] is None:
        missing[JAX] = why
        return
    names["jax"].config.update("jax_enable_x64", True)
    names["jnp"] = names["jax"].numpy
    names["to_jax"] = names["jnp"].asarray


def add_dpnp(names, missing):
    """dpnp, on the CPU that all others use."""
    names["dpnp"], why = load("dpnp")
    if names["dpnp"] is None:
        missing[DPNP] = why
        return
    try:
        queue = names["dpnp"].ones(1, device="opencl:cpu").sycl_queue
    except Exception as error:
        missing[DPNP] = f"dpnp has no queue for opencl:cpu: {error}"
        return
    names["dpnp_queue"] = queue
    names["to_dpnp"] = lambda array: names["dpnp"].asarray(array, sycl_queue=queue)


def add_missing_functions(missing, all_races):
    """For every combination of functions that a race needs: what is missing on each of our devices."""
    for race in all_races:
        absent = [f"colocate.{name}" for name in race.uses if not has(name)]
        for package in (NATIVE, OPENCL):
            why = missing.get(package) or (f"missing: {', '.join(absent)}" if absent else None)
            if why:
                missing[" ".join((package, *race.uses))] = why


def surroundings(all_races):
    """The packages and queues there are. The first device query shows dpctl the OpenCL driver."""
    colocate.devices()
    names = {
        "cl": colocate,
        "np": numpy,
        "source": numpy.random.default_rng(42),
        "native": colocate.set_global_queue("native:cpu"),
        "Agreement": Agreement,
        "Copy": Copy,
    }
    missing = {}
    names["opencl"], why = opencl_queue()
    if names["opencl"] is None:
        missing[OPENCL] = why
    for name in ("native", "opencl"):
        names[f"to_{name}"] = functools.partial(colocate.asarray, queue=names[name], copy=True)
    add_dpnp(names, missing)
    add_jax(names, missing)
    add_missing_functions(missing, all_races)
    queues = [names[name] for name in ("native", "opencl", "dpnp_queue") if names.get(name)]

    def settle():
        for queue in queues:
            queue.wait()
        time.sleep(REST)

    return Surroundings(names, missing, settle)


def measure_races(chosen, there, rounds):
    """The results, in the order of the races."""
    progress = Progress(len(chosen))
    results = []
    for race in chosen:
        progress.next()
        turns = max(FEWEST_ROUNDS, rounds // 3) if race.slow else rounds
        results.append(measure(race.case(), there, turns, progress))
    progress.end()
    return results


MET, MISSED, BEYOND = "met", "missed", "memory"


def compare(result, ours, peer, text, limit):
    """One target, if both ran."""
    if ours not in result.rounds or peer not in result.rounds:
        return []
    verdict, copy = MET if result.ratio(ours, peer) <= limit else MISSED, result.ratio(MEMORY, peer)
    if verdict == MISSED and copy and copy > limit and result.ratio(ours, MEMORY) <= MEMORY_LIMIT:
        verdict = BEYOND
        text += f"; a copy of its bytes takes {copy:.2f}x"
    return [(f"{result.case.name}: {ours} {text}", verdict, result.ratio_text(ours, peer))]


def judge_race(race, result):
    """The targets of one race: its own, and those of all."""
    if NATIVE not in result.rounds:
        why = result.skipped[NATIVE]
        return [(f"{race.name}: {why}", MISSED, "missing")]
    verdicts = []
    if race.kind in AGAINST_NUMPY:
        limit, text = AGAINST_NUMPY[race.kind]
        verdicts += compare(result, NATIVE, NUMPY, text, limit)
    elif race.kind == LIBRARY:
        best = min((name for name in (NUMPY, JAX) if name in result.rounds), key=result.median, default=None)
        if best:
            verdicts += compare(result, NATIVE, best, f"within 10 % of the best, {best}", LIBRARY_LIMIT)
    if race.kind not in (SMALL, LIBRARY):
        verdicts += compare(result, NATIVE, NUMPY, "no slower than 0.8x of numpy", FLOOR)
    for ours in (NATIVE, OPENCL):
        verdicts += compare(result, ours, DPNP, "faster than dpnp", 1)
    return verdicts


def print_targets(verdicts):
    """What was to be reached, and what was."""
    print("\ntargets (median of our time relative to the peer's, middle half of the rounds):")
    for text, verdict, number in verdicts:
        print(f"  {verdict:8} {number:23} {text}")
    count = [verdict for _, verdict, _ in verdicts].count
    print(f"{count(MET)} of {len(verdicts)} met, {count(BEYOND)} beyond what this machine's memory can do")


def main():
    """Measures, prints and, if asked for, writes a file."""
    chosen = options("What colocate's array functions cost, beside NumPy, dpnp and JAX.")
    facts = machine_facts() | {package: version(package) for package in PEER_PACKAGES}
    selected = [race for race in races() if chosen.only in race.name]
    results = measure_races(selected, surroundings(selected), chosen.rounds)
    verdicts = [verdict for race, result in zip(selected, results, strict=True) for verdict in judge_race(race, result)]
    print(", ".join(f"{name} {value}" for name, value in facts.items()), end="\n\n")
    print_table(results)
    print_targets(verdicts)
    if chosen.json:
        targets = [{"target": text, "verdict": verdict, "measured": number} for text, verdict, number in verdicts]
        write_json(chosen.json, facts, results, targets=targets)


if __name__ == "__main__":
    main()
