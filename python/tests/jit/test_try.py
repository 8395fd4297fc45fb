"""Exceptions that a jit function catches."""

import collections
import math

import numpy as np
import pytest

import colocate as cl


def try_nested_loops(n):
    c = 0
    try:
        for i in range(n):
            for j in range(n):
                c += 1
                if i * j == 12:
                    raise ValueError("found")
    except ValueError as e:
        return c, str(e)
    return c, "none"


def test_try_nested_loops(run_both):
    run_both(try_nested_loops, 10)


def try_linalg(a):
    try:
        return np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return np.eye(3)


def test_try_linalg(run_both):
    run_both(try_linalg, np.zeros((3, 3)))


def try_linalg2(a):
    ok = True
    try:
        b = np.linalg.solve(a, np.ones(3))
    except Exception:
        ok = False
        b = np.zeros(3)
    return ok, b


def test_try_linalg2(run_both):
    run_both(try_linalg2, np.zeros((3, 3)))


def try_finally_return(n):
    x = [0]
    try:
        if n > 2:
            return n + x[0]
    finally:
        x[0] = 5
    return x[0]


def test_try_finally_return(run_both):
    run_both(try_finally_return, 3)


def try_finally_except(a, n):
    try:
        a[0] = 1 // n
    except ZeroDivisionError:
        a[0] = -1
    finally:
        a[1] = 9
    return a


def test_try_finally_except(run_both):
    run_both(try_finally_except, np.zeros(2), 0)


def reraise(n):
    try:
        try:
            return 1 // n
        except ZeroDivisionError:
            raise
    except ArithmeticError:
        return -5


def test_reraise(run_both):
    run_both(reraise, 0)


def try_break(n):
    c = 0
    for i in range(n):
        try:
            if i == 3:
                break
            if i == 1:
                continue
            c += 10
        except ValueError:
            c = -1
        c += 1
    return c


def test_try_break(run_both):
    run_both(try_break, 5)


def try_while_break_finally(n):
    c = 0
    i = 0
    while True:
        try:
            i += 1
            if i > n:
                break
            if i % 2:
                continue
            c += i
        finally:
            c += 100
    return c


def test_try_while_break_finally(run_both):
    run_both(try_while_break_finally, 5)


def try_several(n, k):
    try:
        if n == 1:
            raise ValueError("one", 1)
        if n == 2:
            raise KeyError("two")
        return str(n // k)
    except Exception as e:
        return str(e)
    return "fine"


def test_try_several(run_both):
    run_both(try_several, 4, 0)


def nested_raise(n):
    def check(x):
        if x < 0:
            raise ValueError("negative")
        return math.sqrt(x)

    try:
        return check(n)
    except ValueError:
        return -1.0


def test_nested_raise(run_both):
    run_both(nested_raise, -3)


def try_assert(n):
    try:
        assert n > 5, "small"
    except AssertionError:
        return "small"
    return "big"


def test_try_assert(run_both):
    run_both(try_assert, 3)


def try_index(a):
    try:
        return a[5]
    except IndexError:
        return -1


def test_try_index(run_both):
    run_both(try_index, np.arange(3))


def try_return_in_function(n):
    def f(k):
        try:
            for i in range(10):
                if i == k:
                    return i * 2
            raise ValueError("no")
        except ValueError:
            return -1
        finally:
            pass

    return f(n), f(20)


def test_try_return_in_function(run_both):
    run_both(try_return_in_function, 3)


def try_else(n):
    r = 0
    try:
        y = 10 // n
    except ZeroDivisionError:
        r = 1
    else:
        r = y
    return r


def test_try_else(run_both):
    run_both(try_else, 2)


def raise_instance(n):
    err = ValueError("bad")
    try:
        if n > 1:
            raise err
    except ValueError as e:
        return str(e)
    return ""


def test_raise_instance(run_both):
    run_both(raise_instance, 2)


def raise_from(n):
    try:
        try:
            raise KeyError("a")
        except KeyError as e:
            raise ValueError("b") from e
    except ValueError as e:
        return e.args[0]


def test_raise_from(run_both):
    run_both(raise_from, 2)


def try_extents(n, m):
    try:
        return np.zeros((n, m)).size
    except ValueError:
        return -1


def test_try_extents(run_both):
    run_both(try_extents, 2, 3)
    run_both(try_extents, 2, -3)
    run_both(try_extents, -2, 3)


class Broken(ValueError):
    pass


class BrokenInside(Broken):
    pass


def broken(n):
    if n == 1:
        raise Broken("one")
    if n == 2:
        raise BrokenInside("two")
    if n == 3:
        raise KeyError("three")
    return 0


def test_exceptions_are_caught_by_the_classes_that_they_derive_from(run_both):
    def caught(n):
        try:
            return broken(n)
        except BrokenInside:
            return 1
        except ValueError as error:
            return 2 if isinstance(error, Broken) else 3
        except Exception as error:
            return 4 if isinstance(error, (Broken, LookupError)) else 5

    for n in range(4):
        run_both(caught, n)


def test_isinstance_of_a_failed_check(run_both):
    def asked(n):
        try:
            return 1 // n == 0
        except Exception as error:
            return isinstance(error, ArithmeticError), isinstance(error, LookupError)

    run_both(asked, 0)


def chosen(name):
    if name == "one":
        return 1.0, 2.0
    raise KeyError(name)


def test_a_function_that_always_raises_gives_nothing_to_unpack(run_both):
    def both(x, name):
        a, b = chosen(name)
        return a * x + b

    run_both(both, 2.0, "one")
    run_both.raises(KeyError, both, 2.0, "two")


def converted(x, items):
    try:
        x = int(x)
    except ValueError:
        raise TypeError("x must be a number") from None
    return items[x], x


def converted_here_and_there(x, n):
    total = 0
    for _ in range(n):
        try:
            x = int(x) + 1
        except (ValueError, TypeError):
            return -1
        total += x
    else:
        total *= 2
    return total, x


def converted_to_a_text(x):
    try:
        x = str(int(x))
    except ValueError:
        return "none"
    else:
        x += "!"
    return x


def shown_by_the_handler(x):
    try:
        x = int(x)
        if x > 5:
            raise ValueError(x)
    except ValueError as e:
        return str(e), x
    return "fine", x


def caught_further_out(x):
    try:
        try:
            x = int(x) * 10
            if x > 50:
                raise ValueError(x)
        except ValueError:
            raise TypeError("too much") from None
    except TypeError as e:
        return str(e), x
    return "fine", x


@pytest.mark.parametrize("x", [1, 2.5, "2", "no"])
def test_a_handler_that_ends_the_function_does_not_see_what_the_body_makes_of_a_variable(run_both, x):
    if x == "no":
        run_both.raises(TypeError, converted, x, [1.5, 2.5, 3.5])
    else:
        run_both(converted, x, [1.5, 2.5, 3.5])
    run_both(converted_to_a_text, x)


@pytest.mark.parametrize("x", [1, 2.5, 7, 9.5])
def test_what_a_handler_reads_is_what_the_body_left(run_both, x):
    run_both(converted_here_and_there, int(x), 3)
    assert run_both(shown_by_the_handler, int(x))[1] == int(x)
    run_both(caught_further_out, int(x))


def walked(queue, n):
    if n == 0:
        return len(queue)
    queue[n] = n
    return walked(queue, n - 1)


def caught_while_walking(n):
    try:
        return walked(collections.OrderedDict(), n)
    except TypeError:
        return -1


def test_what_cannot_be_compiled_is_not_caught_by_the_program():
    assert caught_while_walking(3) == 3
    with pytest.raises(cl.CompileError, match="OrderedDict"):
        cl.jit(caught_while_walking)(3)


def raised_again_at_last(n):
    try:
        raise ValueError("first")
    except ValueError:
        try:
            if n == 1:
                raise TypeError("second")
            if n == 2:
                int("x" * n)
        finally:
            raise


def raised_without_another(n):
    try:
        if n:
            int("x" * n)
    finally:
        raise


@pytest.mark.parametrize(
    "program, expected",
    [
        (raised_again_at_last, [ValueError, TypeError, ValueError]),
        (raised_without_another, [RuntimeError, ValueError]),
    ],
)
def test_raise_alone_at_last_raises_what_the_body_raised(run_both, program, expected):
    for n, kind in enumerate(expected):
        run_both.raises(kind, program, n)


def raised_by_name(n):
    try:
        try:
            raise KeyError("outer")
        except KeyError as e:
            try:
                if n:
                    raise ValueError("inner")
                int("x" * 3)
            except ValueError:
                raise e
    except Exception as x:
        return type(x).__name__, str(x)


@pytest.mark.parametrize("n", [0, 1])
def test_an_exception_is_raised_by_its_name_in_a_handler_inside_of_its_own(run_both, n):
    run_both(raised_by_name, n)


def outside():
    try:
        return [1, 2][2]
    except IndexError as e:
        try:
            return (1, 2)[2]
        except IndexError as f:
            return str(e), str(f)


def wrongly_unpacked(items):
    try:
        a, b = items
    except ValueError as e:
        return str(e)
    return a + b


def too_few(items):
    try:
        a, *b, c, d = items
    except ValueError as e:
        return str(e)
    return a, b, c + d


def wrongly_gone_over():
    found = []
    try:
        for a, _ in [(1, 2, 3), (3, 4, 5)]:
            found.append(a)
    except ValueError:
        found.append(99)
    return found


def not_reached(items, n):
    if n > 5:
        return items[7]
    return items[-1] if n else items[0]


def test_what_is_known_to_be_outside_of_a_tuple_raises_when_the_program_comes_there(run_both):
    run_both(outside)
    run_both(not_reached, (1, 2), 3)
    run_both.raises(IndexError, not_reached, (1, 2), 6)
    for items in ((1,), (1, 2), (1, 2, 3)):
        run_both(wrongly_unpacked, items)
    for items in ((1, 2), (1, 2, 3), (1, 2, 3, 4)):
        run_both(too_few, items)
    run_both(wrongly_gone_over)


def raised_alike(n):
    try:
        if n > 2:
            raise ValueError("too many")
        return 10 // n
    except (ValueError, ZeroDivisionError) as error:
        raise error.__class__(f"{n} will not do") from error


def raised_by_type(text):
    try:
        try:
            return int(text)
        except Exception as error:
            raise type(error)("again")
    except ValueError as error:
        return str(error)


def test_an_exception_of_the_class_of_another_is_raised(run_both):
    run_both(raised_alike, 2)
    for n, kind in ((3, ValueError), (0, ZeroDivisionError)):
        wanted, raised = run_both.raises(kind, raised_alike, n)
        assert str(raised) == str(wanted)
    run_both(raised_by_type, "x")


def reshaped(a, n):
    try:
        return (a + 1).reshape(n, -1)
    except ValueError:
        return a


def test_what_reshape_raises_is_caught(run_both):
    for n in (3, 4):
        run_both(reshaped, np.ones((2, 3)), n)


def texts_that_change_inside(items, n):
    name = "start"
    try:
        items.append(1)
        try:
            if n > 1:
                name = "other"
            items[n] = 5
        except ValueError:
            name += "?"
        name += str(n)
    except IndexError:
        name += "!"
    return name


def test_texts_that_change_inside_beside_lists_of_the_caller(run_both):
    run_both(texts_that_change_inside, [1, 2], 1)
    run_both(texts_that_change_inside, [1, 2], 9)
