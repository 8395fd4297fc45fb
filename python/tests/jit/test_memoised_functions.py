"""Functions that remember what they gave, and inner functions that call themselves with others beside them."""

import functools
import math
from functools import cache, lru_cache

import numpy as np


@lru_cache(maxsize=None)
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@functools.cache
def choose(n, k=5):
    if k in (0, n):
        return 1
    return choose(n - 1, k - 1) + choose(n - 1, k)


@lru_cache(None)
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@lru_cache
def doubled(x):
    return x * 2


def test_functions_that_would_take_for_ever_without_memory(run_both):
    run_both(lambda n: (fibonacci(n), choose(n // 2), choose(n // 4, k=3)), 80)


def test_functions_that_call_one_another(run_both):
    run_both(lambda n: (is_even(n), is_odd(n), doubled(n)), 12)


def test_inner_functions_that_remember(run_both):
    def ways(coins, amount):
        @lru_cache(None)
        def count(i, left):
            if left == 0:
                return 1
            if left < 0 or i == len(coins):
                return 0
            return count(i, left - coins[i]) + count(i + 1, left)

        return count(0, amount)

    def cheapest(grid):
        rows, columns = grid.shape

        @cache
        def cost(r, c):
            if r == rows or c == columns:
                return np.inf
            if r == rows - 1 and c == columns - 1:
                return grid[r, c]
            return grid[r, c] + min(cost(r + 1, c), cost(r, c + 1))

        return cost(0, 0)

    run_both(ways, [1, 2, 5, 10], 200)
    run_both(cheapest, np.arange(144.0).reshape(12, 12) % 7)


def test_inner_functions_that_call_themselves_call_others_beside_them(run_both):
    def queens(n):
        found, board = [], [-1] * n

        def is_safe(row, column):
            for r in range(row):
                if board[r] == column or abs(board[r] - column) == row - r:
                    return False
            return True

        def place(row):
            if row == n:
                found.append(board[:])
                return
            for column in range(n):
                if is_safe(row, column):
                    board[row] = column
                    place(row + 1)
                    board[row] = -1

        place(0)
        return found

    run_both(queens, 5)


def test_inner_functions_that_call_themselves_have_lists_of_their_own(run_both):
    def visited(n):
        found = []

        def visit(v):
            if v < n:
                visit(v + 1)
            own = [k * 2 for k in range(v + 1)]
            found.append(sum(own) + max(own) + len(own) + sorted([3, 1, v])[0])

        visit(0)
        return found

    run_both(visited, 3)


def counted(n):
    calls = 0
    seen = []

    def noted(x):
        nonlocal calls
        calls += 1
        return x

    @functools.cache
    def doubled(x):
        seen.append(x)
        return noted(x) * 2

    @functools.lru_cache(maxsize=None)
    def rooted(x):
        return math.sqrt(x)

    return [doubled(i % 3) for i in range(n)], calls, seen, rooted(n)


def test_what_is_remembered_is_not_done_again(run_both):
    run_both(counted, 9)
    run_both(counted, 0)
