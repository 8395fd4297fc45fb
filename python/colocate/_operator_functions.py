"""Functions of the modules ``operator``, ``itertools`` and ``functools``, in the language of jit functions.

Where a jit function calls one of them, the function of the same name here is compiled in its place: those that take
functions, or give them.
"""

import operator


def countOf(a, b):
    found = 0
    for item in a:
        if item == b:
            found += 1
    return found


def indexOf(a, b):
    for position, item in enumerate(a):
        if item == b:
            return position
    raise ValueError("sequence.index(x): x not in sequence")


def delitem(a, b):
    del a[b]


def itemgetter(item, *items):
    if len(items) == 0:
        return lambda of: of[item]
    return lambda of: (of[item], *[of[one] for one in items])


def partial(func, /, *args):
    return lambda *more: func(*args, *more)


def accumulate(iterable, func=operator.add, *, initial=None):
    items = list(iterable)
    sums = []
    if initial is not None:
        total = initial
        sums.append(total)
        for item in items:
            total = func(total, item)
            sums.append(total)
    elif len(items) > 0:
        so_far = items[0]
        sums.append(so_far)
        for position in range(1, len(items)):
            so_far = func(so_far, items[position])
            sums.append(so_far)
    return iter(sums)
