"""What kernels cost: throughput, first call and launch, beside Numba, Intel's OpenCL, JAX and NumPy.

    python bench/kernels.py [--quick] [--json PATH] [--only TEXT]

The same kernels run on the native backend and, through the SYCL backend, as Intel's OpenCL for CPUs
compiles them. The peers' programs stand beside ours in ``bench/programs``. Before a case is timed,
the results of its contenders are compared with each other.
"""

import os
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
    print_table,
    version,
    write_json,
)

import colocate

PROGRAMS = Path(__file__).parent / "programs"
sys.path.insert(0, str(PROGRAMS))

NATIVE, FAST, OPENCL = "colocate native", "colocate native, fastmath", "colocate opencl:cpu"
NUMBA = ("numba", "numba, fastmath")
# What a contender's name ends with if it is there to be seen, but not to be judged by.
OTHER_WAY = " (other way)"

VECTOR_ADD = "vector add"
BLACK_SCHOLES = "Black-Scholes"
COLD, WARM = "first call, empty cache", "first call, filled cache"
LAUNCH = "launch of 64 items"

PEER_SHARE = 0.9
NUMBA_FACTOR = 2
LIMITS = {COLD: 40e-3, WARM: 5e-3, LAUNCH: 5e-6}
# Equal code differs by this much from run to run.
TIE = 1.05
# Idle threads of some pools spin for a while before they sleep.
REST = 0.005

PEER_PACKAGES = ("numba", "numexpr", "jax")

OPENCL_C = """
__kernel void add(__global const float *a, __global const float *b, __global float *c)
{
    size_t i = get_global_id(0);
    c[i] = a[i] + b[i];
}
"""


class Agreement:
    """Compares results: each must be close to the first one."""

    def __init__(self, rtol=1e-4, atol=1e-6):
        self.tolerance = {"rtol": rtol, "atol": atol}
        self.first = None

    def __call__(self, *results):
        """Raises where an array differs from the one that came first."""
        results = [numpy.asarray(one) for one in results]
        if self.first is None:
            self.first = [one.copy() for one in results]
        for one, other in zip(results, self.first, strict=True):
            numpy.testing.assert_allclose(one, other, **self.tolerance)


def native(statement, setup):
    """colocate on its own backend."""
    return Contender(NATIVE, statement, f"q, k = native, kernels\n{setup}", needs="native", ours=True)


def native_fast(statement, setup):
    """The same, with arithmetic that may be re-associated."""
    return Contender(FAST, statement, f"q, k = native, fast_kernels\n{setup}", needs="native", ours=True)


def opencl(statement, setup):
    """colocate on the SYCL backend: Intel's OpenCL for CPUs."""
    return Contender(OPENCL, statement, f"q, k = opencl, kernels\n{setup}", needs="opencl", ours=True)


def ours(statement, setup, check, fastmath=True):
    """The same kernel everywhere; ``check`` is an expression of what to compare."""
    setup = f"{setup}\n{statement}\nagree({check})"
    makers = (native, native_fast, opencl) if fastmath else (native, opencl)
    return [make(statement, setup) for make in makers]


def peer(name, statement, setup="", check=None):
    """Another package, which is the first word of the name."""
    setup = f"{setup}\nagree({check})" if check else setup
    return Contender(name, statement, setup, needs=name.split()[0].rstrip(","))


def numba_pair(call, setup, check, way=""):
    """Numba without and with fastmath; ``call`` is a function of ``k`` and its arguments."""
    return [
        peer(name + way, call, f"k = {loops}\n{setup}\n{call}", check)
        for name, loops in zip(NUMBA, ("loops", "fast_loops"), strict=True)
    ]


def vector_add():
    """Three streams of memory."""
    return Case(
        f"{VECTOR_ADD}, 1e7 f32",
        [
            *ours("k.add[n](x, y, z).wait()", "x, y, z = on(q, a, b, c)", "cl.asnumpy(z)"),
            *numba_pair("k.add(a, b, c)", "c = c.copy()", "c"),
            peer("numpy", "np.add(a, b, out=c)", "c = a + b", "c"),
            peer("numexpr", "ne.evaluate('a + b', out=c)", "c = ne.evaluate('a + b')", "c"),
            peer("jax", "jf.add(x, y).block_until_ready()", "x, y = to_jax(a, b)", "jf.add(x, y)"),
        ],
        """
n = 10_000_000
a, b = (rng.random(n, 'f4') for _ in range(2))
c = np.zeros(n, 'f4')
agree = Agreement()
""",
    )


def saxpy():
    """One of the operands is the result; the factor is so small that it stays in range."""
    return Case(
        "saxpy, 1e7 f32",
        [
            *ours("k.saxpy[n](f, x, y).wait()", "x, y = on(q, a, b)", "cl.asnumpy(y)"),
            *numba_pair("k.saxpy(f, a, b)", "b = b.copy()", "b"),
            peer("numexpr", "ne.evaluate('f * a + b', out=b)", "b = ne.evaluate('f * a + b')", "b"),
            peer("jax", "jf.saxpy(f, x, y).block_until_ready()", "x, y = to_jax(a, b)", "jf.saxpy(f, x, y)"),
        ],
        """
n, f = 10_000_000, np.float32(1e-6)
a, b = (rng.random(n, 'f4') for _ in range(2))
agree = Agreement()
""",
    )


def black_scholes():
    """Mathematical functions in double precision."""
    call = "k.black_scholes(price, strike, years, 0.1, 0.2, call, put)"
    jax_call = "jf.black_scholes(x, y, z, 0.1, 0.2)"
    return Case(
        f"{BLACK_SCHOLES}, 1e7 f64",
        [
            *ours(
                "k.black_scholes[n](x, y, z, 0.1, 0.2, u, v).wait()",
                "x, y, z, u, v = on(q, price, strike, years, call, put)",
                "cl.asnumpy(u), cl.asnumpy(v)",
            ),
            *numba_pair(call, "call, put = call.copy(), put.copy()", "call, put"),
            peer("jax", f"jax.block_until_ready({jax_call})", "x, y, z = to_jax(price, strike, years)", f"*{jax_call}"),
        ],
        """
n = 10_000_000
price, strike, years = rng.uniform(10, 50, n), rng.uniform(10, 50, n), rng.uniform(1, 2, n)
call, put = np.zeros(n), np.zeros(n)
agree = Agreement(rtol=1e-9, atol=1e-9)
""",
    )


def matmul(kind, space):
    """One item per element of the product; the libraries' own matrix products are another algorithm."""
    return Case(
        f"{kind} matmul, 1024 f32",
        [
            *ours(f"k.matmul_{kind}[{space}](x, y, z).wait()", "x, y, z = on(q, a, b, c)", "cl.asnumpy(z)"),
            *numba_pair(f"k.matmul_{kind}(a, b, c)", "c = c.copy()", "c"),
            peer(f"numpy{OTHER_WAY}", "np.matmul(a, b, out=c)", "c = a @ b", "c"),
            peer(f"jax{OTHER_WAY}", "jf.matmul(x, y).block_until_ready()", "x, y = to_jax(a, b)", "jf.matmul(x, y)"),
        ],
        """
n = 1024
a, b = (rng.random((n, n), 'f4') for _ in range(2))
c = np.zeros((n, n), 'f4')
agree = Agreement()
""",
    )


def nbody():
    """All pairs of bodies: the accelerations."""
    return Case(
        "n-body, 8192 f32",
        [
            *ours(
                "k.nbody[n](*bodies, *pulls).wait()",
                "bodies, pulls = on(q, *bodies), on(q, *pulls)",
                "*(cl.asnumpy(one) for one in pulls)",
            ),
            *numba_pair("k.nbody(*bodies, *pulls)", "pulls = [one.copy() for one in pulls]", "*pulls"),
        ],
        """
n = 8192
bodies = [rng.random(n, 'f4') for _ in range(4)]
pulls = [np.zeros(n, 'f4') for _ in range(3)]
agree = Agreement(rtol=1e-3, atol=0.5)
""",
    )


HISTOGRAM_SETUP = """
values = rng.integers(0, 256, 10_000_000, 'i4')
bins = np.zeros(256, 'i4')
agree = Agreement()
"""


def histograms():
    """Atomics on the result itself, and on local memory first.

    Numba's way, bins of each thread, is the algorithm of the second kernel. Its groups have as many items as a line
    of the cache has elements: CPUs run a group's items one vector after the other, so that in larger groups each
    line comes from memory again for every vector of items, at half the speed on both devices.
    """
    setup, check = "x, y = on(q, values, bins)", "cl.asnumpy(y)"
    numba = ("k.histogram(values, bins)", "bins = bins.copy()", "bins")

    def with_libraries(way):
        return [
            peer(f"numpy{way}", "np.bincount(values, minlength=256)", "", "np.bincount(values, minlength=256)"),
            peer(f"jax{way}", "jf.histogram(x).block_until_ready()", "x, = to_jax(values)", "jf.histogram(x)"),
        ]

    shared = ours("y[...] = 0; k.histogram_global[values.size](x, y).wait()", setup, check, fastmath=False)
    local = ours("y[...] = 0; k.histogram_local[space](x, y).wait()", setup, check, fastmath=False)
    return [
        Case(
            "histogram, global atomics, 1e7 i32",
            [*shared, *numba_pair(*numba, OTHER_WAY)[:1], *with_libraries(OTHER_WAY)],
            HISTOGRAM_SETUP,
        ),
        Case(
            "histogram, local atomics, 1e7 i32",
            [*local, *numba_pair(*numba)[:1], *with_libraries("")],
            f"{HISTOGRAM_SETUP}\nspace = cl.NdRange(256 * 16, 16)",
        ),
    ]


def stencil():
    """Each element and its four neighbours, without the border."""
    expression = "'0.5 * c + 0.125 * (n + s + w + e)'"
    views = "c, n, s, w, e = a[1:-1, 1:-1], a[:-2, 1:-1], a[2:, 1:-1], a[1:-1, :-2], a[1:-1, 2:]"
    evaluate = f"ne.evaluate({expression}, out=b[1:-1, 1:-1], casting='same_kind')"
    return Case(
        "2-D stencil, 4096 f32",
        [
            *ours("k.stencil[size - 2, size - 2](x, y).wait()", "x, y = on(q, a, b)", "cl.asnumpy(y)"),
            *numba_pair("k.stencil(a, b)", "b = b.copy()", "b"),
            peer("numexpr", evaluate, f"b = b.copy(); {views}\n{evaluate}", "b"),
            peer("jax", "jf.stencil(x).block_until_ready()", "x, = to_jax(a)", "jf.stencil(x)"),
        ],
        """
size = 4096
a = rng.random((size, size), 'f4')
b = np.zeros((size, size), 'f4')
agree = Agreement()
""",
    )


def mandelbrot():
    """A loop whose length differs from item to item. JAX runs all of them to the end."""
    call = "jf.mandelbrot(steps.shape, 200)"
    return Case(
        "mandelbrot, 1024 f64",
        [
            *ours("k.mandelbrot[size, size](x, 200).wait()", "x, = on(q, steps)", "mostly(cl.asnumpy(x))"),
            *numba_pair("k.mandelbrot(steps, 200)", "steps = steps.copy()", "mostly(steps)"),
            peer(f"jax{OTHER_WAY}", f"{call}.block_until_ready()", "", f"mostly({call})"),
        ],
        """
size = 1024
steps = np.zeros((size, size), 'i4')
agree = Agreement(rtol=1e-3)
# Contracted products move some points across the border.
mostly = lambda steps: np.asarray(steps).mean(axis=1)
""",
    )


def launch():
    """A kernel so small that only the way to it costs anything. dpctl's ``submit`` waits."""
    dpctl_setup = """
x, y, z = (memory.MemoryUSMDevice(4 * n, queue=dpctl_queue) for _ in range(3))
import dpctl.program
program = dpctl.program.create_program_from_source(dpctl_queue, OPENCL_C)
add = program.get_sycl_kernel('add')
"""
    setup = "x, y, z = on(q, a, b, c); add = k.add"
    statement = "add[64](x, y, z).wait()"
    return Case(
        LAUNCH,
        [
            native(statement, setup),
            opencl(statement, setup),
            peer("numba", "add(a, b, c)", "add = loops.add"),
            peer("jax", "add(x, y).block_until_ready()", "add = jf.add; x, y = to_jax(a, b)"),
            peer("dpctl", "dpctl_queue.submit(add, [x, y, z], [n])", dpctl_setup),
        ],
        "n = 64; a, b, c = (np.ones(n, 'f4') for _ in range(3))",
    )


def throughput_cases():
    """What is measured in this process, in order."""
    return [
        vector_add(),
        saxpy(),
        black_scholes(),
        matmul("naive", "n, n"),
        matmul("tiled", "cl.NdRange((n, n), (16, 16))"),
        nbody(),
        *histograms(),
        stencil(),
        mandelbrot(),
        launch(),
    ]


def first_call_cases():
    """What is measured in new processes; the statement is the command line of ``first_call.py``."""

    def contenders(*peers):
        return [
            Contender(NATIVE, "colocate native:cpu", needs="native", ours=True),
            Contender(OPENCL, "colocate opencl:cpu", needs="opencl", ours=True),
            *(peer(name.split("-")[0], name) for name in peers),
        ]

    return [Case(COLD, contenders("numba", "jax")), Case(WARM, contenders("numba-cached"))]


def opencl_queue():
    """The default queue of ``opencl:cpu``, or ``None``, and in that case the reason."""
    try:
        return colocate.Device("opencl:cpu").default_queue, ""
    except colocate.Error as error:
        return None, str(error).splitlines()[0]


def add_peers(names, missing):
    """Puts the peers' programs among the names, or the reason among what is missing."""
    for package, module in (("numba", "numba_loops"), ("jax", "jax_functions")):
        names[package], why = load(package)
        if names[package] is None:
            missing[package] = why
        elif package == "numba":
            names["loops"], names["fast_loops"] = (load(module)[0].compiled(fast) for fast in (False, True))
        else:
            names["jf"] = load(module)[0].compiled()
            names["to_jax"] = lambda *arrays: [names["jax"].numpy.asarray(one) for one in arrays]
    names["ne"], why = load("numexpr")
    if names["ne"] is None:
        missing["numexpr"] = why
    dpctl, why = load("dpctl")
    if dpctl is None:
        missing["dpctl"] = why
        return
    names["memory"], _ = load("dpctl.memory")
    try:
        names["dpctl_queue"] = dpctl.SyclQueue("opencl:cpu")
    except Exception as error:
        missing["dpctl"] = f"dpctl has no queue for opencl:cpu: {error}"


def surroundings():
    """The packages and queues there are. The first device query shows dpctl the OpenCL driver."""
    colocate.devices()
    import colocate_kernels

    names = {
        "cl": colocate,
        "np": numpy,
        "rng": numpy.random.default_rng(42),
        "native": colocate.set_global_queue("native:cpu"),
        "kernels": colocate_kernels.compiled(),
        "fast_kernels": colocate_kernels.compiled(fastmath=True),
        "on": lambda queue, *arrays: [colocate.asarray(one, queue=queue, copy=True) for one in arrays],
        "Agreement": Agreement,
        "OPENCL_C": OPENCL_C,
    }
    missing = {}
    names["opencl"], why = opencl_queue()
    if names["opencl"] is None:
        missing["opencl"] = why
    add_peers(names, missing)
    queues = [names[name] for name in ("native", "opencl", "dpctl_queue") if names.get(name)]

    def settle():
        for queue in queues:
            queue.wait()
        time.sleep(REST)

    return Surroundings(names, missing, settle)


def first_call(contender, cache):
    """The seconds of the first call in a new process whose compiled code is kept in ``cache``."""
    command = [sys.executable, str(PROGRAMS / "first_call.py"), *contender.statement.split()]
    environment = {**os.environ, "COLOCATE_CACHE_DIR": cache, "NUMBA_CACHE_DIR": cache}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout)


def measure_first_calls(case, missing, rounds, progress):
    """Starts the contenders in turns. With a filled cache, each has run once before."""
    ready = [one for one in case.contenders if one.needs not in missing]
    times = {one.name: [] for one in ready}
    with tempfile.TemporaryDirectory() as filled:
        if case.name == WARM:
            for one in ready:
                first_call(one, filled)
        for done in range(rounds):
            progress.show(case.name, done / rounds)
            for one in ready:
                with tempfile.TemporaryDirectory() as empty:
                    times[one.name].append(first_call(one, filled if case.name == WARM else empty))
    skipped = {one.name: missing[one.needs] for one in case.contenders if one not in ready}
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


def best_peer(result, names=None):
    """Who is fastest among the peers, and Intel's OpenCL counts as one; or ``None``."""
    there = [
        name
        for name in result.rounds
        if name not in (NATIVE, FAST) and not name.endswith(OTHER_WAY) and (names is None or name in names)
    ]
    return min(there, key=result.median, default=None)


def judge_against(result, text, limit, names=None):
    """The time of the better of ours, without and with fastmath, relative to the best of the peers, which have both."""
    best = best_peer(result, names)
    if best is None:
        return []
    name = min((name for name in (NATIVE, FAST) if name in result.rounds), key=result.median)
    words = f"{result.case.name}: {text} ({best}), {name}"
    return [(words, result.ratio(name, best) <= limit, result.ratio_text(name, best))]


def judge_limit(result):
    """A time that is not to be exceeded."""
    seconds, limit = result.median(NATIVE), LIMITS[result.case.name]
    return [(f"{NATIVE}, {result.case.name}: under {human_time(limit)}", seconds < limit, human_time(seconds))]


def judge(results):
    """All targets: what is asked, whether it is met, and the measured number."""
    verdicts = []
    for result in results:
        if result.case.name in LIMITS:
            verdicts.extend(judge_limit(result))
            continue
        if result.case.name.startswith(BLACK_SCHOLES):
            text = f"at least {NUMBA_FACTOR}x as fast as Numba's best"
            verdicts.extend(judge_against(result, text, 1 / NUMBA_FACTOR, NUMBA))
            verdicts.extend(judge_against(result, "no slower than Intel's OpenCL", TIE, (OPENCL,)))
        text = f"at least {PEER_SHARE}x as fast as the best peer"
        verdicts.extend(judge_against(result, text, 1 / PEER_SHARE))
    return verdicts


def print_targets(verdicts):
    """What was to be reached, and what was."""
    print(f"\ntargets (median of our time relative to the peer's, middle half of the rounds; '{OTHER_WAY.strip()}'")
    print(f"is another algorithm, and not judged by; up to {TIE}x counts as no slower):")
    for text, met, number in verdicts:
        print(f"  {'met' if met else 'not met':8} {number:23} {text}")


def main():
    """Measures, prints and, if asked for, writes a file."""
    chosen = options("What colocate's kernels cost, beside Numba, Intel's OpenCL, JAX and NumPy.")
    facts = machine_facts() | {package: version(package) for package in PEER_PACKAGES}
    there = surroundings()
    cases = [case for case in throughput_cases() if chosen.only in case.name]
    processes = [case for case in first_call_cases() if chosen.only in case.name]
    # New processes first: later, the threads of the peers' pools are in the way of a fork.
    first_calls = measure_all_first_calls(processes, there.missing, chosen.rounds)
    results = measure_all(cases, there, chosen.rounds) + first_calls
    verdicts = judge(results)

    print(", ".join(f"{name} {value}" for name, value in facts.items()), end="\n\n")
    print_table(results)
    print_targets(verdicts)
    if chosen.json:
        targets = [{"target": text, "met": met, "measured": number} for text, met, number in verdicts]
        write_json(chosen.json, facts, results, targets=targets)


if __name__ == "__main__":
    main()
