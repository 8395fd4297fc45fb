"""Functions of Python's module ``random`` over lists, in the language of jit functions.

Where a jit function calls one of that module, the function of the same name here is compiled in its place.
They ask for the same random numbers in the same order as Python's. Two more shuffle lists as NumPy's generators do.
"""

import math
import random

import numpy as np


def choice(seq):
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[random.randrange(len(seq))]


def shuffle(x):
    for last in range(len(x) - 1, 0, -1):
        other = random.randrange(last + 1)
        item = x[last]
        x[last] = x[other]
        x[other] = item


def shuffle_by(generator, x):
    """``generator.shuffle(x)``: what is drawn depends on the length alone."""
    places = np.arange(len(x))
    generator.shuffle(places)
    x[:] = [x[place] for place in places]


def shuffle_globally(x):
    """``numpy.random.shuffle(x)``."""
    places = np.arange(len(x))
    np.random.shuffle(places)
    x[:] = [x[place] for place in places]


def sample(population, k):
    count = len(population)
    if k < 0 or k > count:
        raise ValueError("Sample larger than population or is negative")
    # Where few of many are taken, a set of those that were is smaller than a copy of all.
    least = 21
    if k > 5:
        least += 4 ** math.ceil(math.log(k * 3, 4))
    found = []
    if count <= least:
        rest = list(population)
        for taken in range(k):
            at = random.randrange(count - taken)
            found.append(rest[at])
            rest[at] = rest[count - taken - 1]
    else:
        taken_at = set()
        for _ in range(k):
            at = random.randrange(count)
            while at in taken_at:
                at = random.randrange(count)
            taken_at.add(at)
            found.append(population[at])
    return found


def choices(population, weights=None, *, k=1):
    count = len(population)
    found = []
    if weights is None:
        for _ in range(k):
            found.append(population[int(random.random() * count)])
        return found
    sums = []
    total = 0.0
    for weight in weights:
        total += weight
        sums.append(total)
    if len(sums) != count:
        raise ValueError("The number of weights does not match the population")
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    for _ in range(k):
        wanted = random.random() * total
        low, high = 0, count - 1
        while low < high:
            middle = (low + high) // 2
            if wanted < sums[middle]:
                high = middle
            else:
                low = middle + 1
        found.append(population[low])
    return found
