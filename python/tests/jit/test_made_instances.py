"""Objects of classes that a jit function makes."""

import copy
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import pytest

import colocate as cl


class Vector:
    def __init__(self, x=0.0, y=0.0):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    @property
    def length(self):
        return (self.x**2 + self.y**2) ** 0.5


class Mean:
    kind = "running"

    def __init__(self):
        self.count = 0
        self.mean = 0
        self.last = None
        self.bins = np.zeros(3)

    def push(self, x):
        self.count += 1
        self.mean += (x - self.mean) / self.count
        self.bins[self.count % 3] += x
        step = 0.0 if self.last is None else x - self.last
        self.last = x
        return step


@dataclass
class Particle:
    x: float
    v: float = 1.0
    seen: list = field(default_factory=list)

    def step(self, dt):
        self.x += self.v * dt
        if self.x > 1:
            self.v = -self.v


@dataclass(frozen=True)
class Settings:
    dt: float = 0.25
    steps: int = 10


class Grid:
    def __init__(self, n):
        self.n = n
        self.data = np.zeros((n, n))

    def __getitem__(self, at):
        i, j = at
        return self.data[i % self.n, j % self.n]

    def __setitem__(self, at, value):
        i, j = at
        self.data[i % self.n, j % self.n] = value

    def __len__(self):
        return self.n

    def __eq__(self, other):
        return np.array_equal(self.data, other.data)

    def __call__(self, factor):
        return self.data.sum() * factor


class Shape:
    def __init__(self, a):
        self.a = a

    def area(self):
        return self.a**2


class Rectangle(Shape):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b

    def area(self):
        return super().area() / self.a * self.b


def test_operators_and_properties_of_objects(run_both):
    def walked(n):
        at = Vector(1.0, 2.0)
        for i in range(n):
            at = at + Vector(0.5, y=i) * 2.0
        back = -(3 * at)
        return at.x, at.y, back.length

    run_both(walked, 3)


def test_what_is_assigned_to_an_attribute_is_seen_by_all_names_of_the_object(run_both):
    def pushed(xs):
        mean = Mean()
        same = mean
        steps = [mean.push(x) for x in xs]
        if same.count > 3:
            same.count = 100
        return mean.count, same.mean, mean.bins, mean.kind, steps, mean.last

    run_both(pushed, np.arange(6.0) ** 2)


def move(particle, settings):
    for _ in range(settings.steps):
        particle.step(settings.dt)


def moved_later(x):
    particle = Particle(x)
    particle.x += 1
    return particle


def test_data_classes(run_both):
    def moved(x):
        one, other = Particle(x), Particle(0.5, v=2.0)
        move(one, Settings())
        move(other, Settings(steps=3))
        late, later = moved_later(x), moved_later(x + 1)
        late.x = 10 * later.x
        one, other = other, one
        return one.x, one.v, other.x, other.v, late.x, later.x

    run_both(moved, 0.0)


def test_made_objects_are_returned():
    def made(x):
        particle = Particle(x)
        particle.v = 3.0
        return Settings(dt=x), particle

    assert cl.jit(made)(0.5) == made(0.5)


def test_methods_with_names_of_their_own(run_both):
    def filled(n):
        grid, other = Grid(n), Grid(n)
        grid[0, n] = 2.0
        grid[1, 1] += 3.0
        return grid.data, grid[n, 0], len(grid), grid == other, grid != other, grid(2.0)

    run_both(filled, 3)


def test_methods_of_base_classes(run_both):
    run_both(lambda a: Shape(a).area() + Rectangle(a, 2.0).area(), 3.0)


def test_lists_of_objects_that_do_not_change(run_both):
    def total(n):
        all_of_them = [Vector(float(i), 1.0) for i in range(n)]
        return sum(one.x for one in all_of_them), all_of_them[0].length

    run_both(total, 3)


def test_parallel_loops_see_attributes_as_they_are(run_both):
    def scaled(n):
        particle = Particle(3.0)
        out = np.zeros(n)
        for i in cl.prange(n):
            out[i] = particle.x * i
        particle.x = 4.0
        return out, particle.x

    run_both(scaled, 4)


def test_objects_share_what_they_hold(run_both):
    def filled(n):
        one = Particle(0.0)
        same = one
        for i in range(n):
            one.seen.append(i)
            same.seen.append(10 * i)
        return one.seen, same.seen

    run_both(filled, 3)


def kept(n):
    best = Particle(-1.0)
    for i in range(n):
        one = Particle(float(i % 3))
        one.x += 1
        if one.x > best.x:
            best = one
    return best.x


def sometimes_there(n):
    one = Particle(1.0)
    one.v = 2.0
    if n > 2:
        one.extra = 1.0
    return one.extra


def frozen(n):
    settings = Settings()
    settings.dt = n
    return settings.dt


def test_an_attribute_that_is_there_on_one_path_only(run_both):
    run_both(sometimes_there, 3)
    run_both.raises(AttributeError, sometimes_there, 2)


def test_frozen_objects_are_not_assigned_to():
    with pytest.raises(cl.CompileError):
        cl.jit(frozen)(3)


def swarm(n, steps):
    particles = [Particle(0.5 * i) for i in range(n)]
    for _ in range(steps):
        for particle in particles:
            particle.v += 0.25
            particle.x += particle.v
    best = particles[0]
    for particle in particles:
        if particle.x > best.x:
            best = particle
    best.x = 100.0
    return sum(particle.x for particle in particles), best.v


def test_objects_that_change_are_pythons_own_where_variables_cannot_be(run_both):
    run_both(swarm, 5, 3)
    run_both(kept, 5)


class Box:
    def __init__(self, content):
        self.content = content


class Derived(Box):
    def __init__(self, content, label):
        super().__init__(content)
        self.label = label


@dataclass
class Stop:
    fuel: int
    price: float = 1.5

    def __hash__(self):
        return self.fuel


def contents_of_a_tuple(values):
    boxes = tuple(Box(value) for value in values)
    return len(boxes), sum(box.content for box in boxes), boxes[-1].content


def tuple_of_a_list(values):
    boxes = tuple([Derived(value, "x") for value in values])
    return [box.label + str(box.content) for box in boxes]


def test_a_tuple_of_any_length_holds_objects(run_both):
    run_both(contents_of_a_tuple, [1, 2, 3])
    run_both(tuple_of_a_list, [1, 2, 3])
    stops = cl.jit(lambda values: tuple(Stop(value) for value in values))([3, 4])
    assert stops == (Stop(3), Stop(4))


def test_an_object_that_was_in_a_dictionary_is_returned_as_it_is():
    @cl.jit
    def twins(stop):
        made = {}
        made[stop] = Stop(stop.fuel, 2.5)
        return made[stop]

    @cl.jit
    def kept(k):
        made = {}
        made[k] = Derived(k, "a")
        return made[k]

    assert twins(Stop(3)) == Stop(3, 2.5)
    made = kept(5)
    assert (type(made), made.content, made.label) == (Derived, 5, "a")


def named_classes(x):
    box, derived = Box(x), Derived(x, "a")
    box.content += 1
    return (
        type(box).__name__,
        type(derived).__name__,
        derived.__class__.__name__,
        type(box) is Box,
        type(derived) is Box,
        type(derived) == Derived,  # noqa: E721 - it is what is tested
        type(box)(5).content + box.content,
    )


def test_the_class_of_an_object_has_a_name_and_is_compared(run_both):
    run_both(named_classes, 3)


class Place:
    def __init__(self, x=0, y=0):
        self.x = x
        self.y = y


def replaced_by_turns(n):
    place = Place(7)
    for i in range(n):
        if i % 2 == 0:
            place = Place(i)
        place.y += 10
    return place.x, place.y


def another_by_turns(n):
    place = Place(7)
    other = Place(8)
    i = 0
    while i < n:
        if i % 2 == 0:
            place = other
        place.y += 5
        i += 1
    return place.x, place.y, other.y


def none_at_first(n):
    place = None
    for i in range(n):
        if i % 3 == 0 or place is None:
            place = Place(i)
        place.y = place.y + 10
        place.y += 1
    return place.x, place.y


def set_after_none(n):
    place = None
    for i in range(n):
        if i % 2 == 0:
            place = Place(i)
        place.y = 10
    return place.x, place.y


class TestWhichObjectDependsOnTheTurn:
    @pytest.mark.parametrize("function", (replaced_by_turns, another_by_turns, none_at_first, set_after_none))
    @pytest.mark.parametrize("n", (1, 2, 5))
    def test_attributes_are_those_of_the_object_that_it_is(self, run_both, function, n):
        run_both(function, n)


def is_it_another(place):
    found = []
    for i in range(2):
        other = Place(i)
        found.append((place is other, other is not place))
    return found


def which_is_it(place, n):
    other = Place(1)
    for i in range(n):
        if place is other:
            return i
        other = place if i == 2 else Place(i)
    return -1


def two_that_are_made(n):
    first = Place(n)
    second = first if n > 2 else Place(n)
    third = (Place(n), second)[1]
    return first is second, third is second, third is not first


class TestIdentity:
    @pytest.mark.parametrize("n", (2, 5))
    def test_objects_that_are_made_are_none_of_the_caller(self, n):
        assert cl.jit(is_it_another)(Place(1)) == is_it_another(Place(1))
        assert cl.jit(which_is_it)(Place(1), n) == which_is_it(Place(1), n)

    @pytest.mark.parametrize("n", (2, 5))
    def test_objects_that_are_made_are_told_apart(self, run_both, n):
        run_both(two_that_are_made, n)


class Counter:
    __step = 3

    def __init__(self, x):
        self.__x = x

    def __twice(self):
        return self.__x * 2

    def count(self):
        self.__x = self.__x + 1
        return self.__twice() + self.__step, [self.__x * k for k in range(2)]

    def later(self):
        def inner(y):
            return y + self.__x

        return inner(1), (lambda: self.__x)()


class _Derived(Counter):
    def __init__(self):
        super().__init__(5.0)
        self.__x = 9

    def own(self):
        return self.__x, self.count()


def private_parts(x):
    counter = Counter(x)
    return counter.count(), counter.later(), _Derived().own()


def private_parts_of(counter):
    return counter.count(), counter.later()


def test_private_attributes_belong_to_the_class_that_they_are_written_in(run_both):
    run_both(private_parts, 2.0)
    first, second = Counter(4.0), Counter(4.0)
    assert cl.jit(private_parts_of)(first) == private_parts_of(second)
    assert vars(first) == vars(second)


class Cell:
    def __init__(self, number):
        self.number = number
        self.past = np.zeros(2)


def copied_cell(n):
    cell = Cell(n)
    other = copy.copy(cell)
    other.number += 1
    other.past[0] = n
    return cell.number, other.number, cell.past[0], other is cell, other is not cell


def copied_where_nothing_changes(n):
    cell = Cell(n)
    other = copy.copy(cell)
    return cell is other, other.number


def copied_in_turn(n):
    cell = Cell(n)
    for _ in range(n):
        before = copy.copy(cell)
        cell.number += before.number
    return cell.number, before.number


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y


def copied_deeply(n):
    cell, pair = Cell(n), Pair(n, 2.0)
    other, another = copy.deepcopy(cell), copy.deepcopy(pair)
    other.past[0] = n
    another.x += 1
    return cell.past[0], other.past[0], pair.x, another.x, another.y


def copied_queue(n):
    queue = deque([n, 2])
    other, deep = copy.copy(queue), copy.deepcopy(queue)
    other.append(3)
    deep.append(4)
    return len(queue), len(other), deep[2], copy.copy(b"ab"), copy.deepcopy(2.5)


def test_a_copy_of_an_object_is_another_one(run_both):
    run_both(copied_queue, 3)
    run_both(copied_deeply, 3)
    run_both(copied_cell, 3)
    run_both(copied_where_nothing_changes, 3)
    run_both(copied_in_turn, 3)


def test_copies_of_objects_of_the_caller_are_refused():
    def copied(cell):
        other = copy.copy(cell)
        other.number += 1
        return other.number, cell.number

    with pytest.raises(cl.CompileError, match="cannot be copied here"):
        cl.jit(copied)(Cell(1))


class Rooted:
    def __init__(self, x):
        super(Rooted, self).__init__()
        self.x = x


class Grown(Rooted):
    def __init__(self, x, y):
        super().__init__(x)
        self.y = y


class Alone:
    def __init__(self, x=0.0):
        super().__init__()
        self.x = x


class AloneByName(Alone, object):
    def __init__(self, x):
        super(AloneByName, self).__init__(x + 1)
        self.y = self.x


def without_a_base(n):
    several = [Alone(float(i)) for i in range(n)]
    several[0].x += 5.0
    return Alone(2.0).x + AloneByName(1.0).y + sum(one.x for one in several)


def test_super_of_a_class_without_a_base_does_nothing(run_both):
    run_both(without_a_base, 3)


class Spot:
    def __init__(self, x, y):
        self.x = x
        self.y = y


def placed(rows):
    places = [Spot(*row) for row in rows]
    first = Spot(*rows[0])
    return first.x - first.y, [place.x + place.y for place in places]


def test_a_class_takes_the_items_of_an_array(run_both):
    run_both(placed, np.arange(6.0).reshape(3, 2))
    run_both(placed, [[1, 2], [3, 4]])
    with pytest.raises(TypeError):
        cl.jit(placed)(np.ones((2, 3)))


class Code:
    def __init__(self, weight, symbol=None, low=None, high=None):
        self.weight = weight
        self.symbol = symbol
        self.low = low
        self.high = high


def codes(node, prefix, found):
    if node.symbol is not None:
        found[node.symbol] = prefix
        return
    codes(node.low, prefix + "0", found)
    codes(node.high, prefix + "1", found)


def coded(weights):
    nodes = [Code(weight, symbol) for symbol, weight in enumerate(weights)]
    waiting = [(weight, at) for at, weight in enumerate(weights)]
    while len(waiting) > 1:
        waiting.sort(reverse=True)
        (low, a), (high, b) = waiting.pop(), waiting.pop()
        nodes.append(Code(low + high, None, nodes[a], nodes[b]))
        waiting.append((low + high, len(nodes) - 1))
    found = {}
    codes(nodes[-1], "", found)
    return found, nodes[-1].weight


def test_objects_that_hold_others_of_their_class_have_no_end(run_both):
    run_both(coded, [5, 9, 12, 13, 16, 45])


def begun_by_object(x):
    return Rooted(x).x, Grown(x, 2).y + Grown(x, 3).x, Alone(x).x


def test_the_class_of_all_objects_has_an_initialiser(run_both):
    run_both(begun_by_object, 3)


class Counting:
    def __init__(self, n):
        self.n = n

    def __copy__(self):
        return Counting(self.n + 1)


def copied_as_the_class_says(n):
    one = Counting(n)
    return copy.copy(one).n, one.n


def test_a_class_says_how_its_objects_are_copied(run_both):
    run_both(copied_as_the_class_says, 3)
