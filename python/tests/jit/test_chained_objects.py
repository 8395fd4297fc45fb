"""Objects among the arguments that refer to others of their class: chains and trees of any depth."""

import pytest

import colocate as cl


class Link:
    def __init__(self, value, following=None):
        self.value, self.following = value, following

    def shown(self):
        return self.value


class Negative(Link):
    def shown(self):
        return -self.value


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right


def chain(n, value=lambda i: i):
    link = None
    for i in range(n):
        link = Link(value(i), link)
    return link


def added(tree, value):
    if tree is None:
        return Tree(value)
    if value < tree.value:
        tree.left = added(tree.left, value)
    else:
        tree.right = added(tree.right, value)
    return tree


def tree_of(values):
    tree = None
    for value in values:
        tree = added(tree, value)
    return tree


def ramified(n):
    return tree_of([7 * i % n for i in range(n)]) if n % 7 else tree_of(range(n))


def same(run_both, function, *arguments):
    """Objects are not copied for the two runs."""
    wanted = function(*arguments)
    with run_both.context():
        assert run_both.jit(function)(*arguments) == wanted


def summed(link):
    total = 0
    while link is not None:
        total += link.value
        link = link.following
    return total


def joined(link):
    text = ""
    while link:
        text += link.shown()
        link = link.following
    return text


def last(link):
    while link.following is not None:
        link = link.following
    return link.value


def middle(link):
    slow = fast = link
    while fast is not None and fast.following is not None:
        slow = slow.following
        fast = fast.following.following
    return slow.value


def goes_round(link):
    slow = fast = link
    while fast and fast.following:
        slow = slow.following
        fast = fast.following.following
        if slow is fast:
            return True
    return False


def found(tree, value):
    while tree is not None:
        if value == tree.value:
            return True
        tree = tree.left if value < tree.value else tree.right
    return False


def too_far(link):
    while link.value >= 0:
        link = link.following
    return link.value


def shown(link):
    total = 0
    while link is not None:
        total += link.shown()
        link = link.following
    return total


class TestLoops:
    @pytest.mark.parametrize("n", (1, 2, 4, 5, 20))
    def test_a_loop_goes_along_a_chain(self, run_both, n):
        for function in (summed, last):
            same(run_both, function, chain(n))
        same(run_both, joined, chain(n, str))

    @pytest.mark.parametrize("n", (2, 3, 9))
    def test_two_variables_go_along_it(self, run_both, n):
        same(run_both, middle, chain(n))
        same(run_both, goes_round, chain(n))
        ring = chain(n)
        end = ring
        while end.following:
            end = end.following
        end.following = ring
        same(run_both, goes_round, ring)

    def test_a_loop_goes_down_a_tree(self, run_both):
        for n in (1, 3, 10, 20):
            for value in (0, n - 1, n):
                same(run_both, found, ramified(n), value)

    def test_the_end_of_a_chain_has_no_attributes(self, run_both):
        run_both.raises(AttributeError, too_far, chain(3))

    def test_what_a_loop_changes_is_changed(self, run_both):
        def doubled(link):
            while link is not None:
                link.value = 2 * link.value
                link = link.following

        links = chain(6)
        with run_both.context():
            run_both.jit(doubled)(links)
        assert summed(links) == 30


class TestOtherObjects:
    def test_what_was_not_looked_at_must_be_of_the_same_class(self):
        links = chain(10)
        assert cl.jit(shown)(links) == 45
        end = links
        while end.following.following:
            end = end.following
        end.following = Negative(5)
        with pytest.raises(TypeError, match="'following' is a Negative"):
            cl.jit(shown)(links)

    def test_its_attributes_must_be_of_the_same_type(self):
        with pytest.raises(TypeError):
            cl.jit(joined)(chain(10, lambda i: str(i) if i > 2 else i))
        with pytest.raises(TypeError):
            cl.jit(summed)(chain(10, lambda i: i if i > 2 else 0.5))


def counted(tree):
    return 0 if tree is None else 1 + counted(tree.left) + counted(tree.right)


def depth(tree):
    if not tree:
        return 0
    return 1 + max(depth(tree.left), depth(tree.right))


def in_order(tree):
    if tree is None:
        return []
    return in_order(tree.left) + [tree.value] + in_order(tree.right)


def as_text(tree):
    return "" if tree is None else "(" + as_text(tree.left) + str(tree.value) + as_text(tree.right) + ")"


def alike(a, b):
    if a is None or b is None:
        return a is None and b is None
    return a.value == b.value and alike(a.left, b.left) and alike(a.right, b.right)


def put_in_order(tree, values):
    if tree is None:
        return
    put_in_order(tree.left, values)
    values.append(tree.value)
    put_in_order(tree.right, values)


def into_a_list(tree):
    values = []
    put_in_order(tree, values)
    return values


def sorted_by_tree(values):
    return in_order(tree_of(values))


class Heap:
    def __init__(self, items):
        self.items, self.size = items, len(items)

    def sift(self, i):
        smallest = i
        for child in (2 * i + 1, 2 * i + 2):
            if child < self.size and self.items[child] < self.items[smallest]:
                smallest = child
        if smallest != i:
            self.items[i], self.items[smallest] = self.items[smallest], self.items[i]
            self.sift(smallest)


def made_a_heap(heap):
    for i in range(heap.size // 2, -1, -1):
        heap.sift(i)


def by_level(tree):
    values, waiting = [], [tree]
    while waiting:
        one = waiting.pop(0)
        values.append(one.value)
        if one.left:
            waiting.append(one.left)
        if one.right:
            waiting.append(one.right)
    return values


class TestRecursion:
    @pytest.mark.parametrize("n", (1, 3, 6, 20))
    def test_trees_may_be_of_any_depth(self, run_both, n):
        for function in (counted, depth, in_order, as_text, into_a_list, by_level):
            same(run_both, function, ramified(n))
        same(run_both, alike, ramified(n), ramified(n))
        same(run_both, alike, ramified(n), ramified(n + 1))

    @pytest.mark.parametrize("n", (2, 5, 20))
    def test_trees_may_be_made_inside(self, run_both, n):
        run_both(sorted_by_tree, [7 * i % n for i in range(n)])

    def test_methods_may_call_themselves(self, run_both):
        wanted, given = Heap([5, 3, 8, 1, 9, 2]), Heap([5, 3, 8, 1, 9, 2])
        made_a_heap(wanted)
        with run_both.context():
            run_both.jit(made_a_heap)(given)
        assert given.items == wanted.items
