"""Ints among the floats of containers that Python holds, used as indices: tables of moves and what they cost."""

import math

import numpy as np
import pytest

import colocate as cl

from .samples import numbers

MOVES = [[1, 0, 1], [0, 1, 1], [-1, 0, 1], [0, -1, 1], [-1, -1, math.sqrt(2)], [1, 1, math.sqrt(2)]]
NAMED_MOVES = {"right": [0, 1, 1], "down": [1, 0, 1], "both": [1, 1, math.sqrt(2)]}
PLACES = [[0, 1], [0.5, 1.5]]
LETTERS = [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]]


class Walker:
    """Goes over a grid from one corner to the other, to the cheapest of the places that are further on."""

    def __init__(self, n):
        self.n = n
        self.moves = self.all_moves()

    @staticmethod
    def all_moves():
        return [[1, 0, 1], [0, 1, 1], [-1, 0, 1], [0, -1, 1], [-1, -1, math.sqrt(2)], [1, 1, math.sqrt(2)]]

    def cost_of_way(self, costs):
        return cost_of_way(self.n, costs, self.moves)


def cost_of_way(n, costs, moves):
    x, y, total = 0, 0, 0.0
    while (x, y) != (n - 1, n - 1):
        best = None
        for i, _ in enumerate(moves):
            to_x, to_y = x + moves[i][0], y + moves[i][1]
            if 0 <= to_x < n and 0 <= to_y < n and (to_x, to_y) > (x, y):
                cost = costs[to_x][to_y] + moves[i][2]
                if best is None or cost < best[0]:
                    best = (cost, to_x, to_y)
        total += best[0]
        x, y = best[1], best[2]
    return total, x, y


def by_made_walker(n, costs):
    return Walker(n).cost_of_way(costs)


def by_walker(walker, costs):
    return walker.cost_of_way(costs)


def by_table_outside(n, costs):
    return cost_of_way(n, costs, MOVES)


COSTS = np.abs(numbers(25, "float64")).reshape(5, 5)


@pytest.mark.parametrize("costs", (COSTS, COSTS.tolist()), ids=("array", "lists"))
def test_ways_over_grids_are_found_by_tables_of_moves(run_both, costs):
    run_both(by_made_walker, 5, costs)
    run_both(by_walker, Walker(5), costs)
    run_both(by_table_outside, 5, costs)
    run_both(cost_of_way, 5, costs, MOVES)


class Cell:
    def __init__(self, x, y, cost, before):
        self.x = x
        self.y = y
        self.cost = cost
        self.before = before


class Searcher:
    """Finds the shortest way through a grid; what is open and what is done is kept by number."""

    def __init__(self, blocked):
        self.blocked = blocked
        self.n = len(blocked)
        self.moves = Walker.all_moves()

    def way(self):
        waiting, done = dict(), dict()
        goal = Cell(self.n - 1, self.n - 1, 0.0, -1)
        start = Cell(0, 0, 0.0, -1)
        waiting[self.number_of(start)] = start
        while waiting:
            number = min(waiting, key=lambda one: waiting[one].cost + self.at_least(waiting[one], goal))
            cell = waiting[number]
            del waiting[number]
            done[number] = cell
            if cell.x == goal.x and cell.y == goal.y:
                goal.cost = cell.cost
                goal.before = cell.before
                break
            for i, _ in enumerate(self.moves):
                to = Cell(cell.x + self.moves[i][0], cell.y + self.moves[i][1], cell.cost + self.moves[i][2], number)
                other = self.number_of(to)
                if not self.is_free(to) or other in done:
                    continue
                if other not in waiting or waiting[other].cost > to.cost:
                    waiting[other] = to
        rows, columns = [goal.x], [goal.y]
        before = goal.before
        while before != -1:
            cell = done[before]
            rows.append(cell.x)
            columns.append(cell.y)
            before = cell.before
        return goal.cost, rows, columns

    def number_of(self, cell):
        return cell.x * self.n + cell.y

    @staticmethod
    def at_least(a, b):
        return math.hypot(a.x - b.x, a.y - b.y)

    def is_free(self, cell):
        if cell.x < 0 or cell.y < 0 or cell.x >= self.n or cell.y >= self.n:
            return False
        return not self.blocked[cell.x][cell.y]


BLOCKED = [[(5 * i + 3 * j) % 7 == 6 for j in range(6)] for i in range(6)]


def way_of_made(blocked):
    return Searcher(blocked).way()


def way_of_given(searcher):
    return searcher.way()


def test_shortest_ways_are_found_among_cells_in_dictionaries(run_both):
    assert len(way_of_made(BLOCKED)[1]) > 5
    run_both(way_of_made, BLOCKED)
    run_both(way_of_given, Searcher(BLOCKED))


def unpacked(costs):
    total = 0.0
    for right, down, cost in MOVES:
        if right >= 0 and down >= 0:
            total += costs[right][down] * cost
    return total


def test_rows_outside_are_taken_apart(run_both):
    run_both(unpacked, COSTS)
    run_both(unpacked, COSTS.tolist())


def of_named_moves(names, costs):
    x = y = 0
    for name in names:
        x += NAMED_MOVES[name][0]
        y += NAMED_MOVES[name][1]
    return costs[x, y], LETTERS[x][y]


def of_given_moves(moves, names):
    x = y = 0
    for name in names:
        x += moves[name][0]
        y += moves[name][1]
    return LETTERS[x][y]


def test_moves_have_names(run_both):
    run_both(of_named_moves, ["right", "both"], COSTS)
    run_both(of_given_moves, NAMED_MOVES, ["down", "right"])


def of_lists(n):
    return LETTERS[MOVES[n][0]][MOVES[n][1]]


def of_text(n):
    return "abc"[MOVES[n][0]]


def of_range(n):
    return [i for i in range(MOVES[n][0] + 3)]


def of_rows(n, m):
    return LETTERS[m[n][0]][PLACES[0][n]]


def test_lists_texts_and_ranges_take_ints_that_are_beside_floats(run_both):
    for n in (0, 1, 2, 5):
        run_both(of_lists, n)
        run_both(of_text, n)
        run_both(of_range, n)
    run_both(of_rows, 1, MOVES)


def at_place(row, column):
    return LETTERS[PLACES[row][column]]


def test_floats_among_ints_are_no_indices(run_both):
    run_both(at_place, 0, 1)
    with pytest.raises(TypeError, match="list indices must be integers or slices, not float"):
        cl.jit(at_place)(1, 0)


def at_half(x, items):
    try:
        return items[x * 0.5]
    except TypeError as error:
        return str(error)


def test_floats_that_are_computed_are_no_indices_either(run_both):
    for _ in range(2):
        run_both(at_half, 2, ["a", "b", "c"])


GROWING = [[1, 2.5]]


def first_of_growing(n):
    return LETTERS[GROWING[n][0]][0], GROWING[n][1] * 2


def test_tables_outside_change_between_calls():
    jitted = cl.jit(first_of_growing)
    try:
        assert jitted(0) == first_of_growing(0)
        GROWING[0][0] = 2
        GROWING.append([0, 3])
        for n in range(2):
            assert repr(jitted(n)) == repr(first_of_growing(n))
        GROWING[0][0] = 1.0
        with pytest.raises(TypeError, match="list indices must be integers"):
            jitted(0)
    finally:
        GROWING[:] = [[1, 2.5]]


def scaled_and_taken(table, x):
    return x[table[0][0]] * table[0][1], np.array(table) * 2


def test_one_function_takes_tables_of_both_kinds():
    jitted = cl.jit(scaled_and_taken)
    for table in ([[1, 2]], [[0, 3]]):
        for expected, found in zip(scaled_and_taken(table, COSTS), jitted(table, COSTS), strict=True):
            np.testing.assert_array_equal(expected, found)


def of_dict_of_cells(n):
    found = {}
    for right, down, cost in MOVES:
        found[(right, down)] = cost
    x, y = 0, 0
    way = []
    for _ in range(n):
        for step in found:
            if x + step[0] < 3 and y + step[1] < 3 and step[0] + step[1] > 0:
                x += step[0]
                y += step[1]
                way.append((LETTERS[x][y], found[step]))
                break
    return way


def test_moves_are_keys(run_both):
    run_both(of_dict_of_cells, 3)
