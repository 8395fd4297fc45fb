"""One program, four packages, each with another way to choose the queue.

The packages are the folders ``knob1_queue_argument`` to ``knob4_global_manager`` beside this file. Three topics: what
happens when the user chooses nothing, how the user chooses, and what packages that choose differently do to each other.
"""

import textwrap

import knob1_queue_argument as pkg1
import knob2_package_queue as pkg2
import knob3_compute_follows_data as pkg3
import knob4_global_manager as pkg4

import colocate as cl

FIRST = cl.get_current_queue()
# Out of order, so that it is another place even where there is one device only.
SECOND = cl.Queue("native:cpu:1,opencl:cpu,native:cpu:0", in_order=False)
PLACES = {FIRST: "first", SECOND: "second"}


def tell(what, array):
    print(f"  {what:44} {array.shape!s:9} on the {PLACES[array.queue]} queue")


def use_the_default_queue():
    print("\nThe user chooses nothing")

    # Knob 1 has no default, so even here the queue is named.
    a, b = pkg1.allocate(FIRST, (50, 10), 1.0), pkg1.allocate(FIRST, (10, 30), 1.0)
    tell("pkg1.gemm(FIRST, a, b)", pkg1.gemm(FIRST, a, b))

    # The other three read the same, and with one queue they do the same.
    for name, package in (("pkg2", pkg2), ("pkg3", pkg3), ("pkg4", pkg4)):
        a, b = package.allocate((50, 10), 1.0), package.allocate((10, 30), 1.0)
        tell(f"{name}.dot(a, b)", package.dot(a, b))


def choose_a_queue():
    print("\nThe user allocates on the first queue and computes on the second")

    a, b = pkg1.allocate(FIRST, 5, 1.0), pkg1.allocate(FIRST, 5, 2.0)
    tell("pkg1.compute(SECOND, a, b)", pkg1.compute(SECOND, a, b))

    # Knob 2 computes on its own queue, so the arrays come there first.
    with pkg2.current(FIRST):
        a, b = pkg2.allocate(5, 1.0), pkg2.allocate(5, 2.0)
    with pkg2.current(SECOND):
        tell("pkg2.compute of copies, in pkg2.current", pkg2.compute(pkg2.copy_to(a), pkg2.copy_to(b)))

    # Knob 3 computes where the arrays are, so moving them is all there is to say.
    with pkg3.current(FIRST):
        a, b = pkg3.allocate(5, 1.0), pkg3.allocate(5, 2.0)
    tell("pkg3.compute of copies", pkg3.compute(a.copy_to(SECOND), b.copy_to(SECOND)))

    # Knob 4 is knob 2 with colocate's own controls, and so Array.copy_to needs no argument.
    with cl.device_context(FIRST):
        a, b = pkg4.allocate(5, 1.0), pkg4.allocate(5, 2.0)
    with cl.device_context(SECOND):
        tell("pkg4.compute of copies, in device_context", pkg4.compute(a.copy_to(), b.copy_to()))


def host_sum(*arrays):
    """A function of a package that knows nothing of queues: it asks for NumPy arrays."""
    return sum(float(cl.asnumpy(array).sum()) for array in arrays)


def use_packages_together():
    print("\nPackages share arrays, and keep their choices to themselves")
    pkg2.set_default_queue(FIRST)
    pkg3.set_default_queue(FIRST)

    a = pkg2.allocate(5, 1.0)
    # Nothing to convert and nothing to copy: the array says where it is, and pkg3 goes there.
    b = pkg3.compute(a)
    tell("b = pkg3.compute(a), with a of pkg2", b)
    print(f"  {'host_sum(a, b)':44} {host_sum(a, b)}")

    with pkg2.current(SECOND):
        tell("pkg2.allocate, in pkg2.current(SECOND)", pkg2.allocate(5))
        tell("pkg3.allocate, in pkg2.current(SECOND)", pkg3.allocate(5))
        c = pkg2.compute(pkg2.copy_to(a), pkg2.copy_to(b))
        tell("c = pkg2.compute of copies", c)
    # The data decides, although pkg3's own queue is the first, and pkg2 is back on it.
    tell("pkg3.compute(c)", pkg3.compute(c))

    try:
        pkg2.compute(c)
    except cl.ExecutionPlacementError as error:
        print("  pkg2.compute(c) is refused, since pkg2 is back on the first queue:")
        print(textwrap.indent(str(error), "    "))
    tell("pkg2.compute(c.collocate(a))", pkg2.compute(c.collocate(a)))

    pkg2.set_default_queue(None)
    pkg3.set_default_queue(None)


if __name__ == "__main__":
    for queue, name in PLACES.items():
        print(f"the {name} queue: {queue}")
    use_the_default_queue()
    choose_a_queue()
    use_packages_together()
