"""Numba's typed lists, dictionaries and sets as arguments of jit functions.

A jit function is given a list, a dictionary or a set of Python's with the same items instead, and when the call is
over, what became of that is done to Numba's own. Nothing here imports Numba: who passes such an object has done so.
"""


class Lent:
    """A typed container, and what stands for it during a call."""

    def __init__(self, container, plain, inside):
        self.container = container
        self.plain = plain
        self._inside = inside
        self._before = _items(plain)

    def pairs_inside(self):
        """The typed containers inside it, with what stands for them."""
        found = []
        for part in self._inside:
            found += [*part.pairs_inside(), (part.container, part.plain)]
        return found

    def give_back(self):
        """Does to the typed container what was done to the one that stood for it."""
        for part in self._inside:
            part.give_back()
        after = _items(self.plain)
        if len(after) == len(self._before) and all(map(_is_same, after, self._before)):
            return
        if isinstance(self.plain, dict):
            self._give_back_dict()
        elif isinstance(self.plain, set):
            self._give_back_set()
        else:
            self._give_back_list()

    def _give_back_list(self):
        container, known = self.container, len(self._before)
        while len(container) > len(self.plain):
            container.pop()
        for position, item in enumerate(self.plain):
            if position >= known:
                container.append(self._typed(item))
            elif item is not self._before[position]:
                container[position] = self._typed(item)

    def _give_back_dict(self):
        # The order of its keys is that in which they came.
        self.container.clear()
        for key, value in self.plain.items():
            self.container[key] = self._typed(value)

    def _give_back_set(self):
        for item in self._before:
            if item not in self.plain:
                self.container.discard(item)
        for item in self.plain:
            self.container.add(item)

    def _typed(self, item):
        """An item as a typed container holds it."""
        if not isinstance(item, (list, dict)):
            return item
        for part in self._inside:
            if part.plain is item:
                return part.container
        from numba.typed import Dict, List

        return List(item) if isinstance(item, list) else Dict(item)


def _items(plain):
    return [part for pair in plain.items() for part in pair] if isinstance(plain, dict) else list(plain)


def _is_same(a, b):
    return a is b


def lent(x):
    """What stands for a typed container of Numba's; None for everything else."""
    kind = type(x)
    if kind.__module__ == "numba.typed.typedlist":
        inside, items = _parts(x)
        return Lent(x, items, inside)
    if kind.__module__ == "numba.typed.typeddict":
        inside, values = _parts(x.values())
        return Lent(x, dict(zip(x, values, strict=True)), inside)
    if kind.__module__ == "numba.typed.typedset":
        return Lent(x, set(x), [])
    return None


def _parts(items):
    """Items, and what stands for those among them that are typed containers."""
    given = [lent(item) or item for item in items]
    inside = [item for item in given if isinstance(item, Lent)]
    return inside, [item.plain if isinstance(item, Lent) else item for item in given]
