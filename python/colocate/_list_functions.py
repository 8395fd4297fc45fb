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


def _comes_before(compare, items, a, b):
    return compare(items[a], items[b]) < 0


def _compared_part(items, compare, order, first, last):
    # In the steps of CPython's sort of a few items, so that a function which contradicts itself gives the same.
    end = first + 1
    if end < last:
        falls = _comes_before(compare, items, order[end], order[first])
        end += 1
        while end < last and _comes_before(compare, items, order[end], order[end - 1]) == falls:
            end += 1
        if falls:
            order[first:end] = order[first:end][::-1]
    for position in range(end, last):
        item = order[position]
        low, high = first, position
        while low < high:
            middle = (low + high) // 2
            if _comes_before(compare, items, item, order[middle]):
                high = middle
            else:
                low = middle + 1
        for other in range(position, low, -1):
            order[other] = order[other - 1]
        order[low] = item


def compared_order(items, compare, descending):
    """The positions of items in the order that a function of two says; equal ones stay in theirs."""
    count = len(items)
    order = [position for position in range(count)]
    if descending:
        order.reverse()
    width = count if count < 64 else 32
    for first in range(0, count, max(width, 1)):
        _compared_part(items, compare, order, first, min(first + width, count))
    while width < count:
        merged = []
        for first in range(0, count, 2 * width):
            left, middle, last = first, min(first + width, count), min(first + 2 * width, count)
            right = middle
            while left < middle or right < last:
                if left >= middle or (right < last and _comes_before(compare, items, order[right], order[left])):
                    merged.append(order[right])
                    right += 1
                else:
                    merged.append(order[left])
                    left += 1
        for position in range(count):
            order[position] = merged[position]
        width *= 2
    if descending:
        order.reverse()
    return order


def _less(a, b):
    return -1 if a < b else 0


def order_of_objects(items, descending):
    """The same of objects that their class compares."""
    return compared_order(items, _less, descending)


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
