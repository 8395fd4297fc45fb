"""Functions of the modules ``operator`` and ``functools``, in the language of jit functions.

Where a jit function calls one of them, the function of the same name here is compiled in its place: those that take
functions, or give them.
"""


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


def attrgetter(attr, *attrs):
    if len(attrs) == 0:
        return lambda of: _attribute(of, attr)
    return lambda of: (_attribute(of, attr), *[_attribute(of, one) for one in attrs])


def _attribute(of, path):
    name, dot, rest = path.partition(".")
    if dot:
        return getattr(getattr(of, name), rest)
    return getattr(of, name)


def methodcaller(name, /, *args):
    return lambda of: getattr(of, name)(*args)


def partial(func, /, *args, **named):
    return lambda *more, **others: func(*args, *more, **{**named, **others})
