"""Prime numbers by Eratosthenes' sieve."""

import numpy as np


def program(n):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    i = 2
    while i * i <= n:
        if prime[i]:
            prime[i * i :: i] = False
        i += 1
    return np.nonzero(prime)[0], prime.sum()


def arguments():
    return (500,)
