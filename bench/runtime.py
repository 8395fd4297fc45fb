"""What the runtime costs: memory, copies, queues, sharing and import, beside NumPy, dpctl and dpnp.

    python bench/runtime.py [--quick] [--json PATH] [--only TEXT]

All devices are the CPU: the native backend is to be compared with NumPy, and the SYCL backend
(``opencl:cpu``) with dpctl and dpnp, which use the same device through the same driver.
"""

import subprocess
import sys
from dataclasses import replace

import numpy
from measure import (
    Case,
    Contender,
    Surroundings,
    load,
    machine_facts,
    measure_all,
    options,
    print_table,
    write_json,
)

import colocate

NATIVE, OPENCL = "colocate native", "colocate opencl:cpu"
KIB, MIB = 1 << 10, 1 << 20
SIZES = {"64 B": 64, "64 MiB": 64 * MIB}

ALLOCATE = "allocate and free 1 MiB"
IMPORT = "import"
SMALL = ", 1 KiB"

NUMPY_LIMIT = 2.0
IMPORT_LIMIT = 50
# Equal calls of the same driver differ by this much from run to run.
TIE = 1.05

BACKEND_LIBRARIES = ("libsycl", "libDPCTL", "libOpenCL")
LOOK_FOR_LIBRARIES = f"""
import colocate
mapped = open("/proc/self/maps").read()
print(*(name for name in {BACKEND_LIBRARIES} if name in mapped))
"""


def native(statement, setup=""):
    """colocate on its own backend, whose default queue is ``native``."""
    return Contender(NATIVE, statement, setup, needs="native", ours=True)


def opencl(statement, setup=""):
    """colocate on the SYCL backend, whose default queue is ``opencl``."""
    return Contender(OPENCL, statement, setup, needs="opencl", ours=True)


def peer(name, statement, setup=""):
    """Another package, which is the first word of the name."""
    return Contender(name, statement, setup, needs=name.split()[0].rstrip(","))


def opencl_queue():
    """The default queue of ``opencl:cpu``, or ``None``, and in that case the reason."""
    try:
        return colocate.Device("opencl:cpu").default_queue, ""
    except colocate.Error as error:
        return None, str(error).splitlines()[0]


def dpctl_names():
    """What dpctl's contenders use, or ``None``, and in that case the reason."""
    dpctl, why = load("dpctl")
    memory, _ = load("dpctl.memory")
    if dpctl is None:
        return None, why
    try:
        device = dpctl.SyclDevice("opencl:cpu")
        queue = dpctl.get_device_cached_queue(device)
        in_order = dpctl.SyclQueue(device, property="in_order")
    except Exception as error:
        return None, f"dpctl has no queue for opencl:cpu: {error}"
    return {"dpctl": dpctl, "memory": memory, "dpctl_queue": queue, "dpctl_in_order": in_order}, ""


def surroundings():
    """The packages and queues there are. The first device query shows dpctl the OpenCL driver."""
    colocate.devices()
    names = {"cl": colocate, "np": numpy, "native": colocate.set_global_queue("native:cpu")}
    missing = {}
    names["opencl"], why = opencl_queue()
    if names["opencl"] is None:
        missing["opencl"] = why
    found, why = dpctl_names()
    if found is None:
        missing["dpctl"] = missing["dpnp"] = why
    else:
        names.update(found)
        names["dpnp"], why = load("dpnp")
        if names["dpnp"] is None:
            missing["dpnp"] = why
    queues = [names.get(name) for name in ("native", "opencl", "dpctl_queue")]
    return Surroundings(names, missing, lambda: [queue.wait() for queue in queues if queue is not None])


def allocate():
    """A block of memory, freed at once. colocate and NumPy keep freed memory for reuse."""
    contenders = [
        native("cl.empty(n, 'u1')"),
        opencl("cl.empty(n, 'u1', queue=opencl)"),
        peer("numpy", "np.empty(n, 'u1')"),
        peer("dpctl", "memory.MemoryUSMDevice(n, queue=dpctl_queue)"),
        peer("dpnp", "dpnp.empty(n, dtype='u1', device=dpctl_queue)"),
    ]
    return Case(ALLOCATE, contenders, f"n = {MIB}")


def copy_on_device(size, n):
    """From one array to another on the same queue, and a wait for the end.

    dpctl's ``memcpy`` waits for its own event, which is cheaper than a wait for the whole queue.
    """
    dpctl_setup = """
x, y = (memory.MemoryUSMDevice(n, queue=dpctl_queue) for _ in range(2))
x.copy_from_host(a)
y.copy_from_host(a)
"""
    contenders = [
        native("y[...] = x; y.wait()", "x, y = (cl.asarray(a, queue=native) for _ in range(2))"),
        opencl("y[...] = x; y.wait()", "x, y = (cl.asarray(a, queue=opencl) for _ in range(2))"),
        peer("numpy", "np.copyto(b, a)", "b = a.copy()"),
        peer("dpctl", "dpctl_queue.memcpy(y, x, n)", dpctl_setup),
        peer("dpctl, queue wait", "dpctl_queue.memcpy_async(y, x, n); dpctl_queue.wait()", dpctl_setup),
    ]
    return Case(f"copy {size} device to device", contenders, host_data(n))


def copy_to_device(size, n):
    """From a NumPy array to new device memory; one of dpctl's contenders reuses its memory."""
    contenders = [
        native("cl.asarray(a, queue=native)"),
        opencl("cl.asarray(a, queue=opencl)"),
        peer("numpy", "a.copy()"),
        peer("dpctl", "memory.MemoryUSMDevice(n, queue=dpctl_queue).copy_from_host(a)"),
        peer("dpctl, no allocation", "y.copy_from_host(a)", "y = memory.MemoryUSMDevice(n, queue=dpctl_queue)"),
        peer("dpnp", "dpnp.asarray(a, device=dpctl_queue)"),
    ]
    return Case(f"copy {size} host to device", contenders, host_data(n))


def copy_to_host(size, n):
    """From the device to a new NumPy array."""
    dpctl_setup = "x = memory.MemoryUSMDevice(n, queue=dpctl_queue); x.copy_from_host(a)"
    contenders = [
        native("cl.asnumpy(x, copy=True)", "x = cl.asarray(a, queue=native)"),
        opencl("cl.asnumpy(x)", "x = cl.asarray(a, queue=opencl)"),
        peer("numpy", "a.copy()"),
        peer("dpctl", "x.copy_to_host()", dpctl_setup),
        peer("dpnp", "dpnp.asnumpy(x)", "x = dpnp.asarray(a, device=dpctl_queue)"),
    ]
    return Case(f"copy {size} device to host", contenders, host_data(n))


def host_data(n):
    """Sets ``n`` and an array ``a`` of as many bytes, whose memory is there and not just promised."""
    return f"n = {n}; a = np.ones(n, 'u1')"


def queue_round_trip():
    """An empty submission and the wait for it, on queues in order and on everybody's default queue."""
    statement = "q.submit_barrier().wait()"
    in_order = [
        native(statement, "q = cl.Queue('native:cpu')"),
        opencl(statement, "q = cl.Queue('opencl:cpu')"),
        peer("dpctl", statement, "q = dpctl_in_order"),
    ]
    default = [
        native(statement, "q = native"),
        opencl(statement, "q = opencl"),
        peer("dpctl", statement, "q = dpctl_queue"),
    ]
    return [
        Case("submit and wait, new in-order queue", in_order),
        Case("submit and wait, default queue", default),
    ]


def sharing(name, contenders):
    """A case on 64 MiB, in which every contender also runs with 1 KiB, next to it in every round."""
    shrink = f"n = {KIB}; a = a[:n].copy()\n"
    both = []
    for one in contenders:
        both += [one, replace(one, name=one.name + SMALL, setup=shrink + one.setup, ours=False)]
    return Case(f"share 64 MiB {name}", both, host_data(64 * MIB))


def share_with_numpy():
    """A NumPy array over memory of a kind that the host can reach."""
    contenders = [
        native("np.asarray(x)", "x = cl.asarray(a, queue=native)"),
        opencl("np.asarray(x)", "x = cl.asarray(a, queue=opencl, usm_type='shared')"),
        peer("dpctl", "np.asarray(x)", "x = memory.MemoryUSMShared(n, queue=dpctl_queue)"),
    ]
    return sharing("with numpy", contenders)


def share_of_dpnp():
    """The memory of another package's array: dpnp's for colocate and dpctl, colocate's for dpnp.

    dpctl takes the memory only, without shape and dtype.
    """
    of_dpnp = "x = dpnp.asarray(a, device=dpctl_queue)"
    contenders = [
        Contender(OPENCL, "cl.asarray(x)", of_dpnp, needs="dpnp", ours=True),
        Contender("dpctl", "memory.as_usm_memory(x)", of_dpnp, needs="dpnp"),
        peer("dpnp", "dpt.asarray(x)", "import dpnp.tensor as dpt; x = cl.asarray(a, queue=opencl)"),
    ]
    return sharing("of dpnp", contenders)


def share_of_numpy():
    """A device array over NumPy's memory, which only the native device can use in place.

    dpnp gives a NumPy array, or copies to a device.
    """
    contenders = [
        native("cl.from_dlpack(a)"),
        peer("numpy", "np.from_dlpack(a)"),
        peer("dpnp, to numpy", "dpnp.from_dlpack(a)"),
        peer("dpnp, a copy", "dpnp.from_dlpack(a, device=dpctl_queue)"),
    ]
    return sharing("of numpy by DLPack", contenders)


def import_time():
    """A whole process that imports NumPy alone, and one that imports colocate too.

    As after an installation: with the modules compiled to bytecode.
    """
    statement = "subprocess.run([sys.executable, '-c', {!r}], check=True, env=compiled)"
    contenders = [
        Contender("numpy", statement.format("import numpy")),
        Contender("numpy and colocate", statement.format("import numpy, colocate")),
    ]
    setup = """
import os, subprocess, sys
compiled = {name: value for name, value in os.environ.items() if name != 'PYTHONDONTWRITEBYTECODE'}
"""
    return Case(IMPORT, contenders, setup)


def all_cases():
    """What is measured, in order."""
    cases = [allocate()]
    for make in (copy_on_device, copy_to_device, copy_to_host):
        cases.extend(make(size, n) for size, n in SIZES.items())
    cases.extend(queue_round_trip())
    return [*cases, share_with_numpy(), share_of_dpnp(), share_of_numpy(), import_time()]


def judge_numpy(result):
    """Native memory against NumPy's."""
    met = result.ratio(NATIVE, "numpy") <= NUMPY_LIMIT
    number = result.ratio_text(NATIVE, "numpy")
    return [(f"native allocate and free within {NUMPY_LIMIT:g}x of numpy.empty", met, number)]


def judge_dpctl(result):
    """Every colocate contender against dpctl's that does the same."""
    verdicts = []
    for name in result.ours():
        ratio = result.ratio(name, "dpctl")
        if ratio is not None:
            text = f"{name} no slower than dpctl: {result.case.name}"
            verdicts.append((text, ratio <= TIE, result.ratio_text(name, "dpctl")))
    return verdicts


def judge_import(result):
    """What colocate adds to NumPy's import."""
    low, added, high = (1e3 * seconds for seconds in result.differences("numpy and colocate", "numpy"))
    text = f"import of colocate, after numpy, under {IMPORT_LIMIT} ms"
    return [(text, added < IMPORT_LIMIT, f"{added:.1f} ms ({low:.1f} to {high:.1f})")]


def judge(results):
    """All targets: what is asked, whether it is met, and the measured number."""
    verdicts = []
    for result in results:
        if result.case.name == ALLOCATE:
            verdicts.extend(judge_numpy(result))
        if result.case.name == IMPORT:
            verdicts.extend(judge_import(result))
        else:
            verdicts.extend(judge_dpctl(result))
    return verdicts


def print_targets(verdicts):
    """What was to be reached, and what was."""
    print(f"\ntargets (median and middle half of the rounds; up to {TIE}x counts as no slower):")
    for text, met, number in verdicts:
        print(f"  {'met' if met else 'not met':8} {number:23} {text}")


def size_dependence(results):
    """For what shares memory: how many times as long 64 MiB takes as 1 KiB."""
    return {
        f"{result.case.name}: {name}": result.ratio_text(name, name + SMALL)
        for result in results
        for name in result.rounds
        if name + SMALL in result.rounds
    }


def print_size_dependence(ratios):
    """Sharing that copies nothing costs the same at every size."""
    if ratios:
        print("\ntime for 64 MiB relative to 1 KiB:")
    for label, ratio in ratios.items():
        print(f"  {ratio:30} {label}")


def libraries_after_import():
    """The backend libraries that ``import colocate`` alone maps into a process."""
    command = [sys.executable, "-c", LOOK_FOR_LIBRARIES]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def main():
    """Measures, prints and, if asked for, writes a file."""
    chosen = options("What the colocate runtime costs, beside NumPy, dpctl and dpnp.")
    facts = machine_facts()
    there = surroundings()
    cases = [case for case in all_cases() if chosen.only in case.name]
    results = measure_all(cases, there, chosen.rounds)
    verdicts, ratios, libraries = judge(results), size_dependence(results), libraries_after_import()

    print(", ".join(f"{name} {value}" for name, value in facts.items()), end="\n\n")
    print_table(results)
    print_size_dependence(ratios)
    print(f"\nbackend libraries mapped after 'import colocate': {', '.join(libraries) or 'none'}")
    print_targets(verdicts)
    if chosen.json:
        targets = [{"target": text, "met": met, "measured": number} for text, met, number in verdicts]
        more = {"targets": targets, "size_dependence": ratios, "libraries_after_import": libraries}
        write_json(chosen.json, facts, results, **more)


if __name__ == "__main__":
    main()
