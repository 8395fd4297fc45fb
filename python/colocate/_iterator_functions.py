"""Functions of ``itertools`` that take functions, and those that go over generators, in the language of jit functions.

Where a jit function calls one of them, the function of the same name here is compiled in its place: each gives its
items one by one, so that what it goes over may be without an end.
"""


def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item


def dropwhile(predicate, iterable):
    dropping = True
    for item in iterable:
        if dropping and predicate(item):
            continue
        dropping = False
        yield item


def filterfalse(predicate, iterable):
    for item in iterable:
        if predicate is None:
            if not item:
                yield item
        elif not predicate(item):
            yield item


def starmap(function, iterable):
    for items in iterable:
        yield function(*items)


def accumulated(iterable, function):
    begun = False
    for item in iterable:
        if begun:
            total = function(total, item)  # noqa: F821 - the first turn has set it
        else:
            total = item
            begun = True
        yield total


def summed(iterable):
    begun = False
    for item in iterable:
        if begun:
            total = total + item  # noqa: F821 - the first turn has set it
        else:
            total = item
            begun = True
        yield total


def grouped(iterable, key):
    group = []
    begun = False
    for item in iterable:
        now = key(item)
        if begun and now != before:  # noqa: F821 - the first turn has set it
            yield before, group  # noqa: F821
            group = []
        before = now
        begun = True
        group.append(item)
    if begun:
        yield before, group


def mapped(function, iterable):
    for item in iterable:
        yield function(item)


def filtered(function, iterable):
    for item in iterable:
        if function is None:
            if item:
                yield item
        elif function(item):
            yield item


def enumerated(iterable, start=0):
    position = start
    for item in iterable:
        yield position, item
        position += 1


def zipped_after(items, iterable):
    """``zip`` of something with a length, and something that may have none."""
    position = 0
    if len(items) > 0:
        for item in iterable:
            yield items[position], item
            position += 1
            if position >= len(items):
                return


def zipped_before(iterable, items):
    position = 0
    for item in iterable:
        if position >= len(items):
            return
        yield item, items[position]
        position += 1  # noqa: SIM113 - enumerate of a generator is one itself


def zipped_first_of_three(iterable, first, second):
    position = 0
    for item in iterable:
        if position >= len(first) or position >= len(second):
            return
        yield item, first[position], second[position]
        position += 1  # noqa: SIM113 - enumerate of a generator is one itself


def zipped_second_of_three(first, iterable, second):
    position = 0
    if len(first) > 0:
        for item in iterable:
            if position >= len(second):
                return
            yield first[position], item, second[position]
            position += 1
            if position >= len(first):
                return


def zipped_third_of_three(first, second, iterable):
    position = 0
    if len(first) > 0 and len(second) > 0:
        for item in iterable:
            yield first[position], second[position], item
            position += 1
            if position >= len(first) or position >= len(second):
                return


def iterated(iterator):
    """What an object with ``__next__`` gives."""
    while True:
        try:
            item = iterator.__next__()
        except StopIteration:
            return
        yield item


def sliced(iterable, stop):
    if stop < 0:
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    position = 0
    if stop > 0:
        for item in iterable:
            yield item
            position += 1
            if position >= stop:
                return


def sliced_from(iterable, start, stop, step=1):
    position = 0
    wanted = start
    if stop > start:
        for item in iterable:
            if position == wanted:
                yield item
                wanted += step
            position += 1
            if position >= stop:
                return


def contains(iterable, x):
    """``x in iterable``, which looks no further than it must."""
    return any(item == x for item in iterable)


def first(iterable):
    for item in iterable:
        return item
    raise StopIteration


def first_or(iterable, default):
    for item in iterable:
        return item
    return default
