"""Lists and dictionaries whose items are of several types, and objects of several classes: Python's own."""

import heapq
import math

import numpy as np
import pytest

import colocate as cl


def huffman(frequencies):
    heap = [[weight, [symbol, ""]] for symbol, weight in frequencies.items()]
    heapq.heapify(heap)
    while len(heap) > 1:
        low = heapq.heappop(heap)
        high = heapq.heappop(heap)
        for pair in low[1:]:
            pair[1] = "0" + pair[1]
        for pair in high[1:]:
            pair[1] = "1" + pair[1]
        heapq.heappush(heap, [low[0] + high[0]] + low[1:] + high[1:])
    return sorted(heapq.heappop(heap)[1:], key=lambda pair: (len(pair[-1]), pair))


def test_huffman_coding_with_lists(run_both):
    run_both(huffman, {"a": 5, "b": 9, "c": 12, "d": 13, "e": 16, "f": 45})


def grown(n):
    items = [1, "a"]
    items.append(2.5)
    items.extend(["b", n])
    items[0] = "z"
    items.insert(1, None)
    del items[2]
    return items, len(items), items[-1], items[1] is None, "b" in items, items.index("b")


def of_either(n):
    items = []
    for i in range(n):
        if i % 2:
            items.append(str(i))
        else:
            items.append(i)
    return items


def told_apart(n):
    items = [1, "a", None, n]
    items.append(2.5)
    found = []
    for item in items:
        if isinstance(item, str):
            found.append(item * 2)
        elif item is None:
            found.append("none")
        else:
            found.append(str(item + 1))
    total = 0
    for item in items:
        if isinstance(item, (int, float)) and not isinstance(item, bool):
            total += item
    return found, total, f"{items[0]} {items[1]:>3}", int(items[-1]), float(items[0]), bool(items[2])


def parsed(text):
    stack = []
    for token in text.split():
        if token in "+-*/":
            b = stack.pop()
            a = stack.pop()
            stack.append([token, a, b])
        else:
            stack.append(int(token))
    return stack.pop()


def record(n):
    entry = ["name", 3, [1, 2]]
    entry[1] += n
    entry[2].append(4)
    entry.append(2.5)
    name, count, *rest = entry
    return entry, entry[0].upper(), entry[1] * 2, name, count, rest


def in_a_dictionary(n):
    known = {}
    known[n] = "text"
    known[n + 1] = 5
    known[n + 2] = [1, 2]
    return known, known[n], known[n + 1] + 1, len(known[n + 2])


@pytest.mark.parametrize("program", [grown, of_either, told_apart, record, in_a_dictionary])
def test_items_are_of_several_types(run_both, program):
    run_both(program, 4)


def test_lists_in_lists_are_trees(run_both):
    run_both(parsed, "1 2 + 3 *")


def out_of_range(n):
    items = [1, "a"]
    items.append(n)
    return items[7]


def of_no_such_type(n):
    items = [1, "a"]
    items.append(n)
    return items[1] + items[0]


def test_python_says_what_cannot_be_done(run_both):
    run_both.raises(IndexError, out_of_range, 1)
    run_both.raises(TypeError, of_no_such_type, 1)


class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side


class Disc:
    def __init__(self, radius):
        self.radius = radius
        self.side = 2 * radius

    def area(self):
        return 3 * self.radius * self.radius


def made_shapes(n):
    shapes = []
    for i in range(n):
        if i % 2:
            shapes.append(Square(i))
        else:
            shapes.append(Disc(i))
    shapes[0].side = 100
    total = 0
    for shape in shapes:
        total += shape.area() + shape.side
    return total, len(shapes)


def test_objects_of_several_classes_are_in_a_list(run_both):
    run_both(made_shapes, 5)


def added_to(shapes):
    shapes.append(Square(3))
    total = 0
    for shape in shapes:
        total += shape.area()
    return total


def test_objects_of_several_classes_are_in_a_list_of_the_callers():
    own, other = [Disc(1), Square(2)], [Disc(1), Square(2)]
    assert cl.jit(added_to)(own) == added_to(other)
    assert len(own) == len(other) == 3
    many = [Disc(i) if i % 3 else Square(i) for i in range(100)]
    assert cl.jit(lambda shapes: sum([one.area() for one in shapes]))(many) == sum(one.area() for one in many)


def changed_rows(rows):
    for row in rows:
        row[1] = row[1] + "!"
        row[0] += 1
    rows.append([0, "new"])
    return rows[0], len(rows)


def changed_list(items):
    items.append("new")
    items[0] = 7
    return len(items)


def test_lists_of_several_kinds_of_the_callers_change():
    own, other = [[1, "a"], [2, "b"]], [[1, "a"], [2, "b"]]
    assert cl.jit(changed_rows)(own) == changed_rows(other)
    assert own == other
    own, other = [1, "a", None], [1, "a", None]
    assert cl.jit(changed_list)(own) == changed_list(other)
    assert own == other


class Node:
    def __init__(self, value):
        self.value = value
        self.out = []


class Edge:
    def __init__(self, a, b):
        self.a = a
        self.b = b


class Graph:
    def __init__(self):
        self.nodes = []

    def edge(self, a, b):
        edge = Edge(a, b)
        a.out.append(edge)
        return edge


def cycle(n):
    graph = Graph()
    for i in range(n):
        graph.nodes.append(Node(i))
    for i in range(n):
        graph.edge(graph.nodes[i], graph.nodes[(i + 1) % n])
    total = 0
    for node in graph.nodes:
        for edge in node.out:
            total += edge.b.value * node.value
    return total


def test_objects_that_are_made_know_one_another_by_lists(run_both):
    run_both(cycle, 5)


class Owner:
    def __init__(self):
        self.pet = None
        self.steps = 0


class Pet:
    def __init__(self, owner, age):
        self.owner = owner
        self.age = age


def older(pet):
    pet.owner.pet.age += 1
    return pet.owner.pet.age, pet.age


def test_objects_of_two_classes_refer_to_one_another():
    def given():
        owner = Owner()
        owner.pet = Pet(owner, 3)
        return owner.pet

    own, other = given(), given()
    assert cl.jit(older)(own) == older(other)
    assert own.age == other.age == 4


class Tree:
    def __init__(self, value, parts):
        self.value = value
        self.parts = parts


def walked(tree):
    stack, total = [tree], 0
    while stack:
        node = stack.pop()
        total += node.value
        for part in node.parts:
            stack.append(part)
    return total


def test_a_tree_refers_to_tuples_of_its_own_class():
    tree = Tree(1, (Tree(2, ()), Tree(3, (Tree(4, ()), Tree(5, ())))))
    assert cl.jit(walked)(tree) == walked(tree) == 15


def converted(text):
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text


def read_values(text):
    values = [converted(part) for part in text.split(",")]
    total = 0
    for value in values:
        if type(value) is int:
            total += value
    return values, total, [type(value) is str for value in values]


def turned_about(n):
    found = 0
    for i in range(n):
        if i % 2:
            found = str(found) + "x"
        else:
            found = len(str(found))
    return found


def one_of_three(n):
    found = None
    for i in range(n):
        if i == 1:
            found = "one"
        elif i == 2:
            found = 2
        elif i == 3:
            found = [i]
    return found


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_variable_holds_now_one_type_now_another(run_both, n):
    run_both(turned_about, n)
    run_both(one_of_three, n)
    run_both(read_values, "1,2.5,abc,7")


def evaluated(tree):
    if isinstance(tree, int):
        return tree
    op, a, b = tree
    if op == "+":
        return evaluated(a) + evaluated(b)
    return evaluated(a) * evaluated(b)


def test_a_tree_of_lists_is_gone_through(run_both):
    run_both(lambda n: evaluated(["+", 1, ["*", 2, n]]), 3)


class Store:
    def __init__(self):
        self.items = []
        self.last = None

    def put(self, item):
        self.items.append(item)
        self.last = item


def stored(n):
    store = Store()
    store.put(1)
    store.put("a")
    store.put([n])
    store.items[2].append(9)
    return store.items, store.last, len(store.items)


def test_attributes_hold_now_one_type_now_another(run_both):
    run_both(stored, 3)


def sorted_rows(n):
    rows = []
    for i in range(n):
        rows.append(["r%d" % i, i, i * 1.5])
    rows.sort(key=lambda row: -row[1])
    for i, (name, count, _) in enumerate(rows):
        rows[i][1] = count * 2
    return rows, [row[0] for row in rows if row[1] > 1], sum([row[2] for row in rows]), max(row[1] for row in rows)


def same_list(n):
    x = [1, "a"]
    x.append(n)
    y = x
    y.append(7)
    z = x[:]
    z[0] = "changed"
    return x, y, z, x + [9], x is y, x == y


def beside_arrays(n):
    x = [n, "a"]
    x.append(2)
    a = np.zeros(4)
    a[0] = x[0]
    a[x[2]] = 5.0
    return a, x[0] + a, math.sqrt(x[2]), [i for i in range(x[2])]


@pytest.mark.parametrize("program", [sorted_rows, same_list, beside_arrays])
def test_rows_names_and_numbers_of_such_lists(run_both, program):
    run_both(program, 3)


def nested(text):
    stack = [[]]
    for token in text.split():
        if token == "(":
            stack.append([])
        elif token == ")":
            top = stack.pop()
            stack[-1].append(top)
        elif token.isdigit():
            stack[-1].append(int(token))
        else:
            stack[-1].append(token)
    return stack[0]


def test_a_list_may_hold_lists_like_itself(run_both):
    run_both(nested, "( + 1 ( * 2 x ) ( ) )")


def test_the_explanation_says_what_is_pythons_own():
    text = cl.jit(of_either).explain(4)
    assert "each use of it is a call into Python" in text
    assert "call into Python" not in cl.jit(lambda n: [i for i in range(n)]).explain(4)


def functions_of(items, n):
    x = items[n]
    return math.hypot(x, 2.0), math.sqrt(x), math.floor(x), math.isnan(x), math.log(x, 2), math.modf(x), math.pow(x, n)


def test_functions_of_math_take_items_of_several_types(run_both):
    items = [1, "a", 2.5]
    run_both(functions_of, items, 0)
    run_both(functions_of, items, 2)
    with pytest.raises(TypeError, match="must be real number, not str"):
        cl.jit(functions_of)(items, 1)
