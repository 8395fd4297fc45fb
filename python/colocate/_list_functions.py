"""Functions of the standard library over lists, in the language of jit functions.

Where a jit function calls one of ``heapq`` or ``bisect``, the function of the same name here is
compiled in its place.
"""


def _rise(heap, first, position):
    item = heap[position]
    while position > first:
        above = (position - 1) >> 1
        other = heap[above]
        if not item < other:
            break
        heap[position] = other
        position = above
    heap[position] = item


def _sink(heap, position):
    # The smaller child moves up all the way; what was on top rises again from the end.
    first = position
    length = len(heap)
    item = heap[position]
    child = 2 * position + 1
    while child < length:
        if child + 1 < length and not heap[child] < heap[child + 1]:
            child += 1
        heap[position] = heap[child]
        position = child
        child = 2 * position + 1
    heap[position] = item
    _rise(heap, first, position)


def heappush(heap, item):
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap):
    item = heap.pop()
    if len(heap) > 0:
        last = item
        item = heap[0]
        heap[0] = last
        _sink(heap, 0)
    return item


def heapify(x):
    for position in range(len(x) // 2 - 1, -1, -1):
        _sink(x, position)


def heappushpop(heap, item):
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        heap[0] = item
        item = first
        _sink(heap, 0)
    return item


def heapreplace(heap, item):
    first = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return first


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(n, 0)]


def _bisect_left(a, x, low, high):
    while low < high:
        middle = (low + high) // 2
        if a[middle] < x:
            low = middle + 1
        else:
            high = middle
    return low


def _bisect_right(a, x, low, high):
    while low < high:
        middle = (low + high) // 2
        if x < a[middle]:
            high = middle
        else:
            low = middle + 1
    return low


def _first(low):
    if low < 0:
        raise ValueError("lo must be non-negative")
    return low


def bisect_left(a, x, lo=0, hi=None):
    if hi is None:
        return _bisect_left(a, x, _first(lo), len(a))
    return _bisect_left(a, x, _first(lo), hi)


def bisect_right(a, x, lo=0, hi=None):
    if hi is None:
        return _bisect_right(a, x, _first(lo), len(a))
    return _bisect_right(a, x, _first(lo), hi)


def insort_left(a, x, lo=0, hi=None):
    a.insert(bisect_left(a, x, lo, hi), x)


def insort_right(a, x, lo=0, hi=None):
    a.insert(bisect_right(a, x, lo, hi), x)


bisect = bisect_right
insort = insort_right
